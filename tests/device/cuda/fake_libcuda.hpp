// The controls of the stand-in for CUDA's driver library (fake_libcuda.cpp). One thread at a time sets them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vr::test {

struct FakeLaunch {
  std::string text;  ///< of the module
  std::string kernel;
  unsigned grid[3], block[3];
  std::vector<std::string> arguments;  ///< the bytes, with the environment as the last
};

struct FakeCuda {
  int devices = 1;
  std::vector<std::string> buses = {"0000:3B:00.0", "0000:5E:00.0"};
  int init_code = 0;
  /// The call after this number of further calls fails with fail_code; -1: none does.
  long fail_after = -1;
  int fail_code = 999;
  std::string failed;  ///< the function that failed so
  /// After this number of further commands of streams, one fails as it runs, and everything after it. -1: none does.
  long fault_after = -1;
  /// Runs kernels; null: they do nothing.
  void (*run)(const FakeLaunch&) = nullptr;
  /// Called for mistakes of the driver.
  void (*violation)(const std::string&) = nullptr;

  std::vector<FakeLaunch> launches;  ///< of which the newest 1000 are kept
  long calls = 0, objects = 0;       ///< objects: streams, events, modules, memory, contexts in use
  long commands_2d = 0;
  long contexts_pushed = 0;  ///< on this thread, by the driver
};

/// `bytes` of device memory from `start` on, where the address is within an allocation; false: it is not.
bool fake_memory(uint64_t address, char** start, size_t* bytes);
FakeCuda& fake_cuda();
/// Makes the library as if it had just been loaded, but for the memory and objects that are in use.
void reset_fake_cuda();

}  // namespace vr::test
