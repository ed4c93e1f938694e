// Products against CBLAS in the next higher precision where there is one, over sizes, layouts, strides and scalars.
#include <cblas.h>

#include <cmath>
#include <map>

#include "fixture.hpp"
#include "routines/gemm_problem.hpp"

namespace rj {
namespace {

using namespace raijincl;

void blas(CBLAS_ORDER o, CBLAS_TRANSPOSE a, CBLAS_TRANSPOSE b, int m, int n, int k, double alpha, const double* x,
          int lda, const double* y, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(o, a, b, m, n, k, alpha, x, lda, y, ldb, beta, c, ldc);
}
void blas(CBLAS_ORDER o, CBLAS_TRANSPOSE a, CBLAS_TRANSPOSE b, int m, int n, int k, std::complex<double> alpha,
          const std::complex<double>* x, int lda, const std::complex<double>* y, int ldb, std::complex<double> beta,
          std::complex<double>* c, int ldc) {
  cblas_zgemm(o, a, b, m, n, k, &alpha, x, lda, y, ldb, &beta, c, ldc);
}

struct Shape {
  std::size_t m, n, k;
};
struct Case {
  Order order = Order::RowMajor;
  Op a = Op::None, b = Op::None;
  Shape s{};
  std::size_t extra = 0, offset = 0;  // extra: elements added to leading dimensions; offset: elements before the matrix
  bool with_beta = false, nan_c = false;
  Product product = Product::Plain;
};

template <class T>
class Gemm : public RaijinTest {
 protected:
  using W = std::conditional_t<is_complex<T>, std::complex<double>, double>;

  bool turned(Op op) { return op == Op::Transpose || op == Op::ConjugateTranspose; }

  void check(const Case& c) {
    if (std::is_same_v<Real<T>, double> && !lib().device().has_double) GTEST_SKIP() << "no double precision";
    const bool row = c.order == Order::RowMajor;
    const auto [m, n, k] = c.s;
    struct Side {
      std::size_t rows, cols, ld, size;
    };
    const auto side = [&](std::size_t rows, std::size_t cols) {
      const std::size_t run = row ? cols : rows, lines = row ? rows : cols,
                        ld = std::max<std::size_t>(run, 1) + c.extra;
      return Side{rows, cols, ld, c.offset + lines * ld};
    };
    const Side sa = turned(c.a) ? side(k, m) : side(m, k), sb = turned(c.b) ? side(n, k) : side(k, n), sc = side(m, n);
    std::vector<T> a = draw_many<T>(sa.size), b = draw_many<T>(sb.size), x = draw_many<T>(sc.size);
    if (c.nan_c) {
      for (T& v : x) v = T(std::numeric_limits<Real<T>>::quiet_NaN());
    }
    const T alpha = draw<T>(), beta = c.with_beta ? draw<T>() : T(0);
    Guarded<T> ga(dev, a), gb(dev, b), gc(dev, x);
    const Status s = gemm<T>(lib(), launch(), c.order, c.a, c.b, m, n, k, alpha, ga.matrix(c.offset, sa.ld),
                             gb.matrix(c.offset, sb.ld), beta, gc.matrix(c.offset, sc.ld), c.product);
    ASSERT_EQ(s, Status::Ok) << to_string(s) << ": " << last_error();
    const std::vector<T> got = gc.read();

    // CBLAS has no conjugation without a transpose.
    const auto widen = [](const std::vector<T>& v, bool conj) {
      std::vector<W> w(v.size());
      for (std::size_t i = 0; i < v.size(); ++i) w[i] = W(conj ? conj_of(v[i]) : v[i]);
      return w;
    };
    const auto absolute = [](const std::vector<W>& v) {
      std::vector<double> w(v.size());
      for (std::size_t i = 0; i < v.size(); ++i) w[i] = std::abs(v[i]);
      return w;
    };
    const bool ca = c.a == Op::Conjugate || c.a == Op::ConjugateTranspose,
               cb = c.b == Op::Conjugate || c.b == Op::ConjugateTranspose;
    std::vector<W> wa = widen(a, ca), wb = widen(b, cb),
                   want = c.nan_c ? std::vector<W>(x.size(), W(0)) : widen(x, false);
    std::vector<double> bound = absolute(want), aa = absolute(wa), ab = absolute(wb);
    if (m && n) {
      const auto o = row ? CblasRowMajor : CblasColMajor;
      const auto ta = turned(c.a) ? CblasTrans : CblasNoTrans, tb = turned(c.b) ? CblasTrans : CblasNoTrans;
      const auto i = [](std::size_t v) { return static_cast<int>(v); };
      blas(o, ta, tb, i(m), i(n), i(k), W(alpha), wa.data() + c.offset, i(sa.ld), wb.data() + c.offset, i(sb.ld),
           W(beta), want.data() + c.offset, i(sc.ld));
      blas(o, ta, tb, i(m), i(n), i(k), std::abs(W(alpha)), aa.data() + c.offset, i(sa.ld), ab.data() + c.offset,
           i(sb.ld), std::abs(W(beta)), bound.data() + c.offset, i(sc.ld));
    }
    const double factor = (static_cast<double>(k) + 8) * unit<T> * (is_complex<T> ? 3 : 1);
    const std::size_t run = row ? n : m, lines = row ? m : n;
    std::size_t wrong = 0;
    for (std::size_t l = 0; l < lines; ++l) {
      for (std::size_t r = 0; r < sc.ld; ++r) {
        const std::size_t at = c.offset + l * sc.ld + r;
        if (r < run) {
          wrong += !(std::abs(W(got[at]) - want[at]) <= factor * bound[at] + 1e-300);
        } else {
          wrong += std::memcmp(&got[at], &x[at], sizeof(T)) != 0;  // between the rows
        }
      }
    }
    for (std::size_t l = 0; l < c.offset; ++l) wrong += std::memcmp(&got[l], &x[l], sizeof(T)) != 0;
    EXPECT_EQ(wrong, 0u) << m << " x " << n << " x " << k << " order " << static_cast<int>(c.order) << " ops "
                         << static_cast<int>(c.a) << static_cast<int>(c.b) << " extra " << c.extra << " offset "
                         << c.offset;
  }
};

using All = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Gemm, All);

constexpr Op kOps[] = {Op::None, Op::Transpose, Op::ConjugateTranspose, Op::Conjugate};

TYPED_TEST(Gemm, EveryLayout) {
  for (Order o : {Order::RowMajor, Order::ColumnMajor}) {
    for (Op a : kOps) {
      for (Op b : kOps) this->check({o, a, b, {37, 29, 23}, 3, 5, true});
    }
  }
}

TYPED_TEST(Gemm, SizesFrom0To300) {
  const std::size_t sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 127, 129, 255, 256, 300};
  std::size_t i = 0;
  for (std::size_t m : sizes) {
    for (std::size_t n : sizes) {
      // Pairs of m and n, each combined with a k, a layout and strides that vary from pair to pair.
      if (++i % 3 && m > 3 && n > 3) continue;
      const std::size_t k = sizes[(i * 7 + 3) % std::size(sizes)];
      this->check({i % 2 ? Order::RowMajor : Order::ColumnMajor,
                   kOps[i % 3],
                   kOps[i / 3 % 3],
                   {m, n, k},
                   i % 5,
                   i % 4,
                   i % 2 == 0});
    }
  }
}

TYPED_TEST(Gemm, EmptyExtents) {
  for (Shape s : {Shape{0, 5, 5}, {5, 0, 5}, {5, 5, 0}, {0, 0, 0}})
    this->check({Order::RowMajor, Op::None, Op::None, s, 1, 0, true});
}

TYPED_TEST(Gemm, BetaZeroDoesNotReadC) {
  this->check({Order::RowMajor, Op::None, Op::None, {70, 50, 40}, 2, 0, false, true});
  this->check({Order::ColumnMajor, Op::None, Op::None, {128, 64, 0}, 0, 0, false, true});
}

TYPED_TEST(Gemm, Compensated) {
  if (!has_compensated(this->lib(), std::is_same_v<TypeParam, float> ? Precision::S : Precision::C) &&
      unit<TypeParam> > 1e-10) {
    std::vector<TypeParam> v(16);
    Guarded<TypeParam> g(this->dev, v);
    EXPECT_EQ(gemm<TypeParam>(this->lib(), this->launch(), Order::RowMajor, Op::None, Op::None, 4, 4, 4, TypeParam(1),
                              g.matrix(0, 4), g.matrix(0, 4), TypeParam(0), g.matrix(0, 4), Product::Compensated),
              Status::UnsupportedProduct);
    return;
  }
  for (Op a : kOps)
    this->check({Order::RowMajor, a, Op::None, {200, 150, 300}, 4, 0, true, false, Product::Compensated});
  // Large enough for the kernels of large sizes, and not a multiple of any tile size.
  // Programs for CPUs are not optimised in tests, and take a minute for the larger ones.
  const bool larger = long_form() || !this->lib().device().is_cpu;
  for (Op b : kOps)
    this->check({Order::ColumnMajor, Op::Transpose, b, larger ? Shape{810, 790, 805} : Shape{530, 515, 521}, 3, 1, true,
                 false, Product::Compensated});
  if (larger)
    this->check({Order::RowMajor, Op::None, Op::None, {1500, 1600, 1601}, 0, 0, false, true, Product::Compensated});
}

TYPED_TEST(Gemm, Batched) {
  using T = TypeParam;
  const std::size_t m = 19, n = 21, k = 13, count = 5;
  std::vector<T> a = this->template draw_many<T>(count * 300), b = this->template draw_many<T>(k * n), c(count * 450);
  Guarded<T> ga(this->dev, a), gb(this->dev, b), gc(this->dev, c);
  ASSERT_EQ(gemm_batched<T>(this->lib(), this->launch(), Order::RowMajor, Op::None, Op::None, m, n, k, T(2),
                            {ga.matrix(1, k), 300}, {gb.matrix(0, n), 0}, T(0), {gc.matrix(0, n + 1), 450}, count),
            Status::Ok)
      << last_error();
  const std::vector<T> got = gc.read();
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        T want(0);
        double size = 0;
        for (std::size_t l = 0; l < k; ++l) {
          const T x = a[p * 300 + 1 + i * k + l], y = b[l * n + j];
          want += x * y;
          size += std::abs(x) * std::abs(y);
        }
        EXPECT_LE(std::abs(got[p * 450 + i * (n + 1) + j] - T(2) * want), 200 * unit<T> * size);
      }
    }
  }
  // Matrices of C that overlap are refused; a shared A is not.
  EXPECT_EQ(gemm_batched<T>(this->lib(), this->launch(), Order::RowMajor, Op::None, Op::None, m, n, k, T(1),
                            {ga.matrix(0, k), 0}, {gb.matrix(0, n), 0}, T(0), {gc.matrix(0, n), 10}, count),
            Status::InvalidStride);
}

// When there is no product to add, every matrix of C is scaled, and no element outside of it changes.
TYPED_TEST(Gemm, BatchedWithoutProducts) {
  using T = TypeParam;
  const std::size_t m = 5, n = 7, count = 4, step = 60, first = 3;
  for (const auto& [k, alpha] : {std::pair<std::size_t, T>(0, T(2)), {6, T(0)}}) {
    std::vector<T> a = this->template draw_many<T>(count * step), c = this->template draw_many<T>(count * step);
    Guarded<T> ga(this->dev, a), gb(this->dev, a), gc(this->dev, c);
    ASSERT_EQ(gemm_batched<T>(this->lib(), this->launch(), Order::RowMajor, Op::None, Op::None, m, n, k, alpha,
                              {ga.matrix(0, 6), 40}, {gb.matrix(0, n), 45}, T(3), {gc.matrix(first, n + 1), step - 5}, count),
              Status::Ok)
        << last_error();
    const std::vector<T> got = gc.read();
    std::vector<T> want = c;
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) want[first + p * (step - 5) + i * (n + 1) + j] *= T(3);
    EXPECT_EQ(got, want) << "k " << k;
  }
}

TYPED_TEST(Gemm, PlanReusesACopyOfA) {
  using T = TypeParam;
  for (Order order : {Order::RowMajor, Order::ColumnMajor}) {
    const std::size_t m = 45, n = 33, k = 27;
    const bool row = order == Order::RowMajor;
    const std::size_t lda = row ? m : k, ldb = row ? n : k, ldc = row ? n : m;  // A is stored transposed
    std::vector<T> a = this->template draw_many<T>(m * k);
    Guarded<T> ga(this->dev, a);
    GemmPlan plan;
    const std::size_t made = this->lib().counters().temporaries_made;
    const Precision p =
        is_complex<T> ? (sizeof(T) == 8 ? Precision::C : Precision::Z) : (sizeof(T) == 4 ? Precision::S : Precision::D);
    ASSERT_EQ(plan.make(this->lib(), p, order, Op::ConjugateTranspose, Op::None, m, n, k), Status::Ok) << last_error();
    EXPECT_GE(plan.bytes_a(), m * k * sizeof(T));
    EXPECT_EQ(plan.copy_a(this->launch(), ga.matrix(0, lda)), Status::InvalidPlan);
    ASSERT_EQ(plan.allocate(), Status::Ok);
    ASSERT_EQ(plan.copy_a(this->launch(), ga.matrix(0, lda)), Status::Ok) << last_error();
    for (int round = 0; round < 3; ++round) {
      std::vector<T> b = this->template draw_many<T>(k * n), c(m * n);
      Guarded<T> gb(this->dev, b), gc(this->dev, c);
      if (round == 0) {
        EXPECT_EQ(plan.compute<T>(this->launch(), T(1), T(0), gc.matrix(0, ldc)), Status::InvalidPlan);
      }
      ASSERT_EQ(plan.copy_b(this->launch(), gb.matrix(0, ldb)), Status::Ok);
      ASSERT_EQ(plan.compute<T>(this->launch(), T(1), T(0), gc.matrix(0, ldc)), Status::Ok) << last_error();
      const std::vector<T> got = gc.read();
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          T want(0);
          for (std::size_t l = 0; l < k; ++l)
            want += conj_of(a[row ? l * m + i : i * k + l]) * b[row ? l * n + j : j * k + l];
          EXPECT_LE(std::abs(got[row ? i * n + j : j * m + i] - want), 400 * unit<T>);
        }
      }
    }
    EXPECT_EQ(this->lib().counters().temporaries_made, made) << "beside what the plan told of";
    plan.release();
    EXPECT_EQ(plan.allocate(), Status::InvalidPlan);
  }
}

// Padding must be written: stale values in a temporary buffer would otherwise enter the sums.
TYPED_TEST(Gemm, CopiesFillTheirTemporaries) {
  using T = TypeParam;
  const Precision p =
      is_complex<T> ? (sizeof(T) == 8 ? Precision::C : Precision::Z) : (sizeof(T) == 4 ? Precision::S : Precision::D);
  for (int layout = 0; layout < 8; ++layout) {
    const Order order = layout & 4 ? Order::ColumnMajor : Order::RowMajor;
    const Op op_a = layout & 2 ? Op::ConjugateTranspose : Op::None, op_b = layout & 1 ? Op::Transpose : Op::None;
    const std::size_t m = 45, n = 33, k = 27;
    GemmPlan plan;
    ASSERT_EQ(plan.make(this->lib(), p, order, op_a, op_b, m, n, k), Status::Ok) << last_error();
    const T nan(std::numeric_limits<Real<T>>::quiet_NaN());
    Guarded<T> a(this->dev, this->template draw_many<T>(m * k)), b(this->dev, this->template draw_many<T>(k * n));
    std::vector<T> ta(plan.bytes_a() / sizeof(T), nan), tb(plan.bytes_b() / sizeof(T), nan);
    cl_int err;
    cl_mem ma =
        clCreateBuffer(this->dev.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, plan.bytes_a(), ta.data(), &err);
    cl_mem mb =
        clCreateBuffer(this->dev.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, plan.bytes_b(), tb.data(), &err);
    ASSERT_EQ(plan.use(ma, mb), Status::Ok) << last_error();
    // The leading dimension is the first extent of the stored matrix, or the second.
    const bool rows_a = (order == Order::ColumnMajor) != (op_a != Op::None),
               rows_b = (order == Order::ColumnMajor) != (op_b != Op::None);
    ASSERT_EQ(plan.copy_a(this->launch(), a.matrix(0, rows_a ? m : k)), Status::Ok) << last_error();
    ASSERT_EQ(plan.copy_b(this->launch(), b.matrix(0, rows_b ? k : n)), Status::Ok) << last_error();
    clEnqueueReadBuffer(this->dev.queue, ma, CL_TRUE, 0, plan.bytes_a(), ta.data(), 0, nullptr, nullptr);
    clEnqueueReadBuffer(this->dev.queue, mb, CL_TRUE, 0, plan.bytes_b(), tb.data(), 0, nullptr, nullptr);
    for (std::size_t i = 0; i < ta.size(); ++i) EXPECT_EQ(ta[i], ta[i]) << "A " << i;
    for (std::size_t i = 0; i < tb.size(); ++i) EXPECT_EQ(tb[i], tb[i]) << "B " << i;
    clReleaseMemObject(ma);
    clReleaseMemObject(mb);
  }
}

class GemmCalls : public RaijinTest {
 protected:
  void compare();
};

// Errors of compensated products compared with errors of plain ones.
void GemmCalls::compare() {
  const std::size_t n = 96;
  for (std::size_t k : {32, 256, 4096}) {
    for (bool positive : {false, true}) {
      std::vector<float> a = draw_many<float>(n * k), b = draw_many<float>(k * n), zero(n * n);
      if (positive) {
        for (std::vector<float>* v : {&a, &b}) {
          for (float& x : *v) x = std::abs(x);
        }
      }
      std::vector<double> wa(a.begin(), a.end()), wb(b.begin(), b.end()), want(n * n), size(n * n);
      blas(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, static_cast<int>(k), 1, wa.data(), static_cast<int>(k),
           wb.data(), n, 0, want.data(), n);
      for (double& x : wa) x = std::abs(x);
      for (double& x : wb) x = std::abs(x);
      blas(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, static_cast<int>(k), 1, wa.data(), static_cast<int>(k),
           wb.data(), n, 0, size.data(), n);
      Guarded<float> ga(dev, a), gb(dev, b), gc(dev, zero);
      double rms[2] = {0, 0}, most[2] = {0, 0};
      for (Product p : {Product::Plain, Product::Compensated}) {
        ASSERT_EQ(gemm<float>(lib(), launch(), Order::RowMajor, Op::None, Op::None, n, n, k, 1.f, ga.matrix(0, k),
                              gb.matrix(0, n), 0.f, gc.matrix(0, n), p),
                  Status::Ok)
            << last_error();
        const std::vector<float> c = gc.read();
        for (std::size_t i = 0; i < n * n; ++i) {
          const double e = std::abs(c[i] - want[i]) / (unit<float> * size[i]);
          rms[p == Product::Compensated] += e * e;
          most[p == Product::Compensated] = std::max(most[p == Product::Compensated], e);
        }
      }
      std::printf("k %zu%s: error in units of eps |A||B|, plain rms %.3f max %.2f, compensated rms %.3f max %.2f\n", k,
                  positive ? " positive" : "", std::sqrt(rms[0] / (n * n)), most[0], std::sqrt(rms[1] / (n * n)),
                  most[1]);
      EXPECT_LE(rms[1], rms[0]);
      EXPECT_LE(most[1], most[0] * 1.25) << "the largest of so few errors is a matter of luck";
    }
  }
}

TEST_F(GemmCalls, BadArgumentsGiveAStatusAndLaunchNothing) {
  std::vector<float> v(100, 1.f);
  Guarded<float> g(dev, v);
  const Matrix ok = g.matrix(0, 10);
  const auto call = [&](const Launch& l, std::size_t m, std::size_t n, std::size_t k, Matrix a, Matrix b, Matrix c) {
    return gemm<float>(lib(), l, Order::RowMajor, Op::None, Op::None, m, n, k, 1.f, a, b, 0.f, c);
  };
  EXPECT_EQ(call({}, 2, 2, 2, ok, ok, ok), Status::InvalidQueue);
  cl_event none = nullptr;
  EXPECT_EQ(call({dev.queue, {&none, 1}, nullptr}, 2, 2, 2, ok, ok, ok), Status::InvalidWaitList);
  EXPECT_EQ(call(launch(), 2, 2, 11, ok, ok, ok), Status::InvalidLeadingDimension);
  EXPECT_EQ(call(launch(), 2, 2, 2, ok, {g.mem(), 0, 1}, ok), Status::InvalidLeadingDimension);
  EXPECT_EQ(call(launch(), 2, 2, 2, ok, ok, {g.mem(), 0, 0}), Status::InvalidLeadingDimension);
  EXPECT_EQ(call(launch(), 2, 2, 2, {nullptr, 0, 10}, ok, ok), Status::InvalidBuffer);
  EXPECT_EQ(call(launch(), 20, 2, 2, ok, ok, ok), Status::BufferTooSmall);
  EXPECT_EQ(call(launch(), 2, 2, 2, ok, ok, {g.mem(), 160, 10}), Status::BufferTooSmall);
  EXPECT_EQ(call(launch(), std::size_t{1} << 32, 2, 2, ok, ok, ok), Status::InvalidDimension);
  EXPECT_EQ(call(launch(), 2, 2, 2, {g.mem(), SIZE_MAX - 2, 10}, ok, ok), Status::InvalidDimension);
  EXPECT_FALSE(last_error().empty());
  EXPECT_EQ(g.read(), v);
}

// The error bound that gemm.hpp states for Product::Compensated, for sums with cancellation and sums without.
TEST_F(GemmCalls, CompensatedErrorIsNoLargerThanPlain) {
  if (!has_compensated(lib(), Precision::S)) GTEST_SKIP() << "no compensated kernel on this device";
  // Tests each kernel of the profile, whatever size it is selected for.
  const std::string before = lib().profile();
  Profile all;
  ASSERT_EQ(Profile::from_json(before, all), Status::Ok);
  for (const GemmChoice& choice : all.compensated[0]) {
    Profile one = all;
    one.compensated[0] = {{0, choice.config, 0, 0}};
    ASSERT_EQ(lib().set_profile(one.to_json()), Status::Ok);
    std::printf("%s\n", text_of(choice.config).c_str());
    GemmConfig used;
    ASSERT_EQ(choose_config(lib().impl(), Product::Compensated, Precision::S, 96, 96, 96, used), Status::Ok);
    EXPECT_EQ(used, choice.config);
    compare();
  }
  EXPECT_EQ(lib().set_profile(before), Status::Ok);
}

TEST_F(GemmCalls, WaitsAndSignalsOnAnOutOfOrderQueue) {
  cl_int err;
  cl_command_queue q = clCreateCommandQueue(dev.context, dev.id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
  if (err != CL_SUCCESS) GTEST_SKIP() << "no out-of-order queues";
  const std::size_t n = 64;
  std::vector<float> a(n * n, 1.f), zero(n * n, 0.f);
  Guarded<float> ga(dev, a), g1(dev, zero), g2(dev, zero);
  cl_event start = clCreateUserEvent(dev.context, &err), first = nullptr, second = nullptr;
  ASSERT_EQ(gemm<float>(lib(), {q, {&start, 1}, &first}, Order::RowMajor, Op::None, Op::None, n, n, n, 1.f,
                        ga.matrix(0, n), ga.matrix(0, n), 0.f, g1.matrix(0, n)),
            Status::Ok);
  ASSERT_EQ(gemm<float>(lib(), {q, {&first, 1}, &second}, Order::RowMajor, Op::None, Op::None, n, n, n, 1.f,
                        g1.matrix(0, n), ga.matrix(0, n), 0.f, g2.matrix(0, n)),
            Status::Ok);
  cl_int state = CL_COMPLETE;
  clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
  EXPECT_GT(state, CL_COMPLETE) << "ran before what it waits for";
  clSetUserEventStatus(start, CL_COMPLETE);
  clFlush(q);
  EXPECT_EQ(clWaitForEvents(1, &second), CL_SUCCESS);
  for (float v : g2.read()) ASSERT_EQ(v, static_cast<float>(n * n));
  for (cl_event e : {start, first, second}) clReleaseEvent(e);
  clReleaseCommandQueue(q);
}

TEST_F(GemmCalls, TemporariesAndProgramsAreMadeOnce) {
  const std::size_t n = 50;
  std::vector<float> a(n * n, 1.f);
  Guarded<float> ga(dev, a), gc(dev, a);
  const auto call = [&] {
    return gemm<float>(lib(), launch(), Order::RowMajor, Op::None, Op::None, n, n, n, 1.f, ga.matrix(0, n),
                       ga.matrix(0, n), 0.f, gc.matrix(0, n));
  };
  ASSERT_EQ(call(), Status::Ok);
  clFinish(dev.queue);
  const auto before = lib().counters();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(call(), Status::Ok);
    clFinish(dev.queue);
  }
  EXPECT_EQ(lib().counters().programs_built, before.programs_built);
  EXPECT_EQ(lib().counters().temporaries_made, before.temporaries_made);
  lib().trim();
  EXPECT_EQ(lib().counters().temporary_bytes, 0u);
}

// A second context takes all its programs from where the first one left them; what the driver does not take is built
// again.
TEST_F(GemmCalls, ProgramsAreLoadedFromACache) {
  std::map<std::string, std::vector<unsigned char>> kept;
  Options options;
  options.load_program = [&](const std::string& key, std::vector<unsigned char>& binary) {
    const auto found = kept.find(key);
    if (found != kept.end()) binary = found->second;
    return found != kept.end();
  };
  options.store_program = [&](const std::string& key, const std::vector<unsigned char>& binary) { kept[key] = binary; };
  const std::size_t n = 20;
  std::vector<float> ones(n * n, 1.f);
  for (int round = 0; round < 3; ++round) {
    Guarded<float> ga(dev, ones), gc(dev, ones);
    std::unique_ptr<Context> ctx;
    ASSERT_EQ(Context::create(dev.context, dev.id, ctx, options), Status::Ok) << last_error();
    ASSERT_EQ(gemm<float>(*ctx, launch(), Order::RowMajor, Op::None, Op::None, n, n, n, 1.f, ga.matrix(0, n),
                          ga.matrix(0, n), 0.f, gc.matrix(0, n)),
              Status::Ok)
        << last_error();
    for (float v : gc.read()) ASSERT_EQ(v, static_cast<float>(n));
    const Context::Counters c = ctx->counters();
    if (round == 1) {
      EXPECT_EQ(c.programs_built, 0u);
      EXPECT_EQ(c.programs_loaded, kept.size());
    } else {
      EXPECT_EQ(c.programs_built, kept.size());
      EXPECT_EQ(c.programs_loaded, 0u);
    }
    ASSERT_FALSE(kept.empty());
    if (round == 1) {
      for (auto& [key, binary] : kept) binary.assign(40, 'x');
    }
  }
}

extern "C" int raijincl_c_calls(cl_context, cl_device_id, cl_command_queue);
TEST_F(GemmCalls, FromC) { EXPECT_EQ(raijincl_c_calls(dev.context, dev.id, dev.queue), 0) << last_error(); }

TEST_F(GemmCalls, ProfilesRoundTripAndBadOnesAreRefused) {
  const std::string text = lib().profile();
  EXPECT_EQ(lib().set_profile(text), Status::Ok) << last_error();
  EXPECT_EQ(lib().profile(), text);
  EXPECT_EQ(lib().set_profile("{"), Status::InvalidProfile);
  EXPECT_EQ(lib().set_profile("{\"raijincl_profile\":1,\"device\":\"x\",\"gemm\":{\"S\":[{\"config\":{\"family\":"
                              "\"block\",\"bn\":\"x\"}}]}}"),
            Status::InvalidProfile);
  EXPECT_EQ(lib().profile(), text);
}

}  // namespace
}  // namespace rj
