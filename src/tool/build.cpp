// vrir build: a library with a C interface, ahead of time.
#include "aot/aot.hpp"
#include "tool/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace vr::tool {

namespace {

struct BuildCommand {
  std::vector<std::string> files;
  std::string library, header, runtime, kernels;
  ir::Dialect dialect = ir::Dialect::Vrir;
  std::vector<std::string> on, parts;
  bool c = false;
  aot::BuildOptions options;
};

int build_files(Io& io, BuildCommand c) {
  auto is_on = [&](const char* what) { return std::find(c.on.begin(), c.on.end(), what) != c.on.end(); };
  c.options.parallel = is_on("cpu-par");
  using Kernels = aot::BuildOptions::Kernels;
  if (is_on("opencl")) c.options.kernels = c.kernels == "cpu" ? Kernels::Cpu : Kernels::Gpu;
  if (!is_on("opencl") && (c.options.kernel_binaries || !c.kernels.empty()))
    return fail(io, std::string(c.options.kernel_binaries ? "--kernel-binaries" : "--kernels") + " is for --on opencl");
  if (!c.parts.empty()) {
    std::erase(c.parts, "core");
    c.options.parts = c.parts;
  }
  if (!c.runtime.empty()) c.options.runtime = std::filesystem::absolute(io.resolve(c.runtime));
  if (c.c != c.library.ends_with(".c"))
    return fail(io, c.library + ": the output ends with .c if, and only if, --c asks for C");
  std::vector<aot::Source> sources;
  for (const std::string& file : c.files) {
    auto tree = load_tree(io, file, c.dialect, true);
    if (!tree) return fail(io, tree.error());
    sources.push_back({tree->module, tree->conventions, std::filesystem::path(file).stem().string()});
  }
  aot::Output output{io.resolve(c.library), c.header.empty() ? std::filesystem::path() : io.resolve(c.header)};
  auto remarks = aot::build(sources, c.options, output);
  if (!remarks) return fail(io, remarks.error());
  for (const std::string& r : *remarks) io.err << "report: " << r << '\n';
  return exit_ok;
}

}  // namespace

Command add_build(CLI::App& root) {
  auto c = std::make_shared<BuildCommand>();
  CLI::App* app = root.add_subcommand("build", "Build a library with C functions, which needs no compiler at run time");
  app->add_option("FILE", c->files, ".vrir files")->required();
  app->add_option("-o,--output", c->library, "the library: libNAME.a, libNAME.so, NAME.o, or NAME.c")->required();
  app->add_flag("--c", c->c, "C99 instead of machine code: the output ends with .c");
  app->add_option("--header", c->header, "the C header to write; .hpp: with typed functions for C++");
  list_option(*app, "--function", c->options.functions, "functions to export, with commas between; default: all");
  app->add_option("--target", c->options.target,
                  "generic (default), native, or a processor that LLVM knows: x86-64-v3; with commas several levels of "
                  "x86-64; aarch64 and aarch64:PROCESSOR");
  app->add_option("--regions", c->options.regions,
                  "add a version of the functions specialised for these arguments: 'A=[100,200] m=3'; may be repeated")
      ->option_text("FACTS")
      ->allow_extra_args(false);
  app->add_option("--prefix", c->options.prefix, "prefix of the C name of each function");
  app->add_option(
         "--on", c->on,
         "cpu (default); cpu-par: parallel loops use threads; opencl: accelerated sections are kernels; or both")
      ->delimiter(',')
      ->option_text("cpu|cpu-par|opencl")
      ->check(CLI::IsMember({"cpu", "cpu-par", "opencl"}))
      ->expected(1, 2)
      ->allow_extra_args(false);
  app->add_option("--kernels", c->kernels, "the kind of device for which kernels are compiled, gpu (default) or cpu")
      ->check(CLI::IsMember({"gpu", "cpu"}));
  app->add_flag("--kernel-binaries", c->options.kernel_binaries,
                "also store the kernels as binaries compiled by the drivers of this machine's OpenCL devices");
  list_option(*app, "--parts", c->parts,
              "the permitted parts of the runtime: core, library, blas, fft, threads, opencl; default: all");
  app->add_option("--runtime", c->runtime, "the folder of libvrrt; default: beside vrir");
  app->add_flag("--static", c->options.static_runtime, "a shared library contains the runtime");
  app->add_option("--cc", c->options.linker,
                  "the C compiler that links shared libraries (default cc, for aarch64 aarch64-linux-gnu-gcc)");
  app->add_option("-O", c->options.opt_level, "optimisation level 0..3")->check(CLI::Range(0, 3));
  app->add_flag("-g", c->options.debug, "line tables for debuggers; with --c: #line");
  app->add_flag("--force-checks", c->options.force_checks,
                "turn on every bounds check, also where the program turns it off");
  dialect_option(*app, c->dialect);
  return {app, [c](Io& io) { return build_files(io, *c); }};
}

}  // namespace vr::tool
