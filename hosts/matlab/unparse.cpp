#include "unparse.hpp"

#include <cmath>
#include <cstdio>

namespace vr::matlab {

namespace {

struct NoText {};

std::string number_text(const Expr& e) {
  std::string s;
  if (std::isnan(e.number)) {
    s = "NaN";
  } else if (std::isinf(e.number)) {
    s = e.number > 0 ? "Inf" : "(-Inf)";
  } else {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", e.number);
    s = std::signbit(e.number) ? "(" + std::string(digits) + ")" : digits;
  }
  return e.imaginary ? "(" + s + "*1i)" : s;
}

std::string quoted(const Expr& e) {
  if (!e.double_quoted) {
    std::string s = "'";
    for (char c : e.text) s += c == '\'' ? std::string("''") : std::string(1, c);
    return s + "'";
  }
  std::string s = "\"";
  for (char c : e.text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127 && c != '"' && c != '\\') {
      s += c;
      continue;
    }
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", byte);
    s += octal;
  }
  return s + "\"";
}

struct Writer {
  std::set<std::string>& names;
  std::multiset<std::string> bound = {};  // parameters of the anonymous functions around

  std::string list(const std::vector<ExprPtr>& args, size_t from) {
    std::string s;
    for (size_t k = from; k < args.size(); ++k) s += (k > from ? ", " : "") + text(*args[k]);
    return s;
  }
  std::string rows(const Expr& e) {
    std::string s;
    for (size_t k = 0; k < e.rows.size(); ++k) s += (k ? "; " : "") + list(e.rows[k], 0);
    return s;
  }
  std::string name(const std::string& n) {
    if (!bound.count(n)) names.insert(n);
    return n;
  }
  std::string lambda(const Expr& e) {
    std::string s = "@(";
    for (size_t k = 0; k < e.names.size(); ++k) s += (k ? ", " : "") + e.names[k];
    for (const std::string& n : e.names) bound.insert(n);
    s += ") " + text(*e.args[0]);
    for (const std::string& n : e.names) bound.erase(bound.find(n));
    return "(" + s + ")";
  }
  std::string text(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Number:
        return number_text(e);
      case ExprKind::String:
        return quoted(e);
      case ExprKind::Name:
        return name(e.text);
      case ExprKind::Colon:
        return ":";
      case ExprKind::End:
        return "end";
      case ExprKind::Unary:
        if (e.op == Op::Increment || e.op == Op::Decrement) throw NoText{};
        return "(" + std::string(op_text(e.op)) + text(*e.args[0]) + ")";
      case ExprKind::Postfix:
        if (e.op != Op::Transpose && e.op != Op::Ctranspose) throw NoText{};
        return "(" + text(*e.args[0]) + ")" + (e.op == Op::Transpose ? ".'" : "'");
      case ExprKind::Binary:
        return "(" + text(*e.args[0]) + " " + op_text(e.op) + " " + text(*e.args[1]) + ")";
      case ExprKind::Range: {
        std::string s = "(" + text(*e.args[0]);
        for (size_t k = 1; k < e.args.size(); ++k) s += ":" + text(*e.args[k]);
        return s + ")";
      }
      case ExprKind::Index:
        return text(*e.args[0]) + "(" + list(e.args, 1) + ")";
      case ExprKind::Brace:
        return text(*e.args[0]) + "{" + list(e.args, 1) + "}";
      case ExprKind::Field:
        return text(*e.args[0]) + "." + (e.args.size() > 1 ? "(" + text(*e.args[1]) + ")" : e.text);
      case ExprKind::Matrix:
        return "[" + rows(e) + "]";
      case ExprKind::Cell:
        return "{" + rows(e) + "}";
      case ExprKind::Lambda:
        return lambda(e);
      case ExprKind::Handle:
        return "(@" + name(e.text) + ")";
      case ExprKind::Assign:
        break;
    }
    throw NoText{};
  }
};

}  // namespace

std::string text_of(const Expr& e, std::set<std::string>& names) {
  try {
    return Writer{names}.text(e);
  } catch (const NoText&) {
    return {};
  }
}

}  // namespace vr::matlab
