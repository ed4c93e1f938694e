// Whether the arrays of a loop nest overlap is tested once, in front of the nest (thesis 5.4 does it at compile time).
//
//   for k in [0, n) version {              low = a.data ... high#1 = b.data + ...
//     store a[k] = b[k]                    disjoint = high#1 <= low | high <= low#1
//   }                                      alias group 0
//                                          for k in [0, n) version disjoint disjoint [a.data 0, b.data 1] { as before }
//
// In the versions without checks, which run only if no ranges overlap, every access then belongs to an alias set, so
// that LLVM vectorises without tests of its own, also gathers, for which it has none. The checks make this sound: every
// access is within its array's range. An array that grows, or that is copied before a store because others share it,
// moves to new storage, which is disjoint from all others.
#include "loop/transform/disjoint.hpp"

#include "loop/analysis/invariants.hpp"
#include "loop/analysis/proof.hpp"
#include "loop/byte_range.hpp"
#include "loop/replace.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr size_t most_arrays = 16, most_pairs = 128;

/// The arrays whose elements the loops of a nest that may be versioned access.
class Accesses {
 public:
  Accesses(const Function& fn, const Stmt& nest) {
    for (size_t k = 0; k < fn.arrays.size(); ++k) numbers_[fn.arrays[k].data] = static_cast<ArrayId>(k);
    statement(nest);
  }

  struct Access {
    bool stored = false;
    std::map<size_t, ExprP> strides = {};  ///< by axis, where an access knows it
  };
  std::map<ArrayId, Access> arrays;
  std::set<const If*> checks;

 private:
  void statement(const Stmt& s) {
    auto* loop = std::get_if<CountedLoop>(&s.node);
    if (loop && !loop->version) return;
    if (auto* n = std::get_if<If>(&s.node); n && is_check(*n)) {
      checks.insert(n);
      each_expr(s, [&](ExprP e) { loads(e); });
      return;
    }
    each_expr(s, [&](ExprP e) { loads(e); });
    if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset, true);
    for (const Block* p : parts(s))
      for (const Stmt& inner : *p) statement(inner);
  }
  void loads(ExprP e) {
    if (!e || is_simple(e)) return;
    if (e->kind == Expr::Kind::Load) access(e->a, e->b, false);
    for (ExprP part : {e->a, e->b, e->c}) loads(part);
  }
  void access(ExprP base, ExprP offset, bool store) {
    const auto it = base->kind == Expr::Kind::Var ? numbers_.find(base->var) : numbers_.end();
    if (it == numbers_.end()) return;
    Access& a = arrays[it->second];
    a.stored = a.stored || store;
    size_t axis = 0;
    for (ExprP at = offset; at && at->kind == Expr::Kind::At; at = at->c, ++axis)
      if (at->b->kind == Expr::Kind::IntConst && at->b->ival != 0) a.strides[axis] = at->b;
  }

  std::map<VarId, ArrayId> numbers_;
};

class DisjointArrays {
 public:
  explicit DisjointArrays(Writer& out) : out_(out), x_(out.x) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* counted = std::get_if<CountedLoop>(&s.node);
      if (counted ? !counted->version : !std::holds_alternative<Loop>(s.node)) return false;
      if (auto disjoint = test(s)) {
        tell(s, disjoint);
        out_.block->push_back(std::move(s));
        return true;
      }
      return false;  // the inner loops do the test themselves
    });
  }

 private:
  /// Writes the test for the arrays of a loop, if there are arrays to compare.
  std::shared_ptr<const Disjoint> test(const Stmt& nest) {
    Block alone;
    alone.push_back(nest);
    const Accesses found(out_.fn, alone[0]);
    const auto stored =
        std::count_if(found.arrays.begin(), found.arrays.end(), [](const auto& a) { return a.second.stored; });
    const size_t count = found.arrays.size();
    if (stored == 0 || count < 2 || count > most_arrays || static_cast<size_t>(stored) * count > most_pairs)
      return nullptr;
    const auto changed = changes(out_.fn, alone, found.checks);
    for (const auto& [id, access] : found.arrays)
      if (changed.count(out_.array(id).data)) return nullptr;

    const int32_t group = next_group_++;
    std::map<VarId, int32_t> sets;
    std::map<ArrayId, ByteRange> ranges;
    for (const auto& [id, access] : found.arrays) {
      const int32_t set = group * alias_sets_in_group + static_cast<int32_t>(sets.size());
      sets[out_.array(id).data] = set;
      ranges[id] = range(out_.array(id), access);
    }
    ExprP apart = x_.bool_const(true);
    for (const auto& [a, access] : found.arrays)
      for (const auto& [b, other] : found.arrays)
        if (access.stored && a != b && !(other.stored && b < a) && !known_disjoint(a, b))
          apart = x_.both(apart, disjoint(out_, ranges[a], ranges[b]));
    auto result = std::make_shared<Disjoint>(Disjoint{out_.keep(apart, "disjoint"), std::move(sets)});
    out_.emit(AliasGroup{group});
    return result;
  }
  bool known_disjoint(ArrayId a, ArrayId b) const {
    const int32_t ga = out_.array(a).group, gb = out_.array(b).group;
    return ga != none && gb != none && ga != gb;
  }
  ByteRange range(const ArrayVars& array, const Accesses::Access& access) const {
    std::vector<ExprP> extent, stride;
    for (size_t k = 0; k < array.extent.size(); ++k) {
      extent.push_back(out_.get(array.extent[k]));
      const auto known = access.strides.find(k);
      stride.push_back(known == access.strides.end() ? out_.get(array.stride[k]) : known->second);
    }
    return byte_range(out_, x_.var(array.data, Scalar::Ptr), extent, stride, array.element_bytes());
  }
  /// Sets the result of the test in all loops that store.
  static void tell(Stmt& s, const std::shared_ptr<const Disjoint>& disjoint) {
    if (auto* n = std::get_if<CountedLoop>(&s.node); n && n->version && has<Store>(n->body)) n->disjoint = disjoint;
    for (Block* p : parts(s))
      for (Stmt& inner : *p) tell(inner, disjoint);
  }

  Writer& out_;
  Exprs& x_;
  int32_t next_group_ = 0;
};

}  // namespace

void disjoint_arrays(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) { DisjointArrays(out).block(body); });
}

}  // namespace vr::lower
