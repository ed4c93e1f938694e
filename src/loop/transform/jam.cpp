// Unroll and jam: several iterations of a loop run together in its inner loop. Three kinds of loops gain.
//
// Sums wait for each addition before the next one can begin; several sums run at the same time, as vectors of lanes:
//   for j { s = 0; for k { s = s + a[i, k] * b[k, j] }; c[i, j] = s }
//     -> for j.block { s.0 = 0; ...; for k { s.0 = s.0 + a[i, k] * b[k, j.0]; ...; s = s + a[i, k] * b[k, j] }; c[i,
//     j.0] = s.0; ... }
//
// Updates of the same elements in each iteration load and store them once:
//   for k { f = a[i, k]; for j { c[i, j] = c[i, j] + f * b[k, j] } }
//     -> for k.block { f.0 = ...; for j { c[i, j] = c[i, j] + f.0 * b[k.0, j]; ...; c[i, j] = c[i, j] + f * b[k, j] } }
// The loop around such a loop is jammed as well if its iterations load the same elements (b, for the rows i of c).
//
// Sweeps whose inner loop reads what it has just stored (Gauss-Seidel, recurrences) have several chains of operations
// at a time:
//   for i { for j { f[j, i] = f[j - 1, i] + f[j, i - 1] } }
//     -> for i.block { for j { f[j, i.0] = f[j - 1, i.0] + f[j, i.0 - 1]; ...; f[j, i] = f[j - 1, i] + f[j, i - 1] } }
// where dependences require it as a wavefront: each iteration of the outer loop runs a few inner iterations behind the
// previous one.
//
// The operations on each element and each sum keep their order: results are equal to the bit. The rest of the
// iterations runs as before.
#include "loop/transform/jam.hpp"

#include "loop/analysis/distinct.hpp"
#include "loop/analysis/loop_work.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/replace.hpp"
#include "loop/transform/hoist_guards.hpp"
#include "loop/transform/jam_lanes.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t least_lanes = 4;
constexpr size_t most_jammed_statements = 120;  // of a nest
constexpr size_t most_updates = 20;      // statements of the inner loop of an update
constexpr size_t most_swept = 60;        // and of a sweep
constexpr size_t most_sums = 4;
constexpr int64_t most_skew = 4;
constexpr int64_t few_iterations =
    8;  // inner loops that short are unrolled by the backend, which then vectorises the outer loop

size_t statements(const Block& b) {
  size_t n = b.size();
  for (const Stmt& s : b)
    for (const Block* p : parts(s)) n += statements(*p);
  return n;
}

/// The only loop in the loop's body; null: there are none or several.
const CountedLoop* only_inner(const CountedLoop& n) {
  const CountedLoop* inner = nullptr;
  for (const Stmt& s : n.body)
    if (auto* loop = std::get_if<CountedLoop>(&s.node)) {
      if (inner) return nullptr;
      inner = loop;
    }
  return inner && is_leaf(*inner) ? inner : nullptr;
}

class Jam {
 public:
  Jam(Writer& out, bool column_major) : out_(out), x_(out.x), column_major_(column_major) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n) return false;
      if (n->version && growing_nest(*n)) return true;
      n->version = false;
      n->disjoint = nullptr;
      return any_nest(*n);
    });
  }

 private:
  // ---- nests
  bool any_nest(const CountedLoop& n) { return nest(n) || unit_stride_nest(n) || general_nest(n); }
  /// A nest whose checks are still there because arrays may grow in it: the jammed form runs where no array has to
  /// grow.
  bool growing_nest(const CountedLoop& n) {
    auto made = hoisted(out_, n, true);
    if (!made) return false;
    const size_t vars = out_.fn.vars.size();
    bool written = false;
    Block fast = out_.collect([&] { written = any_nest(made->fast); });
    if (!written) {
      out_.fn.vars.resize(vars);
      return false;
    }
    out_.append(std::move(made->before));
    if (is_true(made->guard)) {
      out_.append(std::move(fast));
      return true;
    }
    Block slow;
    slow.push_back({std::move(made->slow), out_.place});
    out_.emit(If{x_.not_(made->guard), std::move(slow), std::move(fast), true});
    return true;
  }
  /// Writes the nest, if it or a nest inside of it can be jammed.
  bool nest(const CountedLoop& n) {
    if (!fits(n)) return false;
    if (only_inner(n))
      if (auto how = plan(n)) return write(n, n, *how);
    // The loop around an update.
    const size_t vars = out_.fn.vars.size();
    CountedLoop inside = n;
    bool any = false;
    inside.body = out_.collect([&] {
      for (const Stmt& s : n.body) {
        auto* k = std::get_if<CountedLoop>(&s.node);
        if (k && only_inner(*k) && fits(*k) && is_update(*k) && shares_loads(n, *k) && write(*k, *k, {}))
          any = true;
        else
          out_.block->push_back(s);
      }
    });
    if (any && write(inside, n, {})) return true;
    out_.fn.vars.resize(vars);
    return false;
  }
  /// A nest that can be jammed if its inner loops have unit stride, where conditions select between forms of these:
  /// they are evaluated before the nest.
  bool unit_stride_nest(const CountedLoop& n) {
    ExprP adjacent = x_.bool_const(true);
    CountedLoop chosen = n;
    const size_t vars = out_.fn.vars.size();
    if (!choose_forms(out_.fn, x_, chosen, true, adjacent)) return false;
    bool written = false;
    Block unit;
    // An update, or a loop around one.
    if (!only_inner(chosen) || is_update(chosen)) unit = out_.collect([&] { written = nest(chosen); });
    if (!written) {
      out_.fn.vars.resize(vars);
      return false;
    }
    Block plain;
    plain.push_back({n, out_.place});
    out_.emit(If{adjacent, std::move(unit), std::move(plain)});
    return true;
  }
  /// Sums and sweeps: their lanes gain more than vectors along the inner loop would, so the version for all strides
  /// suffices.
  bool general_nest(const CountedLoop& n) {
    ExprP condition = x_.bool_const(true);
    CountedLoop chosen = n;
    if (!choose_forms(out_.fn, x_, chosen, false, condition) || !fits(chosen) || !only_inner(chosen) || is_update(chosen)) return false;
    const auto how = plan(chosen);
    return how && write(chosen, chosen, *how);
  }
  /// Whether the loop's iterations may run together as far as its statements and its own bounds are concerned.
  bool fits(const CountedLoop& n) const {
    if (!is_plain(n) || is_leaf(n) || n.lo->kind != Expr::Kind::IntConst || n.lo->ival < 0) return false;
    if (n.hi->kind == Expr::Kind::IntConst && n.hi->ival - n.lo->ival < least_lanes) return false;
    return statements(n.body) <= most_jammed_statements && !any_statement(n.body, [](const Stmt& s) {
             auto* inner = std::get_if<CountedLoop>(&s.node);
             return inner ? !is_plain(*inner)
                          : !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node);
           });
  }

  // ---- kinds of loops; each has one inner loop
  std::optional<Jamming> plan(const CountedLoop& n) const {
    if (is_update(n)) return Jamming();
    if (is_sum(n)) return sums(n);
    return sweep(n);
  }

  /// Whether each iteration of the loop updates the same elements in its inner loop.
  bool is_update(const CountedLoop& n) const {
    const CountedLoop& inner = *only_inner(n);
    if (inner.body.size() > most_updates || !read_before_assigned(out_.fn, inner.body).empty()) return false;
    const NestDependences d(out_.fn, n);
    if (!d.known) return false;
    auto in_loop = [&](const NestAccess& a, VarId v) {
      return std::all_of(a.subscripts.begin(), a.subscripts.end(), [](const auto& f) { return f.has_value(); }) &&
             std::any_of(a.subscripts.begin(), a.subscripts.end(),
                         [&](const auto& f) { return f->terms.count(v) != 0; });
    };
    for (const NestAccess& store : d.accesses) {
      if (!store.is_store() || store.loops.size() != 2 || !in_loop(store, inner.var) || in_loop(store, n.var)) continue;
      for (const NestAccess& load : d.accesses)
        if (!load.is_store() && load.loops == store.loops && load.base == store.base && in_loop(load, inner.var) &&
            !in_loop(load, n.var))
          return true;
    }
    return false;
  }
  /// Whether iterations of the outer loop load the same elements in the innermost loop.
  bool shares_loads(const CountedLoop& outer, const CountedLoop& update) const {
    CountedLoop nest = outer;
    nest.body = {Stmt{update, none}};
    const NestDependences d(out_.fn, nest);
    return d.known && std::any_of(d.accesses.begin(), d.accesses.end(), [&](const NestAccess& a) {
             if (a.is_store() || a.loops.size() != 3) return false;
             bool inner = false;
             for (const auto& f : a.subscripts) {
               if (!f || f->terms.count(outer.var)) return false;
               inner = inner || f->terms.count(a.loops[2]);
             }
             return inner;
           });
  }

  /// Whether the inner loop computes only scalars, some of which are carried from iteration to iteration.
  bool is_sum(const CountedLoop& n) const {
    const CountedLoop& inner = *only_inner(n);
    return !has<Store>(inner.body) && !read_before_assigned(out_.fn, inner.body).empty();
  }
  std::optional<Jamming> sums(const CountedLoop& n) const {
    const CountedLoop& inner = *only_inner(n);
    if (inner.lo->kind == Expr::Kind::IntConst && inner.hi->kind == Expr::Kind::IntConst &&
        inner.hi->ival - inner.lo->ival <= few_iterations)
      return {};
    const std::set<VarId> carried = read_before_assigned(out_.fn, inner.body);
    if (carried.size() > most_sums) return {};
    const bool single = std::any_of(carried.begin(), carried.end(), [&](VarId v) {
      return out_.fn.vars[static_cast<size_t>(v)].type == Scalar::Float32;
    });
    Jamming how;
    // Divisions and maths functions keep the execution units busy without further lanes.
    how.lanes = (single ? 8 : 4) * (carried.size() == 1 && !has_slow_operations(inner.body) ? 2 : 1);
    const NestDependences d(out_.fn, n);
    how.across = loads_the_same(d) || !is_along(d);
    if (!how.across) how.lanes = least_lanes;
    return how;
  }

  /// The inner loop passes an element from one iteration to one of the next two, and stores what it computes with it.
  std::optional<Jamming> sweep(const CountedLoop& n) const {
    const CountedLoop& inner = *only_inner(n);
    if (inner.body.size() > most_swept || !read_before_assigned(out_.fn, inner.body).empty()) return {};
    const NestDependences d(out_.fn, n);
    const auto skew = d.skew(least_lanes, most_skew);
    if (!skew) return {};
    std::set<ExprP> late;  // loads of elements that one of the two previous iterations has stored
    for (const Dependence& one : d.all) {
      const NestAccess &a = d.accesses[one.first], &b = d.accesses[one.second];
      if (a.is_store() == b.is_store() || *one.distance[0] != 0) continue;
      const int64_t later = a.is_store() ? *one.distance[1] : -*one.distance[1];
      if (later == 1 || later == 2) late.insert(a.is_store() ? b.load : a.load);
    }
    std::set<VarId> waiting;
    bool waits = false;
    for (const Stmt& s : inner.body) {
      auto* set = std::get_if<SetVar>(&s.node);
      auto* store = std::get_if<Store>(&s.node);
      const ExprP value = set ? set->value : store ? store->value : nullptr;
      const bool waited = any_node(
          value, [&](ExprP e) { return late.count(e) || (e->kind == Expr::Kind::Var && waiting.count(e->var)); });
      if (waited && set) waiting.insert(set->var);
      waits = waits || (waited && store);
    }
    if (!waits) return {};
    Jamming how;
    how.skew = *skew;
    how.across = true;
    return how;
  }

  /// Whether iterations of the outer loop load the same elements in the inner loop. Lanes then are vectors without
  /// shuffles, and no sums have to be taken apart to add in order.
  static bool loads_the_same(const NestDependences& d) {
    return std::all_of(d.accesses.begin(), d.accesses.end(), [](const NestAccess& a) {
      return a.loops.size() != 2 || std::all_of(a.subscripts.begin(), a.subscripts.end(), [&](const auto& form) {
               return form && !form->terms.count(a.loops[0]);
             });
    });
  }
  /// Whether the inner loop's accesses have unit stride along it, and none along the outer loop.
  bool is_along(const NestDependences& d) const {
    bool inner = false;
    for (const NestAccess& a : d.accesses) {
      if (a.loops.size() != 2 || a.subscripts.empty()) continue;
      const size_t axis = unit_stride_axis(out_.fn, a).value_or(column_major_ ? 0 : a.strides.size() - 1);
      if (!a.subscripts[axis]) continue;
      if (a.subscripts[axis]->terms.count(a.loops[0])) return false;
      inner = inner || a.subscripts[axis]->terms.count(a.loops[1]);
    }
    return inner;
  }
  // ---- writing
  /// Whether the bounds of all inner loops are the same in each iteration.
  bool bounds_are_fixed(const Block& b, LinearForms& forms) const {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) forms.execute(*n);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n) continue;
      if (!forms.is_invariant(n->lo) || !forms.is_invariant(n->hi)) return false;
      forms.enter(*n);
      const bool fixed = bounds_are_fixed(n->body, forms);
      forms.leave(*n);
      if (!fixed) return false;
    }
    return true;
  }
  /// An expression of the loop's body with the values of what the body has assigned up to the loop in it; for invariant
  /// bounds. Null: they are too large.
  ExprP before(const CountedLoop& loop, ExprP e) const {
    std::map<VarId, ExprP> values;
    for (size_t k = 0; !std::holds_alternative<CountedLoop>(loop.body[k].node); ++k)
      if (auto* n = std::get_if<SetVar>(&loop.body[k].node); n && !record_value(x_, values, n->var, n->value))
        return nullptr;
    return substituted(x_, e, values);
  }

  /// Writes blocks of iterations of `loop`, and `plain`, which does the same work, for the rest. False: not possible.
  bool write(const CountedLoop& loop, const CountedLoop& plain, const Jamming& how) {
    LinearForms forms(out_.fn, loop);
    if (!bounds_are_fixed(loop.body, forms) || !read_before_assigned(out_.fn, loop.body).empty()) return false;
    const NestDependences d(out_.fn, loop);
    if (how.skew == 0 && !d.may_jam(how.lanes)) return false;
    ExprP condition = distinct_elements(out_, d);
    if (!condition) return false;
    if (how.skew > 0) {
      const CountedLoop& inner = *only_inner(loop);
      const ExprP lo = before(loop, inner.lo), hi = before(loop, inner.hi),
                  least = x_.int_const((how.lanes - 1) * how.skew);
      if (!lo || !hi) return false;
      condition = x_.both(condition, x_.both(x_.le(lo, hi), x_.ge(x_.sub(hi, lo), least)));
    }
    const std::string name = out_.fn.vars[static_cast<size_t>(loop.var)].name;
    const ExprP some = x_.both(condition, x_.lt(loop.lo, loop.hi)), zero = x_.int_const(0),
                width = x_.int_const(how.lanes);
    const ExprP blocks =
        out_.keep(x_.select(some, x_.binary(Op::Div, x_.sub(loop.hi, loop.lo), width), zero), "blocks");
    const VarId b = out_.new_var(name + ".block", Scalar::Int64);
    CountedLoop together{b, zero, blocks,
                         jammed(out_, loop, how, d, x_.add(loop.lo, x_.mul(x_.var(b, Scalar::Int64), width)))};
    together.site = loop.site;
    out_.emit(std::move(together));
    CountedLoop rest = plain;
    rest.lo = out_.keep(x_.add(loop.lo, x_.mul(blocks, width)), "rest");
    out_.emit(std::move(rest));
    return true;
  }

  Writer& out_;
  Exprs& x_;
  const bool column_major_;
};

}  // namespace

void jam(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) { Jam(out, m.column_major).block(body); });
}

}  // namespace vr::lower
