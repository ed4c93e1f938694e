// Ranges and domain variables as subscripts (thesis 4.3.2): where they begin, how far they step, how many they are.
#include "lower/function_lowering.hpp"

namespace vr::lower {

// What a range gives, Int64; an empty function: left out. A domain variable may leave out what nobody knows here.
struct FunctionLowering::RangeParts {
  std::function<ExprP()> start, step;
  std::function<ExprP(ExprP down, ExprP* whole)> stop;     ///< rounded as `range_stop` says
  ExprP has_start, has_step, has_stop, exclude, assigned;  ///< Bool
};

// A stop with a fraction (1:n/2) ends at the last whole step before it; `whole` tells whether it had none.
ExprP FunctionLowering::range_stop(ScalarValue v, ExprP down, ExprP* whole) {
  *whole = x_.bool_const(true);
  if (!ir::is_float(v.elem)) return keep(x_.convert(v.re, Scalar::Int64), "stop");
  ExprP d = keep(v.re, "stop");
  fail_if(x_.ne(d, d), Code::Type, "the stop of a range is not a number");
  ExprP rounded = keep(x_.select(down, x_.math(MathFn::Ceil, d), x_.math(MathFn::Floor, d)), "stop");
  *whole = keep(x_.eq(rounded, d), "whole");
  return keep(x_.convert(rounded, Scalar::Int64), "stop");
}

FunctionLowering::RangeParts FunctionLowering::range_parts(const ir::ExprPtr& e) {
  RangeParts p;
  p.assigned = p.has_start = p.has_step = p.has_stop = x_.bool_const(true);
  if (auto* r = ir::as<ir::Range>(e)) {
    p.exclude = x_.bool_const(r->exclude.value_or(conv_.exclude));
    if (r->start) p.start = [this, r] { return int_value(r->start, "the start of a range"); };
    if (r->step) p.step = [this, r] { return int_value(r->step, "the step of a range"); };
    if (r->stop)
      p.stop = [this, r](ExprP down, ExprP* whole) {
        if (ExprP k = int_form(*r->stop)) {
          *whole = x_.bool_const(true);
          return keep(k, "stop");
        }
        return range_stop(scalar(r->stop), down, whole);
      };
    return p;
  }
  const Slot d = domain_slot(e);
  auto has = [&](int32_t bit) { return temp(has_range_bit(d.parts.data(), bit), "given"); };
  p.assigned = has(RangeAssigned);
  p.has_start = has(RangeStart);
  p.has_step = has(RangeStep);
  p.has_stop = has(RangeStop);
  p.exclude = has(RangeExclude);
  // A part that was not given is zero: no fault comes of it.
  auto part = [this, d](size_t k) { return ScalarValue{get(d.parts[k].var), nullptr, d.parts[k].type.elem}; };
  p.start = [=, this] { return to_int64(part(0), "the start of a range"); };
  p.step = [=, this] { return to_int64(part(1), "the step of a range"); };
  p.stop = [=, this](ExprP down, ExprP* whole) { return range_stop(part(2), down, whole); };
  return p;
}

ExprP FunctionLowering::range_step(const RangeParts& r, const std::string& array, int axis, ExprP extent) {
  ExprP one = x_.int_const(1);
  ExprP step = r.step ? keep(x_.select(r.has_step, r.step(), one), "step") : one;
  fail_if(x_.eq(step, x_.int_const(0)), Code::Size, "the step of a range is zero", array, axis, step, extent);
  return step;
}

// The points between any two integers, however far apart: at most the largest Int64, no span wraps round.
ExprP FunctionLowering::int_range_count(ExprP start, ExprP step, ExprP stop, ExprP exclude) {
  ExprP zero = x_.int_const(0), one = x_.int_const(1), most = x_.int_const(INT64_MAX);
  auto constant = [](ExprP e, int64_t least) { return e->kind == Expr::Kind::IntConst && e->ival >= least; };
  if (is_int(step, 1)) {
    if (is_int(start, is_false(exclude) ? 1 : 0) && is_const(exclude)) return keep(x_.max(stop, zero), "count");
    ExprP n = keep(x_.sub(stop, start), "span");
    if (!constant(start, 0)) n = keep(x_.select(x_.lt(n, zero), most, n), "span");  // looked at where start < stop only
    ExprP next = constant(start, 1) ? one : x_.select(x_.lt(n, most), one, zero);
    return keep(x_.select(x_.select(exclude, x_.lt(start, stop), x_.le(start, stop)),
                          x_.select(exclude, n, x_.add(n, next)), zero),
                "count");
  }
  ExprP down = keep(x_.lt(step, zero), "down"), moves = x_.ne(step, zero);
  ExprP divisor = keep(x_.select(moves, step, one), "step"), before = zero, from = start;
  if (!constant(start, 0) || !constant(step, 1)) {
    // A span that does not fit is counted from the first point behind zero on.
    ExprP far = x_.select(down, x_.both(x_.ge(start, zero), x_.lt(stop, zero)),
                          x_.both(x_.lt(start, zero), x_.ge(stop, zero)));
    ExprP gap = x_.sub(stop, start);
    ExprP wraps = x_.select(down, x_.either(x_.gt(gap, zero), x_.eq(gap, x_.int_const(INT64_MIN))), x_.lt(gap, zero));
    ExprP splits = x_.both(moves, x_.both(far, wraps));
    if (!is_false(splits)) {
      VarId points = new_var("before", Scalar::Int64), first = new_var("from", Scalar::Int64);
      set(points, zero);
      set(first, start);
      emit(If{splits, collect([&] {
                ExprP past = x_.select(down, start, x_.add(start, one));
                ExprP n = keep(x_.sub(one, x_.binary(Op::Div, past, divisor)), "n");
                set(first, x_.add(start, x_.mul(n, step)));
                set(points, x_.select(x_.lt(n, zero), most, n));
              }),
              {}, true});
      before = get(points), from = get(first);
    }
  }
  ExprP span = x_.sub(stop, from), less = x_.select(down, x_.add(span, one), x_.sub(span, one));
  ExprP rising = x_.select(exclude, x_.lt(from, stop), x_.le(from, stop));
  ExprP falling = x_.select(exclude, x_.lt(stop, from), x_.le(stop, from));
  ExprP runs = x_.both(moves, x_.select(down, falling, rising));
  // What is not used must not fault either: the least Int64 by -1.
  ExprP steps = keep(x_.binary(Op::Div, x_.select(runs, x_.select(exclude, less, span), zero), divisor), "steps");
  const bool few = is_const(step) && !is_int(step, 1) && !is_int(step, -1);
  ExprP next = few ? one : x_.select(x_.lt(steps, most), one, zero);
  ExprP n = keep(x_.select(runs, x_.add(steps, next), zero), "count");
  if (before == zero) return n;
  return keep(x_.select(x_.gt(before, x_.sub(most, n)), most, x_.add(before, n)), "count");
}

FunctionLowering::RangeValue FunctionLowering::int_range(const RangeParts& r, ExprP extent, const std::string& array,
                                                         int axis) {
  ExprP base = x_.int_const(conv_.indexing), one = x_.int_const(1), zero = x_.int_const(0);
  ExprP step = range_step(r, array, axis, extent);
  ExprP down = x_.lt(step, zero);
  ExprP last = x_.sub(x_.add(base, extent), one);
  ExprP start = x_.select(down, last, base), stop = x_.select(down, base, last);
  if (r.start) start = x_.select(r.has_start, r.start(), start);
  start = keep(start, "start");
  ExprP whole = x_.bool_const(false);
  if (r.stop) {
    ExprP given = r.stop(down, &whole);
    stop = x_.select(r.has_stop, given, stop);
    whole = x_.both(whole, x_.both(r.has_stop, r.exclude));
  }
  stop = keep(stop, "stop");
  ExprP count = int_range_count(start, step, stop, whole);
  return {start, step, keep(x_.select(r.assigned, count, zero), "count")};
}

// NumPy's slices: bounds below zero count from the end, then both are clipped to the array.
FunctionLowering::RangeValue FunctionLowering::clipped_range(const RangeParts& r, ExprP extent,
                                                             const std::string& array, int axis) {
  ExprP base = x_.int_const(conv_.indexing), one = x_.int_const(1), zero = x_.int_const(0), less = x_.int_const(-1);
  ExprP step = range_step(r, array, axis, extent);
  ExprP down = keep(x_.lt(step, zero), "down");
  ExprP low = x_.select(down, less, zero), high = x_.select(down, x_.sub(extent, one), extent);
  auto clip = [&](ExprP n) { return keep(x_.max(x_.min(n, high), low), "bound"); };
  auto wrapped = [&](ExprP e) {
    ExprP n = keep(x_.sub(e, base), "bound");
    return keep(x_.select(x_.lt(n, zero), x_.add(n, extent), n), "bound");
  };
  ExprP start = x_.select(down, x_.sub(extent, one), zero), stop = x_.select(down, less, extent);
  if (r.start) start = x_.select(r.has_start, clip(wrapped(r.start())), start);
  start = keep(start, "start");
  if (r.stop) {
    ExprP whole;
    ExprP given = wrapped(r.stop(down, &whole));
    ExprP near = x_.max(x_.min(given, extent), less);  // one further is still a number
    given = x_.select(x_.both(r.exclude, whole), given, x_.select(down, x_.sub(near, one), x_.add(near, one)));
    stop = x_.select(r.has_stop, clip(keep(given, "stop")), stop);
  }
  ExprP span = keep(x_.select(down, x_.sub(start, stop), x_.sub(stop, start)), "span");
  ExprP size = keep(x_.select(down, x_.neg(step), step), "size");
  ExprP safe = x_.select(x_.eq(size, zero), one, size);
  ExprP count = x_.select(x_.gt(span, zero), x_.add(x_.binary(Op::Div, x_.sub(span, one), safe), one), zero);
  return {start, step, keep(x_.select(r.assigned, count, zero), "count")};
}

FunctionLowering::RangeValue FunctionLowering::subscript_range(const ir::Index& i, size_t k, ExprP extent, bool write) {
  const ir::Subscript& s = i.subscripts[k];
  const int axis = static_cast<int>(k);
  ExprP zero = x_.int_const(0), one = x_.int_const(1), base = x_.int_const(conv_.indexing);
  if (is_whole(s)) return {zero, one, extent};
  const std::string& name = name_of(i.array);
  const RangeParts parts = range_parts(s.value);
  if (s.negative) return clipped_range(parts, extent, name, axis);
  RangeValue v = int_range(parts, extent, name, axis);
  ExprP start = v.start;
  v.start = keep(x_.sub(v.start, base), "start");
  ExprP some = keep(x_.gt(v.count, zero), "some");
  ExprP end = keep(x_.add(v.start, x_.mul(x_.sub(v.count, one), v.step)), "end");
  const bool low = s.minbounds || m_.options.force_checks, high = s.maxbounds || m_.options.force_checks;
  const bool upper = high && !(write && may_grow(i, k));
  for (ExprP at : {v.start, end}) {
    ExprP given = at == end ? x_.add(end, base) : start;
    if (low) fail_if(x_.both(some, x_.lt(at, zero)), Code::OutOfBounds, "", name, axis, given, extent);
    if (upper) fail_if(x_.both(some, x_.ge(at, extent)), Code::OutOfBounds, "", name, axis, given, extent);
  }
  return v;
}

// All that a dimension has, as written. A domain variable may turn out to be that: is_whole_domain.
bool FunctionLowering::is_whole(const ir::Subscript& s) {
  auto* r = ir::as<ir::Range>(s.value);
  return r && !r->start && !r->step && !r->stop;
}

ExprP FunctionLowering::is_whole_domain(const ir::ExprPtr& e) {
  const Slot d = domain_slot(e);
  return x_.eq(x_.binary(Op::And, get(d.parts[3].var), x_.int_const(~RangeExclude, Scalar::Int32)),
               x_.int_const(RangeAssigned, Scalar::Int32));
}

bool FunctionLowering::is_range(const ir::Subscript& s) {
  return s.value->kind == ir::Kind::Range || s.value->type.is_domain();
}

}  // namespace vr::lower
