// Expressions: literals, names, matrices, calls.
#include "emit.hpp"
#include "prelude.hpp"

#include <algorithm>
#include <cmath>

namespace vr::matlab {

using ir::E;

Val expr(Emitter& em, const Expr& e) {
  switch (e.kind) {
    case ExprKind::Number: {
      if (!e.imaginary) return em.number(e.number);
      return {Type::scalar(Cls::Double, true), em.f->complex_const(0, e.number)};
    }
    case ExprKind::String:
      return {Type::string(e.text)};
    case ExprKind::Colon:
      return {Type::string(":")};
    case ExprKind::End:
      return end_value(em, e.pos);
    case ExprKind::Unary:
      if (e.op == Op::Increment || e.op == Op::Decrement) em.refuse(e.pos, "++ or -- within an expression");
      return unary(em, e.op, expr(em, e.args[0]), e.pos);
    case ExprKind::Postfix:
      return transpose(em, expr(em, e.args[0]), e.op == Op::Ctranspose, e.pos);
    case ExprKind::Binary: {
      const Val a = expr(em, e.args[0]);
      if (e.op == Op::AndAnd || e.op == Op::OrOr) return short_circuit(em, e, a);
      const Val b = expr(em, e.args[1]);
      return binary(em, e.op, a, b, e.pos);
    }
    case ExprKind::Range:
      return range_value(em, e);
    case ExprKind::Matrix:
      return matrix(em, e);
    case ExprKind::Lambda:
    case ExprKind::Handle:
      return lambda(em, e);
    case ExprKind::Name:
    case ExprKind::Index:
    case ExprKind::Brace: {
      std::vector<Val> v = several(em, e, 1);
      if (!em.alive) throw NotYet{};
      if (v.empty()) em.refuse(e.pos, "a call without a value");
      return v[0];
    }
    case ExprKind::Cell:
      em.refuse(e.pos, "a cell array");
    case ExprKind::Field:
      em.refuse(e.pos, "a structure");
    case ExprKind::Assign: {
      if (e.args[0]->kind != ExprKind::Name) em.refuse(e.pos, "an assignment to elements within an expression");
      Val v = expr(em, e.args[1]);
      em.set(e.args[0]->text, v);
      return em.read(e.args[0]->text, e.pos);
    }
  }
  em.refuse(e.pos, "an unknown expression");
}

// A condition of if or while. There a scalar on the left of | or & may decide alone, as with || and &&.
Val test(Emitter& em, const Expr& e) {
  if (e.kind != ExprKind::Binary || (e.op != Op::And && e.op != Op::Or)) return expr(em, e);
  Val a = test(em, *e.args[0]);
  if (a.t.has_storage()) {
    if (a.t.is_scalar()) return short_circuit(em, e, a);
    if (std::all_of(a.t.ext.begin(), a.t.ext.end(), [](int64_t n) { return n == 1 || n == kAny; })) {
      a = em.named_value(a, "left");
      em.guard(em.elements(a) == E(1), "a condition with | or & whose left side has one element");
    }
  }
  const Val b = test(em, *e.args[1]);
  return binary(em, e.op, a, b, e.pos);
}

// The right side runs only when the left one has not decided, with all that has to be done for it.
Val short_circuit(Emitter& em, const Expr& e, const Val& left) {
  const bool is_and = e.op == Op::AndAnd || e.op == Op::And;
  const bool empty_faults = e.op == Op::AndAnd || e.op == Op::OrOr;
  auto test = [&](Emitter& m, const Expr& x) { return empty_faults ? expr(m, x) : matlab::test(m, x); };
  if (assigns(*e.args[1])) em.refuse(e.pos, "an assignment on the right side of && or ||");
  const bool strict = empty_faults && !em.program.octave;  // Octave takes what is empty for false
  const Val a = em.condition(left, e.args[0]->pos, strict);
  if (a.t.number) {
    if ((*a.t.number != 0) != is_and) return a;
    return em.condition(test(em, *e.args[1]), e.args[1]->pos, strict);
  }
  const Env before = em.env;
  std::optional<Val> b;
  ++em.conditional;
  const int conditional = em.conditional;
  ir::Body rest;
  try {
    rest = em.f->apart([&] { b = em.condition(test(em, *e.args[1]), e.args[1]->pos, strict); });
  } catch (const Refused& r) {
    em.conditional = conditional;
    em.program.refuse(r, true, em.version.function->name);
    rest = em.f->apart([&] { em.bail(r.what); });
    b = em.truth(false);
    b->t.number.reset();
    em.alive = true;
  }
  em.conditional = conditional - 1;
  em.env = before;
  Type t = Type::scalar(Cls::Logical);
  if (rest.empty()) return {t, em.f->binary(is_and ? ir::Kind::And : ir::Kind::Or, a.e, b->e)};
  E r = em.temp("both", ir::boolean());
  em.f->assign(r, a.e);
  em.f->if_(is_and ? r : !r, [&] {
    em.f->append(rest);
    em.f->assign(r, b->e);
  });
  return {t, r};
}

// A start, step or end: a number, and no logical one.
Val range_part(Emitter& em, const ExprPtr& e) {
  const Val v = expr(em, e);
  if (v.t.mixed || v.t.cls == Cls::Logical || v.t.cls == Cls::Char)
    em.refuse(e->pos, "a range of logical values or text");
  return em.scalar_number(v, e->pos, "a part of a range");
}

Val range_value(Emitter& em, const Expr& e) {
  std::vector<Val> parts;
  for (const ExprPtr& a : e.args) parts.push_back(range_part(em, a));
  Cls cls = Cls::Double;
  bool finite = true;
  for (const Val& v : parts) {
    if (is_integer(v.t.cls) || (v.t.cls == Cls::Single && cls == Cls::Double)) cls = v.t.cls;
    finite = finite && (v.t.number ? std::isfinite(*v.t.number) : !is_floating(v.t.cls) || v.whole());
  }
  std::vector<E> args;
  if (is_integer(cls)) {
    integer_range(em, parts, cls, e.pos);
    for (const Val& v : parts) args.push_back(em.elem(v, Cls::Int64, false));
    E r = em.f->lib("colon", args);
    ir::Type t = r.type();
    t.elem = *elem_of(cls);
    return em.value(Type::array(cls, {1, kAny}), em.f->cast(r, t));
  }
  for (const Val& v : parts) args.push_back(em.named({Type::scalar(cls), em.elem(v, cls, false)}, "bound"));
  if (!finite)
    for (const E& a : args)
      if (a.id() >= 0) em.guard(!em.lib("isfinite", {a}), "a range without finite bounds");
  int64_t n = kAny;
  const auto &first = parts[0].t.number, &last = parts.back().t.number;
  const std::optional<double> step = parts.size() == 3 ? parts[1].t.number : std::optional<double>(1);
  if (first && last && step && *step != 0 && *first == std::floor(*first) && *step == std::floor(*step) &&
      std::abs(*last - *first) < 1e9)
    n = std::max<int64_t>(0, static_cast<int64_t>(std::floor((*last - *first) / *step)) + 1);
  // 1 x 1 stays an array here: what is read of it may be asked for as one.
  return em.value(Type::array(cls, {1, n}), em.f->lib("colon", args));
}

Val matrix(Emitter& em, const Expr& e) {
  std::vector<std::vector<Val>> rows;
  bool text = !e.rows.empty();
  std::string joined;
  for (const auto& row : e.rows) {
    std::vector<Val> parts;
    for (const ExprPtr& x : row) {
      Val v;
      if (x->kind == ExprKind::Brace) {
        for (Val& each : several(em, *x, 1)) parts.push_back(std::move(each));
        text = false;
        continue;
      }
      v = expr(em, x);
      if (v.t.cls == Cls::Char && v.t.text)
        joined += *v.t.text;
      else
        text = false;
      parts.push_back(std::move(v));
    }
    if (text && e.rows.size() == 1) continue;
    for (const Val& v : parts)
      if (v.t.cls == Cls::Char) em.refuse(e.pos, "text in a matrix");
    rows.push_back(std::move(parts));
  }
  if (text && e.rows.size() == 1) return {Type::string(joined)};
  // The first integer class is that of the whole matrix, also for a row in which another comes first.
  std::optional<Cls> integer;
  std::vector<Val> joined_rows;
  for (std::vector<Val>& row : rows) {
    for (Val& v : row) {
      if (!v.t.lost.empty() || !is_integer(v.t.cls)) continue;
      if (!integer) integer = v.t.cls;
      v.e = em.to_integer(v.e, *integer);
      v.t.cls = *integer;
    }
    joined_rows.push_back(join_arrays(em, true, std::move(row), e.pos));
  }
  return join_arrays(em, false, std::move(joined_rows), e.pos);
}

Joined joined(Emitter& em, std::vector<Val>& parts, Pos pos) {
  std::optional<Cls> integer;
  bool single = false, logical = true;
  Joined all{Cls::Double};
  for (Val& v : parts) {
    v = em.numeric(em.plain(v, pos), pos);
    if (is_integer(v.t.cls) && !integer) integer = v.t.cls;
    single = single || v.t.cls == Cls::Single;
    logical = logical && v.t.cls == Cls::Logical;
    all.complex = all.complex || v.t.complex;
    all.kept_complex = all.kept_complex || v.t.kept_complex;
  }
  all.cls = integer ? *integer : single ? Cls::Single : logical ? Cls::Logical : Cls::Double;
  return all;
}

// [a, b] or [a; b].
Val join_arrays(Emitter& em, bool across, std::vector<Val> parts, Pos pos) {
  const Joined all = joined(em, parts, pos);
  const Cls cls = all.cls;
  const bool complex = all.complex, kept = all.kept_complex;
  if (parts.empty())
    return em.value(Type::array(Cls::Double, {0, 0}),
                    em.f->zeros(ir::f64_array(2, ir::Layout::ColMajor), {E(0), E(0)}));
  // [] of class double takes part in the class, and is nothing otherwise.
  std::vector<Val> kept_parts;
  for (Val& v : parts) {
    if (v.t.rank() == 2 && v.t.ext[0] == 0 && v.t.ext[1] == 0) continue;
    v.e = all.element(em, v);
    kept_parts.push_back(std::move(v));
  }
  if (kept_parts.empty()) {
    ir::Type t = ir::Type::array(*elem_of(cls), 2, ir::Layout::ColMajor);
    return em.value(Type::array(cls, {0, 0}), em.f->zeros(t, {E(0), E(0)}));
  }
  if (kept_parts.size() == 1) {
    Type t = kept_parts[0].t;
    if (t.cls != cls || complex != t.complex) t.number.reset();
    t.cls = cls;
    t.complex = complex;
    return {t, kept_parts[0].e};
  }
  // The extents that all must share, and the one that adds up.
  size_t rank = 2;
  for (const Val& v : kept_parts) rank = std::max(rank, v.t.ext.size());
  const size_t along = across ? 1 : 0;
  std::vector<int64_t> ext(rank, kAny);
  for (size_t k = 0; k < rank; ++k) {
    auto of = [&](const Val& v) { return k < v.t.ext.size() ? v.t.ext[k] : int64_t{1}; };
    if (k == along) {
      int64_t sum = 0;
      for (const Val& v : kept_parts)
        sum = sum < 0 || v.t.count() <= 0 ? kAny : sum + of(v);  // one without elements is left out
      ext[k] = sum;
      continue;
    }
    // An array that has elements decides; of those that may have none, what they agree on.
    for (const Val& v : kept_parts)
      if (v.t.count() > 0) ext[k] = of(v);
    if (ext[k] == kAny) {
      ext[k] = of(kept_parts[0]);
      for (const Val& v : kept_parts) ext[k] = ext[k] == of(v) ? ext[k] : kAny;
    }
  }
  // An extent that some part states as 0 may still be a matter of parts that are left out.
  std::vector<E> list;
  for (const Val& v : kept_parts) list.push_back(v.e);
  const char* name = across ? "horzcat" : "vertcat";
  while (list.size() > 250) {
    std::vector<E> shorter;
    for (size_t k = 0; k < list.size(); k += 250)
      shorter.push_back(
          em.f->lib(name, std::vector<E>(list.begin() + k, list.begin() + std::min(list.size(), k + 250))));
    list = std::move(shorter);
  }
  Type t = Type::array(cls, ext, complex);
  t.kept_complex = kept;
  return em.value(t, em.f->lib(name, list));
}

// ---------------------------------------------------------------- calls

std::vector<Val> arguments(Emitter& em, const Expr& e, size_t from) {
  std::vector<Val> args;
  for (size_t k = from; k < e.args.size(); ++k) {
    if (e.args[k]->kind == ExprKind::Brace) {
      for (Val& v : several(em, *e.args[k], 1)) args.push_back(std::move(v));
    } else {
      args.push_back(expr(em, e.args[k]));
    }
  }
  return args;
}

// find (size (x) > 1, 1), or ~= 1: the first dimension that is not 1, where the types tell.
std::optional<Val> first_dimension(Emitter& em, const Expr& e) {
  if (e.args.size() != 3 || e.args[1]->kind != ExprKind::Binary || e.args[2]->kind != ExprKind::Number)
    return std::nullopt;
  const Expr& test = *e.args[1];
  if ((test.op != Op::Gt && test.op != Op::Ne) || test.args[1]->kind != ExprKind::Number) return std::nullopt;
  if (test.args[1]->number != 1 || e.args[2]->number != 1 || em.program.unit->find("find")) return std::nullopt;
  if (test.args[0]->kind != ExprKind::Name && test.args[0]->kind != ExprKind::Index) return std::nullopt;
  const Val sizes = em.named_value(expr(em, test.args[0]), "sizes");
  for (size_t k = 0; k < sizes.t.sizes.size(); ++k) {
    const int64_t n = sizes.t.sizes[k];
    if (n == 1) continue;
    if (n == kAny || n == 0) return std::nullopt;
    if (n == kNotOne && test.op == Op::Gt)
      em.guard(em.real({Type::scalar(Cls::Double), em.f->index(sizes.e, {E(static_cast<long>(k) + 1)})}) == E(0.0),
               "an array without elements");
    return em.number(static_cast<double>(k) + 1);
  }
  if (sizes.t.sizes.empty()) return std::nullopt;
  return em.value(Type::array(Cls::Double, {1, 0}), em.f->zeros(ir::f64_array(2, ir::Layout::ColMajor), {E(1), E(0)}));
}

// The values of an expression that may have several: a call, or a list of arguments in braces.
std::vector<Val> several(Emitter& em, const Expr& e, int nargout) {
  if (e.kind == ExprKind::Name) {
    if (em.is_variable(e.text)) {
      return {em.read(e.text, e.pos)};
    }
    return call(em, e.text, {}, nargout, e.pos);
  }
  if (e.kind == ExprKind::Brace) {
    // varargin has a known length: its elements are variables.
    if (e.args[0]->kind != ExprKind::Name || e.args[0]->text != "varargin" || em.is_variable("varargin") ||
        e.args.size() != 2)
      em.refuse(e.pos, "a cell array");
    int n = 0;
    while (em.env.count("varargin#" + std::to_string(n + 1))) ++n;
    if (e.args[1]->kind == ExprKind::Colon) {
      std::vector<Val> all;
      for (int k = 1; k <= n; ++k) all.push_back(em.read("varargin#" + std::to_string(k), e.pos));
      return all;
    }
    Type list = Type::array(Cls::Double, {1, n});
    em.ends.push_back({E(0L), list, 0, 1});
    const Val k = expr(em, e.args[1]);
    em.ends.pop_back();
    if (!k.t.number) em.refuse(e.pos, "an element of varargin whose number is not known");
    if (*k.t.number < 1 || *k.t.number > n || *k.t.number != std::floor(*k.t.number))
      em.refuse(e.pos, "an element of varargin that is not there");
    return {em.read("varargin#" + std::to_string(static_cast<int>(*k.t.number)), e.pos)};
  }
  if (e.kind != ExprKind::Index) return {expr(em, e)};
  const Expr& base = *e.args[0];
  if (base.kind == ExprKind::Name && !em.is_variable(base.text)) {
    em.program.called.insert(base.text);
    if (base.text == "exist" && e.args.size() >= 2) {
      const Val what = expr(em, e.args[1]);
      if (!what.t.text) em.refuse(e.pos, "exist() of a name that is not known");
      auto it = em.env.find(*what.t.text);
      const Val kind = e.args.size() > 2 ? expr(em, e.args[2]) : Val{};
      const bool of_variables = kind.t.text && *kind.t.text == "var";
      if (it == em.env.end() && of_variables) return {em.number(0)};
      if (it == em.env.end() || it->second.maybe) em.refuse(e.pos, "exist() of what may not be a variable");
      return {em.number(1)};
    }
    if (base.text == "find")
      if (const auto k = first_dimension(em, e)) return {*k};
    if ((base.text == "isargout") && em.version.nargout >= 0) em.refuse(e.pos, "isargout");
    if ((base.text == "numel" || base.text == "length" || base.text == "isempty") && e.args.size() == 2 &&
        e.args[1]->kind == ExprKind::Name && e.args[1]->text == "varargin" && !em.is_variable("varargin")) {
      int n = 0;
      while (em.env.count("varargin#" + std::to_string(n + 1))) ++n;
      return {base.text == "isempty" ? em.truth(n == 0) : em.number(n)};
    }
    return call(em, base.text, arguments(em, e, 1), nargout, e.pos);
  }
  Val v = base.kind == ExprKind::Name ? em.read(base.text, base.pos) : expr(em, base);
  if (v.t.closure) return call_closure(em, v.t.closure, arguments(em, e, 1), nargout, e.pos);
  return {index(em, v, std::vector<ExprPtr>(e.args.begin() + 1, e.args.end()), e.pos)};
}

std::vector<Val> call(Emitter& em, const std::string& name, std::vector<Val> args, int nargout, Pos pos) {
  em.program.called.insert(name);
  // A builtin that is written in the language means builtins by its names.
  const bool own = em.version.function->prelude && em.inlined == 0;
  if (const Function* f = own ? nullptr : em.program.unit->find(name))
    return call_version(em, *f, std::move(args), nargout, pos);
  if (name == "nargin" && args.empty()) return {em.number(static_cast<double>(em.version.args.size()))};
  if (name == "nargout" && args.empty()) return {em.number(em.version.nargout)};
  if (name == "feval" && !args.empty()) {
    Val f = args[0];
    args.erase(args.begin());
    if (f.t.closure) return call_closure(em, f.t.closure, std::move(args), nargout, pos);
    if (f.t.text) return call(em, *f.t.text, std::move(args), nargout, pos);
    em.refuse(pos, "feval of what is not known");
  }
  if (name == "bsxfun" && args.size() == 3) {
    // Builtins of two arguments broadcast by themselves.
    static const std::set<std::string> elementwise = {"plus", "minus", "times", "rdivide", "ldivide", "power", "max",
                                                      "min",  "rem",   "mod",   "atan2",   "hypot",   "eq",    "ne",
                                                      "lt",   "le",    "gt",    "ge",      "and",     "or",    "xor"};
    const std::string of = args[0].t.closure ? args[0].t.closure->name : args[0].t.text.value_or("");
    if (!elementwise.count(of) || em.program.unit->find(of)) em.refuse(pos, "'bsxfun' of this function");
    return call(em, of, {args[1], args[2]}, nargout, pos);
  }
  std::vector<Val> out;
  if (builtin(em, name, args, nargout, pos, out)) return out;
  const auto& library = em.program.unit->library;
  const Function* f = own || prelude_first(name) ? prelude(name) : nullptr;
  if (!f && library) f = library(name);
  if (!f && name.rfind("vr__", 0) != 0) f = prelude(name);
  if (f) return call_version(em, *f, std::move(args), nargout, pos);
  em.refuse(pos, "'" + name + "' is no variable, and no function that is compiled");
}

std::vector<Val> call_version(Emitter& em, const Function& f, std::vector<Val> args, int nargout, Pos pos) {
  const bool rest = !f.params.empty() && f.params.back().name == "varargin";
  if (args.size() > f.params.size() && !rest) em.refuse(pos, "'" + f.name + "' is called with too many arguments");
  if (nargout > static_cast<int>(f.outputs.size()))
    em.refuse(pos, "'" + f.name + "' has fewer results than are asked for");
  if (!f.outputs.empty() && f.outputs.back() == "varargout") em.refuse(pos, "varargout");
  std::vector<Type> types;
  for (Val& v : args) {
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
    if (v.t.has_storage()) v = em.numeric(v, pos);
    types.push_back(v.t);
  }
  Version& version = em.program.version(f, std::move(types), nargout);
  em.program.emit(version);
  for (const std::optional<Type>& t : version.results)
    if (!t) throw NotYet{};
  std::vector<E> passed;
  for (size_t k = 0; k < args.size(); ++k) {
    if (args[k].t.has_storage())
      passed.push_back(em.convert(args[k], version.args[k]));
    else if (args[k].t.closure)
      for (const auto& [name, v] : args[k].t.closure->captured)
        if (v.t.has_storage()) passed.push_back(v.e);
  }
  E call = em.f->call(version.name, passed);
  std::vector<E> targets;
  std::vector<Val> out;
  for (const std::optional<Type>& t : version.results) {
    if (!t->lost.empty()) em.refuse(pos, "a result of '" + f.name + "': " + t->lost);
    Val v{*t};
    if (t->has_storage()) {
      v.e = em.temp("result", storage(*t));
      targets.push_back(v.e);
    }
    out.push_back(std::move(v));
  }
  if (targets.empty())
    em.f->expr(call);
  else
    em.f->assign(targets, call);
  return out;
}

std::vector<Val> call_closure(Emitter& em, const std::shared_ptr<const Closure>& c, std::vector<Val> args, int nargout,
                              Pos pos) {
  if (!c->node) {
    ++em.inlined;  // its name is one of where it was made
    std::vector<Val> out = call(em, c->name, std::move(args), nargout, pos);
    --em.inlined;
    return out;
  }
  const std::vector<std::string>& names = c->node->names;
  if (args.size() > names.size()) em.refuse(pos, "an anonymous function is called with too many arguments");
  if (em.inlined >= 30) em.refuse(pos, "anonymous functions that call each other more than 30 deep");
  Env inner;
  for (const auto& [name, v] : c->captured) {
    Var var;
    var.t = v.t;
    if (v.t.has_storage()) var.slot = v.e;
    inner[name] = std::move(var);
  }
  for (size_t k = 0; k < args.size(); ++k) {
    Var var;
    if (!args[k].t.lost.empty()) em.refuse(pos, args[k].t.lost);
    var.t = args[k].t;
    if (var.t.has_storage()) {
      E e = em.elem(args[k], var.t.cls, var.t.complex);
      var.slot = em.named({var.t, e}, "argument");
      if (args[k].whole() && args[k].e.id() >= 0) var.counter = args[k].e;
    }
    inner[names[k]] = std::move(var);
  }
  std::swap(em.env, inner);
  std::vector<EndOf> ends;
  std::swap(em.ends, ends);
  ++em.inlined;
  auto back = [&] {
    --em.inlined;
    std::swap(em.ends, ends);
    std::swap(em.env, inner);
  };
  std::vector<Val> out;
  try {
    out = several(em, *c->node->args[0], nargout);
  } catch (...) {
    back();
    throw;
  }
  back();
  return out;
}

namespace {
void names_in(const Expr& e, std::set<std::string>& names) {
  if (e.kind == ExprKind::Name) names.insert(e.text);
  for (const ExprPtr& a : e.args)
    if (a) names_in(*a, names);
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row) names_in(*a, names);
}
}  // namespace

// A handle keeps the values that its variables have now.
Val lambda(Emitter& em, const Expr& e) {
  auto c = std::make_shared<Closure>();
  c->depth = em.loops.size();
  if (e.kind == ExprKind::Handle) {
    c->name = e.text;
  } else {
    c->node = &e;
    std::set<std::string> names;
    names_in(*e.args[0], names);
    for (const std::string& p : e.names) names.erase(p);
    for (const std::string& name : names) {
      if (!em.is_variable(name)) continue;
      Val v = em.read(name, e.pos);
      if (v.t.has_storage()) {
        E now = em.elem(v, v.t.cls, v.t.complex);
        v.t.number.reset();
        E kept = em.temp((name + "_captured").c_str(), now.type());
        em.f->assign(kept, now);
        v.e = kept;
      }
      c->captured[name] = v;
    }
  }
  Type t = Type::scalar(Cls::Handle);
  t.closure = c;
  return {t};
}

}  // namespace vr::matlab
