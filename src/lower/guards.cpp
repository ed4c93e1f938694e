#include "lower/guards.hpp"

#include "loop/analysis/invariants.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace vr::lower {

ExprP take_out_checks(Emitter& out, Block& loop) {
  std::vector<ExprP> passes;
  const auto assigned = assignments(loop);
  std::function<void(Block&)> visit = [&](Block& b) {
    std::erase_if(b, [&](const Stmt& s) {
      auto* i = std::get_if<If>(&s.node);
      if (!i || i->cond->kind == Expr::Kind::IntConst || !i->else_body.empty() || !always_fails(i->then_body) ||
          !steady(i->cond, assigned))
        return false;
      if (std::none_of(passes.begin(), passes.end(), [&](ExprP p) { return same(p, i->cond); }))
        passes.push_back(i->cond);
      return true;
    });
    for (Stmt& s : b) {
      if (auto* l = std::get_if<CountedLoop>(&s.node)) visit(l->body);
      if (auto* i = std::get_if<If>(&s.node)) {
        visit(i->then_body);
        visit(i->else_body);
      }
    }
  };
  visit(loop);
  ExprP all = nullptr;
  for (ExprP p : passes) all = all ? out.x.both(all, out.x.not_(p)) : out.x.not_(p);
  return all;
}

ExprP goes_straight(Emitter& out, const LoopDim& d, int64_t coefficient, int loops) {
  const int64_t room = (int64_t{1} << 61) / loops, most_iterations = int64_t{1} << 40;
  if (d.int_step->kind == Expr::Kind::IntConst) {
    int64_t by = 0;
    if (__builtin_mul_overflow(d.int_step->ival, coefficient, &by) || by == INT64_MIN) return out.x.bool_const(false);
    by = std::llabs(by);
    if (by == 0 || (by == 1 && loops == 1)) return out.x.bool_const(true);  // a count is below 2^63
    return out.x.le(d.count, out.x.int_const(room / by));
  }
  if (coefficient == 0) return out.x.bool_const(true);
  ExprP most = out.x.int_const(room / most_iterations / coefficient), none = out.x.neg(most);
  return out.x.both(out.x.le(d.count, out.x.int_const(most_iterations)),
                    out.x.both(out.x.ge(d.int_step, none), out.x.le(d.int_step, most)));
}

}  // namespace vr::lower
