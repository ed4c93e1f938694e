#include <text/value_stacks.hpp>

#include <iterator>
#include <utility>

namespace vr::text {

void ValueStacks::begin(size_t rule) {
  frames.push_back(
      {rule, 0, exprs.size(), stmts.size(), types.size(), all_values.size(), ids.size(), subscripts.size()});
}

void ValueStacks::clear() {
  exprs.clear();
  stmts.clear();
  types.clear();
  all_values.clear();
  ids.clear();
  subscripts.clear();
}

std::vector<ir::ExprPtr> ValueStacks::take_exprs(size_t from) {
  return {std::make_move_iterator(exprs.begin() + static_cast<ptrdiff_t>(from)), std::make_move_iterator(exprs.end())};
}
ir::Body ValueStacks::take_stmts(size_t from) {
  return {std::make_move_iterator(stmts.begin() + static_cast<ptrdiff_t>(from)), std::make_move_iterator(stmts.end())};
}
std::vector<ir::SymbolId> ValueStacks::take_ids(size_t from) {
  return {ids.begin() + static_cast<ptrdiff_t>(from), ids.end()};
}
std::vector<ir::Subscript> ValueStacks::take_subscripts() {
  auto from = subscripts.begin() + static_cast<ptrdiff_t>(frame().subscripts);
  return {std::make_move_iterator(from), std::make_move_iterator(subscripts.end())};
}
ir::Type ValueStacks::take_type() {
  ir::Type t = std::move(types.back());
  types.pop_back();
  return t;
}
ir::ExprPtr ValueStacks::pop_expr() {
  ir::ExprPtr e = std::move(exprs.back());
  exprs.pop_back();
  return e;
}

}  // namespace vr::text
