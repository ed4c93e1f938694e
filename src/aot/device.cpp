#include "aot/device.hpp"

#include "codegen/opencl/emit.hpp"
#include "ir/reachable.hpp"
#include "pipeline/loops.hpp"
#include "runtime/gpu/session.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace vr::aot {

bool has_section(const ir::Function& f) {
  bool found = false;
  ir::walk_stmts(f.body, [&](const ir::Stmt& s) {
    found = found || (s.kind == ir::StmtList::static_kind && static_cast<const ir::StmtList&>(s).on_gpu);
  });
  return found;
}

namespace {

/// Valid for any device of the kind.
lower::LowerOptions with_kernels(lower::LowerOptions how, BuildOptions::Kernels kind) {
  constexpr int64_t usual_group = 256;          // that GPUs have
  constexpr int64_t usual_local_bytes = 32768;  // the minimum that OpenCL requires of a GPU
  how.device = how.kernels = true;
  lower::suit_device(how, {kind == BuildOptions::Kernels::Gpu, usual_group, usual_local_bytes});
  return how;
}

/// Adds the binaries to the programs, for each device of this machine.
Status compile_programs(lower::KernelPrograms& programs, std::vector<std::string>& remarks) {
  std::vector<gpu::ProgramText> texts;
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (const lower::KernelProgram& p : programs)
    if (!p.source.empty() && known.emplace(std::pair(p.source, p.options), texts.size()).second)
      texts.push_back({p.source, p.options});
  auto devices = gpu::compile_programs(texts);
  if (!devices) return make_error(Code::Device, "--kernel-binaries: " + devices.error().message);
  for (const gpu::DeviceBinaries& d : *devices) {
    for (const auto& made : d.programs)
      if (!made)
        remarks.push_back(fmt::format("kernels without a binary for {}: {}", d.device.text(), made.error().message));
    for (lower::KernelProgram& p : programs) {
      if (p.source.empty()) continue;
      const Result<std::string>& made = d.programs[known.at({p.source, p.options})];
      if (made) p.binaries.push_back({d.device.identity(), *made});
    }
  }
  return {};
}

}  // namespace

Result<DeviceCode> lower_for_devices(const Versions& versions, const ir::Conventions& conventions,
                                     const BuildOptions& options, const lower::LowerOptions& how,
                                     std::vector<lower::PlainFunction>& plain) {
  DeviceCode code;
  const ir::Module& m = *versions.module;
  auto reaches_section = [&](const ir::Function& f) {
    const ir::ModulePtr part = ir::reachable(m, f);
    return std::any_of(part->functions.begin(), part->functions.end(),
                       [](const ir::FunctionPtr& g) { return has_section(*g); });
  };
  // The functions by their lowered names, which are the only names of versions.
  std::map<std::string, const ir::Function*> functions;
  for (const ir::FunctionPtr& f : m.functions) functions[lower::entry_symbol(f->name)] = f.get();
  std::vector<const ir::Function*> roots;
  for (lower::PlainFunction& p : plain) {
    p.device = reaches_section(*functions.at(p.entry));
    if (!p.device) continue;
    roots.push_back(functions.at(p.entry));
    for (const lower::PlainVersion& v : p.versions) roots.push_back(functions.at(v.entry));
    p.device_versions = p.versions;
  }
  if (roots.empty()) return code;
  auto low = pipeline::lower_and_run(*ir::reachable(m, roots), conventions, with_kernels(how, options.kernels));
  if (!low) return low.error();
  versions.restore_names(**low);
  code.remarks = (*low)->report;
  // One program for all kernels is best for CPUs, and one for each for GPUs, whose drivers compile slowly
  // (engine/unit.cpp).
  using codegen::opencl::Split;
  auto emitted = codegen::opencl::emit_programs(
      **low, options.kernels == BuildOptions::Kernels::Gpu ? Split::Kernels : Split::Options);
  if (!emitted) return emitted.error();
  for (codegen::opencl::Program& p : *emitted) code.programs.push_back({std::move(p.source), std::move(p.options)});
  if (options.kernel_binaries)
    if (Status s = compile_programs(code.programs, code.remarks); !s) return s.error();
  code.module = std::move(*low);
  return code;
}

}  // namespace vr::aot
