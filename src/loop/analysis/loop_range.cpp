#include "loop/analysis/loop_range.hpp"

#include "loop/walk.hpp"

#include <algorithm>
#include <cstdlib>

namespace vr::lower {

namespace {

/// Whether the number cannot wrap if its inputs are at most EqualCount::most, and the kernel's dimensions below 2^31.
bool cannot_wrap(Exprs& x, const Function& kernel, const Polynomial& p, Polynomials& values) {
  constexpr int64_t most_factor = 16, most_constant = int64_t{1} << 40;
  constexpr size_t most_terms = 4, most_degree = 2;
  std::set<int32_t> dims;
  for (VarId d : kernel.dims) dims.insert(values.of(x.var(d, Scalar::Int64)).terms.begin()->first[0]);
  return p.terms.size() <= most_terms && std::all_of(p.terms.begin(), p.terms.end(), [&](const auto& term) {
           const auto& [product, factor] = term;
           return product.size() <= most_degree &&
                  std::abs(factor) <= (product.empty() ? most_constant : most_factor) &&
                  std::all_of(product.begin(), product.end(),
                              [&](int32_t v) { return values.fixed_variable(v) != none || dims.count(v) != 0; });
         });
}

}  // namespace

std::map<VarId, ExprP> single_definitions(const Block& body) {
  const std::map<VarId, int> times = assignments(body);
  std::map<VarId, ExprP> values;
  any_statement(body, [&](const Stmt& s) {
    if (auto* n = std::get_if<SetVar>(&s.node); n && times.at(n->var) == 1) values[n->var] = n->value;
    return false;
  });
  return values;
}

std::optional<LoopRange> loop_range(const CountedLoop& loop, const std::map<VarId, ExprP>& definitions) {
  return is_int(loop.lo, 0) ? counted_range(loop.hi, definitions) : std::nullopt;
}

std::optional<LoopRange> counted_range(ExprP count, const std::map<VarId, ExprP>& definitions) {
  const auto resolved = [&](ExprP e) {
    for (int steps = 0; e->kind == Expr::Kind::Var && steps < 4; ++steps) {
      const auto it = definitions.find(e->var);
      if (it == definitions.end()) break;
      e = it->second;
    }
    return e;
  };
  count = resolved(count);
  if (count->kind != Expr::Kind::Select || !is_int(count->c, 0)) return {};
  const ExprP some = resolved(count->a);
  if (some->kind != Expr::Kind::Binary || some->op != Op::Lt) return {};
  LoopRange range{some->a, some->b, count->b};
  ExprP span = resolved(count->b);
  if (span->kind == Expr::Kind::Select && is_int(span->b, INT64_MAX)) {
    const ExprP overflow = resolved(span->a);
    range.difference = span->c;
    if (overflow->kind != Expr::Kind::Binary || overflow->op != Op::Lt || !is_int(overflow->b, 0) ||
        !same(resolved(overflow->a), resolved(range.difference)))
      return {};
    span = resolved(range.difference);
  }
  if (span->kind != Expr::Kind::Binary || span->op != Op::Sub || !same(span->a, range.stop) ||
      !same(span->b, range.start))
    return {};
  return range;
}

std::optional<EqualCount> equal_count(Exprs& x, const Function& kernel, const CountedLoop& loop, Polynomials& values) {
  const auto range = loop_range(loop, single_definitions(kernel.body));
  if (!range) return {};
  const Polynomial start = values.of(range->start), stop = values.of(range->stop);
  if (!cannot_wrap(x, kernel, start, values) || !cannot_wrap(x, kernel, stop, values)) return {};
  Polynomial all = stop;
  for (const auto& [product, factor] : start.terms)
    if ((all.terms[product] -= factor) == 0) all.terms.erase(product);
  EqualCount equal{x.int_const(0), {}};
  for (const auto& [product, factor] : all.terms) {
    ExprP term = x.int_const(factor);
    for (int32_t v : product) {
      if (values.fixed_variable(v) == none) return {};
      term = x.mul(term, x.var(values.fixed_variable(v), Scalar::Int64));
    }
    equal.trips = x.add(equal.trips, term);
  }
  for (const Polynomial* bound : {&start, &stop})
    for (const auto& [product, factor] : bound->terms)
      for (int32_t v : product)
        if (const VarId in = values.fixed_variable(v); in != none) equal.small.insert(in);
  return equal;
}

}  // namespace vr::lower
