// Loop versioning: checks leave the innermost loop (beyond thesis 5.6; faults are the same as before).
//
//   for k in [0, n) {                      if unlikely !(n + -1 + 1 < extent & ...) {
//     p = k + 1                              the loop as it was
//     if unlikely p >= extent { fail }     } else {
//     store a[p] = a[k]                      for k in [0, n) { p = k + 1; store a[p] = a[k] }
//   }                                      }
// A check compares a number that is affine in the loop's variable with a loop invariant: testing its ends covers all iterations
// (analysis/affine.hpp). A check of a loop invariant (a divisor, a flag of an array) is made once. Code that enlarges an array
// if a subscript is beyond its end counts as a check, too. The loop with checks runs if one of them would have an effect.
//
// Subscripts that are read from arrays (gathers) are checked by an inspector (transform/inspect.hpp). The copy may assume
// disjoint arrays, if the loop says which, and unit strides, the latter behind a guard of their own.
#include "loop/transform/version.hpp"

#include "loop/replace.hpp"
#include "loop/transform/inspect.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr int most_versioned_statements = 600;

struct Contents {
  int statements = 0;
  bool loops = false, stores = false, atomics = false, leaves = false, calls = false, breaks = false;
};
/// Visits a body, without the blocks of its checks.
void look(const Block& b, Contents& c) {
  for (const Stmt& s : b) {
    ++c.statements;
    std::visit(Overloaded{[&](const CountedLoop&) { c.loops = true; }, [&](const Loop&) { c.loops = true; },
                          [&](const Store&) { c.stores = true; },
                          [&](const StoreVector&) { c.stores = true; }, [&](const Atomic&) { c.atomics = true; },
                          [&](const Exit&) { c.leaves = true; }, [&](const Break&) { c.breaks = true; },
                          [&](const Call&) { c.calls = true; }, [&](const CallFunction&) { c.calls = true; },
                          [&](const ParallelFor&) { c.calls = true; }, [&](const Launch&) { c.calls = true; },
                          [](const auto&) {}},
               s.node);
    if (auto* n = std::get_if<If>(&s.node); n && is_check(*n)) continue;
    for (const Block* p : parts(s)) look(*p, c);
  }
}

/// Strides that decide whether consecutive iterations access adjacent elements, with the value each must have for that.
std::map<VarId, int64_t> adjacent_strides(Writer& out, const CountedLoop& loop, const Proof& proof) {
  std::map<VarId, const ArrayVars*> arrays;
  for (const ArrayVars& a : out.fn.arrays) arrays[a.data] = &a;
  std::map<VarId, int64_t> strides;
  Affine affine(out, loop, proof.changed);
  auto access = [&](ExprP base, ExprP offset) {
    if (base->kind != Expr::Kind::Var || !offset || proof.changed.count(base->var)) return;
    auto a = arrays.find(base->var);
    if (a == arrays.end()) return;
    for (ExprP axis = offset; axis && axis->kind == Expr::Kind::At; axis = axis->c) {
      if (axis->b->kind != Expr::Kind::Var || proof.changed.count(axis->b->var)) continue;
      auto n = affine.linear(axis->a);
      if (n && (is_int(n->step, 1) || is_int(n->step, -1))) strides[axis->b->var] = a->second->element_bytes();
    }
  };
  std::function<void(ExprP)> loads = [&](ExprP e) {
    if (!e || is_simple(e)) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b);
    for (ExprP part : {e->a, e->b, e->c}) loads(part);
  };
  walk_with(affine, loop.body, proof.passes, [&](const Stmt& s) {
    each_expr(s, loads);
    if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset);
  });
  return strides;
}

/// The body, simplified for the case that the guard holds.
class FastBody {
 public:
  FastBody(Exprs& x, const Proof& proof, const std::map<const SetVar*, ExprP>& numbers,
           const std::map<VarId, int32_t>& sets, std::map<VarId, int64_t> constants)
      : x_(x), proof_(proof), numbers_(numbers), sets_(sets), constants_(std::move(constants)) {}

  Block block(const Block& b) {
    Block made;
    for (const Stmt& from : b) {
      if (auto* n = std::get_if<If>(&from.node); n && proof_.passes.count(n)) continue;
      Stmt s = from;
      if (auto* n = std::get_if<SetVar>(&from.node); n && numbers_.count(n))
        std::get<SetVar>(s.node).value = numbers_.at(n);
      each_expr_of(s, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<Store>(&s.node)) n->alias_set = alias_set(n->base, n->alias_set);
      if (auto* n = std::get_if<If>(&s.node)) {
        n->then_body = block(std::get<If>(from.node).then_body);
        n->else_body = block(std::get<If>(from.node).else_body);
      }
      made.push_back(std::move(s));
    }
    return made;
  }

 private:
  int32_t alias_set(ExprP base, int32_t present) const {
    auto it = base->kind == Expr::Kind::Var ? sets_.find(base->var) : sets_.end();
    return it == sets_.end() ? present : it->second;
  }
  ExprP expr(ExprP e) {
    if (!e || is_const(e) || e->kind == Expr::Kind::Null) return e;
    if (auto it = made_.find(e); it != made_.end()) return it->second;
    ExprP r = e;
    if (e->kind == Expr::Kind::Var) {
      if (auto it = constants_.find(e->var); it != constants_.end()) r = x_.int_const(it->second);
    } else {
      r = with_parts(x_, e, [this](ExprP part) { return expr(part); });
      if (e->kind == Expr::Kind::Load)
        if (const int32_t set = alias_set(e->a, e->alias_set); set != e->alias_set) {
          Expr load = *r;
          load.alias_set = set;
          r = x_.make(load);
        }
    }
    return made_[e] = r;
  }

  Exprs& x_;
  const Proof& proof_;
  const std::map<const SetVar*, ExprP>& numbers_;
  const std::map<VarId, int32_t>& sets_;
  const std::map<VarId, int64_t> constants_;
  std::map<ExprP, ExprP> made_;
};

/// The loop without checks, and (behind a further guard) with adjacent elements.
Block fast_forms(Writer& out, const CountedLoop& loop, const Proof& proof, const std::map<VarId, int32_t>& sets) {
  Exprs& x = out.x;
  std::map<const SetVar*, ExprP> numbers;
  Affine affine(out, loop, proof.changed);
  for (const auto& [s, n] : proof.numbers) numbers[s] = affine.in_loop(n);
  auto form = [&](const std::map<VarId, int64_t>& constants) {
    CountedLoop fast{loop.var, loop.lo, loop.hi, FastBody(x, proof, numbers, sets, constants).block(loop.body),
                     loop.independent};
    fast.site = loop.site;
    Block b;
    b.push_back({std::move(fast), out.place});
    return b;
  };
  Block fast = form({});
  const auto strides = adjacent_strides(out, loop, proof);
  if (strides.empty()) return fast;
  ExprP adjacent = x.bool_const(true);
  for (const auto& [stride, bytes] : strides)
    adjacent = x.both(adjacent, x.eq(x.var(stride, Scalar::Int64), x.int_const(bytes)));
  Block vectors = form(strides), b;
  b.push_back({If{adjacent, std::move(vectors), std::move(fast)}, out.place});
  return b;
}

/// Writes the loop in all versions that pay.
void write(Writer& out, CountedLoop loop, const Contents& contents) {
  Exprs& x = out.x;
  const auto disjoint = std::exchange(loop.disjoint, nullptr);
  loop.version = false;
  if (contents.leaves || contents.statements > most_versioned_statements) return out.emit(std::move(loop));
  Proof proof = prove_checks(out, loop);
  std::optional<Inspection> gathers;
  if (disjoint && !proof.open.empty() && contents.stores && !contents.breaks && !contents.atomics && !contents.calls)
    gathers = inspection(out.fn, loop, *disjoint, proof);
  const bool sets = disjoint && contents.stores && !contents.atomics && (!loop.independent || gathers);
  ExprP guard = sets ? disjoint->flag : x.bool_const(true);
  for (ExprP c : proof.required) guard = x.both(guard, c);
  if (is_false(guard) || (proof.passes.empty() && !sets)) return out.emit(std::move(loop));
  out.append(std::move(proof.before));
  if (gathers) {
    guard = write_inspector(out, loop, *gathers, guard);
    proof.passes.merge(proof.open);
  }
  Block fast;
  Block shared = out.collect([&] { fast = fast_forms(out, loop, proof, sets ? disjoint->sets : std::map<VarId, int32_t>()); });
  out.append(std::move(shared));
  if (is_true(guard)) return out.append(std::move(fast));
  loop.fallback = true;
  Block slow;
  slow.push_back({std::move(loop), out.place});
  out.emit(If{x.not_(guard), std::move(slow), std::move(fast), true});
}

void version_in(Writer& out, Block b) {
  for (Stmt& s : b) {
    const Restore place(out.place, s.place);
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->version) {
      Contents contents;
      look(n->body, contents);
      if (!contents.loops) {
        write(out, std::move(*n), contents);
        continue;
      }
    }
    for (Block* p : parts(s)) *p = out.collect([&] { version_in(out, std::move(*p)); });
    out.block->push_back(std::move(s));
  }
}

}  // namespace

void version(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) { version_in(out, std::move(body)); });
}

}  // namespace vr::lower
