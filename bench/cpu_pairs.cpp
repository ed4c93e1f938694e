#include "cpu_pairs.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace bench {

[[noreturn]] static void end(const Program& p, const char* why) {
  std::fprintf(stderr, "%s: %s\n", p.name.c_str(), why);
  std::exit(1);
}

void reset(const Program& p) {
  for (const Both& b : p.written) b.reset();
}

static double element(const vr::Array& a, int64_t k) {
  switch (a.elem()) {
    case vr::Elem::Float64:
      return a.data_as<double>()[k];
    case vr::Elem::Float32:
      return a.data_as<float>()[k];
    case vr::Elem::Int64:
      return static_cast<double>(a.data_as<int64_t>()[k]);
    case vr::Elem::Int32:
      return a.data_as<int32_t>()[k];
    default:
      return a.data_as<bool>()[k];
  }
}

double difference(const Program& p, const vr::Array& got, const vr::Array& want) {
  if (!got || got.size() != want.size() || got.elem() != want.elem()) end(p, "the result has another shape or type");
  const bool real = got.elem() == vr::Elem::Float64 || got.elem() == vr::Elem::Float32;
  const int64_t count = got.size() * (got.complex() ? 2 : 1);
  double worst = 0, largest = 0;
  int64_t differ = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double a = element(got, k), b = element(want, k);
    if (std::isnan(a) != std::isnan(b)) end(p, "a NaN on one side");
    if (std::isnan(a)) continue;
    worst = std::max(worst, std::fabs(a - b));
    largest = std::max(largest, std::fabs(b));
    differ += a != b;
  }
  if (real) return worst == 0 ? 0 : worst / std::max(largest, 1e-300);
  return static_cast<double>(differ) / static_cast<double>(std::max<int64_t>(count, 1));
}

/// How many times a thread of this process was preempted.
static long preemptions() {
  rusage u = {};
  getrusage(RUSAGE_SELF, &u);
  return u.ru_nivcsw;
}

double sample(const Program& p, const std::function<void()>& f, double* spent) {
  double best = 1e300;
  for (int tries = 0; tries < 8; ++tries) {
    reset(p);
    const long before = preemptions();
    const double ms = ms_of(f);
    *spent += ms;
    best = std::min(best, ms);
    if (preemptions() == before) return ms;
  }
  return best;
}

Pair in_turns(const Program& p, bool quick, const std::function<void()>& a, const std::function<void()>& b) {
  std::vector<double> as, bs, ratios;
  const double budget = quick ? 150 : 600;
  const size_t least = 5, most = quick ? 9 : 25;
  double spent = 0;
  while (as.size() < least || (spent < budget && as.size() < most)) {
    as.push_back(sample(p, a, &spent));
    bs.push_back(sample(p, b, &spent));
    ratios.push_back(as.back() / bs.back());
  }
  return {median(as), median(bs), median(ratios)};
}

}  // namespace bench
