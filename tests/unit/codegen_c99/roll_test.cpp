// Copies of an iteration in the body of a loop become a loop over arrays of that many elements.
#include "codegen/c99/roll.hpp"
#include "loop/text/parse.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace vr::codegen::c99 {
namespace {

using testing::HasSubstr;

/// The function with these statements in its loop over k.
std::string rolled(const std::string& body, const std::set<lower::VarId>& not_these = {}) {
  std::string vars;
  for (const char* name : {"s", "t", "p"})
    for (int k = 0; k < 4; ++k) vars += fmt::format("  var {}{}: f64\n", name, k);
  const std::string text = fmt::format(
      "module \"m\"\n\nentry f(x) -> (result) source \"f\" {{\n  var x.data: ptr\n  var x.extent0: i64\n"
      "  var x.stride0: i64\n  var k: i64\n  var j: i64\n  var result: f64\n{}"
      "  array x: f64 x.data - - [x.extent0] [x.stride0]\n"
      "  s0 = 0.0\n  s1 = 0.0\n  s2 = 0.0\n  s3 = 0.0\n  for k in [0, x.extent0) {{\n{}  }}\n"
      "  result = s0 + s1 + (s2 + s3)\n}}\n",
      vars, body);
  auto m = lower::parse_loops(text);
  if (!m.ok()) return m.error().message;
  lower::Module& module = *m.value();
  lower::Exprs x(module);
  roll_copies(x, *module.functions[0], not_these);
  return lower::print_loops(module);
}
/// The statement for each of four copies, with {0} for the copy's number and {1} for eight times that.
std::string copies(const std::string& statement) {
  std::string all;
  for (int k = 0; k < 4; ++k) all += "    " + fmt::format(fmt::runtime(statement), k, 8 * k) + "\n";
  return all;
}

TEST(Roll, CopiesLoadNeighbours) {
  const std::string text = rolled(copies("s{0} = s{0} + f64[x.data + (k * 32 + {1})]"));
  EXPECT_THAT(text, HasSubstr("for lane in [0, 4) independent"));
  EXPECT_THAT(text, HasSubstr("f64[x.data + k * 32 + lane * 8]"));
  EXPECT_THAT(text, HasSubstr("scratch"));
}

TEST(Roll, CopiesLoadTheSame) {
  const std::string text =
      rolled("    j = k * 8\n" + copies("t{0} = f64[x.data + j] - p{0}\n    s{0} = s{0} + t{0} * t{0}"));
  EXPECT_THAT(text, HasSubstr("for lane in [0, 4) independent"));
  EXPECT_THAT(text, HasSubstr("f64[x.data + j] - "));
}

TEST(Roll, NotRowsOfDistantElements) {
  EXPECT_THAT(rolled(copies("s{0} = s{0} + f64[x.data + (k * 8 + {1} * 100)]")), Not(HasSubstr("lane")));
}

TEST(Roll, NotOtherOperations) {
  const std::string three = "    s0 = s0 + p0\n    s1 = s1 + p1\n    s2 = s2 + p2\n";
  EXPECT_THAT(rolled(three + "    s3 = s3 + p3\n"), HasSubstr("lane"));
  EXPECT_THAT(rolled(three + "    s3 = s3 * p3\n"), Not(HasSubstr("lane")));
  EXPECT_THAT(rolled(three + "    s3 = s3 + 2.0\n"), Not(HasSubstr("lane")));
}

TEST(Roll, NotOtherConstants) { EXPECT_THAT(rolled(copies("s{0} = s{0} + {0}.0")), Not(HasSubstr("lane"))); }

TEST(Roll, NotCopiesThatUseEachOther) {
  EXPECT_THAT(rolled("    s0 = s0 + p0\n    s1 = s0 + p1\n    s2 = s1 + p2\n    s3 = s2 + p3\n"),
              Not(HasSubstr("lane")));
}

TEST(Roll, NotAVariableOfAllThatACopyAssigns) {
  EXPECT_THAT(rolled(copies("t{0} = p{0} + s1\n    s{0} = s{0} + t{0}")), Not(HasSubstr("lane")));
}

TEST(Roll, NotVariablesThatAreAssignedInFront) {
  EXPECT_THAT(rolled("    p1 = p1 + 1.0\n" + copies("s{0} = s{0} + p{0}")), Not(HasSubstr("lane")));
}

TEST(Roll, NotTheseLoops) { EXPECT_THAT(rolled(copies("s{0} = s{0} + p{0}"), {3}), Not(HasSubstr("lane"))); }

}  // namespace
}  // namespace vr::codegen::c99
