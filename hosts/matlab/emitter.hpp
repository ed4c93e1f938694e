// Inference and emission by rounds; private to hosts/matlab.
//
// A round walks the whole program from the main version on and emits VRIR as it goes, with the types that are known by
// then. Where ways meet (behind `if`, at the head of a loop, at `return`) a Join remembers from round to round what
// came in; a round in which no join changed was emitted with types that hold, and its module is the result.
#pragma once
#include "compile.hpp"

#include <velociraptor/ir/builder.hpp>

#include <functional>
#include <map>
#include <set>

namespace vr::matlab {

/// Why something cannot be compiled. Caught at the statement: it bails out there, or the function is refused.
struct Refused {
  Pos pos;
  std::string what, hint;
};
/// A value whose type nobody knows yet in this round (a recursive call): the way ends here until the next. In the last
/// round: a call that never returns.
struct NotYet {};

/// A value under construction. A whole number of class double may be held as int64 (sizes, loop counters).
struct Val {
  Type t;
  ir::E e{0L};
  bool whole() const { return t.cls == Cls::Double && e.type().is_scalar() && e.type().elem == ir::Elem::Int64; }
};

/// What a variable is at a place of the program.
struct Var {
  Type t;
  std::optional<ir::E> slot;      ///< the VRIR variable; none for constants without storage
  bool maybe = false;             ///< not assigned on all ways: its flag tells
  std::optional<ir::E> counter;   ///< the same value as int64
  const void* lost_in = nullptr;  ///< the parallel loop that it is a temporary of
};
using Env = std::map<std::string, Var>;

struct Closure {
  const Expr* node = nullptr;  ///< a Lambda; null: the function `name`
  std::string name;
  std::map<std::string, Val> captured;
  size_t depth = 0;  ///< loops around the place where it was made
};
bool same_closure(const Closure* a, const Closure* b);

/// Where ways meet.
struct Join {
  struct Entry {
    Type t;
    bool maybe = false;
    const void* lost_in = nullptr;
  };
  std::map<std::string, Entry> vars;
  bool seen = false;
  int round = -1;  ///< the round of what follows
  std::map<std::string, std::optional<ir::E>> counters;
};

struct NodeState {
  Join join;
  bool serial = false;  ///< a parallel loop that cannot be one
};

/// A function for some types of arguments.
struct Version {
  const Function* function = nullptr;
  std::vector<Type> args;
  int nargout = 1;
  std::string name;  ///< in the module
  std::vector<std::optional<Type>> results;
  std::map<const void*, NodeState> nodes;
  int round = -1;  ///< emitted, or being emitted, in this round
  int outputs() const;
};

struct Program {
  Program(UnitPtr u) : unit(std::move(u)) {}
  Result<Compiled> run(const std::string& function, const Signature& signature);

  Version& version(const Function& f, std::vector<Type> args, int nargout);
  void emit(Version& v);
  void changed_here() { changed = true; }
  void refuse(const Refused& r, bool conditional, const std::string& function);
  void remark(Pos pos, std::string rule, std::string message);
  int bail_number(const std::string& reason);

  UnitPtr unit;
  std::unique_ptr<ir::ModuleBuilder> builder;
  std::map<std::string, std::unique_ptr<Version>> versions;
  int round = 0;
  bool changed = false;
  std::string main;  ///< the version that the host calls
  std::vector<Diagnostic> refusals, remarks;
  std::vector<std::string> bails;
};

class Emitter {
 public:
  Emitter(Program& p, Version& v) : p_(p), v_(v) {}
  void run();

 private:
  struct Loop {
    Join* join;
    bool parallel;
    const Stmt* stmt;
  };
  struct EndOf {
    ir::E array;
    Type t;
    size_t position, count;
  };
  struct Sub {
    ir::E e{0L};
    bool colon = false, mask = false, scalar = false;
    std::vector<int64_t> ext = {1, 1};
    std::optional<double> number;
    int64_t count() const { return Type::array(Cls::Double, ext).count(); }
  };

  // ---- emit_function.cpp: variables, joins, bailing out
  [[noreturn]] void refuse(Pos pos, std::string what, std::string hint = {}) const;
  void at(Pos pos);
  void bail(const std::string& reason);
  void guard(const ir::E& test, const std::string& reason);
  ir::E slot(const std::string& name, const Type& t);
  ir::E flag(const std::string& name);
  ir::E temp(const char* name, const ir::Type& t);
  void set(const std::string& name, Val v);
  Val read(const std::string& name, Pos pos);
  void edge(Join& j, size_t back_edge_of = SIZE_MAX);
  void enter(Join& j, bool keep_counters);
  NodeState& state(const void* node) { return v_.nodes[node]; }
  void return_();
  void parameters();
  const std::set<std::string>& assigned(const Body& b);

  // ---- emit_value.cpp: conversions
  Val value(Type t, ir::E e);
  Val number(double v);
  Val truth(bool v);
  ir::E elem(const Val& v, Cls cls, bool complex);
  ir::E real(const Val& v) { return elem(v, Cls::Double, false); }
  ir::E convert(const Val& v, const Type& to);
  ir::E to_integer(const ir::E& e, Cls cls);
  ir::E named(const Val& v, const char* name = "t");
  Val named_value(const Val& v, const char* name = "t");
  Val numeric(const Val& v, Pos pos);
  Val plain(const Val& v, Pos pos);
  Val scalar_number(const Val& v, Pos pos, const char* what);
  ir::E as_array(const Val& v, int rank = 2);
  ir::E every(const ir::E& truths, int rank);
  ir::E some(const ir::E& truths, int rank);
  ir::E reduce(const char* name, ir::E e, int rank);
  ir::E extent(const Val& v, int k);
  ir::E elements(const Val& v);
  ir::E lib(const char* name, std::vector<ir::E> args) { return f_->lib(name, args); }
  Val condition(const Val& v, Pos pos, bool empty_faults = false);

  // ---- emit_stmt.cpp
  void body(const Body& b);
  void stmt(const Stmt& s);
  void assign(const Stmt& s);
  void assign_to(const ExprPtr& target, const Val& v);
  void chain(const Stmt& s, const std::function<Val(size_t)>& test, size_t k, Join& j);
  void branches(const Stmt& s, const std::function<Val(size_t)>& test);
  void switch_(const Stmt& s);
  Val matches(const Val& v, const Expr& label);

  // ---- emit_loop.cpp
  void while_(const Stmt& s);
  void do_until(const Stmt& s);
  void for_(const Stmt& s);
  void loop_body(const Stmt& s, Join& j, const std::function<void()>& start);
  void count(const Stmt& s, const ir::E& counter, const ir::E& range, const std::function<void()>& start);
  void for_range(const Stmt& s, const Expr& r);
  void for_columns(const Stmt& s);
  bool pfor(const Stmt& s, const ir::E& counter, const ir::E& range, const std::function<void()>& start);

  // ---- emit_expr.cpp
  Val expr(const Expr& e);
  Val expr(const ExprPtr& e) { return expr(*e); }
  Val short_circuit(const Expr& e);
  Val range_value(const Expr& e);
  Val matrix(const Expr& e);
  Val join_arrays(bool across, std::vector<Val> parts, Pos pos);
  std::vector<Val> several(const Expr& e, int nargout);
  std::vector<Val> arguments(const Expr& e, size_t from);
  std::vector<Val> call(const std::string& name, std::vector<Val> args, int nargout, Pos pos);
  std::vector<Val> call_version(const Function& f, std::vector<Val> args, int nargout, Pos pos);
  std::vector<Val> call_closure(const std::shared_ptr<const Closure>& c, std::vector<Val> args, int nargout, Pos pos);
  Val lambda(const Expr& e);
  bool is_variable(const std::string& name) const { return env_.count(name) > 0; }

  // ---- emit_index.cpp
  Sub subscript(const Expr& e, const ir::E& array, const Type& t, size_t k, size_t n);
  Sub value_subscript(const Val& v, Pos pos);
  Val index(const Val& base, const std::vector<ExprPtr>& subs, Pos pos);
  Val gather(const ir::E& array, const Type& t, const std::vector<Sub>& subs, Pos pos);
  Val end_value(Pos pos);
  void store(const Expr& target, const Val& v);
  void erase(const Expr& target);
  Type stored_type(const Type& t, const Val& v, const std::vector<Sub>& subs, Pos pos);
  std::vector<int64_t> gathered(const Type& t, const std::vector<Sub>& subs) const;
  std::vector<ir::Subscript> subscripts(const std::vector<Sub>& subs, bool grow) const;

  // ---- emit_arith.cpp
  Val unary(Op op, const Val& v, Pos pos);
  Val binary(Op op, const Val& a, const Val& b, Pos pos);
  std::optional<Val> folded(Op op, const Val& a, const Val& b);
  Val elementwise(ir::Kind kind, const Val& a, const Val& b, Pos pos);
  Val compare(Op op, const Val& a, const Val& b, Pos pos);
  Val logic(Op op, const Val& a, const Val& b, Pos pos);
  Val truths(const Val& v, Pos pos);
  Val power(const Val& a, const Val& b, Pos pos);
  Val matrix_power(const Val& a, const Val& b, Pos pos);
  Val product(const Val& a, const Val& b, Pos pos);
  Val solve(const Val& a, const Val& b, Pos pos);
  Val transpose(const Val& v, bool conjugate, Pos pos);
  std::vector<int64_t> agree(const Val& a, const Val& b, Pos pos);

  // ---- emit_builtin*.cpp
  using Vals = std::vector<Val>;
  bool builtin(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  bool constants(const std::string& name, Vals& args, Pos pos, Vals& out);
  bool queries(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  bool makers(const std::string& name, Vals& args, Pos pos, Vals& out);
  bool shapes(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  bool orders(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  bool conversions(const std::string& name, Vals& args, Pos pos, Vals& out);
  bool pairwise(const std::string& name, Vals& args, Pos pos, Vals& out);
  bool linear(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  Val map(const struct Builtin& b, const Val& v, Pos pos);
  Val reduction(const struct Builtin& b, Vals& args, Pos pos);
  Val least(const std::string& name, Vals& args, int nargout, Pos pos, Vals& out);
  int axis(const Val& v, Pos pos);
  std::vector<int64_t> reduced(const Type& t, int axis) const;
  Val filled(double v, Cls cls, Vals& args, Pos pos);
  Val equal_arrays(const Val& a, const Val& b, Pos pos);
  Val size_vector(const Val& v, Pos pos);
  Val whole(const ir::E& e);

  Program& p_;
  Version& v_;
  ir::FunctionBuilder* f_ = nullptr;
  Env env_;
  bool alive_ = true;
  int conditional_ = 0, inlined_ = 0, parallel_ = 0;
  Pos pos_;
  std::string loc_;
  std::vector<Loop> loops_;
  std::vector<EndOf> ends_;
  std::map<std::string, ir::E> slots_;
  std::map<const Body*, std::set<std::string>> assigned_;
};

}  // namespace vr::matlab
