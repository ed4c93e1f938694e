// What compiles the constructs of the language: a function each, which emits through the Emitter; private to
// hosts/matlab.
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
std::vector<Val> call(Emitter& em, const std::string& name, std::vector<Val> args, int nargout, Pos pos);
std::vector<Val> call_version(Emitter& em, const Function& f, std::vector<Val> args, int nargout, Pos pos);
std::vector<Val> call_closure(Emitter& em, const std::shared_ptr<const Closure>& c, std::vector<Val> args, int nargout,
                              Pos pos);
Val lambda(Emitter& em, const Expr& e);

// ---- emit_index.cpp
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
Val size_vector(Emitter& em, const Val& v, Pos pos);

}  // namespace vr::matlab
