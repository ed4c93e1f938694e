// A device with little memory (VR_DEVICE_MEMORY=1000000, VR_ZERO_COPY=0; skipped otherwise).
#include "device/device_fixture.hpp"

#include <cstdlib>
#include <cstring>

namespace vr::test {
namespace {

class Memory : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    const char* limit = std::getenv("VR_DEVICE_MEMORY");
    if (!limit || std::strcmp(limit, "1000000") != 0) GTEST_SKIP() << "the device has all its memory";
  }
};

const vr_kernel* add_kernel() {
  static const Program* program = [] {
    Module m;
    KernelBuilder k(m, "add", {"i"});
    const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true),
                  b = k.array_param("b", ir::Elem::Float64, 1, false);
    ExprP i = k.var(k.dim(0));
    k.body().push_back(k.store(a, {i}, k.add(k.load(a, {i}), k.load(b, {i}))));
    return new Program(m);
  }();
  return (*program)["add"];
}

int32_t add(vr_context& context, vr_array& a, vr_array& b) {
  const vr_value args[] = {value(a), value(b)};
  return vr_gpu_launch(&context, nullptr, add_kernel(), a.extent, args);
}

TEST_F(Memory, ArraysMakeRoomForOthersAndKeepTheirElements) {
  // Ten arrays of 400 KB, two at a time.
  constexpr int64_t n = 50000;
  std::vector<std::vector<double>> data(10, std::vector<double>(n));
  std::vector<vr_array> arrays;
  for (size_t k = 0; k < data.size(); ++k) {
    std::fill(data[k].begin(), data[k].end(), double(k + 1));
    arrays.push_back(describe(data[k].data(), VR_FLOAT64, {n}));
  }
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int round = 0; round < 2; ++round)
    for (size_t k = 1; k < arrays.size(); ++k)
      ASSERT_EQ(add(context, arrays[k], arrays[k - 1]), VR_OK) << context.error.message;
  EXPECT_LE(session().stats().bytes_on_device, 1000000);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  // The expected result of two rounds of running sums.
  std::vector<double> want(10);
  for (size_t k = 0; k < 10; ++k) want[k] = double(k + 1);
  for (int round = 0; round < 2; ++round)
    for (size_t k = 1; k < 10; ++k) want[k] += want[k - 1];
  for (size_t k = 0; k < 10; ++k) EXPECT_EQ(data[k], std::vector<double>(n, want[k])) << k;
}

TEST_F(Memory, ArraysOfItemsThatWaitMakeRoom) {
  constexpr int64_t n = 50000;
  std::vector<std::vector<double>> data(6, std::vector<double>(n, 1));
  std::vector<vr_array> arrays;
  for (auto& d : data) arrays.push_back(describe(d.data(), VR_FLOAT64, {n}));
  const auto call = [&](size_t to, size_t from) {
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(add(context, arrays[to], arrays[from]), VR_OK) << context.error.message;
    ASSERT_EQ(session().close(&context), VR_OK);
  };
  const int64_t in_chunks = session().stats().in_chunks;
  // Two kept arrays of 400 KB fill the device; then a third and a fourth array come, which go together with neither.
  for (size_t k = 0; k < 2; ++k) {
    ASSERT_TRUE(session().keep(arrays[k], int64_t(k) + 1).ok());
    call(k, 4);
  }
  call(2, 3);
  call(0, 1);  // both come back
  EXPECT_EQ(session().stats().in_chunks, in_chunks);
  EXPECT_LE(session().stats().bytes_on_device, 1000000);
  ASSERT_TRUE(session().drop(arrays[0]).ok());
  ASSERT_TRUE(session().drop(arrays[1]).ok());
  EXPECT_EQ(data[0], std::vector<double>(n, 4));
  EXPECT_EQ(data[1], std::vector<double>(n, 2));
  EXPECT_EQ(data[2], std::vector<double>(n, 2));
  EXPECT_EQ(session().stats().bytes_on_device, 0);
}

TEST_F(Memory, OneKernelThatNeedsMoreRunsInChunks) {
  constexpr int64_t n = 100000;
  std::vector<double> x(n, 1), y(n, 2);
  vr_array a = describe(x.data(), VR_FLOAT64, {n}), b = describe(y.data(), VR_FLOAT64, {n});
  const gpu::Stats before = session().stats();
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(add(context, a, b), VR_OK) << context.error.message;
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x, std::vector<double>(n, 3));
  EXPECT_EQ(session().stats().in_chunks - before.in_chunks, 1);
  EXPECT_EQ(session().stats().bytes_on_device, 0);
}

TEST_F(Memory, KernelWithoutChunksReportsAndLeavesItsArraysUnchanged) {
  constexpr int64_t n = 200000;
  std::vector<double> x(n + 1, 1);
  // x[i] += x[i + 1]
  vr_array a = describe(x.data(), VR_FLOAT64, {n}), b = describe(x.data() + 1, VR_FLOAT64, {n});
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(add(context, a, b), VR_DEVICE);
  EXPECT_NE(std::string(context.error.message).find("no room for"), std::string::npos) << context.error.message;
  EXPECT_NE(std::string(context.error.message).find("does not run in parts"), std::string::npos)
      << context.error.message;
  EXPECT_EQ(x, std::vector<double>(n + 1, 1));
  EXPECT_EQ(session().stats().bytes_on_device, 0);
  // The next call is not affected.
  vr_context next;
  next.gpu = context.gpu;
  a.extent[0] = b.extent[0] = 1000;
  b.data = x.data() + 1000;
  ASSERT_EQ(vr_gpu_section_begin(&next), VR_OK);
  EXPECT_EQ(add(next, a, b), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&next), VR_OK);
  EXPECT_EQ(x[999], 2);
}

}  // namespace
}  // namespace vr::test
