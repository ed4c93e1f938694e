#include <gtest/gtest.h>
#include <velociraptor/array.hpp>

#include <cstdint>
#include <thread>
#include <vector>

#include "runtime/cpu/pool.hpp"

namespace vr {
namespace {

using Shape = std::vector<int64_t>;

TEST(Array, ZerosAreZeroAlignedAndContiguous) {
  const Shape shape = {3, 4, 5};
  for (Layout layout : {Layout::RowMajor, Layout::ColMajor}) {
    for (Elem elem : {Elem::Bool, Elem::Int32, Elem::Int64, Elem::Float32, Elem::Float64}) {
      for (bool complex : {false, true}) {
        Result<Array> a = Array::zeros(elem, shape, layout, complex);
        ASSERT_TRUE(a.ok());
        EXPECT_EQ(reinterpret_cast<uintptr_t>(a->data()) % 64, 0u);
        EXPECT_EQ(a->size(), 60);
        EXPECT_EQ(a->complex(), complex);
        EXPECT_EQ(a->elem(), elem);
        EXPECT_TRUE(a->contiguous(layout));
        EXPECT_FALSE(a->contiguous(layout == Layout::RowMajor ? Layout::ColMajor : Layout::RowMajor));
        for (int64_t i = 0; i < a->size() * a->element_bytes(); ++i) EXPECT_EQ(a->data_as<char>()[i], 0);
      }
    }
  }
}

TEST(Array, StridesFollowTheLayout) {
  const Shape shape = {2, 3, 4};
  Array row = Array::empty(Elem::Float64, shape).value();
  EXPECT_EQ(Shape(row.strides().begin(), row.strides().end()), (Shape{96, 32, 8}));
  Array col = Array::empty(Elem::Int32, shape, Layout::ColMajor, true).value();
  EXPECT_EQ(Shape(col.strides().begin(), col.strides().end()), (Shape{8, 16, 48}));
}

TEST(Array, OverflowingSizesAreErrors) {
  auto code = [](const Shape& s) { return Array::zeros(Elem::Float64, s).error().code; };
  EXPECT_EQ(code({-1}), Code::Size);
  EXPECT_EQ(code({3, -2}), Code::Size);
  EXPECT_EQ(code({INT64_MAX}), Code::Size);
  EXPECT_EQ(code({int64_t{1} << 31, int64_t{1} << 31}), Code::Size);
  EXPECT_EQ(code({0, INT64_MAX, 2}), Code::Size);
  EXPECT_EQ(code({int64_t{1} << 58}), Code::OutOfMemory);
  EXPECT_EQ(code({}), Code::Usage);
  EXPECT_EQ(code(Shape(17, 1)), Code::Usage);
  EXPECT_TRUE(Array::zeros(Elem::Float64, Shape(16, 2)).ok());
  EXPECT_EQ(Array::zeros(Elem::Float64, Shape{2}, Layout::Strided).error().code, Code::Usage);
}

TEST(Array, ArraysWithoutElementsAreSupported) {
  Array a = Array::zeros(Elem::Float64, Shape{0, 5}).value();
  EXPECT_EQ(a.size(), 0);
  EXPECT_TRUE(a.contiguous(Layout::RowMajor));
  EXPECT_TRUE(a.contiguous(Layout::ColMajor));
  EXPECT_EQ(a.copy(Layout::ColMajor)->size(), 0);
}

TEST(Array, ContiguousIgnoresStridesOfExtentOne) {
  double values[6] = {};
  const Shape extents = {1, 6, 1}, strides = {12345, 8, -7};
  Array a = Array::borrow(values, Elem::Float64, false, extents, strides);
  EXPECT_TRUE(a.contiguous(Layout::RowMajor));
  EXPECT_TRUE(a.contiguous(Layout::ColMajor));
  const Shape every_other = {16};
  EXPECT_FALSE(Array::borrow(values, Elem::Float64, false, Shape{3}, every_other).contiguous(Layout::RowMajor));
}

TEST(Array, ReadOnly) {
  const double values[] = {1, 2, 3};
  const Shape extents = {3}, strides = {8}, two = {2};
  Array a = Array::borrow_const(values, Elem::Float64, false, extents, strides);
  EXPECT_TRUE(a.read_only());
  EXPECT_EQ(a.data(), values);
  EXPECT_EQ(a.descriptor().flags, VR_ARRAY_READ_ONLY);
  EXPECT_TRUE(a.view(a.data(), two, strides).read_only());
  Array copy = *a.copy();
  EXPECT_FALSE(copy.read_only());
  EXPECT_EQ(copy.descriptor().flags, 0);
  Array view = copy.read_only_view();
  EXPECT_TRUE(view.read_only());
  EXPECT_EQ(view.data(), copy.data());
  EXPECT_FALSE(copy.read_only());
  EXPECT_EQ(copy.use_count(), 2);
}

TEST(Array, FromValues) {
  Array a = Array::from({1, 2, 3});
  EXPECT_EQ(a.rank(), 1);
  EXPECT_EQ(a.data_as<double>()[2], 3);
  const double values[] = {1, 2, 3, 4, 5, 6};
  Array m = Array::from(values, Shape{2, 3}).value();
  EXPECT_EQ(*static_cast<double*>(m.at(Shape{1, 0})), 4);
  EXPECT_EQ(Array::from(values, Shape{2, 2}).error().code, Code::ShapeMismatch);
}

TEST(Array, CopyChangesTheLayoutOnly) {
  const double values[] = {1, 2, 3, 4, 5, 6};
  Array m = Array::from(values, Shape{2, 3}).value();
  Array c = m.copy(Layout::ColMajor).value();
  EXPECT_TRUE(c.contiguous(Layout::ColMajor));
  EXPECT_EQ(c.data_as<double>()[1], 4);
  EXPECT_EQ(*static_cast<double*>(c.at(Shape{0, 2})), 3);
  c.data_as<double>()[0] = 9;
  EXPECT_EQ(m.data_as<double>()[0], 1);
}

TEST(Array, ViewsKeepTheirBase) {
  const int64_t live = runtime::pool_stats().live_blocks;
  {
    Array view;
    {
      Array base = Array::from({1, 2, 3, 4});
      view = base.view(base.data_as<double>() + 3, Shape{4}, Shape{-8});
      EXPECT_EQ(base.use_count(), 2);
    }
    EXPECT_EQ(*static_cast<double*>(view.at(Shape{3})), 1);
    // The storage, its array and the view.
    EXPECT_EQ(runtime::pool_stats().live_blocks, live + 3);
    // A long chain of views frees without deep recursion.
    for (int i = 0; i < 200000; ++i) view = view.view(view.data(), view.extents(), view.strides());
  }
  EXPECT_EQ(runtime::pool_stats().live_blocks, live);
}

TEST(Array, CopiesShareAndCount) {
  Array a = Array::from({1});
  {
    Array b = a;
    EXPECT_EQ(a.use_count(), 2);
    b.data_as<double>()[0] = 7;
    Array c = std::move(b);
    EXPECT_EQ(a.use_count(), 2);
    EXPECT_FALSE(b);  // NOLINT: moved from on purpose
  }
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(a.data_as<double>()[0], 7);
  Array same = Array::adopt(a.release());
  EXPECT_FALSE(a);
  EXPECT_EQ(same.use_count(), 1);
}

TEST(Array, CountsAreSafeAcrossThreads) {
  Array a = Array::from({1, 2, 3});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&a] {
      for (int i = 0; i < 10000; ++i) {
        Array b = a;
        Array c = b;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(a.use_count(), 1);
}

TEST(Array, DescriptorMatchesTheArray) {
  Array a = Array::zeros(Elem::Float32, Shape{2, 3}, Layout::ColMajor, true).value();
  vr_array d = a.descriptor();
  EXPECT_EQ(d.data, a.data());
  EXPECT_EQ(d.owner, nullptr);
  EXPECT_EQ(d.elem, VR_FLOAT32 | VR_COMPLEX);
  EXPECT_EQ(d.rank, 2);
  EXPECT_EQ(d.extent[1], 3);
  EXPECT_EQ(d.stride[1], 16);
}

}  // namespace
}  // namespace vr
