// bench_compile: how long a program takes from text to native code, and how capr and fiff then run beside the same
// algorithms in C (gcc -O3 -march=native, without bounds checks; ours are on). Results are checked before anything is
// timed.
#include "c/peers.h"
#include "timing.hpp"

#include <velociraptor/velociraptor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using bench::ms_of;

/// The best of several runs each. The two sides alternate, so that both run under the same conditions.
void best_of(int rounds, const std::function<void()>& a, const std::function<void()>& b, double* a_ms, double* b_ms) {
  *a_ms = *b_ms = 1e300;
  for (int k = 0; k < rounds; ++k) {
    *a_ms = std::min(*a_ms, ms_of(a));
    *b_ms = std::min(*b_ms, ms_of(b));
  }
}

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_compile: %s\n", why.c_str());
  std::exit(1);
}

vr::Module load(const std::string& file, vr::ir::Dialect dialect) {
  vr::Options o;
  o.target = vr::Target::Cpu;
  o.dialect = dialect;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto m = engine->load_file(file);
  if (!m) die(m.error().text());
  return *m;
}

std::vector<vr::Value> run(const vr::Function& f, const std::vector<vr::Value>& args) {
  auto r = f.call(args);
  if (!r) die(r.error().text());
  return std::move(*r);
}

double relative_error(const vr::Array& got, const double* want) {
  double worst = 0;
  for (int64_t k = 0; k < got.size(); ++k) {
    double a = got.data_as<double>()[k], b = want[k];
    worst = std::max(worst, std::fabs(a - b) / std::max(1e-300, std::max(std::fabs(b), 1e-3)));
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("VR_CACHE_DIR", "", 1);  // compile times must be those of a compilation
  bool quick = false;
  std::string json;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--quick"))
      quick = true;
    else if (!std::strcmp(argv[k], "--json") && k + 1 < argc)
      json = argv[++k];
    else {
      std::fprintf(stderr, "usage: bench_compile [--quick] [--json FILE]\n");
      return 2;
    }
  }
  const std::string examples = std::string(VR_SOURCE_DIR) + "/examples/";
  const int rounds = quick ? 3 : 7;

  std::printf("compile: text to pointer at O2, one thread, warm; best of %d\n", rounds);
  std::printf("%-8s %10s %10s %10s %10s %10s %10s\n", "program", "parse ms", "verify ms", "passes ms", "lower ms",
              "codegen ms", "total ms");
  double heat_total = 0;
  for (const char* name : {"heat", "capr", "fiff"}) {
    const auto dialect = std::strcmp(name, "heat") ? vr::ir::Dialect::Mclab : vr::ir::Dialect::Vrir;
    vr::CompileInfo best;
    double best_total = 1e300;
    for (int k = 0; k <= rounds; ++k) {
      vr::Module m = load(examples + name + ".vrir", dialect);
      if (k > 0 && m.compile_info().total_ms() < best_total) {
        best = m.compile_info();
        best_total = best.total_ms();
      }
    }
    if (!std::strcmp(name, "heat")) heat_total = best_total;
    std::printf("%-8s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f\n", name, best.parse_ms, best.verify_ms, best.passes_ms,
                best.lower_ms, best.codegen_ms, best_total);
  }
  std::printf("goal: heat under 25 ms: %s\n\n", heat_total < 25 ? "met" : "missed");

  const double a = 0.6514926, b = 0.3493735, c = 1.8418078, d = 4.489778931;
  const int n = quick ? 100 : 400, sweeps = quick ? 20 : 100, fn = quick ? 500 : 2000, fm = quick ? 1000 : 4000;
  struct Row {
    std::string name;
    double ours, peer, error;
  };
  std::vector<Row> rows;
  {
    auto f = load(examples + "capr.vrir", vr::ir::Dialect::Mclab).function("capr");
    if (!f) die(f.error().text());
    const std::vector<vr::Value> args = {a, b, c, d, double(n), 0.0, 0.9, double(sweeps)};
    double* want = nullptr;
    int columns = 0;
    const double cap = c_capr(a, b, c, d, n, 0.0, 0.9, sweeps, &want, &columns);
    auto got = run(*f, args);
    if (got[1].array().size() != int64_t(n + 1) * columns) die("capr: the potential has another shape");
    const double error = std::max(relative_error(got[1].array(), want), std::fabs(got[0].as_double() - cap) / cap);
    std::free(want);
    Row row{"capr", 0, 0, error};
    best_of(
        rounds, [&] { run(*f, args); },
        [&] {
          double* p;
          c_capr(a, b, c, d, n, 0.0, 0.9, sweeps, &p, &columns);
          std::free(p);
        },
        &row.ours, &row.peer);
    rows.push_back(row);
  }
  {
    auto f = load(examples + "fiff.vrir", vr::ir::Dialect::Mclab).function("fiff");
    if (!f) die(f.error().text());
    const std::vector<vr::Value> args = {1.0, 1.0, 1.0, double(fn), double(fm)};
    std::vector<double> want(size_t(fn) * size_t(fm));
    c_fiff(1.0, 1.0, 1.0, fn, fm, want.data());
    auto got = run(*f, args);
    Row row{"fiff", 0, 0, relative_error(got[0].array(), want.data())};
    got.clear();
    best_of(rounds, [&] { run(*f, args); }, [&] { c_fiff(1.0, 1.0, 1.0, fn, fm, want.data()); }, &row.ours, &row.peer);
    rows.push_back(row);
  }
  std::printf("%-8s %12s %12s %8s %10s   (reference: C, gcc -O3 -march=native, no checks)\n", "program", "ours ms",
              "C ms", "ratio", "error");
  double log_sum = 0, least = 1e300;
  std::string out = "[";
  for (const Row& r : rows) {
    if (r.error > 1e-10) die(r.name + ": the result is off by " + std::to_string(r.error));
    const double ratio = r.peer / r.ours;
    log_sum += std::log(ratio);
    least = std::min(least, ratio);
    std::printf("%-8s %12.3f %12.3f %8.3f %10.1e\n", r.name.c_str(), r.ours, r.peer, ratio, r.error);
    out += (out.size() > 1 ? ", " : "") + std::string("{\"program\": \"") + r.name +
           "\", \"ours_ms\": " + std::to_string(r.ours) + ", \"c_ms\": " + std::to_string(r.peer) + "}";
  }
  std::printf("compile: geomean %.3f min %.3f over %zu\n", std::exp(log_sum / double(rows.size())), least, rows.size());
  if (!json.empty()) std::ofstream(json) << out << "]\n";
  return 0;
}
