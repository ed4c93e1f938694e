// Parallel loops without data races, and accelerated sections.
#include "generator.hpp"

#include "ir/sharing.hpp"

#include <algorithm>

namespace vr::smith {

ExprPtr FunctionGen::own_element(const Written& w, int depth) {
  std::vector<ir::Subscript> subs = w.own;
  for (size_t k : w.free_axes) subs[k] = inside(*w.v, k, extent_of(*w.v, k), depth);
  for (ir::Subscript& s : subs) s.grow = m_.conv.grow ? std::optional(false) : std::nullopt;
  auto n = std::make_shared<ir::Index>(Type::null(), w.v->id, std::move(subs));
  return typed(n);
}

void FunctionGen::parallel_store(ir::Body& out) {
  Parallel& p = *parallel_;
  if (!p.counted.empty() && rng.chance(35)) {
    const auto& [id, kind] = *std::next(p.counted.begin(), rng.below(static_cast<int64_t>(p.counted.size())));
    Variable* v = nullptr;
    for (auto& x : vars_)
      if (x->id == id) v = x.get();
    std::vector<ir::Subscript> subs;
    for (size_t k = 0; k < v->type.rank; ++k) subs.push_back(inside(*v, k, extent_of(*v, k), 1));
    using A = ir::AtomicOp;
    const A op = kind == 0   ? rng.pick({A::Add, A::Sub})
                 : kind == 1 ? A::Min
                 : kind == 2 ? A::Max
                 : kind == 3 ? A::And
                             : A::Or;
    out.push_back(located(std::make_shared<ir::ExprStmt>(xchange(*v, op, std::move(subs)))));
    return;
  }
  if (p.own && p.own->shape && rng.chance(40)) {
    std::vector<ir::Subscript> subs;
    for (size_t k = 0; k < p.own->type.rank; ++k) subs.push_back(inside(*p.own, k, extent_of(*p.own, k), 1));
    for (ir::Subscript& x : subs) x.grow = m_.conv.grow ? std::optional(false) : std::nullopt;
    ExprPtr target = typed(std::make_shared<ir::Index>(Type::null(), p.own->id, std::move(subs)));
    assign(out, target, scalar(p.own->type.elem, p.own->type.complex, 2));
    return;
  }
  if (p.written.empty()) throw Retry{};
  const Written& w = rng.pick(p.written);
  noted_store(*w.v);
  if (!w.free_axes.empty() && !p.kernel && !m_.matlab() && rng.chance(20)) {  // a row private to the iteration
    std::vector<ir::Subscript> subs = w.own;
    Shape s;
    for (size_t k : w.free_axes) {
      int64_t taken;
      subs[k] = slice((*w.v->shape)[k], &taken);
      s.push_back(taken);
    }
    for (ir::Subscript& x : subs) x.grow = m_.conv.grow ? std::optional(false) : std::nullopt;
    ExprPtr target = typed(std::make_shared<ir::Index>(Type::null(), w.v->id, std::move(subs)));
    ExprPtr value =
        rng.chance(50) ? scalar(w.v->type.elem, w.v->type.complex, 2) : array(w.v->type.elem, w.v->type.complex, s, 1);
    assign(out, target, value);
    return;
  }
  ExprPtr target = own_element(w, 1);
  assign(out, target, scalar(w.v->type.elem, w.v->type.complex, 3));
}

std::vector<SymbolId> FunctionGen::shared_list(const ir::Body& body, const std::vector<SymbolId>& vars) const {
  std::set<SymbolId> used;
  ir::walk_stmts(body, [&](const ir::Stmt& s) {
    ir::for_each_child(s, {[&](const ExprPtr& e) {
                             ir::walk_exprs(e, [&](const ir::Expr& x) {
                               if (auto id = ir::named_variable(x)) used.insert(*id);
                             });
                           },
                           {}});
  });
  for (SymbolId id : ir::assigned_variables(body)) used.erase(id);
  for (SymbolId id : vars) used.erase(id);
  return {used.begin(), used.end()};
}

/// A parallel loop inside an iteration of another one: over a dimension that is private to the iteration.
void FunctionGen::nested_loop(ir::Body& out) {
  std::vector<size_t> fits;
  for (size_t k = 0; k < parallel_->written.size(); ++k)
    if (!parallel_->written[k].free_axes.empty()) fits.push_back(k);
  if (fits.empty() || all_loops_ > 2) throw Retry{};
  Written w = parallel_->written[rng.pick(fits)];
  const size_t at = static_cast<size_t>(rng.below(static_cast<int64_t>(w.free_axes.size()))), axis = w.free_axes[at];
  const int64_t n = (*w.v->shape)[axis];
  ExprPtr range = loop_range(m_.base(), n, Elem::Int64, rng.chance(75));
  if (ir::is_float(range->type.components()[0].elem)) throw Retry{};
  if (rng.chance(30)) {  // a triangle
    const Variable* by = any([&](const Variable& x) {
      return x.constant && x.type == Type::scalar(Elem::Int64) && x.known_range && x.known_range->first >= m_.base() &&
             x.known_range->second < m_.base() + n;
    });
    const bool up = rng.chance(50);
    if (by) {
      auto r = std::make_shared<ir::Range>(Type::null(), std::optional(up && rng.chance(50)), up ? nullptr : name(*by), nullptr,
                                           up ? name(*by) : int_const(m_.base() + n - 1, Elem::Int64));
      r->type = ir::natural_type(*r, {&m_.module, &fn_, m_.conv, nullptr}).type;
      range = r;
    }
  }
  Variable& i = add(Type::scalar(Elem::Int64), "i");
  i.constant = true;
  i.known_range = {m_.base(), m_.base() + n - 1};
  w.own[axis].value = name(i);
  w.free_axes.erase(w.free_axes.begin() + static_cast<std::ptrdiff_t>(at));
  const Parallel outer = *parallel_;
  const int loops = loops_;
  parallel_->written = {w};
  loops_ = 0;
  ++all_loops_;
  auto leave = [&] {
    parallel_ = outer;
    loops_ = loops;
    --all_loops_;
    i.hidden = true;
  };
  ir::Body b;
  try {
    b = body(static_cast<int>(rng.range(0, 2)));
    parallel_store(b);
  } catch (...) {
    leave();
    throw;
  }
  leave();
  std::optional<std::vector<SymbolId>> shared;
  if (rng.chance(40)) shared = shared_list(b, {i.id});
  out.push_back(located(std::make_shared<ir::PFor>(std::vector{i.id}, range, std::move(shared), std::move(b))));
}

void FunctionGen::parallel_loop(ir::Body& out) {
  if (parallel_) throw Retry{};
  Parallel p;
  p.kernel = in_section_;
  // The number of iterations is determined by the array to which they store.
  auto fits = [&](const Variable& x) {
    return x.type.is_array() && x.exact && x.shape && count(*x.shape) > 0 && !p.banned.count(x.group);
  };
  Variable* main = any(fits);
  if (!main) throw Retry{};
  const Shape& s = *main->shape;
  std::vector<size_t> axes;
  for (size_t k = 0; k < s.size(); ++k) axes.push_back(k);
  while (axes.size() > 1 && (rng.chance(50) || axes.size() > 3))
    axes.erase(axes.begin() + rng.below(static_cast<int64_t>(axes.size())));
  if (axes.size() > 1 && rng.chance(30)) std::swap(axes[0], axes[1]);

  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  std::vector<ExprPtr> ranges;
  for (size_t k : axes) {
    const Elem e = rng.chance(80) ? Elem::Int64 : rng.pick({Elem::Int32, Elem::Int32, Elem::Int16, Elem::UInt16, Elem::UInt32, Elem::UInt64});
    ExprPtr r = loop_range(m_.base(), s[k], e, rng.chance(75));
    const Elem natural = r->type.components()[0].elem;
    Variable& v = add(Type::scalar(ir::common_elem(natural, e)), "i");
    if (ir::is_float(v.type.elem)) throw Retry{};
    v.constant = true;
    v.known_range = {m_.base(), m_.base() + s[k] - 1};
    v.hidden = true;
    ids.push_back(v.id);
    vars.push_back(&v);
    ranges.push_back(r);
  }
  ExprPtr domain = axes.size() == 1 && rng.chance(50) ? ranges[0] : make<ir::Domain>(ranges);

  auto written = [&](Variable& v) {
    Written w{&v, {}, {}};
    w.own.resize(v.type.rank);
    for (size_t k = 0; k < v.type.rank; ++k) {
      auto at = std::find(axes.begin(), axes.end(), k);
      if (at == axes.end()) {
        w.free_axes.push_back(k);
        continue;
      }
      w.own[k].value = name(*vars[static_cast<size_t>(at - axes.begin())]);
    }
    p.written.push_back(std::move(w));
    p.banned.insert(v.group);
    // Under value semantics no two variables share storage, but a variable still overlaps itself.
    if (m_.copies())
      for (auto& x : vars_)
        if (x.get() == &v) p.banned.insert(v.group);
  };
  written(*main);
  if (rng.chance(40)) {
    Variable* v = any([&](const Variable& x) { return fits(x) && x.shape == s; });
    if (v) written(*v);
  }
  if (rng.chance(40)) {
    Variable* v = any([&](const Variable& x) {
      return fits(x) && !x.type.complex && ir::is_integer(x.type.elem) && ir::elem_bytes(x.type.elem) >= 4;
    });
    if (v) {
      p.counted[v->id] = static_cast<int>(rng.below(5));
      p.banned.insert(v->group);
    }
  }
  // Arrays that are private to an iteration.
  ir::Body b;
  Variable* own = nullptr;
  const int outer_loops = loops_;
  for (Variable* v : vars) v->hidden = false;
  parallel_ = std::move(p);
  loops_ = 0;
  ++all_loops_;
  auto leave = [&] {
    parallel_.reset();
    loops_ = outer_loops;
    --all_loops_;
    for (Variable* v : vars) {
      v->hidden = false;
      v->known_range.reset();
    }
    if (own) own->hidden = true;
  };
  try {
    if (rng.chance(parallel_->kernel ? 30 : 15)) {
      const Shape t = random_shape(2);
      const Type e = random_scalar_type();
      own = &add(Type::array(e.elem, static_cast<int>(t.size()), ir::fresh_layout(m_.conv), e.complex), "o");
      own->group = ++groups_;
      own->hidden = true;
      ExprPtr value;
      if (parallel_->kernel) {  // of known size, with elements that share no storage
        if (count(t) > 100) throw Retry{};
        std::vector<ExprPtr> extents;
        for (int64_t n : t) extents.push_back(int_const(n, Elem::Int64));
        value = std::make_shared<ir::Alloc>(own->type, rng.chance(50) ? ir::AllocFunc::Zeros : ir::AllocFunc::Ones,
                                            std::move(extents));
        if (count(t) > 0) parallel_->own = own;
      } else {
        value = array(e.elem, e.complex, t, 1);
        if (!roots(value).empty()) value = lib("copy", {value});
      }
      assign(b, name(*own), value);
      own->shape = t;
      own->hidden = false;
    }
    ir::Body more = body(static_cast<int>(rng.range(1, 4)));
    b.insert(b.end(), more.begin(), more.end());
    parallel_store(b);
  } catch (...) {
    leave();
    throw;
  }
  leave();
  for (Variable* v : vars) v->constant = false;
  std::optional<std::vector<SymbolId>> shared;
  if (rng.chance(50)) shared = shared_list(b, ids);
  info_.has_pfor = true;
  out.push_back(located(std::make_shared<ir::PFor>(ids, domain, std::move(shared), std::move(b))));
}

void FunctionGen::section(ir::Body& out) {
  if (in_section_ || parallel_) throw Retry{};
  in_section_ = true;
  ir::Body b;
  try {
    b = body(static_cast<int>(rng.range(1, 5)));
  } catch (...) {
    in_section_ = false;
    throw;
  }
  in_section_ = false;
  if (b.empty()) throw Retry{};
  m_.has_section = true;
  out.push_back(located(std::make_shared<ir::StmtList>(true, std::move(b))));
}

}  // namespace vr::smith
