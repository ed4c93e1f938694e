#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "arrays.hpp"
#include "runtime/cpu/pool.hpp"

namespace vr::runtime {
namespace {

using test::Buffer;
using test::Lie;
using Shape = std::vector<int64_t>;
const double nan = std::nan("");
const double inf = std::numeric_limits<double>::infinity();

class Library : public testing::Test {
 protected:
  const int64_t live_ = pool_stats().live_blocks;
  vr_context ctx;
  vr_array out = {};
  void TearDown() override { EXPECT_EQ(pool_stats().live_blocks, live_) << "something was not released"; }
  void drop() {
    vr_rt_release(out.owner);
    out = {};
  }
};

template <class T>
void set(const vr_array& a, const std::vector<T>& values) {
  size_t n = 0;
  for (const auto& i : test::subscripts(a)) test::at<T>(a, i) = values[n++];
}
template <class T>
std::vector<T> list(const vr_array& a) {
  std::vector<T> values;
  for (const auto& i : test::subscripts(a)) values.push_back(test::at<T>(a, i));
  return values;
}

// ---------------------------------------------------------------- solve

template <class T>
void check_solutions(vr_context& ctx, int32_t elem, double tolerance) {
  for (int64_t n : {1, 2, 5, 20}) {
    for (Lie la : test::all_lies) {
      for (Lie lb : test::all_lies) {
        for (int columns : {0, 1, 3}) {  // 0: a vector
          Buffer a(elem, {n, n}, la);
          Buffer b(elem, columns ? Shape{n, columns} : Shape{n}, lb);
          for (const auto& i : test::subscripts(a.a)) {
            T v = T(std::cos(double(3 * i[0] + 5 * i[1] * i[1])) + (i[0] == i[1] ? 4 : 0));
            if constexpr (!std::is_floating_point_v<T>) v *= T(1, 0.5);
            test::at<T>(a.a, i) = v;
          }
          int k = 0;
          for (const auto& i : test::subscripts(b.a)) test::at<T>(b.a, i) = T(std::sin(double(++k)));
          vr_array x = {};
          ASSERT_EQ(
              vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &x, columns % 2 ? VR_COLMAJOR : VR_ROWMAJOR, VR_IN_ENGINE),
              VR_OK);
          ASSERT_EQ(x.rank, b.a.rank);
          for (const auto& i : test::subscripts(b.a)) {
            T sum = 0;
            for (int64_t p = 0; p < n; ++p) {
              Shape at = i;
              at[0] = p;
              sum += test::at<T>(a.a, {i[0], p}) * test::at<T>(x, at);
            }
            ASSERT_LT(std::abs(sum - test::at<T>(b.a, i)), tolerance);
          }
          vr_rt_release(x.owner);
        }
      }
    }
  }
}

TEST_F(Library, SolveSquareSystems) {
  check_solutions<double>(ctx, VR_FLOAT64, 1e-12);
  check_solutions<float>(ctx, VR_FLOAT32, 1e-4);
  check_solutions<std::complex<double>>(ctx, VR_FLOAT64 | VR_COMPLEX, 1e-12);
  check_solutions<std::complex<float>>(ctx, VR_FLOAT32 | VR_COMPLEX, 1e-4);
}

TEST_F(Library, SolveRightIsTheTransposedProblem) {
  Buffer a(VR_FLOAT64, {2, 2}), b(VR_FLOAT64, {3, 2});
  set<double>(a.a, {2, 1, 1, 3});
  set<double>(b.a, {3, 4, 5, 10, 1, 0});
  for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
    ASSERT_EQ(vr_rt_solve_right(&ctx, &test::site, &b.a, &a.a, &out, layout, VR_IN_ENGINE), VR_OK);
    ASSERT_EQ(out.extent[0], 3);
    ASSERT_EQ(out.extent[1], 2);
    for (const auto& i : test::subscripts(out)) {
      double sum = test::at<double>(out, {i[0], 0}) * test::at<double>(a.a, {0, i[1]}) +
                   test::at<double>(out, {i[0], 1}) * test::at<double>(a.a, {1, i[1]});
      EXPECT_NEAR(sum, test::at<double>(b.a, i), 1e-14);
    }
    drop();
  }
  Buffer v(VR_FLOAT64, {2});
  set<double>(v.a, {3, 4});
  ASSERT_EQ(vr_rt_solve_right(&ctx, &test::site, &v.a, &a.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(out.rank, 1);
  EXPECT_NEAR(static_cast<double*>(out.data)[0], 1, 1e-14);
  EXPECT_NEAR(static_cast<double*>(out.data)[1], 1, 1e-14);
  drop();
}

TEST_F(Library, SingularSystemsGiveInfOrNan) {
  Buffer a(VR_FLOAT64, {2, 2}), b(VR_FLOAT64, {2});
  for (const std::vector<double>& m : {std::vector<double>{1, 2, 2, 4}, {1, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 3, 1}}) {
    set<double>(a.a, m);
    set<double>(b.a, {1, 5});
    ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
    auto x = list<double>(out);
    EXPECT_TRUE(std::none_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }) || !std::isfinite(x[1]) ||
                !std::isfinite(x[0]));
    drop();
  }
  set<double>(a.a, {1, nan, 2, 3});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_TRUE(std::isnan(list<double>(out)[0]) || std::isnan(list<double>(out)[1]));
  drop();
  EXPECT_EQ(ctx.failed.load(), 0);
}

TEST_F(Library, TriangularSystems) {
  Buffer a(VR_FLOAT64, {3, 3}), b(VR_FLOAT64, {3});
  set<double>(a.a, {2, 1, 1, 0, 4, 2, 0, 0, 5});
  set<double>(b.a, {4, 6, 5});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<double>(out), (std::vector<double>{1, 1, 1}));
  drop();
  set<double>(a.a, {2, 0, 0, 1, 4, 0, 1, 1, 5});
  set<double>(b.a, {2, 5, 7});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<double>(out), (std::vector<double>{1, 1, 1}));
  drop();
}

TEST_F(Library, LeastSquaresAndSmallestNorm) {
  Buffer tall(VR_FLOAT64, {4, 2}, Lie::Gaps), y(VR_FLOAT64, {4, 1});
  set<double>(tall.a, {1, 0, 1, 1, 1, 2, 1, 3});
  set<double>(y.a, {1, 3, 5, 7});  // 1 + 2 t exactly
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &tall.a, &y.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  ASSERT_EQ(out.extent[0], 2);
  EXPECT_NEAR(list<double>(out)[0], 1, 1e-13);
  EXPECT_NEAR(list<double>(out)[1], 2, 1e-13);
  drop();
  Buffer wide(VR_FLOAT64, {1, 2}), one(VR_FLOAT64, {1});
  set<double>(wide.a, {3, 4});
  set<double>(one.a, {25});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &wide.a, &one.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  ASSERT_EQ(out.extent[0], 2);
  EXPECT_NEAR(list<double>(out)[0], 3, 1e-13);
  EXPECT_NEAR(list<double>(out)[1], 4, 1e-13);
  drop();
  set<double>(wide.a, {nan, 4});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &wide.a, &one.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_TRUE(std::isnan(list<double>(out)[1]));
  drop();
}

TEST_F(Library, SolveEmptyAndBad) {
  Buffer a(VR_FLOAT64, {0, 3}), b(VR_FLOAT64, {0, 2});
  ASSERT_EQ(vr_rt_solve(&ctx, &test::site, &a.a, &b.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<double>(out), std::vector<double>(6, 0.0));
  drop();
  Buffer c(VR_FLOAT64, {2, 2}), d(VR_FLOAT64, {3});
  EXPECT_EQ(vr_rt_solve(&ctx, &test::site, &c.a, &d.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_SHAPE_MISMATCH);
  EXPECT_NE(std::string(ctx.error.message).find("2x2"), std::string::npos);
  Buffer few(VR_FLOAT64, {1});
  vr_context fewer;
  EXPECT_EQ(vr_rt_solve(&fewer, &test::site, &c.a, &few.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_SHAPE_MISMATCH);
  vr_context other;
  Buffer i(VR_INT32, {2, 2});
  EXPECT_EQ(vr_rt_solve(&other, &test::site, &i.a, &i.a, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_TYPE);
}

// ---------------------------------------------------------------- sort, find

TEST_F(Library, SortAlongEachAxis) {
  for (Lie lie : test::all_lies) {
    for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
      Buffer a(VR_FLOAT64, {5, 4, 3}, lie);
      int k = 0;
      for (const auto& i : test::subscripts(a.a)) test::at<double>(a.a, i) = std::cos(7.0 * ++k);
      for (int32_t axis = 0; axis < 3; ++axis) {
        vr_array index = {};
        ASSERT_EQ(vr_rt_sort_index(&ctx, &test::site, &a.a, &out, &index, axis, 1, layout, VR_IN_ENGINE), VR_OK);
        vr_array plain = {};
        ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &a.a, &plain, axis, layout, VR_IN_ENGINE), VR_OK);
        EXPECT_TRUE(test::same_elements(out, plain));
        for (const auto& i : test::subscripts(out)) {
          Shape before = i;
          const bool first = before[axis]-- == 0;
          EXPECT_TRUE(first || test::at<double>(out, before) <= test::at<double>(out, i));
          Shape from = i;
          from[axis] = test::at<int64_t>(index, i) - 1;
          ASSERT_EQ(test::at<double>(a.a, from), test::at<double>(out, i));
        }
        vr_rt_release(index.owner);
        vr_rt_release(plain.owner);
        drop();
      }
    }
  }
}

TEST_F(Library, SortIsStableWithNanLast) {
  Buffer a(VR_FLOAT64, {7});
  set<double>(a.a, {2, nan, -inf, 2, inf, nan, 1});
  vr_array index = {};
  ASSERT_EQ(vr_rt_sort_index(&ctx, &test::site, &a.a, &out, &index, 0, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<int64_t>(index), (std::vector<int64_t>{2, 6, 0, 3, 4, 1, 5}));
  auto v = list<double>(out);
  EXPECT_EQ(v[0], -inf);
  EXPECT_EQ(v[4], inf);
  EXPECT_TRUE(std::isnan(v[5]) && std::isnan(v[6]));
  vr_rt_release(index.owner);
  drop();
}

TEST_F(Library, SortOtherTypesAndCorners) {
  Buffer i(VR_INT32, {4}), l(VR_INT64, {4}), b(VR_BOOL, {4}), f(VR_FLOAT32, {4});
  set<int32_t>(i.a, {3, INT32_MIN, 0, -1});
  ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &i.a, &out, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<int32_t>(out), (std::vector<int32_t>{INT32_MIN, -1, 0, 3}));
  drop();
  set<int64_t>(l.a, {3, INT64_MAX, 0, -1});
  ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &l.a, &out, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<int64_t>(out), (std::vector<int64_t>{-1, 0, 3, INT64_MAX}));
  drop();
  set<uint8_t>(b.a, {1, 0, 1, 0});
  ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &b.a, &out, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<uint8_t>(out), (std::vector<uint8_t>{0, 0, 1, 1}));
  drop();
  set<float>(f.a, {2.5f, -1, 9, 0});
  ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &f.a, &out, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<float>(out), (std::vector<float>{-1, 0, 2.5f, 9}));
  drop();
  // An axis past the last one, and nothing at all.
  vr_array index = {};
  ASSERT_EQ(vr_rt_sort_index(&ctx, &test::site, &f.a, &out, &index, 3, 1, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<float>(out), (std::vector<float>{2.5f, -1, 9, 0}));
  EXPECT_EQ(list<int64_t>(index), (std::vector<int64_t>{1, 1, 1, 1}));
  vr_rt_release(index.owner);
  drop();
  Buffer none(VR_FLOAT64, {0, 3});
  ASSERT_EQ(vr_rt_sort(&ctx, &test::site, &none.a, &out, 1, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(out.extent[1], 3);
  drop();
  Buffer c(VR_FLOAT64 | VR_COMPLEX, {2});
  EXPECT_EQ(vr_rt_sort(&ctx, &test::site, &c.a, &out, 0, VR_ROWMAJOR, VR_IN_ENGINE), VR_TYPE);
}

TEST_F(Library, FindCountsInEitherOrder) {
  for (Lie lie : test::all_lies) {
    Buffer a(VR_INT32, {2, 3}, lie);
    set<int32_t>(a.a, {0, 5, 0, 7, 0, 9});
    ASSERT_EQ(vr_rt_find(&ctx, &test::site, &a.a, &out, 0, 1, VR_ROWMAJOR, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
    EXPECT_EQ(list<int64_t>(out), (std::vector<int64_t>{1, 3, 5}));
    EXPECT_EQ(out.rank, 1);
    drop();
    ASSERT_EQ(vr_rt_find(&ctx, &test::site, &a.a, &out, 1, 2, VR_COLMAJOR, VR_COLMAJOR, VR_IN_ENGINE), VR_OK);
    EXPECT_EQ(list<int64_t>(out), (std::vector<int64_t>{2, 3, 6}));
    EXPECT_EQ(Shape(out.extent, out.extent + out.rank), (Shape{3, 1}));
    drop();
  }
  // A complex number is nonzero if either part is, whatever the signs.
  Buffer z(VR_FLOAT64 | VR_COMPLEX, {6});
  const double parts[] = {0, 0, 0, -1, -1, 0, 0, 2, 3, 0, -0.0, -0.0};
  std::memcpy(z.a.data, parts, sizeof parts);
  ASSERT_EQ(vr_rt_find(&ctx, &test::site, &z.a, &out, 0, 1, VR_ROWMAJOR, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<int64_t>(out), (std::vector<int64_t>{1, 2, 3, 4}));
  drop();
  // Masks of all lengths near eight, the number of elements that are tested together; also for arrays that start inside
  // of a block.
  for (int64_t n = 0; n < 27; ++n) {
    std::vector<uint8_t> bytes(static_cast<size_t>(n) + 1, 1);
    std::vector<int64_t> wanted;
    for (int64_t i = 0; i < n; ++i) {
      bytes[static_cast<size_t>(i) + 1] = i % 11 == 3 || i > 20;
      if (bytes[static_cast<size_t>(i) + 1]) wanted.push_back(i);
    }
    vr_array mask = {};
    mask.data = bytes.data() + 1;
    mask.elem = VR_BOOL;
    mask.rank = 1;
    mask.extent[0] = n;
    mask.stride[0] = 1;
    ASSERT_EQ(vr_rt_find(&ctx, &test::site, &mask, &out, 0, 1, VR_ROWMAJOR, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
    EXPECT_EQ(list<int64_t>(out), wanted) << n;
    drop();
  }
  auto shape_of = [this](const Shape& s) {
    Buffer a(VR_BOOL, s);
    for (const auto& i : test::subscripts(a.a)) test::at<uint8_t>(a.a, i) = 1;
    EXPECT_EQ(vr_rt_find(&ctx, &test::site, &a.a, &out, 1, 2, VR_COLMAJOR, VR_COLMAJOR, VR_IN_ENGINE), VR_OK);
    Shape shape(out.extent, out.extent + out.rank);
    drop();
    return shape;
  };
  EXPECT_EQ(shape_of({1, 4}), (Shape{1, 4}));
  EXPECT_EQ(shape_of({4, 1}), (Shape{4, 1}));
  EXPECT_EQ(shape_of({1, 1}), (Shape{1, 1}));
  EXPECT_EQ(shape_of({0, 0}), (Shape{0, 0}));
  EXPECT_EQ(shape_of({1, 0}), (Shape{1, 0}));
  EXPECT_EQ(shape_of({2, 2}), (Shape{4, 1}));
  Buffer c(VR_FLOAT64 | VR_COMPLEX, {3});
  set<std::complex<double>>(c.a, {{0, 0}, {0, 1}, {nan, 0}});
  ASSERT_EQ(vr_rt_find(&ctx, &test::site, &c.a, &out, 0, 1, VR_ROWMAJOR, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(list<int64_t>(out), (std::vector<int64_t>{1, 2}));
  drop();
}

// ---------------------------------------------------------------- norm, concat

TEST_F(Library, Norms) {
  auto norm = [this](const vr_array& a, double p, int32_t kind) {
    EXPECT_EQ(vr_rt_norm(&ctx, &test::site, &a, &out, p, kind), VR_OK);
    EXPECT_EQ(out.rank, 1);
    EXPECT_EQ(out.extent[0], 1);
    double v = out.elem == VR_FLOAT64 ? *static_cast<double*>(out.data) : *static_cast<float*>(out.data);
    drop();
    return v;
  };
  Buffer v(VR_FLOAT64, {3}, Lie::Negative);
  set<double>(v.a, {3, -4, 12});
  EXPECT_DOUBLE_EQ(norm(v.a, 2, VR_NORM_AUTO), 13);
  EXPECT_DOUBLE_EQ(norm(v.a, 1, VR_NORM_AUTO), 19);
  EXPECT_DOUBLE_EQ(norm(v.a, inf, VR_NORM_AUTO), 12);
  EXPECT_DOUBLE_EQ(norm(v.a, -inf, VR_NORM_AUTO), 3);
  EXPECT_DOUBLE_EQ(norm(v.a, 0, VR_NORM_AUTO), 3);
  EXPECT_NEAR(norm(v.a, 3, VR_NORM_AUTO), std::cbrt(27.0 + 64 + 1728), 1e-12);
  set<double>(v.a, {3e200, -4e200, 0});
  EXPECT_DOUBLE_EQ(norm(v.a, 2, VR_NORM_AUTO), 5e200);
  set<double>(v.a, {3, nan, inf});
  EXPECT_TRUE(std::isnan(norm(v.a, 2, VR_NORM_AUTO)));
  EXPECT_TRUE(std::isnan(norm(v.a, inf, VR_NORM_AUTO)));
  EXPECT_TRUE(std::isnan(norm(v.a, -inf, VR_NORM_AUTO)));
  for (Lie lie : test::all_lies) {
    Buffer m(VR_FLOAT64, {3, 2}, lie);
    set<double>(m.a, {1, -2, 3, 4, 5, 6});
    EXPECT_DOUBLE_EQ(norm(m.a, 1, VR_NORM_AUTO), 12);
    EXPECT_DOUBLE_EQ(norm(m.a, inf, VR_NORM_AUTO), 11);
    EXPECT_DOUBLE_EQ(norm(m.a, 2, VR_NORM_FRO), std::sqrt(91.0));
    // m'm = [35 40; 40 56]: the root of its larger eigenvalue.
    EXPECT_NEAR(norm(m.a, 2, VR_NORM_AUTO), std::sqrt((91 + std::sqrt(21.0 * 21 + 4 * 40 * 40)) / 2), 1e-12);
  }
  Buffer row(VR_FLOAT32, {1, 2});
  set<float>(row.a, {-3, 4});
  EXPECT_DOUBLE_EQ(norm(row.a, 1, VR_NORM_AUTO), 7);
  EXPECT_DOUBLE_EQ(norm(row.a, 1, VR_NORM_MATRIX), 4);
  EXPECT_DOUBLE_EQ(norm(row.a, 2, VR_NORM_MATRIX), 5);
  Buffer c(VR_FLOAT64 | VR_COMPLEX, {2, 2});
  set<std::complex<double>>(c.a, {{3, 4}, 0, 0, {0, 2}});
  EXPECT_NEAR(norm(c.a, 2, VR_NORM_AUTO), 5, 1e-14);
  EXPECT_DOUBLE_EQ(norm(c.a, 1, VR_NORM_AUTO), 5);
  Buffer cf(VR_FLOAT32 | VR_COMPLEX, {2});
  set<std::complex<float>>(cf.a, {{3, 0}, {0, 4}});
  EXPECT_DOUBLE_EQ(norm(cf.a, 2, VR_NORM_AUTO), 5);
  Buffer empty(VR_FLOAT64, {0, 3});
  for (double p : {1.0, 2.0, inf}) EXPECT_EQ(norm(empty.a, p, VR_NORM_AUTO), 0);
  Buffer bad(VR_FLOAT64, {2, 2});
  set<double>(bad.a, {1, inf, 3, 4});
  EXPECT_EQ(norm(bad.a, 2, VR_NORM_AUTO), inf);
  set<double>(bad.a, {1, nan, 3, 4});
  EXPECT_TRUE(std::isnan(norm(bad.a, 2, VR_NORM_AUTO)));
  EXPECT_EQ(vr_rt_norm(&ctx, &test::site, &bad.a, &out, 3, VR_NORM_AUTO), VR_TYPE);
  vr_context other;
  Buffer i(VR_INT32, {2});
  EXPECT_EQ(vr_rt_norm(&other, &test::site, &i.a, &out, 2, VR_NORM_AUTO), VR_TYPE);
}

}  // namespace
}  // namespace vr::runtime
