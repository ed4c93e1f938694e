// Which statement is the last to read a variable: there its reference can be moved instead of counted.
#pragma once
#include "analysis/bits.hpp"
#include "ir/sharing.hpp"

#include <unordered_map>

namespace vr::lower {

class LastUses {
 public:
  /// The function must outlive this.
  explicit LastUses(const ir::Function& f);
  /// Whether the variable is dead after this assignment, call or return (which may assign the variable). False for
  /// other statements.
  bool ends_with(const ir::Stmt& s, ir::SymbolId id) const;
  /// The statement that allocates the array, if no other one assigns the variable; null: there is none.
  const ir::Stmt* only_allocation(ir::SymbolId id) const;
  /// How often the expressions of the statement mention the variable, not counting assignments to it as a whole.
  int mentions(const ir::Stmt& s, ir::SymbolId id) const;
  int mentions(const ir::ExprPtr& e, ir::SymbolId id) const;

 private:
  const ir::Function& function_;
  ir::VariableUses uses_;
  /// The variables that are live after a statement; if a node occurs several times in the tree, those live after any
  /// occurrence.
  std::unordered_map<const ir::Stmt*, analysis::Bits> live_;
};

}  // namespace vr::lower
