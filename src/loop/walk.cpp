#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

bool mentions(ExprP e, VarId v) {
  return e &&
         ((e->kind == Expr::Kind::Var && e->var == v) || mentions(e->a, v) || mentions(e->b, v) || mentions(e->c, v));
}

std::vector<const Block*> parts(const Stmt& s) {
  if (auto* n = std::get_if<If>(&s.node)) return {&n->then_body, &n->else_body};
  if (auto* n = std::get_if<CountedLoop>(&s.node)) return {&n->body};
  if (auto* n = std::get_if<Loop>(&s.node)) return {&n->body};
  if (auto* n = std::get_if<Solo>(&s.node)) return {&n->body};
  return {};
}

std::vector<Block*> parts(Stmt& s) {
  std::vector<Block*> all;
  for (const Block* p : parts(static_cast<const Stmt&>(s))) all.push_back(const_cast<Block*>(p));  // of `s`
  return all;
}

void each_expr_of(Stmt& s, FunctionView<void(ExprP&)> f) {
  auto maybe = [&](ExprP& e) {
    if (e) f(e);
  };
  std::visit(
      Overloaded{[&](SetVar& n) { maybe(n.value); }, [&](Store& n) { maybe(n.base), maybe(n.offset), maybe(n.value); },
                 [&](LoadVector& n) { maybe(n.base), maybe(n.offset); },
                 [&](StoreVector& n) {
                   maybe(n.base), maybe(n.offset);
                   for (ExprP& v : n.values) maybe(v);
                 },
                 [&](RowAt& n) { maybe(n.base), maybe(n.offset), maybe(n.step); },
                 [&](RowLoad& n) { maybe(n.first), maybe(n.count); },
                 [&](RowStore& n) { maybe(n.first), maybe(n.count); },
                 [&](Atomic& n) { maybe(n.base), maybe(n.offset), maybe(n.value), maybe(n.expected); },
                 [&](If& n) { maybe(n.cond); }, [&](CountedLoop& n) { maybe(n.lo), maybe(n.hi); },
                 [&](Fail& n) { maybe(n.index), maybe(n.extent); },
                 [&](Call& n) {
                   for (Arg& a : n.args) {
                     maybe(a.value);
                     for (ExprP& v : a.values) maybe(v);
                   }
                 },
                 [&](ParallelFor& n) { maybe(n.lo), maybe(n.hi); },
                 [&](Launch& n) {
                   for (ExprP& c : n.counts) maybe(c);
                 },
                 // No expressions.
                 [](AliasGroup&) {}, [](Loop&) {}, [](Break&) {}, [](Continue&) {}, [](Exit&) {}, [](CallFunction&) {},
                 [](TakeAddress&) {}, [](Scratch&) {}, [](Poll&) {}, [](Fence&) {}, [](Barrier&) {}, [](RowWait&) {},
                 [](Solo&) {}},
      s.node);
}

void each_assigned(const Function& fn, const Stmt& s, FunctionView<void(VarId)> f) {
  auto set = [&](VarId v) {
    if (v != none) f(v);
  };
  auto array = [&](ArrayId id) {
    const ArrayVars& a = fn.arrays[static_cast<size_t>(id)];
    set(a.data), set(a.owner), set(a.flags);
    for (const auto* fields : {&a.extent, &a.stride})
      for (VarId v : *fields) set(v);
  };
  std::visit(Overloaded{[&](const SetVar& n) { set(n.var); },
                        [&](const CountedLoop& n) { set(n.var); },
                        [&](const Atomic& n) { set(n.result); },
                        [&](const TakeAddress& n) { set(n.var); },
                        [&](const Scratch& n) { set(n.var); },
                        [&](const LoadVector& n) {
                          for (VarId v : n.vars) set(v);
                        },
                        [&](const Call& n) {
                          set(n.result);
                          for (const Arg& a : n.args)
                            if (a.kind == Arg::Kind::Array && a.out) array(a.array);
                        },
                        [&](const CallFunction& n) {
                          for (const Operand& o : n.results) {
                            set(o.var), set(o.im);
                            if (o.array != none) array(o.array);
                          }
                          for (const Operand& o : n.args)
                            if (o.array != none) set(fn.arrays[static_cast<size_t>(o.array)].owner);
                        },
                        [](const Store&) {},
                        [](const StoreVector&) {},
                        [](const Fence&) {},
                        [](const Barrier&) {},
                        [](const RowAt&) {},
                        [](const RowLoad&) {},
                        [](const RowWait&) {},
                        [](const RowStore&) {},
                        [](const Solo&) {},
                        [](const AliasGroup&) {},
                        [](const If&) {},
                        [](const Loop&) {},
                        [](const Break&) {},
                        [](const Continue&) {},
                        [](const Fail&) {},
                        [](const Exit&) {},
                        [](const ParallelFor&) {},
                        [](const Launch&) {},
                        [](const Poll&) {}},
             s.node);
}

bool only_fails(const Block& b) {
  if (b.empty() || !std::holds_alternative<Fail>(b.back().node)) return false;
  return std::all_of(b.begin(), b.end() - 1, [](const Stmt& s) { return std::holds_alternative<SetVar>(s.node); });
}

bool is_scalar_code(const Block& b) {
  return !any_statement(b, [](const Stmt& s) {
    return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node) &&
           !std::holds_alternative<If>(s.node) && !std::holds_alternative<Fail>(s.node) &&
           !std::holds_alternative<AliasGroup>(s.node);
  });
}

bool only_breaks(const If& n) {
  return n.else_body.empty() && n.then_body.size() == 1 && std::holds_alternative<Break>(n.then_body[0].node);
}

bool goes_away(const Block& b) {
  if (b.empty()) return false;
  const auto& last = b.back().node;
  return std::holds_alternative<Fail>(last) || std::holds_alternative<Exit>(last) ||
         std::holds_alternative<Break>(last) || std::holds_alternative<Continue>(last);
}

namespace {
void collect(ExprP e, std::set<VarId>& vars) {
  if (!e) return;
  if (e->kind == Expr::Kind::Var) vars.insert(e->var);
  for (ExprP part : {e->a, e->b, e->c}) collect(part, vars);
}
void count_assignments(const Block& b, std::map<VarId, int>& times) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<SetVar>(&s.node)) ++times[n->var];
    if (auto* n = std::get_if<CountedLoop>(&s.node)) ++times[n->var];
    if (auto* n = std::get_if<Atomic>(&s.node); n && n->result != none) ++times[n->result];
    if (auto* n = std::get_if<Call>(&s.node); n && n->result != none) ++times[n->result];
    if (auto* n = std::get_if<Scratch>(&s.node)) ++times[n->var];
    if (auto* n = std::get_if<TakeAddress>(&s.node)) ++times[n->var];
    if (auto* n = std::get_if<LoadVector>(&s.node))
      for (VarId v : n->vars) ++times[v];
    if (auto* n = std::get_if<CallFunction>(&s.node))
      for (const Operand& o : n->results)
        for (VarId v : {o.var, o.im})
          if (v != none) ++times[v];
    for (const Block* p : parts(s)) count_assignments(*p, times);
  }
}
}  // namespace

bool loads(ExprP e) { return e && (e->kind == Expr::Kind::Load || loads(e->a) || loads(e->b) || loads(e->c)); }

std::set<VarId> variables(ExprP e) {
  std::set<VarId> vars;
  collect(e, vars);
  return vars;
}

bool mentions(const Block& b, VarId v) {
  for (const Stmt& s : b) {
    bool found = false;
    each_expr(s, [&](ExprP e) { found = found || mentions(e, v); });
    for (const Block* p : parts(s)) found = found || mentions(*p, v);
    if (found) return true;
  }
  return false;
}

void each_handed_over(const Function& fn, const Stmt& s, FunctionView<void(VarId)> f) {
  const auto variable = [&](VarId v) {
    if (v != none) f(v);
  };
  const auto array = [&](ArrayId id) {
    if (id == none) return;
    const ArrayVars& a = fn.arrays[static_cast<size_t>(id)];
    for (VarId v : {a.data, a.owner, a.flags}) variable(v);
    for (const auto* list : {&a.extent, &a.stride})
      for (VarId v : *list) variable(v);
  };
  const auto operands = [&](const std::vector<Operand>& all) {
    for (const Operand& o : all) variable(o.var), variable(o.im), array(o.array);
  };
  if (auto* n = std::get_if<ParallelFor>(&s.node)) {
    for (VarId v : n->captures) variable(v);
  } else if (auto* n = std::get_if<Launch>(&s.node)) {
    operands(n->args);
  } else if (auto* n = std::get_if<CallFunction>(&s.node)) {
    variable(n->handle);
    operands(n->args);
  } else if (auto* n = std::get_if<Call>(&s.node)) {
    for (const Arg& a : n->args) array(a.array);
  }
}

std::set<VarId> variables(const Block& b) {
  std::set<VarId> found;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) {
      if (e) found.merge(variables(e));
    });
    for (const Block* p : parts(s)) found.merge(variables(*p));
  }
  return found;
}

std::map<VarId, int> assignments(const Block& b) {
  std::map<VarId, int> times;
  count_assignments(b, times);
  return times;
}

int64_t nodes(ExprP e) { return e ? 1 + nodes(e->a) + nodes(e->b) + nodes(e->c) : 0; }
int64_t nodes(const Block& b) {
  int64_t n = 0;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { n += nodes(e); });
    for (const Block* p : parts(s)) n += nodes(*p);
  }
  return n;
}

VarId BodyCopy::var(VarId v) {
  auto [it, added] = vars_.emplace(v, none);
  if (added) {
    to_.vars.push_back(from_.vars[static_cast<size_t>(v)]);
    it->second = static_cast<VarId>(to_.vars.size()) - 1;
  }
  return it->second;
}

ExprP BodyCopy::expr(ExprP e) {
  if (!e || is_const(e) || e->kind == Expr::Kind::Null) return e;
  if (e->kind == Expr::Kind::Var) return x_.var(var(e->var), e->type);
  Expr n = *e;
  n.alias_set = none;
  n.a = expr(n.a);
  n.b = expr(n.b);
  n.c = expr(n.c);
  return x_.make(n);
}

Block BodyCopy::block(const Block& b) {
  Block out;
  for (const Stmt& s : b) {
    Stmt c = s;
    std::visit(Overloaded{[&](SetVar& n) { n = {var(n.var), expr(n.value)}; },
                          [&](Store& n) { n = {expr(n.base), expr(n.offset), expr(n.value)}; },
                          [&](If& n) {
                            n.cond = expr(n.cond);
                            n.then_body = block(n.then_body);
                            n.else_body = block(n.else_body);
                          },
                          [&](CountedLoop& n) {
                            n.var = var(n.var);
                            n.lo = expr(n.lo);
                            n.hi = expr(n.hi);
                            n.body = block(n.body);
                          },
                          [&](Loop& n) { n.body = block(n.body); },
                          [&](Fail& n) {
                            n.index = expr(n.index);
                            n.extent = expr(n.extent);
                          },
                          [](auto&) {}},
               c.node);
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace vr::lower
