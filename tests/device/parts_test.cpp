// Parts of arrays: only the bytes that a kernel needs are copied to the device, only those that it stores are copied
// back, and all other bytes stay unchanged.
#include "device/device_fixture.hpp"

#include <algorithm>
#include <numeric>

namespace vr::test {
namespace {

/// copy: b[i] = a[i]; scale: x[first + i] *= c; positive: if (a[i] > 0) b[i] = a[i]; checked: b[first + i] = a[i],
/// within bounds; rows: b[i, j] = a[first + i, j]; lower: b[i] = sum of a[i, 0..i].
const Program& part_programs() {
  static const Program* program = [] {
    Module m;
    {
      KernelBuilder k(m, "copy", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(b, {i}, k.load(a, {i})));
    }
    {
      KernelBuilder k(m, "scale", {"i"});
      const ArrayId x = k.array_param("x", ir::Elem::Float64, 1, true);
      const VarId first = k.scalar_param("first", Scalar::Int64), c = k.scalar_param("c", Scalar::Float64),
                  p = k.local("p", Scalar::Int64);
      k.body().push_back(k.set(p, k.add(k.var(first), k.var(k.dim(0)))));
      k.body().push_back(k.store(x, {k.var(p)}, k.mul(k.load(x, {k.var(p)}), k.var(c))));
    }
    {
      KernelBuilder k(m, "positive", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.when(k.op(Op::Gt, k.load(a, {i}), k.real(0)), {k.store(b, {i}, k.load(a, {i}))}));
    }
    {
      KernelBuilder k(m, "checked", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, true);
      const VarId first = k.scalar_param("first", Scalar::Int64), p = k.local("p", Scalar::Int64);
      k.body().push_back(k.set(p, k.add(k.var(k.dim(0)), k.var(first))));
      k.body().push_back(k.bounds_check(b, 0, k.var(p)));
      k.body().push_back(k.store(b, {k.var(p)}, k.load(a, {k.var(k.dim(0))})));
    }
    {
      KernelBuilder k(m, "rows", {"j", "i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 2, true);
      const VarId first = k.scalar_param("first", Scalar::Int64);
      ExprP i = k.var(k.dim(1)), j = k.var(k.dim(0));
      k.body().push_back(k.store(b, {i, j}, k.load(a, {k.add(k.var(first), i), j})));
    }
    {
      KernelBuilder k(m, "lower", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, true);
      const VarId s = k.local("s", Scalar::Float64), j = k.local("j", Scalar::Int64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.set(s, k.real(0)));
      k.body().push_back(
          k.loop(j, k.integer(0), k.add(i, k.integer(1)), {k.set(s, k.add(k.var(s), k.load(a, {i, k.var(j)})))}));
      k.body().push_back(k.store(b, {i}, k.var(s)));
    }
    return new Program(m);
  }();
  return *program;
}

class Parts : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped()) begin();
  }
  void begin() {
    start_ = session().stats();
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  }
  /// Bytes copied so far, if the device has memory of its own.
  void moved(int64_t up, int64_t down) {
    // Several devices also exchange elements with each other.
    if (session().device_info().zero_copy || session().devices().size() > 1) return;
    const gpu::Stats now = session().stats();
    EXPECT_EQ(now.bytes_up - start_.bytes_up, up);
    EXPECT_EQ(now.bytes_down - start_.bytes_down, down);
  }
  void end() { ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message; }
  int32_t launch(const char* name, std::vector<int64_t> counts, std::vector<vr_value> args) {
    return vr_gpu_launch(&context, nullptr, part_programs()[name], counts.data(), args.data());
  }
  int32_t scale(std::vector<double>& x, int64_t first, int64_t count, double c) {
    vr_array a = all(x);
    return launch("scale", {count}, {value(a), value(first), value(c)});
  }
  static std::vector<double> numbers(size_t n, double first = 1) {
    std::vector<double> v(n);
    std::iota(v.begin(), v.end(), first);
    return v;
  }
  static vr_array all(std::vector<double>& v) { return describe(v.data(), VR_FLOAT64, {int64_t(v.size())}); }
  static vr_array strided(double* data, int64_t count, int64_t step) {
    vr_array a = describe(data, VR_FLOAT64, {count});
    a.stride[0] = 8 * step;
    return a;
  }

  gpu::Stats start_;
};

TEST_F(Parts, StridedViewUploadsOnlyItsElements) {
  std::vector<double> x = numbers(1 << 17), y(128);
  vr_array a = strided(x.data(), 128, 1024), b = all(y);
  ASSERT_EQ(launch("copy", {128}, {value(a), value(b)}), VR_OK);
  moved(128 * 8, 0);
  end();
  moved(128 * 8, 128 * 8);
  for (size_t k = 0; k < 128; ++k) EXPECT_EQ(y[k], x[1024 * k]);
}

TEST_F(Parts, StridedViewDownloadsOnlyItsElements) {
  std::vector<double> x = numbers(128), y(1 << 17, -1);
  vr_array a = all(x), b = strided(y.data(), 128, 1024);
  ASSERT_EQ(launch("copy", {128}, {value(a), value(b)}), VR_OK);
  session().settle(&context);
  y[1] = 7;  // not part of the section: written by another thread, for example
  end();
  moved(128 * 8, 128 * 8);
  for (size_t k = 0; k < y.size(); ++k) EXPECT_EQ(y[k], k % 1024 == 0 ? x[k / 1024] : k == 1 ? 7 : -1) << k;
}

TEST_F(Parts, RowsOfAMatrixAreUploadedAlone) {
  constexpr int64_t n = 2000;  // long enough that rows are not copied together with the gaps between them
  std::vector<double> x = numbers(200 * n), y(10 * n);
  vr_array a = describe(x.data(), VR_FLOAT64, {200, n}), b = describe(y.data(), VR_FLOAT64, {10, n});
  ASSERT_EQ(launch("rows", {n, 10}, {value(a), value(b), value(int64_t{10})}), VR_OK);
  moved(10 * n * 8, 0);
  // Two more rows, and a window of other columns.
  ASSERT_EQ(launch("rows", {n, 10}, {value(a), value(b), value(int64_t{12})}), VR_OK);
  moved(12 * n * 8, 0);
  ASSERT_EQ(launch("rows", {3, 10}, {value(a), value(b), value(int64_t{150})}), VR_OK);
  moved(12 * n * 8 + 10 * 3 * 8, 0);
  end();
  moved(12 * n * 8 + 10 * 3 * 8, 10 * n * 8);
  for (int64_t i = 0; i < 10; ++i)
    for (int64_t j = 0; j < n; ++j) EXPECT_EQ(y[size_t(i * n + j)], x[size_t((i + (j < 3 ? 150 : 12)) * n + j)]);
}

TEST_F(Parts, TriangleUploadsLittleMoreThanItsElements) {
  constexpr int64_t n = 400;
  std::vector<double> x(n * n, 1), y(n);
  vr_array a = describe(x.data(), VR_FLOAT64, {n, n}), b = all(y);
  ASSERT_EQ(launch("lower", {n}, {value(a), value(b)}), VR_OK);
  end();
  for (size_t k = 0; k < y.size(); ++k) EXPECT_EQ(y[k], double(k + 1));
  // On a GPU, copying all of such a small matrix is faster.
  if (session().device_info().zero_copy || session().device_info().is_gpu || session().devices().size() > 1) return;
  const double up = double(session().stats().bytes_up - start_.bytes_up);
  EXPECT_LE(up, 1.05 * 8 * n * (n + 1) / 2 + 4096);
}

TEST_F(Parts, ResidentElementsAreNotUploadedAgain) {
  std::vector<double> x = numbers(1000);
  for (int round = 0; round < 3; ++round) ASSERT_EQ(scale(x, 100, 100, 2), VR_OK);
  moved(800, 0);
  ASSERT_EQ(scale(x, 150, 100, 2), VR_OK);
  moved(1200, 0);
  ASSERT_EQ(scale(x, 0, 1000, 1), VR_OK);
  moved(8000, 0);
  end();
  moved(8000, 8000);
  for (size_t k = 0; k < 1000; ++k)
    EXPECT_EQ(x[k], double(k + 1) * (k >= 100 && k < 200 ? 8 : 1) * (k >= 150 && k < 250 ? 2 : 1)) << k;
}

TEST_F(Parts, TwoHundredPartsOfOneArray) {
  std::vector<double> x = numbers(10000), y(10000);
  for (int round = 0; round < 2; ++round)
    for (int64_t k = 0; k < 200; ++k) ASSERT_EQ(scale(x, 50 * k, 10, -1 - round), VR_OK);
  moved(200 * 80, 0);
  // Then all of it: the elements in between come from the host.
  vr_array a = all(x), b = all(y);
  ASSERT_EQ(launch("copy", {10000}, {value(a), value(b)}), VR_OK);
  end();
  for (size_t k = 0; k < 10000; ++k) {
    EXPECT_EQ(y[k], double(k + 1) * (k % 50 < 10 ? 2 : 1)) << k;
    EXPECT_EQ(x[k], y[k]) << k;
  }
}

TEST_F(Parts, ManyPartsOfOneArrayBecomeTheWholeArray) {
  std::vector<double> x = numbers(20000);
  for (int round = 0; round < 2; ++round)
    for (int64_t k = 0; k < 400; ++k) ASSERT_EQ(scale(x, 50 * k, 10, -1 - round), VR_OK);
  moved(20000 * 8, 0);
  end();
  moved(20000 * 8, 20000 * 8);
  for (size_t k = 0; k < 20000; ++k) EXPECT_EQ(x[k], double(k + 1) * (k % 50 < 10 ? 2 : 1)) << k;
}

TEST_F(Parts, OverlappingViewsThatAreWritten) {
  std::vector<double> x = numbers(100), y(50), z(50);
  // Every second element is written, then the others are read, then a range that contains both.
  vr_array even = strided(&x[0], 50, 2), odd = strided(&x[1], 50, 2), one = all(y), other = all(z);
  std::vector<double> hundred = numbers(50, 100);
  vr_array from = all(hundred);
  ASSERT_EQ(launch("copy", {50}, {value(from), value(even)}), VR_OK);
  ASSERT_EQ(launch("copy", {50}, {value(odd), value(one)}), VR_OK);
  vr_array part = strided(&x[25], 50, 1);
  ASSERT_EQ(launch("copy", {50}, {value(part), value(other)}), VR_OK);
  ASSERT_EQ(scale(x, 10, 20, 10), VR_OK);
  end();
  for (size_t k = 0; k < 50; ++k) {
    EXPECT_EQ(y[k], double(2 * k + 2)) << k;
    EXPECT_EQ(z[k], (k + 25) % 2 ? double(k + 26) : double(100 + (k + 25) / 2)) << k;
  }
  for (size_t k = 0; k < 100; ++k)
    EXPECT_EQ(x[k], (k % 2 ? double(k + 1) : double(100 + k / 2)) * (k >= 10 && k < 30 ? 10 : 1)) << k;
}

TEST_F(Parts, ElementsWrittenByTheHostAreUploadedAgain) {
  std::vector<double> x = numbers(1000);
  ASSERT_EQ(scale(x, 0, 1000, 2), VR_OK);
  const vr_array a = all(x);
  ASSERT_EQ(vr_gpu_need_host(&context, &a, 1), VR_OK);
  moved(8000, 8000);
  for (double& v : x) v += 1;
  ASSERT_EQ(scale(x, 10, 5, 10), VR_OK);
  moved(8040, 8000);
  end();
  moved(8040, 8040);
  for (size_t k = 0; k < 1000; ++k) EXPECT_EQ(x[k], (2 * double(k + 1) + 1) * (k >= 10 && k < 15 ? 10 : 1)) << k;
}

TEST_F(Parts, ElementsThatAreNotStoredKeepTheirValues) {
  std::vector<double> x = numbers(100, -50), y(100, 5);
  vr_array a = all(x), b = all(y);
  ASSERT_EQ(launch("positive", {100}, {value(a), value(b)}), VR_OK);
  end();
  moved(1600, 800);
  for (size_t k = 0; k < 100; ++k) EXPECT_EQ(y[k], x[k] > 0 ? x[k] : 5) << k;
}

TEST_F(Parts, StoresBehindProvenChecksAreUnconditional) {
  std::vector<double> x = numbers(100), y(200, 5);
  vr_array a = all(x), b = all(y);
  ASSERT_EQ(launch("checked", {100}, {value(a), value(b), value(int64_t{50})}), VR_OK);
  end();
  moved(800, 800);
  for (size_t k = 0; k < 200; ++k) EXPECT_EQ(y[k], k >= 50 && k < 150 ? x[k - 50] : 5) << k;
}

TEST_F(Parts, FaultLeavesUnstoredElementsUnchanged) {
  const int64_t before = session().stats().bytes_on_device;
  std::vector<double> x = numbers(100), y(200, 5);
  vr_array a = all(x), b = all(y);
  ASSERT_EQ(launch("checked", {100}, {value(a), value(b), value(int64_t{150})}), VR_OK);
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(context.error.extent, 200);
  for (size_t k = 0; k < 200; ++k) EXPECT_TRUE(y[k] == 5 || (k >= 150 && y[k] == x[k - 150])) << k << " " << y[k];
  EXPECT_EQ(session().stats().bytes_on_device, before);
  // The next call is not affected.
  vr_context next;
  next.gpu = context.gpu;
  ASSERT_EQ(vr_gpu_section_begin(&next), VR_OK);
  const int64_t n = 100;
  const vr_value args[] = {value(a), value(b)};
  ASSERT_EQ(vr_gpu_launch(&next, nullptr, part_programs()["copy"], &n, args), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&next), VR_OK);
  EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin()));
}

TEST_F(Parts, PartsOfResidentArrays) {
  end();
  std::vector<double> x = numbers(1000), y(1000, 3);
  const vr_array a = all(x), b = all(y);
  ASSERT_TRUE(session().keep(a).ok());
  ASSERT_TRUE(session().keep(b).ok());
  for (int round = 0; round < 3; ++round) {
    begin();
    vr_array from = strided(&x[100], 50, 1), to = strided(&y[200 + 50 * size_t(round)], 50, 1);
    ASSERT_EQ(launch("copy", {50}, {value(from), value(to)}), VR_OK);
    end();
    moved(round == 0 ? 400 : 0, 0);
  }
  ASSERT_TRUE(session().look(b, true).ok());
  moved(0, 1200);
  for (size_t k = 0; k < 1000; ++k) EXPECT_EQ(y[k], k >= 200 && k < 350 ? double(101 + (k - 200) % 50) : 3) << k;
  y[0] = 9;
  begin();
  ASSERT_EQ(scale(y, 0, 2, 2), VR_OK);
  end();
  moved(16, 0);
  ASSERT_TRUE(session().drop(a).ok());
  ASSERT_TRUE(session().drop(b).ok());
  EXPECT_EQ(y[0], 18);
  EXPECT_EQ(y[1], 6);
  EXPECT_EQ(y[200], 101);
  begin();
  end();
}

}  // namespace
}  // namespace vr::test
