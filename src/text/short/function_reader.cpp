#include "text/short/function_reader.hpp"

#include "text/short/first_uses.hpp"
#include "text/short/short_types.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace vr::text::brief {

using namespace ir;

Type FunctionReader::type() { return read_type(c_, fresh_layout(scope_.conventions())); }

// def NAME(ARGS) -> RESULTS @ LOC:   def NAME(#ID, ...) of TYPE:   extern NAME(TYPES) -> RESULTS parallel
void FunctionReader::header(Function& f) {
  f.pos = c_.token().pos;
  const bool external = c_.take().text == "extern";
  f.name = c_.name("the name of the function");
  if (external) {
    f.external = External{};
    if (c_.accept("of")) {
      f.type = type();
    } else {
      std::vector<Type> ins, outs;
      c_.expect("(", "before the types of the arguments");
      while (!c_.at(")")) {
        ins.push_back(type());
        if (!c_.accept(",")) break;
      }
      c_.expect(")", "after the types of the arguments");
      if (c_.accept("->")) outs = read_results(c_, fresh_layout(scope_.conventions()));
      f.type = Type::function(std::move(ins), std::move(outs));
    }
    f.external->parallel = c_.accept("parallel");
    f.loc = c_.location();
  } else {
    arguments(f);
    f.loc = end_of_header();
  }
  c_.expect(TokenKind::Newline, "the end of the line");
}

void FunctionReader::arguments(Function& f) {
  c_.expect("(", "before the arguments");
  const bool ids_only = c_.at("#");
  std::vector<Type> ins, outs;
  while (!c_.at(")")) {
    f.args.push_back(ids_only
                         ? (c_.expect("#", "before the id of an argument"), c_.small_integer("the id of an argument"))
                         : argument(ins));
    if (!c_.accept(",")) break;
  }
  c_.expect(")", "after the arguments");
  if (c_.accept("of")) {
    if (!ids_only && !f.args.empty())
      throw Fault{c_.last().pos, "'of TYPE' goes with arguments that are ids: '#0, #1'", ""};
    f.type = type();
    return;
  }
  if (ids_only) c_.unexpected("'of' and the type of the function");
  if (c_.accept("->")) outs = read_results(c_, fresh_layout(scope_.conventions()));
  f.type = Type::function(std::move(ins), std::move(outs));
}

// NAME: TYPE   NAME#ID: TYPE
SymbolId FunctionReader::argument(std::vector<Type>& types) {
  const TextPos pos = c_.token().pos;
  Symbol s;
  s.name = c_.name("an argument");
  s.id = c_.accept("#") ? c_.small_integer("the id of the argument") : scope_.next_id();
  c_.expect(":", "and the type of the argument");
  s.type = type();
  types.push_back(s.type);
  const SymbolId id = s.id;
  declare(std::move(s), pos);
  return id;
}

void FunctionReader::declare(Symbol s, TextPos pos) {
  const SymbolId id = s.id;
  if (scope_.symbols().all().size() >= c_.options().max_symbols)
    throw Fault{pos, fmt::format("the function has more than {} symbols", c_.options().max_symbols), ""};
  if (!scope_.declare(std::move(s)))
    throw Fault{pos, fmt::format("variable {} is declared already: it is '{}'", id, scope_.find(id)->name), ""};
}

std::string FunctionReader::end_of_header() {
  std::string loc = c_.location();
  c_.expect(":", "before the block");
  return loc;
}

void FunctionReader::body(Function& f) {
  c_.expect(TokenKind::Indent, "an indented block ('pass' if it is empty)");
  while (c_.at("var")) declarations();
  while (!c_.accept_dedent())
    if (StmtPtr s = stmt()) f.body.push_back(std::move(s));
  f.symbols = scope_.symbols();
}

// var NAME: TYPE, NAME#ID: TYPE
void FunctionReader::declarations() {
  c_.take();
  std::vector<Type> types;
  do argument(types);
  while (c_.accept(","));
  c_.expect(TokenKind::Newline, "',' or the end of the line");
}

Body FunctionReader::block() {
  c_.expect(TokenKind::Newline, "the end of the line");
  c_.expect(TokenKind::Indent, "an indented block ('pass' if it is empty)");
  Cursor::Level level(c_);
  Body list;
  while (!c_.accept_dedent())
    if (StmtPtr s = stmt()) list.push_back(std::move(s));
  return list;
}

// Null for `pass`.
StmtPtr FunctionReader::stmt() {
  const TextPos pos = c_.token().pos;
  if (c_.is(TokenKind::Indent)) throw Fault{pos, "this line is indented more than the one above it", ""};
  if (c_.accept("pass")) {
    c_.expect(TokenKind::Newline, "the end of the statement");
    return nullptr;
  }
  if (c_.accept("break")) return line(std::make_shared<Break>(), pos);
  if (c_.accept("continue")) return line(std::make_shared<Continue>(), pos);
  if (c_.accept("return")) {
    std::vector<ExprPtr> results;
    if (!c_.is(TokenKind::Newline) && !c_.at("@")) results = exprs_.exprs();
    return line(std::make_shared<Return>(std::move(results)), pos);
  }
  if (c_.at("raise")) return raise();
  if (c_.at("if")) return branch();
  if (c_.accept("while")) {
    ExprPtr test = exprs_.expr();
    std::string loc = end_of_header();
    return made(std::make_shared<While>(std::move(test), block()), pos, std::move(loc));
  }
  if (c_.at("for") || c_.at("pfor")) return loop(c_.take().text == "pfor");
  if (c_.at("block") || c_.at("with")) {
    const bool gpu = c_.take().text == "with";
    if (gpu) {
      c_.expect("gpu", "after 'with'");
      c_.expect("(", "after 'gpu'");
      c_.expect(")", "after '('");
    }
    std::string loc = end_of_header();
    return made(std::make_shared<StmtList>(gpu, block()), pos, std::move(loc));
  }
  if (c_.at("elif") || c_.at("else"))
    throw Fault{pos, fmt::format("{} without an 'if' above it", shown(c_.token())), ""};
  if (c_.at("var"))
    throw Fault{pos, "'var' after a statement", "variables are declared at the beginning of a function"};
  return assign_or_call();
}

// A name before "=", "," or "in" that no variable has yet.
std::optional<FunctionReader::Fresh> FunctionReader::fresh() {
  const size_t from = c_.place();
  if (!c_.is_name()) return {};
  Fresh x{c_.token().pos, c_.name("a variable"), {}};
  if (c_.accept("#")) x.id = c_.small_integer("the id of the variable");
  const bool target = c_.at("=") || c_.at(",") || c_.at("in") || c_.at("over");
  const bool known = x.id ? scope_.find(*x.id) != nullptr : scope_.find(x.name).id.has_value();
  if (target && !known) return x;
  c_.go_to(from);
  return {};
}

SymbolId FunctionReader::declare(const Fresh& x, Type type) {
  // The same name may occur twice in one list.
  if (x.id ? scope_.find(*x.id) != nullptr : scope_.find(x.name).id.has_value())
    return x.id ? *x.id : *scope_.find(x.name).id;
  if (type.is_null() || type.is_void())
    throw Fault{x.pos, fmt::format("the type of '{}' does not follow from its first value", x.name),
                "declare it with 'var'"};
  const SymbolId id = x.id.value_or(scope_.next_id());
  declare(Symbol{id, x.name, std::move(type)}, x.pos);
  return id;
}

StmtPtr FunctionReader::assign_or_call() {
  const TextPos pos = c_.token().pos;
  std::vector<ExprPtr> targets;
  std::vector<std::optional<Fresh>> names;
  do {
    names.push_back(fresh());
    targets.push_back(names.back() ? nullptr : exprs_.expr());
  } while (c_.accept(","));
  if (!c_.at("=")) {
    if (names[0]) c_.unexpected("'='");
    if (targets.size() > 1) c_.unexpected("'=' after several targets");
    return line(std::make_shared<ExprStmt>(std::move(targets[0])), pos);
  }
  c_.take();
  ExprPtr value = exprs_.expr();
  for (size_t k = 0; k < targets.size(); ++k) {
    if (!names[k]) continue;
    auto n = std::make_shared<Name>(Type(), declare(*names[k], assigned_type(value->type, k, targets.size())));
    n->pos = names[k]->pos;
    n->type = scope_.find(n->id)->type;
    c_.count_node();
    targets[k] = std::move(n);
  }
  return line(std::make_shared<Assign>(std::move(targets), std::move(value)), pos);
}

// for i, j in range(n), range(m):   for i over DOMAIN:   pfor i in range(n) shared (x, y):
StmtPtr FunctionReader::loop(bool parallel) {
  const TextPos pos = c_.last().pos;
  struct Variable {
    std::optional<Fresh> name;
    SymbolId id;
  };
  std::vector<Variable> variables;
  do {
    auto name = fresh();
    const SymbolId id = name ? 0 : exprs_.variable();
    variables.push_back({std::move(name), id});
  } while (c_.accept(","));
  ExprPtr domain;
  if (c_.accept("over")) {
    domain = exprs_.expr();
  } else {
    c_.expect("in", "after the loop's variables");
    const TextPos at = c_.token().pos;
    auto d = std::make_shared<Domain>(Type(), exprs_.exprs());
    d->pos = at;
    d->type = scope_.type_of(*d);
    c_.count_node();
    domain = std::move(d);
  }
  std::vector<SymbolId> itervars;
  for (size_t k = 0; k < variables.size(); ++k)
    itervars.push_back(variables[k].name ? declare(*variables[k].name, iterated_type(domain->type, k, variables.size()))
                                         : variables[k].id);
  std::optional<std::vector<SymbolId>> shared;
  if (parallel && c_.accept("shared")) {
    shared.emplace();
    c_.expect("(", "after 'shared'");
    while (!c_.at(")")) {
      shared->push_back(exprs_.variable());
      if (!c_.accept(",")) break;
    }
    c_.expect(")", "after the shared variables");
  }
  std::string loc = end_of_header();
  Body body = block();
  if (parallel)
    return made(std::make_shared<PFor>(std::move(itervars), std::move(domain), std::move(shared), std::move(body)), pos,
                std::move(loc));
  return made(std::make_shared<For>(std::move(itervars), std::move(domain), std::move(body)), pos, std::move(loc));
}

// if EXPR: ... elif EXPR: ... else: ...
StmtPtr FunctionReader::branch() {
  Cursor::Level level(c_);
  const TextPos pos = c_.take().pos;
  ExprPtr test = exprs_.expr();
  std::string loc = end_of_header();
  Body then_body = block(), else_body;
  if (c_.at("elif")) {
    else_body.push_back(branch());
  } else if (c_.accept("else")) {
    c_.expect(":", "after 'else'");
    else_body = block();
  }
  return made(std::make_shared<If>(std::move(test), std::move(then_body), std::move(else_body)), pos, std::move(loc));
}

// raise CODE, "TEXT", EXPR...
StmtPtr FunctionReader::raise() {
  const TextPos pos = c_.take().pos;
  const bool negative = c_.accept("-");
  const Token& at = c_.token();
  if (!c_.is(TokenKind::Int)) c_.unexpected("the error's code, an integer");
  int64_t code = 0;
  const char* end = at.text.data() + at.text.size();
  const auto [last, status] = std::from_chars(at.text.data(), end, code);
  if (negative) code = -code;
  if (status != std::errc() || last != end || code < std::numeric_limits<int32_t>::min() ||
      code > std::numeric_limits<int32_t>::max())
    throw Fault{at.pos, fmt::format("the error's code {} is no int32", shown(at)), ""};
  c_.take();
  c_.expect(",", "after the code");
  std::string text = c_.string("the error's text, a string");
  std::vector<ExprPtr> args;
  if (c_.accept(",")) args = exprs_.exprs();
  return line(std::make_shared<Raise>(static_cast<int32_t>(code), std::move(text), std::move(args)), pos);
}

}  // namespace vr::text::brief
