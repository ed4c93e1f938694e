// Every expression kind, for every scalar type, at every optimisation level: values computed by generated code are
// compared with the definition in loop/form.hpp.
#include "build.hpp"
#include "unit/math_function.hpp"

#include <bitset>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace vr::test {
namespace {

template <class T>
constexpr Scalar scalar_for = Scalar::Ptr;
template <>
constexpr Scalar scalar_for<bool> = Scalar::Bool;
template <>
constexpr Scalar scalar_for<int32_t> = Scalar::Int32;
template <>
constexpr Scalar scalar_for<int64_t> = Scalar::Int64;
template <>
constexpr Scalar scalar_for<float> = Scalar::Float32;
template <>
constexpr Scalar scalar_for<double> = Scalar::Float64;

template <class T>
T read(const vr_value& v) {
  if constexpr (std::is_same_v<T, bool>) {
    EXPECT_LE(v.b, 1) << "a truth value is stored as 0 or 1";
    return v.b != 0;
  }
  T x;
  std::memcpy(&x, &v, sizeof x);
  return x;
}

/// r = make(a, b) for two parameters of type T; called with each pair of values.
template <class T, class R>
void table(const std::vector<T>& values, const std::function<ExprP(Builder&, ExprP, ExprP)>& make,
           const std::function<R(T, T)>& expected, const std::function<bool(T, T)>& defined = nullptr) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId x = f.param("x", scalar_for<T>), y = f.param("y", scalar_for<T>), r = f.result("r", scalar_for<R>);
    ExprP made = make(b, f.get(x), f.get(y));
    f << SetVar{r, made};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    for (T p : values) {
      for (T q : values) {
        if (defined && !defined(p, q)) continue;
        Outcome o = call(m->entry("f"), {value(p), value(q)});
        ASSERT_EQ(o.status, VR_OK);
        R got = read<R>(o.results[0]), want = expected(p, q);
        bool same = std::memcmp(&got, &want, sizeof got) == 0 || (got != got && want != want);
        EXPECT_TRUE(same) << "O" << level << " (" << +p << ", " << +q << "): " << +got << ", not " << +want << "\n"
                          << print(b.m);
      }
    }
  }
}

template <class T>
std::vector<T> int_values() {
  using L = std::numeric_limits<T>;
  return {0, 1, -1, 2, -7, 3, 100, L::max(), L::min(), static_cast<T>(L::max() - 1)};
}
template <class T>
std::vector<T> float_values() {
  using L = std::numeric_limits<T>;
  return {T(0),     -T(0),    T(1),          -T(1),          T(2.5),         T(-7.25),
          L::max(), L::min(), L::infinity(), -L::infinity(), L::quiet_NaN(), L::denorm_min()};
}
const std::vector<bool> bool_values{false, true};

auto op(Op o) {
  return [o](Builder& b, ExprP x, ExprP y) { return b.binary(o, x, y); };
}

template <class T>
void integer_operators() {
  using U = std::make_unsigned_t<T>;
  const auto v = int_values<T>();
  auto fits = [](T x, T y) { return y != 0 && !(y == -1 && x == std::numeric_limits<T>::min()); };
  table<T, T>(v, op(Op::Add), [](T x, T y) { return T(U(x) + U(y)); });
  table<T, T>(v, op(Op::Sub), [](T x, T y) { return T(U(x) - U(y)); });
  table<T, T>(v, op(Op::Mul), [](T x, T y) { return T(U(x) * U(y)); });
  table<T, T>(
      v, op(Op::Div), [](T x, T y) { return T(x / y); }, fits);
  table<T, T>(
      v, op(Op::Rem), [](T x, T y) { return T(x % y); }, fits);
  table<T, T>(v, op(Op::And), [](T x, T y) { return T(x & y); });
  table<T, T>(v, op(Op::Or), [](T x, T y) { return T(x | y); });
  table<T, T>(v, op(Op::Xor), [](T x, T y) { return T(x ^ y); });
  constexpr U bits = 8 * sizeof(T);
  table<T, T>(v, op(Op::Shl), [](T x, T y) { return T(uint64_t(x) << (U(y) % bits)); });
  table<T, T>(v, op(Op::Shr), [](T x, T y) { return T(x >> (U(y) % bits)); });
  table<T, T>(
      v, [](Builder& b, ExprP x, ExprP) { return b.unary(Op::Neg, x); }, [](T x, T) { return T(0 - U(x)); });
  table<T, T>(
      v, [](Builder& b, ExprP x, ExprP) { return b.unary(Op::Popcount, x); },
      [](T x, T) { return T(std::bitset<bits>(U(x)).count()); });
}

template <class T>
void comparisons(const std::vector<T>& v) {
  table<T, bool>(v, op(Op::Eq), [](T x, T y) { return x == y; });
  table<T, bool>(v, op(Op::Ne), [](T x, T y) { return x != y; });
  table<T, bool>(v, op(Op::Lt), [](T x, T y) { return x < y; });
  table<T, bool>(v, op(Op::Le), [](T x, T y) { return x <= y; });
  table<T, bool>(v, op(Op::Gt), [](T x, T y) { return x > y; });
  table<T, bool>(v, op(Op::Ge), [](T x, T y) { return x >= y; });
}

template <class T>
void float_operators() {
  const auto v = float_values<T>();
  table<T, T>(v, op(Op::Add), [](T x, T y) { return x + y; });
  table<T, T>(v, op(Op::Sub), [](T x, T y) { return x - y; });
  table<T, T>(v, op(Op::Mul), [](T x, T y) { return x * y; });
  table<T, T>(v, op(Op::Div), [](T x, T y) { return x / y; });
  table<T, T>(
      v, [](Builder& b, ExprP x, ExprP) { return b.unary(Op::Neg, x); }, [](T x, T) { return -x; });
}

TEST(Expr, Int32Operators) { integer_operators<int32_t>(); }
TEST(Expr, Int64Operators) { integer_operators<int64_t>(); }
TEST(Expr, Float32Operators) { float_operators<float>(); }
TEST(Expr, Float64Operators) { float_operators<double>(); }
TEST(Expr, ComparisonsOfEveryType) {
  comparisons<int32_t>(int_values<int32_t>());
  comparisons<int64_t>(int_values<int64_t>());
  comparisons<float>(float_values<float>());
  comparisons<double>(float_values<double>());
  comparisons<bool>(bool_values);
}
TEST(Expr, BoolOperators) {
  table<bool, bool>(bool_values, op(Op::And), [](bool x, bool y) { return x && y; });
  table<bool, bool>(bool_values, op(Op::Or), [](bool x, bool y) { return x || y; });
  table<bool, bool>(bool_values, op(Op::Xor), [](bool x, bool y) { return x != y; });
  table<bool, bool>(
      bool_values, [](Builder& b, ExprP x, ExprP) { return b.unary(Op::Not, x); }, [](bool x, bool) { return !x; });
}
TEST(Expr, Select) {
  table<double, double>(
      float_values<double>(), [](Builder& b, ExprP x, ExprP y) { return b.select(b.binary(Op::Lt, x, y), x, y); },
      [](double x, double y) { return x < y ? x : y; });
}

// Nothing is fused: x*x - y keeps the rounding of the product.
TEST(Expr, ProductsAreRoundedBeforeTheyAreAdded) {
  const double x = 1.0 + 0x1p-30, y = 1.0 + 0x1p-29;
  ASSERT_EQ(x * x - y, 0.0) << "the test program itself must not contract";
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId p = f.param("p", Scalar::Float64), q = f.param("q", Scalar::Float64), r = f.result("r", Scalar::Float64);
    f << SetVar{r, b.sub(b.mul(f.get(p), f.get(p)), f.get(q))};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    EXPECT_EQ(call(m->entry("f"), {value(x), value(y)}).results[0].f64, 0.0);
  }
}

// ---------------------------------------------------------------- conversions
template <class From, class To>
void conversion(const std::vector<std::pair<From, To>>& cases) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId x = f.param("x", scalar_for<From>), r = f.result("r", scalar_for<To>);
    f << SetVar{r, b.convert(f.get(x), scalar_for<To>)};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    for (const auto& [from, to] : cases) {
      To got = read<To>(call(m->entry("f"), {value(from)}).results[0]);
      EXPECT_TRUE(got == to || (got != got && to != to))
          << "O" << level << " " << +from << ": " << +got << ", not " << +to;
    }
  }
}

template <class F, class I>
void float_to_int() {
  using L = std::numeric_limits<I>;
  using FL = std::numeric_limits<F>;
  conversion<F, I>({{F(0), 0},
                    {F(1.9), 1},
                    {F(-1.9), -1},
                    {F(-0.5), 0},
                    {FL::quiet_NaN(), 0},
                    {FL::infinity(), L::max()},
                    {-FL::infinity(), L::min()},
                    {FL::max(), L::max()},
                    {FL::lowest(), L::min()},
                    {F(L::min()), L::min()},
                    {F(-1024), -1024}});
}

TEST(Expr, FloatToIntegerSaturatesTowardZeroAndNanIsZero) {
  float_to_int<float, int32_t>();
  float_to_int<float, int64_t>();
  float_to_int<double, int32_t>();
  float_to_int<double, int64_t>();
  conversion<double, int32_t>({{2147483647.5, INT32_MAX}, {2147483648.0, INT32_MAX}, {-2147483649.0, INT32_MIN}});
  conversion<double, int64_t>({{9223372036854774784.0, 9223372036854774784LL}});
}
// After a check that the number fits, no saturation is needed; after any other check, it saturates as usual.
TEST(Expr, ChecksMakeConversionsExact) {
  struct Guard {
    double limit;
    Op op;
    bool then_side, exact;
  };
  const double edge = 9223372036854775808.0;
  for (const Guard g :
       {Guard{edge, Op::Lt, true, true}, Guard{1e6, Op::Lt, true, true}, Guard{edge, Op::Ge, false, false},
        Guard{2 * edge, Op::Lt, true, false}, Guard{edge, Op::Le, true, false}, Guard{edge, Op::Lt, false, false},
        Guard{edge, Op::Gt, true, false}}) {
    Builder b;
    Fn f(b);
    VarId x = f.param("x", Scalar::Float64), r = f.result("r", Scalar::Int64);
    ExprP fits = b.binary(g.op, b.math(MathFn::Fabs, f.get(x)), b.f64(g.limit));
    Block convert = block(SetVar{r, b.convert(f.get(x), Scalar::Int64)}), other = block(SetVar{r, b.i64(-7)});
    f << (g.then_side ? If{fits, convert, other} : If{fits, other, convert});
    auto m = jit::compile(b.m, {}, {.opt_level = 2, .keep_text = true});
    ASSERT_TRUE(m);
    EXPECT_EQ((*m)->llvm_ir().find("fptosi.sat") == std::string::npos, g.exact) << g.limit << " " << int(g.op);
    for (double v : {0.0, -2.5, 999999.5, 1e6, -9223372036854774784.0, edge, -edge, 1e19, -1e300,
                     std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      const double a = std::fabs(v);
      const bool is = g.op == Op::Lt   ? a < g.limit
                      : g.op == Op::Le ? a <= g.limit
                      : g.op == Op::Gt ? a > g.limit
                                       : a >= g.limit;
      const int64_t whole = v != v ? 0 : v >= edge ? INT64_MAX : v < -edge ? INT64_MIN : static_cast<int64_t>(v);
      EXPECT_EQ(call((*m)->entry("f"), {value(v)}).results[0].i64, is == g.then_side ? whole : -7)
          << v << " " << g.limit;
    }
  }
}
TEST(Expr, IntegerConversions) {
  conversion<int32_t, int64_t>({{-1, -1}, {INT32_MIN, INT32_MIN}, {7, 7}});
  conversion<int64_t, int32_t>({{-1, -1}, {int64_t{1} << 32, 0}, {(int64_t{1} << 31), INT32_MIN}});
  conversion<int32_t, double>({{INT32_MIN, -2147483648.0}, {3, 3.0}});
  conversion<int64_t, double>({{INT64_MAX, 9223372036854775807.0}, {-3, -3.0}});
  conversion<int32_t, float>({{16777217, 16777216.0f}});
  conversion<int64_t, float>({{-5, -5.0f}});
}
TEST(Expr, FloatConversions) {
  conversion<float, double>({{0.1f, static_cast<double>(0.1f)}, {std::numeric_limits<float>::quiet_NaN(), NAN}});
  conversion<double, float>({{0.1, 0.1f}, {1e300, std::numeric_limits<float>::infinity()}});
}
TEST(Expr, BoolConversions) {
  conversion<bool, int32_t>({{true, 1}, {false, 0}});
  conversion<bool, int64_t>({{true, 1}, {false, 0}});
  conversion<bool, float>({{true, 1.0f}, {false, 0.0f}});
  conversion<bool, double>({{true, 1.0}, {false, 0.0}});
  conversion<int32_t, bool>({{2, true}, {0, false}, {INT32_MIN, true}});
  conversion<int64_t, bool>({{int64_t{1} << 32, true}, {0, false}});
  conversion<double, bool>({{0.5, true}, {0.0, false}, {-0.0, false}, {NAN, true}});
  conversion<float, bool>({{0.5f, true}, {0.0f, false}, {NAN, true}});
}
TEST(Expr, ConversionToTheSameType) { conversion<int32_t, int32_t>({{5, 5}}); }

// ---------------------------------------------------------------- maths
template <class T>
void maths() {
  for (int level : {0, 2}) {
    Builder b;
    Fn f(b);
    VarId x = f.param("x", scalar_for<T>), y = f.param("y", scalar_for<T>);
    for (const MathRow& row : math_rows) {
      VarId r = f.result(math_name(row.function), scalar_for<T>);
      f << SetVar{r, b.math(row.function, f.get(x), row.arity == 2 ? f.get(y) : nullptr)};
    }
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    for (auto [p, q] : {std::pair<T, T>{T(0.7), T(2)}, {T(-2.5), T(0.75)}, {T(0), T(-1)}, {T(0.5), T(3.25)}}) {
      Outcome o = call(m->entry("f"), {value(p), value(q)}, std::vector<vr_value>(std::size(math_rows)));
      for (size_t k = 0; k < std::size(math_rows); ++k) {
        T got = read<T>(o.results[k]), want = reference<T>(math_rows[k].function, p, q);
        EXPECT_TRUE(got == want || (got != got && want != want))
            << "O" << level << " " << math_rows[k].name << "(" << p << ", " << q << "): " << got << ", not "
            << want;
      }
    }
  }
}
TEST(Expr, MathsOfFloat64IsTheCLibrarys) { maths<double>(); }
TEST(Expr, MathsOfFloat32IsTheCLibrarys) { maths<float>(); }

// A program's function may have the same name as one of the C library.
TEST(Expr, FunctionNamedLikeALibraryFunction) {
  Builder b;
  Fn f(b, "expm1");
  VarId x = f.param("x", Scalar::Float64), r = f.result("r", Scalar::Float64);
  f << SetVar{r, b.math(MathFn::Expm1, f.get(x))};
  auto m = compile(b);
  ASSERT_TRUE(m);
  EXPECT_EQ(call(m->entry("expm1"), {value(0.25)}).results[0].f64, std::expm1(0.25));
}

// ---------------------------------------------------------------- constants, memory, addresses
TEST(Expr, ConstantsOfEveryType) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    f << SetVar{f.result("a", Scalar::Bool), b.boolean(true)};
    f << SetVar{f.result("b", Scalar::Int32), b.i32(INT32_MIN)};
    f << SetVar{f.result("c", Scalar::Int64), b.i64(INT64_MIN)};
    f << SetVar{f.result("d", Scalar::Float32), b.real(Scalar::Float32, 0.1)};
    f << SetVar{f.result("e", Scalar::Float64), b.f64(-0.0)};
    f << SetVar{f.result("g", Scalar::Float64), b.f64(NAN)};
    f << SetVar{f.result("h", Scalar::Ptr), b.null()};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    std::vector<vr_value> results(7, value(int64_t{0x5555555555555555}));
    Outcome o = call(m->entry("f"), {}, results);
    EXPECT_EQ(o.results[0].b, 1);
    EXPECT_EQ(o.results[1].i32, INT32_MIN);
    EXPECT_EQ(o.results[2].i64, INT64_MIN);
    EXPECT_EQ(o.results[3].f32, 0.1f);
    EXPECT_TRUE(o.results[4].f64 == 0 && std::signbit(o.results[4].f64));
    EXPECT_TRUE(std::isnan(o.results[5].f64));
    EXPECT_EQ(o.results[6].function, nullptr);
  }
}

// Loads and stores of each element type at an odd address: nothing may rely on alignment.
template <class T>
void copies_one_element(T element) {
  for (int level : all_levels) {
    Builder b;
    Fn f(b);
    VarId p = f.param("p", Scalar::Ptr);
    f << Store{f.get(p), b.i64(40), b.load(scalar_for<T>, b.offset(f.get(p), b.i64(8)), b.i64(-5)), none};
    auto m = compile(b, level);
    ASSERT_TRUE(m);
    alignas(16) char memory[64] = {};
    std::memcpy(memory + 1 + 3, &element, sizeof element);
    vr_value arg{};
    arg.function = memory + 1;
    ASSERT_EQ(call(m->entry("f"), {arg}).status, VR_OK);
    T got;
    std::memcpy(&got, memory + 1 + 40, sizeof got);
    EXPECT_EQ(got, element);
  }
}
TEST(Expr, LoadAndStoreOfEveryTypeAtAnyAddress) {
  copies_one_element<int32_t>(-123456789);
  copies_one_element<int64_t>(-1234567890123456789);
  copies_one_element<float>(1.5f);
  copies_one_element<double>(-2.25);
  copies_one_element<bool>(true);
}
TEST(Expr, AnyNonZeroByteIsTrueAndStoredAsOne) {
  Builder b;
  Fn f(b);
  VarId p = f.param("p", Scalar::Ptr);
  f << Store{f.get(p), b.i64(1), b.load(Scalar::Bool, f.get(p), b.i64(0)), none};
  auto m = compile(b);
  ASSERT_TRUE(m);
  unsigned char bytes[2] = {0xfe, 0x77};
  vr_value arg{};
  arg.function = bytes;
  call(m->entry("f"), {arg});
  EXPECT_EQ(bytes[1], 1);
}

// A tree whose nodes are shared has twice as many paths with each level.
TEST(Expr, SharedNodesAreComputedOnce) {
  Builder b;
  Fn f(b);
  VarId x = f.param("x", Scalar::Int64), r = f.result("r", Scalar::Int64);
  ExprP e = f.get(x);
  for (int i = 0; i < 62; ++i) e = b.add(e, e);
  f << SetVar{r, e};
  auto m = compile(b);
  ASSERT_TRUE(m);
  EXPECT_EQ(call(m->entry("f"), {value(int64_t{1})}).results[0].i64, int64_t{1} << 62);
}

}  // namespace
}  // namespace vr::test
