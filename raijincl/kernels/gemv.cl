// y = alpha op(A) x + beta y for row-major A (rows x columns), conjugated on the way when CONJ.
//   gemv_rows: op(A) = A. A work-group of GROUP work-items makes a row's sum, VEC elements a load (thesis 8.5); X_ONE: x has
//   stride 1.
//   gemv_columns: op(A) = A'. Column sums over slices of the rows; gemv_finish adds the slices.
#define X_AT(i) x[X_ONE ? (i) : (ulong)(i)*ix]
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
#if !CPU
#pragma unroll 4
#endif
  for (uint i = l; i < lumps; i += GROUP) {
    const LUMP p = LOAD(a + i * VEC);
#pragma unroll
    for (int e = 0; e < VEC; ++e) sum[e] += mul(TAKE(((const T*)&p)[e]), X_AT(i * VEC + e));
  }
  for (uint i = lumps * VEC + l; i < columns; i += GROUP) sum[0] += mul(TAKE(a[i]), X_AT(i));
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

#if CPU
// A work-item alone makes GX columns' sums, four rows at a time: whole lines of the cache, and sums that stay in it.
kernel void gemv_columns(uint rows, uint columns, uint slices, T alpha, global const T* restrict a, ulong oa, ulong lda,
                         global const T* restrict x, ulong ox, ulong ix, T beta, global T* restrict out, ulong oy, ulong iy) {
  const uint j0 = get_global_id(0) * GX, n = min((uint)GX, columns - j0), slice = get_global_id(1);
  const uint begin = (ulong)rows * slice / slices, end = (ulong)rows * (slice + 1) / slices;
  T s[GX];
  for (uint j = 0; j < GX; ++j) s[j] = ZERO;
  global const T* p = a + oa + begin * lda + j0;
  global const T* q = x + ox + begin * ix;
  uint i = begin;
  for (; i + 3 < end; i += 4, p += 4 * lda, q += 4 * ix) {
    const T x0 = q[0], x1 = q[ix], x2 = q[2 * ix], x3 = q[3 * ix];
    for (uint j = 0; j < n; ++j)
      s[j] += mul(TAKE(p[j]), x0) + mul(TAKE(p[lda + j]), x1) + (mul(TAKE(p[2 * lda + j]), x2) + mul(TAKE(p[3 * lda + j]), x3));
  }
  for (; i < end; ++i, p += lda, q += ix)
    for (uint j = 0; j < n; ++j) s[j] += mul(TAKE(p[j]), *q);
  for (uint j = 0; j < n; ++j) {
#if LAST
    global T* y = out + oy + (j0 + j) * iy;
    *y = blend(mul(alpha, s[j]), beta, y);
#else
    out[(ulong)slice * columns + j0 + j] = s[j];
#endif
  }
}
#else
// A work-group of GX columns x GY rows at a time.   LAST 1: there is one slice, and y is written at once.
kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void gemv_columns(uint rows, uint columns, uint slices, T alpha, global const T* restrict a, ulong oa, ulong lda,
                  global const T* restrict x, ulong ox, ulong ix, T beta, global T* restrict out, ulong oy, ulong iy) {
  const uint lx = get_local_id(0), ly = get_local_id(1), j = get_group_id(0) * GX + lx, slice = get_group_id(1);
  const uint begin = (ulong)rows * slice / slices + ly, end = (ulong)rows * (slice + 1) / slices;
  T s[4] = {ZERO, ZERO, ZERO, ZERO};
  // Work-items behind the last column do what the last one does, and write nothing.
  global const T* p = a + oa + begin * lda + min(j, columns - 1);
  global const T* q = x + ox + begin * ix;
  uint i = begin;
  for (; i + 3 * GY < end; i += 4 * GY, p += 4 * GY * lda, q += 4 * GY * ix) {
#pragma unroll
    for (int u = 0; u < 4; ++u) s[u] += mul(TAKE(p[u * GY * lda]), q[u * GY * ix]);
  }
  for (; i < end; i += GY, p += GY * lda, q += GY * ix) s[0] += mul(TAKE(*p), *q);
  s[0] += s[1] + (s[2] + s[3]);
#if GY > 1
  local T part[GY][GX];
  part[ly][lx] = s[0];
  for (uint reach = GY / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ly < reach) part[ly][lx] = s[0] += part[ly + reach][lx];
  }
#endif
  if (ly > 0 || j >= columns) return;
#if LAST
  global T* y = out + oy + j * iy;
  *y = blend(mul(alpha, s[0]), beta, y);
#else
  out[(ulong)slice * columns + j] = s[0];
#endif
}
#endif

kernel void gemv_finish(uint columns, uint slices, T alpha, global const T* restrict partial, T beta, global T* restrict y,
                        ulong oy, ulong iy) {
  const uint j = get_global_id(0);
  if (j >= columns) return;
  T s = ZERO;
  for (uint i = 0; i < slices; ++i) s += partial[(ulong)i * columns + j];
  global T* p = y + oy + j * iy;
  *p = blend(mul(alpha, s), beta, p);
}
