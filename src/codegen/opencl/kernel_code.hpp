// The state of one kernel while it is written, in members with one purpose each. Functions that write a part of a kernel take
// it as parameter (private to codegen/opencl).
#pragma once
#include "codegen/opencl/expr_writer.hpp"
#include "codegen/opencl/helpers.hpp"
#include "codegen/opencl/kernel_names.hpp"
#include "codegen/c_family/lines.hpp"
#include "codegen/opencl/usage.hpp"
#include "loop/form.hpp"

#include <string>
#include <vector>

namespace vr::codegen::opencl {

struct KernelCode {
  KernelCode(const lower::Module& m, const lower::Function& f, const Usage& usage, Names& globals, Helpers& helpers);
  KernelCode(const KernelCode&) = delete;  // the members refer to each other

  const lower::Module& m;
  const lower::Function& f;
  const Usage& usage;  ///< of the body
  Helpers& helpers;
  KernelNames names;
  ExprWriter exprs;
  c_family::Lines out;
  std::vector<std::string> call_args;  ///< of calls of the body; arguments that differ between iterations come after these
  bool spread = false;                 ///< the current statement is in a spread loop
  int loops = 0;                       ///< around the current statement
  std::string problem;                 ///< the first construct that kernels cannot contain; empty: none

  const std::string& name(lower::VarId v) const { return names.variables[static_cast<size_t>(v)]; }
  bool is_fixed(lower::VarId v) const { return !usage.assigned.count(v); }
  bool is_narrow(lower::VarId v) const { return f.narrow.count(v) != 0; }
  const char* whole_type(lower::VarId v) const { return is_narrow(v) ? "int" : "long"; }
  void refuse(const std::string& what) {
    if (problem.empty()) problem = what;
  }
};

/// The body's call for one iteration; with lanes, `lane_args` are their arguments.
std::string step(const KernelCode& code, const std::vector<std::string>& lane_args);
/// The head of a loop over the iterations of dims[d] that are the work-item's own, whose counts have the type `whole`.
std::string loop_over(const KernelCode& code, size_t d, const char* whole);

}  // namespace vr::codegen::opencl
