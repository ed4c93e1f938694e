// From Octave's parse trees to those of the MATLAB front end (hosts/matlab/ast.hpp). With outline, the only user
// of Octave's pt-*.h.
//
// Trees and not the text of the file: they are what the interpreter would run, whether the function came from a file
// that has changed since, from the command line, or from a handle; and source locations are Octave's own.
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
  std::set<std::string> names;  ///< identifiers, handles and short texts: what may name a function or a variable
  std::set<std::string> assigned;  ///< parameters, results and what the body assigns to
  bool calls_by_name = false;      ///< feval and the like occur: a text may name a function
};

/// A statement that has no counterpart becomes one of kind Other, which says why; so this does not fail, but for
/// functions whose kind is not compiled: then `why` says which, and there is no function. `results`: how many an anonymous
/// function is asked for.
Translated translate(octave_user_function& f, const std::string& name, int results, std::string& why);

/// A loop, with the pragmas before it. `out` gets its names. What has no counterpart becomes a statement of kind Other.
matlab::Body translate_loop(octave::tree_command& loop, Translated& out);

/// The body of an anonymous function as a lambda; null, and `why`, when it has no counterpart.
matlab::ExprPtr translate_lambda(octave_user_function& f, std::set<std::string>& names, std::string& why);

}  // namespace vr::octave_host
