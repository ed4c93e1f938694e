#include "pipeline/pipeline.hpp"
#include "transform/bounds_check_elim.hpp"

namespace vr::pipeline {

const std::vector<PassInfo>& pass_table() {
  static const std::vector<PassInfo> table = {
      {"bounds_check_elim",
       "removes bounds checks that constant loop bounds and earlier checks make redundant (thesis 5.6)",
       transform::bounds_check_elim},
  };
  return table;
}

}  // namespace vr::pipeline
