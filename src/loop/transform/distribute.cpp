// distribute: parts of a kernel's serial loop become kernels of their own.
//
//   kernel [i] {                                   kernel [j, i] {
//     least = inf                                    s = 0; for k { s = s + abs(a[i, k] - b[j, k]) }
//     for j {                                        store part[i, j] = s
//       s = 0                                      }
//       for k { s = s + abs(a[i, k] - b[j, k]) }   kernel [i] {
//       if s < least { least = s; place = j }        least = inf
//     }                                              for j { s = part[i, j]; if s < least { ... } }
//     store c[i] = place                             store c[i] = place
//   }                                              }
//
//   kernel [i] {                                   kernel [j] { store part[j] = exp(j * w) }
//     for j { s = s + exp(j * w) * cos(i * j) }    kernel [i] { for j { s = s + part[j] * cos(i * j) } ... }
//     ...
//   }
#include "loop/transform/distribute.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/new_array.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <optional>

namespace vr::lower {

namespace {

constexpr int64_t most_bytes = int64_t{1} << 27;  // of the array of an inner loop's results
constexpr int64_t most_rows = 65535;              // of a launch's second dimension
constexpr int64_t fewest_trips = 32;              // of the serial loop, and of the inner loop
// Of the serial loop, if the kernel has iterations enough for the device (2^21 points, 64 others, 32 coordinates on an
// H200: 0.79 ms as one kernel, 5.9 in two).
constexpr int64_t fewest_long = 256, few_iterations = 1 << 13;
constexpr int64_t fewest_pairs = 1 << 14;  // iterations of the kernel of two dimensions
constexpr int64_t fewest_values = 16;      // that the kernel of one dimension computes
constexpr int64_t fewest_users = 1 << 12;  // iterations of the kernel that use each of them
constexpr size_t most_values = 4;          // arrays of such values

/// What the rest of the loop needs of the part that goes first.
struct Value {
  VarId var;  ///< a variable that the part assigns; none: an operand of the rest
  ExprP value;
  size_t user;  ///< the statement of the loop's body that has the operand
};
struct Distributed {
  size_t loop;  ///< the statement of the kernel's body
  Block part;   ///< for one iteration of the loop, with what it needs of the statements in front of the loop
  std::vector<Value> values;
  size_t statements = 0;  ///< of the loop's body that the rest does without; their other variables are not needed, or
  std::vector<size_t> again;    ///< these statements assign them again
  ExprP inner_trips = nullptr;  ///< of the part's loop; null: the part is the same in all iterations of the kernel
};

/// Finds what can go first.
class Search {
 public:
  /// tiles: whether the device gains from tiles of a kernel of two dimensions.
  Search(const Function& kernel, bool tiles)
      : kernel_(kernel), tiles_(tiles), dims_(kernel), times_(assignments(kernel.body)) {}

  std::optional<Distributed> run() {
    for (size_t k = 0; k < kernel_.body.size(); ++k) {
      auto* loop = std::get_if<CountedLoop>(&kernel_.body[k].node);
      if (!loop || !is_plain(*loop) || !is_int(loop->lo, 0)) continue;
      if (auto found = inner_loop(k, *loop)) return found;
      if (auto found = expensive_values(k, *loop)) return found;
    }
    return {};
  }

 private:
  /// Whether the value can be computed elsewhere from the same variables.
  bool is_pure(ExprP e) const {
    return !any_node(e, [&](ExprP n) { return n->kind == Expr::Kind::Load && !dims_.is_constant_load(n); });
  }
  /// Prepends the assignments in front of b[end] that the variables need to `made`, and replaces the variables by those
  /// that these need.
  bool needed(const Block& b, size_t end, std::set<VarId>& vars, Block& made) const {
    Block found;
    for (size_t k = end; k-- > 0;) {
      if (auto* n = std::get_if<SetVar>(&b[k].node)) {
        if (!vars.count(n->var)) continue;
        if (times_.at(n->var) != 1 || !is_pure(n->value)) return false;
        vars.erase(n->var);
        vars.merge(variables(n->value));
        found.push_back(b[k]);
        continue;
      }
      Block one;
      one.push_back(b[k]);
      for (const auto& [v, count] : assignments(one))
        if (vars.count(v)) return false;
    }
    std::reverse(found.begin(), found.end());
    found.insert(found.end(), std::move_iterator(made.begin()), std::move_iterator(made.end()));
    made = std::move(found);
    return true;
  }
  /// The same for an iteration of the loop at kernel_.body[at], and for what precedes the loop.
  bool complete(size_t at, size_t end, std::set<VarId>& vars, Block& made) const {
    const auto& loop = std::get<CountedLoop>(kernel_.body[at].node);
    if (!needed(loop.body, end, vars, made)) return false;
    vars.erase(loop.var);
    return needed(kernel_.body, at, vars, made) &&
           std::none_of(vars.begin(), vars.end(), [&](VarId v) { return times_.count(v) != 0; });
  }
  bool fits(VarId v) const {
    const Scalar type = kernel_.vars[static_cast<size_t>(v)].type;
    return type != Scalar::Ptr && scalar_bytes(type) >= 4;
  }

  // ---------------------------------------------------------------- an inner loop
  std::optional<Distributed> inner_loop(size_t at, const CountedLoop& loop) const {
    if (kernel_.dims.size() != 1 || !tiles_) return {};
    const auto inner = std::find_if(loop.body.begin(), loop.body.end(),
                                    [](const Stmt& s) { return std::holds_alternative<CountedLoop>(s.node); });
    if (inner == loop.body.end()) return {};
    const auto& n = std::get<CountedLoop>(inner->node);
    if (!is_plain(n) || !is_leaf(n) || !is_int(n.lo, 0)) return {};
    Block part(loop.body.begin(), inner + 1), rest(inner + 1, loop.body.end());
    const auto simple = [](const Stmt& s) {
      return std::holds_alternative<SetVar>(s.node) || std::holds_alternative<AliasGroup>(s.node);
    };
    if (!std::all_of(part.begin(), part.end() - 1, simple) || !std::all_of(n.body.begin(), n.body.end(), simple))
      return {};
    Distributed r{at, {}, {}, part.size(), {}, n.hi};
    const auto own = assignments(part);
    const auto carried = read_before_assigned(kernel_, loop.body);
    const UsedOutside outside(kernel_, kernel_.body, loop);
    for (const auto& [v, count] : own) {
      if (carried.count(v)) return {};
      if (outside(v)) return {};
    }
    bool pure = true;
    any_statement(part, [&](const Stmt& s) {
      each_expr(s, [&](ExprP e) { pure = pure && is_pure(e); });
      return !pure;
    });
    if (!pure) return {};
    std::set<VarId> vars = variables(part);
    for (const auto& [v, count] : own) vars.erase(v);
    // Those that another iteration assigns are assigned in front of the loop, too, so more than once.
    if (!complete(at, 0, vars, r.part)) return {};
    r.part.insert(r.part.end(), part.begin(), part.end());
    // What the rest uses: computed again if that takes no loads, else stored.
    std::set<VarId> used;
    for (const auto& [v, count] : own)
      if (mentions(rest, v)) used.insert(v);
    for (size_t k = part.size() - 1; k-- > 0;) {
      auto* set = std::get_if<SetVar>(&part[k].node);
      if (!set || !used.count(set->var) || times_.at(set->var) != 1 || lower::loads(set->value)) continue;
      // The rest knows the values at the part's end.
      const auto later = assignments(Block(part.begin() + static_cast<std::ptrdiff_t>(k) + 1, part.end()));
      const std::set<VarId> operands = variables(set->value);
      if (std::any_of(operands.begin(), operands.end(), [&](VarId v) { return later.count(v) != 0; })) continue;
      used.erase(set->var);
      for (VarId v : operands)
        if (own.count(v)) used.insert(v);
      r.again.push_back(k);
    }
    std::reverse(r.again.begin(), r.again.end());
    for (VarId v : used) {
      if (!fits(v)) return {};
      r.values.push_back({v, nullptr, 0});
    }
    if (r.values.size() != 1 || !shares_loads(loop, n)) return {};
    return r;
  }
  /// Whether the loop loads elements that differ along the kernel's dimension alone, and along the serial loop alone.
  bool shares_loads(const CountedLoop& loop, const CountedLoop& inner) const {
    Function both = kernel_;
    both.dims.insert(both.dims.begin(), loop.var);
    both.body = loop.body;
    both.body.insert(both.body.begin(), kernel_.body.begin(),
                     std::find_if(kernel_.body.begin(), kernel_.body.end(),
                                  [&](const Stmt& s) { return std::get_if<CountedLoop>(&s.node) == &loop; }));
    const DimDependence dims(both);
    bool along[4] = {};
    any_statement(inner.body, [&](const Stmt& s) {
      each_expr(s, [&](ExprP e) {
        any_node(e, [&](ExprP n) {
          if (n->kind == Expr::Kind::Load) along[dims.of(n) & 3] = true;
          return false;
        });
      });
      return false;
    });
    return along[1] && along[2] && !along[3];
  }

  // ---------------------------------------------------------------- expensive values
  bool is_expensive(ExprP e) const {
    return any_node(e, [&](ExprP n) {
      if (n->kind != Expr::Kind::Math) return false;
      switch (n->fn) {
        case MathFn::Sqrt:
        case MathFn::Fabs:
        case MathFn::Floor:
        case MathFn::Ceil:
        case MathFn::Round:
        case MathFn::Rint:
        case MathFn::Trunc:
        case MathFn::Copysign:
          return false;
        case MathFn::Pow:
          return true;
        default:
          // The device's approximations of float32 take as long as a load.
          return n->type == Scalar::Float64 || kernel_.fast_math != ir::fastmath::All;
      }
    });
  }
  std::optional<Distributed> expensive_values(size_t at, const CountedLoop& loop) const {
    Distributed r{at, {}, {}, 0, {}, nullptr};
    for (size_t k = 0; k < loop.body.size() && r.values.size() < most_values; ++k) {
      const Stmt& s = loop.body[k];
      if (!std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node)) continue;
      each_expr(s, [&](ExprP e) { find(at, k, e, true, r); });
    }
    if (r.values.empty()) return {};
    return r;
  }
  /// certain: the expression is evaluated in each iteration.
  void find(size_t at, size_t user, ExprP e, bool certain, Distributed& r) const {
    if (!e || r.values.size() >= most_values || !is_expensive(e)) return;
    if (dims_.of(e) == 0 && scalar_bytes(e->type) >= 4 && is_pure(e) && (certain || !lower::loads(e))) {
      std::set<VarId> vars = variables(e);
      Block made;
      if (complete(at, user, vars, made) && depends_on_iteration(at, made, e)) {
        for (Stmt& s : made)
          if (std::none_of(r.part.begin(), r.part.end(),
                           [&](const Stmt& t) { return std::get<SetVar>(t.node).var == std::get<SetVar>(s.node).var; }))
            r.part.push_back(std::move(s));
        r.values.push_back({none, e, user});
        return;
      }
    }
    const bool choice = skips_operands(e);
    find(at, user, e->a, certain, r);
    find(at, user, e->b, certain && !choice, r);
    find(at, user, e->c, certain && !choice, r);
  }
  bool depends_on_iteration(size_t at, const Block& made, ExprP e) const {
    const VarId v = std::get<CountedLoop>(kernel_.body[at].node).var;
    return mentions(e, v) || mentions(made, v);
  }

  const Function& kernel_;
  const bool tiles_;
  const DimDependence dims_;
  const std::map<VarId, int> times_;
};

/// Writes the kernels and their launches.
class Distribute {
 public:
  Distribute(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    if (!frees_device_arrays(out_.fn)) return;
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  const Function& kernel(const Launch& n) const { return *m_.functions[static_cast<size_t>(n.kernel)]; }
  bool launch(const Launch& plain) {
    const Function& whole = kernel(plain);
    if (!whole.disjoint || whole.points != 1 || !whole.folds.empty() || !whole.rows.empty() || whole.dims.size() > 3)
      return false;
    // Another version of the same kernel is for what is rare.
    const int32_t original = whole.form_of == none ? plain.kernel : whole.form_of;
    if (done_.count(original)) return false;
    const auto found = Search(whole, options_.local_bytes > 0).run();
    if (!found) return false;
    const auto& loop = std::get<CountedLoop>(whole.body[found->loop].node);
    const size_t vars = out_.fn.vars.size();
    bool written = false;
    Block made = out_.collect([&] {
      LaunchIntervals at(out_);
      at.inputs(whole, plain.args);
      at.single_values(whole);
      const ExprP trips = at.host(loop.hi), inner = found->inner_trips ? at.host(found->inner_trips) : nullptr;
      written = trips && (inner || !found->inner_trips) && write(plain, whole, *found, trips, inner);
    });
    if (!written) {
      out_.fn.vars.resize(vars);
      return false;
    }
    done_.insert(original);
    out_.append(std::move(made));
    return true;
  }

  bool write(const Launch& plain, const Function& whole, const Distributed& d, ExprP trips, ExprP inner) {
    const bool always = options_.tiles == 1;
    trips = out_.keep(trips, "trips");
    Launch here = plain;
    ExprP iterations = x_.int_const(1);
    for (ExprP& c : here.counts) {
      c = out_.keep(c, "count");
      iterations = x_.mul(iterations, x_.min(c, x_.int_const(fewest_users)));
    }
    // The array's rows are shorter than 2^31 bytes, as those of the kernels' other arrays are.
    constexpr int64_t widest = 8;
    ExprP guard =
        x_.both(x_.gt(here.counts[0], x_.int_const(0)),
                x_.both(x_.gt(trips, x_.int_const(0)), x_.lt(trips, x_.int_const((int64_t{1} << 31) / widest))));
    if (!always && inner) {
      guard =
          x_.both(guard, x_.both(x_.ge(trips, x_.int_const(fewest_trips)), x_.ge(inner, x_.int_const(fewest_trips))));
      guard = x_.both(guard, x_.either(x_.ge(trips, x_.int_const(fewest_long)),
                                       x_.le(here.counts[0], x_.int_const(few_iterations))));
      guard = x_.both(
          guard, x_.ge(x_.mul(x_.min(here.counts[0], x_.int_const(fewest_pairs)), trips), x_.int_const(fewest_pairs)));
    } else if (!always) {
      guard = x_.both(
          guard, x_.both(x_.ge(trips, x_.int_const(fewest_values)), x_.ge(iterations, x_.int_const(fewest_users))));
    }
    if (is_false(guard)) return false;
    Block launches = out_.collect([&] { inner ? strips(here, whole, d, trips) : values(here, whole, d, trips); });
    Block as_it_was;
    as_it_was.push_back({std::move(here), out_.place});
    out_.emit(If{guard, std::move(launches), std::move(as_it_was)});
    return true;
  }

  // ---------------------------------------------------------------- the kernels
  /// The kernel of the part: one more dimension, in front of `dims`.
  Function part_of(const Function& whole, const Distributed& d, std::vector<VarId> dims) {
    Function f = whole;
    f.form_of = f.on_host = none;
    f.body = d.part;
    f.dims = {std::get<CountedLoop>(whole.body[d.loop].node).var};
    f.dims.insert(f.dims.end(), dims.begin(), dims.end());
    for (Param& p : f.params) p.written = p.fresh = false;
    return f;
  }
  Function rest_of(const Function& whole, const Distributed& d) {
    Function f = whole;
    f.form_of = f.on_host = none;
    auto& loop = std::get<CountedLoop>(f.body[d.loop].node);
    Block body;
    for (size_t k : d.again) body.push_back(loop.body[k]);
    body.insert(body.end(), loop.body.begin() + static_cast<std::ptrdiff_t>(d.statements), loop.body.end());
    loop.body = std::move(body);
    return f;
  }
  Scalar type_of(const Function& f, const Value& v) const {
    return v.value ? v.value->type : f.vars[static_cast<size_t>(v.var)].type;
  }
  std::string name_of(const Function& f, const Value& v) const {
    return v.value ? "value" : f.vars[static_cast<size_t>(v.var)].name;
  }
  int32_t add(Function made, const Function& whole, const char* suffix) {
    return add_kernel(m_, std::move(made), whole.name + suffix);
  }

  /// A part of two dimensions, and the rest, for some iterations of the kernel at a time.
  void strips(const Launch& here, const Function& whole, const Distributed& d, ExprP trips) {
    const Value& v = d.values[0];
    const Scalar type = type_of(whole, v);
    const VarId point = whole.dims[0];
    Function part = part_of(whole, d, {point}), rest = rest_of(whole, d);
    const std::string name = name_of(whole, v) + ".part";
    const auto in_strip = [&](Function& f, size_t dim) {
      Writer out(x_, f);
      const VarId first = out.new_var("first", Scalar::Int64),
                  row = out.new_var(f.vars[static_cast<size_t>(point)].name + ".row", Scalar::Int64);
      f.dims[dim] = row;
      if (f.narrow.erase(point)) f.narrow.insert(row);
      f.body.insert(f.body.begin(),
                    Stmt{SetVar{point, x_.add(x_.var(first, Scalar::Int64), x_.var(row, Scalar::Int64))}, none});
      return std::pair(first, x_.var(row, Scalar::Int64));
    };
    const ExprP column = x_.var(part.dims[0], Scalar::Int64);
    const auto [part_first, part_row] = in_strip(part, 1);
    const Element to = add_array_param(x_, part, name, type, {part_row, column}, true);
    part.body.push_back({Store{to.base, to.at, x_.var(v.var, type)}, none});
    const auto [rest_first, rest_row] = in_strip(rest, 0);
    const Element from = add_array_param(x_, rest, name, type, {rest_row, column}, false);
    // The loop has moved: a statement is in front of it.
    auto& loop = std::get<CountedLoop>(rest.body[d.loop + 1].node);
    loop.body.insert(loop.body.begin(), Stmt{SetVar{v.var, x_.load(type, from.base, from.at)}, none});
    const auto number = [](Function& f, VarId var) {
      Param p;
      p.var = var;
      f.params.push_back(p);
    };
    number(part, part_first);
    number(rest, rest_first);

    const ExprP all = here.counts[0];
    const ExprP room = out_.temp(x_.binary(Op::Div, x_.int_const(most_bytes / scalar_bytes(type)), trips), "room");
    const ExprP most = out_.temp(x_.min(x_.max(room, x_.int_const(1)), x_.int_const(most_rows)), "most");
    const ExprP rows = out_.temp(x_.min(all, most), "rows");
    const ArrayId array = new_array(out_, here.site, name, type, {rows, trips});
    const VarId turn = out_.new_var("strip", Scalar::Int64);
    CountedLoop turns{turn,
                      x_.int_const(0),
                      out_.temp(x_.binary(Op::Div, x_.add(all, x_.sub(rows, x_.int_const(1))), rows), "strips"),
                      {}};
    turns.site = here.site;
    Launch one = here, other = here;
    one.kernel = add(std::move(part), whole, "_part");
    other.kernel = add(std::move(rest), whole, "_rest");
    turns.body = out_.collect([&] {
      const VarId first = out_.new_var("first", Scalar::Int64);
      out_.set(first, x_.mul(x_.var(turn, Scalar::Int64), rows));
      const ExprP count = out_.temp(x_.min(rows, x_.sub(all, x_.var(first, Scalar::Int64))), "count");
      one.counts = {trips, count};
      other.counts = {count};
      for (Launch* n : {&one, &other}) {
        n->args.push_back({none, none, array});
        n->args.push_back({first, none, none});
        out_.emit(*n);
      }
    });
    out_.emit(std::move(turns));
    free_array(out_, array);
  }

  /// A part of one dimension, and the rest.
  void values(const Launch& here, const Function& whole, const Distributed& d, ExprP trips) {
    Function part = part_of(whole, d, {}), rest = rest_of(whole, d);
    auto& loop = std::get<CountedLoop>(rest.body[d.loop].node);
    const ExprP index = x_.var(loop.var, Scalar::Int64);
    Launch one = here, other = here;
    one.counts = {trips};
    std::vector<ArrayId> arrays;
    for (const Value& v : d.values) {
      const std::string name = name_of(whole, v) + ".part";
      const Element to = add_array_param(x_, part, name, v.value->type, {index}, true);
      part.body.push_back({Store{to.base, to.at, v.value}, none});
      const Element from = add_array_param(x_, rest, name, v.value->type, {index}, false);
      const ExprP element = x_.load(v.value->type, from.base, from.at);
      each_expr_of(loop.body[v.user], [&](ExprP& e) { e = replaced(x_, e, v.value, element); });
      arrays.push_back(new_array(out_, here.site, name, v.value->type, {trips}));
      for (Launch* n : {&one, &other}) n->args.push_back({none, none, arrays.back()});
    }
    one.kernel = add(std::move(part), whole, "_part");
    other.kernel = add(std::move(rest), whole, "_rest");
    out_.emit(std::move(one));
    out_.emit(std::move(other));
    for (ArrayId a : arrays) free_array(out_, a);
  }
  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
  std::set<int32_t> done_;  ///< the kernels of which a version has been distributed
};

}  // namespace

void distribute(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.tiles == 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { Distribute(m, x, f, options).run(); });
}

}  // namespace vr::lower
