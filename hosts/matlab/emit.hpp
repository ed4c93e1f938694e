// The functions that emit the constructs of the language, one for each; private to hosts/matlab.
#pragma once
#include "emitter.hpp"

#include <velociraptor/ir/matlab.hpp>

namespace vr::matlab {

using Builtin = ir::MatlabBuiltin;
using Vals = std::vector<Val>;

// ---- emit_stmt.cpp
void body(Emitter& em, const Body& b);
void stmt(Emitter& em, const Stmt& s);
void assign(Emitter& em, const Stmt& s);
void assign_to(Emitter& em, const ExprPtr& target, const Val& v);
void chain(Emitter& em, const Stmt& s, const std::function<Val(size_t)>& test, size_t k, Join& j);
void branches(Emitter& em, const Stmt& s, const std::function<Val(size_t)>& test);
void switch_(Emitter& em, const Stmt& s);
Val matches(Emitter& em, const Val& v, const Expr& label);

// ---- emit_loop.cpp
void while_(Emitter& em, const Stmt& s);
void do_until(Emitter& em, const Stmt& s);
void for_(Emitter& em, const Stmt& s);
void loop_body(Emitter& em, const Stmt& s, Join& j, const std::function<void()>& start);
void count(Emitter& em, const Stmt& s, const ir::E& counter, const ir::E& range, const std::function<void()>& start);
void for_range(Emitter& em, const Stmt& s, const Expr& r);
void for_columns(Emitter& em, const Stmt& s);
bool pfor(Emitter& em, const Stmt& s, const ir::E& counter, const ir::E& range, const std::function<void()>& start);

// ---- emit_part.cpp: what a part of a function leaves behind
void begin_part(Emitter& em);
void return_part(Emitter& em, bool early);
void after_loop(Emitter& em, const std::string& variable);

// ---- emit_expr.cpp
Val expr(Emitter& em, const Expr& e);
inline Val expr(Emitter& em, const ExprPtr& e) { return expr(em, *e); }
Val test(Emitter& em, const Expr& e);
Val short_circuit(Emitter& em, const Expr& e, const Val& left);
void clear_count(Emitter& em, const std::vector<ir::E>& bounds, Cls cls);
void clear_bound(Emitter& em, const ir::E& limit);
Val range_value(Emitter& em, const Expr& e);
Val range_part(Emitter& em, const ExprPtr& e);
Val matrix(Emitter& em, const Expr& e);
/// What arrays that are joined become. MATLAB: the first integer class, else single, else logical if all are, else
/// double.
struct Joined {
  Cls cls;
  bool complex = false, kept_complex = false;
  /// A part in that class.
  ir::E element(Emitter& em, const Val& v) const {
    return is_integer(cls) ? em.to_integer(v.e, cls) : em.elem(v, cls, complex);
  }
};
/// Makes the parts numeric.
Joined joined(Emitter& em, std::vector<Val>& parts, Pos pos);
Val join_arrays(Emitter& em, bool across, std::vector<Val> parts, Pos pos);
std::vector<Val> several(Emitter& em, const Expr& e, int nargout);
std::vector<Val> arguments(Emitter& em, const Expr& e, size_t from);
ExprPtr listed_subscripts(Emitter& em, const ExprPtr& e);
std::vector<Val> call(Emitter& em, const std::string& name, std::vector<Val> args, int nargout, Pos pos);
std::vector<Val> call_version(Emitter& em, const Function& f, std::vector<Val> args, int nargout, Pos pos);
std::vector<Val> call_closure(Emitter& em, const std::shared_ptr<const Closure>& c, std::vector<Val> args, int nargout,
                              Pos pos);
Val lambda(Emitter& em, const Expr& e);

// ---- emit_aggregate.cpp: cell arrays and structures of known length
Val cell_value(Emitter& em, const Expr& e);
Val field_value(Emitter& em, const Expr& e);
std::vector<Val> cell_elements(Emitter& em, const Expr& e);
Val sub_aggregate(Emitter& em, const Val& v, const Expr& e);
/// c(k) = [] of a cell array of known length, which is a row or column. False: it is none.
bool erase_cells(Emitter& em, const Expr& target);
/// A loop over the elements of a row of cells or structures.
void for_elements(Emitter& em, const Stmt& s, const Val& over);
/// The variable that a target s.x or c{k} is, which is made when it is not there yet.
std::string place(Emitter& em, const Expr& target);
bool aggregates(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool unrolls(Emitter& em, const Stmt& s, const Val& start, const Val& step, const Val& stop);
void unroll(Emitter& em, const Stmt& s, const Val& start, const Val& step, const Val& stop);

// ---- emit_index.cpp
/// Whether `end` stands there for the extent of what is subscripted.
bool uses_end(const Emitter& em, const Expr& e);
Sub subscript(Emitter& em, const Expr& e, const ir::E& array, const Type& t, size_t k, size_t n);
Sub value_subscript(Emitter& em, const Val& v, Pos pos);
Val index(Emitter& em, const Val& base, const std::vector<ExprPtr>& subs, Pos pos);
Val gather(Emitter& em, const ir::E& array, const Type& t, const std::vector<Sub>& subs, Pos pos);
Val end_value(Emitter& em, Pos pos);
void store(Emitter& em, const Expr& target, const Val& v);
void erase(Emitter& em, const Expr& target);
Type stored_type(Emitter& em, const Type& t, const Val& v, const std::vector<Sub>& subs, Pos pos);
std::vector<int64_t> gathered(const Type& t, const std::vector<Sub>& subs);
std::vector<ir::Subscript> subscripts(const std::vector<Sub>& subs, bool grow);

// ---- emit_arith.cpp
ir::Kind comparison_kind(Op op);
Val unary(Emitter& em, Op op, const Val& v, Pos pos);
Val binary(Emitter& em, Op op, const Val& a, const Val& b, Pos pos);
std::optional<Val> folded(Emitter& em, Op op, const Val& a, const Val& b);
Val elementwise(Emitter& em, ir::Kind kind, const Val& a, const Val& b, Pos pos);
Val recovered(Emitter& em, const Val& z);
Val compare(Emitter& em, Op op, const Val& a, const Val& b, Pos pos);
Val logic(Emitter& em, Op op, const Val& a, const Val& b, Pos pos);
Val truths(Emitter& em, const Val& v, Pos pos);
Val power(Emitter& em, const Val& a, const Val& b, Pos pos);
Val matrix_power(Emitter& em, const Val& a, const Val& b, Pos pos);
Val product(Emitter& em, const Val& a, const Val& b, Pos pos);
Val solve(Emitter& em, const Val& a, const Val& b, Pos pos);
Val inverse(Emitter& em, const Val& given, Pos pos);
Val transpose(Emitter& em, const Val& v, bool conjugate, Pos pos);
std::vector<int64_t> agree(Emitter& em, const Val& a, const Val& b, Pos pos);

// ---- emit_integer.cpp
bool is_wide(Cls c);
bool holds(Cls c, double v);
std::optional<ir::E> exactly(Emitter& em, const Val& v, Cls cls);
Val integer_arithmetic(Emitter& em, ir::Kind kind, const Val& a, const Val& b, const Type& t, Pos pos);
Val integer_negation(Emitter& em, const Val& v);
Val integer_power(Emitter& em, const Val& a, const Val& b, const Type& t, Pos pos);
void integer_range(Emitter& em, const std::vector<Val>& parts, Cls cls, Pos pos);
Val integer_comparison(Emitter& em, Op op, const Val& a, const Val& b, const Type& t, Pos pos);

// ---- emit_builtin*.cpp
/// assert: bails out unless the assertion holds. False: another form.
bool assertion(Emitter& em, Vals& args, Pos pos);
/// Whether the builtin does or asks more than compute, so that compiled code must not call it.
bool has_effects(const std::string& name);
bool builtin(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool constants(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out);
bool queries(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool makers(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out);
bool shapes(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool orders(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool conversions(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out);
bool pairwise(Emitter& em, const std::string& name, Vals& args, Pos pos, Vals& out);
bool called(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool matrices(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool linear(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
Val map(Emitter& em, const Builtin& b, const Val& v, Pos pos);
Val reduction(Emitter& em, const Builtin& b, Vals& args, Pos pos);
Val least(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
int axis(Emitter& em, const Val& v, Pos pos);
std::vector<int64_t> reduced(const Type& t, int axis);
Val filled(Emitter& em, double v, Cls cls, Vals& args, Pos pos);
Val equal_arrays(Emitter& em, const Val& a, const Val& b, Pos pos);
Val letters_between(Emitter& em, const Val& x, char from, char to, Pos pos);
bool texts(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
Val size_vector(Emitter& em, const Val& v, Pos pos);

// ---- emit_list.cpp: cell arrays of unknown length
/// A row or column of cells, whose elements are of one class, as a List; nothing when they are not.
std::optional<Val> as_list(Emitter& em, const Val& cells, Pos pos);
/// At a join of paths with cell arrays of different lengths: converts the values of the paths to a List, and so the
/// joined value; so with structures and arrays of them. Gives the names of [] where arrays of structures are known,
/// which count as not assigned.
std::set<std::string> match_lists(Emitter& em, Join& j);
/// c{k} = v, where c is a List or k is not known. False: it is neither.
bool store_in_list(Emitter& em, const Expr& target, const Val& v);
/// c(k) = {x}. False: it is another store.
bool store_one_cell(Emitter& em, const Expr& target, const Val& v);
/// c{k}(i) = x, where c is a List. False: it is none.
bool store_within_list(Emitter& em, const Expr& target, const Val& v);
std::optional<Val> list_element(Emitter& em, const Val& list, const Expr& e);
/// c{k} of a variable of known length by a number that is not known: the variable becomes a List. Nothing: it cannot.
std::optional<Val> variable_element(Emitter& em, const Expr& e);
/// [c{:}] of a List of rows.
std::optional<Val> joined_elements(Emitter& em, const Expr& e);
bool lists(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);

// ---- emit_structs.cpp: arrays of structures
/// A structure as an array of one, or such an array; nothing when it has a field that cannot be an element's.
std::optional<Val> as_structs(Emitter& em, const Val& v, Pos pos);
/// struct (name, {...}, ...), where a cell array is not of one cell.
Val structs_of(Emitter& em, const Vals& args, Pos pos);
/// s(k).x = v and s(k) = v, where s is no array. False: it is another store.
bool store_in_structs(Emitter& em, const Expr& target, const Val& v);
/// s(k) = [], c(k) = []. False: it is no such array.
bool erase_elements(Emitter& em, const Expr& target);
/// s(k).x.
std::optional<Val> structs_field(Emitter& em, const Expr& e);
/// Element k, a number, as a structure.
Val structure_at(Emitter& em, const Val& s, const Val& k, Pos pos);
/// s(k), and s(list), which is an array.
Val structs_element(Emitter& em, const Val& s, const Expr& e);
/// The elements s.x of all structures, as a cell array of unknown length. Nothing: it is another expression.
std::optional<Val> all_of_field(Emitter& em, const Expr& e);
/// [s, t] of structures, [c, d] of cell arrays.
Val join_aggregates(Emitter& em, Vals parts, Pos pos);
Val repeated(Emitter& em, const Val& structure, const Val& count, bool down, Pos pos);
bool structs(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// The variable begins here where it was not assigned yet, with all of its elements still to come.
bool begin_aggregate(Emitter& em, const std::string& name);
/// Bails out if the variable began at a store and does not have all of its fields yet.
void settle_fields(Emitter& em, Var& var);

// ---- emit_list.cpp, as parts of structures
Val list_of(const Val& data, const Val& ends, const Val& rows, std::vector<int64_t> ext, std::vector<int64_t> element);
Val empty_list(Emitter& em, std::vector<int64_t> ext);
Val with_element(Emitter& em, const Val& list, const Val& k, const Val& given, Pos pos);
Val element_at(Emitter& em, const Val& list, const Val& k, Pos pos);
Val picked(Emitter& em, const Val& list, const Val& numbers, Pos pos);
Val joined_lists(Emitter& em, const Val& a, const Val& b, Pos pos);
/// The subscript, where it is one number: `ends` has an element for each cell.
std::optional<Val> cell_number(Emitter& em, const Expr& e, const std::optional<Val>& ends,
                               const std::vector<int64_t>& ext);

// ---- emit_solver.cpp: functions of the host that take handles
bool solver(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// A handle as an argument of a function of the host; `captured` receives the values that it has captured.
HostCall::Argument handle_argument(Emitter& em, const Closure& c, std::vector<Val>& captured, Pos pos);

// ---- emit_options.cpp
/// optimset and the like, by the host, of options whose names are known.
bool options(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);

// ---- emit_host.cpp: functions that the host runs
/// Emits the call; gives values of these types.
Vals host_call(Emitter& em, HostCall c, const Vals& args, const std::vector<Type>& results, Pos pos);
bool prints(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// rand and the like, by the host, which sets its generators back when the call bails out.
bool host_random(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// Clocks: tic, toc, time and the like.
bool host_clock(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// Functions that give cells of text.
bool host_lists(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
bool host_texts(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
/// Shows the variable, as behind a statement without a semicolon that assigned to it.
void show_variable(Emitter& em, const std::string& name, Pos pos);

}  // namespace vr::matlab
