// Names in the loop form's text: of types, and of what a function declares (private to the parser, parse.cpp).
#pragma once
#include "loop/text/lexer.hpp"
#include "loop/form.hpp"

#include <map>
#include <optional>

namespace vr::lower {

/// The type that the current word names; does not advance.
std::optional<Scalar> scalar_named(const Lexer& in);
Scalar scalar(Lexer& in);

/// The variables and arrays of one function, and the functions around it.
class Names {
 public:
  Names(Lexer& in, const Module& m, Function& f) : in_(in), m_(m), f_(f) {}

  void declare_var();    ///< after the word `var`
  void declare_array();  ///< after the word `array`
  VarId var();
  VarId maybe_var();  ///< `-`: none
  std::vector<VarId> vars();
  ArrayId array();
  int32_t row();  ///< of Function::rows, by the name of its data variable
  int32_t function();
  std::vector<std::string> operand_names();  ///< two of a complex scalar: `(re, im)`
  Operand operand_named(const std::vector<std::string>& names) const;
  Operand operand() { return operand_named(operand_names()); }
  std::vector<Operand> operands(std::string_view close);
  const Var& of(VarId v) const { return f_.vars[static_cast<size_t>(v)]; }
  const ArrayVars& of_array(ArrayId a) const { return f_.arrays[static_cast<size_t>(a)]; }

 private:
  Lexer& in_;
  const Module& m_;
  Function& f_;
  std::map<std::string, VarId> vars_;
  std::map<std::string, ArrayId> arrays_;
};

}  // namespace vr::lower
