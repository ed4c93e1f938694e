// Types. Scalars and arrays are in a static table; composed types belong to a builder.
#include "capi/builder.hpp"

#include <array>

namespace vr::capi {

namespace {

static_assert(int(ir::TypeKind::Null) == VR_TYPE_NULL && int(ir::TypeKind::Void) == VR_TYPE_VOID &&
              int(ir::TypeKind::Scalar) == VR_TYPE_SCALAR && int(ir::TypeKind::Array) == VR_TYPE_ARRAY &&
              int(ir::TypeKind::Domain) == VR_TYPE_DOMAIN && int(ir::TypeKind::Tuple) == VR_TYPE_TUPLE &&
              int(ir::TypeKind::Function) == VR_TYPE_FUNCTION);

constexpr int elem_codes = 2 * VR_COMPLEX, layouts = 3, per_elem = 1 + VR_MAX_RANK * layouts;

// Scalar and array types contain only numbers, so the table is a single allocation. Never freed: a host may access a type while
// the process exits.
const ir::Type* table() {
  static const std::array<ir::Type, elem_codes * per_elem>* const types = [] {
    auto* t = new std::array<ir::Type, elem_codes * per_elem>;
    for (int code = 0; code < elem_codes; ++code) {
      if (!is_elem(code)) continue;
      ir::Type* of_code = t->data() + code * per_elem;
      *of_code = ir::Type::scalar(elem_of(code), complex_of(code));
      for (int rank = 1; rank <= VR_MAX_RANK; ++rank)
        for (int layout = 0; layout < layouts; ++layout)
          of_code[1 + (rank - 1) * layouts + layout] =
              ir::Type::array(elem_of(code), rank, static_cast<Layout>(layout), complex_of(code));
    }
    return t;
  }();
  return types->data();
}

constexpr int max_depth = 64, max_size = 65536;

/// Whether the type has more than `budget` parts or is deeper than `depth`; visits no more parts than that.
bool too_large(const ir::Type& t, int depth, int* budget) {
  if (depth == 0 || --*budget < 0) return true;
  for (const ir::Type& p : t.components())
    if (too_large(p, depth - 1, budget)) return true;
  for (const ir::Type& p : t.outputs())
    if (too_large(p, depth - 1, budget)) return true;
  return false;
}

/// Composes a type from lists of types.
template <class F>
const vr_type* compose(vr_builder* b, F&& f) {
  if (!b) return nullptr;
  const ir::Type* made = nullptr;
  b->attempt([&] {
    std::optional<ir::Type> t = f();
    if (!t) return b->error("module", "missing-part", "a part of a type is NULL");
    if (t->is_domain() && (t->components().empty() || t->components().size() > VR_MAX_RANK))
      return b->error("module", "rank", "a domain has 1 to 16 dimensions");
    int budget = max_size;
    if (too_large(*t, max_depth, &budget)) return b->error("module", "too-large", "a type is too large");
    made = &b->types.emplace_back(std::move(*t));
  });
  return wrap(made);
}

std::optional<std::vector<ir::Type>> list(size_t count, const vr_type* const* types) {
  if (count > 0 && !types) return {};
  std::vector<ir::Type> out;
  for (size_t k = 0; k < count; ++k) {
    if (!types[k]) return {};
    out.push_back(*unwrap(types[k]));
  }
  return out;
}

}  // namespace
}  // namespace vr::capi

using namespace vr;
using namespace vr::capi;

extern "C" {

const vr_type* vr_type_null(void) {
  static const auto* const t = new ir::Type(ir::Type::null());
  return wrap(t);
}
const vr_type* vr_type_void(void) {
  static const auto* const t = new ir::Type(ir::Type::void_());
  return wrap(t);
}
const vr_type* vr_type_scalar(int32_t elem) { return is_elem(elem) ? wrap(table() + elem * per_elem) : nullptr; }
const vr_type* vr_type_array(int32_t elem, int32_t rank, int32_t layout) {
  if (!is_elem(elem) || rank < 1 || rank > VR_MAX_RANK || layout < 0 || layout >= layouts) return nullptr;
  return wrap(table() + elem * per_elem + 1 + (rank - 1) * layouts + layout);
}
const vr_type* vr_type_domain(vr_builder* b, size_t count, const vr_type* const* dimensions) {
  return compose(b, [&]() -> std::optional<ir::Type> {
    auto dims = list(count, dimensions);
    if (!dims) return {};
    return ir::Type::domain(std::move(*dims));
  });
}
const vr_type* vr_type_tuple(vr_builder* b, size_t count, const vr_type* const* elements) {
  return compose(b, [&]() -> std::optional<ir::Type> {
    auto elems = list(count, elements);
    if (!elems) return {};
    return ir::Type::tuple(std::move(*elems));
  });
}
const vr_type* vr_type_function(vr_builder* b, size_t parameter_count, const vr_type* const* parameters,
                                size_t result_count, const vr_type* const* results) {
  return compose(b, [&]() -> std::optional<ir::Type> {
    auto ins = list(parameter_count, parameters), outs = list(result_count, results);
    if (!ins || !outs) return {};
    return ir::Type::function(std::move(*ins), std::move(*outs));
  });
}

int32_t vr_type_kind(const vr_type* type) { return type ? static_cast<int32_t>(unwrap(type)->kind) : -1; }
int32_t vr_type_elem(const vr_type* type) {
  return type && unwrap(type)->is_numeric() ? code_of(unwrap(type)->elem, unwrap(type)->complex) : -1;
}
int32_t vr_type_rank(const vr_type* type) { return type ? unwrap(type)->rank : 0; }
int32_t vr_type_layout(const vr_type* type) {
  return type && unwrap(type)->is_array() ? static_cast<int32_t>(unwrap(type)->layout) : -1;
}
size_t vr_type_part_count(const vr_type* type) { return type ? unwrap(type)->components().size() : 0; }
const vr_type* vr_type_part(const vr_type* type, size_t k) {
  return k < vr_type_part_count(type) ? wrap(&unwrap(type)->components()[k]) : nullptr;
}
size_t vr_type_result_count(const vr_type* type) { return type ? unwrap(type)->outputs().size() : 0; }
const vr_type* vr_type_result(const vr_type* type, size_t k) {
  return k < vr_type_result_count(type) ? wrap(&unwrap(type)->outputs()[k]) : nullptr;
}
int32_t vr_type_equal(const vr_type* a, const vr_type* b) { return a && b && *unwrap(a) == *unwrap(b); }
vr_status vr_type_text(const vr_type* type, char** out, vr_failure** failure) {
  return border(out, failure, [&]() -> Status {
    if (!type) return null_argument("type");
    *out = copy_text(unwrap(type)->text());
    return {};
  });
}

}  // extern "C"
