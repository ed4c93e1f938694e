// The syntax trees of the language, and the parser's and compiler's interfaces (docs/tutorial.md).
#pragma once
#include <velociraptor/velociraptor.hpp>

#include <string>
#include <vector>

namespace lang {

struct Expr {
  enum class Kind { Number, Name, Call, Index, List, Binary, Negate } kind;
  int line = 0;
  double number = 0;
  std::string text = {};        // the name, or the operator
  std::vector<Expr> parts = {};  // operands, arguments, subscript, elements
};

struct Stmt {
  enum class Kind { Assign, Store, For, ParFor, Gpu, While, If, Return, Error, Print } kind;
  int line = 0;
  std::string name = {};         // variable; text of an error
  std::vector<Expr> parts = {};  // Store: subscript, value. For: start, end. Else: the expression
  std::vector<Stmt> body = {}, other = {};
};

struct Parameter {
  std::string name;
  bool vector = false;  // written name[]
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  bool gives_vector = false;  // written fn name[](...)
  std::vector<Stmt> body;
};

/// Functions, and the statements outside of them.
struct Program {
  std::vector<Function> functions;
  std::vector<Stmt> statements;
};

/// Returns error SYNTAX with "line N: ..." for an invalid program.
vr::Result<Program> parse(const std::string& text);

/// Compiles the functions to a module. Errors of the verifier contain a line as "FILE:LINE:1".
vr::Result<vr::ir::ModulePtr> compile(const std::vector<Function>& functions, const std::string& file);

}  // namespace lang
