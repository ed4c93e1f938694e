#include "analysis/statements.hpp"

#include <velociraptor/ir/visit.hpp>

#include <fmt/format.h>

namespace vr::analysis {

using namespace ir;

Statements::Statements(const Body& body) { top_ = add(body, -1); }

std::vector<int> Statements::add(const Body& body, int parent) {
  std::vector<int> numbers;
  for (const StmtPtr& s : body) {
    const size_t at = places_.size();
    numbers.push_back(static_cast<int>(at));
    places_.push_back({s.get(), parent, {}, {}});
    const int number = static_cast<int>(at);
    std::vector<int> inside, others;
    if (auto* n = as<StmtList>(s)) inside = add(n->stmts, number);
    if (auto* n = as<For>(s)) inside = add(n->body, number);
    if (auto* n = as<PFor>(s)) inside = add(n->body, number);
    if (auto* n = as<While>(s)) inside = add(n->body, number);
    if (auto* n = as<If>(s)) {
      inside = add(n->then_body, number);
      others = add(n->else_body, number);
    }
    places_[at].body = std::move(inside);
    places_[at].others = std::move(others);
  }
  return numbers;
}

std::string variable_text(const Function& f, SymbolId id) {
  const Symbol* s = f.symbols.find(id);
  return fmt::format("{}#{}", s ? s->name : "", id);
}

namespace {

std::string target_text(const Function& f, const ExprPtr& t) {
  if (auto* n = as<Name>(t)) return variable_text(f, n->id);
  if (auto* n = as<Index>(t)) return variable_text(f, n->array) + "[]";
  if (auto* n = as<TupleIndex>(t)) return fmt::format("{}.{}", variable_text(f, n->tuple), n->index);
  std::string text;
  if (auto* n = as<TupleExpr>(t))
    for (const ExprPtr& e : n->elems) text += (text.empty() ? "" : ", ") + target_text(f, e);
  return "(" + text + ")";
}

std::string variables_text(const Function& f, const std::vector<SymbolId>& ids) {
  std::string text;
  for (SymbolId id : ids) text += " " + variable_text(f, id);
  return text;
}

std::string statement_text(const Function& f, const Stmt& s) {
  switch (s.kind) {
    case Kind::Assign: {
      std::string text;
      for (const ExprPtr& t : static_cast<const Assign&>(s).targets)
        text += (text.empty() ? "" : ", ") + target_text(f, t);
      return text + " =";
    }
    case Kind::StmtList:
      return static_cast<const StmtList&>(s).on_gpu ? "section" : "block";
    case Kind::For:
      return "for" + variables_text(f, static_cast<const For&>(s).itervars);
    case Kind::PFor:
      return "pfor" + variables_text(f, static_cast<const PFor&>(s).itervars);
    case Kind::ExprStmt:
      return "do";
    case Kind::While:
      return "while";
    case Kind::If:
      return "if";
    case Kind::Return:
      return "return";
    default:
      return kind_word(s.kind);
  }
}

}  // namespace

std::string list_statements(const Function& f, const Statements& s, const std::function<std::string(int)>& note,
                            const std::function<std::string(StatementList)>& end) {
  std::string out;
  auto line = [&](const std::string& number, size_t depth, const std::string& text, const std::string& noted) {
    std::string l = fmt::format("{:>4}  {}{}", number, std::string(2 * depth, ' '), text);
    out += noted.empty() ? l + "\n" : fmt::format("{:<30}  {}\n", l, noted);
  };
  auto list = [&](auto& self, StatementList l, size_t depth) -> void {
    for (int k : s.list(l)) {
      line(std::to_string(k), depth, statement_text(f, *s.at(k).stmt), note(k));
      self(self, {k, false}, depth + 1);
      if (s.at(k).others.empty()) continue;
      line("", depth, "else", "");
      self(self, {k, true}, depth + 1);
    }
    if (const std::string noted = end ? end(l) : ""; !noted.empty()) line("", depth, "end", noted);
  };
  list(list, {}, 0);
  return out;
}

}  // namespace vr::analysis
