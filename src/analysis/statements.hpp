// The statements of a function, numbered: the program points of analyses.
#pragma once
#include <velociraptor/ir/nodes.hpp>

#include <compare>
#include <functional>
#include <string>
#include <vector>

namespace vr::analysis {

/// A statement's position in the tree. The same node may occur at two positions, so that analyses number positions.
struct StatementPlace {
  const ir::Stmt* stmt = nullptr;
  int parent = -1;          ///< the statement around it; -1: the function's body
  std::vector<int> body;    ///< its statements (of an if: those of the then branch), in order
  std::vector<int> others;  ///< of an if: those of the else branch
};

/// A list of statements: the function's body, or one of a statement's.
struct StatementList {
  int parent = -1;      ///< the statement around it; -1: the function's body
  bool others = false;  ///< the else branch of an if
  friend auto operator<=>(const StatementList&, const StatementList&) = default;
};

/// All statements of a body, in source order: a statement's number is smaller than those of nested statements. The body
/// must outlive this.
class Statements {
 public:
  explicit Statements(const ir::Body& body);
  int count() const { return static_cast<int>(places_.size()); }
  const StatementPlace& at(int number) const { return places_[static_cast<size_t>(number)]; }
  const std::vector<int>& top() const { return top_; }  ///< the statements of the body itself
  const std::vector<int>& list(StatementList l) const {
    return l.parent < 0 ? top_ : l.others ? at(l.parent).others : at(l.parent).body;
  }

 private:
  std::vector<int> add(const ir::Body& body, int parent);
  std::vector<StatementPlace> places_;
  std::vector<int> top_;
};

/// "x#2": a variable in the text of an analysis.
std::string variable_text(const ir::Function& f, ir::SymbolId id);

/// A function as analyses print it: a line for each statement, with its number, its kind ("x#0 =", "for i#3"), and the
/// text of `note`. If `end` gives a text for a list, a line at the list's end.
std::string list_statements(const ir::Function& f, const Statements& s, const std::function<std::string(int)>& note,
                            const std::function<std::string(StatementList)>& end = {});

}  // namespace vr::analysis
