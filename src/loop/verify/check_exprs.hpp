// Are the expressions of a lowered function well formed? (private to the verifier, check.cpp)
#pragma once
#include "loop/verify/check.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace vr::lower {

/// Thrown at the first violation.
struct Malformed {
  std::string what;
};
template <class... Args>
void require(bool ok, fmt::format_string<Args...> text, Args&&... args) {
  if (!ok) throw Malformed{fmt::format(text, std::forward<Args>(args)...)};
}

const char* type_name(Scalar s);

/// Checks expressions over the variables of one function. Throws Malformed for a violation.
class ExprCheck {
 public:
  ExprCheck(const Function& f, Level level) : f_(f), level_(level) {}

  void check_var(VarId v, Scalar type, const char* what) const;
  Scalar var_type(VarId v) const;
  /// Checks a tree once and returns its depth; trees may share nodes.
  int check_expr(ExprP e, int level = 0);
  void check_typed(ExprP e, Scalar type, const char* what);

 private:
  void check_binary(ExprP e, Scalar a, Scalar b) const;

  const Function& f_;
  const Level level_;
  std::unordered_map<ExprP, int> depth_;
};

}  // namespace vr::lower
