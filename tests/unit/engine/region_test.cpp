// The dispatcher of regions: which version runs, how many are kept, and that none is freed while a thread runs it.
#include <velociraptor/velociraptor.hpp>

#include "engine/region.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

namespace vr {
namespace {

// run(a, b, n): b[i] = a[i] + n for all i; its loop is the region run_pir0, specialised on the shapes of a and b, on n.
const char* region_program = R"((module :name m (fns
 (function :name run
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (arraytype :layout rowmajor :ndims 1 (float64))
   (int64)) (outtypes (int64))) (arglist 0 1 2)
  (body (returnstmt (exprs (fncall :fnname run_pir0 (int64) (args
    (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64)))
    (name :id 1 (arraytype :layout rowmajor :ndims 1 (float64))) (name :id 2 (int64)))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64)))
            (sym :id 1 :name b (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 2 :name n (int64))))
 (function :name run_pir0
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (arraytype :layout rowmajor :ndims 1 (float64))
   (int64)) (outtypes (int64))) (arglist 0 1 2)
  (body
   (forstmt (itervars 3) (loopdomain (domain (domaintype :ndims 1 (int64))
      (range :exclude %1 (start (realconst :ival 0 (int64))) (stop (dim :arrayid 0 :dimid 0 (int64))))))
    (body (assignstmt (lhs (index :arrayid 1 (float64) (indices (index (name :id 3 (int64))))))
      (rhs (plus (float64) (lhs (index :arrayid 0 (float64) (indices (index (name :id 3 (int64)))))) (rhs (name :id 2 (int64))))))))
   (returnstmt (exprs (dim :arrayid 0 :dimid 0 (int64)))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64)))
            (sym :id 1 :name b (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 2 :name n (int64))
            (sym :id 3 :name i (int64)))))))";

ir::ModulePtr with_region(const std::string& text = region_program) {
  auto parsed = ir::parse(text);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text());
  auto m = std::make_shared<ir::Module>(**parsed);
  auto region = std::make_shared<ir::Function>(*m->functions[1]);
  region->region = ir::Region{{0, 1}, {2}, "run", 1};
  m->functions[1] = region;
  return m;
}

Options sync_options() {
  Options o;
  o.target = Target::Cpu;
  o.regions = RegionMode::Sync;
  o.disk_cache = false;
  o.skip_passes = {"inline_calls"};
  return o;
}

Module load(const Options& o, const std::string& text = region_program) {
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine) << (engine ? "" : engine.error().text());
  auto m = engine->load(with_region(text));
  EXPECT_TRUE(m) << (m ? "" : m.error().text());
  return *m;
}

Array numbers(int64_t n) {
  std::vector<double> v(static_cast<size_t>(n));
  for (size_t k = 0; k < v.size(); ++k) v[k] = static_cast<double>(k);
  const int64_t extents[] = {n};
  return *Array::from(v, extents);
}

/// Calls with arrays of `size` elements; true when the result is right.
bool run(const Function& f, int64_t size, int64_t n) {
  Array a = numbers(size), b = numbers(size);
  auto r = f(a, b, n);
  if (!r || (*r)[0].as_double() != static_cast<double>(size)) return false;
  for (int64_t k = 0; k < size; ++k)
    if (b.data_as<double>()[k] != static_cast<double>(k + n)) return false;
  return true;
}

TEST(Regions, AVersionForEachKey) {
  Module m = load(sync_options());
  Function f = *m.function("run");
  for (int round = 0; round < 3; ++round)
    for (int64_t size : {7, 8}) EXPECT_TRUE(run(f, size, 2));
  EXPECT_TRUE(run(f, 7, 3));
  const std::vector<RegionInfo> all = m.regions();
  ASSERT_EQ(all.size(), 1u);
  const RegionInfo& r = all[0];
  EXPECT_EQ(r.function, "run_pir0");
  EXPECT_EQ(r.source, "run");
  EXPECT_EQ(r.number, 1);
  EXPECT_EQ(r.text().rfind("region 1 of 'run', shapes ", 0), 0u) << r.text();
  EXPECT_EQ(r.versions, 3);
  EXPECT_EQ(r.misses, 3);
  EXPECT_EQ(r.hits, 4);
  EXPECT_EQ(r.generic, 3);
  EXPECT_EQ(r.evicted + r.failed, 0);
  EXPECT_GT(r.bytes, 0);
  EXPECT_FALSE(r.stopped);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// MATLAB counts in float64: each whole number is a key, all other numbers are one key.
TEST(Regions, IntegralFloatsArePartOfTheKey) {
  std::string text = replaced(region_program, ":id 2 :name n (int64)", ":id 2 :name n (float64)");
  text = replaced(replaced(text, "(name :id 2 (int64))", "(name :id 2 (float64))"), "\n   (int64)) (outtypes",
                  "\n   (float64)) (outtypes");
  Module m = load(sync_options(), text);
  Function f = *m.function("run");
  for (double n : {2.0, 3.0, 2.0, 2.5, 3.5, -0.0, 1e300}) {
    Array a = numbers(4), b = numbers(4);
    ASSERT_TRUE(f(a, b, n));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(b.data_as<double>()[k], k + n);
  }
  EXPECT_EQ(m.regions()[0].misses, 3);
  EXPECT_EQ(m.regions()[0].hits, 4);
}

// Critical arrays of integers: the elements of short ones are part of the key, of long ones only the shape is.
TEST(Regions, ElementsOfShortArraysArePartOfTheKey) {
  const std::string text = replaced(region_program, "(arraytype :layout rowmajor :ndims 1 (float64))",
                                    "(arraytype :layout rowmajor :ndims 1 (int64))");
  std::string ints = replaced(text, "(index :arrayid 1 (float64)", "(index :arrayid 1 (int64)");
  ints = replaced(replaced(ints, "(index :arrayid 0 (float64)", "(index :arrayid 0 (int64)"), "(plus (float64)",
                  "(plus (int64)");
  auto module = std::make_shared<ir::Module>(*with_region(ints));
  auto region = std::make_shared<ir::Function>(*module->functions[1]);
  region->region = ir::Region{{1}, {0}};
  module->functions[1] = region;
  auto m = Engine::create(sync_options())->load(ir::ModulePtr(module));
  ASSERT_TRUE(m) << m.error().text();
  Function f = *m->function("run");
  auto call = [&](int64_t size, int64_t first) {
    const int64_t extents[] = {size};
    Array a = *Array::zeros(Elem::Int64, extents), b = *Array::zeros(Elem::Int64, extents);
    a.data_as<int64_t>()[size - 1] = first;
    EXPECT_TRUE(f(a, b, int64_t{1}));
    EXPECT_EQ(b.data_as<int64_t>()[size - 1], first + 1);
    return m->regions()[0].misses;
  };
  EXPECT_EQ(call(5, 1), 1);
  EXPECT_EQ(call(5, 1), 1);
  EXPECT_EQ(call(5, 2), 2);
  EXPECT_EQ(call(6, 1), 3);
  EXPECT_EQ(call(6, 2), 3);
}

/// A clock that makes the alternating calls of a version and of the general code take the times that the test
/// specifies.
class Trial : public testing::Test {
 protected:
  void SetUp() override {
    version_takes = general_takes = 1000;
    now = reads = 0;
    before_ = std::exchange(engine::region_clock, [] {
      // Read before and after each timed call: first for the version.
      if (++reads % 2 == 0) now += reads / 2 % 2 == 1 ? version_takes : general_takes;
      return now;
    });
  }
  void TearDown() override { engine::region_clock = before_; }
  static Module load_with(int trials) {
    Options o = sync_options();
    o.region_trials = trials;
    return load(o);
  }
  static inline int64_t version_takes, general_takes, now, reads;

 private:
  int64_t (*before_)() = nullptr;
};

TEST_F(Trial, AVersionThatIsSlowerIsDropped) {
  version_takes = 2000;
  Module m = load_with(3);
  Function f = *m.function("run");
  // The call that makes the version, then four of each: the first is a warm-up.
  for (int k = 0; k < 8; ++k) ASSERT_TRUE(run(f, 7, 2));
  EXPECT_EQ(m.regions()[0].dropped, 0);
  EXPECT_EQ(m.regions()[0].versions, 1);
  ASSERT_TRUE(run(f, 7, 2));
  RegionInfo r = m.regions()[0];
  EXPECT_EQ(r.dropped, 1);
  EXPECT_EQ(r.versions, 0);
  EXPECT_EQ(reads, 16);
  EXPECT_NE(r.text().find("1 version dropped: slower than the general code"), std::string::npos) << r.text();
  // Permanently: nothing is compiled or timed again for these arguments; other arguments get their own version.
  const int64_t generic = r.generic;
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(run(f, 7, 2));
  r = m.regions()[0];
  EXPECT_EQ(r.generic, generic + 3);
  EXPECT_EQ(r.misses, 1);
  EXPECT_EQ(reads, 16);
  ASSERT_TRUE(run(f, 8, 2));
  EXPECT_EQ(m.regions()[0].versions, 1);
}

TEST_F(Trial, VersionOfEqualSpeedIsRetained) {
  for (int64_t takes : {100, 1000, 1050}) {
    now = reads = 0;
    version_takes = takes;
    Module m = load_with(3);
    Function f = *m.function("run");
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(run(f, 7, 2));
    const RegionInfo r = m.regions()[0];
    EXPECT_EQ(r.dropped, 0);
    EXPECT_EQ(r.versions, 1);
    EXPECT_EQ(reads, 16) << "timed behind the trial";
    EXPECT_EQ(r.generic, 1 + 4);
    EXPECT_EQ(r.hits, 4 + 11);
  }
}

// The fastest call of each counts: a call that the machine delayed is not representative.
TEST_F(Trial, SingleSlowCallDoesNotDropAVersion) {
  Module m = load_with(3);
  Function f = *m.function("run");
  for (int k = 0; k < 12; ++k) {
    version_takes = k == 3 || k == 5 ? 1000000 : 1000;
    ASSERT_TRUE(run(f, 7, 2));
  }
  EXPECT_EQ(m.regions()[0].dropped, 0);
}

// Calls that fail are not timed, and the trial continues after them.
TEST_F(Trial, CallsWithFaultsAreNotTimed) {
  version_takes = 2000;
  Module m = load_with(3);
  Function f = *m.function("run");
  for (int k = 0; k < 20; ++k) {
    Array a = numbers(9), b = numbers(5);
    EXPECT_FALSE(f(a, b, int64_t{1}));
  }
  EXPECT_EQ(m.regions()[0].dropped, 0);
}

TEST_F(Trial, ZeroTrialsUsesVersionsWithoutTiming) {
  version_takes = 1000000;
  for (int trials : {0, -1}) {  // -1: none with RegionMode::Sync
    Module m = load_with(trials);
    Function f = *m.function("run");
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(run(f, 7, 2));
    EXPECT_EQ(m.regions()[0].versions, 1);
    EXPECT_EQ(m.regions()[0].hits, 19);
  }
  EXPECT_EQ(reads, 0);
}

// Several threads in one trial, with the real clock: results stay right, whatever the decision is.
TEST(Regions, ManyThreadsInATrial) {
  Options o = sync_options();
  o.region_trials = 50;
  Module m = load(o);
  Function f = *m.function("run");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) wrong += !run(f, 16, 3);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  const RegionInfo r = m.regions()[0];
  EXPECT_EQ(r.versions + r.dropped, 1);
}

TEST(Regions, OverlapIsPartOfTheKey) {
  Module m = load(sync_options());
  Function f = *m.function("run");
  EXPECT_TRUE(run(f, 16, 1));
  // The same array twice: what is read is what was just written only at the same place, but it could be elsewhere.
  Array a = numbers(16);
  ASSERT_TRUE(f(a, a, int64_t{1}));
  for (int k = 0; k < 16; ++k) EXPECT_EQ(a.data_as<double>()[k], k + 1);
  EXPECT_EQ(m.regions()[0].versions, 2);
}

// f(p, q, r, s, n): q[i] = p[i - 1] + n, s[i] = r[i - 1] + q[i], from 1 on. Each pattern of aliases among the four
// arrays is a separate key, and its version gives the same results as the source.
TEST(Regions, EachWayOfOverlapIsAKey) {
  const std::string array = "(arraytype :layout rowmajor :ndims 1 (float64))", whole = "(int64)";
  auto name = [&](int id) { return "(name :id " + std::to_string(id) + " " + (id < 4 ? array : whole) + ")"; };
  auto at = [&](int id, const std::string& where) {
    return "(index :arrayid " + std::to_string(id) + " (float64) (indices (index " + where + ")))";
  };
  auto plus = [](const std::string& type, const std::string& a, const std::string& b) {
    return "(plus " + type + " (lhs " + a + ") (rhs " + b + "))";
  };
  std::string types, args, names, symbols;
  for (int id = 0; id < 5; ++id) {
    types += id < 4 ? array : whole;
    args += name(id);
    names += std::to_string(id) + " ";
    symbols += "(sym :id " + std::to_string(id) + " :name " + std::string(1, "pqrsn"[id]) + " " +
               (id < 4 ? array : whole) + ")";
  }
  const std::string before = plus(whole, name(5), "(realconst :ival -1 (int64))");
  const std::string head = "(functype (intypes " + types + ") (outtypes (int64))) (arglist " + names + ")";
  const std::string text = "(module :name m (fns (function :name run " + head +
                           "(body (returnstmt (exprs (fncall :fnname run_pir0 (int64) (args " + args +
                           "))))) (symtable " + symbols + ")) (function :name run_pir0 " + head +
                           "(body (forstmt (itervars 5) (loopdomain (domain (domaintype :ndims 1 (int64)) (range "
                           ":exclude %1 (start (realconst :ival 1 "
                           "(int64))) (stop (dim :arrayid 0 :dimid 0 (int64)))))) (body (assignstmt (lhs " +
                           at(1, name(5)) + ") (rhs " + plus("(float64)", at(0, before), name(4)) +
                           ")) (assignstmt (lhs " + at(3, name(5)) + ") (rhs " +
                           plus("(float64)", at(2, before), at(1, name(5))) +
                           ")))) (returnstmt (exprs (dim :arrayid 0 :dimid 0 (int64))))) (symtable " + symbols +
                           "(sym :id 5 :name i (int64))))))";
  auto parsed = ir::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().text();
  auto with = std::make_shared<ir::Module>(**parsed);
  auto region = std::make_shared<ir::Function>(*with->functions[1]);
  region->region = ir::Region{{0, 1, 2, 3}, {4}, "run", 1};
  with->functions[1] = region;
  Options o = sync_options();
  o.region_versions = 100;
  auto engine = Engine::create(o);
  ASSERT_TRUE(engine) << engine.error().text();
  auto m = engine->load(with);
  ASSERT_TRUE(m) << m.error().text();
  auto run = m->function("run");
  ASSERT_TRUE(run);

  int ways = 0;
  // Twice each: a region whose arguments are always new makes no more versions.
  for (int call = 0; call < 512; ++call) {
    const int code = call / 2;
    const int which[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
    int next = 0;  // the first of each kind in rising order: each way once
    bool once = true;
    for (int k : which) {
      once = once && k <= next;
      next += k == next;
    }
    if (!once) continue;
    ++ways;
    const int n = 16;
    std::vector<Array> arrays;
    std::vector<std::vector<double>> want;
    for (int k = 0; k < 4; ++k) {
      arrays.push_back(numbers(n));
      want.emplace_back();
      for (int i = 0; i < n; ++i) want.back().push_back(i);
    }
    auto& p = want[static_cast<size_t>(which[0])];
    auto& q = want[static_cast<size_t>(which[1])];
    auto& r = want[static_cast<size_t>(which[2])];
    auto& s = want[static_cast<size_t>(which[3])];
    for (size_t i = 1; i < n; ++i) {
      q[i] = p[i - 1] + 3;
      s[i] = r[i - 1] + q[i];
    }
    auto given = [&](int k) { return arrays[static_cast<size_t>(which[k])]; };
    ASSERT_TRUE((*run)(given(0), given(1), given(2), given(3), int64_t{3}));
    for (size_t k = 0; k < 4; ++k)
      for (size_t i = 0; i < n; ++i)
        ASSERT_EQ(arrays[k].data_as<double>()[i], want[k][i]) << "ways " << code << ", array " << k << "[" << i << "]";
  }
  EXPECT_EQ(ways, 2 * 15);
  EXPECT_EQ(m->regions()[0].misses, 15);
  EXPECT_EQ(m->regions()[0].hits, 15);
}

TEST(Regions, ErrorsAreThoseOfTheSource) {
  Options o = sync_options();
  Module m = load(o);
  o.regions = RegionMode::Off;
  Module plain = load(o);
  for (int round = 0; round < 2; ++round) {
    Array a = numbers(9), b = numbers(5), c = numbers(9), d = numbers(5);
    auto wrong = (*m.function("run"))(a, b, int64_t{1}), same = (*plain.function("run"))(c, d, int64_t{1});
    ASSERT_FALSE(wrong);
    ASSERT_FALSE(same);
    EXPECT_EQ(wrong.error().text(), same.error().text());
    for (int k = 0; k < 5; ++k) EXPECT_EQ(b.data_as<double>()[k], d.data_as<double>()[k]);
  }
  EXPECT_EQ(m.regions()[0].hits, 1);
}

TEST(Regions, LeastRecentlyUsedVersionIsEvicted) {
  Options o = sync_options();
  o.region_versions = 2;
  Module m = load(o);
  Function f = *m.function("run");
  EXPECT_TRUE(run(f, 3, 0));
  EXPECT_TRUE(run(f, 4, 0));
  EXPECT_TRUE(run(f, 3, 0));  // 4 is the less recently used one now
  EXPECT_TRUE(run(f, 5, 0));
  EXPECT_TRUE(run(f, 3, 0));
  RegionInfo r = m.regions()[0];
  EXPECT_EQ(r.versions, 2);
  EXPECT_EQ(r.evicted, 1);
  EXPECT_EQ(r.misses, 3);
  EXPECT_TRUE(run(f, 4, 0));
  EXPECT_EQ(m.regions()[0].misses, 4);
}

TEST(Regions, BytesOfVersionsStayWithinTheLimit) {
  Options o = sync_options();
  o.region_bytes = 1;
  Module m = load(o);
  Function f = *m.function("run");
  for (int64_t size : {3, 4, 3, 4}) EXPECT_TRUE(run(f, size, 0));
  EXPECT_EQ(m.regions()[0].versions, 1);
  EXPECT_EQ(m.regions()[0].evicted, 3);
}

TEST(Regions, ArgumentsThatKeepChangingStopIt) {
  Module m = load(sync_options());
  Function f = *m.function("run");
  for (int64_t size = 1; size <= 30; ++size) EXPECT_TRUE(run(f, size, 0));
  const RegionInfo r = m.regions()[0];
  EXPECT_TRUE(r.stopped);
  EXPECT_EQ(r.misses, 8);
  EXPECT_EQ(r.versions, 5);
  EXPECT_TRUE(run(f, 8, 0));  // existing versions are kept
  EXPECT_EQ(m.regions()[0].hits, 1);
}

TEST(Regions, MadeInTheBackground) {
  Options o = sync_options();
  o.regions = RegionMode::Background;
  Module m = load(o);
  Function f = *m.function("run");
  EXPECT_TRUE(run(f, 6, 1));
  EXPECT_TRUE(run(f, 6, 1));
  m.wait();
  EXPECT_TRUE(run(f, 6, 1));
  const RegionInfo r = m.regions()[0];
  EXPECT_EQ(r.versions, 1);
  EXPECT_EQ(r.misses, 1);
  EXPECT_GE(r.hits, 1);
}

TEST(Regions, WithTiers) {
  Options o = sync_options();
  o.regions = RegionMode::Background;
  o.tiered = true;
  Module m = load(o);
  Function f = *m.function("run");
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(run(f, 6, 1));
  m.wait();
  EXPECT_TRUE(run(f, 6, 1));
  EXPECT_GE(m.regions()[0].hits, 1);
}

TEST(Regions, ManyThreadsShareFewVersions) {
  Options o = sync_options();
  o.region_versions = 1;
  for (RegionMode mode : {RegionMode::Sync, RegionMode::Background}) {
    o.regions = mode;
    Module m = load(o);
    Function f = *m.function("run");
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int k = 0; k < 60; ++k) wrong += !run(f, 4 + (k / 7 + t) % 3, k % 2);
      });
    for (std::thread& t : threads) t.join();
    m.wait();
    EXPECT_EQ(wrong, 0);
    const RegionInfo r = m.regions()[0];
    EXPECT_LE(r.versions, 1);
    // In Sync mode, a call of a thread that waited for another thread's version counts as a call of the general code.
    EXPECT_EQ(r.hits + r.generic, 8 * 60);
  }
}

TEST(Regions, UnloadDuringBackgroundCompilation) {
  Options o = sync_options();
  o.regions = RegionMode::Background;
  for (int k = 0; k < 20; ++k) {
    Module m = load(o);
    EXPECT_TRUE(run(*m.function("run"), 5 + k, 0));
  }
}

TEST(Regions, ForkedChildCompilesVersions) {
  Options o = sync_options();
  o.regions = RegionMode::Background;
  Module m = load(o);
  Function f = *m.function("run");
  EXPECT_TRUE(run(f, 6, 1));
  const pid_t child = fork();
  if (child == 0) {
    bool ok = run(f, 6, 1) && run(f, 7, 1);
    m.wait();
    ok = ok && run(f, 6, 1) && run(f, 7, 1) && m.regions()[0].hits >= 2;
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Regions, VersionsAreKeptOnDisk) {
  const std::string directory = ::testing::TempDir() + "region_cache" + std::to_string(getpid());
  const char* before = std::getenv("VR_CACHE_DIR");
  const std::string saved = before ? before : "";
  setenv("VR_CACHE_DIR", directory.c_str(), 1);
  auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator());
  };
  Options o = sync_options();
  o.disk_cache = true;
  {
    Module m = load(o);
    EXPECT_TRUE(run(*m.function("run"), 6, 1));
    EXPECT_EQ(files(), 2);
  }
  Module m = load(o);
  EXPECT_TRUE(m.compile_info().from_cache);
  for (int k = 0; k < 2; ++k) EXPECT_TRUE(run(*m.function("run"), 6, 1));
  EXPECT_EQ(m.regions()[0].hits, 1);
  EXPECT_EQ(files(), 2);
  EXPECT_TRUE(run(*m.function("run"), 7, 1));
  EXPECT_EQ(files(), 3);
  before ? setenv("VR_CACHE_DIR", saved.c_str(), 1) : unsetenv("VR_CACHE_DIR");
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace vr
