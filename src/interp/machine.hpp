// The interpreter's state and its walk over the tree.
#pragma once
#include "interp/datum.hpp"
#include "interp/interp.hpp"
#include "interp/native_stack.hpp"
#include "interp/selection.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::interp {

/// The variables of one call, in the order of the symbol table.
struct Frame {
  const ir::Function* function;
  std::vector<Datum> slots;
  std::vector<Datum> results;  ///< of the return statement that ended the call
};

enum class Flow : uint8_t { Next, Break, Continue, Return };

class Machine {
 public:
  Machine(const ir::Module& module, const ir::Conventions& conventions, const InterpOptions& options);

  /// Calls a function of the module; `args` are converted to its parameters' types. Results are converted to its
  /// outputs'.
  std::vector<Datum> call(const ir::Function& f, std::vector<Datum> args);
  Context& context() { return ctx_; }
  /// Adds function and place of the statement that was running, where the fault does not have them.
  void complete(ErrorRecord& r) const;

 private:
  // statements.cpp
  Flow run(const ir::Body& body);
  Flow run(const ir::Stmt& s);
  Flow node(const ir::Assign& s);
  Flow node(const ir::StmtList& s);
  Flow node(const ir::For& s);
  Flow node(const ir::PFor& s);
  Flow node(const ir::While& s);
  Flow node(const ir::If& s);
  Flow node(const ir::Break&) { return Flow::Break; }
  Flow node(const ir::Continue&) { return Flow::Continue; }
  Flow node(const ir::Return& s);
  Flow node(const ir::ExprStmt& s);
  void step();
  bool condition(const ir::Expr& e);
  void assign(const ir::Expr& target, Datum value);
  void assign_index(const ir::Index& target, const Datum& value);
  /// Calls body() for every point of the domain, the variables set.
  Flow iterate_domain(const std::vector<ir::SymbolId>& vars, const ir::Expr& domain, const std::function<Flow()>& body);

  // expressions.cpp
  Datum eval(const ir::Expr& e);  ///< converted to the stated type
  Datum eval_here(const ir::Expr& e);
  template <ir::Kind K>
  Datum node(const ir::Binary<K>& e);
  Datum node(const ir::And& e) { return logic(e, true); }
  Datum node(const ir::Or& e) { return logic(e, false); }
  template <ir::Kind K>
  Datum logic(const ir::Binary<K>& e, bool is_and);
  Datum node(const ir::Not& e);
  Datum node(const ir::Negate& e);
  Datum node(const ir::Cast& e);
  Datum node(const ir::Name& e);
  Datum node(const ir::IntConst& e);
  Datum node(const ir::FloatConst& e);
  Datum node(const ir::ComplexConst& e);
  Datum node(const ir::Index& e);
  Datum node(const ir::FnCall& e);
  Datum node(const ir::FnHandle& e);
  Datum node(const ir::LibCall& e);
  Datum node(const ir::Alloc& e);
  Datum node(const ir::Dim& e);
  Datum node(const ir::DimVec& e);
  Datum node(const ir::TupleExpr& e);
  Datum node(const ir::TupleIndex& e);
  Datum node(const ir::ComplexExpr& e);
  Datum node(const ir::RealExpr& e);
  Datum node(const ir::ImagExpr& e);
  Datum node(const ir::Range& e);
  Datum node(const ir::Domain& e);
  Datum node(const ir::Xchange& e);
  RangeSpec range(const ir::Range& e);
  std::vector<SubscriptValue> subscripts(const std::vector<ir::Subscript>& subs);
  std::vector<Datum> arguments(const std::vector<ir::ExprPtr>& args);
  std::vector<Datum> call_value(const FunctionRef& f, std::vector<Datum> args, const ir::Type& stated);
  std::vector<Datum> call_here(const ir::Function& f, std::vector<Datum> args);
  Datum results_of(std::vector<Datum> results);

  // variables
  size_t slot(ir::SymbolId id) const;
  const ir::Symbol& symbol(ir::SymbolId id) const { return frame_->function->symbols.at(id); }
  /// What errors call the variable: a statement that was inlined goes on speaking of its own function's names.
  const std::string& name(ir::SymbolId id) const;
  /// The variable's value; its type's default when it was never assigned.
  Datum& variable(ir::SymbolId id);
  const ArrayRef& array_variable(ir::SymbolId id);
  /// What a store asks first: READ_ONLY under `:assign share` when the variable's array is so.
  void before_store(ir::SymbolId id);
  /// The variable's array, made this variable's own under `:assign copy` when somebody else could see a store.
  ArrayRef& writable(ir::SymbolId id);

  const ir::Module& module_;
  InterpOptions options_;
  Context ctx_;
  NativeStack stack_;
  Frame* frame_ = nullptr;
  const ir::Stmt* statement_ = nullptr;
  int64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace vr::interp
