#include "judge.hpp"

#include "ahead_of_time/batch.hpp"
#include "analysis/number.hpp"
#include "interp/interp.hpp"
#include "pipeline/loops.hpp"
#include "runtime/cpu/pool.hpp"
#include "tool/guard_host.hpp"
#include "tool/values.hpp"
#include "transform/specialise.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

namespace vr::smith {

std::string TargetSpec::text() const {
  if (!passes.empty()) return "pass:" + passes;
  if (!ahead.empty()) return "aot-" + ahead;
  std::string t = fmt::format("{}{}{}{}-O{}", specialise ? "specialise:" : "", guard ? "guard:" : "",
                              regions ? "regions:" : "", target_name(target), opt_level);
  return target == Target::CpuParallel ? fmt::format("{}x{}", t, threads) : t;
}

std::vector<TargetSpec> pass_targets() {
  std::vector<TargetSpec> all;
  for (const pipeline::PassInfo& p : pipeline::pass_table()) {
    all.emplace_back();
    all.back().passes = p.name;
  }
  for (const char* name : {"all", "specialise"}) {
    all.emplace_back();
    all.back().passes = name;
  }
  return all;
}

std::vector<TargetSpec> loop_pass_targets() {
  std::vector<TargetSpec> all;
  for (const pipeline::LoopPass& p : pipeline::loop_table()) {
    all.emplace_back();
    all.back().passes = p.name;
    all.back().native = true;
  }
  return all;
}

bool parse_target(const std::string& text, TargetSpec* out) {
  for (const auto& list : {pass_targets(), loop_pass_targets()}) {
    for (const TargetSpec& p : list) {
      if (p.text() != text) continue;
      *out = p;
      return true;
    }
  }
  TargetSpec s;
  for (const char* ahead : {"object", "c", "opencl", "object-aarch64", "c-aarch64"})
    if (text == std::string("aot-") + ahead) {
      s.ahead = ahead;
      *out = s;
      return true;
    }
  for (auto [prefix, flag] : {std::pair{"guard:", &TargetSpec::guard},
                              {"regions:", &TargetSpec::regions},
                              {"specialise:", &TargetSpec::specialise}}) {
    if (!text.starts_with(prefix)) continue;
    if (!parse_target(text.substr(std::string(prefix).size()), &s)) return false;
    s.*flag = true;
    *out = s;
    return true;
  }
  for (Target t : {Target::CpuParallel, Target::Cpu, Target::OpenCL}) {
    const std::string name = target_name(t);
    if (text.compare(0, name.size(), name) != 0) continue;
    s.target = t;
    s.opt_level = 2;
    s.threads = t == Target::Cpu ? 1 : 2;
    std::string rest = text.substr(name.size());
    if (rest.size() >= 3 && rest[0] == '-' && rest[1] == 'O' && rest[2] >= '0' && rest[2] <= '3') {
      s.opt_level = rest[2] - '0';
      rest = rest.substr(3);
    }
    if (rest.size() >= 2 && rest[0] == 'x') {
      s.threads = std::atoi(rest.c_str() + 1);
      rest.clear();
    }
    if (!rest.empty() || s.threads < 1) continue;
    *out = s;
    return true;
  }
  return false;
}

namespace {

struct Answer {
  std::vector<Value> results;
  std::optional<Error> error;
  std::vector<Value> inputs;  ///< after the call
};

std::string outcome(const Error& e) {
  if (!e.record) return e.text();
  const ErrorRecord& r = *e.record;
  return fmt::format("{} in {} at '{}' array '{}' axis {} index {} extent {} ({})", code_name(r.code), r.function,
                     r.loc, r.array, r.axis, r.index, r.extent, r.message);
}

/// Whether the faults are the same. A parallel loop may report any of its faults, an array expression that of any of
/// its operations.
bool same_fault(const Program& p, const Error& got, const Error& wanted) {
  if (!got.record || !wanted.record) return false;
  const ErrorRecord &a = *got.record, &b = *wanted.record;
  if (p.parallel_places.count(a.loc) && p.parallel_places.count(b.loc)) return true;
  if (a.function != b.function || a.loc != b.loc) return false;
  if (a.code != b.code) return p.array_places.count(a.loc) > 0;
  if (b.code == Code::ReadOnly) return a.array == b.array;
  if (b.code == Code::Raised) return a.raised == b.raised && a.message == b.message;
  if (b.code != Code::OutOfBounds) return true;
  return a.array == b.array && a.axis == b.axis && a.index == b.index && a.extent == b.extent;
}

std::string disagreement(const Program& p, const Answer& got, const Answer& wanted) {
  if (wanted.error) {
    if (!got.error) return "results instead of " + outcome(*wanted.error);
    return same_fault(p, *got.error, *wanted.error) ? ""
                                                    : outcome(*got.error) + " instead of " + outcome(*wanted.error);
  }
  if (got.error) return outcome(*got.error) + " instead of results";
  if (got.results.size() != wanted.results.size()) return "another number of results";
  for (size_t k = 0; k < wanted.results.size(); ++k) {
    std::string d = difference(got.results[k], wanted.results[k], p.exact.empty() || p.exact[k]);
    if (!d.empty()) return fmt::format("result {}: {}", k + 1, d);
  }
  for (size_t k = 0; k < wanted.inputs.size(); ++k) {
    std::string d = difference(got.inputs[k], wanted.inputs[k], true);
    if (!d.empty()) return fmt::format("input {} after the call: {}", k + 1, d);
  }
  return "";
}

}  // namespace

namespace {

/// A limit of the interpreter, which another form of the program may reach elsewhere.
bool limit(Code c) {
  return c == Code::Interrupted || c == Code::OutOfMemory || c == Code::Stack || c == Code::Unsupported;
}

/// The facts that a dispatcher would observe about the inputs; the seed decides how many of them are omitted.
analysis::RegionFacts facts_of(const Program& p) {
  analysis::RegionFacts facts;
  const std::vector<Value> values = make_inputs(p.inputs);
  for (size_t k = 0; k < p.inputs.size(); ++k) {
    analysis::ParameterFacts f;
    const Input& in = p.inputs[k];
    const uint64_t choice = (p.seed >> 3) * 7 + k;
    const bool integers = !in.type.complex && analysis::known_whole(in.type.elem);
    if (p.seed % 4 == 3 || (p.seed % 4 == 2 && choice % 3 == 0)) {
      // no facts about this input
    } else if (const Array& a = values[k].array()) {
      f.extents.emplace(a.extents().begin(), a.extents().end());
      f.strides.emplace(a.strides().begin(), a.strides().end());
      f.alias_group = in.same_as >= 0 ? in.same_as : in.follows >= 0 ? in.follows : static_cast<int>(k);
      if (integers && a.size() <= static_cast<int64_t>(f.most_values)) {
        f.values.emplace();
        std::vector<int64_t> at(static_cast<size_t>(a.rank()), 0);
        for (bool more = a.size() > 0; more; more = tool::next_index(at, a.extents()))
          f.values->push_back(static_cast<int64_t>(tool::read_element(a.at(at), a.elem(), false).re));
      }
      // Numbers past 2^53 came through a double.
      for (int64_t v : f.values.value_or(std::vector<int64_t>{}))
        if (v > int64_t{1} << 52 || v < -(int64_t{1} << 52)) f.values.reset();
    } else if (in.type.is_scalar() && !in.type.complex) {
      const double d = in.type.elem == Elem::Float64 ? in.scalar.f64 : 0.5;
      if (integers)
        f.values = {ir::visit_elem(in.type.elem, [&](auto tag) {
          typename decltype(tag)::type v;
          std::memcpy(static_cast<void*>(&v), &in.scalar, sizeof v);
          return tag.kind == ir::ElemKind::Logical ? int64_t{v != 0} : static_cast<int64_t>(v);
        })};
      else if (d == std::floor(d) && std::fabs(d) <= 0x1p53 && !(d == 0 && std::signbit(d)))
        f.values = {static_cast<int64_t>(d)};
    }
    facts.parameters.push_back(std::move(f));
  }
  return facts;
}

/// The entry specialised for its inputs; the other functions are specialised for no facts.
ir::ModulePtr specialised(const Program& p, const ir::Conventions& conv) {
  auto out = std::make_shared<ir::Module>(*p.module);
  const analysis::RegionFacts facts = facts_of(p);
  for (ir::FunctionPtr& f : out->functions)
    f = transform::specialise(f, *p.module, conv, f->name == p.entry ? facts : analysis::RegionFacts{});
  return out;
}

/// Whether the program after the passes has bit-identical results on the interpreter. Returns "" if so.
std::string pass_disagreement(const Program& p, const std::string& passes, const ir::Conventions& conv,
                              const interp::InterpOptions& limits, const Answer& wanted) {
  pipeline::PassOptions options;
  options.verify = true;
  options.regions = true;
  if (passes == "specialise")
    options.passes = {"simplify"};
  else if (passes != "all")
    options.passes = {passes};
  auto module = pipeline::run_passes(passes == "specialise" ? specialised(p, conv) : p.module, conv, options);
  if (!module) return "does not pass: " + module.error().text();
  Answer got;
  got.inputs = make_inputs(p.inputs);
  interp::InterpOptions strict = limits;
  strict.tell_broken_promises = !p.unchecked;
  if (auto results = interp::run(**module, conv, p.entry, got.inputs, strict)) {
    got.results = std::move(*results);
  } else {
    got.error = results.error();
    if (limit(got.error->code)) return "";
  }
  Program exact = p;
  exact.exact.clear();
  exact.parallel_places.clear();
  return disagreement(exact, got, wanted);
}

/// Whether the module survives being printed in the short syntax and parsed again. Returns "" if so.
std::string short_text_fault(const ir::Module& m) {
  const std::string text = ir::print_short(m);
  auto again = ir::parse(text);
  if (!again) return "its short text does not parse: " + again.error().text() + "\n" + text;
  return ir::equal(m, **again) ? "" : "its short text is another module:\n" + text;
}

}  // namespace

/// All loop transformations that can be disabled, except this one.
static std::vector<std::string> all_but(const std::string& pass) {
  std::vector<std::string> names;
  for (const pipeline::LoopPass& p : pipeline::loop_table())
    if (!p.required && p.name != pass) names.emplace_back(p.name);
  return names;
}

static interp::InterpOptions limits_of_programs() {
  interp::InterpOptions limits;
  limits.step_limit = 20000;
  limits.memory_limit = 64 << 20;
  return limits;
}

/// The interpreter's answer. False: there is none, and j contains the reason.
static bool interpret(const Program& p, Judgement& j, Answer& wanted) {
  wanted.inputs = make_inputs(p.inputs);
  const ir::Conventions conv = p.module->attrs.resolve(ir::Conventions::numpy());
  auto answer = interp::run(*p.module, conv, p.entry, wanted.inputs, limits_of_programs());
  if (answer) {
    wanted.results = std::move(*answer);
    return true;
  }
  const Code code = answer.error().code;
  j.interp_fault = true;
  if (limit(code) || (code == Code::OutOfBounds && p.unchecked)) {
    j.verdict = Verdict::Skipped;
    j.text =
        code == Code::OutOfBounds ? "a subscript was out of bounds, and some checks are off" : outcome(answer.error());
    if (code == Code::Interrupted) j.text = "step limit";
    return false;
  }
  wanted.error = answer.error();
  return true;
}

/// How the program is built ahead of time, depending on the seed: with or without optimisation, for several processors,
/// with a version for the inputs it gets or for others; C by tcc or, with warnings as errors, by the system's compiler.
static ahead_of_time::Item item_of(const Program& p, const std::string& ahead) {
  ahead_of_time::Item item;
  item.module = p.module;
  item.conventions = p.module->attrs.resolve(ir::Conventions::numpy());
  item.function = p.entry;
  item.inputs = make_inputs(p.inputs);
  item.opt_level = p.seed % 20 == 0 ? 2 : 0;
  item.parallel = !p.parallel_places.empty();
  item.strict = item.opt_level > 0;
  item.openmp = item.parallel && item.strict && p.seed % 3 != 0;
  item.target = p.seed % 2 ? "generic" : "native";
  using Kernels = aot::BuildOptions::Kernels;
  if (ahead == "opencl") item.kernels = p.seed % 3 ? Kernels::Cpu : Kernels::Gpu;
  if (p.seed % 5 == 0) {
    analysis::RegionFacts facts = facts_of(p);
    for (analysis::ParameterFacts& f : facts.parameters) {
      f.strides.reset();
      f.alias_group = -1;
      if (f.extents) f.values.reset();
      if (f.extents && p.seed % 3 == 0) ++f.extents->front();
    }
    if (const std::string text = facts.text(*p.module->find(p.entry)); !text.empty()) item.regions = {text};
  }
  return item;
}

static ahead_of_time::Platform platform_of(const std::string& ahead) {
  const size_t dash = ahead.find('-');
  return {ahead.substr(0, dash) == "c", dash == std::string::npos ? "" : ahead.substr(dash + 1)};
}

/// Adds the answer of a program that was compiled ahead of time. False: it disagrees.
static bool agrees(const Program& p, const Result<std::vector<Value>>& answer, const std::vector<Value>& inputs,
                   const Answer& wanted, Judgement& j) {
  Answer got;
  got.inputs = inputs;
  if (answer) {
    got.results = *answer;
  } else {
    got.error = answer.error();
    if (!got.error->record && got.error->code == Code::Unsupported) {
      j.unsupported.push_back(got.error->message);
      return true;
    }
  }
  ++j.runs;
  j.text = disagreement(p, got, wanted);
  if (j.text.empty()) return true;
  j.verdict = Verdict::Mismatch;
  return false;
}

struct Judge::State {
  tool::GuardHost guarding;
  std::map<std::string, Engine> engines;
  bool alone = true;

  /// Runs the interpreter, then each target, and sets the verdict; leaked storage is checked later.
  Judgement compare(const Program& p, const std::vector<TargetSpec>& targets);
};
Judge::Judge(bool alone) : state_(std::make_unique<State>()) { state_->alone = alone; }
Judge::~Judge() = default;

Judgement Judge::State::compare(const Program& p, const std::vector<TargetSpec>& targets) {
  Judgement j;
  j.text = short_text_fault(*p.module);
  if (!j.text.empty()) {
    j.target = "short-text";
    j.verdict = Verdict::Mismatch;
    return j;
  }
  Answer wanted;
  const interp::InterpOptions limits = limits_of_programs();
  const ir::Conventions conv = p.module->attrs.resolve(ir::Conventions::numpy());
  if (!interpret(p, j, wanted)) return j;

  for (const TargetSpec& spec : targets) {
    j.target = spec.text();
    if (!spec.passes.empty() && !spec.native) {
      ++j.runs;
      j.text = pass_disagreement(p, spec.passes, conv, limits, wanted);
      if (j.text.empty()) continue;
      j.verdict = Verdict::Mismatch;
      return j;
    }
    if (!spec.ahead.empty()) {
      ahead_of_time::Batch batch(platform_of(spec.ahead));
      batch.add(item_of(p, spec.ahead));
      if (!agrees(p, batch.run()[0], batch.item(0).inputs, wanted, j)) return j;
      continue;
    }
    // The guarding host allocates each array in separate pages.
    auto overlaps = [](const Input& in) { return in.overlaps(); };
    const bool guard = spec.guard && std::none_of(p.inputs.begin(), p.inputs.end(), overlaps);
    if (spec.guard && !guard) j.target.replace(j.target.find("guard:"), 6, "");
    const std::string engine_key = j.target + (spec.native && p.has_section ? " opencl" : "");
    auto it = engines.find(engine_key);
    if (it == engines.end()) {
      Options o;
      o.target = spec.target;
      o.opt_level = spec.opt_level;
      o.threads = spec.threads;
      if (spec.native) {
        o.skip_passes = all_but(spec.passes);
        o.target = p.has_section ? Target::OpenCL : Target::CpuParallel;
        o.threads = 8;
      }
      if (spec.regions) o.regions = RegionMode::Sync;
      o.region_versions = 1;
      if (o.threads > 2) o.parallel_threshold = 1;  // array expressions of any length are divided among threads
      auto engine = guard ? Engine::create(o, guarding.binding()) : Engine::create(o);
      if (!engine) {
        j.verdict = Verdict::Mismatch;
        j.text = "no engine: " + engine.error().text();
        return j;
      }
      it = engines.emplace(engine_key, std::move(*engine)).first;
    }
    auto module = it->second.load(spec.specialise ? specialised(p, conv) : p.module);
    if (!module) {
      const Error& e = module.error();
      std::string text = e.diagnostics.empty() ? e.message : e.diagnostics[0].message;
      // One line for all variables.
      for (size_t a = text.find('\''), b; a != std::string::npos && (b = text.find('\'', a + 1)) != std::string::npos;
           a = text.find('\'', a + 2))
        if (text[a + 1] != '\'' && text.compare(0, 8, "a handle") != 0 && text.compare(0, 7, "library") != 0)
          text.replace(a + 1, b - a - 1, "");
      if (e.code == Code::Unsupported) {
        j.unsupported.push_back(text);
        continue;
      }
      j.verdict = Verdict::Mismatch;
      j.text = fmt::format("does not compile: {} {}", code_name(e.code), e.text());
      return j;
    }
    auto f = module->function(p.entry);
    Answer got;
    got.inputs = make_inputs(p.inputs);
    std::string complaint;
    auto call = [&]() -> Result<std::vector<Value>> {
      if (!f) return f.error();
      if (!guard) return f->call(got.inputs);
      tool::GuardHost::Answer answer = guarding.call(*f, got.inputs);
      complaint = std::move(answer.wrong);
      return std::move(answer.results);
    };
    if (auto results = call()) {
      got.results = std::move(*results);
    } else {
      got.error = results.error();
    }
    ++j.runs;
    j.text = complaint.empty() ? disagreement(p, got, wanted) : complaint;
    if (!j.text.empty()) {
      j.verdict = Verdict::Mismatch;
      return j;
    }
  }
  return j;
}

std::vector<Judgement> Judge::judge_ahead(std::span<const Program> programs, const std::string& ahead,
                                          const std::function<void(size_t)>& begins) {
  std::vector<Judgement> all(programs.size());
  std::vector<Answer> wanted(programs.size());
  std::vector<size_t> built;
  ahead_of_time::Batch batch(platform_of(ahead));
  for (size_t k = 0; k < programs.size(); ++k) {
    begins(k);
    all[k].target = "aot-" + ahead;
    if (!interpret(programs[k], all[k], wanted[k])) continue;
    batch.add(item_of(programs[k], ahead));
    built.push_back(k);
  }
  const auto answers = batch.run();
  for (size_t n = 0; n < built.size(); ++n)
    agrees(programs[built[n]], answers[n], batch.item(n).inputs, wanted[built[n]], all[built[n]]);
  return all;
}

Judgement Judge::judge(const Program& p, const std::vector<TargetSpec>& targets) {
  const int64_t live = runtime::pool_stats().live_blocks;
  Judgement j = state_->compare(p, targets);
  const int64_t left = runtime::pool_stats().live_blocks - live;
  if (left != 0 && state_->alone && j.verdict != Verdict::Mismatch) {
    j.verdict = Verdict::Mismatch;
    j.text = fmt::format("{} blocks of storage are left over{}{}", left, j.text.empty() ? "" : " after: ", j.text);
  }
  return j;
}

}  // namespace vr::smith
