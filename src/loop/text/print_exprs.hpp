// Expressions as text (private to the printer, print.cpp).
#pragma once
#include "loop/text/print_names.hpp"

namespace vr::lower {

class ExprPrinter {
 public:
  /// complete: prints everything that parse_loops() needs.
  ExprPrinter(const Function& f, const PrintedNames& names, bool complete)
      : f_(f), names_(names), complete_(complete) {}
  std::string expr(ExprP e) const;
  /// The operand of a load or store: NAME[i, j], or an address, and its alias set.
  std::string place(ExprP base, ExprP offset, int32_t alias_set = none) const;

 private:
  /// In parentheses if the expression has lower precedence than that.
  std::string expr(ExprP e, int at_least) const;
  std::string bare(const Expr& e) const;
  /// Each subscript, with the stride of its axis if that differs from the array's own stride.
  std::string subscripts(const Expr& at, ArrayId of = none) const;
  ArrayId array_at(ExprP base) const;
  std::string address(ExprP base, ExprP offset) const;

  const Function& f_;
  const PrintedNames& names_;
  const bool complete_;
};

}  // namespace vr::lower
