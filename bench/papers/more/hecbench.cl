// Images, layers and bits by hand: four bytes or floats a work-item, both passes of a separable filter in one kernel by tiles in local
// memory, rows kept in registers. Widths are multiples of four.
#define G4(p) (*(__global float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

// The bytes b to b + 3 that lie in [from, to).
void store4(__global uchar* p, uchar4 v, int b, int from, int to) {
  if (b >= from && b + 4 <= to) {
    *(__global uchar4*)(p + b) = v;
    return;
  }
  if (b >= from && b < to) p[b] = v.x;
  if (b + 1 >= from && b + 1 < to) p[b + 1] = v.y;
  if (b + 2 >= from && b + 2 < to) p[b + 2] = v.z;
  if (b + 3 >= from && b + 3 < to) p[b + 3] = v.w;
}

//@ gauss_rgb
// 128 bytes x 32 rows a group; neighbours of a colour are three bytes apart.
__kernel GROUP(32, 8) void gauss_rgb(__global const uchar* restrict a, __constant float* k, __global uchar* restrict out, int h, int bytes) {
  __local uchar4 in[38][38];
  __local float4 mid[38][32];
  const int x = get_local_id(0), y = get_local_id(1), l = 32 * y + x, b0 = 128 * get_group_id(0), i0 = 3 + 32 * get_group_id(1);
  for (int t = l; t < 38 * 38; t += 256)
    in[t / 38][t % 38] = *(__global const uchar4*)(a + min(i0 - 3 + t / 38, h - 1) * bytes + clamp(b0 - 12 + 4 * (t % 38), 0, bytes - 4));
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = y; i < 38; i += 8) {
    float v[28];
#pragma unroll
    for (int c = 0; c < 7; ++c) {
      const float4 f = convert_float4(in[i][x + c]);
      v[4 * c] = f.x, v[4 * c + 1] = f.y, v[4 * c + 2] = f.z, v[4 * c + 3] = f.w;
    }
    float4 s = 0;
#pragma unroll
    for (int t = 0; t < 7; ++t) s += k[t] * (float4)(v[3 * t + 3], v[3 * t + 4], v[3 * t + 5], v[3 * t + 6]);
    mid[i][x] = s;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 m[10];
#pragma unroll
  for (int i = 0; i < 10; ++i) m[i] = mid[4 * y + i][x];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float4 s = 0;
#pragma unroll
    for (int t = 0; t < 7; ++t) s += k[t] * m[i + t];
    const int row = i0 + 4 * y + i;
    if (row < h - 3) store4(out + row * bytes, convert_uchar4(s + 0.5f), b0 + 4 * x, 9, bytes - 9);
  }
}

//@ max_filter
// 128 bytes x 32 rows a group. Four neighbouring windows of fifteen have twelve elements in common.
__kernel GROUP(32, 8) void max_filter(__global const uchar* restrict a, __global uchar* restrict out, int h, int w) {
  __local uchar4 in[46][36], mid[46][32];
  const int x = get_local_id(0), y = get_local_id(1), l = 32 * y + x, j0 = 128 * get_group_id(0), i0 = 7 + 32 * get_group_id(1);
  for (int t = l; t < 46 * 36; t += 256)
    in[t / 36][t % 36] = *(__global const uchar4*)(a + min(i0 - 7 + t / 36, h - 1) * w + clamp(j0 - 8 + 4 * (t % 36), 0, w - 4));
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = y; i < 46; i += 8) {
    const uchar4 p = in[i][x], q = in[i][x + 4], c = max(in[i][x + 1], max(in[i][x + 2], in[i][x + 3]));
    const uchar m = max(max(c.x, c.y), max(c.z, c.w)), left = max(p.z, p.w), right = max(q.x, q.y);
    mid[i][x] = (uchar4)(max(m, max(p.y, left)), max(m, max(left, q.x)), max(m, max(p.w, right)), max(m, max(right, q.z)));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 m = mid[4 * y + 3][x];
#pragma unroll
  for (int i = 4; i < 15; ++i) m = max(m, mid[4 * y + i][x]);
  const uchar4 p1 = mid[4 * y + 1][x], p2 = mid[4 * y + 2][x], q0 = mid[4 * y + 15][x], q1 = mid[4 * y + 16][x];
  const uchar4 all[4] = {max(m, max(mid[4 * y][x], max(p1, p2))), max(m, max(max(p1, p2), q0)), max(m, max(p2, max(q0, q1))),
                         max(m, max(max(q0, q1), mid[4 * y + 17][x]))};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i0 + 4 * y + i < h - 7) store4(out + (i0 + 4 * y + i) * w, all[i], j0 + 4 * x, 7, w - 7);
}

//@ demosaic
// Two rows of four pixels a work-item: an odd one, and the even one below it.
void six(__global const uchar* p, int j, int w, int* v) {
  const uchar4 c = *(__global const uchar4*)(p + j);
  v[0] = j > 0 ? p[j - 1] : 0, v[1] = c.x, v[2] = c.y, v[3] = c.z, v[4] = c.w, v[5] = j + 4 < w ? p[j + 4] : 0;
}
void pixels(__global uchar* to, const int* n, const int* c, const int* s, int odd, int j, int w) {
  uchar o[12];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int here = c[k + 1], across = (c[k] + c[k + 2]) >> 1, down = (n[k + 1] + s[k + 1]) >> 1;
    const int cross = (c[k] + c[k + 2] + n[k + 1] + s[k + 1]) >> 2, corners = (n[k] + n[k + 2] + s[k] + s[k + 2]) >> 2;
    if (k % 2 == 0) {
      o[3 * k] = odd ? down : here, o[3 * k + 1] = odd ? here : cross, o[3 * k + 2] = odd ? across : corners;
    } else {
      o[3 * k] = odd ? corners : across, o[3 * k + 1] = odd ? cross : here, o[3 * k + 2] = odd ? here : down;
    }
  }
  to += 3 * j;
  if (j == 0) {
    for (int k = 3; k < 12; ++k) to[k] = o[k];
  } else if (j + 4 == w) {
    for (int k = 0; k < 9; ++k) to[k] = o[k];
  } else {
    *(__global uchar4*)to = (uchar4)(o[0], o[1], o[2], o[3]);
    *(__global uchar4*)(to + 4) = (uchar4)(o[4], o[5], o[6], o[7]);
    *(__global uchar4*)(to + 8) = (uchar4)(o[8], o[9], o[10], o[11]);
  }
}
__kernel void demosaic(__global const uchar* restrict raw, __global uchar* restrict out, int h, int w) {
  const int j = 4 * get_global_id(0), i = 1 + 2 * get_global_id(1);
  if (j >= w || i >= h - 1) return;
  int v[4][6];
#pragma unroll
  for (int k = 0; k < 4; ++k) six(raw + (i - 1 + k) * w, j, w, v[k]);
  pixels(out + 3 * i * w, v[0], v[1], v[2], 1, j, w);
  pixels(out + 3 * (i + 1) * w, v[1], v[2], v[3], 0, j, w);
}

//@ yuv420
// Two rows of four pixels a work-item: 24 bytes in, 12 out.
void four(__global const uint* p, int4* r, int4* g, int4* b) {
  const uint3 v = vload3(0, p);
  *r = (int4)(v.x & 255, v.x >> 24, v.y >> 16 & 255, v.z >> 8 & 255);
  *g = (int4)(v.x >> 8 & 255, v.y & 255, v.y >> 24, v.z >> 16 & 255);
  *b = (int4)(v.x >> 16 & 255, v.y >> 8 & 255, v.z & 255, v.z >> 24);
}
__kernel void yuv420(__global const uint* restrict rgb, __global uchar4* restrict y, __global uchar2* restrict u, __global uchar2* restrict v, int h,
                     int w4) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (j >= w4 || i >= h) return;
  const int at = 2 * i * w4 + j;
  int4 r0, g0, b0, r1, g1, b1;
  four(rgb + 3 * at, &r0, &g0, &b0);
  four(rgb + 3 * (at + w4), &r1, &g1, &b1);
  y[at] = convert_uchar4(((66 * r0 + 129 * g0 + 25 * b0 + 128) >> 8) + 16);
  y[at + w4] = convert_uchar4(((66 * r1 + 129 * g1 + 25 * b1 + 128) >> 8) + 16);
  r0 += r1, g0 += g1, b0 += b1;
  const int2 r = r0.xz + r0.yw, g = g0.xz + g0.yw, b = b0.xz + b0.yw;
  u[i * w4 + j] = convert_uchar2(((-38 * r - 74 * g + 112 * b + 512) >> 10) + 128);
  v[i * w4 + j] = convert_uchar2(((112 * r - 94 * g - 18 * b + 512) >> 10) + 128);
}

//@ points_in_polygon
// Four points a work-item; edges with their slopes in local memory, 256 at a time.
__kernel GROUP(256, 1) void points_in_polygon(__global const float4* restrict px, __global const float4* restrict py,
                                              __global const float* restrict vx, __global const float* restrict vy,
                                              __global uchar4* restrict inside, int n4, int m) {
  __local float4 edge[256];
  const int l = get_local_id(0), i = get_global_id(0);
  const float4 x = i < n4 ? px[i] : 0, y = i < n4 ? py[i] : 0;
  int4 odd = 0;
  for (int j0 = 0; j0 < m; j0 += 256) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j0 + l < m) {
      const int j = j0 + l, k = j > 0 ? j - 1 : m - 1;
      edge[l] = (float4)(vx[j], vy[j], vy[k], (vx[k] - vx[j]) / (vy[k] - vy[j]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int end = min(256, m - j0);
#pragma unroll 4
    for (int j = 0; j < end; ++j) {
      const float4 e = edge[j];
      odd ^= ((e.y > y) ^ (e.z > y)) & (x < e.w * (y - e.y) + e.x);
    }
  }
  if (i < n4) inside[i] = convert_uchar4(odd & 1);
}

//@ sha256
// A block a work-item, sixteen words of the schedule in registers.
#define ROR(x, n) rotate(x, (uint)(32 - (n)))
__kernel GROUP(128, 1) void sha256(__global const uint4* restrict text, __constant uint* k, __constant uint* start,
                                   __global uint4* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  uint w[16];
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const uint4 v = text[4 * i + t];
    w[4 * t] = v.x, w[4 * t + 1] = v.y, w[4 * t + 2] = v.z, w[4 * t + 3] = v.w;
  }
  uint a = start[0], b = start[1], c = start[2], d = start[3], e = start[4], f = start[5], g = start[6], h = start[7];
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    if (t >= 16) {
      const uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
      w[t & 15] += (ROR(x, 7) ^ ROR(x, 18) ^ x >> 3) + w[(t + 9) & 15] + (ROR(y, 17) ^ ROR(y, 19) ^ y >> 10);
    }
    const uint t1 = h + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + bitselect(g, f, e) + k[t] + w[t & 15];
    const uint t2 = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + bitselect(a, b, a ^ c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  out[2 * i] = (uint4)(start[0] + a, start[1] + b, start[2] + c, start[3] + d);
  out[2 * i + 1] = (uint4)(start[4] + e, start[5] + f, start[6] + g, start[7] + h);
}

//@ walsh
// Rows of 1024, 64 work-items each: four stages of distant elements in registers, four of nearer ones, and two of neighbours.
#define SCALE 0.70710678f
void stages(float* v) {
#pragma unroll
  for (int h = 1; h < 16; h *= 2)
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      const int i = t / h * 2 * h + t % h;
      const float p = v[i], q = v[i + h];
      v[i] = (p + q) * SCALE;
      v[i + h] = (p - q) * SCALE;
    }
}
__kernel GROUP(64, 4) void walsh(__global float* x, int n) {
  __local __attribute__((aligned(16))) float all[4][1024 + 64];
  const int l = get_local_id(0), y = get_local_id(1), r = get_global_id(1), near = l / 4 * 68 + l % 4;
  float v[16];
  __local float* at = all[y];
  x += (size_t)r * 1024;
  if (r < n) {
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = x[l + 64 * k];
    stages(v);
#pragma unroll
    for (int k = 0; k < 16; ++k) at[l + 68 * k] = v[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (r < n) {
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = at[near + 4 * k];
    stages(v);
#pragma unroll
    for (int k = 0; k < 16; ++k) at[near + 4 * k] = v[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (r >= n) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = l + 64 * k;
    const float4 u = L4(at + 4 * i + i / 16 * 4);
    const float4 p = (float4)(u.x + u.y, u.x - u.y, u.z + u.w, u.z - u.w) * SCALE;
    G4(x + 4 * i) = (float4)(p.x + p.z, p.y + p.w, p.x - p.z, p.y - p.w) * SCALE;
  }
}

//@ group_norm
// A group of channels of up to 16384 elements for 512 work-items, which keep it in registers.
#define PER 8
#define INSIDE(k) (l + 512 * (k) < count4)
__kernel GROUP(512, 1) void group_norm(__global const float4* restrict x, __global const float* restrict gain, __global const float* restrict shift,
                                       __global float4* restrict out, int groups, int size, int m4) {
  __local float2 all[512];
  const int l = get_local_id(0), count4 = size * m4, c0 = get_group_id(0) % groups * size;
  x += (size_t)get_group_id(0) * count4 + l;
  out += (size_t)get_group_id(0) * count4 + l;
  float4 v[PER];
  float2 s = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] = x[512 * k];
      s += (float2)(v[k].x + v[k].y + v[k].z + v[k].w, dot(v[k], v[k]));
    }
  all[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    for (int k = 32; k < 512; k += 32) s += all[l + k];
    all[l] = s;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  s = all[0];
  for (int k = 1; k < 32; ++k) s += all[k];
  const float mean = s.x / (4.0f * count4), scale = rsqrt(s.y / (4.0f * count4) - mean * mean + 1e-5f);
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      const int c = c0 + (l + 512 * k) / m4;
      const float a = scale * gain[c];
      out[512 * k] = v[k] * a + (shift[c] - mean * a);
    }
}

//@ top2
// Rows of 64, four work-items each with sixteen elements; the first joins.
typedef struct {
  float v, w;
  int p, q;
} Two;
void enter(Two* t, float v, int p) {
  if (v > t->v || (v == t->v && p < t->p)) {
    t->w = t->v, t->q = t->p;
    t->v = v, t->p = p;
  } else if (v > t->w || (v == t->w && p < t->q)) {
    t->w = v, t->q = p;
  }
}
__kernel GROUP(256, 1) void top2(__global const float4* restrict a, __global int2* restrict expert, __global float2* restrict weight, int n) {
  __local Two all[256];
  const int l = get_local_id(0), i = get_global_id(0) / 4, lane = l % 4;
  Two t = {-1e30f, -1e30f, 0, 0};
  if (i < n) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = a[16 * i + lane + 4 * k];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int j = 4 * (lane + 4 * k);
      enter(&t, v[k].x, j);
      enter(&t, v[k].y, j + 1);
      enter(&t, v[k].z, j + 2);
      enter(&t, v[k].w, j + 3);
    }
  }
  all[l] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane != 0 || i >= n) return;
#pragma unroll
  for (int k = 1; k < 4; ++k) {
    enter(&t, all[l + k].v, all[l + k].p);
    enter(&t, all[l + k].w, all[l + k].q);
  }
  const float e = exp(t.w - t.v), s = 1 / (1 + e);
  expert[i] = (int2)(t.p, t.q);
  weight[i] = (float2)(s, e * s);
}

//@ quantise
// A row of up to 8192 in registers.
#define PER 8
#define INSIDE(k) (l + 256 * (k) < m4)
__kernel GROUP(256, 1) void quantise(__global const float4* restrict x, __global char4* restrict q, __global float* restrict scale, int m4) {
  __local float all[256];
  const int l = get_local_id(0);
  x += (size_t)get_group_id(0) * m4 + l;
  q += (size_t)get_group_id(0) * m4 + l;
  float4 v[PER];
  float m = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] = x[256 * k];
      const float4 a = fabs(v[k]);
      m = fmax(m, fmax(fmax(a.x, a.y), fmax(a.z, a.w)));
    }
  all[l] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    for (int k = 16; k < 256; k += 16) m = fmax(m, all[l + k]);
    all[l] = m;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  m = all[0];
  for (int k = 1; k < 16; ++k) m = fmax(m, all[k]);
  const float s = m / 127;
  if (l == 0) scale[get_group_id(0)] = s;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) q[256 * k] = convert_char4_rte(v[k] / s);
}

//@ rope
// Four columns of both halves a work-item, of four heads with the same angles.
__kernel GROUP(16, 16) void rope(__global float4* x, __global const float4* restrict cosine, __global const float4* restrict sine,
                                 int heads, int half4, int tokens) {
  const int k = get_global_id(0), h0 = 4 * (get_global_id(1) % (heads / 4)), t = get_global_id(1) / (heads / 4);
  if (t >= tokens || k >= half4) return;
  const float4 c = cosine[t * half4 + k], s = sine[t * half4 + k];
  x += (size_t)(t * heads + h0) * 2 * half4 + k;
  float4 a[4], b[4];
#pragma unroll
  for (int h = 0; h < 4; ++h) a[h] = x[2 * h * half4], b[h] = x[(2 * h + 1) * half4];
#pragma unroll
  for (int h = 0; h < 4; ++h) {
    x[2 * h * half4] = a[h] * c - b[h] * s;
    x[(2 * h + 1) * half4] = b[h] * c + a[h] * s;
  }
}

//@ attention
// A head of 64 x 64 a group, 4 x 4 scores and then 4 x 4 results a work-item. The transposed queries make room for the transposed
// scores, the keys for the values.
__kernel GROUP(256, 1) void attention(__global const float* restrict q, __global const float* restrict k, __global const float* restrict v,
                                      __global float* restrict out, float scale) {
  __local __attribute__((aligned(16))) float as[64][68];
  __local __attribute__((aligned(16))) float bs[64][68];
  __local float parts[4][64];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const size_t base = (size_t)4096 * get_group_id(0);
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const int r = l / 16 + 16 * t, c = 4 * (l % 16);
    const float4 x = *(__global const float4*)(q + base + 64 * r + c), y = *(__global const float4*)(k + base + 64 * r + c);
    as[c][r] = x.x, as[c + 1][r] = x.y, as[c + 2][r] = x.z, as[c + 3][r] = x.w;
    bs[c][r] = y.x, bs[c + 1][r] = y.y, bs[c + 2][r] = y.z, bs[c + 3][r] = y.w;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 s[4] = {0, 0, 0, 0};
#pragma unroll 8
  for (int d = 0; d < 64; ++d) {
    const float4 x = L4(&as[d][4 * tx]), y = L4(&bs[d][4 * ty]);
    s[0] += x * y.x, s[1] += x * y.y, s[2] += x * y.z, s[3] += x * y.w;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // as[j][i]: the score of query i and key j.
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    L4(&as[4 * ty + t][4 * tx]) = s[t] * scale;
    const int r = l / 16 + 16 * t, c = 4 * (l % 16);
    L4(&bs[r][c]) = *(__global const float4*)(v + base + 64 * r + c);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = l % 64, part = l / 64;
  float p[16], top = -INFINITY, total = 0;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    p[j] = as[16 * part + j][i];
    top = fmax(top, p[j]);
  }
  parts[part][i] = top;
  barrier(CLK_LOCAL_MEM_FENCE);
  top = fmax(fmax(parts[0][i], parts[1][i]), fmax(parts[2][i], parts[3][i]));
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    p[j] = exp(p[j] - top);
    total += p[j];
    as[16 * part + j][i] = p[j];
  }
  parts[part][i] = total;
  barrier(CLK_LOCAL_MEM_FENCE);
  s[0] = s[1] = s[2] = s[3] = 0;
#pragma unroll 8
  for (int j = 0; j < 64; ++j) {
    const float4 x = L4(&as[j][4 * ty]), y = L4(&bs[j][4 * tx]);
    s[0] += x.x * y, s[1] += x.y * y, s[2] += x.z * y, s[3] += x.w * y;
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const int r = 4 * ty + t;
    G4(out + base + 64 * r + 4 * tx) = s[t] / (parts[0][r] + parts[1][r] + parts[2][r] + parts[3][r]);
  }
}
