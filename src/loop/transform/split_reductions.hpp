#pragma once
#include "loop/pass.hpp"

namespace vr::lower {

/// Reductions of many elements are cut into 64 parts, which `parallelise` shares among the threads; the results of the
/// parts are joined in order (thesis 4.5.3). The number of parts does not depend on the number of threads, so results
/// do not either.
void split_reductions(Module& m, const PassOptions& options);

}  // namespace vr::lower
