// vrsmith: compares random VRIR programs on the interpreter and as native code.
#include "batches.hpp"
#include "coverage.hpp"
#include "reduce.hpp"

#include <velociraptor/ir/text.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

using namespace vr;
using namespace vr::smith;

namespace {

void print_counts(const char* title, const std::map<std::string, int64_t>& counts, size_t most = 40) {
  if (counts.empty()) return;
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [text, n] : counts) sorted.push_back({n, text});
  std::sort(sorted.rbegin(), sorted.rend());
  fmt::print("{}:\n", title);
  for (size_t k = 0; k < sorted.size() && k < most; ++k) fmt::print("  {:6}  {}\n", sorted[k].first, sorted[k].second);
}

void print_known() {
#define VR_KNOWN(Name, text) fmt::print("left out as known to disagree (--all generates it): {}: {}\n", #Name, text);
#include "known.def"
}

int show(uint64_t seed, const GeneratorOptions& g) {
  std::vector<Diagnostic> faults;
  Program p = generate(seed, g, &faults);
  fmt::print("{}\n{}", ir::print(*p.module), describe_inputs(p.inputs));
  for (const Diagnostic& d : faults) fmt::print("{}\n", d.text());
  return faults.empty() ? 0 : 1;
}

int coverage(const RunOptions& o) {
  Coverage c;
  for (int64_t k = 0; k < static_cast<int64_t>(o.count); ++k) {
    std::vector<Diagnostic> faults;
    c.add(*generate(o.seed + static_cast<uint64_t>(k), o.generator, &faults).module);
  }
  return c.print() > 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random VRIR programs: native code is compared with the interpreter"};
  RunOptions o;
  std::string targets, keep;
  std::optional<uint64_t> reduce_seed, show_seed;
  bool all = false, in_process = false, covers = false;
  app.add_option("--seed", o.seed, "the first program's seed (default 1)");
  app.add_option("--count", o.count, "how many programs (default 1000)");
  app.add_option("--time", o.seconds, "stop after so many seconds");
  app.add_option("--targets", targets,
                 "comma-separated: cpu-O0, cpu-par-O2x8, opencl-O1, guard:cpu-O0, specialise:cpu-O2, regions:cpu-O2, "
                 "pass:simplify ...; default: chosen by the seed");
  app.add_flag("--guard", o.guard, "the targets chosen by the seed run on the guarding host");
  app.add_flag("--regions", o.regions, "the targets chosen by the seed make versions of regions for the arguments");
  app.add_flag("--passes", o.passes,
               "the interpreter after each pass, and after all; native code after one of the loop transformations alone");
  app.add_option("--gpu-share", o.generator.gpu_share, "percent of programs with accelerated sections (default 10)");
  app.add_option("--keep", keep, "write mismatching programs to this folder");
  app.add_option("--max-reports", o.max_reports, "stop after so many mismatches (default 50)");
  app.add_flag("--in-process", in_process, "no child processes: for a debugger");
  bool isolate = true;
  app.add_flag("--isolate", isolate, "each batch in a child process (the default)");
  app.add_flag("--all", all, "also what is known to disagree (known.def)");
  app.add_option("--reduce", reduce_seed, "make the mismatch of this seed small and print it as a file test");
  app.add_flag("--coverage", covers,
               "run nothing: count what the programs are made of; exit 1 when something never occurs");
  app.add_option("--show", show_seed, "print the program of this seed");
  CLI11_PARSE(app, argc, argv);
  o.isolate = !in_process;
  if (all) allow_all();
  for (size_t at = 0; at < targets.size();) {
    const size_t comma = std::min(targets.find(',', at), targets.size());
    const std::string text = targets.substr(at, comma - at);
    TargetSpec spec;
    if (parse_target(text, &spec)) {
      o.targets.push_back(spec);
    } else if (text != "interp") {
      fmt::print(stderr, "error: '{}' is no target\n", text);
      return 2;
    }
    at = comma + 1;
  }
  if (covers) return coverage(o);
  if (show_seed) return show(*show_seed, o.generator);
  if (reduce_seed) return reduce_program(*reduce_seed, o);
  if (!keep.empty()) mkdir(keep.c_str(), 0777);

  const auto start = std::chrono::steady_clock::now();
  const Summary s = run_programs(o, [&](uint64_t seed, const std::string& target, const std::string& text) {
    fmt::print("MISMATCH seed {} on {}: {}\n", seed, target, text);
    std::fflush(stdout);
    if (keep.empty()) return;
    std::vector<Diagnostic> faults;
    Program p = generate(seed, o.generator, &faults);
    std::ofstream(fmt::format("{}/{}.vrir", keep, seed))
        << ir::print(*p.module) << "\n; " << target << ": " << text << "\n";
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage used;
  getrusage(o.isolate ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
  const double cpu = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  print_counts("native code refused", s.unsupported);
  print_counts("skipped", s.skips, 10);
  print_counts("rejected by the verifier (generator bugs)", s.rejections, 20);
  if (!all) print_known();
  fmt::print(
      "{} programs in {:.1f} s ({:.1f} per second of CPU time): {} runs compared, {} end with an error, {} with "
      "accelerated "
      "sections, {} skipped, "
      "{} rejected, {} mismatches\n",
      s.programs, seconds, static_cast<double>(s.programs) / cpu, s.native_runs, s.faults, s.sections, s.skipped,
      s.rejected, s.mismatches);
  return s.mismatches > 0 || s.rejected * 20 > s.programs ? 1 : 0;
}
