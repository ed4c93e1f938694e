// Commands that inspect programs and the installation: explain, bench, doctor, completion; unknown commands.
#include "tool/tool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::tool {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string vector = "(arraytype :layout rowmajor :ndims 1 (float64))";

/// y[i] = x[i] + x[i], or with `back` y[i] = y[i - 1] + x[i], by a loop with this head word.
std::string program(const std::string& loop, bool back = false) {
  const std::string i = "(name :id 2 (int64))";
  auto element = [&](int array, const std::string& at) {
    return "(index :arrayid " + std::to_string(array) + " (float64) (indices (index " + at + ")))";
  };
  const std::string before = "(minus (int64) (lhs " + i + ") (rhs (realconst :ival 1 (int64))))";
  return "(module :name m :indexing 0 (fns (function :name f (functype (intypes " + vector + ") (outtypes " + vector +
         ")) (arglist (arg :id 0)) (body (assignstmt (lhs (name :id 1 " + vector + ")) (rhs (libcall :libfunc copy " +
         vector + " (args (name :id 0 " + vector + "))))) (" + loop +
         " (itervars 2) (loopdomain (domain (domaintype :ndims 1 (int64)) (range :exclude %1 (start (realconst :ival 1 "
         "(int64))) (stop (dim :arrayid 0 :dimid 0 (int64)))))) (body (assignstmt (lhs " +
         element(1, i) + ") (rhs (plus (float64) (lhs " + element(back ? 1 : 0, back ? before : i) + ") (rhs " +
         element(0, i) + "))))) )(returnstmt (exprs (name :id 1 " + vector + ")))) (symtable (sym :id 0 :name x " +
         vector + ") (sym :id 1 :name y " + vector + ") (sym :id 2 :name i (int64))))))";
}

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("vr_commands_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  int run(const std::vector<std::string>& args, const std::string& text = "") {
    if (!text.empty()) std::ofstream(folder_ / "m.vrir") << text;
    std::ostringstream out;
    Io io{out, out, folder_};
    const int status = run_tool(args, io);
    output_ = out.str();
    return status;
  }
  std::filesystem::path folder_;
  std::string output_;
};

TEST_F(Commands, ExplainNamesVectorsAndThreads) {
  ASSERT_EQ(run({"explain", "m.vrir"}, program("pforstmt")), exit_ok) << output_;
  EXPECT_THAT(output_, HasSubstr("pfor loop over i in 'f'"));
  EXPECT_THAT(output_, HasSubstr("+ parallel: threads share the iterations"));
  EXPECT_THAT(output_, HasSubstr("+ vectorised: "));
}
TEST_F(Commands, ExplainSaysWhyARecurrenceStaysScalar) {
  ASSERT_EQ(run({"explain", "m.vrir"}, program("forstmt", true)), exit_ok) << output_;
  EXPECT_THAT(output_, HasSubstr("- not vectorised"));
  EXPECT_THAT(output_, HasSubstr("one thread"));
  EXPECT_THAT(output_, Not(HasSubstr("+ parallel")));
}
TEST_F(Commands, ExplainDoesNotVectoriseUnoptimisedCode) {
  ASSERT_EQ(run({"explain", "m.vrir", "-O0", "--on", "cpu"}, program("pforstmt")), exit_ok) << output_;
  EXPECT_THAT(output_, Not(HasSubstr("vectorised: ")));
  EXPECT_THAT(output_, Not(HasSubstr("threads share")));
}
TEST_F(Commands, ExplainWritesAPageWithEscapedText) {
  ASSERT_EQ(run({"explain", "m.vrir", "--html", "m.html"}, "; a < b\n" + program("forstmt")), exit_ok) << output_;
  std::stringstream page;
  page << std::ifstream(folder_ / "m.html").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("; a &lt; b"));
  EXPECT_THAT(page.str(), HasSubstr("<b>for loop over i</b>"));
}
TEST_F(Commands, ExplainRefusesWhatItCannotExplain) {
  EXPECT_EQ(run({"explain", "m.vrir", "--on", "interp"}, program("forstmt")), exit_bad);
  EXPECT_EQ(run({"explain", "m.vrir", "--target", "no-such-processor"}, program("forstmt")), exit_bad);
  EXPECT_EQ(run({"explain", "m.vrir", "--fn", "g"}, program("forstmt")), exit_bad);
  EXPECT_THAT(output_, HasSubstr("no function 'g'"));
}

TEST_F(Commands, BenchComparesAndTimesEachTarget) {
  ASSERT_EQ(run({"bench", "m.vrir", "--on", "interp,cpu", "--size", "20", "--repeat", "2"}, program("forstmt")),
            exit_ok)
      << output_;
  EXPECT_THAT(output_, StartsWith("f rand:f64:20\n"));
  EXPECT_THAT(output_, HasSubstr("\ninterp "));
  EXPECT_THAT(output_, HasSubstr("\ncpu "));
}
TEST_F(Commands, BenchReportsAFaultInsteadOfTimes) {
  EXPECT_EQ(run({"bench", "m.vrir", "--args", "no-number"}, program("forstmt")), exit_bad);
  EXPECT_EQ(run({"bench", "m.vrir", "--args", "ones:f64:3", "--size", "3"}, program("forstmt")), exit_usage);
}

TEST_F(Commands, DoctorListsVersionsAndFindsWrongSettings) {
  EXPECT_EQ(run({"doctor"}), exit_ok) << output_;
  for (const char* what : {"vrir ", "LLVM ", "processor ", "threads ", "OpenCL ", "cache "})
    EXPECT_THAT(output_, HasSubstr(what));
  setenv("VR_NO_SUCH_SETTING", "1", 1);
  EXPECT_EQ(run({"doctor"}), exit_bad);
  unsetenv("VR_NO_SUCH_SETTING");
  EXPECT_THAT(output_, HasSubstr("problem: VR_NO_SUCH_SETTING"));
}

TEST_F(Commands, UnknownCommandsAreNamedAndTheNearestSuggested) {
  EXPECT_EQ(run({"frob"}), exit_usage);
  EXPECT_EQ(output_, "error: unknown command 'frob'; `vrir --help` lists the commands\n");
  EXPECT_EQ(run({"verfy"}), exit_usage);
  EXPECT_THAT(output_, HasSubstr("did you mean 'verify'?"));
}

TEST_F(Commands, CompletionKnowsEveryCommandAndIsAcceptedByBash) {
  ASSERT_EQ(run({"completion", "bash"}), exit_ok);
  std::ofstream(folder_ / "vrir.bash") << output_;
  for (const char* name : {"run", "cat", "explain", "doctor", "completion"}) EXPECT_THAT(output_, HasSubstr(name));
  auto completed = [&](const std::string& words, int at) {
    const std::string command = "bash -c 'source " + (folder_ / "vrir.bash").string() + "; COMP_WORDS=(" + words +
                                "); COMP_CWORD=" + std::to_string(at) + "; _vrir; echo ${COMPREPLY[@]}' > " +
                                (folder_ / "out").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::string line;
    std::ifstream in(folder_ / "out");
    std::getline(in, line);
    return line;
  };
  EXPECT_EQ(completed("vrir ver", 1), "verify");
  EXPECT_EQ(completed("vrir run x.vrir --on cpu", 4), "cpu cpu-par");
  EXPECT_EQ(completed("vrir emit --ll", 2), "--llvm");
  EXPECT_EQ(completed("vrir emit --no-such", 2), "");
}
TEST_F(Commands, CompletionForZshBeginsWithItsTag) {
  ASSERT_EQ(run({"completion", "zsh"}), exit_ok);
  EXPECT_THAT(output_, StartsWith("#compdef vrir\n"));
  EXPECT_THAT(output_, HasSubstr("explain) _arguments"));
}
TEST_F(Commands, CompletionRefusesOtherShells) { EXPECT_EQ(run({"completion", "fish"}), exit_usage); }

}  // namespace
}  // namespace vr::tool
