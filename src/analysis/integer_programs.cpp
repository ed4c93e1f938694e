#include "analysis/integer_programs.hpp"

#include <chrono>
#include <numeric>
#include <optional>

namespace vr::analysis {

namespace {

using Wide = __int128;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Systems are small; larger ones would not be decided in time either.
constexpr size_t most_variables = 24, most_rows = 200, most_memo = 2000;

std::vector<int64_t> key_of(const AffineSystem& s) {
  std::vector<int64_t> key;
  key.push_back(static_cast<int64_t>(s.variables.size()));
  for (const Interval& v : s.variables) key.insert(key.end(), {v.lo, v.hi});
  for (const AffineRow& r : s.rows) {
    key.insert(key.end(), {static_cast<int64_t>(r.factors.size()), r.bounds.lo, r.bounds.hi});
    for (const auto& [v, f] : r.factors) key.insert(key.end(), {v, f});
  }
  return key;
}

// ---- elimination (Fourier, Motzkin) of rows  sum of factor * variable <= bound, all over Wide with checks

struct Row {
  std::vector<Wide> factors;  ///< one a variable
  Wide bound = 0;
};
constexpr Wide limit = Wide(1) << 62;

bool small(const Row& r) {
  for (Wide f : r.factors)
    if (f > limit || f < -limit) return false;
  return r.bound <= limit && r.bound >= -limit;
}

Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// Divides by the greatest common divisor of the factors; the bound is rounded down, as solutions are integers.
void tighten(Row& r) {
  Wide g = 0;
  for (Wide f : r.factors) {
    Wide a = g, b = f < 0 ? -f : f;
    while (b) a %= b, std::swap(a, b);
    g = a;
  }
  if (g <= 1) return;
  for (Wide& f : r.factors) f /= g;
  r.bound = floor_div(r.bound, g);
}

}  // namespace

ProgramStatistics& ProgramStatistics::operator+=(const ProgramStatistics& o) {
  asked += o.asked;
  by_interval += o.by_interval;
  by_elimination += o.by_elimination;
  by_glpk += o.by_glpk;
  from_memo += o.from_memo;
  open += o.open;
  glpk_calls += o.glpk_calls;
  ms += o.ms;
  return *this;
}

bool infeasible_by_interval(const AffineSystem& s) {
  for (const Interval& v : s.variables)
    if (v.lo > v.hi) return true;
  for (const AffineRow& r : s.rows) {
    Interval sum = Interval::of(0);
    for (const auto& [v, f] : r.factors) sum = sum + s.variables[static_cast<size_t>(v)] * Interval::of(f);
    if (!meet(sum, r.bounds)) return true;
  }
  return false;
}

bool infeasible_by_elimination(const AffineSystem& s) {
  const size_t n = s.variables.size();
  std::vector<Row> rows;
  auto add = [&](Row r) {
    tighten(r);
    rows.push_back(std::move(r));
  };
  for (size_t v = 0; v < n; ++v) {
    Row r{std::vector<Wide>(n, 0), s.variables[v].hi};
    r.factors[v] = 1;
    if (s.variables[v].hi != Interval::most) add(r);
    r.factors[v] = -1;
    r.bound = -Wide(s.variables[v].lo);
    if (s.variables[v].lo != Interval::least) add(r);
  }
  for (const AffineRow& a : s.rows) {
    Row r{std::vector<Wide>(n, 0), a.bounds.hi};
    for (const auto& [v, f] : a.factors) r.factors[static_cast<size_t>(v)] = f;
    if (a.bounds.hi != Interval::most) add(r);
    for (Wide& f : r.factors) f = -f;
    r.bound = -Wide(a.bounds.lo);
    if (a.bounds.lo != Interval::least) add(r);
  }
  std::vector<bool> gone(n, false);
  for (size_t round = 0; round < n; ++round) {
    // Eliminates the variable that makes the fewest new rows.
    size_t best = n, least = most_rows * most_rows;
    for (size_t v = 0; v < n; ++v) {
      if (gone[v]) continue;
      size_t up = 0, down = 0;
      for (const Row& r : rows) up += r.factors[v] > 0, down += r.factors[v] < 0;
      if (up * down < least) least = up * down, best = v;
    }
    if (best == n) break;
    gone[best] = true;
    std::vector<Row> next;
    for (const Row& r : rows)
      if (r.factors[best] == 0) next.push_back(r);
    for (const Row& p : rows) {
      if (p.factors[best] <= 0) continue;
      for (const Row& q : rows) {
        if (q.factors[best] >= 0) continue;
        Row r{std::vector<Wide>(n, 0), 0};
        const Wide a = -q.factors[best], b = p.factors[best];
        // Products of numbers within 2^62 fit; sums of two of them too.
        for (size_t v = 0; v < n; ++v) r.factors[v] = a * p.factors[v] + b * q.factors[v];
        r.bound = a * p.bound + b * q.bound;
        tighten(r);
        if (!small(r)) continue;  // omitting a row is sound: that can only add solutions
        next.push_back(std::move(r));
        if (next.size() > most_rows) return false;
      }
    }
    rows = std::move(next);
    for (const Row& r : rows) {
      bool constant = true;
      for (Wide f : r.factors) constant = constant && f == 0;
      if (constant && r.bound < 0) return true;
    }
  }
  return false;
}

bool IntegerPrograms::decide(const AffineSystem& s) {
  if (s.variables.size() > most_variables || s.rows.size() > most_rows) return false;
  if (infeasible_by_elimination(s)) {
    ++statistics.by_elimination;
    return true;
  }
  if (statistics.glpk_calls >= limits_.glpk_calls || glpk_ms_ >= limits_.glpk_ms || !have_solver()) return false;
  ++statistics.glpk_calls;
  const double begin = now_ms();
  const bool r = infeasible_by_solver(s, limits_.glpk_nodes, static_cast<int>(limits_.glpk_ms - glpk_ms_) + 1);
  glpk_ms_ += now_ms() - begin;
  statistics.by_glpk += r;
  return r;
}

bool IntegerPrograms::infeasible(const AffineSystem& s) {
  const double begin = now_ms();
  ++statistics.asked;
  bool r = infeasible_by_interval(s);
  if (r) {
    ++statistics.by_interval;
  } else {
    auto [it, fresh] = memo_.try_emplace(key_of(s), false);
    if (fresh)
      it->second = decide(s);
    else
      ++statistics.from_memo;
    r = it->second;
    if (memo_.size() > most_memo) memo_.clear();
  }
  statistics.open += !r;
  statistics.ms += now_ms() - begin;
  return r;
}

}  // namespace vr::analysis
