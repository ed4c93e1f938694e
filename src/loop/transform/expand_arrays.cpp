// expand_arrays: a kernel's private arrays become rows of an array, and the loops over them dimensions (array
// expansion).
//
//   kernel [i] { p = scratch                    kernel [i] { for parallel j { s = 0; for k { ... }
//     for j { s = 0; for k { ... }                             store p[i, j] = s }
//       store p[j] = s; top = max(top, p[j]) }    for j { top = max(top, p[i, j]) }
//     for j { store c[i, j] = p[j] - top } }      for parallel j { store c[i, j] = p[i, j] - top } }
//
// One work-item for each i leaves most of a device without work, and keeps its array in slow memory. With the rows in
// an array, grid distributes the loops: the first becomes a product of two dimensions, with tiles.
#include "loop/transform/expand_arrays.hpp"

#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/private_arrays.hpp"
#include "loop/renamed.hpp"
#include "loop/transform/expanded_kernel.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace vr::lower {

namespace {

constexpr int64_t most_expanded_bytes = int64_t{1} << 28;  // of all rows
constexpr int64_t fewest_elements = 16;                    // of a row
constexpr size_t most_private_arrays = 3;

/// Makes a kernel of which the private arrays are parameters.
class Expansion {
 public:
  Expansion(Exprs& x, const Function& kernel) : x_(x), made_(x, kernel), fn_(made_.fn), arrays_(fn_.body) {}

  /// Whether the kernel gains. `kernel` is the form then, and `arrays` are its further parameters.
  bool run() {
    if (!arrays_fit() || !is_known(fn_.body)) return false;
    fission();
    bool deep = false;
    for (size_t k : made_.mark_independent_loops()) {
      const Block& body = std::get<CountedLoop>(fn_.body[k].node).body;
      deep = deep || (has<CountedLoop>(body) && stores_to_array(body));
    }
    if (!deep) return false;
    made_.sink();
    expand();
    return made_.is_distributed();
  }
  Function& kernel() { return fn_; }
  const std::vector<PrivateArray>& arrays() const { return arrays_.all(); }

 private:
  // ---------------------------------------------------------------- private arrays
  std::optional<size_t> array_of(ExprP base) const { return arrays_.of(base); }
  /// Whether there are arrays, of one axis, whose addresses are made and copied by outer statements.
  bool arrays_fit() const {
    const auto& all = arrays_.all();
    if (!arrays_.fit() || all.empty() || all.size() > most_private_arrays) return false;
    const auto outer = std::count_if(fn_.body.begin(), fn_.body.end(), is_address);
    size_t names = 0;
    for (const PrivateArray& a : all) {
      names += a.names.size();
      if (!a.type || a.bytes % scalar_bytes(*a.type) != 0 || a.bytes / scalar_bytes(*a.type) < fewest_elements)
        return false;
    }
    return names == static_cast<size_t>(outer) && arrays_.all_accesses([&](size_t k, ExprP offset) {
      return offset->kind == Expr::Kind::At && !offset->c && offset->ival == 0 &&
             (is_int(offset->a, 0) || is_int(offset->b, scalar_bytes(*all[k].type)));
    });
  }
  static bool is_address(const Stmt& s) {
    auto* set = std::get_if<SetVar>(&s.node);
    return std::holds_alternative<Scratch>(s.node) || (set && set->value->type == Scalar::Ptr);
  }

  // ---------------------------------------------------------------- loops
  static bool is_known(const Block& b) {
    return !any_statement(b, [](const Stmt& s) {
      return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node) &&
             !std::holds_alternative<If>(s.node) && !std::holds_alternative<CountedLoop>(s.node) &&
             !std::holds_alternative<AliasGroup>(s.node) && !std::holds_alternative<Scratch>(s.node);
    });
  }
  bool stores_to_array(const Block& b) const {
    return any_statement(b, [&](const Stmt& s) {
      auto* n = std::get_if<Store>(&s.node);
      return n && array_of(n->base).has_value();
    });
  }

  /// Splits loops behind the last store to an element of their own.
  void fission() {
    Block made;
    for (Stmt& s : fn_.body) {
      auto* loop = std::get_if<CountedLoop>(&s.node);
      std::optional<CountedLoop> rest;
      if (loop && is_plain(*loop)) rest = split(*loop);
      const int32_t place = s.place;
      made.push_back(std::move(s));
      if (rest) made.push_back({std::move(*rest), place});
    }
    fn_.body = std::move(made);
  }
  /// The rest of the loop, which keeps the statements up to the store; empty: it is not to be split.
  std::optional<CountedLoop> split(CountedLoop& loop) {
    size_t end = loop.body.size();
    while (end > 0 && !(std::holds_alternative<Store>(loop.body[end - 1].node) &&
                        array_of(std::get<Store>(loop.body[end - 1].node).base)))
      --end;
    if (end == 0 || end == loop.body.size()) return {};
    const auto& store = std::get<Store>(loop.body[end - 1].node);
    CountedLoop first = loop, rest = loop;
    first.body.resize(end);
    rest.body.erase(rest.body.begin(), rest.body.begin() + static_cast<std::ptrdiff_t>(end));
    if (!has<CountedLoop>(first.body) || has<CountedLoop>(rest.body) || has<Store>(rest.body) ||
        !is_own_element(loop, store.offset))
      return {};
    // The first part uses nothing that the rest has assigned in an iteration before.
    const auto of_first = assignments(first.body), of_rest = assignments(rest.body);
    const auto carried = read_before_assigned(fn_, first.body);
    if (std::any_of(carried.begin(), carried.end(), [&](VarId v) { return of_rest.count(v) != 0; })) return {};
    for (const auto& [v, times] : of_first)
      if (of_rest.count(v)) return {};
    // The rest loads elements of this iteration only, and uses numbers of the iteration only.
    bool good = true;
    any_statement(rest.body, [&](const Stmt& s) {
      each_expr(s, [&](ExprP e) {
        good =
            good && !any_node(e, [&](ExprP n) {
              return n->kind == Expr::Kind::Load && array_of(n->a) == array_of(store.base) && !same(n->b, store.offset);
            });
      });
      return !good;
    });
    Block numbers;
    std::map<VarId, VarId> names;
    for (VarId v : variables(rest.body)) {
      if (!of_first.count(v)) continue;
      const bool number = std::any_of(first.body.begin(), first.body.end(), [&](const Stmt& s) {
        auto* set = std::get_if<SetVar>(&s.node);
        return set && set->var == v && of_first.at(v) == 1 && set->value->kind == Expr::Kind::Var &&
               set->value->var == loop.var;
      });
      if (!number) return {};
      const VarId other = variable_like(x_, fn_, v);
      names[v] = other;
      numbers.push_back({SetVar{other, x_.var(loop.var, Scalar::Int64)}, none});
    }
    if (!good) return {};
    names[loop.var] = variable_like(x_, fn_, loop.var);
    rest.var = names[loop.var];
    Block body;
    for (Stmt& s : numbers) body.push_back(renamed(x_, std::move(s), {{loop.var, rest.var}}));
    for (Stmt& s : rest.body) body.push_back(renamed(x_, std::move(s), names));
    rest.body = std::move(body);
    loop = std::move(first);
    return rest;
  }

  // ---------------------------------------------------------------- expansion
  void expand() {
    std::vector<Element> rows;
    // The subscript 1 keeps the stride of the axis.
    for (const PrivateArray& a : arrays_.all())
      rows.push_back(
          made_.add_rows(fn_.vars[static_cast<size_t>(*a.names.begin())].name + ".rows", *a.type, x_.int_const(1)));
    Block body;
    for (Stmt& s : fn_.body)
      if (!is_address(s)) body.push_back(std::move(s));
    replace_accesses(body, rows);
    fn_.body = std::move(body);
  }
  void replace_accesses(Block& b, const std::vector<Element>& rows) {
    const std::function<ExprP(ExprP)> load = [&](ExprP e) -> ExprP {
      if (e->kind != Expr::Kind::Load) return nullptr;
      const auto k = array_of(e->a);
      if (!k) return nullptr;
      const Element& to = rows[*k];
      return x_.load(e->type, to.base, element(to.at, replaced(x_, e->b, load)));
    };
    for (Stmt& s : b) {
      each_expr_of(s, [&](ExprP& e) { e = replaced(x_, e, load); });
      if (auto* n = std::get_if<Store>(&s.node))
        if (const auto k = array_of(n->base)) {
          const Element& to = rows[*k];
          n->base = to.base;
          n->offset = element(to.at, n->offset);
          n->alias_set = none;
        }
      for (Block* p : parts(s)) replace_accesses(*p, rows);
    }
  }
  /// The row's address with the element's subscript for the last one.
  ExprP element(ExprP row, ExprP own) {
    std::vector<ExprP> index, stride;
    for (ExprP axis = row; axis; axis = axis->c) {
      index.push_back(axis->c ? axis->a : own->a);
      stride.push_back(axis->b);
    }
    return x_.at(index, stride);
  }

  Exprs& x_;
  ExpandedKernel made_;
  Function& fn_;
  const PrivateArrays arrays_;
};

bool expand(Module& m, Writer& out, const Launch& plain, const Function& whole) {
  Exprs& x = out.x;
  Expansion made(x, whole);
  if (!made.run()) return false;
  Launch here = plain;
  ExprP guard = x.bool_const(true), bytes = x.int_const(0), rows = x.int_const(1);
  const ExprP most = x.int_const(most_expanded_bytes);
  for (ExprP& c : here.counts) {
    c = out.keep(c, "count");
    guard = x.both(guard, x.both(x.gt(c, x.int_const(0)), x.le(c, most)));
    rows = x.mul(rows, c);
  }
  for (const PrivateArray& a : made.arrays()) bytes = x.add(bytes, x.int_const(a.bytes));
  guard = out.temp(x.both(guard, x.le(rows, x.binary(Op::Div, most, bytes))), "expands");
  std::vector<Rows> arrays;
  for (const PrivateArray& a : made.arrays()) arrays.push_back({*a.type, x.int_const(a.bytes / scalar_bytes(*a.type))});
  launch_expanded(m, out, here, std::move(made.kernel()), "_rows", arrays, {}, guard);
  return true;
}

}  // namespace

void expand_arrays(Module& m, const PassOptions& options) {
  expand_launches(m, options,
                  [&](Writer& out, const Launch& n, const Function& kernel) { return expand(m, out, n, kernel); });
}

}  // namespace vr::lower
