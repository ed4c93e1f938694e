// Compares footprints of launches with isl: random nests with triangles, conditions, and arrays with any strides.
#include "runtime/gpu/regions/footprint.hpp"

#include "regions/isl_set.hpp"

#include <gtest/gtest.h>

namespace vr::test {
namespace {
using namespace gpu;
using Kind = AccessValue::Kind;

constexpr uintptr_t footprint_middle = 1000000;

/// A launch whose kernel has array parameters and integers, and its description for isl.
struct Nest {
  std::vector<int64_t> counts;
  AccessTable table;
  std::vector<vr_array> arrays;
  std::vector<std::string> bounds;  ///< of each loop, in isl's notation

  int64_t value(Kind kind, int64_t a, int64_t b = 0) {
    table.values.push_back({kind, a, b, {}});
    return int64_t(table.values.size()) - 1;
  }
  void dims(const std::vector<int64_t>& n) {
    counts = n;
    for (size_t d = 0; d < n.size(); ++d) {
      table.loops.push_back({{}, {{1, -1, {value(Kind::Count, int64_t(d))}}}});
      bounds.push_back("0 <= i" + std::to_string(d) + " < " + std::to_string(n[d]));
    }
  }
  void array(const std::vector<int64_t>& extents, const std::vector<int64_t>& strides) {
    vr_array a = {};
    a.data = reinterpret_cast<void*>(footprint_middle * (arrays.size() + 1));
    a.elem = VR_FLOAT64;
    a.rank = int32_t(extents.size());
    std::copy(extents.begin(), extents.end(), a.extent);
    std::copy(strides.begin(), strides.end(), a.stride);
    arrays.push_back(a);
  }
  std::vector<Footprint> run(int32_t written = 1) {
    std::vector<vr_kernel_param> params;
    std::vector<vr_value> args;
    for (vr_array& a : arrays) {
      params.push_back({VR_PARAM_ARRAY, a.elem, a.rank, written, ""});
      args.push_back({});
      args.back().array = &a;
    }
    vr_kernel kernel = {};
    kernel.dims = int32_t(counts.size());
    kernel.param_count = int32_t(params.size());
    kernel.params = params.data();
    // Computed through the constant that compiled code contains.
    const std::vector<int64_t> words = table.words();
    EXPECT_EQ(words[0], int64_t(words.size()) - 1);
    return footprints(AccessTable::from(words.data()), kernel, counts.data(), args.data());
  }

  std::string form(const AccessForm& f) const {
    std::string s = "0";
    for (const AccessTerm& t : f) {
      int64_t n = t.factor;
      for (int64_t v : t.values) {
        const AccessValue& value = table.values[size_t(v)];
        n *= value.kind == Kind::Count    ? counts[size_t(value.a)]
             : value.kind == Kind::Stride ? arrays[size_t(value.a)].stride[value.b]
                                          : arrays[size_t(value.a)].extent[value.b];
      }
      s += " + (" + std::to_string(n) + (t.loop < 0 ? ")" : " * i" + std::to_string(t.loop) + ")");
    }
    return s;
  }
  IslSet exact(const ArrayAccess& a) const {
    std::string vars = "r", conditions = "0 <= r < " + std::to_string(a.bytes);
    for (int64_t l : a.loops) {
      vars += ", i" + std::to_string(l);
      conditions += " and " + bounds[size_t(l)];
    }
    for (const AccessForm& f : a.where) conditions += " and " + form(f) + " >= 0";
    const auto data = reinterpret_cast<uintptr_t>(arrays[size_t(a.param)].data);
    return IslSet("{ [a] : exists (" + vars + " : a = " + std::to_string(data) + " + r + " + form(a.offset) + " and " +
                  conditions + ") }");
  }
};

AccessTerm constant(int64_t c) { return {c, -1, {}}; }
AccessTerm counter(int64_t loop, int64_t factor = 1) { return {factor, loop, {}}; }

Nest random_nest(Random& random) {
  Nest n;
  n.dims(random.one_in(2) ? std::vector{random(1, 6)} : std::vector{random(1, 5), random(1, 5)});
  const auto dims = int64_t(n.counts.size());
  if (random.one_in(3)) {  // a serial loop, often of a triangle
    const int64_t lo = random(0, 2), hi = random(0, 5), tied = random(0, dims - 1);
    const bool from = random.one_in(3), to = random.one_in(2);
    AccessLoop loop{{constant(lo)}, {constant(hi)}};
    if (from) loop.lo.push_back(counter(tied));
    if (to) loop.hi.push_back(counter(tied, random.one_in(4) ? -1 : 1));
    n.table.loops.push_back(loop);
    n.bounds.push_back(n.form(loop.lo) + " <= i" + std::to_string(dims) + " and i" + std::to_string(dims) + " < " +
                       n.form(loop.hi));
  }
  n.array({400}, {8});
  // Rows with gaps between them.
  n.array({40, 40}, {random.one_in(2) ? 340 * 8 : -340 * 8, random.one_in(3) ? -8 : 8 * random(1, 2)});
  int64_t stride[2];
  for (int64_t d = 0; d < 2; ++d) stride[d] = n.value(Kind::Stride, 1, d);
  for (int64_t k = random(1, 4); k > 0; --k) {
    ArrayAccess a;
    a.bytes = 8;
    a.written = random.one_in(3);
    const int64_t depth = random.one_in(3) ? dims : int64_t(n.table.loops.size());
    for (int64_t l = 0; l < depth; ++l) a.loops.push_back(l);
    if (random.one_in(3)) {
      AccessForm f = {constant(random(-1, 3)), counter(random(0, depth - 1), random.one_in(2) ? 1 : -1)};
      if (random.one_in(2)) f.push_back(counter(random(0, depth - 1), random(-1, 1)));
      a.where.push_back(f);
    }
    // Every subscript is in bounds, whether or not the conditions hold.
    if (random.one_in(2)) {
      a.offset.push_back(constant(8 * (200 + random(0, 2))));
      for (int64_t l = 0; l < depth; ++l)
        if (!random.one_in(4)) a.offset.push_back(counter(l, 8 * (random.one_in(3) ? random(-6, 6) : random(1, 2))));
    } else {
      a.param = 1;
      for (int64_t d = 0; d < 2; ++d) {
        a.offset.push_back({20 + random(0, 1), -1, {stride[d]}});
        a.offset.push_back({random.one_in(4) ? -1 : 1, random(0, depth - 1), {stride[d]}});
      }
    }
    n.table.accesses.push_back(a);
  }
  return n;
}

TEST(Footprints, ContainWhatIslSaysAndEqualItWhereTheyAreExact) {
  Random random(1);
  int exact_reads = 0, exact_writes = 0, reads = 0, writes = 0;
  for (int k = 0; k < nests; ++k) {
    Nest n = random_nest(random);
    const std::vector<Footprint> found = n.run();
    for (size_t p = 0; p < found.size(); ++p) {
      IslSet loaded = IslSet::none(), stored = IslSet::none();
      for (const ArrayAccess& a : n.table.accesses)
        if (size_t(a.param) == p) (a.written ? stored : loaded) = (a.written ? stored : loaded) | n.exact(a);
      const Footprint& f = found[p];
      const IslSet read = IslSet::of(f.read), written = IslSet::of(f.write);
      const std::string what = "nest " + std::to_string(k) + " array " + std::to_string(p) + " reads " + text(f.read) +
                               " writes " + text(f.write) + " not " + loaded.text() + " and " + stored.text();
      ASSERT_TRUE(read.contains(loaded)) << what;
      for (const Region* region : {&f.read, &f.write})
        for (const Lmad& box : *region)
          ASSERT_TRUE(storage_span(n.arrays[p]).contains(box.hull())) << "array " << p << ": " << text(*region);
      ASSERT_TRUE(written.contains(stored)) << what;
      reads += !loaded.empty();
      writes += !stored.empty();
      if (f.write_exact) {
        ASSERT_TRUE(written == stored) << what;
        exact_writes += !stored.empty();
      } else {
        ASSERT_TRUE(read.contains(written - stored)) << what;  // bytes copied back were not changed
      }
      if (f.read_exact) {
        ASSERT_TRUE(f.write_exact ? read == loaded : (loaded | written).contains(read)) << what;
        exact_reads += !loaded.empty();
      }
    }
  }
  EXPECT_GT(exact_reads, reads / 2);
  EXPECT_GT(exact_writes, writes / 2);
}

/// At most 1.05 times the exact number of bytes plus 4 KB.
void expect_bytes(Nest& n, int64_t exact) {
  const std::vector<Footprint> f = n.run();
  EXPECT_GE(bytes(f[0].read), exact) << text(f[0].read);
  EXPECT_LE(double(bytes(f[0].read)), 1.05 * double(exact) + 4096) << text(f[0].read);
}

TEST(Footprints, OfEveryThousandthElement) {
  Nest n;
  n.dims({1024});
  n.array({1024}, {8192});
  const int64_t s = n.value(Kind::Stride, 0, 0);
  n.table.accesses.push_back({0, 8, false, true, {0}, {}, {{1, 0, {s}}}, {}});
  expect_bytes(n, 8192);
  EXPECT_EQ(text(n.run()[0].read), "{ 1000000+8 [1024 by 8192]; }");
}

TEST(Footprints, OfNeighboursAreOneBlock) {
  Nest n;
  n.dims({512});
  n.array({1 << 20}, {8});
  for (int64_t c : {0, 8}) n.table.accesses.push_back({0, 8, false, true, {0}, {}, {counter(0, 16), constant(c)}, {}});
  EXPECT_EQ(text(n.run()[0].read), "{ 1000000+8192; }");
}

TEST(Footprints, OfWindowsRowsAndDiagonals) {
  for (int what = 0; what < 3; ++what) {
    Nest n;
    n.array({1000, 1000}, {8000, 8});
    AccessForm at;
    if (what == 0) {  // a window of 100 by 50, read by a 3 by 3 stencil
      n.dims({50, 100});
      for (int64_t y = -1; y <= 1; ++y)
        for (int64_t x = -1; x <= 1; ++x)
          n.table.accesses.push_back({0,
                                      8,
                                      false,
                                      true,
                                      {0, 1},
                                      {},
                                      {counter(0, 8), counter(1, 8000), constant(8000 * (300 + y) + 8 * (400 + x))},
                                      {}});
      expect_bytes(n, 102 * 52 * 8);
      EXPECT_EQ(n.run()[0].read.size(), 1u);
    } else if (what == 1) {  // rows 10 to 20
      n.dims({1000, 10});
      n.table.accesses.push_back(
          {0, 8, false, true, {0, 1}, {}, {counter(0, 8), counter(1, 8000), constant(80000)}, {}});
      EXPECT_EQ(text(n.run()[0].read), "{ 1080000+80000; }");
    } else {
      n.dims({1000});
      n.table.accesses.push_back({0, 8, false, true, {0}, {}, {counter(0, 8008)}, {}});
      EXPECT_EQ(text(n.run()[0].read), "{ 1000000+8 [1000 by 8008]; }");
    }
  }
}

TEST(Footprints, OfTrianglesAreStrips) {
  Nest n;
  n.array({1000, 1000}, {8000, 8});
  n.dims({1000});
  n.table.loops.push_back({{}, {counter(0), constant(1)}});
  n.table.accesses.push_back({0, 8, false, true, {0, 1}, {}, {counter(0, 8000), counter(1, 8)}, {}});
  expect_bytes(n, 8 * 1000 * 1001 / 2);
}

TEST(Footprints, AWriteOnlyArrayIsNotRead) {
  Nest n;
  n.array({100}, {8});
  n.dims({100});
  n.table.accesses.push_back({0, 8, true, true, {0}, {}, {counter(0, 8)}, {}});
  EXPECT_TRUE(n.run()[0].read.empty());
  // An iteration that may end with a fault is not known to store.
  n.table.checks.push_back({{counter(0), constant(-1)}, 0, INT64_MAX, {0}, {}});
  EXPECT_EQ(bytes(n.run()[0].read), 800);
  EXPECT_EQ(bytes(n.run()[0].write), 800);
  n.table.checks[0].form[1].factor = 0;
  EXPECT_TRUE(n.run()[0].read.empty());
  // Nor is one under a condition that is not affine.
  n.table.accesses[0].always = false;
  EXPECT_EQ(bytes(n.run()[0].read), 800);
  EXPECT_TRUE(n.run(VR_WRITTEN_FRESH)[0].read.empty());
}

TEST(Footprints, AreTheWholeArrayWhereASubscriptWraps) {
  Nest n;
  n.array({100}, {8});
  n.dims({50});
  n.table.limits.push_back({{counter(0), constant(-1)}, 0, INT64_MAX, {0}, {}});
  n.table.accesses.push_back({0, 8, false, true, {0}, {}, {counter(0, 8), constant(-8)}, {0}});
  EXPECT_EQ(bytes(n.run()[0].read), 800);
  EXPECT_EQ(n.run()[0].reason, "a subscript wraps");
  n.table.accesses[0].where.push_back({counter(0), constant(-1)});
  n.table.limits[0].where.push_back({counter(0), constant(-1)});
  EXPECT_EQ(text(n.run()[0].read), "{ 1000000+392; }");
  EXPECT_EQ(n.run()[0].reason, "");
}

TEST(Footprints, StayInTheArray) {
  // Conditions that cannot be described do not restrict the subscripts outside of the loop.
  Nest n;
  n.array({100}, {8});
  n.dims({100});
  for (int64_t c : {-8, 8}) n.table.accesses.push_back({0, 8, false, false, {0}, {}, {counter(0, 8), constant(c)}, {}});
  EXPECT_EQ(text(n.run()[0].read), "{ 1000000+800; }");
  n.table.accesses[0].offset[1].factor = 8 * 500;
  n.table.accesses.resize(1);
  EXPECT_EQ(n.run()[0].read.size(), 0u);
}

TEST(Footprints, OfSmallMatricesStayInTheArray) {
  // Stores the elements of 3 x 3 matrices in the order of the formula for the inverse.
  Nest n;
  n.array({1024, 3, 3}, {36, 12, 4});
  n.arrays[0].elem = VR_FLOAT32;
  n.dims({1024});
  for (int64_t element : {4, 8, 5, 7, 5, 6, 3, 8, 3, 7, 4, 6, 0, 1, 2, 2, 7, 1, 8, 0, 8, 2, 6})
    n.table.accesses.push_back({0, 4, false, true, {0}, {}, {counter(0, 36), constant(4 * element)}, {}});
  const Footprint found = n.run()[0];
  for (const Lmad& box : found.read) EXPECT_TRUE(storage_span(n.arrays[0]).contains(box.hull())) << text(found.read);
}

TEST(Footprints, StoresThatMayNotBeMadeStayWithinTheElements) {
  // The bytes between the rows belong to another thread.
  Nest n;
  n.array({10, 4}, {80, 8});
  n.dims({10});
  n.table.loops.push_back({{}, {counter(0), constant(1)}});
  n.table.accesses.push_back({0, 8, true, false, {0, 1}, {}, {counter(0, 80), counter(1, 8)}, {}});
  EXPECT_EQ(text(n.run()[0].write), "{ 1000000+32 [10 by 80]; }");
}

TEST(Footprints, NumbersThatAreTooLargeGiveTheWholeArray) {
  Nest n;
  n.array({100}, {8});
  n.dims({int64_t{1} << 40});
  n.table.accesses.push_back({0, 8, false, true, {0}, {}, {counter(0, int64_t{1} << 40)}, {}});
  EXPECT_EQ(bytes(n.run()[0].read), 800);
  EXPECT_NE(n.run()[0].reason, "");
}

TEST(Footprints, QuotientsAndExtremaAreNumbersOfTheLaunch) {
  Nest n;
  n.array({100}, {8});
  n.dims({7});
  const int64_t extent = n.value(Kind::Extent, 0, 0), count = n.value(Kind::Count, 0);
  const int64_t half = n.value(Kind::Quotient, extent, count), least = n.value(Kind::Least, half, count);
  n.table.loops.push_back({{}, {{1, -1, {least}}}});
  n.table.accesses.push_back({0, 8, false, true, {0, 1}, {}, {counter(1, 8)}, {}});
  EXPECT_EQ(bytes(n.run()[0].read), 56);
  n.counts[0] = 50;  // 100 / 50
  EXPECT_EQ(bytes(n.run()[0].read), 16);
  n.table.values[size_t(half)] = {Kind::Quotient, extent, extent, {}};
  EXPECT_EQ(bytes(n.run()[0].read), 8);
}

TEST(Footprints, EmptyArraysAndEmptyLoopsHaveNone) {
  Nest n;
  n.array({0}, {8});
  n.array({10}, {8});
  n.dims({5});
  n.table.loops.push_back({{constant(3)}, {constant(3)}});
  n.table.accesses.push_back({0, 8, false, true, {0}, {}, {counter(0, 8)}, {}});
  n.table.accesses.push_back({1, 8, false, true, {0, 1}, {}, {counter(0, 8)}, {}});
  n.table.whole.push_back({0, true, "why"});
  for (const Footprint& f : n.run()) {
    EXPECT_TRUE(f.read.empty());
    EXPECT_TRUE(f.write.empty());
  }
}

}  // namespace
}  // namespace vr::test
