// Every program of the repository is unchanged by printing it in the short syntax and parsing that.
#include "text_helpers.hpp"

#include <velociraptor/ir/verify.hpp>

#include <filesystem>

namespace vr::text::test {
namespace {

namespace fs = std::filesystem;
const std::string root = VR_SOURCE_DIR;

/// Round trip of every text that parses; returns their number.
int round_trips(const std::vector<std::string>& folders) {
  int count = 0;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root + "/" + folder)) {
      if (entry.path().extension() != ".vrir") continue;
      auto m = parse_as(read_file(entry.path()));
      if (!m.ok()) continue;  // the syntax error is the subject of the test, or it is in the other dialect
      SCOPED_TRACE(entry.path().string());
      expect_short_round_trip(**m);
      ++count;
    }
  return count;
}

TEST(ShortCorpus, FileTests) { EXPECT_GE(round_trips({"tests/filetests"}), 500); }
TEST(ShortCorpus, BenchPrograms) { EXPECT_GE(round_trips({"bench", "examples"}), 35); }

// The ```vrir blocks of the pages, except fragments that are not modules.
TEST(ShortCorpus, Documentation) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root + "/docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = read_file(entry.path());
    for (size_t at = 0; (at = page.find("\n```vrir", at)) != std::string::npos;) {
      const size_t from = page.find('\n', at + 1) + 1, end = page.find("\n```", from);
      ASSERT_NE(end, std::string::npos) << entry.path();
      auto m = parse_as(page.substr(from, end - from + 1));
      at = end + 4;
      if (!m.ok()) continue;
      SCOPED_TRACE(entry.path().string() + " at byte " + std::to_string(from));
      expect_short_round_trip(**m);
      ++count;
    }
  }
  EXPECT_GE(count, 130);
}

// The translation of the `mclab` dialect is strict VRIR with MATLAB's conventions.
TEST(ShortCorpus, ClientPrograms) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(root + "/tests/corpus/client")) {
    if (entry.path().extension() != ".vrir") continue;
    auto m = parse_as(read_file(entry.path()), ir::Dialect::Mclab);
    ASSERT_TRUE(m.ok());
    auto strict = ir::from_mclab(**m, nullptr);
    if (!strict.ok()) continue;
    SCOPED_TRACE(entry.path().string());
    expect_short_round_trip(**strict);
    ++count;
  }
  EXPECT_GE(count, 30);
}

}  // namespace
}  // namespace vr::text::test
