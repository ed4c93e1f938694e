// Many small problems, a group for each, by hand: rows in local memory or in registers, barriers between the steps.
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

//@ sort_rows
// Steps within 64 elements need no barrier where 32 work-items run together; two elements a work-item.
__kernel GROUP(512, 1) void sort_rows(__global const float* restrict a, __global float* restrict out) {
  __local float x[1024];
  const int t = get_local_id(0);
  const size_t row = (size_t)get_group_id(0) * 1024;
  x[t] = a[row + t];
  x[t + 512] = a[row + t + 512];
  for (int size = 2; size <= 1024; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int low = 2 * t - (t & (stride - 1));
      const float u = x[low], v = x[low + stride];
      if ((u > v) == ((low & size) == 0)) x[low] = v, x[low + stride] = u;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row + t] = x[t];
  out[row + t + 512] = x[t + 512];
}

//@ fft_rows
// Radix 8, three turns; a work-item has eight elements in registers, two exchanges through local memory.
#define MUL(a, b) (float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x)
#define TWO(a, b) { const float2 s = a; a = s + b; b = s - b; }
#define TURN(a) a = (float2)(-(a).y, (a).x)
void eight(float2* v) {
  const float h = 0.70710678f;
  TWO(v[0], v[4]) TWO(v[1], v[5]) TWO(v[2], v[6]) TWO(v[3], v[7])
  v[5] = (float2)(v[5].x - v[5].y, v[5].x + v[5].y) * h;
  TURN(v[6]);
  v[7] = (float2)(-v[7].x - v[7].y, v[7].x - v[7].y) * h;
  TWO(v[0], v[2]) TWO(v[1], v[3]) TWO(v[4], v[6]) TWO(v[5], v[7])
  TURN(v[3]);
  TURN(v[7]);
  TWO(v[0], v[1]) TWO(v[2], v[3]) TWO(v[4], v[5]) TWO(v[6], v[7])
}
__kernel GROUP(64, 1) void fft_rows(__global const float* restrict re, __global const float* restrict im, __global const float* restrict cosine,
                                    __global const float* restrict sine, __global float* restrict out_re, __global float* restrict out_im) {
  __local float2 x[512 + 64];
  const int t = get_local_id(0);
  const size_t row = (size_t)get_group_id(0) * 512;
  const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  float2 v[8];
#define W(k) ((k) < 256 ? (float2)(cosine[k], sine[k]) : -(float2)(cosine[(k) - 256], sine[(k) - 256]))
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = (float2)(re[row + t + 64 * k], im[row + t + 64 * k]);
  eight(v);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int f = order[k];
    v[k] = MUL(v[k], W(t * f));
    x[f * 72 + t] = v[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int f0 = t / 8, u = t % 8;
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[f0 * 72 + u + 8 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  eight(v);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int f = order[k];
    v[k] = MUL(v[k], W(8 * u * f));
    x[(f0 + 8 * f) * 9 + u] = v[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[t * 9 + k];
  eight(v);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int f = order[k];
    out_re[row + t + 64 * f] = v[k].x;
    out_im[row + t + 64 * f] = v[k].y;
  }
}

//@ align_pairs
// A row of the table for each work-item; the two antidiagonals before are in local memory.
__kernel GROUP(256, 1) void align_pairs(__global const int* restrict a, __global const int* restrict b, __global int* restrict score, int n) {
  __local int line[3][257], other[256];
  const int t = get_local_id(0), i = t + 1;
  const size_t row = (size_t)get_group_id(0) * n;
  const int mine = t < n ? a[row + t] : 0;
  if (t < n) other[t] = b[row + t];
  line[0][i] = line[1][i] = line[2][i] = 0;
  if (t == 0) line[0][0] = line[1][0] = line[2][0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = 0, q = 1, w = 2;
  for (int d = 2; d <= 2 * n; ++d) {
    const int j = d - i;
    if (i <= n && j >= 1 && j <= n) {
      const int s = line[p][i - 1] + (mine == other[j - 1] ? 2 : -1);
      line[w][i] = max(s, max(line[q][i - 1], line[q][i]) - 1);
    } else {
      line[w][i] = line[q][i];
    }
    if (t == 0) line[w][0] = d <= n ? -d : line[q][0];
    if (d <= n && i == d) line[w][i] = -d;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int s = p;
    p = q, q = w, w = s;
  }
  if (i == n) score[get_group_id(0)] = line[q][n];
}

//@ cholesky_batch
// A matrix of 32 x 32 a group; a work-item has a row of the lower half in registers, two columns go through local memory.
__kernel GROUP(256, 1) void cholesky_batch(__global const float* restrict a, __global float* restrict out) {
  __local float m[32][33];
  const int l = get_local_id(0), j = l % 32, i0 = l / 32;
  const size_t at = (size_t)get_group_id(0) * 1024;
#pragma unroll
  for (int i = i0; i < 32; i += 8) m[i][j] = a[at + 32 * i + j];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; ++k) {
    const float d = sqrt(m[k][k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) m[k][k] = d;
    if (l > k && l < 32) m[l][k] /= d;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j > k) {
      const float f = m[j][k];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int i = i0 + 8 * r;
        if (i > k) m[i][j] -= m[i][k] * f;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int i = i0; i < 32; i += 8) out[at + 32 * i + j] = m[i][j];
}

//@ gauss_jordan
// A matrix of 24 x 24 and the identity a group; a work-item has a column of 24 in registers.
__kernel GROUP(64, 1) void gauss_jordan(__global const float* restrict a, __global float* restrict x) {
  __local float column[2][24];
  const int j = get_local_id(0);
  const size_t at = (size_t)get_group_id(0) * 576;
  float v[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) v[i] = j < 24 ? a[at + 24 * i + j] : j - 24 == i ? 1.0f : 0.0f;
#pragma unroll
  for (int k = 0; k < 24; ++k) {
    if (j == k)
#pragma unroll
      for (int i = 0; i < 24; ++i) column[k % 2][i] = v[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    v[k] *= 1 / column[k % 2][k];
#pragma unroll
    for (int i = 0; i < 24; ++i)
      if (i != k) v[i] -= column[k % 2][i] * v[k];
  }
  if (j < 24 || j >= 48) return;
#pragma unroll
  for (int i = 0; i < 24; ++i) x[at + 24 * i + j - 24] = v[i];
}

//@ cyclic_reduction
// An equation for each work-item, its neighbours' through local memory.
__kernel GROUP(256, 1) void cyclic_reduction(__global const float* restrict lower, __global const float* restrict diagonal,
                                             __global const float* restrict upper, __global const float* restrict right,
                                             __global float* restrict x) {
  __local float4 row[2][256];
  const int i = get_local_id(0);
  const size_t at = (size_t)get_group_id(0) * 256 + i;
  float4 v = (float4)(lower[at], diagonal[at], upper[at], right[at]);
  int now = 0;
  for (int s = 1; s < 256; s *= 2, now = 1 - now) {
    row[now][i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float4 lo = row[now][max(i - s, 0)], hi = row[now][min(i + s, 255)];
    const float p = i >= s ? v.x / lo.y : 0, q = i + s < 256 ? v.z / hi.y : 0;
    v = (float4)(-lo.x * p, v.y - lo.z * p - hi.x * q, -hi.z * q, v.w - lo.w * p - hi.w * q);
  }
  x[at] = v.w / v.y;
}

//@ heat_blocks
// 32 steps of 512 points, of which 448 are stored.
__kernel GROUP(512, 1) void heat_blocks(__global const float* restrict u, __global float* restrict v, int n) {
  __local float line[2][512];
  const int i = get_local_id(0), first = get_group_id(0) * 448 - 32;
  float x = u[clamp(first + i, 0, n - 1)];
  for (int t = 0; t < 32; ++t) {
    line[t % 2][i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i > 0 && i < 511) x += 0.25f * (line[t % 2][i - 1] - 2 * x + line[t % 2][i + 1]);
  }
  if (i >= 32 && i < 480) v[(size_t)get_group_id(0) * 448 + i - 32] = x;
}
