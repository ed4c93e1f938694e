#include "codegen/llvm/access_metadata.hpp"

#include <llvm/IR/MDBuilder.h>

#include <set>

namespace vr::codegen::llvm_backend {

using lower::Expr;

namespace {

// The alias sets that occur in a function.
class AliasSets {
 public:
  std::set<int32_t> found;

  void walk(const lower::Block& block) {
    for (const lower::Stmt& s : block) std::visit([&](const auto& node) { visit(node); }, s.node);
  }

 private:
  void expr(lower::ExprP e) {
    if (!e || !seen_.insert(e).second) return;
    if (e->kind == Expr::Kind::Load && e->alias_set >= 0) found.insert(e->alias_set);
    expr(e->a);
    expr(e->b);
    expr(e->c);
  }
  void exprs(const std::vector<lower::ExprP>& list) {
    for (lower::ExprP e : list) expr(e);
  }
  void visit(const lower::SetVar& s) { expr(s.value); }
  void visit(const lower::Store& s) {
    if (s.alias_set >= 0) found.insert(s.alias_set);
    exprs({s.base, s.offset, s.value});
  }
  void visit(const lower::Atomic& s) { exprs({s.base, s.offset, s.value, s.expected}); }
  void visit(const lower::LoadVector&) {}  // only kernels contain them
  void visit(const lower::StoreVector&) {}
  void visit(const lower::Fence&) {}
  void visit(const lower::Barrier&) {}
  void visit(const lower::RowAt&) {}
  void visit(const lower::RowLoad&) {}
  void visit(const lower::RowWait&) {}
  void visit(const lower::RowStore&) {}
  void visit(const lower::Solo&) {}
  void visit(const lower::AliasGroup&) {}
  void visit(const lower::If& s) {
    expr(s.cond);
    walk(s.then_body);
    walk(s.else_body);
  }
  void visit(const lower::CountedLoop& s) {
    exprs({s.lo, s.hi});
    walk(s.body);
  }
  void visit(const lower::Loop& s) { walk(s.body); }
  void visit(const lower::Break&) {}
  void visit(const lower::Continue&) {}
  void visit(const lower::Fail& s) { exprs({s.index, s.extent}); }
  void visit(const lower::Exit&) {}
  void visit(const lower::Call& s) {
    for (const lower::Arg& a : s.args) {
      expr(a.value);
      exprs(a.values);
    }
  }
  void visit(const lower::CallFunction&) {}
  void visit(const lower::TakeAddress&) {}
  void visit(const lower::Scratch&) {}
  void visit(const lower::ParallelFor& s) { exprs({s.lo, s.hi}); }
  void visit(const lower::Launch& s) { exprs(s.counts); }
  void visit(const lower::Poll&) {}

  std::set<lower::ExprP> seen_;
};

}  // namespace

AccessMetadata::AccessMetadata(const lower::Function& source, llvm::LLVMContext& context) : context_(context) {
  AliasSets sets;
  sets.walk(source.body);
  sets.walk(source.cleanup);
  if (sets.found.size() < 2) return;
  llvm::MDBuilder md(context_);
  std::map<int32_t, llvm::MDNode*> scopes;
  for (int32_t s : sets.found) {
    Group& group = groups_[s / lower::alias_sets_in_group];
    if (!group.domain) group.domain = md.createAnonymousAliasScopeDomain(source.name);
    scopes[s] = md.createAnonymousAliasScope(group.domain, "set" + std::to_string(s));
    group.scopes.push_back(scopes[s]);
  }
  for (const auto& [set, scope] : scopes) {
    std::vector<llvm::Metadata*> others;
    for (llvm::Metadata* other : groups_[set / lower::alias_sets_in_group].scopes)
      if (other != scope) others.push_back(other);
    scopes_[set] = {llvm::MDNode::get(context_, {scope}),
                    others.empty() ? nullptr : llvm::MDNode::get(context_, others)};
  }
}

void AccessMetadata::annotate(llvm::Instruction* access, int32_t alias_set) const {
  if (!access_groups_.empty())
    access->setMetadata(llvm::LLVMContext::MD_access_group, access_groups_.size() == 1
                                                                ? llvm::cast<llvm::MDNode>(access_groups_[0])
                                                                : llvm::MDNode::get(context_, access_groups_));
  if (auto it = scopes_.find(alias_set); it != scopes_.end()) {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, it->second.scope);
    if (it->second.noalias) access->setMetadata(llvm::LLVMContext::MD_noalias, it->second.noalias);
  }
}

void AccessMetadata::declare_scopes(llvm::IRBuilder<>& b, int32_t group) const {
  auto it = groups_.find(group);
  if (it == groups_.end()) return;
  for (llvm::Metadata* scope : it->second.scopes) b.CreateNoAliasScopeDeclaration(llvm::MDNode::get(context_, {scope}));
}

llvm::MDNode* AccessMetadata::enter_independent_loop() {
  llvm::MDNode* group = llvm::MDNode::getDistinct(context_, {});
  access_groups_.push_back(group);
  return group;
}

}  // namespace vr::codegen::llvm_backend
