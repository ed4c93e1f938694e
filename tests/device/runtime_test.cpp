// VRruntime's interface (thesis 7.1): variables, tasks, deferred copies, waiting.
#include "runtime/gpu/runtime.hpp"
#include "device/device_fixture.hpp"

#include <numeric>
#include <random>

namespace vr::test {
namespace {

using Doubles = std::vector<double>;

/// axpy: y[i] = y[i] * c + x[i]; pick: y[i] = x[i], i < n checked against x.
const Program& runtime_programs() {
  static const Program* program = [] {
    Module m;
    {
      KernelBuilder k(m, "axpy", {"i"});
      const ArrayId x = k.array_param("x", ir::Elem::Float64, 1, false),
                    y = k.array_param("y", ir::Elem::Float64, 1, true);
      const VarId c = k.scalar_param("c", Scalar::Float64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(y, {i}, k.add(k.mul(k.load(y, {i}), k.var(c)), k.load(x, {i}))));
    }
    {
      KernelBuilder k(m, "pick", {"i"});
      const ArrayId x = k.array_param("x", ir::Elem::Float64, 1, false),
                    y = k.array_param("y", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.bounds_check(x, 0, i, "pick.vrir:1:2"));
      k.body().push_back(k.store(y, {i}, k.load(x, {i})));
    }
    return new Program(m);
  }();
  return *program;
}

class Runtime : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    auto opened = gpu::Runtime::open(session());
    ASSERT_TRUE(opened) << opened.error().text();
    rt = std::move(*opened);
  }
  void TearDown() override { rt.reset(); }
  /// y = y * c + x, as a task.
  gpu::EventId axpy(gpu::VarId x, gpu::VarId y, double c, int64_t n) { return call("axpy", x, y, n, {value(c)}); }
  /// y = x, as a task that reads nothing of y.
  gpu::EventId pick(gpu::VarId x, gpu::VarId y, int64_t n) { return call("pick", x, y, n, {}); }
  gpu::EventId call(const char* name, gpu::VarId x, gpu::VarId y, int64_t n, const std::vector<vr_value>& scalars) {
    auto kernel = rt->register_kernel(*runtime_programs()[name], {x, y});
    EXPECT_TRUE(kernel) << kernel.error().text();
    auto event = rt->call(*kernel, {n}, scalars);
    EXPECT_TRUE(event) << event.error().text();
    return event ? *event : gpu::no_event;
  }
  Doubles elements(gpu::VarId var, bool write = false) {
    auto a = rt->wait_for_variable(var, write);
    EXPECT_TRUE(a) << a.error().text();
    Doubles v;
    if (a)
      for (int64_t i = 0; i < a->extent[0]; ++i)
        v.push_back(*reinterpret_cast<double*>(static_cast<char*>(a->data) + i * a->stride[0]));
    return v;
  }
  bool submit(gpu::VarId var, Doubles& data) {
    return rt->submit(var, describe(data.data(), VR_FLOAT64, {int64_t(data.size())})).ok();
  }
  bool copies() { return !session().device_info().zero_copy; }
  int64_t up() { return session().stats().bytes_up; }
  int64_t down() { return session().stats().bytes_down; }
  std::unique_ptr<gpu::Runtime> rt;
};

TEST_F(Runtime, TasksRunInTheOrderOfTheirDependences) {
  Doubles a(100, 1), b(100, 2), c(100, 3);
  ASSERT_TRUE(submit(1, a) && submit(2, b) && submit(3, c));
  axpy(1, 2, 10, 100);  // b = 21
  axpy(2, 3, 1, 100);   // c = 24
  axpy(3, 1, 0, 100);   // a = 24
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(a, Doubles(100, 24));
  EXPECT_EQ(b, Doubles(100, 21));
  EXPECT_EQ(c, Doubles(100, 24));
}

TEST_F(Runtime, WaitForVariableCopiesOneArrayThatStaysResident) {
  Doubles a(1000, 1), b(1000, 2), c(1000, 3);
  ASSERT_TRUE(submit(1, a) && submit(2, b) && submit(3, c));
  axpy(1, 2, 1, 1000);
  axpy(1, 3, 1, 1000);
  const int64_t before_up = up(), before_down = down();
  EXPECT_EQ(elements(2), Doubles(1000, 3));
  if (copies()) {
    EXPECT_EQ(down() - before_down, 8000);
    EXPECT_EQ(c, Doubles(1000, 3)) << "nobody asked for it";
  }
  axpy(2, 3, 1, 1000);
  EXPECT_EQ(elements(3), Doubles(1000, 7));
  EXPECT_EQ(up() - before_up, 0) << "reading leaves the device's elements good";
  elements(2, true);
  std::fill(b.begin(), b.end(), 100.0);
  axpy(2, 3, 1, 1000);
  EXPECT_EQ(elements(3), Doubles(1000, 107));
  if (copies()) {
    EXPECT_EQ(up() - before_up, 8000);
  }
}

// Tasks that cannot fault: the host does not wait for them to read an error record.
TEST_F(Runtime, HostWritesWaitForTasksThatRead) {
  Doubles a(100, 1), b(100, 2), c(100, 3), d(100, 4), e(100, 5);
  ASSERT_TRUE(submit(1, a) && submit(2, b) && submit(3, c) && submit(4, d) && submit(5, e));
  axpy(4, 5, 1, 100);  // with several queues the following tasks run in other queues
  axpy(1, 2, 1, 100);
  axpy(1, 3, 1, 100);
  auto here = rt->wait_for_variable(1, true);
  ASSERT_TRUE(here);
  std::fill_n(static_cast<double*>(here->data), 100, 70.0);
  axpy(1, 4, 0, 100);
  EXPECT_EQ(elements(4), Doubles(100, 70)) << "the host's elements are on the device before the others' tasks end";
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(b, Doubles(100, 3));
  EXPECT_EQ(c, Doubles(100, 4));
  EXPECT_EQ(e, Doubles(100, 9));
}

TEST_F(Runtime, EventsEnd) {
  Doubles a(10, 1), b(10, 2);
  ASSERT_TRUE(submit(1, a) && submit(2, b));
  gpu::EventId last = gpu::no_event;
  for (int k = 0; k < 20; ++k) {
    const gpu::EventId event = axpy(1, 2, 1, 10);
    EXPECT_NE(event, last);
    last = event;
    if (k % 7 == 0) {
      ASSERT_TRUE(rt->wait_for_event(event).ok());
    }
  }
  EXPECT_TRUE(rt->wait_for_event(last).ok());
  EXPECT_TRUE(rt->wait_for_event(gpu::no_event).ok());
  EXPECT_EQ(elements(2), Doubles(10, 22));
}

TEST_F(Runtime, NewArraysAndSlices) {
  Doubles a(12);
  std::iota(a.begin(), a.end(), 0.0);
  ASSERT_TRUE(submit(1, a));
  ASSERT_TRUE(rt->allocate(2, VR_FLOAT64, {6}).ok());
  ASSERT_TRUE(rt->slice(3, 1, {{11, 6, -2}}).ok());  // 11 9 7 5 3 1
  pick(3, 2, 6);
  ASSERT_TRUE(rt->slice(4, 2, {{1, 2, 3}}).ok());  // elements 1 and 4
  ASSERT_TRUE(rt->slice(5, 1, {{0, 2, 1}}).ok());
  axpy(4, 5, 1, 2);
  EXPECT_EQ(elements(2), (Doubles{11, 9, 7, 5, 3, 1}));
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(a[0], 9);
  EXPECT_EQ(a[1], 4);
  EXPECT_EQ(a[2], 2);
  for (gpu::Subrange r : {gpu::Subrange{0, 13, 1}, {6, 2, 6}, {0, 2, -1}, {0, 1, 0}})
    EXPECT_EQ(rt->slice(6, 1, {r}).error().code, Code::Usage);
}

TEST_F(Runtime, CopiesAreMadeOnWrite) {
  Doubles a(1000, 1), b(1000, 5);
  ASSERT_TRUE(submit(1, a) && submit(2, b));
  const int64_t tasks = session().stats().bytes_on_device;
  ASSERT_TRUE(rt->copy(3, 1).ok());
  ASSERT_TRUE(rt->copy(4, 3).ok());
  axpy(3, 2, 1, 1000);  // read-only: 3 still shares 1's storage
  const int64_t two = session().stats().bytes_on_device;
  if (copies()) {
    EXPECT_GE(two - tasks, 2 * 8000);
  }
  axpy(2, 1, 1, 1000);  // the original is written and keeps its storage: the copies move to new storage together
  if (copies()) {
    EXPECT_LE(session().stats().bytes_on_device - two, 9000);
  }
  EXPECT_EQ(elements(1), Doubles(1000, 7));
  EXPECT_EQ(a, Doubles(1000, 7));
  EXPECT_EQ(elements(3), Doubles(1000, 1));
  axpy(2, 4, 1, 1000);  // a copy is written
  EXPECT_EQ(elements(3), Doubles(1000, 1));
  EXPECT_EQ(elements(4), Doubles(1000, 7));
  // A store by the host has the same effect as one by a task.
  ASSERT_TRUE(rt->copy(5, 4).ok());
  auto here = rt->wait_for_variable(4, true);
  ASSERT_TRUE(here);
  static_cast<double*>(here->data)[0] = -1;
  EXPECT_EQ(elements(5), Doubles(1000, 7));
  axpy(4, 2, 0, 1000);
  EXPECT_EQ(elements(2)[0], -1);
}

TEST_F(Runtime, TheLastCopyOfASubmittedArrayLeavesTheCallersMemoryAlone) {
  Doubles a(1000, 1), b(1000, 5), c(1000, 9);
  ASSERT_TRUE(submit(1, a) && submit(2, b));
  ASSERT_TRUE(rt->copy(3, 1).ok());
  ASSERT_TRUE(submit(1, c));  // variable 1 is now another array: only the copy represents the elements of `a`
  axpy(2, 3, 1, 1000);
  EXPECT_EQ(elements(3), Doubles(1000, 6));
  ASSERT_TRUE(rt->copy(4, 2).ok());
  ASSERT_TRUE(rt->allocate(2, VR_FLOAT64, {10}).ok());
  auto here = rt->wait_for_variable(4, true);
  ASSERT_TRUE(here);
  static_cast<double*>(here->data)[0] = -1;
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(a, Doubles(1000, 1));
  EXPECT_EQ(b, Doubles(1000, 5));
  EXPECT_EQ(elements(4)[0], -1);
}

TEST_F(Runtime, CopiesOfArraysThatOverlapAreMadeWhenEitherIsWritten) {
  Doubles a(100, 1), b(50, 5);
  ASSERT_TRUE(submit(1, a) && submit(3, b));
  ASSERT_TRUE(rt->submit(2, describe(a.data() + 50, VR_FLOAT64, {50})).ok());
  ASSERT_TRUE(rt->copy(4, 1).ok());
  axpy(3, 2, 1, 50);  // the second half of 1
  EXPECT_EQ(elements(4), Doubles(100, 1));
  const Doubles all = elements(1);
  EXPECT_EQ(all[49], 1);
  EXPECT_EQ(all[50], 6);
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(a[99], 6);
}

TEST_F(Runtime, DeadArraysDoNotComeBackAndTheirCopiesLive) {
  Doubles a(1000, 1), b(1000, 2), c(1000, 4);
  ASSERT_TRUE(submit(1, a) && submit(2, b) && submit(3, c));
  axpy(1, 2, 1, 1000);
  ASSERT_TRUE(rt->copy(4, 2).ok());
  ASSERT_TRUE(rt->slice(5, 3, {{0, 10, 1}}).ok());
  ASSERT_TRUE(rt->mark_dead(3).ok());
  axpy(4, 5, 1, 10);  // a slice keeps it alive
  ASSERT_TRUE(rt->mark_dead(2).ok());
  EXPECT_EQ(rt->mark_dead(2).error().code, Code::Usage);
  std::fill(b.begin(), b.end(), 0.0);  // the caller may reuse its memory
  EXPECT_EQ(elements(4), Doubles(1000, 3));
  ASSERT_TRUE(rt->wait_all().ok());
  EXPECT_EQ(c[9], 7);
  EXPECT_EQ(c[10], 4);
  if (copies()) {
    EXPECT_EQ(b, Doubles(1000, 0)) << "it was dead";
  }
}

TEST_F(Runtime, FaultRecordsAreReportedOnEachWait) {
  Doubles a(10, 1), b(20, 2);
  ASSERT_TRUE(submit(1, a) && submit(2, b));
  auto pick = rt->register_kernel(*runtime_programs()["pick"], {1, 2});
  ASSERT_TRUE(pick);
  ASSERT_TRUE(rt->call(*pick, {11}));
  const Status s = rt->wait_all();
  ASSERT_FALSE(s.ok());
  ASSERT_TRUE(s.error().record);
  EXPECT_EQ(s.error().code, Code::OutOfBounds);
  EXPECT_EQ(s.error().record->index, 10);
  EXPECT_EQ(s.error().record->loc, "pick.vrir:1:2");
  EXPECT_EQ(rt->call(*pick, {5}).error().code, Code::OutOfBounds);
  EXPECT_EQ(rt->wait_for_variable(2).error().code, Code::OutOfBounds);
  // Another one starts without it.
  auto again = gpu::Runtime::open(session());
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->submit(1, describe(a.data(), VR_FLOAT64, {10})).ok());
  EXPECT_TRUE((*again)->wait_all().ok());
}

TEST_F(Runtime, WrongUseIsRefused) {
  Doubles a(10, 1);
  std::vector<float> f(10, 1);
  ASSERT_TRUE(submit(1, a));
  ASSERT_TRUE(rt->submit(2, describe(f.data(), VR_FLOAT32, {10})).ok());
  EXPECT_EQ(rt->register_kernel(*runtime_programs()["axpy"], {1}).error().code, Code::Usage);
  auto kernel = rt->register_kernel(*runtime_programs()["axpy"], {1, 2});
  ASSERT_TRUE(kernel);
  EXPECT_EQ(rt->call(*kernel, {10}, {value(1.0)}).error().code, Code::Usage) << "a float array";
  EXPECT_EQ(rt->call(*kernel, {10, 1}, {value(1.0)}).error().code, Code::Usage);
  EXPECT_EQ(rt->call(*kernel, {10}).error().code, Code::Usage);
  EXPECT_EQ(rt->call(*kernel + 1, {10}).error().code, Code::Usage);
  EXPECT_EQ(rt->copy(3, 9).error().code, Code::Usage);
  EXPECT_EQ(rt->wait_for_variable(9).error().code, Code::Usage);
  EXPECT_EQ(rt->allocate(3, 99, {1}).error().code, Code::Usage);
  EXPECT_EQ(rt->allocate(3, VR_FLOAT64, {-1}).error().code, Code::Size);
  EXPECT_TRUE(rt->wait_all().ok());
}

/// Random graphs of tasks, compared with a simple model: every variable is a list of elements.
TEST_F(Runtime, RandomGraphsGiveWhatOneTaskAfterAnotherGives) {
  constexpr int64_t n = 24;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    auto opened = gpu::Runtime::open(session());
    ASSERT_TRUE(opened) << opened.error().text();
    rt = std::move(*opened);
    std::mt19937 dice(seed);
    auto roll = [&](int sides) { return int(dice() % unsigned(sides)); };
    std::vector<Doubles> memory(4, Doubles(n));
    // A variable: variables that share elements share the list.
    struct Model {
      std::shared_ptr<Doubles> list;
      int64_t start, count, step;
      double& at(int64_t i) { return (*list)[size_t(start + i * step)]; }
    };
    std::map<int, Model> model;
    for (int v = 0; v < 4; ++v) {
      for (int64_t i = 0; i < n; ++i) memory[size_t(v)][size_t(i)] = double(roll(8));
      ASSERT_TRUE(submit(v, memory[size_t(v)]));
      model[v] = {std::make_shared<Doubles>(memory[size_t(v)]), 0, n, 1};
    }
    auto any = [&] { return std::next(model.begin(), roll(int(model.size())))->first; };
    for (int step = 0; step < 60; ++step) {
      const int x = any(), y = any(), fresh = 4 + roll(8);
      switch (roll(10)) {
        case 0:
          ASSERT_TRUE(rt->copy(fresh, x).ok());
          model[fresh] = {std::make_shared<Doubles>(*model[x].list), model[x].start, model[x].count, model[x].step};
          break;
        case 1: {
          const int64_t count = model[x].count / 2;
          ASSERT_TRUE(rt->slice(fresh, x, {{0, count, 2}}).ok());
          model[fresh] = {model[x].list, model[x].start, count, model[x].step * 2};
          break;
        }
        case 2:
          if (x < 4) break;
          ASSERT_TRUE(rt->mark_dead(x).ok());
          model.erase(x);
          break;
        case 3: {
          const Doubles got = elements(x);
          ASSERT_EQ(int64_t(got.size()), model[x].count);
          for (int64_t i = 0; i < model[x].count; ++i) ASSERT_EQ(got[size_t(i)], model[x].at(i)) << x;
          break;
        }
        case 4: {
          auto here = rt->wait_for_variable(x, true);
          ASSERT_TRUE(here);
          if (here->extent[0] == 0) break;
          *static_cast<double*>(here->data) = model[x].at(0) = step;
          break;
        }
        default: {
          // A task must not read elements that it writes at other positions.
          if (model[x].list == model[y].list) break;
          const int64_t count = std::min(model[x].count, model[y].count);
          const double c = roll(3) - 1;
          axpy(x, y, c, count);
          for (int64_t i = 0; i < count; ++i) model[y].at(i) = model[y].at(i) * c + model[x].at(i);
        }
      }
      ASSERT_FALSE(HasFatalFailure());
    }
    ASSERT_TRUE(rt->wait_all().ok());
    for (int v = 0; v < 4; ++v) ASSERT_EQ(memory[size_t(v)], *model[v].list) << v;
  }
}

}  // namespace
}  // namespace vr::test
