// Linear algebra of the library.
#include "helpers.hpp"

#include <cmath>

namespace vr::interp::test {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

Value call(const Conventions& c, const char* name, const std::vector<Type>& types, const std::vector<Value>& args) {
  return evaluate(c, types, args, [&](FunctionBuilder& f, const std::vector<E>& p) { return f.lib(name, p); });
}
Value of(const char* name, const Value& a, const Value& b) {
  return call(matlab(), name, {matrix(), matrix()}, {a, b});
}
double norm(const Value& a, const Type& t = matrix(), const Conventions& c = matlab()) {
  return call(c, "norm", {t}, {a}).as_double();
}
void expect_near(const Value& v, const Numbers& expected, double tolerance = 1e-13) {
  EXPECT_THAT(numbers(v), Pointwise(DoubleNear(tolerance), expected));
}

TEST(Matrix, ProductsOfEveryRank) {
  const Value m = array({1, 2, 3, 4, 5, 6}, {2, 3}), v = vec({1, 0, 2}), u = vec({1, 2});
  EXPECT_EQ(numbers(call(numpy(), "mmult", {f64_array(2), vector()}, {m, v})), (Numbers{7, 16}));
  EXPECT_EQ(numbers(call(numpy(), "mmult", {vector(), f64_array(2)}, {u, m})), (Numbers{9, 12, 15}));
  EXPECT_EQ(call(numpy(), "mmult", {vector(), vector()}, {v, v}).as_double(), 5);
  auto square = of("mmult", mat({1, 2, 3, 4}, {2, 2}), mat({0, 1, 1, 0}, {2, 2}));
  EXPECT_EQ(numbers(square), (Numbers{2, 1, 4, 3}));
  EXPECT_EQ(numbers(of("mmult", mat({2}, {1, 1}), mat({1, 2, 3, 4}, {2, 2}))), (Numbers{2, 4, 6, 8}));
  EXPECT_EQ(shape(of("mmult", mat({}, {2, 0}), mat({}, {0, 3}))), (Shape{2, 3}));
  EXPECT_EQ(numbers(of("mmult", mat({}, {1, 0}), mat({}, {0, 1}))), (Numbers{0}));
  Program p(matlab(), {matrix()});
  E a = p.f.arg("a", matrix()), b = p.f.arg("b", matrix());
  p.f.return_({p.f.lib("mmult", {a, b})});
  EXPECT_EQ(p.fault({mat({1, 2}, {1, 2}), mat({1, 2}, {1, 2})}).code, Code::ShapeMismatch);
}

TEST(Matrix, ProductsOfIntegersAndFloat32) {
  Value i = call(numpy(), "mmult", {vector(i32()), vector(i32())}, {vec({65536}, i32()), vec({65536}, i32())});
  EXPECT_EQ(i.raw().i32, 0);
  Value s =
      call(numpy(), "mmult", {vector(f32()), vector(f32())}, {vec({16777216, 1, 1}, f32()), vec({1, 1, 1}, f32())});
  EXPECT_EQ(s.raw().f32, 16777218.0f);
}

TEST(Matrix, TransposeDotOuter) {
  EXPECT_EQ(numbers(call(matlab(), "trans", {matrix()}, {mat({1, 2, 3, 4, 5, 6}, {2, 3})})),
            (Numbers{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(numbers(call(numpy(), "trans", {vector()}, {vec({1, 2})})), (Numbers{1, 2}));
  EXPECT_EQ(of("dot", mat({1, 2}, {1, 2}), mat({3, 4}, {2, 1})).as_double(), 11);
  EXPECT_EQ(numbers(call(numpy(), "outer", {vector(), vector()}, {vec({1, 2}), vec({3, 4, 5})})),
            (Numbers{3, 4, 5, 6, 8, 10}));
}

TEST(Solve, SquareSystems) {
  const Value a = mat({0, 2, 1, 1, 1, 0, 3, 0, 1}, {3, 3});  // needs an exchange of rows
  Value x = of("mldiv", a, mat({5, 3, 10}, {3, 1}));
  expect_near(of("mmult", a, x), {5, 3, 10});
  Value y = of("mrdiv", mat({5, 3, 10}, {1, 3}), a);
  expect_near(of("mmult", y, a), {5, 3, 10});
  expect_near(of("mrdiv", mat({2, 4}, {1, 2}), mat({2}, {1, 1})), {1, 2});
}

TEST(Solve, LeastSquaresAndLeastNorm) {
  // A line through (0, 1), (1, 3), (2, 4): intercept 7/6, slope 3/2.
  expect_near(of("mldiv", mat({1, 0, 1, 1, 1, 2}, {3, 2}), mat({1, 3, 4}, {3, 1})), {7.0 / 6, 1.5});
  // x + y + z = 3: the solution of least norm is (1, 1, 1).
  expect_near(of("mldiv", mat({1, 1, 1}, {1, 3}), mat({3}, {1, 1})), {1, 1, 1});
}

TEST(Solve, SingularGivesNoFault) {
  Value x = of("mldiv", mat({1, 1, 1, 1}, {2, 2}), mat({1, 2}, {2, 1}));
  EXPECT_FALSE(std::isfinite(numbers(x)[1]));
}

TEST(Solve, ComplexSystems) {
  // (1 + i) x = 2
  Value x =
      evaluate(numpy(), {f64_array(2), f64_array(2), vector()}, {array({1}, {1, 1}), array({1}, {1, 1}), vec({2})},
               [](auto& f, auto& p) { return f.lib("mldiv", {f.complex(p[0], p[1]), p[2]}); });
  const double* z = x.array().template data_as<double>();
  EXPECT_DOUBLE_EQ(z[0], 1);
  EXPECT_DOUBLE_EQ(z[1], -1);
}

TEST(Norm, VectorsAndMatrices) {
  EXPECT_DOUBLE_EQ(norm(mat({3, 4}, {1, 2})), 5);
  EXPECT_DOUBLE_EQ(norm(mat({3e200, 4e200}, {2, 1})), 5e200);
  EXPECT_DOUBLE_EQ(norm(vec({3, 4}), vector(), numpy()), 5);
  EXPECT_DOUBLE_EQ(norm(mat({3, 0, 0, -7}, {2, 2})), 7);
  // Singular values of [1 2; 3 4]: sqrt((30 +- sqrt(900 - 16)) / 2).
  EXPECT_NEAR(norm(mat({1, 2, 3, 4}, {2, 2})), std::sqrt((30 + std::sqrt(884.0)) / 2), 1e-14);
  EXPECT_NEAR(norm(mat({1, 2, 3, 4, 5, 6}, {2, 3})), 9.508032000695724, 1e-13);
  EXPECT_EQ(norm(mat({}, {0, 0})), 0);
  for (double v : {1e100, 1e300, 1e-200, 1e-300}) {
    EXPECT_NEAR(norm(mat({v, v, v, v}, {2, 2})) / v, 2, 1e-14);
    EXPECT_NEAR(norm(mat({v, v, v, v, v, v}, {2, 3})) / v, std::sqrt(6.0), 1e-14);
  }
  EXPECT_EQ(norm(mat({0, 0, 0, 0}, {2, 2})), 0);
  auto order = [](double p) {
    return evaluate(matlab(), {matrix(), f64()}, {mat({1, -2, 3, 4}, {2, 2}), p},
                    [](auto& f, auto& q) { return f.lib("norm", {q[0], q[1]}); })
        .as_double();
  };
  EXPECT_EQ(order(1), 6);
  EXPECT_EQ(order(INFINITY), 7);
}

}  // namespace
}  // namespace vr::interp::test
