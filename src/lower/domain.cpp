#include "lower/domain.hpp"

#include "ir/typing.hpp"
#include "lower/call.hpp"
#include "lower/elementwise.hpp"
#include "lower/range.hpp"
#include "lower/scalar.hpp"
#include "lower/variables.hpp"

#include <algorithm>
#include <limits>

namespace vr::lower {

using ir::Elem;

ExprP range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, bool exclude) {
  if (start->type == Scalar::UInt64) {
    // uint64 ranges only count upwards; the trip count is limited to what an Int64 holds.
    const ExprP none = out.x.int_const(0, Scalar::UInt64), one = out.x.int_const(1, Scalar::UInt64);
    const ExprP runs = out.keep(out.x.both(out.x.ne(step, none), exclude ? out.x.lt(start, stop) : out.x.le(start, stop)));
    const ExprP span = out.x.sub(exclude ? out.x.sub(stop, one) : stop, start);
    const ExprP n = out.keep(out.x.binary(Op::Div, out.x.select(runs, span, none), out.x.select(runs, step, one)), "n");
    const ExprP most = out.x.int_const(INT64_MAX, Scalar::UInt64);
    const ExprP count = out.x.select(out.x.lt(n, most), out.x.add(n, one), most);
    return out.keep(out.x.convert(out.x.select(runs, count, none), Scalar::Int64), "count");
  }
  if (!is_float(start->type)) return int_range_count(out, start, step, stop, out.x.bool_const(exclude));
  // As in MATLAB: a quotient that rounding left slightly below a whole number counts as that number.
  Scalar s = start->type;
  ExprP zero = out.x.float_const(0, s);
  double eps = s == Scalar::Float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  ExprP q = out.keep(out.x.binary(Op::Div, out.x.sub(stop, start), step), "quotient");
  ExprP one = out.x.float_const(1, s);
  ExprP n = out.keep(out.x.add(out.x.math(MathFn::Floor, out.x.mul(q, out.x.float_const(1 + eps, s))), one), "n");
  if (exclude) {
    // One less if the last value is the stop, up to rounding.
    ExprP last = out.keep(out.x.add(start, out.x.mul(out.x.sub(n, one), step)), "last");
    ExprP a = out.x.math(MathFn::Fabs, start), b = out.x.math(MathFn::Fabs, stop);
    ExprP slack = out.keep(out.x.mul(out.x.float_const(eps, s), out.x.select(out.x.lt(a, b), b, a)), "slack");
    ExprP reached = out.x.select(out.x.gt(step, zero), out.x.ge(last, out.x.sub(stop, slack)),
                                 out.x.le(last, out.x.add(stop, slack)));
    n = out.x.select(reached, out.x.sub(n, one), n);
  }
  ExprP runs = out.x.both(out.x.ne(step, zero), out.x.ge(q, zero));
  return out.keep(out.x.select(runs, out.x.convert(n, Scalar::Int64), out.x.int_const(0)), "count");
}

// `given`: the domain's type of this dimension, to which the parts are converted; null: none was stated.
static LoopDim loop_dim(Lowering& f, ir::SymbolId id, const ir::Range& r, const ir::Type& given) {
  LoopDim d;
  d.id = id;
  // The stated type, otherwise the widest type of start, step and stop.
  Elem elem = Elem::Bool;
  bool whole_parts = true;
  for (const ir::ExprPtr& e : {r.start, r.step, r.stop}) {
    if (!e) continue;
    elem = ir::common_elem(elem, e->type.elem);
    whole_parts = whole_parts && !ir::is_float(e->type.elem) && e->type.elem != Elem::UInt64;
  }
  if (elem == Elem::Bool) elem = Elem::Int32;
  if (given.is_scalar()) elem = given.elem;
  const bool exclude = r.exclude.value_or(f.conv.exclude);
  ExprP base = f.x.int_const(f.conv.indexing), one = f.x.int_const(1);
  if (!ir::is_float(elem) || (elem == Elem::Float64 && whole_parts)) {
    const Scalar count_in = elem == Elem::UInt64 ? Scalar::UInt64 : Scalar::Int64;
    auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
      if (!e) return f.x.convert(otherwise, count_in);
      const Elem narrow = ir::is_float(elem) ? Elem::Int64 : elem;
      return f.out.keep(f.x.convert(convert(f.out, scalar(f, e), narrow, false).re, count_in), name);
    };
    d.start = part(r.start, base, "start");
    d.step = part(r.step, one, "step");
    ExprP stop = part(r.stop, base, "stop");
    d.count = range_count(f.out, d.start, d.step, stop, exclude);
    d.start = f.x.convert(d.start, Scalar::Int64);
    d.step = f.x.convert(d.step, Scalar::Int64);
    d.integral = true;
    d.int_start = d.start;
    d.int_step = d.step;
    return d;
  }
  Scalar s = scalar_of(elem);
  auto part = [&](const ir::ExprPtr& e, ExprP otherwise, const char* name) {
    return e ? f.out.keep(convert(f.out, scalar(f, e), elem, false).re, name) : f.x.convert(otherwise, s);
  };
  d.int_start = r.start ? int_form(f, *r.start) : base;
  d.int_step = r.step ? int_form(f, *r.step) : one;
  d.integral = elem == Elem::Float64 && d.int_start && d.int_step;
  if (d.integral) {
    d.int_start = f.out.keep(d.int_start, "start");
    d.int_step = f.out.keep(d.int_step, "step");
  }
  d.start = part(r.start, base, "start");
  d.step = part(r.step, one, "step");
  ExprP stop = part(r.stop, base, "stop");
  d.count = range_count(f.out, d.start, d.step, stop, exclude);
  return d;
}

// A dimension of a domain variable with its current parts; parts that were not given have the defaults of a range.
static LoopDim loop_dim(Lowering& f, ir::SymbolId id, const Slot* parts) {
  LoopDim d;
  d.id = id;
  d.integral = !ir::is_float(parts[0].type.elem);
  const Elem elem = parts[0].type.elem;
  const Scalar s = d.integral && elem != Elem::UInt64 ? Scalar::Int64 : scalar_of(elem);
  auto has = [&](int32_t bit) { return has_range_bit(f.out, parts, bit); };
  auto part = [&](int k, int32_t bit, int64_t otherwise, const char* name) {
    return f.out.temp(
        f.x.select(has(bit), f.x.convert(f.out.get(parts[k].var), s), f.x.convert(f.x.int_const(otherwise), s)), name);
  };
  d.start = part(0, RangeStart, f.conv.indexing, "start");
  d.step = part(1, RangeStep, 1, "step");
  ExprP stop = f.out.temp(f.x.convert(f.out.get(parts[2].var), s), "stop");
  f.out.fail_if(f.x.both(has(RangeAssigned), f.x.not_(has(RangeStop))), Code::Type,
                "a range without a stop cannot be iterated");
  ExprP less = range_count(f.out, d.start, d.step, stop, true), all = range_count(f.out, d.start, d.step, stop, false);
  d.count =
      f.out.temp(f.x.select(has(RangeAssigned), f.x.select(has(RangeExclude), less, all), f.x.int_const(0)), "count");
  if (d.integral) {
    d.start = d.int_start = f.x.convert(d.start, Scalar::Int64);
    d.step = d.int_step = f.x.convert(d.step, Scalar::Int64);
  }
  return d;
}

ExprP has_range_bit(Emitter& out, const Slot* parts, int32_t bit) {
  ExprP bits = out.x.binary(Op::And, out.get(parts[3].var), out.x.int_const(bit, Scalar::Int32));
  return out.x.ne(bits, out.x.int_const(0, Scalar::Int32));
}

std::vector<LoopDim> loop_dims(Lowering& f, const std::vector<ir::SymbolId>& ids, const ir::ExprPtr& domain) {
  std::vector<LoopDim> dims;
  auto* d = ir::as<ir::Domain>(domain);
  bool endless = false, ranges = true;
  const std::vector<ir::ExprPtr> parts = d ? d->ranges : std::vector<ir::ExprPtr>{domain};
  // Ranges that state two types are converted through both, as domain variables are.
  for (size_t k = 0; k < parts.size(); ++k)
    ranges = ranges && parts[k]->kind == ir::Kind::Range &&
             (!d || !parts[k]->type.is_domain() || parts[k]->type.components()[0] == d->type.components()[k]);
  if (!ranges) {
    const Slot s = domain_slot(f, domain);
    for (size_t k = 0; k < ids.size(); ++k) dims.push_back(loop_dim(f, ids[k], &s.parts[4 * k]));
    return dims;
  }
  const auto& types = domain->type.components();
  for (size_t k = 0; k < ids.size(); ++k) {
    const auto& r = static_cast<const ir::Range&>(*parts[k]);
    endless = endless || !r.stop;
    dims.push_back(loop_dim(f, ids[k], r, types.empty() ? ir::Type::null() : types[std::min(k, types.size() - 1)]));
  }
  if (endless) f.out.fail_if(f.x.bool_const(true), Code::Type, "a range without a stop cannot be iterated");
  return dims;
}

Slot domain_slot(Lowering& f, const ir::ExprPtr& e) {
  if (auto* n = ir::as<ir::Name>(e)) return slot(f, n->id);
  if (ir::as<ir::FnCall>(e)) return call_results(f, e).at(0);
  Slot s = new_slot(f.out, "domain", e->type);
  assign_domain(f, s, e);
  return s;
}

void assign_domain(Lowering& f, Slot& to, const ir::ExprPtr& value) {
  auto copy = [&](const Slot* from, Slot* part) {
    for (int k = 0; k < 4; ++k) {
      const ir::Type& t = part[k].type;
      f.out.set(part[k].var, convert(f.out, {f.out.get(from[k].var), nullptr, from[k].type.elem}, t).re);
    }
  };
  auto* d = ir::as<ir::Domain>(value);
  const std::vector<ir::ExprPtr> dims = d ? d->ranges : std::vector<ir::ExprPtr>{value};
  if (!d && value->kind != ir::Kind::Range) {
    const Slot from = domain_slot(f, value);
    for (size_t k = 0; k < from.parts.size(); k += 4) copy(&from.parts[k], &to.parts[k]);
    return;
  }
  // All parts are computed before the variable is set, because they may read it.
  std::vector<Slot> made;
  for (size_t q = 0; q < dims.size(); ++q) {
    if (dims[q]->kind != ir::Kind::Range) {
      const Slot from = domain_slot(f, dims[q]);
      made.push_back(new_slot(f.out, "dimension", from.type));
      copy(from.parts.data(), made.back().parts.data());
      continue;
    }
    const auto& r = static_cast<const ir::Range&>(*dims[q]);
    const ir::Type stated = r.type.is_domain()        ? r.type
                            : value->type.is_domain() ? ir::Type::domain({value->type.components()[q]})
                                                      : ir::Type::domain({to.type.components()[q]});
    made.push_back(new_slot(f.out, "dimension", stated));
    int32_t bits = RangeAssigned | (r.exclude.value_or(f.conv.exclude) ? RangeExclude : 0);
    const ir::ExprPtr* parts[] = {&r.start, &r.step, &r.stop};
    for (int k = 0; k < 3; ++k) {
      if (!*parts[k]) continue;
      bits |= 1 << k;
      f.out.set(made.back().parts[k].var, convert(f.out, scalar(f, *parts[k]), stated.components()[0]).re);
    }
    f.out.set(made.back().parts[3].var, f.x.int_const(bits, Scalar::Int32));
  }
  for (size_t q = 0; q < dims.size(); ++q) {
    Slot through = made[q];
    if (value->type.is_domain() && !(value->type.components()[q] == through.type.components()[0])) {
      Slot s = new_slot(f.out, "dimension", ir::Type::domain({value->type.components()[q]}));
      copy(through.parts.data(), s.parts.data());
      through = s;
    }
    copy(through.parts.data(), &to.parts[4 * q]);
  }
}

}  // namespace vr::lower
