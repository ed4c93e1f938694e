// The state of lowering one function, shared by the files that lower the different themes (private to src/lower).
#pragma once
#include "analysis/loop_info.hpp"
#include "lower/exprs.hpp"
#include "lower/last_uses.hpp"
#include "lower/lower.hpp"
#include "lower/walk.hpp"
#include "runtime/abi.h"

#include <velociraptor/ir/nodes.hpp>
#include <velociraptor/ir/visit.hpp>

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vr::lower {

/// What has no lowering; caught in lower() and turned into an Error (or into a CPU fallback for kernels).
struct Unsupported {
  ir::TextPos pos;
  std::string what;
};

/// A scalar as one or two lowered expressions.
struct ScalarValue {
  ExprP re = nullptr, im = nullptr;  ///< im: null for real values
  ir::Elem elem = ir::Elem::Float64;
  bool complex() const { return im != nullptr; }
};

/// The lowered variables that stand for one VRIR variable (or one part of a tuple variable).
struct Slot {
  ir::Type type;
  VarId var = none, im = none;
  ArrayId array = none;
  std::vector<Slot> parts;
};

/// The element at these 0-based subscripts; emits what it needs into the current block.
using Elements = std::function<ScalarValue(const std::vector<ExprP>&)>;

/// An array expression not yet computed: its extents, and how to compute one element. Elementwise trees become one loop
/// without temporaries this way.
struct ArrayGen {
  ir::Elem elem = ir::Elem::Float64;
  bool complex = false;
  std::vector<ExprP> extent;  ///< simple expressions
  Elements at;
  /// The element at a linear position, valid when `flat_if` holds; empty when there is no such way.
  std::function<ScalarValue(ExprP)> flat;
  ExprP flat_if = nullptr;                   ///< Bool, simple; with `flat`
  ir::Layout layout = ir::Layout::RowMajor;  ///< order in which `flat` counts, and the better loop order
  std::vector<ir::SymbolId> reads;           ///< array variables whose storage `at` looks at
  /// `at` without regard to extents of 1 that spread out, valid when `exact_if` holds (Bool, simple): affine addresses.
  /// Empty: `at` is like that.
  Elements exact;
  ExprP exact_if = nullptr;  ///< null: always
  /// The arrays whose element `index` is all that element `index` is made of, when they are known.
  struct Leaf {
    ExprP data;
    std::vector<ExprP> extent, stride;  ///< bytes, simple
    int64_t bytes;                      ///< of an element
    bool aligned = true;                ///< false: of lower rank than the result
  };
  std::vector<Leaf> leaves;
  bool leaves_known = false;
  /// A temporary of the statement that holds the value as it is, and that nobody else looks at; none: array == none.
  Slot made;
  /// A copy whose elements will be computed in another way.
  ArrayGen derived() const {
    ArrayGen g = *this;
    g.exact = nullptr;
    g.exact_if = nullptr;
    g.leaves.clear();
    g.leaves_known = false;
    g.made = {};
    return g;
  }
  bool faults = false;  ///< computing an element may be a fault
  bool costly = false;  ///< elements should not be computed more than once
  int rank() const { return static_cast<int>(extent.size()); }
};

/// Where a subscript lies that was checked against an extent.
struct Position {
  ExprP value, extent;
  VarId position;
};

/// What a dimension of a domain variable was given. None at all: nothing was assigned to it yet, it has no points.
enum RangeBits : int32_t { RangeStart = 1, RangeStep = 2, RangeStop = 4, RangeExclude = 8, RangeAssigned = 16 };

class FunctionLowering;
struct AlongAxis;

/// Whether a variable of type `to` can have an array of type `from` as it is.
bool holds(const ir::Type& to, const ir::Type& from);

/// One module on its way.
class ModuleLowering {
 public:
  ModuleLowering(const ir::Module& module, const ir::Conventions& conventions, const LowerOptions& options);
  std::unique_ptr<Module> run();

  const ir::ModulePtr explicit_;  ///< ir::explicit_conversions()
  const ir::Module& ir;
  const ir::Conventions conventions;
  const LowerOptions options;
  std::unique_ptr<Module> out;
  Exprs x;

  /// Number of the lowered Entry function of this VRIR function, or none.
  int32_t index_of(const std::string& name) const;
  int32_t add_function(Function::Kind kind, std::string name, std::string source_name);
  bool recursive(const std::string& name) const { return recursive_.count(name) != 0; }
  std::string place(ir::TextPos pos, const std::string& loc) const;
  /// Number of the place in the module's list; none when nobody asked for places.
  int32_t place_number(ir::TextPos pos, const std::string& loc);

 private:
  void find_recursion();
  std::map<std::string, int32_t> index_;
  std::map<std::string, int32_t> places_;
  std::set<std::string> recursive_;
};

using analysis::loop_info;
using analysis::LoopInfo;

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, const ir::Function& source, Function& target);

  /// Lowers a whole Entry function.
  void entry();

  // ---- plumbing (function_lowering.cpp)
  void emit(auto node) { block_->push_back(Stmt{std::move(node), place_}); }
  void append(Block&& b) { block_->insert(block_->end(), std::move_iterator(b.begin()), std::move_iterator(b.end())); }
  VarId new_var(const std::string& name, Scalar type);
  ExprP get(VarId v) {
    auto it = known_.find(v);
    return it == known_.end() ? x_.var(v, fn_.vars[v].type) : x_.int_const(it->second, fn_.vars[v].type);
  }
  void set(VarId v, ExprP e) {
    std::erase_if(positions_, [&](const Position& p) { return mentions(p.value, v) || mentions(p.extent, v); });
    emit(SetVar{v, e});
  }
  /// The value in a fresh variable.
  ExprP temp(ExprP e, const char* name = "t");
  /// The value in a form that may be used many times: itself when it is simple, else a fresh variable.
  ExprP keep(ExprP e, const char* name = "t") { return is_simple(e) ? e : temp(e, name); }
  ScalarValue keep(ScalarValue v);
  ArrayId new_array(const std::string& name, ir::Elem elem, bool complex, int rank, bool owned);
  ArrayVars& array(ArrayId a) { return fn_.arrays[a]; }
  Slot new_slot(const std::string& name, const ir::Type& type, bool owned = true);
  Slot& slot(ir::SymbolId id);
  /// The scalars and arrays that a value is made of: itself, or a tuple's or domain's parts, in order. Calls pass
  /// these.
  static std::vector<Slot> leaves(const Slot& s);
  const std::string& name_of(ir::SymbolId id) const;  ///< as the function says in which the statement was written
  SiteId site(const std::string& array = {}, int axis = -1, const std::string& message = {});
  void fail_if(ExprP cond, Code code, const std::string& message, const std::string& array = {}, int axis = -1,
               ExprP index = nullptr, ExprP extent = nullptr);
  /// Runs `body` with its statements going to a block of their own.
  template <class F>
  Block collect(F&& body) {
    Block b;
    Block* saved = block_;
    const size_t positions = positions_.size();
    block_ = &b;
    body();
    block_ = saved;
    if (positions_.size() > positions) positions_.erase(positions_.begin() + static_cast<ptrdiff_t>(positions), positions_.end());
    return b;
  }
  void call(int32_t fn, std::vector<Arg> args, bool checked, VarId result = none);
  Arg scalar_arg(ExprP e) const { return Arg{Arg::Kind::Scalar, e}; }
  Arg int_arg(int32_t v) { return scalar_arg(x_.int_const(v, Scalar::Int32)); }
  Arg layout_arg(ir::Layout l) { return int_arg(l == ir::Layout::ColMajor ? VR_COLMAJOR : VR_ROWMAJOR); }
  Arg in_array(ArrayId a) const;
  Arg out_array(ArrayId a) const;
  Arg inout_array(ArrayId a) const;
  Arg site_arg(const std::string& array = {});
  Arg int64s_arg(std::vector<ExprP> v) const;
  [[noreturn]] void unsupported(const std::string& what, ir::TextPos pos = {}) const;

  // ---- reference counts
  /// `:memory boehm`: nobody counts references, so whether an array is shared is known here or not at all.
  bool collected() const { return conv_.memory == ir::MemoryMode::Boehm; }
  void retain(ArrayId a);
  void release(ArrayId a);  ///< and forget: owner becomes null
  /// to's old reference is dropped; from's becomes to's (from is left empty).
  void move_array(ArrayId to, ArrayId from);
  void copy_fields(ArrayId to, ArrayId from);
  void copy_flags(ArrayId to, ArrayId from);
  void release_temps(size_t from);  ///< temporaries made since `temps_.size() == from`

  // ---- scalars (scalar.cpp)
  ScalarValue scalar(const ir::ExprPtr& e);
  ScalarValue scalar_raw(const ir::ExprPtr& e);
  ExprP condition(const ir::ExprPtr& e);
  ExprP int_value(const ir::ExprPtr& e, const char* what);  ///< Int64; a float must be integral (else TYPE)
  ExprP to_int64(ScalarValue v, const char* what);
  /// Exact Int64 form of an integral expression, or null (see scalar.cpp).
  ExprP int_form(const ir::Expr& e);
  bool has_effects(const ir::ExprPtr& e) const;
  ScalarValue logic(bool is_and, const ir::ExprPtr& lhs, const ir::ExprPtr& rhs);

  // ---- elementwise arithmetic (elementwise.cpp, complex.cpp)
  ScalarValue convert(ScalarValue v, ir::Elem elem, bool complex);
  ScalarValue convert(ScalarValue v, const ir::Type& t) { return convert(v, t.elem, t.complex); }
  ScalarValue binary(ir::Kind kind, ScalarValue a, ScalarValue b, const ir::Type& stated);
  ScalarValue int_division(ScalarValue a, ScalarValue b, bool remainder);
  ScalarValue negate(ScalarValue v);
  ExprP truth(ScalarValue v);
  /// Elementwise library function on scalar values; `stated` is the element type of the result.
  ScalarValue map(const std::string& name, std::vector<ScalarValue> args, const ir::Type& stated);
  ScalarValue complex_binary(ir::Kind kind, ScalarValue a, ScalarValue b, ir::Elem elem);
  ScalarValue complex_map(const std::string& name, std::vector<ScalarValue> args);
  ScalarValue zero(ir::Elem elem, bool complex);
  ScalarValue number(double v, ir::Elem elem, bool complex);

  // ---- elements, subscripts, slices (index.cpp)
  ExprP stride(const Slot& s, int k);
  ExprP element_bytes(const Slot& s) { return x_.int_const(ir::elem_bytes(s.type.elem) * (s.type.complex ? 2 : 1)); }
  ScalarValue load(ExprP data, ExprP offset, ir::Elem elem, bool complex);
  void store(ExprP data, ExprP offset, ScalarValue v);
  /// 0-based position of subscript s along an axis of this extent, checked as its attributes say.
  ExprP position(const ir::Subscript& s, ExprP value, ExprP extent, const std::string& array, int axis);
  ScalarValue read_element(const ir::Index& i);
  void write_element(const ir::Index& i, ScalarValue v);
  ScalarValue atomic(const ir::Xchange& x);
  ExprP element_offset(const ir::Index& i, bool write);
  bool flattens(const ir::Index& i);
  bool is_view(const ir::Index& i);
  bool all_scalar(const ir::Index& i) const;  ///< selects one element
  /// What a subscripted array selects: the result's extents, and where each of its elements lies.
  struct View {
    Slot base;
    ExprP data = nullptr;       ///< address of the first selected element (affine), else of element (0,...,0)
    std::vector<ExprP> extent;  ///< simple
    std::vector<ExprP> stride;  ///< bytes, simple; with `affine`
    bool affine = true;         ///< false: an array subscript; `offset` tells
    std::function<ExprP(const std::vector<ExprP>&)> offset;  ///< bytes from `data`
    ExprP address_offset(Exprs& x, const std::vector<ExprP>& index) const;
  };
  View view(const ir::Index& i, bool write);
  struct Axis;
  ExprP apart(const Slot& s, size_t from, ir::Layout order, ExprP p);
  ExprP list_element(const Axis& a, ExprP n);
  void read_list(Axis& a, const std::string& name, ExprP extent);
  void check_list(Axis& a, const std::string& name);
  void grow_for(const ir::Index& i, std::vector<Axis>& axes);
  void linear_shape(View& v, const Slot& s, Axis& a);
  ArrayGen view_gen(const View& v, const ir::Index& i);
  Slot view_slot(const View& v, bool owned);
  ExprP agree_without_ones(const std::vector<ExprP>& a, const std::vector<ExprP>& b);
  void write_slice(const ir::Index& i, const ir::ExprPtr& value);
  void write_slice(const ir::Index& i, const ArrayGen& value);
  void spread(const ArrayGen& value, const View& to);
  void store_at(const View& to, const std::vector<ExprP>& index, ScalarValue v);
  void need_slice_shape(const ir::Index& i, const ArrayGen& g, const View& to);
  bool write_slice_directly(const ir::Index& i, const ArrayGen& given);
  bool may_grow(const ir::Index& i, size_t k) const;
  bool may_grow_any(const ir::Index& i) const;
  /// Enlarges the target so that the element `last` (0-based, per dimension) exists.
  /// Elements that a dimension has when this subscript is its last.
  ExprP needed_for(ExprP subscript);
  void grow_to(const ir::Index& i, const std::vector<ExprP>& needed);
  void grow_empty(const ir::Index& i, const ArrayGen& value);
  void grow(const ir::Index& i, const std::vector<ExprP>& extents);
  void grow_linear(const ir::Index& i, const std::vector<ExprP>& needed);
  struct RangeValue {
    ExprP start, step, count;
  };  // Int64 and simple; start as written, count >= 0
  struct RangeParts;
  RangeParts range_parts(const ir::ExprPtr& e);
  RangeValue int_range(const RangeParts& r, ExprP extent, const std::string& array, int axis);
  RangeValue clipped_range(const RangeParts& r, ExprP extent, const std::string& array, int axis);
  ExprP range_step(const RangeParts& r, const std::string& array, int axis, ExprP extent);
  ExprP range_stop(ScalarValue v, ExprP down, ExprP* whole);
  static bool is_whole(const ir::Subscript& s);
  static bool is_range(const ir::Subscript& s);
  ExprP is_whole_domain(const ir::ExprPtr& e);
  Slot index_list(const Slot& list, ExprP extent, const std::string& array_name, int axis);
  /// Positions of the nonzero elements, in the module's base.
  Slot find(const Slot& in, int rank);
  Slot find(const Slot& in, int rank, ir::Layout order);
  bool masks_all(const ir::Index& i) const;
  View mask_view(const ir::Index& i);
  /// The same with a 0-based start, checked against the extent.
  RangeValue subscript_range(const ir::Index& i, size_t k, ExprP extent, bool write);

  // ---- array expressions (array.cpp, library.cpp)
  /// Where storage has to be made for it, it is made in `where`.
  ArrayGen gen(const ir::ExprPtr& e, int where = VR_IN_ENGINE);
  ArrayGen gen_raw(const ir::ExprPtr& e, int where);
  ArrayGen leaf(const Slot& s, std::vector<ir::SymbolId> reads);
  ArrayGen convert(ArrayGen g, ir::Elem elem, bool complex);
  ArrayGen elementwise(const std::vector<ir::ExprPtr>& args, const ir::Type& result,
                       std::function<ScalarValue(const std::vector<ScalarValue>&)> f);
  /// The computed array in a temporary (released at the end of the statement).
  Slot materialise(const ArrayGen& g, ir::Layout layout, int where);
  Slot materialise(const ir::ExprPtr& e, int where);
  void fill(const Slot& target, const ArrayGen& g);
  void probe(const ArrayGen& g);
  void need_shapes(ExprP agree, const std::vector<const ArrayGen*>& values, const std::string& message,
                   const std::string& array);
  void need_elements(const ArrayGen& g, const std::vector<ExprP>& over);
  /// Runs `loops` with the simplest way to compute elements that holds at run time.
  void with_elements(const ArrayGen& g, const std::function<void(const Elements&)>& loops);
  void loop_nest(const std::vector<ExprP>& counts, ir::Layout order, bool independent,
                 const std::function<void(const std::vector<ExprP>&)>& body);
  /// The call as one of the library's, null when it is none. Stays: array generators look at it later.
  const ir::LibCall* library_call(const ir::FnCall& c);
  ArrayGen library_array(const ir::LibCall& c, int where = VR_IN_ENGINE);
  ArrayGen made(const Slot& s);
  ArrayGen quotient(const ir::LibCall& c, int where);
  ArrayGen product(const ir::LibCall& c, int where);
  struct Factors {
    Slot a, b;
    ir::Type type;
  };
  Factors factors(const ir::LibCall& c);
  bool add_product(Slot& to, const ir::ExprPtr& value, int where);
  ScalarValue library_scalar(const ir::LibCall& c);
  ArrayGen reduction(const ir::LibCall& c, int where);
  struct Accumulator;
  Accumulator accumulator(const std::string& name, const ArrayGen& g, const ir::Type& result);
  void start(const Accumulator& a);
  Accumulator another(Accumulator a);  ///< with variables of its own
  void join(const Accumulator& a, ScalarValue v, ExprP k, bool anywhere = false);
  void join(const Accumulator& a, const Accumulator& other);
  ScalarValue finish(const Accumulator& a, ExprP n);
  void reduce(const Accumulator& a, const std::vector<ExprP>& extent, ir::Layout order, ExprP n, const Elements& at);
  void fold_on_device(const Accumulator& a, Block&& loops);
  void reduce_chunks(const Accumulator& a, const std::vector<ExprP>& extent, ir::Layout order, const Elements& at);
  void reduce_along(const Accumulator& a, const AlongAxis& axis, const Elements& at, bool few);
  void reduce_across(const Accumulator& a, const AlongAxis& axis, const Elements& at);
  void reduce_on_device(const Accumulator& a, const AlongAxis& axis, const Elements& at);
  void reduce_pieces(const Accumulator& a, const AlongAxis& axis, const Elements& at, ExprP pieces);
  ScalarValue reduce_all(const std::string& name, const ArrayGen& g, const ir::Type& stated);
  ArrayGen shape_array(const ir::LibCall& c, int where);
  /// Results of a library function that gives several (sort, find).
  std::vector<Slot> library_results(const ir::LibCall& c);
  std::vector<Slot> sort(const ir::LibCall& c, bool positions, int where = VR_IN_ENGINE);
  ArrayGen transpose(const ir::LibCall& c);
  ArrayGen one_element(ScalarValue v, int rank);
  Slot alloc(const ir::Type& type, std::vector<ExprP> extents, int fill, int where, const std::string& name = "tmp");
  Slot private_array(const Slot& s, const std::vector<ExprP>& extents);
  std::vector<ExprP> extents_from(const std::vector<ir::ExprPtr>& args, int rank);
  Slot slot_of_array(const ir::ExprPtr& e, int where);
  Slot slot_to_read(const ir::ExprPtr& e);
  ExprP total(const std::vector<ExprP>& extents) { return rest_product(extents); }
  ExprP rest_product(const std::vector<ExprP>& extents,
                     size_t from = 0);  ///< product of the extents from a dimension on
  int where_of(ir::SymbolId id) const;

  // ---- statements (statement.cpp, assign.cpp, loop.cpp, call.cpp)
  void body(const ir::Body& b);
  void statement(const ir::StmtPtr& s);
  void assign(const ir::Assign& a);
  void assign_to(const ir::ExprPtr& target, const ir::ExprPtr& value);
  void assign_slot(Slot& to, const ir::ExprPtr& value, ir::SymbolId id);
  void assign_array(Slot& to, const ir::ExprPtr& value, int where);
  void store_value(const ir::ExprPtr& target, Slot from);
  /// A name for a slot without a symbol: what lies in it becomes an ordinary expression.
  ir::ExprPtr named(Slot s);
  /// The type of a new array for a target: in the value's order where the target may have any.
  static ir::Type fresh_type(const ir::Type& target, const ir::Type& value);
  Slot in_old_storage(const Slot& to, const ArrayGen& g, const ir::Type& type, int where);
  void assign_copy(Slot& to, const Slot& from, int where);
  Slot as_stated(Slot s, const ir::Type& stated);
  void return_(const ir::Return& r);
  std::vector<Slot> call_results(const ir::ExprPtr& call);
  /// The parts of a value of tuple type, as it states them: a call's results, a tuple's elements, a variable's parts.
  std::vector<Slot> tuple_values(const ir::ExprPtr& value);
  std::vector<Slot> tuple_parts(const ir::ExprPtr& value);  ///< as they are
  const ir::ExprPtr& unwrap_copy(const ir::ExprPtr& e) const;
  void before_store(ir::SymbolId id, bool kernels = false, ExprP when = nullptr);
  /// Whether the array may not be stored to; known to be false where it holds no flags (temporaries, kernels).
  ExprP is_read_only(ArrayId a);
  void forget_unique(const LoopInfo& facts);
  void assigned_unique(const ir::Assign& a, bool value_was_unique);
  /// Whether the statement at hand is the last to read the variable, and `mentions` are all its mentions of it.
  bool last_use(ir::SymbolId id, int mentions);
  void unique_before_loop(const LoopInfo& facts);

  struct LoopDim {
    ir::SymbolId id;
    ExprP count;            ///< Int64, >= 0, simple
    ExprP start, step;      ///< in the variable's own type (Int64 or the float type)
    bool integral = false;  ///< start and step are integers: an Int64 shadow exists
    ExprP int_start = nullptr, int_step = nullptr;
  };
  /// Trip count of start : step : stop; floats count as MATLAB does. All of one type, Int64 or floating, simple.
  ExprP range_count(ExprP start, ExprP step, ExprP stop, bool exclude);
  ExprP int_range_count(ExprP start, ExprP step, ExprP stop, ExprP exclude);
  LoopDim loop_dim(ir::SymbolId id, const ir::Range& range, const ir::Type& given);
  LoopDim loop_dim(ir::SymbolId id, const Slot* parts);  ///< of the four parts of a dimension of a domain variable
  ExprP has_range_bit(const Slot* parts, int32_t bit);
  void assign_domain(Slot& to, const ir::ExprPtr& value);
  Slot domain_slot(const ir::ExprPtr& e);  ///< a variable as it is, any other domain in a slot of its own
  std::vector<LoopDim> loop_dims(const std::vector<ir::SymbolId>& ids, const ir::ExprPtr& domain);
  void loop_variable(const LoopDim& d, ExprP k, bool assigned_in_body);
  void for_(const ir::For& s);
  void nest(const std::vector<LoopDim>& dims, size_t depth, const LoopInfo& facts, bool independent,
            const std::function<void()>& inner, const ir::Body* versioned, const std::vector<VarId>& counters = {});
  void while_(const ir::While& s);
  void if_(const ir::If& s);
  ExprP tested(const ir::ExprPtr& test);
  void pfor(const ir::PFor& s);
  void pfor_serial(const ir::PFor& s);
  void pfor_task(const ir::PFor& s);
  bool pfor_kernel(const ir::PFor& s);
  class KernelVersion;
  class Offload;
  /// The lowered statement of an accelerated section with its loops over elements as kernels; nothing when it has none
  /// that can be (offload.cpp).
  std::optional<Block> offload(const Block& b);
  /// Launches the kernel, or (versions) one with fewer checks where the host finds that it may (kernel_version.cpp).
  void launch(int32_t kernel, const std::vector<ExprP>& counts, const std::vector<Operand>& args, bool versions = true);
  struct Captures;
  void capture(Captures& c, const ir::PFor& s, const LoopInfo& facts, std::vector<LoopDim>& dims);
  std::vector<ir::SymbolId> carried_in(const ir::PFor& s, const std::set<ir::SymbolId>& priv);
  LoopInfo pfor_info(const ir::PFor& s) const;
  void carry_in(const Slot& to, const Slot& from);
  void start_carried(const Captures& c);
  void finish_cleanup();
  void use(const Specialisation& s);
  std::vector<int64_t> contiguous_strides(const Slot& a, const std::vector<int64_t>& extent);
  std::set<ir::SymbolId> private_variables(const ir::PFor& s, const LoopInfo& facts) const;
  void section(const ir::StmtList& s);
  void leave_section_of_loop();
  void on_device(const std::function<void()>& lower);
  void look_for_sections();
  bool goes_to_device(const ir::Body& b, bool calls);
  /// Whether an array's newest elements may be on a device.
  bool newest_may_be_away() const { return in_section_ || has_section_; }

  // Arrays that need no storage (defer.cpp).
  struct Deferral {
    const ir::Stmt* consumer;      ///< computes the elements
    std::set<ir::SymbolId> reads;  ///< variables that must stay until then
  };
  struct Deferred {
    ArrayGen value;
    Deferral until;
  };
  std::optional<Deferral> deferral(const ir::Body& b, size_t k);
  void defer(const ir::Assign& a, Deferral until);

  // Several iterations side by side, around an inner reduction (jam.cpp) or a recurrence in arrays (jam_carried.cpp).
  struct Jam;
  std::optional<Jam> carried_plan(const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
  bool carried_order(Jam& jam, const LoopDim& outer, const LoopDim& inner) const;
  std::optional<Jam> jam_plan(const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
  ExprP jam_guard(Jam& jam, const LoopDim& outer, const LoopDim& inner, const LoopInfo& facts);
  /// False: not that kind of loop; nothing that matters was emitted.
  bool jam(const LoopDim& d, const LoopInfo& facts, const ir::Body& body, const std::function<void()>& as_written);

  // Loops that are a matrix product (product_loop.cpp).
  struct ProductLoop;
  bool product_loop(const LoopDim& d, const LoopInfo& facts, const ir::Body& body,
                    const std::function<void()>& as_written);

  // Arrays that do not overlap (alias.cpp).
  using ByteRange = std::pair<ExprP, ExprP>;  ///< addresses: first byte, behind the last one
  ByteRange byte_range(ExprP data, const std::vector<ExprP>& extent, const std::vector<ExprP>& stride, int64_t bytes);
  ExprP disjoint(const ByteRange& a, const ByteRange& b);
  void alias_before_loop(const LoopInfo& facts, const ir::Body& body);
  std::map<VarId, int32_t> alias_sets();
  int32_t alias_set_of(ExprP base) const;

  // Versioning of innermost loops (version.cpp): subscripts affine in the loop variable are checked once, before the
  // loop.
  struct Version {
    ExprP guard;  ///< the condition of the copy without checks
    std::set<const ir::Subscript*> unchecked;
    std::map<ir::SymbolId, ExprP> ints;  ///< Int64 values of integral loop-invariant floats
    struct Gather {
      const ir::Index* index;
      size_t axis;
    };
    std::vector<Gather> gathers;  ///< subscripts that an inspector can look at before the loop
    /// Strides that decide whether iterations meet adjacent elements, with the values that they then have.
    std::map<VarId, int64_t> adjacent;
  };
  Version version(const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
  bool foreseeable(const ir::Expr& e, const Version& v, const LoopDim& d, const LoopInfo& facts) const;
  void find_gathers(Version& v, const LoopDim& d, const LoopInfo& facts, const ir::Body& body);
  ExprP inspect(const Version& v, const LoopDim& d);
  ExprP take_out_checks(Block& loop);
  ExprP goes_straight(const LoopDim& d, int64_t coefficient, int loops);

 private:
  friend class ModuleLowering;
  ModuleLowering& m_;
  const ir::Function& source_;
  Function& fn_;
  std::vector<Slot> results_;  ///< one for each result type
  Exprs& x_;
  Block* block_;
  const ir::Conventions& conv_;
  std::map<ir::SymbolId, Slot> slots_;
  std::map<ir::SymbolId, ExprP> ints_;        ///< known Int64 values of integral variables
  std::map<VarId, int64_t> known_;            ///< extents and strides that are the same in all calls and never change
  std::map<ir::SymbolId, int> alias_groups_;  ///< arrays of different groups share no storage; absent: may share
  std::set<const ir::Subscript*> unchecked_;
  bool plain_loops_ = false;                   ///< fallback copies: loops as written, without versions of their own
  std::set<const ir::Expr*> whole_;            ///< floats that are known to be integers
  /// Arrays that may be stored to as they are: under value semantics known to be the only holders of their storage, under
  /// sharing known to be writable.
  std::set<ir::SymbolId> unique_;
  std::shared_ptr<const LastUses> last_uses_;  ///< of the source function; made when first asked for
  const ir::Stmt* stmt_ = nullptr;             ///< at hand
  std::map<ir::SymbolId, Deferred> deferred_;  ///< arrays that are not there yet
  std::optional<Deferral> deferral_;           ///< of the statement at hand
  std::set<ir::SymbolId> returned_;            ///< arrays that flow into a result: allocated through the host
  std::vector<Position> positions_;            ///< checked in the statement at hand, on every way to here
  std::vector<ArrayId> temps_;                 ///< temporaries of the current statement
  std::vector<std::shared_ptr<const ir::LibCall>> library_calls_;  ///< made here, for the generators that look at them
  std::string loc_;                                                ///< place of the current statement
  int32_t place_ = none;                                           ///< the same in Module::places
  const ir::InlinedFrom* inlined_ = nullptr;                       ///< of the current statement
  ir::TextPos pos_;
  std::set<ArrayId> handed_;      ///< arrays whose reference a callee has taken over: not in the cleanup
  ir::SymbolId last_alias_ = -1;  ///< names given to slots without a symbol
  int64_t private_bytes_ = 0;     ///< of a kernel: of its private arrays
  int loops_ = 0;                 ///< around the statement at hand
  VarId break_flag_ = none;       ///< set by `break` where several counted loops are one loop statement
  struct AliasState {
    ExprP flag = nullptr;                  ///< Bool variable: the arrays do not overlap; null: nobody has looked
    std::map<ir::SymbolId, int32_t> sets;  ///< the arrays that were compared
  };
  AliasState alias_;  ///< of the loop nest at hand
  int32_t next_alias_group_ = 0;
  std::map<VarId, int32_t> active_sets_;  ///< in the copy of a loop that relies on it: data variable -> alias set
  bool in_section_ = false;
  /// A reduction over all that its loops run over, in any order: the variables that it changes, with what they start
  /// with, and how what others hold joins them.
  struct Reduction {
    std::vector<VarId> vars, others;
    std::map<VarId, ExprP> start;
    Block join;
  };
  std::map<VarId, Reduction> reductions_;  ///< of sections: by the variable of the outermost loop
  int section_loops_ = 0;            ///< loops around the section at hand
  bool module_has_section_ = false;  ///< what a function gives back may be in the device's hands
  bool has_section_ = false;         ///< here or in what it calls: newest elements may be on the device
};

}  // namespace vr::lower
