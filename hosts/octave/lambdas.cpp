#include "lambdas.hpp"

#include "arrays.hpp"
#include "compile.hpp"
#include "tree.hpp"

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-fcn.h>
#include <octave/ov-usr-fcn.h>

#include <algorithm>
#include <sstream>

namespace vr::octave_host {

namespace {

std::string text_of(octave_fcn_handle& h) {
  std::ostringstream s;
  h.print_raw(s, true);
  return s.str();
}

/// Anonymous functions by their source text: the compiler distinguishes them by the addresses of their trees.
struct Lambda {
  matlab::ExprPtr tree;
  std::set<std::string> names;
  std::string why;
};
const Lambda& lambda_of(octave_fcn_handle& h) {
  static auto* known = new std::map<std::string, Lambda>;
  auto [it, fresh] = known->try_emplace(text_of(h));
  if (fresh) it->second.tree = translate_lambda(*h.user_function_value(true), it->second.names, it->second.why);
  return it->second;
}

}  // namespace

std::map<std::string, octave_value> captured_by(const octave_fcn_handle& h) {
  std::map<std::string, octave_value> out;
  const octave_value workspace = h.workspace();
  const octave_scalar_map m = workspace.iscell() ? workspace.cell_value()(0).scalar_map_value()
                              : workspace.isstruct() ? workspace.scalar_map_value()
                                                     : octave_scalar_map();
  for (auto p = m.begin(); p != m.end(); ++p) out[m.key(p)] = m.contents(p);
  return out;
}

std::string handle_key(const octave_fcn_handle& given) {
  octave_fcn_handle h(
      given);  // a copy: a handle changes when its function is read, which affects comparisons of handles
  octave::symbol_table& symbols = octave::interpreter::the_interpreter()->get_symbol_table();
  // What a name refers to depends on the scope in which the handle was made.
  auto identity = [](const octave_value& function) {
    octave_value f = original(function);
    return "#" + std::to_string(reinterpret_cast<uintptr_t>(f.is_defined() ? f.function_value(true) : nullptr));
  };
  if (!h.is_anonymous()) return "@" + h.fcn_name() + identity(h.fcn_val()) + ";";
  std::string key = text_of(h);
  if (octave_user_function* f = h.user_function_value(true))
    for (const std::string& name : lambda_of(h).names) {
      octave_value meant;
      look_up(symbols, name, f->scope(), meant);
      key += identity(meant);
    }
  for (const auto& [name, v] : captured_by(h)) {
    const uint64_t code = type_code(v);
    key += "," + name + ":" + std::to_string(code);
    if (is_text(code)) key += "'" + v.string_value() + "'";
    if (is_handle(code)) key += handle_key(*const_cast<octave_value&>(v).fcn_handle_value());
  }
  return key + ";";
}

std::optional<matlab::Type> handle_type(const octave_fcn_handle& given, Program& program, std::string& why) {
  octave_fcn_handle h(given);
  std::string name;
  std::map<std::string, matlab::Type> captured;
  matlab::ExprPtr lambda;
  if (!h.is_anonymous()) {
    octave_value f = h.fcn_val();
    octave_user_function* local = h.is_scoped() && f.is_defined() ? f.user_function_value(true) : nullptr;
    if (!h.is_simple() && !local) {
      why = "a handle of a nested function or of a method";
      return std::nullopt;
    }
    name = h.fcn_name();
    if (!program.add_handle(name, f, local)) return std::nullopt;
  } else {
    const Lambda& l = lambda_of(h);
    if (!l.tree) {
      why = "a handle: " + l.why;
      return std::nullopt;
    }
    lambda = l.tree;
    if (!program.add_names(l.names, h.user_function_value(true)->scope())) return std::nullopt;
    for (const auto& [variable, v] : captured_by(h)) {
      const uint64_t code = type_code(v);
      if (!code || is_handle(code) || is_text(code)) {
        why = "a handle that has captured '" + variable + "', which is not a number";
        return std::nullopt;
      }
      captured[variable] = type_of(code);
    }
  }
  return matlab::handle_type(lambda, name, captured);
}

matlab::UnitPtr with_parameters(const matlab::Unit& unit, const std::string& function,
                                const std::vector<std::string>& names) {
  auto out = std::make_shared<matlab::Unit>(unit);
  for (matlab::FunctionPtr& f : out->functions) {
    if (f->name != function) continue;
    auto more = std::make_shared<matlab::Function>(*f);
    std::vector<matlab::Param> params;
    for (const std::string& n : names) params.push_back({n, nullptr});
    params.insert(params.end(), more->params.begin(), more->params.end());
    more->params = std::move(params);
    f = more;
  }
  return out;
}

}  // namespace vr::octave_host
