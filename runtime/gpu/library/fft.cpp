#include "runtime/gpu/library/fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace vr::gpu {

namespace {

/// The prime factors, the greatest first; nullopt if one is above 7.
std::optional<std::vector<int>> factors(int64_t n) {
  std::vector<int> found;
  for (int p : {7, 5, 3, 2})
    for (; n % p == 0; n /= p) found.push_back(p);
  if (n != 1) return std::nullopt;
  return found;
}

/// Distributes the prime factors over `passes` products of about the same size.
std::vector<std::vector<int>> shared_out(const std::vector<int>& primes, size_t passes) {
  std::vector<std::vector<int>> bins(passes);
  std::vector<int64_t> product(passes, 1);
  for (int p : primes) {
    const auto least = static_cast<size_t>(std::min_element(product.begin(), product.end()) - product.begin());
    bins[least].push_back(p);
    product[least] *= p;
  }
  return bins;
}

int64_t product(const std::vector<int>& primes) {
  return std::accumulate(primes.begin(), primes.end(), int64_t{1}, std::multiplies<>());
}

constexpr const char* fft_kernels = R"(
typedef REAL real_t;
typedef REAL2 real2_t;
// The distance in bytes from the array's first element to that of a line. The line's number encodes its subscripts
// along the extents e0, e1 and the remaining one (all dimensions except the axis).
static long line_offset(long line, long e0, long e1, long s0, long s1, long s2) {
  const long rest = line / e0, last = rest / e1;
  return (line - rest * e0) * s0 + (rest - last * e1) * s1 + last * s2;
}
static real2_t times(real2_t a, real2_t b) { return (real2_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
// exp(sign * 2 pi i k / n), 0 <= k < n. The angle is at most half a turn, which keeps its full precision.
static real2_t root(long k, long n, int sign) {
  const real_t half_turns = (real_t)(2 * (2 * k > n ? k - n : k)) / (real_t)n;
  return (real2_t)(cospi(half_turns), sign * sinpi(half_turns));
}
// exp(sign * pi i k^2 / n)
static real2_t chirp(long k, long n, int sign) { return root(k * k % (2 * n), 2 * n, sign); }
// Element `at` of a line.
static real2_t element(global const char* line, long step, long at, long n_from, long n, long whole,
                       global const real2_t* other) {
  real2_t v = (real2_t)(0, 0);
  if (CHIRP_ONLY) {
    if (at < whole) v = chirp(at, whole, -CHIRP_SIGN);
    if (n - at < whole) v = chirp(n - at, whole, -CHIRP_SIGN);
    return v;
  }
  const int second = MIRRORED && 2 * at > whole;
  const long place = second ? whole - at : at;
  if (place < n_from && (!MIRRORED || at < whole)) {
    global const real_t* source = (global const real_t*)(line + place * step);
    v = (real2_t)(source[0], FROM_REAL ? (real_t)0 : source[!FROM_REAL]);
    if (MIRRORED && (place == 0 || 2 * place == whole)) v.y = 0;
    if (second) v.y = -v.y;
    if (CHIRP_FROM) v = times(v, chirp(at, whole, CHIRP_SIGN));
    if (PRODUCT) v = times(v, other[at]);
  }
  return v;
}
FUNCTIONS
// ns: the product of the radices of the previous passes. n_from: elements that a line has; zeros follow. n_to: elements
// that are written. whole: the length of the transform, of which this one is a part if n differs. rows_from, rows_to:
// elements of one transform lie closer than those of neighbours.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_pass(global const char* from, long from_at, long from_step, long f0, long f1, long f2,
              global char* to, long to_at, long to_step, long t0, long t1, long t2,
              global const char* other, long other_at, long e0, long e1, long n, long n_from, long n_to, long whole,
              long lines, long ns, real_t factor, int rows_from, int rows_to) {
  local real2_t a[RADIX * COLUMNS], b[RADIX * COLUMNS], roots[RADIX];
  const long each = n / RADIX, first = (long)get_group_id(0) * COLUMNS, all = lines * each;
  for (int k = get_local_id(0); k < RADIX; k += GROUP) roots[k] = root(k, RADIX, SIGN);
  for (int i = get_local_id(0); i < RADIX * COLUMNS; i += GROUP) {
    const int r = rows_from ? i % RADIX : i / COLUMNS, c = rows_from ? i / RADIX : i % COLUMNS;
    real2_t v = (real2_t)(0, 0);
    if (first + c < all) {
      const long line = (first + c) / each, j = first + c - line * each, at = j + r * each, k = j % ns;
      v = element(from + from_at + line_offset(line, e0, e1, f0, f1, f2), from_step, at, n_from, n, whole,
                  (global const real2_t*)(other + other_at));
      if (k > 0 && r > 0) v = times(v, root(r * k, ns * RADIX, SIGN));
    }
    a[r * COLUMNS + c] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
PASSES
  for (int i = get_local_id(0); i < RADIX * COLUMNS; i += GROUP) {
    const int r = rows_to ? i % RADIX : i / COLUMNS, c = rows_to ? i / RADIX : i % COLUMNS;
    if (first + c < all) {
      const long line = (first + c) / each, j = first + c - line * each, k = j % ns;
      const long at = j / ns * ns * RADIX + k + r * ns;
      if (at < n_to) {
        real2_t v = RESULT[r * COLUMNS + c];
        if (CHIRP_TO) v = times(v, chirp(at, whole, CHIRP_SIGN));
        global real_t* target = (global real_t*)(to + to_at + line_offset(line, e0, e1, t0, t1, t2) + at * to_step);
        target[0] = v.x * factor;
        if (!TO_REAL) target[!TO_REAL] = v.y * factor;
      }
    }
  }
}
)";

/// One pass within local memory, over COLUMNS transforms at the same time. roots: of order RADIX.
constexpr const char* small_pass = R"(
static void small_{0}(local const real2_t* x, local real2_t* y, local const real2_t* roots, int ns) {{
  for (int i = get_local_id(0); i < RADIX / {0} * COLUMNS; i += GROUP) {{
    const int c = i % COLUMNS, j = i / COLUMNS, k = j % ns;
    real2_t v[{0}];
    for (int q = 0; q < {0}; ++q)
      v[q] = times(x[(j + q * (RADIX / {0})) * COLUMNS + c], roots[q * k * (RADIX / (ns * {0}))]);
    local real2_t* z = y + ((j / ns) * ns * {0} + k) * COLUMNS + c;
    const int step = ns * COLUMNS;
    {1}
  }}
  barrier(CLK_LOCAL_MEM_FENCE);
}}
)";
constexpr const char* butterfly_2 = R"(z[0] = v[0] + v[1];
    z[step] = v[0] - v[1];)";
constexpr const char* butterfly_4 = R"(const real2_t a = v[0] + v[2], b = v[0] - v[2], d = v[1] + v[3], e = v[1] - v[3];
    const real2_t f = (real2_t)(-SIGN * e.y, SIGN * e.x);
    z[0] = a + d;
    z[step] = b + f;
    z[2 * step] = a - d;
    z[3 * step] = b - f;)";
constexpr const char* butterfly_odd = R"(for (int p = 0; p < ORDER; ++p) {
      real2_t sum = v[0];
      for (int q = 1; q < ORDER; ++q) sum += times(v[q], roots[p * q % ORDER * (RADIX / ORDER)]);
      z[p * step] = sum;
    })";

std::string small_function(int q) {
  std::string butterfly = q == 2 ? butterfly_2 : q == 4 ? butterfly_4 : butterfly_odd;
  for (size_t at; (at = butterfly.find("ORDER")) != std::string::npos;) butterfly.replace(at, 5, std::to_string(q));
  return fmt::format(small_pass, q, butterfly);
}

/// The passes over lines of n elements, whose prime factors are `primes`. nullopt: too much for the limits.
std::optional<FftStage> stage(int64_t n, const std::vector<int>& primes, int64_t lines, const FftKind& kind,
                              const FftLimits& limits) {
  // Two buffers of columns * radix elements, and the roots. With several passes, columns are adjacent elements in
  // memory, and several of them are needed to read at full speed.
  const int64_t room = limits.local_bytes / (kind.single ? 8 : 16);
  const auto fits = [&](int64_t radix, int64_t columns) { return radix * (2 * columns + 1) <= room; };
  std::vector<std::vector<int>> bins{primes};
  for (size_t passes = 1; passes <= primes.size() + 1; ++passes) {
    bins = shared_out(primes, passes);
    if (std::all_of(bins.begin(), bins.end(), [&](const auto& b) { return fits(product(b), passes == 1 ? 1 : 4); }))
      break;
  }
  FftStage s{n, {}};
  for (const std::vector<int>& bin : bins) {
    FftForm f;
    f.single = kind.single;
    f.inverse = kind.inverse;
    f.radix = product(bin);
    if (!fits(f.radix, 1)) return std::nullopt;
    auto twos = std::count(bin.begin(), bin.end(), 2);
    for (int p : bin)
      if (p != 2) f.small.push_back(p);
    for (; twos > 1; twos -= 2) f.small.push_back(4);
    if (twos == 1) f.small.push_back(2);
    while (f.columns < 16 && f.radix * f.columns < 1024 && fits(f.radix, 2 * f.columns) &&
           2 * f.columns <= lines * (n / f.radix))
      f.columns *= 2;
    while (2 * f.group <= std::min<int64_t>(limits.group, 256) && f.group * 4 < f.radix * f.columns) f.group *= 2;
    s.passes.push_back(std::move(f));
  }
  s.passes.front().from_real = kind.from_real;
  s.passes.front().mirrored = kind.mirrored;
  s.passes.back().to_real = kind.to_real;
  return s;
}

/// The least number from `least` on that is a power of two, or that times 3, 5, 7, 9 or 15.
int64_t convolution_length(int64_t least) {
  int64_t best = INT64_MAX;
  for (int64_t m : {1, 3, 5, 7, 9, 15}) {
    while (m < least) m *= 2;
    best = std::min(best, m);
  }
  return best;
}

}  // namespace

std::optional<std::vector<FftStage>> fft_plan(int64_t n, int64_t lines, const FftKind& kind, const FftLimits& limits) {
  constexpr int64_t longest = int64_t{1} << 31;  // squares of subscripts must not overflow
  if (const auto primes = factors(n)) {
    auto only = stage(n, *primes, lines, kind, limits);
    if (!only) return std::nullopt;
    return std::vector<FftStage>{std::move(*only)};
  }
  if (n > longest) return std::nullopt;
  const int64_t m = convolution_length(2 * n - 1);
  const std::vector<int> primes = *factors(m);
  FftKind first = kind, last = kind, chirp;
  first.to_real = last.from_real = last.mirrored = first.inverse = false;
  last.inverse = true;
  chirp.single = kind.single;
  auto chirps = stage(m, primes, 1, chirp, limits), forward = stage(m, primes, lines, first, limits),
       inverse = stage(m, primes, lines, last, limits);
  if (!chirps || !forward || !inverse) return std::nullopt;
  chirps->passes.front().chirp_only = true;
  forward->passes.front().chirp_from = true;
  inverse->passes.front().product = true;
  inverse->passes.back().chirp_to = true;
  for (FftForm* f : {&chirps->passes.front(), &forward->passes.front(), &inverse->passes.back()})
    f->chirp_inverse = kind.inverse;
  return std::vector<FftStage>{std::move(*chirps), std::move(*forward), std::move(*inverse)};
}

std::string fft_text(const FftForm& form) {
  std::string passes;
  const char *from = "a", *to = "b";
  int64_t ns = 1;
  for (int q : form.small) {
    passes += fmt::format("  small_{}({}, {}, roots, {});\n", q, from, to, ns);
    ns *= q;
    std::swap(from, to);
  }
  std::string text = fft_kernels, functions;
  for (int q : {2, 3, 4, 5, 7})
    if (std::count(form.small.begin(), form.small.end(), q)) functions += small_function(q);
  text.replace(text.find("FUNCTIONS"), 9, functions);
  text.replace(text.find("PASSES"), 6, passes);
  text.replace(text.find("RESULT"), 6, from);
  const std::string real = form.single ? "float" : "double";
  std::string head = form.single ? "" : "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  const auto define = [&](const char* name, const auto& value) { head += fmt::format("#define {} {}\n", name, value); };
  define("REAL", real);
  define("REAL2", real + "2");
  define("SIGN", form.inverse ? "1" : "(-1)");
  define("RADIX", form.radix);
  define("COLUMNS", form.columns);
  define("GROUP", form.group);
  define("FROM_REAL", int(form.from_real));
  define("MIRRORED", int(form.mirrored));
  define("TO_REAL", int(form.to_real));
  define("CHIRP_ONLY", int(form.chirp_only));
  define("CHIRP_FROM", int(form.chirp_from));
  define("PRODUCT", int(form.product));
  define("CHIRP_TO", int(form.chirp_to));
  define("CHIRP_SIGN", form.chirp_inverse ? "1" : "(-1)");
  return head + text;
}

}  // namespace vr::gpu
