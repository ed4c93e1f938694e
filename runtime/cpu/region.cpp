// Calls of region functions: the engine's dispatcher chooses the code.
#include "runtime/abi.h"

extern "C" int32_t vr_rt_call_region(vr_context* ctx, vr_region* region, vr_entry generic, const vr_value* args,
                                     vr_value* results) {
  vr_region_call call = {};
  if (region) region->enter(region, ctx, args, &call);
  const int32_t status = (call.entry ? call.entry : generic)(ctx, args, results);
  if (call.version) region->leave(region, ctx, &call, status);
  return status;
}
