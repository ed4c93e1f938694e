// The lowered form: what is left of a VRIR function when arrays, checks and library calls have become scalar variables,
// addresses, structured control flow and calls of the runtime. Both backends (codegen/llvm, codegen/opencl) take exactly this.
//
// An array is no value here. Each array variable is a set of scalar variables (data address, owner, extents, strides), so
// that an optimiser sees them as loop invariants without being told (thesis 5.7.1). A descriptor in memory exists only
// around a call. Complex numbers are two scalars.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace vr::lower {

/// Scalar machine types. Bool is 0/1: one byte in memory, a truth value in expressions.
enum class Scalar : uint8_t {
#define VR_ELEM(Name, text, code, ...) Name = code,
#include <velociraptor/ir/elements.def>
  Ptr = 0xff,
};
constexpr Scalar scalar_of(ir::Elem e) { return static_cast<Scalar>(e); }
/// Of anything but Ptr.
constexpr ir::Elem elem_of(Scalar s) { return static_cast<ir::Elem>(s); }
constexpr int scalar_bytes(Scalar s) { return s == Scalar::Ptr ? 8 : ir::elem_bytes(elem_of(s)); }
constexpr bool is_float(Scalar s) { return s != Scalar::Ptr && ir::is_float(elem_of(s)); }
constexpr bool is_unsigned(Scalar s) { return s != Scalar::Ptr && ir::is_unsigned(elem_of(s)); }
constexpr bool is_integer(Scalar s) { return s != Scalar::Ptr && ir::is_integer(elem_of(s)); }
const char* scalar_name(Scalar s);  ///< in the lowered form: "f64", "ptr"

using VarId = int32_t;    ///< index into Function::vars
using ArrayId = int32_t;  ///< index into Function::arrays
using SiteId = int32_t;   ///< index into Module::sites
constexpr int32_t none = -1;
constexpr int32_t alias_sets_in_group = 64;
constexpr int32_t most_lanes = 4;

// ---------------------------------------------------------------- expressions: pure, no fault, no side effect
enum class Op : uint8_t {
  Add, Sub, Mul,      // integers wrap; floats IEEE
  Div,                // floats: IEEE; integers: truncating, divisor neither 0 nor (-1 with MIN): lowering guards it
  Rem,                // integers only, same guard; sign of the dividend
  And, Or, Xor,       // Bool and integers
  Eq, Ne, Lt, Le, Gt, Ge,  // operands of one type, result Bool; floats ordered (Ne: unordered or unequal)
  Neg,                // unary
  Not,                // unary, Bool
};
const char* op_name(Op op);
inline bool is_comparison(Op op) { return op >= Op::Eq && op <= Op::Ge; }
Op negated(Op op);   ///< of whole numbers: !(a op b) is a negated(op) b
Op mirrored(Op op);  ///< a op b is b mirrored(op) a

/// Scalar maths. Arguments and result have one floating type (Float32 or Float64).
enum class MathFn : uint8_t {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) Name,
#include "loop/math.def"
};
const char* math_name(MathFn f);  ///< the C name of the double version, "exp"
int math_arity(MathFn f);

struct Expr {
  /// IntConst: ival, any integer type or Bool; FloatConst: fval; Null: a null Ptr.
  /// Var: the variable's value. Unary: op a. Binary: a op b. Select: a ? b : c. Convert: a to `type` (float to integer:
  /// toward zero, saturating, NaN gives 0; to Bool: a != 0; Ptr never). Math: fn(args). Load: `type` at address a + b bytes
  /// (a Ptr, b Int64; where b is a sum, one term an axis, the address after each of its terms from the left is in the
  /// array as well). Offset: Ptr a plus b bytes.
  /// At: Int64, how many bytes behind the first the element with these subscripts lies: a list of a subscript `a`, the
  /// stride `b` of its axis in bytes and the rest of the list `c` (an At, or null), plus `ival` (of a part of the element;
  /// in the first of the list). Of the loop form alone: linearise() makes sums of them.
  /// Aligned: Bool, whether address a + b bytes is a multiple of `ival`, a power of two. Kernels only.
  enum class Kind : uint8_t { IntConst, FloatConst, Null, Var, Unary, Binary, Select, Convert, Math, Load, Offset, At, Aligned };
  Kind kind;
  Scalar type;
  Op op = Op::Add;
  bool any_order = false;  ///< Binary Add, Mul of floats, Select of a smaller or greater: part of a reduction that may associate
  MathFn fn{};
  VarId var = none;
  /// Load: accesses of two different sets (>= 0) of one group (set / alias_sets_in_group) never overlap once the group's AliasGroup has run.
  int32_t alias_set = none;
  int64_t ival = 0;
  double fval = 0;
  const Expr *a = nullptr, *b = nullptr, *c = nullptr;
};
using ExprP = const Expr*;

// ---------------------------------------------------------------- statements
struct Stmt;
using Block = std::vector<Stmt>;

struct SetVar { VarId var; ExprP value; };
struct Store { ExprP base, offset, value; int32_t alias_set = none; };  ///< value's type at base (Ptr) + offset (Int64, At) bytes
/// Variables of one type = the elements from base + offset bytes on, 2 or 4. The address is a multiple of the bytes of all
/// (Aligned). Kernels only, as StoreVector, which stores the values there.
struct LoadVector { std::vector<VarId> vars; ExprP base, offset; };
struct StoreVector { std::vector<ExprP> values; ExprP base, offset; };
/// The loads before it had better all be under way before anything is made of them; without meaning for results. Kernels only.
struct Fence {};
/// result = the element at base + offset bytes; element = op(element, value), as one step that no other thread sees half
/// done. Cas stores `value` only when the element equals `expected` (as numbers: -0 equals 0, NaN nothing). The element's
/// type is the result variable's, of 4 or 8 bytes; And and Or: integers only. Relaxed order.
struct Atomic { ir::AtomicOp op; VarId result; ExprP base, offset, value, expected = nullptr; };
struct If { ExprP cond; Block then_body, else_body; bool unlikely = false; };  ///< unlikely: then_body is rarely taken
/// While `flag` (Bool) is true the arrays whose data variables are listed are disjoint; each is an alias set of its own.
struct Disjoint { ExprP flag; std::map<VarId, int32_t> sets; };
/// for (var = lo; var < hi; ++var): Int64; lo and hi evaluated once; the body does not assign var.
/// independent: no iteration reads or writes what another writes.
/// fallback: runs rarely; not worth the backend's time. across: the body holds several like lanes; vectors are made of
/// those, not of iterations. element: the body computes an element of an array expression; unrolling makes much code of it
/// and little speed. chunks: each iteration is work enough for a task.
/// version: may get a second form without checks (transform/version.hpp); disjoint: what it may rely on there.
/// unroll: the backend had better write the body so many times; 0: as it likes.
/// parallel: a parallel loop of the program inside of a kernel: its iterations may run in any order and at once, and what
/// one assigns no other reads.
struct CountedLoop {
  VarId var;
  ExprP lo, hi;
  Block body;
  bool independent = false, fallback = false, across = false, element = false, chunks = false, version = false, parallel = false;
  std::shared_ptr<const Disjoint> disjoint = nullptr;
  SiteId site = none;  ///< of the statement that loops
  int32_t unroll = 0;
};
/// Forever; left by Break, Exit or Fail. brief: after few iterations.
struct Loop { Block body; SiteId site = none; bool brief = false; };
/// Leaves the function through its cleanup with INTERRUPTED when the host says so, or with another thread's fault
/// (transform/poll.hpp). Not in kernels.
struct Poll { SiteId site; };
/// From here on the alias sets of this group hold (until it runs again).
struct AliasGroup { int32_t group; };
struct Break {};
struct Continue {};  ///< next iteration of the innermost loop of either kind
/// Records the fault (first one wins) and leaves the function through its cleanup with `code`.
/// index / extent may be null (0); with VR_RAISED they are its numbers, Float64 too.
struct Fail { SiteId site; int32_t code; ExprP index = nullptr, extent = nullptr; };
struct Exit {};  ///< success: results are handed over, then the cleanup runs

/// What a call takes: a scalar, an array by descriptor (read before, and with `out` read back after the call), a vector of
/// Int64 values in memory, a site, or the address of the string `text`.
struct Arg {
  enum class Kind : uint8_t { Scalar, Array, Int64s, Site, Text };
  Kind kind;
  ExprP value = nullptr;
  ArrayId array = none;
  bool out = false;  ///< Array: the callee fills or changes the descriptor; its fields are read back on success
  bool in = true;    ///< Array: the descriptor is filled before the call (false: data and owner null)
  std::vector<ExprP> values = {};
  SiteId site = none;
  std::string text = {};
};
/// Call of the runtime function `fn` (runtime/abi.def). The context is passed first where the table says so.
/// checked: the result is a status; anything but VR_OK leaves the function through its cleanup with it.
struct Call { int32_t fn; std::vector<Arg> args; VarId result = none; bool checked = false; };
/// One argument or result of a VRIR function: a scalar (with `im` when complex) or an array.
struct Operand { VarId var = none, im = none; ArrayId array = none; };
/// Call of Module::functions[callee], or of the vr_entry in variable `handle` (Ptr) when callee is none. Checked. Array
/// arguments hand one reference each to the callee; array results bring one.
struct CallFunction { int32_t callee; VarId handle = none; std::vector<Operand> args, results; };
/// Ptr variable `var` = address of Module::functions[callee]'s entry.
struct TakeAddress { VarId var; int32_t callee; };
/// Ptr variable `var` = the address of `bytes` bytes that are this function's own until it returns (a kernel's: the
/// work-item's); the same ones each time.
struct Scratch { VarId var; int64_t bytes; };
/// Runs Module::functions[task] (of Function::Kind::Task) over [lo, hi), in blocks and perhaps at once. `captures` are this
/// function's variables, in the order of the task's params, copied in. Checked.
struct ParallelFor { int32_t task; ExprP lo, hi; std::vector<VarId> captures; SiteId site = none; };
/// Runs Module::functions[kernel] (of Function::Kind::Kernel) on the device over the domain `counts` (kernel's dims, same
/// order). Checked (a later fault may appear at the section's end).
/// plain: not worth a version of the kernel for this launch (transform/kernel_version.hpp).
struct Launch { int32_t kernel; std::vector<ExprP> counts; std::vector<Operand> args; SiteId site; bool plain = false; };

struct Stmt {
  std::variant<SetVar, Store, LoadVector, StoreVector, Fence, Atomic, AliasGroup, If, CountedLoop, Loop, Break, Continue, Fail, Exit, Call, CallFunction, TakeAddress,
               Scratch, ParallelFor, Launch, Poll> node;
  int32_t place = none;  ///< index into Module::places; none: of the statement around it
};

// ---------------------------------------------------------------- functions
struct Var { std::string name; Scalar type; };
/// The scalar variables that stand for one array.
struct ArrayVars {
  std::string name;
  ir::Elem elem;
  bool complex = false;
  VarId data = none;              ///< Ptr: element (0,...,0)
  VarId owner = none;             ///< Ptr to vr_owner; none where no count is kept (tasks, kernels)
  VarId flags = none;             ///< Int32: VR_ARRAY_...; none: 0
  std::vector<VarId> extent;      ///< Int64, rank entries
  std::vector<VarId> stride;      ///< Int64 bytes, rank entries
  int64_t element_bytes() const { return int64_t{ir::elem_bytes(elem)} * (complex ? 2 : 1); }
};
/// A parameter or result, in the order of the VRIR type.
struct Param {
  VarId var = none, im = none;    ///< scalar; `im` when complex
  ArrayId array = none;           ///< array
  bool written = false;           ///< kernels: the array may be written
  bool fresh = false;             ///< kernels: ... and its previous contents are dead
  std::string variable = {};      ///< kernels, arrays: the program's variable that it is; empty: of none
};
/// Kernel: a scalar that it folds. Each work-item starts `var` with `neutral`, runs the body for its points, and each
/// work-group stores what its work-items have, joined (Function::join), in row `group` of array parameter `partial`,
/// whose rows have eight bytes for each fold.
struct Fold { VarId var, other; ExprP neutral; ArrayId partial; };
/// Kernel: the elements of type `type` at array parameter `array`'s address + dims[0] * their size, which each point
/// loads, or stores as its last access of the array, or both. Neighbouring points may do so for several at once.
struct Lane { ArrayId array; Scalar type; bool loaded, stored; };
struct Function {
  /// Entry: vr_entry convention. Task: body of a ParallelFor; params are scalar captures; runs over [lo_var, hi_var).
  /// Kernel: one work-item strides over the domain `dims`; params are scalars and arrays; Fail writes the error buffer.
  enum class Kind : uint8_t { Entry, Task, Kernel };
  Kind kind = Kind::Entry;
  std::string name;               ///< symbol, unique in the module; [A-Za-z0-9_]
  std::string source_name;        ///< VRIR function it comes from
  std::vector<Var> vars;
  std::vector<ArrayVars> arrays;
  std::vector<Param> params;
  std::vector<Param> results;     ///< Entry only
  std::map<VarId, int64_t> constants;  ///< Int64 variables that have this value in all calls and never change
  bool region = false;            ///< Entry only: called through vr_rt_call_region
  VarId lo_var = none, hi_var = none;  ///< Task
  /// Kernel: loop variables, 0 .. count-1 each; dims[0] runs over consecutive work-items.
  std::vector<VarId> dims;
  /// Kernel: no array that it writes overlaps another of its arrays.
  bool disjoint = false;
  /// Kernel: dims, extents, strides and variables of counted loops whose values fit 32 bits. Not empty: so do all extents
  /// and strides of its arrays and the counts, and the runtime passes them so.
  std::set<VarId> narrow;
  std::vector<Fold> folds;        ///< Kernel: as many work-groups run as the partial array has rows
  /// Kernel with folds: what somebody else has, in `other` of all folds, joins what is in their `var`. Scalars only, in
  /// any order.
  Block join;
  /// Kernel: 0: work-items stride over the domain. Else each takes up to so many neighbouring points of dims[0], and as
  /// many of them run as that takes (no folds).
  int32_t points = 0;
  int32_t on_host = none;         ///< Kernel: the Entry function that does its work on the CPU (host_version.hpp)
  /// Kernel: the kernel of which it is another form, with the same parameters and dims; none: of none.
  int32_t form_of = none;
  std::vector<Lane> lanes;        ///< Kernel of one dimension: what may be loaded and stored for `most_lanes` points at once
  Block body;
  Block cleanup;                  ///< runs on every way out, after the results are handed over; cannot fail
  uint8_t fast_math = 0;          ///< ir::fastmath flags
  int32_t place = none;           ///< index into Module::places
};
/// Where a fault can happen; becomes a vr_site (runtime/abi.h).
struct Site {
  std::string function, loc, array;
  int32_t axis = -1;
  std::string message;
  int32_t raised = 0;
};

struct Module {
  std::string name;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Site> sites;
  std::vector<Place> places;  ///< of statements and functions; empty unless LowerOptions::places asked for them
  std::vector<std::string> report;  ///< what could not be lowered to where it was asked to run
  std::deque<Expr> exprs;           ///< owns every expression
  bool column_major = false;        ///< arrays whose strides are not known likely run along their first dimension
};
/// Whether symbols may hold the character, in any locale.
constexpr bool is_symbol_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
/// Adds a function; its name is made unique in the module, and a symbol. Returns its number.
int32_t add_function(Module& m, Function::Kind kind, const std::string& name, const std::string& source_name);

/// Readable dump of the lowered form, for tests and VR_DUMP=lower.
std::string print(const Module& m);
std::string print(const Function& f);
/// All of a module but places and reports, as parse_loops() reads it: a declaration for each variable and array.
std::string print_loops(const Module& m);

}  // namespace vr::lower
