// Every routine except products (gemm_test.cpp) for sizes from 0 to 300 with odd strides and offsets. Results are
// compared with CBLAS in double precision where it has the routine, else with plain loops; errors are measured in units
// of eps |A||B|. Elements outside of the result must keep their values.
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "fixture.hpp"

namespace rj {
namespace {

using namespace raijincl;

void gemv(CBLAS_ORDER o, CBLAS_TRANSPOSE t, int m, int n, double al, const double* a, int lda, const double* x, int ix,
          double be, double* y, int iy) {
  cblas_dgemv(o, t, m, n, al, a, lda, x, ix, be, y, iy);
}
void gemv(CBLAS_ORDER o, CBLAS_TRANSPOSE t, int m, int n, std::complex<double> al, const std::complex<double>* a,
          int lda, const std::complex<double>* x, int ix, std::complex<double> be, std::complex<double>* y, int iy) {
  cblas_zgemv(o, t, m, n, &al, a, lda, x, ix, &be, y, iy);
}
void axpy(int n, double al, const double* x, int ix, double* y, int iy) { cblas_daxpy(n, al, x, ix, y, iy); }
void axpy(int n, std::complex<double> al, const std::complex<double>* x, int ix, std::complex<double>* y, int iy) {
  cblas_zaxpy(n, &al, x, ix, y, iy);
}
void scal(int n, double al, double* x, int ix) { cblas_dscal(n, al, x, ix); }
void scal(int n, std::complex<double> al, std::complex<double>* x, int ix) { cblas_zscal(n, &al, x, ix); }
double dotc(int n, const double* x, int ix, const double* y, int iy) { return cblas_ddot(n, x, ix, y, iy); }
std::complex<double> dotc(int n, const std::complex<double>* x, int ix, const std::complex<double>* y, int iy) {
  std::complex<double> r;
  cblas_zdotc_sub(n, x, ix, y, iy, &r);
  return r;
}

constexpr std::size_t kAll[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 100, 127, 129, 255, 256, 300};
// Around the groups and tiles of CPU profiles. PoCL compiles a kernel again for each new size of a group.
constexpr std::size_t kPart[] = {0, 1, 3, 8, 15, 16, 17, 33, 129, 300};
std::span<const std::size_t> sizes() {
  return long_form() ? std::span<const std::size_t>(kAll) : std::span<const std::size_t>(kPart);
}
int as_int(std::size_t v) { return static_cast<int>(v); }

template <class T>
class Grid : public RaijinTest {
 protected:
  using W = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  static std::vector<W> wide(const std::vector<T>& v, bool conj = false) {
    std::vector<W> w(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) w[i] = W(conj ? conj_of(v[i]) : v[i]);
    return w;
  }
  static std::vector<double> size_of(const std::vector<T>& v) {
    std::vector<double> w(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) w[i] = std::abs(W(v[i]));
    return w;
  }
  // At the indices of the vector got = want within `factor` times eps times the bound; all other elements are
  // unchanged.
  std::size_t differ(const std::vector<T>& got, const std::vector<T>& before, const std::vector<W>& want,
                     const std::vector<double>& bound, double factor, std::size_t offset, std::size_t n,
                     std::size_t inc) {
    std::size_t wrong = 0;
    for (std::size_t i = 0, next = offset, left = n; i < got.size(); ++i) {
      if (left && i == next) {
        wrong += !(std::abs(W(got[i]) - want[i]) <= factor * unit<T> * bound[i] + 1e-300);
        next += inc, --left;
      } else {
        wrong += std::memcmp(&got[i], &before[i], sizeof(T)) != 0;
      }
    }
    return wrong;
  }
};
using All = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Grid, All);

TYPED_TEST(Grid, Gemv) {
  using T = TypeParam;
  using W = typename Grid<T>::W;
  std::size_t round = 0;
  for (std::size_t m : sizes()) {
    for (std::size_t n : sizes()) {
      const Op op = Op(round % 4);
      const Order order = round / 4 % 2 ? Order::ColumnMajor : Order::RowMajor;
      const bool turned = op == Op::Transpose || op == Op::ConjugateTranspose, row = order == Order::RowMajor;
      const bool conj = op == Op::Conjugate || op == Op::ConjugateTranspose;
      const std::size_t run = row ? n : m, lines = row ? m : n, ld = std::max<std::size_t>(run, 1) + round % 3,
                        oa = round % 5, ix = 1 + round % 3 * (round % 2), iy = 1 + round % 7 / 3;
      const std::size_t in = turned ? m : n, out = turned ? n : m;
      const std::vector<T> a = this->template draw_many<T>(oa + lines * ld),
                           x = this->template draw_many<T>(2 + in * ix), y = this->template draw_many<T>(1 + out * iy);
      const T alpha = this->template draw<T>(), beta = round % 3 ? this->template draw<T>() : T(0);
      Guarded<T> ga(this->dev, a), gx(this->dev, x), gy(this->dev, y);
      ASSERT_EQ(raijincl::gemv<T>(this->lib(), this->launch(), order, op, m, n, alpha, ga.matrix(oa, ld),
                                  gx.vector(2, ix), beta, gy.vector(1, iy)),
                Status::Ok)
          << last_error();
      std::vector<W> want = this->wide(y);
      std::vector<double> bound = this->size_of(y);
      if (m && n) {
        const auto o = row ? CblasRowMajor : CblasColMajor;
        const auto t = turned ? CblasTrans : CblasNoTrans;
        gemv(o, t, as_int(m), as_int(n), W(alpha), this->wide(a, conj).data() + oa, as_int(ld),
             this->wide(x).data() + 2, as_int(ix), W(beta), want.data() + 1, as_int(iy));
        gemv(o, t, as_int(m), as_int(n), std::abs(W(alpha)), this->size_of(a).data() + oa, as_int(ld),
             this->size_of(x).data() + 2, as_int(ix), std::abs(W(beta)), bound.data() + 1, as_int(iy));
      } else {
        for (std::size_t i = 0; i < out; ++i) want[1 + i * iy] *= W(beta);  // BLAS does not read A and x then
      }
      const double factor = (static_cast<double>(in) + 8) * (is_complex<T> ? 3 : 1);
      EXPECT_EQ(this->differ(gy.read(), y, want, bound, factor, 1, out, iy), 0u)
          << m << " x " << n << " round " << round;
      ++round;
    }
  }
}

TYPED_TEST(Grid, ScaleAxpyDot) {
  using T = TypeParam;
  using W = typename Grid<T>::W;
  // In steps that are no multiples of what strides and offsets depend on.
  const std::size_t step = long_form() ? 1 : 7;
  for (std::size_t n = 0; n <= 300; n += n < 4 ? 1 : n < 70 ? step : 7 * step) {
    const std::size_t ix = 1 + n % 3, iy = 1 + n % 5 % 3, ox = n % 4, oy = n % 3;
    const std::vector<T> x = this->template draw_many<T>(ox + n * ix + 3),
                         y = this->template draw_many<T>(oy + n * iy + 3), r = this->template draw_many<T>(3);
    const T alpha = this->template draw<T>();
    Guarded<T> gx(this->dev, x), gy(this->dev, y), gs(this->dev, x), gr(this->dev, r);
    const auto check = [&](const char* name, const std::vector<T>& got, const std::vector<T>& before,
                           const std::vector<W>& want, const std::vector<double>& bound, double factor, std::size_t at,
                           std::size_t count, std::size_t inc) {
      EXPECT_EQ(this->differ(got, before, want, bound, factor, at, count, inc), 0u) << name << " " << n;
    };
    ASSERT_EQ(
        dot<T>(this->lib(), this->launch(), n, gx.vector(ox, ix), gy.vector(oy, iy), true, gr.mem(), gr.base() + 1),
        Status::Ok)
        << last_error();
    std::vector<W> want = this->wide(r);
    std::vector<double> bound = this->size_of(r);
    want[1] = dotc(as_int(n), this->wide(x).data() + ox, as_int(ix), this->wide(y).data() + oy, as_int(iy));
    bound[1] = dotc(as_int(n), this->size_of(x).data() + ox, as_int(ix), this->size_of(y).data() + oy, as_int(iy));
    check("dot", gr.read(), r, want, bound, 3 * (static_cast<double>(n) + 8), 1, 1, 1);

    ASSERT_EQ(raijincl::axpy<T>(this->lib(), this->launch(), n, alpha, gx.vector(ox, ix), gy.vector(oy, iy)),
              Status::Ok);
    want = this->wide(y), bound = this->size_of(y);
    axpy(as_int(n), W(alpha), this->wide(x).data() + ox, as_int(ix), want.data() + oy, as_int(iy));
    axpy(as_int(n), std::abs(W(alpha)), this->size_of(x).data() + ox, as_int(ix), bound.data() + oy, as_int(iy));
    check("axpy", gy.read(), y, want, bound, 8, oy, n, iy);

    ASSERT_EQ(scale<T>(this->lib(), this->launch(), n, alpha, gs.vector(ox, ix)), Status::Ok);
    want = this->wide(x), bound = this->size_of(x);
    scal(as_int(n), W(alpha), want.data() + ox, as_int(ix));
    scal(as_int(n), std::abs(W(alpha)), bound.data() + ox, as_int(ix));
    check("scale", gs.read(), x, want, bound, 8, ox, n, ix);
  }
}

TYPED_TEST(Grid, CopyAndTranspose) {
  using T = TypeParam;
  std::size_t round = 0;
  for (std::size_t m : sizes()) {
    for (std::size_t n : sizes()) {
      if (++round % 2 && m > 4 && n > 4) continue;
      const std::size_t ls = n + 1 + round % 3, lc = n + 1 + round % 5, lt = m + 1 + round % 4, os = round % 7,
                        od = round % 3;
      const std::vector<T> src = this->template draw_many<T>(os + m * ls + 1),
                           mark = this->template draw_many<T>(od + m * lc + n * lt + 2);
      Guarded<T> gs(this->dev, src), gc(this->dev, mark), gt(this->dev, mark);
      const bool conj = round % 3 == 0;
      ASSERT_EQ(copy<T>(this->lib(), this->launch(), m, n, gs.matrix(os, ls), gc.matrix(od, lc)), Status::Ok);
      ASSERT_EQ(transpose<T>(this->lib(), this->launch(), m, n, gs.matrix(os, ls), gt.matrix(od, lt), conj),
                Status::Ok);
      std::vector<T> want_c = mark, want_t = mark;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const T v = src[os + i * ls + j];
          want_c[od + i * lc + j] = v;
          want_t[od + j * lt + i] = conj ? conj_of(v) : v;
        }
      }
      EXPECT_TRUE(gc.read() == want_c) << "copy " << m << " x " << n;
      EXPECT_TRUE(gt.read() == want_t) << "transpose " << m << " x " << n << (conj ? " conjugated" : "");
    }
  }
}

TYPED_TEST(Grid, Reductions) {
  using T = TypeParam;
  using W = typename Grid<T>::W;
  std::size_t round = 0;
  for (std::size_t m : sizes()) {
    for (std::size_t n : sizes()) {
      if (++round % 3 && m > 3 && n > 3) continue;
      // Every other case uses a plane of a larger array, that is, strides instead of dense rows.
      const bool dense = round % 2;
      const std::size_t ld = dense ? n : n + 3, step = dense ? 1 : 2, offset = round % 5;
      const std::size_t extents[] = {m, n}, strides[] = {ld * step, step};
      std::vector<T> data = this->template draw_many<T>(offset + m * ld * step + 1);
      // Values near 1, so that products of thousands of them neither underflow nor overflow.
      for (T& v : data) v *= static_cast<Real<T>>((0.9 + 0.2 * std::abs(this->template draw<Real<T>>())) / std::abs(v));
      Guarded<T> in(this->dev, data);
      for (std::size_t axis : {std::size_t{0}, std::size_t{1}, kAllAxes}) {
        const std::size_t results = axis == 0 ? n : axis == 1 ? m : 1, length = axis == 0 ? m : axis == 1 ? n : m * n;
        const auto at = [&](std::size_t r, std::size_t l) {
          const std::size_t i = axis == 0   ? l
                                : axis == 1 ? r
                                            : l / std::max<std::size_t>(n, 1),
                            j = axis == 0   ? r
                                : axis == 1 ? l
                                            : l % std::max<std::size_t>(n, 1);
          return data[offset + i * strides[0] + j * strides[1]];
        };
        const std::vector<T> mark = this->template draw_many<T>(results + 2);
        for (Reduction op : {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max}) {
          const bool order = op >= Reduction::Min;
          if (order && is_complex<T>) continue;
          if (op == Reduction::Product && length > 10000) continue;  // would exceed the range of a float
          Guarded<T> out(this->dev, mark);
          const Status s = dense ? reduce<T>(this->lib(), this->launch(), op, extents, axis, in.mem(),
                                             in.base() + offset, out.mem(), out.base() + 1)
                                 : reduce<T>(this->lib(), this->launch(), op, extents, strides, axis, in.mem(),
                                             in.base() + offset, out.mem(), out.base() + 1);
          if (order && !length && results) {
            EXPECT_EQ(s, Status::InvalidDimension);
            continue;
          }
          ASSERT_EQ(s, Status::Ok) << last_error();
          std::vector<W> want = this->wide(mark);
          std::vector<double> bound = this->size_of(mark);
          for (std::size_t r = 0; r < results; ++r) {
            W v = op == Reduction::Product ? W(1) : W(0);
            double size = 0;
            for (std::size_t l = 0; l < length; ++l) {
              const W e = W(at(r, l));
              if (op == Reduction::Sum) v += e;
              if (op == Reduction::Product) v *= e;
              if constexpr (!is_complex<T>) {
                if (order && (l == 0 || (op == Reduction::Min ? e < v : e > v))) v = e;
              }
              size += std::abs(e);
            }
            want[1 + r] = v;
            bound[1 + r] = op == Reduction::Sum ? size : order ? 0 : std::abs(v);
          }
          EXPECT_EQ(this->differ(out.read(), mark, want, bound, 4 * (static_cast<double>(length) + 4), 1, results, 1),
                    0u)
              << m << " x " << n << " axis " << axis << " operation " << static_cast<int>(op) << " dense " << dense;
        }
        if constexpr (!is_complex<T>) {
          if (!length) continue;
          for (ArgReduction op : {ArgReduction::Min, ArgReduction::Max}) {
            std::vector<cl_ulong> want(results + 2, 77);
            Guarded<cl_ulong> out(this->dev, want);
            ASSERT_EQ(arg_reduce<T>(this->lib(), this->launch(), op, extents, strides, axis, in.mem(),
                                    in.base() + offset, out.mem(), out.base() + 1),
                      Status::Ok)
                << last_error();
            for (std::size_t r = 0; r < results; ++r) {
              std::size_t best = 0;
              for (std::size_t l = 1; l < length; ++l) {
                if (op == ArgReduction::Min ? at(r, l) < at(r, best) : at(r, l) > at(r, best)) best = l;
              }
              want[1 + r] = best;
            }
            EXPECT_TRUE(out.read() == want) << m << " x " << n << " axis " << axis << " place " << static_cast<int>(op);
          }
        }
      }
    }
  }
}

TYPED_TEST(Grid, Elementwise) {
  using T = TypeParam;
  using W = typename Grid<T>::W;
  for (std::size_t n : sizes()) {
    const std::size_t ix = 1 + n % 2, iy = 1 + n % 3, iz = 1 + n % 5 % 2, ox = n % 3, oy = n % 4, oz = n % 5;
    const std::vector<T> x = this->template draw_many<T>(ox + n * ix + 1),
                         y = this->template draw_many<T>(oy + n * iy + 1),
                         z = this->template draw_many<T>(oz + n * iz + 1);
    Guarded<T> gx(this->dev, x), gy(this->dev, y);
    const auto check = [&](const char* name, const auto& call, const auto& f) {
      Guarded<T> gz(this->dev, z);
      ASSERT_EQ(call(gz.vector(oz, iz)), Status::Ok) << name << last_error();
      std::vector<W> want = this->wide(z);
      std::vector<double> bound = this->size_of(z);
      for (std::size_t i = 0; i < n; ++i) {
        const W a(x[ox + i * ix]), b(y[oy + i * iy]);
        want[oz + i * iz] = f(a, b);
        bound[oz + i * iz] = std::abs(want[oz + i * iz]) + std::abs(a) + std::abs(b);
      }
      EXPECT_EQ(this->differ(gz.read(), z, want, bound, 16, oz, n, iz), 0u) << name << " " << n;
    };
    const auto one = [&](const char* name, Unary op, const auto& f) {
      check(
          name, [&](const Vector& to) { return unary<T>(this->lib(), this->launch(), op, n, gx.vector(ox, ix), to); },
          [&](W a, W) { return W(f(a)); });
    };
    const auto two = [&](const char* name, Binary op, const auto& f) {
      check(
          name,
          [&](const Vector& to) {
            return binary<T>(this->lib(), this->launch(), op, n, gx.vector(ox, ix), gy.vector(oy, iy), to);
          },
          f);
    };
    one("copy", Unary::Copy, [](W a) { return a; });
    one("negate", Unary::Negate, [](W a) { return -a; });
    one("conjugate", Unary::Conjugate, [](W a) { return conj_of(a); });
    one("reciprocal", Unary::Reciprocal, [](W a) { return W(1) / a; });
    one("square", Unary::Square, [](W a) { return a * a; });
    two("add", Binary::Add, [](W a, W b) { return a + b; });
    two("subtract", Binary::Subtract, [](W a, W b) { return a - b; });
    two("multiply", Binary::Multiply, [](W a, W b) { return a * b; });
    two("divide", Binary::Divide, [](W a, W b) { return a / b; });
    if constexpr (!is_complex<T>) {
      one("abs", Unary::Abs, [](W a) { return std::abs(a); });
      one("exp", Unary::Exp, [](W a) { return std::exp(a); });
      one("sin", Unary::Sin, [](W a) { return std::sin(a); });
      one("cos", Unary::Cos, [](W a) { return std::cos(a); });
      one("tanh", Unary::Tanh, [](W a) { return std::tanh(a); });
      one("floor", Unary::Floor, [](W a) { return std::floor(a); });
      one("ceil", Unary::Ceil, [](W a) { return std::ceil(a); });
      two("min", Binary::Min, [](W a, W b) { return std::min(a, b); });
      two("max", Binary::Max, [](W a, W b) { return std::max(a, b); });
    }
  }
}

}  // namespace
}  // namespace rj
