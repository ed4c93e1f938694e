#include "analysis/live_vars.hpp"

#include "analysis/accesses.hpp"

#include <map>

namespace vr::analysis {

namespace {

class LiveVarsProblem {
 public:
  using State = Bits;

  LiveVarsProblem(const ir::Function& f, LiveVars& out) : out_(out), accesses_(f, out.statements), sharing_(f) {
    out.before.assign(static_cast<size_t>(out.statements.count()), nothing());
    out.after = out.before;
  }
  State nothing() { return Bits(static_cast<size_t>(accesses_.variables())); }
  bool join(State& into, const State& s) { return into.join(s); }

  void transfer(int number, Part part, State& s) {
    const auto n = static_cast<size_t>(number);
    if (part == Part::Whole) out_.after[n] = s;
    const std::vector<Access>& list = accesses_.of(number, part);
    for (size_t k = list.size(); k-- > 0;) {
      if (list[k].kind == Access::Kind::Assign)
        s.reset(static_cast<size_t>(list[k].variable));
      else
        s.set(static_cast<size_t>(list[k].variable));
    }
    if (part != Part::Iterate) out_.before[n] = s;
  }

  // Variables private to an iteration are dead at the iteration's end.
  void leave_iteration(int number, const State&, State& s) {
    auto it = own_.find(number);
    if (it == own_.end()) {
      const auto& loop = static_cast<const ir::PFor&>(*out_.statements.at(number).stmt);
      it = own_.emplace(number, own_variables(loop, sharing_, accesses_)).first;
    }
    s.remove(it->second);
  }

 private:
  LiveVars& out_;
  Accesses accesses_;
  ir::SharingAnalysis sharing_;
  std::map<int, Bits> own_;  ///< of each pfor
};

}  // namespace

LiveVars live_vars(const ir::Function& f) {
  LiveVars r{Statements(f.body), {}, {}};
  LiveVarsProblem p(f, r);
  flow_backward(p, r.statements, p.nothing());
  return r;
}

std::string LiveVars::text(const ir::Function& f) const {
  return list_statements(f, statements, [&](int k) {
    std::string line;
    before[static_cast<size_t>(k)].each(
        [&](size_t v) { line += (line.empty() ? "" : " ") + variable_text(f, f.symbols.all()[v].id); });
    return line;
  });
}

}  // namespace vr::analysis
