#include "codegen/llvm/emit_function.hpp"

#include "codegen/llvm/emit_stmt.hpp"
#include "codegen/llvm/structures.hpp"

#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>

namespace vr::codegen::llvm_backend {

using lower::none;
using lower::Scalar;

static llvm::FastMathFlags flags_of(uint8_t granted) {
  llvm::FastMathFlags flags;
  flags.setAllowReassoc(granted & ir::fastmath::Reassoc);
  flags.setAllowContract(granted & ir::fastmath::Contract);
  flags.setAllowReciprocal(granted & ir::fastmath::Arcp);
  flags.setNoNaNs(granted & ir::fastmath::Nnan);
  flags.setNoInfs(granted & ir::fastmath::Ninf);
  flags.setNoSignedZeros(granted & ir::fastmath::Nsz);
  flags.setApproxFunc(granted & ir::fastmath::Afn);
  return flags;
}

static void make_variables(FunctionCode& f) {
  f.out.status = f.b.CreateAlloca(f.b.getInt32Ty(), nullptr, "status");
  f.variables.allocate(f.module);
  f.b.CreateStore(f.b.getInt32(VR_OK), f.out.status);
  f.variables.zero();
}

// ---------------------------------------------------------------- parameters and results
static void load_params(FunctionCode& f) {
  llvm::Value* args = f.target->getArg(1);
  for (size_t k = 0; k < f.source.params.size(); ++k) {
    const lower::Param& p = f.source.params[k];
    llvm::Value* value = at(f, args, k * sizeof(vr_value));
    if (p.array != none) {
      read_descriptor(f, load_field(f, Scalar::Ptr, value), f.array(p.array));
      continue;
    }
    const Scalar type = f.variables.type(p.var);
    f.variables.set(p.var, load_field(f, type, value));
    if (p.im != none)
      f.variables.set(p.im, load_field(f, type, at(f, value, static_cast<uint64_t>(lower::scalar_bytes(type)))));
  }
}

static void hand_over_results(FunctionCode& f) {
  if (f.source.kind != lower::Function::Kind::Entry) return;
  llvm::Value* results = f.target->getArg(2);
  for (size_t k = 0; k < f.source.results.size(); ++k) {
    const lower::Param& r = f.source.results[k];
    llvm::Value* value = at(f, results, k * sizeof(vr_value));
    if (r.array != none) {
      fill_descriptor(f, f.array(r.array), load_field(f, Scalar::Ptr, value), true);
      continue;
    }
    const Scalar type = f.variables.type(r.var);
    store_field(f, f.variables.get(r.var), value);
    if (r.im != none)
      store_field(f, f.variables.get(r.im), at(f, value, static_cast<uint64_t>(lower::scalar_bytes(type))));
  }
}

// The environment holds 8 bytes for each captured variable.
static void load_captures(FunctionCode& f) {
  llvm::Value* env = f.target->getArg(1);
  uint64_t offset = 0;
  for (const lower::Param& p : f.source.params) {
    for (lower::VarId v : {p.var, p.im}) {
      if (v == none) continue;
      f.variables.set(v, load_field(f, f.variables.type(v), at(f, env, offset)));
      offset += 8;
    }
  }
  f.variables.set(f.source.lo_var, f.target->getArg(2));
  f.variables.set(f.source.hi_var, f.target->getArg(3));
}

// ---------------------------------------------------------------- the whole function
void emit_function(ModuleEmitter& module, const lower::Function& source, llvm::Function* target) {
  FunctionCode f(module, source, target);
  f.b.setFastMathFlags(flags_of(source.fast_math));
  if (DebugInfo* debug = module.debug()) f.b.SetCurrentDebugLocation(debug->begin(target, source));
  f.b.SetInsertPoint(f.new_block("entry"));
  f.out.exit = llvm::BasicBlock::Create(module.context(), "exit");
  f.out.cleanup = llvm::BasicBlock::Create(module.context(), "cleanup");
  make_variables(f);
  if (source.kind == lower::Function::Kind::Task)
    load_captures(f);
  else
    load_params(f);

  emit_block(f, source.body);
  if (!f.terminated()) f.b.CreateBr(f.out.exit);

  f.out.exit->insertInto(target);
  f.b.SetInsertPoint(f.out.exit);
  hand_over_results(f);
  f.b.CreateStore(f.b.getInt32(VR_OK), f.out.status);
  f.b.CreateBr(f.out.cleanup);

  f.out.cleanup->insertInto(target);
  f.b.SetInsertPoint(f.out.cleanup);
  emit_block(f, source.cleanup);
  if (!f.terminated()) f.b.CreateRet(f.b.CreateLoad(f.b.getInt32Ty(), f.out.status));
  f.call_memory.finish();
}

}  // namespace vr::codegen::llvm_backend
