// Arguments of `vrir run`: converts the text given by the user to a vr::Value of the parameter's declared type.
#pragma once
#include "tool/tool.hpp"

#include <velociraptor/engine.hpp>

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace vr::tool {

/// One argument from its text: a number (`3`, `2.5`, `1+2i`, `true`, `inf`), `FILE.npy`, or generated
/// `WHAT:ELEM:EXTENTS` (`rand:f64:100x200`; also randn zeros ones arange eye); `ro:` before an array makes it
/// read-only. `seed` makes rand and randn repeatable. Converted to `type`: a scalar only if its value does not change,
/// an array like NumPy's astype. The type determines an array's layout.
Result<Value> parse_argument(const Io& io, const std::string& text, const ir::Type& type, uint64_t seed);
/// The possible values of ELEM, separated by blanks.
std::string element_names();
/// All arguments of a function; messages number them from 1.
Result<std::vector<Value>> parse_arguments(const Io& io, const std::vector<std::string>& texts,
                                           const ir::Type& function, uint64_t seed);

/// The array with another element type and layout; the same array if nothing changes. Complex to real: error TYPE if an
/// imaginary part is not zero.
Result<Array> convert_array(const Array& a, Elem elem, bool complex, Layout layout);
/// New copies of the arrays (in their own layout), for functions that write to their arguments. A copy of a read-only
/// array is read-only.
Result<std::vector<Value>> copy_values(const std::vector<Value>& values);

/// Advances to the next index in row-major order; false (and back at the start) after the last one. No extent may be 0.
bool next_index(std::vector<int64_t>& index, std::span<const int64_t> extents);

/// The k-th T behind `p`, which need not be aligned: 0 is the real part, 1 the imaginary part.
template <class T>
T load_part(const void* p, int k = 0) {
  T v;
  std::memcpy(&v, static_cast<const char*>(p) + size_t(k) * sizeof(T), sizeof(T));
  return v;
}

/// Element at a 0-based index as complex double; int64 values beyond 2^53 are rounded.
struct Number {
  double re = 0, im = 0;
};
Number read_element(const void* address, Elem elem, bool complex);

}  // namespace vr::tool
