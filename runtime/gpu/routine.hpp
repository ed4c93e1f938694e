// Library functions as tasks: the kernels of a program text that belongs to the runtime, launched one after the other.
#pragma once
#include "runtime/gpu/section.hpp"
#include "runtime/gpu/shared.hpp"

#include <string>
#include <type_traits>
#include <vector>

namespace vr::gpu {

/// Thrown with the reason if the device cannot run a call that it supports in general; the call then runs on the CPU.
struct Refused {
  std::string why;
};

class Routine;

/// A launch of a routine's kernel over one dimension. Arguments in the order of the kernel's parameters.
struct Step {
  const Routine* routine;
  const char* kernel;
  size_t items = 0;  ///< work-items; a multiple of `group`
  size_t group = 0;  ///< 0: the driver chooses
  struct Argument {
    device::Buffer* buffer = nullptr;  ///< null: `bytes`
    std::vector<char> bytes = {};
  };
  std::vector<Argument> arguments = {};

  template <class... T>
  Step& with(const T&... values) {
    (add(values), ...);
    return *this;
  }

 private:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, device::Buffer*>) {
      arguments.push_back({value});
    } else {
      const auto* bytes = reinterpret_cast<const char*>(&value);
      arguments.push_back({nullptr, {bytes, bytes + sizeof value}});
    }
  }
};

/// A program built for a device. Thread-safe.
class Routine {
 public:
  /// Throws device::Failure if the text cannot be built.
  Routine(Shared& shared, const std::string& source);
  /// Throws Refused unless groups of that many work-items can run the kernel.
  void need_group(const char* kernel, size_t items) const;

 private:
  friend void enqueue(const std::vector<Step>&, device::Queue&, device::Waits, device::EventPtr*);
  Shared& shared_;
  std::shared_ptr<Program> program_;
};

/// Enqueues the steps in the in-order `queue`: the first runs after `wait`, the last gets `event` unless that is null.
/// Throws device::Failure.
void enqueue(const std::vector<Step>& steps, device::Queue& queue, device::Waits wait, device::EventPtr* event);

/// `items` rounded up to whole groups of 128.
constexpr size_t group_of_items = 128;
inline size_t whole_groups(int64_t items) {
  return (static_cast<size_t>(items) + group_of_items - 1) / group_of_items * group_of_items;
}

}  // namespace vr::gpu
