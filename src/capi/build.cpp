// Libraries with C functions, ahead of time.
#include "aot/aot.hpp"
#include "capi/handles.hpp"

#include <fmt/format.h>

namespace vr::capi {

namespace {

constexpr int32_t all_flags = VR_BUILD_PARALLEL | VR_BUILD_FORCE_CHECKS | VR_BUILD_DEBUG_INFO |
                              VR_BUILD_STATIC_RUNTIME | VR_BUILD_OPENCL | VR_BUILD_OPENCL_CPU |
                              VR_BUILD_KERNEL_BINARIES;

Result<std::vector<std::string>> texts(size_t count, const char* const* list, const char* what) {
  std::vector<std::string> out;
  if (count > 0 && !list) return null_argument(what);
  for (size_t k = 0; k < count; ++k) {
    if (!list[k]) return null_argument(what);
    out.emplace_back(list[k]);
  }
  return out;
}

Result<aot::BuildOptions> build_options(const vr_build_options& o) {
  if (o.size != sizeof(vr_build_options))
    return usage(fmt::format("'options.size' is {}; it is sizeof(vr_build_options), {}", o.size, sizeof o));
  if (o.opt_level < 0 || o.opt_level > 3)
    return usage(fmt::format("optimisation level {} is not one of 0, 1, 2, 3", o.opt_level));
  if (o.flags & ~all_flags) return usage(fmt::format("{} is no sum of VR_BUILD_...", o.flags));
  aot::BuildOptions out;
  out.opt_level = o.opt_level;
  out.parallel = (o.flags & VR_BUILD_PARALLEL) != 0;
  out.force_checks = (o.flags & VR_BUILD_FORCE_CHECKS) != 0;
  out.debug = (o.flags & VR_BUILD_DEBUG_INFO) != 0;
  out.static_runtime = (o.flags & VR_BUILD_STATIC_RUNTIME) != 0;
  using Kernels = aot::BuildOptions::Kernels;
  if (o.flags & VR_BUILD_OPENCL) out.kernels = Kernels::Gpu;
  if (o.flags & VR_BUILD_OPENCL_CPU) out.kernels = Kernels::Cpu;
  out.kernel_binaries = (o.flags & VR_BUILD_KERNEL_BINARIES) != 0;
  if (out.kernel_binaries && out.kernels == Kernels::Off)
    return usage("VR_BUILD_KERNEL_BINARIES is for VR_BUILD_OPENCL or VR_BUILD_OPENCL_CPU");
  if (o.target) out.target = o.target;
  if (o.prefix) out.prefix = o.prefix;
  if (o.runtime) out.runtime = std::filesystem::absolute(o.runtime);
  if (o.linker) out.linker = o.linker;
  auto regions = texts(o.region_count, o.regions, "options.regions");
  if (!regions) return regions.error();
  out.regions = std::move(*regions);
  auto functions = texts(o.function_count, o.functions, "options.functions");
  if (!functions) return functions.error();
  out.functions = std::move(*functions);
  if (o.parts || o.part_count > 0) {
    auto parts = texts(o.part_count, o.parts, "options.parts");
    if (!parts) return parts.error();
    std::erase(*parts, "core");
    out.parts = std::move(*parts);
  }
  return out;
}

}  // namespace

}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" vr_status vr_module_build(size_t module_count, const vr_module* const* modules,
                                     const vr_build_options* options, const char* library, const char* header,
                                     char** report, vr_failure** failure) {
  return border(report, failure, [&]() -> Status {
    if (module_count > 0 && !modules) return null_argument("modules");
    if (!options) return null_argument("options");
    if (!library) return null_argument("library");
    auto how = build_options(*options);
    if (!how) return how.error();
    std::vector<aot::Source> sources;
    for (size_t k = 0; k < module_count; ++k) {
      if (!modules[k]) return null_argument("modules");
      const Module& m = modules[k]->module;
      // The module belongs to the caller and outlives the call.
      sources.push_back({ir::ModulePtr(std::shared_ptr<const void>(), &m.ir()),
                         m.ir().attrs.resolve(modules[k]->engine->binding().conventions), m.name()});
    }
    auto remarks =
        aot::build(sources, *how, {library, header ? std::filesystem::path(header) : std::filesystem::path()});
    if (!remarks) return remarks.error();
    std::string lines;
    for (const std::string& r : *remarks) lines += r + "\n";
    *report = copy_text(lines);
    return {};
  });
}
