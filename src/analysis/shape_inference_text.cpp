// Counts and prints the results of shape inference.
#include "analysis/accesses.hpp"
#include "analysis/shape_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vr::analysis {

using namespace ir;

const ShapeValue& ShapeInference::value(const Function& f, const ShapeState& s, SymbolId id) const {
  const auto& all = f.symbols.all();
  const auto it = std::lower_bound(all.begin(), all.end(), id, [](const Symbol& v, SymbolId i) { return v.id < i; });
  return *s.variables[static_cast<size_t>(it - all.begin())];
}

ShapeInference::Known ShapeInference::known(const Function& f) const {
  Known r;
  const Accesses all(f, statements);
  for (int k = 0; k < statements.count(); ++k) {
    const auto n = static_cast<size_t>(k);
    if (!before[n].reached) continue;
    std::set<int> seen;
    for (const Access& a : all.of(k, Part::Whole)) {
      const bool made = a.kind == Access::Kind::Assign;
      const ShapeState& s = made && after[n].reached ? after[n] : before[n];
      const ShapeValue& v = *s.variables[static_cast<size_t>(a.variable)];
      if (v.kind != ShapeValue::Kind::Array || !seen.insert(2 * a.variable + made).second) continue;
      ++r.uses;
      r.known += v.array.known();
    }
  }
  return r;
}

std::string ShapeInference::text(const Function& f) const {
  const Accesses all(f, statements);
  std::string out = list_statements(f, statements, [&](int k) {
    const auto n = static_cast<size_t>(k);
    const Kind kind = statements.at(k).stmt->kind;
    if (kind == Kind::StmtList || kind == Kind::Break || kind == Kind::Continue) return std::string();
    if (!before[n].reached) return std::string("never");
    const bool loop = kind == Kind::For || kind == Kind::PFor;
    const ShapeState& s = loop || kind == Kind::Assign ? after[n] : before[n];
    if (!s.reached) return std::string("no iteration");
    std::string note;
    std::set<int> seen;
    for (const Access& a : all.of(k, loop ? Part::Iterate : Part::Whole)) {
      if (a.kind == Access::Kind::Use && kind != Kind::Return) continue;
      if (!seen.insert(a.variable).second) continue;
      note += fmt::format("{}{} {}", note.empty() ? "" : ", ",
                          variable_text(f, f.symbols.all()[static_cast<size_t>(a.variable)].id),
                          s.variables[static_cast<size_t>(a.variable)]->text());
    }
    return note;
  });
  const Known k = known(f);
  out += fmt::format("uses of arrays with known extents: {} of {}\n", k.known, k.uses);
  if (assumed + refuted > 0)
    out += fmt::format("stores taken not to grow: {}, given up: {}, rounds: {}\n", assumed, refuted, rounds);
  return out;
}

}  // namespace vr::analysis
