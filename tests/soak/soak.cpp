// vrsoak: a long test in one process: random programs in several threads, loading and unloading of modules, creation
// and destruction of engines, changing shapes, a device, small caches. Prints one line per minute; the exit status is 1
// when a result is wrong or memory use keeps growing.
#include "batches.hpp"
#include "generator.hpp"
#include "runtime/cpu/pool.hpp"
#include "runtime/gpu/session.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/velociraptor.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

using namespace vr;
using namespace vr::smith;

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> stop{false};
std::atomic<int64_t> programs{0}, calls{0}, engines{0}, mismatches{0};

void report(const std::string& what) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  ++mismatches;
  fmt::print("MISMATCH {}\n", what);
  std::fflush(stdout);
}

/// Stops threads between tasks, after they have destroyed their engines, while memory is measured, so that the memory
/// of running tasks does not count as a leak.
class Rest {
 public:
  bool asked() const { return asked_; }
  /// Called by the threads, at the points where they may stop.
  void here() {
    if (!asked_) return;
    std::unique_lock lock(mutex_);
    ++stopped_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !asked_; });
    --stopped_;
  }
  /// Calls f while `threads` threads are stopped, or after a minute while those that arrived are, because a thread may
  /// have ended after a failure.
  template <class F>
  void during(int threads, F&& f) {
    std::unique_lock lock(mutex_);
    asked_ = true;
    changed_.wait_for(lock, std::chrono::minutes(1), [&] { return stopped_ >= threads; });
    f();
    asked_ = false;
    changed_.notify_all();
  }

 private:
  std::atomic<bool> asked_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  int stopped_ = 0;
};
Rest rest;

/// MiB of private memory of the process. Pages of library files are excluded, because their number grows with the code
/// that has run.
double own_mib() {
  long pages = 0, of_files = 0, unused = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld %ld", &unused, &pages, &of_files) != 3) pages = of_files = 0;
    std::fclose(f);
  }
  return static_cast<double>(pages - of_files) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// MiB that are allocated from the C library. The private memory also contains freed blocks that it keeps for reuse,
/// which grow until all sizes have occurred together; that memory shows a leak only in a long run.
double in_use_mib() {
  const struct mallinfo2 m = mallinfo2();
  return static_cast<double>(m.uordblks + m.hblkhd) / (1 << 20);
}

// ---------------------------------------------------------------- threads
/// Runs random programs on all targets. The Judge, and with it the engines, is created anew from time to time.
void judge_programs(uint64_t seed, int stride, int gpu_share, bool regions) {
  RunOptions o;
  o.generator.gpu_share = gpu_share;
  o.regions = regions;
  for (; !stop; rest.here()) {
    Judge judge(false);
    ++engines;
    for (int k = 0; k < 200 && !stop && !rest.asked(); ++k, seed += static_cast<uint64_t>(stride)) {
      std::vector<Diagnostic> faults;
      Program p = generate(seed, o.generator, &faults);
      if (!faults.empty()) continue;
      const Judgement j = judge.judge(p, choose_targets(p, o));
      ++programs;
      if (j.verdict == Verdict::Mismatch) report(fmt::format("seed {} on {}: {}", seed, j.target, j.text));
    }
  }
}

const char* const steady = R"((module :name steady (fns
  (function :name blend
    (functype (intypes (arraytype :layout strided :ndims 2 (float64)) (float64)) (outtypes (arraytype :layout rowmajor :ndims 2 (float64))))
    (arglist 0 1)
    (body
      (assignstmt
        (lhs (name :id 2 (arraytype :layout rowmajor :ndims 2 (float64))))
        (rhs (alloc :func zeros (arraytype :layout rowmajor :ndims 2 (float64)) (args (dim :arrayid 0 :dimid 0 (int64)) (dim :arrayid 0 :dimid 1 (int64))))))
      (forstmt
        (itervars 3 4)
        (loopdomain (domain (domaintype :ndims 2 (int64) (int64))
          (range (stop (dim :arrayid 0 :dimid 0 (int64)))) (range (stop (dim :arrayid 0 :dimid 1 (int64))))))
        (body
          (assignstmt
            (lhs (index :arrayid 2 (float64) (indices (index (name :id 3 (int64))) (index (name :id 4 (int64))))))
            (rhs (mult (float64)
              (lhs (index :arrayid 0 (float64) (indices (index (name :id 3 (int64))) (index (name :id 4 (int64))))))
              (rhs (name :id 1 (float64))))))))
      (returnstmt (exprs (name :id 2 (arraytype :layout rowmajor :ndims 2 (float64))))))
    (symtable
      (sym :id 0 :name a (arraytype :layout strided :ndims 2 (float64)))
      (sym :id 1 :name f (float64))
      (sym :id 2 :name b (arraytype :layout rowmajor :ndims 2 (float64)))
      (sym :id 3 :name i (int64)) (sym :id 4 :name j (int64)))))))";

/// An array of this shape whose elements are f.
void check_blend(const Function& f, int64_t rows, int64_t columns, const char* where) {
  const int64_t shape[] = {rows, columns};
  auto a = Array::zeros(Elem::Float64, shape);
  if (!a) return report(std::string(where) + ": " + a.error().text());
  for (int64_t k = 0; k < a->size(); ++k) a->data_as<double>()[k] = 1;
  auto r = f(*a, 2.5);
  ++calls;
  if (!r) return report(std::string(where) + ": " + r.error().text());
  const Array& b = (*r)[0].array();
  double sum = 0;
  for (int64_t k = 0; k < b.size(); ++k) sum += b.data_as<double>()[k];
  if (sum != 2.5 * static_cast<double>(rows * columns)) report(fmt::format("{}: {}x{}", where, rows, columns));
}

/// One engine for the whole run, and specialised versions for shapes that keep changing.
void change_shapes() {
  Options o;
  o.target = Target::CpuParallel;
  o.threads = 2;
  o.tiered = true;
  o.regions = RegionMode::Background;
  auto engine = Engine::create(o);
  if (!engine) return report("shapes: " + engine.error().text());
  Random rng(17);
  for (; !stop; rest.here()) {
    auto m = engine->load(steady, "steady.vrir");
    if (!m) return report("shapes: " + m.error().text());
    auto f = m->function("blend");
    for (int k = 0; k < 2000 && !stop && !rest.asked(); ++k)
      check_blend(*f, 1 + rng.below(k % 50 == 0 ? 300 : 6), 1 + rng.below(k % 50 == 0 ? 300 : 6), "shapes");
  }
}

/// Creates and removes engines, modules and cache files; some of the modules have errors.
void come_and_go(bool device) {
  for (int64_t k = 0; !stop; ++k, rest.here()) {
    Options o;
    o.target = device && k % 4 == 0 ? Target::OpenCL : k % 3 ? Target::Cpu : Target::CpuParallel;
    o.threads = 2;
    o.tiered = k % 2;
    o.lazy = k % 5 == 0;
    o.opt_level = static_cast<int>(k % 4);
    auto engine = Engine::create(o);
    ++engines;
    if (!engine) return report("engine: " + engine.error().text());
    for (int n = 0; n < 5 && !stop; ++n) {
      std::string text = steady;
      // A different module each time, so that the cache fills.
      text.insert(text.find("(fns"), fmt::format(":vrir 1 "));
      text.replace(text.find("steady"), 6, fmt::format("s{}", k * 5 + n));
      auto m = engine->load(text, "steady.vrir");
      if (!m) {
        report("load: " + m.error().text());
        break;
      }
      auto f = m->function("blend");
      if (!f) {
        report("function: " + f.error().text());
        break;
      }
      check_blend(*f, 3, 4, "engines");
      if (engine->load("(module :name broken (fns (function", "broken.vrir")) report("a broken text loads");
      auto none = (*f)(1.0, 2.0);
      if (none || none.error().code != Code::Type) report("a number passes for an array");
    }
  }
}

/// The rise of a straight line fitted to the second half of the samples, relative to their mean.
double growth_of_last_half(const std::vector<double>& samples) {
  const size_t first = samples.size() / 2, n = samples.size() - first;
  if (n < 3) return 0;
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (size_t k = 0; k < n; ++k) {
    mean_x += static_cast<double>(k) / static_cast<double>(n);
    mean_y += samples[first + k] / static_cast<double>(n);
  }
  for (size_t k = 0; k < n; ++k) {
    const double x = static_cast<double>(k) - mean_x;
    xx += x * x;
    xy += x * (samples[first + k] - mean_y);
  }
  return xy / xx * static_cast<double>(n - 1) / mean_y;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Hours of random work in one process"};
  double hours = 2, minute = 60;
  uint64_t seed = 1;
  double allowed = 1;
  app.add_option("--hours", hours, "how long (default 2)")->check(CLI::PositiveNumber);
  app.add_option("--seed", seed, "of the first program");
  app.add_option("--every", minute, "seconds between lines (default 60)")->check(CLI::PositiveNumber);
  app.add_option("--growth", allowed, "percent that memory may grow in the last half (default 1)");
  bool device = false;
  app.add_flag("--device", device, "programs with accelerated sections too; drivers may keep memory of their own for each");
  CLI11_PARSE(app, argc, argv);

  // Set before threads start: caches that are always full.
  char cache[] = "/tmp/vrsoak-XXXXXX";
  if (!mkdtemp(cache)) return 2;
  setenv("VR_CACHE_DIR", cache, 1);
  setenv("VR_CACHE_BYTES", "1000000", 1);
  constexpr int64_t pool_bytes = 16'000'000;
  runtime::pool_set_bound(pool_bytes);  // the environment variable was read when the library was loaded
  if (device && gpu::list_devices().empty()) {
    fmt::print("no OpenCL device\n");
    return 2;
  }

  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  threads.emplace_back(judge_programs, seed, 3, 0, false);
  // Not with the guarding host, which counts the storage of the whole process.
  threads.emplace_back(judge_programs, seed + 1, 3, 0, true);
  threads.emplace_back(judge_programs, seed + 2, 3, device ? 60 : 0, false);
  threads.emplace_back(change_shapes);
  threads.emplace_back(come_and_go, device);

  std::vector<double> samples;
  double own = 0;
  auto since = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (int line = 1; since() < hours * 3600; ++line) {
    const double until = std::min(line * minute, hours * 3600);
    while (since() < until) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    rest.during(static_cast<int>(threads.size()), [&] {
      // Memory that the pool and the C library keep for later arrays is not a leak.
      runtime::pool_set_bound(0);
      runtime::pool_set_bound(pool_bytes);
      malloc_trim(0);
      // Wait for code that is being compiled in the background.
      double least = in_use_mib();
      for (int k = 0; k < 20; ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        least = std::min(least, in_use_mib());
      }
      samples.push_back(least);
      own = own_mib();
    });
    fmt::print("{:5.1f} min: {:.2f} MiB in use of {:.1f}, {} programs, {} calls, {} engines, {} mismatches\n", since() / 60,
               samples.back(), own, programs.load(), calls.load(), engines.load(), mismatches.load());
    std::fflush(stdout);
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  std::error_code ignored;
  std::filesystem::remove_all(cache, ignored);
  const double growth = 100 * growth_of_last_half(samples);
  const int64_t blocks = runtime::pool_stats().live_blocks;
  if (blocks != 0) report(fmt::format("{} blocks of storage are left over", blocks));
  fmt::print("vrsoak: {} programs, {} mismatches, memory in use in the last half {:+.2f} %\n", programs.load(), mismatches.load(),
             growth);
  return mismatches > 0 || programs == 0 || growth > allowed ? 1 : 0;
}
