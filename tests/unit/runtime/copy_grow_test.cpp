#include <gtest/gtest.h>

#include <vector>

#include "arrays.hpp"
#include "runtime/cpu/owner.hpp"
#include "runtime/cpu/pool.hpp"

namespace vr::runtime {
namespace {

using test::Buffer;
using test::Lie;
using Shape = std::vector<int64_t>;

const std::vector<Shape> shapes = {{1},       {7},         {0},          {3, 4},    {40, 37},     {1, 9},
                                   {9, 1},    {2, 3, 4},   {33, 2, 35},  {4, 0, 2}, {2, 1, 3, 2}, {2, 2, 2, 2, 2},
                                   {1, 1, 1}, {5, 40, 41}, {40, 5, 3, 4}};

TEST(Copy, EveryLayoutRankAndWidth) {
  vr_context ctx;
  for (const Shape& shape : shapes) {
    for (int32_t elem : {0, 16, 1, 4, 20}) {
      for (Lie lie : test::all_lies) {
        Buffer b(elem, shape, lie);
        test::number(b.a);
        for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
          vr_array out = {};
          ASSERT_EQ(vr_rt_copy(&ctx, &test::site, &b.a, &out, layout, VR_IN_ENGINE), VR_OK);
          EXPECT_TRUE(is_contiguous(out.rank, out.extent, out.stride, element_bytes(elem), layout == VR_COLMAJOR));
          EXPECT_EQ(Shape(out.extent, out.extent + out.rank), shape);
          EXPECT_TRUE(test::same_elements(b.a, out)) << "rank " << shape.size() << " lie " << int(lie);
          vr_rt_release(out.owner);
        }
      }
    }
  }
}

TEST(Copy, PermutedAndBroadcastSources) {
  vr_context ctx;
  Buffer b(VR_FLOAT32, {6, 35, 4, 36});
  test::number(b.a);
  int order[] = {0, 1, 2, 3};
  do {
    vr_array view = b.a;
    for (int k = 0; k < 4; ++k) {
      view.extent[k] = b.a.extent[order[k]];
      view.stride[k] = b.a.stride[order[k]];
    }
    vr_array out = {};
    ASSERT_EQ(vr_rt_copy(&ctx, &test::site, &view, &out, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
    EXPECT_TRUE(test::same_elements(view, out));
    vr_rt_release(out.owner);
  } while (std::next_permutation(order, order + 4));
  vr_array row = b.a;
  row.rank = 2;
  row.stride[0] = 0;  // one row seen six times
  vr_array out = {};
  ASSERT_EQ(vr_rt_copy(&ctx, &test::site, &row, &out, VR_COLMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_TRUE(test::same_elements(row, out));
  vr_rt_release(out.owner);
}

TEST(MakeUnique, CopiesOnlyWhatIsShared) {
  vr_context ctx;
  const int64_t live = pool_stats().live_blocks;
  vr_array a = test::engine_array(ctx, VR_FLOAT64, {3, 4});
  test::number(a);
  const vr_array before = a;
  ASSERT_EQ(vr_rt_make_unique(&ctx, &test::site, &a, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(a.data, before.data);
  vr_rt_retain(a.owner);
  vr_array b = a;
  ASSERT_EQ(vr_rt_make_unique(&ctx, &test::site, &b, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_NE(b.data, a.data);
  EXPECT_TRUE(is_unique(a.owner));
  EXPECT_TRUE(test::same_elements(a, b));
  vr_rt_release(b.owner);
  // Borrowed storage and storage without an owner are never written.
  vr_owner borrowed{};
  init_borrowed_owner(&borrowed, nullptr, nullptr);
  for (vr_owner* owner : {&borrowed, static_cast<vr_owner*>(nullptr)}) {
    vr_array c = a;
    c.owner = owner;
    ASSERT_EQ(vr_rt_make_unique(&ctx, &test::site, &c, VR_COLMAJOR, VR_IN_ENGINE), VR_OK);
    EXPECT_NE(c.data, a.data);
    EXPECT_TRUE(test::same_elements(a, c));
    vr_rt_release(c.owner);
  }
  vr_rt_release(a.owner);
  EXPECT_EQ(pool_stats().live_blocks, live);
}

/// Whether `grown` holds the elements of `old` and zeros elsewhere.
void expect_grown(const vr_array& old, const vr_array& grown) {
  EXPECT_TRUE(test::same_elements(old, grown));
  for (const auto& i : test::subscripts(grown)) {
    bool inside = true;
    for (size_t k = 0; k < i.size(); ++k) inside = inside && i[k] < old.extent[k];
    if (!inside) {
      ASSERT_EQ(test::at<int32_t>(grown, i), 0);
    }
  }
}

TEST(Grow, EveryLayoutRankAndSharing) {
  vr_context ctx;
  const int64_t live = pool_stats().live_blocks;
  const Shape additions[] = {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {0, 1, 0, 3, 0}, {2, 3, 1, 1, 4}, {0, 0, 0, 0, 2}};
  for (const Shape& shape : shapes) {
    for (const Shape& more : additions) {
      for (int32_t layout : {VR_ROWMAJOR, VR_COLMAJOR}) {
        for (int sharing = 0; sharing < 3; ++sharing) {
          Shape to = shape;
          for (size_t k = 0; k < to.size(); ++k) to[k] += more[k];
          vr_array a = test::engine_array(ctx, VR_INT32, shape, sharing == 2 ? 1 - layout : layout);
          test::number(a);
          vr_array old = a;
          vr_rt_retain(old.owner);  // shared: the old elements must not change
          if (sharing == 0) {
            vr_rt_copy(&ctx, &test::site, &a, &old, VR_ROWMAJOR, VR_IN_ENGINE);
            vr_rt_release(a.owner);
          }
          ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &a, to.data(), layout, VR_IN_ENGINE), VR_OK);
          EXPECT_EQ(Shape(a.extent, a.extent + a.rank), to);
          expect_grown(old, a);
          if (to != shape) {
            EXPECT_TRUE(is_contiguous(a.rank, a.extent, a.stride, 4, layout == VR_COLMAJOR));
          }
          vr_rt_release(old.owner);
          vr_rt_release(a.owner);
        }
      }
    }
  }
  EXPECT_EQ(pool_stats().live_blocks, live);
}

TEST(Grow, NeverShrinks) {
  vr_context ctx;
  vr_array a = test::engine_array(ctx, VR_INT32, {5, 2});
  test::number(a);
  const int64_t to[] = {3, 4};
  ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &a, to, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(a.extent[0], 5);
  EXPECT_EQ(a.extent[1], 4);
  vr_rt_release(a.owner);
}

TEST(Grow, AppendingIsAmortised) {
  struct Case {
    Shape start;
    int axis;
    int32_t layout;
  };
  for (const Case& c : {Case{{1, 0}, 1, VR_COLMAJOR}, Case{{0, 1}, 0, VR_COLMAJOR}, Case{{0}, 0, VR_ROWMAJOR},
                        Case{{0, 3}, 0, VR_ROWMAJOR}, Case{{3, 0}, 1, VR_COLMAJOR}, Case{{1, 0}, 1, VR_ROWMAJOR}}) {
    vr_context ctx;
    vr_array a = test::engine_array(ctx, VR_INT32, c.start, c.layout);
    int moves = 0;
    const int64_t n = 20000;
    Shape to = c.start;
    for (int64_t i = 0; i < n; ++i) {
      void* before = a.data;
      ++to[static_cast<size_t>(c.axis)];
      ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &a, to.data(), c.layout, VR_IN_ENGINE), VR_OK);
      moves += a.data != before;
      Shape last(to.size(), 0);
      last[static_cast<size_t>(c.axis)] = i;
      test::at<int32_t>(a, last) = static_cast<int32_t>(i + 1);
    }
    EXPECT_LT(moves, 40) << "axis " << c.axis;
    for (int64_t i = 0; i < n; ++i) {
      Shape at(to.size(), 0);
      at[static_cast<size_t>(c.axis)] = i;
      ASSERT_EQ(test::at<int32_t>(a, at), i + 1);
    }
    vr_rt_release(a.owner);
  }
}

TEST(Grow, SharedBlocksAreCopiedBeforeGrowth) {
  vr_context ctx;
  vr_array a = test::engine_array(ctx, VR_INT32, {3});
  int64_t to = 100;
  ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &a, &to, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  vr_array b = a;
  vr_rt_retain(b.owner);
  to = 101;
  ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &b, &to, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_NE(a.data, b.data);
  vr_rt_release(a.owner);
  vr_rt_release(b.owner);
}

TEST(Grow, CapacityIsCountedFromTheArraysFirstByte) {
  vr_context ctx;
  vr_array a = test::engine_array(ctx, VR_INT32, {1000});
  test::number(a);
  vr_array part = a;
  part.data = test::address(a, {990});
  part.extent[0] = 10;
  const std::vector<char> before(static_cast<char*>(part.data), static_cast<char*>(part.data) + 40);
  int64_t to = 900;  // the block has 4000 bytes, and 40 of them from here on
  ASSERT_EQ(vr_rt_grow(&ctx, &test::site, &part, &to, VR_ROWMAJOR, VR_IN_ENGINE), VR_OK);
  EXPECT_EQ(part.extent[0], 900);
  EXPECT_GE(part.owner->bytes - (static_cast<char*>(part.data) - static_cast<char*>(part.owner->storage)), 3600);
  EXPECT_EQ(std::memcmp(part.data, before.data(), 40), 0);
  for (int64_t i = 10; i < 900; ++i) ASSERT_EQ(test::at<int32_t>(part, {i}), 0);
  vr_rt_release(part.owner);
}

TEST(Grow, OverflowingSizesFail) {
  for (int64_t to : {INT64_MAX, INT64_MAX / 4, int64_t{1} << 58}) {
    vr_context ctx;
    vr_array a = test::engine_array(ctx, VR_INT32, {3});
    test::number(a);
    const vr_array before = a;
    int32_t code = vr_rt_grow(&ctx, &test::site, &a, &to, VR_ROWMAJOR, VR_IN_ENGINE);
    EXPECT_TRUE(code == VR_SIZE || code == VR_OUT_OF_MEMORY) << code;
    EXPECT_EQ(ctx.error.code, code);
    EXPECT_EQ(a.data, before.data);
    EXPECT_EQ(a.extent[0], 3);
    vr_rt_release(a.owner);
  }
}

TEST(Assign, IntoViewsAndOverItself) {
  vr_context ctx;
  Buffer to(VR_INT32, {6, 6});
  for (Lie lie : test::all_lies) {
    Buffer from(VR_INT32, {2, 3}, lie);
    test::number(from.a);
    vr_array part = to.a;
    part.extent[0] = 2;
    part.extent[1] = 3;
    part.stride[1] *= 2;
    ASSERT_EQ(vr_rt_assign(&ctx, &test::site, &from.a, &part), VR_OK);
    EXPECT_TRUE(test::same_elements(from.a, part));
  }
  // An extent of 1 broadcasts along any axis.
  for (const std::vector<int64_t>& extents : {std::vector<int64_t>{1, 4, 3}, {2, 1, 3}, {2, 4, 1}, {1, 1, 1}}) {
    Buffer from(VR_INT32, extents), all(VR_INT32, {2, 4, 3});
    test::number(from.a);
    ASSERT_EQ(vr_rt_assign(&ctx, &test::site, &from.a, &all.a), VR_OK);
    for (std::vector<int64_t> i : test::subscripts(all.a)) {
      const int32_t got = test::at<int32_t>(all.a, i);
      for (size_t k = 0; k < 3; ++k) i[k] = extents[k] == 1 ? 0 : i[k];
      EXPECT_EQ(got, test::at<int32_t>(from.a, i));
    }
  }
  Buffer v(VR_INT32, {10});
  for (int64_t i = 0; i < 10; ++i) test::at<int32_t>(v.a, {i}) = static_cast<int32_t>(i);
  vr_array head = v.a, reversed = v.a;
  reversed.data = test::address(v.a, {9});
  reversed.stride[0] = -4;
  ASSERT_EQ(vr_rt_assign(&ctx, &test::site, &reversed, &head), VR_OK);
  for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(test::at<int32_t>(v.a, {i}), 9 - i);
  // Four that fall from 9 to 6, to where they overlap from 7 on.
  Buffer w(VR_INT32, {12});
  for (int64_t i = 0; i < 12; ++i) test::at<int32_t>(w.a, {i}) = static_cast<int32_t>(i);
  vr_array falling = w.a, rising = w.a;
  falling.data = test::address(w.a, {9});
  falling.extent[0] = rising.extent[0] = 4;
  falling.stride[0] = -4;
  rising.data = test::address(w.a, {7});
  ASSERT_EQ(vr_rt_assign(&ctx, &test::site, &falling, &rising), VR_OK);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(test::at<int32_t>(w.a, {7 + i}), 9 - i);
  vr_array shorter = v.a;
  shorter.extent[0] = 9;
  EXPECT_EQ(vr_rt_assign(&ctx, &test::site, &shorter, &v.a), VR_SHAPE_MISMATCH);
  EXPECT_NE(std::string(ctx.error.message).find("10"), std::string::npos);
}

}  // namespace
}  // namespace vr::runtime
