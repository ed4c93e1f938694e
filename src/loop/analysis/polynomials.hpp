// Int64 numbers of a function as polynomials, from which the difference of two addresses is known (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace vr::lower {

/// A sum of products of values, modulo 2^64. A value has a number; two occurrences of a number are equal.
struct Polynomial {
  /// The coefficient of each product (its values in ascending order); never 0. The empty product is the constant.
  std::map<std::vector<int32_t>, int64_t> terms;

  int64_t constant() const;
  /// Without the constant term. Two polynomials that are equal without it differ by a constant.
  Polynomial rest() const;
  bool operator==(const Polynomial&) const = default;
  auto operator<=>(const Polynomial&) const = default;
};

/// a + factor * b
Polynomial sum(Polynomial a, const Polynomial& b, int64_t factor);
/// The number n with a = n * b; none if there is no such number, or b is 0.
std::optional<int64_t> quotient(const Polynomial& a, const Polynomial& b);
/// What the value is multiplied by: the terms with it, each without it once.
Polynomial coefficient(const Polynomial& p, int32_t value);
bool is_number(const Polynomial& p, int64_t n);

/// The values of a function's variables while its statements are walked in order of execution. A copy, which is cheap,
/// walks a nested block.
class Polynomials {
 public:
  /// Keeps a reference to the function.
  explicit Polynomials(const Function& fn);

  /// The Int64 number at this point. Defined for every expression: what is not a sum or product is a value of its own.
  Polynomial of(ExprP e);
  /// The statement has been executed: the variables that it assigns, also in nested blocks, have new values.
  void execute(const Stmt& s);
  /// At the start of a block that is nested in the statement.
  Polynomials inside(const Stmt& s) const;
  /// The variable that has this value, never changes and, in a kernel, is the same for all work-items; `none` if there
  /// is none.
  VarId fixed_variable(int32_t value) const;
  /// The first such variable among the values of a product.
  VarId fixed_variable(const std::vector<int32_t>& product) const;
  /// Values have smaller numbers than this one so far.
  int32_t next_value() const { return next_; }

 private:
  int32_t fresh() { return next_++; }
  Polynomial value(int32_t number) const;
  Polynomial opaque(ExprP e);
  /// The variables have unknown new values.
  void forget(const std::set<VarId>& vars);
  using Known = std::shared_ptr<const Polynomial>;
  Known& known(VarId v);

  /// An expression that is no polynomial.
  struct Opaque {
    ExprP expr;
    int32_t value;
    uint64_t names;  ///< the variables that it names: bit v % 64 for variable v
  };

  const Function& fn_;
  std::shared_ptr<const std::set<VarId>> assigned_;  ///< anywhere in the function, and dimensions of a kernel
  std::vector<Known> known_;                         ///< by variable; null: not known
  std::vector<Opaque> opaque_;
  std::vector<std::pair<int32_t, VarId>> fixed_;  ///< values of variables that never change, in ascending order
  int32_t next_ = 0;
};

}  // namespace vr::lower
