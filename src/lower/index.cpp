// Subscripts with integers: positions, bounds checks, element reads and writes, growth (thesis 4.3, 5.6, 5.7.1).
#include "lower/function_lowering.hpp"

#include "lower/runtime_fn.hpp"

namespace vr::lower {

using ir::Elem;
using ir::Layout;

ExprP FunctionLowering::stride(const Slot& s, int k) {
  // The fastest dimension of a contiguous layout is known: what lets loops over it vectorise.
  int fastest = s.type.layout == Layout::ColMajor ? 0 : s.type.rank - 1;
  if (s.type.layout != Layout::Strided && k == fastest) return element_bytes(s);
  return get(array(s.array).stride[k]);
}

ScalarValue FunctionLowering::load(ExprP data, ExprP offset, Elem elem, bool complex) {
  Scalar s = scalar_of(elem);
  const int32_t set = alias_set_of(data);
  ScalarValue v{x_.load(s, data, offset, set), nullptr, elem};
  if (complex) v.im = x_.load(s, data, x_.add(offset, x_.int_const(scalar_bytes(s))), set);
  return v;
}

void FunctionLowering::store(ExprP data, ExprP offset, ScalarValue v) {
  if (v.im) v = keep(v);  // storing the real part must not change what the imaginary part reads
  const int32_t set = alias_set_of(data);
  emit(Store{data, offset, v.re, set});
  if (v.im) emit(Store{data, x_.add(offset, x_.int_const(scalar_bytes(v.im->type))), v.im, set});
}

bool FunctionLowering::all_scalar(const ir::Index& i) const {
  for (const ir::Subscript& s : i.subscripts)
    if (!s.value->type.is_scalar() || s.value->kind == ir::Kind::Range) return false;
  // With fewer than the dimensions, and nothing flattened, the rest are whole: a row of a matrix.
  return i.subscripts.size() >= static_cast<size_t>(source_.symbols.at(i.array).type.rank) ||
         i.flatten.value_or(conv_.flatten);
}

bool FunctionLowering::flattens(const ir::Index& i) {
  return static_cast<int>(i.subscripts.size()) < slot(i.array).type.rank && i.flatten.value_or(conv_.flatten);
}

bool FunctionLowering::may_grow(const ir::Index& i, size_t k) const {
  const ir::Subscript& s = i.subscripts[k];
  return s.grow.value_or(conv_.grow) && !unchecked_.count(&s);
}

bool FunctionLowering::may_grow_any(const ir::Index& i) const {
  for (size_t k = 0; k < i.subscripts.size(); ++k)
    if (may_grow(i, k)) return true;
  return false;
}

ExprP FunctionLowering::position(const ir::Subscript& s, ExprP value, ExprP extent, const std::string& array,
                                 int axis) {
  const bool checked = !unchecked_.count(&s);
  ExprP base = x_.int_const(conv_.indexing);
  if (!checked) return x_.sub(value, base);
  value = keep(value, "i");
  ExprP zero = x_.int_const(0);
  ExprP p = x_.sub(value, base);
  const bool low = s.minbounds || m_.options.force_checks, high = s.maxbounds || m_.options.force_checks;
  if (s.negative && low && high && !is_const(value) && !in_section_ && fn_.kind != Function::Kind::Kernel) {
    // Numbers that count from the end are rare: what is within bounds as it is takes one comparison.
    for (const Position& known : positions_)
      if (same(known.value, value) && same(known.extent, extent)) return get(known.position);
    const VarId v = new_var("p", Scalar::Int64);
    set(v, p);
    ExprP inside = x_.both(x_.ge(p, zero), x_.lt(p, extent));
    Block rest = collect([&] {
      set(v, x_.select(x_.lt(value, zero), x_.add(value, extent), p));
      fail_if(x_.either(x_.lt(get(v), zero), x_.ge(get(v), extent)), Code::OutOfBounds, "", array, axis, value, extent);
    });
    emit(If{x_.not_(inside), std::move(rest), {}, true});
    positions_.push_back({value, extent, v});
    return get(v);
  }
  if (s.negative) p = x_.select(x_.lt(value, zero), x_.add(value, extent), p);
  p = keep(p, "p");
  ExprP bad = x_.bool_const(false);
  // The position of the lowest number of all wraps; the check above sees it, alone the check below must look at the
  // number.
  if (low) bad = x_.either(bad, high || s.negative ? x_.lt(p, zero) : x_.lt(value, base));
  if (high) bad = x_.either(bad, x_.ge(p, extent));
  fail_if(bad, Code::OutOfBounds, "", array, axis, value, extent);
  return p;
}

ExprP FunctionLowering::rest_product(const std::vector<ExprP>& extents, size_t from) {
  ExprP n = x_.int_const(1);
  for (size_t k = from; k < extents.size(); ++k) n = x_.mul(n, extents[k]);
  return n;
}

ExprP FunctionLowering::element_offset(const ir::Index& i, bool write) {
  const Slot s = slot(i.array);
  const std::string& name = name_of(i.array);
  const int rank = s.type.rank;
  const int given = static_cast<int>(i.subscripts.size());
  if (given > rank) unsupported("more subscripts than dimensions of '" + name + "'", i.pos);
  if (given < rank && !flattens(i)) unsupported("an element of '" + name + "' with too few subscripts", i.pos);

  const bool grows = write && may_grow_any(i);
  std::vector<ExprP> value;
  for (const ir::Subscript& sub : i.subscripts) {
    ExprP v = int_value(sub.value, "a subscript");
    value.push_back(grows ? temp(v, "i") : keep(v, "i"));  // w(numel(w)) means the number before
  }

  // Growth first: afterwards every subscript lies within bounds.
  if (grows) {
    ExprP base = x_.int_const(conv_.indexing);
    std::vector<ExprP> needed, extents;
    ExprP outside = x_.bool_const(false);
    for (int k = 0; k < given; ++k) {
      ExprP extent = get(array(s.array).extent[k]);
      if (k == given - 1 && given < rank) {
        std::vector<ExprP> all;
        for (VarId v : array(s.array).extent) all.push_back(get(v));
        extent = rest_product(all, k);
      }
      extents.push_back(extent);
      if (may_grow(i, k)) outside = x_.either(outside, x_.ge(value[k], x_.add(extent, base)));
    }
    // What growth does not help is an error before anything grows, in the order of the subscripts.
    const ExprP zero = x_.int_const(0);
    for (int k = 0; k < given; ++k) {
      if (!may_grow(i, k)) {
        position(i.subscripts[k], value[k], extents[k], name, k);
        continue;
      }
      ExprP below = x_.lt(value[k], base);
      if (i.subscripts[k].negative)
        below = x_.select(x_.lt(value[k], zero), x_.lt(x_.add(value[k], extents[k]), zero), below);
      fail_if(below, Code::OutOfBounds, "", name, k, value[k], extents[k]);
    }
    emit(If{outside,
            collect([&] {
              for (ExprP v : value) needed.push_back(keep(needed_for(v), "needed"));
              given < rank ? grow_linear(i, needed) : grow_to(i, needed);
            }),
            {},
            true});
  }

  ExprP offset = x_.int_const(0);
  for (int k = 0; k < given; ++k) {
    ExprP extent = get(array(s.array).extent[k]);
    if (k < given - 1 || given == rank) {
      ExprP p = position(i.subscripts[k], value[k], extent, name, k);
      offset = x_.add(offset, x_.mul(p, stride(s, k)));
      continue;
    }
    // The last subscript runs over the remaining dimensions as one (flattened indexing, 4.3.3).
    std::vector<ExprP> extents;
    for (VarId v : array(s.array).extent) extents.push_back(get(v));
    ExprP count = rest_product(extents, k);
    if (!unchecked_.count(&i.subscripts[k])) count = keep(count, "count");
    ExprP p = position(i.subscripts[k], value[k], count, name, k);
    if (s.type.layout == Layout::ColMajor) {
      offset = x_.add(offset, x_.mul(p, stride(s, k)));
    } else if (s.type.layout == Layout::RowMajor) {
      offset = x_.add(offset, x_.mul(p, stride(s, rank - 1)));
    } else {
      // Strided: take the linear position apart, in column-major order under 1-based conventions, else row-major.
      offset =
          x_.add(offset, apart(s, static_cast<size_t>(k), conv_.mindims == 2 ? Layout::ColMajor : Layout::RowMajor, p));
    }
  }
  return offset;
}

// More than there can be where there is no such number.
ExprP FunctionLowering::needed_for(ExprP subscript) {
  const ExprP most = x_.int_const(INT64_MAX), last = x_.sub(subscript, x_.int_const(conv_.indexing));
  return x_.select(x_.eq(last, most), most, x_.add(last, x_.int_const(1)));
}

void FunctionLowering::grow(const ir::Index& i, const std::vector<ExprP>& extents) {
  const Slot s = slot(i.array);
  call(rt::Grow,
       {site_arg(name_of(i.array)), inout_array(s.array), int64s_arg(extents),
        int_arg(s.type.layout == Layout::ColMajor ? 1 : 0), int_arg(0)},
       true);
}

// MATLAB's A(:, k) = v where A has no elements: whole ranges take the extents of what is stored. With a number among
// the subscripts those that are not 1, else one by one.
void FunctionLowering::grow_empty(const ir::Index& i, const ArrayGen& value) {
  const Slot s = slot(i.array);
  const size_t rank = static_cast<size_t>(s.type.rank);
  if (conv_.mindims != 2 || i.subscripts.size() != rank) return;
  bool numbers = false, whole = false;
  for (size_t k = 0; k < rank; ++k) {
    whole = whole || (is_whole(i.subscripts[k]) && may_grow(i, k));
    numbers = numbers || (!is_range(i.subscripts[k]) && i.subscripts[k].value->type.is_scalar());
  }
  if (!whole) return;
  ExprP zero = x_.int_const(0), one = x_.int_const(1), empty = x_.bool_const(true);
  std::vector<ExprP> extents;
  for (VarId v : array(s.array).extent) {
    extents.push_back(get(v));
    empty = x_.both(empty, x_.eq(get(v), zero));
  }
  Block inquire = collect([&] {
    std::vector<ExprP> place = {zero};  // how many that count lie before each extent of the value
    for (ExprP e : value.extent)
      place.push_back(keep(x_.add(place.back(), numbers ? x_.select(x_.ne(e, one), one, zero) : one), "place"));
    int64_t next = 0;
    for (size_t k = 0; k < rank; ++k) {
      if (!is_range(i.subscripts[k]) && i.subscripts[k].value->type.is_scalar()) continue;
      ExprP from = one;
      for (size_t q = 0; q < value.extent.size(); ++q) {
        ExprP here = x_.eq(place[q], x_.int_const(next));
        if (numbers) here = x_.both(here, x_.ne(value.extent[q], one));
        from = x_.select(here, value.extent[q], from);
      }
      if (is_whole(i.subscripts[k])) extents[k] = temp(from, "extent");
      ++next;
    }
    grow(i, extents);
  });
  emit(If{empty, std::move(inquire), {}, true});
}

// Dimensions past the subscripts stay as they are.
void FunctionLowering::grow_to(const ir::Index& i, const std::vector<ExprP>& needed) {
  const Slot s = slot(i.array);
  std::vector<ExprP> extents;
  for (int k = 0; k < s.type.rank; ++k) {
    ExprP extent = get(array(s.array).extent[k]);
    const bool grows = static_cast<size_t>(k) < needed.size() && may_grow(i, k);
    extents.push_back(grows ? temp(x_.max(extent, needed[k]), "extent") : extent);
  }
  grow(i, extents);
}

// Growth through fewer subscripts than dimensions. MATLAB: a vector grows along itself, an empty array becomes a row, a
// matrix cannot grow by one subscript.
void FunctionLowering::grow_linear(const ir::Index& i, const std::vector<ExprP>& needed) {
  const Slot s = slot(i.array);
  const size_t last = i.subscripts.size() - 1;
  ExprP one = x_.int_const(1);
  std::vector<ExprP> have;
  for (VarId v : array(s.array).extent) have.push_back(get(v));
  std::vector<ExprP> extents = have;
  if (last == 0 && s.type.rank == 2 && conv_.mindims == 2) {
    ExprP rows = have[0], columns = have[1];
    ExprP is_row = keep(x_.le(rows, one), "is_row");
    fail_if(x_.both(x_.not_(is_row), x_.ne(columns, one)), Code::OutOfBounds,
            "a matrix does not grow by a single subscript", name_of(i.array), 0,
            x_.sub(x_.add(needed[0], x_.int_const(conv_.indexing)), one), x_.mul(rows, columns));
    extents[0] = temp(x_.select(is_row, one, needed[0]), "rows");
    extents[1] = temp(x_.select(is_row, needed[0], one), "columns");
    // Columns without rows do not count.
    set(array(s.array).extent[1], x_.select(x_.eq(rows, x_.int_const(0)), x_.int_const(0), columns));
  } else {
    for (size_t k = 0; k < last; ++k)
      if (may_grow(i, k)) extents[k] = temp(x_.max(have[k], needed[k]), "extent");
    // The last subscript can enlarge its own dimension when nothing lies behind it.
    ExprP count = keep(rest_product(have, last), "count");
    ExprP more = may_grow(i, last) ? keep(x_.gt(needed[last], count), "more") : x_.bool_const(false);
    ExprP alone = x_.bool_const(true);
    for (size_t k = last + 1; k < have.size(); ++k) alone = x_.both(alone, x_.eq(have[k], one));
    fail_if(x_.both(more, x_.not_(alone)), Code::OutOfBounds, "the subscript stands for several dimensions",
            name_of(i.array), static_cast<int>(last), x_.sub(x_.add(needed[last], x_.int_const(conv_.indexing)), one),
            count);
    extents[last] = temp(x_.select(more, needed[last], have[last]), "extent");
  }
  grow(i, extents);
}

ScalarValue FunctionLowering::read_element(const ir::Index& i) {
  const Slot s = slot(i.array);
  if (!s.type.is_array()) unsupported("subscripts of '" + name_of(i.array) + "', which is no array", i.pos);
  if (!all_scalar(i)) {
    // A slice typed as a number: legal only with one element.
    ArrayGen g = view_gen(view(i, false), i);
    fail_if(x_.ne(total(g.extent), x_.int_const(1)), Code::ShapeMismatch, "one element is needed here",
            name_of(i.array));
    return g.at(std::vector<ExprP>(g.extent.size(), x_.int_const(0)));
  }
  ExprP offset = element_offset(i, false);
  return load(get(array(s.array).data), offset, s.type.elem, s.type.complex);
}

ScalarValue FunctionLowering::atomic(const ir::Xchange& n) {
  const Slot s = slot(n.array);
  ir::Index i(n.type, n.array, n.subscripts);
  i.pos = n.pos;
  if (!s.type.is_array() || !all_scalar(i)) unsupported("xchange of anything but an element by its subscripts", n.pos);
  if (fn_.kind == Function::Kind::Kernel &&
      std::none_of(fn_.params.begin(), fn_.params.end(), [&](const Param& p) { return p.array == s.array; }))
    unsupported("xchange of an element of an array private to an iteration", n.pos);
  before_store(n.array);
  // In the order written: subscripts, operands, the operation.
  ExprP offset = temp(element_offset(i, false), "at");
  std::vector<ExprP> args;
  for (const ir::ExprPtr& a : n.args) args.push_back(temp(convert(scalar(a), s.type.elem, false).re, "x"));
  const bool cas = n.op == ir::AtomicOp::Cas;
  const VarId old = new_var("old", scalar_of(s.type.elem));
  emit(Atomic{n.op, old, get(array(s.array).data), offset, args.at(cas), cas ? args[0] : nullptr});
  return {get(old), nullptr, s.type.elem};
}

void FunctionLowering::write_element(const ir::Index& i, ScalarValue v) {
  before_store(i.array);
  ExprP offset = element_offset(i, true);
  const Slot& s = slot(i.array);
  store(get(array(s.array).data), offset, convert(v, s.type.elem, s.type.complex));
}

}  // namespace vr::lower
