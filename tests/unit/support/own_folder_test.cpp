#include "support/own_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace vr {
namespace {

TEST(OwnFolder, IsWhereThisProgramLies) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(own_folder(), program.parent_path());
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path("/");  // independent of the current directory
  EXPECT_EQ(own_folder(), program.parent_path());
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace vr
