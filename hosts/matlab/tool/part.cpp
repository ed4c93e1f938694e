// Parts of functions at the command line: --part LINE takes the statement at that line by itself.
#include "part.hpp"

#include "run.hpp"

#include <stdexcept>

namespace vr::matlab {

namespace {

StmtPtr find(const Body& b, int line) {
  for (const StmtPtr& s : b) {
    if (s->pos.line == line) return s;
    for (const Body& inner : s->bodies)
      if (StmtPtr found = find(inner, line)) return found;
  }
  return nullptr;
}

}  // namespace

UnitPtr with_part(const Unit& unit, const std::string& function, int line) {
  const Function* f = unit.find(function);
  const StmtPtr s = f ? find(f->body, line) : nullptr;
  if (!s) throw std::runtime_error("there is no statement of '" + function + "' at line " + std::to_string(line));
  const Body body = {s};
  const Uses uses = uses_of(body);
  const std::string why = outside_of_parts(uses);
  if (!why.empty()) throw std::runtime_error(why);
  // Variables are what the function has as arguments or assigns to.
  std::set<std::string> variables = uses_of(f->body).writes;
  for (const Param& p : f->params) variables.insert(p.name);
  std::vector<std::string> params, outputs;
  for (const std::string& name : uses.reads)
    if (variables.count(name)) params.push_back(name);
  for (const std::string& name : uses.writes)
    if (!uses.temporaries.count(name)) outputs.push_back(name);
  auto out = std::make_shared<Unit>(unit);
  out->functions.push_back(part_function("vr_part", unit.file, s->pos, params, outputs, body));
  return out;
}

std::string part_text(const Unit& unit, const std::vector<Datum>& results) {
  const Function* f = unit.find("vr_part");
  std::string out = results[0].re.at(0) != 0 ? "returns\n" : "";
  for (size_t k = 0; k < f->outputs.size(); ++k) {
    out += f->outputs[k] + ": ";
    switch (static_cast<PartState>(static_cast<int>(results[2 * k + 2].re.at(0)))) {
      case PartState::Untouched:
        out += "untouched\n";
        break;
      case PartState::Assigned:
        out += text(results[2 * k + 1]) + "\n";
        break;
      case PartState::EmptyRange:
        out += "empty range of " + std::string(class_name(results[2 * k + 1].cls)) + "\n";
        break;
    }
  }
  return out;
}

}  // namespace vr::matlab
