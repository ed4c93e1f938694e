#include "pipeline/pipeline.hpp"
#include "transform/bounds_check_elim.hpp"
#include "transform/inline_calls.hpp"
#include "transform/library_handles.hpp"
#include "transform/outline_regions.hpp"
#include "transform/simplify.hpp"

#include <algorithm>

namespace vr::pipeline {

const std::vector<PassInfo>& pass_table() {
  using Module = ir::ModulePtr;
  using Conventions = ir::Conventions;
  static const std::vector<PassInfo> table = {
      {"library_handles", "handles of library functions become handles of functions that call them (thesis 5.2)",
       [](const Module& m, const Conventions& c, const PassOptions&) { return transform::library_handles(m, c); }},
      {"inline_calls",
       "calls of the module's functions become their statements, in loops and sections first (thesis 5.3)",
       [](const Module& m, const Conventions& c, const PassOptions& o) {
         transform::InlineLimits limits;
         limits.caller_statements = o.inline_limit;
         return transform::inline_calls(m, c, limits);
       }},
      {"simplify", "folds constants, removes dead code and dead stores (thesis 5.2)",
       [](const Module& m, const Conventions& c, const PassOptions&) { return transform::simplify(m, c); }},
      {"outline_regions",
       "outlines promising regions into functions that can be specialised (thesis 6.2.4; off by default)",
       [](const Module& m, const Conventions& c, const PassOptions& o) {
         const bool named = std::find(o.passes.begin(), o.passes.end(), "outline_regions") != o.passes.end();
         return o.regions || named ? transform::outline_regions(m, c) : m;
       }},
      {"bounds_check_elim",
       "removes bounds checks that constant loop bounds and earlier checks make redundant (thesis 5.6)",
       [](const Module& m, const Conventions& c, const PassOptions&) { return transform::bounds_check_elim(m, c); }},
  };
  return table;
}

}  // namespace vr::pipeline
