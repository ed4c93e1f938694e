#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

namespace vr::settings {
namespace {

class Settings : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const Setting& s : table())
      if (const char* v = std::getenv(s.name)) {
        before[s.name] = v;
        unsetenv(s.name);
      }
  }
  void TearDown() override {
    for (const Setting& s : table()) unsetenv(s.name);
    for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
    unsetenv("VR_NO_SETTING");
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }
  std::map<std::string, std::string> before;
};

TEST_F(Settings, NothingIsGivenAtFirst) {
  EXPECT_TRUE(faults({}).empty());
  EXPECT_FALSE(number(Name::VR_NUM_THREADS));
  EXPECT_FALSE(text(Name::VR_CACHE_DIR));
  EXPECT_TRUE(on(Name::VR_ZERO_COPY, true));
  EXPECT_FALSE(on(Name::VR_GDB));
  EXPECT_TRUE(names(Name::VR_SKIP).empty());
}

TEST_F(Settings, EndsOfRanges) {
  for (const Setting& s : table()) {
    if (s.kind != Kind::COUNT && s.kind != Kind::BYTES && s.kind != Kind::SWITCH) continue;
    const auto name = static_cast<Name>(&s - table().data());
    for (const int64_t good : {s.least, s.most}) {
      set(s.name, std::to_string(good).c_str());
      EXPECT_EQ(number(name), good) << s.name;
      EXPECT_TRUE(faults({}).empty()) << s.name;
    }
    std::vector<std::string> wrong{std::to_string(s.least - 1), "x", "1x", "0x10", "1.0", "1e3", " 1", "1 ", "+1",
                                   "99999999999999999999"};
    if (s.most != INT64_MAX) wrong.push_back(std::to_string(s.most + 1));
    for (const std::string& bad : wrong) {
      set(s.name, bad.c_str());
      EXPECT_FALSE(number(name)) << s.name << " " << bad;
      EXPECT_FALSE(text(name)) << s.name << " " << bad;
      ASSERT_EQ(faults({}).size(), 1u) << s.name << " " << bad;
      EXPECT_EQ(faults({})[0].find(std::string(s.name) + "='" + bad + "': it is not "), 0u) << faults({})[0];
    }
    unsetenv(s.name);
  }
}

TEST_F(Settings, EmptyMeansNotSetButForTheCache) {
  for (const Setting& s : table()) set(s.name, "");
  EXPECT_TRUE(faults({}).empty());
  EXPECT_FALSE(number(Name::VR_QUEUES));
  EXPECT_FALSE(text(Name::VR_TRACE));
  EXPECT_EQ(text(Name::VR_CACHE_DIR), "");
}

TEST_F(Settings, NamesOfPasses) {
  set("VR_SKIP", "a,,b,");
  EXPECT_EQ(names(Name::VR_SKIP), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(faults({"a", "b"}).empty());
  ASSERT_EQ(faults({"a", "c"}).size(), 1u);
  EXPECT_NE(faults({"a", "c"})[0].find("no pass 'b'; there is a, c"), std::string::npos);
}

TEST_F(Settings, FoldersAreAbsolute) {
  set("VR_CACHE_DIR", "here");
  EXPECT_FALSE(text(Name::VR_CACHE_DIR));
  EXPECT_EQ(faults({}).size(), 1u);
}

TEST_F(Settings, UnknownNames) {
  set("VR_NO_SETTING", "1");
  ASSERT_EQ(faults({}).size(), 1u);
  EXPECT_EQ(faults({})[0].find("VR_NO_SETTING: "), 0u);
  EXPECT_NE(as_text({}).find("VR_NO_SETTING"), std::string::npos);
}

TEST_F(Settings, TheTableIsWhole) {
  std::set<std::string> seen;
  for (const Setting& s : table()) {
    EXPECT_TRUE(seen.insert(s.name).second) << s.name;
    EXPECT_EQ(std::string(s.name).find("VR_"), 0u);
    EXPECT_GT(std::string(s.meaning).size(), 5u) << s.name;
    EXPECT_LE(s.least, s.most) << s.name;
    EXPECT_NE(as_markdown().find("`" + std::string(s.name) + "`"), std::string::npos);
  }
}

}  // namespace
}  // namespace vr::settings
