#include "arrays.hpp"

#include <algorithm>
#include <cstring>

namespace pyraptor {

namespace {

/// Element code of a NumPy type number, or -1.
int elem_of(int type) {
  switch (type) {
    case NPY_BOOL:
      return VR_BOOL;
    case NPY_INT:
    case NPY_LONG:
    case NPY_LONGLONG: {
      const size_t bytes = type == NPY_INT ? sizeof(int) : type == NPY_LONG ? sizeof(long) : sizeof(long long);
      return bytes == 4 ? VR_INT32 : VR_INT64;
    }
    case NPY_FLOAT:
      return VR_FLOAT32;
    case NPY_DOUBLE:
      return VR_FLOAT64;
    case NPY_CFLOAT:
      return VR_FLOAT32 | VR_COMPLEX;
    case NPY_CDOUBLE:
      return VR_FLOAT64 | VR_COMPLEX;
    default:
      return -1;
  }
}

int numpy_type(int elem) {
  switch (elem) {
    case VR_BOOL:
      return NPY_BOOL;
    case VR_INT32:
      return NPY_INT32;
    case VR_INT64:
      return NPY_INT64;
    case VR_FLOAT32:
      return NPY_FLOAT32;
    case VR_FLOAT64:
      return NPY_FLOAT64;
    case VR_FLOAT32 | VR_COMPLEX:
      return NPY_COMPLEX64;
    case VR_FLOAT64 | VR_COMPLEX:
      return NPY_COMPLEX128;
    default:
      return -1;
  }
}

template <class Box, class T>
PyObject* numpy_scalar(PyTypeObject* type, const T& value) {
  PyObject* o = type->tp_alloc(type, 0);
  if (o) std::memcpy(static_cast<void*>(&reinterpret_cast<Box*>(o)->obval), &value, sizeof(T));
  return o;
}

void free_elements(PyObject* capsule) {
  release(static_cast<vr::ArrayObject*>(PyCapsule_GetPointer(capsule, nullptr)));
}

}  // namespace

Key key_of(PyObject* o) {
  PyTypeObject* t = Py_TYPE(o);
  if (t == &PyArray_Type) {
    auto* a = reinterpret_cast<PyArrayObject*>(o);
    const int elem = elem_of(PyArray_TYPE(a)), rank = PyArray_NDIM(a);
    if (elem < 0 || rank < 1 || rank > VR_MAX_RANK || !PyArray_ISBEHAVED_RO(a)) return none;
    const vr::Layout layout = PyArray_IS_C_CONTIGUOUS(a)   ? vr::Layout::RowMajor
                              : PyArray_IS_F_CONTIGUOUS(a) ? vr::Layout::ColMajor
                                                           : vr::Layout::Strided;
    return array_bit | Key(elem) | Key(rank) << 8 | Key(layout) << 16;
  }
  if (t == &PyFloat_Type) return py_float;
  if (t == &PyLong_Type) return py_int;
  if (t == &PyBool_Type) return py_bool;
  if (t == &PyComplex_Type) return py_complex;
  if (t == &PyDoubleArrType_Type) return np_float64;
  if (t == &PyFloatArrType_Type) return np_float32;
  if (t == &PyLongArrType_Type) return sizeof(long) == 8 ? np_int64 : np_int32;
  if (t == &PyIntArrType_Type) return np_int32;
  if (t == &PyLongLongArrType_Type) return np_int64;
  if (t == &PyBoolArrType_Type) return np_bool;
  if (t == &PyCDoubleArrType_Type) return np_complex128;
  if (t == &PyCFloatArrType_Type) return np_complex64;
  return none;
}

bool scalar_value(PyObject* o, Key key, vr::Value* out) {
  vr_value v = {};
  switch (key) {
    case py_bool:
      *out = vr::Value(o == Py_True);
      return true;
    case py_int: {
      const long long n = PyLong_AsLongLong(o);
      if (n == -1 && PyErr_Occurred()) return false;
      *out = vr::Value(int64_t{n});
      return true;
    }
    case py_float:
      *out = vr::Value(PyFloat_AS_DOUBLE(o));
      return true;
    case py_complex: {
      const Py_complex c = PyComplex_AsCComplex(o);
      *out = vr::Value::complex(c.real, c.imag);
      return true;
    }
    case np_bool:
      *out = vr::Value(PyArrayScalar_VAL(o, Bool) != 0);
      return true;
    case np_int32:
      *out = vr::Value(int32_t{PyArrayScalar_VAL(o, Int)});
      return true;
    case np_int64:
      *out = vr::Value(Py_TYPE(o) == &PyLongArrType_Type ? int64_t{PyArrayScalar_VAL(o, Long)}
                                                         : int64_t{PyArrayScalar_VAL(o, LongLong)});
      return true;
    case np_float32:
      *out = vr::Value(float{PyArrayScalar_VAL(o, Float)});
      return true;
    case np_float64:
      *out = vr::Value(double{PyArrayScalar_VAL(o, Double)});
      return true;
    case np_complex64:
      std::memcpy(v.cf32, &PyArrayScalar_VAL(o, CFloat), sizeof v.cf32);
      *out = vr::Value::scalar(vr::Elem::Float32, true, v);
      return true;
    case np_complex128:
      std::memcpy(v.cf64, &PyArrayScalar_VAL(o, CDouble), sizeof v.cf64);
      *out = vr::Value::scalar(vr::Elem::Float64, true, v);
      return true;
    default:
      PyErr_SetString(PyExc_TypeError, "the argument is no number");
      return false;
  }
}

void describe(PyArrayObject* a, Key key, vr::ArrayObject* out) {
  out->elem = static_cast<int32_t>(key & 31);
  out->rank = PyArray_NDIM(a);
  out->data = PyArray_DATA(a);
  out->read_only = !PyArray_ISWRITEABLE(a);
  std::copy_n(PyArray_DIMS(a), out->rank, out->extent);
  std::copy_n(PyArray_STRIDES(a), out->rank, out->stride);
}

PyObject* scalar_object(const vr::Value& v, bool weak) {
  const vr_value& x = v.raw();
  const vr::ir::Type& t = v.type();
  if (t.complex) {
    if (t.elem == vr::Elem::Float32) return numpy_scalar<PyCFloatScalarObject>(&PyCFloatArrType_Type, x.cf32);
    if (weak) return PyComplex_FromDoubles(x.cf64[0], x.cf64[1]);
    return numpy_scalar<PyCDoubleScalarObject>(&PyCDoubleArrType_Type, x.cf64);
  }
  switch (t.elem) {
    case vr::Elem::Bool:
      if (weak) return PyBool_FromLong(x.b);
      return Py_NewRef(x.b ? PyArrayScalar_True : PyArrayScalar_False);
    case vr::Elem::Int32:
      return numpy_scalar<PyIntScalarObject>(&PyIntArrType_Type, x.i32);
    case vr::Elem::Int64:
      if (weak) return PyLong_FromLongLong(x.i64);
      return sizeof(long) == 8 ? numpy_scalar<PyLongScalarObject>(&PyLongArrType_Type, x.i64)
                               : numpy_scalar<PyLongLongScalarObject>(&PyLongLongArrType_Type, x.i64);
    case vr::Elem::Float32:
      return numpy_scalar<PyFloatScalarObject>(&PyFloatArrType_Type, x.f32);
    default:
      if (weak) return PyFloat_FromDouble(x.f64);
      return numpy_scalar<PyDoubleScalarObject>(&PyDoubleArrType_Type, x.f64);
  }
}

PyObject* array_object(vr::ArrayObject* o, PyObject* base, const Axes& axes) {
  npy_intp dims[VR_MAX_RANK], strides[VR_MAX_RANK];
  const int rank = axes.count < 0 ? o->rank : axes.count;
  for (int k = 0; k < rank; ++k) {
    const int from = axes.count < 0 ? k : axes.from[k];
    dims[k] = from < 0 ? 1 : o->extent[from];
    strides[k] = from < 0 ? 0 : o->stride[from];
  }
  PyArray_Descr* descr = PyArray_DescrFromType(numpy_type(o->elem));
  // An array without elements may have no address; NumPy would allocate one of its own then.
  static char nothing[16];
  void* data = o->data ? o->data : nothing;
  PyObject* array = PyArray_NewFromDescr(&PyArray_Type, descr, rank, dims, strides, data, NPY_ARRAY_WRITEABLE, nullptr);
  if (!array) return release(o), nullptr;
  auto* a = reinterpret_cast<PyArrayObject*>(array);
  if (o->read_only) PyArray_CLEARFLAGS(a, NPY_ARRAY_WRITEABLE);
  PyObject* keeper;
  if (base) {
    keeper = Py_NewRef(base);
    release(o);
  } else {
    keeper = PyCapsule_New(o, nullptr, free_elements);
    if (!keeper) release(o);
  }
  if (!keeper || PyArray_SetBaseObject(a, keeper) < 0) return Py_DECREF(array), nullptr;
  PyArray_UpdateFlags(a, NPY_ARRAY_UPDATE_ALL);
  return array;
}

}  // namespace pyraptor
