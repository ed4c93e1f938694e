// bench_cpu: the programs of bench/programs as native code, compared with the same algorithms in C (gcc -O3
// -march=native). Bounds checks are on for the native code (optimisation level 3) and off for C. The results of both
// are compared before anything is timed; then both run alternately on one thread, and the ratio is the median of the
// ratios of each pair of runs. `par` is the speedup of the function whose outer loop is a pforstmt, on all threads,
// over the serial function. `machine` is the speedup of two threads of plain arithmetic over one, measured between the
// same runs.
//
// With --regions: code specialised for the arguments (thesis chapter 6) compared with the general code. With --checks:
// code without bounds checks compared with code that has them, which must never be faster. With --polls: code that
// never asks the host whether to stop (docs/architecture.md, poll) compared with code that does.
#include "cpu_pairs.hpp"
#include "cpu_programs.hpp"
#include "timing.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <optional>
#include <semaphore>
#include <sstream>
#include <thread>

namespace bench {
namespace {

using vr::Value;
struct Args {
  bool quick = false, fast = false, list = false, regions = false, checks = false, polls = false;
  std::string json;
  std::vector<std::string> only;
};

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_cpu: %s\n", why.c_str());
  std::exit(1);
}

vr::Module load(const Program& p, vr::Target target, vr::RegionMode regions = vr::RegionMode::Off) {
  vr::Options o;
  o.regions = regions;
  o.target = target;
  o.opt_level = 3;
  if (p.mclab) o.dialect = vr::ir::Dialect::Mclab;
  const std::string file =
      std::string(VR_SOURCE_DIR) + (p.mclab ? "/examples/" : "/bench/programs/") + p.file + ".vrir";
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto module = engine->load_file(file);
  if (!module) die(p.name + ": " + module.error().text());
  return *module;
}

vr::Function function(const Program& p, const vr::Module& m, const std::string& name) {
  auto f = m.function(name);
  if (!f) die(p.name + ": " + f.error().text());
  return *f;
}

std::vector<Value> run(const Program& p, const vr::Function& f) {
  auto r = f.call(p.args);
  if (!r) die(p.name + ": " + r.error().text());
  return std::move(*r);
}

/// Runs our function (already reset and run: `got`) and the peer once and compares the results; returns the largest
/// difference.
double compare(const Program& p, const std::vector<Value>& got) {
  double worst = 0;
  for (const Output& o : p.outputs) worst = std::max(worst, difference(p, o.ours(got), o.c()));
  if (!(worst <= p.bound)) die(p.name + ": differs by " + std::to_string(worst) + " from C, more than its bound");
  return worst;
}

/// The speedup of two threads over one on this machine at this moment: two processors of a virtual machine may be
/// hyperthreads of one core. Each thread computes enough independent sums and products to keep the arithmetic units
/// busy, and accesses no memory.
class Control {
 public:
  Control()
      : thread_([this] {
          for (go_.acquire(); !over_; go_.acquire()) {
            work(&theirs_);
            done_.release();
          }
        }) {}
  ~Control() {
    over_ = true;
    go_.release();
  }
  void turn() {
    one_ = std::min(one_, ms_of([&] { work(&ours_); }));
    two_ = std::min(two_, ms_of([&] {
                      go_.release();
                      work(&ours_);
                      done_.acquire();
                    }));
  }
  double ratio() const { return 2 * one_ / two_; }

 private:
  static void work(volatile double* out) {
    double sums[32];
    std::fill(std::begin(sums), std::end(sums), *out);
    for (int i = 0; i < 150'000; ++i)
      for (double& s : sums) s = s * 0.999999 + 1e-6;
    *out = std::accumulate(std::begin(sums), std::end(sums), 0.0);
  }
  std::binary_semaphore go_{0}, done_{0};
  std::atomic<bool> over_{false};
  volatile double ours_ = 0, theirs_ = 0;  // volatile, so that the compiler does not merge the two computations
  double one_ = 1e300, two_ = 1e300;
  std::jthread thread_;
};

/// Serial time over parallel time, each the best of some runs, because on a machine with other work a worker thread
/// often has to wait for a processor.
double speedup(const Program& p, bool quick, const std::function<void()>& serial, const std::function<void()>& parallel,
               double* machine) {
  Control control;
  double best_serial = 1e300, best_parallel = 1e300, spent = 0;
  for (int turns = 0; turns < 5 || (spent < (quick ? 200 : 600) && turns < 40); ++turns) {
    best_serial = std::min(best_serial, sample(p, serial, &spent));
    reset(p);
    const double ms = ms_of(parallel);
    best_parallel = std::min(best_parallel, ms);
    spent += ms;
    control.turn();
  }
  *machine = control.ratio();
  return best_serial / best_parallel;
}

struct Row {
  std::string name;
  Pair serial;
  double parallel = 0, machine = 0, fast = 0, compile_ms = 0, error = 0;
};

Row measure(const Program& p, const Args& args, const Peers& peers, const std::optional<Peers>& fast) {
  Row row;
  row.name = p.name;
  const vr::Module serial = load(p, vr::Target::Cpu);
  row.compile_ms = serial.compile_info().total_ms();
  const vr::Function ours = function(p, serial, p.fn);
  reset(p);
  {
    p.peer(peers);
    const std::vector<Value> got = run(p, ours);
    row.error = compare(p, got);
  }
  row.serial = in_turns(p, args.quick, [&] { p.peer(peers); }, [&] { run(p, ours); });
  if (fast) row.fast = in_turns(p, args.quick, [&] { p.peer(peers); }, [&] { p.peer(*fast); }).ratio;
  if (p.parallel) {
    const vr::Module m = load(p, vr::Target::CpuParallel);
    const vr::Function par = function(p, m, p.fn + "_par");
    reset(p);
    p.peer(peers);
    compare(p, run(p, par));
    row.parallel = speedup(p, args.quick, [&] { run(p, ours); }, [&] { run(p, par); }, &row.machine);
  }
  return row;
}

/// The programs of thesis 10.1.
bool of_thesis(const std::string& name) {
  static const char* const names[] = {"lud",  "srad",     "pagerank", "spmv", "fft",  "growcut", "julia",
                                      "fftm", "pairwise", "nb1d",     "clos", "fiff", "capr",    "fdtd"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct RegionRow {
  std::string name;
  Pair pair;
  int regions = 0, versions = 0;
  int uses = 0, known = 0, checks_before = 0, checks_after = 0;
  double compile_ms = 0, inference_ms = 0;  ///< of all code, specialised versions included
};

RegionRow measure_regions(const Program& p, const Args& args, const Peers& peers) {
  RegionRow row;
  row.name = p.name;
  const vr::Module general = load(p, vr::Target::Cpu), special = load(p, vr::Target::Cpu, vr::RegionMode::Sync);
  const vr::Function a = function(p, general, p.fn), b = function(p, special, p.fn);
  reset(p);
  p.peer(peers);
  compare(p, run(p, b));  // the specialised versions are compiled here
  reset(p);
  p.peer(peers);
  compare(p, run(p, b));
  row.pair = in_turns(p, args.quick, [&] { run(p, a); }, [&] { run(p, b); });
  row.compile_ms = special.compile_info().total_ms();
  for (const vr::RegionInfo& r : special.regions()) {
    if (r.misses == 0) continue;  // belongs to another function of the file
    ++row.regions;
    row.versions += static_cast<int>(r.misses);
    row.uses += r.array_uses;
    row.known += r.array_uses_known;
    row.checks_before += r.checks_before;
    row.checks_after += r.checks_after;
    row.compile_ms += r.compile_ms;
    row.inference_ms += r.inference_ms;
  }
  return row;
}

int regions_main(const Args& args, const Peers& peers) {
  std::printf("reference: our general code; ours: specialised on the arguments. Both -O3, checks on, one thread.\n");
  std::printf("%-18s %10s %10s %8s %8s %9s %9s %11s %10s %10s\n", "program", "general", "special", "ratio", "regions",
              "versions", "shapes", "checks", "compile ms", "inference");
  double logs = 0, least = 1e300, thesis_logs = 0, compile = 0, inference = 0;
  int count = 0, thesis = 0, found = 0, shapes = 0;
  std::string json = "[";
  for (std::span<const Factory> list : {loop_programs(), array_programs()})
    for (const Factory& f : list) {
      if (!args.only.empty() && std::find(args.only.begin(), args.only.end(), f.name) == args.only.end()) continue;
      Maker maker(args.quick);
      const RegionRow r = measure_regions(f.make(maker), args, peers);
      const bool counts = of_thesis(r.name);
      std::printf("%-18s %10.3f %10.3f %8.3f %8d %9d %4d/%-4d %5d->%-4d %10.1f %10.2f%s\n", r.name.c_str(), r.pair.a_ms,
                  r.pair.b_ms, r.pair.ratio, r.regions, r.versions, r.known, r.uses, r.checks_before, r.checks_after,
                  r.compile_ms, r.inference_ms, counts ? "  *" : "");
      std::fflush(stdout);
      char line[400];
      std::snprintf(line, sizeof line,
                    "%s\n {\"program\": \"%s\", \"general_ms\": %.6f, \"specialised_ms\": %.6f, \"ratio\": %.4f, "
                    "\"regions\": %d, \"versions\": %d, \"compile_ms\": %.3f, \"inference_ms\": %.3f}",
                    json.size() > 1 ? "," : "", r.name.c_str(), r.pair.a_ms, r.pair.b_ms, r.pair.ratio, r.regions,
                    r.versions, r.compile_ms, r.inference_ms);
      json += line;
      logs += std::log(r.pair.ratio);
      least = std::min(least, r.pair.ratio);
      ++count;
      compile += r.compile_ms;
      inference += r.inference_ms;
      if (!counts) continue;
      thesis_logs += std::log(r.pair.ratio);
      ++thesis;
      found += r.regions > 0;
      shapes += r.regions > 0 && r.known == r.uses;
    }
  if (!count) return std::fprintf(stderr, "bench_cpu: no such program\n"), 2;
  std::printf("inference: %.1f %% of compiling\n", 100 * inference / compile);
  if (thesis)
    std::printf("programs of the thesis (*): regions in %d of %d, all shapes known in %d, geomean %.3f\n", found,
                thesis, shapes, std::exp(thesis_logs / thesis));
  std::printf("regions: geomean %.3f min %.3f over %d\n", std::exp(logs / count), least, count);
  if (!args.json.empty()) std::ofstream(args.json) << json << "\n]\n";
  return 0;
}

/// The module with `:boundscheck %0` on every subscript.
vr::Module load_unchecked(const Program& p) {
  std::ifstream in(std::string(VR_SOURCE_DIR) + "/bench/programs/" + p.file + ".vrir");
  std::stringstream read;
  read << in.rdbuf();
  const std::string text = read.str(), mark = "(index";
  std::string without;
  size_t from = 0;
  for (size_t at; (at = text.find(mark, from)) != std::string::npos;) {
    at += mark.size();
    without.append(text, from, at - from);
    from = at;
    const size_t next = text.find_first_not_of(" \n", at);
    // An index expression states its array, so an expression that states none is a subscript.
    const bool subscript = next != at && text.compare(next, 8, ":arrayid") != 0;
    if (subscript) without += " :boundscheck %0";
  }
  without.append(text, from);
  vr::Options o;
  o.target = vr::Target::Cpu;
  o.opt_level = 3;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto module = engine->load(without, p.file);
  if (!module) die(p.name + " without checks: " + module.error().text());
  return *module;
}

vr::Module load_unasked(const Program& p) {
  vr::Options o;
  o.target = vr::Target::Cpu;
  o.opt_level = 3;
  o.skip_passes = {"poll"};
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto module = engine->load_file(std::string(VR_SOURCE_DIR) + "/bench/programs/" + p.file + ".vrir");
  if (!module) die(p.name + " without polls: " + module.error().text());
  return *module;
}

/// Code with bounds checks, or polls, compared with code without.
int without_main(const Args& args, const Peers& peers) {
  const char* what = args.checks ? "checks" : "polls";
  std::printf("reference: ours with %s; ours: without. Both -O3, one thread.\n",
              args.checks ? "bounds checks" : "questions whether to stop");
  std::printf("%-18s %10s %10s %8s\n", "program", "with", "without", "ratio");
  double logs = 0, least = 1e300;
  int count = 0;
  std::string json = "[";
  for (std::span<const Factory> list : {loop_programs(), array_programs()})
    for (const Factory& f : list) {
      if (!args.only.empty() && std::find(args.only.begin(), args.only.end(), f.name) == args.only.end()) continue;
      Maker maker(args.quick);
      const Program p = f.make(maker);
      if (p.mclab) continue;  // skipped: MATLAB's arrays grow at a store outside of them
      const vr::Module with = load(p, vr::Target::Cpu), without = args.checks ? load_unchecked(p) : load_unasked(p);
      const vr::Function a = function(p, with, p.fn), b = function(p, without, p.fn);
      for (const vr::Function* one : {&a, &b}) {
        reset(p);
        p.peer(peers);
        compare(p, run(p, *one));
      }
      const Pair pair = in_turns(
          p, args.quick, [&] { run(p, a); }, [&] { run(p, b); });
      std::printf("%-18s %10.3f %10.3f %8.3f\n", p.name.c_str(), pair.a_ms, pair.b_ms, pair.ratio);
      std::fflush(stdout);
      char line[200];
      std::snprintf(line, sizeof line, "%s\n {\"program\": \"%s\", \"with_ms\": %.6f, \"without_ms\": %.6f, \"ratio\": %.4f}",
                    json.size() > 1 ? "," : "", p.name.c_str(), pair.a_ms, pair.b_ms, pair.ratio);
      json += line;
      logs += std::log(pair.ratio);
      least = std::min(least, pair.ratio);
      ++count;
    }
  if (!count) return std::fprintf(stderr, "bench_cpu: no such program\n"), 2;
  std::printf("%s: geomean %.3f min %.3f over %d\n", what, std::exp(logs / count), least, count);
  if (!args.json.empty()) std::ofstream(args.json) << json << "\n]\n";
  return 0;
}

void print_head(const Args& args) {
  std::printf("reference: C, gcc -O3 -march=native, no checks, buffers reused. Ours: checks on, -O3, one thread.\n");
  std::printf("%-18s %10s %10s %8s %10s %8s %10s %9s%s\n", "program", "C ms", "ours ms", "C/ours", "par/serial",
              "machine", "compile ms", "error", args.fast ? "  C/C -ffast-math" : "");
}

int main(const Args& args) {
  setenv("VR_CACHE_DIR", "", 1);  // compile times must be those of a compilation
  const std::string here = VR_BENCH_PEERS;
  const Peers peers(here + "/libbench_cpu_peers.so");
  if (args.regions) return regions_main(args, peers);
  if (args.checks || args.polls) return without_main(args, peers);
  std::optional<Peers> fast;
  if (args.fast) fast.emplace(here + "/libbench_cpu_peers_fast.so");
  if (!args.list) print_head(args);
  std::vector<Row> rows;
  for (std::span<const Factory> list : {loop_programs(), array_programs()})
    for (const Factory& f : list) {
      if (args.list) std::printf("%s\n", f.name);
      if (args.list || (!args.only.empty() && std::find(args.only.begin(), args.only.end(), f.name) == args.only.end()))
        continue;
      Maker maker(args.quick);
      const Program p = f.make(maker);
      const Row r = measure(p, args, peers, fast);
      char par[32] = "-", machine[32] = "-";
      if (r.parallel > 0) {
        std::snprintf(par, sizeof par, "%.2f", r.parallel);
        std::snprintf(machine, sizeof machine, "%.2f", r.machine);
      }
      std::printf("%-18s %10.3f %10.3f %8.3f %10s %8s %10.1f %9.1e", r.name.c_str(), r.serial.a_ms, r.serial.b_ms,
                  r.serial.ratio, par, machine, r.compile_ms, r.error);
      if (args.fast) std::printf(" %8.2f", r.fast);
      std::printf("\n");
      std::fflush(stdout);
      rows.push_back(r);
    }
  if (rows.empty()) return args.list ? 0 : (std::fprintf(stderr, "bench_cpu: no such program\n"), 2);
  double logs = 0, least = 1e300, par_logs = 0;
  int par_count = 0;
  std::string json = "[";
  for (const Row& r : rows) {
    logs += std::log(r.serial.ratio);
    least = std::min(least, r.serial.ratio);
    if (r.parallel > 0) par_logs += std::log(r.parallel), ++par_count;
    char line[400];
    std::snprintf(line, sizeof line,
                  "%s\n {\"program\": \"%s\", \"c_ms\": %.6f, \"ours_ms\": %.6f, \"ratio\": %.4f, \"parallel\": %.4f, "
                  "\"compile_ms\": %.3f, "
                  "\"error\": %.3g}",
                  json.size() > 1 ? "," : "", r.name.c_str(), r.serial.a_ms, r.serial.b_ms, r.serial.ratio, r.parallel,
                  r.compile_ms, r.error);
    json += line;
  }
  if (par_count) std::printf("parallel over serial: geomean %.3f over %d\n", std::exp(par_logs / par_count), par_count);
  std::printf("cpu: geomean %.3f min %.3f over %zu\n", std::exp(logs / static_cast<double>(rows.size())), least,
              rows.size());
  if (!args.json.empty()) std::ofstream(args.json) << json << "\n]\n";
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Args args;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    if (a == "--quick")
      args.quick = true;
    else if (a == "--fast-math")
      args.fast = true;
    else if (a == "--regions")
      args.regions = true;
    else if (a == "--checks")
      args.checks = true;
    else if (a == "--polls")
      args.polls = true;
    else if (a == "--list")
      args.list = true;
    else if (a == "--only" && k + 1 < argc)
      args.only.push_back(argv[++k]);
    else if (a == "--json" && k + 1 < argc)
      args.json = argv[++k];
    else {
      std::fprintf(stderr,
                   "usage: bench_cpu [--quick] [--only NAME ...] [--fast-math] [--regions | --checks | --polls] "
                   "[--list] [--json FILE]\n");
      return 2;
    }
  }
  return bench::main(args);
}
