// Expressions of the lowered form as text of a language of the C family. What differs between the languages is virtual:
// a class derived from ExprWriter for each (codegen/opencl, codegen/c99).
#pragma once
#include "loop/form.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace vr::codegen::c_family {

class ExprWriter {
 public:
  /// names: the identifier of each variable of the function.
  explicit ExprWriter(const std::vector<std::string>& names) : names_(names) {}
  virtual ~ExprWriter() = default;
  ExprWriter(const ExprWriter&) = delete;
  ExprWriter& operator=(const ExprWriter&) = delete;

  /// The text of expression e. As an operand, anything but a name, a constant or a call is put in parentheses. In an
  /// address, int64 arithmetic is written with plain operators: it cannot overflow where the access itself is valid.
  std::string write(lower::ExprP e, bool operand = false, bool address = false);
  /// `base + offset`, a pointer.
  std::string address(lower::ExprP base, lower::ExprP offset);
  /// The identifier of the variable, which the text is to contain.
  const std::string& name(lower::VarId v);
  /// Whether name() or an expression wrote the variable: those that must be declared.
  bool is_used(lower::VarId v) const { return static_cast<size_t>(v) < used_.size() && used_[static_cast<size_t>(v)]; }

  /// Expressions share nodes, text cannot: before a statement with these roots, declares shared subexpressions as
  /// constants if the text would become too long. Returns the declarations (a line each); they are valid until the next
  /// call.
  std::vector<std::string> declare_shared(const std::vector<lower::ExprP>& roots);

  /// The first expression that cannot be written, in words; empty: none.
  const std::string& problem() const { return problem_; }

 protected:
  struct Text {
    std::string text;
    bool atom;  ///< needs no parentheses as an operand
  };
  Text refuse(const std::string& what);

  /// The type of a value in an expression or local variable.
  virtual std::string value_type_of(lower::Scalar s) const = 0;
  /// The name of the helper function that does what C's operator does not: "add", "sub", "mul" and "neg" with
  /// wrap-around on integers of a type, "shl" and "shr" by counts modulo the number of bits, and "popcount".
  virtual std::string wrapping(const char* operation, lower::Scalar type) = 0;
  /// The name of the helper that converts to the nearest integer (NaN to 0).
  virtual std::string nearest_integer(lower::Scalar from, lower::Scalar to) = 0;
  /// The name of the helper for a conversion to or from a narrow float, whose values are their bits in an unsigned
  /// integer.
  virtual std::string narrow_conversion(lower::Scalar from, lower::Scalar to) = 0;
  virtual std::string int_constant(lower::Scalar type, int64_t v) const = 0;
  virtual std::string float_constant(lower::Scalar type, double v) const = 0;
  virtual std::string math_function(lower::MathFn f, lower::Scalar type) const = 0;
  /// The text that replaces a division; empty: the division is written.
  virtual Text quotient(const lower::Expr&) { return {"", true}; }
  virtual Text null_pointer() const = 0;
  virtual Text load(const lower::Expr& e) = 0;
  /// base + offset as a value of its own (Expr::Kind::Offset): unlike an access it may be outside of the array.
  virtual Text offset(const lower::Expr& e) { return {address(e.a, e.b), false}; }
  virtual Text aligned(const lower::Expr& e) = 0;
  /// What products of floats are arguments of; empty: of nothing.
  virtual std::string product() const { return ""; }
  /// Whether And and Or of truth values are written as && and ||. Expressions are pure, so that both forms are right.
  virtual bool short_circuits() const { return true; }
  /// Arithmetic of int64 in an address: an operand that makes it wrap around, and the whole as a signed number again.
  virtual std::string address_term(const std::string& operand) { return operand; }
  virtual std::string signed_address(const std::string& sum) { return sum; }
  /// A cast before each operand of a select of pointers; refuses what cannot be one.
  virtual std::string select_cast(const lower::Expr& e) = 0;
  /// The declaration of a constant with the value of e.
  virtual std::string shared_constant(lower::ExprP e, const std::string& name, const std::string& value) const = 0;
  /// Operands of a comparison of pointers.
  virtual std::string pointer_operand(lower::ExprP e) { return write(e, true); }

 private:
  Text text(const lower::Expr& e, bool address);
  Text binary(const lower::Expr& e, bool address);
  Text unary(const lower::Expr& e, bool address);
  Text convert(const lower::Expr& e);
  std::string term(lower::ExprP e);
  std::string factor(lower::ExprP e);

  const std::vector<std::string>& names_;
  std::vector<bool> used_;
  std::unordered_map<lower::ExprP, std::string> shared_;
  int shared_count_ = 0;
  std::string problem_;
};

/// The shortest decimal text that reads back as v, with a point or an exponent.
std::string finite_constant(double v);
std::string finite_constant(float v);

}  // namespace vr::codegen::c_family
