// vrir run: call one function of a file, on one or several targets.
#include "tool/run.hpp"

#include "tool/answers.hpp"
#include "tool/npy.hpp"
#include "tool/show.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include <limits>

namespace vr::tool {

namespace {

void print_times(Io& io, const Loaded& loaded, double load_ms, std::vector<double> run_ms) {
  const CompileInfo c = loaded.module.compile_info();
  io.out << fmt::format(
      "{}: compile {:.2f} ms (parse {:.2f}, verify {:.2f}, passes {:.2f}, lower {:.2f}, codegen {:.2f}, opencl "
      "{:.2f})\n",
      loaded.target, load_ms, c.parse_ms, c.verify_ms, c.passes_ms, c.lower_ms, c.codegen_ms, c.opencl_ms);
  std::sort(run_ms.begin(), run_ms.end());
  io.out << fmt::format("{}: run best {:.4f} ms, median {:.4f} ms over {}\n", loaded.target, run_ms.front(),
                        run_ms[run_ms.size() / 2], run_ms.size());
}

/// Prints the cost of compiling, one line per stage; for code from the disk cache only that it came from there.
void print_stats(Io& io, const Loaded& loaded) {
  const CompileInfo c = loaded.module.compile_info();
  auto line = [&](int depth, const std::string& name, double ms, const char* note = "") {
    io.err << fmt::format("{}: {:{}}{:<22} {:8.3f} ms{}\n", loaded.target, "", 2 * depth, name, ms, note);
  };
  line(0, "parse", c.parse_ms);
  line(0, "verify", c.verify_ms);
  if (c.from_cache) return line(0, "code from disk", c.codegen_ms);
  line(0, "passes", c.passes_ms);
  for (const CompileInfo::Pass& p : c.passes) line(1, p.name, p.ms, p.changed ? "" : " (unchanged)");
  line(0, "lower", c.lower_ms);
  line(0, "codegen", c.codegen_ms);
  line(1, "LLVM's passes", c.optimise_ms);
  line(0, "opencl", c.opencl_ms);
}

void print_results(Io& io, const std::vector<Value>& results, const RunOptions& o) {
  ShowOptions show_options;
  if (o.precision > 0) {
    show_options.precision = o.precision;
    show_options.round_scalars = true;
  }
  if (results.empty()) io.out << "no results\n";
  for (size_t k = 0; k < results.size(); ++k) {
    io.out << fmt::format("result {}: {}{}{}\n", k + 1, describe(results[k]), results[k].array() ? "\n" : " ",
                          show(results[k], show_options));
  }
}

/// Scalars become arrays without dimensions.
Result<std::string> npy_bytes(const Value& v) {
  if (v.array()) return write_npy(v.array());
  const ir::Type& t = v.type();
  vr_value raw = v.raw();
  const int64_t one = 1, stride = ir::elem_bytes(t.elem) * (t.complex ? 2 : 1);
  return write_npy(Array::borrow(&raw, t.elem, t.complex, {&one, 1}, {&stride, 1}), true);
}

int write_results(Io& io, const std::vector<Value>& results, const RunOptions& o) {
  const size_t at = o.out.find("%d");
  if (at == std::string::npos && results.size() > 1) {
    io.err << fmt::format("error: {} results: --out needs a %d for their numbers\n", results.size());
    return exit_usage;
  }
  // all results are converted to bytes first, so that no file is left if one of them cannot be written
  std::vector<std::string> files;
  for (const Value& v : results) {
    auto bytes = npy_bytes(v);
    if (!bytes) return fail(io, bytes.error());
    files.push_back(std::move(*bytes));
  }
  for (size_t k = 0; k < files.size(); ++k) {
    std::string name = o.out;
    if (at != std::string::npos) name.replace(at, 2, std::to_string(k + 1));
    auto written = write_file(io.resolve(name), files[k]);
    if (!written) return fail(io, written.error());
    io.out << fmt::format("result {}: {} written to {}\n", k + 1, describe(results[k]), name);
  }
  return exit_ok;
}

Result<std::vector<Value>> arguments(Io& io, const RunOptions& o, const ir::Type& type) {
  return o.case_spec.empty() ? parse_arguments(io, o.args, type, o.seed) : case_arguments(io, o.case_spec, type);
}

int run_one(Io& io, const RunOptions& o) {
  std::string function = o.function;
  if (!o.case_spec.empty() && function.empty()) {
    auto name = case_function(io, o.case_spec);
    if (!name) return fail(io, name.error());
    function = *name;
  }
  std::vector<Answer> answers;
  int status = exit_ok;
  for (const std::string& target : targets(o)) {
    const auto start = Clock::now();
    auto loaded = load_for(io, o, target);
    if (!loaded) return fail(io, loaded.error());
    auto f = find_function(*loaded, o, function);
    if (!f) return fail(io, f.error());
    const double load_ms = ms_since(start);
    if (answers.empty()) {
      for (const Diagnostic& d : loaded->module.remarks()) io.err << one_line(d) << '\n';
    }
    auto args = arguments(io, o, f->type());
    if (!args) return fail(io, args.error());

    if (o.report && o.report_compiled) print_report(io, *loaded);
    Answer answer = call_once(*loaded, *f, *args, nullptr);
    if (o.time && !answer.error) {
      std::vector<double> times(size_t(o.repeat), 0.0);
      for (double& ms : times)
        if (!io.interrupted()) call_once(*loaded, *f, *args, &ms);
      if (!io.interrupted()) print_times(io, *loaded, load_ms, std::move(times));
    }
    if (o.stats) print_stats(io, *loaded);
    if (o.report && !o.report_compiled) print_report(io, *loaded);
    if (io.interrupted()) return answer.error ? fail(io, *answer.error) : exit_interrupted;
    answers.push_back(std::move(answer));
    const std::string d = disagreement(answers.front(), answers.back(), o.rtol);
    if (!d.empty()) {
      io.err << fmt::format("error: {} disagrees with {}: {}\n", target, targets(o).front(), d);
      status = exit_bad;
    }
  }
  const Answer& first = answers.front();
  if (first.error) return fail(io, *first.error);
  if (o.out.empty()) {
    print_results(io, first.results, o);
    return status;
  }
  const int written = write_results(io, first.results, o);
  return status != exit_ok ? status : written;
}

}  // namespace

Result<Loaded> load_for(const Io& io, const RunOptions& o, const std::string& target_name) {
  auto target = parse_target(target_name);
  if (!target) return target.error();
  auto text = read_file(io, o.file);
  if (!text) return text.error();
  Options options;
  options.target = *target;
  options.opt_level = o.opt_level;
  options.force_checks = o.force_checks;
  options.debug_info = o.debug_info;
  options.tiered = o.tiered;
  options.regions = region_mode(o);
  options.region_versions = o.region_versions;
  options.compile_budget = o.compile_budget;
  options.parallel_threshold = o.parallel_threshold;
  options.threads = o.threads;
  options.device = o.device;
  options.devices = o.devices;
  options.skip_passes = o.skip;
  options.dialect = o.dialect;
  options.interp_step_limit = o.step_limit;
  options.interp_memory_limit = o.memory_limit;
  auto guard = o.guard ? std::make_shared<GuardHost>() : nullptr;
  HostBinding binding = guard ? guard->binding() : builtin_binding();
  binding.interrupt = io.interrupt;
  auto engine = Engine::create(options, binding);
  if (!engine) return engine.error();
  auto module = engine->load(*text, o.file);
  if (!module) return module.error();
  return Loaded{target_name, std::move(guard), std::move(*engine), std::move(*module)};
}

Result<std::vector<Value>> call(const Loaded& loaded, const Function& f, std::span<const Value> args) {
  if (!loaded.guard) return f.call(args);
  GuardHost::Answer answer = loaded.guard->call(f, args);
  if (answer.wrong.empty()) return std::move(answer.results);
  return make_error(Code::Host, "the guarding host: " + answer.wrong);
}

Result<Function> find_function(const Loaded& loaded, const RunOptions& o, const std::string& name) {
  const ir::Module& m = loaded.module.ir();
  std::string all;
  for (const auto& f : m.functions) all += fmt::format("{}{}", all.empty() ? "" : ", ", f->name);
  if (name.empty()) {
    if (m.functions.size() == 1) return loaded.module.function(m.functions[0]->name);
    return make_error(Code::NotFound, fmt::format("{}: error: --fn is needed; the functions are: {}", o.file, all));
  }
  if (!m.find(name)) {
    return make_error(Code::NotFound,
                      fmt::format("{}: error: there is no function '{}'; the functions are: {}", o.file, name, all));
  }
  return loaded.module.function(name);
}

void print_report(Io& io, const Loaded& loaded) {
  const auto lines = loaded.module.report();
  for (const std::string& line : lines) io.out << fmt::format("report {}: {}\n", loaded.target, line);
  if (lines.empty()) io.out << fmt::format("report {}: everything ran on the target\n", loaded.target);
  if (const int64_t n = loaded.engine.device_use().in_chunks; n > 0)
    io.out << fmt::format(
        "report {}: {} launch{} ran in parts, because their arrays are larger than the device's memory\n",
        loaded.target, n, n == 1 ? "" : "es");
  if (const int64_t n = loaded.engine.device_use().divided; n > 0)
    io.out << fmt::format("report {}: {} launch{} ran on several devices\n", loaded.target, n, n == 1 ? "" : "es");
  for (const RegionInfo& r : loaded.module.regions()) io.out << fmt::format("report {}: {}\n", loaded.target, r.text());
}

Command add_run(CLI::App& root) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* app = root.add_subcommand("run", "Call a function of a module");
  app->add_option("FILE", o->file, "a .vrir file")->required();
  app->add_option("--fn", o->function, "the function (optional if there is only one)")->option_text("NAME");
  auto* args =
      app->add_option("--args", o->args,
                      "numbers (3, 2.5, 1+2i, true), FILE.npy, or generated: rand:f64:100x200, also randn zeros "
                      "ones arange eye; element types " +
                          element_names() + "; ro: before an array makes it read-only")
          ->option_text("ARG ...");
  auto* one_case = app->add_option("--case", o->case_spec, "the arguments of case N (from 1) of a case file")
                       ->option_text("FILE.cases.json#N")
                       ->excludes(args);
  app->add_option("--cases", o->cases_file, "run all cases of the file and compare with its results")
      ->option_text("FILE.cases.json")
      ->excludes(args)
      ->excludes(one_case);
  dialect_option(*app, o->dialect);
  target_option(*app, o->on, true);
  app->add_option("-O", o->opt_level, "optimisation level 0..3 (default 2)")->check(CLI::Range(0, 3));
  app->add_option("--threads", o->threads, "threads for parallel loops (default: VR_NUM_THREADS, else all)")
      ->check(CLI::Range(1, 4096));
  app->add_option(
         "--parallel-threshold", o->parallel_threshold,
         "number of elementary operations from which an array expression is divided among threads (default: 200000)")
      ->check(CLI::Range(int64_t{1}, std::numeric_limits<int64_t>::max()));
  device_options(*app, o->device, o->devices);
  list_option(*app, "--skip", o->skip, "do not run these passes")->option_text("PASS,...");
  app->add_option("--host", o->guard,
                  "builtin (default), or guard: a host that checks how the engine uses its arrays and objects")
      ->take_last()
      ->transform(CLI::CheckedTransformer(std::map<std::string, bool>{{"builtin", false}, {"guard", true}}))
      ->option_text("builtin|guard");
  app->add_flag("--tiered", o->tiered, "run unoptimised code until the optimised code has been compiled");
  app->add_option(
         "--regions", o->regions,
         "specialised versions of regions for the arguments of calls, compiled in the background (default with --time "
         "and --cases) or before the call goes on (sync)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, RegionMode>{
          {"off", RegionMode::Off}, {"background", RegionMode::Background}, {"sync", RegionMode::Sync}}))
      ->option_text("off|background|sync");
  app->add_option("--compile-budget", o->compile_budget,
                  "milliseconds of compile time after which the rest of the module is compiled with less optimisation "
                  "(default 5000; 0: no limit)")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--region-versions", o->region_versions, "number of versions stored for a region (default 5)")
      ->check(CLI::PositiveNumber);
  app->add_flag("--force-checks", o->force_checks, "turn on every bounds check, also where the program turns it off");
  app->add_flag("-g", o->debug_info, "line tables for debuggers and profilers");
  app->add_option("--step-limit", o->step_limit, "interpreter: stop after this number of statements")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--memory-limit", o->memory_limit,
                  "interpreter: stop when arrays take more than this number of bytes")
      ->check(CLI::NonNegativeNumber);
  app->add_flag("--time", o->time, "print the compile time, and the best and the median run time");
  app->add_option("--repeat", o->repeat, "runs for --time (default 10)")->check(CLI::Range(1, 1000000));
  app->add_flag("--stats", o->stats, "print the time of each stage and pass of the compilation on stderr");
  app->add_flag("--report", o->report, "print what did not run on the target or in parallel, and why");
  app->add_flag("--report-compiled", o->report_compiled,
                "with --report: only what the compiler left to the CPU, not what the device refused during the call");
  app->add_option("--out", o->out, "write the results as .npy instead of printing; %d is the result's number")
      ->option_text("result%d.npy");
  app->add_option("--seed", o->seed, "for rand and randn (default 0)");
  app->add_option("--precision", o->precision, "significant digits to print")->check(CLI::Range(1, 17));
  app->add_option("--rtol", o->rtol, "relative tolerance of comparisons (default 1e-12 for double, 1e-5 for single)")
      ->check(CLI::PositiveNumber);
  return {app, [o](Io& io) { return o->cases_file.empty() ? run_one(io, *o) : run_cases(io, *o); }};
}

}  // namespace vr::tool
