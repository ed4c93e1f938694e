// TypedFunction: accepted and refused signatures, and results of calls.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <complex>

namespace vr {
namespace {

const char* typed_program = R"((module :name m (fns
 (function :name scaled (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (float64))
   (outtypes (arraytype :layout rowmajor :ndims 1 (float64)) (float64))) (arglist 0 1)
  (body (returnstmt (exprs
    (mult (arraytype :layout rowmajor :ndims 1 (float64))
     (lhs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64)))) (rhs (name :id 1 (float64))))
    (libcall :libfunc sum (float64) (args (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name s (float64))))
 (function :name at (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes (float64)))
  (arglist 0 1)
  (body (returnstmt (exprs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name set (functype (intypes (arraytype :layout rowmajor :ndims 1 (float64)) (int64)) (outtypes))
  (arglist 0 1)
  (body (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64)))))) (rhs (realconst :dval 9.0 (float64)))))
  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))
 (function :name same (functype (intypes (float32 :ctype 1) (bool) (int32)) (outtypes (float32 :ctype 1) (bool) (int32)))
  (arglist 0 1 2)
  (body (returnstmt (exprs (name :id 0 (float32 :ctype 1)) (name :id 1 (bool)) (name :id 2 (int32)))))
  (symtable (sym :id 0 :name z (float32 :ctype 1)) (sym :id 1 :name b (bool)) (sym :id 2 :name n (int32)))))))";

class Typed : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    Options o;
    o.target = GetParam();
    o.disk_cache = false;
    auto m = Engine::create(o)->load(typed_program);
    ASSERT_TRUE(m) << m.error().text();
    module = *m;
  }
  std::optional<Module> module;
};
INSTANTIATE_TEST_SUITE_P(Targets, Typed, testing::Values(Target::Interp, Target::Cpu),
                         [](const auto& info) { return std::string(target_name(info.param)); });

TEST_P(Typed, ScalarsArraysAndSeveralResults) {
  auto scaled = typed<std::tuple<Array, double>(Array, double)>(*module, "scaled");
  ASSERT_TRUE(scaled) << scaled.error().text();
  auto r = (*scaled)(Array::from({1, 2, 3}), 2.0);
  ASSERT_TRUE(r);
  const auto& [array, sum] = *r;
  EXPECT_EQ(array.data_as<double>()[2], 6);
  EXPECT_EQ(sum, 6);

  auto same = typed<std::tuple<std::complex<float>, bool, int32_t>(std::complex<float>, bool, int32_t)>(*module, "same");
  ASSERT_TRUE(same) << same.error().text();
  auto back = (*same)({1.5f, -2.5f}, true, -7);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<0>(*back), (std::complex<float>{1.5f, -2.5f}));
  EXPECT_EQ(std::get<1>(*back), true);
  EXPECT_EQ(std::get<2>(*back), -7);
}

TEST_P(Typed, OneResultNoneAndFaults) {
  auto at = typed<double(const Array&, int64_t)>(*module, "at");
  auto set = typed<void(Array, int64_t)>(*module, "set");
  ASSERT_TRUE(at && set);
  Array a = Array::from({1, 2, 3});
  ASSERT_TRUE((*set)(a, 1));
  auto v = (*at)(a, 1);
  ASSERT_TRUE(v);
  EXPECT_EQ(*v, 9);
  auto outside = (*at)(a, 3);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, Code::OutOfBounds);
  EXPECT_EQ((*set)(a, 3).error().code, Code::OutOfBounds);
  EXPECT_EQ(a.use_count(), 1);
}

TEST_P(Typed, OtherSignaturesAreRefusedWithBoth) {
  auto wrong = [&](const auto& r) {
    EXPECT_FALSE(r);
    return r ? std::string() : std::string(r.error().code == Code::Type ? r.error().text() : "another error");
  };
  EXPECT_NE(wrong(typed<double(Array)>(*module, "at")).find("not (an array) -> float64"), std::string::npos);
  EXPECT_NE(wrong(typed<float(Array, int64_t)>(*module, "at")).find("float32"), std::string::npos);
  EXPECT_NE(wrong(typed<double(Array, double)>(*module, "at")).find("an array, float64"), std::string::npos);
  EXPECT_NE(wrong(typed<double(double, int64_t)>(*module, "at")).find("'at'"), std::string::npos);
  EXPECT_NE(wrong(typed<void(Array, int64_t)>(*module, "at")).find("nothing"), std::string::npos);
  EXPECT_NE(wrong(typed<std::tuple<double, double>(Array, int64_t)>(*module, "at")).find("->"), std::string::npos);
  auto none = typed<double()>(*module, "none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::NotFound);
}

}  // namespace
}  // namespace vr
