// The loop form and the lowered form: what is left of a VRIR function when arrays, checks and library calls have become scalar
// variables, addresses, structured control flow and calls of the runtime. linearise() turns the first into the second, which is
// the input of both backends (codegen/llvm, codegen/opencl).
//
// An array is no value here. Each array variable is a set of scalar variables (data address, owner, extents, strides), which
// an optimiser recognises as loop invariants without annotations (thesis 5.7.1). A descriptor in memory exists only around a
// call. Complex numbers are two scalars.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/status.hpp>

#include <array>
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
/// Defined for all types but Ptr.
constexpr ir::Elem elem_of(Scalar s) { return static_cast<ir::Elem>(s); }
constexpr int scalar_bytes(Scalar s) { return s == Scalar::Ptr ? 8 : ir::elem_bytes(elem_of(s)); }
constexpr bool is_float(Scalar s) { return s != Scalar::Ptr && ir::is_float(elem_of(s)); }
/// These are values of 16 bits that variables, constants, selects, loads and stores have, and conversions to and from float32
/// (has_conversion); nothing is computed with them.
constexpr bool is_narrow_float(Scalar s) { return s != Scalar::Ptr && ir::is_narrow_float(elem_of(s)); }
/// Whether a Convert node may have these types. float64 to float16 rounds once; to bfloat16 it is rounded to float32 first.
constexpr bool has_conversion(Scalar from, Scalar to) {
  if (is_narrow_float(from)) return to == Scalar::Float32;
  return !is_narrow_float(to) || from == Scalar::Float32 || (from == Scalar::Float64 && to == Scalar::Float16);
}
/// The bits of `v` in that narrow float.
constexpr uint16_t narrow_bits(double v, Scalar s) {
  return s == Scalar::BFloat16 ? ir::BFloat16(v).bits : ir::Float16(v).bits;
}
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
// clang-format off
enum class Op : uint8_t {
  Add, Sub, Mul,      // integers wrap; floats IEEE
  Div,                // floats: IEEE; integers: truncating, divisor neither 0 nor (-1 with MIN): lowering guards it
  Rem,                // integers only, same guard; sign of the dividend
  And, Or, Xor,       // Bool and integers
  Shl, Shr,           // integers; the count is taken modulo the number of bits; Shr repeats the sign of signed numbers
  Eq, Ne, Lt, Le, Gt, Ge,  // operands of one type, result Bool; floats ordered (Ne: unordered or unequal)
  Neg,                // unary
  Not,                // unary, Bool
  Popcount,           // unary, integers: how many of the number's bits are 1
};
// clang-format on
const char* op_name(Op op);
inline bool is_comparison(Op op) { return op >= Op::Eq && op <= Op::Ge; }
Op negated(Op op);   ///< integers only: !(a op b) equals a negated(op) b
Op mirrored(Op op);  ///< a op b is b mirrored(op) a

/// Scalar maths. Arguments and result have one floating type (Float32 or Float64).
enum class MathFn : uint8_t {
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) Name,
#include "loop/math.def"
};
inline constexpr int math_count = 0
#define VR_MATH(Name, c_name, opencl_name, arity, llvm_name) +1
#include "loop/math.def"
    ;
const char* math_name(MathFn f);  ///< the C name of the double version, "exp"
int math_arity(MathFn f);

struct Expr {
  /// IntConst: ival, any integer type or Bool; FloatConst: fval; Null: a null Ptr.
  /// Var: the variable's value. Unary: op a. Binary: a op b. Select: a ? b : c. Convert: a to `type` (float to integer:
  /// toward zero, saturating, NaN gives 0; to Bool: a != 0; Ptr never; has_conversion). Math: fn(args). Load: `type` at address a + b bytes
  /// (a Ptr, b Int64; if b is a sum with one term per axis, then adding its terms from the left one by one never leaves the
  /// array). Offset: Ptr a plus b bytes.
  /// At: Int64, the distance in bytes from the array's first element to the element with the given subscripts. A list: a
  /// subscript `a`, the stride `b` of its axis in bytes and the rest of the list `c` (an At, or null). `ival` bytes are added
  /// (first of the list only), to address a part of the element. Loop form only: linearise() replaces it by sums.
  /// Aligned: Bool, whether address a + b bytes is a multiple of `ival`, a power of two. Kernels only.
  enum class Kind : uint8_t { IntConst, FloatConst, Null, Var, Unary, Binary, Select, Convert, Math, Load, Offset, At, Aligned };
  Kind kind;
  Scalar type;
  Op op = Op::Add;
  bool any_order = false;  ///< Binary Add, Mul of floats, Select of a smaller or greater: part of a reduction that may associate
  MathFn fn{};
  VarId var = none;
  /// Load: accesses of two different sets (>= 0) of one group (set / alias_sets_in_group) never overlap once the group's
  /// AliasGroup has run.
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
/// `vars` (2 or 4, of one type) = the consecutive elements from base + offset bytes on. The address must be a multiple of the
/// vector's size in bytes (Aligned). Kernels only; so is StoreVector, which stores `values` there.
struct LoadVector { std::vector<VarId> vars; ExprP base, offset; };
struct StoreVector { std::vector<ExprP> values; ExprP base, offset; };
/// A hint without influence on results: all loads before it should be issued before the first use of a loaded value, so that
/// they are outstanding at the same time. Kernels only.
struct Fence {};
/// All work-items of the group come here before one of them goes on, and see what any of them has stored in shared
/// memory before; global: and in arrays. Kernels with a group (Function::group) only; all work-items of a group execute
/// it, or none.
struct Barrier {
  bool global = false;
};
/// The iteration's part of Function::rows[row] is elements base + offset bytes and what follows it. Row::across:
/// element number k is k * step bytes behind the first (Int64, the same in the work-group). Kernels with blocks: the
/// row's size in bytes. Else `step` is null.
struct RowAt { int32_t row; ExprP base, offset, step = nullptr; };
/// Begins to load the row's elements [first, first + count), 0 <= count <= Row::length (Int64, the same in the work-group).
struct RowLoad { int32_t row; ExprP first, count; };
/// The elements whose loads have begun are at Row::data now, in place of those before.
struct RowWait { std::vector<int32_t> rows; };
/// Stores the first `count` elements at Row::data as the row's elements from `first` on (as in RowLoad).
struct RowStore { int32_t row; ExprP first, count; };
/// result = the element at base + offset bytes; element = op(element, value), indivisible for all threads. Cas stores `value`
/// only if the element equals `expected` (as numbers: -0 equals 0, NaN equals nothing). The element has the type of the
/// result variable, of 4 or 8 bytes; And and Or: integers only. Relaxed memory order.
struct Atomic { ir::AtomicOp op; VarId result; ExprP base, offset, value, expected = nullptr; };
struct If { ExprP cond; Block then_body, else_body; bool unlikely = false; };  ///< unlikely: then_body is rarely taken
/// While `flag` (Bool) is true, the arrays whose data variables are listed are disjoint; each is an alias set of its own.
struct Disjoint { ExprP flag; std::map<VarId, int32_t> sets; };
struct Reduction;
/// for (var = lo; var < hi; ++var): Int64; lo and hi are evaluated once; the body does not assign var.
/// independent: no iteration reads or writes what another writes.
/// fallback: runs rarely; not worth optimising in the backend. across: the body contains several similar computations;
/// they are vectorised with each other, not over the iterations. element: the body computes an element of an array
/// expression; unrolling it increases code size and gains little speed. chunks: each iteration is enough work for a
/// task. version: may get a second version without checks (transform/version.hpp); disjoint: which arrays may be
/// disjoint there. unroll: by how much the backend should unroll the loop; 0: it decides itself. spread: in kernels
/// with a team. No iteration uses what another assigns, and nothing that it assigns is used after the loop, except the
/// state of its reduction. All work-items of a group run the loops of all its iterations of the kernel's domain, one
/// after another, neighbours consecutive iterations. own: the variables that the body uses, does not assign, and that
/// differ along dims[0]. In cooperative kernels (Function::cooperative) the work-items of a team share the loop's
/// iterations, neighbours consecutive ones, and `own` is empty. reduction: what the nest of loops that begins here
/// computes, if its elements may be joined in any order. Of a spread loop: each work-item begins with the start values;
/// after the loop all have the state before it, joined with those of the team's work-items in an order that depends on
/// nothing but the team's size. parallel: a parallel loop of the program inside a kernel: its iterations may run in any
/// order and at the same time, and none reads what another assigns.
struct CountedLoop {
  VarId var;
  ExprP lo, hi;
  Block body;
  bool independent = false, fallback = false, across = false, element = false, chunks = false, version = false, parallel = false;
  std::shared_ptr<const Disjoint> disjoint = nullptr;
  SiteId site = none;  ///< of the statement that loops
  int32_t unroll = 0;
  bool spread = false;
  std::vector<VarId> own = {};
  std::shared_ptr<const Reduction> reduction = nullptr;
};
/// A reduction: the variables of its state, which the loops join elements to; the values that they begin with (constants, identity
/// elements); and scalar code that joins a second state, in `others`, to the one in `vars`. A nest with an array's elements
/// cut into parts, each with a state of its own, has the same result up to the order of operations marked any_order.
struct Reduction {
  std::vector<VarId> vars, others;
  std::vector<ExprP> start;
  Block join;
};
/// In kernels with a team: one of an iteration's work-items runs the body. The others do not know what it assigns; Solo, the
/// offsets of rows that are not common, and CountedLoop::own alone may use it.
struct Solo { Block body; };
/// An endless loop; left by Break, Exit or Fail. brief: it ends after few iterations.
struct Loop { Block body; SiteId site = none; bool brief = false; };
/// Leaves the function through its cleanup if the host wants the call to end (status INTERRUPTED), or, in a task, with the
/// fault of another task (transform/poll.hpp). Not in kernels.
struct Poll { SiteId site; };
/// From here on (until the statement runs again) accesses of different alias sets of this group do not overlap.
struct AliasGroup { int32_t group; };
struct Break {};
struct Continue {};  ///< next iteration of the innermost loop of either kind
/// Records the fault (the first one is kept) and leaves the function through its cleanup with `code`.
/// index / extent may be null (0); with VR_RAISED they are the numbers of the raised error, and may be Float64. stay:
/// it only records the fault, for work-items that first have to meet others at a barrier (Function::group).
struct Fail {
  SiteId site;
  int32_t code;
  ExprP index = nullptr, extent = nullptr;
  bool stay = false;
};
struct Exit {};  ///< success: hands over the results, then runs the cleanup

/// An argument of a call: a scalar, an array by descriptor (filled before the call, and with `out` read back after it), a
/// vector of Int64 values in memory, a site, or the address of the string `text`.
struct Arg {
  enum class Kind : uint8_t { Scalar, Array, Int64s, Site, Text };
  Kind kind;
  ExprP value = nullptr;
  ArrayId array = none;
  bool out = false;  ///< Array: the callee fills or changes the descriptor; its fields are read back on success
  bool in = true;    ///< Array: the descriptor is filled before the call (false: its data and owner are null)
  std::vector<ExprP> values = {};
  SiteId site = none;
  std::string text = {};
};
/// Call of the runtime function `fn` (runtime/abi.def). The context is passed first where that table says so.
/// checked: the result is a status; if it is not VR_OK, the function is left through its cleanup with it.
struct Call { int32_t fn; std::vector<Arg> args; VarId result = none; bool checked = false; };
/// One argument or result of a VRIR function: a scalar (with `im` when complex) or an array.
struct Operand { VarId var = none, im = none; ArrayId array = none; };
/// Call of Module::functions[callee], or, if callee is none, of the vr_entry in variable `handle` (Ptr). Its status is
/// checked. One reference of each array argument is handed to the callee; each array result brings one reference.
struct CallFunction { int32_t callee; VarId handle = none; std::vector<Operand> args, results; };
/// Ptr variable `var` = address of Module::functions[callee]'s entry.
struct TakeAddress { VarId var; int32_t callee; };
/// Ptr variable `var` = the address of `bytes` bytes that belong to this call of the function (in kernels: to the work-item)
/// until it returns. Executing the statement again gives the same memory.
struct Scratch { VarId var; int64_t bytes; };
/// Runs Module::functions[task] (of Function::Kind::Task) over [lo, hi), in blocks that may run at the same time. `captures`
/// are variables of this function, passed by value, in the order of the task's params. Its status is checked.
struct ParallelFor { int32_t task; ExprP lo, hi; std::vector<VarId> captures; SiteId site = none; };
/// Runs Module::functions[kernel] (of Function::Kind::Kernel) on the device over the domain `counts` (in the order of the
/// kernel's dims). Its status is checked, but a fault may also appear only at the end of the section.
/// plain: a version of the kernel without checks does not pay for this launch (transform/kernel_version.hpp).
struct Launch { int32_t kernel; std::vector<ExprP> counts; std::vector<Operand> args; SiteId site; bool plain = false; };

struct Stmt {
  std::variant<SetVar, Store, LoadVector, StoreVector, Fence, Barrier, RowAt, RowLoad, RowWait, RowStore, Solo, Atomic,
               AliasGroup, If, CountedLoop, Loop, Break, Continue, Fail, Exit, Call, CallFunction, TakeAddress, Scratch,
               ParallelFor, Launch, Poll>
      node;
  int32_t place = none;  ///< index into Module::places: its source location; none: that of the enclosing statement
};

// ---------------------------------------------------------------- functions
struct Var { std::string name; Scalar type; };
/// The scalar variables that describe one array.
struct ArrayVars {
  std::string name;
  ir::Elem elem;
  bool complex = false;
  VarId data = none;              ///< Ptr: element (0,...,0)
  VarId owner = none;             ///< Ptr to vr_owner; none where references are not counted (tasks, kernels)
  VarId flags = none;             ///< Int32: VR_ARRAY_...; none: 0
  std::vector<VarId> extent;      ///< Int64, rank entries
  std::vector<VarId> stride;      ///< Int64 bytes, rank entries
  int32_t group = none;           ///< arrays of two groups share no storage: what is known of the arguments; none: nothing
  int64_t element_bytes() const { return int64_t{ir::elem_bytes(elem)} * (complex ? 2 : 1); }
};
/// A parameter or result, in the order of the VRIR type.
struct Param {
  VarId var = none, im = none;    ///< scalar; `im` when complex
  ArrayId array = none;           ///< array
  bool written = false;           ///< kernels: the array may be written
  bool fresh = false;             ///< kernels: as well, and its previous contents are dead
  std::string variable = {};      ///< kernels, arrays: the program's variable that holds it; empty: none
};
/// Kernel: a scalar reduction. Each work-item starts with `var` = `neutral` (the identity element) and runs the body for its
/// iterations. Each work-group joins the values of its work-items (Function::join) and stores the result in row `group` of
/// array parameter `partial`, whose rows have eight bytes for each reduction.
struct Fold { VarId var, other; ExprP neutral; ArrayId partial; };
/// Kernel: an array parameter of which each iteration loads only the element number dims[0] (of type `type`), or stores it as
/// its last access of the array, or both. A work-item may do so for several consecutive iterations with one vector access.
struct Lane { ArrayId array; Scalar type; bool loaded, stored; };
/// Kernel: a part of an array's row, of up to `length` consecutive elements, in memory that a work-group shares, so
/// that its work-items load and store neighbouring elements for each other (transform/stage.hpp). RowAt, RowLoad,
/// RowWait and RowStore are executed by all work-items of the group together: only the same loops and conditions with
/// the same values surround them. Each iteration has its own elements at the address `data`. common: they are the same
/// in the whole group. across: it is a part of a column: consecutive iterations along dims[0] have neighbouring
/// elements. Such rows are loaded only. at: bytes from the beginning of the group's memory. Without a team: the group's
/// sums for RowAt's array, or for the part of it from RowAt::offset on (slices), from 0, added at its end
/// (privatise.hpp); or, if the kernel has blocks, what is there while the group runs (blocks.hpp): a table of
/// RowAt::step bytes that the group has in common, or for each iteration RowAt::step bytes, which follow those of the
/// iteration before along dims[0] in the array. They are `loaded` before and `stored` after the iterations, and no row
/// is read or written otherwise. times: of sums, a variable with the number of copies that the group has, a power of
/// two. Copies are interleaved: element k of copy c has the number k * times plus c. Work-items add to the copy with
/// the number (work-item modulo times), whose element 0 is at `data`.
struct Row {
  VarId data;
  Scalar type;
  int32_t length;
  bool common;
  int32_t at;
  bool across = false, loaded = false, stored = false;
  VarId times = none;
};
/// Kernel: it runs the iterations of `kernel`, several of them together. The launch's count along dimension d counts
/// tiles of size[d] iterations; those of apart[d] tiles, from a multiple of apart[d] on, together are contiguous (those
/// of one need not be). The number of iterations is in scalar parameter count[d], or the launch's count if that is
/// none. Its parameters begin with those of `kernel`. members: of the launch's count along dims[0], so many stand for
/// one tile: work-items that share an iteration (scan.hpp).
struct TileOf {
  int32_t kernel = none;  ///< none: the kernel runs iterations of its own
  int32_t members = 1;
  std::array<int32_t, 3> size = {1, 1, 1}, apart = {1, 1, 1}, count = {none, none, none};
};
/// Kernel: memory that the work-items of a group share: `count` elements from address `data` on, aligned for vectors.
struct Shared {
  VarId data;
  Scalar type;
  int32_t count;
};
constexpr int32_t row_group = 32;  ///< iterations along dims[0] of a work-group that shares rows
/// Bytes of a group's memory for the row. A padding element after each iteration's part keeps work-items in different banks.
constexpr int32_t row_bytes(const Row& r) {
  return (r.common ? r.length : row_group * (r.length + 1)) * scalar_bytes(r.type);
}
constexpr int32_t block_group =
    128;  ///< iterations along dims[0] of a work-group of a kernel with blocks that has rows
constexpr int32_t cooperative_group =
    256;  ///< work-items of a group of a cooperative kernel; teams are at most as large
struct Function {
  /// Entry: vr_entry convention. Task: body of a ParallelFor; params are scalar captures; runs over [lo_var, hi_var).
  /// Kernel: the code of a work-item, for one or several iterations of the domain `dims`; params are scalars and arrays; Fail
  /// writes the error buffer.
  enum class Kind : uint8_t { Entry, Task, Kernel };
  Kind kind = Kind::Entry;
  std::string name;               ///< symbol, unique in the module; [A-Za-z0-9_]
  std::string source_name;        ///< the VRIR function that it is made from
  std::vector<Var> vars;
  std::vector<ArrayVars> arrays;
  std::vector<Param> params;
  std::vector<Param> results;     ///< Entry only
  std::map<VarId, int64_t> constants;  ///< Int64 variables with a known value: it is the same in all calls and never changes
  bool region = false;            ///< Entry only: called through vr_rt_call_region
  VarId lo_var = none, hi_var = none;  ///< Task
  /// Kernel: loop variables, each 0 .. count-1; consecutive work-items have consecutive values of dims[0].
  std::vector<VarId> dims;
  /// Kernel: no array that it writes overlaps another of its arrays.
  bool disjoint = false;
  /// Kernel: work-items next to each other along dims[0] and along dims[1] access neighbouring elements, so that square work-groups
  /// suit it.
  bool square = false;
  /// Kernel: dims, extents, strides and variables of counted loops whose values fit in 32 bits. If the set is not empty, all
  /// extents and strides of the kernel's arrays and the counts fit too, and the runtime passes them as 32-bit integers.
  std::set<VarId> narrow;
  std::vector<Fold> folds;        ///< Kernel: reductions; the partial array has one row per work-group
  /// Kernel with reductions: combines a second partial result, in `other` of all reductions, with the one in their `var`.
  /// Scalars only; applied in any order.
  Block join;
  /// Kernel: 0: work-items stride over the domain. Else the most consecutive iterations of dims[0] that a work-item runs; the
  /// launch has as many work-items as that takes (kernels without reductions only).
  int32_t points = 0;
  int32_t on_host = none;         ///< Kernel: the Entry function that does the same work on the CPU (host_version.hpp)
  /// Kernel: the kernel of which it is another version, with the same parameters and dims; none: of no kernel.
  int32_t form_of = none;
  TileOf tile_of;  ///< Kernel: set by register_tile, march, stage and privatise
  /// Kernel: which elements its iterations access (AccessTable::words(), runtime/accesses.hpp), taken before transformations that
  /// hide them (transform/accesses.hpp); empty: not taken.
  std::vector<int64_t> accesses;
  std::vector<Row> rows;
  /// Kernel: if not 0, groups have so many work-items along dims[0], of which the launch's count is a multiple, and all
  /// of them execute the body, which may have barriers and use `shared`.
  int32_t group = 0;
  std::vector<Shared> shared;
  /// Kernel: if not 0, groups have group_iterations() along dims[0], and so many work-items run each iteration, with
  /// the same values; one of them stores. They share the loads and stores of rows and the iterations of loops marked
  /// `spread`.
  int32_t team = 0;
  /// Kernel with a team, without rows: all work-items of a team execute the whole body with the same values of its
  /// variables; they share the iterations of spread loops. One of them makes the stores outside of spread loops. The
  /// work-items of a team are consecutive, so that neighbours run consecutive iterations of such loops; or, if the
  /// kernel is `interleaved`, they are group_iterations() apart, so that neighbours run consecutive iterations along
  /// dims[0].
  bool cooperative = false, interleaved = false;
  std::vector<Lane> lanes;        ///< Kernel of one dimension: accesses that may be vectors, over `most_lanes` iterations
  Block body;
  Block cleanup;                  ///< runs on every path out, after the results are handed over; cannot fail
  uint8_t fast_math = 0;          ///< ir::fastmath flags
  int32_t place = none;           ///< index into Module::places: its source location
};
/// Iterations along dims[0] of a work-group of a kernel with a team.
constexpr int32_t group_iterations(const Function& kernel) {
  return kernel.cooperative ? cooperative_group / kernel.team : row_group;
}
/// Whether Function::rows are in local memory while a group runs its iterations, one of each work-item.
inline bool has_blocks(const Function& f) { return f.team == 0 && f.points == 1 && !f.rows.empty(); }
/// A statement that may fault; becomes a vr_site (runtime/abi.h).
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
  std::vector<Place> places;  ///< source locations of statements and functions; empty unless LowerOptions::places requests them
  std::vector<std::string> report;  ///< what could not be lowered for the target that was requested, and why
  std::deque<Expr> exprs;           ///< owns every expression
  bool column_major = false;        ///< arrays of unknown strides probably have unit stride along their first axis
};
/// Whether symbols may contain the character; does not depend on the locale.
constexpr bool is_symbol_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
/// Adds a function; its name is made unique in the module, and a symbol. Returns its number.
int32_t add_function(Module& m, Function::Kind kind, const std::string& name, const std::string& source_name);

/// Readable dump of the lowered form, for tests and VR_DUMP=lower.
std::string print(const Module& m);
std::string print(const Function& f);
/// A module as text that parse_loops() reads, with a declaration for each variable and array. Source locations and
/// reports are omitted.
std::string print_loops(const Module& m);
/// One function of it.
std::string print_loops(const Function& f, const Module& m);

}  // namespace vr::lower
