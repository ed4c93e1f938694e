// sort_values and sort_positions compared with std::stable_sort, bit for bit: sizes around the limits of each method,
// special values, orders and numbers of values, one thread and several.
#include "runtime/cpu/sort.hpp"

#include "arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace vr::runtime {
namespace {

template <class T>
bool before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  return a < b;
}

template <class T>
T any_number(std::mt19937_64& random) {
  T v;
  const uint64_t bits = random();
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
/// Elements whose values and order depend on `kind`.
template <class T>
std::vector<T> elements(int64_t n, int kind) {
  std::mt19937_64 random(static_cast<uint64_t>(n * 10 + kind));
  std::vector<T> v(static_cast<size_t>(n));
  for (T& x : v) {
    x = any_number<T>(random);  // of floats also NaNs with payloads, infinities and denormals
    if (kind == 1) x = static_cast<T>(random() % 5);
    if (kind >= 2 && kind != 5 && x != x) x = T(1);
  }
  if (kind == 2 || kind == 3) std::sort(v.begin(), v.end());
  if (kind == 3) std::reverse(v.begin(), v.end());
  if (kind == 4) std::sort(v.begin(), v.begin() + n / 2);
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {T(0),
                         -T(0),
                         std::numeric_limits<T>::infinity(),
                         -T(1),
                         std::numeric_limits<T>::quiet_NaN(),
                         std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1))};
    if (kind >= 5)
      for (T& x : v)
        if (random() % 2) x = special[random() % (kind == 5 ? 6 : 2)];
  }
  return v;
}

template <class T>
class Sort : public testing::Test {};
using Types = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(Sort, Types);

TYPED_TEST(Sort, AsStableSort) {
  using T = TypeParam;
  for (int64_t n : {0,   1,   2,   24,  25,  47,   48,   49,   63,    65,     100,    191,
                    192, 200, 513, 767, 768, 1000, 4095, 4096, 20000, 131071, 131072, 200003}) {
    for (int kind = 0; kind < 7; ++kind) {
      const std::vector<T> given = elements<T>(n, kind);
      std::vector<int64_t> order(given.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return before(given[static_cast<size_t>(a)], given[static_cast<size_t>(b)]);
      });
      std::vector<T> wanted;
      for (int64_t k : order) wanted.push_back(given[static_cast<size_t>(k)]);
      for (int threads : {1, 3, 9}) {
        SCOPED_TRACE(std::to_string(n) + " elements of kind " + std::to_string(kind) +
                     ", threads: " + std::to_string(threads));
        vr_context ctx;
        ctx.threads = threads;
        std::vector<T> got = given;
        ASSERT_TRUE(sort_values(&ctx, got.data(), n));
        ASSERT_TRUE(n == 0 || std::memcmp(got.data(), wanted.data(), got.size() * sizeof(T)) == 0);
        got = given;
        std::vector<int64_t> positions(got.size());
        ASSERT_TRUE(sort_positions(&ctx, got.data(), n, positions.data(), 1));
        ASSERT_TRUE(n == 0 || std::memcmp(got.data(), wanted.data(), got.size() * sizeof(T)) == 0);
        for (size_t k = 0; k < order.size(); ++k) ASSERT_EQ(positions[k], order[k] + 1);
      }
    }
  }
}

/// Lines of an array along each axis: short ones are sorted together, those with NaN or -0.0 by themselves.
TYPED_TEST(Sort, LinesAsEachByItself) {
  using T = TypeParam;
  const int32_t elem = std::is_same_v<T, float>      ? VR_FLOAT32
                       : std::is_same_v<T, double>   ? VR_FLOAT64
                       : std::is_same_v<T, int8_t>   ? VR_INT8
                       : std::is_same_v<T, int16_t>  ? VR_INT16
                       : std::is_same_v<T, int32_t>  ? VR_INT32
                       : std::is_same_v<T, int64_t>  ? VR_INT64
                       : std::is_same_v<T, uint8_t>  ? VR_UINT8
                       : std::is_same_v<T, uint16_t> ? VR_UINT16
                       : std::is_same_v<T, uint32_t> ? VR_UINT32
                                                     : VR_UINT64;
  for (const std::vector<int64_t>& extents : std::vector<std::vector<int64_t>>{
           {7, 5}, {3, 33}, {40, 21}, {2, 19, 9}, {1024, 3}, {9, 1025}, {1, 50}, {8, 1}, {300, 200}, {2, 40, 150}})
    for (int kind : {0, 1, 5, 6})
      for (int threads : {1, 3}) {
        vr_context ctx;
        ctx.threads = threads;
        test::Buffer a(elem, extents);
        const int64_t all = element_count(a.a);
        std::vector<T> given = elements<T>(all, kind);
        // Only the last quarter has special values: the others are sorted together.
        const std::vector<T> plain = elements<T>(all, 1);
        if (kind >= 5) std::copy_n(plain.begin(), all * 3 / 4, given.begin());
        std::memcpy(a.a.data, given.data(), given.size() * sizeof(T));
        for (int32_t axis = 0; axis < a.a.rank; ++axis) {
          vr_array out;
          ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &a.a, &out, axis, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
          const int64_t n = a.a.extent[axis];
          for (std::vector<int64_t>& i : test::subscripts(a.a)) {
            if (i[static_cast<size_t>(axis)] != 0) continue;
            std::vector<T> line, got;
            for (int64_t k = 0; k < n; ++k) {
              i[static_cast<size_t>(axis)] = k;
              line.push_back(test::at<T>(a.a, i));
              got.push_back(test::at<T>(out, i));
            }
            std::stable_sort(line.begin(), line.end(), before<T>);
            ASSERT_EQ(std::memcmp(line.data(), got.data(), line.size() * sizeof(T)), 0)
                << "axis " << axis << " kind " << kind;
          }
          vr_rt_release(out.owner);
        }
      }
}

TEST(SortBool, FalseFirst) {
  vr_context ctx;
  bool v[300];
  int64_t positions[300];
  for (int k = 0; k < 300; ++k) v[k] = k % 3 == 0;
  ASSERT_TRUE(sort_positions(&ctx, v, 300, positions, 0));
  for (int k = 0; k < 300; ++k) EXPECT_EQ(v[k], k >= 200);
  EXPECT_EQ(positions[1], 2);
  EXPECT_EQ(positions[200], 0);
  EXPECT_EQ(positions[299], 297);
}

}  // namespace
}  // namespace vr::runtime
