// Line tables: the source locations in them, and that they are made only on request.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

namespace vr {
namespace {

// Line 6 has a location given by the front end; line 7 has none; line 5 has one in another file.
constexpr const char* debug_info_text = R"((module :name m :indexing 0 (fns (function :name f
 (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64)))
 (arglist 0 1)
 (body
  (assignstmt :loc "lib/helper.m:88" (lhs (name :id 1 (int64))) (rhs (plus (int64) (lhs (name :id 1 (int64))) (rhs (realconst :ival 1 (int64))))))
  (assignstmt :loc "model.m:41:7" (lhs (name :id 2 (float64))) (rhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))))
  (assignstmt (lhs (name :id 2 (float64))) (rhs (mult (float64) (lhs (name :id 2 (float64))) (rhs (name :id 2 (float64))))))
  (returnstmt (exprs (name :id 2 (float64)))))
 (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64)) (sym :id 2 :name x (float64)))))))";

Module load(bool debug_info, int level) {
  Options o;
  o.target = Target::Cpu;
  o.opt_level = level;
  o.debug_info = debug_info;
  o.disk_cache = false;
  auto m = Engine::create(o)->load(debug_info_text, "dir/debug.vrir");
  EXPECT_TRUE(m) << m.error().text();
  return *m;
}

TEST(DebugInfo, LineTablesContainSourceLocations) {
  for (int level : {0, 2}) {
    Module m = load(true, level);
    auto r = (*m.function("f"))(Array::from({1, 2, 3}), int64_t{1});
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ((*r)[0].as_double(), 9);
    const std::string ir = *m.dump(Module::Dump::LlvmIr);
    for (const char* wanted :
         {R"(!DIFile\(filename: "debug.vrir", directory: "dir"\))", R"(!DIFile\(filename: "model.m", directory: ""\))",
          R"(!DISubprogram\(name: "f", scope: .* line: 1,)", R"(!DILocation\(line: 41, column: 7,)",
          R"(!DILocation\(line: 7, column: 3,)"})
      EXPECT_TRUE(std::regex_search(ir, std::regex(wanted))) << wanted << " at -O" << level << "\n" << ir;
    EXPECT_NE(m.dump(Module::Dump::Assembly)->find(".debug_line"), std::string::npos);
  }
  EXPECT_NE(load(true, 0).dump(Module::Dump::LlvmIr)->find("filename: \"helper.m\", directory: \"lib\""),
            std::string::npos);
}

TEST(DebugInfo, IsGeneratedOnlyOnRequest) {
  if (std::getenv("VR_GDB") || std::getenv("VR_PERF")) GTEST_SKIP() << "the environment asks";
  const std::string ir = *load(false, 2).dump(Module::Dump::LlvmIr);
  EXPECT_EQ(ir.find("DILocation"), std::string::npos);
  EXPECT_EQ(ir.find("DISubprogram"), std::string::npos);
}

}  // namespace
}  // namespace vr
