#include "codegen/opencl/helpers.hpp"

#include "codegen/opencl/atomics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace vr::codegen::opencl {
namespace {

struct Helper {
  const char* name;
  const char* text;
};

// Signed overflow is undefined in C, so wrapping arithmetic is done in the unsigned type. Types below 32 bits are promoted to
// int, and the result is narrowed back (narrow_texts).
// A conversion out of range is undefined as well, and devices differ: the range is tested first.
const Helper table[] = {
    // PoCL 3.1 (LLVM 15) crashes when it inlines a kernel in which such loops between barriers are unrolled.
    {"vr_unroll",
     "#ifdef __x86_64__\n"
     "#define vr_unroll\n"
     "#else\n"
     "#define vr_unroll _Pragma(\"unroll\")\n"
     "#endif\n"},
    {"vr_add_int", "static int vr_add_int(int a, int b) { return (int)((uint)a + (uint)b); }\n"},
    {"vr_sub_int", "static int vr_sub_int(int a, int b) { return (int)((uint)a - (uint)b); }\n"},
    {"vr_mul_int", "static int vr_mul_int(int a, int b) { return (int)((uint)a * (uint)b); }\n"},
    {"vr_neg_int", "static int vr_neg_int(int a) { return (int)(0u - (uint)a); }\n"},
    {"vr_add_long", "static long vr_add_long(long a, long b) { return (long)((ulong)a + (ulong)b); }\n"},
    {"vr_sub_long", "static long vr_sub_long(long a, long b) { return (long)((ulong)a - (ulong)b); }\n"},
    {"vr_mul_long", "static long vr_mul_long(long a, long b) { return (long)((ulong)a * (ulong)b); }\n"},
    {"vr_neg_long", "static long vr_neg_long(long a) { return (long)(0ul - (ulong)a); }\n"},
    {"vr_shl_int", "static int vr_shl_int(int a, int b) { return (int)((uint)a << (b & 31)); }\n"},
    {"vr_shr_int", "static int vr_shr_int(int a, int b) { return a >> (b & 31); }\n"},
    {"vr_shl_long", "static long vr_shl_long(long a, long b) { return (long)((ulong)a << (b & 63)); }\n"},
    {"vr_shr_long", "static long vr_shr_long(long a, long b) { return a >> (b & 63); }\n"},
    {"vr_popcount_int", "static int vr_popcount_int(int a) { return popcount(a); }\n"},
    {"vr_popcount_long", "static long vr_popcount_long(long a) { return popcount(a); }\n"},
    // Devices convert and saturate in one instruction; of NaN saturating conversions should make 0, but need not.
    {"vr_float_to_int", "static int vr_float_to_int(float x) { return x == x ? convert_int_sat_rtz(x) : 0; }\n"},
    {"vr_float_to_long", "static long vr_float_to_long(float x) { return x == x ? convert_long_sat_rtz(x) : 0L; }\n"},
    {"vr_double_to_int", "static int vr_double_to_int(double x) { return x == x ? convert_int_sat_rtz(x) : 0; }\n"},
    {"vr_double_to_long",
     "static long vr_double_to_long(double x) { return x == x ? convert_long_sat_rtz(x) : 0L; }\n"},
    // Narrow floats are their bits in a ushort. These work on devices without cl_khr_fp16 too.
    {"vr_f16_to_f32", "static float vr_f16_to_f32(ushort v) { return vload_half(0, (const half*)&v); }\n"},
    {"vr_f32_to_f16",
     "static ushort vr_f32_to_f16(float v) {\n"
     "  ushort r;\n"
     "  vstore_half_rte(v, 0, (half*)&r);\n"
     "  return r;\n"
     "}\n"},
    // Rounded once: the float's last bit stands for the digits that it lacks.
    {"vr_f64_to_f16",
     "static ushort vr_f64_to_f16(double v) {\n"
     "  const ulong u = as_ulong(v), lost = u & 0x1fffffffUL;\n"
     "  return vr_f32_to_f16((float)as_double((u & ~0x1fffffffUL) | (lost != 0 ? 0x20000000UL : 0UL)));\n"
     "}\n"},
    {"vr_bf16_to_f32", "static float vr_bf16_to_f32(ushort v) { return as_float((uint)v << 16); }\n"},
    {"vr_f32_to_bf16",
     "static ushort vr_f32_to_bf16(float v) {\n"
     "  const uint u = as_uint(v);\n"
     "  if ((u & 0x7fffffffu) > 0x7f800000u) return (ushort)(u >> 16 | 0x40u);\n"
     "  return (ushort)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);\n"
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

/// Moves rows that follow each other without gaps in global memory, and begin `pitch` bytes apart in local memory. Rows
/// of whole words go as words if they are aligned. Without padding the rows are one.
const char* rows_name(bool load) { return load ? "vr_rows_load" : "vr_rows_store"; }
std::string rows_text(bool load) {
  const char* constant = load ? "const " : "";
  const auto assign = [&](const std::string& type, const char* near, const char* far) {
    const std::string local = fmt::format("((__local {}*)(near))[{}]", type, near);
    const std::string global = fmt::format("((__global {}{}*)(far))[{}]", constant, type, far);
    return load ? local + " = " + global : global + " = " + local;
  };
  const auto padded = [&](const char* type, int size) {
    return fmt::format(
        "    const int each = bytes / {0}, all = rows * each, more = items / each, rest = items % each;\n"
        "    int row = item / each, column = item % each;\n"
        "    for (int k = item; k < all; k += items) {{\n"
        "      {1};\n"
        "      row += more;\n"
        "      column += rest;\n"
        "      if (column >= each) column -= each, ++row;\n"
        "    }}\n",
        size, assign(type, fmt::format("row * (pitch / {}) + column", size).c_str(), "k"));
  };
  return fmt::format(
      "static void {0}(__local char* near, __global {1}char* far, int rows, int bytes, int pitch, int item, int items) "
      "{{\n"
      "  const bool words = ((ulong)far & 3) == 0;\n"
      "  if (pitch == bytes) {{\n"
      "    const int all = rows * bytes, whole = words ? all / 4 : 0;\n"
      "    for (int k = item; k < whole; k += items) {2};\n"
      "    for (int k = 4 * whole + item; k < all; k += items) {3};\n"
      "  }} else if (words) {{\n"
      "{4}"
      "  }} else {{\n"
      "{5}"
      "  }}\n"
      "}}\n",
      rows_name(load), constant, assign("uint", "k", "k"), assign("uchar", "k", "k"), padded("uint", 4),
      padded("uchar", 1));
}

/// The helpers of an integer type of fewer than 32 bits, and the conversions to the unsigned ones.
std::map<std::string, std::string> narrow_texts() {
  std::map<std::string, std::string> all;
  for (const ir::ElemInfo& e : ir::elem_table) {
    if (!ir::is_integer(e.elem) || (e.kind == ir::ElemKind::Signed && e.bytes >= 4)) continue;
    const bool no_sign = e.kind == ir::ElemKind::Unsigned;
    const std::string t = e.opencl, bits = no_sign ? t : "u" + t;
    if (e.bytes < 4) {
      auto narrowed = [&](const std::string& v) {
        return no_sign ? fmt::format("({}){}", t, v) : fmt::format("as_{}(({}){})", t, bits, v);
      };
      for (auto [name, op] : {std::pair{"add", '+'}, {"sub", '-'}, {"mul", '*'}})
        all[fmt::format("vr_{}_{}", name, t)] = fmt::format("static {0} vr_{1}_{0}({0} a, {0} b) {{ return {2}; }}\n", t, name,
                                                            narrowed(fmt::format("((uint)a {} (uint)b)", op)));
      all["vr_neg_" + t] = fmt::format("static {0} vr_neg_{0}({0} a) {{ return {1}; }}\n", t, narrowed("(0u - (uint)a)"));
    }
    const int width = 8 * e.bytes;
    const std::string left = fmt::format("(({})a << (b & {}))", e.bytes < 8 ? "uint" : "ulong", width - 1);
    all["vr_shl_" + t] = fmt::format(
        "static {0} vr_shl_{0}({0} a, {0} b) {{ return {1}; }}\n", t,
        e.kind == ir::ElemKind::Signed ? fmt::format("as_{}(({}){})", t, bits, left) : fmt::format("({}){}", t, left));
    all["vr_shr_" + t] =
        fmt::format("static {0} vr_shr_{0}({0} a, {0} b) {{ return ({0})(a >> (b & {1})); }}\n", t, width - 1);
    all["vr_popcount_" + t] = fmt::format("static {0} vr_popcount_{0}({0} a) {{ return popcount(a); }}\n", t);
    const double above = no_sign ? std::ldexp(1, width) : std::ldexp(1, width - 1);
    const ir::IntLimits limits = ir::int_limits(e.elem);
    const std::string most = no_sign ? fmt::format("{}{}", static_cast<uint64_t>(limits.most), e.bytes == 8 ? "UL" : "u")
                                     : std::to_string(limits.most),
                      least = std::to_string(limits.least);
    for (const char* from : {"float", "double"}) {
      const char* suffix = from[0] == 'f' ? ".0f" : ".0";
      all[fmt::format("vr_{}_to_{}", from, t)] = fmt::format(
          "static {0} vr_{1}_to_{0}({1} x) {{\n"
          "  if (x >= {2:.0f}{3}) return {4};\n"
          "  if (x <= {5:.0f}{3}) return {6};\n"
          "  return x == x ? ({0})x : ({0})0;\n"
          "}}\n",
          t, from, above, suffix, most, no_sign ? 0.0 : -above - 1, least);
    }
  }
  return all;
}

}  // namespace

std::string Helpers::use_atomic(ir::AtomicOp op, lower::Scalar type, bool local) {
  atomics_.insert({op, type, local});
  return atomic_name(op, type, local);
}

std::string Helpers::text() const {
  std::string s;
  for (const Helper& h : table)
    if (used_.count(h.name)) s += h.text;
  for (bool load : {true, false})
    if (used_.count(rows_name(load))) s += rows_text(load);
  static const std::map<std::string, std::string> narrow = narrow_texts();
  for (const auto& [name, text] : narrow)
    if (used_.count(name)) s += text;
  for (auto [op, type, local] : atomics_) s += atomic_text(op, type, local);
  return s;
}

}  // namespace vr::codegen::opencl
