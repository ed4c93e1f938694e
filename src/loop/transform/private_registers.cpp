// private_registers: see private_registers.hpp.
//
//   p = scratch of 16 bytes               p.0 = 0; p.1 = 0; p.2 = 0; p.3 = 0
//   for k in [0, 4) { p[k] = a[i, k] }    p.0 = a[i, 0]; p.1 = a[i, 1]; p.2 = a[i, 2]; p.3 = a[i, 3]
//   for k in [0, 4) { s = s + p[k] }      s = s + p.0; s = s + p.1; s = s + p.2; s = s + p.3
#include "loop/transform/private_registers.hpp"

#include "loop/analysis/private_arrays.hpp"
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

/// The constant distance from the array's beginning; empty: it is none.
std::optional<int64_t> byte(ExprP offset) {
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

/// Whether all accesses are to elements at constant subscripts.
bool are_constant(const PrivateArrays& arrays) {
  return arrays.fit() && arrays.all_accesses([&](size_t k, ExprP offset) {
    const PrivateArray& a = arrays.all()[k];
    const int64_t size = scalar_bytes(*a.type);
    const auto at = byte(offset);
    return at && *at >= 0 && *at % size == 0 && *at + size <= a.bytes;
  });
}

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
  return any_statement(loop.body, [&](const Stmt& s) {
    bool found = false;
    each_access(s, [&](const ElementAccess& a) { found = found || (arrays.of(a.base) && is_from(a.offset)); });
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
      auto* copy = std::get_if<SetVar>(&s.node);
      return std::holds_alternative<Scratch>(s.node) || (copy && arrays_.of(copy->value));
    });
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = expr(e); });
      if (auto* n = std::get_if<Store>(&s.node))
        if (const auto k = arrays_.of(n->base)) s.node = SetVar{element(*k, n->offset), n->value};
      for (Block* p : parts(s)) block(*p);
    }
  }
  ExprP expr(ExprP e) {
    return replaced(out_.x, e, [&](ExprP n) -> ExprP {
      const auto k = n->kind == Expr::Kind::Load ? arrays_.of(n->a) : std::nullopt;
      return k ? out_.x.var(element(*k, n->b), n->type) : nullptr;
    });
  }
  VarId element(size_t k, ExprP offset) {
    const PrivateArray& a = arrays_.all()[k];
    const int64_t number = *byte(offset) / scalar_bytes(*a.type);
    const auto it = variables_.find({k, number});
    if (it != variables_.end()) return it->second;
    const std::string name = out_.fn.vars[static_cast<size_t>(*a.names.begin())].name;
    return variables_[{k, number}] = out_.new_var(name + "." + std::to_string(number), *a.type);
  }

  Writer out_;
  const PrivateArrays& arrays_;
  std::map<std::pair<size_t, int64_t>, VarId> variables_;  ///< of element number `second` of array number `first`
};

/// shortest: the least trip count of the longest of the loops.
void replace_arrays(Exprs& x, Function& kernel, int64_t shortest) {
  const PrivateArrays before(kernel.body);
  int64_t bytes = 0;
  for (const PrivateArray& a : before.all()) bytes += a.bytes;
  if (!before.fit() || before.all().empty() || bytes > most_register_bytes) return;
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
  if (!are_constant(after)) return;
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
