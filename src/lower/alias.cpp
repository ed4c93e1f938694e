// Loops whose arrays do not overlap (thesis 5.4, checked at run time).
//
// Before a loop nest that stores to an array and touches others, the byte ranges of those arrays are compared once. In
// the unchecked copies of the nest's innermost loops (version.cpp), which run only when none overlap, every access says
// which array it belongs to, so that LLVM vectorises without asking again, also where it could not ask: gathers. Bounds
// checks make this sound: every access lies within its array's range. An array that grows moves to storage of its own.
#include "lower/function_lowering.hpp"

namespace vr::lower {

namespace {
constexpr size_t max_arrays = 16, max_pairs = 128;
}  // namespace

// Addresses of the lowest byte, and of the one after the highest, that elements of the array can have.
FunctionLowering::ByteRange FunctionLowering::byte_range(ExprP data, const std::vector<ExprP>& extent,
                                                         const std::vector<ExprP>& stride, int64_t bytes) {
  ExprP zero = x_.int_const(0), low = zero, high = x_.int_const(bytes);
  for (size_t k = 0; k < extent.size(); ++k) {
    const bool rising = stride[k]->kind == Expr::Kind::IntConst && stride[k]->ival >= 0;
    ExprP last = x_.max(x_.sub(extent[k], x_.int_const(1)), zero);
    ExprP span = keep(x_.mul(last, stride[k]), "span");
    if (!rising) low = x_.add(low, x_.min(span, zero));
    high = x_.add(high, rising ? span : x_.max(span, zero));
  }
  return {temp(x_.offset(data, low), "low"), temp(x_.offset(data, high), "high")};
}

ExprP FunctionLowering::disjoint(const ByteRange& a, const ByteRange& b) {
  return x_.either(x_.le(a.second, b.first), x_.le(b.second, a.first));
}

void FunctionLowering::alias_before_loop(const LoopInfo& facts, const ir::Body& body) {
  if (fn_.kind == Function::Kind::Kernel || !m_.options.version_loops) return;
  std::set<ir::SymbolId> arrays;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e); i && all_scalar(*i)) arrays.insert(i->array);
  });
  std::set<ir::SymbolId> stored;
  bool covered = alias_.flag != nullptr;
  for (ir::SymbolId id : arrays) {
    if (slot(id).array == none) return;
    // Its storage changes inside: loops further in, in which it stays, look for themselves.
    if (facts.assigned.count(id)) return;
    if (facts.stored.count(id)) stored.insert(id);
    covered = covered && alias_.sets.count(id);
  }
  if (covered || stored.empty() || arrays.size() < 2 || arrays.size() > max_arrays ||
      stored.size() * arrays.size() > max_pairs)
    return;

  alias_.sets.clear();
  const int32_t group = next_alias_group_++;
  int32_t number = 0;
  std::map<ir::SymbolId, ByteRange> ranges;
  for (ir::SymbolId id : arrays) {
    alias_.sets[id] = group * alias_sets_in_group + number++;
    const ArrayGen::Leaf whole = leaf(slot(id), {}).leaves[0];
    ranges[id] = byte_range(whole.data, whole.extent, whole.stride, whole.bytes);
  }
  ExprP apart = x_.bool_const(true);
  for (ir::SymbolId s : stored)
    for (ir::SymbolId other : arrays) {
      if (other == s || (stored.count(other) && other < s)) continue;
      if (auto a = alias_groups_.find(s), b = alias_groups_.find(other);
          a != alias_groups_.end() && b != alias_groups_.end() && a->second != b->second)
        continue;
      apart = x_.both(apart, disjoint(ranges[s], ranges[other]));
    }
  alias_.flag = keep(apart, "disjoint");
  emit(AliasGroup{group});
}

// The arrays of the nest in force, by the variables that hold their addresses; for an unchecked copy of a loop.
std::map<VarId, int32_t> FunctionLowering::alias_sets() {
  std::map<VarId, int32_t> sets;
  for (const auto& [id, set] : alias_.sets) sets[array(slot(id).array).data] = set;
  return sets;
}

int32_t FunctionLowering::alias_set_of(ExprP base) const {
  if (base->kind != Expr::Kind::Var) return none;
  auto it = active_sets_.find(base->var);
  return it == active_sets_.end() ? none : it->second;
}

}  // namespace vr::lower
