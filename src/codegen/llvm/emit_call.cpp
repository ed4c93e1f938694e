#include "codegen/llvm/emit_call.hpp"

#include "codegen/llvm/structures.hpp"
#include "loop/runtime_table.hpp"
#include "runtime/abi.h"

#include <velociraptor/descriptor.h>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace vr::codegen::llvm_backend {

using lower::none;
using lower::Scalar;

static void check_status(FunctionCode& f, llvm::Value* status) {
  llvm::BasicBlock* failed = f.new_block("failed");
  llvm::BasicBlock* ok = f.new_block("ok");
  f.b.CreateCondBr(f.b.CreateIsNotNull(status), failed, ok,
                   llvm::MDBuilder(f.module.context()).createUnlikelyBranchWeights());
  f.b.SetInsertPoint(failed);
  f.b.CreateStore(status, f.out.status);
  f.b.CreateBr(f.out.cleanup);
  f.b.SetInsertPoint(ok);
}

// Most owners that are released are null, and the optimiser often knows it: it can remove a branch, but not a call.
static void emit_release(FunctionCode& f, const lower::Call& s) {
  llvm::Value* owner = f.exprs.eval(s.args[0].value);
  llvm::BasicBlock* holds = f.new_block("release");
  llvm::BasicBlock* next = f.new_block("released");
  f.b.CreateCondBr(f.b.CreateIsNotNull(owner), holds, next);
  f.b.SetInsertPoint(holds);
  f.b.CreateCall(f.module.runtime(s.fn), {owner});
  f.b.CreateBr(next);
  f.b.SetInsertPoint(next);
}

// A use of the address that generates no instruction: until here the owner stays in a register or on the stack, where a
// garbage collector finds it.
static void emit_keep(FunctionCode& f, const lower::Call& s) {
  llvm::FunctionType* type = llvm::FunctionType::get(f.b.getVoidTy(), {f.b.getPtrTy()}, false);
  llvm::CallInst* use = f.b.CreateCall(llvm::InlineAsm::get(type, "", "r", true), {f.exprs.eval(s.args[0].value)});
  use->setOnlyAccessesInaccessibleMemory();
  use->setDoesNotThrow();
}

void emit(FunctionCode& f, const lower::Call& s) {
  if (s.fn == lower::rt::Keep) return emit_keep(f, s);
  if (s.fn == lower::rt::Release) return emit_release(f, s);
  const lower::RuntimeFunction& row = lower::runtime_table[s.fn];
  llvm::Function* callee = f.module.runtime(s.fn);
  std::vector<llvm::Value*> args;
  if (row.params[0] == 'C') args.push_back(f.context());
  size_t descriptors = 0;
  std::vector<std::pair<const lower::Arg*, llvm::Value*>> read_back;
  for (const lower::Arg& a : s.args) {
    switch (a.kind) {
      case lower::Arg::Kind::Scalar:
        args.push_back(f.exprs.eval(a.value));
        break;
      case lower::Arg::Kind::Array: {
        llvm::Value* descriptor = f.call_memory.descriptor(descriptors++);
        fill_descriptor(f, f.array(a.array), descriptor, a.in);
        if (a.out) read_back.emplace_back(&a, descriptor);
        args.push_back(descriptor);
        break;
      }
      case lower::Arg::Kind::Int64s: {
        const auto count = static_cast<unsigned>(std::max<size_t>(1, a.values.size()));
        llvm::Value* numbers = entry_alloca(f.target, llvm::ArrayType::get(f.b.getInt64Ty(), count), 1, "int64s");
        for (size_t i = 0; i < a.values.size(); ++i) f.b.CreateStore(f.exprs.eval(a.values[i]), at(f, numbers, 8 * i));
        args.push_back(numbers);
        break;
      }
      case lower::Arg::Kind::Site:
        args.push_back(f.module.site(a.site));
        break;
      case lower::Arg::Kind::Text:
        args.push_back(f.module.text(a.text));
        break;
    }
  }
  llvm::CallInst* call = f.b.CreateCall(callee, args);
  if (s.checked) check_status(f, call);
  if (s.result != none) f.variables.set(s.result, call);
  for (const auto& [arg, descriptor] : read_back) read_descriptor(f, descriptor, f.array(arg->array));
}

// Operands as vr_values; arrays by descriptors, of which `descriptors` are in use already.
static void fill_args(FunctionCode& f, const std::vector<lower::Operand>& operands, llvm::Value* values,
                      size_t& descriptors) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const lower::Operand& o = operands[k];
    llvm::Value* value = at(f, values, k * sizeof(vr_value));
    if (o.array != none) {
      llvm::Value* descriptor = f.call_memory.descriptor(descriptors++);
      fill_descriptor(f, f.array(o.array), descriptor, true);
      store_field(f, descriptor, value);
      continue;
    }
    store_field(f, f.variables.get(o.var), value);
    if (o.im != none)
      store_field(f, f.variables.get(o.im),
                  at(f, value, static_cast<uint64_t>(lower::scalar_bytes(f.variables.type(o.var)))));
  }
}

void emit(FunctionCode& f, const lower::CallFunction& s) {
  llvm::Value *args = f.call_memory.args(s.args.size()), *results = f.call_memory.results(s.results.size());
  size_t descriptors = 0;
  fill_args(f, s.args, args, descriptors);
  std::vector<llvm::Value*> result_descriptors(s.results.size());
  for (size_t k = 0; k < s.results.size(); ++k) {
    if (s.results[k].array == none) continue;
    result_descriptors[k] = f.call_memory.descriptor(descriptors++);
    store_field(f, result_descriptors[k], at(f, results, k * sizeof(vr_value)));
  }
  llvm::FunctionType* type =
      llvm::FunctionType::get(f.b.getInt32Ty(), {f.b.getPtrTy(), f.b.getPtrTy(), f.b.getPtrTy()}, false);
  llvm::Value* callee =
      s.callee != none ? static_cast<llvm::Value*>(f.module.function(s.callee)) : f.variables.get(s.handle);
  llvm::CallInst* call = nullptr;
  if (llvm::GlobalVariable* slot = s.callee != none ? f.module.region(s.callee) : nullptr) {
    // Set once by the code that loads the module, before any call.
    llvm::LoadInst* region = f.b.CreateAlignedLoad(f.b.getPtrTy(), slot, llvm::Align(alignof(void*)));
    call = f.b.CreateCall(f.module.runtime(lower::rt::CallRegion), {f.context(), region, callee, args, results});
  } else {
    call = f.b.CreateCall(type, callee, {f.context(), args, results});
    call->setDoesNotThrow();
  }
  check_status(f, call);
  for (size_t k = 0; k < s.results.size(); ++k) {
    const lower::Operand& o = s.results[k];
    if (o.array != none) {
      read_descriptor(f, result_descriptors[k], f.array(o.array));
      continue;
    }
    const Scalar t = f.variables.type(o.var);
    llvm::Value* value = at(f, results, k * sizeof(vr_value));
    f.variables.set(o.var, load_field(f, t, value));
    if (o.im != none)
      f.variables.set(o.im, load_field(f, t, at(f, value, static_cast<uint64_t>(lower::scalar_bytes(t)))));
  }
}

void emit(FunctionCode& f, const lower::TakeAddress& s) { f.variables.set(s.var, f.module.function(s.callee)); }

void emit(FunctionCode& f, const lower::ParallelFor& s) {
  llvm::Value *lo = f.exprs.eval(s.lo), *hi = f.exprs.eval(s.hi);
  const auto count = static_cast<unsigned>(std::max<size_t>(1, s.captures.size()));
  llvm::Value* env = entry_alloca(f.target, llvm::ArrayType::get(f.b.getInt64Ty(), count), 1, "env");
  for (size_t i = 0; i < s.captures.size(); ++i) store_field(f, f.variables.get(s.captures[i]), at(f, env, 8 * i));
  check_status(f, f.b.CreateCall(f.module.runtime(lower::rt::ParallelFor),
                                 {f.context(), f.module.site(s.site), f.module.function(s.task), env, lo, hi}));
}

// Two loads that are never removed (other threads may change the values), and a branch. Known facts about other memory stay
// valid: the loads impose no order, and the call behind the branch touches no memory that the generated code can access.
void emit(FunctionCode& f, const lower::Poll& s) {
  static_assert(std::atomic<int32_t>::is_always_lock_free && sizeof(std::atomic<int32_t>) == 4);
  auto look = [&](llvm::Value* address) {
    llvm::LoadInst* number = f.b.CreateAlignedLoad(f.b.getInt32Ty(), address, llvm::Align(4), /*isVolatile=*/true);
    number->setAtomic(llvm::AtomicOrdering::Unordered);
    return number;
  };
  llvm::LoadInst* flag = f.b.CreateAlignedLoad(f.b.getPtrTy(), at(f, f.context(), offsetof(vr_context, interrupt)),
                                               llvm::Align(alignof(void*)));
  flag->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(f.module.context(), {}));
  llvm::Value* any = f.b.CreateOr(look(flag), look(at(f, f.context(), offsetof(vr_context, failed))));
  llvm::BasicBlock* asks = f.new_block("poll");
  llvm::BasicBlock* next = f.new_block("polled");
  f.b.CreateCondBr(f.b.CreateIsNotNull(any), asks, next,
                   llvm::MDBuilder(f.module.context()).createUnlikelyBranchWeights());
  f.b.SetInsertPoint(asks);
  llvm::CallInst* status = f.b.CreateCall(f.module.runtime(lower::rt::Poll), {f.context(), f.module.site(s.site)});
  status->addFnAttr(llvm::Attribute::Cold);
  status->setOnlyAccessesInaccessibleMemory();
  check_status(f, status);
  f.b.CreateBr(next);
  f.b.SetInsertPoint(next);
}

void emit(FunctionCode& f, const lower::Launch& s) {
  llvm::Value* counts = entry_alloca(
      f.target, llvm::ArrayType::get(f.b.getInt64Ty(), static_cast<unsigned>(s.counts.size())), 1, "counts");
  for (size_t i = 0; i < s.counts.size(); ++i) f.b.CreateStore(f.exprs.eval(s.counts[i]), at(f, counts, 8 * i));
  llvm::Value* args = f.call_memory.args(s.args.size());
  size_t descriptors = 0;
  fill_args(f, s.args, args, descriptors);
  check_status(f, f.b.CreateCall(f.module.runtime(lower::rt::GpuLaunch),
                                 {f.context(), f.module.site(s.site), f.module.kernel(s.kernel), counts, args}));
}

}  // namespace vr::codegen::llvm_backend
