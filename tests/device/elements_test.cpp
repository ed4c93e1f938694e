// Element types, arithmetic and conversions have the same results on the device as on the CPU.
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "device/device_fixture.hpp"
#include "unit/math_function.hpp"

namespace vr::test {
namespace {

using Elements = DeviceTest;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr auto int_min = std::numeric_limits<int32_t>::min(), int_max = std::numeric_limits<int32_t>::max();
constexpr auto long_min = std::numeric_limits<int64_t>::min(), long_max = std::numeric_limits<int64_t>::max();

template <class T>
constexpr ir::Elem elem_of = ir::Elem::Float64;
template <>
constexpr ir::Elem elem_of<uint8_t> = ir::Elem::Bool;
template <>
constexpr ir::Elem elem_of<int32_t> = ir::Elem::Int32;
template <>
constexpr ir::Elem elem_of<int64_t> = ir::Elem::Int64;
template <>
constexpr ir::Elem elem_of<float> = ir::Elem::Float32;

/// r[i] = f(x[i], y[i]) on the device; f makes the expression.
template <class R, class T, class F>
std::vector<R> map(DeviceTest&, vr_context& context, std::vector<T> x, std::vector<T> y, F f, uint8_t fast_math = 0) {
  Module m;
  KernelBuilder k(m, "map", {"i"});
  k.function().fast_math = fast_math;
  const ArrayId ax = k.array_param("x", elem_of<T>, 1, false), ay = k.array_param("y", elem_of<T>, 1, false);
  const ArrayId ar = k.array_param("r", elem_of<R>, 1, true);
  ExprP i = k.var(k.dim(0));
  k.body().push_back(k.store(ar, {i}, f(k, k.load(ax, {i}), k.load(ay, {i}))));
  const Program program(m);
  const auto n = int64_t(x.size());
  std::vector<R> r(x.size());
  vr_array dx = describe(x.data(), int32_t(elem_of<T>), {n}), dy = describe(y.data(), int32_t(elem_of<T>), {n});
  vr_array dr = describe(r.data(), int32_t(elem_of<R>), {n});
  const vr_value args[] = {value(dx), value(dy), value(dr)};
  EXPECT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(vr_gpu_launch(&context, nullptr, program["map"], &n, args), VR_OK)
      << context.error.message << program["map"]->source;
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
  return r;
}

template <class R, class T>
std::vector<R> converted(DeviceTest& t, vr_context& c, std::vector<T> x, Scalar to) {
  return map<R, T>(t, c, x, x, [&](KernelBuilder& k, ExprP a, ExprP) { return k.convert(a, to); });
}
template <class T>
std::vector<T> combined(DeviceTest& t, vr_context& c, Op op, std::vector<T> x, std::vector<T> y) {
  return map<T, T>(t, c, x, y, [&](KernelBuilder& k, ExprP a, ExprP b) { return k.op(op, a, b); });
}
template <class T>
std::vector<uint8_t> compared(DeviceTest& t, vr_context& c, Op op, std::vector<T> x, std::vector<T> y) {
  return map<uint8_t, T>(t, c, x, y, [&](KernelBuilder& k, ExprP a, ExprP b) { return k.op(op, a, b); });
}

using Bools = std::vector<uint8_t>;
using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

TEST_F(Elements, FloatToIntegerSaturatesAndNanGivesZero) {
  const Doubles d = {1.9, -1.9, 3e9, -3e9, inf, -inf, NAN, 2147483647.9, -2147483648.9, 1e300};
  EXPECT_EQ((converted<int32_t, double>(*this, context, d, Scalar::Int32)),
            (Ints{1, -1, int_max, int_min, int_max, int_min, 0, int_max, int_min, int_max}));
  EXPECT_EQ((converted<int64_t, double>(*this, context, {-7.5, 9.3e18, -9.3e18, inf, -inf, NAN, 4503599627370497.0},
                                        Scalar::Int64)),
            (Longs{-7, long_max, long_min, long_max, long_min, 0, 4503599627370497}));
  EXPECT_EQ((converted<int32_t, float>(*this, context, {1.5f, 3e9f, -3e9f, NAN, -2147483648.0f}, Scalar::Int32)),
            (Ints{1, int_max, int_min, 0, int_min}));
  EXPECT_EQ((converted<int64_t, float>(*this, context, {1.5f, 1e19f, -1e19f, NAN, -INFINITY}, Scalar::Int64)),
            (Longs{1, long_max, long_min, 0, long_min}));
}

TEST_F(Elements, OtherConversions) {
  EXPECT_EQ((converted<uint8_t, double>(*this, context, {0, -0.0, 0.25, NAN, inf}, Scalar::Bool)),
            (Bools{0, 0, 1, 1, 1}));
  EXPECT_EQ((converted<uint8_t, int64_t>(*this, context, {0, int64_t{1} << 40, -1}, Scalar::Bool)), (Bools{0, 1, 1}));
  EXPECT_EQ((converted<int32_t, int64_t>(*this, context, {(int64_t{1} << 32) + 5, -1, long_min}, Scalar::Int32)),
            (Ints{5, -1, 0}));
  EXPECT_EQ((converted<double, int64_t>(*this, context, {long_max, (int64_t{1} << 53) + 1, -3}, Scalar::Float64)),
            (Doubles{9223372036854775808.0, 9007199254740992.0, -3}));
  EXPECT_EQ((converted<float, double>(*this, context, {0.1, 1e300, 1e-45}, Scalar::Float32)),
            (Floats{0.1f, INFINITY, float(1e-45)}));
  EXPECT_EQ((converted<double, uint8_t>(*this, context, {0, 1}, Scalar::Float64)), (Doubles{0, 1}));
  EXPECT_EQ((converted<float, int32_t>(*this, context, {16777217, int_min}, Scalar::Float32)),
            (Floats{16777216.0f, -2147483648.0f}));
}

TEST_F(Elements, IntegersWrap) {
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Add, {int_max, 5}, {1, -7}), (Ints{int_min, -2}));
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Sub, {int_min, 5}, {1, 7}), (Ints{int_max, -2}));
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Mul, {65536, -3}, {65536, 7}), (Ints{0, -21}));
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Add, {long_max, 5}, {1, -7}), (Longs{long_min, -2}));
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Sub, {long_min, 5}, {1, 7}), (Longs{long_max, -2}));
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Mul, {int64_t{1} << 32, -3}, {int64_t{1} << 32, 7}), (Longs{0, -21}));
  auto negated = [](KernelBuilder& k, ExprP a, ExprP) { return k.unary(Op::Neg, a); };
  EXPECT_EQ((map<int32_t, int32_t>(*this, context, {int_min, 4}, {0, 0}, negated)), (Ints{int_min, -4}));
  EXPECT_EQ((map<int64_t, int64_t>(*this, context, {long_min, 4}, {0, 0}, negated)), (Longs{long_min, -4}));
}

TEST_F(Elements, IntegerDivisionTruncatesAndBitsCombine) {
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Div, {7, -7, 7}, {2, 2, -2}), (Ints{3, -3, -3}));
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Rem, {7, -7, 7}, {3, 3, -3}), (Longs{1, -1, 1}));
  EXPECT_EQ(combined<int32_t>(*this, context, Op::And, {12}, {10}), Ints{8});
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Or, {12}, {10}), Longs{14});
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Xor, {12}, {10}), Ints{6});
  EXPECT_EQ(combined<int32_t>(*this, context, Op::Shl, {3, -1, 1, 1}, {4, 31, 33, -1}),
            (Ints{48, int_min, 2, int_min}));
  EXPECT_EQ(combined<int64_t>(*this, context, Op::Shr, {-48, long_min, 5}, {4, 63, 65}), (Longs{-3, -1, 2}));
  auto ones = [](KernelBuilder& k, ExprP a, ExprP) { return k.unary(Op::Popcount, a); };
  EXPECT_EQ((map<int32_t, int32_t>(*this, context, {-1, 5, 0}, {0, 0, 0}, ones)), (Ints{32, 2, 0}));
  EXPECT_EQ((map<int64_t, int64_t>(*this, context, {-1, long_min}, {0, 0}, ones)), (Longs{64, 1}));
  EXPECT_EQ(combined<uint8_t>(*this, context, Op::And, {0, 0, 1, 1}, {0, 1, 0, 1}), (Bools{0, 0, 0, 1}));
  EXPECT_EQ(combined<uint8_t>(*this, context, Op::Or, {0, 0, 1, 1}, {0, 1, 0, 1}), (Bools{0, 1, 1, 1}));
  EXPECT_EQ(combined<uint8_t>(*this, context, Op::Xor, {0, 0, 1, 1}, {0, 1, 0, 1}), (Bools{0, 1, 1, 0}));
  auto negated = [](KernelBuilder& k, ExprP a, ExprP) { return k.unary(Op::Not, a); };
  EXPECT_EQ((map<uint8_t, uint8_t>(*this, context, {0, 1}, {0, 0}, negated)), (Bools{1, 0}));
}

TEST_F(Elements, ComparisonsWithNan) {
  const Doubles x = {1, 2, NAN}, y = {2, 2, NAN};
  EXPECT_EQ(compared<double>(*this, context, Op::Eq, x, y), (Bools{0, 1, 0}));
  EXPECT_EQ(compared<double>(*this, context, Op::Ne, x, y), (Bools{1, 0, 1}));
  EXPECT_EQ(compared<double>(*this, context, Op::Lt, x, y), (Bools{1, 0, 0}));
  EXPECT_EQ(compared<double>(*this, context, Op::Le, x, y), (Bools{1, 1, 0}));
  EXPECT_EQ(compared<double>(*this, context, Op::Gt, x, y), (Bools{0, 0, 0}));
  EXPECT_EQ(compared<double>(*this, context, Op::Ge, x, y), (Bools{0, 1, 0}));
}

TEST_F(Elements, FloatsRoundLikeTheHostWithoutContraction) {
  Doubles x, y;
  Floats fx, fy;
  for (int k = 1; k < 400; ++k) {
    x.push_back(1.0 + k * 0x1p-27), y.push_back(-1.0 / k);
    fx.push_back(1.0f + float(k) * 0x1p-13f), fy.push_back(-1.0f / float(k));
  }
  // x * x - y * y: a fused multiply-add would round once instead of twice.
  auto squares = [](KernelBuilder& k, ExprP a, ExprP b) { return k.sub(k.mul(a, a), k.mul(b, b)); };
  auto quotient = [](KernelBuilder& k, ExprP a, ExprP b) {
    return k.math(MathFn::Sqrt, k.op(Op::Div, k.unary(Op::Neg, b), a));
  };
  const Doubles s = map<double, double>(*this, context, x, y, squares),
                q = map<double, double>(*this, context, x, y, quotient);
  const Floats fs = map<float, float>(*this, context, fx, fy, squares),
               fq = map<float, float>(*this, context, fx, fy, quotient);
  for (size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(s[k], x[k] * x[k] - y[k] * y[k]) << k;
    EXPECT_EQ(q[k], std::sqrt(-y[k] / x[k])) << k;
    EXPECT_EQ(fs[k], fx[k] * fx[k] - fy[k] * fy[k]) << k;
    EXPECT_EQ(fq[k], std::sqrt(-fy[k] / fx[k])) << k;
  }
}

TEST_F(Elements, ConstantsArriveExactly) {
  for (double v : {0.1, -0.0, 1e300, -5e-324, 1.0, inf, -inf, double(NAN), 123456789012345680.0}) {
    const Doubles r =
        map<double, double>(*this, context, {1.0}, {1.0}, [&](KernelBuilder& k, ExprP, ExprP) { return k.real(v); });
    EXPECT_TRUE(std::isnan(v) ? std::isnan(r[0]) : std::memcmp(&r[0], &v, 8) == 0) << v << " " << r[0];
  }
  for (float v : {0.1f, -0.0f, 3e38f, 1.0f, INFINITY}) {
    const Floats r = map<float, float>(*this, context, {1.0f}, {1.0f},
                                       [&](KernelBuilder& k, ExprP, ExprP) { return k.real(v, Scalar::Float32); });
    EXPECT_EQ(std::memcmp(&r[0], &v, 4), 0) << v << " " << r[0];
  }
  for (int64_t v : {long_min, long_max, int64_t{0}, int64_t{-1}}) {
    EXPECT_EQ(
        (map<int64_t, int64_t>(*this, context, {1}, {1}, [&](KernelBuilder& k, ExprP, ExprP) { return k.integer(v); })),
        Longs{v});
  }
  EXPECT_EQ((map<int32_t, int32_t>(*this, context, {1}, {1},
                                   [&](KernelBuilder& k, ExprP, ExprP) { return k.integer(int_min, Scalar::Int32); })),
            Ints{int_min});
}

TEST_F(Elements, EveryMathFunctionComputesItsNamesake) {
  const Doubles x = {0.5, 0.25, 0.999, 1e-3, 0.75}, y = {2.5, -0.3, 3.0, -1.0, 0.125};
  Module m;
  KernelBuilder k(m, "maths", {"i"});
  const ArrayId ax = k.array_param("x", ir::Elem::Float64, 1, false),
                ay = k.array_param("y", ir::Elem::Float64, 1, false);
  const ArrayId ar = k.array_param("r", ir::Elem::Float64, 2, true),
                as = k.array_param("s", ir::Elem::Float32, 2, true);
  ExprP i = k.var(k.dim(0)), a = k.load(ax, {i}), b = k.load(ay, {i});
  ExprP fa = k.convert(a, Scalar::Float32), fb = k.convert(b, Scalar::Float32);
  int64_t row = 0;
  const auto from_one = [](MathFn f) { return f == MathFn::Acosh; };  // no real value below 1
  for (const MathRow& f : math_rows) {
    const bool two = f.arity == 2;
    const ExprP in = from_one(f.function) ? k.add(a, k.real(1)) : a;
    const ExprP fin = from_one(f.function) ? k.add(fa, k.real(1, Scalar::Float32)) : fa;
    k.body().push_back(k.store(ar, {k.integer(row), i}, k.math(f.function, in, two ? b : nullptr)));
    k.body().push_back(k.store(as, {k.integer(row), i}, k.math(f.function, fin, two ? fb : nullptr)));
    ++row;
  }
  const Program program(m);
  const auto n = int64_t(x.size());
  Doubles r(size_t(row * n)), xs = x, ys = y;
  Floats s(size_t(row * n));
  vr_array dx = describe(xs.data(), VR_FLOAT64, {n}), dy = describe(ys.data(), VR_FLOAT64, {n});
  vr_array dr = describe(r.data(), VR_FLOAT64, {row, n}), ds = describe(s.data(), VR_FLOAT32, {row, n});
  ASSERT_EQ(run(program["maths"], {n}, {value(dx), value(dy), value(dr), value(ds)}), VR_OK) << context.error.message;
  for (int64_t f = 0; f < row; ++f)
    for (int64_t c = 0; c < n; ++c) {
      const double in = x[size_t(c)] + (from_one(MathFn(f)) ? 1 : 0);
      const float fin = float(x[size_t(c)]) + (from_one(MathFn(f)) ? 1.0f : 0.0f);
      const double want = reference(MathFn(f), in, y[size_t(c)]), fwant = reference(MathFn(f), fin, float(y[size_t(c)]));
      EXPECT_NEAR(r[size_t(f * n + c)], want, 1e-13 * (1 + std::fabs(want)))
          << math_rows[f].name << " of " << x[size_t(c)];
      EXPECT_NEAR(s[size_t(f * n + c)], fwant, 2e-6 * (1 + std::fabs(fwant)))
          << math_rows[f].name << " of " << x[size_t(c)];
    }
}

TEST_F(Elements, ScalarParametersOfEveryType) {
  Module m;
  KernelBuilder k(m, "scalars", {"i"});
  const VarId b = k.scalar_param("b", Scalar::Bool), n = k.scalar_param("n", Scalar::Int32),
              l = k.scalar_param("l", Scalar::Int64);
  const VarId f = k.scalar_param("f", Scalar::Float32), d = k.scalar_param("d", Scalar::Float64);
  const auto z = k.complex_param("z", Scalar::Float32);
  const ArrayId r = k.array_param("r", ir::Elem::Float64, 1, true);
  ExprP parts[] = {k.var(b), k.var(n), k.var(l), k.var(f), k.var(d), k.var(z.first), k.var(z.second)};
  for (int64_t p = 0; p < 7; ++p) k.body().push_back(k.store(r, {k.integer(p)}, k.convert(parts[p], Scalar::Float64)));
  const Program program(m);
  Doubles out(7);
  vr_array dr = describe(out.data(), VR_FLOAT64, {7});
  vr_value cz = {};
  cz.cf32[0] = 1.5f, cz.cf32[1] = -2.5f;
  ASSERT_EQ(run(program["scalars"], {1},
                {value(true), value(int32_t{-3}), value(int64_t{1} << 40), value(0.5f), value(0.1), cz, value(dr)}),
            VR_OK)
      << context.error.message;
  EXPECT_EQ(out, (Doubles{1, -3, 1099511627776.0, 0.5, 0.1, 1.5, -2.5}));
}

TEST_F(Elements, ComplexArraysAreTwoValuesAnElement) {
  Module m;
  KernelBuilder k(m, "square", {"i"});
  const ArrayId z = k.array_param("z", ir::Elem::Float64, 1, false, true),
                r = k.array_param("r", ir::Elem::Float64, 1, true, true);
  ExprP i = k.var(k.dim(0)), re = k.load(z, {i}), im = k.load(z, {i}, true);
  k.body().push_back(k.store(r, {i}, k.sub(k.mul(re, re), k.mul(im, im))));
  k.body().push_back(k.store(r, {i}, k.mul(k.real(2), k.mul(re, im)), true));
  const Program program(m);
  std::vector<std::complex<double>> x = {{1, 2}, {0, -1}, {3, 0.5}}, y(3);
  vr_array dz = describe(x.data(), VR_FLOAT64 | VR_COMPLEX, {3}), dr = describe(y.data(), VR_FLOAT64 | VR_COMPLEX, {3});
  ASSERT_EQ(run(program["square"], {3}, {value(dz), value(dr)}), VR_OK);
  for (size_t c = 0; c < 3; ++c) EXPECT_EQ(y[c], x[c] * x[c]);
}

TEST_F(Elements, SharedExpressionsStaySmall) {
  // x doubled 40 times by sharing: the text would have 2^40 additions if it repeated them.
  const Doubles r = map<double, double>(*this, context, {3.0}, {0.0}, [](KernelBuilder& k, ExprP a, ExprP) {
    for (int n = 0; n < 40; ++n) a = k.add(a, a);
    return a;
  });
  EXPECT_EQ(r[0], 3.0 * double(int64_t{1} << 40));
}

}  // namespace
}  // namespace vr::test
