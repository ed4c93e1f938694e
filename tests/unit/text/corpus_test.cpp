// Every program of the client corpus parses in its dialect, and is unchanged by printing and parsing.
#include "text_helpers.hpp"

#include <filesystem>
#include <map>

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

// Programs that run on every target with one expected result: a node kind without such a program might not work on some
// target.
TEST(Corpus, EveryKindIsInAFileTest) {
  std::map<ir::Kind, std::string> missing;
#define VR_EXPR(Name, word) missing[ir::Kind::Name] = word;
#define VR_STMT(Name, word) missing[ir::Kind::Name] = word;
#include <velociraptor/ir/nodes.def>
  for (const auto& entry : std::filesystem::directory_iterator(std::string(VR_SOURCE_DIR) + "/tests/filetests/run")) {
    if (entry.path().extension() != ".vrir") continue;
    auto m = parse_as(read_file(entry.path()));
    if (!m.ok()) continue;  // in the other dialect
    for (const ir::FunctionPtr& f : (*m)->functions) {
      ir::walk_stmts(f->body, [&](const ir::Stmt& s) { missing.erase(s.kind); });
      ir::walk_exprs(f->body, [&](const ir::Expr& e) { missing.erase(e.kind); });
    }
  }
  for (const auto& [kind, word] : missing) ADD_FAILURE() << "no program of tests/filetests/run has '" << word << "'";
}

}  // namespace
}  // namespace vr::text::test
