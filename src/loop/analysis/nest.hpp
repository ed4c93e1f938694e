// Properties of the loops of a nest, and of the versions that conditions select inside it.
#pragma once
#include "loop/analysis/dependence.hpp"
#include "loop/exprs.hpp"

#include <map>
#include <set>

namespace vr::lower {

/// A loop without inner loops.
bool is_leaf(const CountedLoop& n);
/// A loop that neither lowering nor another transformation has marked for a special treatment.
bool is_plain(const CountedLoop& n);
/// Variables that the block may read before it assigns them, of those that it assigns.
std::set<VarId> read_before_assigned(const Function& fn, const Block& b);
/// The variables that are assigned, without being read, by the first statement of the block that names them.
std::set<VarId> assigned_first(const Block& b);

/// The expression with these variables replaced by their values.
ExprP substituted(Exprs& x, ExprP e, const std::map<VarId, ExprP>& values);
/// Records the variable's value, with the values that are recorded already in place of their variables. False: it is
/// too large, and the variable has no recorded value then. (Assignments that each use the one before twice double the
/// size.)
bool record_value(Exprs& x, std::map<VarId, ExprP>& values, VarId v, ExprP value);

/// Where conditions that are the same in all iterations select between two forms of inner loops, takes one of them
/// (`first`: that of the true conditions, else the other). `all` becomes true where all these conditions are true.
/// False: there are no such conditions, or other conditions as well; `n` must then be discarded.
bool choose_forms(const Function& fn, Exprs& x, CountedLoop& n, bool first, ExprP& all);

}  // namespace vr::lower
