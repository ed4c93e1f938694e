// Matrices and points by hand: tiles of 128 x 128 in groups of 256 work-items, 8 x 8 results each in registers; points in local
// memory. (Products are unpython/programs.cl's.) Extents are multiples of the tiles.
// Vectors at aligned places.
#define G4(p) (*(__global float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ batched4
// A work-item for a row of a product.
__kernel void batched4(__global const float4* restrict a, __global const float4* restrict b, __global float4* restrict c, int rows) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  const float4 x = a[r];
  b += r & ~3;
  float4 s = x.x * b[0];
  s += x.y * b[1];
  s += x.z * b[2];
  s += x.w * b[3];
  c[r] = s;
}

//@ batched16
// Four products a group, four results a work-item.
__kernel GROUP void batched16(__global const float4* restrict a, __global const float4* restrict b, __global float4* restrict c) {
  __local __attribute__((aligned(16))) float as[4][16][20];
  __local float4 bs[4][64];
  const int l = get_local_id(0), n = l / 64, i = l % 64 / 4, j = l % 4;
  L4(&as[n][i][4 * j]) = a[256 * get_group_id(0) + l];
  bs[n][l % 64] = b[256 * get_group_id(0) + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 s = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += as[n][i][k] * bs[n][4 * k + j];
  c[256 * get_group_id(0) + l] = s;
}

//@ floyd_step
__kernel void floyd_step(__global float4* d, int k, int n) {
  const int j = get_global_id(0), i = get_global_id(1), n4 = n / 4;
  if (j >= n4) return;
  const float x = ((__global const float*)d)[i * n + k];
  const float4 old = d[i * n4 + j], t = fmin(old, x + d[k * n4 + j]);
  if (any(t != old)) d[i * n4 + j] = t;
}

//@ lu_step
// Eight rows a work-item.
__kernel void lu_step(__global const float* restrict a, __global float* restrict b, int k, int n) {
  const int j = get_global_id(0), i0 = 8 * get_global_id(1);
  if (j <= k || j >= n) return;
  const float pivot = a[k * n + k], row = a[k * n + j];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = i0 + r;
    if (i > k && i < n) b[i * n + j] = a[i * n + j] - a[i * n + k] / pivot * row;
  }
}

//@ gauss_step
__kernel void factors(__global const double* restrict a, __global double* restrict m, int k, int n) {
  const int i = get_global_id(0);
  if (i > k && i < n) m[i] = a[i * n + k] / a[k * n + k];
}
__kernel void gauss_step(__global double* restrict a, __global const double* restrict m, int k, int n) {
  const int j = get_global_id(0), i0 = 8 * get_global_id(1);
  if (j <= k || j >= n) return;
  const double row = a[k * n + j];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = i0 + r;
    if (i > k && i < n) a[i * n + j] -= m[i] * row;
  }
}

//@ kmeans
// The point in registers (32 dimensions), the centres in local memory.
__kernel GROUP void kmeans(__global const float4* restrict x, __global const float4* restrict c, __global int* restrict out, int n,
                           int count) {
  __local float4 all[64 * 8];
  const int l = get_local_id(0), i = get_global_id(0);
  for (int k = l; k < 8 * count; k += 256) all[k] = c[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  float4 v[8];
#pragma unroll
  for (int d = 0; d < 8; ++d) v[d] = x[8 * i + d];
  float best = 1e30f;
  int place = 0;
  for (int k = 0; k < count; ++k) {
    float s = 0;
#pragma unroll
    for (int d = 0; d < 8; ++d) {
      const float4 t = v[d] - all[8 * k + d];
      s += t.x * t.x;
      s += t.y * t.y;
      s += t.z * t.z;
      s += t.w * t.w;
    }
    if (s < best) best = s, place = k;
  }
  out[i] = place;
}

//@ knn
__kernel GROUP void knn(__global const float* restrict a, __global const float* restrict b, __global float* restrict c, int m, int p) {
  __local __attribute__((aligned(16))) float as[16][132];
  __local __attribute__((aligned(16))) float bs[16][132];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const int i0 = 128 * get_group_id(1), j0 = 128 * get_group_id(0);
  const int ar = l / 4, ac = l % 4 * 4;
  a += (i0 + ar) * m + ac;
  b += (j0 + ar) * m + ac;
  float4 s[8][2];
#pragma unroll
  for (int r = 0; r < 8; ++r) s[r][0] = s[r][1] = 0;
  for (int k0 = 0; k0 < m; k0 += 16) {
    const float4 a0 = G4(a), a1 = G4(a + 64 * m), b0 = G4(b), b1 = G4(b + 64 * m);
    a += 16;
    b += 16;
    as[ac][ar] = a0.x, as[ac + 1][ar] = a0.y, as[ac + 2][ar] = a0.z, as[ac + 3][ar] = a0.w;
    as[ac][ar + 64] = a1.x, as[ac + 1][ar + 64] = a1.y, as[ac + 2][ar + 64] = a1.z, as[ac + 3][ar + 64] = a1.w;
    bs[ac][ar] = b0.x, bs[ac + 1][ar] = b0.y, bs[ac + 2][ar] = b0.z, bs[ac + 3][ar] = b0.w;
    bs[ac][ar + 64] = b1.x, bs[ac + 1][ar + 64] = b1.y, bs[ac + 2][ar + 64] = b1.z, bs[ac + 3][ar + 64] = b1.w;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 x0 = L4(&as[k][4 * ty]), x1 = L4(&as[k][64 + 4 * ty]);
      const float4 y0 = L4(&bs[k][4 * tx]), y1 = L4(&bs[k][64 + 4 * tx]);
      const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        const float4 t0 = x[r] - y0, t1 = x[r] - y1;
        s[r][0] += t0 * t0;
        s[r][1] += t1 * t1;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = i0 + (r < 4 ? 0 : 60) + 4 * ty + r;
    G4(c + i * p + j0 + 4 * tx) = sqrt(s[r][0]);
    G4(c + i * p + j0 + 64 + 4 * tx) = sqrt(s[r][1]);
  }
}

//@ spmv
// Eight work-items a row.
__kernel GROUP void spmv(__global const int* restrict start, __global const int* restrict place, __global const float* restrict value,
                         __global const float* restrict x, __global float* restrict y, int n) {
  __local float all[256];
  const int l = get_local_id(0), i = get_global_id(0) / 8, lane = l % 8;
  float s = 0;
  if (i < n)
    for (int k = start[i] + lane; k < start[i + 1]; k += 8) s += value[k] * x[place[k]];
  all[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && i < n) {
#pragma unroll
    for (int k = 1; k < 8; ++k) s += all[l + k];
    y[i] = s;
  }
}

//@ bfs_level
__kernel void bfs_level(__global const int* restrict start, __global const int* restrict place, __global const int* restrict level,
                        __global int* restrict found, int now, int n) {
  const int i = get_global_id(0);
  if (i >= n || level[i] != now) return;
  const int end = start[i + 1];
  for (int k = start[i]; k < end; ++k) {
    const int p = place[k];
    if (level[p] < 0) found[p] = now + 1;
  }
}

//@ nbody_rows
// Two bodies a work-item.
__kernel GROUP void nbody_rows(__global const float4* restrict p, __global float4* restrict acc, float soft, int n) {
  __local float4 all[256];
  const int l = get_local_id(0), i = 512 * get_group_id(0) + l;
  const float4 u = p[i], v = p[i + 256];
  float3 f = 0, g = 0;
  for (int t = 0; t < n; t += 256) {
    all[l] = p[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
    for (int j = 0; j < 256; ++j) {
      const float4 q = all[j];
      const float3 d = q.xyz - u.xyz, e = q.xyz - v.xyz;
      const float a = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + soft), b = rsqrt(e.x * e.x + e.y * e.y + e.z * e.z + soft);
      f += d * (q.w * a * a * a);
      g += e * (q.w * b * b * b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc[i] = (float4)(f, 0);
  acc[i + 256] = (float4)(g, 0);
}

//@ lennard_jones
__kernel GROUP void lennard_jones(__global const double* restrict x, __global const double* restrict y, __global const double* restrict z,
                                  __global double* restrict energy, int n) {
  __local double xs[256], ys[256], zs[256];
  const int l = get_local_id(0), i = get_global_id(0);
  const double px = x[i], py = y[i], pz = z[i];
  double e = 0;
  for (int t = 0; t < n; t += 256) {
    xs[l] = x[t + l], ys[l] = y[t + l], zs[l] = z[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int j = 0; j < 256; ++j) {
      const double dx = px - xs[j], dy = py - ys[j], dz = pz - zs[j];
      const double r2 = dx * dx + dy * dy + dz * dz + 0.01, s = 1.0 / (r2 * r2 * r2);
      e += s * s - s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  energy[i] = e;
}

//@ levenshtein
// The row of the table in registers, the letters of a word in two loads.
__kernel void levenshtein(__global const uint4* restrict a, __constant uchar* restrict b, __global int* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const uint4 u = a[2 * i], v = a[2 * i + 1];
  const uint w[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
  int row[33];
#pragma unroll
  for (int j = 0; j < 33; ++j) row[j] = j;
#pragma unroll
  for (int q = 0; q < 8; ++q) {
    uint letters = w[q];
    for (int k = 4 * q; k < 4 * q + 4; ++k) {
      const uint letter = letters & 255;
      letters >>= 8;
      int diag = row[0];
      row[0] = k + 1;
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int t = row[j + 1];
        row[j + 1] = min(diag + (letter != b[j]), min(t, row[j]) + 1);
        diag = t;
      }
    }
  }
  out[i] = row[32];
}
