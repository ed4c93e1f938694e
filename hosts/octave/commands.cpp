// __vr__: the internal function that the functions of the package vr (inst/+vr) call.
#include "function.hpp"
#include "lambdas.hpp"
#include "outline.hpp"

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-struct.h>
#include <octave/ov-usr-fcn.h>

#include <algorithm>
#include <sstream>

namespace vr::octave_host {

namespace {

JitFunction* jit_of(const octave_value& v) {
  if (!v.is_function_handle() && !v.is_function()) return nullptr;
  return dynamic_cast<JitFunction*>(const_cast<octave_value&>(v).function_value(true));
}

octave_value defined(octave::symbol_table& symbols, const std::string& name) {
  const octave_value f = symbols.find_cmdline_function(name);
  return f.is_defined() ? f : symbols.find_user_function(name);
}

/// Raises an error if the function cannot be compiled because of what it is.
void check_function(octave::symbol_table& symbols, const octave_value& f, const std::string& name) {
  if (f.is_defined() && f.is_user_function()) return;
  if (f.is_defined() && f.is_user_script()) error("vr: '%s' is a script; only functions are compiled", name.c_str());
  if (symbols.find_built_in_function(name).is_defined())
    error("vr: '%s' is a built-in function, which is compiled already", name.c_str());
  if (f.is_defined()) error("vr: '%s' is not a function of the Octave language", name.c_str());
  error("vr: there is no function '%s'", name.c_str());
}

octave_value make(const octave_value& handle, const std::string& name, const std::string& shown) {
  return octave_value(new JitFunction(handle, name, shown));
}

/// The compiled function for a handle or a name.
octave_value jit(octave::symbol_table& symbols, const octave_value& what) {
  if (what.is_string()) {
    const std::string name = what.string_value();
    const octave_value f = defined(symbols, name);
    if (jit_of(f)) return f;
    check_function(symbols, f, name);
    return make(f, name, name);
  }
  if (!what.is_function_handle()) error("vr: the argument must be a function handle or the name of a function");
  // A copy, because a handle changes when its function is read, which affects comparisons of handles.
  const octave_value own(new octave_fcn_handle(*const_cast<octave_value&>(what).fcn_handle_value()));
  octave_fcn_handle& h = *const_cast<octave_value&>(own).fcn_handle_value();
  if (jit_of(own)) return h.fcn_val();
  if (h.is_anonymous()) {
    std::ostringstream text;
    h.print_raw(text, true);
    return make(own, "", text.str().size() <= 70 ? text.str() : text.str().substr(0, 67) + "...");
  }
  const std::string name = h.fcn_name();
  octave_value f = h.fcn_val();
  if (h.is_simple() && f.is_undefined()) f = defined(symbols, name);
  if (jit_of(f)) return f;
  check_function(symbols, f, name);
  // The name is not looked up if the function is local to a file or belongs to a package.
  const octave_value found = h.is_simple() ? defined(symbols, name) : octave_value();
  const bool by_name = found.is_defined() && (found.function_value(true) == f.function_value(true) || jit_of(found));
  return make(own, by_name ? name : "", name);
}

/// A handle that calls its function directly. Ordinary handles look the name up at each call, and would find the
/// interpreted function.
class JitHandle : public octave::base_fcn_handle {
 public:
  explicit JitHandle(const octave_value& f)
      : base_fcn_handle(compiled_name(jit_of(f)->name())), value_(f), function_(jit_of(f)) {}
  JitHandle* clone() const override { return new JitHandle(*this); }
  std::string type() const override { return "compiled"; }
  octave_value_list call(int nargout, const octave_value_list& args) override {
    return function_->call(octave::interpreter::the_interpreter()->get_evaluator(), nargout, args);
  }
  octave_function* function_value(bool = false) override { return function_; }
  octave_user_function* user_function_value(bool = false) override { return function_->user_function_value(); }
  octave_value fcn_val() override { return value_; }
  octave_scalar_map info() override {
    octave_scalar_map m;
    m.assign("function", m_name);
    m.assign("type", type());
    m.assign("file", "");
    return m;
  }
  void print_raw(std::ostream& out, bool, int) const override {
    out << (m_name.front() == '@' ? "" : "@") << m_name;
  }

 private:
  octave_value value_;
  JitFunction* function_;  ///< owned by value_
};

octave_value handle(const octave_value& f) { return octave_value(new octave_fcn_handle(new JitHandle(f))); }

void turn_on(octave::symbol_table& symbols, const std::string& name) {
  const octave_value at_prompt = symbols.find_cmdline_function(name);
  if (jit_of(at_prompt)) return;
  const octave_value f = at_prompt.is_defined() ? at_prompt : symbols.find_user_function(name);
  check_function(symbols, f, name);
  symbols.install_cmdline_function(name, make(f, at_prompt.is_defined() ? "" : name, name));
}

bool turn_off(octave::symbol_table& symbols, const std::string& name) {
  octave_value f = symbols.find_cmdline_function(name);
  JitFunction* j = jit_of(f);
  if (!j) return false;
  // A function that came from a file is looked up again.
  octave_value before = j->looked_up() ? octave_value() : j->handle();
  symbols.install_cmdline_function(name, before);
  return true;
}

template <class List, class F>
octave_value column(const List& list, F field) {
  Cell c(static_cast<octave_idx_type>(list.size()), 1);
  octave_idx_type k = 0;
  for (const auto& x : list) c(k++) = octave_value(field(x));
  return octave_value(c);
}

octave_value_list report() {
  const auto& uses = Host::get().uses();
  octave_map m(dim_vector(static_cast<octave_idx_type>(uses.size()), 1));
  auto put = [&](const char* name, auto field) { m.assign(name, column(uses, field).cell_value()); };
  put("function", [](const auto& u) { return u->function; });
  put("arguments", [](const auto& u) { return u->arguments; });
  put("state", [](const auto& u) { return u->state; });
  put("reason", [](const auto& u) { return u->reason; });
  put("compile_ms", [](const auto& u) { return u->compile_ms; });
  put("phases", [](const auto& u) {
    octave_scalar_map phases;
    phases.assign("trees", u->trees_ms);
    phases.assign("types", u->types_ms);
    phases.assign("code", u->code_ms);
    return octave_value(phases);
  });
  put("answered", [](const auto& u) { return static_cast<double>(u->answered); });
  put("interpreted", [](const auto& u) { return static_cast<double>(u->interpreted); });
  put("bails", [](const auto& u) {
    octave_map bails(dim_vector(static_cast<octave_idx_type>(u->bails.size()), 1));
    bails.assign("reason", column(u->bails, [](const auto& b) { return b.first; }).cell_value());
    bails.assign("count", column(u->bails, [](const auto& b) { return static_cast<double>(b.second); }).cell_value());
    return octave_value(bails);
  });
  put("remarks", [](const auto& u) {
    std::vector<std::string> all = u->remarks;
    if (u->module)
      for (std::string& line : u->module->report()) all.push_back(std::move(line));
    return column(all, [](const auto& r) { return r; });
  });
  return ovl(m);
}

constexpr const char* kTargets[] = {"interp", "cpu", "cpu-par", "opencl"};

octave_value settings() {
  const Settings& s = Host::get().settings();
  octave_scalar_map m;
  m.assign("enabled", s.enabled);
  m.assign("target", kTargets[static_cast<int>(s.options.target)]);
  m.assign("opt_level", static_cast<double>(s.options.opt_level));
  m.assign("tiered", s.options.tiered);
  m.assign("threads", static_cast<double>(s.options.threads));
  m.assign("disk_cache", s.options.disk_cache);
  m.assign("versions", static_cast<double>(s.versions));
  return m;
}

void set(const std::string& name, const octave_value& v) {
  Settings s = Host::get().settings();
  auto whole = [&](int low, int high) {
    const double x = v.is_real_scalar() || v.is_bool_scalar() ? v.double_value() : -1e9;
    if (!(x >= low && x <= high && x == std::floor(x)))
      error("vr.settings: %s must be an integer from %d to %d", name.c_str(), low, high);
    return static_cast<int>(x);
  };
  if (name == "enabled") {
    s.enabled = whole(0, 1);
  } else if (name == "target") {
    const std::string t = v.is_string() ? v.string_value() : "";
    const auto* it = std::find(std::begin(kTargets), std::end(kTargets), t);
    if (it == std::end(kTargets)) error("vr.settings: target must be 'cpu', 'cpu-par', 'opencl' or 'interp'");
    s.options.target = static_cast<Target>(it - std::begin(kTargets));
  } else if (name == "opt_level") {
    s.options.opt_level = whole(0, 3);
  } else if (name == "tiered") {
    s.options.tiered = whole(0, 1);
  } else if (name == "threads") {
    s.options.threads = whole(0, 1024);
  } else if (name == "disk_cache") {
    s.options.disk_cache = whole(0, 1);
  } else if (name == "versions") {
    s.versions = whole(1, 1000);
  } else {
    error("vr.settings: there is no setting '%s'", name.c_str());
  }
  Host::get().change(s);
}

std::string text(const octave_value_list& args, int k) {
  if (k >= args.length() || !args(k).is_string()) error("vr: argument %d must be a string", k);
  return args(k).string_value();
}

}  // namespace

octave_value_list command(octave::interpreter& interpreter, const octave_value_list& args) {
  octave::symbol_table& symbols = interpreter.get_symbol_table();
  const std::string what = text(args, 0);
  if (what == "jit" && args.length() == 2) return ovl(handle(jit(symbols, args(1))));
  if (what == "on" || what == "off") {
    for (int k = 1; k < args.length(); ++k) {
      const std::string name = text(args, k);
      if (what == "on")
        turn_on(symbols, name);
      else if (!turn_off(symbols, name))
        error("vr.off: '%s' is not on", name.c_str());
    }
    if (what == "off" && args.length() == 1)
      for (const std::string& name : symbols.cmdline_function_names()) turn_off(symbols, name);
    return ovl();
  }
  if (what == "attempt" && args.length() >= 3) {
    const octave_value f = jit(symbols, args(1));
    auto* j = jit_of(f);
    Attempt a = j->attempt(args(2).int_value(), args.slice(3, args.length() - 3));
    return ovl(a.answered, a.why, Cell(a.results), a.output);
  }
  if (what == "interpret" && args.length() >= 3) {
    const octave_value f = jit(symbols, args(1));
    return jit_of(f)->interpret(args(2).int_value(), args.slice(3, args.length() - 3), false);
  }
  // Calls the interpreter with compiled parts. Returns the number of parts that compiled code ran, then the results.
  if (what == "parts" && args.length() >= 3) {
    const octave_value f = jit(symbols, args(1));
    const int64_t before = PartsRun::answered();
    jit_of(f)->outline_parts();
    const Cell results(jit_of(f)->interpret(args(2).int_value(), args.slice(3, args.length() - 3), true));
    return ovl(static_cast<double>(PartsRun::answered() - before), results);
  }
  if (what == "report") return report();
  if (what == "forget") return Host::get().forget(), ovl();
  if (what == "settings") return ovl(settings());
  if (what == "set" && args.length() == 3) return set(text(args, 1), args(2)), ovl();
  if (what == "live") return ovl(static_cast<double>(live_objects()));
  if (what == "check") {
    const Status s = check_binding(binding());
    return ovl(s.ok() ? std::string() : s.error().text());
  }
  if (what == "wait") return Host::get().wait(), ovl();
  error("vr: there is no command '%s' with %d arguments", what.c_str(), static_cast<int>(args.length()) - 1);
}

}  // namespace vr::octave_host

DEFMETHOD_DLD(__vr__, interp, args, , "Internal function of the package vr.") {
  // Objects of this file's classes outlive `clear all`.
  interp.mlock();
  return vr::octave_host::command(interp, args);
}
