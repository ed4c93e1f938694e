/* Values: scalars, arrays of each element type, types. */
#include "check.h"

/* Every element code there is, with its width. */
static const struct {
  int32_t code;
  int32_t bytes;
  const char* text;
} elems[] = {
#define VR_ELEM(Name, text, code, bytes, ...) {code, bytes, text},
#include <velociraptor/ir/elements.def>
};
enum { ELEMS = sizeof elems / sizeof *elems };

/* same(x T) -> x, for scalars and arrays of one type. */
static vr_function* identity(const vr_engine* engine, const char* type) {
  char text[1000];
  snprintf(text, sizeof text,
           "(module :name m (fns (function :name same (functype (intypes %s) (outtypes %s)) (arglist 0)"
           " (body (returnstmt (exprs (name :id 0 %s)))) (symtable (sym :id 0 :name x %s)))))",
           type, type, type, type);
  return function_of(engine, text, "same");
}

/* There are no complex numbers of 16-bit floats. */
static int exists(int32_t code, int complex) { return !complex || (code != VR_FLOAT16 && code != VR_BFLOAT16); }

static vr_datum sample(int32_t elem) {
  vr_value v;
  memset(&v, 0, sizeof v);
  switch (elem) {
    case VR_BOOL:
      v.b = 1;
      break;
    case VR_INT32:
      v.i32 = -7;
      break;
    case VR_INT64:
      v.i64 = INT64_MIN;
      break;
    case VR_FLOAT32:
      v.f32 = 1.25f;
      break;
    case VR_FLOAT64:
      v.f64 = 0.1;
      break;
    case VR_BOOL | VR_COMPLEX:
      v.cb[0] = 1, v.cb[1] = 1;
      break;
    case VR_INT32 | VR_COMPLEX:
      v.ci32[0] = 3, v.ci32[1] = -4;
      break;
    case VR_INT64 | VR_COMPLEX:
      v.ci64[0] = INT64_MAX, v.ci64[1] = -1;
      break;
    case VR_FLOAT32 | VR_COMPLEX:
      v.cf32[0] = 0.5f, v.cf32[1] = -2.0f;
      break;
    case VR_FLOAT64 | VR_COMPLEX:
      v.cf64[0] = 0.1, v.cf64[1] = -0.2;
      break;
    case VR_INT8:
      v.i8 = -128;
      break;
    case VR_FLOAT16:
    case VR_BFLOAT16:
      v.u16 = 0x3e01; /* their bits */
      break;
    case VR_INT8 | VR_COMPLEX:
      v.ci8[0] = -128, v.ci8[1] = 5;
      break;
    case VR_INT16:
      v.i16 = -32768;
      break;
    case VR_INT16 | VR_COMPLEX:
      v.ci16[0] = 300, v.ci16[1] = -300;
      break;
    case VR_UINT8:
      v.u8 = 255;
      break;
    case VR_UINT8 | VR_COMPLEX:
      v.cu8[0] = 200, v.cu8[1] = 3;
      break;
    case VR_UINT16:
      v.u16 = 65535;
      break;
    case VR_UINT16 | VR_COMPLEX:
      v.cu16[0] = 40000, v.cu16[1] = 1;
      break;
    case VR_UINT32:
      v.u32 = 4294967295u;
      break;
    case VR_UINT32 | VR_COMPLEX:
      v.cu32[0] = 4000000000u, v.cu32[1] = 7;
      break;
    case VR_UINT64:
      v.u64 = UINT64_MAX;
      break;
    case VR_UINT64 | VR_COMPLEX:
      v.cu64[0] = UINT64_MAX, v.cu64[1] = 1;
      break;
    default:
      printf("no sample of element code %d\n", elem);
      ++failed_checks;
  }
  return vr_datum_scalar(elem, v);
}

void test_scalars_of_each_type(void);
void test_scalars_of_each_type(void) {
  static const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU};
  for (size_t t = 0; t < 2; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    for (int k = 0; k < ELEMS; ++k) {
      for (int complex = 0; complex < 2; ++complex) {
        if (!exists(elems[k].code, complex)) continue;
        char type[100];
        snprintf(type, sizeof type, "(%s%s)", elems[k].text, complex ? " :ctype 1" : "");
        vr_function* same = identity(engine, type);
        const int32_t elem = elems[k].code | (complex ? VR_COMPLEX : 0);
        const vr_datum in = sample(elem);
        vr_datum out;
        CHECK_OK(vr_function_call(same, 1, &in, 1, &out, &failure));
        CHECK_INT(out.kind, VR_DATUM_SCALAR);
        CHECK_INT(out.elem, elem);
        CHECK(memcmp(&in.as.scalar, &out.as.scalar, (size_t)elems[k].bytes << complex) == 0);
        vr_function_free(same);
      }
    }
    vr_engine_free(engine);
  }
  /* The short forms are equivalent. */
  CHECK(vr_datum_f64(0.5).elem == VR_FLOAT64 && vr_datum_f64(0.5).as.scalar.f64 == 0.5);
  CHECK(vr_datum_f32(0.5f).elem == VR_FLOAT32 && vr_datum_f32(0.5f).as.scalar.f32 == 0.5f);
  CHECK(vr_datum_i64(-1).elem == VR_INT64 && vr_datum_i64(-1).as.scalar.i64 == -1);
  CHECK(vr_datum_i32(-1).elem == VR_INT32 && vr_datum_i32(-1).as.scalar.i32 == -1);
  CHECK(vr_datum_bool(9).elem == VR_BOOL && vr_datum_bool(9).as.scalar.b == 1);
  const vr_datum z = vr_datum_c64(1, -2);
  CHECK(z.elem == (VR_FLOAT64 | VR_COMPLEX) && z.as.scalar.cf64[0] == 1 && z.as.scalar.cf64[1] == -2);
}

void test_arrays_of_each_type(void);
void test_arrays_of_each_type(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  for (int k = 0; k < ELEMS; ++k) {
    for (int complex = 0; complex < 2; ++complex) {
      if (!exists(elems[k].code, complex)) continue;
      const int32_t elem = elems[k].code | (complex ? VR_COMPLEX : 0);
      const size_t width = (size_t)elems[k].bytes << complex;
      char type[100];
      snprintf(type, sizeof type, "(arraytype :layout colmajor :ndims 2 (%s%s))", elems[k].text,
               complex ? " :ctype 1" : "");
      vr_function* same = identity(engine, type);
      const int64_t extents[] = {3, 2};
      vr_ndarray *a = NULL, *copy = NULL;
      CHECK_OK(vr_ndarray_zeros(elem, 2, extents, VR_LAYOUT_COL_MAJOR, &a, &failure));
      CHECK_INT(vr_ndarray_elem(a), elem);
      CHECK_INT(vr_ndarray_size(a), 6);
      CHECK_INT(vr_ndarray_stride(a, 0), width);
      CHECK_INT(vr_ndarray_stride(a, 1), 3 * width);
      const vr_datum element = sample(elem);
      memcpy((char*)vr_ndarray_data(a) + 4 * width, &element.as.scalar, width); /* [1, 1] */
      const vr_datum in = vr_datum_array(a);
      vr_datum out;
      CHECK_OK(vr_function_call(same, 1, &in, 1, &out, &failure));
      CHECK_INT(out.kind, VR_DATUM_ARRAY);
      CHECK_INT(vr_ndarray_elem(out.as.array), elem);
      CHECK(vr_ndarray_data(out.as.array) == vr_ndarray_data(a));
      vr_datum_release(&out, 1);
      CHECK_OK(vr_ndarray_copy(a, VR_LAYOUT_ROW_MAJOR, &copy, &failure));
      CHECK_INT(vr_ndarray_stride(copy, 0), 2 * width);
      CHECK(memcmp((char*)vr_ndarray_data(copy) + 3 * width, &element.as.scalar, width) == 0);
      vr_ndarray_release(copy);
      vr_ndarray_release(a);
      vr_function_free(same);
    }
  }
  vr_engine_free(engine);
}

void test_borrowed_arrays(void);
void test_borrowed_arrays(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_function* pick = function_of(engine, pick_text, "pick");
  double values[] = {0, 1, 2, 3, 4, 5};
  const int64_t extent = 3, backwards = -2 * (int64_t)sizeof(double), repeat = 0;
  vr_ndarray *a = NULL, *b = NULL;
  /* Every second element from the end, without a copy. */
  CHECK_OK(vr_ndarray_borrow(values + 5, VR_FLOAT64, 1, &extent, &backwards, &a, &failure));
  vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(2)};
  vr_datum result;
  CHECK_OK(vr_function_call(pick, 2, arguments, 1, &result, &failure));
  CHECK(result.as.scalar.f64 == 1);
  values[1] = 100;
  CHECK_OK(vr_function_call(pick, 2, arguments, 1, &result, &failure));
  CHECK(result.as.scalar.f64 == 100);
  CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, &repeat, &b, &failure));
  arguments[0] = vr_datum_array(b);
  CHECK_OK(vr_function_call(pick, 2, arguments, 1, &result, &failure));
  CHECK(result.as.scalar.f64 == 0);
  vr_ndarray_release(b);
  /* No elements: no memory is needed. */
  const int64_t none = 0;
  CHECK_OK(vr_ndarray_borrow(NULL, VR_FLOAT64, 1, &none, NULL, &b, &failure));
  arguments[0] = vr_datum_array(b);
  CHECK_FAILS(vr_function_call(pick, 2, arguments, 1, &result, &failure), VR_OUT_OF_BOUNDS, "prices");
  vr_ndarray_release(b);

  CHECK(vr_ndarray_retain(a) == a);
  CHECK_INT(vr_ndarray_use_count(a), 2);
  vr_ndarray_release(a);
  CHECK_INT(vr_ndarray_use_count(a), 1);
  vr_array d;
  CHECK_OK(vr_ndarray_describe(a, &d, &failure));
  CHECK(d.data == (void*)(values + 5) && d.owner == NULL && d.extent[0] == 3 && d.stride[0] == backwards);
  vr_ndarray_release(a);
  vr_function_free(pick);
  vr_engine_free(engine);
}

void test_read_only_arrays(void);
void test_read_only_arrays(void) {
  static const char put_text[] =
      "(module :name put :indexing 0 (fns (function :name put (functype (intypes (arraytype :layout rowmajor :ndims 1 "
      "(float64))) (outtypes (arraytype :layout rowmajor :ndims 1 (float64)))) (arglist 0) (body (assignstmt (lhs (index "
      ":arrayid 0 (float64) (indices (index (realconst :ival 0 (int64)))))) (rhs (realconst :dval 5.0 (float64)))) "
      "(returnstmt (exprs (name :id 0 (arraytype :layout rowmajor :ndims 1 (float64)))))) (symtable (sym :id 0 :name "
      "numbers (arraytype :layout rowmajor :ndims 1 (float64)))))))";
  static const double constant[] = {1, 2, 3};
  double values[] = {1, 2, 3};
  const int64_t extent = 3;
  vr_ndarray *a = NULL, *b = NULL, *c = NULL, *copy = NULL;
  CHECK_OK(vr_ndarray_borrow_const(constant, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
  CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &b, &failure));
  CHECK_OK(vr_ndarray_read_only_view(b, &c, &failure));
  CHECK_OK(vr_ndarray_copy(a, VR_LAYOUT_ROW_MAJOR, &copy, &failure));
  CHECK_INT(vr_ndarray_is_read_only(a), 1);
  CHECK_INT(vr_ndarray_is_read_only(b), 0);
  CHECK_INT(vr_ndarray_is_read_only(c), 1);
  CHECK_INT(vr_ndarray_is_read_only(copy), 0);
  CHECK_INT(vr_ndarray_is_read_only(NULL), 0);
  vr_array d;
  CHECK_OK(vr_ndarray_describe(c, &d, &failure));
  CHECK(d.flags == VR_ARRAY_READ_ONLY && d.data == (void*)values);
  const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU, VR_TARGET_CPU_PARALLEL};
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_function* put = function_of(engine, put_text, "put");
    vr_datum result;
    values[0] = 1;
    vr_ndarray* refused[] = {a, c};
    for (size_t k = 0; k < 2; ++k) {
      const vr_datum argument = vr_datum_array(refused[k]);
      CHECK_FAILS(vr_function_call(put, 1, &argument, 1, &result, &failure), VR_READ_ONLY, "numbers");
    }
    CHECK(values[0] == 1);
    vr_ndarray* taken[] = {b, copy};
    for (size_t k = 0; k < 2; ++k) {
      const vr_datum argument = vr_datum_array(taken[k]);
      CHECK_OK(vr_function_call(put, 1, &argument, 1, &result, &failure));
      CHECK(((double*)vr_ndarray_data(result.as.array))[0] == 5);
      CHECK_INT(vr_ndarray_is_read_only(result.as.array), 0);
      vr_datum_release(&result, 1);
    }
    vr_function_free(put);
    vr_engine_free(engine);
  }
  CHECK(strcmp(vr_status_name(VR_READ_ONLY), "READ_ONLY") == 0);
  vr_ndarray_release(copy);
  vr_ndarray_release(c);
  vr_ndarray_release(b);
  vr_ndarray_release(a);
}

void test_array_faults(void);
void test_array_faults(void) {
  vr_ndarray* a = NULL;
  char memory[64];
  const int64_t good[] = {2, 2}, negative[] = {2, -1}, huge[] = {INT64_C(1) << 40, INT64_C(1) << 40}, odd[] = {16, 3};
  CHECK_FAILS(vr_ndarray_zeros(99, 2, good, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_USAGE, "99");
  CHECK_FAILS(vr_ndarray_zeros(VR_INT32, 0, good, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_USAGE, "rank 0");
  CHECK_FAILS(vr_ndarray_zeros(VR_INT32, 17, good, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_USAGE, "rank 17");
  CHECK_FAILS(vr_ndarray_zeros(VR_INT32, 2, good, VR_LAYOUT_STRIDED, &a, &failure), VR_USAGE, "VR_LAYOUT");
  CHECK_FAILS(vr_ndarray_zeros(VR_INT32, 2, NULL, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_USAGE, "'extents' is NULL");
  CHECK_FAILS(vr_ndarray_zeros(VR_INT32, 2, negative, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_SIZE, "");
  CHECK_FAILS(vr_ndarray_empty(VR_INT32, 2, huge, VR_LAYOUT_ROW_MAJOR, &a, &failure), VR_SIZE, "");
  CHECK_FAILS(vr_ndarray_borrow(memory, VR_BOOL, 2, negative, NULL, &a, &failure), VR_SIZE, "-1");
  CHECK_FAILS(vr_ndarray_borrow(memory, VR_BOOL, 2, huge, NULL, &a, &failure), VR_SIZE, "");
  CHECK_FAILS(vr_ndarray_borrow(NULL, VR_BOOL, 2, good, NULL, &a, &failure), VR_USAGE, "'data' is NULL");
  CHECK_FAILS(vr_ndarray_borrow(memory, VR_FLOAT64, 2, good, odd, &a, &failure), VR_USAGE, "multiples of 8");
  CHECK_FAILS(vr_ndarray_borrow_const(memory, VR_FLOAT64, 2, good, odd, &a, &failure), VR_USAGE, "multiples of 8");
  CHECK_FAILS(vr_ndarray_borrow_const(NULL, VR_BOOL, 2, good, NULL, &a, &failure), VR_USAGE, "'data' is NULL");
  CHECK(a == NULL);
  CHECK_OK(vr_ndarray_empty(VR_INT32, 2, good, VR_LAYOUT_COL_MAJOR, &a, &failure));
  CHECK_INT(vr_ndarray_extent(a, 2), -1);
  CHECK_INT(vr_ndarray_extent(a, -1), -1);
  CHECK_INT(vr_ndarray_stride(a, 2), 0);
  vr_ndarray* copy = NULL;
  CHECK_FAILS(vr_ndarray_copy(a, 9, &copy, &failure), VR_USAGE, "9");
  vr_ndarray_release(a);
}

static void check_text(const vr_type* type, const char* wanted) {
  char* text = NULL;
  CHECK_OK(vr_type_text(type, &text, &failure));
  CHECK_TEXT(text, wanted);
  vr_string_free(text);
}

void test_types(void);
void test_types(void) {
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create("m", 0, NULL, NULL, &b, &failure));
  for (int k = 0; k < ELEMS; ++k) {
    for (int complex = 0; complex < 2; ++complex) {
      const int32_t elem = elems[k].code | (complex ? VR_COMPLEX : 0);
      if (!exists(elems[k].code, complex)) {
        CHECK(vr_type_scalar(elem) == NULL && vr_type_array(elem, 1, VR_LAYOUT_ROW_MAJOR) == NULL);
        continue;
      }
      char wanted[100];
      snprintf(wanted, sizeof wanted, "%s%s", complex ? "complex " : "", elems[k].text);
      check_text(vr_type_scalar(elem), wanted);
      CHECK_INT(vr_type_elem(vr_type_scalar(elem)), elem);
      for (int32_t rank = 1; rank <= VR_MAX_RANK; ++rank) {
        for (int32_t layout = 0; layout < 3; ++layout) {
          const vr_type* t = vr_type_array(elem, rank, layout);
          CHECK_INT(vr_type_kind(t), VR_TYPE_ARRAY);
          CHECK_INT(vr_type_elem(t), elem);
          CHECK_INT(vr_type_rank(t), rank);
          CHECK_INT(vr_type_layout(t), layout);
          CHECK(t == vr_type_array(elem, rank, layout));
        }
      }
    }
  }
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *i64 = vr_type_scalar(VR_INT64);
  const vr_type* matrix = vr_type_array(VR_FLOAT32 | VR_COMPLEX, 2, VR_LAYOUT_COL_MAJOR);
  check_text(vr_type_void(), "void");
  CHECK_INT(vr_type_kind(vr_type_void()), VR_TYPE_VOID);
  CHECK_INT(vr_type_kind(vr_type_null()), VR_TYPE_NULL);
  check_text(matrix, "colmajor complex float32[2]");
  const vr_type* const pair[] = {f64, i64};
  const vr_type* const indices[] = {i64, i64};
  const vr_type *tuple = vr_type_tuple(b, 2, pair), *domain = vr_type_domain(b, 2, indices);
  const vr_type* function = vr_type_function(b, 2, pair, 1, &matrix);
  check_text(tuple, "(float64, int64)");
  check_text(domain, "domain(int64, int64)");
  check_text(function, "f(float64, int64) -> colmajor complex float32[2]");
  CHECK_INT(vr_type_kind(tuple), VR_TYPE_TUPLE);
  CHECK_INT(vr_type_kind(domain), VR_TYPE_DOMAIN);
  CHECK_INT(vr_type_rank(domain), 2);
  CHECK_INT(vr_type_kind(function), VR_TYPE_FUNCTION);
  CHECK_INT(vr_type_part_count(function), 2);
  CHECK_INT(vr_type_equal(vr_type_part(function, 1), i64), 1);
  CHECK(vr_type_part(function, 2) == NULL);
  CHECK_INT(vr_type_result_count(function), 1);
  CHECK_INT(vr_type_equal(vr_type_result(function, 0), matrix), 1);
  CHECK(vr_type_result(function, 1) == NULL);
  CHECK_INT(vr_type_equal(tuple, vr_type_tuple(b, 2, pair)), 1);
  CHECK_INT(vr_type_equal(tuple, domain), 0);
  CHECK_INT(vr_type_elem(tuple), -1);
  CHECK_INT(vr_type_layout(f64), -1);
  CHECK_INT(vr_builder_status(b), VR_OK);
  /* Invalid types. */
  CHECK(vr_type_scalar(13) == NULL && vr_type_scalar(-1) == NULL && vr_type_scalar(64) == NULL);
  CHECK(vr_type_array(VR_FLOAT64, 0, 0) == NULL && vr_type_array(VR_FLOAT64, 17, 0) == NULL);
  CHECK(vr_type_array(VR_FLOAT64, 1, 3) == NULL && vr_type_array(13, 1, 0) == NULL);
  const vr_type* const holed[] = {f64, NULL};
  CHECK(vr_type_tuple(b, 2, holed) == NULL);
  CHECK_INT(vr_builder_status(b), VR_VERIFY);
  CHECK(vr_type_domain(b, 0, NULL) == NULL);
  CHECK(vr_type_function(b, 1, NULL, 0, NULL) == NULL);
  /* Types that grow without limit are refused, however their parts are shared. */
  const vr_type* big = tuple;
  int rounds = 0;
  while (big && rounds < 1000) {
    const vr_type* const twice[] = {big, big};
    big = vr_type_tuple(b, 2, twice);
    ++rounds;
  }
  CHECK(big == NULL && rounds < 20);
  vr_builder_free(b);
}
