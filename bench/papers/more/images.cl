// Images by hand: four pixels a work-item, windows in constant memory, tiles in local memory.

// A vector at an aligned place.
#define L4(p) (*(__local const float4*)(p))

//@ convolution
// Windows of up to 17 x 17; tiles of 128 x 16 results, 4 x 2 a work-item.
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void convolution(__global const float* restrict a, __constant float* restrict w,
                                                                          __global float* restrict out, int h, int n, int size,
                                                                          int stride) {
  __local __attribute__((aligned(16))) float tile[32][148];
  const int x = get_local_id(0), y = get_local_id(1), i0 = 16 * get_group_id(1), j0 = 128 * get_group_id(0);
  const int high = min(16 + size - 1, h + size - 1 - i0), wide = min(128 + size - 1, n + size - 1 - j0);
  for (int i = y; i < high; i += 8)
    for (int j = x; j < wide; j += 32) tile[i][j] = a[(i0 + i) * stride + j0 + j];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 s = 0, t = 0;
  for (int k = 0; k < size; ++k) {
    __local const float* p = &tile[y + k][4 * x];
    __local const float* q = &tile[y + k + 8][4 * x];
    float4 u = L4(p), v = L4(q);
    int l = 0;
    for (; l + 4 <= size; l += 4) {
      const float4 u1 = L4(p + l + 4), v1 = L4(q + l + 4);
      __constant const float* c = w + k * size + l;
      const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
      s += u * c0, t += v * c0;
      s += (float4)(u.yzw, u1.x) * c1, t += (float4)(v.yzw, v1.x) * c1;
      s += (float4)(u.zw, u1.xy) * c2, t += (float4)(v.zw, v1.xy) * c2;
      s += (float4)(u.w, u1.xyz) * c3, t += (float4)(v.w, v1.xyz) * c3;
      u = u1, v = v1;
    }
    for (; l < size; ++l) {
      const float c = w[k * size + l];
      s += u * c, t += v * c;
      u = (float4)(u.yzw, p[l + 4]), v = (float4)(v.yzw, q[l + 4]);
    }
  }
  const int i = i0 + y, j = j0 + 4 * x;
  if (i < h && j < n) *(__global float4*)(out + i * n + j) = s;
  if (i + 8 < h && j < n) *(__global float4*)(out + (i + 8) * n + j) = t;
}

//@ blur_u8
// Rows: four results a work-item. Columns: four columns, eight rows, sums that slide.
__kernel void blur_rows(__global const uchar4* restrict a, __global uchar* restrict mid, int h, int n4) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (j >= n4 || i >= h) return;
  a += i * n4;
  mid += 4 * (i * n4 + j);
  const int4 l = convert_int4(a[max(j - 1, 0)]), c = convert_int4(a[j]), r = convert_int4(a[min(j + 1, n4 - 1)]);
  const int4 s = (int4)(l.zw, c.xy) + (int4)(l.w, c.xyz) + c + (int4)(c.yzw, r.x) + (int4)(c.zw, r.xy);
  const uchar4 o = convert_uchar4(s / 5);
  if (j == 0)
    mid[2] = o.z, mid[3] = o.w;
  else if (j == n4 - 1)
    mid[0] = o.x, mid[1] = o.y;
  else
    *(__global uchar4*)mid = o;
}
__kernel void blur_columns(__global const uchar4* restrict mid, __global uchar4* restrict out, int h, int n4) {
  const int j = get_global_id(0), i0 = 2 + 8 * get_global_id(1);
  if (j >= n4 || i0 >= h - 2) return;
  int4 v[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) v[k] = convert_int4(mid[min(i0 - 2 + k, h - 1) * n4 + j]);
  int4 s = v[0] + v[1] + v[2] + v[3];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    s += v[k + 4];
    if (i0 + k < h - 2) out[(i0 + k) * n4 + j] = convert_uchar4(s / 5);
    s -= v[k];
  }
}

//@ sobel_u8
// Four results a work-item.
void row_of(__global const uchar* p, bool first, bool last, int* v) {
  const uchar4 c = *(__global const uchar4*)p;
  v[0] = first ? 0 : p[-1], v[1] = c.x, v[2] = c.y, v[3] = c.z, v[4] = c.w, v[5] = last ? 0 : p[4];
}
__kernel void sobel_u8(__global const uchar* restrict a, __global uchar* restrict out, int h, int w) {
  const int j = 4 * get_global_id(0), i = 1 + get_global_id(1);
  if (i >= h - 1 || j >= w) return;
  int n[6], c[6], s[6];
  const int at = i * w + j;
  row_of(a + at - w, j == 0, j == w - 4, n);
  row_of(a + at, j == 0, j == w - 4, c);
  row_of(a + at + w, j == 0, j == w - 4, s);
  uchar o[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int gx = n[k + 2] + 2 * c[k + 2] + s[k + 2] - n[k] - 2 * c[k] - s[k];
    const int gy = s[k] + 2 * s[k + 1] + s[k + 2] - n[k] - 2 * n[k + 1] - n[k + 2];
    o[k] = min(abs(gx) + abs(gy), 255u);
  }
  if (j == 0)
    out[at + 1] = o[1], out[at + 2] = o[2], out[at + 3] = o[3];
  else if (j == w - 4)
    out[at] = o[0], out[at + 1] = o[1], out[at + 2] = o[2];
  else
    *(__global uchar4*)(out + at) = (uchar4)(o[0], o[1], o[2], o[3]);
}

//@ resize
__kernel void resize(__global const float* restrict a, __global float* restrict out, int h, int w, int oh, int ow) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= oh || j >= ow) return;
  const float sy = (float)(h - 1) / (float)oh, sx = (float)(w - 1) / (float)ow, y = i * sy, x = j * sx;
  const int y0 = (int)y, x0 = (int)x;
  const float fy = y - y0, fx = x - x0;
  a += y0 * w + x0;
  const float top = a[0] * (1 - fx) + a[1] * fx, low = a[w] * (1 - fx) + a[w + 1] * fx;
  out[i * ow + j] = top * (1 - fy) + low * fy;
}

//@ median9
// A network of 19 exchanges.
#define SORT(a, b) { const float t = fmin(a, b); b = fmax(a, b); a = t; }
__kernel void median9(__global const float* restrict a, __global float* restrict out, int h, int w) {
  const int j = 1 + get_global_id(0), i = 1 + get_global_id(1);
  if (i >= h - 1 || j >= w - 1) return;
  a += i * w + j;
  float p0 = a[-w - 1], p1 = a[-w], p2 = a[-w + 1], p3 = a[-1], p4 = a[0], p5 = a[1], p6 = a[w - 1], p7 = a[w], p8 = a[w + 1];
  SORT(p1, p2) SORT(p4, p5) SORT(p7, p8) SORT(p0, p1) SORT(p3, p4) SORT(p6, p7) SORT(p1, p2) SORT(p4, p5) SORT(p7, p8)
  SORT(p0, p3) SORT(p5, p8) SORT(p4, p7) SORT(p3, p6) SORT(p1, p4) SORT(p2, p5) SORT(p4, p7) SORT(p4, p2) SORT(p6, p4) SORT(p4, p2)
  out[i * w + j] = p4;
}

//@ gray_u8
__kernel void gray_u8(__global const uint* restrict rgb, __global uchar4* restrict out, int n4) {
  const int i = get_global_id(0);
  if (i >= n4) return;
  const uint3 v = vload3(i, rgb);
  const uint r0 = v.x & 255, g0 = v.x >> 8 & 255, b0 = v.x >> 16 & 255, r1 = v.x >> 24, g1 = v.y & 255, b1 = v.y >> 8 & 255;
  const uint r2 = v.y >> 16 & 255, g2 = v.y >> 24, b2 = v.z & 255, r3 = v.z >> 8 & 255, g3 = v.z >> 16 & 255, b3 = v.z >> 24;
  out[i] = (uchar4)((77 * r0 + 150 * g0 + 29 * b0) >> 8, (77 * r1 + 150 * g1 + 29 * b1) >> 8, (77 * r2 + 150 * g2 + 29 * b2) >> 8,
                    (77 * r3 + 150 * g3 + 29 * b3) >> 8);
}

//@ bilateral
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void bilateral(__global const float* restrict a, __global float* restrict out,
                                                                        float space, float tone, int h, int w) {
  __local float tile[14][40];
  const int x = get_local_id(0), y = get_local_id(1), i0 = 8 * get_group_id(1), j0 = 32 * get_group_id(0);
  for (int i = y; i < 14; i += 8)
    for (int j = x; j < 38; j += 32) tile[i][j] = a[min(i0 + i, h - 1) * w + min(j0 + j, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = i0 + y + 3, j = j0 + x + 3;
  if (i >= h - 3 || j >= w - 3) return;
  const float c = tile[y + 3][x + 3];
  float s = 0, t = 0;
#pragma unroll
  for (int k = 0; k < 7; ++k)
#pragma unroll
    for (int l = 0; l < 7; ++l) {
      const float v = tile[y + k][x + l], d = v - c, e = exp(-(float)((k - 3) * (k - 3) + (l - 3) * (l - 3)) * space - d * d * tone);
      s += e * v;
      t += e;
    }
  out[i * w + j] = s / t;
}

//@ julia
__kernel void julia(__global int* restrict out, float cr, float ci, int limit, int h, int w) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i >= h || j >= w) return;
  float x = 3.0f * j / w - 1.5f, y = 3.0f * i / h - 1.5f;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cr;
    y = 2.0f * x * y + ci;
    x = t;
    ++n;
  }
  out[i * w + j] = n;
}

//@ spheres
// Up to 256 spheres in local memory, with |centre|^2 - r^2 computed once.
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void spheres(__global const float4* restrict ball, __global float* restrict out,
                                                                      int count, int h, int w) {
  __local float4 all[256];
  const int l = get_local_id(0) + 32 * get_local_id(1), j = get_global_id(0), i = get_global_id(1);
  if (l < count) {
    const float4 b = ball[l];
    all[l] = (float4)(b.xyz, b.x * b.x + b.y * b.y + b.z * b.z - b.w * b.w);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= h || j >= w) return;
  float dx = ((float)j - (float)w / 2) / w, dy = ((float)i - (float)h / 2) / h, dz = 1;
  const float inv = rsqrt(dx * dx + dy * dy + dz * dz);
  dx *= inv, dy *= inv, dz *= inv;
  float near = 1e30f;
  for (int k = 0; k < count; ++k) {
    const float4 q = all[k];
    const float b = dx * q.x + dy * q.y + dz * q.z, d = b * b - q.w;
    if (d > 0) {
      const float t = b - sqrt(d);
      if (t > 0) near = fmin(near, t);
    }
  }
  out[i * w + j] = near;
}
