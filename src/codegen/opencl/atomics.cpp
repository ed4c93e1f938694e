#include "codegen/opencl/atomics.hpp"

#include "codegen/opencl/expr_writer.hpp"

#include <fmt/format.h>

namespace vr::codegen::opencl {
namespace {
using ir::AtomicOp;
using lower::Scalar;

/// The built-in function for the operation; null if there is none.
const char* built_in(AtomicOp op, Scalar type) {
  if (lower::is_float(type)) return nullptr;
  const bool wide = lower::scalar_bytes(type) == 8;
  switch (op) {
    case AtomicOp::Cas:
      return wide ? "atom_cmpxchg" : "atomic_cmpxchg";
    case AtomicOp::Add:
      return wide ? "atom_add" : "atomic_add";
    case AtomicOp::Sub:
      return wide ? "atom_sub" : "atomic_sub";
    case AtomicOp::Swap:
      return wide ? "atom_xchg" : "atomic_xchg";
    case AtomicOp::Min:
      return wide ? nullptr : "atomic_min";
    case AtomicOp::Max:
      return wide ? nullptr : "atomic_max";
    case AtomicOp::And:
      return wide ? nullptr : "atomic_and";
    case AtomicOp::Or:
      return wide ? nullptr : "atomic_or";
  }
  __builtin_unreachable();
}

/// The new element from `old` and `x`.
const char* next_value(AtomicOp op) {
  switch (op) {
    case AtomicOp::Cas:
      return "old == expected ? x : old";
    case AtomicOp::Add:
      return "old + x";
    case AtomicOp::Sub:
      return "old - x";
    case AtomicOp::Min:
      return "x < old ? x : old";
    case AtomicOp::Max:
      return "x > old ? x : old";
    case AtomicOp::And:
      return "old & x";
    case AtomicOp::Or:
      return "old | x";
    case AtomicOp::Swap:
      return "x";
  }
  __builtin_unreachable();
}

}  // namespace

std::string atomic_name(AtomicOp op, Scalar type, bool local) {
  return fmt::format("vr_{}_{}_{}", local ? "local" : "atomic", ir::atomic_op_name(op), value_type(type));
}

std::string atomic_text(AtomicOp op, Scalar type, bool local) {
  const char *t = value_type(type), *space = local ? "__local" : "__global";
  const bool wide = lower::scalar_bytes(type) == 8, cas = op == AtomicOp::Cas;
  const std::string head = fmt::format("static {0} {1}(volatile {3} {0}* p, {2}{0} x) {{", t,
                                       atomic_name(op, type, local), cas ? fmt::format("{} expected, ", t) : "", space);
  if (const char* f = built_in(op, type))
    return fmt::format("{} return {}(p, {}x); }}\n", head, f, cas ? "expected, " : "");
  const bool no_sign = lower::is_unsigned(type);
  const char* bits = wide ? (no_sign ? "ulong" : "long") : no_sign ? "uint" : "int";
  // The first read is atomic, too: a plain load would be a data race with exchanges of other work-items.
  return fmt::format(
      "{0}\n"
      "  {1} old = as_{1}({5}((volatile {6} {2}*)p, 0));\n"
      "  for (;;) {{\n"
      "    const {2} seen = as_{2}(old);\n"
      "    const {1} next = {3};\n"
      "    const {2} was = {4}((volatile {6} {2}*)p, seen, as_{2}(next));\n"
      "    if (was == seen) return old;\n"
      "    old = as_{1}(was);\n"
      "  }}\n"
      "}}\n",
      head, t, bits, next_value(op), wide ? "atom_cmpxchg" : "atomic_cmpxchg", wide ? "atom_add" : "atomic_add", space);
}

}  // namespace vr::codegen::opencl
