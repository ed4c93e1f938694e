#include "support/find_or_make.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace vr {
namespace {

TEST(FindOrMake, MakesOnce) {
  std::map<std::string, std::unique_ptr<int>> map;
  int made = 0;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(*find_or_make(map, "a", [&] { return std::make_unique<int>(++made); }), 1);
  EXPECT_EQ(map.size(), 1u);
}

TEST(FindOrMake, LeavesNoEntryWithoutValue) {
  std::map<std::string, std::unique_ptr<int>> map;
  EXPECT_THROW(find_or_make(map, "a", []() -> std::unique_ptr<int> { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_TRUE(map.empty());
}

}  // namespace
}  // namespace vr
