// One pass of a reduction of an array along one of its axes. It makes `results` numbers, one for each index of the other axes, in `parts`
// chunks: chunk q of result r is number q*results + r. A second pass over the chunks combines them.
//   OP 0 sum, 1 product, 2 min, 3 max, 4 dot (x_i y_i), 5 conjugated dot;  ARG 1: the index of the min or max (both passes handle values
// and indices), ALL 1: among all elements instead of along the axis.
//   FIRST 1: reads the array, 0: reads the results of the first pass.   LAST 1: writes the final results.
//   DIMS other axes, their extents and strides in `extents` and `strides` (of elements), the last one first.
//   A work-group is GX results x GY work-items for each. Work-items that are neighbours in GX read addresses that are close together, or
// those in GY if GX is 1.   ALONE 1 (CPUs): one work-item computes GX adjacent results.
#if OP == 1 && CPX == 2
#define NEUTRAL ((T)(1, 0))
#elif OP == 1
#define NEUTRAL ((T)(1))
#elif OP == 2 || OP == 3
#define NEUTRAL ((T)(NAN))
#else
#define NEUTRAL ZERO
#endif
INLINE T join(T a, T b) {
#if OP == 1
  return mul(a, b);
#elif OP == 2 || OP == 3
  return OP == 2 ? fmin(a, b) : fmax(a, b);
#else
  return a + b;
#endif
}
// Whether (b, j) replaces (a, i) as the extremum. NaNs never replace a value, and are replaced by any.
INLINE int better(R a, ulong i, R b, ulong j) {
  if (b != b) return 0;
  if (a != a) return 1;
  return (OP == 2 ? b < a : b > a) || (b == a && j < i);
}

#if ARG
#define JOIN_INTO(v, at, w, where)    \
  {                                   \
    if (better(v, at, w, where)) {    \
      v = w;                          \
      at = where;                     \
    }                                 \
  }
#else
#define JOIN_INTO(v, at, w, where) v = join(v, w);
#endif

// The offset of the first element of result r.
INLINE ulong place_of(ulong r, ulong8 extents, ulong8 strides) {
  ulong place = 0;
#if DIMS > 0
  const ulong extent[8] = {extents.s0, extents.s1, extents.s2, extents.s3, extents.s4, extents.s5, extents.s6, extents.s7};
  const ulong apart[8] = {strides.s0, strides.s1, strides.s2, strides.s3, strides.s4, strides.s5, strides.s6, strides.s7};
#pragma unroll
  for (int d = 0; d < DIMS; ++d) {
    place += (d + 1 < DIMS ? r % extent[d] : r) * apart[d];
    r /= extent[d];
  }
#endif
  return place;
}

#if ALONE
kernel void reduce(ulong results, ulong length, ulong parts, global const T* in, ulong offset, ulong stride, ulong8 extents,
                   ulong8 strides, global const T* other, ulong other_offset, ulong other_stride, global const ulong* places,
                   global T* out, ulong out_offset, global ulong* out_places) {
  const ulong along = extents.s0, chunks = (along + GX - 1) / GX, chunk = get_global_id(0) % chunks, part = get_global_id(1);
  const ulong r = get_global_id(0) / chunks * along + chunk * GX;
  const uint n = min((ulong)GX, along - chunk * GX);
  T v[GX];
  ulong at[ARG ? GX : 1];
  for (uint j = 0; j < GX; ++j) v[j] = NEUTRAL;
#if ARG
  for (uint j = 0; j < GX; ++j) at[j] = 0;
#endif
  ulong i = length / parts * part + min(part, length % parts);
  const ulong end = i + length / parts + (part < length % parts);
  ulong place = offset + place_of(r, extents, strides) + i * stride;
  for (; i < end; ++i, place += stride) {
    global const T* p = in + place;
    for (uint j = 0; j < n; ++j) {
      const T w = p[j];
#if ARG
      const ulong where = !FIRST ? places[place + j] : ALL ? (r + j) * length + i : i;
#endif
      JOIN_INTO(v[j], at[j], w, where);
    }
  }
  for (uint j = 0; j < n; ++j) {
#if !(ARG && LAST)
    out[out_offset + part * results + r + j] = v[j];
#endif
#if ARG
    out_places[(LAST ? out_offset : 0) + part * results + r + j] = at[j];
#endif
  }
}
#else
kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void reduce(ulong results, ulong length, ulong parts, global const T* in, ulong offset, ulong stride, ulong8 extents,
            ulong8 strides, global const T* other, ulong other_offset, ulong other_stride, global const ulong* places,
            global T* out, ulong out_offset, global ulong* out_places) {
  const uint x = get_local_id(0), y = get_local_id(1);
  const ulong r = (ulong)get_group_id(0) * GX + x, part = get_group_id(1);
  T v[4] = {NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL};
  ulong at[4] = {0, 0, 0, 0};
  {
    // Work-items past the last result compute the last result, too, and write nothing.
    ulong place = offset + place_of(r < results ? r : results - 1, extents, strides);
    ulong i = length / parts * part + min(part, length % parts);
    const ulong end = i + length / parts + (part < length % parts);
    i += y;
    place += i * stride;
    const ulong step = GY * stride;
    // Four independent sums: shorter dependence chains, and more outstanding loads.
#define TAKE(s)                                                                                                    \
  {                                                                                                                \
    T w = in[place + s * step];                                                                                    \
    if (FIRST && OP >= 4) w = mul(OP == 5 ? conjugate(w) : w, other[other_offset + (i + s * GY) * other_stride]); \
    const ulong where = !FIRST ? places[place + s * step] : ALL ? r * length + i + s * GY : i + s * GY;            \
    JOIN_INTO(v[s], at[s], w, where);                                                                              \
  }
    for (; i + 3 * GY < end; i += 4 * GY, place += 4 * step) {
      TAKE(0);
      TAKE(1);
      TAKE(2);
      TAKE(3);
    }
    for (; i < end; i += GY, place += step) TAKE(0);
    for (int s = 1; s < 4; ++s) JOIN_INTO(v[0], at[0], v[s], at[s]);
  }
#if GY > 1
  local T lv[GY][GX];
#if ARG
  local ulong la[GY][GX];
#endif
  lv[y][x] = v[0];
#if ARG
  la[y][x] = at[0];
#endif
  for (uint reach = GY / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y < reach) {
      const T w = lv[y + reach][x];
#if ARG
      const ulong p = la[y + reach][x];
#endif
      JOIN_INTO(v[0], at[0], w, p);
      lv[y][x] = v[0];
#if ARG
      la[y][x] = at[0];
#endif
    }
  }
#endif
  if (y > 0 || r >= results) return;
#if !(ARG && LAST)
  out[out_offset + part * results + r] = v[0];
#endif
#if ARG
  out_places[(LAST ? out_offset : 0) + part * results + r] = at[0];
#endif
}
#endif
