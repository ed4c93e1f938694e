// Subscripts with integers: positions, bounds checks, element reads and writes, growth (thesis 4.3, 5.6, 5.7.1).
#include "lower/index.hpp"

#include "lower/elementwise.hpp"
#include "lower/range.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/scalar.hpp"
#include "lower/slice.hpp"
#include "lower/variables.hpp"
#include "lower/view.hpp"
#include "lower/writable.hpp"

namespace vr::lower {

using ir::Elem;
using ir::Layout;

ExprP stride(Emitter& out, const Slot& s, int k) {
  // The fastest dimension of a contiguous layout has a constant stride, so that loops over it vectorise.
  int fastest = s.type.layout == Layout::ColMajor ? 0 : s.type.rank - 1;
  if (s.type.layout != Layout::Strided && k == fastest) return element_bytes(out, s);
  return out.get(out.array(s.array).stride[k]);
}

std::vector<ExprP> strides(Emitter& out, const Slot& s) {
  std::vector<ExprP> all;
  for (int k = 0; k < s.type.rank; ++k) all.push_back(stride(out, s, k));
  return all;
}

ScalarValue load(Emitter& out, ExprP data, ExprP offset, Elem elem, bool complex) {
  Scalar s = scalar_of(elem);
  ScalarValue v{out.x.load(s, data, offset), nullptr, elem};
  if (complex) v.im = out.x.load(s, data, out.x.part(offset, scalar_bytes(s)));
  return v;
}

void store(Emitter& out, ExprP data, ExprP offset, ScalarValue v) {
  if (v.im) v = out.keep(v);  // storing the real part must not change what the imaginary part reads
  out.emit(Store{data, offset, v.re});
  if (v.im) out.emit(Store{data, out.x.part(offset, scalar_bytes(v.im->type)), v.im});
}

bool all_scalar(const Lowering& f, const ir::Index& i) {
  for (const ir::Subscript& s : i.subscripts)
    if (!s.value->type.is_scalar() || s.value->kind == ir::Kind::Range) return false;
  // With fewer subscripts than dimensions, and no flattening, the others are selected as a whole: a matrix row.
  return i.subscripts.size() >= static_cast<size_t>(f.source.symbols.at(i.array).type.rank) ||
         i.flatten.value_or(f.conv.flatten);
}

bool flattens(Lowering& f, const ir::Index& i) {
  return static_cast<int>(i.subscripts.size()) < slot(f, i.array).type.rank && i.flatten.value_or(f.conv.flatten);
}

bool may_grow(const Lowering& f, const ir::Index& i, size_t k) {
  const ir::Subscript& s = i.subscripts[k];
  return s.grow.value_or(f.conv.grow) && !f.facts.unchecked.count(&s);
}

bool may_grow_any(const Lowering& f, const ir::Index& i) {
  for (size_t k = 0; k < i.subscripts.size(); ++k)
    if (may_grow(f, i, k)) return true;
  return false;
}

ExprP position(Lowering& f, const ir::Subscript& s, ExprP value, ExprP extent, const std::string& array, int axis) {
  const bool checked = !f.facts.unchecked.count(&s);
  ExprP base = f.x.int_const(f.conv.indexing);
  if (!checked) return f.x.sub(value, base);
  value = f.out.keep(value, "i");
  ExprP zero = f.x.int_const(0);
  ExprP p = f.x.sub(value, base);
  const bool low = s.minbounds || f.m.options.force_checks, high = s.maxbounds || f.m.options.force_checks;
  if (s.negative && low && high && !is_const(value) && !f.section.inside && f.out.fn.kind != Function::Kind::Kernel) {
    // Subscripts that count from the end are rare, so a subscript that is within bounds costs only one comparison.
    for (const Position& known : f.out.positions)
      if (same(known.value, value) && same(known.extent, extent)) return f.out.get(known.position);
    const VarId v = f.out.new_var("p", Scalar::Int64);
    f.out.set(v, p);
    ExprP inside = f.x.both(f.x.ge(p, zero), f.x.lt(p, extent));
    Block rest = f.out.collect([&] {
      f.out.set(v, f.x.select(f.x.lt(value, zero), f.x.add(value, extent), p));
      f.out.fail_if(f.x.either(f.x.lt(f.out.get(v), zero), f.x.ge(f.out.get(v), extent)), Code::OutOfBounds, "", array,
                    axis, value, extent);
    });
    f.out.emit(If{f.x.not_(inside), std::move(rest), {}, true});
    f.out.positions.push_back({value, extent, v});
    return f.out.get(v);
  }
  if (s.negative && !is_const(value) && !f.section.inside && f.out.fn.kind != Function::Kind::Kernel) {
    const VarId v = f.out.new_var("p", Scalar::Int64);
    f.out.set(v, p);
    f.out.emit(If{f.x.lt(value, zero), f.out.collect([&] { f.out.set(v, f.x.add(value, extent)); }), {}, true});
    p = f.out.get(v);
  } else if (s.negative) {
    p = f.x.select(f.x.lt(value, zero), f.x.add(value, extent), p);
  }
  p = f.out.keep(p, "p");
  ExprP bad = f.x.bool_const(false);
  // For the least Int64 the position wraps to a positive number. The upper check detects that; without an upper check
  // the lower one must compare the subscript itself.
  if (low) bad = f.x.either(bad, high || s.negative ? f.x.lt(p, zero) : f.x.lt(value, base));
  if (high) bad = f.x.either(bad, f.x.ge(p, extent));
  f.out.fail_if(bad, Code::OutOfBounds, "", array, axis, value, extent);
  return p;
}

ExprP rest_product(Emitter& out, const std::vector<ExprP>& extents, size_t from) {
  ExprP n = out.x.int_const(1);
  for (size_t k = from; k < extents.size(); ++k) n = out.x.mul(n, extents[k]);
  return n;
}

static ExprP element_offset(Lowering& f, const ir::Index& i, bool write) {
  const Slot s = slot(f, i.array);
  const std::string& name = name_of(f, i.array);
  const int rank = s.type.rank;
  const int given = static_cast<int>(i.subscripts.size());
  if (given > rank) f.out.unsupported("more subscripts than dimensions of '" + name + "'", i.pos);
  if (given < rank && !flattens(f, i)) f.out.unsupported("an element of '" + name + "' with too few subscripts", i.pos);

  const bool grows = write && may_grow_any(f, i);
  std::vector<ExprP> value;
  for (const ir::Subscript& sub : i.subscripts) {
    ExprP v = int_value(f, sub.value, "a subscript");
    value.push_back(grows ? f.out.temp(v, "i") : f.out.keep(v, "i"));  // w(numel(w)) refers to the extent before growth
  }

  // Growth comes first, so that afterwards every subscript is within bounds.
  if (grows) {
    ExprP base = f.x.int_const(f.conv.indexing);
    std::vector<ExprP> needed, extents;
    ExprP outside = f.x.bool_const(false);
    for (int k = 0; k < given; ++k) {
      ExprP extent = f.out.get(f.out.array(s.array).extent[k]);
      if (k == given - 1 && given < rank) {
        std::vector<ExprP> all;
        for (VarId v : f.out.array(s.array).extent) all.push_back(f.out.get(v));
        extent = rest_product(f.out, all, k);
      }
      extents.push_back(extent);
      if (may_grow(f, i, k)) outside = f.x.either(outside, f.x.ge(value[k], f.x.add(extent, base)));
    }
    // Subscripts that growth cannot bring into bounds are faults before anything grows, in the order of the subscripts.
    const ExprP zero = f.x.int_const(0);
    for (int k = 0; k < given; ++k) {
      if (!may_grow(f, i, k)) {
        position(f, i.subscripts[k], value[k], extents[k], name, k);
        continue;
      }
      ExprP below = f.x.lt(value[k], base);
      if (i.subscripts[k].negative)
        below = f.x.select(f.x.lt(value[k], zero), f.x.lt(f.x.add(value[k], extents[k]), zero), below);
      f.out.fail_if(below, Code::OutOfBounds, "", name, k, value[k], extents[k]);
    }
    f.out.emit(If{outside,
                  f.out.collect([&] {
                    for (ExprP v : value) needed.push_back(f.out.keep(needed_for(f.out, v), "needed"));
                    given < rank ? grow_linear(f, i, needed) : grow_to(f, i, needed);
                  }),
                  {},
                  true});
  }

  std::vector<ExprP> index, strides;
  for (int k = 0; k < given; ++k) {
    ExprP extent = f.out.get(f.out.array(s.array).extent[k]);
    if (k < given - 1 || given == rank) {
      index.push_back(position(f, i.subscripts[k], value[k], extent, name, k));
      strides.push_back(stride(f.out, s, k));
      continue;
    }
    // The last subscript runs over all remaining dimensions, as if they were one (flattened indexing, 4.3.3).
    std::vector<ExprP> extents;
    for (VarId v : f.out.array(s.array).extent) extents.push_back(f.out.get(v));
    ExprP count = rest_product(f.out, extents, k);
    if (!f.facts.unchecked.count(&i.subscripts[k])) count = f.out.keep(count, "count");
    ExprP p = position(f, i.subscripts[k], value[k], count, name, k);
    if (s.type.layout != Layout::Strided) {
      index.push_back(p);
      strides.push_back(stride(f.out, s, s.type.layout == Layout::ColMajor ? k : rank - 1));
    } else {
      // The linear position is split into subscripts, in column-major order under 1-based conventions, else row-major.
      index.push_back(
          apart(f.out, s, static_cast<size_t>(k), f.conv.mindims == 2 ? Layout::ColMajor : Layout::RowMajor, p));
      strides.push_back(f.x.int_const(1));
    }
  }
  return f.x.at(index, strides);
}

// INT64_MAX if the needed extent is larger; 0 for a subscript below the base, which growth does not bring into bounds
// (and whose distance from the base may overflow).
ExprP needed_for(Emitter& out, ExprP subscript) {
  const ExprP base = out.x.int_const(out.conv.indexing), most = out.x.int_const(INT64_MAX);
  const ExprP last = out.x.sub(subscript, base);
  const ExprP need = out.x.select(out.x.eq(last, most), most, out.x.add(last, out.x.int_const(1)));
  return out.x.select(out.x.lt(subscript, base), out.x.int_const(0), need);
}

static void grow(Lowering& f, const ir::Index& i, const std::vector<ExprP>& extents) {
  const Slot s = slot(f, i.array);
  f.out.call(rt::Grow,
             {f.out.site_arg(name_of(f, i.array)), f.out.inout_array(s.array), f.out.int64s_arg(extents),
              f.out.int_arg(s.type.layout == Layout::ColMajor ? 1 : 0), f.out.int_arg(0)},
             true);
}

// MATLAB's A(:, k) = v where A has no elements: whole ranges take the extents of the value. If some subscripts are
// numbers these are the extents that are not 1, else all of them, one by one.
void grow_empty(Lowering& f, const ir::Index& i, const ArrayGen& value) {
  const Slot s = slot(f, i.array);
  const size_t rank = static_cast<size_t>(s.type.rank);
  if (f.conv.mindims != 2 || i.subscripts.size() != rank) return;
  bool numbers = false, whole = false;
  for (size_t k = 0; k < rank; ++k) {
    whole = whole || (is_whole(i.subscripts[k]) && may_grow(f, i, k));
    numbers = numbers || (!is_range(i.subscripts[k]) && i.subscripts[k].value->type.is_scalar());
  }
  if (!whole) return;
  ExprP zero = f.x.int_const(0), one = f.x.int_const(1), empty = f.x.bool_const(true);
  std::vector<ExprP> extents;
  for (VarId v : f.out.array(s.array).extent) {
    extents.push_back(f.out.get(v));
    empty = f.x.both(empty, f.x.eq(f.out.get(v), zero));
  }
  Block inquire = f.out.collect([&] {
    std::vector<ExprP> place = {zero};  // for each extent of the value, how many extents other than 1 precede it
    for (ExprP e : value.extent)
      place.push_back(
          f.out.keep(f.x.add(place.back(), numbers ? f.x.select(f.x.ne(e, one), one, zero) : one), "place"));
    int64_t next = 0;
    for (size_t k = 0; k < rank; ++k) {
      if (!is_range(i.subscripts[k]) && i.subscripts[k].value->type.is_scalar()) continue;
      ExprP from = one;
      for (size_t q = 0; q < value.extent.size(); ++q) {
        ExprP here = f.x.eq(place[q], f.x.int_const(next));
        if (numbers) here = f.x.both(here, f.x.ne(value.extent[q], one));
        from = f.x.select(here, value.extent[q], from);
      }
      if (is_whole(i.subscripts[k])) extents[k] = f.out.temp(from, "extent");
      ++next;
    }
    grow(f, i, extents);
  });
  f.out.emit(If{empty, std::move(inquire), {}, true});
}

// Dimensions past the subscripts stay as they are.
void grow_to(Lowering& f, const ir::Index& i, const std::vector<ExprP>& needed) {
  const Slot s = slot(f, i.array);
  std::vector<ExprP> extents;
  for (int k = 0; k < s.type.rank; ++k) {
    ExprP extent = f.out.get(f.out.array(s.array).extent[k]);
    const bool grows = static_cast<size_t>(k) < needed.size() && may_grow(f, i, k);
    extents.push_back(grows ? f.out.temp(f.x.max(extent, needed[k]), "extent") : extent);
  }
  grow(f, i, extents);
}

// Growth through fewer subscripts than dimensions. MATLAB: a vector grows along itself, an empty array becomes a row, a
// matrix cannot grow by one subscript.
void grow_linear(Lowering& f, const ir::Index& i, const std::vector<ExprP>& needed) {
  const Slot s = slot(f, i.array);
  const size_t last = i.subscripts.size() - 1;
  ExprP one = f.x.int_const(1);
  std::vector<ExprP> have;
  for (VarId v : f.out.array(s.array).extent) have.push_back(f.out.get(v));
  std::vector<ExprP> extents = have;
  if (last == 0 && s.type.rank == 2 && f.conv.mindims == 2) {
    ExprP rows = have[0], columns = have[1];
    ExprP is_row = f.out.keep(f.x.le(rows, one), "is_row");
    f.out.fail_if(f.x.both(f.x.not_(is_row), f.x.ne(columns, one)), Code::OutOfBounds,
                  "a matrix does not grow by a single subscript", name_of(f, i.array), 0,
                  f.x.sub(f.x.add(needed[0], f.x.int_const(f.conv.indexing)), one), f.x.mul(rows, columns));
    extents[0] = f.out.temp(f.x.select(is_row, one, needed[0]), "rows");
    extents[1] = f.out.temp(f.x.select(is_row, needed[0], one), "columns");
    // The columns of an array without rows are ignored.
    f.out.set(f.out.array(s.array).extent[1], f.x.select(f.x.eq(rows, f.x.int_const(0)), f.x.int_const(0), columns));
  } else {
    for (size_t k = 0; k < last; ++k)
      if (may_grow(f, i, k)) extents[k] = f.out.temp(f.x.max(have[k], needed[k]), "extent");
    // The last subscript can enlarge its own dimension if all dimensions after it have extent 1.
    ExprP count = f.out.keep(rest_product(f.out, have, last), "count");
    ExprP more = may_grow(f, i, last) ? f.out.keep(f.x.gt(needed[last], count), "more") : f.x.bool_const(false);
    ExprP alone = f.x.bool_const(true);
    for (size_t k = last + 1; k < have.size(); ++k) alone = f.x.both(alone, f.x.eq(have[k], one));
    f.out.fail_if(f.x.both(more, f.x.not_(alone)), Code::OutOfBounds, "the subscript covers several dimensions",
                  name_of(f, i.array), static_cast<int>(last),
                  f.x.sub(f.x.add(needed[last], f.x.int_const(f.conv.indexing)), one), count);
    extents[last] = f.out.temp(f.x.select(more, needed[last], have[last]), "extent");
  }
  grow(f, i, extents);
}

ScalarValue read_element(Lowering& f, const ir::Index& i) {
  const Slot s = slot(f, i.array);
  if (!s.type.is_array()) f.out.unsupported("subscripts of '" + name_of(f, i.array) + "', which is no array", i.pos);
  if (!all_scalar(f, i)) {
    // A slice typed as a number: valid only if it has one element.
    ArrayGen g = view_gen(f.out, view(f, i, false), i);
    f.out.fail_if(f.x.ne(total(f.out, g.extent), f.x.int_const(1)), Code::ShapeMismatch, "one element is needed here",
                  name_of(f, i.array));
    return g.at(std::vector<ExprP>(g.extent.size(), f.x.int_const(0)));
  }
  ExprP offset = element_offset(f, i, false);
  return load(f.out, f.out.get(f.out.array(s.array).data), offset, s.type.elem, s.type.complex);
}

ScalarValue atomic(Lowering& f, const ir::Xchange& n) {
  const Slot s = slot(f, n.array);
  ir::Index i(n.type, n.array, n.subscripts);
  i.pos = n.pos;
  if (!s.type.is_array() || !all_scalar(f, i))
    f.out.unsupported("xchange of anything but an element by its subscripts", n.pos);
  if (f.out.fn.kind == Function::Kind::Kernel &&
      std::none_of(f.out.fn.params.begin(), f.out.fn.params.end(), [&](const Param& p) { return p.array == s.array; }))
    f.out.unsupported("xchange of an element of an array private to an iteration", n.pos);
  before_store(f, n.array);
  // In the order written: subscripts, operands, the operation.
  ExprP offset = f.out.temp(element_offset(f, i, false), "at");
  std::vector<ExprP> args;
  for (const ir::ExprPtr& a : n.args)
    args.push_back(f.out.temp(convert(f.out, scalar(f, a), s.type.elem, false).re, "x"));
  const bool cas = n.op == ir::AtomicOp::Cas;
  const VarId old = f.out.new_var("old", scalar_of(s.type.elem));
  f.out.emit(Atomic{n.op, old, f.out.get(f.out.array(s.array).data), offset, args.at(cas), cas ? args[0] : nullptr});
  return {f.out.get(old), nullptr, s.type.elem};
}

void write_element(Lowering& f, const ir::Index& i, ScalarValue v) {
  before_store(f, i.array);
  ExprP offset = element_offset(f, i, true);
  const Slot& s = slot(f, i.array);
  store(f.out, f.out.get(f.out.array(s.array).data), offset, convert(f.out, v, s.type.elem, s.type.complex));
}

}  // namespace vr::lower
