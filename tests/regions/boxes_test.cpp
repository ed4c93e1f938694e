// Compares boxes with isl: statements about one box are exact, and statements about two boxes are conservative.
#include "regions/isl_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace vr::test {
namespace {
using namespace gpu;

constexpr uintptr_t middle = 1000000;  // keeps addresses of boxes above 0

/// Dimensions with strides of either sign; most strides are multiples of one another.
std::vector<LmadDim> random_dims(Random& random, int64_t run) {
  std::vector<LmadDim> dims;
  int64_t stride = run * random(1, 3);
  for (int64_t n = random.one_in(25) ? 3 : random(0, 2); n > 0; --n) {
    const LmadDim d{random(1, 4), random.one_in(12) ? random(-20, 20) : random.one_in(4) ? -stride : stride};
    dims.push_back(d);
    stride = random.one_in(3) ? stride * random(1, 3) : stride * d.extent + run * random(0, 2);
  }
  std::shuffle(dims.begin(), dims.end(), std::minstd_rand(uint32_t(random(0, 1000))));
  return dims;
}

std::string written_out(uintptr_t base, int64_t run, const std::vector<LmadDim>& dims, bool map = false) {
  std::string vars = "r", sum = std::to_string(base) + " + r", bounds = "0 <= r < " + std::to_string(run);
  for (size_t k = 0; k < dims.size(); ++k) {
    const std::string i = "i" + std::to_string(k);
    vars += ", " + i;
    sum += " + (" + std::to_string(dims[k].stride) + " * " + i + ")";
    bounds += " and 0 <= " + i + " < " + std::to_string(dims[k].extent);
  }
  return map ? "{ [" + vars + "] -> [" + sum + "] : " + bounds + " }"
             : "{ [a] : exists (" + vars + " : a = " + sum + " and " + bounds + ") }";
}

Lmad random_box(Random& random, uintptr_t near = middle, const Lmad* like = nullptr) {
  while (true) {
    const int64_t run = like && random.one_in(2) ? like->run : random(1, 4);
    std::vector<LmadDim> dims = random_dims(random, run);
    if (like && !random.one_in(4)) {
      dims.clear();
      for (int32_t k = 0; k < like->rank; ++k)
        if (!random.one_in(5)) dims.push_back({random(1, 5), like->dim[size_t(k)].stride});
    }
    int64_t shift = random(-30, 30);
    if (like && like->rank > 0 && !random.one_in(3)) {
      shift = random.one_in(3) ? random(-4, 4) : 0;
      for (int32_t k = 0; k < like->rank; ++k) shift += random(-2, 2) * like->dim[size_t(k)].stride;
    }
    const auto box = make_box(near + uintptr_t(shift), run, dims);
    if (box && box->restricted()) return *box;
  }
}

TEST(Boxes, AreTheSetsThatTheyAreMadeOf) {
  Random random(1);
  int restricted = 0;
  for (int n = 0; n < nests; ++n) {
    const int64_t run = random(1, 8);
    const std::vector<LmadDim> dims = random_dims(random, run);
    const auto box = make_box(middle, run, dims);
    ASSERT_TRUE(box);
    const IslSet exact(written_out(middle, run, dims));
    ASSERT_TRUE(IslSet::of(*box) == exact) << text(*box) << " for " << exact.text();
    const Lmad wider = restrict(*box);
    ASSERT_TRUE(wider.restricted() && IslSet::of(wider).contains(exact)) << text(wider);
    restricted += box->restricted();
    if (box->restricted()) {
      ASSERT_TRUE(wider == *box);
    }
  }
  EXPECT_GT(restricted, nests / 2);
}

TEST(Boxes, CountTheirBytes) {
  Random random(2);
  for (int n = 0; n < nests; ++n) {
    const Lmad box = random_box(random);
    std::vector<bool> seen(2000);
    int64_t count = 0;
    auto walk = [&](auto& self, int32_t k, int64_t at) -> void {
      if (k == box.rank) {
        for (int64_t r = 0; r < box.run; ++r)
          if (!seen[size_t(at + r)]) seen[size_t(at + r)] = true, ++count;
        return;
      }
      for (int64_t i = 0; i < box.dim[size_t(k)].extent; ++i) self(self, k + 1, at + i * box.dim[size_t(k)].stride);
    };
    walk(walk, 0, 0);
    ASSERT_EQ(box.bytes(), count) << text(box);
  }
}

TEST(Boxes, AccessesAreUniqueWhereIslSaysSo) {
  Random random(3);
  int unique = 0, unknown = 0;
  for (int n = 0; n < nests; ++n) {
    const int64_t run = random.one_in(2) ? 1 : random(1, 8);
    const std::vector<LmadDim> dims = random_dims(random, run);
    const auto ours = unique_accesses(run, dims);
    if (!ours) {
      ++unknown;
      continue;
    }
    ASSERT_EQ(*ours, is_injective(written_out(0, run, dims, true))) << written_out(0, run, dims, true);
    unique += *ours;
  }
  EXPECT_EQ(unknown, 0);
  EXPECT_GT(unique, nests / 4);
  EXPECT_LT(unique, nests);
}

TEST(Boxes, IntersectionsEqualThoseOfIsl) {
  Random random(4);
  int joined = 0, met = 0, separate = 0, within = 0;
  for (int n = 0; n < nests; ++n) {
    const Lmad a = random_box(random), b = random_box(random, a.base, &a);
    const IslSet sa = IslSet::of(a), sb = IslSet::of(b), common = sa & sb;
    const std::string both = text(a) + " and " + text(b);
    if (const auto j = join(a, b)) {
      ASSERT_TRUE(j->restricted() && IslSet::of(*j).contains(sa | sb)) << both << ": " << text(*j);
      ++joined;
    }
    if (const auto m = meet(a, b)) {
      ASSERT_TRUE(IslSet::of(*m) == common) << both << ": " << text(*m);
      ++met;
    }
    if (apart(a, b)) {
      ASSERT_TRUE(common.empty()) << both;
      ++separate;
    }
    if (contains(a, b)) {
      ASSERT_TRUE(sa.contains(sb)) << both;
      ++within;
    }
    std::vector<Lmad> rest;
    subtract(a, b, rest);
    ASSERT_LE(rest.size(), 2 * size_t(a.rank + b.rank + 1));
    IslSet left = IslSet::none();
    for (const Lmad& r : rest) {
      ASSERT_TRUE((left & IslSet::of(r)).empty()) << both;
      left = left | IslSet::of(r);
    }
    ASSERT_TRUE(left.contains(sa - sb) && sa.contains(left)) << both;
    if (meet(a, b)) {
      ASSERT_TRUE(left == sa - sb) << both << " " << left.text();
    }
  }
  EXPECT_GT(joined, nests / 3);
  EXPECT_GT(met, nests / 8);
  EXPECT_GT(separate, nests / 8);
  EXPECT_GT(within, nests / 40);
}

TEST(Boxes, AreAddedAndTakenAway) {
  Random random(5);
  for (int n = 0; n < nests; ++n) {
    Region have, need;
    IslSet all_had = IslSet::none(), all_needed = IslSet::none();
    bool exact = true;
    const Lmad first = random_box(random);
    for (int64_t k = random(1, 5); k > 0; --k) {
      const Lmad box = random_box(random, first.base, &first);
      exact &= add(have, box, random(0, 1) * 8);
      all_had = all_had | IslSet::of(box);
    }
    const IslSet had = IslSet::of(have);
    ASSERT_TRUE(had.contains(all_had)) << text(have);
    if (exact) {
      ASSERT_TRUE(had == all_had) << text(have) << " for " << all_had.text();
    }
    for (int64_t k = random(1, 3); k > 0; --k) {
      need.push_back(random_box(random, first.base, &first));
      all_needed = all_needed | IslSet::of(need.back());
    }
    const IslSet more = IslSet::of(missing(need, have));
    ASSERT_TRUE(more.contains(all_needed - had) && all_needed.contains(more))
        << text(need) << " without " << text(have);
  }
}

TEST(Boxes, OfArraysAreTheirElements) {
  vr_array a = {};
  a.data = reinterpret_cast<void*>(uintptr_t{1000});
  a.elem = VR_FLOAT64;
  a.rank = 2;
  a.extent[0] = 4, a.extent[1] = 10;
  a.stride[0] = 80, a.stride[1] = 8;
  EXPECT_EQ(text(*box_of(a)), "1000+320");
  a.stride[1] = -8;
  EXPECT_EQ(text(*box_of(a)), "928+320");
  a.stride[0] = 160, a.stride[1] = 16;
  EXPECT_EQ(text(*box_of(a)), "1000+8 [40 by 16]");
  a.stride[0] = 0;
  EXPECT_EQ(text(*box_of(a)), "1000+8 [10 by 16]");
  a.stride[0] = 8;  // overlapping windows
  a.stride[1] = 8;
  EXPECT_EQ(text(*box_of(a)), "1000+104");
  a.extent[0] = 0;
  EXPECT_FALSE(box_of(a));
}

TEST(Boxes, NumbersThatAreTooLargeGiveNone) {
  const std::vector<LmadDim> large = {{int64_t{1} << 40, int64_t{1} << 40}}, lowest = {{3, INT64_MIN}};
  EXPECT_FALSE(make_box(1000, 8, large));
  EXPECT_FALSE(make_box(1000, 8, lowest));
  EXPECT_FALSE(unique_accesses(8, large));
}

}  // namespace
}  // namespace vr::test
