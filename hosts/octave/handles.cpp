#include "handles.hpp"

#include "program.hpp"

#include <octave/interpreter.h>
#include <octave/ov-fcn-handle.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pager.h>
#include <octave/parse.h>
#include <octave/pt-eval.h>

#include <iostream>

namespace vr::octave_host {

using matlab::HostCall;

namespace {

octave_value borrowed(octave_function* f) { return f ? octave_value(f, true) : octave_value(); }

/// A frame of the function's scope, where names refer to what they do in the function.
class Frame {
 public:
  explicit Frame(octave_user_function* f) : evaluator_(octave::interpreter::the_interpreter()->get_evaluator()) {
    evaluator_.push_stack_frame(f ? f->scope().dup() : octave::symbol_scope("compiled code"));
  }
  ~Frame() { evaluator_.pop_stack_frame(); }
  Frame(const Frame&) = delete;

 private:
  octave::tree_evaluator& evaluator_;
};

}  // namespace

void add_scopes(const HostCall::Argument& a, const Program& program, Scopes& scopes) {
  for (const HostCall::Argument& c : a.parts) add_scopes(c, program, scopes);
  if (!a.handle) return;
  const HostCall::Handle& h = *a.handle;
  if (h.text.empty()) {
    const std::string& name = *h.names.begin();
    scopes.functions[name] = borrowed(program.function(name));
    return;
  }
  octave_function* where = h.where.empty() ? nullptr : program.function(h.where);
  if (where && where->is_user_function()) {
    scopes.functions[h.where] = borrowed(where);
    return;
  }
  // The handle was an argument, so that its names have to be ones that refer to the same functions everywhere.
  octave::symbol_table& symbols = octave::interpreter::the_interpreter()->get_symbol_table();
  for (const std::string& name : h.names) {
    octave_function* f = program.function(name);
    octave_value meant;
    if (!look_up(symbols, name, octave::symbol_scope("compiled code"), meant) ||
        (meant.is_defined() ? meant.function_value(true) : nullptr) != f)
      scopes.differs = true;
  }
}

octave_value made_handle(const HostCall::Handle& h, const Scopes& scopes, const std::vector<octave_value>& captured) {
  if (h.text.empty()) {
    const std::string& name = *h.names.begin();
    const octave_value& f = scopes.functions.at(name);
    return f.is_defined() ? octave_value(new octave_fcn_handle(f, name)) : octave_value();
  }
  if (scopes.differs) return octave_value();
  const auto it = scopes.functions.find(h.where);
  octave_value where = it == scopes.functions.end() ? octave_value() : it->second;
  const Frame frame(where.is_defined() ? where.user_function_value(true) : nullptr);
  octave::interpreter& interpreter = *octave::interpreter::the_interpreter();
  for (size_t k = 0; k < captured.size(); ++k) interpreter.assign(h.captured[k], captured[k]);
  int status = 0;
  const octave_value_list made = interpreter.eval_string(h.text, true, status, 1);
  return status == 0 && made.length() == 1 ? made(0) : octave_value();
}

Printing::Printing() {
  octave_stdout.flush();
  std::cerr.flush();
  old_out_ = octave_stdout.rdbuf(out_.rdbuf());
  old_errors_ = std::cerr.rdbuf(errors_.rdbuf());
}
Printing::~Printing() {
  octave_stdout.rdbuf(old_out_);
  std::cerr.rdbuf(old_errors_);
}
std::string Printing::text() {
  octave_stdout.flush();
  return out_.str();
}

}  // namespace vr::octave_host
