// Sections on several devices: what moves between launches, what is divided and what is not, names of devices. The
// other tests of this folder run on several devices as well (HOST_DEVICES, VR_DEVICES in CMakeLists.txt).
#include "device/device_fixture.hpp"
#include "device/null/null_device.hpp"
#include "runtime/gpu/on_host.hpp"

#include <velociraptor/binding.hpp>

#include <numeric>

namespace vr::test {
namespace {

/// average: b[i,j] = a[i-1,j] + a[i+1,j], for i from 1 on; scale: a[i,j] = a[i,j] * c; scatter: b[p[i]] = a[i].
const Program& several_programs() {
  static const Program* program = [] {
    Module m;
    stencil_kernel(m, "average");
    {
      KernelBuilder k(m, "scale", {"j", "i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, true);
      const VarId c = k.scalar_param("c", Scalar::Float64);
      ExprP i = k.var(k.dim(1)), j = k.var(k.dim(0));
      k.body().push_back(k.store(a, {i, j}, k.mul(k.load(a, {i, j}), k.var(c))));
    }
    {
      KernelBuilder k(m, "scatter", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    p = k.array_param("p", ir::Elem::Int64, 1, false);
      const ArrayId b = k.array_param("b", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(b, {k.load(p, {i})}, k.load(a, {i})));
    }
    return new Program(m);
  }();
  return *program;
}

/// A session on devices that compute nothing.
class Several : public ::testing::Test {
 protected:
  static constexpr int64_t rows = 4096, columns = 1024, row_bytes = columns * 8;

  void open(std::vector<double> shares, int64_t memory = int64_t{1} << 30, const NullLimits& limits = {}) {
    std::vector<gpu::Session::Share> devices;
    for (double share : shares) {
      counts_.push_back(std::make_shared<NullCounts>());
      devices.push_back({open_null_device(counts_.back(), memory, limits), share});
    }
    auto opened = gpu::Session::open_on(std::move(devices));
    ASSERT_TRUE(opened) << opened.error().text();
    session_ = std::move(*opened);
    context_.gpu = session_.get();
    context_.on_host = &report_;
    ASSERT_EQ(vr_gpu_section_begin(&context_), VR_OK);
  }
  void TearDown() override {
    if (!session_) return;
    EXPECT_EQ(vr_gpu_section_end(&context_), VR_OK) << context_.error.message;
    session_.reset();
    for (const auto& c : counts_) EXPECT_EQ(c->objects, 0);
  }
  void average(vr_array& from, vr_array& to) {
    const int64_t domain[] = {columns, rows - 2};
    const vr_value args[] = {value(from), value(to)};
    ASSERT_EQ(vr_gpu_launch(&context_, nullptr, several_programs()["average"], domain, args), VR_OK)
        << context_.error.message;
  }
  int64_t up() const { return session_->stats().bytes_up; }
  int64_t down() const { return session_->stats().bytes_down; }

  std::vector<double> x_ = std::vector<double>(rows * columns), y_ = x_;
  vr_array a_ = describe(x_.data(), VR_FLOAT64, {rows, columns}), b_ = describe(y_.data(), VR_FLOAT64, {rows, columns});
  std::vector<std::shared_ptr<NullCounts>> counts_;
  std::unique_ptr<gpu::Session> session_;
  vr_context context_;
  gpu::OnHost report_;
};

TEST_F(Several, EachDeviceGetsItsRowsAndTheHalo) {
  open({1, 1});
  average(a_, b_);
  EXPECT_EQ(session_->stats().divided, 1);
  EXPECT_EQ(up(), (rows + 2) * row_bytes) << "two rows go to both";
  EXPECT_EQ(counts_[0]->bytes_up, (rows / 2 + 1) * row_bytes);
  EXPECT_EQ(down(), 0);
}

TEST_F(Several, HalosAreAllThatMovesBetweenSweeps) {
  open({1, 1, 1, 1});
  for (int k = 0; k < 4; ++k) average(k % 2 ? b_ : a_, k % 2 ? a_ : b_);
  const int64_t up_before = up(), down_before = down();
  for (int k = 0; k < 10; ++k) average(k % 2 ? b_ : a_, k % 2 ? a_ : b_);
  EXPECT_EQ(up() - up_before, 10 * 6 * row_bytes) << "a row each way at each of three borders";
  EXPECT_EQ(down() - down_before, 10 * 6 * row_bytes);
  EXPECT_EQ(session_->stats().divided, 14);
}

TEST_F(Several, BordersAreComputedFirstOnceTheyAreKnown) {
  open({1, 1});
  average(a_, b_);
  EXPECT_EQ(counts_[0]->launches, 1) << "nobody has asked for a row yet";
  for (int k = 1; k < 6; ++k) average(k % 2 ? b_ : a_, k % 2 ? a_ : b_);
  const int64_t before = counts_[0]->launches;
  average(a_, b_);
  EXPECT_EQ(counts_[0]->launches - before, 2) << "the border's row, then the others";
}

TEST_F(Several, PartsFollowTheShares) {
  open({1, 3});
  average(a_, b_);
  EXPECT_EQ(counts_[0]->bytes_up, (1024 + 2) * row_bytes) << "a quarter of 4094 iterations, and two rows around them";
}

TEST_F(Several, NothingMovesWithoutNeighbours) {
  open({1, 1});
  const int64_t domain[] = {columns, rows};
  const vr_value args[] = {value(a_), value(2.0)};
  for (int k = 0; k < 5; ++k)
    ASSERT_EQ(vr_gpu_launch(&context_, nullptr, several_programs()["scale"], domain, args), VR_OK);
  EXPECT_EQ(up(), rows * row_bytes);
  EXPECT_EQ(down(), 0);
}

TEST_F(Several, StoresThatMayCollideRunOnOneDeviceWhichIsReported) {
  open({1, 1});
  std::vector<int64_t> p(size_t(rows * columns));
  std::iota(p.begin(), p.end(), 0);
  vr_array a = describe(x_.data(), VR_FLOAT64, {rows * columns}), b = describe(y_.data(), VR_FLOAT64, {rows * columns});
  vr_array index = describe(p.data(), VR_INT64, {rows * columns});
  const vr_site site = {"f", "p.vrir:3:1", "", "", -1, 0};
  const vr_value args[] = {value(a), value(index), value(b)};
  ASSERT_EQ(vr_gpu_launch(&context_, &site, several_programs()["scatter"], a.extent, args), VR_OK);
  EXPECT_EQ(session_->stats().divided, 0);
  EXPECT_EQ(counts_[0]->launches + counts_[1]->launches, 1);
  ASSERT_EQ(report_.lines().size(), 1u);
  EXPECT_EQ(report_.lines()[0].find("p.vrir:3:1: a kernel of 'f' ran on one device: "), 0u) << report_.lines()[0];
}

TEST_F(Several, PartsBeyondTheGreatestOffsetRunOnOneDeviceWhichIsReported) {
  open({1, 1}, int64_t{1} << 30, {.max_offset = 100});
  const vr_site site = {"f", "p.vrir:3:1", "", "", -1, 0};
  const int64_t domain[] = {columns, rows - 2};
  const vr_value args[] = {value(a_), value(b_)};
  ASSERT_EQ(vr_gpu_launch(&context_, &site, several_programs()["average"], domain, args), VR_OK);
  EXPECT_EQ(session_->stats().divided, 0);
  EXPECT_EQ(counts_[0]->launches + counts_[1]->launches, 1);
  EXPECT_EQ(report_.lines().size(), 1u);
}

TEST_F(Several, LaterSectionsDoWithoutADeviceThatFails) {
  open({1, 1});
  average(a_, b_);
  counts_[1]->broken = true;
  const int64_t domain[] = {columns, rows - 2};
  const vr_value args[] = {value(a_), value(b_)};
  EXPECT_EQ(vr_gpu_launch(&context_, nullptr, several_programs()["average"], domain, args), VR_DEVICE);
  session_->abandon(&context_);
  vr_context next;
  next.gpu = session_.get();
  ASSERT_EQ(vr_gpu_section_begin(&next), VR_OK);
  const int64_t launches = counts_[0]->launches, divided = session_->stats().divided;
  EXPECT_EQ(vr_gpu_launch(&next, nullptr, several_programs()["average"], domain, args), VR_OK) << next.error.message;
  EXPECT_EQ(vr_gpu_section_end(&next), VR_OK) << next.error.message;
  EXPECT_EQ(counts_[0]->launches, launches + 1);
  EXPECT_EQ(counts_[1]->launches, 1);
  EXPECT_EQ(session_->stats().divided, divided);
  session_.reset();
}

TEST_F(Several, SmallLaunchesStayWhereTheirArraysAre) {
  open({1, 1});
  average(a_, b_);
  const int64_t before = up();
  // One row of the second half.
  vr_array row = b_;
  row.data = y_.data() + (rows - 10) * columns;
  row.extent[0] = 1;
  const int64_t domain[] = {columns, 1};
  const vr_value args[] = {value(row), value(2.0)};
  const int64_t first = counts_[0]->launches, second = counts_[1]->launches;
  ASSERT_EQ(vr_gpu_launch(&context_, nullptr, several_programs()["scale"], domain, args), VR_OK);
  EXPECT_EQ(counts_[0]->launches, first);
  EXPECT_EQ(counts_[1]->launches, second + 1);
  EXPECT_EQ(up(), before);
  EXPECT_TRUE(report_.lines().empty()) << report_.lines()[0];
}

TEST_F(Several, WithoutRoomForThePartsChunksRunOnOneDevice) {
  open({1, 1}, int64_t{24} << 20);  // a device has room for a third of one array
  average(a_, b_);
  EXPECT_EQ(session_->stats().in_chunks, 1);
  EXPECT_EQ(session_->stats().divided, 0);
}

TEST(DeviceNames, ListsAreChecked) {
  const auto error = [](const char* list) {
    auto opened = gpu::Session::open("", false, list);
    return opened ? std::string() : opened.error().text();
  };
  if (gpu::list_devices().empty()) GTEST_SKIP() << "no device";
  EXPECT_NE(error("opencl:0,opencl:0").find("names opencl:0"), std::string::npos) << error("opencl:0,opencl:0");
  EXPECT_NE(error("opencl:0, nosuchdevice").find("no OpenCL device matches 'nosuchdevice'; there is: opencl:0 is "),
            std::string::npos);
  EXPECT_NE(error("opencl:0,,").find("has an empty name"), std::string::npos);
  EXPECT_NE(error("opencl:77").find("no OpenCL device matches 'opencl:77'"), std::string::npos);
  EXPECT_EQ(error("OpenCL:0"), "");
  EXPECT_EQ(error("all"), "");
  const auto both = gpu::Session::open("opencl:0", false, "all");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, Code::Usage);
}

}  // namespace
}  // namespace vr::test
