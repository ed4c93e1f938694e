// The call that runs: its variables, and the statement at hand.
#pragma once
#include "interp/datum.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::interp {

/// The variables of one call, in the order of the symbol table.
struct Frame {
  const ir::Function* function;
  std::vector<Datum> slots;
  std::vector<Datum> results;  ///< of the return statement that ended the call
};

class Activation {
 public:
  explicit Activation(Context& ctx) : ctx_(ctx) {}

  Frame* frame = nullptr;
  const ir::Stmt* statement = nullptr;

  size_t slot(ir::SymbolId id) const;
  const ir::Symbol& symbol(ir::SymbolId id) const { return frame->function->symbols.at(id); }
  /// What errors call the variable: a statement that was inlined goes on speaking of its own function's names.
  const std::string& name(ir::SymbolId id) const;
  /// The variable's value; its type's default when it was never assigned.
  Datum& variable(ir::SymbolId id);
  const ArrayRef& array_variable(ir::SymbolId id);
  /// What a store asks first: READ_ONLY under `:assign share` when the variable's array is so.
  void before_store(ir::SymbolId id);
  /// The variable's array, made this variable's own under `:assign copy` when somebody else could see a store.
  ArrayRef& writable(ir::SymbolId id);
  /// Adds function and place of the statement that was running, where the fault does not have them. file: of the
  /// module.
  void complete(ErrorRecord& r, const std::string& file) const;

 private:
  Context& ctx_;
};

}  // namespace vr::interp
