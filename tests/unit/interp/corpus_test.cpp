// Every program of the client corpus gives Octave's results on every case.
#include "interp/cases.hpp"
#include "interp/interp.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace vr::interp {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

void run_case(const ir::Module& m, const std::string& name, const Case& c) {
  const ir::Function* f = m.find(name);
  ASSERT_NE(f, nullptr) << name;
  ASSERT_EQ(f->args.size(), c.args.size());
  std::vector<Value> args;
  for (size_t k = 0; k < c.args.size(); ++k) {
    auto v = fit_argument(c.args[k], f->symbols.at(f->args[k]).type);
    ASSERT_TRUE(v.ok()) << v.error().text();
    args.push_back(*v);
  }
  auto r = run(m, m.attrs.resolve(ir::Conventions::matlab()), name, args);
  ASSERT_TRUE(r.ok()) << r.error().text();
  ASSERT_EQ(r->size(), c.results.size());
  for (size_t k = 0; k < r->size(); ++k) EXPECT_EQ(compare(c.results[k], (*r)[k]), "") << "result " << k + 1;
}

TEST(Corpus, GivesTheResultsOfOctave) {
  int programs = 0;
  for (const auto& entry : fs::directory_iterator(std::string(VR_SOURCE_DIR) + "/tests/corpus/client")) {
    if (entry.path().extension() != ".vrir") continue;
    const std::string stem = entry.path().filename().string().substr(0, entry.path().filename().string().find('.'));
    const fs::path cases = entry.path().parent_path() / (stem + ".cases.json");
    if (!fs::exists(cases)) continue;
    SCOPED_TRACE(entry.path().filename().string());
    auto file = load_cases(cases.string());
    ASSERT_TRUE(file.ok()) << file.error().text();
    ASSERT_FALSE(file->cases.empty());
    ir::ParseOptions options;
    options.dialect = ir::Dialect::Mclab;
    auto parsed = ir::parse(read_file(entry.path()), options);
    ASSERT_TRUE(parsed.ok()) << parsed.error().text();
    auto strict = ir::from_mclab(**parsed, nullptr);
    if (!strict.ok()) {
      ADD_FAILURE() << strict.error().text();
      continue;
    }
    for (size_t k = 0; k < file->cases.size(); ++k) {
      SCOPED_TRACE("case " + std::to_string(k));
      run_case(**strict, file->function, file->cases[k]);
    }
    ++programs;
  }
  EXPECT_GE(programs, 26);
}

}  // namespace
}  // namespace vr::interp
