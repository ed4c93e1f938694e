// vrir bench: times a function on several targets, after their results were compared.
#include "tool/answers.hpp"
#include "tool/terminal.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace vr::tool {

namespace {

struct BenchOptions {
  RunOptions run;
  int64_t size = 256;
};

/// The abbreviation of an element type in arguments: f64, c128.
std::string abbreviation(const ir::Type& t) {
  for (const ir::ElemInfo& e : ir::elem_table)
    if (e.elem == t.elem) return t.complex ? fmt::format("c{}", 16 * e.bytes) : std::string(e.abbreviation);
  return "";
}

/// Arguments for parameters of these types, as text: random arrays with `size` elements along each axis; 10 for
/// integers, 0.5 for floating-point numbers, true for bool. USAGE: a parameter has another type.
Result<std::vector<std::string>> generated(const ir::Type& function, int64_t size) {
  std::vector<std::string> out;
  for (const ir::Type& t : function.components()) {
    if (t.is_array())
      out.push_back(
          fmt::format("rand:{}:{}", abbreviation(t), fmt::join(std::vector<int64_t>(size_t(t.rank), size), "x")));
    else if (t.is_scalar())
      out.push_back(t.elem == Elem::Bool ? "true" : ir::is_float(t.elem) ? "0.5" : "10");
    else
      return make_error(Code::Usage, fmt::format("no argument can be generated for parameter {} of type {}",
                                                 out.size() + 1, t.text()));
  }
  return out;
}

struct Candidate {
  Loaded loaded;
  Function function;
  double load_ms = 0, first_ms = 0;
  std::vector<double> run_ms;
};

std::string row(const Candidate& c, double reference) {
  const double median = c.run_ms[c.run_ms.size() / 2];
  return fmt::format("{:<8} {:>11.2f} {:>11.3f} {:>11.4f} {:>11.4f} {:>9.2f}\n", c.loaded.target, c.load_ms, c.first_ms,
                     c.run_ms.front(), median, reference / median);
}

int bench(Io& io, const BenchOptions& o) {
  std::vector<std::unique_ptr<Candidate>> candidates;
  std::vector<Value> args;
  std::optional<Answer> first;
  for (const std::string& target : o.run.on.empty() ? std::vector<std::string>{"cpu", "cpu-par"} : o.run.on) {
    const auto start = Clock::now();
    auto loaded = load_for(io, o.run, target);
    if (!loaded) return fail(io, loaded.error());
    auto f = find_function(*loaded, o.run, o.run.function);
    if (!f) return fail(io, f.error());
    candidates.push_back(std::make_unique<Candidate>(Candidate{std::move(*loaded), std::move(*f), ms_since(start)}));
    Candidate& c = *candidates.back();
    if (!first) {
      std::vector<std::string> texts = o.run.args;
      if (texts.empty()) {
        auto made = generated(c.function.type(), o.size);
        if (!made) return fail(io, made.error());
        texts = std::move(*made);
      }
      auto values = parse_arguments(io, texts, c.function.type(), o.run.seed);
      if (!values) return fail(io, values.error());
      args = std::move(*values);
      io.out << fmt::format("{} {}\n", c.function.name(), fmt::join(texts, " "));
    }
    Answer answer = call_once(c.loaded, c.function, args, &c.first_ms);
    if (io.interrupted()) return exit_interrupted;
    if (answer.error) {
      io.err << "error: the function cannot be timed with these arguments; choose others with --args:\n";
      return fail(io, *answer.error);
    }
    if (!first)
      first = std::move(answer);
    else if (std::string d = disagreement(*first, answer, o.run.rtol); !d.empty())
      return fail(io, fmt::format("{} disagrees with {}: {}", target, candidates.front()->loaded.target, d));
    c.loaded.module.wait();
  }
  // The targets are timed alternately, so that a machine that becomes slower for a while affects all of them.
  Progress progress(io, static_cast<size_t>(o.run.repeat) * candidates.size());
  for (int k = 0; k < o.run.repeat; ++k)
    for (auto& c : candidates) {
      progress.step(c->loaded.target);
      double ms = 0;
      const Answer answer = call_once(c->loaded, c->function, args, &ms);
      if (io.interrupted()) return exit_interrupted;
      if (answer.error) return fail(io, *answer.error);
      c->run_ms.push_back(ms);
    }
  progress.clear();
  io.out << fmt::format("{:<8} {:>11} {:>11} {:>11} {:>11} {:>9}\n", "target", "compile ms", "first ms", "best ms",
                        "median ms", "speed");
  for (auto& c : candidates) std::sort(c->run_ms.begin(), c->run_ms.end());
  const double reference = candidates.front()->run_ms[candidates.front()->run_ms.size() / 2];
  for (auto& c : candidates) io.out << row(*c, reference);
  for (auto& c : candidates)
    for (const std::string& line : c->loaded.module.report())
      io.out << fmt::format("report {}: {}\n", c->loaded.target, line);
  return exit_ok;
}

}  // namespace

Command add_bench(CLI::App& root) {
  auto o = std::make_shared<BenchOptions>();
  CLI::App* app = root.add_subcommand(
      "bench",
      "Time a function on several targets, after comparing their results (speed: median of the first target / median)");
  app->add_option("FILE", o->run.file, "a .vrir file")->required();
  app->add_option("--fn", o->run.function, "the function (optional if there is only one)")->option_text("NAME");
  auto* args = app->add_option("--args", o->run.args,
                               "as for `vrir run`; default: random arrays, 10 for integers, 0.5 for floating-point "
                               "numbers")
                   ->option_text("ARG ...");
  app->add_option("--size", o->size, "elements along each axis of the arrays that are generated (default 256)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 32))
      ->excludes(args);
  dialect_option(*app, o->run.dialect);
  target_option(*app, o->run.on, true);
  app->add_option("-O", o->run.opt_level, "optimisation level 0..3 (default 2)")->check(CLI::Range(0, 3));
  app->add_option("--threads", o->run.threads, "threads for parallel loops (default: VR_NUM_THREADS, else all)")
      ->check(CLI::Range(1, 4096));
  device_options(*app, o->run.device, o->run.devices);
  app->add_option("--repeat", o->run.repeat, "timed calls on each target (default 10)")->check(CLI::Range(1, 1000000));
  app->add_option("--seed", o->run.seed, "for rand and randn (default 0)");
  app->add_option("--rtol", o->run.rtol,
                  "relative tolerance of comparisons (default 1e-12 for double, 1e-5 for single)")
      ->check(CLI::PositiveNumber);
  return {app, [o](Io& io) { return bench(io, *o); }};
}

}  // namespace vr::tool
