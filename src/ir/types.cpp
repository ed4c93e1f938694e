#include <velociraptor/ir/types.hpp>

#include <fmt/format.h>

namespace vr::ir {

namespace {
const std::vector<Type> no_types;
}  // namespace

const char* layout_name(Layout l) {
  switch (l) {
    case Layout::RowMajor: return "rowmajor";
    case Layout::ColMajor: return "colmajor";
    case Layout::Strided: return "strided";
  }
  return "";
}

Type Type::scalar(Elem e, bool complex) {
  Type t;
  t.kind = TypeKind::Scalar;
  t.elem = e;
  t.complex = complex;
  return t;
}
Type Type::array(Elem e, int rank, Layout layout, bool complex) {
  Type t = scalar(e, complex);
  t.kind = TypeKind::Array;
  t.rank = static_cast<uint8_t>(rank);
  t.layout = layout;
  return t;
}
Type Type::domain(std::vector<Type> dims) {
  Type t;
  t.kind = TypeKind::Domain;
  t.rank = static_cast<uint8_t>(dims.size());
  t.parts = std::make_shared<const std::vector<Type>>(std::move(dims));
  return t;
}
Type Type::tuple(std::vector<Type> elems) {
  Type t;
  t.kind = TypeKind::Tuple;
  t.parts = std::make_shared<const std::vector<Type>>(std::move(elems));
  return t;
}
Type Type::function(std::vector<Type> ins, std::vector<Type> outs) {
  Type t;
  t.kind = TypeKind::Function;
  t.parts = std::make_shared<const std::vector<Type>>(std::move(ins));
  t.outs = std::make_shared<const std::vector<Type>>(std::move(outs));
  return t;
}

const std::vector<Type>& Type::components() const { return parts ? *parts : no_types; }
const std::vector<Type>& Type::outputs() const { return outs ? *outs : no_types; }

// Declared only as a friend, to which the headers' visibility attribute does not apply.
[[gnu::visibility("default")]] bool operator==(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::Null:
    case TypeKind::Void: return true;
    case TypeKind::Scalar: return a.elem == b.elem && a.complex == b.complex;
    case TypeKind::Array:
      return a.elem == b.elem && a.complex == b.complex && a.rank == b.rank && a.layout == b.layout;
    case TypeKind::Domain: return a.rank == b.rank && a.components() == b.components();
    case TypeKind::Tuple: return a.components() == b.components();
    case TypeKind::Function: return a.components() == b.components() && a.outputs() == b.outputs();
  }
  return false;
}

std::string Type::text() const {
  auto list = [](const std::vector<Type>& v) {
    std::string s;
    for (const Type& t : v) s += (s.empty() ? "" : ", ") + t.text();
    return s;
  };
  switch (kind) {
    case TypeKind::Null: return "unknown";
    case TypeKind::Void: return "void";
    case TypeKind::Scalar: return fmt::format("{}{}", complex ? "complex " : "", elem_name(elem));
    case TypeKind::Array:
      return fmt::format("{} {}{}[{}]", layout_name(layout), complex ? "complex " : "", elem_name(elem), rank);
    case TypeKind::Domain: return fmt::format("domain({})", list(components()));
    case TypeKind::Tuple: return fmt::format("({})", list(components()));
    case TypeKind::Function:
      return fmt::format("f({}) -> {}", list(components()), outputs().empty() ? "void" : list(outputs()));
  }
  return "";
}

}  // namespace vr::ir
