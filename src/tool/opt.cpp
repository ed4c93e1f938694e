// vrir opt: run passes and print the resulting module, or print the result of an analysis.
#include "loop/verify/check.hpp"
#include "lower/lower.hpp"
#include "loop/text/parse.hpp"
#include "pipeline/loops.hpp"
#include "tool/commands.hpp"
#include "transform/specialise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace vr::tool {

namespace {

struct OptOptions {
  std::string file;
  ir::Dialect dialect = ir::Dialect::Vrir;
  std::vector<std::string> passes, skip, print_after, analyses, facts, functions;
  std::string function;
  bool specialise = false;
  std::vector<std::string> on;
  bool list = false, regions = false, verify = true, stats = false, loops = false, lanes = false;
  int64_t tiles = 0, local_bytes = 0;
};

int list_passes(Io& io) {
  for (const pipeline::PassInfo& p : pipeline::pass_table())
    io.out << fmt::format("{:<24} {}\n", p.name, p.description);
  io.out << "loop transformations (--loops):\n";
  for (const pipeline::LoopPass& p : pipeline::loop_table())
    io.out << fmt::format("{:<24} {}\n", p.name, p.description);
  io.out << "analyses (--print-analysis):\n";
  for (const pipeline::AnalysisInfo& a : pipeline::analysis_table())
    io.out << fmt::format("{:<24} {}\n", a.name, a.description);
  return exit_ok;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string name_of(const std::string& name) { return name; }
std::string name_of(const auto& row) { return row.name; }

template <class Table>
int unknown_name(Io& io, const char* what, const std::vector<std::string>& names, const Table& table) {
  for (const std::string& name : names) {
    if (std::any_of(table.begin(), table.end(), [&](const auto& p) { return name_of(p) == name; })) continue;
    io.err << fmt::format("error: there is no {} '{}'; `vrir opt --list` names all\n", what, name);
    return exit_usage;
  }
  return exit_ok;
}

void print_analyses(Io& io, const OptOptions& o, const ir::Module& m, const ir::Conventions& c,
                    const ir::Function* special, const analysis::RegionFacts& facts) {
  for (const pipeline::AnalysisInfo& a : pipeline::analysis_table()) {
    if (!contains(o.analyses, a.name)) continue;
    for (const ir::FunctionPtr& f : m.functions) {
      const std::string text = a.text_with_facts
                                   ? a.text_with_facts(*f, m, c, f.get() == special ? facts : analysis::RegionFacts{})
                                   : a.text(*f, m, c);
      io.out << fmt::format("{} of {}\n{}", a.name, f->name, text);
    }
  }
}

bool is_loop_pass(const std::string& name) {
  const auto& table = pipeline::loop_table();
  return std::any_of(table.begin(), table.end(), [&](const auto& p) { return p.name == name; });
}

void print_times(Io& io, const std::vector<pipeline::PassTime>& times) {
  for (const auto& t : times)
    io.err << fmt::format("{:<24} {:8.3f} ms{}\n", t.name, t.ms, t.changed ? "" : " (unchanged)");
}

/// Runs loop transformations and prints the loop form; runs linearise, which ends the loop form, only if it is named.
int print_loop_form(Io& io, const OptOptions& o, lower::Module& m, const lower::PassOptions& options, bool as_it_is) {
  pipeline::LoopRun run;
  for (const std::string& name : o.passes)
    if (is_loop_pass(name)) run.passes.push_back(name);
  run.skip = o.skip;
  run.linear = false;
  run.verify = o.verify;
  run.after = [&](const pipeline::LoopPass& p, const lower::Module& after) {
    if (contains(o.print_after, p.name)) io.out << fmt::format("; after {}\n{}", p.name, lower::print_loops(after));
  };
  std::vector<pipeline::PassTime> times;
  if (!as_it_is || !run.passes.empty())
    if (Status ran = pipeline::run_loop_passes(m, options, run, &times); !ran) return fail(io, ran.error());
  if (o.stats) print_times(io, times);
  if (!o.print_after.empty()) return exit_ok;
  if (o.functions.empty()) io.out << lower::print_loops(m);
  for (const std::string& name : o.functions) {
    const auto f = std::find_if(m.functions.begin(), m.functions.end(), [&](const auto& f) { return f->name == name; });
    if (f == m.functions.end()) return fail(io, fmt::format("the loop form has no function '{}'", name));
    io.out << lower::print_loops(**f, m);
  }
  return exit_ok;
}

Result<lower::LowerOptions> lower_options(const OptOptions& o) {
  auto target = parse_target(o.on.empty() ? "cpu" : o.on[0]);
  if (!target) return target.error();
  lower::LowerOptions options;
  options.parallel = *target == Target::CpuParallel || *target == Target::OpenCL;
  options.kernels = options.device = *target == Target::OpenCL;
  options.lanes = o.lanes;
  options.tiles = o.tiles;
  options.local_bytes = o.local_bytes;
  return options;
}

/// Reads and verifies a file in the loop form and runs the named transformations.
int read_loop_form(Io& io, const OptOptions& o) {
  auto text = read_file(io, o.file);
  if (!text) return fail(io, text.error());
  auto m = lower::parse_loops(*text, o.file);
  if (!m) return fail(io, m.error());
  if (std::string wrong = lower::check(**m, lower::Level::Loops); !wrong.empty()) return fail(io, wrong);
  auto options = lower_options(o);
  if (!options) return fail(io, options.error());
  return print_loop_form(io, o, **m, *options, true);
}

int optimise(Io& io, const OptOptions& o) {
  if (o.list) return list_passes(io);
  if (o.file.empty()) {
    io.err << "error: FILE is required\n";
    return exit_usage;
  }
  for (const auto* list : {&o.passes, &o.skip, &o.print_after}) {
    if (int status = unknown_name(io, "pass", *list, pipeline::pass_names())) return status;
    for (const std::string& name : *list)
      if (!o.loops && is_loop_pass(name)) {
        io.err << fmt::format("error: '{}' transforms loops; it needs --loops\n", name);
        return exit_usage;
      }
  }
  if (!o.functions.empty() && !o.loops) {
    io.err << "error: --print-function needs --loops\n";
    return exit_usage;
  }
  if (int status = unknown_name(io, "analysis", o.analyses, pipeline::analysis_table())) return status;
  if (o.loops && std::string_view(o.file).ends_with(".loops")) return read_loop_form(io, o);
  auto tree = load_tree(io, o.file, o.dialect, true);
  if (!tree) return fail(io, tree.error());
  pipeline::PassOptions options;
  for (const std::string& name : o.passes)
    if (!is_loop_pass(name)) options.passes.push_back(name);
  options.skip = o.skip;
  options.regions = o.regions;
  options.verify = o.verify;
  options.after = [&](const pipeline::PassInfo& p, const ir::Module& m) {
    if (contains(o.print_after, p.name)) io.out << fmt::format("; after {}\n{}", p.name, ir::print(m));
  };
  std::vector<pipeline::PassTime> times;
  Result<ir::ModulePtr> result = tree->module;
  // An analysis, or a specialised version, is that of the module as written, unless passes are named.
  if (o.passes.empty() ? o.analyses.empty() && !o.specialise : !options.passes.empty())
    result = pipeline::run_passes(tree->module, tree->conventions, options, &times);
  if (!result) return fail(io, result.error());
  if (o.stats) print_times(io, times);
  const ir::Module& m = **result;
  analysis::RegionFacts facts;
  const ir::Function* special =
      o.function.empty() ? m.functions.empty() ? nullptr : m.functions[0].get() : m.find(o.function);
  if (!o.facts.empty() || !o.function.empty()) {
    if (!special) return fail(io, fmt::format("the module has no function '{}'", o.function));
    auto parsed = analysis::parse_region_facts(fmt::format("{}", fmt::join(o.facts, " ")), *special);
    if (!parsed) return fail(io, parsed.error());
    facts = std::move(*parsed);
  }
  if (o.specialise && special) {
    transform::SpecialiseStatistics statistics;
    auto made = std::make_shared<ir::Module>(m);
    for (ir::FunctionPtr& f : made->functions)
      if (f.get() == special) f = transform::specialise(f, m, tree->conventions, facts, &statistics);
    if (o.stats) io.err << statistics.text();
    result = ir::ModulePtr(std::move(made));
  }
  if (o.loops) {
    auto lowering = lower_options(o);
    if (!lowering) return fail(io, lowering.error());
    auto low = lower::lower(**result, tree->conventions, *lowering);
    if (!low) return fail(io, low.error());
    return print_loop_form(io, o, **low, *lowering, false);
  }
  print_analyses(io, o, **result, tree->conventions, special, facts);
  if (!o.analyses.empty()) return exit_ok;
  // With --print-after the requested stages have been printed already.
  if (o.print_after.empty()) io.out << ir::print(**result);
  return exit_ok;
}

}  // namespace

Command add_opt(CLI::App& root) {
  auto o = std::make_shared<OptOptions>();
  CLI::App* app = root.add_subcommand("opt", "Run passes over a module and print the result");
  app->add_option("FILE", o->file, "a .vrir file");
  dialect_option(*app, o->dialect);
  list_option(*app, "--passes", o->passes, "only these, in this order (default: all)")->option_text("PASS,...");
  list_option(*app, "--skip", o->skip, "all but these")->option_text("PASS,...");
  list_option(*app, "--print-after", o->print_after, "print the module after these passes instead of at the end")
      ->option_text("PASS,...");
  list_option(
      *app, "--print-analysis", o->analyses,
      "print the results of these analyses for each function of the unchanged module (with --passes: after those)")
      ->option_text("ANALYSIS,...");
  app->add_option("--facts", o->facts, "facts about an argument: m=100, A=[2,3], p=[2]{4,5}; may be repeated")
      ->option_text("NAME=FACT")
      ->allow_extra_args(false);
  app->add_option("--fn", o->function, "the function to which --facts applies (default: the first)");
  app->add_flag(
      "--specialise", o->specialise,
      "specialise that function for these facts (with --passes: after those; with --stats: print what was found)");
  app->add_flag("--regions", o->regions, "also run outline_regions, which otherwise runs only when --passes names it");
  app->add_flag("--loops", o->loops,
                "print the loop form that the result is lowered to (--on says for which target); a FILE.loops is in "
                "that form already");
  list_option(*app, "--print-function", o->functions, "--loops: print only these functions of the loop form")
      ->option_text("NAME,...");
  target_option(*app, o->on, false);
  app->add_flag("--lanes", o->lanes, "--loops for devices that should load several elements at once (GPUs)");
  app->add_option("--tiles", o->tiles,
                  "--loops with several iterations per work-item, where at least this many work-items remain");
  app->add_option("--local", o->local_bytes, "--loops with rows of arrays in this number of bytes of local memory");
  app->add_flag("--list", o->list, "list all passes in the order in which they run, and all analyses");
  app->add_flag("--verify,!--no-verify", o->verify, "verify after each pass (default)");
  app->add_flag("--stats", o->stats, "print the time of each pass, and whether it changed anything, on stderr");
  return {app, [o](Io& io) { return optimise(io, *o); }};
}

}  // namespace vr::tool
