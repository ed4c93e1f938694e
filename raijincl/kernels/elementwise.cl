// One operation over vectors: z_i = EXPR of x_i, y_i, alpha; each with an offset and a stride. A work-item takes every
// get_global_size(0)-th element.
#ifndef USES_Y
#define USES_Y 0
#endif
#if CPX == 2
INLINE T divide(T a, T b) {
  // Scaled, so that squares of large or small parts neither overflow nor vanish (Smith 1962).
  if (fabs(b.x) >= fabs(b.y)) {
    const R r = b.y / b.x, d = b.x + b.y * r;
    return (T)((a.x + a.y * r) / d, (a.y - a.x * r) / d);
  }
  const R r = b.x / b.y, d = b.x * r + b.y;
  return (T)((a.x * r + a.y) / d, (a.y * r - a.x) / d);
}
#define ONE ((T)(1, 0))
#else
INLINE T divide(T a, T b) { return a / b; }
#define ONE ((T)(1))
#endif
kernel void elementwise(ulong n, T alpha, global const T* x, ulong ox, ulong ix, global const T* y, ulong oy, ulong iy,
                        global T* z, ulong oz, ulong iz) {
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
#if USES_X
    const T a = x[ox + i * ix];
#endif
#if USES_Y
    const T b = y[oy + i * iy];
#endif
    z[oz + i * iz] = EXPR;
  }
}
