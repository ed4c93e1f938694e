// Kernels whose work-groups add to private copies of an array (privatise): all element types, dense and strided arrays,
// faults. Under Oclgrind every access is checked for races between work-items.
#include "device/device_fixture.hpp"

#include "loop/text/parse.hpp"
#include "loop/transform/linearise.hpp"
#include "loop/transform/privatise.hpp"

#include <fmt/format.h>

namespace vr::test {
namespace {

/// A kernel that adds `value` to h[x[i]] for each i; h has elements of `type`. slices: to h[t, x[i]] for each i and t.
std::unique_ptr<Module> module_of(const std::string& type, const std::string& value, const std::string& checks,
                                  uint8_t fast = 0, bool slices = false) {
  std::string variables, arrays;
  for (const auto& [name, elem] : {std::pair<std::string, std::string>{"x", "i64"}, {"h", type}}) {
    const bool matrix = slices && name == "h";
    variables += fmt::format("  var {0}.data: ptr\n  var {0}.extent0: i64\n  var {0}.stride0: i64\n", name);
    if (matrix) variables += "  var h.extent1: i64\n  var h.stride1: i64\n";
    arrays += fmt::format("  array {0}: {1} {0}.data - - [{0}.extent0{2}] [{0}.stride0{3}]\n", name, elem,
                          matrix ? ", h.extent1" : "", matrix ? ", h.stride1" : "");
  }
  const std::string text =
      "module \"m\"\nsite \"f\" \"\" \"h\" 0 \"\"\n\nentry e(x, h) -> () source \"f\" {\n" + variables + arrays +
      (slices ? "  launch g over [x.extent0, h.extent0] (x, h) site 0\n"
              : "  launch g over [x.extent0] (x, h) site 0\n") +
      "}\n\nkernel g(x, h written) -> () source \"f\" {\n" + variables +
      "  var i: i64\n  var t: i64\n  var k: i64\n  var old: " + type + "\n" + arrays +
      (fast ? fmt::format("  is fast {}\n", fast) : "") + "  is grid " + (slices ? "[i, t]" : "[i]") +
      " points 1 disjoint\n  k = i64 x[i by x.stride0]\n" + checks + "  old = atomic add " + type + " h[" +
      (slices ? "t by h.stride0, k by h.stride1" : "k by h.stride0") + "] with " + value + "\n}\n";
  auto m = parse_loops(text, "histograms_test");
  if (!m)
    throw std::runtime_error(m.error().diagnostics.empty() ? m.error().message : m.error().diagnostics[0].message);
  PassOptions options;
  options.local_bytes = 4096;
  privatise(**m, options);
  linearise(**m, options);
  (*m)->functions.erase((*m)->functions.begin());  // the entry
  for (auto& f : (*m)->functions) {
    f->form_of = none;
    if (f->tile_of.kernel != none) --f->tile_of.kernel;
  }
  return std::move(*m);
}

constexpr int64_t sizes[] = {1, 255, 5000, 70000};

class Histograms : public DeviceTest {
 protected:
  template <class T>
  void counts(const std::string& type, const std::string& value, T by, int64_t step, uint8_t fast = 0) {
    const auto m = module_of(type, value, "", fast);
    ASSERT_EQ(m->functions.size(), 2u) << type;
    ASSERT_EQ(m->functions[1]->rows.size(), 1u);
    const Program program(*m);
    for (int64_t n : sizes) {
      constexpr int64_t bins = 100;
      std::vector<int64_t> x(static_cast<size_t>(n));
      std::vector<T> h(static_cast<size_t>(bins * step), T(3)), want;
      want = h;
      for (size_t k = 0; k < x.size(); ++k) {
        x[k] = static_cast<int64_t>(k * k % 97);
        want[static_cast<size_t>(x[k] * step)] += by;
      }
      vr_array vx = describe(x.data(), VR_INT64, {n}), vh = describe(h.data(), element<T>, {bins});
      vh.stride[0] *= step;
      ASSERT_EQ(run(program["g_private"], {n}, {value_of(vx), value_of(vh)}), VR_OK);
      ASSERT_EQ(h, want) << type << ", " << n << " numbers, every " << step;
    }
  }
  static vr_value value_of(vr_array& a) { return test::value(a); }
  template <class T>
  static constexpr int32_t element = std::is_same_v<T, int32_t>    ? VR_INT32
                                     : std::is_same_v<T, uint32_t> ? VR_UINT32
                                     : std::is_same_v<T, int64_t>  ? VR_INT64
                                     : std::is_same_v<T, uint64_t> ? VR_UINT64
                                     : std::is_same_v<T, float>    ? VR_FLOAT32
                                                                   : VR_FLOAT64;
};

TEST_F(Histograms, CountIntegersOfAllWidths) {
  counts<int32_t>("i32", "1:i32", 1, 1);
  counts<uint32_t>("u32", "4294967294:u32", uint32_t(-2), 1);
  counts<int64_t>("i64", "-1", -1, 1);            // copies of 32 bits
  counts<int64_t>("i64", "1000000", 1000000, 1);  // and of 64
  counts<uint64_t>("u64", "3:u64", 3, 1);
}

TEST_F(Histograms, GapsBetweenElementsAreUnchanged) {
  counts<int32_t>("i32", "1:i32", 1, 3);
  counts<int64_t>("i64", "1", 1, 5);
}

TEST_F(Histograms, OfSlicesOfAnArray) {
  const auto m = module_of("i64", "1", "", 0, true);
  ASSERT_EQ(m->functions.size(), 2u);
  ASSERT_EQ(m->functions[1]->rows.size(), 1u);
  const Program program(*m);
  EXPECT_EQ(program["g_private"]->points, VR_POINTS_SLICES);
  // The rows, the last of them first, have room behind them. 400 counters of 32 bits fit once, 100 several times.
  for (int64_t bins : {100, 400})
    for (int64_t rows : {1, 7, 300}) {
      constexpr int64_t n = 3000;
      const int64_t pitch = bins + 3;
      std::vector<int64_t> x(n), h(static_cast<size_t>(rows * pitch), 5), want = h;
      for (int64_t i = 0; i < n; ++i) {
        x[static_cast<size_t>(i)] = i * i % bins;
        for (int64_t t = 0; t < rows; ++t) ++want[static_cast<size_t>(t * pitch + x[static_cast<size_t>(i)])];
      }
      vr_array vx = describe(x.data(), VR_INT64, {n}), vh = describe(h.data(), VR_INT64, {rows, bins});
      vh.data = h.data() + (rows - 1) * pitch;
      vh.stride[0] = -pitch * 8;
      ASSERT_EQ(run(program["g_private"], {n, rows}, {value_of(vx), value_of(vh)}), VR_OK);
      ASSERT_EQ(h, want) << rows << " rows of " << bins;
    }
}

TEST_F(Histograms, AddFloatsWhereTheKernelMayReassociate) {
  EXPECT_EQ(module_of("f32", "0.5:f32", "")->functions.size(), 1u);
  counts<float>("f32", "0.5:f32", 0.5F, 1, ir::fastmath::Reassoc);  // exact
  counts<double>("f64", "0.25", 0.25, 2, ir::fastmath::Reassoc);
}

TEST_F(Histograms, ReportFaults) {
  const auto m =
      module_of("i64", "1", "  if unlikely k >= h.extent0 { fail OUT_OF_BOUNDS site 0 index k extent h.extent0 }\n");
  ASSERT_EQ(m->functions.size(), 2u);
  const Program program(*m);
  std::vector<int64_t> x(3000, 1), h(10);
  x[1234] = 10;
  vr_array vx = describe(x.data(), VR_INT64, {3000}), vh = describe(h.data(), VR_INT64, {10});
  EXPECT_EQ(run(program["g_private"], {3000}, {value(vx), value(vh)}), VR_OUT_OF_BOUNDS);
}

}  // namespace
}  // namespace vr::test
