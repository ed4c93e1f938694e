// The thesis's programs by hand.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ lud
__kernel void factors(__global double* restrict a, int k, int n) {
  const int i = k + 1 + get_global_id(0);
  if (i < n) a[i * n + k] /= a[k * n + k];
}
__kernel void update(__global double* restrict a, int k, int n) {
  const int j = k + 1 + get_global_id(0), i0 = k + 1 + 4 * get_global_id(1);
  if (j >= n) return;
  const double row = a[k * n + j];
#pragma unroll
  for (int r = 0; r < 4; ++r)
    if (i0 + r < n) a[(i0 + r) * n + j] -= a[(i0 + r) * n + k] * row;
}

//@ srad
__kernel void coefficients(__global const float* restrict img, __global const int* restrict up, __global const int* restrict down,
                           __global const int* restrict left, __global const int* restrict right, __global float* restrict coef, float q0,
                           int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  const float c = img[i * w + j], over = 1 / c;
  const float n = img[up[i] * w + j] - c, s = img[down[i] * w + j] - c, l = img[i * w + left[j]] - c, r = img[i * w + right[j]] - c;
  const float g2 = (n * n + s * s + l * l + r * r) * over * over, lap = (n + s + l + r) * over;
  const float num = 0.5f * g2 - 0.0625f * lap * lap, den = 1 + 0.25f * lap, q = num / (den * den);
  coef[i * w + j] = clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0f, 1.0f);
}
__kernel void spread(__global const float* restrict img, __global const int* restrict up, __global const int* restrict down,
                     __global const int* restrict left, __global const int* restrict right, __global const float* restrict coef,
                     __global float* restrict out, float rate, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  const int d = down[i] * w + j, r = i * w + right[j];
  const float c = img[i * w + j], k = coef[i * w + j];
  out[i * w + j] = c + rate * (k * (img[up[i] * w + j] - c) + coef[d] * (img[d] - c) + k * (img[i * w + left[j]] - c) + coef[r] * (img[r] - c));
}

//@ pagerank
// Shares are computed once a page; eight work-items a page add them up.
__kernel void shares(__global const int* restrict degree, __global const double* restrict old, __global double* restrict share, int n) {
  const int i = get_global_id(0);
  if (i < n) share[i] = old[i] / degree[i];
}
__kernel GROUP void rank_of(__global const int* restrict start, __global const int* restrict place, __global const double* restrict share,
                            __global double* restrict new, double damping, int n) {
  __local double all[256];
  const int l = get_local_id(0), i = get_global_id(0) / 8, lane = l % 8;
  double s = 0;
  if (i < n)
    for (int k = start[i] + lane; k < start[i + 1]; k += 8) s += share[place[k]];
  all[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && i < n) {
    for (int k = 1; k < 8; ++k) s += all[l + k];
    new[i] = (1 - damping) / n + damping * s;
  }
}

//@ spmv
__kernel GROUP void spmv(__global const int* restrict start, __global const int* restrict place, __global const double* restrict value,
                         __global const double* restrict x, __global double* restrict y, int n) {
  __local double all[256];
  const int l = get_local_id(0), i = get_global_id(0) / 8, lane = l % 8;
  double s = 0;
  if (i < n)
    for (int k = start[i] + lane; k < start[i + 1]; k += 8) s += value[k] * x[place[k]];
  all[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && i < n) {
    for (int k = 1; k < 8; ++k) s += all[l + k];
    y[i] = s;
  }
}

//@ growcut
__kernel void growcut(__global const double* restrict image, __global const double* restrict strength, __global const int* restrict label,
                      __global double* restrict strength_new, __global int* restrict label_new, int window, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  const int at = i * w + j;
  const double r = image[3 * at], g = image[3 * at + 1], b = image[3 * at + 2];
  double best = strength[at];
  int winner = label[at];
  for (int y = max(0, i - window); y < min(i + window + 1, h); ++y)
    for (int x = max(0, j - window); x < min(j + window + 1, w); ++x) {
      const int q = y * w + x;
      if (q == at) continue;
      const double dr = r - image[3 * q], dg = g - image[3 * q + 1], db = b - image[3 * q + 2];
      const double e = (1.0 - sqrt(dr * dr + dg * dg + db * db) * (1 / 1.7320508075688772)) * strength[q];
      if (e > best) best = e, winner = label[q];
    }
  strength_new[at] = best;
  label_new[at] = winner;
}

//@ julia
__kernel void julia(__global int* restrict out, double cr, double ci, int limit, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  double x = -1.5 + 3.0 * j / w, y = -1.5 + 3.0 * i / h;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0) {
    const double t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++n;
  }
  out[i * w + j] = n;
}

//@ pairwise
// Points of three numbers: 32 x 8 pairs a group.
__kernel void pairwise(__global const double* restrict x, __global double* restrict d, int n) {
  const int j = get_global_id(0), i0 = 4 * get_global_id(1);
  if (j >= n) return;
  const double a = x[3 * j], b = x[3 * j + 1], c = x[3 * j + 2];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int i = i0 + r;
    if (i >= n) return;
    const double u = x[3 * i] - a, v = x[3 * i + 1] - b, w = x[3 * i + 2] - c;
    d[i * n + j] = sqrt(u * u + v * v + w * w);
  }
}

//@ nb1d
__kernel GROUP void forces(__global const double* restrict x, __global const double* restrict m, __global double* restrict f, int n) {
  __local double xs[256], ms[256];
  const int l = get_local_id(0), i = get_global_id(0);
  const double p = x[i];
  double s = 0;
  for (int t = 0; t < n; t += 256) {
    xs[l] = x[t + l], ms[l] = m[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int j = 0; j < 256; ++j) {
      // the body itself adds nothing: d is 0
      const double d = xs[j] - p;
      s += ms[j] * d / (fabs(d) * d * d + 1e-9);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  f[i] = s * m[i];
}
__kernel void speeds(__global const double* restrict m, __global double* restrict v, __global const double* restrict f, double dt, int n) {
  const int i = get_global_id(0);
  if (i < n) v[i] += dt * f[i] / m[i];
}

//@ fiff
__kernel void fiff(__global double* restrict u, double r, int j, int n) {
  const int i = 1 + get_global_id(0);
  if (i >= n - 1) return;
  const int at = j * n + i;
  u[at + n] = (2 - 2 * r * r) * u[at] + r * r * (u[at - 1] + u[at + 1]) - u[at - n];
}

//@ fdtd
__kernel void electric(__global double* restrict ex, __global double* restrict ey, __global const double* restrict hz, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1), at = i * w + j;
  if (i >= h || j >= w) return;
  const double c = hz[at];
  if (j > 0) ex[at] -= 0.5 * (c - hz[at - 1]);
  if (i > 0) ey[at] -= 0.5 * (c - hz[at - w]);
}
__kernel void magnetic(__global const double* restrict ex, __global const double* restrict ey, __global double* restrict hz, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1), at = i * w + j;
  if (i < h - 1 && j < w - 1) hz[at] -= 0.7 * (ex[at + 1] - ex[at] + ey[at + w] - ey[at]);
}

//@ capr
__kernel void capr(__global double* u, __global const uchar* restrict fixed, double w, int color, int h, int n) {
  const int i = 1 + get_global_id(1), k = get_global_id(0);
  if (i >= h - 1 || k >= (n - 2) / 2) return;
  const int at = i * n + 1 + 2 * k + ((i + color) & 1);
  if (fixed[at]) return;
  const double c = u[at];
  u[at] = c + w * (0.25 * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1]) - c);
}
