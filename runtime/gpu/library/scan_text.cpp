// Scans of tiles. Where a group may wait for groups that began before it (device::Limits::groups_progress), one kernel
// reads the array once: each group publishes the total of its tile, and looks back at the totals of the tiles before it
// (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016; here totals have a fixed tree,
// so that the bits do not depend on which group was first). OpenCL 1.2 does not guarantee that: elsewhere a kernel
// computes the totals first, and the array is read twice.
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

// Element i of a tile in local memory.
#define PLACE(i) ((i) + (i) / ITEMS)

// Loads a tile: each work-item gets the elements of its leaf; those past the end are NOTHING. The loads of a whole tile do not
// wait for each other.
static void load_tile(local from_t* rows, global const char* line, long step, long at, long n, joined_t* own) {
  const uint me = get_local_id(0);
  if (at + TILE <= n && step == (long)sizeof(from_t)) {
    global const from_t* first = (global const from_t*)line + at + me;
    from_t loaded[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; ++j) loaded[j] = first[j * GROUP];
#pragma unroll
    for (uint j = 0; j < ITEMS; ++j) rows[PLACE(j * GROUP + me)] = loaded[j];
  } else {
    for (uint j = 0; j < ITEMS; ++j) {
      const long k = at + j * GROUP + me;
      if (k < n) rows[PLACE(j * GROUP + me)] = *(global const from_t*)(line + k * step);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint j = 0; j < ITEMS; ++j) own[j] = at + me * ITEMS + j < n ? TAKE(rows[me * (ITEMS + 1) + j]) : NOTHING;
}

// Stores a tile from the work-items' leaves.
static void store_tile(local to_t* rows, global char* line, long step, long at, long n, const joined_t* own) {
  const uint me = get_local_id(0);
#pragma unroll
  for (uint j = 0; j < ITEMS; ++j) rows[me * (ITEMS + 1) + j] = (to_t)own[j];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at + TILE <= n && step == (long)sizeof(to_t)) {
    global to_t* first = (global to_t*)line + at + me;
#pragma unroll
    for (uint j = 0; j < ITEMS; ++j) first[j * GROUP] = rows[PLACE(j * GROUP + me)];
  } else {
    for (uint j = 0; j < ITEMS; ++j) {
      const long k = at + j * GROUP + me;
      if (k < n) *(global to_t*)(line + k * step) = rows[PLACE(j * GROUP + me)];
    }
  }
}

// The partial results of all leaves; on return sums[t] of the two halves' one that is returned is the join of the leaves up to t.
static local joined_t* join_leaves(local joined_t* sums, joined_t mine) {
  const int me = get_local_id(0);
  local joined_t *now = sums, *next = sums + GROUP;
  now[me] = mine;
#pragma unroll
  for (int d = 1; d < GROUP; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me >= d) mine = join(now[me - d], mine);
    next[me] = mine;
    local joined_t* other = now;
    now = next;
    next = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return now;
}

static joined_t leaf_total(const joined_t* own) {
  joined_t total = own[0];
#pragma unroll
  for (int j = 1; j < ITEMS; ++j) total = join(total, own[j]);
  return total;
}

// The totals of a line: of its tiles, then of each full BLOCK of these, then of each full BLOCK of blocks, and so on. Where
// WAIT is 1 a second word says whether the total is there; both are read together, since they are one access of 16 bytes on
// NVIDIA's GPUs, and one after the other elsewhere.
#if WAIT
#define TOTALS volatile global ulong2* totals
static joined_t total_of(TOTALS, long k) {
  ulong value, there;
#ifdef __NV_CL_C_VERSION
  do asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(value), "=l"(there) : "l"(totals + k) : "memory");
  while (!there);
#else
  volatile global ulong* words = (volatile global ulong*)(totals + k);
  do there = words[1];
  while (!there);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  value = words[0];
#endif
  return VALUE(value);
}
static void publish(TOTALS, long k, joined_t total) {
  const ulong value = BITS(total), there = 1;
#ifdef __NV_CL_C_VERSION
  asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" : : "l"(totals + k), "l"(value), "l"(there) : "memory");
#else
  volatile global ulong* words = (volatile global ulong*)(totals + k);
  words[0] = value;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  words[1] = there;
#endif
}
#else
#define TOTALS global joined_t* totals
static joined_t total_of(TOTALS, long k) { return totals[k]; }
#endif

// The join of `count` < BLOCK totals from number k on, by a balanced tree, for the first of BLOCK consecutive work-items, all of
// which call it.
static joined_t join_totals(TOTALS, long k, int count) {
  const int me = get_local_id(0) % BLOCK;
#ifdef __NV_CL_C_VERSION
  const int at = me - (BLOCK - count);
  joined_t all = at >= 0 ? total_of(totals, k + at) : NOTHING;
  for (int d = 1; d < BLOCK; d *= 2) {
    const uint2 mine = as_uint2((ulong)BITS(all));
    uint2 other;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other.x) : "r"(mine.x), "r"(d));
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other.y) : "r"(mine.y), "r"(d));
    all = join(all, VALUE(as_ulong(other)));
  }
  return all;
#else
  if (me > 0) return NOTHING;
  joined_t tree[BLOCK];
  for (int i = 0; i < BLOCK; ++i) {
    const int at = i - (BLOCK - count);
    tree[i] = at >= 0 ? total_of(totals, k + at) : NOTHING;
  }
  for (int width = BLOCK / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) tree[i] = join(tree[2 * i], tree[2 * i + 1]);
  return tree[0];
#endif
}

// The join of all tiles before tile number `tile` of `tiles`, for all work-items of a group. Each BLOCK of work-items joins a
// level's totals. Where WAIT is 1, `mine` is the tile's own total, and the totals of the blocks that the tile ends are
// published: those of the first level before the totals of others are waited for.
static joined_t join_before(TOTALS, local joined_t* here, ulong tile, ulong tiles, int levels, joined_t mine) {
  const int me = get_local_id(0);
  ulong first = 0, at = tile, all = tiles;
  for (int level = 0; level < levels; ++level) {
    const int count = at % BLOCK;
    if (level % (GROUP / BLOCK) == me / BLOCK) {
      const joined_t joined = join_totals(totals, first + at - count, count);
      if (me % BLOCK == 0) {
        here[level] = joined;
#if WAIT
        if (level == 0 && count == BLOCK - 1) publish(totals, tiles + at / BLOCK, join(joined, mine));
#endif
      }
    }
    first += all, all /= BLOCK, at /= BLOCK;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  joined_t before = levels > 0 ? here[0] : NOTHING;
  for (int level = 1; level < levels; ++level) before = join(here[level], before);
#if WAIT
  if (me == 0) {
    first = 0, at = tile, all = tiles;
    for (int level = 0; level < levels && at % BLOCK == BLOCK - 1; ++level) {
      mine = join(here[level], mine);
      first += all, all /= BLOCK, at /= BLOCK;
      if (level > 0) publish(totals, first + at, mine);
    }
  }
#endif
  return before;
}

kernel void clear(global ulong* words, long at, long n) {
  const long k = get_global_id(0);
  if (k < n) words[at + k] = 0;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tile_totals(SOURCE, long e0, long e1, long n, long tiles, global joined_t* totals,
                 long totals_at, long line_totals) {
  local from_t rows[TILE + GROUP];
  local joined_t sums[2 * GROUP];
  joined_t own[ITEMS];
  const long group = get_group_id(0), line = group < tiles ? 0 : group / tiles, tile = group - line * tiles;
  load_tile(rows, from + from_at + (line ? line_offset(line, e0, e1, f0, f1, f2) : 0), from_step, tile * TILE, n, own);
  local const joined_t* joined = join_leaves(sums, leaf_total(own));
  if (get_local_id(0) == GROUP - 1) totals[totals_at + line * line_totals + tile] = joined[GROUP - 1];
}

#if !WAIT
// The totals of `blocks` blocks, which begin behind those of `tiles` tiles or blocks. One group for each block of each line.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void block_totals(global joined_t* all, long totals_at, long line_totals, long first, long tiles, long blocks) {
  const long group = get_group_id(0), line = group / blocks, block = group - line * blocks;
  global joined_t* totals = all + totals_at + line * line_totals + first;
  const joined_t before = join_totals(totals, block * BLOCK, BLOCK - 1);
  if (get_local_id(0) == 0) totals[tiles + block] = join(before, totals[block * BLOCK + BLOCK - 1]);
}
#endif

// levels: of totals; 0 for lines of one tile. all: the totals of all lines. Where WAIT is 1, behind 16 bytes with the number of
// groups that have begun, so that tiles are taken in order.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_tiles(SOURCE, TARGET, long e0, long e1, long n, long tiles, global char* all, long all_at, long line_totals, int levels) {
  // Elements first, then results.
  local wide_t rows[(TILE + GROUP) * (sizeof(from_t) > sizeof(to_t) ? sizeof(from_t) : sizeof(to_t)) / sizeof(wide_t)];
  local joined_t sums[2 * GROUP], here[12];
  joined_t own[ITEMS];
  const int me = get_local_id(0);
#if WAIT
  local uint ticket;
  if (me == 0) ticket = levels > 0 ? atomic_inc((volatile global uint*)(all + all_at)) : get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  const long group = ticket;
  volatile global ulong2* totals = (volatile global ulong2*)(all + all_at) + 1;
#else
  const long group = get_group_id(0);
  global joined_t* totals = (global joined_t*)(all + all_at);
#endif
  const long line = group < tiles ? 0 : group / tiles, tile = group - line * tiles;
  load_tile((local from_t*)rows, from + from_at + (line ? line_offset(line, e0, e1, f0, f1, f2) : 0), from_step, tile * TILE, n, own);
  local const joined_t* joined = join_leaves(sums, leaf_total(own));
  const joined_t mine = joined[GROUP - 1];
  totals += line * line_totals;
#if WAIT
  if (levels > 0 && me == 0) publish(totals, tile, mine);
#endif
  joined_t so_far = join_before(totals, here, tile, tiles, levels, mine);
  if (me > 0) so_far = join(so_far, joined[me - 1]);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) own[j] = so_far = join(so_far, own[j]);
  store_tile((local to_t*)rows, to + to_at + (line ? line_offset(line, e0, e1, t0, t1, t2) : 0), to_step, tile * TILE, n, own);
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

std::string scan_text(const ScanForm& form, int64_t items, bool look_back) {
  const ir::ElemInfo &from = *ir::find_elem(form.from), &joined = *ir::find_elem(form.joined()),
                     &to = *ir::find_elem(form.to);
  std::string s;
  if (scan_needs_float64(form)) s += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  s += "#pragma OPENCL FP_CONTRACT OFF\n";
  s += fmt::format("typedef {} from_t;\ntypedef {} joined_t;\ntypedef {} to_t;\ntypedef ulong wide_t;\n", from.opencl,
                   joined.opencl, to.opencl);
  s += fmt::format(
      "#define ITEMS {}\n#define GROUP {}\n#define BLOCK {}\n#define WAIT {}\n#define TAKE(x) ((joined_t)(x))\n", items,
      ScanTree::leaves, ScanTree::block, look_back ? 1 : 0);
  // The joined type as 64 bits, and back.
  const char* as = joined.kind != ir::ElemKind::Floating ? "(joined_t)"
                   : joined.bytes == 8                   ? "as_double"
                                                         : "as_float((uint)";
  const bool narrow = joined.kind == ir::ElemKind::Floating && joined.bytes == 4;
  s += fmt::format("#define VALUE(u) {}(u){}\n#define BITS(v) {}(v)\n", as, narrow ? ")" : "",
                   joined.kind != ir::ElemKind::Floating ? "(ulong)"
                   : narrow                              ? "as_uint"
                                                         : "as_ulong");
  return s + join_of(form) + scan_kernels;
}

}  // namespace vr::gpu
