// Reports which work of accelerated sections runs on the CPU (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

#include <map>
#include <set>
#include <string>

namespace vr::lower {

/// Reports the work of a lowered statement of a section that remains on the CPU after kernels were made. `refused`: why
/// loops over elements did not become kernels, by the outermost loop's variable; `all`: why none did.
void tell_left(Lowering& f, const Block& b, const std::map<VarId, std::string>& refused, const std::string& all);
/// The same for a `for` or `while` loop of the program: the elements that it accesses outside of kernels.
/// of_kernels: the arrays that its kernels work on; if there are kernels, elements of others stay on the host anyway.
void tell_loop(Lowering& f, const Block& b, const std::string& what, const std::set<ir::SymbolId>& of_kernels);
/// Reports a parallel loop that cannot be a kernel, with the variables that it uses.
void tell_pfor(Lowering& f, const std::set<ir::SymbolId>& used, const std::string& why);

}  // namespace vr::lower
