// Machine code on disk is found again, is never used if anything differs, and damaged files do no harm.
#include "engine/object_cache.hpp"

#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

namespace fs = std::filesystem;
using vr::engine::CachedCode;
using vr::engine::ObjectCache;

namespace {

class ObjectCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vr-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory = name;
    if (const char* v = std::getenv("VR_CACHE_DIR")) before = v;
    setenv("VR_CACHE_DIR", directory.c_str(), 1);
  }
  void TearDown() override {
    before ? setenv("VR_CACHE_DIR", before->c_str(), 1) : unsetenv("VR_CACHE_DIR");
    fs::remove_all(directory);
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& f : fs::directory_iterator(directory)) all.push_back(f.path());
    return all;
  }
  std::string directory;
  std::optional<std::string> before;
};

const CachedCode code{std::string("\0object\xff", 8), {"vr_f", "vr_g"}, {"vr_g"}, {"a line"}};

const char* cached_program = R"((module :name m (fns (function :name f
 (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
 (body (returnstmt (exprs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))))
 (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64)))))))";

TEST_F(ObjectCacheTest, FindsWhatWasStored) {
  ObjectCache cache(directory, 1 << 20);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", code);
  auto found = cache.find("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->object, code.object);
  EXPECT_EQ(found->entries, code.entries);
  EXPECT_EQ(found->report, code.report);
  EXPECT_FALSE(cache.find("key2"));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(ObjectCacheTest, DamagedFilesAreIgnored) {
  ObjectCache cache(directory, 1 << 20);
  cache.store("key", code);
  const fs::path path = files().at(0);
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  auto write = [&](const std::string& s) { std::ofstream(path, std::ios::binary | std::ios::trunc) << s; };
  for (size_t n = 0; n < whole.size(); ++n) {
    write(whole.substr(0, n));
    EXPECT_FALSE(cache.find("key")) << "cut to " << n;
    std::string bad = whole;
    bad[n] = static_cast<char>(bad[n] ^ 0x40);
    write(bad);
    EXPECT_FALSE(cache.find("key")) << "byte " << n << " changed";
  }
  write(whole + "x");
  EXPECT_FALSE(cache.find("key"));
  write(whole);
  EXPECT_TRUE(cache.find("key"));
}

TEST_F(ObjectCacheTest, StaysNearItsLimit) {
  ObjectCache cache(directory, 64 << 10);
  CachedCode big = code;
  big.object.assign(8 << 10, 'x');
  for (int k = 0; k < 100; ++k) cache.store("key" + std::to_string(k), big);
  uint64_t total = 0;
  for (const auto& f : files()) total += fs::file_size(f);
  EXPECT_LE(total, (64u << 10) + 17 * (9u << 10));  // the size is checked on every sixteenth store
  EXPECT_GT(total, 0u);
}

TEST_F(ObjectCacheTest, ManyWritersOfOneEntry) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      ObjectCache cache(directory, 1 << 20);
      for (int k = 0; k < 50; ++k) {
        cache.store("key", code);
        auto found = cache.find("key");
        if (!found || found->object != code.object) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(files().size(), 1u);  // no temporary files left
}

// Other processes write the same entries continuously and are killed meanwhile.
TEST_F(ObjectCacheTest, WritersThatAreKilledLeaveWholeEntriesOrNone) {
  ObjectCache cache(directory, 64 << 20);
  auto entry = [](int k) {
    CachedCode c = code;
    c.object.assign(size_t{200} << 10, static_cast<char>('a' + k));  // long enough to be cut
    return c;
  };
  int found = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<pid_t> writers;
    for (int w = 0; w < 2; ++w) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        ObjectCache mine(directory, 64 << 20);
        for (int k = w;; k = (k + 1) % 3) mine.store("key" + std::to_string(k), entry(k));
      }
      writers.push_back(child);
    }
    for (int k = 0; k < 30; ++k) {
      if (auto c = cache.find("key" + std::to_string(k % 3))) {
        ++found;
        ASSERT_EQ(c->object, entry(k % 3).object);
      }
    }
    usleep(static_cast<useconds_t>(500 + 137 * round));
    for (pid_t child : writers) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    for (int k = 0; k < 3; ++k) {
      auto c = cache.find("key" + std::to_string(k));
      if (c) {
        ASSERT_EQ(c->object, entry(k).object);
      }
    }
  }
  EXPECT_GT(found, 0);
  for (int k = 0; k < 3; ++k) {  // temporary files of a killed process do no harm
    cache.store("key" + std::to_string(k), entry(k));
    EXPECT_TRUE(cache.find("key" + std::to_string(k)));
  }
}

TEST_F(ObjectCacheTest, FullDiskLeavesNoEntry) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Files may not grow beyond 1000 bytes: writing fails as on a full disk.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    ObjectCache cache(directory, 1 << 20);
    CachedCode big = code;
    big.object.assign(5000, 'x');
    cache.store("big", big);
    cache.store("small", code);
    _exit(!cache.find("big") && cache.find("small") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(files().size(), 1u);  // no temporary file is left
}

TEST_F(ObjectCacheTest, RemovedDirectoryDisablesTheCache) {
  ObjectCache cache(directory, 1 << 20);
  cache.store("key", code);
  fs::remove_all(directory);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", code);
  EXPECT_FALSE(cache.find("key"));
  vr::Options o;
  o.target = vr::Target::Cpu;
  setenv("VR_CACHE_DIR", "/dev/null/no/folder", 1);
  EXPECT_TRUE(vr::Engine::create(o)->load(cached_program, "p.vrir"));
}

TEST_F(ObjectCacheTest, UnusableDirectoryDisablesTheCache) {
  ObjectCache off("", 1 << 20);
  off.store("key", code);
  EXPECT_FALSE(off.find("key"));
  ObjectCache nowhere("/proc/no/such/place", 1 << 20);
  EXPECT_FALSE(nowhere.enabled());
  setenv("VR_CACHE_DIR", "", 1);
  EXPECT_FALSE(ObjectCache::from_environment().enabled());
}

TEST_F(ObjectCacheTest, EnginesShareCode) {
  vr::Options o;
  o.target = vr::Target::Cpu;
  auto load = [&](const std::string& text) {
    auto m = vr::Engine::create(o)->load(text, "p.vrir");
    EXPECT_TRUE(m) << m.error().text();
    return std::move(*m);
  };
  vr::Module first = load(cached_program);
  EXPECT_FALSE(first.compile_info().from_cache);
  vr::Module second = load(cached_program);
  EXPECT_TRUE(second.compile_info().from_cache);
  const double data[] = {1, 2, 3};
  const int64_t extents[] = {3};
  auto a = vr::Array::from(data, extents);
  ASSERT_TRUE(a);
  for (vr::Module* m : {&first, &second}) {
    auto f = m->function("f");
    ASSERT_TRUE(f);
    auto r = (*f)(*a, int64_t{2});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ((*r)[0].as_double(), 3);
    auto bad = (*f)(*a, int64_t{7});
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().text().find("p.vrir:3:8"), std::string::npos) << bad.error().text();
  }
  // Another location or other options: separate code.
  vr::Module moved = load("\n" + std::string(cached_program));
  EXPECT_FALSE(moved.compile_info().from_cache);
  auto bad = (*moved.function("f"))(*a, int64_t{7});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().text().find("p.vrir:4:8"), std::string::npos) << bad.error().text();
  o.opt_level = 1;
  EXPECT_FALSE(load(cached_program).compile_info().from_cache);
  o.disk_cache = false;
  EXPECT_FALSE(load(cached_program).compile_info().from_cache);
}

// One property of the engine or the host differs at a time: code stored for another one is never used.
TEST_F(ObjectCacheTest, KeyContainsEverythingThatCodeDependsOn) {
  const char* text = R"((module :name m (fns (function :name f
 (functype (intypes (float64) (float64)) (outtypes (float64))) (arglist 0 1)
 (body (returnstmt (exprs (libcall :libfunc min2 (float64) (args (name :id 0 (float64)) (name :id 1 (float64)))))))
 (symtable (sym :id 0 :name a (float64)) (sym :id 1 :name b (float64)))))))";
  using Change = std::function<void(vr::Options&, vr::ir::Conventions&)>;
  const std::pair<const char*, Change> changes[] = {
      {"nothing", [](auto&, auto&) {}},
      {"opt_level", [](auto& o, auto&) { o.opt_level = 3; }},
      {"parallel_threshold", [](auto& o, auto&) { o.parallel_threshold = 7; }},
      {"compile_budget", [](auto& o, auto&) { o.compile_budget = 777; }},
      {"regions", [](auto& o, auto&) { o.regions = vr::RegionMode::Sync; }},
      {"inline_limit", [](auto& o, auto&) { o.inline_limit = 3; }},
      {"force_checks", [](auto& o, auto&) { o.force_checks = true; }},
      {"debug_info", [](auto& o, auto&) { o.debug_info = true; }},
      {"threads", [](auto& o, auto&) { o.target = vr::Target::CpuParallel; }},
      {"skip_passes", [](auto& o, auto&) { o.skip_passes = {"simplify"}; }},
      {"indexing", [](auto&, auto& c) { c.indexing = 1; }},
      {"exclude", [](auto&, auto& c) { c.exclude = false; }},
      {"flatten", [](auto&, auto& c) { c.flatten = true; }},
      {"grow", [](auto&, auto& c) { c.grow = true; }},
      {"assign", [](auto&, auto& c) { c.assign = vr::ir::AssignMode::Copy; }},
      {"slices", [](auto&, auto& c) { c.slices = vr::ir::SliceMode::Copy; }},
      {"nan", [](auto&, auto& c) { c.nan = vr::ir::NanMode::Omit; }},
      {"mindims", [](auto&, auto& c) { c.mindims = 2; }},
      {"fast_math", [](auto&, auto& c) { c.fast_math = 0; }},
      {"broadcast", [](auto&, auto& c) { c.broadcast = vr::ir::BroadcastMode::Leading; }},
  };
  for (const bool again : {false, true})
    for (const auto& [what, change] : changes) {
      vr::Options o;
      o.target = vr::Target::Cpu;
      o.threads = 2;
      vr::HostBinding host = vr::builtin_binding();
      change(o, host.conventions);
      auto m = vr::Engine::create(o, host)->load(text, "p.vrir");
      ASSERT_TRUE(m) << what << ": " << m.error().text();
      EXPECT_EQ(m->compile_info().from_cache, again) << what;
      auto r = (*m->function("f"))(std::nan(""), 1.0);
      ASSERT_TRUE(r) << what;
      EXPECT_EQ(std::isnan((*r)[0].as_double()), host.conventions.nan == vr::ir::NanMode::Propagate) << what;
    }
}

TEST_F(ObjectCacheTest, SourceLocationsArePartOfTheKey) {
  vr::Options o;
  o.target = vr::Target::Cpu;
  auto place = [&](const std::string& text) {
    auto m = vr::Engine::create(o)->load(text, "p.vrir");
    EXPECT_TRUE(m) << m.error().text();
    const int64_t extents[] = {3};
    auto bad = (*m->function("f"))(*vr::Array::zeros(vr::Elem::Float64, extents), int64_t{7});
    return bad ? std::string() : bad.error().text().substr(0, 11);
  };
  EXPECT_EQ(place(cached_program), "p.vrir:3:8:");
  std::string lower = cached_program;
  lower.insert(lower.find("\n (body"), "\n\n");
  EXPECT_EQ(place(lower), "p.vrir:5:8:");
}

}  // namespace
