// Reductions: accumulators, how they are started, joined and finished (private to src/lower).
#pragma once
#include "lower/accumulator.hpp"
#include "lower/lowering.hpp"

namespace vr::lower {

Accumulator accumulator(Lowering& f, const ir::LibFunction& fn, const ArrayGen& g, const ir::Type& result);
void start(Emitter& out, const Accumulator& a);
/// A second accumulator for the same reduction, with its own variables.
Accumulator another(Emitter& out, Accumulator a);
void join(Emitter& out, const Accumulator& a, ScalarValue v, ExprP k, bool anywhere = false);
void join(Emitter& out, const Accumulator& a, const Accumulator& other);
ScalarValue finish(Emitter& out, const Accumulator& a, ExprP n);
ScalarValue reduce_one(Emitter& out, const ir::LibFunction& fn, ScalarValue v);
ScalarValue reduce_all(Lowering& f, const ir::LibFunction& fn, const ArrayGen& g, const ir::Type& stated);

}  // namespace vr::lower
