#include "codegen/llvm/plain_function.hpp"

#include "codegen/llvm/emit.hpp"
#include "runtime/abi.h"

#include <velociraptor/aot_versions.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace vr::codegen::llvm_backend {

namespace {

static_assert(sizeof(vr_guard) == 16 && offsetof(vr_guard, axis) == 4 && offsetof(vr_guard, value) == 8);
static_assert(sizeof(vr_version) == 32 && offsetof(vr_version, guards) == 8 &&
              offsetof(vr_version, guard_count) == 16 && offsetof(vr_version, processor) == 20 &&
              offsetof(vr_version, device) == 24);
static_assert(sizeof(vr_export_value) == 32 && offsetof(vr_export_value, elem) == 16 &&
              offsetof(vr_export_value, layout) == 24);
static_assert(sizeof(vr_export) == 56 && offsetof(vr_export, args) == 16 && offsetof(vr_export, arg_count) == 32 &&
              offsetof(vr_export, shares) == 40 && offsetof(vr_export, parts) == 48);

/// The constants and declarations that the functions share.
class PlainFunctions {
 public:
  PlainFunctions(llvm::Module& module, const std::vector<HostTarget>& targets)
      : module_(module), context_(module.getContext()), targets_(targets) {}

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
  /// The lowered function in its version for one of the targets, with kernels if `device`.
  llvm::Constant* entry(const std::string& name, const HostTarget& target, bool device = false);
  llvm::Constant* guards(const std::vector<lower::PlainGuard>& all);
  /// The table of versions, best first; null: there is one version only. `count`: the number of its rows.
  llvm::Constant* versions(const lower::PlainFunction& f, size_t& count);
  /// The type of a parameter by value. A bool is a byte in C's calling convention.
  llvm::Type* type_of(const lower::PlainValue& v) const;

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const std::vector<HostTarget>& targets_;  ///< the least first
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

llvm::Constant* PlainFunctions::entry(const std::string& name, const HostTarget& target, bool device) {
  const std::string symbol = symbol_of(name) + version_suffix(&target == &targets_.front() ? nullptr : &target, device);
  return llvm::cast<llvm::Constant>(
      module_.getOrInsertFunction(symbol, llvm::FunctionType::get(i32(), {ptr(), ptr(), ptr()}, false)).getCallee());
}

llvm::Constant* PlainFunctions::guards(const std::vector<lower::PlainGuard>& all) {
  llvm::Type* i64 = llvm::Type::getInt64Ty(context_);
  auto* type = llvm::StructType::get(context_, {i32(), i32(), i64});
  std::vector<llvm::Constant*> rows;
  for (const lower::PlainGuard& g : all)
    rows.push_back(
        llvm::ConstantStruct::get(type, {number(g.arg), number(g.axis), llvm::ConstantInt::getSigned(i64, g.value)}));
  return constant(llvm::ConstantArray::get(llvm::ArrayType::get(type, rows.size()), rows), "guards");
}

llvm::Constant* PlainFunctions::versions(const lower::PlainFunction& f, size_t& count) {
  count = 0;
  if (f.versions.empty() && !f.device && targets_.size() == 1) return nullptr;
  auto* type = llvm::StructType::get(context_, {ptr(), ptr(), i32(), i32(), i32(), i32()});
  std::vector<llvm::Constant*> rows;
  for (const bool device : {true, false}) {
    if (device && !f.device) continue;
    const std::vector<lower::PlainVersion>& list = device ? f.device_versions : f.versions;
    std::vector<llvm::Constant*> tables;
    for (const lower::PlainVersion& v : list) tables.push_back(guards(v.guards));
    for (auto t = targets_.rbegin(); t != targets_.rend(); ++t) {
      auto add = [&](const std::string& name, llvm::Constant* table, size_t guard_count) {
        rows.push_back(
            llvm::ConstantStruct::get(type, {entry(name, *t, device), table, number(static_cast<int64_t>(guard_count)),
                                             number(targets_.size() > 1 ? t->level : 0), number(device), number(0)}));
      };
      for (size_t k = 0; k < list.size(); ++k) add(list[k].entry, tables[k], list[k].guards.size());
      add(f.entry, llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0)), 0);
    }
  }
  count = rows.size();
  return constant(llvm::ConstantArray::get(llvm::ArrayType::get(type, rows.size()), rows), "versions");
}

llvm::Constant* PlainFunctions::describe(const lower::PlainFunction& f) {
  auto* type = llvm::StructType::get(context_, {ptr(), ptr(), ptr(), ptr(), i32(), i32(), i32(), i32(), ptr()});
  return constant(
      llvm::ConstantStruct::get(
          type, {text(f.source_name), entry(f.entry, targets_.front()), values(f.args), values(f.results),
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
  made->addFnAttr("target-cpu", targets_.front().cpu);
  made->addFnAttr("target-features", targets_.front().features);
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
  llvm::Value* error = made->getArg(first + static_cast<unsigned>(f.results.size()));
  size_t count = 0;
  if (llvm::Constant* table = versions(f, count)) {
    llvm::FunctionCallee call = module_.getOrInsertFunction(
        "vr_rt_call_version", llvm::FunctionType::get(i32(), {ptr(), ptr(), i32(), ptr(), ptr(), ptr()}, false));
    b.CreateRet(b.CreateCall(call, {describe(f), table, number(static_cast<int64_t>(count)), args, results, error}));
    return;
  }
  llvm::FunctionCallee call = module_.getOrInsertFunction(
      "vr_rt_call_export", llvm::FunctionType::get(i32(), {ptr(), ptr(), ptr(), ptr()}, false));
  b.CreateRet(b.CreateCall(call, {describe(f), args, results, error}));
}

}  // namespace

std::string version_suffix(const HostTarget* target, bool device) {
  return (target ? "." + target->cpu : std::string()) + (device ? ".device" : "");
}

void hide_all_but(llvm::Module& module, const std::set<std::string>& shown) {
  for (llvm::GlobalValue& g : module.global_values())
    if (!g.isDeclaration() && g.hasExternalLinkage() && !shown.contains(g.getName().str()))
      g.setLinkage(llvm::GlobalValue::InternalLinkage);
}

void add_plain_functions(llvm::Module& module, const std::vector<lower::PlainFunction>& plain,
                         const std::vector<HostTarget>& targets) {
  // Several objects of one program may be made from functions of the same names.
  hide_all_but(module, {});
  PlainFunctions all(module, targets);
  for (const lower::PlainFunction& f : plain) all.add(f);
}

}  // namespace vr::codegen::llvm_backend
