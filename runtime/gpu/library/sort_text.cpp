// Sorting by digits of eight bits, the least significant first, each pass in three steps: count the digits of each
// chunk, add up the counts in the order of digits and chunks, and move the elements. Elements keep their bits while
// they move; the unsigned number whose digits order them is computed from them, the same for elements that compare
// equal.
//
// A group moves a chunk tile by tile. It first orders the tile by the digit in local memory, as two stable splits by
// four bits, so that elements of one digit are written to adjacent addresses. In a split, each work-item counts the
// digits of its row of elements in counters of its own, two 16-bit counters per word. No result depends on the order of
// atomic operations.
#include "runtime/gpu/library/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/abi.h"
#include "runtime/cpu/sizes.hpp"

namespace vr::gpu {

namespace {

/// Text between @( and )@ is included only for sorting with positions.
constexpr const char* sort_kernels = R"(
#define TILE (ITEMS * GROUP)
#define ROW (ITEMS + 1)
#define IN_ROW(i) ((i) + (i) / ITEMS)
#define WORDS (8 * GROUP)
#define DIGIT(x) ((uint)(NUMBER(x) >> shift) & 255)
// Rows of eight words begin nine words apart, so that work-items use different banks.
#define IN_WORDS(i) ((i) + (i) / 8)
// The distance in bytes from the array's first element to that of a line. The line's number encodes its subscripts
// along the extents e0, e1 and the remaining one (all dimensions except the axis). Without the operator %, which would
// divide once more.
static long line_offset(long line, long e0, long e1, long s0, long s1, long s2) {
  const long rest = line / e0, last = rest / e1;
  return (line - rest * e0) * s0 + (rest - last * e1) * s1 + last * s2;
}

// Of what is returned, one of the two halves of `both`, number t is the sum of those up to t.
static local uint* add_up(local uint* both, uint mine) {
  const int me = get_local_id(0);
  local uint *sums = both, *next = both + GROUP;
  sums[me] = mine;
#pragma unroll
  for (int d = 1; d < GROUP; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me >= d) mine += sums[me - d];
    next[me] = mine;
    local uint* other = sums;
    sums = next;
    next = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return sums;
}

// Orders the tile by the four bits of the numbers from `shift` on. Ends with a barrier.
static void split(local bits_t* tile, @(local uint* places,)@ local uint* words, local uint* both, int shift) {
  const uint me = get_local_id(0);
  bits_t x[ITEMS];
  @(uint place[ITEMS];)@
  uint rank[ITEMS];
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    x[j] = tile[me * ROW + j];
    @(place[j] = places[me * ROW + j];)@
  }
  for (uint r = 0; r < 8; ++r) words[IN_WORDS(r * GROUP + me)] = 0;
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const uint digit = (uint)(NUMBER(x[j]) >> shift) & 15, at = IN_WORDS((digit & 7) * GROUP + me), half_at = digit >> 3 << 4;
    const uint word = words[at];
    rank[j] = (word >> half_at & 0xffff) | digit << 16;
    words[at] = word + (1u << half_at);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Digits 0 to 7 are in the lower halves of the words, 8 to 15 in the upper ones; each work-item adds up eight words.
  uint mine = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r) mine += words[me * 9 + r];
  local const uint* sums = add_up(both, mine);
  const uint all = sums[GROUP - 1];
  uint before = sums[me] - mine + (all << 16);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const uint word = words[me * 9 + r];
    words[me * 9 + r] = before;
    before += word;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const uint digit = rank[j] >> 16, at = IN_WORDS((digit & 7) * GROUP + me), half_at = digit >> 3 << 4;
    const uint to = (words[at] >> half_at & 0xffff) + (rank[j] & 0xffff);
    tile[IN_ROW(to)] = x[j];
    @(places[IN_ROW(to)] = place[j];)@
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Copies lines into consecutive rows of n elements.
kernel void pack(global const char* from, long from_at, long from_step, long f0, long f1, long f2, long e0, long e1, long n,
                 long lines, global bits_t* to, long to_at) {
  const long k = get_global_id(0), line = k / n;
  if (k >= n * lines) return;
  to[to_at + k] = *(global const bits_t*)(from + from_at + line_offset(line, e0, e1, f0, f1, f2) + (k - line * n) * from_step);
}
kernel void unpack(global const bits_t* from, long from_at, global char* to, long to_at, long to_step, long t0, long t1,
                   long t2, long e0, long e1, long n, long lines) {
  const long k = get_global_id(0), line = k / n;
  if (k >= n * lines) return;
  *(global bits_t*)(to + to_at + line_offset(line, e0, e1, t0, t1, t2) + (k - line * n) * to_step) = from[from_at + k];
}
kernel void unpack_positions(global const uint* from, long from_at, global char* to, long to_at, long to_step, long t0, long t1, long t2,
                             long e0, long e1, long n, long lines, long base) {
  const long k = get_global_id(0), line = k / n;
  if (k >= n * lines) return;
  *(global long*)(to + to_at + line_offset(line, e0, e1, t0, t1, t2) + (k - line * n) * to_step) = base + from[from_at + k];
}

// Sorts lines of at most TILE elements: a work-group orders one line by all digits.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sort_tile(global const bits_t* from, long from_at, global bits_t* to, long to_at,
               @(global uint* places_to, long places_to_at,)@ long n) {
  local bits_t tile[TILE + GROUP];
  @(local uint places[TILE + GROUP];)@
  local uint words[WORDS + GROUP], sums[2 * GROUP];
  const int me = get_local_id(0);
  const long first = get_group_id(0) * n;
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = j * GROUP + me;
    // Padding past the end has the greatest key, and the sort is stable, so the padding stays after all elements.
    tile[IN_ROW(i)] = i < n ? from[from_at + first + i] : LAST;
    @(places[IN_ROW(i)] = i;)@
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int shift = 0; shift < 8 * (int)sizeof(bits_t); shift += 4)
    split(tile, @(places,)@ words, sums, shift);
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = j * GROUP + me;
    if (i >= n) continue;
    to[to_at + first + i] = tile[IN_ROW(i)];
    @(places_to[places_to_at + first + i] = places[IN_ROW(i)];)@
  }
}

// counts[(line * 256 + digit) * chunks + c]: how often the digit occurs in chunk c of the line. Each work-group has
// four tables, so that its sub-groups rarely access the same counter; runs of equal digits are counted before they are
// added.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count_digits(global const bits_t* from, long from_at, long n, long chunks, long chunk, int shift, global uint* counts,
                  long counts_at) {
  local uint tables[4 * 256];
  const int me = get_local_id(0);
  for (int i = me; i < 4 * 256; i += GROUP) tables[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const long group = get_group_id(0), line = group / chunks, c = group - line * chunks;
  local uint* table = tables + (me / 32 & 3) * 256;
  const long end = min(n, (c + 1) * chunk);
  global const bits_t* row = from + from_at + line * n;
  uint last = 0, times = 0;
#define AHEAD 8
  for (long k = c * chunk + me; k < end; k += AHEAD * GROUP) {
    // The loads do not wait for each other. Past the end is the chunk's last element again, which is not counted.
    bits_t loaded[AHEAD];
#pragma unroll
    for (int j = 0; j < AHEAD; ++j) loaded[j] = row[min(k + j * GROUP, end - 1)];
#pragma unroll
    for (int j = 0; j < AHEAD; ++j) {
      if (k + j * GROUP >= end) break;
      const uint digit = DIGIT(loaded[j]);
      if (digit != last) {
        if (times) atomic_add(table + last, times);
        last = digit;
        times = 0;
      }
      ++times;
    }
  }
  if (times) atomic_add(table + last, times);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = me; d < 256; d += GROUP)
    counts[counts_at + (line * 256 + d) * chunks + c] = tables[d] + tables[256 + d] + tables[512 + d] + tables[768 + d];
}

// One work-group for each line and digit: counts become the number of elements with the digit in earlier chunks;
// totals[line * 256 + digit] is their number in the line.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void digit_offsets(global uint* counts, long counts_at, long chunks, global uint* totals, long totals_at) {
  local uint both[2 * GROUP];
  const int me = get_local_id(0);
  global uint* row = counts + counts_at + get_group_id(0) * chunks;
  uint so_far = 0;
  for (long first = 0; first < chunks; first += GROUP) {
    const uint mine = first + me < chunks ? row[first + me] : 0;
    local const uint* sums = add_up(both, mine);
    if (first + me < chunks) row[first + me] = so_far + sums[me] - mine;
    so_far += sums[GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) totals[totals_at + get_group_id(0)] = so_far;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void move_digits(global const bits_t* from, long from_at, global bits_t* to, long to_at,
                 @(global const uint* places_from, long places_from_at, int placed, global uint* places_to,
                   long places_to_at,)@ long n, long chunks,
                 long chunk, int shift, global const uint* counts, long counts_at, global const uint* totals, long totals_at) {
  local bits_t tile[TILE + GROUP];
  @(local uint places[TILE + GROUP];)@
  local uint words[WORDS + GROUP], both[2 * GROUP], target[256], first_of[256], end_of[256];
  const uint me = get_local_id(0);
  const long group = get_group_id(0), line = group / chunks, c = group - line * chunks;
  // The position to which the chunk's first element of each digit moves.
#define EACH (256 / GROUP)
  uint total[EACH], mine = 0;
#pragma unroll
  for (int k = 0; k < EACH; ++k) mine += total[k] = totals[totals_at + line * 256 + me * EACH + k];
  uint before = add_up(both, mine)[me] - mine;
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    const int d = me * EACH + k;
    target[d] = before + counts[counts_at + (line * 256 + d) * chunks + c];
    before += total[k];
  }
  const long end = min(n, (c + 1) * chunk);
  global const bits_t* row = from + from_at + line * n;
  global bits_t* sorted = to + to_at + line * n;
  @(global uint* sorted_places = places_to + places_to_at + line * n;)@
  for (long first = c * chunk; first < end; first += TILE) {
    const uint here = (uint)min((long)TILE, end - first);
    if (here == TILE) {
      // The loads do not wait for each other.
      bits_t loaded[ITEMS];
      @(uint at[ITEMS];)@
#pragma unroll
      for (uint j = 0; j < ITEMS; ++j) {
        loaded[j] = row[first + j * GROUP + me];
        @(at[j] = placed ? places_from[places_from_at + line * n + first + j * GROUP + me] : (uint)(first + j * GROUP + me);)@
      }
#pragma unroll
      for (uint j = 0; j < ITEMS; ++j) {
        tile[IN_ROW(j * GROUP + me)] = loaded[j];
        @(places[IN_ROW(j * GROUP + me)] = at[j];)@
      }
    } else {
      for (uint j = 0; j < ITEMS; ++j) {
        const uint i = j * GROUP + me;
        tile[IN_ROW(i)] = i < here ? row[first + i] : LAST;
        @(places[IN_ROW(i)] = i < here && placed ? places_from[places_from_at + line * n + first + i] : (uint)(first + i);)@
      }
    }
    for (uint d = me; d < 256; d += GROUP) first_of[d] = end_of[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    split(tile, @(places,)@ words, both, shift);
    split(tile, @(places,)@ words, both, shift + 4);
    // Where each digit begins and ends: each work-item looks along its row.
    uint last = me > 0 ? DIGIT(tile[me * ROW - 2]) : 256;
#pragma unroll
    for (uint j = 0; j < ITEMS; ++j) {
      const uint i = me * ITEMS + j, digit = DIGIT(tile[me * ROW + j]);
      if (i < here && digit != last) {
        first_of[digit] = i;
        if (i > 0) end_of[last] = i;
      }
      if (i + 1 == here) end_of[digit] = here;
      last = digit;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ITEMS; ++j) {
      const uint i = j * GROUP + me;
      if (i >= here) continue;
      const bits_t x = tile[IN_ROW(i)];
      const uint digit = DIGIT(x), at = target[digit] + i - first_of[digit];
      sorted[at] = x;
      @(sorted_places[at] = places[IN_ROW(i)];)@
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = me; d < 256; d += GROUP) target[d] += end_of[d] - first_of[d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
)";

std::string choose(std::string_view text, bool positions) {
  std::string s;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find("@(", at);
    s += text.substr(at, open - at);
    if (open == text.npos) break;
    const size_t close = text.find(")@", open);
    if (positions) s += text.substr(open + 2, close - open - 2);
    at = close + 2;
  }
  return s;
}

}  // namespace

SortForm sort_form(int32_t elem, bool positions, int64_t n, int64_t max_group) {
  SortForm f;
  f.elem = elem;
  f.positions = positions;
  while (f.group > max_group) f.group /= 2;
  const int64_t bytes = runtime::element_bytes(elem) + (positions ? 4 : 0);
  const auto local_bytes = [&] { return f.group * ((f.items + 1) * bytes + 4 * 9 + 8) + 3 * 256 * 4; };
  constexpr int64_t most = 32 << 10;
  while (local_bytes() > most && f.items > 4) f.items /= 2;
  while (local_bytes() > most) f.group /= 2;
  // A work-group sorts one line, so for short lines its tile need not be larger than the line.
  constexpr int64_t least_group = 32;
  while (f.tile() / 2 >= n && f.items > 4) f.items /= 2;
  while (f.tile() / 2 >= n && f.group > least_group) f.group /= 2;
  return f;
}

std::string sort_text(const SortForm& form) {
  const ir::ElemInfo& elem = *ir::find_elem(form.elem);
  const char* bits = elem.bytes == 1 ? "uchar" : elem.bytes == 2 ? "ushort" : elem.bytes == 4 ? "uint" : "ulong";
  const std::string top = fmt::format("((bits_t)1 << {})", 8 * elem.bytes - 1);
  std::string s = fmt::format("typedef {} bits_t;\n#define ITEMS {}\n#define GROUP {}\n", bits, form.items, form.group);
  switch (elem.kind) {
    case ir::ElemKind::Logical:
    case ir::ElemKind::Unsigned:
      s += "#define NUMBER(x) (x)\n#define LAST ((bits_t)~(bits_t)0)\n";
      break;
    case ir::ElemKind::Signed:
      s += fmt::format("#define NUMBER(x) ((bits_t)((x) ^ {0}))\n#define LAST ((bits_t)~{0})\n", top);
      break;
    case ir::ElemKind::Floating:
      // NaN is last. Zeros of both signs are equal.
      s += fmt::format("#define TOP {}\n#define INFINITE ((bits_t){}UL)\n#define LAST ((bits_t)~TOP)\n", top,
                       elem.bytes == 4 ? "0x7f800000" : "0x7ff0000000000000");
      s += "static bits_t number_of(bits_t x) {\n"
           "  if ((x & ~TOP) > INFINITE) return ~(bits_t)0;\n";
      s += "  if (x == TOP) x = 0;\n";
      s += "  return x & TOP ? ~x : x | TOP;\n"
           "}\n"
           "#define NUMBER(x) number_of(x)\n";
      break;
  }
  return s + choose(sort_kernels, form.positions);
}

}  // namespace vr::gpu
