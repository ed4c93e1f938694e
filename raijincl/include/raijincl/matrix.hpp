// Matrices: products with a vector, copies and transposes. T and errors as in vector.hpp, and InvalidLeadingDimension.
#pragma once
#include <complex>

#include "raijincl/context.hpp"

namespace raijincl {

// y = alpha op(A) x + beta y (thesis 8.5); A is m x n as stored, op(A) x has m elements, or n when op transposes. With
// beta 0, y is not read. y must not overlap A or x.
template <class T>
Status gemv(Context&, const Launch&, Order, Op, std::size_t m, std::size_t n, T alpha, const Matrix& a, const Vector& x,
            T beta, const Vector& y);

// Out of place (thesis 8.6); both row-major (for column-major ones swap rows and columns). src is rows x columns.
template <class T>
Status copy(Context&, const Launch&, std::size_t rows, std::size_t columns, const Matrix& src, const Matrix& dst);
// dst = src' (columns x rows), or its conjugate.
template <class T>
Status transpose(Context&, const Launch&, std::size_t rows, std::size_t columns, const Matrix& src, const Matrix& dst,
                 bool conjugate = false);
// src, or src' when `transposed`, into a 2-D image of format {CL_RGBA, CL_UNSIGNED_INT32}: a texel holds 16 bytes, that
// is 4 floats, 2 doubles or complex floats, or 1 complex double, along a row. The unused part of a row's last texel is set
// to 0.
template <class T>
Status copy_to_image(Context&, const Launch&, std::size_t rows, std::size_t columns, const Matrix& src, cl_mem image,
                     bool transposed = false);

}  // namespace raijincl
