#include "loop/analysis/proof.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <iterator>

namespace vr::lower {

bool is_check(const If& n) {
  return n.else_body.empty() && n.cond->kind != Expr::Kind::IntConst && (n.unlikely || always_fails(n.then_body));
}

void walk_with(Affine& affine, const Block& b, const std::set<const If*>& without,
               const std::function<void(const Stmt&)>& visit) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<If>(&s.node); n && without.count(n)) continue;
    visit(s);
    if (auto* n = std::get_if<SetVar>(&s.node)) affine.define(n->var, n->value);
    for (const Block* p : parts(s)) {
      const Affine::Scope inside(affine);
      walk_with(affine, *p, without, visit);
    }
  }
}

namespace {

void all_checks(const Block& b, std::set<const If*>& checks) {
  for (const Stmt& s : b) {
    if (auto* n = std::get_if<If>(&s.node); n && is_check(*n))
      checks.insert(n);
    else
      for (const Block* p : parts(s)) all_checks(*p, checks);
  }
}

class Prover {
 public:
  Prover(Writer& out, const CountedLoop& loop) : out_(out), loop_(loop) {}

  Proof run() {
    all_checks(loop_.body, proof_.passes);
    // Checks that pass change nothing; one that stays may change variables that the proofs of others depend on: repeat without it.
    for (int round = 0; round < 4; ++round) {
      proof_.required.clear();
      proof_.before.clear();
      proof_.numbers.clear();
      failed_.clear();
      proof_.changed = changes(out_.fn, loop_.body, proof_.passes);
      ++proof_.changed[loop_.var];
      Affine affine(out_, loop_, proof_.changed);
      block(affine, loop_.body);
      if (failed_.empty()) return std::move(proof_);
      for (const If* n : failed_) {
        proof_.passes.erase(n);
        proof_.open.insert(n);
      }
    }
    proof_.open.merge(proof_.passes);
    proof_.passes.clear();
    proof_.required.clear();
    proof_.before.clear();
    proof_.numbers.clear();
    return std::move(proof_);
  }

 private:
  void block(Affine& affine, const Block& b) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<If>(&s.node); n && proof_.passes.count(n)) {
        check(affine, *n);
        continue;
      }
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        affine.define(n->var, n->value);
        number(affine, *n);
      }
      auto* n = std::get_if<If>(&s.node);
      for (const Block* p : parts(s)) {
        const Affine::Scope inside(affine);
        if (n && has_checks(*p)) learn(affine, n->cond, p == &n->then_body);
        block(affine, *p);
      }
      if (n && goes_away(n->then_body)) learn(affine, n->cond, false);
    }
  }
  static bool has_checks(const Block& b) {
    std::set<const If*> checks;
    all_checks(b, checks);
    return !checks.empty();
  }
  void learn(Affine& affine, ExprP cond, bool truth) {
    Block code = out_.collect([&] { affine.narrow(cond, truth); });
    std::move(code.begin(), code.end(), std::back_inserter(proof_.before));
  }
  void number(Affine& affine, const SetVar& s) {
    if (s.value->type != Scalar::Int64 || s.value->kind != Expr::Kind::Convert || s.value->a->type != Scalar::Float64 ||
        affine.same_in_all(s.value))
      return;
    if (auto n = affine.linear(s.value)) proof_.numbers.insert_or_assign(&s, *n);
  }
  void check(Affine& affine, const If& n) {
    ExprP need = nullptr;
    Block code = out_.collect([&] { need = affine.never(n.cond); });
    if (!need || is_false(need)) {
      failed_.push_back(&n);
      return;
    }
    std::move(code.begin(), code.end(), std::back_inserter(proof_.before));
    require(need);
  }
  void require(ExprP c) {
    each_conjunct(c, [&](ExprP part) {
      const auto is_part = [&](ExprP k) { return same(k, part); };
      if (!is_true(part) && std::none_of(proof_.required.begin(), proof_.required.end(), is_part))
        proof_.required.push_back(part);
    });
  }

  Writer& out_;
  const CountedLoop& loop_;
  Proof proof_;
  std::vector<const If*> failed_;
};

}  // namespace

Proof prove_checks(Writer& out, const CountedLoop& loop) { return Prover(out, loop).run(); }

}  // namespace vr::lower
