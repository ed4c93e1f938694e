// The standard library's table (vrir-notes "Standard library"): which functions exist and what sort they are.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace vr::ir {

enum class LibSort : uint8_t {
  FloatMap,  ///< elementwise, result floating (integers convert to float64); complex where it has meaning
  SameMap,   ///< elementwise, result of the operand's type: floor abs sign conj ... (abs of complex is real)
  RealPart,  ///< elementwise, complex to real: real imag angle
  Test,      ///< elementwise, result bool: isnan isinf isfinite
  Arith,     ///< two operands, elementwise with broadcasting: libplus min2 pow atan2 mod ...
  Select,    ///< where(test, x, y), elementwise with broadcasting
  Matrix,    ///< linear algebra: mmult trans dot norm outer mldiv mrdiv
  Reduce,    ///< over all or one axis: sum prod min max mean any all argmin argmax
  Scan,      ///< cumsum cumprod
  Shape,     ///< size numel length ndims dimvec reshape horzcat vertcat
  Make,      ///< zeros ones empty eye linspace colon range
  Other,     ///< copy sort find
};
/// Elementwise maths of one operand.
constexpr bool is_map(LibSort s) {
  return s == LibSort::FloatMap || s == LibSort::SameMap || s == LibSort::RealPart || s == LibSort::Test;
}
/// Elementwise maths.
constexpr bool is_elementwise(LibSort s) { return is_map(s) || s == LibSort::Arith || s == LibSort::Select; }

struct LibFunction {
  std::string_view name;
  LibSort sort;
  uint8_t min_args, max_args;
};
/// Null when the library has no such function.
const LibFunction* find_library(std::string_view name);
/// All of it, sorted by name.
const std::vector<LibFunction>& all_library();

}  // namespace vr::ir
