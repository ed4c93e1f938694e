// Translates Octave's parse trees to those of the MATLAB front end (hosts/matlab/ast.hpp). This file and outline are
// the only users of Octave's pt-*.h.
//
// Trees are translated rather than the file's text, because they are what the interpreter would run: the file may have
// changed, or the function may come from the command line or a handle. Source locations are Octave's own.
#pragma once
#include "ast.hpp"

#include <octave/oct.h>

#include <set>
#include <string>

class octave_user_function;

namespace octave {
class tree_command;
}

namespace vr::octave_host {

struct Translated {
  matlab::FunctionPtr function;
  std::set<std::string> names;     ///< identifiers, handles and short strings: they may name functions or variables
  std::set<std::string> assigned;  ///< parameters, results, and variables that the body assigns
  bool calls_by_name = false;      ///< feval or a similar function occurs: strings may name functions
};

/// Translates a function. A statement that has no counterpart becomes one of kind Other with the reason. Fails only for
/// kinds of functions that are not compiled: then there is no function, and `why` gives the kind. `results`: the number
/// of results requested from an anonymous function.
Translated translate(octave_user_function& f, const std::string& name, int results, std::string& why);

/// Translates a loop with the pragmas in front of it. `out` receives its names. Statements without a counterpart become
/// statements of kind Other.
matlab::Body translate_loop(octave::tree_command& loop, Translated& out);

/// Translates the body of an anonymous function to a lambda. If it has no counterpart, returns null and sets `why`.
matlab::ExprPtr translate_lambda(octave_user_function& f, std::set<std::string>& names, std::string& why);

}  // namespace vr::octave_host
