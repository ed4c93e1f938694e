// Scans and sorting on the device, compared with the runtime library's sorting and with simple scans.
#include "device/device_fixture.hpp"
#include "runtime/cpu/sizes.hpp"
#include "runtime/gpu/library/scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace vr::test {
namespace {

class DeviceLibrary : public DeviceTest {
 protected:
  void TearDown() override {
    for (const vr_array& a : made_) vr_rt_release(a.owner);
    DeviceTest::TearDown();
  }
  /// Runs the call in a section of its own; afterwards its results are in host memory. The call must run on the device,
  /// unless the device runs no OpenCL C.
  void in_section(const std::function<int32_t()>& call) {
    const int64_t on_host = session().stats().on_host;
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(call(), VR_OK) << context.error.message;
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
    if (!open_host_device) {
      EXPECT_EQ(session().stats().on_host, on_host) << "it ran on the CPU";
    }
  }
  vr_array scan(const vr_array& a, int32_t axis, int32_t fold, int32_t elem, int32_t layout = VR_ROWMAJOR) {
    vr_array out = {};
    in_section([&] { return vr_gpu_scan(&context, nullptr, &a, &out, axis, fold, elem, layout, VR_IN_ENGINE); });
    made_.push_back(out);
    return out;
  }
  /// Sorted elements and positions on the device equal those of the runtime library, bit for bit.
  void compare_sorts(const vr_array& a, int32_t axis, int32_t layout = VR_ROWMAJOR) {
    vr_array alone = {}, values = {}, places = {}, want = {}, want_places = {};
    in_section([&] { return vr_gpu_sort(&context, nullptr, &a, &alone, axis, layout, VR_IN_ENGINE); });
    in_section(
        [&] { return vr_gpu_sort_index(&context, nullptr, &a, &values, &places, axis, 1, layout, VR_IN_ENGINE); });
    ASSERT_EQ(vr_rt_sort_index(&context, nullptr, &a, &want, &want_places, axis, 1, layout, VR_IN_ENGINE), VR_OK);
    for (const vr_array& x : {alone, values, places, want, want_places}) made_.push_back(x);
    EXPECT_TRUE(same(alone, want));
    EXPECT_TRUE(same(values, want));
    EXPECT_TRUE(same(places, want_places));
  }
  /// New arrays of one layout are contiguous.
  static bool same(const vr_array& a, const vr_array& b) {
    const auto bytes = size_t(runtime::element_count(a) * runtime::element_bytes(a.elem));
    return runtime::element_count(a) == runtime::element_count(b) &&
           (bytes == 0 || std::memcmp(a.data, b.data, bytes) == 0);
  }
  std::vector<vr_array> made_;
};

uint64_t scramble(uint64_t k) {
  k = (k ^ k >> 33) * 0xff51afd7ed558ccdu;
  k = (k ^ k >> 29) * 0xc4ceb9fe1a85ec53u;
  return k ^ k >> 32;
}
template <class T>
std::vector<T> numbers(int64_t n, uint64_t kinds = ~uint64_t{0}) {
  std::vector<T> v;
  for (int64_t k = 0; k < n; ++k) {
    const uint64_t r = scramble(uint64_t(k) + 1) % kinds;
    if constexpr (std::is_floating_point_v<T>)
      v.push_back(T(double(r % 2000003) / 1000.0 - 1000));
    else
      v.push_back(T(r));
  }
  return v;
}

constexpr int64_t lengths[] = {0, 1, 2, 15, 16, 64, 65, 127, 512, 513, 2047, 2048, 2049, 4099, 300007, 2200003};

TEST_F(DeviceLibrary, SumsOfIntegersAreExactAndWrap) {
  for (int64_t n : lengths) {
    std::vector<int32_t> v = numbers<int32_t>(n);
    const vr_array got = scan(describe(v.data(), VR_INT32, {n}), 0, VR_SCAN_SUM, VR_INT64);
    int64_t sum = 0;
    for (int64_t k = 0; k < n; ++k) {
      sum += v[size_t(k)];
      ASSERT_EQ(static_cast<int64_t*>(got.data)[k], sum) << n << " " << k;
    }
    std::vector<uint8_t> odd;
    for (int64_t k = 0; k < n; ++k) odd.push_back(uint8_t(2 * k + 3));
    const vr_array products = scan(describe(odd.data(), VR_UINT8, {n}), 0, VR_SCAN_PRODUCT, VR_UINT8);
    uint8_t product = 1;
    for (int64_t k = 0; k < n; ++k) {
      product = uint8_t(product * odd[size_t(k)]);
      ASSERT_EQ(static_cast<uint8_t*>(products.data)[k], product) << n << " " << k;
    }
  }
}

TEST_F(DeviceLibrary, FloatsAreJoinedInTheOrderOfTheTree) {
  for (int64_t n : lengths) {
    std::vector<double> v = numbers<double>(n), want(v.size());
    if (n > 0) v[0] = -0.0;
    const vr_array a = describe(v.data(), VR_FLOAT64, {n}), result = describe(want.data(), VR_FLOAT64, {n});
    gpu::scan_on_host({VR_SCAN_SUM, false, VR_FLOAT64, VR_FLOAT64}, gpu::one_line(a, result), v.data(), want.data());
    const vr_array got = scan(a, -1, VR_SCAN_SUM, VR_FLOAT64);
    EXPECT_TRUE(same(got, result)) << n;
    double sum = 0, size = 0;
    for (int64_t k = 0; k < n; ++k) {
      sum += v[size_t(k)];
      size += std::fabs(v[size_t(k)]);
      ASSERT_NEAR(static_cast<double*>(got.data)[k], sum, 1e-12 * size) << n << " " << k;
    }
    if (n > 0) {
      EXPECT_TRUE(std::signbit(static_cast<double*>(got.data)[0])) << "the first partial sum is the first element";
    }
  }
}

TEST_F(DeviceLibrary, Float32IsJoinedInFloat64) {
  constexpr int64_t n = 100003;
  std::vector<float> v = numbers<float>(n);
  const vr_array got = scan(describe(v.data(), VR_FLOAT32, {n}), 0, VR_SCAN_SUM, VR_FLOAT32);
  double sum = 0;
  int64_t other = 0;
  for (int64_t k = 0; k < n; ++k) {
    sum += double(v[size_t(k)]);
    const float x = static_cast<float*>(got.data)[k];
    other += x != float(sum);
    ASSERT_NEAR(x, float(sum), std::fabs(float(sum)) * 2e-7 + 1e-9) << k;
  }
  EXPECT_LT(other, n / 100) << "nearly all are the rounded exact sums";
}

TEST_F(DeviceLibrary, ExtremaTreatNanAndZerosAsTheLibraryDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int64_t n : {1, 2, 63, 64, 65, 700, 2048, 5000}) {
    for (int32_t omit : {0, int32_t{VR_SCAN_OMIT_NAN}}) {
      std::vector<double> v = numbers<double>(n, 50);
      for (int64_t k = 0; k < n; k += 7) v[size_t(k)] = k % 2 ? 0.0 : -0.0;
      v[0] = omit ? nan : -std::numeric_limits<double>::infinity();
      v[size_t(n / 2)] = nan;
      const vr_array a = describe(v.data(), VR_FLOAT64, {n});
      for (bool most : {true, false}) {
        const vr_array got = scan(a, 0, (most ? VR_SCAN_LARGEST : VR_SCAN_SMALLEST) | omit, VR_FLOAT64);
        double best = v[0];
        for (int64_t k = 0; k < n; ++k) {
          const double x = v[size_t(k)];
          if (most ? x > best : x < best) best = x;
          if (omit ? std::isnan(best) : std::isnan(x) && !std::isnan(best)) best = x;
          ASSERT_EQ(std::memcmp(static_cast<double*>(got.data) + k, &best, sizeof best), 0) << n << " " << k;
        }
      }
    }
  }
}

TEST_F(DeviceLibrary, ScansRunAlongAnyAxisOfAnyView) {
  const int64_t extents[3] = {7, 600, 45};
  std::vector<int64_t> v = numbers<int64_t>(7 * 600 * 45, 1000);
  const vr_array whole = describe(v.data(), VR_INT64, {7, 600, 45});
  vr_array backward = whole;  // every second row, starting with the last one
  backward.data = v.data() + 599 * 45;
  backward.extent[1] = 300;
  backward.stride[1] = -2 * 45 * 8;
  for (const vr_array& a : {whole, backward}) {
    for (int32_t axis = 0; axis <= 3; ++axis) {
      const vr_array got = scan(a, axis, VR_SCAN_SUM, VR_INT64, axis % 2 ? VR_COLMAJOR : VR_ROWMAJOR);
      const auto at = [](const vr_array& x, const int64_t* i) {
        return *reinterpret_cast<const int64_t*>(static_cast<const char*>(x.data) + i[0] * x.stride[0] +
                                                 i[1] * x.stride[1] + i[2] * x.stride[2]);
      };
      int64_t i[3];
      for (i[0] = 0; i[0] < extents[0]; ++i[0])
        for (i[1] = 0; i[1] < a.extent[1]; ++i[1])
          for (i[2] = 0; i[2] < extents[2]; ++i[2]) {
            int64_t before[3] = {i[0], i[1], i[2]}, sum = at(a, i);
            if (axis < 3 && i[axis] > 0) {
              --before[axis];
              sum += at(got, before);
            }
            ASSERT_EQ(at(got, i), sum) << axis << ": " << i[0] << " " << i[1] << " " << i[2];
          }
    }
  }
}

TEST_F(DeviceLibrary, FloatScansOfColumnsAndRowsFollowTheirTree) {
  // The last row has 49 tiles: one full block of them, and a part of another.
  for (auto [rows, columns, axis] :
       {std::tuple{1000, 40, 0}, {3, 2000, 0}, {2000, 3, 0}, {100, 33000, 0}, {3, 100003, 1}}) {
    std::vector<double> v = numbers<double>(int64_t{rows} * columns), want(v.size());
    const vr_array a = describe(v.data(), VR_FLOAT64, {rows, columns}),
                   result = describe(want.data(), VR_FLOAT64, {rows, columns});
    gpu::scan_on_host({VR_SCAN_SUM, false, VR_FLOAT64, VR_FLOAT64}, *gpu::lines_along(a, result, axis), v.data(),
                      want.data());
    EXPECT_TRUE(same(scan(a, axis, VR_SCAN_SUM, VR_FLOAT64), result)) << rows << " " << columns;
  }
}

TEST_F(DeviceLibrary, SortsEqualThoseOfTheLibrary) {
  for (int64_t n : {0, 1, 2, 17, 1000, 2048, 4096, 4097, 5003, 100003}) {
    SCOPED_TRACE(n);
    std::vector<uint32_t> u = numbers<uint32_t>(n);
    compare_sorts(describe(u.data(), VR_UINT32, {n}), 0);
    std::vector<int64_t> few = numbers<int64_t>(n, 3);
    compare_sorts(describe(few.data(), VR_INT64, {n}), 0);
  }
  std::vector<int8_t> bytes = numbers<int8_t>(50001);
  compare_sorts(describe(bytes.data(), VR_INT8, {50001}), 0);
}

TEST_F(DeviceLibrary, SortsHaveMoreChunksThanAGroupHasWorkItems) {
  // A group adds up the counts of all chunks. Elements of 8 bytes with positions have chunks of 1024.
  constexpr int64_t n = 300001;
  std::vector<int64_t> v = numbers<int64_t>(n, 100000);
  compare_sorts(describe(v.data(), VR_INT64, {n}), 0);
}

TEST_F(DeviceLibrary, SortsOfFloatsKeepZerosInOrderAndPutNanLast) {
  for (int64_t n : {100, 9001}) {
    std::vector<float> v = numbers<float>(n);
    for (int64_t k = 0; k < n; k += 3) v[size_t(k)] = k % 2 ? 0.0f : -0.0f;
    for (int64_t k = 1; k < n; k += 11)
      v[size_t(k)] = std::copysign(std::numeric_limits<float>::quiet_NaN(), k % 2 ? 1.0f : -1.0f);
    v[5] = std::numeric_limits<float>::infinity();
    v[8] = -std::numeric_limits<float>::infinity();
    compare_sorts(describe(v.data(), VR_FLOAT32, {n}), 0);
    // The elements at every second position, starting with the last one.
    vr_array view = describe(v.data(), VR_FLOAT32, {n / 2});
    view.data = v.data() + (n / 2 - 1) * 2;
    view.stride[0] = -8;
    compare_sorts(view, 0);
  }
}

TEST_F(DeviceLibrary, ShortLinesAreSortedInLocalMemory) {
  std::vector<uint32_t> v = numbers<uint32_t>(120, 60);
  compare_sorts(describe(v.data(), VR_UINT32, {70}), 0);
  compare_sorts(describe(v.data(), VR_UINT32, {3, 40}), 1);
  compare_sorts(describe(v.data(), VR_UINT32, {3, 40}), 0);
}

TEST_F(DeviceLibrary, RowsAndColumnsAreSortedEachForItself) {
  std::vector<uint32_t> v = numbers<uint32_t>(6 * 5000, 100000);
  const vr_array rows = describe(v.data(), VR_UINT32, {6, 5000}), cube = describe(v.data(), VR_UINT32, {50, 6, 100});
  for (int32_t axis : {0, 1, 2})
    for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
      SCOPED_TRACE(axis);
      compare_sorts(rows, axis, layout);
      compare_sorts(cube, axis, layout);
    }
}

TEST_F(DeviceLibrary, ResultsStayOnTheDeviceBetweenTasks) {
  constexpr int64_t n = 10000;
  std::vector<uint32_t> v = numbers<uint32_t>(n, 1000);
  const vr_array a = describe(v.data(), VR_UINT32, {n});
  vr_array sorted = {}, sums = {};
  in_section([&] {
    int32_t status = vr_gpu_sort(&context, nullptr, &a, &sorted, 0, VR_ROWMAJOR, VR_IN_ENGINE);
    if (status == VR_OK)
      status = vr_gpu_scan(&context, nullptr, &sorted, &sums, 0, VR_SCAN_SUM, VR_UINT64, VR_ROWMAJOR, VR_IN_ENGINE);
    if (status == VR_OK) vr_gpu_release(&context, sorted.owner);
    return status;
  });
  made_.push_back(sums);
  std::sort(v.begin(), v.end());
  uint64_t sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    sum += v[size_t(k)];
    ASSERT_EQ(static_cast<uint64_t*>(sums.data)[k], sum) << k;
  }
}

}  // namespace
}  // namespace vr::test
