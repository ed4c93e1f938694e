// Options::compile_budget: skipped passes are reported, and results do not change.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <string>

namespace vr {
namespace {

/// n functions. Each adds its number to the elements of an array in a loop, calls the previous one, and adds the
/// results.
std::string chain(int n) {
  const std::string a = "(arraytype :layout rowmajor :ndims 1 (float64))";
  std::string fns;
  for (int k = 0; k < n; ++k) {
    const std::string id = std::to_string(k);
    const std::string before =
        k ? "(assignstmt (lhs (name :id 0 " + a + ")) (rhs (fncall :fnname f" + std::to_string(k - 1) + " " + a + " (args (name :id 0 " +
                a + ")))))"
          : "";
    fns += "(function :name f" + id + " (functype (intypes " + a + ") (outtypes " + a + ")) (arglist 0) (body " + before +
           "(forstmt (itervars 1) (loopdomain (domain (domaintype :ndims 1 (int64)) (range (stop (dim :arrayid 0 :dimid 0 (int64)))))) "
           "(body (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))) (rhs (plus (float64) (lhs "
           "(index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))) (rhs (realconst :dval " + id + ".0 (float64))))))))"
           "(assignstmt (lhs (name :id 0 " + a + ")) (rhs (plus " + a + " (lhs (name :id 0 " + a + ")) (rhs (realconst :dval 1.0 (float64))))))"
           "(returnstmt (exprs (name :id 0 " + a + ")))) (symtable (sym :id 0 :name x " + a + ") (sym :id 1 :name i (int64))))\n";
  }
  return "(module :name budget (fns " + fns + "))";
}

Options options(int budget) {
  Options o;
  o.target = Target::CpuParallel;
  o.threads = 2;
  o.disk_cache = false;
  o.compile_budget = budget;
  return o;
}

double answer(const Module& m, int n) {
  auto r = (*m.function("f" + std::to_string(n - 1)))(Array::from({1, 2, 3}));
  if (!r) return -1;
  return (*r)[0].array().data_as<double>()[2];
}

bool tells(const Module& m) {
  for (const std::string& line : m.report())
    if (line.find("compile budget") != std::string::npos) return true;
  return false;
}

TEST(CompileBudget, SkippedPassesAreReported) {
  const int n = 5;
  const double wanted = 3 + n * (n - 1) / 2 + n;
  for (int budget : {0, 1, 1000000}) {
    auto engine = Engine::create(options(budget));
    auto m = engine->load(chain(n));
    ASSERT_TRUE(m) << m.error().text();
    EXPECT_EQ(answer(*m, n), wanted) << budget;
    EXPECT_EQ(tells(*m), budget == 1) << budget;
  }
}

TEST(CompileBudget, AppliesToEachTierAndVersion) {
  Options o = options(1);
  o.tiered = true;
  o.regions = RegionMode::Sync;
  auto engine = Engine::create(o);
  auto m = engine->load(chain(4));
  ASSERT_TRUE(m);
  EXPECT_EQ(answer(*m, 4), 3 + 6 + 4);
  m->wait();
  EXPECT_EQ(answer(*m, 4), 3 + 6 + 4);
  EXPECT_TRUE(tells(*m));
}

TEST(CompileBudget, IsNotNegative) { EXPECT_EQ(Engine::create(options(-1)).error().code, Code::Usage); }

}  // namespace
}  // namespace vr
