// cooperate: a team of work-items runs one iteration of a kernel.
//
//   s = 0                              s = 0
//   for k in [0, n) {                  for k in [0, n) reduce [s with s' from -0.0] spread [] {
//     s = s + a[i, k]                    s = s + a[i, k]
//   }                                  } join { s = s + s' }
//   store b[i] = s                     store b[i] = s
//
// Work-items that each walk along a row of their own access addresses a row apart. When the work-items of a team share
// the row's loop, neighbours load neighbouring elements, and long rows of few iterations still occupy the whole device.
// Where consecutive iterations load neighbouring elements already (columns), or all load the same ones, a team gains
// only if there are few iterations; its work-items are interleaved then with those of the other iterations of the
// group. Everything else in the kernel is computed by all work-items of the team, which have the same values.
//
// This changes the order of reductions, so that it is limited to those whose order is free. `stage`, which keeps the
// order, does the rest.
#include "loop/transform/cooperate.hpp"

#include "loop/analysis/barriers.hpp"
#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/analysis/team_memory.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/transform/attempt.hpp"
#include "loop/transform/keep_rows.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace vr::lower {

namespace {

constexpr int64_t most_serial = 16;  // trip count of a loop that all work-items of a team run whole
constexpr size_t most_states = 8;    // variables of a loop's reduction: their values take local memory
/// A team, the trip count from which on it is used, and the most iterations of the launch for which it is.
struct Team {
  int32_t size;
  int64_t fewest, most;
};
/// From the largest to the smallest; the size 0 is none. unroll: of the shared loops.
struct Teams {
  int32_t unroll;
  std::array<Team, 4> all;
};
constexpr int64_t any_number = INT64_MAX;
// Measured on an H200 (docs/performance.md). Long rows: with fewer than 16 iterations a work-item most of them run in
// the rest of the unrolled loop, one load at a time (softmax of rows of 2048 takes 1.6 times as long with teams of 256
// as with 64).
constexpr Teams row_teams = {
    16, {{{256, 4096, any_number}, {64, 1024, any_number}, {32, 512, any_number}, {8, 128, any_number}}}};
// Rows whose trip count the host does not know are usually short (sparse matrices).
constexpr Teams ragged_teams = {4, {{{256, 1024, any_number}, {32, 64, any_number}, {8, 6, any_number}}}};
constexpr Teams column_teams = {4, {{{32, 512, 1 << 13}, {8, 64, 1 << 17}}}};
constexpr Teams common_teams = {4, {{{32, 512, 1 << 12}, {8, 64, 1 << 14}}}};
// Where work-items note places, `stage` alone is faster if there are iterations enough for the device (65536 rows of
// 2048: 0.153 ms, with teams of 64 0.169).
constexpr int64_t most_with_places = 1 << 14;
constexpr int32_t fewest_that_keep = 64;  // work-items of a team; shorter rows stay in caches

/// Changes a copy of a kernel, all but the size of its team.
class Cooperation {
 public:
  Cooperation(Exprs& x, Function& kernel, int64_t local_bytes)
      : x_(x), out_(x, kernel), original_(kernel), values_(original_, true), local_bytes_(local_bytes) {
    for (const Param& p : kernel.params)
      if (p.array != none && p.written) written_[kernel.arrays[static_cast<size_t>(p.array)].data] = {};
  }

  /// What consecutive iterations of the loops load: elements of rows of their own, neighbouring elements, or the same.
  enum class Along : uint8_t { Rows, Columns, Common };
  /// The loop of a reduction, and the array of such a row.
  struct Rows {
    ExprP trips;
    VarId data;
  };
  /// The loops from which the kernel gains; empty: it is not to be used.
  std::vector<Rows> run() {
    out_.fn.body.clear();
    for (size_t k = 0; k < original_.body.size(); ++k) {
      const Restore place(out_.place, original_.body[k].place);
      if (!statement(k)) return {};
    }
    return stores_fit() ? rows_ : std::vector<Rows>{};
  }
  /// Whether work-items may leave the kernel in front of barriers: only whole groups may do that.
  bool leaves_early() const { return leaves_early_; }
  Along along() const { return along_; }
  /// Whether a reduction notes places of extrema: it begins with the state before.
  bool notes_places() const { return places_; }

 private:
  /// Writes statement number k of the kernel.
  bool statement(size_t k) {
    const Stmt& s = original_.body[k];
    auto* loop = std::get_if<CountedLoop>(&s.node);
    if (!loop) {
      note_accesses(s, nullptr);
      out_.block->push_back(s);
      return !any_statement({s}, [](const Stmt& inner) {
        return std::holds_alternative<CountedLoop>(inner.node) || std::holds_alternative<Loop>(inner.node);
      });
    }
    if (!is_int(loop->lo, 0)) return false;
    if (loop->hi->kind == Expr::Kind::IntConst && loop->hi->ival <= most_serial) {
      note_accesses(s, nullptr);
      out_.block->push_back(s);
      return !has<Fail>(loop->body);
    }
    note_accesses(s, loop);
    const Block rest(original_.body.begin() + static_cast<std::ptrdiff_t>(k), original_.body.end());
    return has<Fail>(loop->body) ? spread_attempt(*loop, rest) : spread(*loop, rest);
  }

  /// rest: the kernel from the loop on. Returns the reduction; empty: the loop's iterations cannot be shared.
  /// ordered: the condition under which the loop has to run again in order; null: never.
  std::optional<Reduction> reduction_of(const Block& rest, ExprP& ordered) {
    auto reduction = carried_reduction(out_, rest, 0, &ordered);
    if (!reduction || reduction->vars.size() > most_states ||
        state_bytes * static_cast<int64_t>(reduction->vars.size()) > local_bytes_)
      return {};
    const auto& loop = std::get<CountedLoop>(rest[0].node);
    if (!reduction->vars.empty() && !along_rows(loop)) return {};
    if (ordered && (has<Store>(loop.body) || has<Atomic>(loop.body))) return {};
    leaves_early_ = leaves_early_ || (fails_ && !reduction->vars.empty());
    places_ = places_ || std::any_of(reduction->start.begin(), reduction->start.end(), [](ExprP start) {
                return start->kind == Expr::Kind::Var && !is_float(start->type);
              });
    return reduction;
  }
  void emit_spread(CountedLoop loop, Reduction reduction) {
    loop.spread = true;
    if (!reduction.vars.empty()) loop.reduction = std::make_shared<Reduction>(std::move(reduction));
    out_.emit(std::move(loop));
  }
  bool spread(const CountedLoop& loop, const Block& rest) {
    ExprP ordered = nullptr;
    auto reduction = reduction_of(rest, ordered);
    if (!reduction) return false;
    if (!ordered) {
      emit_spread(loop, std::move(*reduction));
      return true;
    }
    const std::vector<SavedState> state = saved_state(*reduction);
    emit_spread(loop, std::move(*reduction));
    run_again(loop, state, out_.temp(ordered, "ordered"));
    return true;
  }
  struct SavedState {
    VarId var;
    ExprP value;
  };
  std::vector<SavedState> saved_state(const Reduction& r, VarId except = none) {
    std::vector<SavedState> state;
    for (VarId v : r.vars)
      if (v != except) state.push_back({v, out_.temp(x_.var(v, out_.fn.vars[static_cast<size_t>(v)].type), "state")});
    return state;
  }
  /// Each work-item of the team runs the whole loop from the state before if the condition, a variable, holds.
  void run_again(const CountedLoop& loop, const std::vector<SavedState>& state, ExprP condition) {
    for (const auto& [v, saved] : state) out_.set(v, x_.select(condition, saved, x_.var(v, saved->type)));
    CountedLoop again = loop;
    again.hi = out_.temp(x_.select(condition, loop.hi, loop.lo), "again");
    again.fallback = true;
    out_.emit(std::move(again));
  }
  /// A loop with checks: its iterations are shared without them, and run again by each work-item, from the state
  /// before, if one failed.
  bool spread_attempt(const CountedLoop& loop, const Block& rest) {
    auto tried = attempt(out_, loop);
    if (!tried) return false;
    Block trial;
    trial.push_back({tried->loop, out_.place});
    trial.push_back({SetVar{tried->failed, x_.var(tried->failed, Scalar::Bool)}, none});
    trial.insert(trial.end(), rest.begin(), rest.end());
    ExprP ordered = nullptr;
    auto reduction = reduction_of(trial, ordered);
    if (!reduction) return false;
    out_.append(std::move(tried->before));
    const std::vector<SavedState> state = saved_state(*reduction, tried->failed);
    emit_spread(tried->loop, std::move(*reduction));
    const ExprP failed = x_.var(tried->failed, Scalar::Bool);
    run_again(loop, state, ordered ? out_.temp(x_.either(failed, ordered), "again") : failed);
    fails_ = true;
    return true;
  }

  /// Notes what the iterations of a reduction's loop load. False: no team gains.
  bool along_rows(const CountedLoop& loop) {
    Function scratch = out_.fn;
    Writer before(x_, scratch);
    Runs found(before, values_, loop, RunKinds::Any);
    // Of arrays that the kernel writes as well: their elements are the work-item's own (stores_fit).
    std::vector<Run> runs = found.runs;
    const std::function<void(ExprP)> loads = [&](ExprP e) {
      if (!e) return;
      if (e->kind == Expr::Kind::Load && e->a->kind == Expr::Kind::Var && written_.count(e->a->var))
        if (auto r = found.elements_of(e->a, e->b, e->type)) runs.push_back(std::move(*r));
      for (ExprP part : {e->a, e->b, e->c}) loads(part);
    };
    any_statement(loop.body, [&](const Stmt& s) {
      each_expr(s, loads);
      return false;
    });
    const DimSet all = (DimSet{1} << original_.dims.size()) - 1;
    Along here = Along::Common;
    VarId data = none;
    for (const Run& r : runs) {
      if (r.store) continue;
      const DimSet dims = dims_of(values_, r);
      const bool column = is_column(x_, original_, values_, r), row = !column && !r.step && dims == all;
      if (!column && !row && (dims & 1)) return false;
      if (!column && !row) continue;
      const Along one = column ? Along::Columns : Along::Rows;
      if (here != Along::Common && here != one) return false;
      here = one;
      data = r.data;
    }
    if (runs.empty() || (!rows_.empty() && here != along_)) return false;
    along_ = here;
    rows_.push_back({loop.hi, data});
    return true;
  }

  // ---------------------------------------------------------------- accesses of arrays that the kernel writes
  struct Access {
    const Stmt* by;  ///< the outer statement
    ExprP offset;
    const CountedLoop* loop;  ///< that is spread; null: none
    bool store;
  };
  void note_accesses(const Stmt& s, const CountedLoop* loop) {
    const auto note = [&](const ElementAccess& a) {
      if (a.base->kind != Expr::Kind::Var) {
        known_ = known_ && !a.is_store;
        return;
      }
      if (const auto it = written_.find(a.base->var); it != written_.end())
        it->second.push_back({&s, a.offset, loop, a.is_store});
    };
    any_statement({s}, [&](const Stmt& inner) {
      each_access(inner, note);
      return false;
    });
  }
  /// No work-item loads or stores an element that another one of its team stores: outside of spread loops an array is
  /// only stored or is accessed by one statement; or it is accessed at one place of their iterations.
  bool stores_fit() const {
    return known_ && std::all_of(written_.begin(), written_.end(), [&](const auto& entry) {
             const auto& all = entry.second;
             if (std::all_of(all.begin(), all.end(), [](const Access& a) { return a.store && !a.loop; })) return true;
             return std::all_of(all.begin(), all.end(), [&](const Access& a) {
               const Access& first = all.front();
               if (!a.loop || !first.loop)
                 return a.by == first.by && !a.loop && std::holds_alternative<Store>(a.by->node);
               const ExprP at = in_iteration(a), other = in_iteration(first);
               return at && other && same(at, other) && differs(a);
             });
           });
  }
  /// The address in terms of one loop variable for all loops; null: not known.
  ExprP in_iteration(const Access& a) const {
    const auto times = assignments(a.loop->body);
    std::map<VarId, ExprP> values{{a.loop->var, x_.var(iteration, Scalar::Int64)}};
    for (const Stmt& s : a.loop->body)
      if (auto* n = std::get_if<SetVar>(&s.node); n && times.at(n->var) == 1)
        if (!record_value(x_, values, n->var, n->value)) return nullptr;
    return substituted(x_, a.offset, values);
  }
  /// Whether different iterations of the loop store different elements; true for loads.
  bool differs(const Access& a) const {
    if (!a.store) return true;
    Function scratch = original_;
    Writer before(x_, scratch);
    Runs found(before, values_, *a.loop, RunKinds::Any);
    return any_statement(a.loop->body, [&](const Stmt& s) {
      auto* store = std::get_if<Store>(&s.node);
      if (!store || store->offset != a.offset) return false;
      const auto run = found.elements_of(store->base, store->offset, store->value->type);
      return run && !run->step;
    });
  }

  static constexpr VarId iteration = -2;  // stands for the variables of all loops

  Exprs& x_;
  Writer out_;
  const Function original_;
  const DimDependence values_;
  const int64_t local_bytes_;
  std::map<VarId, std::vector<Access>> written_;  ///< by data variable
  bool known_ = true;                             ///< all stores are to arrays by name
  bool fails_ = false;                            ///< a fault may have occurred
  bool leaves_early_ = false;
  std::vector<Rows> rows_;
  Along along_ = Along::Common;  ///< of rows_
  bool places_ = false;
};

class TeamLaunches {
 public:
  TeamLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    if (!can_meet(*m_.functions[static_cast<size_t>(plain.kernel)], true)) return false;
    Function shared = *m_.functions[static_cast<size_t>(plain.kernel)];
    Cooperation cooperation(x_, shared, options_.local_bytes);
    const auto rows = cooperation.run();
    if (rows.empty()) return false;
    const Function& kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    Launch here = plain;
    ExprP iterations = x_.int_const(1);
    for (ExprP& count : here.counts) {
      count = out_.keep(count, "count");
      iterations = x_.mul(iterations, count);
    }
    iterations = out_.keep(iterations, "iterations");
    LaunchIntervals at(out_);
    at.inputs(kernel, plain.args);
    at.single_values(kernel);
    // The longest loop decides. Of one whose trip count the host does not know, the average is what the elements of its
    // array allow.
    const auto enough = [&](int64_t fewest) {
      ExprP any = x_.bool_const(options_.tiles == 1);
      for (const Cooperation::Rows& r : rows) {
        ExprP trips = at.host(r.trips);
        if (!trips && r.data == none) continue;
        any = x_.either(any, trips ? x_.ge(trips, x_.int_const(fewest))
                                   : x_.ge(elements(kernel, plain, r.data), x_.mul(iterations, x_.int_const(fewest))));
      }
      return any;
    };
    const bool known =
        std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return at.host(r.trips) != nullptr; });
    using Along = Cooperation::Along;
    const auto& teams = cooperation.along() == Along::Columns  ? column_teams
                        : cooperation.along() == Along::Common ? common_teams
                        : known                                ? row_teams
                                                               : ragged_teams;
    shared.interleaved = cooperation.along() != Along::Rows;
    // From the largest team to the smallest; without any, the launch as it was.
    Block otherwise;
    otherwise.push_back({here, out_.place});
    std::vector<std::pair<ExprP, int32_t>> forms;
    for (Stmt& s : shared.body)
      if (auto* loop = std::get_if<CountedLoop>(&s.node); loop && loop->spread) loop->unroll = teams.unroll;
    for (const Team& t : teams.all) {
      if (t.size == 0 || (cooperation.leaves_early() && t.size != cooperative_group)) continue;
      ExprP gains = within_limits(x_, x_.bool_const(true), here.counts, t.size);
      const int64_t most = cooperation.notes_places() ? std::min(t.most, most_with_places) : t.most;
      if (most != any_number && options_.tiles != 1) gains = x_.both(gains, x_.le(iterations, x_.int_const(most)));
      gains = x_.both(gains, enough(t.fewest));
      if (is_false(gains)) continue;
      if (known && cooperation.along() == Along::Rows && t.size >= fewest_that_keep) {
        // Rows that several loops load, if they fit in local memory.
        Function keeps = team_of(shared, t.size);
        const auto kept = keep_rows(x_, keeps, options_.local_bytes);
        const ExprP trips = kept ? at.host(kept->trips) : nullptr;
        if (trips)
          forms.emplace_back(x_.both(gains, x_.le(trips, x_.int_const(kept->length))),
                             add_form(m_, plain.kernel, std::move(keeps), "_kept"));
      }
      forms.emplace_back(gains, add_form(m_, plain.kernel, team_of(shared, t.size), ""));
    }
    if (forms.empty()) return false;
    for (auto it = forms.rbegin(); it != forms.rend(); ++it) {
      Launch team = here;
      team.kernel = it->second;
      otherwise = launch_if(it->first, std::move(team), std::move(otherwise), out_.place);
    }
    out_.append(std::move(otherwise));
    return true;
  }

  static Function team_of(const Function& shared, int32_t team) {
    Function made = shared;
    made.team = team;
    made.cooperative = true;
    made.name += "_team" + std::to_string(team);
    return made;
  }
  /// The number of elements of the launch's argument that is the kernel's array with this data variable.
  ExprP elements(const Function& kernel, const Launch& launch, VarId data) {
    ExprP all = x_.int_const(1);
    for (VarId extent : out_.array(passed_array(kernel, launch, data)).extent) all = x_.mul(all, out_.get(extent));
    return all;
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void cooperate(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0 || options.group < cooperative_group) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { TeamLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
