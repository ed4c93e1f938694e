// Branches and serial loops.
#include "generator.hpp"

namespace vr::smith {

void FunctionGen::if_statement(ir::Body& out) {
  ExprPtr test = condition(2);
  ir::Body a = body(static_cast<int>(rng.range(1, 3))), b;
  if (rng.chance(45)) b = body(static_cast<int>(rng.range(1, 2)));
  if (loops_ > 0 && rng.chance(20)) {
    std::shared_ptr<ir::Stmt> jump;
    if (rng.chance(50))
      jump = std::make_shared<ir::Break>();
    else
      jump = std::make_shared<ir::Continue>();
    (rng.chance(70) || b.empty() ? a : b).push_back(located(jump));
  }
  out.push_back(located(std::make_shared<ir::If>(test, std::move(a), std::move(b))));
}

/// A range of n numbers from lo on, in one of many spellings.
ExprPtr FunctionGen::loop_range(int64_t lo, int64_t n, Elem e, bool whole) {
  std::optional<bool> exclude;
  if (rng.chance(60)) exclude = rng.chance(50);
  const bool excluded = exclude.value_or(m_.conv.exclude);
  auto number = [&](int64_t v) -> ExprPtr {
    if (e == Elem::Float64 || e == Elem::Float32) return float_const(static_cast<double>(v), e);
    if (e != Elem::Int64) return int_const(v, e);
    ExprPtr x = known(v);
    return x->type.elem == Elem::Float64 ? int_const(v) : x;
  };
  int64_t step = whole ? 1 : rng.pick<int64_t>({1, 1, 1, 2, 3, -1, -1, -2});
  if (whole && rng.chance(25)) step = -1;
  if (ir::is_unsigned(e)) {  // ascending, and no number below 0
    if (lo < 0) throw Retry{};
    step = std::abs(step);
  }
  // The numbers lo .. lo + n - 1, or some of them.
  const int64_t first = step > 0 ? lo : lo + n - 1, last = step > 0 ? lo + n - 1 : lo;
  ExprPtr start = first == m_.base() && step > 0 && rng.chance(30) ? nullptr : number(first);
  ExprPtr by = step == 1 && rng.chance(70) ? nullptr : number(step);
  ExprPtr stop = number(excluded ? last + (step > 0 ? 1 : -1) : last);
  auto r = std::make_shared<ir::Range>(Type::null(), exclude, start, by, stop);
  r->type = ir::natural_type(*r, {&m_.module, &fn_, m_.conv, nullptr}).type;
  return r;
}

void FunctionGen::for_statement(ir::Body& out) {
  const int64_t dims = rng.chance(80) ? 1 : 2;
  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  std::vector<ExprPtr> ranges;
  for (int64_t k = 0; k < dims; ++k) {
    const Elem e = rng.chance(70) ? Elem::Int64 : rng.pick({Elem::Int32, Elem::Int32, Elem::Float64, Elem::Float32, Elem::Int8,
                                                             Elem::UInt8, Elem::Int16, Elem::UInt32, Elem::UInt64});
    Variable& v = add(Type::scalar(e), "i");
    v.constant = !rng.chance(6);
    v.hidden = true;
    const int64_t lo = rng.chance(60) ? m_.base() : rng.range(-2, 3),
                  n = rng.chance(70) ? rng.pick(m_.sizes) : rng.range(0, 6);
    const int64_t turns = std::min<int64_t>(n, all_loops_ > 0 ? 5 : 17);
    if (rng.chance(20) && !ir::is_float(e) &&
        (lo >= 0 || !ir::is_unsigned(e))) {  // the number of iterations depends on data
      ExprPtr stop = binary(Kind::Plus, known(lo), bounded(7, 1));
      if (e != Elem::Int64) stop = to(stop, e, false);
      ExprPtr start = int_const(lo, e);
      if (ir::is_float(stop->type.elem)) stop = to(stop, e, false);
      auto r = std::make_shared<ir::Range>(Type::null(), std::optional<bool>(), start, nullptr, stop);
      r->type = Type::domain({Type::scalar(e)});
      ranges.push_back(r);
    } else if (e == Elem::Float64 && rng.chance(40)) {
      auto r = std::make_shared<ir::Range>(Type::null(), std::optional<bool>(), float_const(0.5), float_const(0.3),
                                           float_const(0.5 + 0.3 * static_cast<double>(rng.range(0, 6))));
      r->type = Type::domain({Type::scalar(e)});
      ranges.push_back(r);
    } else {
      ranges.push_back(loop_range(lo, turns, e, false));
      const auto parts = ranges.back()->type.components();
      if (ir::common_elem(parts[0].elem, e) != e) throw Retry{};
      if (v.constant) v.known_range = {lo, lo + turns - 1};
    }
    ids.push_back(v.id);
    vars.push_back(&v);
  }
  ExprPtr domain;
  if (dims == 1 && rng.chance(50))
    domain = ranges[0];
  else
    domain = make<ir::Domain>(ranges);
  for (Variable* v : vars) v->hidden = false;
  ++loops_, ++all_loops_;
  ir::Body b;
  try {
    b = body(static_cast<int>(rng.range(1, 4)));
  } catch (...) {
    --loops_, --all_loops_;
    throw;
  }
  --loops_, --all_loops_;
  for (Variable* v : vars) {
    v->known_range.reset();  // the variable may have kept its previous value
    v->constant = false;
  }
  out.push_back(located(std::make_shared<ir::For>(ids, domain, std::move(b))));
}

void FunctionGen::while_statement(ir::Body& out) {
  Variable& c = add(Type::scalar(rng.chance(70) ? Elem::Int64 : Elem::Int32), "c");
  c.constant = true;
  ExprPtr start = rng.chance(60) ? int_const(rng.range(0, 7), c.type.elem) : to(bounded(8, 1), c.type.elem, false);
  ExprPtr test = binary(Kind::Gt, name(c), int_const(0, c.type.elem));
  if (rng.chance(40))
    test = rng.chance(50) ? binary(Kind::And, test, condition(1)) : binary(Kind::And, condition(1), test);
  ir::Body inner;
  assign(inner, name(c), binary(Kind::Minus, name(c), int_const(1, c.type.elem)));
  ++loops_, ++all_loops_;
  ir::Body more = body(static_cast<int>(rng.range(1, 3)));
  --loops_, --all_loops_;
  inner.insert(inner.end(), more.begin(), more.end());
  assign(out, name(c), start);
  out.push_back(located(std::make_shared<ir::While>(test, std::move(inner))));
}

/// A domain stored in a variable, and a loop over it.
void FunctionGen::domain_statement(ir::Body& out) {
  if (nesting_ > 1 || parallel_) throw Retry{};
  const int64_t dims = rng.range(1, 2);
  std::vector<ExprPtr> ranges;
  std::vector<SymbolId> ids;
  std::vector<Variable*> vars;
  for (int64_t k = 0; k < dims; ++k) {
    const int64_t n = rng.range(0, 5);
    ranges.push_back(loop_range(m_.base(), n, Elem::Int64, false));
    Variable& v = add(Type::scalar(Elem::Int64), "i");
    v.constant = true;
    v.known_range = {m_.base(), m_.base() + n - 1};
    v.hidden = true;
    ids.push_back(v.id);
    vars.push_back(&v);
  }
  ExprPtr d = make<ir::Domain>(ranges);
  Variable& v = add(d->type, "d");
  assign(out, name(v), d);
  for (Variable* i : vars) i->hidden = false;
  ++loops_, ++all_loops_;
  ir::Body b = body(2);
  --loops_, --all_loops_;
  for (Variable* i : vars) i->known_range.reset(), i->constant = false;
  out.push_back(located(std::make_shared<ir::For>(ids, name(v), std::move(b))));
}

}  // namespace vr::smith
