// Read-only arrays: the flag is read from the host at each call and propagates with the array.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

namespace vr {
namespace {

// store: stores to b or, with c, to a through the name b; returns the array that it stored to, and a view of it from
// element 1 on.
constexpr const char* read_only_text = R"((module :name m :indexing 0 (fns (function :name store
 (functype
  (intypes (arraytype :layout strided :ndims 1 (float64)) (arraytype :layout strided :ndims 1 (float64)) (bool) (bool))
  (outtypes (arraytype :layout strided :ndims 1 (float64)) (arraytype :layout strided :ndims 1 (float64))))
 (arglist 0 1 2 3)
 (body
  (ifstmt (test (name :id 2 (bool)))
   (if (assignstmt (lhs (name :id 1 (arraytype :layout strided :ndims 1 (float64))))
    (rhs (name :id 0 (arraytype :layout strided :ndims 1 (float64)))))))
  (ifstmt (test (name :id 3 (bool)))
   (if (assignstmt (lhs (index :arrayid 1 (float64) (indices (index (realconst :ival 0 (int64))))))
    (rhs (realconst :dval 7.0 (float64))))))
  (assignstmt (lhs (name :id 4 (arraytype :layout strided :ndims 1 (float64))))
   (rhs (index :arrayid 1 (arraytype :layout strided :ndims 1 (float64)) (indices (index (range (start (realconst :ival 1 (int64)))
    (stop (dim :arrayid 1 :dimid 0 (int64)))))))))
  (returnstmt (exprs (name :id 1 (arraytype :layout strided :ndims 1 (float64)))
   (name :id 4 (arraytype :layout strided :ndims 1 (float64))))))
 (symtable (sym :id 0 :name a (arraytype :layout strided :ndims 1 (float64)))
  (sym :id 1 :name b (arraytype :layout strided :ndims 1 (float64))) (sym :id 2 :name c (bool)) (sym :id 3 :name s (bool))
  (sym :id 4 :name v (arraytype :layout strided :ndims 1 (float64))))))))";

const double table[] = {1, 2, 3};  // in a read-only segment

Array constant() {
  const int64_t extent = 3, stride = 8;
  return Array::borrow_const(table, Elem::Float64, false, {&extent, 1}, {&stride, 1});
}

class ReadOnly : public testing::TestWithParam<Target> {
 protected:
  Function store() {
    Options o;
    o.target = GetParam();
    o.disk_cache = false;
    auto engine = Engine::create(o);
    EXPECT_TRUE(engine) << (engine ? "" : engine.error().text());
    auto module = engine->load(read_only_text, "m.vrir");
    EXPECT_TRUE(module) << (module ? "" : module.error().text());
    return *module->function("store");
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, ReadOnly, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& info) {
                           std::string s = target_name(info.param);
                           std::erase(s, '-');
                           return s;
                         });

TEST_P(ReadOnly, StoreThroughAnAliasIsAFault) {
  Function f = store();
  Array b = Array::from({4, 5, 6});
  auto r = f(constant(), b, true, true);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::ReadOnly);
  EXPECT_EQ(r.error().record->array, "b");
  EXPECT_EQ(r.error().record->function, "store");
  EXPECT_EQ(r.error().record->message, "'b' is read-only and cannot be stored to");
  EXPECT_EQ(table[0], 1);
  auto other = f(constant(), b, false, true);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_EQ(b.data_as<double>()[0], 7);
}

TEST_P(ReadOnly, ResultsThatShareElementsAreReadOnly) {
  Function f = store();
  Array b = Array::from({4, 5, 6});
  auto r = f(constant(), b, true, false);
  ASSERT_TRUE(r) << r.error().text();
  for (const Value& v : *r) EXPECT_TRUE(v.array().read_only());
  EXPECT_EQ((*r)[1].array().data(), table + 1);
  auto other = f(constant(), b, false, false);
  ASSERT_TRUE(other) << other.error().text();
  for (const Value& v : *other) EXPECT_FALSE(v.array().read_only());
}

TEST_P(ReadOnly, TheFlagIsReadAtEachCall) {
  Function f = store();
  Array a = Array::from({1, 2, 3}), b = Array::from({4, 5, 6});
  for (bool read_only : {false, true, false, true}) {
    a.object()->read_only = read_only;
    EXPECT_EQ(f(a, b, true, true).ok(), !read_only);
    // A view that was made writable stays so, and the other way round.
    EXPECT_FALSE(f(a.read_only_view(), b, true, true));
  }
}

}  // namespace
}  // namespace vr
