#include "codegen/opencl/helpers.hpp"

#include "codegen/opencl/atomics.hpp"

namespace vr::codegen::opencl {
namespace {

struct Helper {
  const char* name;
  const char* text;
};

// Signed overflow is undefined in C, so wrapping arithmetic goes through the unsigned type.
// A conversion out of range is undefined as well, and devices differ: the range is tested first.
const Helper table[] = {
    {"vr_add_int", "static int vr_add_int(int a, int b) { return (int)((uint)a + (uint)b); }\n"},
    {"vr_sub_int", "static int vr_sub_int(int a, int b) { return (int)((uint)a - (uint)b); }\n"},
    {"vr_mul_int", "static int vr_mul_int(int a, int b) { return (int)((uint)a * (uint)b); }\n"},
    {"vr_neg_int", "static int vr_neg_int(int a) { return (int)(0u - (uint)a); }\n"},
    {"vr_add_long", "static long vr_add_long(long a, long b) { return (long)((ulong)a + (ulong)b); }\n"},
    {"vr_sub_long", "static long vr_sub_long(long a, long b) { return (long)((ulong)a - (ulong)b); }\n"},
    {"vr_mul_long", "static long vr_mul_long(long a, long b) { return (long)((ulong)a * (ulong)b); }\n"},
    {"vr_neg_long", "static long vr_neg_long(long a) { return (long)(0ul - (ulong)a); }\n"},
    {"vr_float_to_int",
     "static int vr_float_to_int(float x) {\n"
     "  if (x >= 2147483648.0f) return INT_MAX;\n"
     "  if (x < -2147483648.0f) return INT_MIN;\n"
     "  return x == x ? (int)x : 0;\n"
     "}\n"},
    {"vr_float_to_long",
     "static long vr_float_to_long(float x) {\n"
     "  if (x >= 9223372036854775808.0f) return LONG_MAX;\n"
     "  if (x < -9223372036854775808.0f) return LONG_MIN;\n"
     "  return x == x ? (long)x : 0L;\n"
     "}\n"},
    {"vr_double_to_int",
     "static int vr_double_to_int(double x) {\n"
     "  if (x >= 2147483648.0) return INT_MAX;\n"
     "  if (x <= -2147483649.0) return INT_MIN;\n"
     "  return x == x ? (int)x : 0;\n"
     "}\n"},
    {"vr_double_to_long",
     "static long vr_double_to_long(double x) {\n"
     "  if (x >= 9223372036854775808.0) return LONG_MAX;\n"
     "  if (x < -9223372036854775808.0) return LONG_MIN;\n"
     "  return x == x ? (long)x : 0L;\n"
     "}\n"},
    {"vr_fail",
     "static void vr_fail(__global vr_fault* error, int code, int site, long index, long extent) {\n"
     "  if (atomic_cmpxchg((volatile __global int*)&error->code, 0, code) == 0) {\n"
     "    error->site = site;\n"
     "    error->index = index;\n"
     "    error->extent = extent;\n"
     "  }\n"
     "}\n"},
};

}  // namespace

std::string Helpers::use_atomic(ir::AtomicOp op, lower::Scalar type) {
  atomics_.insert({op, type});
  return atomic_name(op, type);
}

std::string Helpers::text() const {
  std::string s;
  for (const Helper& h : table)
    if (used_.count(h.name)) s += h.text;
  for (auto [op, type] : atomics_) s += atomic_text(op, type);
  return s;
}

}  // namespace vr::codegen::opencl
