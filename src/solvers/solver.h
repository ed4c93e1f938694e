/* The border between libvelociraptor and a solver of integer programs, which is a file of its own: a plug-in that is
   loaded when it is first needed (src/analysis/integer_programs_plugin.cpp). Plain C, no memory changes hands. */
#ifndef VR_SOLVERS_SOLVER_H
#define VR_SOLVERS_SOLVER_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VR_SOLVER_ABI 1
#define VR_SOLVER_MOST_FACTORS 30 /* of one row */

/* low <= sum of factors[k] * variable[variables[k]] <= high; the ends of int64 stand for no bound. */
typedef struct vr_solver_row {
  const int32_t* variables;
  const int64_t* factors;
  int32_t length;
  int64_t low, high;
} vr_solver_row;

/* Whole numbers, each within low and high. All finite numbers are at most 2^31. */
typedef struct vr_solver_system {
  int32_t variable_count;
  const int64_t *low, *high;
  int32_t row_count;
  const vr_solver_row* rows;
} vr_solver_system;

/* What a plug-in exports, with default visibility. VR_SOLVER_ABI of the header that it was built with: */
int32_t vr_solver_abi(void);
/* Name and version, for people. */
const char* vr_solver_name(void);
/* 1: certainly no whole numbers satisfy the system. 0: some do, or it could not be shown in `nodes` nodes and `ms`
   milliseconds. Prints nothing, leaves nothing behind in the thread, never ends the process; any thread may call it. */
int32_t vr_solver_infeasible(const vr_solver_system* system, int32_t nodes, int32_t ms);

#ifdef __cplusplus
}
#endif
#endif
