// Makes the nodes of statements: called at the end of each grammar rule for a statement.
#include <text/make_nodes.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <limits>

namespace vr::text {

using P = VrirParser;
using ir::ExprPtr;

// (shared ...)? (body ...), and `:shared auto`, which has the same meaning as no (shared ...).
static void pfor(PartialTree& tree) {
  const Frame f = tree.stacks.frame();
  size_t iterators = 0, bodies = 0, shares = 0, shared_count = 0;
  bool is_auto = false;
  for (const Value& v : tree.stacks.values()) {
    switch (v.attr) {
      case P::ItervarsTok:
        iterators = v.count;
        break;
      case P::BodyTok:
        ++bodies;
        break;
      case P::AttrShared:
      case P::AutoTok:
        ++shares;
        is_auto = true;
        break;
      case P::SharedTok:
        ++shares;
        shared_count = v.count;
        if (bodies) tree.errors.add(v.pos, "(shared ...) must precede (body ...) in pforstmt", "");
        break;
      default:
        break;
    }
  }
  if (bodies != 1)
    tree.errors.add(tree.places.pos(),
                    bodies ? "(body ...) is given twice in pforstmt" : "(body ...) is missing in pforstmt", "");
  if (shares > 1) tree.errors.add(tree.places.pos(), "the shared variables are given twice in pforstmt", "");
  auto first = tree.stacks.ids.begin() + static_cast<ptrdiff_t>(f.ids),
       middle = first + static_cast<ptrdiff_t>(iterators);
  std::vector<ir::SymbolId> itervars(first, middle);
  std::optional<std::vector<ir::SymbolId>> shared;
  if (shares && !is_auto) shared.emplace(middle, middle + static_cast<ptrdiff_t>(shared_count));
  make_stmt<ir::PFor>(tree, std::move(itervars), tree.stacks.exprs[f.exprs], std::move(shared),
                      tree.stacks.take_stmts(f.stmts));
}

bool leave_stmt(PartialTree& tree, size_t rule) {
  const Frame f = tree.stacks.frame();
  switch (rule) {
    case P::RuleLhs:
      if (tree.stacks.exprs.size() == f.exprs)
        tree.errors.add(tree.places.closed, "(lhs) of an assignstmt holds no target",
                        "a call without results is an (exprstmt ...)");
      mark(tree, P::LhsTok, tree.stacks.exprs.size() - f.exprs);
      return true;
    case P::RuleRhs:
      if (tree.stacks.exprs.size() > f.exprs) return true;
      if (tree.stacks.all_values.back().count > 0)
        tree.errors.add(tree.places.closed, "(rhs) of an assignstmt holds no expression", "");
      tree.building = false;  // the statement cannot be built
      return true;
    case P::RuleAssignstmt: {
      ExprPtr value = tree.stacks.pop_expr();
      make_stmt<ir::Assign>(tree, tree.stacks.take_exprs(f.exprs), std::move(value));
      return true;
    }
    case P::RuleStmtlist: {
      bool on_gpu = optional_bool(tree, P::AttrOnGpu).value_or(false);
      make_stmt<ir::StmtList>(tree, on_gpu, tree.stacks.take_stmts(f.stmts));
      return true;
    }
    case P::RuleSymref:
      tree.stacks.ids.push_back(
          static_cast<int32_t>(integer(tree, tree.stacks.values().front(), 0, std::numeric_limits<int32_t>::max())));
      tree.stacks.all_values.resize(f.values);
      return true;
    case P::RuleForstmt:
      make_stmt<ir::For>(tree, tree.stacks.take_ids(f.ids), tree.stacks.exprs[f.exprs],
                         tree.stacks.take_stmts(f.stmts));
      return true;
    case P::RuleItervars:
      mark(tree, P::ItervarsTok, tree.stacks.ids.size() - f.ids);
      return true;
    case P::RulePforPart: {
      bool is_auto = !tree.stacks.values().empty() && tree.stacks.values().front().type == P::AutoTok;
      tree.stacks.all_values.resize(f.values);
      mark(tree, is_auto ? size_t(P::AutoTok) : f.head, tree.stacks.ids.size() - f.ids);
      return true;
    }
    case P::RulePforstmt:
      pfor(tree);
      return true;
    case P::RuleWhilestmt:
      make_stmt<ir::While>(tree, tree.stacks.exprs[f.exprs], tree.stacks.take_stmts(f.stmts));
      return true;
    case P::RuleIfBody:
      mark(tree, P::IfTok, tree.stacks.stmts.size() - f.stmts);
      return true;
    case P::RuleIfstmt: {
      const Value* then = find(tree, P::IfTok);
      ir::Body other = tree.stacks.take_stmts(f.stmts + then->count);
      tree.stacks.stmts.resize(f.stmts + then->count);
      make_stmt<ir::If>(tree, tree.stacks.exprs[f.exprs], tree.stacks.take_stmts(f.stmts), std::move(other));
      return true;
    }
    case P::RuleBreakstmt:
      make_stmt<ir::Break>(tree);
      return true;
    case P::RuleContinuestmt:
      make_stmt<ir::Continue>(tree);
      return true;
    case P::RuleReturnstmt:
      make_stmt<ir::Return>(tree, tree.stacks.take_exprs(f.exprs));
      return true;
    case P::RuleRaisestmt: {
      const Value* code = need(tree, P::AttrCode);
      constexpr int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
      const auto number = static_cast<int32_t>(code ? integer(tree, *code, low, high) : 0);
      make_stmt<ir::Raise>(tree, number, text_of(tree, P::AttrText), tree.stacks.take_exprs(f.exprs));
      return true;
    }
    case P::RuleExprstmt:
      make_stmt<ir::ExprStmt>(tree, tree.stacks.exprs[f.exprs]);
      return true;
    default:
      return false;
  }
}

}  // namespace vr::text
