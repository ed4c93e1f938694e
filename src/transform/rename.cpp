#include "transform/rename.hpp"

#include "support/overloaded.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::transform {

using namespace ir;

Body rename(const Body& body, const std::map<SymbolId, SymbolId>& ids) {
  auto renamed = [&](SymbolId id) {
    auto it = ids.find(id);
    return it == ids.end() ? id : it->second;
  };
  auto with = [&](const auto& node, auto member, const ExprPtr& e) -> ExprPtr {
    const SymbolId to = renamed(node.*member);
    if (to == node.*member) return e;
    auto copy = std::make_shared<std::decay_t<decltype(node)>>(node);
    copy.get()->*member = to;
    return copy;
  };
  auto list = [&](std::vector<SymbolId>& v) {
    for (SymbolId& id : v) id = renamed(id);
  };
  Rewriter r;
  r.expr = [&](const ExprPtr& e) -> ExprPtr {
    return visit(*e, Overloaded{
                         [&](const Name& n) { return with(n, &Name::id, e); },
                         [&](const Index& n) { return with(n, &Index::array, e); },
                         [&](const Dim& n) { return with(n, &Dim::array, e); },
                         [&](const DimVec& n) { return with(n, &DimVec::array, e); },
                         [&](const TupleIndex& n) { return with(n, &TupleIndex::tuple, e); },
                         [&](const RealExpr& n) { return with(n, &RealExpr::id, e); },
                         [&](const ImagExpr& n) { return with(n, &ImagExpr::id, e); },
                         [&](const Xchange& n) { return with(n, &Xchange::array, e); },
                         [&](const auto&) { return e; },
                     });
  };
  r.stmt = [&](const StmtPtr& s) -> Body {
    if (auto* l = as<For>(s)) {
      auto copy = std::make_shared<For>(*l);
      list(copy->itervars);
      return {copy};
    }
    if (auto* l = as<PFor>(s)) {
      auto copy = std::make_shared<PFor>(*l);
      list(copy->itervars);
      if (copy->shared) list(*copy->shared);
      return {copy};
    }
    return {s};
  };
  return rewrite(body, r);
}

}  // namespace vr::transform
