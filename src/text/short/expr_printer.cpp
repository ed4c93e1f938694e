#include "text/short/expr_printer.hpp"

#include "ir/library.hpp"
#include "text/short/operators.hpp"
#include "text/short/short_types.hpp"
#include "text/short/tokens.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace vr::text::brief {

using namespace ir;

namespace {

/// A literal that reads back as the same value: it has a point or an exponent unless it is inf or nan.
std::string float_text(double x) {
  if (std::isnan(x)) {
    const uint64_t bits = std::bit_cast<uint64_t>(x), payload = bits & ((uint64_t(1) << 52) - 1);
    const char* sign = bits >> 63 ? "-" : "";
    return payload == uint64_t(1) << 51 ? fmt::format("{}nan", sign) : fmt::format("{}nan(0x{:x})", sign, payload);
  }
  std::string s = fmt::format("{}", x);
  if (std::isfinite(x) && s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

const char* abbreviation(Elem e) {
  for (const ElemInfo& info : elem_table)
    if (info.elem == e) return info.abbreviation;
  return "";
}

/// The type that the range states for its stop.
std::string mark(const Range& r) { return !r.exclude ? "" : *r.exclude ? "<" : "<="; }

bool is_number(const Expr& e) { return e.kind == Kind::IntConst || e.kind == Kind::FloatConst; }

}  // namespace

std::string ExprPrinter::expr(const Expr& e, int precedence) const {
  const Written w = write(e);
  if (!(w.type == e.type)) return fmt::format("({} : {})", w.text, type(e.type));
  return w.precedence < precedence ? "(" + w.text + ")" : w.text;
}

std::string ExprPrinter::exprs(const std::vector<ExprPtr>& list) const {
  std::string s;
  for (const ExprPtr& e : list) s += (s.empty() ? "" : ", ") + expr(*e);
  return s;
}

std::string ExprPrinter::variable(SymbolId id) const {
  auto found = names_.find(id);
  return found == names_.end() ? fmt::format("#{}", id) : found->second;
}

std::string ExprPrinter::type(const Type& t) const { return written_type(t, fresh_layout(scope_.conventions())); }

ExprPrinter::Written ExprPrinter::write(const Expr& e) const {
  return visit(e, [&](const auto& n) { return parts(n); });
}

// The type that the parser gives to the node if its text states none.
template <class N>
ExprPrinter::Written ExprPrinter::untyped(const N& n, std::string text, int precedence) const {
  N bare = n;
  bare.type = Type::null();
  return {std::move(text), precedence, scope_.type_of(bare)};
}

template <Kind K>
ExprPrinter::Written ExprPrinter::parts(const Binary<K>& n) const {
  for (const Operator& o : operators) {
    if (o.kind != K) continue;
    const int left = o.precedence == comparison ? o.precedence + 1 : o.precedence;
    return untyped(n, fmt::format("{} {} {}", expr(*n.lhs, left), o.text, expr(*n.rhs, o.precedence + 1)),
                   o.precedence);
  }
  return {};
}

ExprPrinter::Written ExprPrinter::parts(const Not& n) const {
  return untyped(n, "not " + expr(*n.operand, not_), not_);
}
ExprPrinter::Written ExprPrinter::parts(const Negate& n) const {
  // A sign before a number literal belongs to the literal.
  const std::string operand = is_number(*n.operand) ? "(" + expr(*n.operand) + ")" : expr(*n.operand, sign);
  return untyped(n, "-" + operand, sign);
}

// Writes ELEM(x) if the cast has the natural type of a cast to that element type.
ExprPrinter::Written ExprPrinter::parts(const Cast& n) const {
  if (n.type.is_numeric() && !n.type.complex) {
    Cast bare = n;
    bare.type = Type::scalar(n.type.elem);
    if (scope_.type_of(bare) == n.type)
      return {fmt::format("{}({})", elem_name(n.type.elem), expr(*n.operand)), primary, n.type};
  }
  return {fmt::format("cast({}, {})", type(n.type), expr(*n.operand)), primary, n.type};
}

ExprPrinter::Written ExprPrinter::parts(const Name& n) const { return untyped(n, variable(n.id), primary); }

ExprPrinter::Written ExprPrinter::parts(const IntConst& n) const {
  const std::string digits = with_integer(n.value, n.type.elem, [](auto v) { return std::to_string(v); });
  if (!n.type.is_scalar() || n.type.complex) return {digits, primary, Type::scalar(Elem::Int64)};
  if (n.type.elem == Elem::Bool && (n.value == 0 || n.value == 1)) return {n.value ? "true" : "false", primary, n.type};
  return {digits + (n.type.elem == Elem::Int64 ? "" : abbreviation(n.type.elem)), primary, n.type};
}
ExprPrinter::Written ExprPrinter::parts(const FloatConst& n) const {
  const std::string digits = float_text(n.value);
  const bool plain = n.type == Type::scalar(Elem::Float64);
  if (plain || !std::isfinite(n.value) || !n.type.is_scalar() || n.type.complex)
    return {digits, primary, Type::scalar(Elem::Float64)};
  return {digits + abbreviation(n.type.elem), primary, n.type};
}
ExprPrinter::Written ExprPrinter::parts(const ComplexConst& n) const {
  return untyped(n, fmt::format("complex({}, {})", float_text(n.re), float_text(n.im)), primary);
}

ExprPrinter::Written ExprPrinter::parts(const Index& n) const {
  std::string words;
  if (n.copyslice) words += *n.copyslice ? " copy" : " view";
  if (n.flatten) words += *n.flatten ? " flatten" : " noflatten";
  return untyped(
      n, fmt::format("{}[{}{}{}]", variable(n.array), subscripts(n.subscripts), words.empty() ? "" : " |", words),
      primary);
}

std::string ExprPrinter::subscripts(const std::vector<Subscript>& list) const {
  std::string s;
  for (const Subscript& x : list) {
    s += (s.empty() ? "" : ", ") + subscript(*x.value);
    if (!x.minbounds) s += x.maxbounds ? " nolower" : " unchecked";
    if (x.minbounds && !x.maxbounds) s += " noupper";
    if (x.negative) s += " negative";
    if (x.grow) s += *x.grow ? " grow" : " nogrow";
  }
  return s;
}

std::string ExprPrinter::subscript(const Expr& value) const {
  const auto* r = as<Range>(&value);
  if (!r) return expr(value);
  if (!r->type.is_null()) return fmt::format("({} : {})", parts(*r).text, type(r->type));
  if (r->exclude && !r->stop) return parts(*r).text;  // the parser gives no type to it in this position
  std::string s = (r->start ? expr(*r->start) : "") + ":" + (r->stop ? mark(*r) + expr(*r->stop) : "");
  return r->step ? s + ":" + expr(*r->step) : s;
}

ExprPrinter::Written ExprPrinter::parts(const FnCall& n) const {
  const bool plain = scope_.is_function(n.callee) || !find_library(n.callee);
  const bool marked = !plain || is_keyword(n.callee);
  return untyped(n,
                 fmt::format("{}{}({})", marked ? "fn." : "",
                             marked && is_keyword(n.callee) ? n.callee : written_name(n.callee), exprs(n.args)),
                 primary);
}
ExprPrinter::Written ExprPrinter::parts(const LibCall& n) const {
  const bool plain = !scope_.is_function(n.func) && find_library(n.func) && !is_keyword(n.func);
  return untyped(
      n,
      fmt::format("{}{}({})", plain ? "" : "lib.", is_keyword(n.func) ? n.func : written_name(n.func), exprs(n.args)),
      primary);
}
ExprPrinter::Written ExprPrinter::parts(const FnHandle& n) const {
  return untyped(n, "&" + written_name(n.callee), primary);
}

ExprPrinter::Written ExprPrinter::parts(const Alloc& n) const {
  const std::string_view name = alloc_names[static_cast<size_t>(n.func)];
  Written w = untyped(n, fmt::format("{}({})", name, exprs(n.args)), primary);
  if (w.type == n.type || !n.type.is_numeric()) return w;
  Alloc bare = n;
  bare.type = n.type.element();
  if (Type t = scope_.type_of(bare); t == n.type)
    return {fmt::format("{}({}{}{})", name, type(bare.type), n.args.empty() ? "" : ", ", exprs(n.args)), primary, t};
  return w;
}

ExprPrinter::Written ExprPrinter::parts(const Dim& n) const {
  return untyped(n, fmt::format("{}.shape[{}]", variable(n.array), n.dim), primary);
}
ExprPrinter::Written ExprPrinter::parts(const DimVec& n) const {
  return untyped(n, variable(n.array) + ".shape", primary);
}
ExprPrinter::Written ExprPrinter::parts(const TupleExpr& n) const {
  return untyped(n, "tuple(" + exprs(n.elems) + ")", primary);
}
ExprPrinter::Written ExprPrinter::parts(const TupleIndex& n) const {
  return untyped(n, fmt::format("{}.item[{}]", variable(n.tuple), n.index), primary);
}
ExprPrinter::Written ExprPrinter::parts(const ComplexExpr& n) const {
  // Parentheses distinguish two constant parts from a complex constant.
  const bool constants = n.re->kind == Kind::FloatConst && n.im->kind == Kind::FloatConst;
  const std::string re = expr(*n.re);
  return untyped(n, fmt::format("complex({}, {})", constants ? "(" + re + ")" : re, expr(*n.im)), primary);
}
ExprPrinter::Written ExprPrinter::parts(const RealExpr& n) const {
  return untyped(n, variable(n.id) + ".real", primary);
}
ExprPrinter::Written ExprPrinter::parts(const ImagExpr& n) const {
  return untyped(n, variable(n.id) + ".imag", primary);
}

ExprPrinter::Written ExprPrinter::parts(const Range& n) const {
  std::string s;
  auto add = [&](const char* key, const std::string& text) { s += (s.empty() ? "" : ", ") + std::string(key) + text; };
  const bool positional = n.stop && (n.start || !n.step);
  if (n.start) add(positional ? "" : "start=", expr(*n.start));
  if (n.stop) add(positional ? "" : "stop=", mark(n) + expr(*n.stop));
  if (n.step) add(positional ? "" : "step=", expr(*n.step));
  if (n.exclude && !n.stop) add("exclude=", *n.exclude ? "true" : "false");
  return untyped(n, "range(" + s + ")", primary);
}
ExprPrinter::Written ExprPrinter::parts(const Domain& n) const {
  return untyped(n, "domain(" + exprs(n.ranges) + ")", primary);
}
ExprPrinter::Written ExprPrinter::parts(const Xchange& n) const {
  return untyped(n,
                 fmt::format("atomic.{}({}[{}]{}{})", atomic_ops[static_cast<size_t>(n.op)], variable(n.array),
                             subscripts(n.subscripts), n.args.empty() ? "" : ", ", exprs(n.args)),
                 primary);
}

}  // namespace vr::text::brief
