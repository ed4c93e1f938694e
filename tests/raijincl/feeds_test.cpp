// How kernels load operands, for parameters of every family on devices that are not present: elements that a kernel
// loads with one instruction must exist and be aligned for that load. Compiles no kernel.
#include <gtest/gtest.h>

#include <random>

#include "routines/gemm_problem.hpp"
#include "tuning/space.hpp"

namespace raijincl {
namespace {

DeviceInfo device(bool is_cpu, int capability) {
  DeviceInfo d;
  d.name = "made up";
  d.is_cpu = is_cpu;
  d.has_double = d.has_images = true;
  d.nvidia_capability = capability;
  d.compute_units = is_cpu ? 16 : 100;
  d.max_work_group = 1024;
  d.local_bytes = 200 << 10;
  d.image_width = d.image_height = 16384;
  return d;
}

class Feeds : public ::testing::Test {
 protected:
  /// Calls f(device, precision, parameters) for many of each family.
  template <class F>
  void each(F f) {
    for (const DeviceInfo& d : {device(true, 0), device(false, 0), device(false, 90)})
      for (Precision p : {Precision::S, Precision::D, Precision::C, Precision::Z}) {
        const Space space(d, p, false, true);
        for (std::size_t family = 0; family < space.families(); ++family) {
          int done = 0;
          for (int i = 0; i < 20000 && done < 60; ++i) {
            GemmConfig c;
            if (!space.config(space.random(family, random_), c)) continue;
            ++done;
            f(d, p, c);
          }
          EXPECT_GT(done, 0) << d.nvidia_capability << name_of(p) << " family " << family;
        }
      }
  }
  std::size_t up_to(std::size_t n) { return random_() % n; }
  std::mt19937 random_{7};
};

TEST_F(Feeds, OperandsArePaddedToWhatKernelsTakeAtOnceAndLieWhereLoadsBegin) {
  int copied = 0, loads = 0;
  each([&](const DeviceInfo& d, Precision p, const GemmConfig& c) {
    for (int round = 0; round < 12; ++round) {
      const bool first = round % 2, always = round % 4 == 0;
      const std::size_t k = 1 + up_to(300), element = size_of(p);
      const auto tile = static_cast<std::size_t>(first ? c.bm : c.bn), bk = static_cast<std::size_t>(c.bk);
      Operand o;
      o.rows = 1 + up_to(300);
      o.mode = 1 + static_cast<int>(up_to(2));
      // One of the three is odd, or none is.
      const std::size_t odd = up_to(4);
      o.ld = 304 + (odd == 1 ? 1 + up_to(15) : 0);
      o.offset = 16 * up_to(9) + (odd == 2 ? 1 + up_to(15) : 0);
      o.stride = 304 * 304 + (odd == 3 ? 1 + up_to(15) : 0);
      const Feed f = feed_for(c, p, d, o, k, first, always);
      const std::string what = text_of(c) + " of " + name_of(p) + ", rows " + std::to_string(o.rows) + ", k " +
                               std::to_string(k) + ", ld " + std::to_string(o.ld) + ", offset " +
                               std::to_string(o.offset) + ", stride " + std::to_string(o.stride);
      if (f.copy) {
        ++copied;
        ASSERT_GE(f.padded, o.rows) << what;
        ASSERT_GE(f.depth, k) << what;
        ASSERT_FALSE(f.conj) << what;
        if (c.family == Family::Codelet || f.mode == 0) {
          ASSERT_EQ(f.padded % tile, 0u) << what;
          ASSERT_EQ(f.depth % bk, 0u) << what;
          ASSERT_LT(f.padded - o.rows, tile) << what;
        }
        if (f.mode == 0) {
          ASSERT_EQ(f.width, tile) << what;
        }
        continue;
      }
      ASSERT_FALSE(always) << what;
      ASSERT_EQ(f.mode, o.mode) << what;
      if (d.is_cpu) {
        ASSERT_EQ(f.load, 1) << what;
      }
      const bool sixteen = c.family == Family::Mma || c.family == Family::Wgmma;
      const std::size_t bytes = sixteen ? 16 : static_cast<std::size_t>(f.load) * element;
      if (bytes == element) continue;
      ++loads;
      for (std::size_t n : {o.ld, o.offset, o.stride}) ASSERT_EQ(n * element % bytes, 0u) << what;
    }
  });
  EXPECT_GT(copied, 1000);
  EXPECT_GT(loads, 300);
}

TEST_F(Feeds, SlicesCoverKOnceAndBatchesHaveNone) {
  int sliced = 0;
  each([&](const DeviceInfo& d, Precision p, GemmConfig c) {
    c.fill = 1 << up_to(8);
    GemmProblem g;
    g.precision = p;
    g.m = 1 + up_to(200), g.n = 1 + up_to(200), g.k = 1 + up_to(5000);
    const Slices s = slices_for(c, g, d);
    ASSERT_GE(s.count * s.length, g.k) << text_of(c);
    ASSERT_LT((s.count - 1) * s.length, g.k) << text_of(c);
    if (s.count > 1) {
      ++sliced;
      ASSERT_EQ(s.length % 32, 0u) << text_of(c);
    }
    g.batch = 2 + up_to(5);
    ASSERT_EQ(slices_for(c, g, d).count, 1u) << text_of(c);
  });
  EXPECT_GT(sliced, 100);
}

}  // namespace
}  // namespace raijincl
