// The smaller searches: work-groups of matrix-vector products, tiles of transposes, and the split of hybrid products.
#pragma once
#include "routines/gemm_problem.hpp"
#include "tuning/tune.hpp"

namespace raijincl {

// Seconds per call: the minimum of several series of calls; only one series if that takes more than twice `give_up`. 1e30 if
// a call fails.
double time_calls(cl_command_queue, double seconds, const std::function<Status()>& call, double give_up = 1e30);
// what: gemv, transpose or all. The candidate set of thesis 8.5 and 8.6, and larger groups.
Status tune_vector(Context&, cl_command_queue, const std::string& what, Profile&);
Status tune_hybrid(Context::Impl&, cl_command_queue, Precision, std::size_t n, const std::vector<GemmConfig>&,
                   Profile::Hybrid&);

}  // namespace raijincl
