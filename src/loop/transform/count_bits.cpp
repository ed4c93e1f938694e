// count_bits:
//
//   loop {                          n = n + popcount(v)
//     if !(v != 0) { break }        v = 0
//     v = v & (v - 1)
//     n = n + 1
//   }
//
// LLVM does the same (LoopIdiomRecognize), but compilers of kernels do not, and later transformations see no loop.
#include "loop/transform/count_bits.hpp"

#include "loop/analysis/bit_loop.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/replace.hpp"

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
    ExprP ones = x_.unary(Op::Popcount, number);
    // Numbers that are not positive have no iteration.
    if (bits->positive && !is_unsigned(number->type)) ones = x_.select(x_.gt(number, zero), ones, zero);
    ones = out_.keep(ones, "ones");
    for (const VarId v : *counters) {
      const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
      out_.set(v, x_.add(x_.var(v, type), x_.convert(ones, type)));
    }
    out_.set(bits->number, bits->positive && !is_unsigned(number->type) ? x_.min(number, zero) : zero);
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
    if (e->kind != Expr::Kind::Binary || e->op != Op::Add || !is_integer(e->type)) return false;
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

}  // namespace

void count_bits(Module& m, const PassOptions&) {
  Exprs x(m);
  for (const auto& f : m.functions) {
    const bool any = any_statement(f->body, [&](const Stmt& s) {
      auto* n = std::get_if<Loop>(&s.node);
      return n && bit_loop(x, *n);
    });
    if (any) CountBits(x, *f).run();
  }
}

}  // namespace vr::lower
