// The loop form as text: parse_loops() reads what print_loops() writes, and reports where it cannot.
#include "loop/text/parse.hpp"
#include "loop/verify/check.hpp"
#include "loop/transform/linearise.hpp"
#include "lower/lower.hpp"
#include "pipeline/loops.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::lower {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& p) {
  std::ifstream in(p);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

/// Lowered for a device, so that it has entries, tasks and kernels; null if it cannot be lowered.
std::unique_ptr<Module> lowered(const std::string& text, bool linear) {
  auto tree = ir::parse(text);
  if (!tree || !ir::verify(**tree, (*tree)->attrs.resolve(ir::Conventions::numpy())).empty()) return nullptr;
  LowerOptions o;
  pipeline::LoopRun run;
  run.linear = linear;
  o.parallel = o.kernels = o.device = o.lanes = true;
  o.tiles = 1;
  auto m = pipeline::lower_and_run(**tree, (*tree)->attrs.resolve(ir::Conventions::numpy()), o, run);
  return m ? std::move(*m) : nullptr;
}

std::string error_of(const std::string& text) {
  auto m = parse_loops(text, "t.loops");
  return m ? "" : m.error().diagnostics.at(0).text();
}

TEST(LoopForm, TextAndBackIsTheSame) {
  int programs = 0;
  for (const char* folder : {"/bench/programs", "/tests/filetests/gpu", "/tests/filetests/run"})
    for (const auto& entry : fs::directory_iterator(std::string(VR_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".vrir") continue;
      auto m = lowered(read(entry.path()), false);
      if (!m) continue;
      ++programs;
      EXPECT_EQ(check(*m, Level::Loops), "") << entry.path();
      const std::string text = print_loops(*m);
      auto again = parse_loops(text);
      ASSERT_TRUE(again) << entry.path() << ": " << again.error().text();
      EXPECT_EQ(check(**again, Level::Loops), "") << entry.path();
      EXPECT_EQ(print_loops(**again), text) << entry.path();
    }
  EXPECT_GT(programs, 200);
}

// After printing and parsing, linearise gives the same addresses.
TEST(LoopForm, ReadBackItLinearisesToTheLoweredForm) {
  for (const auto& entry : fs::directory_iterator(VR_SOURCE_DIR "/bench/programs")) {
    auto straight = lowered(read(entry.path()), true), loops = lowered(read(entry.path()), false);
    ASSERT_TRUE(straight && loops) << entry.path();
    EXPECT_EQ(check(*straight), "") << entry.path();
    EXPECT_NE(check(*loops), "") << entry.path() << ": subscripts are not of the lowered form";
    auto again = parse_loops(print_loops(*loops));
    ASSERT_TRUE(again) << entry.path();
    linearise(**again, {});
    EXPECT_EQ(check(**again), "") << entry.path();
    EXPECT_EQ(print_loops(**again), print_loops(*straight)) << entry.path();
  }
}

constexpr const char* head =
    "module \"m\"\nsite \"f\" \"\" \"\" -1 \"\"\n\nentry f(n, a) -> () source \"f\" {\n"
    "  var n: i64\n  var a.data: ptr\n  var a.extent0: i64\n  var a.stride0: i64\n"
    "  array a: f64 a.data - - [a.extent0] [a.stride0]\n";

TEST(LoopForm, SubscriptsUseTheArraysStrideUnlessStated) {
  const std::string text = std::string(head) + "  store f64 a[n] = f64 a[n + 1 by 8 part 8]\n}\n";
  auto m = parse_loops(text);
  ASSERT_TRUE(m) << m.error().text();
  EXPECT_EQ(print_loops(**m), text);
  EXPECT_EQ(check(**m, Level::Loops), "");
  linearise(**m, {});
  EXPECT_NE(print_loops(**m).find("store f64[a.data + n * a.stride0] = f64[a.data + (n + 1) * 8 + 8]"),
            std::string::npos)
      << print_loops(**m);
}

// Reports about kernels use the program's variable names.
TEST(LoopForm, ParametersKeepTheVariableThatTheyAre) {
  const std::string text =
      "module \"m\"\n\nkernel k(a written fresh of \"the \\\"a\\\"\", n) -> () source \"f\" {\n"
      "  var n: i64\n  var i: i64\n  var a.data: ptr\n  var a.extent0: i64\n  var a.stride0: i64\n"
      "  array a: f64 a.data - - [a.extent0] [a.stride0]\n  is grid [i] points 0\n  store f64 a[i] = 1.0\n}\n";
  auto m = parse_loops(text);
  ASSERT_TRUE(m) << m.error().text();
  EXPECT_EQ((*m)->functions.at(0)->params.at(0).variable, "the \"a\"");
  EXPECT_EQ((*m)->functions.at(0)->params.at(1).variable, "");
  EXPECT_EQ(print_loops(**m), text);
}

TEST(LoopForm, ErrorsHaveLineAndColumn) {
  EXPECT_EQ(error_of(""), "t.loops:1:1: error: 'module' is expected [loop-form]");
  EXPECT_EQ(error_of("module \"m"), "t.loops:1:8: error: a text without its closing quote [loop-form]");
  EXPECT_EQ(error_of("module \"m\"\nx"), "t.loops:2:1: error: a function is expected [loop-form]");
  const std::string h = head;
  EXPECT_EQ(error_of(h + "  n = m\n}\n"), "t.loops:10:7: error: 'm' is no variable [loop-form]");
  EXPECT_EQ(error_of(h + "  n = f64 a[]\n}\n"), "t.loops:10:13: error: a subscript is expected [loop-form]");
  EXPECT_EQ(error_of(h + "  store f64 a.data[n] = 1.0\n}\n"),
            "t.loops:10:21: error: a stride is expected: 'by BYTES' [loop-form]");
  EXPECT_EQ(error_of(h + "  n = 99999999999999999999\n}\n"),
            "t.loops:10:7: error: a number of more than 64 bits [loop-form]");
  EXPECT_EQ(error_of(h + "  fail NOSUCH site 0\n}\n"), "t.loops:10:8: error: 'NOSUCH' is no error code [loop-form]");
  EXPECT_EQ(error_of(h + "  nosuch(n)\n}\n"), "t.loops:10:3: error: no function of the runtime [loop-form]");
  EXPECT_EQ(error_of(h + "  if n {\n"), "t.loops:11:1: error: '}' is expected [loop-form]");
  EXPECT_EQ(error_of(h + "  var n: i64\n}\n"), "t.loops:10:7: error: variable 'n' is declared twice [loop-form]");
}

// A text with invalid contents is parsed, and check() reports what is wrong.
TEST(LoopForm, VerifierRejectsMeaninglessText) {
  auto m = parse_loops(std::string(head) + "  n = f64 a[1.0 by 8]\n}\n");
  ASSERT_TRUE(m) << m.error().text();
  EXPECT_NE(check(**m, Level::Loops).find("a subscript of float64 times int64"), std::string::npos)
      << check(**m, Level::Loops);
  auto jump = parse_loops(std::string(head) + "  break\n}\n");
  ASSERT_TRUE(jump);
  EXPECT_NE(check(**jump, Level::Loops), "");
}

}  // namespace
}  // namespace vr::lower
