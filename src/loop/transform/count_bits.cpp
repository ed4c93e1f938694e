// count_bits:
//
//   loop {                          n = n + popcount(v)
//     if !(v != 0) { break }        v = 0
//     v = v & (v - 1)
//     n = n + 1
//   }
//
// and the sums of neighbouring bits, pairs of bits, four and eight bits of an unsigned number:
//
//   a = v - (v / 2 & 0x55555555)    n = popcount(v)
//   b = (a & 0x33333333) + (a / 4 & 0x33333333)
//   c = b + b / 16 & 0x0f0f0f0f
//   n = c * 0x01010101 / 0x1000000
//
// LLVM does the same (LoopIdiomRecognize, AggressiveInstCombine), but compilers of kernels do not, and later
// transformations see no loop.
#include "loop/transform/count_bits.hpp"

#include "loop/analysis/bit_loop.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/replace.hpp"

#include <algorithm>
#include <set>

namespace vr::lower {

namespace {

class CountBits {
 public:
  CountBits(Exprs& x, Function& f) : x_(x), out_(x, f), whole_(f.body) {}

  void run() {
    replace_in_body(out_, [&](Stmt& s) {
      auto* n = std::get_if<Loop>(&s.node);
      return n && count(*n);
    });
  }

 private:
  bool count(const Loop& loop) {
    const auto bits = bit_loop(x_, loop);
    if (!bits) return false;
    const ExprP number = x_.var(bits->number, out_.fn.vars[static_cast<size_t>(bits->number)].type);
    // Shifted to the right, a negative number never becomes 0.
    if (!bits->clears && (!bits->halves || !(bits->positive || is_unsigned(number->type)))) return false;
    const auto counters = counters_of(loop, *bits, number);
    if (!counters) return false;
    const ExprP zero = x_.int_const(0, number->type);
    // Numbers that are not positive have no iteration then.
    const bool may_be_less = bits->positive && !is_unsigned(number->type);
    ExprP ones = x_.unary(Op::Popcount, number);
    if (may_be_less) ones = x_.select(x_.gt(number, zero), ones, zero);
    ones = out_.keep(ones, "ones");
    for (const VarId v : *counters) {
      const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
      out_.set(v, x_.add(x_.var(v, type), x_.convert(ones, type)));
    }
    out_.set(bits->number, may_be_less ? x_.min(number, zero) : zero);
    return true;
  }

  /// The variables that count, if the loop does nothing else.
  std::optional<std::set<VarId>> counters_of(const Loop& loop, const BitLoop& bits, ExprP number) {
    const auto& test = std::get<If>(loop.body[0].node);
    if (test.cond->a->kind != Expr::Kind::Binary || is_logical(test.cond->a)) return {};
    std::set<VarId> counters, others;
    for (size_t k = 1; k < loop.body.size(); ++k) {
      auto* set = std::get_if<SetVar>(&loop.body[k].node);
      if (!set) return {};
      if (set->var == bits.number) continue;
      const auto value = bits.values.find(set->var);
      if (value == bits.values.end()) return {};
      (is_step(value->second, set->var, bits, number) ? counters : others).insert(set->var);
    }
    if (counters.empty()) return {};
    if (!others.empty()) {
      const UsedOutside used(out_.fn, whole_, loop.body);
      for (const VarId v : others)
        if (used(v)) return {};
    }
    return counters;
  }
  static bool is_logical(ExprP e) { return e->op == Op::And || e->op == Op::Or; }
  /// v + 1 where the loop clears bits, else v + the number's lowest bit.
  static bool is_step(ExprP e, VarId v, const BitLoop& bits, ExprP number) {
    if (e->kind != Expr::Kind::Binary || e->op != Op::Add) return false;
    for (const auto& [counter, step] : {std::pair{e->a, e->b}, std::pair{e->b, e->a}})
      if (counter->kind == Expr::Kind::Var && counter->var == v &&
          (bits.clears ? is_int(step, 1) : is_lowest_bit(step, number)))
        return true;
    return false;
  }
  static bool is_lowest_bit(ExprP e, ExprP number) {
    while (e->kind == Expr::Kind::Convert && is_integer(e->type) && is_integer(e->a->type)) e = e->a;
    if (e->kind != Expr::Kind::Binary || !is_integer(e->type) || !same(e->a, number)) return false;
    return (e->op == Op::And && is_int(e->b, 1)) || (e->op == Op::Rem && is_int(e->b, 2));
  }

  Exprs& x_;
  Writer out_;
  const Block whole_;  ///< the function's body before anything changed
};

/// Sums of neighbouring bits.
class BitSums {
 public:
  BitSums(Exprs& x, Function& f) : x_(x), times_(assignments(f.body)) {}

  void block(Block& b) {
    std::vector<VarId> here;
    for (Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node))
        n->value = with_count(n->value, 3);
      else if (auto* n = std::get_if<Store>(&s.node))
        n->value = with_count(n->value, 3);
      if (auto* n = std::get_if<SetVar>(&s.node); n && times_[n->var] == 1) {
        values_[n->var] = n->value;
        order_[n->var] = order_.size();
        here.push_back(n->var);
      }
      for (Block* p : parts(s)) block(*p);
    }
    for (const VarId v : here) values_.erase(v);
  }

 private:
  /// The expression with popcount(v) in place of parts down to this depth.
  ExprP with_count(ExprP e, int depth) {
    if (!e || depth == 0 || (e->kind != Expr::Kind::Binary && e->kind != Expr::Kind::Convert)) return e;
    if (const ExprP made = counted(e)) return made;
    return with_parts(x_, e, [&](ExprP part) { return with_count(part, depth - 1); });
  }
  /// popcount(v), if the expression is how the last step computes it; else null.
  ExprP counted(ExprP e) {
    if (e->kind != Expr::Kind::Binary || !is_unsigned(e->type)) return nullptr;
    bits_ = 8 * scalar_bytes(e->type);
    const ExprP product = shifted(e, bits_ - 8);
    const ExprP eights = product ? with_constant(product, Op::Mul, 0x01) : nullptr;
    const ExprP sum = eights ? with_constant(eights, Op::And, 0x0f) : nullptr;
    const ExprP fours = sum ? sum_with_shifted(sum, 4) : nullptr;
    const ExprP pairs = fours ? sum_of_masked(fours) : nullptr;
    const ExprP v = pairs ? less_half(pairs) : nullptr;
    return v ? x_.unary(Op::Popcount, v) : nullptr;
  }
  /// A variable's value, if it has only one.
  ExprP value(ExprP e) const {
    const auto it = e->kind == Expr::Kind::Var ? values_.find(e->var) : values_.end();
    return it == values_.end() ? e : it->second;
  }
  /// This byte in each byte of the type.
  bool is_repeated(ExprP e, uint64_t byte) const {
    return e->kind == Expr::Kind::IntConst &&
           (static_cast<uint64_t>(e->ival) ^ byte * 0x0101010101010101U) << (64 - bits_) == 0;
  }
  ExprP with_constant(ExprP e, Op op, uint64_t byte) const {
    e = value(e);
    return e->kind == Expr::Kind::Binary && e->op == op && is_repeated(e->b, byte) ? e->a : nullptr;
  }
  /// What is shifted to the right by so many bits.
  ExprP shifted(ExprP e, int64_t by) const {
    e = value(e);
    return e->kind == Expr::Kind::Binary && e->op == Op::Div && is_int(e->b, int64_t{1} << by) ? e->a : nullptr;
  }
  /// e is n + (n >> by): n.
  ExprP sum_with_shifted(ExprP e, int64_t by) const {
    e = value(e);
    if (e->kind != Expr::Kind::Binary || e->op != Op::Add) return nullptr;
    const ExprP n = shifted(e->b, by);
    return n && same(n, e->a) ? n : nullptr;
  }
  /// e is (n & 0x33...) + (n >> 2 & 0x33...): n.
  ExprP sum_of_masked(ExprP e) const {
    e = value(e);
    if (e->kind != Expr::Kind::Binary || e->op != Op::Add) return nullptr;
    const ExprP n = with_constant(e->a, Op::And, 0x33), other = with_constant(e->b, Op::And, 0x33);
    const ExprP same_n = n && other ? shifted(other, 2) : nullptr;
    return same_n && same(n, same_n) ? n : nullptr;
  }
  /// e is a variable whose value is v - (v >> 1 & 0x55...): v, a variable that never changes, or only before that.
  ExprP less_half(ExprP e) {
    const ExprP difference = value(e);
    if (difference == e || difference->kind != Expr::Kind::Binary || difference->op != Op::Sub) return nullptr;
    const ExprP half = with_constant(difference->b, Op::And, 0x55), v = half ? shifted(half, 1) : nullptr;
    if (!v || v->kind != Expr::Kind::Var || !same(v, difference->a)) return nullptr;
    const bool fixed = times_[v->var] == 0 || (values_.contains(v->var) && order_[v->var] < order_[e->var]);
    return fixed ? v : nullptr;
  }

  Exprs& x_;
  std::map<VarId, int> times_;
  std::map<VarId, ExprP> values_;  ///< of variables that are assigned once, in front of the statement
  std::map<VarId, size_t> order_;  ///< in which they are assigned
  int64_t bits_ = 0;               ///< of the type
};

}  // namespace

void count_bits(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    const bool any = any_statement(f->body, [&](const Stmt& s) {
      auto* n = std::get_if<Loop>(&s.node);
      return n && bit_loop(x, *n);
    });
    if (any) CountBits(x, *f).run();
    if (std::any_of(f->vars.begin(), f->vars.end(), [](const Var& v) { return is_unsigned(v.type); }))
      BitSums(x, *f).block(f->body);
  }
}

}  // namespace vr::lower
