// Dependences between the accesses of a loop nest: by how many iterations of each loop two accesses to one element are
// apart.
#pragma once
#include "loop/form.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vr::lower {

/// constant + the sum of coefficient * variable, modulo 2^64.
struct LinearForm {
  int64_t constant = 0;
  std::map<VarId, int64_t> terms;  ///< no coefficient is 0
};

/// Int64 expressions of a nest's body, while its statements are walked in order, as linear forms of the variables of
/// the loops around them and of variables that the nest does not assign. Other variables are replaced by the values
/// that were assigned to them.
class LinearForms {
 public:
  LinearForms(const Function& fn, const CountedLoop& nest);

  /// To be called after the assignment.
  void execute(const SetVar& s);
  /// Before and after the walk of an inner loop's body.
  void enter(const CountedLoop& loop);
  void leave(const CountedLoop& loop);

  std::optional<LinearForm> of(ExprP e) const;
  /// Whether the expression has the same value in all iterations of the nest's outermost loop. No loads.
  bool is_invariant(ExprP e) const;

 private:
  struct Value {
    std::optional<LinearForm> form;
    bool invariant;
  };
  void forget(const CountedLoop& loop);

  const Function& fn_;
  std::map<VarId, int> changed_;  ///< what the nest assigns
  std::vector<VarId> loops_;      ///< around the current statement
  std::map<VarId, Value> values_;
};

/// An access to an element within a nest.
struct NestAccess {
  ExprP load;  ///< null: a store
  VarId base;  ///< the variable of the array's address; none: unknown
  int32_t alias_set;
  std::vector<std::optional<LinearForm>> subscripts;
  std::vector<ExprP> strides;  ///< in bytes, one for each subscript
  std::vector<VarId> loops;    ///< the variables of the loops around it, the nest's first
  std::vector<size_t> place;   ///< the number of the statement in the body of each of these loops
  bool is_store() const { return !load; }
  bool leaf;  ///< the innermost of these loops contains no other loop
};

/// The axis of the access along which consecutive subscripts are consecutive elements; no value: none is known.
std::optional<size_t> unit_stride_axis(const Function& fn, const NestAccess& a);

/// Two accesses, at least one of them a store, that may access one element: the first in the iterations i of the loops
/// that both are in, the second in the iterations i + distance.
struct Dependence {
  size_t first, second;  ///< in NestDependences::accesses; first <= second
  /// One for each loop that both are in; no value: any.
  std::vector<std::optional<int64_t>> distance;
};

/// The dependences of a nest whose statements are assignments of scalars, stores and counted loops.
///
/// They hold if the elements of each array in `distinct` have different addresses for different subscripts within the
/// array's bounds, and if all accesses are within bounds. Arrays of different alias sets of one group are disjoint.
struct NestDependences {
  NestDependences(const Function& fn, const CountedLoop& nest);

  bool known = true;  ///< false: the nest has other statements; nothing is known of its accesses
  std::vector<NestAccess> accesses;
  std::vector<Dependence> all;
  std::set<VarId> distinct;  ///< addresses of arrays

  /// Whether, for iterations of the outermost loop that are less than `lanes` apart, every dependence still has its
  /// order if the nest's inner loops run together: statement for statement, and in innermost loops iteration for
  /// iteration.
  bool may_jam(int64_t lanes) const;
  /// For a nest of two loops all of whose accesses are in the inner one: the least number of iterations (up to `most`)
  /// by which each of `lanes` iterations of the outer loop must run behind the one before in the inner loop, so that
  /// every dependence has its order. No value: there is none.
  std::optional<int64_t> skew(int64_t lanes, int64_t most) const;
  /// Whether iterations of an inner loop do not depend on each other, in each of its runs, if `lanes` iterations of the
  /// outermost loop run together.
  bool is_independent(VarId loop, int64_t lanes) const;
  std::string text(const Function& fn) const;  ///< a line for each dependence, for tests
};

}  // namespace vr::lower
