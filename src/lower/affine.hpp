// Subscripts that are affine in a loop's variable (private to src/lower).
#pragma once
#include "analysis/loop_info.hpp"
#include "loop/exprs.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace vr::lower {

// Examines one subscript: whether it is affine in the loop variable with integer coefficients, and with which one.
class AffineSubscript {
 public:
  AffineSubscript(ir::SymbolId loop_var, bool loop_var_integral, const analysis::LoopInfo& facts,
         const std::map<ir::SymbolId, ExprP>& ints, const ir::SymbolTable& symbols,
         const std::map<ir::SymbolId, int64_t>& made = {})
      : loop_var_(loop_var), integral_(loop_var_integral), facts_(facts), ints_(ints), symbols_(symbols), made_(made) {}

  std::set<ir::SymbolId> floats;  ///< loop-invariant floats whose Int64 values are needed

  /// Coefficient of the loop variable; nullopt if the expression is not affine in it.
  std::optional<int64_t> coefficient(const ir::Expr& e) {
    if (!e.type.is_scalar() || e.type.complex) return {};
    const bool exact = e.type.elem == ir::Elem::Int64 || e.type.elem == ir::Elem::Float64;
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
        // A float32 above 2^24 may differ from the integer that it was converted from.
        const ir::Symbol* s = symbols_.find(n->id);
        if (facts_.assigned.count(n->id) || !integral_ || !s || s->type.elem == ir::Elem::Float32 ||
            s->type.elem == ir::Elem::UInt64)
          return {};
        return 1;
      }
      if (auto it = made_.find(n->id); it != made_.end()) return it->second;
      if (facts_.assigned.count(n->id)) return {};
      const ir::Symbol* s = symbols_.find(n->id);
      if (!s || !s->type.is_scalar() || s->type.complex || s->type.elem == ir::Elem::UInt64) return {};
      if (ints_.count(n->id) || !ir::is_float(s->type.elem)) return 0;
      if (s->type.elem != ir::Elem::Float64) return {};
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
      if (cl && std::llabs(*cl) <= 1024) return small(*cl * *r);
      if (cr && std::llabs(*cr) <= 1024) return small(*cr * *l);
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
  static bool narrow(const ir::Expr& a, const ir::Expr& b) {
    const ir::Elem in = ir::common_elem(a.type.elem, b.type.elem);
    return in != ir::Elem::Int64 && in != ir::Elem::Float64;
  }
  std::optional<int64_t> sum(const ir::Expr& a, const ir::Expr& b, int64_t sign) {
    auto l = coefficient(a), r = l ? coefficient(b) : std::nullopt;
    if (!r || narrow(a, b)) return {};
    return small(*l + sign * *r);
  }
  /// Coefficients are limited so that sums and products of them cannot overflow.
  static std::optional<int64_t> small(int64_t c) {
    if (std::llabs(c) > 1 << 20) return {};
    return c;
  }
  static std::optional<int64_t> constant(const ir::Expr& e) {
    if (auto* c = ir::as<ir::IntConst>(&e)) return c->value;
    if (auto* c = ir::as<ir::FloatConst>(&e)) return static_cast<int64_t>(c->value);
    return {};
  }
  ir::SymbolId loop_var_;
  bool integral_;
  const analysis::LoopInfo& facts_;
  const std::map<ir::SymbolId, ExprP>& ints_;
  const ir::SymbolTable& symbols_;
  std::map<ir::SymbolId, int64_t> made_;  ///< coefficients of variables that every iteration assigns anew
};

}  // namespace vr::lower
