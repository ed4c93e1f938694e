// Rows and columns by hand: a group of 256 for a row, 16 bytes a load, rows kept in registers; columns in two stages.
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

float group_max(float v, __local float* all) {
  const int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  all[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    for (int k = 16; k < 256; k += 16) v = fmax(v, all[l + k]);
    all[l] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  v = all[0];
  for (int k = 1; k < 16; ++k) v = fmax(v, all[k]);
  return v;
}

float group_sum(float v, __local float* all) {
  const int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  all[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    for (int k = 16; k < 256; k += 16) v += all[l + k];
    all[l] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  v = all[0];
  for (int k = 1; k < 16; ++k) v += all[k];
  return v;
}

float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// float4 of a work-item: rows of up to 8192
#define PER 8
#define INSIDE(k) (l + 256 * (k) < m4)

//@ softmax
__kernel GROUP void softmax(__global const float4* restrict a, __global float4* restrict out, int m4) {
  __local float all[256];
  const int l = get_local_id(0);
  a += (size_t)get_group_id(0) * m4 + l;
  out += (size_t)get_group_id(0) * m4 + l;
  float4 v[PER];
  float top = -INFINITY, total = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] = a[256 * k];
      top = fmax(top, fmax(fmax(v[k].x, v[k].y), fmax(v[k].z, v[k].w)));
    }
  top = group_max(top, all);
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] = exp(v[k] - top);
      total += sum4(v[k]);
    }
  const float scale = 1.0f / group_sum(total, all);
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) out[256 * k] = v[k] * scale;
}

//@ layer_norm
__kernel GROUP void layer_norm(__global const float4* restrict a, __global const float4* restrict gain,
                               __global const float4* restrict shift, __global float4* restrict out, int m4) {
  __local float all[256];
  const int l = get_local_id(0);
  a += (size_t)get_group_id(0) * m4 + l;
  out += (size_t)get_group_id(0) * m4 + l;
  float4 v[PER];
  float s = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] = a[256 * k];
      s += sum4(v[k]);
    }
  const float mean = group_sum(s, all) / (4.0f * m4);
  s = 0;
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) {
      v[k] -= mean;
      s += sum4(v[k] * v[k]);
    }
  const float scale = rsqrt(group_sum(s, all) / (4.0f * m4) + 1e-5f);
#pragma unroll
  for (int k = 0; k < PER; ++k)
    if (INSIDE(k)) out[256 * k] = v[k] * scale * gain[l + 256 * k] + shift[l + 256 * k];
}

//@ row_sums
__kernel GROUP void row_sums(__global const float4* restrict a, __global float* restrict out, int m4) {
  __local float all[256];
  a += (size_t)get_group_id(0) * m4;
  float4 s = 0;
  for (int k = get_local_id(0); k < m4; k += 256) s += a[k];
  const float t = group_sum(sum4(s), all);
  if (get_local_id(0) == 0) out[get_group_id(0)] = t;
}

//@ matvec
__kernel GROUP void matvec(__global const float4* restrict a, __global const float4* restrict x, __global float* restrict y,
                           int m4) {
  __local float all[256];
  a += (size_t)get_group_id(0) * m4;
  float4 s = 0;
  for (int k = get_local_id(0); k < m4; k += 256) s += a[k] * x[k];
  const float t = group_sum(sum4(s), all);
  if (get_local_id(0) == 0) y[get_group_id(0)] = t;
}

//@ argmin_rows
void least(float* v, int* p, float w, int q) {
  if (w < *v || (w == *v && q < *p)) *v = w, *p = q;
}
__kernel GROUP void argmin_rows(__global const float4* restrict a, __global int* restrict out, int m4) {
  __local float values[256];
  __local int places[256];
  const int l = get_local_id(0);
  a += (size_t)get_group_id(0) * m4;
  float v = INFINITY;
  int p = INT_MAX;
  for (int k = l; k < m4; k += 256) {
    const float4 t = a[k];
    if (t.x < v) v = t.x, p = 4 * k;
    if (t.y < v) v = t.y, p = 4 * k + 1;
    if (t.z < v) v = t.z, p = 4 * k + 2;
    if (t.w < v) v = t.w, p = 4 * k + 3;
  }
  values[l] = v;
  places[l] = p;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    for (int k = 16; k < 256; k += 16) least(&v, &p, values[l + k], places[l + k]);
    values[l] = v;
    places[l] = p;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    for (int k = 1; k < 16; ++k) least(&v, &p, values[k], places[k]);
    out[get_group_id(0)] = p;
  }
}

//@ cummax_rows
__kernel GROUP void cummax_rows(__global const float4* restrict a, __global float4* restrict out, int m4) {
  __local float all[PER][256];
  const int l = get_local_id(0);
  a += (size_t)get_group_id(0) * m4 + l;
  out += (size_t)get_group_id(0) * m4 + l;
  float4 v[PER];
  float top[PER];
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    v[k] = l + 256 * k < m4 ? a[256 * k] : (float4)(-INFINITY);
    v[k].y = fmax(v[k].x, v[k].y);
    v[k].z = fmax(v[k].y, v[k].z);
    v[k].w = fmax(v[k].z, v[k].w);
    all[k][l] = top[k] = v[k].w;
  }
  for (int step = 1; step < 256; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < PER; ++k)
      if (l >= step) top[k] = fmax(top[k], all[k][l - step]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < PER; ++k) all[k][l] = top[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float before = -INFINITY;
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    const float4 w = fmax(v[k], l > 0 ? fmax(before, all[k][l - 1]) : before);
    if (l + 256 * k < m4) out[256 * k] = w;
    before = fmax(before, all[k][255]);
  }
}

//@ triangle_rows
__kernel GROUP void triangle_rows(__global const float4* restrict a, __global float* restrict out, int m4) {
  __local float all[256];
  const int i = get_group_id(0);
  a += (size_t)i * m4;
  float s = 0;
  for (int k = get_local_id(0); 4 * k <= i; k += 256) {
    const float4 v = a[k];
    if (4 * k + 3 <= i)
      s += sum4(v);
    else
      s += v.x + (4 * k + 1 <= i ? v.y : 0) + (4 * k + 2 <= i ? v.z : 0);
  }
  s = group_sum(s, all);
  if (get_local_id(0) == 0) out[i] = s;
}

//@ column_sums
// Dimension 1: parts of 128 rows.
__kernel void column_parts(__global const float4* restrict a, __global float4* restrict parts, int n, int m4) {
  const int j = get_global_id(0), p = get_global_id(1), end = min(128 * (p + 1), n);
  if (j >= m4) return;
  float4 s = 0;
#pragma unroll 8
  for (int i = 128 * p; i < end; ++i) s += a[(size_t)i * m4 + j];
  parts[p * m4 + j] = s;
}
__kernel void column_join(__global const float* restrict parts, __global float* restrict out, int count, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float s = 0;
#pragma unroll 8
  for (int p = 0; p < count; ++p) s += parts[p * m + j];
  out[j] = s;
}

//@ matvec_t
__kernel void product_parts(__global const float4* restrict a, __global const float* restrict x, __global float4* restrict parts,
                            int n, int m4) {
  const int j = get_global_id(0), p = get_global_id(1), end = min(128 * (p + 1), n);
  if (j >= m4) return;
  float4 s = 0;
#pragma unroll 8
  for (int i = 128 * p; i < end; ++i) s += a[(size_t)i * m4 + j] * x[i];
  parts[p * m4 + j] = s;
}
__kernel void column_join(__global const float* restrict parts, __global float* restrict out, int count, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float s = 0;
#pragma unroll 8
  for (int p = 0; p < count; ++p) s += parts[p * m + j];
  out[j] = s;
}

//@ triangle_columns
__kernel void triangle_parts(__global const float4* restrict a, __global float4* restrict parts, int n, int m4) {
  const int j = get_global_id(0), p = get_global_id(1), end = min(min(128 * (p + 1), n), 4 * j + 4);
  if (j >= m4) return;
  float4 s = 0;
  const int full = min(end, 4 * j + 1);
#pragma unroll 8
  for (int i = 128 * p; i < full; ++i) s += a[(size_t)i * m4 + j];
  for (int i = max(full, 128 * p); i < end; ++i) {
    const float4 v = a[(size_t)i * m4 + j];
    s += (float4)(0, i <= 4 * j + 1 ? v.y : 0, i <= 4 * j + 2 ? v.z : 0, v.w);
  }
  parts[p * m4 + j] = s;
}
__kernel void column_join(__global const float* restrict parts, __global float* restrict out, int count, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float s = 0;
  const int last = min(count, j / 128 + 1);
  for (int p = 0; p < last; ++p) s += parts[p * m + j];
  out[j] = s;
}

//@ outer
__kernel void outer(__global const float* restrict x, __global const float4* restrict y, __global float4* restrict out, int n,
                    int m4) {
  const int j = get_global_id(0), i = 4 * get_global_id(1);
  if (j >= m4) return;
  const float4 v = y[j];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (i + k < n) out[(size_t)(i + k) * m4 + j] = x[i + k] * v;
}

//@ transpose
__kernel void transpose(__global const float* restrict a, __global float* restrict out, int n, int m) {
  __local float tile[32][33];
  const int x = get_local_id(0), y = get_local_id(1), i0 = 32 * get_group_id(1), j0 = 32 * get_group_id(0);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (i0 + y + k < n && j0 + x < m) tile[y + k][x] = a[(size_t)(i0 + y + k) * m + j0 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (j0 + y + k < m && i0 + x < n) out[(size_t)(j0 + y + k) * n + i0 + x] = tile[x][y + k];
}

//@ diagonal
__kernel void diagonal(__global const float* restrict a, __global float* restrict out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = a[(size_t)i * n + i];
}

//@ trace
__kernel GROUP void trace(__global const float* restrict a, __global double* restrict out, int n) {
  __local double all[256];
  const int l = get_local_id(0);
  double s = 0;
  for (int i = l; i < n; i += 256) s += a[(size_t)i * n + i];
  all[l] = s;
  for (int step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) all[l] += all[l + step];
  }
  if (l == 0) out[0] = all[0];
}
