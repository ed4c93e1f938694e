// Expressions of the lowered form as C99 (private to codegen/c99).
#pragma once
#include "codegen/c99/prelude.hpp"
#include "codegen/c_family/expr_writer.hpp"

namespace vr::codegen::c99 {

class ExprWriter : public c_family::ExprWriter {
 public:
  ExprWriter(const std::vector<std::string>& names, Prelude& prelude)
      : c_family::ExprWriter(names), prelude_(prelude) {}
  /// False: & and |, in innermost loops: gcc vectorises no loop with a condition in a condition.
  void set_short_circuits(bool on) { short_circuits_ = on; }
  /// True: products of floats are rounded before they are added or subtracted, whatever the compiler does.
  void set_products(bool on) { products_ = on; }

 private:
  std::string value_type_of(lower::Scalar s) const override { return c_type(s); }
  std::string wrapping(const char* operation, lower::Scalar type) override {
    return prelude_.wrapping(operation, type);
  }
  std::string nearest_integer(lower::Scalar from, lower::Scalar to) override {
    return prelude_.nearest_integer(from, to);
  }
  std::string narrow_conversion(lower::Scalar from, lower::Scalar to) override {
    return prelude_.narrow_conversion(from, to);
  }
  std::string int_constant(lower::Scalar type, int64_t v) const override;
  std::string float_constant(lower::Scalar type, double v) const override;
  std::string math_function(lower::MathFn f, lower::Scalar type) const override;
  Text null_pointer() const override { return {"(char *)0", false}; }
  Text load(const lower::Expr& e) override;
  Text offset(const lower::Expr& e) override;
  Text aligned(const lower::Expr&) override { return refuse("a test of an address"); }
  bool short_circuits() const override { return short_circuits_; }
  std::string product() const override { return products_ ? "VR_PRODUCT" : ""; }
  // Unsigned, because gcc recognises an index that is computed with wrapping (vr_add_i64) only in unsigned arithmetic.
  std::string address_term(const std::string& operand) override { return "U64(" + operand + ")"; }
  std::string signed_address(const std::string& sum) override { return "(int64_t)" + sum; }
  std::string select_cast(const lower::Expr&) override { return ""; }
  std::string shared_constant(lower::ExprP e, const std::string& name, const std::string& value) const override;
  std::string pointer_operand(lower::ExprP e) override { return "(uintptr_t)" + write(e, true); }

  Prelude& prelude_;
  bool short_circuits_ = true, products_ = false;
};

}  // namespace vr::codegen::c99
