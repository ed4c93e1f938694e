/* Written by PyRaptor (pyraptor.aot.extension). */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* As in velociraptor/descriptor.h and velociraptor/aot.h, whose layout is frozen. */
#define VR_MAX_RANK 16
#define VR_COMPLEX 16
enum { VR_ARRAY_READ_ONLY = 1 };
typedef struct vr_array {
  void* data;
  void* owner;
  int32_t elem, rank, flags, reserved;
  int64_t extent[VR_MAX_RANK], stride[VR_MAX_RANK];
} vr_array;
typedef struct vr_error {
  int32_t code, axis;
  int64_t index, extent;
  char function[64], loc[128], array[64], message[256];
  int32_t raised;
} vr_error;
typedef struct vr_complex64 { float re, im; } vr_complex64;
typedef struct vr_complex128 { double re, im; } vr_complex128;
void vr_aot_release(vr_array* array);

/* An argument: the buffer is held during the call. */
typedef struct {
  vr_array array;
  Py_buffer view;
  PyObject* given;
  bool held;
} Input;

/* An exception of a raise statement: `text` is for str.format, or NULL; the kinds of its two numbers. */
typedef struct {
  PyObject** kind;
  const char *text, *numbers;
} Raised;

static PyObject* numpy;     /* the module, where results need it */
static PyObject* elements;  /* the type Elements */

/* Of each element code: bytes, the letters of its formats ('Z': complex), its name in NumPy. */
static const struct {
  int size;
  const char *letters, *name, *complex_name;
} element_types[] = {{1, "?", "bool_", ""},   {4, "iln", "int32", ""},   {8, "lqn", "int64", ""},  {4, "f", "float32", "complex64"},
                     {8, "d", "float64", "complex128"}, {1, "b", "int8", ""}, {2, "h", "int16", ""}, {1, "B", "uint8", ""},
                     {2, "H", "uint16", ""},  {4, "ILN", "uint32", ""},  {8, "LQN", "uint64", ""}};

static int64_t size_of(int32_t elem) {
  return (int64_t)element_types[elem & ~VR_COMPLEX].size * (elem & VR_COMPLEX ? 2 : 1);
}
static const char* name_of(int32_t elem) {
  return elem & VR_COMPLEX ? element_types[elem & ~VR_COMPLEX].complex_name : element_types[elem].name;
}

static bool is_elem(const Py_buffer* view, int32_t elem) {
  const char* f = view->format ? view->format : "B";
  if (*f == '@' || *f == '=' || *f == '<' || (*f == '|' && f[1])) ++f;
  if (elem & VR_COMPLEX && *f++ != 'Z') return false;
  return *f && !f[1] && strchr(element_types[elem & ~VR_COMPLEX].letters, *f) && view->itemsize == size_of(elem);
}

/* layout: 0 the last dimension fastest, 1 the first, 2 any. */
static bool take_array(Input* in, PyObject* o, const char* name, int32_t elem, int rank, int layout) {
  vr_array* a = &in->array;
  int64_t step = size_of(elem);
  int k;
  if (PyObject_GetBuffer(o, &in->view, PyBUF_RECORDS_RO) < 0) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be an array of %s, not %.100s", name, name_of(elem), Py_TYPE(o)->tp_name);
    return false;
  }
  in->held = true;
  in->given = o;
  if (!is_elem(&in->view, elem) || in->view.ndim != rank) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be an array of %s of %d dimensions", name, name_of(elem), rank);
    return false;
  }
  a->data = in->view.buf;
  a->elem = elem;
  a->rank = rank;
  a->flags = in->view.readonly ? VR_ARRAY_READ_ONLY : 0;
  for (k = 0; k < rank; ++k) {
    a->extent[k] = in->view.shape[k];
    a->stride[k] = in->view.strides[k];
  }
  if (layout < 2)
    for (k = 0; k < rank; ++k) {
      const int axis = layout == 0 ? rank - 1 - k : k;
      if (in->view.len > 0 && a->extent[axis] > 1 && a->stride[axis] != step) {
        PyErr_Format(PyExc_TypeError, "argument '%s' must be contiguous, in %s order", name, layout == 0 ? "C" : "Fortran");
        return false;
      }
      a->stride[axis] = step;
      step *= a->extent[axis];
    }
  step = (int64_t)element_types[elem & ~VR_COMPLEX].size;
  for (k = 0; k < rank; ++k)
    if (in->view.len > 0 && a->extent[k] > 1 && a->stride[k] % step != 0) step = 0, k = rank;
  if (in->view.len > 0 && (step == 0 || (uintptr_t)a->data % (uintptr_t)step != 0)) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be aligned", name);
    return false;
  }
  return true;
}

static bool take_float(void* to, int32_t elem, PyObject* o, const char* name) {
  const double x = PyComplex_Check(o) ? -1 : PyFloat_AsDouble(o);
  if (PyComplex_Check(o) || (x == -1 && PyErr_Occurred())) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    PyErr_Format(PyExc_TypeError, "argument '%s' must be a number, not %.100s", name, Py_TYPE(o)->tp_name);
    return false;
  }
  if (element_types[elem].size == 4) {
    *(float*)to = (float)x;
  } else {
    *(double*)to = x;
  }
  return true;
}

static bool take_complex(void* to, int32_t elem, PyObject* o, const char* name) {
  const Py_complex z = PyComplex_AsCComplex(o);
  if (z.real == -1 && PyErr_Occurred()) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be a number, not %.100s", name, Py_TYPE(o)->tp_name);
    return false;
  }
  if (size_of(elem) == 8) {
    ((vr_complex64*)to)->re = (float)z.real;
    ((vr_complex64*)to)->im = (float)z.imag;
  } else {
    ((vr_complex128*)to)->re = z.real;
    ((vr_complex128*)to)->im = z.imag;
  }
  return true;
}

static bool take_bool(void* to, int32_t elem, PyObject* o, const char* name) {
  int truth;
  (void)elem;
  if (!PyBool_Check(o) && strncmp(Py_TYPE(o)->tp_name, "numpy.bool", 10) != 0) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be a bool, not %.100s", name, Py_TYPE(o)->tp_name);
    return false;
  }
  truth = PyObject_IsTrue(o);
  *(bool*)to = truth > 0;
  return truth >= 0;
}

static bool take_int(void* to, int32_t elem, PyObject* o, const char* name) {
  const int size = element_types[elem].size;
  const bool is_unsigned = element_types[elem].letters[0] >= 'A' && element_types[elem].letters[0] <= 'Z';
  PyObject* i = PyNumber_Index(o);
  bool fits;
  uint64_t bits;
  if (!i) {
    PyErr_Format(PyExc_TypeError, "argument '%s' must be an int, not %.100s", name, Py_TYPE(o)->tp_name);
    return false;
  }
  if (is_unsigned) {
    bits = PyLong_AsUnsignedLongLong(i);
    fits = !(bits == (uint64_t)-1 && PyErr_Occurred()) && (size == 8 || bits >> (8 * size) == 0);
  } else {
    const int64_t x = PyLong_AsLongLong(i);
    const int64_t limit = size == 8 ? INT64_MAX : ((int64_t)1 << (8 * size - 1)) - 1;
    bits = (uint64_t)x;
    fits = !(x == -1 && PyErr_Occurred()) && x <= limit && x >= -limit - 1;
  }
  Py_DECREF(i);
  if (!fits) {
    PyErr_Format(PyExc_OverflowError, "argument '%s' does not fit into %s", name, name_of(elem));
    return false;
  }
  memcpy(to, &bits, (size_t)size); /* little-endian, as all machines that code is built for */
  return true;
}

static void release(Input* in, int count) {
  int k;
  for (k = 0; k < count; ++k)
    if (in[k].held) PyBuffer_Release(&in[k].view);
}

static void drop(PyObject** leaf, int count) {
  int k;
  for (k = 0; k < count; ++k) Py_XDECREF(leaf[k]);
}

/* The elements of a result, for the buffer protocol: of the function's own, or of an argument, which is held. */
typedef struct {
  PyObject_HEAD
  vr_array array;
  Py_buffer source;
  Py_ssize_t shape[VR_MAX_RANK], strides[VR_MAX_RANK];
} Elements;

static const char* const formats[] = {"?", "i", "q", "f", "d", "b", "h", "B", "H", "I", "Q"};

static int elements_buffer(PyObject* self, Py_buffer* view, int flags) {
  Elements* e = (Elements*)self;
  const int32_t elem = e->array.elem;
  Py_ssize_t count = 1;
  int k;
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "the elements have strides");
    return -1;
  }
  if ((flags & PyBUF_WRITABLE) && e->array.flags & VR_ARRAY_READ_ONLY) {
    PyErr_SetString(PyExc_BufferError, "the elements are read-only");
    return -1;
  }
  for (k = 0; k < e->array.rank; ++k) {
    e->shape[k] = (Py_ssize_t)e->array.extent[k];
    e->strides[k] = (Py_ssize_t)e->array.stride[k];
    count *= e->shape[k];
  }
  view->buf = e->array.data;
  view->itemsize = (Py_ssize_t)size_of(elem);
  view->len = count * view->itemsize;
  view->readonly = (e->array.flags & VR_ARRAY_READ_ONLY) != 0;
  view->ndim = e->array.rank;
  view->format = (char*)(!(elem & VR_COMPLEX) ? formats[elem] : size_of(elem) == 8 ? "Zf" : "Zd");
  view->shape = e->shape;
  view->strides = e->strides;
  view->suboffsets = NULL;
  view->internal = NULL;
  view->obj = self;
  Py_INCREF(self);
  return 0;
}

static void elements_free(PyObject* self) {
  Elements* e = (Elements*)self;
  PyTypeObject* type = Py_TYPE(self);
  vr_aot_release(&e->array);
  if (e->source.obj) PyBuffer_Release(&e->source);
  PyObject_Free(self);
  Py_DECREF(type);
}

static bool same_array(const vr_array* a, const vr_array* b) {
  int k;
  if (a->data != b->data || a->rank != b->rank || a->elem != b->elem) return false;
  for (k = 0; k < a->rank; ++k)
    if (a->extent[k] != b->extent[k] || (a->extent[k] > 1 && a->stride[k] != b->stride[k])) return false;
  return true;
}

/* Whether the first element of `a` is among the bytes of the buffer. */
static bool inside(const vr_array* a, const Py_buffer* b) {
  const char *low = b->buf, *high = (const char*)b->buf + b->itemsize;
  int k;
  for (k = 0; k < b->ndim; ++k) {
    if (b->shape[k] == 0) return a->data == b->buf;
    if (b->strides[k] < 0) low += b->strides[k] * (b->shape[k] - 1);
    else high += b->strides[k] * (b->shape[k] - 1);
  }
  return (const char*)a->data >= low && (const char*)a->data <= high;
}

/* The array as an ndarray: an argument itself, a view of one, or new. Takes the reference in `a` over. */
static bool give_array(PyObject** to, vr_array* a, Input* in, int count) {
  Elements* e;
  int k, of = -1;
  for (k = 0; k < count; ++k)
    if (same_array(a, &in[k].array)) {
      *to = in[k].given;
      Py_INCREF(*to);
      return true;
    }
  if (!a->owner)
    for (k = 0; k < count; ++k)
      if (inside(a, &in[k].view)) of = k;
  e = PyObject_New(Elements, (PyTypeObject*)elements);
  if (!e) return false;
  e->array = *a;
  memset(a, 0, sizeof *a);
  memset(&e->source, 0, sizeof e->source);
  if (of >= 0 && PyObject_GetBuffer(in[of].given, &e->source, PyBUF_RECORDS_RO) < 0) {
    Py_DECREF(e);
    return false;
  }
  *to = PyObject_CallMethod(numpy, "asarray", "O", (PyObject*)e);
  Py_DECREF(e);
  return *to != NULL;
}

static bool give_none(PyObject** to) {
  Py_INCREF(Py_None);
  *to = Py_None;
  return true;
}

/* weak: one of Python's numbers, else one of NumPy's. */
static bool give_number(PyObject** to, const void* x, int32_t elem, int weak) {
  PyObject* made = NULL;
  switch (elem) {
    case 0: made = PyBool_FromLong(*(const bool*)x); break;
    case 1: made = PyLong_FromLong(*(const int32_t*)x); break;
    case 2: made = PyLong_FromLongLong(*(const int64_t*)x); break;
    case 3: made = PyFloat_FromDouble((double)*(const float*)x); break;
    case 4: made = PyFloat_FromDouble(*(const double*)x); break;
    case 5: made = PyLong_FromLong(*(const int8_t*)x); break;
    case 6: made = PyLong_FromLong(*(const int16_t*)x); break;
    case 7: made = PyLong_FromLong(*(const uint8_t*)x); break;
    case 8: made = PyLong_FromLong(*(const uint16_t*)x); break;
    case 9: made = PyLong_FromUnsignedLong(*(const uint32_t*)x); break;
    case 10: made = PyLong_FromUnsignedLongLong(*(const uint64_t*)x); break;
    case 3 | VR_COMPLEX: made = PyComplex_FromDoubles((double)((const vr_complex64*)x)->re, (double)((const vr_complex64*)x)->im); break;
    case 4 | VR_COMPLEX: made = PyComplex_FromDoubles(((const vr_complex128*)x)->re, ((const vr_complex128*)x)->im); break;
    default: PyErr_SetString(PyExc_SystemError, "a number of an unknown type");
  }
  if (made && !weak) {
    PyObject* plain = made;
    made = PyObject_CallMethod(numpy, name_of(elem), "O", plain);
    Py_DECREF(plain);
  }
  *to = made;
  return made != NULL;
}

static PyObject* number_of(char kind, int64_t bits) {
  double x;
  switch (kind) {
    case 'i': return PyLong_FromLongLong(bits);
    case 'u': return PyLong_FromUnsignedLongLong((uint64_t)bits);
    case 'b': return PyBool_FromLong(bits != 0);
    case 'f': memcpy(&x, &bits, sizeof x); return PyFloat_FromDouble(x);
    default: Py_RETURN_NONE;
  }
}

static void set_raised(const vr_error* e, const Raised* r) {
  PyObject *format, *text, *a, *b;
  if (!r->text) {
    PyErr_SetNone(*r->kind);
    return;
  }
  format = PyUnicode_FromString(r->text);
  a = number_of(r->numbers[0], e->index);
  b = number_of(r->numbers[1], e->extent);
  text = format && a && b ? PyObject_CallMethod(format, "format", "OO", a, b) : NULL;
  if (text) PyErr_SetObject(*r->kind, text);
  Py_XDECREF(text);
  Py_XDECREF(format);
  Py_XDECREF(a);
  Py_XDECREF(b);
}

/* Whether NumPy raises LinAlgError for this. */
static bool is_linear(const char* message) {
  const char* what = strstr(message, ": ");
  size_t k;
  for (k = 0; what && k < sizeof linear_faults / sizeof *linear_faults; ++k)
    if (strcmp(what + 2, linear_faults[k]) == 0) return true;
  return false;
}

static void set_linear(const char* what) {
  char text[sizeof ((vr_error*)0)->message];
  PyObject* module = PyImport_ImportModule("numpy.linalg");
  PyObject* kind = module ? PyObject_GetAttrString(module, "LinAlgError") : NULL;
  snprintf(text, sizeof text, "%s", what);
  if (strncmp(text, "cond", 4) != 0 && *text >= 'a' && *text <= 'z') *text = (char)(*text - 'a' + 'A');
  if (kind) PyErr_SetString(kind, text);
  Py_XDECREF(kind);
  Py_XDECREF(module);
}

static void set_error(const vr_error* e, const Raised* raises) {
  const size_t length = strlen(e->array), mark = strlen(" (list)");
  PyObject* kind = PyExc_RuntimeError;
  if ((e->code == 2 || e->code == 7) && is_linear(e->message)) {
    set_linear(strstr(e->message, ": ") + 2);
    return;
  }
  switch (e->code) {
    case 1:
      if (length > mark && strcmp(e->array + length - mark, " (list)") == 0)
        PyErr_SetString(PyExc_IndexError, strstr(e->loc, "#store") ? "list assignment index out of range" : "list index out of range");
      else if (length > 0)
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for axis %d of '%s' with size %lld", (long long)e->index, (int)e->axis, e->array,
                     (long long)e->extent);
      else
        PyErr_SetString(PyExc_IndexError, e->message);
      return;
    case 4: PyErr_SetString(PyExc_ZeroDivisionError, "integer division or modulo by zero"); return;
    case 12: PyErr_SetString(PyExc_ValueError, "assignment destination is read-only"); return;
    case 13: set_raised(e, &raises[e->raised]); return;
    case 2: case 3: kind = PyExc_ValueError; break;
    case 5: kind = PyExc_MemoryError; break;
    case 6: kind = PyExc_RecursionError; break;
    case 7: kind = PyExc_TypeError; break;
    case 14: kind = PyExc_OverflowError; break;
  }
  PyErr_SetString(kind, e->message);
}

static PyType_Slot element_slots[] = {{Py_tp_dealloc, (void*)elements_free}, {Py_bf_getbuffer, (void*)elements_buffer}, {0, NULL}};
static PyType_Spec element_spec = {"pyraptor_elements", sizeof(Elements), 0, Py_TPFLAGS_DEFAULT, element_slots};

/* What the functions need; once. */
static bool prepare(bool needs_numpy) {
  if (!elements) elements = PyType_FromSpec(&element_spec);
  if (elements && needs_numpy && !numpy) numpy = PyImport_ImportModule("numpy");
  return elements && (!needs_numpy || numpy);
}
