// The range of a counted loop in the source program, before lowering made its iterations count from 0.
#pragma once
#include "loop/analysis/polynomials.hpp"

#include <map>
#include <optional>
#include <set>

namespace vr::lower {

/// The numbers start, start + 1, ..., stop - 1. difference: stop - start, as it is written, perhaps a variable; it may
/// wrap.
struct LoopRange {
  ExprP start, stop, difference;
};

/// The values of the variables that the body assigns exactly once, in nested blocks as well.
std::map<VarId, ExprP> single_definitions(const Block& body);

/// The range of a loop over [0, start < stop ? stop - start : 0), where the difference is the largest Int64 if it
/// overflows: start + loop variable is below stop, and does not overflow. Empty: the loop is not of this form.
/// definitions: the values of variables in `loop.hi` (single_definitions).
std::optional<LoopRange> loop_range(const CountedLoop& loop, const std::map<VarId, ExprP>& definitions);
/// The same of the number of iterations.
std::optional<LoopRange> counted_range(ExprP count, const std::map<VarId, ExprP>& definitions);

/// The number of iterations of a loop whose range begins at a different number in each iteration of the kernel.
struct EqualCount {
  static constexpr int64_t most = int64_t{1} << 24;
  ExprP trips;            ///< of the kernel's inputs; may be negative, for none
  std::set<VarId> small;  ///< inputs whose absolute values must be at most `most`, so that the range's ends do not wrap
};

/// Empty: the iterations of the kernel have different numbers, or it is not known. values: at the loop.
std::optional<EqualCount> equal_count(Exprs& x, const Function& kernel, const CountedLoop& loop, Polynomials& values);

}  // namespace vr::lower
