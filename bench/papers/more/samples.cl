// Filters, fields, random numbers, sequences, lists, eigenvalues, votes and samples by hand: windows in registers, tiles and counters in
// local memory, several results a work-item, vector loads. Widths of matrices are multiples of four.
#define G4(p) (*(__global const float4*)(p))
#define GO(p) (*(__global float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

//@ convolution_separable
// One pass: four columns a work-item, which goes down a strip of rows with the 16 sums of its column that are not complete in registers. A
// row adds to each of them while they move up.
__kernel GROUP(64, 1) void convolution_separable(__global const float* restrict a, __constant float* w, __global float* restrict mid,
                                                 __global float* restrict out, int h, int width, int strip) {
  const int j = 4 * get_global_id(0), i0 = strip * get_group_id(1), rows = min(strip, h - i0), from = width + 16;
  if (j >= width) return;
  // The last strip has the rows of `mid` below those of `out`, too.
  const int kept = i0 + strip >= h ? rows + 16 : rows;
  a += i0 * from + j, mid += i0 * width + j, out += (i0 - 16) * width + j;
  float4 s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0;
#pragma unroll 2
  for (int r = 0; r < rows + 16; ++r) {
    float x[20];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
      const float4 v = G4(a + 4 * k);
      x[4 * k] = v.x, x[4 * k + 1] = v.y, x[4 * k + 2] = v.z, x[4 * k + 3] = v.w;
    }
    float4 v = 0;
#pragma unroll
    for (int k = 0; k < 17; ++k) v += w[k] * (float4)(x[k], x[k + 1], x[k + 2], x[k + 3]);
    if (r < kept) GO(mid) = v;
    if (r >= 16) GO(out) = s[0] + w[16] * v;
#pragma unroll
    for (int k = 0; k < 15; ++k) s[k] = s[k + 1] + w[15 - k] * v;
    s[15] = w[0] * v;
    a += from, mid += width, out += width;
  }
}

//@ non_local_means
// 64 x 16 pixels a group, 4 x 2 a work-item. For an offset the squares of 6 x 4 differences are summed along rows first, for all eight
// patches; the rows of the window are in registers for its eleven columns.
__kernel GROUP(16, 8) void non_local_means(__global const float* restrict a, __global float* restrict out, float strength, int h, int w) {
  __local __attribute__((aligned(16))) float tile[28][80];
  const int lx = get_local_id(0), ly = get_local_id(1), l = 16 * ly + lx, x0 = 64 * get_group_id(0), y0 = 6 + 16 * get_group_id(1);
  for (int t = l; t < 28 * 20; t += 128) {
    const int y = y0 - 6 + t / 20, x = x0 - 8 + 4 * (t % 20);
    L4(&tile[t / 20][4 * (t % 20)]) = y < h && x >= 0 && x < w ? G4(a + y * w + x) : (float4)0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int x = x0 + 4 * lx, y = y0 + 2 * ly;
  if (x >= w || y >= h - 6) return;
  const float by = -1.44269504f * strength;
  float c[4][6], s[2][4], total[2][4];
#pragma unroll
  for (int r = 0; r < 4; ++r)
#pragma unroll
    for (int e = 0; e < 6; ++e) c[r][e] = tile[5 + 2 * ly + r][7 + 4 * lx + e];
#pragma unroll
  for (int p = 0; p < 2; ++p)
#pragma unroll
    for (int q = 0; q < 4; ++q) s[p][q] = total[p][q] = 0;
#pragma unroll 1
  for (int dy = 0; dy < 11; ++dy) {
    float v[4][20];
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int k = 0; k < 5; ++k) {
        const float4 t = L4(&tile[2 * ly + dy + r][4 * (lx + k)]);
        v[r][4 * k] = t.x, v[r][4 * k + 1] = t.y, v[r][4 * k + 2] = t.z, v[r][4 * k + 3] = t.w;
      }
#pragma unroll
    for (int dx = 0; dx < 11; ++dx) {
      float row[4][4];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        float d[6];
#pragma unroll
        for (int e = 0; e < 6; ++e) {
          const float t = c[r][e] - v[r][2 + dx + e];
          d[e] = t * t;
        }
        const float left = d[1] + d[2], right = d[3] + d[4];
        row[r][0] = d[0] + left, row[r][1] = left + d[3], row[r][2] = d[2] + right, row[r][3] = right + d[5];
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const float both = row[1][q] + row[2][q];
#pragma unroll
        for (int p = 0; p < 2; ++p) {
          const float weight = native_exp2(by * (both + row[3 * p][q]));
          total[p][q] += weight;
          s[p][q] += weight * v[1 + p][3 + dx + q];
        }
      }
    }
  }
#pragma unroll
  for (int p = 0; p < 2; ++p) {
    if (y + p >= h - 6) continue;
    __global float* to = out + (y + p) * w + x;
    float o[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) o[q] = s[p][q] / total[p][q];
    if (x >= 6 && x + 4 <= w - 6) {
      GO(to) = (float4)(o[0], o[1], o[2], o[3]);
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q)
        if (x + q >= 6 && x + q < w - 6) to[q] = o[q];
    }
  }
}

//@ semi_lagrangian
// 32 x 32 elements a group, four a work-item; what they read is near what their neighbours read.
__kernel GROUP(32, 8) void semi_lagrangian(__global const float* restrict q, __global const float* restrict u, __global const float* restrict v,
                                           __global float* restrict out, float dt, int h, int w) {
  const int j = get_global_id(0), i0 = 32 * get_group_id(1) + get_local_id(1);
  if (j >= w) return;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int i = i0 + 8 * r;
    if (i >= h) continue;
    const int at = i * w + j;
    const float y = clamp(i - dt * v[at], 0.0f, (float)(h - 1)), x = clamp(j - dt * u[at], 0.0f, (float)(w - 1));
    const int y0 = min((int)y, h - 2), x0 = min((int)x, w - 2);
    const float fy = y - y0, fx = x - x0;
    __global const float* p = q + y0 * w + x0;
    const float top = (1 - fx) * p[0] + fx * p[1], low = (1 - fx) * p[w] + fx * p[w + 1];
    out[at] = (1 - fy) * top + fy * low;
  }
}

//@ sobol
// 16384 points of a dimension a group, 16 x 4 a work-item. The number of a point is the xor of one word for each bit of its index (not of
// its Gray code), so that points of a work-item differ by the words of a few bits.
__kernel GROUP(256, 1) void sobol(__global const uint* restrict direction, __global float* restrict out, int n) {
  __local uint word[32], step[16];
  const int l = get_local_id(0), i0 = 16384 * get_group_id(0);
  direction += 32 * get_group_id(1), out += get_group_id(1) * n;
  if (l < 32) word[l] = direction[l] ^ (l > 0 ? direction[l - 1] : 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    uint s = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) s ^= l >> k & 1 ? word[10 + k] : 0;
    step[l] = s;
  }
  uint x = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) x ^= l >> k & 1 ? word[2 + k] : 0;
  for (int k = 14; i0 >> k > 0; ++k) x ^= i0 >> k & 1 ? word[k] : 0;
  const uint4 four = x ^ (uint4)(0, word[0], word[1], word[0] ^ word[1]);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int s = 0; s < 16; ++s) {
    const int i = i0 + 1024 * s + 4 * l;
    if (i < n) GO(out + i) = convert_float4((four ^ step[s]) >> 8) * 5.9604645e-8f;
  }
}

//@ viterbi
// 32 work-items a sequence, each with a state and its column of the transitions in registers; scores go through local memory, and four
// parts of the 32 are compared at once.
__kernel GROUP(128, 1) void viterbi(__global const float* restrict step, __global const float* restrict emit, __global const int* restrict seen,
                                    __global int* restrict back, __global float* restrict best, int n, int steps) {
  __local __attribute__((aligned(16))) float score[2][4][32];
  __local float of[16][32];
  const int l = get_local_id(0), j = l % 32, part = l / 32, b = 4 * get_group_id(0) + part;
  const bool inside = b < n;
  seen += min(b, n - 1) * steps, back += (min(b, n - 1) * steps) * 32 + j;
#pragma unroll
  for (int t = l; t < 512; t += 128) of[t % 16][t / 16] = emit[t];
  float to[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) to[i] = step[32 * i + j];
  score[0][part][j] = 0;
  int what = seen[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = 0; t < steps; ++t) {
    const int next = seen[min(t + 1, steps - 1)];
    __local const float* s = score[t % 2][part];
    float top[4];
    int at[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const float4 u = *(__local const float4*)(s + 8 * q), w = *(__local const float4*)(s + 8 * q + 4);
      const float v[8] = {u.x, u.y, u.z, u.w, w.x, w.y, w.z, w.w};
      top[q] = v[0] + to[8 * q], at[q] = 8 * q;
#pragma unroll
      for (int k = 1; k < 8; ++k) {
        const float x = v[k] + to[8 * q + k];
        at[q] = x > top[q] ? 8 * q + k : at[q];
        top[q] = fmax(x, top[q]);
      }
    }
#pragma unroll
    for (int q = 1; q < 4; ++q) {
      at[0] = top[q] > top[0] ? at[q] : at[0];
      top[0] = fmax(top[q], top[0]);
    }
    score[1 - t % 2][part][j] = top[0] + of[what][j];
    if (inside) back[32 * t] = at[0];
    what = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (j == 0 && inside) {
    __local const float* s = score[steps % 2][part];
    float top = s[0];
#pragma unroll
    for (int k = 1; k < 32; ++k) top = fmax(top, s[k]);
    best[b] = top;
  }
}

//@ dtw
// Four work-items a pair, each with 32 columns in registers and a row behind the one on its left, whose last element goes through local
// memory. 32 pairs a group.
__kernel GROUP(128, 1) void dtw(__global const float* restrict a, __global const float* restrict b, __global float* restrict out, int n) {
  __local float as[32][132];
  __local float edge[2][128];
  const int l = get_local_id(0), pair = l / 4, k = l % 4, p0 = 32 * get_group_id(0), p = p0 + pair;
#pragma unroll 8
  for (int t = 0; t < 32; ++t) as[t][l] = a[min(p0 + t, n - 1) * 128 + l];
  float c[32], row[32];
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    const float4 v = G4(b + min(p, n - 1) * 128 + 32 * k + 4 * t);
    c[4 * t] = v.x, c[4 * t + 1] = v.y, c[4 * t + 2] = v.z, c[4 * t + 3] = v.w;
  }
#pragma unroll
  for (int t = 0; t < 32; ++t) row[t] = 1e30f;
  float corner = k == 0 ? 0 : 1e30f;
  for (int s = 0; s < 131; ++s) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = s - k;
    if (i >= 0 && i < 128) {
      const float x = as[pair][i], before = k == 0 ? 1e30f : edge[1 - s % 2][l - 1];
      float left = before;
#pragma unroll
      for (int t = 0; t < 32; ++t) {
        const float up = row[t];
        left = fabs(x - c[t]) + fmin(fmin(corner, up), left);
        corner = up;
        row[t] = left;
      }
      corner = before;
      edge[s % 2][l] = left;
    }
  }
  if (k == 3 && p < n) out[p] = row[31];
}

//@ compaction
// One pass: groups take blocks of 4096 elements in order, and each adds what the blocks in front of it have told: a word with the number of
// its own or, in bit 31, of all so far. What is kept goes through local memory.
__kernel void clear(__global uint* restrict state, int n) {
  const int i = get_global_id(0);
  if (i < n) state[i] = 0;
}
__kernel GROUP(256, 1) void compaction(__global const float4* restrict x, __global float* restrict out, __global int* restrict count,
                                       volatile __global uint* state, float limit, int n4) {
  __local float kept[4096];
  __local ulong sums[2][256];
  __local uint seen[32], own;
  const int l = get_local_id(0);
  if (l == 0) own = atomic_inc(state);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int block = own;
  // Four rows of 1024 elements, whose numbers are scanned at once, of 16 bits each.
  float4 v[4];
  ulong mine = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = 1024 * block + 256 * k + l;
    v[k] = i < n4 ? x[i] : (float4)limit;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    mine |= (ulong)((v[k].x > limit) + (v[k].y > limit) + (v[k].z > limit) + (v[k].w > limit)) << 16 * k;
  ulong s = mine;
  int now = 0;
  sums[0][l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int step = 1; step < 256; step *= 2) {
    if (l >= step) s += sums[now][l - step];
    now = 1 - now;
    sums[now][l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const ulong rows = sums[now][255];
  s -= mine;
  int all = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int at = all + (int)(s >> 16 * k & 0xffff);
    if (v[k].x > limit) kept[at++] = v[k].x;
    if (v[k].y > limit) kept[at++] = v[k].y;
    if (v[k].z > limit) kept[at++] = v[k].z;
    if (v[k].w > limit) kept[at++] = v[k].w;
    all += (int)(rows >> 16 * k & 0xffff);
  }
  if (l == 0) atomic_xchg(state + 1 + block, (block == 0 ? 0x80000000u : 0x40000000u) | all);
  uint before = 0;
  bool found = block == 0;
  for (int at = block; !found; at -= 32) {
    if (l < 32) {
      uint word = 0x80000000u;
      if (at - l > 0)
        for (word = state[at - l]; word == 0;) word = state[at - l];
      seen[l] = word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32 && !found; ++k) {
      before += seen[k] & 0x3fffffff;
      found = seen[k] >> 31;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    if (block > 0) atomic_xchg(state + 1 + block, 0x80000000u | (before + all));
    if (1024 * (block + 1) >= n4) *count = before + all;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = l; t < all; t += 256) out[before + t] = kept[t];
}

//@ segmented_sum
// Eight work-items a segment, with whole vectors; elements of others are left out at both ends.
__kernel GROUP(256, 1) void segmented_sum(__global const float4* restrict x, __global const int* restrict start, __global float* restrict out,
                                          int n) {
  __local __attribute__((aligned(16))) float part[256];
  const int l = get_local_id(0), segment = 32 * get_group_id(0) + l / 8;
  float4 s = 0;
  if (segment < n) {
    const int begin = start[segment], end = start[segment + 1], first = begin / 4, last = (end + 3) / 4;
#pragma unroll 4
    for (int k = first + l % 8; k < last; k += 8) {
      float4 v = x[k];
      if (k == first || k == last - 1) {
        const int4 i = 4 * k + (int4)(0, 1, 2, 3);
        v = select((float4)0, v, (i >= (int4)begin) & (i < (int4)end));
      }
      s += v;
    }
  }
  part[l] = (s.x + s.y) + (s.z + s.w);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int mine = 32 * get_group_id(0) + l;
  if (l < 32 && mine < n) {
    const float4 t = L4(part + 8 * l) + L4(part + 8 * l + 4);
    out[mine] = (t.x + t.y) + (t.z + t.w);
  }
}

//@ sturm
// A matrix of 256 a group, in local memory. The first eight turns of all eigenvalues are at the same 255 places, which the work-items count
// once.
int below(__local const float4* row, float x) {
  int count = 0;
  float q = 1;
#pragma unroll 8
  for (int i = 0; i < 128; ++i) {
    const float4 two = row[i];
    q = (two.x - x) - native_divide(two.y, q);
    count += as_uint(q) >> 31;
    q = (two.z - x) - native_divide(two.w, q);
    count += as_uint(q) >> 31;
  }
  return count;
}
__kernel GROUP(256, 1) void sturm(__global const float* restrict d, __global const float* restrict e2, __global float* restrict out, float low,
                                  float high) {
  __local __attribute__((aligned(16))) float2 row[256];
  __local int counts[256];
  const int k = get_local_id(0), at = 256 * get_group_id(0) + k;
  const float step = (high - low) * 0.00390625f;
  row[k] = (float2)(d[at], e2[at]);
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[k] = below((__local const float4*)row, low + step * k);
  barrier(CLK_LOCAL_MEM_FENCE);
  int cell = 0;
#pragma unroll
  for (int by = 128; by > 0; by /= 2) cell += counts[cell + by] <= k ? by : 0;
  float lo = low + step * cell, hi = lo + step;
  for (int turn = 8; turn < 24; ++turn) {
    const float x = (lo + hi) * 0.5f;
    const bool more = below((__local const float4*)row, x) > k;
    hi = more ? x : hi;
    lo = more ? lo : x;
  }
  out[at] = (lo + hi) * 0.5f;
}

//@ lstm_cell
// One product of matrices, [x h] times [wx; wh]: 128 rows and 32 units a group, 8 rows and 2 units a work-item with the four gates as a
// vector; 16 elements of a row a turn and two buffers. The gates of a unit meet in its work-item's registers.
void keep_rows(__local float (*to)[132], int l, const float4* v) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
    const int row = l / 4 + 64 * t, k = 4 * (l % 4);
    to[k][row] = v[t].x, to[k + 1][row] = v[t].y, to[k + 2][row] = v[t].z, to[k + 3][row] = v[t].w;
  }
}
void keep_weights(__local float (*to)[132], int l, const float4* v) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
    __local float* p = to[l / 32 + 8 * t] + 16 * (l / 4 % 8) + l % 4;
    p[0] = v[t].x, p[4] = v[t].y, p[8] = v[t].z, p[12] = v[t].w;
  }
}
float gate(float x) { return 1 / (1 + exp(-x)); }
float turned(float x) { return 2 / (1 + exp(-2 * x)) - 1; }
__kernel GROUP(256, 1) void lstm_cell(__global const float* restrict x, __global const float* restrict h, __global const float* restrict c,
                                      __global const float* restrict wx, __global const float* restrict wh, __global const float* restrict b,
                                      __global float* restrict new_c, __global float* restrict new_h, int rows, int inputs, int n) {
  __local __attribute__((aligned(16))) float xs[2][16][132], ws[2][16][132];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, j0 = 32 * get_group_id(0), i0 = 128 * get_group_id(1);
  const int column = j0 + 4 * (l / 4 % 8), from = n * (l % 4) + column;
  // s[row][unit]: sums for its four gates.
  float4 s[8][2];
#pragma unroll
  for (int r = 0; r < 8; ++r) s[r][0] = s[r][1] = 0;
  const int turns = (inputs + 15) / 16, all = turns + (n + 15) / 16;
  float4 vx[2], vw[2];
#define FETCH(turn)                                                                                            \
  {                                                                                                            \
    const bool second = (turn) >= turns;                                                                       \
    __global const float* left = second ? h : x;                                                               \
    __global const float* right = second ? wh : wx;                                                            \
    const int width = second ? n : inputs, k0 = 16 * ((turn) - (second ? turns : 0));                          \
    for (int t = 0; t < 2; ++t) {                                                                              \
      const int row = i0 + l / 4 + 64 * t, k = k0 + 4 * (l % 4), line = k0 + l / 32 + 8 * t;                   \
      vx[t] = row < rows && k < width ? G4(left + row * width + k) : (float4)0;                                \
      vw[t] = column < n && line < width ? G4(right + line * 4 * n + from) : (float4)0;                        \
    }                                                                                                          \
  }
  FETCH(0)
  keep_rows(xs[0], l, vx);
  keep_weights(ws[0], l, vw);
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int turn = 1; turn <= all; ++turn) {
    if (turn < all) FETCH(turn)
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 p = L4(&xs[now][k][4 * ty]), q = L4(&xs[now][k][64 + 4 * ty]), u = L4(&ws[now][k][4 * tx]), v = L4(&ws[now][k][64 + 4 * tx]);
      s[0][0] += p.x * u, s[0][1] += p.x * v, s[1][0] += p.y * u, s[1][1] += p.y * v;
      s[2][0] += p.z * u, s[2][1] += p.z * v, s[3][0] += p.w * u, s[3][1] += p.w * v;
      s[4][0] += q.x * u, s[4][1] += q.x * v, s[5][0] += q.y * u, s[5][1] += q.y * v;
      s[6][0] += q.z * u, s[6][1] += q.z * v, s[7][0] += q.w * u, s[7][1] += q.w * v;
    }
    if (turn < all) {
      keep_rows(xs[1 - now], l, vx);
      keep_weights(ws[1 - now], l, vw);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    now = 1 - now;
  }
#pragma unroll
  for (int unit = 0; unit < 2; ++unit) {
    const int j = j0 + tx + 16 * unit;
    if (j >= n) continue;
    const float4 bias = (float4)(b[j], b[n + j], b[2 * n + j], b[3 * n + j]);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int row = i0 + 4 * ty + r % 4 + r / 4 * 64;
      if (row >= rows) continue;
      const float4 g = s[r][unit] + bias;
      const float next = gate(g.y) * c[row * n + j] + gate(g.x) * turned(g.w);
      new_c[row * n + j] = next;
      new_h[row * n + j] = gate(g.z) * turned(next);
    }
  }
}

//@ hough
// Coordinates are packed into a word first. Two angles a group, with counters in local memory for the 5800 distances that are possible; sums
// of 1.5 * 2^23 and a distance have it rounded in their low bits.
__kernel void clear(__global int* restrict vote, int n) {
  const int i = get_global_id(0);
  if (i < n) vote[i] = 0;
}
__kernel void pack(__global const int4* restrict x, __global const int4* restrict y, __global int4* restrict to, int n4) {
  const int i = get_global_id(0);
  if (i < n4) to[i] = x[i] | y[i] << 16;
}
#define SPAN 5800
__kernel GROUP(512, 1) void hough(__global const uint4* restrict pixel, __global const float* restrict cosine, __global const float* restrict sine,
                                  __global int* restrict vote, int n4, int bins, int size) {
  __local int count[2 * SPAN];
  const int l = get_local_id(0), t = 2 * get_group_id(0);
  for (int i = l; i < 2 * SPAN; i += 512) count[i] = 0;
  const float c0 = cosine[t], c1 = cosine[t + 1], s0 = sine[t], s1 = sine[t + 1];
  const int low0 = (int)((size - 1) * (fmin(c0, 0.0f) + fmin(s0, 0.0f))) - 1, low1 = (int)((size - 1) * (fmin(c1, 0.0f) + fmin(s1, 0.0f))) - 1;
  const int of0 = 0x4B400000 + low0, of1 = 0x4B400000 + low1 - SPAN;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(1) * 512 + l; i < n4; i += 512 * get_global_size(1)) {
    const uint4 four = pixel[i];
    const uint v[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      // 2^23 and an integer below 2^16 are a float whose low bits are the integer.
      const float x = as_float(0x4B000000 | (v[k] & 0xffff)) - 8388608.0f, y = as_float(0x4B000000 | v[k] >> 16) - 8388608.0f;
      atomic_inc(&count[as_int(x * c0 + y * s0 + 12582912.0f) - of0]);
      atomic_inc(&count[as_int(x * c1 + y * s1 + 12582912.0f) - of1]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  vote += t * bins + bins / 2;
  for (int i = l; i < SPAN; i += 512) {
    const int a = count[i], b = count[SPAN + i];
    if (a > 0) atomic_add(&vote[low0 + i], a);
    if (b > 0) atomic_add(&vote[bins + low1 + i], b);
  }
}

//@ haversine
// Chords between points of the unit sphere instead of arcs, which only the least become. Four points a work-item, those of the second list
// through local memory; the parts of that list are joined by a kernel of their own.
__kernel void on_sphere(__global const float* restrict lat, __global const float* restrict lon, __global float4* restrict to, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float across = cos(lat[i]);
  to[i] = (float4)(across * cos(lon[i]), across * sin(lon[i]), sin(lat[i]), 0);
}
__kernel GROUP(128, 1) void haversine(__global const float4* restrict p, __global const float4* restrict q, __global float* restrict least,
                                      __global int* restrict place, int n, int m, int share) {
  __local float4 near[128];
  const int l = get_local_id(0), i0 = 512 * get_group_id(0) + l, begin = share * get_group_id(1), end = min(begin + share, m);
  float3 at[4];
  float best[4];
  int who[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) at[k] = p[min(i0 + 128 * k, n - 1)].xyz, best[k] = 1e30f, who[k] = 0;
  for (int j0 = begin; j0 < end; j0 += 128) {
    barrier(CLK_LOCAL_MEM_FENCE);
    near[l] = j0 + l < end ? q[j0 + l] : (float4)1e10f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (int j = 0; j < 128; ++j) {
      const float3 other = near[j].xyz;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float x = other.x - at[k].x, y = other.y - at[k].y, z = other.z - at[k].z, d = x * x + y * y + z * z;
        who[k] = d < best[k] ? j0 + j : who[k];
        best[k] = fmin(d, best[k]);
      }
    }
  }
  least += get_group_id(1) * n, place += get_group_id(1) * n;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (i0 + 128 * k < n) least[i0 + 128 * k] = best[k], place[i0 + 128 * k] = who[k];
}
__kernel void join(__global const float* restrict parts, __global const int* restrict places, __global float* restrict least,
                   __global int* restrict place, int n, int shares) {
  const int i = get_global_id(0);
  if (i >= n) return;
  float best = parts[i];
  int who = places[i];
  for (int k = 1; k < shares; ++k) {
    const float d = parts[k * n + i];
    if (d < best) best = d, who = places[k * n + i];
  }
  least[i] = 12742 * asin(0.5f * sqrt(best));
  place[i] = who;
}

//@ grid_sample
// A point and 16 channels a work-item: places and weights once, weights outside are zero.
__kernel GROUP(256, 1) void grid_sample(__global const float* restrict a, __global const float* restrict px, __global const float* restrict py,
                                        __global float* restrict out, int channels, int h, int w, int n) {
  const int i = get_global_id(0), c0 = 16 * get_global_id(1), end = min(c0 + 16, channels);
  if (i >= n) return;
  const float x = px[i], y = py[i], fx = x - floor(x), fy = y - floor(y);
  const int x0 = (int)floor(x), y0 = (int)floor(y);
  const bool left = x0 >= 0 && x0 < w, right = x0 >= -1 && x0 < w - 1, top = y0 >= 0 && y0 < h, low = y0 >= -1 && y0 < h - 1;
  const float w00 = top && left ? (1 - fy) * (1 - fx) : 0, w01 = top && right ? (1 - fy) * fx : 0;
  const float w10 = low && left ? fy * (1 - fx) : 0, w11 = low && right ? fy * fx : 0;
  const int xa = clamp(x0, 0, w - 1), xb = clamp(x0 + 1, 0, w - 1), ya = clamp(y0, 0, h - 1) * w, yb = clamp(y0 + 1, 0, h - 1) * w;
  const int p00 = ya + xa, p01 = ya + xb, p10 = yb + xa, p11 = yb + xb;
  a += c0 * h * w, out += c0 * n + i;
#pragma unroll 4
  for (int c = c0; c < end; ++c, a += h * w, out += n) *out = w00 * a[p00] + w01 * a[p01] + w10 * a[p10] + w11 * a[p11];
}

//@ upfirdn
// Four results are one vector: of the 64 taps each has 16, and all have the same 16 elements. 1024 elements a group through local memory.
__kernel GROUP(256, 1) void upfirdn(__global const float* restrict x, __constant float4* h, __global float4* restrict y, int n) {
  __local __attribute__((aligned(16))) float xs[1040];
  const int l = get_local_id(0), i0 = 1024 * get_group_id(0);
  x += get_group_id(1) * n, y += get_group_id(1) * n;
  for (int t = l; t < 260; t += 256) {
    const int i = i0 - 16 + 4 * t;
    L4(xs + 4 * t) = i >= 0 && i < n ? G4(x + i) : (float4)0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const int at = 256 * t + l;
    if (i0 + at >= n) continue;
    float4 s = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) s += h[k] * xs[16 + at - k];
    y[i0 + at] = s;
  }
}
