// Rodinia's and Parboil's programs by hand: columns of a grid kept in registers, boxes and tiles of points in local memory, histograms
// and sums in local memory first.
#define G4(p) (*(__global const float4*)(p))
#define GROUP(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))

//@ hotspot3d
// Four cells a work-item, which goes through 16 layers with the three layers of its column in registers.
__kernel GROUP(64, 4, 1) void hotspot3d(__global const float* restrict t, __global const float* restrict power, __global float* restrict out,
                                        float cx, float cy, float cz, float step, int d, int h, int w) {
  const int x = 4 * get_global_id(0), y = get_global_id(1), z0 = 16 * get_global_id(2), plane = h * w;
  if (x >= w || y >= h) return;
  const float center = 1 - (2 * cx + 2 * cy + 3 * cz), rest = cz * 80;
  const int up = y > 0 ? -w : 0, down = y < h - 1 ? w : 0, left = x > 0 ? -1 : 0, right = x + 4 < w ? 4 : 3;
  int at = z0 * plane + y * w + x;
  float4 below = G4(t + (z0 > 0 ? at - plane : at)), here = G4(t + at);
#pragma unroll 4
  for (int z = z0; z < min(z0 + 16, d); ++z, at += plane) {
    const float4 above = z < d - 1 ? G4(t + at + plane) : here;
    const float4 west = (float4)(t[at + left], here.xyz), east = (float4)(here.yzw, t[at + right]);
    *(__global float4*)(out + at) = here * center + cx * (west + east) + cy * (G4(t + at + down) + G4(t + at + up)) + cz * (above + below) +
                                    step * G4(power + at) + rest;
    below = here;
    here = above;
  }
}

//@ lavamd
// A group for a box, two particles a work-item; the particles of a near box in local memory. Boxes of up to 128 particles.
__kernel GROUP(64, 1, 1) void lavamd(__global const float4* restrict place, __global const float* restrict charge, __global const int* restrict near,
                                     __global float4* restrict force, float a2, int m, int boxes) {
  __local float4 all[128];
  __local float charges[128];
  const int l = get_local_id(0), b = get_group_id(0), middle = m / 2, i = min(l, middle - 1);
  const float4 u = place[b * m + i], v = place[b * m + i + middle];
  float4 f = 0, g = 0;
  for (int k = 0; k < boxes; ++k) {
    const int n = near[b * boxes + k];
    if (n < 0) continue;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = l; t < m; t += 64) {
      all[t] = place[n * m + t];
      charges[t] = charge[n * m + t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int j = 0; j < m; ++j) {
      const float4 p = all[j];
      const float q = charges[j];
      const float eu = q * exp(-a2 * (u.w + p.w - (u.x * p.x + u.y * p.y + u.z * p.z)));
      const float ev = q * exp(-a2 * (v.w + p.w - (v.x * p.x + v.y * p.y + v.z * p.z)));
      f += (float4)(eu * (u.x - p.x), eu * (u.y - p.y), eu * (u.z - p.z), eu);
      g += (float4)(ev * (v.x - p.x), ev * (v.y - p.y), ev * (v.z - p.z), ev);
    }
  }
  if (l < middle) {
    force[b * m + l] = (float4)(2 * f.xyz, f.w);
    force[b * m + l + middle] = (float4)(2 * g.xyz, g.w);
  }
}

//@ backprop
// Sixteen columns: 64 rows a group and turn, four columns a work-item.
__kernel GROUP(256, 1, 1) void forward(__global const float4* restrict w, __global const float* restrict x, __global float4* restrict parts, int n4) {
  __local float4 all[256];
  const int l = get_local_id(0);
  float4 s = 0;
#pragma unroll 4
  for (int k = get_global_id(0); k < n4; k += get_global_size(0)) s += w[k] * x[k / 4];
  all[l] = s;
  for (int step = 128; step >= 4; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l < 4) parts[4 * get_group_id(0) + l] = all[l];
}
__kernel GROUP(256, 1, 1) void squash(__global const float* restrict parts, __global float* restrict hidden, int count) {
  __local float all[256];
  const int l = get_local_id(0);
  float s = 0;
  for (int k = l; k < 16 * count; k += 256) s += parts[k];
  all[l] = s;
  for (int step = 128; step >= 16; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l < 16) hidden[l] = 1 / (1 + exp(-all[l]));
}
__kernel GROUP(256, 1, 1) void adjust(__global float4* restrict w, __global float4* restrict old, __global const float* restrict x,
                                      __global const float4* restrict hidden, __global const float4* restrict target, int n4) {
  const int k = get_global_id(0);
  if (k >= n4) return;
  const float4 h = hidden[k & 3], d = 0.3f * (h * (1 - h) * (target[k & 3] - h));
  const float4 change = d * x[k / 4] + 0.3f * old[k];
  w[k] += change;
  old[k] = change;
}

//@ pgain
// Four points a work-item, the candidate in local memory, as well as sums for up to 1024 centres.
void add_local(volatile __local float* to, float v) {
  volatile __local int* p = (volatile __local int*)to;
  int old = *p;
  for (;;) {
    const int seen = atomic_cmpxchg(p, old, as_int(as_float(old) + v));
    if (seen == old) break;
    old = seen;
  }
}
void add_global(volatile __global float* to, float v) {
  volatile __global int* p = (volatile __global int*)to;
  int old = *p;
  for (;;) {
    const int seen = atomic_cmpxchg(p, old, as_int(as_float(old) + v));
    if (seen == old) break;
    old = seen;
  }
}
__kernel GROUP(256, 1, 1) void pgain(__global const float* restrict point, __global const float4* restrict weight,
                                     __global const float4* restrict cost, __global const int4* restrict center, int x,
                                     __global uchar4* restrict moves, __global float* restrict lower, int dims, int n, int centers) {
  __local float candidate[128], sums[1024];
  const int l = get_local_id(0);
  if (l < dims) candidate[l] = point[l * n + x];
  for (int k = l; k < centers; k += 256) sums[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n / 4; i += get_global_size(0)) {
    float4 s = 0;
#pragma unroll 16
    for (int d = 0; d < dims; ++d) {
      const float4 t = G4(point + d * n + 4 * i) - candidate[d];
      s += t * t;
    }
    const float4 c = cost[i], now = s * weight[i], more = c - now;
    const int4 at = center[i];
    moves[i] = convert_uchar4((now < c) & 1);
    if (!(now.x < c.x)) add_local(&sums[at.x], more.x);
    if (!(now.y < c.y)) add_local(&sums[at.y], more.y);
    if (!(now.z < c.z)) add_local(&sums[at.z], more.z);
    if (!(now.w < c.w)) add_local(&sums[at.w], more.w);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < centers; k += 256)
    if (sums[k] != 0) add_global(&lower[k], sums[k]);
}

//@ particles
// The squares cancel: the sum of the bytes is enough. Sums of 1024 groups, which every group of the second kernel joins.
float sum256(float v, __local float* all) {
  const int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  all[l] = v;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return all[0];
}
__kernel GROUP(256, 1, 1) void weights(__global const uchar* restrict image, __global const float* restrict px, __global const float* restrict py,
                                       __constant int* dx, __constant int* dy, __global float* restrict weight, __global float* restrict parts,
                                       int n, int count, int h, int w) {
  __local float all[256];
  const float scale = 256.0f / 50 / (20.0f * count), base = 41984.0f / 50 / 20;
  float total = 0;
  for (int p = get_global_id(0); p < n; p += get_global_size(0)) {
    const int x = (int)px[p], y = (int)py[p];
    int s = 0;
#pragma unroll 8
    for (int k = 0; k < count; ++k) s += image[clamp(y + dy[k], 0, h - 1) * w + clamp(x + dx[k], 0, w - 1)];
    const float v = weight[p] * exp(s * scale - base);
    weight[p] = v;
    total += v;
  }
  total = sum256(total, all);
  if (get_local_id(0) == 0) parts[get_group_id(0)] = total;
}
__kernel GROUP(256, 1, 1) void normalise(__global const float* restrict px, __global const float* restrict py, __global float* restrict weight,
                                         __global const float* restrict parts, __global float2* restrict sums, int n) {
  __local float all[256];
  const int l = get_local_id(0);
  const float scale = 1 / sum256(parts[l] + parts[l + 256] + parts[l + 512] + parts[l + 768], all);
  float x = 0, y = 0;
  for (int p = get_global_id(0); p < n; p += get_global_size(0)) {
    const float v = weight[p] * scale;
    weight[p] = v;
    x += v * px[p];
    y += v * py[p];
  }
  x = sum256(x, all);
  y = sum256(y, all);
  if (l == 0) sums[get_group_id(0)] = (float2)(x, y);
}
__kernel GROUP(256, 1, 1) void means(__global const float2* restrict sums, __global float* restrict mean) {
  __local float all[256];
  const int l = get_local_id(0);
  const float2 v = sums[l] + sums[l + 256] + sums[l + 512] + sums[l + 768];
  const float x = sum256(v.x, all), y = sum256(v.y, all);
  if (l == 0) mean[0] = x, mean[1] = y;
}

//@ tpacf
// A point a work-item, the others in tiles of 256; counts of its own for each work-item, so that none is atomic before the end. Up to
// 31 edges, which fall.
#define BINS 32
__kernel GROUP(256, 1, 1) void tpacf(__global const float* restrict x, __global const float* restrict y, __global const float* restrict z,
                                     __global const float* restrict edge, __global int* restrict count, int n, int edges) {
  __local float4 tile[256];
  __local float e[BINS];
  __local int counts[BINS][256];
  const int l = get_local_id(0), i0 = 256 * get_group_id(0), first = 2048 * get_group_id(1), end = min(first + 2048, n);
  if (end <= i0) return;
  for (int k = 0; k < BINS; ++k) counts[k][l] = 0;
  if (l < BINS) e[l] = l < edges ? edge[l] : -INFINITY;
  const int i = i0 + l;
  const float px = i < n ? x[i] : 0, py = i < n ? y[i] : 0, pz = i < n ? z[i] : 0;
  for (int j0 = max(first, i0); j0 < end; j0 += 256) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j0 + l < end) tile[l] = (float4)(x[j0 + l], y[j0 + l], z[j0 + l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) continue;
    for (int j = max(i + 1 - j0, 0); j < min(256, end - j0); ++j) {
      const float4 q = tile[j];
      const float d = px * q.x + py * q.y + pz * q.z;
      int b = d < e[15] ? 16 : 0;
      b += d < e[b + 7] ? 8 : 0;
      b += d < e[b + 3] ? 4 : 0;
      b += d < e[b + 1] ? 2 : 0;
      b += d < e[b] ? 1 : 0;
      ++counts[b][l];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l <= edges) {
    int s = 0;
    for (int k = 0; k < 256; ++k) s += counts[l][k + l & 255];
    if (s) atomic_add(&count[l], s);
  }
}

//@ cutcp
// A group for a cell of 8 x 8 x 8 points, four of a column a work-item; the atoms of the 27 cells around in local memory.
__kernel GROUP(8, 8, 2) void cutcp(__global const float4* restrict atom, __global float* restrict out, float step, float limit, int n) {
  __local float4 all[27 * 8];
  const int i = get_global_id(0), j = get_global_id(1), k0 = 8 * get_group_id(2) + 4 * get_local_id(2), cells = n / 8 + 2;
  const int l = get_local_id(0) + 8 * get_local_id(1) + 64 * get_local_id(2);
  for (int t = l; t < 216; t += 128)
    all[t] = atom[(((get_group_id(2) + t / 72) * cells + get_group_id(1) + t % 72 / 24) * cells + get_group_id(0)) * 8 + t % 24];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float x = step * i, y = step * j, inverse = 1 / limit;
  const float4 z = step * (float4)(k0, k0 + 1, k0 + 2, k0 + 3);
  float4 s = 0;
#pragma unroll 4
  for (int t = 0; t < 216; ++t) {
    const float4 a = all[t];
    const float dx = a.x - x, dy = a.y - y, xy = dx * dx + dy * dy;
    if (xy >= limit) continue;
    const float4 dz = a.z - z, r2 = xy + dz * dz, e = fmax(1 - r2 * inverse, 0.0f);
    s += a.w * rsqrt(r2) * e * e;
  }
  __global float* to = out + (k0 * n + j) * n + i;
  to[0] = s.x, to[n * n] = s.y, to[2 * n * n] = s.z, to[3 * n * n] = s.w;
}

//@ euler_flux
typedef struct {
  float rho, e, p, speed;
  float3 m, v;
} State;
State state(float rho, float mx, float my, float mz, float e) {
  State s;
  const float inverse = 1 / rho;
  s.rho = rho;
  s.e = e;
  s.m = (float3)(mx, my, mz);
  s.v = s.m * inverse;
  const float v2 = s.v.x * s.v.x + s.v.y * s.v.y + s.v.z * s.v.z;
  s.p = 0.4f * (e - 0.5f * rho * v2);
  s.speed = sqrt(1.4f * s.p * inverse) + sqrt(v2);
  return s;
}
float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__kernel GROUP(128, 1, 1) void euler_flux(__global const float* restrict q, __global const int* restrict near, __global const float* restrict normal,
                                          __constant float* far, __global float* restrict flux, int n) {
  const int c = get_global_id(0);
  if (c >= n) return;
  int other[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) other[k] = near[k * n + c];
  const State a = state(q[c], q[n + c], q[2 * n + c], q[3 * n + c], q[4 * n + c]);
  float f0 = 0, f4 = 0;
  float3 f = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int o = other[k];
    const float3 s = (float3)(normal[3 * k * n + c], normal[(3 * k + 1) * n + c], normal[(3 * k + 2) * n + c]);
    if (o == -1) {
      f += s * a.p;
      continue;
    }
    const State b = o >= 0 ? state(q[o], q[n + o], q[2 * n + o], q[3 * n + o], q[4 * n + o]) : state(far[0], far[1], far[2], far[3], far[4]);
    const float r = -0.1f * sqrt(dot3(s, s)) * (a.speed + b.speed), g = 0.5f * dot3(s, a.v), h = 0.5f * dot3(s, b.v);
    f0 += r * (a.rho - b.rho) + g * a.rho + h * b.rho;
    f += r * (a.m - b.m) + g * a.m + h * b.m + s * (0.5f * (a.p + b.p));
    f4 += r * (a.e - b.e) + g * (a.e + a.p) + h * (b.e + b.p);
  }
  flux[c] = f0;
  flux[n + c] = f.x;
  flux[2 * n + c] = f.y;
  flux[3 * n + c] = f.z;
  flux[4 * n + c] = f4;
}

//@ needleman_wunsch
// Blocks of 64 x 64, a launch for each anti-diagonal of blocks. A work-item has a row of the block: the score on its left and the one
// on its upper left are in registers, the one above comes from its neighbour. 24 letters.
#define SIDE 64
__kernel GROUP(SIDE, 1, 1) void block(__global const int* restrict a, __global const int* restrict b, __global const int* restrict cost,
                                      __global int* restrict score, int gap, int n, int diagonal) {
  __local int costs[576], other[SIDE], above[2][SIDE + 1], tile[SIDE][SIDE + 1];
  const int l = get_local_id(0), blocks = n / SIDE;
  const int bi = max(0, diagonal - blocks + 1) + get_group_id(0), bj = diagonal - bi, stride = n + 1;
  __global int* to = score + (bi * SIDE + 1) * stride + bj * SIDE + 1;
  for (int k = l; k < 576; k += SIDE) costs[k] = cost[k];
  other[l] = b[bj * SIDE + l];
  __local const int* mine = costs + 24 * a[bi * SIDE + l];
  // The row above the block goes into the first row of the tile until the first work-item has passed.
  tile[0][l] = to[l - stride];
  int left = to[l * stride - 1], corner = to[(l - 1) * stride - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 0; s < 2 * SIDE - 1; ++s) {
    const int j = s - l;
    if (j >= 0 && j < SIDE) {
      const int up = l == 0 ? tile[0][j] : above[s & 1][l];
      left = max(max(corner + mine[other[j]], up - gap), left - gap);
      corner = up;
      tile[l][j] = left;
      above[~s & 1][l + 1] = left;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll 8
  for (int i = 0; i < SIDE; ++i) to[i * stride + l] = tile[i][l];
}
