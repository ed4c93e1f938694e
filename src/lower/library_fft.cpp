// Fourier transforms of accelerated sections, as tasks of the device. Elsewhere they are calls of the runtime library
// (library_called.cpp).
#include "lower/library_forms.hpp"

#include "ir/library.hpp"
#include "ir/typing.hpp"
#include "loop/runtime_fn.hpp"
#include "lower/array.hpp"
#include "lower/axis.hpp"
#include "lower/index.hpp"
#include "lower/scalar.hpp"
#include "lower/storage.hpp"
#include "lower/variables.hpp"
#include "runtime/abi.h"

namespace vr::lower {

using ir::Elem;
using ir::Layout;

namespace {

/// Which transform a call is, and its row of the library; none if it is another function.
struct Transform {
  ir::Lib id;
  int kind;
};
std::optional<Transform> transform_of(const ir::LibCall& c) {
  for (const Transform t : {Transform{ir::Lib::Fft, VR_FFT_FORWARD}, Transform{ir::Lib::RealFft, VR_FFT_OF_REAL},
                            Transform{ir::Lib::InverseRealFft, VR_FFT_TO_REAL}})
    if (ir::calls(&c, t.id)) return t;
  return {};
}

/// vr_gpu_fft of `in`, along an axis.
Slot task(Lowering& f, const Transform& t, const Slot& in, const ir::Type& result, const ExprP& axis,
          const ExprP& length, int64_t scaling, int where) {
  const bool matlab = f.conv.mindims == 2;
  const Slot out = new_slot(f.out, "fft", result);
  f.own.temps.push_back(out.array);
  const int conventions = (where == VR_IN_HOST ? VR_LIBRARY_IN_HOST : 0) | (matlab ? VR_LIBRARY_MATLAB : 0) |
                          (f.conv.indexing == 1 ? VR_LIBRARY_BASE_ONE : 0) |
                          (result.layout == Layout::ColMajor ? VR_LIBRARY_COLMAJOR : 0);
  f.out.call(rt::GpuFft,
             {f.out.site_arg(), f.out.int_arg(static_cast<int>(t.id)), f.out.int_arg(conventions),
              f.out.in_array(in.array), f.out.out_array(out.array),
              f.out.scalar_arg(f.x.convert(f.x.min(axis, f.x.int_const(in.type.rank)), Scalar::Int32)),
              f.out.scalar_arg(length), f.out.int_arg(t.kind), f.out.int_arg(static_cast<int>(scaling))},
             true);
  return out;
}

/// fftn: a task for each axis, from the last one on.
std::optional<ArrayGen> fourier_of_axes(Lowering& f, const ir::LibCall& c, ir::Type result, int where) {
  const ir::Type& of = c.args[0]->type;
  const auto constant = [&](size_t k, int64_t otherwise) -> std::optional<int64_t> {
    if (k >= c.args.size()) return otherwise;
    const auto* n = ir::as<ir::IntConst>(c.args[k]);
    return n ? std::optional(n->value) : std::nullopt;
  };
  const auto first = constant(1, f.conv.indexing), inverse = constant(2, 0);
  const auto scaling = constant(3, inverse.value_or(0) != 0 ? 2 : 0);
  if (!first || !inverse || !scaling || !of.is_array() || result.elem != of.elem || !result.complex) return {};
  if (of.elem != Elem::Float32 && of.elem != Elem::Float64) return {};
  const int64_t from = *first - f.conv.indexing;
  if (from < 0 || from >= of.rank || *scaling < 0 || *scaling > 2 || (f.conv.mindims == 2 && *inverse != 0)) return {};
  if (result.layout == Layout::Strided) result.layout = ir::fresh_layout(f.conv);
  Slot at = slot_to_read(f, c.args[0]);
  const Transform t{ir::Lib::Fft, *inverse != 0 ? VR_FFT_INVERSE : VR_FFT_FORWARD};
  for (int64_t k = of.rank; k-- > from;)
    at = task(f, t, at, result, f.x.int_const(k), f.x.int_const(VR_FFT_WHOLE), *scaling, where);
  return made(f.out, at);
}

}  // namespace

std::optional<ArrayGen> fourier(Lowering& f, const ir::LibCall& c, ir::Type result, int where) {
  if (ir::calls(&c, ir::Lib::FftOfAxes) && on_device(f)) return fourier_of_axes(f, c, result, where);
  std::optional<Transform> transform = transform_of(c);
  if (!transform || !on_device(f)) return {};
  const bool whole = transform->id == ir::Lib::Fft, to_real = transform->kind == VR_FFT_TO_REAL;
  const ir::Type& of = c.args[0]->type;
  if ((of.elem != Elem::Float32 && of.elem != Elem::Float64) || result.elem != of.elem) return {};
  if (!of.is_array() || result.complex == to_real) return {};
  // Faults of arguments that are not constant have the messages of the runtime function.
  const auto constant = [&](size_t k, int64_t otherwise) -> std::optional<int64_t> {
    if (k >= c.args.size()) return otherwise;
    const auto* n = ir::as<ir::IntConst>(c.args[k]);
    return n ? std::optional(n->value) : std::nullopt;
  };
  const auto inverse = whole ? constant(3, 0) : to_real;
  const auto scaling = constant(whole ? 4 : 3, inverse.value_or(0) != 0 ? 2 : 0);
  if (!inverse || !scaling || !constant(1, 0)) return {};
  if (c.args.size() > 2 && !ir::is_integer(c.args[2]->type.elem)) return {};
  const bool matlab = f.conv.mindims == 2;
  // the runtime function reads the elements to decide whether the result is real
  if (matlab && whole && *inverse != 0) return {};
  const Slot in = slot_to_read(f, c.args[0]);
  if (result.layout == Layout::Strided) result.layout = ir::fresh_layout(f.conv);
  const ExprP axis = c.args.size() > 1 ? checked_axis(f, f.x, f.conv, c.args[1], in.type.rank) : default_axis(f, in);
  const ExprP length =
      c.args.size() > 2 ? f.x.convert(scalar(f, c.args[2]).re, Scalar::Int64) : f.x.int_const(VR_FFT_WHOLE);
  if (whole && *inverse != 0) transform->kind = VR_FFT_INVERSE;
  return made(f.out, task(f, *transform, in, result, axis, length, *scaling, where));
}

}  // namespace vr::lower
