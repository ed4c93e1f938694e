#include "loop/transform/jam_lanes.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"

namespace vr::lower {

namespace {

class Lanes {
 public:
  Lanes(Writer& out, const CountedLoop& loop, const Jamming& how, const NestDependences& dependences)
      : out_(out), x_(out.x), loop_(loop), how_(how), dependences_(dependences), own_({loop.var}) {
    if (how.skew > 0)
      for (const Stmt& s : loop.body)
        if (auto* n = std::get_if<CountedLoop>(&s.node)) own_.insert(n->var);
    for (size_t known = 0; known != own_.size();) {
      known = own_.size();
      find_own(loop.body);
    }
  }

  Block run(ExprP first) {
    return out_.collect([&] {
      for (int64_t lane = 0; lane < how_.lanes; ++lane) out_.set(counter(lane), x_.add(first, x_.int_const(lane)));
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
  bool is_last(int64_t lane) const { return lane + 1 == how_.lanes; }
  VarId counter(int64_t lane) { return is_last(lane) ? loop_.var : copy(loop_.var, lane); }
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
    return is_last(lane) || !own_.count(v) ? v : copy(v, lane);
  }
  ExprP expr(ExprP e, int64_t lane) {
    if (!e) return e;
    if (e->kind == Expr::Kind::Var) {
      if (e->var == inner_) return inner_value_;
      const VarId v = var(e->var, lane);
      return v == e->var ? e : x_.var(v, e->type);
    }
    return with_parts(x_, e, [&](ExprP part) { return expr(part, lane); });
  }
  void alone(const Stmt& s, int64_t lane) {
    if (auto* n = std::get_if<SetVar>(&s.node); n && !own_.count(n->var) && lane > 0) return;
    emit(s, lane);
  }
  void emit(const Stmt& s, int64_t lane) {
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
        for (int64_t lane = 0; lane < how_.lanes; ++lane) alone(s, lane);
      } else if (how_.skew > 0) {
        wavefront(*n);
      } else {
        CountedLoop joint = *n;  // its bounds are those of the last lane
        joint.body = out_.collect([&] {
          if (!is_leaf(*n)) return block(n->body);
          for (int64_t lane = 0; lane < how_.lanes; ++lane)
            for (const Stmt& inner : n->body) alone(inner, lane);
        });
        joint.across = how_.across && is_leaf(*n);
        joint.independent = !how_.across && is_leaf(*n) && read_before_assigned(out_.fn, n->body).empty() &&
                            dependences_.is_independent(n->var, how_.lanes);
        out_.emit(std::move(joint));
      }
    }
  }

  /// Lane l runs iteration k - l * skew of the inner loop when lane 0 runs iteration k. The iterations in which not all
  /// lanes have work come before and after it.
  void wavefront(const CountedLoop& inner) {
    auto some = [&](ExprP lo, ExprP hi, int64_t first, int64_t count, bool together) {
      CountedLoop part{out_.new_var(out_.fn.vars[static_cast<size_t>(inner.var)].name, Scalar::Int64), lo, hi, {}};
      const ExprP k = x_.var(part.var, Scalar::Int64);
      part.body = out_.collect([&] {
        for (int64_t lane = first; lane < first + count; ++lane) {
          const Restore from(inner_, inner.var);
          const Restore value(inner_value_, together ? x_.sub(k, x_.int_const(lane * how_.skew)) : k);
          // Includes what all lanes have in common, because lane 0 does not run in each of these loops.
          for (const Stmt& s : inner.body) emit(s, lane);
        }
      });
      part.site = inner.site;
      part.fallback = !together;
      part.across = together && how_.across;
      out_.emit(std::move(part));
    };
    const auto after = [&](ExprP from, int64_t iterations) { return x_.add(from, x_.int_const(iterations)); };
    for (int64_t lane = 0; lane + 1 < how_.lanes; ++lane)
      some(inner.lo, after(inner.lo, (how_.lanes - 1 - lane) * how_.skew), lane, 1, false);
    some(after(inner.lo, (how_.lanes - 1) * how_.skew), inner.hi, 0, how_.lanes, true);
    for (int64_t lane = 1; lane < how_.lanes; ++lane)
      some(after(inner.hi, -lane * how_.skew), inner.hi, lane, 1, false);
  }

  Writer& out_;
  Exprs& x_;
  const CountedLoop& loop_;
  const Jamming how_;
  const NestDependences& dependences_;
  std::set<VarId> own_;  ///< each lane has its own; the others have the same value in all lanes
  std::map<std::pair<VarId, int64_t>, VarId> copies_;
  VarId inner_ = none;  ///< the variable of the inner loop of a wavefront, and its value
  ExprP inner_value_ = nullptr;
};

}  // namespace

Block jammed(Writer& out, const CountedLoop& loop, const Jamming& how, const NestDependences& dependences,
             ExprP first) {
  return Lanes(out, loop, how, dependences).run(first);
}

}  // namespace vr::lower
