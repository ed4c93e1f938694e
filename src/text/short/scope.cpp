#include "text/short/scope.hpp"

#include <limits>

namespace vr::text::brief {

Scope::Scope(const ir::Module& module, const ir::NameIndex& functions, const ir::Conventions& conventions)
    : names_(functions), typing_{&module, &function_, conventions, &names_} {
  names_.suggestions = 0;
}

bool Scope::declare(ir::Symbol s) {
  if (find(s.id)) return false;
  next_ = s.id < std::numeric_limits<ir::SymbolId>::max() ? s.id + 1 : s.id;
  Found& named = by_name_[s.name];
  named.several = named.id.has_value();
  named.id = s.id;
  if (s.type.is_function()) {
    handles_.push_back(s);
    names_.handles.emplace(handles_.back().name, &handles_.back());
  }
  return function_.symbols.add(std::move(s));
}

Scope::Found Scope::find(const std::string& name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? Found{} : found->second;
}

ir::Type Scope::type_of(const ir::Expr& e) const {
  ir::Typing t = ir::natural_type(e, typing_);
  return t.ok() ? t.type : ir::Type::null();
}

ir::ConventionAttrs preset(const ir::Conventions& c) {
  ir::ConventionAttrs a;
  a.indexing = c.indexing;
  a.exclude = c.exclude;
  a.flatten = c.flatten;
  a.grow = c.grow;
  a.assign = c.assign;
  a.slices = c.slices;
  a.nan = c.nan;
  a.memory = c.memory;
  a.mindims = c.mindims;
  a.fast_math = c.fast_math;
  a.broadcast = c.broadcast;
  return a;
}

}  // namespace vr::text::brief
