#include "codegen/llvm/emit_module.hpp"

#include "codegen/llvm/emit_function.hpp"
#include "loop/analysis/kernel_record.hpp"
#include "loop/runtime_table.hpp"
#include "loop/walk.hpp"
#include "runtime/abi.h"
#include "runtime/accesses.hpp"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>
#include <atomic>

namespace vr::codegen::llvm_backend {

using lower::Scalar;

namespace {

// LLVM lays out these constants by its own rules; the static_asserts check that C's layout is the same.
static_assert(sizeof(vr_site) == 40 && offsetof(vr_site, axis) == 32 && offsetof(vr_site, raised) == 36);
static_assert(sizeof(vr_kernel_binary) == 24 && offsetof(vr_kernel_binary, size) == 16);
static_assert(sizeof(vr_kernel_param) == 24 && offsetof(vr_kernel_param, name) == 16);
static_assert(sizeof(vr_kernel) == 96 && offsetof(vr_kernel, binaries) == 88 && offsetof(vr_kernel, accesses) == 80 && offsetof(vr_kernel, on_host) == 72 && offsetof(vr_kernel, groups_param) == 56 && offsetof(vr_kernel, points) == 60 && offsetof(vr_kernel, team) == 68 &&
              offsetof(vr_kernel, params) == 32 && offsetof(vr_kernel, narrow) == 44 &&
              offsetof(vr_kernel, sites) == 48);

}  // namespace

ModuleEmitter::ModuleEmitter(const lower::Module& m, const KernelPrograms& kernels, const HostTarget& target,
                             llvm::LLVMContext& context, const EmitOptions& options)
    : lowered_(m), kernels_(kernels), target_(target), context_(context) {
  // Unique, because tools that instrument or register modules identify them by name.
  static std::atomic<uint64_t> counter{0};
  module_ = std::make_unique<llvm::Module>(m.name + "." + std::to_string(counter++), context);
#if LLVM_VERSION_MAJOR >= 21
  module_->setTargetTriple(llvm::Triple(target.triple));
#else
  module_->setTargetTriple(target.triple);
#endif
  if (options.debug) debug_ = std::make_unique<DebugInfo>(*module_, m, options.optimised);
  llvm::Type* ptr = llvm::PointerType::get(context, 0);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  site_type_ = llvm::StructType::get(context, {ptr, ptr, ptr, ptr, i32, i32});
  kernel_param_type_ = llvm::StructType::get(context, {i32, i32, i32, i32, ptr});
  kernel_type_ =
      llvm::StructType::get(context, {ptr, ptr, ptr, i32, i32, ptr, i32, i32, ptr, i32, i32, i32, i32, ptr, ptr, ptr});
}

std::unique_ptr<llvm::Module> ModuleEmitter::run() {
  declare_functions();
  for (size_t i = 0; i < functions_.size(); ++i)
    if (functions_[i]) emit_function(*this, *lowered_.functions[i], functions_[i]);
  if (debug_) debug_->finish();
  return std::move(module_);
}

llvm::Type* ModuleEmitter::value_type(Scalar s) const {
  return s == Scalar::Bool ? llvm::Type::getInt1Ty(context_) : memory_type(s);
}

llvm::Type* ModuleEmitter::memory_type(Scalar s) const {
  if (s == Scalar::Ptr) return llvm::PointerType::get(context_, 0);
#define VR_ELEM(Name, text, code, bytes, kind, c_type, opencl_type, llvm_type, ...) \
  if (s == Scalar::Name) return llvm::Type::get##llvm_type##Ty(context_);
#include <velociraptor/ir/elements.def>
  return nullptr;
}

// ---------------------------------------------------------------- constants
llvm::GlobalVariable* ModuleEmitter::constant(llvm::Constant* init, const char* name) {
  auto* g = new llvm::GlobalVariable(*module_, init->getType(), true, llvm::GlobalValue::PrivateLinkage, init, name);
  g->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  llvm::GlobalValue::SanitizerMetadata plain;
  plain.NoAddress = true;  // AddressSanitizer would not register it
  g->setSanitizerMetadata(plain);
  return g;
}

llvm::Constant* ModuleEmitter::text(const std::string& s) {
  llvm::Constant*& c = texts_[s];
  if (!c) c = constant(llvm::ConstantDataArray::getString(context_, s), "text");
  return c;
}

// All sites of the module in one table, because kernels report faults by index.
llvm::Constant* ModuleEmitter::site_table() {
  if (!sites_) {
    std::vector<llvm::Constant*> rows;
    for (const lower::Site& s : lowered_.sites)
      rows.push_back(llvm::ConstantStruct::get(
          site_type_, {text(s.function), text(s.loc), text(s.array), text(s.message),
                       llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context_), s.axis),
                       llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context_), s.raised)}));
    auto* type = llvm::ArrayType::get(site_type_, rows.size());
    sites_ = constant(llvm::ConstantArray::get(type, rows), "sites");
  }
  return sites_;
}

llvm::Constant* ModuleEmitter::site(lower::SiteId id) {
  if (id == lower::none) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
  site_table();
  llvm::Type* i32 = llvm::Type::getInt32Ty(context_);
  llvm::Constant* index[] = {llvm::ConstantInt::get(i32, 0), llvm::ConstantInt::get(i32, id)};
  return llvm::ConstantExpr::getInBoundsGetElementPtr(sites_->getValueType(), sites_, index);
}

/// The list of vr_kernel_binary; null if there are none.
llvm::Constant* ModuleEmitter::binaries(const KernelProgram& program) {
  llvm::PointerType* ptr = llvm::PointerType::get(context_, 0);
  llvm::Constant* null = llvm::ConstantPointerNull::get(ptr);
  if (program.binaries.empty()) return null;
  auto* type = llvm::StructType::get(context_, {ptr, ptr, llvm::Type::getInt64Ty(context_)});
  auto size = [&](size_t n) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), n); };
  std::vector<llvm::Constant*> rows;
  for (const lower::KernelBinary& b : program.binaries)
    rows.push_back(llvm::ConstantStruct::get(type, {text(b.device), text(b.bytes), size(b.bytes.size())}));
  rows.push_back(llvm::ConstantStruct::get(type, {null, null, size(0)}));
  return constant(llvm::ConstantArray::get(llvm::ArrayType::get(type, rows.size()), rows), "binaries");
}

llvm::Constant* ModuleEmitter::kernel(int32_t id) {
  llvm::Constant*& c = kernel_constants_[id];
  if (c) return c;
  const lower::Function& k = *lowered_.functions[id];
  const lower::KernelRecord record = lower::kernel_record(lowered_, id);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context_);
  auto number = [&](int64_t v) { return llvm::ConstantInt::getSigned(i32, v); };
  std::vector<llvm::Constant*> params;
  for (const lower::KernelParam& p : record.params)
    params.push_back(llvm::ConstantStruct::get(
        kernel_param_type_, {number(p.kind), number(p.elem), number(p.rank), number(p.written), text(p.name)}));
  auto* params_type = llvm::ArrayType::get(kernel_param_type_, params.size());
  llvm::Constant* params_table = constant(llvm::ConstantArray::get(params_type, params), "kernel_params");
  llvm::Constant* on_host = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
  if (k.on_host != lower::none) on_host = function(k.on_host);
  const KernelProgram& program = kernels_.at(static_cast<size_t>(id));
  const std::vector<uint64_t> bits(record.accesses.begin(), record.accesses.end());
  llvm::Constant* accesses = constant(llvm::ConstantDataArray::get(context_, bits), "accesses");
  c = constant(
      llvm::ConstantStruct::get(
          kernel_type_,
          {text(k.name), text(program.source), text(program.options), number(record.dims),
           number(static_cast<int64_t>(params.size())), params_table,
           number(record.faults ? static_cast<int64_t>(lowered_.sites.size()) : 0), number(record.narrow), site_table(),
           number(record.groups_param), number(record.points), number(record.group), number(record.team), on_host,
           accesses, binaries(program)}),
      "kernel");
  return c;
}

// ---------------------------------------------------------------- functions
void ModuleEmitter::set_common_attributes(llvm::Function* f) const {
  f->setDoesNotThrow();
#if defined(__SANITIZE_ADDRESS__)
  f->addFnAttr(llvm::Attribute::SanitizeAddress);
#endif
  f->addFnAttr("target-cpu", target_.cpu);
  f->addFnAttr("target-features", target_.features);
  f->addFnAttr("prefer-vector-width", target_.preferred_bits);
  // Debuggers and profilers need unwind tables and frame pointers to walk the stack.
  if (debug_) {
    f->setUWTableKind(llvm::UWTableKind::Async);
    f->addFnAttr("frame-pointer", "all");
  }
}

void ModuleEmitter::declare_functions() {
  llvm::Type* ptr = llvm::PointerType::get(context_, 0);
  llvm::Type* i32 = llvm::Type::getInt32Ty(context_);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context_);
  auto* entry_type = llvm::FunctionType::get(i32, {ptr, ptr, ptr}, false);
  auto* task_type = llvm::FunctionType::get(i32, {ptr, ptr, i64, i64}, false);
  auto add = [&](llvm::Function* f, unsigned arg, llvm::Attribute::AttrKind kind) { f->addParamAttr(arg, kind); };
  for (const auto& l : lowered_.functions) {
    llvm::Function* f = nullptr;
    switch (l->kind) {
      case lower::Function::Kind::Entry:
        f = llvm::Function::Create(entry_type, llvm::GlobalValue::ExternalLinkage, symbol_of(l->name), *module_);
        f->getArg(0)->setName("ctx");
        f->getArg(1)->setName("args");
        f->getArg(2)->setName("results");
        // Arguments are only read and results only written through these pointers, which are not captured.
        add(f, 1, llvm::Attribute::NoAlias);
        add(f, 2, llvm::Attribute::NoAlias);
        add(f, 1, llvm::Attribute::ReadOnly);
        add(f, 1, llvm::Attribute::NoUndef);
        add(f, 2, llvm::Attribute::NoUndef);
        f->setDSOLocal(true);
        if (l->region) {
          auto* slot = new llvm::GlobalVariable(*module_, ptr, false, llvm::GlobalValue::ExternalLinkage,
                                                llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0)),
                                                region_symbol_of(l->name));
          slot->setDSOLocal(true);
          llvm::GlobalValue::SanitizerMetadata plain;
          plain.NoAddress = true;
          slot->setSanitizerMetadata(plain);
        }
        break;
      case lower::Function::Kind::Task:
        f = llvm::Function::Create(task_type, llvm::GlobalValue::InternalLinkage, symbol_of(l->name), *module_);
        f->getArg(0)->setName("ctx");
        f->getArg(1)->setName("env");
        f->getArg(2)->setName("lo");
        f->getArg(3)->setName("hi");
        add(f, 1, llvm::Attribute::NoAlias);
        add(f, 1, llvm::Attribute::ReadOnly);
        break;
      case lower::Function::Kind::Kernel:
        break;  // handled by the OpenCL backend
    }
    if (f) {
      add(f, 0, llvm::Attribute::NonNull);
      add(f, 0, llvm::Attribute::NoUndef);
      set_common_attributes(f);
    }
    functions_.push_back(f);
  }
}

llvm::GlobalVariable* ModuleEmitter::region(int32_t function) const {
  return module_->getGlobalVariable(region_symbol_of(lowered_.functions[static_cast<size_t>(function)]->name));
}

llvm::Function* ModuleEmitter::runtime(int32_t fn) {
  const lower::RuntimeFunction& row = lower::runtime_table[fn];
  if (llvm::Function* f = module_->getFunction(row.symbol)) return f;
  auto type_of = [&](char code) -> llvm::Type* {
    switch (code) {
      case 'v':
        return llvm::Type::getVoidTy(context_);
      case 'i':
        return llvm::Type::getInt32Ty(context_);
      case 'l':
        return llvm::Type::getInt64Ty(context_);
      case 'd':
        return llvm::Type::getDoubleTy(context_);
      case 'f':
        return llvm::Type::getFloatTy(context_);
      default:
        return llvm::PointerType::get(context_, 0);
    }
  };
  std::vector<llvm::Type*> params;
  for (const char* c = row.params; *c && *c != 'V'; ++c) params.push_back(type_of(*c));
  const bool any_number = row.params[params.size()] == 'V';
  auto* type = llvm::FunctionType::get(type_of(row.result), params, any_number);
  auto* f = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, row.symbol, *module_);
  f->setDoesNotThrow();
  // Descriptors, extents and sites are accessed only during the call and not captured, so facts about their contents survive
  // other calls. (Storage and the host's objects behind them may change: hosts run their own code.)
  for (unsigned i = 0; i < params.size(); ++i) {
    char code = row.params[i];
    if (lower::is_array_code(code) || code == 'L' || code == 'S') {
#if LLVM_VERSION_MAJOR >= 21
      f->addParamAttr(i, llvm::Attribute::getWithCaptureInfo(context_, llvm::CaptureInfo::none()));
#else
      f->addParamAttr(i, llvm::Attribute::NoCapture);
#endif
    }
    if (code == 'L' || code == 'S') f->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  if (fn == lower::rt::Fail) {
    f->addFnAttr(llvm::Attribute::Cold);
    f->addFnAttr(llvm::Attribute::NoInline);
    f->addFnAttr(llvm::Attribute::WillReturn);
    f->setOnlyAccessesInaccessibleMemOrArgMem();  // the error record is part of the context
  }
  return f;
}

std::unique_ptr<llvm::Module> emit(const lower::Module& m, const KernelPrograms& kernels, const HostTarget& target,
                                   llvm::LLVMContext& context, const EmitOptions& options) {
  return ModuleEmitter(m, kernels, target, context, options).run();
}

}  // namespace vr::codegen::llvm_backend
