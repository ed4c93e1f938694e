// Vectors, matrices and reductions against plain loops.
#include <algorithm>
#include <cmath>

#include "fixture.hpp"

namespace rj {
namespace {

using namespace raijincl;

template <class T>
class Basic : public RaijinTest {
 protected:
  void near(T got, T want, double size, double factor = 16) {
    EXPECT_LE(std::abs(got - want), factor * unit<T> * size + 1e-300) << got << " " << want;
  }
};
using All = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Basic, All);

TYPED_TEST(Basic, ScaleAxpyDot) {
  using T = TypeParam;
  for (std::size_t n : {0, 1, 63, 64, 65, 1000, 70001}) {
    for (std::size_t inc : {1, 3}) {
      const std::size_t size = 2 + n * inc;
      std::vector<T> x = this->template draw_many<T>(size), y = this->template draw_many<T>(size);
      Guarded<T> gx(this->dev, x), gy(this->dev, y), gr(this->dev, std::vector<T>(3));
      const T alpha = this->template draw<T>();
      ASSERT_EQ(axpy<T>(this->lib(), this->launch(), n, alpha, gx.vector(1, inc), gy.vector(2, inc)), Status::Ok)
          << last_error();
      ASSERT_EQ(scale<T>(this->lib(), this->launch(), n, alpha, gx.vector(1, inc)), Status::Ok);
      ASSERT_EQ(
          dot<T>(this->lib(), this->launch(), n, gx.vector(1, inc), gy.vector(2, inc), true, gr.mem(), gr.base() + 1),
          Status::Ok);
      const std::vector<T> nx = gx.read(), ny = gy.read(), r = gr.read();
      std::complex<long double> sum = 0;
      double bound = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const T vx = x[1 + i * inc], vy = y[2 + i * inc];
        this->near(nx[1 + i * inc], alpha * vx, std::abs(alpha * vx));
        this->near(ny[2 + i * inc], alpha * vx + vy, std::abs(alpha * vx) + std::abs(vy));
        sum += std::complex<long double>(conj_of(nx[1 + i * inc])) * std::complex<long double>(ny[2 + i * inc]);
        bound += std::abs(nx[1 + i * inc]) * std::abs(ny[2 + i * inc]);
      }
      EXPECT_LE(static_cast<double>(std::abs(std::complex<long double>(r[1]) - sum)),
                (16 + std::sqrt(static_cast<double>(n))) * unit<T> * bound);
      EXPECT_EQ(r[0], T(0));
      for (std::size_t i = 0; inc > 1 && i + 1 < n; ++i)
        EXPECT_EQ(nx[2 + i * inc], x[2 + i * inc]) << "between the elements";
    }
  }
}

TYPED_TEST(Basic, Elementwise) {
  using T = TypeParam;
  const std::size_t n = 777;
  std::vector<T> x = this->template draw_many<T>(n), y = this->template draw_many<T>(n);
  Guarded<T> gx(this->dev, x), gy(this->dev, y), gz(this->dev, x);
  const auto one = [&](Unary op, auto f) {
    const Status s = unary<T>(this->lib(), this->launch(), op, n, gx.vector(), gz.vector());
    if (is_complex<T> && op >= Unary::Abs) {
      EXPECT_EQ(s, Status::Unsupported);
      return;
    }
    EXPECT_EQ(s, Status::Ok) << last_error();
    const std::vector<T> z = gz.read();
    for (std::size_t i = 0; i < n; ++i) {
      const T want = f(x[i]);
      if (want == want)
        this->near(z[i], want, std::abs(want) + (op == Unary::Tan ? 1 : 0));
      else
        EXPECT_NE(z[i], z[i]);
    }
  };
  one(Unary::Copy, [](T a) { return a; });
  one(Unary::Negate, [](T a) { return -a; });
  one(Unary::Conjugate, [](T a) { return conj_of(a); });
  one(Unary::Reciprocal, [](T a) { return T(1) / a; });
  one(Unary::Square, [](T a) { return a * a; });
  one(Unary::Abs, [](T a) { return T(std::abs(a)); });
  one(Unary::Sqrt, [](T a) { return std::sqrt(a); });
  one(Unary::Exp, [](T a) { return std::exp(a); });
  one(Unary::Log, [](T a) { return std::log(a); });
  one(Unary::Sin, [](T a) { return std::sin(a); });
  one(Unary::Cos, [](T a) { return std::cos(a); });
  one(Unary::Tan, [](T a) { return std::tan(a); });
  one(Unary::Tanh, [](T a) { return std::tanh(a); });
  if constexpr (!is_complex<T>) {
    one(Unary::Floor, [](T a) { return std::floor(a); });
    one(Unary::Ceil, [](T a) { return std::ceil(a); });
  }
  const auto two = [&](Binary op, auto f) {
    const Status s = binary<T>(this->lib(), this->launch(), op, n, gx.vector(), gy.vector(), gz.vector());
    if (is_complex<T> && op >= Binary::Min) {
      EXPECT_EQ(s, Status::Unsupported);
      return;
    }
    EXPECT_EQ(s, Status::Ok) << last_error();
    const std::vector<T> z = gz.read();
    for (std::size_t i = 0; i < n; ++i) {
      const T want = f(x[i], y[i]);
      if (want == want) this->near(z[i], want, std::abs(want) + std::abs(x[i]) + std::abs(y[i]));
    }
  };
  two(Binary::Add, [](T a, T b) { return a + b; });
  two(Binary::Subtract, [](T a, T b) { return a - b; });
  two(Binary::Multiply, [](T a, T b) { return a * b; });
  two(Binary::Divide, [](T a, T b) { return a / b; });
  if constexpr (!is_complex<T>) {
    two(Binary::Min, [](T a, T b) { return std::min(a, b); });
    two(Binary::Max, [](T a, T b) { return std::max(a, b); });
    two(Binary::Power, [](T a, T b) { return std::pow(a, b); });
  } else {
    two(Binary::Power, [](T a, T) { return a; });
  }
}

TYPED_TEST(Basic, Gemv) {
  using T = TypeParam;
  const std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},    {5, 7},     {64, 64}, {100, 33}, {3, 3000},
                                                        {2500, 4}, {257, 300}, {0, 4},   {4, 0}};
  std::size_t round = 0;
  for (auto [m, n] : shapes) {
    for (Op op : {Op::None, Op::Transpose, Op::ConjugateTranspose, Op::Conjugate}) {
      for (Order order : {Order::RowMajor, Order::ColumnMajor}) {
        const bool turned = op == Op::Transpose || op == Op::ConjugateTranspose, row = order == Order::RowMajor;
        const std::size_t run = row ? n : m, lines = row ? m : n, ld = std::max<std::size_t>(run, 1) + round % 3;
        const std::size_t in = turned ? m : n, out = turned ? n : m, ix = 1 + round % 2, iy = 1 + round / 2 % 2;
        std::vector<T> a = this->template draw_many<T>(lines * ld + 3), x = this->template draw_many<T>(in * ix + 1),
                       y = this->template draw_many<T>(out * iy + 1);
        const T alpha = this->template draw<T>(), beta = round % 4 ? this->template draw<T>() : T(0);
        if (beta == T(0)) std::fill(y.begin(), y.end(), T(std::numeric_limits<Real<T>>::quiet_NaN()));
        Guarded<T> ga(this->dev, a), gx(this->dev, x), gy(this->dev, y);
        ASSERT_EQ(gemv<T>(this->lib(), this->launch(), order, op, m, n, alpha, ga.matrix(round % 4, ld),
                          gx.vector(1, ix), beta, gy.vector(0, iy)),
                  Status::Ok)
            << last_error();
        const std::vector<T> got = gy.read();
        for (std::size_t o = 0; o < out; ++o) {
          T sum(0);
          double size = 0;
          for (std::size_t i = 0; i < in; ++i) {
            const std::size_t r = turned ? i : o, c = turned ? o : i;
            T v = a[round % 4 + (row ? r * ld + c : c * ld + r)];
            if (op == Op::Conjugate || op == Op::ConjugateTranspose) v = conj_of(v);
            sum += v * x[1 + i * ix];
            size += std::abs(v) * std::abs(x[1 + i * ix]);
          }
          const T old = beta == T(0) ? T(0) : beta * y[o * iy];
          this->near(got[o * iy], alpha * sum + old, std::abs(alpha) * size + std::abs(old),
                     32 + static_cast<double>(in));
        }
        ++round;
      }
    }
  }
}

TYPED_TEST(Basic, CopyAndTranspose) {
  using T = TypeParam;
  for (auto [rows, cols] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {7, 100}, {100, 7}, {64, 64}, {129, 65}, {0, 5}})
    // Rows with gaps on both sides, on one of them, and blocks of memory.
    for (auto [more_s, more_d] : {std::pair<std::size_t, std::size_t>{2, 1}, {1, 0}, {0, 1}, {0, 0}, {3, 3}}) {
      const std::size_t ls = cols + more_s, ld = cols + more_d, lt = rows + 3;
      std::vector<T> src = this->template draw_many<T>(rows * ls + 4),
                     mark = this->template draw_many<T>(rows * ld + cols * lt + 8);
      Guarded<T> gs(this->dev, src), gc(this->dev, mark), gt(this->dev, mark);
      ASSERT_EQ(copy<T>(this->lib(), this->launch(), rows, cols, gs.matrix(1, ls), gc.matrix(2, ld)), Status::Ok)
          << last_error();
      ASSERT_EQ(transpose<T>(this->lib(), this->launch(), rows, cols, gs.matrix(1, ls), gt.matrix(2, lt), true),
                Status::Ok)
          << last_error();
      std::vector<T> want_c = mark, want_t = mark;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < cols; ++c) {
          want_c[2 + r * ld + c] = src[1 + r * ls + c];
          want_t[2 + c * lt + r] = conj_of(src[1 + r * ls + c]);
        }
      }
      EXPECT_EQ(gc.read(), want_c);
      EXPECT_EQ(gt.read(), want_t);
    }
}

TYPED_TEST(Basic, CopyToImage) {
  using T = TypeParam;
  if (!this->lib().device().has_images) GTEST_SKIP() << "no images";
  const std::size_t rows = 13, cols = 21, texel = 16 / sizeof(T);
  std::vector<T> src = this->template draw_many<T>(rows * (cols + 2));
  Guarded<T> gs(this->dev, src);
  for (bool turned : {false, true}) {
    const std::size_t along = turned ? rows : cols, across = turned ? cols : rows, width = (along + texel - 1) / texel;
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT32};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = across;
    cl_int err;
    cl_mem image = clCreateImage(this->dev.context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    EXPECT_EQ(copy_to_image<T>(this->lib(), this->launch(), rows * 9, cols * 9, gs.matrix(0, cols * 9), image, turned),
              Status::BufferTooSmall);
    ASSERT_EQ(copy_to_image<T>(this->lib(), this->launch(), rows, cols, gs.matrix(0, cols + 2), image, turned),
              Status::Ok)
        << last_error();
    std::vector<T> got(width * texel * across);
    const std::size_t origin[3] = {0, 0, 0}, region[3] = {width, across, 1};
    ASSERT_EQ(
        clEnqueueReadImage(this->dev.queue, image, CL_TRUE, origin, region, 0, 0, got.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    for (std::size_t y = 0; y < across; ++y) {
      for (std::size_t x = 0; x < width * texel; ++x) {
        const T want = x >= along ? T(0) : turned ? src[x * (cols + 2) + y] : src[y * (cols + 2) + x];
        EXPECT_EQ(got[y * width * texel + x], want) << x << " " << y;
      }
    }
    clReleaseMemObject(image);
  }
}

TYPED_TEST(Basic, Reductions) {
  using T = TypeParam;
  const std::vector<std::vector<std::size_t>> shapes = {
      {1}, {5}, {1000}, {100003}, {30, 40}, {4, 5, 6}, {3, 1, 700}, {600, 2}, {2, 3, 2, 4}, {}, {0, 3}, {3, 0}};
  for (const auto& shape : shapes) {
    std::size_t total = 1;
    for (std::size_t e : shape) total *= e;
    std::vector<T> data = this->template draw_many<T>(total + 1);
    for (std::size_t i = 0; i < total; i += 3) data[i + 1] += T(1);  // products that are not all zero
    Guarded<T> in(this->dev, data);
    for (std::size_t axis = 0; axis <= shape.size(); ++axis) {
      const bool all = axis == shape.size();
      std::size_t outer = 1, length = 1, inner = 1;
      for (std::size_t i = 0; i < shape.size(); ++i) (all || i == axis ? length : i < axis ? outer : inner) *= shape[i];
      Guarded<T> out(this->dev, std::vector<T>(outer * inner + 1));
      Guarded<cl_ulong> places(this->dev, std::vector<cl_ulong>(outer * inner));
      for (Reduction op : {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max}) {
        const Status s = reduce<T>(this->lib(), this->launch(), op, shape, all ? kAllAxes : axis, in.mem(),
                                   in.base() + 1, out.mem(), out.base());
        const bool order = op >= Reduction::Min;
        if (is_complex<T> && order) {
          EXPECT_EQ(s, Status::Unsupported);
          continue;
        }
        if (length == 0 && order && outer * inner > 0) {
          EXPECT_EQ(s, Status::InvalidDimension);
          continue;
        }
        ASSERT_EQ(s, Status::Ok) << last_error();
        const std::vector<T> got = out.read();
        for (std::size_t o = 0; o < outer; ++o) {
          for (std::size_t i = 0; i < inner; ++i) {
            T want = op == Reduction::Product ? T(1) : T(0);
            double size = 0;
            for (std::size_t l = 0; l < length; ++l) {
              const T v = data[1 + (o * length + l) * inner + i];
              if (op == Reduction::Sum) want += v;
              if (op == Reduction::Product) want *= v;
              if constexpr (!is_complex<T>) {
                if (order && (l == 0 || (op == Reduction::Min ? v < want : v > want))) want = v;
              }
              size += std::abs(v);
            }
            const double scale = op == Reduction::Sum ? size : op == Reduction::Product ? std::abs(want) : 0;
            this->near(got[o * inner + i], want, scale, 16 + 4 * static_cast<double>(length));
          }
        }
      }
      if constexpr (!is_complex<T>) {
        for (ArgReduction op : {ArgReduction::Min, ArgReduction::Max}) {
          const Status s = arg_reduce<T>(this->lib(), this->launch(), op, shape, all ? kAllAxes : axis, in.mem(),
                                         in.base() + 1, places.mem(), places.base());
          if (length == 0 && outer * inner > 0) {
            EXPECT_EQ(s, Status::InvalidDimension);
            continue;
          }
          ASSERT_EQ(s, Status::Ok) << last_error();
          const std::vector<cl_ulong> got = places.read();
          for (std::size_t o = 0; o < outer; ++o) {
            for (std::size_t i = 0; i < inner; ++i) {
              std::size_t best = 0;
              const auto at = [&](std::size_t l) { return data[1 + (o * length + l) * inner + i]; };
              for (std::size_t l = 1; l < length; ++l) {
                if (op == ArgReduction::Min ? at(l) < at(best) : at(l) > at(best)) best = l;
              }
              EXPECT_EQ(got[o * inner + i], best);
            }
          }
        }
      }
    }
  }
}

// Arrays with permuted axes, with gaps, or with stride 0.
template <class T>
class Strided : public Basic<T> {};
using Two = ::testing::Types<float, std::complex<double>>;  // each type builds dozens of programs
TYPED_TEST_SUITE(Strided, Two);

TYPED_TEST(Strided, Reductions) {
  using T = TypeParam;
  struct Array {
    std::vector<std::size_t> extents, strides;
  };
  const Array arrays[] = {{{40, 30}, {1, 40}},                 // column-major
                          {{40, 30}, {64, 2}},                 // gaps in both axes
                          {{5, 6, 700}, {1, 3500, 5}},         // permuted
                          {{3, 4, 5, 6}, {1000, 7, 200, 30}},  // no axes can be merged
                          {{20, 900}, {0, 1}},                 // one row repeated (stride 0)
                          {{70, 3, 2}, {6, 2, 1}},             // dense after merging of axes
                          {{1, 2000, 1}, {5, 3, 7}},           // axes of extent 1
                          {{2, 0, 3}, {1, 1, 1}}};
  for (const Array& a : arrays) {
    const std::size_t rank = a.extents.size();
    std::size_t reach = 1, total = 1;
    for (std::size_t i = 0; i < rank; ++i) {
      total *= a.extents[i];
      if (a.extents[i]) reach += (a.extents[i] - 1) * a.strides[i];
    }
    const std::vector<T> data = this->template draw_many<T>(reach + 3);
    Guarded<T> in(this->dev, data);
    for (std::size_t axis = 0; axis <= rank; ++axis) {
      const bool all = axis == rank;
      const std::size_t length = all ? total : a.extents[axis],
                        results = all ? 1 : total / std::max<std::size_t>(length, 1);
      if (!length && !all) continue;
      // The expected result, computed in row-major order.
      std::vector<T> sum(results, T(0));
      std::vector<double> size(results, 0.);
      std::vector<std::vector<T>> values(results);
      for (std::size_t n = 0; n < total; ++n) {
        std::size_t rest = n, at = 3, r = 0, scale = 1;
        for (std::size_t i = rank; i-- > 0;) {
          const std::size_t place = rest % a.extents[i];
          rest /= a.extents[i];
          at += place * a.strides[i];
          if (!all && i != axis) r += place * scale, scale *= a.extents[i];
        }
        sum[r] += data[at];
        size[r] += std::abs(data[at]);
        values[r].push_back(data[at]);
      }
      Guarded<T> out(this->dev, std::vector<T>(results));
      ASSERT_EQ(reduce<T>(this->lib(), this->launch(), Reduction::Sum, a.extents, a.strides, all ? kAllAxes : axis,
                          in.mem(), in.base() + 3, out.mem(), out.base()),
                Status::Ok)
          << last_error();
      const std::vector<T> got = out.read();
      for (std::size_t r = 0; r < results; ++r) this->near(got[r], sum[r], size[r], 16 + static_cast<double>(length));
      if constexpr (!is_complex<T>) {
        if (!total) continue;
        Guarded<cl_ulong> places(this->dev, std::vector<cl_ulong>(results));
        ASSERT_EQ(arg_reduce<T>(this->lib(), this->launch(), ArgReduction::Max, a.extents, a.strides,
                                all ? kAllAxes : axis, in.mem(), in.base() + 3, places.mem(), places.base()),
                  Status::Ok)
            << last_error();
        const std::vector<cl_ulong> where = places.read();
        for (std::size_t r = 0; r < results; ++r) {
          EXPECT_EQ(where[r],
                    static_cast<cl_ulong>(std::max_element(values[r].begin(), values[r].end()) - values[r].begin()))
              << "result " << r << " axis " << axis;
        }
      }
    }
  }
  // A buffer that is too small, and strides that do not match the extents.
  Guarded<T> small(this->dev, std::vector<T>(10));
  const std::size_t extents[] = {4, 4}, strides[] = {4000, 1}, one[] = {1};
  EXPECT_EQ(reduce<T>(this->lib(), this->launch(), Reduction::Sum, extents, strides, kAllAxes, small.mem(), 0,
                      small.mem(), 0),
            Status::BufferTooSmall);
  EXPECT_EQ(
      reduce<T>(this->lib(), this->launch(), Reduction::Sum, extents, one, kAllAxes, small.mem(), 0, small.mem(), 0),
      Status::InvalidDimension);
}

class Calls : public RaijinTest {};

TEST_F(Calls, FirstOfEqualPlacesAndNansSkipped) {
  std::vector<float> v(5000, 2.f);
  v[0] = std::nanf("");
  v[3000] = v[4000] = 7.f;
  v[1234] = v[1235] = -1.f;
  Guarded<float> g(dev, v);
  Guarded<cl_ulong> p(dev, std::vector<cl_ulong>(2));
  Guarded<float> r(dev, std::vector<float>(2));
  const std::size_t n[] = {v.size()};
  ASSERT_EQ(arg_reduce<float>(lib(), launch(), ArgReduction::Min, n, 0, g.mem(), g.base(), p.mem(), p.base()),
            Status::Ok);
  ASSERT_EQ(
      arg_reduce<float>(lib(), launch(), ArgReduction::Max, n, kAllAxes, g.mem(), g.base(), p.mem(), p.base() + 1),
      Status::Ok);
  ASSERT_EQ(reduce<float>(lib(), launch(), Reduction::Min, n, 0, g.mem(), g.base(), r.mem(), r.base()), Status::Ok);
  ASSERT_EQ(reduce<float>(lib(), launch(), Reduction::Max, n, 0, g.mem(), g.base(), r.mem(), r.base() + 1), Status::Ok);
  EXPECT_EQ(p.read(), (std::vector<cl_ulong>{1234, 3000}));
  EXPECT_EQ(r.read(), (std::vector<float>{-1.f, 7.f}));
}

TEST_F(Calls, BadArgumentsGiveAStatus) {
  std::vector<float> v(64, 1.f);
  Guarded<float> g(dev, v);
  EXPECT_EQ(scale<float>(lib(), launch(), 10, 2.f, {g.mem(), 32, 0}), Status::InvalidStride);
  EXPECT_EQ(scale<float>(lib(), launch(), 1000, 2.f, g.vector()), Status::BufferTooSmall);
  EXPECT_EQ(scale<float>(lib(), launch(), SIZE_MAX, 2.f, g.vector()), Status::InvalidDimension);
  EXPECT_EQ(scale<float>(lib(), {}, 1, 2.f, g.vector()), Status::InvalidQueue);
  EXPECT_EQ(transpose<float>(lib(), launch(), 4, 4, {g.mem(), 32, 3}, {g.mem(), 32, 4}),
            Status::InvalidLeadingDimension);
  EXPECT_EQ(copy<float>(lib(), launch(), 40, 4, {g.mem(), 32, 4}, {g.mem(), 32, 4}), Status::BufferTooSmall);
  EXPECT_EQ(copy_to_image<float>(lib(), launch(), 4, 4, {g.mem(), 32, 4}, g.mem()), Status::InvalidBuffer);
  const std::size_t shape[] = {8, 8};
  EXPECT_EQ(reduce<float>(lib(), launch(), Reduction::Sum, shape, 2, g.mem(), g.base(), g.mem(), 0),
            Status::InvalidDimension);
  EXPECT_EQ(
      gemv<float>(lib(), launch(), Order::RowMajor, Op::None, 8, 8, 1.f, {g.mem(), 0, 7}, g.vector(), 0.f, g.vector()),
      Status::InvalidLeadingDimension);
  EXPECT_EQ(g.read(), v);
}

TYPED_TEST(Basic, Hybrid) {
  using T = TypeParam;
  const std::size_t m = 90, n = 50, k = 40, lda = 43, ldb = 51, ldc = 55;
  const std::vector<T> a = this->template draw_many<T>(m * lda), b = this->template draw_many<T>(k * ldb),
                       before = this->template draw_many<T>(m * ldc);
  const T alpha = this->template draw<T>(), beta = this->template draw<T>();
  for (auto [gpu, parts] : {std::pair<std::size_t, std::size_t>{0, 0}, {8, 8}, {5, 8}, {0, 8}}) {
    std::vector<T> c = before;
    const Status s = hybrid_gemm<T>(this->lib(), this->dev.queue, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta,
                                    c.data(), ldc, gpu, parts);
    if (gpu < parts && !has_cpu_blas()) {
      EXPECT_EQ(s, Status::Unsupported);
      continue;
    }
    ASSERT_EQ(s, Status::Ok) << last_error();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        T sum(0);
        double size = 0;
        for (std::size_t l = 0; l < k; ++l) {
          sum += a[i * lda + l] * b[l * ldb + j];
          size += std::abs(a[i * lda + l]) * std::abs(b[l * ldb + j]);
        }
        this->near(c[i * ldc + j], alpha * sum + beta * before[i * ldc + j], size + 1, 64);
      }
      for (std::size_t j = n; j < ldc; ++j) EXPECT_EQ(c[i * ldc + j], before[i * ldc + j]);
    }
  }
  // On an out-of-order queue only events order the copies, the product and the read.
  cl_int err;
  cl_command_queue q =
      clCreateCommandQueue(this->dev.context, this->dev.id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
  if (err == CL_SUCCESS) {
    std::vector<T> in_order = before, any_order = before;
    EXPECT_EQ(hybrid_gemm<T>(this->lib(), this->dev.queue, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta,
                             in_order.data(), ldc, 8, 8),
              Status::Ok);
    EXPECT_EQ(
        hybrid_gemm<T>(this->lib(), q, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, any_order.data(), ldc, 8, 8),
        Status::Ok);
    EXPECT_EQ(in_order, any_order);
    clReleaseCommandQueue(q);
  }
  std::vector<T> c = before;
  EXPECT_EQ(hybrid_gemm<T>(this->lib(), this->dev.queue, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, c.data(),
                           ldc, 9, 8),
            Status::InvalidDimension);
}

}  // namespace
}  // namespace rj
