#include "analysis/region_detection.hpp"

#include <velociraptor/ir/builder.hpp>

#include <gtest/gtest.h>

namespace vr::analysis {
namespace {

using namespace vr::ir;

/// a0 = x + 1; ...; then all are read again, from the last to the first: in the middle all of them are critical.
FunctionPtr many_arrays(int count) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64_array(1)});
  E x = f.arg("x", f64_array(1));
  std::vector<E> a;
  for (int k = 0; k < count; ++k) {
    a.push_back(f.local("a" + std::to_string(k), f64_array(1)));
    f.assign(a.back(), x + 1.0);
  }
  for (int k = 0; k < count; ++k) f.assign(x, x + a[static_cast<size_t>(k)]);
  f.return_({x});
  auto module = m.finish();
  EXPECT_TRUE(module.ok()) << module.error().text();
  return (*module)->functions[0];
}

TEST(RegionDetection, WorkIsBounded) {
  const FunctionPtr some = many_arrays(1000), many = many_arrays(4000);
  const RegionDetection found = region_detection(*some, Conventions::numpy());
  EXPECT_FALSE(found.gave_up);
  EXPECT_EQ(found.regions.size(), 1u);
  EXPECT_EQ(found.before[1000].shape.size(), 1001u);
  const RegionDetection lost = region_detection(*many, Conventions::numpy());
  EXPECT_TRUE(lost.gave_up);
  EXPECT_TRUE(lost.regions.empty());
  EXPECT_EQ(lost.text(*many), "too many critical variables at too many statements\n");
}

}  // namespace
}  // namespace vr::analysis
