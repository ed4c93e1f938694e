// The extension module pyraptor._native: engines, modules and functions of Velociraptor as Python objects.
#define PYRAPTOR_IMPORTS_NUMPY
#include "ahead_of_time.hpp"
#include "arrays.hpp"
#include "c_function.hpp"
#include "dispatcher.hpp"
#include "interrupt.hpp"
#include "numpy_types.hpp"
#include "pycall.hpp"
#include "resident.hpp"
#include "version.hpp"

#include <structmember.h>

#include <optional>

namespace pyraptor {

namespace {

using EngineBox = Boxed<vr::Engine>;
using ModuleBox = Boxed<vr::Module>;
using FunctionBox = Boxed<vr::Function>;

/// Raises the failure as RuntimeError(code, text). The Python part converts it to the final exception.
PyObject* fail(const vr::Error& e) {
  Ref args = Ref::take(Py_BuildValue("(is)", static_cast<int>(e.code), e.text().c_str()));
  if (args) PyErr_SetObject(PyExc_RuntimeError, args.get());
  return nullptr;
}

template <class F>
auto without_gil(F f) {
  struct Free {
    PyThreadState* state = PyEval_SaveThread();
    ~Free() { PyEval_RestoreThread(state); }
  } free;
  return f();
}

PyObject* make_engine(PyObject*, PyObject* args, PyObject* names) {
  static const char* keywords[] = {
      "target", "opt_level", "tiered",  "disk_cache",     "force_checks",       "debug_info", "threads",
      "device", "devices",   "regions", "compile_budget", "parallel_threshold", nullptr};
  const char *target = "cpu-par", *device = "", *devices = "", *regions = "off";
  int level = 2, tiered = 0, cache = 1, checks = 0, debug = 0, threads = 0, budget = vr::Options().compile_budget;
  long long threshold = vr::Options().parallel_threshold;
  if (!PyArg_ParseTupleAndKeywords(args, names,
                                   "|sipppp"
                                   "isssiL",
                                   const_cast<char**>(keywords), &target, &level, &tiered, &cache, &checks, &debug,
                                   &threads, &device, &devices, &regions, &budget, &threshold))
    return nullptr;
  vr::Options o;
  std::optional<vr::Target> found;
  for (vr::Target t : {vr::Target::Interp, vr::Target::Cpu, vr::Target::CpuParallel, vr::Target::OpenCL})
    if (std::string_view(vr::target_name(t)) == target) found = t;
  if (!found) return PyErr_Format(PyExc_ValueError, "no target is named '%s'", target);
  o.target = *found;
  o.opt_level = level;
  o.tiered = tiered;
  o.disk_cache = cache;
  o.force_checks = checks;
  o.debug_info = debug;
  o.threads = threads;
  o.compile_budget = budget;
  o.parallel_threshold = threshold;
  o.device = device;
  o.devices = devices;
  const std::string_view mode = regions;
  if (mode != "off" && mode != "background" && mode != "sync")
    return PyErr_Format(PyExc_ValueError, "regions are 'off', 'background' or 'sync', not '%s'", regions);
  o.regions = mode == "off"          ? vr::RegionMode::Off
              : mode == "background" ? vr::RegionMode::Background
                                     : vr::RegionMode::Sync;
  auto engine = without_gil([&] { return vr::Engine::create(o, binding()); });
  return engine ? EngineBox::box(std::move(*engine)) : fail(engine.error());
}

PyObject* engine_load(PyObject* self, PyObject* args) {
  PyObject* program;
  const char* file;
  if (!PyArg_ParseTuple(args, "Us", &program, &file)) return nullptr;
  Py_ssize_t size;
  const char* text = PyUnicode_AsUTF8AndSize(program, &size);
  if (!text) return nullptr;
  const vr::Engine& engine = EngineBox::of(self);
  auto module = without_gil([&] { return engine.load(std::string_view(text, static_cast<size_t>(size)), file); });
  return module ? ModuleBox::box(std::move(*module)) : fail(module.error());
}
PyObject* engine_bind(PyObject* self, PyObject* args) {
  const char* name;
  PyObject *callable, *parameters, *results, *owner = Py_None;
  int drawn = 0;
  if (!PyArg_ParseTuple(args, "sOO!O!|iO", &name, &callable, &PyList_Type, &parameters, &PyList_Type, &results, &drawn, &owner))
    return nullptr;
  Generator generator(static_cast<Drawn>(drawn), owner == Py_None ? nullptr : owner);
  const vr::Status s = bind_python(EngineBox::of(self), name, callable, parameters, results, std::move(generator));
  if (!s) return fail(s.error());
  Py_RETURN_NONE;
}
PyObject* native_object_at(PyObject*, PyObject* address) {
  const long long at = PyLong_AsLongLong(address);
  return at == -1 && PyErr_Occurred() ? nullptr : Py_NewRef(object_at(at));
}
PyObject* engine_device(PyObject* self, PyObject*) {
  return PyUnicode_FromString(EngineBox::of(self).device_name().c_str());
}

/// keep / look / drop of an array that may be resident on the device.
PyObject* engine_array(PyObject* self, PyObject* args) {
  const char* what;
  PyObject* o;
  int write = 0;
  if (!PyArg_ParseTuple(args, "sO|p", &what, &o, &write)) return nullptr;
  const Key key = key_of(o);
  if (!(key & array_bit)) return PyErr_Format(PyExc_TypeError, "an ndarray that compiled code takes, not %R", o);
  vr::ArrayObject array;
  describe(reinterpret_cast<PyArrayObject*>(o), key, &array);
  const vr::Value value = vr::Value::object(&array);
  const vr::Engine& engine = EngineBox::of(self);
  const std::string_view w = what;
  const vr::Status s = without_gil([&] {
    return w == "keep"   ? engine.keep_on_device(value)
           : w == "look" ? engine.look_at(value, write != 0)
                         : engine.drop_from_device(value);
  });
  if (!s) return fail(s.error());
  Py_RETURN_NONE;
}

PyObject* module_function(PyObject* self, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  if (!text) return nullptr;
  auto f = without_gil([&] { return ModuleBox::of(self).function(text); });
  return f ? FunctionBox::box(std::move(*f)) : fail(f.error());
}
PyObject* module_dump(PyObject* self, PyObject* what) {
  const char* name = PyUnicode_AsUTF8(what);
  if (!name) return nullptr;
  using Dump = vr::Module::Dump;
  std::optional<Dump> dump;
  if (std::string_view(name) == "llvm") dump = Dump::LlvmIr;
  if (std::string_view(name) == "asm") dump = Dump::Assembly;
  if (std::string_view(name) == "opencl") dump = Dump::OpenCl;
  if (!dump) return PyErr_Format(PyExc_ValueError, "there is 'llvm', 'asm' and 'opencl', not '%s'", name);
  auto text = without_gil([&] { return ModuleBox::of(self).dump(*dump); });
  return text ? PyUnicode_FromStringAndSize(text->data(), static_cast<Py_ssize_t>(text->size())) : fail(text.error());
}
PyObject* strings(const std::vector<std::string>& list) {
  Ref out = Ref::take(PyList_New(0));
  for (const std::string& s : list) {
    Ref text = Ref::take(PyUnicode_FromString(s.c_str()));
    if (!out || !text || PyList_Append(out.get(), text.get()) < 0) return nullptr;
  }
  return out.release();
}
PyObject* module_report(PyObject* self, PyObject*) { return strings(ModuleBox::of(self).report()); }
PyObject* module_regions(PyObject* self, PyObject*) {
  const std::vector<vr::RegionInfo> all = without_gil([&] { return ModuleBox::of(self).regions(); });
  Ref list = Ref::take(PyList_New(0));
  for (const vr::RegionInfo& r : all) {
    Ref shapes = Ref::take(strings(r.shapes)), values = Ref::take(strings(r.values));
    if (!list || !shapes || !values) return nullptr;
    Ref one = Ref::take(Py_BuildValue(
        "{s:s,s:i,s:s,s:O,s:O,s:i,s:L,s:L,s:d,s:O,s:s}", "function", r.source.c_str(), "number", r.number, "place",
        r.place.c_str(), "shapes", shapes.get(), "values", values.get(), "versions", r.versions, "specialised_calls",
        static_cast<long long>(r.hits), "general_calls", static_cast<long long>(r.generic), "compile_ms", r.compile_ms,
        "stopped", r.stopped ? Py_True : Py_False, "failure", r.failure.c_str()));
    if (!one || PyList_Append(list.get(), one.get()) < 0) return nullptr;
  }
  return list.release();
}
PyObject* engine_device_use(PyObject* self, PyObject*) {
  const vr::DeviceUse u = EngineBox::of(self).device_use();
  return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "sections", static_cast<long long>(u.sections), "launches",
                       static_cast<long long>(u.launches), "bytes_up", static_cast<long long>(u.bytes_up), "bytes_down",
                       static_cast<long long>(u.bytes_down), "on_host", static_cast<long long>(u.on_host), "in_chunks",
                       static_cast<long long>(u.in_chunks), "chunks", static_cast<long long>(u.chunks), "divided",
                       static_cast<long long>(u.divided));
}
PyObject* module_compile_info(PyObject* self, PyObject*) {
  const vr::CompileInfo i = ModuleBox::of(self).compile_info();
  return Py_BuildValue("{s:O,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "from_cache", i.from_cache ? Py_True : Py_False,
                       "parse_ms", i.parse_ms, "verify_ms", i.verify_ms, "passes_ms", i.passes_ms, "lower_ms",
                       i.lower_ms, "codegen_ms", i.codegen_ms, "opencl_ms", i.opencl_ms, "background_ms",
                       i.background_ms, "total_ms", i.total_ms());
}
PyObject* module_wait(PyObject* self, PyObject*) {
  without_gil([&] { return ModuleBox::of(self).wait(), 0; });
  Py_RETURN_NONE;
}
PyObject* module_optimised(PyObject* self, PyObject*) { return PyBool_FromLong(ModuleBox::of(self).optimised()); }

PyObject* settings(PyObject*, PyObject*) { return PyUnicode_DecodeFSDefault(vr::settings_text().c_str()); }

PyObject* key(PyObject*, PyObject* o) { return PyLong_FromUnsignedLong(key_of(o)); }

template <class Box>
bool add_type(const char* name, PyMethodDef* methods) {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(Box::dealloc)}, {Py_tp_methods, methods}, {0, nullptr}};
  PyType_Spec spec = {name, sizeof(Box), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  Box::type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return Box::type != nullptr;
}

PyMethodDef engine_methods[] = {
    {"load", border<engine_load>, METH_VARARGS, "load(text, file) -> Module"},
    {"bind", border<engine_bind>, METH_VARARGS,
     "bind(name, callable or method's name, parameter keys, result keys, drawn=0, generator=None): for modules loaded from now on. drawn (a Drawn of "
     "draws.hpp): the result is a number of the generator, or of the one whose address is the first argument"},
    {"device_name", border<engine_device>, METH_NOARGS, "Name of the OpenCL device in use; empty without one."},
    {"array", border<engine_array>, METH_VARARGS, "array('keep' | 'look' | 'drop', ndarray, write=False)"},
    {"device_use", border<engine_device_use>, METH_NOARGS,
     "What sections did on the device so far, as a dict of totals."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef module_methods[] = {
    {"function", border<module_function>, METH_O, "function(name) -> Function"},
    {"dump", border<module_dump>, METH_O, "dump('llvm' | 'asm' | 'opencl') -> str"},
    {"report", border<module_report>, METH_NOARGS, "What did not run where it was asked to run, a line each."},
    {"regions", border<module_regions>, METH_NOARGS,
     "Parts of functions that versions for the arguments are made of, a dict each."},
    {"compile_info", border<module_compile_info>, METH_NOARGS, "Milliseconds of each stage of compiling."},
    {"wait", border<module_wait>, METH_NOARGS, "Returns when no better code will come."},
    {"optimised", border<module_optimised>, METH_NOARGS, "Whether calls are answered by optimised code."},
    {nullptr, nullptr, 0, nullptr}};
PyObject* function_as_c(PyObject* self, PyObject* args) {
  PyObject *on_error, *name;
  if (!PyArg_ParseTuple(args, "OU", &on_error, &name)) return nullptr;
  return make_c_function(FunctionBox::of(self), on_error, name);
}
PyMethodDef function_methods[] = {{"c_function", border<function_as_c>, METH_VARARGS,
                                   "c_function(on_error, name) -> CFunction: with C's calling convention"},
                                  {nullptr, nullptr, 0, nullptr}};
PyMethodDef functions[] = {
    {"object_at", border<native_object_at>, METH_O, "object_at(address): the object with this id, which somebody must hold"},
    {"engine", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(border<make_engine>)), METH_VARARGS | METH_KEYWORDS,
     "engine(target, opt_level, tiered, disk_cache, force_checks, debug_info, threads, device, regions, compile_budget, parallel_threshold) -> Engine"},
    {"build", border<build_ahead_of_time>, METH_VARARGS,
     "build(texts, functions, library, header, runtime, target, linker, opt_level, flags) -> str: see _ahead_of_time.py"},
    {"settings", settings, METH_NOARGS, "What environment variables can set, and what they do set: text for people."},
    {"key", key, METH_O, "What an argument is to the compiler, as a number; 0: nothing that native code takes."},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Velociraptor in CPython.", -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace pyraptor

PyMODINIT_FUNC PyInit__native() {
  using namespace pyraptor;
  import_array();
  Ref module = Ref::take(PyModule_Create(&definition));
  if (!module || !find_main_thread() || !add_type<EngineBox>("pyraptor._native.Engine", engine_methods) ||
      !add_type<ModuleBox>("pyraptor._native.Module", module_methods) ||
      !add_type<FunctionBox>("pyraptor._native.Function", function_methods) || !add_version_type(module.get()) ||
      !add_residence(module.get()) || !add_stopper(module.get()) || !add_dispatcher_type(module.get()) ||
      !add_c_function_type() || PyModule_AddStringConstant(module.get(), "version_text", PYRAPTOR_VERSION) < 0 ||
      PyModule_AddIntConstant(module.get(), "parallel_threshold", vr::default_parallel_threshold) < 0 ||
      PyModule_AddObjectRef(module.get(), "elements", Ref::take(element_tuple()).get()) < 0)
    return nullptr;
  return module.release();
}
