// Counted loops over domains (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

void loop_variable(Lowering& f, const LoopDim& d, ExprP k, bool assigned_in_body);
void for_(Lowering& f, const ir::For& s);
void nest(Lowering& f, const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
          const std::function<void()>& inner, const ir::Body* versioned, const std::vector<VarId>& counters = {});

/// Scope of the current loop statement: facts on variables that the loop assigns are invalid inside it, and `break`
/// refers to this loop.
class LoopScope {
 public:
  LoopScope(Lowering& f, const LoopInfo& facts, const std::vector<ir::SymbolId>& itervars);
  ~LoopScope();
  /// Arrays that became the only owner of their storage in an iteration need not be so at the start of the next.
  void next_iteration() const { f_.facts.unique = unique_; }

 private:
  Lowering& f_;
  const Restore<std::map<ir::SymbolId, ExprP>> ints_;
  const Restore<VarId> break_flag_;
  std::set<ir::SymbolId> unique_;
};

}  // namespace vr::lower
