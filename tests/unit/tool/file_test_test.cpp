// The runner of file tests: what passes, what fails, and what VR_BLESS rewrites.
#include "tool/tool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::tool {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("vr_file_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    unsetenv("VR_BLESS");
    std::filesystem::remove_all(folder_);
  }
  void write(const std::string& text) { std::ofstream(folder_ / "t.vrir") << text; }
  std::string content() {
    std::stringstream s;
    s << std::ifstream(folder_ / "t.vrir").rdbuf();
    return s.str();
  }
  int run(std::vector<std::string> args) {
    std::ostringstream text;
    Io io{text, text, folder_};
    const int status = run_tool(args, io);
    output_ = text.str();
    return status;
  }
  std::filesystem::path folder_;
  std::string output_;
};

const char* const broken = "; RUN: verify\n(module :name m (fns (oops)))\n";

TEST_F(FileTest, FailsUntilBlessed) {
  write(broken);
  EXPECT_EQ(run({"test", "t.vrir"}), exit_bad);
  EXPECT_NE(output_.find("0 passed, 1 failed"), std::string::npos) << output_;
  EXPECT_EQ(content(), broken);  // nothing is rewritten without VR_BLESS
  setenv("VR_BLESS", "1", 1);
  EXPECT_EQ(run({"test", "."}), exit_ok) << output_;
  const std::string blessed = content();
  EXPECT_EQ(blessed.rfind(std::string(broken) + "; EXPECT\n; t.vrir:2:", 0), 0u) << blessed;
  EXPECT_NE(blessed.find("; exit 1\n"), std::string::npos) << blessed;
  unsetenv("VR_BLESS");
  EXPECT_EQ(run({"test", "t.vrir"}), exit_ok) << output_;
  write(blessed + "; more\n");
  EXPECT_EQ(run({"test", "t.vrir"}), exit_bad);
  EXPECT_NE(output_.find("    - more\n"), std::string::npos) << output_;
}

TEST_F(FileTest, RefusesFilesThatAreNoTests) {
  write("(module)\n");
  EXPECT_EQ(run({"test", "t.vrir"}), exit_bad);
  EXPECT_EQ(run({"test", "nowhere.vrir"}), exit_bad);
  EXPECT_EQ(run({"test", folder_ / "empty"}), exit_bad);
  write("; RUN: test\n; EXPECT\n");
  EXPECT_EQ(run({"test", "t.vrir"}), exit_bad);
}

TEST_F(FileTest, ExitStatuses) {
  EXPECT_EQ(run({}), exit_usage);
  EXPECT_EQ(run({"dance"}), exit_usage);
  EXPECT_EQ(run({"cat"}), exit_usage);
  EXPECT_EQ(run({"run", "t.vrir", "--on", "moon"}), exit_usage);
  EXPECT_EQ(run({"emit", "t.vrir"}), exit_usage);
  EXPECT_EQ(run({"--help"}), exit_ok);
  EXPECT_EQ(run({"--version"}), exit_ok);
  EXPECT_EQ(run({"cat", "missing.vrir"}), exit_bad);
  EXPECT_EQ(output_, "missing.vrir: error: cannot read: No such file or directory\n");
  EXPECT_EQ(run({"verify", "."}), exit_bad);
}

}  // namespace
}  // namespace vr::tool
