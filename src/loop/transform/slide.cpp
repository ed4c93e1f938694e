// slide: serial loops of kernels keep elements that the next iterations load again in variables.
//
//   for l in 0 .. n {                     w0 = a[x]; w1 = a[x + 1]; w2 = a[x + 2]; w3 = a[x + 3]
//     s0 = s0 + a[x + l] * f[l]           for l.strip in 0 .. (n - 1) / 4 {
//     s1 = s1 + a[x + 1 + l] * f[l]         l.first = l.strip * 4
//     s2 = s2 + a[x + 2 + l] * f[l]         w4 = a[x + l.first + 4]; ...; w7 = a[x + l.first + 7]
//     s3 = s3 + a[x + 3 + l] * f[l]         s0 = s0 + w0 * f[l.first]; ...; s3 = s3 + w3 * f[l.first]
//   }                                       s0 = s0 + w1 * f[l.first + 1]; ...; s3 = s3 + w4 * f[l.first + 1]
//                                           ...
//                                           w0 = w4; w1 = w5; w2 = w6; w3 = w7
//                                         }
//                                         for l in (n - 1) / 4 * 4 .. n {
//                                           w3 = a[x + 3 + l]; ...; w0 = w1; w1 = w2; w2 = w3
//                                         }
//
// A window of variables moves along each line of elements. Where consecutive iterations load consecutive elements the
// window grows to a multiple of four, so that its loads become aligned vectors (vectors.hpp); strips then stop earlier,
// because the last one must not load elements that no iteration loads.
#include "loop/transform/slide.hpp"

#include "loop/analysis/nest.hpp"
#include "loop/analysis/sliding.hpp"
#include "loop/transform/loop_bounds.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace vr::lower {

namespace {

constexpr int64_t least_strip = 4, most_strip = 8;  // iterations
constexpr int64_t most_span = 16;                   // elements in a window
constexpr int64_t most_slide_nodes = 2400;          // nodes of expressions
constexpr int64_t aligned_elements = 4;             // a vector has at most so many

/// Loops that store wait for memory: strips of many loads suit them better (strip.hpp).
bool fits(const Block& b) {
  return !any_statement(b, [](const Stmt& s) {
    return !std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<If>(s.node) &&
           !std::holds_alternative<AliasGroup>(s.node);
  });
}

/// A line of elements along which the loop moves.
struct Window {
  SlidingGroup group;
  Scalar type;
  ExprP base, offset;  ///< of the load at position 0, in terms of the loop's variable and what it does not change
  int64_t held = 0;    ///< elements in variables between strips
  std::vector<VarId> elements = {};  ///< of the variables; those of the rest loop at least
};

class Slides {
 public:
  Slides(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), dims_(kernel, true) {}

  void run() {
    Polynomials values(out_.fn);
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body, std::move(values)); });
  }

 private:
  void block(Block& b, Polynomials values) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      auto* n = std::get_if<CountedLoop>(&s.node);
      if (n && !n->spread && fits(n->body)) {
        const Stmt before = s;
        loop(s, values);
        values.execute(before);
        continue;
      }
      for (Block* p : parts(s)) *p = out_.collect([&] { block(*p, values.inside(s)); });
      values.execute(s);
      out_.block->push_back(std::move(s));
    }
  }

  void loop(Stmt& s, const Polynomials& values) {
    CountedLoop& n = std::get<CountedLoop>(s.node);
    const Sliding sliding(x_, dims_, s, values);
    std::vector<Window> windows = windows_of(n, sliding);
    int64_t longest = 0;
    for (const Window& w : windows) longest = std::max(longest, w.group.span);
    int64_t turns = longest > least_strip + 1 ? most_strip : least_strip;
    if (turns * nodes(n.body) > most_slide_nodes) turns = least_strip;
    if (windows.empty() || turns * nodes(n.body) > most_slide_nodes) {
      out_.block->push_back(std::move(s));
      return;
    }
    int64_t over = 0;  // elements that the last strip would load beyond those of the loop
    for (Window& w : windows) {
      const bool unit = is_number(sliding.loads[w.group.members[0].load].step, scalar_bytes(w.type));
      w.held = w.group.span - 1;
      if (unit) w.held = (w.held + aligned_elements - 1) / aligned_elements * aligned_elements;
      over = std::max(over, w.held + 1 - w.group.span);
      for (int64_t k = 0; k < std::max(w.held, w.group.span); ++k) w.elements.push_back(out_.new_var("window", w.type));
    }
    write(n, sliding, windows, turns, over);
  }

  /// The lines whose addresses can be written for every iteration.
  std::vector<Window> windows_of(const CountedLoop& n, const Sliding& sliding) {
    std::vector<SlidingGroup> groups = sliding.groups(most_span);
    if (groups.empty()) return {};
    const auto first_of = [&](const SlidingGroup& g) -> const SlidingLoad& { return sliding.loads[g.members[0].load]; };
    const std::map<VarId, int> changed = assignments(n.body);
    std::map<VarId, ExprP> known;
    std::map<std::pair<size_t, ExprP>, ExprP>
        offsets;  // of loads, by statement, without what the iteration computes in front of them
    for (size_t k = 0; k < n.body.size(); ++k) {
      for (const SlidingGroup& g : groups)
        if (const SlidingLoad& first = first_of(g); first.statement == k)
          offsets[{k, first.load}] = substituted(x_, first.load->b, known);
      auto* set = std::get_if<SetVar>(&n.body[k].node);
      if (set && changed.at(set->var) == 1 && !lower::loads(set->value)) record_value(x_, known, set->var, set->value);
    }
    std::vector<Window> all;
    for (SlidingGroup& group : groups) {
      const SlidingLoad& first = first_of(group);
      const ExprP offset = offsets.at({first.statement, first.load});
      const auto used = variables(offset);
      if (std::any_of(used.begin(), used.end(), [&](VarId v) { return changed.count(v) != 0; })) continue;
      all.push_back({std::move(group), first.load->type, first.load->a, offset});
    }
    return all;
  }

  ExprP element(const CountedLoop& n, const Window& w, ExprP iteration) {
    return x_.load(w.type, w.base, substituted(x_, w.offset, {{n.var, iteration}}));
  }

  /// One iteration, with `value` (window, position) in place of the loads of windows.
  template <class F>
  void iteration(const CountedLoop& n, const Sliding& sliding, const std::vector<Window>& windows, ExprP number,
                 const F& value) {
    std::map<std::pair<size_t, ExprP>, ExprP> instead;
    for (size_t k = 0; k < windows.size(); ++k)
      for (const auto& m : windows[k].group.members)
        instead[{sliding.loads[m.load].statement, sliding.loads[m.load].load}] = value(k, m.position);
    for (size_t k = 0; k < n.body.size(); ++k) {
      const Restore place(out_.place, n.body[k].place);
      Stmt copy = n.body[k];
      rewrite(copy, [&](ExprP e) -> ExprP {
        if (e->kind == Expr::Kind::Var) return e->var == n.var ? number : nullptr;
        const auto it = instead.find({k, e});
        return it == instead.end() ? nullptr : it->second;
      });
      out_.block->push_back(std::move(copy));
    }
  }
  template <class F>
  void rewrite(Stmt& s, const F& instead) {
    each_expr_of(s, [&](ExprP& e) { e = replaced(x_, e, instead); });
    for (Block* p : parts(s))
      for (Stmt& inner : *p) rewrite(inner, instead);
  }
  void write(CountedLoop& n, const Sliding& sliding, const std::vector<Window>& windows, int64_t turns, int64_t over) {
    const std::string name = out_.fn.vars[static_cast<size_t>(n.var)].name;
    const auto [lo, hi, some] = loop_bounds(out_, n);
    const ExprP whole = x_.binary(Op::Div, x_.sub(x_.sub(hi, lo), x_.int_const(over)), x_.int_const(turns));
    const ExprP strips = out_.temp(x_.select(some, whole, x_.int_const(0)), (name + ".strips").c_str());
    const auto load = [&](auto&& size) {
      return out_.collect([&] {
        for (const Window& w : windows)
          for (int64_t k = 0; k < size(w); ++k)
            out_.set(w.elements[static_cast<size_t>(k)], element(n, w, x_.add(lo, x_.int_const(k))));
      });
    };
    If start{x_.gt(strips, x_.int_const(0)), load([](const Window& w) { return w.held; }), {}};
    start.else_body.push_back({If{some, load([](const Window& w) { return w.group.span - 1; }), {}}, out_.place});
    out_.emit(std::move(start));

    CountedLoop strip = n;
    strip.var = out_.new_var(name + ".strip", Scalar::Int64);
    strip.lo = x_.int_const(0);
    strip.hi = strips;
    strip.unroll = 1;
    strip.body = out_.collect([&] {
      const ExprP first = out_.temp(x_.add(lo, x_.mul(x_.var(strip.var, Scalar::Int64), x_.int_const(turns))),
                                    (name + ".first").c_str());
      std::vector<std::vector<ExprP>> at;
      for (const Window& w : windows) {
        std::vector<ExprP>& line = at.emplace_back();
        for (int64_t k = 0; k < w.held; ++k) line.push_back(x_.var(w.elements[static_cast<size_t>(k)], w.type));
        for (int64_t k = w.held; k < w.held + turns; ++k)
          line.push_back(out_.temp(element(n, w, x_.add(first, x_.int_const(k))), "next"));
      }
      for (int64_t t = 0; t < turns; ++t)
        iteration(n, sliding, windows, out_.temp(x_.add(first, x_.int_const(t)), name.c_str()),
                  [&](size_t k, int64_t position) { return at[k][static_cast<size_t>(position + t)]; });
      for (size_t k = 0; k < windows.size(); ++k)
        for (int64_t e = 0; e < windows[k].held; ++e)
          out_.set(windows[k].elements[static_cast<size_t>(e)], at[k][static_cast<size_t>(e + turns)]);
    });
    out_.emit(std::move(strip));

    CountedLoop rest = n;
    rest.lo = out_.temp(x_.add(lo, x_.mul(strips, x_.int_const(turns))), (name + ".rest").c_str());
    rest.hi = hi;
    rest.unroll = 1;
    rest.body = out_.collect([&] {
      const ExprP number = x_.var(n.var, Scalar::Int64);
      const auto at = [&](const Window& w, int64_t k) { return w.elements[static_cast<size_t>(k)]; };
      for (const Window& w : windows)
        out_.set(at(w, w.group.span - 1), element(n, w, x_.add(number, x_.int_const(w.group.span - 1))));
      iteration(n, sliding, windows, number,
                [&](size_t k, int64_t position) { return x_.var(at(windows[k], position), windows[k].type); });
      for (const Window& w : windows)
        for (int64_t k = 0; k + 1 < w.group.span; ++k) out_.set(at(w, k), x_.var(at(w, k + 1), w.type));
    });
    out_.emit(std::move(rest));
  }

  Exprs& x_;
  Writer out_;
  const DimDependence dims_;
};

}  // namespace

void slide(Module& m, const PassOptions& options) {
  if (!options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->lanes.empty() && !has<Fail>(f->body) && f->team == 0 &&
        !has_blocks(*f))
      Slides(x, *f).run();
}

}  // namespace vr::lower
