// Subscripts: numbers, ranges, arrays; elements and slices, as values and as targets of stores.
#include "generator.hpp"

#include <cstdlib>

namespace vr::smith {

std::optional<int64_t> FunctionGen::extent_of(const Variable& v, size_t k) const {
  if (!v.shape) return {};
  return (*v.shape)[k];
}

/// `surely_inside`: the subscript is in range by construction, so that its bounds check may be turned off.
void FunctionGen::attributes(ir::Subscript& s, bool surely_inside) {
  if (surely_inside && !m_.clumsy && rng.chance(20)) {
    s.minbounds = rng.chance(30);
    s.maxbounds = rng.chance(30);
    if (!s.minbounds || !s.maxbounds) m_.unchecked = true;
  }
}

ir::Subscript FunctionGen::inside(const Variable& v, size_t axis, std::optional<int64_t> extent, int depth) {
  ir::Subscript s;
  const int base = m_.base();
  if (rng.chance(m_.clumsy ? 8 : 0)) {  // may have any value
    s.value = rng.chance(50) ? integer(depth) : known(rng.range(-3, 12));
    s.negative = rng.chance(30);
    return s;
  }
  if (!extent) {
    ExprPtr n = lib("max2", {make<ir::Dim>(v.id, static_cast<int32_t>(axis) + base), int_const(1)});
    s.value = lib("mod", {integer(depth), n});
    if (base) s.value = binary(Kind::Plus, s.value, int_const(base));
    return s;
  }
  const int64_t n = *extent;
  if (n == 0) {  // there is no such element; usually another array is used
    if (!m_.clumsy || rng.chance(90)) throw Retry{};
    s.value = int_const(base);
    return s;
  }
  switch (rng.weighted({20, 35, 25, 10, 10})) {
    case 0:
      s.value = known(base + rng.below(n));
      attributes(s, true);
      break;
    case 1: {  // a loop's variable where it fits
      Variable* i = any([&](const Variable& x) {
        return x.known_range && x.known_range->first >= base && x.known_range->second < base + n;
      });
      s.value = i ? name(*i) : known(base + rng.below(n));
      if (i && ir::is_float(i->type.elem) && rng.chance(50)) s.value = to(s.value, Elem::Int64, false);
      attributes(s, true);
      break;
    }
    case 2:
      s.value = bounded(n, depth);
      if (base) s.value = binary(Kind::Plus, s.value, int_const(base));
      attributes(s, true);
      break;
    case 3:  // relative to the end
      s.negative = true;
      s.value = rng.chance(50) ? int_const(-1 - rng.below(n)) : binary(Kind::Minus, int_const(-1), bounded(n, depth));
      break;
    default:
      s.value = to(bounded(n, depth), Elem::Float64, false);
      if (base) s.value = binary(Kind::Plus, s.value, int_const(base));
      break;
  }
  return s;
}

ir::Subscript FunctionGen::slice(int64_t extent, int64_t* taken, std::optional<int64_t> wanted) {
  ir::Subscript s;
  const int base = m_.base();
  auto range = [&](std::optional<bool> exclude, ExprPtr a, ExprPtr b, ExprPtr c) {
    return std::make_shared<ir::Range>(Type::null(), exclude, std::move(a), std::move(b), std::move(c));
  };
  if ((!wanted || *wanted == extent) && rng.chance(35)) {
    s.value = range({}, nullptr, nullptr, nullptr);
    *taken = extent;
    return s;
  }
  int64_t n = wanted ? *wanted : rng.below(extent + 1);
  if (n > extent) throw Retry{};
  int64_t step = 1;
  if (n > 1)
    step = rng.range(1, (extent - 1) / (n - 1));
  else if (rng.chance(30))
    step = rng.range(1, 3);
  if (rng.chance(30)) step = -step;
  const int64_t reach = n == 0 ? 0 : (n - 1) * std::abs(step);
  const int64_t low = extent - reach > 0 ? rng.below(extent - reach) : 0;
  int64_t first = step > 0 ? low : low + reach;
  if (n == 0) first = extent > 0 ? rng.below(extent) : 0;
  const int64_t last = n == 0 ? first - step : first + (n - 1) * step;
  std::optional<bool> exclude;
  if (rng.chance(60)) exclude = rng.chance(50);
  const bool excluded = exclude.value_or(m_.conv.exclude);
  int64_t stop = last;
  if (excluded)
    stop += step > 0 ? rng.range(1, step) : -rng.range(1, -step);
  else if (std::abs(step) > 1)
    stop += step > 0 ? rng.below(step) : -rng.below(-step);
  // Without a start or stop the range begins or ends at the array's bound.
  const bool to_end = step > 0 ? last + step >= extent : last + step < 0;
  const bool from_start = step > 0 ? first == 0 : first == extent - 1;
  const bool no_start = n > 0 && from_start && rng.chance(40), no_stop = n > 0 && to_end && rng.chance(40);
  if (rng.chance(15) && n > 0 && !(no_start && no_stop)) {  // counted from the end
    s.negative = true;
    if (excluded && step < 0 && last == 0 && !no_stop) throw Retry{};
  }
  auto bound = [&](int64_t k) {
    if (s.negative && rng.chance(60) && k >= 0 && k < extent) return int_const(k - extent);
    return known(k + base);
  };
  if (s.negative && step < 0 && !no_stop && stop < 0) throw Retry{};
  ExprPtr a = no_start ? nullptr : bound(first), c = no_stop ? nullptr : bound(stop);
  ExprPtr b = step == 1 && rng.chance(70) ? nullptr : known(step);
  if (s.negative && b && b->type.elem == Elem::Float64) b = int_const(step);
  if (!a && !b && !c) throw Retry{};
  s.value = range(exclude, a, b, c);
  attributes(s, !s.negative);
  *taken = n;
  return s;
}

/// An index array of these extents.
ir::Subscript FunctionGen::gather(int64_t extent, const Shape& shape, int depth) {
  ir::Subscript s;
  if (extent == 0 && count(shape) > 0) throw Retry{};
  const Elem e = rng.chance(75) ? Elem::Int64 : rng.pick({Elem::Int32, Elem::Int16, Elem::UInt16, Elem::UInt32, Elem::UInt64});
  if (extent == 0) {
    s.value = array(e, false, shape, 0);
    return s;
  }
  ExprPtr numbers = array(e, false, shape, depth);
  s.value = lib("mod", {numbers, int_const(extent)});
  if (m_.base()) s.value = binary(Kind::Plus, s.value, int_const(m_.base()));
  if (rng.chance(10)) s.value = to(s.value, Elem::Float64, false);
  if (rng.chance(10)) {
    s.negative = true;
    s.value = binary(Kind::Minus, int_const(-1), lib("mod", {numbers, int_const(extent)}));
  }
  return s;
}

namespace {
ExprPtr index_of(SymbolId id, std::vector<ir::Subscript> subs, std::optional<bool> copy, std::optional<bool> flatten) {
  auto n = std::make_shared<ir::Index>(Type::null(), id, std::move(subs));
  n->copyslice = copy;
  n->flatten = flatten;
  return n;
}
}  // namespace

std::optional<ExprPtr> FunctionGen::element(const Variable& v, int depth, bool store) {
  std::vector<ir::Subscript> subs;
  std::optional<bool> flatten;
  const size_t rank = v.type.rank;
  if (!v.shape && rng.chance(90)) throw Retry{};  // usually there is no such element
  if (rank > 1 && v.shape && rng.chance(12) && !(parallel_ && parallel_->kernel)) {
    flatten = true;
    const size_t given = static_cast<size_t>(rng.range(1, static_cast<int64_t>(rank) - 1));
    for (size_t k = 0; k + 1 < given; ++k) subs.push_back(inside(v, k, extent_of(v, k), depth));
    subs.push_back(inside(
        v, given - 1, count(Shape(v.shape->begin() + static_cast<std::ptrdiff_t>(given) - 1, v.shape->end())), depth));
  } else {
    for (size_t k = 0; k < rank; ++k) subs.push_back(inside(v, k, extent_of(v, k), depth));
    if (rng.chance(10)) flatten = rng.chance(50);
  }
  if (store && m_.conv.grow && (parallel_ || rng.chance(30)))
    for (ir::Subscript& s : subs) s.grow = false;
  auto e = index_of(v.id, std::move(subs), {}, flatten);
  auto n = std::const_pointer_cast<ir::Expr>(e);
  return typed(n);
}

/// A slice with these extents; nullopt when the array has none.
std::optional<ExprPtr> FunctionGen::section_of(const Variable& v, const Shape& wanted, int depth, bool store) {
  if (!v.shape) return {};
  const Shape& have = *v.shape;
  std::vector<ir::Subscript> subs;
  int64_t taken;
  bool gathered = false;
  auto one = [&](size_t k, int64_t n) {
    if (!gathered && rng.chance(15) && (!parallel_ || !parallel_->kernel)) {
      gathered = true;
      return gather(have[k], m_.matlab() ? (rng.chance(50) ? Shape{1, n} : Shape{n, 1}) : Shape{n}, depth - 1);
    }
    return slice(have[k], &taken, n);
  };
  if (m_.matlab()) {
    if (have.size() != wanted.size()) return {};
    for (size_t k = 0; k < have.size(); ++k) {
      if (wanted[k] > have[k] && !(wanted[k] && have[k] && rng.chance(20))) return {};
      if (wanted[k] == 1 && rng.chance(50) && (k < 2 || k + 1 < have.size()))
        subs.push_back(inside(v, k, have[k], depth - 1));
      else if (wanted[k] > have[k])
        subs.push_back(gather(have[k], rng.chance(50) ? Shape{1, wanted[k]} : Shape{wanted[k], 1}, depth - 1));
      else
        subs.push_back(one(k, wanted[k]));
    }
  } else {
    if (have.size() < wanted.size()) return {};
    // The dimensions that are kept; the others get a number as subscript.
    size_t next = 0;
    for (size_t k = 0; k < have.size(); ++k) {
      const size_t left = have.size() - k, need = wanted.size() - next;
      const bool fits = next < wanted.size() && have[k] >= wanted[next];
      if (need == left || (fits && need > 0 && rng.chance(60))) {
        if (!fits) return {};
        subs.push_back(one(k, wanted[next++]));
      } else {
        if (have[k] == 0) return {};
        subs.push_back(inside(v, k, have[k], depth - 1));
      }
    }
    if (next != wanted.size()) return {};
  }
  // Trailing subscripts that select whole dimensions may be omitted.
  std::optional<bool> flatten;
  auto whole = [](const ir::Subscript& s) {
    auto* r = ir::as<ir::Range>(s.value);
    return r && !r->start && !r->step && !r->stop;
  };
  while (subs.size() > 1 && whole(subs.back()) && rng.chance(30)) {
    subs.pop_back();
    flatten = false;
  }
  if (store && m_.conv.grow && (parallel_ || rng.chance(40)))
    for (ir::Subscript& s : subs) s.grow = false;
  std::optional<bool> copy;
  if (rng.chance(30)) copy = rng.chance(50);
  auto e = typed(std::const_pointer_cast<ir::Expr>(index_of(v.id, std::move(subs), copy, flatten)));
  if (!e->type.is_array() || e->type.rank != static_cast<int>(wanted.size())) return {};
  return e;
}

/// Any slice, with the extents it has.
std::optional<std::pair<ExprPtr, Shape>> FunctionGen::random_section(const Variable& v, bool store) {
  if (!v.shape) return {};
  if (v.type.rank > 1 && rng.chance(25)) return flat_section(v, store);
  Shape wanted;
  for (size_t k = 0; k < v.shape->size(); ++k) {
    const int64_t have = (*v.shape)[k];
    if (!m_.matlab() && rng.chance(35) && v.shape->size() > 1 && !(k + 1 == v.shape->size() && wanted.empty()))
      continue;
    wanted.push_back(rng.chance(40) ? have : rng.below(have + 1));
  }
  if (auto e = section_of(v, wanted, 1, store)) return std::pair{*e, wanted};
  return {};
}

}  // namespace vr::smith
