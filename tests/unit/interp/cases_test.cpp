#include "interp/cases.hpp"

#include "helpers.hpp"

#include <cmath>
#include <limits>

namespace vr::interp::test {
namespace {

std::string file_with(const std::string& value) {
  return R"({"function": "f", "cases": [{"args": [)" + value + R"(], "results": []}]})";
}
Value read(const std::string& value) {
  auto r = parse_cases(file_with(value), "t.json");
  EXPECT_TRUE(r.ok()) << (r.ok() ? "" : r.error().text());
  return r.ok() ? r->cases.at(0).args.at(0) : Value();
}

TEST(Cases, ReadsEveryClassInColumnMajorOrder) {
  Value v = read(R"({"class": "double", "dims": [2, 3], "re": [1, 2, 3, 4, "nan", "-inf"]})");
  EXPECT_EQ(shape(v), (Shape{2, 3}));
  EXPECT_EQ(v.array().elem(), Elem::Float64);
  Numbers n = numbers(v);
  EXPECT_EQ(n[1], 3);
  EXPECT_TRUE(std::isnan(n[2]));
  EXPECT_EQ(n[5], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read(R"({"class": "single", "dims": [1, 1], "re": [0.1]})").array().elem(), Elem::Float32);
  EXPECT_EQ(read(R"({"class": "logical", "dims": [1, 2], "re": [1, 0]})").array().elem(), Elem::Bool);
  EXPECT_EQ(read(R"({"class": "int32", "dims": [1, 1], "re": [-7]})").array().elem(), Elem::Int32);
  Value i = read(R"({"class": "int64", "dims": [1, 1], "re": [9223372036854775807]})");
  EXPECT_EQ(*i.array().data_as<int64_t>(), std::numeric_limits<int64_t>::max());
  Value z = read(R"({"class": "double", "dims": [1, 1], "re": [1], "im": [2]})");
  EXPECT_TRUE(z.array().complex());
  EXPECT_EQ(z.array().data_as<double>()[1], 2);
  EXPECT_EQ(read(R"({"class": "double", "dims": [0, 0], "re": []})").array().size(), 0);
}

TEST(Cases, MalformedFilesSayWhereAndWhat) {
  const std::pair<std::string, std::string> wrong[] = {
      {"[]", "the file is not an object"},
      {"{", "not JSON"},
      {R"({"function": "f"})", "has no \"cases\""},
      {R"({"function": 1, "cases": []})", "function is not a string"},
      {R"({"function": "f", "cases": [{"args": []}]})", "cases[0] has no \"results\""},
      {file_with(R"({"class": "char", "dims": [1, 1], "re": [1]})"), "cases[0].args[0].class"},
      {file_with(R"({"class": "double", "dims": [1, 2], "re": [1]})"), "has 1 elements where dims say 2"},
      {file_with(R"({"class": "double", "dims": [-1, 2], "re": [1]})"), "dims has an extent"},
      {file_with(R"({"class": "double", "dims": [1, 1], "re": ["x"]})"), "re[0] is not a number"},
      {file_with(R"({"class": "int32", "dims": [1, 1], "re": [3000000000]})"), "does not fit int32"},
      {file_with(R"({"class": "double", "dims": [4611686018427387904, 4611686018427387904], "re": []})"),
       "dims are too large"},
  };
  for (const auto& [text, message] : wrong) {
    auto r = parse_cases(text, "t.json");
    ASSERT_FALSE(r.ok()) << text;
    EXPECT_THAT(r.error().text(), testing::HasSubstr(message)) << text;
    EXPECT_THAT(r.error().text(), testing::HasSubstr("t.json"));
  }
  EXPECT_EQ(load_cases("/nowhere/x.json").error().code, Code::NotFound);
}

TEST(Cases, ArgumentsAreFittedToParameters) {
  EXPECT_EQ(fit_argument(mat({3}, {1, 1}), i32())->raw().i32, 3);
  EXPECT_EQ(shape(*fit_argument(Value(3.0), matrix())), (Shape{1, 1}));
  EXPECT_EQ(shape(*fit_argument(mat({1, 2, 3}, {1, 3}), vector())), (Shape{3}));
  EXPECT_EQ(numbers(*fit_argument(mat({1, 2, 3, 4}, {2, 2}), f64_array(2))), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(shape(*fit_argument(mat({1, 2}, {2, 1}), array_of(f64(), 3, Layout::ColMajor))), (Shape{2, 1, 1}));
  EXPECT_FALSE(fit_argument(mat({1, 2, 3, 4}, {2, 2}), vector()).ok());
  EXPECT_FALSE(fit_argument(mat({1, 2}, {1, 2}), f64()).ok());
  EXPECT_FALSE(fit_argument(Value::complex(1, 2), f64()).ok());
}

TEST(Cases, CompareKnowsTolerances) {
  EXPECT_EQ(compare(mat({2}, {1, 1}), Value(2.0)), "");
  EXPECT_EQ(compare(mat({1, 2}, {1, 2}), mat({1, 2 + 1e-13}, {1, 2})), "");
  EXPECT_NE(compare(mat({1, 2}, {1, 2}), mat({1, 2 + 1e-11}, {1, 2})), "");
  EXPECT_EQ(compare(mat({1, 2}, {1, 2}), mat({1, 2 + 1e-11}, {1, 2}), 1e-10), "");
  EXPECT_EQ(compare(mat({1}, {1, 1}, f32()), Value(1 + 1e-6)), "");
  EXPECT_NE(compare(mat({1}, {1, 1}, f32()), Value(1 + 1e-4)), "");
  EXPECT_NE(compare(mat({1}, {1, 1}, i32()), Value(int64_t{2})), "");
  EXPECT_NE(compare(mat({1, 2}, {1, 2}), mat({1, 2}, {2, 1})), "");
  EXPECT_EQ(compare(mat({1, 2}, {2, 1}), vec({1, 2})), "");
  const double nan = std::nan("");
  EXPECT_EQ(compare(Value(nan), Value(nan)), "");
  EXPECT_NE(compare(Value(nan), Value(1.0)), "");
  EXPECT_NE(compare(Value::complex(1, 2), Value(1.0)), "");
}

}  // namespace
}  // namespace vr::interp::test
