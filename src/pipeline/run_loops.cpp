#include "loop/verify/check.hpp"
#include "pipeline/loops.hpp"
#include "pipeline/names.hpp"
#include "support/memory_reserve.hpp"
#include "support/settings.hpp"
#include "support/trace.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace vr::pipeline {

Status run_loop_passes(lower::Module& module, const lower::PassOptions& options, const LoopRun& run,
                       std::vector<PassTime>* times) {
  const LoopPass* linearise = &loop_table().back();
  std::vector<const LoopPass*> passes;
  for (const std::string& name : run.passes) {
    const LoopPass* p = row_named(loop_table(), name);
    if (!p) return make_error(Code::Usage, "there is no loop transformation '" + name + "'");
    passes.push_back(p);
  }
  if (run.passes.empty())
    for (const LoopPass& p : loop_table())
      if (run.linear || &p != linearise) passes.push_back(&p);
  std::vector<std::string> skip = settings::names(settings::Name::VR_SKIP);
  skip.insert(skip.end(), run.skip.begin(), run.skip.end());
  for (const std::string& name : skip)
    if (const LoopPass* p = row_named(loop_table(), name); p && p->required)
      return make_error(Code::Usage, "'" + name + "' cannot be skipped: a later transformation depends on it");
  const std::vector<std::string> dump = settings::names(settings::Name::VR_DUMP);
  for (const LoopPass* p : passes) {
    if (contains(skip, p->name)) continue;
    MemoryReserve::check();
    if (contains(dump, "loops") && p == linearise)
      std::fprintf(stderr, "; loops\n%s\n", lower::print_loops(module).c_str());
    const auto begin = std::chrono::steady_clock::now();
    {
      trace::Span span("loop pass", p->name);
      p->run(module, options);
    }
    if (times)
      times->push_back(
          {p->name, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count(), true});
    if (contains(dump, p->name))
      std::fprintf(stderr, "; after %s\n%s\n", p->name, lower::print_loops(module).c_str());
    if (run.verify) {
      const auto level = p == linearise ? lower::Level::Lowered : lower::Level::Loops;
      if (std::string wrong = lower::check(module, level); !wrong.empty())
        return make_error(Code::Internal, fmt::format("loop transformation '{}' broke the module: {}", p->name, wrong));
    }
    if (run.after) run.after(*p, module);
  }
  if (contains(dump, "lower")) std::fprintf(stderr, "; lower\n%s\n", lower::print(module).c_str());
  return {};
}

Result<std::unique_ptr<lower::Module>> lower_and_run(const ir::Module& module, const ir::Conventions& conventions,
                                                     const lower::LowerOptions& options, const LoopRun& run,
                                                     std::vector<PassTime>* times) {
  auto low = lower::lower(module, conventions, options);
  if (!low) return low;
  if (Status ran = run_loop_passes(**low, options, run, times); !ran) return ran.error();
  return low;
}

}  // namespace vr::pipeline
