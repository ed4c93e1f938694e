// Copies of expressions and statements that use other variables of the same function (private to src/loop).
#pragma once
#include "loop/walk.hpp"

#include <map>

namespace vr::lower {

/// The expression with each variable that `names` has replaced by the one that it gives, of the same type.
ExprP renamed(Exprs& x, ExprP e, const std::map<VarId, VarId>& names);
/// The statement, and those in its blocks, with variables replaced where they are used and where SetVar, CountedLoop or
/// Atomic assigns them.
Stmt renamed(Exprs& x, Stmt s, const std::map<VarId, VarId>& names);

/// A new variable of the function with the type, and a name, of this one.
VarId variable_like(Exprs& x, Function& fn, VarId v);
/// Such variables for those that the statement and its blocks assign.
std::map<VarId, VarId> variables_like(Exprs& x, Function& fn, const Stmt& s);

}  // namespace vr::lower
