// unroll: iterations of short loops in kernels, one after another.
//
//   for k in [-1, 2) {                    s = s + a[i + -1, j]
//     s = s + a[i + k, j]                 s = s + a[i, j]
//   }                                     s = s + a[i + 1, j]
#include "loop/transform/unroll.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <optional>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

struct Limits {
  int64_t iterations;
  int64_t nodes;              ///< of expressions in all iterations together
  int64_t nodes_in_function;  ///< of all loops
  bool inner;                 ///< only loops in other loops, which then have no inner loops
  /// Of loops with more iterations, that load elements which an outer loop does not change: their bytes, and the nodes.
  int64_t kept, nodes_if_kept;
};
constexpr Limits in_kernels = {32, 1000, 4000, false, 256, 2000};
constexpr Limits on_host = {16, 2000, 4000, true, 0, 0};

bool trips_at_most(const CountedLoop& n, int64_t most, int64_t fewest = 1) {
  int64_t trips = 0;
  return n.lo->kind == Expr::Kind::IntConst && n.hi->kind == Expr::Kind::IntConst &&
         !__builtin_sub_overflow(n.hi->ival, n.lo->ival, &trips) && trips >= fewest && trips <= most;
}

/// The bytes of elements of read-only arrays that the loop loads and that are the same in each iteration of the
/// loop around it, which assigns `changed`: once it is straight code, the device's compiler keeps them in registers.
int64_t kept_bytes(const Function& kernel, const CountedLoop& loop, std::map<VarId, int> changed) {
  const std::set<VarId> read_only = read_only_arrays(kernel);
  const std::map<VarId, int> own = assignments(loop.body);
  changed.erase(loop.var);
  std::set<VarId> numbers{loop.var};  // what an iteration computes from its number
  const auto any_of = [](ExprP e, const auto& set) {
    return any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Var && set.count(n->var) != 0; });
  };
  int64_t bytes = 0;
  for (const Stmt& s : loop.body) {
    each_access(s, [&](const ElementAccess& a) {
      const bool is_read = !a.is_store && a.base->kind == Expr::Kind::Var && read_only.count(a.base->var) != 0;
      if (is_read && any_of(a.offset, numbers) && !any_of(a.offset, changed)) bytes += scalar_bytes(a.type);
    });
    auto* n = std::get_if<SetVar>(&s.node);
    if (!n || own.at(n->var) != 1 || loads(n->value) || any_of(n->value, changed)) continue;
    if (any_of(n->value, numbers)) numbers.insert(n->var);
    changed.erase(n->var);
  }
  return bytes * (loop.hi->ival - loop.lo->ival);
}

class Unroll {
 public:
  /// wanted: only such loops.
  Unroll(Exprs& x, Function& f, const Limits& limits, const WantedLoops* wanted = nullptr)
      : x_(x), limits_(limits), wanted_(wanted), out_(x, f), whole_(f.body) {}

  /// Returns whether loops were unrolled.
  bool run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body, 0); });
    return made_ != 0;
  }

 private:
  void block(Block& b, int depth) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      auto* n = std::get_if<CountedLoop>(&s.node);
      // Refers to the original loop, before its inner loops change.
      const bool is_wanted = n && is_short(*n);
      const std::set<VarId> outside = is_wanted ? used_outside(*n) : std::set<VarId>();
      {
        const Restore inside(around_,
                             n && !n->parallel && limits_.kept > 0 ? std::optional(assignments(n->body)) : around_);
        for (Block* p : parts(s)) *p = out_.collect([&] { block(*p, depth + (n != nullptr)); });
      }
      const bool fits = is_wanted && (!limits_.inner || (depth > 0 && is_scalar_code(n->body)));
      if (!fits || !loop(*n, outside)) out_.block->push_back(std::move(s));
    }
  }

  std::set<VarId> used_outside(const CountedLoop& n) const {
    std::set<VarId> used;
    const UsedOutside outside(out_.fn, whole_, n);
    for (const auto& [v, times] : assignments(n.body))
      if (outside(v)) used.insert(v);
    return used;
  }

  bool is_short(const CountedLoop& n) const {
    if (wanted_) return trips_at_most(n, limits_.iterations, 0) && (*wanted_)(n);
    if (trips_at_most(n, limits_.iterations)) return true;
    if (!around_ || !trips_at_most(n, limits_.kept / 4)) return false;
    const int64_t kept = kept_bytes(out_.fn, n, *around_);
    return kept > 0 && kept <= limits_.kept;
  }

  bool loop(const CountedLoop& n, const std::set<VarId>& outside) {
    if (n.parallel || n.spread || has_own<Break>(n.body) || has_own<Continue>(n.body)) return false;
    if (!limits_.inner && (has<Exit>(n.body) || has<Fail>(n.body))) return false;
    const int64_t lo = n.lo->ival, hi = n.hi->ival;
    const int64_t size = nodes(n.body) * (hi - lo);
    const int64_t most = hi - lo > limits_.iterations ? limits_.nodes_if_kept : limits_.nodes;
    if (size > most || made_ + size > limits_.nodes_in_function) return false;
    made_ += size;
    // The variables of each iteration have new names, so that each is assigned once.
    std::set<VarId> own;
    single_.clear();
    const std::set<VarId> first = assigned_first(n.body);
    for (const auto& [v, times] : assignments(n.body))
      if (!outside.count(v) && first.count(v)) {
        own.insert(v);
        if (times == 1) single_.insert(v);
      }
    for (int64_t k = lo; k < hi; ++k) {
      values_ = {{n.var, x_.int_const(k)}};
      names_.clear();
      if (k > lo)
        for (VarId v : own) {
          const Var like = out_.fn.vars[static_cast<size_t>(v)];
          const VarId copy = out_.new_var(like.name, like.type);
          if (out_.fn.narrow.count(v)) out_.fn.narrow.insert(copy);
          names_[v] = copy;
          values_[v] = x_.var(copy, like.type);
        }
      out_.append(copy(n.body));
    }
    return true;
  }

  Block copy(const Block& b) {
    Block made;
    for (const Stmt& s : b) {
      Stmt c = s;
      each_expr_of(c, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<SetVar>(&c.node); n && single_.count(n->var) && n->value->kind == Expr::Kind::IntConst) {
        values_[n->var] = n->value;
        continue;
      }
      const auto renamed = [&](VarId& v) {
        if (auto it = names_.find(v); it != names_.end()) v = it->second;
      };
      if (auto* n = std::get_if<SetVar>(&c.node)) renamed(n->var);
      if (auto* n = std::get_if<CountedLoop>(&c.node)) renamed(n->var);
      if (auto* n = std::get_if<Atomic>(&c.node)) renamed(n->result);
      for (Block* p : parts(c)) *p = copy(*p);
      if (auto* n = std::get_if<If>(&c.node); n && is_const(n->cond)) {
        for (Stmt& inner : is_true(n->cond) ? n->then_body : n->else_body) made.push_back(std::move(inner));
        continue;
      }
      made.push_back(std::move(c));
    }
    return made;
  }
  /// Folds constants in integer expressions.
  ExprP expr(ExprP e) {
    if (!e || is_const(e)) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto it = values_.find(e->var);
      return it == values_.end() ? e : it->second;
    }
    const ExprP made = with_parts(x_, e, [&](ExprP part) { return expr(part); });
    if (made->kind == Expr::Kind::Select && is_const(made->a)) return is_true(made->a) ? made->b : made->c;
    if (made != e && made->kind == Expr::Kind::At) {
      // Strides of axes whose subscripts became 0 are omitted.
      std::vector<ExprP> index, stride;
      for (ExprP axis = made; axis; axis = axis->c) index.push_back(axis->a), stride.push_back(axis->b);
      const ExprP at = x_.at(index, stride);
      return made->ival ? x_.part(at, made->ival) : at;
    }
    if (made == e || is_float(e->type) || e->type == Scalar::Ptr) return made;
    if (made->kind == Expr::Kind::Binary) return x_.binary(made->op, made->a, made->b);
    if (made->kind == Expr::Kind::Unary) return x_.unary(made->op, made->a);
    if (made->kind == Expr::Kind::Convert && is_const(made->a)) return x_.convert(made->a, made->type);
    return made;
  }

  Exprs& x_;
  const Limits& limits_;
  const WantedLoops* wanted_;
  Writer out_;
  const Block whole_;                           ///< the function as it was
  std::optional<std::map<VarId, int>> around_;  ///< what the serial loop around the current block assigns
  int64_t made_ = 0;   ///< nodes
  std::set<VarId> single_;  ///< variables of the iteration that are assigned once
  std::map<VarId, ExprP> values_;
  std::map<VarId, VarId> names_;
};

}  // namespace

void unroll(Module& m, const PassOptions& options) {
  if (!options.version_loops || !options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->team == 0) Unroll(x, *f, in_kernels).run();
}

bool unroll_loops(Exprs& x, Function& kernel, int64_t iterations, int64_t nodes, const WantedLoops& wanted) {
  const Limits limits{iterations, nodes, nodes, false, 0, 0};
  return Unroll(x, kernel, limits, &wanted).run();
}

void unroll_inner(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  const auto is_short = [](const Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    return n && trips_at_most(*n, on_host.iterations);
  };
  for (const auto& f : m.functions)
    if (f->kind != Function::Kind::Kernel && any_statement(f->body, is_short)) Unroll(x, *f, on_host).run();
}

}  // namespace vr::lower
