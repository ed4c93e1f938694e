// C = alpha (sum of SLICES matrices m x n) + beta C: the last step of a product whose k was cut into slices. Launched over
// columns and rows.
kernel void join(uint m, uint n, global const T* restrict parts, T alpha, T beta, global T* restrict c, ulong oc, ulong ldc) {
  const uint col = get_global_id(0), row = get_global_id(1);
  if (col >= n || row >= m) return;
  global const T* p = parts + (ulong)row * n + col;
  T sum = *p;
#pragma unroll 8
  for (uint s = 1; s < SLICES; ++s) sum += p[(ulong)s * m * n];
  global T* q = c + oc + row * ldc + col;
  *q = blend(mul(alpha, sum), beta, q);
}
