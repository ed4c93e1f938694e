// dst = src' out of place, src rows x columns, both row-major. The two codelets of thesis 8.6: TILE_LOCAL 1 turns a TILE x TILE
// square through local memory (ROWS of its lines at a time), 0 reads across. 2: a work-item turns a square alone (CPUs).
#if CONJ
#define TAKE(v) conjugate(v)
#else
#define TAKE(v) (v)
#endif
#if TILE_LOCAL == 2
kernel void transpose(uint rows, uint columns, global const T* restrict src, ulong os, ulong ls, global T* restrict dst, ulong od,
                      ulong ld) {
  const uint c0 = get_global_id(0) * TILE, r0 = get_global_id(1) * TILE;
  src += os + r0 * ls + c0;
  dst += od + c0 * ld + r0;
  if (r0 + TILE <= rows && c0 + TILE <= columns) {
    T tile[TILE][TILE];  // both sides see whole lines
    for (uint r = 0; r < TILE; ++r)
      for (uint c = 0; c < TILE; ++c) tile[c][r] = TAKE(src[r * ls + c]);
    for (uint c = 0; c < TILE; ++c)
      for (uint r = 0; r < TILE; ++r) dst[c * ld + r] = tile[c][r];
  } else {
    for (uint c = 0; c < TILE && c0 + c < columns; ++c)
      for (uint r = 0; r < TILE && r0 + r < rows; ++r) dst[c * ld + r] = TAKE(src[r * ls + c]);
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
