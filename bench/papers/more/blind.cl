// Solvers, lattices, sequences, graphs, finance and inference by hand: tiles in local memory and in registers, lists and partial sums in
// local memory, several rows of a matrix for each read of a vector. Widths of matrices are multiples of four.
#define G4(p) (*(__global const float4*)(p))
#define L4(p) (*(__local float4*)(p))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

//@ symm
// 128 x 128 elements a group, 8 x 8 a work-item, two buffers of 16. A tile left of the diagonal is transposed on its way, one above it
// is read as it lies, and one on it element by element.
void of_a(__global const float* a, int i0, int k0, int l, int n, float4* v) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
    v[t] = 0;
    if (k0 + 15 <= i0) {
      const int i = i0 + l / 4 + 64 * t, k = k0 + 4 * (l % 4);
      if (i < n && k < n) v[t] = G4(a + i * n + k);
    } else {
      const int k = k0 + l / 32 + 8 * t, i = i0 + 4 * (l % 32);
      if (i >= n || k >= n) continue;
      if (k0 >= i0 + 128)
        v[t] = G4(a + k * n + i);
      else
        v[t] = (float4)(a[max(i, k) * n + min(i, k)], a[max(i + 1, k) * n + min(i + 1, k)], a[max(i + 2, k) * n + min(i + 2, k)],
                        a[max(i + 3, k) * n + min(i + 3, k)]);
    }
  }
}
void of_b(__global const float* b, int j0, int k0, int l, int n, int m, float4* v) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
    const int k = k0 + l / 32 + 8 * t, j = j0 + 4 * (l % 32);
    v[t] = j < m && k < n ? G4(b + k * m + j) : (float4)0;
  }
}
void keep(__local float (*as)[132], __local float (*bs)[128], int i0, int k0, int l, const float4* va, const float4* vb) {
#pragma unroll
  for (int t = 0; t < 2; ++t) {
    if (k0 + 15 <= i0) {
      const int i = l / 4 + 64 * t, k = 4 * (l % 4);
      as[k][i] = va[t].x, as[k + 1][i] = va[t].y, as[k + 2][i] = va[t].z, as[k + 3][i] = va[t].w;
    } else {
      L4(&as[l / 32 + 8 * t][4 * (l % 32)]) = va[t];
    }
    L4(&bs[l / 32 + 8 * t][4 * (l % 32)]) = vb[t];
  }
}
__kernel GROUP(256, 1) void symm(__global const float* restrict a, __global const float* restrict b, __global float* restrict c, float alpha,
                                 float beta, int n, int m) {
  __local __attribute__((aligned(16))) float as[2][16][132];
  __local __attribute__((aligned(16))) float bs[2][16][128];
  const int l = get_local_id(0), tx = l % 16, ty = l / 16, j0 = 128 * get_group_id(0), i0 = 128 * get_group_id(1);
  float4 s[8][2], va[2], vb[2];
#pragma unroll
  for (int t = 0; t < 8; ++t) s[t][0] = s[t][1] = 0;
  of_a(a, i0, 0, l, n, va);
  of_b(b, j0, 0, l, n, m, vb);
  keep(as[0], bs[0], i0, 0, l, va, vb);
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    const bool more = k0 + 16 < n;
    if (more) {
      of_a(a, i0, k0 + 16, l, n, va);
      of_b(b, j0, k0 + 16, l, n, m, vb);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 p = L4(&as[now][k][4 * ty]), q = L4(&as[now][k][64 + 4 * ty]), x = L4(&bs[now][k][4 * tx]), y = L4(&bs[now][k][64 + 4 * tx]);
      s[0][0] += p.x * x, s[0][1] += p.x * y, s[1][0] += p.y * x, s[1][1] += p.y * y;
      s[2][0] += p.z * x, s[2][1] += p.z * y, s[3][0] += p.w * x, s[3][1] += p.w * y;
      s[4][0] += q.x * x, s[4][1] += q.x * y, s[5][0] += q.y * x, s[5][1] += q.y * y;
      s[6][0] += q.z * x, s[6][1] += q.z * y, s[7][0] += q.w * x, s[7][1] += q.w * y;
    }
    if (more) {
      keep(as[1 - now], bs[1 - now], i0, k0 + 16, l, va, vb);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    now = 1 - now;
  }
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    const int i = i0 + 4 * ty + t % 4 + t / 4 * 64;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int j = j0 + 4 * tx + 64 * h;
      __global float4* to = (__global float4*)(c + i * m + j);
      if (i < n && j < m) *to = alpha * s[t][h] + beta * *to;
    }
  }
}

//@ trsm
// A right-hand side a work-item, all of it in registers; each element that is known goes into all that follow.
__kernel GROUP(128, 1) void trsm(__constant float* l, __global const float* restrict b, __global float* restrict x, int m) {
  const int j = get_global_id(0);
  if (j >= m) return;
  float v[N];
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] = b[i * m + j];
#pragma unroll
  for (int i = 0; i < N; ++i) {
    v[i] /= l[i * N + i];
    x[i * m + j] = v[i];
#pragma unroll
    for (int k = i + 1; k < N; ++k) v[k] -= l[k * N + i] * v[i];
  }
}

//@ md_forces
// Eight neighbours' places are on their way at a time.
__kernel GROUP(128, 1) void md_forces(__global const float4* restrict place, __global const int* restrict near, __global float* restrict force,
                                      float limit, float c12, float c6, int n, int count) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float4 here = place[i];
  float3 s = 0;
  int k = 0;
#define PAIR(there)                                           \
  {                                                           \
    const float3 d = here.xyz - (there).xyz;                  \
    const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;       \
    const float t = 1 / r2, t6 = t * t * t;                   \
    s += d * (r2 < limit ? t * t6 * (c12 * t6 - c6) : 0.0f);  \
  }
  for (; k + 8 <= count; k += 8) {
    float4 p[8];
#pragma unroll
    for (int t = 0; t < 8; ++t) p[t] = place[near[(k + t) * n + i]];
#pragma unroll
    for (int t = 0; t < 8; ++t) PAIR(p[t])
  }
  for (; k < count; ++k) PAIR(place[near[k * n + i]])
  force[3 * i] = s.x, force[3 * i + 1] = s.y, force[3 * i + 2] = s.z;
}

//@ kalman
// A filter a work-item, its matrix as four vectors; the model's matrices from constant memory.
__kernel GROUP(128, 1) void kalman(__global float4* restrict x, __global float4* restrict p, __global const float2* restrict z,
                                   __constant float* f, __constant float4* q, __constant float4* h, __constant float* r, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  p += 4 * i;
  const float4 old = x[i], p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
  float4 c[4];
  float guess[4], ph0[4], ph1[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float4 w = (float4)(f[4 * k], f[4 * k + 1], f[4 * k + 2], f[4 * k + 3]);
    const float4 t = w.x * p0 + w.y * p1 + w.z * p2 + w.w * p3;
    guess[k] = w.x * old.x + w.y * old.y + w.z * old.z + w.w * old.w;
    c[k] = q[k] + t.x * (float4)(f[0], f[4], f[8], f[12]) + t.y * (float4)(f[1], f[5], f[9], f[13]) +
           t.z * (float4)(f[2], f[6], f[10], f[14]) + t.w * (float4)(f[3], f[7], f[11], f[15]);
    const float4 u = c[k] * h[0], v = c[k] * h[1];
    ph0[k] = u.x + u.y + u.z + u.w;
    ph1[k] = v.x + v.y + v.z + v.w;
  }
  const float4 h0 = h[0], h1 = h[1];
  const float s00 = r[0] + h0.x * ph0[0] + h0.y * ph0[1] + h0.z * ph0[2] + h0.w * ph0[3];
  const float s01 = r[1] + h0.x * ph1[0] + h0.y * ph1[1] + h0.z * ph1[2] + h0.w * ph1[3];
  const float s11 = r[3] + h1.x * ph1[0] + h1.y * ph1[1] + h1.z * ph1[2] + h1.w * ph1[3];
  const float2 seen = z[i];
  const float y0 = seen.x - h0.x * guess[0] - h0.y * guess[1] - h0.z * guess[2] - h0.w * guess[3];
  const float y1 = seen.y - h1.x * guess[0] - h1.y * guess[1] - h1.z * guess[2] - h1.w * guess[3];
  const float det = 1 / (s00 * s11 - s01 * s01), i00 = s11 * det, i01 = s01 * det, i11 = s00 * det;
  const float4 a = (float4)(ph0[0], ph0[1], ph0[2], ph0[3]), b = (float4)(ph1[0], ph1[1], ph1[2], ph1[3]);
  const float4 g0 = a * i00 - b * i01, g1 = b * i11 - a * i01;
  x[i] = (float4)(guess[0], guess[1], guess[2], guess[3]) + g0 * y0 + g1 * y1;
  p[0] = c[0] - g0.x * a - g1.x * b;
  p[1] = c[1] - g0.y * a - g1.y * b;
  p[2] = c[2] - g0.z * a - g1.z * b;
  p[3] = c[3] - g0.w * a - g1.w * b;
}

//@ smith_waterman
// A pair of 64 letters each a work-item: strips of sixteen columns in registers, the border between strips in local memory.
__kernel GROUP(64, 1) void smith_waterman(__global const uint4* restrict a, __global const uint4* restrict b, __global int* restrict best, int match,
                                          int other, int first, int further, int n) {
  __local short2 border[64][64];
  const int l = get_local_id(0), i = get_global_id(0);
  if (i >= n) return;
  int top = 0;
  for (int strip = 0; strip < 4; ++strip) {
    const uint4 letters = b[4 * i + strip];
    const uint words[4] = {letters.x, letters.y, letters.z, letters.w};
    uint y[16];
    int h[16], f[16];
#pragma unroll
    for (int j = 0; j < 16; ++j) y[j] = words[j / 4] >> 8 * (j % 4) & 255, h[j] = f[j] = 0;
    int above = 0;
    for (int t = 0; t < 4; ++t) {
      const uint4 of_rows = a[4 * i + t];
      const uint rows[4] = {of_rows.x, of_rows.y, of_rows.z, of_rows.w};
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        uint word = rows[w];
#pragma unroll 1
        for (int r = 0; r < 4; ++r, word >>= 8) {
          __local short2* edge = &border[16 * t + 4 * w + r][l];
          const uint x = word & 255;
          int left = 0, e = 0;
          if (strip > 0) left = edge->x, e = edge->y;
          int corner = above;
          above = left;
#pragma unroll
          for (int j = 0; j < 16; ++j) {
            e = max(e - further, left - first);
            f[j] = max(f[j] - further, h[j] - first);
            const int v = max(max(corner + (x == y[j] ? match : -other), 0), max(e, f[j]));
            corner = h[j];
            h[j] = left = v;
            top = max(top, v);
          }
          *edge = (short2)((short)left, (short)e);
        }
      }
    }
  }
  best[i] = top;
}

//@ dslash
// Four work-items a site, one for each direction. The links of 64 sites come to local memory as they lie, and partial sums go there.
float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__kernel GROUP(256, 1) void dslash(__global const float2* restrict u, __global const float2* restrict psi, __global const int* restrict ahead,
                                   __global const int* restrict behind, __global float2* restrict out, int sites) {
  __local float2 all[9 * 256];
  const int l = get_local_id(0), i = get_global_id(0), base = 9 * 256 * get_group_id(0);
#pragma unroll
  for (int k = 0; k < 9; ++k)
    if (base + l + 256 * k < 36 * sites) all[l + 256 * k] = u[base + l + 256 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  float2 s[3] = {0, 0, 0};
  if (i < 4 * sites) {
    const int p = ahead[i], q = behind[i];
    __global const float2* m = u + 36 * q + 9 * (l % 4);
    float2 back[9], v[3], w[3];
#pragma unroll
    for (int k = 0; k < 9; ++k) back[k] = m[k];
#pragma unroll
    for (int k = 0; k < 3; ++k) v[k] = psi[3 * p + k], w[k] = psi[3 * q + k];
#pragma unroll
    for (int k = 0; k < 3; ++k)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        s[k] += times(all[9 * l + 3 * k + j], v[j]) - times((float2)(back[3 * j + k].x, -back[3 * j + k].y), w[j]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < 3; ++k) all[3 * l + k] = s[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int at = 192 * get_group_id(0) + l, from = l / 3 * 12 + l % 3;
  if (l < 192 && at < 3 * sites) out[at] = all[from] + all[from + 3] + all[from + 6] + all[from + 9];
}

//@ advect
// Four columns a work-item, which goes down eight rows with five of them in registers; a flux between rows is computed once.
float4 minmod4(float4 a, float4 b) { return select((float4)0, select(b, a, fabs(a) < fabs(b)), a * b > 0); }
float minmod1(float a, float b) { return a * b > 0 ? (fabs(a) < fabs(b) ? a : b) : 0; }
float4 through4(float4 a, float4 b, float4 c, float4 d, float4 v) {
  const float4 m = c - b;
  return v * select(c - 0.5f * (1 + v) * minmod4(m, d - c), b + 0.5f * (1 - v) * minmod4(b - a, m), v > 0);
}
float through1(float a, float b, float c, float d, float v) {
  return v > 0 ? v * (b + 0.5f * (1 - v) * minmod1(b - a, c - b)) : v * (c - 0.5f * (1 + v) * minmod1(c - b, d - c));
}
__kernel GROUP(64, 4) void advect(__global const float* restrict q, __global const float* restrict u, __global const float* restrict v,
                                  __global float* restrict out, int h, int w) {
  const int j = 4 * get_global_id(0), i0 = 2 + 8 * get_global_id(1);
  if (j >= w || i0 >= h - 2) return;
  const int left = j > 0 ? -4 : 0, right = j + 4 < w ? 4 : 0;
  int at = i0 * w + j;
  float4 a = G4(q + at - 2 * w), b = G4(q + at - w), c = G4(q + at), d = G4(q + at + w);
  float4 north = through4(a, b, c, d, G4(v + at));
#pragma unroll 2
  for (int i = i0; i < min(i0 + 8, h - 2); ++i, at += w) {
    const float4 e = G4(q + at + 2 * w), l = G4(q + at + left), r = G4(q + at + right);
    const float4 south = through4(b, c, d, e, G4(v + at + w));
    const float4 west = through4((float4)(l.zw, c.xy), (float4)(l.w, c.xyz), c, (float4)(c.yzw, r.x), G4(u + at));
    const float4 east = (float4)(west.yzw, through1(c.z, c.w, r.x, r.y, u[at + right]));
    const float4 s = c - (east - west) - (south - north);
    if (j > 0 && j + 4 < w) {
      *(__global float4*)(out + at) = s;
    } else {
      if (j > 0) out[at] = s.x, out[at + 1] = s.y;
      if (j + 4 < w) out[at + 2] = s.z, out[at + 3] = s.w;
    }
    b = c, c = d, d = e;
    north = south;
  }
}

//@ triangles
// 32 work-items a vertex: its neighbours in local memory, those of each neighbour looked up there by all at once.
#define MOST 128
__kernel GROUP(128, 1) void triangles(__global const int* restrict row, __global const int* restrict col, __global int* restrict count, int n) {
  __local int all[4][MOST], sum[4];
  const int l = get_local_id(0), lane = l % 32, part = l / 32, u = 4 * get_group_id(0) + part;
  const int begin = u < n ? row[u] : 0, degree = u < n ? row[u + 1] - begin : 0;
  for (int k = lane; k < min(degree, MOST); k += 32) all[part][k] = col[begin + k];
  if (lane == 0) sum[part] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int c = 0;
  for (int e = 0; e < degree; ++e) {
    const int v = e < MOST ? all[part][e] : col[begin + e], end = row[v + 1];
    for (int t = row[v] + lane; t < end; t += 32) {
      const int x = col[t];
      int lo = 0, hi = degree;
      if (degree <= MOST) {
        while (lo < hi) {
          const int mid = (lo + hi) / 2;
          if (all[part][mid] < x)
            lo = mid + 1;
          else
            hi = mid;
        }
        c += lo < degree && all[part][lo] == x;
      } else {
        while (lo < hi) {
          const int mid = (lo + hi) / 2;
          if (col[begin + mid] < x)
            lo = mid + 1;
          else
            hi = mid;
        }
        c += lo < degree && col[begin + lo] == x;
      }
    }
  }
  if (c > 0) atomic_add(&sum[part], c);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && u < n) count[u] = sum[part];
}

//@ q4_matvec
// Sixteen rows a group; a work-item keeps the 32 elements of the vector that belong to its block of each row. A digit is the mantissa of
// a float.
#define DIGIT(w, at) (as_float(0x4b000000u | ((w) >> (at) & 15)) - 8388616.0f)
__kernel GROUP(256, 1) void q4_matvec(__global const uint4* restrict q, __global const float* restrict scale, __global const float4* restrict x,
                                      __global float* restrict y, int rows, int blocks) {
  __local float part[16][257], sums[16][17];
  const int l = get_local_id(0), i0 = 16 * get_group_id(0);
#pragma unroll
  for (int r = 0; r < 16; ++r) part[r][l] = 0;
  for (int g = l; g < blocks; g += 256) {
    float4 v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = x[8 * g + k];
#pragma unroll 4
    for (int r = 0; r < 16; ++r) {
      const size_t at = (size_t)min(i0 + r, rows - 1) * blocks + g;
      const uint4 b = q[at];
      const uint words[4] = {b.x, b.y, b.z, b.w};
      float4 s = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const uint w = words[k];
        s += (float4)(DIGIT(w, 0), DIGIT(w, 8), DIGIT(w, 16), DIGIT(w, 24)) * v[k];
        s += (float4)(DIGIT(w, 4), DIGIT(w, 12), DIGIT(w, 20), DIGIT(w, 28)) * v[4 + k];
      }
      part[r][l] += scale[at] * (s.x + s.y + s.z + s.w);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int r = l / 16, lane = l % 16;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += part[r][lane + 16 * k];
  sums[r][lane] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16 && i0 + l < rows) {
    s = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) s += sums[l][k];
    y[i0 + l] = s;
  }
}

//@ digit_counts
// A block of 4096 keys a group, sixteen a work-item; counters in local memory.
__kernel GROUP(256, 1) void digit_counts(__global const uint* restrict key, __global int* restrict count, uint shift, int n) {
  __local int all[256];
  const int l = get_local_id(0), base = 4096 * get_group_id(0);
  all[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (base + 4096 <= n) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = *(__global const uint4*)(key + base + 4 * l + 1024 * k);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint4 d = v[k] >> shift & 255;
      atomic_inc(&all[d.x]);
      atomic_inc(&all[d.y]);
      atomic_inc(&all[d.z]);
      atomic_inc(&all[d.w]);
    }
  } else {
    for (int k = base + l; k < n; k += 256) atomic_inc(&all[key[k] >> shift & 255]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  count[256 * get_group_id(0) + l] = all[l];
}

//@ asian
// A path a work-item; the ten turns of the generator unrolled, high halves of products by mul_hi.
float2 normals(uint a, uint b) {
  const float r = sqrt(-2 * log(((a >> 8) + 0.5f) * 5.9604645e-8f)), turned = 6.2831853f * 5.9604645e-8f * (b >> 8);
  return r * (float2)(cos(turned), sin(turned));
}
__kernel GROUP(128, 1) void asian(__global float* restrict payoff, float spot, float strike, float drift, float wide, int steps, uint seed, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  float x = 0, total = 0;
  for (int t = 0; t < steps / 4; ++t) {
    uint4 c = (uint4)(i, t, 0, 0);
    uint k0 = seed, k1 = 0;
#pragma unroll
    for (int turn = 0; turn < 10; ++turn) {
      c = (uint4)(mul_hi(0xCD9E8D57u, c.z) ^ c.y ^ k0, 0xCD9E8D57u * c.z, mul_hi(0xD2511F53u, c.x) ^ c.w ^ k1, 0xD2511F53u * c.x);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    const float2 p = normals(c.x, c.y), q = normals(c.z, c.w);
    const float x0 = x + (drift + wide * p.x), x1 = x0 + (drift + wide * p.y), x2 = x1 + (drift + wide * q.x);
    x = x2 + (drift + wide * q.y);
    total += exp(x0) + exp(x1) + exp(x2) + exp(x);
  }
  payoff[i] = fmax(spot * total / steps - strike, 0.0f);
}

//@ base64
// Twelve bytes a work-item become sixteen. The 64 letters are in sixteen banks of local memory, one word each.
__kernel GROUP(256, 1) void base64(__global const uint* restrict data, __constant uint* letter, __global uint4* restrict out, int n4) {
  __local uint words[16];
  __local uchar* letters = (__local uchar*)words;
  const int l = get_local_id(0), i = get_global_id(0);
  if (l < 16) words[l] = letter[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n4) return;
  const uint x = data[3 * i], y = data[3 * i + 1], z = data[3 * i + 2];
  // Three bytes each, the first as the highest.
  const uint t[4] = {(x & 255) << 16 | (x & 0xff00) | (x >> 16 & 255), x >> 24 << 16 | (y & 255) << 8 | (y >> 8 & 255),
                     (y >> 16 & 255) << 16 | y >> 24 << 8 | (z & 255), (z >> 8 & 255) << 16 | (z >> 8 & 0xff00) | z >> 24};
  uint o[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    o[k] = letters[t[k] >> 18] | letters[t[k] >> 12 & 63] << 8 | letters[t[k] >> 6 & 63] << 16 | (uint)letters[t[k] & 63] << 24;
  out[i] = (uint4)(o[0], o[1], o[2], o[3]);
}

//@ queens
// A beginning a work-item; its row is in registers, and those that have other places left are in local memory.
__kernel GROUP(64, 1) void queens(__global int* restrict count, int n, int given, int all) {
  __local uint4 stack[18][64];
  const int l = get_local_id(0), p = get_global_id(0);
  if (p >= all) return;
  const uint full = (1u << n) - 1;
  uint columns = 0, left = 0, right = 0, k = p;
  bool fine = true;
  for (int r = 0; r < given; ++r, k /= n) {
    const uint bit = 1u << k % n;
    fine = fine && !((columns | left | right) & bit);
    columns |= bit;
    left = (left | bit) << 1;
    right = (right | bit) >> 1;
  }
  int total = 0;
  if (fine) {
    uint free = full & ~(columns | left | right);
    int depth = 0;
    for (;;) {
      if (free == 0) {
        if (depth == 0) break;
        const uint4 top = stack[--depth][l];
        columns = top.x, left = top.y, right = top.z, free = top.w;
      }
      const uint bit = free & -free;
      free ^= bit;
      if (free) stack[depth++][l] = (uint4)(columns, left, right, free);
      columns |= bit;
      total += columns == full;
      left = (left | bit) << 1;
      right = (right | bit) >> 1;
      free = full & ~(columns | left | right);
    }
  }
  count[p] = total;
}

//@ correlate
// Four pairs of up to 64 elements a group, 32 work-items each with four lags next to each other: four elements of one signal meet seven
// of the other, which lies between zeros.
__kernel GROUP(32, 4) void correlate(__global const float* restrict x, __global const float* restrict y, __global float* restrict out, int n, int m) {
  __local __attribute__((aligned(16))) float xs[4][64];
  __local __attribute__((aligned(16))) float ys[4][264];
  const int l = get_local_id(0), part = get_local_id(1), i = get_global_id(1), before = 128 + (4 - m % 4) % 4;
  for (int k = l; k < 264; k += 32) ys[part][k] = i < n && k >= before && k < before + m ? y[i * m + k - before] : 0;
  for (int k = l; k < 64; k += 32) xs[part][k] = i < n && k < m ? x[i * m + k] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local float* at = &ys[part][before + m - 4 - 4 * l];
  float s[4] = {0, 0, 0, 0};
  float4 p = L4(at);
#pragma unroll 4
  for (int k = 0; k < m; k += 4) {
    const float4 v = L4(&xs[part][k]), q = L4(at + k + 4);
    const float a[4] = {v.x, v.y, v.z, v.w}, b[7] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z};
#pragma unroll
    for (int t = 0; t < 4; ++t)
#pragma unroll
      for (int c = 0; c < 4; ++c) s[c] += a[t] * b[t + 3 - c];
    p = q;
  }
  // The results of a pair begin at odd places: through local memory, so that stores are next to each other.
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int c = 0; c < 4; ++c) ys[part][4 * l + c] = s[c];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= n) return;
  out += i * (2 * m - 1);
  for (int k = l; k < 2 * m - 1; k += 32) out[k] = ys[part][k];
}

//@ lifting97
// Four pairs a work-item, all five steps in registers: what neighbours compute, too, is computed again. Rows are continued by mirrors.
__kernel GROUP(64, 4) void lifting97(__global const float* restrict x, __global float* restrict low, __global float* restrict high, int rows,
                                     int half4) {
  const int i = get_global_id(0), r = get_global_id(1), w = 8 * half4;
  if (i >= half4 || r >= rows) return;
  x += r * w;
  float v[16];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int at = 8 * i - 4 + 4 * k;
    if (at >= 0 && at < w) {
      const float4 c = G4(x + at);
      v[4 * k] = c.x, v[4 * k + 1] = c.y, v[4 * k + 2] = c.z, v[4 * k + 3] = c.w;
    } else {
#pragma unroll
      for (int t = 0; t < 4; ++t) v[4 * k + t] = x[at < 0 ? -(at + t) : 2 * (w - 1) - (at + t)];
    }
  }
#pragma unroll
  for (int k = 1; k < 15; k += 2) v[k] -= 1.586134342f * (v[k - 1] + v[k + 1]);
#pragma unroll
  for (int k = 2; k < 14; k += 2) v[k] -= 0.05298011854f * (v[k - 1] + v[k + 1]);
#pragma unroll
  for (int k = 3; k < 13; k += 2) v[k] += 0.8829110762f * (v[k - 1] + v[k + 1]);
#pragma unroll
  for (int k = 4; k < 12; k += 2) v[k] += 0.4435068522f * (v[k - 1] + v[k + 1]);
  ((__global float4*)low)[r * half4 + i] = (float4)(v[4], v[6], v[8], v[10]) * 0.8698643f;
  ((__global float4*)high)[r * half4 + i] = (float4)(v[5], v[7], v[9], v[11]) * 1.1496043f;
}
