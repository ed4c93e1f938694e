// Small problems by hand, one a work-item, in registers.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ tridiagonal
__kernel void tridiagonal(__global const float* restrict a, __global const float* restrict b, __global const float* restrict c,
                          __global const float* restrict d, __global float* restrict e, __global float* restrict x, int m, int n) {
  const int s = get_global_id(0);
  if (s >= n) return;
  float w = 1 / b[s], ek = c[s] * w, xk = d[s] * w;
  e[s] = ek;
  x[s] = xk;
#pragma unroll 4
  for (int k = 1; k < m; ++k) {
    const int at = k * n + s;
    const float ak = a[at];
    w = 1 / (b[at] - ak * ek);
    xk = (d[at] - ak * xk) * w;
    ek = c[at] * w;
    e[at] = ek;
    x[at] = xk;
  }
#pragma unroll 4
  for (int k = m - 2; k >= 0; --k) {
    xk = x[k * n + s] - e[k * n + s] * xk;
    x[k * n + s] = xk;
  }
}

//@ inverse3
// Matrices through local memory, so that loads and stores are next to each other.
__kernel GROUP void inverse3(__global const float* restrict a, __global float* restrict out, int n) {
  __local float all[9 * 256];
  const int l = get_local_id(0), base = 9 * 256 * get_group_id(0), end = 9 * n;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    if (base + l + 256 * k < end) all[l + 256 * k] = a[base + l + 256 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  float m[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) m[k] = all[9 * l + k];
  const float c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  const float s = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
  all[9 * l] = c0 * s, all[9 * l + 3] = c1 * s, all[9 * l + 6] = c2 * s;
  all[9 * l + 1] = (m[2] * m[7] - m[1] * m[8]) * s;
  all[9 * l + 4] = (m[0] * m[8] - m[2] * m[6]) * s;
  all[9 * l + 7] = (m[1] * m[6] - m[0] * m[7]) * s;
  all[9 * l + 2] = (m[1] * m[5] - m[2] * m[4]) * s;
  all[9 * l + 5] = (m[2] * m[3] - m[0] * m[5]) * s;
  all[9 * l + 8] = (m[0] * m[4] - m[1] * m[3]) * s;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 9; ++k)
    if (base + l + 256 * k < end) out[base + l + 256 * k] = all[l + 256 * k];
}

//@ cholesky4
__kernel void cholesky4(__global const double4* restrict a, __global double4* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const double4 r0 = a[4 * i], r1 = a[4 * i + 1], r2 = a[4 * i + 2], r3 = a[4 * i + 3];
  const double l00 = sqrt(r0.x), l10 = r1.x / l00, l20 = r2.x / l00, l30 = r3.x / l00;
  const double l11 = sqrt(r1.y - l10 * l10), l21 = (r2.y - l20 * l10) / l11, l31 = (r3.y - l30 * l10) / l11;
  const double l22 = sqrt(r2.z - l20 * l20 - l21 * l21), l32 = (r3.z - l30 * l20 - l31 * l21) / l22;
  const double l33 = sqrt(r3.w - l30 * l30 - l31 * l31 - l32 * l32);
  out[4 * i] = (double4)(l00, 0, 0, 0);
  out[4 * i + 1] = (double4)(l10, l11, 0, 0);
  out[4 * i + 2] = (double4)(l20, l21, l22, 0);
  out[4 * i + 3] = (double4)(l30, l31, l32, l33);
}

//@ quaternions
__kernel GROUP void quaternions(__global const float4* restrict q, __global const float* restrict v, __global float* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float4 r = q[i];
  const float a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
  const float x = 2 * (r.z * c - r.w * b), y = 2 * (r.w * a - r.y * c), z = 2 * (r.y * b - r.z * a);
  out[3 * i] = a + r.x * x + r.z * z - r.w * y;
  out[3 * i + 1] = b + r.x * y + r.w * x - r.y * z;
  out[3 * i + 2] = c + r.x * z + r.y * y - r.z * x;
}

//@ crc32
// The table in local memory; rows of 64 bytes.
__kernel GROUP void crc32(__global const uint4* restrict data, __global const uint* restrict table, __global uint* restrict out, int n) {
  __local uint all[256];
  const int i = get_global_id(0);
  all[get_local_id(0)] = table[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  uint c = 0xffffffffu;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const uint4 v = data[4 * i + k];
    const uint w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int t = 0; t < 4; ++t)
#pragma unroll
      for (int s = 0; s < 32; s += 8) c = all[(c ^ w[t] >> s) & 255] ^ c >> 8;
  }
  out[i] = ~c;
}

//@ fir
// 1024 results a group, four a work-item; taps in constant memory, up to 64.
__kernel GROUP void fir(__global const float* restrict x, __constant float* restrict h, __global float4* restrict y, int n, int taps) {
  __local __attribute__((aligned(16))) float all[1024 + 68];
  const int l = get_local_id(0), base = 1024 * get_group_id(0), size = min(1024 + taps - 1, n + taps - 1 - base);
  for (int k = l; k < size; k += 256) all[k] = x[base + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (base + 4 * l >= n) return;
  __local const float* p = all + 4 * l;
  float4 u = *(__local const float4*)p, s = 0;
  int k = 0;
  for (; k + 4 <= taps; k += 4) {
    const float4 v = *(__local const float4*)(p + k + 4);
    s += u * h[k];
    s += (float4)(u.yzw, v.x) * h[k + 1];
    s += (float4)(u.zw, v.xy) * h[k + 2];
    s += (float4)(u.w, v.xyz) * h[k + 3];
    u = v;
  }
  for (; k < taps; ++k) {
    s += u * h[k];
    u = (float4)(u.yzw, p[k + 4]);
  }
  y[base / 4 + l] = s;
}

//@ dilate_u8
// Four results a work-item.
uchar4 across(__global const uchar* p, int j, int w) {
  const uchar4 c = *(__global const uchar4*)(p + j);
  const uchar l = j > 0 ? p[j - 1] : 0, r = j + 4 < w ? p[j + 4] : 0;
  return max(c, max((uchar4)(l, c.xyz), (uchar4)(c.yzw, r)));
}
__kernel void dilate_u8(__global const uchar* restrict a, __global uchar* restrict out, int h, int w) {
  const int j = 4 * get_global_id(0), i = 1 + get_global_id(1);
  if (i >= h - 1 || j >= w) return;
  a += i * w;
  out += i * w + j;
  const uchar4 m = max(across(a - w, j, w), max(across(a, j, w), across(a + w, j, w)));
  if (j == 0)
    out[1] = m.y, out[2] = m.z, out[3] = m.w;
  else if (j == w - 4)
    out[0] = m.x, out[1] = m.y, out[2] = m.z;
  else
    *(__global uchar4*)out = m;
}

//@ kepler
__kernel void kepler(__global const double* restrict mean, __global const double* restrict ecc, __global double* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const double m = mean[i], c = ecc[i];
  double e = m, d = 1;
  for (int k = 0; fabs(d) > 1e-12 && k < 30; ++k) {
    double cosine;
    const double sine = sincos(e, &cosine);
    d = (e - c * sine - m) / (1 - c * cosine);
    e -= d;
  }
  out[i] = e;
}

//@ collatz
__kernel void collatz(__global const uint* restrict start, __global int* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  ulong v = start[i];
  int k = 0;
  for (; v > 1; ++k) v = v & 1 ? 3 * v + 1 : v >> 1;
  out[i] = k;
}

//@ search
__kernel void search(__global const float* restrict a, __global const float* restrict x, __global int* restrict out, int n, int m) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float v = x[i];
  int low = 0, high = m;
  while (low < high) {
    const int mid = (low + high) >> 1;
    if (a[mid] < v)
      low = mid + 1;
    else
      high = mid;
  }
  out[i] = low;
}

//@ deposit
__kernel void deposit(__global const int* restrict cell, __global const float* restrict mass, __global float* restrict grid, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  volatile __global int* to = (volatile __global int*)(grid + cell[i]);
  const float m = mass[i];
  int old = *to;
  for (;;) {
    const int seen = atomic_cmpxchg(to, old, as_int(as_float(old) + m));
    if (seen == old) break;
    old = seen;
  }
}

//@ bit_reverse
// Tiles of 32 x 32 of the outer bits, so that loads and stores are next to each other.
uint reversed(uint v, int bits) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
  return (v >> 16 | v << 16) >> (32 - bits);
}
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void bit_reverse(__global const float* restrict x, __global float* restrict out,
                                                                          int bits) {
  __local float tile[32][33];
  const int a = get_local_id(0), b = get_local_id(1), middle = get_group_id(0), shift = bits - 5;
#pragma unroll
  for (int k = 0; k < 32; k += 8) tile[b + k][a] = x[(b + k) << shift | middle << 5 | a];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int far = reversed(middle, bits - 10);
#pragma unroll
  for (int k = 0; k < 32; k += 8) out[(b + k) << shift | far << 5 | a] = tile[reversed(a, 5)][reversed(b + k, 5)];
}

//@ dft8
__kernel void dft8(__global const float4* restrict re, __global const float4* restrict im, __constant float* restrict cosine,
                   __constant float* restrict sine, __global float4* restrict outr, __global float4* restrict outi, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float4 r0 = re[2 * i], r1 = re[2 * i + 1], i0 = im[2 * i], i1 = im[2 * i + 1];
  const float x[8] = {r0.x, r0.y, r0.z, r0.w, r1.x, r1.y, r1.z, r1.w}, y[8] = {i0.x, i0.y, i0.z, i0.w, i1.x, i1.y, i1.z, i1.w};
  float a[8], b[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    a[k] = b[k] = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const float c = cosine[j * k & 7], s = sine[j * k & 7];
      a[k] += x[j] * c - y[j] * s;
      b[k] += x[j] * s + y[j] * c;
    }
  }
  outr[2 * i] = (float4)(a[0], a[1], a[2], a[3]), outr[2 * i + 1] = (float4)(a[4], a[5], a[6], a[7]);
  outi[2 * i] = (float4)(b[0], b[1], b[2], b[3]), outi[2 * i + 1] = (float4)(b[4], b[5], b[6], b[7]);
}

//@ perlin
__kernel GROUP void perlin(__global float4* restrict out, __global const float* restrict gx, __global const float* restrict gy, float scale,
                           int h, int w4) {
  __local float2 g[256];
  const int l = get_local_id(0);
  g[l] = (float2)(gx[l], gy[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int q = get_global_id(0), i = q / w4, j = 4 * (q % w4);
  if (i >= h) return;
  const float y = i * scale;
  const int y0 = (int)y;
  const float fy = y - y0, v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  float r[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float x = (j + k) * scale;
    const int x0 = (int)x, at = x0 * 73 + y0 * 151;
    const float fx = x - x0, u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const float2 a = g[at & 255], b = g[(at + 73) & 255], c = g[(at + 151) & 255], d = g[(at + 224) & 255];
    const float n0 = a.x * fx + a.y * fy, n1 = b.x * (fx - 1) + b.y * fy, n2 = c.x * fx + c.y * (fy - 1), n3 = d.x * (fx - 1) + d.y * (fy - 1);
    const float low = n0 + u * (n1 - n0), high = n2 + u * (n3 - n2);
    r[k] = low + v * (high - low);
  }
  out[q] = (float4)(r[0], r[1], r[2], r[3]);
}
