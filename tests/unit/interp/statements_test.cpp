// Loops, calls, tuples, handles, parallel loops and atomics.
#include "helpers.hpp"

#include <velociraptor/ir/text.hpp>

#include <cmath>

namespace vr::interp::test {
namespace {

/// The values that a loop variable of type `t` has over the range, as a list.
Numbers visited(const Conventions& c, const Type& t, const E& range) {
  Program p(c, {vector(), i64()});
  E n = p.f.local("n", i64()), out = p.f.local("out", vector()), i = p.f.local("i", t);
  p.f.assign(n, 0);
  p.f.assign(out, p.f.zeros(f64(), {E(32)}));
  p.f.for_(i, range, [&] {
    p.f.assign(out(n), i);
    p.f.assign(n, n + 1);
  });
  p.f.return_({out, n});
  auto r = p.results({});
  Numbers v = numbers(r[0]);
  v.resize(static_cast<size_t>(r[1].raw().i64));
  return v;
}

TEST(For, RangesOfIntegers) {
  EXPECT_EQ(visited(numpy(), i64(), range(0, 3)), (Numbers{0, 1, 2}));
  EXPECT_EQ(visited(numpy(), i64(), range_to(0, 3)), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(visited(numpy(), i64(), range(5, -2, 0)), (Numbers{5, 3, 1}));
  EXPECT_EQ(visited(numpy(), i64(), range(3, 3)), (Numbers{}));
  EXPECT_EQ(visited(numpy(), i64(), range(0, 0, 3)), (Numbers{}));
  EXPECT_EQ(visited(numpy(), i64(), range_to(9223372036854775806L, 9223372036854775807L)).size(), 2u);
}

TEST(For, FloatRangesHaveMatlabsTripCount) {
  auto v = visited(numpy(), f64(), range_to(E(0.0), E(0.1), E(0.3)));
  ASSERT_EQ(v.size(), 4u);  // although 3 * 0.1 > 0.3
  EXPECT_DOUBLE_EQ(v[3], 0.3);
  EXPECT_EQ(visited(numpy(), f64(), range(E(0.0), E(0.1), E(0.3))).size(), 3u);
  EXPECT_EQ(visited(numpy(), f64(), range_to(E(1.0), E(-0.5), E(0.2))), (Numbers{1, 0.5}));
  EXPECT_EQ(visited(numpy(), f64(), range_to(E(0.0), E(0.5), E(std::nan("")))).size(), 0u);
}

TEST(For, SeveralDimensionsLastFastest) {
  Program p(numpy(), {vector(), i64(), i64()});
  E out = p.f.local("out", vector()), i = p.f.local("i", i64()), j = p.f.local("j", i64()), n = p.f.local("n", i64());
  p.f.assign(out, p.f.zeros(f64(), {E(6)}));
  p.f.assign(n, 0);
  p.f.for_({i, j}, {range(0, 2), range(0, 3)}, [&] {
    p.f.assign(out(n), i * 10 + j);
    p.f.assign(n, n + 1);
  });
  p.f.return_({out, i, j});
  auto r = p.results({});
  EXPECT_EQ(numbers(r[0]), (Numbers{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(r[1].raw().i64, 1);  // loop variables keep their last values
  EXPECT_EQ(r[2].raw().i64, 2);
}

TEST(For, TheDomainIsEvaluatedOnceAndTheVariableSetAnew) {
  Program p(numpy(), {i64(), i64()});
  E n = p.f.arg("n", i64()), i = p.f.local("i", i64()), count = p.f.local("count", i64());
  p.f.assign(count, 0);
  p.f.for_(i, E(0), n, [&] {
    p.f.assign(n, n + 1);
    p.f.assign(i, i + 100);
    p.f.assign(count, count + 1);
  });
  p.f.return_({count, i});
  auto r = p.results({int64_t{3}});
  EXPECT_EQ(r[0].raw().i64, 3);
  EXPECT_EQ(r[1].raw().i64, 102);
}

TEST(Loops, BreakContinueAndReturn) {
  Program p(numpy(), {i64()});
  E n = p.f.arg("n", i64()), i = p.f.local("i", i64()), s = p.f.local("s", i64());
  p.f.assign(s, 0);
  p.f.for_(i, E(0), E(100), [&] {
    p.f.if_(i == E(2), [&] { p.f.continue_(); });
    p.f.if_(i == E(5), [&] { p.f.break_(); });
    p.f.if_(i == n, [&] { p.f.return_({E(-1)}); });
    p.f.assign(s, s + i);
  });
  p.f.while_(s < E(100), [&] { p.f.assign(s, s * 2); });
  p.f.return_({s});
  EXPECT_EQ(p.result({int64_t{50}}).raw().i64, 128);  // 0 + 1 + 3 + 4 doubled until 100
  EXPECT_EQ(p.result({int64_t{3}}).raw().i64, -1);
}

TEST(If, ConditionsMayBeNumbers) {
  Program p(numpy(), {i64()});
  E x = p.f.arg("x", f64());
  p.f.if_(x, [&] { p.f.return_({E(1)}); }, [&] { p.f.return_({E(0)}); });
  p.f.return_({E(2)});
  EXPECT_EQ(p.result({0.25}).raw().i64, 1);
  EXPECT_EQ(p.result({0.0}).raw().i64, 0);
}

TEST(PFor, PrivateVariablesAreFreshInEachIterationAndUnchangedAfterwards) {
  Program p(numpy(), {vector(), f64()});
  E out = p.f.local("out", vector()), t = p.f.local("t", f64()), i = p.f.local("i", i64());
  p.f.assign(out, p.f.zeros(f64(), {E(3)}));
  p.f.assign(t, 100.0);
  p.f.pfor(i, E(0), E(3), [&] {
    p.f.assign(t, t + i);
    p.f.assign(out(i), t);
  });
  p.f.return_({out, t});
  auto r = p.results({});
  EXPECT_EQ(numbers(r[0]), (Numbers{100, 101, 102}));
  EXPECT_EQ(r[1].as_double(), 100);
}

TEST(PFor, SharedArraysAreWrittenUnderCopyToo) {
  Program p(matlab(), {matrix()});
  E a = p.f.arg("a", matrix()), i = p.f.local("i", i64());
  p.f.pfor(std::vector<E>{i}, std::vector<E>{range_to(1, 3)}, std::vector<E>{a},
           [&] { p.f.assign(a(1, i), a(1, i) * 2.0); });
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({mat({1, 2, 3}, {1, 3})})), (Numbers{2, 4, 6}));
}

TEST(PFor, InterpreterRunsAcceleratedSections) {
  Program p(numpy(), {f64_array(2)});
  E a = p.f.arg("a", f64_array(2)), i = p.f.local("i", i64()), j = p.f.local("j", i64());
  p.f.gpu([&] { p.f.pfor({i, j}, {range(0, 2), range(0, 2)}, [&] { p.f.assign(a(i, j), a(i, j) + i * 10 + j); }); });
  p.f.return_({a});
  EXPECT_EQ(numbers(p.result({array({0, 0, 0, 0}, {2, 2})})), (Numbers{0, 1, 10, 11}));
}

TEST(Xchange, EveryOperation) {
  auto change = [](AtomicOp op, const Type& t, double old, std::vector<E> args) {
    Program p(numpy(), {t, vector(t)});
    E a = p.f.arg("a", vector(t)), r = p.f.local("r", t);
    for (E& e : args) e = p.f.cast(e, t);
    p.f.assign(r, p.f.xchange(op, a, {E(1)}, args));
    p.f.return_({r, a});
    auto v = p.results({vec({0, old}, t)});
    EXPECT_EQ(v[0].as_double(), old);
    return numbers(v[1])[1];
  };
  EXPECT_EQ(change(AtomicOp::Cas, i64(), 3, {E(3), E(7)}), 7);
  EXPECT_EQ(change(AtomicOp::Cas, i64(), 3, {E(4), E(7)}), 3);
  EXPECT_EQ(change(AtomicOp::Add, f32(), 1.5, {E(2.0)}), 3.5);
  EXPECT_EQ(change(AtomicOp::Sub, i32(), 3, {E(5)}), -2);
  EXPECT_EQ(change(AtomicOp::Min, f64(), 3, {E(2.5)}), 2.5);
  EXPECT_EQ(change(AtomicOp::Max, f64(), 3, {E(2.5)}), 3);
  EXPECT_EQ(change(AtomicOp::And, i32(), 6, {E(3)}), 2);
  EXPECT_EQ(change(AtomicOp::Or, i64(), 6, {E(3)}), 7);
  EXPECT_EQ(change(AtomicOp::Swap, f64(), 6, {E(3.0)}), 3);
}

TEST(Calls, SeveralResultsAndTuples) {
  Program p(numpy(), {f64(), f64()});
  FunctionBuilder& g = p.builder().function("both", {f64(), f64()});
  E a = g.arg("a", f64()), b = g.arg("b", f64());
  g.return_({a + b, a - b});
  E x = p.f.arg("x", f64()), y = p.f.arg("y", f64());
  E pair = p.f.local("pair", Type::tuple({f64(), f64()}));
  p.f.assign({x, y}, p.f.call("both", {x, y}));
  p.f.assign(p.f.tuple({x, y}), p.f.tuple({y, x}));  // exchanges them
  p.f.assign(pair, p.f.tuple({x, y}));
  p.f.assign(p.f.tuple_index(pair, 1), p.f.tuple_index(pair, 1) * 10.0);
  p.f.return_({p.f.tuple_index(pair, 0), p.f.tuple_index(pair, 1)});
  auto r = p.results({5.0, 3.0});
  EXPECT_EQ(r[0].as_double(), 2);
  EXPECT_EQ(r[1].as_double(), 80);
}

TEST(Calls, Recursion) {
  Program p(numpy(), {i64()});
  FunctionBuilder& g = p.builder().function("fib", {i64()});
  E n = g.arg("n", i64());
  g.if_(n < E(2), [&] { g.return_({n}); });
  g.return_({g.call("fib", {n - 1}) + g.call("fib", {n - 2})});
  E k = p.f.arg("k", i64());
  p.f.return_({p.f.call("fib", {k})});
  EXPECT_EQ(p.result({int64_t{15}}).raw().i64, 610);
}

TEST(Calls, HandlesOfModuleAndLibraryFunctions) {
  const Type unary = Type::function({f64()}, {f64()});
  Program p(numpy(), {f64()});
  FunctionBuilder& g = p.builder().function("twice", {f64()});
  E h = g.arg("h", unary), v = g.arg("v", f64());
  g.return_({g.call("h", {g.call("h", {v})})});
  FunctionBuilder& add = p.builder().function("inc", {f64()});
  E w = add.arg("w", f64());
  add.return_({w + 1.0});
  E x = p.f.arg("x", f64());
  p.f.return_({p.f.call("twice", {p.f.handle("inc"), x})});
  EXPECT_EQ(p.result({1.0}).as_double(), 3);
}

TEST(Calls, LibraryHandleThroughText) {
  const std::string f64 = "(float64 :ctype 0)";
  const std::string fn = "(functype (intypes " + f64 + ") (outtypes " + f64 + "))";
  auto m =
      ir::parse("(module :name m (fns (function f " + fn +
                " (arglist (arg :id 0)) (body (assignstmt (lhs (name :id 1 " + fn + ")) (rhs (fnhandle :fnname sqrt " +
                fn + "))) (returnstmt (exprs (fncall :fnname g " + f64 + " (args (name :id 0 " + f64 +
                ")))))) (symtable (sym :id 0 :name x " + f64 + ") (sym :id 1 :name g " + fn + ")))))");
  ASSERT_TRUE(m.ok()) << m.error().text();
  const Value args[] = {Value(9.0)};
  auto r = run(**m, Conventions::numpy(), "f", args);
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].as_double(), 3);
}

TEST(Variables, StartAsZeroAndWithoutElements) {
  Program p(matlab(), {f64(), matrix()});
  E s = p.f.local("s", f64()), a = p.f.local("a", matrix());
  p.f.assign(a(2), 5.0);
  p.f.return_({s, a});
  auto r = p.results({});
  EXPECT_EQ(r[0].as_double(), 0);
  EXPECT_EQ(numbers(r[1]), (Numbers{0, 5}));
}

}  // namespace
}  // namespace vr::interp::test
