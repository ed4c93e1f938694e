#include "dispatcher.hpp"

#include <structmember.h>

#include <cstring>
#include <vector>

#include "version.hpp"

namespace pyraptor {

namespace {

/// `impl` is the Python part: compiling, reports, pickling. Attributes that this type does not have are looked up in
/// `impl`.
struct Dispatcher {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* impl;
  PyObject* weak_references;
  std::vector<Ref>* versions;  ///< the most recently used one first
};

Dispatcher* of(PyObject* o) { return reinterpret_cast<Dispatcher*>(o); }

PyObject* call(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  Dispatcher* d = of(self);
  const auto count = static_cast<size_t>(PyVectorcall_NARGS(nargsf));
  if (!names) {
    auto& versions = *d->versions;
    for (size_t k = 0; k < versions.size(); ++k) {
      const Version& v = VersionBox::of(versions[k].get());
      if (!v.takes(args, count)) continue;
      Ref held = versions[k];  // another thread may clear the list during the call
      if (k > 0) std::swap(versions[0], versions[k]);
      PyObject* r = VersionBox::of(held.get()).call(args, count);
      if (r || PyErr_Occurred()) return r;
      break;  // forked: Python makes a new engine
    }
  }
  // Not compiled yet for these types: impl.call(args, kwargs).
  Ref tuple = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(count)));
  if (!tuple) return nullptr;
  for (size_t k = 0; k < count; ++k) PyTuple_SET_ITEM(tuple.get(), k, Py_NewRef(args[k]));
  Ref named;
  if (names) {
    named = Ref::take(PyDict_New());
    if (!named) return nullptr;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k)
      if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(names, k), args[count + static_cast<size_t>(k)]) < 0)
        return nullptr;
  }
  return PyObject_CallMethod(d->impl, "call", "OO", tuple.get(), names ? named.get() : Py_None);
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* impl;
  if (!PyArg_ParseTuple(args, "O", &impl)) return nullptr;
  PyObject* o = alloc_of(type)(type, 0);
  if (!o) return nullptr;
  of(o)->vectorcall = border<call>;
  of(o)->impl = Py_NewRef(impl);
  of(o)->versions = new std::vector<Ref>;
  return o;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(of(self)->impl);
  return 0;
}
int clear(PyObject* self) {
  Py_CLEAR(of(self)->impl);
  if (of(self)->versions) of(self)->versions->clear();
  return 0;
}
void dealloc(PyObject* self) {
  PyTypeObject* t = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (of(self)->weak_references) PyObject_ClearWeakRefs(self);
  clear(self);
  delete of(self)->versions;
  free_of(t)(self);
  Py_DECREF(t);
}

/// Attributes that describe the function (__doc__, __module__ ...) come from impl, although every object has them.
bool describes(const char* name) {
  for (const char* n : {"__doc__", "__module__", "__name__", "__qualname__", "__wrapped__", "__dict__"})
    if (std::strcmp(name, n) == 0) return true;
  return false;
}
PyObject* get_attribute(PyObject* self, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  if (!text) return nullptr;
  if (!describes(text)) {
    PyObject* own = PyObject_GenericGetAttr(self, name);
    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
  }
  return PyObject_GetAttr(of(self)->impl, name);
}

PyObject* repr(PyObject* self) { return PyObject_Repr(of(self)->impl); }
PyObject* method(PyObject* function, PyObject* self) {
#ifdef Py_LIMITED_API
  static PyObject* const type = [] {
    const Ref types = Ref::take(PyImport_ImportModule("types"));
    return types ? PyObject_GetAttrString(types.get(), "MethodType") : nullptr;
  }();
  return type ? PyObject_CallFunctionObjArgs(type, function, self, nullptr) : PyErr_NoMemory();
#else
  return PyMethod_New(function, self);
#endif
}
PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  return object && object != Py_None ? method(self, object) : Py_NewRef(self);
}
PyObject* reduce(PyObject* self, PyObject*) { return PyObject_CallMethod(of(self)->impl, "reduce", nullptr); }
PyObject* add(PyObject* self, PyObject* version) {
  if (Py_TYPE(version) != VersionBox::type) return PyErr_SetString(PyExc_TypeError, "a Version is needed"), nullptr;
  of(self)->versions->insert(of(self)->versions->begin(), Ref::share(version));
  Py_RETURN_NONE;
}
/// _find(*args): the version that a call with these arguments runs; None if none is compiled.
PyObject* find(PyObject* self, PyObject* args) {
  const auto count = static_cast<size_t>(PyTuple_GET_SIZE(args));
  std::vector<PyObject*> borrowed(count);
  for (size_t k = 0; k < count; ++k) borrowed[k] = PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(k));
  for (const Ref& v : *of(self)->versions)
    if (VersionBox::of(v.get()).takes(borrowed.data(), count)) return Py_NewRef(v.get());
  Py_RETURN_NONE;
}
PyObject* forget(PyObject* self, PyObject*) {
  std::vector<Ref> old;
  old.swap(*of(self)->versions);
  Py_RETURN_NONE;
}
PyObject* impl(PyObject* self, void*) { return Py_NewRef(of(self)->impl); }

}  // namespace

bool add_dispatcher_type(PyObject* module) {
  static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr},
                                  {"_add", border<add>, METH_O, "Adds a version to those that calls choose from."},
                                  {"_find", border<find>, METH_VARARGS,
                                   "_find(*args): the version that a call with these arguments runs, or None."},
                                  {"_forget", forget, METH_NOARGS, "Forgets all versions."},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef values[] = {{"_impl", impl, nullptr, nullptr, nullptr},
                                 {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Dispatcher, vectorcall), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Dispatcher, weak_references), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(border<make>)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear)},
                                {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
                                {Py_tp_repr, reinterpret_cast<void*>(repr)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, values},
                                {Py_tp_members, members},
                                {0, nullptr}};
  static PyType_Spec spec = {"pyraptor._native.Dispatcher", sizeof(Dispatcher), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, slots};
  Ref type = Ref::take(PyType_FromSpec(&spec));
  return type && PyModule_AddObjectRef(module, "Dispatcher", type.get()) == 0;
}

}  // namespace pyraptor
