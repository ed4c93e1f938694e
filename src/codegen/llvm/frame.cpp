#include "codegen/llvm/frame.hpp"

#include <velociraptor/descriptor.h>

#include <algorithm>

namespace vr::codegen::llvm_backend {

llvm::AllocaInst* entry_alloca(llvm::Function* function, llvm::Type* type, unsigned count, const char* name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type, at_entry.getInt32(count), name);
}

// ---------------------------------------------------------------- variables
void Variables::allocate(const ModuleEmitter& module) {
  for (const lower::Var& v : source_.vars)
    memory_.push_back(b_.CreateAlloca(module.value_type(v.type), nullptr, v.name));
}

void Variables::zero() {
  for (llvm::AllocaInst* a : memory_) b_.CreateStore(llvm::Constant::getNullValue(a->getAllocatedType()), a);
}

llvm::Value* Variables::get(lower::VarId v) {
  llvm::AllocaInst* a = memory_[static_cast<size_t>(v)];
  return b_.CreateLoad(a->getAllocatedType(), a);
}

void Variables::set(lower::VarId v, llvm::Value* value) { b_.CreateStore(value, memory_[static_cast<size_t>(v)]); }

// ---------------------------------------------------------------- memory for calls
llvm::Value* CallMemory::descriptor(size_t k) {
  while (descriptors_.size() <= k) {
    llvm::Type* bytes = llvm::Type::getInt8Ty(function_->getContext());
    llvm::AllocaInst* a = entry_alloca(function_, llvm::ArrayType::get(bytes, sizeof(vr_array)), 1, "descriptor");
    a->setAlignment(llvm::Align(alignof(vr_array)));
    descriptors_.push_back(a);
  }
  return descriptors_[k];
}

llvm::Value* CallMemory::Values::at_least(llvm::Function* function, size_t values) {
  size = std::max(size, values);
  if (!memory) {
    llvm::Type* words = llvm::Type::getInt64Ty(function->getContext());
    memory = entry_alloca(function, llvm::ArrayType::get(words, sizeof(vr_value) / 8), 1, name);
    memory->setAlignment(llvm::Align(16));
  }
  return memory;
}

void CallMemory::finish() {
  llvm::Type* count = llvm::Type::getInt32Ty(function_->getContext());
  for (const Values* v : {&args_, &results_})
    if (v->memory) v->memory->setOperand(0, llvm::ConstantInt::get(count, static_cast<uint32_t>(v->size)));
}

}  // namespace vr::codegen::llvm_backend
