// A call by the host: its objects are described by descriptors, native code runs, and the results become host objects.
#include "engine/scalar_convert.hpp"
#include "engine/state.hpp"
#include "interp/interp.hpp"
#include "runtime/abi.h"
#include "runtime/cpu/collect.hpp"
#include "runtime/cpu/fail.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/poll.hpp"
#include "runtime/cpu/sizes.hpp"
#include "support/stack.hpp"
#include "support/trace.hpp"

#include <fmt/format.h>

#include <memory>

namespace vr::engine {

namespace {

Error fault(Code code, const FunctionState& f, std::string message) {
  Error e = make_error(code, "");
  ErrorRecord r;
  r.code = code;
  r.function = f.ir->name;
  r.message = std::move(message);
  e.record = std::move(r);
  return e;
}

std::string argument_name(const FunctionState& f, size_t k) {
  const ir::Symbol* s = k < f.ir->args.size() ? f.ir->symbols.find(f.ir->args[k]) : nullptr;
  return fmt::format("argument {} ('{}') of '{}'", k + 1, s ? s->name : "?", f.ir->name);
}

/// Whether the elements are contiguous; strides of axes with at most one element do not matter and are set
/// to those of the layout, because generated code relies on them.
bool make_contiguous(vr_array* a, ir::Layout layout, int64_t bytes) {
  bool empty = false;
  for (int k = 0; k < a->rank; ++k) empty = empty || a->extent[k] == 0;
  int64_t next = bytes;
  for (int step = 0; step < a->rank; ++step) {
    int k = layout == ir::Layout::ColMajor ? step : a->rank - 1 - step;
    if (!empty && a->extent[k] > 1 && a->stride[k] != next) return false;
    a->stride[k] = next;
    next *= a->extent[k];
  }
  return true;
}

Status describe_argument(const FunctionState& f, size_t k, const ir::Type& t, void* object, vr_array* out) {
  if (!object)
    return fault(Code::Type, f, fmt::format("{} must be an array of type {}", argument_name(f, k), t.text()));
  const HostBinding& host = f.module->engine->binding;
  if (read_descriptor(host, object, out) != VR_OK)
    return fault(Code::Type, f,
                 fmt::format("{} has an element type or rank that VRIR does not have", argument_name(f, k)));
  const int32_t elem = static_cast<int32_t>(t.elem) | (t.complex ? VR_COMPLEX : 0);
  auto type_text = [&] {
    return fmt::format("{}{} array of rank {}", out->elem & VR_COMPLEX ? "complex " : "",
                       ir::elem_name(static_cast<Elem>(out->elem & ~VR_COMPLEX)), out->rank);
  };
  if (out->elem != elem || out->rank != t.rank)
    return fault(Code::Type, f, fmt::format("{} must be {}, not a {}", argument_name(f, k), t.text(), type_text()));
  const int64_t bytes = ir::elem_bytes(t.elem) * (t.complex ? 2 : 1);
  if (t.layout != ir::Layout::Strided && !make_contiguous(out, t.layout, bytes))
    return fault(Code::Type, f,
                 fmt::format("{} must be contiguous in {} order", argument_name(f, k), ir::layout_name(t.layout)));
  Status ok;  // `return {}` would first clear the memory for an error, which takes a noticeable part of a call
  return ok;
}

/// Releases the host's lock while native code runs.
class WithoutLock {
 public:
  explicit WithoutLock(const HostBinding& host) : host_(host) {
    if (host_.release_lock) host_.release_lock(host_.context);
  }
  ~WithoutLock() {
    if (host_.take_lock) host_.take_lock(host_.context);
  }

 private:
  const HostBinding& host_;
};

Value result_value(const HostBinding& host, void* object) {
  // With the built-in host the value takes the reference; with others the caller does.
  if (host.retain == builtin_binding().retain) return Value(Array::adopt(static_cast<ArrayObject*>(object)));
  return Value::object(object);
}

Error error_of(const HostBinding& host, const vr_error& e) {
  if (host.raise) host.raise(host.context, &e);
  Error error = make_error(static_cast<Code>(e.code), "");
  error.record = ErrorRecord::from(e);
  return error;
}

/// An array argument. Its owner does not count references: the caller keeps the object alive.
struct Argument {
  vr_array array;
  vr_owner owner;
};

/// Uninitialised memory for n objects: on the stack if they are few, because a call should not allocate.
template <class T, size_t few>
class Room {
 public:
  explicit Room(size_t n) {
    if (n > few) {
      many_ = std::make_unique<T[]>(n);
      data_ = many_.get();
    }
  }
  T* data() { return data_; }
  T& operator[](size_t k) { return data_[k]; }

 private:
  T few_[few];
  std::unique_ptr<T[]> many_;
  T* data_ = few_;
};

// ---------------------------------------------------------------- the interpreter with the same interface
Result<std::vector<Value>> interpret(const FunctionState& f, std::span<const Value> args) {
  const ModuleState& m = *f.module;
  const HostBinding& host = m.engine->binding;
  const auto& types = f.ir->type.components();
  std::vector<Value> in;
  std::vector<std::pair<const ArrayObject*, void*>>
      borrowed;  // what stands for each array argument, and the host's object
  for (size_t k = 0; k < types.size(); ++k) {
    if (!types[k].is_array()) {
      vr_value raw;
      if (!types[k].is_scalar() || !convert_scalar(args[k], types[k], &raw))
        return fault(Code::Type, f, fmt::format("{} must be {}", argument_name(f, k), types[k].text()));
      in.push_back(Value::scalar(types[k].elem, types[k].complex, raw));
      continue;
    }
    vr_array d;
    if (Status s = describe_argument(f, k, types[k], args[k].object(), &d); !s) return s.error();
    if (args[k].array()) {
      in.push_back(args[k]);
      continue;
    }
    const size_t rank = static_cast<size_t>(d.rank);
    const auto borrow =
        d.flags & VR_ARRAY_READ_ONLY
            ? Array::borrow_const(d.data, types[k].elem, types[k].complex, {d.extent, rank}, {d.stride, rank})
            : Array::borrow(d.data, types[k].elem, types[k].complex, {d.extent, rank}, {d.stride, rank});
    borrowed.emplace_back(borrow.object(), args[k].object());
    in.push_back(Value(borrow));
  }
  interp::InterpOptions o;
  o.step_limit = m.engine->options.interp_step_limit;
  o.memory_limit = m.engine->options.interp_memory_limit;
  o.force_checks = m.engine->options.force_checks;
  o.host = &host;
  o.externals = &m.externals;
  auto out = interp::run(*m.ir, m.conventions, f.ir->name, in, o);
  if (!out) {
    const Error& e = out.error();
    if (host.raise && e.record) {
      vr_error record = {};
      record.code = static_cast<int32_t>(e.record->code);
      record.axis = e.record->axis;
      record.index = e.record->index;
      record.extent = e.record->extent;
      record.raised = e.record->raised;
      auto copy = [](const std::string& s, auto& to) { fmt::format_to_n(to, sizeof to - 1, "{}", s); };
      copy(e.record->function, record.function);
      copy(e.record->loc, record.loc);
      copy(e.record->array, record.array);
      copy(e.record->message, record.message);
      host.raise(host.context, &record);
    }
    return e;
  }
  if (host.retain == builtin_binding().retain) return out;
  // Results for another host. As native code does: an argument itself, a view of one, or a new object with the
  // elements.
  auto argument_with_elements_of = [&](const Array& result) -> void* {
    const ArrayObject* root = result.object();
    while (root->base) root = root->base;
    for (const auto& [array, object] : borrowed)
      if (array == root) return object;
    return nullptr;
  };
  const bool shares = m.conventions.assign == ir::AssignMode::Share;
  std::vector<Value> results;
  for (const Value& v : *out) {
    if (!v.array()) {
      results.push_back(v);
      continue;
    }
    vr_context ctx;
    ctx.host = &host;
    vr_array d = v.array().descriptor();
    vr_owner owner;
    if (void* argument = shares ? argument_with_elements_of(v.array()) : nullptr) {
      runtime::init_borrowed_owner(&owner, &host, argument);
      d.owner = &owner;
    }
    void* object = nullptr;
    const ir::Layout layout = f.ir->type.outputs()[results.size()].layout;
    int32_t status;
    {
      WithoutLock unlocked(host);
      status = runtime::to_host_object(&ctx, nullptr, &d, layout == ir::Layout::Strided ? ir::Layout::RowMajor : layout,
                                       m.conventions.slices == ir::SliceMode::View, &object);
    }
    if (status != VR_OK) {
      for (const Value& made : results)
        if (made.is_object()) host.release(host.context, made.object());
      return error_of(host, ctx.error);
    }
    results.push_back(Value::object(object));
  }
  return results;
}

/// Makes the arrays among the results of a call resident whose elements are computed in its section, which is still
/// open. Other arrays, such as those that the caller gave, may also be those of another group, which would wait for
/// this one.
void make_resident(EngineState& e, const std::vector<ir::Type>& types, vr_value* out, Residence& residence) {
  residence.results.assign(types.size(), false);
  for (size_t k = 0; k < types.size(); ++k) {
    if (!types[k].is_array()) continue;
    const vr_array& a = *out[k].array;
    if (runtime::element_count(a) > 0)
      residence.results[k] =
          runtime::becomes_object(a) ? e.gpu->keep(a, residence.group).ok() : e.gpu->keep_again(a, residence.group);
  }
}
/// After a fault.
void forget_resident(EngineState& e, const vr_value* out, Residence& residence) {
  for (size_t k = 0; k < residence.results.size(); ++k)
    if (residence.results[k]) (void)e.gpu->forget(*out[k].array);
  residence.results.clear();
}

}  // namespace

Result<std::vector<Value>> call(const FunctionState& f, std::span<const Value> args, Residence* residence) {
  trace::Span span("call", f.ir->name.c_str());
  const ModuleState& m = *f.module;
  const EngineState& e = *m.engine;
  const HostBinding& host = e.binding;
  const auto& ins = f.ir->type.components();
  const auto& outs = f.ir->type.outputs();
  if (args.size() != ins.size())
    return fault(Code::Type, f,
                 fmt::format("'{}' takes {} argument{}, not {}", f.ir->name, ins.size(), ins.size() == 1 ? "" : "s",
                             args.size()));
  if (e.generation != process_generation() && m.target != Target::Cpu && m.target != Target::Interp)
    return fault(Code::Forked, f,
                 "the engine's threads and device do not exist in the forked process; create a new engine");
  for (const ir::Type& t : outs)
    if (!t.is_numeric() && !t.is_void())
      return fault(Code::Unsupported, f, fmt::format("a result is {}, which no host has", t.text()));
  if (!f.entry) return interpret(f, args);

  Room<Argument, 8> arrays(ins.size());
  Room<vr_value, 8> in(ins.size());
  for (size_t k = 0; k < ins.size(); ++k) {
    if (ins[k].is_array()) {
      Argument& a = arrays[k];
      if (Status s = describe_argument(f, k, ins[k], args[k].object(), &a.array); !s) return s.error();
      runtime::init_borrowed_owner(&a.owner, &host, args[k].object());
      a.array.owner = &a.owner;
      in[k].array = &a.array;
    } else if (!ins[k].is_scalar() || !convert_scalar(args[k], ins[k], &in[k])) {
      return fault(Code::Type, f, fmt::format("{} must be {}", argument_name(f, k), ins[k].text()));
    }
  }
  const size_t count = outs.size() == 1 && outs[0].is_void() ? 0 : outs.size();
  Room<vr_value, 4> out(count);
  const bool collected = m.conventions.memory == ir::MemoryMode::Boehm;
  runtime::CollectorScope collector(collected);
  Room<vr_array, 4> counted_arrays(collected ? 0 : count);
  runtime::CollectedDescriptors collected_arrays(collected ? count : 0);
  vr_array* out_arrays = collected ? collected_arrays.data() : counted_arrays.data();
  if (count > 0 && !out_arrays) return fault(Code::OutOfMemory, f, "no memory for the results");
  for (size_t k = 0; k < count; ++k) {
    out[k] = {};
    if (!outs[k].is_array()) continue;
    out[k].array = &out_arrays[k];
    out_arrays[k].owner = nullptr;
  }

  vr_context ctx;
  ctx.host = &host;
  ctx.interrupt = runtime::interrupt_of(host);
  ctx.threads = m.target == Target::Cpu ? 1 : e.threads;
  ctx.collected = collected;
  ctx.stack_limit = stack_limit();
  ctx.gpu = e.gpu.get();
  ctx.on_host = &m.on_host;
  ctx.externals = &m.externals;
  std::vector<Value> results;
  results.resize(count);
  int32_t status;
  {
    WithoutLock unlocked(host);
    {
      trace::Span native("native", f.ir->name.c_str());
      status = f.entry->load(std::memory_order_acquire)(&ctx, in.data(), out.data());
    }
    if (e.gpu) {
      if (!f.has_sections || collected || host.retain != builtin_binding().retain) residence = nullptr;
      if (status == VR_OK && residence) make_resident(*m.engine, outs, out.data(), *residence);
      if (status == VR_OK) status = e.gpu->close(&ctx);
      e.gpu->abandon(&ctx);
    }
    const bool kept = e.gpu && residence && !residence->results.empty();
    // Parts of resident arrays are copied from the host's memory below, if the host has no views.
    for (size_t k = 0; e.gpu && m.conventions.slices != ir::SliceMode::View && k < count && status == VR_OK; ++k)
      if (outs[k].is_array() && !(kept && residence->results[k]) && !e.gpu->look(*out[k].array, false).ok())
        status = runtime::fail(&ctx, nullptr, VR_DEVICE, "elements of a result that only the device had are lost");
    auto give = [&](size_t k) {
      const ir::Type& t = outs[k];
      if (t.is_scalar()) {
        results[k] = Value::scalar(t.elem, t.complex, out[k]);
        return;
      }
      void* object = nullptr;
      const ir::Layout layout = t.layout == ir::Layout::Strided ? ir::Layout::RowMajor : t.layout;
      status = runtime::to_host_object(&ctx, nullptr, out[k].array, layout, m.conventions.slices == ir::SliceMode::View,
                                       &object);
      if (status == VR_OK) {
        runtime::HostLock lock(host);
        results[k] = result_value(host, object);
      }
    };
    // Whole garbage-collected arrays first: other results may be views of them.
    auto first = [&](size_t k) { return collected && outs[k].is_array() && runtime::is_whole_block(*out[k].array); };
    for (size_t k = 0; collected && k < count && status == VR_OK; ++k)
      if (first(k)) give(k);
    for (size_t k = 0; k < count && status == VR_OK; ++k)
      if (!first(k)) give(k);
    if (kept && status != VR_OK) forget_resident(*m.engine, out.data(), *residence);
    for (size_t k = 0; k < count; ++k)
      if (outs[k].is_array()) vr_rt_release(out_arrays[k].owner);
    if (status != VR_OK && host.retain != builtin_binding().retain) {
      runtime::HostLock lock(host);
      for (const Value& made : results)
        if (made.is_object()) host.release(host.context, made.object());
    }
  }
  if (status != VR_OK) return error_of(host, ctx.error);
  return results;
}

}  // namespace vr::engine
