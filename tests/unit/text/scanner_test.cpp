// The hand-written scanner finds the same tokens as ANTLR's lexer, which is generated from the lexer rules of the
// grammar.
#include "text_helpers.hpp"

#include <text/scanner.hpp>

#include <reference_lexer.hpp>

#include <filesystem>
#include <random>

namespace vr::text::test {
namespace {

void expect_same_tokens(const std::string& text) {
  std::vector<ReferenceToken> expected = reference_tokens(text);
  Scanner scanner(text);
  for (const ReferenceToken& e : expected) {
    Scanned t = scanner.next();
    size_t start = t.type == eof_token ? text.size() : static_cast<size_t>(t.text.data() - text.data());
    ASSERT_EQ(t.type, e.type) << "at byte " << e.start << " of: " << text;
    ASSERT_EQ(start, e.start) << text;
    ASSERT_EQ(t.text.size(), e.length) << "at byte " << e.start << " of: " << text;
    ASSERT_EQ(size_t(t.pos.line), e.line) << text;
    ASSERT_EQ(size_t(t.pos.column), e.column) << "at byte " << e.start << " of: " << text;
  }
}

TEST(Scanner, AgreesWithTheGrammarOnTheCorpus) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(VR_SOURCE_DIR) + "/tests/corpus/client")) {
    // The module name of .cli files is the only token that the lexer rules cannot distinguish (ModuleText).
    if (entry.path().extension() == ".vrir" && entry.path().string().find(".cli.") == std::string::npos)
      expect_same_tokens(read_file(entry.path()));
  }
}

TEST(Scanner, AgreesWithTheGrammarOnTokenSoup) {
  const char* pieces[] = {
      "(",       ")",     "plus",      "plusx", "module",   "x_1",    "_a",    ":id",     ":idx", ":id0",  ":",
      "::",      "0",     "12",        "-3",    "+4",       "1.",     ".5",    "1.5e3",   "1e",   "1e+",   "1e5x",
      "0x",      "0x1p",  "0x1.8p3",   "0x.8",  "0x.",      "0X1P-2", "-0x1",  "inf",     "-inf", "nan",   "+nan",
      "nan:0x1", "nan:0", "-nan:0xfg", "-nan:", "infinite", "%0",     "%1",    "%2",      "%",    "\"s\"", "\"a\\\"b\"",
      "\"open",  "\"\\",  "\\",        ";c (",  "\n",       "\r\n",   "\t",    " ",       "  ",   "-",     "+",
      "--1",     "+-1",   ".",         "..",    "1..2",     "1.2.3",  "#",     "'",       "\x01", "e5",    "p3",
      "real",    "inf2",  ":NAME",     ":name", "\"\"",     "1e5",    "00012", "\"a\nb\""};
  std::mt19937 random(7);
  std::uniform_int_distribution<size_t> pick(0, std::size(pieces) - 1);
  for (int round = 0; round < 3000; ++round) {
    std::string text = "x";  // so that no module name is expected
    for (int n = 0; n < 12; ++n) text += pieces[pick(random)];
    expect_same_tokens(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Scanner, ModuleNamesOfTheMclabDialect) {
  const std::pair<const char*, const char*> cases[] = {
      {"(module :name FileFile:/home/me/f.m :indexing 1 (fns))", "FileFile:/home/me/f.m"},
      {"(module :name C:\\my files (1)\\f.m :indexing 1\n(fns))", nullptr},
      {"(module :name a b.m   :indexing 1\n(fns))", "a b.m"},
      {"(module :name /x/f.m\n(fns))", "/x/f.m"},
      {"(module :name /x/f.m(fns))", "/x/f.m"},
      {"(module :name stem :indexing 1 (fns))", "stem"},
      {"(module :name \"quoted name\" (fns))", "quoted name"},
      {"(module :name fns (fns))", "fns"},
  };
  for (auto& [text, name] : cases) {
    auto m = parse_as(text, ir::Dialect::Mclab);
    if (!name) {
      EXPECT_FALSE(m.ok()) << text;  // a parenthesis after a space ends the name
      continue;
    }
    ASSERT_TRUE(m.ok()) << text << "\n" << m.error().text();
    EXPECT_EQ((*m)->name, name);
  }
}

TEST(Quote, IsUndoneByUnquote) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  std::string back;
  ASSERT_TRUE(unquote(quote(all), back));
  EXPECT_EQ(back, all);
  ASSERT_TRUE(unquote("\"\\xC3\\xb6\\xAf\"", back));
  EXPECT_EQ(back, "\xc3\xb6\xaf");
  EXPECT_FALSE(unquote("\"\\q\"", back));
  EXPECT_FALSE(unquote("\"\\x1\"", back));
}

}  // namespace
}  // namespace vr::text::test
