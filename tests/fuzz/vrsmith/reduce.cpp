#include "reduce.hpp"

#include "edit.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/verify.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

namespace vr::smith {

std::string category(const Judgement& j) {
  if (j.verdict != Verdict::Mismatch) return "";
  const std::string& t = j.text;
  auto begins = [&](const char* s) { return t.rfind(s, 0) == 0; };
  if (begins("result ") || begins("input ")) {
    const bool element = t.find("element") != std::string::npos || t.find("wanted") == std::string::npos;
    return element || t.find('[') == std::string::npos ? "values" : "shape";
  }
  if (begins("crash") || begins("hangs") || begins("no engine") || begins("the process")) return t.substr(0, 20);
  if (begins("does not compile")) return t.substr(0, 40);
  if (t.find("blocks of storage") != std::string::npos) return "leak";
  auto word = [](const std::string& s) { return s.substr(0, s.find(' ')); };
  const size_t instead = t.find(" instead of ");
  if (instead == std::string::npos) return t;
  return word(t) + " / " + word(t.substr(instead + 12));
}

namespace {

class Reducer {
 public:
  Reducer(Program p, TargetSpec target, std::string wanted)
      : best_(std::move(p)), target_(target), wanted_(std::move(wanted)), cost_(cost(best_)) {}

  Program run() {
    bool again = true;
    for (int round = 0; again && round < 12; ++round) {
      const int64_t before = cost_;
      functions();
      signatures();
      statements_();
      expressions_();
      inputs();
      try_(without_places(best_));
      for (int k = 0; auto q = without_attribute(best_, k); ++k) try_(*q);
      try_(without_unused_symbols(best_));
      again = cost_ < before;
      fmt::print(stderr, "round {}: cost {}, {} tries\n", round, cost_, tries_);
    }
    for (size_t k = best_.inputs.size(); k-- > 0;)
      if (!spelled(best_.inputs[k]))
        if (auto q = baked_input(best_, k); q && still(*q)) best_ = *q, cost_ = cost(best_), statements_();
    return best_;
  }
  static bool spelled(const Input& in);

 private:
  bool still(const Program& q) {
    if (!ir::verify(*q.module).empty()) return false;
    ++tries_;
    return category(judge_isolated(q, {target_}, 10)) == wanted_;
  }
  bool try_(const Program& q) {
    const int64_t c = cost(q);
    if (c >= cost_ || !still(q)) return false;
    best_ = q;
    cost_ = c;
    return true;
  }
  void functions() {
    for (size_t k = best_.module->functions.size(); k-- > 0;)
      if (best_.module->functions[k]->name != best_.entry) try_(without_function(best_, k));
  }
  void signatures() {
    for (size_t f = 0; f < best_.module->functions.size(); ++f) {
      for (size_t k = best_.module->functions[f]->type.outputs().size(); k-- > 0;)
        if (auto q = without_result(best_, f, k)) try_(*q);
      for (size_t k = best_.module->functions[f]->args.size(); k-- > 0;)
        if (auto q = without_parameter(best_, f, k)) try_(*q);
    }
  }
  void statements_() {
    for (int size = std::max(1, statements(*best_.module) / 2); size >= 1; size /= 2)
      for (int k = statements(*best_.module) - size; k >= 0; k -= size) try_(without_statements(best_, k, size));
    for (int k = 0; k < statements(*best_.module); ++k)
      for (int which = 0; which < 2; ++which)
        if (auto q = unwrapped(best_, k, which)) try_(*q);
  }
  void expressions_() {
    for (int k = expressions(*best_.module) - 1; k >= 0; --k)
      for (int which = 0; which < 64; ++which) {
        auto q = simplified(best_, k, which);
        if (!q) break;
        if (try_(*q)) break;
      }
  }
  void inputs() {
    for (size_t k = 0; k < best_.inputs.size(); ++k) {
      if (spelled(best_.inputs[k])) continue;
      for (int which = 0; which < 8; ++which) {
        auto q = simpler_input(best_, k, which);
        if (!q) break;
        if (still(*q)) {
          best_ = *q;
          if (spelled(best_.inputs[k])) break;
        }
      }
    }
  }

  Program best_;
  TargetSpec target_;
  std::string wanted_;
  int64_t cost_;
  int tries_ = 0;
};

std::string number(const uint8_t* p, Elem e) {
  return ir::visit_elem(e, [&](auto tag) -> std::string {
    typename decltype(tag)::type v;
    std::memcpy(&v, p, sizeof v);
    if constexpr (tag.kind == ir::ElemKind::Logical) return v ? "true" : "false";
    return fmt::format("{}", v);
  });
}

/// The input as an argument of the tool; "" when it has no such spelling.
std::string spelling(const Input& in) {
  const uint8_t* p = in.type.is_array() ? in.bytes.data() : reinterpret_cast<const uint8_t*>(&in.scalar);
  const size_t width = static_cast<size_t>(ir::elem_bytes(in.type.elem));
  if (in.type.is_scalar()) {
    if (!in.type.complex) return number(p, in.type.elem);
    std::string im = number(p + width, in.type.elem);
    if (im[0] != '-') im = "+" + im;
    return number(p, in.type.elem) + im + "i";
  }
  if (!in.steps.empty() || in.same_as >= 0 || in.overlaps()) return "";
  if (in.type.complex && !ir::is_float(in.type.elem)) return "";
  const std::string elem =
      in.type.complex ? (in.type.elem == Elem::Float32 ? "c64" : "c128") : ir::elem_info(in.type.elem).abbreviation;
  for (const char* what : {"zeros", "arange", "ones"}) {
    Program q;
    q.inputs = {in};
    auto like = simpler_input(q, 0, what[0] == 'z' ? 2 : what[0] == 'a' ? 3 : 4);
    if (like->inputs[0].bytes == in.bytes)
      return fmt::format("{}{}:{}:{}", in.read_only ? "ro:" : "", what, elem, fmt::join(in.extents, "x"));
  }
  return "";
}

bool Reducer::spelled(const Input& in) { return !spelling(in).empty(); }

}  // namespace

std::string file_test(const Program& p, const std::string& target) {
  TargetSpec spec;
  parse_target(target, &spec);
  std::string text = fmt::format("; RUN: run --fn {} --on interp,{}", p.entry, target_name(spec.target));
  if (spec.opt_level != 2) text += fmt::format(" -O {}", spec.opt_level);
  if (!p.inputs.empty()) text += " --args";
  bool all = true;
  for (const Input& in : p.inputs) {
    const std::string s = spelling(in);
    text += " " + (s.empty() ? "?" : s);
    all = all && !s.empty();
  }
  text += '\n';
  if (!all) {
    std::string comment = describe_inputs(p.inputs);
    for (size_t at = 0; at < comment.size(); at = comment.find('\n', at) + 1) comment.insert(at, "; "), at += 2;
    text += comment;
  }
  text += ir::print(*p.module);
  if (text.back() != '\n') text += '\n';
  return text + "; EXPECT\n";
}

int reduce_program(uint64_t seed, const RunOptions& o) {
  std::vector<Diagnostic> faults;
  Program p = generate(seed, o.generator, &faults);
  if (!faults.empty()) {
    fmt::print("{}\n", faults[0].text());
    return 1;
  }
  for (const TargetSpec& target : choose_targets(p, o)) {
    const Judgement j = judge_isolated(p, {target}, 60);
    const std::string wanted = category(j);
    if (wanted.empty()) continue;
    fmt::print(stderr, "seed {} on {}: {}\n", seed, target.text(), j.text);
    Program small = Reducer(p, target, wanted).run();
    const Judgement last = judge_isolated(small, {target}, 10);
    fmt::print("{}; seed {} on {}: {}\n", file_test(small, target.text()), seed, target.text(), last.text);
    return 0;
  }
  fmt::print("seed {}: the targets agree\n", seed);
  return 1;
}

}  // namespace vr::smith
