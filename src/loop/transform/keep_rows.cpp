#include "loop/transform/keep_rows.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/analysis/runs.hpp"
#include "loop/analysis/team_memory.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <vector>

namespace vr::lower {

namespace {

constexpr size_t most_kept_rows = 2;
constexpr int64_t fewest_elements = 64;  // shorter rows are not worth local memory

class KeepRows {
 public:
  KeepRows(Exprs& x, Function& kernel)
      : x_(x), out_(x, kernel), dims_(kernel, true), times_(assignments(kernel.body)) {}

  std::optional<KeptRows> run(int64_t local_bytes) {
    find();
    std::erase_if(kept_, [](const Kept& k) { return k.loops.size() < 2; });
    if (kept_.empty() || kept_.size() > most_kept_rows) return {};
    const ExprP trips = kept_[0].trips;
    int64_t each = 0;
    for (const Kept& k : kept_) {
      if (!same(k.trips, trips)) return {};
      each += scalar_bytes(k.run.type);
    }
    const int64_t length =
        (local_bytes - joined_bytes(out_.fn)) / (each * group_iterations(out_.fn)) / row_group * row_group;
    if (length < fewest_elements) return {};
    int64_t at = joined_bytes(out_.fn);
    for (const Kept& k : kept_) {
      const VarId data = out_.new_var(out_.fn.vars[static_cast<size_t>(k.run.data)].name + ".row", Scalar::Ptr);
      out_.fn.rows.push_back({data, k.run.type, static_cast<int32_t>(length), false, static_cast<int32_t>(at)});
      at += length * scalar_bytes(k.run.type) * group_iterations(out_.fn);
      rewrite(k, data);
    }
    return KeptRows{trips, length};
  }

 private:
  struct Kept {
    Run run;
    ExprP trips;
    std::vector<size_t> loops;  ///< numbers of statements
  };

  /// Whether the variables of the expression have one value from the first spread loop on.
  bool is_fixed(ExprP e) const {
    const auto all = variables(e);
    return std::all_of(all.begin(), all.end(), [&](VarId v) {
      return static_cast<size_t>(v) < out_.fn.vars.size() && (!times_.count(v) || early_.count(v));
    });
  }

  void find() {
    std::map<VarId, ExprP> values;  // of variables that are assigned once, to something fixed
    bool early = true;
    for (size_t k = 0; k < out_.fn.body.size(); ++k) {
      if (auto* n = std::get_if<SetVar>(&out_.fn.body[k].node); n && times_.at(n->var) == 1) {
        if (early) early_.insert(n->var);
        const ExprP value = substituted(x_, n->value, values);
        if (!loads(value) && is_fixed(value) && !mentions(value, n->var)) record_value(x_, values, n->var, n->value);
      }
      auto* loop = std::get_if<CountedLoop>(&out_.fn.body[k].node);
      if (!loop || !loop->spread) continue;
      early = false;
      const ExprP trips = substituted(x_, loop->hi, values);
      if (!is_fixed(trips)) continue;
      for (const Run& r : runs_of(*loop).runs) {
        if (r.store || r.step || !r.apart) continue;
        if (!std::all_of(r.index.begin(), r.index.end(), [&](const Linear& i) { return is_fixed(i.base); })) continue;
        const auto it = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& other) {
          return same_elements(other.run, r) && same(other.trips, trips);
        });
        if (it == kept_.end())
          kept_.push_back({r, trips, {k}});
        else
          it->loops.push_back(k);
      }
    }
  }
  Runs runs_of(const CountedLoop& loop) {
    scratch_.push_back(out_.fn);
    Writer before(x_, scratch_.back());
    return Runs(before, dims_, loop, RunKinds::Any);
  }

  void rewrite(const Kept& kept, VarId data) {
    const int64_t bytes = scalar_bytes(kept.run.type);
    for (const size_t number : kept.loops) {
      auto& loop = std::get<CountedLoop>(out_.fn.body[number].node);
      const Runs found = runs_of(loop);
      const ExprP element = x_.at(x_.var(loop.var, Scalar::Int64), bytes);
      Block made;
      bool stored = number != kept.loops.front();
      const auto is_load = [&](size_t run) { return same_elements(found.runs[run], kept.run); };
      for (const Stmt& s : loop.body) {
        ExprP load = nullptr;
        if (!stored)
          for (const auto& [key, run] : found.of)
            if (key.first == &s && found.certain.count(key) && is_load(run)) load = key.second;
        const ExprP value = load ? x_.var(out_.new_var("element", kept.run.type), kept.run.type)
                                 : x_.load(kept.run.type, x_.var(data, Scalar::Ptr), element);
        if (load) {
          made.push_back({SetVar{value->var, load}, s.place});
          made.push_back({Store{x_.var(data, Scalar::Ptr), element, value}, s.place});
          stored = true;
        }
        made.push_back(stored ? with_value(s, found, is_load, value) : s);
      }
      loop.body = std::move(made);
    }
  }
  /// The statement with `value` in place of the loads of the runs for which `is_load` holds.
  template <class F>
  Stmt with_value(const Stmt& s, const Runs& found, const F& is_load, ExprP value) {
    const auto write = [&](auto&& self, ExprP e) -> ExprP {
      if (!e) return e;
      if (const auto it = found.of.find({&s, e}); it != found.of.end() && is_load(it->second)) return value;
      return with_parts(x_, e, [&](ExprP part) { return self(self, part); });
    };
    Stmt copy = s;
    each_expr_of(copy, [&](ExprP& e) { e = write(write, e); });
    const auto from = parts(s);
    const auto to = parts(copy);
    for (size_t p = 0; p < from.size(); ++p)
      for (size_t k = 0; k < from[p]->size(); ++k) (*to[p])[k] = with_value((*from[p])[k], found, is_load, value);
    return copy;
  }
  Exprs& x_;
  Writer out_;
  const DimDependence dims_;
  const std::map<VarId, int> times_;
  std::set<VarId> early_;  ///< assigned once, in front of the first spread loop
  std::vector<Kept> kept_;
  std::deque<Function> scratch_;  ///< written by the analyses of loops
};

}  // namespace

std::optional<KeptRows> keep_rows(Exprs& x, Function& kernel, int64_t local_bytes) {
  return KeepRows(x, kernel).run(local_bytes);
}

}  // namespace vr::lower
