// NumPy's arrays and numbers at the border: what an argument is (a key), how the engine sees it, and what becomes of a
// result.
#pragma once
#include <velociraptor/engine.hpp>

#include "python.hpp"

namespace pyraptor {

/// What an argument is to the compiler, in one number; versions of a function are told apart by the keys of their
/// arguments. Python's numbers: a Kind. NumPy's: scalar_bit | element code (VR_..., | VR_COMPLEX). Arrays: array_bit |
/// element code | rank << 8 | Layout << 16.
/// 0: nothing that native code takes as it is.
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

/// Key of exactly the types listed above and of aligned ndarrays in native byte order, of rank 1 to 16. Never fails.
Key key_of(PyObject* o);
/// The number behind a key below array_bit. False with a Python exception (OverflowError: an int beyond 64 bits).
bool scalar_value(PyObject* o, Key key, vr::Value* out);
/// Makes `out` describe the elements of the array, which it borrows; read-only while NumPy says so.
void describe(PyArrayObject* a, Key key, vr::ArrayObject* out);

/// A number as Python's own type (`weak`) or as NumPy's scalar. New reference.
PyObject* scalar_object(const vr::Value& v, bool weak);

/// An axis of what Python sees of a result: an axis of the array, or -1 for one of extent 1 that np.newaxis made.
struct Axes {
  int count = -1;  ///< -1: the array as it is
  int8_t from[VR_MAX_RANK] = {};
};
/// An ndarray for the engine's array, one reference of which is taken over, and read-only where that is. It shares the elements and keeps them alive
/// through `base`, or through the array itself where `base` is null. New reference, null with a Python exception.
PyObject* array_object(vr::ArrayObject* o, PyObject* base, const Axes& axes);

/// Drops a reference of the engine's array.
inline void release(vr::ArrayObject* o) { vr::Array::adopt(o); }

}  // namespace pyraptor
