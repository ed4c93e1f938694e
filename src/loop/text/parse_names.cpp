#include "loop/text/parse_names.hpp"

#include <fmt/format.h>

namespace vr::lower {

std::optional<Scalar> scalar_named(const Lexer& in) {
  for (const ir::ElemInfo& e : ir::elem_table)
    if (in.is(e.abbreviation)) return scalar_of(e.elem);
  return in.is("ptr") ? std::optional(Scalar::Ptr) : std::nullopt;
}

Scalar scalar(Lexer& in) {
  auto s = scalar_named(in);
  if (!s) in.wrong("a scalar type is expected");
  in.take();
  return *s;
}

static ir::Elem elem_of(Scalar s, const Lexer& in) {
  if (s == Scalar::Ptr) in.wrong("elements are no addresses");
  return lower::elem_of(s);
}

void Names::declare_var() {
  const std::string name = in_.name();
  if (!vars_.emplace(name, static_cast<VarId>(f_.vars.size())).second)
    in_.was_wrong(fmt::format("variable '{}' is declared twice", name));
  in_.expect(":");
  f_.vars.push_back({name, scalar(in_)});
}

void Names::declare_array() {
  ArrayVars a;
  a.name = in_.name();
  if (!arrays_.emplace(a.name, static_cast<ArrayId>(f_.arrays.size())).second)
    in_.was_wrong(fmt::format("array '{}' is declared twice", a.name));
  in_.expect(":");
  a.complex = in_.accept("complex");
  a.elem = elem_of(scalar(in_), in_);
  a.data = var();
  a.owner = maybe_var();
  a.flags = maybe_var();
  a.extent = vars();
  a.stride = vars();
  if (in_.accept("group")) a.group = static_cast<int32_t>(in_.integer());
  f_.arrays.push_back(std::move(a));
}

VarId Names::var() {
  const std::string name = in_.name();
  auto it = vars_.find(name);
  if (it == vars_.end()) in_.was_wrong(fmt::format("'{}' is no variable", name));
  return it->second;
}

VarId Names::maybe_var() { return in_.accept("-") ? none : var(); }

std::vector<VarId> Names::vars() {
  in_.expect("[");
  return in_.list("]", [&] { return var(); });
}

ArrayId Names::array() {
  const std::string name = in_.name();
  auto it = arrays_.find(name);
  if (it == arrays_.end()) in_.was_wrong(fmt::format("'{}' is no array", name));
  return it->second;
}

int32_t Names::row() {
  const VarId data = var();
  for (size_t k = 0; k < f_.rows.size(); ++k)
    if (f_.rows[k].data == data) return static_cast<int32_t>(k);
  in_.was_wrong(fmt::format("'{}' is no row", of(data).name));
}

int32_t Names::function() {
  const std::string name = in_.name();
  for (size_t k = 0; k < m_.functions.size(); ++k)
    if (m_.functions[k]->name == name) return static_cast<int32_t>(k);
  in_.was_wrong(fmt::format("'{}' is no function", name));
}

Operand Names::operand_named(const std::vector<std::string>& names) const {
  if (auto it = arrays_.find(names[0]); names.size() == 1 && it != arrays_.end()) return {none, none, it->second};
  Operand o;
  for (size_t k = 0; k < names.size(); ++k) {
    auto it = vars_.find(names[k]);
    if (it == vars_.end()) in_.was_wrong(fmt::format("'{}' is neither a variable nor an array", names[k]));
    (k == 0 ? o.var : o.im) = it->second;
  }
  return o;
}

std::vector<std::string> Names::operand_names() {
  if (!in_.accept("(")) return {in_.name()};
  std::vector<std::string> names{in_.name()};
  in_.expect(",");
  names.push_back(in_.name());
  in_.expect(")");
  return names;
}

std::vector<Operand> Names::operands(std::string_view close) {
  return in_.list(close, [&] { return operand(); });
}

}  // namespace vr::lower
