// Byte ranges and their buffers: bytes between a task's elements, parts of arrays, reused buffers. No kernel here can
// fault, so the host never waits for all tasks to read an error record.
#include "device/device_fixture.hpp"

#include <algorithm>
#include <numeric>

namespace vr::test {
namespace {

using Ranges = DeviceTest;

/// copy: b[i] = a[i]; set: b[i] = c, whatever b holds; scale: b[i] = b[i] * c.
const Program& range_programs() {
  static const Program* program = [] {
    Module m;
    {
      KernelBuilder k(m, "copy", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(b, {i}, k.load(a, {i})));
    }
    {
      KernelBuilder k(m, "set", {"i"});
      const ArrayId b = k.array_param("b", ir::Elem::Float64, 1, true);
      k.function().params.back().fresh = true;
      const VarId c = k.scalar_param("c", Scalar::Float64);
      k.body().push_back(k.store(b, {k.var(k.dim(0))}, k.var(c)));
    }
    {
      KernelBuilder k(m, "scale", {"i"});
      const ArrayId b = k.array_param("b", ir::Elem::Float64, 1, true);
      const VarId c = k.scalar_param("c", Scalar::Float64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(b, {i}, k.mul(k.load(b, {i}), k.var(c))));
    }
    return new Program(m);
  }();
  return *program;
}

int32_t copy(vr_context& context, vr_array from, vr_array to) {
  const vr_value args[] = {value(from), value(to)};
  return vr_gpu_launch(&context, nullptr, range_programs()["copy"], to.extent, args);
}
int32_t set(vr_context& context, vr_array a, double c) {
  const vr_value args[] = {value(a), value(c)};
  return vr_gpu_launch(&context, nullptr, range_programs()["set"], a.extent, args);
}
int32_t scale_range(vr_context& context, vr_array a, double c) {
  const vr_value args[] = {value(a), value(c)};
  return vr_gpu_launch(&context, nullptr, range_programs()["scale"], a.extent, args);
}

std::vector<double> numbers(size_t n, double first) {
  std::vector<double> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}
vr_array all(std::vector<double>& v) { return describe(v.data(), VR_FLOAT64, {int64_t(v.size())}); }
/// v[from::step], `count` elements.
vr_array part(std::vector<double>& v, size_t from, int64_t count, int64_t step = 1) {
  vr_array a = describe(&v[from], VR_FLOAT64, {count});
  a.stride[0] = 8 * step;
  return a;
}

TEST_F(Ranges, NewStridedViewLeavesTheGapsUnchanged) {
  std::vector<double> x = numbers(101, 1000), y(101);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(set(context, part(x, 0, 51, 2), -1), VR_OK);  // every second element: from the first byte of x to the last
  ASSERT_EQ(copy(context, all(x), all(y)), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (size_t k = 0; k < 101; ++k) {
    EXPECT_EQ(y[k], k % 2 ? 1000.0 + double(k) : -1.0) << k;
    EXPECT_EQ(x[k], y[k]) << k;
  }
}

TEST_F(Ranges, TheHostMayWriteBetweenATasksElements) {
  std::vector<double> x = numbers(101, 1);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale_range(context, part(x, 0, 51, 2), 10), VR_OK);
  session().settle(&context);
  for (size_t k = 1; k < 101; k += 2) x[k] = -1;  // not part of the section: written by another thread, for example
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (size_t k = 0; k < 101; ++k) EXPECT_EQ(x[k], k % 2 ? -1.0 : 10.0 * double(k + 1)) << k;
}

TEST_F(Ranges, OneDeadPartDoesNotAffectOthers) {
  for (const size_t dead : {size_t{0}, size_t{40}, size_t{90}}) {
    std::vector<double> x = numbers(100, 1);
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(scale_range(context, all(x), 10), VR_OK);
    const vr_array gone = part(x, dead, 10);
    ASSERT_EQ(session().mark_dead(&context, &gone), VR_OK);
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
    for (size_t k = 0; k < 100; ++k)
      if (k < dead || k >= dead + 10) {
        EXPECT_EQ(x[k], 10.0 * double(k + 1)) << k << " without " << dead;
      }
  }
}

TEST_F(Ranges, HostWritesWaitForTasksThatReadTheRange) {
  // Few elements: tasks are distributed over the queues. Many rounds, because it depends on timing which queue is
  // ahead.
  for (int round = 0; round < 20; ++round) {
    std::vector<double> x = numbers(32, 1), other(32, 2), a(32), b(32), c(32);
    const std::vector<double> old = x, filled(32, 7);
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(scale_range(context, all(other), 2), VR_OK);
    ASSERT_EQ(copy(context, all(x), all(a)), VR_OK);
    ASSERT_EQ(copy(context, all(x), all(b)), VR_OK);
    const vr_array whole = all(x);
    ASSERT_EQ(vr_gpu_need_host(&context, &whole, 1), VR_OK);
    std::fill(x.begin(), x.end(), 7.0);
    ASSERT_EQ(copy(context, all(x), all(c)), VR_OK);
    const vr_array last = all(c);
    ASSERT_EQ(vr_gpu_need_host(&context, &last, 0), VR_OK);
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
    ASSERT_EQ(a, old) << round;
    ASSERT_EQ(b, old) << round;
    ASSERT_EQ(c, filled) << round;
  }
}

TEST_F(Ranges, BufferOfADeadArrayIsReusedAfterItsTasks) {
  // Copying the one array's elements must not overtake tasks that still read the other's.
  for (int round = 0; round < 20; ++round) {
    std::vector<double> x = numbers(32, 1), other(32, 2), a(32), b(32), y(32, 5), c(32);
    const std::vector<double> old = x, five(32, 5);
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(scale_range(context, all(other), 2), VR_OK);
    ASSERT_EQ(copy(context, all(x), all(a)), VR_OK);
    ASSERT_EQ(copy(context, all(x), all(b)), VR_OK);
    const vr_array gone = all(x);
    ASSERT_EQ(session().mark_dead(&context, &gone), VR_OK);
    if (round % 2)
      ASSERT_EQ(copy(context, all(y), all(c)), VR_OK);
    else
      ASSERT_EQ(set(context, all(c), 5), VR_OK);
    const vr_array last = all(c);
    ASSERT_EQ(vr_gpu_need_host(&context, &last, 0), VR_OK);
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
    ASSERT_EQ(a, old) << round;
    ASSERT_EQ(b, old) << round;
    ASSERT_EQ(c, five) << round;
  }
}

TEST_F(Ranges, ReusedBufferHandleIsSetAsAnArgumentAgain) {
  // When ranges grow, their buffers are released; a driver may return the same handle for the next one.
  std::vector<double> x(64, 1);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int64_t n = 8; n <= 64; n *= 2)
    ASSERT_EQ(scale_range(context, part(x, 0, n), 2), VR_OK) << context.error.message;
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x[0], 16);
  EXPECT_EQ(x[8], 8);
  EXPECT_EQ(x[63], 2);
}

TEST_F(Ranges, EmptyDomainsLaunchNothing) {
  std::vector<double> x = numbers(8, 1);
  const int64_t before = session().stats().launches;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (const int64_t n : {int64_t{0}, int64_t{-1}, INT64_MIN}) {
    vr_array a = all(x);
    const vr_value args[] = {value(a), value(2.0)};
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, range_programs()["scale"], &n, args), VR_OK) << n;
  }
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(session().stats().launches, before);
  EXPECT_EQ(x, numbers(8, 1));
}

}  // namespace
}  // namespace vr::test
