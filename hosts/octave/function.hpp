// A function that runs compiled: an octave_function that replaces another one.
#pragma once
#include "versions.hpp"

#include <octave/ov-fcn.h>

#include <memory>
#include <string>
#include <vector>

namespace vr::octave_host {

/// The name of a handle of a compiled function. It is not an identifier, so that nothing looks it up.
std::string compiled_name(const std::string& function);
bool is_compiled_name(const std::string& name);
/// Replaces a handle of a compiled function by a handle of the original function; returns other values unchanged.
octave_value uncompiled(const octave_value& v);

class JitFunction : public octave_function {
 public:
  /// `handle`: a function handle, or a function. If `name` is not empty, the function with this name is looked up at
  /// each call, so that a function in an edited file is compiled again; `handle` is used if there is no function of
  /// this name any more.
  JitFunction(const octave_value& handle, const std::string& name, const std::string& shown);

  octave_function* function_value(bool = false) override { return this; }
  /// The original function, which nargin() and similar functions inspect.
  octave_user_function* user_function_value(bool = false) override;
  octave_value_list call(octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override;
  octave_value_list execute(octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override {
    return call(tw, nargout, args);
  }

  /// The function that it currently replaces.
  octave_value original() const;
  /// Runs compiled code, or returns why it could not. Never runs the interpreter.
  Attempt attempt(int nargout, const octave_value_list& args);
  /// Outlines the parts of the function (outline.hpp).
  void outline_parts();
  /// Runs the interpreter. If `parts` is true, outlined parts of functions run as compiled code.
  octave_value_list interpret(int nargout, const octave_value_list& args, bool parts) const;
  const octave_value& handle() const { return handle_; }
  bool looked_up() const { return !name_.empty(); }

 private:
  /// `complex`: matlab::Signature::complex.
  std::shared_ptr<Version> compile(const Key& key, const octave_value& now, const octave_value_list& args,
                                   bool complex);
  /// The call that bailed out because a result would be complex, by a version for such results, which takes the place
  /// of `v`. Nothing: there can be none.
  std::optional<Attempt> attempt_complex(const std::shared_ptr<Version>& v, const Attempt& bailed,
                                         const octave_value& now, const octave_value_list& args);
  void refused_call(const std::string& arguments, const std::string& why);

  octave_value handle_;
  std::string name_;   ///< the name that is looked up, or ""
  std::string shown_;  ///< the name in reports
  bool anonymous_ = false;
  bool asks_nargout_ = false;   ///< whether calls with and without a result may differ
  octave_value_list captured_;  ///< variables captured by an anonymous function; they precede its own arguments
  std::vector<std::string> captured_names_;
  Versions versions_;
  octave_value outlined_;  ///< the function whose parts have been outlined
};

}  // namespace vr::octave_host
