#include "numpy_types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace pyraptor {

namespace {

int item_size(PyArray_Descr* descr) {
#if NPY_ABI_VERSION >= 0x02000000
  return static_cast<int>(PyDataType_ELSIZE(descr));
#else
  return descr->elsize;
#endif
}

/// The element code for NumPy's kind letter and a width; -1: none.
int code_of(char letter, int bytes) {
  const bool complex = letter == 'c';
  for (const vr::ir::ElemInfo& e : vr::ir::elem_table) {
    if (complex && vr::ir::is_narrow_float(e.elem)) continue;
    const char own = complex && e.kind == vr::ir::ElemKind::Floating ? 'c' : e.numpy[0];
    if (letter == own && bytes == (complex ? 2 : 1) * e.bytes)
      return static_cast<int>(e.elem) | (complex ? VR_COMPLEX : 0);
  }
  return -1;
}

}  // namespace

NumpyTypes::NumpyTypes() {
  std::fill(std::begin(code), std::end(code), int8_t{-1});
  std::fill(std::begin(number), std::end(number), -1);
  std::fill(std::begin(scalar), std::end(scalar), nullptr);
  for (int type = 0; type < numbers; ++type) {
    PyArray_Descr* descr = PyArray_DescrFromType(type);
    if (!descr) {
      PyErr_Clear();
      continue;
    }
    const int c = code_of(descr->kind, item_size(descr));
    Py_DECREF(descr);
    code[type] = static_cast<int8_t>(c);
    if (c < 0 || number[c] >= 0)
      continue;  // C has several integer types of the same width; NumPy prefers the first one
    number[c] = type;
    scalar[c] = reinterpret_cast<PyTypeObject*>(PyArray_TypeObjectFromType(type));  // never freed
  }
}

const NumpyTypes& numpy_types() {
  static const NumpyTypes types;
  return types;
}

static_assert(offsetof(PyBoolScalarObject, obval) == sizeof(PyObject) &&
              offsetof(PyLongLongScalarObject, obval) == sizeof(PyObject) &&
              offsetof(PyDoubleScalarObject, obval) == sizeof(PyObject) &&
              offsetof(PyCFloatScalarObject, obval) == sizeof(PyObject) &&
              offsetof(PyCDoubleScalarObject, obval) == sizeof(PyObject));

PyObject* element_tuple() {
  // Only those that NumPy has: it has no bfloat16.
  const auto numpys = [](const vr::ir::ElemInfo& e) { return e.numpy[0] != 0; };
  Ref all = Ref::take(PyTuple_New(std::count_if(std::begin(vr::ir::elem_table), std::end(vr::ir::elem_table), numpys)));
  if (!all) return nullptr;
  Py_ssize_t k = 0;
  for (const vr::ir::ElemInfo& e : vr::ir::elem_table) {
    if (!numpys(e)) continue;
    const char letter[] = {e.numpy[0], 0};
    PyObject* row = Py_BuildValue("(siis)", e.name, static_cast<int>(e.elem), e.bytes, letter);
    if (!row) return nullptr;
    PyTuple_SET_ITEM(all.get(), k++, row);
  }
  return all.release();
}

}  // namespace pyraptor
