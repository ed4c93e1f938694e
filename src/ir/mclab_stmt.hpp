// The mclab dialect: statements (private to mclab*.cpp).
#pragma once
#include "ir/mclab_function.hpp"

namespace vr::ir::mclab {

Body body(Translation& tr, const Body& b);
void stmt(Translation& tr, const Stmt& s);
void returns(Translation& tr, const Return& s);
void assign(Translation& tr, const Assign& s);  // mclab_assign.cpp
void loop(Translation& tr, const Stmt& s, const std::vector<SymbolId>& itervars, const ExprPtr& domain, const Body& b,
          bool parallel);  // mclab_loop.cpp

}  // namespace vr::ir::mclab
