// Conversion between NumPy's arrays and numbers and the engine's values: keys of arguments, arguments, and results.
#pragma once
#include <velociraptor/engine.hpp>

#include "python.hpp"

namespace pyraptor {

/// The type of an argument for the compiler, encoded as a number; versions of a function are identified by the keys of
/// their arguments. Python numbers: a Kind. NumPy scalars: scalar_bit | element code (VR_..., | VR_COMPLEX). Arrays:
/// array_bit | element code | rank << 8 | Layout << 16. 0: native code cannot accept the object directly.
using Key = uint32_t;
enum Kind : Key {
  none,
  py_bool,
  py_int,
  py_float,
  py_complex,
};
constexpr Key array_bit = 1u << 31, scalar_bit = 1u << 30;
inline vr::Elem elem_of_key(Key key) { return static_cast<vr::Elem>(key & 15); }
inline bool is_complex(Key key) { return (key & VR_COMPLEX) != 0; }

/// Key of an object of one of the types listed above, or of an aligned ndarray in native byte order with rank 1 to 16;
/// 0 for all other objects. Never fails.
Key key_of(PyObject* o);
/// The value of a number whose key is below array_bit. False with a Python exception (OverflowError: the int has more
/// than 64 bits).
bool scalar_value(PyObject* o, Key key, vr::Value* out);
/// Makes `out` describe the array's elements, which it borrows. It is read-only if the ndarray is.
void describe(PyArrayObject* a, Key key, vr::ArrayObject* out);

/// Converts a number to a Python number (`weak`) or to a NumPy scalar. New reference.
PyObject* scalar_object(const vr::Value& v, bool weak);

/// The axes of a result as Python sees it: each an axis of the engine's array, or -1 for an axis of extent 1 that
/// np.newaxis added.
struct Axes {
  int count = -1;  ///< -1: all axes in the array's order
  int8_t from[VR_MAX_RANK] = {};
};
/// An ndarray for the engine's array `o`, of which it takes over one reference; read-only if `o` is. It shares the elements and
/// keeps them alive through `base`, or through `o` itself if `base` is null. New reference, null with a Python exception.
PyObject* array_object(vr::ArrayObject* o, PyObject* base, const Axes& axes);

/// Releases a reference to the engine's array.
inline void release(vr::ArrayObject* o) { vr::Array::adopt(o); }

}  // namespace pyraptor
