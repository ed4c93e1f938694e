#include "function.hpp"

#include "lambdas.hpp"
#include "outline.hpp"

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pager.h>
#include <octave/parse.h>

namespace vr::octave_host {

namespace {

octave::interpreter& interpreter() { return *octave::interpreter::the_interpreter(); }

bool has_results(octave_user_function* f) {
  return !f || f->is_special_expr() || f->takes_var_return() || (f->return_list() && !f->return_list()->empty());
}

std::string results_text(uint64_t n) { return std::to_string(n) + (n == 1 ? " result" : " results"); }

}  // namespace

std::string compiled_name(const std::string& function) { return function + " [compiled]"; }
bool is_compiled_name(const std::string& name) { return !name.empty() && name.back() == ']'; }

octave_value uncompiled(const octave_value& given) {
  if (!given.is_function_handle()) return given;
  octave_value v = given;
  if (!is_compiled_name(v.fcn_handle_value()->fcn_name())) return v;
  auto* jit = dynamic_cast<JitFunction*>(v.function_value(true));
  if (!jit) return v;
  return jit->handle().is_function_handle() ? jit->handle()
                                            : octave_value(new octave_fcn_handle(jit->handle(), jit->name()));
}

JitFunction::JitFunction(const octave_value& handle, const std::string& name, const std::string& shown)
    : handle_(handle), name_(name), shown_(shown) {
  m_name = shown;
  octave_fcn_handle* h = handle_.is_function_handle() ? handle_.fcn_handle_value() : nullptr;
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

octave_value_list JitFunction::interpret(int nargout, const octave_value_list& args, bool parts) const {
  const PartsRun scope(parts);
  return octave::feval(original(), args, nargout);
}

std::shared_ptr<Version> JitFunction::compile(const Key& key, const octave_value& now, const octave_value_list& args,
                                              bool complex) {
  const std::string types = described(key, args);
  auto v = versions_.add(key, now,
                         Host::get().use(shown_, types + (types.empty() ? "" : "; ") + results_text(key.codes[0])));
  auto refused = [&](const std::string& why) {
    v->use->reason = why;
    return v;
  };

  octave_user_function* f = user_function(now);
  if (!f) return refused("not a function of the Octave language");
  Program program(interpreter().get_symbol_table());
  const std::string entry = anonymous_ ? "vr_anonymous" : f->name();
  bool fine = program.add_main(*f, entry, static_cast<int>(key.codes[0]));
  matlab::Signature signature;
  signature.nargout = static_cast<int>(key.codes[0]);
  signature.octave = signature.output = signature.text = true;
  signature.complex = v->complex = complex;
  std::set<std::string> texts;
  std::string why;
  if (fine && !types_of(key, args, program, signature.args, texts, why)) return refused(why);
  if (fine && program.calls_by_name()) fine = program.add_names(texts, f->scope());
  v->meanings = program.user_functions();
  if (!fine) return refused(program.why());

  matlab::UnitPtr unit = program.unit();
  if (anonymous_) unit = with_parameters(*unit, entry, captured_names_);
  if (!load(*v, unit, entry, signature, program, why)) return refused(why);
  return v;
}

void JitFunction::refused_call(const std::string& arguments, const std::string& why) {
  auto use = Host::get().use(shown_, arguments);
  use->state = "refused";
  use->reason = why;
  ++use->interpreted;
}

Attempt JitFunction::attempt(int nargout, const octave_value_list& given) {
  Attempt out;
  if (!Host::get().settings().enabled) {
    out.why = "refused: the setting 'enabled' is false";
    return out;
  }
  octave_value_list args = given;
  if (anonymous_ && captured_.length() > 0) args = octave_value_list(captured_).append(given);
  const auto n = static_cast<size_t>(args.length());
  Key key;
  key.codes.reserve(n + 1);
  const octave_value now = original();
  // A statement that consists of a call requests no result but gets one, if the function has one.
  const bool as_one = nargout <= 0 && !asks_nargout_ && has_results(user_function(now));
  key.codes.push_back(as_one ? 1 : static_cast<uint64_t>(std::max(0, nargout)));
  for (size_t k = 0; k < n; ++k) {
    octave_value& v = args(static_cast<octave_idx_type>(k));
    if (add_to_key(key, v)) continue;
    const std::string type = "type '" + (v.is_defined() ? v.type_name() : "undefined") + "'";
    out.why = "refused: an argument of " + type;
    refused_call(type, "arguments of this type are not compiled");
    return out;
  }

  std::shared_ptr<Version> v = versions_.find(key, user_function(now));
  if (!v) {
    if (versions_.full()) {
      refused_call("others", versions_.limit());
      out.why = "refused: " + versions_.limit();
      return out;
    }
    v = compile(key, now, args, false);
    if (!asks_nargout_ && v->compiled.called.count("nargout")) {
      asks_nargout_ = true;
      if (as_one) {
        versions_.drop_newest();
        return attempt(nargout, given);
      }
    }
  }
  Attempt first = run(*v, args);
  if (first.answered || v->complex || !v->native || !matlab::wants_complex(first.why)) return first;
  return attempt_complex(v, first, now, args).value_or(first);
}

std::optional<Attempt> JitFunction::attempt_complex(const std::shared_ptr<Version>& v, const Attempt& bailed,
                                                    const octave_value& now, const octave_value_list& args) {
  v->complex = true;
  const Use before = *v->use;
  const std::shared_ptr<Version> second = compile(v->key, now, args, true);
  if (!second->native) {
    *v->use = before;
    versions_.drop_newest();
    return std::nullopt;
  }
  versions_.drop(v);
  // The call counts once, as what the second version does with it.
  --second->use->interpreted;
  const std::string reason = bailed.why.substr(bailed.why.find(": ") + 2);
  if (--second->use->bails[reason] == 0) second->use->bails.erase(reason);
  return run(*second, args);
}

void JitFunction::outline_parts() {
  const octave_value now = original();
  octave_user_function* f = user_function(now);
  if (!f || user_function(outlined_) == f) return;
  outline(*f, shown_);
  outlined_ = now;
}

octave_value_list JitFunction::call(octave::tree_evaluator&, int nargout, const octave_value_list& args) {
  Attempt a = attempt(nargout, args);
  if (a.answered) {
    octave_stdout << a.output;
    return a.results;
  }
  // Compiled code has had no effects (what it printed was dropped), so the interpreter can run the whole call.
  if (a.why.compare(0, 8, "refused:") == 0 && Host::get().settings().enabled) outline_parts();
  return interpret(nargout, args, true);
}

}  // namespace vr::octave_host
