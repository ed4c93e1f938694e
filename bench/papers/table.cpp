#include "suite.hpp"

namespace papers {

void Table::strict(const std::string& name, const Make& make, const std::string& section) {
  add(name, Grant::Strict, make, section);
}

void Table::fast(const std::string& name, const Make& make, const std::string& section) {
  add(name, Grant::Fast, make, section);
}

void Table::both(const std::string& name, const Make& make, const std::string& section) {
  strict(name, make, section);
  fast(name + "+fast", make, section);
}

void Table::add(const std::string& name, Grant grant, const Make& make, const std::string& section) {
  Case c{group_, group_ + "/" + peers_, section, name, grant, make};
  const size_t colon = section.find(':');
  if (section.empty())
    c.section = name.substr(0, name.find_first_of("@+"));
  else if (colon != std::string::npos)
    c.peers = section.substr(0, colon), c.section = section.substr(colon + 1);
  cases_.push_back(std::move(c));
}

void product(Setup& s, Elem e, int64_t n, bool transposed) {
  const int64_t m = s.pick(n, 128), p = s.pick(n, 256), rows = s.pick(n, 128);
  const Buf a = s.array(e, {rows, m}, -1, 1);
  const Buf b = transposed ? s.array(e, {p, m}, -1, 1) : s.array(e, {m, p}, -1, 1);
  const Buf c = s.result(e, {rows, p});
  s.define(e == Elem::Float64 ? "-DT=double -DT4=double4" : "-DT=float -DT4=float4");
  std::vector<Arg> args = {a, b, c, int(m), int(p)};
  if (transposed) args.emplace_back(1);
  s.launch(transposed ? "matmul_nt" : "matmul", {2 * p, rows / 128}, {256, 1}, args);
  s.work(2.0 * double(rows) * double(m) * double(p), "TFLOP/s");
  s.bound(e == Elem::Float64 ? 1e-12 : 1e-4);
}

void transposition(Setup& s, int64_t n, int64_t m) {
  const Buf a = s.array(Elem::Float32, {n, m}, -1, 1), out = s.result(Elem::Float32, {m, n});
  s.launch("transpose", {m, (n + 31) / 32 * 8}, {32, 8}, {a, out, int(n), int(m)});
  s.work(8.0 * double(n) * double(m), "TB/s");
}

void rows_to_numbers(Setup& s, const char* kernel, int64_t n, int64_t m, bool vector) {
  const Buf a = s.array(Elem::Float32, {n, m}, -1, 1);
  std::vector<Arg> args = {a};
  if (vector) args.emplace_back(s.array(Elem::Float32, {m}, -1, 1));
  const Buf out = s.result(Elem::Float32, {n});
  args.insert(args.end(), {out, int(m / 4)});
  s.launch(kernel, {256 * n}, {256}, args);
  s.work(4.0 * double(n) * double(m), "TB/s");
  s.bound(1e-4);
}

}  // namespace papers
