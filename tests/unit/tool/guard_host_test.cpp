// The guard host detects the mistakes for which it exists: each test makes one mistake and checks the message.
#include "tool/guard_host.hpp"

#include "runtime/cpu/pool.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace vr::tool {
namespace {

// read: element i of a, with its bounds check off. change: a copy of a with 7 in element i, checked.
constexpr const char* text = R"((module :name m :indexing 0 :assign copy (fns
 (function :name read
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64))) (arglist 0 1)
  (body (returnstmt (exprs (index :arrayid 0 (float64)
   (indices (index :boundscheck %0 :negative %0 (name :id 1 (int64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name change
  (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64))
   (outtypes (arraytype :layout rowmajor :ndims 1 (float64)))) (arglist 0 1)
  (body
   (assignstmt (lhs (index :arrayid 0 (float64) (indices (index :boundscheck %1 :negative %0 (name :id 1 (int64))))))
    (rhs (realconst :dval 7 (float64))))
   (returnstmt (exprs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64)))))))";

class Guard : public testing::Test {
 protected:
  /// Calls `name` on an engine whose host is the guard's binding after `spoil` has changed it.
  GuardHost::Answer run(const std::string& name, int64_t i, void (*spoil)(HostBinding&) = nullptr) {
    HostBinding b = host.binding();
    real = b;
    if (spoil) spoil(b);
    Options o;
    o.target = Target::Cpu;
    o.disk_cache = false;
    auto engine = Engine::create(o, b);
    auto module = engine->load(text, "guard.vrir");
    EXPECT_TRUE(module) << module.error().text();
    const Value args[] = {Array::from({1, 2, 3}), i};
    return host.call(*module->function(name), args);
  }
  GuardHost host;
  static inline HostBinding real;
  static inline void* extra = nullptr;
};

TEST_F(Guard, CorrectProgramsPass) {
  auto a = run("change", 1);
  EXPECT_EQ(a.wrong, "");
  ASSERT_TRUE(a.results) << a.results.error().text();
  EXPECT_EQ((*a.results)[0].array().data_as<double>()[1], 7);
  auto failed = run("change", 3);
  EXPECT_EQ(failed.wrong, "");
  ASSERT_FALSE(failed.results);
  EXPECT_EQ(failed.results.error().code, Code::OutOfBounds);
  auto read = run("read", 2);
  EXPECT_EQ(read.wrong, "");
  EXPECT_EQ((*read.results)[0].as_double(), 3);
}

TEST_F(Guard, AReferenceTooMany) {
  auto a = run("change", 1, [](HostBinding& b) {
    b.allocate = [](void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
      void* object = real.allocate(c, elem, rank, extents, layout);
      real.retain(c, object);
      return object;
    };
  });
  EXPECT_NE(a.wrong.find("float64 (3) has 1 reference too many"), std::string::npos) << a.wrong;
}

TEST_F(Guard, ALostRelease) {
  for (int64_t i : {1, 3}) {  // 3: out of bounds, detected after the argument was copied
    auto a = run("change", i, [](HostBinding& b) { b.release = [](void*, void*) {}; });
    EXPECT_NE(a.wrong.find("float64 (3) has 1 reference too many"), std::string::npos) << a.wrong;
    EXPECT_EQ(a.results.ok(), i == 1);
  }
}

TEST_F(Guard, AReleaseTooMany) {
  auto a = run("change", 1, [](HostBinding& b) {
    b.release = [](void* c, void* object) {
      real.release(c, object);
      real.release(c, object);
    };
  });
  EXPECT_NE(a.wrong.find("after its last reference was released"), std::string::npos) << a.wrong;
}

TEST_F(Guard, ReleaseOfAForeignObjectIsReported) {
  auto a = run("change", 1, [](HostBinding& b) {
    b.release = [](void* c, void* object) {
      real.release(c, object);
      real.release(c, &real);
    };
  });
  EXPECT_NE(a.wrong.find("not an object of the host"), std::string::npos) << a.wrong;
}

TEST_F(Guard, WithoutTheLock) {
  auto a = run("change", 1, [](HostBinding& b) { b.take_lock = b.release_lock = nullptr; });
  EXPECT_EQ(a.wrong, "") << "the caller holds it all the time";
  auto other = run("change", 1, [](HostBinding& b) {
    b.allocate = [](void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
      void* object = nullptr;
      std::thread([&] { object = real.allocate(c, elem, rank, extents, layout); }).join();
      return object;
    };
  });
  EXPECT_NE(other.wrong.find("allocation without the host's lock"), std::string::npos) << other.wrong;
}

TEST_F(Guard, LeakedPoolBlocksAreReported) {
  auto a = run("change", 1, [](HostBinding& b) {
    b.retain = [](void* c, void* object) {
      real.retain(c, object);
      if (!extra) extra = runtime::pool_allocate(64, false);
    };
  });
  EXPECT_NE(a.wrong.find("1 blocks of the engine's storage were not released"), std::string::npos) << a.wrong;
  runtime::pool_free(extra);
}

TEST_F(Guard, AReadOnlyArgument) {
  // Value semantics: a store copies. The argument itself cannot be written, and is read-only if it is a result.
  Options o;
  o.target = Target::Cpu;
  o.disk_cache = false;
  auto engine = Engine::create(o, host.binding());
  auto module = engine->load(text, "guard.vrir");
  ASSERT_TRUE(module) << module.error().text();
  Array a = Array::from({1, 2, 3}).read_only_view();
  const Value args[] = {a, int64_t{1}};
  auto answer = host.call(*module->function("change"), args);
  EXPECT_EQ(answer.wrong, "");
  ASSERT_TRUE(answer.results) << answer.results.error().text();
  EXPECT_EQ((*answer.results)[0].array().data_as<double>()[1], 7);
  EXPECT_EQ(a.data_as<double>()[1], 2);
}

TEST_F(Guard, AStoreToAReadOnlyArgumentEndsTheProcess) {
  // A binding without read_only: generated code stores.
  Options o;
  o.target = Target::Cpu;
  o.disk_cache = false;
  HostBinding b = host.binding();
  b.read_only = HostField::constant(0);
  auto engine = Engine::create(o, b);
  std::string share = text;
  share.replace(share.find(":assign copy"), 12, ":assign share");
  auto module = engine->load(share, "guard.vrir");
  ASSERT_TRUE(module) << module.error().text();
  const Value args[] = {Array::from({1, 2, 3}).read_only_view(), int64_t{1}};
  EXPECT_DEATH(host.call(*module->function("change"), args), "guard: store to a read-only array of the host");
}

TEST_F(Guard, AWriteBesideTheElements) {
  auto a = run("change", 1, [](HostBinding& b) {
    b.allocate = [](void* c, int32_t elem, int32_t rank, const int64_t* extents, ir::Layout layout) {
      void* object = real.allocate(c, elem, rank, extents, layout);
      auto* data = reinterpret_cast<char*>(real.data.get(c, object, 0));
      // Within the pages: only the fill pattern shows it.
      const bool at_end = reinterpret_cast<uintptr_t>(data) % 4096 != 0;
      (at_end ? data[-1] : data[24]) = 0;
      return object;
    };
  });
  EXPECT_NE(a.wrong.find("the engine wrote outside of the elements of float64 (3)"), std::string::npos) << a.wrong;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
using GuardDeathTest = Guard;
TEST_F(GuardDeathTest, ReadsOutsideEndTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run("read", 3), testing::KilledBySignal(SIGSEGV), "access 0 bytes past the end of 24 bytes of elements");
  EXPECT_EXIT(run("read", -1), testing::KilledBySignal(SIGSEGV), "access 8 bytes before 24 bytes of elements");
}
TEST_F(GuardDeathTest, ReadsOfWhatIsGoneEndTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        HostBinding b = host.binding();
        const int64_t extents[] = {3};
        b.take_lock(b.context);
        void* object = b.allocate(b.context, VR_FLOAT64, 1, extents, Layout::RowMajor);
        auto* data = reinterpret_cast<volatile double*>(b.data.get(b.context, object, 0));
        b.release(b.context, object);
        static_cast<void>(data[0]);
      },
      testing::KilledBySignal(SIGSEGV), "access to an array of the host that was released");
}
#endif

}  // namespace
}  // namespace vr::tool
