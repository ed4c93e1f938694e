#include "loop/analysis/invariants.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

class Changes {
 public:
  Changes(const Function& f, const std::set<const If*>& without) : f_(f), without_(without) {}

  void block(const Block& b) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node); n && without_.count(n)) continue;
      std::visit(Overloaded{[&](const SetVar& n) { set(n.var); }, [&](const CountedLoop& n) { set(n.var); },
                            [&](const Atomic& n) { set(n.result); }, [&](const TakeAddress& n) { set(n.var); },
                            [&](const Scratch& n) { set(n.var); },
                            [&](const Call& n) {
                              set(n.result);
                              for (const Arg& a : n.args)
                                if (a.kind == Arg::Kind::Array && a.out) array(a.array);
                            },
                            [&](const CallFunction& n) {
                              for (const Operand& o : n.results) operand(o);
                              // References that the callee took over.
                              for (const Operand& o : n.args)
                                if (o.array != none) set(f_.arrays[static_cast<size_t>(o.array)].owner);
                            },
                            [](const Store&) {}, [](const AliasGroup&) {}, [](const If&) {}, [](const Loop&) {},
                            [](const Break&) {}, [](const Continue&) {}, [](const Fail&) {}, [](const Exit&) {},
                            [](const ParallelFor&) {}, [](const Launch&) {}},
                 s.node);
      for (const Block* p : parts(s)) block(*p);
    }
  }

  std::map<VarId, int> found;

 private:
  void set(VarId v) {
    if (v != none) ++found[v];
  }
  void array(ArrayId id) {
    const ArrayVars& a = f_.arrays[static_cast<size_t>(id)];
    set(a.data), set(a.owner), set(a.flags);
    for (const auto* fields : {&a.extent, &a.stride})
      for (VarId v : *fields) set(v);
  }
  void operand(const Operand& o) {
    set(o.var), set(o.im);
    if (o.array != none) array(o.array);
  }

  const Function& f_;
  const std::set<const If*>& without_;
};

}  // namespace

std::map<VarId, int> changes(const Function& f, const Block& b, const std::set<const If*>& without) {
  Changes c(f, without);
  c.block(b);
  return std::move(c.found);
}

bool steady(ExprP e, const std::map<VarId, int>& changed) {
  if (!e) return true;
  switch (e->kind) {
    case Expr::Kind::Var:
      return !changed.count(e->var);
    case Expr::Kind::Load:
      return false;
    case Expr::Kind::Binary:
      if ((e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return false;
      [[fallthrough]];
    default:
      return steady(e->a, changed) && steady(e->b, changed) && steady(e->c, changed);
  }
}

bool always_fails(const Block& b) {
  return std::any_of(b.begin(), b.end(), [](const Stmt& s) {
    if (auto* i = std::get_if<If>(&s.node)) {
      if (i->cond->kind == Expr::Kind::IntConst) return always_fails(i->cond->ival ? i->then_body : i->else_body);
      return always_fails(i->then_body) && always_fails(i->else_body);
    }
    return std::holds_alternative<Fail>(s.node);
  });
}

}  // namespace vr::lower
