#include "runtime/gpu/measure.hpp"

#include "runtime/gpu/device.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace vr::gpu {
namespace {

// Eight independent chains of dependent operations keep the pipelines full. Their results are stored, so the compiler
// cannot remove them, and strict arithmetic keeps it from combining steps.
const char* const measured_kernel = R"(
#ifdef F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#define ALL STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)
#define TWICE STEP(x0) OTHER(x1) STEP(x2) OTHER(x3) STEP(x4) OTHER(x5) STEP(x6) OTHER(x7)
__kernel void peak(__global T* out, T a, T b, int rounds) {
  T x0 = get_global_id(0), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
  for (int k = 0; k < rounds; ++k) { BODY BODY BODY BODY BODY BODY BODY BODY }
  out[get_global_id(0)] = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7));
}
__kernel void copy(__global const T* from, __global T* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
)";
constexpr int steps = 64;  // of a round
const char* const operations[] = {"-DSTEP(x)=x=x+b; -DBODY=ALL", "-DSTEP(x)=x=x*a; -DBODY=ALL",
                                  "-DSTEP(x)=x=x+b; -DOTHER(x)=x=x*a; -DBODY=TWICE",
                                  "-DSTEP(x)=x=fma(x,a,b); -DBODY=ALL"};

using Clock = std::chrono::steady_clock;

class Bench {
 public:
  explicit Bench(const Device& d) : d_(d), queue_(make_queue()) {}

  std::unique_ptr<device::Queue> make_queue() { return d_.driver->make_queue(false); }
  std::unique_ptr<device::Buffer> make_buffer(size_t bytes) { return d_.driver->allocate(bytes); }
  void build(bool f64, int op) {
    const std::string options = std::string(operations[op]) + (f64 ? " -DT=double -DF64" : " -DT=float");
    program_ = d_.driver->build(measured_kernel, options);
    double_ = f64;
  }
  std::unique_ptr<device::Kernel> kernel(const char* name) { return program_->kernel(name); }
  std::unique_ptr<device::Kernel> peak(device::Buffer& out, int rounds) {
    std::unique_ptr<device::Kernel> k = kernel("peak");
    k->set(0, out);
    if (double_) {
      set(*k, 1, 1.0000001);
      set(*k, 2, 0.5);
    } else {
      set(*k, 1, 1.0000001f);
      set(*k, 2, 0.5f);
    }
    set(*k, 3, int32_t(rounds));
    return k;
  }
  template <class T>
  static void set(device::Kernel& k, size_t index, T value) {
    k.set(index, &value, sizeof value);
  }
  static void launch(device::Queue& q, device::Kernel& k, size_t items, size_t group) {
    device::Grid grid;
    grid.global[0] = items;
    grid.local[0] = group;
    q.launch(k, grid, {}, nullptr);
  }
  device::Queue& queue() const { return *queue_; }

  /// Seconds of the fastest of a few runs, after a warm-up run.
  template <class F>
  static double best(int runs, F&& f) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = -1; k < runs; ++k) {
      const auto start = Clock::now();
      f();
      const std::chrono::duration<double> took = Clock::now() - start;
      if (k >= 0) least = std::min(least, took.count());
    }
    return least;
  }

 private:
  const Device& d_;
  std::unique_ptr<device::Queue> queue_;
  std::unique_ptr<device::Program> program_;
  bool double_ = false;
};

/// The number of rounds after which one kernel over `items` takes about `seconds`.
int rounds_for(Bench& b, device::Buffer& out, size_t items, size_t group, double seconds) {
  for (int rounds = 16;; rounds *= 4) {
    const auto k = b.peak(out, rounds);
    const double t = Bench::best(1, [&] {
      Bench::launch(b.queue(), *k, items, group);
      b.queue().finish();
    });
    if (t > seconds / 4 || rounds > (1 << 26)) return std::max(1, int(rounds * seconds / t));
  }
}

/// Thesis 7.4.2: how many queues can run kernels of one work-group at the same time.
int count_queues(Bench& b, size_t group) {
  constexpr int most = 32;
  const auto out = b.make_buffer(group * sizeof(double));
  const int rounds = rounds_for(b, *out, group, group, 2e-3);
  std::vector<std::unique_ptr<device::Queue>> queues;
  std::vector<std::unique_ptr<device::Buffer>> outs;
  std::vector<std::unique_ptr<device::Kernel>> kernels;
  double alone = 0;
  for (int n = 1; n <= most; ++n) {
    queues.push_back(b.make_queue());
    outs.push_back(b.make_buffer(group * sizeof(double)));
    kernels.push_back(b.peak(*outs.back(), rounds));
    const double t = Bench::best(5, [&] {
      for (size_t k = 0; k < queues.size(); ++k) {
        Bench::launch(*queues[k], *kernels[k], group, group);
        queues[k]->flush();
      }
      for (const auto& q : queues) q->finish();
    });
    if (n == 1) alone = t;
    if (t >= 1.1 * alone) return n - 1;
  }
  return most;
}

Measurement run(const Device& d, const std::function<void(const std::string&)>& progress) {
  auto say = [&](const std::string& what) {
    if (progress) progress(what);
  };
  Measurement m;
  Bench b(d);
  const size_t group = std::min<size_t>({256, d.max_group(), d.info.limits.max_items[0]});
  const size_t items = std::max<size_t>(1, d.full_items / group) * group * (d.info.is_gpu ? 4 : 1);
  const auto out = b.make_buffer(items * sizeof(double));
  for (int type = 0; type < (d.info.has_fp64 ? 2 : 1); ++type)
    for (int op = 0; op < 4; ++op) {
      say(std::string(peak_names[op]) + (type ? " float64" : " float32"));
      b.build(type == 1, op);
      const int rounds = rounds_for(b, *out, items, group, 20e-3);
      const auto k = b.peak(*out, rounds);
      const double t = Bench::best(3, [&] {
        Bench::launch(b.queue(), *k, items, group);
        b.queue().finish();
      });
      const double flops = double(items) * rounds * steps * (op == int(Peak::Fma) ? 2 : 1);
      m.gflops[type][op] = flops / t * 1e-9;
    }

  say("memory");
  b.build(false, 0);
  const int64_t limit = std::min({d.info.limits.max_alloc_bytes, d.memory_limit / 8, int64_t{1} << 29});
  const size_t bytes = size_t(limit) / (group * sizeof(float)) * (group * sizeof(float));
  {
    const auto from = b.make_buffer(bytes), to = b.make_buffer(bytes);
    const auto copy = b.kernel("copy");
    copy->set(0, *from);
    copy->set(1, *to);
    constexpr int repeats = 5;
    const double t = Bench::best(3, [&] {
      for (int k = 0; k < repeats; ++k) Bench::launch(b.queue(), *copy, bytes / sizeof(float), group);
      b.queue().finish();
    });
    m.copy_gbs = 2.0 * double(bytes) * repeats / t * 1e-9;
    const size_t part = std::min<size_t>(bytes, size_t{1} << 28);
    std::vector<char> host(part, 1);
    auto write = [&](const void* p) {
      return double(part) * 1e-9 / Bench::best(3, [&] {
               b.queue().copy_up(*from, {0, p, part}, nullptr);
               b.queue().finish();
             });
    };
    m.up_gbs = write(host.data());
    m.down_gbs = double(part) * 1e-9 / Bench::best(3, [&] { b.queue().copy_down(*from, {0, host.data(), part}); });
    if (const auto pinned = d.driver->pin(part)) m.up_pinned_gbs = write(pinned->memory());
  }

  say("launches");
  {
    const auto k = b.peak(*out, 1);
    constexpr int many = 1000, few = 100;
    m.launch_us = 1e6 / many * Bench::best(3, [&] {
                    for (int n = 0; n < many; ++n) Bench::launch(b.queue(), *k, group, group);
                    b.queue().finish();
                  });
    m.wait_us = 1e6 / few * Bench::best(3, [&] {
                  for (int n = 0; n < few; ++n) {
                    Bench::launch(b.queue(), *k, group, group);
                    b.queue().finish();
                  }
                });
  }
  say("queues");
  m.queues = std::max(1, count_queues(b, group));
  return m;
}

}  // namespace

Result<Measurement> measure(const std::string& filter, const std::function<void(const std::string&)>& progress) {
  try {
    return run(open_device(filter), progress);
  } catch (const device::Failure& f) {
    return make_error(f.code, f.message);
  }
}

}  // namespace vr::gpu
