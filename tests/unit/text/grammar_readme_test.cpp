// The examples of vrir-grammar/README.md: each parses and round-trips, and together they name every rule of the
// grammar.
#include "text_helpers.hpp"

#include <regex>
#include <set>

namespace vr::text::test {
namespace {

struct Example {
  std::string kind;  // module, type, stmt, expr
  bool mclab = false;
  std::string text;
  int line = 0;
};

const std::string folder = std::string(VR_SOURCE_DIR) + "/vrir-grammar/";

std::vector<Example> examples() {
  std::vector<Example> list;
  std::istringstream in(read_file(folder + "README.md"));
  std::string line;
  bool inside = false;
  for (int n = 1; std::getline(in, line); ++n) {
    if (line.starts_with("```vrir ")) {
      std::istringstream words(line.substr(8));
      Example e;
      std::string dialect;
      words >> e.kind >> dialect;
      e.mclab = dialect == "mclab";
      e.line = n;
      list.push_back(e);
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      list.back().text += line + "\n";
    }
  }
  return list;
}

std::string as_module(const Example& e) {
  if (e.kind == "stmt") return module_with(e.text);
  if (e.kind == "expr") return module_with("(exprstmt " + e.text + ")");
  if (e.kind == "type") return module_with("(exprstmt (name :id 0 " + e.text + "))");
  return e.text;
}

TEST(GrammarReadme, ExamplesParseAndRoundTrip) {
  auto list = examples();
  ASSERT_GT(list.size(), 40u);
  for (const Example& e : list) {
    SCOPED_TRACE("README.md:" + std::to_string(e.line));
    auto dialect = e.mclab ? ir::Dialect::Mclab : ir::Dialect::Vrir;
    auto m = parse_as(as_module(e), dialect);
    ASSERT_TRUE(m.ok()) << m.error().text();
    expect_round_trip(**m, dialect);
    if (e.mclab) {
      EXPECT_FALSE(parse_as(as_module(e)).ok()) << "strict VRIR takes it as well";
    }
  }
}

TEST(GrammarReadme, NamesEveryRule) {
  std::set<std::string> shown;
  std::istringstream readme(read_file(folder + "README.md"));
  std::string line;
  while (std::getline(readme, line)) {
    if (!line.starts_with("### ")) continue;
    std::istringstream words(line.substr(4));
    for (std::string w; words >> w;) shown.insert(w);
  }
  std::istringstream grammar(read_file(folder + "Vrir.g4"));
  std::regex rule("^([a-z][A-Za-z]*)(:.*)?$");
  std::smatch m;
  int rules = 0;
  while (std::getline(grammar, line)) {
    if (!std::regex_match(line, m, rule)) continue;
    ++rules;
    EXPECT_TRUE(shown.count(m[1])) << "rule '" << m[1] << "' has no example";
  }
  EXPECT_GT(rules, 60);
}

// The generated parser must never predict: see the beginning of Vrir.g4.
TEST(Grammar, IsLl1) {
  EXPECT_EQ(read_file(folder + "generated/VrirParser.cpp").find("adaptivePredict"), std::string::npos);
}

}  // namespace
}  // namespace vr::text::test
