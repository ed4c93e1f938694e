// Every allocation, thread creation and file operation of a scenario fails, one after another, once and permanently.
// The result must be right or a clean error, no array may leak, and later calls must work. Runs with fault_alloc.cpp
// preloaded; a sample of 45 calls, of N calls with VR_FAULTS=N, of all calls with VR_FAULTS=all.
#include "runtime/cpu/pool.hpp"

#include <velociraptor/velociraptor.h>
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace vr::test {
namespace {

struct Faults {
  void (*arm)(long, int) = nullptr;
  long (*disarm)() = nullptr;
  long (*failed)() = nullptr;
  void (*spare)(const char*) = nullptr;
};

template <class F>
void find(F*& f, const char* name) {
  f = reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

/// Null when the library is not preloaded.
const Faults* faults() {
  static const Faults found = [] {
    Faults f;
    find(f.arm, "vr_faults_arm");
    find(f.disarm, "vr_faults_disarm");
    find(f.failed, "vr_faults_failed");
    find(f.spare, "vr_faults_spare");
    // After a failed allocation they end the process or use a null pointer.
    if (f.spare) f.spare("libopenblas,liblapack,libtbb,libOpenCL,libpocl,libglpk,libgmp,libdl,ld-linux");
    return f;
  }();
  return found.arm ? &found : nullptr;
}

// The scenario and call that were running when a signal ended the test.
char doing[200];
void tell(int signal) {
  const ssize_t unused = write(2, doing, std::strlen(doing));
  (void)unused;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// The outcome of a scenario: nullopt when its result was right, else the error.
using Outcome = std::optional<Error>;
struct Scenario {
  const char* name;
  std::function<Outcome()> run;
  std::function<void()> prepare = {};  ///< runs before each run, while no call fails
};

Error wrong(const std::string& what) { return make_error(Code::Internal, "WRONG: " + what); }

bool clean(const Error& e) {
  switch (e.code) {
    case Code::OutOfMemory:
    case Code::NotFound:  // a file that cannot be opened or read
      return true;
    default:
      return false;
  }
}

Options options(Target target) {
  Options o;
  o.target = target;
  o.threads = 3;
  o.disk_cache = false;
  o.parallel_threshold = 1;
  return o;
}

const std::string programs = VR_FAULT_PROGRAMS "/program.vrir";

Result<Array> ramp(int64_t n) {
  auto a = Array::zeros(Elem::Float64, std::span(&n, 1));
  for (int64_t k = 0; a && k < n; ++k) a->data_as<double>()[k] = static_cast<double>(k + 1);
  return a;
}

/// blur(x, n): n sweeps with temporaries; scale(x): a parallel loop; total(x): reductions; pick(x, k): x[k].
Outcome calls(const Module& m, int64_t n) {
  auto x = ramp(n);
  if (!x) return x.error();
  auto total = m.function("total");
  if (!total) return total.error();
  auto t = (*total)(*x);
  if (!t) return t.error();
  const auto sum = static_cast<double>(n * (n + 1) / 2);
  if ((*t)[0].as_double() != sum + static_cast<double>(n)) return wrong("total");
  auto scale = m.function("scale");
  if (!scale) return scale.error();
  auto s = (*scale)(*x, 3.0);
  if (!s) return s.error();
  if ((*s)[0].array().data_as<double>()[n - 1] != 3.0 * static_cast<double>(n)) return wrong("scale");
  auto sweeps = m.function("sweeps");
  if (!sweeps) return sweeps.error();
  auto b = (*sweeps)(*x, int64_t{4});
  if (!b) return b.error();
  if ((*b)[0].array().data_as<double>()[n - 1] != static_cast<double>(n) + 4) return wrong("sweeps");
  auto pick = m.function("pick");
  if (!pick) return pick.error();
  auto out = (*pick)(*x, n);
  if (out) return wrong("out of bounds");
  if (out.error().code != Code::OutOfBounds) return out.error();
  return {};
}

Outcome load_and_call(const Options& o, int64_t n = 50) {
  auto engine = Engine::create(o);
  if (!engine) return engine.error();
  auto m = engine->load_file(programs);
  if (!m) return m.error();
  m->wait();
  return calls(*m, n);
}

/// Through the C API, whose functions return error codes.
Outcome in_c() {
  vr_options* o = nullptr;
  vr_engine* engine = nullptr;
  vr_module* module = nullptr;
  vr_function* total = nullptr;
  vr_ndarray* x = nullptr;
  vr_failure* failure = nullptr;
  double elements[] = {1, 2, 3};
  const int64_t n = 3;
  vr_datum result = vr_datum_none();
  vr_status s = vr_options_create(&o, &failure);
  if (!s) s = vr_options_set_target(o, VR_TARGET_CPU, &failure);
  if (!s) s = vr_options_set_disk_cache(o, 0, &failure);
  if (!s) s = vr_engine_create(o, nullptr, &engine, &failure);
  if (!s) s = vr_module_load_file(engine, programs.c_str(), &module, &failure);
  if (!s) s = vr_module_function(module, "total", &total, &failure);
  if (!s) s = vr_ndarray_borrow(elements, VR_FLOAT64, 1, &n, nullptr, &x, &failure);
  if (!s) {
    const vr_datum args[] = {vr_datum_array(x)};
    s = vr_function_call(total, 1, args, 1, &result, &failure);
  }
  Outcome outcome;
  if (s)
    outcome = make_error(static_cast<Code>(s), "in C");
  else if (result.as.scalar.f64 != 9)
    outcome = wrong("total in C");
  vr_datum_release(&result, 1);
  vr_failure_free(failure);
  vr_ndarray_release(x);
  vr_function_free(total);
  vr_module_free(module);
  vr_engine_free(engine);
  vr_options_free(o);
  return outcome;
}

std::vector<Scenario> scenarios() {
  static std::string cache = [] {
    char name[] = "/tmp/vr-faults-XXXXXX";
    return std::string(mkdtemp(name));
  }();
  static const Engine parallel = *Engine::create(options(Target::CpuParallel));
  static const Module loaded = *parallel.load_file(programs);
  return {{"compile", [] { return load_and_call(options(Target::Cpu)); }},
          {"compile_parallel", [] { return load_and_call(options(Target::CpuParallel)); }},
          {"compile_level_0",
           [] {
             Options o = options(Target::Cpu);
             o.opt_level = 0;
             return load_and_call(o);
           }},
          {"interpreter", [] { return load_and_call(options(Target::Interp)); }},
          {"tiers_and_regions",
           [] {
             Options o = options(Target::CpuParallel);
             o.tiered = o.lazy = true;
             o.regions = RegionMode::Background;
             return load_and_call(o);
           }},
          {"regions",
           [] {
             static int64_t n = 10;  // new shapes each time
             Options o = options(Target::Cpu);
             o.regions = RegionMode::Sync;
             return load_and_call(o, ++n % 100 + 10);
           }},
          {"calls",
           [] {
             for (int64_t n : {1, 7, 1000, 300000})  // blocks of each size class
               if (Outcome o = calls(loaded, n)) return o;
             return Outcome();
           }},
          {"cache",
           [] {
             Options o = options(Target::Cpu);
             o.disk_cache = true;
             setenv("VR_CACHE_DIR", cache.c_str(), 1);
             if (Outcome first = load_and_call(o)) return first;
             return load_and_call(o);
           },
           [] { std::filesystem::remove_all(cache); }},
          {"c_api", in_c}};
}

Outcome guarded(const Scenario& s) {
  try {
    return s.run();
  } catch (const std::bad_alloc&) {  // Array::from and the like may (array.hpp)
    return make_error(Code::OutOfMemory, "thrown");
  } catch (const std::exception& e) {
    return wrong(std::string("an exception: ") + e.what());
  }
}

class AllocationFaults : public ::testing::TestWithParam<size_t> {};

TEST_P(AllocationFaults, AreCleanErrors) {
  const Faults* f = faults();
  if (!f) GTEST_SKIP() << "not under the fault library";
  for (int s : {SIGSEGV, SIGABRT, SIGBUS, SIGALRM}) std::signal(s, tell);
  const Scenario s = scenarios()[GetParam()];
  for (int k = 0; k < 2; ++k) {
    Outcome o = guarded(s);
    ASSERT_FALSE(o) << s.name << ": " << o->text();
  }
  auto prepare = [&] {
    if (s.prepare) s.prepare();
  };
  prepare();
  f->arm(0, 0);
  guarded(s);
  const long calls = f->disarm();
  ASSERT_GT(calls, 5) << s.name;
  const char* how = std::getenv("VR_FAULTS");
  const bool all = how && std::string(how) == "all";
  const long tries = all ? calls : std::min(calls, how ? std::atol(how) : 45L);
  int errors = 0;
  for (int ever : {0, 1})
    for (long k = 0; k < tries; ++k) {
      // Each run of the test samples the same calls; the last call is always included.
      const long at = all ? k + 1 : calls - calls * k / tries;
      std::snprintf(doing, sizeof doing, "in scenario %s, call %ld of %ld failing%s\n", s.name, at, calls,
                    ever ? " for ever" : "");
      alarm(60);
      const int64_t blocks = runtime::pool_stats().live_blocks;
      prepare();
      f->arm(at, ever);
      Outcome o = guarded(s);
      f->disarm();
      if (o) {
        ++errors;
        EXPECT_TRUE(clean(*o)) << doing << code_name(o->code) << " " << o->text();
      }
      o.reset();
      Outcome after = guarded(s);
      EXPECT_FALSE(after) << "after " << doing << after->text();
      EXPECT_EQ(runtime::pool_stats().live_blocks, blocks) << doing;
      alarm(0);
      if (HasFailure()) return;
    }
  EXPECT_GT(errors, 0) << s.name << ": no fault was noticed";
  std::printf("%s: %ld calls, %ld failed twice, %d errors\n", s.name, calls, tries, errors);
}

INSTANTIATE_TEST_SUITE_P(Each, AllocationFaults, ::testing::Range(size_t{0}, size_t{9}),
                         [](const auto& info) { return std::string(scenarios()[info.param].name); });

}  // namespace
}  // namespace vr::test
