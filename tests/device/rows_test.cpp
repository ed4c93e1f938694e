// Kernels whose work-groups move rows through local memory, and spread loops: rows of all lengths, groups that are not full. Under
// Oclgrind every access is checked for races between work-items.
#include "device/device_fixture.hpp"

#include "loop/text/parse.hpp"
#include "loop/transform/linearise.hpp"
#include "loop/transform/stage.hpp"

#include <fmt/format.h>

namespace vr::test {
namespace {

/// A module with a kernel of arrays a (two dimensions), x and b (two dimensions) in float32, for each row i of a.
std::unique_ptr<Module> module_of(const std::string& body, const PassOptions& options) {
  std::string variables, arrays;
  for (const auto& [name, rank] : {std::pair{"a", 2}, {"x", 1}, {"b", 2}}) {
    std::string extents, strides;
    variables += fmt::format("  var {}.data: ptr\n", name);
    for (int d = 0; d < rank; ++d) {
      variables += fmt::format("  var {0}.extent{1}: i64\n  var {0}.stride{1}: i64\n", name, d);
      extents += fmt::format("{}{}.extent{}", d ? ", " : "", name, d);
      strides += fmt::format("{}{}.stride{}", d ? ", " : "", name, d);
    }
    arrays += fmt::format("  array {0}: f32 {0}.data - - [{1}] [{2}]\n", name, extents, strides);
  }
  const std::string text =
      "module \"m\"\nsite \"f\" \"\" \"\" -1 \"\"\n\nentry e(a, x, b) -> () source \"f\" {\n" + variables + arrays +
      "  launch g over [a.extent0] (a, x, b) site 0\n}\n\nkernel g(a, x, b written) -> () source \"f\" {\n" + variables +
      "  var i: i64\n  var k: i64\n  var j: i64\n  var s: f32\n" + arrays + "  is grid [i] points 1 disjoint\n" + body + "}\n";
  auto m = parse_loops(text, "rows_test");
  if (!m) throw std::runtime_error(m.error().diagnostics.empty() ? m.error().message : m.error().diagnostics[0].message);
  stage(**m, options);
  linearise(**m, options);
  (*m)->functions.erase((*m)->functions.begin());  // the entry
  for (auto& f : (*m)->functions) {
    f->form_of = none;
    if (f->tile_of.kernel != none) --f->tile_of.kernel;
  }
  return std::move(*m);
}

using Rows = DeviceTest;

struct Case {
  const char* body;
  void (*want)(const float* a, const float* x, float* b, int64_t m);
};

const Case product = {"  s = 0.0:f32\n"
                      "  for k in [0, a.extent1) {\n"
                      "    s = s + f32 a[i by a.stride0, k by 4] * f32 x[k by 4]\n"
                      "  }\n"
                      "  store f32 b[i by b.stride0, 0 by 4] = s\n",
                      [](const float* a, const float* x, float* b, int64_t m) {
                        float s = 0;
                        for (int64_t k = 0; k < m; ++k) s = s + a[k] * x[k];
                        b[0] = s;
                      }};
const Case running = {"  s = 0.0:f32\n"
                      "  for k in [0, a.extent1) {\n"
                      "    s = s + f32 a[i by a.stride0, k by 4]\n"
                      "    store f32 b[i by b.stride0, k by 4] = s\n"
                      "  }\n",
                      [](const float* a, const float*, float* b, int64_t m) {
                        float s = 0;
                        for (int64_t k = 0; k < m; ++k) b[k] = s = s + a[k];
                      }};
const Case centred = {"  s = 0.0:f32\n"
                      "  for k in [0, a.extent1) {\n"
                      "    s = s + f32 a[i by a.stride0, k by 4]\n"
                      "  }\n"
                      "  for j in [0, a.extent1) {\n"
                      "    store f32 b[i by b.stride0, j by 4] = f32 b[i by b.stride0, j by 4] - s\n"
                      "  }\n",
                      [](const float* a, const float*, float* b, int64_t m) {
                        float s = 0;
                        for (int64_t k = 0; k < m; ++k) s = s + a[k];
                        for (int64_t k = 0; k < m; ++k) b[k] = b[k] - s;
                      }};

TEST_F(Rows, AreThoseOfTheLoopForAllSizes) {
  for (const Case& c : {product, running, centred})
    for (const auto& [local, team] : {std::pair{10000, 4}, {20000, 1}}) {
      PassOptions options;
      options.local_bytes = local;
      options.team = team;
      const auto m = module_of(c.body, options);
      ASSERT_EQ(m->functions.size(), 2u);
      ASSERT_EQ(m->functions[1]->team, team);
      const Program program(*m);
      for (const auto& [n, length] : {std::pair<int64_t, int64_t>{1, 1}, {3, 31}, {32, 128}, {33, 129}, {70, 300}}) {
        std::vector<float> a(size_t(n * length)), x(size_t(length), 0.0F), b(a.size()), want;
        for (size_t k = 0; k < a.size(); ++k) a[k] = float(k % 97) / 8, b[k] = float(k % 11);
        for (size_t k = 0; k < x.size(); ++k) x[k] = float(k % 5) - 2;
        want = b;
        for (int64_t i = 0; i < n; ++i) c.want(&a[size_t(i * length)], x.data(), &want[size_t(i * length)], length);
        vr_array va = describe(a.data(), VR_FLOAT32, {n, length}), vx = describe(x.data(), VR_FLOAT32, {length}),
                 vb = describe(b.data(), VR_FLOAT32, {n, length});
        ASSERT_EQ(run(program["g_rows"], {n}, {value(va), value(vx), value(vb)}), VR_OK);
        ASSERT_EQ(b, want) << n << " x " << length << ", local " << local << ", team " << team;
      }
    }
}

}  // namespace
}  // namespace vr::test
