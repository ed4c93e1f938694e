#include "batches.hpp"

#include "watchdog.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace vr::smith {

std::vector<TargetSpec> choose_targets(const Program& p, const RunOptions& o) {
  if (!o.targets.empty()) return o.targets;
  Random rng(p.seed ^ 0x5eed5eed5eed);
  std::vector<TargetSpec> t;
  if (o.passes) {
    t = pass_targets();
    const std::vector<TargetSpec> loops = loop_pass_targets();  // a build takes a tenth of a second, so one of them
    t.push_back(rng.pick(loops));
    return t;
  }
  auto mark = [&](std::vector<TargetSpec>& list) {
    for (TargetSpec& spec : list) {
      spec.guard = o.guard;
      spec.regions = o.regions;
    }
  };
  if (p.has_section) {
    t.push_back({Target::OpenCL, rng.chance(70) ? 0 : 2, 2});
    if (rng.chance(30)) t.push_back({Target::CpuParallel, 0, 2});
    mark(t);
    return t;
  }
  // Compiling with optimisation takes ten times as long, so it is done more often for small programs.
  int64_t size = 0;
  for (const auto& f : p.module->functions)
    ir::walk_stmts(f->body, [&](const ir::Stmt& s) {
      ir::for_each_child(s, {[&](const ExprPtr& e) { ir::walk_exprs(e, [&](const ir::Expr&) { ++size; }); }, {}});
    });
  const int optimised = size < 120 ? 35 : 5;
  auto level = [&] { return rng.chance(optimised) ? rng.pick({2, 3}) : 0; };
  const bool parallel = !p.parallel_places.empty();
  if (!parallel || rng.chance(30)) t.push_back({Target::Cpu, level(), 1});
  if (parallel) t.push_back({Target::CpuParallel, level(), rng.pick({2, 8})});
  mark(t);
  return t;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Lines from the child: a letter, then text. S seed: begins. P: agrees; and so on, see `take`.
void send(int fd, char what, std::string text) {
  for (char& c : text)
    if (c == '\n') c = '\x01';
  text = what + text + '\n';
  const char* p = text.data();
  size_t n = text.size();
  while (n > 0) {
    const ssize_t w = write(fd, p, n);
    if (w <= 0) _exit(3);
    p += w;
    n -= static_cast<size_t>(w);
  }
}

void tell_judgement(const Program& p, const Judgement& j, const std::function<void(char, std::string)>& tell) {
  if (p.has_section) tell('G', "");
  for (const std::string& u : j.unsupported) tell('U', u);
  if (j.runs) tell('N', std::to_string(j.runs));
  if (j.interp_fault) tell('F', "");
  if (j.verdict == Verdict::Skipped) return tell('K', j.text);
  if (j.verdict == Verdict::Mismatch) return tell('M', j.target + "\t" + j.text);
  tell('P', "");
}

void run_one(uint64_t seed, const RunOptions& o, Judge& judge, const std::function<void(char, std::string)>& tell) {
  tell('S', std::to_string(seed));
  std::vector<Diagnostic> faults;
  Program p = generate(seed, o.generator, &faults);
  if (!faults.empty()) return tell('V', faults[0].rule + ": " + faults[0].message);
  tell_judgement(p, judge.judge(p, choose_targets(p, o)), tell);
}

/// Compiles the programs from `first` on ahead of time, as one library; returns their number.
uint64_t run_ahead(uint64_t first, uint64_t stop, const RunOptions& o, Judge& judge,
                   const std::function<void(char, std::string)>& tell) {
  constexpr uint64_t most = 250;
  std::vector<Program> programs;
  const uint64_t count = std::min(most, stop - first);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::vector<Diagnostic> faults;
    programs.push_back(generate(seed, o.generator, &faults));
    if (faults.empty()) continue;
    programs.pop_back();
    tell('S', std::to_string(seed));
    tell('V', faults[0].rule + ": " + faults[0].message);
  }
  const std::vector<Judgement> all =
      judge.judge_ahead(programs, o.targets[0].ahead, [&](size_t k) { tell('S', std::to_string(programs[k].seed)); });
  for (size_t k = 0; k < programs.size(); ++k) {
    tell('T', std::to_string(programs[k].seed));
    tell_judgement(programs[k], all[k], tell);
  }
  return count;
}

struct Progress {
  Summary& sum;
  uint64_t seed = 0;
  bool open = false;  ///< a program has begun and not ended
  const std::function<void(uint64_t, const std::string&, const std::string&)>& report;

  void take(char what, std::string text) {
    for (char& c : text)
      if (c == '\x01') c = '\n';
    switch (what) {
      case 'S':
        seed = std::stoull(text);
        open = true;
        ++sum.programs;
        return;
      case 'T':  // the judgement of a program that began before
        seed = std::stoull(text);
        open = true;
        return;
      case 'U':
        ++sum.unsupported[text];
        return;
      case 'N':
        sum.native_runs += std::stoll(text);
        return;
      case 'F':
        ++sum.faults;
        return;
      case 'G':
        ++sum.sections;
        return;
      case 'V':
        ++sum.rejected;
        ++sum.rejections[text];
        break;
      case 'K':
        ++sum.skipped;
        ++sum.skips[text];
        break;
      case 'M': {
        ++sum.mismatches;
        const size_t tab = text.find('\t');
        report(seed, text.substr(0, tab), text.substr(tab + 1));
        break;
      }
      default:
        break;
    }
    open = false;
  }
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("crash: signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("the process ended with status {}", WEXITSTATUS(status));
}

/// Runs `work(fd)` in a child and its lines through `take`; returns false when it hung and was stopped.
bool in_child(const std::function<void(int)>& work, const std::function<void(char, std::string)>& take, int seconds,
              int* status) {
  int fds[2];
  if (pipe(fds) != 0) return false;
  fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(fds[0]);
    work(fds[1]);
    _exit(0);
  }
  close(fds[1]);
  std::string buffer;
  bool hung = false;
  Watchdog watchdog(child, seconds);
  char chunk[4096];
  for (;;) {
    pollfd p{fds[0], POLLIN, 0};
    if (poll(&p, 1, 1000) == 0) {
      if (!watchdog.hangs()) continue;
      hung = true;
      kill(child, SIGKILL);
      break;
    }
    watchdog.alive();
    const ssize_t n = read(fds[0], chunk, sizeof chunk);
    if (n <= 0) break;
    buffer.append(chunk, static_cast<size_t>(n));
    for (size_t end; (end = buffer.find('\n')) != std::string::npos; buffer.erase(0, end + 1))
      take(buffer[0], buffer.substr(1, end - 1));
  }
  close(fds[0]);
  waitpid(child, status, 0);
  return !hung;
}

}  // namespace

Summary run_programs(const RunOptions& o,
                     const std::function<void(uint64_t, const std::string&, const std::string&)>& report) {
  Summary sum;
  Progress progress{sum, 0, false, report};
  const auto start = Clock::now();
  auto late = [&] { return o.seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() > o.seconds; };
  const uint64_t end = o.seed + static_cast<uint64_t>(o.count);
  uint64_t next = o.seed;
  constexpr uint64_t batch = 500;
  const bool ahead = o.targets.size() == 1 && !o.targets[0].ahead.empty();
  while (next < end && !late() && sum.mismatches < o.max_reports) {
    const uint64_t stop = std::min(end, next + batch);
    if (!o.isolate) {
      Judge judge;
      for (; next < stop && !late() && sum.mismatches < o.max_reports; ++next)
        run_one(next, o, judge, [&](char what, std::string text) { progress.take(what, std::move(text)); });
      continue;
    }
    int status = 0;
    const bool ended = in_child(
        [&](int fd) {
          Judge judge;
          auto tell = [fd](char what, std::string text) { send(fd, what, std::move(text)); };
          for (uint64_t s = next; s < stop && !late();) {
            if (ahead) {
              s += run_ahead(s, stop, o, judge, tell);
            } else {
              run_one(s++, o, judge, tell);
            }
          }
        },
        [&](char what, std::string text) { progress.take(what, std::move(text)); }, 60, &status);
    if (ended && status == 0) {
      next = stop;
      continue;
    }
    ++sum.mismatches;
    report(progress.seed, "?", ended ? how_it_ended(status) : "hangs: no progress in 60 s");
    next = progress.open ? progress.seed + 1 : stop;
    progress.open = false;
  }
  return sum;
}

Judgement judge_isolated(const Program& p, const std::vector<TargetSpec>& targets, int seconds) {
  Judgement j;
  int status = 0;
  bool answered = false;
  const bool ended = in_child(
      [&](int fd) {
        Judge judge;
        Judgement x = judge.judge(p, targets);
        send(fd,
             x.verdict == Verdict::Mismatch  ? 'M'
             : x.verdict == Verdict::Skipped ? 'K'
                                             : 'P',
             x.target + "\t" + x.text);
        for (const std::string& u : x.unsupported) send(fd, 'U', u);
      },
      [&](char what, std::string text) {
        if (what == 'U') {
          j.unsupported.push_back(text);
          return;
        }
        answered = true;
        j.verdict = what == 'M' ? Verdict::Mismatch : what == 'K' ? Verdict::Skipped : Verdict::Agree;
        const size_t tab = text.find('\t');
        j.target = text.substr(0, tab);
        j.text = text.substr(tab + 1);
      },
      seconds, &status);
  if (ended && status == 0 && answered) return j;
  j.verdict = Verdict::Mismatch;
  j.text = ended ? how_it_ended(status) : "hangs";
  return j;
}

}  // namespace vr::smith
