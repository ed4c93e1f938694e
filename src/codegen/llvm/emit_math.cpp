// Scalar maths: LLVM's intrinsics, the C library's functions, and the functions of which glibc's libmvec has vector
// versions.
#include "codegen/llvm/emit_module.hpp"
#include "codegen/llvm/vector_math.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/VFABIDemangler.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace vr::codegen::llvm_backend {

using lower::MathFn;

namespace {

llvm::Intrinsic::ID intrinsic_of(MathFn fn) {
  switch (fn) {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) \
  case MathFn::Name:                                         \
    return llvm::Intrinsic::llvm_name;
#include "loop/math.def"
  }
  return llvm::Intrinsic::not_intrinsic;
}

}  // namespace

llvm::Function* ModuleEmitter::math(MathFn fn, llvm::Type* type) {
  if (auto id = intrinsic_of(fn); id != llvm::Intrinsic::not_intrinsic) {
#if LLVM_VERSION_MAJOR >= 20
    return llvm::Intrinsic::getOrInsertDeclaration(module_.get(), id, {type});
#else
    return llvm::Intrinsic::getDeclaration(module_.get(), id, {type});
#endif
  }
  std::string name = lower::math_name(fn);
  if (type->isFloatTy()) name += "f";
  if (llvm::Function* f = module_->getFunction(name)) return f;
  std::vector<llvm::Type*> params(static_cast<size_t>(lower::math_arity(fn)), type);
  auto* f = llvm::Function::Create(llvm::FunctionType::get(type, params, false), llvm::GlobalValue::ExternalLinkage,
                                   name, *module_);
  // Generated code does not use errno.
  f->setDoesNotAccessMemory();
  f->setDoesNotThrow();
  f->setWillReturn();
  return f;
}

void ModuleEmitter::allow_vector_math(llvm::CallInst* call, MathFn fn) {
  llvm::Type* type = call->getType();
  auto [it, is_new] = vector_variants_.try_emplace({static_cast<int>(fn), type});
  if (is_new && target_.architecture.empty()) {  // libmvec is looked up in this process
    std::string scalar = lower::math_name(fn);
    if (type->isFloatTy()) scalar += "f";
    const size_t arity = static_cast<size_t>(lower::math_arity(fn));
    for (const VectorVariant& v :
         vector_variants(scalar, static_cast<int>(type->getScalarSizeInBits()), arity, target_.vector_bits)) {
      llvm::Type* vector = llvm::FixedVectorType::get(type, static_cast<unsigned>(v.lanes));
      std::vector<llvm::Type*> params(arity, vector);
      llvm::FunctionCallee callee =
          module_->getOrInsertFunction(v.symbol, llvm::FunctionType::get(vector, params, false));
      auto* f = llvm::cast<llvm::Function>(callee.getCallee());
      f->setDoesNotAccessMemory();
      f->setDoesNotThrow();
      f->setWillReturn();
      // The vectoriser looks the function up by name: it must not be removed as unused before.
      llvm::appendToCompilerUsed(*module_, {f});
      // LLVM's mangled name for "this call, with `lanes` lanes, is that function" (VFABIDemangler.h).
      it->second.push_back("_ZGV_LLVM_N" + std::to_string(v.lanes) + std::string(arity, 'v') + "_" +
                           call->getCalledFunction()->getName().str() + "(" + v.symbol + ")");
    }
  }
  if (!it->second.empty())
    llvm::VFABI::setVectorVariantNames(call, llvm::SmallVector<std::string, 8>(it->second.begin(), it->second.end()));
}

}  // namespace vr::codegen::llvm_backend
