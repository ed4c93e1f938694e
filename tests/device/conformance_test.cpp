// What the runtime relies on, tested for every driver of the device layer: that of this machine's device, the
// in-process host device (in a program of its own), and the null driver, for which only the counts can be compared.
#include "device/device_fixture.hpp"
#include "device/null/null_device.hpp"
#include "runtime/gpu/device.hpp"

#include <cstring>
#include <numeric>

namespace vr::test {
namespace {

using Bytes = std::vector<unsigned char>;

/// scale: a[i] = a[i] * c.
const Program& conformance_programs() {
  static const Program* program = [] {
    Module m;
    KernelBuilder k(m, "scale", {"i"});
    const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
    const VarId c = k.scalar_param("c", Scalar::Float64);
    ExprP i = k.var(k.dim(0));
    k.body().push_back(k.store(a, {i}, k.mul(k.load(a, {i}), k.var(c))));
    return new Program(m);
  }();
  return *program;
}

class Conformance : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string which = GetParam();
    computes = which != "null";
    if (which == "null") {
      device = open_null_device(counts, int64_t{1} << 30);
    } else if ((which == "host") != (open_host_device != nullptr)) {
      GTEST_SKIP() << "the other program has this driver";
    } else if (which == "host") {
      device = open_host_device();
    } else {
      try {
        device = gpu::open_device("").driver;
      } catch (const device::Failure& f) {
        GTEST_SKIP() << f.message;
      }
    }
    queue = device->make_queue(false);
  }
  static Bytes ramp(size_t n) {
    Bytes b(n);
    std::iota(b.begin(), b.end(), static_cast<unsigned char>(1));
    return b;
  }
  Bytes contents(device::Buffer& b, size_t bytes, device::Queue* q = nullptr) {
    Bytes all(bytes);
    (q ? *q : *queue).copy_down(b, {0, all.data(), bytes});
    return all;
  }
  /// Sets all arguments of scale; `error` is the fault buffer.
  static void set(device::Kernel& k, device::Buffer& a, int64_t n, double c, device::Buffer& error) {
    const int64_t zero = 0, stride = 8;
    k.set(0, a);
    k.set(1, &zero, sizeof zero);
    k.set(2, &n, sizeof n);
    k.set(3, &stride, sizeof stride);
    k.set(4, &c, sizeof c);
    k.set(5, &n, sizeof n);
    k.set(6, error);
  }
  static device::Grid grid(size_t n) {
    device::Grid g;
    g.global[0] = n;
    g.local[0] = 1;
    return g;
  }
  void expect(const Bytes& got, const Bytes& want) const {
    if (computes) {
      EXPECT_EQ(got, want);
    }
  }

  std::shared_ptr<NullCounts> counts = std::make_shared<NullCounts>();
  bool computes = true;
  std::unique_ptr<device::Device> device;
  std::unique_ptr<device::Queue> queue;
};

TEST_P(Conformance, TheDeviceHasANameAndLimits) {
  const device::Info& info = device->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_NE(info.text().find(info.name), std::string::npos);
  EXPECT_GT(info.compute_units, 0);
  EXPECT_GT(info.limits.memory_bytes, 0);
  EXPECT_GT(info.limits.max_alloc_bytes, 0);
  EXPECT_GE(info.limits.max_group, 1);
  for (const size_t items : info.limits.max_items) EXPECT_GE(items, 1u);
}

TEST_P(Conformance, CopiesGoToTheirOffsetsInOrder) {
  const Bytes from = ramp(64);
  const auto buffer = device->allocate(64, from.data());
  expect(contents(*buffer, 64), from);
  const Bytes more = {200, 201, 202, 203};
  queue->copy_up(*buffer, {10, more.data(), 4}, nullptr);
  queue->copy_up(*buffer, {12, more.data(), 1}, nullptr);
  Bytes part(5);
  queue->copy_down(*buffer, {9, part.data(), 5});
  expect(part, {10, 200, 201, 200, 203});
}

TEST_P(Conformance, RowsLeaveTheBytesBetweenThem) {
  const Bytes none(64, 0), from = ramp(64);
  const auto buffer = device->allocate(64, none.data());
  queue->copy_up(*buffer, {8, from.data() + 8, 2, 5, 7}, nullptr);
  Bytes want = none;
  for (size_t k = 0; k < 5; ++k)
    for (size_t r = 0; r < 2; ++r) want[8 + k * 7 + r] = from[8 + k * 7 + r];
  expect(contents(*buffer, 64), want);
  Bytes to(64, 99);
  queue->copy_down(*buffer, {8, to.data() + 8, 3, 3, 14});
  Bytes rows(64, 99);
  for (size_t k = 0; k < 3; ++k)
    for (size_t r = 0; r < 3; ++r) rows[8 + k * 14 + r] = want[8 + k * 14 + r];
  expect(to, rows);
}

TEST_P(Conformance, FillsAndCopiesBetweenBuffers) {
  const Bytes from = ramp(32);
  const auto a = device->allocate(32, from.data()), b = device->allocate(32);
  queue->fill(*b, 0, 32, 7, nullptr);
  queue->copy(*a, 4, *b, 8, 16, {}, nullptr);
  Bytes want(32, 7);
  std::copy_n(from.begin() + 4, 16, want.begin() + 8);
  expect(contents(*b, 32), want);
}

TEST_P(Conformance, CommandsOutsideOfABufferAreRefused) {
  const auto buffer = device->allocate(32);
  Bytes memory(64);
  EXPECT_THROW(queue->copy_up(*buffer, {16, memory.data(), 17}, nullptr), device::Failure);
  EXPECT_THROW(queue->copy_down(*buffer, {33, memory.data(), 1}), device::Failure);
  EXPECT_THROW(queue->copy_up(*buffer, {0, memory.data(), 8, 4, 16}, nullptr), device::Failure);
  EXPECT_THROW(queue->fill(*buffer, 30, 4, 1, nullptr), device::Failure);
  queue->finish();
}

TEST_P(Conformance, MoreMemoryThanThereIsIsRefused) {
  EXPECT_THROW(device->allocate(size_t(1) << 62), device::Failure);
  EXPECT_THROW(device->allocate(0), device::Failure);
}

TEST_P(Conformance, EventsOrderQueues) {
  const auto other = device->make_queue(false);
  const auto a = device->allocate(1024), b = device->allocate(1024);
  for (unsigned char round = 1; round < 20; ++round) {
    const Bytes from(1024, round);
    device::EventPtr up, copied;
    queue->copy_up(*a, {0, from.data(), 1024}, &up);
    queue->flush();
    device::Event* const waits[] = {up.get()};
    other->copy(*a, 0, *b, 0, 1024, waits, &copied);
    other->flush();
    // The next round must not overwrite data that is still to be copied.
    device::Event* const then[] = {copied.get()};
    queue->barrier(then);
    expect(contents(*b, 1024, other.get()), from);
    EXPECT_EQ(up->wait(), "");
  }
  queue->finish();
}

TEST_P(Conformance, AMarkerIsTheEndOfEverythingBefore) {
  const auto other = device->make_queue(false);
  const auto a = device->allocate(256), b = device->allocate(256);
  queue->fill(*a, 0, 256, 5, nullptr);
  queue->fill(*a, 100, 1, 6, nullptr);
  const device::EventPtr marker = queue->marker();
  queue->flush();
  device::Event* const waits[] = {marker.get()};
  other->copy(*a, 0, *b, 0, 256, waits, nullptr);
  Bytes want(256, 5);
  want[100] = 6;
  expect(contents(*b, 256, other.get()), want);
  queue->finish();
}

TEST_P(Conformance, ACopyToTheHostEndsWithItsEvent) {
  const Bytes from = ramp(128);
  const auto a = device->allocate(128, from.data());
  Bytes to(128);
  device::EventPtr down;
  queue->start_copy_down(*a, {0, to.data(), 128}, &down);
  queue->flush();
  EXPECT_EQ(down->wait(), "");
  EXPECT_EQ(down->wait(), "");
  expect(to, from);
  queue->finish();
}

TEST_P(Conformance, ALaunchUsesTheArgumentsThatWereSetBeforeIt) {
  constexpr int64_t n = 100;
  const vr_kernel& scale = *conformance_programs()["scale"];
  const auto program = device->build(scale.source, scale.options);
  const auto kernel = program->kernel("scale");
  ASSERT_EQ(kernel->argument_count(), 7u);
  EXPECT_GE(kernel->max_group(), 1u);
  std::vector<double> x(n, 1), y(n);
  const auto a = device->allocate(n * 8, x.data()), error = device->allocate(64, Bytes(64).data());
  set(*kernel, *a, n, 3, *error);
  queue->launch(*kernel, grid(n), {}, nullptr);
  const double c = 5;
  kernel->set(4, &c, sizeof c);  // not the value of the previous launch; the other arguments are unchanged
  device::EventPtr event;
  queue->launch(*kernel, grid(n), {}, &event);
  queue->copy_down(*a, {0, y.data(), n * 8});
  EXPECT_EQ(event->wait(), "");
  if (computes) {
    EXPECT_EQ(y, std::vector<double>(n, 15));
  }
}

TEST_P(Conformance, TheFirstWorkItemHasTheOffset) {
  constexpr int64_t n = 100;
  const vr_kernel& scale = *conformance_programs()["scale"];
  const auto program = device->build(scale.source, scale.options);
  const auto kernel = program->kernel("scale");
  std::vector<double> x(n, 1), y(n), want(n, 1);
  std::fill(want.begin() + 40, want.begin() + 70, 3);
  const auto a = device->allocate(n * 8, x.data()), error = device->allocate(64, Bytes(64).data());
  set(*kernel, *a, 70, 3, *error);
  device::Grid g = grid(30);
  g.offset[0] = 40;
  queue->launch(*kernel, g, {}, nullptr);
  queue->copy_down(*a, {0, y.data(), n * 8});
  if (computes) {
    EXPECT_EQ(y, want);
  }
}

TEST_P(Conformance, ALaunchWithoutAnArgumentIsRefused) {
  const vr_kernel& scale = *conformance_programs()["scale"];
  const auto kernel = device->build(scale.source, scale.options)->kernel("scale");
  EXPECT_THROW(queue->launch(*kernel, grid(1), {}, nullptr), device::Failure);
  const int64_t v = 0;
  EXPECT_THROW(kernel->set(7, &v, sizeof v), device::Failure);
  queue->finish();
}

TEST_P(Conformance, BuildErrorsAndMissingKernelsAreReported) {
  try {
    device->build("this is no program", "");
    ADD_FAILURE() << "it was built";
  } catch (const device::BuildRefused& f) {
    EXPECT_NE(f.message.find(device->info().text()), std::string::npos) << f.message;
  }
  const vr_kernel& scale = *conformance_programs()["scale"];
  EXPECT_THROW(device->build(scale.source, scale.options)->kernel("nowhere"), device::Failure);
}

TEST_P(Conformance, ABinaryIsTheProgram) {
  EXPECT_EQ(device->load("no binary", ""), nullptr);
  const vr_kernel& scale = *conformance_programs()["scale"];
  const std::string binary = device->build(scale.source, scale.options)->binary();
  if (binary.empty()) GTEST_SKIP() << "the driver has no binaries";
  const auto program = device->load(binary, scale.options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernel("scale")->argument_count(), 7u);
}

TEST_P(Conformance, KernelsUseHostMemoryInPlaceIfSupported) {
  if (!device->works_in_place()) GTEST_SKIP() << "nothing is in place";
  constexpr int64_t n = 64;
  alignas(128) static double x[n];
  std::fill(x, x + n, 2);
  const vr_kernel& scale = *conformance_programs()["scale"];
  const auto program = device->build(scale.source, scale.options);
  const auto kernel = program->kernel("scale");
  const auto a = device->wrap(x, sizeof x), error = device->allocate(64, Bytes(64).data());
  set(*kernel, *a, n, 4, *error);
  for (int round = 0; round < 2; ++round) {
    queue->launch(*kernel, grid(n), {}, nullptr);
    void* const mapped = queue->map(*a, sizeof x);
    EXPECT_EQ(mapped, static_cast<void*>(x));
    EXPECT_EQ(x[n - 1], round ? 32 : 8);
    queue->unmap(*a, mapped);
  }
  queue->finish();
}

TEST_P(Conformance, PinnedMemoryIsReadableAndWritable) {
  const auto pinned = device->pin(4096);
  if (!pinned) GTEST_SKIP() << "there is none";
  const Bytes from = ramp(4096);
  std::memcpy(pinned->memory(), from.data(), from.size());
  const auto a = device->allocate(4096);
  queue->copy_up(*a, {0, pinned->memory(), 4096}, nullptr);
  queue->finish();
  std::memset(pinned->memory(), 0, 4096);
  queue->copy_down(*a, {0, pinned->memory(), 4096});
  EXPECT_EQ(std::memcmp(pinned->memory(), from.data(), 4096), 0);
}

INSTANTIATE_TEST_SUITE_P(Drivers, Conformance, ::testing::Values("machine", "host", "null"),
                         [](const auto& info) { return std::string(info.param); });

// ---------------------------------------------------------------- sessions on the null device
TEST(NullDevice, ASessionMovesTheBytesThatItsKernelsNeed) {
  const auto counts = std::make_shared<NullCounts>();
  {
    auto opened = gpu::Session::open_on(open_null_device(counts, int64_t{1} << 30));
    ASSERT_TRUE(opened) << opened.error().text();
    gpu::Session& session = **opened;
    vr_context context;
    context.gpu = &session;
    std::vector<double> x(1000, 1);
    vr_array a = describe(x.data(), VR_FLOAT64, {1000});
    const vr_value args[] = {value(a), value(2.0)};
    ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
    for (int k = 0; k < 5; ++k)
      ASSERT_EQ(vr_gpu_launch(&context, nullptr, conformance_programs()["scale"], a.extent, args), VR_OK)
          << context.error.message;
    ASSERT_EQ(vr_gpu_section_end(&context), VR_OK) << context.error.message;
    EXPECT_EQ(counts->launches, 5);
    EXPECT_EQ(counts->builds, 1);
    EXPECT_EQ(counts->bytes_up, 8000);
    EXPECT_EQ(session.stats().bytes_down, 8000);
    EXPECT_EQ(x, std::vector<double>(1000, 1)) << "it computes nothing";
  }
  EXPECT_EQ(counts->objects, 0);
}

}  // namespace
}  // namespace vr::test
