// Launches whose arrays are larger than the device's memory: running in chunks of the domain gives bit-identical
// results, with 50 %, 10 %, 3 % and 1 % of the arrays' bytes on the device. Launches that cannot be cut are refused
// with a reason.
#include "runtime/gpu/chunks.hpp"
#include "device/device_fixture.hpp"
#include "device/null/null_device.hpp"
#include "runtime/gpu/device.hpp"

#include <velociraptor/binding.hpp>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

namespace vr::test {
namespace {

using Doubles = std::vector<double>;

const Program& chunk_programs() {
  static const Program* program = [] {
    Module m;
    {
      KernelBuilder k(m, "saxpy", {"i"});  // c[i] = a[i] * s + b[i]
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    b = k.array_param("b", ir::Elem::Float64, 1, false),
                    c = k.array_param("c", ir::Elem::Float64, 1, true);
      const VarId s = k.scalar_param("s", Scalar::Float64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(c, {i}, k.add(k.mul(k.load(a, {i}), k.var(s)), k.load(b, {i}))));
    }
    for (const bool covering : {false, true}) {
      KernelBuilder k(m, covering ? "scale_items" : "scale", {"i"});  // a[i] = a[i] * s + i
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
      const VarId s = k.scalar_param("s", Scalar::Float64);
      k.function().points = covering ? 1 : 0;
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(a, {i}, k.add(k.mul(k.load(a, {i}), k.var(s)), k.convert(i, Scalar::Float64))));
    }
    {
      KernelBuilder k(m, "stencil", {"j", "i"});  // b[i+1, j+1] = sum of five of a
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 2, true);
      k.function().points = 1;
      ExprP j = k.var(k.dim(0)), i = k.var(k.dim(1)), one = k.integer(1), two = k.integer(2);
      ExprP i1 = k.add(i, one), j1 = k.add(j, one), i2 = k.add(i, two), j2 = k.add(j, two);
      ExprP sum = k.add(k.load(a, {i, j1}), k.load(a, {i1, j}));
      sum = k.add(k.add(sum, k.load(a, {i1, j1})), k.add(k.load(a, {i1, j2}), k.load(a, {i2, j1})));
      k.body().push_back(k.store(b, {i1, j1}, sum));
    }
    for (const bool vector : {false, true}) {
      KernelBuilder k(m, vector ? "matvec" : "row_sums", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false);
      const ArrayId x = vector ? k.array_param("x", ir::Elem::Float64, 1, false) : none;
      const ArrayId y = k.array_param("y", ir::Elem::Float64, 1, true);
      const VarId s = k.local("s", Scalar::Float64), j = k.local("j", Scalar::Int64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.set(s, k.real(0)));
      ExprP term = k.load(a, {i, k.var(j)});
      if (vector) term = k.mul(term, k.load(x, {k.var(j)}));
      k.body().push_back(k.loop(j, k.integer(0), k.extent(a, 1), {k.set(s, k.add(k.var(s), term))}));
      k.body().push_back(k.store(y, {i}, k.var(s)));
    }
    {
      KernelBuilder k(m, "triangle", {"i"});  // b[i, j] = a[i, j] + 1 for j <= i
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    b = k.array_param("b", ir::Elem::Float64, 2, true);
      const VarId j = k.local("j", Scalar::Int64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.loop(j, k.integer(0), k.add(i, k.integer(1)),
                                {k.store(b, {i, k.var(j)}, k.add(k.load(a, {i, k.var(j)}), k.real(1)))}));
    }
    {
      KernelBuilder k(m, "gather", {"i"});  // c[i] = a[p[i]], checked
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    p = k.array_param("p", ir::Elem::Int64, 1, false),
                    c = k.array_param("c", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.bounds_check(a, 0, k.load(p, {i}), "gather.vrir:7:3"));
      k.body().push_back(k.store(c, {i}, k.load(a, {k.load(p, {i})})));
    }
    {
      KernelBuilder k(m, "scatter", {"i"});  // c[p[i]] = a[i]
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    p = k.array_param("p", ir::Elem::Int64, 1, false),
                    c = k.array_param("c", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(c, {k.load(p, {i})}, k.load(a, {i})));
    }
    {
      KernelBuilder k(m, "shift", {"i"});  // a[i] = a[i + n] and similar: chunks read what others write
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
      const VarId by = k.scalar_param("by", Scalar::Int64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(a, {i}, k.load(a, {k.add(i, k.var(by))})));
    }
    {
      KernelBuilder k(m, "shift_up", {"i"});  // a[i + by] = a[i]: a chunk reads what the one before it stores
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
      const VarId by = k.scalar_param("by", Scalar::Int64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(a, {k.add(i, k.var(by))}, k.load(a, {i})));
    }
    {
      KernelBuilder k(m, "diagonals", {"j", "i"});  // c[i + j] = a[i, j]: chunks of either dimension store to the same
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 2, false),
                    c = k.array_param("c", ir::Elem::Float64, 1, true);
      ExprP j = k.var(k.dim(0)), i = k.var(k.dim(1));
      k.body().push_back(k.store(c, {k.add(i, j)}, k.load(a, {i, j})));
    }
    return new Program(m);
  }();
  return *program;
}

std::unique_ptr<device::Device> open_driver() {
  return open_host_device ? open_host_device() : gpu::open_device("").driver;
}

Doubles numbers(int64_t n, double start) {
  Doubles x(static_cast<size_t>(n));
  for (size_t k = 0; k < x.size(); ++k) x[k] = std::sin(start + double(k)) * 100;
  return x;
}

struct Launch {
  const char* kernel;
  std::vector<int64_t> counts;
  std::vector<Doubles> arrays;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<vr_value> scalars = {};
  int64_t bytes() const {
    int64_t all = 0;
    for (const Doubles& a : arrays) all += int64_t(a.size()) * 8;
    return all;
  }
};

struct Outcome {
  int32_t code = VR_OK;
  std::string message;
  gpu::Stats stats;
  std::vector<Doubles> arrays;
};

/// Runs the launch `times` times in one section with `limit` bytes of device memory; 0: without a limit.
Outcome run(const Launch& l, int64_t limit, int times = 1) {
  Outcome o;
  auto opened = gpu::Session::open_on(open_driver(), limit);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
  if (!opened) return o;
  vr_context context;
  context.gpu = opened->get();
  o.arrays = l.arrays;
  std::vector<vr_array> described;
  for (size_t k = 0; k < o.arrays.size(); ++k)
    described.push_back(describe(o.arrays[k].data(), VR_FLOAT64, l.shapes[k]));
  std::vector<vr_value> args;
  const vr_kernel* kernel = chunk_programs()[l.kernel];
  for (int32_t p = 0, a = 0, s = 0; p < kernel->param_count; ++p) {
    if (kernel->params[p].kind == VR_PARAM_ARRAY) {
      described[size_t(a)].elem = kernel->params[p].elem;
      args.push_back(value(described[size_t(a++)]));
    } else {
      args.push_back(l.scalars[size_t(s++)]);
    }
  }
  o.code = vr_gpu_section_begin(&context);
  for (int k = 0; k < times && o.code == VR_OK; ++k)
    o.code = vr_gpu_launch(&context, nullptr, kernel, l.counts.data(), args.data());
  if (o.code == VR_OK) {
    EXPECT_LE((*opened)->stats().bytes_on_device, limit > 0 ? limit : INT64_MAX);
    o.code = vr_gpu_section_end(&context);
  }
  o.message = context.error.message;
  (*opened)->abandon(&context);
  o.stats = (*opened)->stats();
  EXPECT_EQ(o.stats.bytes_on_device, 0) << "memory is back";
  return o;
}

class Chunks : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!open_host_device && gpu::list_devices().empty()) GTEST_SKIP() << "no device";
    auto opened = gpu::Session::open_on(open_driver());
    if (!opened || (*opened)->device_info().zero_copy) GTEST_SKIP() << "kernels work in place";
  }
  /// Runs in chunks with this share of the launch's bytes; the results must be bit-identical to those of a single
  /// launch.
  static void compare(const Launch& l, int times = 1, int percent = GetParam()) {
    const Outcome whole = run(l, 0, times), parts = run(l, l.bytes() * percent / 100, times);
    ASSERT_EQ(whole.code, VR_OK) << whole.message;
    ASSERT_EQ(parts.code, VR_OK) << parts.message;
    EXPECT_EQ(whole.stats.in_chunks, 0);
    EXPECT_EQ(parts.stats.in_chunks, times);
    EXPECT_GE(parts.stats.chunks, times * 100 / percent);
    EXPECT_EQ(parts.stats.launches, times);
    for (size_t k = 0; k < whole.arrays.size(); ++k)
      EXPECT_EQ(std::memcmp(whole.arrays[k].data(), parts.arrays[k].data(), whole.arrays[k].size() * 8), 0) << k;
    EXPECT_NE(std::memcmp(l.arrays.back().data(), parts.arrays.back().data(), l.arrays.back().size() * 8), 0);
  }
};

TEST_P(Chunks, OfElements) {
  constexpr int64_t n = 100000;
  compare({"saxpy", {n}, {numbers(n, 1), numbers(n, 2), Doubles(n)}, {{n}, {n}, {n}}, {value(3.0)}});
}

TEST_P(Chunks, OfElementsInPlaceSeveralTimes) {
  constexpr int64_t n = 30001;
  for (const char* kernel : {"scale", "scale_items"}) compare({kernel, {n}, {numbers(n, 1)}, {{n}}, {value(0.5)}}, 3);
}

TEST_P(Chunks, OfAStencil) {
  constexpr int64_t rows = 1500, columns = 40;
  compare({"stencil",
           {columns - 2, rows - 2},
           {numbers(rows * columns, 1), Doubles(rows * columns, 7)},
           {{rows, columns}, {rows, columns}}});
}

TEST_P(Chunks, OfRowSums) {
  constexpr int64_t rows = 1200, columns = 50;
  compare({"row_sums", {rows}, {numbers(rows * columns, 1), Doubles(rows)}, {{rows, columns}, {rows}}});
}

TEST_P(Chunks, OfAMatrixTimesAVector) {
  constexpr int64_t rows = 1500, columns = 40;
  const Launch l = {"matvec",
                    {rows},
                    {numbers(rows * columns, 1), numbers(columns, 2), Doubles(rows)},
                    {{rows, columns}, {columns}, {rows}}};
  compare(l);
  // The vector is copied once.
  EXPECT_EQ(run(l, l.bytes() * GetParam() / 100).stats.bytes_up, (rows + 1) * columns * 8);
}

TEST_P(Chunks, OfATriangle) {
  constexpr int64_t n = 400;
  compare({"triangle", {n}, {numbers(n * n, 1), Doubles(n * n, 7)}, {{n, n}, {n, n}}});
}

TEST_P(Chunks, OnlyTheBytesThatAreUsedMove) {
  constexpr int64_t n = 60000;
  const Launch l = {"saxpy", {n}, {numbers(n, 1), numbers(n, 2), Doubles(n)}, {{n}, {n}, {n}}, {value(3.0)}};
  const Outcome o = run(l, l.bytes() * GetParam() / 100);
  EXPECT_EQ(o.stats.bytes_up, 2 * n * 8);
  EXPECT_EQ(o.stats.bytes_down, n * 8);
}

TEST_P(Chunks, AFaultInOneOfThem) {
  constexpr int64_t n = 20000, table = 10;
  Launch l = {"gather", {n}, {numbers(table, 1), Doubles(n), Doubles(n)}, {{table}, {n}, {n}}};
  std::vector<int64_t> p(n);
  for (int64_t k = 0; k < n; ++k) p[size_t(k)] = k % table;
  std::memcpy(l.arrays[1].data(), p.data(), n * 8);
  if (l.bytes() * GetParam() / 100 > 4000) compare(l);
  p[size_t(n * 3 / 7)] = 99;
  std::memcpy(l.arrays[1].data(), p.data(), n * 8);
  const Outcome o = run(l, l.bytes() * GetParam() / 100);
  EXPECT_EQ(o.code, VR_OUT_OF_BOUNDS) << o.message;
  EXPECT_EQ(o.arrays[2][0], l.arrays[0][0]) << "what was stored is there";
}

INSTANTIATE_TEST_SUITE_P(Percent, Chunks, ::testing::Values(50, 10, 3, 1));

// ---------------------------------------------------------------- calls that end between chunks
/// A session whose memory holds only parts of saxpy's arrays, and a host that is polled between the chunks.
class ChunksThatEnd : public Chunks {
 protected:
  static constexpr int64_t n = 70000;
  void SetUp() override {
    Chunks::SetUp();
    if (IsSkipped()) return;
    auto opened = gpu::Session::open_on(open_driver(), n * 3);
    ASSERT_TRUE(opened) << opened.error().text();
    session_ = std::move(*opened);
    binding_ = builtin_binding();
    binding_.context = this;
    binding_.poll = [](void* self) -> int32_t {
      auto& test = *static_cast<ChunksThatEnd*>(self);
      return test.on_poll_(++test.polls_);
    };
  }
  /// A section with saxpy in chunks, c = 2 a + b.
  int32_t saxpy(vr_context& context) {
    context.gpu = session_.get();
    context.host = &binding_;
    context.interrupt = &flag_;
    if (const int32_t code = vr_gpu_section_begin(&context)) return code;
    int32_t code = launch(context, "saxpy", c_);
    if (code == VR_OK) code = vr_gpu_section_end(&context);
    session_->abandon(&context);
    EXPECT_EQ(session_->stats().bytes_on_device, 0) << "memory is back";
    return code;
  }
  int32_t launch(vr_context& context, const char* kernel, Doubles& c) {
    vr_array a = describe(a_.data(), VR_FLOAT64, {n}), b = describe(b_.data(), VR_FLOAT64, {n}),
             out = describe(c.data(), VR_FLOAT64, {n});
    const vr_value args[] = {value(a), value(b), value(out), value(2.0)};
    return vr_gpu_launch(&context, nullptr, chunk_programs()[kernel], &n, args);
  }
  /// The number of elements that were computed. They must be the first ones, and all others must be unchanged.
  int64_t computed(const Doubles& c) const {
    int64_t k = 0;
    while (k < n && c[size_t(k)] == a_[size_t(k)] * 2 + b_[size_t(k)]) ++k;
    for (int64_t rest = k; rest < n; ++rest) EXPECT_EQ(c[size_t(rest)], untouched) << rest;
    return k;
  }
  void expect_usable() {
    flag_ = 0;
    std::fill(c_.begin(), c_.end(), untouched);
    vr_context context;
    EXPECT_EQ(saxpy(context), VR_OK) << context.error.message;
    EXPECT_EQ(computed(c_), n);
  }

  static constexpr double untouched = 12345;
  std::unique_ptr<gpu::Session> session_;
  HostBinding binding_;
  int32_t flag_ = 1;
  std::atomic<int> polls_{0};
  std::function<int32_t(int)> on_poll_ = [](int) { return 0; };
  Doubles a_ = numbers(n, 1), b_ = numbers(n, 2), c_ = Doubles(n, untouched);
};

TEST_F(ChunksThatEnd, PollRunsBeforeEachChunk) {
  vr_context context;
  ASSERT_EQ(saxpy(context), VR_OK) << context.error.message;
  EXPECT_EQ(computed(c_), n);
  EXPECT_GE(session_->stats().chunks, 7);
  EXPECT_EQ(polls_, session_->stats().chunks);
}

TEST_F(ChunksThatEnd, PollEndsTheCallAfterTheThirdChunk) {
  on_poll_ = [](int count) { return int32_t(count == 4); };
  vr_context context;
  EXPECT_EQ(saxpy(context), VR_INTERRUPTED);
  EXPECT_EQ(context.error.code, VR_INTERRUPTED);
  EXPECT_EQ(session_->stats().chunks, 3);
  EXPECT_GT(computed(c_), 0);
  EXPECT_LT(computed(c_), n);
  expect_usable();
}

/// A failure in another thread ends the chunks, and the host is not polled again.
TEST_F(ChunksThatEnd, FaultOfAnotherThread) {
  vr_context context;
  on_poll_ = [&](int count) {
    if (count == 3) context.failed.store(VR_OUT_OF_BOUNDS);
    return 0;
  };
  EXPECT_EQ(saxpy(context), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(polls_, 3);
  EXPECT_EQ(session_->stats().chunks, 3);
  EXPECT_LT(computed(c_), n);
  expect_usable();
}

/// The section is not locked while the host is polled, and tasks of other threads do not take the launch's memory.
TEST_F(ChunksThatEnd, OtherThreadsUseTheSectionWhileTheHostIsPolled) {
  vr_context context;
  Doubles other(n, untouched);
  std::thread thread;
  std::atomic<int32_t> launched{-1};
  on_poll_ = [&](int count) {
    if (count != 3) return 0;
    session_->settle(&context);
    thread = std::thread([&] { launched = launch(context, "saxpy", other); });
    return 0;
  };
  context.gpu = session_.get();
  context.host = &binding_;
  context.interrupt = &flag_;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(launch(context, "saxpy", c_), VR_OK) << context.error.message;
  thread.join();
  EXPECT_EQ(launched, VR_OK) << context.error.message;
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(computed(c_), n);
  EXPECT_EQ(computed(other), n);
  EXPECT_EQ(session_->stats().in_chunks, 2);
}

TEST_F(ChunksThatEnd, FaultInTheThirdOfSeven) {
  std::vector<int64_t> p(n);
  Doubles table = numbers(10, 3);
  vr_array a = describe(table.data(), VR_FLOAT64, {10}), b = describe(p.data(), VR_INT64, {n}),
           c = describe(c_.data(), VR_FLOAT64, {n});
  for (int64_t k = 0; k < n; ++k) p[size_t(k)] = k % 10;
  const vr_value args[] = {value(a), value(b), value(c)};
  flag_ = 0;
  for (const bool faulty : {true, false}) {
    p[size_t(n * 5 / 14)] = faulty ? 10 : 0;
    vr_context context;
    context.gpu = session_.get();
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    int32_t code = vr_gpu_launch(&context, nullptr, chunk_programs()["gather"], &n, args);
    if (code == VR_OK) code = vr_gpu_section_end(&context);
    session_->abandon(&context);
    EXPECT_EQ(code, faulty ? VR_OUT_OF_BOUNDS : VR_OK) << context.error.message;
    EXPECT_EQ(context.error.index, faulty ? 10 : 0);
    EXPECT_EQ(session_->stats().bytes_on_device, 0) << "memory is back";
  }
  for (int64_t k = 0; k < n; ++k) ASSERT_EQ(c_[size_t(k)], table[size_t(p[size_t(k)])]) << k;
  EXPECT_EQ(session_->stats().in_chunks, 2);
  EXPECT_GE(session_->stats().chunks, 14);
  expect_usable();
}

// ---------------------------------------------------------------- launches that cannot be cut
TEST_F(Chunks, StoresAtSubscriptsThatAreReadAreRefused) {
  constexpr int64_t n = 10000;
  const Outcome o = run({"scatter", {n}, {numbers(n, 1), Doubles(n), Doubles(n)}, {{n}, {n}, {n}}}, n * 8);
  EXPECT_EQ(o.code, VR_DEVICE);
  EXPECT_NE(o.message.find("does not run in parts"), std::string::npos) << o.message;
}

TEST_F(Chunks, DependentChunksAreRefused) {
  constexpr int64_t n = 10000;
  // No chunk needs elements that another one writes, but each one covers what lies between its two blocks.
  const Launch apart = {"shift", {n / 2}, {numbers(n, 1)}, {{n}}, {value(n / 2)}};
  compare(apart, 1, 95);
  const Outcome o = run({"shift", {n - 1}, {numbers(n, 1)}, {{n}}, {value(int64_t{1})}}, n * 4);
  EXPECT_EQ(o.code, VR_DEVICE);
  EXPECT_NE(o.message.find("what one writes"), std::string::npos) << o.message;
  const Outcome up = run({"shift_up", {n - 1}, {numbers(n, 1)}, {{n}}, {value(int64_t{1})}}, n * 4);
  EXPECT_EQ(up.code, VR_DEVICE);
  EXPECT_NE(up.message.find("one would read what another one writes"), std::string::npos) << up.message;
}

TEST_F(Chunks, StoresOfSeveralChunksToTheSameElementsAreRefused) {
  constexpr int64_t rows = 500, columns = 40;
  const Launch l = {"diagonals",
                    {columns, rows},
                    {Doubles(rows * columns, 3), Doubles(rows + columns - 1)},
                    {{rows, columns}, {rows + columns - 1}}};
  EXPECT_EQ(run(l, 0).arrays[1], Doubles(rows + columns - 1, 3));
  const Outcome o = run(l, l.bytes() / 4);
  EXPECT_EQ(o.code, VR_DEVICE);
  EXPECT_NE(o.message.find("several of them would write"), std::string::npos) << o.message;
}

TEST_F(Chunks, IterationLargerThanTheDeviceIsRefused) {
  constexpr int64_t columns = 20000;
  const Outcome o = run({"row_sums", {4}, {numbers(4 * columns, 1), Doubles(4)}, {{4, columns}, {4}}}, columns * 4);
  EXPECT_EQ(o.code, VR_DEVICE);
  EXPECT_NE(o.message.find("one iteration needs more"), std::string::npos) << o.message;
}

// ---------------------------------------------------------------- plans
/// a[i] = ..., by tiles of 4 iterations that are 32 apart.
TEST(ChunkPlans, TileCountsAsItsIterations) {
  constexpr int64_t n = 100000;
  AccessTable table;
  table.values.push_back({AccessValue::Kind::Scalar, 1, 0, {}});
  table.loops.push_back({{}, {{1, -1, {0}}}, 4, 32});
  ArrayAccess store;
  store.bytes = 8;
  store.written = true;
  store.loops = {0};
  store.offset = {{8, 0, {}}};
  table.accesses.push_back(store);
  // As in generated code.
  table = AccessTable::from(table.words().data());
  const vr_kernel_param params[] = {{VR_PARAM_ARRAY, VR_FLOAT64, 1, 1, "a"}, {VR_PARAM_SCALAR, VR_INT64, 0, 0, ""}};
  vr_kernel kernel = {};
  kernel.dims = 1;
  kernel.param_count = 2;
  kernel.params = params;
  kernel.groups_param = -1;
  kernel.points = 1;
  constexpr uintptr_t start = uintptr_t{1} << 40;
  vr_array a = describe(reinterpret_cast<void*>(start), VR_FLOAT64, {n});
  const vr_value args[] = {value(a), value(n)};
  const int64_t count = (n + 127) / 128 * 32;
  const auto exactly = [](int64_t bytes) { return bytes; };
  for (const int64_t room : {n * 4, n, n / 4}) {
    const gpu::Chunks plan = gpu::plan_chunks(table, kernel, &count, args, room, 3, exactly);
    ASSERT_EQ(plan.why, "");
    EXPECT_EQ(plan.slots, 3);
    int64_t next = 0, most = 0;
    for (const gpu::Chunk& c : plan.chunks) {
      EXPECT_EQ(c.lo, next);
      EXPECT_EQ(c.lo % 32, 0);
      next = c.hi;
      ASSERT_EQ(c.pieces.size(), 1u);
      EXPECT_EQ(c.pieces[0].hull.lo, start + uintptr_t(c.lo * 4 * 8));
      EXPECT_EQ(c.pieces[0].hull.hi, start + uintptr_t(std::min(c.hi * 4, n) * 8));
      EXPECT_TRUE(c.pieces[0].read.empty());
      most = std::max(most, int64_t(c.pieces[0].hull.bytes()));
    }
    EXPECT_EQ(next, count);
    EXPECT_LE(3 * most, room);
  }
  // One group of tiles has 1024 bytes: two of them at a time, one, and none.
  EXPECT_EQ(gpu::plan_chunks(table, kernel, &count, args, 2500, 3, exactly).slots, 2);
  EXPECT_EQ(gpu::plan_chunks(table, kernel, &count, args, 1024, 3, exactly).slots, 1);
  EXPECT_EQ(gpu::plan_chunks(table, kernel, &count, args, 1023, 3, exactly).why, "one iteration needs more");
  EXPECT_EQ(gpu::plan_chunks(table, kernel, &count, args, 2500, 3, exactly, 1, count).slots, 2);
  EXPECT_EQ(gpu::plan_chunks(table, kernel, &count, args, 2500, 3, exactly, 1, count - 1).why,
            "its work-items are too many to be numbered from the middle");
  vr_kernel tiles = kernel;
  tiles.points = 4;
  EXPECT_EQ(gpu::first_item(tiles, 0, 100), 25);
  EXPECT_EQ(gpu::first_item(tiles, 1, 100), 100);
  tiles.team = 32;
  EXPECT_EQ(gpu::first_item(tiles, 0, 100), 3200) << "a team for each iteration";
}

// ---------------------------------------------------------------- plans for arrays larger than any machine's memory
TEST(ChunksOfTheNullDevice, TerabytesThroughAGigabyte) {
  const auto counts = std::make_shared<NullCounts>();
  constexpr int64_t gigabyte = int64_t{1} << 30, n = int64_t{1} << 36;
  {
    auto opened = gpu::Session::open_on(open_null_device(counts, gigabyte));
    ASSERT_TRUE(opened) << opened.error().text();
    vr_context context;
    context.gpu = opened->get();
    // Nothing accesses these addresses.
    vr_array a = describe(reinterpret_cast<void*>(int64_t{1} << 42), VR_FLOAT64, {n}),
             b = describe(reinterpret_cast<void*>(int64_t{1} << 43), VR_FLOAT64, {n}),
             c = describe(reinterpret_cast<void*>(int64_t{1} << 44), VR_FLOAT64, {n});
    const vr_value args[] = {value(a), value(b), value(c), value(2.0)};
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    ASSERT_EQ(vr_gpu_launch(&context, nullptr, chunk_programs()["saxpy"], &n, args), VR_OK) << context.error.message;
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
    EXPECT_EQ(counts->bytes_up, 2 * 8 * n);
    EXPECT_LE(counts->most_bytes, gigabyte);
    EXPECT_EQ((*opened)->stats().in_chunks, 1);
    EXPECT_EQ((*opened)->stats().chunks, counts->launches);
    EXPECT_LT(counts->launches, 2 * 3 * (3 * 8 * n / gigabyte));
  }
  EXPECT_EQ(counts->objects, 0);
}

}  // namespace
}  // namespace vr::test
