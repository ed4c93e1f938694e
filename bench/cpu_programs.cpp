// Helpers for the descriptions of the programs.
#include "cpu_programs.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

namespace {
template <class T>
T must(vr::Result<T> r) {
  if (r) return std::move(*r);
  std::fprintf(stderr, "bench_cpu: %s\n", r.error().text().c_str());
  std::exit(1);
}
}  // namespace

Peers::Peers(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_) return;
  std::fprintf(stderr, "bench_cpu: %s\n", dlerror());
  std::exit(1);
}

void* Peers::address(const char* name) const {
  if (void* p = dlsym(handle_, name)) return p;
  std::fprintf(stderr, "bench_cpu: no C peer '%s'\n", name);
  std::exit(1);
}

vr::Array Maker::zeros(vr::Elem elem, std::vector<int64_t> extents, bool complex) const {
  return must(vr::Array::zeros(elem, extents, vr::Layout::RowMajor, complex));
}

vr::Array Maker::make(vr::Elem elem, std::vector<int64_t> extents, const std::function<double(int64_t)>& value) const {
  vr::Array a = zeros(elem, std::move(extents));
  for (int64_t k = 0; k < a.size(); ++k) {
    const double v = value(k);
    switch (elem) {
      case vr::Elem::Float64:
        a.data_as<double>()[k] = v;
        break;
      case vr::Elem::Float32:
        a.data_as<float>()[k] = static_cast<float>(v);
        break;
      case vr::Elem::Int64:
        a.data_as<int64_t>()[k] = static_cast<int64_t>(v);
        break;
      default:
        a.data_as<int32_t>()[k] = static_cast<int32_t>(v);
        break;
    }
  }
  return a;
}

vr::Array Maker::uniform(vr::Elem elem, std::vector<int64_t> extents, double low, double high) {
  std::uniform_real_distribution<double> between(low, high);
  return make(elem, std::move(extents), [&](int64_t) { return between(random_); });
}

Both Maker::both(vr::Array start) const { return {must(start.copy()), must(start.copy()), start}; }

Output written(const Both& b) {
  return {[b](const std::vector<vr::Value>&) { return b.ours; }, [b] { return b.c; }};
}

Output result(size_t k, vr::Array c) {
  return {[k](const std::vector<vr::Value>& r) { return r.at(k).array(); }, [c] { return c; }};
}

Output number(size_t k, const double* c) {
  return {[k](const std::vector<vr::Value>& r) { return vr::Array::from({r.at(k).as_double()}); },
          [c] { return vr::Array::from({*c}); }};
}

}  // namespace bench
