// The table of element types and functions derived from it.
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/elements.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "loop/form.hpp"

namespace vr::ir {
namespace {

TEST(Elements, EveryLineIsFoundByItsCode) {
  std::set<int> codes;
  std::set<std::string> names;
  for (const ElemInfo& e : elem_table) {
    EXPECT_EQ(find_elem(int32_t(e.elem)), &e);
    EXPECT_LT(int32_t(e.elem), VR_COMPLEX);
    EXPECT_TRUE(codes.insert(int(e.elem)).second && names.insert(e.name).second) << e.name;
    EXPECT_STREQ(lower::scalar_name(lower::scalar_of(e.elem)), e.abbreviation);
    EXPECT_EQ(lower::elem_of(lower::scalar_of(e.elem)), e.elem);
    if (e.elem == Elem::BFloat16) {
      EXPECT_STREQ(e.numpy, "");
      continue;
    }
    EXPECT_EQ(e.numpy[0], e.kind == ElemKind::Logical    ? 'b'
                          : e.kind == ElemKind::Signed   ? 'i'
                          : e.kind == ElemKind::Unsigned ? 'u'
                                                         : 'f');
    EXPECT_EQ(std::to_string(e.bytes), e.numpy + 1);
  }
  for (int32_t code : {-1, 15, int32_t{VR_COMPLEX}, VR_COMPLEX | VR_FLOAT64, 1 << 20, INT32_MIN}) EXPECT_EQ(find_elem(code), nullptr);
}

TEST(Elements, CodesAreThoseOfTheCHeader) {
  EXPECT_EQ(int(Elem::Bool), VR_BOOL);
  EXPECT_EQ(int(Elem::Int32), VR_INT32);
  EXPECT_EQ(int(Elem::Int64), VR_INT64);
  EXPECT_EQ(int(Elem::Int8), VR_INT8);
  EXPECT_EQ(int(Elem::Int16), VR_INT16);
  EXPECT_EQ(int(Elem::UInt8), VR_UINT8);
  EXPECT_EQ(int(Elem::UInt16), VR_UINT16);
  EXPECT_EQ(int(Elem::UInt32), VR_UINT32);
  EXPECT_EQ(int(Elem::UInt64), VR_UINT64);
  EXPECT_EQ(int(Elem::Float32), VR_FLOAT32);
  EXPECT_EQ(int(Elem::Float64), VR_FLOAT64);
}

TEST(Elements, TheCommonOneDoesNotDependOnTheOrderAndHoldsBoth) {
  for (const ElemInfo& a : elem_table)
    for (const ElemInfo& b : elem_table)
      for (Promote p : {Promote::Vrir, Promote::Numpy2}) {
        const Elem c = common_elem(a.elem, b.elem, p);
        EXPECT_EQ(c, common_elem(b.elem, a.elem, p)) << a.name << " " << b.name;
        if (is_float(c) || a.kind == ElemKind::Logical) continue;
        for (int64_t end : {int_limits(a.elem).least, int_limits(a.elem).most})
          EXPECT_EQ(wrap(end, c), end) << a.name << " " << b.name;
      }
  EXPECT_EQ(common_elem(Elem::Bool, Elem::Int32), Elem::Int32);
  EXPECT_EQ(common_elem(Elem::Bool, Elem::Int8), Elem::Int8);
  EXPECT_EQ(common_elem(Elem::Float32, Elem::Int64), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::Float32, Elem::Int32), Elem::Float32);
  EXPECT_EQ(common_elem(Elem::Float32, Elem::Int32, Promote::Numpy2), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::Float32, Elem::UInt32), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::Float32, Elem::UInt16), Elem::Float32);
  EXPECT_EQ(common_elem(Elem::UInt8, Elem::Int8), Elem::Int16);
  EXPECT_EQ(common_elem(Elem::UInt32, Elem::Int8), Elem::Int64);
  EXPECT_EQ(common_elem(Elem::UInt8, Elem::Int64), Elem::Int64);
  EXPECT_EQ(common_elem(Elem::UInt64, Elem::Int8), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::UInt64, Elem::UInt8), Elem::UInt64);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::UInt8), Elem::Float16);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::Int16), Elem::Float32);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::Int32), Elem::Float32);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::Int32, Promote::Numpy2), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::Int64), Elem::Float64);
  EXPECT_EQ(common_elem(Elem::Float16, Elem::BFloat16), Elem::Float32);
  EXPECT_EQ(common_elem(Elem::BFloat16, Elem::Float32), Elem::Float32);
}

TEST(Elements, IntegersWrap) {
  EXPECT_EQ(wrap((int64_t{1} << 32) + 5, Elem::Int32), 5);
  EXPECT_EQ(wrap(int64_t{1} << 31, Elem::Int32), INT32_MIN);
  EXPECT_EQ(wrap(-7, Elem::Int64), -7);
  EXPECT_EQ(wrap(200, Elem::Int8), -56);
  EXPECT_EQ(wrap(-1, Elem::UInt8), 255);
  EXPECT_EQ(wrap(-1, Elem::UInt64), -1);  // as bits
  EXPECT_EQ(wrap(-7, Elem::Bool), 1);
  EXPECT_EQ(wrap(0, Elem::Bool), 0);
}

TEST(Elements, FloatsSaturate) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const ElemInfo& e : elem_table) {
    if (e.kind == ElemKind::Floating) continue;
    const IntLimits limit = int_limits(e.elem);
    EXPECT_EQ(saturate(NAN, e.elem), e.kind == ElemKind::Logical) << e.name;
    if (e.kind == ElemKind::Unsigned) {
      EXPECT_EQ(saturate(-0.9, e.elem), 0) << e.name;
      EXPECT_EQ(saturate(-1.0, e.elem), 0) << e.name;
    }
    EXPECT_EQ(saturate(inf, e.elem), limit.most) << e.name;
    EXPECT_EQ(saturate(1e300, e.elem), limit.most) << e.name;
    EXPECT_EQ(saturate(-inf, e.elem), e.kind == ElemKind::Logical ? 1 : limit.least) << e.name;
    EXPECT_EQ(saturate(0.0, e.elem), 0) << e.name;
  }
  EXPECT_EQ(saturate(2147483646.9, Elem::Int32), INT32_MAX - 1);
  EXPECT_EQ(saturate(2147483647.9, Elem::Int32), INT32_MAX);
  EXPECT_EQ(saturate(-2147483648.9, Elem::Int32), INT32_MIN);
  EXPECT_EQ(saturate(-1.9, Elem::Int32), -1);
  EXPECT_EQ(saturate(0x1p63, Elem::Int64), INT64_MAX);
  EXPECT_EQ(saturate(std::nextafter(0x1p63, 0), Elem::Int64), int64_t(std::nextafter(0x1p63, 0)));
  EXPECT_EQ(saturate(0x1p64, Elem::UInt64), -1);
  EXPECT_EQ(saturate(0x1p63, Elem::UInt64), INT64_MIN);
  EXPECT_EQ(saturate(255.9, Elem::UInt8), 255);
  EXPECT_EQ(saturate(-128.9, Elem::Int8), -128);
  EXPECT_EQ(saturate(0.25, Elem::Bool), 1);
}

TEST(Elements, FloatsRound) {
  EXPECT_EQ(rounded(0.1, Elem::Float32), double(0.1f));
  EXPECT_EQ(rounded(0.1, Elem::Float64), 0.1);
  EXPECT_EQ(rounded(16777217.0, Elem::Float32), 16777216.0);
  EXPECT_EQ(rounded(2049.0, Elem::Float16), 2048.0);  // ties go to even
  EXPECT_EQ(rounded(2051.0, Elem::Float16), 2052.0);
  EXPECT_EQ(rounded(2049.0 + 0x1p-40, Elem::Float16), 2050.0);  // once: in float32 this is 2049
  EXPECT_EQ(rounded(65519.99, Elem::Float16), 65504.0);
  EXPECT_EQ(rounded(65520.0, Elem::Float16), HUGE_VAL);
  EXPECT_EQ(rounded(0x1p-24, Elem::Float16), 0x1p-24);
  EXPECT_EQ(rounded(0x1p-25, Elem::Float16), 0);
  EXPECT_EQ(rounded(0x1.8p-24, Elem::Float16), 0x1p-23);
  EXPECT_TRUE(std::isnan(rounded(NAN, Elem::Float16)) && std::isnan(rounded(NAN, Elem::BFloat16)));
  EXPECT_EQ(rounded(257.0, Elem::BFloat16), 256.0);
  EXPECT_EQ(rounded(259.0, Elem::BFloat16), 260.0);
  EXPECT_EQ(rounded(257.0 + 0x1p-40, Elem::BFloat16), 256.0);  // not rounded to float32 first
}

TEST(Elements, EveryFloat16IsKeptByConversions) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    Float16 h;
    h.bits = static_cast<uint16_t>(bits);
    BFloat16 b;
    b.bits = h.bits;
    if (!std::isnan(static_cast<float>(h))) {
      EXPECT_EQ(Float16(static_cast<double>(static_cast<float>(h))).bits, bits);
    }
    if (!std::isnan(static_cast<float>(b))) {
      EXPECT_EQ(BFloat16(static_cast<float>(b)).bits, bits);
    }
  }
}

TEST(Elements, VisitGivesTheTypeInMemory) {
  for (const ElemInfo& e : elem_table) {
    EXPECT_EQ(visit_elem(e.elem, [](auto tag) { return int(sizeof(typename decltype(tag)::type)); }), e.bytes);
    EXPECT_EQ(visit_elem(e.elem, [](auto tag) { return tag.elem; }), e.elem);
    EXPECT_EQ(visit_elem(e.elem, [](auto tag) { return tag.kind; }), e.kind);
  }
}

}  // namespace
}  // namespace vr::ir
