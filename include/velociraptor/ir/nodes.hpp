// The VRIR tree: immutable, shared nodes (thesis chapter 4, appendix A, extensions in docs/vrir.md).
//
// Each struct states what the node means and lists its children and attributes once, in fields(); walking, rewriting,
// equality and hashing (visit.hpp) come from that list. A function's variables are ids of its symbol table, so a piece of
// tree can move to another function by renaming ids.
#pragma once
#include <velociraptor/ir/types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace vr::ir {

enum class Kind : uint8_t {
#define VR_EXPR(Name, word) Name,
#define VR_STMT(Name, word) Name,
#include <velociraptor/ir/nodes.def>
};
const char* kind_name(Kind k);  ///< "Plus"
const char* kind_word(Kind k);  ///< "plus", the head word of the text form

/// Line and column in the module's text, from 1; 0 when the node was built through the API.
struct TextPos {
  int32_t line = 0;
  int32_t column = 0;
};

struct Expr;
struct Stmt;
using ExprPtr = std::shared_ptr<const Expr>;
using StmtPtr = std::shared_ptr<const Stmt>;
using SymbolId = int32_t;

struct Node {
  Kind kind;
  TextPos pos;  ///< not part of equality
 protected:
  explicit Node(Kind k) : kind(k) {}
};
/// Every expression states its type.
struct Expr : Node {
  Type type;
 protected:
  Expr(Kind k, Type t) : Node(k), type(std::move(t)) {}
};
/// The function from which a statement was inlined: error records still name it and its variables.
struct InlinedFrom {
  std::string function;
  std::vector<std::pair<SymbolId, std::string>> names;  ///< names that the caller's variables had there
};
struct Stmt : Node {
  std::string loc;  ///< `:loc "file:line:col"` of the source program; empty when absent
  std::shared_ptr<const InlinedFrom> inlined;  ///< null: the statement was not inlined; not part of equality or text
 protected:
  explicit Stmt(Kind k) : Node(k) {}
};

/// One entry of a node's fields(): a name for dumps and tree paths, and the member.
template <class C, class M>
struct Field {
  const char* name;
  M C::* member;
};
template <class C, class M>
Field(const char*, M C::*) -> Field<C, M>;

#define VR_FIELDS(...) \
  static constexpr auto fields() { return std::tuple{__VA_ARGS__}; }
#define VR_FIELD(S, f) Field{#f, &S::f}

// ---------------------------------------------------------------- expressions

/// Arithmetic, comparison and logic of two operands, elementwise with broadcasting on arrays (docs/vrir.md, "Typing and
/// conversion"). Operands convert to the wider type, the result to `type`. And / Or of scalars short-circuit.
template <Kind K>
struct Binary : Expr {
  static constexpr Kind static_kind = K;
  ExprPtr lhs, rhs;
  Binary(Type t, ExprPtr l, ExprPtr r) : Expr(K, std::move(t)), lhs(std::move(l)), rhs(std::move(r)) {}
  VR_FIELDS(Field{"lhs", &Binary::lhs}, Field{"rhs", &Binary::rhs})
};
using Plus = Binary<Kind::Plus>;
using Minus = Binary<Kind::Minus>;
using Mult = Binary<Kind::Mult>;  // elementwise; the matrix product is libcall mmult
using Div = Binary<Kind::Div>;
using Lt = Binary<Kind::Lt>;
using Leq = Binary<Kind::Leq>;
using Gt = Binary<Kind::Gt>;
using Geq = Binary<Kind::Geq>;
using Eq = Binary<Kind::Eq>;
using Neq = Binary<Kind::Neq>;
using And = Binary<Kind::And>;
using Or = Binary<Kind::Or>;

/// Not: logical negation, bool result. Negate: arithmetic. Cast: conversion to `type`. All elementwise on arrays.
template <Kind K>
struct Unary : Expr {
  static constexpr Kind static_kind = K;
  ExprPtr operand;
  Unary(Type t, ExprPtr x) : Expr(K, std::move(t)), operand(std::move(x)) {}
  VR_FIELDS(Field{"operand", &Unary::operand})
};
using Not = Unary<Kind::Not>;
using Negate = Unary<Kind::Negate>;
using Cast = Unary<Kind::Cast>;

/// The variable `id`.
struct Name : Expr {
  static constexpr Kind static_kind = Kind::Name;
  SymbolId id;
  Name(Type t, SymbolId i) : Expr(static_kind, std::move(t)), id(i) {}
  VR_FIELDS(VR_FIELD(Name, id))
};
/// `(realconst :ival V T)`: an integer literal; T may be any scalar type.
struct IntConst : Expr {
  static constexpr Kind static_kind = Kind::IntConst;
  int64_t value;
  IntConst(Type t, int64_t v) : Expr(static_kind, std::move(t)), value(v) {}
  VR_FIELDS(VR_FIELD(IntConst, value))
};
/// `(realconst :dval V T)`: a floating literal, converted to T.
struct FloatConst : Expr {
  static constexpr Kind static_kind = Kind::FloatConst;
  double value;
  FloatConst(Type t, double v) : Expr(static_kind, std::move(t)), value(v) {}
  VR_FIELDS(VR_FIELD(FloatConst, value))
};
struct ComplexConst : Expr {
  static constexpr Kind static_kind = Kind::ComplexConst;
  double re, im;
  ComplexConst(Type t, double r, double i) : Expr(static_kind, std::move(t)), re(r), im(i) {}
  VR_FIELDS(VR_FIELD(ComplexConst, re), VR_FIELD(ComplexConst, im))
};

/// One subscript of an Index. `value` is a scalar, a Range, or an integer (or bool mask) array expression.
/// minbounds / maxbounds: check the lower / upper bound (`:boundscheck %x` sets both). negative: a subscript below the
/// base counts from the end. grow: a store past the end enlarges the array; absent: the module's convention.
struct Subscript {
  ExprPtr value;
  bool minbounds = true;
  bool maxbounds = true;
  bool negative = false;
  std::optional<bool> grow;
};
/// Element, slice or gather of array variable `array` (thesis 4.3); as an assignment target, the store to it.
/// Attributes left out follow the module's conventions.
struct Index : Expr {
  static constexpr Kind static_kind = Kind::Index;
  SymbolId array;
  std::optional<bool> copyslice;
  std::optional<bool> flatten;
  std::vector<Subscript> subscripts;
  Index(Type t, SymbolId a, std::vector<Subscript> s)
      : Expr(static_kind, std::move(t)), array(a), subscripts(std::move(s)) {}
  VR_FIELDS(VR_FIELD(Index, array), VR_FIELD(Index, copyslice), VR_FIELD(Index, flatten), VR_FIELD(Index, subscripts))
};
/// Call of: a variable of function type named `callee`, else a function of the module, else of the standard library (4.1.2).
struct FnCall : Expr {
  static constexpr Kind static_kind = Kind::FnCall;
  std::string callee;
  std::vector<ExprPtr> args;
  FnCall(Type t, std::string c, std::vector<ExprPtr> a)
      : Expr(static_kind, std::move(t)), callee(std::move(c)), args(std::move(a)) {}
  VR_FIELDS(VR_FIELD(FnCall, callee), VR_FIELD(FnCall, args))
};
/// A handle of function `callee`.
struct FnHandle : Expr {
  static constexpr Kind static_kind = Kind::FnHandle;
  std::string callee;
  FnHandle(Type t, std::string c) : Expr(static_kind, std::move(t)), callee(std::move(c)) {}
  VR_FIELDS(VR_FIELD(FnHandle, callee))
};
/// Call of the standard library's `func`.
struct LibCall : Expr {
  static constexpr Kind static_kind = Kind::LibCall;
  std::string func;
  std::vector<ExprPtr> args;
  LibCall(Type t, std::string f, std::vector<ExprPtr> a)
      : Expr(static_kind, std::move(t)), func(std::move(f)), args(std::move(a)) {}
  VR_FIELDS(VR_FIELD(LibCall, func), VR_FIELD(LibCall, args))
};
enum class AllocFunc : uint8_t { Zeros, Ones, Empty };
/// A new array; `args` are its extents. `Empty` leaves the elements undefined.
struct Alloc : Expr {
  static constexpr Kind static_kind = Kind::Alloc;
  AllocFunc func;
  std::vector<ExprPtr> args;
  Alloc(Type t, AllocFunc f, std::vector<ExprPtr> a) : Expr(static_kind, std::move(t)), func(f), args(std::move(a)) {}
  VR_FIELDS(VR_FIELD(Alloc, func), VR_FIELD(Alloc, args))
};
/// Extent of `array` along dimension `dim` (in the module's base).
struct Dim : Expr {
  static constexpr Kind static_kind = Kind::Dim;
  SymbolId array;
  int32_t dim;
  Dim(Type t, SymbolId a, int32_t d) : Expr(static_kind, std::move(t)), array(a), dim(d) {}
  VR_FIELDS(VR_FIELD(Dim, array), VR_FIELD(Dim, dim))
};
/// All extents of `array`, as a vector.
struct DimVec : Expr {
  static constexpr Kind static_kind = Kind::DimVec;
  SymbolId array;
  DimVec(Type t, SymbolId a) : Expr(static_kind, std::move(t)), array(a) {}
  VR_FIELDS(VR_FIELD(DimVec, array))
};
/// A tuple of its elements; as an assignment target, each element is a target.
struct TupleExpr : Expr {
  static constexpr Kind static_kind = Kind::TupleExpr;
  std::vector<ExprPtr> elems;
  TupleExpr(Type t, std::vector<ExprPtr> e) : Expr(static_kind, std::move(t)), elems(std::move(e)) {}
  VR_FIELDS(VR_FIELD(TupleExpr, elems))
};
/// Element `index` (in the module's base) of tuple variable `tuple`. Constant by construction (4.2.4).
struct TupleIndex : Expr {
  static constexpr Kind static_kind = Kind::TupleIndex;
  SymbolId tuple;
  int32_t index;
  TupleIndex(Type t, SymbolId v, int32_t i) : Expr(static_kind, std::move(t)), tuple(v), index(i) {}
  VR_FIELDS(VR_FIELD(TupleIndex, tuple), VR_FIELD(TupleIndex, index))
};
/// Complex number (or array) from two real ones.
struct ComplexExpr : Expr {
  static constexpr Kind static_kind = Kind::ComplexExpr;
  ExprPtr re, im;
  ComplexExpr(Type t, ExprPtr r, ExprPtr i) : Expr(static_kind, std::move(t)), re(std::move(r)), im(std::move(i)) {}
  VR_FIELDS(VR_FIELD(ComplexExpr, re), VR_FIELD(ComplexExpr, im))
};
/// Real / imaginary part of variable `id`.
struct RealExpr : Expr {
  static constexpr Kind static_kind = Kind::RealExpr;
  SymbolId id;
  RealExpr(Type t, SymbolId i) : Expr(static_kind, std::move(t)), id(i) {}
  VR_FIELDS(VR_FIELD(RealExpr, id))
};
struct ImagExpr : Expr {
  static constexpr Kind static_kind = Kind::ImagExpr;
  SymbolId id;
  ImagExpr(Type t, SymbolId i) : Expr(static_kind, std::move(t)), id(i) {}
  VR_FIELDS(VR_FIELD(ImagExpr, id))
};
/// start, start+step, ... up to stop. Absent start/step/stop: the whole dimension (as a subscript), else base and 1.
/// `exclude`: stop is not included; absent: the module's convention. `type` is a one-dimensional Domain, or Null as a subscript.
struct Range : Expr {
  static constexpr Kind static_kind = Kind::Range;
  std::optional<bool> exclude;
  ExprPtr start, step, stop;  ///< each may be null
  Range(Type t, std::optional<bool> x, ExprPtr a, ExprPtr s, ExprPtr e)
      : Expr(static_kind, std::move(t)), exclude(x), start(std::move(a)), step(std::move(s)), stop(std::move(e)) {}
  VR_FIELDS(VR_FIELD(Range, exclude), VR_FIELD(Range, start), VR_FIELD(Range, step), VR_FIELD(Range, stop))
};
/// Rectangular iteration domain, one Range a dimension (4.2.3). The last range runs fastest.
struct Domain : Expr {
  static constexpr Kind static_kind = Kind::Domain;
  std::vector<ExprPtr> ranges;
  Domain(Type t, std::vector<ExprPtr> r) : Expr(static_kind, std::move(t)), ranges(std::move(r)) {}
  VR_FIELDS(VR_FIELD(Domain, ranges))
};
enum class AtomicOp : uint8_t { Cas, Add, Sub, Min, Max, And, Or, Swap };
const char* atomic_op_name(AtomicOp op);  ///< "cas"
/// Atomic update of one array element (4.5.2); its value is the old element. Cas takes (expected, desired), others one operand.
struct Xchange : Expr {
  static constexpr Kind static_kind = Kind::Xchange;
  AtomicOp op;
  SymbolId array;
  std::vector<Subscript> subscripts;
  std::vector<ExprPtr> args;
  Xchange(Type t, AtomicOp o, SymbolId a, std::vector<Subscript> s, std::vector<ExprPtr> x)
      : Expr(static_kind, std::move(t)), op(o), array(a), subscripts(std::move(s)), args(std::move(x)) {}
  VR_FIELDS(VR_FIELD(Xchange, op), VR_FIELD(Xchange, array), VR_FIELD(Xchange, subscripts), VR_FIELD(Xchange, args))
};

// ---------------------------------------------------------------- statements
using Body = std::vector<StmtPtr>;

/// Targets (Name, Index, TupleIndex or TupleExpr of those) receive the value; several targets, or one TupleExpr, take the
/// results of a call or the elements of a tuple in order.
struct Assign : Stmt {
  static constexpr Kind static_kind = Kind::Assign;
  std::vector<ExprPtr> targets;
  ExprPtr value;
  Assign(std::vector<ExprPtr> t, ExprPtr v) : Stmt(static_kind), targets(std::move(t)), value(std::move(v)) {}
  VR_FIELDS(VR_FIELD(Assign, targets), VR_FIELD(Assign, value))
};
/// A block; with on_gpu an accelerated section (4.5.4), a hint to run it on the OpenCL device.
struct StmtList : Stmt {
  static constexpr Kind static_kind = Kind::StmtList;
  bool on_gpu;
  Body stmts;
  StmtList(bool gpu, Body b) : Stmt(static_kind), on_gpu(gpu), stmts(std::move(b)) {}
  VR_FIELDS(VR_FIELD(StmtList, on_gpu), VR_FIELD(StmtList, stmts))
};
/// Serial loop over `domain` (a Domain, a Range, or a Name of domain type), evaluated once; one variable a dimension.
struct For : Stmt {
  static constexpr Kind static_kind = Kind::For;
  std::vector<SymbolId> itervars;
  ExprPtr domain;
  Body body;
  For(std::vector<SymbolId> v, ExprPtr d, Body b)
      : Stmt(static_kind), itervars(std::move(v)), domain(std::move(d)), body(std::move(b)) {}
  VR_FIELDS(VR_FIELD(For, itervars), VR_FIELD(For, domain), VR_FIELD(For, body))
};
/// Loop whose iterations may run in any order or at once (4.5.1). `shared` absent: auto — arrays used in the body and
/// scalars that are only read are shared, everything else is private to an iteration.
struct PFor : Stmt {
  static constexpr Kind static_kind = Kind::PFor;
  std::vector<SymbolId> itervars;
  ExprPtr domain;
  std::optional<std::vector<SymbolId>> shared;
  Body body;
  PFor(std::vector<SymbolId> v, ExprPtr d, std::optional<std::vector<SymbolId>> s, Body b)
      : Stmt(static_kind), itervars(std::move(v)), domain(std::move(d)), shared(std::move(s)), body(std::move(b)) {}
  VR_FIELDS(VR_FIELD(PFor, itervars), VR_FIELD(PFor, domain), VR_FIELD(PFor, shared), VR_FIELD(PFor, body))
};
struct While : Stmt {
  static constexpr Kind static_kind = Kind::While;
  ExprPtr test;
  Body body;
  While(ExprPtr t, Body b) : Stmt(static_kind), test(std::move(t)), body(std::move(b)) {}
  VR_FIELDS(VR_FIELD(While, test), VR_FIELD(While, body))
};
struct If : Stmt {
  static constexpr Kind static_kind = Kind::If;
  ExprPtr test;
  Body then_body;
  Body else_body;
  If(ExprPtr t, Body a, Body b)
      : Stmt(static_kind), test(std::move(t)), then_body(std::move(a)), else_body(std::move(b)) {}
  VR_FIELDS(VR_FIELD(If, test), VR_FIELD(If, then_body), VR_FIELD(If, else_body))
};
struct Break : Stmt {
  static constexpr Kind static_kind = Kind::Break;
  Break() : Stmt(static_kind) {}
  VR_FIELDS()
};
struct Continue : Stmt {
  static constexpr Kind static_kind = Kind::Continue;
  Continue() : Stmt(static_kind) {}
  VR_FIELDS()
};
/// Ends the function with these results.
struct Return : Stmt {
  static constexpr Kind static_kind = Kind::Return;
  std::vector<ExprPtr> exprs;
  explicit Return(std::vector<ExprPtr> e) : Stmt(static_kind), exprs(std::move(e)) {}
  VR_FIELDS(VR_FIELD(Return, exprs))
};
/// Ends the call with fault RAISED: the host's own error `code`, and `text` with the numbers `args` (at most
/// max_raise_args, real scalars) in place of each `{}`; `{{` and `}}` stand for braces.
struct Raise : Stmt {
  static constexpr Kind static_kind = Kind::Raise;
  int32_t code;
  std::string text;
  std::vector<ExprPtr> args;
  Raise(int32_t c, std::string t, std::vector<ExprPtr> a)
      : Stmt(static_kind), code(c), text(std::move(t)), args(std::move(a)) {}
  VR_FIELDS(VR_FIELD(Raise, code), VR_FIELD(Raise, text), VR_FIELD(Raise, args))
};
constexpr size_t max_raise_args = 2;
/// Evaluates and drops the value.
struct ExprStmt : Stmt {
  static constexpr Kind static_kind = Kind::ExprStmt;
  ExprPtr expr;
  explicit ExprStmt(ExprPtr e) : Stmt(static_kind), expr(std::move(e)) {}
  VR_FIELDS(VR_FIELD(ExprStmt, expr))
};

// ---------------------------------------------------------------- functions and modules

struct Symbol {
  SymbolId id = 0;
  std::string name;
  Type type;
};

/// A function's variables, sorted by id; ids may have gaps.
class SymbolTable {
 public:
  const Symbol* find(SymbolId id) const;  ///< null when there is none
  const Symbol& at(SymbolId id) const;    ///< the id must exist
  bool add(Symbol s);                     ///< false when the id is taken
  /// A new variable with the smallest free id above all others.
  SymbolId fresh(std::string name, Type type);
  void set_type(SymbolId id, Type type);
  const std::vector<Symbol>& all() const { return symbols_; }

 private:
  std::vector<Symbol> symbols_;
};

/// What a region function (thesis chapter 6; made by the pass outline_regions) is specialised on: positions in
/// Function::args, rising. A parameter may be in both lists.
struct Region {
  std::vector<int> shape_params;  ///< arrays whose extents determine shapes inside: critical shape variables
  std::vector<int> value_params;  ///< integers, bools and arrays of them whose values do: critical value variables
  std::string function = {};      ///< the function of the program that contains the region
  int number = 0;                 ///< of the region in that function, from 1
  TextPos pos = {};               ///< of its first statement
  std::string loc = {};           ///< `:loc` of that
};
/// Attributes of the declaration of a host function (thesis 4.1.1; Engine::bind).
struct External {
  bool parallel = false;  ///< iterations of parallel loops may call it
  friend bool operator==(const External&, const External&) = default;
};
constexpr size_t max_external_values = 16;  ///< parameters, and results
struct Function {
  std::string name;
  Type type;  ///< of kind Function
  std::optional<External> external = {};  ///< present: a host function, which has no args, symbols or body
  std::vector<SymbolId> args;
  SymbolTable symbols;
  Body body;
  TextPos pos;
  std::string loc;               ///< `:loc`
  std::optional<Region> region;  ///< not part of equality; the text shows it as a comment
};
using FunctionPtr = std::shared_ptr<const Function>;

enum class AssignMode : uint8_t { Share, Copy };
enum class SliceMode : uint8_t { View, Copy };
enum class NanMode : uint8_t { Propagate, Omit };
enum class MemoryMode : uint8_t { Refcount, Boehm };
enum class BroadcastMode : uint8_t { Trailing, Leading, None };
/// What integer arithmetic and conversions to integers do with a result out of range (`:overflow`).
enum class OverflowMode : uint8_t { Wrap, Saturate, Fault };
/// LLVM's fast-math flags a module may grant (`:fastmath`).
namespace fastmath {
enum : uint8_t { None = 0, Reassoc = 1, Contract = 2, Arcp = 4, Nnan = 8, Ninf = 16, Nsz = 32, Afn = 64, All = 127 };
}

/// The conventions in force in a module: its own and, where it states none, the host's (docs/vrir.md "Conventions of a module").
struct Conventions {
  int indexing = 0;
  bool exclude = true;
  bool flatten = false;
  bool grow = false;
  AssignMode assign = AssignMode::Share;
  SliceMode slices = SliceMode::View;
  NanMode nan = NanMode::Propagate;
  MemoryMode memory = MemoryMode::Refcount;
  int mindims = 1;
  uint8_t fast_math = fastmath::Afn;
  BroadcastMode broadcast = BroadcastMode::Trailing;
  Promote promote = Promote::Vrir;
  OverflowMode overflow = OverflowMode::Wrap;
  static Conventions numpy() { return {}; }
  static Conventions matlab();
  friend bool operator==(const Conventions&, const Conventions&) = default;
};

/// The conventions that a module's text states; absent ones are the host's.
struct ConventionAttrs {
  std::optional<int> indexing;
  std::optional<bool> exclude, flatten, grow;
  std::optional<AssignMode> assign;
  std::optional<SliceMode> slices;
  std::optional<NanMode> nan;
  std::optional<MemoryMode> memory;
  std::optional<int> mindims;
  std::optional<uint8_t> fast_math;
  std::optional<BroadcastMode> broadcast;
  std::optional<Promote> promote;
  std::optional<OverflowMode> overflow;
  Conventions resolve(const Conventions& host) const;
  friend bool operator==(const ConventionAttrs&, const ConventionAttrs&) = default;
};

struct Module {
  std::string name;
  ConventionAttrs attrs;
  std::optional<int> version;  ///< `:vrir 1`
  std::vector<FunctionPtr> functions;
  std::string file;  ///< where the text came from; "" for trees built through the API

  const Function* find(const std::string& function) const;  ///< null when there is none
};
using ModulePtr = std::shared_ptr<const Module>;

}  // namespace vr::ir
#pragma GCC visibility pop
