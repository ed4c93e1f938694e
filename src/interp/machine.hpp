// The interpreter: calls and expressions. Statements: statements.hpp.
#pragma once
#include "interp/activation.hpp"
#include "interp/interp.hpp"
#include "interp/native_stack.hpp"
#include "interp/selection.hpp"
#include "interp/statements.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::interp {

class Machine {
 public:
  Machine(const ir::Module& module, const ir::Conventions& conventions, const InterpOptions& options);

  /// Calls a function of the module; `args` are converted to its parameters' types. Results are converted to its
  /// outputs'.
  std::vector<Datum> call(const ir::Function& f, std::vector<Datum> args);
  Context& context() { return ctx_; }
  Datum eval(const ir::Expr& e);  ///< converted to the stated type
  std::vector<SubscriptValue> subscripts(const std::vector<ir::Subscript>& subs);

 private:
  // expressions.cpp
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
  std::vector<Datum> arguments(const std::vector<ir::ExprPtr>& args);
  std::vector<Datum> call_value(const FunctionRef& f, std::vector<Datum> args, const ir::Type& stated);
  std::vector<Datum> call_here(const ir::Function& f, std::vector<Datum> args);
  std::vector<Datum> call_external(const ir::Function& f, std::vector<Datum> args);  // external.cpp

  const ir::Module& module_;
  const int depth_limit_;
  const runtime::Externals* const externals_;
  Context ctx_;
  NativeStack stack_;
  Activation here_;
  Statements statements_;
  int depth_ = 0;
};

}  // namespace vr::interp
