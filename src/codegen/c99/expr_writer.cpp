#include "codegen/c99/expr_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vr::codegen::c99 {

using namespace lower;

std::string ExprWriter::int_constant(Scalar type, int64_t v) const {
  if (type == Scalar::Bool) return v ? "true" : "false";
  v = ir::wrap(v, elem_of(type));
  if (type == Scalar::UInt64) return fmt::format("UINT64_C({})", static_cast<uint64_t>(v));
  if (type == Scalar::UInt32) return fmt::format("{}u", v);
  // The smallest values have no literal: -2147483648 is a negated 2147483648.
  if (type == Scalar::Int32 && v == std::numeric_limits<int32_t>::min()) return "INT32_MIN";
  if (type != Scalar::Int64) return std::to_string(v);
  if (v == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
  // Small constants need no suffix and are easier to read without; the product of two of them does not overflow.
  return v > -(1 << 15) && v < 1 << 15 ? std::to_string(v)
         : v < 0                       ? fmt::format("-INT64_C({})", -v)
                                       : fmt::format("INT64_C({})", v);
}

std::string ExprWriter::float_constant(Scalar type, double v) const {
  const bool single = type == Scalar::Float32;
  const double value = single ? static_cast<float>(v) : v;
  const char* cast = single ? "" : "(double)";
  if (std::isnan(value)) return fmt::format("{}NAN", cast);
  if (std::isinf(value)) return fmt::format("{}{}INFINITY", value < 0 ? "-" : "", cast);
  return single ? c_family::finite_constant(static_cast<float>(value)) + "f" : c_family::finite_constant(value);
}

std::string ExprWriter::math_function(MathFn f, Scalar type) const { return prelude_.math(f, type); }

ExprWriter::Text ExprWriter::load(const Expr& e) {
  return {fmt::format("{}({})", prelude_.load(e.type), address(e.a, e.b)), true};
}

// A view of an empty array may begin anywhere: C's pointer arithmetic may not leave the array, integers may.
ExprWriter::Text ExprWriter::offset(const Expr& e) {
  if (e.b->kind == Expr::Kind::IntConst && e.b->ival == 0) return {write(e.a, true), true};
  return {fmt::format("(char *)((uintptr_t){} + (uintptr_t){})", write(e.a, true), write(e.b, true)), false};
}

std::string ExprWriter::shared_constant(ExprP e, const std::string& name, const std::string& value) const {
  return e->type == Scalar::Ptr ? fmt::format("char *const {} = {};", name, value)
                                : fmt::format("const {} {} = {};", c_type(e->type), name, value);
}

}  // namespace vr::codegen::c99
