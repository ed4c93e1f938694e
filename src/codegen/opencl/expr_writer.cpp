#include "codegen/opencl/expr_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <unordered_set>

namespace vr::codegen::opencl {
using namespace lower;

const char* memory_type(Scalar s) { return s == Scalar::Ptr ? "__global char*" : ir::elem_info(elem_of(s)).opencl; }

const char* value_type(Scalar s) { return s == Scalar::Bool ? "bool" : memory_type(s); }

namespace {

const char* opencl_math_name(MathFn f) {
  switch (f) {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) \
  case MathFn::Name:                                         \
    return opencl_name;
#include "loop/math.def"
  }
  return "?";
}

std::string int_constant(Scalar type, int64_t v) {
  if (type == Scalar::Bool) return v ? "true" : "false";
  v = ir::wrap(v, elem_of(type));
  if (type == Scalar::UInt64) return std::to_string(static_cast<uint64_t>(v)) + "UL";
  if (type == Scalar::UInt32) return std::to_string(v) + "u";
  // The smallest values have no literal: -2147483648 is a negated 2147483648.
  if (type == Scalar::Int64) return v == std::numeric_limits<int64_t>::min() ? "LONG_MIN" : std::to_string(v) + "L";
  return v == std::numeric_limits<int32_t>::min() ? "INT_MIN" : std::to_string(v);
}

template <class T>
std::string finite_constant(T v) {
  std::string s = fmt::format("{}", v);  // shortest text that reads back as v
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

std::string float_constant(Scalar type, double v) {
  const bool single = type == Scalar::Float32;
  const double value = single ? static_cast<float>(v) : v;
  const char* cast = single ? "" : "(double)";
  if (std::isnan(value)) return fmt::format("{}NAN", cast);
  if (std::isinf(value)) return fmt::format("{}{}INFINITY", value < 0 ? "-" : "", cast);
  return single ? finite_constant(static_cast<float>(value)) + "f" : finite_constant(value);
}

/// Whether C's operators wrap: for unsigned types that are not promoted to int.
bool wraps(Scalar type) { return is_unsigned(type) && scalar_bytes(type) >= 4; }

}  // namespace

std::string ExprWriter::write(ExprP e, bool operand, bool address) {
  if (!e) return refuse("a missing operand").text;
  if (auto it = shared_.find(e); it != shared_.end()) return it->second;
  Text t = text(*e, address);
  return operand && !t.atom ? "(" + t.text + ")" : t.text;
}

std::string ExprWriter::address(ExprP base, ExprP offset) {
  const std::string b = write(base, true, true);
  if (!offset || (offset->kind == Expr::Kind::IntConst && offset->ival == 0)) return b;
  return b + " + " + write(offset, true, true);
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
      std::string s = float_constant(e.type, e.fval);
      return {s, s[0] != '-' && s[0] != '('};
    }
    case Expr::Kind::Null:
      return {"(__global char*)0", false};
    case Expr::Kind::Var:
      return {names_[e.var], true};
    case Expr::Kind::Unary:
      return unary(e, in_address);
    case Expr::Kind::Binary:
      return binary(e, in_address);
    case Expr::Kind::Select: {
      // Both operands of a pointer select are cast to one type, because a parameter that is only read is a pointer to const.
      std::string cast;
      if (e.type == Scalar::Ptr) {
        if (usage_.is_private(e.b) != usage_.is_private(e.c)) return refuse("a pointer into one of two address spaces");
        cast = fmt::format("({} char*)", usage_.space(e.b));
      }
      return {fmt::format("{} ? {}{} : {}{}", write(e.a, true), cast, write(e.b, true), cast, write(e.c, true)), false};
    }
    case Expr::Kind::Convert:
      return convert(e);
    case Expr::Kind::Math: {
      std::string args = write(e.a);
      if (e.b) args += ", " + write(e.b);
      return {fmt::format("{}({})", opencl_math_name(e.fn), args), true};
    }
    case Expr::Kind::Load: {
      if (e.type == Scalar::Ptr) return refuse("a pointer in memory");
      if (std::string lane = lane_(e); !lane.empty()) return {lane, true};
      std::string load = fmt::format("*({} const {}*)({})", usage_.space(e.a), memory_type(e.type), address(e.a, e.b));
      if (e.type == Scalar::Bool) return {load + " != 0", false};
      return {load, false};
    }
    case Expr::Kind::Offset:
      return {address(e.a, e.b), false};
    case Expr::Kind::Aligned:
      return {fmt::format("((ulong)({}) & {}) == 0", address(e.a, e.b), e.ival - 1), false};
    case Expr::Kind::At:
      break;  // lower::check() rejects it
  }
  return refuse("an unknown expression");
}

ExprWriter::Text ExprWriter::unary(const Expr& e, bool in_address) {
  if (e.op == Op::Not) return {"!" + write(e.a, true), false};
  if (e.op != Op::Neg) return refuse("a unary use of a binary operator");
  if (is_float(e.type) || wraps(e.type) || (in_address && e.type == Scalar::Int64))
    return {"-" + write(e.a, true, in_address), false};
  return {fmt::format("{}({})", helpers_.use(fmt::format("vr_neg_{}", value_type(e.type))), write(e.a)), true};
}

ExprWriter::Text ExprWriter::binary(const Expr& e, bool in_address) {
  const bool truth = e.type == Scalar::Bool;
  const char* op = nullptr;
  const char* wrapping = nullptr;
  switch (e.op) {
    case Op::Add:
      op = "+";
      wrapping = "vr_add";
      break;
    case Op::Sub:
      op = "-";
      wrapping = "vr_sub";
      break;
    case Op::Mul:
      op = "*";
      wrapping = "vr_mul";
      break;
    case Op::Div:
      op = "/";
      break;
    case Op::Rem:
      op = "%";
      break;
    case Op::And:
      op = truth ? "&&" : "&";
      break;
    case Op::Or:
      op = truth ? "||" : "|";
      break;
    case Op::Xor:
      op = truth ? "!=" : "^";
      break;
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
      return refuse("a binary use of a unary operator");
  }
  const bool plain = is_float(e.type) || wraps(e.type) || (in_address && e.type == Scalar::Int64);
  if (wrapping && !plain)
    return {fmt::format("{}({}, {})", helpers_.use(fmt::format("{}_{}", wrapping, value_type(e.type))), write(e.a), write(e.b)), true};
  const bool operands_in_address = in_address && wrapping;
  return {fmt::format("{} {} {}", write(e.a, true, operands_in_address), op, write(e.b, true, operands_in_address)),
          false};
}

ExprWriter::Text ExprWriter::convert(const Expr& e) {
  if (!e.a) return refuse("a missing operand");
  const Scalar from = e.a->type, to = e.type;
  if (from == to) return {write(e.a, true), true};
  if (from == Scalar::Ptr || to == Scalar::Ptr) return refuse("a conversion of a pointer");
  if (to == Scalar::Bool) {
    const std::string zero = is_float(from) ? float_constant(from, 0) : int_constant(from, 0);
    return {write(e.a, true) + " != " + zero, false};
  }
  if (is_float(from) && !is_float(to)) {
    const std::string helper = fmt::format("vr_{}_to_{}", value_type(from), value_type(to));
    return {fmt::format("{}({})", helpers_.use(helper), write(e.a)), true};
  }
  return {fmt::format("({}){}", value_type(to), write(e.a, true)), false};
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
    const int64_t n = std::min<int64_t>(1 + measure(e->a) + measure(e->b) + measure(e->c), int64_t{1} << 40);
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
    lines.push_back(e->type == Scalar::Ptr
                        ? fmt::format("{0} char* const {1} = ({0} char*)({2});", usage_.space(e), name, write(e))
                        : fmt::format("const {} {} = {};", value_type(e->type), name, write(e)));
    shared_[e] = name;
  }
  return lines;
}

}  // namespace vr::codegen::opencl
