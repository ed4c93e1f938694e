// The bytes of its arrays that a launch accesses: the kernel's table with the launch's numbers (jit4GPU 5.3, just
// before the run).
#pragma once
#include "runtime/abi.h"
#include "runtime/accesses.hpp"
#include "runtime/gpu/regions/domain.hpp"
#include "runtime/gpu/regions/lmad.hpp"

namespace vr::gpu {

/// An array parameter at one launch.
struct Footprint {
  /// Restricted boxes that contain all bytes whose old value the launch may use: those of loads, and of stores that may
  /// not be made.
  Region read;
  /// All bytes that it may change; bytes of the array's elements only.
  Region write;
  bool read_exact = true;   ///< `read` has no other byte, but for stores that are not sure to be made
  bool write_exact = true;  ///< every byte of `write` is stored to, whatever the elements' values
  std::string reason;       ///< why it is the whole array; empty: it is not
};

/// The scalar parameters whose values the table uses.
std::vector<int64_t> scalars_of(const AccessTable& table);
/// The numbers that footprints depend on, but for the arrays' addresses: counts, these scalars, extents and strides.
void list_numbers(const vr_kernel& kernel, const int64_t* counts, const vr_value* args,
                  const std::vector<int64_t>& scalars, std::vector<int64_t>& numbers);
/// Of each parameter, in order (empty for scalars). `args` and `counts` as for vr_gpu_launch; counts are positive.
std::vector<Footprint> footprints(const AccessTable& table, const vr_kernel& kernel, const int64_t* counts,
                                  const vr_value* args);
/// A part of a launch: counts lo <= n < hi of dimension `dim`.
struct Part {
  int32_t dim;
  int64_t lo, hi;
};
/// Parts begin at multiples of this number. carried_unit: of a reduction that runs in parts, else 1.
int64_t part_unit(const AccessTable& table, const vr_kernel& kernel, int32_t dim, int64_t carried_unit);
/// The number of the work-item that runs iteration `iteration` of dimension `dim`, the first one of a part.
int64_t first_item(const vr_kernel& kernel, int32_t dim, int64_t iteration);
/// Why a part whose first work-item's number is above device::Limits::max_offset does not run.
inline constexpr char too_many_items[] = "its work-items are too many to be numbered from the middle";
/// For a part, which is less than the launch: old elements of arrays that the launch only writes are not used.
std::vector<Footprint> footprints(AccessTable table, const vr_kernel& kernel, const int64_t* counts,
                                  const vr_value* args, const Part& part);
/// What a part of a launch uses of an array.
struct PartUse {
  Footprint footprint;
  Span hull;  ///< of all its bytes
};
/// From the first byte of both regions to the last one.
Span hull_of(const Region& a, const Region& b);
/// The footprint of a kernel without a table, or of a task that uses a whole array. fresh: every element is stored to,
/// and no old element is used.
Footprint whole_footprint(const vr_array& array, bool written, bool fresh);

/// Footprints of the last launches with different numbers, each found when it is asked for: of arrays that are resident
/// nobody asks what is read. Not thread-safe.
class Footprints {
 public:
  explicit Footprints(const vr_kernel& kernel);
  /// The launch that read() and written() speak of until the next call; its counts and arguments stay as they are until
  /// then.
  void launch(const vr_kernel& kernel, const int64_t* counts, const vr_value* args);
  /// Of array parameter `param`, as in Footprint, relative to the address of the array's element (0, ..., 0). Valid
  /// until the next call.
  const Region& read(int32_t param);
  const Region& written(int32_t param);
  /// Null: the kernel has no table.
  const AccessTable* table() const { return described_ ? &table_ : nullptr; }

 private:
  static constexpr size_t most = 4;
  enum class Sides : char { None, Written, Both };
  struct Known {
    std::vector<int64_t> numbers;
    std::vector<Number> values;   ///< of the table; empty: not computed yet
    std::optional<bool> certain;  ///< no check fails
    struct Array {
      Footprint footprint;
      Sides found = Sides::None;
    };
    std::vector<Array> arrays;  ///< one for each parameter
  };
  const Footprint& find(int32_t param, Sides sides);

  AccessTable table_;
  bool described_ = false;
  std::vector<int64_t> scalars_;  ///< the scalar parameters that the table uses
  std::vector<int64_t> now_;
  std::vector<Known> known_;
  size_t current_ = 0, next_ = 0;  ///< of known_: the launch's, and the one to be replaced
  const vr_kernel* kernel_ = nullptr;
  const int64_t* counts_ = nullptr;
  const vr_value* args_ = nullptr;
};

}  // namespace vr::gpu
