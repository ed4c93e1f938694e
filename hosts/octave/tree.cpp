#include "tree.hpp"

#include "outline.hpp"
#include "tree_expr.hpp"

#include <octave/comment-list.h>
#include <octave/ov-usr-fcn.h>

#include <algorithm>
#include <sstream>

namespace vr::octave_host {

using matlab::Body;
using matlab::Expr;
using matlab::ExprKind;
using matlab::ExprPtr;
using matlab::Op;
using matlab::Pos;
using matlab::Stmt;
using matlab::StmtKind;
using matlab::StmtPtr;

namespace {

/// x++ and the like within a statement.
struct Update {
  std::string name;
  bool before = false;  ///< ++x
  Op op = Op::Plus;
};

int mentions(const Expr& e, const std::string& name) {
  int n = e.kind == ExprKind::Name && e.text == name;
  for (const ExprPtr& a : e.args)
    if (a) n += mentions(*a, name);
  for (const auto& row : e.rows)
    for (const ExprPtr& a : row) n += mentions(*a, name);
  return n;
}

/// The expression with x in the place of x++. Those that may not be evaluated, or are evaluated elsewhere, stay.
ExprPtr without_updates(const ExprPtr& e, std::vector<Update>& found) {
  if (!e || e->kind == ExprKind::Lambda || (e->kind == ExprKind::Binary && (e->op == Op::AndAnd || e->op == Op::OrOr)))
    return e;
  if ((e->kind == ExprKind::Unary || e->kind == ExprKind::Postfix) &&
      (e->op == Op::Increment || e->op == Op::Decrement) && e->args[0]->kind == ExprKind::Name) {
    found.push_back({e->args[0]->text, e->kind == ExprKind::Unary, e->op == Op::Increment ? Op::Plus : Op::Minus});
    return e->args[0];
  }
  const size_t before = found.size();
  auto copy = std::make_shared<Expr>(*e);
  for (ExprPtr& a : copy->args) a = without_updates(a, found);
  for (auto& row : copy->rows)
    for (ExprPtr& a : row) a = without_updates(a, found);
  return found.size() == before ? e : copy;
}

/// The statement, with updates within it as statements of their own before or behind it. A variable that occurs more
/// than once in the statement is left as it is.
StmtPtr with_updates_apart(const StmtPtr& s, std::set<std::string>& assigned) {
  if (s->kind != StmtKind::Assign && s->kind != StmtKind::Expr) return s;
  std::vector<Update> found;
  auto copy = std::make_shared<Stmt>(*s);
  copy->value = without_updates(s->value, found);
  for (ExprPtr& t : copy->targets) t = without_updates(t, found);
  if (found.empty()) return s;
  Body before, after;
  std::set<std::string> names;
  for (const Update& u : found) {
    names.insert(u.name);
    int n = mentions(*copy->value, u.name);
    for (const ExprPtr& t : copy->targets) n += t ? mentions(*t, u.name) : 0;
    if (n != 1) return s;
    auto name = std::make_shared<Expr>();
    name->kind = ExprKind::Name;
    name->text = u.name;
    name->pos = s->pos;
    auto one = std::make_shared<Expr>();
    one->number = 1;
    one->pos = s->pos;
    auto update = std::make_shared<Stmt>();
    update->kind = StmtKind::Assign;
    update->pos = s->pos;
    update->op = u.op;
    update->targets = {name};
    update->value = one;
    (u.before ? before : after).push_back(update);
  }
  assigned.insert(names.begin(), names.end());
  before.push_back(copy);
  before.insert(before.end(), after.begin(), after.end());
  return matlab::block(s->pos, std::move(before));
}

std::shared_ptr<Stmt> stmt(StmtKind kind, const octave::tree& t) {
  auto s = std::make_shared<Stmt>();
  s->kind = kind;
  s->pos = at(t);
  return s;
}

class StmtTranslator : public octave::tree_walker {
 public:
  explicit StmtTranslator(Translated& out) : out_(out), e_(out) {}
  ExprTranslator& expressions() { return e_; }

  Body body(octave::tree_statement_list* list, octave::comment_list* trailing = nullptr) {
    Body b;
    if (list)
      for (octave::tree_statement* s : *list) statement(*s, b);
    pragmas(trailing, {}, b);
    return b;
  }

  void parameters(octave::tree_parameter_list* list, std::vector<matlab::Param>& params) {
    if (!list) return;
    for (octave::tree_decl_elt* p : *list) {
      matlab::Param out;
      out.name = p->ident()->is_black_hole() ? "~" : p->name();
      if (p->expression()) out.value = e_.expr(p->expression());
      out_.assigned.insert(out.name);
      params.push_back(std::move(out));
    }
    if (list->takes_varargs()) params.push_back({"varargin", nullptr});
  }

  Body loop(octave::tree_command& c) {
    Body b;
    command(c, {std::max(0, c.line()), std::max(0, c.column())}, b);
    // A section that begins at the loop ends with the loop: statements after the loop are not part of it.
    if (!b.empty() && b.front()->kind == StmtKind::Pragma && b.front()->text == "gpu") {
      auto end = std::make_shared<Stmt>();
      end->kind = StmtKind::Pragma;
      end->pos = b.front()->pos;
      end->text = "end";
      b.push_back(std::move(end));
    }
    return b;
  }

  // commands: each becomes a statement
  void visit_if_command(octave::tree_if_command& c) override {
    auto s = stmt(StmtKind::If, c);
    for (octave::tree_if_clause* clause : *c.cmd_list()) {
      // Pragmas in front of `else` belong to the branch that ends there.
      if (!s->bodies.empty()) pragmas(clause->leading_comment(), {}, s->bodies.back());
      if (clause->condition()) s->tests.push_back(e_.expr(clause->condition()));
      s->bodies.push_back(body(clause->commands()));
    }
    pragmas(c.trailing_comment(), {}, s->bodies.back());
    done_ = s;
  }
  void visit_switch_command(octave::tree_switch_command& c) override {
    auto s = stmt(StmtKind::Switch, c);
    s->value = e_.expr(c.switch_value());
    if (c.case_list())
      for (octave::tree_switch_case* one : *c.case_list()) {
        if (!s->bodies.empty()) pragmas(one->leading_comment(), {}, s->bodies.back());
        if (one->case_label()) s->tests.push_back(e_.expr(one->case_label()));
        s->bodies.push_back(body(one->commands()));
      }
    if (!s->bodies.empty()) pragmas(c.trailing_comment(), {}, s->bodies.back());
    done_ = s;
  }
  void visit_while_command(octave::tree_while_command& c) override {
    auto s = stmt(StmtKind::While, c);
    s->tests = {e_.expr(c.condition())};
    s->bodies = {body(c.body(), c.trailing_comment())};
    done_ = s;
  }
  void visit_do_until_command(octave::tree_do_until_command& c) override {
    auto s = stmt(StmtKind::DoUntil, c);
    s->tests = {e_.expr(c.condition())};
    s->bodies = {body(c.body(), c.trailing_comment())};
    done_ = s;
  }
  void visit_simple_for_command(octave::tree_simple_for_command& c) override {
    auto s = stmt(StmtKind::For, c);
    s->parallel = c.in_parallel();
    const ExprPtr variable = e_.target(c.left_hand_side());
    if (variable->kind != ExprKind::Name) throw Untranslatable{"a loop whose variable is not a name"};
    s->targets = {variable};
    s->value = e_.expr(c.control_expr());
    if (c.maxproc_expr()) s->tests = {e_.expr(c.maxproc_expr())};
    s->bodies = {body(c.body(), c.trailing_comment())};
    done_ = s;
  }
  void visit_complex_for_command(octave::tree_complex_for_command&) override {
    throw Untranslatable{"a loop over a structure"};
  }
  void visit_break_command(octave::tree_break_command& c) override { done_ = stmt(StmtKind::Break, c); }
  void visit_continue_command(octave::tree_continue_command& c) override { done_ = stmt(StmtKind::Continue, c); }
  void visit_return_command(octave::tree_return_command& c) override { done_ = stmt(StmtKind::Return, c); }
  void visit_decl_command(octave::tree_decl_command& c) override {
    if (c.name() == "global") throw Untranslatable{"a global variable"};
    // A persistent variable that has a constant value, and is assigned nowhere else, always has that value.
    Body b;
    for (octave::tree_decl_elt* d : *c.initializer_list()) {
      ExprPtr value = d->expression() ? e_.expr(d->expression()) : nullptr;
      if (!value || !is_constant(*value)) throw Untranslatable{"a persistent variable"};
      auto s = stmt(StmtKind::Assign, c);
      auto name = std::make_shared<Expr>();
      name->kind = ExprKind::Name;
      name->text = d->name();
      name->pos = s->pos;
      s->targets = {name};
      s->value = value;
      persistent_.emplace_back(d->name(), s);
      b.push_back(s);
    }
    done_ = matlab::block(at(c), std::move(b));
  }
  /// Persistent variables that are assigned elsewhere are none of the above.
  void check_persistent() {
    for (auto& [name, s] : persistent_) {
      const bool twice = std::count_if(persistent_.begin(), persistent_.end(),
                                       [&name = name](const auto& p) { return p.first == name; }) > 1;
      if (!out_.assigned.count(name) && !twice) continue;
      s->kind = StmtKind::Other;
      s->text = "a persistent variable";
      s->targets.clear();
      s->value = nullptr;
    }
  }
  // If a fault occurs, the interpreter runs the whole call, including the handler. So compiled code needs only the path
  // without a fault.
  void visit_try_catch_command(octave::tree_try_catch_command& c) override {
    done_ = matlab::block(at(c), body(c.body()));
  }
  void visit_unwind_protect_command(octave::tree_unwind_protect_command& c) override {
    Body b = body(c.body());
    if (matlab::jumps(b)) throw Untranslatable{"unwind_protect around a return, break or continue"};
    for (StmtPtr& s : body(c.cleanup())) b.push_back(std::move(s));
    done_ = matlab::block(at(c), std::move(b));
  }
  void visit_spmd_command(octave::tree_spmd_command&) override { throw Untranslatable{"spmd"}; }
  void visit_function_def(octave::tree_function_def&) override { throw Untranslatable{"a function within a function"}; }
  void visit_arguments_block(octave::tree_arguments_block&) override { throw Untranslatable{"an arguments block"}; }
  void visit_no_op_command(octave::tree_no_op_command&) override {}

 private:
  /// Translates comments `%#vr text`. The parser has removed the comment characters.
  static void pragmas(octave::comment_list* list, Pos pos, Body& b) {
    if (!list) return;
    for (const octave::comment_elt& c : *list) {
      std::istringstream lines(c.text());
      for (std::string line; std::getline(lines, line);) {
        if (line.rfind("vr ", 0) != 0) continue;
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
        auto s = std::make_shared<Stmt>();
        s->kind = StmtKind::Pragma;
        s->pos = pos;
        s->text = line.substr(3);
        b.push_back(std::move(s));
      }
    }
  }

  static octave::comment_list* leading(octave::tree_command* c) {
    if (auto* f = dynamic_cast<OutlinedLoop*>(c)) return leading(&f->loop());
    if (auto* f = dynamic_cast<octave::tree_simple_for_command*>(c)) return f->leading_comment();
    if (auto* f = dynamic_cast<octave::tree_while_command*>(c)) return f->leading_comment();
    if (auto* f = dynamic_cast<octave::tree_if_command*>(c)) return f->leading_comment();
    if (auto* f = dynamic_cast<octave::tree_switch_command*>(c)) return f->leading_comment();
    if (auto* f = dynamic_cast<octave::tree_do_until_command*>(c)) return f->leading_comment();
    return nullptr;
  }

  static StmtPtr other(const Untranslatable& u, Pos pos) {
    auto s = std::make_shared<Stmt>();
    s->kind = StmtKind::Other;
    s->pos = pos;
    s->text = u.what;
    return s;
  }

  void command(octave::tree_command& c, Pos pos, Body& b) {
    pragmas(leading(&c), pos, b);
    done_ = nullptr;
    try {
      c.accept(*this);
      if (done_) b.push_back(std::move(done_));
    } catch (const Untranslatable& u) {
      b.push_back(other(u, pos));
    }
  }

  void statement(octave::tree_statement& t, Body& b) {
    const Pos pos{std::max(0, t.line()), std::max(0, t.column())};
    pragmas(t.comment_text(), pos, b);
    if (t.is_command()) return command(*t.command(), pos, b);
    if (!t.is_expression()) return;
    try {
      if (StmtPtr s = expression(*t.expression(), t.print_result())) b.push_back(with_updates_apart(s, out_.assigned));
    } catch (const Untranslatable& u) {
      b.push_back(other(u, pos));
    }
  }

  StmtPtr expression(octave::tree_expression& e, bool printed) {
    auto s = stmt(StmtKind::Expr, e);
    s->printed = printed;
    auto update = [&](octave::tree_expression* what, Op op, const ExprPtr& by) {
      s->kind = StmtKind::Assign;
      s->op = op;
      s->targets = {e_.target(what)};
      s->value = by;
    };
    if (auto* a = dynamic_cast<octave::tree_simple_assignment*>(&e)) {
      Op op = Op::None;
      if (a->op_type() != octave_value::op_asn_eq) op = binary_op(octave_value::assign_op_to_binary_op(a->op_type()));
      update(a->left_hand_side(), op, e_.expr(a->right_hand_side()));
      return s;
    }
    if (auto* a = dynamic_cast<octave::tree_multi_assignment*>(&e)) {
      s->kind = StmtKind::Assign;
      for (octave::tree_expression* t : *a->left_hand_side()) {
        const bool ignored = t->is_identifier() && static_cast<octave::tree_identifier*>(t)->is_black_hole();
        s->targets.push_back(ignored ? nullptr : e_.target(t));
      }
      s->value = e_.expr(a->right_hand_side());
      return s;
    }
    if (auto* u = dynamic_cast<octave::tree_unary_expression*>(&e);
        u && (u->op_type() == octave_value::op_incr || u->op_type() == octave_value::op_decr)) {
      update(u->operand(), u->op_type() == octave_value::op_incr ? Op::Plus : Op::Minus, ExprTranslator::number(1, at(e)));
      s->sets_ans = dynamic_cast<octave::tree_prefix_expression*>(u) ? matlab::SetsAns::After : matlab::SetsAns::Before;
      return s;
    }
    s->value = e_.expr(&e);
    if (!printed)
      if (StmtPtr assignment = matlab::conditional_assignment(s->value)) return assignment;
    // The thesis' declaration of shared variables (9.1.1). They are inferred, so the declaration is ignored.
    const Expr* call = s->value->kind == ExprKind::Index ? s->value->args[0].get() : s->value.get();
    if (call->kind == ExprKind::Name && call->text == "mcvm_shared") return nullptr;
    return s;
  }

  static const std::set<std::string>& constant_functions() {
    static const std::set<std::string> names = {
        "sqrt", "exp", "log",  "sin",   "cos",   "tan",  "atan",  "abs",  "pi",     "e",      "Inf",    "NaN",
        "inf",  "eps", "true", "false", "zeros", "ones", "gamma", "cell", "struct", "double", "single", "factorial"};
    return names;
  }
  static bool is_constant(const Expr& e) {
    switch (e.kind) {
      case ExprKind::Number:
      case ExprKind::String:
        return true;
      case ExprKind::Name:
        return constant_functions().count(e.text) > 0;
      case ExprKind::Index:
        if (e.args[0]->kind != ExprKind::Name) return false;
        [[fallthrough]];
      case ExprKind::Unary:
      case ExprKind::Postfix:
      case ExprKind::Binary:
      case ExprKind::Range:
      case ExprKind::Matrix:
      case ExprKind::Cell:
        return std::all_of(e.args.begin(), e.args.end(), [](const ExprPtr& a) { return is_constant(*a); }) &&
               std::all_of(e.rows.begin(), e.rows.end(), [](const auto& row) {
                 return std::all_of(row.begin(), row.end(), [](const ExprPtr& a) { return is_constant(*a); });
               });
      default:
        return false;
    }
  }

  Translated& out_;
  ExprTranslator e_;
  StmtPtr done_;
  std::vector<std::pair<std::string, std::shared_ptr<Stmt>>> persistent_;
};

}  // namespace

Translated translate(octave_user_function& f, const std::string& name, int results, std::string& why) {
  Translated out;
  if (f.is_nested_function() || f.is_parent_function()) why = "nested functions";
  if (f.is_class_method() || f.is_class_constructor()) why = "a method of a class";
  if (!why.empty()) return out;
  StmtTranslator t(out);
  auto function = std::make_shared<matlab::Function>();
  function->name = name;
  const std::string file = f.fcn_file_name();
  function->file = file.empty() ? name : file.substr(file.find_last_of('/') + 1);
  function->pos = {std::max(0, f.beginning_line()), std::max(0, f.beginning_column())};
  try {
    t.parameters(f.parameter_list(), function->params);
    if (f.is_special_expr()) {
      auto s = std::make_shared<Stmt>();
      s->kind = StmtKind::Assign;
      s->value = t.expressions().expr(f.special_expr());
      s->pos = s->value->pos;
      for (int k = 1; k <= std::max(1, results); ++k) {
        auto result = std::make_shared<Expr>();
        result->kind = ExprKind::Name;
        result->text = "vr_result" + std::to_string(k);
        result->pos = s->pos;
        s->targets.push_back(result);
        function->outputs.push_back(result->text);
      }
      function->body = {s};
    } else {
      if (f.return_list())
        for (octave::tree_decl_elt* p : *f.return_list()) {
          if (p->expression()) throw Untranslatable{"an output with a default"};
          function->outputs.push_back(p->name());
          out.assigned.insert(p->name());
        }
      if (f.takes_var_return()) function->outputs.push_back("varargout");
      function->body = t.body(f.body(), f.trailing_comment());
      t.check_persistent();
    }
  } catch (const Untranslatable& u) {
    why = u.what;
    return out;
  }
  out.function = function;
  return out;
}

Body translate_loop(octave::tree_command& loop, Translated& out) { return StmtTranslator(out).loop(loop); }

matlab::ExprPtr translate_lambda(octave_user_function& f, std::set<std::string>& names, std::string& why) {
  Translated out;
  ExprTranslator t(out);
  try {
    ExprPtr e = t.lambda(f.parameter_list(), f.special_expr(), {});
    names = out.names;
    return e;
  } catch (const Untranslatable& u) {
    why = u.what;
    return nullptr;
  }
}

}  // namespace vr::octave_host
