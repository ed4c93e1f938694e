#include "interp/datum.hpp"

#include "ir/typing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace vr::interp {

int64_t ArrayRef::size() const { return element_count(array.extents()); }

Datum Datum::tuple(Tuple t) {
  Datum d;
  d.v = std::make_shared<const Tuple>(std::move(t));
  return d;
}

const Tuple* Datum::tuple() const {
  auto p = std::get_if<std::shared_ptr<const Tuple>>(&v);
  return p ? p->get() : nullptr;
}

ir::Type Datum::type() const {
  if (const Scalar* s = scalar()) return ir::Type::scalar(s->elem, s->complex);
  if (const ArrayRef* a = array()) {
    const Layout l = a->array.contiguous(Layout::RowMajor)   ? Layout::RowMajor
                     : a->array.contiguous(Layout::ColMajor) ? Layout::ColMajor
                                                             : Layout::RowMajor;
    return ir::Type::array(a->elem(), a->rank(), l, a->complex());
  }
  return ir::Type::null();
}

const char* Datum::kind_text() const {
  static constexpr const char* names[] = {"nothing", "a number", "an array", "a domain", "a tuple", "a function"};
  return names[v.index()];
}

int64_t element_count(std::span<const int64_t> extents) {
  int64_t n = 1;
  for (int64_t e : extents)
    if (e == 0) return 0;
  for (int64_t e : extents)
    if (__builtin_mul_overflow(n, e, &n)) fail(Code::Size, "the array is too large");
  return n;
}

std::string shape_text(std::span<const int64_t> extents) {
  std::string s;
  for (int64_t e : extents) s += (s.empty() ? "" : "x") + std::to_string(e);
  return s;
}

namespace {
ArrayRef checked(Context& ctx, Result<Array> made, Layout layout) {
  if (!made) fail(made.error().code, made.error().record ? made.error().record->message : made.error().message);
  ArrayRef r{std::move(*made), nullptr, layout};
  r.storage = std::make_shared<Storage>(&ctx.memory, r.size() * r.array.element_bytes(), false);
  return r;
}
}  // namespace

ArrayRef make_array(Context& ctx, Elem elem, bool complex, const Extents& extents, Layout layout) {
  for (int64_t e : extents)
    if (e < 0) fail(Code::Size, fmt::format("an array cannot have extent {}", e));
  if (extents.empty() || extents.size() > VR_MAX_RANK)
    fail(Code::Size, fmt::format("an array has 1 to {} dimensions, not {}", VR_MAX_RANK, extents.size()));
  int64_t bytes;
  if (__builtin_mul_overflow(element_count(extents), int64_t{ir::elem_bytes(elem)} * (complex ? 2 : 1), &bytes))
    fail(Code::Size, "the array is too large");
  if (ctx.memory.limit > 0 && bytes > ctx.memory.limit - ctx.memory.alive)
    fail(Code::OutOfMemory,
         fmt::format("an array of {} bytes passes the memory limit of {} bytes", bytes, ctx.memory.limit));
  const Layout l = contiguous_layout(ctx, layout);
  return checked(ctx, Array::zeros(elem, extents, l, complex), l);
}

ArrayRef make_view(const ArrayRef& a, void* data, const Extents& extents, const Extents& strides) {
  return {a.array.view(data, extents, strides), a.storage, Layout::Strided};
}

ArrayRef copy_array(Context& ctx, const ArrayRef& a, Elem elem, bool complex, Layout layout) {
  ArrayRef r = make_array(ctx, elem, complex, a.extents(), layout);
  for_each_index(a.array.extents(), Order::Row, [&](const Extents& i) { r.put(i, a.at(i)); });
  return r;
}

Layout contiguous_layout(const Context& ctx, Layout l) { return l == Layout::Strided ? ir::fresh_layout(ctx.conv) : l; }

namespace {

/// Omits or adds trailing extents of 1 until the rank is right.
Extents with_rank(const Extents& extents, size_t rank) {
  Extents e = extents;
  while (e.size() > rank && e.back() == 1) e.pop_back();
  while (e.size() < rank) e.push_back(1);
  return e;
}

ArrayRef coerce_array(Context& ctx, const ArrayRef& a, const ir::Type& t) {
  ArrayRef r = a;
  if (a.rank() != t.rank) {
    Extents e = with_rank(a.extents(), t.rank);
    if (!ctx.matlab() || e.size() != t.rank)
      fail(Code::Type, fmt::format("an array of rank {} where rank {} is needed", a.rank(), t.rank));
    Extents strides(a.array.strides().begin(), a.array.strides().end());
    strides.resize(e.size(), a.array.element_bytes());
    r = make_view(a, a.array.data(), e, strides);
    r.layout = a.layout;
  }
  const bool fits = t.layout == Layout::Strided || r.layout == t.layout;
  if (r.elem() == t.elem && r.complex() == t.complex && fits) {
    r.layout = t.layout;
    return r;
  }
  return copy_array(ctx, r, t.elem, t.complex,
                    fits && t.layout == Layout::Strided ? ir::fresh_layout(ctx.conv) : t.layout);
}

RangeSpec coerce_range(RangeSpec r, const ir::Type& t) {
  for (auto* part : {&r.start, &r.step, &r.stop})
    if (*part) *part = convert(**part, t.elem, false);
  return r;
}

}  // namespace

Datum coerce(Context& ctx, Datum d, const ir::Type& t) {
  switch (t.kind) {
    case ir::TypeKind::Null:
      return d;
    case ir::TypeKind::Void:
      return {};
    case ir::TypeKind::Scalar:
      if (const Scalar* s = d.scalar()) return convert(*s, t);
      if (d.array()) return convert(scalar_of(d, "a value"), t);
      break;
    case ir::TypeKind::Array:
      if (const ArrayRef* a = d.array()) return coerce_array(ctx, *a, t);
      if (const Scalar* s = d.scalar()) {
        ArrayRef r = make_array(ctx, t.elem, t.complex, Extents(t.rank, 1), t.layout);
        r.put(Extents(t.rank, 0), *s);
        return r;
      }
      break;
    case ir::TypeKind::Domain:
      if (const DomainValue* v = d.domain()) {
        if (v->size() != t.components().size()) break;
        DomainValue r;
        for (size_t k = 0; k < v->size(); ++k) r.push_back(coerce_range((*v)[k], t.components()[k]));
        return r;
      }
      break;
    case ir::TypeKind::Tuple: {
      const auto& parts = t.components();
      if (const Tuple* v = d.tuple()) {
        if (v->size() != parts.size()) break;
        Tuple r;
        for (size_t k = 0; k < parts.size(); ++k) r.push_back(coerce(ctx, (*v)[k], parts[k]));
        return Datum::tuple(std::move(r));
      }
      if (parts.size() == 1) return Datum::tuple({coerce(ctx, std::move(d), parts[0])});
      break;
    }
    case ir::TypeKind::Function:
      if (d.function()) return d;
      break;
  }
  fail(Code::Type, fmt::format("{} where {} is needed", d.kind_text(), t.text()));
}

Datum default_value(Context& ctx, const ir::Type& t) {
  switch (t.kind) {
    case ir::TypeKind::Scalar:
      return Scalar::zero(t.elem, t.complex);
    case ir::TypeKind::Array:
      return make_array(ctx, t.elem, t.complex, Extents(t.rank, 0), t.layout);
    case ir::TypeKind::Tuple: {
      Tuple parts;
      for (const ir::Type& p : t.components()) parts.push_back(default_value(ctx, p));
      return Datum::tuple(std::move(parts));
    }
    case ir::TypeKind::Function:
      return FunctionRef{};
    case ir::TypeKind::Domain: {
      RangeSpec none;
      none.start = none.stop = Scalar::integer(1);
      none.exclude = true;
      return DomainValue(t.components().size(), none);
    }
    case ir::TypeKind::Null:
    case ir::TypeKind::Void:
      return {};
  }
  return {};
}

Scalar scalar_of(const Datum& d, const char* what) {
  if (const Scalar* s = d.scalar()) return *s;
  if (const ArrayRef* a = d.array()) {
    if (a->size() != 1)
      fail(Code::ShapeMismatch,
           fmt::format("{} is an array of {} where one number is needed", what, shape_text(a->array.extents())));
    return a->at(Extents(static_cast<size_t>(a->rank()), 0));
  }
  fail(Code::Type, fmt::format("{} is {} where a number is needed", what, d.kind_text()));
}

int64_t int_of(const Scalar& v, const char* what) {
  if (auto i = integral(v)) return *i;
  fail(Code::Type, fmt::format("{} is not an integer", what));
}

bool next_index(std::span<int64_t> index, std::span<const int64_t> extents, Order order) {
  const size_t n = index.size();
  for (size_t step = 0; step < n; ++step) {
    const size_t k = order == Order::Row ? n - 1 - step : step;
    if (++index[k] < extents[k]) return true;
    index[k] = 0;
  }
  return false;
}

std::vector<Scalar> elements(const ArrayRef& a, Order order) {
  std::vector<Scalar> r;
  r.reserve(static_cast<size_t>(a.size()));
  for_each_index(a.array.extents(), order, [&](const Extents& i) { r.push_back(a.at(i)); });
  return r;
}

ArrayRef array_from(Context& ctx, const std::vector<Scalar>& values, Elem elem, bool complex, const Extents& extents,
                    Layout layout, Order order) {
  ArrayRef r = make_array(ctx, elem, complex, extents, layout);
  size_t k = 0;
  for_each_index(extents, order, [&](const Extents& i) { r.put(i, values[k++]); });
  return r;
}

ArrayRef vector_from(Context& ctx, const std::vector<Scalar>& values, Elem elem, bool complex) {
  Extents e{static_cast<int64_t>(values.size())};
  if (ctx.matlab()) e.insert(e.begin(), 1);
  return array_from(ctx, values, elem, complex, e, ir::fresh_layout(ctx.conv), Order::Row);
}

}  // namespace vr::interp
