// NumPy's .npy files (format versions 1.0 to 3.0): little endian, C or Fortran order.
#pragma once
#include <velociraptor/array.hpp>

#include <string>
#include <string_view>

namespace vr::tool {

/// The array in `bytes`. dtypes bool, i4, i8, f4, f8, c8, c16; rank 0 comes back as rank 1 with one element and sets
/// `*is_scalar`. `name` is the file's name for messages. The array has the file's order (RowMajor or ColMajor).
Result<Array> read_npy(std::string_view bytes, const std::string& name, bool* is_scalar);
/// The bytes of a version 1.0 file; `fortran` when the array is column-major contiguous and not row-major. UNSUPPORTED
/// for complex bool / integer arrays, which NumPy does not have.
Result<std::string> write_npy(const Array& a, bool as_scalar = false);

}  // namespace vr::tool
