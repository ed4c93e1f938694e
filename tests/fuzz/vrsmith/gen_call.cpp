// Calls, function handles, results of functions, recursion.
#include "generator.hpp"

namespace vr::smith {

const FunctionInfo* FunctionGen::callable(const std::function<bool(const FunctionInfo&)>& f) {
  std::vector<const FunctionInfo*> fits;
  for (const FunctionInfo& x : m_.functions) {
    if (!f(x)) continue;
    if (parallel_ && (x.stores_args || (parallel_->kernel && (!x.plain || x.depth_param >= 0)))) continue;
    if (in_section_ && parallel_ && x.has_pfor) continue;
    if (all_loops_ > 1 && x.depth_param >= 0) continue;
    fits.push_back(&x);
  }
  return fits.empty() ? nullptr : rng.pick(fits);
}

void FunctionGen::note_call(const FunctionInfo& f) {
  if (f.stores_args) info_.stores_args = true;
  if (f.has_pfor) info_.has_pfor = true;
  info_.places.insert(f.places.begin(), f.places.end());
  if (parallel_) m_.parallel_places.insert(f.places.begin(), f.places.end());
}

ExprPtr FunctionGen::call(const FunctionInfo& f, int depth, bool recursive) {
  std::vector<ExprPtr> args;
  for (size_t k = 0; k < f.params.size(); ++k) {
    const Type& t = f.params[k].type;
    if (static_cast<int>(k) == f.depth_param) {
      if (recursive)
        args.push_back(binary(Kind::Minus, name(*depth_), int_const(1)));
      else
        args.push_back(rng.chance(50) ? int_const(rng.range(0, 4)) : lib("mod", {integer(0), int_const(4)}));
    } else if (t.is_function()) {
      std::vector<int> fits;
      for (size_t j = 0; j < m_.functions.size(); ++j)
        if (m_.functions[j].type == t && m_.functions[j].results[0].exact) fits.push_back(static_cast<int>(j));
      Variable* own = any([&](const Variable& x) { return x.type == t; });
      if (own && rng.chance(40)) {
        args.push_back(name(*own));
      } else if (!fits.empty()) {
        const FunctionInfo& g = m_.functions[static_cast<size_t>(rng.pick(fits))];
        note_call(g);
        args.push_back(std::make_shared<ir::FnHandle>(t, g.name));
      } else {
        args.push_back(std::make_shared<ir::FnHandle>(t, rng.pick({"abs", "floor", "sqrt", "round"})));
      }
    } else if (t.is_tuple() || t.is_domain()) {
      args.push_back(aggregate(t, depth - 1));
    } else if (t.is_array()) {
      args.push_back(
          to(array(rng.chance(90) ? t.elem : random_elem(), t.complex, *f.params[k].shape, std::min(depth - 1, 1)),
             t.elem, t.complex));
      if (roots(args.back()).size() > 1) throw Retry{};
    } else {
      args.push_back(scalar(rng.chance(80) ? t.elem : random_elem(), t.complex, depth - 1));
    }
  }
  // The result could share storage with either of two arguments of different groups.
  std::set<int> groups;
  for (const ExprPtr& a : args)
    for (int g : roots(a)) groups.insert(g);
  if (groups.size() > 1)
    for (ExprPtr& a : args)
      if (a->type.is_array() && !roots(a).empty()) a = lib("copy", {a});
  for (const ExprPtr& a : args)
    if (a->type.is_array())
      for (int g : roots(a))
        if (g == 0 && f.stores_args) info_.stores_args = true;
  note_call(f);
  std::vector<Type> outs;
  for (const ResultInfo& r : f.results) outs.push_back(r.type);
  return std::make_shared<ir::FnCall>(outs.empty()       ? Type::void_()
                                      : outs.size() == 1 ? outs[0]
                                                         : Type::tuple(outs),
                                      f.name, std::move(args));
}

void FunctionGen::call_statement(ir::Body& out) {
  const FunctionInfo* f = callable([&](const FunctionInfo&) { return true; });
  if (!f) throw Retry{};
  ExprPtr c = call(*f, 2, false);
  if (f->results.empty() || rng.chance(15)) {
    out.push_back(located(std::make_shared<ir::ExprStmt>(c)));
    return;
  }
  const auto from = roots(c);
  std::vector<ExprPtr> targets;
  std::set<SymbolId> used;
  for (const ResultInfo& r : f->results) {
    if (!r.exact) throw Retry{};
    Variable* v = any([&](const Variable& x) {
      return x.exact && !x.constant && x.type.kind == r.type.kind && (x.type.is_numeric() || x.type == r.type) &&
             (!r.type.is_array() || (x.shape && x.shape == r.shape)) && r.type.complex <= x.type.complex &&
             !used.count(x.id);
    });
    if (!v || rng.chance(20)) {
      if (nesting_ > 1 || parallel_) throw Retry{};
      v = &add(r.type, "r");
      v->shape = r.shape;
      v->group = from.size() == 1 ? *from.begin() : 0;
    }
    if (v->type.is_array()) {
      if (parallel_) throw Retry{};
      for (int g : from)
        if (g != v->group) throw Retry{};
    }
    used.insert(v->id);
    targets.push_back(name(*v));
  }
  out.push_back(located(std::make_shared<ir::Assign>(targets, c)));
}

void FunctionGen::handle_statement(ir::Body& out) {
  if (in_section_ || parallel_) throw Retry{};
  const Type f64 = Type::scalar(Elem::Float64), t = Type::function({f64}, {f64});
  Variable* g = any([&](const Variable& x) { return x.type == t && !x.constant; });
  int which = -1;
  for (size_t j = 0; j < m_.functions.size(); ++j)
    if (m_.functions[j].type == t && m_.functions[j].results[0].exact) which = static_cast<int>(j);
  const bool library = which < 0;
  if (!g || g->callee != which) {
    g = &add(t, "g");
    g->constant = true;
    g->callee = which;
  }
  if (!library) note_call(m_.functions[static_cast<size_t>(which)]);
  assign(out, name(*g),
         std::make_shared<ir::FnHandle>(t, library ? rng.pick({"abs", "floor", "sqrt", "ceil"})
                                                   : m_.functions[static_cast<size_t>(which)].name.c_str()));
}

StmtPtr FunctionGen::return_statement() {
  std::vector<ExprPtr> values;
  for (ResultInfo& r : info_.results) {
    ExprPtr e;
    for (int tries = 0; !e; ++tries) {
      try {
        const Type& t = r.type;
        if (!r.exact) {
          Variable* y = any([&](const Variable& x) {
            return !x.exact && x.type.kind == t.kind && x.type.elem == t.elem && x.type.complex == t.complex &&
                   (!t.is_array() || x.shape == r.shape);
          });
          e = y              ? name(*y)
              : t.is_array() ? to(inexact_array(t.elem, *r.shape, 1), t.elem, false)
                             : to(inexact_scalar(t.elem, 1), t.elem, false);
        } else if (t.is_tuple() || t.is_domain()) {
          e = aggregate(t, 1);
        } else if (t.is_array()) {
          // The callee's result if its type fits; sometimes with unknown extents.
          Variable* w = entry_ && rng.chance(50) ? any([&](const Variable& x) {
            return x.type.is_array() && readable(x) && !x.shape && x.type.rank == t.rank && x.type.complex <= t.complex;
          })
                                                 : nullptr;
          e = w ? to(name(*w), t.elem, t.complex)
                : array(t.elem, t.complex, *r.shape, tries > 20 ? 0 : static_cast<int>(rng.below(2)));
          for (int g : roots(e)) r.fresh = r.fresh && g != 0;
        } else {
          e = scalar(t.elem, t.complex, tries > 20 ? 0 : static_cast<int>(rng.below(3)));
        }
      } catch (const Retry&) {
        if (tries > 60) throw;
      }
    }
    values.push_back(e);
  }
  return located(std::make_shared<ir::Return>(std::move(values)));
}

void FunctionGen::early_return(ir::Body& out) {
  if (parallel_) throw Retry{};
  ExprPtr test = condition(2);
  ir::Body a = body(1);
  a.push_back(return_statement());
  out.push_back(located(std::make_shared<ir::If>(test, std::move(a), ir::Body{})));
}

/// An error of the host's own under a condition. Most conditions are false, because statements after an error do not
/// run.
void FunctionGen::raise_statement(ir::Body& out) {
  ExprPtr test = condition(1);
  for (int more = rng.chance(80) ? 2 : 0; more > 0; --more) test = binary(Kind::And, test, condition(1));
  std::vector<ExprPtr> args;
  std::string text = "raised";
  for (int64_t n = rng.range(0, ir::max_raise_args); n > 0; --n) {
    args.push_back(scalar(random_elem(), false, 1));
    text += rng.chance(20) ? " {{{}}}" : " {}";
  }
  ir::Body a = body(rng.chance(30) ? 1 : 0);
  a.push_back(located(std::make_shared<ir::Raise>(static_cast<int32_t>(rng.range(-2, 9)), text, std::move(args))));
  out.push_back(located(std::make_shared<ir::If>(test, std::move(a), ir::Body{})));
}

void FunctionGen::recursion(ir::Body& out) {
  if (!depth_ || all_loops_ > 0 || parallel_ || in_section_ || in_recursion_) throw Retry{};
  in_recursion_ = true;
  ExprPtr c = call(info_, 1, true);
  std::vector<ExprPtr> targets;
  std::set<SymbolId> used;
  ir::Body a;
  for (const ResultInfo& r : info_.results) {
    Variable* v = any([&](const Variable& x) {
      return x.exact && !x.constant && x.type.is_scalar() && r.type.is_scalar() && r.type.complex <= x.type.complex &&
             !used.count(x.id);
    });
    if (!v) {
      v = &add(r.type, "r");
      v->shape = r.shape;
      v->hidden = true;
    }
    used.insert(v->id);
    targets.push_back(name(*v));
  }
  if (targets.empty())
    a.push_back(located(std::make_shared<ir::ExprStmt>(c)));
  else
    a.push_back(located(std::make_shared<ir::Assign>(targets, c)));
  out.push_back(
      located(std::make_shared<ir::If>(binary(Kind::Gt, name(*depth_), int_const(0)), std::move(a), ir::Body{})));
}

}  // namespace vr::smith
