// The mclab dialect: expressions (private to mclab*.cpp).
#pragma once
#include "ir/mclab_function.hpp"

namespace vr::ir::mclab {

ExprPtr expr(Translation& tr, const ExprPtr& e);
std::vector<ExprPtr> exprs(Translation& tr, const std::vector<ExprPtr>& list);
ExprPtr index(Translation& tr, const Index& e, bool store);
/// A range with parts of one element type: the given one, else their common one.
ExprPtr range(Translation& tr, const Range& r, const Type* elem);
ExprPtr call_function(Translation& tr, const std::string& name, const Type& type, std::vector<ExprPtr> args,
                      TextPos pos);

}  // namespace vr::ir::mclab
