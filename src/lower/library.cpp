// Calls of library functions that give an array, by the rules in the library's table. Those that give a number:
// library_number.cpp.
#include "lower/library.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/broadcast.hpp"
#include "lower/elementwise.hpp"
#include "lower/evaluation_order.hpp"
#include "lower/index.hpp"
#include "lower/library_forms.hpp"
#include "lower/product.hpp"
#include "lower/reduce.hpp"
#include "lower/reduce_axis.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vr::lower {

using ir::Elem;
using ir::Layout;
using ir::LibRule;

const ir::LibCall* library_call(Lowering& f, const ir::FnCall& c) {
  if (f.m.ir.find(c.callee) || !ir::find_library(c.callee)) return nullptr;
  for (const ir::Symbol& s : f.source.symbols.all())
    if (s.name == c.callee && s.type.is_function()) return nullptr;
  auto lib = std::make_shared<ir::LibCall>(c.type, c.callee, c.args);
  lib->pos = c.pos;
  f.library_calls.push_back(std::move(lib));
  return f.library_calls.back().get();
}

void need_vector(Emitter& out, const ArrayGen& g) {
  if (g.rank() != 2) return;
  const ExprP one = out.x.int_const(1);
  out.fail_if(out.x.both(out.x.ne(g.extent[0], one), out.x.ne(g.extent[1], one)), Code::ShapeMismatch,
              "a vector is needed, not a matrix");
}

static ArrayGen transpose(Lowering& f, const ir::LibCall& c) {
  ArrayGen g = gen(f, c.args[0]);
  if (g.rank() != 2) return g;
  ArrayGen t = g.derived();
  std::swap(t.extent[0], t.extent[1]);
  auto at = g.at;
  t.at = [at](const std::vector<ExprP>& i) { return at({i[1], i[0]}); };
  // In memory a transposed array is the same elements in the other layout.
  t.layout = g.layout == Layout::ColMajor ? Layout::RowMajor : Layout::ColMajor;
  return t;
}

namespace {

ir::AllocFunc filling(ir::LibValue v) {
  return v == ir::LibValue::One    ? ir::AllocFunc::Ones
         : v == ir::LibValue::Zero ? ir::AllocFunc::Zeros
                                   : ir::AllocFunc::Empty;
}

ArrayGen outer_product(Lowering& f, const ir::LibCall& c) {
  ArrayGen a = gen_in_order(f, c.args, 0), b = gen(f, c.args[1]);
  need_vector(f.out, a);
  need_vector(f.out, b);
  Slot p = materialise(f, a, a.layout, 0), q = materialise(f, b, b.layout, 0);
  ArrayGen left = leaf(f.out, p, {}), right = leaf(f.out, q, {}), g;
  g.elem = c.type.elem;
  g.complex = c.type.complex;
  g.extent = {f.out.keep(total(f.out, a.extent), "rows"), f.out.keep(total(f.out, b.extent), "columns")};
  g.layout = c.type.layout;
  g.at = [=, &f, &c](const std::vector<ExprP>& i) {
    return convert(f.out, binary(f.out, ir::Kind::Mult, left.flat(i[0]), right.flat(i[1]), c.type.element()),
                   c.type.element());
  };
  return g;
}

/// Elementwise arithmetic of arrays; an operand that is a number is combined with each element.
ArrayGen arithmetic(Lowering& f, const ir::LibCall& c, ir::Kind op, std::vector<ir::ExprPtr> operands) {
  return elementwise(f, operands, c.type,
                     [&f, &c, op](const auto& v) { return binary(f.out, op, v[0], v[1], c.type.element()); });
}

ArrayGen mapped_array(Lowering& f, const ir::LibCall& c, const ir::LibFunction& fn) {
  const ir::LibMap map_fn = fn.map();
  ArrayGen g = elementwise(f, c.args, c.type,
                           [&f, &c, map_fn](const auto& v) { return map(f.out, map_fn, v, c.type.element()); });
  g.faults = g.faults || (fn.faults() && !ir::is_float(c.type.elem));
  return g;
}
}  // namespace

ArrayGen library_array(Lowering& f, const ir::LibCall& c, int where) {
  const ir::LibFunction* fn = ir::find_library(c.func);
  if (!fn) f.out.unsupported("library function '" + c.func + "'", c.pos);
  const bool number_left = c.args[0]->type.is_scalar(), number_right = c.args.size() > 1 && c.args[1]->type.is_scalar();
  ir::Type t = c.type;
  if (t.layout == Layout::Strided) t.layout = ir::fresh_layout(f.conv);
  switch (fn->rule) {
    case LibRule::Elementwise:
      return mapped_array(f, c, *fn);
    case LibRule::Scanned:
      if (std::optional<ArrayGen> g = running_total(f, c, where)) return *g;
      return reduction(f, c, where);
    case LibRule::Reduced:
      return reduction(f, c, where);
    case LibRule::Transposed:
      return transpose(f, c);
    case LibRule::Product:
      if (number_left || number_right) return arithmetic(f, c, ir::Kind::Mult, c.args);
      return product(f, c, where);
    case LibRule::RightQuotient:
      if (number_right) return arithmetic(f, c, ir::Kind::Div, c.args);
      return quotient(f, c, where);
    case LibRule::LeftQuotient:
      if (number_left) return arithmetic(f, c, ir::Kind::Div, {c.args[1], c.args[0]});
      return quotient(f, c, where);
    case LibRule::Outer:
      return outer_product(f, c);
    case LibRule::Copied:
      return gen(f, c.args[0]);
    case LibRule::Sorted:
      return made(f.out, sorted(f, c, false, where)[0]);
    case LibRule::Found:
      return positions(f, c);
    case LibRule::Called:
      if (std::optional<ArrayGen> g = running_extremum(f, c, t, where)) return *g;
      if (std::optional<ArrayGen> g = fourier(f, c, t, where)) return *g;
      return made(f.out, called(f, c, {t}, where)[0]);
    case LibRule::Filled:
      return gen(f, std::make_shared<ir::Alloc>(t, filling(fn->values), c.args));
    case LibRule::Sizes:
      return sizes(f, c, t);
    case LibRule::Reshaped:
      return reshaped(f, c, t);
    case LibRule::Progression:
      return progression(f, c, t);
    case LibRule::Linspace:
      return linspace(f, c, t);
    case LibRule::Identity:
      return identity(f, c, t);
    case LibRule::SideBySide:
      return joined(f, c, t, true, where);
    case LibRule::Stacked:
      return joined(f, c, t, false, where);
    case LibRule::Inner:
    case LibRule::Norm:
    case LibRule::Count:
    case LibRule::Element:
      break;
  }
  f.out.unsupported("library function '" + c.func + "'", c.pos);
}

}  // namespace vr::lower
