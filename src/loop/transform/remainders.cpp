// remainders: those of sums, by a subtraction where that is enough.
//
//   s = i + 1         s = i + 1
//   t = s % n         t = s < n & s > -n ? s : (s - n >= 0 & s - n < n ? s - n : s % n)
#include "loop/transform/remainders.hpp"

#include "loop/exprs.hpp"
#include "loop/walk.hpp"

#include <set>

namespace vr::lower {

namespace {

class Remainders {
 public:
  Remainders(Exprs& x, Function& f) : x_(x), times_(assignments(f.body)) {}

  void block(Block& b) {
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      auto* n = std::get_if<SetVar>(&s.node);
      if (!n) continue;
      if (is_sum(n->value) && times_.at(n->var) == 1) sums_.insert(n->var);
      if (is_near(n->value)) n->value = by_subtraction(n->value);
    }
  }

 private:
  static bool is_sum(ExprP e) {
    return is_integer(e->type) && e->kind == Expr::Kind::Binary && (e->op == Op::Add || e->op == Op::Sub);
  }
  bool is_near(ExprP e) const {
    return e->kind == Expr::Kind::Binary && e->op == Op::Rem && !is_unsigned(e->type) && e->b->kind == Expr::Kind::Var &&
           e->a->kind == Expr::Kind::Var && sums_.count(e->a->var);
  }
  ExprP by_subtraction(ExprP e) {
    const ExprP a = e->a, n = e->b, less = x_.sub(a, n);
    const ExprP once = x_.select(x_.both(x_.ge(less, x_.int_const(0, e->type)), x_.lt(less, n)), less, e);
    return x_.select(x_.both(x_.lt(a, n), x_.gt(a, x_.neg(n))), a, once);
  }

  Exprs& x_;
  const std::map<VarId, int> times_;
  std::set<VarId> sums_;  ///< variables that are assigned once, to a sum
};

}  // namespace

void remainders(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel) Remainders(x, *f).block(f->body);
}

}  // namespace vr::lower
