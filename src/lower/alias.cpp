// Loops whose arrays do not overlap (thesis 5.4, checked at run time).
//
// Before a loop nest that stores to an array and accesses others, the byte ranges of those arrays are compared once. In
// the unchecked versions of the nest's innermost loops (version.cpp), which run only when no ranges overlap, every
// access names the array that it belongs to, so that LLVM vectorises without run-time checks of its own, also gathers,
// for which it has none. Bounds checks make this sound: every access is within its array's range. An array that grows
// moves to new storage, which is disjoint from all others.
#include "lower/alias.hpp"

#include "lower/array.hpp"
#include "loop/byte_range.hpp"
#include "lower/index.hpp"
#include "lower/variables.hpp"

namespace vr::lower {

namespace {
constexpr size_t max_arrays = 16, max_pairs = 128;
}  // namespace

void alias_before_loop(Lowering& f, const LoopInfo& facts, const ir::Body& body) {
  if (f.out.fn.kind == Function::Kind::Kernel || !f.m.options.version_loops) return;
  std::set<ir::SymbolId> arrays;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    if (auto* i = ir::as<ir::Index>(&e); i && all_scalar(f, *i)) arrays.insert(i->array);
  });
  std::set<ir::SymbolId> stored;
  bool covered = f.facts.alias.flag != nullptr;
  for (ir::SymbolId id : arrays) {
    if (slot(f, id).array == none) return;
    // The array is assigned inside, so its storage changes; inner loops that do not assign it do the test themselves.
    if (facts.assigned.count(id)) return;
    if (facts.stored.count(id)) stored.insert(id);
    covered = covered && f.facts.alias.sets.count(id);
  }
  if (covered || stored.empty() || arrays.size() < 2 || arrays.size() > max_arrays ||
      stored.size() * arrays.size() > max_pairs)
    return;

  f.facts.alias.sets.clear();
  const int32_t group = f.loops.next_alias_group++;
  int32_t number = 0;
  std::map<ir::SymbolId, ByteRange> ranges;
  for (ir::SymbolId id : arrays) {
    f.facts.alias.sets[id] = group * alias_sets_in_group + number++;
    const ArrayGen::Leaf whole = leaf(f.out, slot(f, id), {}).leaves[0];
    ranges[id] = byte_range(f.out, whole.data, whole.extent, whole.stride, whole.bytes);
  }
  ExprP apart = f.x.bool_const(true);
  for (ir::SymbolId s : stored)
    for (ir::SymbolId other : arrays) {
      if (other == s || (stored.count(other) && other < s)) continue;
      if (auto a = f.facts.alias_groups.find(s), b = f.facts.alias_groups.find(other);
          a != f.facts.alias_groups.end() && b != f.facts.alias_groups.end() && a->second != b->second)
        continue;
      apart = f.x.both(apart, disjoint(f.out, ranges[s], ranges[other]));
    }
  f.facts.alias.flag = f.out.keep(apart, "disjoint");
  f.out.emit(AliasGroup{group});
}

// Alias sets of the current nest's arrays, by the variables that hold their addresses; for unchecked versions.
std::map<VarId, int32_t> alias_sets(Lowering& f) {
  std::map<VarId, int32_t> sets;
  for (const auto& [id, set] : f.facts.alias.sets) sets[f.out.array(slot(f, id).array).data] = set;
  return sets;
}

int32_t alias_set_of(const Emitter& out, ExprP base) {
  if (base->kind != Expr::Kind::Var) return none;
  auto it = out.alias_sets.find(base->var);
  return it == out.alias_sets.end() ? none : it->second;
}

}  // namespace vr::lower
