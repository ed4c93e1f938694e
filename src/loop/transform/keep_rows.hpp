// Rows that several loops of a cooperative kernel load stay in local memory (private to src/loop).
#pragma once
#include "loop/exprs.hpp"

#include <optional>

namespace vr::lower {

struct KeptRows {
  ExprP trips;     ///< of the loops that load the rows, in terms of the kernel's variables
  int64_t length;  ///< the most elements of a row; the kernel must not run for longer ones
};

/// Changes a cooperative kernel, whose loops are spread already. The first loop that loads consecutive elements of a
/// row stores them in local memory as well (Function::rows), where the loops after it load them: each work-item its own
/// elements, so that no barriers are needed. Empty, without a change: no two loops load the same elements, or the
/// memory is too small.
std::optional<KeptRows> keep_rows(Exprs& x, Function& kernel, int64_t local_bytes);

}  // namespace vr::lower
