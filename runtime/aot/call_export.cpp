// Calls from C of functions that were compiled ahead of time: checks arguments and returns results. The counterpart of
// engine/call.cpp for calls without host objects: arrays are descriptors.
#include <velociraptor/aot.h>
#include <velociraptor/aot_versions.h>
#include <velociraptor/ir/elements.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "runtime/aot/parts.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/sizes.hpp"
#include "support/settings.hpp"
#include "support/stack.hpp"

namespace vr::runtime {

namespace {

constexpr int32_t most_threads = 4096;
std::atomic<int32_t> wanted_threads{0};

int thread_count() {
  if (const int32_t n = wanted_threads.load(std::memory_order_relaxed); n > 0) return n;
  static const int found = [] {
    if (const int64_t n = settings::number(settings::Name::VR_NUM_THREADS).value_or(0); n > 0)
      return static_cast<int>(std::min<int64_t>(n, most_threads));
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }();
  return found;
}

/// An array argument. Its owner does not count references: the caller keeps the elements alive.
struct Argument {
  vr_array array;
  vr_owner owner;
};

/// Records a fault of the call itself, not of the function's code.
int32_t refuse(vr_context& ctx, const vr_export& e, int32_t code, const std::string& message) {
  const vr_site site = {e.function, "", "", "", -1, 0};
  return fail(&ctx, &site, code, message);
}

std::string argument_name(const vr_export& e, int32_t k) {
  return "argument " + std::to_string(k + 1) + " ('" + e.args[k].name + "') of '" + e.function + "'";
}

/// Strides of axes with at most one element do not matter and are set to those of the layout, because generated code
/// relies on them. False: the elements are not contiguous in that order.
bool make_contiguous(vr_array& a, bool column_major) {
  bool empty = false;
  for (int32_t k = 0; k < a.rank; ++k) empty = empty || a.extent[k] == 0;
  int64_t next = element_bytes(a.elem);
  for (int32_t step = 0; step < a.rank; ++step) {
    const int32_t k = column_major ? step : a.rank - 1 - step;
    if (!empty && a.extent[k] > 1 && a.stride[k] != next) return false;
    a.stride[k] = next;
    if (__builtin_mul_overflow(next, a.extent[k], &next)) return empty;
  }
  return true;
}

int32_t take_array(vr_context& ctx, const vr_export& e, int32_t k, const vr_array* given, Argument& to) {
  const vr_export_value& type = e.args[k];
  auto wrong = [&](const std::string& what) { return refuse(ctx, e, VR_TYPE, argument_name(e, k) + what); };
  if (!given) return wrong(std::string(" must be the address of an array of type ") + type.type);
  if (given->elem != type.elem || given->rank != type.rank)
    return wrong(std::string(" must be ") + type.type + ", not an array of rank " + std::to_string(given->rank) +
                 " with element code " + std::to_string(given->elem));
  bool empty = false;
  for (int32_t j = 0; j < given->rank; ++j) {
    if (given->extent[j] < 0) return wrong(" has a negative extent");
    empty = empty || given->extent[j] == 0;
  }
  if (!given->data && !empty) return wrong(" has no elements: its data is NULL");
  // Copies only the members of the descriptor that have a value, because it is 288 bytes long.
  to.array.data = given->data;
  to.array.elem = given->elem;
  to.array.rank = given->rank;
  to.array.flags = given->flags;
  to.array.reserved = 0;
  std::copy_n(given->extent, given->rank, to.array.extent);
  std::copy_n(given->stride, given->rank, to.array.stride);
  if (type.layout != VR_STRIDED && !make_contiguous(to.array, type.layout == VR_COLMAJOR))
    return wrong(std::string(" must be contiguous in ") + (type.layout == VR_COLMAJOR ? "colmajor" : "rowmajor") +
                 " order");
  init_borrowed_owner(&to.owner, nullptr, nullptr);
  to.array.owner = &to.owner;
  return VR_OK;
}

/// Turns a result of compiled code into an array of the caller: one that does not point into this call's frame and,
/// under value semantics, shares elements with no other array. Takes over a's reference, or leaves it if it fails.
int32_t give_array(vr_context& ctx, const vr_export& e, int32_t k, vr_array& a, const vr_value* args,
                   const Argument* taken) {
  const bool borrowed = a.owner && a.owner->borrowed;
  if (e.shares && borrowed) {
    // An argument, or a part of one: with a reference to its owner, if the caller got that owner from this library.
    for (int32_t i = 0; i < e.arg_count; ++i)
      if (a.owner == &taken[i].owner) {
        a.owner = args[i].array->owner;
        vr_rt_retain(a.owner);
        return VR_OK;
      }
    a.owner = nullptr;
    return VR_OK;
  }
  if (e.shares || is_unique(a)) return VR_OK;
  vr_array copy;
  const int32_t layout = e.results[k].layout == VR_COLMAJOR ? VR_COLMAJOR : VR_ROWMAJOR;
  if (const int32_t status = vr_rt_copy(&ctx, nullptr, &a, &copy, layout, VR_IN_ENGINE); status != VR_OK) return status;
  vr_rt_release(a.owner);
  a = copy;
  return VR_OK;
}

/// The memory that a call needs.
struct Frame {
  Frame(const vr_export& e)
      : in(new(std::nothrow) vr_value[static_cast<size_t>(e.arg_count) + 1]),
        taken(new(std::nothrow) Argument[static_cast<size_t>(e.arg_count) + 1]),
        out(new(std::nothrow) vr_value[static_cast<size_t>(e.result_count) + 1]),
        made(new(std::nothrow) vr_array[static_cast<size_t>(e.result_count) + 1]) {}
  bool complete() const { return in && taken && out && made; }
  std::unique_ptr<vr_value[]> in;
  std::unique_ptr<Argument[]> taken;
  std::unique_ptr<vr_value[]> out;
  std::unique_ptr<vr_array[]> made;
};

/// The level that this processor supports, as in vr_version::processor.
int32_t processor_level() {
#if defined(__x86_64__)
  static const int32_t level = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return 4;
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
    return __builtin_cpu_supports("x86-64-v2") ? 2 : 1;
  }();
  return level;
#else
  return 0;
#endif
}

/// Whether the argument, which has the right type, has the value for which the version was made.
bool holds(const vr_guard& g, const vr_export& e, const vr_value* args) {
  const vr_value& v = args[g.arg];
  if (g.axis >= 0) return v.array->extent[g.axis] == g.value;
  if (e.args[g.arg].elem & VR_COMPLEX) return false;
  return ir::visit_elem(static_cast<ir::Elem>(e.args[g.arg].elem), [&](auto tag) {
    typename decltype(tag)::type number;
    std::memcpy(static_cast<void*>(&number), &v, sizeof number);
    if constexpr (tag.kind == ir::ElemKind::Logical) return (number != 0) == (g.value != 0);
    if constexpr (tag.kind == ir::ElemKind::Floating) {
      const auto d = static_cast<double>(number);
      return d == static_cast<double>(g.value) && !(d == 0 && std::signbit(d));
    } else {
      return std::cmp_equal(number, g.value);
    }
  });
}

/// The versions of a function; none: the export's entry is the only one.
struct Versions {
  const vr_version* list;
  int32_t count;
};

bool has_kernels(Versions versions) {
  return std::any_of(versions.list, versions.list + versions.count, [](const vr_version& v) { return v.device != 0; });
}

/// Null: no version runs on this processor.
vr_entry choose(const vr_context& ctx, const vr_export& e, Versions versions, const vr_value* args) {
  if (versions.count == 0) return e.entry;
  for (const vr_version* v = versions.list; v < versions.list + versions.count; ++v)
    if (v->processor <= processor_level() && (v->device == 0 || ctx.gpu) &&
        std::all_of(v->guards, v->guards + v->guard_count, [&](const vr_guard& g) { return holds(g, e, args); }))
      return v->entry;
  return nullptr;
}

int32_t run(vr_context& ctx, const vr_export& e, Versions versions, const vr_value* args, void* const* results) {
  Frame f(e);
  if (!f.complete()) return refuse(ctx, e, VR_OUT_OF_MEMORY, "no memory for the call");
  for (int32_t k = 0; k < e.arg_count; ++k) {
    f.in[k] = args[k];
    if (e.args[k].rank == 0) continue;
    if (const int32_t status = take_array(ctx, e, k, args[k].array, f.taken[k]); status != VR_OK) return status;
    f.in[k].array = &f.taken[k].array;
  }
  for (int32_t k = 0; k < e.result_count; ++k) {
    if (!results[k])
      return refuse(ctx, e, VR_TYPE,
                    "result " + std::to_string(k + 1) + " of '" + e.function + "' has no address: it is NULL");
    f.out[k] = {};
    if (e.results[k].rank == 0) continue;
    f.made[k].owner = nullptr;
    f.out[k].array = &f.made[k];
  }
  const DeviceCalls* device = has_kernels(versions) ? device_calls() : nullptr;
  int32_t status = device ? device->begin(ctx, e.function) : int32_t{VR_OK};
  if (status != VR_OK) return status;
  if (const vr_entry entry = choose(ctx, e, versions, f.in.get()))
    status = entry(&ctx, f.in.get(), f.out.get());
  else
    status = refuse(ctx, e, VR_UNSUPPORTED,
                    std::string("'") + e.function + "' was built for other processors than this one (--target)");
  if (device) status = device->end(ctx, status);
  int32_t given = 0;
  for (; given < e.result_count && status == VR_OK; ++given)
    if (e.results[given].rank > 0) status = give_array(ctx, e, given, f.made[given], args, f.taken.get());
  if (status != VR_OK) {
    for (int32_t k = 0; k < e.result_count; ++k)
      if (e.results[k].rank > 0) vr_rt_release(f.made[k].owner);
    return status;
  }
  for (int32_t k = 0; k < e.result_count; ++k) {
    if (e.results[k].rank == 0) {
      std::memcpy(results[k], &f.out[k], static_cast<size_t>(element_bytes(e.results[k].elem)));
      continue;
    }
    std::fill(f.made[k].extent + f.made[k].rank, f.made[k].extent + VR_MAX_RANK, 0);
    std::fill(f.made[k].stride + f.made[k].rank, f.made[k].stride + VR_MAX_RANK, 0);
    *static_cast<vr_array*>(results[k]) = f.made[k];
  }
  return VR_OK;
}

}  // namespace

}  // namespace vr::runtime

using namespace vr::runtime;

extern "C" {

/// Objects refer to this symbol, so that linking fails with a runtime whose structures have another layout.
__attribute__((visibility("default"))) extern const char vrrt_abi_3;
const char vrrt_abi_3 = 1;
static_assert(VR_ABI_VERSION == 3, "rename vrrt_abi_3, here and in src/codegen/llvm/plain_function.cpp");

int32_t vr_rt_call_version(const vr_export* e, const vr_version* versions, int32_t count, const vr_value* args,
                           void* const* results, vr_error* error) {
  vr_context ctx;
  ctx.threads = e->parallel ? thread_count() : 1;
  ctx.stack_limit = vr::stack_limit();
  const int32_t status = run(ctx, *e, {versions, count}, args, results);
  if (status != VR_OK)
    for (int32_t k = 0; k < e->result_count; ++k)
      if (e->results[k].rank > 0 && results[k]) std::memset(results[k], 0, sizeof(vr_array));
  if (error) {
    if (status == VR_OK) {
      error->code = VR_OK;
      error->axis = -1;
      error->index = error->extent = error->raised = 0;
      error->function[0] = error->loc[0] = error->array[0] = error->message[0] = '\0';
    } else {
      *error = ctx.error;
    }
  }
  return status;
}

int32_t vr_rt_call_export(const vr_export* e, const vr_value* args, void* const* results, vr_error* error) {
  return vr_rt_call_version(e, nullptr, 0, args, results, error);
}

int32_t vr_aot_describe(vr_array* out, void* data, int32_t elem, int32_t rank, const int64_t* extents,
                        int column_major) {
  const int64_t width = element_bytes(elem);
  if (width == 0 || rank < 1 || rank > VR_MAX_RANK) return VR_TYPE;
  if (!array_size(rank, extents, width).ok) return VR_SIZE;
  std::memset(out, 0, sizeof *out);
  describe(out, elem, rank, extents, column_major != 0);
  out->data = data;
  return VR_OK;
}

void vr_aot_release(vr_array* array) {
  if (!array) return;
  vr_rt_release(array->owner);
  std::memset(array, 0, sizeof *array);
}

void vr_aot_set_threads(int32_t threads) {
  wanted_threads.store(std::clamp(threads, 0, most_threads), std::memory_order_relaxed);
}
}
