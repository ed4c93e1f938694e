// Includes the C API of CPython and NumPy for all files of the extension, and hides differences between versions.
#pragma once
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pyraptor_numpy
#ifndef PYRAPTOR_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <exception>
#include <new>
#include <utility>

#if PY_VERSION_HEX < 0x030A0000  // functions that CPython 3.9 does not have
#define Py_TPFLAGS_DISALLOW_INSTANTIATION 0
inline PyObject* Py_NewRef(PyObject* o) { return Py_INCREF(o), o; }
inline int PyModule_AddObjectRef(PyObject* module, const char* name, PyObject* o) {
  Py_XINCREF(o);
  const int status = PyModule_AddObject(module, name, o);
  if (status < 0) Py_XDECREF(o);
  return status;
}
#endif

#ifdef Py_LIMITED_API  // one module for 3.12 and later: the stable ABI has functions where CPython has macros
#define PyTuple_GET_SIZE PyTuple_Size
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_SET_ITEM PyTuple_SetItem
#define PyList_GET_SIZE PyList_Size
#define PyList_GET_ITEM PyList_GetItem
#define PyFloat_AS_DOUBLE PyFloat_AsDouble
inline const char* PyUnicode_AsUTF8(PyObject* o) { return PyUnicode_AsUTF8AndSize(o, nullptr); }
inline allocfunc alloc_of(PyTypeObject* t) { return reinterpret_cast<allocfunc>(PyType_GetSlot(t, Py_tp_alloc)); }
inline freefunc free_of(PyTypeObject* t) { return reinterpret_cast<freefunc>(PyType_GetSlot(t, Py_tp_free)); }
#else
inline allocfunc alloc_of(PyTypeObject* t) { return t->tp_alloc; }
inline freefunc free_of(PyTypeObject* t) { return t->tp_free; }
#endif

namespace pyraptor {

/// A counted reference to a Python object. The GIL must be held whenever a Ref changes.
class Ref {
 public:
  Ref() = default;
  static Ref take(PyObject* o) { return Ref(o); }  ///< takes over a new reference, which may be null
  static Ref share(PyObject* o) { return Py_XINCREF(o), Ref(o); }
  Ref(const Ref& o) : object_(o.object_) { Py_XINCREF(object_); }
  Ref(Ref&& o) noexcept : object_(std::exchange(o.object_, nullptr)) {}
  Ref& operator=(Ref o) noexcept { return std::swap(object_, o.object_), *this; }
  ~Ref() { Py_XDECREF(object_); }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  explicit Ref(PyObject* o) : object_(o) {}
  PyObject* object_ = nullptr;
};

/// `border<f>` wraps f to be called by Python: C++ exceptions, which must not pass through the interpreter, are
/// converted to Python exceptions.
template <auto f>
struct Border;
template <class... A, PyObject* (*f)(A...)>
struct Border<f> {
  static PyObject* call(A... a) {
    try {
      return f(a...);
    } catch (const std::bad_alloc&) {
      return PyErr_NoMemory();
    } catch (const std::exception& e) {
      return PyErr_SetString(PyExc_SystemError, e.what()), nullptr;
    }
  }
};
template <auto f>
constexpr auto border = &Border<f>::call;

/// A Python object that holds a C++ value. Made by `box`, freed by Python. Types must be ready before the module is
/// used.
template <class T>
struct Boxed {
  PyObject_HEAD T value;
  static inline PyTypeObject* type = nullptr;

  static PyObject* box(T v) {
    PyObject* o = alloc_of(type)(type, 0);
    if (o) new (&reinterpret_cast<Boxed*>(o)->value) T(std::move(v));
    return o;
  }
  static T& of(PyObject* o) { return reinterpret_cast<Boxed*>(o)->value; }
  static void dealloc(PyObject* o) {
    PyTypeObject* t = Py_TYPE(o);
    of(o).~T();
    free_of(t)(o);
    Py_DECREF(t);
  }
};

}  // namespace pyraptor
