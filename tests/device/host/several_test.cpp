// Sections on several devices of which one fails: every launch in turn, with arrays that stay resident from call to call.
#include "device/device_fixture.hpp"
#include "device/host/objects.hpp"
#include "runtime/cpu/pool.hpp"

#include <velociraptor/binding.hpp>

#include <gtest/gtest.h>

namespace vr::test {
namespace {

/// sweep: b[i,j] = a[i-1,j] + a[i+1,j], for i from 1 on; scale: a[i,j] = a[i,j] * 2.
const Program& sweep_programs() {
  static const Program* program = [] {
    Module m;
    stencil_kernel(m, "sweep");
    {
      KernelBuilder k(m, "scale", {"j", "i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, true);
      ExprP i = k.var(k.dim(1)), j = k.var(k.dim(0));
      k.body().push_back(k.store(a, {i, j}, k.mul(k.load(a, {i, j}), k.real(2))));
    }
    return new Program(m);
  }();
  return *program;
}

using Numbers = std::vector<double>;

class SeveralDevices : public ::testing::Test {
 protected:
  static constexpr int64_t rows = 200, columns = 100;

  void open(std::vector<double> shares) {
    std::vector<gpu::Session::Share> devices;
    for (double share : shares) devices.push_back({host::open_device(false), share});
    auto opened = gpu::Session::open_on(std::move(devices));
    ASSERT_TRUE(opened) << opened.error().text();
    session_ = std::move(*opened);
  }
  void TearDown() override { host::fail_launch(-1); }

  vr_array of(Numbers& v) { return describe(v.data(), VR_FLOAT64, {rows, columns}); }
  /// A call with one section of `count` sweeps from one array to the other and back; `done`: how many of them were launched.
  int32_t sweeps(Numbers& a, Numbers& b, int count, int* done = nullptr) {
    vr_context c;
    c.gpu = session_.get();
    vr_array from = of(a), to = of(b);
    int32_t code = vr_gpu_section_begin(&c);
    for (int k = 0; k < count && code == VR_OK; ++k) {
      const vr_value args[] = {value(from), value(to)};
      const int64_t domain[] = {columns, rows - 2};
      code = vr_gpu_launch(&c, nullptr, sweep_programs()["sweep"], domain, args);
      if (code != VR_OK) break;
      if (done) ++*done;
      std::swap(from, to);
    }
    if (code == VR_OK) code = vr_gpu_section_leave(&c);
    if (code == VR_OK) code = session_->close(&c);
    session_->abandon(&c);
    return code;
  }
  static Numbers swept(const Numbers& a, Numbers b) {
    for (size_t k = columns; k < size_t(columns * (rows - 1)); ++k) b[k] = a[k - columns] + a[k + columns];
    return b;
  }
  std::unique_ptr<gpu::Session> session_;
};

TEST_F(SeveralDevices, ResidentArraysAreWholeAfterALaunchThatFailsHalfway) {
  constexpr int count = 5;
  for (const std::vector<double>& shares : {std::vector<double>{1, 1}, {1, 3, 1}}) {
    open(shares);
    Numbers a(rows * columns), b(rows * columns);
    ASSERT_TRUE(session_->keep(of(a)).ok());
    ASSERT_TRUE(session_->keep(of(b)).ok());
    int failed = 0;
    bool all = false;
    for (long at = 0; at < 60 && !all; ++at) {
      SCOPED_TRACE("launch " + std::to_string(at) + " on " + std::to_string(shares.size()) + " devices");
      for (Numbers* x : {&a, &b}) {
        ASSERT_TRUE(session_->look(of(*x), true).ok());
        for (size_t k = 0; k < x->size(); ++k) (*x)[k] = double((k * 7 + size_t(at) + size_t(x == &b)) % 101);
      }
      Numbers from = a, to = b;
      int done = 0;
      host::fail_launch(at);
      const int32_t code = sweeps(a, b, count, &done);
      host::fail_launch(-1);
      all = code == VR_OK;
      if (!all) {
        ++failed;
        EXPECT_EQ(code, VR_DEVICE);
      }
      for (int k = 0; k < done; ++k) {
        to = swept(from, to);
        std::swap(from, to);
      }
      // Where a part of the failed sweep ran there are its results, elsewhere the last ones; nowhere older ones.
      Numbers &source = done % 2 ? b : a, &target = done % 2 ? a : b;
      const Numbers after = swept(from, to);
      ASSERT_TRUE(session_->look(of(target), false).ok());
      for (size_t k = 0; k < target.size(); ++k)
        ASSERT_TRUE(target[k] == to[k] || (!all && target[k] == after[k])) << k << ": " << target[k];
      to = target;
      // The next ones read what the parts that ran have left.
      ASSERT_EQ(sweeps(target, source, 2), VR_OK);
      from = swept(to, from);
      to = swept(from, to);
      ASSERT_TRUE(session_->look(of(target), false).ok());
      ASSERT_EQ(target, to);
      ASSERT_TRUE(session_->look(of(source), false).ok());
      ASSERT_EQ(source, from);
    }
    EXPECT_TRUE(all);
    EXPECT_GT(failed, count * int(shares.size())) << "parts, and what their neighbours wait for";
    EXPECT_GE(session_->stats().divided, 3 * failed);
    ASSERT_TRUE(session_->drop(of(a)).ok());
    ASSERT_TRUE(session_->drop(of(b)).ok());
    EXPECT_EQ(session_->stats().bytes_on_device, 0);
    session_.reset();
  }
}

TEST_F(SeveralDevices, EachRowOfAHaloLeavesItsDeviceOnce) {
  std::vector<int64_t> down;
  for (const std::vector<double>& shares : {std::vector<double>{1, 1}, {1, 1, 1, 1}}) {
    open(shares);
    Numbers a(rows * columns, 1), b(rows * columns, 2), x = a, y = b;
    vr_context c;
    c.gpu = session_.get();
    vr_array from = of(a), to = of(b);
    ASSERT_EQ(vr_gpu_section_begin(&c), VR_OK);
    for (int k = 0; k < 6; ++k) {
      const vr_value args[] = {value(from), value(to)};
      const int64_t domain[] = {columns, rows - 2};
      ASSERT_EQ(vr_gpu_launch(&c, nullptr, sweep_programs()["sweep"], domain, args), VR_OK) << c.error.message;
      std::swap(from, to);
      y = swept(x, y);
      std::swap(x, y);
    }
    down.push_back(session_->stats().bytes_down);
    ASSERT_EQ(vr_gpu_section_end(&c), VR_OK) << c.error.message;
    EXPECT_EQ(a, x);
    EXPECT_EQ(b, y);
    session_.reset();
  }
  EXPECT_GT(down[0], 0);
  EXPECT_EQ(down[1], 3 * down[0]) << "three boundaries instead of one";
}

TEST_F(SeveralDevices, MemoryIsReleasedWhenASectionEndsWithoutFinishing) {
  open({1, 1});
  const int64_t blocks = runtime::pool_stats().live_blocks;
  {
    vr_context c;
    c.gpu = session_.get();
    c.host = &vr::builtin_binding();
    ASSERT_EQ(vr_gpu_section_begin(&c), VR_OK);
    vr_array a = {};
    const int64_t extents[] = {rows, columns};
    ASSERT_EQ(vr_rt_alloc(&c, nullptr, &a, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_ONE, VR_IN_ENGINE), VR_OK);
    const vr_value args[] = {value(a)};
    const int64_t domain[] = {columns, rows};
    ASSERT_EQ(vr_gpu_launch(&c, nullptr, sweep_programs()["scale"], domain, args), VR_OK);
    EXPECT_EQ(session_->stats().divided, 1);
    vr_gpu_release(&c, a.owner);
    EXPECT_EQ(runtime::pool_stats().live_blocks, blocks + 1) << "the devices still use it";
    session_->abandon(&c);  // as after an error elsewhere: nobody finishes the section
  }
  EXPECT_EQ(runtime::pool_stats().live_blocks, blocks);
  EXPECT_EQ(session_->stats().bytes_on_device, 0);
}

}  // namespace
}  // namespace vr::test
