// Two hosts with different array structs run the same compiled library in one process (thesis 3.4).
#include "unit/runtime/second_host.hpp"

#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

namespace vr {
namespace {

// 1-based, column-major, arrays grow, value semantics: the conventions of the second host's language.
constexpr const char* hosts_text =
    R"((module :name doubled :indexing 1 :exclude %0 :assign copy :grow %1 :mindims 2 (fns
 (function :name doubled
  (functype (intypes (arraytype :layout colmajor :ndims 2 (float64)))
            (outtypes (arraytype :layout colmajor :ndims 2 (float64)) (float64)))
  (arglist (arg :id 0))
  (body
   (forstmt (itervars 2) (loopdomain (range :exclude %0 (start (realconst :ival 1 (int64))) (stop (dim :arrayid 0 :dimid 2 (int64)))))
    (body
     (forstmt (itervars 1) (loopdomain (range :exclude %0 (start (realconst :ival 1 (int64))) (stop (dim :arrayid 0 :dimid 1 (int64)))))
      (body
       (assignstmt
        (lhs (index :arrayid 0 (float64) (indices (index :boundscheck %1 :negative %0 (name :id 1 (int64)))
                                                  (index :boundscheck %1 :negative %0 (name :id 2 (int64))))))
        (rhs (mult (float64)
         (lhs (realconst :dval 2 (float64)))
         (rhs (index :arrayid 0 (float64) (indices (index :boundscheck %1 :negative %0 (name :id 1 (int64)))
                                                   (index :boundscheck %1 :negative %0 (name :id 2 (int64)))))))))))))
   (returnstmt (exprs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))
    (index :arrayid 0 (float64) (indices (index :boundscheck %1 :negative %0 (realconst :ival 2 (int64)))
                                         (index :boundscheck %1 :negative %0 (realconst :ival 3 (int64))))))))
  (symtable (sym :id 0 :name A (arraytype :layout colmajor :ndims 2 (float64)))
            (sym :id 1 :name i (int64)) (sym :id 2 :name j (int64)))))))";

vr_error raised;

class TwoHosts : public testing::TestWithParam<Target> {};
INSTANTIATE_TEST_SUITE_P(Targets, TwoHosts, testing::Values(Target::Interp, Target::Cpu, Target::CpuParallel),
                         [](const auto& info) {
                           std::string s = target_name(info.param);
                           std::erase(s, '-');
                           return s;
                         });

TEST_P(TwoHosts, SameProgramOnBoth) {
  Options o;
  o.target = GetParam();
  HostBinding other = second::binding();
  other.raise = [](void*, const vr_error* e) { raised = *e; };
  auto first = Engine::create(o), second_engine = Engine::create(o, other);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second_engine);
  auto m1 = first->load(hosts_text, "doubled.vrir"), m2 = second_engine->load(hosts_text, "doubled.vrir");
  ASSERT_TRUE(m1) << m1.error().text();
  ASSERT_TRUE(m2) << m2.error().text();
  auto f1 = m1->function("doubled"), f2 = m2->function("doubled");
  ASSERT_TRUE(f1);
  ASSERT_TRUE(f2);

  const int64_t extents[] = {2, 3};
  Array a = *Array::zeros(Elem::Float64, extents, Layout::ColMajor);
  second::Matrix* b = second::Host::allocate(VR_FLOAT64, 2, extents, Layout::ColMajor);
  for (int k = 0; k < 6; ++k) a.data_as<double>()[k] = static_cast<double*>(b->values)[k] = k + 1;
  const int live = second::live;

  auto r1 = (*f1)(a);
  auto r2 = (*f2)(Value::object(b));
  ASSERT_TRUE(r1) << r1.error().text();
  ASSERT_TRUE(r2) << r2.error().text();
  auto* m = static_cast<second::Matrix*>((*r2)[0].object());
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->ndims, 2);
  EXPECT_EQ(m->dims[0], 2);
  EXPECT_EQ(m->dims[1], 3);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ((*r1)[0].array().data_as<double>()[k], 2.0 * (k + 1));
    EXPECT_EQ(static_cast<double*>(m->values)[k], 2.0 * (k + 1));
    // value semantics: the arguments are unchanged
    EXPECT_EQ(a.data_as<double>()[k], k + 1);
    EXPECT_EQ(static_cast<double*>(b->values)[k], k + 1);
  }
  EXPECT_EQ((*r1)[1].as_double(), 12);
  EXPECT_EQ((*r2)[1].as_double(), 12);
  EXPECT_EQ(m->count, 1);
  EXPECT_EQ(b->count, 1);
  EXPECT_EQ(second::live, live + 1);
  second::Host::release(m);

  // A fault: the host's raise gets the error record, and no reference leaks.
  const int64_t small[] = {1, 1};
  second::Matrix* c = second::Host::allocate(VR_FLOAT64, 2, small, Layout::ColMajor);
  static_cast<double*>(c->values)[0] = 1;
  raised = {};
  auto failed = (*f2)(Value::object(c));
  ASSERT_FALSE(failed);
  EXPECT_EQ(raised.code, VR_OUT_OF_BOUNDS);
  EXPECT_STREQ(raised.array, "A");
  EXPECT_EQ(c->count, 1);
  second::Host::release(c);
  second::Host::release(b);
  EXPECT_EQ(second::live, live - 1);
}

TEST_P(TwoHosts, ShortSyntaxUsesTheConventionsOfTheHost) {
  Options o;
  o.target = GetParam();
  const char* columns = "def f(a: float64[:,:]) -> (int64, float64[:,:]):\n    return a.shape[2], a[:, 2]\n";
  auto engine = Engine::create(o, second::binding());
  auto module = engine->load(columns, "columns.vrir");
  ASSERT_TRUE(module) << module.error().text();
  const int64_t extents[] = {2, 3};
  second::Matrix* a = second::Host::allocate(VR_FLOAT64, 2, extents, Layout::ColMajor);
  for (int k = 0; k < 6; ++k) static_cast<double*>(a->values)[k] = k;
  auto r = (*module->function("f"))(Value::object(a));
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ((*r)[0].raw().i64, 3);
  auto* column = static_cast<second::Matrix*>((*r)[1].object());
  EXPECT_EQ(column->dims[0], 2);
  EXPECT_EQ(column->dims[1], 1);
  EXPECT_EQ(static_cast<double*>(column->values)[1], 3);
  second::Host::release(column);
  second::Host::release(a);
  // The built-in host counts dimensions from 0, and a slice by a number has one dimension less.
  auto other = Engine::create(o)->load(columns, "columns.vrir");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::Verify);
}

TEST_P(TwoHosts, ArrayThatTheHostDoesNotAllocateIsNamed) {
  Options o;
  o.target = GetParam();
  auto engine = Engine::create(o, second::binding());
  auto module = engine->load("def f(n: int64) -> float16[:,:]:\n    return zeros(float16, n, 2)\n", "f.vrir");
  ASSERT_TRUE(module) << module.error().text();
  auto r = (*module->function("f"))(int64_t{3});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::OutOfMemory);
  EXPECT_EQ(r.error().record->message, "the host did not allocate a float16 array with 2 dimensions (12 bytes)");
}

int allocations_left;
void* allocate_while_there_is_memory(void* context, int32_t elem, int32_t rank, const int64_t* extents, Layout layout) {
  return allocations_left-- > 0 ? second::binding().allocate(context, elem, rank, extents, layout) : nullptr;
}

// Of the host's layout the function makes them where they stay; of the other one they become the host's objects after
// it.
void results_before_the_one_that_fails(Target target, const std::string& layout) {
  std::string three = R"((module :name m :indexing 1 :exclude %0 :assign copy :slices copy :mindims 2 (fns
   (function :name f
    (functype (intypes (arraytype :layout colmajor :ndims 2 (float64)))
     (outtypes (arraytype :layout LAYOUT :ndims 2 (float64)) (arraytype :layout LAYOUT :ndims 2 (float64))
      (arraytype :layout LAYOUT :ndims 2 (float64))))
    (arglist 0)
    (body
     (assignstmt (lhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))
      (rhs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))
     (returnstmt
      (exprs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64)))
       (index :arrayid 0 (arraytype :layout colmajor :ndims 2 (float64)) (indices (index (range)) (index (range))))
       (plus (arraytype :layout colmajor :ndims 2 (float64)) (lhs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64))))
        (rhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))))))
    (symtable (sym :id 0 :name A (arraytype :layout colmajor :ndims 2 (float64)))
     (sym :id 1 :name B (arraytype :layout colmajor :ndims 2 (float64))))))))";
  for (size_t at; (at = three.find("LAYOUT")) != std::string::npos;) three.replace(at, 6, layout);
  Options o;
  o.target = target;
  HostBinding host = second::binding();
  host.allocate = allocate_while_there_is_memory;
  auto module = Engine::create(o, host)->load(three, "m.vrir");
  ASSERT_TRUE(module) << module.error().text();
  auto f = module->function("f");
  const int64_t extents[] = {2, 3};
  second::Matrix* a = second::Host::allocate(VR_FLOAT64, 2, extents, Layout::ColMajor);
  for (int k = 0; k < 6; ++k) static_cast<double*>(a->values)[k] = k;
  const int live = second::live;
  int failed = 0;
  for (int n = 0;; ++n) {
    ASSERT_LT(n, 10);
    allocations_left = n;
    auto r = (*f)(Value::object(a));
    if (!r) {
      ++failed;
      EXPECT_EQ(r.error().code, Code::OutOfMemory) << r.error().text();
      EXPECT_EQ(second::live, live) << "with memory for " << n;
      EXPECT_EQ(a->count, 1);
      continue;
    }
    EXPECT_EQ(static_cast<double*>(static_cast<second::Matrix*>((*r)[2].object())->values)[5], 10);
    for (const Value& v : *r) second::Host::release(static_cast<second::Matrix*>(v.object()));
    break;
  }
  EXPECT_GE(failed, 2);
  EXPECT_EQ(second::live, live);
  second::Host::release(a);
}

TEST_P(TwoHosts, EarlierResultsAreReleasedIfOneFails) {
  for (const char* layout : {"colmajor", "rowmajor"}) {
    SCOPED_TRACE(layout);
    results_before_the_one_that_fails(GetParam(), layout);
  }
}

TEST(SecondHost, ElementTypesOfTheHostAreChecked) {
  Options o;
  o.target = Target::Cpu;
  auto engine = Engine::create(o, second::binding());
  auto module = engine->load(hosts_text, "doubled.vrir");
  ASSERT_TRUE(module) << module.error().text();
  auto f = module->function("doubled");
  const int64_t extents[] = {2, 3};
  second::Matrix* b = second::Host::allocate(VR_FLOAT32, 2, extents, Layout::ColMajor);
  auto r = (*f)(Value::object(b));
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::Type);
  second::Host::release(b);
}

}  // namespace
}  // namespace vr
