#include "program.hpp"

#include "function.hpp"
#include "options.hpp"
#include "tree.hpp"

#include <octave/defaults.h>
#include <octave/interpreter.h>
#include <octave/load-path.h>
#include <octave/ov-fcn.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pt-eval.h>
#include <octave/quit.h>

#include <type_traits>

namespace vr::octave_host {

namespace {

/// Names that the front end treats as markers, and that the package defines as functions without effect.
bool is_mark(const std::string& name) { return name == "gpu_begin" || name == "gpu_end" || name == "mcvm_shared"; }

/// No scope: the default value in Octave 7, a named value in Octave 9.
template <class Scope>
Scope no_scope() {
  if constexpr (std::is_default_constructible_v<Scope>)
    return Scope();
  else
    return Scope::invalid();
}

bool belongs_to_octave(const octave_function& f) {
  if (f.is_builtin_function() || f.is_system_fcn_file()) return true;
  const std::string file = f.fcn_file_name();
  auto below = [&](const std::string& folder) { return !folder.empty() && file.compare(0, folder.size(), folder) == 0; };
  return below(octave::config::fcn_file_dir()) || below(octave::config::oct_file_dir());
}

/// Whether a name is that of a function, as far as Octave knows without looking at the folders of its path again, which
/// it does for every name that is none: most are variables, and reading all folders takes milliseconds.
bool is_function_name(octave::symbol_table& symbols, const std::string& name, const octave::symbol_scope& scope) {
  octave::interpreter& interpreter = *octave::interpreter::the_interpreter();
  octave::load_path& path = interpreter.get_load_path();
  octave::symbol_scope where = scope;
  return symbols.is_built_in_function_name(name) || symbols.find_cmdline_function(name).is_defined() ||
         where.find_subfunction(name).is_defined() || !path.find_fcn(name).empty() ||
         !path.find_private_fcn(where.dir_name(), name).empty() || !path.find_method(name, name).empty() ||
         path.find_package(name) || !interpreter.get_evaluator().lookup_autoload(name).empty() ||
         symbols.find_user_function(name).is_defined();
}

}  // namespace

void read_folders() { octave::interpreter::the_interpreter()->get_load_path().update(); }

bool look_up(octave::symbol_table& symbols, const std::string& name, const octave::symbol_scope& scope,
             octave_value& f) {
  try {
    f = octave_value();
    if (!is_function_name(symbols, name, scope)) return true;
    f = original(symbols.find_function(name, scope));
    return true;
  } catch (const octave::execution_exception&) {
    octave::interpreter::the_interpreter()->recover_from_exception();
    return false;
  }
}

bool Meaning::holds(octave::symbol_table& symbols) const {
  octave_value now;
  if (!look_up(symbols, name, scope, now)) return false;
  octave_value then = function;
  if (now.is_defined() != function.is_defined()) return false;
  return !now.is_defined() || now.function_value(true) == then.function_value(true);
}

Program::Program(octave::symbol_table& symbols) : symbols_(symbols), unit_(std::make_shared<matlab::Unit>()) {
  unit_->library = [this](const std::string& name) { return library(name); };
  unit_->options = option_list;
  read_folders();
}

bool Program::fail(const std::string& why) {
  if (why_.empty()) why_ = why;
  return false;
}

bool Program::add_main(octave_user_function& f, const std::string& name, int results) {
  known_[name] = &f;
  return add(f, name, results);
}

bool Program::add_part(const matlab::FunctionPtr& part, const std::set<std::string>& names,
                       const std::set<std::string>& assigned, const std::set<std::string>& variables,
                       const octave::symbol_scope& scope) {
  unit_->file = part->file;
  unit_->functions.push_back(part);
  known_[part->name] = nullptr;
  for (const std::string& n : names) {
    calls_by_name_ = calls_by_name_ || n == "feval" || n == "arrayfun" || n == "cellfun";
    if (!variables.count(n) && !add_name(n, scope, assigned.count(n) > 0)) return false;
  }
  return true;
}

bool Program::add(octave_user_function& f, const std::string& name, int results) {
  if (unit_->functions.size() >= 200) return fail("more than 200 functions");
  std::string why;
  Translated t = translate(f, name, results, why);
  if (!t.function) return fail("'" + name + "': " + why);
  if (unit_->file.empty()) unit_->file = t.function->file;
  unit_->functions.push_back(t.function);
  calls_by_name_ = calls_by_name_ || t.calls_by_name;
  for (const std::string& n : t.names)
    if (!add_name(n, f.scope(), t.assigned.count(n) > 0)) return false;
  return true;
}

const matlab::Function* Program::library(const std::string& name) {
  if (auto it = library_.find(name); it != library_.end()) return it->second.get();
  matlab::FunctionPtr& made = library_[name];
  auto it = known_.find(name);
  octave_user_function* f = it != known_.end() && it->second ? it->second->user_function_value(true) : nullptr;
  if (!f) return nullptr;
  std::string why;
  Translated t = translate(*f, name, 1, why);
  if (!t.function) return nullptr;
  // Its names must refer to the same functions as in the rest of the program, which has one function per name.
  std::vector<Meaning> more;
  for (const std::string& n : t.names) {
    octave_value meant;
    if (!look_up(symbols_, n, f->scope(), meant)) return nullptr;
    more.push_back({n, f->scope(), meant});
    octave_function* g = meant.is_defined() ? meant.function_value(true) : nullptr;
    auto [k, fresh] = known_.try_emplace(n, g);
    if (k->second != g) return nullptr;
    // A function of the user's that hides one of Octave's would have to be a part of the unit.
    if (fresh && g && !belongs_to_octave(*g) && (!t.assigned.count(n) || g->is_user_function())) return nullptr;
  }
  meanings_.insert(meanings_.end(), more.begin(), more.end());
  made = t.function;
  return made.get();
}

bool Program::add_names(const std::set<std::string>& names, const octave::symbol_scope& scope) {
  for (const std::string& n : names)
    if (!add_name(n, scope, false)) return false;
  return true;
}

bool Program::add_handle(const std::string& name, const octave_value& function, octave_user_function* local) {
  const octave_value f = original(function);
  if (!add_name(name, local ? local->scope() : no_scope<octave::symbol_scope>(), false)) return false;
  auto it = known_.find(name);
  octave_value held = f;
  if (it != known_.end() && held.is_defined() && it->second != held.function_value(true))
    return fail("a handle of a function '" + name + "', but the name refers to another function");
  return true;
}

bool Program::add_name(const std::string& name, const octave::symbol_scope& scope, bool variable) {
  if (is_mark(name) || name == "varargin" || name == "varargout") return true;
  octave_value meant;
  if (!look_up(symbols_, name, scope, meant)) return fail("'" + name + "' is no program that Octave can read");
  meanings_.push_back({name, scope, meant});
  octave_function* f = meant.is_defined() ? meant.function_value(true) : nullptr;
  if (auto it = known_.find(name); it != known_.end()) {
    if (it->second == f) return true;
    return fail("the name '" + name + "' refers to different functions in different scopes");
  }
  known_[name] = f;
  if (!f) return true;
  if (belongs_to_octave(*f) || (variable && !f->is_user_function())) return true;
  if (f->is_user_function()) return add(*f->user_function_value(true), name, 1);
  return fail("'" + name + "' is a script, an oct-file or a class");
}

std::vector<Meaning> Program::meanings(const std::set<std::string>& called) const {
  std::vector<Meaning> list;
  for (const Meaning& m : meanings_)
    if (called.count(m.name)) list.push_back(m);
  return list;
}

octave_function* Program::function(const std::string& name) const {
  const auto it = known_.find(name);
  return it == known_.end() ? nullptr : it->second;
}

std::vector<Meaning> Program::user_functions() const {
  std::vector<Meaning> list;
  for (const Meaning& m : meanings_) {
    octave_value f = m.function;
    octave_function* p = f.is_defined() ? f.function_value(true) : nullptr;
    if (p && p->is_user_function() && !static_cast<octave_user_function*>(p)->is_system_fcn_file()) list.push_back(m);
  }
  return list;
}

octave_value original(const octave_value& function) {
  octave_value f = function;
  if (!f.is_defined()) return f;
  if (auto* jit = dynamic_cast<JitFunction*>(f.function_value(true))) return jit->original();
  return f;
}

}  // namespace vr::octave_host
