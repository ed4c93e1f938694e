// The programs of bench/gpu/*.vrir, hand-written as an expert does for a GPU: vector types, values kept in registers and local memory,
// 32-bit indices, const restrict, no checks.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Each work-item computes two columns of eight rows, and keeps the rows above and below in registers.
__kernel void stencil5(__global const double* restrict u, __global double* restrict v, int rows, int columns) {
  const int j = 2 * get_global_id(0), first = 1 + 8 * get_global_id(1), end = min(first + 8, rows - 1);
  if (j >= columns) return;
  int at = first * columns + j;
  double2 up = *(__global const double2*)(u + at - columns), here = *(__global const double2*)(u + at);
  for (int i = first; i < end; ++i, at += columns) {
    const double2 down = *(__global const double2*)(u + at + columns), left = (double2)(j > 0 ? u[at - 1] : 0, here.x);
    const double2 right = (double2)(here.y, j + 2 < columns ? u[at + 2] : 0), r = 0.2 * (here + up + down + left + right);
    if (j == 0)
      v[at + 1] = r.y;
    else if (j + 2 == columns)
      v[at] = r.x;
    else
      *(__global double2*)(v + at) = r;
    up = here;
    here = down;
  }
}

// Each work-item computes two bodies; the other bodies are read through local memory. n is a multiple of 512.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void distances(__global const float* restrict p, __global float* restrict d,
                                                                        int n) {
  __local float4 all[256];
  const int l = get_local_id(0), i = 512 * get_group_id(0) + l, k = i + 256;
  const float x0 = p[3 * i], y0 = p[3 * i + 1], z0 = p[3 * i + 2], x1 = p[3 * k], y1 = p[3 * k + 1], z1 = p[3 * k + 2];
  float s0 = 0, s1 = 0;
  for (int t = 0; t < n; t += 256) {
    const int q = 3 * (t + l);
    all[l] = (float4)(p[q], p[q + 1], p[q + 2], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
    for (int j = 0; j < 256; ++j) {
      const float4 c = all[j];
      const float dx = c.x - x0, dy = c.y - y0, dz = c.z - z0, ex = c.x - x1, ey = c.y - y1, ez = c.z - z1;
      s0 += sqrt(dx * dx + dy * dy + dz * dz);
      s1 += sqrt(ex * ex + ey * ey + ez * ez);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  d[i] = s0;
  d[k] = s1;
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

// Sums are accumulated in double, as docs/vrir.md requires of ours; each load reads four elements.
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

__kernel void expression(__global const float4* restrict a, __global const float4* restrict b, __global float4* restrict c, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const float4 x = a[i], y = b[i];
  c[i] = sqrt(x * x + y * y) + 0.5f * (x - y);
}
