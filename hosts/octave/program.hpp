// Determines the functions of a program: a function, and all functions that its names refer to.
#pragma once
#include "parser.hpp"

#include <octave/oct.h>
#include <octave/interpreter.h>
#include <octave/symtab.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace vr::octave_host {

/// What a name referred to in the scope of a function when a version was compiled.
struct Meaning {
  std::string name;
  octave::symbol_scope scope;
  octave_value function;  ///< the original function if vr.on has replaced it; undefined if the name is not a function
  /// Whether the name still refers to the same function.
  bool holds(octave::symbol_table& symbols) const;
};

/// The translated functions of a program. Functions that cannot be part of a program (scripts, mex-files, two functions
/// with one name) make it fail, and set `why`.
///
/// Functions of Octave's own library are added when the compiler requests them, as long as the program exists.
class Program {
 public:
  explicit Program(octave::symbol_table& symbols);
  Program(const Program&) = delete;
  bool add_main(octave_user_function& f, const std::string& name, int results);
  /// Adds a part of a function, with the functions that it calls. `variables`: the names that are variables where it
  /// starts.
  bool add_part(const matlab::FunctionPtr& part, const std::set<std::string>& names,
                const std::set<std::string>& assigned, const std::set<std::string>& variables,
                const octave::symbol_scope& scope);
  /// Adds the functions that names refer to in a scope: that of an anonymous function, or of string arguments.
  bool add_names(const std::set<std::string>& names, const octave::symbol_scope& scope);
  /// Adds a handle to a named function. The name must refer to that function, for a function that is `local` to a file
  /// in its own scope.
  bool add_handle(const std::string& name, const octave_value& function, octave_user_function* local);

  matlab::UnitPtr unit() const { return unit_; }
  const std::string& why() const { return why_; }
  bool calls_by_name() const { return calls_by_name_; }
  /// What the names in `called` refer to.
  std::vector<Meaning> meanings(const std::set<std::string>& called) const;
  /// What the names of user functions refer to.
  std::vector<Meaning> user_functions() const;

  /// The function that a name of the program refers to; null: none, or the name is not one of the program's.
  octave_function* function(const std::string& name) const;

 private:
  bool add(octave_user_function& f, const std::string& name, int results);
  const matlab::Function* library(const std::string& name);
  bool add_name(const std::string& name, const octave::symbol_scope& scope, bool variable);
  bool fail(const std::string& why);

  octave::symbol_table& symbols_;
  std::shared_ptr<matlab::Unit> unit_;
  std::map<std::string, octave_function*> known_;  ///< the function that each name refers to, in all scopes
  std::map<std::string, matlab::FunctionPtr> library_;
  std::vector<Meaning> meanings_;
  std::string why_;
  bool calls_by_name_ = false;
};

/// What a name refers to, the original function if vr.on has replaced it. Looking for it reads its file; the error of
/// one that Octave cannot read belongs to the call that reaches it, if any does: then the result is false.
/// Files that were made since read_folders() are not found.
bool look_up(octave::symbol_table& symbols, const std::string& name, const octave::symbol_scope& scope,
             octave_value& f);

/// Looks for new files in the folders of Octave's path. A program does so once, before its names are looked up.
void read_folders();

/// The original function of a name or handle that vr.on or vr.jit has replaced; other values unchanged.
octave_value original(const octave_value& function);

}  // namespace vr::octave_host
