#include "loop/transform/accesses.hpp"

#include "loop/analysis/footprint.hpp"

namespace vr::lower {

void accesses(Module& m, const PassOptions&) {
  for (size_t k = 0; k < m.functions.size(); ++k)
    if (m.functions[k]->kind == Function::Kind::Kernel) m.functions[k]->accesses = footprint(m, static_cast<int32_t>(k)).words();
}

}  // namespace vr::lower
