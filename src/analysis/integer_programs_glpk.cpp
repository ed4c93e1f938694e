// The last word of integer_programs: GLPK's branch and cut (thesis 6.6). Sole user of GLPK.
#include "analysis/integer_programs.hpp"

#ifdef VR_HAVE_GLPK
#include <glpk.h>

#include <csetjmp>
#endif

namespace vr::analysis {

#ifndef VR_HAVE_GLPK

bool have_glpk() { return false; }
bool infeasible_by_glpk(const AffineSystem&, int, int) { return false; }

#else

namespace {

// Doubles and their tolerances tell whole numbers apart only while all of them are small.
constexpr int64_t most_number = int64_t{1} << 31;

bool fits(int64_t v) { return v >= -most_number && v <= most_number; }
bool fits(const Interval& i) {
  return (fits(i.lo) || i.lo == Interval::least) && (fits(i.hi) || i.hi == Interval::most);
}

int bound_kind(const Interval& i) {
  const bool low = i.lo != Interval::least, high = i.hi != Interval::most;
  return !low && !high ? GLP_FR : !high ? GLP_LO : !low ? GLP_UP : i.single() ? GLP_FX : GLP_DB;
}

void count_nodes(glp_tree* tree, void* left) {
  if (glp_ios_reason(tree) == GLP_ISELECT && --*static_cast<int*>(left) < 0) glp_ios_terminate(tree);
}

struct Job {
  const AffineSystem* system;
  int nodes, ms;
  std::jmp_buf* failed;
  bool infeasible;
};

void leave(void* job) { std::longjmp(*static_cast<Job*>(job)->failed, 1); }

// GLPK reports its own faults and a lack of memory by aborting, unless one jumps out: nothing with a destructor may
// live in here.
void solve(Job* job) {
  glp_prob* p = glp_create_prob();
  const AffineSystem& s = *job->system;
  const int n = static_cast<int>(s.variables.size()), m = static_cast<int>(s.rows.size());
  glp_add_cols(p, n);
  for (int v = 0; v < n; ++v) {
    const Interval& i = s.variables[static_cast<size_t>(v)];
    glp_set_col_bnds(p, v + 1, bound_kind(i), static_cast<double>(i.lo), static_cast<double>(i.hi));
    glp_set_col_kind(p, v + 1, GLP_IV);
  }
  if (m > 0) glp_add_rows(p, m);
  int index[32];
  double value[32];
  for (int k = 0; k < m; ++k) {
    const AffineRow& r = s.rows[static_cast<size_t>(k)];
    const int length = static_cast<int>(r.factors.size());
    for (int j = 0; j < length; ++j) {
      index[j + 1] = r.factors[static_cast<size_t>(j)].first + 1;
      value[j + 1] = static_cast<double>(r.factors[static_cast<size_t>(j)].second);
    }
    glp_set_mat_row(p, k + 1, length, index, value);
    glp_set_row_bnds(p, k + 1, bound_kind(r.bounds), static_cast<double>(r.bounds.lo),
                     static_cast<double>(r.bounds.hi));
  }
  int left = job->nodes;
  glp_iocp parameters;
  glp_init_iocp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.presolve = GLP_ON;
  parameters.tm_lim = job->ms;
  parameters.cb_func = count_nodes;
  parameters.cb_info = &left;
  const int code = glp_intopt(p, &parameters);
  job->infeasible = code == GLP_ENOPFS || (code == 0 && glp_mip_status(p) == GLP_NOFEAS);
  glp_delete_prob(p);
}

bool guarded(Job* job) {
  std::jmp_buf failed;
  job->failed = &failed;
  if (setjmp(failed) != 0) return false;
  glp_error_hook(leave, job);
  solve(job);
  glp_error_hook(nullptr, nullptr);
  return true;
}

}  // namespace

bool have_glpk() { return true; }

bool infeasible_by_glpk(const AffineSystem& s, int nodes, int ms) {
  for (const Interval& v : s.variables)
    if (!fits(v)) return false;
  for (const AffineRow& r : s.rows) {
    if (!fits(r.bounds) || r.factors.size() > 30) return false;
    for (const auto& [v, f] : r.factors)
      if (!fits(f)) return false;
  }
  // Without thread-local environments two threads would share one.
  if (!glp_config("TLS")) return false;
  if (glp_init_env() != 0) return false;  // the host's
  glp_term_out(GLP_OFF);
  Job job{&s, nodes, ms, nullptr, false};
  const bool done = guarded(&job);
  glp_free_env();
  return done && job.infeasible;
}

#endif

}  // namespace vr::analysis
