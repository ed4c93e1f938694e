// The syntax tree of a MATLAB program. The parser makes it from text; a host may make it from syntax trees of its own.
// Nodes are immutable once built and shared.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vr::matlab {

/// Line and column, from 1; 0 when unknown.
struct Pos {
  int line = 0;
  int column = 0;
};

struct Expr;
struct Stmt;
using ExprPtr = std::shared_ptr<const Expr>;
using StmtPtr = std::shared_ptr<const Stmt>;
using Body = std::vector<StmtPtr>;

enum class Op {
  None,
  Plus,
  Minus,
  Times,
  Rdivide,
  Ldivide,
  Power,  // + - .* ./ .\ .^
  Mtimes,
  Mrdivide,
  Mldivide,
  Mpower,  // * / \ ^
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  And,
  Or,
  AndAnd,
  OrOr,
  Not,
  Uplus,
  Uminus,
  Transpose,
  Ctranspose,  // Transpose is .'
  Increment,
  Decrement,
};
const char* op_text(Op op);

enum class ExprKind {
  Number,   ///< number; imaginary
  String,   ///< text: without the quotes, escapes replaced; double_quoted
  Name,     ///< text
  Colon,    ///< a lone ':' as a subscript
  End,      ///< 'end' in a subscript
  Unary,    ///< op args[0]
  Postfix,  ///< args[0] op: transposes
  Binary,   ///< args[0] op args[1]
  Range,    ///< args: start, stop or start, step, stop
  Index,    ///< args[0] ( args[1...] ): a subscript or a call
  Brace,    ///< args[0] { args[1...] }
  Field,    ///< args[0] . text
  Matrix,   ///< rows
  Cell,     ///< rows
  Lambda,   ///< @(names) args[0]
  Handle,   ///< @text
  Assign,   ///< args[0] = args[1] within an expression
};

struct Expr {
  ExprKind kind = ExprKind::Number;
  Pos pos;
  double number = 0;
  bool imaginary = false, double_quoted = false;
  std::string text;
  Op op = Op::None;
  std::vector<ExprPtr> args;
  std::vector<std::vector<ExprPtr>> rows;
  std::vector<std::string> names;
};

enum class StmtKind {
  Assign,   ///< targets = value; op: the operator of `+=` and the like. A null target is `~`
  Expr,     ///< value
  If,       ///< tests[k]: bodies[k]; one body more than tests is the else
  While,    ///< tests[0]; bodies[0]
  DoUntil,  ///< bodies[0] until tests[0]
  For,      ///< targets[0] = value; bodies[0]; parallel: parfor
  Switch,   ///< value; tests[k]: bodies[k]; one body more than tests is the otherwise
  Break,
  Continue,
  Return,
  Pragma,  ///< the comment %#vr text
  Other,   ///< a statement that is not compiled; text names it (global, try, unwind_protect, a command ...)
};

/// Whether an assignment also sets `ans`: `x++` to the old value of x, `++x` to the new one.
enum class SetsAns { No, Before, After };

struct Stmt {
  StmtKind kind = StmtKind::Expr;
  Pos pos;
  bool printed = false;  ///< no semicolon: its value is shown
  bool parallel = false;
  Op op = Op::None;
  SetsAns sets_ans = SetsAns::No;
  std::string text;
  std::vector<ExprPtr> targets;
  ExprPtr value;
  std::vector<ExprPtr> tests;
  std::vector<Body> bodies;
};

/// Whether the expression contains an assignment.
bool assigns(const Expr& e);

/// The statement `a || (x = b)`, or with &&, as an if; null for any other expression. The value of `ans`
/// after it is not modelled: sets_ans is Before.
StmtPtr conditional_assignment(const ExprPtr& e);
/// Whether the statements contain a return, break or continue.
bool jumps(const Body& b);
/// Statements that always run: `if` with a constant test.
StmtPtr block(Pos pos, Body body);

struct Param {
  std::string name;  ///< "~": ignored. The last one may be varargin, for all further arguments
  ExprPtr value;     ///< the default; null when there is none
};

struct Function {
  std::string name;
  std::string file;  ///< of its source locations; empty: the unit's
  Pos pos;
  std::vector<Param> params;
  std::vector<std::string> outputs;
  Body body;
  bool part = false;     ///< outlined from another function (part.hpp)
  bool prelude = false;  ///< a builtin that is written in the language (prelude.hpp)
};
using FunctionPtr = std::shared_ptr<const Function>;

/// A value of an option list, as far as it is known when compiling.
struct OptionValue {
  enum Kind { Empty, Marker, Text, Number, Fields };
  Kind kind = Empty;  ///< Empty: [] (0 x 0)
  int marker = 0;     ///< stands for a value that is not known, and is not empty
  std::string text;
  double number = 0;
  std::vector<std::pair<std::string, OptionValue>> fields;
};

/// The functions of one file, the main one first.
struct Unit {
  std::string file;
  std::vector<FunctionPtr> functions;
  /// Looks up a function in the host's library, for names that are neither functions of the unit nor compiled builtins.
  /// The result must live as long as the unit; null: not found. May be empty.
  std::function<const Function*(const std::string& name)> library;
  /// Calls optimset, optimget, odeset or odeget of the host. The result has the markers of the arguments where it has
  /// their values; nothing: the host fails, warns, or has no such result. May be empty.
  std::function<std::optional<OptionValue>(const std::string& name, const std::vector<OptionValue>& args)> options;
  const Function* find(const std::string& name) const;
};

}  // namespace vr::matlab
