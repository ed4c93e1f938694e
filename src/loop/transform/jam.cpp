// Unroll and jam: several iterations of a loop run together in its inner loops, so that an element that each of them
// updates is loaded and stored once.
//
//   for k in [0, l) {                            for k.block in [0, l / 4) {
//     f = a[i, k]                                  f.0 = a[i, k.block * 4]; ...; f = a[i, k.block * 4 + 3]
//     for j in [0, m) {                            for j in [0, m) {
//       store c[i, j] = c[i, j] + f * b[k, j]        store c[i, j] = c[i, j] + f.0 * b[k.block * 4, j]; ...
//     }                                            }
//   }                                            }
//                                                for k in [l / 4 * 4, l) { as before }
//
// Each element is updated in the order of the program: results are equal to the bit. The loop around such a loop is
// jammed as well if its iterations load the same elements (b, for the rows i of c).
#include "loop/transform/jam.hpp"

#include "loop/analysis/dependence.hpp"
#include "loop/analysis/invariants.hpp"
#include "loop/replace.hpp"

#include <algorithm>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t lanes = 4;
constexpr size_t most_statements = 8;  // of the innermost loop's body
constexpr size_t most_nested = 24;     // of a jammed nest's text

size_t statements(const Block& b) {
  size_t n = b.size();
  for (const Stmt& s : b)
    for (const Block* p : parts(s)) n += statements(*p);
  return n;
}

bool is_leaf(const CountedLoop& n) { return !has<CountedLoop>(n.body); }
/// Loops that other transformations or lowering have prepared are left as they are.
bool is_plain(const CountedLoop& n) {
  return !n.fallback && !n.across && !n.element && !n.chunks && !n.parallel && !n.version && n.unroll == 0 && !n.spread;
}

/// Whether the block may read one of the variables before it assigns it.
class ReadFirst {
 public:
  explicit ReadFirst(std::set<VarId> own) : own_(std::move(own)) {}

  bool block(const Block& b, std::set<VarId> assigned) {
    for (const Stmt& s : b) {
      bool first = false;
      each_expr(s, [&](ExprP e) {
        for (VarId v : variables(e)) first = first || (own_.count(v) && !assigned.count(v));
      });
      if (first) return true;
      if (auto* n = std::get_if<SetVar>(&s.node)) assigned.insert(n->var);
      if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        std::set<VarId> inside = assigned;
        inside.insert(n->var);
        if (block(n->body, std::move(inside))) return true;
      }
    }
    return false;
  }

 private:
  const std::set<VarId> own_;
};

std::set<VarId> assigned(const Function& fn, const Block& b) {
  std::set<VarId> all;
  for (const auto& [v, times] : changes(fn, b)) all.insert(v);
  return all;
}
bool carries_scalars(const Function& fn, const CountedLoop& n) {
  return ReadFirst(assigned(fn, n.body)).block(n.body, {});
}

/// Writes the iterations of a loop that run together.
class Lanes {
 public:
  Lanes(Writer& out, const CountedLoop& loop, const NestDependences& dependences)
      : out_(out), loop_(loop), dependences_(dependences), own_({loop.var}) {
    for (size_t known = 0; known != own_.size();) {
      known = own_.size();
      find_own(loop.body);
    }
  }

  /// `first`: the value of the loop's variable in the first of them.
  Block run(ExprP first) {
    return out_.collect([&] {
      for (int64_t lane = 0; lane < lanes; ++lane) out_.set(counter(lane), out_.x.add(first, out_.x.int_const(lane)));
      block(loop_.body);
    });
  }

 private:
  /// Variables whose values depend on the loop's variable, or on elements.
  void find_own(const Block& b) {
    for (const Stmt& s : b) {
      auto* n = std::get_if<SetVar>(&s.node);
      if (n && differs(n->value)) own_.insert(n->var);
      for (const Block* p : parts(s)) find_own(*p);
    }
  }
  bool differs(ExprP e) const {
    if (!e) return false;
    if (e->kind == Expr::Kind::Load || (e->kind == Expr::Kind::Var && own_.count(e->var))) return true;
    return differs(e->a) || differs(e->b) || differs(e->c);
  }
  VarId counter(int64_t lane) { return lane + 1 == lanes ? loop_.var : copy(loop_.var, lane); }
  VarId copy(VarId v, int64_t lane) {
    auto [it, fresh] = copies_.try_emplace({v, lane});
    if (fresh) {
      const Var like = out_.fn.vars[static_cast<size_t>(v)];
      it->second = out_.new_var(like.name + "." + std::to_string(lane), like.type);
    }
    return it->second;
  }
  /// The last lane uses the variables themselves, which have the values of the last iteration afterwards.
  VarId var(VarId v, int64_t lane) {
    if (v == loop_.var) return counter(lane);
    return lane + 1 == lanes || !own_.count(v) ? v : copy(v, lane);
  }
  ExprP expr(ExprP e, int64_t lane) {
    if (!e) return e;
    if (e->kind == Expr::Kind::Var) {
      const VarId v = var(e->var, lane);
      return v == e->var ? e : out_.x.var(v, e->type);
    }
    return with_parts(out_.x, e, [&](ExprP part) { return expr(part, lane); });
  }
  void alone(const Stmt& s, int64_t lane) {
    if (auto* n = std::get_if<SetVar>(&s.node); n && !own_.count(n->var) && lane > 0) return;
    Stmt made = s;
    each_expr_of(made, [&](ExprP& e) { e = expr(e, lane); });
    if (auto* n = std::get_if<SetVar>(&made.node)) n->var = var(n->var, lane);
    out_.block->push_back(std::move(made));
  }
  void block(const Block& b) {
    for (const Stmt& s : b) {
      const Restore place(out_.place, s.place);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n) {
        for (int64_t lane = 0; lane < lanes; ++lane) alone(s, lane);
        continue;
      }
      CountedLoop joint = *n;  // its bounds are those of the last lane
      joint.body = out_.collect([&] {
        if (!is_leaf(*n)) return block(n->body);
        for (int64_t lane = 0; lane < lanes; ++lane)
          for (const Stmt& inner : n->body) alone(inner, lane);
      });
      joint.independent = is_leaf(*n) && !carries_scalars(out_.fn, *n) && dependences_.is_independent(n->var, lanes);
      out_.emit(std::move(joint));
    }
  }

  Writer& out_;
  const CountedLoop& loop_;
  const NestDependences& dependences_;
  std::set<VarId> own_;  ///< each lane has its own; the others have the same value in all lanes
  std::map<std::pair<VarId, int64_t>, VarId> copies_;
};

class Jam {
 public:
  explicit Jam(Writer& out) : out_(out), x_(out.x) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      return n && (nest(*n) || unit_stride_nest(*n));
    });
  }

 private:
  /// Writes the nest, if it or a nest inside of it can be jammed.
  bool nest(const CountedLoop& n) {
    if (!fits(n)) return false;
    if (is_update(n)) return write(n, n);
    // The loop around one.
    const size_t vars = out_.fn.vars.size();
    CountedLoop jammed = n;
    bool any = false;
    jammed.body = out_.collect([&] {
      for (const Stmt& inner : n.body) {
        auto* k = std::get_if<CountedLoop>(&inner.node);
        if (k && fits(*k) && is_update(*k) && shares_loads(n, *k) && write(*k, *k))
          any = true;
        else
          out_.block->push_back(inner);
      }
    });
    if (any && write(jammed, n)) return true;
    out_.fn.vars.resize(vars);
    return false;
  }

  /// A nest that could be jammed if its innermost loops had unit stride: both forms, selected before the nest.
  bool unit_stride_nest(const CountedLoop& n) {
    if (!is_plain(n) || is_leaf(n)) return false;
    const size_t vars = out_.fn.vars.size();
    ExprP adjacent = x_.bool_const(true);
    LinearForms forms(out_.fn, n);
    CountedLoop chosen = n;
    if (!choose(chosen.body, forms, adjacent) || is_true(adjacent)) return false;
    bool written = false;
    Block unit = out_.collect([&] { written = nest(chosen); });
    if (!written) {
      out_.fn.vars.resize(vars);
      return false;
    }
    Block plain;
    plain.push_back({n, out_.place});
    out_.emit(If{adjacent, std::move(unit), std::move(plain)});
    return true;
  }
  /// Takes the first of two forms of each loop where an invariant condition selects one. False: there are other
  /// conditions.
  bool choose(Block& b, const LinearForms& forms, ExprP& all) const {
    for (size_t k = 0; k < b.size(); ++k) {
      auto* n = std::get_if<If>(&b[k].node);
      if (n) {
        const bool forms_of_loop = n->then_body.size() == 1 && n->else_body.size() == 1 &&
                                   std::holds_alternative<CountedLoop>(n->then_body[0].node) &&
                                   std::holds_alternative<CountedLoop>(n->else_body[0].node);
        if (n->unlikely || !forms_of_loop || !forms.is_invariant(n->cond)) return false;
        all = x_.both(all, n->cond);
        Stmt first = std::move(n->then_body[0]);
        b[k] = std::move(first);
      }
      for (Block* p : parts(b[k]))
        if (!choose(*p, forms, all)) return false;
    }
    return true;
  }

  /// Whether the loop's iterations may run together as far as its statements and its own bounds are concerned.
  bool fits(const CountedLoop& n) const {
    if (!is_plain(n) || is_leaf(n) || n.lo->kind != Expr::Kind::IntConst || n.lo->ival < 0) return false;
    if (n.hi->kind == Expr::Kind::IntConst && n.hi->ival - n.lo->ival < lanes) return false;
    return statements(n.body) <= most_nested && !any_statement(n.body, [](const Stmt& s) {
             auto* inner = std::get_if<CountedLoop>(&s.node);
             return inner ? !is_plain(*inner)
                          : !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node);
           });
  }
  /// Whether each iteration of the loop updates the same elements in its inner loop.
  bool is_update(const CountedLoop& n) const {
    const CountedLoop* inner = nullptr;
    for (const Stmt& s : n.body)
      if (auto* loop = std::get_if<CountedLoop>(&s.node)) {
        if (inner) return false;
        inner = loop;
      }
    if (!is_leaf(*inner) || inner->body.size() > most_statements || carries_scalars(out_.fn, *inner)) return false;
    const NestDependences d(out_.fn, n);
    if (!d.known) return false;
    auto in_loop = [&](const NestAccess& a, VarId v) {
      return std::all_of(a.subscripts.begin(), a.subscripts.end(), [](const auto& f) { return f.has_value(); }) &&
             std::any_of(a.subscripts.begin(), a.subscripts.end(),
                         [&](const auto& f) { return f->terms.count(v) != 0; });
    };
    for (const NestAccess& store : d.accesses) {
      if (!store.store || store.loops.size() != 2 || !in_loop(store, inner->var) || in_loop(store, n.var)) continue;
      for (const NestAccess& load : d.accesses)
        if (!load.store && load.loops == store.loops && load.base == store.base && in_loop(load, inner->var) &&
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
             if (a.store || a.loops.size() != 3) return false;
             bool inner = false;
             for (const auto& f : a.subscripts) {
               if (!f || f->terms.count(outer.var)) return false;
               inner = inner || f->terms.count(a.loops[2]);
             }
             return inner;
           });
  }

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

  /// Writes blocks of iterations of `loop`, and `plain`, which does the same work, for the rest. False: not possible.
  bool write(const CountedLoop& loop, const CountedLoop& plain) {
    LinearForms forms(out_.fn, loop);
    if (!bounds_are_fixed(loop.body, forms) || carries_scalars(out_.fn, loop)) return false;
    const NestDependences d(out_.fn, loop);
    if (!d.may_jam(lanes)) return false;
    ExprP apart = x_.bool_const(true);
    for (VarId base : d.distinct) {
      ExprP c = distinct(base, d);
      if (!c) return false;
      apart = x_.both(apart, c);
    }
    const std::string name = out_.fn.vars[static_cast<size_t>(loop.var)].name;
    const ExprP some = x_.both(apart, x_.lt(loop.lo, loop.hi)), zero = x_.int_const(0), width = x_.int_const(lanes);
    const ExprP blocks =
        out_.keep(x_.select(some, x_.binary(Op::Div, x_.sub(loop.hi, loop.lo), width), zero), "blocks");
    const VarId b = out_.new_var(name + ".block", Scalar::Int64);
    CountedLoop together{b, zero, blocks,
                         Lanes(out_, loop, d).run(x_.add(loop.lo, x_.mul(x_.var(b, Scalar::Int64), width)))};
    together.site = loop.site;
    out_.emit(std::move(together));
    CountedLoop rest = plain;
    rest.lo = out_.keep(x_.add(loop.lo, x_.mul(blocks, width)), "rest");
    out_.emit(std::move(rest));
    return true;
  }

  /// A condition under which different subscripts within bounds are different elements; null: none was found.
  ExprP distinct(VarId base, const NestDependences& d) {
    const ArrayVars* array = nullptr;
    for (const ArrayVars& a : out_.fn.arrays)
      if (a.data == base) array = &a;
    if (!array || array->extent.empty()) return nullptr;
    // The stride of an axis is 0 where its subscript is the constant 0: of an axis without other subscripts it does not
    // matter.
    std::vector<ExprP> strides(array->extent.size(), x_.int_const(0));
    for (const NestAccess& a : d.accesses) {
      if (a.base != base) continue;
      if (a.strides.size() != strides.size()) return nullptr;
      for (size_t axis = 0; axis < strides.size(); ++axis)
        if (!is_int(a.strides[axis], 0)) strides[axis] = a.strides[axis];
    }
    const auto axes = std::count_if(strides.begin(), strides.end(), [](ExprP e) { return !is_int(e, 0); });
    // Each axis steps over all that the faster axes span.
    auto chain = [&](bool last_fastest) {
      ptrdiff_t done = 0;
      ExprP c = x_.bool_const(true), span = x_.int_const(array->element_bytes()), one = x_.int_const(1);
      for (size_t k = 0; k < strides.size(); ++k) {
        const size_t axis = last_fastest ? strides.size() - 1 - k : k;
        const ExprP stride = strides[axis], extent = out_.get(array->extent[axis]);
        if (is_int(stride, 0)) continue;
        ++done;
        const ExprP step = x_.select(x_.lt(stride, x_.int_const(0)), x_.neg(stride), stride);
        c = x_.both(c, x_.either(x_.le(extent, one), x_.ge(step, span)));
        if (done < axes)
          span = out_.keep(
              x_.add(span, x_.select(x_.gt(extent, one), x_.mul(x_.sub(extent, one), step), x_.int_const(0))), "span");
      }
      return c;
    };
    if (strides.size() == 1 || strides.back()->kind == Expr::Kind::IntConst) return chain(true);
    if (strides.front()->kind == Expr::Kind::IntConst) return chain(false);
    return x_.either(chain(true), chain(false));
  }

  Writer& out_;
  Exprs& x_;
};

}  // namespace

void jam(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  for (const auto& f : m.functions) {
    if (f->kind == Function::Kind::Kernel) continue;
    Writer out(x, *f);
    Block body = std::move(f->body);
    f->body = out.collect([&] { Jam(out).block(body); });
  }
}

}  // namespace vr::lower
