// A function that runs compiled: an octave_function beside the one that it stands for.
#pragma once
#include "versions.hpp"

#include <octave/ov-fcn.h>

#include <memory>
#include <string>
#include <vector>

namespace vr::octave_host {

/// The names that handles of compiled functions have: no identifiers, so that nothing looks them up.
std::string compiled_name(const std::string& function);
bool is_compiled_name(const std::string& name);
/// A handle of a compiled function becomes one of the function behind it; other values stay.
octave_value uncompiled(const octave_value& v);

class JitFunction : public octave_function {
 public:
  /// `handle`: a function handle, or a function. With `name` not empty, the function of this name is looked up at each
  /// call, so that an edited file is compiled anew; `handle` answers when there is none any more.
  JitFunction(const octave_value& handle, const std::string& name, const std::string& shown);

  octave_function* function_value(bool = false) override { return this; }
  /// Of the function that it stands for: what nargin() and the like ask.
  octave_user_function* user_function_value(bool = false) override;
  octave_value_list call(octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override;
  octave_value_list execute(octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override {
    return call(tw, nargout, args);
  }

  /// The function that it stands for, at present.
  octave_value original() const;
  /// Runs compiled code or says why not; never the interpreter.
  Attempt attempt(int nargout, const octave_value_list& args);
  /// Outlines the parts of the function (outline.hpp).
  void outline_parts();
  /// Runs the interpreter, with `parts` those parts of functions compiled that are outlined.
  octave_value_list interpret(int nargout, const octave_value_list& args, bool parts) const;
  const octave_value& handle() const { return handle_; }
  bool looked_up() const { return !name_.empty(); }

 private:
  std::shared_ptr<Version> compile(const Key& key, const octave_value& now, const octave_value_list& args);
  void refused_call(const std::string& arguments, const std::string& why);

  octave_value handle_;
  std::string name_;   ///< "" or the name that is looked up
  std::string shown_;  ///< in reports
  bool anonymous_ = false;
  bool asks_nargout_ = false;   ///< calls without a result and with one are not the same
  octave_value_list captured_;  ///< of an anonymous function, before its own arguments
  std::vector<std::string> captured_names_;
  Versions versions_;
  octave_value outlined_;  ///< the function whose parts have been outlined
};

}  // namespace vr::octave_host
