#include "text/short/short_types.hpp"

#include <fmt/format.h>

namespace vr::text::brief {

using ir::Layout;
using ir::Type;
using ir::TypeKind;

namespace {

std::string list(const std::vector<Type>& types, Layout fresh) {
  std::string s;
  for (const Type& t : types) s += (s.empty() ? "" : ", ") + written_type(t, fresh);
  return s;
}

std::vector<Type> read_list(Cursor& c, Layout fresh, std::string_view where) {
  std::vector<Type> types;
  c.expect("(", where);
  while (!c.at(")")) {
    types.push_back(read_type(c, fresh));
    if (!c.accept(",")) break;
  }
  c.expect(")", "after the types");
  return types;
}

Type read_numeric(Cursor& c, Layout fresh) {
  const Token& first = c.token();
  Layout layout = fresh;
  bool stated = true;
  if (c.accept("rowmajor"))
    layout = Layout::RowMajor;
  else if (c.accept("colmajor"))
    layout = Layout::ColMajor;
  else if (c.accept("strided"))
    layout = Layout::Strided;
  else
    stated = false;
  const bool is_complex = c.accept("complex");
  const auto elem = c.is(TokenKind::Word) ? elem_named(c.token().text) : std::nullopt;
  if (!elem) c.unexpected("a type");
  c.take();
  if (!c.accept("[")) {
    if (stated)
      throw Fault{first.pos, "a layout is stated, but the type is no array", "an array's type is T[:], T[:,:], ..."};
    return Type::scalar(*elem, is_complex);
  }
  int rank = 0;
  do {
    c.expect(":", "for each dimension of the array");
    ++rank;
  } while (c.accept(","));
  if (rank > 16) throw Fault{first.pos, fmt::format("an array has at most 16 dimensions, not {}", rank), ""};
  c.expect("]", "after the dimensions");
  return Type::array(*elem, rank, layout, is_complex);
}

}  // namespace

std::optional<ir::Elem> elem_named(std::string_view name) {
  for (const ir::ElemInfo& e : ir::elem_table)
    if (name == e.name) return e.elem;
  return {};
}
std::optional<ir::Elem> elem_abbreviated(std::string_view suffix) {
  for (const ir::ElemInfo& e : ir::elem_table)
    if (suffix == e.abbreviation) return e.elem;
  return {};
}

std::string written_results(const std::vector<Type>& outs, Layout fresh) {
  return outs.size() == 1 ? written_type(outs[0], fresh) : "(" + list(outs, fresh) + ")";
}

std::string written_type(const Type& t, Layout fresh) {
  switch (t.kind) {
    case TypeKind::Null:
      return "null";
    case TypeKind::Void:
      return "void";
    case TypeKind::Scalar:
      return (t.complex ? "complex " : "") + std::string(ir::elem_name(t.elem));
    case TypeKind::Array: {
      std::string s = t.layout == fresh ? "" : std::string(ir::layout_name(t.layout)) + " ";
      s += written_type(t.element(), fresh) + "[:";
      for (int k = 1; k < t.rank; ++k) s += ",:";
      return s + "]";
    }
    case TypeKind::Domain:
      return "domain(" + list(t.components(), fresh) + ")";
    case TypeKind::Tuple:
      return "tuple(" + list(t.components(), fresh) + ")";
    case TypeKind::Function: {
      const std::string s = "fn(" + list(t.components(), fresh) + ")";
      return t.outputs().empty() ? s : s + " -> " + written_results(t.outputs(), fresh);
    }
  }
  return "null";
}

std::vector<Type> read_results(Cursor& c, Layout fresh) {
  if (c.at("(")) return read_list(c, fresh, "before the results");
  return {read_type(c, fresh)};
}

Type read_type(Cursor& c, Layout fresh) {
  Cursor::Level level(c);
  if (c.accept("null")) return Type::null();
  if (c.accept("void")) return Type::void_();
  if (c.accept("tuple")) return Type::tuple(read_list(c, fresh, "before the types"));
  if (c.at("domain")) {
    const Token& at = c.take();
    std::vector<Type> parts = read_list(c, fresh, "before the types");
    if (parts.empty() || parts.size() > 16)
      throw Fault{at.pos, fmt::format("a domain has 1 to 16 dimensions, not {}", parts.size()), ""};
    for (const Type& p : parts)
      if (!p.is_scalar())
        throw Fault{at.pos, fmt::format("the parts of a domain must be scalars, not {}", p.text()), ""};
    return Type::domain(std::move(parts));
  }
  if (c.accept("fn")) {
    std::vector<Type> ins = read_list(c, fresh, "before the types of the arguments"), outs;
    if (c.accept("->")) outs = read_results(c, fresh);
    if (outs.size() == 1 && outs[0].is_void()) outs.clear();
    return Type::function(std::move(ins), std::move(outs));
  }
  return read_numeric(c, fresh);
}

}  // namespace vr::text::brief
