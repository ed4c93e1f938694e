// Statements of the text: the ends of the statement rules.
#include <text/tree_builder.hpp>

#include <VrirParser.h>

#include <fmt/format.h>

#include <limits>

namespace vr::text {

using P = VrirParser;
using ir::ExprPtr;

bool TreeBuilder::leave_stmt(size_t rule) {
  const Frame f = frame();
  switch (rule) {
    case P::RuleLhs:
      if (exprs_.size() == f.exprs)
        error(closed_, "(lhs) of an assignstmt holds no target", "a call without results is an (exprstmt ...)");
      mark(P::LhsTok, exprs_.size() - f.exprs);
      return true;
    case P::RuleRhs:
      if (exprs_.size() > f.exprs) return true;
      if (values_.back().count > 0) error(closed_, "(rhs) of an assignstmt holds no expression", "");
      building_ = false;  // the statement cannot be made
      return true;
    case P::RuleAssignstmt: {
      ExprPtr value = pop_expr();
      make_stmt<ir::Assign>(take_exprs(f.exprs), std::move(value));
      return true;
    }
    case P::RuleStmtlist: {
      bool on_gpu = optional_bool(P::AttrOnGpu).value_or(false);
      make_stmt<ir::StmtList>(on_gpu, take_stmts(f.stmts));
      return true;
    }
    case P::RuleSymref:
      ids_.push_back(static_cast<int32_t>(integer(values().front(), 0, std::numeric_limits<int32_t>::max())));
      values_.resize(f.values);
      return true;
    case P::RuleForstmt:
      make_stmt<ir::For>(take_ids(f.ids), exprs_[f.exprs], take_stmts(f.stmts));
      return true;
    case P::RuleItervars:
      mark(P::ItervarsTok, ids_.size() - f.ids);
      return true;
    case P::RulePforPart: {
      bool is_auto = !values().empty() && values().front().type == P::AutoTok;
      values_.resize(f.values);
      mark(is_auto ? size_t(P::AutoTok) : f.head, ids_.size() - f.ids);
      return true;
    }
    case P::RulePforstmt:
      pfor();
      return true;
    case P::RuleWhilestmt:
      make_stmt<ir::While>(exprs_[f.exprs], take_stmts(f.stmts));
      return true;
    case P::RuleIfBody:
      mark(P::IfTok, stmts_.size() - f.stmts);
      return true;
    case P::RuleIfstmt: {
      const Value* then = find(P::IfTok);
      ir::Body other = take_stmts(f.stmts + then->count);
      stmts_.resize(f.stmts + then->count);
      make_stmt<ir::If>(exprs_[f.exprs], take_stmts(f.stmts), std::move(other));
      return true;
    }
    case P::RuleBreakstmt:
      make_stmt<ir::Break>();
      return true;
    case P::RuleContinuestmt:
      make_stmt<ir::Continue>();
      return true;
    case P::RuleReturnstmt:
      make_stmt<ir::Return>(take_exprs(f.exprs));
      return true;
    case P::RuleExprstmt:
      make_stmt<ir::ExprStmt>(exprs_[f.exprs]);
      return true;
    default:
      return false;
  }
}

// (shared ...)? (body ...), and `:shared auto` which says the same as leaving (shared ...) out.
void TreeBuilder::pfor() {
  const Frame f = frame();
  size_t iterators = 0, bodies = 0, shares = 0, shared_count = 0;
  bool is_auto = false;
  for (const Value& v : values()) {
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
        if (bodies) error(v.pos, "(shared ...) must stand before (body ...) in pforstmt", "");
        break;
      default:
        break;
    }
  }
  if (bodies != 1)
    error(pos(), bodies ? "(body ...) is given twice in pforstmt" : "(body ...) is missing in pforstmt", "");
  if (shares > 1) error(pos(), "the shared variables are given twice in pforstmt", "");
  auto first = ids_.begin() + static_cast<ptrdiff_t>(f.ids), middle = first + static_cast<ptrdiff_t>(iterators);
  std::vector<ir::SymbolId> itervars(first, middle);
  std::optional<std::vector<ir::SymbolId>> shared;
  if (shares && !is_auto) shared.emplace(middle, middle + static_cast<ptrdiff_t>(shared_count));
  make_stmt<ir::PFor>(std::move(itervars), exprs_[f.exprs], std::move(shared), take_stmts(f.stmts));
}

}  // namespace vr::text
