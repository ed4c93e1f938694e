// Calls of region functions: the engine's dispatcher chooses the code.
#include "runtime/abi.h"

extern "C" int32_t vr_rt_call_region(vr_context* ctx, vr_region* region, vr_entry generic, const vr_value* args,
                                     vr_value* results) {
  vr_region_version* version = region ? region->enter(region, args) : nullptr;
  if (!version) return generic(ctx, args, results);
  const int32_t status = version->entry(ctx, args, results);
  region->leave(region, version);
  return status;
}
