// stage: rows of arrays go through local memory.
//
//   for k in [0, n) {                  row r at f32 a[i, 0]
//     s = s + a[i, k]                  row load r from 0 count min(n, 128)
//   }                                  for t in [0, n / 128) {
//                                        row wait r
//                                        row load r from (t + 1) * 128 count min(n - (t + 1) * 128, 128)
//                                        for c in [0, 128) { s = s + r[c] }
//                                      }
//                                      row wait r
//                                      for c in [0, n % 128) { s = s + r[c] }
//
// A team is the group of work-items that run one iteration of the domain. One work-item of a team adds up the elements
// (`solo`); all of them move elements. The part of an iteration that does not depend on other iterations becomes a loop
// of its own, which all work-items run; its values are passed on in a further row:
//
//     s = s + exp(a[i, k] - m)           for c in [0, 128) spread [m] { value[c] = exp(r[c] - m) }
//                                        for c in [0, 128) { s = s + value[c] }
//
// If all iterations of the loop are independent, none of this is needed: the loop is spread over the work-items of the
// group, so that neighbours run consecutive iterations.
//
//   for k in [0, n) {                  for k in [0, n) spread [m] {
//     store f32 b[i, k] = a[i, k] - m    store f32 b[i, k] = a[i, k] - m
//   }                                  }
//
// Work-items that each walk along a row of their own access addresses a row apart. When a group's work-items load rows
// for each other, neighbours load neighbouring elements, and all loads of one part are outstanding while the group
// computes with the part before. Rows that all work-items have in common (a vector by which each row is multiplied) go
// the same way: their loads would otherwise wait behind those of the next part.
//
// Work-items that each walk down a column of their own already load neighbouring elements, but a launch with few
// columns has too few loads outstanding. There the rows are *across* those of the array, and the team's work-items load
// different elements of a column.
#include "loop/transform/stage.hpp"

#include "loop/analysis/barriers.hpp"
#include "loop/analysis/independent_part.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/analysis/runs.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/analysis/used_outside.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

// of 4 bytes: elements that a work-item holds in registers while they are loaded
constexpr int64_t most_registers = 64;
constexpr int64_t most_length = 128;      // of a part
constexpr size_t most_rows = 4;           // rows of a loop, not counting common ones
constexpr size_t most_own = 16;           // variables of a spread loop
constexpr int32_t spread_unroll = 8;
constexpr int64_t fewest_operations = 8;  // operations of an iteration that justify a loop of their own
constexpr size_t most_values = 3;         // values that such a loop passes on to the rest of the iteration
// Iterations of a loop. Sums of 2^20 rows of 64 elements are 1.27 times as fast without rows (H100).
constexpr int64_t fewest_spread = 64, fewest_staged = 128;
// Iterations of a launch up to which columns go through local memory: larger launches have enough loads outstanding
// themselves.
constexpr int64_t most_columns = int64_t{1} << 15;
// of the inputs of loop bounds that must not wrap
constexpr int64_t most_small = int64_t{1} << 24;

/// Leaves work that not all work-items of a team must do to one of them.
class Solos {
 public:
  Solos(Function& kernel, const DimDependence& dims, size_t known) : fn_(kernel), dims_(dims), known_(known) {}

  /// Whether that is possible: nothing that all work-items do may depend on a value that only one of them computes.
  bool run() {
    block(fn_.body);
    return std::none_of(shared_.begin(), shared_.end(), [&](VarId v) { return alone_.count(v); });
  }

 private:
  static bool is_step(const Stmt& s) {
    auto* n = std::get_if<CountedLoop>(&s.node);
    return (n && n->spread) || std::holds_alternative<RowAt>(s.node) || std::holds_alternative<RowLoad>(s.node) ||
           std::holds_alternative<RowWait>(s.node) || std::holds_alternative<RowStore>(s.node);
  }

  void block(Block& b) {
    Block all;
    Solo alone;
    const auto end = [&] {
      if (!alone.body.empty()) all.push_back({std::exchange(alone, {}), none});
    };
    for (Stmt& s : b) {
      auto* set = std::get_if<SetVar>(&s.node);
      auto* loop = std::get_if<CountedLoop>(&s.node);
      const bool around = loop && !loop->spread && any_statement(loop->body, is_step);
      if (set && is_uniform(set->value)) {
        if (static_cast<size_t>(set->var) >= known_) uniform_.insert(set->var);
        uses(set->value);
        early(all, alone, s);
        continue;
      }
      if (!is_step(s) && !around) {
        any_statement({s}, [&](const Stmt& part) {
          each_assigned(fn_, part, [&](VarId v) { alone_.insert(v); });
          return false;
        });
        alone.body.push_back(std::move(s));
        continue;
      }
      end();
      step(s);
      if (around) {
        uniform_.insert(loop->var);
        block(loop->body);
      }
      all.push_back(std::move(s));
    }
    end();
    b = std::move(all);
  }

  /// A uniform assignment goes before the statements that were collected, unless one of them uses the variable.
  void early(Block& all, Solo& alone, Stmt& s) {
    const VarId v = std::get<SetVar>(s.node).var;
    const bool moves = std::none_of(alone.body.begin(), alone.body.end(), [&](const Stmt& before) {
      return mentions({before}, v) || assignments({before}).count(v);
    });
    if (!moves && !alone.body.empty()) all.push_back({std::exchange(alone, {}), none});
    all.push_back(std::move(s));
  }

  void uses(ExprP e) {
    if (e) shared_.merge(variables(e));
  }
  void step(const Stmt& s) {
    if (auto* at = std::get_if<RowAt>(&s.node)) {
      uses(at->base);
      if (fn_.rows[static_cast<size_t>(at->row)].common) uses(at->offset);
      return;
    }
    each_expr(s, [&](ExprP e) { uses(e); });
    auto* loop = std::get_if<CountedLoop>(&s.node);
    if (!loop || !loop->spread) return;
    const auto changed = assignments(loop->body);
    any_statement(loop->body, [&](const Stmt& part) {
      each_expr(part, [&](ExprP e) {
        for (VarId v : variables(e))
          if (!changed.count(v) && std::find(loop->own.begin(), loop->own.end(), v) == loop->own.end()) shared_.insert(v);
      });
      return false;
    });
  }

  bool is_uniform(ExprP e) const {
    if (!e) return true;
    if (e->kind == Expr::Kind::Load && !dims_.is_constant_load(e)) return false;
    if (e->kind == Expr::Kind::Var && static_cast<size_t>(e->var) >= known_) return uniform_.count(e->var) != 0;
    if (e->kind == Expr::Kind::Var) return dims_.of(e->var) == 0 && !alone_.count(e->var);
    return is_uniform(e->a) && is_uniform(e->b) && is_uniform(e->c);
  }

  Function& fn_;
  const DimDependence& dims_;
  const size_t known_;
  std::set<VarId> uniform_;  ///< of the variables that `dims_` does not know
  std::set<VarId> shared_;   ///< used by all work-items
  std::set<VarId> alone_;    ///< assigned by one
};

/// A loop that was staged or spread, its trip count and the fewest with which that pays.
struct StagedLoop {
  ExprP trips;
  int64_t fewest;
  bool columns = false;        ///< all its rows are across: it pays if the launch has few iterations
  std::set<VarId> small = {};  ///< EqualCount::small
};

/// Changes a copy of a kernel.
class Staging {
 public:
  /// team: the number of work-items for each iteration.
  Staging(Exprs& x, Function& kernel, int64_t local_bytes, int32_t team)
      : x_(x),
        out_(x, kernel),
        values_(kernel, true),
        dims_(kernel),
        known_(kernel.vars.size()),
        original_(kernel),
        local_bytes_(local_bytes),
        team_(team) {
    for (const Param& p : kernel.params)
      if (p.array != none && p.written) written_.insert(kernel.arrays[static_cast<size_t>(p.array)].data);
  }

  /// Empty if the kernel is not to be used.
  std::vector<StagedLoop> run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body, Polynomials(original_)); });
    if (counts_.empty()) return {};
    out_.fn.team = team_;
    if (team_ > 1 && !Solos(out_.fn, dims_, known_).run()) return {};
    return counts_;
  }

 private:
  /// Statements that all work-items execute together.
  void block(Block& b, Polynomials values) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n) {
        values.execute(s);
        out_.block->push_back(std::move(s));
        continue;
      }
      Polynomials before = values;
      values.execute(s);
      bool together = true;
      each_expr(s, [&](ExprP e) { together = together && dims_.of(e) == 0; });
      if (!has<CountedLoop>(n->body)) {
        const auto count = together ? std::nullopt : equal_count(x_, original_, *n, before);
        if (count) n->hi = count->trips;
        if (together || count) {
          const size_t first = counts_.size();
          loop(*n);
          for (size_t k = first; count && k < counts_.size(); ++k) counts_[k].small = count->small;
          continue;
        }
      }
      // Not under conditions: PoCL 3.1 does not compile barriers there correctly.
      if (together) {
        const auto changed = assignments(n->body);
        std::set<VarId> changing{n->var};
        for (const auto& entry : changed) changing.insert(entry.first);
        const Restore<const std::set<VarId>*> around(around_, &changing);
        n->body = out_.collect([&] { block(n->body, before.inside(s)); });
      }
      out_.block->push_back(std::move(s));
    }
  }

  /// Whether an address depends on dims[0], or on all dimensions. Variables that were made in the meantime are not
  /// known to the analysis.
  bool depends(const Run& r, DimSet on) const {
    DimSet dims = dims_of(dims_, r);
    for (const Linear& i : r.index)
      for (VarId v : variables(i.base))
        if (static_cast<size_t>(v) >= known_) dims |= 1;
    return (dims & on) == on;
  }

  static bool changes(const Run& r, const std::set<VarId>& changing) {
    return std::any_of(r.index.begin(), r.index.end(), [&](const Linear& i) {
      const auto used = variables(i.base);
      return std::any_of(used.begin(), used.end(), [&](VarId v) { return changing.count(v) != 0; });
    });
  }

  void loop(CountedLoop& n) {
    const bool few = n.lo->kind == Expr::Kind::IntConst && n.hi->kind == Expr::Kind::IntConst &&
                     n.hi->ival - n.lo->ival < fewest_spread;
    if (few || n.unroll || (!changed(n, RunKinds::Any) && !changed(n, RunKinds::Aligned))) out_.emit(std::move(n));
  }
  /// Emits the loop in a form for the group, unless none of its runs can become a row.
  bool changed(CountedLoop& n, RunKinds kinds) {
    std::optional<Runs> found;
    Block before = out_.collect([&] { found.emplace(out_, values_, n, kinds); });
    const bool columns = std::any_of(found->runs.begin(), found->runs.end(), [](const Run& r) { return r.step; });
    if (!found->fits || (columns && !gains_by_columns(n, *found))) return false;
    if (spreads(n, *found)) {
      counts_.push_back({trips(n), fewest_spread});
      n.spread = true;
      n.unroll = spread_unroll;
      out_.emit(std::move(n));
      return true;
    }
    // A sum that one work-item of a team computes is computed by all of them.
    std::optional<IndependentPart> part;
    if (team_ > 1 && choose_part(n, *found, part) && choose(*found, &*part)) {
      out_.append(std::move(before));
      emit(n, *found, &*part);
      return true;
    }
    own_.clear();
    if (!choose(*found, nullptr)) return false;
    out_.append(std::move(before));
    emit(n, *found, nullptr);
    return true;
  }
  /// Loops that store have loads outstanding from one iteration to the next without rows.
  bool gains_by_columns(const CountedLoop& n, const Runs& found) {
    return !has<Store>(n.body) && std::all_of(found.runs.begin(), found.runs.end(), [&](const Run& r) {
      return !r.step || is_column(x_, original_, dims_, r);
    });
  }
  /// Whether it pays to compute the independent part of the iterations before the rest; fills own_.
  bool choose_part(const CountedLoop& n, const Runs& found, std::optional<IndependentPart>& part) {
    part.emplace(out_.fn, original_.body, n, found, dims_);
    if (!part->fits() || part->work() < fewest_operations || part->values().size() > most_values) return false;
    own_ = own_variables(part->inputs());
    return are_held(own_);
  }
  /// The runs whose elements differ between the iterations of the kernel's domain.
  std::vector<VarId> own_variables(const std::set<VarId>& used) const {
    std::vector<VarId> own;
    for (VarId v : used)
      if (v != out_.fn.dims[0] && (dims_.of(v) & 1) != 0) own.push_back(v);
    return own;
  }
  bool are_held(const std::vector<VarId>& own) const {
    return own.size() <= most_own && std::all_of(own.begin(), own.end(), [&](VarId v) {
             return out_.fn.vars[static_cast<size_t>(v)].type != Scalar::Ptr;
           });
  }
  ExprP trips(const CountedLoop& n) { return x_.select(x_.gt(n.hi, n.lo), x_.sub(n.hi, n.lo), x_.int_const(0)); }

  /// Whether the loop's iterations are independent and access consecutive elements; fills CountedLoop::own.
  bool spreads(CountedLoop& n, Runs& found) {
    // A value that an iteration assigns is used only later in the same iteration.
    const auto changed = assignments(n.body);
    std::set<VarId> assigned, used;
    bool fits = true;
    const auto uses = [&](ExprP e) {
      for (VarId v : variables(e)) {
        if (changed.count(v) && !assigned.count(v)) fits = false;
        if (!changed.count(v) && v != n.var) used.insert(v);
      }
    };
    const std::function<void(const Block&)> walk = [&](const Block& b) {
      for (const Stmt& s : b) {
        each_expr(s, uses);
        each_assigned(out_.fn, s, [&](VarId v) { assigned.insert(v); });
        const std::set<VarId> before = assigned;
        for (const Block* p : parts(s)) walk(*p), assigned = before;  // perhaps not run
      }
    };
    walk(n.body);
    const UsedOutside outside(out_.fn, original_.body, n);
    for (const auto& [v, times] : changed) fits = fits && !outside(v);
    fits = fits && !outside(n.var);
    if (!fits || !has<Store>(n.body)) return false;
    // Each array that is stored is accessed at one place of a row, which differs between iterations.
    std::map<VarId, ExprP> stored;
    const auto at_one_place = [&](ExprP base, ExprP offset, Scalar type) {
      if (base->kind != Expr::Kind::Var) return false;
      const auto [it, first] = stored.emplace(base->var, offset);
      if (!first) return same(it->second, offset);
      for (VarId v : variables(offset))
        if (const auto c = changed.find(v); c != changed.end() && c->second > 1) return false;
      const auto run = found.elements_of(base, offset, type);
      return run && !run->step && depends(*run, 1);
    };
    any_statement(n.body, [&](const Stmt& s) {
      if (auto* store = std::get_if<Store>(&s.node)) fits = fits && at_one_place(store->base, store->offset, store->value->type);
      return !fits;
    });
    const std::function<void(const Stmt&, ExprP)> loads = [&](const Stmt& s, ExprP e) {
      if (!e || !fits) return;
      if (e->kind == Expr::Kind::Load) {
        const bool own = e->a->kind == Expr::Kind::Var && written_.count(e->a->var) != 0;
        fits = own ? stored.count(e->a->var) && at_one_place(e->a, e->b, e->type)
                   : found.is_uniform(e) || has_unit_stride(found, s, e);
      }
      for (ExprP part : {e->a, e->b, e->c}) loads(s, part);
    };
    any_statement(n.body, [&](const Stmt& s) {
      each_expr(s, [&](ExprP e) { loads(s, e); });
      return !fits;
    });
    if (!fits) return false;
    n.own = own_variables(used);
    const bool held = are_held(n.own);
    if (!held) n.own.clear();
    return held;
  }
  static bool has_unit_stride(const Runs& found, const Stmt& s, ExprP load) {
    const auto run = found.of.find({&s, load});
    return run != found.of.end() && !found.runs[run->second].step;
  }

  /// Decides which runs become rows, and of which length.
  bool choose(const Runs& found, const IndependentPart* part) {
    chosen_.clear();
    const DimSet all = (DimSet{1} << out_.fn.dims.size()) - 1;
    size_t own = 0;
    int64_t loaded = 0, own_bytes = 0, common_bytes = 0;
    for (size_t k = 0; k < found.runs.size(); ++k) {
      const Run& r = found.runs[k];
      const bool common = !depends(r, 1);
      if (common && (r.store || r.step)) return false;
      // Where work-items of another dimension share the row, tiles of several iterations gain more; and where a loop
      // around this one would load the same rows again.
      if (!common && (!depends(r, all) || (around_ && !changes(r, *around_)))) return false;
      // The rows of a window overlap: neighbouring work-items load neighbouring elements in any case.
      if (!common && !r.step && is_column(x_, original_, dims_, r)) return false;
      chosen_.push_back({k, common, none});
      own += !common;
      const int64_t bytes = scalar_bytes(r.type);
      (common ? common_bytes : own_bytes) += bytes;
      if (!common && !r.store) loaded += bytes;
    }
    if (own == 0) return false;
    if (part)
      for (const IndependentPart::Value& v : part->values()) own_bytes += scalar_bytes(v.value->type), ++own;
    if (own > most_rows || chosen_.size() > 2 * most_rows) return false;
    for (length_ = most_length; length_ >= row_group; length_ /= 2) {
      const int64_t registers = loaded * length_ / team_ / 4;
      const int64_t bytes = (length_ + 1) * (own_bytes * row_group + common_bytes) + (out_.fn.rows.size() + chosen_.size() + most_values) * (8 * row_group + 8);
      if (registers <= most_registers && bytes <= local_bytes_) return true;
    }
    return false;
  }

  void emit(CountedLoop& n, const Runs& found, const IndependentPart* separate) {
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    const auto changed = assignments(n.body);
    const auto fixed = [&](ExprP e, const char* end) {
      return is_const(e) || (e->kind == Expr::Kind::Var && !changed.count(e->var)) ? e : temp(e, name + end);
    };
    const ExprP lo = fixed(n.lo, ".lo"), hi = fixed(n.hi, ".hi"), zero = x_.int_const(0), length = x_.int_const(length_);
    // Each iteration accesses an element of a row: there are as few as a row has elements, and the difference cannot overflow.
    const ExprP count = temp(x_.select(x_.gt(hi, lo), x_.sub(hi, lo), zero), name + ".count");
    counts_.push_back({trips(n), fewest_staged, std::all_of(chosen_.begin(), chosen_.end(), [&](const Chosen& c) {
                         return c.common || found.runs[c.run].step;
                       })});
    declare(found, separate);
    RowWait wait;
    for (const Chosen& c : chosen_) {
      const Run& r = found.runs[c.run];
      out_.emit(RowAt{c.row, x_.var(r.data, Scalar::Ptr), Runs::at(x_, r, lo),
                      r.step ? out_.keep(r.step, (name + ".step").c_str()) : nullptr});
      if (!r.store) wait.rows.push_back(c.row);
    }
    const auto load = [&](ExprP first) {
      if (wait.rows.empty()) return;
      const ExprP some = temp(x_.min(x_.sub(count, first), length), name + ".next");
      for (int32_t row : wait.rows) out_.emit(RowLoad{row, first, some});
    };
    load(zero);
    const ExprP parts = temp(x_.binary(Op::Div, count, length), name + ".parts");
    const auto part = [&](ExprP first, ExprP some, bool more) {
      if (!wait.rows.empty()) out_.emit(RowWait(wait));
      if (more) load(temp(x_.add(first, length), name + ".then"));
      const auto turns = [&](const char* end, int32_t unroll, auto&& body) {
        CountedLoop inner = n;
        inner.var = new_var(name + end);
        inner.lo = zero;
        inner.hi = some;
        inner.unroll = unroll;
        inner.body = out_.collect([&] { body(x_.var(inner.var, Scalar::Int64)); });
        return inner;
      };
      if (separate) {
        CountedLoop all = turns(".m", spread_unroll, [&](ExprP m) { independent(n, found, *separate, x_.add(lo, first), m); });
        all.spread = true;
        all.own = own_;
        out_.emit(std::move(all));
      }
      out_.emit(turns(".c", more ? unroll(n.body) : 0, [&](ExprP c) { turn(n, found, separate, x_.add(lo, first), c); }));
      for (const Chosen& c : chosen_)
        if (found.runs[c.run].store) out_.emit(RowStore{c.row, first, some});
    };
    CountedLoop whole = n;
    whole.var = new_var(name + ".part");
    whole.lo = zero;
    whole.hi = parts;
    whole.body = out_.collect([&] { part(temp(x_.mul(x_.var(whole.var, Scalar::Int64), length), name + ".first"), length, true); });
    out_.emit(std::move(whole));
    // Not under a condition, because of PoCL.
    const ExprP rest = temp(x_.mul(parts, length), name + ".rest");
    part(rest, temp(x_.sub(count, rest), name + ".some"), false);
  }

  /// Places the chosen runs one after another in the group's memory, which loops before and after use as well.
  void declare(const Runs& found, const IndependentPart* separate) {
    int32_t at = 0;
    const auto add = [&](const std::string& name, Scalar type, bool common, bool across = false) {
      const Row row{out_.new_var(name + ".row", Scalar::Ptr), type, static_cast<int32_t>(length_), common, at, across};
      out_.fn.rows.push_back(row);
      at += (row_bytes(row) + 7) / 8 * 8;
      return static_cast<int32_t>(out_.fn.rows.size()) - 1;
    };
    for (Chosen& c : chosen_) {
      const Run& r = found.runs[c.run];
      c.row = add(array_name(r.data), r.type, c.common, r.step != nullptr);
    }
    value_rows_.clear();
    if (separate)
      for (const IndependentPart::Value& v : separate->values()) value_rows_.push_back(add("value", v.value->type, false));
  }
  std::string array_name(VarId data) const {
    for (const ArrayVars& a : out_.fn.arrays)
      if (a.data == data) return a.name;
    return out_.fn.vars[static_cast<size_t>(data)].name;
  }

  static int32_t unroll(const Block& body) {
    const int64_t size = nodes(body);
    return size <= 24 ? 32 : size <= 100 ? 8 : size <= 400 ? 2 : 0;
  }

  ExprP row(int32_t id) { return x_.var(out_.fn.rows[static_cast<size_t>(id)].data, Scalar::Ptr); }
  ExprP row_of_run(size_t run) {
    return row(std::find_if(chosen_.begin(), chosen_.end(), [&](const Chosen& c) { return c.run == run; })->row);
  }
  ExprP element(const Runs& found, size_t run, ExprP c) {
    const Scalar type = found.runs[run].type;
    return x_.load(type, row_of_run(run), x_.at(c, scalar_bytes(type)));
  }
  /// The statement of an iteration, with element number c of the rows.
  void statement(const Stmt& s, const Runs& found, ExprP c, const Runs::Instead& instead) {
    const Restore place(out_.place, s.place);
    Stmt copy = found.with_elements(x_, s, [&](size_t run) { return element(found, run, c); }, instead);
    for (size_t k = 0; k < found.runs.size(); ++k)
      if (found.runs[k].store == &s) {
        Store& store = std::get<Store>(copy.node);
        store.base = row_of_run(k);
        store.offset = x_.at(c, scalar_bytes(found.runs[k].type));
      }
    out_.block->push_back(std::move(copy));
  }
  /// The part of an iteration that does not depend on others, with the values that the rest needs of it.
  void independent(const CountedLoop& n, const Runs& found, const IndependentPart& part, ExprP first, ExprP c) {
    out_.set(n.var, x_.add(first, c));
    for (const Stmt& s : n.body)
      if (part.contains(s)) statement(s, found, c, {});
    for (size_t k = 0; k < part.values().size(); ++k) {
      const auto& [user, value] = part.values()[k];
      const ExprP v = found.with_elements(x_, *user, value, [&](size_t run) { return element(found, run, c); });
      out_.emit(Store{row(value_rows_[k]), x_.at(c, scalar_bytes(v->type)), v});
    }
  }
  /// An iteration, or the part of it that remains.
  void turn(const CountedLoop& n, const Runs& found, const IndependentPart* separate, ExprP first, ExprP c) {
    Runs::Instead instead;
    if (separate)
      instead = [&](ExprP e) -> ExprP {
        for (size_t k = 0; k < separate->values().size(); ++k)
          if (const ExprP value = separate->values()[k].value; same(value, e))
            return x_.load(value->type, row(value_rows_[k]), x_.at(c, scalar_bytes(value->type)));
        return nullptr;
      };
    out_.set(n.var, x_.add(first, c));
    for (const Stmt& s : n.body)
      if (!separate || !separate->contains(s)) statement(s, found, c, instead);
  }

  /// Numbers of iterations fit in 32 bits if the kernel's extents do.
  VarId new_var(const std::string& name) {
    const VarId v = out_.new_var(name, Scalar::Int64);
    if (!out_.fn.narrow.empty()) out_.fn.narrow.insert(v);
    return v;
  }
  ExprP temp(ExprP e, const std::string& name) {
    if (is_const(e)) return e;
    const VarId v = new_var(name);
    out_.set(v, e);
    return x_.var(v, Scalar::Int64);
  }

  struct Chosen {
    size_t run;
    bool common;
    int32_t row;
  };

  Exprs& x_;
  Writer out_;
  const DimDependence values_, dims_;
  const size_t known_;       ///< variables of which these know
  const Function original_;  ///< the kernel as it was
  const int64_t local_bytes_;
  const int32_t team_;
  std::set<VarId> written_;
  const std::set<VarId>* around_ = nullptr;  ///< variables that change in the loop around the current one; null: there is none
  int64_t length_ = 0;
  std::vector<Chosen> chosen_;  ///< of the current loop
  std::vector<VarId> own_;      ///< of the loop of its independent part
  std::vector<int32_t> value_rows_;
  std::vector<StagedLoop> counts_;
};

class Launches {
 public:
  Launches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      launch(std::move(n));
      return true;
    });
  }

 private:
  void launch(Launch plain) {
    const int32_t from = plain.kernel;
    if (!can_meet(*m_.functions[static_cast<size_t>(from)])) return out_.emit(std::move(plain));
    Function staged;
    std::vector<StagedLoop> loops;
    for (int32_t team : {options_.team, 1}) {
      staged = *m_.functions[static_cast<size_t>(from)];
      loops = Staging(x_, staged, options_.local_bytes, team).run();
      if (!loops.empty()) break;
    }
    if (loops.empty()) return out_.emit(std::move(plain));
    const int32_t team = staged.team;
    const int32_t id = add_form(m_, from, std::move(staged), "_rows");
    const Function& kernel = *m_.functions[static_cast<size_t>(from)];
    // Rows that are too short gain nothing.
    LaunchIntervals at(out_);
    at.inputs(kernel, plain.args);
    at.single_values(kernel);
    ExprP longer = nullptr;
    for (const StagedLoop& loop : loops) {
      const ExprP here = options_.tiles == 1 ? nullptr : at.host(loop.trips);
      const ExprP enough = here ? x_.ge(here, x_.int_const(loop.fewest)) : x_.bool_const(true);
      longer = longer ? x_.either(longer, enough) : enough;
    }
    for (const StagedLoop& loop : loops)
      for (VarId in : loop.small) {
        const ExprP value = x_.var(in, Scalar::Int64);
        const ExprP small = at.host(
            x_.both(x_.ge(value, x_.int_const(-EqualCount::most)), x_.le(value, x_.int_const(EqualCount::most))));
        longer = x_.both(longer, small ? small : x_.bool_const(false));
      }
    ExprP iterations = x_.int_const(1);
    for (size_t d = 0; d < plain.counts.size(); ++d) {
      plain.counts[d] = out_.keep(plain.counts[d], "count");
      iterations = x_.mul(iterations, plain.counts[d]);
    }
    longer = within_limits(x_, longer, plain.counts, team);
    if (options_.tiles != 1 && std::all_of(loops.begin(), loops.end(), [](const StagedLoop& c) { return c.columns; }))
      longer = x_.both(longer, x_.le(iterations, x_.int_const(most_columns)));
    Launch rows = plain;
    rows.kernel = id;
    Block otherwise;
    otherwise.push_back({std::move(plain), out_.place});
    out_.append(launch_if(longer, std::move(rows), std::move(otherwise), out_.place));
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void stage(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { Launches(m, x, f, options).run(); });
}

}  // namespace vr::lower
