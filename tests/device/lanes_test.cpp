// Kernels whose work-items run several iterations together: lanes of aligned and unaligned arrays, of all lengths.
#include "device/device_fixture.hpp"

#include "loop/transform/lanes.hpp"

#include <numeric>

namespace vr::test {
namespace {

/// The element of array a at index dims[0], with unit stride.
ExprP at_point(KernelBuilder& k, Scalar type) { return k.mul(k.var(k.dim(0)), k.integer(scalar_bytes(type))); }
ExprP load_point(KernelBuilder& k, ArrayId a) {
  const Scalar type = scalar_of(k.array(a).elem);
  return k.expr(Expr::Kind::Load, type, k.var(k.array(a).data), at_point(k, type));
}
Stmt store_point(KernelBuilder& k, ArrayId a, ExprP value) {
  return {Store{k.var(k.array(a).data), at_point(k, value->type), value}};
}
void finish(KernelBuilder& k) {
  k.function().disjoint = true;
  k.function().narrow.insert(k.dim(0));
  find_lanes(k.function());
  if (k.function().folds.empty()) k.function().points = k.function().lanes.empty() ? 1 : most_lanes;
}

/// flag = a < b; d = a + b where flag, else d / 2. b's elements are twice as wide as a's.
void build_blend(Module& m) {
  KernelBuilder k(m, "blend", {"i"});
  const ArrayId a = k.array_param("a", ir::Elem::Float32, 1, false),
                b = k.array_param("b", ir::Elem::Float64, 1, false),
                flag = k.array_param("flag", ir::Elem::Bool, 1, true),
                d = k.array_param("d", ir::Elem::Float64, 1, true);
  const VarId x = k.local("x", Scalar::Float64), y = k.local("y", Scalar::Float64), z = k.local("z", Scalar::Float64);
  k.body().push_back(k.set(x, k.convert(load_point(k, a), Scalar::Float64)));
  k.body().push_back(k.set(y, load_point(k, b)));
  k.body().push_back(k.set(z, load_point(k, d)));
  k.body().push_back(store_point(k, flag, k.op(Op::Lt, k.var(x), k.var(y))));
  // Code after the store of `flag` must see the stored value: not a lane.
  k.body().push_back(
      store_point(k, d, k.select(load_point(k, flag), k.add(k.var(x), k.var(y)), k.mul(k.var(z), k.real(0.5)))));
  finish(k);
}

/// a = a + 7.
void build_scale(Module& m) {
  KernelBuilder k(m, "scale", {"i"});
  const ArrayId a = k.array_param("a", ir::Elem::Int32, 1, true);
  k.body().push_back(store_point(k, a, k.add(load_point(k, a), k.integer(7, Scalar::Int32))));
  finish(k);
}

void build_total(Module& m) {
  KernelBuilder k(m, "total", {"i"});
  const ArrayId a = k.array_param("a", ir::Elem::Float32, 1, false),
                part = k.array_param("part", ir::Elem::Float64, 1, true);
  const VarId sum = k.local("sum", Scalar::Float64), other = k.local("other", Scalar::Float64);
  k.body().push_back(k.set(sum, k.add(k.var(sum), k.convert(load_point(k, a), Scalar::Float64))));
  k.function().folds.push_back({sum, other, k.real(0), part});
  k.function().join.push_back(k.set(sum, k.add(k.var(sum), k.var(other))));
  finish(k);
}

using Lanes = DeviceTest;

TEST_F(Lanes, ArraysOfSeveralWidthsOfAnyLengthAndPlace) {
  Module m;
  build_blend(m);
  const Function& f = *m.functions[0];
  ASSERT_EQ(f.points, most_lanes);
  ASSERT_EQ(f.lanes.size(), 3u);  // not flag
  const Program program(m);
  for (int64_t n : {1, 2, 3, 4, 5, 63, 64, 65, 1023, 1026})
    for (int64_t skip : {0, 1, 4}) {
      std::vector<float> a(size_t(n + 8));
      std::vector<double> b(size_t(n + 8)), d(size_t(n + 8)), want;
      std::vector<uint8_t> flag(size_t(n + 8), 1), want_flag;
      for (size_t k = 0; k < a.size(); ++k) a[k] = float(k % 5), b[k] = double(k % 7), d[k] = double(k);
      want = d, want_flag = flag;
      for (size_t k = size_t(skip); k < size_t(n + skip); ++k) {
        want_flag[k] = double(a[k]) < b[k];
        want[k] = want_flag[k] ? a[k] + b[k] : 0.5 * d[k];
      }
      vr_array va = describe(&a[size_t(skip)], VR_FLOAT32, {n}), vb = describe(&b[size_t(skip)], VR_FLOAT64, {n}),
               vf = describe(&flag[size_t(skip)], VR_BOOL, {n}), vd = describe(&d[size_t(skip)], VR_FLOAT64, {n});
      ASSERT_EQ(run(program["blend"], {n}, {value(va), value(vb), value(vf), value(vd)}), VR_OK)
          << context.error.message;
      EXPECT_EQ(d, want) << n << " from " << skip;
      EXPECT_EQ(flag, want_flag) << n << " from " << skip;
    }
}

TEST_F(Lanes, LoadedAndStoredInPlace) {
  Module m;
  build_scale(m);
  ASSERT_EQ(m.functions[0]->lanes.size(), 1u);
  EXPECT_TRUE(m.functions[0]->lanes[0].loaded && m.functions[0]->lanes[0].stored);
  const Program program(m);
  std::vector<int32_t> a(1003), want(1003);
  std::iota(a.begin(), a.end(), 0);
  for (int k = 0; k < 1003; ++k) want[size_t(k)] = k < 1001 ? k + 7 : k;
  vr_array v = describe(a.data(), VR_INT32, {1001});
  ASSERT_EQ(run(program["scale"], {1001}, {value(v)}), VR_OK) << context.error.message;
  EXPECT_EQ(a, want);
}

TEST_F(Lanes, ReductionsDoNotDependOnAlignment) {
  if (open_host_device) GTEST_SKIP() << "the host device has no folds";
  Module m;
  build_total(m);
  ASSERT_EQ(m.functions[0]->lanes.size(), 1u);
  const Program program(m);
  vr_kernel kernel = *program["total"];
  kernel.groups_param = 1;
  for (int64_t n : {1, 7, 2048, 2049, 10007}) {
    std::vector<double> sums;
    for (int64_t skip : {0, 1, 2}) {
      std::vector<float> a(size_t(n + 2));
      for (int64_t k = 0; k < n; ++k) a[size_t(k + skip)] = float(k % 1000) * 1e-3f + 1e-7f * float(k % 31);
      std::vector<double> part(3, -1);
      vr_array va = describe(&a[size_t(skip)], VR_FLOAT32, {n}), vp = describe(part.data(), VR_FLOAT64, {3});
      ASSERT_EQ(run(&kernel, {n}, {value(va), value(vp)}), VR_OK) << context.error.message;
      const double exact = std::accumulate(a.begin(), a.end(), 0.0);
      sums.push_back(part[0] + part[1] + part[2]);
      EXPECT_NEAR(sums.back(), exact, 1e-9 * double(n));
    }
    EXPECT_EQ(sums[0], sums[1]) << n;
    EXPECT_EQ(sums[0], sums[2]) << n;
  }
}

TEST(FindLanes, IgnoresNonContiguousAccesses) {
  Module m;
  KernelBuilder k(m, "k", {"i"});
  const ArrayId a = k.array_param("a", ir::Elem::Float32, 1, false),
                b = k.array_param("b", ir::Elem::Float32, 1, false), c = k.array_param("c", ir::Elem::Float32, 1, true),
                d = k.array_param("d", ir::Elem::Float32, 1, true);
  const VarId x = k.local("x", Scalar::Float32);
  // b only if a is positive; c at another index; d under a condition.
  ExprP positive = k.op(Op::Gt, load_point(k, a), k.real(0, Scalar::Float32));
  k.body().push_back(k.set(x, k.select(positive, load_point(k, b), k.real(1, Scalar::Float32))));
  k.body().push_back(k.store(c, {k.var(k.dim(0))}, k.var(x)));
  k.body().push_back(k.when(positive, {store_point(k, d, k.var(x))}));
  find_lanes(k.function());
  ASSERT_EQ(k.function().lanes.size(), 1u);
  EXPECT_EQ(k.function().lanes[0].array, a);
  // An iteration that may fault is not combined with others.
  k.body().push_back(k.bounds_check(a, 0, k.var(k.dim(0))));
  find_lanes(k.function());
  EXPECT_TRUE(k.function().lanes.empty());
}

}  // namespace
}  // namespace vr::test
