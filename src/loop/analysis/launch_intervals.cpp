#include "loop/analysis/launch_intervals.hpp"

#include "loop/analysis/linear_bounds.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/value_ranges.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace vr::lower {
namespace {

constexpr size_t most_launch_conditions = 96;
constexpr int most_bits = 62;
constexpr int product_bits = 46;  // of a product of unknown factors: distances in bytes are smaller

/// Whether both ends are known: while a condition is walked, an end may be null (LaunchIntervals::narrow_by).
bool has_ends(const Interval& v) { return v.lo && v.hi; }

}  // namespace

void LaunchIntervals::inputs(const Function& kernel, const std::vector<Operand>& args) {
  const std::map<VarId, int> assigned = assignments(kernel.body);
  definitions_ = single_definitions(kernel.body);
  for (const auto& [v, times] : assigned)
    if (times > 1) reassigned_.insert(v);
  auto input = [&](VarId in, VarId out) {
    if (in != none && out != none && !assigned.count(in)) inputs_[in] = out_.get(out);
  };
  for (size_t k = 0; k < kernel.params.size(); ++k) {
    const Param& p = kernel.params[k];
    if (p.array == none) {
      input(p.var, args[k].var);
      continue;
    }
    const ArrayVars &in = kernel.arrays[static_cast<size_t>(p.array)], &out = out_.array(args[k].array);
    for (size_t d = 0; d < in.extent.size(); ++d) {
      input(in.extent[d], out.extent[d]);
      input(in.stride[d], out.stride[d]);
    }
  }
}

void LaunchIntervals::single_values(const Function& kernel) {
  const auto times = assignments(kernel.body);
  any_statement(kernel.body, [&](const Stmt& s) {
    if (auto* n = std::get_if<SetVar>(&s.node); n && times.at(n->var) == 1)
      if (ExprP known = host(n->value)) {
        known = keep(known);
        state[n->var] = {known, known, 64};
      }
    return false;
  });
}

ExprP LaunchIntervals::input_value(VarId in) const {
  auto it = inputs_.find(in);
  return it == inputs_.end() ? nullptr : it->second;
}

void LaunchIntervals::require(ExprP c) {
  if (is_true(c)) return;
  for (ExprP known : conditions_)
    if (same(known, c)) return;
  if (conditions_.size() >= most_launch_conditions) too_many_ = true;
  if (!too_many_) conditions_.push_back(c);
}

ExprP LaunchIntervals::guard() {
  ExprP all = x_.bool_const(true);
  for (ExprP c : conditions_) all = x_.both(all, c);
  return too_many_ || is_false(all) ? nullptr : all;
}

void LaunchIntervals::define(const SetVar& s) {
  const Scalar type = s.value->type;
  const auto v = is_integer(type) && type != Scalar::UInt64 ? value(s.value) : std::nullopt;
  state.erase(s.var);
  if (v) state.emplace(s.var, *v);
  // Under the conditions required so far it may be simpler than in the kernel.
  if (const auto d = definitions_.find(s.var); d != definitions_.end()) d->second = s.value;
  // Each variable has one assignment, so a condition that holds here holds wherever the variable has the value of this
  // statement.
  if (type != Scalar::Bool || reassigned_.count(s.var) || s.value->kind == Expr::Kind::Var) return;
  const auto used = variables(s.value);
  if (std::none_of(used.begin(), used.end(), [&](VarId u) { return reassigned_.count(u) != 0; })) conditions_of_[s.var] = s.value;
}

bool LaunchIntervals::enter(const CountedLoop& n) {
  const auto lo = value(n.lo), hi = value(n.hi);
  state.erase(n.var);
  if (!lo || !hi) return false;
  state[n.var] = {lo->lo, keep(x_.sub(hi->hi, x_.int_const(1))), std::max(lo->bits, hi->bits) + 1,
                  both_valid(lo->valid, hi->valid), lo->of_type || hi->of_type};
  if (const auto range = loop_range(n, definitions_)) ranges_[n.var] = *range;
  return lo->bits <= 31 && hi->bits <= 31 && !lo->valid && !hi->valid;
}

ExprP LaunchIntervals::condition(ExprP c) const {
  if (c->kind != Expr::Kind::Var) return c;
  const auto it = conditions_of_.find(c->var);
  return it == conditions_of_.end() ? c : it->second;
}

ExprP LaunchIntervals::host(ExprP e) {
  switch (e->kind) {
    case Expr::Kind::IntConst:
    case Expr::Kind::FloatConst:
      return e;
    case Expr::Kind::Var: {
      if (auto it = inputs_.find(e->var); it != inputs_.end()) return it->second;
      // A variable whose interval is a single value.
      auto it = state.find(e->var);
      return it != state.end() && it->second.lo && it->second.lo == it->second.hi ? x_.convert(it->second.lo, e->type)
                                                                                  : nullptr;
    }
    case Expr::Kind::Unary:
    case Expr::Kind::Convert: {
      ExprP a = host(e->a);
      if (!a) return nullptr;
      return e->kind == Expr::Kind::Unary ? x_.unary(e->op, a) : x_.convert(a, e->type);
    }
    case Expr::Kind::Binary: {
      ExprP a = host(e->a), b = a ? host(e->b) : nullptr;
      if (b && (e->op == Op::Div || e->op == Op::Rem) && !is_float(e->type)) return whole_division(e->op, a, b);
      return b ? x_.binary(e->op, a, b) : nullptr;
    }
    case Expr::Kind::Select: {
      ExprP a = host(e->a), b = a ? host(e->b) : nullptr, c = b ? host(e->c) : nullptr;
      return c ? x_.select(a, b, c) : nullptr;
    }
    default:
      return nullptr;
  }
}

/// Whether the condition is t < 0, or says that and t != 0.
static bool is_negative(ExprP c, ExprP t) {
  if (c->kind != Expr::Kind::Binary) return false;
  if (c->op == Op::And && c->a->kind == Expr::Kind::Binary && c->a->op == Op::Ne && is_int(c->a->b, 0))
    return same(c->a->a, t) && is_negative(c->b, t);
  if (c->op == Op::Ne && is_false(c->b)) return is_negative(c->a, t);
  return c->op == Op::Lt && same(c->a, t) && is_int(c->b, 0);
}

std::optional<Interval> LaunchIntervals::in_cycle(const Expr& e) {
  const ExprP t = e.c;
  const auto d = t->kind == Expr::Kind::Var ? definitions_.find(t->var) : definitions_.end();
  if (d == definitions_.end() || d->second->kind != Expr::Kind::Binary || d->second->op != Op::Rem) return {};
  const ExprP n = d->second->b;
  if (e.b->kind != Expr::Kind::Binary || e.b->op != Op::Add || !same(e.b->a, t) || !same(e.b->b, n)) return {};
  if (!is_negative(condition(e.a), t)) return {};
  const auto length = value(n);
  if (!length || (length->lo->kind == Expr::Kind::IntConst && length->lo->ival < 1)) return {};
  require(x_.ge(length->lo, x_.int_const(1)));
  return as_type({x_.int_const(0), keep(x_.sub(length->hi, x_.int_const(1))), length->bits, length->valid}, e.type);
}

ExprP LaunchIntervals::whole_division(Op op, ExprP a, ExprP b) {
  const auto constant = [&](int64_t v) { return x_.int_const(v, b->type); };
  if (b->kind == Expr::Kind::IntConst && b->ival != 0 && b->ival != -1) return x_.binary(op, a, b);
  // The kernel may divide under a condition, and the host divides without it: by 1 where the quotient is not defined.
  b = out_.keep(b, "divisor");
  if (is_unsigned(b->type)) return x_.binary(op, a, x_.select(x_.eq(b, constant(0)), constant(1), b));
  const ExprP quotient =
      x_.binary(op, a, x_.select(x_.either(x_.eq(b, constant(0)), x_.eq(b, constant(-1))), constant(1), b));
  return x_.select(x_.eq(b, constant(-1)), op == Op::Div ? x_.neg(a) : constant(0), quotient);
}

Interval LaunchIntervals::number(ExprP value) {
  if (value->type != Scalar::Int64) value = x_.convert(value, Scalar::Int64);
  if (value->kind == Expr::Kind::IntConst) {
    const uint64_t size = value->ival < 0 ? ~static_cast<uint64_t>(value->ival) : static_cast<uint64_t>(value->ival);
    return {value, value, static_cast<int>(std::bit_width(size))};
  }
  value = out_.keep(value, "known");
  constexpr int64_t limit = int64_t{1} << 31;
  require(x_.both(x_.ge(value, x_.int_const(-limit)), x_.lt(value, x_.int_const(limit))));
  return {value, value, 31};
}

std::optional<Interval> LaunchIntervals::value(ExprP e) {
  if (!e || is_float(e->type) || e->type == Scalar::Ptr) return {};
  // Some values of UInt64 do not fit in an Int64.
  if (e->type == Scalar::UInt64) return of_type(*e);
  if (ExprP h = host(e)) return number(h);
  const bool before = std::exchange(depends_on_types_, false);
  auto known = computed(e);
  if (!known) known = of_type(*e);
  if (known) known->of_type = depends_on_types_;
  depends_on_types_ = depends_on_types_ || before;
  return known;
}

std::optional<Interval> LaunchIntervals::of_type(const Expr& e) {
  const auto interval = [&](int64_t lo, int64_t hi) {
    depends_on_types_ = true;
    return Interval{x_.int_const(lo), x_.int_const(hi), static_cast<int>(std::bit_width(static_cast<uint64_t>(hi)))};
  };
  if (!types.assume) return {};
  if (e.kind == Expr::Kind::Binary && e.type != Scalar::Bool) {
    const auto constant = [](ExprP part) { return part->kind == Expr::Kind::IntConst ? part->ival : 0; };
    if (const int64_t bits = std::max(constant(e.a), constant(e.b)); e.op == Op::And && bits > 0)
      return interval(0, bits);
    if (const int64_t by = constant(e.b); e.op == Op::Rem && by > 0 && by < int64_t{1} << 31)
      return interval(is_unsigned(e.type) ? 0 : 1 - by, by - 1);
  }
  if (scalar_bytes(e.type) > 2) return {};
  const ValueRange all = range_of(e.type);
  return interval(static_cast<int64_t>(all.lo), static_cast<int64_t>(all.hi));
}

/// A finite number; of float32 none that the device may take for 0.
ExprP LaunchIntervals::ordinary(ExprP e) {
  const bool narrow = e->type == Scalar::Float32;
  if (e->kind == Expr::Kind::FloatConst && (e->fval == 0 || (std::isfinite(e->fval) && std::fabs(e->fval) >= FLT_MIN)))
    return x_.bool_const(true);
  const ExprP size = x_.math(MathFn::Fabs, e);
  const ExprP is_finite = x_.le(size, x_.float_const(narrow ? FLT_MAX : DBL_MAX, e->type));
  const ExprP zero = x_.float_const(0, e->type);
  return narrow ? x_.both(is_finite, x_.either(x_.ge(size, x_.float_const(FLT_MIN, e->type)), x_.eq(e, zero)))
                : is_finite;
}

/// Every operation is monotone in each operand, and so is rounding: with finite ends, all values in between are
/// numbers.
std::optional<Interval> LaunchIntervals::real(ExprP e) {
  if (!e || !types.floats || (e->type != Scalar::Float32 && e->type != Scalar::Float64)) return {};
  if (ExprP h = host(e)) {
    h = keep(h);
    return Interval{h, h, 0, ordinary(h)};
  }
  const auto both_ends = [&](const std::optional<Interval>& a, const auto& f) -> std::optional<Interval> {
    if (!a) return {};
    Interval v{keep(f(a->lo)), keep(f(a->hi)), 0, a->valid};
    v.valid = both_valid(v.valid, x_.both(ordinary(v.lo), ordinary(v.hi)));
    return v;
  };
  switch (e->kind) {
    case Expr::Kind::Var: {
      // The same number here as where it was computed.
      const auto it = definitions_.find(e->var);
      if (it == definitions_.end()) return {};
      const auto used = variables(it->second);
      if (std::any_of(used.begin(), used.end(), [&](VarId v) { return reassigned_.count(v) != 0; })) return {};
      return real(it->second);
    }
    case Expr::Kind::Convert:
      return both_ends(is_float(e->a->type) ? real(e->a) : value(e->a),
                       [&](ExprP end) { return x_.convert(end, e->type); });
    case Expr::Kind::Math:
      if (e->fn == MathFn::Fabs) {
        auto a = real(e->a);
        if (!a) return {};
        const auto size = [&](ExprP end) { return keep(x_.math(MathFn::Fabs, end)); };
        return Interval{x_.float_const(0, e->type), keep(x_.max(size(a->lo), size(a->hi))), 0, a->valid};
      }
      if (e->fn != MathFn::Floor && e->fn != MathFn::Ceil && e->fn != MathFn::Trunc && e->fn != MathFn::Round &&
          e->fn != MathFn::Rint)
        return {};
      return both_ends(real(e->a), [&](ExprP end) { return x_.math(e->fn, end); });
    case Expr::Kind::Unary: {
      auto a = e->op == Op::Neg ? real(e->a) : std::nullopt;
      return a ? std::optional(Interval{keep(x_.neg(a->hi)), keep(x_.neg(a->lo)), 0, a->valid}) : a;
    }
    case Expr::Kind::Select: {
      // The smaller or the larger of two.
      const ExprP c = e->a;
      const bool less = c->kind == Expr::Kind::Binary && (c->op == Op::Lt || c->op == Op::Le),
                 more = c->kind == Expr::Kind::Binary && (c->op == Op::Gt || c->op == Op::Ge);
      // The sign of a zero makes no difference here.
      const auto equal = [](ExprP p, ExprP q) {
        return same(p, q) ||
               (p->kind == Expr::Kind::FloatConst && q->kind == Expr::Kind::FloatConst && p->fval == q->fval);
      };
      const bool first = (less || more) && equal(c->a, e->b) && equal(c->b, e->c),
                 second = (less || more) && equal(c->a, e->c) && equal(c->b, e->b);
      if (!first && !second) return {};
      auto a = real(e->b), b = a ? real(e->c) : std::nullopt;
      if (!b) return {};
      const bool smaller = first == less;
      const auto end = [&](ExprP p, ExprP q) { return keep(smaller ? x_.min(p, q) : x_.max(p, q)); };
      return Interval{end(a->lo, b->lo), end(a->hi, b->hi), 0, both_valid(a->valid, b->valid)};
    }
    case Expr::Kind::Binary:
      return real_binary(*e);
    default:
      return {};
  }
}

std::optional<Interval> LaunchIntervals::real_binary(const Expr& e) {
  // Not all devices round quotients of float32 as the host does.
  if (e.op != Op::Add && e.op != Op::Sub && e.op != Op::Mul && (e.op != Op::Div || e.type != Scalar::Float64))
    return {};
  auto a = real(e.a), b = a ? real(e.b) : std::nullopt;
  // Quotients by one number, which is not 0 if the quotients are finite.
  if (!b || (e.op == Op::Div && b->lo != b->hi)) return {};
  std::vector<ExprP> ends;
  const auto end = [&](ExprP p, ExprP q) { ends.push_back(keep(x_.binary(e.op, p, q))); };
  if (e.op == Op::Add || e.op == Op::Mul || e.op == Op::Div) end(a->lo, b->lo), end(a->hi, b->hi);
  if (e.op == Op::Sub || (e.op == Op::Mul && a->lo != a->hi && b->lo != b->hi)) end(a->lo, b->hi), end(a->hi, b->lo);
  Interval v{ends[0], ends[0], 0, both_valid(a->valid, b->valid)};
  for (ExprP p : ends) {
    v.lo = keep(x_.min(v.lo, p));
    v.hi = keep(x_.max(v.hi, p));
    v.valid = both_valid(v.valid, ordinary(p));
  }
  return v;
}

/// Of the integer part of a float.
std::optional<Interval> LaunchIntervals::whole(const Expr& e) {
  if (e.type != Scalar::Int64 && e.type != Scalar::Int32) return {};
  const auto a = real(e.a);
  if (!a) return {};
  depends_on_types_ = true;
  Interval v{keep(x_.convert(a->lo, Scalar::Int64)), keep(x_.convert(a->hi, Scalar::Int64)), 31, a->valid};
  constexpr double limit = 2147483000;  // the next float32 above is smaller than 2^31
  for (ExprP end : {a->lo, a->hi})
    v.valid = both_valid(v.valid, x_.lt(x_.math(MathFn::Fabs, end), x_.float_const(limit, end->type)));
  return v;
}

std::optional<Interval> LaunchIntervals::computed(ExprP e) {
  switch (e->kind) {
    case Expr::Kind::Var: {
      auto it = state.find(e->var);
      if (it == state.end() || !has_ends(it->second)) return {};
      depends_on_types_ = depends_on_types_ || it->second.of_type;
      return it->second;
    }
    case Expr::Kind::Select:
      return chosen(*e);
    case Expr::Kind::Convert: {
      if (is_float(e->a->type)) return whole(*e);
      auto a = value(e->a);
      return a ? as_type(*a, e->type) : a;
    }
    case Expr::Kind::Unary: {
      if (e->op == Op::Popcount) return Interval{x_.int_const(0), x_.int_const(8 * scalar_bytes(e->type)), 7};
      auto a = e->op == Op::Neg ? value(e->a) : std::nullopt;
      if (!a) return {};
      return as_type({keep(x_.neg(a->hi)), keep(x_.neg(a->lo)), a->bits + 1, a->valid}, e->type);
    }
    case Expr::Kind::Binary:
      return binary(*e);
    default:
      return {};
  }
}

/// Each operand's interval is narrowed by the condition: a subscript that counts from the end if it is negative (i < 0
/// ? i + n : i) is below n if i is.
std::optional<Interval> LaunchIntervals::chosen(const Expr& e) {
  if (const auto cycle = in_cycle(e)) return cycle;
  const auto operand = [&](ExprP value_of, bool truth) {
    const Restore before(state, state);
    narrow_by(e.a, truth);
    return value(value_of);
  };
  auto b = operand(e.b, true), c = operand(e.c, false);
  if (!b || !c) return {};
  if (ExprP known = host(condition(e.a)))
    return Interval{keep(x_.select(known, b->lo, c->lo)), keep(x_.select(known, b->hi, c->hi)),
                    std::max(b->bits, c->bits), both_valid(b->valid, c->valid)};
  return join(*b, *c);
}

std::optional<Interval> LaunchIntervals::in_range(const Expr& e) {
  for (const auto& [start, number] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
    const auto range = number->kind == Expr::Kind::Var ? ranges_.find(number->var) : ranges_.end();
    if (range == ranges_.end() || !same(range->second.start, start)) continue;
    const auto first = value(start), stop = value(range->second.stop);
    if (!first || !stop) return {};
    return Interval{first->lo, keep(x_.sub(stop->hi, x_.int_const(1))), std::max(first->bits, stop->bits) + 1,
                    both_valid(first->valid, stop->valid)};
  }
  return {};
}

ExprP LaunchIntervals::all_bits(ExprP n) {
  if (n->kind == Expr::Kind::IntConst)
    return x_.int_const(n->ival <= 0 ? n->ival
                                     : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n->ival) + 1) - 1));
  for (int64_t shift = 1; shift < 64; shift *= 2)
    n = keep(x_.binary(Op::Or, n, x_.binary(Op::Shr, n, x_.int_const(shift))));
  return n;
}

std::optional<Interval> LaunchIntervals::binary(const Expr& e) {
  if (e.op == Op::Add && e.type == Scalar::Int64)
    if (auto known = in_range(e)) return known;
  auto a = value(e.a);
  // Bits of a number that is not negative.
  if (e.op == Op::Shr && a && a->lo->kind == Expr::Kind::IntConst && a->lo->ival >= 0)
    return Interval{x_.int_const(0), a->hi, a->bits, a->valid};
  auto b = a ? value(e.b) : std::nullopt;
  if (!b) return {};
  const ExprP zero = x_.int_const(0), one = x_.int_const(1), valid = both_valid(a->valid, b->valid);
  switch (e.op) {
    case Op::Add:
      return related(e,
                     {keep(x_.add(a->lo, b->lo)), keep(x_.add(a->hi, b->hi)), std::max(a->bits, b->bits) + 1, valid});
    case Op::Sub:
      return related(e,
                     {keep(x_.sub(a->lo, b->hi)), keep(x_.sub(a->hi, b->lo)), std::max(a->bits, b->bits) + 1, valid});
    case Op::Mul:
      return product(*a, *b, e.type);
    case Op::And: {
      // Bits of a non-negative constant, or of a non-negative number.
      if (b->lo->kind == Expr::Kind::IntConst && b->lo->ival >= 0 && b->lo == b->hi) return Interval{zero, b->hi, b->bits, valid};
      if (a->lo->kind != Expr::Kind::IntConst || a->lo->ival < 0) return {};
      return Interval{zero, a->hi, a->bits, valid};
    }
    case Op::Or:
    case Op::Xor: {
      // Of non-negative numbers: no bit is in the result that is not in their sum, or above the highest of the greater.
      for (const auto* v : {&*a, &*b}) {
        if (v->lo->kind == Expr::Kind::IntConst && v->lo->ival < 0) return {};
        if (v->lo->kind != Expr::Kind::IntConst) require(x_.ge(v->lo, zero));
      }
      const ExprP most = keep(x_.min(keep(x_.add(a->hi, b->hi)), all_bits(keep(x_.max(a->hi, b->hi)))));
      return as_type({e.op == Op::Or ? keep(x_.max(a->lo, b->lo)) : zero, most, std::max(a->bits, b->bits), valid},
                     e.type);
    }
    case Op::Div:
    case Op::Rem: {
      // Only non-negative numbers divided by positive ones.
      if (a->lo->kind != Expr::Kind::IntConst || a->lo->ival < 0) return {};
      if (b->lo->kind == Expr::Kind::IntConst && b->lo->ival < 1) return {};
      require(x_.ge(b->lo, one));
      if (e.op == Op::Rem) return as_type({zero, keep(x_.sub(b->hi, one)), b->bits, valid}, e.type);
      int bits = a->bits;
      if (b->lo->kind == Expr::Kind::IntConst)
        bits = std::max(1, bits + 1 - static_cast<int>(std::bit_width(static_cast<uint64_t>(b->lo->ival))));
      return as_type({zero, keep(x_.binary(Op::Div, a->hi, keep(x_.max(b->lo, one)))), bits, valid}, e.type);
    }
    default:
      return {};
  }
}

std::optional<Interval> LaunchIntervals::related(const Expr& e, Interval v) {
  if (e.type != Scalar::Int64 || v.bits > most_bits || ranges_.empty()) return as_type(v, e.type);
  const auto value_of = [this](ExprP c) { return condition(c); };
  const LinearFacts facts{definitions_, ranges_, reassigned_, value_of};
  for (const bool upper : {false, true})
    for (const LinearBound& form : linear_bounds(facts, &e, upper)) {
      ExprP end = x_.int_const(form.constant);
      bool known = true;
      for (const auto& [term, factor] : form.terms) {
        const auto t = known ? value(term) : std::nullopt;
        known = t && t->bits <= 32 && !t->valid && !t->of_type;
        if (!known) break;
        end = x_.add(end, x_.mul((factor > 0) == upper ? t->hi : t->lo, x_.int_const(factor)));
      }
      if (!known) continue;
      ExprP& bound = upper ? v.hi : v.lo;
      bound = keep(upper ? x_.min(bound, keep(end)) : x_.max(bound, keep(end)));
    }
  return as_type(v, e.type);
}

std::optional<Interval> LaunchIntervals::product(Interval a, Interval b, Scalar type) {
  // On the host, products of two 32-bit factors do not overflow.
  const auto within = [&](const Interval& v, int bits) {
    const int64_t limit = int64_t{1} << bits;
    return keep(x_.both(x_.ge(v.lo, x_.int_const(-limit)), x_.lt(v.hi, x_.int_const(limit))));
  };
  int bits = a.bits + b.bits + 1;
  const bool wide = bits > most_bits;
  if (wide && !limit_products) return {};
  ExprP valid = both_valid(a.valid, b.valid);
  for (Interval* factor : {&a, &b}) {
    if (!wide || factor->bits <= 31) continue;
    if (factor->lo->kind == Expr::Kind::IntConst && factor->hi->kind == Expr::Kind::IntConst) return {};
    valid = both_valid(valid, within(*factor, 31));
  }
  // The extremes are among two products if one factor is a single value, else among four.
  const bool point = a.lo == a.hi || b.lo == b.hi;
  ExprP p = keep(x_.mul(a.lo, b.lo)), q = keep(x_.mul(a.hi, b.hi));
  ExprP lo = keep(x_.min(p, q)), hi = keep(x_.max(p, q));
  if (!point) {
    ExprP r = keep(x_.mul(a.lo, b.hi)), s = keep(x_.mul(a.hi, b.lo));
    lo = keep(x_.min(lo, keep(x_.min(r, s))));
    hi = keep(x_.max(hi, keep(x_.max(r, s))));
  }
  Interval v{lo, hi, bits, valid};
  if (wide) {
    v.valid = both_valid(valid, within(v, product_bits));
    v.bits = product_bits;
  }
  return as_type(v, type);
}

std::optional<Interval> LaunchIntervals::as_type(Interval v, Scalar type) {
  if (v.bits > most_bits) return {};
  if (type != Scalar::Int32 && type != Scalar::Int64) {
    // Other types have fewer or other numbers; these must be among them, whatever the launch.
    if (!is_integer(type) || type == Scalar::UInt64 || v.lo->kind != Expr::Kind::IntConst ||
        v.hi->kind != Expr::Kind::IntConst)
      return {};
    const ValueRange all = range_of(type);
    const bool fits = v.lo->ival >= static_cast<int64_t>(all.lo) && v.hi->ival <= static_cast<int64_t>(all.hi);
    return fits ? std::optional(v) : std::nullopt;
  }
  if (type == Scalar::Int32 && v.bits > 31 && v.valid) return {};
  if (type == Scalar::Int32 && v.bits > 31) {
    constexpr int64_t limit = int64_t{1} << 31;
    require(x_.both(x_.ge(v.lo, x_.int_const(-limit)), x_.lt(v.hi, x_.int_const(limit))));
    v.bits = 31;
  }
  return v;
}

Interval LaunchIntervals::join(const Interval& a, const Interval& b) {
  return {keep(x_.min(a.lo, b.lo)), keep(x_.max(a.hi, b.hi)), std::max(a.bits, b.bits), both_valid(a.valid, b.valid),
          a.of_type || b.of_type};
}

ExprP LaunchIntervals::always(ExprP c, bool truth) {
  c = condition(c);
  if (is_const(c)) return (c->ival != 0) == truth ? x_.bool_const(true) : nullptr;
  if (ExprP h = host(c)) return truth ? h : x_.not_(h);
  if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return always(c->a, !truth);
  if (c->kind != Expr::Kind::Binary) return nullptr;
  if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or)) {
    ExprP a = always(c->a, truth), b = always(c->b, truth);
    if ((c->op == Op::And) == truth) return a && b ? x_.both(a, b) : nullptr;
    return a && b ? x_.either(a, b) : a ? a : b;
  }
  if (!is_comparison(c->op)) return nullptr;
  const bool floats = is_float(c->a->type);
  auto a = floats ? real(c->a) : value(c->a);
  auto b = !a ? std::nullopt : floats ? real(c->b) : value(c->b);
  if (!b) return nullptr;
  const auto compared = [&]() -> ExprP {
    if (floats && same(c->a, c->b) && (c->op == Op::Eq || c->op == Op::Ne))
      return x_.bool_const((c->op == Op::Eq) == truth);
    switch (truth ? c->op : negated(c->op)) {
      case Op::Lt:
        return x_.lt(a->hi, b->lo);
      case Op::Le:
        return x_.le(a->hi, b->lo);
      case Op::Gt:
        return x_.gt(a->lo, b->hi);
      case Op::Ge:
        return x_.ge(a->lo, b->hi);
      case Op::Eq:
        return x_.both(x_.eq(a->lo, b->hi), x_.eq(a->hi, b->lo));
      default:
        return x_.either(x_.lt(a->hi, b->lo), x_.gt(a->lo, b->hi));
    }
  };
  const ExprP valid = both_valid(a->valid, b->valid), holds = compared();
  if (floats) types.assumed = true;
  limited = limited || valid;
  types.assumed = types.assumed || ((a->of_type || b->of_type) && !is_const(holds));
  return valid ? x_.both(valid, holds) : holds;
}

/// Whether a condition implies the other: they are equal, or compare sums that differ by a constant with the same
/// number. The numbers of conditions are far from the ends of their type.
static bool implies(ExprP known, ExprP wanted) {
  if (same(known, wanted)) return true;
  if (known->kind != Expr::Kind::Binary || wanted->kind != Expr::Kind::Binary || known->op != wanted->op ||
      !is_comparison(known->op) || known->a->type != Scalar::Int64 || wanted->a->type != Scalar::Int64 ||
      !same(known->b, wanted->b))
    return false;
  const auto [k, more] = without_constant(known->a);
  const auto [w, less] = without_constant(wanted->a);
  if (!same(k, w)) return false;
  if (known->op == Op::Lt || known->op == Op::Le) return less <= more;
  if (known->op == Op::Gt || known->op == Op::Ge) return less >= more;
  return false;
}

bool LaunchIntervals::implied(ExprP c, bool truth) {
  // The statements and conditions that this makes are discarded.
  const std::vector<ExprP> before = conditions_;
  const bool too_many = too_many_;
  const size_t vars = out_.fn.vars.size();
  Block unused;
  ExprP all;
  {
    const Restore to(out_.block, &unused);
    all = always(c, truth);
    if (all) require(all);
  }
  const auto parts_of = [](const std::vector<ExprP>& conditions) {
    std::vector<ExprP> parts, open = conditions;
    while (!open.empty()) {
      ExprP e = open.back();
      open.pop_back();
      if (e->kind == Expr::Kind::Binary && e->op == Op::And)
        open.insert(open.end(), {e->a, e->b});
      else
        parts.push_back(e);
    }
    return parts;
  };
  std::vector<ExprP> known = parts_of(before), wanted = parts_of(conditions_);
  std::erase_if(wanted,
                [&](ExprP w) { return std::any_of(known.begin(), known.end(), [&](ExprP k) { return same(k, w); }); });
  bool holds = all && too_many_ == too_many;
  if (holds && !wanted.empty()) {
    // The ends of equal intervals are in different variables.
    for (ExprP& k : known) k = substituted(x_, k, kept_);
    holds = std::all_of(wanted.begin(), wanted.end(), [&](ExprP w) {
      w = substituted(x_, w, kept_);
      return std::any_of(known.begin(), known.end(), [&](ExprP k) { return implies(k, w); });
    });
  }
  conditions_ = before;
  too_many_ = too_many;
  out_.fn.vars.resize(vars);
  kept_.erase(kept_.lower_bound(static_cast<VarId>(vars)), kept_.end());
  return holds;
}

ExprP LaunchIntervals::keep(ExprP e) {
  const ExprP kept = out_.keep(e, "end");
  if (kept != e) record_value(x_, kept_, kept->var, e);
  return kept;
}

bool LaunchIntervals::narrow_by(ExprP c, bool truth, bool learn) {
  if (learn && truth)
    for (VarId v : between(c)) state.insert({v, {nullptr, nullptr, 0}});
  const bool narrowed = narrow(c, truth);
  // The condition must have told both ends of what had no interval.
  std::erase_if(state, [](const auto& entry) { return !has_ends(entry.second); });
  return narrowed;
}

/// The variables without an interval that the condition, a conjunction, compares with one number from below and with
/// one from above.
std::set<VarId> LaunchIntervals::between(ExprP c) const {
  std::set<VarId> above, below, both;
  const auto compares = [&](auto&& self, ExprP part) -> void {
    part = condition(part);
    if (part->kind != Expr::Kind::Binary) return;
    if (part->type == Scalar::Bool && part->op == Op::And) {
      self(self, part->a);
      self(self, part->b);
      return;
    }
    if (!is_comparison(part->op) || part->op == Op::Ne || part->op == Op::Eq) return;
    const bool less = part->op == Op::Lt || part->op == Op::Le;
    const auto side = [&](ExprP e, bool limited_above) {
      if (e->kind == Expr::Kind::Var && e->type == Scalar::Int64 && !inputs_.count(e->var) && !state.count(e->var))
        (limited_above ? above : below).insert(e->var);
    };
    side(part->a, less);
    side(part->b, !less);
  };
  compares(compares, c);
  std::set_intersection(above.begin(), above.end(), below.begin(), below.end(), std::inserter(both, both.end()));
  return both;
}

bool LaunchIntervals::narrow(ExprP c, bool truth) {
  c = condition(c);
  if (c->kind == Expr::Kind::Unary && c->op == Op::Not) return narrow(c->a, !truth);
  if (c->kind != Expr::Kind::Binary) return false;
  if (c->type == Scalar::Bool && (c->op == Op::And || c->op == Op::Or)) {
    if ((c->op == Op::And) != truth) return false;
    const bool a = narrow(c->a, truth), b = narrow(c->b, truth);
    return a || b;
  }
  if (!is_comparison(c->op) || is_float(c->a->type)) return false;
  const Op op = truth ? c->op : negated(c->op);
  const bool a = narrow_variable(c->a, op, c->b), b = narrow_variable(c->b, mirrored(op), c->a);
  return a || b;
}

bool LaunchIntervals::narrow_variable(ExprP e, Op op, ExprP by) {
  if (op == Op::Ne) return false;
  int64_t shift = 0;  // e is variable + shift
  // Only 64-bit sums: with a variable whose interval is known they cannot wrap.
  if (e->kind == Expr::Kind::Binary && (e->op == Op::Add || e->op == Op::Sub) && e->type == Scalar::Int64 &&
      e->b->kind == Expr::Kind::IntConst && std::abs(e->b->ival) < (int64_t{1} << 31)) {
    shift = e->op == Op::Add ? e->b->ival : -e->b->ival;
    e = e->a;
  }
  if (e->kind != Expr::Kind::Var || inputs_.count(e->var)) return false;
  auto it = state.find(e->var);
  if (it == state.end() || (shift != 0 && !has_ends(it->second))) return false;
  const auto limit = value(by);
  if (!limit || limit->bits > most_bits) return false;
  Interval& v = it->second;
  if (!has_ends(v)) v.of_type = v.of_type || limit->of_type;
  const auto narrowed = [&](ExprP& end, ExprP by_end, bool upper) {
    by_end = keep(by_end);
    end = !end ? by_end : keep(upper ? x_.min(end, by_end) : x_.max(end, by_end));
  };
  if (op == Op::Lt || op == Op::Le || op == Op::Eq)
    narrowed(v.hi, x_.sub(limit->hi, x_.int_const(shift + (op == Op::Lt))), true);
  if (op == Op::Gt || op == Op::Ge || op == Op::Eq)
    narrowed(v.lo, x_.sub(limit->lo, x_.int_const(shift - (op == Op::Gt))), false);
  v.bits = std::max(v.bits, limit->bits + 1);
  v.valid = both_valid(v.valid, limit->valid);
  return true;
}

}  // namespace vr::lower
