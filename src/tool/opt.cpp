// vrir opt: run passes and print what becomes of the module.
#include "pipeline/pipeline.hpp"
#include "tool/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace vr::tool {

namespace {

struct OptOptions {
  std::string file;
  ir::Dialect dialect = ir::Dialect::Vrir;
  std::vector<std::string> passes, skip, print_after;
  bool list = false, verify = true, times = false;
};

int list_passes(Io& io) {
  for (const pipeline::PassInfo& p : pipeline::pass_table())
    io.out << fmt::format("{:<24} {}\n", p.name, p.description);
  return exit_ok;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

int unknown_pass(Io& io, const OptOptions& o) {
  for (const auto* list : {&o.passes, &o.skip, &o.print_after}) {
    for (const std::string& name : *list) {
      const auto& table = pipeline::pass_table();
      if (std::any_of(table.begin(), table.end(), [&](auto& p) { return p.name == name; })) continue;
      io.err << fmt::format("error: there is no pass '{}'; `vrir opt --list` names all\n", name);
      return exit_usage;
    }
  }
  return exit_ok;
}

int optimise(Io& io, const OptOptions& o) {
  if (o.list) return list_passes(io);
  if (o.file.empty()) {
    io.err << "error: FILE is required\n";
    return exit_usage;
  }
  if (int status = unknown_pass(io, o)) return status;
  auto tree = load_tree(io, o.file, o.dialect, true);
  if (!tree) return fail(io, tree.error());
  pipeline::PassOptions options;
  options.passes = o.passes;
  options.skip = o.skip;
  options.verify = o.verify;
  options.after = [&](const pipeline::PassInfo& p, const ir::Module& m) {
    if (contains(o.print_after, p.name)) io.out << fmt::format("; after {}\n{}", p.name, ir::print(m));
  };
  std::vector<pipeline::PassTime> times;
  auto result = pipeline::run_passes(tree->module, tree->conventions, options, &times);
  if (!result) return fail(io, result.error());
  if (o.times) {
    for (const auto& t : times)
      io.err << fmt::format("{:<24} {:8.3f} ms{}\n", t.name, t.ms, t.changed ? "" : " (unchanged)");
  }
  // With --print-after the stages asked for have been printed already.
  if (o.print_after.empty()) io.out << ir::print(**result);
  return exit_ok;
}

}  // namespace

Command add_opt(CLI::App& root) {
  auto o = std::make_shared<OptOptions>();
  CLI::App* app = root.add_subcommand("opt", "Run passes over a module and print the result");
  app->add_option("FILE", o->file, "a .vrir file");
  dialect_option(*app, o->dialect);
  auto names = [&](const char* flag, std::vector<std::string>& to, const char* help) {
    app->add_option(flag, to, help)->delimiter(',')->expected(1)->allow_extra_args(false)->option_text("PASS,...");
  };
  names("--passes", o->passes, "only these, in this order (default: all)");
  names("--skip", o->skip, "all but these");
  names("--print-after", o->print_after, "print the module after these passes instead of at the end");
  app->add_flag("--list", o->list, "list all passes in the order in which they run");
  app->add_flag("--verify,!--no-verify", o->verify, "verify after each pass (default)");
  app->add_flag("--times", o->times, "what each pass took, on stderr");
  return {app, [o](Io& io) { return optimise(io, *o); }};
}

}  // namespace vr::tool
