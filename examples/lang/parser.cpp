// Parses source to syntax trees by recursive descent over tokens. Each token has its line number.
#include "syntax.hpp"

#include <cctype>
#include <cstdlib>
#include <utility>

namespace lang {

namespace {

struct Token {
  std::string text;  // "" at the end; strings begin with a quote
  int line = 1;
};

struct SyntaxError {
  std::string message;
};

// ---- [tokens]
std::vector<Token> tokens(const std::string& text) {
  std::vector<Token> out;
  int line = 1;
  for (size_t k = 0; k < text.size();) {
    const size_t from = k;
    const auto c = static_cast<unsigned char>(text[k]);
    if (c == '\n') ++line;
    if (std::isspace(c)) {
      ++k;
      continue;
    }
    if (c == '#') {
      while (k < text.size() && text[k] != '\n') ++k;
      continue;
    }
    if (std::isalpha(c)) {
      while (k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_')) ++k;
    } else if (std::isdigit(c)) {
      char* end;
      std::strtod(text.c_str() + k, &end);
      k = static_cast<size_t>(end - text.c_str());
    } else if (c == '"') {
      while (++k < text.size() && text[k] != '"') {}
      ++k;
    } else {
      k += text.compare(k, 2, "==") == 0 || text.compare(k, 2, "<=") == 0 ? 2 : 1;
    }
    out.push_back({text.substr(from, k - from), line});
  }
  out.push_back({"", line});
  return out;
}

class Parser {
 public:
  explicit Parser(std::vector<Token> t) : tokens_(std::move(t)) {}

  Program program() {
    Program p;
    while (!peek().empty()) {
      if (peek() == "fn")
        p.functions.push_back(function());
      else
        p.statements.push_back(statement());
    }
    return p;
  }

 private:
  // ---- [statements]
  Function function() {
    Function f;
    expect("fn");
    f.name = name();
    f.gives_vector = brackets();
    expect("(");
    while (peek() != ")") {
      if (!f.parameters.empty()) expect(",");
      f.parameters.push_back({name(), false});
      f.parameters.back().vector = brackets();
    }
    expect(")");
    f.body = block();
    return f;
  }

  std::vector<Stmt> block() {
    std::vector<Stmt> body;
    expect("{");
    while (peek() != "}") body.push_back(statement());
    expect("}");
    return body;
  }

  Stmt statement() {
    Stmt s{Stmt::Kind::Assign, line()};
    const std::string word = next();
    if (word == "for" || word == "par") {
      s.kind = word == "for" ? Stmt::Kind::For : Stmt::Kind::ParFor;
      s.name = name();
      expect("in");
      s.parts.push_back(sum());
      expect(":");
      s.parts.push_back(sum());
      s.body = block();
    } else if (word == "gpu") {
      s.kind = Stmt::Kind::Gpu;
      s.body = block();
    } else if (word == "while" || word == "if") {
      s.kind = word == "if" ? Stmt::Kind::If : Stmt::Kind::While;
      s.parts.push_back(expression());
      s.body = block();
      if (word == "if" && peek() == "else") next(), s.other = block();
    } else if (word == "return" || word == "print") {
      s.kind = word == "return" ? Stmt::Kind::Return : Stmt::Kind::Print;
      s.parts.push_back(expression());
    } else if (word == "error") {
      s.kind = Stmt::Kind::Error;
      s.name = next();
      if (s.name.size() < 2 || s.name[0] != '"') throw SyntaxError{"error needs a text in quotes"};
      s.name = s.name.substr(1, s.name.size() - 2);
    } else {
      s.name = word;
      if (peek() == "[") {
        s.kind = Stmt::Kind::Store;
        next(), s.parts.push_back(expression()), expect("]");
      }
      expect("=");
      s.parts.push_back(expression());
    }
    return s;
  }

  // ---- [expressions]
  Expr expression() {
    Expr e = sum();
    while (peek() == "<" || peek() == "<=" || peek() == ">" || peek() == "==") e = binary(std::move(e), &Parser::sum);
    return e;
  }
  Expr sum() {
    Expr e = product();
    while (peek() == "+" || peek() == "-") e = binary(std::move(e), &Parser::product);
    return e;
  }
  Expr product() {
    Expr e = unary();
    while (peek() == "*" || peek() == "/") e = binary(std::move(e), &Parser::unary);
    return e;
  }
  Expr binary(Expr left, Expr (Parser::*right)()) {
    Expr e{Expr::Kind::Binary, line(), 0, next(), {}};
    e.parts.push_back(std::move(left));
    e.parts.push_back((this->*right)());
    return e;
  }
  Expr unary() {
    if (peek() != "-") return primary();
    Expr e{Expr::Kind::Negate, line(), 0, next(), {}};
    e.parts.push_back(unary());
    return e;
  }
  Expr primary() {
    Expr e{Expr::Kind::Name, line()};
    if (peek() == "(") {
      next(), e = expression(), expect(")");
    } else if (peek() == "[") {
      e.kind = Expr::Kind::List;
      e.parts = list("[", "]");
    } else if (std::isdigit(static_cast<unsigned char>(peek()[0]))) {
      e.kind = Expr::Kind::Number;
      e.number = std::strtod(next().c_str(), nullptr);
    } else {
      e.text = name();
      if (peek() == "(") e.kind = Expr::Kind::Call, e.parts = list("(", ")");
      if (peek() == "[") e.kind = Expr::Kind::Index, e.parts = list("[", "]");
    }
    return e;
  }
  std::vector<Expr> list(const char* open, const char* close) {
    std::vector<Expr> out;
    expect(open);
    while (peek() != close) {
      if (!out.empty()) expect(",");
      out.push_back(expression());
    }
    expect(close);
    return out;
  }

  const std::string& peek() const { return tokens_[at_].text; }
  int line() const { return tokens_[at_].line; }
  std::string next() {
    if (peek().empty()) throw SyntaxError{"line " + std::to_string(line()) + ": the program ends too early"};
    return tokens_[at_++].text;
  }
  void expect(const std::string& text) {
    if (peek() != text)
      throw SyntaxError{"line " + std::to_string(line()) + ": expected '" + text + "', found '" + peek() + "'"};
    ++at_;
  }
  std::string name() {
    if (peek().empty() || !std::isalpha(static_cast<unsigned char>(peek()[0])))
      throw SyntaxError{"line " + std::to_string(line()) + ": expected a name, found '" + peek() + "'"};
    return next();
  }
  bool brackets() {
    if (peek() != "[") return false;
    expect("["), expect("]");
    return true;
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace

vr::Result<Program> parse(const std::string& text) {
  try {
    return Parser(tokens(text)).program();
  } catch (const SyntaxError& e) {
    return vr::make_error(vr::Code::Syntax, e.message);
  }
}

}  // namespace lang
