#include "loop/transform/tile_jam.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <span>

namespace vr::lower {

VarId TileJam::var(VarId v, size_t point) {
  const DimSet d = tiled(dims_.of(v));
  if (d == 0) return v;
  const size_t key = project(point, d);
  auto [it, fresh] = copies_.try_emplace({v, key});
  if (fresh) {
    const Var like = out_.fn.vars[static_cast<size_t>(v)];
    // Not a 32-bit variable: a compiler that does not know the range cannot see that the addresses of x and x + 32 are
    // 32 elements apart.
    it->second = out_.new_var(like.name + "." + std::to_string(key), like.type);
  }
  return it->second;
}
ExprP TileJam::all(ExprP condition) {
  ExprP holds = x_.bool_const(true);
  each(dims_.of(condition), [&](size_t p) { holds = x_.both(holds, expr(condition, p)); });
  return holds;
}
// ---- statements that all iterations of the tile share
void TileJam::block(const Block& b) {
  for (const Stmt& s : b) {
    const Restore place(out_.place, s.place);
    statement(s);
    loaded_.clear();
  }
}
void TileJam::statement(const Stmt& s) {
  if (auto* n = std::get_if<SetVar>(&s.node)) {
    const DimSet d = dims_.of(n->var);
    each(d, [&](size_t p) { loads(n->value, d, p); });
    each(d, [&](size_t p) { out_.emit(SetVar{var(n->var, p), expr(n->value, p)}); });
  } else if (auto* n = std::get_if<Store>(&s.node)) {
    stores(*n);
  } else if (const DimSet region = dims_.region(s); tiled(region) != 0) {
    each(region, [&](size_t p) { out_.block->push_back(alone(s, p)); });
  } else if (auto* n = std::get_if<If>(&s.node)) {
    If joint{n->cond, run(n->then_body), run(n->else_body), n->unlikely};
    out_.emit(std::move(joint));
  } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
    CountedLoop joint = *n;
    joint.body = run(n->body);
    if (std::none_of(n->body.begin(), n->body.end(), [](const Stmt& inner) { return !parts(inner).empty(); }))
      joint.unroll = tile_.unroll;
    out_.emit(std::move(joint));
  } else {
    out_.block->push_back(s);
  }
}
/// Compilers do not move a load in front of a store to the same array: the values of several iterations are loaded
/// first, so that their loads are outstanding at the same time.
void TileJam::stores(const Store& n) {
  constexpr size_t most_outstanding = 8;
  std::vector<size_t> iterations;
  each(dims_.of(n.base) | dims_.of(n.offset) | dims_.of(n.value), [&](size_t p) { iterations.push_back(p); });
  const bool first = iterations.size() > 1 && lower::loads(n.value);
  for (size_t from = 0; from < iterations.size(); from += most_outstanding) {
    const auto some = std::span(iterations).subspan(from, std::min(most_outstanding, iterations.size() - from));
    std::vector<ExprP> values;
    for (size_t p : some) {
      const ExprP value = expr(n.value, p);
      values.push_back(first ? out_.temp(value, "stored") : value);
    }
    for (size_t k = 0; k < some.size(); ++k)
      out_.emit(Store{expr(n.base, some[k]), expr(n.offset, some[k]), values[k], n.alias_set});
  }
}
/// Loads that several iterations share go before the statement.
void TileJam::loads(ExprP e, DimSet whole, size_t point) {
  if (!e) return;
  // Operands that may not be evaluated are not moved.
  if (skips_operands(e)) return loads(e->a, whole, point);
  const DimSet d = tiled(dims_.of(e));
  const auto key = std::pair(e, project(point, d));
  if (replaced_.count(key)) return;
  if (dims_.is_constant_load(e) && d != tiled(whole)) {
    if (loaded_.count(key)) return;
    const ExprP value = expr(e, point);
    loaded_[key] = out_.temp(value, "loaded");
    return;
  }
  loads(e->a, whole, point);
  loads(e->b, whole, point);
  loads(e->c, whole, point);
}

// ---- statements of one iteration
Block TileJam::alone(const Block& b, size_t point) {
  Block r;
  for (const Stmt& s : b) r.push_back(alone(s, point));
  return r;
}
Stmt TileJam::alone(const Stmt& s, size_t point) {
  Stmt r = s;
  each_expr_of(r, [&](ExprP& e) { e = expr(e, point); });
  if (auto* n = std::get_if<SetVar>(&r.node)) n->var = var(n->var, point);
  if (auto* n = std::get_if<CountedLoop>(&r.node)) n->var = var(n->var, point);
  for (Block* p : parts(r)) *p = alone(*p, point);
  return r;
}
ExprP TileJam::expr(ExprP e, size_t point) {
  if (!e) return e;
  const DimSet d = tiled(dims_.of(e));
  if (auto it = replaced_.find({e, project(point, d)}); it != replaced_.end()) return it->second;
  if (d == 0 && loaded_.empty()) return e;
  if (auto it = loaded_.find({e, project(point, d)}); it != loaded_.end()) return it->second;
  if (e->kind == Expr::Kind::Var) return x_.var(var(e->var, point), e->type);
  return with_parts(x_, e, [&](ExprP part) { return expr(part, point); });
}

// ---- tiles of which some iterations are not run
/// Whether the value may be computed for a point that is not run: its elements are those of points that are.
bool TileParts::is_safe(ExprP e, const std::set<VarId>& apart) const {
  if (!e) return true;
  if (e->kind == Expr::Kind::Var) return !apart.count(e->var);
  const DimSet d = tiled(dims_.of(e));
  const bool both = d == all_tiled() && d == 3;
  if (e->kind == Expr::Kind::Load && (both || !dims_.is_constant_load(e))) return false;
  const bool divides = e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem) && is_integer(e->type);
  if (divides && both) return false;
  return is_safe(e->a, apart) && is_safe(e->b, apart) && is_safe(e->c, apart);
}

bool TileParts::goes_alone(const Stmt& s, const std::set<VarId>& apart) const {
  if (std::holds_alternative<Store>(s.node)) return true;
  if (std::holds_alternative<If>(s.node)) {
    const bool scalar = !any_statement(s, [](const Stmt& t) {
      return !std::holds_alternative<SetVar>(t.node) && !std::holds_alternative<Store>(t.node) &&
             !std::holds_alternative<If>(t.node);
    });
    return scalar && tiled(dims_.region(s)) == all_tiled();
  }
  auto* n = std::get_if<SetVar>(&s.node);
  return n && !is_safe(n->value, apart);
}

void TileParts::set_apart(const Stmt& s, std::set<VarId>& apart) {
  if (auto* n = std::get_if<SetVar>(&s.node)) apart.insert(n->var);
  for (const Block* p : parts(s))
    for (const Stmt& inner : *p) set_apart(inner, apart);
}

bool TileParts::can_run_where(const Block& body) const {
  std::set<VarId> apart;
  bool fits = true;
  for (const Stmt& s : body) {
    if (goes_alone(s, apart)) {
      // What several points share would be computed by one that is not run.
      if (auto* store = std::get_if<Store>(&s.node))
        fits = fits && tiled(dims_.of(store->base) | dims_.of(store->offset) | dims_.of(store->value)) == all_tiled();
      if (auto* set = std::get_if<SetVar>(&s.node)) fits = fits && tiled(dims_.of(set->var)) == all_tiled();
      set_apart(s, apart);
      continue;
    }
    fits = fits && !any_statement({s}, [&](const Stmt& inner) {
             bool safe = std::holds_alternative<SetVar>(inner.node) || std::holds_alternative<AliasGroup>(inner.node) ||
                         std::holds_alternative<CountedLoop>(inner.node);
             each_expr(inner, [&](ExprP e) { safe = safe && is_safe(e, apart); });
             return !safe || (std::holds_alternative<CountedLoop>(inner.node) && tiled(dims_.region(inner)) != 0);
           });
  }
  return fits;
}

}  // namespace vr::lower
