#include "ir/mclab_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  if (!names.functions->erase(name)) return;  // destroyed before its owner: the key is a view of the function's name
  auto& list = module.functions;
  list.erase(std::find_if(list.begin(), list.end(), [&](const FunctionPtr& f) { return f->name == name; }));
}
const Type* Signatures::find(const std::string& name) const {
  auto it = names.functions->find(name);
  return it == names.functions->end() ? nullptr : &it->second->type;
}

Builder::Builder(const Module& source, const Function& f, const Signatures& signatures) : source_(source), f_(f) {
  scope_.conventions = Conventions::matlab();
  scope_.module = &signatures.module;
  names_.functions = signatures.names.functions;
  names_.set_function(f);
  scope_.names = &names_;
}

void Builder::begin(const Type& type, const SymbolTable& variables) {
  remarks_.clear();
  function_ = std::make_shared<Function>();
  function_->name = f_.name;
  function_->type = type;
  function_->args = f_.args;
  function_->symbols = variables;
  function_->pos = f_.pos;
  function_->loc = f_.loc;
  scope_.function = function_.get();
}

// ---------------------------------------------------------------- errors and remarks

Diagnostic Builder::diagnostic(TextPos pos, std::string rule, std::string message) const {
  Diagnostic d;
  d.place = {source_.file, pos.line, pos.column};
  d.path = "function " + f_.name;
  d.rule = std::move(rule);
  d.message = std::move(message);
  return d;
}

void Builder::refuse(TextPos pos, std::string rule, std::string message, std::string hint) const {
  Diagnostic d = diagnostic(pos, std::move(rule), std::move(message));
  d.hint = std::move(hint);
  throw Refused{std::move(d)};
}

void Builder::remark(TextPos pos, std::string rule, std::string message) {
  Diagnostic d = diagnostic(pos, std::move(rule), std::move(message));
  d.severity = Severity::Remark;
  remarks_.push_back(std::move(d));
}

// ---------------------------------------------------------------- variables

const Symbol& Builder::symbol(SymbolId id, TextPos pos) const {
  const Symbol* s = function_->symbols.find(id);
  if (!s) refuse(pos, "unknown-id", fmt::format("there is no variable with id {}", id));
  return *s;
}

ExprPtr Builder::named(const ExprPtr& e, const char* name) {
  if (e->kind == Kind::Name) return e;
  ExprPtr t = variable(temporary(name, e->type), e->pos);
  emit_assign(e->pos, t, e);
  return t;
}

// ---------------------------------------------------------------- nodes

ExprPtr Builder::finish(std::shared_ptr<Expr> n, TextPos pos) {
  n->pos = pos;
  Typing t = natural_type(*n, scope_);
  if (!t.ok()) refuse(pos, t.rule, t.error, t.hint);
  n->type = t.type;
  return n;
}

ExprPtr Builder::lib(TextPos pos, const char* func, std::vector<ExprPtr> args) {
  return make<LibCall>(pos, std::string(func), std::move(args));
}
ExprPtr Builder::variable(SymbolId id, TextPos pos) {
  symbol(id, pos);
  return make<Name>(pos, id);
}
ExprPtr Builder::integer(int64_t v, TextPos pos) { return make_as<IntConst>(Type::scalar(Elem::Int64), pos, v); }
ExprPtr Builder::number(double v, TextPos pos) { return make_as<FloatConst>(Type::scalar(Elem::Float64), pos, v); }

// ---------------------------------------------------------------- statements

void Builder::emit_assign(TextPos pos, ExprPtr target, ExprPtr value) {
  emit_assign(pos, std::vector<ExprPtr>{std::move(target)}, std::move(value));
}

void Builder::emit_assign(TextPos pos, std::vector<ExprPtr> targets, ExprPtr value) {
  auto a = std::make_shared<Assign>(std::move(targets), std::move(value));
  a->pos = pos;
  current_->push_back(std::move(a));
}

}  // namespace vr::ir::mclab
