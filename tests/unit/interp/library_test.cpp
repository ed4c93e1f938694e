// The standard library: elementwise functions, reductions, shapes, new arrays, sort and find.
#include "helpers.hpp"

#include "ir/library.hpp"

#include <cmath>
#include <complex>
#include <limits>

namespace vr::interp::test {
namespace {

const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();

Value call(const Conventions& c, const std::string& name, const std::vector<Type>& types,
           const std::vector<Value>& args) {
  return evaluate(c, types, args, [&](FunctionBuilder& f, const std::vector<E>& p) { return f.lib(name, p); });
}
double number(const std::string& name, const std::vector<Value>& args, const Conventions& c = numpy()) {
  std::vector<Type> types;
  for (const Value& v : args) types.push_back(v.type());
  return call(c, name, types, args).as_double();
}
Value of_vector(const std::string& name, const Numbers& v, const Type& t = f64()) {
  return call(numpy(), name, {vector(t)}, {vec(v, t)});
}
Value of_matrix(const std::string& name, const Numbers& v, const Shape& s, const std::vector<Value>& more = {}) {
  std::vector<Type> types{matrix()};
  std::vector<Value> args{mat(v, s)};
  for (const Value& m : more) {
    types.push_back(m.type());
    args.push_back(m);
  }
  return call(matlab(), name, types, args);
}
std::complex<double> complex_of(const Value& v) { return {v.raw().cf64[0], v.raw().cf64[1]}; }

TEST(Library, RealFunctions) {
  const std::pair<const char*, double (*)(double)> functions[] = {
      {"sqrt", std::sqrt},   {"exp", std::exp},     {"expm1", std::expm1}, {"log", std::log},     {"log2", std::log2},
      {"log10", std::log10}, {"log1p", std::log1p}, {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},
      {"asin", std::asin},   {"acos", std::acos},   {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},
      {"tanh", std::tanh},   {"erf", std::erf},     {"abs", std::fabs},    {"floor", std::floor}, {"ceil", std::ceil},
      {"round", std::round}, {"fix", std::trunc},   {"cbrt", std::cbrt},   {"asinh", std::asinh}, {"atanh", std::atanh},
      {"erfc", std::erfc},   {"gamma", std::tgamma}, {"lgamma", std::lgamma}};
  for (const auto& [name, f] : functions) {
    EXPECT_DOUBLE_EQ(number(name, {0.7}), f(0.7)) << name;
    EXPECT_FLOAT_EQ(static_cast<float>(number(name, {0.7f})), static_cast<float>(f(0.7f))) << name;
    EXPECT_EQ(call(numpy(), name, {f32()}, {0.7f}).type(), f32()) << name;
  }
  EXPECT_EQ(call(numpy(), "sqrt", {i32()}, {4}).type(), f64());
  EXPECT_DOUBLE_EQ(number("cbrt", {-27.0}), -3);
  EXPECT_DOUBLE_EQ(number("acosh", {2.5}), std::acosh(2.5));
  EXPECT_TRUE(std::isnan(number("acosh", {0.5})) && std::isnan(number("gamma", {-2.0})));
  EXPECT_EQ(number("lgamma", {-2.0}), infinity);
  EXPECT_DOUBLE_EQ(number("gamma", {5}), 24);
  EXPECT_EQ(number("floor", {-2.5}), -3);
  EXPECT_EQ(number("round", {-2.5}), -3);
  EXPECT_EQ(number("fix", {-2.5}), -2);
  EXPECT_EQ(number("sign", {-2.5}), -1);
  EXPECT_TRUE(std::isnan(number("sign", {nan})));
  EXPECT_EQ(number("abs", {std::numeric_limits<int32_t>::min()}), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(number("isnan", {nan}), 1);
  EXPECT_EQ(number("isinf", {-infinity}), 1);
  EXPECT_EQ(number("isfinite", {infinity}), 0);
  EXPECT_EQ(number("isfinite", {3}), 1);
}

TEST(Library, ComplexFunctionsInvertEachOther) {
  const Value z = Value::complex(0.6, -0.35);
  const std::complex<double> w = complex_of(z);
  auto f = [&](const char* name, const Value& v) { return call(numpy(), name, {c64()}, {v}); };
  for (auto [there, back] : std::vector<std::pair<const char*, const char*>>{
           {"exp", "log"}, {"sin", "asin"}, {"cos", "acos"}, {"tan", "atan"}, {"expm1", "log1p"}}) {
    const std::complex<double> r = complex_of(f(back, f(there, z)));
    // acos has values in the half of the strip that contains its argument.
    EXPECT_NEAR(std::abs(r - w), 0, 1e-14) << there;
  }
  const std::complex<double> root = complex_of(f("sqrt", z));
  EXPECT_NEAR(std::abs(root * root - w), 0, 1e-15);
  EXPECT_NEAR(std::abs(complex_of(f("sinh", z)) - std::sinh(w)), 0, 1e-15);
  EXPECT_NEAR(std::abs(complex_of(f("tanh", z)) - std::sinh(w) / std::cosh(w)), 0, 1e-15);
  EXPECT_NEAR(std::abs(complex_of(f("log2", z)) - std::log(w) / std::log(2.0)), 0, 1e-15);
  EXPECT_DOUBLE_EQ(f("abs", Value::complex(3, 4)).as_double(), 5);
  EXPECT_EQ(complex_of(f("conj", z)), std::conj(w));
  EXPECT_EQ(f("imag", z).as_double(), -0.35);
  EXPECT_DOUBLE_EQ(f("angle", Value::complex(0, 2)).as_double(), M_PI / 2);
  EXPECT_NEAR(std::abs(complex_of(f("sign", Value::complex(3, 4))) - std::complex<double>(0.6, 0.8)), 0, 1e-16);
}

TEST(Library, Powers) {
  EXPECT_EQ(number("pow", {2.0, 0.5}), std::sqrt(2.0));
  EXPECT_EQ(number("pow", {3, 4}), 81);
  EXPECT_EQ(number("pow", {2, 31}), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(number("pow", {2, -1}), 0);
  EXPECT_EQ(number("pow", {-1, -3}), -1);
  EXPECT_TRUE(std::isnan(number("pow", {-8.0, 1.0 / 3})));
  Value z = call(numpy(), "pow", {c64(), i32()}, {Value::complex(1, 1), 2});
  EXPECT_EQ(complex_of(z), (std::complex<double>(0, 2)));
}

TEST(Library, TwoOperands) {
  EXPECT_EQ(number("atan2", {1.0, 1.0}), M_PI / 4);
  EXPECT_EQ(number("hypot", {3, 4}), 5);
  EXPECT_EQ(number("min2", {3, 2}), 2);
  EXPECT_EQ(number("max2", {3.0, 2.0}), 3);
  EXPECT_TRUE(std::isnan(number("max2", {nan, 2.0})));
  EXPECT_EQ(number("max2", {nan, 2.0}, matlab()), 2);
  EXPECT_EQ(number("libdiv", {7, 2}), 3);
}

TEST(Library, RemaindersAndTheirSigns) {
  EXPECT_EQ(number("mod", {-7, 3}), 2);
  EXPECT_EQ(number("rem", {-7, 3}), -1);
  EXPECT_EQ(number("mod", {7, -3}), -2);
  EXPECT_EQ(number("mod", {-5.5, 2.0}), 0.5);
  EXPECT_EQ(number("rem", {-5.5, 2.0}), -1.5);
  EXPECT_EQ(number("mod", {5.0, 0.0}, matlab()), 5);
  EXPECT_TRUE(std::isnan(number("mod", {5.0, 0.0})));
  EXPECT_EQ(number("mod", {0.3, 0.1}, matlab()), 0);
  EXPECT_EQ(number("mod", {1e6 + 0.1, 0.3}, matlab()), (1e6 + 0.1) - 0.3 * 3333333);
  EXPECT_EQ(number("rem", {-5.5, 2.0}, matlab()), -1.5);
  EXPECT_EQ(number("mod", {5.0, infinity}, matlab()), 5);
  EXPECT_EQ(number("mod", {std::numeric_limits<int32_t>::min(), -1}), 0);
  Program p(numpy(), {i32()});
  E a = p.f.arg("a", i32());
  p.f.return_({p.f.lib("mod", {a, p.f.int_const(0, i32())})});
  EXPECT_EQ(p.fault({1}).code, Code::DivByZero);
}

TEST(Reductions, NumPyOverAllAndAnAxis) {
  const Value m = array({1, 2, 3, 4, 5, 6}, {2, 3});
  auto all = [&](const char* name) { return call(numpy(), name, {f64_array(2)}, {m}).as_double(); };
  EXPECT_EQ(all("sum"), 21);
  EXPECT_EQ(all("prod"), 720);
  EXPECT_EQ(all("min"), 1);
  EXPECT_EQ(all("max"), 6);
  EXPECT_EQ(all("mean"), 3.5);
  EXPECT_EQ(all("argmax"), 5);
  auto axis = [&](const char* name, int k) {
    return call(numpy(), name, {f64_array(2), i64()}, {m, static_cast<int64_t>(k)});
  };
  EXPECT_EQ(numbers(axis("sum", 0)), (Numbers{5, 7, 9}));
  EXPECT_EQ(numbers(axis("sum", 1)), (Numbers{6, 15}));
  EXPECT_EQ(shape(axis("sum", 1)), (Shape{2}));
  EXPECT_EQ(numbers(axis("argmin", 1)), (Numbers{0, 0}));
  EXPECT_EQ(numbers(axis("cumsum", 0)), (Numbers{1, 2, 3, 5, 7, 9}));
  EXPECT_EQ(numbers(call(numpy(), "cumprod", {f64_array(2)}, {m})), (Numbers{1, 2, 6, 24, 120, 720}));
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", f64_array(2)), k = p.f.arg("k", i64());
  p.f.return_({p.f.lib("sum", {a, k})});
  EXPECT_EQ(numbers(p.result({m, int64_t{-1}})), (Numbers{6, 15}));
  EXPECT_EQ(p.fault({m, int64_t{2}}).code, Code::OutOfBounds);
}

TEST(Reductions, MatlabAlongTheFirstDimensionThatIsNotOne) {
  EXPECT_EQ(shape(of_matrix("sum", {1, 2, 3}, {1, 3})), (Shape{1, 1}));
  EXPECT_EQ(numbers(of_matrix("sum", {1, 2, 3}, {1, 3})), (Numbers{6}));
  EXPECT_EQ(numbers(of_matrix("sum", {1, 2, 3, 4}, {2, 2})), (Numbers{4, 6}));
  EXPECT_EQ(shape(of_matrix("mean", {1, 2, 3, 4}, {2, 2}, {int64_t{2}})), (Shape{2, 1}));
  EXPECT_EQ(numbers(of_matrix("mean", {1, 2, 3, 4}, {2, 2}, {int64_t{2}})), (Numbers{1.5, 3.5}));
  EXPECT_EQ(numbers(of_matrix("sum", {1, 2, 3, 4}, {2, 2}, {int64_t{3}})), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(numbers(of_matrix("argmax", {1, 9, 3}, {1, 3})), (Numbers{2}));
  EXPECT_EQ(numbers(of_matrix("cumsum", {1, 2, 3, 4}, {2, 2})), (Numbers{1, 2, 4, 6}));
  EXPECT_EQ(numbers(of_matrix("any", {0, 0, 0, 4}, {2, 2})), (Numbers{0, 1}));
  EXPECT_EQ(numbers(of_matrix("all", {1, 0, 2, 4}, {2, 2})), (Numbers{1, 0}));
}

TEST(Reductions, ElementTypes) {
  EXPECT_EQ(of_vector("sum", {1, 1, 1}, boolean()).raw().i64, 3);
  EXPECT_EQ(of_vector("sum", {2147483647, 1}, i32()).raw().i64, int64_t{1} << 31);
  EXPECT_EQ(of_vector("mean", {1, 2}, i32()).as_double(), 1.5);
  EXPECT_EQ(of_vector("max", {1, 2}, i32()).type(), i32());
  // Sums of float32 do not lose small terms.
  Numbers many(1000, 1);
  many[0] = 16777216;
  EXPECT_EQ(of_vector("sum", many, f32()).raw().f32, 16778215.0f);
  Value z = evaluate(numpy(), {vector(), vector()}, {vec({1, 2}), vec({3, 4})},
                     [](auto& f, auto& p) { return f.lib("sum", {f.complex(p[0], p[1])}); });
  EXPECT_EQ(complex_of(z), (std::complex<double>(3, 7)));
  Value product = evaluate(numpy(), {vector(), vector()}, {vec({1, 2}), vec({1, 2})},
                           [](auto& f, auto& p) { return f.lib("prod", {f.complex(p[0], p[1])}); });
  EXPECT_EQ(complex_of(product), (std::complex<double>(0, 4)));
}

TEST(Reductions, NaN) {
  EXPECT_TRUE(std::isnan(of_vector("max", {1, nan, 3}).as_double()));
  EXPECT_EQ(of_vector("argmax", {1, nan, 3, nan}).raw().i64, 1);
  EXPECT_EQ(numbers(of_matrix("max", {nan, 1, 3}, {1, 3})), (Numbers{3}));
  EXPECT_EQ(numbers(of_matrix("argmin", {nan, 2, 2}, {1, 3})), (Numbers{2}));
  EXPECT_TRUE(std::isnan(numbers(of_matrix("min", {nan, nan}, {1, 2}))[0]));
}

TEST(Reductions, OfNothing) {
  EXPECT_EQ(of_vector("sum", {}).as_double(), 0);
  EXPECT_EQ(of_vector("prod", {}).as_double(), 1);
  EXPECT_EQ(of_vector("all", {}).raw().b, 1);
  EXPECT_EQ(of_vector("any", {}).raw().b, 0);
  EXPECT_TRUE(std::isnan(of_vector("mean", {}).as_double()));
  EXPECT_EQ(numbers(of_matrix("sum", {}, {0, 0})), (Numbers{0}));
  EXPECT_EQ(numbers(of_matrix("sum", {}, {0, 2})), (Numbers{0, 0}));
  for (const char* name : {"min", "max", "argmin", "argmax"}) {
    Program p(numpy(), {name[0] == 'a' ? i64() : f64()});
    E a = p.f.arg("a", vector());
    p.f.return_({p.f.lib(name, {a})});
    EXPECT_EQ(p.fault({vec({})}).code, Code::Size) << name;
  }
}

TEST(Shapes, Sizes) {
  EXPECT_EQ(numbers(of_matrix("size", {1, 2, 3, 4, 5, 6}, {2, 3})), (Numbers{2, 3}));
  EXPECT_EQ(of_matrix("size", {1, 2}, {1, 2}, {int64_t{2}}).raw().i64, 2);
  EXPECT_EQ(of_matrix("size", {1, 2}, {1, 2}, {int64_t{5}}).raw().i64, 1);
  EXPECT_EQ(of_matrix("numel", {1, 2}, {1, 2}).raw().i64, 2);
  EXPECT_EQ(of_matrix("length", {1, 2, 3, 4, 5, 6}, {2, 3}).raw().i64, 3);
  EXPECT_EQ(of_matrix("length", {}, {0, 3}).raw().i64, 0);
  EXPECT_EQ(of_matrix("ndims", {1}, {1, 1}).raw().i64, 2);
  EXPECT_EQ(of_matrix("scalar", {7}, {1, 1}).as_double(), 7);
  Program p(matlab(), {f64()});
  E a = p.f.arg("a", matrix());
  p.f.return_({p.f.lib("scalar", {a})});
  EXPECT_EQ(p.fault({mat({1, 2}, {1, 2})}).code, Code::ShapeMismatch);
}

TEST(Shapes, ReshapeCountsInTheLanguagesOrder) {
  auto reshape = [](const Conventions& c, const Value& v, const Type& t) {
    return evaluate(c, {t}, {v}, [](auto& f, auto& p) { return f.lib("reshape", {p[0], E(3), E(2)}); });
  };
  EXPECT_EQ(numbers(reshape(numpy(), array({1, 2, 3, 4, 5, 6}, {2, 3}), f64_array(2))), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numbers(reshape(matlab(), mat({1, 2, 3, 4, 5, 6}, {2, 3}), matrix())), (Numbers{1, 5, 4, 3, 2, 6}));
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", vector());
  p.f.return_({p.f.lib("reshape", {a, E(4)})});
  EXPECT_EQ(p.fault({vec({1, 2, 3})}).code, Code::ShapeMismatch);
}

TEST(Shapes, Joining) {
  auto join = [](const Conventions& c, const char* name, const Type& t, const Value& a, const Value& b) {
    return call(c, name, {t, t}, {a, b});
  };
  EXPECT_EQ(numbers(join(numpy(), "horzcat", vector(), vec({1, 2}), vec({3}))), (Numbers{1, 2, 3}));
  EXPECT_EQ(shape(join(numpy(), "vertcat", vector(), vec({1, 2}), vec({3, 4}))), (Shape{2, 2}));
  auto h = join(matlab(), "horzcat", matrix(), mat({1, 2, 3, 4}, {2, 2}), mat({5, 6}, {2, 1}));
  EXPECT_EQ(numbers(h), (Numbers{1, 2, 5, 3, 4, 6}));
  EXPECT_EQ(shape(join(matlab(), "vertcat", matrix(), mat({}, {0, 0}), mat({5, 6}, {1, 2}))), (Shape{1, 2}));
  EXPECT_EQ(numbers(join(matlab(), "vertcat", matrix(), mat({}, {1, 0}), mat({5, 6}, {1, 2}))), (Numbers{5, 6}));
  EXPECT_EQ(shape(join(matlab(), "horzcat", matrix(), mat({}, {0, 0}), mat({}, {1, 0}))), (Shape{1, 0}));
  EXPECT_EQ(numbers(call(matlab(), "horzcat", {f64(), f64()}, {1.0, 2.0})), (Numbers{1, 2}));
  Program p(matlab(), {matrix()});
  E a = p.f.arg("a", matrix()), b = p.f.arg("b", matrix());
  p.f.return_({p.f.lib("horzcat", {a, b})});
  EXPECT_EQ(p.fault({mat({1, 2}, {2, 1}), mat({1, 2, 3}, {3, 1})}).code, Code::ShapeMismatch);
}

TEST(NewArrays, ZerosOnesEyeAndAllocation) {
  auto make = [](const Conventions& c, const char* name, std::vector<E> extents) {
    return evaluate(c, {}, {}, [&](FunctionBuilder& f, auto&) { return f.lib(name, extents); });
  };
  EXPECT_EQ(shape(make(numpy(), "zeros", {E(3)})), (Shape{3}));
  EXPECT_EQ(shape(make(matlab(), "zeros", {E(3)})), (Shape{3, 3}));
  EXPECT_EQ(numbers(make(numpy(), "ones", {E(2), E(2)})), (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(numbers(make(numpy(), "eye", {E(2)})), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(numbers(make(numpy(), "eye", {E(1), E(3)})), (Numbers{1, 0, 0}));
  auto alloc = evaluate(numpy(), {}, {}, [](auto& f, auto&) { return f.ones(i32(), {E(2)}); });
  EXPECT_EQ(alloc.array().elem(), Elem::Int32);
  EXPECT_EQ(numbers(alloc), (Numbers{1, 1}));
}

TEST(NewArrays, Progressions) {
  auto make = [](const Conventions& c, const char* name, std::vector<E> args) {
    return evaluate(c, {}, {}, [&](FunctionBuilder& f, auto&) { return f.lib(name, args); });
  };
  EXPECT_EQ(numbers(make(matlab(), "colon", {E(1), E(3)})), (Numbers{1, 2, 3}));
  EXPECT_EQ(shape(make(matlab(), "colon", {E(1), E(3)})), (Shape{1, 3}));
  EXPECT_EQ(shape(make(matlab(), "colon", {E(3), E(1)})), (Shape{1, 0}));
  EXPECT_EQ(numbers(make(matlab(), "colon", {E(5), E(-2), E(1)})), (Numbers{5, 3, 1}));
  EXPECT_EQ(make(matlab(), "colon", {E(0.0), E(0.1), E(0.3)}).array().size(), 4);
  EXPECT_EQ(numbers(make(numpy(), "range", {E(0), E(3)})), (Numbers{0, 1, 2}));
  EXPECT_EQ(numbers(make(numpy(), "range", {E(0), E(5), E(2)})), (Numbers{0, 2, 4}));
  EXPECT_EQ(numbers(make(numpy(), "linspace", {E(0.0), E(1.0), E(5)})), (Numbers{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(make(matlab(), "linspace", {E(0.0), E(1.0)}).array().size(), 100);
  EXPECT_EQ(numbers(make(matlab(), "linspace", {E(0.0), E(1.0), E(1)})), (Numbers{1}));
  EXPECT_EQ(numbers(make(numpy(), "linspace", {E(0.0), E(1.0), E(1)})), (Numbers{0}));
}

TEST(Order, SortIsStableWithNaNLast) {
  EXPECT_EQ(numbers(of_vector("sort", {3, 1, 2})), (Numbers{1, 2, 3}));
  Numbers n = numbers(of_vector("sort", {nan, 2, -infinity, infinity}));
  EXPECT_EQ(n[0], -infinity);
  EXPECT_EQ(n[2], infinity);
  EXPECT_TRUE(std::isnan(n[3]));
  Program p(matlab(), {matrix(), matrix(i64())});
  E a = p.f.arg("a", matrix()), v = p.f.local("v", matrix()), k = p.f.local("k", matrix(i64()));
  p.f.assign({v, k}, p.f.lib("sort", {a}, Type::tuple({matrix(), matrix(i64())})));
  p.f.return_({v, k});
  auto r = p.results({mat({3, 1, 3, 2}, {1, 4})});
  EXPECT_EQ(numbers(r[0]), (Numbers{1, 2, 3, 3}));
  EXPECT_EQ(numbers(r[1]), (Numbers{2, 4, 1, 3}));
  EXPECT_EQ(numbers(of_matrix("sort", {3, 1, 1, 2}, {2, 2})), (Numbers{1, 1, 3, 2}));
  EXPECT_EQ(numbers(of_matrix("sort", {3, 1, 1, 2}, {2, 2}, {int64_t{2}})), (Numbers{1, 3, 1, 2}));
}

TEST(Order, Find) {
  EXPECT_EQ(numbers(of_vector("find", {0, 5, 0, 7})), (Numbers{1, 3}));
  EXPECT_EQ(shape(of_matrix("find", {0, 5, 7}, {1, 3})), (Shape{1, 2}));
  EXPECT_EQ(numbers(of_matrix("find", {0, 5, 7, 0}, {2, 2})), (Numbers{2, 3}));
  EXPECT_EQ(shape(of_matrix("find", {0, 5, 7, 0}, {2, 2})), (Shape{2, 1}));
  Program p(matlab(), {matrix(i64()), matrix(i64()), matrix()});
  E a = p.f.arg("a", matrix()), i = p.f.local("i", matrix(i64())), j = p.f.local("j", matrix(i64())),
    v = p.f.local("v", matrix());
  p.f.assign({i, j, v}, p.f.lib("find", {a}, Type::tuple({matrix(i64()), matrix(i64()), matrix()})));
  p.f.return_({i, j, v});
  auto r = p.results({mat({0, 5, 7, 0}, {2, 2})});
  EXPECT_EQ(numbers(r[0]), (Numbers{2, 1}));
  EXPECT_EQ(numbers(r[1]), (Numbers{1, 2}));
  EXPECT_EQ(numbers(r[2]), (Numbers{7, 5}));
}

/// The interpreter implements every function of the table: called with numbers or 2 x 2 arrays it returns a result or a
/// fault other than "unsupported".
TEST(Library, EveryFunctionOfTheTableIsThere) {
  for (const LibFunction& f : all_library()) {
    for (const Conventions& c : {numpy(), matlab()}) {
      const bool arrays = f.sort != LibSort::Make;
      std::vector<Type> types(f.min_args, arrays ? (c.mindims == 2 ? matrix() : f64_array(2)) : i64());
      std::vector<Value> args(
          f.min_args,
          arrays ? (c.mindims == 2 ? mat({1, 2, 3, 4}, {2, 2}) : array({1, 2, 3, 4}, {2, 2})) : Value(int64_t{2}));
      std::string name(f.name);
      if (name == "scalar" || ((name == "dot" || name == "outer") && c.mindims == 1))
        continue;  // not defined for matrices
      if (name == "dot" || name == "outer") args.assign(2, mat({1, 2}, {1, 2}));
      if (name == "reshape") {
        types[1] = c.mindims == 2 ? matrix() : vector();
        args[1] = c.mindims == 2 ? mat({4, 1}, {1, 2}) : vec({4});
      }
      for (size_t k = 0; f.sort == LibSort::Called && k < f.min_args;
           ++k) {  // determined by the letters of library.def
        const char letter = f.params[k];
        if ((letter == 'v' || letter == 'V') && c.mindims == 1) types[k] = vector(), args[k] = vec({1, 2});
        if (std::string_view("iksxwb").find(letter) != std::string_view::npos) types[k] = i64(), args[k] = int64_t{1};
      }
      if (name == "quantile")
        args[1] = c.mindims == 2 ? mat({0, 0.5, 0.25, 1}, {2, 2}) : array({0, 0.5, 0.25, 1}, {2, 2});
      // As many weights as numbers, and edges in order.
      if (name == "bincount_weighted") types[1] = f64(), args[1] = 2.0;
      if (name == "digitize" || name.rfind("histogram", 0) == 0)
        args[1] = c.mindims == 2 ? mat({1, 2, 3, 4}, {1, 4}) : vec({1, 2, 3, 4});
      if (name == "cholesky") args[0] = c.mindims == 2 ? mat({4, 1, 1, 4}, {2, 2}) : array({4, 1, 1, 4}, {2, 2});
      if (f.sort == LibSort::Random) types.assign(f.min_args, i64()), args.assign(f.min_args, Value(int64_t{6}));
      if (name.rfind("bit", 0) == 0 || name.rfind("shift_", 0) == 0)
        types.assign(f.min_args, i64()), args.assign(f.min_args, Value(int64_t{6}));
      if (name.ends_with("_sat") || name.ends_with("_check"))
        types.assign(f.min_args, i64()), args.assign(f.min_args, Value(int64_t{6}));
      SCOPED_TRACE(name);
      Value r = call(c, name, types, args);
      EXPECT_TRUE(r.is_scalar() || r.array());
    }
  }
}

}  // namespace
}  // namespace vr::interp::test
