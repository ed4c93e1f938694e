// Random modules: well-typed, without data races, terminating by construction, and the same for a seed on every
// machine.
//
// The generator keeps programs meaningful as follows. It knows the extents of most arrays ("stable" ones keep theirs),
// so that operands usually have matching shapes and subscripts are usually in bounds. Values whose last digits may
// depend on the target (libm, sums of floats) are stored in separate variables, which no condition, subscript or
// integer ever reads. Arrays that may share storage form a group: a parallel loop that stores to an array reads no
// other array of its group.
#pragma once
#include "features.hpp"
#include "ir/typing.hpp"
#include "program.hpp"
#include "random.hpp"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/ir/visit.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vr::smith {

using ir::Elem;
using ir::ExprPtr;
using ir::Kind;
using ir::Layout;
using ir::StmtPtr;
using ir::SymbolId;
using ir::Type;

struct GeneratorOptions {
  int gpu_share = 10;  ///< percent of programs with accelerated sections
};

/// Thrown when an expression cannot be generated as requested; the statement under construction is abandoned.
struct Retry {};

int64_t count(const Shape& s);

struct Parameter {
  Type type;
  std::optional<Shape> shape;  ///< set for an array that the callee expects with these extents
};
struct ResultInfo {
  Type type;
  bool exact = true;
  bool fresh = true;  ///< shares no storage with an argument
  std::optional<Shape> shape;
};
struct FunctionInfo {
  std::string name;
  Type type;
  std::vector<Parameter> params;
  std::vector<ResultInfo> results;
  bool stores_args = false;  ///< may store to elements of its arguments
  bool plain = true;         ///< creates no arrays and calls only such functions: may be called in kernels
  bool has_pfor = false;
  int depth_param = -1;          ///< recursion: the parameter that counts down
  std::set<std::string> places;  ///< `:loc` of its statements and of functions that it calls
  std::set<SymbolId> inexact;    ///< its variables whose last digits depend on the target
};

/// Data shared by all functions of a module.
struct ModuleContext {
  Random rng;
  ir::ConventionAttrs attrs;
  ir::Conventions conv;
  std::vector<int64_t> sizes;  ///< extents that arrays of the program have
  std::vector<FunctionInfo> functions;
  ir::Module module;
  bool wild = false;       ///< extreme values
  bool clumsy = false;     ///< subscripts out of bounds, shapes that disagree
  bool locations = false;  ///< statements have `:loc`
  bool sections = false;
  bool has_section = false, unchecked = false;
  int budget = 0;  ///< statements still to make
  int place = 0;
  std::set<std::string> parallel_places;
  explicit ModuleContext(uint64_t seed) : rng(seed) {}
  bool matlab() const { return conv.mindims == 2; }
  int base() const { return conv.indexing; }
  bool copies() const { return conv.assign == ir::AssignMode::Copy; }
};

struct Variable {
  SymbolId id = 0;
  Type type;
  bool exact = true;
  bool constant = false;       ///< never assigned by generated statements: loop variables, counters, sizes
  std::optional<Shape> shape;  ///< a stable array's
  int group = 0;               ///< arrays: those of one group may share storage; group 0 holds the arguments
  std::optional<std::pair<int64_t, int64_t>> known_range;  ///< set for a loop variable
  bool hidden = false;                                     ///< out of scope
  bool window = false;  ///< an argument whose rows overlap: never stored to; its elements are positive
  int callee = -1;  ///< handles: function of the module they hold, -1 a library function
};

/// Generates one function.
class FunctionGen {
 public:
  FunctionGen(ModuleContext& m, std::string name, bool entry, bool for_handles = false);
  FunctionInfo run(std::vector<Input>* inputs);

 private:
  friend struct Loops;
  // ---- construct nodes with their natural types
  template <class T, class... A>
  ExprPtr make(A&&... args) {
    auto n = std::make_shared<T>(Type::null(), std::forward<A>(args)...);
    return typed(n);
  }
  ExprPtr typed(const std::shared_ptr<ir::Expr>& node);
  static ExprPtr restate(const ExprPtr& e, Type t);
  ExprPtr binary(Kind k, ExprPtr a, ExprPtr b);
  ExprPtr lib(const std::string& name, std::vector<ExprPtr> args, const Type& stated = Type::null());
  /// add_sat and similar functions; in programs that may fail also add_check.
  std::string overflow_function();
  ExprPtr name(const Variable& v);
  ExprPtr int_const(int64_t v, Elem e = Elem::Int64);
  ExprPtr float_const(double v, Elem e = Elem::Float64);
  /// The expression converted to these elements: by a cast or by stating another type.
  ExprPtr to(ExprPtr e, Elem elem, bool complex);

  // ---- variables
  Variable& add(const Type& t, const char* stem);
  std::vector<Variable*> where(const std::function<bool(const Variable&)>& f);
  Variable* any(const std::function<bool(const Variable&)>& f);
  bool readable(const Variable& v) const;
  Elem random_elem(bool with_bool = true);
  Type random_scalar_type();
  Shape random_shape(int max_rank = 3);
  Layout random_layout();

  // ---- gen_scalar.cpp: exact numbers
  ExprPtr scalar(Elem e, bool complex, int depth);
  ExprPtr scalar_leaf(Elem e, bool complex);
  ExprPtr real_scalar(Elem e, int depth);
  ExprPtr boolean(int depth);
  ExprPtr complex_scalar(Elem e, int depth);
  ExprPtr integer(int depth) { return scalar(rng.chance(75) ? Elem::Int64 : Elem::Int32, false, depth); }
  ExprPtr constant(Elem e);
  ExprPtr known(int64_t value);           ///< an expression with this value
  ExprPtr bounded(int64_t n, int depth);  ///< an integer in [0, n), n > 0
  ExprPtr reduction(Elem e, int depth);
  ExprPtr call_scalar(Elem e, bool complex, int depth);
  ExprPtr condition(int depth);

  // ---- gen_array.cpp
  ExprPtr array(Elem e, bool complex, const Shape& s, int depth);
  ExprPtr array_leaf(Elem e, bool complex, const Shape& s);
  ExprPtr broadcast_operand(Elem e, bool complex, const Shape& s, int depth);
  /// A library function of the counters (a number or an array of int64) and a key.
  ExprPtr random_number(const ExprPtr& counter);
  ExprPtr array_binary(Elem e, bool complex, const Shape& s, int depth);
  ExprPtr array_library(Elem e, const Shape& s, int depth);
  ExprPtr reduced(Elem e, const Shape& s, int depth);
  ExprPtr joined(Elem e, bool complex, const Shape& s, int depth);
  ExprPtr product(Elem e, const Shape& s, int depth);
  ExprPtr sequence(Elem e, const Shape& s);
  std::vector<ExprPtr> extents_of(const Shape& s);
  ExprPtr loose(const Type& t, int depth);  ///< an array with any extents

  // ---- gen_index.cpp
  ir::Subscript inside(const Variable& v, size_t axis, std::optional<int64_t> extent, int depth);
  ir::Subscript slice(int64_t extent, int64_t* count, std::optional<int64_t> wanted = {});
  ir::Subscript gather(int64_t extent, const Shape& s, int depth);
  std::optional<ExprPtr> element(const Variable& v, int depth, bool store = false);
  std::optional<ExprPtr> section_of(const Variable& v, const Shape& wanted, int depth, bool store);
  std::optional<std::pair<ExprPtr, Shape>> random_section(const Variable& v, bool store);
  void attributes(ir::Subscript& s, bool surely_inside);
  std::optional<int64_t> extent_of(const Variable& v, size_t k) const;

  // ---- gen_aggregate.cpp
  Type random_aggregate();
  ExprPtr aggregate(const Type& t, int depth);
  void aggregate_assign(ir::Body& out);
  void aggregate_loop(ir::Body& out);
  ExprPtr domain_slice(const Type& t);
  std::optional<std::pair<ExprPtr, Shape>> flat_section(const Variable& v, bool store);

  // ---- gen_inexact.cpp
  ExprPtr inexact_scalar(Elem e, int depth);
  ExprPtr inexact_array(Elem e, const Shape& s, int depth);
  ExprPtr moderate(Elem e, const std::optional<Shape>& s, int depth);  ///< in (0, 1], or NaN

  // ---- gen_called.cpp
  /// An argument for that letter, with elements e. `ranks` holds the ranks of the arguments so far; its own is
  /// appended.
  ExprPtr called_argument(char letter, Elem e, std::vector<int>& ranks);
  void called_statement(ir::Body& out);

  // ---- gen_stmt.cpp
  ir::Body body(int statements);
  void statement(ir::Body& out);
  void try_statement(ir::Body& out);
  StmtPtr located(const std::shared_ptr<ir::Stmt>& s);
  void assign(ir::Body& out, ExprPtr target, ExprPtr value);
  void assign_variable(ir::Body& out, Variable& v, ExprPtr value);
  void scalar_assign(ir::Body& out);
  void array_assign(ir::Body& out);
  void element_store(ir::Body& out);
  void slice_store(ir::Body& out);
  void mask_store(ir::Body& out);
  void growth(ir::Body& out);
  void loose_assign(ir::Body& out);
  void inexact_assign(ir::Body& out);
  void tuple_statement(ir::Body& out);
  void call_statement(ir::Body& out);
  void handle_statement(ir::Body& out);
  void xchange_statement(ir::Body& out);
  void if_statement(ir::Body& out);
  void for_statement(ir::Body& out);
  void while_statement(ir::Body& out);
  void domain_statement(ir::Body& out);
  void early_return(ir::Body& out);
  void raise_statement(ir::Body& out);
  void recursion(ir::Body& out);
  ExprPtr xchange(Variable& v, ir::AtomicOp op, std::vector<ir::Subscript> subs);
  ExprPtr call(const FunctionInfo& f, int depth, bool recursive);
  const FunctionInfo* callable(const std::function<bool(const FunctionInfo&)>& f);
  void note_call(const FunctionInfo& f);
  std::set<int> roots(const ExprPtr& e) const;
  StmtPtr return_statement();
  void noted_store(const Variable& v);

  // ---- gen_nest.cpp
  struct Counter {
    Variable* variable;
    ExprPtr range;
  };
  Counter counter(int64_t n);
  StmtPtr loop(const Counter& c, ir::Body body);
  ExprPtr at(const Variable& v, std::vector<ExprPtr> subs);
  ExprPtr computed_axis(int rank);
  void nest_statement(ir::Body& out);
  void turns_loop(ir::Body& out);
  void ordered_sum(ir::Body& out);
  void window_product(ir::Body& out);

  // ---- gen_views.cpp
  Variable& view_of(ir::Body& out, const Variable& a, int64_t lo, int64_t n);
  void views_statement(ir::Body& out);

  // ---- gen_parallel.cpp
  void parallel_loop(ir::Body& out);
  void section(ir::Body& out);
  ExprPtr loop_range(int64_t lo, int64_t n, Elem e, bool whole);
  struct Written {
    Variable* v;
    std::vector<ir::Subscript> own;  ///< subscripts of the iteration's own element
    std::vector<size_t> free_axes;
  };
  struct Parallel {
    std::vector<Written> written;
    std::map<SymbolId, int> counted;  ///< arrays that are only changed by xchange, and with which operation
    std::set<int> banned;             ///< groups that no other expression may read
    bool kernel = false;
    Variable* own = nullptr;  ///< an array private to the iteration
  };
  ExprPtr own_element(const Written& w, int depth);
  void parallel_store(ir::Body& out);
  void nested_loop(ir::Body& out);
  std::vector<SymbolId> shared_list(const ir::Body& body, const std::vector<SymbolId>& vars) const;

  ModuleContext& m_;
  Random& rng;
  ir::Function fn_;
  FunctionInfo info_;
  bool entry_;
  bool for_handles_;  ///< takes and returns a float64, so that function handles may hold it
  std::vector<std::unique_ptr<Variable>> vars_;
  std::vector<ResultInfo> returns_;
  std::optional<Parallel> parallel_;
  int groups_ = 0;
  int loops_ = 0;  ///< enclosing serial loops, within the parallel loop if there is one
  int all_loops_ = 0;
  int nesting_ = 0;
  bool in_section_ = false;
  bool in_recursion_ = false;
  Variable* depth_ = nullptr;
};

/// Makes some nodes state a type different from their natural one (restate.cpp). functions: one entry each, in the
/// module's order.
void restate_types(ir::Module& m, const std::vector<FunctionInfo>& functions, Random& rng);

/// The program for this seed. About one in a hundred has no module, because it would violate a rule (a bug of the
/// generator).
Program generate(uint64_t seed, const GeneratorOptions& options, std::vector<Diagnostic>* faults);

}  // namespace vr::smith
