#include "ahead_of_time.hpp"

#include <velociraptor/velociraptor.h>

#include <memory>
#include <vector>

namespace pyraptor {

namespace {

template <auto free>
struct Freed {
  template <class T>
  void operator()(T* o) const {
    free(o);
  }
};
using Options = std::unique_ptr<vr_options, Freed<vr_options_free>>;
using Engine = std::unique_ptr<vr_engine, Freed<vr_engine_free>>;
using Module = std::unique_ptr<vr_module, Freed<vr_module_free>>;
using Text = std::unique_ptr<char, Freed<vr_string_free>>;

/// Raises the failure as an exception and frees it. Returns null.
PyObject* fail(vr_failure* f) {
  Ref args = Ref::take(Py_BuildValue("(is)", static_cast<int>(vr_failure_code(f)), vr_failure_text(f)));
  vr_failure_free(f);
  if (args) PyErr_SetObject(PyExc_RuntimeError, args.get());
  return nullptr;
}

/// The strings of a list of str, which must outlive the result. False with a Python exception.
bool texts_of(PyObject* list, std::vector<const char*>* out) {
  for (Py_ssize_t k = 0; k < PyList_Size(list); ++k) {
    const char* text = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, k), nullptr);
    if (!text) return false;
    out->push_back(text);
  }
  return true;
}

}  // namespace

PyObject* build_ahead_of_time(PyObject*, PyObject* args) {
  PyObject *modules, *names;
  const char *library, *header;
  vr_build_options o = {};
  o.size = sizeof o;
  if (!PyArg_ParseTuple(args, "O!O!szzssii", &PyList_Type, &modules, &PyList_Type, &names, &library, &header,
                        &o.runtime, &o.target, &o.linker, &o.opt_level, &o.flags))
    return nullptr;
  std::vector<const char*> texts, functions;
  if (!texts_of(modules, &texts) || !texts_of(names, &functions)) return nullptr;
  o.function_count = functions.size();
  o.functions = functions.data();

  vr_failure* failure = nullptr;
  vr_options* options = nullptr;
  if (vr_options_create(&options, &failure) != VR_OK) return fail(failure);
  const Options options_owned(options);
  // This engine only checks modules; it compiles nothing for this process.
  vr_engine* engine = nullptr;
  if (vr_options_set_target(options, VR_TARGET_INTERP, &failure) != VR_OK ||
      vr_engine_create(options, nullptr, &engine, &failure) != VR_OK)
    return fail(failure);
  const Engine engine_owned(engine);
  std::vector<Module> loaded;
  std::vector<const vr_module*> all;
  char* report = nullptr;
  PyThreadState* state = PyEval_SaveThread();
  for (const char* text : texts) {
    vr_module* module = nullptr;
    if (vr_module_load_text(engine, text, VR_TO_NUL, nullptr, &module, &failure) != VR_OK) break;
    loaded.emplace_back(module);
    all.push_back(module);
  }
  if (!failure) vr_module_build(all.size(), all.data(), &o, library, header, &report, &failure);
  PyEval_RestoreThread(state);
  if (failure) return fail(failure);
  const Text report_owned(report);
  return PyUnicode_FromString(report);
}

}  // namespace pyraptor
