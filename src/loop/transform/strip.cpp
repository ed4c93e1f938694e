// strip: serial loops of kernels in strips of several iterations.
//
//   for k in [0, n) {                     k.strips = aligned(16, a[i, 0]) ? n / 4 : 0
//     s = s + a[i, k]                     for k.strip in [0, k.strips) {
//   }                                       load vector v0, v1, v2, v3 = f32 a[i, k.strip * 4]
//                                           s = s + v0; s = s + v1; s = s + v2; s = s + v3
//                                         }
//                                         for k in [k.strips * 4, n) { s = s + a[i, k] }
//
// Where loads do not become vectors (neighbouring work-items already access neighbouring elements), the part of the
// iterations that does not depend on other iterations, with its loads, comes first for 32 of them (fewer if it has
// several values):
//
//   for k in [0, n) {                     for k.strip in [0, n / 32) {
//     s = s + a[k, j]                       v0 = a[k.strip * 32, j]; ... v31 = a[k.strip * 32 + 31, j]
//   }                                       s = s + v0; ... s = s + v31
//                                         }
//                                         for k in [n / 32 * 32, n) { s = s + a[k, j] }
//
// Work-items that each go along a row of their own access addresses a row apart: a load of one element then takes as
// long as one of 16 bytes. The loads of a strip come first, so that many are outstanding at the same time.
#include "loop/transform/strip.hpp"

#include "loop/analysis/independent_part.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/replace.hpp"
#include "loop/transform/loop_bounds.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t strip_vector_bytes = 16;
constexpr int64_t most_vectors = 16;  // vectors that a strip loads or stores
// Of elements that all work-items load: 12 vectors before their 16 pairs of bodies take 0.72 of the time of 3 before 4
// (H200).
constexpr int64_t most_common_vectors = 4;
constexpr int64_t most_strip_nodes = 1200;  // nodes of expressions in a strip of several vectors
constexpr int64_t most_strip_nodes_in_kernel = 6000;
constexpr int64_t fewest_turns = 32;     // fewer iterations are not worth strips, if the trip count is known
constexpr int64_t most_ahead = 32;       // values that are outstanding where loads do not become vectors
constexpr size_t most_strip_values = 4;  // of an iteration

/// Loads of different elements by different work-items.
bool is_slow(const Run& r) { return !r.store && r.apart; }

class Strips {
 public:
  Strips(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), dims_(kernel, true), whole_(kernel.body) {}

  void run() {
    const auto innermost = [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (!n || has<CountedLoop>(n->body) || has<Loop>(n->body)) return false;
      loop(*n);
      return true;
    };
    if (out_.fn.team == 0) return replace_in_body(out_, innermost);
    // The loops that a team shares go through local memory already.
    replace_in_body(out_, [&](Stmt& s) {
      auto* n = std::get_if<Solo>(&s.node);
      if (!n) return false;
      Solo made{out_.collect([&] { replace_statements(out_, n->body, innermost); })};
      out_.emit(std::move(made));
      return true;
    });
  }

 private:
  void loop(CountedLoop& n) {
    Block before;
    std::optional<Runs> found;
    before = out_.collect([&] { found.emplace(out_, dims_, n); });
    const std::vector<Run>& runs = found->runs;
    const bool few = n.lo->kind == Expr::Kind::IntConst && n.hi->kind == Expr::Kind::IntConst && n.hi->ival - n.lo->ival < fewest_turns;
    const bool gains = !found->others || std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.apart; });
    if (!found->fits || few) return out_.emit(std::move(n));
    if (runs.empty() || !gains) return ahead(n, *found, std::move(before));
    int64_t largest = 4;
    for (const Run& r : runs) largest = std::max<int64_t>(largest, scalar_bytes(r.type));
    const int64_t width = strip_vector_bytes / largest;
    // Several vectors, so that many loads are outstanding at the same time.
    const int64_t size = nodes(n.body) * width;
    const int64_t slow = std::count_if(runs.begin(), runs.end(), is_slow);
    int64_t vectors = n.unroll ? 1 : slow == 0 ? most_common_vectors : most_vectors;
    const int64_t loaded =
        slow == 0 ? std::count_if(runs.begin(), runs.end(), [](const Run& r) { return !r.store; }) : slow;
    while (vectors > 1 && (vectors * loaded > most_vectors || vectors * size > most_strip_nodes)) vectors /= 2;
    if (nodes_ + size * vectors > most_strip_nodes_in_kernel) return out_.emit(std::move(n));
    nodes_ += size * vectors;
    out_.append(std::move(before));
    emit(n, *found, width, vectors);
  }

  /// Several iterations at a time, of which the independent parts come first.
  void ahead(CountedLoop& n, const Runs& found, Block&& before) {
    const IndependentPart part(out_.fn, whole_, n, found, dims_);
    int64_t turns = most_ahead / static_cast<int64_t>(std::bit_ceil(std::max<size_t>(part.values().size(), 1)));
    while (turns > 8 && nodes(n.body) * turns > most_strip_nodes) turns /= 2;
    const int64_t size = nodes(n.body) * turns;
    const bool stores = std::any_of(n.body.begin(), n.body.end(), [&](const Stmt& s) {
      return std::holds_alternative<Store>(s.node) && part.contains(s);
    });
    if (n.unroll || stores || !part.fits() || !part.loads() || part.values().size() > most_strip_values ||
        size > most_strip_nodes || nodes_ + size > most_strip_nodes_in_kernel)
      return out_.emit(std::move(n));
    nodes_ += size;
    out_.append(std::move(before));
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    const auto [lo, hi, whole] = loop_bounds(out_, n);
    const ExprP step = x_.int_const(turns);
    CountedLoop strip = n;
    strip.var = out_.new_var(name + ".strip", Scalar::Int64);
    strip.lo = x_.int_const(0);
    strip.hi = out_.temp(x_.select(whole, x_.binary(Op::Div, x_.sub(hi, lo), step), x_.int_const(0)), (name + ".strips").c_str());
    strip.body = out_.collect([&] {
      turns_of(n, found, part, turns, out_.temp(x_.add(lo, x_.mul(x_.var(strip.var, Scalar::Int64), step)), (name + ".first").c_str()));
    });
    const ExprP rest = x_.add(lo, x_.mul(strip.hi, step));
    out_.emit(std::move(strip));
    n.lo = out_.temp(rest, (name + ".rest").c_str());
    n.hi = hi;
    out_.emit(std::move(n));
  }
  /// The loop's variable in an iteration of a strip: in 64 bits even if the original is narrower, so that compilers see
  /// that the addresses of consecutive iterations are a stride apart.
  ExprP turn_var(const CountedLoop& n, ExprP first, int64_t turn) {
    return out_.temp(x_.add(first, x_.int_const(turn)), out_.fn.vars[static_cast<size_t>(n.var)].name.c_str());
  }
  static Runs::Instead in_place_of(VarId v, ExprP value) {
    return [v, value](ExprP e) { return e->kind == Expr::Kind::Var && e->var == v ? value : nullptr; };
  }

  /// Loads of the independent part that are the same for all work-items, whose addresses depend on the number of the
  /// iteration alone, and the offsets in terms of the loop's variable.
  std::vector<std::pair<ExprP, ExprP>> common_loads(const CountedLoop& n, const IndependentPart& part) const {
    const auto changed = assignments(n.body);
    std::map<VarId, ExprP> known;
    std::vector<std::pair<ExprP, ExprP>> all;
    const auto find = [&](auto&& self, ExprP e) -> void {
      if (!e) return;
      if (e->kind == Expr::Kind::Load && dims_.is_constant_load(e) && dims_.of(e) == 0) {
        const ExprP offset = substituted(x_, e->b, known);
        const auto used = variables(offset);
        const bool fixed = !loads(offset) && std::all_of(used.begin(), used.end(),
                                                         [&](VarId v) { return v == n.var || !changed.count(v); });
        const bool fresh = std::none_of(all.begin(), all.end(), [&](const auto& other) { return other.first == e; });
        if (fixed && fresh && used.count(n.var)) all.emplace_back(e, offset);
        return;
      }
      self(self, e->a);
      // Operands that may not be evaluated are not moved.
      if (skips_operands(e)) return;
      self(self, e->b);
      self(self, e->c);
    };
    for (const Stmt& s : n.body) {
      auto* set = std::get_if<SetVar>(&s.node);
      if (!set) continue;
      if (part.contains(s)) find(find, set->value);
      if (changed.at(set->var) == 1 && !loads(set->value)) record_value(x_, known, set->var, set->value);
    }
    for (const auto& [user, value] : part.values()) find(find, value);
    return all;
  }

  void turns_of(const CountedLoop& n, const Runs& found, const IndependentPart& part, int64_t turns, ExprP first) {
    std::vector<std::vector<ExprP>> values(static_cast<size_t>(turns));
    std::vector<ExprP> at;
    auto common = common_loads(n, part);
    if (static_cast<int64_t>(common.size()) * turns > most_ahead) common.clear();
    std::vector<std::vector<ExprP>> loaded(static_cast<size_t>(turns));
    for (int64_t t = 0; t < turns && !common.empty(); ++t) {
      const ExprP k = turn_var(n, first, t);
      for (const auto& [load, offset] : common)
        loaded[static_cast<size_t>(t)].push_back(
            out_.temp(x_.load(load->type, load->a, substituted(x_, offset, {{n.var, k}})), "common"));
    }
    if (!common.empty()) out_.emit(Fence{});
    const auto load_at = [&](ExprP k) {
      return [this, &found, k](size_t run) {
        const Run& r = found.runs[run];
        return x_.load(r.type, x_.var(r.data, Scalar::Ptr), Runs::at(x_, r, k));
      };
    };
    for (int64_t t = 0; t < turns; ++t) {
      at.push_back(turn_var(n, first, t));
      const auto load = load_at(at.back());
      const Runs::Instead turn = [&, number = in_place_of(n.var, at.back()), t](ExprP e) {
        for (size_t k = 0; k < common.size(); ++k)
          if (common[k].first == e) return loaded[static_cast<size_t>(t)][k];
        return number(e);
      };
      for (const Stmt& s : n.body)
        if (part.contains(s)) out_.block->push_back(found.with_elements(x_, s, load, turn));
      for (const auto& [user, value] : part.values())
        values[static_cast<size_t>(t)].push_back(out_.temp(found.with_elements(x_, *user, value, load, turn), "ahead"));
    }
    out_.emit(Fence{});
    for (int64_t t = 0; t < turns; ++t) {
      const auto load = load_at(at[static_cast<size_t>(t)]);
      const Runs::Instead turn = in_place_of(n.var, at[static_cast<size_t>(t)]);
      const auto known = [&](ExprP e) -> ExprP {
        for (size_t k = 0; k < part.values().size(); ++k)
          if (same(part.values()[k].value, e)) return values[static_cast<size_t>(t)][k];
        return turn(e);
      };
      for (const Stmt& s : n.body) {
        const Restore place(out_.place, s.place);
        if (!part.contains(s)) out_.block->push_back(found.with_elements(x_, s, load, known));
      }
    }
  }

  void emit(CountedLoop& n, const Runs& found, int64_t width, int64_t vectors) {
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    const auto [lo, hi, some_left] = loop_bounds(out_, n);
    ExprP whole = some_left;
    for (const Run& r : found.runs) {
      Expr aligned{Expr::Kind::Aligned, Scalar::Bool};
      aligned.ival = width * scalar_bytes(r.type);
      aligned.a = x_.var(r.data, Scalar::Ptr);
      aligned.b = Runs::at(x_, r, lo);
      whole = x_.both(whole, x_.make(aligned));
    }
    whole = out_.temp(whole, (name + ".aligned").c_str());
    // Strips of one vector run the iterations that remain after the larger strips.
    ExprP from = lo;
    for (int64_t some : {vectors, int64_t{1}}) {
      if (some == 1 && vectors == 1 && from != lo) break;
      const int64_t turns = width * some;
      const ExprP count = x_.binary(Op::Div, x_.sub(hi, from), x_.int_const(turns));
      const ExprP strips = out_.temp(x_.select(whole, count, x_.int_const(0)), (name + ".strips").c_str());
      CountedLoop strip = n;
      strip.var = out_.new_var(name + ".strip", Scalar::Int64);
      strip.lo = x_.int_const(0);
      strip.hi = strips;
      strip.unroll = n.unroll > width ? n.unroll / static_cast<int32_t>(width) : 0;
      const ExprP first = x_.add(from, x_.mul(x_.var(strip.var, Scalar::Int64), x_.int_const(turns)));
      strip.body = out_.collect([&] { turn(n, found, out_.temp(first, (name + ".first").c_str()), width, some); });
      out_.emit(std::move(strip));
      from = out_.temp(x_.add(from, x_.mul(strips, x_.int_const(turns))), (name + ".rest").c_str());
    }
    CountedLoop rest = std::move(n);
    rest.lo = from;
    rest.hi = hi;
    out_.emit(std::move(rest));
  }

  using Elements = std::vector<std::vector<VarId>>;  ///< for each run the variables of the strip's elements
  /// Loads or stores the run's vector number v of the strip.
  void vector(const Run& r, std::vector<VarId>& elements, ExprP start, int64_t width, int64_t v) {
    const ExprP base = x_.var(r.data, Scalar::Ptr), offset = Runs::at(x_, r, x_.add(start, x_.int_const(v * width)));
    const auto first = elements.begin() + v * width;
    if (!r.store) return out_.emit(LoadVector{{first, first + width}, base, offset});
    StoreVector store{{}, base, offset};
    for (int64_t e = 0; e < width; ++e) store.values.push_back(x_.var(first[e], r.type));
    out_.emit(std::move(store));
  }

  /// The iterations of a strip. Loads that differ between work-items take longest, and come first; if there are none,
  /// those of the same elements do.
  void turn(const CountedLoop& n, const Runs& found, ExprP start, int64_t width, int64_t vectors) {
    Elements elements(found.runs.size());
    for (size_t k = 0; k < found.runs.size(); ++k) {
      const Run& r = found.runs[k];
      for (int64_t e = 0; e < width * vectors; ++e) elements[k].push_back(out_.new_var(r.store ? "stored" : "loaded", r.type));
    }
    const auto each = [&](int64_t v, auto&& wanted) {
      for (size_t k = 0; k < found.runs.size(); ++k)
        if (wanted(found.runs[k])) vector(found.runs[k], elements[k], start, width, v);
    };
    const bool slow = std::any_of(found.runs.begin(), found.runs.end(), is_slow);
    const auto first = [&](const Run& r) { return slow ? is_slow(r) : !r.store; };
    for (int64_t v = 0; v < vectors; ++v) each(v, first);
    if (vectors > 1 && std::any_of(found.runs.begin(), found.runs.end(), first)) out_.emit(Fence{});
    for (int64_t v = 0; v < vectors; ++v) {
      each(v, [&](const Run& r) { return !r.store && !first(r); });
      for (int64_t e = v * width; e < (v + 1) * width; ++e) {
        const Runs::Instead turn = in_place_of(n.var, turn_var(n, start, e));
        for (const Stmt& s : n.body) {
          const Restore place(out_.place, s.place);
          statement(s, found, elements, static_cast<size_t>(e), turn);
        }
      }
      each(v, [](const Run& r) { return r.store != nullptr; });
    }
  }

  void statement(const Stmt& s, const Runs& found, const Elements& elements, size_t turn,
                 const Runs::Instead& instead) {
    Stmt copy = found.with_elements(
        x_, s, [&](size_t run) { return x_.var(elements[run][turn], found.runs[run].type); }, instead);
    for (size_t k = 0; k < found.runs.size(); ++k)
      if (found.runs[k].store == &s) return out_.set(elements[k][turn], std::get<Store>(copy.node).value);
    out_.block->push_back(std::move(copy));
  }

  Exprs& x_;
  Writer out_;
  const DimDependence dims_;
  const Block whole_;  ///< the kernel as it was
  int64_t nodes_ = 0;  ///< of strips so far
};

}  // namespace

void strip(Module& m, const PassOptions& options) {
  if (!options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->lanes.empty() && !has<Fail>(f->body) && !has_blocks(*f))
      Strips(x, *f).run();
}

}  // namespace vr::lower
