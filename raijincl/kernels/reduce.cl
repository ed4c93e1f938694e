// One pass of a reduction of an array seen as outer x length x inner: `parts` results along the length for each (outer, inner),
// laid out outer x parts x inner; a second pass with length = parts makes one.
//   OP 0 sum, 1 product, 2 min, 3 max, 4 dot (x_i y_i), 5 conjugated dot;  ARG 1: the place of the min or max (values and places
//   go from pass to pass).   FIRST 1: reads the array, 0: reads a pass's results.   LAST 1: writes what the caller wants.
//   INNER 1: inner > 1, a work-item makes a result alone, neighbours read neighbours; 0: inner is 1, a work-group of GROUP
//   work-items makes one together.
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
// Whether (b, j) takes the place of (a, i). NaNs never do, and give way to all.
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

kernel void reduce(ulong outer, ulong length, ulong inner, ulong parts, global const T* in, ulong offset, ulong stride,
                   global const T* other, ulong other_offset, ulong other_stride, global const ulong* places, global T* out,
                   ulong out_offset, global ulong* out_places) {
#if INNER
  const ulong id = get_global_id(0);
  if (id >= outer * parts * inner) return;
  const ulong step = 1, result = id, begin_in = id % inner, part = id / inner % parts, o = id / inner / parts;
#else
  const ulong step = GROUP, result = get_group_id(0), begin_in = 0, part = result % parts, o = result / parts;
#endif
  const ulong begin = length / parts * part + min(part, length % parts);
  const ulong end = begin + length / parts + (part < length % parts);
  T v[4] = {NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL};
  ulong at[4] = {0, 0, 0, 0};
  // Four sums of their own: shorter chains, and loads in flight.
#define TAKE(s, i)                                                            \
  {                                                                           \
    const ulong place = (o * length + (i)) * inner + begin_in;                \
    T w = in[offset + place * stride];                                        \
    if (FIRST && OP >= 4) w = mul(OP == 5 ? conjugate(w) : w, other[other_offset + place * other_stride]); \
    const ulong where = FIRST ? (i) : places[place];                          \
    JOIN_INTO(v[s], at[s], w, where);                                         \
  }
#if INNER
  ulong i = begin;
#else
  ulong i = begin + get_local_id(0);
#endif
  for (; i + 3 * step < end; i += 4 * step) {
    TAKE(0, i);
    TAKE(1, i + step);
    TAKE(2, i + 2 * step);
    TAKE(3, i + 3 * step);
  }
  for (; i < end; i += step) TAKE(0, i);
  for (int s = 1; s < 4; ++s) JOIN_INTO(v[0], at[0], v[s], at[s]);
#if !INNER && GROUP > 1
  local T lv[GROUP];
  local ulong la[GROUP];
  const uint l = get_local_id(0);
  lv[l] = v[0];
  la[l] = at[0];
  for (uint reach = GROUP / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach) {
      T w = lv[l];
      ulong p = la[l];
      const T w2 = lv[l + reach];
      const ulong p2 = la[l + reach];
      JOIN_INTO(w, p, w2, p2);
      lv[l] = w;
      la[l] = p;
    }
  }
  if (l > 0) return;
  v[0] = lv[0];
  at[0] = la[0];
#endif
#if !(ARG && LAST)
  out[out_offset + result] = v[0];
#endif
#if ARG
  out_places[(LAST ? out_offset : 0) + result] = at[0];
#endif
}
