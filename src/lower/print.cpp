// Readable dump of the lowered form. Variables go by their names (numbered when two share one), those of an array by
// the array's: A.data, A.extent0.
#include "lower/lowered.hpp"
#include "lower/runtime_table.hpp"

#include <velociraptor/status.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace vr::lower {
namespace {

const char* type_text(Scalar s) {
  switch (s) {
    case Scalar::Bool:
      return "bool";
    case Scalar::Int32:
      return "i32";
    case Scalar::Int64:
      return "i64";
    case Scalar::Float32:
      return "f32";
    case Scalar::Float64:
      return "f64";
    case Scalar::Ptr:
      return "ptr";
  }
  return "?";
}

std::string float_text(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  std::string s = fmt::format("{}", v);
  return s.find_first_of(".e") == std::string::npos ? s + ".0" : s;
}

std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    if (c == '\n')
      s += "\\n";
    else
      s += c;
  }
  return s + '"';
}

// How tightly an expression's text holds together; an operand that holds less tightly gets parentheses.
enum Precedence { Choice, Or, And, Compare, Sum, Product, Prefix, Atom };

Precedence precedence(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Select:
      return Choice;
    case Expr::Kind::Unary:
      return Prefix;
    case Expr::Kind::Offset:
      return Sum;
    case Expr::Kind::Binary:
      switch (e.op) {
        case Op::Add:
        case Op::Sub:
          return Sum;
        case Op::Mul:
        case Op::Div:
        case Op::Rem:
          return Product;
        case Op::And:
          return And;
        case Op::Or:
        case Op::Xor:
          return Or;
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Gt:
        case Op::Ge:
          return Compare;
        case Op::Neg:
        case Op::Not:
          return Prefix;
      }
      return Atom;
    case Expr::Kind::IntConst:
      return e.ival < 0 ? Prefix : Atom;
    case Expr::Kind::FloatConst:
      return std::signbit(e.fval) ? Prefix : Atom;
    case Expr::Kind::Null:
    case Expr::Kind::Var:
    case Expr::Kind::Convert:
    case Expr::Kind::Math:
    case Expr::Kind::Load:
    case Expr::Kind::At:
      return Atom;
  }
  return Atom;
}

class FunctionPrinter {
 public:
  /// complete: all that parse() needs, in its words.
  FunctionPrinter(const Function& f, const Module* m, bool complete = false) : f_(f), m_(m), complete_(complete) {
    make_names();
  }

  std::string run() {
    if (complete_) return whole();
    static constexpr const char* kinds[] = {"entry", "task", "kernel"};
    std::string head = fmt::format("{} {}(", kinds[static_cast<int>(f_.kind)], f_.name);
    head += params(f_.params) + ")";
    if (!f_.results.empty()) head += " -> (" + params(f_.results) + ")";
    if (f_.kind == Function::Kind::Task) head += fmt::format(" over [{}, {})", var(f_.lo_var), var(f_.hi_var));
    if (f_.kind == Function::Kind::Kernel) head += " over [" + list(f_.dims, [&](VarId v) { return var(v); }) + "]";
    if (f_.on_host != none) head += " on host " + function(f_.on_host);
    head += fast_math();
    line(head + " {");
    block(f_.body);
    line("}" + std::string(f_.cleanup.empty() ? "" : " cleanup {"));
    if (!f_.cleanup.empty()) {
      block(f_.cleanup);
      line("}");
    }
    return std::move(out_);
  }

 private:
  // ---- the loop form: everything is declared
  std::string whole() {
    static constexpr const char* kinds[] = {"entry", "task", "kernel"};
    auto vars = [&](const auto& all) { return "[" + list(all, [&](VarId v) { return var(v); }) + "]"; };
    auto declared = [&](const std::vector<Param>& all) {
      return list(all, [&](const Param& p) {
        return operand({p.var, p.im, p.array}) + (p.written ? " written" : "") + (p.fresh ? " fresh" : "");
      });
    };
    line(fmt::format("{} {}({}) -> ({}) source {} {{", kinds[static_cast<int>(f_.kind)], f_.name, declared(f_.params),
                     declared(f_.results), quoted(f_.source_name)));
    ++depth_;
    for (size_t v = 0; v < f_.vars.size(); ++v) line(fmt::format("var {}: {}", names_[v], type_text(f_.vars[v].type)));
    for (size_t a = 0; a < f_.arrays.size(); ++a) {
      const ArrayVars& of = f_.arrays[a];
      auto maybe = [&](VarId v) { return v == none ? std::string("-") : var(v); };
      line(fmt::format("array {}: {}{} {} {} {} {} {}", array_names_[a], of.complex ? "complex " : "",
                       type_text(scalar_of(of.elem)), maybe(of.data), maybe(of.owner), maybe(of.flags), vars(of.extent),
                       vars(of.stride)));
    }
    if (f_.region) line("is region");
    if (f_.fast_math) line(fmt::format("is fast {}", f_.fast_math));
    if (f_.kind == Function::Kind::Task) line(fmt::format("is over [{}, {})", var(f_.lo_var), var(f_.hi_var)));
    if (f_.kind == Function::Kind::Kernel) {
      line(fmt::format("is grid {} points {}{}", vars(f_.dims), f_.points, f_.disjoint ? " disjoint" : ""));
      if (f_.on_host != none) line("is on host " + function(f_.on_host));
      if (!f_.narrow.empty()) line("is narrow " + vars(f_.narrow));
      for (const Fold& r : f_.folds)
        line(fmt::format("is fold {} {} {} {}", var(r.var), var(r.other), array(r.partial), expr(r.neutral)));
      for (const Lane& l : f_.lanes)
        line(fmt::format("is lane {} {}{}{}", array(l.array), type_text(l.type), l.loaded ? " loaded" : "",
                         l.stored ? " stored" : ""));
    }
    --depth_;
    block(f_.body);
    if (!f_.join.empty()) line("} join {"), block(f_.join);
    if (!f_.cleanup.empty()) line("} cleanup {"), block(f_.cleanup);
    line("}");
    return std::move(out_);
  }

  // ---- names
  void make_names() {
    names_.resize(f_.vars.size());
    auto give = [&](VarId v, const std::string& name) {
      if (v >= 0 && static_cast<size_t>(v) < names_.size()) names_[static_cast<size_t>(v)] = name;
    };
    std::vector<std::string> array_names;
    std::map<std::string, int> taken;
    for (const ArrayVars& a : f_.arrays) {
      int n = taken[a.name]++;
      array_names.push_back(n == 0 && !a.name.empty() ? a.name : fmt::format("{}#{}", a.name, n));
      give(a.data, array_names.back() + ".data");
      give(a.owner, array_names.back() + ".owner");
      give(a.flags, array_names.back() + ".flags");
      for (size_t d = 0; d < a.extent.size(); ++d) give(a.extent[d], fmt::format("{}.extent{}", array_names.back(), d));
      for (size_t d = 0; d < a.stride.size(); ++d) give(a.stride[d], fmt::format("{}.stride{}", array_names.back(), d));
    }
    array_names_ = std::move(array_names);
    taken.clear();
    for (size_t v = 0; v < names_.size(); ++v) {
      if (!names_[v].empty()) continue;
      int n = taken[f_.vars[v].name]++;
      names_[v] = n == 0 && !f_.vars[v].name.empty() ? f_.vars[v].name : fmt::format("{}#{}", f_.vars[v].name, n);
    }
    if (!complete_) return;
    // One name for each: a variable may be called what an array is called, or what another variable becomes.
    std::map<std::string, int> seen;
    for (const std::string& name : array_names_) seen[name] = 1;
    for (std::string& name : names_) {
      while (seen[name]++) name += "#";
      name = word(name);
    }
    for (std::string& name : array_names_) name = word(name);
  }
  /// As parse() reads it: plain, or in quotes.
  static std::string word(const std::string& name) {
    static const std::set<std::string> reserved{"bool", "i32",   "i64",  "f32", "f64", "ptr",
                                                "true", "false", "null", "inf", "nan"};
    auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '#'; };
    const bool as_it_is = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '.' &&
                          name[0] != '#' && std::all_of(name.begin(), name.end(), plain) && !reserved.count(name);
    return as_it_is ? name : quoted(name);
  }
  std::string var(VarId v) const {
    return v >= 0 && static_cast<size_t>(v) < names_.size() ? names_[static_cast<size_t>(v)]
                                                            : fmt::format("var#{}?", v);
  }
  std::string array(ArrayId a) const {
    return a >= 0 && static_cast<size_t>(a) < array_names_.size() ? array_names_[static_cast<size_t>(a)]
                                                                  : fmt::format("array#{}?", a);
  }
  std::string function(int32_t id) const {
    if (m_ && id >= 0 && static_cast<size_t>(id) < m_->functions.size())
      return m_->functions[static_cast<size_t>(id)]->name;
    return fmt::format("function#{}", id);
  }
  std::string type_of(VarId v) const {
    return v >= 0 && static_cast<size_t>(v) < f_.vars.size() ? type_text(f_.vars[static_cast<size_t>(v)].type) : "?";
  }
  template <class List, class Text>
  static std::string list(const List& items, Text text) {
    std::string s;
    for (const auto& item : items) s += (s.empty() ? "" : ", ") + text(item);
    return s;
  }
  std::string params(const std::vector<Param>& list_of) const {
    return list(list_of, [&](const Param& p) {
      if (p.array != none) {
        const ArrayVars& a = f_.arrays[static_cast<size_t>(p.array)];
        return fmt::format("{}: {}{}{}[{}]", array(p.array), p.written ? "written " : "", a.complex ? "complex " : "",
                           type_text(scalar_of(a.elem)), a.extent.size());
      }
      if (p.im != none) return fmt::format("{}, {}: complex {}", var(p.var), var(p.im), type_of(p.var));
      return fmt::format("{}: {}", var(p.var), type_of(p.var));
    });
  }
  std::string operand(const Operand& o) const {
    if (o.array != none) return array(o.array);
    return o.im != none ? fmt::format("({}, {})", var(o.var), var(o.im)) : var(o.var);
  }
  std::string fast_math() const {
    static constexpr const char* flags[] = {"reassoc", "contract", "arcp", "nnan", "ninf", "nsz", "afn"};
    std::string s;
    for (int i = 0; i < 7; ++i)
      if (f_.fast_math >> i & 1) s += fmt::format(" {}", flags[i]);
    return s.empty() ? s : " fast" + s;
  }

  // ---- expressions
  std::string expr(ExprP e, int at_least = Choice) const {
    if (!e) return "<missing>";
    std::string s = bare(*e);
    return precedence(*e) < at_least ? "(" + s + ")" : s;
  }
  std::string bare(const Expr& e) const {
    switch (e.kind) {
      case Expr::Kind::IntConst:
        if (e.type == Scalar::Bool) return e.ival ? "true" : "false";
        return fmt::format("{}{}", e.ival, e.type == Scalar::Int32 ? ":i32" : "");
      case Expr::Kind::FloatConst:
        return float_text(e.fval) + (e.type == Scalar::Float32 ? ":f32" : "");
      case Expr::Kind::Null:
        return "null";
      case Expr::Kind::Var:
        return var(e.var);
      case Expr::Kind::Unary:
        return op_name(e.op) + expr(e.a, Prefix + 1);
      case Expr::Kind::Binary: {
        // Left-associative: a - b - c has no parentheses, a - (b - c) has.
        int p = precedence(e);
        const std::string text =
            fmt::format("{} {} {}", expr(e.a, p == Compare ? p + 1 : p), op_name(e.op), expr(e.b, p + 1));
        return complete_ && e.any_order ? "any(" + text + ")" : text;
      }
      case Expr::Kind::Select:
        if (complete_ && e.any_order)
          return fmt::format("any({} ? {} : {})", expr(e.a, Choice + 1), expr(e.b, Choice + 1), expr(e.c, Choice + 1));
        return fmt::format("{} ? {} : {}", expr(e.a, Choice + 1), expr(e.b, Choice + 1), expr(e.c, Choice + 1));
      case Expr::Kind::Convert:
        return fmt::format("{}({})", type_text(e.type), expr(e.a));
      case Expr::Kind::Math:
        return fmt::format("{}({}{})", math_name(e.fn), expr(e.a), math_arity(e.fn) == 2 ? ", " + expr(e.b) : "");
      case Expr::Kind::Load:
        return fmt::format("{}{}{}", type_text(e.type), place(e.a, e.b), alias(e.alias_set));
      case Expr::Kind::Offset:
        return address(e.a, e.b);
      case Expr::Kind::At:
        return "at(" + subscripts(e) + ")";
    }
    return "?";
  }
  /// Each subscript with the stride of its axis, unless that is the stride which the array has there.
  std::string subscripts(const Expr& at, ArrayId of = none) const {
    std::string s;
    size_t axis = 0;
    for (ExprP e = &at; e; e = e->c, ++axis) {
      s += (s.empty() ? "" : ", ") + expr(e->a);
      const ArrayVars* a = of == none ? nullptr : &f_.arrays[static_cast<size_t>(of)];
      if (a && axis < a->stride.size() && e->b->kind == Expr::Kind::Var && e->b->var == a->stride[axis]) continue;
      s += " by " + expr(e->b, Prefix);
    }
    return at.ival ? fmt::format("{} part {}", s, at.ival) : s;
  }
  ArrayId array_at(ExprP base) const {
    for (size_t a = 0; base && base->kind == Expr::Kind::Var && a < f_.arrays.size(); ++a)
      if (f_.arrays[a].data == base->var) return static_cast<ArrayId>(a);
    return none;
  }
  /// The place of a load or store: NAME[i, j], or an address.
  std::string place(ExprP base, ExprP offset) const {
    if (!offset || offset->kind != Expr::Kind::At) return "[" + address(base, offset) + "]";
    const ArrayId a = array_at(base);
    return fmt::format(" {}[{}]", a == none ? expr(base, Atom) : array(a), subscripts(*offset, a));
  }
  std::string address(ExprP base, ExprP offset) const {
    if (offset && offset->kind == Expr::Kind::IntConst && offset->ival == 0) return expr(base, Sum);
    return expr(base, Sum) + " + " + expr(offset, Sum);
  }
  static std::string alias(int32_t set) { return set >= 0 ? fmt::format("@{}", set) : ""; }

  // ---- statements
  void line(const std::string& text) { out_ += std::string(static_cast<size_t>(2 * depth_), ' ') + text + "\n"; }
  void block(const Block& b) {
    ++depth_;
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s.node);
    --depth_;
  }
  void stmt(const SetVar& s) { line(fmt::format("{} = {}", var(s.var), expr(s.value))); }
  void stmt(const Store& s) {
    line(fmt::format("store {}{}{} = {}", s.value ? type_text(s.value->type) : "?", place(s.base, s.offset),
                     alias(s.alias_set), expr(s.value)));
  }
  void stmt(const Atomic& s) {
    const Scalar type = s.value ? s.value->type : Scalar::Int32;
    line(fmt::format("{} = atomic {} {}{} {}{}{}", var(s.result), ir::atomic_op_name(s.op), type_text(type),
                     place(s.base, s.offset), complete_ ? "with " : "", s.expected ? expr(s.expected) + ", " : "",
                     expr(s.value)));
  }
  void stmt(const AliasGroup& s) { line(fmt::format("alias group {}", s.group)); }
  void stmt(const If& s) {
    line(fmt::format("if {}{} {{", s.unlikely ? "unlikely " : "", expr(s.cond)));
    block(s.then_body);
    if (!s.else_body.empty()) {
      line("} else {");
      block(s.else_body);
    }
    line("}");
  }
  void stmt(const CountedLoop& s) {
    std::string flags;
    for (const auto& [flag, name] :
         {std::pair{s.independent, " independent"}, std::pair{s.fallback, " fallback"}, std::pair{s.across, " across"},
          std::pair{s.element, " element"}, std::pair{s.chunks, " chunks"}})
      if (complete_ && flag) flags += name;
    line(fmt::format("for {} in [{}, {}){} {{", var(s.var), expr(s.lo), expr(s.hi),
                     complete_       ? flags
                     : s.fallback    ? " fallback"
                     : s.across      ? " across"
                     : s.chunks      ? " chunks"
                     : s.independent ? " independent"
                                     : ""));
    block(s.body);
    line("}");
  }
  void stmt(const Loop& s) {
    line("loop {");
    block(s.body);
    line("}");
  }
  void stmt(const Break&) { line("break"); }
  void stmt(const Continue&) { line("continue"); }
  void stmt(const Fail& s) {
    std::string text = fmt::format("fail {} site {}", code_name(static_cast<Code>(s.code)), s.site);
    if (s.index) text += " index " + expr(s.index);
    if (s.extent) text += " extent " + expr(s.extent);
    line(text);
  }
  void stmt(const Exit&) { line("exit"); }
  void stmt(const Call& s) {
    const char* name = s.fn >= 0 && s.fn < runtime_count ? runtime_table[s.fn].symbol : "?";
    line(fmt::format("{}{}({}){}", s.result != none ? var(s.result) + " = " : "", name,
                     list(s.args, [&](const Arg& a) { return arg(a); }), s.checked ? " checked" : ""));
  }
  std::string arg(const Arg& a) const {
    switch (a.kind) {
      case Arg::Kind::Scalar:
        return expr(a.value);
      case Arg::Kind::Array:
        return fmt::format("{}{}", a.out ? (a.in ? "inout " : "out ") : complete_ ? "array " : "", array(a.array));
      case Arg::Kind::Int64s:
        return "[" + list(a.values, [&](ExprP e) { return expr(e); }) + "]";
      case Arg::Kind::Site:
        return fmt::format("site {}", a.site);
      case Arg::Kind::Text:
        return (complete_ ? "text " : "") + quoted(a.text);
    }
    return "?";
  }
  void stmt(const CallFunction& s) {
    auto operands = [&](const std::vector<Operand>& l) {
      return list(l, [&](const Operand& o) { return operand(o); });
    };
    std::string callee = s.callee != none ? function(s.callee) : "*" + var(s.handle);
    line(fmt::format("{}call {}({})", s.results.empty() ? "" : operands(s.results) + " = ", callee, operands(s.args)));
  }
  void stmt(const Scratch& s) { line(fmt::format("{} = scratch of {} bytes", var(s.var), s.bytes)); }
  void stmt(const TakeAddress& s) { line(fmt::format("{} = address of {}", var(s.var), function(s.callee))); }
  void stmt(const ParallelFor& s) {
    line(fmt::format("parallel for [{}, {}) {}({})", expr(s.lo), expr(s.hi), function(s.task),
                     list(s.captures, [&](VarId v) { return var(v); })));
  }
  void stmt(const Launch& s) {
    line(fmt::format("launch {} over [{}] ({}) site {}", function(s.kernel),
                     list(s.counts, [&](ExprP e) { return expr(e); }),
                     list(s.args, [&](const Operand& o) { return operand(o); }), s.site));
  }

  const Function& f_;
  const Module* m_;
  const bool complete_;
  std::vector<std::string> names_, array_names_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string print(const Function& f) { return FunctionPrinter(f, nullptr).run(); }

std::string print(const Module& m) {
  std::string s = fmt::format("module {}\n", m.name);
  for (const auto& f : m.functions) s += "\n" + FunctionPrinter(*f, &m).run();
  if (!m.sites.empty()) s += "\n";
  for (size_t i = 0; i < m.sites.size(); ++i) {
    const Site& site = m.sites[i];
    s += fmt::format("site {}: {}", i, site.function);
    if (!site.loc.empty()) s += " " + site.loc;
    if (!site.array.empty()) s += fmt::format(" array {}", site.array);
    if (site.axis >= 0) s += fmt::format(" axis {}", site.axis);
    if (!site.message.empty()) s += " " + quoted(site.message);
    s += "\n";
  }
  for (const std::string& r : m.report) s += "report: " + r + "\n";
  return s;
}

std::string print_loops(const Module& m) {
  std::string s = fmt::format("module {}\n", quoted(m.name));
  for (size_t i = 0; i < m.sites.size(); ++i) {
    const Site& site = m.sites[i];
    s += fmt::format("site {} {} {} {} {}\n", quoted(site.function), quoted(site.loc), quoted(site.array), site.axis,
                     quoted(site.message));
  }
  for (const auto& f : m.functions) s += "\n" + FunctionPrinter(*f, &m, true).run();
  return s;
}

}  // namespace vr::lower
