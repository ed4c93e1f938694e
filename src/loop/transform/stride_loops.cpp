// stride_loops: see stride_loops.hpp.
//
//   for k in [0, 64) {                          first = 0 - n & 3
//     t = n + k                                 for k' in [0, 16) {
//     if t % 4 == 0 { s = s + h[k] * x[t / 4] }   k = first + k' * 4
//   }                                             t = n + k
//                                                 s = s + h[k] * x[t / 4]
//                                               }
#include "loop/transform/stride_loops.hpp"

#include "loop/analysis/affine.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/replace.hpp"
#include "loop/transform/if_convert.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <bit>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_stride = 4096;  // of the iterations that do something

/// number % divisor == rest, of the divisor's bits: the divisor is a power of two.
struct Congruence {
  ExprP number;
  int64_t divisor, rest;
};

bool is_binary(ExprP e, Op op) { return e->kind == Expr::Kind::Binary && e->op == op; }

/// Of `number % divisor`: t, or t < 0 ? t + divisor : t, where t is the remainder of truncation.
struct Remainder {
  ExprP number;
  int64_t divisor;
  bool floor;  ///< never negative
};
std::optional<Remainder> remainder(ExprP e) {
  if (e->type != Scalar::Int64) return {};
  if (is_binary(e, Op::Rem) && e->b->kind == Expr::Kind::IntConst) return Remainder{e->a, e->b->ival, false};
  if (is_binary(e, Op::And))
    for (const auto& [bits, number] : {std::pair(e->b, e->a), std::pair(e->a, e->b)})
      if (bits->kind == Expr::Kind::IntConst && bits->ival > 0 && bits->ival < most_stride)
        return Remainder{number, bits->ival + 1, true};
  if (e->kind != Expr::Kind::Select || !is_binary(e->a, Op::Lt) || !is_int(e->a->b, 0) || !same(e->a->a, e->c))
    return {};
  const auto t = remainder(e->c);
  if (!t || t->floor || !is_binary(e->b, Op::Add) || !same(e->b->a, e->c) || !is_int(e->b->b, t->divisor)) return {};
  return Remainder{t->number, t->divisor, true};
}

std::optional<Congruence> congruence(ExprP c) {
  if (!is_binary(c, Op::Eq) && !is_binary(c, Op::Ne)) return {};
  const auto r = c->b->kind == Expr::Kind::IntConst ? remainder(c->a) : std::nullopt;
  if (!r || r->divisor < 2 || r->divisor > most_stride || !std::has_single_bit(static_cast<uint64_t>(r->divisor)))
    return {};
  const int64_t rest = c->b->ival;
  if (rest < 0 || rest >= r->divisor) return {};
  // A remainder of truncation has the sign of the number.
  if (!r->floor && rest != 0) return {};
  if (c->op == Op::Eq) return Congruence{r->number, r->divisor, rest};
  return r->divisor == 2 ? std::optional(Congruence{r->number, 2, 1 - rest}) : std::nullopt;
}

class StrideLoops {
 public:
  StrideLoops(Exprs& x, Function& f) : x_(x), out_(x, f), whole_(f.body) {}

  void run() {
    replace_in_body(out_, [&](Stmt& s) { return statement(s); });
  }

 private:
  /// Whether it is a loop that this class writes.
  bool statement(Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    // Refers to the original loop, before its inner loops change.
    if (!n || !only_computes_first(*n)) return false;
    n->body = out_.collect([&] { replace_statements(out_, n->body, [&](Stmt& inner) { return statement(inner); }); });
    loop(std::move(*n));
    return true;
  }

  /// Whether what the loop's body does is its last statement, and the others compute numbers that nothing else uses.
  bool only_computes_first(const CountedLoop& n) const {
    if (n.body.empty() || n.version || n.parallel || n.spread || n.reduction || has_own<Break>(n.body) ||
        has_own<Continue>(n.body))
      return false;
    const UsedOutside outside(out_.fn, whole_, n);
    if (outside(n.var)) return false;
    for (size_t k = 0; k + 1 < n.body.size(); ++k) {
      auto* set = std::get_if<SetVar>(&n.body[k].node);
      if (!set || !never_faults(set->value) || loads(set->value) || outside(set->var)) return false;
    }
    return true;
  }

  /// Emits the loop.
  void loop(CountedLoop n) {
    const std::vector<ExprP> parts = conditions(n);
    const std::map<VarId, int> assigned = assignments(n.body);
    std::map<VarId, ExprP> values;  // of what is computed in front of the condition
    for (size_t k = 0; !parts.empty() && k + 1 < n.body.size(); ++k)
      if (auto& set = std::get<SetVar>(n.body[k].node); assigned.at(set.var) == 1)
        record_value(x_, values, set.var, set.value);
    for (size_t k = 0; k < parts.size(); ++k) {
      const ExprP c = substituted(x_, parts[k], values);
      const auto known = congruence(c);
      const auto is_assigned = [&](ExprP e) { return e->kind == Expr::Kind::Var && assigned.count(e->var) != 0; };
      if (!known || any_node(c, is_assigned)) continue;
      if (!mentions(c, n.var)) {
        Block inside = out_.collect([&] { without(std::move(n), parts, k); });
        return out_.emit(If{c, std::move(inside), {}});
      }
      if (strides(n, *known)) return without(std::move(n), parts, k);
    }
    out_.emit(std::move(n));
  }

  /// The parts of the condition under which an iteration does anything.
  static std::vector<ExprP> conditions(const CountedLoop& n) {
    auto* work = std::get_if<If>(&n.body.back().node);
    if (!work || work->unlikely || !work->else_body.empty()) return {};
    ExprP condition = work->cond;
    // A variable that has the condition's value.
    for (size_t k = 0; k + 1 < n.body.size(); ++k)
      if (auto& set = std::get<SetVar>(n.body[k].node);
          work->cond->kind == Expr::Kind::Var && set.var == work->cond->var && assignments(n.body).at(set.var) == 1)
        condition = set.value;
    std::vector<ExprP> all;
    each_conjunct(condition, [&](ExprP part) { all.push_back(part); });
    return all;
  }

  /// Emits the loop without part k of its condition.
  void without(CountedLoop n, const std::vector<ExprP>& parts, size_t k) {
    auto& work = std::get<If>(n.body.back().node);
    ExprP rest = x_.bool_const(true);
    for (size_t q = 0; q < parts.size(); ++q)
      if (q != k) rest = x_.both(rest, parts[q]);
    work.cond = rest;
    // What only the condition needed.
    for (size_t at = n.body.size() - 1; at-- > 0;) {
      const VarId v = std::get<SetVar>(n.body[at].node).var;
      if (!mentions(n.body, v)) n.body.erase(n.body.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (!is_true(rest)) return loop(std::move(n));
    Block then_body = std::move(std::get<If>(n.body.back().node).then_body);
    n.body.pop_back();
    n.body.insert(n.body.end(), std::make_move_iterator(then_body.begin()), std::make_move_iterator(then_body.end()));
    out_.emit(std::move(n));
  }

  /// The congruence's number along the loop; what it needs goes to `out_`. Affine numbers have no quotients: those that
  /// are the same in each iteration are computed in front of the loop.
  std::optional<Linear> linear(const CountedLoop& n, ExprP number) {
    std::map<VarId, int> changed = assignments(n.body);
    ++changed[n.var];
    return Affine(out_, n, std::move(changed)).linear(replaced(x_, number, [&](ExprP part) {
      const bool fixed = (is_binary(part, Op::Div) || is_binary(part, Op::Rem)) && !mentions(part, n.var);
      return fixed ? out_.temp(part) : nullptr;
    }));
  }

  /// Makes the loop run over the iterations for which the condition holds; false: it is not of that form.
  bool strides(CountedLoop& n, const Congruence& c) {
    constexpr int64_t most_start = int64_t{1} << 30;
    if (n.lo->kind != Expr::Kind::IntConst || std::abs(n.lo->ival) > most_start ||
        (n.lo->ival < 0 && n.hi->kind != Expr::Kind::IntConst))
      return false;
    const size_t vars = out_.fn.vars.size();
    std::optional<Linear> number;
    Block before = out_.collect([&] { number = linear(n, c.number); });
    if (!number || !number->whole.empty() || number->step->kind != Expr::Kind::IntConst ||
        number->step->ival % 2 == 0) {
      out_.fn.vars.resize(vars);
      return false;
    }
    out_.append(std::move(before));
    // The inverse of an odd number modulo a power of two: each step doubles the bits that are right.
    uint64_t inverse = 1;
    for (int step = 0; step < 6; ++step) inverse *= 2 - static_cast<uint64_t>(number->step->ival) * inverse;
    const int64_t mask = c.divisor - 1;
    const ExprP place = x_.sub(x_.mul(x_.sub(x_.int_const(c.rest), number->base),
                                      x_.int_const(static_cast<int64_t>(inverse & static_cast<uint64_t>(mask)))),
                               n.lo);
    const ExprP offset = x_.binary(Op::And, place, x_.int_const(mask));
    const ExprP first = out_.keep(x_.add(n.lo, offset), "first");
    const ExprP stride = x_.int_const(c.divisor);
    const VarId q = out_.new_var(out_.fn.vars[static_cast<size_t>(n.var)].name, Scalar::Int64);
    n.body.insert(n.body.begin(),
                  Stmt{SetVar{n.var, x_.add(first, x_.mul(x_.var(q, Scalar::Int64), stride))}, out_.place});
    int64_t trips = 0;
    if (n.hi->kind == Expr::Kind::IntConst && !__builtin_sub_overflow(n.hi->ival, n.lo->ival, &trips) &&
        trips % c.divisor == 0) {
      n.hi = x_.int_const(trips / c.divisor);
    } else {
      // (hi - first + divisor - 1) / divisor, which does not wrap.
      const ExprP last = x_.sub(x_.sub(n.hi, first), x_.int_const(1));
      n.hi = x_.select(x_.lt(first, n.hi), x_.add(x_.binary(Op::Div, last, stride), x_.int_const(1)), x_.int_const(0));
    }
    n.lo = x_.int_const(0);
    n.var = q;
    return true;
  }

  Exprs& x_;
  Writer out_;
  const Block whole_;  ///< the function as it was
};

}  // namespace

void stride_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && has<CountedLoop>(f->body)) StrideLoops(x, *f).run();
}

}  // namespace vr::lower
