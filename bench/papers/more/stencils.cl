// Grids by hand: 16 bytes a work-item, planes kept in registers along the slowest axis, 32-bit indices.

// A vector at an aligned place.
#define G4(p) (*(__global float4*)(p))

//@ stencil7
// Marches along the first axis, 16 planes a work-item.
__kernel void stencil7(__global const float* restrict u, __global float* restrict v, float a, float b, int n, int h, int w) {
  const int k = 4 * get_global_id(0), j = 1 + get_global_id(1), i0 = 1 + 16 * get_global_id(2), end = min(i0 + 16, n - 1);
  if (k >= w || j >= h - 1) return;
  const int plane = h * w;
  int at = i0 * plane + j * w + k;
  float4 before = G4(u + at - plane), here = G4(u + at);
  for (int i = i0; i < end; ++i, at += plane) {
    const float4 next = G4(u + at + plane);
    const float4 left = (float4)(k > 0 ? u[at - 1] : 0, here.xyz), right = (float4)(here.yzw, k + 4 < w ? u[at + 4] : 0);
    const float4 r = a * here + b * (before + next + G4(u + at - w) + G4(u + at + w) + left + right);
    if (k == 0)
      v[at + 1] = r.y, v[at + 2] = r.z, v[at + 3] = r.w;
    else if (k + 4 == w)
      v[at] = r.x, v[at + 1] = r.y, v[at + 2] = r.z;
    else
      G4(v + at) = r;
    before = here;
    here = next;
  }
}

//@ stencil27
// Of a plane the centre and the sums of four edges and four corners, kept for three planes.
float3 sums(__global const float* p, int w) {
  return (float3)(p[0], (p[-w] + p[w]) + (p[-1] + p[1]), (p[-w - 1] + p[-w + 1]) + (p[w - 1] + p[w + 1]));
}
__kernel void stencil27(__global const float* restrict u, __global float* restrict v, __constant float* restrict c, int n, int h, int w) {
  const int k = 1 + get_global_id(0), j = 1 + get_global_id(1), i0 = 1 + 16 * get_global_id(2), end = min(i0 + 16, n - 1);
  if (k >= w - 1 || j >= h - 1) return;
  const int plane = h * w;
  int at = i0 * plane + j * w + k;
  float3 before = sums(u + at - plane, w), here = sums(u + at, w);
  for (int i = i0; i < end; ++i, at += plane) {
    const float3 next = sums(u + at + plane, w);
    v[at] = c[0] * here.x + c[1] * (here.y + before.x + next.x) + c[2] * (here.z + before.y + next.y) + c[3] * (before.z + next.z);
    before = here;
    here = next;
  }
}

//@ heat3d_f64
__kernel void heat3d_f64(__global const double* restrict u, __global double* restrict v, double c, int n, int h, int w) {
  const int k = 1 + get_global_id(0), j = 1 + get_global_id(1), i0 = 1 + 16 * get_global_id(2), end = min(i0 + 16, n - 1);
  if (k >= w - 1 || j >= h - 1) return;
  const int plane = h * w;
  int at = i0 * plane + j * w + k;
  double before = u[at - plane], here = u[at];
  for (int i = i0; i < end; ++i, at += plane) {
    const double next = u[at + plane], twice = 2 * here;
    v[at] = here + c * (next - twice + before) + c * (u[at + w] - twice + u[at - w]) + c * (u[at + 1] - twice + u[at - 1]);
    before = here;
    here = next;
  }
}

//@ wave2d
__kernel void wave2d(__global const float* restrict old, __global const float* restrict now, __global float* restrict new, float c, int h,
                     int w) {
  const int j = 4 * get_global_id(0), i0 = 1 + 4 * get_global_id(1), end = min(i0 + 4, h - 1);
  if (j >= w) return;
  int at = i0 * w + j;
  float4 up = G4(now + at - w), here = G4(now + at);
  for (int i = i0; i < end; ++i, at += w) {
    const float4 down = G4(now + at + w);
    const float4 left = (float4)(j > 0 ? now[at - 1] : 0, here.xyz), right = (float4)(here.yzw, j + 4 < w ? now[at + 4] : 0);
    const float4 lap = up + down + left + right - 4 * here, r = 2 * here - G4(old + at) + c * lap;
    if (j == 0)
      new[at + 1] = r.y, new[at + 2] = r.z, new[at + 3] = r.w;
    else if (j + 4 == w)
      new[at] = r.x, new[at + 1] = r.y, new[at + 2] = r.z;
    else
      G4(new + at) = r;
    up = here;
    here = down;
  }
}

//@ jacobi_mask
__kernel void jacobi_mask(__global const float* restrict u, __global float* restrict v, __global const uchar4* restrict mask, int h, int w) {
  const int j = 4 * get_global_id(0), i = 1 + get_global_id(1);
  if (j >= w || i >= h - 1) return;
  const int at = i * w + j;
  const float4 here = G4(u + at);
  const float4 left = (float4)(j > 0 ? u[at - 1] : 0, here.xyz), right = (float4)(here.yzw, j + 4 < w ? u[at + 4] : 0);
  const float4 mean = 0.25f * (G4(u + at - w) + G4(u + at + w) + left + right);
  const float4 r = select(here, mean, convert_int4(mask[at / 4]) != 0);
  if (j == 0)
    v[at + 1] = r.y, v[at + 2] = r.z, v[at + 3] = r.w;
  else if (j + 4 == w)
    v[at] = r.x, v[at + 1] = r.y, v[at + 2] = r.z;
  else
    G4(v + at) = r;
}

//@ hotspot
__kernel void hotspot(__global const float* restrict t, __global const float4* restrict p, __global float4* restrict out, float rx,
                      float ry, float rz, float step, int h, int w) {
  const int j = 4 * get_global_id(0), i = get_global_id(1);
  if (j >= w || i >= h) return;
  const int at = i * w + j;
  const float4 c = G4(t + at), n = G4(t + max(i - 1, 0) * w + j), s = G4(t + min(i + 1, h - 1) * w + j);
  const float4 l = (float4)(j > 0 ? t[at - 1] : c.x, c.xyz), r = (float4)(c.yzw, j + 4 < w ? t[at + 4] : c.w);
  out[at / 4] = c + step * (p[at / 4] + (n + s - 2 * c) * ry + (l + r - 2 * c) * rx + (80 - c) * rz);
}

//@ srad
__kernel void srad_coefficients(__global const float* restrict img, __global float4* restrict dn, __global float4* restrict ds,
                                __global float4* restrict dw, __global float4* restrict de, __global float4* restrict coef, float q0, int h,
                                int w) {
  const int j = 4 * get_global_id(0), i = get_global_id(1);
  if (j >= w || i >= h) return;
  const int at = i * w + j;
  const float4 c = G4(img + at);
  const float4 n = G4(img + max(i - 1, 0) * w + j) - c, s = G4(img + min(i + 1, h - 1) * w + j) - c;
  const float4 l = (float4)(j > 0 ? img[at - 1] : c.x, c.xyz) - c, r = (float4)(c.yzw, j + 4 < w ? img[at + 4] : c.w) - c;
  const float4 g2 = (n * n + s * s + l * l + r * r) / (c * c), lap = (n + s + l + r) / c;
  const float4 num = 0.5f * g2 - 0.0625f * lap * lap, den = 1 + 0.25f * lap, q = num / (den * den);
  dn[at / 4] = n;
  ds[at / 4] = s;
  dw[at / 4] = l;
  de[at / 4] = r;
  coef[at / 4] = clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0f, 1.0f);
}
__kernel void srad_update(__global const float4* restrict img, __global const float4* restrict dn, __global const float4* restrict ds,
                          __global const float4* restrict dw, __global const float4* restrict de, __global const float* restrict coef,
                          __global float4* restrict out, float rate, int h, int w) {
  const int j = 4 * get_global_id(0), i = get_global_id(1);
  if (j >= w || i >= h) return;
  const int at = i * w + j, q = at / 4;
  const float4 c = G4(coef + at), cs = G4(coef + min(i + 1, h - 1) * w + j);
  const float4 ce = (float4)(c.yzw, j + 4 < w ? coef[at + 4] : c.w);
  out[q] = img[q] + rate * (c * dn[q] + cs * ds[q] + c * dw[q] + ce * de[q]);
}

//@ pathfinder
__kernel void pathfinder(__global const int4* restrict wall, __global const int* restrict old, __global int4* restrict new, int n, int row) {
  const int j = 4 * get_global_id(0);
  if (j >= n) return;
  const int4 c = *(__global const int4*)(old + j);
  const int4 l = (int4)(j > 0 ? old[j - 1] : c.x, c.xyz), r = (int4)(c.yzw, j + 4 < n ? old[j + 4] : c.w);
  new[j / 4] = wall[(row * n + j) / 4] + min(c, min(l, r));
}

//@ lattice
__kernel void lattice(__global const float* restrict f, __global float* restrict g, float omega, int h, int w) {
  const int x = 1 + get_global_id(0), y = 1 + get_global_id(1), plane = h * w, at = y * w + x;
  if (x >= w - 1 || y >= h - 1) return;
  const float f0 = f[at], f1 = f[plane + at - 1], f2 = f[2 * plane + at - w], f3 = f[3 * plane + at + 1], f4 = f[4 * plane + at + w];
  const float f5 = f[5 * plane + at - w - 1], f6 = f[6 * plane + at - w + 1], f7 = f[7 * plane + at + w + 1],
              f8 = f[8 * plane + at + w - 1];
  const float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8, over = 1 / rho;
  const float ux = (f1 - f3 + f5 - f6 - f7 + f8) * over, uy = (f2 - f4 + f5 + f6 - f7 - f8) * over;
  const float uu = 1 - 1.5f * (ux * ux + uy * uy), k0 = (float)(4.0 / 9) * rho, k1 = (float)(1.0 / 9) * rho, k2 = (float)(1.0 / 36) * rho;
  const float a = ux + uy, b = uy - ux;
  g[at] = f0 + omega * (k0 * uu - f0);
  g[plane + at] = f1 + omega * (k1 * (uu + 3 * ux + 4.5f * ux * ux) - f1);
  g[2 * plane + at] = f2 + omega * (k1 * (uu + 3 * uy + 4.5f * uy * uy) - f2);
  g[3 * plane + at] = f3 + omega * (k1 * (uu - 3 * ux + 4.5f * ux * ux) - f3);
  g[4 * plane + at] = f4 + omega * (k1 * (uu - 3 * uy + 4.5f * uy * uy) - f4);
  g[5 * plane + at] = f5 + omega * (k2 * (uu + 3 * a + 4.5f * a * a) - f5);
  g[6 * plane + at] = f6 + omega * (k2 * (uu + 3 * b + 4.5f * b * b) - f6);
  g[7 * plane + at] = f7 + omega * (k2 * (uu - 3 * a + 4.5f * a * a) - f7);
  g[8 * plane + at] = f8 + omega * (k2 * (uu - 3 * b + 4.5f * b * b) - f8);
}

//@ life
// Four cells a work-item, as bytes of a word.
uint across(__global const uint* p, int k, int n4) {
  const uint c = p[k], l = k > 0 ? p[k - 1] : 0, r = k + 1 < n4 ? p[k + 1] : 0;
  return c + (c << 8 | l >> 24) + (c >> 8 | r << 24);
}
__kernel void life(__global const uint* restrict a, __global uchar* restrict b, int h, int n4) {
  const int k = get_global_id(0), i = 1 + get_global_id(1);
  if (k >= n4 || i >= h - 1) return;
  a += i * n4;
  const uint here = a[k], n = across(a - n4, k, n4) + across(a, k, n4) + across(a + n4, k, n4) - here;
  uchar o[4];
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const uint m = n >> 8 * t & 255;
    o[t] = m == 3 || (m == 2 && (here >> 8 * t & 255));
  }
  b += 4 * (i * n4 + k);
  if (k == 0)
    b[1] = o[1], b[2] = o[2], b[3] = o[3];
  else if (k == n4 - 1)
    b[0] = o[0], b[1] = o[1], b[2] = o[2];
  else
    *(__global uchar4*)b = (uchar4)(o[0], o[1], o[2], o[3]);
}
