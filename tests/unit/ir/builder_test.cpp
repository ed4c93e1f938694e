#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/visit.hpp>

#include "ir_text.hpp"

namespace vr::ir {
namespace {

using test::all_text;

std::string faults(Result<ModulePtr>& r) { return r.ok() ? "" : r.error().text(); }

TEST(Builder, StencilReadsLikeTheProgram) {
  ModuleBuilder m("heat");
  FunctionBuilder& f = m.function("step", {f64_array(2)});
  E in = f.arg("in", f64_array(2)), out = f.local("out", f64_array(2));
  E i = f.local("i", i64()), j = f.local("j", i64()), n = f.local("n", i64());
  f.assign(n, f.dim(in, 0));
  f.assign(out, f.lib("copy", {in}));
  f.gpu([&] {
    f.pfor({i, j}, {range(1, n - 1), range(1, n - 1)},
           [&] { f.assign(out(i, j), 0.25 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1))); });
  });
  f.return_({out});
  Result<ModulePtr> module = m.finish();
  ASSERT_TRUE(module.ok()) << faults(module);
  const Function& g = *(*module)->find("step");
  EXPECT_EQ(g.type, Type::function({f64_array(2)}, {f64_array(2)}));
  ASSERT_EQ(g.body.size(), 4u);
  const auto* section = as<StmtList>(g.body[2]);
  ASSERT_TRUE(section);
  EXPECT_TRUE(section->on_gpu);
  const auto* loop = as<PFor>(section->stmts[0]);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->itervars, (std::vector<SymbolId>{i.id(), j.id()}));
  EXPECT_FALSE(loop->shared.has_value());
  EXPECT_EQ(as<Assign>(loop->body[0])->value->type, f64());
}

TEST(Builder, BuiltTreeEqualsTheParsedText) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64()), y = f.local("y", f64());
  f.while_(x > 1.0, [&] { f.assign(x, x / 2.0); });
  f.if_(x == 1.0 || !(x < 0.5), [&] { f.assign(y, -x); }, [&] { f.assign(y, f.lib("sqrt", {x})); });
  f.return_({y});
  auto built = m.finish();
  ASSERT_TRUE(built.ok()) << faults(built);
  using test::bin, test::b1, test::flt, test::lib, test::nm, test::set;
  const std::string F = test::f64, X = nm(0, F), Y = nm(1, F);
  ModulePtr text = test::parsed(
      "(module :name m (fns (function f (functype (intypes (float64)) (outtypes (float64))) (arglist 0) (body "
      "(whilestmt (test " +
      bin("gt", b1, X, flt("1.0")) + ") (body " + set(X, bin("div", F, X, flt("2.0"))) + ")) (ifstmt (test " +
      bin("or", b1, bin("eq", b1, X, flt("1.0")), "(not " + b1 + " " + bin("lt", b1, X, flt("0.5")) + ")") + ") (if " +
      set(Y, "(negate " + F + " " + X + ")") + ") (else " + set(Y, lib("sqrt", F, X)) + ")) (returnstmt (exprs " + Y +
      "))) (symtable (sym :id 0 :name x (float64)) (sym :id 1 :name y (float64))))))");
  ASSERT_TRUE(text);
  EXPECT_TRUE(equal(**built, *text));
}

TEST(Builder, EveryKindOfExpression) {
  ModuleBuilder m("m");
  FunctionBuilder& one = m.function("one", {f64()});
  E p = one.arg("p", f64());
  one.return_({p * 2});
  FunctionBuilder& two = m.function("two", {f64(), i64()});
  two.return_({1.5, 7});
  FunctionBuilder& f = m.function("f");
  E a = f.arg("a", f64_array(2)), z = f.local("z", c64()), t = f.local("t", Type::tuple({f64(), i64()}));
  E h = f.local("h", Type::function({f64()}, {f64()})), s = f.local("s", f64()), k = f.local("k", i64());
  E b = f.local("b", f64_array(2)), d = f.local("d", Type::domain({i64(), i64()})), v = f.local("v", i64_array(1));
  f.assign(b, f.zeros(f64(), {3, 4}));
  f.assign(b, f.ones(f64(), {3, 4}));
  f.assign(b, f.empty(f64(), {3, 4}));
  f.assign(v, f.dimvec(a));
  f.assign({s, k}, f.call("two", {}));
  f.assign(t, f.call("two", {}));
  f.assign(s, f.tuple_index(t, 0));
  f.assign(t, f.tuple({s, k}));
  f.assign(h, f.handle("one"));
  f.assign(s, f.call("h", {s}));
  f.assign(z, f.complex(s, 1.0));
  f.assign(z, f.complex_const(1, 2));
  f.assign(s, f.real(z) + f.imag(z));
  f.assign(k, f.cast(s, i64()));
  f.assign(s, f.int_const(3, f64()) + f.float_const(0.5));
  f.assign(d, f.domain({range(0, 3), range_to(1, 2, 9)}));
  f.assign(b(all(), range(0, 2)), a(all(), range(2, 4)));
  f.assign(k, f.xchange(AtomicOp::Add, v, {0}, {k}));
  f.assign(s, (k / 2).as(f64()));
  f.for_(k, 0, 10, [&] { f.if_(k > 5, [&] { f.break_(); }, [&] { f.continue_(); }); });
  f.block([&] { f.expr(f.lib("sum", {a})); });
  f.return_();
  auto r = m.finish();
  ASSERT_TRUE(r.ok()) << faults(r);
}

TEST(Builder, FaultsAreCollected) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64()), a = f.arg("a", f64_array(2)), z = f.arg("z", c64());
  f.assign(x, z < x);                     // complex numbers have no order
  f.assign(x, f.lib("sqroot", {x}) + 1);  // no such function; the sum causes no second error
  f.assign(x, (a + x)(0, 0));             // not a variable
  f.assign(x, a(0, 0, 0));
  f.return_({x});
  auto r = m.finish();
  ASSERT_FALSE(r.ok());
  ASSERT_EQ(r.error().diagnostics.size(), 4u) << faults(r);
  EXPECT_EQ(r.error().diagnostics[0].rule, "type-mismatch");
  EXPECT_EQ(r.error().diagnostics[1].rule, "unknown-function");
  EXPECT_EQ(r.error().diagnostics[1].hint, "did you mean 'sqrt'?");
  EXPECT_EQ(r.error().diagnostics[2].rule, "not-a-variable");
  EXPECT_EQ(r.error().diagnostics[3].rule, "subscript-count");
  EXPECT_EQ(r.error().diagnostics[3].path, "function f/3");
}

TEST(Builder, StatementsAreVerifiedAtTheEnd) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64()), a = f.arg("a", f64_array(2));
  f.break_();
  f.assign(a, x);
  auto r = m.finish();
  ASSERT_FALSE(r.ok());
  ASSERT_EQ(r.error().diagnostics.size(), 3u) << faults(r);
  EXPECT_EQ(r.error().diagnostics[0].rule, "jump-outside-loop");
  EXPECT_EQ(r.error().diagnostics[1].rule, "assign-type");
  EXPECT_EQ(r.error().diagnostics[2].rule, "missing-return");
}

TEST(Builder, ConventionsDecideTypes) {
  ConventionAttrs matlab;
  matlab.mindims = 2;
  matlab.slices = SliceMode::Copy;
  ModuleBuilder m("m", matlab);
  FunctionBuilder& f = m.function("f");
  E a = f.arg("a", f64_array(2));
  EXPECT_EQ(a(0, all()).type(), f64_array(2));
  EXPECT_EQ(f.lib("sum", {a}).type(), f64_array(2));
  ModuleBuilder n("n");
  FunctionBuilder& g = n.function("g");
  E c = g.arg("c", f64_array(2));
  EXPECT_EQ(c(0, all()).type(), f64_array(1, Layout::Strided));
  EXPECT_EQ(g.lib("sum", {c}).type(), f64());
}

// A statement that contains others keeps the location where it began, whatever locations its body has.
TEST(Builder, StatementsHaveSourceLocations) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64());
  f.at("a.m:2:1");
  f.while_(x > 1.0, [&] {
    f.at("a.m:3:3");
    f.assign(x, x / 2.0);
  });
  f.at("");
  f.return_({x});
  auto r = m.finish();
  ASSERT_TRUE(r.ok()) << r.error().text();
  const Body& body = (*r)->functions[0]->body;
  EXPECT_EQ(body[0]->loc, "a.m:2:1");
  EXPECT_EQ(as<While>(body[0])->body[0]->loc, "a.m:3:3");
  EXPECT_EQ(body[1]->loc, "");
}

// Statements built separately appear exactly where they are appended, as often as they are appended.
TEST(Builder, ApartReturnsStatementsWithoutAppending) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64());
  const Body none = f.apart([] {});
  EXPECT_TRUE(none.empty());
  const Body twice = f.apart([&] { f.assign(x, x * 2.0); });
  f.if_(x > 0.0, [&] { f.append(twice); });
  f.append(twice);
  f.return_({x});
  auto r = m.finish();
  ASSERT_TRUE(r.ok()) << r.error().text();
  const Body& body = (*r)->functions[0]->body;
  ASSERT_EQ(body.size(), 3u);
  EXPECT_TRUE(equal(as<If>(body[0])->then_body, twice));
  EXPECT_EQ(body[1], twice[0]);
}

// A front end may leave a block by an exception of its own; the builder continues with the enclosing block.
TEST(Builder, BlocksAreLeftByExceptions) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64()});
  E x = f.arg("x", f64());
  try {
    f.if_(x > 0.0, [&] {
      f.assign(x, x * 2.0);
      throw 1;
    });
  } catch (int) {
  }
  f.return_({x});
  auto r = m.finish();
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)->functions[0]->body.size(), 1u);
}

}  // namespace
}  // namespace vr::ir
