#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <velociraptor/array.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "arrays.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/pool.hpp"
#include "second_host.hpp"

namespace vr::runtime {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// While this object exists, the process can allocate at most `more` bytes in addition.
class MemoryLimit {
 public:
  explicit MemoryLimit(int64_t more) {
    getrlimit(RLIMIT_AS, &before_);
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + more);
    setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;

 private:
  rlimit before_;
};
#endif

TEST(Pool, BlocksAreAlignedLargeEnoughAndDistinct) {
  std::vector<void*> blocks;
  for (int64_t bytes = 1; bytes < (int64_t{3} << 20); bytes = bytes * 5 / 4 + 1) {
    void* p = pool_allocate(bytes, false);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
    EXPECT_GE(pool_capacity(p), bytes);
    EXPECT_LE(pool_capacity(p), bytes + bytes / 4 + 1024 + (bytes >= 900000 ? 200000 : 0));
    pool_use(p, pool_capacity(p));
    std::memset(p, int(blocks.size()), static_cast<size_t>(pool_capacity(p)));
    std::memset(pool_room(p), int(blocks.size()), pool_room_bytes);
    blocks.push_back(p);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto* bytes = static_cast<unsigned char*>(blocks[i]);
    EXPECT_EQ(bytes[0], static_cast<unsigned char>(i));
    EXPECT_EQ(bytes[pool_capacity(blocks[i]) - 1], static_cast<unsigned char>(i));
    pool_free(blocks[i]);
  }
}

#if defined(__SANITIZE_ADDRESS__)
TEST(PoolDeathTest, OnlyTheBytesInUseMayBeTouched) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (int64_t bytes : {int64_t{1}, int64_t{20}, int64_t{64}, int64_t{5000}, int64_t{3} << 20}) {
    auto* p = static_cast<volatile char*>(pool_allocate(bytes, false));
    p[0] = p[bytes - 1] = 1;
    EXPECT_DEATH(p[bytes] = 1, "AddressSanitizer") << bytes;
    EXPECT_DEATH(p[-1] = 1, "AddressSanitizer") << bytes;
    pool_use(const_cast<char*>(p), pool_capacity(const_cast<char*>(p)));
    p[pool_capacity(const_cast<char*>(p)) - 1] = 1;
    pool_free(const_cast<char*>(p));
    EXPECT_DEATH(p[0] = 1, "AddressSanitizer") << bytes;
  }
}
#endif

TEST(Pool, ReusesSmallAndLargeBlocks) {
  for (int64_t bytes : {int64_t{100}, int64_t{5000}, int64_t{300000}, int64_t{4} << 20}) {
    void* p = pool_allocate(bytes, false);
    pool_free(p);
    const int64_t reused = pool_stats().reused;
    void* q = pool_allocate(bytes, false);
    EXPECT_EQ(q, p) << bytes;
    EXPECT_EQ(pool_stats().reused, reused + 1) << bytes;
    pool_free(q);
  }
}

TEST(Pool, LargeBlocksAreReusedOnlyForSizesThatFit) {
  const int64_t before = pool_bound();
  for (int64_t bytes : {int64_t{2} << 20, int64_t{5} << 20}) {
    // Only retained blocks: another block cannot have the address of a retained one.
    for (int64_t more : {int64_t{1}, bytes / 100, bytes / 8, bytes / 5, bytes / 4}) {
      void* p = pool_allocate(bytes, false);
      const int64_t room = pool_capacity(p);
      pool_free(p);
      void* q = pool_allocate(room + more, false);
      EXPECT_NE(q, p) << bytes << " and " << more;
      EXPECT_GE(pool_capacity(q), room + more);
      pool_free(q);
      void* less = pool_allocate(room - more / 2, false);
      EXPECT_TRUE(less == p || less == q) << bytes << " less " << more / 2;
      pool_free(less);
      pool_set_bound(0);  // releases the others
      pool_set_bound(before);
    }
  }
}

TEST(Pool, ZeroedBlocksAreZeroAlsoWhenReused) {
  for (int64_t bytes : {int64_t{64}, int64_t{10000}, int64_t{3} << 20}) {
    for (int round = 0; round < 3; ++round) {
      auto* p = static_cast<unsigned char*>(pool_allocate(bytes, true));
      for (int64_t i = 0; i < bytes; ++i) ASSERT_EQ(p[i], 0);
      std::memset(p, 0xff, static_cast<size_t>(bytes));
      pool_free(p);
    }
  }
}

TEST(Pool, FreeMemoryStaysWithinTheLimit) {
  const int64_t before = pool_bound();
  pool_set_bound(int64_t{8} << 20);
  std::vector<void*> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back(pool_allocate(int64_t{1} << 20, false));
  for (int i = 0; i < 2000; ++i) blocks.push_back(pool_allocate(20000, false));
  for (void* p : blocks) pool_free(p);
  EXPECT_LE(pool_stats().cached_bytes, int64_t{8} << 20);
  EXPECT_GT(pool_stats().cached_bytes, 0);
  // The newest blocks are retained: a request of the current size is served, although blocks of other sizes came first.
  void* p = pool_allocate(int64_t{3} << 20, false);
  pool_free(p);
  const int64_t reused = pool_stats().reused;
  pool_free(pool_allocate(int64_t{3} << 20, false));
  EXPECT_EQ(pool_stats().reused, reused + 1);
  pool_set_bound(0);
  EXPECT_EQ(pool_stats().cached_bytes, 0);
  pool_free(pool_allocate(100, false));
  pool_free(pool_allocate(int64_t{2} << 20, false));
  EXPECT_EQ(pool_stats().cached_bytes, 0);
  pool_set_bound(before);
}

TEST(Pool, SmallFreeBlocksAreReleasedForLargeOnes) {
  const int64_t before = pool_bound();
  pool_set_bound(int64_t{8} << 20);
  std::vector<void*> blocks;
  for (int i = 0; i < 30000; ++i) blocks.push_back(pool_allocate(500, false));
  for (void* p : blocks) pool_free(p);
  EXPECT_GT(pool_stats().cached_bytes, int64_t{6} << 20);
  pool_free(pool_allocate(int64_t{5} << 20, false));
  const int64_t reused = pool_stats().reused;
  pool_free(pool_allocate(int64_t{5} << 20, false));
  EXPECT_EQ(pool_stats().reused, reused + 1);
  EXPECT_LE(pool_stats().cached_bytes, int64_t{8} << 20);
  pool_set_bound(before);
}

TEST(Pool, EverySizeHasTheSmallestBlockOfItsKind) {
  int64_t capacity = 0;
  for (int64_t bytes = 0; bytes < 70000; bytes += bytes < 3000 ? 1 : 61) {
    void* p = pool_allocate(bytes, false);
    ASSERT_GE(pool_capacity(p), bytes);
    ASSERT_GE(pool_capacity(p), capacity) << bytes;  // never less than for a smaller request
    ASSERT_EQ(pool_capacity(p) % 64, 0);
    capacity = pool_capacity(p);
    pool_free(p);
    void* exact = pool_allocate(capacity, false);
    ASSERT_EQ(exact, p) << bytes;  // its whole capacity is in the same size class
    pool_free(exact);
  }
}

/// A child that is forked while other threads allocate can allocate, free and exit; the counts of the missing threads
/// stay.
TEST(Pool, ForkedChildrenGoOn) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP()
      << "AddressSanitizer's own allocator may stay locked in the child, also in a program with nothing but malloc";
#endif
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      std::vector<void*> some(50);
      while (!stop) {
        for (size_t i = 0; i < some.size(); ++i) some[i] = pool_allocate(int64_t(i) * 4000, false);
        for (void* p : some) pool_free(p);
      }
    });
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      for (int64_t bytes = 1; bytes < (int64_t{4} << 20); bytes *= 2) pool_free(pool_allocate(bytes, true));
#if !defined(__SANITIZE_THREAD__)  // TSan does not allow threads there
      std::thread([] { pool_free(pool_allocate(5000, true)); }).join();
#endif
      _exit(pool_stats().live_blocks >= 0 ? 7 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST(Pool, OverflowingSizesGiveNull) {
  EXPECT_EQ(pool_allocate(-1, false), nullptr);
  EXPECT_EQ(pool_allocate(INT64_MAX, false), nullptr);
  EXPECT_EQ(pool_allocate(int64_t{1} << 60, true), nullptr);
}

TEST(Pool, BlocksMayBeFreedByOtherThreads) {
  const int64_t live = pool_stats().live_blocks;
  std::vector<std::thread> threads;
  std::vector<std::vector<void*>> made(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&made, t] {
      for (int i = 0; i < 2000; ++i) {
        auto* p = static_cast<int*>(pool_allocate(i % 700 * 37, false));
        made[t].push_back(p);
        if (i % 3 == 0) {
          pool_free(made[t].back());
          made[t].pop_back();
        }
      }
    });
  }
  for (std::thread& t : threads) t.join();
  std::set<void*> distinct;
  for (auto& list : made) distinct.insert(list.begin(), list.end());
  EXPECT_EQ(distinct.size(), made[0].size() * 4);
  threads.clear();
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&made, t] {
      for (void* p : made[(t + 1) % 4]) pool_free(p);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(pool_stats().live_blocks, live);
}

TEST(Pool, FreeBlocksOfAnEndedThreadAreReturned) {
  // More than one thread's cache may hold, of a size that nothing else here uses, allocated and freed by threads that
  // end.
  constexpr int blocks = 40, bytes = 3000;
  auto some = [] {
    std::vector<void*> all;
    for (int k = 0; k < blocks; ++k) all.push_back(pool_allocate(bytes, false));
    for (void* p : all) pool_free(p);
  };
  std::thread(some).join();
  const int64_t fresh = pool_stats().fresh;
  for (int k = 0; k < 20; ++k) std::thread(some).join();
  EXPECT_EQ(pool_stats().fresh, fresh) << "each thread took blocks with it";
}

// ---------------------------------------------------------------- owners

TEST(Owner, LastReferenceFrees) {
  const int64_t live = pool_stats().live_blocks;
  vr_owner* owner = make_engine_owner(1000, false);
  EXPECT_EQ(pool_stats().live_blocks, live + 1);
  EXPECT_GE(owner->bytes, 1000);
  EXPECT_TRUE(is_unique(owner));
  vr_rt_retain(owner);
  EXPECT_FALSE(is_unique(owner));
  vr_rt_release(owner);
  EXPECT_EQ(pool_stats().live_blocks, live + 1);
  vr_rt_release(owner);
  EXPECT_EQ(pool_stats().live_blocks, live);
  vr_rt_retain(nullptr);
  vr_rt_release(nullptr);
}

TEST(Owner, BorrowedIsNeverUniqueOrFreed) {
  vr_owner owner{};
  init_borrowed_owner(&owner, nullptr, nullptr);
  EXPECT_FALSE(is_unique(&owner));
  vr_rt_retain(&owner);
  vr_rt_release(&owner);
  vr_rt_release(&owner);
  vr_rt_release(&owner);
  EXPECT_EQ(owner.refs.load(), 1);  // memory that is never freed has no reference count
}

/// A host that counts, and checks that its lock is held.
struct CountingHost {
  int live = 0, locked = 0, locks = 0, refuse_after = -1;
  HostBinding binding = builtin_binding();
  CountingHost() {
    binding.name = "counting";
    binding.context = this;
    binding.allocate = [](void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) -> void* {
      auto& h = *static_cast<CountingHost*>(c);
      EXPECT_EQ(h.locked, 1);
      if (h.refuse_after >= 0 && h.refuse_after-- == 0) return nullptr;
      void* object = builtin_binding().allocate(nullptr, elem, rank, extents, layout);
      if (object) ++h.live;
      return object;
    };
    binding.retain = [](void* c, void* object) {
      EXPECT_EQ(static_cast<CountingHost*>(c)->locked, 1);
      builtin_binding().retain(nullptr, object);
    };
    binding.release = [](void* c, void* object) {
      auto& h = *static_cast<CountingHost*>(c);
      EXPECT_EQ(h.locked, 1);
      if (static_cast<ArrayObject*>(object)->refs.load() == 1) --h.live;
      builtin_binding().release(nullptr, object);
    };
    binding.view = nullptr;
    binding.take_lock = [](void* c) {
      ++static_cast<CountingHost*>(c)->locked, ++static_cast<CountingHost*>(c)->locks;
    };
    binding.release_lock = [](void* c) { --static_cast<CountingHost*>(c)->locked; };
  }
};

TEST(Owner, HostObjectsBalanceUnderTheLock) {
  CountingHost host;
  vr_context ctx;
  ctx.host = &host.binding;
  const int64_t live = pool_stats().live_blocks;
  const int64_t extents[] = {3, 4};
  for (int32_t fill : {VR_FILL_NONE, VR_FILL_ZERO, VR_FILL_ONE}) {
    vr_array a;
    ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_COLMAJOR, fill, VR_IN_HOST), VR_OK);
    EXPECT_EQ(a.owner->host, &host.binding);
    EXPECT_EQ(a.stride[1], 24);
    EXPECT_EQ(host.live, 1);
    if (fill != VR_FILL_NONE) {
      for (int i = 0; i < 12; ++i) EXPECT_EQ(static_cast<double*>(a.data)[i], fill == VR_FILL_ONE ? 1.0 : 0.0);
    }
    vr_rt_retain(a.owner);
    vr_rt_release(a.owner);
    EXPECT_EQ(host.live, 1);
    vr_rt_release(a.owner);
    EXPECT_EQ(host.live, 0);
  }
  EXPECT_EQ(host.locked, 0);
  EXPECT_EQ(host.locks, 6);
  host.refuse_after = 0;
  vr_array a;
  EXPECT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_NONE, VR_IN_HOST),
            VR_OUT_OF_MEMORY);
  EXPECT_EQ(ctx.error.code, VR_OUT_OF_MEMORY);
  EXPECT_EQ(pool_stats().live_blocks, live);
}

// A sort makes two arrays: the first one is released if there is no memory for the second.
TEST(Owner, SortWithoutMemoryForPositionsLeaksNothing) {
  CountingHost host;
  vr_context ctx;
  ctx.host = &host.binding;
  const int64_t live = pool_stats().live_blocks;
  double numbers[] = {3, 1, 2};
  vr_array a = {};
  a.data = numbers;
  a.elem = VR_FLOAT64;
  a.rank = 1;
  a.extent[0] = 3;
  a.stride[0] = 8;
  for (int refused : {0, 1}) {
    host.refuse_after = refused;
    ctx.error = {};
    vr_array values = {}, positions = {};
    EXPECT_EQ(vr_rt_sort_index(&ctx, &test::site, &a, &values, &positions, 0, 0, VR_ROWMAJOR, VR_IN_HOST),
              VR_OUT_OF_MEMORY);
    EXPECT_EQ(host.live, 0) << refused;
  }
  host.refuse_after = -1;
  vr_array values = {}, positions = {};
  ASSERT_EQ(vr_rt_sort_index(&ctx, &test::site, &a, &values, &positions, 0, 0, VR_ROWMAJOR, VR_IN_HOST), VR_OK);
  EXPECT_EQ(host.live, 2);
  vr_rt_release(values.owner);
  vr_rt_release(positions.owner);
  EXPECT_EQ(host.live, 0);
  EXPECT_EQ(pool_stats().live_blocks, live);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The same, and its working memory, with more and more memory: each allocation in turn is the first one that fails.
TEST(Owner, SortReleasesItsMemoryAfterEachFailedAllocation) {
  constexpr int64_t n = 1 << 20, step = int64_t{4} << 20;
  const int64_t bound = pool_bound();
  pool_set_bound(0);
  std::vector<double> numbers(2 * n, 1);
  vr_array a = {};
  a.data = numbers.data();
  a.elem = VR_FLOAT64;
  a.rank = 2;
  a.extent[0] = n;
  a.extent[1] = 2;
  a.stride[0] = 16;
  a.stride[1] = 8;
  for (const bool with_positions : {false, true}) {
    const int64_t live = pool_stats().live_blocks;
    int without = 0, sorted = 0;
    for (int64_t more = 0; more <= 30 * step; more += step) {
      vr_context ctx;
      vr_array values = {}, positions = {};
      int32_t status = VR_OK;
      {
        const MemoryLimit limit(more);
        status = with_positions
                     ? vr_rt_sort_index(&ctx, &test::site, &a, &values, &positions, 0, 0, VR_ROWMAJOR, VR_IN_ENGINE)
                     : vr_rt_sort(&ctx, &test::site, &a, &values, 0, VR_ROWMAJOR, VR_IN_ENGINE);
      }
      if (status == VR_OK) {
        ++sorted;
        vr_rt_release(values.owner);
        if (with_positions) vr_rt_release(positions.owner);
      } else {
        ++without;
        ASSERT_EQ(status, VR_OUT_OF_MEMORY);
      }
      ASSERT_EQ(pool_stats().live_blocks, live) << "with " << more << " bytes";
    }
    EXPECT_GT(without, with_positions ? 9 : 5);
    EXPECT_GT(sorted, 0);
  }
  pool_set_bound(bound);
}
#endif

TEST(Owner, HostWithOneLayoutGetsEngineStorageForTheOther) {
  HostBinding host = second::binding();
  vr_context ctx;
  ctx.host = &host;
  const int64_t extents[] = {2, 3};
  vr_array a;
  ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_ZERO, VR_IN_HOST), VR_OK);
  EXPECT_EQ(a.owner->host, nullptr);
  EXPECT_EQ(a.stride[0], 24);
  EXPECT_EQ(second::live, 0);
  vr_rt_release(a.owner);
  ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_COLMAJOR, VR_FILL_ZERO, VR_IN_HOST), VR_OK);
  EXPECT_EQ(a.owner->host, &host);
  EXPECT_EQ(second::live, 1);
  vr_rt_release(a.owner);
  EXPECT_EQ(second::live, 0);
}

/// Under the built-in host, an array that will be returned is in the engine's storage, which its object takes over.
TEST(Owner, ObjectsOfTheBuiltInHostAdoptStorage) {
  vr_context ctx;
  ctx.host = &builtin_binding();
  const int64_t live = pool_stats().live_blocks;
  const int64_t extents[] = {3, 4};
  vr_array a;
  ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_COLMAJOR, VR_FILL_ONE, VR_IN_HOST), VR_OK);
  EXPECT_EQ(pool_stats().live_blocks, live + 1);
  EXPECT_TRUE(is_unique(a.owner));
  vr_array row = a;
  row.data = static_cast<char*>(a.data) + 8;
  row.extent[0] = 1;
  void *whole = nullptr, *again = nullptr, *part = nullptr;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &a, ir::Layout::ColMajor, false, &whole), VR_OK);
  ASSERT_EQ(to_host_object(&ctx, &test::site, &a, ir::Layout::ColMajor, true, &again), VR_OK);
  EXPECT_EQ(whole, again);
  ASSERT_EQ(to_host_object(&ctx, &test::site, &row, ir::Layout::ColMajor, true, &part), VR_OK);
  vr_rt_release(a.owner);
  Array first = Array::adopt(static_cast<ArrayObject*>(whole)), second = Array::adopt(static_cast<ArrayObject*>(again));
  EXPECT_EQ(first.data(), a.data);
  EXPECT_EQ(first.use_count(), 3);  // two results, and the part's base
  EXPECT_EQ(first.strides()[1], 24);
  first = second = {};
  Array view = Array::adopt(static_cast<ArrayObject*>(part));
  EXPECT_EQ(view.extent(0), 1);
  EXPECT_EQ(*view.data_as<double>(), 1.0);
  EXPECT_EQ(view.object()->base->refs.load(), 1);
  view = {};
  EXPECT_EQ(pool_stats().live_blocks, live);

  // A slice that is returned before the whole array also shares its storage, if slices are views.
  ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_ZERO, VR_IN_HOST), VR_OK);
  row = a;
  row.extent[0] = 2;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &row, ir::Layout::RowMajor, true, &part), VR_OK);
  ASSERT_EQ(to_host_object(&ctx, &test::site, &a, ir::Layout::RowMajor, true, &whole), VR_OK);
  vr_rt_release(a.owner);
  view = Array::adopt(static_cast<ArrayObject*>(part));
  first = Array::adopt(static_cast<ArrayObject*>(whole));
  EXPECT_EQ(view.data(), first.data());
  EXPECT_EQ(view.extent(0), 2);
  EXPECT_EQ(first.extent(0), 3);
  view = {};
  first.data_as<double>()[11] = 5;
  first = {};
  EXPECT_EQ(pool_stats().live_blocks, live);

  // A small slice of an array that stays in the engine is copied, so that it does not keep the whole array alive.
  const int64_t many = 100000;
  ASSERT_EQ(vr_rt_alloc(&ctx, &test::site, &a, VR_FLOAT64, 1, &many, VR_ROWMAJOR, VR_FILL_ONE, VR_IN_ENGINE), VR_OK);
  row = a;
  row.extent[0] = 3;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &row, ir::Layout::RowMajor, true, &part), VR_OK);
  view = Array::adopt(static_cast<ArrayObject*>(part));
  EXPECT_NE(view.data(), a.data);
  ASSERT_EQ(to_host_object(&ctx, &test::site, &a, ir::Layout::RowMajor, true, &whole), VR_OK);
  vr_rt_release(a.owner);
  first = Array::adopt(static_cast<ArrayObject*>(whole));
  EXPECT_EQ(first.data(), a.data);
  EXPECT_EQ(first.use_count(), 1);
  view = first = {};
  EXPECT_EQ(pool_stats().live_blocks, live);
}

TEST(Owner, ToHostObject) {
  CountingHost host;
  vr_context ctx;
  ctx.host = &host.binding;
  // An engine array is copied.
  vr_array a = test::engine_array(ctx, VR_FLOAT64, {2, 3});
  test::number(a);
  void* object = nullptr;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &a, ir::Layout::ColMajor, false, &object), VR_OK);
  vr_array made;
  ASSERT_EQ(read_descriptor(host.binding, object, &made), VR_OK);
  EXPECT_EQ(made.stride[1], 16);
  EXPECT_TRUE(test::same_elements(a, made));
  vr_rt_release(a.owner);
  // If all of an object is returned, it is the same object: one more reference, no copy.
  made.owner = make_host_owner(&host.binding, object);
  void* same = nullptr;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &made, ir::Layout::ColMajor, false, &same), VR_OK);
  EXPECT_EQ(same, object);
  EXPECT_EQ(static_cast<ArrayObject*>(object)->refs.load(), 2);
  // The same elements in another shape need another object.
  vr_array square = made;
  square.extent[1] = 2;
  void* straight = nullptr;
  void* across = nullptr;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &square, ir::Layout::ColMajor, false, &straight), VR_OK);
  vr_array whole;
  ASSERT_EQ(read_descriptor(host.binding, straight, &whole), VR_OK);
  whole.owner = make_host_owner(&host.binding, straight);
  vr_array turned = whole;
  std::swap(turned.stride[0], turned.stride[1]);
  ASSERT_EQ(to_host_object(&ctx, &test::site, &turned, ir::Layout::ColMajor, false, &across), VR_OK);
  EXPECT_NE(across, straight);
  vr_array transposed;
  ASSERT_EQ(read_descriptor(host.binding, across, &transposed), VR_OK);
  EXPECT_TRUE(test::same_elements(turned, transposed));
  vr_rt_release(whole.owner);
  {
    HostLock lock(host.binding);
    host.binding.release(&host, across);
  }
  // A slice is a copy without views, a view with them.
  vr_array part = made;
  part.extent[0] = 1;
  void* other = nullptr;
  ASSERT_EQ(to_host_object(&ctx, &test::site, &part, ir::Layout::ColMajor, true, &other), VR_OK);
  EXPECT_EQ(static_cast<ArrayObject*>(other)->base, nullptr);
  EXPECT_EQ(host.live, 2);
  {
    HostLock lock(host.binding);
    host.binding.release(&host, other);
  }
  host.binding.view = [](void*, void* base, const vr_array* shape) {
    return builtin_binding().view(nullptr, base, shape);
  };
  ASSERT_EQ(to_host_object(&ctx, &test::site, &part, ir::Layout::ColMajor, true, &other), VR_OK);
  EXPECT_EQ(static_cast<ArrayObject*>(other)->base, object);
  builtin_binding().release(nullptr, other);
  {
    HostLock lock(host.binding);
    host.binding.release(&host, same);
  }
  vr_rt_release(made.owner);
  EXPECT_EQ(host.live, 0);
}

TEST(Alloc, ArraysOfEachTypeLayoutAndFill) {
  vr_context ctx;
  for (int32_t elem : {0, 1, 2, 3, 4, 16, 17, 18, 19, 20}) {
    vr_array a = test::engine_array(ctx, elem, {3, 5}, VR_COLMAJOR, VR_FILL_ONE);
    EXPECT_EQ(a.elem, elem);
    EXPECT_EQ(a.stride[1], 3 * element_bytes(elem));
    const auto width = static_cast<size_t>(element_bytes(elem));
    std::vector<char> one(width, 0);
    const int32_t i32 = 1;
    const int64_t i64 = 1;
    const float f32 = 1;
    const double f64 = 1;
    switch (elem & ~VR_COMPLEX) {
      case VR_BOOL:
        one[0] = 1;
        break;
      case VR_INT32:
        std::memcpy(one.data(), &i32, 4);
        break;
      case VR_INT64:
        std::memcpy(one.data(), &i64, 8);
        break;
      case VR_FLOAT32:
        std::memcpy(one.data(), &f32, 4);
        break;
      default:
        std::memcpy(one.data(), &f64, 8);
        break;
    }
    for (int64_t i = 0; i < 15; ++i) {
      EXPECT_EQ(std::memcmp(static_cast<char*>(a.data) + i * element_bytes(elem), one.data(), width), 0) << elem;
    }
    vr_rt_release(a.owner);
  }
}

TEST(Alloc, StorageOfTheOldValueIsReused) {
  vr_context ctx;
  ctx.host = &builtin_binding();
  const int64_t live = pool_stats().live_blocks;
  auto alloc_for = [&](vr_array& old, vr_array& out, std::vector<int64_t> extents, int32_t where = VR_IN_ENGINE) {
    return vr_rt_alloc_for(&ctx, &test::site, &old, &out, VR_FLOAT64, static_cast<int32_t>(extents.size()),
                           extents.data(), VR_COLMAJOR, where);
  };
  vr_array a = test::engine_array(ctx, VR_FLOAT64, {40, 50}), b, c;
  // Reused: the same size in another shape, and for another kind of use.
  ASSERT_EQ(alloc_for(a, b, {50, 40}), VR_OK);
  EXPECT_EQ(b.data, a.data);
  EXPECT_EQ(a.owner, nullptr);
  EXPECT_EQ(a.extent[0], 40);
  EXPECT_EQ(b.stride[1], 400);
  EXPECT_TRUE(is_unique(b.owner));
  ASSERT_EQ(alloc_for(b, c, {2000}, VR_IN_HOST), VR_OK);
  EXPECT_EQ(c.data, a.data);
  EXPECT_EQ(c.owner->host, ctx.host);
  EXPECT_EQ(pool_stats().live_blocks, live + 1);
  // Not reused: too large, much too small, shared, a view, borrowed, empty, an object of a host.
  for (int64_t n : {int64_t{40000}, int64_t{3}}) {
    ASSERT_EQ(alloc_for(c, b, {n}), VR_OK);
    EXPECT_NE(b.data, c.data);
    EXPECT_TRUE(is_unique(c.owner));
    vr_rt_release(b.owner);
  }
  vr_rt_retain(c.owner);
  ASSERT_EQ(alloc_for(c, b, {2000}), VR_OK);
  EXPECT_NE(b.data, c.data);
  vr_rt_release(b.owner);
  vr_rt_release(c.owner);
  vr_array view = c;
  view.data = static_cast<char*>(c.data) + 8;
  ASSERT_EQ(alloc_for(view, b, {1999}), VR_OK);
  EXPECT_NE(b.data, view.data);
  vr_rt_release(b.owner);
  vr_owner borrowed;
  init_borrowed_owner(&borrowed, nullptr, nullptr);
  vr_array foreign = c;
  foreign.owner = &borrowed;
  ASSERT_EQ(alloc_for(foreign, b, {2000}), VR_OK);
  EXPECT_NE(b.data, c.data);
  vr_rt_release(b.owner);
  foreign.owner = nullptr;
  ASSERT_EQ(alloc_for(foreign, b, {2000}), VR_OK);
  EXPECT_NE(b.data, c.data);
  vr_rt_release(b.owner);
  CountingHost other;
  ctx.host = &other.binding;
  ASSERT_EQ(alloc_for(c, b, {2000}, VR_IN_HOST), VR_OK);
  EXPECT_EQ(other.live, 1);
  EXPECT_NE(b.data, c.data);
  vr_array d;
  ASSERT_EQ(alloc_for(b, d, {2000}, VR_IN_HOST), VR_OK);
  EXPECT_EQ(other.live, 2);
  vr_rt_release(d.owner);
  vr_rt_release(b.owner);
  // An invalid size is the same fault as in vr_rt_alloc, and the old array stays.
  EXPECT_EQ(alloc_for(c, b, {-1}), VR_SIZE);
  EXPECT_TRUE(is_unique(c.owner));
  vr_rt_release(c.owner);
  EXPECT_EQ(other.live, 0);
  EXPECT_EQ(pool_stats().live_blocks, live);
}

TEST(Alloc, FaultsLeaveARecord) {
  auto alloc = [](int32_t elem, std::vector<int64_t> extents, vr_error* e) {
    vr_context ctx;
    vr_array a;
    int32_t code = vr_rt_alloc(&ctx, &test::site, &a, elem, static_cast<int32_t>(extents.size()), extents.data(),
                               VR_ROWMAJOR, VR_FILL_ZERO, VR_IN_ENGINE);
    *e = ctx.error;
    EXPECT_EQ(ctx.failed.load() != 0, code != VR_OK);
    return code;
  };
  vr_error e;
  EXPECT_EQ(alloc(VR_FLOAT64, {3, -2}, &e), VR_SIZE);
  EXPECT_EQ(e.code, VR_SIZE);
  EXPECT_EQ(e.index, -2);
  EXPECT_STREQ(e.function, "f");
  EXPECT_STREQ(e.loc, "a.m:3:4");
  EXPECT_STREQ(e.array, "x");
  EXPECT_NE(std::string(e.message).find("negative"), std::string::npos);
  EXPECT_EQ(alloc(VR_FLOAT64, {int64_t{1} << 40, int64_t{1} << 40}, &e), VR_SIZE);
  EXPECT_EQ(alloc(VR_BOOL, {INT64_MAX}, &e), VR_OUT_OF_MEMORY);
  EXPECT_EQ(alloc(VR_FLOAT64, {int64_t{1} << 57}, &e), VR_OUT_OF_MEMORY);
  EXPECT_EQ(alloc(13, {1}, &e), VR_TYPE);
  EXPECT_EQ(alloc(VR_FLOAT64, {}, &e), VR_TYPE);
}

}  // namespace
}  // namespace vr::runtime
