// Elements that stay resident on the device: between the sections of a call, and from call to call if the host requests
// it.
#include "device/device_fixture.hpp"

#include <thread>

namespace vr::test {
namespace {

/// add: y[i] = y[i] + x[i].
const vr_kernel* add() {
  static const Program* program = [] {
    Module m;
    KernelBuilder k(m, "add", {"i"});
    const ArrayId x = k.array_param("x", ir::Elem::Float64, 1, false),
                  y = k.array_param("y", ir::Elem::Float64, 1, true);
    ExprP i = k.var(k.dim(0));
    k.body().push_back(k.bounds_check(x, 0, i, "add.vrir:1:1"));
    k.body().push_back(k.store(y, {i}, k.add(k.load(y, {i}), k.load(x, {i}))));
    return new Program(m);
  }();
  return (*program)["add"];
}

class Kept : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped()) start_ = session().stats();
  }
  vr_array of(std::vector<double>& v) { return describe(v.data(), VR_FLOAT64, {int64_t(v.size())}); }
  int32_t section(vr_context& c, vr_array x, vr_array y) {
    if (int32_t code = vr_gpu_section_begin(&c)) return code;
    const vr_value args[] = {value(x), value(y)};
    if (int32_t code = vr_gpu_launch(&c, nullptr, add(), y.extent, args)) return code;
    return vr_gpu_section_leave(&c);
  }
  int32_t call(vr_array x, vr_array y) {
    vr_context c;
    c.gpu = &session();
    int32_t code = section(c, x, y);
    if (code == VR_OK) code = session().close(&c);
    session().abandon(&c);
    return code;
  }
  /// Bytes copied since the last query, for devices that need copies.
  void moved(int64_t up, int64_t down) {
    const gpu::Stats now = session().stats();
    if (!session().device_info().zero_copy) {
      EXPECT_EQ(now.bytes_up - start_.bytes_up, up);
      EXPECT_EQ(now.bytes_down - start_.bytes_down, down);
    }
    start_ = now;
  }
  gpu::Stats start_;
};

TEST_F(Kept, ElementsStayOnTheDeviceBetweenSections) {
  std::vector<double> x(1000, 1), y(1000, 0);
  for (int k = 0; k < 5; ++k) ASSERT_EQ(section(context, of(x), of(y)), VR_OK) << context.error.message;
  moved(16000, 0);
  vr_array a = of(y);
  ASSERT_EQ(vr_gpu_need_host(&context, &a, 0), VR_OK);
  EXPECT_EQ(y, std::vector<double>(1000, 5));
  moved(0, 8000);
  ASSERT_EQ(section(context, of(x), of(y)), VR_OK);
  ASSERT_EQ(vr_gpu_section_sync(&context), VR_OK);
  EXPECT_EQ(y, std::vector<double>(1000, 6));
  y.assign(1000, 10);
  moved(0, 8000);
  ASSERT_EQ(section(context, of(x), of(y)), VR_OK);
  ASSERT_EQ(session().close(&context), VR_OK);
  EXPECT_EQ(y, std::vector<double>(1000, 11));
  moved(16000, 8000);
  ASSERT_EQ(session().close(&context), VR_OK) << "nothing is open";
}

TEST_F(Kept, ElementsStayOnTheDeviceBetweenCalls) {
  std::vector<double> x(1000, 1), y(1000, 0), z(1000, 100);
  ASSERT_TRUE(session().keep(of(x)).ok());
  ASSERT_TRUE(session().keep(of(y)).ok());
  for (int k = 0; k < 5; ++k) ASSERT_EQ(call(of(x), of(y)), VR_OK);
  moved(16000, 0);
  ASSERT_TRUE(session().look(of(y), false).ok());
  EXPECT_EQ(y, std::vector<double>(1000, 5));
  moved(0, 8000);
  ASSERT_EQ(call(of(y), of(z)), VR_OK);  // z is an ordinary array
  EXPECT_EQ(z, std::vector<double>(1000, 105));
  moved(8000, 8000);
  ASSERT_TRUE(session().look(of(x), true).ok());
  x.assign(1000, 2);
  ASSERT_EQ(call(of(x), of(y)), VR_OK);
  moved(8000, 0);
  ASSERT_TRUE(session().drop(of(y)).ok());
  EXPECT_EQ(y, std::vector<double>(1000, 7));
  ASSERT_TRUE(session().drop(of(x)).ok());
  moved(0, 8000);
  ASSERT_EQ(call(of(x), of(y)), VR_OK);
  EXPECT_EQ(y, std::vector<double>(1000, 9));
  moved(16000, 8000);
  EXPECT_EQ(session().stats().bytes_on_device, 0);
}

TEST_F(Kept, ViewsOfAResidentArrayAreResidentAndHostCodeSynchronises) {
  std::vector<double> x(100, 1), y(100, 0);
  ASSERT_TRUE(session().keep(of(y)).ok());
  vr_array part = of(y);
  part.data = &y[40];
  part.extent[0] = 20;
  vr_array few = of(x);
  few.extent[0] = 20;
  ASSERT_EQ(call(few, part), VR_OK);
  ASSERT_EQ(call(of(x), of(y)), VR_OK);
  moved(800 + 160 + 800, 0);
  ASSERT_EQ(vr_gpu_need_host(&context, &part, 1), VR_OK);  // no section is open
  EXPECT_EQ(y[39], 1);
  EXPECT_EQ(y[40], 2);
  y[40] = 50;
  ASSERT_EQ(call(of(x), of(y)), VR_OK);
  ASSERT_TRUE(session().drop(of(y)).ok());
  EXPECT_EQ(y[40], 51);
  EXPECT_EQ(y[59], 3);
}

TEST_F(Kept, FaultLeavesEarlierElements) {
  std::vector<double> x(10, 1), y(20, 5), all(20, 2);
  ASSERT_TRUE(session().keep(of(y)).ok());
  ASSERT_EQ(call(of(all), of(y)), VR_OK);
  EXPECT_EQ(call(of(x), of(y)), VR_OUT_OF_BOUNDS);  // elements from 10 on fault
  ASSERT_TRUE(session().drop(of(y)).ok());
  for (size_t k = 10; k < 20; ++k) EXPECT_EQ(y[k], 7) << k;
  EXPECT_EQ(session().drop(of(y)).error().code, Code::Usage);
}

TEST_F(Kept, InvalidArraysAreRefused) {
  std::vector<double> y(20, 5);
  vr_array gaps = of(y);
  gaps.extent[0] = 10;
  gaps.stride[0] = 16;
  EXPECT_EQ(session().keep(gaps).error().code, Code::Usage);
  ASSERT_TRUE(session().keep(of(y)).ok());
  vr_array part = of(y);
  part.extent[0] = 10;
  EXPECT_EQ(session().keep(part).error().code, Code::Usage);
  EXPECT_EQ(session().drop(part).error().code, Code::Usage);
  ASSERT_TRUE(session().keep(of(y)).ok());  // registering twice has no further effect
  ASSERT_TRUE(session().drop(of(y)).ok());
  ASSERT_TRUE(session().drop(of(y)).ok());
  EXPECT_FALSE(session().drop(of(y)).ok());
}

TEST_F(Kept, CallsWithResidentArraysAreSerialised) {
  std::vector<double> x(64, 1), y(64, 0), z(64, 0);
  ASSERT_TRUE(session().keep(of(y)).ok());
  ASSERT_TRUE(session().keep(of(z)).ok());
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 25; ++k) {
        vr_context c;
        c.gpu = &session();
        // Two resident arrays in opposite order: no deadlock.
        wrong[t] += section(c, of(x), of(t % 2 ? y : z)) != VR_OK;
        wrong[t] += section(c, of(x), of(t % 2 ? z : y)) != VR_OK;
        wrong[t] += session().close(&c) != VR_OK;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  ASSERT_TRUE(session().drop(of(y)).ok());
  ASSERT_TRUE(session().drop(of(z)).ok());
  EXPECT_EQ(y, std::vector<double>(64, 100));
  EXPECT_EQ(z, std::vector<double>(64, 100));
}

TEST_F(Kept, CallsOfDifferentGroupsDoNotWaitForEachOther) {
  std::vector<double> x(64, 1), y(64, 0), z(64, 0), w(64, 0);
  ASSERT_TRUE(session().keep(of(y), 1).ok());
  ASSERT_TRUE(session().keep(of(z), 2).ok());
  ASSERT_TRUE(session().keep(of(w)).ok());
  EXPECT_TRUE(session().keep_again(of(y), 1));
  EXPECT_FALSE(session().keep_again(of(y), 2)) << "another group";
  EXPECT_FALSE(session().keep_again(of(x), 1)) << "not kept";
  vr_context a, b, c;
  for (vr_context* context : {&a, &b, &c}) context->gpu = &session();
  // One thread: a section that waited for another one would wait forever.
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(section(a, of(x), of(y)), VR_OK);
    ASSERT_EQ(section(b, of(x), of(z)), VR_OK);
    ASSERT_EQ(section(c, of(x), of(w)), VR_OK);
  }
  for (vr_context* context : {&c, &a, &b}) ASSERT_EQ(session().close(context), VR_OK);
  start_ = session().stats();
  ASSERT_TRUE(session().forget(of(y)).ok());
  ASSERT_EQ(call(of(x), of(y)), VR_OK);
  moved(512, 0);  // y is still kept, once
  ASSERT_TRUE(session().forget(of(y)).ok());
  moved(0, 0);
  EXPECT_FALSE(session().forget(of(y)).ok());
  EXPECT_FALSE(session().drop(of(y)).ok());
  ASSERT_TRUE(session().drop(of(z)).ok());
  ASSERT_TRUE(session().drop(of(w)).ok());
  EXPECT_EQ(z, std::vector<double>(64, 3));
  EXPECT_EQ(w, std::vector<double>(64, 3));
  EXPECT_EQ(session().stats().bytes_on_device, 0);
}

}  // namespace
}  // namespace vr::test
