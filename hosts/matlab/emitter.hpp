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
/// A value whose type is not known yet in this round (a recursive call): translation of this path stops until the next.
/// In the last round: a call that never returns.
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
  std::set<size_t> unknown;  ///< results of a part whose type stands for none
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
  std::string main;     ///< the version that the host calls
  bool octave = false;  ///< Signature::octave
  std::vector<Diagnostic> refusals, remarks;
  std::vector<std::string> bails;
  std::set<std::string> called;
};

/// A loop around the place where code goes.
struct Loop {
  Join* join;
  bool parallel;
  const Stmt* stmt;
};
/// What `end` means in the subscripts at hand.
struct EndOf {
  ir::E array;
  Type t;
  size_t position, count;
};
/// A subscript.
struct Sub {
  ir::E e{0L};
  bool colon = false, mask = false, scalar = false;
  std::vector<int64_t> ext = {1, 1};
  std::optional<double> number;
  std::optional<ir::E> when;  ///< a logical number: true selects what 1 does, false nothing
  int64_t count() const { return Type::array(Cls::Double, ext).count(); }
};

/// Emits one version in one round. What compiles a construct is a function of emit.hpp; here is what they share.
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
  NodeState& state(const void* node) { return version.nodes[node]; }
  bool return_(bool early = false);  ///< false: it bails out, as a result is not there
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
  int conditional = 0;  ///< conditions around the place
  int inlined = 0;      ///< anonymous functions around it
  int parallel = 0;     ///< parallel loops around it
  Pos here;
  std::string loc;  ///< of `here`
  std::vector<Loop> loops;
  std::vector<EndOf> ends;
  std::map<std::string, ir::E> slots;
  std::map<const Body*, std::set<std::string>> assigned_names;
};

}  // namespace vr::matlab
