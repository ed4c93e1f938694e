#include "runtime/cpu/external.hpp"

#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/sizes.hpp"

#include <cstdarg>
#include <cstring>

namespace vr::runtime {

namespace {

struct Call {
  std::span<vr_array* const> out;
  const std::function<bool(int32_t, const int64_t*)>& make;
  ExternalFault& fault;
  uint32_t made = 0;  ///< results, a bit each
  bool failed = false;
};

vr_array* make(vr_external_call* c, int32_t k, const int64_t* extents) {
  Call& call = *static_cast<Call*>(c->state);
  if (call.failed) return nullptr;
  if (k < 0 || static_cast<size_t>(k) >= call.out.size() || call.out[static_cast<size_t>(k)]->rank == 0 ||
      (call.made >> k & 1)) {
    call.failed = true;
    call.fault.message = "result " + std::to_string(k) + " is not an array, but the function must create one";
    return nullptr;
  }
  if (!call.make(k, extents)) return call.failed = true, nullptr;
  call.made |= uint32_t{1} << k;
  return call.out[static_cast<size_t>(k)];
}

int32_t fail(vr_external_call* c, int32_t code, const char* text) {
  Call& call = *static_cast<Call*>(c->state);
  if (!call.failed) {
    call.failed = true;
    call.fault.raised = code;
    call.fault.message = text ? text : "";
  }
  return VR_HOST;
}

}  // namespace

bool call_external(const HostBinding* host, const External& f, std::string_view name,
                   std::span<const vr_array* const> in, std::span<vr_array* const> out,
                   const std::function<bool(int32_t, const int64_t*)>& make_result, ExternalFault& fault) {
  vr_value args[ir::max_external_values], results[ir::max_external_values];
  for (size_t k = 0; k < in.size(); ++k) {
    args[k] = {};
    if (in[k]->rank == 0)
      std::memcpy(&args[k], in[k]->data, static_cast<size_t>(element_bytes(in[k]->elem)));
    else
      args[k].array = const_cast<vr_array*>(in[k]);
  }
  for (size_t k = 0; k < out.size(); ++k) results[k] = {};
  Call state{out, make_result, fault};
  vr_external_call call{&state, make, fail};
  int32_t status;
  if (host) {
    HostLock lock(*host);
    status = f.call(f.data, &call, args, results);
  } else {
    status = f.call(f.data, &call, args, results);
  }
  for (size_t k = 0; k < out.size() && status == VR_OK && !state.failed; ++k) {
    if (out[k]->rank == 0) {
      if (!make_result(static_cast<int32_t>(k), nullptr)) return false;
      std::memcpy(out[k]->data, &results[k], static_cast<size_t>(element_bytes(out[k]->elem)));
    } else if (!(state.made >> k & 1)) {
      state.failed = true;
      fault.message = "result " + std::to_string(k) + " was not made";
    }
  }
  if (status == VR_OK && !state.failed) return true;
  if (fault.message.empty()) fault.message = "the host's function failed";
  if (fault.code == VR_HOST) fault.message = std::string(name) + ": " + fault.message;
  return false;
}

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" int32_t vr_rt_external(vr_context* ctx, const vr_site* site, const char* name, int32_t flags,
                                  int32_t arguments, int32_t results, ...) {
  constexpr size_t most = vr::ir::max_external_values;
  vr_array* in[most];
  vr_array* out[most];
  vr_array guarded[most];
  va_list arrays;
  va_start(arrays, results);
  for (int32_t k = 0; k < arguments; ++k) in[k] = va_arg(arrays, vr_array*);
  for (int32_t k = 0; k < results; ++k) out[k] = va_arg(arrays, vr_array*);
  va_end(arrays);
  const External* f = ctx->externals ? ctx->externals->find(name) : nullptr;
  if (!f) return vr::runtime::fail(ctx, site, VR_HOST, std::string("the host has no function '") + name + "'");
  if (flags & VR_EXTERNAL_READ_ONLY)
    for (int32_t k = 0; k < arguments; ++k) {
      guarded[k] = *in[k];
      guarded[k].flags |= VR_ARRAY_READ_ONLY;
      in[k] = &guarded[k];
    }
  for (int32_t k = 0; k < results; ++k) out[k]->owner = nullptr;
  const int32_t layout = flags & VR_EXTERNAL_COLMAJOR ? VR_COLMAJOR : VR_ROWMAJOR;
  ExternalFault fault;
  const auto make = [&](int32_t k, const int64_t* extents) {
    const vr_array wanted = *out[k];
    const int64_t one = 1;
    // For the allocator, a number is a vector of one element.
    fault.code = vr_rt_alloc(ctx, site, out[k], wanted.elem, wanted.rank > 0 ? wanted.rank : 1,
                             wanted.rank > 0 ? extents : &one, layout, VR_FILL_NONE, VR_IN_ENGINE);
    out[k]->rank = wanted.rank;
    if (fault.code != VR_OK) return out[k]->owner = nullptr, false;
    fault.code = VR_HOST;
    return true;
  };
  const bool done = call_external(ctx->host, *f, name, {in, static_cast<size_t>(arguments)},
                                  {out, static_cast<size_t>(results)}, make, fault);
  if (done) return VR_OK;
  for (int32_t k = 0; k < results; ++k) {
    vr_rt_release(out[k]->owner);
    out[k]->owner = nullptr;
  }
  // The fault of a failed allocation has been recorded already.
  return fault.code == VR_HOST ? vr::runtime::fail_raised(ctx, site, fault.raised, fault.message) : fault.code;
}
