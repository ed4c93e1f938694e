#include "ir/conversions.hpp"
#include "pipeline/loops.hpp"
#include "pipeline/names.hpp"
#include "support/memory_reserve.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <chrono>
#include <cstdio>

namespace vr::pipeline {

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const PassInfo& p : pass_table()) names.emplace_back(p.name);
  for (const LoopPass& p : loop_table()) names.emplace_back(p.name);
  return names;
}

Result<ir::ModulePtr> run_passes(ir::ModulePtr module, const ir::Conventions& conventions, const PassOptions& options,
                                 std::vector<PassTime>* times) {
  std::vector<const PassInfo*> passes;
  if (options.passes.empty()) {
    for (const PassInfo& p : pass_table()) passes.push_back(&p);
  } else {
    for (const std::string& name : options.passes) {
      const PassInfo* p = row_named(pass_table(), name);
      if (!p) return make_error(Code::Usage, "there is no pass '" + name + "'");
      passes.push_back(p);
    }
  }
  // Conversions become explicit, so that the expressions which passes match state their natural types, as in lowering.
  module = ir::explicit_conversions(module, conventions);
  const std::vector<std::string> skip = settings::names(settings::Name::VR_SKIP),
                                 dump = settings::names(settings::Name::VR_DUMP);
  for (const PassInfo* p : passes) {
    if (contains(skip, p->name) || contains(options.skip, p->name)) continue;
    MemoryReserve::check();
    if (options.in_haste && options.in_haste()) {
      if (options.left_out) options.left_out->push_back(p->name);
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    ir::ModulePtr next;
    {
      trace::Span span("pass", p->name);
      next = p->run(module, conventions, options);
      if (next == module) span.note("changed", "no");
    }
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (times) times->push_back({p->name, ms, next != module});
    if (contains(dump, p->name))
      std::fprintf(stderr, "; after %s%s\n%s\n", p->name, next == module ? " (unchanged)" : "",
                   ir::print(*next).c_str());
    if (options.verify && next != module) {
      std::vector<Diagnostic> faults = ir::verify(*next, conventions);
      if (!faults.empty())
        return Error{Code::Internal, std::string("pass '") + p->name + "' broke the module", std::move(faults), {}};
    }
    module = std::move(next);
    if (options.after) options.after(*p, *module);
  }
  return module;
}

}  // namespace vr::pipeline
