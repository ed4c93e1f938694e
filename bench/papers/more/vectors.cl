// Vectors by hand: four elements a work-item where they are streamed, 32-bit indices.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ saxpy
__kernel void saxpy(__global const float4* restrict x, __global float4* restrict y, float a, int n4) {
  const int i = get_global_id(0);
  if (i < n4) y[i] = a * x[i] + y[i];
}

//@ triad
__kernel void triad(__global const double2* restrict x, __global const double2* restrict y, __global double2* restrict z,
                    double a, int n2) {
  const int i = get_global_id(0);
  if (i < n2) z[i] = x[i] + a * y[i];
}

//@ dot
// Groups add up their parts in double, one group joins them.
__kernel GROUP void dot_parts(__global const float4* restrict x, __global const float4* restrict y, __global double* restrict parts,
                              int n4) {
  __local double all[256];
  const int l = get_local_id(0);
  float4 s = 0;
  for (int i = get_global_id(0); i < n4; i += get_global_size(0)) s += x[i] * y[i];
  all[l] = ((double)s.x + s.y) + ((double)s.z + s.w);
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l == 0) parts[get_group_id(0)] = all[0];
}
__kernel GROUP void dot_join(__global const double* restrict parts, __global float* restrict out, int count) {
  __local double all[256];
  const int l = get_local_id(0);
  double s = 0;
  for (int i = l; i < count; i += 256) s += parts[i];
  all[l] = s;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l == 0) out[0] = all[0];
}

//@ norm_max
__kernel GROUP void max_parts(__global const double2* restrict x, __global double* restrict parts, int n2) {
  __local double all[256];
  const int l = get_local_id(0);
  double m = 0;
  for (int i = get_global_id(0); i < n2; i += get_global_size(0)) {
    const double2 v = fabs(x[i]);
    m = fmax(m, fmax(v.x, v.y));
  }
  all[l] = m;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] = fmax(all[l], all[l + step]);
  }
  if (l == 0) parts[get_group_id(0)] = all[0];
}

//@ gather
__kernel void gather(__global const float* restrict x, __global const int4* restrict place, __global float4* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const int4 p = place[i];
  out[i] = (float4)(x[p.x], x[p.y], x[p.z], x[p.w]);
}

//@ scatter
__kernel void scatter(__global const float4* restrict x, __global const int4* restrict place, __global float* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const int4 p = place[i];
  const float4 v = x[i];
  out[p.x] = v.x;
  out[p.y] = v.y;
  out[p.z] = v.z;
  out[p.w] = v.w;
}

//@ scan
// Of T (int, double): sums of 4096 elements a group, their scan by one group, and the scan; eight vectors a work-item, all eight rows of
// 512 elements scanned at once.
#define PER 8
__kernel GROUP void scan_parts(__global const T2* restrict x, __global T* restrict sums) {
  __local T all[256];
  const int l = get_local_id(0);
  x += 256 * PER * get_group_id(0) + l;
  T s = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    const T2 v = x[256 * k];
    s += v.x + v.y;
  }
  all[l] = s;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l == 0) sums[get_group_id(0)] = all[0];
}
// Four neighbours a work-item.
__kernel GROUP void scan_sums(__global T* restrict sums, int count) {
  __local T all[256];
  const int l = get_local_id(0);
  T before = 0;
  for (int at = 4 * l; at < count + 4 * l; at += 1024) {
    T v[4], s = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k] = s;
      s += at + k < count ? sums[at + k] : 0;
    }
    const T mine = s;
    all[l] = s;
    for (int step = 1; step < 256; step *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const T t = l >= step ? all[l - step] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      s += t;
      all[l] = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (at + k < count) sums[at + k] = before + (s - mine) + v[k];
    before += all[255];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
__kernel GROUP void scan_all(__global const T2* restrict x, __global const T* restrict sums, __global T2* restrict out) {
  __local T all[PER][256];
  const int l = get_local_id(0);
  x += 256 * PER * get_group_id(0) + l;
  out += 256 * PER * get_group_id(0) + l;
  T2 v[PER];
  T s[PER];
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    v[k] = x[256 * k];
    v[k].y += v[k].x;
    all[k][l] = s[k] = v[k].y;
  }
  for (int step = 1; step < 256; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < PER; ++k)
      if (l >= step) s[k] += all[k][l - step];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < PER; ++k) all[k][l] = s[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  T before = sums[get_group_id(0)];
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    out[256 * k] = v[k] + (before + (s[k] - v[k].y));
    before += all[k][255];
  }
}

//@ histogram
// A copy of the counts in local memory for each group.
__kernel GROUP void histogram(__global const uint4* restrict x, __global int* restrict count, int n16) {
  __local int all[256];
  const int l = get_local_id(0);
  all[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n16; i += get_global_size(0)) {
    const uint4 v = x[i];
    const uint w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      atomic_inc(&all[w[k] & 255]);
      atomic_inc(&all[w[k] >> 8 & 255]);
      atomic_inc(&all[w[k] >> 16 & 255]);
      atomic_inc(&all[w[k] >> 24]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&count[l], all[l]);
}

//@ polynomial
__kernel void polynomial(__global const float4* restrict x, __constant float* restrict c, __global float4* restrict out, int n4,
                         int degree) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const float4 t = x[i];
  float4 s = 0;
#pragma unroll 8
  for (int k = 0; k < degree; ++k) s = s * t + c[k];
  out[i] = s;
}

//@ erf_f64
__kernel void erf_f64(__global const double* restrict x, __global double* restrict out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = erf(x[i]);
}

//@ lgamma_f64
__kernel void lgamma_f64(__global const double* restrict x, __global double* restrict out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = lgamma(x[i]);
}

//@ trig_f32
__kernel void trig_f32(__global const float* restrict x, __global float* restrict out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float t = x[i];
  out[i] = sin(t) * cos(2 * t) + tanh(t) * exp(-t * t);
}

//@ power_f32
__kernel void power_f32(__global const float* restrict x, __global const float* restrict y, __global float* restrict out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = pow(x[i], y[i]) + log(x[i]) / cbrt(y[i]);
}

//@ complex_multiply
__kernel void complex_multiply(__global const float4* restrict x, __global const float4* restrict y, __global float4* restrict out,
                               int n2) {
  const int i = get_global_id(0);
  if (i >= n2) return;
  const float4 a = x[i], b = y[i];
  out[i] = (float4)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x, a.z * b.z - a.w * b.w, a.z * b.w + a.w * b.z);
}

//@ hash_u32
__kernel void hash_u32(__global const uint4* restrict x, __global uint4* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  uint4 h = x[i];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
  }
  out[i] = h;
}

//@ xorshift
__kernel void xorshift(__global const uint* restrict seed, __global uint* restrict out, int n, int rounds) {
  const int i = get_global_id(0);
  if (i >= n) return;
  uint x = seed[i], s = 0;
#pragma unroll 4
  for (int k = 0; k < rounds; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    s += x;
  }
  out[i] = s;
}

//@ popcount
__kernel void popcount_all(__global const uint4* restrict x, __global int4* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i < n4) out[i] = as_int4(popcount(x[i]));
}

//@ pi_counts
__kernel void pi_counts(__global int* restrict out, uint seed, int n, int rounds) {
  const int i = get_global_id(0);
  if (i >= n) return;
  int inside = 0;
  for (int k = 0; k < rounds; ++k) {
    uint a = i, b = k, key = seed;
#pragma unroll
    for (int t = 0; t < 7; ++t) {
      const uint high = mul_hi(a, 0xD256D193u), low = a * 0xD256D193u;
      a = high ^ key ^ b;
      b = low;
      key += 0x9E3779B9u;
    }
    const float x = (a >> 8) * (1.0f / 16777216), y = (b >> 8) * (1.0f / 16777216);
    inside += x * x + y * y < 1.0f;
  }
  out[i] = inside;
}

//@ bitonic_step
__kernel void bitonic_step(__global float* restrict x, int j, int k, int count) {
  const int t = get_global_id(0);
  if (t >= count) return;
  const int a = 2 * t - (t & (j - 1)), b = a + j;
  const float u = x[a], v = x[b];
  if ((u > v) == ((a & k) == 0)) {
    x[a] = v;
    x[b] = u;
  }
}

//@ fft_stage
__kernel void fft_stage(__global float* restrict re, __global float* restrict im, __global const float* restrict wr,
                        __global const float* restrict wi, int width, int count) {
  const int t = get_global_id(0);
  if (t >= count) return;
  // width is a power of two
  const int k = t & (width - 1), a = 2 * t - k, b = a + width;
  const float c = wr[width + k], s = wi[width + k], ra = re[a], ia = im[a], rb = re[b], ib = im[b];
  const float xr = rb * c - ib * s, xi = rb * s + ib * c;
  re[b] = (ra - xr) * 0.7071f;
  im[b] = (ia - xi) * 0.7071f;
  re[a] = (ra + xr) * 0.7071f;
  im[a] = (ia + xi) * 0.7071f;
}
