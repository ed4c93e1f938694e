// vrir emit: the code generated for a module, at the requested stage.
#include "codegen/opencl/emit.hpp"
#include "loop/text/parse.hpp"
#include "loop/verify/check.hpp"
#include "lower/lower.hpp"
#include "pipeline/loops.hpp"
#include "pipeline/pipeline.hpp"
#include "tool/accesses.hpp"
#include "tool/commands.hpp"

#include <memory>

namespace vr::tool {

namespace {

struct EmitOptions {
  std::string file;
  ir::Dialect dialect = ir::Dialect::Vrir;
  bool llvm = false, assembly = false, opencl = false, lowered = false, accesses = false;
  std::vector<std::string> given;
  std::vector<std::string> on;
  int opt_level = 2;
  bool force_checks = false;
  bool lanes = false;
  int64_t tiles = 0, local_bytes = 0;
  bool debug_info = false, regions = false;
};

/// LLVM IR and assembly come from the engine, which compiles the module as `vrir run` would.
int emit_native(Io& io, const EmitOptions& o, Target target) {
  Options options;
  options.target = target;
  options.opt_level = o.opt_level;
  options.dialect = o.dialect;
  options.force_checks = o.force_checks;
  options.debug_info = o.debug_info;
  if (o.regions) options.regions = RegionMode::Sync;
  auto text = read_file(io, o.file);
  if (!text) return fail(io, text.error());
  auto engine = Engine::create(options);
  if (!engine) return fail(io, engine.error());
  auto module = engine->load(*text, o.file);
  if (!module) return fail(io, module.error());
  auto dump = module->dump(o.llvm ? Module::Dump::LlvmIr : Module::Dump::Assembly);
  if (!dump) return fail(io, dump.error());
  io.out << *dump;
  return exit_ok;
}

int print_accesses(Io& io, const EmitOptions& o, const lower::Module& m) {
  auto text = show_accesses(m, o.given);
  if (!text) return fail(io, text.error());
  if (text->empty()) return fail(io, o.file + ": error: no accelerated section of this module became a kernel");
  io.out << *text;
  return exit_ok;
}

/// The kernels of a file in the loop form, unchanged.
int emit_accesses_of_loops(Io& io, const EmitOptions& o) {
  auto text = read_file(io, o.file);
  if (!text) return fail(io, text.error());
  auto m = lower::parse_loops(*text, o.file);
  if (!m) return fail(io, m.error());
  if (std::string wrong = lower::check(**m, lower::Level::Loops); !wrong.empty()) return fail(io, wrong);
  return print_accesses(io, o, **m);
}

/// The lowered form, OpenCL C and accesses need no device.
int emit_lowered(Io& io, const EmitOptions& o, Target target) {
  auto tree = load_tree(io, o.file, o.dialect, true);
  if (!tree) return fail(io, tree.error());
  pipeline::PassOptions passes;
  passes.regions = o.regions;
  auto module = pipeline::run_passes(tree->module, tree->conventions, passes);
  if (!module) return fail(io, module.error());
  lower::LowerOptions options;
  options.parallel = target == Target::CpuParallel || target == Target::OpenCL;
  options.kernels = options.device = target == Target::OpenCL;
  options.lanes = o.lanes;
  options.tiles = o.tiles;
  options.local_bytes = o.local_bytes;
  options.force_checks = o.force_checks;
  auto lowered = pipeline::lower_and_run(**module, tree->conventions, options);
  if (!lowered) return fail(io, lowered.error());
  for (const std::string& line : (*lowered)->report) io.err << "report: " << line << '\n';
  if (o.lowered) {
    io.out << lower::print(**lowered);
    return exit_ok;
  }
  if (o.accesses) return print_accesses(io, o, **lowered);
  auto source = codegen::opencl::emit(**lowered);
  if (!source) return fail(io, source.error());
  if (source->empty()) return fail(io, o.file + ": error: no accelerated section of this module became a kernel");
  io.out << *source;
  return exit_ok;
}

}  // namespace

Command add_emit(CLI::App& root) {
  auto o = std::make_shared<EmitOptions>();
  CLI::App* app = root.add_subcommand("emit", "Print the code generated from a module");
  app->add_option("FILE", o->file, "a .vrir file")->required();
  auto* what = app->add_option_group("what");
  what->add_flag("--llvm", o->llvm, "optimised LLVM IR");
  what->add_flag("--asm", o->assembly, "machine code as assembly");
  what->add_flag("--opencl", o->opencl, "OpenCL C of the accelerated sections");
  what->add_flag("--lowered", o->lowered, "the lowered form, the input of both backends");
  what->add_flag("--accesses", o->accesses, "the array elements that kernels access; FILE may be a .loops file");
  what->require_option(1);
  dialect_option(*app, o->dialect);
  target_option(*app, o->on, false);
  app->add_option("-O", o->opt_level, "optimisation level 0..3")->check(CLI::Range(0, 3));
  app->add_flag("-g", o->debug_info, "line tables for debuggers (--llvm, --asm)");
  app->add_flag("--regions", o->regions, "put each region into its own function, which is not specialised");
  app->add_flag("--lanes", o->lanes, "--opencl for devices that should load several elements at once (GPUs)");
  app->add_option("--tiles", o->tiles,
                  "--opencl with several iterations per work-item, where at least this many work-items remain");
  app->add_option("--local", o->local_bytes, "--opencl with rows of arrays in this number of bytes of local memory");
  app->add_option("--given", o->given, "--accesses with regions: NAME=NUMBER, NAME=[EXTENTS] or NAME=[EXTENTS]by[STRIDES], ...")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app->add_flag("--force-checks", o->force_checks, "turn on every bounds check, also where the program turns it off");
  return {app, [o](Io& io) {
            if (o->accesses && o->file.ends_with(".loops")) return emit_accesses_of_loops(io, *o);
            const std::string fallback = o->opencl || o->accesses ? "opencl" : "cpu";
            auto target = parse_target(o->on.empty() ? fallback : o->on[0]);
            if (!target) return fail(io, target.error());
            if (*target == Target::Interp) {
              io.err << "error: the interpreter has no code to emit; use --on cpu, cpu-par or opencl\n";
              return int(exit_usage);
            }
            return o->llvm || o->assembly ? emit_native(io, *o, *target) : emit_lowered(io, *o, *target);
          }};
}

}  // namespace vr::tool
