// A host ends running calls (HostBinding::interrupt, HostBinding::poll).
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <thread>

namespace vr {
namespace {

// endless: a while loop. numbers: an innermost loop over n numbers. arrays: makes one each time round. shared: iteration 1 of a
// parallel loop never ends. deep: calls itself twice, n deep. twice: what a call after all that must give.
constexpr const char* interrupt_text = R"((module :name m :vrir 1 :indexing 0 :exclude %1 (fns
 (function :name endless (functype (intypes (int64)) (outtypes (int64))) (arglist 0)
  (body
   (whilestmt (test (realconst :ival 1 (bool)))
    (body (assignstmt (lhs (name :id 0 (int64)))
     (rhs (plus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64))))))))
   (returnstmt (exprs (name :id 0 (int64)))))
  (symtable (sym :id 0 :name n (int64))))
 (function :name numbers (functype (intypes (int64)) (outtypes (int64))) (arglist 0)
  (body
   (assignstmt (lhs (name :id 1 (int64))) (rhs (realconst :ival 1 (int64))))
   (forstmt (itervars 2)
    (loopdomain (domain (domaintype :ndims 1 (int64))
     (range :exclude %1 (start (realconst :ival 0 (int64))) (stop (name :id 0 (int64))))))
    (body (assignstmt (lhs (name :id 1 (int64)))
     (rhs (libcall :libfunc bitxor (int64) (args (name :id 1 (int64)) (name :id 2 (int64))))))))
   (returnstmt (exprs (name :id 1 (int64)))))
  (symtable (sym :id 0 :name n (int64)) (sym :id 1 :name s (int64)) (sym :id 2 :name i (int64))))
 (function :name arrays
  (functype (intypes (arraytype :layout strided :ndims 1 (float64)))
   (outtypes (arraytype :layout strided :ndims 1 (float64)))) (arglist 0)
  (body
   (whilestmt (test (realconst :ival 1 (bool)))
    (body (assignstmt (lhs (name :id 0 (arraytype :layout strided :ndims 1 (float64))))
     (rhs (libcall :libfunc cumsum (arraytype :layout strided :ndims 1 (float64))
      (args (name :id 0 (arraytype :layout strided :ndims 1 (float64)))))))))
   (returnstmt (exprs (name :id 0 (arraytype :layout strided :ndims 1 (float64))))))
  (symtable (sym :id 0 :name x (arraytype :layout strided :ndims 1 (float64)))))
 (function :name shared (functype (intypes (arraytype :layout strided :ndims 1 (float64))) (outtypes (void))) (arglist 0)
  (body
   (pforstmt (itervars 1)
    (loopdomain (domain (domaintype :ndims 1 (int64))
     (range :exclude %1 (start (realconst :ival 0 (int64))) (stop (realconst :ival 2 (int64))))))
    (shared auto)
    (body
     (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))) (rhs (realconst :dval 7 (float64))))
     (whilestmt (test (eq (bool) (lhs (name :id 1 (int64))) (rhs (realconst :ival 1 (int64)))))
      (body (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))
       (rhs (realconst :dval 9 (float64))))))))
   (returnstmt (exprs)))
  (symtable (sym :id 0 :name x (arraytype :layout strided :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name deep (functype (intypes (int64)) (outtypes (int64))) (arglist 0)
  (body
   (ifstmt (test (leq (bool) (lhs (name :id 0 (int64))) (rhs (realconst :ival 0 (int64)))))
    (if (returnstmt (exprs (realconst :ival 1 (int64))))))
   (assignstmt (lhs (name :id 1 (int64)))
    (rhs (fncall :fnname deep (int64) (args (minus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64))))))))
   (assignstmt (lhs (name :id 2 (int64)))
    (rhs (fncall :fnname deep (int64) (args (minus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64))))))))
   (returnstmt (exprs (libcall :libfunc bitxor (int64) (args (name :id 1 (int64)) (name :id 2 (int64)))))))
  (symtable (sym :id 0 :name n (int64)) (sym :id 1 :name a (int64)) (sym :id 2 :name b (int64))))
 (function :name twice (functype (intypes (int64)) (outtypes (int64))) (arglist 0)
  (body (returnstmt (exprs (plus (int64) (lhs (name :id 0 (int64))) (rhs (name :id 0 (int64)))))))
  (symtable (sym :id 0 :name n (int64)))))))";

/// The built-in host, which ends the call at the poll after `left` others.
struct Host {
  std::atomic<int32_t> flag{1};
  std::atomic<int> left{3}, asked{0}, elsewhere{0};
  std::thread::id thread = std::this_thread::get_id();

  HostBinding binding() {
    HostBinding b = builtin_binding();
    b.context = this;
    b.interrupt = reinterpret_cast<const int32_t*>(&flag);
    b.poll = [](void* self) -> int32_t {
      auto& h = *static_cast<Host*>(self);
      ++h.asked;
      if (std::this_thread::get_id() != h.thread) ++h.elsewhere;
      return --h.left < 0;
    };
    return b;
  }
};

/// Kills a test that hangs.
class Interrupts : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override { alarm(60); }
  void TearDown() override { alarm(0); }

  static Module load(const HostBinding& b) {
    Options o;
    o.target = GetParam();
    o.threads = 2;
    auto engine = Engine::create(o, b);
    if (!engine) ADD_FAILURE() << engine.error().text();
    auto module = engine->load(interrupt_text, "m.vrir");
    if (!module) ADD_FAILURE() << module.error().text();
    return *module;
  }
  static void expect_interrupted(const Result<std::vector<Value>>& r, const std::string& function, const std::string& loc) {
    ASSERT_FALSE(r);
    ASSERT_TRUE(r.error().record) << r.error().text();
    EXPECT_EQ(r.error().record->code, Code::Interrupted) << r.error().text();
    EXPECT_EQ(r.error().record->function, function);
    if (!loc.empty()) { EXPECT_EQ(r.error().record->loc, loc); }
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, Interrupts, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& t) { return std::string(t.param == Target::CpuParallel ? "par" : target_name(t.param)); });

TEST_P(Interrupts, EndLoopsAndLeaveTheEngineUsable) {
  Host host;
  const Module m = load(host.binding());
  const std::pair<const char*, const char*> functions[] = {{"endless", "m.vrir:4:4"}, {"numbers", "m.vrir:12:4"}};
  for (const auto& [name, loc] : functions) {
    host.flag = 1, host.left = 3, host.asked = 0;
    expect_interrupted((*m.function(name))(int64_t{1} << 60), name, GetParam() == Target::Interp ? "" : loc);
    EXPECT_EQ(host.asked, 4);
    host.flag = 0;
    auto r = (*m.function("twice"))(int64_t{21});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ((*r)[0].raw().i64, 42);
  }
  EXPECT_EQ(host.elsewhere, 0);
}

TEST_P(Interrupts, PollIsNotCalledWhileTheFlagIsZero) {
  Host host;
  host.flag = 0;
  const Module m = load(host.binding());
  auto r = (*m.function("numbers"))(int64_t{200000});
  ASSERT_TRUE(r) << r.error().text();
  int64_t wanted = 1;
  for (int64_t i = 0; i < 200000; ++i) wanted ^= i;
  EXPECT_EQ((*r)[0].raw().i64, wanted);
  EXPECT_EQ(host.asked, 0);
}

TEST_P(Interrupts, PollReturningZeroContinuesTheCall) {
  Host host;
  host.left = 1 << 30;
  const Module m = load(host.binding());
  auto r = (*m.function("numbers"))(int64_t{200000});
  ASSERT_TRUE(r) << r.error().text();
  int64_t wanted = 1;
  for (int64_t i = 0; i < 200000; ++i) wanted ^= i;
  EXPECT_EQ((*r)[0].raw().i64, wanted);
  EXPECT_GE(host.asked, 3);
}

TEST_P(Interrupts, ReferencesAreReleased) {
  Host host;
  const Module m = load(host.binding());
  const Array x = Array::from({1, 2, 3});
  expect_interrupted((*m.function("arrays"))(x), "arrays", "");
  EXPECT_EQ(x.use_count(), 1);
  EXPECT_EQ(x.data_as<double>()[2], 3);
}

TEST_P(Interrupts, EndRecursion) {
  Host host;
  const Module m = load(host.binding());
  expect_interrupted((*m.function("deep"))(int64_t{100}), "deep", "");
}

TEST_P(Interrupts, PollRunsOnTheCallersThreadOnly) {
  Host host;
  host.flag = 0;
  const Module m = load(host.binding());
  const Array x = Array::from({0, 0});
  // The thread that called native code has finished its iteration, or waits; another thread sets the flag.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    host.flag = 1;
  });
  expect_interrupted((*m.function("shared"))(x), "shared", "");
  other.join();
  EXPECT_EQ(host.asked, 4);
  EXPECT_EQ(host.elsewhere, 0);
  EXPECT_EQ(x.data_as<double>()[1], 9);
  host.flag = 0;
  EXPECT_TRUE((*m.function("twice"))(int64_t{1}));
}

TEST_P(Interrupts, FlagWithoutPollEndsAllCalls) {
  std::atomic<int32_t> flag{1};
  HostBinding b = builtin_binding();
  b.interrupt = reinterpret_cast<const int32_t*>(&flag);
  const Module m = load(b);
  const Array x = Array::from({0, 0});
  expect_interrupted((*m.function("endless"))(int64_t{0}), "endless", "");
  expect_interrupted((*m.function("shared"))(x), "shared", "");
  EXPECT_EQ((*m.function("endless"))(int64_t{0}).error().record->message, "interrupted");
}

}  // namespace
}  // namespace vr
