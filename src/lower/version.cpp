// Loop versioning: bounds checks leave the innermost loop (past thesis 5.6; the error stays exact).
//
//   for i in 0..n { A[i+1] = A[i] }        if (0 <= first+1 && last+1 < extent && ...) { the loop without checks }
//                                          else { the loop with checks }
// A subscript that is affine in the loop variable, with everything else in it unchanged by the loop, takes its smallest
// and largest value at the ends of the loop; two comparisons there stand for all of those inside. The checked copy runs
// when they fail, so that a fault is reported at the very iteration that has it, and growth happens as written.
#include "lower/function_lowering.hpp"

#include <cmath>
#include <optional>

namespace vr::lower {

using ir::Elem;

namespace {

// Looks at one subscript: is it an integer-affine form, and what does it ask for?
class Affine {
 public:
  Affine(ir::SymbolId loop_var, bool loop_var_integral, const LoopInfo& facts,
         const std::map<ir::SymbolId, ExprP>& ints, const ir::SymbolTable& symbols)
      : loop_var_(loop_var), integral_(loop_var_integral), facts_(facts), ints_(ints), symbols_(symbols) {}

  std::set<ir::SymbolId> floats;  ///< loop-invariant floats whose Int64 values are needed

  /// Coefficient of the loop variable; nothing when the expression is of another form.
  std::optional<int64_t> coefficient(const ir::Expr& e) {
    if (!e.type.is_scalar() || e.type.complex) return {};
    const bool exact = e.type.elem == Elem::Int64 || e.type.elem == Elem::Float64;
    if (auto* c = ir::as<ir::IntConst>(&e)) {
      if (std::llabs(c->value) < (int64_t{1} << 52)) return 0;
      return {};
    }
    if (auto* c = ir::as<ir::FloatConst>(&e)) {
      if (exact && c->value == std::floor(c->value) && std::fabs(c->value) < 4503599627370496.0) return 0;
      return {};
    }
    if (auto* n = ir::as<ir::Name>(&e)) {
      if (n->id == loop_var_) {
        if (facts_.assigned.count(n->id) || !integral_) return {};
        return 1;
      }
      if (facts_.assigned.count(n->id)) return {};
      const ir::Symbol* s = symbols_.find(n->id);
      if (!s || !s->type.is_scalar() || s->type.complex) return {};
      if (ints_.count(n->id) || !ir::is_float(s->type.elem)) return 0;
      if (s->type.elem != Elem::Float64) return {};
      floats.insert(n->id);
      return 0;
    }
    if (!exact) return {};
    if (auto* b = ir::as<ir::Plus>(&e)) return sum(*b->lhs, *b->rhs, 1);
    if (auto* b = ir::as<ir::Minus>(&e)) return sum(*b->lhs, *b->rhs, -1);
    if (auto* b = ir::as<ir::Mult>(&e)) {
      auto l = coefficient(*b->lhs), r = l ? coefficient(*b->rhs) : std::nullopt;
      if (!r || narrow(*b->lhs, *b->rhs)) return {};
      auto cl = constant(*b->lhs), cr = constant(*b->rhs);
      if (cl && std::llabs(*cl) <= 1024) return *cl * *r;
      if (cr && std::llabs(*cr) <= 1024) return *cr * *l;
      return {};
    }
    if (auto* u = ir::as<ir::Negate>(&e)) {
      auto c = coefficient(*u->operand);
      if (c) return -*c;
      return {};
    }
    if (auto* u = ir::as<ir::Cast>(&e)) return coefficient(*u->operand);
    return {};
  }

 private:
  static bool narrow(const ir::Expr& a, const ir::Expr& b) { return std::max(a.type.elem, b.type.elem) == Elem::Int32; }
  std::optional<int64_t> sum(const ir::Expr& a, const ir::Expr& b, int64_t sign) {
    auto l = coefficient(a), r = l ? coefficient(b) : std::nullopt;
    if (!r || narrow(a, b) || std::llabs(*l) > 1 << 20 || std::llabs(*r) > 1 << 20) return {};
    return *l + sign * *r;
  }
  static std::optional<int64_t> constant(const ir::Expr& e) {
    if (auto* c = ir::as<ir::IntConst>(&e)) return c->value;
    if (auto* c = ir::as<ir::FloatConst>(&e)) return static_cast<int64_t>(c->value);
    return {};
  }
  ir::SymbolId loop_var_;
  bool integral_;
  const LoopInfo& facts_;
  const std::map<ir::SymbolId, ExprP>& ints_;
  const ir::SymbolTable& symbols_;
};

}  // namespace

FunctionLowering::Version FunctionLowering::version(const LoopDim& d, const LoopInfo& facts, const ir::Body& body) {
  Version v;
  if (facts.has_return) return v;
  struct Candidate {
    const ir::Index* index;
    size_t axis;
    int64_t coefficient;
  };
  std::vector<Candidate> candidates;
  std::set<const ir::Index*> seen;
  const bool integral = d.integral;
  std::set<ir::SymbolId> floats;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    auto* i = ir::as<ir::Index>(&e);
    if (!i || !seen.insert(i).second || facts.assigned.count(i->array)) return;
    const Slot& s = slot(i->array);
    if (!s.type.is_array() || !all_scalar(*i)) return;
    if (static_cast<int>(i->subscripts.size()) != s.type.rank && !flattens(*i)) return;
    for (size_t k = 0; k < i->subscripts.size(); ++k) {
      Affine affine(d.id, integral, facts, ints_, source_.symbols);
      if (auto c = affine.coefficient(*i->subscripts[k].value)) {
        candidates.push_back({i, k, *c});
        floats.insert(affine.floats.begin(), affine.floats.end());
      }
    }
  });
  if (candidates.empty()) return v;

  ExprP guard = x_.bool_const(true), zero = x_.int_const(0);
  for (ir::SymbolId id : floats) {
    ExprP value = get(slot(id).var);
    ExprP k = temp(x_.convert(value, Scalar::Int64), (name_of(id) + ".int").c_str());
    v.ints[id] = k;
    guard = x_.both(guard, x_.eq(x_.convert(k, value->type), value));
  }
  // The subscripts' values at both ends of the loop.
  auto saved = ints_;
  for (const auto& [id, e] : v.ints) ints_[id] = e;
  ExprP first = d.int_start, last = nullptr;
  if (integral) last = keep(x_.add(first, x_.mul(x_.sub(d.count, x_.int_const(1)), d.int_step)), "last");
  std::vector<std::pair<ExprP, ExprP>> low_done, high_done;
  auto once = [](auto& list, ExprP p, ExprP extent) {
    for (const auto& [a, b] : list)
      if (same(a, p) && same(b, extent)) return false;
    list.emplace_back(p, extent);
    return true;
  };
  for (const Candidate& c : candidates) {
    const Slot s = slot(c.index->array);
    const ir::Subscript& sub = c.index->subscripts[c.axis];
    ExprP extent = get(array(s.array).extent[c.axis]);
    if (static_cast<int>(c.index->subscripts.size()) < s.type.rank && c.axis + 1 == c.index->subscripts.size()) {
      std::vector<ExprP> extents;
      for (VarId e : array(s.array).extent) extents.push_back(get(e));
      extent = rest_product(extents, c.axis);
    }
    auto at = [&](ExprP loop_value) -> ExprP {
      if (c.coefficient != 0) ints_[d.id] = loop_value;
      ExprP p = int_form(*sub.value);
      return p ? x_.sub(p, x_.int_const(conv_.indexing)) : nullptr;
    };
    ExprP p = at(first), q = c.coefficient != 0 ? at(last) : p;
    if (!p || !q) continue;
    const bool known = c.coefficient == 0 || d.int_step->kind == Expr::Kind::IntConst;
    const bool rising = known && (c.coefficient == 0 || (c.coefficient > 0) == (d.int_step->ival > 0));
    ExprP lowest = rising ? p : q, highest = rising ? q : p;
    if (once(low_done, lowest, zero)) guard = x_.both(guard, x_.ge(lowest, zero));
    if (once(high_done, highest, extent)) guard = x_.both(guard, x_.lt(highest, extent));
    if (!known) {
      guard = x_.both(guard, x_.ge(highest, zero));
      guard = x_.both(guard, x_.lt(lowest, extent));
    }
    v.unchecked.insert(&sub);
  }
  ints_ = std::move(saved);
  if (!v.unchecked.empty()) v.guard = guard;
  return v;
}

}  // namespace vr::lower
