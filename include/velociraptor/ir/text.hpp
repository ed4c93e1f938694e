// VRIR text in and out (vrir-grammar/Vrir.g4). parse is thread-safe; print is the inverse of parse.
#pragma once
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace vr::ir {

enum class Dialect : uint8_t {
  Vrir,   ///< appendix A plus the extensions of docs/vrir.md
  Mclab,  ///< what McLab's VRIR backend emits (docs/vrir.md "The mclab dialect")
};

struct ParseOptions {
  Dialect dialect = Dialect::Vrir;
  std::string file;                 ///< named in diagnostics
  size_t max_bytes = 16u << 20;     ///< longer text is refused
  int max_depth = 500;              ///< nesting of parentheses
  size_t max_nodes = 1000000;
  size_t max_symbols = 65536;       ///< per function
  /// Short syntax: the conventions with which types are derived where the text states none, those of the engine's host.
  Conventions conventions = Conventions::numpy();
};

/// Reads one module, also in the short syntax (docs/short-syntax.md): then the first word of the text is `module`,
/// `def` or `extern`, without a parenthesis before it, and only the first error is reported. Reports all syntax errors
/// that can be separated from each other. With Dialect::Mclab the result is the module as written; `from_mclab`
/// (ir/verify.hpp) translates it to strict VRIR.
Result<ModulePtr> parse(std::string_view text, const ParseOptions& options = {});

/// Text of a tree: parse(print(x)) == x and print(parse(print(x))) == print(x).
std::string print(const Module& m);
std::string print(const Function& f);
std::string print(const Stmt& s);
std::string print(const Expr& e);
std::string print(const Type& t);

/// The module in the short syntax, which omits what parse() can derive with ParseOptions::conventions at their default:
/// parse(print_short(m)) == m. Comments that name a region (Function::region) are left out.
std::string print_short(const Module& m);

}  // namespace vr::ir
#pragma GCC visibility pop
