// Files that belong to other users, or that others may write, are refused; opening never blocks.
#include "support/trusted_file.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace fs = std::filesystem;

namespace vr {
namespace {

constexpr uid_t stranger = 65534;

class TrustedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vr-trust-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  std::string put(const std::string& name, mode_t mode = 0600) {
    const std::string path = root + "/" + name;
    std::ofstream(path) << "content";
    chmod(path.c_str(), mode);
    return path;
  }
  std::string folder(const std::string& name, mode_t mode = 0700) {
    const std::string path = root + "/" + name;
    mkdir(path.c_str(), 0700);
    chmod(path.c_str(), mode);
    return path;
  }
  /// The file's content, or the message of the refusal.
  static std::string look(const std::string& path) {
    auto r = read_trusted_file(path, 1000);
    return r ? *r : r.error().message;
  }
  static std::string open(const std::string& path, bool make = false) {
    auto r = open_trusted_directory(path, make);
    return r ? "opened" : r.error().message;
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  std::string root;
};

TEST_F(TrustedFile, OwnFilesAreRead) {
  EXPECT_EQ(look(put("a")), "content");
  EXPECT_EQ(look(put("b", 0644)), "content");
  EXPECT_EQ(read_trusted_file(root + "/none", 1000).error().code, Code::NotFound);
  EXPECT_EQ(read_trusted_file(root + "/no/folder", 1000).error().code, Code::NotFound);
  EXPECT_TRUE(has(read_trusted_file(root + "/a", 6).error().message, "more than 6"));
}

TEST_F(TrustedFile, WhatOthersMayWriteIsRefused) {
  EXPECT_TRUE(has(look(put("group", 0660)), "others may write"));
  EXPECT_TRUE(has(look(put("world", 0606)), "others may write"));
  for (mode_t mode : {0770, 0707, 01777}) {  // not even with the sticky bit: others could add files
    const std::string f = folder("open", mode);
    EXPECT_TRUE(has(open(f), f + ": others may write")) << open(f);
    put("open/a");
    EXPECT_TRUE(has(look(f + "/a"), f + ": others may write"));
    fs::remove_all(f);
  }
}

TEST_F(TrustedFile, FoldersAboveCountToo) {
  const std::string parent = folder("parent", 0777), inner = folder("parent/inner");
  EXPECT_TRUE(has(open(inner), parent + ": others may write"));
  chmod(parent.c_str(), 01777);
  EXPECT_EQ(open(inner), "opened");
  chmod(parent.c_str(), 0775);  // accepted if user and group have the same number, and it is not root's
  EXPECT_EQ(open(inner) == "opened", geteuid() != 0 && geteuid() == getegid());
}

TEST_F(TrustedFile, OnlyRegularFilesAndWithoutWaiting) {
  const std::string fifo = root + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(has(look(fifo), "not a regular file"));
  EXPECT_TRUE(has(look(folder("folder")), "not a regular file"));
  fs::create_symlink(put("target"), root + "/link");
  EXPECT_TRUE(has(look(root + "/link"), "symbolic link"));
  EXPECT_TRUE(has(look("/dev/zero"), "not a regular file"));
}

TEST_F(TrustedFile, PathsAreAbsolute) {
  EXPECT_TRUE(has(open("relative"), "not an absolute path"));
  EXPECT_TRUE(has(open(""), "not an absolute path"));
  EXPECT_TRUE(has(look("file"), "not an absolute path"));
  EXPECT_TRUE(has(look("/tmp/"), "not an absolute path"));
  EXPECT_EQ(open(root + "//./x/../x", true), "opened");
}

TEST_F(TrustedFile, LinksOnTheWayAreFollowed) {
  folder("real");
  put("real/a");
  fs::create_symlink(root + "/real", root + "/absolute");
  fs::create_symlink("real", root + "/relative");
  fs::create_symlink("circle", root + "/circle");
  EXPECT_EQ(look(root + "/absolute/a"), "content");
  EXPECT_EQ(look(root + "/relative/a"), "content");
  EXPECT_TRUE(has(look(root + "/circle/a"), "Too many levels")) << look(root + "/circle/a");
  // The folders of a symbolic link are checked as well.
  chmod((root + "/real").c_str(), 0777);
  EXPECT_TRUE(has(look(root + "/relative/a"), "/real: others may write"));
}

TEST_F(TrustedFile, MissingFoldersAreMadeForThisUserAlone) {
  const mode_t before = umask(0);
  EXPECT_EQ(open(root + "/x/y", true), "opened");
  umask(before);
  struct stat s = {};
  for (const char* f : {"/x", "/x/y"}) {
    ASSERT_EQ(stat((root + f).c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 07777, 0700u) << f;
  }
  EXPECT_EQ(open_trusted_directory(root + "/z", false).error().code, Code::NotFound);
  EXPECT_EQ(open_trusted_directory("/proc/none", true).error().code, Code::NotFound);
  put("file");
  EXPECT_TRUE(has(open(root + "/file/x", true), "Not a directory"));
}

TEST_F(TrustedFile, WrittenWholeAndForThisUserAlone) {
  auto directory = open_trusted_directory(root, false);
  ASSERT_TRUE(directory);
  const mode_t before = umask(0);
  EXPECT_TRUE(write_trusted_file(*directory, "a", "new"));
  umask(before);
  struct stat s = {};
  ASSERT_EQ(stat((root + "/a").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 07777, 0600u);
  EXPECT_EQ(look(root + "/a"), "new");
  // Replaces what was there, whatever it was, and never follows links.
  fs::create_symlink(put("target"), root + "/link");
  ASSERT_EQ(mkfifo((root + "/fifo").c_str(), 0600), 0);
  for (const char* name : {"link", "fifo"}) {
    EXPECT_TRUE(write_trusted_file(*directory, name, "new")) << name;
    EXPECT_EQ(look(root + "/" + name), "new") << name;
  }
  EXPECT_EQ(look(root + "/target"), "content");
  folder("folder/");
  EXPECT_FALSE(write_trusted_file(*directory, "folder", "new"));
  for (const auto& f : fs::directory_iterator(root)) EXPECT_NE(f.path().extension(), ".tmp") << f.path();
}

// ---- other users: needs the right to change the owner of files

class OfStrangers : public TrustedFile {
 protected:
  void SetUp() override {
    TrustedFile::SetUp();
    if (geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  }
  static void give(const std::string& path, uid_t user = stranger) {
    ASSERT_EQ(lchown(path.c_str(), user, user), 0) << path;
  }
  /// The result of `look` in a child process of that user.
  static std::string as(uid_t user, const std::function<std::string()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
      const std::string text = setgid(user) == 0 && setuid(user) == 0 ? work() : std::string("cannot become the user");
      _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text(4096, '\0');
    const ssize_t n = read(ends[0], text.data(), text.size());
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    text.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return text;
  }
};

TEST_F(OfStrangers, RootBelievesNobodyElse) {
  const std::string file = put("file");
  give(file);
  EXPECT_TRUE(has(look(file), "belongs to user 65534"));
  const std::string home = folder("home"), inner = folder("home/inner"), own = put("home/inner/own");
  give(home);
  EXPECT_TRUE(has(look(own), home + ": belongs to user 65534"));
  const std::string link = root + "/link";
  fs::create_directory_symlink(folder("real"), link);
  put("real/a");
  EXPECT_EQ(look(link + "/a"), "content");
  give(link);
  EXPECT_TRUE(has(look(link + "/a"), "link of user 65534"));
}

TEST_F(OfStrangers, EverybodyBelievesRootAndThemselves) {
  chmod(root.c_str(), 0755);
  const std::string warm = folder("warm", 0755), file = put("warm/file", 0644), locked = put("warm/locked", 0600);
  EXPECT_EQ(as(stranger, [&] { return look(file); }), "content");
  EXPECT_TRUE(has(as(stranger, [&] { return look(locked); }), "Permission denied"));
  const std::string home = folder("home"), own = put("home/own"), other = put("home/other", 0644);
  give(home);
  give(own);
  give(other, 12345);
  EXPECT_EQ(as(stranger, [&] { return look(own); }), "content");
  EXPECT_TRUE(has(as(stranger, [&] { return look(other); }), "belongs to user 12345"));
  // The private group of the owner of a parent folder may have write access, others may not.
  const std::string cache = folder("home/cache");
  give(cache);
  chmod(home.c_str(), 0775);
  EXPECT_EQ(as(stranger, [&] { return open(cache); }), "opened");
  chmod(home.c_str(), 0777);
  EXPECT_TRUE(has(as(stranger, [&] { return open(cache); }), "others may write"));
}

}  // namespace
}  // namespace vr
