#include "loop/transform/privatise.hpp"

#include "loop/analysis/accumulations.hpp"
#include "loop/kernel_forms.hpp"
#include "loop/replace.hpp"
#include "loop/walk.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace vr::lower {

namespace {

/// Copies of up to so many bytes leave room for enough work-groups to fill one multiprocessor (2048 work-items on an
/// H100).
constexpr int64_t most_bytes = 16384;
constexpr int64_t most_slice_bytes = 49152;  ///< few slices are as short
constexpr int64_t least_privatised_bytes = 8 * row_group;
/// The number of iterations for each element of the copies from which on the cost of adding the copies up does not
/// matter.
constexpr int64_t iterations_an_element = 64;
constexpr int64_t iterations_a_slice_element = 4;  ///< each slice is added up once at least
constexpr int64_t least_privatised_iterations = 8192;
/// A work-group runs at most 2^23 iterations: there are at most 2^31 (kernel_version) and then at least 2^16
/// work-items, of which a group has 2^8 (private_size in runtime/gpu/work_size.hpp).
constexpr int64_t most_in_group = int64_t{1} << 23;

bool can_privatise(const Function& k) {
  return k.disjoint && runs_alone(k) && has<Atomic>(k.body) && !has<Exit>(k.body);
}

/// Atomic operations name subscripts instead of a variable with the address, where its operands still have the values
/// that it was computed from.
void with_subscripts(const Function& f, Block& b) {
  std::map<VarId, ExprP> addresses;  // in this block
  for (Stmt& s : b) {
    if (auto* n = std::get_if<Atomic>(&s.node); n && n->offset->kind == Expr::Kind::Var)
      if (const auto it = addresses.find(n->offset->var); it != addresses.end()) n->offset = it->second;
    if (!parts(s).empty()) addresses.clear();
    for (Block* p : parts(s)) with_subscripts(f, *p);
    each_assigned(f, s, [&](VarId changed) {
      addresses.erase(changed);
      for (auto it = addresses.begin(); it != addresses.end();)
        it = variables(it->second).count(changed) ? addresses.erase(it) : std::next(it);
    });
    if (auto* set = std::get_if<SetVar>(&s.node); set && set->value->kind == Expr::Kind::At && !loads(set->value))
      addresses[set->var] = set->value;
  }
}

/// The distance between two elements of an array, or of a slice of it, counted in elements that are `by` times smaller
/// and `times` as far from each other.
ExprP in_copy(Exprs& x, ExprP offset, int64_t by, bool slice, ExprP times) {
  const auto scaled = [&](ExprP e) { return x.mul(by == 1 ? e : x.binary(Op::Div, e, x.int_const(by)), times); };
  if (offset->kind != Expr::Kind::At) return scaled(offset);
  std::vector<ExprP> index, stride;
  for (ExprP e = slice ? offset->c : offset; e; e = e->c) {
    index.push_back(e->a);
    stride.push_back(scaled(e->b));
  }
  return x.at(index, stride);
}

/// Additions to the array `from` go to its copy instead, or to that of a slice. `old`: a variable of the copy's type
/// for the old values, which are not used.
void redirect(Exprs& x, Block& b, VarId from, const Row& copy, int64_t smaller_by, bool slice, VarId old) {
  for (Stmt& s : b) {
    if (auto* n = std::get_if<Atomic>(&s.node); n && n->base->kind == Expr::Kind::Var && n->base->var == from) {
      n->base = x.var(copy.data, Scalar::Ptr);
      n->offset = in_copy(x, n->offset, smaller_by, slice, x.var(copy.times, Scalar::Int64));
      n->value = x.convert(n->value, copy.type);
      if (smaller_by > 1) n->result = old;
    }
    for (Block* p : parts(s)) redirect(x, *p, from, copy, smaller_by, slice, old);
  }
}

class PrivatisedLaunches {
 public:
  PrivatisedLaunches(Module& m, Exprs& x, Function& f, const PassOptions& o) : m_(m), x_(x), out_(x, f), options_(o) {}

  void run() {
    replace_launches(out_, [&](Launch& n) {
      launch(std::move(n));
      return true;
    });
  }

 private:
  void launch(Launch plain) {
    const int32_t from = plain.kernel;
    if (!can_privatise(*m_.functions[static_cast<size_t>(from)])) return out_.emit(std::move(plain));
    Function kernel = *m_.functions[static_cast<size_t>(from)];
    with_subscripts(kernel, kernel.body);
    const std::vector<Accumulation> sums = accumulations(kernel);
    if (sums.empty() || bytes_each(sums, false) < least_privatised_bytes) return out_.emit(std::move(plain));
    ExprP iterations = nullptr;
    for (ExprP& count : plain.counts) {
      count = out_.keep(count, "count");
      iterations = iterations ? out_.keep(x_.mul(iterations, count), "iterations") : count;
    }
    const bool slices = std::all_of(sums.begin(), sums.end(), [](const Accumulation& a) { return a.slices; });
    const int32_t id = make(std::move(kernel), from, sums, slices);
    const Function& made = *m_.functions[static_cast<size_t>(id)];
    ExprP worth = x_.ge(iterations, x_.int_const(options_.tiles == 1 ? 1 : least_privatised_iterations));
    for (size_t k = 0; k < sums.size(); ++k)
      worth = x_.both(worth, fits(plain, made, sums[k], made.rows[k], slices, iterations));
    Launch with_copies = plain;
    with_copies.kernel = id;
    Block otherwise;
    otherwise.push_back({std::move(plain), out_.place});
    out_.append(launch_if(worth, std::move(with_copies), std::move(otherwise), out_.place));
  }

  int64_t bytes_each(const std::vector<Accumulation>& sums, bool slices) const {
    return std::min(options_.local_bytes, slices ? most_slice_bytes : most_bytes) / static_cast<int64_t>(sums.size());
  }

  int32_t make(Function f, int32_t from, const std::vector<Accumulation>& sums, bool slices) {
    f.points = 0;
    Writer out(x_, f);
    int32_t at = 0;
    Block begin;
    for (const Accumulation& a : sums) {
      const ArrayVars& array = f.arrays[static_cast<size_t>(a.array)];
      const VarId data = array.data, copy = out.new_var(array.name + ".copy", Scalar::Ptr);
      const bool short_sums =
          scalar_bytes(a.type) == 8 && a.most > 0 && a.most <= (int64_t{1} << 31) / most_in_group - 1;
      Row r{copy, short_sums ? Scalar::Int32 : a.type, 0, true, at};
      r.length = static_cast<int32_t>(bytes_each(sums, slices) / scalar_bytes(r.type) / row_group * row_group);
      r.times = out.new_var(array.name + ".copies", Scalar::Int64);
      narrow(f, r.times);
      at += (row_bytes(r) + 7) / 8 * 8;
      redirect(x_, f.body, data, r, scalar_bytes(a.type) / scalar_bytes(r.type), slices,
               short_sums ? out.new_var("old", r.type) : none);
      const ExprP first = slices ? x_.at({x_.var(f.dims.back(), Scalar::Int64)}, {a.slices}) : x_.int_const(0);
      begin.push_back({RowAt{static_cast<int32_t>(f.rows.size()), x_.var(data, Scalar::Ptr), first}, f.place});
      f.rows.push_back(r);
    }
    f.body.insert(f.body.begin(), begin.begin(), begin.end());
    return add_form(m_, from, std::move(f), "_private");
  }
  /// Whether a copy has room for the array, or for a slice of it, from its first to its last element, none of which
  /// lies before the first.
  ExprP fits(const Launch& plain, const Function& kernel, const Accumulation& a, const Row& row, bool slices,
             ExprP iterations) {
    const VarId data = kernel.arrays[static_cast<size_t>(a.array)].data;
    const ArrayVars& array = out_.array(passed_array(kernel, plain, data));
    const ExprP zero = x_.int_const(0), element = x_.int_const(scalar_bytes(a.type));
    ExprP bytes = zero, ok = x_.bool_const(true);
    for (size_t d = slices ? 1 : 0; d < array.extent.size(); ++d) {
      const ExprP stride = out_.get(array.stride[d]);
      ok = x_.both(ok, x_.both(x_.ge(stride, zero), x_.eq(x_.binary(Op::Rem, stride, element), zero)));
      bytes = x_.add(bytes, x_.mul(x_.sub(out_.get(array.extent[d]), x_.int_const(1)), stride));
    }
    bytes = out_.keep(bytes, "bytes");
    ok = x_.both(ok, x_.le(bytes, x_.int_const((int64_t{row.length} - 1) * scalar_bytes(a.type))));
    if (options_.tiles == 1) return ok;
    const ExprP elements = x_.add(x_.binary(Op::Div, bytes, element), x_.int_const(1));
    ExprP each = x_.int_const(iterations_an_element);
    if (slices) each = x_.max(each, x_.mul(plain.counts.back(), x_.int_const(iterations_a_slice_element)));
    return x_.both(ok, x_.ge(iterations, x_.mul(elements, each)));
  }

  Module& m_;
  Exprs& x_;
  Writer out_;
  const PassOptions& options_;
};

}  // namespace

void privatise(Module& m, const PassOptions& options) {
  if (!options.version_loops || options.local_bytes <= 0) return;
  Exprs x(m);
  each_entry(m, [&](Function& f) { PrivatisedLaunches(m, x, f, options).run(); });
}

}  // namespace vr::lower
