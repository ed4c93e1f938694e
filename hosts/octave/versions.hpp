// What is compiled for some arguments: of a function, or of a part of one.
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
  std::string rest;             ///< texts, and what handles are
  friend bool operator==(const Key&, const Key&) = default;
};

struct Version {
  Key key;
  octave_value of;  ///< the function that was compiled
  std::chrono::steady_clock::time_point begun;
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

/// Adds an argument to a key. A handle of a compiled function becomes one of the function behind it. False: no such
/// values are compiled.
bool add_to_key(Key& key, octave_value& v);
std::string described(const Key& key, const octave_value_list& args);

/// The types of the arguments, whose functions become a part of the program; `texts` gets those that may name
/// functions.
bool types_of(const Key& key, const octave_value_list& args, Program& program, std::vector<matlab::Type>& types,
              std::set<std::string>& texts, std::string& why);

/// Compiles and loads; `why` and false when it cannot. `v.use` gets how it went.
bool load(Version& v, const matlab::UnitPtr& unit, const std::string& entry, const matlab::Signature& signature,
          const Program& program, std::string& why);

/// Runs a native version; never the interpreter.
Attempt run(Version& v, const octave_value_list& args);

class Versions {
 public:
  /// The version with the key that holds: of the same function, compiled with the present settings, the names that it
  /// calls unchanged.
  std::shared_ptr<Version> find(const Key& key, const octave_user_function* now);
  bool full() const;
  std::string limit() const;  ///< why no more are made when it is full
  std::shared_ptr<Version> add(const Key& key, const octave_value& of, const std::shared_ptr<Use>& use);
  void drop_newest() { list_.pop_back(); }

 private:
  std::vector<std::shared_ptr<Version>> list_;
};

/// The function of the language behind a handle or a function value; null when it is none.
octave_user_function* user_function(const octave_value& v);

}  // namespace vr::octave_host
