// Argument checks and helpers that the routines other than products share.
#pragma once
#include <complex>
#include <type_traits>

#include "routines/gemm_problem.hpp"

namespace raijincl {

constexpr std::size_t kHuge =
    std::size_t{1} << 48;  // larger offsets and extents are mistakes of the caller, and products of them would overflow

inline Status check_vector(const Context::Impl& ctx, const char* name, const Vector& v, std::size_t n,
                           std::size_t element) {
  if (v.inc == 0) return fail(Status::InvalidStride, std::string(name) + ": a stride of 0");
  if (n > kHuge || v.offset > kHuge || v.inc > kHuge || (n && n - 1 > kHuge / v.inc)) {
    return fail(Status::InvalidDimension, std::string(name) + ": out of range");
  }
  return n ? check_buffer(ctx, name, v.buffer, v.offset + (n - 1) * v.inc + 1, element) : Status::Ok;
}

// A row-major matrix.
inline Status check_matrix(const Context::Impl& ctx, const char* name, const Matrix& m, std::size_t rows,
                           std::size_t columns, std::size_t element) {
  if (rows >= (std::size_t{1} << 31) || columns >= (std::size_t{1} << 31))
    return fail(Status::InvalidDimension, std::string(name) + ": extents must be below 2^31");
  if (m.ld < std::max<std::size_t>(columns, 1)) {
    return fail(Status::InvalidLeadingDimension, std::string(name) + ": leading dimension " + std::to_string(m.ld) +
                                                     " is less than " + std::to_string(columns));
  }
  if (m.offset > kHuge || m.ld > kHuge || rows > kHuge / m.ld)
    return fail(Status::InvalidDimension, std::string(name) + ": out of range");
  return rows && columns ? check_buffer(ctx, name, m.buffer, m.offset + (rows - 1) * m.ld + columns, element)
                         : Status::Ok;
}

template <class T>
Status check_call(Context::Impl& ctx, const Launch& l) {
  RAIJINCL_TRY(check_launch(ctx, l));
  return check_precision(ctx, precision_of<T>());
}

inline Source source_for(Precision p) {
  Source s;
  return s.define("PRECISION", static_cast<int>(p)).file("precision");
}

// Number of work-items for n independent elements: enough to fill the device, in whole groups of 64.
inline std::size_t spread(const DeviceInfo& d, std::size_t n, std::size_t each = 1) {
  const std::size_t wanted = (n + each - 1) / each, most = std::size_t{d.compute_units} * (d.is_cpu ? 256 : 8192);
  return std::max<std::size_t>(64, (std::min(wanted, std::max<std::size_t>(most, 64)) + 63) / 64 * 64);
}

template <class T>
constexpr bool is_complex_v = !std::is_floating_point_v<T>;

#define RAIJINCL_FOR_ALL(X) X(float) X(double) X(std::complex<float>) X(std::complex<double>)

}  // namespace raijincl
