// The 2-D heat stencil built by hand: a typical kernel of accelerated sections.
#include "device/device_fixture.hpp"

namespace vr::test {
namespace {

void build_stencil(Module& m) {
  KernelBuilder k(m, "heat", {"j", "i"});
  const ArrayId u = k.array_param("u", ir::Elem::Float64, 2, false), v = k.array_param("v", ir::Elem::Float64, 2, true);
  const VarId c = k.scalar_param("c", Scalar::Float64);
  ExprP i = k.add(k.var(k.dim(1)), k.integer(1)), j = k.add(k.var(k.dim(0)), k.integer(1));
  ExprP up = k.load(u, {k.sub(i, k.integer(1)), j}), down = k.load(u, {k.add(i, k.integer(1)), j});
  ExprP left = k.load(u, {i, k.sub(j, k.integer(1))}), right = k.load(u, {i, k.add(j, k.integer(1))});
  ExprP here = k.load(u, {i, j});
  ExprP around = k.sub(k.add(k.add(up, down), k.add(left, right)), k.mul(k.real(4), here));
  k.body().push_back(k.bounds_check(u, 0, k.add(i, k.integer(1))));
  k.body().push_back(k.bounds_check(u, 1, k.add(j, k.integer(1))));
  k.body().push_back(k.store(v, {i, j}, k.add(here, k.mul(k.var(c), around))));
}

using Stencil = DeviceTest;

TEST_F(Stencil, MatchesTheHostBitForBitOverManySweeps) {
  constexpr int64_t n = 67, m = 130;
  constexpr int sweeps = 11;
  std::vector<double> a(n * m), b;
  for (size_t k = 0; k < a.size(); ++k) a[k] = double((k * 7919) % 1000) / 3.0;
  b = a;
  std::vector<double> x = a, y = b;
  for (int s = 0; s < sweeps; ++s) {
    for (int64_t i = 1; i + 1 < n; ++i)
      for (int64_t j = 1; j + 1 < m; ++j) {
        const auto at = [&](int64_t p, int64_t q) { return x[size_t(p * m + q)]; };
        const double around = ((at(i - 1, j) + at(i + 1, j)) + (at(i, j - 1) + at(i, j + 1))) - 4.0 * at(i, j);
        y[size_t(i * m + j)] = at(i, j) + 0.1 * around;
      }
    std::swap(x, y);
  }

  Module module;
  build_stencil(module);
  const Program program(module);
  vr_array u = describe(a.data(), VR_FLOAT64, {n, m}), v = describe(b.data(), VR_FLOAT64, {n, m});
  const int64_t counts[] = {m - 2, n - 2};
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int s = 0; s < sweeps; ++s) {
    const vr_value args[] = {value(s % 2 ? v : u), value(s % 2 ? u : v), value(0.1)};
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, program["heat"], counts, args), VR_OK) << context.error.message;
  }
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
  EXPECT_EQ(sweeps % 2 ? b : a, x);
  EXPECT_EQ(sweeps % 2 ? a : b, y);
}

}  // namespace
}  // namespace vr::test
