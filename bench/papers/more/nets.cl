// Layers by hand: four numbers a work-item where they are streamed.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

//@ bias_relu
__kernel void bias_relu(__global const float4* restrict x, __global const float4* restrict b, __global float4* restrict out, int n,
                        int m4) {
  const int j = get_global_id(0), i0 = 4 * get_global_id(1);
  if (j >= m4) return;
  const float4 v = b[j];
#pragma unroll
  for (int r = 0; r < 4; ++r)
    if (i0 + r < n) out[(i0 + r) * m4 + j] = fmax(x[(i0 + r) * m4 + j] + v, 0);
}

//@ gelu
__kernel void gelu(__global const float4* restrict x, __global float4* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const float4 t = x[i];
  out[i] = 0.5f * t * (1 + tanh(0.7978845608f * (t + 0.044715f * t * t * t)));
}

//@ batch_norm
// One scale and one shift a channel.
__kernel GROUP void batch_norm(__global const float4* restrict x, __global const float* restrict mean, __global const float* restrict var,
                               __global const float* restrict gain, __global const float* restrict shift, __global float4* restrict out,
                               int channels, int m4) {
  const int k = get_global_id(0), plane = get_global_id(1), c = plane % channels;
  if (k >= m4) return;
  const float a = gain[c] * rsqrt(var[c] + 1e-5f), b = shift[c] - mean[c] * a;
  out[plane * m4 + k] = x[plane * m4 + k] * a + b;
}

//@ max_pool
__kernel void max_pool(__global const float4* restrict x, __global float2* restrict out, int h, int w2) {
  const int j = get_global_id(0), i = get_global_id(1), c = get_global_id(2);
  if (j >= w2 || i >= h) return;
  const int at = (c * h + i) * 2 * w2 + j;
  const float4 u = x[at], v = x[at + w2], m = fmax(u, v);
  out[(c * h + i) * w2 + j] = (float2)(fmax(m.x, m.y), fmax(m.z, m.w));
}

//@ depthwise
// Four columns and four rows a work-item.
__kernel void depthwise(__global const float* restrict x, __global const float* restrict w, __global float* restrict out, int h, int n) {
  const int j = 4 * get_global_id(0), i0 = 4 * get_global_id(1), c = get_global_id(2), stride = n + 2;
  if (j >= n || i0 >= h) return;
  float k[9];
#pragma unroll
  for (int t = 0; t < 9; ++t) k[t] = w[9 * c + t];
  x += c * (h + 2) * stride + j;
  out += c * h * n + j;
  float r[6][6];
#pragma unroll
  for (int t = 0; t < 6; ++t)
#pragma unroll
    for (int l = 0; l < 6; ++l) r[t][l] = i0 + t < h + 2 ? x[(i0 + t) * stride + l] : 0;
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    float s[4];
#pragma unroll
    for (int l = 0; l < 4; ++l) {
      s[l] = 0;
#pragma unroll
      for (int a = 0; a < 9; ++a) s[l] += r[t + a / 3][l + a % 3] * k[a];
    }
    if (i0 + t < h) *(__global float4*)(out + (i0 + t) * n) = (float4)(s[0], s[1], s[2], s[3]);
  }
}

//@ layer
// A pixel and 16 output channels a work-item; the weights of 8 input channels in local memory.
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void layer(__global const float* restrict x, __global const float* restrict w,
                                                                   __global float* restrict out, int channels, int h, int n) {
  __local float all[8][9][16];
  const int l = get_local_id(0) + 32 * get_local_id(1), j = get_global_id(0), i = get_global_id(1), o = 16 * get_global_id(2);
  const int stride = n + 2, plane = (h + 2) * stride, at = min(i, h - 1) * stride + min(j, n - 1);
  float s[16];
#pragma unroll
  for (int q = 0; q < 16; ++q) s[q] = 0;
  for (int c0 = 0; c0 < channels; c0 += 8) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = l; t < 16 * 72; t += 256) all[t % 72 / 9][t % 9][t / 72] = w[(o + t / 72) * channels * 9 + 9 * c0 + t % 72];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = 0; c < 8; ++c) {
      __global const float* p = x + (c0 + c) * plane + at;
#pragma unroll
      for (int a = 0; a < 9; ++a) {
        const float v = p[a / 3 * stride + a % 3];
#pragma unroll
        for (int q = 0; q < 16; ++q) s[q] += v * all[c][a][q];
      }
    }
  }
  if (i < h && j < n)
#pragma unroll
    for (int q = 0; q < 16; ++q) out[(o + q) * h * n + i * n + j] = s[q];
}

//@ adam
__kernel void adam(__global float4* restrict p, __global const float4* restrict g, __global float4* restrict m, __global float4* restrict v,
                   float rate, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const float4 d = g[i], a = 0.9f * m[i] + 0.1f * d, b = 0.999f * v[i] + 0.001f * d * d;
  m[i] = a;
  v[i] = b;
  p[i] -= rate * a / (sqrt(b) + 1e-8f);
}

//@ embedding
__kernel void embedding(__global const float4* restrict table, __global const int* restrict words, __global float4* restrict out, int n,
                        int m4) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (j < m4 && i < n) out[i * m4 + j] = table[words[i] * m4 + j];
}

//@ cross_entropy
// A group a row of up to 8192, which is read once.
__kernel GROUP void cross_entropy(__global const float4* restrict a, __global const int* restrict label, __global float* restrict loss,
                                  int m4) {
  __local float all[256];
  const int l = get_local_id(0), i = get_group_id(0);
  __global const float* row = (__global const float*)(a + i * m4);
  a += i * m4 + l;
  float4 v[8];
  float top = -INFINITY;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    v[k] = l + 256 * k < m4 ? a[256 * k] : (float4)(-INFINITY);
    top = fmax(top, fmax(fmax(v[k].x, v[k].y), fmax(v[k].z, v[k].w)));
  }
  all[l] = top;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] = fmax(all[l], all[l + step]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  top = all[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (l + 256 * k < m4) {
      const float4 e = exp(v[k] - top);
      s += (e.x + e.y) + (e.z + e.w);
    }
  all[l] = s;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l == 0) loss[i] = log(all[0]) + top - row[label[i]];
}

//@ softmax_short
// 16 work-items a row of up to 128: two vectors each.
__kernel GROUP void softmax_short(__global const float4* restrict a, __global float4* restrict out, int n, int m4) {
  __local float all[256];
  const int l = get_local_id(0), lane = l % 16, i = get_global_id(0) / 16, at = i * m4 + lane;
  const float4 u = i < n && lane < m4 ? a[at] : (float4)(-INFINITY), v = i < n && lane + 16 < m4 ? a[at + 16] : (float4)(-INFINITY);
  const float4 w = fmax(u, v);
  all[l] = fmax(fmax(w.x, w.y), fmax(w.z, w.w));
  barrier(CLK_LOCAL_MEM_FENCE);
  float top = all[l - lane];
#pragma unroll
  for (int k = 1; k < 16; ++k) top = fmax(top, all[l - lane + k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 e = exp(u - top), f = exp(v - top), g = e + f;
  all[l] = (g.x + g.y) + (g.z + g.w);
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += all[l - lane + k];
  const float scale = 1 / s;
  if (i < n && lane < m4) out[at] = e * scale;
  if (i < n && lane + 16 < m4) out[at + 16] = f * scale;
}

//@ column_moments
// Parts of 128 rows: their sums and, about their means, sums of squares; then joined.
__kernel void moment_parts(__global const float4* restrict a, __global float4* restrict sums, __global float4* restrict squares, int n,
                           int m4) {
  const int j = get_global_id(0), p = get_global_id(1), begin = 128 * p, end = min(begin + 128, n);
  if (j >= m4) return;
  const float4 about = a[begin * m4 + j];
  float4 s = 0, q = 0;
#pragma unroll 8
  for (int i = begin; i < end; ++i) {
    const float4 d = a[i * m4 + j] - about;
    s += d;
    q += d * d;
  }
  const float count = end - begin;
  sums[p * m4 + j] = s / count + about;
  squares[p * m4 + j] = q - s * s / count;
}
__kernel void moments(__global const float* restrict sums, __global const float* restrict squares, __global float* restrict mean,
                      __global float* restrict var, int n, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float all = 0, center = 0, q = 0;
  for (int p = 0; 128 * p < n; ++p) {
    const float count = min(128, n - 128 * p), d = sums[p * m + j] - center, total = all + count;
    center += d * count / total;
    q += squares[p * m + j] + d * d * all * count / total;
    all = total;
  }
  mean[j] = center;
  var[j] = q / n;
}

//@ dropout
__kernel void dropout(__global const float4* restrict x, __global float4* restrict out, uint seed, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  uint4 h = ((uint4)(0, 1, 2, 3) + (uint)(4 * i)) ^ seed;
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  out[i] = select((float4)(0), x[i] * 1.25f, h > 858993459u);
}
