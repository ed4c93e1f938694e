#include "loop/analysis/runs.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

static std::map<VarId, int> changed(const CountedLoop& loop) {
  std::map<VarId, int> times = assignments(loop.body);
  ++times[loop.var];
  return times;
}

DimSet dims_of(const DimDependence& dims, const Run& run) {
  DimSet all = 0;
  for (const Linear& i : run.index) all |= dims.of(i.base);
  return all;
}

bool same_elements(const Run& a, const Run& b) {
  bool all = a.data == b.data && a.type == b.type && a.index.size() == b.index.size();
  for (size_t d = 0; all && d < a.index.size(); ++d)
    all = same(a.index[d].base, b.index[d].base) && same(a.index[d].step, b.index[d].step) &&
          same(a.stride[d], b.stride[d]);
  return all;
}

Runs::Runs(Writer& before, const DimDependence& dims, const CountedLoop& loop, RunKinds kinds)
    : fn_(before.fn), dims_(dims), kinds_(kinds), x_(before.x), affine_(before, loop, changed(loop)) {
  block(loop.body);
  for (const Stmt& s : loop.body) store(s);
}

void Runs::block(const Block& b) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<SetVar>(&s.node)) {
      loads(s, n->value);
      if (is_integer(fn_.vars[static_cast<size_t>(n->var)].type)) affine_.define(n->var, n->value);
    } else if (auto* n = std::get_if<Store>(&s.node)) {
      loads(s, n->offset);
      loads(s, n->value);
      touch(n->base);
    } else if (auto* n = std::get_if<If>(&s.node)) {
      loads(s, n->cond);
      inner(n->then_body);
      inner(n->else_body);
    } else if (!std::holds_alternative<AliasGroup>(s.node)) {
      fits = false;
    }
  }
}

/// Statements that only some iterations execute.
void Runs::inner(const Block& b) {
  for (const Stmt& s : b) {
    const bool known = std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) ||
                       std::holds_alternative<Store>(s.node) || std::holds_alternative<AliasGroup>(s.node);
    fits = fits && known;
    if (auto* n = std::get_if<Store>(&s.node)) touch(n->base);
    each_expr(s, [&](ExprP e) { known_loads(s, e); });
    for (const Block* p : parts(s)) inner(*p);
  }
}

void Runs::touch(ExprP base) {
  if (base->kind == Expr::Kind::Var)
    ++touched_[base->var];
  else
    fits = false;
}

/// Loads that may not be executed: they use the strip's loaded elements if another load of the same element is certain.
void Runs::known_loads(const Stmt& s, ExprP e) {
  if (!e) return;
  if (e->kind == Expr::Kind::Load) {
    touch(e->a);
    const auto run = constant_run(e);
    if (const auto k = run ? place_of(*run) : runs.size(); k < runs.size())
      of[{&s, e}] = k;
    else
      others = true;
  }
  for (ExprP part : {e->a, e->b, e->c}) known_loads(s, part);
}

/// The loads that are certain to be executed.
void Runs::loads(const Stmt& s, ExprP e) {
  if (!e) return;
  if (skips_operands(e)) {
    loads(s, e->a);
    for (ExprP part : {e->b, e->c}) known_loads(s, part);
    return;
  }
  if (e->kind == Expr::Kind::Load) {
    touch(e->a);
    if (auto run = constant_run(e)) {
      const size_t k = place_of(*run);
      if (k == runs.size()) runs.push_back(std::move(*run));
      of[{&s, e}] = k;
      certain.insert({&s, e});
    } else if (!dims_.is_constant_load(e) || !affine_.same_in_all(e->b)) {
      others = true;
    }
  }
  for (ExprP part : {e->a, e->b, e->c}) loads(s, part);
}

/// A store that every iteration executes, to an array that the loop does not access otherwise.
void Runs::store(const Stmt& s) {
  auto* n = std::get_if<Store>(&s.node);
  if (!n || n->base->kind != Expr::Kind::Var || touched_[n->base->var] != 1) return;
  auto run = run_of(n->base, n->offset, n->value->type);
  if (!run || run->step) return;
  run->store = &s;
  runs.push_back(std::move(*run));
}

std::optional<Run> Runs::run_of(ExprP base, ExprP offset, Scalar type) {
  return type == Scalar::Bool || scalar_bytes(type) < 4 ? std::nullopt : elements_of(base, offset, type);
}

std::optional<Run> Runs::elements_of(ExprP base, ExprP offset, Scalar type) {
  if (!offset || offset->kind != Expr::Kind::At || offset->ival != 0 || base->kind != Expr::Kind::Var) return {};
  if (type == Scalar::Ptr) return {};
  const bool array = std::any_of(fn_.arrays.begin(), fn_.arrays.end(), [&](const ArrayVars& a) {
    return a.data == base->var && a.element_bytes() == scalar_bytes(type);
  });
  if (!array) return {};
  Run run{base->var, type, {}, {}};
  int moving = 0;  // axes
  ExprP step = nullptr;
  for (ExprP axis = offset; axis; axis = axis->c) {
    auto index = affine_.linear(axis->a);
    if (!index || !index->whole.empty() || !affine_.same_in_all(axis->b)) return {};
    const DimSet dims = dims_.of(index->base);
    run.apart = run.apart || (dims & 1) != 0;
    run.index.push_back(*index);
    run.stride.push_back(axis->b);
    if (is_int(index->step, 0)) continue;
    ++moving;
    step = x_.mul(index->step, axis->b);
    if (kinds_ == RunKinds::Aligned && dims != 0) return {};
  }
  if (moving != 1) return {};
  if (!is_int(step, scalar_bytes(type))) run.step = step;
  return run.step && kinds_ == RunKinds::Aligned ? std::nullopt : std::optional(run);
}

std::optional<Run> Runs::constant_run(ExprP load) {
  return dims_.is_constant_load(load) ? run_of(load->a, load->b, load->type) : std::nullopt;
}

/// The index of an equal run; the number of runs if there is none.
size_t Runs::place_of(const Run& run) const {
  const auto equal = [&](const Run& r) { return same_elements(r, run); };
  return static_cast<size_t>(std::find_if(runs.begin(), runs.end(), equal) - runs.begin());
}

ExprP Runs::at(Exprs& x, const Run& run, ExprP k) {
  std::vector<ExprP> index;
  for (const Linear& i : run.index) index.push_back(is_int(i.step, 0) ? i.base : x.add(i.base, x.mul(i.step, k)));
  return x.at(index, run.stride);
}

Stmt Runs::with_elements(Exprs& x, const Stmt& s, const Element& element, const Instead& instead) const {
  Stmt copy = s;
  each_expr_of(copy, [&](ExprP& e) { e = with_elements(x, s, e, element, instead); });
  const auto from = parts(s);
  const auto to = parts(copy);
  for (size_t p = 0; p < from.size(); ++p)
    for (size_t k = 0; k < from[p]->size(); ++k) (*to[p])[k] = with_elements(x, (*from[p])[k], element, instead);
  return copy;
}

ExprP Runs::with_elements(Exprs& x, const Stmt& s, ExprP e, const Element& element, const Instead& instead) const {
  if (!e || is_const(e)) return e;
  if (instead)
    if (ExprP other = instead(e)) return other;
  if (auto it = of.find({&s, e}); it != of.end()) return element(it->second);
  return parts_with_elements(x, s, e, element, instead);
}

/// The rest of a list of subscripts stays one, also where the same list as a whole is replaced.
ExprP Runs::parts_with_elements(Exprs& x, const Stmt& s, ExprP e, const Element& element,
                                const Instead& instead) const {
  return with_parts(x, e, [&](ExprP part) {
    const bool rest = part && e->kind == Expr::Kind::At && part == e->c;
    return rest ? parts_with_elements(x, s, part, element, instead) : with_elements(x, s, part, element, instead);
  });
}

}  // namespace vr::lower
