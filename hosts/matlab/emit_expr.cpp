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
      return {Type::string(e.text, e.double_quoted ? Quotes::Double : Quotes::Single)};
    case ExprKind::Colon:
      return {Type::string(":")};
    case ExprKind::End:
      return end_value(em, e.pos);
    case ExprKind::Unary:
      if (e.op == Op::Increment || e.op == Op::Decrement) em.refuse(e.pos, "++ or -- within an expression");
      {
        const Val a = expr(em, e.args[0]);
        Val r = unary(em, e.op, a, e.pos);
        if (!r.t.is_scalar()) r.t.special = a.t.special;
        return r;
      }
    case ExprKind::Postfix: {
      if (e.op == Op::Increment || e.op == Op::Decrement) em.refuse(e.pos, "++ or -- within an expression");
      const Val a = expr(em, e.args[0]);
      Val r = transpose(em, a, e.op == Op::Ctranspose, e.pos);
      if (!r.t.is_scalar()) r.t.special = a.t.special;
      return r;
    }
    case ExprKind::Binary: {
      const Val a = expr(em, e.args[0]);
      if (e.op == Op::AndAnd || e.op == Op::OrOr) return short_circuit(em, e, a);
      const Val b = expr(em, e.args[1]);
      Val r = binary(em, e.op, a, b, e.pos);
      if (!r.t.is_scalar()) r.t.special = a.t.special | b.t.special;
      return r;
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
      if (v.size() > 1 && e.kind == ExprKind::Brace) em.refuse(e.pos, "several values where one should be");
      return v[0];
    }
    case ExprKind::Cell:
      return cell_value(em, e);
    case ExprKind::Field:
      return field_value(em, e);
    case ExprKind::Assign: {
      if (e.args[0]->kind != ExprKind::Name) em.refuse(e.pos, "an assignment to elements within an expression");
      Val v = expr(em, e.args[1]);
      em.set(e.args[0]->text, v);
      return em.read(e.args[0]->text, e.pos);
    }
  }
  em.refuse(e.pos, "an unknown expression");
}

// A condition of if or while. In a condition, | and & with a scalar on the left short-circuit like || and &&.
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

// The code of the right operand runs only if the left operand does not decide.
Val short_circuit(Emitter& em, const Expr& e, const Val& left) {
  const bool is_and = e.op == Op::AndAnd || e.op == Op::And;
  const bool empty_faults = e.op == Op::AndAnd || e.op == Op::OrOr;
  auto test = [&](Emitter& m, const Expr& x) { return empty_faults ? expr(m, x) : matlab::test(m, x); };
  if (assigns(*e.args[1])) em.refuse(e.pos, "an assignment on the right side of && or ||");
  const bool strict = empty_faults && !em.program.signature.octave;  // Octave takes what is empty for false
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
  } catch (...) {
    em.conditional = conditional - 1;
    throw;
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

// The start, step or end of a range: a number that is not logical.
Val range_part(Emitter& em, const ExprPtr& e) {
  const Val v = expr(em, e);
  if (v.t.mixed || v.t.cls == Cls::Logical || v.t.cls == Cls::Char)
    em.refuse(e->pos, "a range of logical values or text");
  return em.scalar_number(v, e->pos, "a part of a range");
}

// Octave counts an element whose distance from the limit is a rounding error of the bounds; the count here allows for
// one of the quotient alone.
void clear_count(Emitter& em, const std::vector<E>& bounds, Cls cls) {
  auto number = [&](double x) { return em.f->float_const(x, bounds[0].type()); };
  auto size = [&](const E& x) { return em.lib("abs", {x}); };
  const double eps = cls == Cls::Single ? 0x1p-23 : 0x1p-52;
  const E start = bounds[0], stop = bounds.back(), step = bounds.size() == 3 ? bounds[1] : number(1);
  const E steps = em.named({Type::scalar(cls), (stop - start) / step}, "steps");
  const E off = em.named({Type::scalar(cls), size(steps - em.lib("floor", {steps + number(0.5)}))}, "off");
  const E apart = off * size(step);
  const E close =
      em.f->binary(ir::Kind::Or, apart < size(start) * number(4 * eps), apart < size(stop) * number(4 * eps));
  const E more = off > (size(steps) + number(2)) * number(2 * eps);
  em.guard(em.f->binary(ir::Kind::And, more, close), "a range whose last element is a rounding error away");
}

// The same for the limit of a range of whole numbers.
void clear_bound(Emitter& em, const E& limit) {
  const E off = em.lib("abs", {limit - em.lib("floor", {limit + E(0.5)})});
  const E close = off < (em.lib("abs", {limit}) + E(1.0)) * E(1e-9);
  em.guard(em.f->binary(ir::Kind::And, limit != em.lib("floor", {limit}), close),
           "a range whose last element is a rounding error away");
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
  if (!std::all_of(parts.begin(), parts.end(),
                   [](const Val& v) { return v.whole() || (v.t.number && *v.t.number == std::floor(*v.t.number)); }))
    clear_count(em, args, cls);
  int64_t n = kAny;
  const auto &first = parts[0].t.number, &last = parts.back().t.number;
  const std::optional<double> step = parts.size() == 3 ? parts[1].t.number : std::optional<double>(1);
  if (first && last && step && *step != 0 && *first == std::floor(*first) && *step == std::floor(*step) &&
      std::abs(*last - *first) < 1e9)
    n = std::max<int64_t>(0, static_cast<int64_t>(std::floor((*last - *first) / *step)) + 1);
  // 1 x 1 stays an array here: its reader may need one.
  Type t = Type::array(cls, {1, n});
  t.special = cls == Cls::Double ? kRangeForm : 0;
  return em.value(t, em.f->lib("colon", args));
}

Val matrix(Emitter& em, const Expr& e) {
  std::vector<std::vector<Val>> rows;
  bool text = e.rows.size() == 1, characters = false;
  Quotes quotes = Quotes::Double;  // single ones, unless all are double
  std::string joined;
  for (const auto& row : e.rows) {
    std::vector<Val> parts;
    for (const ExprPtr& x : row) {
      if (const std::optional<Val> all = joined_elements(em, *x))
        parts.push_back(*all);
      else if (x->kind == ExprKind::Brace)
        for (Val& each : several(em, *x, 1)) parts.push_back(std::move(each));
      else
        parts.push_back(expr(em, x));
    }
    if (e.rows.size() == 1 && std::any_of(parts.begin(), parts.end(), [](const Val& v) { return v.t.is_aggregate(); }))
      return join_aggregates(em, std::move(parts), e.pos);
    for (const Val& v : parts) {
      if (!v.t.lost.empty()) em.refuse(e.pos, v.t.lost);
      if (v.t.is_aggregate()) em.refuse(e.pos, aggregate_name(v.t) + " in a matrix");
      characters = characters || v.t.cls == Cls::Char;
      text = text && v.t.text;
      if (text) joined += *v.t.text;
      if (quotes != Quotes::Single && v.t.quotes != Quotes::Double) quotes = v.t.quotes;
    }
    rows.push_back(std::move(parts));
  }
  if (text && !rows[0].empty()) return {Type::string(joined, quotes)};
  if (characters) {
    // Joined as bytes. What numbers in between become depends on their values.
    for (std::vector<Val>& row : rows)
      for (Val& v : row) {
        const bool nothing = v.t.cls == Cls::Double && v.t.ext == std::vector<int64_t>{0, 0};
        if (v.t.cls != Cls::Char && !nothing) em.refuse(e.pos, "numbers and text in one matrix", "use char()");
        v = nothing ? chars(em, {Type::string("")}, e.pos) : chars(em, v, e.pos);
        v.t.cls = Cls::Uint8;
      }
  }
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
  Val all = join_arrays(em, false, std::move(joined_rows), e.pos);
  if (characters) all.t.cls = Cls::Char;
  return all;
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

// x(c{:}) has a subscript for each element: they get names that no program can have.
ExprPtr listed_subscripts(Emitter& em, const ExprPtr& e) {
  auto several_of = [](const ExprPtr& x) {
    return x->kind == ExprKind::Brace && std::any_of(x->args.begin() + 1, x->args.end(), [](const ExprPtr& s) {
             return s->kind == ExprKind::Colon || s->kind == ExprKind::Range || s->kind == ExprKind::Matrix;
           });
  };
  if (std::none_of(e->args.begin() + 1, e->args.end(), several_of)) return e;
  auto listed = std::make_shared<Expr>(*e);
  listed->args.resize(1);
  for (size_t k = 1; k < e->args.size(); ++k) {
    if (!several_of(e->args[k])) {
      listed->args.push_back(e->args[k]);
      continue;
    }
    for (const Val& v : several(em, *e->args[k], 1)) {
      auto name = std::make_shared<Expr>();
      name->kind = ExprKind::Name;
      name->pos = e->args[k]->pos;
      name->text = "#" + std::to_string(em.ends.size()) + "_" + std::to_string(listed->args.size());
      em.set(name->text, v);
      listed->args.push_back(std::move(name));
    }
  }
  if (listed->args.size() == 1) em.refuse(e->pos, "no subscripts");
  return listed;
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

// The values of an expression that may have several: a call, or c{...}.
std::vector<Val> several(Emitter& em, const Expr& e, int nargout) {
  if (e.kind == ExprKind::Name) {
    if (em.is_variable(e.text)) {
      return {em.read(e.text, e.pos)};
    }
    return call(em, e.text, {}, nargout, e.pos);
  }
  if (e.kind == ExprKind::Brace) {
    return cell_elements(em, e);
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
    if (base.text == "isargout") {
      // Which results the caller ignores by ~ is not known; a single result it takes.
      const Val k = e.args.size() == 2 ? expr(em, e.args[1]) : Val{};
      const int wanted = std::max(em.version.nargout, 1);
      if (!k.t.number || (wanted > 1 && *k.t.number <= wanted)) em.refuse(e.pos, "isargout");
      return {em.truth(*k.t.number == 1)};
    }
    return call(em, base.text, arguments(em, e, 1), nargout, e.pos);
  }
  Val v = base.kind == ExprKind::Name ? em.read(base.text, base.pos) : expr(em, base);
  if (v.t.is_aggregate()) return {sub_aggregate(em, v, e)};
  if (v.t.closure) return call_closure(em, v.t.closure, arguments(em, e, 1), nargout, e.pos);
  const ExprPtr listed = listed_subscripts(em, std::make_shared<Expr>(e));
  return {index(em, v, std::vector<ExprPtr>(listed->args.begin() + 1, listed->args.end()), e.pos)};
}

namespace {
/// Whether the body of an anonymous function works element by element, so that it broadcasts its arguments as bsxfun
/// does. Variables that it has captured have to be numbers.
bool elementwise_body(const Expr& e, const Closure& c, const Unit& unit) {
  static const std::set<std::string> functions = {
      "abs", "exp", "sqrt", "log", "sin",   "cos",   "tan",  "floor", "ceil",  "round",   "fix",   "sign",
      "max", "min", "mod",  "rem", "hypot", "atan2", "plus", "minus", "times", "rdivide", "power", "double"};
  auto all = [&](size_t from) {
    return std::all_of(e.args.begin() + static_cast<std::ptrdiff_t>(from), e.args.end(),
                       [&](const ExprPtr& a) { return a && elementwise_body(*a, c, unit); });
  };
  switch (e.kind) {
    case ExprKind::Number:
      return true;
    case ExprKind::Name: {
      const auto it = c.captured.find(e.text);
      if (it != c.captured.end()) return it->second.t.is_scalar() && it->second.t.has_storage();
      return std::count(c.node->names.begin(), c.node->names.end(), e.text) > 0 || e.text == "pi" || e.text == "eps";
    }
    case ExprKind::Unary:
      return (e.op == Op::Not || e.op == Op::Uminus || e.op == Op::Uplus) && all(0);
    case ExprKind::Binary: {
      const bool matrices = e.op == Op::Mtimes || e.op == Op::Mrdivide || e.op == Op::Mpower;
      if (matrices && e.args[1]->kind != ExprKind::Number &&
          (e.op != Op::Mtimes || e.args[0]->kind != ExprKind::Number))
        return false;
      return e.op != Op::Mldivide && e.op != Op::AndAnd && e.op != Op::OrOr && e.op != Op::Mpower && all(0);
    }
    case ExprKind::Index:
      return e.args[0]->kind == ExprKind::Name && functions.count(e.args[0]->text) && !unit.find(e.args[0]->text) &&
             !c.captured.count(e.args[0]->text) && all(1) &&
             e.args.size() == (e.args[0]->text == "max" || e.args[0]->text == "min" ? 3 : e.args.size()) &&
             e.args.size() > 1;
    default:
      return false;
  }
}

std::vector<Val> call_named(Emitter& em, const std::string& name, std::vector<Val> args, int nargout, Pos pos) {
  em.program.called.insert(name);
  // A builtin that is written in the language means builtins by its names.
  const bool own = em.version.function->prelude && em.inlined == 0;
  if (const Function* f = own ? nullptr : em.program.unit->find(name))
    return call_version(em, *f, std::move(args), nargout, pos);
  if (name == "nargin" && args.empty()) return {em.number(static_cast<double>(em.version.args.size()))};
  if (name == "narginchk" && args.size() == 2) {
    const auto n = static_cast<double>(em.version.args.size());
    if (!args[0].t.number || !args[1].t.number) em.refuse(pos, "'narginchk' with numbers that are not known");
    if (n < *args[0].t.number || n > *args[1].t.number) em.bail("narginchk() fails");
    return {};
  }
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
    const std::shared_ptr<const Closure> closure = args[0].t.closure;
    if (closure && closure->node && closure->node->names.size() == 2 &&
        elementwise_body(*closure->node->args[0], *closure, *em.program.unit))
      return call_closure(em, closure, {args[1], args[2]}, nargout, pos);
    const std::string of = closure ? closure->name : args[0].t.text.value_or("");
    if (!elementwise.count(of) || em.program.unit->find(of)) em.refuse(pos, "'bsxfun' of this function");
    return call(em, of, {args[1], args[2]}, nargout, pos);
  }
  if (!own && name == "accumarray" && args.size() == 4 && args[3].t.closure && !args[3].t.closure->node && nargout <= 1)
    if (const std::string& of = args[3].t.closure->name; of == "max" || of == "min") {
      args.push_back(em.truth(of == "max"));
      return call_version(em, *prelude("vr__extremes_of_groups"), std::move(args), 1, pos);
    }
  std::vector<Val> out;
  if (options(em, name, args, nargout, pos, out)) return out;
  if (name == "assert" && assertion(em, args, pos)) return {};
  if (builtin(em, name, args, nargout, pos, out)) return out;
  if (!own && solver(em, name, args, nargout, pos, out)) return out;
  const auto& library = em.program.unit->library;
  const Function* f = own || prelude_first(name) ? prelude(name) : nullptr;
  if (f && !own && library && args.size() > f->params.size())  // only the library takes that many
    if (const Function* more = library(name)) f = more;
  if (!f && library) f = library(name);
  if (!f && name.rfind("vr__", 0) != 0) f = prelude(name);
  if (f) return call_version(em, *f, std::move(args), nargout, pos);
  em.refuse(pos, "'" + name + "' is no variable, and no function that is compiled");
}

}  // namespace

std::vector<Val> call(Emitter& em, const std::string& name, std::vector<Val> args, int nargout, Pos pos) {
  static const std::set<std::string> makers = {"eye", "diag", "svd", "eig", "lu", "qr", "balance"};
  uint8_t special = name == "colon" ? kRangeForm : makers.count(name) ? kMatrixForm : 0;
  for (const Val& v : args) special |= v.t.special;
  std::vector<Val> out = call_named(em, name, std::move(args), nargout, pos);
  for (Val& v : out)
    if (v.t.has_storage() && !v.t.is_scalar()) v.t.special |= special;
  return out;
}

namespace {
/// The arguments that are passed for a value: the value itself, its parts, and the captured variables of handles.
void pass(Emitter& em, const Val& v, const Type& to, std::vector<E>& passed) {
  if (v.t.has_storage()) passed.push_back(em.convert(v, to));
  if (v.t.closure)
    for (const auto& [name, held] : v.t.closure->captured) pass(em, held, to.closure->captured.at(name).t, passed);
  for (size_t k = 0; k < v.parts.size(); ++k) pass(em, v.parts[k], to.parts[k], passed);
}
Val result_of(Emitter& em, const Type& t, std::vector<E>& targets) {
  Val v{t};
  if (t.has_storage()) {
    v.e = em.temp("result", storage(t));
    targets.push_back(v.e);
  }
  for (const Type& p : t.parts) v.parts.push_back(result_of(em, p, targets));
  return v;
}
}  // namespace

std::vector<Val> call_version(Emitter& em, const Function& f, std::vector<Val> args, int nargout, Pos pos) {
  const bool rest = !f.params.empty() && f.params.back().name == "varargin";
  if (args.size() > f.params.size() && !rest) em.refuse(pos, "'" + f.name + "' is called with too many arguments");
  if (nargout > static_cast<int>(f.outputs.size()) && (f.outputs.empty() || f.outputs.back() != "varargout"))
    em.refuse(pos, "'" + f.name + "' has fewer results than the caller assigns");
  std::vector<Type> types;
  for (Val& v : args) {
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
    if (v.t.has_storage()) v = stored(em, v, pos);
    types.push_back(v.t);
  }
  Version& version = em.program.version(f, std::move(types), nargout);
  em.program.emit(version);
  for (const std::optional<Type>& t : version.results)
    if (!t) throw NotYet{};
  if (version.calls_host) {
    only_serial(em);
    if (!em.version.calls_host) em.program.changed_here();
    em.version.calls_host = true;
  }
  std::vector<E> passed;
  for (size_t k = 0; k < args.size(); ++k) pass(em, args[k], version.args[k], passed);
  E call = em.f->call(version.name, passed);
  std::vector<E> targets;
  std::vector<Val> out;
  for (const std::optional<Type>& t : version.results) {
    if (!t->lost.empty()) em.refuse(pos, "a result of '" + f.name + "': " + t->lost);
    out.push_back(result_of(em, *t, targets));
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
  for (const Val& v : args)
    if (!v.t.lost.empty()) em.refuse(pos, v.t.lost);
  Env inner;
  std::swap(em.env, inner);  // bind() below gives names of the anonymous function
  for (const auto& [name, v] : c->captured) bind_variable(em, name, v);
  for (size_t k = 0; k < args.size(); ++k) {
    Val v = args[k];
    if (v.t.has_storage()) v.e = em.named({v.t, em.elem(v, v.t.cls, v.t.complex)}, "argument");
    bind_variable(em, names[k], v);
    if (args[k].t.has_storage() && args[k].whole() && args[k].e.id() >= 0) em.env[names[k]].counter = args[k].e;
  }
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

namespace {
Val captured(Emitter& em, Val v, const std::string& name) {
  if (v.t.has_storage()) {
    E now = em.elem(v, v.t.cls, v.t.complex);
    v.t.number.reset();
    v.e = em.temp(name.c_str(), now.type());
    em.f->assign(v.e, now);
  }
  for (size_t k = 0; k < v.parts.size(); ++k) {
    v.parts[k] = captured(em, v.parts[k], name);
    v.t.parts[k] = v.parts[k].t;
  }
  return v;
}
}  // namespace

// A handle keeps the values that its variables have now.
Val lambda(Emitter& em, const Expr& e) {
  auto c = std::make_shared<Closure>();
  c->depth = em.loops.size();
  c->round = em.program.round;
  c->where = em.version.function;
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
      c->captured[name] = captured(em, v, name + "_captured");
    }
  }
  Type t = Type::scalar(Cls::Handle);
  t.closure = c;
  return {t};
}

}  // namespace vr::matlab
