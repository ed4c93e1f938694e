/* A host written in C: its own array objects, counts, lock and errors. */
#include <stddef.h>

#include "check.h"

/* The host's array: 32-bit extents, strides in elements, element codes of its own, a count. */
typedef struct object {
  int32_t count;
  int16_t code; /* 'd' float64, 'i' int64, 'z' complex float64 */
  int8_t dims;
  int32_t* shape;
  int32_t* steps;
  char* values;
  struct object* base; /* the object whose elements these are */
  uint8_t state;       /* FROZEN: read-only */
} object;
enum { FROZEN = 4 };

/* Counts of the host, which must be balanced at the end of the test. */
typedef struct host_state {
  int live, made, retained, released, views, taken, given, raised;
  int locked, fault_in_lock; /* fault_in_lock: a callback that requires the lock was called without it */
  int refuse;                /* allocate fails */
  vr_error last;
} host_state;

static int32_t to_code(void* context, int64_t code) {
  (void)context;
  return code == 'd' ? VR_FLOAT64 : code == 'i' ? VR_INT64 : code == 'z' ? VR_FLOAT64 | VR_COMPLEX : -1;
}

static void under_lock(host_state* s) {
  if (!s->locked) ++s->fault_in_lock;
}

static object* new_object(host_state* s, int16_t code, int32_t rank) {
  object* o = calloc(1, sizeof *o);
  o->count = 1;
  o->code = code;
  o->dims = (int8_t)rank;
  o->shape = calloc((size_t)rank, sizeof *o->shape);
  o->steps = calloc((size_t)rank, sizeof *o->steps);
  ++s->live;
  return o;
}

static void* allocate(void* context, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout) {
  host_state* s = context;
  under_lock(s);
  if (s->refuse) return NULL;
  const int16_t code = elem == VR_FLOAT64 ? 'd' : elem == VR_INT64 ? 'i' : elem == (VR_FLOAT64 | VR_COMPLEX) ? 'z' : 0;
  if (!code) return NULL;
  object* o = new_object(s, code, rank);
  int32_t step = 1;
  for (int32_t n = 0; n < rank; ++n) {
    const int32_t k = layout == VR_LAYOUT_COL_MAJOR ? n : rank - 1 - n;
    o->shape[k] = (int32_t)extents[k];
    o->steps[k] = step;
    step *= o->shape[k];
  }
  o->values = calloc((size_t)step + 1, code == 'z' ? 16 : 8);
  ++s->made;
  return o;
}
static void retain(void* context, void* o) {
  host_state* s = context;
  under_lock(s);
  ++s->retained;
  ++((object*)o)->count;
}
static void drop(host_state* s, object* o) {
  if (--o->count > 0) return;
  if (o->base)
    drop(s, o->base);
  else
    free(o->values);
  free(o->shape);
  free(o->steps);
  free(o);
  --s->live;
}
static void release(void* context, void* o) {
  host_state* s = context;
  under_lock(s);
  ++s->released;
  drop(s, o);
}
static void* view(void* context, void* base, const vr_array* shape) {
  host_state* s = context;
  under_lock(s);
  object *of = base, *o = new_object(s, of->code, shape->rank);
  const int64_t width = of->code == 'z' ? 16 : 8;
  for (int32_t k = 0; k < shape->rank; ++k) {
    o->shape[k] = (int32_t)shape->extent[k];
    o->steps[k] = (int32_t)(shape->stride[k] / width);
  }
  o->values = shape->data;
  o->base = of;
  if (shape->flags & VR_ARRAY_READ_ONLY) o->state = FROZEN;
  ++of->count;
  ++s->views;
  return o;
}
static void take(void* context) {
  host_state* s = context;
  if (s->locked) ++s->fault_in_lock;
  s->locked = 1;
  ++s->taken;
}
static void give(void* context) {
  host_state* s = context;
  under_lock(s);
  s->locked = 0;
  ++s->given;
}
static void raise_error(void* context, const vr_error* error) {
  host_state* s = context;
  under_lock(s);
  ++s->raised;
  s->last = *error;
}

static int64_t is_frozen(void* context, void* o, int32_t k) {
  (void)context, (void)k;
  return ((object*)o)->state & FROZEN;
}

static vr_host host_of(host_state* s) {
  static const vr_host_field read_only = VR_HOST_ACCESSOR(is_frozen);
  static const vr_host_field data = VR_HOST_POINTER(object, values), elem = VR_HOST_INTEGER(object, code);
  static const vr_host_field rank = VR_HOST_INTEGER(object, dims), extents = VR_HOST_INTEGERS_AT(object, shape);
  static const vr_host_field strides = VR_HOST_INTEGERS_AT(object, steps);
  vr_host h;
  memset(&h, 0, sizeof h);
  h.size = sizeof h;
  h.name = "testhost";
  h.context = s;
  h.data = data;
  h.elem = elem;
  h.rank = rank;
  h.extents = extents;
  h.strides = strides;
  h.read_only = read_only;
  h.stride_unit = VR_STRIDES_ELEMENTS;
  h.elem_code = to_code;
  h.allocate = allocate;
  h.retain = retain;
  h.release = release;
  h.take_lock = take;
  h.release_lock = give;
  h.raise = raise_error;
  h.view = view;
  return h;
}

static vr_engine* engine_of(const vr_host* h, int32_t target) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_target(options, target, &failure));
  CHECK_OK(vr_engine_create(options, h, &engine, &failure));
  vr_options_free(options);
  if (!engine) exit(1);
  return engine;
}

/* tail(a float64[1]) -> a from element 1 on: a view. */
#define VECTOR "(arraytype :layout strided :ndims 1 (float64))"
static const char tail_text[] =
    "(module :name tail (fns (function :name tail (functype (intypes " VECTOR ") (outtypes " VECTOR
    ")) (arglist 0)"
    " (body (assignstmt (lhs (name :id 1 " VECTOR ")) (rhs (index :arrayid 0 " VECTOR
    " (indices (index"
    " (range (start (realconst :ival 1 (int64))) (stop (dim :arrayid 0 :dimid 0 (int64)))))))))"
    " (returnstmt (exprs (name :id 1 " VECTOR
    "))))"
    " (symtable (sym :id 0 :name a " VECTOR ") (sym :id 1 :name b " VECTOR ")))))";

static void run_host(int32_t target) {
  host_state s;
  memset(&s, 0, sizeof s);
  const vr_host h = host_of(&s);
  vr_engine* engine = engine_of(&h, target);
  vr_function *scale = function_of(engine, scale_text, "scale"), *pick = function_of(engine, pick_text, "pick");
  vr_function *swap = function_of(engine, swap_text, "swap"), *tail = function_of(engine, tail_text, "tail");
  vr_engine_free(engine);
  s.locked = 1; /* calls are made with the lock held */

  const int64_t extents[] = {2, 3};
  object* a = allocate(&s, VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR);
  for (int k = 0; k < 6; ++k) ((double*)a->values)[k] = k;
  vr_datum args[] = {vr_datum_object(a), vr_datum_f64(3)};
  vr_datum results[2];
  CHECK_OK(vr_function_call(scale, 2, args, 1, results, &failure));
  CHECK_INT(results[0].kind, VR_DATUM_OBJECT);
  object* b = results[0].as.object;
  CHECK(b != a && b->count == 1 && b->dims == 2 && b->shape[1] == 3 && b->code == 'd');
  CHECK(((double*)b->values)[5] == 15);
  release(&s, b);
  CHECK_INT(a->count, 1);

  /* An argument that is returned is the same object with one more reference. */
  const int64_t extent = 4;
  object* v = allocate(&s, VR_FLOAT64, 1, &extent, VR_LAYOUT_ROW_MAJOR);
  for (int k = 0; k < 4; ++k) ((double*)v->values)[k] = 10 + k;
  vr_datum swapped[] = {vr_datum_i64(5), vr_datum_object(v)};
  CHECK_OK(vr_function_call(swap, 2, swapped, 2, results, &failure));
  CHECK_INT(results[1].as.scalar.i64, 5);
  CHECK(results[0].as.object == v && v->count == 2);
  release(&s, results[0].as.object);
  CHECK_INT(v->count, 1);

  /* A slice is a view made by the host, if the host has views. */
  vr_datum argument = vr_datum_object(v);
  CHECK_OK(vr_function_call(tail, 1, &argument, 1, results, &failure));
  object* w = results[0].as.object;
  CHECK(w->shape[0] == 3 && ((double*)w->values)[0] == 11);
  CHECK(w->base == v && s.views > 0 && v->count == 2);
  release(&s, w);
  CHECK_INT(v->count, 1);

  /* A view of a read-only object must be read-only, and a view of a writable one must not. */
  for (int frozen = 0; frozen < 2; ++frozen) {
    v->state = frozen ? FROZEN : 0;
    CHECK_OK(vr_function_call(tail, 1, &argument, 1, results, &failure));
    w = results[0].as.object;
    CHECK_INT(w->state, v->state);
    release(&s, w);
  }
  v->state = 0;

  /* A fault is raised in the host, under its lock, and reported to the caller. */
  vr_datum wrong[] = {vr_datum_object(v), vr_datum_i64(4)};
  const int raised = s.raised;
  CHECK_FAILS(vr_function_call(pick, 2, wrong, 1, results, &failure), VR_OUT_OF_BOUNDS, "prices");
  CHECK_INT(s.raised, raised + 1);
  CHECK_INT(s.last.code, VR_OUT_OF_BOUNDS);
  CHECK_INT(s.last.index, 4);
  CHECK_TEXT(s.last.array, "prices");
  CHECK_INT(v->count, 1);

  /* A host that runs out of memory. */
  s.refuse = 1;
  CHECK_FAILS(vr_function_call(scale, 2, args, 1, results, &failure), VR_OUT_OF_MEMORY, "");
  s.refuse = 0;
  CHECK_INT(a->count, 1);

  /* A type that the host has and VRIR does not have; and an array of the built-in host. */
  v->code = 'q';
  CHECK_FAILS(vr_function_call(pick, 2, wrong, 1, results, &failure), VR_TYPE, "prices");
  v->code = 'd';
  vr_ndarray* other = NULL;
  CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 1, &extent, VR_LAYOUT_ROW_MAJOR, &other, &failure));
  wrong[0] = vr_datum_array(other);
  CHECK_FAILS(vr_function_call(pick, 2, wrong, 1, results, &failure), VR_TYPE, "testhost");
  wrong[0] = vr_datum_object(NULL);
  CHECK_FAILS(vr_function_call(pick, 2, wrong, 1, results, &failure), VR_USAGE, "NULL object");
  vr_ndarray_release(other);

  drop(&s, a);
  drop(&s, v);
  vr_function_free(scale);
  vr_function_free(pick);
  vr_function_free(swap);
  vr_function_free(tail);
  CHECK_INT(s.live, 0);
  CHECK_INT(s.fault_in_lock, 0);
  CHECK_INT(s.locked, 1);
  CHECK(s.taken > 0 && s.taken == s.given);
  /* Two objects were made by this test, which released them; every other reference that was made or taken was released.
     */
  CHECK_INT(s.made + s.views + s.retained - 2, s.released);
}

void test_host_in_c(void);
void test_host_in_c(void) {
  run_host(VR_TARGET_CPU);
  run_host(VR_TARGET_CPU_PARALLEL);
}
void test_host_on_the_interpreter(void);
void test_host_on_the_interpreter(void) { run_host(VR_TARGET_INTERP); }

/* ---- a host whose arrays are vectors of doubles, accessed by functions, for a language like MATLAB */
typedef struct vector {
  int count;
  int64_t length;
  double* values;
} vector;

static int64_t vector_data(void* c, void* o, int32_t k) {
  (void)c, (void)k;
  return (int64_t)(intptr_t)((vector*)o)->values;
}
static int64_t vector_extent(void* c, void* o, int32_t k) {
  (void)c;
  return k == 0 ? ((vector*)o)->length : -1;
}
static void* vector_new(void* context, int32_t elem, int32_t rank, const int64_t* extents, int32_t layout) {
  (void)layout;
  if (elem != VR_FLOAT64 || rank != 1) return NULL;
  vector* v = calloc(1, sizeof *v);
  v->count = 1;
  v->length = extents[0];
  v->values = calloc((size_t)extents[0] + 1, sizeof(double));
  ++*(int*)context;
  return v;
}
static void vector_retain(void* context, void* o) {
  (void)context;
  ++((vector*)o)->count;
}
static void vector_release(void* context, void* o) {
  vector* v = o;
  if (--v->count > 0) return;
  free(v->values);
  free(v);
  --*(int*)context;
}

static vr_host vector_host(int* live, const vr_attr* attrs, int32_t attr_count) {
  static const vr_host_field data = VR_HOST_ACCESSOR(vector_data), extents = VR_HOST_ACCESSOR(vector_extent);
  static const vr_host_field elem = VR_HOST_CONSTANT(VR_FLOAT64), rank = VR_HOST_CONSTANT(1);
  vr_host h;
  memset(&h, 0, sizeof h);
  h.size = sizeof h;
  h.name = "vectors";
  h.context = live;
  h.data = data;
  h.elem = elem;
  h.rank = rank;
  h.extents = extents;
  h.stride_unit = VR_STRIDES_NONE;
  h.layout = VR_LAYOUT_COL_MAJOR;
  h.allocate = vector_new;
  h.retain = vector_retain;
  h.release = vector_release;
  h.conventions = VR_CONVENTIONS_MATLAB;
  h.attrs = attrs;
  h.attr_count = attr_count;
  return h;
}

/* Instead of fields: one function for the whole object. */
static int32_t describe(void* context, void* o, vr_array* out) {
  const object* of = o;
  under_lock(context);
  if (of->code != 'd') return VR_TYPE;
  out->data = of->values;
  out->elem = VR_FLOAT64;
  out->rank = of->dims;
  for (int32_t k = 0; k < of->dims; ++k) {
    out->extent[k] = of->shape[k];
    out->stride[k] = of->steps[k] * (int64_t)sizeof(double);
  }
  if (of->state & FROZEN) out->flags = VR_ARRAY_READ_ONLY;
  return VR_OK;
}

void test_host_that_describes(void);
void test_host_that_describes(void) {
  for (int32_t target = VR_TARGET_INTERP; target <= VR_TARGET_CPU; ++target) {
    host_state s;
    memset(&s, 0, sizeof s);
    vr_host h = host_of(&s);
    const vr_host_field none = VR_HOST_CONSTANT(0);
    h.data = h.elem = h.rank = h.extents = h.strides = h.read_only = none;
    h.stride_unit = VR_STRIDES_BYTES;
    h.elem_code = NULL;
    h.describe = describe;
    h.elements = 1u << VR_FLOAT64;
    CHECK_OK(vr_host_check(&h, &failure));
    vr_engine* engine = engine_of(&h, target);
    vr_function* scale = function_of(engine, scale_text, "scale");
    s.locked = 1;
    const int64_t extents[] = {2, 3};
    object* a = allocate(&s, VR_FLOAT64, 2, extents, VR_LAYOUT_COL_MAJOR);
    for (int k = 0; k < 6; ++k) ((double*)a->values)[k] = k;
    /* Not in the layout that the function needs: the description is what counts. */
    vr_datum args[] = {vr_datum_object(a), vr_datum_f64(3)}, result;
    CHECK_FAILS(vr_function_call(scale, 2, args, 1, &result, &failure), VR_TYPE, "");
    drop(&s, a);
    a = allocate(&s, VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR);
    for (int k = 0; k < 6; ++k) ((double*)a->values)[k] = k;
    args[0] = vr_datum_object(a);
    CHECK_OK(vr_function_call(scale, 2, args, 1, &result, &failure));
    object* b = result.as.object;
    CHECK(b != a && ((double*)b->values)[5] == 15);
    release(&s, b);
    a->code = 'i'; /* no array for VRIR */
    CHECK_FAILS(vr_function_call(scale, 2, args, 1, &result, &failure), VR_TYPE, "");
    drop(&s, a);
    s.locked = 0;
    /* A function of an element type which the host has not is refused. */
    static const char of_integers[] = "def first(x: int64[:]) -> int64:\n    return x[0]\n";
    vr_module* module = NULL;
    CHECK_FAILS(vr_module_load_text(engine, of_integers, VR_TO_NUL, NULL, &module, &failure), VR_UNSUPPORTED, "int64");
    vr_function_free(scale);
    vr_engine_free(engine);
    CHECK_INT(s.live, 0);
    CHECK_INT(s.fault_in_lock, 0);
  }
}

void test_host_with_accessors(void);
void test_host_with_accessors(void) {
  int live = 0;
  const vr_attr vectors = {VR_ATTR_MINDIMS, 1};
  const vr_host h = vector_host(&live, &vectors, 1);
  vr_engine* engine = engine_of(&h, VR_TARGET_CPU);
  vr_function *pick = function_of(engine, pick_text, "pick"), *swap = function_of(engine, swap_text, "swap");
  const int64_t extent = 3;
  vector* v = vector_new(&live, VR_FLOAT64, 1, &extent, 0);
  v->values[0] = 7;
  vr_datum args[] = {vr_datum_object(v), vr_datum_i64(1)};
  vr_datum results[2];
  /* The host's conventions are MATLAB's: subscripts count from 1. */
  CHECK_OK(vr_function_call(pick, 2, args, 1, results, &failure));
  CHECK(results[0].as.scalar.f64 == 7);
  args[1] = vr_datum_i64(0);
  CHECK_FAILS(vr_function_call(pick, 2, args, 1, results, &failure), VR_OUT_OF_BOUNDS, "prices");
  /* ... except for values, which are copied if the difference would be visible. */
  vr_datum swapped[] = {vr_datum_i64(1), vr_datum_object(v)};
  CHECK_OK(vr_function_call(swap, 2, swapped, 2, results, &failure));
  vector_release(&live, results[0].as.object);
  CHECK_INT(v->count, 1);
  /* The same text verifies under this engine's conventions, and trees are built under them. */
  CHECK_OK(vr_text_verify(engine, pick_text, VR_TO_NUL, NULL, NULL, &failure));
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create("m", 0, NULL, engine, &b, &failure));
  vr_fn* f = vr_builder_function(b, "f", 0, NULL);
  vr_expr* a = vr_fn_parameter(f, "a", vr_type_array(VR_FLOAT64, 1, VR_LAYOUT_COL_MAJOR));
  CHECK(vr_expr_dim(f, a, 1) != NULL);
  CHECK_INT(vr_builder_status(b), VR_OK);
  CHECK(vr_expr_dim(f, a, 0) == NULL);
  vr_builder_free(b);
  vector_release(&live, v);
  vr_function_free(pick);
  vr_function_free(swap);
  vr_engine_free(engine);
  CHECK_INT(live, 0);
}

/* ---- calls that the host ends */
static int asked = 0;
static int32_t vector_poll(void* context) {
  (void)context;
  return ++asked == 3;
}

/* A host that was compiled for ABI 2: fields after its structure are not read. */
static void size_of_abi_2(const vr_host* h, const int32_t* never) {
  vr_host old = *h;
  old.size = offsetof(vr_host, interrupt);
  old.interrupt = never + 1, old.poll = vector_poll;
  CHECK_OK(vr_host_check(&old, &failure));
  old.size -= 8;
  CHECK_FAILS(vr_host_check(&old, &failure), VR_USAGE, "size is");
}

static int32_t stop = 1;
static void run_interrupted(int32_t target, int polled) {
  const char* text =
      "(module :name m :vrir 1 (fns (function :name f (functype (intypes (int64)) (outtypes (int64))) (arglist 0) (body "
      "(whilestmt (test (gt (bool) (lhs (name :id 0 (int64))) (rhs (realconst :ival 0 (int64))))) (body (assignstmt (lhs "
      "(name :id 0 (int64))) (rhs (plus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64)))))))) "
      "(returnstmt (exprs (name :id 0 (int64))))) (symtable (sym :id 0 :name n (int64))))))";
  int live = 0;
  vr_host h = vector_host(&live, NULL, 0);
  h.interrupt = &stop;
  h.poll = polled ? vector_poll : NULL;
  vr_engine* engine = engine_of(&h, target);
  vr_module* module = NULL;
  vr_function* f = NULL;
  CHECK_OK(vr_module_load_text(engine, text, VR_TO_NUL, "f.vrir", &module, &failure));
  CHECK_OK(vr_module_function(module, "f", &f, &failure));
  vr_datum one = vr_datum_i64(1), none = vr_datum_i64(0), result;
  stop = 1, asked = 0;
  CHECK_FAILS(vr_function_call(f, 1, &one, 1, &result, &failure), VR_INTERRUPTED, "'f'");
  CHECK_INT(asked, polled ? 3 : 0);
  stop = 0;
  CHECK_OK(vr_function_call(f, 1, &none, 1, &result, &failure));
  CHECK_INT(result.as.scalar.i64, 0);
  vr_function_free(f);
  vr_module_free(module);
  vr_engine_free(engine);
}
void test_interrupts(void);
void test_interrupts(void) {
  const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU, VR_TARGET_CPU_PARALLEL};
  for (int k = 0; k < 3; ++k) run_interrupted(targets[k], 0), run_interrupted(targets[k], 1);
}

void test_host_faults(void);
void test_host_faults(void) {
  host_state s;
  memset(&s, 0, sizeof s);
  vr_host h = host_of(&s);
  h.take_lock = NULL, h.release_lock = NULL;
  s.locked = 1;
  CHECK_OK(vr_host_check(&h, &failure));
  CHECK(s.made > 0);
  CHECK_INT(s.live, 0);
  CHECK_INT(s.fault_in_lock, 0);
  vr_engine* engine = NULL;
#define REFUSED(change, text)                                                       \
  do {                                                                              \
    vr_host wrong = h;                                                              \
    change;                                                                         \
    CHECK_FAILS(vr_engine_create(NULL, &wrong, &engine, &failure), VR_USAGE, text); \
    CHECK(engine == NULL);                                                          \
  } while (0)
  REFUSED(wrong.size = 8, "size is 8");
  REFUSED(wrong.allocate = NULL, "allocate");
  REFUSED(wrong.release = NULL, "release");
  REFUSED(wrong.take_lock = take, "both be set");
  REFUSED(wrong.data.how = 9, "'data'");
  REFUSED(wrong.rank.width = 3, "'rank'");
  REFUSED((wrong.elem.how = VR_FIELD_ACCESSOR, wrong.elem.get = NULL), "'elem'");
  REFUSED(wrong.stride_unit = 5, "VR_STRIDES");
  REFUSED(wrong.layout = VR_LAYOUT_STRIDED, "layout");
  REFUSED(wrong.conventions = 4, "VR_CONVENTIONS");
  REFUSED(wrong.attr_count = 1, "'attrs' is NULL");
  const vr_attr version = {VR_ATTR_VERSION, 1};
  REFUSED((wrong.attrs = &version, wrong.attr_count = 1), "12");
  static const int32_t never = 0;
  REFUSED(wrong.poll = vector_poll, "'interrupt'");
  size_of_abi_2(&h, &never);
  /* A host with a newer structure: unknown fields that are zero are accepted, others are refused. */
  struct {
    vr_host host;
    void* more;
  } newer;
  memset(&newer, 0, sizeof newer);
  newer.host = h;
  newer.host.size = sizeof newer;
  CHECK_OK(vr_host_check(&newer.host, &failure));
  newer.more = &newer;
  CHECK_FAILS(vr_host_check(&newer.host, &failure), VR_UNSUPPORTED, "version");
  /* A host that violates the interface. */
  h.strides = h.extents;
  CHECK_FAILS(vr_host_check(&h, &failure), VR_USAGE, "");
  CHECK_FAILS(vr_host_check(NULL, &failure), VR_USAGE, "'host' is NULL");
}
