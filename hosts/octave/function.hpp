// A function that runs compiled: an octave_function beside the one that it stands for.
#pragma once
#include "arrays.hpp"
#include "host.hpp"
#include "program.hpp"

#include <octave/ov-fcn.h>

#include <memory>
#include <string>
#include <vector>

class octave_fcn_handle;

namespace vr::octave_host {

/// The names that handles of compiled functions have: no identifiers, so that nothing looks them up.
std::string compiled_name(const std::string& function);
bool is_compiled_name(const std::string& name);

/// The types of a call's arguments and the number of its results.
struct Key {
  std::vector<uint64_t> codes;  ///< nargout, then a code for each argument
  std::string rest;             ///< texts, and what handles are
  friend bool operator==(const Key&, const Key&) = default;
};

struct Version {
  Key key;
  octave_value of;  ///< the function that was compiled
  int generation = 0;
  bool native = false;  ///< otherwise the interpreter answers
  bool given_up = false;
  matlab::Compiled compiled;
  std::optional<Function> function;
  std::vector<Meaning> meanings;
  std::shared_ptr<Use> use;
};

/// What a call of a version came to.
struct Attempt {
  bool answered = false;
  std::string why;  ///< when it was not: "refused: ...", "bailed out: ..."
  octave_value_list results;
};

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
  /// Runs the interpreter.
  octave_value_list interpret(int nargout, const octave_value_list& args) const;
  const octave_value& handle() const { return handle_; }
  bool looked_up() const { return !name_.empty(); }

 private:
  std::shared_ptr<Version> find(const Key& key, const octave_value& now);
  std::shared_ptr<Version> compile(const Key& key, const octave_value& now, const octave_value_list& args);
  std::string described(const Key& key, const octave_value_list& args) const;

  octave_value handle_;
  std::string name_;   ///< "" or the name that is looked up
  std::string shown_;  ///< in reports
  bool anonymous_ = false;
  bool asks_nargout_ = false;   ///< calls without a result and with one are not the same
  octave_value_list captured_;  ///< of an anonymous function, before its own arguments
  std::vector<std::string> captured_names_;
  std::vector<std::shared_ptr<Version>> versions_;
};

}  // namespace vr::octave_host
