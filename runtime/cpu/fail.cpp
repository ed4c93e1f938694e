#include "runtime/cpu/fail.hpp"

#include "runtime/cpu/poll.hpp"
#include "support/raise_text.hpp"
#include "support/stack.hpp"

#include <velociraptor/ir/elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace vr::runtime {

namespace {

template <size_t N>
void put(char (&to)[N], const char* from) {
  if (!from) from = "";
  size_t n = std::min(std::strlen(from), N - 1);
  std::memcpy(to, from, n);
  to[n] = '\0';
}

/// Only one caller may write the record.
bool claim(vr_context* ctx, int32_t code) {
  int32_t none = 0;
  return ctx->failed.compare_exchange_strong(none, code, std::memory_order_acq_rel);
}

void write(vr_error& e, const vr_site* site, int32_t code, int32_t axis, int64_t index, int64_t extent) {
  e.code = code;
  e.axis = axis;
  e.index = index;
  e.extent = extent;
  put(e.function, site ? site->function : "");
  put(e.loc, site ? site->loc : "");
  put(e.array, site ? site->array : "");
}

template <size_t N, class... A>
void print(char (&to)[N], fmt::format_string<A...> form, A&&... args) {
  auto end = fmt::format_to_n(to, N - 1, form, std::forward<A>(args)...);
  to[std::min(end.size, N - 1)] = '\0';
}

/// One sentence for users, composed without allocating memory.
void compose(vr_error& e, const vr_site* site) {
  if (e.code == VR_RAISED && site) {
    const int64_t numbers[] = {e.index, e.extent};
    e.raised = site->raised;
    return write_raise_text(e.message, sizeof e.message, site->message, numbers);
  }
  if (site && site->message && *site->message) return put(e.message, site->message);
  std::string_view array = e.array;
  const char* of = array.empty() ? "" : " of '";
  const char* quote = array.empty() ? "" : "'";
  switch (e.code) {
    case VR_OUT_OF_BOUNDS:
      return print(e.message, "index {} is out of bounds for axis {}{}{}{}, which has extent {}", e.index, e.axis, of,
                   array, quote, e.extent);
    case VR_SHAPE_MISMATCH:
      return print(e.message, "shapes do not agree{}{}{}: extent {} where {} is needed", of, array, quote, e.index,
                   e.extent);
    case VR_SIZE:
      return print(e.message, "array size{}{}{} is negative or too large", of, array, quote);
    case VR_DIV_BY_ZERO:
      return print(e.message, "integer division by zero");
    case VR_OVERFLOW:
      return print(e.message, "integer overflow");
    case VR_OUT_OF_MEMORY:
      return print(e.message, "not enough memory");
    case VR_STACK:
      return print(e.message, "calls are nested too deeply for the stack");
    case VR_TYPE:
      return print(e.message, "a value{}{}{} does not have the type that is needed", of, array, quote);
    case VR_DEVICE:
      return print(e.message, "the device failed");
    case VR_HOST:
      return print(e.message, "the host failed");
    case VR_FORKED:
      return print(e.message, "the process was forked after the engine was created");
    case VR_INTERRUPTED:
      return print(e.message, "interrupted");
    case VR_READ_ONLY:
      return array.empty() ? print(e.message, "a read-only array cannot be stored to")
                           : print(e.message, "'{}' is read-only and cannot be stored to", array);
    default:
      return print(e.message, "fault {}", e.code);
  }
}

thread_local char* own_limit_in_use = nullptr;

}  // namespace

OwnStackScope::OwnStackScope(bool enabled) : before_(own_limit_in_use) {
  own_limit_in_use = enabled ? stack_limit() : nullptr;
}
OwnStackScope::~OwnStackScope() { own_limit_in_use = before_; }

int32_t fail(vr_context* ctx, const vr_site* site, int32_t code, const std::string& message) noexcept {
  if (claim(ctx, code)) {
    write(ctx->error, site, code, -1, 0, 0);
    put(ctx->error.message, message.c_str());
  }
  return code;
}

int32_t fail_raised(vr_context* ctx, const vr_site* site, int32_t raised, const std::string& message) noexcept {
  if (claim(ctx, VR_HOST)) {
    write(ctx->error, site, VR_HOST, -1, 0, 0);
    ctx->error.raised = raised;
    put(ctx->error.message, message.c_str());
  }
  return VR_HOST;
}

int32_t fail_no_memory(vr_context* ctx, const vr_site* site, int64_t bytes) noexcept {
  if (claim(ctx, VR_OUT_OF_MEMORY)) {
    write(ctx->error, site, VR_OUT_OF_MEMORY, -1, 0, 0);
    print(ctx->error.message, "no memory for an array of {} bytes", bytes);
  }
  return VR_OUT_OF_MEMORY;
}

int32_t fail_host_allocation(vr_context* ctx, const vr_site* site, int32_t elem, int32_t rank, int64_t bytes) noexcept {
  if (claim(ctx, VR_OUT_OF_MEMORY)) {
    write(ctx->error, site, VR_OUT_OF_MEMORY, -1, 0, 0);
    print(ctx->error.message, "the host did not allocate a {}{} array with {} dimension{} ({} bytes)",
          elem & VR_COMPLEX ? "complex " : "", ir::elem_name(static_cast<ir::Elem>(elem & ~VR_COMPLEX)), rank,
          rank == 1 ? "" : "s", bytes);
  }
  return VR_OUT_OF_MEMORY;
}

std::string shape_text(const vr_array& a) {
  std::string s;
  for (int32_t k = 0; k < a.rank; ++k) s += (k ? "x" : "") + std::to_string(a.extent[k]);
  return a.rank == 1 ? s + " (1-D)" : s;
}

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" {

int32_t vr_rt_fail(vr_context* ctx, const vr_site* site, int32_t code, int64_t index, int64_t extent) {
  if (claim(ctx, code)) {
    write(ctx->error, site, code, site ? site->axis : -1, index, extent);
    compose(ctx->error, site);
  }
  return code;
}

int32_t vr_rt_enter(vr_context* ctx, const vr_site* site) {
  if (asked_to_stop(*ctx))
    if (const int32_t stop = vr_rt_poll(ctx, site)) return stop;
  char* limit = ctx->stack_limit;
  if (!limit) return VR_OK;
  if (own_limit_in_use) limit = own_limit_in_use;
  char* here = static_cast<char*>(__builtin_frame_address(0));
  return here < limit ? vr_rt_fail(ctx, site, VR_STACK, 0, 0) : VR_OK;
}
}
