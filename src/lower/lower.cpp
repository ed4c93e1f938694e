#include "lower/lower.hpp"

#include "analysis/call_graph.hpp"
#include "ir/conversions.hpp"
#include "lower/function.hpp"
#include "lower/lowering.hpp"
#include "lower/source_place.hpp"
#include "lower/variables.hpp"
#include "support/memory_reserve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace vr::lower {

std::string entry_symbol(std::string_view function) {
  if (std::all_of(function.begin(), function.end(), is_symbol_char))
    return fmt::format("vr_{}", function);
  // Other names get another prefix, and `_` is encoded too, so that no two names have the same symbol.
  std::string symbol = "vrx_";
  for (char c : function)
    symbol += is_symbol_char(c) && c != '_' ? std::string(1, c) : fmt::format("_{:02x}", static_cast<unsigned char>(c));
  return symbol;
}

/// A copy of the module in which host functions have variables for their parameters, as other functions have.
static std::shared_ptr<const ir::Module> with_parameters(const ir::Module& module) {
  auto copy = std::make_shared<ir::Module>(module);
  for (ir::FunctionPtr& f : copy->functions) {
    if (!f->external) continue;
    auto g = std::make_shared<ir::Function>(*f);
    for (const ir::Type& t : f->type.components()) g->args.push_back(g->symbols.fresh("arg", t));
    f = std::move(g);
  }
  return copy;
}

ModuleLowering::ModuleLowering(const ir::Module& module, const ir::Conventions& conventions,
                               const LowerOptions& options)
    : explicit_(ir::explicit_conversions(with_parameters(module), conventions)),
      ir(*explicit_),
      conventions(conventions),
      options(options),
      out(std::make_unique<Module>()),
      x(*out) {
  out->name = module.name;
  out->column_major = conventions.mindims == 2;
}

int32_t ModuleLowering::index_of(const std::string& name) const {
  auto it = index_.find(name);
  return it == index_.end() ? none : it->second;
}

std::string ModuleLowering::place(ir::TextPos pos, const std::string& loc) const {
  if (!loc.empty()) return loc;
  return Place{ir.file, pos.line, pos.column}.text();
}

int32_t ModuleLowering::place_number(ir::TextPos pos, const std::string& loc) {
  if (!options.places && !options.loop_places) return none;
  auto [it, added] = places_.emplace(place(pos, loc), static_cast<int32_t>(out->places.size()));
  if (added) out->places.push_back(source_place(ir.file, pos, loc));
  return it->second;
}

std::unique_ptr<Module> ModuleLowering::run() {
  // Functions on a cycle of the call graph check the stack at entry.
  recursive_ = analysis::call_graph(ir).may_recurse;
  for (const ir::FunctionPtr& f : ir.functions) {
    index_[f->name] = add_function(Function::Kind::Entry, entry_symbol(f->name), f->name);
    // A specialised version is not specialised again: calls of region functions in it are ordinary calls.
    out->functions.back()->region = f->region.has_value() && options.specialisations.empty();
  }
  for (const ir::FunctionPtr& f : ir.functions) {
    MemoryReserve::check();
    Lowering function(*this, *f, *out->functions[static_cast<size_t>(index_[f->name])]);
    lower_entry(function);
  }
  return std::move(out);
}

Result<std::unique_ptr<Module>> lower(const ir::Module& m, const ir::Conventions& conventions,
                                      const LowerOptions& options) {
  try {
    return ModuleLowering(m, conventions, options).run();
  } catch (const Unsupported& u) {
    Diagnostic d;
    d.place = {m.file, u.pos.line, u.pos.column};
    d.rule = "unsupported";
    d.message = u.what + " cannot be compiled yet";
    d.hint = "the interpreter runs it (--on interp)";
    return Error{Code::Unsupported, "", {d}, {}};
  }
}

}  // namespace vr::lower
