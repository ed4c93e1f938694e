#include "codegen/c99/prelude.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vr::codegen::c99 {

using lower::Scalar;

std::string short_name(Scalar s) {
  if (s == Scalar::Ptr) return "ptr";
  return s == Scalar::Bool ? "bool" : lower::scalar_name(s);
}

std::string c_type(Scalar s) {
  if (s == Scalar::Ptr) return "char *";
  if (s == Scalar::Bool) return "bool";
  switch (lower::elem_of(s)) {
#define VR_ELEM(Name, text, code, bytes, kind, c_type, ...) \
  case ir::Elem::Name:                                      \
    return #c_type;
#include <velociraptor/ir/elements.def>
  }
  return "?";
}

namespace {

/// `type name`, without a space behind a star.
std::string declare(Scalar s, const char* name) {
  const std::string type = c_type(s);
  return type.back() == '*' ? type + name : type + " " + name;
}

std::string unsigned_type(Scalar s) { return lower::scalar_bytes(s) == 8 ? "uint64_t" : "uint32_t"; }

}  // namespace

std::string Prelude::use(const std::string& name, const std::string& definition) {
  used_.insert({name, definition});
  return name;
}

// Signed overflow is undefined in C, and types below 32 bits are promoted to int: computed in an unsigned type, and
// narrowed.
std::string Prelude::wrapping(const std::string& operation, Scalar type) {
  const std::string name = fmt::format("vr_{}_{}", operation, short_name(type)), t = c_type(type),
                    u = unsigned_type(type);
  if (operation == "neg")
    return use(name, fmt::format("static inline {0} {1}({0} a) {{ return ({0})(0u - ({2})a); }}\n", t, name, u));
  if (operation == "shl" || operation == "shr") {
    const int most = 8 * lower::scalar_bytes(type) - 1;
    const std::string shift = operation == "shl" ? fmt::format("({})a <<", u) : "a >>";
    return use(name, fmt::format("static inline {0} {1}({0} a, {0} b) {{ return ({0})({2} (b & {3})); }}\n", t, name,
                                 shift, most));
  }
  if (operation == "popcount")  // compilers recognise the sums of neighbouring bits
    return use(name, fmt::format("static inline {0} {1}({0} a) {{\n"
                                 "  uint64_t v = (uint64_t)a << {2};\n"
                                 "  v -= (v >> 1) & 0x5555555555555555u;\n"
                                 "  v = (v & 0x3333333333333333u) + ((v >> 2) & 0x3333333333333333u);\n"
                                 "  v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;\n"
                                 "  return ({0})((v * 0x0101010101010101u) >> 56);\n"
                                 "}}\n",
                                 t, name, 64 - 8 * lower::scalar_bytes(type)));
  const char* op = operation == "add" ? "+" : operation == "sub" ? "-" : "*";
  return use(name, fmt::format("static inline {0} {1}({0} a, {0} b) {{ return ({0})(({2})a {3} ({2})b); }}\n", t, name,
                               u, op));
}

// A conversion out of range is undefined in C. The bounds are powers of two, which every floating type has.
std::string Prelude::nearest_integer(Scalar from, Scalar to) {
  const std::string name = fmt::format("vr_{}_to_{}", short_name(from), short_name(to)), f = c_type(from),
                    t = c_type(to);
  const int bits = 8 * lower::scalar_bytes(to);
  const bool no_sign = lower::is_unsigned(to);
  const char* suffix = from == Scalar::Float32 ? "f" : "";
  const std::string above = fmt::format("{:.1f}{}", std::ldexp(1.0, no_sign ? bits : bits - 1), suffix);
  const std::string below = no_sign ? fmt::format("x <= 0.0{}", suffix) : fmt::format("x < -{}", above);
  const std::string limit = fmt::format("{}INT{}", no_sign ? "U" : "", bits);
  return use(name,
             fmt::format("static inline {0} {1}({2} x)\n{{\n  if (x != x) return 0;\n  if (x >= {3}) return {5}_MAX;\n"
                         "  if ({4}) return {6};\n  return ({0})x;\n}}\n",
                         t, name, f, above, below, limit, no_sign ? "0" : limit + "_MIN"));
}

std::string Prelude::narrow_conversion(Scalar from, Scalar to) {
  const std::string name = fmt::format("vr_{}_to_{}", short_name(from), short_name(to));
  if (from == Scalar::BFloat16)
    return use(name, R"(static inline float vr_bf16_to_f32(uint16_t v)
{
  const uint32_t u = (uint32_t)v << 16;
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}
)");
  if (to == Scalar::BFloat16)
    return use(name, R"(static inline uint16_t vr_f32_to_bf16(float v)
{
  uint32_t u;
  memcpy(&u, &v, sizeof u);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(u >> 16 | 0x40u);
  return (uint16_t)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
)");
  if (from == Scalar::Float16)
    return use(name, R"(static inline float vr_f16_to_f32(uint16_t v)
{
  const uint32_t a = v & 0x7fffu;
  const float subnormal = (float)(int32_t)a * (1.0f / 16777216.0f);
  uint32_t u;
  float f;
  memcpy(&u, &subnormal, sizeof u);
  u = a < 0x400u ? u : (a << 13) + ((127u - 15u) << 23);
  u = a >= 0x7c00u ? a << 13 | 0x7f800000u | (a > 0x7c00u ? 0x400000u : 0u) : u;
  u |= (uint32_t)(v & 0x8000u) << 16;
  memcpy(&f, &u, sizeof f);
  return f;
}
)");
  if (from == Scalar::Float64) {
    narrow_conversion(Scalar::Float32, to);  // defined before, since helpers are in the order of their names
    return use(name, R"(static inline uint16_t vr_f64_to_f16(double v)
{
  /* Rounded once: the float's last bit stands for the digits that it lacks. */
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  u = (u & ~UINT64_C(0x1fffffff)) | ((u & UINT64_C(0x1fffffff)) != 0 ? UINT64_C(0x20000000) : 0);
  memcpy(&v, &u, sizeof v);
  return vr_f32_to_f16((float)v);
}
)");
  }
  return use(name, R"(static inline uint16_t vr_f32_to_f16(float v)
{
  uint32_t u, a, r, s;
  float sum;
  memcpy(&u, &v, sizeof u);
  a = u & 0x7fffffffu;
  memcpy(&sum, &a, sizeof sum);
  sum += 0.5f; /* below 2^-14: its last bits count multiples of 2^-24 */
  memcpy(&s, &sum, sizeof s);
  r = a < 0x38800000u ? s - 0x3f000000u : ((a + 0xfffu + (a >> 13 & 1u)) >> 13) - ((127u - 15u) << 10);
  r = a >= 0x477ff000u ? 0x7c00u : r;
  r = a > 0x7f800000u ? 0x7e00u | (a >> 13 & 0x1ffu) : r;
  return (uint16_t)(r | (u >> 16 & 0x8000u));
}
)");
}

// Elements may have any address and any type. GCC and Clang have types that say so, which their vectorisers know better
// than memcpy.
std::string Prelude::element(Scalar type) {
  const std::string name = "vr_any_" + short_name(type), t = c_type(type), space = t.back() == '*' ? "" : " ";
  use(name, fmt::format("typedef {}{}{} VR_ANYWHERE;\n", t, space, name));
  return name;  // before vr_load and vr_store in the order of names
}

std::string Prelude::load(Scalar type) {
  const std::string name = "vr_load_" + short_name(type);
  if (type == Scalar::Bool)
    return use(name, fmt::format("static inline bool {}(const char *p) {{ return *p != 0; }}\n", name));
  return use(name, fmt::format("static inline {}{}(const char *p) {{ return *(const {} *)(const void *)p; }}\n",
                               declare(type, ""), name, element(type)));
}

std::string Prelude::store(Scalar type) {
  const std::string name = "vr_store_" + short_name(type);
  if (type == Scalar::Bool)
    return use(name, fmt::format("static inline void {}(char *p, bool v) {{ *p = (char)v; }}\n", name));
  return use(name, fmt::format("static inline void {}(char *p, {}) {{ *({} *)(void *)p = v; }}\n", name,
                               declare(type, "v"), element(type)));
}

// C99 has no atomic operations; GCC and Clang have these. Floats, and operations that the compilers lack, compare and
// exchange the bits.
std::string Prelude::atomic(ir::AtomicOp op, Scalar type) {
  using Op = ir::AtomicOp;
  const std::string name = fmt::format("vr_atomic_{}_{}", ir::atomic_op_name(op), short_name(type)), t = c_type(type);
  const std::string bits = lower::scalar_bytes(type) == 8 ? "uint64_t" : "uint32_t";
  const std::string add = lower::is_float(type) ? "old + value" : fmt::format("({0})(({1})old + ({1})value)", t, bits);
  const std::string sub = lower::is_float(type) ? "old - value" : fmt::format("({0})(({1})old - ({1})value)", t, bits);
  const std::string next = op == Op::Cas   ? "old == expected ? value : old"
                           : op == Op::Add ? add
                           : op == Op::Sub ? sub
                           : op == Op::Min ? "value < old ? value : old"
                           : op == Op::Max ? "value > old ? value : old"
                           : op == Op::And ? "old & value"
                           : op == Op::Or  ? "old | value"
                                           : "value";
  return use(name, fmt::format("static inline {0} {1}(char *p, {2}{0} value)\n{{\n  {3} seen = __atomic_load_n(({3} "
                               "*)(void *)p, __ATOMIC_RELAXED), next;\n"
                               "  {0} old, made;\n  do {{\n    memcpy(&old, &seen, sizeof old);\n    made = {4};\n    "
                               "memcpy(&next, &made, sizeof next);\n"
                               "  }} while (!__atomic_compare_exchange_n(({3} *)(void *)p, &seen, next, false, "
                               "__ATOMIC_RELAXED, __ATOMIC_RELAXED));\n"
                               "  return old;\n}}\n",
                               t, name, op == Op::Cas ? t + " expected, " : "", bits, next));
}

std::string Prelude::math(lower::MathFn f, Scalar type) {
  math_.insert({f, type});
  return std::string(lower::math_name(f)) + (type == Scalar::Float32 ? "f" : "");
}

namespace {

/// The version of glibc since which its libmvec has the function; 0: it does not.
int libmvec_since(lower::MathFn f) {
  using enum lower::MathFn;
  switch (f) {
    case Cos:
    case Sin:
    case Exp:
    case Log:
    case Pow:
      return 22;
    case Acos:
    case Acosh:
    case Asin:
    case Asinh:
    case Atan:
    case Atan2:
    case Atanh:
    case Cbrt:
    case Cosh:
    case Erf:
    case Erfc:
    case Expm1:
    case Hypot:
    case Log10:
    case Log1p:
    case Log2:
    case Sinh:
    case Tan:
    case Tanh:
      return 35;
    default:
      return 0;
  }
}

/// Declarations under which gcc vectorises calls of the functions, if the user asks for it.
std::string vector_math(const std::set<std::pair<lower::MathFn, Scalar>>& functions) {
  std::string all;
  for (const int since : {22, 35}) {
    std::string some;
    for (const auto& [f, scalar] : functions) {
      if (libmvec_since(f) != since) continue;
      const std::string type = c_type(scalar),
                        name = std::string(lower::math_name(f)) + (scalar == Scalar::Float32 ? "f" : "");
      some += fmt::format(
          "extern {0} vr_vector_{1}({0}{2}) __asm__(\"{1}\") __attribute__((const, simd(\"notinbranch\")));\n"
          "#define {1} vr_vector_{1}\n",
          type, name, lower::math_arity(f) == 2 ? ", " + type : "");
    }
    if (!some.empty()) all += fmt::format("#if __GLIBC_PREREQ(2, {})\n{}#endif\n", since, some);
  }
  if (all.empty()) return "";
  return "/* With -DVR_VECTOR_MATH, the vector versions of these functions, whose last bits differ. */\n"
         "#if defined(VR_VECTOR_MATH) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && "
         "!defined(__clang__)\n" +
         all + "#endif\n";
}

}  // namespace

std::string Prelude::text() const {
  std::string s = vector_math(math_);
  for (const auto& [name, definition] : used_) s += definition;
  return s;
}

// Generated code has variables that only some of the paths use, comparisons that are always true for narrow types, and
// results of calls that are read only if the status is 0, which GCC does not recognise when it inlines the callee.
std::string first_lines() {
  return "#include <velociraptor/runtime_abi.h>\n#include <velociraptor/aot.h>\n\n#include <math.h>\n#include "
         "<stdbool.h>\n#include <string.h>\n\n"
         "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#pragma clang diagnostic ignored \"-Wpass-failed\"\n"
         "#if __has_warning(\"-Wbitwise-instead-of-logical\")\n#pragma clang diagnostic ignored "
         "\"-Wbitwise-instead-of-logical\"\n#endif\n"
         "#endif\n"
         "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wtype-limits\"\n"
         "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n"
         "#pragma GCC diagnostic ignored \"-Wtautological-compare\"\n"
         "#pragma GCC diagnostic ignored \"-Wdiv-by-zero\"\n#endif\n"
         "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ignored \"-Wbool-compare\"\n"
         "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n"
         // About code that is never reached, behind the failed allocation of an array with constant, huge extents.
         "#pragma GCC diagnostic ignored \"-Waggressive-loop-optimizations\"\n"
         // Copies of paths through a loop's body keep gcc from vectorising it.
         "#pragma GCC optimize(\"fp-contract=off\", \"no-thread-jumps\")\n#endif\n\n"
         "#if defined(__GNUC__)\n#define VR_ANYWHERE __attribute__((may_alias, aligned(1)))\n#else\n#define "
         "VR_ANYWHERE\n#endif\n"
         "#if defined(__clang__)\n#define VR_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")\n"
         "#elif defined(__GNUC__)\n#define VR_INDEPENDENT _Pragma(\"GCC ivdep\")\n#else\n#define "
         "VR_INDEPENDENT\n#endif\n"
         "/* Short loops become vectors where they are not unrolled before. */\n"
         "#if defined(__GNUC__) && !defined(__clang__)\n#define VR_LANES _Pragma(\"GCC ivdep\") _Pragma(\"GCC unroll "
         "1\")\n#else\n"
         "#define VR_LANES VR_INDEPENDENT\n#endif\n"
         "/* gcc 12 contracts pairs of products and sums also with -ffp-contract=off, except behind this. */\n"
         "#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12\n#define VR_PRODUCT(x) "
         "__builtin_assoc_barrier(x)\n"
         "#else\n#define VR_PRODUCT(x) (x)\n#endif\n"
         "#define U64(x) ((uint64_t)(x))\n\n";
}

std::string parallel_for() {
  return R"(/* Parallel loops: by OpenMP where the compiler has it on (-fopenmp), else by the runtime, which has threads in a part of its own. */
#ifdef _OPENMP
#include <omp.h>
static int32_t vr_parallel_for(vr_context *ctx, const vr_site *site, vr_task task, void *env, int64_t lo, int64_t hi)
{
  const uint64_t count = (uint64_t)hi - (uint64_t)lo;
  int64_t blocks = 8 * (int64_t)omp_get_max_threads(), k;
  int32_t status = VR_OK;
  (void)site;
  if (lo >= hi) return VR_OK;
  if (omp_in_parallel()) return task(ctx, env, lo, hi);
  if ((uint64_t)blocks > count) blocks = (int64_t)count;
#pragma omp parallel for schedule(dynamic, 1)
  for (k = 0; k < blocks; ++k) {
    const uint64_t size = count / (uint64_t)blocks, rest = count % (uint64_t)blocks, n = (uint64_t)k;
    const uint64_t from = size * n + (n < rest ? n : rest), to = from + size + (n < rest ? 1 : 0);
    int32_t seen, mine;
#pragma omp atomic read
    seen = status;
    if (seen != VR_OK) continue;
    mine = task(ctx, env, (int64_t)((uint64_t)lo + from), (int64_t)((uint64_t)lo + to));
    if (mine != VR_OK) {
#pragma omp atomic write
      status = mine;
    }
  }
  return status;
}
#else
#define vr_parallel_for vr_rt_parallel_for
#endif

)";
}

}  // namespace vr::codegen::c99
