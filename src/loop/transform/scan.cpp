// scan: see scan.hpp.
//
//   s = 0                                 s = 0
//   for k in [0, n) {                     for part in [0, (n + 2047) / 2048) {
//     s = s + a[i, k]                       before = s; s = 0
//     store b[i, k] = s                     for u in [0, 8) { s = s + a[i, first + u] }        (8 iterations of its
//     own)
//   }                                       exchange: sum = of the members before; all = of all members
//                                           s = before + sum
//                                           for u in [0, 8) { s = s + a[i, first + u]; store b[i, first + u] = s }
//                                           s = before + all
//                                         }
#include "loop/transform/scan.hpp"

#include "loop/analysis/barriers.hpp"
#include "loop/analysis/carried_reduction.hpp"
#include "loop/analysis/independent_loop.hpp"
#include "loop/analysis/launch_intervals.hpp"
#include "loop/analysis/loop_range.hpp"
#include "loop/analysis/unit_stride.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/renamed.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t own_iterations = 8;    // of a member in each part of a row
constexpr int64_t most_serial = 16;      // trip count of a loop that all work-items of a team run whole
constexpr size_t most_states = 4;        // variables of a scan: their values take local memory
constexpr int64_t fewest_in_rows = 256;  // trip count from which on rows are scanned by groups
/// A group runs `width` iterations of the kernel, each with so many members.
struct ScanShape {
  int32_t members, width;
  int32_t group() const { return members * width; }
};
constexpr ScanShape row_shape = {256, 1};
/// Of columns: a shape is used from so many iterations of the loop on, for so many iterations of the launch at most.
struct ColumnTeam {
  ScanShape shape;
  int64_t fewest, most;
};
constexpr ColumnTeam column_teams[] = {{{32, 32}, 512, 1 << 14}, {{8, 32}, 64, 1 << 17}};

/// The statements without stores.
Block without_stores(const Block& b) {
  Block made;
  for (const Stmt& s : b) {
    if (std::holds_alternative<Store>(s.node)) continue;
    made.push_back(s);
    for (Block* p : parts(made.back())) *p = without_stores(*p);
  }
  return made;
}

/// What the outer statements of a kernel are, if work-items can share its scans.
struct Scans {
  enum class Kind : uint8_t {
    All,     ///< all members execute it
    One,     ///< it stores: one member executes it
    Reduce,  ///< a loop that stores nothing: members share its iterations
    Scan,    ///< a loop that stores its states
  };
  std::vector<Kind> kinds;
  bool columns = false;        ///< consecutive iterations of the kernel access neighbouring elements in the scans
  ExprP trips = nullptr;       ///< of the first scan, in terms of the kernel's variables
  std::set<VarId> small = {};  ///< EqualCount::small
};

class FindScans {
 public:
  FindScans(Exprs& x, const Function& kernel) : x_(x), kernel_(kernel), values_(kernel_, true) {}

  std::optional<Scans> run() {
    if (!can_meet(kernel_) || has<Fail>(kernel_.body)) return {};
    for (size_t k = 0; k < kernel_.body.size(); ++k) {
      if (!statement(k)) return {};
      before_.execute(kernel_.body[k]);
    }
    if (!found_.trips || !elements_are_own()) return {};
    return found_;
  }

 private:
  using Kind = Scans::Kind;
  bool add(Kind kind) {
    found_.kinds.push_back(kind);
    return true;
  }
  bool statement(size_t k) {
    const Stmt& s = kernel_.body[k];
    auto* loop = std::get_if<CountedLoop>(&s.node);
    const bool stores = any_statement(s, [](const Stmt& inner) { return std::holds_alternative<Store>(inner.node); });
    const bool loops =
        any_statement(s, [](const Stmt& inner) { return std::holds_alternative<CountedLoop>(inner.node); });
    if (!loop) return !loops && add(stores ? Kind::One : Kind::All) && (!stores || assigns_nothing(s));
    if (!is_int(loop->lo, 0) || loop->parallel) return false;
    if (!stores && loop->hi->kind == Expr::Kind::IntConst && loop->hi->ival <= most_serial) return add(Kind::All);
    if (!is_scalar_code(loop->body) || has<Fail>(loop->body)) return false;
    if (!states_of(k)) return false;
    if (!stores) return add(Kind::Reduce);
    return is_scan(s) && add(Kind::Scan);
  }
  /// A statement that one member executes.
  static bool assigns_nothing(const Stmt& s) { return assignments(Block{s}).empty(); }
  /// Whether the loop's state is that of a reduction whose order is free.
  bool states_of(size_t k) {
    Function scratch = kernel_;
    Writer out(x_, scratch);
    Block rest(kernel_.body.begin() + static_cast<std::ptrdiff_t>(k), kernel_.body.end());
    auto& loop = std::get<CountedLoop>(rest[0].node);
    loop.body = without_stores(loop.body);
    // What the stores use is not used by the reduction, but it may be used after the loop.
    const auto r = carried_reduction(out, rest, 0);
    return r && !r->vars.empty() && r->vars.size() <= most_states &&
           std::all_of(r->vars.begin(), r->vars.end(), [&](VarId v) {
             const Scalar type = kernel_.vars[static_cast<size_t>(v)].type;
             return type != Scalar::Bool && type != Scalar::Ptr && scalar_bytes(type) >= 4;
           });
  }
  /// Each iteration stores elements of its own, along rows or columns.
  bool is_scan(const Stmt& s) {
    const auto& loop = std::get<CountedLoop>(s.node);
    if (!stores_are_own(kernel_, s, before_)) return false;
    Function scratch = kernel_;
    Writer before(x_, scratch);
    Runs found(before, values_, loop, RunKinds::Any);
    bool rows = false, columns = false, others = false;
    const auto access = [&](ExprP base, ExprP offset, Scalar type) {
      const auto run = base->kind == Expr::Kind::Var ? found.elements_of(base, offset, type) : std::nullopt;
      if (run && is_column(x_, kernel_, values_, *run))
        columns = true;
      else if (run && !run->step)
        rows = true;
      else
        others = true;
    };
    any_statement(loop.body, [&](const Stmt& inner) {
      if (auto* store = std::get_if<Store>(&inner.node)) access(store->base, store->offset, store->value->type);
      each_expr(inner, [&](ExprP e) {
        any_node(e, [&](ExprP n) {
          if (n->kind == Expr::Kind::Load) access(n->a, n->b, n->type);
          return false;
        });
      });
      return false;
    });
    if (rows == columns || (others && columns) || (found_.trips && found_.columns != columns)) return false;
    found_.columns = columns;
    if (found_.trips) return true;
    found_.trips = loop.hi;
    if (const auto equal = equal_count(x_, kernel_, loop, before_)) {
      found_.trips = equal->trips;
      found_.small = equal->small;
    }
    return true;
  }
  /// Arrays that a statement stores are accessed by no other statement, and by one that is no loop only stored.
  bool elements_are_own() const {
    std::map<VarId, std::set<size_t>> stored, loaded;
    bool known = true;
    for (size_t k = 0; k < kernel_.body.size(); ++k)
      any_statement({kernel_.body[k]}, [&](const Stmt& s) {
        if (auto* n = std::get_if<Store>(&s.node)) {
          known = known && n->base->kind == Expr::Kind::Var;
          if (known) stored[n->base->var].insert(k);
        }
        each_expr(s, [&](ExprP e) {
          any_node(e, [&](ExprP n) {
            if (n->kind != Expr::Kind::Load) return false;
            known = known && n->a->kind == Expr::Kind::Var;
            if (known) loaded[n->a->var].insert(k);
            return !known;
          });
        });
        return !known;
      });
    return known && std::all_of(stored.begin(), stored.end(), [&](const auto& entry) {
             const auto& [v, by] = entry;
             if (by.size() != 1) return false;
             const auto it = loaded.find(v);
             return it == loaded.end() || (it->second == by && found_.kinds[*by.begin()] == Kind::Scan);
           });
  }

  Exprs& x_;
  const Function& kernel_;
  const DimDependence values_;
  Polynomials before_{kernel_};  ///< at the current statement
  Scans found_;
};

/// Writes a kernel of which `members` work-items run each iteration.
class ScanWriter {
 public:
  ScanWriter(Exprs& x, const Function& plain, const Scans& scans, const ScanShape& shape)
      : x_(x),
        plain_(plain),
        scans_(scans),
        members_(shape.members),
        width_(shape.width),
        group_(shape.group()),
        made_(tile_version(plain)),
        out_(x, made_) {}

  Function run() {
    made_.square = false;
    made_.group = group_;
    const VarId own = made_.dims[0];
    made_.body = out_.collect([&] {
      begin(own);
      for (size_t k = 0; k < plain_.body.size(); ++k) {
        const Restore place(out_.place, plain_.body[k].place);
        statement(k);
      }
    });
    made_.tile_of.members = members_;
    made_.tile_of.apart[0] = group_;
    return std::move(made_);
  }

 private:
  ExprP constant(int64_t v) { return x_.int_const(v); }
  ExprP named(ExprP e, const char* name) {
    const ExprP v = out_.temp(e, name);
    narrow(made_, v->var);
    return v;
  }
  void begin(VarId own) {
    const ExprP count = x_.var(tile_dim(out_, 0, ".item"), Scalar::Int64), item = x_.var(made_.dims[0], Scalar::Int64);
    lane_ = named(x_.binary(Op::Rem, item, constant(group_)), "lane");
    if (width_ == 1) {
      member_ = lane_;
      out_.set(own, x_.binary(Op::Div, item, constant(group_)));
      return;
    }
    member_ = named(x_.binary(Op::Div, lane_, constant(width_)), "member");
    const ExprP number = named(x_.add(x_.mul(x_.binary(Op::Div, item, constant(group_)), constant(width_)),
                                      x_.binary(Op::Rem, lane_, constant(width_))),
                               "number");
    inside_ = named(x_.lt(number, count), "inside");
    out_.set(own, x_.select(inside_, number, x_.sub(count, constant(1))));
  }
  void statement(size_t k) {
    const Stmt& s = plain_.body[k];
    switch (scans_.kinds[k]) {
      case Scans::Kind::All:
        out_.block->push_back(s);
        return;
      case Scans::Kind::One: {
        ExprP one = x_.eq(member_, constant(0));
        if (inside_) one = x_.both(inside_, one);
        out_.emit(If{one, Block{s}, {}});
        return;
      }
      case Scans::Kind::Reduce:
      case Scans::Kind::Scan:
        loop(k, scans_.kinds[k] == Scans::Kind::Scan);
    }
  }
  void loop(size_t k, bool stores) {
    Block rest(plain_.body.begin() + static_cast<std::ptrdiff_t>(k), plain_.body.end());
    auto& reduced = std::get<CountedLoop>(rest[0].node);
    reduced.body = without_stores(reduced.body);
    reduction_ = *carried_reduction(out_, rest, 0);
    const auto& loop = std::get<CountedLoop>(plain_.body[k].node);
    ExprP trips = out_.keep(loop.hi, "trips");
    if (inside_) trips = named(x_.select(inside_, trips, constant(0)), "trips");
    if (!stores) {
      share(
          [&](bool) {
            const ExprP left = x_.sub(x_.add(trips, constant(members_ - 1)), member_);
            iterations(loop, reduced.body, x_.binary(Op::Div, named(left, "left"), constant(members_)),
                       [&](ExprP u) { return x_.add(member_, x_.mul(u, constant(members_))); });
          },
          false);
      return;
    }
    if (scans_.columns) {
      const ExprP each = named(x_.binary(Op::Div, x_.add(trips, constant(members_ - 1)), constant(members_)), "each");
      const ExprP first = named(x_.mul(member_, each), "first");
      const ExprP own = named(x_.max(constant(0), x_.min(each, x_.sub(trips, first))), "own");
      share(
          [&](bool again) {
            iterations(loop, again ? loop.body : reduced.body, own, [&](ExprP u) { return x_.add(first, u); });
          },
          true);
      return;
    }
    const int64_t part = group_ * own_iterations;
    CountedLoop strips;
    strips.var = out_.new_var("part", Scalar::Int64);
    narrow(made_, strips.var);
    strips.lo = constant(0);
    strips.hi = out_.keep(x_.binary(Op::Div, x_.add(trips, constant(part - 1)), constant(part)), "parts");
    strips.site = loop.site;
    strips.body = out_.collect([&] {
      const ExprP first =
          x_.add(x_.mul(x_.var(strips.var, Scalar::Int64), constant(part)), x_.mul(lane_, constant(own_iterations)));
      const ExprP left = named(x_.sub(trips, first), "left");
      const ExprP whole = out_.temp(x_.ge(left, constant(own_iterations)), "whole");
      const auto number = [&](ExprP u) { return x_.add(first, u); };
      share(
          [&](bool again) {
            const Block& body = again ? loop.body : reduced.body;
            Block all = out_.collect([&] { iterations(loop, body, constant(own_iterations), number); });
            Block some = out_.collect([&] { iterations(loop, body, constant(own_iterations), number, left); });
            out_.emit(If{whole, std::move(all), std::move(some)});
          },
          true);
    });
    out_.emit(std::move(strips));
  }
  /// The loop's iterations number(0), number(1), ..., of which there are `trips`; only the first `left` of them, if
  /// that is not null.
  template <class F>
  void iterations(const CountedLoop& loop, const Block& body, ExprP trips, const F& number, ExprP left = nullptr) {
    CountedLoop own;
    own.var = out_.new_var("own", Scalar::Int64);
    narrow(made_, own.var);
    own.lo = constant(0);
    own.hi = trips;
    own.site = loop.site;
    Block all;
    all.push_back({SetVar{loop.var, number(x_.var(own.var, Scalar::Int64))}, out_.place});
    all.insert(all.end(), body.begin(), body.end());
    // Each copy has variables of its own but for the state.
    std::map<VarId, VarId> names;
    for (const auto& [v, times] : assignments(all))
      if (std::find(reduction_.vars.begin(), reduction_.vars.end(), v) == reduction_.vars.end())
        names[v] = variable_like(x_, made_, v);
    for (Stmt& s : all) s = renamed(x_, std::move(s), names);
    if (left) {
      Block first;
      first.push_back({If{x_.lt(x_.var(own.var, Scalar::Int64), left), std::move(all), {}}, out_.place});
      all = std::move(first);
    }
    own.body = std::move(all);
    out_.emit(std::move(own));
  }
  ExprP var(VarId v) { return x_.var(v, made_.vars[static_cast<size_t>(v)].type); }
  /// Sets the state to that of `before`, joined with the other one.
  void join(const std::vector<ExprP>& before, const std::vector<ExprP>& other) {
    for (size_t s = 0; s < reduction_.vars.size(); ++s) {
      out_.set(reduction_.vars[s], before[s]);
      out_.set(reduction_.others[s], other[s]);
    }
    for (const Stmt& s : reduction_.join) out_.block->push_back(s);
  }
  /// run(false) is the member's part of the reduction from its start; run(true), if it is to run again, from the state
  /// before it. The state is then that after all parts.
  template <class F>
  void share(const F& run, bool again) {
    std::vector<ExprP> before, mine, others, all, start;
    for (VarId v : reduction_.vars) before.push_back(out_.temp(var(v), "before"));
    for (size_t s = 0; s < reduction_.vars.size(); ++s)
      out_.set(reduction_.vars[s], reduction_.start[s]->kind == Expr::Kind::Var ? before[s] : reduction_.start[s]);
    run(false);
    exchange(before, others, all);
    if (again) {
      join(before, others);
      run(true);
    }
    join(before, all);
  }
  /// From the states of the members: of each those of the members before it, and of all (Hillis and Steele, Data
  /// Parallel Algorithms, 1986). The memory is twice as large as the group, so that a step needs one barrier.
  void exchange(const std::vector<ExprP>& before, std::vector<ExprP>& others, std::vector<ExprP>& all) {
    const size_t states = reduction_.vars.size();
    const std::vector<VarId> memory = shared();
    const auto place = [&](ExprP lane, int64_t half, size_t s) {
      return x_.at(x_.add(lane, constant(half * group_)),
                   scalar_bytes(made_.vars[static_cast<size_t>(reduction_.vars[s])].type));
    };
    const auto at = [&](ExprP lane, int64_t half, size_t s) {
      return x_.load(made_.vars[static_cast<size_t>(reduction_.vars[s])].type, x_.var(memory[s], Scalar::Ptr),
                     place(lane, half, s));
    };
    const auto put = [&](int64_t half) {
      for (size_t s = 0; s < states; ++s)
        out_.emit(Store{x_.var(memory[s], Scalar::Ptr), place(lane_, half, s), var(reduction_.vars[s])});
      out_.emit(Barrier{});
    };
    out_.emit(Barrier{});  // what was exchanged before has been read
    put(0);
    int64_t half = 0;
    for (int32_t step = 1; step < members_; step *= 2, half = 1 - half) {
      Block sum = out_.collect([&] {
        std::vector<ExprP> left, right;
        for (size_t s = 0; s < states; ++s) right.push_back(out_.temp(var(reduction_.vars[s]), "mine"));
        for (size_t s = 0; s < states; ++s)
          left.push_back(at(x_.sub(lane_, constant(int64_t{step} * width_)), half, s));
        join(left, right);
      });
      out_.emit(If{x_.ge(member_, constant(step)), std::move(sum), {}});
      put(1 - half);
    }
    for (size_t s = 0; s < states; ++s) {
      const VarId v = reduction_.vars[s];
      const VarId sum = out_.new_var("others", made_.vars[static_cast<size_t>(v)].type);
      const ExprP none_before = reduction_.start[s]->kind == Expr::Kind::Var ? before[s] : reduction_.start[s];
      Block some = out_.collect([&] { out_.set(sum, at(x_.sub(lane_, constant(width_)), half, s)); });
      Block first = out_.collect([&] { out_.set(sum, none_before); });
      out_.emit(If{x_.ge(member_, constant(1)), std::move(some), std::move(first)});
      others.push_back(var(sum));
      const ExprP last = x_.add(constant(int64_t{group_} - width_),
                                width_ == 1 ? constant(0) : x_.binary(Op::Rem, lane_, constant(width_)));
      all.push_back(out_.temp(at(last, half, s), "all"));
    }
  }
  /// The memory of the states, which all loops have in common.
  std::vector<VarId> shared() {
    std::vector<VarId> memory;
    for (VarId v : reduction_.vars) {
      const Scalar type = made_.vars[static_cast<size_t>(v)].type;
      const auto free = std::find_if(made_.shared.begin(), made_.shared.end(), [&](const Shared& s) {
        return s.type == type && std::find(memory.begin(), memory.end(), s.data) == memory.end();
      });
      if (free == made_.shared.end()) {
        memory.push_back(out_.new_var("states", Scalar::Ptr));
        made_.shared.push_back({memory.back(), type, 2 * group_});
      } else {
        memory.push_back(free->data);
      }
    }
    return memory;
  }

  Exprs& x_;
  const Function& plain_;
  const Scans& scans_;
  const int32_t members_, width_, group_;  ///< work-items of an iteration; iterations, and work-items, of a group
  Function made_;
  Writer out_;
  ExprP lane_ = nullptr, member_ = nullptr;
  ExprP inside_ = nullptr;  ///< whether there is such an iteration; null: there is
  Reduction reduction_;     ///< of the current loop
};

class ScanLaunches {
 public:
  ScanLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) { return launch(n); });
  }

 private:
  bool launch(const Launch& plain) {
    const Function kernel = *m_.functions[static_cast<size_t>(plain.kernel)];
    const auto scans = FindScans(x_, kernel).run();
    if (!scans) return false;
    LaunchIntervals at(out_);
    at.inputs(kernel, plain.args);
    at.single_values(kernel);
    ExprP trips = at.host(scans->trips);
    if (!trips) return false;
    trips = out_.keep(trips, "trips");
    Launch here = plain;
    ExprP iterations = constant(1);
    for (ExprP& count : here.counts) {
      count = out_.keep(count, "count");
      iterations = x_.mul(iterations, count);
    }
    iterations = out_.keep(iterations, "iterations");
    const bool always = options_.tiles == 1;
    ExprP fits = x_.bool_const(true);
    for (VarId v : scans->small) {
      ExprP value = at.host(x_.var(v, Scalar::Int64));
      if (!value) return false;
      value = out_.keep(value, "small");
      fits =
          x_.both(fits, x_.both(x_.ge(value, constant(-EqualCount::most)), x_.le(value, constant(EqualCount::most))));
    }
    Block otherwise;
    otherwise.push_back({here, out_.place});
    const auto add = [&](const ScanShape& shape, ExprP gains) {
      const int32_t id = form(plain.kernel, kernel, *scans, shape);
      if (id == none) return;
      Launch shared = here;
      shared.kernel = id;
      const VarId count = out_.new_var("count", Scalar::Int64);
      out_.set(count, here.counts[0]);
      shared.args.push_back({count});
      const int64_t width = shape.width;
      shared.counts[0] =
          out_.keep(x_.mul(x_.binary(Op::Div, x_.add(here.counts[0], constant(width - 1)), constant(width)),
                           constant(shape.group())),
                    "items");
      gains = within_limits(x_, x_.both(fits, gains), here.counts, shape.group());
      otherwise = launch_if(gains, std::move(shared), std::move(otherwise), out_.place);
    };
    if (!scans->columns) {
      add(row_shape, x_.ge(trips, constant(always ? 1 : fewest_in_rows)));
    } else {
      for (auto it = std::rbegin(column_teams); it != std::rend(column_teams); ++it) {
        ExprP gains = x_.ge(trips, constant(always ? it->shape.members : it->fewest));
        if (!always) gains = x_.both(gains, x_.le(iterations, constant(it->most)));
        add(it->shape, gains);
      }
    }
    out_.append(std::move(otherwise));
    return true;
  }
  int32_t form(int32_t from, const Function& kernel, const Scans& scans, const ScanShape& shape) {
    if (shape.group() > options_.group) return none;
    Function made = ScanWriter(x_, kernel, scans, shape).run();
    int64_t bytes = 0;
    for (const Shared& s : made.shared) bytes += int64_t{s.count} * scalar_bytes(s.type);
    if (bytes > options_.local_bytes) return none;
    made.tile_of.kernel = from;
    return add_kernel(m_, std::move(made), kernel.name + "_scan" + std::to_string(shape.members));
  }
  ExprP constant(int64_t v) { return x_.int_const(v); }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void scan(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0 || options.group < row_shape.group()) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { ScanLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
