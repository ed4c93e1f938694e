// Expressions of the lowered form as OpenCL C text.
#pragma once
#include "codegen/c_family/expr_writer.hpp"
#include "codegen/opencl/helpers.hpp"
#include "codegen/opencl/usage.hpp"
#include "loop/form.hpp"

#include <functional>
#include <string>
#include <vector>

namespace vr::codegen::opencl {

/// The type of a value in an expression or local variable ("bool", "int", "__global char*").
const char* value_type(lower::Scalar s);
/// The type of a value in memory or as a kernel's parameter: Bool is uchar there.
const char* memory_type(lower::Scalar s);

class ExprWriter : public c_family::ExprWriter {
 public:
  /// names: the identifier of each variable of the function. fast_math: its flags. lane: the variable that already holds a
  /// load's value, or "".
  ExprWriter(const std::vector<std::string>& names, uint8_t fast_math, const Usage& usage, Helpers& helpers,
             std::function<std::string(const lower::Expr& load)> lane)
      : c_family::ExprWriter(names), fast_math_(fast_math), usage_(usage), helpers_(helpers), lane_(std::move(lane)) {}

 private:
  std::string value_type_of(lower::Scalar s) const override { return value_type(s); }
  std::string wrapping(const char* operation, lower::Scalar type) override;
  std::string nearest_integer(lower::Scalar from, lower::Scalar to) override;
  std::string narrow_conversion(lower::Scalar from, lower::Scalar to) override;
  std::string int_constant(lower::Scalar type, int64_t v) const override;
  std::string float_constant(lower::Scalar type, double v) const override;
  std::string math_function(lower::MathFn f, lower::Scalar type) const override;
  Text null_pointer() const override { return {"(__global char*)0", false}; }
  Text load(const lower::Expr& e) override;
  Text quotient(const lower::Expr& e) override;
  Text aligned(const lower::Expr& e) override;
  std::string select_cast(const lower::Expr& e) override;
  std::string shared_constant(lower::ExprP e, const std::string& name, const std::string& value) const override;

  const uint8_t fast_math_;
  const Usage& usage_;
  Helpers& helpers_;
  std::function<std::string(const lower::Expr&)> lane_;
};

}  // namespace vr::codegen::opencl
