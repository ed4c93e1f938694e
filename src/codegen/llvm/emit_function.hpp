// FunctionEmitter: the body of one Entry or Task function (private to codegen/llvm).
//
//   entry:    variables as allocas, zeroed; parameters loaded from args / env
//   body:     the statements
//   exit:     results handed over, status 0               <- Exit, end of the body
//   cleanup:  Function::cleanup, return the status        <- exit, Fail, checked calls
//
// Statements are spread over emit_function.cpp (frame), emit_stmt.cpp (control flow), emit_call.cpp and emit_expr.cpp.
#pragma once
#include "codegen/llvm/emit_module.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace vr::codegen::llvm_backend {

class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& module, const lower::Function& source, llvm::Function* target);
  void run();

 private:
  using Value = llvm::Value*;

  // ---- frame (emit_function.cpp)
  void make_variables();
  void load_params();
  void load_captures();
  void hand_over_results();
  Value get(lower::VarId v);
  void set(lower::VarId v, Value value);
  lower::Scalar type_of(lower::VarId v) const { return f_.vars[static_cast<size_t>(v)].type; }
  const lower::ArrayVars& array(lower::ArrayId a) const { return f_.arrays[static_cast<size_t>(a)]; }
  /// base + bytes, within one object.
  Value at(Value base, uint64_t bytes);
  /// A value as a member of a structure in memory, where Bool is a byte; `align` as C lays the structure out.
  Value load_field(lower::Scalar type, Value address);
  void store_field(Value value, Value address);
  void read_descriptor(Value descriptor, const lower::ArrayVars& a);
  /// Fills a descriptor from the array's variables; without `contents` data and owner are null.
  void fill_descriptor(const lower::ArrayVars& a, Value descriptor, bool contents);
  llvm::AllocaInst* entry_alloca(llvm::Type* type, unsigned count, const char* name);
  /// Memory for the descriptors, vr_values and int64 vectors of calls. It holds something only around one call, so all
  /// calls of the function share it.
  Value descriptor_slot(size_t k);
  Value args_memory(size_t values);
  Value results_memory(size_t values);
  llvm::BasicBlock* new_block(const char* name);
  bool terminated() { return b_.GetInsertBlock()->getTerminator() != nullptr; }

  // ---- statements (emit_stmt.cpp, emit_call.cpp)
  void emit_block(const lower::Block& block);
  void emit(const lower::SetVar& s);
  void emit(const lower::Store& s);
  void emit(const lower::Atomic& s);
  void emit(const lower::AliasGroup& s);
  void emit(const lower::If& s);
  void emit(const lower::CountedLoop& s);
  void emit(const lower::Loop& s);
  void emit(const lower::Break& s);
  void emit(const lower::Continue& s);
  void emit(const lower::Fail& s);
  void emit(const lower::Exit& s);
  void emit(const lower::Call& s);
  void emit_release(const lower::Call& s);
  void emit_keep(const lower::Call& s);
  void emit(const lower::CallFunction& s);
  void emit(const lower::TakeAddress& s);
  void emit(const lower::Scratch& s);
  void emit(const lower::ParallelFor& s);
  void emit(const lower::Launch& s);
  /// Goes on when the status is 0, else to the cleanup with it.
  void check_status(Value status);
  void fill_args(const std::vector<lower::Operand>& operands, Value values, size_t& descriptors);

  // ---- expressions (emit_expr.cpp)
  Value eval(lower::ExprP e);
  Value eval_new(lower::ExprP e);
  Value unary(const lower::Expr& e);
  Value binary(const lower::Expr& e);
  Value compare(const lower::Expr& e, Value a, Value b);
  Value convert(lower::Scalar from, lower::Scalar to, Value v);
  Value math(const lower::Expr& e);
  Value load(const lower::Expr& e);
  Value address(lower::ExprP base, lower::ExprP offset);
  void annotate_access(llvm::Instruction* access, int32_t alias_set);
  /// Makes the scopes of the alias sets used in the function.
  void make_alias_scopes();

  ModuleEmitter& module_;
  const lower::Function& f_;
  llvm::Function* target_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> b_;

  std::vector<llvm::AllocaInst*> vars_;
  llvm::AllocaInst* status_ = nullptr;
  llvm::BasicBlock *exit_ = nullptr, *cleanup_ = nullptr;
  Value ctx_ = nullptr;
  std::vector<llvm::AllocaInst*> descriptors_;
  llvm::AllocaInst *args_ = nullptr, *results_ = nullptr;
  size_t args_size_ = 0, results_size_ = 0;

  struct LoopTargets {
    llvm::BasicBlock *next, *end;
  };
  std::vector<LoopTargets> loops_;
  std::vector<llvm::Metadata*> access_groups_;  ///< of the independent loops around here

  /// Values of the current statement's expressions: trees may share nodes.
  llvm::DenseMap<lower::ExprP, Value> values_;

  struct AliasScopes {
    llvm::MDNode *scope, *noalias;
  };
  bool any_order_ = false;  ///< a step of a reduction that may associate has been seen in the loop at hand
  std::map<int32_t, AliasScopes> alias_scopes_;
  struct AliasGroup {
    llvm::MDNode* domain = nullptr;
    std::vector<llvm::Metadata*> scopes;
  };
  std::map<int32_t, AliasGroup> alias_groups_;
};

}  // namespace vr::codegen::llvm_backend
