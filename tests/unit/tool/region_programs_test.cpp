// The fourteen programs of the thesis (10.6): which of them have a region, and on what it is specialised.
#include "tool/tool.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>

namespace vr::tool {
namespace {

struct Program {
  const char *file, *dialect, *function;
  const char* region;  ///< the printed description of the function's one region; "": it has none
};
std::ostream& operator<<(std::ostream& out, const Program& p) { return out << p.function; }

class ThesisProgram : public testing::TestWithParam<Program> {};

TEST_P(ThesisProgram, HasItsRegion) {
  const Program& p = GetParam();
  std::ostringstream out, err;
  Io io{out, err, VR_SOURCE_DIR};
  ASSERT_EQ(run_tool({"opt", p.file, "--dialect", p.dialect, "--regions"}, io), exit_ok) << err.str();
  const std::string text = out.str(), function = std::string("(function ") + p.function + "_pir";
  const std::string title = "; region, specialised on: ";
  const size_t at = text.find(function);
  if (!*p.region) {
    EXPECT_EQ(at, std::string::npos);
    return;
  }
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find(function, at + 1), std::string::npos) << "one region, not several";
  const size_t line = text.rfind(title, at) + title.size();
  EXPECT_EQ(text.substr(line, text.find('\n', line) - line), p.region);
}

#define VR_BENCH(name) "bench/programs/" name ".vrir", "vrir", name
#define VR_CLIENT(name) "tests/corpus/client/" name ".vrir", "mclab", name
INSTANTIATE_TEST_SUITE_P(
    All, ThesisProgram,
    testing::Values(Program{VR_BENCH("lud"), "shapes of a#0; values of nothing"},
                    Program{
                        VR_BENCH("srad"),
                        "shapes of img#0 c#1 dn#2 ds#3 dw#4 de#5 north#6 south#7 west#8 east#9; values of sweeps#11"},
                    Program{VR_BENCH("pagerank"), "shapes of links#0 rank#1 out_links#2 maps#3; values of nothing"},
                    Program{VR_BENCH("spmv"), "shapes of ptr#0 y#4; values of nothing"},
                    Program{VR_BENCH("growcut"), "shapes of image#0 state#1 next_state#2; values of radius#3"},
                    Program{VR_BENCH("julia"), "shapes of nothing; values of n#2"},
                    Program{VR_BENCH("pairwise"), "shapes of x#0 d#1; values of nothing"},
                    Program{VR_BENCH("nb1d"), "shapes of rx#0 ry#1 rz#2 vx#3 vy#4 vz#5 m#6; values of steps#8"},
                    Program{VR_BENCH("clos"), "shapes of a#0; values of nothing"}, Program{VR_BENCH("fft"), ""},
                    Program{VR_BENCH("fftm"), "shapes of x#0; values of nothing"},
                    Program{VR_BENCH("fdtd"), "shapes of ex#0 ey#1 ez#2 hx#3 hy#4 hz#5; values of steps#8"},
                    Program{VR_CLIENT("capr"), "shapes of nothing; values of n#4 maxiter#7 na#11 m#12 mb#13"},
                    Program{VR_CLIENT("fiff"), "shapes of nothing; values of n#3 m#4"}),
    [](const auto& info) { return std::string(info.param.function); });

}  // namespace
}  // namespace vr::tool
