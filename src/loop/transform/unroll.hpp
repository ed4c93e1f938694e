// unroll: loops of kernels with few iterations, whose number is known, become straight code.
#pragma once
#include "loop/exprs.hpp"
#include "loop/pass.hpp"

#include <functional>

namespace vr::lower {

/// In kernels without checks, a loop with constant bounds becomes its iterations one after another, with the loop variable as a
/// constant, if they have at most 1000 nodes of expressions together. Subscripts then differ by constants, so that the transformations
/// that follow see which elements are loaded twice and which are consecutive. Inner loops come first.
/// Not changed: loops that are left by a jump, and parallel ones.
void unroll(Module& m, const PassOptions& options);

/// Which loops are to be unrolled.
using WantedLoops = std::function<bool(const CountedLoop&)>;
/// The same for the wanted loops of one kernel, of at most so many iterations and nodes of expressions. Returns whether
/// there were any.
bool unroll_loops(Exprs& x, Function& kernel, int64_t iterations, int64_t nodes, const WantedLoops& wanted);

/// In functions of the host, an inner loop of at most 16 iterations, whose number is known, becomes straight code, so
/// that the loop around it is an innermost loop for the transformations and the vectoriser of the backend. Together the
/// iterations have at most 400 nodes of expressions. Not changed: loops that Break or Continue leave, and loops with
/// inner loops.
void unroll_inner(Module& m, const PassOptions& options);

}  // namespace vr::lower
