#include "transform/tail_returns.hpp"

#include <velociraptor/ir/visit.hpp>

namespace vr::transform {

using namespace ir;

namespace {

bool has_return(const StmtPtr& s) {
  bool found = false;
  walk_stmts({s}, [&](const Stmt& n) { found = found || n.kind == Kind::Return; });
  return found;
}

bool always_returns(const Body& b) {
  for (const StmtPtr& s : b) {
    if (s->kind == Kind::Return || s->kind == Kind::Raise) return true;
    if (auto* l = as<StmtList>(s); l && always_returns(l->stmts)) return true;
    if (auto* i = as<If>(s); i && always_returns(i->then_body) && always_returns(i->else_body)) return true;
  }
  return false;
}

class Tail {
 public:
  explicit Tail(const std::function<Body(const Return&)>& on_return) : on_return_(on_return) {}

  /// False: not possible.
  bool list(const Body& in, Body& out) {
    for (size_t k = 0; k < in.size(); ++k) {
      const StmtPtr& s = in[k];
      if (auto* r = as<Return>(s)) {
        for (StmtPtr& t : on_return_(*r)) out.push_back(std::move(t));
        return true;  // the statements after it are never reached
      }
      if (!has_return(s)) {
        out.push_back(s);
        if (s->kind == Kind::Raise) return true;
        continue;
      }
      const Body rest(in.begin() + static_cast<ptrdiff_t>(k) + 1, in.end());
      auto with_rest = [&](Body b) {
        b.insert(b.end(), rest.begin(), rest.end());
        return b;
      };
      if (auto* l = as<StmtList>(s); l && !l->on_gpu) return list(with_rest(l->stmts), out);
      auto* i = as<If>(s);
      if (!i) return false;
      const bool then_ends = always_returns(i->then_body), else_ends = always_returns(i->else_body);
      if (!then_ends && !else_ends && !rest.empty()) return false;
      auto copy = std::make_shared<If>(*i);
      copy->then_body.clear();
      copy->else_body.clear();
      if (!list(then_ends ? i->then_body : with_rest(i->then_body), copy->then_body) ||
          !list(else_ends || !then_ends ? i->else_body : with_rest(i->else_body), copy->else_body))
        return false;
      out.push_back(copy);
      return true;
    }
    return true;
  }

 private:
  const std::function<Body(const Return&)>& on_return_;
};

}  // namespace

std::optional<Body> tail_returns(const Body& body, bool must_return,
                                 const std::function<Body(const Return&)>& on_return) {
  if (must_return && !always_returns(body)) return std::nullopt;
  Body out;
  if (!Tail(on_return).list(body, out)) return std::nullopt;
  return out;
}

}  // namespace vr::transform
