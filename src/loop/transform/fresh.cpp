// fresh: new arrays without contents are not copied to the device.
//
//   vr_rt_alloc(out a, ..., fill none)    vr_rt_alloc(out a, ..., fill none)
//   launch g over [n] (a)                 a.flags = a.flags | undefined
//                                         launch g over [n] (a)
//                                         a.flags = a.flags & ~undefined
#include "loop/transform/fresh.hpp"

#include "loop/runtime_fn.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"
#include "runtime/abi.h"

#include <functional>
#include <set>
#include <utility>

namespace vr::lower {

namespace {

class Fresh {
 public:
  Fresh(Module& m, Exprs& x, Function& f) : m_(m), x_(x), out_(x, f) {
    for (const ArrayVars& a : f.arrays) arrays_.insert(a.data);
  }

  void run() {
    Block body = std::move(out_.fn.body);
    out_.fn.body = out_.collect([&] { block(body); });
  }

 private:
  void block(Block& b) {
    for (Stmt& s : b) {
      const Restore place(out_.place, s.place);
      if (auto* n = std::get_if<Launch>(&s.node)) {
        launch(*n, s);
        continue;
      }
      if (auto* n = std::get_if<If>(&s.node)) {
        accesses_of(s);
        const std::set<VarId> before = undefined_;
        n->then_body = out_.collect([&] { block(n->then_body); });
        const std::set<VarId> then = std::exchange(undefined_, before);
        n->else_body = out_.collect([&] { block(n->else_body); });
        if (goes_away(n->else_body))
          undefined_ = then;
        else if (!goes_away(n->then_body))
          std::erase_if(undefined_, [&](VarId v) { return !then.count(v); });
      } else if (!parts(s).empty()) {
        // Another iteration may have run before.
        undefined_.clear();
        for (Block* p : parts(s)) *p = out_.collect([&] { block(*p); });
        undefined_.clear();
      } else {
        accesses_of(s);
        assign(s);
      }
      out_.block->push_back(std::move(s));
    }
  }

  void launch(Launch& n, Stmt& s) {
    const Function& kernel = *m_.functions[static_cast<size_t>(n.kernel)];
    std::set<VarId> flags;
    for (size_t k = 0; k < n.args.size(); ++k) {
      if (n.args[k].array == none) continue;
      const ArrayVars& a = out_.array(n.args[k].array);
      if (undefined_.count(a.data) && a.flags != none && kernel.params[k].written) flags.insert(a.flags);
    }
    for (VarId v : flags) out_.set(v, x_.binary(Op::Or, out_.get(v), x_.int_const(VR_ARRAY_UNDEFINED, Scalar::Int32)));
    for (const Operand& o : n.args)
      if (o.array != none) undefined_.erase(out_.array(o.array).data);
    out_.block->push_back(std::move(s));
    for (VarId v : flags) out_.set(v, x_.binary(Op::And, out_.get(v), x_.int_const(~VR_ARRAY_UNDEFINED, Scalar::Int32)));
  }

  /// Elements that the statement may access have contents from here on.
  void accesses_of(const Stmt& s) {
    const auto pointer = [&](ExprP base) {
      // Through a pointer that does not belong to one array: any element may be accessed.
      if (base->kind == Expr::Kind::Var && arrays_.count(base->var))
        undefined_.erase(base->var);
      else
        undefined_.clear();
    };
    const std::function<void(ExprP)> loads = [&](ExprP e) {
      if (!e) return;
      if (e->kind == Expr::Kind::Load) pointer(e->a);
      for (ExprP part : {e->a, e->b, e->c}) loads(part);
    };
    each_expr(s, loads);
    if (auto* n = std::get_if<Store>(&s.node)) pointer(n->base);
    if (auto* n = std::get_if<Atomic>(&s.node)) pointer(n->base);
    if (auto* n = std::get_if<Call>(&s.node)) {
      for (const Arg& a : n->args)
        if (a.array != none) undefined_.erase(out_.array(a.array).data);
    } else if (!std::holds_alternative<SetVar>(s.node) && !std::holds_alternative<Store>(s.node) && !std::holds_alternative<Atomic>(s.node) &&
               !std::holds_alternative<If>(s.node) && !std::holds_alternative<Poll>(s.node)) {
      undefined_.clear();
    }
  }

  void assign(const Stmt& s) {
    if (auto* n = std::get_if<SetVar>(&s.node)) {
      const bool copy = n->value->kind == Expr::Kind::Var && undefined_.count(n->value->var);
      if (copy)
        undefined_.insert(n->var);
      else
        undefined_.erase(n->var);
      return;
    }
    auto* n = std::get_if<Call>(&s.node);
    if (n && n->fn == rt::Alloc && n->args.size() == 8 && n->args[1].array != none && is_int(n->args[6].value, VR_FILL_NONE))
      undefined_.insert(out_.array(n->args[1].array).data);
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  std::set<VarId> arrays_;     ///< data variables
  std::set<VarId> undefined_;  ///< data variables of arrays whose elements nothing has accessed
};

}  // namespace

void fresh(Module& m, const PassOptions& options) {
  if (!options.device) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Entry && has<Launch>(f->body)) Fresh(m, x, *f).run();
}

}  // namespace vr::lower
