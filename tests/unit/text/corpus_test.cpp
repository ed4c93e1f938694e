// Every program of the client corpus parses in its dialect and survives print and parse.
#include "text_helpers.hpp"

#include <filesystem>

namespace vr::text::test {
namespace {

TEST(Corpus, ParsesAndRoundTrips) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(VR_SOURCE_DIR) + "/tests/corpus/client")) {
    if (entry.path().extension() != ".vrir") continue;
    SCOPED_TRACE(entry.path().filename().string());
    auto m = parse_as(read_file(entry.path()), ir::Dialect::Mclab);
    ASSERT_TRUE(m.ok()) << m.error().text();
    EXPECT_FALSE((*m)->functions.empty());
    EXPECT_EQ((*m)->attrs.indexing, 1);
    expect_round_trip(**m, ir::Dialect::Mclab);
    ++files;
  }
  EXPECT_GE(files, 30);
}

TEST(Corpus, CommandLineNameIsKeptWhole) {
  auto m =
      parse_as(read_file(std::string(VR_SOURCE_DIR) + "/tests/corpus/client/scalar_loop.cli.vrir"), ir::Dialect::Mclab);
  ASSERT_TRUE(m.ok()) << m.error().text();
  EXPECT_EQ((*m)->name, "FileFile:/home/user/src/scalar_loop.m");
}

}  // namespace
}  // namespace vr::text::test
