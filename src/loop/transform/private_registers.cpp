// private_registers: see private_registers.hpp.
//
//   p = scratch of 16 bytes               p.0 = 0; p.1 = 0; p.2 = 0; p.3 = 0
//   for k in [0, 4) { p[k] = a[i, k] }    p.0 = a[i, 0]; p.1 = a[i, 1]; p.2 = a[i, 2]; p.3 = a[i, 3]
//   for k in [0, 4) { s = s + p[k] }      s = s + p.0; s = s + p.1; s = s + p.2; s = s + p.3
#include "loop/transform/private_registers.hpp"

#include "loop/transform/unroll.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

constexpr int64_t most_register_bytes = 640;  // of the arrays of a kernel together: 160 of 255 registers
constexpr int64_t most_unrolled = 128;
constexpr int64_t most_unrolled_nodes = 8000;
// Compilers of devices unroll shorter loops themselves, and do better then: an edit distance of 32 letters takes 1.4
// times as long here, sequences of 64 letters a seventh (H200).
constexpr int64_t shortest_loop = 40;
constexpr int most_nested = 4;  // of loops whose bounds depend on outer ones

/// A kernel's arrays of its own: for each variable of an address, that of the memory.
class PrivateArrays {
 public:
  explicit PrivateArrays(const Block& body) : times_(assignments(body)) {
    any_statement(body, [&](const Stmt& s) {
      if (auto* n = std::get_if<Scratch>(&s.node)) {
        bytes_[n->var] = n->bytes;
        memory_[n->var] = n->var;
      }
      return false;
    });
    // Addresses are copied before they are used, in the order of the statements.
    any_statement(body, [&](const Stmt& s) {
      if (auto* n = std::get_if<SetVar>(&s.node); n && n->value->kind == Expr::Kind::Var && times_.at(n->var) == 1)
        if (const auto it = memory_.find(n->value->var); it != memory_.end()) memory_[n->var] = it->second;
      return false;
    });
    any_statement(body, [&](const Stmt& s) {
      if (auto* n = std::get_if<Store>(&s.node)) access(n->base, n->offset, n->value->type);
      const auto* copy = std::get_if<SetVar>(&s.node);
      each_expr(s, [&](ExprP e) {
        const auto* n = std::get_if<Store>(&s.node);
        if (copy && e == copy->value && e->kind == Expr::Kind::Var) return;
        if (n && e == n->base) return;
        uses(e);
      });
      return false;
    });
    std::erase_if(bytes_, [&](const auto& entry) { return escaped_.count(entry.first) != 0; });
  }
  /// Those that are used by loads and stores alone, and their sizes.
  const std::map<VarId, int64_t>& bytes() const { return bytes_; }
  /// The array to which the address belongs; `none`: none of these.
  VarId of(ExprP base) const {
    const auto it = base->kind == Expr::Kind::Var ? memory_.find(base->var) : memory_.end();
    return it != memory_.end() && bytes_.count(it->second) ? it->second : none;
  }
  /// Whether all accesses are at constants, and no two of them overlap but are not the same element.
  bool is_constant(VarId array) const { return !varied_.count(array); }

 private:
  void uses(ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) {
      access(e->a, e->b, e->type);
      uses(e->b);
      return;
    }
    if (e->kind == Expr::Kind::Var)
      if (const auto it = memory_.find(e->var); it != memory_.end()) escaped_.insert(it->second);
    uses(e->a);
    uses(e->b);
    uses(e->c);
  }
  void access(ExprP base, ExprP offset, Scalar type) {
    const auto it = base->kind == Expr::Kind::Var ? memory_.find(base->var) : memory_.end();
    if (it == memory_.end()) return uses(base);
    const auto at = byte(offset);
    const auto first = types_.emplace(it->second, type).first;
    if (!at || first->second != type || *at % scalar_bytes(type) != 0 || *at < 0 ||
        *at + scalar_bytes(type) > bytes_.at(it->second))
      varied_.insert(it->second);
  }

 public:
  /// The constant distance from the array's beginning; empty: it is none.
  static std::optional<int64_t> byte(ExprP offset) {
    if (offset->kind == Expr::Kind::IntConst) return offset->ival;
    if (offset->kind != Expr::Kind::At) return {};
    int64_t sum = offset->ival;
    for (ExprP axis = offset; axis; axis = axis->c) {
      if (axis->a->kind != Expr::Kind::IntConst) return {};
      if (axis->a->ival == 0) continue;
      if (axis->b->kind != Expr::Kind::IntConst) return {};
      sum += axis->a->ival * axis->b->ival;
    }
    return sum;
  }

 private:
  const std::map<VarId, int> times_;
  std::map<VarId, int64_t> bytes_;
  std::map<VarId, VarId> memory_;
  std::map<VarId, Scalar> types_;  ///< of the elements
  std::set<VarId> escaped_, varied_;
};

/// The number of loops in the text.
int64_t loops_of(const Block& body) {
  int64_t count = 0;
  any_statement(body, [&](const Stmt& s) {
    count += std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node);
    return false;
  });
  return count;
}

/// Whether a subscript of such an array in the loop's body depends on the loop's variable.
bool decides_subscripts(const PrivateArrays& arrays, const CountedLoop& loop) {
  std::set<VarId> depends{loop.var};
  const auto is_from = [&](ExprP e) {
    return any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Var && depends.count(n->var) != 0; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    any_statement(loop.body, [&](const Stmt& s) {
      if (auto* n = std::get_if<SetVar>(&s.node);
          n && is_integer(n->value->type) && !loads(n->value) && is_from(n->value))
        changed = depends.insert(n->var).second || changed;
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && (is_from(n->lo) || is_from(n->hi)))
        changed = depends.insert(n->var).second || changed;
      return false;
    });
  }
  const auto access = [&](ExprP base, ExprP offset) { return arrays.of(base) != none && is_from(offset); };
  return any_statement(loop.body, [&](const Stmt& s) {
    auto* store = std::get_if<Store>(&s.node);
    bool found = store && access(store->base, store->offset);
    each_expr(s, [&](ExprP e) {
      found = found || any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Load && access(n->a, n->b); });
    });
    return found;
  });
}

/// Replaces the elements of arrays by variables.
class Scalars {
 public:
  Scalars(Exprs& x, Function& kernel, const PrivateArrays& arrays) : out_(x, kernel), arrays_(arrays) {}

  void run() {
    block(out_.fn.body);
    // Elements that are not assigned first have some value, as those of an array have.
    Block begin;
    for (const auto& [at, v] : variables_) {
      const Scalar type = out_.fn.vars[static_cast<size_t>(v)].type;
      begin.push_back(
          {SetVar{v, is_float(type) ? out_.x.float_const(0, type) : out_.x.int_const(0, type)}, out_.fn.place});
    }
    out_.fn.body.insert(out_.fn.body.begin(), std::move_iterator(begin.begin()), std::move_iterator(begin.end()));
  }

 private:
  void block(Block& b) {
    std::erase_if(b, [&](const Stmt& s) {
      auto* n = std::get_if<Scratch>(&s.node);
      auto* copy = std::get_if<SetVar>(&s.node);
      return (n && is_ours(n->var)) ||
             (copy && copy->value->type == Scalar::Ptr && copy->value->kind == Expr::Kind::Var &&
              arrays_.of(copy->value) != none && arrays_.is_constant(arrays_.of(copy->value)));
    });
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<Store>(&s.node))
        if (const VarId array = arrays_.of(n->base); array != none && arrays_.is_constant(array))
          s.node = SetVar{element(array, n->offset, n->value->type), n->value};
      for (Block* p : parts(s)) block(*p);
    }
  }
  bool is_ours(VarId memory) const { return arrays_.bytes().count(memory) != 0 && arrays_.is_constant(memory); }
  ExprP expr(ExprP e) {
    return replaced(out_.x, e, [&](ExprP n) -> ExprP {
      if (n->kind != Expr::Kind::Load) return nullptr;
      const VarId array = arrays_.of(n->a);
      return array != none && arrays_.is_constant(array) ? out_.x.var(element(array, n->b, n->type), n->type) : nullptr;
    });
  }
  VarId element(VarId array, ExprP offset, Scalar type) {
    const int64_t at = *PrivateArrays::byte(offset);
    const auto it = variables_.find({array, at});
    if (it != variables_.end()) return it->second;
    const std::string name = out_.fn.vars[static_cast<size_t>(array)].name;
    const VarId v = out_.new_var(name + "." + std::to_string(at / scalar_bytes(type)), type);
    variables_[{array, at}] = v;
    return v;
  }

  Writer out_;
  const PrivateArrays& arrays_;
  std::map<std::pair<VarId, int64_t>, VarId> variables_;
};

/// shortest: the least trip count of the longest of the loops.
void replace_arrays(Exprs& x, Function& kernel, int64_t shortest) {
  const PrivateArrays before(kernel.body);
  int64_t bytes = 0;
  for (const auto& entry : before.bytes()) bytes += entry.second;
  if (before.bytes().empty() || bytes > most_register_bytes) return;
  Function unrolled = kernel;
  int64_t longest = 0;
  for (int depth = 0; depth < most_nested; ++depth) {
    const PrivateArrays arrays(unrolled.body);
    const auto wanted = [&](const CountedLoop& n) {
      const bool decides = decides_subscripts(arrays, n);
      if (decides) longest = std::max(longest, n.hi->ival - n.lo->ival);
      return decides;
    };
    if (!unroll_loops(x, unrolled, most_unrolled, most_unrolled_nodes, wanted)) break;
  }
  if (longest < shortest) return;
  // Loops that would only be copied take time to compile, and the arrays may become dimensions (expand_arrays).
  if (loops_of(unrolled.body) > loops_of(kernel.body)) return;
  const PrivateArrays after(unrolled.body);
  for (const auto& entry : before.bytes())
    if (!after.bytes().count(entry.first) || !after.is_constant(entry.first)) return;
  Scalars(x, unrolled, after).run();
  kernel = std::move(unrolled);
}

}  // namespace

void private_registers(Module& m, const PassOptions& options) {
  if (!options.version_loops || !options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->team == 0 && !has<Fail>(f->body))
      replace_arrays(x, *f, options.tiles == 1 ? 0 : shortest_loop);
}

}  // namespace vr::lower
