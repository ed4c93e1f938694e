// The last method of integer_programs: a solver in a plug-in, GLPK's branch and cut (thesis 6.6).
// src/solvers/README.md says why it is not part of the library.
#include "analysis/integer_programs.hpp"
#include "solvers/solver.h"
#include "support/own_folder.hpp"
#include "support/warning.hpp"

#include <dlfcn.h>
#include <unistd.h>

namespace vr::analysis {

namespace {

constexpr const char* file_name = "/velociraptor/libvr_solver_glpk.so";

struct Solver {
  decltype(&vr_solver_infeasible) infeasible = nullptr;
  std::string text;  ///< its name and file, or why there is no solver
};

/// Next to the library; or, for a program that contains the library's code, in the lib folder next to its own folder.
std::string find_file() {
  const std::string folder = own_folder();
  if (folder.empty()) return "";
  for (const char* way : {"", "/../lib", "/../" VR_LIBDIR})
    if (std::string file = folder + way + file_name; access(file.c_str(), R_OK) == 0) return file;
  return "";
}

Solver load() {
  const std::string file = find_file();
  if (file.empty()) return {nullptr, "none is installed: intervals and exact elimination decide"};
  auto failed = [&](const std::string& why) {
    remark("the solver is not used: " + why);
    return Solver{nullptr, "none: " + why};
  };
  // Never closed: a library with thread-local state is best not unloaded.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return failed(why ? why : file);
  }
  const auto abi = reinterpret_cast<decltype(&vr_solver_abi)>(dlsym(library, "vr_solver_abi"));
  const auto name = reinterpret_cast<decltype(&vr_solver_name)>(dlsym(library, "vr_solver_name"));
  const auto infeasible = reinterpret_cast<decltype(&vr_solver_infeasible)>(dlsym(library, "vr_solver_infeasible"));
  if (!abi || !name || !infeasible || abi() != VR_SOLVER_ABI) return failed(file + " is of another version");
  return {infeasible, std::string(name()) + " (" + file + ")"};
}

/// Loaded at the first question, during a compilation: fork() waits for compilations (support/fork_gate.hpp).
const Solver& solver() {
  static const Solver* loaded = new Solver(load());
  return *loaded;
}

// A solver with doubles and tolerances distinguishes integers only as long as all of them are small.
constexpr int64_t most_number = int64_t{1} << 31;

bool fits(int64_t v) { return v >= -most_number && v <= most_number; }
bool fits(const Interval& i) {
  return (fits(i.lo) || i.lo == Interval::least) && (fits(i.hi) || i.hi == Interval::most);
}
static_assert(Interval::least == INT64_MIN && Interval::most == INT64_MAX, "no bound, as solver.h says it");

/// A system in the solver's form. Rows point into the lists, which must not be moved any more.
struct Flat {
  std::vector<int64_t> low, high, factors;
  std::vector<int32_t> variables;
  std::vector<vr_solver_row> rows;

  explicit Flat(const AffineSystem& s) {
    for (const Interval& v : s.variables) {
      low.push_back(v.lo);
      high.push_back(v.hi);
    }
    for (const AffineRow& r : s.rows)
      for (const auto& [v, f] : r.factors) {
        variables.push_back(v);
        factors.push_back(f);
      }
    size_t at = 0;
    for (const AffineRow& r : s.rows) {
      rows.push_back({variables.data() + at, factors.data() + at, static_cast<int32_t>(r.factors.size()), r.bounds.lo,
                      r.bounds.hi});
      at += r.factors.size();
    }
  }
  vr_solver_system system() const {
    return {static_cast<int32_t>(low.size()), low.data(), high.data(), static_cast<int32_t>(rows.size()), rows.data()};
  }
};

}  // namespace

bool have_solver() { return solver().infeasible != nullptr; }
std::string solver_text() { return solver().text; }

bool infeasible_by_solver(const AffineSystem& s, int nodes, int ms) {
  if (!have_solver()) return false;
  for (const Interval& v : s.variables)
    if (!fits(v)) return false;
  for (const AffineRow& r : s.rows) {
    if (!fits(r.bounds) || r.factors.size() > VR_SOLVER_MOST_FACTORS) return false;
    for (const auto& [v, f] : r.factors)
      if (!fits(f)) return false;
  }
  const Flat flat(s);
  const vr_solver_system system = flat.system();
  return solver().infeasible(&system, nodes, ms) == 1;
}

}  // namespace vr::analysis
