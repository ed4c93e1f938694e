// Products and points by hand. T, T4: float or double, float4 or double4 (-D). Extents are multiples of the tiles, vectors are at
// aligned places.
#define G4(p) (*(__global T4*)(p))
#define L4(p) (*(__local T4*)(p))
#define G2(p) (*(__global double2*)(p))
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))
#define STORE_T(to, k, r, v) to[k][r] = v.x, to[k + 1][r] = v.y, to[k + 2][r] = v.z, to[k + 3][r] = v.w
#define OUTER(s, x0, x1, y0, y1)                                                              \
  s[0][0] += x0.x * y0, s[0][1] += x0.x * y1, s[1][0] += x0.y * y0, s[1][1] += x0.y * y1;     \
  s[2][0] += x0.z * y0, s[2][1] += x0.z * y1, s[3][0] += x0.w * y0, s[3][1] += x0.w * y1;     \
  s[4][0] += x1.x * y0, s[4][1] += x1.x * y1, s[5][0] += x1.y * y0, s[5][1] += x1.y * y1;     \
  s[6][0] += x1.z * y0, s[6][1] += x1.z * y1, s[7][0] += x1.w * y0, s[7][1] += x1.w * y1

//@ matmul
// Tiles of 128 x 128, 8 x 8 results a work-item; the next tile is loaded while this one is used.
__kernel GROUP void matmul(__global const T* restrict a, __global const T* restrict b, __global T* restrict c, int m, int p) {
  __local __attribute__((aligned(32))) T as[16][132];
  __local __attribute__((aligned(32))) T bs[16][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const int i0 = 128 * get_group_id(1), j0 = 128 * get_group_id(0);
  const int ar = l / 4, ac = l % 4 * 4, br = l / 32, bc = l % 32 * 4;
  a += (i0 + ar) * m + ac;
  b += br * p + j0 + bc;
  T4 a0 = G4(a), a1 = G4(a + 64 * m), b0 = G4(b), b1 = G4(b + 8 * p);
  T4 s[8][2];
#pragma unroll
  for (int r = 0; r < 8; ++r) s[r][0] = s[r][1] = 0;
  for (int k0 = 0; k0 < m; k0 += 16) {
    STORE_T(as, ac, ar, a0);
    STORE_T(as, ac, ar + 64, a1);
    L4(&bs[br][bc]) = b0;
    L4(&bs[br + 8][bc]) = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k0 + 16 < m) {
      a += 16;
      b += 16 * p;
      a0 = G4(a), a1 = G4(a + 64 * m), b0 = G4(b), b1 = G4(b + 8 * p);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const T4 x0 = L4(&as[k][4 * ty]), x1 = L4(&as[k][64 + 4 * ty]);
      const T4 y0 = L4(&bs[k][4 * tx]), y1 = L4(&bs[k][64 + 4 * tx]);
      OUTER(s, x0, x1, y0, y1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = i0 + (r < 4 ? 0 : 60) + 4 * ty + r;
    G4(c + i * p + j0 + 4 * tx) = s[r][0];
    G4(c + i * p + j0 + 64 + 4 * tx) = s[r][1];
  }
}

// For transitive closures: where the square or the matrix itself has a path.
__kernel void reached(__global const T* restrict a, __global const T* restrict square, __global T* restrict c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = square[i] > (T)0.5 || a[i] > (T)0.5;
}

//@ matmul_nt
// The same with the second factor transposed; RANK: added to the lower triangle, turn 2 with the factors exchanged.
#ifdef RANK
#define PUT(at, i, j, v) if ((j) <= (i)) at += v
#else
#define PUT(at, i, j, v) at = v
#endif
__kernel GROUP void matmul_nt(__global const T* restrict u, __global const T* restrict v, __global T* restrict c, int m, int p,
                              int turns) {
  __local __attribute__((aligned(32))) T as[16][132];
  __local __attribute__((aligned(32))) T bs[16][132];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16;
  const int i0 = 128 * get_group_id(1), j0 = 128 * get_group_id(0);
  const int ar = l / 4, ac = l % 4 * 4;
#ifdef RANK
  if (j0 > i0) return;
#endif
  T4 s[8][2];
#pragma unroll
  for (int r = 0; r < 8; ++r) s[r][0] = s[r][1] = 0;
  for (int turn = 0; turn < turns; ++turn) {
    __global const T* a = (turn ? v : u) + (i0 + ar) * m + ac;
    __global const T* b = (turn ? u : v) + (j0 + ar) * m + ac;
    T4 a0 = G4(a), a1 = G4(a + 64 * m), b0 = G4(b), b1 = G4(b + 64 * m);
    for (int k0 = 0; k0 < m; k0 += 16) {
      STORE_T(as, ac, ar, a0);
      STORE_T(as, ac, ar + 64, a1);
      STORE_T(bs, ac, ar, b0);
      STORE_T(bs, ac, ar + 64, b1);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (k0 + 16 < m) {
        a += 16;
        b += 16;
        a0 = G4(a), a1 = G4(a + 64 * m), b0 = G4(b), b1 = G4(b + 64 * m);
      }
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const T4 x0 = L4(&as[k][4 * ty]), x1 = L4(&as[k][64 + 4 * ty]);
        const T4 y0 = L4(&bs[k][4 * tx]), y1 = L4(&bs[k][64 + 4 * tx]);
        OUTER(s, x0, x1, y0, y1);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int i = i0 + (r < 4 ? 0 : 60) + 4 * ty + r, j = j0 + 64 * h + 4 * tx;
      __global T* to = c + i * p + j;
      PUT(to[0], i, j, s[r][h].x);
      PUT(to[1], i, j + 1, s[r][h].y);
      PUT(to[2], i, j + 2, s[r][h].z);
      PUT(to[3], i, j + 3, s[r][h].w);
    }
}

//@ nbody
// Two points a work-item, the others in local memory.
__kernel GROUP void nbody(__global const T* restrict x, __global const T* restrict y, __global const T* restrict z,
                          __global T* restrict out, int n) {
  __local T4 all[256];
  const int l = get_local_id(0), i = 512 * get_group_id(0) + l, i2 = i + 256;
  const T x0 = x[i], y0 = y[i], z0 = z[i], x1 = x[i2], y1 = y[i2], z1 = z[i2];
  T s0 = 0, s1 = 0;
  for (int t = 0; t < n; t += 256) {
    all[l] = (T4)(x[t + l], y[t + l], z[t + l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
    for (int j = 0; j < 256; ++j) {
      const T4 q = all[j];
      const T dx = x0 - q.x, dy = y0 - q.y, dz = z0 - q.z, ex = x1 - q.x, ey = y1 - q.y, ez = z1 - q.z;
      s0 += sqrt(dx * dx + dy * dy + dz * dz);
      s1 += sqrt(ex * ex + ey * ey + ez * ez);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = s0;
  out[i2] = s1;
}

//@ coulomb
// Eight points of a row a work-item, 32 apart; what depends on the row alone is computed once an atom. SQUARED: the atoms' third
// component is the square of the height.
__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void coulomb(__global const float4* restrict atom, __global float* restrict out,
                                                                      float step, float height, int count, int n) {
  __local float4 all[128];
  const int l = get_local_id(0) + 32 * get_local_id(1), j = 256 * get_group_id(0) + get_local_id(0), i = get_global_id(1);
  const float y = step * i;
  float x[8], v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = step * (j + 32 * k), v[k] = 0;
  for (int t = 0; t < count; t += 128) {
    if (t + l < count) all[l] = atom[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int end = min(128, count - t);
#pragma unroll 4
    for (int a = 0; a < end; ++a) {
      const float4 q = all[a];
      const float dy = y - q.y, dz = height - q.z;
#ifdef SQUARED
      const float d = dy * dy + q.z;
#else
      const float d = dy * dy + dz * dz;
#endif
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const float dx = x[k] - q.x;
        v[k] += q.w * rsqrt(dx * dx + d);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (j + 32 * k < n) out[i * n + j + 32 * k] = v[k];
}

//@ stencil5
// Two columns a work-item, 8 rows with the rows above and below in registers.
__kernel void stencil5(__global const double* restrict u, __global double* restrict v, double a, double b, int h, int w) {
  const int j = 2 * get_global_id(0), i0 = 1 + 8 * get_global_id(1), end = min(i0 + 8, h - 1);
  if (j >= w) return;
  int at = i0 * w + j;
  double2 up = G2(u + at - w), here = G2(u + at);
  for (int i = i0; i < end; ++i, at += w) {
    const double2 down = G2(u + at + w), left = (double2)(j > 0 ? u[at - 1] : 0, here.x);
    const double2 right = (double2)(here.y, j + 2 < w ? u[at + 2] : 0), r = a * here + b * (up + down + left + right);
    if (j == 0)
      v[at + 1] = r.y;
    else if (j + 2 == w)
      v[at] = r.x;
    else
      G2(v + at) = r;
    up = here;
    here = down;
  }
}
