// Several lambdas as one visitor: visit(node, Overloaded{[](const A&) ..., [](const B&) ...}).
#pragma once

namespace vr {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace vr
