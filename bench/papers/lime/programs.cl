// Lime's benchmarks by hand. T, T4: float or double (-D).
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ nbody
// Two bodies a work-item, the others in local memory.
#ifdef FAST
#define PULL(d) rsqrt(d) * rsqrt(d) * rsqrt(d)
#else
#define PULL(d) 1 / (d * sqrt(d))
#endif
__kernel GROUP void nbody(__global const T4* restrict p, __global T4* restrict force, T soft, int n) {
  __local T4 all[256];
  const int l = get_local_id(0), i = 512 * get_group_id(0) + l;
  const T4 u = p[i], v = p[i + 256];
  T fx = 0, fy = 0, fz = 0, gx = 0, gy = 0, gz = 0;
  for (int t = 0; t < n; t += 256) {
    all[l] = p[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      const T4 q = all[j];
      const T dx = q.x - u.x, dy = q.y - u.y, dz = q.z - u.z, ex = q.x - v.x, ey = q.y - v.y, ez = q.z - v.z;
      const T d = dx * dx + dy * dy + dz * dz + soft, e = ex * ex + ey * ey + ez * ez + soft;
      const T s = q.w * (PULL(d)), r = q.w * (PULL(e));
      fx += s * dx, fy += s * dy, fz += s * dz;
      gx += r * ex, gy += r * ey, gz += r * ez;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = (T4)(fx, fy, fz, 0);
  force[i + 256] = (T4)(gx, gy, gz, 0);
}

//@ mosaic
// 64 x 64 pairs of tiles a group, 4 x 4 a work-item; pixels by 16 through local memory.
__kernel GROUP void mosaic(__global const int* restrict image, __global const int* restrict library, __global int* restrict best, int count,
                           int pixels) {
  __local __attribute__((aligned(16))) int as[16][68], bs[16][68];
  __local int values[64][17], places[64][17];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, r = l / 4, c = l % 4 * 4, i0 = 64 * get_group_id(0);
  image += (i0 + r) * pixels + c;
  int least[4] = {INT_MAX, INT_MAX, INT_MAX, INT_MAX}, place[4] = {0, 0, 0, 0};
  for (int j0 = 0; j0 < count; j0 += 64) {
    int4 s[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < pixels; k0 += 16) {
      const int4 a = *(__global const int4*)(image + k0), b = *(__global const int4*)(library + (j0 + r) * pixels + c + k0);
      barrier(CLK_LOCAL_MEM_FENCE);
      as[c][r] = a.x, as[c + 1][r] = a.y, as[c + 2][r] = a.z, as[c + 3][r] = a.w;
      bs[c][r] = b.x, bs[c + 1][r] = b.y, bs[c + 2][r] = b.z, bs[c + 3][r] = b.w;
      barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const int4 x = *(__local const int4*)&as[k][4 * ty], y = *(__local const int4*)&bs[k][4 * tx];
        s[0] += convert_int4(abs(x.x - y));
        s[1] += convert_int4(abs(x.y - y));
        s[2] += convert_int4(abs(x.z - y));
        s[3] += convert_int4(abs(x.w - y));
      }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int j = j0 + 4 * tx;
      if (s[q].x < least[q]) least[q] = s[q].x, place[q] = j;
      if (s[q].y < least[q]) least[q] = s[q].y, place[q] = j + 1;
      if (s[q].z < least[q]) least[q] = s[q].z, place[q] = j + 2;
      if (s[q].w < least[q]) least[q] = s[q].w, place[q] = j + 3;
    }
  }
  for (int q = 0; q < 4; ++q) values[4 * ty + q][tx] = least[q], places[4 * ty + q][tx] = place[q];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) {
    int v = values[l][0], p = places[l][0];
    for (int q = 1; q < 16; ++q)
      if (values[l][q] < v || (values[l][q] == v && places[l][q] < p)) v = values[l][q], p = places[l][q];
    best[i0 + l] = p;
  }
}

//@ mriq
// Two points a work-item; samples in local memory, multiplied by 2 pi once.
__kernel GROUP void mriq(__global const float* restrict kx, __global const float* restrict ky, __global const float* restrict kz,
                         __global const float* restrict phi, __global const float* restrict x, __global const float* restrict y,
                         __global const float* restrict z, __global float* restrict qr, __global float* restrict qi, int count) {
  __local float4 all[256];
  const int l = get_local_id(0), i = 512 * get_group_id(0) + l, i2 = i + 256;
  const float x0 = x[i], y0 = y[i], z0 = z[i], x1 = x[i2], y1 = y[i2], z1 = z[i2];
  float r0 = 0, m0 = 0, r1 = 0, m1 = 0;
  for (int t = 0; t < count; t += 256) {
    all[l] = (float4)(6.2831853f * kx[t + l], 6.2831853f * ky[t + l], 6.2831853f * kz[t + l], phi[t + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int k = 0; k < 256; ++k) {
      const float4 q = all[k];
      const float a = q.x * x0 + q.y * y0 + q.z * z0, b = q.x * x1 + q.y * y1 + q.z * z1;
      r0 += q.w * cos(a), m0 += q.w * sin(a);
      r1 += q.w * cos(b), m1 += q.w * sin(b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  qr[i] = r0, qi[i] = m0;
  qr[i2] = r1, qi[i2] = m1;
}

//@ rpes
__kernel GROUP void rpes(__global const float* restrict bra, __global const float* restrict ket, __global float* restrict out, int count) {
  __local float4 all[256];
  __local float factor[256];
  const int l = get_local_id(0), i = get_global_id(0);
  const float bx = bra[5 * i], by = bra[5 * i + 1], bz = bra[5 * i + 2], p = bra[5 * i + 3], scale = bra[5 * i + 4] * 34.986836f / p;
  float e = 0;
  for (int t = 0; t < count; t += 256) {
    __global const float* k = ket + 5 * (t + l);
    all[l] = (float4)(k[0], k[1], k[2], k[3]);
    factor[l] = k[4] / k[3];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; ++j) {
      const float4 q = all[j];
      const float dx = bx - q.x, dy = by - q.y, dz = bz - q.z, r = rsqrt(p + q.w);
      const float x = p * q.w * r * r * (dx * dx + dy * dy + dz * dz);
      float f;
      if (x < 1)
        f = 1 + x * (-1.0f / 3 + x * (0.1f + x * (-1.0f / 42 + x * (1.0f / 216 - x * (1.0f / 1320)))));
      else {
        f = 0.886226925f * rsqrt(x);
        if (x < 12) f *= 1 - exp(-x) * (0.3f + 0.25f / (x + 0.5f));
      }
      e += factor[j] * r * f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = e * scale;
}

//@ crypt
// A block a work-item: eight bytes in one load, the key in constant memory.
uint times(uint a, uint b) {
  const uint p = a * b, low = p & 65535, high = p >> 16;
  const uint r = p ? low - high + (low < high) : 1 - a - b;
  return r & 65535;
}
__kernel void crypt(__global const uint2* restrict text, __constant ushort* restrict key, __global uint2* restrict out, int n) {
  const int b = get_global_id(0);
  if (b >= n) return;
  const uint2 t = text[b];
  uint x1 = t.x & 65535, x2 = t.x >> 16, x3 = t.y & 65535, x4 = t.y >> 16;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    __constant const ushort* k = key + 6 * r;
    x1 = times(x1, k[0]);
    x2 = (x2 + k[1]) & 65535;
    x3 = (x3 + k[2]) & 65535;
    x4 = times(x4, k[3]);
    uint t2 = times(x1 ^ x3, k[4]);
    const uint t1 = times((t2 + (x2 ^ x4)) & 65535, k[5]);
    t2 = (t1 + t2) & 65535;
    x1 ^= t1;
    x4 ^= t2;
    t2 ^= x2;
    x2 = x3 ^ t1;
    x3 = t2;
  }
  out[b] = (uint2)(times(x1, key[48]) | ((x3 + key[49]) & 65535) << 16, ((x2 + key[50]) & 65535) | times(x4, key[51]) << 16);
}

//@ series
// (x + 1)^x, which all coefficients need, is computed once a group.
__kernel GROUP void series(__global T* restrict a, __global T* restrict b, int n, int steps) {
  __local T f[1000];
  const int i = get_global_id(0);
  const T dx = (T)2 / steps;
  for (int k = get_local_id(0); k < steps; k += 256) {
    const T x = dx * (k + (T)0.5);
    f[k] = pow(x + 1, x);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  const T omega = (T)3.1415926535897932 * (i + 1);
  T s = 0, c = 0;
  for (int k = 0; k < steps; ++k) {
    const T x = dx * (k + (T)0.5);
    T cosine;
    s += f[k] * sincos(omega * x, &cosine);
    c += f[k] * cosine;
  }
  a[i] = c * dx;
  b[i] = s * dx;
}
