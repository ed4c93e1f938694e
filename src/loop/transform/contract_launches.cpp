// Launches that sum products become matrix products of the device's library.
//
//   launch g over [n] (a, b, c)                        if <large enough, and the layouts are the library's> {
//   kernel [i] {                                         view.data = a.data ...
//     for j in [0, m) {                                  vr_gpu_gemm(view, view#1, view#2)
//       s = 0                                          } else {
//       for k in [0, l) { s = s + a[i, k] * b[k, j] }    launch g over [n] (a, b, c)
//       store c[i, j] = s                              }
//     }
//   }
#include "loop/transform/contract_launches.hpp"

#include "loop/replace.hpp"
#include "loop/transform/contract.hpp"

#include <map>
#include <optional>

namespace vr::lower {

namespace {

/// Writes a launch's iterations as loops in variables of the function that launches. Integers that depend on nothing
/// but the launch and the loops are written where they are used.
class Iterations {
 public:
  Iterations(Writer& out, const Function& kernel)
      : out_(out), x_(out.x), kernel_(kernel), times_(assignments(kernel.body)) {}

  /// Empty: the kernel has statements that a product does not have, or assigns its parameters.
  std::optional<CountedLoop> run(const Launch& n) {
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      const Param& p = kernel_.params[k];
      if (p.array == none) {
        if (p.im != none || !input(p.var, n.args[k].var)) return {};
        continue;
      }
      const ArrayVars &in = kernel_.arrays[static_cast<size_t>(p.array)], &from = out_.array(n.args[k].array);
      bool fits = input(in.data, from.data);
      for (size_t d = 0; d < in.extent.size(); ++d)
        fits = fits && input(in.extent[d], from.extent[d]) && input(in.stride[d], from.stride[d]);
      if (!fits) return {};
    }
    Block body = block(kernel_.body);
    for (size_t d = 0; d < kernel_.dims.size(); ++d) {
      CountedLoop loop{own(kernel_.dims[d]), x_.int_const(0), n.counts[d], std::move(body)};
      loop.site = n.site;
      body.clear();
      body.push_back({std::move(loop), out_.place});
    }
    return known_ ? std::optional(std::get<CountedLoop>(std::move(body[0].node))) : std::nullopt;
  }

 private:
  bool input(VarId in, VarId from) {
    if (in == none || from == none || times_.count(in)) return in == none;
    values_[in] = out_.get(from);
    return true;
  }
  VarId own(VarId v) {
    auto [it, fresh] = copies_.try_emplace(v);
    if (fresh) {
      const Var like = kernel_.vars[static_cast<size_t>(v)];
      it->second = out_.new_var(like.name, like.type);
    }
    return it->second;
  }
  ExprP expr(ExprP e) {
    if (!e) return e;
    if (e->kind == Expr::Kind::Var) {
      const auto it = values_.find(e->var);
      return it != values_.end() ? it->second : x_.var(own(e->var), e->type);
    }
    const ExprP now = with_parts(x_, e, [&](ExprP part) { return expr(part); });
    if (e->kind != Expr::Kind::Load) return now;
    Expr copy = *now;
    copy.alias_set = alias_set(e->a);
    return x_.make(copy);
  }
  /// The kernel's arrays are disjoint: each is an alias set of its own.
  int32_t alias_set(ExprP base) const {
    for (size_t k = 0; k < kernel_.arrays.size() && k < alias_sets_in_group; ++k)
      if (base->kind == Expr::Kind::Var && kernel_.arrays[k].data == base->var) return static_cast<int32_t>(k);
    return none;
  }
  static bool loads(ExprP e) { return e && (e->kind == Expr::Kind::Load || loads(e->a) || loads(e->b) || loads(e->c)); }
  Block block(const Block& b) {
    Block made;
    for (const Stmt& s : b) {
      if (auto* n = std::get_if<SetVar>(&s.node)) {
        const ExprP value = expr(n->value);
        if (is_integer(kernel_.vars[static_cast<size_t>(n->var)].type) && times_.at(n->var) == 1 && !loads(value))
          values_[n->var] = value;
        else
          made.push_back({SetVar{own(n->var), value}, s.place});
      } else if (auto* n = std::get_if<Store>(&s.node)) {
        Store copy = *n;
        copy.alias_set = alias_set(n->base);
        for (ExprP* e : {&copy.base, &copy.offset, &copy.value}) *e = expr(*e);
        made.push_back({std::move(copy), s.place});
      } else if (auto* n = std::get_if<CountedLoop>(&s.node)) {
        CountedLoop loop{own(n->var), expr(n->lo), expr(n->hi), block(n->body)};
        loop.site = n->site;
        made.push_back({std::move(loop), s.place});
      } else if (!std::holds_alternative<AliasGroup>(s.node)) {
        known_ = false;
      }
    }
    return made;
  }

  Writer& out_;
  Exprs& x_;
  const Function& kernel_;
  const std::map<VarId, int> times_;
  std::map<VarId, ExprP> values_;
  std::map<VarId, VarId> copies_;
  bool known_ = true;
};

bool is_plain_kernel(const Function& k) {
  return k.disjoint && k.folds.empty() && k.rows.empty() && k.dims.size() <= 2 && has<CountedLoop>(k.body) &&
         may_contract(k);
}

}  // namespace

void contract_launches(Module& m, const PassOptions& options) {
  if (!options.version_loops) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) {
    Writer out(x, f);
    replace_launches(out, [&](Launch& n) {
      const Function& kernel = *m.functions[static_cast<size_t>(n.kernel)];
      if (!is_plain_kernel(kernel)) return false;
      const size_t vars = f.vars.size();
      bool written = false;
      Block product = out.collect([&] {
        Block launch;
        launch.push_back({n, out.place});
        const auto nest = Iterations(out, kernel).run(n);
        written = nest && contract_launch(out, *nest, std::move(launch));
      });
      if (!written) {
        f.vars.resize(vars);
        return false;
      }
      out.append(std::move(product));
      return true;
    });
  });
}

}  // namespace vr::lower
