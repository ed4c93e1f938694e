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
  bool c = false;  ///< generates C, which the system's compiler or a cross compiler must compile without warnings
  std::string architecture;  ///< "aarch64"; empty: this machine's
};

/// A function to call with the inputs. The call may store to the inputs' arrays.
struct Item {
  ir::ModulePtr module;
  ir::Conventions conventions;
  std::string function;
  std::vector<Value> inputs;
  int opt_level = 2;
  bool parallel = false;  ///< parallel loops, if the platform's runtime has threads
  bool openmp = false;    ///< only for C, with `strict`
  /// Only for C: false: compiled by tcc if this machine has it, which takes a tenth of the time.
  bool strict = true;
  std::string target = "generic";    ///< ignored for another architecture
  std::vector<std::string> regions;  ///< aot::BuildOptions::regions
  aot::BuildOptions::Kernels kernels = aot::BuildOptions::Kernels::Off;
};

class Batch {
 public:
  explicit Batch(Platform platform) : platform_(std::move(platform)) {}
  Batch(const Batch&) = delete;

  /// Builds the object. A failure is reported by run().
  void add(Item item);
  /// Results or error of each item. An error of aot::build or of a compiler has no record; a fault of the function has
  /// one. INTERNAL: the function ended the process, or took more than 30 s.
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
  bool is_for_tcc(const Item& item) const;
  Status link(const std::vector<size_t>& good);
  std::string runtime_folder() const;

  Platform platform_;
  aot::TemporaryFolder folder_;
  std::vector<Built> built_;
};

}  // namespace vr::ahead_of_time
