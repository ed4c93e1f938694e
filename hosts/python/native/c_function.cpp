#include "c_function.hpp"

#include "version.hpp"

#include <memory>
#include <optional>

namespace pyraptor {

namespace {

struct Held {
  Ref on_error, name;
  std::optional<vr::CFunction> function;
};
using HeldBox = Boxed<std::unique_ptr<Held>>;

/// Called in the thread of the C function's caller, which may hold the GIL and may have a pending exception.
void failed(void* data, const vr::Error& error) {
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  {
    const auto& held = *static_cast<const Held*>(data);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    set_error(held.on_error.get(), error);
    PyErr_WriteUnraisable(held.name.get());
    PyErr_Restore(type, value, trace);
  }
  PyGILState_Release(gil);
}

PyObject* address(PyObject* self, PyObject*) { return PyLong_FromVoidPtr(HeldBox::of(self)->function->address()); }

PyMethodDef methods[] = {{"address", border<address>, METH_NOARGS, "The address of the C function."},
                         {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* make_c_function(const vr::Function& function, PyObject* on_error, PyObject* name) {
  auto held = std::make_unique<Held>(Held{Ref::share(on_error), Ref::share(name), {}});
  PyThreadState* state = PyEval_SaveThread();
  auto made = function.c_function(failed, held.get());
  PyEval_RestoreThread(state);
  if (!made) {
    Ref args = Ref::take(Py_BuildValue("(is)", static_cast<int>(made.error().code), made.error().text().c_str()));
    if (args) PyErr_SetObject(PyExc_RuntimeError, args.get());
    return nullptr;
  }
  held->function = std::move(*made);
  return HeldBox::box(std::move(held));
}

bool add_c_function_type() {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(HeldBox::dealloc)}, {Py_tp_methods, methods}, {0, nullptr}};
  PyType_Spec spec = {"pyraptor._native.CFunction", sizeof(HeldBox), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  HeldBox::type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return HeldBox::type != nullptr;
}

}  // namespace pyraptor
