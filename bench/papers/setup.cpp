#include "suite.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

namespace papers {

namespace {

/// f(begin, end) on all threads, for ranges of [0, n).
void share(int64_t n, const std::function<void(int64_t, int64_t, size_t)>& f) {
  const int64_t threads = std::clamp<int64_t>(n >> 20, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> all;
  for (int64_t t = 0; t < threads; ++t) all.emplace_back(f, n * t / threads, n * (t + 1) / threads, size_t(t));
  for (std::thread& t : all) t.join();
}

constexpr size_t period = 65521;

template <class T>
void fill(T* to, int64_t n, double lo, double hi, unsigned seed) {
  std::mt19937 gen(seed);
  std::vector<T> some(period);
  for (T& t : some) t = T(lo + (hi - lo) * (double(gen()) / 4294967296.0));
  share(n, [&](int64_t begin, int64_t end, size_t) {
    for (int64_t k = begin; k < end;) {
      const size_t from = size_t(k) % period, count = std::min(period - from, size_t(end - k));
      std::memcpy(to + k, some.data() + from, count * sizeof(T));
      k += int64_t(count);
    }
  });
}

struct Difference {
  double worst = 0, largest = 0;
  int64_t place = 0, beyond = 0;
};

/// `limit` < 0: the magnitudes alone.
template <class T>
Difference compare(const T* a, const T* b, int64_t n, double limit) {
  std::vector<Difference> parts(256);
  share(n, [&](int64_t begin, int64_t end, size_t t) {
    Difference d;
    for (int64_t k = begin; k < end; ++k) {
      const double x = double(a[k]), y = double(b[k]);
      if (std::isfinite(y)) d.largest = std::max(d.largest, std::fabs(y));
      if (limit < 0 || a[k] == b[k] || (std::isnan(x) && std::isnan(y))) continue;
      const double off = std::isfinite(x) && std::isfinite(y) ? std::fabs(x - y) : INFINITY;
      if (off > limit) ++d.beyond;
      if (off > d.worst) d.worst = off, d.place = k;
    }
    parts[t] = d;
  });
  Difference all;
  for (const Difference& d : parts) {
    all.largest = std::max(all.largest, d.largest);
    all.beyond += d.beyond;
    if (d.worst > all.worst) all.worst = d.worst, all.place = d.place;
  }
  return all;
}

template <class F>
auto with_type(Elem e, F&& f) {
  switch (e) {
    case Elem::Float64:
      return f(double{});
    case Elem::Float32:
      return f(float{});
    case Elem::Int32:
      return f(int32_t{});
    case Elem::Int64:
      return f(int64_t{});
    case Elem::UInt32:
      return f(uint32_t{});
    case Elem::UInt16:
      return f(uint16_t{});
    case Elem::UInt8:
      return f(uint8_t{});
    case Elem::Int8:
      return f(int8_t{});
    default:
      bench::die("an element type that the suite does not use");
  }
}

int64_t numbers(const vr::Array& a) { return a.size() * (a.complex() ? 2 : 1); }

}  // namespace

Setup::~Setup() {
  for (Launch& l : launches_)
    if (l.kernel) clReleaseKernel(l.kernel);
  for (Kept& k : arrays_)
    if (k.device) clReleaseMemObject(k.device);
  if (program_) clReleaseProgram(program_);
}

Buf Setup::add(Elem e, const std::vector<int64_t>& extents, double lo, double hi, bool complex) {
  auto a = vr::Array::empty(e, extents, vr::Layout::RowMajor, complex);
  if (!a) bench::die(a.error().text());
  const auto seed = unsigned(arrays_.size() + 1);
  with_type(e, [&](auto zero) { fill(a->data_as<decltype(zero)>(), numbers(*a), lo, hi, seed); });
  arrays_.push_back({*a, false, false, nullptr});
  return {int(arrays_.size()) - 1};
}

Buf Setup::array(Elem e, const std::vector<int64_t>& extents, double lo, double hi, bool complex) {
  const Buf b = add(e, extents, lo, hi, complex);
  args_.emplace_back(arrays_.back().host);
  return b;
}

Buf Setup::result(Elem e, const std::vector<int64_t>& extents, double lo, double hi, bool complex) {
  const Buf b = array(e, extents, lo, hi, complex);
  arrays_.back().compared = true;
  return b;
}

Buf Setup::returned(Elem e, const std::vector<int64_t>& extents) {
  const Buf b = add(e, extents, 0, 0, false);
  arrays_.back().compared = arrays_.back().returned = true;
  return b;
}

Buf Setup::scratch(Elem e, const std::vector<int64_t>& extents) { return add(e, extents, 0, 0, false); }

void Setup::launch(const std::string& kernel, std::vector<int64_t> global, std::vector<size_t> local,
                   std::vector<Arg> args) {
  std::vector<size_t> whole;
  for (size_t k = 0; k < local.size(); ++k) whole.push_back(bench::up(global[k], local[k]));
  launches_.push_back({kernel, std::move(whole), std::move(local), std::move(args), nullptr});
}

void Setup::begin(const std::string& source, Grant grant) {
  const std::string options = "-cl-std=CL1.2" + defines_;
  program_ = grant == Grant::Fast
                 ? peers_.build(source, options + " -cl-fast-relaxed-math")
                 : peers_.build("#pragma OPENCL FP_CONTRACT OFF\n" + source, options + peers_.rounded());
  for (Kept& k : arrays_) k.device = peers_.buffer(k.host);
  for (Launch& l : launches_) {
    l.kernel = peers_.kernel(program_, l.name);
    cl_uint at = 0;
    for (const Arg& a : l.args) {
      std::visit(
          [&](auto v) {
            if constexpr (std::is_same_v<decltype(v), Buf>)
              bench::set(l.kernel, at, arrays_[size_t(v.id)].device);
            else
              bench::set(l.kernel, at, v);
          },
          a);
      ++at;
    }
  }
}

std::vector<vr::Array> Setup::kept() const {
  std::vector<vr::Array> all;
  for (const vr::Value& v : args_)
    if (v.array()) all.push_back(v.array());
  return all;
}

void Setup::hand(int times) {
  for (int k = 0; k < times; ++k) {
    for (const Launch& l : launches_) peers_.launch(l.kernel, l.global, l.local);
    // The program has its number on the host after each repetition, too.
    for (const Kept& array : arrays_)
      if (double number = 0; array.returned && array.host.size() == 1)
        peers_.read(array.device, &number, size_t(bench::Peers::bytes(array.host)));
  }
  peers_.finish();
}

std::string Setup::differs(const std::vector<vr::Value>& r) {
  for (size_t id = 0; id < arrays_.size(); ++id) {
    const Kept& k = arrays_[id];
    if (!k.compared) continue;
    auto want = vr::Array::empty(k.host.elem(), k.host.extents(), vr::Layout::RowMajor, k.host.complex());
    if (!want) bench::die(want.error().text());
    peers_.read(k.device, want->data(), size_t(bench::Peers::bytes(*want)));
    vr::Array got = k.host;
    if (k.returned && r.empty()) return "nothing was returned";
    if (k.returned && r[0].array()) got = r[0].array();
    const bool number = k.returned && !r[0].array();
    if (!number && (got.size() != want->size() || got.elem() != want->elem()))
      return "a result of another shape or type";
    std::string fault = with_type(k.host.elem(), [&](auto zero) -> std::string {
      using T = decltype(zero);
      const T one = number ? T(r[0].as_double()) : T{};
      const T *a = number ? &one : got.data_as<T>(), *b = want->data_as<T>();
      const int64_t n = number ? 1 : numbers(*want);
      const double rel = bound_ >= 0 ? bound_ : std::is_integral_v<T> ? 0 : sizeof(T) == 4 ? 1e-5 : 1e-12;
      const double largest = compare(a, b, n, -1).largest;
      const Difference d = compare(a, b, n, rel * largest);
      if (double(d.beyond) <= share_ * double(n)) return {};
      char text[200];
      std::snprintf(text, sizeof text, "array %zu: %lld of %lld differ, element %lld: %.9g, by hand %.9g", id,
                    (long long)d.beyond, (long long)n, (long long)d.place, double(a[d.place]), double(b[d.place]));
      return text;
    });
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace papers
