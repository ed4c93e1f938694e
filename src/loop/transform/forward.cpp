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
      forget(s);
      if (auto* n = std::get_if<Store>(&s.node); n && is_loaded_later(*n, b, k)) {
        const VarId v = Writer(x_, fn_).new_var("stored", n->value->type);
        out.push_back({SetVar{v, n->value}, s.place});
        n->value = x_.var(v, n->value->type);
        known_.push_back({n->base->var, n->offset, n->value});
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

  /// Whether a later statement of the block itself would use the value. Nested blocks may run several times, or never.
  bool is_loaded_later(const Store& n, const Block& b, size_t at) const {
    if (n.base->kind != Expr::Kind::Var) return false;
    for (size_t k = at + 1; k < b.size(); ++k) {
      bool found = false;
      each_expr(b[k], [&](ExprP e) { found = found || loads(e, n); });
      if (found) return true;
      if (changes(b[k], n.base->var, n.offset)) return false;
    }
    return false;
  }
  static bool loads(ExprP e, const Store& n) {
    return e && (is_there(e, n.base->var, n.offset, n.value->type) || loads(e->a, n) || loads(e->b, n) || loads(e->c, n));
  }

  void forget(const Stmt& s) {
    std::erase_if(known_, [&](const Known& k) { return changes(s, k.data, k.offset); });
  }
  /// Whether the statement, or one in it, may change the element or what its address is computed from.
  bool changes(const Stmt& s, VarId data, ExprP offset) const {
    const std::set<VarId> used = variables(offset);
    const auto here = [&](const Stmt& part) {
      bool any = false;
      each_assigned(fn_, part, [&](VarId v) { any = any || v == data || used.count(v); });
      auto* n = std::get_if<Store>(&part.node);
      if (n && n->base->kind == Expr::Kind::Var) return any || !fn_.disjoint || n->base->var == data;
      return any || !changes_no_element(part);
    };
    return any_statement(s, here);
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
