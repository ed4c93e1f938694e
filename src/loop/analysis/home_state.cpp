#include "loop/analysis/home_state.hpp"

#include "loop/analysis/address_flow.hpp"
#include "loop/walk.hpp"
#include "support/overloaded.hpp"

#include <algorithm>

namespace vr::lower {

DescribedArrays::DescribedArrays(const Function& f) {
  for (size_t k = 0; k < f.arrays.size(); ++k) {
    const ArrayVars& a = f.arrays[k];
    by_data[a.data] = static_cast<ArrayId>(k);
    for (const auto* fields : {&a.extent, &a.stride})
      for (VarId v : *fields) by_shape[v].insert(static_cast<ArrayId>(k));
  }
}

Home HomeState::home(VarId v) const {
  auto it = home_.find(v);
  return it == home_.end() ? Home::Away : it->second;
}

void HomeState::all_home() {
  for (size_t v = 0; v < f_->vars.size(); ++v)
    if (f_->vars[v].type == Scalar::Ptr) home_[static_cast<VarId>(v)] = Home::Written;
}

std::optional<std::set<ArrayId>> HomeState::whose(VarId v) const {
  if (auto own = arrays_->by_data.find(v); own != arrays_->by_data.end()) return std::set<ArrayId>{own->second};
  auto it = whose_.find(v);
  return it == whose_.end() ? std::set<ArrayId>{} : it->second;
}

void HomeState::join(const HomeState& other) {
  if (!other.reached_) return;
  if (!reached_) {
    *this = other;
    return;
  }
  for (auto& [v, h] : home_) h = std::min(h, other.home(v));
  std::erase_if(home_, [](const auto& h) { return h.second == Home::Away; });
  for (const auto& [v, arrays] : other.whose_) {
    auto& mine = whose_.try_emplace(v, std::set<ArrayId>{}).first->second;
    if (!arrays)
      mine.reset();
    else if (mine)
      mine->insert(arrays->begin(), arrays->end());
  }
}

void HomeState::set_address(VarId v, Home h, std::optional<std::set<ArrayId>> whose) {
  if (auto it = arrays_->by_data.find(v); it != arrays_->by_data.end()) {
    // The descriptor of this array no longer describes the storage of other addresses that were derived from it.
    for (auto& [other, arrays] : whose_)
      if (arrays && arrays->count(it->second)) arrays.reset();
  } else {
    whose_[v] = std::move(whose);
  }
  if (h == Home::Away)
    home_.erase(v);
  else
    home_[v] = h;
}

void HomeState::set_address_from(VarId v, ExprP value) {
  const Sources from = sources(value);
  Home h = from.unknown ? Home::Away : Home::Written;
  std::optional<std::set<ArrayId>> arrays(std::in_place);
  if (from.unknown) arrays.reset();
  for (VarId w : from.vars) {
    h = std::min(h, home(w));
    const auto more = whose(w);
    if (!more)
      arrays.reset();
    else if (arrays)
      arrays->insert(more->begin(), more->end());
  }
  set_address(v, h, std::move(arrays));
}

// Another shape at the same address may cover more elements, whose state is not known.
void HomeState::reshaped(VarId v, const std::set<ArrayId>& moved) {
  if (auto it = arrays_->by_shape.find(v); it != arrays_->by_shape.end())
    for (ArrayId a : it->second)
      if (!moved.count(a)) home_.erase(data(a));
}

void HomeState::after(const Stmt& s, const std::set<ArrayId>& moved) {
  auto leave = [&] { reached_ = false; };
  std::visit(Overloaded{
                 [&](const SetVar& n) {
                   reshaped(n.var, moved);
                   if (is_address(n.var)) set_address_from(n.var, n.value);
                 },
                 [&](const Call& n) {
                   for (const Arg& a : n.args)
                     if (a.kind == Arg::Kind::Array && a.out)
                       set_address(data(a.array), a.in ? home(data(a.array)) : Home::Written, {});
                   if (is_address(n.result)) set_address(n.result, Home::Away, {});
                 },
                 [&](const CallFunction& n) {
                   for (const Operand& o : n.results)
                     if (o.array != none) set_address(data(o.array), Home::Away, {});
                 },
                 [&](const TakeAddress& n) { set_address(n.var, Home::Away, {}); },
                 // Memory of the function itself: its elements are never on the device.
                 [&](const Scratch& n) { set_address(n.var, Home::Written, std::set<ArrayId>{}); },
                 [&](const Break&) { leave(); },
                 [&](const Continue&) { leave(); },
                 [&](const Fail&) { leave(); },
                 [&](const Exit&) { leave(); },
                 [](const Store&) {},
                 [](const LoadVector&) {},
                 [](const StoreVector&) {},
                 [](const Fence&) {},
                 [](const Barrier&) {},
                 [](const RowAt&) {},
                 [](const RowLoad&) {},
                 [](const RowWait&) {},
                 [](const RowStore&) {},
                 [](const Solo&) {},
                 [](const Atomic&) {},
                 [](const AliasGroup&) {},
                 [](const If&) {},
                 [](const CountedLoop&) {},
                 [](const Loop&) {},
                 [](const ParallelFor&) {},
                 [](const Launch&) {},
                 [](const Poll&) {},
             },
             s.node);
}

void HomeState::forget_assigned(const Block& b) {
  for (const Stmt& s : b) {
    each_assigned(*f_, s, [&](VarId v) {
      if (is_address(v)) set_address(v, Home::Away, {});
    });
    if (auto* n = std::get_if<SetVar>(&s.node)) reshaped(n->var, {});
    for (const Block* p : parts(s)) forget_assigned(*p);
  }
}

}  // namespace vr::lower
