#include "loop/analysis/element_nest.hpp"

#include "loop/walk.hpp"

namespace vr::lower {

Origins::Origins(const Function& f) {
  for (size_t a = 0; a < f.arrays.size(); ++a) arrays[f.arrays[a].data] = static_cast<ArrayId>(a);
}

ArrayId Origins::of(ExprP base) const {
  if (base->kind == Expr::Kind::Offset) return of(base->a);
  if (base->kind != Expr::Kind::Var) return none;
  if (auto it = arrays.find(base->var); it != arrays.end()) return it->second;
  auto it = pointers.find(base->var);
  return it == pointers.end() ? none : of(it->second);
}

namespace {

constexpr const char* too_much = "its elements are computed by more than expressions and loops";

class NestReader {
 public:
  NestReader(const Function& f, const Origins& origins, bool fp64) : f_(f), origins_(origins), fp64_(fp64) {}

  ElementNest read(const CountedLoop& outermost, const std::vector<VarId>& folded) {
    for (const CountedLoop* l = &outermost;;) {
      n_.loops.push_back(l);
      n_.own.insert(l->var);
      n_.body = &l->body;
      auto* next = l->body.size() == 1 ? std::get_if<CountedLoop>(&l->body[0].node) : nullptr;
      if (!next || !next->element) break;
      l = next;
    }
    for (const CountedLoop* l : n_.loops) {
      if (!is_int(l->lo, 0)) n_.refuse("it does not begin at its first element");
      expr(l->hi);
      for (VarId v : n_.own)
        if (mentions(l->hi, v)) n_.refuse("its inner loops are not of one length");
    }
    n_.own.insert(folded.begin(), folded.end());
    contents(*n_.body);
    return std::move(n_);
  }

 private:
  void expr(ExprP e) {
    if (!e) return;
    if (e->type == Scalar::Float64 && !fp64_) n_.refuse("the device has no float64");
    switch (e->kind) {
      case Expr::Kind::Var:
        n_.read.insert(e->var);
        if (!n_.own.count(e->var)) n_.read_first.insert(e->var);
        return;
      case Expr::Kind::Load:
      case Expr::Kind::Offset: {
        address(e->a, e->kind == Expr::Kind::Load ? &n_.loaded : nullptr);
        expr(e->b);
        return;
      }
      case Expr::Kind::Null:
        n_.refuse(unknown_address);
        return;
      default:
        for (ExprP p : {e->a, e->b, e->c}) expr(p);
    }
  }
  void address(ExprP base, std::set<ArrayId>* uses) {
    const ArrayId a = origins_.of(base);
    if (a == none) {
      n_.refuse(unknown_address);
      return;
    }
    n_.arrays.insert(a);
    if (uses) uses->insert(a);
    for (ExprP e = base;;) {
      if (e->kind == Expr::Kind::Offset) {
        expr(e->b);
        e = e->a;
        continue;
      }
      if (origins_.arrays.count(e->var)) return;
      n_.pointers.insert(e->var);
      e = origins_.pointers.at(e->var);
    }
  }
  void inside(const Block& body) {
    ++inner_;
    contents(body);
    --inner_;
  }
  void contents(const Block& b) {
    for (const Stmt& s : b)
      std::visit(Overloaded{[&](const SetVar& v) {
                              if (f_.vars[static_cast<size_t>(v.var)].type == Scalar::Ptr) n_.refuse(unknown_address);
                              expr(v.value);
                              n_.own.insert(v.var);
                            },
                            [&](const Store& v) {
                              address(v.base, &n_.stored);
                              expr(v.offset);
                              expr(v.value);
                            },
                            [&](const If& v) {
                              expr(v.cond);
                              contents(v.then_body);
                              contents(v.else_body);
                            },
                            [&](const CountedLoop& v) {
                              expr(v.lo);
                              expr(v.hi);
                              n_.own.insert(v.var);
                              inside(v.body);
                            },
                            // one that ends after few iterations: random numbers that are drawn again after a rejection
                            [&](const Loop& v) {
                              if (!v.brief) n_.refuse(too_much);
                              inside(v.body);
                            },
                            [&](const Break&) {
                              if (inner_ == 0) n_.refuse(too_much);
                            },
                            [&](const Fail& v) {
                              expr(v.index);
                              expr(v.extent);
                            },
                            [&](const auto&) { n_.refuse(too_much); }},
                 s.node);
  }

  const Function& f_;
  const Origins& origins_;
  const bool fp64_;
  int inner_ = 0;  ///< loops around a statement, of those inside of the nest
  ElementNest n_;
};

}  // namespace

ElementNest element_nest(const Function& f, const Origins& origins, const CountedLoop& outermost,
                         const std::vector<VarId>& folded, bool fp64) {
  return NestReader(f, origins, fp64).read(outermost, folded);
}

}  // namespace vr::lower
