// Type inference and emission of VRIR, repeated until types no longer change; private to hosts/matlab.
//
// A round walks the whole program, starting with the main version, and emits VRIR with the types that are known so far.
// At a point where control-flow paths join (after `if`, at the head of a loop, at `return`) a Join accumulates the
// types of all paths, from round to round. If no Join changes in a round, the types are consistent, and its module is
// the result.
#pragma once
#include "compile.hpp"

#include <velociraptor/ir/builder.hpp>

#include <functional>
#include <map>
#include <set>

namespace vr::matlab {

/// 2^53: whole numbers below it are exact as doubles.
inline constexpr double kExact = 9007199254740992.0;

/// Why something cannot be compiled. Caught at the statement: it bails out there, or the function is refused.
struct Refused {
  Pos pos;
  std::string what, hint;
};
/// A value whose type is not known yet in this round (a recursive call): translation of this path stops until the next.
/// In the last round: a call that never returns.
struct NotYet {};

/// A value under construction. A whole number of class double may be held as int64 (sizes, loop counters).
struct Val {
  Type t;
  ir::E e{0L};
  std::vector<Val> parts = {};  ///< of an aggregate, as in t.parts
  bool whole() const { return t.cls == Cls::Double && e.type().is_scalar() && e.type().elem == ir::Elem::Int64; }
};

/// The state of a variable at a point of the program.
struct Var {
  Type t;
  std::optional<ir::E> slot;      ///< the VRIR variable; none for constants without storage
  bool maybe = false;             ///< not assigned on all paths; a flag tells at run time
  bool or_nothing = true;         ///< of an array of structures: where it is not assigned it is []
  std::optional<ir::E> counter;   ///< the same value as int64
  const void* lost_in = nullptr;  ///< the parallel loop of which it is a temporary
  /// Of an array of structures that may have begun at a store: whether it has, and how many of its fields it has then.
  std::optional<ir::E> fresh;
  size_t fresh_fields = 0;
};
using Env = std::map<std::string, Var>;
/// The variable of part k, from 0, of an aggregate: s.x or c{1}; and the variable that such a name is a part of.
std::string part_name(const std::string& name, const Type& t, size_t k);
std::string root_name(const std::string& name);
std::string aggregate_name(const Type& t);
/// How the parts of a value, or the value itself, are stored.
void stored_leaves(const Type& t, std::vector<ir::Type>& types);

struct Closure {
  const Expr* node = nullptr;  ///< a Lambda; null: the function `name`
  std::string name;
  std::map<std::string, Val> captured;
  const Function* where = nullptr;  ///< in which it was made; null: it is an argument of the host
  size_t depth = 0;                 ///< loops around the point where it was made
  int round = -1;  ///< in which the captured values were emitted; those of another round cannot be used
};
/// Whether the function is the same, and the captured values have the same types.
bool same_closure(const Closure* a, const Closure* b);
/// Whether the captured values are the same variables, too, for closures of one round.
bool same_values(const Closure& a, const Closure& b);

/// A point where control-flow paths join.
struct Join {
  struct Entry {
    Type t;
    bool maybe = false;
    const void* lost_in = nullptr;
    bool or_nothing = true;
  };
  std::map<std::string, Entry> vars;
  bool seen = false;
  int round = -1;  ///< the round in which the other members were computed
  std::map<std::string, std::optional<ir::E>> counters;
};

struct NodeState {
  Join join;
  bool serial = false;  ///< a parallel loop that must run serially
  bool walked = false;  ///< a do-until loop whose body was emitted in an earlier round
};

/// The code of a function for one list of argument types.
struct Version {
  const Function* function = nullptr;
  std::vector<Type> args;
  int nargout = 1;
  std::string name;  ///< in the module
  std::vector<std::optional<Type>> results;
  std::set<size_t> unknown;  ///< results of a part whose type is only a placeholder
  /// Key: the node, and the iterations of unrolled loops around it.
  std::map<std::pair<const void*, std::vector<int>>, NodeState> nodes;
  int round = -1;  ///< emitted, or being emitted, in this round
  bool calls_host = false;  ///< it, or a function that it calls, has host calls: parallel loops cannot call it
  bool returns_early = false;  ///< on a path that ends before the last statement
  int outputs() const;
  /// The variable of result k, from 0: an output, or a part of varargout.
  std::string output_name(size_t k) const;
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
  std::string main;     ///< the version that the host calls
  Signature signature;  ///< of the main version
  std::vector<HostCall> host_calls;
  std::vector<Diagnostic> refusals, remarks;
  std::vector<std::string> bails;
  std::set<std::string> called;
  /// Whether functions of the host that take handles were met which its library has, and whether the host runs them:
  /// in a second attempt, when they cannot be compiled.
  bool has_solvers = false, solvers_by_host = false;

 private:
  Result<Compiled> attempt(const std::string& function);
};

/// A loop around the code being emitted.
struct Loop {
  Join* join;
  bool parallel;
  const Stmt* stmt;
};
/// The array and axis to which `end` refers.
struct EndOf {
  ir::E array;
  Type t;
  size_t position, count;
};
/// Sets the meaning of `end` while the object exists.
class EndScope {
 public:
  EndScope(std::vector<EndOf>& ends, EndOf e) : ends_(ends) { ends_.push_back(std::move(e)); }
  ~EndScope() { ends_.pop_back(); }
  EndScope(const EndScope&) = delete;

 private:
  std::vector<EndOf>& ends_;
};
/// A subscript.
struct Sub {
  ir::E e{0L};
  bool colon = false, mask = false, scalar = false;
  std::vector<int64_t> ext = {1, 1};
  std::optional<double> number;
  std::optional<ir::E> last;  ///< of a range that counts upwards: its bound
  std::optional<ir::E> when;  ///< a logical number: true selects what 1 does, false nothing
  int64_t count() const { return Type::array(Cls::Double, ext).count(); }
};

/// Emits one version in one round. emit.hpp has a function for each construct; this class has what they share.
struct Emitter {
  Emitter(Program& p, Version& v) : program(p), version(v) {}
  void run();

  // ---- emit_function.cpp: variables, joins, bailing out
  [[noreturn]] void refuse(Pos pos, std::string what, std::string hint = {}) const;
  void at(Pos pos);
  void bail(const std::string& reason);
  void guard(const ir::E& test, const std::string& reason);
  ir::E slot(const std::string& name, const Type& t);
  ir::E flag(const std::string& name);
  ir::E temp(const char* name, const ir::Type& t);
  bool is_variable(const std::string& name) const { return env.count(name) > 0; }
  void set(const std::string& name, Val v);
  Val read(const std::string& name, Pos pos);
  void edge(Join& j, size_t back_edge_of = SIZE_MAX);
  void enter(Join& j, bool keep_counters);
  NodeState& state(const void* node) { return version.nodes[{node, unrolled}]; }
  bool return_(bool early = false);  ///< false: a result is undefined, and the code bails out
  void give(size_t k, const std::string& name, const Val& v, std::vector<ir::E>& values);
  void parameters();
  const std::set<std::string>& assigned(const Body& b);

  // ---- emit_value.cpp: conversions
  Val value(Type t, ir::E e);
  Val number(double v);
  Val whole(const ir::E& e);  ///< an int64 as a double
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
  ir::E lib(const char* name, std::vector<ir::E> args) { return f->lib(name, args); }
  Val condition(const Val& v, Pos pos, bool empty_faults = false);

  Program& program;
  Version& version;
  ir::FunctionBuilder* f = nullptr;
  Env env;
  bool alive = true;    ///< whether code that is emitted now can be reached
  int conditional = 0;  ///< conditions around the code being emitted
  int inlined = 0;      ///< anonymous functions around it
  int parallel = 0;     ///< parallel loops around it
  std::vector<int> unrolled;  ///< iterations of the unrolled loops around it
  Pos here;
  std::string loc;  ///< of `here`
  std::vector<Loop> loops;
  std::vector<EndOf> ends;
  std::map<std::string, ir::E> slots;
  std::map<const Body*, std::set<std::string>> assigned_names;
};

// ---- emit_function.cpp
/// Gives `name` to existing variables.
void bind_variable(Emitter& em, const std::string& name, const Val& v);
void forget_parts(Emitter& em, const std::string& name);
/// Marks the parallel loops around the code being emitted as serial.
void only_serial(Emitter& em);
void give_value(Emitter& em, const std::string& name, const Val& v, const Type& now, std::vector<ir::E>& values);
Val parameter(Emitter& em, const std::string& name, const Type& t);
// ---- emit_value.cpp
Val chars(Emitter& em, const Val& v, Pos pos);          ///< text as an array, or one character, of bytes
Val stored(Emitter& em, const Val& v, Pos pos);         ///< as numeric(), but text stays text
Val spelled(Emitter& em, const Val& v);                 ///< with no constant text in it
Val kept(Emitter& em, const Val& v, const char* name);  ///< in variables that nothing else assigns to

}  // namespace vr::matlab
