#include "ast.hpp"

namespace vr::matlab {

const char* op_text(Op op) {
  switch (op) {
    case Op::None:
      return "";
    case Op::Plus:
      return "+";
    case Op::Minus:
      return "-";
    case Op::Times:
      return ".*";
    case Op::Rdivide:
      return "./";
    case Op::Ldivide:
      return ".\\";
    case Op::Power:
      return ".^";
    case Op::Mtimes:
      return "*";
    case Op::Mrdivide:
      return "/";
    case Op::Mldivide:
      return "\\";
    case Op::Mpower:
      return "^";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Ge:
      return ">=";
    case Op::Eq:
      return "==";
    case Op::Ne:
      return "!=";
    case Op::And:
      return "&";
    case Op::Or:
      return "|";
    case Op::AndAnd:
      return "&&";
    case Op::OrOr:
      return "||";
    case Op::Not:
      return "!";
    case Op::Uplus:
      return "+";
    case Op::Uminus:
      return "-";
    case Op::Transpose:
      return ".'";
    case Op::Ctranspose:
      return "'";
    case Op::Increment:
      return "++";
    case Op::Decrement:
      return "--";
  }
  return "";
}

const Function* Unit::find(const std::string& name) const {
  for (const FunctionPtr& f : functions)
    if (f->name == name) return f.get();
  return nullptr;
}

}  // namespace vr::matlab
