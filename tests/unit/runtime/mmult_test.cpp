#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "runtime/cpu/pool.hpp"

namespace vr::runtime {
namespace {

using test::Buffer;
using test::Lie;
using Shape = std::vector<int64_t>;
using Wide = std::complex<double>;

/// Small integers, exact in every type. `seed` makes operands differ.
Wide value(int64_t n, int32_t elem, int64_t seed) {
  const int32_t base = elem & ~VR_COMPLEX;
  auto part = [&](int64_t k) { return double(base == VR_BOOL ? (k * 7 + seed) % 3 == 0 : (k * 5 + seed) % 11 - 5); };
  return {part(n), elem & VR_COMPLEX ? part(n + 3) : 0.0};
}
template <class T>
void put_parts(char* p, Wide v, bool complex) {
  auto* q = reinterpret_cast<T*>(p);
  q[0] = static_cast<T>(v.real());
  if (complex) q[1] = static_cast<T>(v.imag());
}
template <class T>
Wide get_parts(const char* p, bool complex) {
  auto* q = reinterpret_cast<const T*>(p);
  return {double(q[0]), complex ? double(q[1]) : 0.0};
}
void put(char* p, int32_t elem, Wide v) {
  const bool c = elem & VR_COMPLEX;
  switch (elem & ~VR_COMPLEX) {
    case VR_BOOL:
      return put_parts<uint8_t>(p, v, c);
    case VR_INT32:
      return put_parts<int32_t>(p, v, c);
    case VR_INT64:
      return put_parts<int64_t>(p, v, c);
    case VR_FLOAT32:
      return put_parts<float>(p, v, c);
    default:
      return put_parts<double>(p, v, c);
  }
}
Wide get(const char* p, int32_t elem) {
  const bool c = elem & VR_COMPLEX;
  switch (elem & ~VR_COMPLEX) {
    case VR_BOOL:
      return get_parts<uint8_t>(p, c);
    case VR_INT32:
      return get_parts<int32_t>(p, c);
    case VR_INT64:
      return get_parts<int64_t>(p, c);
    case VR_FLOAT32:
      return get_parts<float>(p, c);
    default:
      return get_parts<double>(p, c);
  }
}
void fill(const vr_array& a, int64_t seed) {
  int64_t n = 0;
  for (const auto& i : test::subscripts(a)) put(test::address(a, i), a.elem, value(n++, a.elem, seed));
}

/// Element (i, j) of the product by the definition.
Wide product_at(const vr_array& a, const vr_array& b, int64_t i, int64_t j) {
  Wide sum = 0;
  for (int64_t p = 0; p < b.extent[0]; ++p) {
    Wide x = get(test::address(a, a.rank == 1 ? Shape{p} : Shape{i, p}), a.elem);
    Wide y = get(test::address(b, b.rank == 1 ? Shape{p} : Shape{p, j}), b.elem);
    sum += x * y;
  }
  if (a.elem == VR_BOOL) sum = sum.real() != 0 ? 1.0 : 0.0;
  return sum;
}

void check_product(const Shape& sa, const Shape& sb, int32_t elem, Lie la, Lie lb, int threads) {
  Buffer a(elem, sa, la), b(elem, sb, lb);
  fill(a.a, 1);
  fill(b.a, 4);
  vr_context ctx;
  ctx.threads = threads;
  for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
    vr_array out = {};
    ASSERT_EQ(vr_rt_mmult(&ctx, &test::site, &a.a, &b.a, &out, layout, VR_IN_ENGINE), VR_OK) << ctx.error.message;
    Shape expected;
    if (sa.size() == 2) expected.push_back(sa[0]);
    if (sb.size() == 2) expected.push_back(sb[1]);
    if (expected.empty()) expected.push_back(1);
    EXPECT_EQ(Shape(out.extent, out.extent + out.rank), expected);
    EXPECT_EQ(out.elem, elem);
    EXPECT_TRUE(is_contiguous(out.rank, out.extent, out.stride, element_bytes(elem), layout == VR_COLMAJOR));
    for (const auto& at : test::subscripts(out)) {
      int64_t i = sa.size() == 2 ? at[0] : 0;
      int64_t j = sb.size() == 2 ? at.back() : 0;
      ASSERT_EQ(get(test::address(out, at), elem), product_at(a.a, b.a, i, j))
          << "elem " << elem << " lies " << int(la) << int(lb) << " layout " << layout;
    }
    vr_rt_release(out.owner);
  }
}

const int32_t real_codes[] = {VR_BOOL, VR_INT32, VR_INT64, VR_FLOAT32, VR_FLOAT64};

TEST(Mmult, EveryTypeStrideAndRank) {
  const int64_t live = pool_stats().live_blocks;
  struct Pair {
    Shape a, b;
  };
  const Pair pairs[] = {{{3, 4}, {4, 5}}, {{7, 9}, {9, 6}}, {{1, 8}, {8, 6}},    {{6, 8}, {8, 1}}, {{1, 8}, {8, 1}},
                        {{8, 1}, {1, 5}}, {{1, 1}, {1, 1}}, {{6}, {6, 3}},       {{3, 6}, {6}},    {{9}, {9}},
                        {{0, 4}, {4, 5}}, {{3, 0}, {0, 5}}, {{3, 0}, {0}}, {{3, 4}, {4, 0}},    {{0}, {0}},       {{1}, {1}},
                        {{5, 1}, {1, 1}}, {{1, 1}, {1, 5}}, {{10, 12}, {12, 11}}};
  for (const Pair& p : pairs) {
    for (int32_t base : real_codes) {
      for (int32_t complex : {0, int(VR_COMPLEX)}) {
        if (base == VR_BOOL && complex)
          continue;  // products of complex logicals are not tested: no front end makes them
        for (Lie la : test::all_lies) {
          for (Lie lb : test::all_lies) check_product(p.a, p.b, base | complex, la, lb, 1);
        }
      }
    }
  }
  EXPECT_EQ(pool_stats().live_blocks, live);
}

/// A matrix whose neighbouring rows (columns) share elements: a window that slides over a vector, as NumPy's
/// sliding_window_view makes it. BLAS does not accept such a matrix.
struct Window {
  std::vector<char> bytes;
  vr_array a = {};
  Window(int32_t elem, int64_t rows, int64_t cols, int64_t step, bool transposed) {
    const int64_t width = element_bytes(elem);
    bytes.resize(static_cast<size_t>((rows * std::max<int64_t>(step, 1) + cols) * width));
    a.data = bytes.data();
    a.elem = elem;
    a.rank = 2;
    a.extent[0] = rows, a.extent[1] = cols;
    a.stride[0] = step * width, a.stride[1] = width;
    for (size_t k = 0; k < bytes.size() / static_cast<size_t>(width); ++k)
      put(bytes.data() + k * static_cast<size_t>(width), elem, value(static_cast<int64_t>(k), elem, 2));
    if (!transposed) return;
    std::swap(a.extent[0], a.extent[1]);
    std::swap(a.stride[0], a.stride[1]);
  }
};

TEST(Mmult, RowsThatOverlap) {
  const int64_t live = pool_stats().live_blocks;
  for (int32_t elem : {int(VR_INT64), int(VR_FLOAT32), int(VR_FLOAT64), VR_FLOAT64 | VR_COMPLEX})
    for (int64_t n : {5, 40})  // by loops, by BLAS
      for (int64_t step : {int64_t{0}, int64_t{1}, n - 1})
        for (bool transposed : {false, true}) {
          const Window w(elem, n, n, step, transposed);
          Buffer b(elem, {n, n});
          fill(b.a, 4);
          for (bool left : {true, false}) {
            const vr_array &x = left ? w.a : b.a, &y = left ? b.a : w.a;
            vr_context ctx;
            vr_array out = {};
            ASSERT_EQ(vr_rt_mmult(&ctx, &test::site, &x, &y, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
            for (const auto& at : test::subscripts(out))
              ASSERT_EQ(get(test::address(out, at), elem), product_at(x, y, at[0], at[1]))
                  << "elem " << elem << " n " << n << " step " << step << (transposed ? " transposed" : "")
                  << (left ? " left" : " right");
            vr_rt_release(out.owner);
          }
        }
  EXPECT_EQ(pool_stats().live_blocks, live);
}

TEST(Mmult, ThreadedAndLarge) {
  check_product({65, 70}, {70, 63}, VR_FLOAT64, Lie::RowMajor, Lie::ColMajor, 4);
  check_product({65, 70}, {70, 63}, VR_FLOAT32 | VR_COMPLEX, Lie::Gaps, Lie::Negative, 2);
}

TEST(Mmult, OneElementScales) {
  for (int32_t elem : {int(VR_INT32), int(VR_FLOAT64), VR_FLOAT32 | VR_COMPLEX}) {
    for (bool left : {true, false}) {
      for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
        for (Lie lie : test::all_lies) {
          Buffer s(elem, {1, 1}), m(elem, {3, 4}, lie);
          fill(s.a, 2);
          fill(m.a, 5);
          vr_context ctx;
          vr_array out = {};
          ASSERT_EQ(vr_rt_mmult(&ctx, &test::site, left ? &s.a : &m.a, left ? &m.a : &s.a, &out, layout, VR_IN_ENGINE),
                    VR_OK);
          for (const auto& i : test::subscripts(m.a)) {
            EXPECT_EQ(get(test::address(out, i), elem),
                      get(test::address(m.a, i), elem) * get(static_cast<char*>(s.a.data), elem));
          }
          vr_rt_release(out.owner);
        }
      }
    }
  }
}

TEST(Mmult, MismatchNamesBothShapes) {
  vr_context ctx;
  Buffer a(VR_FLOAT64, {2, 3}), b(VR_FLOAT64, {4, 5});
  vr_array out = {};
  EXPECT_EQ(vr_rt_mmult(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_SHAPE_MISMATCH);
  const std::string message = ctx.error.message;
  EXPECT_NE(message.find("2x3"), std::string::npos) << message;
  EXPECT_NE(message.find("4x5"), std::string::npos) << message;
  vr_context second;
  Buffer v(VR_FLOAT64, {1});
  EXPECT_EQ(vr_rt_mmult(&second, &test::site, &v.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_SHAPE_MISMATCH);
  vr_context third;
  Buffer f(VR_FLOAT32, {3, 2}), r3(VR_FLOAT64, {2, 2, 2});
  EXPECT_EQ(vr_rt_mmult(&third, &test::site, &a.a, &f.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_TYPE);
  EXPECT_EQ(vr_rt_mmult(&third, &test::site, &a.a, &r3.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_TYPE);
}

TEST(Mmult, WritesIntoAnExistingArray) {
  for (int32_t elem : std::vector<int32_t>{VR_FLOAT32, VR_FLOAT64, VR_FLOAT32 | VR_COMPLEX, VR_FLOAT64 | VR_COMPLEX})
    for (Lie lie : {Lie::RowMajor, Lie::ColMajor})
      for (int64_t n : {3, 40})  // by loops, and by the library
        for (int32_t into : {VR_INTO_EMPTY, VR_INTO_NEGATED, VR_INTO_ADD, VR_INTO_SUBTRACT}) {
          Buffer a(elem, {n, 5}, lie), b(elem, {5, n + 1}, lie), c(elem, {n, n + 1}, lie);
          fill(a.a, 1);
          fill(b.a, 2);
          fill(c.a, 3);
          std::vector<Wide> before;
          for (const auto& i : test::subscripts(c.a)) before.push_back(get(test::address(c.a, i), elem));
          vr_context ctx;
          ASSERT_EQ(vr_rt_gemm(&ctx, &test::site, &a.a, &b.a, &c.a, into), VR_OK);
          const bool adds = into == VR_INTO_ADD || into == VR_INTO_SUBTRACT;
          const double sign = into == VR_INTO_NEGATED || into == VR_INTO_SUBTRACT ? -1 : 1;
          size_t k = 0;
          for (const auto& i : test::subscripts(c.a)) {
            Wide want = adds ? before[k] : Wide(0);
            ++k;
            for (int64_t q = 0; q < 5; ++q)
              want += sign * get(test::address(a.a, {i[0], q}), elem) * get(test::address(b.a, {q, i[1]}), elem);
            ASSERT_EQ(get(test::address(c.a, i), elem), want) << elem << " " << n << " " << into;
          }
        }
}

TEST(Mmult, IntegersWrapAndNanPropagates) {
  Buffer a(VR_INT32, {1, 1}), b(VR_INT32, {1, 1});
  test::at<int32_t>(a.a, {0, 0}) = INT32_MAX;
  test::at<int32_t>(b.a, {0, 0}) = 2;
  vr_context ctx;
  vr_array out = {};
  ASSERT_EQ(vr_rt_mmult(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(*static_cast<int32_t*>(out.data), -2);
  vr_rt_release(out.owner);
  Buffer x(VR_FLOAT64, {6, 6}), y(VR_FLOAT64, {6, 6});
  fill(x.a, 1);
  for (const auto& i : test::subscripts(y.a)) test::at<double>(y.a, i) = 0;
  test::at<double>(x.a, {2, 3}) = NAN;
  ASSERT_EQ(vr_rt_mmult(&ctx, &test::site, &x.a, &y.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  for (const auto& i : test::subscripts(out)) EXPECT_EQ(std::isnan(test::at<double>(out, i)), i[0] == 2);
  vr_rt_release(out.owner);
}

}  // namespace
}  // namespace vr::runtime
