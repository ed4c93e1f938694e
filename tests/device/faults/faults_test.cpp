// Every OpenCL call of a program fails, one after another, once and permanently. The result must be right, or there
// must be an error; no OpenCL object may leak, inputs must be unchanged, and later calls must work. Runs under
// fault_layer.cpp.
#include "runtime/gpu/session.hpp"

#include <algorithm>
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cmath>
#include <functional>
#include <numeric>

namespace vr::test {
namespace {

struct Layer {
  void (*set)(long, int) = nullptr;
  long (*calls)() = nullptr;
  long (*live)() = nullptr;
};

/// Null if the test does not run under the layer.
const Layer* layer() {
  static const Layer found = [] {
    Layer l;
    gpu::list_devices();  // the loader reads OPENCL_LAYERS with its first call
    void* lib = dlopen(VR_FAULT_LAYER, RTLD_NOW | RTLD_NOLOAD);
    if (!lib) return l;
    l.set = reinterpret_cast<void (*)(long, int)>(dlsym(lib, "vr_fault_layer_set"));
    l.calls = reinterpret_cast<long (*)()>(dlsym(lib, "vr_fault_layer_calls"));
    l.live = reinterpret_cast<long (*)()>(dlsym(lib, "vr_fault_layer_live"));
    return l;
  }();
  return found.set && found.calls && found.live ? &found : nullptr;
}

/// Functions of tests/device/faults.
struct Program {
  std::string file;
  std::string function;
  std::function<std::vector<Value>()> args;
};

Array ramp(int64_t n) {
  auto a = Array::zeros(Elem::Float64, std::vector<int64_t>{n});
  std::iota(a->data_as<double>(), a->data_as<double>() + n, 1.0);
  return *a;
}

std::vector<Program> programs() {
  return {{"sweeps.vrir", "sweeps", [] { return std::vector<Value>{ramp(100), int64_t{3}}; }},
          {"program.vrir", "mixed", [] { return std::vector<Value>{ramp(64), ramp(64)}; }},
          {"values.vrir", "turns", [] { return std::vector<Value>{ramp(64), int64_t{3}}; }},
          {"program.vrir", "faulty", [] { return std::vector<Value>{ramp(10), int64_t{99}}; }}};
}

double number(const Value& v) {
  if (!v.array()) return v.as_double();
  const Array& a = v.array();
  return std::accumulate(a.data_as<double>(), a.data_as<double>() + a.size(), 0.0);
}

struct Outcome {
  Code code = Code::Ok;
  std::vector<double> results;
  std::string text;
};

Outcome call(const Function& f, const std::vector<Value>& args) {
  Outcome o;
  auto r = f.call(args);
  if (!r) {
    o.code = r.error().code;
    o.text = r.error().text();
    return o;
  }
  for (const Value& v : *r) o.results.push_back(number(v));
  return o;
}

Options options() {
  Options o;
  o.target = Target::OpenCL;
  o.disk_cache = false;
  o.threads = 1;
  o.opt_level = 0;  // of the host's code; kernels do not depend on it
  return o;
}

bool same(const Outcome& a, const Outcome& b) {
  if (a.code != b.code || a.results.size() != b.results.size()) return false;
  for (size_t k = 0; k < a.results.size(); ++k)
    if (!(std::fabs(a.results[k] - b.results[k]) <= 1e-9 * std::fabs(b.results[k]))) return false;
  return true;
}

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!layer()) GTEST_SKIP() << "not under the fault layer";
    if (gpu::list_devices().empty()) GTEST_SKIP() << "no OpenCL device";
    layer()->set(0, 0);
  }
  void TearDown() override {
    if (layer()) layer()->set(0, 0);
  }
};

TEST_F(Faults, OfEveryCallOfEveryProgram) {
  const Layer& l = *layer();
  const long before = l.live();
  {
    auto engine = Engine::create(options());
    ASSERT_TRUE(engine) << engine.error().text();
    for (const Program& p : programs()) {
      auto module = engine->load_file(VR_FAULT_PROGRAMS "/" + p.file);
      ASSERT_TRUE(module) << module.error().text();
      auto f = module->function(p.function);
      ASSERT_TRUE(f) << f.error().text();
      const Outcome want = call(*f, p.args());
      EXPECT_EQ(want.code, p.function == "faulty" ? Code::OutOfBounds : Code::Ok) << want.text;
      l.set(0, 0);
      ASSERT_TRUE(same(call(*f, p.args()), want));
      const long count = l.calls();
      ASSERT_GT(count, 3) << p.function;
      for (int ever : {0, 1})
        for (long at = 1; at <= count; ++at) {
          SCOPED_TRACE(p.function + ", call " + std::to_string(at) + (ever ? " and all later" : ""));
          const std::vector<Value> args = p.args();
          l.set(at, ever);
          const Outcome got = call(*f, args);
          l.set(0, 0);
          if (!same(got, want)) {
            EXPECT_EQ(got.code, Code::Device) << got.text;
            EXPECT_NE(got.text.find("CL_OUT_OF_RESOURCES"), std::string::npos) << got.text;
          }
          // The first argument is read-only.
          EXPECT_EQ(number(args[0]), number(p.args()[0]));
          const Outcome again = call(*f, p.args());
          EXPECT_TRUE(same(again, want)) << again.text;
          if (HasFailure()) return;
        }
    }
  }
  EXPECT_EQ(l.live(), before) << "OpenCL objects are left";
}

// Kernels are built at their first launch. The program is compiled once for each call that fails, so it is a small one.
TEST_F(Faults, OfEveryCallOfOpeningAndOfTheFirstCall) {
  const Layer& l = *layer();
  const long before = l.live();
  Outcome want;
  int on_cpu = 0;
  auto first_call = [&](Outcome& got) -> Status {
    auto engine = Engine::create(options());
    if (!engine) return engine.error();
    auto module = engine->load_file(VR_FAULT_PROGRAMS "/sweeps.vrir");
    if (!module) return module.error();
    auto f = module->function("sweeps");
    if (!f) return f.error();
    got = call(*f, programs()[0].args());
    on_cpu += engine->device_use().on_host > 0;
    return {};
  };
  l.set(0, 0);
  ASSERT_TRUE(first_call(want));
  const long count = l.calls();
  EXPECT_EQ(want.code, Code::Ok) << want.text;
  EXPECT_EQ(on_cpu, 0);
  for (int ever : {0, 1})
    for (long at = 1; at <= count; ++at) {
      SCOPED_TRACE("call " + std::to_string(at) + (ever ? " and all later" : ""));
      Outcome got;
      l.set(at, ever);
      const Status done = first_call(got);
      l.set(0, 0);
      if (!done) {
        EXPECT_EQ(done.error().code, Code::Device) << done.error().text();
      } else if (!same(got, want)) {
        EXPECT_EQ(got.code, Code::Device) << got.text;
      }
      EXPECT_EQ(l.live(), before);
      if (HasFailure()) return;
    }
  // Kernels that could not be built have run on the CPU.
  EXPECT_GT(on_cpu, 0);
}

/// Three stages that hand their arrays over on the device, with two items one after the other.
TEST_F(Faults, OfEveryCallOfAPipeline) {
  const Layer& l = *layer();
  const long before = l.live();
  {
    auto engine = Engine::create(options());
    ASSERT_TRUE(engine) << engine.error().text();
    auto module = engine->load(R"(module numpy
def twice(x: float64[:]) -> float64[:]:
    with gpu():
        y = x * 2.0
    return y
def two(x: float64[:]) -> (float64[:], float64[:]):
    with gpu():
        y = x + 1.0
        z = x - 2.0
    return y, z
def join(x: float64[:], y: float64[:]) -> float64[:]:
    with gpu():
        z = x * y
    return z
)");
    ASSERT_TRUE(module) << module.error().text();
    auto pipeline = Pipeline::create({*module->function("twice"), *module->function("two"), *module->function("join")});
    ASSERT_TRUE(pipeline) << pipeline.error().text();
    const auto run = [&](const Array& x) {
      Outcome o;
      auto r = pipeline->run({{Value(x)}, {Value(ramp(50))}}, 1);
      if (!r) {
        o.code = r.error().code;
        o.text = r.error().text();
        return o;
      }
      for (const auto& values : *r) o.results.push_back(number(values[0]));
      return o;
    };
    const Outcome want = run(ramp(64));
    ASSERT_EQ(want.code, Code::Ok) << want.text;
    l.set(0, 0);
    ASSERT_TRUE(same(run(ramp(64)), want));
    const long count = l.calls();
    ASSERT_GT(count, 10);
    for (int ever : {0, 1})
      for (long at = 1; at <= count; ++at) {
        SCOPED_TRACE("call " + std::to_string(at) + (ever ? " and all later" : ""));
        const Array x = ramp(64);
        l.set(at, ever);
        const Outcome got = run(x);
        l.set(0, 0);
        if (!same(got, want)) {
          EXPECT_EQ(got.code, Code::Device) << got.text;
          EXPECT_NE(got.text.find("pipeline: stage "), std::string::npos) << got.text;
        }
        EXPECT_EQ(number(Value(x)), number(Value(ramp(64))));
        const Outcome again = run(ramp(64));
        EXPECT_TRUE(same(again, want)) << again.text;
        if (HasFailure()) return;
      }
  }
  EXPECT_EQ(l.live(), before) << "OpenCL objects are left";
}

}  // namespace
}  // namespace vr::test
