// march: consecutive iterations of a stencil in one work-item.
//
//   kernel [x, z] {                       kernel [x, z.march] {
//     b[z, x] = a[z - 1, x]                 z.0 = z.march * 4; z.1 = z.march * 4 + 1; ...
//               + a[z + 1, x]               l0 = a[z.0 - 1, x]; l1 = a[z.0 + 1, x]; b[z.0, x] = l0 + l1
//   }                                       l2 = a[z.1 - 1, x]; l3 = a[z.1 + 1, x]; b[z.1, x] = l2 + l3
//                                           l4 = a[z.2 + 1, x];                     b[z.2, x] = l1 + l4
//                                           ...
//                                         }
//
// Along dims[0], whose neighbours are next to each other in memory, the loads and stores of as many iterations as 16
// bytes have elements become vectors (vectors.hpp). Where the domain begins behind the rows' first element (1 here),
// the first work-item begins before the domain, so that the others' vectors are aligned:
//
//   kernel [x, z] {                       kernel [x.march, z] {
//     b[z, x + 1] = a[z, x]                 first = x.march * 4 - 1
//                   + a[z, x + 2]           if first >= 0 & first + 3 < x.count {
//   }                                         l0 = a[z, first]; l1 = a[z, first + 2]; b[z, first + 1] = l0 + l1; ...
//                                           } else { each of the four that is in the domain }
//                                         }
#include "loop/transform/march.hpp"

#include "loop/analysis/clamps.hpp"
#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/analysis/vector_runs.hpp"
#include "loop/kernel_forms.hpp"
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

/// The bytes of the largest elements that are loaded or stored.
int64_t largest_element(const Block& b) {
  int64_t largest = 0;
  const std::function<void(ExprP)> loads = [&](ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) largest = std::max<int64_t>(largest, scalar_bytes(e->type));
    for (ExprP part : {e->a, e->b, e->c}) loads(part);
  };
  any_statement(b, [&](const Stmt& s) {
    if (auto* n = std::get_if<Store>(&s.node)) largest = std::max<int64_t>(largest, scalar_bytes(n->value->type));
    each_expr(s, loads);
    return false;
  });
  return largest;
}

/// Writes the iterations of a work-item one after another.
class MarchedIterations {
 public:
  MarchedIterations(Exprs& x, Function& f, const Function& plain, size_t dim)
      : out_(x, f), dims_(plain), assignments_(assignments(plain.body)), dim_(dim), start_(f) {}

  /// `start` computes `first`.
  Block run(const Block& body, const Block& start, ExprP first, int64_t count, VarId dim_var) {
    for (const Stmt& s : start) start_.execute(s);
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
  int64_t loads() const { return loads_.all; }
  int64_t distinct_loads() const { return loads_.distinct; }
  int64_t other_loads() const { return loads_.others; }
  /// The loads that remain once those of consecutive elements are vectors of at most 16 bytes (vectors.hpp).
  int64_t vector_loads() const {
    std::map<std::tuple<VarId, Scalar, Polynomial>, std::set<int64_t>> lines;
    for (const auto& [element, value] : all_loaded_)
      lines[{std::get<0>(element), std::get<1>(element), std::get<2>(element).rest()}].insert(
          std::get<2>(element).constant());
    int64_t vectors = 0;
    for (const auto& [line, elements] : lines) {
      vectors += static_cast<int64_t>(elements.size());
      each_vector(scalar_bytes(std::get<1>(line)), elements, [&](int64_t, int64_t count) {
        vectors -= count - 1;
        return true;
      });
    }
    return vectors + loads_.others;
  }
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
    if (skips_operands(e)) {
      Expr n = *e;
      n.a = expr(e->a, certain);
      n.b = expr(e->b, false);
      n.c = expr(e->c, false);
      return out_.x.make(n);
    }
    const ExprP now = with_parts(out_.x, e, [&](ExprP part) { return expr(part, certain); });
    if (!dims_.is_constant_load(e) || !now->b) {
      loads_.others += e->kind == Expr::Kind::Load && certain;
      return now;
    }
    const Element element{now->a->var, now->type, values_->of(now->b)};
    loads_.all += certain;
    if (const auto it = loaded_.find(element); it != loaded_.end()) return it->second;
    if (!certain) return now;
    ++loads_.distinct;
    return all_loaded_[element] = loaded_[element] = out_.temp(now, "loaded");
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
  std::map<Element, ExprP> all_loaded_;
  struct {
    int64_t all = 0, distinct = 0, others = 0;
  } loads_;
};

struct March {
  Function kernel;
  size_t dim;
  int64_t count;
  int64_t shift;             ///< the first work-item begins so many iterations before the domain
  double share = 1;          ///< of the loads that remain
  int64_t loads = 0;         ///< that remain
  int64_t vector_loads = 0;  ///< as of MarchedIterations
  std::vector<std::pair<VarId, int64_t>> multiples{};  ///< as of RowStart
};

/// The version of `plain` with `count` iterations along a dimension; its last parameter is that dimension's extent.
March marching(Exprs& x, const Function& plain, size_t dim, int64_t count, int64_t shift = 0) {
  March made{tile_version(plain), dim, count, shift};
  Function& f = made.kernel;
  Writer out(x, f);
  const VarId var = plain.dims[dim], extent = tile_dim(out, dim, ".march"), at = f.dims[dim];
  f.tile_of.size[dim] = static_cast<int32_t>(count);
  // A range of shifted tiles is no range of tiles that begin at a multiple of their size.
  if (shift != 0) f.tile_of.apart[dim] = 1 << 30;
  ExprP first = nullptr;
  Block start = out.collect([&] {
    first = out.temp(x.sub(x.mul(x.var(at, Scalar::Int64), x.int_const(count)), x.int_const(shift)), "first");
  });
  const auto from_0 = [&](ExprP number, ExprP c) { return shift == 0 ? c : x.both(x.ge(number, x.int_const(0)), c); };
  MarchedIterations iterations(x, f, plain, dim);
  const Unclamped open = without_clamps(x, plain);
  Block together = iterations.run(open.body, start, first, count, var);
  // Work-items at the end of the domain run their iterations one by one.
  const VarId k = out.new_var("k", Scalar::Int64);
  Block one = out.collect([&] {
    out.set(var, x.add(first, x.var(k, Scalar::Int64)));
    const ExprP number = x.var(var, Scalar::Int64);
    out.emit(If{from_0(number, x.lt(number, x.var(extent, Scalar::Int64))), plain.body, {}});
  });
  Block rest;
  rest.push_back({CountedLoop{k, x.int_const(0), x.int_const(count), std::move(one)}, none});
  f.body = std::move(start);
  ExprP inside = from_0(first, x.lt(x.add(first, x.int_const(count - 1)), x.var(extent, Scalar::Int64)));
  for (ExprP active : open.active)
    for (int64_t p = 0; p < (mentions(active, var) ? count : 1); ++p) {
      const ExprP here = x.add(first, x.int_const(p));
      const auto number = [&](ExprP e) { return e->kind == Expr::Kind::Var && e->var == var ? here : nullptr; };
      inside = x.both(inside, x.not_(replaced(x, active, number)));
    }
  f.body.push_back({If{inside, std::move(together), std::move(rest)}, none});
  made.loads = iterations.distinct_loads() + iterations.other_loads();
  made.vector_loads = iterations.vector_loads();
  if (iterations.loads() > 0) made.share = double(made.loads) / double(iterations.loads() + iterations.other_loads());
  return made;
}

/// Where the rows of a kernel's first store begin: `phase` elements after a multiple of 16 bytes, seen from the start
/// of the array, if these variables times their factors are multiples of 16.
struct RowStart {
  int64_t phase;
  std::vector<std::pair<VarId, int64_t>> multiples;
};

/// None if some store is made under a condition, or if nobody knows where the rows begin. `size`: bytes of an element;
/// a work-item runs as many iterations along dims[0] as 16 bytes have elements.
std::optional<RowStart> row_start(Exprs& x, const Function& kernel, int64_t size) {
  Polynomials values(kernel);
  const Polynomial along = values.of(x.var(kernel.dims[0], Scalar::Int64));
  std::optional<Polynomial> at;
  for (const Stmt& s : kernel.body) {
    auto* n = std::get_if<Store>(&s.node);
    if (n && !at) {
      if (scalar_bytes(n->value->type) != size) return {};
      at = values.of(n->offset);
    }
    if (!n && any_statement(s, [](const Stmt& t) { return std::holds_alternative<Store>(t.node); })) return {};
    values.execute(s);
  }
  if (!at) return {};
  RowStart start{(at->constant() % vector_bytes + vector_bytes) % vector_bytes / size, {}};
  for (const auto& [product, factor] : at->rest().terms) {
    if (factor % vector_bytes == 0 || (along.terms.count(product) && factor % size == 0)) continue;
    const VarId v = values.fixed_variable(product);
    if (v == none) return {};
    start.multiples.emplace_back(v, factor);
  }
  return start;
}

/// How many iterations in front of the domain the first of `count` begins, so that vectors of as many elements that the
/// first store makes can be aligned; 0: as well as at the domain's beginning.
int64_t vector_shift(Exprs& x, const Function& kernel, int64_t count) {
  Polynomials values(kernel);
  const Polynomial along = values.of(x.var(kernel.dims[0], Scalar::Int64));
  for (const Stmt& s : kernel.body) {
    if (auto* n = std::get_if<Store>(&s.node)) {
      const Polynomial at = values.of(n->offset);
      const auto term = along.terms.size() == 1 ? at.terms.find(along.terms.begin()->first) : at.terms.end();
      const int64_t step = term == at.terms.end() ? 0 : term->second, bytes = count * scalar_bytes(n->value->type);
      for (int64_t shift = 0; shift < count; ++shift)
        if ((at.constant() - step * shift) % bytes == 0) return shift;
      return 0;
    }
    values.execute(s);
  }
  return 0;
}

class MarchedLaunches {
 public:
  MarchedLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), least_(o.tiles) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      const Function& kernel = *m_.functions[static_cast<size_t>(n.kernel)];
      std::optional<March> best = version(kernel);
      if (!best) return false;
      std::optional<March> rows = best->dim == 0 ? std::nullopt : row_version(kernel, *best);
      const ExprP aligned = rows ? rows_are_aligned(kernel, n, *rows) : nullptr;
      if (!aligned) {
        launch(std::move(n), std::move(*best));
        return true;
      }
      Launch otherwise = n;
      Block in_rows = out_.collect([&] { launch(std::move(n), std::move(*rows)); });
      Block across = out_.collect([&] { launch(std::move(otherwise), std::move(*best)); });
      out_.emit(If{aligned, std::move(in_rows), std::move(across)});
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
    if (largest_element(kernel.body) <= 2 && unit_stride_accesses(x_, kernel)[0] > 0) {
      const int64_t shift = vector_shift(x_, kernel, least_marched_iterations);
      March made = marching(x_, kernel, 0, least_marched_iterations, shift);
      if (made.loads > 0 && made.loads <= few_loads) return made;
    }
    for (size_t dim = kernel.dims.size(); dim-- > 1;) {
      March made = marching(x_, kernel, dim, count);
      const bool pays = made.share <= 0.8 || (made.loads > 0 && made.loads <= few_loads);
      if (pays && (!best || made.share < best->share)) best = std::move(made);
    }
    return best;
  }
  /// Consecutive iterations along dims[0] whose loads and stores become vectors (vectors.hpp); none if an iteration has
  /// not much fewer loads then than with `other`, or a work-item has many: neighbours along the other dimensions are
  /// loaded again for each iteration (27 points of a stencil 1.7 times as long, 7 points 0.8; H200).
  std::optional<March> row_version(const Function& kernel, const March& other) {
    constexpr int64_t most_loads = 16;
    const int64_t size = largest_element(kernel.body);
    if (size < 4 || size > 8 || kernel.dims.size() < 2 || unit_stride_accesses(x_, kernel)[0] == 0) return {};
    const int64_t count = vector_bytes / size;
    const std::optional<RowStart> start = row_start(x_, kernel, size);
    if (!start) return {};
    March made = marching(x_, kernel, 0, count, start->phase);
    made.multiples = start->multiples;
    const double each = double(made.vector_loads) / double(count), others = double(other.loads) / double(other.count);
    if (made.vector_loads > most_loads || each > 0.8 * others) return {};
    return made;
  }
  /// Whether all rows of the arrays begin at multiples of 16 bytes, seen from their first one, and March::multiples are
  /// such; null: the host does not know.
  ExprP rows_are_aligned(const Function& kernel, const Launch& launch, const March& made) {
    ExprP all = x_.bool_const(true);
    const auto is_multiple = [&](ExprP bytes) {
      return x_.eq(x_.binary(Op::Rem, bytes, x_.int_const(vector_bytes)), x_.int_const(0));
    };
    for (const auto& [v, factor] : made.multiples) {
      bool known = false;
      for (size_t p = 0; p < kernel.params.size(); ++p) {
        const Param& param = kernel.params[p];
        if (param.array == none && param.var == v) {
          all = x_.both(
              all, is_multiple(x_.mul(x_.convert(out_.get(launch.args[p].var), Scalar::Int64), x_.int_const(factor))));
          known = true;
        } else if (param.array != none) {
          const std::vector<VarId>& strides = kernel.arrays[static_cast<size_t>(param.array)].stride;
          known = known || std::find(strides.begin(), strides.end(), v) != strides.end();
        }
      }
      if (!known) return nullptr;
    }
    for (size_t p = 0; p < kernel.params.size(); ++p) {
      if (kernel.params[p].array == none) continue;
      const ArrayVars a = out_.array(launch.args[p].array);
      if (a.stride.size() < 2) continue;
      for (VarId stride : a.stride) {
        const ExprP bytes = out_.get(stride);
        all = x_.both(all, x_.either(x_.eq(bytes, x_.int_const(a.element_bytes())), is_multiple(bytes)));
      }
    }
    return all;
  }
  void launch(Launch plain, March made) {
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    made.kernel.tile_of.kernel = plain.kernel;
    const std::string name = kernel.name + (made.dim == 0 ? "_along" : "_march");
    const int32_t id = add_kernel(m_, std::move(made.kernel), name);
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
        marched.counts[d] = out_.keep(x_.binary(
            Op::Div, x_.add(marched.counts[d], x_.int_const(made.shift + made.count - 1)), x_.int_const(made.count)));
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
