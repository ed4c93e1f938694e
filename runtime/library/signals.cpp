// Signals and tables: convolve, filter, interpolate; running extremes: cummax, cummin.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "runtime/cpu/blas.hpp"
#include "runtime/library/call.hpp"
#include "runtime/library/order.hpp"

namespace vr::runtime::library {

namespace {

// ---------------------------------------------------------------- convolve
template <class T>
void add_products(T* to, const T* a, T v, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] + a[i] * v);
}
void add_products(bool* to, const bool* a, bool v, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = to[i] | (a[i] & v);
}
/// For integers, the product wraps around.
template <class T>
requires std::is_integral_v<T>
void add_products(T* to, const T* a, T v, int64_t n) {
  using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
  for (int64_t i = 0; i < n; ++i)
    to[i] = static_cast<T>(static_cast<U>(to[i]) + static_cast<U>(a[i]) * static_cast<U>(v));
}
template <class T>
void add_products(std::complex<T>* to, const std::complex<T>* a, std::complex<T> v, int64_t n) {
  for (int64_t i = 0; i < n; ++i)  // the formula, without the special treatment of infinities in C
    to[i] = {to[i].real() + (a[i].real() * v.real() - a[i].imag() * v.imag()),
             to[i].imag() + (a[i].real() * v.imag() + a[i].imag() * v.real())};
}

double dot(const double* a, const double* b, int64_t n) { return cblas_ddot(static_cast<int>(n), a, 1, b, 1); }
float dot(const float* a, const float* b, int64_t n) { return cblas_sdot(static_cast<int>(n), a, 1, b, 1); }

/// Elements [from, from + count) of the convolution, the sums of a[i] * v[k - i]; v is not longer than a.
template <class T>
void convolve_part(const T* a, int64_t n, const T* v, const T* turned, int64_t m, T* to, int64_t from, int64_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    if (m >= 16 && m < 1 << 30) {
      for (int64_t k = from; k < from + count; ++k) {
        // v[j] with a[k - j]: j from the last that overlaps a down to the first.
        const int64_t last = std::min(k, m - 1), first = std::max<int64_t>(k - (n - 1), 0);
        to[k - from] = dot(a + (k - last), turned + (m - 1 - last), last - first + 1);
      }
      return;
    }
  }
  constexpr int64_t block = 1024;
  for (int64_t low = from; low < from + count; low += block) {
    const int64_t high = std::min(low + block, from + count);
    std::fill(to + (low - from), to + (high - from), T());
    for (int64_t j = 0; j < m; ++j) {
      const int64_t first = std::max(low, j), end = std::min(high, n + j);
      if (first < end) add_products(to + (first - from), a + (first - j), v[j], end - first);
    }
  }
}

template <class T>
void convolve(const LibraryCall& c) {
  auto a = c.elements<T>(0), v = c.elements<T>(1);
  if (a.size() == 0 || v.size() == 0) c.fail(VR_SIZE, "of a vector without elements");
  const int64_t all = a.size() + v.size() - 1, from = c.whole(2, 0), count = c.whole(3, all - std::min(from, all));
  if (from < 0 || count < 0 || from > all || count > all - from) c.fail(VR_SIZE, "there are no such elements");
  T* to = static_cast<T*>(c.make_vector(0, count, c.is_row(0)));
  const auto &longer = a.size() >= v.size() ? a : v, &shorter = a.size() >= v.size() ? v : a;
  const int64_t n = longer.size(), m = shorter.size();
  Buffer<T> turned(m);
  std::reverse_copy(shorter.begin(), shorter.end(), turned.begin());
  struct Work {
    const T *a, *v, *turned;
    int64_t n, m;
    T* to;
    int64_t from, count;
  } work{longer.data(), shorter.data(), turned.data(), n, m, to, from, count};
  constexpr int64_t piece = 4096;
  const auto task = [](vr_context*, void* env, int64_t lo, int64_t hi) -> int32_t {
    const Work& w = *static_cast<Work*>(env);
    const int64_t begin = lo * piece, end = std::min(hi * piece, w.count);
    convolve_part(w.a, w.n, w.v, w.turned, w.m, w.to + begin, w.from + begin, end - begin);
    return VR_OK;
  };
  const int64_t pieces = (count + piece - 1) / piece;
  const BlasThreads serial(c.context(), 0);
  if (static_cast<double>(count) * static_cast<double>(m) < 1e6)
    task(nullptr, &work, 0, pieces);
  else
    vr_rt_parallel_for(c.context(), nullptr, task, &work, 0, pieces);
}

// ---------------------------------------------------------------- interpolate
/// The line from point j to the next one. If infinities give NaN, the value is computed from point j + 1, as in NumPy.
double between(double x, const double* xp, const double* fp, int64_t j, double slope) {
  const double y = slope * (x - xp[j]) + fp[j];
  if (!std::isnan(y)) return y;
  const double z = slope * (x - xp[j + 1]) + fp[j + 1];
  return std::isnan(z) && fp[j] == fp[j + 1] ? fp[j] : z;
}

// ---------------------------------------------------------------- filter
/// The difference equation a[0] y[i] = sum b[j] x[i - j] - sum a[j] y[i - j], transposed direct form II.
template <class T>
void filter(const LibraryCall& c) {
  auto b = c.values<T>(0), a = c.values<T>(1);
  if (a.size() == 0 || b.size() == 0 || a[0] == 0) c.fail(VR_SIZE, "the first coefficient of the divisor is not 0");
  const vr_array& x = c.in(2);
  int32_t axis = c.matlab() ? first_longer_than_one(x) : x.rank - 1;
  if (c.given(3)) {
    axis = static_cast<int32_t>(std::clamp<int64_t>(c.whole(3) - c.base(), -VR_MAX_RANK - 1, VR_MAX_RANK));
    if (!c.matlab() && axis < 0) axis += x.rank;
    if (axis < 0 || (axis >= x.rank && !c.matlab())) c.fail(VR_OUT_OF_BOUNDS, "there is no such dimension");
  }
  const vr_array out = c.make(0, std::span<const int64_t>(x.extent, static_cast<size_t>(x.rank)));
  if (element_count(x) == 0) return;
  const Lines from = lines_of(x, axis), to = lines_of(out, axis);
  const int64_t order = std::max(a.size(), b.size());
  Buffer<T> numerator(order), divisor(order), state(order);
  for (int64_t k = 0; k < order; ++k) {
    numerator[k] = k < b.size() ? b[k] / a[0] : T(0);
    divisor[k] = k < a.size() ? a[k] / a[0] : T(0);
  }
  visit_real(x, [&](auto tag) {
    using X = typename decltype(tag)::type;
    for_each_pair(from.across, to.across, [&](const char* p, char* q) {
      std::fill(state.begin(), state.end(), T(0));
      for (int64_t i = 0; i < from.count; ++i) {
        X given;
        std::memcpy(&given, p + i * from.stride, sizeof given);
        const T v = static_cast<T>(given), y = state[0] + numerator[0] * v;
        for (int64_t k = 1; k < order; ++k)
          state[k - 1] = (k + 1 < order ? state[k] : T(0)) + numerator[k] * v - divisor[k] * y;
        if (order == 1) state[0] = T(0);
        std::memcpy(q + i * to.stride, &y, sizeof y);
      }
    });
  });
}

// ---------------------------------------------------------------- running extremes
/// In NumPy, NaN propagates to all later results; in MATLAB it is skipped.
template <class T, bool greatest>
void running(const LibraryCall& c) {
  const vr_array& a = c.in(0);
  int32_t axis = c.axis(1);
  if (axis < 0) axis = c.matlab() ? first_longer_than_one(a) : a.rank - 1;
  const vr_array out = c.make(0, std::span<const int64_t>(a.extent, static_cast<size_t>(a.rank)));
  if (a.rank == 0) return void(std::memcpy(out.data, a.data, sizeof(T)));
  const Lines from = lines_of(a, axis), to = lines_of(out, axis);
  const bool matlab = c.matlab();
  for_each_pair(from.across, to.across, [&](const char* x, char* y) {
    T best{};
    for (int64_t i = 0; i < from.count; ++i) {
      T v;
      std::memcpy(&v, x + i * from.stride, sizeof v);
      bool better = i == 0 || (greatest ? v > best : v < best);
      if constexpr (std::is_floating_point_v<T>)
        better = better || (matlab ? std::isnan(best) : std::isnan(v) && !std::isnan(best));
      if (better) best = v;
      std::memcpy(y + i * to.stride, &best, sizeof v);
    }
  });
}

}  // namespace

void Convolve(const LibraryCall& c) {
  const int32_t elem = c.result_elem(0);
  if (elem == (VR_FLOAT32 | VR_COMPLEX)) return convolve<std::complex<float>>(c);
  if (elem == (VR_FLOAT64 | VR_COMPLEX)) return convolve<std::complex<double>>(c);
  if (elem & VR_COMPLEX) c.fail(VR_TYPE, "of complex integers");
  if (elem == VR_BOOL) return convolve<bool>(c);
  ir::visit_computed_elem(real_part(elem), [&](auto tag) { convolve<typename decltype(tag)::type>(c); });
}

void Interpolate(const LibraryCall& c) {
  const vr_array& wanted = c.in(0);
  const auto x = c.elements<double>(0), xp = c.elements<double>(1), fp = c.elements<double>(2);
  const int64_t n = xp.size();
  if (n == 0) c.fail(VR_SIZE, "of no points");
  if (fp.size() != n) c.fail(VR_SHAPE_MISMATCH, "as many values as points are needed");
  const double left = c.number(3, fp[0]), right = c.number(4, fp[n - 1]);
  const vr_array& out = c.make(0, std::span<const int64_t>(wanted.extent, static_cast<size_t>(wanted.rank)));
  Buffer<double> found(x.size());
  for (int64_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    double& y = found[i];
    if (std::isnan(v)) {
      y = n == 1 ? fp[0] : v;  // with a single point, NumPy only tests whether the number is less or greater
    } else if (v > xp[n - 1]) {
      y = right;
    } else {
      // the last point that is not greater
      const int64_t j = std::upper_bound(xp.begin(), xp.end(), v) - xp.begin() - 1;
      if (j < 0)
        y = left;
      else if (j >= n - 1 || xp[j] == v)
        y = fp[std::min(j, n - 1)];
      else
        y = between(v, xp.data(), fp.data(), j, (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]));
    }
  }
  scatter(c, found.data(), out);
}

void Filter(const LibraryCall& c) { c.result_elem(0) == VR_FLOAT32 ? filter<float>(c) : filter<double>(c); }

void CumMax(const LibraryCall& c) {
  visit_real(c.in(0), [&](auto tag) { running<typename decltype(tag)::type, true>(c); });
}
void CumMin(const LibraryCall& c) {
  visit_real(c.in(0), [&](auto tag) { running<typename decltype(tag)::type, false>(c); });
}

}  // namespace vr::runtime::library
