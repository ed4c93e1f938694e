// Functions of the host that take function handles, where the compiler has none of its own and cannot compile the
// host's: ode45, fzero, quad and the like. The host runs them, with handles that its interpreter evaluates.
#include "emit.hpp"
#include "unparse.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace vr::matlab {

namespace {

/// What the results are. Matrix: real, of any extents.
enum class Answer { Number, Matrix, Column, LikeStart };
struct Solver {
  std::vector<Answer> results;
  bool exact_count = false;  ///< only with all of these results
  size_t start = 1;          ///< the argument whose shape LikeStart has
};

const Solver* find_solver(const std::string& name) {
  static const Solver root{{Answer::Number, Answer::Number, Answer::Number}}, integral{{Answer::Number}},
      ode{{Answer::Column, Answer::Matrix}, true}, minimum{{Answer::LikeStart, Answer::Number, Answer::Number}};
  static const std::map<std::string, Solver> solvers = {
      {"fzero", root},
      {"fminbnd", root},
      {"fminsearch", minimum},
      {"fminunc", minimum},
      {"fsolve", {{Answer::LikeStart, Answer::Matrix, Answer::Number}}},
      {"quad", integral},
      {"quadv", integral},
      {"quadl", integral},
      {"quadgk", integral},
      {"quadcc", integral},
      {"integral", integral},
      {"dblquad", integral},
      {"triplequad", integral},
      {"integral2", integral},
      {"integral3", integral},
      {"quad2d", integral},
      {"ode45", ode},
      {"ode23", ode},
      {"ode23s", ode},
      {"ode15s", ode},
      {"lsode", {{Answer::Matrix}}},
  };
  const auto it = solvers.find(name);
  return it == solvers.end() ? nullptr : &it->second;
}

/// Functions that do or ask more than compute, which the interpreter would do twice when the call bails out: those that
/// compiled code must not call, and others.
bool acts_twice(const std::string& name) {
  static const std::set<std::string> others = {
      "randg",   "randp",    "evalc",     "fwrite",  "fread",     "fgetl",  "fgets",  "fscanf",   "who",      "whos",
      "clear",   "save",     "load",      "system",  "shell_cmd", "unlink", "delete", "mkdir",    "rmdir",    "rename",
      "cd",      "chdir",    "addpath",   "rmpath",  "source",    "run",    "exit",   "quit",     "setenv",   "putenv",
      "lasterr", "lastwarn", "mlock",     "munlock", "atexit",    "kbhit",  "beep",   "set",      "get",      "hold",
      "axis",    "title",    "xlabel",    "ylabel",  "line",      "close",  "print",  "dlmwrite", "csvwrite", "diary",
      "feval",   "builtin",  "inputname", "dbstop",  "fflush"};
  return has_effects(name) || others.count(name) > 0;
}

/// Refuses handles of functions that have effects: all that the function reaches in the user's program is looked at.
struct Effects {
  Emitter& em;
  Pos pos;
  std::set<std::string> seen = {};

  void function(const std::string& name) {
    if (!seen.insert(name).second) return;
    if (const Function* f = em.program.unit->find(name)) {
      for (const Param& p : f->params)
        if (p.value) expr(*p.value);
      body(f->body);
    } else if (acts_twice(name)) {
      em.refuse(pos, "a handle of a function that calls '" + name + "', as an argument of a function of the host");
    }
  }
  void expr(const Expr& e) {
    if (e.kind == ExprKind::Name || e.kind == ExprKind::Handle) function(e.text);
    if (e.kind == ExprKind::String && em.program.unit->find(e.text)) function(e.text);
    for (const ExprPtr& a : e.args)
      if (a) expr(*a);
    for (const auto& row : e.rows)
      for (const ExprPtr& a : row) expr(*a);
  }
  void body(const Body& b) {
    for (const StmtPtr& s : b) {
      if (s->kind == StmtKind::Other)
        em.refuse(pos, "a handle of a function with " + s->text + ", as an argument of a function of the host");
      for (const ExprPtr& t : s->targets)
        if (t) expr(*t);
      for (const ExprPtr& t : s->tests)
        if (t) expr(*t);
      if (s->value) expr(*s->value);
      for (const Body& inner : s->bodies) body(inner);
    }
  }
};

}  // namespace

HostCall::Argument handle_argument(Emitter& em, const Closure& c, std::vector<Val>& captured, Pos pos) {
  HostCall::Argument a;
  HostCall::Handle h;
  Effects effects{em, pos};
  if (c.node) {
    h.text = text_of(*c.node, h.names);
    if (h.text.empty()) em.refuse(pos, "a handle with an assignment as an argument of a function of the host");
    effects.expr(*c.node->args[0]);
  } else {
    h.names = {c.name};
    effects.function(c.name);
  }
  em.program.called.insert(h.names.begin(), h.names.end());
  if (c.where) h.where = c.where->name;
  for (const auto& [name, v] : c.captured) {
    h.names.erase(name);
    h.captured.push_back(name);
    captured.push_back(v);
  }
  a.handle = std::move(h);
  return a;
}

bool solver(Emitter& em, const std::string& name, Vals& args, int nargout, Pos pos, Vals& out) {
  const Solver* s = em.program.signature.text ? find_solver(name) : nullptr;
  if (!s || args.empty()) return false;
  const auto wanted = static_cast<size_t>(std::max(nargout, 1));
  if (wanted > s->results.size() || (s->exact_count && wanted != s->results.size())) return false;
  // The host's function is compiled together with the handle, where that is possible.
  const auto& library = em.program.unit->library;
  if (!em.program.solvers_by_host && library && library(name)) {
    em.program.has_solvers = true;
    return false;
  }
  if (args[0].t.cls != Cls::Handle && !args[0].t.text) return false;
  for (const Val& v : args)
    if (v.t.text && (*v.t.text == "ArrayValued" || *v.t.text == "arrayvalued"))
      em.refuse(pos, "'" + name + "' of a function whose values are arrays");
  std::vector<Type> types;
  for (size_t k = 0; k < wanted; ++k) {
    const bool one = s->start < args.size() && args[s->start].t.is_scalar();
    const Answer kind = s->results[k];
    types.push_back(kind == Answer::Number || (kind == Answer::LikeStart && one) ? Type::scalar(Cls::Double)
                    : kind == Answer::Column                                     ? Type::array(Cls::Double, {kAny, 1})
                                             : Type::array(Cls::Double, {kAny, kAny}));
  }
  HostCall c;
  c.function = name;
  c.solves = true;
  out = host_call(em, std::move(c), args, types, pos);
  return true;
}

}  // namespace vr::matlab
