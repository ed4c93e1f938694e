// The CUDA driver on the stand-in for its library: what the conformance suite, which this program runs as well, does
// not ask of every driver.
#include "device/cuda/fake_device.hpp"
#include "device/device_fixture.hpp"
#include "device/host/objects.hpp"
#include "device/kernel_builder.hpp"
#include "runtime/device/cuda/devices.hpp"
#include "runtime/device/cuda/ptx.hpp"
#include "runtime/gpu/device.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

namespace vr::test {
namespace {

using device::BuildRefused;
using device::Failure;
using device::NoMemory;
using ::testing::HasSubstr;

const std::string kernels =
    ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n\n"
    ".entry two(\n\t.param .u64 .ptr .global .align 8 two_param_0,\n\t.param .u32 two_param_1\n)\n{\n"
    "\tmov.b32 \t%r1, %envreg3;\n\tret;\n}\n";

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override {
    reset_fake_cuda();
    before_ = fake_cuda().objects;  // the session of the other tests
    open();
  }
  void TearDown() override {
    close();
    EXPECT_EQ(fake_cuda().objects, before_);
    EXPECT_EQ(fake_cuda().contexts_pushed, 0);
    reset_fake_cuda();
    fake_cuda_devices();
  }
  void open() {
    device = fake_cuda_devices().at(0).open();
    queue = device->make_queue(false);
  }
  void close() {
    fake_cuda().fail_after = -1;
    queue.reset();
    device.reset();
  }
  /// The kernel of `kernels` with its arguments.
  std::unique_ptr<device::Kernel> kernel(device::Buffer& buffer, uint32_t value = 7) {
    auto k = device->build(kernels, "")->kernel("two");
    k->set(0, buffer);
    k->set(1, &value, sizeof value);
    return k;
  }
  static device::cuda::Environment environment(const FakeLaunch& l) {
    device::cuda::Environment e;
    EXPECT_EQ(l.arguments.back().size(), sizeof e);
    std::memcpy(&e, l.arguments.back().data(), sizeof e);
    return e;
  }
  template <class F>
  static std::string failure(F&& f) {
    try {
      f();
    } catch (const Failure& why) {
      return why.message;
    }
    return "it did not fail";
  }

  std::unique_ptr<device::Device> device;
  std::unique_ptr<device::Queue> queue;
  long before_ = 0;
};

// ---------------------------------------------------------------- finding devices
TEST_F(Cuda, DevicesAreThoseThatACompilerIsFor) {
  fake_cuda().devices = 2;
  auto found = fake_cuda_devices();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].info.id, "cuda:1");
  EXPECT_EQ(found[1].info.text(), "Host device (CUDA)");
  EXPECT_EQ(found[1].info.version, "CUDA 12.4");
  EXPECT_EQ(found[1].bus, "0000:5e:00.0");
  EXPECT_NE(found[1].info.identity(), fake_compilers()[2].info.identity());
  // Numbers are CUDA's.
  fake_cuda().buses[0] = "0000:01:00.0";
  found = fake_cuda_devices();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].info.id, "cuda:1");
  fake_cuda().devices = 1;
  EXPECT_THAT(failure([] { fake_cuda_devices(); }), HasSubstr("does not list the device at 0000:01:00.0"));
}

TEST_F(Cuda, WhyThereIsNoDeviceIsSaid) {
  const auto why = [](const std::string& library) {
    return failure([&] { device::cuda::find_devices(fake_compilers(), library); });
  };
  EXPECT_THAT(why("/nowhere/libcuda.so.1"), HasSubstr("could not be opened: /nowhere/libcuda.so.1: "));
  EXPECT_THAT(why(VR_OLD_LIBCUDA), HasSubstr("is of CUDA 10.2, and 11.0 or later is needed"));
  EXPECT_THAT(why(VR_BARE_LIBCUDA), HasSubstr("has no function cuGetErrorName"));
  fake_cuda().init_code = 100;
  EXPECT_THAT(why(VR_FAKE_LIBCUDA), HasSubstr("cuInit failed: CUDA_ERROR_NO_DEVICE"));
  fake_cuda().init_code = 0;
  fake_cuda().devices = 0;
  EXPECT_THAT(why(VR_FAKE_LIBCUDA), HasSubstr("finds none"));
  // It is asked again each time.
  fake_cuda().devices = 1;
  EXPECT_EQ(fake_cuda_devices().size(), 1u);
}

TEST_F(Cuda, ANameWithoutANumberIsOfTheUsualDriver) {
  ASSERT_EQ(setenv("VR_CUDA_LIBRARY", "/nowhere/libcuda.so.1", 1), 0);
  EXPECT_THAT(failure([] { gpu::open_device("cuda:0"); }), HasSubstr("no CUDA device: CUDA's driver library"));
  EXPECT_THAT(failure([] { gpu::open_device("CUDA:0"); }), HasSubstr("/nowhere/libcuda.so.1"));
  EXPECT_THAT(failure([] { gpu::open_devices("", "cuda:0,cuda:1"); }), HasSubstr("/nowhere/libcuda.so.1"));
  EXPECT_THAT(failure([] { gpu::open_device("hip:0"); }), ::testing::Not(HasSubstr("nowhere")));
  for (const auto& f : device::find_devices()) EXPECT_EQ(f.info.id.substr(0, 7), "opencl:");
  // All devices but this machine's GPUs have no compiler for CUDA.
  ASSERT_EQ(setenv("VR_CUDA_LIBRARY", VR_FAKE_LIBCUDA, 1), 0);
  EXPECT_THAT(failure([] { gpu::open_device("cuda:0"); }), HasSubstr("does not list the device at 0000:3b:00.0"));
  for (const auto& f : device::find_devices("opencl")) EXPECT_EQ(f.info.id.substr(0, 7), "opencl:");
  EXPECT_TRUE(device::find_devices("hip").empty());
  unsetenv("VR_CUDA_LIBRARY");
}

// ---------------------------------------------------------------- memory and copies
TEST_F(Cuda, MemoryThatIsUsedUpIsToldApart) {
  try {
    device->allocate((size_t{1} << 28) + 1);
    ADD_FAILURE() << "it was allocated";
  } catch (const NoMemory& why) {
    EXPECT_TRUE(why.of_device);
    EXPECT_THAT(why.message, HasSubstr("cuMemAlloc of 257 MiB on Host device (CUDA) failed: CUDA_ERROR_OUT_OF_MEMORY "
                                       "(out of memory)"));
  }
  EXPECT_THROW(device->allocate(size_t(device->info().limits.memory_bytes) + 1), NoMemory);
  fake_cuda().fail_after = 2;  // after the two calls that make the context current
  EXPECT_THAT(failure([&] { device->allocate(8); }), HasSubstr("failed: CUDA_ERROR_UNKNOWN"));
  EXPECT_EQ(fake_cuda().failed, "cuMemAlloc_v2");
  fake_cuda().fail_after = 2;
  EXPECT_EQ(device->pin(8), nullptr);
}

TEST_F(Cuda, RowsAreOneCommandUnlessTheyAreTooFarApart) {
  std::vector<char> from(3 * 5000), to(from.size(), 1);
  std::iota(from.begin(), from.end(), char(3));
  const auto buffer = device->allocate(from.size(), std::vector<char>(from.size()).data());
  for (const size_t stride : {size_t{100}, size_t{4096}, size_t{4097}}) {
    const long before = fake_cuda().commands_2d;
    queue->copy_up(*buffer, {5, from.data() + 5, 60, 3, stride}, nullptr);
    queue->copy_down(*buffer, {5, to.data() + 5, 50, 3, stride});
    EXPECT_EQ(fake_cuda().commands_2d - before, stride <= 4096 ? 2 : 0);
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(std::memcmp(to.data() + 5 + k * stride, from.data() + 5 + k * stride, 50), 0) << stride;
    EXPECT_EQ(to[5 + 50], 1);
    to.assign(to.size(), 1);
  }
  // Rows without gaps are a block.
  const long before = fake_cuda().commands_2d;
  queue->copy_up(*buffer, {0, from.data(), 60, 3, 60}, nullptr);
  queue->copy_down(*buffer, {0, to.data(), 180});
  EXPECT_EQ(fake_cuda().commands_2d, before);
  EXPECT_EQ(std::memcmp(to.data(), from.data(), 180), 0);
}

TEST_F(Cuda, CopiesWithinABufferMustNotOverlap) {
  const auto buffer = device->allocate(32);
  EXPECT_THROW(queue->copy(*buffer, 0, *buffer, 7, 8, {}, nullptr), Failure);
  EXPECT_THROW(queue->copy(*buffer, 7, *buffer, 0, 8, {}, nullptr), Failure);
  queue->fill(*buffer, 0, 8, 5, nullptr);
  queue->copy(*buffer, 0, *buffer, 8, 8, {}, nullptr);
  char last = 0;
  queue->copy_down(*buffer, {15, &last, 1});
  EXPECT_EQ(last, 5);
}

TEST_F(Cuda, CommandsOutsideOfABufferSayWhere) {
  const auto buffer = device->allocate(32);
  char memory[64] = {};
  EXPECT_THAT(failure([&] { queue->copy_up(*buffer, {16, memory, 17}, nullptr); }),
              HasSubstr("cuMemcpyHtoDAsync: 17 bytes from 16 on are not in a buffer of 32"));
  EXPECT_THAT(failure([&] { queue->copy_down(*buffer, {0, memory, 8, 4, 9}); }),
              HasSubstr("cuMemcpyDtoHAsync: 35 bytes from 0 on are not"));
  EXPECT_THAT(failure([&] { queue->fill(*buffer, 33, 1, 0, nullptr); }), HasSubstr("1 bytes from 33 on are not"));
  EXPECT_THAT(failure([&] { queue->fill(*buffer, 0, 0, 0, nullptr); }), HasSubstr("0 bytes from 0 on are not"));
}

TEST_F(Cuda, WhatFailedHalfwayDoesNotGoOn) {
  const char from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  char to[8] = {};
  const auto buffer = device->allocate(8, from);
  device::EventPtr event;
  // The copy is enqueued; its event cannot be recorded.
  queue->start_copy_down(*buffer, {0, to, 8}, &event);
  queue->finish();
  std::memset(to, 0, sizeof to);
  event.reset();
  fake_cuda().fail_after = 3;
  EXPECT_THROW(queue->start_copy_down(*buffer, {0, to, 8}, &event), Failure);
  EXPECT_EQ(fake_cuda().failed, "cuEventRecord");
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(std::memcmp(to, from, 8), 0);
  // The second row of three is refused.
  const auto rows = device->allocate(3 * 5000);
  fake_cuda().fail_after = 3;
  char host[3 * 5000] = {};
  EXPECT_THROW(queue->copy_up(*rows, {0, host, 1, 3, 5000}, nullptr), Failure);
  EXPECT_EQ(fake_cuda().failed, "cuMemcpyHtoDAsync_v2");
}

// ---------------------------------------------------------------- launches
TEST_F(Cuda, ALaunchPassesWhatCudaHasNot) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer, 9);
  device::Grid g;
  g.dims = 2;
  g.global[0] = 12, g.global[1] = 6;
  g.local[0] = 4, g.local[1] = 3;
  g.offset[0] = 100, g.offset[1] = 200;
  queue->launch(*k, g, {}, nullptr);
  ASSERT_EQ(fake_cuda().launches.size(), 1u);
  const FakeLaunch& l = fake_cuda().launches[0];
  EXPECT_THAT(l.grid, ::testing::ElementsAre(3, 2, 1));
  EXPECT_THAT(l.block, ::testing::ElementsAre(4, 3, 1));
  ASSERT_EQ(l.arguments.size(), 3u);
  uint32_t value = 0;
  std::memcpy(&value, l.arguments[1].data(), sizeof value);
  EXPECT_EQ(value, 9u);
  const auto e = environment(l);
  EXPECT_THAT(e.first_group, ::testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(e.first_item, ::testing::ElementsAre(100, 200, 0));
  EXPECT_THAT(e.groups, ::testing::ElementsAre(3, 2, 1));
  EXPECT_EQ(e.dims, 2u);
  queue->finish();
}

TEST_F(Cuda, GridsThatAreTooLargeAreDivided) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer);
  device::Grid g;
  g.dims = 3;
  g.global[0] = 2, g.global[1] = 2 * 70000, g.global[2] = 65536;
  g.local[0] = 1, g.local[1] = 2, g.local[2] = 1;
  g.offset[1] = 10;
  queue->launch(*k, g, {}, nullptr);
  ASSERT_EQ(fake_cuda().launches.size(), 4u);
  const unsigned grids[4][2] = {{65535, 65535}, {70000 - 65535, 65535}, {65535, 1}, {70000 - 65535, 1}};
  for (size_t p = 0; p < 4; ++p) {
    const FakeLaunch& l = fake_cuda().launches[p];
    EXPECT_THAT(l.grid, ::testing::ElementsAre(2, grids[p][0], grids[p][1])) << p;
    const auto e = environment(l);
    const unsigned y = p % 2 ? 65535 : 0, z = p / 2 ? 65535 : 0;
    EXPECT_THAT(e.first_group, ::testing::ElementsAre(0, y, z)) << p;
    EXPECT_THAT(e.first_item, ::testing::ElementsAre(0, 10 + 2 * y, z)) << p;
    EXPECT_THAT(e.groups, ::testing::ElementsAre(2, 70000, 65536)) << p;
  }
  queue->finish();
}

TEST_F(Cuda, TheDriverChoosesGroupsThatDivideTheGrid) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer);
  const std::pair<size_t, unsigned> cases[] = {{1024, 256}, {100, 100}, {2 * 257, 2}, {3 * 251, 251}};
  for (const auto& [items, group] : cases) {
    device::Grid g;
    g.local[0] = 0;
    g.global[0] = items;
    queue->launch(*k, g, {}, nullptr);
    EXPECT_EQ(fake_cuda().launches.back().block[0], group) << items;
    EXPECT_EQ(fake_cuda().launches.back().grid[0] * group, items);
  }
  queue->finish();
}

TEST_F(Cuda, LaunchesThatCannotBeAreRefused) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer);
  const auto why = [&](size_t global, size_t local, size_t offset) {
    device::Grid g;
    g.global[0] = global, g.local[0] = local, g.offset[0] = offset;
    return failure([&] { queue->launch(*k, g, {}, nullptr); });
  };
  EXPECT_THAT(why(0, 1, 0), HasSubstr("kernel 'two': a launch without work-items"));
  EXPECT_THAT(why(10, 4, 0), HasSubstr("10 work-items are not a multiple of a group's 4"));
  EXPECT_THAT(why(4, 4, size_t{1} << 31), HasSubstr("2^31 - 1"));
  EXPECT_THAT(why(size_t{1} << 31, 4, 0), HasSubstr("2^31 - 1"));
  EXPECT_THAT(why(512, 512, 0), HasSubstr("kernel 'two': cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE"));
  EXPECT_EQ(why(4, 4, (size_t{1} << 31) - 1), "it did not fail");
  // A part of a divided grid would begin past the last number.
  device::Grid g;
  g.dims = 2;
  g.global[1] = 70000, g.offset[1] = (size_t{1} << 31) - 66000;
  EXPECT_THAT(failure([&] { queue->launch(*k, g, {}, nullptr); }), HasSubstr("2^31 - 1"));
  queue->finish();
}

TEST_F(Cuda, ArgumentsHaveTheSizesOfTheParameters) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer);
  EXPECT_EQ(k->argument_count(), 2u);
  EXPECT_EQ(k->max_group(), 256u);
  const uint64_t value = 0;
  EXPECT_THAT(failure([&] { k->set(1, &value, 8); }), HasSubstr("kernel 'two': argument 1 is 4 bytes, not 8 bytes"));
  EXPECT_THAT(failure([&] { k->set(0, &value, 8); }), HasSubstr("argument 0 is a buffer, not 8 bytes"));
  EXPECT_THAT(failure([&] { k->set(1, *buffer); }), HasSubstr("argument 1 is 4 bytes, not a buffer"));
  EXPECT_THAT(failure([&] { k->set(2, &value, 8); }), HasSubstr("no argument 2 of 2"));
  const auto fresh = device->build(kernels, "")->kernel("two");
  fresh->set(0, *buffer);
  EXPECT_THAT(failure([&] { queue->launch(*fresh, {}, {}, nullptr); }), HasSubstr("argument 1 was never set"));
}

TEST_F(Cuda, WhatCannotBeBuiltSaysWhy) {
  std::string odd = kernels;
  odd.replace(odd.find(".u32"), 4, ".s32");  // which the stand-in does not know
  try {
    device->build(odd, "");
    ADD_FAILURE() << "it was built";
  } catch (const BuildRefused& why) {
    EXPECT_THAT(why.message, HasSubstr("cuModuleLoadDataEx failed on Host device (CUDA): CUDA_ERROR_INVALID_PTX"));
    EXPECT_THAT(why.message, HasSubstr(")\nptxas: line 3: what is this?"));
  }
  std::string local = kernels;
  local.replace(local.find(".global"), 7, ".shared");
  EXPECT_THROW(device->build(local, ""), BuildRefused);
  const std::string binary = device->build(kernels, "")->binary();
  EXPECT_EQ(binary, device::cuda::rewrite(kernels));
  EXPECT_NE(device->load(binary, ""), nullptr);
  EXPECT_EQ(device->load(kernels, ""), nullptr);
  EXPECT_EQ(device->load(".version 9.0\n", ""), nullptr);
  EXPECT_EQ(device->load(binary.substr(0, binary.find(".u32")), ""), nullptr);
}

TEST_F(Cuda, AKernelOutlivesItsProgram) {
  const auto buffer = device->allocate(8);
  const auto k = kernel(*buffer);
  queue->launch(*k, {}, {}, nullptr);
  queue->finish();
  EXPECT_EQ(fake_cuda().launches.back().kernel, "two");
}

// ---------------------------------------------------------------- events and errors
TEST_F(Cuda, EventsHaveTimesIfTheQueueRecordsThem) {
  const auto buffer = device->allocate(8);
  device::EventPtr event;
  queue->fill(*buffer, 0, 8, 1, &event);
  queue->finish();
  EXPECT_TRUE(event->ended());
  EXPECT_FALSE(event->times());
  const auto timed = device->make_queue(true);
  device::EventPtr first, second;
  timed->fill(*buffer, 0, 8, 1, &first);
  timed->fill(*buffer, 0, 8, 1, &second);
  EXPECT_FALSE(second->ended());
  EXPECT_FALSE(second->times());
  timed->finish();
  ASSERT_TRUE(first->times() && second->times());
  // The clock of the stand-in takes half a millisecond for each record.
  EXPECT_EQ(first->times()->ended - first->times()->started, 500000);
  EXPECT_EQ(second->times()->started - first->times()->ended, 500000);
  EXPECT_LE(first->times()->enqueued, first->times()->started);
}

TEST_F(Cuda, ACommandThatFailsIsReportedByItsEvent) {
  const auto buffer = device->allocate(8);
  device::EventPtr event;
  queue->fill(*buffer, 0, 8, 1, &event);
  fake_cuda().fault_after = 0;
  EXPECT_EQ(event->wait(), "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)");
  EXPECT_FALSE(event->ended());
  EXPECT_THAT(failure([&] { queue->finish(); }),
              HasSubstr("cuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal"));
}

TEST_F(Cuda, ErrorsWithoutANameHaveTheirNumber) {
  fake_cuda().fail_after = 2;
  fake_cuda().fail_code = 12345;
  EXPECT_THAT(failure([&] { queue->finish(); }), HasSubstr("cuStreamSynchronize failed: CUDA error 12345"));
}

TEST_F(Cuda, EventsAreUsedAgain) {
  const auto buffer = device->allocate(8);
  const long before = fake_cuda().objects;
  for (int k = 0; k < 10; ++k) {
    device::EventPtr event;
    queue->fill(*buffer, 0, 8, 1, &event);
    EXPECT_EQ(event->wait(), "");
  }
  EXPECT_EQ(fake_cuda().objects, before + 1);
}

TEST_F(Cuda, ThreadsUseTheDeviceAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      const auto mine = device->make_queue(t % 2 == 0);
      for (unsigned char k = 0; k < 100; ++k) {
        const auto a = device->allocate(64), b = device->allocate(64);
        device::EventPtr event;
        mine->fill(*a, 0, 64, k, &event);
        mine->copy(*a, 0, *b, 0, 64, {}, nullptr);
        unsigned char got = 0;
        mine->copy_down(*b, {63, &got, 1});
        right[t] += got == k && event->wait().empty();
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(right, ::testing::Each(100));
}

/// Commands must have ended before what they use is destroyed.
struct Drain {
  device::Queue &one, &other;
  ~Drain() {
    for (device::Queue* q : {&one, &other}) try {
        q->finish();
      } catch (const Failure&) {}
  }
};

/// Uses every function of the driver. Throws Failure.
void use_everything(std::string& events) {
  const auto device = fake_cuda_devices().at(0).open();
  const auto queue = device->make_queue(false), timed = device->make_queue(true);
  const std::vector<char> from(64, 3);
  std::vector<char> to(64);
  const auto a = device->allocate(64, from.data()), b = device->allocate(64);
  const auto pinned = device->pin(64);
  device::EventPtr up, down;
  const Drain drain{*queue, *timed};
  queue->copy_up(*b, {0, from.data(), 4, 3, 16}, &up);
  device::Event* const waits[] = {up.get()};
  timed->copy(*a, 0, *b, 32, 32, waits, &down);
  device::Event* const then[] = {down.get()};
  queue->barrier(then);
  queue->fill(*b, 0, 32, 3, nullptr);
  const auto program = device->build(kernels, "");
  const auto loaded = device->load(program->binary(), "");
  if (!loaded) throw Failure{Code::Device, "it was not loaded"};
  const auto kernel = loaded->kernel("two");
  const uint32_t value = 1;
  kernel->set(0, *a);
  kernel->set(1, &value, sizeof value);
  kernel->max_group();
  kernel->group_memory_bytes();
  queue->launch(*kernel, {}, {}, nullptr);
  const device::EventPtr marker = queue->marker();
  events = marker->wait();
  down->times();
  down->ended();
  queue->copy_down(*b, {0, to.data(), 64});
  timed->finish();
  if (!events.empty()) return;
  EXPECT_EQ(to, from);
  EXPECT_EQ(fake_cuda().launches.size(), 1u);
}

TEST_F(Cuda, EveryCallFailsOnce) {
  close();
  const long before = fake_cuda().objects;
  int failed = 0;
  for (long call = 0;; ++call) {
    ASSERT_LT(call, 1000);
    fake_cuda().launches.clear();
    fake_cuda().failed.clear();
    fake_cuda().fail_after = call;
    std::string events;
    const std::string why = failure([&] { use_everything(events); });
    const bool all_passed = fake_cuda().fail_after >= 0;
    fake_cuda().fail_after = -1;
    const std::string function = fake_cuda().failed;
    if (why != "it did not fail") {
      ++failed;
      EXPECT_THAT(why, HasSubstr("CUDA_ERROR_UNKNOWN")) << function;
    }
    // What could not be destroyed is left, and so are the objects of a context that could not be entered.
    bool destroys = false;
    for (const char* part : {"Destroy", "Free", "Unload", "Release", "CtxGetCurrent", "CtxPushCurrent"})
      destroys |= function.find(part) != std::string::npos;
    if (!destroys) {
      EXPECT_EQ(fake_cuda().objects, before) << function;
    }
    EXPECT_EQ(fake_cuda().contexts_pushed, 0) << function;
    fake_cuda().objects = before;
    if (all_passed) break;
  }
  EXPECT_GT(failed, 40);
  open();
}

/// add: a[i] = a[i] + c.
const vr_kernel* add_kernel() {
  static const Program* program = [] {
    Module m;
    KernelBuilder k(m, "add", {"i"});
    const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
    const VarId c = k.scalar_param("c", Scalar::Float64);
    ExprP i = k.var(k.dim(0));
    k.body().push_back(k.store(a, {i}, k.add(k.load(a, {i}), k.var(c))));
    return new Program(m);
  }();
  return (*program)["add"];
}

/// A section that adds 2 to each of 100 ones.
struct AddSection {
  explicit AddSection(gpu::Session& session) { context.gpu = &session; }
  /// The status of the first call that failed.
  int32_t run() {
    vr_array a = describe(x.data(), VR_FLOAT64, {100});
    const vr_value args[] = {value(a), value(2.0)};
    int32_t code = vr_gpu_section_begin(&context);
    if (code == VR_OK) code = vr_gpu_launch(&context, nullptr, add_kernel(), a.extent, args);
    if (code == VR_OK) code = vr_gpu_section_end(&context);
    return code;
  }
  vr_context context;
  std::vector<double> x = std::vector<double>(100, 1);
  const std::vector<double> wanted = std::vector<double>(100, 3);
};

TEST_F(Cuda, EveryCallOfASectionFailsOnce) {
  close();
  int failed = 0;
  for (long call = 0;; ++call) {
    ASSERT_LT(call, 2000);
    auto opened = gpu::Session::open_on(fake_cuda_devices().at(0).open());
    ASSERT_TRUE(opened) << opened.error().text();
    AddSection section(**opened);
    fake_cuda().failed.clear();
    fake_cuda().fail_after = call;
    const int32_t code = section.run();
    const bool all_passed = fake_cuda().fail_after >= 0;
    fake_cuda().fail_after = -1;
    if (code != VR_OK) {
      ++failed;
      EXPECT_EQ(code, VR_DEVICE) << fake_cuda().failed;
      EXPECT_THAT(std::string(section.context.error.message), HasSubstr("CUDA_ERROR_UNKNOWN")) << fake_cuda().failed;
      (*opened)->abandon(&section.context);
    } else {
      EXPECT_EQ(section.x, section.wanted) << fake_cuda().failed;
    }
    // The session works again.
    AddSection again(**opened);
    ASSERT_EQ(again.run(), VR_OK) << again.context.error.message;
    EXPECT_EQ(again.x, again.wanted) << fake_cuda().failed;
    if (all_passed) break;
  }
  EXPECT_GT(failed, 10);
  fake_cuda().objects = before_;
  open();
}

/// Every command of a section is the one that ends the context, as an access outside of all memory does.
TEST_F(Cuda, ASectionOnADeviceThatDiesEndsWithAnError) {
  close();
  int died = 0;
  for (long command = 0;; ++command) {
    ASSERT_LT(command, 100);
    auto opened = gpu::Session::open_on(fake_cuda_devices().at(0).open());
    ASSERT_TRUE(opened) << opened.error().text();
    AddSection section(**opened);
    fake_cuda().fault_after = command;
    const int32_t code = section.run();
    const bool all_passed = fake_cuda().fault_after >= 0;
    if (all_passed) {
      EXPECT_EQ(code, VR_OK);
      EXPECT_EQ(section.x, section.wanted);
      break;
    }
    ++died;
    EXPECT_EQ(code, VR_DEVICE) << command;
    EXPECT_THAT(std::string(section.context.error.message), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")) << command;
    (*opened)->abandon(&section.context);
    opened->reset();
    // Memory of a device that died is not given back.
    reset_fake_cuda();
    fake_cuda().objects = before_;
  }
  EXPECT_GE(died, 3);
  reset_fake_cuda();
  fake_cuda().objects = before_;
  open();
}

}  // namespace
}  // namespace vr::test
