// Which functions a program consists of: a function and all that its names mean where they are written.
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

/// What a name meant, in the scope of some function, when a version was compiled.
struct Meaning {
  std::string name;
  octave::symbol_scope scope;
  octave_value function;  ///< behind what vr.on put in its place; undefined when it is no function
  /// Whether the name has the same meaning now.
  bool holds(octave::symbol_table& symbols) const;
};

/// The functions that may be called, translated. What cannot be a part of a program (scripts, mex-files, two functions
/// of one name) makes it fail with `why`.
///
/// Functions of Octave's own library are added when the compiler asks for them, while the program lives.
class Program {
 public:
  explicit Program(octave::symbol_table& symbols);
  Program(const Program&) = delete;
  bool add_main(octave_user_function& f, const std::string& name, int results);
  /// A part of a function with what it calls. `variables`: those of its names that are variables where it starts.
  bool add_part(const matlab::FunctionPtr& part, const std::set<std::string>& names,
                const std::set<std::string>& assigned, const std::set<std::string>& variables,
                const octave::symbol_scope& scope);
  /// What names mean in a scope: of a lambda, or of text arguments.
  bool add_names(const std::set<std::string>& names, const octave::symbol_scope& scope);
  /// A handle to a named function: the name has to mean that function.
  bool add_handle(const std::string& name, const octave_value& function);

  matlab::UnitPtr unit() const { return unit_; }
  const std::string& why() const { return why_; }
  bool calls_by_name() const { return calls_by_name_; }
  /// What the names in `called` mean.
  std::vector<Meaning> meanings(const std::set<std::string>& called) const;
  /// What names mean that are functions of the user's.
  std::vector<Meaning> user_functions() const;

 private:
  bool add(octave_user_function& f, const std::string& name, int results);
  const matlab::Function* library(const std::string& name);
  bool add_name(const std::string& name, const octave::symbol_scope& scope, bool variable);
  bool fail(const std::string& why);

  octave::symbol_table& symbols_;
  std::shared_ptr<matlab::Unit> unit_;
  std::map<std::string, octave_function*> known_;  ///< what a name means wherever it has been met
  std::map<std::string, matlab::FunctionPtr> library_;
  std::vector<Meaning> meanings_;
  std::string why_;
  bool calls_by_name_ = false;
};

/// The original function of a name or a handle that vr.on or vr.jit has replaced; others as they are.
octave_value original(const octave_value& function);

}  // namespace vr::octave_host
