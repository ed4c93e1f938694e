#include "codegen/llvm/plain_function.hpp"

#include "codegen/llvm/emit.hpp"
#include "runtime/abi.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace vr::codegen::llvm_backend {

namespace {

static_assert(sizeof(vr_export_value) == 32 && offsetof(vr_export_value, elem) == 16 &&
              offsetof(vr_export_value, layout) == 24);
static_assert(sizeof(vr_export) == 56 && offsetof(vr_export, args) == 16 && offsetof(vr_export, arg_count) == 32 &&
              offsetof(vr_export, shares) == 40 && offsetof(vr_export, parts) == 48);

/// The constants and declarations that the functions share.
class PlainFunctions {
 public:
  PlainFunctions(llvm::Module& module, const HostTarget& target)
      : module_(module), context_(module.getContext()), target_(target) {}

  void add(const lower::PlainFunction& f);

 private:
  llvm::Type* ptr() const { return llvm::PointerType::get(context_, 0); }
  llvm::Type* i32() const { return llvm::Type::getInt32Ty(context_); }
  llvm::Constant* number(int64_t n) const { return llvm::ConstantInt::getSigned(i32(), n); }

  llvm::GlobalVariable* constant(llvm::Constant* init, const char* name) {
    auto* g = new llvm::GlobalVariable(module_, init->getType(), true, llvm::GlobalValue::PrivateLinkage, init, name);
    g->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return g;
  }
  llvm::Constant* text(const std::string& s) {
    return constant(llvm::ConstantDataArray::getString(context_, s), "text");
  }
  llvm::Constant* values(const std::vector<lower::PlainValue>& all);
  llvm::Constant* parts(const std::vector<std::string>& names);
  llvm::Constant* describe(const lower::PlainFunction& f);
  /// The type of a parameter by value. A bool is a byte in C's calling convention.
  llvm::Type* type_of(const lower::PlainValue& v) const;

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const HostTarget& target_;
};

llvm::Type* PlainFunctions::type_of(const lower::PlainValue& v) const {
  if (v.rank > 0 || v.complex) return ptr();
  switch (v.elem) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, opencl_type, llvm_type, ...) \
  case ir::Elem::Name:                                                              \
    return llvm::Type::get##llvm_type##Ty(context_);
#include <velociraptor/ir/elements.def>
  }
  return nullptr;
}

llvm::Constant* PlainFunctions::values(const std::vector<lower::PlainValue>& all) {
  auto* type = llvm::StructType::get(context_, {ptr(), ptr(), i32(), i32(), i32(), i32()});
  std::vector<llvm::Constant*> rows;
  for (const lower::PlainValue& v : all)
    rows.push_back(llvm::ConstantStruct::get(
        type, {text(v.source_name), text(v.type), number(static_cast<int32_t>(v.elem) | (v.complex ? VR_COMPLEX : 0)),
               number(v.rank), number(v.layout), number(0)}));
  return constant(llvm::ConstantArray::get(llvm::ArrayType::get(type, rows.size()), rows), "values");
}

llvm::Constant* PlainFunctions::parts(const std::vector<std::string>& names) {
  std::vector<llvm::Constant*> rows;
  auto refer = [&](const std::string& symbol) {
    rows.push_back(module_.getOrInsertGlobal(symbol, llvm::Type::getInt8Ty(context_)));
  };
  refer("vrrt_abi_" + std::to_string(VR_ABI_VERSION));
  for (const std::string& n : names) refer("vrrt_part_" + n);
  rows.push_back(llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0)));
  return constant(llvm::ConstantArray::get(llvm::ArrayType::get(ptr(), rows.size()), rows), "parts");
}

llvm::Constant* PlainFunctions::describe(const lower::PlainFunction& f) {
  auto* type = llvm::StructType::get(context_, {ptr(), ptr(), ptr(), ptr(), i32(), i32(), i32(), i32(), ptr()});
  return constant(
      llvm::ConstantStruct::get(
          type, {text(f.source_name), module_.getFunction(symbol_of(f.entry)), values(f.args), values(f.results),
                 number(static_cast<int64_t>(f.args.size())), number(static_cast<int64_t>(f.results.size())),
                 number(f.shares), number(f.parallel), parts(f.parts)}),
      "export");
}

void PlainFunctions::add(const lower::PlainFunction& f) {
  std::vector<llvm::Type*> types;
  for (const lower::PlainValue& v : f.args) types.push_back(type_of(v));
  types.insert(types.end(), f.results.size() + 1, ptr());  // and vr_error*
  auto* made = llvm::Function::Create(llvm::FunctionType::get(i32(), types, false), llvm::GlobalValue::ExternalLinkage,
                                      f.symbol, module_);
  made->setDoesNotThrow();
  made->addFnAttr("target-cpu", target_.cpu);
  made->addFnAttr("target-features", target_.features);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context_, "entry", made));
  auto room = [&](uint64_t bytes, const char* name) {
    llvm::AllocaInst* memory = b.CreateAlloca(llvm::ArrayType::get(b.getInt64Ty(), bytes / 8 + 1), nullptr, name);
    memory->setAlignment(llvm::Align(16));
    return memory;
  };
  llvm::Value* args = room(f.args.size() * sizeof(vr_value), "args");
  llvm::Value* results = room(f.results.size() * sizeof(void*), "results");
  auto at = [&](llvm::Value* base, uint64_t bytes) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, bytes); };
  for (unsigned k = 0; k < f.args.size(); ++k) {
    const lower::PlainValue& v = f.args[k];
    llvm::Value* to = at(args, k * sizeof(vr_value));
    llvm::Value* given = made->getArg(k);
    if (v.complex && v.rank == 0) {
      const uint64_t bytes = 2 * static_cast<uint64_t>(ir::elem_bytes(v.elem));
      b.CreateMemCpy(to, llvm::Align(8), given, llvm::Align(1), bytes);
      continue;
    }
    b.CreateAlignedStore(given, to, llvm::Align(8));
  }
  const auto first = static_cast<unsigned>(f.args.size());
  for (unsigned k = 0; k < f.results.size(); ++k)
    b.CreateAlignedStore(made->getArg(first + k), at(results, k * sizeof(void*)), llvm::Align(8));
  llvm::FunctionCallee call = module_.getOrInsertFunction(
      "vr_rt_call_export", llvm::FunctionType::get(i32(), {ptr(), ptr(), ptr(), ptr()}, false));
  b.CreateRet(
      b.CreateCall(call, {describe(f), args, results, made->getArg(first + static_cast<unsigned>(f.results.size()))}));
}

}  // namespace

void add_plain_functions(llvm::Module& module, const std::vector<lower::PlainFunction>& plain,
                         const HostTarget& target) {
  // Several objects of one program may come from functions of the same names.
  for (llvm::Function& f : module)
    if (!f.isDeclaration()) f.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::GlobalVariable& g : module.globals())
    if (!g.isDeclaration() && g.hasExternalLinkage()) g.setLinkage(llvm::GlobalValue::InternalLinkage);
  PlainFunctions all(module, target);
  for (const lower::PlainFunction& f : plain) all.add(f);
}

}  // namespace vr::codegen::llvm_backend
