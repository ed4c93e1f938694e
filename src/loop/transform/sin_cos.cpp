// sin_cos: the sine and the cosine of an angle are computed at the same place.
//
//   t = w * x                      t = w * x
//   c = c + f * cos(t)             cosine = cos(t); sine = sin(t)
//   t#1 = w * x                    c = c + f * cosine
//   s = s + f * sin(t#1)           t#1 = w * x
//                                  s = s + f * sine
#include "loop/transform/sin_cos.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr int64_t most_angle_nodes = 24;  // of the expression that two angles are compared by

bool is_sin_or_cos(ExprP e) { return e->kind == Expr::Kind::Math && (e->fn == MathFn::Sin || e->fn == MathFn::Cos); }

/// The sines and cosines that the statements of one block compute.
class Angles {
 public:
  struct Use {
    size_t statement;
    ExprP function;
  };
  struct Angle {
    ExprP value;  ///< in terms of variables whose values are those of the first use
    std::vector<Use> uses;
    bool valid = true;  ///< these have not been assigned since
    bool has(MathFn f) const {
      return std::any_of(uses.begin(), uses.end(), [&](const Use& u) { return u.function->fn == f; });
    }
    bool is_pair() const { return has(MathFn::Sin) && has(MathFn::Cos); }
  };

  Angles(Exprs& x, const Function& fn, const Block& b) : x_(x), fn_(fn) {
    for (size_t k = 0; k < b.size(); ++k) {
      auto* set = std::get_if<SetVar>(&b[k].node);
      if (set || std::holds_alternative<Store>(b[k].node)) each_expr(b[k], [&](ExprP e) { find(k, e); });
      if (set)
        assign(*set);
      else
        any_statement(b[k], [&](const Stmt& s) {
          each_assigned(fn_, s, [&](VarId v) { forget(v); });
          return false;
        });
    }
    std::erase_if(all_, [](const Angle& a) { return !a.is_pair(); });
  }
  const std::vector<Angle>& pairs() const { return all_; }

 private:
  void find(size_t statement, ExprP e) {
    if (!e) return;
    if (is_sin_or_cos(e)) note(statement, e);
    find(statement, e->a);
    if (skips_operands(e)) return;
    find(statement, e->b);
    find(statement, e->c);
  }
  void note(size_t statement, ExprP e) {
    const ExprP value = substituted(x_, e->a, values_);
    if (loads(value) || nodes(value) > most_angle_nodes) return;
    const auto it =
        std::find_if(all_.begin(), all_.end(), [&](const Angle& a) { return a.valid && same(a.value, value); });
    Angle& angle = it != all_.end() ? *it : all_.emplace_back(Angle{value, {}});
    angle.uses.push_back({statement, e});
  }
  void assign(const SetVar& s) {
    const ExprP value = substituted(x_, s.value, values_);
    forget(s.var);
    if (!mentions(value, s.var) && !loads(value) && nodes(value) <= most_angle_nodes) values_[s.var] = value;
  }
  void forget(VarId v) {
    values_.erase(v);
    std::erase_if(values_, [&](const auto& known) { return mentions(known.second, v); });
    for (Angle& a : all_) a.valid = a.valid && !mentions(a.value, v);
  }

  Exprs& x_;
  const Function& fn_;
  std::map<VarId, ExprP> values_;  ///< of variables, in terms of those that have not been assigned since
  std::vector<Angle> all_;
};

class Pairs {
 public:
  Pairs(Exprs& x, Function& f) : x_(x), out_(x, f) {}

  void block(Block& b) {
    for (Stmt& s : b)
      for (Block* p : parts(s)) block(*p);
    const Angles angles(x_, out_.fn, b);
    if (angles.pairs().empty()) return;
    std::map<size_t, Block> before;
    for (const Angles::Angle& a : angles.pairs()) {
      const Angles::Use& first = a.uses.front();
      const Scalar type = first.function->type;
      const VarId cosine = out_.new_var("cosine", type), sine = out_.new_var("sine", type);
      Block& here = before[first.statement];
      here.push_back({SetVar{cosine, x_.math(MathFn::Cos, first.function->a)}, b[first.statement].place});
      here.push_back({SetVar{sine, x_.math(MathFn::Sin, first.function->a)}, b[first.statement].place});
      for (const Angles::Use& u : a.uses)
        each_expr_of(b[u.statement], [&](ExprP& e) {
          e = replaced(x_, e, u.function, x_.var(u.function->fn == MathFn::Sin ? sine : cosine, type));
        });
    }
    Block made;
    for (size_t k = 0; k < b.size(); ++k) {
      if (const auto it = before.find(k); it != before.end())
        std::move(it->second.begin(), it->second.end(), std::back_inserter(made));
      made.push_back(std::move(b[k]));
    }
    b = std::move(made);
  }

 private:
  Exprs& x_;
  Writer out_;
};

}  // namespace

void sin_cos(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->fast_math != ir::fastmath::All) Pairs(x, *f).block(f->body);
}

}  // namespace vr::lower
