// Lowering as a whole: refused programs, reports, and properties that every program must have.
#include "codegen/opencl/emit.hpp"
#include "loop/verify/check.hpp"
#include "lower/lower.hpp"
#include "pipeline/loops.hpp"

#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::lower {
namespace {

namespace fs = std::filesystem;
using namespace vr::ir;

std::string read(const fs::path& p) {
  std::ifstream in(p);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

// Every corpus program, for every way to run pfor loops, gives a lowered form that the verifier accepts.
TEST(Lower, CorpusIsWellFormed) {
  int programs = 0;
  for (const auto& entry : fs::directory_iterator(VR_SOURCE_DIR "/tests/corpus/client")) {
    if (entry.path().extension() != ".vrir") continue;
    ParseOptions o;
    o.dialect = Dialect::Mclab;
    auto parsed = parse(read(entry.path()), o);
    ASSERT_TRUE(parsed) << entry.path();
    auto strict = from_mclab(**parsed, nullptr);
    ASSERT_TRUE(strict) << entry.path();
    const Conventions c = (*strict)->attrs.resolve(Conventions::numpy());
    for (bool parallel : {false, true})
      for (bool version : {false, true}) {
        LowerOptions options;
        options.parallel = parallel;
        options.kernels = parallel;
        options.version_loops = version;
        auto lowered = pipeline::lower_and_run(**strict, c, options);
        ASSERT_TRUE(lowered) << entry.path() << ": " << lowered.error().text();
        EXPECT_EQ(check(**lowered), "") << entry.path();
      }
    ++programs;
  }
  EXPECT_GE(programs, 30);
}

TEST(Lower, RefusalsHaveSourceLocations) {
  auto parsed = parse(R"((module :name m :indexing 0 (fns
 (function :name f (functype (intypes (int64)) (outtypes (int64))) (arglist (arg :id 0))
  (body (returnstmt (exprs (fncall :fnname g (int64) (args (name :id 0 (int64)))))))
  (symtable (sym :id 0 :name a (int64)))))))");
  ASSERT_TRUE(parsed) << parsed.error().text();
  auto lowered = pipeline::lower_and_run(**parsed, Conventions::numpy(), {});
  ASSERT_FALSE(lowered);
  EXPECT_EQ(lowered.error().code, Code::Unsupported);
  ASSERT_EQ(lowered.error().diagnostics.size(), 1u);
  EXPECT_EQ(lowered.error().diagnostics[0].place.line, 3);
  EXPECT_NE(lowered.error().text().find("a call of 'g'"), std::string::npos);
}

// A loop that cannot be a kernel runs on the CPU and is reported.
TEST(Lower, ReportsWhatStaysOnTheCpu) {
  ModuleBuilder m("m");
  FunctionBuilder& g = m.function("g", {f64()});
  E p = g.arg("p", f64());
  g.return_({p + 1.0});
  FunctionBuilder& f = m.function("f", {f64_array(1)});
  E x = f.arg("x", f64_array(1)), i = f.local("i", i64());
  f.gpu([&] { f.pfor({i}, {range(0, f.dim(x, 0))}, [&] { f.assign(x(i), f.call("g", {x(i)})); }); });
  f.return_({x});
  auto module = m.finish();
  ASSERT_TRUE(module) << module.error().text();
  LowerOptions options;
  options.kernels = true;
  auto lowered = pipeline::lower_and_run(**module, Conventions::numpy(), options);
  ASSERT_TRUE(lowered) << lowered.error().text();
  ASSERT_EQ((*lowered)->report.size(), 1u);
  EXPECT_NE((*lowered)->report[0].find("runs on the CPU"), std::string::npos);
  auto source = codegen::opencl::emit(**lowered);
  ASSERT_TRUE(source);
  EXPECT_EQ(*source, "");
}

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// C = 2*(A+B) - sqrt(A): one allocation, and A and B read in the same loop.
TEST(Lower, ElementwiseTreeNeedsNoTemporaries) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64_array(1)});
  E a = f.arg("a", f64_array(1)), b = f.arg("b", f64_array(1)), c = f.local("c", f64_array(1));
  f.assign(c, 2.0 * (a + b) - f.lib("sqrt", {a}));
  f.return_({c});
  auto module = m.finish();
  ASSERT_TRUE(module) << module.error().text();
  auto lowered = pipeline::lower_and_run(**module, Conventions::numpy(), {});
  ASSERT_TRUE(lowered) << lowered.error().text();
  const std::string text = print(**lowered);
  EXPECT_EQ(count(text, "vr_rt_alloc"), 1) << text;
}

// The innermost loop has a version without checks after a guard, in chunks and whole (transform/poll.cpp), and a
// version with checks in chunks.
TEST(Lower, InnermostLoopHasAnUncheckedVersion) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64_array(1)});
  E a = f.arg("a", f64_array(1)), n = f.arg("n", i64()), i = f.local("i", i64());
  f.for_(i, range(1, n), [&] { f.assign(a(i), a(i - 1) + 1.0); });
  f.return_({a});
  auto module = m.finish();
  ASSERT_TRUE(module) << module.error().text();
  LowerOptions options;
  options.version_loops = false;
  auto plain = pipeline::lower_and_run(**module, Conventions::numpy(), options);
  auto versioned = pipeline::lower_and_run(**module, Conventions::numpy(), {});
  ASSERT_TRUE(plain && versioned);
  EXPECT_EQ(count(print(**plain), "for i.k"), 1);
  EXPECT_EQ(count(print(**versioned), "for i.k"), 3);
  EXPECT_EQ(count(print(**plain), "fail OUT_OF_BOUNDS"), count(print(**versioned), "fail OUT_OF_BOUNDS"));
}

}  // namespace
}  // namespace vr::lower
