// Tree to short syntax: the inverse of parse_short, which derives ids and types in the same order.
#include "text/scanner.hpp"
#include "text/short/convention_words.hpp"
#include "text/short/expr_printer.hpp"
#include "text/short/first_uses.hpp"
#include "text/short/short_types.hpp"
#include "text/short/tokens.hpp"

#include <velociraptor/ir/text.hpp>
#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

namespace vr::text::brief {

using namespace ir;

namespace {

class FunctionPrinter {
 public:
  FunctionPrinter(const Function& f, const Module& m, const NameIndex& functions, const Conventions& c,
                  std::string& out)
      : f_(f), scope_(m, functions, c), exprs_(scope_, names_), out_(out) {}

  void run() {
    if (f_.external) return external();
    std::map<std::string, int> count;
    for (const Symbol& s : f_.symbols.all()) ++count[s.name];
    for (const Symbol& s : f_.symbols.all()) {
      std::string name = written_name(s.name);
      names_[s.id] = count[s.name] > 1 ? fmt::format("{}#{}", name, s.id) : name;
    }
    header();
    depth_ = 1;
    std::set<SymbolId> declared;
    for (const Symbol& s : scope_.symbols().all()) declared.insert(s.id);
    std::string variables;
    for (SymbolId id : undeclared(f_, declared)) {
      const Symbol& s = f_.symbols.at(id);
      variables += fmt::format("{}{}: {}", variables.empty() ? "var " : ", ", declaration(s), exprs_.type(s.type));
      if (variables.size() > 90) line(std::exchange(variables, ""));
    }
    if (!variables.empty()) line(variables);
    body(f_.body, 0);
  }

 private:
  void line(const std::string& text) { out_ += std::string(static_cast<size_t>(depth_) * 4, ' ') + text + "\n"; }
  static std::string at(const std::string& loc) { return loc.empty() ? "" : " @ " + quote(loc); }

  /// The variable where it is declared: with its id unless that is the next one.
  std::string declaration(const Symbol& s) {
    std::string name = names_[s.id];
    if (s.id != scope_.next_id() && name == written_name(s.name)) name += fmt::format("#{}", s.id);
    scope_.declare(s);
    return name;
  }
  std::string target(SymbolId id) {
    return !scope_.find(id) && f_.symbols.find(id) ? declaration(f_.symbols.at(id)) : exprs_.variable(id);
  }

  void external() {
    std::string text = "extern " + written_name(f_.name);
    if (f_.type.is_function()) {
      std::string types;
      for (const Type& t : f_.type.components()) types += (types.empty() ? "" : ", ") + exprs_.type(t);
      text += "(" + types + ")" + results();
    } else {
      text += " of " + exprs_.type(f_.type);
    }
    if (f_.external->parallel) text += " parallel";
    line(text + at(f_.loc));
  }
  std::string results() const {
    if (f_.type.outputs().empty()) return "";
    return " -> " + written_results(f_.type.outputs(), fresh_layout(scope_.conventions()));
  }

  void header() {
    const std::vector<Type>& types = f_.type.components();
    bool plain = f_.type.is_function() && f_.args.size() == types.size();
    std::set<SymbolId> seen;
    for (size_t k = 0; plain && k < types.size(); ++k) {
      const Symbol* s = f_.symbols.find(f_.args[k]);
      plain = s && s->type == types[k] && seen.insert(s->id).second;
    }
    std::string args;
    for (SymbolId id : f_.args) {
      if (!args.empty()) args += ", ";
      if (!plain) {
        args += fmt::format("#{}", id);
        continue;
      }
      const Symbol& s = f_.symbols.at(id);
      args += declaration(s) + ": " + exprs_.type(s.type);
    }
    line(fmt::format("def {}({}){}{}:", written_name(f_.name), args, plain ? results() : " of " + exprs_.type(f_.type),
                     at(f_.loc)));
  }

  void body(const Body& list, int deeper = 1) {
    depth_ += deeper;
    for (const StmtPtr& s : list) visit(*s, [this](const auto& n) { stmt(n); });
    if (list.empty()) line("pass");
    depth_ -= deeper;
  }
  void stmt(const Assign& s) {
    // The value is printed first, in the order in which the parser reads it, before targets are declared.
    const std::string value = exprs_.expr(*s.value);
    std::vector<std::string> others;
    for (const ExprPtr& t : s.targets)
      if (t->kind != Kind::Name) others.push_back(exprs_.expr(*t));
    std::string targets;
    size_t next = 0;
    for (const ExprPtr& t : s.targets) {
      const auto* n = as<Name>(t);
      std::string text = n ? target(n->id) : others[next++];
      const Symbol* symbol = n ? scope_.find(n->id) : nullptr;
      if (n && !(n->type == (symbol ? symbol->type : Type::null())))
        text = fmt::format("({} : {})", text, exprs_.type(n->type));
      targets += (targets.empty() ? "" : ", ") + text;
    }
    line(targets + " = " + value + at(s.loc));
  }
  void stmt(const StmtList& s) {
    line((s.on_gpu ? "with gpu()" : "block") + at(s.loc) + ":");
    body(s.stmts);
  }
  template <class Loop>
  std::string loop(const Loop& s) {
    const auto* d = as<Domain>(s.domain);
    std::string domain;
    if (d && !d->ranges.empty() && scope_.type_of(untyped(*d)) == d->type)
      domain = "in " + exprs_.exprs(d->ranges);
    else
      domain = "over " + exprs_.expr(*s.domain);
    std::string variables;
    for (SymbolId id : s.itervars) variables += (variables.empty() ? "" : ", ") + target(id);
    return variables + " " + domain;
  }
  static Domain untyped(const Domain& d) {
    Domain bare = d;
    bare.type = Type::null();
    return bare;
  }
  void stmt(const For& s) {
    line("for " + loop(s) + at(s.loc) + ":");
    body(s.body);
  }
  void stmt(const PFor& s) {
    std::string text = "pfor " + loop(s);
    if (s.shared) {
      std::string list;
      for (SymbolId id : *s.shared) list += (list.empty() ? "" : ", ") + exprs_.variable(id);
      text += " shared (" + list + ")";
    }
    line(text + at(s.loc) + ":");
    body(s.body);
  }
  void stmt(const While& s) {
    line("while " + exprs_.expr(*s.test) + at(s.loc) + ":");
    body(s.body);
  }
  void stmt(const If& s) { branch(s, "if "); }
  void branch(const If& s, const char* word) {
    line(word + exprs_.expr(*s.test) + at(s.loc) + ":");
    body(s.then_body);
    if (s.else_body.empty()) return;
    if (const auto* next = s.else_body.size() == 1 ? as<If>(s.else_body[0]) : nullptr) return branch(*next, "elif ");
    line("else:");
    body(s.else_body);
  }
  void stmt(const Break& s) { line("break" + at(s.loc)); }
  void stmt(const Continue& s) { line("continue" + at(s.loc)); }
  void stmt(const Return& s) { line((s.exprs.empty() ? "return" : "return " + exprs_.exprs(s.exprs)) + at(s.loc)); }
  void stmt(const Raise& s) {
    const std::string args = exprs_.exprs(s.args);
    line(fmt::format("raise {}, {}{}{}", s.code, quote(s.text), args.empty() ? "" : ", ", args) + at(s.loc));
  }
  void stmt(const ExprStmt& s) { line(exprs_.expr(*s.expr) + at(s.loc)); }

  const Function& f_;
  Scope scope_;
  std::unordered_map<SymbolId, std::string> names_;
  ExprPrinter exprs_;
  std::string& out_;
  int depth_ = 0;
};

}  // namespace
}  // namespace vr::text::brief

namespace vr::ir {

std::string print_short(const Module& m) {
  std::vector<std::string> words = text::brief::convention_words(m.attrs);
  if (m.version) words.insert(words.begin(), fmt::format("vrir={}", *m.version));
  std::string out;
  if (!m.name.empty() || !words.empty() || m.functions.empty()) {
    out = "module " + text::brief::written_name(m.name);
    for (const std::string& w : words) out += " " + w;
    out += "\n";
  }
  NameIndex functions;
  functions.set_module(m);
  const Conventions conventions = m.attrs.resolve(Conventions::numpy());
  for (const FunctionPtr& f : m.functions) {
    if (!out.empty()) out += "\n";
    text::brief::FunctionPrinter(*f, m, functions, conventions, out).run();
  }
  return out;
}

}  // namespace vr::ir
