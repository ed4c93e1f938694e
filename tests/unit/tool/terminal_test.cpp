// Colours and the progress line, on a stream that represents a terminal.
#include "tool/terminal.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace vr::tool {
namespace {

TEST(Colour, MarksOfMessages) {
  EXPECT_EQ(coloured("error: no"), "\033[1;31merror:\033[0m no");
  EXPECT_EQ(coloured("a.vrir:1:2: error: no"), "\033[1ma.vrir:1:2: \033[0m\033[1;31merror:\033[0m no");
  EXPECT_EQ(coloured("a.vrir:1: remark: yes"), "\033[1ma.vrir:1: \033[0m\033[36mremark:\033[0m yes");
  EXPECT_EQ(coloured("FAILED a.vrir"), "\033[1;31mFAILED\033[0m a.vrir");
  EXPECT_EQ(coloured("  + vectors"), "\033[32m  + vectors\033[0m");
  EXPECT_EQ(coloured("    - one"), "\033[33m    - one\033[0m");
}

TEST(Colour, NotOtherText) {
  for (const char* line :
       {"", "result 1: int64 3", "an error: in a sentence", "-2 - 1", " - x", "[ 1 -2]", "   -3. 4."})
    EXPECT_EQ(coloured(line), line);
}

TEST(Colour, LineByLine) {
  std::ostringstream to;
  {
    ColourBuffer buffer(to.rdbuf());
    std::ostream out(&buffer);
    out << "error: a\nplain\nthe " << std::flush << "rest";
    EXPECT_EQ(to.str(), "\033[1;31merror:\033[0m a\nplain\nthe ");
  }
  EXPECT_EQ(to.str(), "\033[1;31merror:\033[0m a\nplain\nthe rest");
}

TEST(Progress, IsRemovedAtTheEnd) {
  std::ostringstream out, err, terminal;
  Io io{out, err, {}};
  io.progress = &terminal;
  {
    Progress rare(io, 2, std::chrono::hours(1));
    rare.step("first");
    EXPECT_EQ(terminal.str(), "");
    Progress progress(io, 2, {});
    progress.step("first");
    progress.step("second");
    EXPECT_EQ(terminal.str(), "\r\033[K[1/2] first\r\033[K[2/2] second");
  }
  EXPECT_EQ(terminal.str(), "\r\033[K[1/2] first\r\033[K[2/2] second\r\033[K");
  EXPECT_EQ(out.str() + err.str(), "");
}

TEST(Progress, NothingWithoutATerminal) {
  std::ostringstream out, err;
  Io io{out, err, {}};
  Progress progress(io, 1, {});
  progress.step("first");
  EXPECT_EQ(out.str() + err.str(), "");
}

}  // namespace
}  // namespace vr::tool
