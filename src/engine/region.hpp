// The dispatcher of one region function and its code cache (thesis 6.2.4; private to src/engine).
#pragma once
#include "analysis/region_facts.hpp"
#include "codegen/llvm/jit.hpp"
#include "engine/fork_lock.hpp"
#include "runtime/abi.h"

#include <velociraptor/engine.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vr::engine {

class Unit;

/// The clock that versions are timed with, in nanoseconds; tests replace it.
extern int64_t (*region_clock)();

/// Inspects the arguments of each call and selects the version made for such arguments: equal shapes and strides of the
/// critical shape variables, equal values of the critical value variables, the same groups of overlapping arrays. Until
/// there is one, the code for all arguments runs. Thread-safe; lives as long as the unit whose code calls it.
///
/// A version has to be faster (Options::region_trials): the first calls with its key alternate between it and the code
/// for all arguments and are timed, including their work on the device. The first call of each is a warm-up; of the
/// others the shortest time counts. If the version is slower by more than a sixteenth, it is dropped for good, and the
/// code for all arguments serves its key; otherwise it is kept, and its calls are no longer timed.
class Region : public vr_region {
 public:
  /// `function`: lowered name of a region function of the unit's module after the passes.
  Region(Unit& unit, std::string function);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  RegionInfo info();

  /// The properties of arguments for which a version was made: the words that enter() compares.
  using Key = std::vector<int64_t>;
  /// The same properties as facts, for specialisation.
  analysis::RegionFacts facts(const Key& key) const;

 private:
  using Code = codegen::llvm_backend::CompiledModule;
  struct Version : vr_region_version {
    Key key;
    uint64_t hash = 0;
    std::unique_ptr<Code> code;  ///< null: making it failed, or it was dropped; the code for all arguments serves this key
    size_t bytes = 0;
    uint64_t used = 0;  ///< time of the last use, in calls
    int users = 0;
    bool retired = false;
    // The timings of the trial; [0] is for this version, [1] for the code for all arguments.
    bool decided = false;
    int handed[2] = {0, 0}, measured[2] = {0, 0};
    int64_t best[2] = {INT64_MAX, INT64_MAX};
  };
  /// The parameter and the property from which a word of the key is read.
  struct Part {
    enum class Kind : uint8_t { Shape, Strides, Integer, Float64, Elements };
    Kind kind;
    int param;
    int rank;
    ir::Elem elem = ir::Elem::Int64;  ///< Integer: also for Bool
  };

  static void enter_region(vr_region* self, vr_context* context, const vr_value* args, vr_region_call* call);
  static void leave_region(vr_region* self, vr_context* context, const vr_region_call* call, int32_t status);
  void enter(const vr_value* args, vr_region_call& call);
  void leave(Version* version);
  void leave(const vr_region_call& call, int64_t took);
  void enter_version(Version& v, vr_region_call& call);
  void drop(Version& v);
  int trials() const;
  void prepare();
  void read_key(const vr_value* args, int64_t* words, size_t& count) const;
  Version* find(const int64_t* words, size_t count, uint64_t hash);
  Version* missed(const Key& key, uint64_t hash);
  Version* make(const Key& key, uint64_t hash);
  Version* insert(std::unique_ptr<Version> version, std::vector<std::unique_ptr<Version>>& gone);
  void free_retired();
  void take_retired(std::vector<std::unique_ptr<Version>>& gone);

  Unit& unit_;
  const std::string function_;

  std::once_flag once_;
  std::atomic<bool> prepared_{false};
  /// The region's function, and the parameters from which keys are read.
  struct Signature {
    const ir::Function* ir = nullptr;
    std::vector<Part> parts;
    std::vector<int> arrays;  ///< parameters whose overlap is part of the key
    size_t most_words = 0;
  } signature_;

  std::mutex making_;      ///< RegionMode::Sync: one thread makes a version at a time; taken with NoForkNow
  mutable ForkLock lock_;  ///< protects all members below
  std::vector<std::unique_ptr<Version>> versions_, retired_;
  std::vector<Key> pending_;  ///< being compiled in the background
  RegionInfo info_;
  uint64_t clock_ = 0;
  int new_in_a_row_ = 0;
};

}  // namespace vr::engine
