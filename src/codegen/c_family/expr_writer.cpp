#include "codegen/c_family/expr_writer.hpp"

#include "loop/exprs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace vr::codegen::c_family {
using namespace lower;

namespace {

template <class T>
std::string with_point(T v) {
  std::string s = fmt::format("{}", v);  // shortest text that reads back as v
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

/// Whether C's operators wrap: for unsigned types that are not promoted to int.
bool wraps(Scalar type) { return is_unsigned(type) && scalar_bytes(type) >= 4; }

/// Whether an address contains the expression as a sum, difference, product or negation.
bool is_sum(const Expr& e) {
  const bool arithmetic = e.kind == Expr::Kind::Binary && (e.op == Op::Add || e.op == Op::Sub || e.op == Op::Mul);
  return e.type == Scalar::Int64 && (arithmetic || (e.kind == Expr::Kind::Unary && e.op == Op::Neg));
}

}  // namespace

std::string finite_constant(double v) { return with_point(v); }
std::string finite_constant(float v) { return with_point(v); }

std::string ExprWriter::write(ExprP e, bool operand, bool address) {
  if (!e) return refuse("a missing operand").text;
  if (auto it = shared_.find(e); it != shared_.end()) return it->second;
  Text t = text(*e, address);
  return operand && !t.atom ? "(" + t.text + ")" : t.text;
}

std::string ExprWriter::address(ExprP base, ExprP offset) {
  const std::string b = write(base, true, true);
  if (!offset || (offset->kind == Expr::Kind::IntConst && offset->ival == 0)) return b;
  const std::string o = write(offset, true, true);
  return b + " + " + (is_sum(*offset) && !shared_.contains(offset) ? signed_address(o) : o);
}

const std::string& ExprWriter::name(VarId v) {
  const auto k = static_cast<size_t>(v);
  if (used_.size() <= k) used_.resize(names_.size());
  used_[k] = true;
  return names_[k];
}

ExprWriter::Text ExprWriter::refuse(const std::string& what) {
  if (problem_.empty()) problem_ = what;
  return {"?", true};
}

ExprWriter::Text ExprWriter::text(const Expr& e, bool in_address) {
  switch (e.kind) {
    case Expr::Kind::IntConst: {
      std::string s = int_constant(e.type, e.ival);
      return {s, s[0] != '-'};
    }
    case Expr::Kind::FloatConst: {
      if (is_narrow_float(e.type)) return {int_constant(Scalar::UInt16, narrow_bits(e.fval, e.type)), true};
      std::string s = float_constant(e.type, e.fval);
      return {s, s[0] != '-' && s[0] != '('};
    }
    case Expr::Kind::Null:
      return null_pointer();
    case Expr::Kind::Var:
      return {name(e.var), true};
    case Expr::Kind::Unary:
      return unary(e, in_address);
    case Expr::Kind::Binary:
      return binary(e, in_address);
    case Expr::Kind::Select: {
      // Both operands of a pointer select are cast to one type.
      const std::string cast = e.type == Scalar::Ptr ? select_cast(e) : "";
      return {fmt::format("{} ? {}{} : {}{}", write(e.a, true), cast, write(e.b, true), cast, write(e.c, true)), false};
    }
    case Expr::Kind::Convert:
      return convert(e);
    case Expr::Kind::Math: {
      std::string args = write(e.a);
      if (e.b) args += ", " + write(e.b);
      return {fmt::format("{}({})", math_function(e.fn, e.type), args), true};
    }
    case Expr::Kind::Load:
      return load(e);
    case Expr::Kind::Offset:
      return offset(e);
    case Expr::Kind::Aligned:
      return aligned(e);
    case Expr::Kind::At:
      break;  // lower::check() rejects such expressions
  }
  return refuse("an unknown expression");
}

ExprWriter::Text ExprWriter::unary(const Expr& e, bool in_address) {
  if (e.op == Op::Not) return {"!" + write(e.a, true), false};
  if (e.op == Op::Popcount) return {fmt::format("{}({})", wrapping("popcount", e.type), write(e.a)), true};
  if (e.op != Op::Neg) return refuse("a unary use of a binary operator");
  if (in_address && e.type == Scalar::Int64) return {"-" + term(e.a), false};
  if (is_float(e.type) || wraps(e.type)) return {"-" + write(e.a, true), false};
  return {fmt::format("{}({})", wrapping("neg", e.type), write(e.a)), true};
}

std::string ExprWriter::factor(ExprP e) {
  const bool inner = e->kind == Expr::Kind::Binary && e->op == Op::Mul && !shared_.contains(e);
  return inner ? fmt::format("({} * {})", factor(e->a), factor(e->b)) : write(e, true);
}

std::string ExprWriter::term(ExprP e) {
  const bool sum = is_sum(*e) && !shared_.contains(e);
  return sum || e->kind == Expr::Kind::IntConst ? write(e, true, true) : address_term(write(e, true, true));
}

ExprWriter::Text ExprWriter::binary(const Expr& e, bool in_address) {
  const bool truth = e.type == Scalar::Bool;
  const char* op = nullptr;
  const char* operation = nullptr;
  switch (e.op) {
    case Op::Add:
      op = "+";
      operation = "add";
      break;
    case Op::Sub:
      op = "-";
      operation = "sub";
      break;
    case Op::Mul:
      op = "*";
      operation = "mul";
      break;
    case Op::Div:
      // C's shifts of negative numbers to the right keep the sign in all compilers that are supported.
      if (const int bits = lower::shifted_right(e)) return {fmt::format("{} >> {}", write(e.a->a, true), bits), false};
      if (Text other = quotient(e); !other.text.empty()) return other;
      op = "/";
      break;
    case Op::Rem:
      op = "%";
      break;
    case Op::And:
      op = truth && short_circuits() ? "&&" : "&";
      break;
    case Op::Or:
      op = truth && short_circuits() ? "||" : "|";
      break;
    case Op::Xor:
      op = truth ? "!=" : "^";
      break;
    case Op::Shl:
    case Op::Shr:
      return {fmt::format("{}({}, {})", wrapping(e.op == Op::Shl ? "shl" : "shr", e.type), write(e.a), write(e.b)),
              true};
    case Op::Eq:
      op = "==";
      break;
    case Op::Ne:
      op = "!=";
      break;
    case Op::Lt:
      op = "<";
      break;
    case Op::Le:
      op = "<=";
      break;
    case Op::Gt:
      op = ">";
      break;
    case Op::Ge:
      op = ">=";
      break;
    case Op::Neg:
    case Op::Not:
    case Op::Popcount:
      return refuse("a binary use of a unary operator");
  }
  if (operation && in_address && e.type == Scalar::Int64) {
    // C converts the other operand.
    const bool first = e.a->kind != Expr::Kind::IntConst;
    return {
        fmt::format("{} {} {}", first ? term(e.a) : write(e.a, true), op, first ? write(e.b, true, true) : term(e.b)),
        false};
  }
  if (e.op == Op::Mul && is_float(e.type))
    if (const std::string name = product(); !name.empty())
      return {fmt::format("{}({} * {})", name, factor(e.a), factor(e.b)), true};
  const bool plain = is_float(e.type) || wraps(e.type);
  if (operation && !plain)
    return {fmt::format("{}({}, {})", wrapping(operation, e.type), write(e.a), write(e.b)), true};
  if (e.a && e.a->type == Scalar::Ptr)
    return {fmt::format("{} {} {}", pointer_operand(e.a), op, pointer_operand(e.b)), false};
  return {fmt::format("{} {} {}", write(e.a, true), op, write(e.b, true)), false};
}

ExprWriter::Text ExprWriter::convert(const Expr& e) {
  if (!e.a) return refuse("a missing operand");
  const Scalar from = e.a->type, to = e.type;
  if (from == to) return {write(e.a, true), true};
  if (from == Scalar::Ptr || to == Scalar::Ptr) return refuse("a conversion of a pointer");
  if (is_narrow_float(from) || is_narrow_float(to))
    return {fmt::format("{}({})", narrow_conversion(from, to), write(e.a)), true};
  if (to == Scalar::Bool) {
    const std::string zero = is_float(from) ? float_constant(from, 0) : int_constant(from, 0);
    return {write(e.a, true) + " != " + zero, false};
  }
  if (is_float(from) && !is_float(to)) {
    return {fmt::format("{}({})", nearest_integer(from, to), write(e.a)), true};
  }
  return {fmt::format("({}){}", value_type_of(to), write(e.a, true)), false};
}

std::vector<std::string> ExprWriter::declare_shared(const std::vector<ExprP>& roots) {
  // Text of up to this many nodes may be repeated.
  constexpr int64_t small = 8, large = 256;
  shared_.clear();
  std::unordered_map<ExprP, int64_t> size;  // nodes of the unfolded tree, saturated
  std::unordered_map<ExprP, int> uses;
  std::vector<ExprP> order;  // operands before users
  std::function<int64_t(ExprP)> measure = [&](ExprP e) -> int64_t {
    if (!e) return 0;
    ++uses[e];
    if (auto it = size.find(e); it != size.end()) return it->second;
    // A shift is written without the mask below it.
    const int64_t operands = shifted_right(*e) ? measure(e->a->a) : measure(e->a) + measure(e->b) + measure(e->c);
    const int64_t n = std::min<int64_t>(1 + operands, int64_t{1} << 40);
    size[e] = n;
    order.push_back(e);
    return n;
  };
  int64_t total = 0;
  for (ExprP r : roots) total += measure(r);
  std::vector<std::string> lines;
  if (total <= large) return lines;
  for (ExprP e : order) {
    if (uses[e] < 2 || size[e] < small) continue;
    const std::string name = fmt::format("vr_s{}", ++shared_count_);
    lines.push_back(shared_constant(e, name, write(e)));
    shared_[e] = name;
  }
  return lines;
}

}  // namespace vr::codegen::c_family
