// The accesses of each statement to variables, in order: the basis of reaching_defs and live_vars.
#pragma once
#include "analysis/bits.hpp"
#include "analysis/data_flow.hpp"
#include "ir/sharing.hpp"

namespace vr::analysis {

struct Access {
  enum class Kind : uint8_t {
    Use,     ///< the value is read
    Store,   ///< elements of an array, or a component of a tuple, are replaced; the others keep their values
    Assign,  ///< the variable as a whole gets a new value
  };
  Kind kind;
  int variable;  ///< position in the function's symbol table
};

/// The accesses of all statements, in the order in which they happen. Function and statements must outlive this.
class Accesses {
 public:
  Accesses(const ir::Function& f, const Statements& s);
  /// Part::Iterate: assignments to the loop variables. Any other part of the statement: what it evaluates and stores.
  const std::vector<Access>& of(int number, Part part) const {
    return (part == Part::Iterate ? iterate_ : whole_)[static_cast<size_t>(number)];
  }
  int variables() const { return variables_; }  ///< number of variables of the function
  /// A variable's position in the symbol table; -1 if no variable has this id.
  int position(ir::SymbolId id) const;

 private:
  const ir::Function& function_;
  int variables_;
  std::vector<std::vector<Access>> whole_, iterate_;
};

/// The variables assigned in the body of a pfor that are private to an iteration, as positions in the symbol table.
Bits own_variables(const ir::PFor& loop, const ir::SharingAnalysis& sharing, const Accesses& a);

}  // namespace vr::analysis
