// Random sections on several in-process devices, whose commands run as late and in as random an order as they may:
// stencils, updates in place, kernels divided along columns, reads of distant rows, small launches, temporary arrays,
// and host code between launches. The same operations on plain arrays are the oracle, exact in integers.
#include "device/device_fixture.hpp"
#include "device/host/objects.hpp"

#include <velociraptor/binding.hpp>

#include <gtest/gtest.h>

#include <random>

namespace vr::test {
namespace {

constexpr int64_t random_rows = 96, random_columns = 40;

/// near, far: b[i,j] = a[i-r,j] + a[i+r,j]; add: b[i,j] += a[i-1,j] + a[i+1,j]; negate: x = -x; flip: b[i,j] =
/// a[n-1-i,j]; columns: b += a, divided along the inner dimension.
const Program& random_programs() {
  static const Program* program = [] {
    Module m;
    stencil_kernel(m, "near");
    stencil_kernel(m, "far", 3);
    stencil_kernel(m, "add", 1, true);
    {
      KernelBuilder k(m, "negate", {"j", "i"});
      const ArrayId x = k.array_param("x", ir::Elem::Float64, 2, true);
      ExprP i = k.var(k.dim(1)), j = k.var(k.dim(0));
      k.body().push_back(k.store(x, {i, j}, k.mul(k.load(x, {i, j}), k.real(-1))));
    }
    {
      KernelBuilder k(m, "flip", {"j", "i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 2, true);
      ExprP i = k.var(k.dim(1)), j = k.var(k.dim(0));
      k.body().push_back(k.store(b, {i, j}, k.load(a, {k.sub(k.integer(random_rows - 1), i), j})));
    }
    {
      KernelBuilder k(m, "columns", {"i", "j"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 2, true);
      ExprP i = k.var(k.dim(0)), j = k.var(k.dim(1));
      k.body().push_back(k.store(b, {i, j}, k.add(k.load(b, {i, j}), k.load(a, {i, j}))));
    }
    return new Program(m);
  }();
  return *program;
}

class RandomSections : public ::testing::Test {
 protected:
  using Rows = std::vector<double>;

  void open(const std::vector<double>& shares, int64_t memory) {
    std::vector<gpu::Session::Share> devices;
    for (double share : shares) devices.push_back({host::open_device(false), share});
    auto opened = gpu::Session::open_on(std::move(devices), memory);
    ASSERT_TRUE(opened) << opened.error().text();
    session_ = std::move(*opened);
  }
  int64_t pick(int64_t n) { return int64_t(dice_() % uint64_t(n)); }
  static vr_array part(double* data, int64_t first, int64_t count) {
    return describe(data + first * random_columns, VR_FLOAT64, {count, random_columns});
  }
  void launch(const char* kernel, int64_t inner, int64_t outer, std::vector<vr_array> arrays) {
    std::vector<vr_value> args;
    for (vr_array& a : arrays) args.push_back(value(a));
    const int64_t domain[] = {inner, outer};
    ASSERT_EQ(vr_gpu_launch(&c_, nullptr, random_programs()[kernel], domain, args.data()), VR_OK) << c_.error.message;
  }
  void stencil(const char* kernel, double* from, double* to, const Rows& a, Rows& b, int64_t r, bool in_place) {
    launch(kernel, random_columns, random_rows - 2 * r, {part(from, 0, random_rows), part(to, 0, random_rows)});
    for (size_t k = size_t(r * random_columns); k < size_t((random_rows - r) * random_columns); ++k)
      b[k] = (in_place ? b[k] : 0) + a[k - size_t(r * random_columns)] + a[k + size_t(r * random_columns)];
  }
  /// One random operation on the arrays and on the model.
  void step() {
    const size_t x = size_t(pick(3)), y = (x + 1 + size_t(pick(2))) % 3;
    double *from = arrays_[x], *to = arrays_[y];
    Rows &a = model_[x], &b = model_[y];
    const int64_t count = 1 + pick(random_rows), first = pick(random_rows - count + 1);
    switch (pick(few_rows_ ? 16 : 12)) {
      case 0:
      case 1:
      case 2:
        return stencil("near", from, to, a, b, 1, false);
      case 3:
        return stencil("far", from, to, a, b, 3, false);
      case 4:
      case 5:
        return stencil("add", from, to, a, b, 1, true);
      case 6:  // of some rows; few of them are a small launch
        launch("negate", random_columns, count, {part(from, first, count)});
        for (int64_t k = first * random_columns; k < (first + count) * random_columns; ++k) a[size_t(k)] *= -1;
        return;
      case 7:
        launch("flip", random_columns, random_rows, {part(from, 0, random_rows), part(to, 0, random_rows)});
        for (int64_t i = 0; i < random_rows; ++i)
          std::copy_n(a.begin() + (random_rows - 1 - i) * random_columns, random_columns,
                      b.begin() + i * random_columns);
        return;
      case 8:
        launch("columns", random_rows, random_columns, {part(from, 0, random_rows), part(to, 0, random_rows)});
        for (size_t k = 0; k < b.size(); ++k) b[k] += a[k];
        return;
      case 9: {  // a temporary array between two stencils
        vr_array t;
        const int64_t extents[] = {random_rows, random_columns};
        ASSERT_EQ(vr_rt_alloc(&c_, nullptr, &t, VR_FLOAT64, 2, extents, VR_ROWMAJOR, VR_FILL_ONE, VR_IN_ENGINE), VR_OK);
        Rows temporary(a.size(), 1);
        double* data = static_cast<double*>(t.data);
        stencil("near", from, data, a, temporary, 1, false);
        stencil("add", data, to, temporary, b, 1, true);
        vr_gpu_release(&c_, t.owner);
        return;
      }
      case 10: {  // the host reads
        vr_array rows = part(from, first, count);
        ASSERT_EQ(vr_gpu_need_host(&c_, &rows, 0), VR_OK);
        for (int64_t k = first * random_columns; k < (first + count) * random_columns; ++k)
          ASSERT_EQ(from[k], a[size_t(k)]) << "the host reads element " << k;
        return;
      }
      case 11: {  // the host writes
        vr_array rows = part(from, first, count);
        ASSERT_EQ(vr_gpu_need_host(&c_, &rows, 1), VR_OK);
        for (int64_t k = first * random_columns; k < (first + count) * random_columns; ++k) {
          ASSERT_EQ(from[k], a[size_t(k)]) << "the host has element " << k;
          from[k] = a[size_t(k)] = double(pick(50));
        }
        return;
      }
      default:  // one device reads a few rows, also some that it has received
        return stencil_of_rows(from, to, a, b, std::min(first, random_rows - 8), 8);
    }
  }
  void stencil_of_rows(double* from, double* to, const Rows& a, Rows& b, int64_t first, int64_t count) {
    launch("near", random_columns, count - 2, {part(from, first, count), part(to, first, count)});
    for (int64_t k = (first + 1) * random_columns; k < (first + count - 1) * random_columns; ++k)
      b[size_t(k)] = a[size_t(k - random_columns)] + a[size_t(k + random_columns)];
  }
  /// The order of the arrays in memory is another one in each section: what makes room for others depends on it.
  void place_arrays(int section) {
    constexpr ptrdiff_t gap = 8, elements = random_rows * random_columns + gap;
    size_t order[] = {0, 1, 2};
    std::mt19937 other(unsigned(section) + 1);
    for (size_t k = 2; k > 0; --k) std::swap(order[k], order[other() % (k + 1)]);
    for (size_t k = 0; k < 3; ++k) arrays_[k] = storage_.data() + ptrdiff_t(order[k]) * elements;
  }
  void run(int sections) {
    for (int s = 0; s < sections && !HasFailure(); ++s) {
      SCOPED_TRACE("section " + std::to_string(s));
      dice_.seed(unsigned(s));
      host::reseed(unsigned(s));
      place_arrays(s);
      for (size_t k = 0; k < 3; ++k) {
        for (double& v : model_[k]) v = double(pick(50));
        std::copy(model_[k].begin(), model_[k].end(), arrays_[k]);
      }
      c_.gpu = session_.get();
      c_.host = &vr::builtin_binding();
      ASSERT_EQ(vr_gpu_section_begin(&c_), VR_OK);
      for (int64_t steps = 2 + pick(14); steps > 0 && !HasFatalFailure(); --steps) step();
      ASSERT_EQ(vr_gpu_section_end(&c_), VR_OK) << c_.error.message;
      for (size_t k = 0; k < 3; ++k) {
        int64_t wrong = 0, at = -1;
        for (int64_t e = 0; e < random_rows * random_columns; ++e)
          if (arrays_[k][e] != model_[k][size_t(e)] && wrong++ == 0) at = e;
        EXPECT_EQ(wrong, 0) << "elements of array " << k << " differ, from row " << at / random_columns << " column "
                            << at % random_columns;
      }
    }
    EXPECT_EQ(session_->stats().bytes_on_device, 0);
  }

  bool few_rows_ = false;  ///< also stencils of few rows
  std::mt19937 dice_{1};
  std::unique_ptr<gpu::Session> session_;
  vr_context c_;
  Rows storage_ = Rows(size_t(3 * (random_rows * random_columns + 8)));
  double* arrays_[3] = {};
  std::vector<Rows> model_ = std::vector<Rows>(3, Rows(size_t(random_rows* random_columns)));
};

TEST_F(RandomSections, OnOneDevice) {
  open({1}, 0);
  run(150);
}

TEST_F(RandomSections, OnTwoDevices) {
  open({1, 1}, 0);
  run(150);
  EXPECT_GT(session_->stats().divided, 500);
}

TEST_F(RandomSections, OnThreeUnequalDevices) {
  open({1, 3, 2}, 0);
  run(150);
  EXPECT_GT(session_->stats().divided, 500);
}

TEST_F(RandomSections, WithStencilsOfFewRows) {
  few_rows_ = true;
  open({1, 1}, 0);
  run(200);
  open({1, 3, 2}, 0);
  run(200);
}

TEST_F(RandomSections, WithRoomForSomeArrays) {
  open({1, 1}, 3 * random_rows * random_columns * 8 / 2);
  run(100);
}

TEST_F(RandomSections, WithRoomForChunks) {
  open({1, 1}, random_rows * random_columns * 8 / 2);
  run(100);
  EXPECT_GT(session_->stats().in_chunks, 0);
}

}  // namespace
}  // namespace vr::test
