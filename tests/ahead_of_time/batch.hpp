// Functions compiled ahead of time (src/aot), called by one C program in a process of its own: on this machine or,
// cross-built, under an emulator. Linking and starting a program costs more than most functions do, so that it is
// shared.
#pragma once
#include "aot/aot.hpp"
#include "aot/output.hpp"

#include <velociraptor/engine.hpp>
#include <velociraptor/ir/nodes.hpp>

#include <optional>
#include <string>
#include <vector>

namespace vr::ahead_of_time {

struct Platform {
  bool c = false;            ///< C that the system's compiler, or a cross compiler, compiles without warnings
  std::string architecture;  ///< "aarch64"; empty: this machine's
};

/// A function to be called with the inputs, to whose arrays the call may store.
struct Item {
  ir::ModulePtr module;
  ir::Conventions conventions;
  std::string function;
  std::vector<Value> inputs;
  int opt_level = 2;
  bool parallel = false;             ///< where the platform's runtime has threads
  bool openmp = false;               ///< C alone
  std::string target = "generic";    ///< ignored for another architecture
  std::vector<std::string> regions;  ///< aot::BuildOptions::regions
  aot::BuildOptions::Kernels kernels = aot::BuildOptions::Kernels::Off;
};

class Batch {
 public:
  explicit Batch(Platform platform) : platform_(std::move(platform)) {}
  Batch(const Batch&) = delete;

  /// Builds the object. What fails is told by run().
  void add(Item item);
  /// Results or error of each item. Errors of aot::build and of compilers have no record, faults of the function do;
  /// INTERNAL: the function ends the process, or takes 30 s.
  std::vector<Result<std::vector<Value>>> run();
  const Item& item(size_t k) const { return built_[k].item; }

 private:
  struct Built {
    Item item;
    std::string object;
    std::optional<Error> failed;
  };
  Status build(size_t number, Built& b);
  std::vector<std::string> compiler() const;
  Status link(const std::vector<size_t>& good);
  std::string runtime_folder() const;

  Platform platform_;
  aot::TemporaryFolder folder_;
  std::vector<Built> built_;
};

}  // namespace vr::ahead_of_time
