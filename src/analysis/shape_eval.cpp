// Numbers, operators and calls.
#include "analysis/shape_eval.hpp"

#include "ir/library.hpp"

#include <velociraptor/ir/visit.hpp>

#include <cmath>

namespace vr::analysis {

using namespace ir;

namespace {

Elem arithmetic_elem(Elem a, Elem b) {
  const Elem e = common_elem(a, b);
  return e == Elem::Bool ? Elem::Int32 : e;
}

bool real(const Type& t) { return !t.complex; }

Number truth(bool b) { return Number::of(b); }
Number either() { return Number::in({0, 1}); }

Number compare(Kind k, const Number& a, const Type& ta, const Number& b, const Type& tb) {
  const Type wide = Type::scalar(common_elem(ta.elem, tb.elem), ta.complex || tb.complex);
  const Number d = converted(a, wide) - converted(b, wide);
  if (!d.whole) return either();
  const Interval& r = d.range;
  switch (k) {
    case Kind::Lt:
      return r.hi < 0 ? truth(true) : r.lo >= 0 ? truth(false) : either();
    case Kind::Leq:
      return r.hi <= 0 ? truth(true) : r.lo > 0 ? truth(false) : either();
    case Kind::Gt:
      return r.lo > 0 ? truth(true) : r.hi <= 0 ? truth(false) : either();
    case Kind::Geq:
      return r.lo >= 0 ? truth(true) : r.hi < 0 ? truth(false) : either();
    case Kind::Eq:
      return r == Interval::of(0) ? truth(true) : !r.contains(0) ? truth(false) : either();
    default:
      return r == Interval::of(0) ? truth(false) : !r.contains(0) ? truth(true) : either();
  }
}

std::optional<bool> decided(const Number& n) {
  if (!n.whole) return {};
  if (!n.range.contains(0)) return true;
  if (n.range == Interval::of(0)) return false;
  return {};
}

}  // namespace

ShapeEval::ShapeEval(const Function& f, const Module& m, const Conventions& c, const Accesses& a, const Alias& alias)
    : function_(f), conventions_(c), accesses_(a), alias_(alias) {
  names_.set_module(m);
  names_.set_function(f);
  scope_ = {&m, &f, c, &names_};
}

const ShapeValue& ShapeEval::variable(SymbolId id, const ShapeState& s) const {
  return *s.variables[static_cast<size_t>(accesses_.position(id))];
}

void ShapeEval::assign(SymbolId id, ShapeValue v, ShapeState& s) const {
  s.variables[static_cast<size_t>(accesses_.position(id))] = std::make_shared<ShapeValue>(std::move(v));
}

void ShapeEval::touch(SymbolId id, const Number& v, ShapeState& s, bool itself) const {
  const auto group = alias_.group.find(id);
  if (group == alias_.group.end()) return;
  for (SymbolId other : alias_.groups[group->second].variables) {
    if (other == id ? !itself : !alias_.may_overlap(id, other)) continue;
    assign(other, with_stored(variable(other, s), type_of(other), v), s);
  }
}

ShapeValue ShapeEval::value(const ExprPtr& e, ShapeState& s) const {
  ShapeValue v = natural(*e, s);
  const Type& t = e->type;
  // If the result of a rule does not fit the stated type, the value is unknown: any value of the type.
  const bool fits = t.is_scalar()  ? v.kind == ShapeValue::Kind::Number
                    : t.is_array() ? v.kind == ShapeValue::Kind::Array && v.array.extents.size() == t.rank
                    : t.is_tuple() ? v.kind == ShapeValue::Kind::Tuple && v.parts.size() == t.components().size()
                                   : true;
  if (!fits) return any_value(t);
  if (t.is_scalar() && (t.complex || is_float_below_64(t.elem))) return ShapeValue::of(Number());
  return v;
}

ShapeEval::Values ShapeEval::arguments(const std::vector<ExprPtr>& args, ShapeState& s) const {
  Values v;
  v.reserve(args.size());
  for (const ExprPtr& a : args) v.push_back(value(a, s));
  return v;
}

std::vector<Interval> ShapeEval::broadcast(const std::vector<Interval>& a, const std::vector<Interval>& b) const {
  const size_t rank = std::max(a.size(), b.size());
  const bool none = conventions_.broadcast == BroadcastMode::None;
  std::vector<Interval> r(rank, Interval::of(1));
  for (const auto* e : {&a, &b}) {
    const size_t shift = conventions_.broadcast == BroadcastMode::Trailing ? rank - e->size() : 0;
    for (size_t k = 0; k < e->size(); ++k) {
      Interval& n = r[k + shift];
      const Interval& m = (*e)[k];
      const bool first = e == &a;
      // Extents other than 1 are equal, or the operation fails.
      if (first || (n == Interval::of(1) && !none))
        n = m;
      else if (m == Interval::of(1) && !none)
        continue;
      else if (none || (!n.contains(1) && !m.contains(1)))
        n = meet(n, m).value_or(n);
      else if (!n.contains(1))
        continue;
      else if (!m.contains(1))
        n = m;
      else
        n = hull(n, m);
    }
  }
  return r;
}

Number ShapeEval::arithmetic(Kind k, const Number& a, const Number& b, const Type& ta, const Type& tb,
                             const Type& stated) const {
  if (!real(ta) || !real(tb) || !real(stated)) return {};
  const Elem e = arithmetic_elem(ta.elem, tb.elem);
  const Type in = Type::scalar(e);
  const Number x = converted(a, in), y = converted(b, in);
  Number r;
  switch (k) {
    case Kind::Plus:
      r = x + y;
      break;
    case Kind::Minus:
      r = x - y;
      break;
    case Kind::Mult:
      r = x * y;
      break;
    default: {
      if (!x.whole || !y.whole) return any_of(stated);
      if (is_float(e) || is_float(stated.elem)) {
        // A division without rounding toward zero: tracked only if it is exact.
        const auto p = x.constant(), q = y.constant();
        if (!p || !q || *q == 0 || *p == Interval::least || *p % *q != 0) return any_of(stated);
        return converted(computed(Number::of(*p / *q), Elem::Float64), stated);
      }
      const auto q = quotient(x.range, y.range);
      if (!q) return any_of(stated);  // it fails
      r = Number::in(*q);
    }
  }
  return converted(computed(r, e), stated);
}

ShapeValue ShapeEval::binary(Kind k, const Expr& e, const ExprPtr& l, const ExprPtr& r, ShapeState& s) const {
  const ShapeValue a = value(l, s);
  const bool logic = k == Kind::And || k == Kind::Or;
  const ShapeValue b = value(r, s);
  Number n;
  const bool numbers = l->type.is_scalar() && r->type.is_scalar();
  auto each = [](const ShapeValue& v) { return v.kind == ShapeValue::Kind::Array ? v.array.element : v.number; };
  const Number x = each(a), y = each(b);
  const Type stated = e.type.is_numeric() ? e.type.element() : e.type;
  if (logic) {
    const auto p = decided(x), q = decided(y);
    n = either();
    if (k == Kind::And && ((p && !*p) || (q && !*q))) n = truth(false);
    if (k == Kind::And && p && *p && q && *q) n = truth(true);
    if (k == Kind::Or && ((p && *p) || (q && *q))) n = truth(true);
    if (k == Kind::Or && p && !*p && q && !*q) n = truth(false);
    n = converted(n, stated);
  } else if (k == Kind::Plus || k == Kind::Minus || k == Kind::Mult || k == Kind::Div) {
    n = arithmetic(k, x, y, l->type, r->type, stated);
  } else {
    n = converted(compare(k, x, l->type, y, r->type), stated);
  }
  if (numbers) return ShapeValue::of(n);
  std::vector<Interval> extents = a.kind != ShapeValue::Kind::Array   ? b.array.extents
                                  : b.kind != ShapeValue::Kind::Array ? a.array.extents
                                                                      : broadcast(a.array.extents, b.array.extents);
  ArrayShape out = new_array(e.type, std::move(extents));
  out.element = n.plain();
  // The elements of short vectors of extents and subscripts are tracked one by one.
  auto at = [](const ShapeValue& v, size_t j) {
    return v.kind == ShapeValue::Kind::Number ? v.number : v.array.elements[j];
  };
  auto followed = [&](const ShapeValue& v) {
    return v.kind == ShapeValue::Kind::Number || (!v.array.elements.empty() && v.array.extents == out.extents);
  };
  if (!logic && followed(a) && followed(b) && (k == Kind::Plus || k == Kind::Minus || k == Kind::Mult))
    for (size_t j = 0; j < static_cast<size_t>(out.count().value_or(0)); ++j)
      out.elements.push_back(arithmetic(k, at(a, j), at(b, j), l->type, r->type, stated));
  return ShapeValue::of(std::move(out));
}

ShapeValue ShapeEval::natural(const Expr& e, ShapeState& s) const {
  const Type& t = e.type;
  // An elementwise operation with one operand: its extents, and f of every element.
  auto mapped = [&](const ExprPtr& operand, auto&& f) {
    const ShapeValue v = value(operand, s);
    if (v.kind == ShapeValue::Kind::Number) return ShapeValue::of(f(v.number));
    ArrayShape a = new_array(t, v.array.extents);
    a.element = f(v.array.element).plain();
    for (const Number& n : v.array.elements) a.elements.push_back(f(n));
    return ShapeValue::of(std::move(a));
  };
  switch (e.kind) {
    case Kind::IntConst:
      return ShapeValue::of(converted(Number::of(static_cast<const IntConst&>(e).value), t));
    case Kind::FloatConst: {
      const double v = static_cast<const FloatConst&>(e).value;
      const bool whole = v == std::floor(v) && std::fabs(v) <= 0x1p53;
      return ShapeValue::of(whole ? converted(Number::of(static_cast<int64_t>(v)), t) : any_of(t));
    }
    case Kind::Name: {
      const SymbolId id = static_cast<const Name&>(e).id;
      return accesses_.position(id) < 0 ? any_value(t) : variable(id, s);
    }
#define VR_BINARY(K)                              \
  case Kind::K: {                                 \
    const auto& n = static_cast<const ir::K&>(e); \
    return binary(Kind::K, e, n.lhs, n.rhs, s);   \
  }
      VR_BINARY(Plus)
      VR_BINARY(Minus)
      VR_BINARY(Mult)
      VR_BINARY(Div)
      VR_BINARY(Lt)
      VR_BINARY(Leq)
      VR_BINARY(Gt)
      VR_BINARY(Geq)
      VR_BINARY(Eq)
      VR_BINARY(Neq)
      VR_BINARY(And)
      VR_BINARY(Or)
#undef VR_BINARY
    case Kind::Not:
      return mapped(static_cast<const Not&>(e).operand, [&](const Number& n) {
        const auto b = decided(n);
        return converted(b ? truth(!*b) : either(), t.element());
      });
    case Kind::Negate: {
      const ExprPtr& operand = static_cast<const Negate&>(e).operand;
      return mapped(operand, [&](const Number& n) {
        const Elem elem = arithmetic_elem(operand->type.elem, operand->type.elem);
        return real(operand->type) ? converted(computed(-n, elem), t.element()) : any_of(t);
      });
    }
    case Kind::Cast:
      return mapped(static_cast<const Cast&>(e).operand, [&](const Number& n) { return converted(n, t.element()); });
    case Kind::Index:
      return element_or_slice(static_cast<const Index&>(e), s);
    case Kind::FnCall:
      return call(static_cast<const FnCall&>(e), s);
    case Kind::LibCall: {
      const auto& n = static_cast<const LibCall&>(e);
      const LibFunction* f = find_library(n.func);
      const Values v = arguments(n.args, s);
      return f ? library(*f, n.args, v, t) : any_value(t);
    }
    case Kind::Alloc: {
      const auto& n = static_cast<const Alloc&>(e);
      return library(ir::library(library_of(n.func)), n.args, arguments(n.args, s), t);
    }
    case Kind::Dim: {
      const auto& n = static_cast<const Dim&>(e);
      const ArrayShape& a = variable(n.array, s).array;
      const auto k = static_cast<size_t>(n.dim - conventions_.indexing);
      return ShapeValue::of(converted(Number::in(k < a.extents.size() ? a.extents[k] : Interval::of(1)), t));
    }
    case Kind::DimVec:
      return library(ir::library(Lib::DimVec), {}, {variable(static_cast<const DimVec&>(e).array, s)}, t);
    case Kind::TupleExpr: {
      const auto& n = static_cast<const TupleExpr&>(e);
      std::vector<ShapeValuePtr> parts;
      for (size_t k = 0; k < n.elems.size(); ++k)
        parts.push_back(std::make_shared<ShapeValue>(
            converted(value(n.elems[k], s), n.elems[k]->type,
                      t.is_tuple() && k < t.components().size() ? t.components()[k] : n.elems[k]->type)));
      return ShapeValue::tuple(std::move(parts));
    }
    case Kind::TupleIndex: {
      const auto& n = static_cast<const TupleIndex&>(e);
      const ShapeValue& v = variable(n.tuple, s);
      const auto k = static_cast<size_t>(n.index - conventions_.indexing);
      return v.kind == ShapeValue::Kind::Tuple && k < v.parts.size()
                 ? converted(*v.parts[k], type_of(n.tuple).components()[k], t)
                 : any_value(t);
    }
    case Kind::ComplexExpr: {
      const auto& n = static_cast<const ComplexExpr&>(e);
      const ShapeValue a = value(n.re, s), b = value(n.im, s);
      if (!t.is_array()) return any_value(t);
      return ShapeValue::of(new_array(t, a.kind != ShapeValue::Kind::Array ? b.array.extents
                                         : b.kind != ShapeValue::Kind::Array
                                             ? a.array.extents
                                             : broadcast(a.array.extents, b.array.extents)));
    }
    case Kind::RealExpr:
    case Kind::ImagExpr: {
      const SymbolId id =
          e.kind == Kind::RealExpr ? static_cast<const RealExpr&>(e).id : static_cast<const ImagExpr&>(e).id;
      const ShapeValue& v = variable(id, s);
      return v.kind == ShapeValue::Kind::Array ? ShapeValue::of(new_array(t, v.array.extents)) : any_value(t);
    }
    case Kind::Xchange: {
      const auto& n = static_cast<const Xchange&>(e);
      select(e, n.array, n.subscripts, conventions_.flatten, true, s);
      arguments(n.args, s);
      touch(n.array, Number::unknown(), s);
      return any_value(t);
    }
    case Kind::Range: {
      const auto& n = static_cast<const Range&>(e);
      for (const ExprPtr& p : {n.start, n.step, n.stop})
        if (p) value(p, s);
      return {};
    }
    case Kind::Domain:
      for (const ExprPtr& r : static_cast<const Domain&>(e).ranges) value(r, s);
      return {};
    case Kind::ComplexConst:
    case Kind::FnHandle:
    default:
      return any_value(t);
  }
}

ShapeValue ShapeEval::call(const FnCall& e, ShapeState& s) const {
  const Values v = arguments(e.args, s);
  const Callee callee = find_callee(e.callee, scope_);
  if (callee.library) return library(*callee.library, e.args, v, e.type);
  // A callee may store to the elements of its arguments if they are shared.
  if (conventions_.assign == AssignMode::Share)
    for (const ExprPtr& a : e.args) {
      if (!a->type.is_array() && !a->type.is_tuple()) continue;
      walk_exprs(a, [&](const Expr& x) {
        if (const auto id = named_variable(x)) touch(*id, Number::unknown(), s);
      });
    }
  return any_value(e.type);
}

IterationBounds ShapeEval::iteration(const Range& r, const Type& type, ShapeState& s) const {
  IterationBounds b;
  Elem e = Elem::Bool;
  for (const ExprPtr& p : {r.start, r.step, r.stop})
    if (p) e = common_elem(e, p->type.elem);
  if (e == Elem::Bool) e = Elem::Int32;
  auto part = [&](const ExprPtr& p, int64_t otherwise) {
    const Number n = p ? value(p, s).number : Number::of(otherwise);
    // Converted to the type of the parts first, then to the domain's.
    Number c = converted(n, Type::scalar(e));
    return type.is_scalar() ? converted(c, type.element()) : c;
  };
  const Number start = part(r.start, conventions_.indexing), step = part(r.step, 1), stop = part(r.stop, 0);
  if (type.is_scalar()) e = common_elem(e, type.elem);
  if (is_float_below_64(e) || !start.whole || !step.whole || !stop.whole || !r.stop) return b;
  // The trip count of a float range is a rounded quotient, which is exact while the distance is far below 2^53.
  constexpr int64_t far = int64_t{1} << 50;
  const bool near = Interval{-far, far}.contains(start.range.lo) && Interval{-far, far}.contains(start.range.hi) &&
                    Interval{-far, far}.contains(stop.range.lo) && Interval{-far, far}.contains(stop.range.hi);
  if (is_float(e) && !near) return b;
  const bool exclude = r.exclude.value_or(conventions_.exclude);
  b.whole = true;
  b.step = step.range;
  b.never = step.range == Interval::of(0);
  if (step.range.lo <= 0 && step.range.hi >= 0) {
    // The sign of the step is not known: the values lie between start and stop.
    b.range = hull(start.range, stop.range);
    b.first = b.last = Number::in(b.range);
    return b;
  }
  b.known = true;
  const bool up = step.range.lo > 0;
  b.first = start;
  b.last = exclude ? (up ? stop - Number::of(1) : stop + Number::of(1)) : stop;
  // The stop is a number of its type, so that the number before it does not wrap.
  if (exclude && up && b.last.range.hi == Interval::most) b.last.range.hi = Interval::most - 1;
  if (exclude && !up && b.last.range.lo == Interval::least) b.last.range.lo = Interval::least + 1;
  const Interval way = up ? (b.last - start).range : (start - b.last).range;
  b.runs = way.lo >= 0;
  b.never = way.hi < 0;
  const Interval values = up ? Interval{start.range.lo, std::max(b.last.range.hi, start.range.lo)}
                             : Interval{std::min(b.last.range.lo, start.range.hi), start.range.hi};
  b.range = values;
  return b;
}

}  // namespace vr::analysis
