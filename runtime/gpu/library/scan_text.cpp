// Scans in three steps: totals of tiles, their scan, and the scan of each tile, which begins with the total of the
// tiles before it. The array is read twice and the result written once. (A scan that reads once lets groups wait for
// their neighbours' totals, which needs groups that are guaranteed to make progress, which OpenCL 1.2 does not
// guarantee.)
//
// A tile is read and written in the order of addresses and turned into leaves in local memory, whose rows of `ITEMS`
// elements are one element apart, so that work-items that walk along their rows use different banks.
#include "runtime/gpu/library/text.hpp"

#include <fmt/format.h>

#include "runtime/abi.h"
#include "runtime/cpu/sizes.hpp"

namespace vr::gpu {

namespace {

constexpr const char* scan_kernels = R"(
#define TILE (ITEMS * GROUP)
// The distance in bytes from the array's first element to that of a line. The line's number encodes its subscripts
// along the extents e0, e1 and the remaining one (all dimensions except the axis). Without the operator %, which would
// divide once more.
static long line_offset(long line, long e0, long e1, long s0, long s1, long s2) {
  const long rest = line / e0, last = rest / e1;
  return (line - rest * e0) * s0 + (rest - last * e1) * s1 + last * s2;
}
#define SOURCE global const char* from, long from_at, long from_step, long f0, long f1, long f2
#define TARGET global char* to, long to_at, long to_step, long t0, long t1, long t2

// Loads a tile into local memory; elements past the end are NOTHING.
static void load_tile(local joined_t* rows, global const char* line, long step, long at, long n) {
  const int me = get_local_id(0);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = j * GROUP + me;
    rows[i + i / ITEMS] = at + i < n ? TAKE(*(global const from_t*)(line + (at + i) * step)) : NOTHING;
  }
}

// The partial results of all leaves; on return sums[t] is the join of the leaves up to t.
static void join_leaves(local joined_t* sums, joined_t mine) {
  const int me = get_local_id(0);
  sums[me] = mine;
  for (int d = 1; d < GROUP; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const joined_t before = sums[me >= d ? me - d : me];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me >= d) sums[me] = mine = join(before, mine);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

static joined_t leaf_total(local const joined_t* row) {
  joined_t total = row[0];
#pragma unroll
  for (int j = 1; j < ITEMS; ++j) total = join(total, row[j]);
  return total;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tile_totals(SOURCE, long e0, long e1, long n, long tiles, global joined_t* totals,
                 long totals_at) {
  local joined_t rows[TILE + GROUP], sums[GROUP];
  const long group = get_group_id(0), line = group / tiles, tile = group - line * tiles;
  load_tile(rows, from + from_at + line_offset(line, e0, e1, f0, f1, f2), from_step, tile * TILE, n);
  barrier(CLK_LOCAL_MEM_FENCE);
  join_leaves(sums, leaf_total(rows + get_local_id(0) * (ITEMS + 1)));
  if (get_local_id(0) == GROUP - 1) totals[totals_at + get_group_id(0)] = sums[GROUP - 1];
}

// carries[k]: the value with which tile k begins; if `carried` is 0 there are none.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_tiles(SOURCE, TARGET, long e0, long e1, long n, long tiles, global const joined_t* carries,
                long carries_at, int carried) {
  local joined_t rows[TILE + GROUP], sums[GROUP];
  const int me = get_local_id(0);
  const long group = get_group_id(0), line = group / tiles, tile = group - line * tiles;
  load_tile(rows, from + from_at + line_offset(line, e0, e1, f0, f1, f2), from_step, tile * TILE, n);
  barrier(CLK_LOCAL_MEM_FENCE);
  local joined_t* row = rows + me * (ITEMS + 1);
  join_leaves(sums, leaf_total(row));
  const joined_t carry = carried ? carries[carries_at + get_group_id(0)] : NOTHING;
  joined_t so_far = carry;
  if (me > 0) so_far = join(carry, sums[me - 1]);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const joined_t before = so_far;
    so_far = join(before, row[j]);
    row[j] = EXCLUSIVE ? before : so_far;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  global char* target = to + to_at + line_offset(line, e0, e1, t0, t1, t2);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = j * GROUP + me;
    const long k = tile * TILE + i;
    if (k < n) *(global to_t*)(target + k * to_step) = (to_t)rows[i + i / ITEMS];
  }
}

// One work-item for each part of each line: neighbouring work-items process neighbouring lines.
kernel void part_totals(SOURCE, long e0, long e1, long n, long lines, long parts, long part, global joined_t* totals,
                        long totals_at) {
  const long k = get_global_id(0), p = k / lines, line = k - p * lines, first = p * part;
  if (k >= lines * parts) return;
  global const char* source = from + from_at + line_offset(line, e0, e1, f0, f1, f2);
  joined_t total = NOTHING;
  for (long i = first; i < min(n, first + part); ++i) total = join(total, TAKE(*(global const from_t*)(source + i * from_step)));
  totals[totals_at + k] = total;
}

kernel void part_carries(global joined_t* totals, long totals_at, long lines, long parts) {
  const long line = get_global_id(0);
  if (line >= lines) return;
  joined_t so_far = NOTHING;
  for (long p = 0; p < parts; ++p) {
    const joined_t total = totals[totals_at + p * lines + line];
    totals[totals_at + p * lines + line] = so_far;
    so_far = join(so_far, total);
  }
}

kernel void scan_parts(SOURCE, TARGET, long e0, long e1, long n, long lines, long parts, long part,
                       global const joined_t* carries, long carries_at, int carried) {
  const long k = get_global_id(0), p = k / lines, line = k - p * lines, first = p * part;
  if (k >= lines * parts) return;
  global const char* source = from + from_at + line_offset(line, e0, e1, f0, f1, f2);
  global char* target = to + to_at + line_offset(line, e0, e1, t0, t1, t2);
  joined_t so_far = carried ? carries[carries_at + k] : NOTHING;
  for (long i = first; i < min(n, first + part); ++i) {
    so_far = join(so_far, TAKE(*(global const from_t*)(source + i * from_step)));
    *(global to_t*)(target + i * to_step) = (to_t)so_far;
  }
}
)";

/// join(): combines a and a later b. NOTHING is an identity element on the left.
std::string join_of(const ScanForm& form) {
  const ir::ElemInfo& joined = *ir::find_elem(form.joined());
  const bool floating = joined.kind == ir::ElemKind::Floating;
  const auto text = [](const std::string& result, const std::string& nothing) {
    return fmt::format(
        "static joined_t join(joined_t a, joined_t b) {{ return {}; }}\n#define NOTHING ((joined_t){})\n", result,
        nothing);
  };
  if (!form.extremum()) {
    const bool sum = form.fold == VR_SCAN_SUM;
    return text(sum ? "a + b" : "a * b", !sum ? "1" : floating ? "-0.0" : "0");
  }
  const bool most = form.fold == VR_SCAN_LARGEST;
  const std::string better = most ? "b > a" : "b < a";
  if (floating)
    return text(better + (form.omit_nan ? " || isnan(a) ? b : a" : " || (isnan(b) && !isnan(a)) ? b : a"),
                form.omit_nan ? "NAN"
                : most        ? "-INFINITY"
                              : "INFINITY");
  // The limit of the type: no element is beyond it, and an element that equals it has the same bits.
  const int bits = 8 * joined.bytes;
  std::string limit = "0";
  if (joined.kind == ir::ElemKind::Signed)
    limit = fmt::format("{}0x{:x}L{}", most ? "(-" : "", (uint64_t{1} << (bits - 1)) - 1, most ? " - 1)" : "");
  else if (!most)
    limit = joined.kind == ir::ElemKind::Logical ? "1" : fmt::format("0x{:x}UL", ~uint64_t{0} >> (64 - bits));
  return text(better + " ? b : a", limit);
}

}  // namespace

bool scan_needs_float64(const ScanForm& form) {
  return form.joined() == VR_FLOAT64 || form.from == VR_FLOAT64 || form.to == VR_FLOAT64;
}

std::string scan_text(const ScanForm& form, int64_t items, bool exclusive) {
  const ir::ElemInfo &from = *ir::find_elem(exclusive ? form.joined() : form.from),
                     &joined = *ir::find_elem(form.joined()), &to = *ir::find_elem(exclusive ? form.joined() : form.to);
  std::string s;
  if (scan_needs_float64(form)) s += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  s += "#pragma OPENCL FP_CONTRACT OFF\n";
  s += fmt::format("typedef {} from_t;\ntypedef {} joined_t;\ntypedef {} to_t;\n", from.opencl, joined.opencl,
                   to.opencl);
  s += fmt::format("#define ITEMS {}\n#define GROUP {}\n#define EXCLUSIVE {}\n#define TAKE(x) ((joined_t)(x))\n", items,
                   ScanTree::leaves, exclusive ? 1 : 0);
  return s + join_of(form) + scan_kernels;
}

}  // namespace vr::gpu
