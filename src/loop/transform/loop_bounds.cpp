#include "loop/transform/loop_bounds.hpp"

#include "loop/walk.hpp"

#include <string>

namespace vr::lower {

LoopBounds loop_bounds(Writer& out, const CountedLoop& n) {
  Exprs& x = out.x;
  const auto changed = assignments(n.body);
  const std::string name = out.fn.vars[static_cast<size_t>(n.var)].name;
  const auto fixed = [&](ExprP e, const char* end) {
    return is_const(e) || (e->kind == Expr::Kind::Var && !changed.count(e->var)) ? e : out.temp(e, (name + end).c_str());
  };
  const ExprP lo = fixed(n.lo, ".lo"), hi = fixed(n.hi, ".hi");
  return {lo, hi, x.both(x.gt(hi, lo), x.gt(x.sub(hi, lo), x.int_const(0)))};
}

}  // namespace vr::lower
