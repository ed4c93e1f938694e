#include "loop/analysis/polynomials.hpp"

#include "loop/walk.hpp"

#include <algorithm>

namespace vr::lower {

namespace {

constexpr size_t most_terms = 24;   // of a polynomial; larger ones become values
constexpr size_t most_factors = 8;  // of a product: repeated squares would have exponentially many

int64_t plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t times(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }

void add_term(Polynomial& p, const std::vector<int32_t>& product, int64_t factor) {
  int64_t& sum = p.terms[product];
  sum = plus(sum, factor);
  if (sum == 0) p.terms.erase(product);
}

Polynomial number(int64_t v) {
  Polynomial p;
  add_term(p, {}, v);
  return p;
}

size_t degree(const Polynomial& p) {
  size_t most = 0;
  for (const auto& [product, factor] : p.terms) most = std::max(most, product.size());
  return most;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial r;
  for (const auto& [pa, fa] : a.terms)
    for (const auto& [pb, fb] : b.terms) {
      std::vector<int32_t> both = pa;
      both.insert(both.end(), pb.begin(), pb.end());
      std::sort(both.begin(), both.end());
      add_term(r, both, times(fa, fb));
    }
  return r;
}

uint64_t name_bit(VarId v) { return uint64_t{1} << (static_cast<uint32_t>(v) % 64); }

/// The bits of the variables that the expression names.
uint64_t names_of(ExprP e) {
  if (!e) return 0;
  return (e->kind == Expr::Kind::Var ? name_bit(e->var) : 0) | names_of(e->a) | names_of(e->b) | names_of(e->c);
}

void all_assigned(const Function& fn, const Stmt& s, std::set<VarId>& vars) {
  each_assigned(fn, s, [&](VarId v) { vars.insert(v); });
  for (const Block* p : parts(s))
    for (const Stmt& inner : *p) all_assigned(fn, inner, vars);
}

}  // namespace

Polynomial sum(Polynomial a, const Polynomial& b, int64_t factor) {
  for (const auto& [product, f] : b.terms) add_term(a, product, times(f, factor));
  return a;
}

std::optional<int64_t> quotient(const Polynomial& a, const Polynomial& b) {
  if (b.terms.empty()) return {};
  if (a.terms.empty()) return 0;
  const auto& [product, factor] = *b.terms.begin();
  const auto it = a.terms.find(product);
  if (it == a.terms.end()) return {};
  // The smallest number divided by -1 overflows.
  if (factor != -1 && it->second % factor != 0) return {};
  const int64_t n = factor == -1 ? times(it->second, -1) : it->second / factor;
  if (!sum(a, b, times(n, -1)).terms.empty()) return {};
  return n;
}

Polynomial coefficient(const Polynomial& p, int32_t value) {
  Polynomial r;
  for (const auto& [product, factor] : p.terms) {
    std::vector<int32_t> others = product;
    const auto it = std::find(others.begin(), others.end(), value);
    if (it == others.end()) continue;
    others.erase(it);
    r.terms[others] = factor;
  }
  return r;
}

bool is_number(const Polynomial& p, int64_t n) { return p == number(n); }

int64_t Polynomial::constant() const {
  const auto it = terms.find({});
  return it == terms.end() ? 0 : it->second;
}

Polynomial Polynomial::rest() const {
  Polynomial r = *this;
  r.terms.erase(std::vector<int32_t>());
  return r;
}

Polynomials::Polynomials(const Function& fn) : fn_(fn), known_(fn.vars.size()) {
  std::set<VarId> assigned;
  for (const Stmt& s : fn.body) all_assigned(fn, s, assigned);
  assigned.insert(fn.dims.begin(), fn.dims.end());
  assigned_ = std::make_shared<const std::set<VarId>>(std::move(assigned));
}

Polynomials::Known& Polynomials::known(VarId v) {
  // Transformations make variables while they walk.
  if (static_cast<size_t>(v) >= known_.size()) known_.resize(fn_.vars.size());
  return known_[static_cast<size_t>(v)];
}

Polynomial Polynomials::value(int32_t number) const {
  Polynomial p;
  p.terms[{number}] = 1;
  return p;
}

Polynomial Polynomials::opaque(ExprP e) {
  // What a load reads may change without an assignment.
  if (loads(e)) return value(fresh());
  const uint64_t names = names_of(e);
  for (const Opaque& o : opaque_)
    if (o.names == names && same(o.expr, e)) return value(o.value);
  opaque_.push_back({e, fresh(), names});
  return value(opaque_.back().value);
}

Polynomial Polynomials::of(ExprP e) {
  Polynomial r;
  switch (e->kind) {
    case Expr::Kind::IntConst:
      return number(e->ival);
    case Expr::Kind::Var: {
      Known& now = known(e->var);
      if (!now) {
        const int32_t v = fresh();
        now = std::make_shared<const Polynomial>(value(v));
        if (!assigned_->count(e->var)) fixed_.emplace_back(v, e->var);
      }
      return *now;
    }
    case Expr::Kind::At:
      r = number(e->ival);
      for (ExprP axis = e; axis; axis = axis->c) {
        const Polynomial index = of(axis->a), stride = of(axis->b);
        if (degree(index) + degree(stride) > most_factors) return opaque(e);
        r = sum(std::move(r), product(index, stride), 1);
      }
      break;
    case Expr::Kind::Unary:
      if (e->op != Op::Neg) return opaque(e);
      r = sum({}, of(e->a), -1);
      break;
    case Expr::Kind::Binary:
      if (e->type != Scalar::Int64) return opaque(e);
      if (e->op == Op::Add || e->op == Op::Sub) {
        r = sum(of(e->a), of(e->b), e->op == Op::Add ? 1 : -1);
      } else if (e->op == Op::Mul) {
        const Polynomial a = of(e->a), b = of(e->b);
        if (degree(a) + degree(b) > most_factors) return opaque(e);
        r = product(a, b);
      } else {
        return opaque(e);
      }
      break;
    default:
      return opaque(e);
  }
  return r.terms.size() > most_terms ? opaque(e) : r;
}

void Polynomials::execute(const Stmt& s) {
  std::set<VarId> vars;
  all_assigned(fn_, s, vars);
  auto* n = std::get_if<SetVar>(&s.node);
  const bool number = n && fn_.vars[static_cast<size_t>(n->var)].type == Scalar::Int64;
  Known now = number ? std::make_shared<const Polynomial>(of(n->value)) : nullptr;
  forget(vars);
  if (number) known(n->var) = std::move(now);
}

Polynomials Polynomials::inside(const Stmt& s) const {
  Polynomials r = *this;
  if (std::holds_alternative<CountedLoop>(s.node) || std::holds_alternative<Loop>(s.node)) {
    // Another iteration may have run before.
    std::set<VarId> vars;
    all_assigned(fn_, s, vars);
    r.forget(vars);
  }
  return r;
}

void Polynomials::forget(const std::set<VarId>& vars) {
  uint64_t names = 0;
  for (VarId v : vars) {
    known(v) = nullptr;
    names |= name_bit(v);
  }
  std::erase_if(opaque_, [&](const Opaque& o) {
    return (o.names & names) != 0 &&
           any_node(o.expr, [&](ExprP e) { return e->kind == Expr::Kind::Var && vars.count(e->var) != 0; });
  });
}

VarId Polynomials::fixed_variable(int32_t value) const {
  const auto it =
      std::lower_bound(fixed_.begin(), fixed_.end(), value, [](const auto& f, int32_t v) { return f.first < v; });
  return it == fixed_.end() || it->first != value ? none : it->second;
}

VarId Polynomials::fixed_variable(const std::vector<int32_t>& product) const {
  for (int32_t value : product)
    if (const VarId v = fixed_variable(value); v != none) return v;
  return none;
}

}  // namespace vr::lower
