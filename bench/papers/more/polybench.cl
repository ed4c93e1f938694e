// PolyBench's programs by hand: a matrix is read once where two products with it can share the pass, sums of columns go over strips of
// rows, products have tiles of 128 x 128 with 8 x 8 results a work-item. Extents are multiples of the tiles.
#define G4(p) (*(__global float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))
float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// The sum over 256 work-items, for all of them; one barrier more where `all` is used again.
#define GROUP_SUM(T, name)                                    \
  T name(T v, __local T* all) {                               \
    const int l = get_local_id(0);                            \
    all[l] = v;                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                             \
    if (l < 16) {                                             \
      for (int k = 16; k < 256; k += 16) v += all[l + k];     \
      all[l] = v;                                             \
    }                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                             \
    v = all[0];                                               \
    for (int k = 1; k < 16; ++k) v += all[k];                 \
    return v;                                                 \
  }

// Tiles of 16 rows (k) of both factors in local memory, `as` and `bs`: 8 x 8 results in s.
#define TILE_PRODUCT                                                                                         \
  for (int k = 0; k < 16; ++k) {                                                                             \
    const float4 x0 = L4(&as[k][4 * ty]), x1 = L4(&as[k][64 + 4 * ty]);                                      \
    const float4 y0 = L4(&bs[k][4 * tx]), y1 = L4(&bs[k][64 + 4 * tx]);                                      \
    s[0][0] += x0.x * y0, s[0][1] += x0.x * y1, s[1][0] += x0.y * y0, s[1][1] += x0.y * y1;                  \
    s[2][0] += x0.z * y0, s[2][1] += x0.z * y1, s[3][0] += x0.w * y0, s[3][1] += x0.w * y1;                  \
    s[4][0] += x1.x * y0, s[4][1] += x1.x * y1, s[5][0] += x1.y * y0, s[5][1] += x1.y * y1;                  \
    s[6][0] += x1.z * y0, s[6][1] += x1.z * y1, s[7][0] += x1.w * y0, s[7][1] += x1.w * y1;                  \
  }

//@ atax
// One pass: a group has the sum of a row while the row is in registers, and adds it to sums of columns; the next row is on its way
// meanwhile. Rows of up to 8192. Then the groups' sums are joined.
#define PER 8
#define INSIDE(k) (l + 256 * (k) < m4)
GROUP_SUM(float, group_sum)
__kernel GROUP(256, 1) void atax(__global const float4* restrict a, __global const float4* restrict x, __global float* restrict t,
                                 __global float4* restrict parts, int n, int m4, int rows) {
  __local float all[2][256];
  __local float4 xs[256 * PER];
  const int l = get_local_id(0), i0 = rows * get_group_id(0), end = min(i0 + rows, n);
  float4 row[PER], next[PER], s[PER];
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    s[k] = next[k] = row[k] = 0;
    xs[l + 256 * k] = 0;
    if (INSIDE(k)) {
      xs[l + 256 * k] = x[l + 256 * k];
      next[k] = a[(size_t)i0 * m4 + l + 256 * k];
    }
  }
  for (int i = i0; i < end; ++i) {
    float d = 0;
#pragma unroll
    for (int k = 0; k < PER; ++k) {
      row[k] = next[k];
      if (INSIDE(k) && i + 1 < end) next[k] = a[(size_t)(i + 1) * m4 + l + 256 * k];
    }
#pragma unroll
    for (int k = 0; k < PER; ++k) d += sum4(row[k] * xs[l + 256 * k]);
    d = group_sum(d, all[i & 1]);
    if (l == 0) t[i] = d;
#pragma unroll
    for (int k = 0; k < PER; ++k) s[k] += d * row[k];
  }
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) parts[(size_t)get_group_id(0) * m4 + l + 256 * k] = s[k];
}
__kernel GROUP(32, 8) void join(__global const float* restrict parts, __global float* restrict y, int count, int m) {
  __local float all[8][32];
  const int x = get_local_id(0), k0 = get_local_id(1), j = get_global_id(0);
  float s = 0;
  if (j < m)
    for (int k = k0; k < count; k += 8) s += parts[k * m + j];
  all[k0][x] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (k0 == 0 && j < m) {
    for (int k = 1; k < 8; ++k) s += all[k][x];
    y[j] = s;
  }
}

//@ gesummv
GROUP_SUM(float, group_sum)
__kernel GROUP(256, 1) void gesummv(__global const float4* restrict a, __global const float4* restrict b, __global const float4* restrict x,
                                    __global float* restrict y, float alpha, float beta, int m4) {
  __local float all[256];
  a += (size_t)get_group_id(0) * m4;
  b += (size_t)get_group_id(0) * m4;
  float4 s = 0, t = 0;
#pragma unroll 4
  for (int k = get_local_id(0); k < m4; k += 256) {
    const float4 v = x[k];
    s += a[k] * v;
    t += b[k] * v;
  }
  const float r = group_sum(alpha * sum4(s) + beta * sum4(t), all);
  if (get_local_id(0) == 0) y[get_group_id(0)] = r;
}

//@ gemver
// The update of the matrix and the sums of its columns in one pass over strips of 64 rows.
GROUP_SUM(double, group_sum)
__kernel GROUP(64, 1) void gemver_columns(__global double2* restrict a, __global const double* restrict u1, __global const double2* restrict v1,
                                          __global const double* restrict u2, __global const double2* restrict v2,
                                          __global const double* restrict y, __global double2* restrict parts, int n) {
  const int j = get_global_id(0), i0 = 64 * get_global_id(1), n2 = n / 2;
  if (j >= n2) return;
  const double2 p = v1[j], q = v2[j];
  double2 s = 0;
  a += (size_t)i0 * n2 + j;
#pragma unroll 8
  for (int i = i0; i < min(i0 + 64, n); ++i, a += n2) {
    const double2 v = *a + (u1[i] * p + u2[i] * q);
    *a = v;
    s += v * y[i];
  }
  parts[(size_t)get_global_id(1) * n2 + j] = s;
}
__kernel GROUP(32, 8) void gemver_join(__global const double* restrict parts, __global const double* restrict z, __global double* restrict x,
                                       double beta, int count, int n) {
  __local double all[8][32];
  const int c = get_local_id(0), k0 = get_local_id(1), j = get_global_id(0);
  double s = 0;
  if (j < n)
    for (int k = k0; k < count; k += 8) s += parts[k * n + j];
  all[k0][c] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (k0 == 0 && j < n) {
    for (int k = 1; k < 8; ++k) s += all[k][c];
    x[j] = z[j] + beta * s;
  }
}
__kernel GROUP(256, 1) void gemver_rows(__global const double2* restrict a, __global const double2* restrict x, __global double* restrict w,
                                        double alpha, int n2) {
  __local double all[256];
  a += (size_t)get_group_id(0) * n2;
  double2 s = 0;
#pragma unroll 4
  for (int k = get_local_id(0); k < n2; k += 256) s += a[k] * x[k];
  const double t = group_sum(s.x + s.y, all);
  if (get_local_id(0) == 0) w[get_group_id(0)] = alpha * t;
}

//@ covariance
// Means over strips of 64 rows, centring, and the upper tiles of the product, which are stored twice.
__kernel GROUP(64, 1) void mean_parts(__global const float4* restrict data, __global float4* restrict parts, int n, int m4) {
  const int j = get_global_id(0), i0 = 64 * get_global_id(1);
  if (j >= m4) return;
  float4 s = 0;
#pragma unroll 8
  for (int i = i0; i < min(i0 + 64, n); ++i) s += data[i * m4 + j];
  parts[get_global_id(1) * m4 + j] = s;
}
__kernel void means(__global const float* restrict parts, __global float* restrict mean, int count, int n, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float s = 0;
#pragma unroll 8
  for (int k = 0; k < count; ++k) s += parts[k * m + j];
  mean[j] = s / (float)n;
}
__kernel void centre(__global float4* restrict data, __global const float4* restrict mean, int n, int m4) {
  const int j = get_global_id(0), i0 = 4 * get_global_id(1);
  if (j >= m4) return;
  const float4 c = mean[j];
#pragma unroll
  for (int r = 0; r < 4; ++r)
    if (i0 + r < n) data[(i0 + r) * m4 + j] -= c;
}
__kernel GROUP(256, 1) void covariance(__global const float* restrict data, __global float* restrict cov, int n, int m) {
  __local __attribute__((aligned(16))) float as[16][128];
  __local __attribute__((aligned(16))) float bs[16][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const int i0 = 128 * get_group_id(1), j0 = 128 * get_group_id(0);
  if (j0 < i0) return;
  const int r = l / 32, c = l % 32 * 4;
  __global const float *a = data + r * m + i0 + c, *b = data + r * m + j0 + c;
  float4 a0 = G4(a), a1 = G4(a + 8 * m), b0 = G4(b), b1 = G4(b + 8 * m);
  float4 s[8][2];
#pragma unroll
  for (int k = 0; k < 8; ++k) s[k][0] = s[k][1] = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    L4(&as[r][c]) = a0, L4(&as[r + 8][c]) = a1;
    L4(&bs[r][c]) = b0, L4(&bs[r + 8][c]) = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k0 + 16 < n) {
      a += 16 * m, b += 16 * m;
      a0 = G4(a), a1 = G4(a + 8 * m), b0 = G4(b), b1 = G4(b + 8 * m);
    }
#pragma unroll
    TILE_PRODUCT
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1.0f / (float)(n - 1);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    s[k][0] *= scale, s[k][1] *= scale;
    const int i = i0 + (k < 4 ? 0 : 60) + 4 * ty + k;
    G4(cov + i * m + j0 + 4 * tx) = s[k][0];
    G4(cov + i * m + j0 + 64 + 4 * tx) = s[k][1];
  }
  if (i0 == j0) return;
#define MIRROR(h, part, q)                                                                                          \
  G4(cov + (j0 + 64 * h + 4 * tx + q) * m + i0 + 4 * ty) = (float4)(s[0][h].part, s[1][h].part, s[2][h].part, s[3][h].part); \
  G4(cov + (j0 + 64 * h + 4 * tx + q) * m + i0 + 64 + 4 * ty) = (float4)(s[4][h].part, s[5][h].part, s[6][h].part, s[7][h].part)
  MIRROR(0, x, 0);
  MIRROR(0, y, 1);
  MIRROR(0, z, 2);
  MIRROR(0, w, 3);
  MIRROR(1, x, 0);
  MIRROR(1, y, 1);
  MIRROR(1, z, 2);
  MIRROR(1, w, 3);
}

//@ trmm
// Tiles from the diagonal on, with zeros above it; the longest first.
float4 below(float4 v, int k, int i) { return (float4)(k > i ? v.x : 0, k > i + 1 ? v.y : 0, k > i + 2 ? v.z : 0, k > i + 3 ? v.w : 0); }
__kernel GROUP(256, 1) void trmm(__global const float* restrict a, __global const float* restrict b, __global float* restrict c, float alpha,
                                 int n, int p) {
  __local __attribute__((aligned(16))) float as[16][128];
  __local __attribute__((aligned(16))) float bs[16][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const int i0 = 128 * get_group_id(1), j0 = 128 * get_group_id(0), r = l / 32, q = l % 32 * 4;
  float4 s[8][2];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = i0 + (k < 4 ? 0 : 60) + 4 * ty + k;
    s[k][0] = G4(b + i * p + j0 + 4 * tx);
    s[k][1] = G4(b + i * p + j0 + 64 + 4 * tx);
  }
  a += i0 + q;
  b += j0 + q;
  int k0 = i0 + r;
  float4 a0 = G4(a + k0 * n), a1 = G4(a + (k0 + 8) * n), b0 = G4(b + k0 * p), b1 = G4(b + (k0 + 8) * p);
  for (; k0 - r < n; k0 += 16) {
    L4(&as[r][q]) = below(a0, k0, i0 + q), L4(&as[r + 8][q]) = below(a1, k0 + 8, i0 + q);
    L4(&bs[r][q]) = b0, L4(&bs[r + 8][q]) = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k0 - r + 16 < n) {
      a0 = G4(a + (k0 + 16) * n), a1 = G4(a + (k0 + 24) * n);
      b0 = G4(b + (k0 + 16) * p), b1 = G4(b + (k0 + 24) * p);
    }
#pragma unroll
    TILE_PRODUCT
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = i0 + (k < 4 ? 0 : 60) + 4 * ty + k;
    G4(c + i * p + j0 + 4 * tx) = alpha * s[k][0];
    G4(c + i * p + j0 + 64 + 4 * tx) = alpha * s[k][1];
  }
}

//@ doitgen
// A group has whole rows, which it replaces at its end.
#define STORE_T(to, k, r, v) to[k][r] = v.x, to[k + 1][r] = v.y, to[k + 2][r] = v.z, to[k + 3][r] = v.w
__kernel GROUP(256, 1) void doitgen(__global float* a, __global const float* restrict c) {
  __local __attribute__((aligned(16))) float as[16][132];
  __local __attribute__((aligned(16))) float bs[16][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, ar = l / 4, ac = l % 4 * 4, br = l / 32, bc = l % 32 * 4;
  a += (size_t)128 * 128 * get_group_id(0);
  float4 a0 = G4(a + ar * 128 + ac), a1 = G4(a + (ar + 64) * 128 + ac), b0 = G4(c + br * 128 + bc), b1 = G4(c + (br + 8) * 128 + bc);
  float4 s[8][2];
#pragma unroll
  for (int r = 0; r < 8; ++r) s[r][0] = s[r][1] = 0;
  for (int k0 = 0; k0 < 128; k0 += 16) {
    STORE_T(as, ac, ar, a0);
    STORE_T(as, ac, ar + 64, a1);
    L4(&bs[br][bc]) = b0, L4(&bs[br + 8][bc]) = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k0 + 16 < 128) {
      a0 = G4(a + ar * 128 + k0 + 16 + ac), a1 = G4(a + (ar + 64) * 128 + k0 + 16 + ac);
      b0 = G4(c + (k0 + 16 + br) * 128 + bc), b1 = G4(c + (k0 + 24 + br) * 128 + bc);
    }
#pragma unroll
    TILE_PRODUCT
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = (r < 4 ? 0 : 60) + 4 * ty + r;
    G4(a + i * 128 + 4 * tx) = s[r][0];
    G4(a + i * 128 + 64 + 4 * tx) = s[r][1];
  }
}

//@ adi
// Lines are the columns, so that work-items are next to each other; the second sweep is the first one on transposed fields. The
// factors are the same for all lines: a group keeps them in local memory. Lines of up to 4096.
__kernel GROUP(32, 1) void sweep(__global const double* restrict in, __global double* restrict out, __global double* restrict q, double x,
                                 double y, int n) {
  __local double factors[4096];
  const int own = get_global_id(0) + 1, i = min(own, n - 2), l = get_local_id(0);
  const double a = -0.5 * x, b = 1.0 + x, d = -0.5 * y, e = 1.0 + 2.0 * d;
  double p = 0, r = 1;
  if (own == i) out[i] = out[(n - 1) * n + i] = 1;
#pragma unroll 8
  for (int j = 1; j < n - 1; ++j) {
    __global const double* u = in + j * n + i;
    const double w = 1.0 / (a * p + b);
    r = (e * u[0] - d * (u[-1] + u[1]) - a * r) * w;
    p = -a * w;
    if (own == i) q[j * n + i] = r;
    if (l == 0) factors[j] = p;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own != i) return;
  double v = 1;
#pragma unroll 16
  for (int j = n - 2; j > 0; --j) {
    v = factors[j] * v + q[j * n + i];
    out[j * n + i] = v;
  }
}
__kernel GROUP(32, 8) void transposed(__global const double* restrict in, __global double* restrict out, int n, int first) {
  __local double tile[32][33];
  const int x = get_local_id(0), y = get_local_id(1), i0 = 32 * get_group_id(1), j0 = 32 * get_group_id(0);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (i0 + y + k < n && j0 + x < n) tile[y + k][x] = in[(i0 + y + k) * n + j0 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (j0 + y + k >= first && j0 + y + k < n - first && i0 + x < n) out[(j0 + y + k) * n + i0 + x] = tile[x][y + k];
}

//@ gram_schmidt
GROUP_SUM(float, group_sum)
__kernel GROUP(256, 1) void column(__global const float* restrict a, __global float* restrict q, __global float* restrict r,
                                   __global float* restrict qk, int k, int n, int m) {
  __local float all[256];
  float s = 0;
#pragma unroll 8
  for (int i = get_local_id(0); i < n; i += 256) {
    const float v = a[i * m + k];
    qk[i] = v;
    s += v * v;
  }
  const float norm = sqrt(group_sum(s, all));
  if (get_local_id(0) == 0) r[k * m + k] = norm;
#pragma unroll 8
  for (int i = get_local_id(0); i < n; i += 256) {
    const float v = qk[i] / norm;
    qk[i] = v;
    q[i * m + k] = v;
  }
}
__kernel GROUP(64, 1) void products(__global const float4* restrict a, __global const float* restrict qk, __global float4* restrict parts, int k,
                                    int n, int m4) {
  const int j = (k + 1) / 4 + get_global_id(0), i0 = 64 * get_global_id(1);
  if (j >= m4) return;
  float4 s = 0;
#pragma unroll 8
  for (int i = i0; i < min(i0 + 64, n); ++i) s += qk[i] * a[i * m4 + j];
  parts[get_global_id(1) * m4 + j] = s;
}
__kernel GROUP(32, 8) void join(__global const float* restrict parts, __global float* restrict r, int k, int count, int m) {
  __local float all[8][32];
  const int x = get_local_id(0), t0 = get_local_id(1), j = k + 1 + get_global_id(0);
  float s = 0;
  if (j < m)
    for (int t = t0; t < count; t += 8) s += parts[t * m + j];
  all[t0][x] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t0 == 0 && j < m) {
    for (int t = 1; t < 8; ++t) s += all[t][x];
    r[k * m + j] = s;
  }
}
__kernel GROUP(64, 4) void update(__global float4* restrict a, __global const float* restrict qk, __global const float4* restrict r, int k, int n,
                                  int m4) {
  const int j = (k + 1) / 4 + get_global_id(0), i0 = 8 * get_global_id(1);
  if (j >= m4) return;
  float4 t = r[k * m4 + j];
  // Columns up to k stay.
  if (4 * j <= k) t.x = 0;
  if (4 * j + 1 <= k) t.y = 0;
  if (4 * j + 2 <= k) t.z = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (i0 + i < n) a[(i0 + i) * m4 + j] -= qk[i0 + i] * t;
}
