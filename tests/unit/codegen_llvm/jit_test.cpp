// The module as a whole: names, dumps, vector maths, threads, unloading, and invalid modules.
#include "build.hpp"

#include <velociraptor/ir/nodes.hpp>

#include "codegen/llvm/fatal.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

// LLVM's report of a fatal error. Declared here because only codegen/llvm includes LLVM's headers.
namespace llvm {
[[noreturn]] void report_fatal_error(const char* reason, bool gen_crash_diag);
}

namespace vr::test {
namespace {

// y[i] = fn(x[i])
void add_map(Builder& b, MathFn fn, ir::Elem elem, uint8_t fast_math, const std::string& name = "f") {
  Fn f(b, name);
  f.f.fast_math = fast_math;
  const Scalar t = scalar_of(elem);
  const int bytes = scalar_bytes(t);
  ArrayId x = f.array_param("x", elem, 1), y = f.array_param("y", elem, 1);
  VarId i = f.var("i", Scalar::Int64);
  ExprP at = b.mul(f.get(i), b.i64(bytes));
  f << CountedLoop{i, b.i64(0), f.extent(x), block(Store{f.data(y), at, b.math(fn, b.load(t, f.data(x), at, 0)), 1}),
                   true};
}

void add_addition(Builder& b, const std::string& name, int64_t k) {
  Fn f(b, name);
  VarId x = f.param("x", Scalar::Int64), r = f.result("r", Scalar::Int64);
  f << SetVar{r, b.add(f.get(x), b.i64(k))};
}

TEST(Jit, EntriesByName) {
  Builder b;
  add_addition(b, "one", 1);
  add_addition(b, "two", 2);
  auto m = compile(b);
  ASSERT_TRUE(m);
  EXPECT_EQ(call(m->entry("one"), {value(int64_t{5})}).results[0].i64, 6);
  EXPECT_EQ(call(m->entry("two"), {value(int64_t{5})}).results[0].i64, 7);
  EXPECT_EQ(m->entry("three"), nullptr);
  EXPECT_EQ(m->llvm_ir(), "") << "texts are kept on request only";
}

TEST(Jit, AnObjectThatCannotBeLinkedIsAnError) {
  Builder b;
  add_addition(b, "one", 1);
  auto m = compile(b);
  ASSERT_TRUE(m);
  namespace backend = codegen::llvm_backend;
  for (std::string_view object : {std::string_view("no object file"), std::string_view()})
    EXPECT_FALSE(backend::load(object, "broken", m->exports(), false));
  backend::JitOptions keep;
  keep.keep_object = true;
  auto kept = backend::compile(b.m, {}, keep);
  ASSERT_TRUE(kept);
  backend::Exports more = (*kept)->exports();
  more.entries.push_back("missing");
  auto without = backend::load((*kept)->object(), "without", more, false);
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().text().find("missing"), std::string::npos) << without.error().text();
  // Code loaded before remains usable, and more can be linked.
  EXPECT_EQ(call(m->entry("one"), {value(int64_t{5})}).results[0].i64, 6);
  auto again = backend::load((*kept)->object(), "again", (*kept)->exports(), false);
  ASSERT_TRUE(again);
  EXPECT_EQ(call((*again)->entry("one"), {value(int64_t{5})}).results[0].i64, 6);
}

TEST(Jit, ModulesWithEqualNamesCoexist) {
  Builder b, c;
  add_addition(b, "f", 1);
  add_addition(c, "f", 100);
  auto m = compile(b), n = compile(c);
  ASSERT_TRUE(m && n);
  EXPECT_EQ(call(m->entry("f"), {value(int64_t{1})}).results[0].i64, 2);
  EXPECT_EQ(call(n->entry("f"), {value(int64_t{1})}).results[0].i64, 101);
}

TEST(Jit, EmptyModule) {
  Builder b;
  EXPECT_TRUE(compile(b));
}

TEST(Jit, KeepsTexts) {
  Builder b;
  add_addition(b, "f", 12345);
  auto m = compile(b, 2, true);
  ASSERT_TRUE(m);
  EXPECT_NE(m->llvm_ir().find("add i64"), std::string::npos) << m->llvm_ir();
  EXPECT_NE(m->llvm_ir().find("@vr.f("), std::string::npos) << m->llvm_ir();
  EXPECT_EQ(m->llvm_ir().find("alloca"), std::string::npos) << "variables live in registers\n" << m->llvm_ir();
  EXPECT_NE(m->assembly().find("vr.f:"), std::string::npos) << m->assembly();
  EXPECT_NE(m->assembly().find("12345"), std::string::npos) << m->assembly();
}

// ---------------------------------------------------------------- vector maths and aliasing
// Vector functions are close to, but not the same as the C library's: only functions that allow it may use them, also
// when both kinds are in one module.
TEST(Jit, VectorMathsNeedsAfn) {
  Builder b;
  add_map(b, MathFn::Exp, ir::Elem::Float64, ir::fastmath::None, "strict");
  add_map(b, MathFn::Exp, ir::Elem::Float64, ir::fastmath::Afn, "fast");
  add_map(b, MathFn::Tanh, ir::Elem::Float32, ir::fastmath::Afn, "fast_tanh");
  auto m = compile(b, 2, true);
  ASSERT_TRUE(m);
  const std::string ir = m->llvm_ir();
  auto body = [&](const std::string& name) {
    size_t from = ir.find("define"), at = ir.find("@vr." + name + "(");
    for (size_t next; (next = ir.find("\ndefine", from + 1)) != std::string::npos && next < at;) from = next;
    return ir.substr(from, ir.find("\n}", from) - from);
  };
  EXPECT_EQ(body("strict").find("_ZGV"), std::string::npos) << body("strict");
#if defined(__x86_64__) && defined(__GLIBC__)
  EXPECT_NE(body("fast").find("x double> @_ZGV"), std::string::npos) << body("fast");
  EXPECT_NE(body("fast_tanh").find("x float> @_ZGV"), std::string::npos) << body("fast_tanh");
#endif
  std::vector<double> x(101), y(101);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) / 7 - 5;
  vr_array dx = descriptor(x, VR_FLOAT64), dy = descriptor(y, VR_FLOAT64);
  ASSERT_EQ(call(m->entry("strict"), {value(&dx), value(&dy)}).status, VR_OK);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], std::exp(x[i]));
  ASSERT_EQ(call(m->entry("fast"), {value(&dx), value(&dy)}).status, VR_OK);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i] / std::exp(x[i]), 1, 1e-15);
}

// y[i] = x[i] + 1 vectorises without run-time overlap checks only if x and y are declared disjoint.
TEST(Jit, AliasSetsAndIndependentLoopsReachTheVectoriser) {
  auto vector_blocks = [](bool sets, bool independent) {
    Builder b;
    Fn f(b);
    ArrayId x = f.array_param("x", ir::Elem::Float64, 1), y = f.array_param("y", ir::Elem::Float64, 1);
    VarId i = f.var("i", Scalar::Int64);
    ExprP at = b.mul(f.get(i), b.i64(8));
    ExprP v = b.add(b.load(Scalar::Float64, f.data(x), at, sets ? 0 : none), b.f64(1));
    f << CountedLoop{i, b.i64(0), f.extent(x), block(Store{f.data(y), at, v, sets ? 1 : none}), independent};
    auto m = compile(b, 2, true);
    const std::string ir = m ? m->llvm_ir() : "";
    return std::pair(ir.find("vector.body") != std::string::npos, ir.find("diff.check") != std::string::npos);
  };
  EXPECT_EQ(vector_blocks(false, false), std::pair(true, true));
  EXPECT_EQ(vector_blocks(true, false), std::pair(true, false));
  EXPECT_EQ(vector_blocks(false, true), std::pair(true, false));
}

// Alias scopes of arrays are valid from the group's declaration until it runs again: with scopes per iteration, a store
// and a load of two iterations would be declared disjoint, too.
TEST(Jit, AliasScopesAreNewInEachExecutionOfAGroup) {
  Builder b;
  Fn f(b);
  ArrayId x = f.array_param("x", ir::Elem::Float64, 1), y = f.array_param("y", ir::Elem::Float64, 1);
  VarId i = f.var("i", Scalar::Int64);
  ExprP at = b.mul(f.get(i), b.i64(8));
  f << CountedLoop{i, b.i64(0), f.extent(x),
                   block(AliasGroup{0}, Store{f.data(y), at, b.load(Scalar::Float64, f.data(x), at, 0), 1})};
  auto text = jit::emit_text(b.m, {});
  ASSERT_TRUE(text) << text.error().text();
  // One declaration for each array, between the loop's head and the accesses.
  size_t declared = 0, last = 0;
  for (size_t p = 0; (p = text->find("call void @llvm.experimental.noalias.scope.decl(", p)) != std::string::npos; ++p)
    ++declared, last = p;
  EXPECT_EQ(declared, 2u) << *text;
  const size_t head = text->find("phi i64"), load = text->find("load double");
  EXPECT_LT(last, load) << *text;
  EXPECT_TRUE(head == std::string::npos || head < last) << *text;
}

// ---------------------------------------------------------------- threads and unloading
TEST(Jit, FourThreadsCompileAtOnce) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int k = 0; k < 12; ++k) {
        Builder b;
        add_addition(b, "f", 1000 * t + k);
        add_map(b, MathFn::Sin, ir::Elem::Float64, ir::fastmath::Afn, "g");
        auto r = jit::compile(b.m, {}, {k % 4, false});
        EXPECT_TRUE(r) << r.error().text();
        if (!r || call((*r)->entry("f"), {value(int64_t{7})}).results[0].i64 != 1000 * t + k + 7) ++wrong;
        std::vector<double> x(9, 0.5), y(9);
        vr_array dx = descriptor(x, VR_FLOAT64), dy = descriptor(y, VR_FLOAT64);
        if (r) call((*r)->entry("g"), {value(&dx), value(&dy)});
        if (std::abs(y[8] - std::sin(0.5)) > 1e-15) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

int64_t resident_bytes() {
  long pages = 0, resident = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return static_cast<int64_t>(resident) * sysconf(_SC_PAGESIZE);
}

TEST(Jit, UnloadingFreesMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  auto cycles = [](int n) {
    for (int k = 0; k < n; ++k) {
      Builder b;
      b.m.name = "m" + std::to_string(k);
      add_addition(b, "f", k);
      auto m = compile(b, 0);
      ASSERT_TRUE(m);
      ASSERT_EQ(call(m->entry("f"), {value(int64_t{1})}).results[0].i64, k + 1);
    }
  };
  cycles(100);
  const int64_t before = resident_bytes();
  cycles(300);
  // A module that is not freed costs at least 3 pages of code and data and 42 KB of bookkeeping: 300 would be 16 MB.
  EXPECT_LT(resident_bytes() - before, int64_t{2} << 20);
}

// ---------------------------------------------------------------- wrong modules
std::string message_of(const Builder& b) {
  auto r = jit::compile(b.m, {}, {});
  if (r) return "compiled";
  EXPECT_EQ(r.error().code, Code::Internal);
  auto text = jit::emit_text(b.m, {});
  EXPECT_FALSE(text.ok());
  return r.error().message;
}

TEST(Jit, MalformedModulesAreInternalErrors) {
  {
    Builder b;
    Fn f(b, "bad_sum");
    VarId r = f.result("r", Scalar::Int64);
    f << SetVar{r, b.add(b.i64(1), b.f64(2))};
    EXPECT_THAT(message_of(b), testing::HasSubstr("function 'bad_sum': operator '+' on int64 and float64"));
  }
  {
    Builder b;
    Fn f(b);
    f << SetVar{17, b.i64(1)};
    EXPECT_THAT(message_of(b), testing::HasSubstr("variable 17 does not exist"));
  }
  {
    Builder b;
    Fn f(b);
    f << Break{};
    EXPECT_THAT(message_of(b), testing::HasSubstr("break outside of a loop"));
  }
  {
    Builder b;
    Fn f(b);
    f << Fail{3, VR_TYPE};
    EXPECT_THAT(message_of(b), testing::HasSubstr("site 3 does not exist"));
  }
  {
    Builder b;
    Fn f(b);
    ExprP e = b.i64(1);
    for (int i = 0; i < 100000; ++i) e = b.add(e, b.i64(1));
    f << SetVar{f.var("r", Scalar::Int64), e};
    EXPECT_THAT(message_of(b), testing::HasSubstr("nested too deeply"));
  }
  {
    Builder b;
    Fn f(b);
    f.f.cleanup = block(Exit{});
    EXPECT_THAT(message_of(b), testing::HasSubstr("exit in a cleanup"));
  }
}

TEST(Jit, FatalLlvmErrorsAreReturnedAsText) {
#ifdef __SANITIZE_ADDRESS__
  // The exit from LLVM's fatal errors skips its destructors; the memory that it held is leaked, which is known
  // (fatal.hpp).
  __lsan::ScopedDisabler known_leak;
#endif
  const jit::Ending ending = jit::catch_fatal_errors([] { llvm::report_fatal_error("no registers left", false); });
  EXPECT_EQ(ending.kind, jit::Ending::Kind::Fatal);
  EXPECT_EQ(ending.text, "no registers left");
  EXPECT_TRUE(jit::catch_fatal_errors([] {}).done());
  // The compiler still works afterwards.
  Builder b;
  add_addition(b, "f", 1);
  EXPECT_TRUE(compile(b));
}

}  // namespace
}  // namespace vr::test
