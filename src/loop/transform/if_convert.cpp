// If-conversion:
//
//   if mask {                     t = a[i, j + 1]
//     s = s + a[i, j + 1]         t#1 = s + t
//   }                             s = mask ? t#1 : s
#include "loop/transform/if_convert.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr int64_t most_work = 24;          // of both branches, in additions
constexpr int64_t most_work_mostly = 200;  // if the condition holds for almost all iterations

int64_t work(ExprP e) {
  if (!e || is_simple(e)) return 0;
  int64_t here = 1;
  if (e->kind == Expr::Kind::Math) here = e->fn == MathFn::Fabs ? 1 : 16;
  if (e->kind == Expr::Kind::Load) return 2;  // with the address
  if (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem)) here = 12;
  return here + work(e->a) + work(e->b) + work(e->c);
}
const Store* last_store(const Block& b) { return b.empty() ? nullptr : std::get_if<Store>(&b.back().node); }
/// Whether a condition is false for few iterations: two numbers are different.
bool holds_mostly(ExprP c) {
  return c->kind == Expr::Kind::Binary && c->op == Op::Ne && is_integer(c->a->type) && c->a->kind == Expr::Kind::Var &&
         c->b->kind == Expr::Kind::Var;
}

}  // namespace

bool never_faults(ExprP e) {
  return !any_node(e, [](ExprP n) {
    const bool divides = n->kind == Expr::Kind::Binary && (n->op == Op::Div || n->op == Op::Rem) && !is_float(n->type);
    return divides && !(n->b->kind == Expr::Kind::IntConst && n->b->ival > 0);
  });
}

bool may_convert(const If& n) {
  if (n.unlikely) return false;
  int64_t all = 0;
  bool gains = false;
  std::set<VarId> assigned;
  for (const Block* b : {&n.then_body, &n.else_body})
    for (const Stmt& s : *b) {
      auto* set = std::get_if<SetVar>(&s.node);
      if (!set && &s != &b->back()) return false;
      if (!set && !std::holds_alternative<Store>(s.node)) return false;
      if (set) assigned.insert(set->var);
      // Subscripts that are chosen by a condition keep the form that analyses know.
      gains = gains || !set || is_float(set->value->type) || loads(set->value) || mentions(set->value, set->var);
      bool faults = false;
      each_expr(s, [&](ExprP e) {
        faults = faults || (e->type != Scalar::Ptr && !never_faults(e));
        all += e->type == Scalar::Ptr || e->kind == Expr::Kind::At ? 0 : work(e);
      });
      if (faults || (set && set->value->type == Scalar::Ptr)) return false;
    }
  const Store *a = last_store(n.then_body), *b = last_store(n.else_body);
  if ((a != nullptr) != (b != nullptr)) return false;
  if (a) {
    if (!same(a->base, b->base) || !same(a->offset, b->offset) || a->value->type != b->value->type) return false;
    for (VarId v : assigned)
      if (mentions(a->offset, v) || mentions(a->base, v)) return false;
  }
  if (!gains) return false;
  if (std::any_of(assigned.begin(), assigned.end(), [&](VarId v) { return mentions(n.cond, v); })) return false;
  return all <= (holds_mostly(n.cond) ? most_work_mostly : most_work);
}

void if_converted(Writer& out, const If& n) {
  Exprs& x = out.x;
  const ExprP c = out.keep(n.cond, "holds");
  std::map<VarId, ExprP> values[2];
  ExprP stored[2] = {};
  const Store* store = nullptr;
  for (size_t k = 0; k < 2; ++k)
    for (const Stmt& s : k == 0 ? n.then_body : n.else_body) {
      const Restore place(out.place, s.place);
      if (auto* set = std::get_if<SetVar>(&s.node)) {
        // A variable of its own in any case: another one's value may change before the selects.
        values[k][set->var] =
            out.temp(substituted(x, set->value, values[k]), out.fn.vars[static_cast<size_t>(set->var)].name.c_str());
      } else {
        store = &std::get<Store>(s.node);
        stored[k] = out.temp(substituted(x, store->value, values[k]), "stored");
      }
    }
  std::set<VarId> assigned;
  for (const auto& all : values)
    for (const auto& [v, value] : all) assigned.insert(v);
  for (VarId v : assigned) {
    const ExprP before = x.var(v, out.fn.vars[static_cast<size_t>(v)].type);
    const auto of = [&](size_t k) { return values[k].count(v) ? values[k].at(v) : before; };
    out.set(v, x.select(c, of(0), of(1)));
  }
  if (store) {
    Store one = *store;
    one.value = x.select(c, stored[0], stored[1]);
    out.emit(std::move(one));
  }
}

}  // namespace vr::lower
