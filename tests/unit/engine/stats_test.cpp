// The contents of CompileInfo.
#include "pipeline/pipeline.hpp"

#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

namespace vr {
namespace {

TEST(CompileInfo, ListsEveryPassThatRan) {
  Options o;
  o.target = Target::Cpu;
  o.disk_cache = false;
  o.skip_passes = {"bounds_check_elim"};
  auto engine = Engine::create(o);
  ASSERT_TRUE(engine) << engine.error().text();
  auto module = engine->load(R"((module :name m (fns (function :name f (functype (intypes) (outtypes (int64))) (arglist)
    (body (returnstmt (exprs (plus (int64) (lhs (realconst :ival 1 (int64))) (rhs (realconst :ival 2 (int64)))))))
    (symtable)))))");
  ASSERT_TRUE(module) << module.error().text();
  const CompileInfo& info = module->compile_info();
  ASSERT_EQ(info.passes.size() + 1, pipeline::pass_table().size());
  size_t k = 0;
  for (const pipeline::PassInfo& p : pipeline::pass_table()) {
    if (p.name == o.skip_passes[0]) continue;
    EXPECT_EQ(info.passes[k].name, p.name);
    EXPECT_EQ(info.passes[k].changed, info.passes[k].name == "simplify");
    ++k;
  }
}

}  // namespace
}  // namespace vr
