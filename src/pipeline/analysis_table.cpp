#include "analysis/alias.hpp"
#include "analysis/integer_programs.hpp"
#include "analysis/live_vars.hpp"
#include "analysis/loop_info.hpp"
#include "analysis/reaching_defs.hpp"
#include "analysis/region_detection.hpp"
#include "analysis/shape_inference.hpp"
#include "pipeline/pipeline.hpp"

namespace vr::pipeline {

const std::vector<AnalysisInfo>& analysis_table() {
  using ir::Conventions, ir::Function, ir::Module;
  static const std::vector<AnalysisInfo> table = {
      {"reaching_defs", "for each statement, the assignments whose values it may read (thesis 5.1)",
       [](const Function& f, const Module&, const Conventions&) { return analysis::reaching_defs(f).text(f); }},
      {"live_vars", "for each statement, the variables whose values may still be read (thesis 5.1)",
       [](const Function& f, const Module&, const Conventions&) { return analysis::live_vars(f).text(f); }},
      {"alias", "array variables that may overlap in memory (thesis 5.4)",
       [](const Function& f, const Module& m, const Conventions& c) { return analysis::alias(f, m, c).text(f); }},
      {"loop_info",
       "for each loop, the variables that its body reads and writes, and the functions that it calls (thesis 5.5)",
       [](const Function& f, const Module&, const Conventions&) { return analysis::loops_text(f); }},
      {"region_detection",
       "interesting regions, and at each point the variables that determine shapes in them (thesis 6.3)",
       [](const Function& f, const Module&, const Conventions& c) { return analysis::region_detection(f, c).text(f); }},
      {"shape_inference", "extents of arrays and values of whole numbers at every point, from --facts (thesis 6.5)",
       nullptr,
       [](const Function& f, const Module& m, const Conventions& c, const analysis::RegionFacts& facts) {
         analysis::IntegerPrograms programs;
         return analysis::shape_inference(f, m, c, facts, programs).text(f);
       }},
  };
  return table;
}

}  // namespace vr::pipeline
