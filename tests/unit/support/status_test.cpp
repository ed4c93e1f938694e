#include <velociraptor/status.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace vr {
namespace {

TEST(Status, DiagnosticsReadLikeACompilers) {
  Diagnostic d;
  d.place = {"f.vrir", 3, 7};
  d.rule = "type-mismatch";
  d.message = "plus of an array and a tuple";
  d.hint = "index the tuple first";
  EXPECT_EQ(d.text(), "f.vrir:3:7: error: plus of an array and a tuple [type-mismatch]\n    index the tuple first");
  d.place = {};
  d.path = "function f/body/2";
  d.hint.clear();
  d.severity = Severity::Remark;
  EXPECT_EQ(d.text(), "function f/body/2: remark: plus of an array and a tuple [type-mismatch]");
}

TEST(Status, RecordsNameEverything) {
  vr_error e = {};
  e.code = VR_OUT_OF_BOUNDS;
  e.axis = 1;
  e.index = 12;
  e.extent = 10;
  std::snprintf(e.function, sizeof e.function, "f");
  std::snprintf(e.loc, sizeof e.loc, "a.py:4:2");
  std::snprintf(e.array, sizeof e.array, "A");
  EXPECT_EQ(ErrorRecord::from(e).text(),
            "a.py:4:2: OUT_OF_BOUNDS: index 12 of 'A' along axis 1 with extent 10 in function 'f'");
}

TEST(Status, ResultHoldsOneOfTwo) {
  Result<int> good = 3, bad = make_error(Code::Size, "too big");
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 3);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().text(), "too big");
  EXPECT_TRUE(Status().ok());
  EXPECT_FALSE(Status(make_error(Code::Size, "")).ok());
}

}  // namespace
}  // namespace vr
