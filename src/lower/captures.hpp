// The variables of a parallel loop: those private to an iteration, and those of the enclosing function that a task or
// kernel uses (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// With a list of shared variables, all others are private. Without one, the variables that the body assigns as a whole
/// are private.
std::set<ir::SymbolId> private_variables(const ir::PFor& s, const LoopInfo& facts);
/// Private variables that an iteration may read before it assigns them: they start with their value before the loop.
std::vector<ir::SymbolId> carried_in(Lowering& f, const ir::PFor& s, const std::set<ir::SymbolId>& priv);
/// Sets an iteration's private variable to the value from before the loop.
void carry_in(Lowering& f, const Slot& to, const Slot& from);

/// The variables of the enclosing function (`outer`) that a task or kernel (`inner`) uses, as copies.
class Captures {
 public:
  /// arrays_as_params: an array is one parameter (kernels) instead of one for each field of its descriptor (tasks).
  Captures(Lowering& outer, Lowering& inner, bool arrays_as_params, const LoopInfo& facts)
      : outer_(outer), inner_(inner), arrays_as_params_(arrays_as_params), facts_(facts) {}

  /// Captures all variables that the loop uses, with what is known of them; makes `dims` the inner function's.
  void take(const ir::PFor& s, std::vector<LoopDim>& dims);
  /// Initialises the private variables that start with their value before the loop; to be called at the start of each
  /// iteration.
  void start_carried();
  /// Tasks: the outer function's variables, in the order of the inner one's parameters.
  const std::vector<VarId>& variables() const { return variables_; }
  /// Kernels: likewise.
  const std::vector<Operand>& operands() const { return operands_; }

 private:
  VarId variable(VarId v);
  ExprP expr(ExprP e);
  Slot slot(const Slot& s, ir::SymbolId id);
  void array(const ArrayVars& from, const Slot& s, ArrayId to, ir::SymbolId id);
  void know(VarId in, VarId of);
  /// Whether the array's flags are needed inside: it is stored to, or another variable or a call may refer to it.
  bool wants_flags(ir::SymbolId id) const;

  Lowering& outer_;
  Lowering& inner_;
  const bool arrays_as_params_;
  const LoopInfo& facts_;
  std::map<VarId, VarId> known_;  ///< outer -> inner
  std::vector<VarId> variables_;
  std::vector<Operand> operands_;
  std::vector<std::pair<ir::SymbolId, Slot>> carried_;  ///< private variables and their values from before the loop
};

}  // namespace vr::lower
