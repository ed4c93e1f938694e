// The convention `:overflow` (docs/vrir-conventions.md "overflow") as library calls.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <optional>
#include <string>
#include <vector>

namespace vr::ir {

/// Translates a verified module to OverflowMode::Wrap: operators on integers, and conversions that do not hold every
/// value of their operand, become calls of add_sat, cast_sat ... (saturate) or add_check, cast_check ... (fault).
/// Passes, interpreter and lowering therefore have to handle operators that wrap only. The result states `:overflow
/// wrap`, so that integer arithmetic which passes add later wraps as well; a module that states it is returned
/// unchanged.
ModulePtr explicit_overflow(const ModulePtr& module, const Conventions& conventions);

/// Whether every real number of element type `from` is converted to `to` in the same way under all settings of
/// `:overflow`: to bool, to floating types, and to integer types that hold all values.
bool never_overflows(Elem from, Elem to);

/// The verifier's objections to an expression, for the rule `overflow`.
struct OverflowFault {
  std::string message, hint;
};
/// Under `:overflow saturate` and `fault`: complex integers, and implicit conversions of tuples that may overflow,
/// which explicit_overflow() does not translate.
std::optional<OverflowFault> overflow_fault(const Conventions& conventions, const Expr& e, const Type& natural);
/// A conversion of tuple type `from` to `to` that may overflow.
std::optional<OverflowFault> tuple_overflow(const Conventions& conventions, const Type& from, const Type& to);
/// The same for values that are stored to these targets; `function` has their symbols. A tuple expression is
/// translated.
std::optional<OverflowFault> store_overflow(const Conventions& conventions, const Function& function, const Expr& value,
                                            const std::vector<ExprPtr>& targets);

}  // namespace vr::ir
