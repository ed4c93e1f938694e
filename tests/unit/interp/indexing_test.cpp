// Reading by subscripts: thesis 4.3 and the conventions.
#include "helpers.hpp"

#include <cmath>
#include <limits>

namespace vr::interp::test {
namespace {

const Value grid = array({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, {3, 4});
Value matlab_grid() { return mat({11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}, {3, 4}); }

using Build = std::function<E(FunctionBuilder&, const std::vector<E>&)>;
Value of_grid(const Build& b) { return evaluate(numpy(), {f64_array(2)}, {grid}, b); }
Value of_matrix(const Build& b) { return evaluate(matlab(), {matrix()}, {matlab_grid()}, b); }
Value of_vector(const Numbers& v, const Build& b) { return evaluate(numpy(), {vector()}, {vec(v)}, b); }
Value of_row(const Numbers& v, const Build& b) {
  return evaluate(matlab(), {matrix()}, {mat(v, {1, static_cast<int64_t>(v.size())})}, b);
}
Subscript negative(const E& e) {
  Subscript s = sub(e);
  s.negative = true;
  return s;
}

TEST(Indexing, ElementsFromBaseZeroAndOne) {
  EXPECT_EQ(of_grid([](auto&, auto& p) { return p[0](1, 2); }).as_double(), 12);
  EXPECT_EQ(of_matrix([](auto&, auto& p) { return p[0](1, 2); }).as_double(), 12);
}

TEST(Indexing, NegativeSubscriptsCountFromTheEnd) {
  EXPECT_EQ(of_grid([](auto& f, auto& p) { return f.index(p[0], {negative(E(-1)), negative(E(-2))}); }).as_double(),
            22);
  Program p(numpy(), {f64()});
  E a = p.f.arg("a", vector()), k = p.f.arg("k", i64());
  p.f.return_({p.f.index(a, {negative(k)})});
  EXPECT_EQ(p.result({vec({1, 2, 3}), int64_t{-3}}).as_double(), 1);
  EXPECT_EQ(p.fault({vec({1, 2, 3}), int64_t{-4}}).index, -4);
}

TEST(Indexing, RangesGiveRowsColumnsAndBlocks) {
  auto row = of_grid([](auto&, auto& p) { return p[0](1, all()); });
  EXPECT_EQ(shape(row), (Shape{4}));
  EXPECT_EQ(numbers(row), (Numbers{10, 11, 12, 13}));
  auto block = of_grid([](auto&, auto& p) { return p[0](range(0, 2), range(0, 2, 4)); });
  EXPECT_EQ(shape(block), (Shape{2, 2}));
  EXPECT_EQ(numbers(block), (Numbers{0, 2, 10, 12}));
  auto back = of_vector({1, 2, 3, 4, 5}, [](auto&, auto& p) { return p[0](range(4, -2, 0)); });
  EXPECT_EQ(numbers(back), (Numbers{5, 3}));
  auto included = of_vector({1, 2, 3, 4, 5}, [](auto&, auto& p) { return p[0](range_to(4, -2, 0)); });
  EXPECT_EQ(numbers(included), (Numbers{5, 3, 1}));
  EXPECT_EQ(shape(of_vector({1, 2}, [](auto&, auto& p) { return p[0](range(2, 2)); })), (Shape{0}));
}

TEST(Indexing, AbsentPartsOfARange) {
  auto part = [](E start, E step, E stop, std::optional<bool> exclude = {}) {
    auto node = [](const E& e) { return e.type().is_null() ? nullptr : e.node(); };
    return std::make_shared<const ir::Range>(Type::null(), exclude, node(start), node(step), node(stop));
  };
  const E none(std::make_shared<const IntConst>(Type::null(), 0));
  auto slice = [&](E start, E step, E stop) {
    Subscript s = sub(E(part(start, step, stop)));
    return numbers(of_vector({1, 2, 3, 4}, [&](auto& f, auto& p) { return f.index(p[0], {s}); }));
  };
  EXPECT_EQ(slice(none, none, none), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(slice(E(1), none, none), (Numbers{2, 3, 4}));
  EXPECT_EQ(slice(none, none, E(2)), (Numbers{1, 2}));
  EXPECT_EQ(slice(none, E(-1), none), (Numbers{4, 3, 2, 1}));
  EXPECT_EQ(slice(none, E(2), none), (Numbers{1, 3}));
}

TEST(Indexing, NegativeRangesAreClippedAsInNumPy) {
  auto slice = [](const E& r) {
    return numbers(of_vector({1, 2, 3, 4}, [&](auto& f, auto& p) { return f.index(p[0], {negative(r)}); }));
  };
  EXPECT_EQ(slice(range(-3, -1)), (Numbers{2, 3}));
  EXPECT_EQ(slice(range(-10, 10)), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(slice(range(3, -1, -4)), (Numbers{4, 3, 2}));
  EXPECT_EQ(slice(range(3, 1)), (Numbers{}));
}

TEST(Indexing, MissingSubscriptsAreFullRangesInNumPy) {
  auto row = of_grid([](auto&, auto& p) { return p[0](2); });
  EXPECT_EQ(numbers(row), (Numbers{20, 21, 22, 23}));
}

TEST(Indexing, TheLastSubscriptIsLinearInMatlab) {
  EXPECT_EQ(of_matrix([](auto&, auto& p) { return p[0](4); }).as_double(), 12);  // column by column
  auto cube = evaluate(matlab(), {array_of(f64(), 3, Layout::ColMajor)},
                       {array({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}, f64(), Layout::ColMajor)},
                       [](auto&, auto& p) { return p[0](2, 3); });
  EXPECT_EQ(cube.as_double(), 6);  // (2, 1, 2)
  // Flattening a row-major array uses its own order.
  EXPECT_EQ(of_grid([](auto& f, auto& p) { return f.index(p[0], {sub(E(5))}, {}, true); }).as_double(), 11);
}

TEST(Indexing, MatlabKeepsTwoDimensions) {
  EXPECT_EQ(shape(of_matrix([](auto&, auto& p) { return p[0](2, all()); })), (Shape{1, 4}));
  EXPECT_EQ(shape(of_matrix([](auto&, auto& p) { return p[0](all(), 2); })), (Shape{3, 1}));
  auto column = of_matrix([](auto&, auto& p) { return p[0](all()); });
  EXPECT_EQ(shape(column), (Shape{12, 1}));
  EXPECT_EQ(numbers(column)[3], 12);
  auto slice = evaluate(matlab(), {array_of(f64(), 3, Layout::ColMajor)},
                        {array({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}, f64(), Layout::ColMajor)},
                        [](auto&, auto& p) { return p[0](1, all(), 2); });
  EXPECT_EQ(shape(slice), (Shape{1, 2}));
  EXPECT_EQ(numbers(slice), (Numbers{2, 4}));
}

TEST(Indexing, LinearSlicesKeepAVectorsDirection) {
  EXPECT_EQ(shape(of_row({1, 2, 3, 4}, [](auto&, auto& p) { return p[0](range_to(2, 3)); })), (Shape{1, 2}));
  auto column =
      evaluate(matlab(), {matrix()}, {mat({1, 2, 3}, {3, 1})}, [](auto&, auto& p) { return p[0](range_to(1, 2)); });
  EXPECT_EQ(shape(column), (Shape{2, 1}));
  EXPECT_EQ(shape(of_matrix([](auto&, auto& p) { return p[0](range_to(2, 4)); })), (Shape{1, 3}));
}

TEST(Indexing, ArraySubscriptsGather) {
  auto gather = [](const Conventions& c, const std::vector<Type>& t, const std::vector<Value>& v) {
    return evaluate(c, t, v, [](auto&, auto& p) { return p[0](p[1]); });
  };
  auto r = gather(numpy(), {vector(), vector(i64())}, {vec({5, 6, 7}), vec({2, 0, 2, 1}, i64())});
  EXPECT_EQ(numbers(r), (Numbers{7, 5, 7, 6}));
  auto two = gather(numpy(), {vector(), array_of(i32(), 2)}, {vec({5, 6, 7}), array({2, 0, 1, 1}, {2, 2}, i32())});
  EXPECT_EQ(shape(two), (Shape{2, 2}));
  EXPECT_EQ(numbers(two), (Numbers{7, 5, 6, 6}));
  auto m = gather(matlab(), {matrix(), matrix()}, {matlab_grid(), mat({1, 4, 12, 2}, {2, 2})});
  EXPECT_EQ(shape(m), (Shape{2, 2}));
  EXPECT_EQ(numbers(m), (Numbers{11, 12, 34, 21}));
  // A vector indexed by a vector keeps its orientation; a number gets the index's.
  EXPECT_EQ(shape(gather(matlab(), {matrix(), matrix()}, {mat({1, 2, 3}, {3, 1}), mat({3, 1}, {1, 2})})),
            (Shape{2, 1}));
  EXPECT_EQ(shape(gather(matlab(), {matrix(), matrix()}, {mat({9}, {1, 1}), mat({1, 1, 1}, {3, 1})})), (Shape{3, 1}));
  auto rows = evaluate(numpy(), {f64_array(2), vector(i64())}, {grid, vec({2, 0}, i64())},
                       [](auto&, auto& p) { return p[0](p[1], range(1, 3)); });
  EXPECT_EQ(numbers(rows), (Numbers{21, 22, 1, 2}));
  auto both =
      evaluate(matlab(), {matrix(), matrix(), matrix()}, {matlab_grid(), mat({3, 1}, {1, 2}), mat({4, 2}, {1, 2})},
               [](auto&, auto& p) { return p[0](p[1], p[2]); });
  EXPECT_EQ(numbers(both), (Numbers{34, 32, 14, 12}));
}

TEST(Indexing, BoolMasks) {
  auto pick = [](const Conventions& c, const std::vector<Type>& t, const std::vector<Value>& v) {
    return evaluate(c, t, v, [](auto&, auto& p) { return p[0](p[0] > E(20.0)); });
  };
  EXPECT_EQ(numbers(pick(numpy(), {f64_array(2)}, {grid})), (Numbers{21, 22, 23}));
  auto m = pick(matlab(), {matrix()}, {matlab_grid()});
  EXPECT_EQ(shape(m), (Shape{8, 1}));
  EXPECT_EQ(numbers(m)[0], 21);
  EXPECT_EQ(shape(pick(matlab(), {matrix()}, {mat({1, 30, 40}, {1, 3})})), (Shape{1, 2}));
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", vector()), b = p.f.arg("b", vector(boolean()));
  p.f.return_({a(b)});
  EXPECT_EQ(p.fault({vec({1, 2, 3}), vec({1, 0}, boolean())}).code, Code::ShapeMismatch);
}

TEST(Indexing, FloatSubscriptsMustBeIntegral) {
  Program p(matlab(), {f64()});
  E a = p.f.arg("a", matrix()), k = p.f.arg("k", f64());
  p.f.return_({a(1, k)});
  EXPECT_EQ(p.result({matlab_grid(), 3.0}).as_double(), 13);
  ErrorRecord r = p.fault({matlab_grid(), 1.5});
  EXPECT_EQ(r.code, Code::Type);
  EXPECT_EQ(r.axis, 1);
  EXPECT_EQ(p.fault({matlab_grid(), std::nan("")}).code, Code::Type);
}

TEST(Indexing, AStopWithAFractionEndsBeforeIt) {
  EXPECT_EQ(numbers(of_row({1, 2, 3, 4, 5}, [](auto&, auto& p) { return p[0](range_to(E(1.0), E(2.5))); })),
            (Numbers{1, 2}));
}

TEST(Indexing, OutOfBoundsTellsArrayAxisIndexExtent) {
  Program p(numpy(), {f64()});
  E a = p.f.arg("table", f64_array(2)), k = p.f.arg("k", i64());
  p.f.return_({a(1, k)});
  for (int64_t k : {4, -1}) {
    ErrorRecord r = p.fault({grid, k});
    EXPECT_EQ(r.code, Code::OutOfBounds);
    EXPECT_EQ(r.array, "table");
    EXPECT_EQ(r.axis, 1);
    EXPECT_EQ(r.index, k);
    EXPECT_EQ(r.extent, 4);
    EXPECT_EQ(r.function, "f");
  }
  Program q(matlab(), {matrix()});
  E m = q.f.arg("m", matrix()), n = q.f.arg("n", i64());
  q.f.return_({m(range_to(1, n), 1)});
  EXPECT_EQ(q.fault({matlab_grid(), int64_t{4}}).index, 4);
  EXPECT_EQ(q.fault({matlab_grid(), int64_t{4}}).axis, 0);
  EXPECT_EQ(shape(q.result({matlab_grid(), int64_t{0}})), (Shape{0, 1}));
}

TEST(Indexing, SubscriptsAtTheEndsOfInt64) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();
  Program p(matlab(), {matrix()});
  E m = p.f.arg("m", matrix()), k = p.f.arg("k", i64());
  p.f.assign(m(k), 1.0);
  p.f.return_({m(range_to(k, 2, highest))});
  EXPECT_EQ(p.fault({mat({1}, {1, 1}), lowest}).index, lowest);
  EXPECT_EQ(p.fault({mat({1}, {1, 1}), highest}).code, Code::Size);
  Program q(numpy(), {vector()});
  E a = q.f.arg("a", vector()), i = q.f.arg("i", i64());
  q.f.return_({q.f.index(a, {negative(range(i, 2, highest))})});
  EXPECT_EQ(numbers(q.result({vec({1, 2, 3}), lowest})), (Numbers{1, 3}));
  EXPECT_EQ(numbers(q.result({vec({1, 2, 3}), highest})), (Numbers{}));
}

TEST(Indexing, SlicesAreViewsOrCopies) {
  auto program = [](std::optional<bool> copy) {
    Program p(numpy(), {f64()});
    E a = p.f.arg("a", vector()), v = p.f.local("v", strided(f64(), 1));
    p.f.assign(v, p.f.index(a, {sub(range(1, 3))}, copy));
    p.f.assign(a(1), 99.0);
    p.f.return_({v(0)});
    return p.result({vec({1, 2, 3})}).as_double();
  };
  EXPECT_EQ(program({}), 99);
  EXPECT_EQ(program(true), 2);
}

TEST(Indexing, ViewsOfViewsAndNegativeStrides) {
  Program p(numpy(), {f64_array(2)});
  E a = p.f.arg("a", f64_array(2)), v = p.f.local("v", strided(f64(), 2)), w = p.f.local("w", strided(f64(), 2));
  p.f.assign(v, a(range(0, 3), range_to(3, -1, 0)));
  p.f.assign(w, v(range(0, 2, 3), range(0, 3, 4)));
  p.f.assign(w(1, 1), -5.0);
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({array({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, {3, 4})})),
            (Numbers{0, 1, 2, 3, 10, 11, 12, 13, -5, 21, 22, 23}));
}

TEST(Indexing, DimensionsAndSizes) {
  EXPECT_EQ(of_grid([](auto& f, auto& p) { return f.dim(p[0], 1); }).raw().i64, 4);
  EXPECT_EQ(of_matrix([](auto& f, auto& p) { return f.dim(p[0], 1); }).raw().i64, 3);
  EXPECT_EQ(numbers(of_grid([](auto& f, auto& p) { return f.dimvec(p[0]); })), (Numbers{3, 4}));
  EXPECT_EQ(shape(of_matrix([](auto& f, auto& p) { return f.dimvec(p[0]); })), (Shape{1, 2}));
}

}  // namespace
}  // namespace vr::interp::test
