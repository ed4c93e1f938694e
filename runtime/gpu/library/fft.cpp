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
// exp(SIGN * 2 pi i k / n), 0 <= k < n. The angle is at most half a turn, which keeps its full precision.
static real2_t root(long k, long n) {
  const real_t half_turns = (real_t)(2 * (2 * k > n ? k - n : k)) / (real_t)n;
  return (real2_t)(cospi(half_turns), SIGN * sinpi(half_turns));
}
FUNCTIONS
// ns: the product of the radices of the previous passes. n_from: elements that a line has; zeros follow. rows_from,
// rows_to: elements of one transform lie closer than those of neighbours.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_pass(global const char* from, long from_at, long from_step, long f0, long f1, long f2,
              global char* to, long to_at, long to_step, long t0, long t1, long t2,
              long e0, long e1, long n, long n_from, long lines, long ns, real_t factor, int rows_from, int rows_to) {
  local real2_t a[RADIX * COLUMNS], b[RADIX * COLUMNS], roots[RADIX];
  const long each = n / RADIX, first = (long)get_group_id(0) * COLUMNS, all = lines * each;
  for (int k = get_local_id(0); k < RADIX; k += GROUP) roots[k] = root(k, RADIX);
  for (int i = get_local_id(0); i < RADIX * COLUMNS; i += GROUP) {
    const int r = rows_from ? i % RADIX : i / COLUMNS, c = rows_from ? i / RADIX : i % COLUMNS;
    real2_t v = (real2_t)(0, 0);
    if (first + c < all) {
      const long line = (first + c) / each, j = first + c - line * each, at = j + r * each, k = j % ns;
      if (at < n_from) {
        global const real_t* source =
            (global const real_t*)(from + from_at + line_offset(line, e0, e1, f0, f1, f2) + at * from_step);
        v = (real2_t)(source[0], FROM_REAL ? (real_t)0 : source[!FROM_REAL]);
        if (k > 0 && r > 0) v = times(v, root(r * k, ns * RADIX));
      }
    }
    a[r * COLUMNS + c] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
PASSES
  for (int i = get_local_id(0); i < RADIX * COLUMNS; i += GROUP) {
    const int r = rows_to ? i % RADIX : i / COLUMNS, c = rows_to ? i / RADIX : i % COLUMNS;
    if (first + c < all) {
      const long line = (first + c) / each, j = first + c - line * each, k = j % ns;
      const real2_t v = RESULT[r * COLUMNS + c];
      global real_t* target =
          (global real_t*)(to + to_at + line_offset(line, e0, e1, t0, t1, t2) + (j / ns * ns * RADIX + k + r * ns) * to_step);
      target[0] = v.x * factor;
      target[1] = v.y * factor;
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

}  // namespace

std::optional<std::vector<FftForm>> fft_plan(int64_t n, int64_t lines, bool single, bool from_real, bool inverse,
                                             int64_t local_bytes) {
  const auto primes = factors(n);
  if (!primes) return std::nullopt;
  // Two buffers of columns * radix elements, and the roots. With several passes, columns are adjacent elements in
  // memory, and several of them are needed to read at full speed.
  const int64_t room = local_bytes / (single ? 8 : 16);
  const auto fits = [&](int64_t radix, int64_t columns) { return radix * (2 * columns + 1) <= room; };
  std::vector<std::vector<int>> bins{*primes};
  for (size_t passes = 1; passes <= primes->size() + 1; ++passes) {
    bins = shared_out(*primes, passes);
    if (std::all_of(bins.begin(), bins.end(), [&](const auto& b) { return fits(product(b), passes == 1 ? 1 : 4); }))
      break;
  }
  std::vector<FftForm> plan;
  for (const std::vector<int>& bin : bins) {
    FftForm f{single, from_real && plan.empty(), inverse, product(bin), {}, 1, 64};
    if (!fits(f.radix, 1)) return std::nullopt;
    auto twos = std::count(bin.begin(), bin.end(), 2);
    for (int p : bin)
      if (p != 2) f.small.push_back(p);
    for (; twos > 1; twos -= 2) f.small.push_back(4);
    if (twos == 1) f.small.push_back(2);
    while (f.columns < 16 && f.radix * f.columns < 1024 && fits(f.radix, 2 * f.columns) &&
           2 * f.columns <= lines * (n / f.radix))
      f.columns *= 2;
    while (f.group < 256 && f.group * 4 < f.radix * f.columns) f.group *= 2;
    plan.push_back(std::move(f));
  }
  return plan;
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
  return fmt::format(
             "{}#define REAL {}\n#define REAL2 {}2\n#define SIGN {}\n#define FROM_REAL {}\n#define RADIX {}\n#define "
             "COLUMNS "
             "{}\n#define GROUP {}\n",
             form.single ? "" : "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n", real, real, form.inverse ? 1 : -1,
             int(form.from_real), form.radix, form.columns, form.group) +
         text;
}

}  // namespace vr::gpu
