// jam_serial: iterations of a serial loop in a kernel run their inner loops together.
//
//   for j in [0, n) {                         for j.block in [0, n / 8) {
//     s = 0                                     s = 0; s.1 = 0; ...
//     for k in [0, m) {                         for k in [0, m) {
//       s = s + abs(a[i, k] - b[j, k])            s = s + abs(a[i, k] - b[8 * j.block, k])
//     }                                           s.1 = s.1 + abs(a[i, k] - b[8 * j.block + 1, k]); ...
//     if s < least {                            }
//       least = s; place = j                    if s < least { least = s; place = 8 * j.block }
//     }                                         if s.1 < least { least = s.1; place = 8 * j.block + 1 }; ...
//   }                                         }
//                                             for j in [n / 8 * 8, n) { ... as before }
//
// The element a[i, k], which is another one for each work-item, is loaded once for eight iterations.
#include "loop/transform/jam_serial.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace vr::lower {

namespace {

constexpr int64_t most_jammed_nodes = 400;  // nodes of expressions in the iterations that run together
constexpr int64_t most_carried = 16;  // variables that they change in the inner loop: each is a register

/// A serial loop of two parts: `head`, which ends with the inner loop, and the rest.
struct Split {
  size_t head = 0;        ///< statements of the loop's body
  std::set<VarId> own;    ///< variables of the head; each iteration assigns them before it uses them
  std::set<VarId> equal;  ///< of these, the ones that have the same value in all iterations: one variable serves them
  int64_t carried = 0;    ///< of these, the ones that the inner loop assigns and that keep their value in it
};

class JamSerial {
 public:
  JamSerial(Exprs& x, Function& kernel, int64_t most) : x_(x), out_(x, kernel), original_(kernel), dims_(original_), most_(most) {}

  void run() {
    replace_in_body(out_, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      const std::optional<Split> split = n ? split_of(*n) : std::nullopt;
      return split && jam(*n, *split);
    });
  }

 private:
  static bool is_plain(const Stmt& s) {
    return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) ||
           std::holds_alternative<CountedLoop>(s.node);
  }
  static bool is_plain_or_store(const Stmt& s) {
    return is_plain(s) || std::holds_alternative<Store>(s.node) || std::holds_alternative<AliasGroup>(s.node);
  }

  std::optional<Split> split_of(const CountedLoop& n) {
    if (n.parallel || n.spread || n.unroll || any_statement(n.body, [](const Stmt& s) { return !is_plain_or_store(s); }))
      return {};
    const CountedLoop* inner = nullptr;
    Split split;
    for (size_t k = 0; k < n.body.size(); ++k)
      if (auto* loop = std::get_if<CountedLoop>(&n.body[k].node)) {
        if (inner) return {};
        inner = loop;
        split.head = k + 1;
      }
    if (!inner || inner->parallel || inner->spread || inner->unroll || has<CountedLoop>(inner->body)) return {};
    const Block head(n.body.begin(), n.body.begin() + static_cast<std::ptrdiff_t>(split.head));
    const Block rest(n.body.begin() + static_cast<std::ptrdiff_t>(split.head), n.body.end());
    const UsedOutside outside(original_, original_.body, n);
    if (outside(n.var) || !runs_ahead(n, *inner, head, rest, outside, split) || !shares(n, *inner, split)) return {};
    const std::set<VarId> first = assigned_first(inner->body);
    for (const auto& [v, times] : assignments(inner->body)) split.carried += !first.count(v);
    return split;
  }

  /// Whether the head of an iteration may run before the rest of the iterations in front of it; fills Split::own.
  bool runs_ahead(const CountedLoop& n, const CountedLoop& inner, const Block& head, const Block& rest,
                  const UsedOutside& outside, Split& split) const {
    if (any_statement(head, [](const Stmt& s) { return !is_plain(s); })) return false;
    const auto later = assignments(rest);
    const UsedOutside outside_inner(original_, original_.body, inner);
    const std::set<VarId> first = assigned_first(n.body), first_in_inner = assigned_first(inner.body);
    bool fits = true;
    for (const auto& [v, times] : assignments(head)) {
      const bool in_inner = (v == inner.var || first_in_inner.count(v)) && !outside_inner(v);
      fits = fits && (in_inner || (first.count(v) && !outside(v)));
      split.own.insert(v);
    }
    any_statement(head, [&](const Stmt& s) {
      each_expr(s, [&](ExprP e) { fits = fits && independent(e, split.own, later); });
      return !fits;
    });
    return fits;
  }
  bool independent(ExprP e, const std::set<VarId>& own, const std::map<VarId, int>& later) const {
    if (!e) return true;
    if (e->kind == Expr::Kind::Load && !dims_.is_constant_load(e)) return false;
    if (e->kind == Expr::Kind::Var && later.count(e->var) && !own.count(e->var)) return false;
    return independent(e->a, own, later) && independent(e->b, own, later) && independent(e->c, own, later);
  }

  /// Whether all iterations run the inner loop equally often, and load there elements that are the same for all of them and
  /// differ between work-items; fills Split::equal.
  bool shares(const CountedLoop& n, const CountedLoop& inner, Split& split) const {
    const auto changed = assignments(n.body);
    std::set<VarId> changing{n.var};
    for (const auto& [v, times] : changed)
      if (v != inner.var) changing.insert(v);
    const auto equal = [&](const Block& b, size_t count) {
      for (size_t k = 0; k < count; ++k)
        if (auto* set = std::get_if<SetVar>(&b[k].node); set && split.own.count(set->var) && changed.at(set->var) == 1 && !uses(set->value, changing)) {
          changing.erase(set->var);
          split.equal.insert(set->var);
        }
    };
    equal(n.body, split.head);
    if (uses(inner.lo, changing) || uses(inner.hi, changing)) return false;
    split.equal.insert(inner.var);
    equal(inner.body, inner.body.size());
    bool found = false;
    const std::function<void(ExprP)> visit = [&](ExprP e) {
      if (!e) return;
      if (e->kind == Expr::Kind::Load && dims_.of(e) != 0 && !uses(e, changing)) found = true;
      for (ExprP part : {e->a, e->b, e->c}) visit(part);
    };
    any_statement(inner.body, [&](const Stmt& s) {
      each_expr(s, visit);
      return found;
    });
    return found;
  }
  static bool uses(ExprP e, const std::set<VarId>& some) {
    const auto used = variables(e);
    return std::any_of(used.begin(), used.end(), [&](VarId v) { return some.count(v) != 0; });
  }

  bool jam(CountedLoop& n, const Split& split) {
    int64_t width = most_;
    while (width > 1 && (nodes(n.body) * width > most_jammed_nodes || split.carried * width > most_carried)) width /= 2;
    if (width < 2) return false;
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    const auto fixed = [&](ExprP e, const char* end) { return is_const(e) ? e : out_.temp(e, (name + end).c_str()); };
    const ExprP lo = fixed(n.lo, ".lo"), hi = fixed(n.hi, ".hi");
    const ExprP count = x_.select(x_.gt(hi, lo), x_.sub(hi, lo), x_.int_const(0));
    const ExprP blocks = out_.temp(x_.binary(Op::Div, count, x_.int_const(width)), (name + ".blocks").c_str());
    CountedLoop together = n;
    together.var = out_.new_var(name + ".block", Scalar::Int64);
    together.lo = x_.int_const(0);
    together.hi = blocks;
    together.body = out_.collect([&] { block(n, split, lo, x_.var(together.var, Scalar::Int64), width); });
    out_.emit(std::move(together));
    n.lo = out_.temp(x_.add(lo, x_.mul(blocks, x_.int_const(width))), (name + ".rest").c_str());
    n.hi = hi;
    out_.emit(std::move(n));
    return true;
  }

  void block(const CountedLoop& n, const Split& split, ExprP lo, ExprP at, int64_t width) {
    names_.assign(static_cast<size_t>(width), {});
    for (size_t k = 0; k < names_.size(); ++k) {
      names_[k][n.var] = copy_of(n.var, k, false);
      for (VarId v : split.own)
        if (!split.equal.count(v)) names_[k][v] = copy_of(v, k, out_.fn.narrow.count(v) != 0);
      out_.set(names_[k][n.var], x_.add(lo, x_.add(x_.mul(at, x_.int_const(width)), x_.int_const(static_cast<int64_t>(k)))));
    }
    for (size_t s = 0; s < split.head; ++s) {
      auto* loop = std::get_if<CountedLoop>(&n.body[s].node);
      if (!loop) {
        together(n.body[s], split);
        continue;
      }
      CountedLoop joint = *loop;
      joint.body = out_.collect([&] {
        for (const Stmt& inner : loop->body) together(inner, split);
      });
      out_.block->push_back({std::move(joint), n.body[s].place});
    }
    for (size_t k = 0; k < names_.size(); ++k)
      for (size_t s = split.head; s < n.body.size(); ++s) out_.block->push_back(renamed(x_, n.body[s], names_[k]));
  }
  /// The statement for each iteration of the block.
  void together(const Stmt& s, const Split& split) {
    auto* set = std::get_if<SetVar>(&s.node);
    const size_t copies = set && split.equal.count(set->var) ? 1 : names_.size();
    for (size_t k = 0; k < copies; ++k) out_.block->push_back(renamed(x_, s, names_[k]));
  }
  VarId copy_of(VarId v, size_t k, bool narrow) {
    const Var like = out_.fn.vars[static_cast<size_t>(v)];
    const VarId made = out_.new_var(like.name + "." + std::to_string(k), like.type);
    if (narrow) out_.fn.narrow.insert(made);
    return made;
  }

  Exprs& x_;
  Writer out_;
  const Function original_;  ///< the kernel as it was
  const DimDependence dims_;
  const int64_t most_;  ///< iterations together
  std::vector<std::map<VarId, VarId>> names_;  ///< of the variables of each iteration of a block
};

}  // namespace

void jam_serial(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.tiles <= 0) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->points == 1 && f->folds.empty() && f->team == 0 && f->rows.empty())
      JamSerial(x, *f, std::min<int64_t>(8, options.tile_points)).run();
}

}  // namespace vr::lower
