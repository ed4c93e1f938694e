// What accelerated sections leave to the CPU (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

#include <map>
#include <set>
#include <string>

namespace vr::lower {

/// Tells what of a statement of a section, as it was lowered, with kernels taken out, runs on the CPU. `refused`: why loops
/// over elements did not become kernels, by the outermost's variable; `all`: why none did.
void tell_left(Lowering& f, const Block& b, const std::map<VarId, std::string>& refused, const std::string& all);
/// The same of a loop of the program: what it looks at beside launches.
void tell_loop(Lowering& f, const Block& b, const std::string& what);
/// A parallel loop that cannot be a kernel, with the variables that it uses.
void tell_pfor(Lowering& f, const std::set<ir::SymbolId>& used, const std::string& why);

}  // namespace vr::lower
