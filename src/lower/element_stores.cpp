#include "lower/element_stores.hpp"

#include "lower/index.hpp"
#include "lower/library.hpp"

namespace vr::lower {

std::set<ir::SymbolId> arrays_of_kernels(const ir::Body& loop) {
  std::set<ir::SymbolId> found;
  const auto whole = [&](const ir::ExprPtr& part) {
    ir::walk_exprs(part, [&](const ir::Expr& e) {
      if (!e.type.is_array()) return;
      if (auto* n = ir::as<ir::Name>(&e)) found.insert(n->id);
      if (auto* i = ir::as<ir::Index>(&e)) found.insert(i->array);
    });
  };
  ir::walk_stmts(loop, [&](const ir::Stmt& s) {
    if (auto* p = ir::as<ir::PFor>(&s)) found.merge(loop_info(p->body).used);
    if (auto* e = ir::as<ir::ExprStmt>(&s)) whole(e->expr);
    if (auto* a = ir::as<ir::Assign>(&s)) {
      whole(a->value);
      for (const ir::ExprPtr& target : a->targets) whole(target);
    }
  });
  return found;
}

/// Whether a kernel can evaluate the expression: no code of the module or the host is called.
static bool for_kernel(Lowering& f, const ir::ExprPtr& value) {
  bool suits = value->type.is_scalar();
  ir::walk_exprs(value, [&](const ir::Expr& e) {
    suits = suits && e.type.is_scalar();
    if (auto* call = ir::as<ir::FnCall>(&e)) suits = suits && library_call(f, *call);
    if (e.kind == ir::Kind::Xchange) suits = false;
  });
  return suits;
}

/// Whether the host would need elements of arrays that kernels work on.
static bool needs_elements(const Lowering& f, const ir::ExprPtr& value) {
  bool found = false;
  ir::walk_exprs(value, [&](const ir::Expr& e) {
    auto* n = ir::as<ir::Index>(&e);
    found = found || (n && f.section.arrays.count(n->array) != 0);
  });
  return found;
}

size_t element_stores(Lowering& f, const ir::Body& b, size_t first) {
  if (f.section.arrays.empty()) return 0;
  size_t k = first;
  for (; k < b.size(); ++k) {
    auto* a = ir::as<ir::Assign>(b[k]);
    auto* element = a && a->targets.size() == 1 ? ir::as<ir::Index>(a->targets[0]) : nullptr;
    if (!element || !element->type.is_scalar()) break;
    if (!f.section.arrays.count(element->array) && !needs_elements(f, a->value)) break;
    if (may_grow_any(f, *element) || !for_kernel(f, a->targets[0]) || !for_kernel(f, a->value)) break;
  }
  return k - first;
}

ir::StmtPtr one_iteration(const ir::Body& b, size_t first, size_t count) {
  const auto begin = b.begin() + static_cast<ptrdiff_t>(first);
  auto loop = std::make_shared<ir::PFor>(std::vector<ir::SymbolId>(), nullptr, std::nullopt,
                                         ir::Body(begin, begin + static_cast<ptrdiff_t>(count)));
  loop->pos = (*begin)->pos;
  loop->loc = (*begin)->loc;
  loop->inlined = (*begin)->inlined;
  return loop;
}

}  // namespace vr::lower
