#include <velociraptor/ir/nodes.hpp>

#include <algorithm>

namespace vr::ir {

const char* kind_name(Kind k) {
  switch (k) {
#define VR_EXPR(Name, word) \
  case Kind::Name: return #Name;
#define VR_STMT(Name, word) \
  case Kind::Name: return #Name;
#include <velociraptor/ir/nodes.def>
  }
  return "";
}

const char* kind_word(Kind k) {
  switch (k) {
#define VR_EXPR(Name, word) \
  case Kind::Name: return word;
#define VR_STMT(Name, word) \
  case Kind::Name: return word;
#include <velociraptor/ir/nodes.def>
  }
  return "";
}

const char* atomic_op_name(AtomicOp op) {
  switch (op) {
    case AtomicOp::Cas: return "cas";
    case AtomicOp::Add: return "add";
    case AtomicOp::Sub: return "sub";
    case AtomicOp::Min: return "min";
    case AtomicOp::Max: return "max";
    case AtomicOp::And: return "and";
    case AtomicOp::Or: return "or";
    case AtomicOp::Swap: return "swap";
  }
  return "";
}

namespace {
auto position(const std::vector<Symbol>& symbols, SymbolId id) {
  return std::lower_bound(symbols.begin(), symbols.end(), id, [](const Symbol& s, SymbolId i) { return s.id < i; });
}
}  // namespace

const Symbol* SymbolTable::find(SymbolId id) const {
  auto it = position(symbols_, id);
  return it != symbols_.end() && it->id == id ? &*it : nullptr;
}

const Symbol& SymbolTable::at(SymbolId id) const { return *position(symbols_, id); }

bool SymbolTable::add(Symbol s) {
  if (symbols_.empty() || symbols_.back().id < s.id) {
    symbols_.push_back(std::move(s));
    return true;
  }
  auto it = position(symbols_, s.id);
  if (it != symbols_.end() && it->id == s.id) return false;
  symbols_.insert(symbols_.begin() + (it - symbols_.begin()), std::move(s));
  return true;
}

SymbolId SymbolTable::fresh(std::string name, Type type) {
  SymbolId id = symbols_.empty() ? 0 : symbols_.back().id + 1;
  symbols_.push_back({id, std::move(name), std::move(type)});
  return id;
}

void SymbolTable::set_type(SymbolId id, Type type) {
  symbols_[static_cast<size_t>(position(symbols_, id) - symbols_.begin())].type = std::move(type);
}

Conventions Conventions::matlab() {
  Conventions c;
  c.indexing = 1;
  c.exclude = false;
  c.flatten = true;
  c.grow = true;
  c.assign = AssignMode::Copy;
  c.slices = SliceMode::Copy;
  c.nan = NanMode::Omit;
  c.mindims = 2;
  c.fast_math = fastmath::None;
  c.broadcast = BroadcastMode::Leading;
  return c;
}

Conventions ConventionAttrs::resolve(const Conventions& host) const {
  Conventions c = host;
  c.indexing = indexing.value_or(c.indexing);
  c.exclude = exclude.value_or(c.exclude);
  c.flatten = flatten.value_or(c.flatten);
  c.grow = grow.value_or(c.grow);
  c.assign = assign.value_or(c.assign);
  c.slices = slices.value_or(c.slices);
  c.nan = nan.value_or(c.nan);
  c.memory = memory.value_or(c.memory);
  c.mindims = mindims.value_or(c.mindims);
  c.fast_math = fast_math.value_or(c.fast_math);
  c.broadcast = broadcast.value_or(c.broadcast);
  c.promote = promote.value_or(c.promote);
  c.overflow = overflow.value_or(c.overflow);
  return c;
}

const Function* Module::find(const std::string& function) const {
  for (const FunctionPtr& f : functions)
    if (f->name == function) return f.get();
  return nullptr;
}

}  // namespace vr::ir
