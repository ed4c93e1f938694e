#include "parse_state.hpp"

#include <algorithm>
#include <map>

namespace vr::matlab {

namespace {

bool at_end_of(const Parser& p, std::initializer_list<const char*> words) {
  if (p.peek().kind == Tok::End) return true;
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return p.key(w); });
}

// `hold on`: a name, a blank, and a word that is no operator.
bool command(const Parser& p) {
  const Token &a = p.peek(), &b = p.peek(1);
  return a.kind == Tok::Name && b.space_before &&
         (b.kind == Tok::Name || b.kind == Tok::Number ||
          (b.kind == Tok::Punct && b.text == "-" && !b.space_after && p.peek(2).kind == Tok::Name));
}

// [a, b] = ...: an assignment's sign after the bracket.
bool several_targets(const Parser& p) {
  if (!p.is("[")) return false;
  int depth = 0;
  for (size_t k = 0; p.peek(k).kind != Tok::End; ++k) {
    const Token& t = p.peek(k);
    if (t.kind != Tok::Punct) continue;
    if (t.text == "[" || t.text == "(" || t.text == "{") ++depth;
    if (t.text == "]" || t.text == ")" || t.text == "}") --depth;
    if (depth == 0) return p.peek(k + 1).kind == Tok::Punct && p.peek(k + 1).text == "=";
  }
  return false;
}

}  // namespace

void Parser::expect(const char* punct) {
  if (!is(punct)) unexpected(std::string("'") + punct + "'");
  next();
}

void Parser::unexpected(const std::string& wanted) const {
  const Token& t = peek();
  std::string found = t.kind == Tok::Newline  ? "the end of the line"
                      : t.kind == Tok::End    ? "the end of the text"
                      : t.kind == Tok::Number ? "a number"
                      : t.kind == Tok::String ? "a string"
                                              : "'" + t.text + "'";
  fail(t.pos, "found " + found + " where " + (wanted.size() == 1 ? "'" + wanted + "'" : wanted) + " should be");
}

std::shared_ptr<Stmt> Parser::stmt_node(StmtKind kind) {
  if (++nodes_ > 1000000) fail(peek().pos, "the program is too long");
  auto s = std::make_shared<Stmt>();
  s->kind = kind;
  s->pos = peek().pos;
  return s;
}

void Parser::skip_separators() {
  while (peek().kind == Tok::Newline || is(";") || is(",")) next();
}

Unit Parser::run() {
  skip_separators();
  while (peek().kind == Tok::Pragma) {
    next();
    skip_separators();
  }
  if (peek().kind == Tok::End) fail(peek().pos, "there is no function");
  while (peek().kind != Tok::End) {
    if (!key("function")) fail(peek().pos, "this is a script; only files of functions are compiled");
    FunctionPtr f = function();
    if (unit_.find(f->name)) fail(f->pos, "there are two functions '" + f->name + "'");
    unit_.functions.push_back(std::move(f));
    skip_separators();
    while (peek().kind == Tok::Pragma) {
      next();
      skip_separators();
    }
  }
  return std::move(unit_);
}

std::vector<Param> Parser::parameters() {
  std::vector<Param> list;
  if (!is("(")) return list;
  next();
  while (!is(")")) {
    Param p;
    if (is("~") || is("!")) {
      next();
      p.name = "~";
    } else {
      if (peek().kind != Tok::Name) unexpected("a parameter");
      p.name = next().text;
      if (is("=")) {
        next();
        p.value = expr();
      }
    }
    list.push_back(std::move(p));
    if (is(","))
      next();
    else if (!is(")"))
      unexpected(")");
  }
  next();
  return list;
}

FunctionPtr Parser::function() {
  auto f = std::make_shared<Function>();
  f->pos = next().pos;
  auto name = [&](const char* what) {
    if (peek().kind != Tok::Name) unexpected(what);
    return next().text;
  };
  if (is("[")) {
    next();
    while (!is("]")) {
      f->outputs.push_back(name("an output"));
      if (is(",")) next();
    }
    next();
    expect("=");
    f->name = name("the function's name");
  } else {
    f->name = name("the function's name");
    if (is("=")) {
      next();
      f->outputs = {f->name};
      f->name = name("the function's name");
    }
  }
  f->params = parameters();
  f->body = body({"end", "endfunction", "function"});
  if (key("end") || key("endfunction")) next();
  return f;
}

Body Parser::body(std::initializer_list<const char*> ends) {
  Deeper deeper(*this);
  Body b;
  for (skip_separators(); !at_end_of(*this, ends); skip_separators()) b.push_back(statement());
  return b;
}

void Parser::block_end(const char* own, const Stmt& block, const char* word) {
  if (peek().kind == Tok::End) fail(block.pos, std::string("'") + word + "' is never closed");
  if (!key("end") && !key(own)) unexpected(std::string("'") + own + "'");
  next();
}

StmtPtr Parser::statement() {
  const Token& t = peek();
  if (t.kind == Tok::Pragma) {
    auto s = stmt_node(StmtKind::Pragma);
    s->text = next().text;
    return s;
  }
  if (t.kind != Tok::Keyword) return simple();
  const std::string& w = t.text;
  if (w == "if") return if_();
  if (w == "while") return loop(StmtKind::While, "endwhile");
  if (w == "for" || w == "parfor") return for_();
  if (w == "do") return do_();
  if (w == "switch") return switch_();
  if (w == "break" || w == "continue" || w == "return") {
    auto s = stmt_node(w == "break" ? StmtKind::Break : w == "continue" ? StmtKind::Continue : StmtKind::Return);
    next();
    return s;
  }
  if (w == "global" || w == "persistent") return other(w == "global" ? "a global variable" : "a persistent variable");
  if (w == "try") return protected_block("try", "catch", "end_try_catch");
  if (w == "unwind_protect") return protected_block("unwind_protect", "unwind_protect_cleanup", "end_unwind_protect");
  unexpected("a statement");
}

StmtPtr Parser::if_() {
  auto s = stmt_node(StmtKind::If);
  do {
    next();
    s->tests.push_back(expr());
    s->bodies.push_back(body({"elseif", "else", "end", "endif"}));
  } while (key("elseif"));
  if (key("else")) {
    next();
    s->bodies.push_back(body({"end", "endif"}));
  }
  block_end("endif", *s, "if");
  return s;
}

StmtPtr Parser::loop(StmtKind kind, const char* own) {
  auto s = stmt_node(kind);
  next();
  s->tests.push_back(expr());
  s->bodies.push_back(body({"end", own}));
  block_end(own, *s, "while");
  return s;
}

StmtPtr Parser::for_() {
  auto s = stmt_node(StmtKind::For);
  s->parallel = next().text == "parfor";
  const bool paren = is("(");
  // for (i = 1:n), or for (i) = ...; only the first is written.
  if (paren) next();
  ExprPtr target = postfix();
  if (target->kind != ExprKind::Name) fail(target->pos, "the loop's variable is no name");
  s->targets = {target};
  expect("=");
  s->value = expr();
  if (paren) {
    if (is(",") && s->parallel) {  // parfor (i = 1:n, workers)
      next();
      s->tests.push_back(expr());
    }
    expect(")");
  } else if (is(",") && s->parallel && peek(1).kind == Tok::Number) {
    next();
    s->tests.push_back(expr());
  }
  s->bodies.push_back(body({"end", "endfor", "endparfor"}));
  block_end(s->parallel && key("endparfor") ? "endparfor" : "endfor", *s, s->parallel ? "parfor" : "for");
  return s;
}

StmtPtr Parser::do_() {
  auto s = stmt_node(StmtKind::DoUntil);
  next();
  s->bodies.push_back(body({"until"}));
  if (!key("until")) unexpected("'until'");
  next();
  s->tests.push_back(expr());
  return s;
}

StmtPtr Parser::switch_() {
  auto s = stmt_node(StmtKind::Switch);
  next();
  s->value = expr();
  skip_separators();
  while (key("case")) {
    next();
    s->tests.push_back(expr());
    s->bodies.push_back(body({"case", "otherwise", "end", "endswitch"}));
  }
  if (key("otherwise")) {
    next();
    s->bodies.push_back(body({"end", "endswitch"}));
  }
  block_end("endswitch", *s, "switch");
  return s;
}

StmtPtr Parser::other(const char* what) {
  auto s = stmt_node(StmtKind::Other);
  s->text = what;
  while (peek().kind != Tok::Newline && peek().kind != Tok::End && !is(";")) next();
  return s;
}

// try: a fault leaves the whole call to the interpreter, which runs the handler. unwind_protect: both parts run.
StmtPtr Parser::protected_block(const char* what, const char* part, const char* own) {
  auto s = stmt_node(StmtKind::Other);
  const bool cleans = std::string_view(what) == "unwind_protect";
  s->text = std::string(what) + " around a return, break or continue";
  next();
  if (is(",")) next();
  Body first = body({part, "end", own});
  if (key(part)) {
    next();
    // catch err: a name on the same line.
    if (peek().kind == Tok::Name && peek(1).kind == Tok::Newline) next();
    Body second = body({"end", own});
    if (cleans && jumps(first)) {
      block_end(own, *s, what);
      return s;
    }
    if (cleans) first.insert(first.end(), second.begin(), second.end());
  }
  block_end(own, *s, what);
  return block(s->pos, std::move(first));
}

void Parser::end_statement(Stmt& s) {
  const Token& t = peek();
  s.printed = !is(";");
  if (is(";") || is(",") || t.kind == Tok::Newline || t.kind == Tok::End || t.kind == Tok::Pragma) {
    if (t.kind != Tok::Pragma) next();
    return;
  }
  // if x, y = 1 end: Octave wants a separator before `end`, and so do we.
  unexpected("the end of the statement");
}

StmtPtr Parser::simple() {
  static const std::map<std::string, Op> updates = {{"+=", Op::Plus},     {"-=", Op::Minus},     {"*=", Op::Mtimes},
                                                    {"/=", Op::Mrdivide}, {"\\=", Op::Mldivide}, {"^=", Op::Mpower},
                                                    {"**=", Op::Mpower},  {".*=", Op::Times},    {"./=", Op::Rdivide},
                                                    {".^=", Op::Power},   {"|=", Op::Or},        {"&=", Op::And}};
  if (command(*this)) return other("a command");
  auto s = stmt_node(StmtKind::Expr);
  if (several_targets(*this)) {
    s->kind = StmtKind::Assign;
    next();
    in_matrix_ = true;
    while (!is("]")) {
      if ((is("~") || is("!")) && peek(1).kind == Tok::Punct && (peek(1).text == "," || peek(1).text == "]")) {
        next();
        s->targets.push_back(nullptr);
      } else if (peek().kind == Tok::Name) {
        s->targets.push_back(postfix());
      } else {
        unexpected("a variable");
      }
      if (is(",")) next();
    }
    in_matrix_ = false;
    next();
    expect("=");
    s->value = expr();
    end_statement(*s);
    return s;
  }
  ExprPtr e = expr();
  if (e->kind == ExprKind::Assign) {
    s->kind = StmtKind::Assign;
    s->targets = {e->args[0]};
    s->value = e->args[1];
  } else if (is("=")) {
    if (e->kind != ExprKind::Field && e->kind != ExprKind::Brace) fail(e->pos, "this cannot be assigned to");
    next();
    s->kind = StmtKind::Assign;
    s->targets = {e};
    s->value = expr();
  } else if (peek().kind == Tok::Punct && updates.count(peek().text)) {
    s->kind = StmtKind::Assign;
    s->op = updates.at(next().text);
    s->targets = {e};
    s->value = expr();
  } else if ((is("++") || is("--")) && e->kind != ExprKind::Number) {
    s->kind = StmtKind::Assign;
    s->op = is("++") ? Op::Plus : Op::Minus;
    s->sets_ans = SetsAns::Before;
    auto one = node(ExprKind::Number, next().pos);
    one->number = 1;
    s->targets = {e};
    s->value = one;
  } else if (e->kind == ExprKind::Unary && (e->op == Op::Increment || e->op == Op::Decrement)) {  // ++x
    s->kind = StmtKind::Assign;
    s->op = e->op == Op::Increment ? Op::Plus : Op::Minus;
    s->sets_ans = SetsAns::After;
    auto one = node(ExprKind::Number, e->pos);
    one->number = 1;
    s->targets = {e->args[0]};
    s->value = one;
  } else {
    s->value = e;
  }
  end_statement(*s);
  if (s->kind == StmtKind::Expr && !s->printed)
    if (StmtPtr assignment = conditional_assignment(s->value)) return assignment;
  return s;
}

Result<UnitPtr> parse(std::string_view text, const std::string& file) {
  try {
    if (text.size() > (16u << 20)) throw SyntaxError{{}, "the text has more than 16 MiB"};
    return UnitPtr(std::make_shared<Unit>(Parser(lex(text), file).run()));
  } catch (const SyntaxError& e) {
    Error error{Code::Syntax, "", {}, {}};
    Diagnostic d;
    d.place = {file, e.pos.line, e.pos.column};
    d.rule = "syntax";
    d.message = e.message;
    error.diagnostics.push_back(std::move(d));
    return error;
  }
}

}  // namespace vr::matlab
