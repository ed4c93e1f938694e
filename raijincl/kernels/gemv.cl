// y = alpha op(A) x + beta y for row-major A (rows x columns); CONJ: with conjugated elements of A.
//   gemv_rows: op(A) = A. A work-group of GROUP work-items computes the sum of a row, VEC elements per load (thesis 8.5); X_ONE: x has
//   stride 1. The version for CPUs is described below.
//   gemv_columns: op(A) = A'. Column sums over slices of the rows; gemv_finish adds the slices.
#define X_AT(i) x[X_ONE ? (i) : (ulong)(i)*ix]
#if CONJ
#define TAKE(v) conjugate(v)
#else
#define TAKE(v) (v)
#endif

#if CPU && X_ONE
// One work-item computes the sums of ROWS rows, four at a time: there are four memory streams, and x is read once for four rows. Complex
// numbers are multiplied as stored, (re, im) by (re, im) and by (im, re); the real and imaginary parts of the sum are separated at the end.
#if PRECISION == 1 || PRECISION == 3
#define LANES 8
#else
#define LANES 16
#endif
#define RV JOIN(R, LANES)
#define TAKE_RV(p) JOIN(vload, LANES)(0, (global const R*)(p))
INLINE R across(RV v, int odd) {
  R s = 0;
  for (int e = odd; e < LANES; e += CPX) s += ((const R*)&v)[e];
  return s;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void gemv_rows(uint rows, uint columns, T alpha, global const T* restrict a, ulong oa, ulong lda, global const T* restrict x,
               ulong ox, ulong ix, T beta, global T* restrict y, ulong oy, ulong iy) {
  a += oa;
  x += ox;
  const uint first = get_group_id(0) * ROWS, behind = min(first + ROWS, rows), step = LANES / CPX, whole = columns / step * step;
  for (uint row = first; row < behind; row += 4) {
    global const T* p[4];
    RV s[4];
#if CPX == 2
    RV t[4];
#endif
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      p[r] = a + min(row + r, rows - 1) * lda;  // past the last row, the last row is read again
      s[r] = (RV)(0);
#if CPX == 2
      t[r] = (RV)(0);
#endif
    }
    for (uint i = 0; i < whole; i += step) {
      const RV v = TAKE_RV(x + i);
#if CPX == 2
      RV w;
      w.even = v.odd;
      w.odd = v.even;
#endif
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const RV q = TAKE_RV(p[r] + i);
        s[r] = fma(q, v, s[r]);
#if CPX == 2
        t[r] = fma(q, w, t[r]);
#endif
      }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
#if CPX == 1
      T sum = across(s[r], 0);
#elif CONJ
      T sum = (T)(across(s[r], 0) + across(s[r], 1), across(t[r], 0) - across(t[r], 1));
#else
      T sum = (T)(across(s[r], 0) - across(s[r], 1), across(t[r], 0) + across(t[r], 1));
#endif
      for (uint i = whole; i < columns; ++i) sum += mul(TAKE(p[r][i]), x[i]);
      if (row + r < behind) {
        global T* to = y + oy + (row + r) * iy;
        *to = blend(mul(alpha, sum), beta, to);
      }
    }
  }
}
#else
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
#endif

#if CPU
// One work-item computes the sums of GX columns, four rows at a time: it reads whole cache lines, and the sums stay in the cache.
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
// A work-group of GX columns x GY rows at a time.   LAST 1: there is one slice, and y is written directly.
kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void gemv_columns(uint rows, uint columns, uint slices, T alpha, global const T* restrict a, ulong oa, ulong lda,
                  global const T* restrict x, ulong ox, ulong ix, T beta, global T* restrict out, ulong oy, ulong iy) {
  const uint lx = get_local_id(0), ly = get_local_id(1), j = get_group_id(0) * GX + lx, slice = get_group_id(1);
  const uint begin = (ulong)rows * slice / slices + ly, end = (ulong)rows * (slice + 1) / slices;
  T s[4] = {ZERO, ZERO, ZERO, ZERO};
  // Work-items past the last column compute the last column, too, and write nothing.
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
