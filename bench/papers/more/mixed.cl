// Programs of several fields by hand.
#define G4(p) (*(__global const float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

//@ conv2d
// Eight channels of four pixels a work-item; the weights of a channel of the input in local memory.
__kernel GROUP(32, 8) void conv2d(__global const float* restrict x, __global const float* restrict w, __global float* restrict out, int channels,
                                  int h, int width) {
  __local float near[8 * 288];
  const int l = get_local_id(1) * 32 + get_local_id(0), k0 = 8 * get_global_id(2);
  const int j = 4 * get_global_id(0), i = get_global_id(1), stride = width + 2, plane = (h + 2) * stride;
  for (int t = l; t < 8 * channels * 9; t += 256) near[t] = w[k0 * channels * 9 + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s[8][4] = {{0}};
  for (int c = 0; c < channels; ++c) {
    float v[3][6];
#pragma unroll
    for (int a = 0; a < 3; ++a)
#pragma unroll
      for (int b = 0; b < 6; ++b) v[a][b] = x[c * plane + (i + a) * stride + j + b];
#pragma unroll
    for (int k = 0; k < 8; ++k)
#pragma unroll
      for (int a = 0; a < 3; ++a)
#pragma unroll
        for (int b = 0; b < 3; ++b) {
          const float m = near[k * channels * 9 + c * 9 + a * 3 + b];
#pragma unroll
          for (int p = 0; p < 4; ++p) s[k][p] += m * v[a][b + p];
        }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k)
    *(__global float4*)(out + (k0 + k) * h * width + i * width + j) = (float4)(s[k][0], s[k][1], s[k][2], s[k][3]);
}

//@ block_match
// A displacement a work-item, the block and its surroundings in local memory.
__kernel GROUP(256, 1) void block_match(__global const uchar* restrict now, __global const uchar* restrict old, __global int* restrict best,
                                        __global int* restrict where, int w, int blocks) {
  __local uchar own[256], around[31 * 32];
  __local int sums[256], at[256];
  const int l = get_local_id(0), q = get_group_id(0), p = get_group_id(1), d = l / 16, e = l % 16;
  own[l] = now[(16 * p + d) * w + 16 * q + e];
  for (int t = l; t < 31 * 31; t += 256) around[t / 31 * 32 + t % 31] = old[(16 * p + t / 31) * (w + 15) + 16 * q + t % 31];
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = 0;
  for (int i = 0; i < 16; ++i)
#pragma unroll
    for (int j = 0; j < 16; ++j) s += abs_diff(own[16 * i + j], around[(i + d) * 32 + j + e]);
  sums[l] = s;
  at[l] = l;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step && (sums[l + step] < sums[l] || (sums[l + step] == sums[l] && at[l + step] < at[l]))) {
      sums[l] = sums[l + step];
      at[l] = at[l + step];
    }
  }
  if (l == 0) {
    best[p * blocks + q] = sums[0];
    where[p * blocks + q] = at[0];
  }
}

//@ dct8
// Four blocks a group, a column a work-item.
__kernel GROUP(64, 4) void dct8(__global const float* restrict a, __global const float* restrict c, __global float* restrict out, int w) {
  __local float in[8][260], mid[8][260], m[64];
  const int x = get_local_id(0), y = get_local_id(1), j0 = 256 * get_group_id(0), i0 = 8 * get_group_id(1), l = y * 64 + x;
  if (l < 64) m[l] = c[l];
  for (int i = 0; i < 8; ++i) in[i][l] = a[(i0 + i) * w + j0 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int base = l / 8 * 8, v = l % 8;
  for (int i = 0; i < 8; ++i) {
    float s = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) s += in[i][base + j] * m[8 * v + j];
    mid[i][l] = s;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float t[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) t[i] = mid[i][l];
  for (int u = 0; u < 8; ++u) {
    float s = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) s += m[8 * u + i] * t[i];
    out[(i0 + u) * w + j0 + l] = s;
  }
}

//@ integral
// Rows: a group a row, sixteen elements a work-item and turn. Columns: strips of 128 rows, whose sums come first.
__kernel GROUP(256, 1) void integral_rows(__global const uchar* restrict a, __global int* restrict out, int w) {
  __local int sums[256];
  const int l = get_local_id(0), i = get_group_id(0);
  int before = 0;
  for (int j0 = 0; j0 < w; j0 += 4096) {
    const int j = j0 + 16 * l;
    const uchar16 v = j < w ? vload16(0, a + i * w + j) : (uchar16)0;
    int s[16] = {v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf};
#pragma unroll
    for (int k = 1; k < 16; ++k) s[k] += s[k - 1];
    sums[l] = s[15];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 256; step *= 2) {
      const int other = l >= step ? sums[l - step] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sums[l] += other;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int base = before + sums[l] - s[15];
    if (j < w)
#pragma unroll
      for (int k = 0; k < 16; k += 4)
        *(__global int4*)(out + i * w + j + k) = (int4)(base + s[k], base + s[k + 1], base + s[k + 2], base + s[k + 3]);
    before += sums[255];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
__kernel void integral_sums(__global const int4* restrict out, __global int4* restrict sums, int h, int w4) {
  const int j = get_global_id(0), strip = get_global_id(1);
  if (j >= w4) return;
  int4 s = 0;
  for (int i = 128 * strip; i < min(128 * strip + 128, h); ++i) s += out[i * w4 + j];
  sums[strip * w4 + j] = s;
}
__kernel void integral_columns(__global int4* restrict out, __global const int4* restrict sums, int h, int w4) {
  const int j = get_global_id(0), strip = get_global_id(1);
  if (j >= w4) return;
  int4 s = 0;
  for (int k = 0; k < strip; ++k) s += sums[k * w4 + j];
  for (int i = 128 * strip; i < min(128 * strip + 128, h); ++i) {
    s += out[i * w4 + j];
    out[i * w4 + j] = s;
  }
}

//@ red_black
__kernel void red_black(__global float* u, __global const float* restrict f, float omega, int color, int h, int w) {
  const int k = get_global_id(0), i = 1 + get_global_id(1);
  if (i >= h - 1 || k >= (w - 2) / 2) return;
  const int at = i * w + 1 + 2 * k + (i + color) % 2;
  const float here = u[at], mean = 0.25f * (u[at - w] + u[at + w] + u[at - 1] + u[at + 1] - f[at]);
  u[at] = here + omega * (mean - here);
}

//@ hsv
// Four pixels a work-item.
float4 hsv1(uint x, uint y, uint z) {
  const float r = (float)x / 255, g = (float)y / 255, b = (float)z / 255, most = fmax(r, fmax(g, b)), d = most - fmin(r, fmin(g, b));
  float t = 0;
  if (d > 0) {
    t = most == r ? (g - b) / d : most == g ? (b - r) / d + 2 : (r - g) / d + 4;
    if (t < 0) t += 6;
  }
  return (float4)(60 * t, most > 0 ? d / most : 0, most, 0);
}
__kernel void hsv(__global const uint* restrict rgb, __global float4* restrict h, __global float4* restrict s, __global float4* restrict v, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const uint3 p = vload3(i, rgb);
  const float4 a = hsv1(p.x & 255, p.x >> 8 & 255, p.x >> 16 & 255), b = hsv1(p.x >> 24, p.y & 255, p.y >> 8 & 255);
  const float4 c = hsv1(p.y >> 16 & 255, p.y >> 24, p.z & 255), d = hsv1(p.z >> 8 & 255, p.z >> 16 & 255, p.z >> 24);
  h[i] = (float4)(a.x, b.x, c.x, d.x);
  s[i] = (float4)(a.y, b.y, c.y, d.y);
  v[i] = (float4)(a.z, b.z, c.z, d.z);
}

//@ warp
__kernel void warp(__global const float* restrict a, __global float* restrict out, __constant float* m, int h, int w, int oh, int ow) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= oh || j >= ow) return;
  const float x = m[0] * j + m[1] * i + m[2], y = m[3] * j + m[4] * i + m[5], fy = floor(y), fx = floor(x);
  const int k = (int)fy, l = (int)fx;
  float r = 0;
  if (k >= 0 && k < h - 1 && l >= 0 && l < w - 1) {
    const float t = y - fy, s = x - fx;
    __global const float* at = a + k * w + l;
    r = (1 - t) * ((1 - s) * at[0] + s * at[1]) + t * ((1 - s) * at[w] + s * at[w + 1]);
  }
  out[i * ow + j] = r;
}

//@ binomial
// An option a sub-group of 32: eight nodes a work-item in registers, the neighbour's first by local memory.
__kernel GROUP(128, 1) void binomial(__global const float* restrict price, __global const float* restrict strike, float up, float down, float pu,
                                     float pd, __global float* restrict out, int n) {
  __local volatile float first[2][4][33];
  const int l = get_local_id(0) % 32, g = get_local_id(0) / 32, o = 4 * get_group_id(0) + g;
  float x = price[o];
  const float k = strike[o];
  for (int i = 0; i < 256; ++i) x *= down;
  float v[8], last = 0;
  for (int i = 0; i < 257; ++i) {
    if (i / 8 == l) v[i % 8] = fmax(x - k, 0.0f);
    if (i == 256) last = fmax(x - k, 0.0f);
    x = x * up * up;
  }
  for (int t = 256; t > 0; --t) {
    first[t & 1][g][l] = v[0];
    if (l == 0) first[t & 1][g][32] = last;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float next = first[t & 1][g][l + 1];
#pragma unroll
    for (int i = 0; i < 7; ++i) v[i] = pu * v[i + 1] + pd * v[i];
    v[7] = pu * next + pd * v[7];
  }
  if (l == 0) out[o] = v[0];
}

//@ shallow
__kernel void shallow(__global const float* restrict h, __global const float* restrict u, __global const float* restrict v, __global float* restrict hn,
                      __global float* restrict un, __global float* restrict vn, float c, float g, int rows, int w) {
  const int j = 4 * get_global_id(0), i = 1 + get_global_id(1);
  if (i >= rows - 1 || j >= w) return;
  const int at = i * w + j;
  const float4 h0 = G4(h + at), u0 = G4(u + at), v0 = G4(v + at);
  const float4 ul = (float4)(j > 0 ? u[at - 1] : 0, u0.xyz), ur = (float4)(u0.yzw, j + 4 < w ? u[at + 4] : 0);
  const float4 hl = (float4)(j > 0 ? h[at - 1] : 0, h0.xyz), hr = (float4)(h0.yzw, j + 4 < w ? h[at + 4] : 0);
  const float4 a = h0 - c * (ur - ul + G4(v + at + w) - G4(v + at - w)), b = u0 - g * (hr - hl), d = v0 - g * (G4(h + at + w) - G4(h + at - w));
  if (j == 0) {
    hn[at + 1] = a.y, hn[at + 2] = a.z, hn[at + 3] = a.w;
    un[at + 1] = b.y, un[at + 2] = b.z, un[at + 3] = b.w;
    vn[at + 1] = d.y, vn[at + 2] = d.z, vn[at + 3] = d.w;
  } else if (j + 4 == w) {
    hn[at] = a.x, hn[at + 1] = a.y, hn[at + 2] = a.z;
    un[at] = b.x, un[at + 1] = b.y, un[at + 2] = b.z;
    vn[at] = d.x, vn[at + 1] = d.y, vn[at + 2] = d.z;
  } else {
    *(__global float4*)(hn + at) = a;
    *(__global float4*)(un + at) = b;
    *(__global float4*)(vn + at) = d;
  }
}

//@ ising
__kernel void ising(__global char* spin, float beta, uint seed, int color, int h, int w) {
  const int k = get_global_id(0), i = get_global_id(1);
  if (i >= h || k >= w / 2) return;
  const int j = 2 * k + (i + color) % 2, down = i + 1 < h ? i + 1 : 0, up = i > 0 ? i - 1 : h - 1, right = j + 1 < w ? j + 1 : 0,
            left = j > 0 ? j - 1 : w - 1;
  const int around = spin[down * w + j] + spin[up * w + j] + spin[i * w + right] + spin[i * w + left], here = spin[i * w + j];
  uint x = (uint)(i * w + j) * 2654435761u + seed + color;
  x ^= x >> 16;
  x *= 2246822507u;
  x ^= x >> 13;
  x *= 3266489909u;
  x ^= x >> 16;
  if ((float)(x >> 8) < native_exp(-2 * beta * (float)(here * around)) * 16777216) spin[i * w + j] = -here;
}

//@ haar
// Two columns of results a work-item.
__kernel void haar(__global const float* restrict a, __global float* restrict out, int h, int w) {
  const int j = 2 * get_global_id(0), i = get_global_id(1), n = h / 2, m = w / 2;
  if (i >= n || j >= m) return;
  const float4 x = G4(a + 2 * i * w + 2 * j), y = G4(a + (2 * i + 1) * w + 2 * j);
  const float2 p = x.xz, q = x.yw, r = y.xz, s = y.yw;
  *(__global float2*)(out + i * w + j) = 0.5f * (p + q + r + s);
  *(__global float2*)(out + i * w + m + j) = 0.5f * (p - q + r - s);
  *(__global float2*)(out + (n + i) * w + j) = 0.5f * (p + q - r - s);
  *(__global float2*)(out + (n + i) * w + m + j) = 0.5f * (p - q - r + s);
}
