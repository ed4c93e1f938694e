// Vectors and elementwise work. T: float, double, std::complex<float>, std::complex<double>. All calls are asynchronous
// (context.hpp: Launch). In- and outputs may be the same vector with the same stride; other overlaps are not allowed.
// Errors of all: InvalidQueue, InvalidWaitList, InvalidDimension, InvalidStride, InvalidBuffer, BufferTooSmall,
// UnsupportedPrecision, Unsupported (an operation that complex numbers do not have), OutOfMemory, BuildFailed,
// LaunchFailed.
#pragma once
#include <complex>

#include "raijincl/context.hpp"

namespace raijincl {

// x = alpha x; with alpha 0, x is not read.
template <class T>
Status scale(Context&, const Launch&, std::size_t n, T alpha, const Vector& x);
// y = alpha x + y
template <class T>
Status axpy(Context&, const Launch&, std::size_t n, T alpha, const Vector& x, const Vector& y);
// result[offset] = sum of x_i y_i (of conj(x_i) y_i when `conjugate`); 0 for n = 0.
template <class T>
Status dot(Context&, const Launch&, std::size_t n, const Vector& x, const Vector& y, bool conjugate, cl_mem result,
           std::size_t offset = 0);

// Complex numbers have Negate, Conjugate, Reciprocal, Square and Copy.
enum class Unary { Copy, Negate, Conjugate, Reciprocal, Square, Abs, Sqrt, Exp, Log, Sin, Cos, Tan, Tanh, Floor, Ceil };
// Complex numbers have Add, Subtract, Multiply and Divide.
enum class Binary { Add, Subtract, Multiply, Divide, Min, Max, Power };
// y_i = op(x_i)
template <class T>
Status unary(Context&, const Launch&, Unary, std::size_t n, const Vector& x, const Vector& y);
// z_i = x_i op y_i
template <class T>
Status binary(Context&, const Launch&, Binary, std::size_t n, const Vector& x, const Vector& y, const Vector& z);

}  // namespace raijincl
