// strip: serial loops of kernels in strips of several iterations.
//
//   for k in [0, n) {                     k.strips = aligned(16, a[i, 0]) ? n / 4 : 0
//     s = s + a[i, k]                     for k.strip in [0, k.strips) {
//   }                                       load vector v0, v1, v2, v3 = f32 a[i, k.strip * 4]
//                                           s = s + v0; s = s + v1; s = s + v2; s = s + v3
//                                         }
//                                         for k in [k.strips * 4, n) { s = s + a[i, k] }
//
// Work-items that each go along a row of their own access addresses a row apart: a load of one element then takes as long as
// one of 16 bytes. The loads of a strip come first, so that many are outstanding at the same time.
#include "loop/transform/strip.hpp"

#include "loop/analysis/affine.hpp"
#include "loop/analysis/dim_dependence.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t vector_bytes = 16;
constexpr int64_t most_vectors = 16;     // that a strip loads or stores
constexpr int64_t most_nodes = 1200;     // of expressions in a strip of several vectors
constexpr int64_t most_in_kernel = 6000;
constexpr int64_t fewest_turns = 32;     // if the trip count is known

int64_t nodes(ExprP e) { return e ? 1 + nodes(e->a) + nodes(e->b) + nodes(e->c) : 0; }
int64_t nodes(const Block& b) {
  int64_t n = 0;
  for (const Stmt& s : b) {
    each_expr(s, [&](ExprP e) { n += nodes(e); });
    for (const Block* p : parts(s)) n += nodes(*p);
  }
  return n;
}

/// Accesses with unit stride along the loop: iteration k accesses the element with subscript base + k along one axis.
struct Run {
  VarId data;
  Scalar type;
  std::vector<Linear> index;
  std::vector<ExprP> stride;
  bool apart = false;             ///< consecutive work-items along dims[0] access different elements
  const Stmt* store = nullptr;    ///< null: a load
};

/// Loads of different elements by different work-items.
bool is_slow(const Run& r) { return !r.store && r.apart; }

/// The accesses of a loop that have unit stride along it.
class Runs {
 public:
  /// `before`: where computations that the addresses need are written.
  Runs(Writer& before, const DimDependence& dims, const CountedLoop& loop)
      : fn_(before.fn), dims_(dims), affine_(before, loop, changed(loop)) {
    block(loop.body);
    for (const Stmt& s : loop.body) store(s);
  }

  std::vector<Run> runs;
  std::map<std::pair<const Stmt*, ExprP>, size_t> of;  ///< for each load the run to which it belongs
  bool fits = true;        ///< nothing in the loop prevents strips
  bool others = false;     ///< there are loads that belong to no run

 private:
  static std::map<VarId, int> changed(const CountedLoop& loop) {
    std::map<VarId, int> times = assignments(loop.body);
    ++times[loop.var];
    return times;
  }

  void block(const Block& b) {
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        loads(s, n->value);
        if (is_integer(fn_.vars[static_cast<size_t>(n->var)].type)) affine_.define(n->var, n->value);
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        loads(s, n->offset);
        loads(s, n->value);
        touch(n->base);
      } else if (auto* n = std::get_if<If>(&s.node)) {
        loads(s, n->cond);
        inner(n->then_body);
        inner(n->else_body);
      } else if (!std::holds_alternative<AliasGroup>(s.node)) {
        fits = false;
      }
    }
  }
  /// Statements that only some iterations execute.
  void inner(const Block& b) {
    for (const Stmt& s : b) {
      const bool known = std::holds_alternative<SetVar>(s.node) || std::holds_alternative<If>(s.node) ||
                         std::holds_alternative<Store>(s.node) || std::holds_alternative<AliasGroup>(s.node);
      fits = fits && known;
      if (auto* n = std::get_if<Store>(&s.node)) touch(n->base);
      each_expr(s, [&](ExprP e) { known_loads(s, e); });
      for (const Block* p : parts(s)) inner(*p);
    }
  }

  void touch(ExprP base) {
    if (base->kind == Expr::Kind::Var)
      ++touched_[base->var];
    else
      fits = false;
  }
  /// Loads that may not be executed: they use the strip's elements if another load of the same element is certain.
  void known_loads(const Stmt& s, ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Load) {
      touch(e->a);
      const auto run = constant_run(e);
      if (const auto k = run ? place_of(*run) : runs.size(); k < runs.size())
        of[{&s, e}] = k;
      else
        others = true;
    }
    for (ExprP part : {e->a, e->b, e->c}) known_loads(s, part);
  }

  /// The loads that are certain to be executed.
  void loads(const Stmt& s, ExprP e) {
    if (!e) return;
    if (e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && (e->op == Op::And || e->op == Op::Or))) {
      loads(s, e->a);
      for (ExprP part : {e->b, e->c}) known_loads(s, part);
      return;
    }
    if (e->kind == Expr::Kind::Load) {
      touch(e->a);
      if (auto run = constant_run(e)) {
        const size_t k = place_of(*run);
        if (k == runs.size()) runs.push_back(std::move(*run));
        of[{&s, e}] = k;
      } else if (!dims_.is_constant_load(e) || !affine_.same_in_all(e->b)) {
        others = true;
      }
    }
    for (ExprP part : {e->a, e->b, e->c}) loads(s, part);
  }

  /// A store that every iteration executes, to an array that the loop does not access otherwise.
  void store(const Stmt& s) {
    auto* n = std::get_if<Store>(&s.node);
    if (!n || n->base->kind != Expr::Kind::Var || touched_[n->base->var] != 1) return;
    auto run = run_of(n->base, n->offset, n->value->type);
    if (!run) return;
    run->store = &s;
    runs.push_back(std::move(*run));
  }

  std::optional<Run> run_of(ExprP base, ExprP offset, Scalar type) {
    if (!offset || offset->kind != Expr::Kind::At || offset->ival != 0 || base->kind != Expr::Kind::Var) return {};
    if (type == Scalar::Bool || type == Scalar::Ptr || scalar_bytes(type) < 4) return {};
    const bool array = std::any_of(fn_.arrays.begin(), fn_.arrays.end(), [&](const ArrayVars& a) {
      return a.data == base->var && a.element_bytes() == scalar_bytes(type);
    });
    if (!array) return {};
    Run run{base->var, type, {}, {}};
    bool unit = false;
    for (ExprP axis = offset; axis; axis = axis->c) {
      auto index = affine_.linear(axis->a);
      if (!index || !index->whole.empty() || !affine_.same_in_all(axis->b)) return {};
      const DimSet dims = dims_.of(index->base);
      if (is_int(index->step, 1) && is_int(axis->b, scalar_bytes(type)) && !unit) {
        // Work-items that begin at different positions of a row would not all find their vectors aligned.
        if (dims != 0) return {};
        unit = true;
      } else if (!is_int(index->step, 0)) {
        return {};
      }
      run.apart = run.apart || (dims & 1) != 0;
      run.index.push_back(*index);
      run.stride.push_back(axis->b);
    }
    return unit ? std::optional(run) : std::nullopt;
  }

  std::optional<Run> constant_run(ExprP load) {
    return dims_.is_constant_load(load) ? run_of(load->a, load->b, load->type) : std::nullopt;
  }
  /// The index of an equal run; the number of runs if there is none.
  size_t place_of(const Run& run) const {
    const auto equal = [&](const Run& r) {
      bool all = r.data == run.data && r.type == run.type && r.index.size() == run.index.size();
      for (size_t d = 0; all && d < r.index.size(); ++d)
        all = same(r.index[d].base, run.index[d].base) && same(r.index[d].step, run.index[d].step) && same(r.stride[d], run.stride[d]);
      return all;
    };
    return static_cast<size_t>(std::find_if(runs.begin(), runs.end(), equal) - runs.begin());
  }

  const Function& fn_;
  const DimDependence& dims_;
  Affine affine_;
  std::map<VarId, int> touched_;  ///< by data variable, how often its array is accessed
};

class Strips {
 public:
  Strips(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), dims_(kernel, true) {}

  void run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body); });
  }

 private:
  static bool has_loops(const Block& b) {
    return std::any_of(b.begin(), b.end(), [](const Stmt& s) {
      if (std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node)) return true;
      const auto inside = parts(s);
      return std::any_of(inside.begin(), inside.end(), [](const Block* p) { return has_loops(*p); });
    });
  }

  void block(Block& b) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      if (auto* n = std::get_if<CountedLoop>(&s.node); n && !has_loops(n->body)) {
        loop(*n);
        continue;
      }
      for (Block* p : parts(s)) *p = out_.collect([&] { block(*p); });
      out_.block->push_back(std::move(s));
    }
  }

  void loop(CountedLoop& n) {
    Block before;
    std::optional<Runs> found;
    before = out_.collect([&] { found.emplace(out_, dims_, n); });
    const std::vector<Run>& runs = found->runs;
    const bool few = n.lo->kind == Expr::Kind::IntConst && n.hi->kind == Expr::Kind::IntConst && n.hi->ival - n.lo->ival < fewest_turns;
    const bool gains = !found->others || std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.apart; });
    if (runs.empty() || !found->fits || few || !gains) return out_.emit(std::move(n));
    int64_t largest = 4;
    for (const Run& r : runs) largest = std::max<int64_t>(largest, scalar_bytes(r.type));
    const int64_t width = vector_bytes / largest;
    // Several vectors, so that many loads are outstanding at the same time.
    const int64_t size = nodes(n.body) * width;
    const int64_t slow = std::count_if(runs.begin(), runs.end(), is_slow);
    int64_t vectors = n.unroll ? 1 : slow == 0 ? 2 : most_vectors;
    while (vectors > 1 && (vectors * slow > most_vectors || vectors * size > most_nodes)) vectors /= 2;
    if (nodes_ + size * vectors > most_in_kernel) return out_.emit(std::move(n));
    nodes_ += size * vectors;
    out_.append(std::move(before));
    emit(n, *found, width, vectors);
  }

  /// The address of a run's element in iteration k.
  ExprP at(const Run& r, ExprP k) {
    std::vector<ExprP> index;
    for (const Linear& i : r.index) index.push_back(is_int(i.step, 0) ? i.base : x_.add(i.base, k));
    return x_.at(index, r.stride);
  }

  void emit(CountedLoop& n, const Runs& found, int64_t width, int64_t vectors) {
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    // The bounds keep the values from before the loop, whatever its body assigns.
    const auto changed = assignments(n.body);
    const auto fixed = [&](ExprP e, const char* end) {
      return is_const(e) || (e->kind == Expr::Kind::Var && !changed.count(e->var)) ? e : out_.temp(e, (name + end).c_str());
    };
    const ExprP lo = fixed(n.lo, ".lo"), hi = fixed(n.hi, ".hi");
    // The difference of two bounds may overflow.
    ExprP whole = x_.both(x_.gt(hi, lo), x_.gt(x_.sub(hi, lo), x_.int_const(0)));
    for (const Run& r : found.runs) {
      Expr aligned{Expr::Kind::Aligned, Scalar::Bool};
      aligned.ival = width * scalar_bytes(r.type);
      aligned.a = x_.var(r.data, Scalar::Ptr);
      aligned.b = at(r, lo);
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
    const ExprP base = x_.var(r.data, Scalar::Ptr), offset = at(r, x_.add(start, x_.int_const(v * width)));
    const auto first = elements.begin() + v * width;
    if (!r.store) return out_.emit(LoadVector{{first, first + width}, base, offset});
    StoreVector store{{}, base, offset};
    for (int64_t e = 0; e < width; ++e) store.values.push_back(x_.var(first[e], r.type));
    out_.emit(std::move(store));
  }

  /// The iterations of a strip. Loads that differ between work-items take longest, and come first.
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
    for (int64_t v = 0; v < vectors; ++v) each(v, is_slow);
    if (vectors > 1 && std::any_of(found.runs.begin(), found.runs.end(), is_slow)) out_.emit(Fence{});
    for (int64_t v = 0; v < vectors; ++v) {
      each(v, [](const Run& r) { return !r.store && !r.apart; });
      for (int64_t e = v * width; e < (v + 1) * width; ++e) {
        out_.set(n.var, x_.add(start, x_.int_const(e)));
        for (const Stmt& s : n.body) {
          const Restore place(out_.place, s.place);
          statement(s, found, elements, static_cast<size_t>(e));
        }
      }
      each(v, [](const Run& r) { return r.store != nullptr; });
    }
  }

  void statement(const Stmt& s, const Runs& found, const Elements& elements, size_t turn) {
    Stmt copy = copied(s, found, elements, turn);
    for (size_t k = 0; k < found.runs.size(); ++k)
      if (found.runs[k].store == &s) return out_.set(elements[k][turn], std::get<Store>(copy.node).value);
    out_.block->push_back(std::move(copy));
  }
  Stmt copied(const Stmt& s, const Runs& found, const Elements& elements, size_t turn) {
    Stmt copy = s;
    each_expr_of(copy, [&](ExprP& e) { e = with_elements(e, s, found, elements, turn); });
    const auto from = parts(s);
    const auto to = parts(copy);
    for (size_t p = 0; p < from.size(); ++p)
      for (size_t k = 0; k < from[p]->size(); ++k) (*to[p])[k] = copied((*from[p])[k], found, elements, turn);
    return copy;
  }
  ExprP with_elements(ExprP e, const Stmt& s, const Runs& found, const Elements& elements, size_t turn) {
    if (!e || is_simple(e)) return e;
    if (auto it = found.of.find({&s, e}); it != found.of.end()) return x_.var(elements[it->second][turn], e->type);
    return with_parts(x_, e, [&](ExprP part) { return with_elements(part, s, found, elements, turn); });
  }

  Exprs& x_;
  Writer out_;
  const DimDependence dims_;
  int64_t nodes_ = 0;  ///< of strips so far
};

bool fails(const Block& b) {
  return std::any_of(b.begin(), b.end(), [](const Stmt& s) {
    if (std::holds_alternative<Fail>(s.node)) return true;
    const auto inside = parts(s);
    return std::any_of(inside.begin(), inside.end(), [](const Block* p) { return fails(*p); });
  });
}

}  // namespace

void strip(Module& m, const PassOptions& options) {
  if (!options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->lanes.empty() && !fails(f->body)) Strips(x, *f).run();
}

}  // namespace vr::lower
