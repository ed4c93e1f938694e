// bench_pipeline: what runs beside each other on the OpenCL device.
//
// pipeline: three stages, of which the first copies an array to the device, the second computes on it, and the third
// copies a result back; as a vr::Pipeline and one after the other in the same process. The second stage's work is
// chosen so that it takes as long as the copies. The share is the time that the pipeline saves over the shorter of the
// copies and the second stage's time; more than 1 is possible where copies in both directions also overlap.
//
// queues: sixteen independent kernels, each too small to fill a GPU, in one section, over 1 to 16 queues (VR_QUEUES;
// thesis 10.7). The ratio is the time with one queue over that with several.
//
// Results are compared before and after anything is timed. A CPU device needs VR_ZERO_COPY=0 for copies to be made.
#include "timing.hpp"

#include <velociraptor/velociraptor.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using bench::median;
using bench::ms_of;
using vr::Array;
using vr::Function;
using vr::Value;
using Values = vr::Pipeline::Values;

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_pipeline: %s\n", why.c_str());
  std::exit(1);
}
template <class T>
T need(vr::Result<T> r) {
  if (!r) die(r.error().text());
  return std::move(*r);
}

vr::Engine device() {
  vr::Options o;
  o.target = vr::Target::OpenCL;
  return need(vr::Engine::create(o));
}

// ---------------------------------------------------------------- pipeline
const char* const stages_text = R"(module numpy assign=share
def up(x: float32[:], rounds: int64) -> (float32[:], int64):
    with gpu():
        y = x * float32(0.5)
    return y, rounds
def work(x: float32[:], rounds: int64) -> float32[:]:
    var i: int64, k: int64, v: float32
    y = empty(float32, x.shape[0])
    with gpu():
        pfor i in range(x.shape[0]) shared (x, y, rounds):
            v = x[i]
            for k in range(rounds):
                v = v * float32(0.75) + float32(0.25)
            y[i] = v
    return y
def down(x: float32[:]) -> float32[:]:
    with gpu():
        y = x + float32(1)
    return y
)";

struct Stages {
  Function up, work, down;
  int64_t rounds = 1;
};

bool equal(const Array& a, const Array& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * 4) == 0;
}

/// The stages one after the other, as the pipeline runs them; adds the milliseconds of each.
Array in_turn(const Stages& s, const Array& x, double* ms) {
  const vr::Engine engine = s.up.engine();
  std::vector<bool> kept;
  std::vector<Value> a, b, c;
  const auto let_go = [&](std::vector<Value>& values, const std::vector<bool>& resident) {
    for (size_t k = 0; k < values.size() && k < resident.size(); ++k)
      if (resident[k] && !engine.forget_on_device(values[k])) die("an array was not resident");
    values.clear();
  };
  ms[0] += ms_of([&] { a = need(s.up.call_resident(std::vector<Value>{Value(x), Value(s.rounds)}, 1, &kept)); });
  std::vector<bool> a_kept = kept;
  ms[1] += ms_of([&] {
    b = need(s.work.call_resident(a, 1, &kept));
    let_go(a, a_kept);
  });
  ms[2] += ms_of([&] {
    c = need(s.down.call(b));
    let_go(b, kept);
  });
  return c[0].array();
}

void pipeline(bool quick, int in_flight) {
  const vr::Engine engine = device();
  const vr::Module m = need(engine.load(stages_text, "pipeline"));
  for (const std::string& line : m.report()) die("not on the device: " + line);
  Stages s{need(m.function("up")), need(m.function("work")), need(m.function("down"))};
  const int64_t n = quick ? int64_t{1} << 20 : int64_t{16} << 20;
  const int items = quick ? 12 : 40;
  std::vector<Array> inputs;
  for (int k = 0; k < 2; ++k) {
    inputs.push_back(need(Array::empty(vr::Elem::Float32, std::vector<int64_t>{n})));
    for (int64_t i = 0; i < n; ++i) inputs.back().data_as<float>()[i] = float(i % 1000) + float(k);
  }
  // As much work as the copies take, by trials.
  for (int trial = 0; trial < 8; ++trial) {
    double ms[3] = {};
    in_turn(s, inputs[0], ms);
    std::fill_n(ms, 3, 0.0);
    in_turn(s, inputs[0], ms);
    const double factor = std::clamp((ms[0] + ms[2]) / ms[1], 0.25, 8.0);
    const auto rounds = static_cast<int64_t>(std::ceil(double(s.rounds) * factor));
    if (std::fabs(factor - 1) < 0.05 || rounds == s.rounds) break;
    s.rounds = std::min<int64_t>(rounds, 100000);
  }
  double unused[3] = {};
  std::vector<Array> wanted;
  for (const Array& x : inputs) {
    wanted.push_back(in_turn(s, x, unused));
    for (int64_t i = 0; i < n; i += n / 7) {
      float v = x.data_as<float>()[i] * 0.5f;
      for (int64_t k = 0; k < s.rounds; ++k) v = v * 0.75f + 0.25f;
      if (std::fabs(wanted.back().data_as<float>()[i] - (v + 1)) > 1e-5f * (std::fabs(v) + 1)) die("a result is wrong");
    }
  }
  const vr::Pipeline p = need(vr::Pipeline::create({s.up, s.work, s.down}));
  std::atomic<int> live{0}, most{0};
  // Whole arrays are compared where no time is taken: that would take the consumer longer than the stages.
  const auto run = [&](bool whole) {
    int arrived = 0;
    const vr::Status done = p.run(
        [&, k = 0]() mutable -> vr::Result<std::optional<Values>> {
          if (k == items) return std::optional<Values>();
          const int now = ++live;
          for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
          return std::optional(Values{Value(inputs[size_t(k++ % 2)]), Value(s.rounds)});
        },
        [&](Values v) -> vr::Status {
          const Array &got = v[0].array(), &due = wanted[size_t(arrived++ % 2)];
          bool same = !whole || equal(got, due);
          for (int64_t i = 0; i < n; i += 16411) same = same && got.data_as<float>()[i] == due.data_as<float>()[i];
          if (!same) die("the pipeline's result differs");
          --live;
          return {};
        },
        in_flight);
    if (!done) die(done.error().text());
    if (arrived != items) die("items are missing");
  };
  run(true);
  const vr::DeviceUse before = engine.device_use();
  run(true);
  const vr::DeviceUse after = engine.device_use();
  std::vector<double> together, apart, copies, kernels;
  for (int repetition = 0; repetition < (quick ? 3 : 5); ++repetition) {
    double ms[3] = {};
    for (int k = 0; k < items; ++k)
      if (!equal(in_turn(s, inputs[size_t(k % 2)], ms), wanted[size_t(k % 2)])) die("a result differs");
    apart.push_back(ms[0] + ms[1] + ms[2]);
    copies.push_back(ms[0] + ms[2]);
    kernels.push_back(ms[1]);
    together.push_back(ms_of([&] { run(false); }));
  }
  const double shorter = std::min(median(copies), median(kernels));
  std::printf("device: %s; %d items of %lld MB, %d in flight, %lld rounds\n", engine.device_name().c_str(), items,
              static_cast<long long>(n * 4 / 1000000), in_flight, static_cast<long long>(s.rounds));
  std::printf("copied for each item: %.3f MB up, %.3f MB down; most items at a time: %d\n",
              double(after.bytes_up - before.bytes_up) / items / 1e6,
              double(after.bytes_down - before.bytes_down) / items / 1e6, most.load());
  std::printf("one after the other %.2f ms (copies %.2f, kernels %.2f); pipeline %.2f ms\n", median(apart),
              median(copies), median(kernels), median(together));
  std::printf("pipeline: %.3f of the shorter of copies and kernels is hidden\n",
              (median(apart) - median(together)) / shorter);
  if (most > in_flight) die("more items than may be in flight");
}

// ---------------------------------------------------------------- queues
constexpr int kernels = 16;

std::string kernels_text() {
  std::string parameters, body;
  for (int k = 0; k < kernels; ++k) {
    const std::string a = "a" + std::to_string(k);
    parameters += a + ": float32[:], ";
    body += "        pfor i in range(" + a + ".shape[0]) shared (" + a + ", rounds):\n            v = " + a +
            "[i]\n            for k in range(rounds):\n                v = v * float32(0.75) + float32(0.25)\n         "
            "   " +
            a + "[i] = v\n";
  }
  return "module numpy assign=share\ndef many(" + parameters +
         "rounds: int64) -> int64:\n    var i: int64, k: int64, v: float32\n    with gpu():\n" + body +
         "    return rounds\n";
}

void queues(bool quick) {
  struct Run {
    int queues;
    Function many;
    std::vector<double> ms;
  };
  const int64_t n = 256, rounds = quick ? 20000 : 200000;
  std::vector<Run> runs;
  for (int q : {1, 2, 4, 8, 16}) {
    setenv("VR_QUEUES", std::to_string(q).c_str(), 1);
    const vr::Module m = need(device().load(kernels_text(), "queues"));
    for (const std::string& line : m.report()) die("not on the device: " + line);
    runs.push_back({q, need(m.function("many")), {}});
  }
  unsetenv("VR_QUEUES");
  std::vector<Array> arrays;
  std::vector<Value> args;
  for (int k = 0; k < kernels; ++k) {
    arrays.push_back(need(Array::empty(vr::Elem::Float32, std::vector<int64_t>{n})));
    args.emplace_back(arrays.back());
  }
  args.emplace_back(rounds);
  std::vector<float> wanted;
  const auto run = [&](const Run& r) {
    for (int k = 0; k < kernels; ++k)
      for (int64_t i = 0; i < n; ++i) arrays[size_t(k)].data_as<float>()[i] = float(i + k);
    const double ms = ms_of([&] { need(r.many.call(args)); });
    std::vector<float> all;
    for (const Array& a : arrays) all.insert(all.end(), a.data_as<float>(), a.data_as<float>() + n);
    if (wanted.empty()) wanted = all;
    if (all != wanted) die("with several queues the results differ");
    return ms;
  };
  for (const Run& r : runs) run(r);
  if (std::fabs(wanted[0] - 1) > 1e-3) die("a result is wrong");  // v = 1 is the fixed point
  for (int repetition = 0; repetition < (quick ? 3 : 9); ++repetition)
    for (Run& r : runs) r.ms.push_back(run(r));
  std::printf("\n%d independent kernels of %lld work-items\n%8s %10s %8s\n", kernels, static_cast<long long>(n),
              "queues", "ms", "ratio");
  double best = 0;
  for (const Run& r : runs) {
    const double ratio = median(runs[0].ms) / median(r.ms);
    best = std::max(best, ratio);
    std::printf("%8d %10.3f %8.2f\n", r.queues, median(r.ms), ratio);
  }
  std::printf("queues: %.2f times as fast as one queue\n", best);
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  int in_flight = 4;
  for (int k = 1; k < argc; ++k) {
    if (std::string(argv[k]) == "--quick")
      quick = true;
    else if (std::string(argv[k]) == "--in-flight" && k + 1 < argc)
      in_flight = std::max(1, std::atoi(argv[++k]));
    else
      die("usage: bench_pipeline [--quick] [--in-flight N]");
  }
  pipeline(quick, in_flight);
  queues(quick);
}
