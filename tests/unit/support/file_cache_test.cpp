// The cache on disk; what other users do to it is in tests/doors and trusted_file_test.
#include "support/file_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace vr {
namespace {

class FileCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vr-file-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    root = name;
    directory = root + "/cache";
  }
  void TearDown() override { fs::remove_all(root); }
  fs::path only_file() const {
    for (const auto& f : fs::directory_iterator(directory)) return f.path();
    return {};
  }
  std::string root, directory;
};

TEST_F(FileCacheTest, AnEntryUnderAnotherKeyIsNone) {
  FileCache cache(directory, 1 << 20);
  EXPECT_TRUE(cache.store("key", "value"));
  const fs::path first = only_file();
  EXPECT_TRUE(cache.store("other", "value"));
  for (const auto& f : fs::directory_iterator(directory))
    if (f.path() != first) fs::copy_file(first, f.path(), fs::copy_options::overwrite_existing);
  EXPECT_TRUE(cache.find("key"));
  EXPECT_FALSE(cache.find("other"));
}

TEST_F(FileCacheTest, EntriesOfOlderVersionsAreNone) {
  FileCache cache(directory, 1 << 20);
  EXPECT_TRUE(cache.store("key", "value"));
  std::string text;
  {
    std::ifstream in(only_file(), std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_EQ(text.substr(0, 8), "VRFILE02");
  text[7] = '1';
  std::ofstream(only_file(), std::ios::binary | std::ios::trunc) << text;
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(FileCacheTest, WhatCannotBeWrittenIsReadOnly) {
  EXPECT_TRUE(FileCache(directory, 1 << 20).store("key", "value"));
  chmod(directory.c_str(), 0500);
  FileCache cache(directory, 1 << 20);
  EXPECT_TRUE(cache.enabled());
  EXPECT_EQ(cache.find("key"), "value");
  EXPECT_EQ(cache.store("other", "value"), geteuid() == 0);  // root may write anyway
  chmod(directory.c_str(), 0700);
}

TEST_F(FileCacheTest, TrimmingLooksAtItsOwnFilesOnly) {
  FileCache cache(directory, 3000);
  fs::create_directory(directory + "/folder.vro");
  std::ofstream(directory + "/stranger") << std::string(9000, 'x');
  fs::create_symlink(directory + "/stranger", directory + "/link.vro");
  for (int k = 0; k < 64; ++k) EXPECT_TRUE(cache.store("key" + std::to_string(k), std::string(500, 'v')));
  int entries = 0;
  for (const auto& f : fs::directory_iterator(directory))
    entries += f.is_regular_file() && !f.is_symlink() && f.path().extension() == ".vro";
  EXPECT_LE(entries, 25);
  EXPECT_GT(entries, 0);
  EXPECT_TRUE(fs::exists(directory + "/stranger"));
  EXPECT_TRUE(fs::exists(directory + "/folder.vro"));
  EXPECT_TRUE(fs::is_symlink(directory + "/link.vro"));
}

TEST_F(FileCacheTest, RefusedFoldersAreOff) {
  fs::create_directory(directory);
  chmod(directory.c_str(), 0777);
  testing::internal::CaptureStderr();
  FileCache cache(directory, 1 << 20);
  EXPECT_FALSE(cache.enabled());
  EXPECT_FALSE(FileCache(directory, 1 << 20).store("key", "value"));
  EXPECT_FALSE(FileCache("relative", 1 << 20).enabled());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("velociraptor: warning: " + directory + ": others may write it"), std::string::npos) << said;
}

}  // namespace
}  // namespace vr
