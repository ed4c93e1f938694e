#include "version.hpp"

#include "interrupt.hpp"
#include "pycall.hpp"
#include "resident.hpp"

#include <array>
#include <new>

namespace pyraptor {

namespace {

/// Most calls have few arguments: up to this many need no allocation.
constexpr size_t few = 12;
/// Size of the array arguments in bytes from which a function without loops releases the GIL.
constexpr npy_intp small_call = 1 << 15;

class Released {
 public:
  explicit Released(bool yes) : state_(yes ? PyEval_SaveThread() : nullptr) {}
  ~Released() {
    if (state_) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

/// The results of one call while they are converted to Python objects.
class Results {
 public:
  Results(const Version& v, std::vector<vr::Value>& values, PyObject* const* args, vr::ArrayObject* arrays,
          size_t count, Residence* residence)
      : version_(v), values_(values), args_(args), arrays_(arrays), count_(count), residence_(residence) {}
  ~Results() {
    for (size_t j = 0; j < made_count_; ++j) Py_DECREF(objects_[j]);
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  PyObject* next() {
    const Part& part = version_.result[part_++];
    switch (part.what) {
      case Part::What::Constant:
        return Py_NewRef(part.constant.get());
      case Part::What::Tuple:
      case Part::What::View: {
        Ref tuple = Ref::take(PyTuple_New(part.parts));
        for (int k = 0; k < part.parts && tuple; ++k) {
          PyObject* o = next();
          if (!o) return nullptr;
          PyTuple_SET_ITEM(tuple.get(), k, o);
        }
        if (part.what == Part::What::View && tuple) return PyObject_CallObject(part.constant.get(), tuple.get());
        return tuple.release();
      }
      case Part::What::Number:
      case Part::What::Weak:
        return scalar_object(values_[value_++], part.what == Part::What::Weak);
      case Part::What::Array: {
        const size_t k = value_++;
        PyObject* o = array(k, part.axes);
        if (o && residence_) residence_->became(k, o);
        return o;
      }
    }
    return nullptr;
  }

 private:
  /// Index of the argument that is this object, or -1.
  int argument(const vr::ArrayObject* o) const {
    for (size_t k = 0; k < count_; ++k)
      if (&arrays_[k] == o) return static_cast<int>(k);
    return -1;
  }
  PyObject* array(size_t k, const Axes& axes) {
    vr::Array held = values_[k].array();
    values_[k] = vr::Value();
    vr::ArrayObject* o = held.release();
    // An array that occurs twice among the results is one object in Python, too.
    for (size_t j = 0; j < made_count_; ++j)
      if (made_[j] == o && axes.count < 0) return release(o), Py_NewRef(objects_[j]);
    int from = argument(o);
    if (from >= 0 && axes.count < 0) return release(o), Py_NewRef(args_[from]);
    // The owner of a view of a view may be an intermediate view. Its elements belong to the argument, which the ndarray
    // must keep alive.
    for (const vr::ArrayObject* b = o->base; b && from < 0; b = b->base) from = argument(b);
    PyObject* array = array_object(o, from < 0 ? nullptr : args_[from], axes);
    if (array && axes.count < 0 && made_count_ < most_made) {
      made_[made_count_] = o;
      objects_[made_count_++] = Py_NewRef(array);
    }
    return array;
  }

  const Version& version_;
  std::vector<vr::Value>& values_;
  PyObject* const* args_;
  vr::ArrayObject* arrays_;
  size_t count_, part_ = 0, value_ = 0;
  Residence* residence_;  ///< or null
  static constexpr size_t most_made = 8;
  /// The arrays and their objects, which are kept alive: a view's base may have no other owner when the next result is
  /// converted. Entries from made_count_ on stay uninitialised, as that takes a noticeable part of a call.
  vr::ArrayObject* made_[most_made];
  PyObject* objects_[most_made];
  size_t made_count_ = 0;
};

/// The values of one call's arguments. Only as many are constructed as there are arguments.
class Arguments {
 public:
  explicit Arguments(size_t count) {
    if (count > few) many_.reserve(count);
  }
  ~Arguments() {
    for (size_t k = 0; k < count_; ++k) few_[k].value.~Value();
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  /// Adds what `make()` returns.
  template <class Make>
  void add(Make&& make) {
    if (many_.capacity() > 0)
      many_.push_back(make());
    else
      new (&few_[count_++].value) vr::Value(make());
  }
  vr::Value& back() { return many_.empty() ? few_[count_ - 1].value : many_.back(); }
  const vr::Value* data() const { return many_.empty() ? &few_[0].value : many_.data(); }

 private:
  union Place {
    Place() {}
    ~Place() {}
    vr::Value value;
  };
  static_assert(sizeof(Place) == sizeof(vr::Value));
  std::vector<vr::Value> many_;
  size_t count_ = 0;  ///< number of values in few_
  Place few_[few];
};

/// Whether two arrays may overlap, judged by the addresses of the first and the last byte of each.
bool overlap(PyObject* x, PyObject* y) {
  if (!PyArray_Check(x) || !PyArray_Check(y)) return false;
  auto bounds = [](PyObject* o) {
    auto* a = reinterpret_cast<PyArrayObject*>(o);
    auto *low = static_cast<char*>(PyArray_DATA(a)), *high = low + PyArray_ITEMSIZE(a);
    for (int k = 0; k < PyArray_NDIM(a); ++k) {
      if (PyArray_DIM(a, k) == 0) return std::pair(low, low);
      const npy_intp reach = (PyArray_DIM(a, k) - 1) * PyArray_STRIDE(a, k);
      (reach < 0 ? low : high) += reach;
    }
    return std::pair(low, high);
  };
  auto [a, b] = bounds(x);
  auto [c, d] = bounds(y);
  return a < d && c < b;
}

}  // namespace

PyObject* set_error(PyObject* on_error, const vr::Error& e) {
  if (e.code == vr::Code::Host && e.record && e.record->raised && raise_again(e.record->raised)) return nullptr;
  const vr::ErrorRecord r = e.record.value_or(vr::ErrorRecord{});
  const std::string message = e.record ? r.message : e.text();
  Ref made = Ref::take(PyObject_CallFunction(on_error, "issssiLLi", static_cast<int>(e.code), message.c_str(),
                                             r.function.c_str(), r.loc.c_str(), r.array.c_str(), r.axis,
                                             static_cast<long long>(r.index), static_cast<long long>(r.extent),
                                             static_cast<int>(r.raised)));
  if (!made) return nullptr;
  if (!PyExceptionInstance_Check(made.get()))
    return PyErr_SetString(PyExc_SystemError, "on_error made no exception"), nullptr;
  PyObject* trace = PyException_GetTraceback(made.get());
  PyObject* type = Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(made.get())));
  PyErr_Restore(type, made.release(), trace);
  return nullptr;
}

bool Version::takes(PyObject* const* args, size_t count) const {
  if (count != keys.size()) return false;
  for (size_t k = 0; k < count; ++k)
    if (key_of(args[k]) != keys[k]) return false;
  return true;
}

PyObject* Version::call(PyObject* const* args, size_t count, Residence* residence) const {
  Arguments values(count);
  std::array<vr::ArrayObject, few> few_arrays;
  std::unique_ptr<vr::ArrayObject[]> many_arrays(count > few ? new vr::ArrayObject[count] : nullptr);
  vr::ArrayObject* arrays = count > few ? many_arrays.get() : few_arrays.data();
  bool release_gil = !quick;
  npy_intp bytes = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!(keys[k] & array_bit)) {
      values.add([] { return vr::Value(); });
      if (!scalar_value(args[k], keys[k], &values.back())) return nullptr;
      continue;
    }
    auto* a = reinterpret_cast<PyArrayObject*>(args[k]);
    describe(a, keys[k], &arrays[k]);
    values.add([&] { return vr::Value::object(&arrays[k]); });
    bytes += PyArray_NBYTES(a);
  }
  for (auto [a, b] : apart)
    if (overlap(args[a], args[b]))
      return PyErr_Format(PyExc_ValueError,
                          "arguments %d and %d overlap in memory: the function copies the one and stores to the other",
                          a + 1, b + 1);
  release_gil = release_gil || bytes >= small_call;
  auto outcome = [&] {
    const Interruptible interruptible(release_gil);
    Released released(release_gil);
    const std::span<const vr::Value> given{values.data(), count};
    return residence ? residence->call(function, given) : function.call(given);
  }();
  if (!outcome) {
    const vr::Error& e = outcome.error();
    if (e.code == vr::Code::Forked) return nullptr;
    if (e.code == vr::Code::Interrupted && PyErr_Occurred()) return nullptr;  // the exception of a signal handler
    return set_error(on_error.get(), e);
  }
  PyObject* result = Results(*this, *outcome, args, arrays, count, residence).next();
  if (residence) residence->end(function, !result);
  return result;
}

namespace {

bool read_keys(PyObject* list, std::vector<Key>* keys) {
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(list); ++k) {
    keys->push_back(static_cast<Key>(PyLong_AsUnsignedLong(PyList_GET_ITEM(list, k))));
    if (PyErr_Occurred()) return false;
  }
  return true;
}

/// ("constant", o) ("tuple", parts...) ("view", make, parts...) ("number",) ("weak",) ("array",) ("array", axes)
bool read_result(PyObject* spec, std::vector<Part>* out) {
  const char* what = PyUnicode_AsUTF8(PyTuple_GetItem(spec, 0));
  if (!what) return false;
  Part part;
  const std::string_view w = what;
  if (w == "constant") {
    part.constant = Ref::share(PyTuple_GetItem(spec, 1));
    out->push_back(std::move(part));
    return !PyErr_Occurred();
  }
  if (w == "tuple" || w == "view") {
    const Py_ssize_t first = w == "view" ? 2 : 1;
    part.what = w == "view" ? Part::What::View : Part::What::Tuple;
    if (w == "view") part.constant = Ref::share(PyTuple_GetItem(spec, 1));
    part.parts = static_cast<int>(PyTuple_GET_SIZE(spec) - first);
    out->push_back(part);
    for (Py_ssize_t k = first; k < PyTuple_GET_SIZE(spec); ++k)
      if (!read_result(PyTuple_GET_ITEM(spec, k), out)) return false;
    return true;
  }
  part.what = w == "weak" ? Part::What::Weak : w == "number" ? Part::What::Number : Part::What::Array;
  if (part.what == Part::What::Array && PyTuple_GET_SIZE(spec) > 1) {
    PyObject* axes = PyTuple_GET_ITEM(spec, 1);
    part.axes.count = static_cast<int>(PyTuple_Size(axes));
    if (part.axes.count > VR_MAX_RANK) return PyErr_SetString(PyExc_ValueError, "too many axes"), false;
    for (int k = 0; k < part.axes.count; ++k)
      part.axes.from[k] = static_cast<int8_t>(PyLong_AsLong(PyTuple_GET_ITEM(axes, k)));
  }
  out->push_back(part);
  return !PyErr_Occurred();
}

PyObject* make_version(PyObject*, PyObject* args) {
  PyObject *function, *keys, *result, *apart, *on_error;
  int quick;
  if (!PyArg_ParseTuple(args, "O!O!O!O!pO", Boxed<vr::Function>::type, &function, &PyList_Type, &keys, &PyTuple_Type,
                        &result, &PyList_Type, &apart, &quick, &on_error))
    return nullptr;
  Version v{Boxed<vr::Function>::of(function), {}, {}, {}, quick != 0, Ref::share(on_error)};
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(apart); ++k) {
    int a, b;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(apart, k), "ii", &a, &b)) return nullptr;
    v.apart.emplace_back(a, b);
  }
  if (!read_keys(keys, &v.keys)) return nullptr;
  if (!read_result(result, &v.result)) return nullptr;
  return VersionBox::box(std::move(v));
}

PyObject* call_version(PyObject* self, PyObject* args, PyObject*) {
  const Version& v = VersionBox::of(self);
  const auto count = static_cast<size_t>(PyTuple_GET_SIZE(args));
  std::vector<PyObject*> borrowed(count);
  for (size_t k = 0; k < count; ++k) borrowed[k] = PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(k));
  PyObject* const* items = borrowed.data();
  if (!v.takes(items, count))
    return PyErr_SetString(PyExc_TypeError, "the arguments are not those compiled for"), nullptr;
  PyObject* r = v.call(items, count);
  if (!r && !PyErr_Occurred()) Py_RETURN_NOTIMPLEMENTED;
  return r;
}

}  // namespace

bool add_version_type(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(VersionBox::dealloc)},
      {Py_tp_call, reinterpret_cast<void*>(border<call_version>)},
      {Py_tp_doc,
       const_cast<char*>("One function compiled for one set of argument types; NotImplemented after fork().")},
      {0, nullptr}};
  static PyType_Spec spec = {"pyraptor._native.Version", sizeof(VersionBox), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  VersionBox::type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  static PyMethodDef functions[] = {{"version", border<make_version>, METH_VARARGS,
                                     "version(function, keys, result, apart, quick, on_error) -> Version"},
                                    {nullptr, nullptr, 0, nullptr}};
  return VersionBox::type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace pyraptor
