// Copies an operand of a product into a kernel's layout, padded with zeros. The operand is seen as `rows` x `k`, where rows are
// those of op(A) or the columns of op(B).
//   SRC_K 0: rows are consecutive in memory (element (r, k) at k*ld + r); 1: k is (r*ld + k)
//   DST_K 0: panels of `width` rows: element (r, k) at (r/width)*depth*width + k*width + r%width
//         1: element (r, k) at r*depth + k
//   WIDTH: width where there is more than one panel, else 0.
//   TO_IMAGE: the same layout in an image of 16-byte texels (ELEMS elements of T each) along the consecutive direction;
//         panels are then one panel wide.
//   CONJ: conjugated.  TILE: edge of the tile that is transposed through local memory.
// Launched over (rows, depth) rounded up to TILE, and batches; with PANEL over panels and chunks of k.
#ifndef CONJ
#define CONJ 0
#endif
#ifndef TO_IMAGE
#define TO_IMAGE 0
#endif

INLINE T fetch(global const T* src, ulong ld, uint rows, uint k, uint r, uint kk) {
  if (r >= rows || kk >= k) return ZERO;
#if SRC_K
  T v = src[r * ld + kk];
#else
  T v = src[kk * ld + r];
#endif
#if CONJ
  v = conjugate(v);
#endif
  return v;
}

#if PANEL
// CPUs: one work-item fills CHUNK steps of a panel of PANEL rows, in the order of its stores.
#define CHUNK 128
kernel void pack(global const T* restrict src, ulong offset, ulong ld, ulong stride, uint rows, uint k, global T* restrict dst,
                 uint width, uint padded, uint depth) {
  const uint r0 = get_global_id(0) * PANEL, k0 = get_global_id(1) * CHUNK, k1 = min(k0 + CHUNK, depth);
  src += offset + get_global_id(2) * stride;
  dst += (ulong)get_global_id(2) * padded * depth + (ulong)r0 * depth;
  uint kk = k0;
  if (r0 + PANEL <= rows) {
    for (; kk < min(k1, k); ++kk) {
      for (uint r = 0; r < PANEL; ++r) {
#if SRC_K
        const T v = src[(r0 + r) * ld + kk];
#else
        const T v = src[kk * ld + r0 + r];
#endif
#if CONJ
        dst[(ulong)kk * PANEL + r] = conjugate(v);
#else
        dst[(ulong)kk * PANEL + r] = v;
#endif
      }
    }
  }
  for (; kk < k1; ++kk)
    for (uint r = 0; r < PANEL; ++r) dst[(ulong)kk * PANEL + r] = fetch(src, ld, rows, k, r0 + r, kk);
}
#elif TO_IMAGE
#define ELEMS (16 / (int)sizeof(T))
kernel void pack_image(global const T* src, ulong offset, ulong ld, uint rows, uint k, write_only image2d_t dst, uint padded,
                       uint depth) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x * ELEMS >= (DST_K ? depth : padded) || y >= (DST_K ? padded : depth)) return;
  union { T e[ELEMS]; uint4 u; } t;
  for (int i = 0; i < ELEMS; ++i)
    t.e[i] = DST_K ? fetch(src + offset, ld, rows, k, y, x * ELEMS + i) : fetch(src + offset, ld, rows, k, x * ELEMS + i, y);
  write_imageui(dst, (int2)(x, y), t.u);
}
#else
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void pack(global const T* restrict src, ulong offset, ulong ld, ulong stride, uint rows, uint k, global T* restrict dst,
          uint width, uint padded, uint depth) {
  src += offset + get_group_id(2) * stride;
  dst += (ulong)get_group_id(2) * padded * depth;
  const uint x = get_local_id(0), y = get_local_id(1);
#if SRC_K == DST_K
#if DST_K  // x walks along k
  const uint kk = get_group_id(1) * TILE + x, r = get_group_id(0) * TILE + y;
#else
  const uint r = get_group_id(0) * TILE + x, kk = get_group_id(1) * TILE + y;
#endif
  const T v = fetch(src, ld, rows, k, r, kk);
#else
  local T tile[TILE][TILE + 1];
  const uint r0 = get_group_id(0) * TILE, k0 = get_group_id(1) * TILE;
#if SRC_K
  tile[y][x] = fetch(src, ld, rows, k, r0 + y, k0 + x);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint r = r0 + x, kk = k0 + y;
#else
  tile[y][x] = fetch(src, ld, rows, k, r0 + x, k0 + y);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint r = r0 + y, kk = k0 + x;
#endif
  const T v = tile[x][y];
#endif
  if (r >= padded || kk >= depth) return;
#if DST_K
  dst[(ulong)r * depth + kk] = v;
#else
#if WIDTH
  dst[(ulong)(r / WIDTH) * depth * WIDTH + (ulong)kk * WIDTH + r % WIDTH] = v;
#else
  dst[(ulong)kk * width + r] = v;
#endif
#endif
}
#endif
