// bench_threads: the array length from which a second thread makes array expressions faster
// (Options::parallel_threshold). Each expression runs on one thread and, always divided, on all threads; the length and
// the time at which division becomes faster are printed.
#include <velociraptor/velociraptor.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_threads: %s\n", why.c_str());
  std::exit(1);
}

const std::string array = "(arraytype :layout rowmajor :ndims 1 (float64))", number = "(float64)";
const std::string a = "(name :id 0 " + array + ")", b = "(name :id 1 " + array + ")";

std::string call(const std::string& name, const std::string& type, const std::string& arg) {
  return "(libcall :libfunc " + name + " " + type + " (args " + arg + "))";
}
std::string plus(const std::string& x, const std::string& y) {
  return "(plus " + array + " (lhs " + x + ") (rhs " + y + "))";
}

struct Expression {
  const char* name;
  std::string type, text;
};

std::string program(const Expression& e) {
  return "(module :name m :indexing 0 (fns (function f (functype (intypes " + array + array + ") (outtypes " + e.type +
         ")) (arglist (arg :id 0) (arg :id 1)) (body (returnstmt (exprs " + e.text +
         "))) (symtable (sym :id 0 :name a " + array + ") (sym :id 1 :name b " + array + ")))))";
}

struct Compiled {
  vr::Engine engine;
  vr::Module module;
  vr::Function function;
};

Compiled compile(const Expression& e, bool shared) {
  vr::Options o;
  o.target = vr::Target::CpuParallel;
  o.parallel_threshold = shared ? 1 : INT64_MAX;
  auto engine = vr::Engine::create(o);
  if (!engine) die(engine.error().text());
  auto module = engine->load(program(e));
  if (!module) die(module.error().text());
  auto function = module->function("f");
  if (!function) die(function.error().text());
  return {std::move(*engine), std::move(*module), std::move(*function)};
}

std::vector<vr::Value> run(Compiled& c, const std::vector<vr::Value>& args) {
  auto r = c.function.call(args);
  if (!r) die(r.error().text());
  return std::move(*r);
}

/// Microseconds of a call: the median of many, because a host observes typical times, not the best.
double us(Compiled& c, const std::vector<vr::Value>& args, int64_t n, bool quick) {
  const int64_t count = std::max<int64_t>(quick ? 20 : 200, (quick ? 400000 : 4000000) / std::max<int64_t>(n, 1));
  std::vector<double> times;
  for (int64_t k = 0; k < count; ++k) {
    const auto begin = Clock::now();
    run(c, args);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

double last(const vr::Value& v, int64_t n) {
  return !v.is_scalar() ? v.array().data_as<double>()[n - 1] : v.as_double();
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  if (argc > 2 || (argc == 2 && !quick)) die("usage: bench_threads [--quick]");
  const Expression expressions[] = {
      {"a + b", array, plus(a, b)},
      {"sqrt(a + b)", array, call("sqrt", array, plus(a, b))},
      {"exp(a)", array, call("exp", array, a)},
      {"sum(a)", number, call("sum", number, a)},
      {"min(a + b)", number, call("min", number, plus(a, b))},
      {"sum(exp(a))", number, call("sum", number, call("exp", array, a))},
  };
  std::printf("microseconds with one thread / with all, always shared; medians\n%-12s", "elements");
  for (const Expression& e : expressions) std::printf(" %17s", e.name);
  std::printf("\n");
  std::vector<Compiled> alone, shared;
  for (const Expression& e : expressions) {
    alone.push_back(compile(e, false));
    shared.push_back(compile(e, true));
  }
  std::vector<double> from(std::size(expressions), NAN);
  for (int64_t n = 1024; n <= (quick ? 1 << 18 : 1 << 22); n *= 2) {
    std::vector<double> x(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; ++k) x[static_cast<size_t>(k)] = static_cast<double>(k % 1000) / 1000;
    auto left = vr::Array::from(x, {&n, 1}), right = vr::Array::from(x, {&n, 1});
    if (!left || !right) die("no memory");
    const std::vector<vr::Value> args = {vr::Value(*left), vr::Value(*right)};
    std::printf("%-12lld", static_cast<long long>(n));
    for (size_t k = 0; k < std::size(expressions); ++k) {
      const double one = last(run(alone[k], args)[0], n), all = last(run(shared[k], args)[0], n);
      if (std::abs(one - all) > 1e-9 * std::abs(one)) die(std::string(expressions[k].name) + ": results differ");
      const double t1 = us(alone[k], args, n, quick), t2 = us(shared[k], args, n, quick);
      std::printf(" %8.1f/%8.1f", t1, t2);
      if (t2 >= t1)
        from[k] = NAN;
      else if (std::isnan(from[k]))
        from[k] = t1;
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("%-12s", "faster from");
  for (double t : from) std::printf(" %14.1f us", t);
  std::printf("\n");
  return 0;
}
