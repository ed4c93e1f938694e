// forward: stored values are used where they would be loaded again.
//
//   store f32 b[i, k] = f(a[i, k])     stored = f(a[i, k])
//   s = s + b[i, k]                    store f32 b[i, k] = stored
//                                      s = s + stored
#include "loop/transform/forward.hpp"

#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace vr::lower {

namespace {

class Forward {
 public:
  Forward(Exprs& x, Function& kernel) : x_(x), fn_(kernel) {}

  void block(Block& b) {
    known_.clear();
    Block out;
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt& s = b[k];
      each_expr_of(s, [&](ExprP& e) { e = with_known(e); });
      if (auto* n = std::get_if<Store>(&s.node); n && is_loaded_later(*n, b, k)) {
        const VarId v = static_cast<VarId>(fn_.vars.size());
        fn_.vars.push_back({"stored", n->value->type});
        out.push_back({SetVar{v, n->value}, s.place});
        n->value = x_.var(v, n->value->type);
        forget(s);
        known_.push_back({n->base->var, n->offset, n->value});
      } else {
        forget(s);
      }
      out.push_back(std::move(s));
    }
    b = std::move(out);
    known_.clear();
    for (Stmt& s : b)
      for (Block* p : parts(s)) block(*p);
  }

 private:
  struct Known {
    VarId data;
    ExprP offset, value;
  };

  static bool is_there(ExprP load, VarId data, ExprP offset, Scalar type) {
    return load->kind == Expr::Kind::Load && load->a->kind == Expr::Kind::Var && load->a->var == data && load->type == type &&
           same(load->b, offset);
  }
  ExprP with_known(ExprP e) {
    if (!e || known_.empty() || is_simple(e)) return e;
    for (const Known& k : known_)
      if (is_there(e, k.data, k.offset, k.value->type)) return k.value;
    return with_parts(x_, e, [&](ExprP part) { return with_known(part); });
  }

  /// Whether a later statement of the block itself loads the element. Nested blocks may run several times, or never.
  static bool is_loaded_later(const Store& n, const Block& b, size_t at) {
    if (n.base->kind != Expr::Kind::Var) return false;
    for (size_t k = at + 1; k < b.size(); ++k) {
      bool found = false;
      each_expr(b[k], [&](ExprP e) { found = found || loads(e, n); });
      if (found) return true;
    }
    return false;
  }
  static bool loads(ExprP e, const Store& n) {
    return e && (is_there(e, n.base->var, n.offset, n.value->type) || loads(e->a, n) || loads(e->b, n) || loads(e->c, n));
  }

  /// What the statement, or one in it, may change is not known any more.
  void forget(const Stmt& s) {
    if (known_.empty()) return;
    std::set<VarId> assigned, stored;
    bool all = false;
    const auto one = [&](const Stmt& part) {
      each_assigned(fn_, part, [&](VarId v) { assigned.insert(v); });
      if (auto* n = std::get_if<Store>(&part.node); n && n->base->kind == Expr::Kind::Var)
        stored.insert(n->base->var);
      else
        all = all || !changes_no_element(part);
      return false;
    };
    one(s);
    for (const Block* p : parts(s)) any_statement(*p, one);
    std::erase_if(known_, [&](const Known& k) {
      if (all || (!stored.empty() && !fn_.disjoint) || stored.count(k.data) || assigned.count(k.data)) return true;
      const auto used = variables(k.offset);
      return std::any_of(used.begin(), used.end(), [&](VarId v) { return assigned.count(v) != 0; });
    });
  }
  static bool changes_no_element(const Stmt& s) {
    return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) || std::holds_alternative<CountedLoop>(s.node) ||
           std::holds_alternative<Loop>(s.node) || std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node) ||
           std::holds_alternative<Fail>(s.node) || std::holds_alternative<AliasGroup>(s.node);
  }

  Exprs& x_;
  Function& fn_;
  std::vector<Known> known_;
};

}  // namespace

void forward(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel) Forward(x, *f).block(f->body);
}

}  // namespace vr::lower
