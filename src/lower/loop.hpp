// Counted loops over domains (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

namespace vr::lower {

/// Trip count of start : step : stop; floats count as MATLAB does. All of one type, Int64 or floating, simple.
ExprP range_count(Emitter& out, ExprP start, ExprP step, ExprP stop, bool exclude);
ExprP has_range_bit(Emitter& out, const Slot* parts, int32_t bit);
void assign_domain(Lowering& f, Slot& to, const ir::ExprPtr& value);
/// A variable as it is, any other domain in a slot of its own
Slot domain_slot(Lowering& f, const ir::ExprPtr& e);
std::vector<LoopDim> loop_dims(Lowering& f, const std::vector<ir::SymbolId>& ids, const ir::ExprPtr& domain);
void loop_variable(Lowering& f, const LoopDim& d, ExprP k, bool assigned_in_body);
void for_(Lowering& f, const ir::For& s);
void nest(Lowering& f, const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
          const std::function<void()>& inner, const ir::Body* versioned, const std::vector<VarId>& counters = {});

/// Around the loop statement at hand: inside it nothing is known of the variables that it assigns, and `break` is its
/// own.
class LoopScope {
 public:
  LoopScope(Lowering& f, const LoopInfo& facts, const std::vector<ir::SymbolId>& itervars);
  ~LoopScope();
  /// What an iteration made unique need not be so at the start of the next.
  void next_iteration() const { f_.facts.unique = unique_; }

 private:
  Lowering& f_;
  const Restore<std::map<ir::SymbolId, ExprP>> ints_;
  const Restore<VarId> break_flag_;
  const Restore<Disjointness> alias_;
  std::set<ir::SymbolId> unique_;
};

}  // namespace vr::lower
