#include "analysis/region_facts.hpp"

#include <velociraptor/ir/builder.hpp>

#include <gtest/gtest.h>

namespace vr::analysis {
namespace {

using namespace vr::ir;

class RegionFactsText : public testing::Test {
 protected:
  void SetUp() override {
    FunctionBuilder& f = builder_.function("f");
    f.arg("A", f64_array(2));
    f.arg("p", i64_array(1));
    f.arg("m", i32());
    f.arg("x", f64());
    f.arg("x", boolean());
    f.arg("", array_of(f32(), 1, Layout::Strided));
    f.return_({});
    auto m = builder_.finish();
    ASSERT_TRUE(m) << m.error().text();
    module_ = *m;
  }
  const Function& f() const { return *module_->functions[0]; }
  std::string wrong(const std::string& text) {
    auto r = parse_region_facts(text, f());
    return r ? "" : r.error().message;
  }

 private:
  ModuleBuilder builder_{"m"};
  ModulePtr module_;
};

TEST_F(RegionFactsText, IsReadBack) {
  const std::string text = "A=[100,0]:1600,-8@2 p=[3]{4,-5,6} m=7 #3=-2 #4=1 #5=@0";
  auto r = parse_region_facts(text, f());
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->text(f()), text);
  EXPECT_EQ(r->of(0).extents, (std::vector<int64_t>{100, 0}));
  EXPECT_EQ(r->of(0).strides, (std::vector<int64_t>{1600, -8}));
  EXPECT_EQ(r->of(0).alias_group, 2);
  EXPECT_EQ(r->of(1).values, (std::vector<int64_t>{4, -5, 6}));
  EXPECT_EQ(r->of(2).values, (std::vector<int64_t>{7}));
  EXPECT_EQ(r->of(99), ParameterFacts{});
  auto none = parse_region_facts(" ", f());
  ASSERT_TRUE(none);
  EXPECT_EQ(none->text(f()), "");
  EXPECT_EQ(parse_region_facts("p=[0]{}", f())->of(1).values->size(), 0u);
}

TEST_F(RegionFactsText, InvalidFactsAreReported) {
  EXPECT_EQ(wrong("q=1"), "'q=1' names no parameter of 'f'");
  EXPECT_EQ(wrong("A"), "'A' names no parameter of 'f'");
  for (const char* bad : {"m=", "m=1.5", "m=1x", "A=[", "A=[1,2", "A=[1,2]x", "A=[1,2]:", "A=[1,2]@-1", "p=[2]{1,}"})
    EXPECT_EQ(wrong(bad), std::string("'") + bad + "' is not a fact: write m=100, A=[2,3], A=[2]{4,5}:8@1");
  EXPECT_EQ(wrong("A=3"), "parameter 'A' of 'f' is an array, whose extents must be given");
  EXPECT_EQ(wrong("m=[3]"), "parameter 'm' of 'f' is a number");
  EXPECT_EQ(wrong("A=[3]"), "parameter 'A' of 'f' has 2 dimensions, not 1");
  EXPECT_EQ(wrong("A=[3,-1]"), "parameter 'A' of 'f' has a negative extent");
  EXPECT_EQ(wrong("p=[6]{1,2,3,4,5,6}"), "parameter 'p' of 'f' has more than 5 elements: their values cannot be known");
  EXPECT_EQ(wrong("p=[2]{1}"), "parameter 'p' of 'f' has 2 elements, not 1");
  EXPECT_EQ(wrong("m=2147483648"), "parameter 'm' of 'f' cannot hold 2147483648, or not so that it may be known");
  EXPECT_EQ(wrong("#4=2"), "parameter 'x' of 'f' cannot hold 2, or not so that it may be known");
  EXPECT_EQ(wrong("#3=9007199254740993"),
            "parameter 'x' of 'f' cannot hold 9007199254740993, or not so that it may be known");
  EXPECT_EQ(wrong("A=[1,1]{2}"), "parameter 'A' of 'f' cannot hold 2, or not so that it may be known");
}

}  // namespace
}  // namespace vr::analysis
