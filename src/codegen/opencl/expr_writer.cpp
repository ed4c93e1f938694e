#include "codegen/opencl/expr_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace vr::codegen::opencl {
using namespace lower;

const char* memory_type(Scalar s) { return s == Scalar::Ptr ? "__global char*" : ir::elem_info(elem_of(s)).opencl; }

const char* value_type(Scalar s) { return s == Scalar::Bool ? "bool" : memory_type(s); }

std::string ExprWriter::math_function(MathFn f, Scalar) const {
  switch (f) {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) \
  case MathFn::Name:                                         \
    return opencl_name;
#include "loop/math.def"
  }
  return "?";
}

/// Devices compute the reciprocal of a square root faster than either.
ExprWriter::Text ExprWriter::quotient(const Expr& e) {
  constexpr uint8_t needed = ir::fastmath::Arcp | ir::fastmath::Afn;
  if ((fast_math_ & needed) != needed || e.b->kind != Expr::Kind::Math || e.b->fn != MathFn::Sqrt) return {"", true};
  const std::string root = fmt::format("rsqrt({})", write(e.b->a));
  if (e.a->kind == Expr::Kind::FloatConst && e.a->fval == 1) return {root, true};
  return {write(e.a, true) + " * " + root, false};
}

std::string ExprWriter::int_constant(Scalar type, int64_t v) const {
  if (type == Scalar::Bool) return v ? "true" : "false";
  v = ir::wrap(v, elem_of(type));
  if (type == Scalar::UInt64) return std::to_string(static_cast<uint64_t>(v)) + "UL";
  if (type == Scalar::UInt32) return std::to_string(v) + "u";
  // The smallest values have no literal: -2147483648 is a negated 2147483648.
  if (type == Scalar::Int64) return v == std::numeric_limits<int64_t>::min() ? "LONG_MIN" : std::to_string(v) + "L";
  return v == std::numeric_limits<int32_t>::min() ? "INT_MIN" : std::to_string(v);
}

std::string ExprWriter::float_constant(Scalar type, double v) const {
  const bool single = type == Scalar::Float32;
  const double value = single ? static_cast<float>(v) : v;
  const char* cast = single ? "" : "(double)";
  if (std::isnan(value)) return fmt::format("{}NAN", cast);
  if (std::isinf(value)) return fmt::format("{}{}INFINITY", value < 0 ? "-" : "", cast);
  return single ? c_family::finite_constant(static_cast<float>(value)) + "f" : c_family::finite_constant(value);
}

std::string ExprWriter::wrapping(const char* operation, Scalar type) {
  return helpers_.use(fmt::format("vr_{}_{}", operation, value_type(type)));
}

std::string ExprWriter::nearest_integer(Scalar from, Scalar to) {
  return helpers_.use(fmt::format("vr_{}_to_{}", value_type(from), value_type(to)));
}

std::string ExprWriter::narrow_conversion(Scalar from, Scalar to) {
  if (from == Scalar::Float64) helpers_.use("vr_f32_to_f16");
  return helpers_.use(fmt::format("vr_{}_to_{}", scalar_name(from), scalar_name(to)));
}

ExprWriter::Text ExprWriter::load(const Expr& e) {
  if (e.type == Scalar::Ptr) return refuse("a pointer in memory");
  if (std::string lane = lane_(e); !lane.empty()) return {lane, true};
  std::string load = fmt::format("*({} const {}*)({})", usage_.space(e.a), memory_type(e.type), address(e.a, e.b));
  if (e.type == Scalar::Bool) return {load + " != 0", false};
  return {load, false};
}

ExprWriter::Text ExprWriter::aligned(const Expr& e) {
  return {fmt::format("((ulong)({}) & {}) == 0", address(e.a, e.b), e.ival - 1), false};
}

/// The parameter for an array that is only read is a pointer to const.
std::string ExprWriter::select_cast(const Expr& e) {
  if (usage_.is_private(e.b) != usage_.is_private(e.c)) return refuse("a pointer into one of two address spaces").text;
  return fmt::format("({} char*)", usage_.space(e.b));
}

std::string ExprWriter::shared_constant(ExprP e, const std::string& name, const std::string& value) const {
  return e->type == Scalar::Ptr ? fmt::format("{0} char* const {1} = ({0} char*)({2});", usage_.space(e), name, value)
                                : fmt::format("const {} {} = {};", value_type(e->type), name, value);
}

}  // namespace vr::codegen::opencl
