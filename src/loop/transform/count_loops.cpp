// count_loops: while loops with a counter become counted loops.
//
//   loop {                               start = j; trips = j < n ? n - j : 0
//     if !(j < n) { break }              for j.k in [0, trips) {
//     s = s + a[j]                         j = start + j.k
//     j = j + 1                            s = s + a[j]
//   }                                    }
//                                        j = start + trips
#include "loop/transform/count_loops.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/replace.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

namespace vr::lower {

namespace {

constexpr int64_t largest = std::numeric_limits<int64_t>::max(), smallest = std::numeric_limits<int64_t>::min();

/// The loop runs on while `counter op bound`. rest: the body without that test, and without the step.
struct Counted {
  VarId counter;
  ExprP bound, step;
  bool up, inclusive;
  Block rest;
  VarId flag = none;  ///< holds the value of the whole condition; none: there is no such variable
};

class CountLoops {
 public:
  CountLoops(Exprs& x, Function& f, bool versions)
      : x_(x), out_(x, f), versions_(versions), own_arrays_(has<Scratch>(f.body)) {}

  void run() {
    const std::function<bool(Stmt&)> replace = [&](Stmt& s) {
      auto* n = std::get_if<Loop>(&s.node);
      if (!n) return false;
      n->body = out_.collect([&] { replace_statements(out_, n->body, replace); });
      std::optional<Counted> counted = n->brief ? std::nullopt : recognise(*n);
      if (counted)
        write(std::move(*n), std::move(*counted));
      else
        out_.block->push_back(std::move(s));
      return true;
    };
    replace_in_body(out_, replace);
  }

 private:
  std::optional<Counted> recognise(const Loop& loop) {
    if (loop.body.size() < 2 || has_own<Continue>(loop.body)) return {};
    const auto times = changes(out_.fn, loop.body);
    std::optional<Counted> found = test(loop.body, times);
    if (!found || !takes_step(*found, times)) return {};
    // What kernels gain in loops with other exits is that checks of the counter can be proved; without checks the
    // second counter only costs instructions. Elements of a work-item's own array are in registers if the driver can
    // unroll the loop, which it cannot with two counters (a median of nine by insertion took 6.7 times as long).
    if (out_.fn.kind == Function::Kind::Kernel && has_own<Break>(found->rest) &&
        (!has<Fail>(found->rest) || own_arrays_))
      return {};
    return found;
  }

  /// The test at the beginning: `if !(A) { break }`, or for `A and B`: `t = A; if t { ...; t = B }; if !t { break }`.
  std::optional<Counted> test(const Block& b, const std::map<VarId, int>& times) {
    if (auto* n = std::get_if<If>(&b[0].node); n && only_breaks(*n)) {
      auto found = comparison(n->cond, false, times);
      if (found) found->rest.assign(b.begin() + 1, b.end());
      return found;
    }
    auto* first = std::get_if<SetVar>(&b[0].node);
    auto* second = b.size() > 2 ? std::get_if<If>(&b[1].node) : nullptr;
    auto* last = b.size() > 2 ? std::get_if<If>(&b[2].node) : nullptr;
    if (!first || !second || !last || !only_breaks(*last) || !second->else_body.empty()) return {};
    const auto is_flag = [&](ExprP e) { return e->kind == Expr::Kind::Var && e->var == first->var; };
    if (first->value->type != Scalar::Bool || !is_flag(second->cond) || last->cond->kind != Expr::Kind::Unary ||
        !is_flag(last->cond->a))
      return {};
    auto found = comparison(first->value, true, times);
    if (!found) return {};
    // Where A is false the original loop ends with the flag false, as it does here after the last iteration.
    found->rest = second->then_body;
    found->rest.insert(found->rest.end(), b.begin() + 2, b.end());
    found->flag = first->var;
    return found;
  }

  /// The comparison of a counter under which (as `truth` says) the loop goes on.
  std::optional<Counted> comparison(ExprP c, bool truth, const std::map<VarId, int>& times) {
    if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return comparison(c->a, !truth, times);
    if (c->kind != Expr::Kind::Binary || c->a->type != Scalar::Int64) return {};
    Op op = truth ? c->op : negated(c->op);
    ExprP counter = c->a, bound = c->b;
    if (!is_counter(counter, times)) std::swap(counter, bound), op = mirrored(op);
    if (!is_counter(counter, times) || !is_invariant(bound, times)) return {};
    if (op != Op::Lt && op != Op::Le && op != Op::Gt && op != Op::Ge) return {};
    return Counted{counter->var, bound, nullptr, op == Op::Lt || op == Op::Le, op == Op::Le || op == Op::Ge, {}};
  }
  static bool is_counter(ExprP e, const std::map<VarId, int>& times) {
    const auto it = e->kind == Expr::Kind::Var ? times.find(e->var) : times.end();
    return it != times.end() && it->second == 1;
  }
  static bool is_invariant(ExprP e, const std::map<VarId, int>& times) {
    if (loads(e)) return false;
    const auto used = variables(e);
    return std::none_of(used.begin(), used.end(), [&](VarId v) { return times.count(v) != 0; });
  }

  /// Finds the step `j = j + c` and takes it out of the body, if nothing that follows it uses the counter.
  bool takes_step(Counted& found, const std::map<VarId, int>& times) const {
    Block& b = found.rest;
    for (size_t k = b.size(); k-- > 0;) {
      auto* n = std::get_if<SetVar>(&b[k].node);
      if (!n || n->var != found.counter) {
        // Not all uses of variables are in expressions: calls and captures name them.
        const Block one{b[k]};
        if (!is_scalar_code(one) || mentions(one, found.counter)) return false;
        continue;
      }
      const ExprP e = n->value;
      if (e->kind != Expr::Kind::Binary || (e->op != Op::Add && e->op != Op::Sub)) return false;
      const bool first = e->a->kind == Expr::Kind::Var && e->a->var == found.counter;
      const bool second = e->op == Op::Add && e->b->kind == Expr::Kind::Var && e->b->var == found.counter;
      if (!first && !second) return false;
      ExprP step = first ? e->b : e->a;
      if (!is_invariant(step, times)) return false;
      // `step` is how much nearer the bound comes.
      if ((e->op == Op::Sub) == found.up) {
        if (step->kind != Expr::Kind::IntConst || step->ival == smallest) return false;
        step = x_.int_const(-step->ival);
      }
      if (step->kind == Expr::Kind::IntConst && step->ival <= 0) return false;
      found.step = step;
      b.erase(b.begin() + static_cast<ptrdiff_t>(k));
      return true;
    }
    return false;
  }

  void write(Loop loop, Counted c) {
    const bool unit = is_int(c.step, 1);
    if (!unit) c.step = out_.keep(c.step, "step");
    c.bound = out_.keep(c.bound, "bound");
    const Trips t = trips(c, unit);
    Block counting = out_.collect([&] { write_counted(c, t, loop.site); });
    if (!t.sure) return out_.append(std::move(counting));
    Block original;
    original.push_back({std::move(loop), out_.place});
    out_.emit(If{x_.not_(t.sure), std::move(original), std::move(counting), true});
  }

  struct Trips {
    ExprP start = nullptr, count = nullptr;
    ExprP sure = nullptr;  ///< the condition for `count`; null: none
  };
  Trips trips(const Counted& c, bool unit) {
    Trips t;
    t.start = out_.temp(x_.var(c.counter, Scalar::Int64), "start");
    const ExprP zero = x_.int_const(0), one = x_.int_const(1), most = x_.int_const(largest);
    const ExprP left = out_.keep(c.up ? x_.sub(c.bound, t.start) : x_.sub(t.start, c.bound), "left");
    const Op op = c.up ? (c.inclusive ? Op::Le : Op::Lt) : (c.inclusive ? Op::Ge : Op::Gt);
    const ExprP runs = x_.binary(op, t.start, c.bound), overflow = x_.lt(left, zero);
    const ExprP before_last = c.inclusive ? left : x_.sub(left, one);
    if (unit) {
      // 2^63 iterations are more than can run, and with the greatest bound the counter wraps for ever, in the loop
      // below too.
      ExprP endless = overflow;
      if (c.inclusive)
        endless =
            x_.either(endless, x_.either(x_.eq(left, most), x_.eq(c.bound, x_.int_const(c.up ? largest : smallest))));
      t.count = out_.temp(x_.select(runs, x_.select(endless, most, x_.add(before_last, one)), zero), "trips");
      return t;
    }
    const ExprP limit = c.up ? x_.sub(most, c.step) : x_.add(x_.int_const(smallest), c.step);
    t.sure = x_.both(x_.gt(c.step, zero), c.up ? x_.le(c.bound, limit) : x_.ge(c.bound, limit));
    t.sure = x_.both(t.sure, x_.either(x_.not_(runs), x_.both(x_.not_(overflow), x_.lt(left, most))));
    // The division is evaluated under the condition only.
    t.count = x_.select(runs, x_.add(x_.binary(Op::Div, before_last, c.step), one), zero);
    return t;
  }

  void write_counted(Counted& c, const Trips& t, SiteId site) {
    const std::string name = out_.fn.vars[static_cast<size_t>(c.counter)].name;  // a copy: the list grows
    const ExprP count = out_.keep(t.count, "trips");
    const auto after = [&](ExprP k) {
      const ExprP distance = x_.mul(k, c.step);
      return c.up ? x_.add(t.start, distance) : x_.sub(t.start, distance);
    };
    const bool breaks = has_own<Break>(c.rest);
    const VarId whole = breaks ? out_.new_var("whole", Scalar::Bool) : none;
    if (breaks) out_.set(whole, x_.bool_const(true));
    CountedLoop made{out_.new_var(name + ".k", Scalar::Int64), x_.int_const(0), count, {}};
    made.site = site;
    made.version = versions_;
    made.body = out_.collect([&] {
      out_.set(c.counter, after(x_.var(made.var, Scalar::Int64)));
      if (breaks) mark_breaks(c.rest, whole);
      out_.append(std::move(c.rest));
    });
    out_.emit(std::move(made));
    Block end = out_.collect([&] { out_.set(c.counter, after(count)); });
    if (breaks)
      out_.emit(If{out_.get(whole), std::move(end), {}});
    else
      out_.append(std::move(end));
    // A loop with `A and B` ends because one of them is false.
    if (c.flag != none) out_.set(c.flag, x_.bool_const(false));
  }

  void mark_breaks(Block& b, VarId whole) {
    for (size_t k = 0; k < b.size(); ++k) {
      if (std::holds_alternative<Break>(b[k].node)) {
        b.insert(b.begin() + static_cast<ptrdiff_t>(k), Stmt{SetVar{whole, x_.bool_const(false)}, b[k].place});
        ++k;
      } else if (auto* n = std::get_if<If>(&b[k].node)) {
        mark_breaks(n->then_body, whole), mark_breaks(n->else_body, whole);
      }
    }
  }

  Exprs& x_;
  Writer out_;
  const bool versions_;
  const bool own_arrays_;  ///< the kernel has arrays of a work-item's own
};

}  // namespace

void count_loops(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions) CountLoops(x, *f, f->kind != Function::Kind::Kernel).run();
}

}  // namespace vr::lower
