// Which elements of arrays the iterations of a loop access (private to src/loop).
#pragma once
#include "loop/analysis/polynomials.hpp"

#include <optional>
#include <vector>

namespace vr::lower {

/// The loads and stores of a loop's body, with subscripts as numbers times the loop's variable and something that is
/// the same in all iterations.
class IterationElements {
 public:
  struct Subscript {
    int64_t factor;   ///< of the loop's variable
    Polynomial rest;  ///< the same in all iterations
  };
  struct Access {
    VarId base;  ///< the variable of the array's address; none: another address
    bool store;
    /// One for each axis (At); no value: of another form. Empty: the offset is no At.
    std::vector<std::optional<Subscript>> axes;
    /// Numbers that are not 0 where the access is executed: the conditions around it.
    std::vector<Subscript> not_zero;
  };

  /// `loop` is a CountedLoop of the function that counts from 0. before: the values in front of it.
  IterationElements(const Function& fn, const Stmt& loop, const Polynomials& before);

  const std::vector<Access>& all() const { return all_; }
  /// Whether two different iterations never access one element of an array by `a` and `b`, accesses of this loop to the
  /// array. Different subscripts within the array's bounds must be different elements.
  bool are_apart(const Access& a, const Access& b) const;

 private:
  using Conditions = std::vector<Subscript>;
  void block(const Block& b, Polynomials values, const Conditions& around);
  void note(ExprP base, ExprP offset, bool store, Polynomials& values, const Conditions& around);
  void loads(ExprP e, Polynomials& values, const Conditions& around);
  std::optional<Subscript> subscript(ExprP e, Polynomials& values) const;
  /// Adds the number that is not 0 if the condition is `truth`.
  void add_condition(Conditions& all, ExprP cond, bool truth, Polynomials& values) const;

  const Function& fn_;
  Polynomial trips_;      ///< the number of iterations
  int32_t variable_ = 0;  ///< the value of the loop's variable; greater ones differ between iterations
  std::vector<Access> all_;
};

}  // namespace vr::lower
