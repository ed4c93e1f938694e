#include "versions.hpp"

#include "aggregates.hpp"
#include "calls.hpp"
#include "function.hpp"
#include "lambdas.hpp"

#include <algorithm>

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pager.h>

namespace vr::octave_host {

namespace {

octave_fcn_handle* handle_of(const octave_value& v) {
  return v.is_function_handle() ? const_cast<octave_value&>(v).fcn_handle_value() : nullptr;
}

/// References to arguments, released at the end.
struct Passed {
  std::vector<Value> values;
  ~Passed() {
    for (const Value& v : values) release(v);
  }
};

}  // namespace

octave_user_function* user_function(const octave_value& v) {
  if (!v.is_defined()) return nullptr;
  if (octave_fcn_handle* h = handle_of(v)) return h->user_function_value(true);
  return v.is_user_function() ? const_cast<octave_value&>(v).user_function_value(true) : nullptr;
}

bool add_to_key(Key& key, octave_value& v) {
  if (v.is_function_handle()) v = uncompiled(v);
  uint64_t code = v.is_defined() ? type_code(v) : 0;
  if (!code && v.is_defined()) {
    code = aggregate_code(v);
    if (!code || !add_parts(key.rest, v)) return false;
    key.codes.push_back(code);
    return true;
  }
  if (is_text(code) && (v.rows() > 1 || (v.rows() == 1) != (v.columns() > 0) || v.ndims() > 2)) code = 0;
  if (!code) return false;
  key.codes.push_back(code);
  if (is_text(code)) key.rest += text_key(v);
  if (is_handle(code)) key.rest += handle_key(*handle_of(v));
  return true;
}

std::string described(const Key& key, const octave_value_list& args) {
  std::string s;
  for (octave_idx_type k = 0; k < args.length(); ++k) {
    const uint64_t code = key.codes[static_cast<size_t>(k) + 1];
    if (k) s += ", ";
    if (is_text(code))
      s += "'" + args(k).string_value() + "'";
    else if (is_handle(code))
      s += "a handle";
    else if (is_aggregate(code))
      s += args(k).iscell() ? "a cell array" : "a structure";
    else
      s += type_of(code).text_form();
  }
  return s;
}

bool types_of(const Key& key, const octave_value_list& args, Program& program, std::vector<matlab::Type>& types,
              std::set<std::string>& texts, std::string& why) {
  for (octave_idx_type k = 0; k < args.length(); ++k) {
    const uint64_t code = key.codes[static_cast<size_t>(k) + 1];
    if (is_text(code)) {
      types.push_back(text_type(args(k)));
      texts.insert(args(k).string_value());
    } else if (is_handle(code)) {
      auto type = handle_type(*handle_of(args(k)), program, why);
      if (!type) {
        if (why.empty()) why = program.why();
        return false;
      }
      types.push_back(*type);
    } else if (is_aggregate(code)) {
      auto type = aggregate_type(args(k), program, texts, why);
      if (!type) {
        if (why.empty()) why = program.why();
        return false;
      }
      types.push_back(*type);
    } else {
      types.push_back(type_of(code));
    }
  }
  return true;
}

bool load(Version& v, const matlab::UnitPtr& unit, const std::string& entry, const matlab::Signature& signature,
          const Program& program, std::string& why) {
  const auto translated = std::chrono::steady_clock::now();
  auto compiled = matlab::compile(unit, entry, signature);
  if (!compiled) return why = compiled.error().text(), false;
  v.compiled = std::move(*compiled);
  const auto typed = std::chrono::steady_clock::now();
  const Engine& engine = Host::get().engine();
  if (const Status bound = bind_host_calls(engine, v.compiled, program); !bound)
    return why = bound.error().text(), false;
  auto module = engine.load(v.compiled.module);
  if (!module) return why = module.error().text(), false;
  auto function = module->function(v.compiled.entry);
  if (!function) return why = function.error().text(), false;
  v.use->module = *module;
  if (!module->optimised()) Host::get().add(*module);
  v.meanings = program.meanings(v.compiled.called);
  v.function = std::move(*function);
  v.native = true;
  v.use->state = "compiled";
  v.use->reason.clear();
  const auto end = std::chrono::steady_clock::now();
  auto ms = [](auto from, auto to) { return std::chrono::duration<double, std::milli>(to - from).count(); };
  v.use->compile_ms = ms(v.begun, end);
  v.use->trees_ms = ms(v.begun, translated);
  v.use->types_ms = ms(translated, typed);
  v.use->code_ms = ms(typed, end);
  v.use->remarks.clear();
  for (const Diagnostic& d : v.compiled.remarks) v.use->remarks.push_back(d.text());
  return true;
}

Attempt run(Version& v, const octave_value_list& args) {
  Attempt out;
  if (!v.native || v.given_up) {
    ++v.use->interpreted;
    out.why = "refused: " + (v.given_up ? "its calls nearly always bail out" : v.use->reason);
    return out;
  }
  Passed passed;
  passed.values.reserve(v.compiled.passed.size());
  for (const auto& p : v.compiled.passed) {
    const octave_value& a = args(p.argument);
    if (p.path.empty()) {
      passed.values.push_back(argument(a, v.key.codes[static_cast<size_t>(p.argument) + 1]));
    } else {
      bool is_list = false;
      const octave_value part = at_path(a, p.path, is_list);
      passed.values.push_back(argument(part, is_list ? array_code(type_code(part)) : type_code(part)));
    }
  }
  Recording recording;
  auto results = v.function->call(passed.values);
  if (results) {
    out.answered = true;
    out.output = std::move(recording.text);
    ++v.use->answered;
    size_t next = 0;
    for (const matlab::ResultInfo& info : v.compiled.results) out.results.append(whole_result(*results, next, info));
    return out;
  }
  if (Host::get().interrupted()) octave_stdout << recording.text;  // the interpreter would have written it by now
  Host::get().rethrow();
  recording.set_back();
  const Error& e = results.error();
  out.why = e.record ? matlab::bail_reason(v.compiled, *e.record) : e.text();
  const int64_t bails = ++v.use->bails[out.why];
  ++v.use->interpreted;
  // If nearly all calls bail out, trying compiled code first only costs time.
  if (bails >= 20 && v.use->answered < bails / 4) {
    v.given_up = true;
    v.use->state = "given up";
  }
  out.why = "bailed out: " + out.why;
  return out;
}

std::shared_ptr<Version> Versions::find(const Key& key, const octave_user_function* now) {
  const int generation = Host::get().generation();
  for (size_t k = 0; k < list_.size(); ++k) {
    if (!(list_[k]->key == key)) continue;
    const std::shared_ptr<Version> v = list_[k];
    octave::symbol_table& symbols = octave::interpreter::the_interpreter()->get_symbol_table();
    bool holds = user_function(v->of) == now && v->generation == generation;
    for (size_t i = 0; holds && i < v->meanings.size(); ++i) holds = v->meanings[i].holds(symbols);
    if (!holds) {
      list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(k));
      return nullptr;
    }
    if (k) std::swap(list_[k], list_[k - 1]);  // move versions that are called often to the front
    return v;
  }
  return nullptr;
}

void Versions::drop(const std::shared_ptr<Version>& old) {
  list_.erase(std::remove(list_.begin(), list_.end(), old), list_.end());
}

bool Versions::full() const { return list_.size() >= static_cast<size_t>(Host::get().settings().versions); }

std::string Versions::limit() const {
  return "more than " + std::to_string(Host::get().settings().versions) + " versions for different arguments";
}

std::shared_ptr<Version> Versions::add(const Key& key, const octave_value& of, const std::shared_ptr<Use>& use) {
  auto v = std::make_shared<Version>();
  v->key = key;
  v->of = of;
  v->generation = Host::get().generation();
  v->use = use;
  v->use->state = "refused";
  v->begun = std::chrono::steady_clock::now();
  list_.push_back(v);
  return v;
}

}  // namespace vr::octave_host
