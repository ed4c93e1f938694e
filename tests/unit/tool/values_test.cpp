#include "tool/values.hpp"

#include "tool/compare.hpp"
#include "tool/show.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>

namespace vr::tool {
namespace {

using ir::Type;

Io io() { return {std::cout, std::cerr, {}}; }
Result<Value> parse(const std::string& text, const Type& type) { return parse_argument(io(), text, type, 7); }
std::string shown(const std::string& text, const Type& type) {
  auto v = parse(text, type);
  return v ? show(*v) : "error: " + v.error().text();
}
const Type f64 = Type::scalar(Elem::Float64), i32 = Type::scalar(Elem::Int32), i64 = Type::scalar(Elem::Int64);
const Type boolean = Type::scalar(Elem::Bool), c128 = Type::scalar(Elem::Float64, true);
Type matrix(Elem e, Layout l = Layout::RowMajor) { return Type::array(e, 2, l); }

TEST(Values, Numbers) {
  EXPECT_EQ(shown("3", f64), "3.");
  EXPECT_EQ(shown("-2.5e3", f64), "-2500.");
  EXPECT_EQ(shown("inf", f64), "inf");
  EXPECT_EQ(shown("-nan", f64), "nan");
  EXPECT_EQ(shown("9223372036854775807", i64), "9223372036854775807");  // exact beyond 2^53
  EXPECT_EQ(shown("4.0", i32), "4");
  EXPECT_EQ(shown("true", boolean), "True");
  EXPECT_EQ(shown("1-2j", c128), "(1.-2.j)");
  EXPECT_EQ(shown("2.5i", c128), "(0.+2.5j)");
}

TEST(Values, NumbersThatDoNotFit) {
  EXPECT_NE(shown("2.5", i32).find("does not fit"), std::string::npos);
  EXPECT_NE(shown("2147483648", i32).find("does not fit"), std::string::npos);
  EXPECT_NE(shown("2", boolean).find("does not fit"), std::string::npos);
  EXPECT_NE(shown("1+2i", f64).find("is complex"), std::string::npos);
  EXPECT_NE(shown("3", matrix(Elem::Float64)).find("is a number"), std::string::npos);
  for (const char* text : {"", "abc", "1+", "1++2i", "--3", "1+2", "rand", "rand:f64", "rand:f16:2", "rand:f64:2x",
                           "rand:f64:-1", "eye:f64:3"}) {
    EXPECT_NE(shown(text, f64).find("error"), std::string::npos) << text;
  }
}

TEST(Values, GeneratedArrays) {
  EXPECT_EQ(shown("arange:f64:2x3", matrix(Elem::Float64)), "[[0. 1. 2.]\n [3. 4. 5.]]");
  EXPECT_EQ(shown("arange:i64:2x3", matrix(Elem::Int32, Layout::ColMajor)),
            "[[0 1 2]\n [3 4 5]]");  // values belong to subscripts
  EXPECT_EQ(shown("eye:bool:2x2", matrix(Elem::Bool)), "[[ True False]\n [False  True]]");
  EXPECT_EQ(shown("rand:f64:3x2", matrix(Elem::Float64)),
            shown("rand:f64:3x2", matrix(Elem::Float64, Layout::ColMajor)));
  EXPECT_NE(shown("zeros:f64:4", matrix(Elem::Float64)).find("1 dimension"), std::string::npos);
  auto a = parse("zeros:f64:0x5", matrix(Elem::Float64));
  ASSERT_TRUE(a);
  EXPECT_EQ(show(*a), "[]");
}

TEST(Values, ConversionKeepsElements) {
  auto a = parse("rand:f64:4x5", matrix(Elem::Float64));
  ASSERT_TRUE(a);
  auto b = convert_array(a->array(), Elem::Float64, false, Layout::ColMajor);
  ASSERT_TRUE(b);
  EXPECT_TRUE(b->contiguous(Layout::ColMajor));
  EXPECT_EQ(difference(*a, Value(*b), {}), "");
  auto c = convert_array(a->array(), Elem::Float64, true, Layout::RowMajor);
  ASSERT_TRUE(c);
  EXPECT_TRUE(convert_array(*c, Elem::Float64, false, Layout::RowMajor));
  c->data_as<double>()[1] = 1;
  EXPECT_FALSE(convert_array(*c, Elem::Float64, false, Layout::RowMajor));
}

TEST(Show, LongArraysAreAbbreviated) {
  auto a = parse("arange:i64:2000x2", matrix(Elem::Int64));
  ASSERT_TRUE(a);
  EXPECT_EQ(show(*a), "[[   0    1]\n [   2    3]\n [   4    5]\n ...\n [3994 3995]\n [3996 3997]\n [3998 3999]]");
}

TEST(Compare, FindsTheFirstDifference) {
  auto a = parse("ones:f64:2x3", matrix(Elem::Float64)), b = parse("ones:f64:2x3", matrix(Elem::Float64));
  ASSERT_TRUE(a && b);
  EXPECT_EQ(difference(*a, *b, {}), "");
  a->array().data_as<double>()[4] += 1e-13;
  EXPECT_EQ(difference(*a, *b, {}), "");
  a->array().data_as<double>()[4] += 1e-11;
  EXPECT_NE(difference(*a, *b, {}).find("(1, 1)"), std::string::npos);
  a->array().data_as<double>()[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(difference(*a, *b, {}), "");
  EXPECT_NE(difference(Value(1.0), Value(int64_t{1}), {}), "");
  EXPECT_NE(difference(Value(int64_t{1}), Value(int64_t{2}), {}), "");
  EXPECT_NE(difference({Value(1.0)}, {}, {}), "");
}

}  // namespace
}  // namespace vr::tool
