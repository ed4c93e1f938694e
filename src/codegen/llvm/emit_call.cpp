// Calls: of the runtime, of other functions, parallel loops and kernel launches. Descriptors in memory exist only here.
#include "codegen/llvm/emit_function.hpp"
#include "lower/runtime_table.hpp"

#include <velociraptor/descriptor.h>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

namespace vr::codegen::llvm_backend {

using lower::none;
using lower::Scalar;

void FunctionEmitter::check_status(Value status) {
  llvm::BasicBlock* failed = new_block("failed");
  llvm::BasicBlock* ok = new_block("ok");
  b_.CreateCondBr(b_.CreateIsNotNull(status), failed, ok, llvm::MDBuilder(context_).createUnlikelyBranchWeights());
  b_.SetInsertPoint(failed);
  b_.CreateStore(status, status_);
  b_.CreateBr(cleanup_);
  b_.SetInsertPoint(ok);
}

// Most owners that are given up hold nothing, and the optimiser sees which: a branch that it folds, not a call.
void FunctionEmitter::emit_release(const lower::Call& s) {
  Value owner = eval(s.args[0].value);
  llvm::BasicBlock* holds = new_block("release");
  llvm::BasicBlock* next = new_block("released");
  b_.CreateCondBr(b_.CreateIsNotNull(owner), holds, next);
  b_.SetInsertPoint(holds);
  b_.CreateCall(module_.runtime(s.fn), {owner});
  b_.CreateBr(next);
  b_.SetInsertPoint(next);
}

// A use of the address that costs no instruction.
void FunctionEmitter::emit_keep(const lower::Call& s) {
  llvm::FunctionType* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false);
  llvm::CallInst* use = b_.CreateCall(llvm::InlineAsm::get(type, "", "r", true), {eval(s.args[0].value)});
  use->setOnlyAccessesInaccessibleMemory();
  use->setDoesNotThrow();
}

void FunctionEmitter::emit(const lower::Call& s) {
  if (s.fn == lower::rt::Keep) return emit_keep(s);
  if (s.fn == lower::rt::Release) return emit_release(s);
  const lower::RuntimeFunction& row = lower::runtime_table[s.fn];
  llvm::Function* callee = module_.runtime(s.fn);
  std::vector<Value> args;
  if (row.params[0] == 'C') args.push_back(ctx_);
  size_t descriptors = 0;
  std::vector<std::pair<const lower::Arg*, Value>> read_back;
  for (const lower::Arg& a : s.args) {
    switch (a.kind) {
      case lower::Arg::Kind::Scalar:
        args.push_back(eval(a.value));
        break;
      case lower::Arg::Kind::Array: {
        Value descriptor = descriptor_slot(descriptors++);
        fill_descriptor(array(a.array), descriptor, a.in);
        if (a.out) read_back.emplace_back(&a, descriptor);
        args.push_back(descriptor);
        break;
      }
      case lower::Arg::Kind::Int64s: {
        const auto count = static_cast<unsigned>(std::max<size_t>(1, a.values.size()));
        Value numbers = entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), count), 1, "int64s");
        for (size_t i = 0; i < a.values.size(); ++i) b_.CreateStore(eval(a.values[i]), at(numbers, 8 * i));
        args.push_back(numbers);
        break;
      }
      case lower::Arg::Kind::Site:
        args.push_back(module_.site(a.site));
        break;
      case lower::Arg::Kind::Text:
        args.push_back(module_.text(a.text));
        break;
    }
  }
  llvm::CallInst* call = b_.CreateCall(callee, args);
  if (s.checked) check_status(call);
  if (s.result != none) set(s.result, call);
  for (const auto& [arg, descriptor] : read_back) read_descriptor(descriptor, array(arg->array));
}

// Operands as vr_values; arrays by descriptors, of which `descriptors` are in use already.
void FunctionEmitter::fill_args(const std::vector<lower::Operand>& operands, Value values, size_t& descriptors) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const lower::Operand& o = operands[k];
    Value value = at(values, k * sizeof(vr_value));
    if (o.array != none) {
      Value descriptor = descriptor_slot(descriptors++);
      fill_descriptor(array(o.array), descriptor, true);
      store_field(descriptor, value);
      continue;
    }
    store_field(get(o.var), value);
    if (o.im != none) store_field(get(o.im), at(value, static_cast<uint64_t>(lower::scalar_bytes(type_of(o.var)))));
  }
}

void FunctionEmitter::emit(const lower::CallFunction& s) {
  Value args = args_memory(s.args.size()), results = results_memory(s.results.size());
  size_t descriptors = 0;
  fill_args(s.args, args, descriptors);
  std::vector<Value> result_descriptors(s.results.size());
  for (size_t k = 0; k < s.results.size(); ++k) {
    if (s.results[k].array == none) continue;
    result_descriptors[k] = descriptor_slot(descriptors++);
    store_field(result_descriptors[k], at(results, k * sizeof(vr_value)));
  }
  llvm::FunctionType* type =
      llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy(), b_.getPtrTy(), b_.getPtrTy()}, false);
  Value callee = s.callee != none ? static_cast<Value>(module_.function(s.callee)) : get(s.handle);
  llvm::CallInst* call = nullptr;
  if (llvm::GlobalVariable* slot = s.callee != none ? module_.region(s.callee) : nullptr) {
    // Whoever loads the code sets it, once, before anybody calls.
    llvm::LoadInst* region = b_.CreateAlignedLoad(b_.getPtrTy(), slot, llvm::Align(alignof(void*)));
    call = b_.CreateCall(module_.runtime(lower::rt::CallRegion), {ctx_, region, callee, args, results});
  } else {
    call = b_.CreateCall(type, callee, {ctx_, args, results});
    call->setDoesNotThrow();
  }
  check_status(call);
  for (size_t k = 0; k < s.results.size(); ++k) {
    const lower::Operand& o = s.results[k];
    if (o.array != none) {
      read_descriptor(result_descriptors[k], array(o.array));
      continue;
    }
    const Scalar t = type_of(o.var);
    Value value = at(results, k * sizeof(vr_value));
    set(o.var, load_field(t, value));
    if (o.im != none) set(o.im, load_field(t, at(value, static_cast<uint64_t>(lower::scalar_bytes(t)))));
  }
}

void FunctionEmitter::emit(const lower::TakeAddress& s) { set(s.var, module_.function(s.callee)); }

void FunctionEmitter::emit(const lower::Scratch& s) {
  llvm::AllocaInst* memory =
      entry_alloca(llvm::ArrayType::get(b_.getInt8Ty(), static_cast<uint64_t>(s.bytes)), 1, "scratch");
  memory->setAlignment(llvm::Align(64));
  set(s.var, memory);
}

void FunctionEmitter::emit(const lower::ParallelFor& s) {
  Value lo = eval(s.lo), hi = eval(s.hi);
  const auto count = static_cast<unsigned>(std::max<size_t>(1, s.captures.size()));
  Value env = entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), count), 1, "env");
  for (size_t i = 0; i < s.captures.size(); ++i) store_field(get(s.captures[i]), at(env, 8 * i));
  check_status(b_.CreateCall(module_.runtime(lower::rt::ParallelFor), {ctx_, module_.function(s.task), env, lo, hi}));
}

void FunctionEmitter::emit(const lower::Launch& s) {
  Value counts =
      entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), static_cast<unsigned>(s.counts.size())), 1, "counts");
  for (size_t i = 0; i < s.counts.size(); ++i) b_.CreateStore(eval(s.counts[i]), at(counts, 8 * i));
  Value args = args_memory(s.args.size());
  size_t descriptors = 0;
  fill_args(s.args, args, descriptors);
  check_status(b_.CreateCall(module_.runtime(lower::rt::GpuLaunch),
                             {ctx_, module_.site(s.site), module_.kernel(s.kernel), counts, args}));
}

}  // namespace vr::codegen::llvm_backend
