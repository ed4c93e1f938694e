// Rounds and versions.
#include "emitter.hpp"
#include "prelude.hpp"

#include <velociraptor/ir/visit.hpp>

#include <algorithm>
#include <cstdlib>

namespace vr::matlab {

namespace {

Diagnostic finding(const std::string& file, Pos pos, std::string rule, std::string message, std::string hint,
                   Severity severity) {
  Diagnostic d;
  d.severity = severity;
  d.place = {file, pos.line, pos.column};
  d.rule = std::move(rule);
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

ir::ConventionAttrs conventions() {
  const ir::Conventions c = ir::Conventions::matlab();
  ir::ConventionAttrs a;
  a.indexing = c.indexing;
  a.exclude = c.exclude;
  a.flatten = c.flatten;
  a.grow = c.grow;
  a.assign = c.assign;
  a.slices = c.slices;
  a.nan = c.nan;
  a.mindims = c.mindims;
  a.fast_math = c.fast_math;
  a.broadcast = c.broadcast;
  return a;
}

// The type for which a version is compiled: extents only as 1 or not 1, numbers without their values.
Type canonical(Type t) {
  for (Type& p : t.parts) p = canonical(p);
  if (!t.has_storage()) return t;
  t.number.reset();
  t.sizes.clear();
  for (int64_t& e : t.ext)
    if (e >= 0 && e != 1) e = kNotOne;
  return t;
}

std::string key_of(const Type& t) {
  if (t.is_aggregate()) {
    std::string s = t.cls == Cls::Cell ? "{" + std::to_string(t.ext[0]) + "x" + std::to_string(t.ext[1]) : "(";
    for (size_t k = 0; k < t.parts.size(); ++k)
      s += "," + (k < t.fields.size() ? t.fields[k] : "") + ":" + key_of(t.parts[k]);
    if (t.cls == Cls::List || t.cls == Cls::Structs) s += t.text_form();
    return s + (t.cls == Cls::Cell ? "}" : ")");
  }
  if (!t.closure)
    return t.text_form() + (t.mixed ? " mixed" : "") + (t.kept_complex ? " kept" : "") +
           (t.special ? " special " + std::to_string(t.special) : "");
  std::string s = "@" + t.closure->name;
  if (t.closure->node) s += std::to_string(reinterpret_cast<uintptr_t>(t.closure->node));
  for (const auto& [name, v] : t.closure->captured) s += "," + name + ":" + key_of(v.t);
  return s;
}

/// What is passed for an argument: its parts, and the captured variables of handles.
void passed_leaves(const Type& t, int argument, const std::string& path, std::vector<Compiled::Passed>& list) {
  if (t.has_storage()) list.push_back({argument, path});
  if (t.closure)
    for (const auto& [variable, value] : t.closure->captured)
      passed_leaves(value.t, argument, path + "@" + variable, list);
  for (size_t k = 0; k < t.parts.size(); ++k) passed_leaves(t.parts[k], argument, part_name(path, t, k), list);
}

ResultInfo result_info(const Type& t) {
  ResultInfo r{t.cls, t.complex};
  r.fields = t.fields;
  r.rows = t.is_aggregate() ? t.ext[0] : 0;
  for (const Type& p : t.parts) r.parts.push_back(result_info(p));
  return r;
}

}  // namespace

std::string ResultInfo::text_form() const { return std::string(complex ? "complex " : "") + class_name(cls); }

int Version::outputs() const {
  if (function->part) return 1 + 2 * static_cast<int>(function->outputs.size());
  if (!function->outputs.empty() && function->outputs.back() == "varargout") return std::max(nargout, 1);
  return std::min<int>(std::max(nargout, 1), static_cast<int>(function->outputs.size()));
}

std::string Version::output_name(size_t k) const {
  const std::vector<std::string>& names = function->outputs;
  if (k + 1 < names.size() || names.back() != "varargout") return names[k];
  return "varargout{" + std::to_string(k + 2 - names.size()) + "}";
}

Version& Program::version(const Function& f, std::vector<Type> args, int nargout) {
  const std::string stem = f.prelude ? "builtin_" + f.name : f.name;
  std::string key = (f.prelude ? "%" : "") + f.name + "/" + std::to_string(nargout);
  for (Type& t : args) {
    t = canonical(t);
    key += "|" + key_of(t);
  }
  std::unique_ptr<Version>& v = versions[key];
  if (!v) {
    if (versions.size() > 200)
      throw Refused{f.pos, "more than 200 versions of functions for different classes and shapes of arguments", ""};
    v = std::make_unique<Version>();
    v->function = &f;
    v->args = std::move(args);
    v->nargout = nargout;
    size_t same = 0;
    for (const auto& [k, other] : versions) same += other && other.get() != v.get() && other->function == &f;
    v->name = same ? stem + "_" + std::to_string(same + 1) : stem;
    v->results.resize(static_cast<size_t>(v->outputs()));
  } else {
    v->args = std::move(args);  // handles of this round
  }
  return *v;
}

void Program::emit(Version& v) {
  if (v.round == round) return;
  v.round = round;
  Emitter(*this, v).run();
}

void Program::refuse(const Refused& r, bool conditional, const std::string& function) {
  const Function* f = unit->find(function);
  if (!f && unit->library && !function.empty()) f = unit->library(function);
  if (!f) f = prelude(function);
  auto& list = conditional ? remarks : refusals;
  Diagnostic d = finding(f && !f->file.empty() ? f->file : unit->file, r.pos, "unsupported", r.what, r.hint,
                         conditional ? Severity::Remark : Severity::Error);
  if (std::none_of(list.begin(), list.end(), [&](const Diagnostic& x) { return x.text() == d.text(); }))
    list.push_back(d);
}
void Program::remark(Pos pos, std::string rule, std::string message) {
  Diagnostic d = finding(unit->file, pos, std::move(rule), std::move(message), "", Severity::Remark);
  if (std::none_of(remarks.begin(), remarks.end(), [&](const Diagnostic& x) { return x.text() == d.text(); }))
    remarks.push_back(d);
}
int Program::bail_number(const std::string& reason) {
  auto it = std::find(bails.begin(), bails.end(), reason);
  if (it == bails.end()) it = bails.insert(bails.end(), reason);
  return static_cast<int>(it - bails.begin());
}

Result<Compiled> Program::run(const std::string& name, const Signature& of) {
  signature = of;
  Result<Compiled> first = attempt(name);
  if (first || !has_solvers) return first;
  versions.clear();
  solvers_by_host = true;
  Result<Compiled> second = attempt(name);
  if (second) return second;
  // Why the functions that take handles cannot be compiled, and why the host cannot run them.
  Error both = first.error();
  const std::vector<Diagnostic>& more = second.error().diagnostics;
  both.diagnostics.insert(both.diagnostics.end(), more.begin(), more.end());
  return both;
}

Result<Compiled> Program::attempt(const std::string& name) {
  const Function* f = unit->find(name);
  if (!f) return make_error(Code::NotFound, "there is no function '" + name + "' in " + unit->file);
  auto refused = [&](std::vector<Diagnostic> list) { return Error{Code::Unsupported, "", std::move(list), {}}; };
  const bool rest = !f->params.empty() && f->params.back().name == "varargin";
  if (!rest && signature.args.size() > f->params.size())
    return refused({finding(unit->file, f->pos, "arity", "'" + name + "' is called with too many arguments", "",
                            Severity::Error)});
  const bool any_results = !f->outputs.empty() && f->outputs.back() == "varargout";
  if (!f->part && !any_results && signature.nargout > static_cast<int>(f->outputs.size()))
    return refused(
        {finding(unit->file, f->pos, "arity", "'" + name + "' is called with too many outputs", "", Severity::Error)});
  for (const Type& t : signature.args)
    if (t.has_storage() && !elem_of(t.cls))
      return refused({finding(unit->file, f->pos, "unsupported",
                              std::string("an argument of class ") + class_name(t.cls), "", Severity::Error)});

  constexpr int most_rounds = 60;
  for (round = 0; round < most_rounds; ++round) {
    changed = false;
    refusals.clear();
    remarks.clear();
    bails.clear();
    called.clear();
    host_calls.clear();
    std::string stem = unit->file.substr(unit->file.find_last_of('/') + 1);
    builder = std::make_unique<ir::ModuleBuilder>(stem.substr(0, stem.find('.')), conventions());
    Version* v = nullptr;
    try {
      v = &version(*f, signature.args, signature.nargout);
      main = v->name;
      emit(*v);
    } catch (const Refused& r) {
      refuse(r, false, name);
    } catch (const NotYet&) {}
    if (changed) continue;
    if (!refusals.empty()) return refused(refusals);
    if (std::any_of(v->results.begin(), v->results.end(), [](const auto& t) { return !t; })) {
      // Some of the statements that always bail out are why.
      std::vector<Diagnostic> list = remarks;
      list.insert(list.begin(), finding(unit->file, f->pos, "unsupported", "'" + name + "' never returns a result", "",
                                        Severity::Error));
      return refused(std::move(list));
    }
    auto module = builder->finish();
    if (!module) {
      Error e = refused(module.error().diagnostics);
      for (Diagnostic& d : e.diagnostics) d.place.file = unit->file;
      return e;
    }
    Compiled c;
    c.module = *module;
    c.entry = v->name;
    for (size_t k = 0; k < v->args.size(); ++k) passed_leaves(v->args[k], static_cast<int>(k), "", c.passed);
    for (const auto& t : v->results) c.results.push_back(result_info(*t));
    c.host_calls = host_calls;
    c.bail_reasons = bails;
    c.called = called;
    c.remarks = remarks;
    return c;
  }
  return refused(
      {finding(unit->file, f->pos, "internal", "the types of '" + name + "' do not settle", "", Severity::Error)});
}

Type handle_type(const ExprPtr& lambda, const std::string& name, const std::map<std::string, Type>& captured) {
  auto closure = std::make_shared<Closure>();
  closure->node = lambda.get();
  closure->name = name;
  for (const auto& [variable, type] : captured) closure->captured[variable].t = canonical(type);
  Type t = Type::scalar(Cls::Handle);
  t.closure = std::move(closure);
  return t;
}

Result<Compiled> compile(const UnitPtr& unit, const std::string& function, const Signature& signature) {
  return Program(unit).run(function, signature);
}

bool wants_complex(const std::string& reason) {
  for (const char* of : {"a complex result of sqrt", "a complex result of log", "a complex power of a negative number",
                         "complex eigenvalues"})
    if (reason.find(of) != std::string::npos) return true;
  return false;
}

std::string bail_reason(const Compiled& c, const ErrorRecord& fault) {
  const auto k = static_cast<size_t>(fault.raised);
  if (fault.code == Code::Raised && k < c.bail_reasons.size()) return fault.loc + ": " + c.bail_reasons[k];
  return fault.text();
}

}  // namespace vr::matlab
