#include "analysis/reaching_defs.hpp"

#include "analysis/accesses.hpp"

#include <algorithm>

namespace vr::analysis {

namespace {

/// Facts: the definitions that may have happened last. Those of one variable have neighbouring numbers, so that an
/// assignment removes a range.
class ReachingDefsProblem {
 public:
  using State = Bits;

  ReachingDefsProblem(const ir::Function& f, ReachingDefs& out)
      : out_(out), accesses_(f, out.statements), first_(static_cast<size_t>(accesses_.variables()) + 1) {
    const auto& symbols = f.symbols.all();
    std::vector<std::vector<Definition>> of(symbols.size());
    for (size_t v = 0; v < symbols.size(); ++v) of[v].push_back({symbols[v].id, -1, false});
    for (int k = 0; k < out.statements.count(); ++k)
      for (Part part : {Part::Whole, Part::Iterate})
        for (const Access& a : accesses_.of(k, part)) {
          if (a.kind == Access::Kind::Use) continue;
          auto& list = of[static_cast<size_t>(a.variable)];
          const bool element = a.kind == Access::Kind::Store;
          const bool known = std::any_of(list.rbegin(), list.rbegin() + std::min<ptrdiff_t>(2, std::ssize(list)),
                                         [&](auto& d) { return d.statement == k && d.element == element; });
          if (!known) list.push_back({symbols[static_cast<size_t>(a.variable)].id, k, element});
        }
    for (size_t v = 0; v < of.size(); ++v) {
      first_[v + 1] = first_[v] + of[v].size();
      out.definitions.insert(out.definitions.end(), of[v].begin(), of[v].end());
    }
    elements_ = nothing();
    for (size_t d = 0; d < out.definitions.size(); ++d)
      if (out.definitions[d].element) elements_.set(d);
  }

  State nothing() { return Bits(out_.definitions.size()); }
  State start() {
    State s = nothing();
    for (size_t v = 0; v + 1 < first_.size(); ++v) s.set(first_[v]);
    return s;
  }
  bool join(State& into, const State& s) { return into.join(s); }

  void transfer(int number, Part part, State& s) {
    auto& uses = out_.uses[static_cast<size_t>(number)];
    if (part != Part::Iterate) uses.clear();
    for (const Access& a : accesses_.of(number, part)) {
      const auto v = static_cast<size_t>(a.variable);
      const size_t begin = first_[v], end = first_[v + 1];
      if (a.kind == Access::Kind::Use) {
        note(uses, out_.definitions[begin].variable, s, begin, end);
        continue;
      }
      const bool element = a.kind == Access::Kind::Store;
      if (!s.any(begin, end)) continue;  // no value: the point is unreachable
      if (!element) s.reset(begin, end);
      s.set(number_of(begin, end, number, element));
    }
    if (part != Part::Iterate)
      std::sort(uses.begin(), uses.end(), [](auto& a, auto& b) { return a.variable < b.variable; });
  }

  // After an iteration private variables have their values from before the loop; stores to elements remain.
  void leave_iteration(int, const State& around, State& s) {
    s.keep(elements_);
    s.join(around);
  }

 private:
  static void note(std::vector<ReachingDefs::Use>& uses, ir::SymbolId id, const State& s, size_t begin, size_t end) {
    ReachingDefs::Use use{id, {}, false};
    s.each_while(begin, end, [&](size_t d) {
      use.many = use.definitions.size() == ReachingDefs::most_listed;
      if (!use.many) use.definitions.push_back(static_cast<int>(d));
      return !use.many;
    });
    for (auto& u : uses) {
      if (u.variable != id) continue;
      std::vector<int> both;
      std::set_union(u.definitions.begin(), u.definitions.end(), use.definitions.begin(), use.definitions.end(),
                     std::back_inserter(both));
      u.definitions = std::move(both);
      u.many = u.many || use.many;
      return;
    }
    uses.push_back(std::move(use));
  }
  size_t number_of(size_t begin, size_t end, int statement, bool element) const {
    const auto first = out_.definitions.begin();
    auto it = std::lower_bound(first + static_cast<ptrdiff_t>(begin), first + static_cast<ptrdiff_t>(end), statement,
                               [](const Definition& d, int k) { return d.statement < k; });
    while (it->element != element) ++it;
    return static_cast<size_t>(it - first);
  }

  ReachingDefs& out_;
  Accesses accesses_;
  std::vector<size_t> first_;  ///< of each variable, its first definition's number; and the number of all
  Bits elements_;
};

}  // namespace

ReachingDefs reaching_defs(const ir::Function& f) {
  ReachingDefs r{Statements(f.body), {}, {}};
  r.uses.resize(static_cast<size_t>(r.statements.count()));
  ReachingDefsProblem p(f, r);
  flow_forward(p, r.statements, p.start());
  return r;
}

const ReachingDefs::Use* ReachingDefs::use(int statement, ir::SymbolId variable) const {
  const auto& list = uses[static_cast<size_t>(statement)];
  auto it = std::lower_bound(list.begin(), list.end(), variable, [](const Use& u, auto id) { return u.variable < id; });
  return it == list.end() || it->variable != variable ? nullptr : &*it;
}

std::string ReachingDefs::text(const ir::Function& f) const {
  return list_statements(f, statements, [&](int k) {
    std::string line;
    for (const Use& u : uses[static_cast<size_t>(k)]) {
      line += (line.empty() ? "" : "; ") + variable_text(f, u.variable) + ":";
      if (u.definitions.empty()) line += " unreached";
      if (u.many) line += " many:";
      for (int d : u.definitions) {
        const Definition& def = definitions[static_cast<size_t>(d)];
        const bool argument = std::find(f.args.begin(), f.args.end(), u.variable) != f.args.end();
        line += def.statement >= 0 ? " " + std::to_string(def.statement) + (def.element ? "[]" : "")
                : argument         ? " argument"
                                   : " start";
      }
    }
    return line;
  });
}

}  // namespace vr::analysis
