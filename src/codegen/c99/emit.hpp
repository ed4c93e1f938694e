// The C99 backend: a lowered module as readable C, for programs compiled ahead of time (src/aot). Needs no compiler.
#pragma once
#include "loop/form.hpp"
#include "loop/plain_function.hpp"

#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::codegen::c99 {

struct EmitOptions {
  bool lines = false;  ///< `#line` for each statement of the program, from lower::Module::places
  std::string header;  ///< the header with the prototypes of the functions, for an #include; empty: none
};

/// A C file with the functions `plain`, everything else static. It includes <velociraptor/runtime_abi.h> and calls the
/// functions of runtime/abi.def and C's library. Compiled with -ffp-contract=off it computes what the tree says, in its
/// order. `m` must have passed lower::check. UNSUPPORTED, with the function and what it needs, for constructs that
/// cannot be written yet.
Result<std::string> emit(const lower::Module& m, const std::vector<lower::PlainFunction>& plain,
                         const EmitOptions& options);

}  // namespace vr::codegen::c99
