// The same work as bench/gpu/*.vrir, written by hand as one would for a GPU: 32-bit indices, const restrict, no checks.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void stencil5(__global const double* restrict u,
                                                                       __global double* restrict v, int rows, int columns) {
  const int j = get_global_id(0) + 1, i = get_global_id(1) + 1;
  if (i >= rows - 1 || j >= columns - 1) return;
  const size_t at = (size_t)i * columns + j;
  v[at] = 0.2 * (u[at] + u[at - columns] + u[at + columns] + u[at - 1] + u[at + 1]);
}

__kernel void distances(__global const float* restrict p, __global float* restrict d, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
  float s = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = p[3 * j] - x, dy = p[3 * j + 1] - y, dz = p[3 * j + 2] - z;
    s += sqrt(dx * dx + dy * dy + dz * dz);
  }
  d[i] = s;
}

__kernel void mandelbrot(__global int* restrict out, int rows, int columns, int limit, float x0, float y0, float dx,
                         float dy) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= rows || j >= columns) return;
  const float cx = x0 + j * dx, cy = y0 + i * dy;
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[i * columns + j] = n;
}

float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float w = 0.39894228f * exp(-0.5f * d * d) * k *
                  (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - w : w;
}

__kernel void black_scholes(__global const float* restrict price, __global const float* restrict strike,
                            __global const float* restrict years, float rate, float vol, __global float* restrict call,
                            int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
  const float d1 = (log(s / x) + (rate + 0.5f * vol * vol) * t) / (vol * root), d2 = d1 - vol * root;
  call[i] = s * normal(d1) - x * exp(-rate * t) * normal(d2);
}

// Sums are kept in double as ours are (docs/vrir.md), four elements a load.
#define REDUCE(name, T, start, join)                                                              \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void name(                            \
      __global const float4* restrict a, int n4, __global T* restrict partial) {                  \
    __local T all[256];                                                                           \
    T s = start;                                                                                  \
    for (int i = get_global_id(0); i < n4; i += get_global_size(0)) {                             \
      const float4 v = a[i];                                                                      \
      s = join(s, join(join((T)v.x, (T)v.y), join((T)v.z, (T)v.w)));                              \
    }                                                                                             \
    const int l = get_local_id(0);                                                                \
    all[l] = s;                                                                                   \
    for (int step = 128; step > 0; step /= 2) {                                                   \
      barrier(CLK_LOCAL_MEM_FENCE);                                                               \
      if (l < step) all[l] = join(all[l], all[l + step]);                                         \
    }                                                                                             \
    if (l == 0) partial[get_group_id(0)] = all[0];                                                \
  }
#define PLUS(x, y) ((x) + (y))
REDUCE(reduce_sum, double, 0, PLUS)
REDUCE(reduce_min, float, INFINITY, fmin)

__kernel void small_steps(__global const float* restrict a, __global float* restrict b, int n) {
  const int i = get_global_id(0);
  if (i < n) b[i] = 0.5f * b[i] + a[i];
}

__kernel void expression(__global const float* restrict a, __global const float* restrict b, __global float* restrict c,
                         int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = sqrt(a[i] * a[i] + b[i] * b[i]) + 0.5f * (a[i] - b[i]);
}
