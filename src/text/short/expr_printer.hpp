// Expressions in the short syntax.
#pragma once
#include "text/short/scope.hpp"

#include <string>
#include <vector>

namespace vr::text::brief {

class ExprPrinter {
 public:
  /// `names`: the text of the function's variables, by id. Both must outlive the printer.
  ExprPrinter(const Scope& scope, const std::unordered_map<ir::SymbolId, std::string>& names)
      : scope_(scope), names_(names) {}

  /// In parentheses if its operator binds less tightly than `precedence`.
  std::string expr(const ir::Expr& e, int precedence = 0) const;
  std::string exprs(const std::vector<ir::ExprPtr>& list) const;
  /// NAME, NAME#ID, or #ID if the function has no variable of that name.
  std::string variable(ir::SymbolId id) const;
  std::string type(const ir::Type& t) const;

 private:
  struct Written {
    std::string text;
    int precedence;
    ir::Type type;  ///< that the text gives to the node
  };
  Written write(const ir::Expr& e) const;
  template <ir::Kind K>
  Written parts(const ir::Binary<K>& n) const;
  Written parts(const ir::Not& n) const;
  Written parts(const ir::Negate& n) const;
  Written parts(const ir::Cast& n) const;
  Written parts(const ir::Name& n) const;
  Written parts(const ir::IntConst& n) const;
  Written parts(const ir::FloatConst& n) const;
  Written parts(const ir::ComplexConst& n) const;
  Written parts(const ir::Index& n) const;
  Written parts(const ir::FnCall& n) const;
  Written parts(const ir::FnHandle& n) const;
  Written parts(const ir::LibCall& n) const;
  Written parts(const ir::Alloc& n) const;
  Written parts(const ir::Dim& n) const;
  Written parts(const ir::DimVec& n) const;
  Written parts(const ir::TupleExpr& n) const;
  Written parts(const ir::TupleIndex& n) const;
  Written parts(const ir::ComplexExpr& n) const;
  Written parts(const ir::RealExpr& n) const;
  Written parts(const ir::ImagExpr& n) const;
  Written parts(const ir::Range& n) const;
  Written parts(const ir::Domain& n) const;
  Written parts(const ir::Xchange& n) const;

  template <class N>
  Written untyped(const N& n, std::string text, int precedence) const;
  std::string subscripts(const std::vector<ir::Subscript>& list) const;
  std::string subscript(const ir::Expr& value) const;

  const Scope& scope_;
  const std::unordered_map<ir::SymbolId, std::string>& names_;
};

}  // namespace vr::text::brief
