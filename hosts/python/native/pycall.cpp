#include "pycall.hpp"

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "numpy_types.hpp"

namespace pyraptor {

namespace {

/// One parameter or result.
struct CallPart {
  Key key;
  vr::ir::Type type;
};

struct Callee {
  Ref function;
  std::vector<CallPart> in, out;
  Generator generator;
};

/// Exceptions that pass through compiled code, by number. Guarded by the GIL.
std::map<int32_t, Ref>& pending() {
  static auto* exceptions = new std::map<int32_t, Ref>;
  return *exceptions;
}

/// Stores the current exception and returns a number that identifies it.
int32_t keep_exception() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace) PyException_SetTraceback(value, trace);
  static int32_t last = 0;
  last = last == INT32_MAX ? 1 : last + 1;
  pending()[last] = Ref::take(value);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return last;
}

bool read_parts(PyObject* keys, std::vector<CallPart>* out) {
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(keys); ++k) {
    const auto key = static_cast<Key>(PyLong_AsUnsignedLong(PyList_GET_ITEM(keys, k)));
    if (PyErr_Occurred()) return false;
    using vr::Elem;
    using vr::ir::Type;
    Type t;
    if (key & array_bit)
      t = Type::array(elem_of_key(key), static_cast<int>(key >> 8 & 255), static_cast<vr::Layout>(key >> 16 & 255),
                      is_complex(key));
    else if (key & scalar_bit)
      t = Type::scalar(elem_of_key(key), is_complex(key));
    else
      t = key == py_bool  ? Type::scalar(Elem::Bool)
          : key == py_int ? Type::scalar(Elem::Int64)
                          : Type::scalar(Elem::Float64, key == py_complex);
    out->push_back({key, std::move(t)});
  }
  return true;
}

/// An ndarray over the engine's elements. It must not be used after they are freed.
Ref view_of(const vr_array& a) {
  npy_intp shape[VR_MAX_RANK], strides[VR_MAX_RANK];
  for (int k = 0; k < a.rank; ++k)
    shape[k] = static_cast<npy_intp>(a.extent[k]), strides[k] = static_cast<npy_intp>(a.stride[k]);
  return Ref::take(PyArray_New(&PyArray_Type, a.rank, shape, numpy_types().number[a.elem], strides, a.data, 0,
                               a.flags & VR_ARRAY_READ_ONLY ? 0 : NPY_ARRAY_WRITEABLE, nullptr));
}
PyArrayObject* array(const Ref& r) { return reinterpret_cast<PyArrayObject*>(r.get()); }

/// The Python function gets a copy, which it may keep. When it has returned, changes of the copy are written back to
/// the elements.
struct Given {
  Ref elements, copy, before;
  bool give(const vr_array& a) {
    elements = view_of(a);
    copy = elements ? Ref::take(PyArray_NewCopy(array(elements), NPY_CORDER)) : Ref();
    if (!copy) return false;
    if (a.flags & VR_ARRAY_READ_ONLY) {
      PyArray_CLEARFLAGS(array(copy), NPY_ARRAY_WRITEABLE);
      return true;
    }
    before = Ref::take(PyArray_NewCopy(array(copy), NPY_CORDER));
    return bool(before);
  }
  /// An array that is passed twice has two copies: a copy that was not stored to must not overwrite the changes of the
  /// other one.
  bool take_back() const {
    const auto size = static_cast<size_t>(before ? PyArray_NBYTES(array(before)) : 0);
    if (size == 0 || std::memcmp(PyArray_DATA(array(before)), PyArray_DATA(array(copy)), size) == 0) return true;
    return PyArray_CopyInto(array(elements), array(copy)) == 0;
  }
};

/// Converts the result of the Python function to the declared type.
bool give_result(vr_external_call* call, int32_t k, const CallPart& part, PyObject* o, vr_value* out) {
  const vr::ir::Type& t = part.type;
  const int code = static_cast<int>(t.elem) | (t.complex ? VR_COMPLEX : 0), rank = t.is_array() ? t.rank : 0;
  if (part.key == py_float && PyFloat_CheckExact(o)) return out->f64 = PyFloat_AS_DOUBLE(o), true;
  PyArray_Descr* type = PyArray_DescrFromType(numpy_types().number[code]);
  Ref converted = Ref::take(PyArray_FromAny(o, type, rank, rank, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED, nullptr));
  if (!converted) return false;
  if (rank == 0) {
    std::memcpy(out, PyArray_DATA(array(converted)), static_cast<size_t>(PyArray_ITEMSIZE(array(converted))));
    return true;
  }
  int64_t extents[VR_MAX_RANK];
  for (int d = 0; d < rank; ++d) extents[d] = PyArray_DIM(array(converted), d);
  vr_array* a = call->make(call, k, extents);
  if (!a) return PyErr_NoMemory(), false;
  Ref elements = view_of(*a);
  return elements && PyArray_CopyInto(array(elements), array(converted)) == 0;
}

bool run(const Callee& f, vr_external_call* call, const vr_value* args, vr_value* results) {
  // For a method, the first argument is the object.
  const bool method = PyUnicode_Check(f.function.get());
  const Ref function = method ? Ref::take(PyObject_GetAttr(object_at(args[0].i64), f.function.get())) : f.function;
  const size_t first = method ? 1 : 0;
  Ref tuple = Ref::take(function ? PyTuple_New(static_cast<Py_ssize_t>(f.in.size() - first)) : nullptr);
  if (!tuple) return false;
  std::vector<Given> arrays(f.in.size());
  for (size_t k = first; k < f.in.size(); ++k) {
    const CallPart& p = f.in[k];
    PyObject* o;
    if (p.type.is_array())
      o = arrays[k].give(*args[k].array) ? Py_NewRef(arrays[k].copy.get()) : nullptr;
    else
      o = scalar_object(vr::Value::scalar(p.type.elem, p.type.complex, args[k]), !(p.key & scalar_bit));
    if (!o) return false;
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(k - first), o);
  }
  Ref result = Ref::take(PyObject_CallObject(function.get(), tuple.get()));
  if (!result) return false;
  for (const Given& a : arrays)
    if (!a.take_back()) return false;
  if (f.out.size() == 1) return give_result(call, 0, f.out[0], result.get(), &results[0]);
  if (f.out.empty()) return true;
  Ref items = Ref::take(PySequence_Tuple(result.get()));
  if (!items) return false;
  if (PyTuple_GET_SIZE(items.get()) != static_cast<Py_ssize_t>(f.out.size()))
    return PyErr_Format(PyExc_ValueError, "%R returned %zd results instead of %zu", f.function.get(),
                        PyTuple_GET_SIZE(items.get()), f.out.size()),
           false;
  for (size_t k = 0; k < f.out.size(); ++k)
    if (!give_result(call, static_cast<int32_t>(k), f.out[k], PyTuple_GET_ITEM(items.get(), static_cast<Py_ssize_t>(k)),
                     &results[k]))
      return false;
  return true;
}

int32_t invoke(void* data, vr_external_call* call, const vr_value* args, vr_value* results) {
  const PyGILState_STATE gil = PyGILState_Ensure();
  int32_t status = VR_OK;
  try {
    Callee& callee = *static_cast<Callee*>(data);
    const bool drawn = callee.generator.draw(args, callee.in.size(), results);
    if (!drawn && (PyErr_Occurred() || !run(callee, call, args, results)))
      status = call->fail(call, keep_exception(), "an exception");
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    status = call->fail(call, keep_exception(), "an exception");
  }
  PyGILState_Release(gil);
  return status;
}

void done(void* data) {
  // A module may be freed after Python was finalised; references must not be released then.
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  delete static_cast<Callee*>(data);
  PyGILState_Release(gil);
}

}  // namespace

vr::Status bind_python(const vr::Engine& engine, const char* name, PyObject* callable, PyObject* parameters,
                       PyObject* results, Generator generator) {
  auto callee = std::make_unique<Callee>(Callee{Ref::share(callable), {}, {}, std::move(generator)});
  if (!read_parts(parameters, &callee->in) || !read_parts(results, &callee->out)) {
    PyErr_Clear();
    return vr::make_error(vr::Code::Usage, "a key is no number");
  }
  std::vector<vr::ir::Type> in, out;
  for (const CallPart& p : callee->in) in.push_back(p.type);
  for (const CallPart& p : callee->out) out.push_back(p.type);
  return engine.bind(name, vr::ir::Type::function(std::move(in), std::move(out)), invoke, callee.release(), done);
}

bool raise_again(int32_t raised) {
  auto it = pending().find(raised);
  if (it == pending().end()) return false;
  Ref value = std::move(it->second);
  pending().erase(it);
  PyObject* trace = PyException_GetTraceback(value.get());
  PyObject* type = Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(value.get())));
  PyErr_Restore(type, value.release(), trace);
  return true;
}

}  // namespace pyraptor
