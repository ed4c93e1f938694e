// march: consecutive iterations of a stencil in one work-item.
//
//   kernel [x, z] {                       kernel [x, z.march] {
//     b[z, x] = a[z - 1, x]                 z.0 = z.march * 4; z.1 = z.march * 4 + 1; ...
//               + a[z + 1, x]               l0 = a[z.0 - 1, x]; l1 = a[z.0 + 1, x]; b[z.0, x] = l0 + l1
//   }                                       l2 = a[z.1 - 1, x]; l3 = a[z.1 + 1, x]; b[z.1, x] = l2 + l3
//                                           l4 = a[z.2 + 1, x];                     b[z.2, x] = l1 + l4
//                                           ...
//                                         }
#include "loop/transform/march.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t most_marched_nodes = 4800;  // nodes of expressions in the iterations of a work-item
constexpr int64_t most_marched_iterations = 8, least_marched_iterations = 4;
constexpr int64_t few_loads = 24;  // in a work-item: more iterations have more loads outstanding, also if they share none

bool fits(const Block& b) {
  return !any_statement(b, [](const Stmt& s) {
    return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node) &&
           !std::holds_alternative<If>(s.node) && !std::holds_alternative<AliasGroup>(s.node) &&
           !std::holds_alternative<Fail>(s.node);
  });
}

/// A check: the statements that follow are executed only if it passes.
bool is_check(const Stmt& s) {
  auto* n = std::get_if<If>(&s.node);
  return n && n->else_body.empty() && goes_away(n->then_body);
}

/// Whether the elements that are loaded and stored have at most two bytes each.
bool are_small(const Block& b) {
  constexpr int64_t small = 2;
  const std::function<bool(ExprP)> loads_larger = [&](ExprP e) {
    return e && ((e->kind == Expr::Kind::Load && scalar_bytes(e->type) > small) || loads_larger(e->a) ||
                 loads_larger(e->b) || loads_larger(e->c));
  };
  return !any_statement(b, [&](const Stmt& s) {
    auto* n = std::get_if<Store>(&s.node);
    bool larger = n && scalar_bytes(n->value->type) > small;
    each_expr(s, [&](ExprP e) { larger = larger || loads_larger(e); });
    return larger;
  });
}

/// Writes the iterations of a work-item one after another.
class MarchedIterations {
 public:
  MarchedIterations(Exprs& x, Function& f, const Function& plain, size_t dim)
      : out_(x, f), dims_(plain), assignments_(assignments(plain.body)), dim_(dim), start_(f) {}

  Block run(const Block& body, ExprP first, int64_t count, VarId dim_var) {
    // No iteration reads what another writes, so everything before the first store or condition is done for all
    // iterations first, together with the operands of that statement: its loads are then outstanding at the same time.
    const auto late = std::find_if(body.begin(), body.end(), [](const Stmt& s) {
      return std::holds_alternative<Store>(s.node) || (std::holds_alternative<If>(s.node) && !is_check(s));
    });
    const Block head(body.begin(), late), tail(late, body.end());
    copies_.resize(static_cast<size_t>(count));
    std::vector<Block> tails(static_cast<size_t>(count));
    return out_.collect([&] {
      const bool checks = std::any_of(head.begin(), head.end(), is_check);
      // Loads behind the check of one iteration need not wait for those of the iterations before.
      const std::vector<Block> parts = checks ? statements_of(head) : std::vector<Block>{head};
      for (size_t p = 0; p < parts.size(); ++p)
        for (iteration_ = 0; iteration_ < count; ++iteration_) {
          if (p == 0) assign(var(dim_var, true), out_.x.add(first, out_.x.int_const(iteration_)));
          block(parts[p], true);
          if (p + 1 == parts.size()) tails[static_cast<size_t>(iteration_)] = with_operands(tail);
        }
      for (iteration_ = 0; iteration_ < count; ++iteration_) block(tails[static_cast<size_t>(iteration_)], true);
    });
  }
  /// Loads of arrays that the kernel only reads, in all iterations together, how many of them remain, and loads of the
  /// others.
  int64_t loads() const { return loads_; }
  int64_t distinct_loads() const { return distinct_; }
  int64_t other_loads() const { return others_; }

 private:
  using Element = std::tuple<VarId, Scalar, Polynomial>;

  static std::vector<Block> statements_of(const Block& b) {
    std::vector<Block> all;
    for (const Stmt& s : b) all.push_back({s});
    return all;
  }

  /// The iteration's copy of the variable: the variable itself, if it has the same values in all iterations.
  VarId var(VarId v, bool own) {
    if (!own) return v;
    auto [it, fresh] = copies_[static_cast<size_t>(iteration_)].try_emplace(v, v);
    if (fresh) {
      // In 64 bits also where the original is narrow: compilers then see that consecutive iterations are a stride apart.
      const Var like = out_.fn.vars[static_cast<size_t>(v)];
      it->second = out_.new_var(like.name + "." + std::to_string(iteration_), like.type);
    }
    return it->second;
  }
  /// Whether the variable has a copy for each iteration. A variable that is assigned several times has its last value
  /// afterwards.
  bool is_own(VarId v) const {
    if (operands_.count(v)) return false;
    const auto it = assignments_.find(v);
    return (dims_.of(v) >> dim_ & 1) != 0 || (it != assignments_.end() && it->second > 1);
  }
  /// The statements, with the operands of the first ones in variables that are assigned here. Those of a store must not need an
  /// earlier store.
  Block with_operands(Block tail) {
    const auto operand = [&](ExprP& e) {
      if (is_simple(e)) return;
      const VarId v = out_.new_var("operand", e->type);
      assign(v, expr(e, true));
      operands_.insert(v);
      e = out_.x.var(v, e->type);
    };
    for (size_t k = 0; k < tail.size(); ++k) {
      const Restore place(out_.place, tail[k].place);
      if (auto* n = std::get_if<If>(&tail[k].node)) {
        if (!is_check(tail[k]) && (k == 0 || !loads_what_is_written(n->cond))) operand(n->cond);
        break;
      }
      auto* n = std::get_if<Store>(&tail[k].node);
      if (!n || (k > 0 && (loads_what_is_written(n->offset) || loads_what_is_written(n->value)))) break;
      operand(n->value);
    }
    return tail;
  }
  bool loads_what_is_written(ExprP e) const {
    if (!e) return false;
    return (e->kind == Expr::Kind::Load && !dims_.is_constant_load(e)) || loads_what_is_written(e->a) || loads_what_is_written(e->b) ||
           loads_what_is_written(e->c);
  }
  void add(auto node) {
    out_.emit(std::move(node));
    values_->execute(out_.block->back());
  }
  void assign(VarId v, ExprP value) { add(SetVar{v, value}); }

  /// certain: the statements are executed in each iteration.
  void block(const Block& b, bool certain) {
    for (const Stmt& s : b) {
      const Restore place(out_.place, s.place);
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        if (iteration_ > 0 && !is_own(n->var)) continue;
        const ExprP value = expr(n->value, certain);
        assign(var(n->var, is_own(n->var)), value);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        const ExprP base = expr(n->base, certain), offset = expr(n->offset, certain), value = expr(n->value, certain);
        add(Store{base, offset, value, n->alias_set});
      } else if (auto* n = std::get_if<If>(&s.node)) {
        const ExprP condition = expr(n->cond, certain);
        If chosen{condition, branch(n->then_body), branch(n->else_body), n->unlikely};
        add(std::move(chosen));
      } else if (auto* n = std::get_if<Fail>(&s.node)) {
        add(Fail{n->site, n->code, expr(n->index, false), expr(n->extent, false)});
      } else {
        add(std::get<AliasGroup>(s.node));
      }
    }
  }
  Block branch(const Block& b) {
    Polynomials inside = *values_;
    const Restore values(values_, &inside);
    const Restore loaded(loaded_, loaded_);
    return out_.collect([&] { block(b, false); });
  }

  ExprP expr(ExprP e, bool certain) {
    if (!e) return e;
    if (e->kind == Expr::Kind::Var) return is_own(e->var) ? out_.x.var(var(e->var, true), e->type) : e;
    if (e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && (e->op == Op::And || e->op == Op::Or))) {
      Expr n = *e;
      n.a = expr(e->a, certain);
      n.b = expr(e->b, false);
      n.c = expr(e->c, false);
      return out_.x.make(n);
    }
    const ExprP now = with_parts(out_.x, e, [&](ExprP part) { return expr(part, certain); });
    if (!dims_.is_constant_load(e) || !now->b) {
      others_ += e->kind == Expr::Kind::Load && certain;
      return now;
    }
    const Element element{now->a->var, now->type, values_->of(now->b)};
    loads_ += certain;
    if (const auto it = loaded_.find(element); it != loaded_.end()) return it->second;
    if (!certain) return now;
    ++distinct_;
    return loaded_[element] = out_.temp(now, "loaded");
  }

  Writer out_;
  const DimDependence dims_;
  const std::map<VarId, int> assignments_;
  const size_t dim_;
  Polynomials start_;
  Polynomials* values_ = &start_;
  int64_t iteration_ = 0;
  std::vector<std::map<VarId, VarId>> copies_;  ///< of each iteration
  std::set<VarId> operands_;         ///< of one iteration each
  std::map<Element, ExprP> loaded_;  ///< certain to be loaded at this point
  int64_t loads_ = 0, distinct_ = 0, others_ = 0;
};

struct March {
  Function kernel;
  size_t dim;
  int64_t count;
  double share;   ///< of the loads that remain
  int64_t loads;  ///< that remain
};

/// The version of `plain` with `count` iterations along a dimension; its last parameter is that dimension's extent.
March marching(Exprs& x, const Function& plain, size_t dim, int64_t count) {
  March made{plain, dim, count, 1, 0};
  Function& f = made.kernel;
  f.body.clear();
  f.form_of = f.on_host = none;
  f.tile_of = {};
  Writer out(x, f);
  const VarId var = plain.dims[dim];
  const std::string name = f.vars[static_cast<size_t>(var)].name;
  const VarId extent = out.new_var(name + ".count", Scalar::Int64), at = out.new_var(name + ".march", Scalar::Int64);
  Param p;
  p.var = extent;
  f.tile_of.size[dim] = static_cast<int32_t>(count);
  f.tile_of.count[dim] = static_cast<int32_t>(f.params.size());
  f.params.push_back(p);
  f.dims[dim] = at;
  if (!plain.narrow.empty()) f.narrow.insert(at);
  ExprP first = nullptr;
  Block start = out.collect([&] { first = out.temp(x.mul(x.var(at, Scalar::Int64), x.int_const(count)), "first"); });
  MarchedIterations iterations(x, f, plain, dim);
  Block together = iterations.run(plain.body, first, count, var);
  // Work-items at the end of the domain run their iterations one by one.
  const VarId k = out.new_var("k", Scalar::Int64);
  Block one = out.collect([&] {
    out.set(var, x.add(first, x.var(k, Scalar::Int64)));
    out.emit(If{x.lt(x.var(var, Scalar::Int64), x.var(extent, Scalar::Int64)), plain.body, {}});
  });
  Block rest;
  rest.push_back({CountedLoop{k, x.int_const(0), x.int_const(count), std::move(one)}, none});
  f.body = std::move(start);
  f.body.push_back(
      {If{x.lt(x.add(first, x.int_const(count - 1)), x.var(extent, Scalar::Int64)), std::move(together), std::move(rest)}, none});
  made.loads = iterations.distinct_loads() + iterations.other_loads();
  if (iterations.loads() > 0) made.share = double(made.loads) / double(iterations.loads() + iterations.other_loads());
  return made;
}

class MarchedLaunches {
 public:
  MarchedLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), least_(o.tiles) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      std::optional<March> best = version(*m_.functions[static_cast<size_t>(n.kernel)]);
      if (!best) return false;
      launch(std::move(n), std::move(*best));
      return true;
    });
  }

 private:
  /// The version that saves most loads; none if it saves less than a fifth of them and enough loads are outstanding
  /// without it.
  std::optional<March> version(const Function& kernel) {
    if (!kernel.disjoint || kernel.points != 1 || !kernel.folds.empty() || kernel.team || kernel.dims.size() < 2 || !fits(kernel.body))
      return {};
    int64_t count = kernel.dims.size() > 2 ? most_marched_iterations : least_marched_iterations;
    while (count > least_marched_iterations && nodes(kernel.body) * count > most_marched_nodes) count /= 2;
    if (nodes(kernel.body) * count > most_marched_nodes) return {};
    std::optional<March> best;
    // Elements of one or two bytes: consecutive ones are read and written together (vectors.hpp).
    if (are_small(kernel.body) && unit_stride_accesses(x_, kernel)[0] > 0) {
      March made = marching(x_, kernel, 0, least_marched_iterations);
      if (made.loads > 0 && made.loads <= few_loads) return made;
    }
    for (size_t dim = kernel.dims.size(); dim-- > 1;) {
      March made = marching(x_, kernel, dim, count);
      const bool pays = made.share <= 0.8 || (made.loads > 0 && made.loads <= few_loads);
      if (pays && (!best || made.share < best->share)) best = std::move(made);
    }
    return best;
  }

  void launch(Launch plain, March made) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    const int32_t id = add_function(m_, Function::Kind::Kernel, kernel.name + "_march", kernel.source_name);
    Function& target = *m_.functions[static_cast<size_t>(id)];
    made.kernel.name = target.name;
    made.kernel.tile_of.kernel = plain.kernel;
    target = std::move(made.kernel);
    Launch marched = plain;
    marched.kernel = id;
    ExprP items = x_.int_const(1), large = x_.bool_const(true);
    for (size_t d = 0; d < plain.counts.size(); ++d) {
      const VarId count = out_.new_var("count", Scalar::Int64);
      out_.set(count, plain.counts[d]);
      plain.counts[d] = marched.counts[d] = x_.var(count, Scalar::Int64);
      if (d == made.dim) {
        marched.args.push_back({count});
        large = x_.ge(marched.counts[d], x_.int_const(2 * made.count));
        marched.counts[d] =
            out_.keep(x_.binary(Op::Div, x_.add(marched.counts[d], x_.int_const(made.count - 1)), x_.int_const(made.count)));
      }
      items = x_.mul(items, marched.counts[d]);
    }
    Block then_body, otherwise;
    then_body.push_back({std::move(marched), out_.place});
    otherwise.push_back({std::move(plain), out_.place});
    const ExprP enough = x_.ge(items, x_.int_const(least_));
    out_.emit(If{least_ == 1 ? enough : x_.both(large, enough), std::move(then_body), std::move(otherwise)});
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const int64_t least_;
};

}  // namespace

void march(Module& m, const PassOptions& options) {
  if (!options.version_loops || !options.lanes || options.tiles <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { MarchedLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
