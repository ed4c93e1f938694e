#include "analysis/loop_info.hpp"

#include <velociraptor/ir/builder.hpp>
#include <velociraptor/ir/visit.hpp>

#include <gtest/gtest.h>

namespace vr::analysis {
namespace {

using namespace vr::ir;

TEST(LoopInfo, DescribesALoopNest) {
  ModuleBuilder m("m");
  FunctionBuilder& f = m.function("f", {f64_array(1)});
  E x = f.arg("x", f64_array(1)), n = f.arg("n", i64());
  E y = f.local("y", f64_array(1)), i = f.local("i", i64()), j = f.local("j", i64()), t = f.local("t", f64());
  f.assign(y, f.lib("copy", {x}));
  f.for_(i, range(0, n), [&] {
    f.assign(t, x(i));
    f.for_(j, range(0, n), [&] { f.assign(y(j), y(j) + t); });
  });
  f.return_({y});
  auto module = m.finish();
  ASSERT_TRUE(module) << module.error().text();
  const Function& fn = *(*module)->functions[0];
  const For* loop = nullptr;
  for (const StmtPtr& s : fn.body)
    if (auto* l = as<For>(s)) loop = l;
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop_info(loop->body).text(fn),
            "assigned: j t\n"
            "stored: y\n"
            "used: x n y i j t\n"
            "has: loop\n");
}

}  // namespace
}  // namespace vr::analysis
