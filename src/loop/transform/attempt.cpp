#include "loop/transform/attempt.hpp"

#include "loop/analysis/proof.hpp"
#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

bool is_simple_body(const Block& b) {
  const bool known = !any_statement(b, [](const Stmt& s) {
    return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<If>(s.node) &&
           !std::holds_alternative<Fail>(s.node) && !std::holds_alternative<AliasGroup>(s.node);
  });
  return known && has<Fail>(b) && std::all_of(b.begin(), b.end(), [](const Stmt& s) {
           auto* n = std::get_if<If>(&s.node);
           return !n || is_check(*n) || (!has<Fail>(n->then_body) && !has<Fail>(n->else_body));
         });
}

/// In place of `x < 0 ? x + extent : x`, where the code before the loop can test that x is never negative: x.
Block without_wraps(Writer& out, const CountedLoop& loop, ExprP& guard) {
  auto changed = assignments(loop.body);
  ++changed[loop.var];
  Affine affine(out, loop, changed);
  Block made = loop.body;
  for (Stmt& s : made) {
    auto* set = std::get_if<SetVar>(&s.node);
    if (!set) continue;
    if (set->value->kind == Expr::Kind::Select && set->value->type == Scalar::Int64) {
      Block code;
      ExprP never = nullptr;
      code = out.collect([&] { never = affine.never(set->value->a); });
      if (never && !is_false(never)) {
        out.append(std::move(code));
        guard = out.x.both(guard, never);
        set->value = set->value->c;
      }
    }
    affine.define(set->var, set->value);
  }
  return made;
}

class AttemptBody {
 public:
  AttemptBody(Writer& out, const Proof& proof, VarId failed) : out_(out), proof_(proof), failed_(failed) {}

  Block from(const Block& b, size_t first) {
    return out_.collect([&] {
      for (size_t k = first; k < b.size(); ++k) {
        auto* check = std::get_if<If>(&b[k].node);
        if (check && proof_.passes.count(check)) continue;
        if (!check || !proof_.open.count(check)) {
          out_.block->push_back(b[k]);
          continue;
        }
        const Restore place(out_.place, b[k].place);
        const ExprP fails = out_.temp(check->cond, "fails");
        out_.set(failed_, out_.x.either(out_.x.var(failed_, Scalar::Bool), fails));
        out_.emit(If{out_.x.not_(fails), from(b, k + 1), {}});
        return;
      }
    });
  }

 private:
  Writer& out_;
  const Proof& proof_;
  const VarId failed_;
};

}  // namespace

std::optional<Attempt> attempt(Writer& out, const CountedLoop& loop) {
  if (!is_simple_body(loop.body)) return {};
  Attempt made{{}, loop, out.new_var("failed", Scalar::Bool)};
  made.before = out.collect([&] {
    ExprP guard = out.x.bool_const(true);
    made.loop.body = without_wraps(out, loop, guard);
    Proof proof = prove_checks(out, made.loop);
    out.append(std::move(proof.before));
    for (ExprP c : proof.required) guard = out.x.both(guard, c);
    guard = out.keep(guard, "whole");
    out.set(made.failed, out.x.not_(guard));
    made.loop.body = AttemptBody(out, proof, made.failed).from(made.loop.body, 0);
    made.loop.hi = out.temp(out.x.select(guard, loop.hi, loop.lo), "some");
  });
  return made;
}

}  // namespace vr::lower
