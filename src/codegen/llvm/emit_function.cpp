#include "codegen/llvm/emit_function.hpp"

#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>

#include <cstddef>

namespace vr::codegen::llvm_backend {

using lower::none;
using lower::Scalar;

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const lower::Function& source, llvm::Function* target)
    : module_(module), f_(source), target_(target), context_(module.context()), b_(module.context()) {
  llvm::FastMathFlags flags;
  const uint8_t granted = source.fast_math;
  flags.setAllowReassoc(granted & ir::fastmath::Reassoc);
  flags.setAllowContract(granted & ir::fastmath::Contract);
  flags.setAllowReciprocal(granted & ir::fastmath::Arcp);
  flags.setNoNaNs(granted & ir::fastmath::Nnan);
  flags.setNoInfs(granted & ir::fastmath::Ninf);
  flags.setNoSignedZeros(granted & ir::fastmath::Nsz);
  flags.setApproxFunc(granted & ir::fastmath::Afn);
  b_.setFastMathFlags(flags);
}

void FunctionEmitter::run() {
  ctx_ = target_->getArg(0);
  if (DebugInfo* debug = module_.debug()) b_.SetCurrentDebugLocation(debug->begin(target_, f_));
  b_.SetInsertPoint(new_block("entry"));
  exit_ = llvm::BasicBlock::Create(context_, "exit");
  cleanup_ = llvm::BasicBlock::Create(context_, "cleanup");
  make_alias_scopes();
  make_variables();
  if (f_.kind == lower::Function::Kind::Task)
    load_captures();
  else
    load_params();

  emit_block(f_.body);
  if (!terminated()) b_.CreateBr(exit_);

  exit_->insertInto(target_);
  b_.SetInsertPoint(exit_);
  hand_over_results();
  b_.CreateStore(b_.getInt32(VR_OK), status_);
  b_.CreateBr(cleanup_);

  cleanup_->insertInto(target_);
  b_.SetInsertPoint(cleanup_);
  emit_block(f_.cleanup);
  if (!terminated()) b_.CreateRet(b_.CreateLoad(b_.getInt32Ty(), status_));

  if (args_) args_->setOperand(0, b_.getInt32(static_cast<uint32_t>(args_size_)));
  if (results_) results_->setOperand(0, b_.getInt32(static_cast<uint32_t>(results_size_)));
}

llvm::BasicBlock* FunctionEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(context_, name, target_);
}

// ---------------------------------------------------------------- variables
llvm::AllocaInst* FunctionEmitter::entry_alloca(llvm::Type* type, unsigned count, const char* name) {
  llvm::BasicBlock& entry = target_->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type, at_entry.getInt32(count), name);
}

void FunctionEmitter::make_variables() {
  status_ = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "status");
  for (const lower::Var& v : f_.vars) vars_.push_back(b_.CreateAlloca(module_.value_type(v.type), nullptr, v.name));
  b_.CreateStore(b_.getInt32(VR_OK), status_);
  // No variable is ever undefined: a cleanup may look at any of them on any way out.
  for (llvm::AllocaInst* a : vars_) b_.CreateStore(llvm::Constant::getNullValue(a->getAllocatedType()), a);
}

llvm::Value* FunctionEmitter::get(lower::VarId v) {
  llvm::AllocaInst* a = vars_[static_cast<size_t>(v)];
  return b_.CreateLoad(a->getAllocatedType(), a);
}

void FunctionEmitter::set(lower::VarId v, Value value) { b_.CreateStore(value, vars_[static_cast<size_t>(v)]); }

// ---------------------------------------------------------------- structures in memory
llvm::Value* FunctionEmitter::at(Value base, uint64_t bytes) {
  return bytes == 0 ? base : b_.CreateInBoundsGEP(b_.getInt8Ty(), base, b_.getInt64(bytes));
}

llvm::Value* FunctionEmitter::load_field(Scalar type, Value address) {
  Value v = b_.CreateLoad(module_.memory_type(type), address);
  return type == Scalar::Bool ? b_.CreateIsNotNull(v) : v;
}

void FunctionEmitter::store_field(Value value, Value address) {
  if (value->getType()->isIntegerTy(1)) value = b_.CreateZExt(value, b_.getInt8Ty());
  b_.CreateStore(value, address);
}

void FunctionEmitter::read_descriptor(Value descriptor, const lower::ArrayVars& a) {
  set(a.data, load_field(Scalar::Ptr, at(descriptor, offsetof(vr_array, data))));
  if (a.owner != none) set(a.owner, load_field(Scalar::Ptr, at(descriptor, offsetof(vr_array, owner))));
  if (a.flags != none) set(a.flags, load_field(Scalar::Int32, at(descriptor, offsetof(vr_array, flags))));
  for (size_t d = 0; d < a.extent.size(); ++d) {
    // Nothing below zero, so that a subscript is compared with it once, as a number without sign.
    Value extent = load_field(Scalar::Int64, at(descriptor, offsetof(vr_array, extent) + 8 * d));
    set(a.extent[d], b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, b_.getInt64(0)));
    set(a.stride[d], load_field(Scalar::Int64, at(descriptor, offsetof(vr_array, stride) + 8 * d)));
  }
}

void FunctionEmitter::fill_descriptor(const lower::ArrayVars& a, Value descriptor, bool contents) {
  Value null = llvm::ConstantPointerNull::get(b_.getPtrTy());
  const int32_t elem = static_cast<int32_t>(a.elem) | (a.complex ? VR_COMPLEX : 0);
  store_field(contents ? get(a.data) : null, at(descriptor, offsetof(vr_array, data)));
  store_field(contents && a.owner != none ? get(a.owner) : null, at(descriptor, offsetof(vr_array, owner)));
  store_field(b_.getInt32(static_cast<uint32_t>(elem)), at(descriptor, offsetof(vr_array, elem)));
  store_field(b_.getInt32(static_cast<uint32_t>(a.extent.size())), at(descriptor, offsetof(vr_array, rank)));
  store_field(contents && a.flags != none ? get(a.flags) : b_.getInt32(0), at(descriptor, offsetof(vr_array, flags)));
  store_field(b_.getInt32(0), at(descriptor, offsetof(vr_array, reserved)));
  if (!contents) return;
  for (size_t d = 0; d < a.extent.size(); ++d) {
    store_field(get(a.extent[d]), at(descriptor, offsetof(vr_array, extent) + 8 * d));
    store_field(get(a.stride[d]), at(descriptor, offsetof(vr_array, stride) + 8 * d));
  }
}

llvm::Value* FunctionEmitter::descriptor_slot(size_t k) {
  while (descriptors_.size() <= k) {
    llvm::AllocaInst* a = entry_alloca(llvm::ArrayType::get(b_.getInt8Ty(), sizeof(vr_array)), 1, "descriptor");
    a->setAlignment(llvm::Align(alignof(vr_array)));
    descriptors_.push_back(a);
  }
  return descriptors_[k];
}

// The number of values is set when the whole function is known (run()).
llvm::Value* FunctionEmitter::args_memory(size_t values) {
  args_size_ = std::max(args_size_, values);
  if (!args_) {
    args_ = entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), sizeof(vr_value) / 8), 1, "args.memory");
    args_->setAlignment(llvm::Align(16));
  }
  return args_;
}

llvm::Value* FunctionEmitter::results_memory(size_t values) {
  results_size_ = std::max(results_size_, values);
  if (!results_) {
    results_ = entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), sizeof(vr_value) / 8), 1, "results.memory");
    results_->setAlignment(llvm::Align(16));
  }
  return results_;
}

// ---------------------------------------------------------------- parameters and results
void FunctionEmitter::load_params() {
  Value args = target_->getArg(1);
  for (size_t k = 0; k < f_.params.size(); ++k) {
    const lower::Param& p = f_.params[k];
    Value value = at(args, k * sizeof(vr_value));
    if (p.array != none) {
      read_descriptor(load_field(Scalar::Ptr, value), array(p.array));
      continue;
    }
    const Scalar type = type_of(p.var);
    set(p.var, load_field(type, value));
    if (p.im != none) set(p.im, load_field(type, at(value, static_cast<uint64_t>(lower::scalar_bytes(type)))));
  }
}

void FunctionEmitter::hand_over_results() {
  if (f_.kind != lower::Function::Kind::Entry) return;
  Value results = target_->getArg(2);
  for (size_t k = 0; k < f_.results.size(); ++k) {
    const lower::Param& r = f_.results[k];
    Value value = at(results, k * sizeof(vr_value));
    if (r.array != none) {
      fill_descriptor(array(r.array), load_field(Scalar::Ptr, value), true);
      continue;
    }
    const Scalar type = type_of(r.var);
    store_field(get(r.var), value);
    if (r.im != none) store_field(get(r.im), at(value, static_cast<uint64_t>(lower::scalar_bytes(type))));
  }
}

// The environment holds 8 bytes for each captured variable.
void FunctionEmitter::load_captures() {
  Value env = target_->getArg(1);
  uint64_t offset = 0;
  for (const lower::Param& p : f_.params) {
    for (lower::VarId v : {p.var, p.im}) {
      if (v == none) continue;
      set(v, load_field(type_of(v), at(env, offset)));
      offset += 8;
    }
  }
  set(f_.lo_var, target_->getArg(2));
  set(f_.hi_var, target_->getArg(3));
}

}  // namespace vr::codegen::llvm_backend
