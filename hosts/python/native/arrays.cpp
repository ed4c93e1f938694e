#include "arrays.hpp"

#include "numpy_types.hpp"

#include <algorithm>
#include <cstring>

namespace pyraptor {

namespace {

void free_elements(PyObject* capsule) {
  release(static_cast<vr::ArrayObject*>(PyCapsule_GetPointer(capsule, nullptr)));
}

/// Whether an int has 64 bits.
bool fits(PyObject* o) {
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(o, &overflow);
  return overflow == 0;
}

/// The key of a NumPy scalar; 0 for other objects.
Key scalar_key(PyTypeObject* t) {
  // Cache of types that were found. NumPy's types are never freed. Guarded by the GIL.
  static struct {
    PyTypeObject* type;
    Key key;
  } found[8];
  auto& recent = found[reinterpret_cast<uintptr_t>(t) >> 6 & 7];
  if (recent.type == t) return recent.key;
  const NumpyTypes& types = numpy_types();
  Key key = none;
  for (int code = 0; code < 2 * VR_COMPLEX && key == none; ++code)
    if (types.scalar[code] == t) key = scalar_bit | Key(code);
  // A second integer class of the same width: C has int, long and long long.
  const std::pair<int, PyTypeObject*> second[] = {
      {NPY_INT, &PyIntArrType_Type},   {NPY_LONG, &PyLongArrType_Type},   {NPY_LONGLONG, &PyLongLongArrType_Type},
      {NPY_UINT, &PyUIntArrType_Type}, {NPY_ULONG, &PyULongArrType_Type}, {NPY_ULONGLONG, &PyULongLongArrType_Type}};
  for (const auto& [type, object] : second)
    if (key == none && t == object) key = scalar_bit | Key(types.code[type]);
  if (key != none) recent = {t, key};
  return key;
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
  if (t == &PyLong_Type) return fits(o) ? py_int : none;
  if (t == &PyBool_Type) return py_bool;
  if (t == &PyComplex_Type) return py_complex;
  return scalar_key(t);
}

bool scalar_value(PyObject* o, Key key, vr::Value* out) {
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
    case py_complex:
      *out = vr::Value::complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
      return true;
    default: {
      if (!(key & scalar_bit)) break;
      vr_value v = {};
      std::memcpy(&v, scalar_bytes(o), vr::ir::elem_bytes(elem_of_key(key)) * (is_complex(key) ? 2 : 1));
      *out = vr::Value::scalar(elem_of_key(key), is_complex(key), v);
      return true;
    }
  }
  PyErr_SetString(PyExc_TypeError, "the argument is no number");
  return false;
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
  if (weak && t.elem == vr::Elem::Float64)
    return t.complex ? PyComplex_FromDoubles(x.cf64[0], x.cf64[1]) : PyFloat_FromDouble(x.f64);
  if (weak && t.elem == vr::Elem::Int64 && !t.complex) return PyLong_FromLongLong(x.i64);
  if (t.elem == vr::Elem::Bool && !t.complex)
    return weak ? PyBool_FromLong(x.b) : Py_NewRef(x.b ? PyArrayScalar_True : PyArrayScalar_False);
  PyTypeObject* type = numpy_types().scalar[static_cast<int>(t.elem) | (t.complex ? VR_COMPLEX : 0)];
  if (!type) return PyErr_Format(PyExc_TypeError, "NumPy has no type for complex %s", vr::ir::elem_name(t.elem));
  PyObject* o = alloc_of(type)(type, 0);
  if (o) std::memcpy(scalar_bytes(o), &x, vr::ir::elem_bytes(t.elem) * (t.complex ? 2 : 1));
  return o;
}

PyObject* array_object(vr::ArrayObject* o, PyObject* base, const Axes& axes) {
  npy_intp dims[VR_MAX_RANK], strides[VR_MAX_RANK];
  const int rank = axes.count < 0 ? o->rank : axes.count;
  for (int k = 0; k < rank; ++k) {
    const int from = axes.count < 0 ? k : axes.from[k];
    dims[k] = from < 0 ? 1 : o->extent[from];
    strides[k] = from < 0 ? 0 : o->stride[from];
  }
  PyArray_Descr* descr = PyArray_DescrFromType(numpy_types().number[o->elem]);
  // An empty array may have a null address, for which NumPy would allocate memory of its own.
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
