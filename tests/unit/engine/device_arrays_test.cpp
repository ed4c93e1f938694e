// Where the newest elements are between sections and calls (needs an OpenCL device): bytes copied, and the values that
// host code reads.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

namespace vr {
namespace {

/// add(x, y, c): y = y + c * x in a section, by a loop, without helper functions.
std::string add_section(const char* y, const char* x) {
  return std::string(R"((stmtlist :onGpu %1 (stmts
    (pforstmt (itervars 4)
      (loopdomain (domain (domaintype :ndims 1 (int64)) (range (stop (dim :arrayid 0 :dimid 0 (int64))))))
      (shared 2 )") +
         x + " " + y + ") (body (assignstmt (lhs (index :arrayid " + y +
         R"( (float64) (indices (index (name :id 4 (int64))))))
        (rhs (plus (float64)
          (lhs (index :arrayid )" +
         y + R"( (float64) (indices (index (name :id 4 (int64))))))
          (rhs (mult (float64) (lhs (name :id 2 (float64)))
            (rhs (index :arrayid )" +
         x + R"( (float64) (indices (index (name :id 4 (int64))))))))))))))))";
}
const char* const array = "(arraytype :layout rowmajor :ndims 1 (float64))";

/// name(x, y, c) -> float64 with this body; variables s (3), i (4), k (5).
std::string function(const std::string& name, const std::string& body) {
  return "(function :name " + name + " (functype (intypes " + array + " " + array +
         " (float64)) (outtypes (float64))) (arglist 0 1 2) (body (assignstmt (lhs (name :id 3 (float64))) (rhs "
         "(realconst "
         ":dval 0 (float64)))) " +
         body + " (returnstmt (exprs (name :id 3 (float64))))) (symtable (sym :id 0 :name x " + array +
         ") (sym :id 1 :name y " + array +
         ") (sym :id 2 :name c (float64)) (sym :id 3 :name s (float64)) (sym :id 4 :name i (int64)) (sym :id 5 :name k "
         "(int64)) (sym :id 6 :name z " +
         array + ")))";
}
std::string element(const char* a, int k) {
  return std::string("(index :arrayid ") + a + " (float64) (indices (index (realconst :ival " + std::to_string(k) +
         " (int64)))))";
}
std::string assign(const std::string& to, const std::string& value) {
  return "(assignstmt (lhs " + to + ") (rhs " + value + "))";
}
const std::string s = "(name :id 3 (float64))";
std::string sum(const std::string& a, const std::string& b) {
  return "(plus (float64) (lhs " + a + ") (rhs " + b + "))";
}
std::string repeat(int times, const std::string& body) {
  return "(forstmt (itervars 5) (loopdomain (domain (domaintype :ndims 1 (int64)) (range (stop (realconst :ival " +
         std::to_string(times) + " (int64)))))) (body " + body + "))";
}
std::string call(const std::string& name) {
  return std::string("(fncall :fnname ") + name + " (float64) (args (name :id 0 " + array + ") (name :id 1 " + array +
         ") (name :id 2 (float64))))";
}

const std::string y_ = std::string("(name :id 1 ") + array + ")", z = std::string("(name :id 6 ") + array + ")";

class DeviceArrays : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void TearDown() override { unsetenv("VR_DEVICE_MEMORY"); }
  void open(const std::string& assign_mode = "share") {
    setenv("VR_ZERO_COPY", "0", 1);
    Options o;
    o.target = Target::OpenCL;
    o.disk_cache = false;
    o.inline_limit = 0;
    auto made = Engine::create(o);
    if (!made) GTEST_SKIP() << made.error().text();
    engine.emplace(std::move(*made));
    const std::string add = add_section("1", "0");
    const std::string text =
        "(module :name m :vrir 1 :indexing 0 :exclude %1 :flatten %0 :grow %0 :assign " + assign_mode +
        " :slices view (fns " + function("once", add) + function("often", repeat(5, add)) +
        // CPU code between sections reads and writes.
        function("between", add + assign(s, element("1", 7)) + add +
                                assign(element("1", 7), "(realconst :dval 50 (float64))") + add +
                                assign(s, sum(s, element("1", 7)))) +
        // A loop on the CPU over elements, after a section in a loop.
        function("loops", repeat(3, add + repeat(10, assign(s, sum(s, element("1", 3)))))) +
        // Sections in a called function; the caller reads, also in the same statement.
        function("calls", assign(s, call("once")) + assign(s, element("1", 7)) +
                              assign(s, sum(s, sum(call("once"), element("1", 7))))) +
        // Each time a new value, which shares the old value's elements until the kernel stores.
        function("values",
                 repeat(3, assign(z, y_) + add_section("6", "0") + assign(y_, z)) + assign(s, element("1", 7))) +
        // No section at all.
        function("host", assign(s, sum(element("0", 7), element("1", 7))) +
                             assign(element("1", 7), "(realconst :dval -1 (float64))")) +
        "))";
    auto loaded = engine->load(text);
    ASSERT_TRUE(loaded) << loaded.error().text();
    module.emplace(std::move(*loaded));
    EXPECT_TRUE(module->report().empty()) << module->report()[0];
    x = *Array::zeros(Elem::Float64, std::vector<int64_t>{1000});
    y = *Array::zeros(Elem::Float64, std::vector<int64_t>{1000});
    std::fill_n(x.data_as<double>(), 1000, 1.0);
    used = engine->device_use();
  }
  double run(const char* name) {
    auto f = module->function(name);
    EXPECT_TRUE(f) << f.error().text();
    auto r = (*f)(x, y, 1.0);
    EXPECT_TRUE(r) << r.error().text();
    return r ? (*r)[0].as_double() : -1;
  }
  double at(int k) { return y.data_as<double>()[k]; }
  /// Arrays of 8000 bytes copied since the last query.
  void moved(int up, int down) {
    const DeviceUse now = engine->device_use();
    EXPECT_EQ(now.bytes_up - used.bytes_up, up * 8000);
    EXPECT_EQ(now.bytes_down - used.bytes_down, down * 8000);
    used = now;
  }
  std::optional<Engine> engine;
  std::optional<Module> module;
  Array x, y;
  DeviceUse used;
};

TEST_F(DeviceArrays, StayResidentBetweenTheSectionsOfACall) {
  run("often");
  EXPECT_EQ(at(999), 5);
  moved(2, 1);
}

TEST_F(DeviceArrays, HostCodeBetweenSectionsReadsAndWritesThem) {
  EXPECT_EQ(run("between"), 1 + 51);
  EXPECT_EQ(at(7), 51);
  EXPECT_EQ(at(8), 3);
  moved(3, 3);  // copied back for the read, for the write, and at the end; to the device again after the write
}

class DeviceValues : public DeviceArrays {
 protected:
  void SetUp() override { open("copy"); }
};
TEST_F(DeviceValues, AreCopiedOnTheDeviceWhereKernelsStore) {
  EXPECT_EQ(run("values"), 3);
  EXPECT_EQ(at(7), 0) << "the caller's";
  moved(2, 1);
  EXPECT_EQ(run("often"), 0);
  EXPECT_EQ(at(7), 0);
  moved(2, 0);
}

class DeviceArraysWithLittleRoom : public DeviceArrays {
 protected:
  void SetUp() override {
    setenv("VR_DEVICE_MEMORY", "12000", 1);  // room for one of the two arrays
    open();
  }
};
TEST_F(DeviceArraysWithLittleRoom, KernelsRunInChunks) {
  run("often");
  EXPECT_EQ(at(999), 5);
  const DeviceUse now = engine->device_use();
  EXPECT_EQ(now.on_host, 0);
  EXPECT_EQ(now.launches, 5);
  EXPECT_EQ(now.in_chunks, 5);
  EXPECT_GE(now.chunks, 10);
}

TEST_F(DeviceArrays, CpuLoopsSynchroniseOnce) {
  EXPECT_EQ(run("loops"), 10 * (1 + 2 + 3));
  moved(2, 3);
}

TEST_F(DeviceArrays, StayResidentAfterSectionsOfCallees) {
  EXPECT_EQ(run("calls"), 1 + 2);
  EXPECT_EQ(at(8), 2);
}

TEST_F(DeviceArrays, KeepOnDeviceMakesThemResidentBetweenCalls) {
  ASSERT_TRUE(engine->keep_on_device(x).ok());
  ASSERT_TRUE(engine->keep_on_device(y).ok());
  for (int k = 0; k < 4; ++k) run("once");
  moved(2, 0);
  ASSERT_TRUE(engine->look_at(y).ok());
  EXPECT_EQ(at(0), 4);
  moved(0, 1);
  // Functions without sections synchronise at their start.
  run("once");
  EXPECT_EQ(run("host"), 1 + 5);
  EXPECT_EQ(at(7), -1);
  moved(0, 1);
  run("once");
  EXPECT_EQ(run("calls"), 1 + 2);
  ASSERT_TRUE(engine->look_at(x, true).ok());
  x.data_as<double>()[8] = 100;
  run("once");
  ASSERT_TRUE(engine->drop_from_device(y).ok());
  ASSERT_TRUE(engine->drop_from_device(x).ok());
  EXPECT_EQ(at(7), 3);
  EXPECT_EQ(at(8), 4 + 1 + 1 + 2 + 100);
  run("once");
  EXPECT_EQ(at(7), 4) << "as any other array again";
  EXPECT_EQ(engine->keep_on_device(Value(1.0)).error().code, Code::Type);
}

TEST_F(DeviceArrays, KeepOnDeviceWithoutADeviceDoesNothing) {
  Options o;
  o.target = Target::Cpu;
  auto cpu = Engine::create(o);
  ASSERT_TRUE(cpu);
  EXPECT_TRUE(cpu->keep_on_device(x).ok());
  EXPECT_TRUE(cpu->look_at(x).ok());
  EXPECT_TRUE(cpu->drop_from_device(x).ok());
}

}  // namespace
}  // namespace vr
