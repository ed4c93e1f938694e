// Expressions of the lowered form as OpenCL C text.
#pragma once
#include "codegen/opencl/helpers.hpp"
#include "codegen/opencl/usage.hpp"
#include "loop/form.hpp"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vr::codegen::opencl {

/// The type of a value in an expression or local variable ("bool", "int", "__global char*").
const char* value_type(lower::Scalar s);
/// The type of a value in memory or as a kernel's parameter: Bool is uchar there.
const char* memory_type(lower::Scalar s);

class ExprWriter {
 public:
  /// names: the identifier of each variable of the function. lane: the variable that already holds a load's value, or "".
  ExprWriter(const std::vector<std::string>& names, const Usage& usage, Helpers& helpers,
             std::function<std::string(const lower::Expr& load)> lane)
      : names_(names), usage_(usage), helpers_(helpers), lane_(std::move(lane)) {}

  /// Text of e. As an operand, anything but a name, a constant or a call is put in parentheses. In an address, int64
  /// arithmetic is written with plain operators: it cannot overflow where the access itself is valid.
  std::string write(lower::ExprP e, bool operand = false, bool address = false);
  /// `base + offset`, a pointer.
  std::string address(lower::ExprP base, lower::ExprP offset);

  /// Expressions share nodes, text cannot: before a statement with these roots, declares shared subexpressions as constants if
  /// the text would become too long. Returns the declarations (a line each); they are valid until the next call.
  std::vector<std::string> declare_shared(const std::vector<lower::ExprP>& roots);

  /// The first expression that cannot be written, in words; empty: none.
  const std::string& problem() const { return problem_; }

 private:
  struct Text {
    std::string text;
    bool atom;
  };
  Text text(const lower::Expr& e, bool address);
  Text binary(const lower::Expr& e, bool address);
  Text unary(const lower::Expr& e, bool address);
  Text convert(const lower::Expr& e);
  Text refuse(const std::string& what);

  const std::vector<std::string>& names_;
  const Usage& usage_;
  Helpers& helpers_;
  std::function<std::string(const lower::Expr&)> lane_;
  std::unordered_map<lower::ExprP, std::string> shared_;
  int shared_count_ = 0;
  std::string problem_;
};

}  // namespace vr::codegen::opencl
