// Memory layouts: offsets, strides of any sign, slices that share storage, domains of 1 to 3 dimensions.
#include "device/device_fixture.hpp"

#include <numeric>

namespace vr::test {
namespace {

using Layout = DeviceTest;

/// dst[i...] = src[i...] + 1 over the whole of dst.
Program increment(int rank) {
  Module m;
  std::vector<std::string> dims;
  for (int d = rank - 1; d >= 0; --d) dims.push_back("i" + std::to_string(d));
  KernelBuilder k(m, "increment", dims);
  const ArrayId src = k.array_param("src", ir::Elem::Int32, rank, false),
                dst = k.array_param("dst", ir::Elem::Int32, rank, true);
  std::vector<ExprP> index;
  for (int d = 0; d < rank; ++d) index.push_back(k.var(k.dim(rank - 1 - d)));
  for (int d = 0; d < rank; ++d) k.body().push_back(k.bounds_check(src, d, index[size_t(d)]));
  k.body().push_back(k.store(dst, index, k.add(k.load(src, index), k.integer(1, Scalar::Int32))));
  return Program(m);
}

std::vector<int32_t> counting(size_t n) {
  std::vector<int32_t> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

vr_array strided(void* data, std::vector<int64_t> extents, std::vector<int64_t> strides) {
  vr_array a = describe(data, VR_INT32, extents);
  for (size_t d = 0; d < strides.size(); ++d) a.stride[d] = strides[d] * 4;
  return a;
}

TEST_F(Layout, DomainsOfOneTwoAndThreeDimensionsAreCoveredOnce) {
  const std::vector<std::vector<int64_t>> shapes = {{1},      {1000},   {1, 1},     {37, 53},  {3, 700},
                                                    {700, 3}, {200, 2}, {5, 7, 11}, {90, 3, 2}};
  for (const auto& shape : shapes) {
    const int64_t n = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    std::vector<int32_t> x = counting(size_t(n)), y(size_t(n), -1);
    const Program program = increment(int(shape.size()));
    vr_array src = describe(x.data(), VR_INT32, shape), dst = describe(y.data(), VR_INT32, shape);
    ASSERT_EQ(run(program["increment"], {shape.rbegin(), shape.rend()}, {value(src), value(dst)}), VR_OK)
        << context.error.message;
    for (int64_t e = 0; e < n; ++e) ASSERT_EQ(y[size_t(e)], x[size_t(e)] + 1) << e;
  }
}

TEST_F(Layout, DataInTheMiddleOfStorage) {
  std::vector<int32_t> x = counting(64), y(64, -1);
  const Program program = increment(1);
  vr_array src = strided(&x[5], {10}, {1}), dst = strided(&y[33], {10}, {2});
  ASSERT_EQ(run(program["increment"], {10}, {value(src), value(dst)}), VR_OK);
  for (int e = 0; e < 64; ++e)
    EXPECT_EQ(y[size_t(e)], e >= 33 && e < 53 && e % 2 == 1 ? 5 + (e - 33) / 2 + 1 : -1) << e;
}

TEST_F(Layout, NegativeAndZeroStrides) {
  std::vector<int32_t> x = counting(12), y(12);
  const Program two = increment(2);
  vr_array reversed = strided(&x[11], {3, 4}, {-4, -1}), dst = describe(y.data(), VR_INT32, {3, 4});
  ASSERT_EQ(run(two["increment"], {4, 3}, {value(reversed), value(dst)}), VR_OK);
  for (int e = 0; e < 12; ++e) EXPECT_EQ(y[size_t(e)], 12 - e);
  vr_array repeated = strided(&x[2], {3, 4}, {0, 1});
  ASSERT_EQ(run(two["increment"], {4, 3}, {value(repeated), value(dst)}), VR_OK);
  for (int e = 0; e < 12; ++e) EXPECT_EQ(y[size_t(e)], 3 + e % 4);
}

TEST_F(Layout, SlicesOfOneArrayShareABuffer) {
  // The upper half is written from the lower half of the same storage, then the lower from the upper, in one section.
  std::vector<int32_t> x = counting(100);
  const Program program = increment(1);
  vr_array whole = strided(&x[0], {100}, {1}), low = strided(&x[0], {50}, {1}), high = strided(&x[50], {50}, {1});
  vr_array even = strided(&x[0], {50}, {2}), odd = strided(&x[99], {50}, {-2});
  const int64_t n = 50, all = 100;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  auto go = [&](vr_array& src, vr_array& dst, int64_t count) {
    const vr_value args[] = {value(src), value(dst)};
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, program["increment"], &count, args), VR_OK) << context.error.message;
  };
  std::vector<int32_t> want = x;
  go(low, high, n);
  for (size_t e = 0; e < 50; ++e) want[50 + e] = want[e] + 1;
  go(high, low, n);
  for (size_t e = 0; e < 50; ++e) want[e] = want[50 + e] + 1;
  go(even, odd, n);  // interleaved, read forwards and written backwards
  for (size_t e = 0; e < 50; ++e) want[99 - 2 * e] = want[2 * e] + 1;
  go(whole, whole, all);
  for (int32_t& v : want) ++v;
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x, want);
}

TEST_F(Layout, ASliceBetweenTheElementsOfAnother) {
  // The bytes of one argument lie within those of another, which continue after them for more than a small buffer has.
  std::vector<int32_t> x = counting(400000), want = x;
  const Program program = increment(1);
  vr_array wide = strided(&x[0], {10}, {40000}), between = strided(&x[21], {10}, {2});
  ASSERT_EQ(run(program["increment"], {10}, {value(wide), value(between)}), VR_OK) << context.error.message;
  for (size_t e = 0; e < 10; ++e) want[21 + 2 * e] = int32_t(40000 * e + 1);
  EXPECT_EQ(x, want);
}

TEST_F(Layout, ALaterWiderSliceKeepsWhatKernelsWrote) {
  std::vector<int32_t> x(60, 0), y(60, 0);
  const Program program = increment(1);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int64_t width : {20, 40, 60}) {  // each launch needs a larger range
    vr_array a = strided(&x[size_t(60 - width)], {width}, {1});
    const vr_value args[] = {value(a), value(a)};
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, program["increment"], &width, args), VR_OK);
  }
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (int e = 0; e < 60; ++e) EXPECT_EQ(x[size_t(e)], e / 20 + 1) << e;
}

TEST_F(Layout, GapsBetweenWrittenElementsAreLeftAlone) {
  // While the section uses the slice, the host changes elements between those of the slice, which do not belong to the
  // section.
  std::vector<int32_t> x(64, 0);
  const Program program = increment(1);
  vr_array even = strided(&x[0], {32}, {2});
  const int64_t n = 32;
  const vr_value args[] = {value(even), value(even)};
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(vr_gpu_launch(&context, nullptr, program["increment"], &n, args), VR_OK);
  for (size_t e = 1; e < 64; e += 2) x[e] = 77;
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (size_t e = 0; e < 64; ++e) EXPECT_EQ(x[e], e % 2 ? 77 : 1) << e;
}

TEST_F(Layout, EmptyArraysAndEmptyDomains) {
  const Program program = increment(1);
  std::vector<int32_t> x(4, 5);
  vr_array none = describe(nullptr, VR_INT32, {0}), some = describe(x.data(), VR_INT32, {4});
  EXPECT_EQ(run(program["increment"], {0}, {value(none), value(none)}), VR_OK) << context.error.message;
  EXPECT_EQ(run(program["increment"], {-3}, {value(some), value(some)}), VR_OK);
  EXPECT_EQ(x, std::vector<int32_t>(4, 5));
  // An empty source and a nonempty domain: the check in the kernel fails, and nothing is stored.
  EXPECT_EQ(run(program["increment"], {4}, {value(none), value(some)}), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(context.error.extent, 0);
  EXPECT_EQ(x, std::vector<int32_t>(4, 5));
}

}  // namespace
}  // namespace vr::test
