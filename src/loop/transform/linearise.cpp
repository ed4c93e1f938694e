#include "loop/transform/linearise.hpp"

#include "loop/walk.hpp"

#include <unordered_map>

namespace vr::lower {

namespace {

class Linearise {
 public:
  explicit Linearise(Exprs& x) : x_(x) {}

  void block(Block& b) {
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = expr(e); });
      for (Block* p : parts(s)) block(*p);
    }
  }

 private:
  ExprP expr(ExprP e) {
    if (!e || is_simple(e)) return e;
    if (auto it = done_.find(e); it != done_.end()) return it->second;
    ExprP r = e;
    if (e->kind == Expr::Kind::At) {
      r = x_.int_const(0);
      for (ExprP axis = e; axis; axis = axis->c) r = plus(r, x_.mul(expr(axis->a), expr(axis->b)), axis->a);
      r = x_.add(r, x_.int_const(e->ival));
    } else {
      Expr n = *e;
      n.a = expr(e->a);
      n.b = expr(e->b);
      n.c = expr(e->c);
      if (e->kind == Expr::Kind::Offset)
        r = n.a != e->a || n.b != e->b ? x_.offset(n.a, n.b) : e;
      else if (n.a != e->a || n.b != e->b || n.c != e->c)
        r = x_.make(n);
    }
    return done_[e] = r;
  }

  /// A first term that is itself a sum (a subscript of single bytes) stays one term and is not simplified: an address
  /// that includes only a part of this sum may lie outside the array.
  ExprP plus(ExprP sum, ExprP term, ExprP subscript) {
    if (sum->kind != Expr::Kind::IntConst || subscript->kind == Expr::Kind::At || term->kind != Expr::Kind::Binary ||
        term->op != Op::Add)
      return x_.add(sum, term);
    Expr n{Expr::Kind::Binary, Scalar::Int64};
    n.op = Op::Add;
    n.a = sum;
    n.b = term;
    return x_.make(n);
  }

  Exprs& x_;
  std::unordered_map<ExprP, ExprP> done_;  ///< memo: expressions are shared
};

}  // namespace

void linearise(Module& m, const PassOptions&) {
  Exprs x(m);
  Linearise pass(x);
  for (const auto& f : m.functions) {
    pass.block(f->body);
    pass.block(f->cleanup);
    pass.block(f->join);
  }
}

}  // namespace vr::lower
