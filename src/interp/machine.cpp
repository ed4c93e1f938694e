#include "interp/machine.hpp"

#include <fmt/format.h>

namespace vr::interp {

Machine::Machine(const ir::Module& module, const ir::Conventions& conventions, const InterpOptions& options)
    : module_(module),
      depth_limit_(options.depth_limit),
      externals_(options.externals),
      here_(ctx_),
      statements_(*this, ctx_, stack_, here_, options.step_limit, options.host) {
  ctx_.conv = conventions;
  ctx_.memory.limit = options.memory_limit;
  ctx_.tell_broken_promises = options.tell_broken_promises;
}

std::vector<Datum> Machine::call(const ir::Function& f, std::vector<Datum> args) {
  if (!stack_.low()) return call_here(f, std::move(args));
  std::vector<Datum> r;
  stack_.on_new_stack([&] { r = call_here(f, std::move(args)); });
  return r;
}

std::vector<Datum> Machine::call_here(const ir::Function& f, std::vector<Datum> args) {
  if (f.external) return call_external(f, std::move(args));
  if (args.size() != f.args.size())
    fail(Code::Type, fmt::format("'{}' takes {} arguments, but got {}", f.name, f.args.size(), args.size()));
  // For errors, a region belongs to the function from which it was taken.
  if (depth_ >= depth_limit_ && !f.region) fail(Code::Stack, fmt::format("more than {} nested calls", depth_limit_));
  Frame frame{&f, std::vector<Datum>(f.symbols.all().size()), {}};
  Frame* const caller = here_.frame;
  const ir::Stmt* const caller_statement = here_.statement;
  for (size_t k = 0; k < args.size(); ++k) args[k] = coerce(ctx_, std::move(args[k]), f.symbols.at(f.args[k]).type);
  here_.frame = &frame;
  here_.statement = nullptr;
  ++depth_;
  try {
    for (size_t k = 0; k < args.size(); ++k) frame.slots[here_.slot(f.args[k])] = std::move(args[k]);
    args.clear();
    const auto& outs = f.type.outputs();
    const Flow flow = statements_.run(f.body);
    if (flow != Flow::Return && !outs.empty()) fail(Code::Type, fmt::format("'{}' ended without a result", f.name));
    if (frame.results.size() == 1 && outs.size() > 1)
      if (const Tuple* t = frame.results[0].tuple()) {
        Tuple spread = *t;
        frame.results = std::move(spread);
      }
    if (frame.results.size() != outs.size())
      fail(Code::Type,
           fmt::format("'{}' returned {} results instead of {}", f.name, frame.results.size(), outs.size()));
    for (size_t k = 0; k < outs.size(); ++k) frame.results[k] = coerce(ctx_, std::move(frame.results[k]), outs[k]);
  } catch (Fault& fault) {
    here_.complete(fault.record, module_.file);
    here_.frame = caller;
    here_.statement = caller_statement;
    throw;
  }
  --depth_;
  here_.frame = caller;
  here_.statement = caller_statement;
  return std::move(frame.results);
}

}  // namespace vr::interp
