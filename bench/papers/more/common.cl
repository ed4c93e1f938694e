// Attention, matrices, stencils, images, codes, searches and finance by hand: tiles in local memory and in registers, tables and counters
// in local memory, several results a work-item, vector loads. Widths of matrices are multiples of four.
#define G4(p) (*(__global const float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

//@ causal_attention
// 64 rows of queries a group, 32 keys a turn, as in FlashAttention. A work-item has 4 x 4 scores and 4 x 8 elements of the result; the
// scores of a turn go through local memory. Groups with most keys are first.
__kernel GROUP(128, 1) void causal_attention(__global const float* restrict q, __global const float* restrict k, __global const float* restrict v,
                                             __global float* restrict out, float scale, int n) {
  __local __attribute__((aligned(16))) float qs[64][68], ks[64][36], vs[32][64], ps[32][68], part[8][64];
  const int l = get_local_id(0), tx = l % 8, ty = l / 8, i0 = 64 * (get_num_groups(0) - 1 - get_group_id(0));
  const size_t base = (size_t)get_group_id(1) * n * 64;
  q += base, k += base, v += base, out += base;
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    const int row = l % 64, d = 4 * (l / 64 + 2 * t);
    const float4 x = i0 + row < n ? G4(q + (i0 + row) * 64 + d) * scale : (float4)0;
    qs[d][row] = x.x, qs[d + 1][row] = x.y, qs[d + 2][row] = x.z, qs[d + 3][row] = x.w;
  }
  float4 acc[4][2], top = -1e30f, total = 0;
#pragma unroll
  for (int t = 0; t < 4; ++t) acc[t][0] = acc[t][1] = 0;
  for (int j0 = 0; j0 < min(i0 + 64, n); j0 += 32) {
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int row = l % 32, d = 4 * (l / 32 + 4 * t);
      const float4 x = j0 + row < n ? G4(k + (j0 + row) * 64 + d) : (float4)0;
      ks[d][row] = x.x, ks[d + 1][row] = x.y, ks[d + 2][row] = x.z, ks[d + 3][row] = x.w;
      const int at = l / 16 + 8 * t;
      L4(&vs[at][4 * (l % 16)]) = j0 + at < n ? G4(v + (j0 + at) * 64 + 4 * (l % 16)) : (float4)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // s[c]: four rows' products with one key.
    float4 s[4] = {0, 0, 0, 0};
#pragma unroll 16
    for (int d = 0; d < 64; ++d) {
      const float4 a = L4(&qs[d][4 * ty]), b = L4(&ks[d][4 * tx]);
      s[0] += a * b.x, s[1] += a * b.y, s[2] += a * b.z, s[3] += a * b.w;
    }
    if (j0 + 31 > i0) {
      const int4 row = i0 + 4 * ty + (int4)(0, 1, 2, 3);
#pragma unroll
      for (int c = 0; c < 4; ++c) s[c] = select(s[c], (float4)-1e30f, (int4)(j0 + 4 * tx + c) > row);
    }
    L4(&part[tx][4 * ty]) = fmax(fmax(s[0], s[1]), fmax(s[2], s[3]));
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 higher = top;
#pragma unroll
    for (int t = 0; t < 8; ++t) higher = fmax(higher, L4(&part[t][4 * ty]));
    const float4 old = exp(top - higher);
    top = higher;
    total *= old;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      s[c] = exp(s[c] - top);
      total += s[c];
      L4(&ps[4 * tx + c][4 * ty]) = s[c];
    }
    acc[0][0] *= old.x, acc[0][1] *= old.x, acc[1][0] *= old.y, acc[1][1] *= old.y;
    acc[2][0] *= old.z, acc[2][1] *= old.z, acc[3][0] *= old.w, acc[3][1] *= old.w;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (int j = 0; j < 32; ++j) {
      const float4 p = L4(&ps[j][4 * ty]), x = L4(&vs[j][4 * tx]), y = L4(&vs[j][32 + 4 * tx]);
      acc[0][0] += p.x * x, acc[0][1] += p.x * y, acc[1][0] += p.y * x, acc[1][1] += p.y * y;
      acc[2][0] += p.z * x, acc[2][1] += p.z * y, acc[3][0] += p.w * x, acc[3][1] += p.w * y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  L4(&part[tx][4 * ty]) = total;
  barrier(CLK_LOCAL_MEM_FENCE);
  total = 0;
#pragma unroll
  for (int t = 0; t < 8; ++t) total += L4(&part[t][4 * ty]);
  const float by[4] = {1 / total.x, 1 / total.y, 1 / total.z, 1 / total.w};
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const int i = i0 + 4 * ty + t;
    if (i >= n) continue;
    *(__global float4*)(out + i * 64 + 4 * tx) = acc[t][0] * by[t];
    *(__global float4*)(out + i * 64 + 32 + 4 * tx) = acc[t][1] * by[t];
  }
}

//@ conv_transpose
// Each element of x stands for 2 x 2 results, which its 3 x 3 surroundings make. A work-item has two elements next to each other and eight
// channels; 32 x 8 elements a group, four channels of x a turn.
__kernel GROUP(16, 8) void conv_transpose(__global const float* restrict x, __global const float* restrict w, __global float* restrict out,
                                          int channels, int outs, int height, int width) {
  __local __attribute__((aligned(16))) float xs[4][10][36];
  __local __attribute__((aligned(16))) float ws[4][8][16];
  const int lx = get_local_id(0), ly = get_local_id(1), l = 16 * ly + lx, x0 = 32 * get_group_id(0), y0 = 8 * get_group_id(1),
            o0 = 8 * get_group_id(2);
  // s[o][row]: four results next to each other.
  float4 s[8][2];
#pragma unroll
  for (int o = 0; o < 8; ++o) s[o][0] = s[o][1] = 0;
  for (int c0 = 0; c0 < channels; c0 += 4) {
    for (int t = l; t < 4 * 340; t += 128) {
      const int c = t / 340, at = t % 340, y = y0 - 1 + at / 34, z = x0 - 1 + at % 34;
      xs[c][at / 34][at % 34] =
          c0 + c < channels && y >= 0 && y < height && z >= 0 && z < width ? x[((c0 + c) * height + y) * width + z] : 0;
    }
    {
      const int c = l / 32, o = l % 32 / 4;
      L4(&ws[c][o][4 * (l % 4)]) =
          c0 + c < channels && o0 + o < outs ? G4(w + ((c0 + c) * outs + o0 + o) * 16 + 4 * (l % 4)) : (float4)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float v[3][4];
#pragma unroll
      for (int r = 0; r < 3; ++r) {
        const float2 a = *(__local float2*)&xs[c][ly + r][2 * lx], b = *(__local float2*)&xs[c][ly + r][2 * lx + 2];
        v[r][0] = a.x, v[r][1] = a.y, v[r][2] = b.x, v[r][3] = b.y;
      }
#pragma unroll
      for (int o = 0; o < 8; ++o) {
        const float4 w0 = L4(&ws[c][o][0]), w1 = L4(&ws[c][o][4]), w2 = L4(&ws[c][o][8]), w3 = L4(&ws[c][o][12]);
        // Even results come from taps 1 and 3 of the element and of the one before, odd ones from taps 2 and 0 of it and of the next.
#define LINE(a, wa, b, wb)                                                                                      \
  (float4)(v[a][1] * wa.y + v[a][0] * wa.w + v[b][1] * wb.y + v[b][0] * wb.w,                                    \
           v[a][1] * wa.z + v[a][2] * wa.x + v[b][1] * wb.z + v[b][2] * wb.x,                                    \
           v[a][2] * wa.y + v[a][1] * wa.w + v[b][2] * wb.y + v[b][1] * wb.w,                                    \
           v[a][2] * wa.z + v[a][3] * wa.x + v[b][2] * wb.z + v[b][3] * wb.x)
        s[o][0] += LINE(1, w1, 0, w3);
        s[o][1] += LINE(1, w2, 2, w0);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int y = y0 + ly, z = x0 + 2 * lx;
  if (y >= height || z >= width) return;
#pragma unroll
  for (int o = 0; o < 8; ++o)
    if (o0 + o < outs) {
      __global float* to = out + ((o0 + o) * 2 * height + 2 * y) * 2 * width + 2 * z;
      *(__global float4*)to = s[o][0];
      *(__global float4*)(to + 2 * width) = s[o][1];
    }
}

//@ lu16
// Sixteen work-items a matrix, each with a column in registers; a turn's quotients go through local memory.
__kernel GROUP(64, 1) void lu16(__global const float* restrict a, __global float* restrict out, int n) {
  __local __attribute__((aligned(16))) float quotients[2][4][16];
  const int l = get_local_id(0), j = l % 16, part = l / 16, m = 4 * get_group_id(0) + part;
  const bool inside = m < n;
  float v[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) v[i] = inside ? a[m * 256 + 16 * i + j] : 1;
#pragma unroll
  for (int k = 0; k < 15; ++k) {
    __local float* f = quotients[k % 2][part];
    if (j == k) {
      const float by = 1 / v[k];
#pragma unroll
      for (int i = k + 1; i < 16; ++i) f[i] = v[i] = v[i] * by;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j > k) {
#pragma unroll
      for (int i = k + 1; i < 16; ++i) v[i] -= f[i] * v[k];
    }
  }
  if (!inside) return;
#pragma unroll
  for (int i = 0; i < 16; ++i) out[m * 256 + 16 * i + j] = v[i];
}

//@ gemm_i8
// 128 x 128 results a group, 8 x 8 a work-item, 32 bytes of each row a turn and two buffers; four products by one instruction where the
// device has it.
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
int dot4(int a, int b, int c) {
  int d;
  __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
#else
int dot4(int a, int b, int c) {
  const int4 p = convert_int4(as_char4(a)) * convert_int4(as_char4(b));
  return c + p.x + p.y + p.z + p.w;
}
#endif
void keep(__local int (*to)[132], int l, uint4 v) {
  const int row = l / 2, at = 4 * (l % 2);
  to[at][row] = v.x, to[at + 1][row] = v.y, to[at + 2][row] = v.z, to[at + 3][row] = v.w;
}
__kernel GROUP(256, 1) void gemm_i8(__global const uint4* restrict x, __global const uint4* restrict w, __global const float* restrict row_scale,
                                    __global const float* restrict column_scale, __global float* restrict out, int n, int m, int words16) {
  __local __attribute__((aligned(16))) int xs[2][8][132], ws[2][8][132];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, j0 = 128 * get_group_id(0), i0 = 128 * get_group_id(1);
  const int i = i0 + l / 2, j = j0 + l / 2;
  int s[8][8];
#pragma unroll
  for (int a = 0; a < 8; ++a)
#pragma unroll
    for (int b = 0; b < 8; ++b) s[a][b] = 0;
#define OF(from, row, rows, k) ((row) < (rows) && (k) + l % 2 < words16 ? from[(row) * words16 + (k) + l % 2] : (uint4)0)
  keep(xs[0], l, OF(x, i, n, 0));
  keep(ws[0], l, OF(w, j, m, 0));
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int k0 = 0; k0 < words16; k0 += 2) {
    const bool more = k0 + 2 < words16;
    uint4 vx = 0, vw = 0;
    if (more) vx = OF(x, i, n, k0 + 2), vw = OF(w, j, m, k0 + 2);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const int4 p = *(__local int4*)&xs[now][k][4 * ty], q = *(__local int4*)&xs[now][k][64 + 4 * ty];
      const int4 u = *(__local int4*)&ws[now][k][4 * tx], v = *(__local int4*)&ws[now][k][64 + 4 * tx];
      const int a[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w}, b[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
      for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int c = 0; c < 8; ++c) s[r][c] = dot4(a[r], b[c], s[r][c]);
    }
    if (more) {
      keep(xs[1 - now], l, vx);
      keep(ws[1 - now], l, vw);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    now = 1 - now;
  }
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int column = j0 + 4 * tx + 64 * h;
    if (column >= m) continue;
    const float4 by = G4(column_scale + column);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int row = i0 + 4 * ty + r % 4 + r / 4 * 64;
      if (row < n)
        *(__global float4*)(out + (size_t)row * m + column) =
            (float4)(s[r][4 * h], s[r][4 * h + 1], s[r][4 * h + 2], s[r][4 * h + 3]) * row_scale[row] * by;
    }
  }
}

//@ rbf
// |x|^2 + |y|^2 - 2 x y: the products as of matrices, 128 x 128 a group and 8 x 8 a work-item; the squares are summed by those who load.
__kernel GROUP(256, 1) void rbf(__global const float* restrict x, __global const float* restrict y, __global float* restrict out, float gamma,
                                int n, int m, int d) {
  __local __attribute__((aligned(16))) float xs[16][132], ys[16][132];
  __local float squares[2][128][4];
  __local float norms[2][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, j0 = 128 * get_group_id(0), i0 = 128 * get_group_id(1);
  float4 s[8][2];
  float of_x[2] = {0, 0}, of_y[2] = {0, 0};
#pragma unroll
  for (int t = 0; t < 8; ++t) s[t][0] = s[t][1] = 0;
  for (int k0 = 0; k0 < d; k0 += 16) {
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      const int row = l / 4 + 64 * t, k = 4 * (l % 4);
      const float4 a = i0 + row < n && k0 + k < d ? G4(x + (i0 + row) * d + k0 + k) : (float4)0;
      const float4 b = j0 + row < m && k0 + k < d ? G4(y + (j0 + row) * d + k0 + k) : (float4)0;
      of_x[t] += dot(a, a);
      of_y[t] += dot(b, b);
      xs[k][row] = a.x, xs[k + 1][row] = a.y, xs[k + 2][row] = a.z, xs[k + 3][row] = a.w;
      ys[k][row] = b.x, ys[k + 1][row] = b.y, ys[k + 2][row] = b.z, ys[k + 3][row] = b.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 p = L4(&xs[k][4 * ty]), q = L4(&xs[k][64 + 4 * ty]), u = L4(&ys[k][4 * tx]), v = L4(&ys[k][64 + 4 * tx]);
      s[0][0] += p.x * u, s[0][1] += p.x * v, s[1][0] += p.y * u, s[1][1] += p.y * v;
      s[2][0] += p.z * u, s[2][1] += p.z * v, s[3][0] += p.w * u, s[3][1] += p.w * v;
      s[4][0] += q.x * u, s[4][1] += q.x * v, s[5][0] += q.y * u, s[5][1] += q.y * v;
      s[6][0] += q.z * u, s[6][1] += q.z * v, s[7][0] += q.w * u, s[7][1] += q.w * v;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int t = 0; t < 2; ++t) squares[0][l / 4 + 64 * t][l % 4] = of_x[t], squares[1][l / 4 + 64 * t][l % 4] = of_y[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    __local float* of = squares[l / 128][l % 128];
    norms[l / 128][l % 128] = of[0] + of[1] + of[2] + of[3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    const int row = 4 * ty + t % 4 + t / 4 * 64;
    if (i0 + row >= n) continue;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int column = 4 * tx + 64 * h;
      if (j0 + column >= m) continue;
      const float4 of = (float4)(norms[1][column], norms[1][column + 1], norms[1][column + 2], norms[1][column + 3]);
      *(__global float4*)(out + (size_t)(i0 + row) * m + j0 + column) = exp(-gamma * fmax(norms[0][row] + of - 2 * s[t][h], 0.0f));
    }
  }
}

//@ wave3d
// Columns of 64 x 16 elements a group, four next to each other a work-item, which goes through 64 planes: nine elements across planes in
// registers, those of a plane in local memory.
#define GO(p) (*(__global float4*)(p))
__kernel GROUP(16, 16) void wave3d(__global const float* restrict old, __global const float* restrict now, __global const float* restrict speed,
                                   __global float* restrict new, __constant float* c, int depth, int height, int width) {
  __local __attribute__((aligned(16))) float plane[24][72];
  const int lx = get_local_id(0), ly = get_local_id(1), x = 4 + 4 * get_global_id(0), y = 4 + get_global_id(1), z0 = 4 + 64 * get_group_id(2);
  const bool loads = x < width && y < height, works = x < width - 4 && y < height - 4;
  const size_t step = (size_t)height * width;
  size_t at = z0 * step + y * width + x;
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
  float4 v[9];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k + 1] = loads ? G4(now + at + k * step - 4 * step) : (float4)0;
  const int end = min(z0 + 64, depth - 4);
  for (int z = z0; z < end; ++z, at += step) {
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = v[k + 1];
    if (loads) v[8] = G4(now + at + 4 * step);
    barrier(CLK_LOCAL_MEM_FENCE);
    L4(&plane[ly + 4][4 * lx + 4]) = v[4];
    if (loads && ly < 4) {
      L4(&plane[ly][4 * lx + 4]) = G4(now + at - 4 * width);
      if (y + 16 < height) L4(&plane[ly + 20][4 * lx + 4]) = G4(now + at + 16 * width);
    }
    if (loads && lx == 0) L4(&plane[ly + 4][0]) = G4(now + at - 4);
    if (loads && lx == 15 && x + 4 < width) L4(&plane[ly + 4][68]) = G4(now + at + 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!works) continue;
    const float4 l = L4(&plane[ly + 4][4 * lx]), m = v[4], r = L4(&plane[ly + 4][4 * lx + 8]);
#define ROW(k) L4(&plane[ly + 4 + (k)][4 * lx + 4])
    float4 s = c0 * m;
    s += c1 * (v[3] + v[5] + ROW(-1) + ROW(1) + (float4)(l.w, m.xyz) + (float4)(m.yzw, r.x));
    s += c2 * (v[2] + v[6] + ROW(-2) + ROW(2) + (float4)(l.zw, m.xy) + (float4)(m.zw, r.xy));
    s += c3 * (v[1] + v[7] + ROW(-3) + ROW(3) + (float4)(l.yzw, m.x) + (float4)(m.w, r.xyz));
    s += c4 * (v[0] + v[8] + ROW(-4) + ROW(4) + l + r);
    GO(new + at) = 2 * m - G4(old + at) + G4(speed + at) * s;
  }
}

//@ equalise
// Counters in local memory, one set for each 32 work-items; then each group of the last kernel sums the 256 counts up for itself.
__kernel GROUP(256, 1) void clear(__global int* restrict count) { count[get_global_id(0)] = 0; }
__kernel GROUP(256, 1) void histogram(__global const uint4* restrict a, __global int* restrict count, int n16) {
  __local int all[8][256];
  const int l = get_local_id(0);
#pragma unroll
  for (int k = 0; k < 8; ++k) all[k][l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local int* mine = all[l / 32];
  for (int i = get_global_id(0); i < n16; i += get_global_size(0)) {
    const uint4 v = a[i];
    const uint words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      atomic_inc(&mine[words[k] & 255]);
      atomic_inc(&mine[words[k] >> 8 & 255]);
      atomic_inc(&mine[words[k] >> 16 & 255]);
      atomic_inc(&mine[words[k] >> 24]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += all[k][l];
  if (s > 0) atomic_add(&count[l], s);
}
__kernel GROUP(256, 1) void equalise(__global const uint4* restrict a, __global const int* restrict count, __global uchar* restrict table,
                                     __global uint4* restrict out, int n16) {
  __local int sums[2][256];
  __local int lowest;
  __local uchar grey[256];
  const int l = get_local_id(0), own = count[l];
  if (l == 0) lowest = 256;
  sums[0][l] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own > 0) atomic_min(&lowest, l);
  int now = 0;
  for (int step = 1; step < 256; step *= 2) {
    sums[1 - now][l] = sums[now][l] + (l >= step ? sums[now][l - step] : 0);
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int low = l >= lowest ? count[lowest] : 0;
  grey[l] = (uchar)rint(255 * (float)(sums[now][l] - low) / (float)(16 * n16 - low));
  if (get_group_id(0) == 0) table[l] = grey[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n16; i += get_global_size(0)) {
    const uint4 v = a[i];
    const uint words[4] = {v.x, v.y, v.z, v.w};
    uint o[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      o[k] = grey[words[k] & 255] | grey[words[k] >> 8 & 255] << 8 | grey[words[k] >> 16 & 255] << 16 | (uint)grey[words[k] >> 24] << 24;
    out[i] = (uint4)(o[0], o[1], o[2], o[3]);
  }
}

//@ jacobi_residual
// Four columns a work-item, which goes down sixteen rows with three of them in registers. The largest difference of a group goes to the
// whole one as bits, which are ordered as the numbers are.
__kernel void clear(__global float* restrict error) { *error = 0; }
__kernel GROUP(64, 4) void jacobi_residual(__global const float* restrict u, __global const float* restrict f, __global float* restrict v,
                                           __global int* restrict error, float h2, int h, int w) {
  __local float all[256];
  const int l = get_local_id(0) + 64 * get_local_id(1), j = 4 * get_global_id(0), i0 = 1 + 16 * get_global_id(1);
  float4 worst = 0;
  if (j < w && i0 < h - 1) {
    int at = i0 * w + j;
    float4 a = G4(u + at - w), b = G4(u + at);
    const bool first = j == 0, last = j + 4 >= w;
    const int end = min(i0 + 16, h - 1);
#pragma unroll 4
    for (int i = i0; i < end; ++i, at += w) {
      const float4 c = G4(u + at + w);
      const float left = first ? 0 : u[at - 1], right = last ? 0 : u[at + 4];
      float4 t = (a + c + (float4)(left, b.xyz) + (float4)(b.yzw, right) - h2 * G4(f + at)) * 0.25f;
      if (first || last) {
        if (first) t.x = b.x;
        if (last) t.w = b.w;
        if (!first) v[at] = t.x;
        v[at + 1] = t.y, v[at + 2] = t.z;
        if (!last) v[at + 3] = t.w;
      } else {
        *(__global float4*)(v + at) = t;
      }
      worst = fmax(worst, fabs(t - b));
      a = b, b = c;
    }
  }
  all[l] = fmax(fmax(worst.x, worst.y), fmax(worst.z, worst.w));
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] = fmax(all[l], all[l + step]);
  }
  if (l == 0) atomic_max(error, as_int(all[0]));
}

//@ lbm3d
// A cell a work-item, neighbours along a row; all directions written out, and those that are opposite share what is even.
#define IN(q, dx, dy, dz) f[(q) * all + at - ((dz) * height + (dy)) * width - (dx)]
#define OUT(q, v, e) g[(q) * all + at] = v + omega * ((e) - v)
#define PAIR(q, v, opposite, weight, along)               \
  {                                                       \
    const float cu = 3 * (along);                         \
    const float even = (weight) * (base + 0.5f * cu * cu * rho), odd = (weight) * rho * cu; \
    OUT(q, v, even + odd);                                \
    OUT(q + 1, opposite, even - odd);                     \
  }
__kernel GROUP(128, 1) void lbm3d(__global const float* restrict f, __global float* restrict g, float omega, int depth, int height, int width) {
  const int x = 1 + get_global_id(0), y = 1 + get_global_id(1), z = 1 + get_global_id(2);
  if (x >= width - 1) return;
  const int all = depth * height * width, at = (z * height + y) * width + x;
  const float r = IN(0, 0, 0, 0);
  const float e = IN(1, 1, 0, 0), w = IN(2, -1, 0, 0), n = IN(3, 0, 1, 0), s = IN(4, 0, -1, 0), t = IN(5, 0, 0, 1), b = IN(6, 0, 0, -1);
  const float ne = IN(7, 1, 1, 0), sw = IN(8, -1, -1, 0), se = IN(9, 1, -1, 0), nw = IN(10, -1, 1, 0);
  const float te = IN(11, 1, 0, 1), bw = IN(12, -1, 0, -1), be = IN(13, 1, 0, -1), tw = IN(14, -1, 0, 1);
  const float tn = IN(15, 0, 1, 1), bs = IN(16, 0, -1, -1), bn = IN(17, 0, 1, -1), ts = IN(18, 0, -1, 1);
  const float rho = r + e + w + n + s + t + b + ne + sw + se + nw + te + bw + be + tw + tn + bs + bn + ts, by = 1 / rho;
  const float ux = (e - w + ne - sw + se - nw + te - bw + be - tw) * by;
  const float uy = (n - s + ne - sw - se + nw + tn - bs + bn - ts) * by;
  const float uz = (t - b + te - bw - be + tw + tn - bs - bn + ts) * by;
  const float base = rho * (1 - 1.5f * (ux * ux + uy * uy + uz * uz));
  OUT(0, r, base / 3);
  PAIR(1, e, w, 1.0f / 18, ux)
  PAIR(3, n, s, 1.0f / 18, uy)
  PAIR(5, t, b, 1.0f / 18, uz)
  PAIR(7, ne, sw, 1.0f / 36, ux + uy)
  PAIR(9, se, nw, 1.0f / 36, ux - uy)
  PAIR(11, te, bw, 1.0f / 36, ux + uz)
  PAIR(13, be, tw, 1.0f / 36, ux - uz)
  PAIR(15, tn, bs, 1.0f / 36, uy + uz)
  PAIR(17, bn, ts, 1.0f / 36, uy - uz)
}

//@ aes
// One of the four tables in local memory, 32 copies of it, so that no two work-items meet in a bank; the others are rotations of it, and
// the substitution is its second byte. Eight blocks a work-item.
#define T(v) t[(v) & 255][lane]
#define TURN(a, b, c, d, k) (T(a >> 24) ^ rotate(T(b >> 16), 24u) ^ rotate(T(c >> 8), 16u) ^ rotate(T(d), 8u) ^ key[k])
#define S(v) (T(v) >> 8 & 255)
#define LAST(a, b, c, d, k) ((S(a >> 24) << 24 | S(b >> 16) << 16 | S(c >> 8) << 8 | S(d)) ^ key[k])
__kernel GROUP(256, 1) void aes(__global const uint4* restrict text, __global const uint* restrict te, __constant uint* key,
                                __global uint4* restrict out, int n) {
  __local uint t[256][32];
  const int l = get_local_id(0), lane = l % 32;
  for (int k = l; k < 8192; k += 256) t[k / 32][lane] = te[k / 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 2048 * get_group_id(0) + l; i < min(n, 2048 * ((int)get_group_id(0) + 1)); i += 256) {
    const uint4 v = text[i];
    uint a = v.x ^ key[0], b = v.y ^ key[1], c = v.z ^ key[2], d = v.w ^ key[3];
#pragma unroll
    for (int r = 1; r < 10; ++r) {
      const uint w = TURN(a, b, c, d, 4 * r), x = TURN(b, c, d, a, 4 * r + 1), y = TURN(c, d, a, b, 4 * r + 2), z = TURN(d, a, b, c, 4 * r + 3);
      a = w, b = x, c = y, d = z;
    }
    out[i] = (uint4)(LAST(a, b, c, d, 40), LAST(b, c, d, a, 41), LAST(c, d, a, b, 42), LAST(d, a, b, c, 43));
  }
}

//@ find_pattern
// Sixteen places a work-item: eight letters are compared as two words, the others where these are equal. Patterns have eight letters and
// more.
__kernel GROUP(256, 1) void find_pattern(__global const uchar* restrict text, __constant uchar* pattern, __global uint4* restrict found,
                                         int n, int m) {
  const int i = 16 * get_global_id(0);
  if (i >= n) return;
  const uint4 here = *(__global const uint4*)(text + i);
  const uint2 next = i + 16 < n ? *(__global const uint2*)(text + i + 16) : (uint2)0;
  const uint w[6] = {here.x, here.y, here.z, here.w, next.x, next.y};
  const uint p = pattern[0] | pattern[1] << 8 | pattern[2] << 16 | (uint)pattern[3] << 24;
  const uint q = pattern[4] | pattern[5] << 8 | pattern[6] << 16 | (uint)pattern[7] << 24;
  uint x[5], o[4] = {0, 0, 0, 0};
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    // The four letters at each fourth place, of which two that follow each other are compared.
#pragma unroll
    for (int k = 0; k < 5; ++k) x[k] = r == 0 ? w[k] : w[k] >> 8 * r | w[k + 1] << (32 - 8 * r) % 32;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (x[k] == p && x[k + 1] == q) {
        const int at = i + 4 * k + r;
        if (at + m > n) continue;
        int c = 8;
        while (c < m && text[at + c] == pattern[c]) ++c;
        if (c == m) o[k] |= 1u << 8 * r;
      }
  }
  found[get_global_id(0)] = (uint4)(o[0], o[1], o[2], o[3]);
}

//@ hamming_match
// Two queries a work-item in registers, 256 candidates at a time in local memory; the candidates are shared by groups, which join their
// best as distance and place in one word.
__kernel GROUP(256, 1) void clear(__global uint* restrict best, int n) {
  if (get_global_id(0) < n) best[get_global_id(0)] = 0xffffffffu;
}
__kernel GROUP(128, 1) void hamming_match(__global const uint4* restrict query, __global const uint4* restrict train, __global uint* restrict best,
                                          int n, int m, int share) {
  __local uint4 all[512];
  const int l = get_local_id(0), i = 256 * get_group_id(0) + l, from = share * get_group_id(1), to = min(m, from + share);
  const int p = min(i, n - 1), q = min(i + 128, n - 1);
  const uint4 p0 = query[2 * p], p1 = query[2 * p + 1], q0 = query[2 * q], q1 = query[2 * q + 1];
  uint least_p = 0xffffffffu, least_q = 0xffffffffu;
  for (int j0 = from; j0 < to; j0 += 256) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int t = 0; t < 4; ++t)
      if (j0 + l / 2 + 64 * t < to) all[l + 128 * t] = train[2 * j0 + l + 128 * t];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int count = min(256, to - j0);
#pragma unroll 4
    for (int j = 0; j < count; ++j) {
      const uint4 a = all[2 * j], b = all[2 * j + 1];
      const uint4 u = popcount(p0 ^ a) + popcount(p1 ^ b), v = popcount(q0 ^ a) + popcount(q1 ^ b);
      least_p = min(least_p, (u.x + u.y + u.z + u.w) << 20 | (uint)(j0 + j));
      least_q = min(least_q, (v.x + v.y + v.z + v.w) << 20 | (uint)(j0 + j));
    }
  }
  if (i < n) atomic_min(&best[i], least_p);
  if (i + 128 < n) atomic_min(&best[i + 128], least_q);
}
__kernel GROUP(256, 1) void parts(__global const uint* restrict best, __global int* restrict distance, __global int* restrict place, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  distance[i] = best[i] >> 20;
  place[i] = best[i] & 0xfffff;
}

//@ embedding_bag
// 32 work-items a bag with four columns each; eight rows of the table are on their way at a time.
__kernel GROUP(32, 4) void embedding_bag(__global const float4* restrict table, __global const int* restrict start, __global const int* restrict word,
                                         __global float4* restrict out, int bags, int wide) {
  const int d = get_global_id(0), b = get_global_id(1);
  if (b >= bags || d >= wide) return;
  const int end = start[b + 1];
  int k = start[b];
  float4 s = 0;
  for (; k + 8 <= end; k += 8) {
    float4 v[8];
#pragma unroll
    for (int t = 0; t < 8; ++t) v[t] = table[(size_t)word[k + t] * wide + d];
#pragma unroll
    for (int t = 0; t < 8; ++t) s += v[t];
  }
  for (; k < end; ++k) s += table[(size_t)word[k] * wide + d];
  out[(size_t)b * wide + d] = s;
}

//@ merge
// Merge path: 2048 results a group. Two work-items find by halving where the results of the group begin and end in the sources; these
// parts are in local memory, where each work-item finds and merges eight. Results are stored next to each other.
int path(__global const int* a, __global const int* b, int n, int m, int at) {
  int lo = max(0, at - m), hi = min(at, n);
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (a[mid] <= b[at - 1 - mid])
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
__kernel GROUP(256, 1) void merge(__global const int* restrict a, __global const int* restrict b, __global int* restrict out, int n, int m) {
  __local int all[2048 + 256], edge[2];
  const int l = get_local_id(0), base = 2048 * get_group_id(0), count = min(2048, n + m - base);
  if (l < 2) edge[l] = path(a, b, n, m, base + count * l);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int a0 = edge[0], na = edge[1] - a0, b0 = base - a0, nb = count - na;
  for (int k = l; k < count; k += 256) all[k] = k < na ? a[a0 + k] : b[b0 + k - na];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int at = min(8 * l, count);
  int lo = max(0, at - nb), hi = min(at, na);
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (all[mid] <= all[na + at - 1 - mid])
      lo = mid + 1;
    else
      hi = mid;
  }
  int i = lo, j = at - lo, v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const bool of_a = i < na && (j >= nb || all[i] <= all[na + j]);
    const int from = of_a ? i : na + j;
    v[k] = from < count ? all[from] : 0;
    i += of_a;
    j += !of_a;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // A gap after each eight: the work-items of a turn are in different banks.
#pragma unroll
  for (int k = 0; k < 8; ++k) all[9 * l + k] = v[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < count; k += 256) out[base + k] = all[k + k / 8];
}

//@ nearest8
// A query a work-item, its eight best in registers: what is closer than the last takes its place and changes places with those before it.
__kernel GROUP(128, 1) void nearest8(__global const float* restrict query, __global const float* restrict point, __global float4* restrict distance,
                                     __global int4* restrict place, int n, int m) {
  __local float4 all[512];
  const int l = get_local_id(0), i = get_global_id(0), from = min(i, n - 1);
  const float x = query[3 * from], y = query[3 * from + 1], z = query[3 * from + 2];
  float d[8];
  int p[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) d[k] = 1e30f, p[k] = 0;
  for (int j0 = 0; j0 < m; j0 += 512) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int count = min(512, m - j0);
    for (int k = l; k < count; k += 128) all[k] = (float4)(vload3(j0 + k, point), 0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (int j = 0; j < count; ++j) {
      const float4 v = all[j];
      const float dx = v.x - x, dy = v.y - y, dz = v.z - z, r = dx * dx + dy * dy + dz * dz;
      if (r < d[7]) {
        d[7] = r, p[7] = j0 + j;
#pragma unroll
        for (int k = 7; k > 0; --k) {
          const bool closer = d[k] < d[k - 1];
          const float near = closer ? d[k] : d[k - 1], far = closer ? d[k - 1] : d[k];
          const int a = closer ? p[k] : p[k - 1], b = closer ? p[k - 1] : p[k];
          d[k - 1] = near, d[k] = far, p[k - 1] = a, p[k] = b;
        }
      }
    }
  }
  if (i >= n) return;
  distance[2 * i] = sqrt((float4)(d[0], d[1], d[2], d[3]));
  distance[2 * i + 1] = sqrt((float4)(d[4], d[5], d[6], d[7]));
  place[2 * i] = (int4)(p[0], p[1], p[2], p[3]);
  place[2 * i + 1] = (int4)(p[4], p[5], p[6], p[7]);
}

//@ implied_volatility
// An option a work-item; what does not change is outside of the loop, and quotients with the square root of time are products.
__kernel GROUP(128, 1) void implied_volatility(__global const double* restrict price, __global const double* restrict spot,
                                               __global const double* restrict strike, __global const double* restrict time,
                                               __global double* restrict out, double rate, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const double s = spot[i], t = time[i], k = strike[i] * exp(-rate * t), root = sqrt(t), wanted = price[i] - 0.5 * (s - k);
  const double m = log(s / k) / root, by = 1 / (s * root * 0.3989422804014327), half_s = 0.5 * s, half_k = 0.5 * k;
  double v = 0.3;
  for (int turn = 0; turn < 20; ++turn) {
    const double d1 = m / v + 0.5 * v * root, d2 = d1 - v * root;
    const double guess = half_s * erf(d1 * 0.7071067811865476) - half_k * erf(d2 * 0.7071067811865476);
    const double step = (guess - wanted) * by * exp(0.5 * d1 * d1);
    v -= step;
    if (fabs(step) < 1e-9) break;
  }
  out[i] = v;
}
