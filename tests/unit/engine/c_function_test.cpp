// Compiled functions with C's calling convention, called from C++ code as C functions.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace vr {
namespace {

using ir::E, ir::f64, ir::f64_array, ir::FunctionBuilder, ir::i64, ir::ModuleBuilder, ir::range, ir::Type;

/// total(n, x): the sum of n elements; mark(x, k): stores k; third(k): an element of an array of three; and what C
/// cannot say.
ir::ModulePtr module_of_functions() {
  ModuleBuilder m("m");
  const Type i32 = Type::scalar(Elem::Int32);
  {
    FunctionBuilder& f = m.function("total", {f64()});
    E n = f.arg("n", i32), x = f.arg("x", f64_array(1)), s = f.local("s", f64()), i = f.local("i", i64());
    f.assign(s, 0.0);
    f.for_({i}, {range(0, n)}, [&] { f.assign(s, s + x(i)); });
    f.return_({s});
  }
  {
    FunctionBuilder& f = m.function("mark", {});
    E x = f.arg("x", f64_array(1)), k = f.arg("k", f64());
    f.assign(x(0), k);
    f.return_({});
  }
  {
    FunctionBuilder& f = m.function("third", {f64()});
    E k = f.arg("k", i64()), x = f.local("x", f64_array(1));
    f.assign(x, f.zeros(f64(), {3}));
    f.return_({x(k) + 1.0});
  }
  {
    FunctionBuilder& f = m.function("pair", {f64(), f64()});
    E a = f.arg("a", f64());
    f.return_({a, a});
  }
  {
    FunctionBuilder& f = m.function("complex", {f64()});
    f.arg("z", Type::scalar(Elem::Float64, true));
    f.return_({E(1.0)});
  }
  {
    FunctionBuilder& f = m.function("table", {f64()});
    E a = f.arg("a", f64_array(2));
    f.return_({a(0, 0)});
  }
  {
    FunctionBuilder& f = m.function("array", {f64_array(1)});
    E a = f.arg("a", f64_array(1));
    f.return_({a});
  }
  auto r = m.finish();
  EXPECT_TRUE(r) << (r ? "" : r.error().text());
  return r ? *r : nullptr;
}

Function made(const std::string& name, Target target = Target::Cpu) {
  Options o;
  o.target = target;
  auto engine = Engine::create(o);
  EXPECT_TRUE(engine) << (engine ? "" : engine.error().text());
  auto module = engine->load(module_of_functions());
  EXPECT_TRUE(module) << (module ? "" : module.error().text());
  auto f = module->function(name);
  EXPECT_TRUE(f) << (f ? "" : f.error().text());
  return *f;
}

void note(void* data, const Error& e) {
  static_cast<std::vector<std::string>*>(data)->push_back(e.record ? e.record->array : "no record");
}

template <class T>
T* pointer(const CFunction& f) {
  return reinterpret_cast<T*>(f.address());
}

TEST(CFunction, TakesNumbersAndAddresses) {
  std::vector<std::string> faults;
  auto total = made("total").c_function(note, &faults);
  auto mark = made("mark").c_function(note, &faults);
  ASSERT_TRUE(total && mark);
  double x[] = {1.5, 2.0, 4.0};
  EXPECT_EQ(pointer<double(int32_t, const double*)>(*total)(3, x), 7.5);
  EXPECT_EQ(pointer<double(int32_t, const double*)>(*total)(0, nullptr), 0.0);
  pointer<void(double*, double)> (*mark)(x + 1, -2.0);
  EXPECT_EQ(x[1], -2.0);
  EXPECT_TRUE(faults.empty());
}

TEST(CFunction, ReportsFaultsAndReturnsZero) {
  std::vector<std::string> faults;
  auto third = made("third").c_function(note, &faults);
  ASSERT_TRUE(third);
  auto* call = pointer<double(int64_t)>(*third);
  EXPECT_EQ(call(2), 1.0);
  EXPECT_EQ(call(3), 0.0);
  EXPECT_EQ(call(int64_t{1} << 62), 0.0);
  EXPECT_EQ(call(0), 1.0);
  EXPECT_EQ(faults, (std::vector<std::string>{"x", "x"}));
}

TEST(CFunction, KeepsItsCodeAndRunsInThreads) {
  auto third = made("third").c_function(note, nullptr);
  ASSERT_TRUE(third);
  const CFunction copy = *third;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) wrong += pointer<double(int64_t)>(copy)(i % 3) != 1.0;
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CFunction, RefusesWhatHasNoCType) {
  for (const char* name : {"pair", "complex", "table", "array"}) {
    auto f = made(name).c_function(note, nullptr);
    ASSERT_FALSE(f) << name;
    EXPECT_EQ(f.error().code, Code::Unsupported);
    EXPECT_NE(f.error().text().find("as a C function"), std::string::npos) << f.error().text();
  }
  EXPECT_FALSE(made("total", Target::Interp).c_function(note, nullptr));
}

}  // namespace
}  // namespace vr
