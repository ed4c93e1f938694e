// The remarks of LLVM's vectoriser on each loop of a lowered module (for `vrir explain`). No LLVM type appears in it.
#pragma once
#include "loop/form.hpp"

#include <velociraptor/status.hpp>

#include <string>
#include <vector>

namespace vr::codegen::llvm_backend {

/// One remark about one loop. A loop may have several: LLVM may have copied it, or may give more than one reason.
struct LoopRemark {
  int32_t loop = 0;         ///< number of the loop in the order of number_loops()
  bool vectorised = false;  ///< false: it stays scalar, for the reason `why`
  int width = 1;            ///< elements in a vector
  int interleaved = 1;      ///< vectors that an iteration of the vector loop handles
  std::string why;          ///< LLVM's reason, without "loop not vectorized: "; empty if it gives none
};

/// The counted loops of all functions, in the order of the text. Kernels are included: their loops have numbers, too,
/// but LLVM does not compile them.
std::vector<lower::CountedLoop*> number_loops(lower::Module& m);

/// Compiles the module as the engine would at this level, discards the code, and returns the vectoriser's remarks.
/// `target` is as for compile_object. The source locations of loops and of what they contain are replaced by the
/// numbers of the loops. Thread-safe. Errors: as compile_object.
Result<std::vector<LoopRemark>> loop_remarks(lower::Module& m, const std::string& target, int opt_level);

}  // namespace vr::codegen::llvm_backend
