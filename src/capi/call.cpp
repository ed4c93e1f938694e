// Calls: arguments from C to vr::Value and results back; the context of a native call.
#include "capi/handles.hpp"
#include "engine/native_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace vr;
using namespace vr::capi;

namespace {

Status to_value(const EngineState& engine, size_t k, const vr_datum& d, Value* out) {
  const bool builtin = !engine.host;
  switch (d.kind) {
    case VR_DATUM_SCALAR:
      if (!is_elem(d.elem)) return usage(fmt::format("argument {}: {} is no element code", k + 1, d.elem));
      *out = Value::scalar(elem_of(d.elem), complex_of(d.elem), d.as.scalar);
      return {};
    case VR_DATUM_ARRAY:
      if (!builtin)
        return make_error(Code::Type, fmt::format("argument {} is a vr_ndarray, but the engine's arrays are those of "
                                                  "host '{}' (VR_DATUM_OBJECT)",
                                                  k + 1, engine.host->name));
      if (!d.as.array) return usage(fmt::format("argument {} is a NULL array", k + 1));
      *out = Value(share(d.as.array));
      return {};
    case VR_DATUM_OBJECT:
      if (builtin)
        return make_error(Code::Type, fmt::format("argument {} is a host's object, but the engine has the built-in "
                                                  "host (VR_DATUM_ARRAY)",
                                                  k + 1));
      if (!d.as.object) return usage(fmt::format("argument {} is a NULL object", k + 1));
      *out = Value::object(d.as.object);
      return {};
    default:
      return usage(fmt::format("argument {}: {} is no VR_DATUM_... that has a value", k + 1, d.kind));
  }
}

template <class Work>
vr_status with_array(const vr_engine* engine, const vr_datum* array, vr_failure** failure, Work&& work) {
  return border(failure, [&]() -> Status {
    if (!engine) return null_argument("engine");
    if (!array) return null_argument("array");
    Value value;
    if (Status s = to_value(*engine->state, 0, *array, &value); !s) return s;
    return work(engine->state->engine, value);
  });
}

/// The state of native calls, and the engine with the host that it refers to, which goes last.
struct OwnContext : vr::engine::NativeState {
  EnginePtr keep;
  OwnContext(EnginePtr e, Function f) : NativeState(std::move(f)), keep(std::move(e)) {}
  ~OwnContext() { const Function first = std::move(function); }
};

}  // namespace

namespace vr::capi {
vr_datum to_datum(const Value& v) {
  if (v.is_scalar()) return vr_datum_scalar(code_of(v.type().elem, v.type().complex), v.raw());
  if (v.array()) return vr_datum_array(wrap(Array(v.array()).release()));
  return v.is_object() ? vr_datum_object(v.object()) : vr_datum_none();
}
}  // namespace vr::capi

extern "C" {

void vr_thread_stack(void* low, size_t size) { set_stack_bounds(low, size); }

vr_status vr_engine_keep_on_device(const vr_engine* engine, const vr_datum* array, vr_failure** failure) {
  return with_array(engine, array, failure, [](const Engine& e, const Value& v) { return e.keep_on_device(v); });
}
vr_status vr_engine_look_at(const vr_engine* engine, const vr_datum* array, int32_t write, vr_failure** failure) {
  return with_array(engine, array, failure, [&](const Engine& e, const Value& v) { return e.look_at(v, write != 0); });
}
vr_status vr_engine_drop_from_device(const vr_engine* engine, const vr_datum* array, vr_failure** failure) {
  return with_array(engine, array, failure, [](const Engine& e, const Value& v) { return e.drop_from_device(v); });
}

vr_status vr_engine_forget_on_device(const vr_engine* engine, const vr_datum* array, vr_failure** failure) {
  return with_array(engine, array, failure, [](const Engine& e, const Value& v) { return e.forget_on_device(v); });
}

vr_status vr_function_call(const vr_function* function, size_t argument_count, const vr_datum* arguments,
                           size_t result_count, vr_datum* results, vr_failure** failure) {
  if (results) std::fill_n(results, result_count, vr_datum_none());
  return border(failure, [&]() -> Status {
    if (!function) return null_argument("function");
    if (argument_count > 0 && !arguments) return null_argument("arguments");
    if (result_count > 0 && !results) return null_argument("results");
    const size_t due = vr_function_result_count(function);
    if (result_count != due)
      return usage(fmt::format("'{}' has {} result{}, but the caller provides space for {}", function->function.name(),
                               due, due == 1 ? "" : "s", result_count));
    std::vector<Value> values(argument_count);
    for (size_t k = 0; k < argument_count; ++k)
      if (Status s = to_value(*function->engine, k, arguments[k], &values[k]); !s) return s;
    auto out = function->function.call(values);
    if (!out) return out.error();
    for (size_t k = 0; k < result_count && k < out->size(); ++k) results[k] = to_datum((*out)[k]);
    return {};
  });
}

void vr_datum_release(vr_datum* data, size_t count) {
  for (size_t k = 0; data && k < count; ++k) {
    if (data[k].kind == VR_DATUM_ARRAY) vr_ndarray_release(data[k].as.array);
    data[k] = vr_datum_none();
  }
}

vr_status vr_context_create(const vr_function* function, vr_context** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!function) return null_argument("function");
    auto context = std::make_unique<OwnContext>(function->engine, function->function);
    if (Status s = context->prepare(); !s) return s;
    *out = context.release();
    return {};
  });
}
void vr_context_free(vr_context* context) { delete static_cast<OwnContext*>(context); }
const vr_error* vr_context_error(const vr_context* context) {
  return context ? static_cast<const OwnContext*>(context)->fault() : nullptr;
}
void vr_context_reset(vr_context* context) {
  if (!context) return;
  context->failed.store(VR_OK);
  context->error = {};
}
void vr_array_drop(vr_array* array) {
  if (!array) return;
  vr_rt_release(array->owner);
  *array = {};
}

}  // extern "C"
