// The variables of a parallel loop: its iterations' own ones, and those that a task or kernel has of the function
// around it (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// With a list of shared variables everything else is private. Without one: what the body assigns as a whole is
/// private.
std::set<ir::SymbolId> private_variables(const ir::PFor& s, const LoopInfo& facts);
/// Private variables that an iteration may read first: each iteration starts with the value from before the loop.
std::vector<ir::SymbolId> carried_in(Lowering& f, const ir::PFor& s, const std::set<ir::SymbolId>& priv);
/// Gives an iteration's variable the value from before the loop.
void carry_in(Lowering& f, const Slot& to, const Slot& from);

/// What a task or kernel (`inner`) sees of the function around it (`outer`): copies of its variables.
class Captures {
 public:
  /// arrays_as_params: kernels, of which an array is one parameter; of tasks its fields are.
  Captures(Lowering& outer, Lowering& inner, bool arrays_as_params, const LoopInfo& facts)
      : outer_(outer), inner_(inner), arrays_as_params_(arrays_as_params), facts_(facts) {}

  /// All that the loop uses, and what is known of it; the domain becomes the inner function's.
  void take(const ir::PFor& s, std::vector<LoopDim>& dims);
  /// At the start of each iteration.
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
  /// Whether anybody asks if the array may be stored to: a store, a callee, who gets it by another name.
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
