// Translation of one function of the mclab dialect into strict VRIR; private to mclab*.cpp.
//
// A pass over the function rebuilds every expression with its natural type; where MATLAB's rule for the result's class
// differs from VRIR's, casts say so. Declared types of variables are kept unless a value does not fit: then the
// variable is widened and the pass runs again, until nothing changes. int64 is what the client states for a double that
// it knows to be integral, so int64 and float64 count as one MATLAB class.
#pragma once
#include "ir/mclab_builder.hpp"

#include <set>
#include <string>
#include <vector>

namespace vr::ir::mclab {

/// The types of the source's variables, widened so far.
struct VariableTypes {
  SymbolTable types;
  bool widened = false;  ///< in this pass
  std::vector<Diagnostic> remarks;
  std::set<std::string> said;
};

struct Results {
  std::vector<SymbolId> variables;  ///< when known
  std::vector<Type> types;
};

/// The state of the translation of one function, in parts with one purpose each. Functions that translate a construct take
/// this; functions that only build nodes take the Builder.
struct Translation {
  Translation(const Module& source, const Function& f, const Signatures& signatures)
      : source(source),
        f(f),
        out(source, f, signatures),
        variables{f.symbols, false, {}, {}},
        results{{}, f.type.outputs()} {}

  const Module& source;
  const Function& f;
  Builder out;
  VariableTypes variables;
  Results results;
  int pfors = 0;  ///< parallel loops around the statement at hand
};

/// Sets the type of the variable from now on, if it differs.
void widen(Translation& tr, SymbolId id, const Type& type, TextPos pos);
/// The value converted for variable `id`, which is widened if its type cannot represent the value.
ExprPtr fit_variable(Translation& tr, const ExprPtr& e, SymbolId id, TextPos pos);

struct Translated {
  FunctionPtr function;
  std::vector<Diagnostic> remarks;
};
/// Throws Refused.
Translated translate(const Module& source, const Function& f, const Signatures& signatures);

}  // namespace vr::ir::mclab
