#include "tuning/measure.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace raijincl {
namespace {


template <class T>
void set_one(GemmProblem& g) {
  g.alpha = scalar_of(T(1));
  g.beta = scalar_of(T(0));
}

// Polls the event while the wait is short, because waking up a sleeping thread takes longer than a small product.
void wait_for(cl_command_queue q, cl_event e) {
  clFlush(q);
  const auto start = Clock::now();
  for (;;) {
    cl_int state = CL_QUEUED;
    if (clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr) != CL_SUCCESS ||
        state <= CL_COMPLETE)
      return;
    if (since(start) < 0.02) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
}

}  // namespace

Status make_operands(Context::Impl& ctx, cl_command_queue q, Precision p, std::size_t n, Operands& o) {
  const std::size_t elements = n * n, reals = elements * (is_complex(p) ? 2 : 1);
  if (o.a && o.precision == p && o.elements >= elements) return Status::Ok;
  o = Operands{};
  Source s;
  s.define("PRECISION", is_double(p) ? 1 : 0).file("precision").file("fill");
  Programs::Lease kernel;
  RAIJINCL_TRY(ctx.programs.get(s, "fill", kernel));
  cl_uint seed = 1;
  for (MemHandle* h : {&o.a, &o.b, &o.c}) {
    cl_int err;
    *h = MemHandle(clCreateBuffer(ctx.context, CL_MEM_READ_WRITE, elements * size_of(p), nullptr, &err));
    if (err != CL_SUCCESS) return fail_cl("clCreateBuffer", err, Status::OutOfMemory);
    const std::size_t global = std::min<std::size_t>(reals, 1 << 16);
    RAIJINCL_TRY(
        Enqueue(kernel.get()).arg(h->get()).arg(cl_ulong{reals}).arg(seed++).run(q, 1, &global, nullptr, {}, nullptr));
  }
  clFinish(q);
  o.elements = elements;
  o.precision = p;
  return Status::Ok;
}

Status time_gemm(Context::Impl& ctx, cl_command_queue q, const GemmConfig& c, const Operands& o, std::size_t n,
                 int mode_a, int mode_b, double give_up, double seconds, double& gflops) {
  GemmProblem g;
  g.precision = o.precision;
  g.m = g.n = g.k = g.ldc = n;
  g.a.buffer = o.a.get(), g.b.buffer = o.b.get(), g.c = o.c.get();
  g.a.ld = g.b.ld = g.a.rows = g.b.rows = n;
  g.a.mode = mode_a, g.b.mode = mode_b;
  switch (o.precision) {
    case Precision::S:
      set_one<float>(g);
      break;
    case Precision::D:
      set_one<double>(g);
      break;
    case Precision::C:
      set_one<std::complex<float>>(g);
      break;
    case Precision::Z:
      set_one<std::complex<double>>(g);
      break;
  }
  const double work = flops_of(o.precision, n, n, n) * 1e-9;
  const auto once = [&](int calls, double& s) {
    const auto start = Clock::now();
    EventHandle last;
    for (int i = 0; i < calls; ++i) RAIJINCL_TRY(run_gemm(ctx, {q, {}, i + 1 == calls ? last.out() : nullptr}, c, g));
    wait_for(q, last.get());
    s = since(start) / calls;
    cl_int state = CL_COMPLETE;
    clGetEventInfo(last.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
    return state == CL_COMPLETE ? Status::Ok : fail_cl("a kernel", state);
  };
  double s = 0;
  RAIJINCL_TRY(once(1, s));  // builds the program, touches the memory
  RAIJINCL_TRY(once(1, s));
  // The time of a single short call consists mostly of waiting: before rejecting a kernel as slow, measure it again
  // with a series of calls.
  constexpr double lone_wait = 2e-4;
  if (s < lone_wait) RAIJINCL_TRY(once(16, s));
  gflops = work / s;
  if (gflops * 2 < give_up) return Status::Ok;
  double best = s, spent = s;
  for (int rounds = 0; rounds < 3 || (spent < seconds && rounds < 50); ++rounds) {
    const int calls = static_cast<int>(std::clamp(seconds / 4 / best, 1.0, 1000.0));
    RAIJINCL_TRY(once(calls, s));
    spent += s * calls;
    best = std::min(best, s);
    if (spent > seconds && rounds >= 1) break;
  }
  gflops = work / best;
  return Status::Ok;
}

Measurement try_gemm(Context::Impl& ctx, cl_command_queue q, const GemmConfig& c, const Operands& o, std::size_t n,
                     double give_up, double seconds) {
  Measurement m;
  const auto note = [&](Measurement::Outcome outcome) {
    m.outcome = outcome;
    m.note = last_error();
    return m;
  };
  const auto failed = [&](Status s) {
    return note(s == Status::BuildFailed || s == Status::InvalidProfile ? Measurement::Outcome::BuildFailed
                                                                        : Measurement::Outcome::LaunchFailed);
  };
  if (Status s = check_config(c, o.precision, ctx.info); s != Status::Ok) return failed(s);
  bool right = false;
  const auto tile = [](int v) { return static_cast<std::size_t>(v); };
  // Only the layout that is timed (rows of A along k, of B along n), so that one program is built per candidate.
  if (Status s = check_gemm(ctx, q, c, o.precision, tile(c.bm) + 8, tile(c.bn) + 16, 80, 0b0100, right, m.error);
      s != Status::Ok)
    return failed(s);
  if (!right) return note(Measurement::Outcome::Wrong);
  if (Status s = time_gemm(ctx, q, c, o, n, 2, 1, give_up, seconds, m.gflops); s != Status::Ok) return failed(s);
  if (m.gflops * 2 < give_up) m.outcome = Measurement::Outcome::Slow;
  return m;
}

}  // namespace raijincl
