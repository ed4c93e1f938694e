#include "part.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace vr::matlab {

namespace {

using Names = std::set<std::string>;

/// Walks statements in the order of their execution; `sure` has the names that every path so far has assigned to.
class Walk {
 public:
  explicit Walk(Uses& out) : out_(out) {}

  /// Whether control can reach the end.
  bool body(const Body& b, Names& sure) {
    for (const StmtPtr& s : b)
      if (!stmt(*s, sure)) return false;
    return true;
  }

 private:
  void read(const std::string& name, const Names& sure) {
    out_.names.insert(name);
    if (!sure.count(name)) out_.reads.insert(name);
  }
  void write(const std::string& name, Names& sure, bool whole) {
    out_.names.insert(name);
    out_.writes.insert(name);
    if (parallel_ == 0 || !whole) kept_.insert(name);
    if (whole && parallel_ > 0 && !kept_.count(name)) out_.temporaries.insert(name);
    if (kept_.count(name)) out_.temporaries.erase(name);
    if (whole) sure.insert(name);
  }

  void expr(const Expr& e, Names& sure) {
    if (e.kind == ExprKind::Name) return read(e.text, sure);
    if (e.kind == ExprKind::Handle) {
      out_.names.insert(e.text);
      return;
    }
    if (e.kind == ExprKind::Lambda) {
      Names inner = sure;  // its parameters hide variables
      inner.insert(e.names.begin(), e.names.end());
      return expr(*e.args[0], inner);
    }
    if (e.kind == ExprKind::Assign) {
      expr(*e.args[1], sure);
      return target(e.args[0], sure, false);
    }
    const bool decides = e.op == Op::AndAnd || e.op == Op::OrOr || e.op == Op::And || e.op == Op::Or;
    for (size_t k = 0; k < e.args.size(); ++k) {
      if (!e.args[k]) continue;
      Names apart = sure;
      expr(*e.args[k], decides && k > 0 ? apart : sure);
    }
    for (const auto& row : e.rows)
      for (const ExprPtr& x : row) expr(*x, sure);
  }

  void target(const ExprPtr& t, Names& sure, bool updates) {
    if (!t) return;
    if (t->kind == ExprKind::Name) {
      if (updates) read(t->text, sure);
      return write(t->text, sure, true);
    }
    const Expr* base = t.get();
    expr(*t, sure);  // an element: the rest of the array stays
    while (base->kind == ExprKind::Index || base->kind == ExprKind::Brace || base->kind == ExprKind::Field)
      base = base->args[0].get();
    if (base->kind == ExprKind::Name) write(base->text, sure, false);
  }

  bool stmt(const Stmt& s, Names& sure) {
    switch (s.kind) {
      case StmtKind::Assign:
        expr(*s.value, sure);
        for (const ExprPtr& t : s.targets) target(t, sure, s.op != Op::None);
        if (s.sets_ans != SetsAns::No) write("ans", sure, true);
        return true;
      case StmtKind::Expr:
        expr(*s.value, sure);
        if (s.value->kind != ExprKind::Name || !sure.count(s.value->text)) write("ans", sure, false);
        return true;
      case StmtKind::If:
        if (s.sets_ans != SetsAns::No) write("ans", sure, false);
        return branches(s, sure);
      case StmtKind::Switch:
        expr(*s.value, sure);
        return branches(s, sure);
      case StmtKind::While: {
        expr(*s.tests[0], sure);
        Names inner = sure;
        body(s.bodies[0], inner);
        return true;
      }
      case StmtKind::DoUntil: {
        Names inner = sure;
        body(s.bodies[0], inner);
        Names at_test = sure;  // `continue` may have come here from anywhere
        expr(*s.tests[0], at_test);
        return true;
      }
      case StmtKind::For: {
        expr(*s.value, sure);
        for (const ExprPtr& t : s.tests) expr(*t, sure);
        parallel_ += s.parallel;
        Names inner = sure;
        target(s.targets[0], inner, false);
        body(s.bodies[0], inner);
        parallel_ -= s.parallel;
        return true;
      }
      case StmtKind::Return:
        out_.returns = true;
        return false;
      case StmtKind::Break:
      case StmtKind::Continue:
        return false;
      case StmtKind::Pragma:
      case StmtKind::Other:
        return true;
    }
    return true;
  }

  bool branches(const Stmt& s, Names& sure) {
    std::optional<Names> all;
    for (size_t k = 0; k < s.bodies.size(); ++k) {
      if (k < s.tests.size()) expr(*s.tests[k], sure);
      Names inner = sure;
      if (!body(s.bodies[k], inner)) continue;
      all = all ? common(*all, inner) : inner;
    }
    if (s.bodies.size() == s.tests.size()) all = all ? common(*all, sure) : sure;
    if (all) sure = *all;
    return all.has_value();
  }
  static Names common(const Names& a, const Names& b) {
    Names both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    return both;
  }

  Uses& out_;
  Names kept_;  ///< assigned to outside of parallel loops, or in part
  int parallel_ = 0;
};

}  // namespace

Uses uses_of(const Body& statements) {
  Uses uses;
  Names sure;
  Walk(uses).body(statements, sure);
  for (const std::string& name : uses.reads) uses.temporaries.erase(name);  // a reduction, or carried on
  return uses;
}

std::string outside_of_parts(const Uses& uses) {
  for (const char* name :
       {"nargin", "nargout", "varargin", "varargout", "exist", "inputname", "isargout", "eval", "evalc", "evalin",
        "assignin", "who", "whos", "clear", "nargchk", "narginchk", "print_usage"})
    if (uses.names.count(name)) return std::string("'") + name + "' in a part of a function";
  return "";
}

FunctionPtr part_function(const std::string& name, const std::string& file, Pos pos, std::vector<std::string> params,
                          std::vector<std::string> outputs, Body statements) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->file = file;
  f->pos = pos;
  for (std::string& p : params) f->params.push_back({std::move(p), nullptr});
  f->outputs = std::move(outputs);
  f->body = std::move(statements);
  f->part = true;
  return f;
}

}  // namespace vr::matlab
