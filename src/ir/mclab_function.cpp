// The mclab dialect: a function's passes, node building and conversions (see mclab.hpp).
#include "ir/mclab.hpp"
#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vr::ir::mclab {

void Signatures::set(const std::string& name, const Type& type) {
  auto g = std::make_shared<Function>();
  g->name = name;
  g->type = type;
  remove(name);
  names.functions->emplace(g->name, g.get());
  module.functions.push_back(std::move(g));
}
void Signatures::remove(const std::string& name) {
  if (!names.functions->erase(name)) return;  // before its owner goes: the key is a view of the function's name
  auto& list = module.functions;
  list.erase(std::find_if(list.begin(), list.end(), [&](const FunctionPtr& f) { return f->name == name; }));
}
const Type* Signatures::find(const std::string& name) const {
  auto it = names.functions->find(name);
  return it == names.functions->end() ? nullptr : &it->second->type;
}

Translator::Translator(const Module& source, const Function& f, const Signatures& signatures)
    : source_(source), f_(f), types_(f.symbols), args_(f.args) {
  scope_.conventions = Conventions::matlab();
  scope_.module = &signatures.module;
  names_.functions = signatures.names.functions;
  names_.set_function(f);
  scope_.names = &names_;
  out_types_ = f.type.outputs();
}

void Translator::refuse(TextPos pos, std::string rule, std::string message, std::string hint) const {
  Diagnostic d;
  d.place = {source_.file, pos.line, pos.column};
  d.path = "function " + f_.name;
  d.rule = std::move(rule);
  d.message = std::move(message);
  d.hint = std::move(hint);
  throw Refused{std::move(d)};
}

void Translator::remark(TextPos pos, std::string rule, std::string message) {
  Diagnostic d;
  d.severity = Severity::Remark;
  d.place = {source_.file, pos.line, pos.column};
  d.path = "function " + f_.name;
  d.rule = std::move(rule);
  d.message = std::move(message);
  remarks_.push_back(std::move(d));
}

const Symbol& Translator::symbol(SymbolId id, TextPos pos) const {
  const Symbol* s = out_->symbols.find(id);
  if (!s) refuse(pos, "unknown-id", fmt::format("there is no variable with id {}", id));
  return *s;
}

// The result variables: what the return statements name; when none does, the client's numbering tells: it numbers the
// parameters first and the results directly after them.
void Translator::find_outputs() {
  const size_t n = out_types_.size();
  if (n == 0) return;
  walk_stmts(f_.body, [&](const Stmt& s) {
    const auto* r = s.kind == Kind::Return ? static_cast<const Return*>(&s) : nullptr;
    if (!r || r->exprs.size() != n || !outputs_.empty()) return;
    std::vector<SymbolId> ids;
    for (const ExprPtr& e : r->exprs)
      if (const auto* name = as<Name>(e)) ids.push_back(name->id);
    if (ids.size() == n) outputs_ = ids;
  });
  if (!outputs_.empty()) return;
  for (size_t k = 0; k < n; ++k) {
    const Symbol* s = f_.symbols.find(static_cast<SymbolId>(f_.args.size() + k));
    if (!s || !(s->type == out_types_[k])) {
      outputs_.clear();
      return;
    }
    outputs_.push_back(s->id);
  }
}

namespace {

// Which class holds both, as MATLAB variables go; int64 stands for an integral double.
Elem join(Elem variable, Elem value) {
  if (variable == value || value == Elem::Bool) return variable;
  if (variable == Elem::Bool) return value;
  if (variable == Elem::Int32 && value == Elem::Int64) return Elem::Int32;
  if (variable == Elem::Float32 && value != Elem::Float64) return Elem::Float32;
  return Elem::Float64;
}

const Expr* constant_of(const ExprPtr& e) {
  if (const auto* n = as<Negate>(e)) return constant_of(n->operand);
  return e->kind == Kind::IntConst || e->kind == Kind::FloatConst ? e.get() : nullptr;
}

bool integral_constant(const ExprPtr& e) {
  const Expr* c = constant_of(e);
  if (!c) return false;
  if (c->kind == Kind::IntConst) return true;
  double v = static_cast<const FloatConst&>(*c).value;
  return v == std::floor(v) && std::abs(v) < 1e15;
}

}  // namespace

void Translator::widen(SymbolId id, const Type& type, TextPos pos) {
  const Type& was = types_.at(id).type;
  if (was == type) return;
  Diagnostic d;
  d.severity = Severity::Remark;
  d.place = {source_.file, pos.line, pos.column};
  d.path = "function " + f_.name;
  d.rule = "widened";
  d.message =
      fmt::format("variable '{}' is stated as {}, but must hold {}", types_.at(id).name, was.text(), type.text());
  if (seen_.insert(d.message).second) widenings_.push_back(std::move(d));
  types_.set_type(id, type);
  widened_ = true;
}

FunctionPtr Translator::run() {
  if (!f_.type.is_function()) refuse(f_.pos, "function-type", fmt::format("'{}' has no function type", f_.name));
  if (deeper_than(f_.body, max_tree_depth))
    refuse(f_.pos, "too-deep", fmt::format("'{}' is nested deeper than {}", f_.name, max_tree_depth));
  if (f_.args.size() != f_.type.components().size())
    refuse(f_.pos, "arg-count",
           fmt::format("'{}' has {} parameter types and {} arguments", f_.name, f_.type.components().size(),
                       f_.args.size()));
  for (SymbolId id : f_.args)
    if (!f_.symbols.find(id))
      refuse(f_.pos, "unknown-id", fmt::format("argument {} of '{}' is not in the symbol table", id, f_.name));
  for (const Symbol& s : f_.symbols.all())
    if (s.type.is_null()) refuse(f_.pos, "no-type", fmt::format("the client could not type variable '{}'", s.name));
  for (const std::vector<Type>* list : {&f_.type.components(), &f_.type.outputs()})
    for (const Type& t : *list)
      if (t.is_null())
        refuse(f_.pos, "no-type", fmt::format("the client could not type the signature of '{}'", f_.name));
  find_outputs();
  // Each pass can only widen; a variable has few wider types, so this ends. The bound is for our own mistakes.
  for (size_t round = 0; round < 8 + 12 * types_.all().size(); ++round) {
    widened_ = false;
    remarks_.clear();
    FunctionPtr done;
    try {
      done = pass();
    } catch (const Refused&) {
      if (!widened_) throw;  // else the next pass has other types
    }
    if (widened_) continue;
    remarks_.insert(remarks_.begin(), widenings_.begin(), widenings_.end());
    return done;
  }
  refuse(f_.pos, "internal", fmt::format("the types of '{}' do not settle", f_.name));
}

FunctionPtr Translator::pass() {
  out_ = std::make_shared<Function>();
  out_->name = f_.name;
  out_->args = args_;
  out_->symbols = types_;
  out_->pos = f_.pos;
  out_->loc = f_.loc;
  scope_.function = out_.get();
  // The result's types are those of their variables.
  out_types_ = f_.type.outputs();
  for (size_t k = 0; k < outputs_.size(); ++k)
    if (const Symbol* s = types_.find(outputs_[k]); s && s->type.is_numeric()) out_types_[k] = s->type;
  out_->type = Type::function(f_.type.components(), out_types_);
  Body result;
  current_ = &result;
  protect_arguments();
  for (StmtPtr& s : body(f_.body)) result.push_back(std::move(s));
  current_ = &result;
  if (!out_types_.empty() && falls_through(result)) {
    Return r({});
    r.pos = f_.pos;
    returns(r);
    remark(f_.pos, "missing-return",
           fmt::format("'{}' ends without 'returnstmt': its results are returned as they stand", f_.name));
  }
  out_->body = std::move(result);
  return out_;
}

// An argument keeps its declared type for the callers; a widened one becomes a local that starts with the argument.
void Translator::protect_arguments() {
  const auto& params = f_.type.components();
  for (size_t k = 0; k < args_.size(); ++k) {
    const SymbolId id = args_[k];
    const Symbol& local = out_->symbols.at(id);
    if (local.type == params[k]) continue;
    if (!local.type.is_numeric() || !params[k].is_numeric())
      refuse(f_.pos, "arg-type",
             fmt::format("argument '{}' is {} in the symbol table and {} in the function's type", local.name,
                         local.type.text(), params[k].text()));
    const Type wide = local.type;
    const std::string name = local.name;
    SymbolId fresh = out_->symbols.fresh(name + "_arg", params[k]);
    out_->args[k] = fresh;
    emit_assign(f_.pos, variable(id, f_.pos), fit(variable(fresh, f_.pos), wide));
  }
}

// ---------------------------------------------------------------- building

ExprPtr Translator::finish(std::shared_ptr<Expr> n, TextPos pos) {
  n->pos = pos;
  Typing t = natural_type(*n, scope_);
  if (!t.ok()) refuse(pos, t.rule, t.error, t.hint);
  n->type = t.type;
  return n;
}

ExprPtr Translator::lib(TextPos pos, const char* func, std::vector<ExprPtr> args) {
  return make<LibCall>(pos, std::string(func), std::move(args));
}
ExprPtr Translator::variable(SymbolId id, TextPos pos) {
  symbol(id, pos);
  return make<Name>(pos, id);
}
ExprPtr Translator::integer(int64_t v, TextPos pos) { return make_as<IntConst>(Type::scalar(Elem::Int64), pos, v); }
ExprPtr Translator::number(double v, TextPos pos) { return make_as<FloatConst>(Type::scalar(Elem::Float64), pos, v); }

SymbolId Translator::temporary(const char* name, Type type) { return out_->symbols.fresh(name, std::move(type)); }

void Translator::emit_assign(TextPos pos, ExprPtr target, ExprPtr value) {
  auto a = std::make_shared<Assign>(std::vector<ExprPtr>{std::move(target)}, std::move(value));
  a->pos = pos;
  current_->push_back(std::move(a));
}

ExprPtr Translator::named(const ExprPtr& e, const char* name) {
  if (e->kind == Kind::Name) return e;
  ExprPtr t = variable(temporary(name, e->type), e->pos);
  emit_assign(e->pos, t, e);
  return t;
}

// ---------------------------------------------------------------- conversions

ExprPtr Translator::to_elem(const ExprPtr& e, Elem elem, bool complex) {
  if (!e->type.is_numeric() || (e->type.elem == elem && e->type.complex == complex)) return e;
  if (e->type.is_scalar() && !complex) {
    if (const auto* c = as<IntConst>(e)) {
      if (elem == Elem::Bool) return make_as<IntConst>(Type::scalar(elem), e->pos, int64_t{c->value != 0});
      if (is_float(elem)) return make_as<FloatConst>(Type::scalar(elem), e->pos, static_cast<double>(c->value));
      if (elem == Elem::Int64 || c->value == static_cast<int32_t>(c->value))
        return make_as<IntConst>(Type::scalar(elem), e->pos, c->value);
    }
    if (const auto* c = as<FloatConst>(e)) {
      if (is_float(elem)) return make_as<FloatConst>(Type::scalar(elem), e->pos, c->value);
      if (elem != Elem::Bool && c->value == std::floor(c->value) && std::abs(c->value) < 2e9)
        return make_as<IntConst>(Type::scalar(elem), e->pos, static_cast<int64_t>(c->value));
    }
    if (const auto* n = as<Negate>(e); n && constant_of(e) && elem != Elem::Bool)
      return make<Negate>(e->pos, to_elem(n->operand, elem, false));
  }
  Type t = e->type;
  t.elem = elem;
  t.complex = complex;
  if (const auto* a = as<Alloc>(e)) return make_as<Alloc>(t, e->pos, a->func, a->args);
  return make_as<Cast>(t, e->pos, e);
}

ExprPtr Translator::to_float(const ExprPtr& e) {
  return is_float(e->type.elem) ? e : to_elem(e, Elem::Float64, e->type.complex);
}

ExprPtr Translator::to_int32(const ExprPtr& e) {
  if (e->type.elem == Elem::Int32) return e;
  if (!is_float(e->type.elem) || integral_constant(e)) return to_elem(e, Elem::Int32, false);
  return to_elem(lib(e->pos, "round", {e}), Elem::Int32, false);
}

ExprPtr Translator::to_scalar(const ExprPtr& e) {
  if (!e->type.is_array()) return e;
  // scalar(reshape(s, 1, 1)) is s again.
  if (const auto* c = as<LibCall>(e); c && c->func == "reshape" && c->args[0]->type.is_scalar()) return c->args[0];
  return lib(e->pos, "scalar", {e});
}

ExprPtr Translator::to_array(const ExprPtr& e, int rank) {
  if (!e->type.is_numeric()) return e;
  if (e->type.is_array() && e->type.rank == rank) return e;
  if (e->type.is_scalar()) {
    std::vector<ExprPtr> args{e};
    for (int k = 0; k < rank; ++k) args.push_back(integer(1, e->pos));
    return lib(e->pos, "reshape", std::move(args));
  }
  if (e->type.rank > rank)
    refuse(e->pos, "rank", fmt::format("a value of rank {} where rank {} is stated", e->type.rank, rank));
  ExprPtr whole = named(e, "wide_temp");
  std::vector<ExprPtr> args{whole};
  for (int k = 1; k <= rank; ++k)
    args.push_back(k <= whole->type.rank ? make<Dim>(e->pos, static_cast<const Name&>(*whole).id, k)
                                         : integer(1, e->pos));
  return lib(e->pos, "reshape", std::move(args));
}

ExprPtr Translator::fit(const ExprPtr& e, const Type& place) {
  if (!e->type.is_numeric() || !place.is_numeric()) {
    if (!converts(e->type, place))
      refuse(e->pos, "type-mismatch", fmt::format("{} where {} is needed", e->type.text(), place.text()));
    return e;
  }
  ExprPtr v = place.is_scalar() ? to_scalar(e) : to_array(e, place.rank);
  if (v->type.complex && !place.complex)
    refuse(e->pos, "type-mismatch", fmt::format("{} where {} is needed", e->type.text(), place.text()));
  return place.elem == Elem::Int32 && !place.complex ? to_int32(v) : to_elem(v, place.elem, place.complex);
}

ExprPtr Translator::fit_variable(const ExprPtr& e, SymbolId id, TextPos pos) {
  Type t = symbol(id, pos).type;
  if (!e->type.is_numeric() || !t.is_numeric()) return fit(e, t);
  Type wide = t;
  wide.complex = t.complex || e->type.complex;
  wide.elem = integral_constant(e) && t.elem != Elem::Bool ? t.elem : join(t.elem, e->type.elem);
  if (constant_of(e) && t.elem == Elem::Float32) wide.elem = t.elem;
  if (t.is_array() && e->type.is_array() && e->type.rank > t.rank) wide.rank = e->type.rank;
  if (types_.find(id) && !(wide == t)) {
    widen(id, wide, pos);
    out_->symbols.set_type(id, wide);  // so that this pass goes on with fitting types
  }
  return fit(e, wide);
}

ExprPtr Translator::condition(const ExprPtr& e) {
  if (!e->type.is_numeric()) refuse(e->pos, "condition-type", fmt::format("the condition is {}", e->type.text()));
  ExprPtr c = e->type.complex ? make<Neq>(e->pos, e, number(0, e->pos)) : e;
  const int rank = c->type.is_array() ? c->type.rank : 0;
  if (rank == 0) return to_scalar(c);
  // True where no element is zero, and there is one: the mean of the truths is 1, and of nothing NaN. (`all` of nothing is
  // true, and the expression is not to be evaluated twice.)
  c = make<Neq>(e->pos, c, number(0, e->pos));
  for (int k = 0; k < rank; ++k) c = lib(e->pos, "mean", {c});
  return make<Eq>(e->pos, to_scalar(c), number(1, e->pos));
}

}  // namespace vr::ir::mclab
