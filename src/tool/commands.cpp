#include "tool/commands.hpp"

#include "analysis/integer_programs.hpp"
#include "pipeline/pipeline.hpp"
#include "support/file_cache.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"
#include "tool/cli_table.hpp"

#include <velociraptor/ir/verify.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace vr::tool {

namespace {
const std::map<std::string, ir::Dialect> dialects{{"vrir", ir::Dialect::Vrir}, {"mclab", ir::Dialect::Mclab}};

/// CLI11 takes `-.5` for an option; a leading zero avoids that. (`-inf` is written `--args=-inf`.)
std::string shield(const std::string& arg) {
  if (arg.size() > 2 && arg[0] == '-' && arg[1] == '.' && arg[2] >= '0' && arg[2] <= '9') return "-0" + arg.substr(1);
  return arg;
}
}  // namespace

void dialect_option(CLI::App& app, ir::Dialect& dialect) {
  app.add_option("--dialect", dialect, "vrir (default) or mclab, what McLab's backend writes")
      ->transform(CLI::CheckedTransformer(dialects))
      ->option_text("vrir|mclab");
}

CLI::Option* list_option(CLI::App& app, const char* flag, std::vector<std::string>& to, const char* help) {
  auto split = [&to](const std::string& text) {
    std::stringstream s(text);
    for (std::string name; std::getline(s, name, ',');) to.push_back(name);
  };
  return app.add_option_function<std::string>(flag, split, help)->trigger_on_parse();
}

void device_options(CLI::App& app, std::string& device, std::string& devices) {
  CLI::Option* const one =
      app.add_option("--device", device,
                     "part of the OpenCL device's name, or opencl:N or cuda:N for a number of `vrir "
                     "device` (default: VR_DEVICE, else the first GPU)");
  app.add_option("--devices", devices,
                 "devices that work together on each section: such names, separated by commas, or `all` (default: "
                 "VR_DEVICES, else one)")
      ->excludes(one);
}

void target_option(CLI::App& app, std::vector<std::string>& names, bool many) {
  auto* o = app.add_option("--on", names, many ? "where to run; with several, all results must agree" : "target")
                ->delimiter(',')
                ->option_text("interp|cpu|cpu-par|opencl")
                ->check(CLI::IsMember({"interp", "cpu", "cpu-par", "opencl"}));
  o->expected(1, many ? 4 : 1);
  o->allow_extra_args(false);
}

Result<Target> parse_target(const std::string& name) {
  if (name == "interp") return Target::Interp;
  if (name == "cpu") return Target::Cpu;
  if (name == "cpu-par") return Target::CpuParallel;
  if (name == "opencl") return Target::OpenCL;
  return make_error(Code::Usage, fmt::format("'{}' is no target; use interp, cpu, cpu-par or opencl", name));
}

Result<Tree> load_tree(const Io& io, const std::string& file, ir::Dialect dialect, bool verified) {
  auto text = read_file(io, file);
  if (!text) return text.error();
  ir::ParseOptions options;
  options.dialect = dialect;
  options.file = file;
  auto module = ir::parse(*text, options);
  if (!module) return module.error();
  Tree tree{*module, {}, {}};
  if (verified) {
    if (dialect == ir::Dialect::Mclab) {
      auto strict = ir::from_mclab(*tree.module, &tree.remarks);
      if (!strict) return strict.error();
      tree.module = *strict;
    }
    auto faults = ir::verify(*tree.module);
    if (!faults.empty()) return Error{Code::Verify, "", std::move(faults), {}};
  }
  tree.conventions =
      tree.module->attrs.resolve(dialect == ir::Dialect::Mclab ? ir::Conventions::matlab() : ir::Conventions::numpy());
  return tree;
}

namespace {
/// Errors in environment variables, as one line; empty if there are none.
std::string wrong_settings() {
  std::vector<std::string> faults = settings::faults(pipeline::pass_names());
  if (std::string why = FileCache::why_unusable(); !why.empty()) faults.push_back(std::move(why));
  return fmt::format("{}", fmt::join(faults, "; "));
}
}  // namespace

int run_tool(const std::vector<std::string>& args, Io& io) {
  trace::start();
  CLI::App app{"Velociraptor: run, check and look into VRIR programs", "vrir"};
  app.require_subcommand(1);
  app.set_version_flag("--version", [] { return "vrir " VR_VERSION "\nsolver: " + analysis::solver_text(); });
  const Command commands[] = {add_run(app),      add_cat(app),     add_verify(app),    add_emit(app),  add_opt(app),
                              add_test(app),     add_explain(app), add_bench(app),     add_build(app), add_device(app),
                              add_settings(app), add_doctor(app),  add_completion(app)};
  if (!args.empty() && !args[0].starts_with("-")) {
    const auto table = cli_table(app);
    if (std::none_of(table.begin(), table.end(), [&](const CommandRow& c) { return c.name == args[0]; })) {
      const std::string nearest = nearest_command(table, args[0]);
      io.err << fmt::format("error: unknown command '{}'{}; `vrir --help` lists the commands\n", args[0],
                            nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest));
      return exit_usage;
    }
  }
  std::vector<std::string> reversed;  // CLI11 expects its arguments in reverse order
  for (auto a = args.rbegin(); a != args.rend(); ++a) reversed.push_back(shield(*a));
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    return app.exit(e, io.out, io.err) == 0 ? exit_ok : exit_usage;
  }
  for (const Command& c : commands) {
    if (!c.app->parsed()) continue;
    if (std::string wrong = c.any_settings ? "" : wrong_settings(); !wrong.empty()) {
      io.err << "error: " << wrong << '\n';
      return exit_usage;
    }
    return c.run(io);
  }
  return exit_usage;
}

}  // namespace vr::tool
