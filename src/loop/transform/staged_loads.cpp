#include "loop/transform/staged_loads.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <array>

namespace vr::lower {

namespace {

constexpr size_t most_staged = 6;  // loads of a loop

}  // namespace

StagedLoads::StagedLoads(Exprs& x, const Function& kernel, const DimDependence& dims, bool single)
    : x_(x), kernel_(kernel), dims_(dims), times_(assignments(kernel.body)), single_(single) {
  search(kernel.body);
}

bool StagedLoads::is_staged(ExprP load) const {
  for (const LoopInTiles& l : loops)
    for (const Staged& s : l.loads)
      if (std::find(s.loads.begin(), s.loads.end(), load) != s.loads.end()) return true;
  return false;
}

const LoopInTiles* StagedLoads::find(const CountedLoop& n) const {
  for (const LoopInTiles& l : loops)
    if (n.var == l.loop->var && !has<CountedLoop>(n.body)) return &l;
  return nullptr;
}

/// Whether the loop was found in the block, or nothing can be staged because of what is in it.
bool StagedLoads::search(const Block& b) {
  for (const Stmt& s : b) {
    note(s);
    bool inner = false;
    for (const Block* p : parts(s)) inner = inner || has<CountedLoop>(*p);
    auto* n = std::get_if<CountedLoop>(&s.node);
    if (!n && !inner) continue;
    // The same for the whole group, which can then meet at barriers.
    if (dims_.region(s) != 0 || (!n && !std::holds_alternative<If>(s.node))) return true;
    if (inner) {
      if (!loops.empty()) return true;
      for (const Block* p : parts(s))
        if (search(*p)) return true;
    } else {
      loads_.clear();
      const bool fits = collect(*n) && !find(*n);  // find() tells loops apart by their variables
      if (fits) loops.push_back({n, loads_});
      if (!fits && (!loads_.empty() || !loops.empty())) return true;
      if (fits && single_) return true;
    }
  }
  return !loops.empty();
}

/// Variables whose values can be written anywhere in the group.
void StagedLoads::note(const Stmt& s) {
  auto* n = std::get_if<SetVar>(&s.node);
  if (!n || times_.at(n->var) != 1 || lower::loads(n->value)) return;
  for (const VarId v : variables(n->value))
    if (const auto times = times_.find(v); times != times_.end() && times->second > 1) return;
  record_value(x_, known_, n->var, n->value);
}

bool StagedLoads::collect(const CountedLoop& n) {
  changed_ = assignments(n.body);
  fits_ = true;
  for (const Stmt& s : n.body) {
    fits_ = fits_ && (std::holds_alternative<SetVar>(s.node) || std::holds_alternative<AliasGroup>(s.node));
    each_expr(s, [&](ExprP e) { find(n, e); });
    note(s);
  }
  std::array<int, 2> along = {};
  for (const Staged& one : loads_) ++along[one.dim];
  return fits_ && along[0] > 0 && along[1] > 0 && loads_.size() <= most_staged;
}

void StagedLoads::find(const CountedLoop& n, ExprP e) {
  if (!e || !fits_) return;
  // The other operands may not be evaluated.
  if (skips_operands(e)) return find(n, e->a);
  if (e->kind == Expr::Kind::Load) {
    const DimSet d = dims_.of(e) & 3;
    fits_ = dims_.is_constant_load(e) && d != 3 && (d == 0 || add(n, e, d == 1 ? 0 : 1));
  }
  for (ExprP part : {e->a, e->b, e->c}) find(n, part);
}

bool StagedLoads::add(const CountedLoop& n, ExprP load, size_t dim) {
  if (!load->b || load->type == Scalar::Bool || is_narrow_float(load->type)) return false;
  const ExprP offset = substituted(x_, load->b, known_);
  if (lower::loads(offset)) return false;
  for (VarId v : variables(offset)) {
    const bool own = v == kernel_.dims[dim] || v == n.var;
    if (!own && ((dims_.of(v) & 3) != 0 || changed_.count(v))) return false;
    // What another loop counted has no value of its own behind that loop.
    if (std::any_of(loops.begin(), loops.end(), [&](const LoopInTiles& l) { return l.loop->var == v; })) return false;
  }
  for (Staged& other : loads_)
    if (other.loads[0]->a->var == load->a->var && other.loads[0]->type == load->type && same(other.offset, offset)) {
      other.loads.push_back(load);
      return true;
    }
  Polynomials values(kernel_);
  const int32_t k = values.of(x_.var(n.var, Scalar::Int64)).terms.begin()->first[0];
  loads_.push_back({{load}, dim, offset, is_number(coefficient(values.of(offset), k), scalar_bytes(load->type))});
  return true;
}

}  // namespace vr::lower
