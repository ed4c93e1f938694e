// Byte spans of arrays and work sizes: needs no device.
#include "runtime/gpu/storage.hpp"
#include "device/device_fixture.hpp"
#include "runtime/gpu/regions/transfer.hpp"
#include "runtime/gpu/work_size.hpp"

#include <array>
#include <cstring>

namespace vr::test {
namespace {
using namespace gpu;

vr_array strided(void* data, int32_t elem, std::vector<int64_t> extents, std::vector<int64_t> strides) {
  vr_array a = describe(data, elem, extents);
  for (size_t k = 0; k < strides.size(); ++k) a.stride[k] = strides[k];
  return a;
}

TEST(Storage, SpanCoversLowestToHighestByteForAnySignOfStride) {
  char* p = reinterpret_cast<char*>(0x10000);
  EXPECT_EQ(storage_span(strided(p, VR_FLOAT64, {3, 4}, {32, 8})).bytes(), 96u);
  const Span s = storage_span(strided(p, VR_FLOAT32, {3, 4}, {-16, 4}));
  EXPECT_EQ(s.lo, 0x10000u - 32);
  EXPECT_EQ(s.hi, 0x10000u + 16);
  EXPECT_EQ(storage_span(strided(p, VR_FLOAT64 | VR_COMPLEX, {5}, {0})).bytes(), 16u);
  EXPECT_TRUE(storage_span(strided(p, VR_FLOAT64, {3, 0}, {8, 8})).empty());
}

TEST(Storage, DenseMeansEveryByteWhateverTheOrder) {
  char* p = reinterpret_cast<char*>(0x10000);
  EXPECT_TRUE(is_dense(strided(p, VR_INT32, {3, 5}, {20, 4})));
  EXPECT_TRUE(is_dense(strided(p, VR_INT32, {3, 5}, {4, 12})));
  EXPECT_TRUE(is_dense(strided(p, VR_INT32, {3, 5}, {-20, -4})));
  EXPECT_TRUE(is_dense(strided(p, VR_INT32, {1, 5}, {999, 4})));
  EXPECT_TRUE(is_dense(strided(p, VR_INT32, {3, 5}, {0, 4})));  // the same row three times
  EXPECT_FALSE(is_dense(strided(p, VR_INT32, {3, 4}, {20, 4})));
  EXPECT_FALSE(is_dense(strided(p, VR_INT32, {5}, {8})));
  EXPECT_FALSE(is_dense(strided(p, VR_INT32, {2, 2}, {24, 0})));  // as many elements as the span holds, with gaps
}

TEST(Storage, CopyBoxTouchesElementsOnly) {
  std::array<int32_t, 24> host = {}, image;
  for (int k = 0; k < 24; ++k) image[size_t(k)] = 100 + k;
  // Every second column of rows 2, 1, 0 of a 3 x 8 array.
  const vr_array a = strided(&host[16], VR_INT32, {3, 4}, {-32, 8});
  copy_box(*box_of(a), reinterpret_cast<const char*>(image.data()), reinterpret_cast<uintptr_t>(host.data()));
  for (int k = 0; k < 24; ++k) EXPECT_EQ(host[size_t(k)], k % 2 == 0 ? 100 + k : 0) << k;
}

TEST(WorkSizes, AreWarpsOnGpusAndStayWithinLimits) {
  WorkLimits gpu{1024, {1024, 1024, 64}, false, 100};
  const int64_t one[] = {100}, two[] = {9, 17}, three[] = {5, 4, 1};
  WorkSize w = work_size(1, one, gpu);
  EXPECT_EQ(w.local[0], 256u);
  EXPECT_EQ(w.global[0], 256u);
  w = work_size(2, two, gpu);
  EXPECT_EQ(w.local[0] * 100 + w.local[1], 3208u);
  EXPECT_EQ(w.global[0] * 100 + w.global[1], 3224u);
  w = work_size(3, three, gpu);
  EXPECT_EQ(w.global[0] * 100 + w.global[1] * 10 + w.global[2], 3242u);
  WorkLimits tiny{1, {1, 1, 1}, false, 1};
  w = work_size(2, two, tiny);
  EXPECT_EQ(w.local[0] * w.local[1], 1u);
  EXPECT_EQ(w.global[0] * 100 + w.global[1], 917u);
  const int64_t huge[] = {int64_t{1} << 40, int64_t{1} << 40};
  w = work_size(2, huge, gpu);
  EXPECT_LE(w.global[0] * w.global[1], size_t{1} << 30);
  EXPECT_EQ(w.global[0] % w.local[0], 0u);
}

TEST(WorkSizes, CoverTheDomain) {
  const WorkLimits gpu{1024, {1024, 1024, 64}, false, 100}, small{64, {64, 64, 64}, false, 1},
      cpu{4096, {4096, 4096, 4096}, true, 2};
  const std::vector<std::vector<int64_t>> domains = {
      {1}, {1000}, {9, 17}, {3, 1 << 21}, {1 << 21, 1}, {5, 4, 1}, {2, 1 << 18, 3}, {100, 2, 1 << 18}, {300, 300, 2}};
  for (const WorkLimits& limits : {gpu, small, cpu})
    for (const auto& n : domains)
      for (int64_t points : {1, 4})
        for (int group : {VR_GROUP_ANY, VR_GROUP_SQUARE, VR_GROUP_LARGE}) {
          const int dims = int(n.size());
          const WorkSize strided_over = work_size(dims, n.data(), limits);
          EXPECT_LE(strided_over.local[0] * strided_over.local[1] * strided_over.local[2], limits.max_group);
          const WorkSize w = covering_size(dims, n.data(), points, group, limits);
          EXPECT_LE(w.local[0] * w.local[1] * w.local[2], limits.max_group);
          for (int d = 0; d < 3; ++d) {
            const int64_t count = d >= dims ? 1 : d == 0 ? (n[0] + points - 1) / points : n[size_t(d)];
            EXPECT_GE(int64_t(w.global[d]), count);
            EXPECT_LT(int64_t(w.global[d]), count + int64_t(w.local[d]));
            EXPECT_EQ(w.global[d] % w.local[d], 0u);
            EXPECT_LE(w.local[d], limits.max_items[d]);
            if (d > 0 && !limits.cpu) {
              EXPECT_LE(w.global[d] / w.local[d], 65535u) << d << " of " << dims;
            }
          }
        }
  const int64_t thin[] = {3, 10000}, square[] = {500, 500};
  const int64_t partly[] = {70, 5};
  EXPECT_EQ(team_size(2, partly, 4, 32).local[0], 128u);
  EXPECT_EQ(team_size(2, partly, 4, 32).global[0], 3 * 128u);
  EXPECT_EQ(team_size(2, partly, 4, 32).global[1], 5u);
  WorkSize w = covering_size(2, thin, 1, VR_GROUP_ANY, gpu);
  EXPECT_EQ(w.local[0] * 1000 + w.local[1], 4032u);
  // Few work-items: every core gets some, as long as groups have at least 32.
  const int64_t rows[] = {8192}, more[] = {100000};
  EXPECT_EQ(covering_size(1, rows, 1, VR_GROUP_ANY, gpu).local[0], 32u);
  EXPECT_EQ(covering_size(1, more, 1, VR_GROUP_ANY, gpu).local[0], 256u);
  w = covering_size(2, square, 1, VR_GROUP_ANY, gpu);
  EXPECT_EQ(w.local[0] * 1000 + w.local[1], 32008u);
  w = covering_size(2, square, 1, VR_GROUP_SQUARE, gpu);
  EXPECT_EQ(w.local[0] * 1000 + w.local[1], 16016u);
  w = covering_size(2, square, 1, VR_GROUP_LARGE, gpu);
  EXPECT_EQ(w.local[0] * 1000 + w.local[1], 32004u);
}

TEST(WorkSizes, RowsOnCpusWhenThereAreEnough) {
  WorkLimits cpu{4096, {4096, 4096, 4096}, true, 2};
  const int64_t many[] = {500, 2000}, few[] = {100000, 3};
  EXPECT_EQ(work_size(2, many, cpu).global[0], 1u);
  EXPECT_EQ(work_size(2, many, cpu).global[1], 2000u);
  EXPECT_EQ(work_size(2, few, cpu).local[0], 64u);
}

TEST(WorkSizes, GroupsWithCopiesAreFewAndCoverTheDomain) {
  const WorkLimits gpu{1024, {1024, 1024, 64}, false, 100};
  for (const auto& n : {std::vector<int64_t>{1},
                        {300},
                        {70000},
                        {int64_t{1} << 30},
                        {5, 70000},
                        {70000, 5},
                        {1 << 15, 1 << 15},
                        {600, 300, 2000},
                        {1 << 17, 2, 1 << 13}}) {
    const WorkSize w = private_size(int(n.size()), n.data(), false, gpu);
    int64_t all = 1, items = 1;
    for (size_t d = 0; d < n.size(); ++d) {
      all *= n[d];
      items *= int64_t(w.global[d]);
      EXPECT_EQ(w.global[d] % w.local[d], 0u);
    }
    EXPECT_EQ(w.local[0], 256u);
    // A copy of 32 bits must not wrap (loop/transform/privatise.cpp).
    EXPECT_LE(all / items * 256, int64_t{1} << 23);
    EXPECT_LE(items, std::max<int64_t>(256, 2 << 18));
  }
  const int64_t some[] = {100};
  EXPECT_EQ(private_size(1, some, false, {64, {64, 64, 64}, true, 2}).local[0], 64u);
}

TEST(WorkSizes, GroupsWithCopiesOfSlicesHaveOneAtATime) {
  const WorkLimits gpu{1024, {1024, 1024, 64}, false, 100};
  const int64_t votes[] = {100000, 180}, many[] = {300, 1 << 20}, deep[] = {1000, 7, 900};
  const WorkSize w = private_size(2, votes, true, gpu);
  EXPECT_EQ(w.local[0], 256u);
  EXPECT_EQ(w.local[1], 1u);
  EXPECT_EQ(w.global[1], 180u);
  EXPECT_EQ(w.global[0], 1536u);  // six groups for each slice
  EXPECT_EQ(private_size(2, many, true, gpu).global[1], 65535u);
  const WorkSize d = private_size(3, deep, true, gpu);
  EXPECT_EQ(d.global[2], 900u);
  EXPECT_EQ(d.global[1], 1u);
}

}  // namespace
}  // namespace vr::test
