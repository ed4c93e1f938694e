#include "analysis/region_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace vr::analysis {

using namespace ir;

namespace {

/// "A", or "#3" if the name is not unique among the parameters, or cannot be parsed.
std::string parameter_text(const Function& f, size_t k) {
  const std::string& name = f.symbols.at(f.args[k]).name;
  const auto same =
      std::count_if(f.args.begin(), f.args.end(), [&](SymbolId a) { return f.symbols.at(a).name == name; });
  const bool word = !name.empty() && name[0] != '#' && name.find_first_of("= \t\r\n") == std::string::npos;
  return word && same == 1 ? name : fmt::format("#{}", f.args[k]);
}

std::optional<size_t> find_parameter(const Function& f, std::string_view name) {
  for (size_t k = 0; k < f.args.size(); ++k)
    if (f.symbols.at(f.args[k]).name == name || fmt::format("#{}", f.args[k]) == name) return k;
  return {};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  bool starts_with(char c) const { return !rest_.empty() && rest_[0] == c; }
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool number(int64_t* to) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *to);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }
  /// Numbers separated by commas, then the character `close`, unless that is 0; with `close` the list may be empty.
  bool numbers(std::vector<int64_t>* to, char close) {
    if (close && take(close)) return true;
    do {
      if (!number(&to->emplace_back())) return false;
    } while (take(','));
    return !close || take(close);
  }

 private:
  std::string_view rest_;
};

bool parse(Reader r, ParameterFacts* p) {
  int64_t group = 0;
  if (r.take('[')) {
    if (!r.numbers(&p->extents.emplace(), ']')) return false;
    if (r.take('{') && !r.numbers(&p->values.emplace(), '}')) return false;
    if (r.take(':') && !r.numbers(&p->strides.emplace(), 0)) return false;
  } else if (!r.starts_with('@')) {
    return r.number(&p->values.emplace(1).front()) && r.done();
  }
  if (r.take('@')) {
    if (!r.number(&group) || group < 0 || group > 1'000'000) return false;
    p->alias_group = static_cast<int>(group);
  }
  return r.done();
}

bool in_type(int64_t v, const Type& t) {
  if (!is_float(t.elem)) return v == wrap(v, t.elem) && (v >= 0 || !is_unsigned(t.elem));
  return t.elem == Elem::Float64 && t.is_scalar() && v >= -(int64_t{1} << 53) && v <= int64_t{1} << 53;
}

std::string misfit(const ParameterFacts& p, const Type& t) {
  const bool any = p.extents || p.strides || p.values || p.alias_group != -1;
  if (!any) return "";
  if (!t.is_scalar() && !t.is_array()) return "is neither a number nor an array";
  if (t.is_scalar() && (p.extents || p.strides || p.alias_group != -1)) return "is a number";
  if (t.is_array() && !p.extents && (p.strides || p.values)) return "is an array, whose extents must be given";
  size_t count = 1;
  if (p.extents) {
    if (p.extents->size() != t.rank) return fmt::format("has {} dimensions, not {}", t.rank, p.extents->size());
    for (int64_t n : *p.extents) {
      if (n < 0) return "has a negative extent";
      count = n > 1'000'000 || count > 1'000'000 ? 1'000'001 : count * static_cast<size_t>(n);
    }
    if (p.strides && p.strides->size() != t.rank) return fmt::format("has {} strides", t.rank);
  }
  if (!p.values) return "";
  if (t.complex) return "is complex: its values cannot be known";
  if (t.is_array() && count > ParameterFacts::most_values)
    return fmt::format("has more than {} elements: their values cannot be known", ParameterFacts::most_values);
  if (p.values->size() != count) return fmt::format("has {} elements, not {}", count, p.values->size());
  for (int64_t v : *p.values)
    if (!in_type(v, t)) return fmt::format("cannot hold {}, or not so that it may be known", v);
  return "";
}

}  // namespace

const ParameterFacts& RegionFacts::of(size_t k) const {
  static const ParameterFacts nothing;
  return k < parameters.size() ? parameters[k] : nothing;
}

std::string RegionFacts::text(const Function& f) const {
  std::string out;
  for (size_t k = 0; k < f.args.size(); ++k) {
    const ParameterFacts& p = of(k);
    if (p == ParameterFacts{}) continue;
    out += fmt::format("{}{}=", out.empty() ? "" : " ", parameter_text(f, k));
    if (p.extents) out += fmt::format("[{}]", fmt::join(*p.extents, ","));
    if (p.values) out += fmt::format(fmt::runtime(p.extents ? "{{{}}}" : "{}"), fmt::join(*p.values, ","));
    if (p.strides) out += fmt::format(":{}", fmt::join(*p.strides, ","));
    if (p.alias_group != -1) out += fmt::format("@{}", p.alias_group);
  }
  return out;
}

Result<RegionFacts> parse_region_facts(const std::string& text, const Function& f) {
  RegionFacts facts;
  facts.parameters.resize(f.args.size());
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const size_t at = word.find('=');
    const auto k = find_parameter(f, std::string_view(word).substr(0, at));
    if (at == std::string::npos || !k)
      return make_error(Code::Usage, fmt::format("'{}' names no parameter of '{}'", word, f.name));
    ParameterFacts p;
    if (!parse(Reader(std::string_view(word).substr(at + 1)), &p))
      return make_error(Code::Usage, fmt::format("'{}' is not a fact: write m=100, A=[2,3], A=[2]{{4,5}}:8@1", word));
    facts.parameters[*k] = std::move(p);
  }
  if (std::string wrong = check_region_facts(facts, f); !wrong.empty()) return make_error(Code::Usage, wrong);
  return facts;
}

std::string check_region_facts(const RegionFacts& facts, const Function& f) {
  if (facts.parameters.size() > f.args.size())
    return fmt::format("'{}' has {} parameters, not {}", f.name, f.args.size(), facts.parameters.size());
  for (size_t k = 0; k < facts.parameters.size(); ++k)
    if (const std::string wrong = misfit(facts.parameters[k], f.symbols.at(f.args[k]).type); !wrong.empty())
      return fmt::format("parameter '{}' of '{}' {}", f.symbols.at(f.args[k]).name, f.name, wrong);
  return "";
}

}  // namespace vr::analysis
