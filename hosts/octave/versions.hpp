// Versions: compiled code of a function, or of a part of one, for given argument types.
#pragma once
#include "arrays.hpp"
#include "host.hpp"
#include "program.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vr::octave_host {

/// The types of a call's arguments and the number of its results.
struct Key {
  std::vector<uint64_t> codes;  ///< nargout, then a code for each argument
  std::string rest;             ///< strings, and what identifies handles
  friend bool operator==(const Key&, const Key&) = default;
};

struct Version {
  Key key;
  octave_value of;  ///< the function from which it was compiled
  std::chrono::steady_clock::time_point begun;
  int generation = 0;
  bool native = false;  ///< false: the interpreter runs the calls
  bool given_up = false;
  bool complex = false;  ///< compiled for complex results, or there is no such version
  matlab::Compiled compiled;
  std::optional<Function> function;
  std::vector<Meaning> meanings;
  std::shared_ptr<Use> use;
};

/// The outcome of a call of a version.
struct Attempt {
  bool answered = false;
  std::string why;  ///< if there are no results: "refused: ...", "bailed out: ..."
  octave_value_list results;
  std::string output;  ///< what the call has printed, for the caller to write
};

/// Adds an argument to a key. A handle of a compiled function is replaced by one of the original function. False:
/// values of this kind are not compiled.
bool add_to_key(Key& key, octave_value& v);
std::string described(const Key& key, const octave_value_list& args);

/// The types of the arguments. Functions of handles become part of the program; `texts` receives the strings that may
/// name functions.
bool types_of(const Key& key, const octave_value_list& args, Program& program, std::vector<matlab::Type>& types,
              std::set<std::string>& texts, std::string& why);

/// Compiles and loads a version. On failure returns false and sets `why`. Records the outcome in `v.use`.
bool load(Version& v, const matlab::UnitPtr& unit, const std::string& entry, const matlab::Signature& signature,
          const Program& program, std::string& why);

/// Runs a native version. Never runs the interpreter.
Attempt run(Version& v, const octave_value_list& args);

class Versions {
 public:
  /// The version with the key, if it is still valid: the function, the settings, and the functions that it calls are
  /// unchanged.
  std::shared_ptr<Version> find(const Key& key, const octave_user_function* now);
  bool full() const;
  std::string limit() const;  ///< why no more versions are made, if the limit is reached
  std::shared_ptr<Version> add(const Key& key, const octave_value& of, const std::shared_ptr<Use>& use);
  void drop_newest() { list_.pop_back(); }
  /// Forgets `old`, whose place the newest version takes.
  void drop(const std::shared_ptr<Version>& old);

 private:
  std::vector<std::shared_ptr<Version>> list_;
};

/// The Octave-language function behind a handle or function value; null if there is none.
octave_user_function* user_function(const octave_value& v);

}  // namespace vr::octave_host
