// Faults of running programs, and their records.
#include "helpers.hpp"

#include <velociraptor/ir/text.hpp>

#include <thread>

namespace vr::interp::test {
namespace {

TEST(Faults, StepLimitInterrupts) {
  Program p(numpy());
  p.f.while_(E(true), [] {});
  p.f.return_();
  InterpOptions o;
  o.step_limit = 1000;
  EXPECT_EQ(p.fault({}, o).code, Code::Interrupted);
}

TEST(Faults, StepLimitIsNotReachedByAShorterProgram) {
  Program p(numpy(), {i64()});
  E i = p.f.local("i", i64()), n = p.f.local("n", i64());
  p.f.for_(i, E(0), E(10), [&] { p.f.assign(n, n + i); });
  p.f.return_({n});
  InterpOptions o;
  o.step_limit = 40;
  auto r = p.run({}, o);
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].raw().i64, 45);
}

TEST(Faults, MemoryLimitCountsArraysThatAreAlive) {
  Program p(numpy(), {i64()});
  E i = p.f.local("i", i64()), n = p.f.arg("n", i64()), a = p.f.local("a", vector()),
    keep = p.f.local("keep", vector());
  p.f.for_(i, E(0), E(50), [&] { p.f.assign(a, p.f.zeros(f64(), {n})); });
  p.f.return_({p.f.dim(a, 0)});
  InterpOptions o;
  o.memory_limit = 10000;
  EXPECT_TRUE(p.run({int64_t{500}}, o).ok());  // each object is freed when the one after the next is made
  EXPECT_EQ(p.fault({int64_t{2000}}, o).code, Code::OutOfMemory);
}

TEST(Faults, Sizes) {
  Program p(numpy(), {i64()});
  E n = p.f.arg("n", i64()), a = p.f.local("a", f64_array(2));
  p.f.assign(a, p.f.zeros(f64(), {n, n}));
  p.f.return_({p.f.dim(a, 0)});
  EXPECT_EQ(p.fault({int64_t{-1}}).code, Code::Size);
  EXPECT_EQ(p.fault({int64_t{1} << 40}).code, Code::Size);
  EXPECT_EQ(p.result({int64_t{0}}).raw().i64, 0);
}

/// f(n) calls itself n times.
struct Deep {
  Program p{numpy(), {i64()}};
  Deep() {
    E n = p.f.arg("n", i64());
    p.f.if_(n == E(0), [&] { p.f.return_({n}); });
    p.f.return_({p.f.call("f", {n - 1}) + 1});
  }
};

TEST(Faults, DepthLimit) {
  Deep d;
  EXPECT_EQ(d.p.result({int64_t{900}}).raw().i64, 900);
  EXPECT_EQ(d.p.fault({int64_t{1000000}}).code, Code::Stack);
}

TEST(Faults, DeepCallsDoNotUseUpTheNativeStack) {
  Deep d;
  InterpOptions o;
  o.depth_limit = 50000;
#ifdef __SANITIZE_THREAD__
  const int64_t depth = 5000;  // ThreadSanitizer itself gives up on stacks of 65,536 frames
#else
  const int64_t depth = 40000;
#endif
  auto r = d.p.run({depth}, o);
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].raw().i64, depth);
}

TEST(Faults, DeepExpressions) {
  // Deeper than the verifier allows.
  ir::Function f;
  f.name = "f";
  f.type = Type::function({f64()}, {f64()});
  f.args = {0};
  f.symbols.add({0, "x", f64()});
  ExprPtr e = std::make_shared<Name>(f64(), 0);
  for (int k = 0; k < 2000; ++k) e = std::make_shared<Plus>(f64(), e, std::make_shared<FloatConst>(f64(), 1.0));
  f.body = {std::make_shared<Return>(std::vector<ExprPtr>{e})};
  ir::Module m;
  m.functions = {std::make_shared<ir::Function>(f)};
  const Value args[] = {Value(0.5)};
  auto r = run(m, numpy(), "f", args);
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_EQ((*r)[0].as_double(), 2000.5);
}

TEST(Faults, RecordHasFunctionAndSourceLocation) {
  const std::string i64 = "(int64 :ctype 0)";
  const std::string text = "(module :name m (fns\n(function inner (functype (intypes " + i64 + ") (outtypes " + i64 +
                           ")) (arglist (arg :id 0)) (body\n  (returnstmt (exprs (div " + i64 +
                           " (lhs (realconst :ival 1 " + i64 + ")) (rhs (name :id 0 " + i64 +
                           ")))))) (symtable (sym :id 0 :name x " + i64 + ")))\n(function f (functype (intypes " + i64 +
                           ") (outtypes " + i64 +
                           ")) (arglist (arg :id 0)) (body (returnstmt (exprs (fncall :fnname inner " + i64 +
                           " (args (name :id 0 " + i64 + ")))))) (symtable (sym :id 0 :name x " + i64 + ")))))";
  ir::ParseOptions o;
  o.file = "t.vrir";
  auto m = ir::parse(text, o);
  ASSERT_TRUE(m.ok()) << m.error().text();
  const Value args[] = {Value(int64_t{0})};
  auto r = run(**m, numpy(), "f", args);
  ASSERT_FALSE(r.ok());
  ASSERT_TRUE(r.error().record);
  EXPECT_EQ(r.error().record->code, Code::DivByZero);
  EXPECT_EQ(r.error().record->function, "inner");
  EXPECT_EQ(r.error().record->loc, "t.vrir:3:3");
}

TEST(Faults, LocOfTheStatementOverridesTheTextLocation) {
  const std::string i64 = "(int64 :ctype 0)";
  auto m = ir::parse("(module :name m (fns (function f (functype (intypes) (outtypes " + i64 +
                     ")) (arglist) (body (returnstmt :loc \"a.py:7:1\" (exprs (div " + i64 +
                     " (lhs (realconst :ival 1 " + i64 + ")) (rhs (realconst :ival 0 " + i64 + ")))))) (symtable))))");
  ASSERT_TRUE(m.ok()) << m.error().text();
  auto r = run(**m, numpy(), "f", {});
  ASSERT_TRUE(!r.ok() && r.error().record);
  EXPECT_EQ(r.error().record->loc, "a.py:7:1");
}

TEST(Faults, WrongArgumentsAndNames) {
  Program p(numpy(), {f64()});
  E a = p.f.arg("a", vector());
  p.f.return_({a(0)});
  EXPECT_EQ(p.fault({}).code, Code::Type);
  EXPECT_EQ(p.fault({array({1, 2}, {1, 2})}).code, Code::Type);
  EXPECT_EQ(p.fault({Value::object(nullptr)}).code, Code::Type);
  auto m = ModuleBuilder("m").finish();
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(run(**m, numpy(), "g", {}).error().code, Code::NotFound);
}

TEST(Faults, RunsOnSeveralThreadsAtOnce) {
  Deep d;
  ASSERT_TRUE(d.p.run({int64_t{1}}).ok());
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      auto r = d.p.run({int64_t{100 + k}});
      if (r.ok() && (*r)[0].raw().i64 == 100 + k) ++right;
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace vr::interp::test
