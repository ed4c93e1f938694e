#include "loop/transform/inspect.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/renamed.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr size_t most_checks = 64;

class Inspect {
 public:
  Inspect(const Function& f, const CountedLoop& loop, const Disjoint& disjoint, const Proof& proof)
      : loop_(loop), disjoint_(disjoint), proof_(proof) {
    gone_ = proof.passes;
    gone_.insert(proof.open.begin(), proof.open.end());
    changed_ = changes(f, loop.body, gone_);
    changed_.erase(loop.var);
  }

  std::optional<Inspection> run() {
    stores(loop_.body);
    std::set<VarId> made{loop_.var};
    if (carries(loop_.body, made) || stores_again()) return {};
    std::vector<const SetVar*> before;
    if (!block(loop_.body, before)) return {};
    return std::move(found_);
  }

 private:
  void stores(const Block& b) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node); n && gone_.count(n)) continue;
      if (auto* n = std::get_if<Store>(&s.node)) stored_.insert(n->base->kind == Expr::Kind::Var ? n->base->var : none);
      for (const Block* p : parts(s)) stores(*p);
    }
  }
  /// Whether a store writes the same element in each iteration: then a value is carried from one iteration to the next
  /// as well.
  bool stores_again() const {
    std::set<VarId> varies{loop_.var};
    for (const auto& [v, times] : changed_) varies.insert(v);
    auto steady = [&](ExprP e) { return !has_load(e) && !mentions_any(e, varies); };
    bool found = false;
    for (const Stmt& s : loop_.body) {
      if (auto* n = std::get_if<SetVar>(&s.node); n && changed_.at(n->var) == 1 && steady(n->value)) varies.erase(n->var);
      if (auto* n = std::get_if<Store>(&s.node)) found = found || (steady(n->base) && steady(n->offset));
    }
    return found;
  }
  /// Whether an iteration reads what the previous one assigned. `made`: assigned before by this iteration.
  bool carries(const Block& b, std::set<VarId>& made) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node); n && gone_.count(n)) continue;
      bool found = false;
      each_expr(s, [&](ExprP e) {
        for (VarId v : variables(e)) found = found || (changed_.count(v) && !made.count(v));
      });
      if (found) return true;
      if (auto* n = std::get_if<If>(&s.node)) {
        std::set<VarId> then_made = made, else_made = made;
        if (carries(n->then_body, then_made) || carries(n->else_body, else_made)) return true;
        for (VarId v : then_made)
          if (else_made.count(v)) made.insert(v);
      }
      if (auto* n = std::get_if<SetVar>(&s.node)) made.insert(n->var);
    }
    return false;
  }
  bool block(const Block& b, std::vector<const SetVar*>& before) {
    const size_t outside = before.size();
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node); n && gone_.count(n)) {
        if (proof_.open.count(n) && !look(*n, before)) return false;
        continue;
      }
      if (auto* n = std::get_if<SetVar>(&s.node)) before.push_back(n);
      for (const Block* p : parts(s))
        if (!block(*p, before)) return false;
    }
    before.resize(outside);
    return true;
  }
  bool look(const If& check, const std::vector<const SetVar*>& before) {
    Inspection::Look l{&check, {}, false};
    std::set<VarId> needed = variables(check.cond);
    std::set<const SetVar*> taken;
    for (size_t k = before.size(); k-- > 0;) {
      const SetVar* s = before[k];
      if (!needed.count(s->var) || !changed_.count(s->var)) continue;
      if (changed_.at(s->var) != 1) return false;
      taken.insert(s);
      const auto more = variables(s->value);
      needed.insert(more.begin(), more.end());
    }
    std::set<VarId> loaded, made;
    for (const SetVar* s : before)
      if (taken.count(s)) {
        if (!foreseeable(s->value, loaded)) return false;
        if (has_load(s->value) || mentions_any(s->value, loaded)) loaded.insert(s->var);
        made.insert(s->var);
        l.slice.push_back(s);
      }
    if (!foreseeable(check.cond, loaded)) return false;
    for (VarId v : needed) {
      if (changed_.count(v) && !made.count(v)) return false;
      l.varies = l.varies || v == loop_.var;
    }
    found_.looks.push_back(std::move(l));
    return found_.looks.size() <= most_checks;
  }
  static bool has_load(ExprP e) {
    return e && (e->kind == Expr::Kind::Load || has_load(e->a) || has_load(e->b) || has_load(e->c));
  }
  static bool mentions_any(ExprP e, const std::set<VarId>& vars) {
    return std::any_of(vars.begin(), vars.end(), [&](VarId v) { return mentions(e, v); });
  }
  /// Can be computed without a fault before the loop, for any iteration; subscripts are not themselves read from arrays.
  bool foreseeable(ExprP e, const std::set<VarId>& loaded) {
    if (!e) return true;
    if (e->kind == Expr::Kind::Load)
      return e->a->kind == Expr::Kind::Var && disjoint_.sets.count(e->a->var) && !stored_.count(e->a->var) &&
             !has_load(e->b) && !mentions_any(e->b, loaded);
    if (e->kind == Expr::Kind::Binary && (e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return false;
    return foreseeable(e->a, loaded) && foreseeable(e->b, loaded) && foreseeable(e->c, loaded);
  }

  const CountedLoop& loop_;
  const Disjoint& disjoint_;
  const Proof& proof_;
  std::set<const If*> gone_;
  std::map<VarId, int> changed_;
  std::set<VarId> stored_;  ///< data variables
  Inspection found_;
};

}  // namespace

std::optional<Inspection> inspection(const Function& f, const CountedLoop& loop, const Disjoint& disjoint,
                                     const Proof& proof) {
  return Inspect(f, loop, disjoint, proof).run();
}

ExprP write_inspector(Writer& out, const CountedLoop& loop, const Inspection& inspection, ExprP guard) {
  Exprs& x = out.x;
  const VarId fine = out.new_var("inspected", Scalar::Bool), bad = out.new_var("bad", Scalar::Bool);
  auto name_of = [&](VarId v) { return out.fn.vars[static_cast<size_t>(v)].name; };
  out.set(fine, guard);
  std::map<VarId, VarId> names;
  std::set<const SetVar*> done;
  auto look = [&](bool varies) {
    for (const Inspection::Look& l : inspection.looks) {
      if (l.varies != varies) continue;
      for (const SetVar* s : l.slice) {
        if (!done.insert(s).second) continue;
        ExprP value = renamed(x, s->value, names);
        const VarId copy = out.new_var(name_of(s->var), out.fn.vars[static_cast<size_t>(s->var)].type);
        out.set(copy, value);
        names[s->var] = copy;
      }
      out.set(bad, x.either(out.get(bad), renamed(x, l.check->cond, names)));
    }
  };
  auto any = [&](bool varies) {
    return std::any_of(inspection.looks.begin(), inspection.looks.end(), [&](const auto& l) { return l.varies == varies; });
  };
  out.emit(If{guard,
              out.collect([&] {
                out.set(bad, x.bool_const(false));
                look(false);
                if (any(true)) {
                  // What was computed for invariant checks may have to be computed again inside the inspector's loop.
                  const VarId k = out.new_var(name_of(loop.var), Scalar::Int64);
                  names[loop.var] = k;
                  done.clear();
                  Block looks = out.collect([&] { look(true); });
                  CountedLoop inspector{k, loop.lo, loop.hi, std::move(looks)};
                  inspector.site = loop.site;
                  out.emit(std::move(inspector));
                }
                out.set(fine, x.not_(out.get(bad)));
              }),
              {}});
  return out.get(fine);
}

}  // namespace vr::lower
