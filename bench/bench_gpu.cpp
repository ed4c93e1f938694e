// bench_gpu: programs with accelerated sections (bench/gpu/*.vrir) on the OpenCL device, compared with hand-written
// kernels (bench/gpu/peers.cl) in the same process. Each program repeats its kernels a given number of times. The time
// of one repetition is the difference between runs with many and with few repetitions, divided by the difference of
// their numbers, so that the copies cancel out on both sides. The number is large because the time of copies varies by
// milliseconds. `call` is a whole call from host arrays to host arrays with one repetition. Results are compared before
// anything is timed. The ratio is the peer's time over ours.
#include "opencl_peers.hpp"
#include "timing.hpp"

#include <velociraptor/velociraptor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using bench::median;
using bench::ms_of;

using vr::Array;
using vr::Elem;
using vr::Value;

using bench::die;
using bench::set;
using bench::up;

/// The peers' kernels, built with the language's default rules and with all fast-math options.
class Peers : public bench::Peers {
 public:
  Peers(const std::string& device_text, const std::string& source)
      : bench::Peers(device_text),
        strict_(build(source, "-cl-std=CL1.2")),
        fast_(build(source, "-cl-std=CL1.2 -cl-fast-relaxed-math")) {}
  ~Peers() {
    clReleaseProgram(strict_);
    clReleaseProgram(fast_);
  }
  cl_kernel kernel(const std::string& name, bool fast) { return bench::Peers::kernel(fast ? fast_ : strict_, name); }

 private:
  cl_program strict_, fast_;
};

struct Case {
  std::string name;  // names of the program, its function, and the peer
  std::vector<Value> args;
  int few, many;                                           // repetitions
  double work;                                             // operations or bytes of one repetition
  const char* unit;                                        // what 1e12 units of work per second are called
  double goal;                                             // in that unit, on an H100; 0: no goal
  double bound;                                            // largest permitted relative difference between the two
  std::function<Array(const std::vector<Value>&)> result;  // the array that a call computed
  std::function<void(int)> peer;                           // enqueues that many repetitions and waits
  std::function<std::vector<double>()> peer_result;
};

Array vector_of(Elem e, std::vector<int64_t> extents, double lo, double hi, unsigned seed) {
  auto a = Array::empty(e, extents);
  if (!a) die("no memory");
  std::mt19937 gen(seed);
  std::vector<double> some(4099);
  for (double& d : some) d = lo + (hi - lo) * (gen() / 4294967296.0);
  for (int64_t k = 0; k < a->size(); ++k) {
    const double d = some[size_t(k) % some.size()];
    if (e == Elem::Float64)
      a->data_as<double>()[k] = d;
    else if (e == Elem::Float32)
      a->data_as<float>()[k] = float(d);
    else
      a->data_as<int32_t>()[k] = int32_t(d);
  }
  return *a;
}
double at(const Array& a, int64_t k) {
  return a.elem() == Elem::Float64   ? a.data_as<double>()[k]
         : a.elem() == Elem::Float32 ? double(a.data_as<float>()[k])
                                     : a.data_as<int32_t>()[k];
}

/// All peers' buffers live until the program ends.
std::vector<Case> cases(Peers& p, bool quick) {
  std::vector<Case> list;
  auto read = [&p](cl_mem m, const Array& like) {
    return [&p, m, like] {
      auto host = Array::empty(like.elem(), std::vector<int64_t>{like.size()});
      if (!host) die("no memory");
      p.read(m, host->data_as<void>(), size_t(Peers::bytes(*host)));
      std::vector<double> v(static_cast<size_t>(host->size()));
      for (size_t k = 0; k < v.size(); ++k) v[k] = at(*host, int64_t(k));
      return v;
    };
  };
  auto first = [](const Array& a) { return [a](const std::vector<Value>&) { return a; }; };
  {
    const int64_t n = quick ? 512 : 8192;
    Array u = vector_of(Elem::Float64, {n, n}, 0, 1, 1), v = vector_of(Elem::Float64, {n, n}, 0, 1, 1);
    cl_kernel k = p.kernel("stencil5", false);
    cl_mem a = p.buffer(u), b = p.buffer(v);
    auto peer = [&p, k, a, b, n](int times) {
      for (int s = 0; s < times; ++s) {
        set(k, 0, s % 2 ? b : a);
        set(k, 1, s % 2 ? a : b);
        set(k, 2, int(n));
        set(k, 3, int(n));
        p.launch(k, {up(n / 2, 64), up((n + 5) / 8, 2)}, {64, 2});
      }
      p.finish();
    };
    list.push_back({"stencil5",
                    {u, v},
                    10,
                    1010,
                    16.0 * double(n) * double(n),
                    "TB/s",
                    2.3,
                    1e-13,
                    [](const std::vector<Value>& r) { return r[0].array(); },
                    peer,
                    read(b, v)});
  }
  {
    const int64_t n = quick ? 2048 : 65536;
    Array pts = vector_of(Elem::Float32, {n, 3}, -1, 1, 2), d = vector_of(Elem::Float32, {n}, 0, 0, 3);
    cl_kernel k = p.kernel("distances", true);
    cl_mem a = p.buffer(pts), b = p.buffer(d);
    auto peer = [&p, k, a, b, n](int times) {
      set(k, 0, a);
      set(k, 1, b);
      set(k, 2, int(n));
      for (int s = 0; s < times; ++s) p.launch(k, {size_t(n) / 2}, {256});
      p.finish();
    };
    list.push_back(
        {"distances", {pts, d}, 2, 42, 9.0 * double(n) * double(n), "TFLOP/s", 4.4, 1e-3, first(d), peer, read(b, d)});
  }
  {
    const int64_t n = quick ? 256 : 4096;
    const float x0 = -2, y0 = -1.25f, dx = 2.5f / float(n), dy = 2.5f / float(n);
    Array out = vector_of(Elem::Int32, {n, n}, 0, 0, 4);
    cl_kernel k = p.kernel("mandelbrot", false);
    cl_mem a = p.buffer(out);
    auto peer = [=, &p](int times) {
      set(k, 0, a);
      set(k, 1, int(n));
      set(k, 2, int(n));
      set(k, 3, 256);
      set(k, 4, x0);
      set(k, 5, y0);
      set(k, 6, dx);
      set(k, 7, dy);
      for (int s = 0; s < times; ++s) p.launch(k, {up(n, 16), up(n, 16)}, {16, 16});
      p.finish();
    };
    // A fused multiply-add can change pixels at the set's border, so the fraction of different pixels is bounded
    // through the sum.
    list.push_back({"mandelbrot",
                    {out, int32_t{256}, x0, y0, dx, dy},
                    10,
                    1010,
                    1e9,
                    "runs/ms",
                    1 / 0.44,
                    256,
                    first(out),
                    peer,
                    read(a, out)});
  }
  {
    const int64_t n = quick ? 1 << 16 : 1 << 26;
    Array s = vector_of(Elem::Float32, {n}, 10, 100, 5), x = vector_of(Elem::Float32, {n}, 10, 100, 6),
          t = vector_of(Elem::Float32, {n}, 0.2, 2, 7), c = vector_of(Elem::Float32, {n}, 0, 0, 8);
    cl_kernel k = p.kernel("black_scholes", true);
    cl_mem ms = p.buffer(s), mx = p.buffer(x), mt = p.buffer(t), mc = p.buffer(c);
    auto peer = [=, &p](int times) {
      set(k, 0, ms);
      set(k, 1, mx);
      set(k, 2, mt);
      set(k, 3, 0.02f);
      set(k, 4, 0.3f);
      set(k, 5, mc);
      set(k, 6, int(n));
      for (int r = 0; r < times; ++r) p.launch(k, {up(n, 256)}, {256});
      p.finish();
    };
    list.push_back({"black_scholes",
                    {s, x, t, 0.02f, 0.3f, c},
                    10,
                    1010,
                    16.0 * double(n),
                    "TB/s",
                    2.6,
                    1e-4,
                    first(c),
                    peer,
                    read(mc, c)});
  }
  for (const char* name : {"reduce_sum", "reduce_min"}) {
    const int64_t n = quick ? 1 << 18 : 1 << 28, groups = 1024;
    const bool sum = std::strcmp(name, "reduce_sum") == 0;
    Array a = vector_of(Elem::Float32, {n}, -1, 2, 9);
    cl_kernel k = p.kernel(name, false);
    cl_mem m = p.buffer(a), out = p.buffer(vector_of(Elem::Float64, {groups}, 0, 0, 1));
    auto result = std::make_shared<double>(0);
    auto peer = [=, &p](int times) {
      set(k, 0, m);
      set(k, 1, int(n / 4));
      set(k, 2, out);
      for (int r = 0; r < times; ++r) {
        p.launch(k, {size_t(groups) * 256}, {256});
        if (sum) {
          std::vector<double> part(static_cast<size_t>(groups));
          p.read(out, part.data(), part.size() * sizeof(double));
          *result = 0;
          for (double d : part) *result += d;
        } else {
          std::vector<float> part(static_cast<size_t>(groups));
          p.read(out, part.data(), part.size() * sizeof(float));
          *result = *std::min_element(part.begin(), part.end());
        }
      }
    };
    list.push_back({name,
                    {a},
                    10,
                    1010,
                    4.0 * double(n),
                    "TB/s",
                    2.75,
                    1e-5,
                    [](const std::vector<Value>& r) {
                      auto one = Array::from({r[0].as_double()});
                      return one;
                    },
                    peer,
                    [result] { return std::vector<double>{*result}; }});
  }
  {
    const int64_t n = 4096;
    Array a = vector_of(Elem::Float32, {n}, 0, 1, 10), b = vector_of(Elem::Float32, {n}, 0, 1, 11);
    cl_kernel k = p.kernel("small_steps", false);
    cl_mem ma = p.buffer(a), mb = p.buffer(b);
    auto peer = [=, &p](int times) {
      for (int r = 0; r < times; ++r) {
        set(k, 0, ma);
        set(k, 1, mb);
        set(k, 2, int(n));
        p.launch(k, {up(n, 256)}, {256});
      }
      p.finish();
    };
    list.push_back(
        {"small_steps", {a, b}, 1000, 11000, 1e6, "launches/us", 1 / 8.0, 1e-6, first(b), peer, read(mb, b)});
  }
  {
    const int64_t n = quick ? 1 << 16 : 1 << 26;
    Array a = vector_of(Elem::Float32, {n}, -1, 1, 12), b = vector_of(Elem::Float32, {n}, -1, 1, 13),
          c = vector_of(Elem::Float32, {n}, 0, 0, 1);
    cl_kernel k = p.kernel("expression", false);
    cl_mem ma = p.buffer(a), mb = p.buffer(b), mc = p.buffer(c);
    auto peer = [=, &p](int times) {
      set(k, 0, ma);
      set(k, 1, mb);
      set(k, 2, mc);
      set(k, 3, int(n / 4));
      for (int r = 0; r < times; ++r) p.launch(k, {up(n / 4, 256)}, {256});
      p.finish();
    };
    list.push_back({"expression",
                    {a, b, c},
                    10,
                    1010,
                    12.0 * double(n),
                    "TB/s",
                    0,
                    1e-6,
                    [](const std::vector<Value>& r) { return r[0].array(); },
                    peer,
                    read(mc, c)});
  }
  return list;
}

double difference(const std::string& name, const Array& got, const std::vector<double>& want) {
  if (!got || got.size() != int64_t(want.size())) die(name + ": the result has another shape");
  double worst = 0, largest = 0;
  for (int64_t k = 0; k < got.size(); ++k) {
    const double a = at(got, k), b = want[size_t(k)];
    if (std::isnan(a) || std::isnan(b)) die(name + ": a NaN");
    worst = std::max(worst, std::fabs(a - b));
    largest = std::max(largest, std::fabs(b));
  }
  return worst / std::max(largest, 1e-300);
}

}  // namespace

int main(int argc, char** argv) try {
  bool quick = false, regions = false;
  std::string json, only, programs = VR_SOURCE_DIR "/bench/gpu";
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    if (a == "--quick")
      quick = true;
    else if (a == "--regions")
      regions = true;
    else if (a == "--json" && k + 1 < argc)
      json = argv[++k];
    else if (a == "--only" && k + 1 < argc)
      only = argv[++k];
    else if (a == "--programs" && k + 1 < argc)
      programs = argv[++k];
    else
      die("usage: bench_gpu [--quick] [--regions] [--json FILE] [--only NAME] [--programs FOLDER]");
  }
  vr::Options o;
  o.target = vr::Target::OpenCL;
  if (regions) o.regions = vr::RegionMode::Sync;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  std::ifstream file(programs + "/peers.cl");
  std::stringstream text;
  text << file.rdbuf();
  if (text.str().empty()) die("no " + programs + "/peers.cl");
  Peers peers(engine->device_name(), text.str());
  std::printf("device: %s; one repetition; reference: kernels by hand, same run\n", engine->device_name().c_str());
  std::printf("%-14s %10s %10s %7s %10s %-11s %8s %10s %10s\n", "program", "ours ms", "hand ms", "ratio", "rate", "",
              "goal", "call ms", "load ms");
  std::string out;
  double log_sum = 0, worst = 1e300;
  int count = 0;
  for (const Case& c : cases(peers, quick)) {
    if (!only.empty() && c.name.find(only) == std::string::npos) continue;
    std::unique_ptr<vr::Function> f;
    const double load_ms = ms_of([&] {
      auto module = engine->load_file(programs + "/" + c.name + ".vrir");
      if (!module) die(c.name + ": " + module.error().text());
      for (const std::string& line : module->report()) std::printf("  report: %s\n", line.c_str());
      auto found = module->function(c.name);
      if (!found) die(c.name + ": " + found.error().text());
      f = std::make_unique<vr::Function>(*found);
    });
    auto run = [&](int times) {
      std::vector<Value> args = c.args;
      args.emplace_back(int64_t{times});
      auto r = f->call(args);
      if (!r) die(c.name + ": " + r.error().text());
      return std::move(*r);
    };
    const std::vector<Value> got = run(1);
    c.peer(1);
    const double differs = difference(c.name, c.result(got), c.peer_result());
    if (!(differs <= c.bound)) die(c.name + ": differs by " + std::to_string(differs) + " from the peer");
    const double call_ms = ms_of([&] { run(1); });
    std::vector<double> ours, hand;
    for (int turn = 0; turn < 5; ++turn) {
      const double a = ms_of([&] { run(c.few); }), b = ms_of([&] { run(c.many); });
      const double x = ms_of([&] { c.peer(c.few); }), y = ms_of([&] { c.peer(c.many); });
      ours.push_back((b - a) / (c.many - c.few));
      hand.push_back((y - x) / (c.many - c.few));
    }
    const double a = median(ours), b = median(hand), ratio = b / a, rate = c.work / a * 1e-9;
    std::printf("%-14s %10.4f %10.4f %7.2f %10.3f %-11s %8.3f %10.2f %10.1f\n", c.name.c_str(), a, b, ratio, rate,
                c.unit, c.goal, call_ms, load_ms);
    std::fflush(stdout);
    char line[512];
    std::snprintf(line, sizeof line,
                  "%s{\"name\":\"%s\",\"ms\":%.6f,\"hand_ms\":%.6f,\"ratio\":%.4f,\"rate\":%.4f,\"unit\":\"%s\",\"call_"
                  "ms\":%.3f}",
                  out.empty() ? "" : ",\n", c.name.c_str(), a, b, ratio, rate, c.unit, call_ms);
    out += line;
    log_sum += std::log(ratio);
    worst = std::min(worst, ratio);
    ++count;
  }
  if (count == 0) die("no program of that name");
  std::printf("gpu: geomean %.2f min %.2f over %d\n", std::exp(log_sum / count), worst, count);
  if (!json.empty())
    std::ofstream(json) << "{\"device\":\"" << engine->device_name() << "\",\"programs\":[" << out << "]}\n";
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_gpu: %s\n", e.what());
  return 1;
}
