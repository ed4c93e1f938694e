#include "tool/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace vr::tool {
namespace {

/// A version 1.0 file with this header dict and payload.
std::string file(std::string dict, const std::string& payload) {
  dict += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(dict.size() & 0xff);
  bytes += char(dict.size() >> 8);
  return bytes + dict + payload;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string s;
  for (T v : values) s.append(reinterpret_cast<const char*>(&v), sizeof v);
  return s;
}

std::string error_of(const std::string& bytes) {
  bool scalar = false;
  auto a = read_npy(bytes, "x.npy", &scalar);
  return a ? "" : a.error().text();
}

TEST(Npy, ReadsRowMajor) {
  bool scalar = true;
  auto a =
      read_npy(file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", raw<double>({1, 2, 3, 4, 5, 6})),
               "x", &scalar);
  ASSERT_TRUE(a) << a.error().text();
  EXPECT_FALSE(scalar);
  ASSERT_EQ(a->rank(), 2);
  EXPECT_EQ(a->extent(1), 3);
  const int64_t index[] = {1, 0};
  EXPECT_EQ(*static_cast<double*>(a->at(index)), 4);
}

TEST(Npy, ReadsFortranOrder) {
  bool scalar = false;
  auto a = read_npy(file("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2)}", raw<int32_t>({1, 2, 3, 4})), "x",
                    &scalar);
  ASSERT_TRUE(a) << a.error().text();
  const int64_t index[] = {1, 0};
  EXPECT_EQ(*static_cast<int32_t*>(a->at(index)), 2);
  EXPECT_TRUE(a->contiguous(Layout::ColMajor));
}

TEST(Npy, RankZeroIsAScalar) {
  bool scalar = false;
  auto a =
      read_npy(file("{'descr': '<c16', 'fortran_order': False, 'shape': (), }", raw<double>({1.5, -2})), "x", &scalar);
  ASSERT_TRUE(a) << a.error().text();
  EXPECT_TRUE(scalar);
  EXPECT_TRUE(a->complex());
}

TEST(Npy, WrittenFilesReadBack) {
  const int64_t extents[] = {2, 3};
  for (const ir::ElemInfo& e : ir::elem_table) {
    const Elem elem = e.elem;
    for (Layout layout : {Layout::RowMajor, Layout::ColMajor}) {
      if (elem == Elem::BFloat16) {  // NumPy does not have it
        auto none = Array::zeros(elem, extents, layout);
        ASSERT_TRUE(none);
        EXPECT_FALSE(write_npy(*none));
        continue;
      }
      auto a = Array::zeros(elem, extents, layout);
      ASSERT_TRUE(a);
      *static_cast<uint8_t*>(a->data()) = 1;
      auto bytes = write_npy(*a);
      ASSERT_TRUE(bytes) << bytes.error().text();
      EXPECT_NE(bytes->find(std::string("'descr': '") + (e.bytes == 1 ? "|" : "<") + e.numpy + "'"), std::string::npos) << e.name;
      EXPECT_EQ(bytes->find('\n') % 64, 63u);  // the elements begin at a multiple of 64
      bool scalar = false;
      auto b = read_npy(*bytes, "x", &scalar);
      ASSERT_TRUE(b) << b.error().text();
      EXPECT_EQ(b->elem(), elem);
      EXPECT_TRUE(b->contiguous(layout));
      EXPECT_EQ(std::memcmp(a->data(), b->data(), size_t(a->size() * a->element_bytes())), 0);
    }
  }
}

TEST(Npy, ComplexIntegersHaveNoNpyType) {
  const int64_t extents[] = {2};
  auto a = Array::zeros(Elem::Int32, extents, Layout::RowMajor, true);
  ASSERT_TRUE(a);
  EXPECT_FALSE(write_npy(*a));
}

TEST(Npy, RefusesWhatItCannotRead) {
  EXPECT_NE(error_of("hello, this is text").find("NUMPY magic"), std::string::npos);
  EXPECT_NE(
      error_of(file("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}", raw<double>({1}))).find("big endian"),
      std::string::npos);
  EXPECT_NE(
      error_of(file("{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", std::string(16, 'x'))).find("'<f16'"),
      std::string::npos);
  EXPECT_NE(
      error_of(file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", raw<double>({1}))).find("needs 24"),
      std::string::npos);
  EXPECT_NE(error_of(file("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 9)}", ""))
                .find("too large"),
            std::string::npos);
  EXPECT_NE(error_of(file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "")).find("plain array"),
            std::string::npos);
  EXPECT_NE(error_of(std::string("\x93NUMPY\x01\x00\xff\xff", 10)).find("cut off"), std::string::npos);
}

}  // namespace
}  // namespace vr::tool
