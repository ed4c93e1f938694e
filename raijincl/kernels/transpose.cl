// dst = src' out of place; src is rows x columns, both are row-major. TILE_LOCAL 1 and 0 are the two codelets of thesis 8.6: 1 transposes a
// TILE x TILE square through local memory (ROWS of its lines at a time), 0 reads across rows directly. 2: one work-item transposes a square
// (CPUs).
#if CONJ
#define TAKE(v) conjugate(v)
#else
#define TAKE(v) (v)
#endif
#if TILE_LOCAL == 2
// Squares of EDGE x EDGE elements, which are whole cache lines on both sides, are transposed in registers: interleaving line i with line i
// + EDGE / 2, for all lines, log2(EDGE) times, gives the columns.
#if PRECISION == 0
#define EDGE 16
#define E uint
#elif PRECISION < 3
#define EDGE 8
#define E ulong
#else
#define EDGE 4
#define E T
#endif
#if CONJ && PRECISION == 2
#define TAKE_LINE(v) ((v) ^ 0x8000000000000000UL)
#else
#define TAKE_LINE(v) (v)
#endif
INLINE void square(global const T* restrict src, ulong ls, global T* restrict dst, ulong ld) {
#if PRECISION < 3
  typedef JOIN(E, EDGE) Line;
  Line v[EDGE], w[EDGE];
#pragma unroll
  for (int i = 0; i < EDGE; ++i) v[i] = TAKE_LINE(JOIN(vload, EDGE)(0, (global const E*)(src + i * ls)));
#pragma unroll
  for (int times = EDGE; times > 1; times /= 2) {
#pragma unroll
    for (int i = 0; i < EDGE / 2; ++i) {
      w[2 * i].even = v[i].lo;
      w[2 * i].odd = v[i + EDGE / 2].lo;
      w[2 * i + 1].even = v[i].hi;
      w[2 * i + 1].odd = v[i + EDGE / 2].hi;
    }
#pragma unroll
    for (int i = 0; i < EDGE; ++i) v[i] = w[i];
  }
#pragma unroll
  for (int i = 0; i < EDGE; ++i) JOIN(vstore, EDGE)(v[i], 0, (global E*)(dst + i * ld));
#else
  T tile[EDGE][EDGE];
#pragma unroll
  for (int r = 0; r < EDGE; ++r)
#pragma unroll
    for (int c = 0; c < EDGE; ++c) tile[c][r] = TAKE(src[r * ls + c]);
#pragma unroll
  for (int c = 0; c < EDGE; ++c)
#pragma unroll
    for (int r = 0; r < EDGE; ++r) dst[c * ld + r] = tile[c][r];
#endif
}
kernel void transpose(uint rows, uint columns, global const T* restrict src, ulong os, ulong ls, global T* restrict dst, ulong od,
                      ulong ld) {
  const uint c0 = get_global_id(0) * TILE, r0 = get_global_id(1) * TILE;
  const uint c1 = min(c0 + TILE, columns), r1 = min(r0 + TILE, rows);
  src += os;
  dst += od;
  for (uint c = c0; c < c1; c += EDGE)
    for (uint r = r0; r < r1; r += EDGE) {
      if (r + EDGE <= r1 && c + EDGE <= c1) {
        square(src + r * ls + c, ls, dst + c * ld + r, ld);
      } else {
        for (uint i = c; i < min(c + EDGE, c1); ++i)
          for (uint k = r; k < min(r + EDGE, r1); ++k) dst[i * ld + k] = TAKE(src[k * ls + i]);
      }
    }
}
#else
kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(uint rows, uint columns, global const T* restrict src, ulong os, ulong ls, global T* restrict dst, ulong od,
               ulong ld) {
  const uint x = get_local_id(0), y = get_local_id(1), c0 = get_group_id(0) * TILE, r0 = get_group_id(1) * TILE;
#if TILE_LOCAL
  local T tile[TILE][TILE + 1];
#pragma unroll
  for (uint i = y; i < TILE; i += ROWS)
    if (r0 + i < rows && c0 + x < columns) tile[i][x] = src[os + (r0 + i) * ls + c0 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint i = y; i < TILE; i += ROWS)
    if (c0 + i < columns && r0 + x < rows) dst[od + (c0 + i) * ld + r0 + x] = TAKE(tile[x][i]);
#else
#pragma unroll
  for (uint i = y; i < TILE; i += ROWS)
    if (c0 + i < columns && r0 + x < rows) dst[od + (c0 + i) * ld + r0 + x] = TAKE(src[os + (r0 + x) * ls + c0 + i]);
#endif
}
#endif

kernel void copy(uint rows, uint columns, global const T* restrict src, ulong os, ulong ls, global T* restrict dst, ulong od,
                 ulong ld) {
  const uint c = get_global_id(0);
  for (uint r = get_global_id(1); r < rows; r += get_global_size(1))
    if (c < columns) dst[od + r * ld + c] = src[os + r * ls + c];
}
