#include "resident.hpp"

#include "arrays.hpp"
#include "version.hpp"

namespace pyraptor {

namespace {

/// Arrays on the device, each of them kept once.
struct Resident {
  std::optional<vr::Engine> engine;
  std::vector<Ref> arrays;

  Resident() = default;
  Resident(Resident&&) = default;
  /// Objects that nobody let go, such as those of an item that was on its way when a pipeline was stopped.
  ~Resident() {
    for (Ref& a : arrays) (void)end(a, Py_REFCNT(a.get()) == 1);
  }
  vr::Status end(const Ref& a, bool unneeded) const {
    vr::ArrayObject array;
    describe(reinterpret_cast<PyArrayObject*>(a.get()), key_of(a.get()), &array);
    const vr::Value value = vr::Value::object(&array);
    return unneeded ? engine->forget_on_device(value) : engine->drop_from_device(value);
  }
};
using ResidentBox = Boxed<Resident>;

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

PyObject* fail_with(const vr::Error& e) { return PyErr_SetString(PyExc_RuntimeError, e.text().c_str()), nullptr; }

/// Copies all elements back.
bool bring(Resident& held) {
  std::vector<Ref> arrays = std::move(held.arrays);
  held.arrays.clear();
  vr::Status first;
  for (const Ref& a : arrays) {
    vr::Status s = [&] {
      const WithoutGil released;
      return held.end(a, false);
    }();
    if (!s && first) first = s;
  }
  return first || fail_with(first.error());
}

PyObject* resident_bring(PyObject* self, PyObject*) {
  if (!bring(ResidentBox::of(self))) return nullptr;
  Py_RETURN_NONE;
}

/// let_go(next): elements that only this object refers to are not copied, nor are those of arrays in `next`.
PyObject* resident_let_go(PyObject* self, PyObject* next) {
  Resident& held = ResidentBox::of(self);
  const Resident* after = Py_TYPE(next) == ResidentBox::type ? &ResidentBox::of(next) : nullptr;
  std::vector<Ref> arrays = std::move(held.arrays);
  held.arrays.clear();
  vr::Status first;
  for (const Ref& a : arrays) {
    bool unneeded = Py_REFCNT(a.get()) == 1;
    for (size_t k = 0; after && k < after->arrays.size(); ++k) unneeded = unneeded || after->arrays[k].get() == a.get();
    vr::Status s = [&] {
      const WithoutGil released;
      return held.end(a, unneeded);
    }();
    if (!s && first) first = s;
  }
  if (!first) return fail_with(first.error());
  Py_RETURN_NONE;
}

/// call_resident(version, args, held, group, keep) -> (result, Resident or None), or NotImplemented where the arguments
/// are not the version's or the process was forked. Arrays in `held` (or None) that the function cannot use on its
/// device are copied back before the call.
PyObject* call_resident(PyObject*, PyObject* args) {
  PyObject *version, *values, *held;
  long long group;
  int keep;
  if (!PyArg_ParseTuple(args, "O!O!OLp", VersionBox::type, &version, &PyTuple_Type, &values, &held, &group, &keep))
    return nullptr;
  const Version& v = VersionBox::of(version);
  const auto count = static_cast<size_t>(PyTuple_GET_SIZE(values));
  std::vector<PyObject*> borrowed(count);
  for (size_t k = 0; k < count; ++k) borrowed[k] = PyTuple_GET_ITEM(values, static_cast<Py_ssize_t>(k));
  if (!v.takes(borrowed.data(), count)) Py_RETURN_NOTIMPLEMENTED;
  if (Py_TYPE(held) == ResidentBox::type &&
      (!v.function.on_device() || !(*ResidentBox::of(held).engine == v.function.engine())))
    if (!bring(ResidentBox::of(held))) return nullptr;
  Residence residence(group);
  const Ref result = Ref::take(v.call(borrowed.data(), count, keep ? &residence : nullptr));
  if (!result) {
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NOTIMPLEMENTED;
  }
  Resident made;
  made.engine = v.function.engine();
  made.arrays = residence.take();
  const Ref box = made.arrays.empty() ? Ref::share(Py_None) : Ref::take(ResidentBox::box(std::move(made)));
  if (!box) return nullptr;
  return Py_BuildValue("(OO)", result.get(), box.get());
}

}  // namespace

vr::Result<std::vector<vr::Value>> Residence::call(const vr::Function& f, std::span<const vr::Value> args) {
  auto results = f.call_resident(args, group_, &resident_);
  if (!results) return results;
  resident_.resize(results->size());
  for (size_t k = 0; k < results->size(); ++k) values_.push_back(resident_[k] ? (*results)[k] : vr::Value());
  objects_.reserve(results->size());
  return results;
}

void Residence::became(size_t k, PyObject* array) {
  if (!resident_[k] || !(key_of(array) & array_bit)) return;
  objects_.push_back(Ref::share(array));
  resident_[k] = false;
  values_[k] = vr::Value();
}

void Residence::end(const vr::Function& f, bool failed) {
  Resident ready;
  ready.engine = f.engine();
  if (failed) ready.arrays = std::move(objects_);
  for (size_t k = 0; k < resident_.size(); ++k)
    if (resident_[k])
      (void)(failed ? ready.engine->forget_on_device(values_[k]) : ready.engine->drop_from_device(values_[k]));
  resident_.clear();
  values_.clear();
}

bool add_residence(PyObject* module) {
  static PyMethodDef methods[] = {
      {"bring", border<resident_bring>, METH_NOARGS,
       "Copies all elements to the ndarrays, which then leave the device."},
      {"let_go", border<resident_let_go>, METH_O,
       "let_go(next): the arrays leave the device; elements that nobody refers to any more are not copied"},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(ResidentBox::dealloc)}, {Py_tp_methods, methods}, {0, nullptr}};
  static PyType_Spec spec = {"pyraptor._native.Resident", sizeof(ResidentBox), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  ResidentBox::type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  static PyMethodDef functions[] = {
      {"call_resident", border<call_resident>, METH_VARARGS,
       "call_resident(version, args, held, group, keep) -> (result, Resident or None), or NotImplemented"},
      {nullptr, nullptr, 0, nullptr}};
  return ResidentBox::type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace pyraptor
