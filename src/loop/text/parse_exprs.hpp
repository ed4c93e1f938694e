// Expressions in the loop form's text (private to the parser, parse.cpp).
#pragma once
#include "loop/exprs.hpp"
#include "loop/text/parse_names.hpp"

namespace vr::lower {

/// The address and alias set of a load or store.
struct ParsedPlace {
  ExprP base, offset;
  int32_t alias_set = none;
};

class ExprParser {
 public:
  ExprParser(Lexer& in, Names& names, Module& m) : in_(in), names_(names), x_(m) {}

  ExprP expr();
  /// [address], NAME[subscripts] or (address)[subscripts], and the alias set.
  ParsedPlace place();

 private:
  ExprP binary(size_t level);  ///< of operators with at least this precedence
  ExprP prefix();
  ExprP number(bool negative);
  ExprP atom();
  ExprP call();  ///< at(...), any(...), a maths function
  /// The subscripts of an array (none: of an address) up to and including `close`.
  ExprP subscripts(ArrayId of, std::string_view close);
  ParsedPlace element_at(ExprP base, ArrayId of = none);  ///< the subscripts after the address
  ParsedPlace in_set(ParsedPlace p);                      ///< adds the alias set that follows

  Lexer& in_;
  Names& names_;
  Exprs x_;
};

}  // namespace vr::lower
