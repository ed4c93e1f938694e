// Sections: dependences, host accesses in between, faults, failures of the driver, threads.
#include "device/device_fixture.hpp"

#include <velociraptor/binding.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <thread>

namespace vr::test {
namespace {

using Section = DeviceTest;

/// scale: a[i] = a[i] * c; gather: b[i] = a[p[i]], subscripts checked.
const Program& section_programs() {
  static const Program* program = [] {
    Module m;
    {
      KernelBuilder k(m, "scale", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, true);
      const VarId c = k.scalar_param("c", Scalar::Float64);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.store(a, {i}, k.mul(k.load(a, {i}), k.var(c))));
    }
    {
      KernelBuilder k(m, "gather", {"i"});
      const ArrayId a = k.array_param("a", ir::Elem::Float64, 1, false),
                    p = k.array_param("p", ir::Elem::Int64, 1, false);
      const ArrayId b = k.array_param("b", ir::Elem::Float64, 1, true);
      ExprP i = k.var(k.dim(0));
      k.body().push_back(k.bounds_check(a, 0, k.load(p, {i}), "gather.vrir:7:3"));
      k.body().push_back(k.store(b, {i}, k.load(a, {k.load(p, {i})})));
    }
    return new Program(m);
  }();
  return *program;
}

int32_t scale(vr_context& context, vr_array& a, double c) {
  const vr_value args[] = {value(a), value(c)};
  return vr_gpu_launch(&context, nullptr, section_programs()["scale"], a.extent, args);
}
int32_t gather(vr_context& context, vr_array& a, vr_array& p, vr_array& b) {
  const vr_value args[] = {value(a), value(p), value(b)};
  return vr_gpu_launch(&context, nullptr, section_programs()["gather"], p.extent, args);
}

struct Arrays {
  std::vector<double> a, b;
  std::vector<int64_t> p;
  vr_array da, db, dp;
  explicit Arrays(int64_t n) : a(size_t(n)), b(size_t(n)), p(size_t(n)) {
    std::iota(a.begin(), a.end(), 1.0);
    for (int64_t k = 0; k < n; ++k) p[size_t(k)] = n - 1 - k;
    da = describe(a.data(), VR_FLOAT64, {n});
    db = describe(b.data(), VR_FLOAT64, {n});
    dp = describe(p.data(), VR_INT64, {n});
  }
};

TEST_F(Section, KernelsSeeWhatEarlierKernelsWrote) {
  Arrays x(1000);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(scale(context, x.da, k % 2 ? 0.5 : 2.0), VR_OK) << context.error.message;
    ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  }
  ASSERT_EQ(scale(context, x.db, 10), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(x.b[size_t(k)], 10.0 * (1000 - k));
}

TEST_F(Section, HostReadsAndWritesBetweenKernels) {
  Arrays x(100);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, x.da, 3), VR_OK);
  ASSERT_EQ(vr_gpu_need_host(&context, &x.da, 0), VR_OK);
  EXPECT_EQ(x.a[99], 300);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);  // after a read the device's copy is still valid
  ASSERT_EQ(vr_gpu_need_host(&context, &x.da, 1), VR_OK);
  EXPECT_EQ(x.a[99], 600);
  for (double& v : x.a) v = 7;
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  vr_array last = x.db;  // a slice of what a kernel wrote
  last.data = &x.b[90];
  last.extent[0] = 10;
  ASSERT_EQ(vr_gpu_need_host(&context, &last, 0), VR_OK);
  EXPECT_EQ(x.b[95], 14);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x.a, std::vector<double>(100, 14));
  EXPECT_EQ(x.b, std::vector<double>(100, 14));
}

TEST_F(Section, HostWritesWaitForKernelsThatRead) {
  Arrays x(1000), other(1000);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, other.da, 2), VR_OK);  // with several queues the next launch uses another queue
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  ASSERT_EQ(vr_gpu_need_host(&context, &x.da, 1), VR_OK);
  std::fill(x.a.begin(), x.a.end(), 7.0);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x.a, std::vector<double>(1000, 7));
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(x.b[size_t(k)], 1000.0 - k);
}

TEST_F(Section, UploadsWaitForKernelsThatRead) {
  // The host's new elements are copied to the device again, while a kernel that was launched before reads the old ones.
  Arrays x(1000), other(1000), third(1000);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, other.da, 2), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  ASSERT_EQ(gather(context, x.da, other.dp, other.db), VR_OK);
  ASSERT_EQ(vr_gpu_need_host(&context, &x.da, 1), VR_OK);
  std::fill(x.a.begin(), x.a.end(), 7.0);
  ASSERT_EQ(gather(context, x.da, third.dp, third.db), VR_OK);
  ASSERT_EQ(vr_gpu_need_host(&context, &third.db, 0), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(x.b[size_t(k)], 1000.0 - k);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(other.b[size_t(k)], 1000.0 - k);
  EXPECT_EQ(third.b, std::vector<double>(1000, 7));
}

TEST_F(Section, FewElementsAreFetchedAlone) {
  Arrays x(100'000), small(100);
  const gpu::Stats before = session().stats();
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(scale(context, small.da, 2), VR_OK);
  ASSERT_EQ(vr_gpu_need_bytes(&context, &x.a[70'000], 8), VR_OK);
  EXPECT_EQ(x.a[70'000], 140'002.0);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(vr_gpu_need_bytes(&context, &x.a[99'999], 8), VR_OK);
  EXPECT_EQ(x.a[99'999], 400'000.0);
  ASSERT_EQ(vr_gpu_need_bytes(&context, &x.a[0], 16), VR_OK);
  EXPECT_EQ(x.a[0], 4.0);
  EXPECT_EQ(x.a[1], 8.0);
  const gpu::Stats after = session().stats();
  if (!session().device_info().zero_copy && session().devices().size() == 1) {
    EXPECT_EQ(after.bytes_down - before.bytes_down, 8 + 8 + 16);
  }
  // Of a small array all elements: that takes as long.
  ASSERT_EQ(vr_gpu_need_bytes(&context, &small.a[50], 8), VR_OK);
  EXPECT_EQ(small.a[50], 102.0);
  EXPECT_EQ(small.a[51], 104.0);
  // Who asks for many elements gets the array.
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(vr_gpu_need_bytes(&context, &x.a[size_t(k) * 1000], 8), VR_OK);
    EXPECT_EQ(x.a[size_t(k) * 1000], 4 * (k * 1000 + 1.0));
  }
  if (session().devices().size() == 1) {
    EXPECT_EQ(x.a[55'555], 4 * 55'556.0);
  }
  // Elements that no kernel has written are the host's.
  ASSERT_EQ(vr_gpu_need_bytes(&context, &x.b[5], 8), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  for (int k = 0; k < 100'000; ++k) EXPECT_EQ(x.a[size_t(k)], 4 * (k + 1.0));
}

TEST_F(Section, CopiesOnlyWhatIsStale) {
  if (session().device_info().zero_copy) GTEST_SKIP() << "this device works in place";
  if (session().devices().size() > 1) GTEST_SKIP() << "several devices also exchange elements";
  Arrays x(1000);
  const gpu::Stats before = session().stats();
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  ASSERT_EQ(vr_gpu_need_host(&context, &x.dp, 0), VR_OK);  // never written: no copy
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  const gpu::Stats after = session().stats();
  EXPECT_EQ(after.launches - before.launches, 11);
  EXPECT_EQ(after.bytes_up - before.bytes_up, 3 * 8000);
  EXPECT_EQ(after.bytes_down - before.bytes_down, 2 * 8000);
  EXPECT_EQ(after.sections - before.sections, 1);
}

TEST_F(Section, SharedElementsAreCopiedOnTheDevice) {
  const bool zero_copy = session().device_info().zero_copy;
  Arrays x(1000);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  const int64_t extent[] = {1000};
  vr_array one = {};
  ASSERT_EQ(vr_rt_alloc(&context, nullptr, &one, VR_FLOAT64, 1, extent, VR_ROWMAJOR, VR_FILL_NONE, VR_IN_ENGINE),
            VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, one), VR_OK);
  const gpu::Stats before = session().stats();
  vr_array other = one;
  ASSERT_EQ(vr_gpu_make_unique(&context, nullptr, &other, VR_ROWMAJOR, VR_IN_ENGINE, 1), VR_OK);
  EXPECT_EQ(other.data, one.data) << "nobody shares them yet";
  vr_rt_retain(other.owner);
  ASSERT_EQ(vr_gpu_make_unique(&context, nullptr, &other, VR_ROWMAJOR, VR_IN_ENGINE, 1), VR_OK);
  ASSERT_NE(other.data, one.data);
  ASSERT_EQ(scale(context, other, 10), VR_OK);
  const gpu::Stats after = session().stats();
  EXPECT_EQ(after.bytes_up, before.bytes_up);
  EXPECT_EQ(after.bytes_down, before.bytes_down);
  // Accessible for stores by the host, also elements with gaps between them.
  vr_array third = one, every_second = one;
  vr_rt_retain(one.owner);
  ASSERT_EQ(vr_gpu_make_unique(&context, nullptr, &third, VR_ROWMAJOR, VR_IN_ENGINE, 0), VR_OK);
  EXPECT_EQ(static_cast<double*>(third.data)[0], 1000);
  EXPECT_EQ(session().stats().bytes_down - before.bytes_down, zero_copy ? 0 : 8000);
  every_second.extent[0] = 500;
  every_second.stride[0] = 16;
  vr_rt_retain(one.owner);
  ASSERT_EQ(vr_gpu_make_unique(&context, nullptr, &every_second, VR_ROWMAJOR, VR_IN_ENGINE, 1), VR_OK);
  EXPECT_EQ(every_second.stride[0], 8);
  EXPECT_EQ(static_cast<double*>(every_second.data)[1], 998);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(static_cast<double*>(one.data)[999], 1);
  EXPECT_EQ(static_cast<double*>(other.data)[999], 10);
  for (vr_array* a : {&one, &other, &third, &every_second}) vr_rt_release(a->owner);
}

TEST_F(Section, BlocksThatOverlapAreNotCopied) {
  Arrays x(100);
  vr_array head = x.da, tail = x.da;
  head.extent[0] = tail.extent[0] = 60;
  tail.data = &x.a[40];
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(session().copy(&context, &head, &tail), VR_INTERNAL);
}

TEST_F(Section, EndForgetsAllArrays) {
  Arrays x(64);
  for (int round = 0; round < 3; ++round) {
    std::fill(x.a.begin(), x.a.end(), round + 1.0);  // stores by the host between sections
    ASSERT_EQ(run(section_programs()["scale"], {64}, {value(x.da), value(2.0)}), VR_OK);
    EXPECT_EQ(x.a, std::vector<double>(64, 2.0 * (round + 1)));
  }
}

TEST_F(Section, FaultsBecomeRecordsAndTheSessionStaysUsable) {
  Arrays x(500);
  x.p[321] = 500;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(context.error.code, VR_OUT_OF_BOUNDS);
  EXPECT_EQ(context.error.axis, 0);
  EXPECT_EQ(context.error.index, 500);
  EXPECT_EQ(context.error.extent, 500);
  EXPECT_STREQ(context.error.array, "a");
  EXPECT_STREQ(context.error.loc, "gather.vrir:7:3");
  EXPECT_STREQ(context.error.function, "f");
  EXPECT_EQ(x.p[321], 500) << "inputs stay as they were";

  x.p[321] = 0;
  vr_context fresh;
  fresh.gpu = &session();
  ASSERT_EQ(vr_gpu_section_begin(&fresh), VR_OK);
  ASSERT_EQ(gather(fresh, x.da, x.dp, x.db), VR_OK);
  EXPECT_EQ(vr_gpu_section_end(&fresh), VR_OK) << "an old fault must not be reported again";
  EXPECT_EQ(x.b[321], x.a[0]);
}

TEST_F(Section, OneOfManyFaultsIsReportedWhole) {
  Arrays x(4096);
  for (size_t k = 0; k < x.p.size(); ++k) x.p[k] = -1 - int64_t(k);  // every iteration faults with its own index
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OUT_OF_BOUNDS);
  EXPECT_LE(context.error.index, -1);
  EXPECT_GE(context.error.index, -4096);
  EXPECT_EQ(context.error.extent, 4096);
  EXPECT_EQ(x.b, std::vector<double>(4096, 0.0)) << "a faulting iteration stores nothing";
}

TEST_F(Section, FaultIsReportedAtSynchronisation) {
  Arrays x(10);
  x.p[3] = 10;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(gather(context, x.da, x.dp, x.db), VR_OK);
  EXPECT_EQ(vr_gpu_need_host(&context, &x.db, 0), VR_OUT_OF_BOUNDS);
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OK) << "the fault has ended the section";
}

TEST_F(Section, SectionsWithinSections) {
  Arrays x(10);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x.a[9], 40);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x.a[9], 80);
}

TEST_F(Section, SharedReferencesAreReleasedImmediately) {
  vr_owner owner{};
  owner.refs = 3;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  vr_gpu_release(&context, &owner);
  vr_gpu_release(&context, nullptr);
  EXPECT_EQ(owner.refs, 2);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(owner.refs, 2);
  vr_gpu_release(&context, &owner);  // no section: released immediately
  EXPECT_EQ(owner.refs, 1);
}

TEST_F(Section, LastReferenceIsReleasedAfterPendingTasks) {
  context.host = &vr::builtin_binding();
  Arrays x(10);
  const int64_t n = 10;
  vr_array temporary;
  ASSERT_EQ(vr_rt_alloc(&context, nullptr, &temporary, VR_FLOAT64, 1, &n, VR_ROWMAJOR, VR_FILL_ONE, VR_IN_ENGINE),
            VR_OK);
  const gpu::Stats before = session().stats();
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, temporary, 2), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  vr_gpu_release(&context, temporary.owner);
  EXPECT_EQ(temporary.owner->refs, 1);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  // Only x is copied back.
  const int64_t down = session().stats().bytes_down - before.bytes_down;
  EXPECT_EQ(down, session().device_info().zero_copy ? 0 : 80);
}

TEST_F(Section, MemoryOfTemporaryArraysInLoopsIsReused) {
  context.host = &vr::builtin_binding();
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  const int64_t n = 1 << 20;
  for (int k = 0; k < 300; ++k) {
    vr_array a;
    ASSERT_EQ(vr_rt_alloc(&context, nullptr, &a, VR_FLOAT64, 1, &n, VR_ROWMAJOR, VR_FILL_NONE, VR_IN_ENGINE), VR_OK);
    ASSERT_EQ(scale(context, a, 2), VR_OK);
    vr_gpu_release(&context, a.owner);
  }
  // 2.4 GB were allocated; the amount that waits for release is limited.
  EXPECT_LT(session().stats().bytes_on_device, int64_t{600} << 20);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(session().stats().bytes_on_device, 0);
}

TEST_F(Section, AbandonedSectionsReleaseEverything) {
  Arrays x(10);
  vr_owner owner{};
  owner.refs = 2;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  ASSERT_EQ(scale(context, x.da, 2), VR_OK);
  vr_gpu_release(&context, &owner);
  session().abandon(&context);
  EXPECT_EQ(owner.refs, 1);
  std::fill(x.a.begin(), x.a.end(), 1.0);
  EXPECT_EQ(run(section_programs()["scale"], {10}, {value(x.da), value(4.0)}), VR_OK);
  EXPECT_EQ(x.a, std::vector<double>(10, 4.0));
}

TEST_F(Section, ProgramsThatDoNotBuildGiveTheLog) {
  const vr_site site = {"f", "bad.vrir:3:5", "", "", -1, 0};
  vr_kernel bad = {"bad",   "__kernel void bad(long n, __global int* error) { undeclared = 1; }",
                   "",      1,
                   0,       nullptr,
                   0,       0,
                   nullptr, -1,
                   0,       0,
                   0,       nullptr,
                   nullptr, nullptr};
  const int64_t n = 1;
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(vr_gpu_launch(&context, &site, &bad, &n, nullptr), VR_DEVICE);
  EXPECT_NE(std::string(context.error.message).find(session().devices()[0].text()), std::string::npos)
      << context.error.message;
  EXPECT_STREQ(context.error.loc, "bad.vrir:3:5");
  EXPECT_EQ(vr_gpu_section_end(&context), VR_OK);
  const Status prepared = session().prepare(bad.source, "");
  ASSERT_FALSE(prepared.ok());
  EXPECT_NE(prepared.error().message.find("undeclared"), std::string::npos) << prepared.error().message;
}

TEST_F(Section, AbsentKernelsAndWrongSignaturesAreErrors) {
  const int64_t n = 1;
  vr_kernel absent = *section_programs()["scale"];
  absent.name = "nowhere";
  Arrays x(1);
  const vr_value args[] = {value(x.da), value(1.0)};
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  EXPECT_EQ(vr_gpu_launch(&context, nullptr, &absent, &n, args), VR_DEVICE);
  EXPECT_NE(std::string(context.error.message).find("nowhere"), std::string::npos) << context.error.message;

  vr_context second;
  second.gpu = &session();
  vr_kernel shorter = *section_programs()["scale"];
  shorter.param_count = 1;
  ASSERT_EQ(vr_gpu_section_begin(&second), VR_OK);
  EXPECT_EQ(vr_gpu_launch(&second, nullptr, &shorter, &n, args), VR_INTERNAL);
  EXPECT_NE(std::string(second.error.message).find("arguments"), std::string::npos) << second.error.message;
}

TEST_F(Section, LaunchOutsideASectionIsRefused) {
  Arrays x(10);
  EXPECT_EQ(scale(context, x.da, 2), VR_INTERNAL);
  EXPECT_EQ(vr_gpu_need_host(&context, &x.da, 1), VR_OK);
  EXPECT_EQ(x.a[0], 1);
}

TEST_F(Section, ProgramsAreBuiltOnce) {
  Arrays x(10);
  ASSERT_TRUE(session().prepare(section_programs()["scale"]->source, section_programs()["scale"]->options).ok());
  const gpu::Stats before = session().stats();
  for (int k = 0; k < 3; ++k) ASSERT_EQ(run(section_programs()["scale"], {10}, {value(x.da), value(1.0)}), VR_OK);
  EXPECT_EQ(session().stats().builds, before.builds);
  EXPECT_EQ(session().stats().build_hits, before.build_hits + 3);
}

TEST_F(Section, ThreadsRunTheirOwnSections) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, -1);
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      int bad = 0;
      for (int round = 0; round < 20; ++round) {
        vr_context own;  // one per call: after a fault a context starts no section
        own.gpu = &session();
        Arrays x(200 + int64_t(t));
        if (t == 3) x.p[7] = 1000;  // one thread faults in every call
        bad += vr_gpu_section_begin(&own) != VR_OK;
        bad += scale(own, x.da, double(t + 1)) != VR_OK;
        bad += gather(own, x.da, x.dp, x.db) != VR_OK;
        bad += vr_gpu_section_end(&own) != (t == 3 ? VR_OUT_OF_BOUNDS : VR_OK);
        for (size_t k = 0; t != 3 && k < x.b.size(); ++k) bad += x.b[k] != double(x.b.size() - k) * double(t + 1);
      }
      wrong[t] = bad;
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(Section, ManyPendingLaunches) {
  Arrays x(8);
  ASSERT_EQ(vr_gpu_section_begin(&context), VR_OK);
  for (int k = 0; k < 5000; ++k) ASSERT_EQ(scale(context, x.da, k % 2 ? 2.0 : 0.5), VR_OK);
  ASSERT_EQ(vr_gpu_section_end(&context), VR_OK);
  EXPECT_EQ(x.a[7], 8);
}

TEST_F(Section, AForkedChildGetsAnErrorInsteadOfAHang) {
  Arrays x(10);
  ASSERT_EQ(run(section_programs()["scale"], {10}, {value(x.da), value(1.0)}),
            VR_OK);  // the driver has started its threads
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool refused = vr_gpu_section_begin(&context) == VR_FORKED && !session().prepare("", "").ok();
    session().abandon(&context);
    // A session of its own would wait for the driver's threads, which exist only in the parent.
    alarm(30);
    const auto own = gpu::Session::open();
    const bool told =
        open_host_device || (!own.ok() && own.error().code == Code::Forked && gpu::list_devices().empty());
    _exit(refused && told ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Session, MissingDeviceIsReported) {
  vr_context none;
  EXPECT_EQ(vr_gpu_section_begin(&none), VR_DEVICE);
  EXPECT_NE(std::string(none.error.message).find("OpenCL device"), std::string::npos);
  EXPECT_EQ(vr_gpu_section_end(&none), VR_OK);
  const auto opened = gpu::Session::open("no such device exists");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::Device);
}

TEST_F(Section, DevicesAreFoundByPartOfTheirName) {
  const auto devices = gpu::list_devices();
  ASSERT_FALSE(devices.empty());
  std::string part = devices.back().name.substr(1, 6);
  for (char& c : part) c = char(std::toupper(static_cast<unsigned char>(c)));
  const auto opened = gpu::Session::open(part);
  ASSERT_TRUE(opened.ok()) << opened.error().text();
  EXPECT_GT((*opened)->device_info().limits.memory_bytes, 0);
  EXPECT_GT((*opened)->device_info().compute_units, 0);
}

}  // namespace
}  // namespace vr::test
