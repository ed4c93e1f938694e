#include "loop/analysis/linear_bounds.hpp"

#include "loop/exprs.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace vr::lower {

namespace {

constexpr int64_t most_factor = int64_t{1} << 16;
constexpr size_t most_terms = 12, most_forms = 8, most_depth = 12;

/// A form while it is changed.
struct Sum {
  LinearBound form;
  bool fits = true, cancelled = false;

  void add_term(ExprP e, int64_t factor) {
    const auto it = std::find_if(form.terms.begin(), form.terms.end(), [&](const auto& t) { return same(t.first, e); });
    if (it == form.terms.end()) {
      form.terms.emplace_back(e, factor);
    } else if ((it->second += factor) == 0) {
      form.terms.erase(it);
      cancelled = true;
    }
    fits = fits && form.terms.size() <= most_terms;
  }
  int64_t take(ExprP e) {
    const auto it = std::find_if(form.terms.begin(), form.terms.end(), [&](const auto& t) { return same(t.first, e); });
    const int64_t factor = it->second;
    form.terms.erase(it);
    return factor;
  }
};

class Bounds {
 public:
  Bounds(const LinearFacts& facts, bool upper) : facts_(facts), upper_(upper) {}

  std::vector<LinearBound> of(ExprP number) {
    Sum s;
    add(s, number, 1, 0);
    eliminate(s, 0);
    return std::move(found_);
  }

 private:
  void add(Sum& s, ExprP e, int64_t factor, size_t depth) {
    if (depth > most_depth || std::abs(factor) > most_factor) s.fits = false;
    if (!s.fits) return;
    if (e->kind == Expr::Kind::IntConst && std::abs(e->ival) < int64_t{1} << 31) {
      s.form.constant += factor * e->ival;
      return;
    }
    if (const ExprP value = definition(e)) return add(s, value, factor, depth + 1);
    const bool sum =
        e->kind == Expr::Kind::Binary && e->type == Scalar::Int64 && (e->op == Op::Add || e->op == Op::Sub);
    if (sum) {
      add(s, e->a, factor, depth + 1);
      return add(s, e->b, e->op == Op::Add ? factor : -factor, depth + 1);
    }
    if (e->kind == Expr::Kind::Unary && e->op == Op::Neg && e->type == Scalar::Int64)
      return add(s, e->a, -factor, depth + 1);
    if (e->kind == Expr::Kind::Binary && e->op == Op::Mul && e->type == Scalar::Int64)
      for (const auto& [part, number] : {std::pair(e->a, e->b), std::pair(e->b, e->a)})
        if (number->kind == Expr::Kind::IntConst && std::abs(number->ival) <= most_factor)
          return add(s, part, factor * number->ival, depth + 1);
    s.add_term(e, factor);
  }
  /// The sum, or the least or greatest, that a variable holds; null: it is a term.
  ExprP definition(ExprP e) const {
    if (e->kind != Expr::Kind::Var || facts_.ranges.count(e->var)) return nullptr;
    const auto it = facts_.definitions.find(e->var);
    if (it == facts_.definitions.end()) return nullptr;
    const auto used = variables(it->second);
    const bool fixed = std::none_of(used.begin(), used.end(), [&](VarId v) { return facts_.reassigned.count(v) != 0; });
    return fixed && !loads(it->second) ? it->second : nullptr;
  }

  /// Replaces loops' variables, and then the least or greatest of two numbers, and lists what remains.
  void eliminate(const Sum& s, size_t steps) {
    if (!s.fits || steps > most_depth || found_.size() >= most_forms) return;
    for (const auto& [term, factor] : s.form.terms) {
      const auto range = term->kind == Expr::Kind::Var ? facts_.ranges.find(term->var) : facts_.ranges.end();
      if (range == facts_.ranges.end()) continue;
      // It counts from 0 to stop - start - 1.
      Sum bound = s;
      const int64_t taken = bound.take(term);
      if ((taken > 0) == upper_) {
        add(bound, range->second.stop, taken, 0);
        add(bound, range->second.start, -taken, 0);
        bound.form.constant -= taken;
      }
      return eliminate(bound, steps + 1);
    }
    if (s.cancelled) found_.push_back(s.form);
    for (const auto& [term, factor] : s.form.terms) {
      const auto two = extreme_of(term);
      // The least is not above each of the numbers.
      if (!two || two->least == ((factor > 0) != upper_)) continue;
      for (ExprP one : {two->a, two->b}) {
        Sum bound = s;
        const int64_t taken = bound.take(term);
        add(bound, one, taken, 0);
        eliminate(bound, steps + 1);
      }
      return;
    }
  }
  struct Extreme {
    ExprP a, b;
    bool least;
  };
  std::optional<Extreme> extreme_of(ExprP e) const {
    if (e->kind != Expr::Kind::Select || e->type != Scalar::Int64) return {};
    const ExprP c = facts_.condition(e->a);
    if (c->kind != Expr::Kind::Binary) return {};
    const bool less = c->op == Op::Lt || c->op == Op::Le, more = c->op == Op::Gt || c->op == Op::Ge;
    const bool first = same(c->a, e->b) && same(c->b, e->c), second = same(c->a, e->c) && same(c->b, e->b);
    if ((!less && !more) || (!first && !second)) return {};
    return Extreme{e->b, e->c, first == less};
  }

  const LinearFacts& facts_;
  const bool upper_;
  std::vector<LinearBound> found_;
};

}  // namespace

std::vector<LinearBound> linear_bounds(const LinearFacts& facts, ExprP number, bool upper) {
  return Bounds(facts, upper).of(number);
}

}  // namespace vr::lower
