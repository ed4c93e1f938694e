// Reductions of the loop form that a loop's scalar code spells out: sums, products, extrema of its iterations.
#pragma once
#include "loop/writer.hpp"

#include <cstddef>
#include <optional>

namespace vr::lower {

/// What a statement sequence does first with a variable, on some path: `Read` if it may use the value from before,
/// `Assigned` if it always assigns before it ends and never reads before that.
enum class FirstAccess : uint8_t { Neither, Read, Assigned };
/// Of the block's statements from number `from` on.
FirstAccess first_access(const Block& b, size_t from, VarId v);

/// What the loop, statement number `at` of the block, carries from one iteration to the next or hands to the statements
/// after it, if that is the state of a reduction whose order is free; without variables if it carries nothing. Empty:
/// it carries something else. Nothing follows the block.
///
/// Recognised are variables that each iteration changes by
///   - v = v + e, v - e, v * e; v & e, v | e, v ^ e of integers and Bool: perhaps under conditions, several times in an
///   iteration;
///   - v = e < v ? e : v, and the other ways to choose the smaller or the greater of the two;
///   - if e < v (or e > v), v = e and p = the iteration's number: the first place of the least (greatest) element,
///   which needs no permission,
/// where e and the conditions depend on nothing that the loop carries. Sums, products and extrema of floats need the
/// function's permission (ir::fastmath::Reassoc; Nnan as well for an extremum that is not indifferent to the position
/// of a NaN), or steps that are marked any_order. `out` writes the function with the loop; the variables of the second
/// state and expressions are made there.
///
/// ordered, if not null: extrema of floats need no permission that are indifferent to the position of a NaN (or keep
/// the first one), and receives a condition on the joined state (null: never) under which the loop has to run again, in
/// order: 0 and -0 are equal, and so the first of them, of different signs, is the extremum; NaNs may differ in their
/// bits.
std::optional<Reduction> carried_reduction(Writer& out, const Block& b, size_t at, ExprP* ordered = nullptr);

}  // namespace vr::lower
