// Loop interchange: the loop along which most accesses have unit stride becomes the innermost of its nest.
//
//   for j in [0, m) {                          if unlikely !(0 < m & 0 < n) { as written } else {
//     for i in [0, n) {                          for i in [0, n) {
//       store a[i, j by 8] = b[i, j by 8] * x      for j in [0, m) { store a[i, j by 8] = b[i, j by 8] * x }
//     }                                          }
//   }                                          }
//
// A nest fits if each loop but the innermost contains assignments and one loop, and all bounds are the same in all
// iterations. No dependence may change its direction: an element is computed by the same operations in the same order.
// After the nest its variables have the values of the last iteration, which is the same in every order if there is one.
#include "loop/transform/interchange.hpp"

#include "loop/analysis/distinct.hpp"
#include "loop/analysis/nest.hpp"
#include "loop/replace.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace vr::lower {

namespace {

constexpr size_t most_loops = 3;
constexpr size_t most_interchanged_statements = 24;

/// The loops of a nest from outside, with the assignments in front of each inner one.
struct Nest {
  std::vector<const CountedLoop*> loops;
  std::vector<const SetVar*> assignments;
  /// The bounds as expressions in front of the nest.
  std::vector<std::array<ExprP, 2>> bounds;
  size_t depth() const { return loops.size(); }
  const Block& body() const { return loops.back()->body; }
};

class Interchange {
 public:
  explicit Interchange(Writer& out) : out_(out), x_(out.x) {}

  void block(Block& b) {
    replace_statements(out_, b, [&](Stmt& s) {
      auto* n = std::get_if<CountedLoop>(&s.node);
      return n && write(*n);
    });
  }

 private:
  bool write(const CountedLoop& outermost) {
    const auto nest = find(outermost);
    if (!nest) return false;
    const NestDependences d(out_.fn, outermost);
    if (!d.known) return false;
    const size_t best = along_rows(out_.fn, *nest, d);
    if (best + 1 == nest->depth()) return false;
    if (!can_be_vectors(d, nest->depth(), best)) return false;
    std::vector<size_t> order = updates_inside(*nest, d, best);
    if (!keeps_order(d, nest->depth(), order)) {
      std::sort(order.begin(), order.end() - 1);
      if (!keeps_order(d, nest->depth(), order)) return false;
    }
    const size_t vars = out_.fn.vars.size();
    ExprP distinct = nullptr;
    Block shared = out_.collect([&] { distinct = distinct_elements(out_, d); });
    if (!distinct) {
      out_.fn.vars.resize(vars);
      return false;
    }
    out_.append(std::move(shared));
    emit(*nest, order, distinct, outermost);
    return true;
  }

  std::optional<Nest> find(const CountedLoop& outermost) const {
    Nest nest;
    LinearForms forms(out_.fn, outermost);
    std::map<VarId, ExprP> values;
    size_t statements = 0;
    for (const CountedLoop* n = &outermost; n;) {
      if (!is_plain(*n) || !forms.is_invariant(n->lo) || !forms.is_invariant(n->hi) || nest.depth() == most_loops)
        return {};
      nest.loops.push_back(n);
      nest.bounds.push_back({substituted(x_, n->lo, values), substituted(x_, n->hi, values)});
      if (n != &outermost) forms.enter(*n);
      statements += n->body.size();
      if (is_leaf(*n)) break;
      const CountedLoop* inner = nullptr;
      for (const Stmt& s : n->body) {
        if (inner) return {};  // nothing follows the inner loop
        if (auto* set = std::get_if<SetVar>(&s.node)) {
          nest.assignments.push_back(set);
          if (!record_value(x_, values, set->var, set->value)) return {};
          forms.execute(*set);
        } else if (!(inner = std::get_if<CountedLoop>(&s.node))) {
          return {};
        }
      }
      n = inner;
    }
    if (nest.depth() < 2 || statements > most_interchanged_statements) return {};
    // A variable that one iteration hands to the next would come from an iteration of another loop.
    for (const CountedLoop* n : nest.loops)
      if (!read_before_assigned(out_.fn, n->body).empty()) return {};
    return nest;
  }

  /// The loop along which most accesses have unit stride; the innermost one if there is no better one.
  static size_t along_rows(const Function& fn, const Nest& nest, const NestDependences& d) {
    std::vector<int> units(nest.depth(), 0);
    for (const NestAccess& a : d.accesses)
      if (const auto axis = unit_stride_axis(fn, a); axis && a.subscripts[*axis])
        for (size_t k = 0; k < nest.depth(); ++k)
          if (const auto it = a.subscripts[*axis]->terms.find(nest.loops[k]->var);
              it != a.subscripts[*axis]->terms.end())
            units[k] += it->second == 1 || it->second == -1;
    size_t best = nest.depth() - 1;
    for (size_t k = 0; k < nest.depth(); ++k)
      if (units[k] > units[best]) best = k;
    return best;
  }

  /// Whether no iteration of the loop waits for another one as the innermost loop. Where one does, several iterations
  /// of the loop around it can run together instead (jam).
  static bool can_be_vectors(const NestDependences& d, size_t depth, size_t innermost) {
    return std::all_of(d.all.begin(), d.all.end(), [&](const Dependence& one) {
      if (one.distance.size() != depth || one.distance[innermost] == 0) return one.distance.size() == depth;
      for (size_t k = 0; k < depth; ++k)
        if (k != innermost && one.distance[k] && *one.distance[k] != 0) return true;
      return false;
    });
  }
  /// The loop order with that loop as the innermost, and around it those whose iterations store to the same elements
  /// (jam).
  static std::vector<size_t> updates_inside(const Nest& nest, const NestDependences& d, size_t innermost) {
    auto is_update = [&](size_t k) {
      return std::none_of(d.accesses.begin(), d.accesses.end(), [&](const NestAccess& a) {
        return a.is_store() && std::any_of(a.subscripts.begin(), a.subscripts.end(), [&](const auto& f) {
                 return !f || f->terms.count(nest.loops[k]->var) != 0;
               });
      });
    };
    std::vector<size_t> order;
    for (bool update : {false, true})
      for (size_t k = 0; k < nest.depth(); ++k)
        if (k != innermost && is_update(k) == update) order.push_back(k);
    order.push_back(innermost);
    return order;
  }

  /// Whether every dependence from an earlier to a later iteration is still one.
  static bool keeps_order(const NestDependences& d, size_t depth, const std::vector<size_t>& order) {
    return std::all_of(d.all.begin(), d.all.end(), [&](const Dependence& one) {
      // Assignments in front of inner loops move into them.
      if (one.distance.size() != depth || d.accesses[one.first].loops.size() != depth ||
          d.accesses[one.second].loops.size() != depth)
        return false;
      std::vector<int> signs(depth, 0);
      return all_signs(one, signs, 0, order);
    });
  }
  /// For each way in which the unknown distances may be negative, zero or positive: the first that is not zero must
  /// have the same sign in both orders.
  static bool all_signs(const Dependence& d, std::vector<int>& signs, size_t k, const std::vector<size_t>& order) {
    if (k == signs.size()) {
      auto first = [&](auto&& at) {
        for (size_t i = 0; i < signs.size(); ++i)
          if (signs[at(i)] != 0) return signs[at(i)];
        return 0;
      };
      return first([](size_t i) { return i; }) == first([&](size_t i) { return order[i]; });
    }
    if (d.distance[k]) {
      signs[k] = *d.distance[k] < 0 ? -1 : *d.distance[k] > 0;
      return all_signs(d, signs, k + 1, order);
    }
    for (int sign : {-1, 0, 1}) {
      signs[k] = sign;
      if (!all_signs(d, signs, k + 1, order)) return false;
    }
    return true;
  }

  static void rarely(Block& b) {
    for (Stmt& s : b) {
      if (auto* n = std::get_if<CountedLoop>(&s.node)) n->fallback = true;
      for (Block* p : parts(s)) rarely(*p);
    }
  }
  void emit(const Nest& nest, const std::vector<size_t>& order, ExprP some, const CountedLoop& as_written) {
    Block body;
    for (const SetVar* s : nest.assignments) body.push_back({*s, out_.place});
    body.insert(body.end(), nest.body().begin(), nest.body().end());
    std::vector<std::array<ExprP, 2>> bounds;
    for (const auto& [lo, hi] : nest.bounds) {
      bounds.push_back({out_.keep(lo, "lo"), out_.keep(hi, "hi")});
      some = x_.both(some, x_.lt(bounds.back()[0], bounds.back()[1]));
    }
    for (size_t k = order.size(); k-- > 0;) {
      CountedLoop loop = *nest.loops[order[k]];
      loop.lo = bounds[order[k]][0];
      loop.hi = bounds[order[k]][1];
      loop.independent = false;
      loop.body = std::move(body);
      body.clear();
      body.push_back({std::move(loop), out_.place});
    }
    if (is_true(some)) return out_.append(std::move(body));
    Block otherwise;
    otherwise.push_back({as_written, out_.place});
    rarely(otherwise);
    out_.emit(If{x_.not_(some), std::move(otherwise), std::move(body), true});
  }

  Writer& out_;
  Exprs& x_;
};

}  // namespace

void interchange(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  rewrite_cpu_functions(m, [&](Writer& out, Block& body) { Interchange(out).block(body); });
}

}  // namespace vr::lower
