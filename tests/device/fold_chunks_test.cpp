// Reductions of arrays that are larger than the device's memory: in chunks they give the same bits as a single launch.
#include "device/device_fixture.hpp"
#include "device/null/null_device.hpp"
#include "loop/transform/lanes.hpp"
#include "runtime/gpu/device.hpp"

#include <cmath>
#include <cstring>

namespace vr::test {
namespace {

using Doubles = std::vector<double>;

/// lanes: float32, several elements at a time. check: every element is checked, as in the general version of a kernel.
void build_sum(Module& m, const char* name, bool lanes, bool check) {
  KernelBuilder k(m, name, {"i"});
  const ir::Elem elem = lanes ? ir::Elem::Float32 : ir::Elem::Float64;
  const ArrayId a = k.array_param("a", elem, 1, false), part = k.array_param("partial", ir::Elem::Int64, 2, true);
  const VarId s = k.local("s", Scalar::Float64), other = k.local("other", Scalar::Float64);
  ExprP i = k.var(k.dim(0));
  if (check) k.body().push_back(k.bounds_check(a, 0, i));
  ExprP x = lanes ? k.expr(Expr::Kind::Load, Scalar::Float32, k.var(k.array(a).data), k.mul(i, k.integer(4)))
                  : k.load(a, {i});
  k.body().push_back(k.set(s, k.add(k.var(s), k.convert(x, Scalar::Float64))));
  k.function().folds.push_back({s, other, k.real(0), part});
  k.function().join.push_back(k.set(s, k.add(k.var(s), k.var(other))));
  if (lanes) {
    k.function().disjoint = true;
    k.function().narrow.insert(k.dim(0));
    find_lanes(k.function());
  }
  EXPECT_EQ(!k.function().lanes.empty(), lanes);
}

/// The greatest element of a domain of two dimensions, and its position.
void build_greatest(Module& m) {
  KernelBuilder k(m, "greatest", {"j", "i"});
  const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                part = k.array_param("partial", ir::Elem::Int64, 2, true);
  const VarId most = k.local("most", Scalar::Float64), most1 = k.local("most1", Scalar::Float64),
              place = k.local("place", Scalar::Int64), place1 = k.local("place1", Scalar::Int64);
  ExprP j = k.var(k.dim(0)), i = k.var(k.dim(1)), x = k.load(a, {i, j});
  ExprP at = k.add(k.mul(i, k.extent(a, 1)), j);
  k.body().push_back(k.when(k.op(Op::Gt, x, k.var(most)), {k.set(most, x), k.set(place, at)}));
  k.function().folds.push_back({most, most1, k.real(-1e300), part});
  k.function().folds.push_back({place, place1, k.integer(-1), part});
  k.function().join.push_back(
      k.when(k.op(Op::Gt, k.var(most1), k.var(most)), {k.set(most, k.var(most1)), k.set(place, k.var(place1))}));
}

const Program& fold_programs() {
  static const Program* program = [] {
    Module m;
    build_sum(m, "sum", false, false);
    build_sum(m, "sum_lanes", true, false);
    build_sum(m, "sum_checked", false, true);
    build_greatest(m);
    return new Program(m);
  }();
  return *program;
}

struct FoldOutcome {
  int32_t code = VR_OK;
  std::string message;
  gpu::Stats stats;
  std::vector<int64_t> partial;
};

class FoldChunks : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (open_host_device) GTEST_SKIP() << "the host device has no folds";
    if (gpu::list_devices().empty()) GTEST_SKIP() << "no device";
    auto opened = gpu::Session::open_on(gpu::open_device("").driver);
    if (!opened || (*opened)->device_info().zero_copy) GTEST_SKIP() << "kernels work in place";
  }
  /// The partial results, with `limit` bytes on the device (0: without a limit).
  static FoldOutcome run(const char* name, const std::vector<double>& data, std::vector<int64_t> shape, int64_t groups,
                         int64_t limit, std::vector<int64_t> counts = {}) {
    FoldOutcome o;
    auto opened = gpu::Session::open_on(gpu::open_device("").driver, limit);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
    if (!opened) return o;
    vr_kernel kernel = *fold_programs()[name];
    kernel.groups_param = 1;
    const int64_t folds = std::strcmp(name, "greatest") == 0 ? 2 : 1;
    o.partial.assign(size_t(groups * folds), -7);
    Doubles a = data;
    const bool single = kernel.params[0].elem == VR_FLOAT32;
    std::vector<float> floats(single ? a.begin() : a.end(), a.end());
    vr_array array = describe(single ? static_cast<void*>(floats.data()) : a.data(), kernel.params[0].elem, shape),
             partial = describe(o.partial.data(), VR_INT64, {groups, folds});
    const vr_value args[] = {value(array), value(partial)};
    if (counts.empty()) counts.assign(shape.rbegin(), shape.rend());
    vr_context context;
    context.gpu = opened->get();
    o.code = vr_gpu_section_begin(&context);
    // The second launch starts with the results of the first one.
    for (int k = 0; k < 2 && o.code == VR_OK; ++k) {
      o.code = vr_gpu_launch(&context, nullptr, &kernel, counts.data(), args);
      if (o.code == VR_OK) o.code = vr_gpu_need_host(&context, &partial, 0);
    }
    if (o.code == VR_OK) o.code = vr_gpu_section_end(&context);
    o.message = context.error.message;
    (*opened)->abandon(&context);
    o.stats = (*opened)->stats();
    EXPECT_EQ(o.stats.bytes_on_device, 0) << "memory is back";
    EXPECT_EQ(a, data);
    return o;
  }
  static void compare(const char* name, std::vector<int64_t> shape, int64_t groups, int percent = GetParam()) {
    int64_t n = 1;
    for (int64_t extent : shape) n *= extent;
    Doubles data(static_cast<size_t>(n));
    for (size_t k = 0; k < data.size(); ++k) data[k] = std::sin(double(k)) * std::exp2(double(k % 60) - 30);
    // Float32 elements have half as many bytes.
    const int64_t bytes = n * (fold_programs()[name]->params[0].elem == VR_FLOAT32 ? 4 : 8);
    const FoldOutcome whole = run(name, data, shape, groups, 0),
                      parts = run(name, data, shape, groups, bytes * percent / 100);
    ASSERT_EQ(whole.code, VR_OK) << whole.message;
    ASSERT_EQ(parts.code, VR_OK) << parts.message;
    EXPECT_EQ(whole.stats.in_chunks, 0);
    EXPECT_EQ(parts.stats.in_chunks, 2);
    EXPECT_GE(parts.stats.chunks, 2 * 100 / percent);
    EXPECT_EQ(parts.stats.bytes_up, 2 * bytes) << "each element once a launch";
    EXPECT_EQ(whole.partial, parts.partial);
    for (int64_t p : parts.partial) EXPECT_NE(p, -7);
  }
};

TEST_P(FoldChunks, OfSums) {
  for (const char* name : {"sum", "sum_lanes", "sum_checked"})
    for (int64_t n : {1 << 20, (1 << 20) + 12345}) compare(name, {n}, 4);
}

TEST_P(FoldChunks, OfAnExtremeAndItsPosition) { compare("greatest", {1501, 700}, 3); }

INSTANTIATE_TEST_SUITE_P(Percent, FoldChunks, ::testing::Values(50, 10, 3));

TEST_F(FoldChunks, OfManyGroups) { compare("sum", {1 << 23}, 1024, 10); }

TEST_F(FoldChunks, AFaultInOneOfThem) {
  const Doubles a(1 << 20, 1.0);
  const FoldOutcome o = run("sum_checked", a, {(1 << 20) - 5000}, 4, 1 << 20, {1 << 20});
  EXPECT_EQ(o.code, VR_OUT_OF_BOUNDS) << o.message;
}

TEST_F(FoldChunks, RefusedWithoutMemoryForPartialResults) {
  const Doubles a(1 << 20, 1.0);
  const FoldOutcome o = run("sum", a, {1 << 20}, 1024, 1 << 20);
  EXPECT_EQ(o.code, VR_DEVICE);
  EXPECT_NE(o.message.find("partial results of its work-items need more"), std::string::npos) << o.message;
}

/// Other groups than those of the whole launch would accumulate and join in another order.
TEST(FoldGroups, OfPartsAreThoseOfTheWholeLaunch) {
  const auto counts = std::make_shared<NullCounts>();
  auto opened = gpu::Session::open_on(open_null_device(counts, 1 << 20, {.max_group = 64}));
  ASSERT_TRUE(opened) << opened.error().text();
  vr_context context;
  context.gpu = opened->get();
  vr_kernel kernel = *fold_programs()["sum"];
  kernel.groups_param = 1;
  std::vector<int64_t> results(4);
  for (const int64_t n : {int64_t{1} << 10, int64_t{1} << 20}) {
    // Nothing accesses this address.
    vr_array array = describe(reinterpret_cast<void*>(int64_t{1} << 42), VR_FLOAT64, {n}),
             partial = describe(results.data(), VR_INT64, {4, 1});
    const vr_value args[] = {value(array), value(partial)};
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, &kernel, &n, args), VR_OK) << context.error.message;
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
    EXPECT_EQ(counts->group, 64);
  }
  EXPECT_EQ((*opened)->stats().in_chunks, 1);
}

/// Each device has its own rows of the partial results.
TEST(FoldGroups, AreDividedBetweenDevices) {
  const auto one = std::make_shared<NullCounts>(), other = std::make_shared<NullCounts>();
  std::vector<gpu::Session::Share> devices;
  devices.push_back({open_null_device(one, 1 << 30), 1});
  devices.push_back({open_null_device(other, 1 << 30), 3});
  auto opened = gpu::Session::open_on(std::move(devices));
  ASSERT_TRUE(opened) << opened.error().text();
  vr_context context;
  context.gpu = opened->get();
  vr_kernel kernel = *fold_programs()["sum"];
  kernel.groups_param = 1;
  constexpr int64_t n = 1 << 20, groups = 64;
  std::vector<int64_t> results(groups);
  vr_array array = describe(reinterpret_cast<void*>(int64_t{1} << 42), VR_FLOAT64, {n}),
           partial = describe(results.data(), VR_INT64, {groups, 1});
  const vr_value args[] = {value(array), value(partial)};
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(vr_gpu_launch(&context, nullptr, &kernel, &n, args), VR_OK) << context.error.message;
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
  EXPECT_EQ((*opened)->stats().divided, 1);
  // Each device's fault record is copied, too.
  EXPECT_GE(one->bytes_down, groups / 4 * 8);
  EXPECT_EQ(other->bytes_down - one->bytes_down, groups / 2 * 8);
}

}  // namespace
}  // namespace vr::test
