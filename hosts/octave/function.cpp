#include "function.hpp"

#include "lambdas.hpp"

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-usr-fcn.h>
#include <octave/parse.h>

#include <chrono>

namespace vr::octave_host {

namespace {

octave::interpreter& interpreter() { return *octave::interpreter::the_interpreter(); }

octave_fcn_handle* handle_of(const octave_value& v) {
  return v.is_function_handle() ? const_cast<octave_value&>(v).fcn_handle_value() : nullptr;
}
octave_user_function* user_function(const octave_value& v) {
  if (!v.is_defined()) return nullptr;
  if (octave_fcn_handle* h = handle_of(v)) return h->user_function_value(true);
  return v.is_user_function() ? const_cast<octave_value&>(v).user_function_value(true) : nullptr;
}

/// References to arguments, given back at the end.
struct Passed {
  std::vector<Value> values;
  ~Passed() {
    for (const Value& v : values) release(v);
  }
};

}  // namespace

std::string compiled_name(const std::string& function) { return function + " [compiled]"; }
bool is_compiled_name(const std::string& name) { return !name.empty() && name.back() == ']'; }

JitFunction::JitFunction(const octave_value& handle, const std::string& name, const std::string& shown)
    : handle_(handle), name_(name), shown_(shown) {
  m_name = shown;
  octave_fcn_handle* h = handle_of(handle_);
  octave_user_function* f = user_function(handle_);
  if (!h || !f || !f->is_anonymous_function()) return;
  anonymous_ = true;
  for (const auto& [variable, value] : captured_by(*h)) {
    captured_names_.push_back(variable);
    captured_.append(value);
  }
}

octave_value JitFunction::original() const {
  if (name_.empty()) return handle_;
  octave::symbol_table& symbols = interpreter().get_symbol_table();
  octave_value f = symbols.find_cmdline_function(name_);
  if (!f.is_defined() || dynamic_cast<JitFunction*>(f.function_value(true))) {
    const octave_value on_path = symbols.find_user_function(name_);
    f = on_path.is_defined() ? on_path : octave_value();
  }
  return f.is_defined() ? f : handle_;
}

octave_user_function* JitFunction::user_function_value(bool) { return user_function(original()); }

octave_value_list JitFunction::interpret(int nargout, const octave_value_list& args) const {
  return octave::feval(original(), args, nargout);
}

std::shared_ptr<Version> JitFunction::find(const Key& key, const octave_value& now) {
  const octave_user_function* f = user_function(now);
  const int generation = Host::get().generation();
  for (size_t k = 0; k < versions_.size(); ++k) {
    if (!(versions_[k]->key == key)) continue;
    const std::shared_ptr<Version> v = versions_[k];
    octave::symbol_table& symbols = interpreter().get_symbol_table();
    bool holds = user_function(v->of) == f && v->generation == generation;
    for (size_t i = 0; holds && i < v->meanings.size(); ++i) holds = v->meanings[i].holds(symbols);
    if (!holds) {
      versions_.erase(versions_.begin() + static_cast<std::ptrdiff_t>(k));
      return nullptr;
    }
    if (k) std::swap(versions_[k], versions_[k - 1]);  // those that are called often come first
    return v;
  }
  return nullptr;
}

std::string JitFunction::described(const Key& key, const octave_value_list& args) const {
  std::string s;
  for (octave_idx_type k = 0; k < args.length(); ++k) {
    const uint64_t code = key.codes[static_cast<size_t>(k) + 1];
    if (k) s += ", ";
    if (is_text(code))
      s += "'" + args(k).string_value() + "'";
    else if (is_handle(code))
      s += "a handle";
    else
      s += type_of(code).text_form();
  }
  const auto n = static_cast<int>(key.codes[0]);
  return s + (s.empty() ? "" : "; ") + std::to_string(n) + (n == 1 ? " result" : " results");
}

std::shared_ptr<Version> JitFunction::compile(const Key& key, const octave_value& now, const octave_value_list& args) {
  auto v = std::make_shared<Version>();
  v->key = key;
  v->of = now;
  v->generation = Host::get().generation();
  v->use = Host::get().use(shown_, described(key, args));
  v->use->state = "refused";
  versions_.push_back(v);
  const auto start = std::chrono::steady_clock::now();
  auto refused = [&](const std::string& why) {
    v->use->reason = why;
    return v;
  };

  octave_user_function* f = user_function(now);
  if (!f) return refused("no function of the language");
  octave::symbol_table& symbols = interpreter().get_symbol_table();
  Program program(symbols);
  const std::string entry = anonymous_ ? "vr_anonymous" : f->name();
  bool fine = program.add_main(*f, entry, static_cast<int>(key.codes[0]));
  matlab::Signature signature;
  signature.nargout = static_cast<int>(key.codes[0]);
  signature.octave = true;
  std::set<std::string> texts;
  for (octave_idx_type k = 0; fine && k < args.length(); ++k) {
    const uint64_t code = key.codes[static_cast<size_t>(k) + 1];
    if (is_text(code)) {
      signature.args.push_back(matlab::Type::string(args(k).string_value()));
      texts.insert(args(k).string_value());
    } else if (is_handle(code)) {
      std::string why;
      auto type = handle_type(*handle_of(args(k)), program, why);
      if (!type) return refused(why.empty() ? program.why() : why);
      signature.args.push_back(*type);
    } else {
      signature.args.push_back(type_of(code));
    }
  }
  if (fine && program.calls_by_name()) fine = program.add_names(texts, f->scope());
  v->meanings = program.user_functions();
  if (!fine) return refused(program.why());

  matlab::UnitPtr unit = program.unit();
  if (anonymous_) unit = with_parameters(*unit, entry, captured_names_);
  auto compiled = matlab::compile(unit, entry, signature);
  if (!compiled) return refused(compiled.error().text());
  v->compiled = std::move(*compiled);
  auto module = Host::get().engine().load(v->compiled.module);
  if (!module) return refused(module.error().text());
  auto function = module->function(v->compiled.entry);
  if (!function) return refused(function.error().text());
  v->use->module = *module;
  if (!module->optimised()) Host::get().add(*module);
  v->meanings = program.meanings(v->compiled.called);
  v->function = std::move(*function);
  v->native = true;
  v->use->state = "compiled";
  v->use->reason.clear();
  v->use->compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  v->use->remarks.clear();
  for (const Diagnostic& d : v->compiled.remarks) v->use->remarks.push_back(d.text());
  return v;
}

Attempt JitFunction::attempt(int nargout, const octave_value_list& given) {
  Attempt out;
  const Settings& settings = Host::get().settings();
  if (!settings.enabled) {
    out.why = "refused: compiling is off";
    return out;
  }
  octave_value_list args = given;
  if (anonymous_ && captured_.length() > 0) args = octave_value_list(captured_).append(given);
  const auto n = static_cast<size_t>(args.length());
  Key key;
  key.codes.reserve(n + 1);
  // A statement that is only a call asks for no result, and gets one.
  const bool as_one = nargout <= 0 && !asks_nargout_;
  key.codes.push_back(as_one ? 1 : static_cast<uint64_t>(std::max(0, nargout)));
  for (size_t k = 0; k < n; ++k) {
    octave_value& v = args(static_cast<octave_idx_type>(k));
    // The compiler takes a handle of a compiled function for one of the original function.
    if (v.is_function_handle() && is_compiled_name(v.fcn_handle_value()->fcn_name()))
      if (auto* jit = dynamic_cast<JitFunction*>(v.function_value(true)))
        v = jit->handle_.is_function_handle() ? jit->handle_ : octave_value(new octave_fcn_handle(jit->handle_, jit->shown_));
    uint64_t code = v.is_defined() ? type_code(v) : 0;
    if (is_text(code) && (v.rows() > 1 || (v.rows() == 1) != (v.columns() > 0) || v.ndims() > 2)) code = 0;
    if (!code) {
      out.why = "refused: an argument of type '" + (v.is_defined() ? v.type_name() : "undefined") + "'";
      auto use = Host::get().use(shown_, "type '" + (v.is_defined() ? v.type_name() : "undefined") + "'");
      use->state = "refused";
      use->reason = "no such arguments are compiled";
      ++use->interpreted;
      return out;
    }
    key.codes.push_back(code);
    if (is_text(code)) key.rest += "'" + v.string_value() + "'";
    if (is_handle(code)) key.rest += handle_key(*handle_of(v));
  }

  const octave_value now = original();
  std::shared_ptr<Version> v = find(key, now);
  if (!v) {
    if (versions_.size() >= static_cast<size_t>(settings.versions)) {
      auto use = Host::get().use(shown_, "others");
      use->state = "refused";
      use->reason = "more than " + std::to_string(settings.versions) + " versions for different arguments";
      ++use->interpreted;
      out.why = "refused: " + use->reason;
      return out;
    }
    v = compile(key, now, args);
    if (!asks_nargout_ && v->compiled.called.count("nargout")) {
      asks_nargout_ = true;
      if (as_one) {
        versions_.pop_back();
        return attempt(nargout, given);
      }
    }
  }
  if (!v->native || v->given_up) {
    ++v->use->interpreted;
    out.why = "refused: " + (v->given_up ? "its calls nearly always bail out" : v->use->reason);
    return out;
  }

  Passed passed;
  passed.values.reserve(v->compiled.passed.size());
  for (const auto& p : v->compiled.passed) {
    const octave_value& a = args(p.argument);
    if (p.captured.empty()) {
      passed.values.push_back(argument(a, key.codes[static_cast<size_t>(p.argument) + 1]));
    } else {
      const octave_value held = captured_by(*handle_of(a)).at(p.captured);
      passed.values.push_back(argument(held, type_code(held)));
    }
  }
  auto results = v->function->call(passed.values);
  if (results) {
    out.answered = true;
    ++v->use->answered;
    for (size_t k = 0; k < results->size(); ++k) out.results.append(result((*results)[k], v->compiled.results[k]));
    return out;
  }
  Host::get().rethrow();
  const Error& e = results.error();
  out.why = e.record ? matlab::bail_reason(v->compiled, *e.record) : e.text();
  const int64_t bails = ++v->use->bails[out.why];
  ++v->use->interpreted;
  // Where the interpreter has to answer nearly always, trying first only costs time.
  if (bails >= 20 && v->use->answered < bails / 4) {
    v->given_up = true;
    v->use->state = "given up";
  }
  out.why = "bailed out: " + out.why;
  return out;
}

octave_value_list JitFunction::call(octave::tree_evaluator&, int nargout, const octave_value_list& args) {
  Attempt a = attempt(nargout, args);
  // Nothing has happened yet: compiled code has no effects but its results.
  return a.answered ? a.results : interpret(nargout, args);
}

}  // namespace vr::octave_host
