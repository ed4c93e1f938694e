// vectors: accesses of kernels to consecutive elements become vector accesses.
//
//   dx = f32 p[j, 0 by 4]                 aligned = aligned(16, p) & p.stride0 % 16 == 0        (once, when the kernel starts)
//   dy = f32 p[j, 1 by 4]                 if aligned { load vector v0, v1, v2, v3 = f32 p[j, 0 by 4] }
//   dz = f32 p[j, 2 by 4]                 else { v0 = f32 p[j, 0 by 4]; v1 = f32 p[j, 1 by 4]; ... }
//   m = f32 p[j, 3 by 4]                  dx = v0; dy = v1; dz = v2; m = v3
//
// Addresses are polynomials (analysis/polynomials.hpp): accesses whose addresses differ by a constant belong together. A vector
// is made only if its address is a multiple of its size for every value of what the address depends on.
#include "loop/transform/vectors.hpp"

#include "loop/analysis/dim_dependence.hpp"
#include "loop/analysis/polynomials.hpp"
#include "loop/analysis/vector_runs.hpp"
#include "loop/walk.hpp"
#include "loop/writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

namespace vr::lower {

namespace {

constexpr int64_t most_twice = 1500;  // nodes of expressions in a kernel with two bodies
constexpr size_t most_distances = 8;  // between the stores of a vector and others

/// What the vectors of an array need: its address is a multiple of `bytes`, and so is each of these variables times a
/// factor.
struct Need {
  VarId data;
  int64_t bytes;
  std::set<VarId> multiples;
  auto operator<=>(const Need&) const = default;
};

/// Whether it is met, for all vectors that need it: each variable's factor is the common divisor of theirs, so that the
/// device's compiler sees one condition. The distances in `apart`, polynomials whose values are variables (VarId), are
/// at least so many bytes, in either direction: stores then do not overlap others that they change places with.
struct Flag {
  VarId var = none;
  std::map<VarId, int64_t> factors;
  std::map<Polynomial, int64_t> apart;
};

/// Accesses whose addresses differ by constants.
struct Line {
  VarId data;
  Scalar type;
  Polynomial rest;
  auto operator<=>(const Line&) const = default;
};

/// A load in the expressions of a statement, or a store.
struct VectorAccess {
  size_t at;  ///< the statement's position in its block
  ExprP load, offset;
  bool alone = true;  ///< a store: its value needs no other element of the array
};

/// By the distance in bytes from the line's origin.
using VectorAccesses = std::map<int64_t, std::vector<VectorAccess>>;

struct Vector {
  Line line;
  VarId flag;
  std::map<int64_t, VarId> elements;  ///< by their distances
  VectorAccess access;                ///< whose offset serves for the address, with its distance
  int64_t distance;
};

/// What replaces the statements of a block.
struct Edits {
  std::map<size_t, std::vector<Vector>> loads, stores;  ///< before, and after, the statement
  std::map<std::pair<size_t, ExprP>, VarId> loaded;     ///< loads that become variables
  std::map<size_t, VarId> stored;                       ///< stores that become assignments
};

bool jumps(const Stmt& s) {
  return any_statement(s, [](const Stmt& t) {
    return std::holds_alternative<Break>(t.node) || std::holds_alternative<Continue>(t.node) || std::holds_alternative<Exit>(t.node);
  });
}

template <class F>
void each_load_of(ExprP e, VarId data, F&& f) {
  if (!e) return;
  if (e->kind == Expr::Kind::Load && e->a->kind == Expr::Kind::Var && e->a->var == data) f(e);
  for (ExprP part : {e->a, e->b, e->c}) each_load_of(part, data, f);
}

/// Whether the statement may read or write the array.
bool touches(const Stmt& s, VarId data) {
  return any_statement(s, [&](const Stmt& t) {
    bool found = false;
    const auto base = [&](ExprP e) { found = found || e->kind != Expr::Kind::Var || e->var == data; };
    if (auto* n = std::get_if<Store>(&t.node)) base(n->base);
    if (auto* n = std::get_if<StoreVector>(&t.node)) base(n->base);
    if (auto* n = std::get_if<LoadVector>(&t.node)) base(n->base);
    if (auto* n = std::get_if<Atomic>(&t.node)) base(n->base);
    each_expr(t, [&](ExprP e) { each_load_of(e, data, [&](ExprP) { found = true; }); });
    return found;
  });
}

class Vectors {
 public:
  Vectors(Exprs& x, Function& kernel) : x_(x), out_(x, kernel), dims_(kernel, true) {
    for (const ArrayVars& a : kernel.arrays) arrays_.insert(a.data);
  }

  void run() {
    const Polynomials values(out_.fn);
    Block body = std::move(out_.fn.body);
    // Where loops have vectors, the alignment is tested once, and there is a body for each answer.
    in_loops_ = has<CountedLoop>(body) || has<Loop>(body);
    two_bodies_ = in_loops_ && nodes(body) <= most_twice && out_.fn.group == 0;
    // Copies of arrays must have got their names before (transform/privatise.hpp).
    const auto work =
        std::find_if(body.begin(), body.end(), [](const Stmt& s) { return !std::holds_alternative<RowAt>(s.node); });
    out_.fn.body.assign(std::make_move_iterator(body.begin()), std::make_move_iterator(work));
    body.erase(body.begin(), work);
    Block plain;
    if (two_bodies_) plain = body;
    Block made = with_vectors(body, values);
    if (!two_bodies_ || flags_.empty()) {
      set_flags(flags_);
      return out_.append(std::move(made));
    }
    // Rows of which not all begin at multiples of 16 bytes often do at multiples of 8.
    const bool strides = std::any_of(flags_.begin(), flags_.end(), [](const auto& f) {
      return f.first.bytes == vector_bytes && !f.first.multiples.empty();
    });
    Block half;
    std::map<Need, Flag> half_flags;
    if (strides) {
      const Restore whole(flags_, {});
      most_bytes_ = vector_bytes / 2;
      Block again = plain;
      half = with_vectors(again, values);
      half_flags = std::move(flags_);
    }
    if (!half_flags.empty()) plain = out_.collect([&] { choose(half_flags, std::move(half), std::move(plain)); });
    choose(flags_, std::move(made), std::move(plain));
  }

 private:
  Block with_vectors(Block& body, Polynomials values) {
    return out_.collect([&] { block(body, std::move(values)); });
  }
  void set_flags(const std::map<Need, Flag>& flags) {
    for (const auto& [need, flag] : flags) out_.set(flag.var, condition(need, flag));
  }
  /// The body with vectors where all flags hold, else the other one.
  void choose(const std::map<Need, Flag>& flags, Block made, Block other) {
    set_flags(flags);
    ExprP all = x_.bool_const(true);
    for (const auto& [need, flag] : flags) all = x_.both(all, x_.var(flag.var, Scalar::Bool));
    out_.emit(If{all, std::move(made), std::move(other)});
  }

  // ---------------------------------------------------------------- the new statements
  void block(Block& b, Polynomials values) {
    const Edits edits = find(b, values);
    for (size_t k = 0; k < b.size(); ++k) {
      Stmt& s = b[k];
      const Restore place(out_.place, s.place);
      if (auto it = edits.loads.find(k); it != edits.loads.end())
        for (const Vector& v : it->second) load(v);
      for (Block* p : parts(s)) *p = out_.collect([&] { block(*p, values.inside(s)); });
      values.execute(s);
      each_expr_of(s, [&](ExprP& e) { e = with_variables(e, k, edits); });
      if (auto it = edits.stored.find(k); it != edits.stored.end())
        out_.set(it->second, std::get<Store>(s.node).value);
      else
        out_.block->push_back(std::move(s));
      if (auto it = edits.stores.find(k); it != edits.stores.end())
        for (const Vector& v : it->second) store(v);
    }
  }
  ExprP with_variables(ExprP e, size_t at, const Edits& edits) {
    if (!e || is_simple(e)) return e;
    if (auto it = edits.loaded.find({at, e}); it != edits.loaded.end()) return x_.var(it->second, e->type);
    return with_parts(x_, e, [&](ExprP part) { return with_variables(part, at, edits); });
  }

  ExprP address(const Vector& v, int64_t distance) { return x_.part(v.access.offset, distance - v.distance); }
  void load(const Vector& v) {
    const ExprP base = x_.var(v.line.data, Scalar::Ptr);
    LoadVector together{{}, base, address(v, v.elements.begin()->first)};
    for (const auto& [distance, element] : v.elements) together.vars.push_back(element);
    Block one_by_one = out_.collect([&] {
      for (const auto& [distance, element] : v.elements) out_.set(element, x_.load(v.line.type, base, address(v, distance)));
    });
    choose(v, std::move(together), std::move(one_by_one));
  }
  void store(const Vector& v) {
    const ExprP base = x_.var(v.line.data, Scalar::Ptr);
    StoreVector together{{}, base, address(v, v.elements.begin()->first)};
    for (const auto& [distance, element] : v.elements) together.values.push_back(x_.var(element, v.line.type));
    Block one_by_one = out_.collect([&] {
      for (const auto& [distance, element] : v.elements) out_.emit(Store{base, address(v, distance), x_.var(element, v.line.type)});
    });
    choose(v, std::move(together), std::move(one_by_one));
  }
  void choose(const Vector& v, auto together, Block one_by_one) {
    if (two_bodies_) return out_.emit(std::move(together));
    Block vector = out_.collect([&] { out_.emit(std::move(together)); });
    out_.emit(If{x_.var(v.flag, Scalar::Bool), std::move(vector), std::move(one_by_one)});
  }

  /// The number, of variables that are the same for all work-items.
  ExprP expression(const Polynomial& p) {
    ExprP sum = nullptr;
    for (const auto& [product, factor] : p.terms) {
      ExprP term = nullptr;
      for (const int32_t value : product) {
        const ExprP part = x_.var(value, Scalar::Int64);
        term = term ? x_.mul(term, part) : part;
      }
      const ExprP number = x_.int_const(factor);
      term = term ? x_.mul(term, number) : number;
      sum = sum ? x_.add(sum, term) : term;
    }
    return sum;
  }
  ExprP condition(const Need& need, const Flag& flag) {
    Expr aligned{Expr::Kind::Aligned, Scalar::Bool};
    aligned.ival = need.bytes;
    aligned.a = x_.var(need.data, Scalar::Ptr);
    aligned.b = x_.int_const(0);
    ExprP all = x_.make(aligned);
    for (const auto& [v, factor] : flag.factors) {
      const ExprP part = x_.mul(x_.var(v, Scalar::Int64), x_.int_const(factor));
      all = x_.both(all, x_.eq(x_.binary(Op::Rem, part, x_.int_const(need.bytes)), x_.int_const(0)));
    }
    for (const auto& [distance, bytes] : flag.apart) {
      const ExprP d = out_.keep(expression(distance), "distance");
      all = x_.both(all, x_.either(x_.ge(d, x_.int_const(bytes)), x_.le(d, x_.int_const(-bytes))));
    }
    return all;
  }

  // ---------------------------------------------------------------- which accesses become vectors
  Edits find(const Block& b, Polynomials values) {
    Edits edits;
    std::map<Line, VectorAccesses> loads, stores;
    const auto finish = [&] {
      for (const bool uniform : {false, true})
        for (const auto& [line, accesses] : loads)
          if (is_uniform(accesses) == uniform) join_loads(line, accesses, values, uniform, edits);
      const Places places = places_of(stores);
      for (const auto& [line, accesses] : stores) join_stores(b, line, accesses, places, values, edits);
      loads.clear();
      stores.clear();
    };
    for (size_t k = 0; k < b.size(); ++k) {
      const Stmt& s = b[k];
      each_expr(s, [&](ExprP e) { certain_loads(e, k, values, loads); });
      if (auto* n = std::get_if<Store>(&s.node); n && fits(n->base, n->offset, n->value->type)) {
        const Polynomial address = values.of(n->offset);
        VectorAccess access{k, nullptr, n->offset};
        each_load_of(n->offset, n->base->var, [&](ExprP) { access.alone = false; });
        each_load_of(n->value, n->base->var, [&](ExprP load) {
          access.alone = access.alone && load->b && load->type == n->value->type && values.of(load->b) == address;
        });
        stores[{n->base->var, n->value->type, address.rest()}][address.constant()].push_back(access);
      }
      values.execute(s);
      // What comes after a jump is not executed together with what comes before it.
      if (jumps(s)) finish();
    }
    finish();
    return edits;
  }

  bool fits(ExprP base, ExprP offset, Scalar type) const {
    return base->kind == Expr::Kind::Var && arrays_.count(base->var) && offset && offset->kind == Expr::Kind::At && type != Scalar::Bool &&
           type != Scalar::Ptr && !(is_float(type) && scalar_bytes(type) < 4);
  }
  /// The loads that are certain to be executed.
  void certain_loads(ExprP e, size_t at, Polynomials& values, std::map<Line, VectorAccesses>& loads) {
    if (!e) return;
    if (e->kind == Expr::Kind::Select || (e->kind == Expr::Kind::Binary && e->type == Scalar::Bool && (e->op == Op::And || e->op == Op::Or)))
      return certain_loads(e->a, at, values, loads);
    if (e->kind == Expr::Kind::Load && dims_.is_constant_load(e) && fits(e->a, e->b, e->type)) {
      const Polynomial address = values.of(e->b);
      loads[{e->a->var, e->type, address.rest()}][address.constant()].push_back({at, e, e->b});
    }
    for (ExprP part : {e->a, e->b, e->c}) certain_loads(part, at, values, loads);
  }

  /// Whether all work-items load the same elements.
  bool is_uniform(const VectorAccesses& accesses) const { return dims_.of(accesses.begin()->second[0].load) == 0; }
  /// The variable that says whether vectors of so many bytes in the line are aligned; none: for some values they are
  /// not aligned. uniform: vectors gain little, and must not decide whether the kernel runs without any, nor are short
  /// ones worth a condition in loops.
  VarId flag(const Line& line, int64_t bytes, const Polynomials& values, bool uniform = false,
             const std::map<Polynomial, int64_t>& apart = {}) {
    Need need{line.data, bytes, {}};
    std::map<VarId, int64_t> factors;
    for (const auto& [product, factor] : line.rest.terms) {
      if (factor % bytes == 0) continue;
      const VarId v = values.fixed_variable(product);
      if (v == none) return none;
      need.multiples.insert(v);
      factors[v] = std::gcd(factors[v], std::gcd(factor, bytes));
    }
    if (uniform && ((!need.multiples.empty() && !flags_.count(need)) || (in_loops_ && !two_bodies_ && bytes < vector_bytes))) return none;
    Flag& flag = flags_[std::move(need)];
    if (flag.var == none) flag.var = out_.new_var("aligned", Scalar::Bool);
    for (const auto& [v, factor] : factors) flag.factors[v] = std::gcd(flag.factors[v], factor);
    for (const auto& [distance, least] : apart) flag.apart[distance] = std::max(flag.apart[distance], least);
    return flag.var;
  }

  void join_loads(const Line& line, const VectorAccesses& accesses, const Polynomials& values, bool uniform,
                  Edits& edits) {
    each_vector(scalar_bytes(line.type), accesses, [&](int64_t first, int64_t count) {
      const int64_t size = scalar_bytes(line.type);
      if (count * size > most_bytes_) return false;
      Vector v{line, flag(line, count * size, values, uniform), {}, {}, 0};
      if (v.flag == none) return false;
      for (int64_t d = first; d < first + count * size; d += size) {
        const std::vector<VectorAccess>& same = accesses.at(d);
        const VarId element = out_.new_var("loaded", line.type);
        v.elements[d] = element;
        for (const VectorAccess& a : same) edits.loaded[{a.at, a.load}] = element;
        if (v.access.offset && v.access.at <= same[0].at) continue;
        v.access = same[0];
        v.distance = d;
      }
      edits.loads[v.access.at].push_back(std::move(v));
      return true;
    });
  }
  /// The lines and distances of stores, by their statements.
  using Places = std::map<size_t, std::pair<const Line*, int64_t>>;
  static Places places_of(const std::map<Line, VectorAccesses>& stores) {
    Places places;
    for (const auto& [line, accesses] : stores)
      for (const auto& [distance, same] : accesses)
        for (const VectorAccess& a : same) places[a.at] = {&line, distance};
    return places;
  }
  /// Stores to other lines between the members of a vector must not overlap with those: adds the distances on which that
  /// depends. False: they may overlap.
  bool are_apart(const Block& b, const Line& line, const std::map<size_t, int64_t>& members, const Places& places,
                 const Polynomials& values, std::map<Polynomial, int64_t>& apart) {
    const int64_t size = scalar_bytes(line.type);
    for (size_t k = members.begin()->first; k <= members.rbegin()->first; ++k) {
      if (members.count(k) || !touches(b[k], line.data)) continue;
      const auto other = places.find(k);
      if (other == places.end()) return false;
      const auto& n = std::get<Store>(b[k].node);
      bool reads = false;
      for (ExprP e : {n.offset, n.value}) each_load_of(e, line.data, [&](ExprP) { reads = true; });
      if (reads || other->second.first->type != line.type) return false;
      Polynomial distance = sum(other->second.first->rest, line.rest, -1);
      if (distance.terms.empty()) {  // another element of the line
        for (const auto& [at, d] : members)
          if (std::abs(other->second.second - d) < size) return false;
        continue;
      }
      if (distance.terms.begin()->second < 0) distance = sum({}, distance, -1);
      Polynomial of_variables;
      for (const auto& [product, factor] : distance.terms) {
        std::vector<int32_t> vars;
        for (const int32_t value : product) {
          const VarId v = values.fixed_variable(value);
          if (v == none) return false;
          vars.push_back(v);
        }
        std::sort(vars.begin(), vars.end());
        of_variables.terms[vars] = factor;
      }
      int64_t& bytes = apart[of_variables];
      for (const auto& [at, d] : members) bytes = std::max(bytes, std::abs(other->second.second - d) + size);
      if (apart.size() > most_distances) return false;
    }
    return true;
  }
  void join_stores(const Block& b, const Line& line, const VectorAccesses& accesses, const Places& places,
                   const Polynomials& values, Edits& edits) {
    each_vector(scalar_bytes(line.type), accesses, [&](int64_t first, int64_t count) {
      const int64_t size = scalar_bytes(line.type);
      if (count * size > most_bytes_) return false;
      Vector v{line, none, {}, {}, 0};
      bool alone = true;
      std::map<size_t, int64_t> members;  // distances
      for (int64_t d = first; d < first + count * size; d += size) {
        const std::vector<VectorAccess>& same = accesses.at(d);
        if (same.size() != 1) return false;
        members[same[0].at] = d;
        alone = alone && same[0].alone;
        if (v.access.offset && v.access.at >= same[0].at) continue;
        v.access = same[0];
        v.distance = d;
      }
      // The stores move to the place of the last of them.
      std::map<Polynomial, int64_t> apart;
      if (!alone || !are_apart(b, line, members, places, values, apart)) return false;
      v.flag = flag(line, count * size, values, false, apart);
      if (v.flag == none) return false;
      for (int64_t d = first; d < first + count * size; d += size)
        edits.stored[accesses.at(d)[0].at] = v.elements[d] = out_.new_var("stored", line.type);
      edits.stores[v.access.at].push_back(std::move(v));
      return true;
    });
  }

  Exprs& x_;
  Writer out_;
  const DimDependence dims_;
  std::set<VarId> arrays_;
  std::map<Need, Flag> flags_;
  int64_t most_bytes_ = vector_bytes;  ///< of a vector
  bool two_bodies_ = false;            ///< one for aligned arrays, one for others
  bool in_loops_ = false;              ///< the kernel has loops
};

}  // namespace

void vectors(Module& m, const PassOptions& options) {
  if (!options.lanes) return;
  Exprs x(m);
  for (const auto& f : m.functions)
    if (f->kind == Function::Kind::Kernel && f->disjoint && f->lanes.empty() && !has<Fail>(f->body) && f->team == 0) Vectors(x, *f).run();
}

}  // namespace vr::lower
