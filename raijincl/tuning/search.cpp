// The search for the parameters of products: random candidates, then the neighbours of the best ones. Slow candidates
// are stopped early.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "raijincl/hybrid.hpp"
#include "tuning/measure.hpp"
#include "tuning/space.hpp"
#include "tuning/tune.hpp"
#include "tuning/vector_tuning.hpp"

namespace raijincl {
namespace {


const char* outcome_name(Measurement::Outcome o) {
  static const char* const names[] = {"fine", "build-failed", "launch-failed", "wrong", "slow", "hung"};
  return names[static_cast<int>(o)];
}

// The state file, one line per measurement: `JOB | PARAMETERS | OUTCOME GFLOPS SPENT`, where SPENT is the time in
// seconds that the job had taken by then. A line `... | trying` without a later outcome is a candidate that crashed the
// process.
class State {
 public:
  explicit State(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto bar = line.rfind(" | ");
      if (bar == std::string::npos) continue;
      char outcome[32] = "";
      double gflops = 0, spent = 0;
      std::sscanf(line.c_str() + bar + 3, "%31s %lf %lf", outcome, &gflops, &spent);
      known_[line.substr(0, bar)] = {outcome, gflops};
      double& job = spent_[line.substr(0, line.find(" | "))];
      job = std::max(job, spent);
    }
    out_.open(file, std::ios::app);
  }
  using Known = std::map<std::string, std::pair<std::string, double>>;
  const Known& known() const { return known_; }
  double spent(const std::string& job) const {
    const auto i = spent_.find(job);
    return i == spent_.end() ? 0 : i->second;
  }
  void write(const std::string& key, const char* outcome, double gflops, double spent) {
    known_[key] = {outcome, gflops};
    out_ << key << " | " << outcome << " " << gflops << " " << spent << std::endl;
  }

 private:
  Known known_;
  std::map<std::string, double> spent_;
  std::ofstream out_;
};

// Calls `expired` on a thread of its own if an operation exceeds its time limit: a kernel or a compiler that hangs
// blocks the thread that waits for it.
class Alarm {
 public:
  explicit Alarm(std::function<void()> expired) : expired_(std::move(expired)), thread_([this] { watch(); }) {}
  ~Alarm() {
    change([&] { over_ = true; });
    thread_.join();
  }
  void set(double seconds) {
    change([&] {
      due_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
      armed_ = true;
    });
  }
  void off() {
    change([&] { armed_ = false; });
  }

 private:
  void change(const std::function<void()>& f) {
    {
      std::lock_guard lock(mutex_);
      f();
    }
    changed_.notify_one();
  }
  void watch() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      if (!armed_) {
        changed_.wait(lock);
      } else if (Clock::now() < due_) {
        changed_.wait_until(lock, due_);
      } else {
        armed_ = false;
        expired_();
      }
    }
  }
  const std::function<void()> expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool armed_ = false, over_ = false;
  Clock::time_point due_;
  std::thread thread_;
};

struct Found {
  double gflops;
  GemmConfig config;
  Space::Point point;
};

class Search {
 public:
  Search(Context& c, cl_command_queue q, const TuneOptions& o)
      : ctx_(c.impl()),
        queue_(q),
        options_(o),
        state_(o.state.empty() ? o.profile + ".state" : o.state),
        alarm_([this] { give_up(); }) {}

  // The best candidates first, checked at edge sizes. `share`: seconds for this job, including those of earlier runs.
  std::vector<Found> run(Precision p, bool compensated, std::size_t n, double share) {
    const Space space(ctx_.info, p, compensated, ctx_.options.native_kernels);
    std::vector<Found> found;
    if (space.families() == 0) return found;
    job_ = std::string(name_of(p)) + (compensated ? "c" : "") + " " + std::to_string(n);
    start_ = Clock::now();
    share_ = share;
    before_ = state_.spent(job_);
    tried_ = 0;
    best_ = 0;
    if (make_operands(ctx_, queue_, p, n, operands_) != Status::Ok) {
      std::fprintf(stderr, "%s: %s\n", job_.c_str(), last_error().c_str());
      return found;
    }
    std::set<std::string> seen;
    const auto visit = [&](const Space::Point& point) {
      GemmConfig c;
      if (!space.config(point, c) || !seen.insert(text_of(c)).second) return;
      const double g = measure(c, n);
      if (g > 0) found.push_back({g, c, point});
    };
    // The search starts from the current parameters and the results of earlier runs, so its result is never worse than
    // these.
    std::vector<GemmConfig> given;
    {
      std::shared_lock lock(ctx_.profile_mutex);
      for (const GemmChoice& c : (compensated ? ctx_.profile.compensated : ctx_.profile.gemm)[static_cast<int>(p)])
        given.push_back(c.config);
    }
    for (const auto& [key, outcome] : state_.known()) {
      if (outcome.first != "fine" || key.compare(0, job_.size() + 3, job_ + " | ") != 0) continue;
      std::istringstream text(key.substr(job_.size() + 3));
      GemmConfig c;
      std::string error;
      if (read_config(text, c, error)) given.push_back(c);
    }
    for (const GemmConfig& c : given) {
      if (seen.insert(text_of(c)).second) {
        const double g = measure(c, n);
        if (g <= 0) continue;
        found.push_back({g, c, {}});
        space.point(c, found.back().point);
      }
    }
    if (options_.full) {
      sweep_ = {space.size(), 0};
      for (Space::Point point; space.next(point) && left() > 0; ++sweep_.passed) visit(point);
    } else {
      std::mt19937 r(static_cast<unsigned>(n) * 8 + static_cast<unsigned>(p));
      // A third of the time for random candidates, with equal shares for the families, or until one works; then
      // neighbours of the best candidates so far.
      const auto random = [&] { return left() > (found.empty() ? 0 : share_ * 2 / 3); };
      for (std::size_t i = 0; random() && i < 200000; ++i) visit(space.random(i % space.families(), r));
      std::set<std::string> expanded;
      while (left() > 0) {
        sort(found);
        const Found* from = nullptr;
        for (const Found& f : found) {
          if (!f.point.empty() && f.gflops > 0.7 * best_ && !expanded.count(text_of(f.config))) {
            from = &f;
            break;
          }
        }
        if (!from) break;
        expanded.insert(text_of(from->config));
        for (const Space::Point& q : space.neighbours(Space::Point(from->point))) {
          if (left() > 0) visit(q);
        }
      }
    }
    sort(found);
    // Measures the best few again, for longer, and sorts them by the results.
    found.resize(std::min<std::size_t>(found.size(), 5));
    for (Found& f : found) {
      double g = 0;
      if (time_gemm(ctx_, queue_, f.config, operands_, n, 2, 1, 0, 0.3, g) == Status::Ok) f.gflops = g;
    }
    sort(found);
    std::erase_if(found, [&](const Found& f) { return &f == &found[0] ? false : f.gflops < 0.5 * found[0].gflops; });
    for (auto i = found.begin(); i != found.end();) {
      if (edges(i->config, p)) break;
      std::fprintf(stderr, "\n%s: wrong at an edge size, skipped: %s\n", job_.c_str(), text_of(i->config).c_str());
      note(job_ + " | " + text_of(i->config), "wrong", 0);
      i = found.erase(i);
    }
    if (!options_.quiet) std::fprintf(stderr, "\n");
    return found;
  }

 private:
  // Called on the alarm's thread while the searching thread waits for the device or a compiler, and so does not write.
  void give_up() {
    hung_ = true;
    note(current_, "hung", 0);
    std::fprintf(stderr, "\n%s: no answer for %g s, skipped\n", current_.c_str(), options_.limit);
    if (options_.restart) options_.restart();
  }
  void note(const std::string& key, const char* outcome, double gflops) {
    state_.write(key, outcome, gflops, std::min(share_, share_ - left()));
  }

  static void sort(std::vector<Found>& f) {
    std::stable_sort(f.begin(), f.end(), [](const Found& a, const Found& b) { return a.gflops > b.gflops; });
  }
  double left() const { return share_ - before_ - std::chrono::duration<double>(Clock::now() - start_).count(); }

  // GFLOP/s; 0 for candidates that cannot be the best.
  double measure(const GemmConfig& c, std::size_t n) {
    current_ = job_ + " | " + text_of(c);
    if (const auto k = state_.known().find(current_); k != state_.known().end()) {
      const auto [outcome, gflops] = k->second;
      if (outcome == "trying") note(current_, "hung", 0);
      best_ = std::max(best_, outcome == "fine" ? gflops : 0);
      return outcome == "fine" ? gflops : 0;
    }
    note(current_, "trying", 0);
    hung_ = false;
    alarm_.set(options_.limit);
    Measurement m = try_gemm(ctx_, queue_, c, operands_, n, best_, 0.06);
    alarm_.off();
    if (hung_)
      m.outcome = Measurement::Outcome::Hung;  // it ended, but too late
    else
      note(current_, outcome_name(m.outcome), m.gflops);
    ++tried_;
    if (m.outcome == Measurement::Outcome::Fine) best_ = std::max(best_, m.gflops);
    progress();
    return m.outcome == Measurement::Outcome::Fine ? m.gflops : 0;
  }

  void progress() const {
    if (options_.quiet) return;
    // A full search tries all candidates, however long that takes.
    const double done = std::clamp(options_.full ? sweep_.passed / sweep_.points : 1 - left() / share_, 0.0, 1.0);
    const double gone = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rest = std::clamp(options_.full && done > 0 ? gone * (1 - done) / done : left(), 0.0, 1e8);
    char bar[21];
    for (int i = 0; i < 20; ++i) bar[i] = i < done * 20 ? '=' : ' ';
    bar[20] = 0;
    std::fprintf(stderr, "\r%s [%s] %d tried, best %.1f GFLOP/s, %d:%02d left ", job_.c_str(), bar, tried_, best_,
                 static_cast<int>(rest) / 60, static_cast<int>(rest) % 60);
    std::fflush(stderr);
  }

  // 30 sizes around the kernel's tile sizes: one more or less than a multiple, less than a tile, a single row, column
  // or step of k.
  bool edges(const GemmConfig& c, Precision p) {
    const std::size_t m = static_cast<std::size_t>(c.bm), n = static_cast<std::size_t>(c.bn),
                      k = static_cast<std::size_t>(std::max(c.bk, 16));
    const std::size_t ms[] = {1, m - 1 ? m - 1 : 1, m, m + 1, 2 * m + 3}, ns[] = {1, n, n + 1, 2 * n - 1, n + 7, 3};
    const std::size_t ks[] = {1, k - 1 ? k - 1 : 1, k, k + 1, 3 * k + 5, 2};
    std::size_t i = 0;
    for (std::size_t a : ms) {
      for (std::size_t b : ns) {
        bool right = false;
        double worst = 0;
        current_ = job_ + " | " + text_of(c);
        hung_ = false;
        alarm_.set(options_.limit * 4);  // four layouts, each built
        const Status s = check_gemm(ctx_, queue_, c, p, a, b, ks[i++ % 6], 0b1111, right, worst);
        alarm_.off();
        if (s != Status::Ok || !right || hung_) return false;
      }
    }
    return true;
  }

  Context::Impl& ctx_;
  cl_command_queue queue_;
  const TuneOptions& options_;
  State state_;
  Operands operands_;
  std::string job_, current_;
  Clock::time_point start_;
  double share_ = 0, before_ = 0, best_ = 0;
  /// For a full search: the number of candidates, and of those tried so far.
  struct Sweep {
    double points = 0, passed = 0;
  } sweep_;
  int tried_ = 0;
  std::atomic<bool> hung_{false};
  Alarm alarm_;
};

}  // namespace

std::vector<GemmChoice> merge_classes(const std::vector<GemmChoice>& before, const std::vector<GemmChoice>& found) {
  std::map<std::size_t, std::pair<GemmChoice, bool>> by_size;  // and whether it is new
  for (const GemmChoice& c : before)
    if (c.measured_at) by_size[c.measured_at] = {c, false};
  for (const GemmChoice& c : found) by_size[c.measured_at] = {c, true};
  std::vector<GemmChoice> out;
  for (auto i = by_size.begin(); i != by_size.end(); ++i) {
    GemmChoice c = i->second.first;
    if (auto next = std::next(i); next == by_size.end()) {
      c.up_to = 0;
    } else if (i->second.second || next->second.second || c.up_to == 0) {
      c.up_to = static_cast<std::size_t>(std::sqrt(static_cast<double>(i->first) * static_cast<double>(next->first)));
    }
    out.push_back(c);
  }
  return out;
}

int tune(Context& context, cl_command_queue q, const TuneOptions& o) {
  Context::Impl& ctx = context.impl();
  Profile profile;
  {
    std::shared_lock lock(ctx.profile_mutex);
    profile = ctx.profile;
  }
  profile.device = ctx.info.name;
  profile.driver = ctx.info.driver;
  profile.tuned = true;
  const auto save = [&] {
    std::ofstream(o.profile) << profile.to_json() << "\n";
    return context.set_profile(profile.to_json());
  };
  std::vector<std::size_t> sizes = o.sizes;
  if (sizes.empty())
    sizes = ctx.info.is_cpu ? std::vector<std::size_t>{128, 768} : std::vector<std::size_t>{512, 1024, 4096};
  std::sort(sizes.begin(), sizes.end());
  const bool all = o.what == "all";
  Search search(context, q, o);
  int jobs = 0;
  const auto wants = [&](Precision p) {
    return o.precisions.find(name_of(p)) != std::string::npos && (!is_double(p) || ctx.info.has_double);
  };
  const auto has_second = [&](Precision p) {  // compensated products, too
    return !is_double(p) && o.what != "hybrid" && ctx.options.native_kernels && ctx.info.nvidia_capability >= 80;
  };
  for (int i = 0; i < 4; ++i) {
    const auto p = static_cast<Precision>(i);
    const bool comp = has_second(p);
    if (wants(p)) jobs += static_cast<int>(sizes.size()) * (1 + comp);
  }
  // A full search ends when all candidates were tried.
  const double share = o.full ? 1e9 : o.minutes * 60 / std::max(1, jobs);
  std::vector<Found> last[4];
  for (int i = 0; i < 4 && (all || o.what == "gemm" || o.what == "hybrid"); ++i) {
    const auto p = static_cast<Precision>(i);
    if (!wants(p)) continue;
    for (bool comp : {false, true}) {
      if (comp && !has_second(p)) continue;
      std::vector<GemmChoice> found;
      for (std::size_t n : sizes) {
        const std::vector<Found> f = search.run(p, comp, n, share);
        if (f.empty()) {
          std::fprintf(stderr, "%s%s %zu: nothing that works was found\n", name_of(p), comp ? "c" : "", n);
          continue;
        }
        found.push_back({0, f[0].config, f[0].gflops, n});
        std::printf("%s%s %zu: %.1f GFLOP/s, %s\n", name_of(p), comp ? "c" : "", n, f[0].gflops,
                    text_of(f[0].config).c_str());
        std::fflush(stdout);
        if (!comp) last[i] = f;
      }
      if (found.empty()) continue;
      std::vector<GemmChoice>& classes = (comp ? profile.compensated : profile.gemm)[i];
      classes = merge_classes(classes, found);
      if (save() != Status::Ok) return std::fprintf(stderr, "%s\n", last_error().c_str()), 1;
    }
  }
  if (all || o.what == "gemv" || o.what == "transpose") {
    if (tune_vector(context, q, o.what, profile) != Status::Ok) std::fprintf(stderr, "%s\n", last_error().c_str());
    if (save() != Status::Ok) return 1;
  }
  for (int i = 0; i < 4 && (all || o.what == "hybrid") && has_cpu_blas(); ++i) {
    const auto p = static_cast<Precision>(i);
    if (!wants(p) || last[i].empty()) continue;
    std::vector<GemmConfig> candidates;  // searched together with the split: the kernel that is the best alone
                                         // need not be the best while the CPU is busy
    for (const Found& f : last[i]) candidates.push_back(f.config);
    if (tune_hybrid(ctx, q, p, sizes.back(), candidates, profile.hybrid[i]) != Status::Ok)
      std::fprintf(stderr, "%s\n", last_error().c_str());
    if (save() != Status::Ok) return 1;
  }
  return save() == Status::Ok ? 0 : 1;
}

}  // namespace raijincl
