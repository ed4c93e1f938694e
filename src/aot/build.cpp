#include "aot/aot.hpp"
#include "aot/device.hpp"
#include "aot/header.hpp"
#include "aot/interface.hpp"
#include "aot/output.hpp"
#include "aot/parts.hpp"
#include "aot/versions.hpp"
#include "codegen/c99/emit.hpp"
#include "codegen/c99/prepare.hpp"
#include "codegen/llvm/object.hpp"
#include "engine/guarded.hpp"
#include "ir/reachable.hpp"
#include "pipeline/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vr::aot {

namespace {

enum class Kind { Object, Archive, Shared, C };

Result<Kind> kind_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".o") return Kind::Object;
  if (ending == ".a") return Kind::Archive;
  if (ending == ".so") return Kind::Shared;
  if (ending == ".c") return Kind::C;
  return make_error(Code::Usage, fmt::format("{}: the name of a library ends with .o, .a, .so or .c", file.string()));
}

/// "a,b" -> a, b; always at least one text.
std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> all(1);
  for (const char c : text)
    if (c == ',')
      all.emplace_back();
    else
      all.back() += c;
  return all;
}

/// What has been compiled so far.
struct Made {
  std::vector<codegen::llvm_backend::ArchiveMember> objects;
  std::vector<lower::PlainFunction> functions;
  std::set<std::string> parts;
  std::vector<std::string> remarks;
};

/// The functions of one module to export; those that the user named are removed from `wanted`.
std::vector<const ir::Function*> exported(const ir::Module& m, const BuildOptions& options,
                                          std::set<std::string>& wanted) {
  std::vector<const ir::Function*> found;
  for (const ir::FunctionPtr& f : m.functions) {
    const bool named =
        std::find(options.functions.begin(), options.functions.end(), f->name) != options.functions.end();
    if (named) wanted.erase(f->name);
    if (named || (options.functions.empty() && !f->external)) found.push_back(f.get());
  }
  return found;
}

/// The properties that all modules of a build share.
struct Build {
  const BuildOptions& options;
  std::vector<std::string> targets;
  Runtime runtime;
  /// C is written, and includes this header (if it is not ""); absent: machine code.
  std::optional<std::string> header;
  std::vector<std::string> taken = {};      ///< names in C
  std::set<std::string> regions_used = {};  ///< of BuildOptions::regions, those that some function has
};

/// The parts in the order that a linker needs: users before the parts that they use.
std::vector<std::string> in_order(const std::set<std::string>& parts) {
  std::vector<std::string> all;
#define VR_PART(name, needs) \
  if (parts.contains(#name)) all.insert(all.begin(), #name);
#include "runtime/parts.def"
  return all;
}

/// The object, or the text of the C file.
Result<std::string> generate(const lower::Module& m, const DeviceCode& device,
                             const std::vector<lower::PlainFunction>& plain, const Build& build) {
  if (build.header && device.module)
    return make_error(Code::Unsupported,
                      fmt::format("module '{}': kernels of accelerated sections cannot be written in C yet", m.name));
  if (build.header) return codegen::c99::emit(m, plain, {build.options.debug, *build.header});
  const codegen::llvm_backend::ObjectOptions how{build.options.opt_level, build.targets, build.options.debug};
  if (!device.module) return codegen::llvm_backend::compile_object(m, plain, how);
  const codegen::llvm_backend::DeviceForm with_kernels{*device.module, device.programs};
  return codegen::llvm_backend::compile_object(m, plain, how, &with_kernels);
}

Status compile(const Source& source, const std::vector<const ir::Function*>& functions, Build& build, Made& made) {
  const BuildOptions& options = build.options;
  auto plain = interface_of(source, functions, options, build.taken);
  if (!plain) return plain.error();
  const ir::ModulePtr part = ir::reachable(*source.module, functions);
  for (const ir::FunctionPtr& f : part->functions)
    if (options.kernels == BuildOptions::Kernels::Off && has_section(*f))
      made.remarks.push_back(fmt::format(
          "function '{}': its accelerated section runs on the CPU; with --on opencl it has kernels", f->name));
  auto passed = pipeline::run_passes(part, source.conventions, {});
  if (!passed) return passed.error();
  lower::LowerOptions lowering;
  lowering.parallel = options.parallel;
  lowering.force_checks = options.force_checks;
  lowering.places = options.debug;
  auto versions = add_versions(*passed, source.conventions, options.regions, *plain);
  if (!versions) return versions.error();
  build.regions_used.insert(versions->used.begin(), versions->used.end());
  lowering.specialisations = std::move(versions->known);
  pipeline::LoopRun run;
  if (build.header) run.skip = {"poll"};  // nothing polls in C
  auto low = pipeline::lower_and_run(*versions->module, source.conventions, lowering, run);
  if (!low) return low.error();
  versions->restore_names(**low);
  DeviceCode device;
  if (options.kernels != BuildOptions::Kernels::Off) {
    auto lowered = lower_for_devices(*versions, source.conventions, options, lowering, *plain);
    if (!lowered) return lowered.error();
    device = std::move(*lowered);
    made.remarks.insert(made.remarks.end(), device.remarks.begin(), device.remarks.end());
  }
  std::set<std::string> parts;
  for (const lower::Module* m : {low->get(), device.module.get()}) {
    if (!m) continue;
    auto some = needed_parts(*m, options.parallel, build.runtime);
    if (!some) return some.error();
    parts.insert(some->begin(), some->end());
  }
  for (lower::PlainFunction& f : *plain) f.parts = in_order(parts);
  if (build.header) codegen::c99::prepare(**low);
  auto object = generate(**low, device, *plain, build);
  if (!object) return object.error();
  made.parts.insert(parts.begin(), parts.end());
  std::string name = source.name + ".o";
  for (int n = 2; std::any_of(made.objects.begin(), made.objects.end(), [&](const auto& o) { return o.name == name; });
       ++n)
    name = fmt::format("{}_{}.o", source.name, n);
  made.objects.push_back({std::move(name), std::move(*object)});
  made.functions.insert(made.functions.end(), plain->begin(), plain->end());
  return {};
}

/// Links the objects with the runtime into `to`.
Status link(const Made& made, const Build& build, const std::string& soname, const std::filesystem::path& to) {
  const BuildOptions& options = build.options;
  const Runtime& runtime = build.runtime;
  TemporaryFolder folder;
  if (Status s = folder.make(); !s) return s;
  const std::string linker = !options.linker.empty()        ? options.linker
                             : runtime.architecture.empty() ? "cc"
                                                            : runtime.architecture + "-linux-gnu-gcc";
  std::vector<std::string> command{linker,        "-shared",        "-o", to.string(), "-Wl,-soname," + soname,
                                   "-Wl,-z,defs", "-Wl,--as-needed"};
  for (const auto& o : made.objects) {
    PendingFile file(folder.path() / o.name);
    if (Status s = file.write(o.object); !s) return s;
    if (Status s = file.commit(); !s) return s;
    command.push_back((folder.path() / o.name).string());
  }
  std::vector<std::string> libraries = in_order(made.parts);
  for (std::string& l : libraries) l = "vrrt_" + l;
  libraries.push_back("vrrt");
  if (options.static_runtime) {
    for (const std::string& l : libraries) {
      const std::filesystem::path archive = runtime.folder / fmt::format("lib{}.a", l);
      if (!std::filesystem::exists(archive)) return make_error(Code::NotFound, archive.string() + ": not found");
      command.push_back(archive.string());
    }
    // Not unloaded: the runtime has threads, and cleans up behind those of the program.
    command.insert(command.end(), {"-Wl,-z,nodelete", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-lstdc++"});
    if (made.parts.contains("blas")) command.insert(command.end(), {"-llapacke", "-lopenblas"});
    if (made.parts.contains("opencl")) command.push_back("-lOpenCL");
    if (made.parts.contains("opencl") || made.parts.contains("threads")) command.push_back("-ltbb");
  } else {
    command.push_back("-L" + runtime.folder.string());
    for (const std::string& l : libraries) command.push_back("-l" + l);
    // Beside the library, as in a package that contains both; otherwise the path on this machine where it is found now.
    command.push_back("-Wl,-rpath,$ORIGIN");
    if (runtime.architecture.empty()) command.push_back("-Wl,-rpath," + runtime.folder.string());
  }
  command.push_back("-lm");
  return run_program(command);
}

Result<std::vector<std::string>> build_now(const std::vector<Source>& sources, const BuildOptions& options,
                                           const Output& output) {
  auto kind = kind_of(output.library);
  if (!kind) return kind.error();
  if ((*kind == Kind::Object || *kind == Kind::C) && sources.size() != 1)
    return make_error(Code::Usage, fmt::format("{}: such a file has one module, not {}; build a .a or .so",
                                               output.library.string(), sources.size()));
  if (output.library.lexically_normal() == output.header.lexically_normal())
    return make_error(Code::Usage, output.library.string() + ": the library and the header are one file");
  const std::vector<std::string> targets = between_commas(options.target);
  if (Status s = codegen::llvm_backend::check_targets(targets); !s) return s.error();
  if (*kind == Kind::C && targets.size() > 1)
    return make_error(Code::Usage, "--target: C has one processor at a time, which is an option of its compiler");
  if (!options.prefix.empty() && !is_c_name(options.prefix))
    return make_error(Code::Usage, fmt::format("--prefix '{}': names in C cannot begin so", options.prefix));
  auto runtime = find_runtime(options, codegen::llvm_backend::other_architecture(targets[0]),
                              *kind == Kind::Shared && !options.static_runtime);
  if (!runtime) return runtime.error();
  Made made;
  Build build{options, targets, std::move(*runtime), std::nullopt};
  if (*kind == Kind::C) build.header = output.header.filename().string();
  std::set<std::string> wanted(options.functions.begin(), options.functions.end());
  for (const Source& s : sources)
    if (const auto functions = exported(*s.module, options, wanted); !functions.empty())
      if (Status done = compile(s, functions, build, made); !done) return done.error();
  if (!wanted.empty()) return make_error(Code::Usage, fmt::format("there is no function '{}'", *wanted.begin()));
  if (made.functions.empty()) return make_error(Code::Usage, "there is no function to export");
  for (const std::string& r : options.regions)
    if (!build.regions_used.contains(r))
      return make_error(Code::Usage, fmt::format("--regions '{}': no exported function has such arguments", r));

  PendingFile library(output.library), header(output.header);
  switch (*kind) {
    case Kind::Object:
    case Kind::C:
      if (Status s = library.write(made.objects[0].object); !s) return s.error();
      break;
    case Kind::Archive: {
      auto bytes = codegen::llvm_backend::make_archive(made.objects);
      if (!bytes) return bytes.error();
      if (Status s = library.write(*bytes); !s) return s.error();
      break;
    }
    case Kind::Shared:
      // First, because the linker's message for a folder that cannot be written is long.
      if (Status s = library.write(""); !s) return s.error();
      if (Status s = link(made, build, output.library.filename().string(), library.temporary()); !s) return s.error();
      break;
  }
  if (!output.header.empty()) {
    const std::string text = header_text(output.header.filename().string(), made.functions, in_order(made.parts));
    if (Status s = header.write(text); !s) return s.error();
  }
  if (Status s = library.commit(); !s) return s.error();
  if (!output.header.empty())
    if (Status s = header.commit(); !s) return s.error();
  return std::move(made.remarks);
}

}  // namespace

Result<std::vector<std::string>> build(const std::vector<Source>& sources, const BuildOptions& options,
                                       const Output& output) {
  return engine::guarded([&] { return build_now(sources, options, output); });
}

}  // namespace vr::aot
