// Pipelines: order, items in flight, errors, ends, fork; and what is copied between stages that a device runs.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace vr {
namespace {

using Values = Pipeline::Values;

const char* const pipeline_text = R"(module numpy
def twice(x: float64[:]) -> float64[:]:
    return x * 2.0
def plus_one(x: float64[:]) -> float64[:]:
    return x + 1.0
def element(x: float64[:], k: int64) -> float64:
    return x[k]
def third(x: float64[:]) -> float64:
    return x[2]
def both(x: float64[:]) -> (float64[:], int64):
    return x * 10.0, int64(x[0])
def matrix(x: float64[:, :]) -> float64[:, :]:
    return x
)";

class PipelineTest : public ::testing::Test {
 protected:
  void SetUp() override { open(Target::Cpu); }
  void open(Target target, const char* text = pipeline_text) {
    Options o;
    o.target = target;
    o.disk_cache = false;
    auto engine = Engine::create(o);
    ASSERT_TRUE(engine) << engine.error().text();
    auto module = engine->load(text);
    ASSERT_TRUE(module) << module.error().text();
    module_.emplace(std::move(*module));
  }
  Function f(const char* name) { return *module_->function(name); }
  static Pipeline made(std::vector<PipelineStage> stages) {
    auto p = Pipeline::create(std::move(stages));
    EXPECT_TRUE(p) << p.error().text();
    return std::move(*p);
  }
  static PipelineStage host(std::string name, std::function<int64_t(int64_t)> work) {
    return {std::move(name),
            [work = std::move(work)](Values v) -> Result<Values> { return Values{Value(work(v[0].raw().i64))}; }};
  }
  /// 0, 1, ... n-1.
  static Pipeline::Source numbers(int64_t n) {
    return [n, k = int64_t{0}]() mutable -> Result<std::optional<Values>> {
      if (k == n) return std::optional<Values>();
      return std::optional(Values{Value(k++)});
    };
  }
  static std::vector<Values> arrays(int n) {
    std::vector<Values> items;
    for (int k = 0; k < n; ++k) items.push_back({Value(Array::from({double(k), k + 1.0, k + 2.0}))});
    return items;
  }
  static std::string code(const Error& e) { return code_name(e.code); }
  std::optional<Module> module_;
};

TEST_F(PipelineTest, ResultsComeInTheOrderOfTheSource) {
  for (Target target : {Target::Interp, Target::Cpu, Target::CpuParallel})
    for (int in_flight : {1, 2, 7}) {
      open(target);
      const Pipeline p = made({f("twice"), {"half", [](Values v) -> Result<Values> { return v; }}, f("plus_one")});
      auto results = p.run(arrays(20), in_flight);
      ASSERT_TRUE(results) << results.error().text();
      ASSERT_EQ(results->size(), 20u);
      for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 3; ++j) EXPECT_EQ((*results)[k][0].array().data_as<double>()[j], (k + j) * 2 + 1);
    }
}

TEST_F(PipelineTest, NoItemsOneStageAndSeveralValues) {
  EXPECT_TRUE(made({f("twice")}).run(std::vector<Values>())->empty());
  auto one = made({f("third")}).run(arrays(2), 1);
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ((*one)[1][0].as_double(), 3);
  auto two = made({f("both"), f("element")}).run(arrays(3));
  ASSERT_TRUE(two) << two.error().text();
  EXPECT_EQ((*two)[1][0].as_double(), 20) << "10 * x, of which element x[0]";
}

TEST_F(PipelineTest, StagesWorkOnSeveralItemsAtATime) {
  // Each item of stage 2 meets the next one of stage 1: one after the other, neither would get past the barrier.
  std::barrier<> meet(2);
  const int64_t n = 10;
  const Pipeline p = made({host("first", [&](int64_t k) { return k > 0 ? (meet.arrive_and_wait(), k) : k; }),
                           host("second", [&](int64_t k) { return k < n - 1 ? (meet.arrive_and_wait(), k) : k; })});
  int64_t due = 0;
  const Pipeline::Sink in_order = [&](Values v) -> Status {
    EXPECT_EQ(v[0].raw().i64, due++);
    return {};
  };
  const Status s = p.run(numbers(n), in_order, 2);
  EXPECT_TRUE(s) << s.error().text();
  EXPECT_EQ(due, n);
}

TEST_F(PipelineTest, AsManyItemsExistAsAreInFlight) {
  for (int in_flight : {1, 2, 5}) {
    std::atomic<int> live{0}, most{0};
    auto source = [&, k = 0]() mutable -> Result<std::optional<Values>> {
      if (k++ == 40) return std::optional<Values>();
      const int now = ++live;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
      return std::optional(Values{Value(int64_t{k})});
    };
    // The sink is slow: it lets go of an item only once as many others have begun as may.
    const Pipeline p = made({host("a", [](int64_t k) { return k; }), host("b", [](int64_t k) { return k; })});
    int arrived = 0;
    const Status s = p.run(
        source,
        [&](Values) -> Status {
          if (++arrived <= 40 - in_flight)
            while (live < in_flight) std::this_thread::yield();
          --live;
          return {};
        },
        in_flight);
    EXPECT_TRUE(s) << s.error().text();
    EXPECT_EQ(arrived, 40);
    EXPECT_EQ(most, in_flight);
  }
}

TEST_F(PipelineTest, ArraysOfItemsThatHaveLeftAreFreed) {
  const Array shared = Array::from({1.0, 2.0, 3.0});
  {
    auto run = made({f("twice")})
                   .start([&]() -> Result<std::optional<Values>> { return std::optional(Values{Value(shared)}); }, 4);
    ASSERT_TRUE(run);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(run->next());
    EXPECT_LE(shared.use_count(), 1 + 4 + 1);
  }
  EXPECT_EQ(shared.use_count(), 1) << "a run that ends early releases what is on its way";
}

TEST_F(PipelineTest, AFaultNamesStageAndItemAndKeepsItsRecord) {
  const Pipeline p = made({{"pair",
                            [](Values v) -> Result<Values> {
                              const int64_t k = int64_t(v[0].array().data_as<double>()[0]);
                              return Values{v[0], Value(k)};
                            }},
                           f("element")});
  auto source = [items = arrays(9), k = size_t{0}]() mutable -> Result<std::optional<Values>> {
    return std::optional(std::move(items[k++]));
  };
  auto run = p.start(source);
  ASSERT_TRUE(run);
  for (int k = 0; k < 3; ++k) {
    auto v = run->next();
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_EQ((**v)[0].as_double(), 2 * k) << "items before the fault arrive";
  }
  for (int again = 0; again < 2; ++again) {
    auto v = run->next();
    ASSERT_FALSE(v);
    EXPECT_EQ(code(v.error()), "OUT_OF_BOUNDS");
    ASSERT_TRUE(v.error().record);
    EXPECT_EQ(v.error().record->array, "x");
    EXPECT_EQ(v.error().record->index, 3);
    EXPECT_EQ(v.error().message, "pipeline: stage 2 ('element'), item 3");
  }
  ASSERT_TRUE(run->failure());
  EXPECT_EQ(run->failure()->stage, 2);
  EXPECT_EQ(run->failure()->name, "element");
  EXPECT_EQ(run->failure()->item, 3);
  EXPECT_FALSE(run->failure()->exception);
}

TEST_F(PipelineTest, AStageThatThrowsEndsTheRunWithItsException) {
  const Pipeline p =
      made({host("fine", [](int64_t k) { return k; }),
            host("bad", [](int64_t k) { return k == 5 ? throw std::out_of_range("five is too many") : k; })});
  auto run = p.start(numbers(1000));
  ASSERT_TRUE(run);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(run->next());
  auto v = run->next();
  ASSERT_FALSE(v);
  EXPECT_EQ(v.error().text(), "pipeline: stage 2 ('bad'), item 5: five is too many");
  EXPECT_THROW(std::rethrow_exception(run->failure()->exception), std::out_of_range);
  const Pipeline q = made({{"odd", [](Values) -> Result<Values> { throw 7; }}});
  auto odd = q.run({{Value(1.0)}});
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().text(), "pipeline: stage 1 ('odd'), item 0: an exception of an unknown type");
}

TEST_F(PipelineTest, ASourceMayFailAndASinkToo) {
  const Pipeline p = made({host("same", [](int64_t k) { return k; })});
  int arrived = 0;
  const Pipeline::Sink count = [&](Values) -> Status { return ++arrived, Status(); };
  auto broken = [k = int64_t{0}]() mutable -> Result<std::optional<Values>> {
    if (k == 4) throw std::runtime_error("the file ends here");
    return std::optional(Values{Value(k++)});
  };
  Status s = p.run(broken, count);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().text(), "pipeline: the source, item 4: the file ends here");
  EXPECT_EQ(arrived, 4);
  s = p.run([]() -> Result<std::optional<Values>> { return make_error(Code::NotFound, "no file"); }, count);
  EXPECT_EQ(code(s.error()), "NOT_FOUND");
  s = p.run(numbers(1000), [](Values v) -> Status {
    return v[0].raw().i64 < 3 ? Status() : Status(make_error(Code::Host, "the disk is full"));
  });
  EXPECT_EQ(s.error().text(), "the disk is full");
  EXPECT_THROW((void)p.run(numbers(1000), [](Values) -> Status { throw std::logic_error("sink"); }), std::logic_error);
}

TEST_F(PipelineTest, TypesThatDoNotFitAreRefused) {
  auto refused = [&](std::vector<PipelineStage> stages) {
    auto p = Pipeline::create(std::move(stages));
    return p ? "accepted" : code(p.error()) + ": " + p.error().text();
  };
  EXPECT_EQ(refused({}), "USAGE: a pipeline without stages");
  EXPECT_EQ(refused({{"nothing", nullptr}}), "USAGE: stage 1 ('nothing') has no code");
  const std::string names = refused({f("twice"), f("third"), f("plus_one")});
  EXPECT_NE(names.find("TYPE: stage 2 ('third') gives float64, but stage 3 ('plus_one') takes rowmajor float64[1]"),
            std::string::npos)
      << names;
  EXPECT_NE(refused({f("twice"), f("element")}), "accepted") << "the number of values";
  EXPECT_NE(refused({f("twice"), f("matrix")}), "accepted") << "the rank";
  EXPECT_EQ(refused({f("both"), f("element")}), "accepted");
  // What a host function gives is known when it arrives.
  const Pipeline p =
      made({f("twice"), {"text", [](Values) -> Result<Values> { return Values{Value(1.0)}; }}, f("third")});
  auto r = p.run(arrays(1));
  ASSERT_FALSE(r);
  EXPECT_EQ(code(r.error()), "TYPE");
  EXPECT_EQ(r.error().message, "pipeline: stage 3 ('third'), item 0, with what stage 2 ('text') gave");
  EXPECT_EQ(code(p.start(numbers(1), 0).error()), "USAGE");
  EXPECT_EQ(code(p.start(nullptr).error()), "USAGE");
}

TEST_F(PipelineTest, MayBeStoppedAndDestroyedWhileItRuns) {
  const Pipeline p = made({host("a", [](int64_t k) { return k; }), host("b", [](int64_t k) { return k; })});
  for (int taken : {0, 1, 5}) {
    auto run = p.start(numbers(1 << 30), 3);
    ASSERT_TRUE(run);
    for (int k = 0; k < taken; ++k) ASSERT_TRUE(run->next());
  }
  std::mutex m;
  m.lock();  // the stage works on item 2 until the run was stopped
  const Pipeline q = made({host("stuck", [&](int64_t k) { return k == 2 ? (std::lock_guard(m), k) : k; })});
  auto run = q.start(numbers(100));
  ASSERT_TRUE(run);
  std::atomic<int> arrived{0};
  std::thread other([&] {
    while (arrived < 2) std::this_thread::yield();
    run->stop();
  });
  std::string why;
  while (true) {
    auto v = run->next();
    if (!v) {
      why = code(v.error());
      break;
    }
    ++arrived;
  }
  other.join();
  m.unlock();
  EXPECT_EQ(why, "INTERRUPTED");
  EXPECT_EQ(arrived, 2);
}

TEST_F(PipelineTest, AForkedChildHasNoThreads) {
  auto run = made({host("same", [](int64_t k) { return k; })}).start(numbers(100), 2);
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->next());
  const pid_t child = fork();
  if (child == 0) {
    auto v = run->next();
    const bool refused = !v && v.error().code == Code::Forked;
    run->stop();
    { const PipelineRun gone = std::move(*run); }
    _exit(refused ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(run->next());
}

TEST_F(PipelineTest, AnInterruptOfTheHostEndsCompiledStages) {
  static std::atomic<int32_t> flag{0};
  HostBinding host = builtin_binding();
  host.interrupt = reinterpret_cast<const int32_t*>(&flag);
  Options o;
  o.target = Target::Cpu;
  o.disk_cache = false;
  auto engine = Engine::create(o, host);
  ASSERT_TRUE(engine);
  auto module = engine->load(R"(module numpy
def endless(x: float64[:]) -> float64[:]:
    while x[0] >= 0.0:
        x[1] = x[1] + 1.0
    return x
)");
  ASSERT_TRUE(module) << module.error().text();
  const Pipeline p =
      made({{"interrupt", [](Values v) -> Result<Values> { return flag = 1, v; }}, *module->function("endless")});
  auto r = p.run(arrays(3));
  flag = 0;
  ASSERT_FALSE(r);
  EXPECT_EQ(code(r.error()), "INTERRUPTED");
  EXPECT_EQ(r.error().message, "pipeline: stage 2 ('endless'), item 0");
}

TEST_F(PipelineTest, SeveralRunsAtATime) {
  const Pipeline p = made({f("twice"), f("plus_one"), f("third")});
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto r = p.run(arrays(30), 1 + t);
      for (int k = 0; r && k < 30; ++k) right += (*r)[k][0].as_double() == 2 * (k + 2) + 1;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 120);
}

// ---------------------------------------------------------------- on a device
const char* const device_text = R"(module numpy assign=share slices=view
def twice(x: float64[:]) -> float64[:]:
    with gpu():
        y = x * 2.0
    return y
def plus_one(x: float64[:]) -> float64[:]:
    with gpu():
        y = x + 1.0
    return y
def in_place(x: float64[:]) -> float64[:]:
    var i: int64
    with gpu():
        pfor i in range(x.shape[0]) shared (x):
            x[i] = x[i] + 0.5
    return x
def two(x: float64[:]) -> (float64[:], float64[:]):
    with gpu():
        y = x + 1.0
        z = x - 1.0
    return y, z
def join(x: float64[:], y: float64[:]) -> float64[:]:
    with gpu():
        z = x + y
    return z
def part(x: float64[:]) -> float64[:]:
    with gpu():
        y = x + 1.0
    return y[2:]
def bad(x: float64[:]) -> float64[:]:
    var i: int64
    with gpu():
        y = x + 1.0
        pfor i in range(x.shape[0]) shared (x, y):
            y[i + int64(x[0])] = 1.0
    return y
def host(x: float64[:]) -> float64[:]:
    x[0] = x[0] * 1.0
    return x
)";

class PipelineOnDevice : public PipelineTest {
 protected:
  static constexpr int n = 1000, items = 6;
  void SetUp() override {
    setenv("VR_ZERO_COPY", "0", 1);
    Options o;
    o.target = Target::OpenCL;
    o.disk_cache = false;
    auto engine = Engine::create(o);
    if (!engine) GTEST_SKIP() << engine.error().text();
    engine_.emplace(std::move(*engine));
    auto module = engine_->load(device_text);
    ASSERT_TRUE(module) << module.error().text();
    module_.emplace(std::move(*module));
  }
  void TearDown() override { unsetenv("VR_ZERO_COPY"); }
  std::vector<Values> vectors() {
    std::vector<Values> all;
    for (int k = 0; k < items; ++k) {
      Array a = *Array::zeros(Elem::Float64, std::vector<int64_t>{n});
      for (int j = 0; j < n; ++j) a.data_as<double>()[j] = k + j;
      all.push_back({Value(a)});
    }
    return all;
  }
  /// Runs the pipeline; the arrays copied up and down for each item, and element 0 of the last result of item k minus
  /// k.
  struct Outcome {
    double up, down;
    std::vector<double> first;
    std::string error;
  };
  Outcome run(const std::vector<PipelineStage>& stages, int in_flight = 3) {
    const DeviceUse before = engine_->device_use();
    auto r = made(stages).run(vectors(), in_flight);
    const DeviceUse after = engine_->device_use();
    EXPECT_EQ(after.on_host, before.on_host);
    Outcome o{double(after.bytes_up - before.bytes_up) / (8.0 * n * items),
              double(after.bytes_down - before.bytes_down) / (8.0 * n * items),
              {},
              r ? "" : r.error().text()};
    for (int k = 0; r && k < items; ++k) o.first.push_back((*r)[k].back().array().data_as<double>()[0]);
    return o;
  }
  static std::vector<double> expected(double factor, double offset) {
    std::vector<double> all;
    for (int k = 0; k < items; ++k) all.push_back(k * factor + offset);
    return all;
  }
  std::optional<Engine> engine_;
};

TEST_F(PipelineOnDevice, NeighboursHandOverWithoutACopy) {
  for (int in_flight : {1, 2, 5}) {
    const Outcome o = run({f("twice"), f("plus_one"), f("twice"), f("plus_one")}, in_flight);
    EXPECT_EQ(o.error, "");
    EXPECT_EQ(o.first, expected(4, 3));
    EXPECT_EQ(o.up, 1) << "the source's array";
    EXPECT_EQ(o.down, 1) << "the last stage's result";
  }
}

TEST_F(PipelineOnDevice, SeveralArraysAndArraysThatStayTheSame) {
  Outcome o = run({f("two"), f("join"), f("plus_one")});
  EXPECT_EQ(o.first, expected(2, 1));
  EXPECT_EQ(o.up, 1);
  EXPECT_EQ(o.down, 1);
  o = run({f("twice"), f("in_place"), f("in_place"), f("plus_one")});
  EXPECT_EQ(o.first, expected(2, 2));
  EXPECT_EQ(o.up, 1);
  EXPECT_EQ(o.down, 1);
  o = run({f("twice"), f("in_place"), f("in_place")});
  EXPECT_EQ(o.first, expected(2, 1));
  EXPECT_EQ(o.down, 1);
}

TEST_F(PipelineOnDevice, HostStagesGetTheElements) {
  const PipelineStage look{"look", [](Values v) -> Result<Values> {
                             double* x = v[0].array().data_as<double>();
                             for (int j = 0; j < v[0].array().size(); ++j) x[j] += 100;
                             return v;
                           }};
  Outcome o = run({f("twice"), f("plus_one"), look, f("plus_one"), f("twice")});
  EXPECT_EQ(o.first, expected(4, 204));
  EXPECT_EQ(o.up, 2);
  EXPECT_EQ(o.down, 2);
  o = run({f("twice"), f("host"), f("plus_one")});
  EXPECT_EQ(o.first, expected(2, 1)) << "a compiled function without sections";
  o = run({f("part"), f("twice")});
  EXPECT_EQ(o.first, expected(2, 6)) << "a part of an array is handed over through the host";
}

TEST_F(PipelineOnDevice, AnotherEngineGetsTheElements) {
  auto other = Engine::create(engine_->options());
  ASSERT_TRUE(other);
  auto module = other->load(device_text);
  ASSERT_TRUE(module);
  const Outcome o = run({f("twice"), f("plus_one"), *module->function("twice"), *module->function("plus_one")});
  EXPECT_EQ(o.first, expected(4, 3));
}

TEST_F(PipelineOnDevice, NothingStaysOnTheDevice) {
  const Outcome o = run({f("twice"), f("bad"), f("plus_one")});
  EXPECT_NE(o.error.find("pipeline: stage 2 ('bad'), item 1"), std::string::npos) << o.error;
  {
    auto run = made({f("twice"), f("plus_one"), f("twice")})
                   .start([this]() -> Result<std::optional<Values>> { return std::optional(vectors()[0]); }, 5);
    ASSERT_TRUE(run);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(run->next());
  }
  const Outcome again = run({f("twice"), f("plus_one")});
  EXPECT_EQ(again.first, expected(2, 1));
  EXPECT_EQ(again.up, 1);
}

}  // namespace
}  // namespace vr
