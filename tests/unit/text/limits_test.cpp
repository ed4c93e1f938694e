// Limits and malicious text: always an error, never a crash or a hang.
#include "text_helpers.hpp"

#include <random>
#include <thread>

namespace vr::text::test {
namespace {

std::string first_fault(const std::string& text, const ir::ParseOptions& o = {}) {
  auto m = ir::parse(text, o);
  return m.ok() ? "" : m.error().diagnostics.empty() ? "no diagnostic" : m.error().diagnostics[0].message;
}
std::string nested(int depth) {
  std::string e = "(name :id 0 (bool))";
  for (int i = 0; i < depth; ++i) e = "(not (bool) " + e + ")";
  return module_with("(exprstmt " + e + ")");
}

TEST(Limits, Depth) {
  // module, fns, function, body and exprstmt enclose it; the innermost name adds two levels, itself and its type.
  EXPECT_EQ(first_fault(nested(493)), "");
  EXPECT_EQ(first_fault(nested(494)), "parentheses are nested more than 500 deep");
  ir::ParseOptions o;
  o.max_depth = 10;
  EXPECT_EQ(first_fault(nested(3), o), "");
  EXPECT_EQ(first_fault(nested(4), o), "parentheses are nested more than 10 deep");
  EXPECT_EQ(first_fault(std::string(20000, '(')), "parentheses are nested more than 500 deep");
  EXPECT_EQ(first_fault(std::string(20000, ')')), "')' without its '('");
}

TEST(Limits, Bytes) {
  ir::ParseOptions o;
  o.max_bytes = 30;
  EXPECT_EQ(first_fault("(module :name m (fns))", o), "");
  EXPECT_EQ(first_fault("(module :name m (fns))         ", o), "the text has 31 bytes; at most 30 are read");
}

TEST(Limits, Nodes) {
  ir::ParseOptions o;
  o.max_nodes = 6;
  std::string s = "(exprstmt (name :id 0 (bool)))";
  EXPECT_EQ(first_fault(module_with(s + s + s), o), "");
  EXPECT_EQ(first_fault(module_with(s + s + s + s), o), "the module has more than 6 nodes");
}

TEST(Limits, Symbols) {
  ir::ParseOptions o;
  o.max_symbols = 3;
  auto module_of = [](int n) {
    std::string s = "(module (fns (function f (functype (intypes) (outtypes)) (arglist) (body) (symtable";
    for (int i = 0; i < n; ++i) s += " (sym :id " + std::to_string(n - i) + " :name a (bool))";
    return s + "))))";
  };
  EXPECT_EQ(first_fault(module_of(3), o), "");
  EXPECT_EQ(first_fault(module_of(4), o), "the function has more than 3 symbols");
  EXPECT_EQ(first_fault(module_of(60000)), "");  // in descending order: must not take quadratic time
}

TEST(Limits, ErrorsAreCapped) {
  std::string s;
  for (int i = 0; i < 5000; ++i) s += "(foo)\n";
  auto m = parse_as(module_with(s));
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().diagnostics.size(), 101u);
  EXPECT_EQ(m.error().diagnostics.back().message, "more than 100 errors; the rest of the text was not read");
}

TEST(Hostile, Bytes) {
  std::string nul("(module :name m (fns \0 ))", 25);
  EXPECT_NE(first_fault(nul), "");
  EXPECT_NE(first_fault(std::string(1 << 20, '\0')), "");
  EXPECT_NE(first_fault(std::string(1 << 20, '\xff')), "");
  EXPECT_NE(first_fault(std::string(1 << 20, '"')), "");
  EXPECT_NE(first_fault("(module :name " + std::string(1 << 20, ':')), "");
  EXPECT_NE(first_fault(module_with("(exprstmt (realconst :ival " + std::string(1 << 20, '9') + " (int64)))")), "");
  EXPECT_NE(first_fault(module_with("(exprstmt (realconst :dval " + std::string(1 << 20, '9') + " (float64)))")), "");
  EXPECT_EQ(first_fault(module_with("(exprstmt (realconst :dval ." + std::string(1 << 16, '0') + "1 (float64)))")), "");
}

TEST(Hostile, SixteenMegabytesOfJunk) {
  std::mt19937 random(3);
  std::string junk(16u << 20, ' ');
  const char alphabet[] = "()()  abcplus:id%01\"\\;\n\t.-+e9\x00\x80\xff";
  for (char& c : junk) c = alphabet[random() % (sizeof alphabet - 1)];
  EXPECT_NE(first_fault(junk), "");
  std::string groups = "(module :name m (fns ";
  while (groups.size() + 10 < (16u << 20)) groups += "(x) ";
  EXPECT_NE(first_fault(groups + "))"), "");
}

// Valid text with a part removed, duplicated or overwritten: an error or a module, and a module can be printed and
// parsed again.
TEST(Hostile, MutatedCorpus) {
  std::string original = read_file(std::string(VR_SOURCE_DIR) + "/tests/corpus/client/slice_assign.vrir");
  std::mt19937 random(11);
  int parsed = 0;
  for (int round = 0; round < 500; ++round) {
    std::string text = original;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      size_t at = random() % text.size(), n = 1 + random() % 12;
      switch (random() % 3) {
        case 0:
          text.erase(at, n);
          break;
        case 1:
          text.insert(at, text.substr(random() % text.size(), n));
          break;
        default:
          text[at] = "()0 :%x\""[random() % 8];
      }
    }
    for (auto dialect : {ir::Dialect::Vrir, ir::Dialect::Mclab}) {
      auto m = parse_as(text, dialect);
      if (!m.ok()) {
        EXPECT_FALSE(m.error().diagnostics.empty());
        continue;
      }
      ++parsed;
      expect_round_trip(**m, ir::Dialect::Mclab);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(parsed, 10);
}

TEST(Parse, IsThreadSafe) {
  std::string good = read_file(std::string(VR_SOURCE_DIR) + "/tests/corpus/client/fiff.vrir");
  std::string bad = good;
  bad.replace(bad.find("assignstmt"), 10, "assinstmt ");
  std::vector<std::string> messages(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        auto m = parse_as(good, ir::Dialect::Mclab);
        auto n = parse_as(bad, ir::Dialect::Mclab);
        messages[static_cast<size_t>(t)] = !m.ok() || n.ok() ? "wrong" : n.error().text();
      }
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& s : messages) EXPECT_EQ(s, messages[0]);
  EXPECT_NE(messages[0].find("did you mean 'assignstmt'?"), std::string::npos);
}

}  // namespace
}  // namespace vr::text::test
