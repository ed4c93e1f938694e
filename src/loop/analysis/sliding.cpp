#include "loop/analysis/sliding.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <optional>

namespace vr::lower {

namespace {

/// Gives the variables that the loop does not assign their numbers.
void number(ExprP e, const std::map<VarId, int>& changed, Polynomials& values) {
  if (!e) return;
  if (e->kind == Expr::Kind::Var && !changed.count(e->var)) values.of(e);
  for (ExprP part : {e->a, e->b, e->c}) number(part, changed, values);
}

}  // namespace

Sliding::Sliding(Exprs& x, const DimDependence& dims, const Stmt& s, const Polynomials& values)
    : values_(values.inside(s)) {
  const CountedLoop& loop = std::get<CountedLoop>(s.node);
  std::map<VarId, int> changed = assignments(loop.body);
  ++changed[loop.var];
  for (const Stmt& inner : loop.body) each_expr(inner, [&](ExprP e) { number(e, changed, values_); });
  invariant_ = values_.next_value();
  iteration_ = values_.of(x.var(loop.var, Scalar::Int64)).terms.begin()->first[0];
  for (size_t k = 0; k < loop.body.size(); ++k) {
    each_expr(loop.body[k], [&](ExprP e) { find(dims, k, e); });
    values_.execute(loop.body[k]);
  }
}

void Sliding::find(const DimDependence& dims, size_t statement, ExprP e) {
  if (!e) return;
  // The other operands may not be evaluated.
  if (skips_operands(e)) return find(dims, statement, e->a);
  if (dims.is_constant_load(e) && e->b) take(statement, e);
  for (ExprP part : {e->a, e->b, e->c}) find(dims, statement, part);
}

void Sliding::take(size_t statement, ExprP load) {
  const Polynomial address = values_.of(load->b);
  SlidingLoad made{statement, load, address, coefficient(address, iteration_)};
  std::erase_if(made.start.terms,
                [&](const auto& term) { return std::count(term.first.begin(), term.first.end(), iteration_) > 0; });
  const auto varies = [&](const auto& term) {
    return std::any_of(term.first.begin(), term.first.end(), [&](int32_t value) { return value >= invariant_; });
  };
  for (const Polynomial* p : {&made.start, &made.step})
    if (std::any_of(p->terms.begin(), p->terms.end(), varies)) return;
  if (!made.step.terms.empty()) loads.push_back(std::move(made));
}

std::vector<SlidingGroup> Sliding::groups(int64_t most_span) const {
  std::vector<SlidingGroup> all;
  std::vector<bool> done(loads.size());
  for (size_t k = 0; k < loads.size(); ++k) {
    if (done[k]) continue;
    const SlidingLoad& one = loads[k];
    std::vector<SlidingGroup::Member> line;
    for (size_t other = k; other < loads.size(); ++other) {
      const SlidingLoad& o = loads[other];
      if (done[other] || !same(o.load->a, one.load->a) || o.load->type != one.load->type || o.step != one.step)
        continue;
      const std::optional<int64_t> steps = quotient(sum(o.start, one.start, -1), one.step);
      if (!steps) continue;
      done[other] = true;
      line.push_back({other, *steps});
    }
    std::stable_sort(line.begin(), line.end(), [](const auto& a, const auto& b) { return a.position < b.position; });
    for (auto from = line.begin(); from != line.end();) {
      const int64_t first = from->position;
      const auto to = std::find_if(from, line.end(), [&](const auto& m) { return m.position - first >= most_span; });
      SlidingGroup group{{from, to}, (to - 1)->position - first + 1};
      for (auto& m : group.members) m.position -= first;
      if (group.span > 1) all.push_back(std::move(group));
      from = to;
    }
  }
  return all;
}

namespace {

void count_sliding(Exprs& x, const DimDependence& dims, const Block& b, Polynomials values, int32_t dim,
                   int64_t& count) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<CountedLoop>(&s.node)) {
      if (has<CountedLoop>(n->body) || has<Loop>(n->body))
        count_sliding(x, dims, n->body, values.inside(s), dim, count);
      else
        for (const SlidingLoad& load : Sliding(x, dims, s, values).loads)
          count += coefficient(load.start, dim) == load.step;
    }
    values.execute(s);
  }
}

}  // namespace

int64_t loads_that_slide(Exprs& x, const Function& kernel, const DimDependence& dims, size_t d) {
  Polynomials values(kernel);
  const int32_t dim = values.of(x.var(kernel.dims[d], Scalar::Int64)).terms.begin()->first[0];
  int64_t count = 0;
  count_sliding(x, dims, kernel.body, std::move(values), dim, count);
  return count;
}

}  // namespace vr::lower
