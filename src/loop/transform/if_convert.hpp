// If-conversion: short conditional code of kernels becomes straight-line code (private to src/loop).
#pragma once
#include "loop/writer.hpp"

namespace vr::lower {

/// Whether the expression can be computed where the conditions around it do not hold, apart from its loads: it divides
/// no integers, except by positive constants.
bool never_faults(ExprP e);

/// Whether `n` is a condition that if_converted() can write, and that gains: its branches only assign scalars, and
/// perhaps both store to one element at their ends; they are cheap; and the condition does not depend on what they
/// assign (extrema and their places keep their form, which reductions are recognised by). Loads must be checked by the
/// caller: after the conversion they are made in any case.
bool may_convert(const If& n);

/// Writes both branches of `n` one after the other, with variables of their own, and then a select for each variable
/// (Allen, Kennedy, Porterfield and Warren 1983, "Conversion of control dependence to data dependence", restricted to
/// innermost conditions). So several iterations can overlap, and share what they load.
void if_converted(Writer& out, const If& n);

}  // namespace vr::lower
