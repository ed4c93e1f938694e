// y = alpha op(A) x + beta y for row-major A (rows x columns), conjugated on the way when CONJ.
//   gemv_rows: op(A) = A. A work-group of GROUP work-items makes a row's sum, VEC elements a load (thesis 8.5).
//   gemv_columns: op(A) = A'. A work-item makes a column's sum over a slice of the rows; gemv_finish adds the slices.
#if CONJ
#define TAKE(v) conjugate(v)
#else
#define TAKE(v) (v)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gemv_rows(uint rows, uint columns, T alpha, global const T* restrict a, ulong oa, ulong lda, global const T* restrict x,
               ulong ox, ulong ix, T beta, global T* restrict y, ulong oy, ulong iy) {
  const ulong row = get_group_id(0);
  const uint l = get_local_id(0);
  a += oa + row * lda;
  x += ox;
  T sum[VEC];
  for (int e = 0; e < VEC; ++e) sum[e] = ZERO;
  const uint lumps = columns / VEC;
#pragma unroll 4
  for (uint i = l; i < lumps; i += GROUP) {
    const LUMP p = ((global const LUMP*)a)[i];
#pragma unroll
    for (int e = 0; e < VEC; ++e) sum[e] += mul(TAKE(((const T*)&p)[e]), x[(ulong)(i * VEC + e) * ix]);
  }
  for (uint i = lumps * VEC + l; i < columns; i += GROUP) sum[0] += mul(TAKE(a[i]), x[(ulong)i * ix]);
  T s = sum[0];
  for (int e = 1; e < VEC; ++e) s += sum[e];
#if GROUP > 1
  local T part[GROUP];
  part[l] = s;
  for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach) part[l] += part[l + reach];
  }
  s = part[0];
#endif
  if (l == 0) {
    global T* p = y + oy + row * iy;
    *p = blend(mul(alpha, s), beta, p);
  }
}

kernel void gemv_columns(uint rows, uint columns, uint slices, global const T* restrict a, ulong oa, ulong lda,
                         global const T* restrict x, ulong ox, ulong ix, global T* restrict partial) {
  const uint j = get_global_id(0), slice = get_global_id(1);
  if (j >= columns) return;
  const uint begin = (ulong)rows * slice / slices, end = (ulong)rows * (slice + 1) / slices;
  T s[4] = {ZERO, ZERO, ZERO, ZERO};
  uint i = begin;
  for (; i + 3 < end; i += 4)
#pragma unroll
    for (int u = 0; u < 4; ++u) s[u] += mul(TAKE(a[oa + (i + u) * lda + j]), x[ox + (i + u) * ix]);
  for (; i < end; ++i) s[0] += mul(TAKE(a[oa + i * lda + j]), x[ox + i * ix]);
  partial[(ulong)slice * columns + j] = s[0] + s[1] + (s[2] + s[3]);
}

kernel void gemv_finish(uint columns, uint slices, T alpha, global const T* restrict partial, T beta, global T* restrict y,
                        ulong oy, ulong iy) {
  const uint j = get_global_id(0);
  if (j >= columns) return;
  T s = ZERO;
  for (uint i = 0; i < slices; ++i) s += partial[(ulong)i * columns + j];
  global T* p = y + oy + j * iy;
  *p = blend(mul(alpha, s), beta, p);
}
