// Options of an engine, and the conventions of modules and hosts.
#include "capi/handles.hpp"

#include <fmt/format.h>

namespace vr::capi {

namespace {

static_assert(int(Target::Interp) == VR_TARGET_INTERP && int(Target::Cpu) == VR_TARGET_CPU &&
              int(Target::CpuParallel) == VR_TARGET_CPU_PARALLEL && int(Target::OpenCL) == VR_TARGET_OPENCL);
static_assert(int(ir::Dialect::Vrir) == VR_DIALECT_VRIR && int(ir::Dialect::Mclab) == VR_DIALECT_MCLAB);
static_assert(int(ir::AssignMode::Copy) == 1 && int(ir::SliceMode::Copy) == 1 && int(ir::NanMode::Omit) == 1 &&
              int(ir::MemoryMode::Boehm) == 1 && int(ir::BroadcastMode::Leading) == 1 &&
              int(ir::BroadcastMode::None) == 2 && ir::fastmath::Afn == 64 && ir::fastmath::All == 127);

template <class F>
vr_status set(vr_options* o, vr_failure** failure, F&& f) {
  return border(failure, [&]() -> Status { return o ? f(o->options) : Status(null_argument("options")); });
}
vr_status set_flag(vr_options* o, vr_failure** failure, bool Options::*flag, int32_t on) {
  return set(o, failure, [&](Options& options) -> Status {
    options.*flag = on != 0;
    return {};
  });
}

}  // namespace

Status read_attrs(const vr_attr* attrs, size_t count, ir::ConventionAttrs* out, std::optional<int>* version) {
  if (count > 0 && !attrs) return null_argument("attrs");
  for (size_t k = 0; k < count; ++k) {
    const int v = attrs[k].value;
    int low = 0, high = 1;
    switch (attrs[k].attr) {
      case VR_ATTR_INDEXING:
        out->indexing = v;
        break;
      case VR_ATTR_EXCLUDE:
        out->exclude = v != 0;
        break;
      case VR_ATTR_FLATTEN:
        out->flatten = v != 0;
        break;
      case VR_ATTR_GROW:
        out->grow = v != 0;
        break;
      case VR_ATTR_ASSIGN:
        out->assign = static_cast<ir::AssignMode>(v);
        break;
      case VR_ATTR_SLICES:
        out->slices = static_cast<ir::SliceMode>(v);
        break;
      case VR_ATTR_NAN:
        out->nan = static_cast<ir::NanMode>(v);
        break;
      case VR_ATTR_MEMORY:
        out->memory = static_cast<ir::MemoryMode>(v);
        break;
      case VR_ATTR_MINDIMS:
        low = 1, high = 2;
        out->mindims = v;
        break;
      case VR_ATTR_FASTMATH:
        high = ir::fastmath::All;
        out->fast_math = static_cast<uint8_t>(v);
        break;
      case VR_ATTR_BROADCAST:
        high = 2;
        out->broadcast = static_cast<ir::BroadcastMode>(v);
        break;
      case VR_ATTR_PROMOTE:
        out->promote = static_cast<ir::Promote>(v);
        break;
      case VR_ATTR_OVERFLOW:
        high = 2;
        out->overflow = static_cast<ir::OverflowMode>(v);
        break;
      case VR_ATTR_VERSION:
        if (version) {
          low = high = 1;
          *version = v;
          break;
        }
        [[fallthrough]];
      default:
        return usage(fmt::format("attribute {} is none that can be stated here", attrs[k].attr));
    }
    if (v < low || v > high)
      return usage(fmt::format("attribute {} is {}; it is {} to {}", attrs[k].attr, v, low, high));
  }
  return {};
}

}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" {

vr_status vr_options_create(vr_options** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    *out = new vr_options;
    return {};
  });
}
void vr_options_free(vr_options* options) { delete options; }

vr_status vr_options_set_target(vr_options* options, int32_t target, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (target < VR_TARGET_INTERP || target > VR_TARGET_OPENCL)
      return usage(fmt::format("{} is no VR_TARGET_...", target));
    o.target = static_cast<Target>(target);
    return {};
  });
}
vr_status vr_options_set_opt_level(vr_options* options, int32_t level, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (level < 0 || level > 3) return usage(fmt::format("optimisation level {} is not one of 0, 1, 2, 3", level));
    o.opt_level = level;
    return {};
  });
}
vr_status vr_options_set_inline_limit(vr_options* options, int32_t statements, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (statements < 0) return usage(fmt::format("a limit of {} statements", statements));
    o.inline_limit = statements;
    return {};
  });
}
vr_status vr_options_set_tiered(vr_options* options, int32_t on, vr_failure** failure) {
  return set_flag(options, failure, &Options::tiered, on);
}
vr_status vr_options_set_regions(vr_options* options, int32_t mode, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (mode < VR_REGIONS_OFF || mode > VR_REGIONS_SYNC) return usage(fmt::format("{} is no VR_REGIONS_...", mode));
    o.regions = static_cast<RegionMode>(mode);
    return {};
  });
}
vr_status vr_options_set_region_limits(vr_options* options, int32_t versions, int64_t bytes, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (versions < 1) return usage(fmt::format("{} versions of a region are none", versions));
    if (bytes < 0) return usage(fmt::format("a limit of {} bytes", bytes));
    o.region_versions = versions;
    o.region_bytes = bytes;
    return {};
  });
}
vr_status vr_options_set_lazy(vr_options* options, int32_t on, vr_failure** failure) {
  return set_flag(options, failure, &Options::lazy, on);
}
vr_status vr_options_set_disk_cache(vr_options* options, int32_t on, vr_failure** failure) {
  return set_flag(options, failure, &Options::disk_cache, on);
}
vr_status vr_options_set_force_checks(vr_options* options, int32_t on, vr_failure** failure) {
  return set_flag(options, failure, &Options::force_checks, on);
}
vr_status vr_options_set_threads(vr_options* options, int32_t threads, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (threads < 0) return usage(fmt::format("{} threads", threads));
    o.threads = threads;
    return {};
  });
}
vr_status vr_options_set_parallel_threshold(vr_options* options, int64_t operations, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (operations < 1) return usage(fmt::format("a threshold of {} operations", operations));
    o.parallel_threshold = operations;
    return {};
  });
}
vr_status vr_options_set_compile_budget(vr_options* options, int32_t ms, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (ms < 0) return usage(fmt::format("a budget of {} ms", ms));
    o.compile_budget = ms;
    return {};
  });
}
vr_status vr_options_set_debug_info(vr_options* options, int32_t on, vr_failure** failure) {
  return set_flag(options, failure, &Options::debug_info, on);
}
vr_status vr_options_set_device(vr_options* options, const char* name, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (!name) return null_argument("name");
    o.device = name;
    return {};
  });
}
vr_status vr_options_set_devices(vr_options* options, const char* names, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (!names) return null_argument("names");
    o.devices = names;
    return {};
  });
}
vr_status vr_options_set_dialect(vr_options* options, int32_t dialect, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (dialect != VR_DIALECT_VRIR && dialect != VR_DIALECT_MCLAB)
      return usage(fmt::format("{} is no VR_DIALECT_...", dialect));
    o.dialect = static_cast<ir::Dialect>(dialect);
    return {};
  });
}
vr_status vr_options_skip_pass(vr_options* options, const char* name, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (!name) return null_argument("name");
    o.skip_passes.emplace_back(name);
    return {};
  });
}
vr_status vr_options_set_step_limit(vr_options* options, int64_t steps, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (steps < 0) return usage(fmt::format("a limit of {} steps", steps));
    o.interp_step_limit = steps;
    return {};
  });
}
vr_status vr_options_set_memory_limit(vr_options* options, int64_t bytes, vr_failure** failure) {
  return set(options, failure, [&](Options& o) -> Status {
    if (bytes < 0) return usage(fmt::format("a limit of {} bytes", bytes));
    o.interp_memory_limit = bytes;
    return {};
  });
}

}  // extern "C"
