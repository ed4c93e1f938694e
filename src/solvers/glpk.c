/* GLPK's branch and cut (thesis 6.6) as a plug-in. GLPK is GPL-3, and so is this file once it is built: README.md. */
#include "solvers/solver.h"

#include <glpk.h>

#include <setjmp.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

static int bound_kind(int64_t low, int64_t high) {
  const int has_low = low != INT64_MIN, has_high = high != INT64_MAX;
  /* GLP_DB with equal bounds is an error that reads like 'infeasible'. */
  return !has_low && !has_high ? GLP_FR : !has_high ? GLP_LO : !has_low ? GLP_UP : low == high ? GLP_FX : GLP_DB;
}

static void count_nodes(glp_tree* tree, void* left) {
  if (glp_ios_reason(tree) == GLP_ISELECT && --*(int*)left < 0) glp_ios_terminate(tree);
}

typedef struct job {
  const vr_solver_system* system;
  int nodes, ms;
  jmp_buf failed;
  int infeasible;
} job;

static void leave(void* j) { longjmp(((job*)j)->failed, 1); }

static void solve(job* j) {
  const vr_solver_system* s = j->system;
  int index[VR_SOLVER_MOST_FACTORS + 1];
  double value[VR_SOLVER_MOST_FACTORS + 1];
  glp_prob* p = glp_create_prob();
  glp_add_cols(p, s->variable_count);
  for (int v = 0; v < s->variable_count; ++v) {
    glp_set_col_bnds(p, v + 1, bound_kind(s->low[v], s->high[v]), (double)s->low[v], (double)s->high[v]);
    glp_set_col_kind(p, v + 1, GLP_IV);
  }
  if (s->row_count > 0) glp_add_rows(p, s->row_count);
  for (int k = 0; k < s->row_count; ++k) {
    const vr_solver_row* r = &s->rows[k];
    for (int f = 0; f < r->length; ++f) {
      index[f + 1] = r->variables[f] + 1;
      value[f + 1] = (double)r->factors[f];
    }
    glp_set_mat_row(p, k + 1, r->length, index, value);
    glp_set_row_bnds(p, k + 1, bound_kind(r->low, r->high), (double)r->low, (double)r->high);
  }
  int left = j->nodes;
  glp_iocp parameters;
  glp_init_iocp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.presolve = GLP_ON;
  parameters.tm_lim = j->ms;
  parameters.cb_func = count_nodes;
  parameters.cb_info = &left;
  const int code = glp_intopt(p, &parameters);
  j->infeasible = code == GLP_ENOPFS || (code == 0 && glp_mip_status(p) == GLP_NOFEAS);
  glp_delete_prob(p);
}

/* GLPK reports its own faults and a lack of memory by aborting, unless one jumps out. */
static int guarded(job* j) {
  if (setjmp(j->failed) != 0) return 0;
  glp_error_hook(leave, j);
  solve(j);
  glp_error_hook(NULL, NULL);
  return 1;
}

EXPORT int32_t vr_solver_abi(void) { return VR_SOLVER_ABI; }

EXPORT const char* vr_solver_name(void) {
  static char name[32];
  if (!name[0]) snprintf(name, sizeof name, "GLPK %s", glp_version());
  return name;
}

EXPORT int32_t vr_solver_infeasible(const vr_solver_system* system, int32_t nodes, int32_t ms) {
  for (int k = 0; k < system->row_count; ++k)
    if (system->rows[k].length > VR_SOLVER_MOST_FACTORS) return 0;
  /* Without thread-local environments two threads would share one. */
  if (!glp_config("TLS")) return 0;
  if (glp_init_env() != 0) return 0; /* the host has one on this thread: it is left alone */
  glp_term_out(GLP_OFF);
  job j = {.system = system, .nodes = nodes, .ms = ms, .infeasible = 0};
  const int done = guarded(&j);
  glp_free_env();
  return done && j.infeasible;
}
