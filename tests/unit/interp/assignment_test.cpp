// Stores, growth, sharing and copying.
#include "helpers.hpp"

namespace vr::interp::test {
namespace {

Conventions sharing_matlab() {
  Conventions c = matlab();
  c.assign = AssignMode::Share;
  return c;
}
Conventions copying_numpy() {
  Conventions c = numpy();
  c.assign = AssignMode::Copy;
  return c;
}

/// The matrix after `store`, which may use p[0] (the matrix) and p[1] (what is stored).
Value after(const Conventions& c, const Value& a, const Value& v, const Type& value_type,
            const std::function<void(FunctionBuilder&, E, E)>& store) {
  const Type t = c.mindims == 2 ? array_of(f64(), a.array().rank(), Layout::ColMajor) : f64_array(a.array().rank());
  Program p(c, {t});
  E x = p.f.arg("a", t), y = p.f.arg("v", value_type);
  store(p.f, x, y);
  p.f.return_({x});
  return p.result({a, v});
}

TEST(Store, ScalarFillsASlice) {
  auto r = after(numpy(), array({1, 2, 3, 4, 5, 6}, {2, 3}), 9.0, f64(),
                 [](auto& f, E a, E v) { f.assign(a(all(), range(1, 3)), v); });
  EXPECT_EQ(numbers(r), (Numbers{1, 9, 9, 4, 9, 9}));
}

TEST(Store, NumPyBroadcastsTheValue) {
  auto r = after(numpy(), array({0, 0, 0, 0, 0, 0}, {2, 3}), vec({1, 2, 3}), vector(),
                 [](auto& f, E a, E v) { f.assign(a(all(), all()), v); });
  EXPECT_EQ(numbers(r), (Numbers{1, 2, 3, 1, 2, 3}));
}

TEST(Store, MatlabMatchesExtentsThatAreNotOne) {
  auto r = after(matlab(), mat({0, 0, 0, 0, 0, 0}, {2, 3}), mat({1, 2, 3}, {3, 1}), matrix(),
                 [](auto& f, E a, E v) { f.assign(a(2, all()), v); });
  EXPECT_EQ(numbers(r), (Numbers{0, 0, 0, 1, 2, 3}));
  auto linear = after(matlab(), mat({0, 0, 0, 0}, {2, 2}), mat({1, 2, 3, 4}, {2, 2}), matrix(),
                      [](auto& f, E a, E v) { f.assign(a(all()), v); });
  EXPECT_EQ(numbers(linear), (Numbers{1, 2, 3, 4}));
}

TEST(Store, ShapesThatDoNotAgree) {
  auto fault = [](const Conventions& c, const Type& t, const Value& a, const Type& vt, const Value& v, const E& sub) {
    Program p(c, {t});
    E x = p.f.arg("a", t), y = p.f.arg("v", vt);
    p.f.assign(x(sub, all()), y);
    p.f.return_({x});
    return p.fault({a, v}).code;
  };
  EXPECT_EQ(fault(numpy(), f64_array(2), array({0, 0, 0, 0}, {2, 2}), vector(), vec({1, 2, 3}), range(0, 2)),
            Code::ShapeMismatch);
  EXPECT_EQ(fault(matlab(), matrix(), mat({0, 0, 0, 0}, {2, 2}), matrix(), mat({1, 2, 3}, {1, 3}), E(1)),
            Code::ShapeMismatch);
}

TEST(Store, OverlappingSourceIsReadFirst) {
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", vector());
  p.f.assign(a(range(1, 4)), a(range(0, 3)));
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({vec({1, 2, 3, 4})})), (Numbers{1, 1, 2, 3}));
}

TEST(Store, GatherTargetsAndMasks) {
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", vector()), k = p.f.arg("k", vector(i64()));
  p.f.assign(a(k), -1.0);
  p.f.assign(a(a > E(2.5)), 0.0);
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({vec({1, 2, 3, 4}), vec({3, 0}, i64())})), (Numbers{-1, 2, 0, -1}));
}

TEST(Store, ConvertsToTheElementType) {
  Program p(numpy(), {vector(i32())});
  E a = p.f.arg("a", vector(i32()));
  p.f.assign(a(0), 2.75);
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({vec({1, 2}, i32())})), (Numbers{2, 2}));
}

TEST(Growth, VectorsGrowAlongTheirLongAxis) {
  auto grow = [](const Value& a, int64_t at) {
    return after(matlab(), a, 7.0, f64(), [at](auto& f, E x, E v) { f.assign(x(E(static_cast<long>(at))), v); });
  };
  EXPECT_EQ(shape(grow(mat({}, {0, 0}), 3)), (Shape{1, 3}));
  EXPECT_EQ(numbers(grow(mat({1, 2}, {1, 2}), 4)), (Numbers{1, 2, 0, 7}));
  EXPECT_EQ(shape(grow(mat({1, 2}, {2, 1}), 4)), (Shape{4, 1}));
  EXPECT_EQ(shape(grow(mat({1}, {1, 1}), 2)), (Shape{1, 2}));
  Program p(matlab(), {matrix()});
  E a = p.f.arg("a", matrix());
  p.f.assign(a(5), 1.0);
  p.f.return_({a});
  EXPECT_EQ(p.fault({mat({1, 2, 3, 4}, {2, 2})}).code, Code::OutOfBounds);
}

TEST(Growth, ElementsStayAtTheirSubscripts) {
  auto r = after(matlab(), mat({1, 2, 3, 4}, {2, 2}), 9.0, f64(), [](auto& f, E a, E v) { f.assign(a(3, 3), v); });
  EXPECT_EQ(shape(r), (Shape{3, 3}));
  EXPECT_EQ(numbers(r), (Numbers{1, 2, 0, 3, 4, 0, 0, 0, 9}));
}

TEST(Growth, SlicesGrowAndEmptyArraysTakeTheValuesShape) {
  auto appended = after(matlab(), mat({1, 2, 3, 4}, {2, 2}), mat({5, 6}, {2, 1}), matrix(),
                        [](auto& f, E a, E v) { f.assign(a(all(), 3), v); });
  EXPECT_EQ(numbers(appended), (Numbers{1, 2, 5, 3, 4, 6}));
  auto first = after(matlab(), mat({}, {0, 0}), mat({5, 6}, {2, 1}), matrix(),
                     [](auto& f, E a, E v) { f.assign(a(all(), 1), v); });
  EXPECT_EQ(shape(first), (Shape{2, 1}));
  auto range_growth = after(matlab(), mat({1}, {1, 1}), mat({5, 6}, {1, 2}), matrix(),
                            [](auto& f, E a, E v) { f.assign(a(range_to(3, 4)), v); });
  EXPECT_EQ(numbers(range_growth), (Numbers{1, 0, 5, 6}));
}

TEST(Growth, OnlyWhereTheSubscriptAllowsIt) {
  Program p(numpy(), {vector()});
  E a = p.f.arg("a", vector()), k = p.f.arg("k", i64());
  Subscript s = sub(k);
  s.grow = true;
  p.f.assign(p.f.index(a, {s}), 5.0);
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({vec({1}), int64_t{2}})), (Numbers{1, 0, 5}));
  EXPECT_EQ(p.fault({vec({1}), int64_t{-1}}).code, Code::OutOfBounds);
  Program q(numpy(), {vector()});
  E b = q.f.arg("b", vector());
  q.f.assign(b(3), 1.0);
  q.f.return_({b});
  EXPECT_EQ(q.fault({vec({1, 2})}).extent, 2);
}

TEST(Semantics, ShareMeansOneArrayCopyMeansTwo) {
  auto program = [](const Conventions& c) {
    Program p(c, {f64(), f64()});
    E a = p.f.arg("a", vector()), b = p.f.local("b", vector());
    p.f.assign(b, a);
    p.f.assign(b(0), 5.0);
    p.f.return_({a(0), b(0)});
    const Value host = vec({1, 2});
    auto r = p.results({host});
    return Numbers{r[0].as_double(), r[1].as_double(), numbers(host)[0]};
  };
  EXPECT_EQ(program(numpy()), (Numbers{5, 5, 5}));
  EXPECT_EQ(program(copying_numpy()), (Numbers{1, 5, 1}));
}

TEST(Semantics, ArgumentsOfCalls) {
  auto program = [](const Conventions& c) {
    Program p(c, {f64()});
    FunctionBuilder& g = p.builder().function("g", {});
    E x = g.arg("x", vector());
    g.assign(x(0), 9.0);
    g.return_();
    E a = p.f.local("a", vector());
    p.f.assign(a, p.f.zeros(f64(), {E(2)}));
    p.f.expr(p.f.call("g", {a}));
    p.f.return_({a(0)});
    return p.result({}).as_double();
  };
  EXPECT_EQ(program(numpy()), 9);
  EXPECT_EQ(program(copying_numpy()), 0);
}

TEST(Semantics, HostArraysAreNeverModifiedUnderCopy) {
  Program p(matlab(), {matrix(), matrix()});
  E a = p.f.arg("a", matrix());
  p.f.assign(a(1, 1), 9.0);
  p.f.return_({a, a});
  const Value host = mat({1, 2}, {1, 2});
  auto r = p.results({host});
  EXPECT_EQ(numbers(host), (Numbers{1, 2}));
  EXPECT_EQ(numbers(r[0]), (Numbers{9, 2}));
  EXPECT_NE(r[0].array().data(), r[1].array().data());
}

TEST(Semantics, UnmodifiedArgumentComesBackAsTheSameArrayOnlyUnderShare) {
  auto program = [](const Conventions& c) {
    Program p(c, {matrix()});
    E a = p.f.arg("a", matrix());
    p.f.return_({a});
    const Value host = mat({1, 2}, {1, 2});
    return p.result({host}).array().data() == host.array().data();
  };
  EXPECT_TRUE(program(sharing_matlab()));
  EXPECT_FALSE(program(matlab()));
}

TEST(Semantics, ContiguousVariablesCopySlices) {
  Program p(numpy(), {f64(), f64()});
  E a = p.f.arg("a", vector()), even = p.f.local("even", vector()), head = p.f.local("head", vector());
  p.f.assign(even, a(range(0, 2, 4)));
  p.f.assign(head, a(range(0, 2)));  // would fit as it is, but the types decide
  p.f.assign(a(0), 9.0);
  p.f.return_({even(0), head(0)});
  auto r = p.results({vec({1, 2, 3, 4})});
  EXPECT_EQ(r[0].as_double(), 1);
  EXPECT_EQ(r[1].as_double(), 1);
}

TEST(Semantics, LayoutsOfVariables) {
  Program p(numpy(), {f64_array(2, Layout::ColMajor)});
  E a = p.f.arg("a", f64_array(2)), b = p.f.local("b", f64_array(2, Layout::ColMajor));
  p.f.assign(b, a);
  p.f.return_({b});
  Value r = p.result({array({1, 2, 3, 4, 5, 6}, {2, 3})});
  EXPECT_TRUE(r.array().contiguous(Layout::ColMajor));
  EXPECT_EQ(numbers(r), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(r.array().data_as<double>()[1], 4);
}

TEST(Semantics, LibraryCopyUnderShare) {
  Program p(numpy(), {f64()});
  E a = p.f.arg("a", vector()), b = p.f.local("b", vector());
  p.f.assign(b, p.f.lib("copy", {a}));
  p.f.assign(b(0), 5.0);
  p.f.return_({a(0)});
  EXPECT_EQ(p.result({vec({1})}).as_double(), 1);
}

}  // namespace
}  // namespace vr::interp::test
