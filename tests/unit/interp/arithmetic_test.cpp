// Operators, conversions, broadcasting.
#include "helpers.hpp"

#include <cmath>
#include <limits>

namespace vr::interp::test {
namespace {

constexpr int32_t min32 = std::numeric_limits<int32_t>::min(), max32 = std::numeric_limits<int32_t>::max();
constexpr int64_t min64 = std::numeric_limits<int64_t>::min(), max64 = std::numeric_limits<int64_t>::max();
const double inf = std::numeric_limits<double>::infinity();

/// a OP b of two numbers, with the stated type `stated` if it is given.
Value apply(Kind k, const Value& a, const Value& b, Type stated = Type::null()) {
  return evaluate(numpy(), {a.type(), b.type()}, {a, b}, [&](FunctionBuilder& f, const std::vector<E>& p) {
    E e = f.binary(k, p[0], p[1]);
    return stated.is_null() ? e : e.as(stated);
  });
}
Value converted(const Value& v, const Type& to) {
  return evaluate(numpy(), {v.type()}, {v},
                  [&](FunctionBuilder& f, const std::vector<E>& p) { return f.cast(p[0], to); });
}

TEST(Arithmetic, IntegersWrap) {
  EXPECT_EQ(apply(Kind::Plus, max32, 1).raw().i32, min32);
  EXPECT_EQ(apply(Kind::Mult, 65536, 65536).raw().i32, 0);
  EXPECT_EQ(apply(Kind::Minus, min64, int64_t{1}).raw().i64, max64);
  EXPECT_EQ(apply(Kind::Plus, int64_t{1} << 53, int64_t{1}).raw().i64, (int64_t{1} << 53) + 1);
  EXPECT_EQ(evaluate(numpy(), {i32()}, {min32}, [](auto& f, auto& p) { return f.negate(p[0]); }).raw().i32, min32);
}

TEST(Arithmetic, IntegerDivisionTruncatesAndIsTrueWhenStatedFloat) {
  EXPECT_EQ(apply(Kind::Div, -7, 2).raw().i32, -3);
  EXPECT_EQ(apply(Kind::Div, min32, -1).raw().i32, min32);
  EXPECT_EQ(apply(Kind::Div, min64, int64_t{-1}).raw().i64, min64);
  EXPECT_EQ(apply(Kind::Div, 7, 2, f64()).as_double(), 3.5);
  EXPECT_EQ(apply(Kind::Div, 1, 0, f64()).as_double(), inf);
  EXPECT_EQ(apply(Kind::Div, 1.0, 0.0).as_double(), inf);
  Program p(numpy(), {i32()});
  E a = p.f.arg("a", i32()), b = p.f.arg("b", i32());
  p.f.return_({a / b});
  EXPECT_EQ(p.fault({1, 0}).code, Code::DivByZero);
}

TEST(Arithmetic, MixedOperandsWiden) {
  EXPECT_EQ(apply(Kind::Plus, 1, int64_t{1} << 40).type(), i64());
  EXPECT_EQ(apply(Kind::Plus, int64_t{1} << 53, 1.0f).type(), f64());
  EXPECT_EQ(apply(Kind::Plus, 1, 0.5f).type(), f32());
  EXPECT_EQ(apply(Kind::Plus, true, true).raw().i32, 2);
  EXPECT_EQ(apply(Kind::Plus, true, true, boolean()).raw().b, 1);
  EXPECT_EQ(apply(Kind::Lt, int64_t{1}, 1.5).raw().b, 1);
}

TEST(Arithmetic, Float32RoundsAfterEveryOperation) {
  EXPECT_EQ(apply(Kind::Plus, 16777216.0f, 1.0f).raw().f32, 16777216.0f);
  EXPECT_EQ(apply(Kind::Mult, 0.1f, 0.1f).raw().f32, 0.1f * 0.1f);
  EXPECT_EQ(converted(Value((int64_t{1} << 24) + 1), f32()).raw().f32, 16777216.0f);
  // Rounded once: rounding to double first would give 2^60 + 2^37.
  EXPECT_EQ(converted(Value((int64_t{1} << 60) + (int64_t{1} << 36) + 1), f32()).raw().f32, 0x1p60f + 0x1p37f);
}

TEST(Arithmetic, ProductsAndSumsAreNotContracted) {
  // With a fused multiply-add a * a - c would be the rounding error of a * a.
  const double a = 1 + 0x1p-30, c = a * a;
  Value r = evaluate(numpy(), {f64(), f64()}, {a, c}, [](auto&, auto& p) { return p[0] * p[0] - p[1]; });
  EXPECT_EQ(r.as_double(), 0);
}

TEST(Arithmetic, FloatToIntegerSaturates) {
  EXPECT_EQ(converted(Value(2.9), i32()).raw().i32, 2);
  EXPECT_EQ(converted(Value(-2.9), i32()).raw().i32, -2);
  EXPECT_EQ(converted(Value(1e20), i32()).raw().i32, max32);
  EXPECT_EQ(converted(Value(-1e20), i64()).raw().i64, min64);
  EXPECT_EQ(converted(Value(inf), i64()).raw().i64, max64);
  EXPECT_EQ(converted(Value(std::nan("")), i32()).raw().i32, 0);
  EXPECT_EQ(converted(Value(int64_t{1} << 32), i32()).raw().i32, 0);
  EXPECT_EQ(converted(Value(0.25), boolean()).raw().b, 1);
}

TEST(Arithmetic, ComparisonsOfNaN) {
  const double nan = std::nan("");
  EXPECT_EQ(apply(Kind::Eq, nan, nan).raw().b, 0);
  EXPECT_EQ(apply(Kind::Neq, nan, nan).raw().b, 1);
  EXPECT_EQ(apply(Kind::Leq, nan, 1.0).raw().b, 0);
  EXPECT_EQ(apply(Kind::Geq, 2.0, 1.0).raw().b, 1);
}

TEST(Arithmetic, Complex) {
  const Value a = Value::complex(1, 2), b = Value::complex(3, -1);
  Value p = apply(Kind::Mult, a, b);
  EXPECT_EQ(p.raw().cf64[0], 5);
  EXPECT_EQ(p.raw().cf64[1], 5);
  Value q = apply(Kind::Div, p, b);
  EXPECT_DOUBLE_EQ(q.raw().cf64[0], 1);
  EXPECT_DOUBLE_EQ(q.raw().cf64[1], 2);
  // Smith's division has no intermediate overflow.
  Value big = Value::complex(1e300, 1e300);
  EXPECT_DOUBLE_EQ(apply(Kind::Div, big, big).raw().cf64[0], 1);
  EXPECT_EQ(apply(Kind::Eq, a, Value::complex(1, 2)).raw().b, 1);
  EXPECT_EQ(apply(Kind::Neq, a, Value::complex(1, 3)).raw().b, 1);
  Value mixed = apply(Kind::Plus, a, 1);
  EXPECT_EQ(mixed.type(), c64());
  EXPECT_EQ(mixed.raw().cf64[0], 2);
  Value made = evaluate(numpy(), {f64(), i32()}, {0.5, 2}, [](auto& f, auto& p) { return f.complex(p[0], p[1]); });
  EXPECT_EQ(made.raw().cf64[1], 2);
}

TEST(Arithmetic, LogicOfScalarsShortCircuits) {
  // The right side would divide by zero.
  auto build = [](FunctionBuilder&, const std::vector<E>& p) { return (p[0] != E(0)) && (E(10) / p[0] > E(1)); };
  EXPECT_EQ(evaluate(numpy(), {i64()}, {int64_t{0}}, build).raw().b, 0);
  EXPECT_EQ(evaluate(numpy(), {i64()}, {int64_t{3}}, build).raw().b, 1);
  auto either = [](FunctionBuilder&, const std::vector<E>& p) { return (p[0] == E(0)) || (E(10) / p[0] > E(1)); };
  EXPECT_EQ(evaluate(numpy(), {i64()}, {int64_t{0}}, either).raw().b, 1);
}

TEST(Arithmetic, LogicOfArraysIsElementwise) {
  auto r = evaluate(numpy(), {vector(), vector()}, {vec({0, 1, 2}), vec({5, 0, 3})},
                    [](auto&, auto& p) { return p[0] && p[1]; });
  EXPECT_EQ(r.array().elem(), Elem::Bool);
  EXPECT_EQ(numbers(r), (Numbers{0, 0, 1}));
  auto n = evaluate(numpy(), {vector()}, {vec({0, 2})}, [](auto&, auto& p) { return !p[0]; });
  EXPECT_EQ(numbers(n), (Numbers{1, 0}));
}

TEST(Broadcast, TrailingAxesInNumPy) {
  auto add = [](auto&, auto& p) { return p[0] + p[1]; };
  auto r = evaluate(numpy(), {f64_array(2), vector()}, {array({1, 2, 3, 4, 5, 6}, {2, 3}), vec({10, 20, 30})}, add);
  EXPECT_EQ(shape(r), (Shape{2, 3}));
  EXPECT_EQ(numbers(r), (Numbers{11, 22, 33, 14, 25, 36}));
  auto column = evaluate(numpy(), {f64_array(2), vector()}, {array({1, 2}, {2, 1}), vec({10, 20, 30})}, add);
  EXPECT_EQ(numbers(column), (Numbers{11, 21, 31, 12, 22, 32}));
  auto scalar = evaluate(numpy(), {vector(i32()), f64()}, {vec({1, 2}, i32()), 0.5}, add);
  EXPECT_EQ(numbers(scalar), (Numbers{1.5, 2.5}));
}

TEST(Broadcast, LeadingAxesInMatlab) {
  auto r = evaluate(matlab(), {array_of(f64(), 3, Layout::ColMajor), matrix()},
                    {array({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}, f64(), Layout::ColMajor), mat({10, 20}, {2, 1})},
                    [](auto&, auto& p) { return p[0] + p[1]; });
  EXPECT_EQ(numbers(r), (Numbers{11, 12, 13, 14, 25, 26, 27, 28}));
}

TEST(Broadcast, ShapesThatDoNotAgree) {
  auto fault = [](const Conventions& c, const Value& a, const Value& b) {
    Program p(c, {vector()});
    E x = p.f.arg("x", vector()), y = p.f.arg("y", vector());
    p.f.return_({x + y});
    return p.fault({a, b}).code;
  };
  EXPECT_EQ(fault(numpy(), vec({1, 2}), vec({1, 2, 3})), Code::ShapeMismatch);
  Conventions none = numpy();
  none.broadcast = BroadcastMode::None;
  EXPECT_EQ(fault(none, vec({1}), vec({1, 2, 3})), Code::ShapeMismatch);
}

TEST(Broadcast, ArraysWithoutElements) {
  auto add = [](auto&, auto& p) { return p[0] + p[1]; };
  EXPECT_EQ(shape(evaluate(numpy(), {f64_array(2), vector()}, {array({}, {0, 3}), vec({1, 2, 3})}, add)),
            (Shape{0, 3}));
  EXPECT_EQ(shape(evaluate(numpy(), {f64_array(2), vector()}, {array({}, {4, 0}), vec({1})}, add)), (Shape{4, 0}));
}

}  // namespace
}  // namespace vr::interp::test
