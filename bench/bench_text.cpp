// The time and memory of reading, verifying and printing the textual form, for modules of 10 KB, 1 MB and 10 MB.
//   bench_text [--quick]     prints figures for docs/performance.md; it is not a test
#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <new>
#include <sstream>

// Live and peak heap bytes allocated by this process through operator new, as malloc counts them.
static size_t live_bytes = 0, peak_bytes = 0;
[[gnu::noinline]] void* operator new(size_t n) {
  void* p = std::malloc(n);
  if (!p) throw std::bad_alloc();
  live_bytes += malloc_usable_size(p) + 8;
  peak_bytes = std::max(peak_bytes, live_bytes);
  return p;
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  if (p) live_bytes -= malloc_usable_size(p) + 8;
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept {
  if (p) live_bytes -= malloc_usable_size(p) + 8;
  std::free(p);
}

using namespace vr::ir;

namespace {

// The goal: a 10 KB module in 5 ms.
constexpr double budget_mb_per_s = 2.0;

// Processor time, because the work never waits and other work on the machine is then not counted.
double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}
double milliseconds(const std::function<void()>& f) {
  double start = now_ms();
  f();
  return now_ms() - start;
}
double best_of(int rounds, const std::function<void()>& f) {
  double best = 1e30;
  for (int i = 0; i < rounds; ++i) best = std::min(best, milliseconds(f));
  return best;
}

[[noreturn]] void fail(const std::string& why) {
  fmt::print(stderr, "bench_text: {}\n", why);
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream s;
  s << in.rdbuf();
  if (!in) fail("cannot read " + path);
  return s.str();
}

// A module of about `bytes` bytes in the full syntax: copies of the functions of a client program under different
// names.
std::string printed_module(const Module& program, size_t bytes) {
  Module m;
  m.name = "bench";
  m.attrs = program.attrs;
  size_t size = 0;
  for (int copy = 0; size < bytes; ++copy)
    for (const FunctionPtr& f : program.functions) {
      auto g = std::make_shared<Function>(*f);
      if (copy > 0) g->name += fmt::format("_{}", copy);
      size += print(*g).size() + 200;
      m.functions.push_back(std::move(g));
    }
  return print(m);
}
// The same in the layout of the client's own output: almost no white space.
std::string client_module(const std::string& text, size_t bytes) {
  size_t fns = text.find("(fns") + 4, end = text.rfind("))");
  std::string functions = text.substr(fns, end - fns), s = "(module :name bench :indexing 1 (fns\n";
  do s += functions;
  while (s.size() < bytes);
  return s + "))";
}

}  // namespace

int main(int argc, char** argv) {
  // The time to load the library and build ANTLR's automaton, which happens before main in each program that reads
  // text.
  const double before_main = now_ms();
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::string raw = read_file(std::string(VR_SOURCE_DIR) + "/tests/corpus/client/fiff.vrir");
  ParseOptions mclab;
  mclab.dialect = Dialect::Mclab;

  double cold = milliseconds([&] {
    if (!parse(raw, mclab).ok()) fail("fiff.vrir does not parse");
  });
  fmt::print("before main: {:.2f} ms; first parse of the process, {} bytes: {:.2f} ms\n\n", before_main, raw.size(),
             cold);

  auto parsed = parse(raw, mclab);
  auto strict = from_mclab(**parsed, nullptr);
  if (!strict.ok()) fail(strict.error().text());

  fmt::print("ratios are to {} MB/s (10 KB in 5 ms), for parse + verify\n", budget_mb_per_s);
  fmt::print("{:<10}{:>12}{:>12}{:>12}{:>12}{:>14}{:>12}{:>12}{:>8}\n", "text", "bytes", "parse ms", "parse MB/s",
             "verify ms", "parse+verify", "print MB/s", "bytes/byte", "ratio");
  double log_sum = 0, least = 1e30;
  int rows = 0;
  for (const char* style : {"printed", "client"})
    for (size_t bytes : {size_t(10) << 10, size_t(1) << 20, size_t(10) << 20}) {
      if (quick && bytes > (1u << 20)) continue;
      const bool is_client = std::strcmp(style, "client") == 0;
      const std::string text = is_client ? client_module(raw, bytes) : printed_module(**strict, bytes);
      ParseOptions o;
      o.dialect = is_client ? Dialect::Mclab : Dialect::Vrir;
      const int rounds = bytes > (1u << 20) ? 3 : bytes > (100u << 10) ? 5 : 50;

      size_t before = live_bytes;
      peak_bytes = live_bytes;
      auto m = parse(text, o);
      if (!m.ok()) fail(m.error().text());
      const double memory = double(peak_bytes - before) / double(text.size());
      const double mb = double(text.size()) / 1e6;
      const double parse_ms = best_of(rounds, [&] { (void)parse(text, o).ok(); });
      double verify_ms = 0;
      if (!is_client) {
        auto faults = verify(**m);
        if (!faults.empty()) fail(faults[0].text());
        verify_ms = best_of(rounds, [&] { (void)verify(**m); });
      }
      const double print_ms = best_of(rounds, [&] { (void)print(**m); });
      const double ratio = mb / ((parse_ms + verify_ms) / 1e3) / budget_mb_per_s;
      fmt::print("{:<10}{:>12}{:>12.2f}{:>12.1f}{:>12.2f}{:>11.2f} ms{:>12.1f}{:>12.1f}{:>8.1f}\n", style, text.size(),
                 parse_ms, mb / (parse_ms / 1e3), verify_ms, parse_ms + verify_ms, mb / (print_ms / 1e3), memory,
                 ratio);
      log_sum += std::log(ratio);
      least = std::min(least, ratio);
      ++rows;
    }
  fmt::print("text: geomean {:.1f} min {:.1f} over {}\n", std::exp(log_sum / rows), least, rows);
  return 0;
}
