// Ranges and domain variables as subscripts (thesis 4.3.2): their starts, steps and trip counts.
#include "lower/range.hpp"

#include "lower/domain.hpp"
#include "lower/index.hpp"
#include "lower/scalar.hpp"
#include "lower/variables.hpp"

namespace vr::lower {

// The parts of a range as Int64; an empty function: the part is omitted. A domain variable's parts are known at run
// time only.
struct RangeParts {
  std::function<ExprP()> start, step;
  std::function<ExprP(ExprP down, ExprP* whole)> stop;     ///< rounded as `range_stop` says
  ExprP has_start, has_step, has_stop, exclude, assigned;  ///< Bool
};

// A stop with a fraction (1:n/2) is rounded to the integer before it; `whole`: whether it was an integer.
static ExprP range_stop(Emitter& out, ScalarValue v, ExprP down, ExprP* whole) {
  *whole = out.x.bool_const(true);
  if (!ir::is_float(v.elem)) return out.keep(to_int64(out, v, "the stop of a range"), "stop");
  ExprP d = out.keep(v.re, "stop");
  out.fail_if(out.x.ne(d, d), Code::Type, "the stop of a range is not a number");
  ExprP rounded = out.keep(out.x.select(down, out.x.math(MathFn::Ceil, d), out.x.math(MathFn::Floor, d)), "stop");
  *whole = out.keep(out.x.eq(rounded, d), "whole");
  return out.keep(out.x.convert(rounded, Scalar::Int64), "stop");
}

static RangeParts range_parts(Lowering& f, const ir::ExprPtr& e) {
  RangeParts p;
  p.assigned = p.has_start = p.has_step = p.has_stop = f.x.bool_const(true);
  if (auto* r = ir::as<ir::Range>(e)) {
    p.exclude = f.x.bool_const(r->exclude.value_or(f.conv.exclude));
    if (r->start) p.start = [&f, r] { return int_value(f, r->start, "the start of a range"); };
    if (r->step) p.step = [&f, r] { return int_value(f, r->step, "the step of a range"); };
    if (r->stop)
      p.stop = [&f, r](ExprP down, ExprP* whole) {
        if (ExprP k = int_form(f, *r->stop)) {
          *whole = f.x.bool_const(true);
          return f.out.keep(k, "stop");
        }
        return range_stop(f.out, scalar(f, r->stop), down, whole);
      };
    return p;
  }
  const Slot d = domain_slot(f, e);
  auto has = [&](int32_t bit) { return f.out.temp(has_range_bit(f.out, d.parts.data(), bit), "given"); };
  p.assigned = has(RangeAssigned);
  p.has_start = has(RangeStart);
  p.has_step = has(RangeStep);
  p.has_stop = has(RangeStop);
  p.exclude = has(RangeExclude);
  // A part that was not given is zero, so that evaluating it causes no fault.
  auto part = [&f, d](size_t k) { return ScalarValue{f.out.get(d.parts[k].var), nullptr, d.parts[k].type.elem}; };
  p.start = [=, &f] { return to_int64(f.out, part(0), "the start of a range"); };
  p.step = [=, &f] { return to_int64(f.out, part(1), "the step of a range"); };
  p.stop = [=, &f](ExprP down, ExprP* whole) { return range_stop(f.out, part(2), down, whole); };
  return p;
}

static ExprP range_step(Emitter& out, const RangeParts& r, const std::string& array, int axis, ExprP extent) {
  ExprP one = out.x.int_const(1);
  ExprP step = r.step ? out.keep(out.x.select(r.has_step, r.step(), one), "step") : one;
  out.fail_if(out.x.eq(step, out.x.int_const(0)), Code::Size, "the step of a range is zero", array, axis, step, extent);
  return step;
}

// Trip count between any two integers, however far apart; INT64_MAX where stop - start would wrap.
ExprP int_range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, ExprP exclude) {
  ExprP zero = out.x.int_const(0), one = out.x.int_const(1), most = out.x.int_const(INT64_MAX);
  auto constant = [](ExprP e, int64_t least) { return e->kind == Expr::Kind::IntConst && e->ival >= least; };
  if (is_int(step, 1)) {
    if (is_int(start, is_false(exclude) ? 1 : 0) && is_const(exclude)) return out.keep(out.x.max(stop, zero), "count");
    ExprP n = out.keep(out.x.sub(stop, start), "span");
    if (!constant(start, 0))
      n = out.keep(out.x.select(out.x.lt(n, zero), most, n), "span");  // used only where start < stop
    ExprP next = constant(start, 1) ? one : out.x.select(out.x.lt(n, most), one, zero);
    return out.keep(out.x.select(out.x.select(exclude, out.x.lt(start, stop), out.x.le(start, stop)),
                                 out.x.select(exclude, n, out.x.add(n, next)), zero),
                    "count");
  }
  ExprP down = out.keep(out.x.lt(step, zero), "down"), moves = out.x.ne(step, zero);
  ExprP divisor = out.keep(out.x.select(moves, step, one), "step"), before = zero, from = start;
  if (!constant(start, 0) || !constant(step, 1)) {
    // If stop - start overflows, only the iterations from the first number past zero on are counted.
    ExprP far = out.x.select(down, out.x.both(out.x.ge(start, zero), out.x.lt(stop, zero)),
                             out.x.both(out.x.lt(start, zero), out.x.ge(stop, zero)));
    ExprP gap = out.x.sub(stop, start);
    ExprP wraps = out.x.select(down, out.x.either(out.x.gt(gap, zero), out.x.eq(gap, out.x.int_const(INT64_MIN))),
                               out.x.lt(gap, zero));
    ExprP splits = out.x.both(moves, out.x.both(far, wraps));
    if (!is_false(splits)) {
      VarId points = out.new_var("before", Scalar::Int64), first = out.new_var("from", Scalar::Int64);
      out.set(points, zero);
      out.set(first, start);
      out.emit(If{splits,
                  out.collect([&] {
                    ExprP past = out.x.select(down, start, out.x.add(start, one));
                    ExprP n = out.keep(out.x.sub(one, out.x.binary(Op::Div, past, divisor)), "n");
                    out.set(first, out.x.add(start, out.x.mul(n, step)));
                    out.set(points, out.x.select(out.x.lt(n, zero), most, n));
                  }),
                  {},
                  true});
      before = out.get(points), from = out.get(first);
    }
  }
  ExprP span = out.x.sub(stop, from), less = out.x.select(down, out.x.add(span, one), out.x.sub(span, one));
  ExprP rising = out.x.select(exclude, out.x.lt(from, stop), out.x.le(from, stop));
  ExprP falling = out.x.select(exclude, out.x.lt(stop, from), out.x.le(stop, from));
  ExprP runs = out.x.both(moves, out.x.select(down, falling, rising));
  // The division must not trap, even if its result is not used: INT64_MIN / -1.
  ExprP steps =
      out.keep(out.x.binary(Op::Div, out.x.select(runs, out.x.select(exclude, less, span), zero), divisor), "steps");
  const bool few = is_const(step) && !is_int(step, 1) && !is_int(step, -1);
  ExprP next = few ? one : out.x.select(out.x.lt(steps, most), one, zero);
  ExprP n = out.keep(out.x.select(runs, out.x.add(steps, next), zero), "count");
  if (before == zero) return n;
  return out.keep(out.x.select(out.x.gt(before, out.x.sub(most, n)), most, out.x.add(before, n)), "count");
}

static RangeValue int_range(Emitter& out, const RangeParts& r, ExprP extent, const std::string& array, int axis) {
  ExprP base = out.x.int_const(out.conv.indexing), one = out.x.int_const(1), zero = out.x.int_const(0);
  ExprP step = range_step(out, r, array, axis, extent);
  ExprP down = out.x.lt(step, zero);
  ExprP last = out.x.sub(out.x.add(base, extent), one);
  ExprP start = out.x.select(down, last, base), stop = out.x.select(down, base, last);
  if (r.start) start = out.x.select(r.has_start, r.start(), start);
  start = out.keep(start, "start");
  ExprP whole = out.x.bool_const(false);
  if (r.stop) {
    ExprP given = r.stop(down, &whole);
    stop = out.x.select(r.has_stop, given, stop);
    whole = out.x.both(whole, out.x.both(r.has_stop, r.exclude));
  }
  stop = out.keep(stop, "stop");
  ExprP count = int_range_count(out, start, step, stop, whole);
  return {start, step, out.keep(out.x.select(r.assigned, count, zero), "count")};
}

// NumPy's slices: negative bounds count from the end, then both are clipped to the array.
static RangeValue clipped_range(Emitter& out, const RangeParts& r, ExprP extent, const std::string& array, int axis) {
  ExprP base = out.x.int_const(out.conv.indexing), one = out.x.int_const(1), zero = out.x.int_const(0),
        less = out.x.int_const(-1);
  ExprP step = range_step(out, r, array, axis, extent);
  ExprP down = out.keep(out.x.lt(step, zero), "down");
  ExprP low = out.x.select(down, less, zero), high = out.x.select(down, out.x.sub(extent, one), extent);
  auto clip = [&](ExprP n) { return out.keep(out.x.max(out.x.min(n, high), low), "bound"); };
  auto wrapped = [&](ExprP e) {
    ExprP n = out.keep(out.x.sub(e, base), "bound");
    return out.keep(out.x.select(out.x.lt(n, zero), out.x.add(n, extent), n), "bound");
  };
  ExprP start = out.x.select(down, out.x.sub(extent, one), zero), stop = out.x.select(down, less, extent);
  if (r.start) start = out.x.select(r.has_start, clip(wrapped(r.start())), start);
  start = out.keep(start, "start");
  if (r.stop) {
    ExprP whole;
    ExprP given = wrapped(r.stop(down, &whole));
    ExprP near = out.x.max(out.x.min(given, extent), less);  // adding 1 cannot overflow
    given = out.x.select(out.x.both(r.exclude, whole), given,
                         out.x.select(down, out.x.sub(near, one), out.x.add(near, one)));
    stop = out.x.select(r.has_stop, clip(out.keep(given, "stop")), stop);
  }
  ExprP span = out.keep(out.x.select(down, out.x.sub(start, stop), out.x.sub(stop, start)), "span");
  ExprP size = out.keep(out.x.select(down, out.x.neg(step), step), "size");
  ExprP safe = out.x.select(out.x.eq(size, zero), one, size);
  ExprP count =
      out.x.select(out.x.gt(span, zero), out.x.add(out.x.binary(Op::Div, out.x.sub(span, one), safe), one), zero);
  return {start, step, out.keep(out.x.select(r.assigned, count, zero), "count")};
}

RangeValue subscript_range(Lowering& f, const ir::Index& i, size_t k, ExprP extent, bool write) {
  const ir::Subscript& s = i.subscripts[k];
  const int axis = static_cast<int>(k);
  ExprP zero = f.x.int_const(0), one = f.x.int_const(1), base = f.x.int_const(f.conv.indexing);
  if (is_whole(s)) return {zero, one, extent};
  const std::string& name = name_of(f, i.array);
  const RangeParts parts = range_parts(f, s.value);
  if (s.negative) return clipped_range(f.out, parts, extent, name, axis);
  RangeValue v = int_range(f.out, parts, extent, name, axis);
  ExprP start = v.start;
  v.start = f.out.keep(f.x.sub(v.start, base), "start");
  ExprP some = f.out.keep(f.x.gt(v.count, zero), "some");
  ExprP end = f.out.keep(f.x.add(v.start, f.x.mul(f.x.sub(v.count, one), v.step)), "end");
  const bool low = s.minbounds || f.m.options.force_checks, high = s.maxbounds || f.m.options.force_checks;
  const bool upper = high && !(write && may_grow(f, i, k));
  for (ExprP at : {v.start, end}) {
    ExprP given = at == end ? f.x.add(end, base) : start;
    if (low) f.out.fail_if(f.x.both(some, f.x.lt(at, zero)), Code::OutOfBounds, "", name, axis, given, extent);
    if (upper) f.out.fail_if(f.x.both(some, f.x.ge(at, extent)), Code::OutOfBounds, "", name, axis, given, extent);
  }
  return v;
}

// Whether the subscript is written as a whole range. A domain variable may be one at run time: is_whole_domain.
bool is_whole(const ir::Subscript& s) {
  auto* r = ir::as<ir::Range>(s.value);
  return r && !r->start && !r->step && !r->stop;
}

ExprP is_whole_domain(Lowering& f, const ir::ExprPtr& e) {
  const Slot d = domain_slot(f, e);
  return f.x.eq(f.x.binary(Op::And, f.out.get(d.parts[3].var), f.x.int_const(~RangeExclude, Scalar::Int32)),
                f.x.int_const(RangeAssigned, Scalar::Int32));
}

bool is_range(const ir::Subscript& s) { return s.value->kind == ir::Kind::Range || s.value->type.is_domain(); }

}  // namespace vr::lower
