#include "codegen/c99/prepare.hpp"

#include "codegen/c99/addresses.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace vr::codegen::c99 {

using namespace lower;

namespace {

// ---------------------------------------------------------------- accesses

struct Access {
  ExprP base, offset;
  Scalar type;
  int32_t set;
  bool is_store;
};

bool same_address(const Access& a, const Access& b) {
  return a.type == b.type && same(a.base, b.base) && same(a.offset, b.offset);
}
/// Whether alias sets say that the accesses never overlap.
bool are_apart(const Access& a, const Access& b) {
  return a.set >= 0 && b.set >= 0 && a.set != b.set && a.set / alias_sets_in_group == b.set / alias_sets_in_group;
}

template <class F>
void each_load(ExprP e, const F& f) {
  any_node(e, [&](ExprP part) {
    if (part->kind == Expr::Kind::Load) f(Access{part->a, part->b, part->type, part->alias_set, false});
    return false;
  });
}
/// Calls `f` for the accesses of the statement itself; loads first.
template <class F>
void each_access(const Stmt& s, const F& f) {
  each_expr(s, [&](ExprP e) { each_load(e, f); });
  if (const auto* n = std::get_if<Store>(&s.node)) f(Access{n->base, n->offset, n->value->type, n->alias_set, true});
}

Access access_of(const Store& s) { return {s.base, s.offset, s.value->type, s.alias_set, true}; }

// ---------------------------------------------------------------- elements that are stored several times

class KeepElements {
 public:
  KeepElements(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    for (size_t k = 0; k < b.size(); ++k) {
      for (Block* p : parts(b[k])) block(*p);
      if (std::holds_alternative<Store>(b[k].node))
        if (const size_t last = next_store(b, k); last > k) keep(b, k, last);
    }
  }

 private:
  /// The next statement that stores the element, if nothing between accesses it in another way; `at`: there is none.
  static size_t next_store(const Block& b, size_t at) {
    const Access first = access_of(std::get<Store>(b[at].node));
    const std::set<VarId> used = [&] {
      std::set<VarId> all = variables(first.base), more = variables(first.offset);
      all.insert(more.begin(), more.end());
      return all;
    }();
    for (size_t k = at + 1; k < b.size(); ++k) {
      const auto* set = std::get_if<SetVar>(&b[k].node);
      const auto* store = std::get_if<Store>(&b[k].node);
      if (!set && !store) return at;
      bool clear = true;
      each_access(b[k], [&](const Access& a) { clear = clear && (same_address(a, first) || are_apart(a, first)); });
      if (!clear || (set && used.contains(set->var))) return at;
      if (store && same_address(access_of(*store), first)) return k;
    }
    return at;
  }

  /// The store at `first` becomes a variable, which everything up to `last` uses.
  void keep(Block& b, size_t first, size_t last) {
    const Store store = std::get<Store>(b[first].node);
    const VarId v = out_.new_var("kept", store.value->type);
    b[first].node = SetVar{v, store.value};
    for (size_t k = first + 1; k <= last; ++k)
      each_expr_of(b[k], [&](ExprP& e) { e = with_variable(e, access_of(store), x_.var(v, store.value->type)); });
  }
  ExprP with_variable(ExprP e, const Access& element, ExprP variable) {
    if (!e || is_simple(e)) return e;
    if (e->kind == Expr::Kind::Load && same_address({e->a, e->b, e->type, e->alias_set, false}, element))
      return variable;
    return with_parts(x_, e, [&](ExprP part) { return with_variable(part, element, variable); });
  }

  Exprs& x_;
  Writer out_;
};

// ---------------------------------------------------------------- independent loops

/// Whether alias sets prove that no iteration accesses what another stores: of each set that the loop stores to, it
/// accesses one element in each iteration, and always another one.
class Independence {
 public:
  explicit Independence(const CountedLoop& loop) : loop_(loop), assigned_(assignments(loop.body)) {
    step_[loop.var] = 1;
  }

  bool holds() {
    if (!is_plain(loop_.body)) return false;
    block(loop_.body, true);
    if (!good_ || std::none_of(all_.begin(), all_.end(), [](const Access& a) { return a.is_store; })) return false;
    for (const Access& s : all_) {
      if (!s.is_store) continue;
      for (const Access& a : all_)
        if (!are_apart(a, s) && !(a.set == s.set && same_address(a, s))) return false;
    }
    return true;
  }

 private:
  using Step = std::optional<int64_t>;  ///< by which a value grows in each iteration; no value: unknown

  void block(const Block& b, bool always) {
    for (const Stmt& s : b) {
      each_access(s, [&](const Access& a) { add(a); });
      if (const auto* n = std::get_if<SetVar>(&s.node))
        step_[n->var] = always && assigned_[n->var] == 1 ? step(n->value) : Step();
      for (const Block* p : parts(s)) block(*p, false);
    }
  }
  void add(const Access& a) {
    all_.push_back(a);
    good_ = good_ && a.set >= 0;
    if (!a.is_store) return;
    const Step base = step(a.base), offset = step(a.offset);
    good_ = good_ && base == 0 && offset && (*offset >= scalar_bytes(a.type) || -*offset >= scalar_bytes(a.type));
  }

  Step step(ExprP e) const {
    if (e->kind == Expr::Kind::Var) {
      if (const auto known = step_.find(e->var); known != step_.end()) return known->second;
      return assigned_.contains(e->var) ? Step() : Step(0);
    }
    const bool sum = e->kind == Expr::Kind::Binary && e->type == Scalar::Int64;
    if (sum && (e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul)) {
      const Step a = step(e->a), b = step(e->b);
      if (!a || !b || !is_small(*a) || !is_small(*b)) return {};
      if (e->op == Op::Mul) {
        if (*a == 0 && *b == 0) return 0;
        const ExprP factor = is_const(e->a) ? e->a : is_const(e->b) ? e->b : nullptr;
        return factor && is_small(factor->ival) ? Step((*a + *b) * factor->ival) : Step();
      }
      return e->op == Op::Add ? *a + *b : *a - *b;
    }
    // Anything else is the same in all iterations, or unknown.
    if (e->kind == Expr::Kind::Load) return {};
    for (ExprP part : {e->a, e->b, e->c})
      if (part && step(part) != 0) return {};
    return 0;
  }
  static bool is_small(int64_t v) { return v > -(int64_t{1} << 30) && v < int64_t{1} << 30; }

  const CountedLoop& loop_;
  std::map<VarId, int> assigned_;
  std::map<VarId, Step> step_;
  std::vector<Access> all_;
  bool good_ = true;
};

void mark_independent(Block& b) {
  for (Stmt& s : b) {
    for (Block* p : parts(s)) mark_independent(*p);
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && !n->independent && !n->fallback)
      n->independent = Independence(*n).holds();
  }
}

// ---------------------------------------------------------------- reductions in lanes

constexpr int bytes_of_lanes = 128;
constexpr int64_t most_nodes = 40;  ///< of a loop's body, which is written once for each lane

class Lanes {
 public:
  Lanes(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    Block made;
    for (Stmt& s : b) {
      for (Block* p : parts(s)) block(*p);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (n && !n->fallback && is_reduction(*n))
        spell(*n, s.place, made);
      else
        made.push_back(std::move(s));
    }
    b = std::move(made);
  }

 private:
  /// Whether the body only assigns variables: those of reductions, and others whose values it does not take from one
  /// iteration to the next. Sets `sums_`.
  bool is_reduction(const CountedLoop& loop) {
    sums_.clear();
    if (nodes(loop.body) > most_nodes) return false;
    for (const Stmt& s : loop.body) {
      const auto* n = std::get_if<SetVar>(&s.node);
      if (!n) return false;
      if (is_step(*n)) sums_[n->var] = n->value;
    }
    // Others are vectorised as they are.
    if (std::none_of(sums_.begin(), sums_.end(), [](const auto& sum) { return is_float(sum.second->type); }))
      return false;
    std::set<VarId> known{loop.var};
    const std::map<VarId, int> assigned = assignments(loop.body);
    for (const Stmt& s : loop.body) {
      const auto& n = std::get<SetVar>(s.node);
      const bool sum = sums_.contains(n.var);
      if (n.var == loop.var || (sum && assigned.at(n.var) != 1)) return false;
      for (const VarId v : variables(n.value)) {
        if (sums_.contains(v) && !(sum && v == n.var)) return false;
        if (!sums_.contains(v) && assigned.contains(v) && !known.contains(v)) return false;
      }
      known.insert(n.var);
    }
    return true;
  }
  static bool is_step(const SetVar& s) {
    const Expr& e = *s.value;
    auto is_itself = [&](ExprP p) { return p && p->kind == Expr::Kind::Var && p->var == s.var; };
    auto other = [&](ExprP p) { return p && !mentions(p, s.var); };
    if (is_narrow_float(e.type) || (is_float(e.type) && !e.any_order)) return false;
    return e.kind == Expr::Kind::Binary && start_of(e) &&
           ((is_itself(e.a) && other(e.b)) || (is_itself(e.b) && other(e.a)));
  }

  void spell(CountedLoop& loop, int32_t place, Block& made) {
    int64_t lanes = 16;
    for (const auto& [v, e] : sums_)
      if (is_float(e->type)) lanes = std::max<int64_t>(lanes, bytes_of_lanes / scalar_bytes(e->type));
    out_.place = place;
    const ExprP lo = keep(loop.lo, made, place), hi = keep(loop.hi, made, place);
    const ExprP blocks =
        keep(x_.select(x_.lt(lo, hi), x_.binary(Op::Div, x_.sub(hi, lo), x_.int_const(lanes)), x_.int_const(0)), made,
             place);
    std::vector<std::map<VarId, VarId>> lane(static_cast<size_t>(lanes));
    for (const auto& [v, e] : sums_)
      for (int64_t k = 0; k < lanes; ++k) {
        const VarId own =
            k == 0 ? v : out_.new_var(fmt::format("{}.{}", out_.fn.vars[static_cast<size_t>(v)].name, k), e->type);
        lane[static_cast<size_t>(k)][v] = own;
        if (k > 0) made.push_back({SetVar{own, start(*e)}, place});
      }
    CountedLoop main;
    main.var = out_.new_var("block", Scalar::Int64);
    main.lo = x_.int_const(0);
    main.hi = blocks;
    main.site = loop.site;
    for (int64_t k = 0; k < lanes; ++k) {
      const ExprP first = x_.add(lo, x_.mul(x_.var(main.var, Scalar::Int64), x_.int_const(lanes)));
      main.body.push_back({SetVar{loop.var, x_.add(first, x_.int_const(k))}, place});
      for (const Stmt& s : loop.body) {
        const auto& n = std::get<SetVar>(s.node);
        const auto own = lane[static_cast<size_t>(k)].find(n.var);
        main.body.push_back({SetVar{own == lane[static_cast<size_t>(k)].end() ? n.var : own->second,
                                    in_lane(n.value, lane[static_cast<size_t>(k)])},
                             s.place});
      }
    }
    made.push_back({std::move(main), place});
    for (int64_t half = lanes / 2; half > 0; half /= 2)
      for (const auto& [v, e] : sums_)
        for (int64_t k = 0; k < half; ++k) {
          const VarId a = lane[static_cast<size_t>(k)][v], b = lane[static_cast<size_t>(k + half)][v];
          made.push_back({SetVar{a, x_.any_order(x_.binary(e->op, x_.var(a, e->type), x_.var(b, e->type)))}, place});
        }
    loop.lo = x_.add(lo, x_.mul(blocks, x_.int_const(lanes)));
    loop.hi = hi;
    made.push_back({std::move(loop), place});
  }

  ExprP keep(ExprP e, Block& made, int32_t place) {
    if (is_simple(e)) return e;
    const VarId v = out_.new_var("t", e->type);
    made.push_back({SetVar{v, e}, place});
    return x_.var(v, e->type);
  }
  /// The value that a further lane begins with: it changes nothing.
  ExprP start(const Expr& e) {
    return is_float(e.type) ? x_.float_const(*start_of(e), e.type)
                            : x_.int_const(static_cast<int64_t>(*start_of(e)), e.type);
  }
  /// No value: the operation has no such number, or is not associative.
  static std::optional<double> start_of(const Expr& e) {
    switch (e.op) {
      case Op::Add:
        return is_float(e.type) ? -0.0 : 0.0;
      case Op::Mul:
        return 1;
      case Op::Or:
      case Op::Xor:
        return 0;
      case Op::And:
        return e.type == Scalar::Bool ? 1 : -1;
      default:
        return {};
    }
  }
  ExprP in_lane(ExprP e, const std::map<VarId, VarId>& lane) {
    if (!e || is_const(e)) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto own = lane.find(e->var);
      return own == lane.end() ? e : x_.var(own->second, e->type);
    }
    return with_parts(x_, e, [&](ExprP part) { return in_lane(part, lane); });
  }
  Exprs& x_;
  Writer out_;
  std::map<VarId, ExprP> sums_;  ///< the steps of the reductions of a loop
};

}  // namespace

bool is_plain(const Block& b) {
  return std::all_of(b.begin(), b.end(), [](const Stmt& s) {
    if (const auto* n = std::get_if<If>(&s.node)) return is_plain(n->then_body) && is_plain(n->else_body);
    return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<Store>(s.node);
  });
}

void prepare(Module& m) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    if (f->kind == Function::Kind::Kernel) continue;
    KeepElements(x, *f).block(f->body);
    mark_independent(f->body);
    Lanes(x, *f).block(f->body);
    arrange_addresses(x, *f);
  }
}

}  // namespace vr::codegen::c99
