#include "codegen/llvm/c_entry.hpp"

#include "codegen/llvm/compilation.hpp"
#include "codegen/llvm/fatal.hpp"
#include "codegen/llvm/optimise.hpp"
#include "codegen/llvm/session.hpp"
#include "codegen/llvm/target.hpp"
#include "support/fork_gate.hpp"
#include "support/memory_reserve.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace vr::codegen::llvm_backend {

namespace {

constexpr char symbol[] = "vr_c_entry";

class Loaded : public CEntry {
 public:
  explicit Loaded(std::unique_ptr<LoadedCode> code) : code_(std::move(code)) {}
  void* address() const override { return code_->addresses().front(); }

 private:
  std::unique_ptr<LoadedCode> code_;
};

/// The objects that LLVM works on; leaked if LLVM fails meanwhile.
struct CEntryWork {
  Compilation compilation;
  llvm::SmallVector<char, 0> object;
  std::string failure;
};

llvm::Type* type_of(llvm::LLVMContext& context, const std::optional<ir::Elem>& elem) {
  if (!elem) return llvm::PointerType::get(context, 0);
  switch (*elem) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, opencl_type, llvm_type, ...) \
  case ir::Elem::Name:                                                              \
    return llvm::Type::get##llvm_type##Ty(context);
#include <velociraptor/ir/elements.def>
  }
  return nullptr;
}

void write(llvm::Module& module, const CSignature& signature, CEnter enter, void* data, const HostTarget& host) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type*> types;
  for (const auto& p : signature.parameters) types.push_back(type_of(context, p));
  llvm::Type* result_type = signature.result ? type_of(context, signature.result) : llvm::Type::getVoidTy(context);
  auto* made = llvm::Function::Create(llvm::FunctionType::get(result_type, types, false),
                                      llvm::GlobalValue::ExternalLinkage, symbol, module);
  made->setDoesNotThrow();
  made->addFnAttr("target-cpu", host.cpu);
  made->addFnAttr("target-features", host.features);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", made));
  auto room = [&](size_t count) {
    llvm::AllocaInst* memory = b.CreateAlloca(llvm::ArrayType::get(b.getInt64Ty(), count * sizeof(vr_value) / 8));
    memory->setAlignment(llvm::Align(16));
    return memory;
  };
  llvm::Value* args = room(types.size());
  llvm::Value* result = room(1);
  for (unsigned k = 0; k < types.size(); ++k)
    b.CreateAlignedStore(made->getArg(k), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), args, k * sizeof(vr_value)),
                         llvm::Align(8));
  auto address = [&](const void* p) { return b.CreateIntToPtr(b.getInt64(reinterpret_cast<uint64_t>(p)), pointer); };
  b.CreateCall(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
               address(reinterpret_cast<const void*>(enter)), {address(data), args, result});
  if (!signature.result) {
    b.CreateRetVoid();
    return;
  }
  llvm::Value* value = b.CreateAlignedLoad(result_type, result, llvm::Align(8));
  b.CreateRet(value);
  if (result_type->isIntegerTy() && result_type->getIntegerBitWidth() < 32) {
    const bool is_signed = *signature.result == ir::Elem::Int8 || *signature.result == ir::Elem::Int16;
    made->addRetAttr(is_signed ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
  }
}

}  // namespace

Result<std::unique_ptr<CEntry>> compile_c_entry(const CSignature& signature, CEnter enter, void* data) {
  NoForkNow no_fork;
  const HostTarget& host = host_target();
  if (!host.error.empty()) return make_error(Code::Internal, "making a C function: " + host.error);
  auto work = std::make_unique<CEntryWork>();
  TargetLease target(1);
  if (!target) return make_error(Code::Internal, "making a C function: no code generator for " + host.triple);
  warm_up();
  const Ending ending = catch_fatal_errors([&] {
    work->compilation.module = std::make_unique<llvm::Module>(symbol, work->compilation.context);
    llvm::Module& module = *work->compilation.module;
#if LLVM_VERSION_MAJOR >= 21
    module.setTargetTriple(llvm::Triple(host.triple));
#else
    module.setTargetTriple(host.triple);
#endif
    module.setDataLayout(target->createDataLayout());
    write(module, signature, enter, data, host);
    if (must_verify()) work->failure = verify(module);
    if (work->failure.empty() && !generate_object(module, *target, work->object))
      work->failure = "cannot write object files for " + host.triple;
  });
  if (!ending.done()) {
    (void)work.release();
    target.abandon();
    if (ending.kind == Ending::Kind::NoMemory) return make_error(Code::OutOfMemory, "no memory to create a C function");
    return make_error(Code::Internal, "making a C function: " + ending.text);
  }
  if (work->failure.empty()) work->failure = work->compilation.errors;
  if (!work->failure.empty()) return make_error(Code::Internal, "making a C function: " + work->failure);
  auto code = load_object(std::move(work->object), symbol, {symbol}, false);
  if (!code) return code.error();
  return std::unique_ptr<CEntry>(std::make_unique<Loaded>(std::move(*code)));
}

}  // namespace vr::codegen::llvm_backend
