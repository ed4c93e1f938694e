// Tuples and domains: as variables, as arguments and results of functions, as subscripts.
#include "generator.hpp"

namespace vr::smith {

/// A tuple of numbers, or a domain: types that arguments and results can have.
Type FunctionGen::random_aggregate() {
  if (rng.chance(35)) {
    std::vector<Type> dims;
    for (int64_t k = rng.range(1, 2); k > 0; --k)
      dims.push_back(Type::scalar(rng.pick({Elem::Int64, Elem::Int64, Elem::Int32, Elem::Int16, Elem::UInt8})));
    return Type::domain(std::move(dims));
  }
  std::vector<Type> parts;
  for (int64_t k = rng.range(1, 3); k > 0; --k) parts.push_back(random_scalar_type());
  return Type::tuple(std::move(parts));
}

/// A value of such a type: a variable, the result of a call, or a new value.
ExprPtr FunctionGen::aggregate(const Type& t, int depth) {
  Variable* v = any([&](const Variable& x) { return x.type == t; });
  if (v && rng.chance(45)) return name(*v);
  if (depth > 0 && rng.chance(25)) {
    const FunctionInfo* f =
        callable([&](const FunctionInfo& x) { return x.results.size() == 1 && x.results[0].type == t; });
    if (f) return call(*f, depth - 1, false);
  }
  if (t.is_tuple()) {
    std::vector<ExprPtr> elems;
    for (const Type& part : t.components())
      elems.push_back(to(scalar(part.elem, part.complex, 1), part.elem, part.complex));
    return make<ir::TupleExpr>(std::move(elems));
  }
  std::vector<ExprPtr> ranges;
  for (const Type& part : t.components()) {
    ExprPtr r = loop_range(m_.base() + rng.range(-1, 2), rng.range(0, 4), part.elem, false);
    if (r->type.components()[0].elem != part.elem) throw Retry{};
    ranges.push_back(r);
  }
  if (ranges.size() == 1 && rng.chance(50)) return ranges[0];
  return make<ir::Domain>(std::move(ranges));
}

void FunctionGen::aggregate_assign(ir::Body& out) {
  if (parallel_) throw Retry{};
  Variable* v = any([](const Variable& x) { return x.type.is_domain() || x.type.is_tuple(); });
  if (!v || rng.chance(30)) {
    if (nesting_ > 1) throw Retry{};
    const FunctionInfo* f =
        rng.chance(60)
            ? callable([](const FunctionInfo& x) { return x.results.size() == 1 && !x.results[0].type.is_numeric(); })
            : nullptr;
    const Type t = f ? f->results[0].type : random_aggregate();
    ExprPtr value = f ? call(*f, 1, false) : aggregate(t, 0);
    assign(out, name(add(t, t.is_tuple() ? "t" : "d")), value);
    return;
  }
  for (const Type& part : v->type.components())
    if (!part.is_scalar()) throw Retry{};
  assign(out, name(*v), aggregate(v->type, 2));
}

void FunctionGen::tuple_statement(ir::Body& out) {
  Variable* v = any([](const Variable& x) { return x.type.is_tuple(); });
  if (v && rng.chance(60)) {
    const auto& parts = v->type.components();
    if (rng.chance(40)) {  // one element of the tuple
      const auto k = static_cast<size_t>(rng.below(static_cast<int64_t>(parts.size())));
      if (!parts[k].is_scalar()) throw Retry{};
      ExprPtr target = make<ir::TupleIndex>(v->id, static_cast<int32_t>(k) + m_.base());
      assign(out, target, scalar(parts[k].elem, parts[k].complex, 2));
      return;
    }
    std::vector<ExprPtr> elems;
    for (const Type& t : parts) {
      if (!t.is_scalar()) throw Retry{};
      elems.push_back(scalar(t.elem, t.complex, 1));
    }
    assign(out, name(*v), make<ir::TupleExpr>(std::move(elems)));
    return;
  }
  // Several targets at once: (a, b) = (b, a).
  if (rng.chance(50)) {
    auto targets = where([](const Variable& x) { return x.type.is_scalar() && x.exact && !x.constant; });
    if (targets.size() < 2) throw Retry{};
    Variable *a = rng.pick(targets), *b = rng.pick(targets);
    if (a == b) throw Retry{};
    ExprPtr value = make<ir::TupleExpr>(
        std::vector{scalar(a->type.elem, a->type.complex, 1), scalar(b->type.elem, b->type.complex, 1)});
    std::vector<ExprPtr> names{name(*a), name(*b)};
    if (rng.chance(50)) {
      ExprPtr t = make<ir::TupleExpr>(names);
      assign(out, t, value);
    } else {
      out.push_back(located(std::make_shared<ir::Assign>(names, value)));
    }
    return;
  }
  if (nesting_ > 1 || parallel_) throw Retry{};
  std::vector<Type> parts;
  for (int64_t k = rng.range(1, 3); k > 0; --k) parts.push_back(random_scalar_type());
  std::vector<ExprPtr> elems;
  for (const Type& t : parts) elems.push_back(scalar(t.elem, t.complex, 1));
  Variable& t = add(Type::tuple(parts), "t");
  assign(out, name(t), make<ir::TupleExpr>(std::move(elems)));
}

/// A loop over a domain that is an argument.
void FunctionGen::aggregate_loop(ir::Body& out) {
  if (parallel_ || all_loops_ > 1) throw Retry{};
  Variable* d = any([](const Variable& x) { return x.type.is_domain(); });
  if (!d) throw Retry{};
  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  for (const Type& part : d->type.components()) {
    Variable& v = add(Type::scalar(ir::common_elem(part.elem, Elem::Int64)), "i");
    v.constant = true;
    ids.push_back(v.id);
    vars.push_back(&v);
  }
  ExprPtr domain = name(*d);
  ++loops_, ++all_loops_;
  ir::Body b = body(static_cast<int>(rng.range(1, 2)));
  --loops_, --all_loops_;
  for (Variable* v : vars) v->constant = false;
  out.push_back(located(std::make_shared<ir::For>(ids, domain, std::move(b))));
}

/// A slice by a domain that is clipped to the array, so that its number of elements is unknown.
ExprPtr FunctionGen::domain_slice(const Type& t) {
  Variable* d = any([](const Variable& x) { return x.type.is_domain() && x.type.rank == 1; });
  Variable* v = any([&](const Variable& x) {
    return x.type.is_array() && x.shape && x.type.rank == t.rank && readable(x) && x.type.complex <= t.complex;
  });
  if (!d || !v) throw Retry{};
  std::vector<ir::Subscript> subs(v->type.rank);
  for (ir::Subscript& s : subs)
    s.value = std::make_shared<ir::Range>(Type::null(), std::nullopt, nullptr, nullptr, nullptr);
  ir::Subscript& s = subs[static_cast<size_t>(rng.below(v->type.rank))];
  s.value = name(*d);
  s.negative = rng.chance(95) || !m_.clumsy;
  return make<ir::Index>(v->id, std::move(subs));
}

/// With too few subscripts, the last one covers all remaining dimensions.
std::optional<std::pair<ExprPtr, Shape>> FunctionGen::flat_section(const Variable& v, bool store) {
  const size_t rank = v.type.rank;
  if (!v.shape || rank < 2 || parallel_) return {};
  const size_t given = static_cast<size_t>(rng.range(1, static_cast<int64_t>(rank) - 1));
  std::vector<ir::Subscript> subs;
  Shape shape;
  bool gathered = false;
  for (size_t k = 0; k < given; ++k) {
    const bool last = k + 1 == given;
    const int64_t extent =
        last ? count(Shape(v.shape->begin() + static_cast<std::ptrdiff_t>(k), v.shape->end())) : (*v.shape)[k];
    int64_t taken = 0;
    if (!last && !m_.matlab() && extent > 0 && rng.chance(40)) {
      subs.push_back(inside(v, k, extent, 1));
      continue;
    }
    if (!gathered && extent > 0 && rng.chance(30)) {
      gathered = true;
      taken = rng.range(0, 4);
      subs.push_back(gather(extent, m_.matlab() ? Shape{1, taken} : Shape{taken}, 0));
    } else {
      subs.push_back(slice(extent, &taken));
    }
    shape.push_back(taken);
  }
  if (m_.matlab() && given == 1) {
    // A vector keeps its orientation; A(:) is a column.
    auto* r = ir::as<ir::Range>(subs[0].value);
    const bool whole = r && !r->start && !r->step && !r->stop;
    const bool column = whole || (rank == 2 && (*v.shape)[1] == 1 && (*v.shape)[0] != 1);
    shape = column ? Shape{shape[0], 1} : Shape{1, shape[0]};
  }
  if (store && m_.conv.grow && rng.chance(60))
    for (ir::Subscript& s : subs) s.grow = false;
  auto n = std::make_shared<ir::Index>(Type::null(), v.id, std::move(subs));
  if (!m_.conv.flatten || rng.chance(30)) n->flatten = true;
  if (rng.chance(30)) n->copyslice = rng.chance(50);
  ExprPtr e = typed(n);
  if (!e->type.is_array() || e->type.rank != static_cast<int>(shape.size())) return {};
  return std::pair{e, shape};
}

}  // namespace vr::smith
