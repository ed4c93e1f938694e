// By hand: points in local memory, several results a work-item.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ cp
__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void cp(__global const float* restrict ax, __global const float* restrict ay,
                                                                 __global const float* restrict az, __global const float* restrict q,
                                                                 __global float* restrict out, float step, int count, int n) {
  __local float4 all[128];
  const int l = get_local_id(0) + 32 * get_local_id(1), j = 256 * get_group_id(0) + get_local_id(0), i = get_global_id(1);
  const float y = step * i;
  float x[8], v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = step * (j + 32 * k), v[k] = 0;
  for (int t = 0; t < count; t += 128) {
    if (t + l < count) {
      const float z = az[t + l];
      all[l] = (float4)(ax[t + l], ay[t + l], z * z, q[t + l]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int end = min(128, count - t);
#pragma unroll 4
    for (int a = 0; a < end; ++a) {
      const float4 p = all[a];
      const float dy = y - p.y, d = dy * dy + p.z;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const float dx = x[k] - p.x;
        v[k] += p.w * rsqrt(dx * dx + d);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (j + 32 * k < n) out[i * n + j + 32 * k] = v[k];
}

//@ bs
float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float w = 0.39894228f * exp(-0.5f * d * d) * k *
                  (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - w : w;
}
__kernel void bs(__global const float* restrict price, __global const float* restrict strike, __global const float* restrict years,
                 __global float* restrict call, __global float* restrict put, float rate, float vol, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
  const float d1 = (log(s / x) + (rate + 0.5f * vol * vol) * t) / (vol * root), d2 = d1 - vol * root, later = x * exp(-rate * t);
  const float n1 = normal(d1), n2 = normal(d2);
  call[i] = s * n1 - later * n2;
  put[i] = later * (1 - n2) - s * (1 - n1);
}

//@ mb
__kernel void mb(__global int* restrict out, int limit, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  const float cx = -2.0f + 2.5f * j / w, cy = -1.25f + 2.5f * i / h;
  float x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[i * w + j] = n;
}
