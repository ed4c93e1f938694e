// The running call: its variables, and the current statement.
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
  /// The variable's name in error records: for an inlined statement, its name in the function that contained the statement.
  const std::string& name(ir::SymbolId id) const;
  /// The variable's value; the default value of its type if it was never assigned.
  Datum& variable(ir::SymbolId id);
  const ArrayRef& array_variable(ir::SymbolId id);
  /// To be called before a store: fault READ_ONLY under `:assign share` if the variable's array is read-only.
  void before_store(ir::SymbolId id);
  /// The variable's array for a store; under `:assign copy` it is copied first if its storage is shared.
  ArrayRef& writable(ir::SymbolId id);
  /// Adds the function and source location of the running statement if the record does not have them. file: the
  /// module's file.
  void complete(ErrorRecord& r, const std::string& file) const;

 private:
  Context& ctx_;
};

}  // namespace vr::interp
