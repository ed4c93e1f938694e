#include "suite.hpp"

#include <cmath>

namespace papers {

namespace {

void reduced(Setup& s, const std::string& name, int64_t n) {
  const bool product = name == "multiply", least = name == "least";
  const int64_t groups = std::min<int64_t>(1056, (n / 4 + 255) / 256 + 3) / 4 * 4;
  const Buf x = product ? s.array(f32, {n}, 0.9999, 1.0001) : s.array(f32, {n}, -1, 2);
  const Buf out = s.returned(f32, {1}), parts = s.scratch(least ? f32 : f64, {groups}),
            one = s.scratch(least ? f32 : f64, {1});
  s.launch("parts", {256 * groups}, {256}, {x, parts, int(n / 4)});
  s.launch("whole", {256}, {256}, {parts, one, int(groups / 4)});
  s.launch("last", {1}, {1}, {one, out});
  s.work(4.0 * double(n), "TB/s");
  s.bound(product ? 1e-2 : least ? 0 : 1e-4);
}

}  // namespace

void add_tornado(Table& t) {
  t.file("tornado", "programs");
  for (const char* name : {"add", "least", "multiply"})
    for (const int bits : {16, 20, 24, 28})
      t.fast(std::string(name) + "@2^" + std::to_string(bits),
             [name, bits](Setup& s) { reduced(s, name, s.pick(int64_t{1} << bits, int64_t{1} << (bits / 4 + 9))); });
  for (const int bits : {8, 10, 12, 14})
    t.strict(
        "transposed@2^" + std::to_string(bits),
        [bits](Setup& s) {
          const int64_t n = s.pick(int64_t{1} << bits, 16 * bits);
          transposition(s, n, n);
        },
        "more/rows:transpose");
  for (const int bits : {7, 9, 10, 11, 12})
    t.fast(
        "mxm@2^" + std::to_string(bits), [bits](Setup& s) { product(s, f32, int64_t{1} << bits, false); },
        "unpython/programs:matmul");
  for (const int bits : {10, 13, 16, 20})
    t.fast(
        "mxv@2^" + std::to_string(bits),
        [bits](Setup& s) {
          // the paper's columns: 2^8 at 2^16 rows
          rows_to_numbers(s, "matvec", s.pick(int64_t{1} << bits, 20 * bits),
                          s.pick(std::max<int64_t>(int64_t{1} << (bits / 2), 256), 64), true);
        },
        "more/rows:matvec");
}

}  // namespace papers
