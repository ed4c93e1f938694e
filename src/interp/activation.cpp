#include "interp/activation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vr::interp {

void Activation::complete(ErrorRecord& r, const std::string& file) const {
  if (!r.function.empty()) return;
  if (statement && statement->inlined)
    r.function = statement->inlined->function;
  else if (frame)
    r.function = frame->function->name;
  auto place = [&](const std::string& loc, ir::TextPos pos) {
    return !loc.empty() ? loc : pos.line > 0 ? Place{file, pos.line, pos.column}.text() : std::string();
  };
  if (statement) r.loc = place(statement->loc, statement->pos);
  if (r.loc.empty() && frame) r.loc = place(frame->function->loc, frame->function->pos);
}

size_t Activation::slot(ir::SymbolId id) const {
  const auto& all = frame->function->symbols.all();
  // Ids usually are consecutive numbers from 0.
  if (id >= 0 && static_cast<size_t>(id) < all.size() && all[static_cast<size_t>(id)].id == id)
    return static_cast<size_t>(id);
  auto it = std::lower_bound(all.begin(), all.end(), id, [](const ir::Symbol& s, ir::SymbolId i) { return s.id < i; });
  if (it == all.end() || it->id != id) fail(Code::Type, fmt::format("there is no variable with id {}", id));
  return static_cast<size_t>(it - all.begin());
}

const std::string& Activation::name(ir::SymbolId id) const {
  if (statement && statement->inlined)
    for (const auto& [own, name] : statement->inlined->names)
      if (own == id) return name;
  return symbol(id).name;
}

Datum& Activation::variable(ir::SymbolId id) {
  const size_t k = slot(id);
  Datum& d = frame->slots[k];
  if (d.empty()) d = default_value(ctx_, frame->function->symbols.all()[k].type);
  return d;
}

const ArrayRef& Activation::array_variable(ir::SymbolId id) {
  const ArrayRef* a = variable(id).array();
  if (!a) fail(Code::Type, fmt::format("'{}' is not an array", name(id)));
  return *a;
}

void Activation::before_store(ir::SymbolId id) {
  if (ctx_.conv.assign == ir::AssignMode::Copy || !array_variable(id).array.read_only()) return;
  ErrorRecord r;
  r.code = Code::ReadOnly;
  r.array = name(id);
  r.message = fmt::format("'{}' is read-only and cannot be stored to", r.array);
  throw Fault{std::move(r)};
}

ArrayRef& Activation::writable(ir::SymbolId id) {
  array_variable(id);
  ArrayRef& a = *variable(id).array();
  const bool alone = !a.storage->foreign && !a.array.read_only() && a.storage.use_count() == 1;
  if (ctx_.conv.assign == ir::AssignMode::Copy && !alone)
    a = copy_array(ctx_, a, a.elem(), a.complex(), symbol(id).type.layout);
  return a;
}

}  // namespace vr::interp
