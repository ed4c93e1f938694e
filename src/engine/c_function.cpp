// Compiled functions with C's calling convention: the engine's part of each call.
#include "codegen/llvm/c_entry.hpp"
#include "engine/guarded.hpp"
#include "engine/state.hpp"
#include "runtime/abi.h"
#include "runtime/cpu/poll.hpp"
#include "support/stack.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace vr {
namespace engine {

/// The greatest number of parameters of a C function.
constexpr size_t most_c_parameters = 16;

struct CFunctionState {
  std::shared_ptr<FunctionState> function;
  std::vector<ir::Type> parameters;
  std::optional<ir::Type> result;
  CFunction::Failed failed;
  void* data;
  std::unique_ptr<codegen::llvm_backend::CEntry> code;
};

namespace {

/// For the elements at an address: the largest possible extent.
vr_array unbounded(const ir::Type& t, void* address) {
  vr_array a = {};
  a.data = address;
  a.elem = static_cast<int32_t>(t.elem) | (t.complex ? VR_COMPLEX : 0);
  a.rank = 1;
  a.stride[0] = ir::elem_bytes(t.elem) * (t.complex ? 2 : 1);
  a.extent[0] = std::numeric_limits<int64_t>::max() / 4 / a.stride[0];
  return a;
}

void enter(void* data, const vr_value* args, vr_value* result) {
  const auto& s = *static_cast<const CFunctionState*>(data);
  const FunctionState& f = *s.function;
  const ModuleState& m = *f.module;
  const EngineState& e = *m.engine;
  std::array<vr_array, most_c_parameters> arrays;
  std::array<vr_value, most_c_parameters> in;
  for (size_t k = 0; k < s.parameters.size(); ++k) {
    in[k] = args[k];
    if (!s.parameters[k].is_array()) continue;
    arrays[k] = unbounded(s.parameters[k], args[k].array);  // any address: the C function stored it as a pointer
    in[k].array = &arrays[k];
  }
  vr_context ctx;
  ctx.host = &e.binding;
  ctx.interrupt = runtime::interrupt_of(e.binding);
  ctx.threads = e.generation == process_generation() && m.target != Target::Cpu ? e.threads : 1;
  ctx.stack_limit = stack_limit();
  ctx.on_host = &m.on_host;
  ctx.externals = &m.externals;
  vr_value out = {};
  if (f.entry->load(std::memory_order_acquire)(&ctx, in.data(), &out) == VR_OK) {
    *result = out;
    return;
  }
  *result = {};
  Error error = make_error(static_cast<Code>(ctx.error.code), "");
  error.record = ErrorRecord::from(ctx.error);
  s.failed(s.data, error);
}

Result<std::shared_ptr<CFunctionState>> make(const std::shared_ptr<FunctionState>& f, CFunction::Failed failed,
                                             void* data) {
  auto refused = [&](const std::string& why) {
    return make_error(Code::Unsupported, fmt::format("'{}' as a C function: {}", f->ir->name, why));
  };
  const ModuleState& m = *f->module;
  if (!f->entry) return refused("the interpreter generates no code");
  if (m.engine->gpu) return refused("its engine runs sections on a device");
  if (m.conventions.memory == ir::MemoryMode::Boehm) return refused("its arrays are collected memory");
  auto s = std::make_shared<CFunctionState>();
  codegen::llvm_backend::CSignature signature;
  auto by_value = [](const ir::Type& t) {
    return t.is_scalar() && !t.complex && t.elem != Elem::Float16 && t.elem != Elem::BFloat16;
  };
  for (const ir::Type& t : f->ir->type.components()) {
    const bool pointer = t.is_array() && t.rank == 1 && t.layout == ir::Layout::RowMajor;
    if (!pointer && !by_value(t)) return refused(fmt::format("an argument is {}", t.text()));
    signature.parameters.push_back(pointer ? std::nullopt : std::optional<ir::Elem>(t.elem));
    s->parameters.push_back(t);
  }
  if (s->parameters.size() > most_c_parameters)
    return refused(fmt::format("it has more than {} arguments", most_c_parameters));
  const auto& outs = f->ir->type.outputs();
  if (outs.size() > 1) return refused("it has several results");
  if (outs.size() == 1 && !outs[0].is_void()) {
    if (!by_value(outs[0])) return refused(fmt::format("the result is {}", outs[0].text()));
    signature.result = outs[0].elem;
    s->result = outs[0];
  }
  s->function = f;
  s->failed = failed;
  s->data = data;
  auto code = codegen::llvm_backend::compile_c_entry(signature, enter, s.get());
  if (!code) return code.error();
  s->code = std::move(*code);
  return s;
}

}  // namespace
}  // namespace engine

void* CFunction::address() const { return state_->code->address(); }

Result<CFunction> Function::c_function(CFunction::Failed failed, void* data) const {
  auto made = engine::guarded([&] { return engine::make(state_, failed, data); });
  if (!made) return made.error();
  return CFunction(std::move(*made));
}

}  // namespace vr
