#include "aot/versions.hpp"

#include "analysis/region_facts.hpp"
#include "transform/specialise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace vr::aot {

namespace {

/// The names in "A=[100,200] m=3".
std::vector<std::string> names_in(const std::string& facts) {
  std::vector<std::string> names;
  std::istringstream in(facts);
  for (std::string word; in >> word;) names.push_back(word.substr(0, word.find('=')));
  return names;
}

bool has_argument(const ir::Function& f, const std::string& name) {
  return std::any_of(f.args.begin(), f.args.end(), [&](ir::SymbolId id) {
    const ir::Symbol* s = f.symbols.find(id);
    return s && s->name == name;
  });
}

/// The conditions that the runtime tests at a call. No value: it cannot test one of the facts.
std::optional<std::vector<lower::PlainGuard>> guards_of(const analysis::RegionFacts& facts) {
  std::vector<lower::PlainGuard> guards;
  for (size_t k = 0; k < facts.parameters.size(); ++k) {
    const analysis::ParameterFacts& p = facts.parameters[k];
    const int arg = static_cast<int>(k);
    if (p.strides || p.alias_group >= 0 || (p.extents && p.values)) return std::nullopt;
    if (p.extents)
      for (size_t d = 0; d < p.extents->size(); ++d) guards.push_back({arg, static_cast<int>(d), (*p.extents)[d]});
    if (p.values) guards.push_back({arg, -1, p.values->front()});
  }
  return guards;
}

lower::Specialisation known_arguments(const std::string& name, const analysis::RegionFacts& facts, size_t count) {
  lower::Specialisation s{name, {}};
  for (size_t k = 0; k < count; ++k) s.args.push_back({facts.of(k).extents.value_or(std::vector<int64_t>()), {}, -1});
  return s;
}

}  // namespace

void Versions::restore_names(lower::Module& m) const {
  for (lower::Site& s : m.sites)
    if (const auto it = source.find(s.function); it != source.end()) s.function = it->second;
}

Result<Versions> add_versions(const ir::ModulePtr& module, const ir::Conventions& conventions,
                              const std::vector<std::string>& facts, std::vector<lower::PlainFunction>& plain) {
  Versions out;
  out.module = module;
  if (facts.empty()) return out;
  auto with = std::make_shared<ir::Module>(*module);
  for (lower::PlainFunction& p : plain) {
    const auto at = std::find_if(module->functions.begin(), module->functions.end(),
                                 [&](const ir::FunctionPtr& f) { return f->name == p.source_name; });
    if (at == module->functions.end()) return make_error(Code::Internal, "no function '" + p.source_name + "'");
    const ir::FunctionPtr& general = *at;
    for (const std::string& text : facts) {
      const std::vector<std::string> names = names_in(text);
      if (names.empty() ||
          !std::all_of(names.begin(), names.end(), [&](const std::string& n) { return has_argument(*general, n); }))
        continue;
      auto wrong = [&](const std::string& why) {
        return make_error(Code::Usage, fmt::format("--regions '{}' for function '{}': {}", text, general->name, why));
      };
      auto parsed = analysis::parse_region_facts(text, *general);
      if (!parsed) return wrong(parsed.error().message);
      const auto guards = guards_of(*parsed);
      if (!guards || guards->empty())
        return wrong("versions in libraries are for extents, A=[100,200], and whole numbers, m=3");
      auto version = std::make_shared<ir::Function>(*transform::specialise(general, *module, conventions, *parsed));
      version->region.reset();
      for (int n = 1; with->find(version->name); ++n) version->name = fmt::format("{}_v{}", general->name, n);
      out.known.push_back(known_arguments(version->name, *parsed, general->args.size()));
      out.source[version->name] = general->name;
      p.versions.push_back({lower::entry_symbol(version->name), *guards});
      with->functions.push_back(std::move(version));
      out.used.insert(text);
    }
  }
  out.module = with;
  return out;
}

}  // namespace vr::aot
