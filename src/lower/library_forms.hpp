// Library functions that give arrays, except reductions (private to src/lower).
#pragma once
#include "lower/lowering.hpp"

#include <optional>

namespace vr::lower {

// `t`: the type of the result, contiguous. library_make.cpp
/// Extents of the first argument; none if it is a number.
std::vector<ExprP> extents_of(Lowering& f, const ir::LibCall& c);
ArrayGen sizes(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen reshaped(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen progression(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen linspace(Lowering& f, const ir::LibCall& c, const ir::Type& t);
ArrayGen identity(Lowering& f, const ir::LibCall& c, const ir::Type& t);
/// hcat (beside) and vcat: the arrays concatenated along dimension 1 or 0.
ArrayGen joined(Lowering& f, const ir::LibCall& c, const ir::Type& t, bool beside, int where);

// library.cpp
/// SHAPE_MISMATCH unless the matrix is a row or a column: what `dot` and `outer` take for a vector.
void need_vector(Emitter& out, const ArrayGen& g);

// library_order.cpp
/// The sorted elements, and if `positions` is set the positions that they had in the argument.
std::vector<Slot> sorted(Lowering& f, const ir::LibCall& c, bool positions, int where = VR_IN_ENGINE);
/// Linear positions of the nonzero elements.
ArrayGen positions(Lowering& f, const ir::LibCall& c);

// library_scan.cpp
/// Whether scans and sorting become tasks of the device: in accelerated sections, outside of kernels.
bool on_device(const Lowering& f);
/// The axis of functions that work along an axis, if none is given. MATLAB: the first dimension longer than 1; NumPy:
/// the last.
ExprP default_axis(Lowering& f, const Slot& in);
/// A call of cumsum or cumprod as a task of the device (vr_gpu_scan); nullopt if the call is not supported there, as
/// for complex numbers.
std::optional<ArrayGen> running_total(Lowering& f, const ir::LibCall& c, int where);
/// A call of cummax or cummin, likewise; nullopt for any other function.
std::optional<ArrayGen> running_extremum(Lowering& f, const ir::LibCall& c, ir::Type result, int where);

// library_fft.cpp
/// A call of fft, rfft or irfft as a task of the device (vr_gpu_fft); nullopt if it is not such a call, or the CPU
/// computes it.
std::optional<ArrayGen> fourier(Lowering& f, const ir::LibCall& c, ir::Type result, int where);

// library_called.cpp
/// Results, of these types, of a function that the runtime computes; all of them live until the end of the statement.
std::vector<Slot> called(Lowering& f, const ir::LibCall& c, const std::vector<ir::Type>& results, int where);

}  // namespace vr::lower
