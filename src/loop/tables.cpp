// The small tables of form.hpp.
#include "loop/form.hpp"

namespace vr::lower {

const char* scalar_name(Scalar s) { return s == Scalar::Ptr ? "ptr" : ir::elem_info(elem_of(s)).abbreviation; }

const char* op_name(Op op) {
  switch (op) {
    case Op::Add:
      return "+";
    case Op::Sub:
      return "-";
    case Op::Mul:
      return "*";
    case Op::Div:
      return "/";
    case Op::Rem:
      return "%";
    case Op::And:
      return "&";
    case Op::Or:
      return "|";
    case Op::Xor:
      return "^";
    case Op::Shl:
      return "<<";
    case Op::Shr:
      return ">>";
    case Op::Eq:
      return "==";
    case Op::Ne:
      return "!=";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Ge:
      return ">=";
    case Op::Neg:
      return "-";
    case Op::Not:
      return "!";
    case Op::Popcount:
      return "popcount";
  }
  return "?";
}

Op negated(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Ge;
    case Op::Le:
      return Op::Gt;
    case Op::Gt:
      return Op::Le;
    case Op::Ge:
      return Op::Lt;
    case Op::Eq:
      return Op::Ne;
    default:
      return Op::Eq;
  }
}

Op mirrored(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Gt;
    case Op::Le:
      return Op::Ge;
    case Op::Gt:
      return Op::Lt;
    case Op::Ge:
      return Op::Le;
    default:
      return op;
  }
}

const char* math_name(MathFn f) {
  static constexpr const char* names[] = {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) c_name,
#include "loop/math.def"
  };
  return names[static_cast<int>(f)];
}

int math_arity(MathFn f) {
  static constexpr int arities[] = {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) arity,
#include "loop/math.def"
  };
  return arities[static_cast<int>(f)];
}

}  // namespace vr::lower
