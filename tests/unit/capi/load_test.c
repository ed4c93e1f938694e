/* Loading and calling, and what is reported on failure. */
#include "check.h"

static const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU, VR_TARGET_CPU_PARALLEL};

void test_load_and_call(void);
void test_load_and_call(void) {
  CHECK_TEXT(vr_version(), VR_VERSION);
  CHECK_INT(vr_abi_version(), VR_ABI_VERSION);
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_module* module = loaded(engine, scale_text);
    CHECK_TEXT(vr_module_name(module), "scale");
    CHECK_INT(vr_module_function_count(module), 1);
    CHECK_TEXT(vr_module_function_name(module, 0), "scale");
    CHECK_TEXT(vr_module_function_name(module, 1), "");
    vr_function* scale = NULL;
    CHECK_OK(vr_module_function(module, "scale", &scale, &failure));
    CHECK_TEXT(vr_function_name(scale), "scale");
    CHECK_INT(vr_function_parameter_count(scale), 2);
    CHECK_INT(vr_function_result_count(scale), 1);
    CHECK_INT(vr_type_kind(vr_function_type(scale)), VR_TYPE_FUNCTION);

    const int64_t extents[] = {2, 3};
    vr_ndarray* a = NULL;
    CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR, &a, &failure));
    double* in = vr_ndarray_data(a);
    for (int k = 0; k < 6; ++k) in[k] = k;
    const vr_datum arguments[] = {vr_datum_array(a), vr_datum_f64(2.5)};
    vr_datum result;
    CHECK_OK(vr_function_call(scale, 2, arguments, 1, &result, &failure));
    CHECK_INT(result.kind, VR_DATUM_ARRAY);
    vr_ndarray* b = result.as.array;
    CHECK_INT(vr_ndarray_rank(b), 2);
    CHECK_INT(vr_ndarray_extent(b, 0), 2);
    CHECK_INT(vr_ndarray_extent(b, 1), 3);
    CHECK_INT(vr_ndarray_use_count(b), 1);
    const double* out = vr_ndarray_data(b);
    for (int k = 0; k < 6; ++k) CHECK(out[k] == 2.5 * k);
    vr_datum_release(&result, 1);
    CHECK_INT(result.kind, VR_DATUM_NONE);
    CHECK_INT(vr_ndarray_use_count(a), 1);
    vr_ndarray_release(a);
    vr_function_free(scale);
    vr_module_free(module);
    vr_engine_free(engine);
  }
}

void test_several_results(void);
void test_several_results(void) {
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_function* swap = function_of(engine, swap_text, "swap");
    CHECK_INT(vr_function_result_count(swap), 2);
    double values[] = {1, 2, 3};
    const int64_t extent = 3;
    vr_ndarray* a = NULL;
    CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
    const vr_datum arguments[] = {vr_datum_i64(41), vr_datum_array(a)};
    vr_datum results[2];
    CHECK_OK(vr_function_call(swap, 2, arguments, 2, results, &failure));
    /* The same elements, not a copy: VRIR shares by default. */
    CHECK_INT(results[0].kind, VR_DATUM_ARRAY);
    CHECK(vr_ndarray_data(results[0].as.array) == (void*)values);
    CHECK_INT(results[1].kind, VR_DATUM_SCALAR);
    CHECK_INT(results[1].elem, VR_INT64);
    CHECK_INT(results[1].as.scalar.i64, 41);
    vr_datum_release(results, 2);
    CHECK_INT(vr_ndarray_use_count(a), 1);
    vr_ndarray_release(a);
    vr_function_free(swap);
    vr_engine_free(engine);
  }
}

static const char wrong_syntax[] =
    "(module :name m\n"
    "  (fns\n"
    "    (function :name f (functype (intypes (float65)) (outtypes (float64))) (arglist 0)\n"
    "      (body (returnstmt (exprs (nam :id 0 (float64)))))\n"
    "      (symtable (sym :id 0 :name x (float64))))))\n";

void test_syntax_errors(void);
void test_syntax_errors(void) {
  vr_engine* engine = engine_on(VR_TARGET_INTERP);
  vr_module* module = (vr_module*)&failed_checks; /* anything but NULL: the call must set it to NULL */
  vr_failure* failure = NULL;
  CHECK_INT(vr_module_load_text(engine, wrong_syntax, VR_TO_NUL, "wrong.vrir", &module, &failure), VR_SYNTAX);
  CHECK(module == NULL);
  CHECK_INT(vr_failure_code(failure), VR_SYNTAX);
  const vr_diagnostics* list = vr_failure_diagnostics(failure);
  CHECK_INT(vr_diagnostics_count(list), 2);
  const vr_diagnostic* first = vr_diagnostics_at(list, 0);
  const vr_diagnostic* second = vr_diagnostics_at(list, 1);
  CHECK(first && second);
  if (first && second) {
    CHECK_INT(first->severity, VR_SEVERITY_ERROR);
    CHECK_TEXT(first->file, "wrong.vrir");
    CHECK_INT(first->line, 3);
    CHECK_INT(first->column, 43);
    CHECK_HAS(first->message, "float65");
    CHECK_HAS(first->text, "wrong.vrir:3:43: error: ");
    CHECK_INT(second->line, 4);
    CHECK_HAS(second->message, "nam");
    CHECK_TEXT(vr_failure_message(failure), first->message);
    CHECK_HAS(vr_failure_text(failure), second->text);
  }
  CHECK(vr_diagnostics_at(list, 2) == NULL);
  CHECK(vr_failure_record(failure) == NULL);
  CHECK_INT(vr_failure_axis(failure), -1);
  vr_failure_free(failure);
  /* Only a part of the text: the given length counts, not the NUL. */
  CHECK_FAILS(vr_module_load_text(engine, scale_text, 40, NULL, &module, &failure), VR_SYNTAX, "<text>:1:");
  /* The same without a failure object, and without an engine. */
  CHECK_INT(vr_module_load_text(engine, wrong_syntax, VR_TO_NUL, NULL, &module, NULL), VR_SYNTAX);
  vr_diagnostics* findings = NULL;
  CHECK_FAILS(vr_text_verify(NULL, wrong_syntax, VR_TO_NUL, "w", &findings, &failure), VR_SYNTAX, "w:4:");
  CHECK_INT(vr_diagnostics_count(findings), 2);
  vr_diagnostics_free(findings);
  vr_engine_free(engine);
}

static const char wrong_types[] =
    "(module :name m (fns (function :name f (functype (intypes (float64)) (outtypes (int64))) (arglist 0)\n"
    "  (body\n"
    "    (assignstmt (lhs (name :id 7 (float64))) (rhs (name :id 0 (float64))))\n"
    "    (assignstmt (lhs (name :id 0 (float64))) (rhs (libcall :libfunc sqroot (float64) (args (name :id 0 "
    "(float64))))))\n"
    "    (break))\n"
    "  (symtable (sym :id 0 :name x (float64))))))\n";

void test_verify_errors(void);
void test_verify_errors(void) {
  vr_engine* engine = engine_on(VR_TARGET_INTERP);
  vr_module* module = NULL;
  vr_failure* failure = NULL;
  CHECK_INT(vr_module_load_text(engine, wrong_types, VR_TO_NUL, "t.vrir", &module, &failure), VR_VERIFY);
  const vr_diagnostics* list = vr_failure_diagnostics(failure);
  CHECK_INT(vr_diagnostics_count(list), 4);
  static const char* const rules[] = {"unknown-id", "unknown-function", "break-outside-loop", "missing-return"};
  for (size_t k = 0; k < 4 && k < vr_diagnostics_count(list); ++k) {
    const vr_diagnostic* d = vr_diagnostics_at(list, k);
    if (k != 2) CHECK_TEXT(d->rule, rules[k]); /* the rule for a jump has its own name */
    CHECK_TEXT(d->file, "t.vrir");
    if (k < 3) CHECK_INT(d->line, (int)k + 3);
  }
  const vr_diagnostic* misspelt = vr_diagnostics_at(list, 1);
  if (misspelt) CHECK_TEXT(misspelt->hint, "did you mean 'sqrt'?");
  vr_failure_free(failure);

  vr_tree* tree = NULL;
  vr_diagnostics* findings = NULL;
  CHECK_OK(vr_tree_parse(NULL, wrong_types, VR_TO_NUL, NULL, &tree, &failure));
  CHECK_FAILS(vr_tree_verify(engine, tree, &findings, &failure), VR_VERIFY, "sqroot");
  CHECK_INT(vr_diagnostics_count(findings), 4);
  vr_diagnostics_free(findings);
  CHECK_FAILS(vr_module_load_tree(engine, tree, &module, &failure), VR_VERIFY, "sqroot");
  vr_tree_free(tree);

  CHECK_OK(vr_text_verify(NULL, scale_text, VR_TO_NUL, NULL, &findings, &failure));
  CHECK(findings != NULL);
  CHECK_INT(vr_diagnostics_count(findings), 0);
  vr_diagnostics_free(findings);
  vr_engine_free(engine);
}

void test_runtime_fault(void);
void test_runtime_fault(void) {
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_function* pick = function_of(engine, pick_text, "pick");
    double values[] = {10, 20, 30};
    const int64_t extent = 3;
    vr_ndarray* a = NULL;
    CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
    vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(3)};
    vr_datum result = vr_datum_f64(7);
    vr_failure* failure = NULL;
    CHECK_INT(vr_function_call(pick, 2, arguments, 1, &result, &failure), VR_OUT_OF_BOUNDS);
    CHECK_INT(result.kind, VR_DATUM_NONE);
    CHECK_INT(vr_failure_code(failure), VR_OUT_OF_BOUNDS);
    CHECK_TEXT(vr_status_name(vr_failure_code(failure)), "OUT_OF_BOUNDS");
    CHECK_TEXT(vr_failure_function(failure), "pick");
    CHECK_TEXT(vr_failure_location(failure), "<text>:3:5");
    CHECK_TEXT(vr_failure_array(failure), "prices");
    CHECK_INT(vr_failure_axis(failure), 0);
    CHECK_INT(vr_failure_index(failure), 3);
    CHECK_INT(vr_failure_extent(failure), 3);
    CHECK_HAS(vr_failure_message(failure), "prices");
    CHECK_INT(vr_diagnostics_count(vr_failure_diagnostics(failure)), 0);
    const vr_error* record = vr_failure_record(failure);
    CHECK(record != NULL);
    if (record) {
      CHECK_INT(record->code, VR_OUT_OF_BOUNDS);
      CHECK_INT(record->index, 3);
      CHECK_TEXT(record->array, "prices");
      CHECK_TEXT(record->message, vr_failure_message(failure));
    }
    vr_failure_free(failure);
    CHECK_INT(vr_ndarray_use_count(a), 1);
    /* The engine stays usable. */
    arguments[1] = vr_datum_i64(2);
    CHECK_OK(vr_function_call(pick, 2, arguments, 1, &result, &failure));
    CHECK(result.as.scalar.f64 == 30);
    vr_ndarray_release(a);
    vr_function_free(pick);
    vr_engine_free(engine);
  }
}

/* Errors raised by the program: code, message and numbers are passed to the host. */
void test_raise(void);
void test_raise(void) {
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create("m", 0, NULL, NULL, &b, &failure));
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *i64 = vr_type_scalar(VR_INT64);
  vr_fn* f = vr_builder_function(b, "f", 1, &f64);
  const vr_expr *x = vr_fn_parameter(f, "x", f64), *n = vr_fn_parameter(f, "n", i64);
  vr_stmt_location(f, "prices.bas:7:1");
  vr_expr* const numbers[] = {(vr_expr*)x, (vr_expr*)n};
  CHECK_INT(vr_stmt_raise(f, -9, "{} {{}} {}", 2, numbers), VR_OK);
  vr_tree* tree = NULL;
  CHECK_OK(vr_builder_finish(b, &tree, &failure));
  vr_builder_free(b);
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_module* module = NULL;
    vr_function* function = NULL;
    CHECK_OK(vr_module_load_tree(engine, tree, &module, &failure));
    CHECK_OK(vr_module_function(module, "f", &function, &failure));
    vr_datum arguments[] = {vr_datum_f64(0.5), vr_datum_i64(-3)}, result;
    vr_failure* failure = NULL;
    CHECK_INT(vr_function_call(function, 2, arguments, 1, &result, &failure), VR_RAISED);
    CHECK_INT(vr_failure_raised(failure), -9);
    CHECK_TEXT(vr_failure_message(failure), "0.5 {} -3");
    CHECK_TEXT(vr_failure_location(failure), "prices.bas:7:1");
    CHECK_TEXT(vr_failure_text(failure), "prices.bas:7:1: RAISED -9: 0.5 {} -3 in function 'f'");
    const vr_error* record = vr_failure_record(failure);
    double first = 0;
    memcpy(&first, &record->index, sizeof first);
    CHECK(first == 0.5);
    CHECK_INT(record->extent, -3);
    CHECK_INT(record->raised, -9);
    vr_failure_free(failure);
    vr_function_free(function);
    vr_module_free(module);
    vr_engine_free(engine);
  }
  vr_tree_free(tree);
}

/* Functions of the host. */
static int32_t scaled(void* data, vr_external_call* call, const vr_value* args, vr_value* results) {
  ++*(int*)data;
  if (args[1].i64 < 0) return call->fail(call, 77, "negative");
  const vr_array* x = args[0].array;
  vr_array* y = call->make(call, 0, x->extent);
  if (!y) return VR_HOST;
  for (int64_t k = 0; k < x->extent[0]; ++k)
    ((double*)y->data)[k] = *(const double*)((const char*)x->data + k * x->stride[0]) * (double)args[1].i64;
  results[1].b = 1;
  return 0;
}
static int unbound;
static void unbind(void* data) { unbound += data != NULL; }

void test_external(void);
void test_external(void) {
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create("m", 0, NULL, NULL, &b, &failure));
  const vr_type *vector = vr_type_array(VR_FLOAT64, 1, VR_LAYOUT_STRIDED), *i64 = vr_type_scalar(VR_INT64);
  const vr_type *ins[] = {vector, i64}, *outs[] = {vector, vr_type_scalar(VR_BOOL)};
  const vr_type* type = vr_type_function(b, 2, ins, 2, outs);
  const vr_type* takes_function = vr_type_function(b, 1, &type, 2, outs);
  CHECK_INT(vr_builder_external(b, "scaled", type, 0), VR_OK);
  vr_fn* f = vr_builder_function(b, "f", 2, outs);
  vr_expr *x = vr_fn_parameter(f, "x", vector), *n = vr_fn_parameter(f, "n", i64);
  vr_expr* const arguments[] = {x, n};
  vr_expr* call = vr_expr_fncall(f, "scaled", 2, arguments);
  CHECK_INT(vr_stmt_return(f, 1, &call), VR_OK);
  vr_tree* tree = NULL;
  CHECK_OK(vr_builder_finish(b, &tree, &failure));
  /* A host can find out which functions a tree wants of it. */
  CHECK_INT(vr_tree_function_count(tree), 2);
  for (size_t k = 0; k < 2; ++k)
    CHECK_INT(vr_tree_function_is_external(tree, k), !strcmp(vr_tree_function_name(tree, k), "scaled"));
  CHECK_INT(vr_tree_function_is_external(tree, 2), 0);
  const size_t external = vr_tree_function_is_external(tree, 0) ? 0 : 1;
  CHECK(vr_type_equal(vr_tree_function_type(tree, external), type));
  CHECK_INT(vr_tree_statement_count(tree, external), 0);
  for (size_t t = 0; t < 3; ++t) {
    int calls = 0;
    unbound = 0;
    vr_engine* engine = engine_on(targets[t]);
    vr_module* module = NULL;
    vr_function* function = NULL;
    CHECK_FAILS(vr_module_load_tree(engine, tree, &module, &failure), VR_NOT_FOUND, "'scaled'");
    CHECK_OK(vr_engine_bind(engine, "scaled", type, scaled, &calls, unbind, &failure));
    CHECK_FAILS(vr_engine_bind(engine, "scaled", i64, scaled, &calls, unbind, &failure), VR_USAGE, "'scaled'");
    CHECK_INT(unbound, 1);
    CHECK_FAILS(vr_engine_bind(engine, "scaled", takes_function, scaled, &calls, unbind, &failure), VR_USAGE, "'scaled'");
    CHECK_INT(unbound, 2);
    CHECK_OK(vr_module_load_tree(engine, tree, &module, &failure));
    CHECK_OK(vr_module_function(module, "f", &function, &failure));
    double values[] = {1, 2, 3};
    const int64_t extent = 3;
    vr_ndarray* a = NULL;
    CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
    vr_datum given[] = {vr_datum_array(a), vr_datum_i64(10)}, results[2];
    CHECK_OK(vr_function_call(function, 2, given, 2, results, &failure));
    CHECK(((const double*)vr_ndarray_data(results[0].as.array))[2] == 30);
    CHECK_INT(results[1].as.scalar.b, 1);
    vr_datum_release(results, 2);
    given[1] = vr_datum_i64(-1);
    vr_failure* failure = NULL;
    CHECK_INT(vr_function_call(function, 2, given, 2, results, &failure), VR_HOST);
    CHECK_INT(vr_failure_raised(failure), 77);
    CHECK_TEXT(vr_failure_message(failure), "scaled: negative");
    vr_failure_free(failure);
    CHECK_INT(calls, 2);
    CHECK_INT(vr_ndarray_use_count(a), 1);
    vr_ndarray_release(a);
    vr_function_free(function);
    vr_module_free(module);
    vr_engine_free(engine);
    CHECK_INT(unbound, 3);
  }
  vr_tree_free(tree);
  vr_builder_free(b);
}

void test_wrong_arguments(void);
void test_wrong_arguments(void) {
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_function* pick = function_of(engine, pick_text, "pick");
    const int64_t extents[] = {3, 3};
    vr_ndarray *vector = NULL, *matrix = NULL, *ints = NULL;
    CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 1, extents, VR_LAYOUT_ROW_MAJOR, &vector, &failure));
    CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 2, extents, VR_LAYOUT_ROW_MAJOR, &matrix, &failure));
    CHECK_OK(vr_ndarray_zeros(VR_INT32, 1, extents, VR_LAYOUT_ROW_MAJOR, &ints, &failure));
    vr_datum result;
    vr_datum args[3] = {vr_datum_array(vector), vr_datum_i64(0), vr_datum_i64(0)};
    CHECK_FAILS(vr_function_call(pick, 1, args, 1, &result, &failure), VR_TYPE, "'pick' takes 2 arguments, not 1");
    CHECK_FAILS(vr_function_call(pick, 3, args, 1, &result, &failure), VR_TYPE, "not 3");
    CHECK_FAILS(vr_function_call(pick, 2, args, 0, &result, &failure), VR_USAGE, "has 1 result");
    CHECK_FAILS(vr_function_call(pick, 2, args, 2, args, &failure), VR_USAGE, "space for 2");
    args[0] = vr_datum_array(matrix), args[1] = vr_datum_i64(0);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "'prices'");
    args[0] = vr_datum_array(ints);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "int32");
    args[0] = vr_datum_f64(1);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "'prices'");
    args[0] = vr_datum_array(vector), args[1] = vr_datum_f64(0.5); /* would lose the fraction */
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "'k'");
    args[1] = vr_datum_array(vector);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "'k'");
    args[1] = vr_datum_none();
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_USAGE, "argument 2");
    args[1] = vr_datum_i64(0), args[1].kind = 99;
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_USAGE, "99");
    args[1] = vr_datum_i64(0), args[1].elem = 77;
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_USAGE, "77");
    args[1] = vr_datum_i64(0), args[0] = vr_datum_array(NULL);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_USAGE, "NULL array");
    args[0] = vr_datum_object(vector);
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, &result, &failure), VR_TYPE, "built-in");
    CHECK_FAILS(vr_function_call(pick, 2, NULL, 1, &result, &failure), VR_USAGE, "'arguments' is NULL");
    CHECK_FAILS(vr_function_call(pick, 2, args, 1, NULL, &failure), VR_USAGE, "'results' is NULL");
    CHECK_FAILS(vr_function_call(NULL, 2, args, 1, &result, &failure), VR_USAGE, "'function' is NULL");
    CHECK_INT(vr_ndarray_use_count(vector), 1);
    vr_ndarray_release(vector);
    vr_ndarray_release(matrix);
    vr_ndarray_release(ints);
    vr_function_free(pick);
    vr_engine_free(engine);
  }
}

void test_missing_function(void);
void test_missing_function(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_module* module = loaded(engine, scale_text);
  vr_function* f = NULL;
  CHECK_FAILS(vr_module_function(module, "scala", &f, &failure), VR_NOT_FOUND, "no function 'scala'");
  CHECK(f == NULL);
  vr_module_free(module);
  vr_engine_free(engine);
}

void test_load_file(void);
void test_load_file(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_module* module = NULL;
  CHECK_OK(vr_module_load_file(engine, VR_SOURCE_DIR "/examples/axpy.vrir", &module, &failure));
  CHECK(vr_module_function_count(module) > 0);
  vr_module_free(module);
  CHECK_FAILS(vr_module_load_file(engine, "/no/such/file.vrir", &module, &failure), VR_NOT_FOUND, "/no/such/file.vrir");
  vr_engine_free(engine);
}

void test_load_with_options_of_its_own(void);
void test_load_with_options_of_its_own(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU_PARALLEL);
  vr_module* module = NULL;
  vr_function* pick = NULL;
  CHECK_OK(
      vr_module_load_text_as(engine, pick_text, VR_TO_NUL, NULL, VR_OF_ENGINE, VR_TARGET_INTERP, &module, &failure));
  CHECK_OK(vr_module_function(module, "pick", &pick, &failure));
  CHECK(vr_function_entry(pick) == NULL); /* interpreted */
  vr_function_free(pick);
  vr_tree* tree = NULL;
  CHECK_OK(vr_module_tree(module, &tree, &failure));
  vr_module_free(module);
  CHECK_OK(vr_module_load_tree_as(engine, tree, VR_DIALECT_VRIR, VR_TARGET_CPU, &module, &failure));
  CHECK_OK(vr_module_function(module, "pick", &pick, &failure));
  CHECK(vr_function_entry(pick) != NULL);
  vr_function_free(pick);
  vr_module_free(module);
  CHECK_FAILS(vr_module_load_tree_as(engine, tree, VR_OF_ENGINE, VR_TARGET_OPENCL, &module, &failure), VR_USAGE, "");
  CHECK_FAILS(vr_module_load_tree_as(engine, tree, 7, VR_OF_ENGINE, &module, &failure), VR_USAGE, "VR_DIALECT_");
  CHECK_FAILS(vr_module_load_tree_as(engine, tree, VR_OF_ENGINE, 9, &module, &failure), VR_USAGE, "VR_TARGET_");
  vr_tree_free(tree);
  /* A text of the mclab dialect on an engine for strict VRIR, which refuses it. */
  FILE* file = fopen(VR_SOURCE_DIR "/tests/corpus/client/complex_iter.vrir", "rb");
  char text[20000];
  const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (file) fclose(file);
  CHECK(length > 0);
  CHECK(vr_module_load_text(engine, text, length, NULL, &module, NULL) != VR_OK);
  CHECK_OK(vr_module_load_text_as(engine, text, length, NULL, VR_DIALECT_MCLAB, VR_OF_ENGINE, &module, &failure));
  CHECK(vr_diagnostics_count(vr_module_remarks(module)) > 0);
  vr_module_free(module);
  vr_engine_free(engine);
}

void test_dialect_remarks(void);
void test_dialect_remarks(void) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  vr_module* module = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_dialect(options, VR_DIALECT_MCLAB, &failure));
  CHECK_OK(vr_options_set_target(options, VR_TARGET_CPU, &failure));
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  CHECK_OK(vr_module_load_file(engine, VR_SOURCE_DIR "/tests/corpus/client/complex_iter.vrir", &module, &failure));
  const vr_diagnostics* remarks = vr_module_remarks(module);
  CHECK(vr_diagnostics_count(remarks) > 0);
  for (size_t k = 0; k < vr_diagnostics_count(remarks); ++k)
    CHECK_INT(vr_diagnostics_at(remarks, k)->severity, VR_SEVERITY_REMARK);
  /* Verifying without loading reports the same, and succeeds; strict VRIR refuses the text. */
  FILE* file = fopen(VR_SOURCE_DIR "/tests/corpus/client/complex_iter.vrir", "rb");
  char text[20000];
  const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (file) fclose(file);
  CHECK(length > 0 && length < sizeof text);
  vr_diagnostics* findings = NULL;
  CHECK_OK(vr_text_verify(engine, text, length, "complex_iter", &findings, &failure));
  CHECK_INT(vr_diagnostics_count(findings), vr_diagnostics_count(remarks));
  vr_diagnostics_free(findings);
  CHECK(vr_text_verify(NULL, text, length, "complex_iter", NULL, NULL) != VR_OK);
  /* The tree of the module is strict VRIR. */
  vr_tree* strict = NULL;
  CHECK_OK(vr_module_tree(module, &strict, &failure));
  CHECK_OK(vr_tree_verify(NULL, strict, NULL, &failure));
  vr_module_free(module);
  vr_engine_free(engine);
  char* printed = NULL;
  CHECK_OK(vr_tree_print(strict, &printed, &failure)); /* trees outlive their module and engine */
  CHECK_HAS(printed, "(module");
  vr_string_free(printed);
  vr_tree_free(strict);
  vr_options_free(options);
}

static const char fill_text[] =
    "(module :name fill :indexing 0 (fns (function fill (functype (intypes (arraytype :layout rowmajor :ndims 1 "
    "(float64))) (outtypes (void))) (arglist 0)\n"
    "  (body (forstmt (itervars 1)\n"
    "    (loopdomain (domain (domaintype :ndims 1 (int64)) (range (stop (dim :arrayid 0 :dimid 0 (int64))))))\n"
    "    (body (assignstmt (lhs (index :arrayid 0 (float64) (indices (index (name :id 1 (int64))))))\n"
    "      (rhs (realconst :dval 1 (float64)))))))\n"
    "  (symtable (sym :id 0 :name a (arraytype :layout rowmajor :ndims 1 (float64))) (sym :id 1 :name i (int64))))))\n";

void test_dumps(void);
void test_dumps(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_module* module = loaded(engine, scale_text);
  char* text = NULL;
  CHECK_OK(vr_module_dump(module, VR_DUMP_LLVM_IR, &text, &failure));
  CHECK_HAS(text, "define");
  vr_string_free(text);
  CHECK_OK(vr_module_dump(module, VR_DUMP_ASSEMBLY, &text, &failure));
  CHECK_HAS(text, "vr_scale");
  vr_string_free(text);
  CHECK_FAILS(vr_module_dump(module, VR_DUMP_OPENCL, &text, &failure), VR_UNSUPPORTED, "OpenCL");
  CHECK(text == NULL);
  CHECK_FAILS(vr_module_dump(module, 17, &text, &failure), VR_USAGE, "17");
  CHECK_OK(vr_module_regions(module, &text, &failure));
  CHECK_TEXT(text, ""); /* none are requested */
  vr_string_free(text);
  vr_module_free(module);
  vr_engine_free(engine);
  vr_options* options = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_regions(options, VR_REGIONS_SYNC, &failure));
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  vr_options_free(options);
  module = loaded(engine, fill_text);
  CHECK_OK(vr_module_regions(module, &text, &failure));
  CHECK_HAS(text, "region 1 of 'fill'");
  CHECK_HAS(text, "shapes a");
  vr_string_free(text);
  vr_module_free(module);
  vr_engine_free(engine);
  engine = engine_on(VR_TARGET_INTERP);
  module = loaded(engine, scale_text);
  CHECK_FAILS(vr_module_dump(module, VR_DUMP_LLVM_IR, &text, &failure), VR_UNSUPPORTED, "interpreter");
  vr_module_free(module);
  vr_engine_free(engine);
}

/* An accelerated section on a target without a device does not run where it was requested; with a device it becomes
   OpenCL C. */
void test_report_and_info(void);
void test_report_and_info(void) {
  const char* heat = VR_SOURCE_DIR "/examples/heat.vrir";
  vr_engine* engine = engine_on(VR_TARGET_CPU_PARALLEL);
  vr_module* module = NULL;
  CHECK_OK(vr_module_load_file(engine, heat, &module, &failure));
  const vr_compile_info* info = vr_module_compile_info(module);
  CHECK(info && info->codegen_ms > 0 && info->total_ms >= info->codegen_ms + info->parse_ms);
  CHECK_TEXT(vr_module_report_line(module, vr_module_report_count(module)), "");
  CHECK_TEXT(vr_engine_device_name(engine), "");
  vr_module_free(module);
  vr_engine_free(engine);

  vr_options* options = NULL;
  vr_failure* failure = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_target(options, VR_TARGET_OPENCL, &failure));
  CHECK_FAILS(
      (vr_options_set_device(options, "no such device", NULL), vr_engine_create(options, NULL, &engine, &failure)),
      VR_DEVICE, "no such device");
  CHECK_OK(vr_options_set_device(options, "", &failure));
  const vr_status opened = vr_engine_create(options, NULL, &engine, &failure);
  vr_options_free(options);
  if (opened == VR_DEVICE) {
    printf("no OpenCL device here: %s\n", vr_failure_text(failure));
    vr_failure_free(failure);
    return;
  }
  CHECK_INT(opened, VR_OK);
  CHECK(strlen(vr_engine_device_name(engine)) > 0);
  vr_ndarray* kept = NULL;
  const int64_t extent = 10;
  CHECK_OK(vr_ndarray_zeros(VR_FLOAT64, 1, &extent, VR_LAYOUT_ROW_MAJOR, &kept, &failure));
  vr_datum array = vr_datum_array(kept), number = vr_datum_f64(1);
  CHECK_FAILS(vr_engine_drop_from_device(engine, &array, &failure), VR_USAGE, "not reside");
  CHECK_OK(vr_engine_keep_on_device(engine, &array, &failure));
  CHECK_OK(vr_engine_look_at(engine, &array, 1, &failure));
  CHECK_OK(vr_engine_drop_from_device(engine, &array, &failure));
  CHECK_FAILS(vr_engine_keep_on_device(engine, &number, &failure), VR_TYPE, "arrays");
  vr_ndarray_release(kept);
  CHECK_OK(vr_module_load_file(engine, heat, &module, &failure));
  char* text = NULL;
  CHECK_OK(vr_module_dump(module, VR_DUMP_OPENCL, &text, &failure));
  CHECK_HAS(text, "kernel");
  vr_string_free(text);
  for (size_t k = 0; k < vr_module_report_count(module); ++k) CHECK(strlen(vr_module_report_line(module, k)) > 0);
  vr_function* f = NULL;
  vr_context* context = NULL;
  CHECK_OK(vr_module_function(module, vr_module_function_name(module, 0), &f, &failure));
  CHECK_FAILS(vr_context_create(f, &context, &failure), VR_UNSUPPORTED, "OpenCL");
  vr_function_free(f);
  vr_module_free(module);
  vr_engine_free(engine);
}

static const char endless[] =
    "(module :name e (fns (function :name f (functype (intypes) (outtypes (int64))) (arglist)\n"
    "  (body (assignstmt (lhs (name :id 0 (int64))) (rhs (realconst :ival 0 (int64))))\n"
    "    (whilestmt (test (realconst :ival 1 (bool))) (body\n"
    "      (assignstmt (lhs (name :id 0 (int64))) (rhs (plus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival "
    "1 (int64))))))))\n"
    "    (returnstmt (exprs (name :id 0 (int64)))))\n"
    "  (symtable (sym :id 0 :name x (int64))))))\n";

void test_options(void);
void test_options(void) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_FAILS(vr_options_set_target(options, 9, &failure), VR_USAGE, "9");
  CHECK_FAILS(vr_options_set_opt_level(options, 4, &failure), VR_USAGE, "4");
  CHECK_FAILS(vr_options_set_threads(options, -1, &failure), VR_USAGE, "-1");
  CHECK_FAILS(vr_options_set_dialect(options, 5, &failure), VR_USAGE, "5");
  CHECK_FAILS(vr_options_set_step_limit(options, -1, &failure), VR_USAGE, "-1");
  CHECK_FAILS(vr_options_set_device(options, NULL, &failure), VR_USAGE, "NULL");
  CHECK_FAILS(vr_options_set_devices(options, NULL, &failure), VR_USAGE, "NULL");

  CHECK_OK(vr_options_set_target(options, VR_TARGET_INTERP, &failure));
  CHECK_OK(vr_options_set_step_limit(options, 1000, &failure));
  CHECK_OK(vr_options_set_memory_limit(options, 1 << 20, &failure));
  CHECK_FAILS(vr_options_set_memory_limit(options, -1, &failure), VR_USAGE, "-1");
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  vr_function* f = function_of(engine, endless, "f");
  vr_datum result;
  CHECK_FAILS(vr_function_call(f, 0, NULL, 1, &result, &failure), VR_INTERRUPTED, "'f'");
  vr_function_free(f);
  vr_engine_free(engine);

  /* A program that turns its bounds checks off reads past the end unless checks are forced. */
  CHECK_OK(vr_options_set_target(options, VR_TARGET_CPU, &failure));
  CHECK_OK(vr_options_set_force_checks(options, 1, &failure));
  CHECK_OK(vr_options_set_disk_cache(options, 0, &failure));
  CHECK_OK(vr_options_set_opt_level(options, 0, &failure));
  CHECK_OK(vr_options_set_threads(options, 2, &failure));
  CHECK_OK(vr_options_set_parallel_threshold(options, 1, &failure));
  CHECK_FAILS(vr_options_set_parallel_threshold(options, 0, &failure), VR_USAGE, "0");
  CHECK_OK(vr_options_set_compile_budget(options, 60000, &failure));
  CHECK_FAILS(vr_options_set_compile_budget(options, -1, &failure), VR_USAGE, "-1");
  CHECK_OK(vr_options_set_debug_info(options, 1, &failure));
  CHECK_OK(vr_options_skip_pass(options, "bounds_check_elim", &failure));
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  char text[2000];
  const char* at = strstr(pick_text, "(indices (index ");
  snprintf(text, sizeof text, "%.*s(indices (index :boundscheck %%0 %s", (int)(at - pick_text), pick_text,
           at + strlen("(indices (index "));
  f = function_of(engine, text, "pick");
  double values[] = {1};
  const int64_t extent = 1;
  vr_ndarray* a = NULL;
  CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
  const vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(1)};
  CHECK_FAILS(vr_function_call(f, 2, arguments, 1, &result, &failure), VR_OUT_OF_BOUNDS, "prices");
  vr_ndarray_release(a);
  vr_function_free(f);
  vr_engine_free(engine);
  vr_options_free(options);
}

void test_tiers(void);
void test_tiers(void) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_target(options, VR_TARGET_CPU, &failure));
  CHECK_OK(vr_options_set_disk_cache(options, 0, &failure));
  CHECK_OK(vr_options_set_tiered(options, 1, &failure));
  CHECK_OK(vr_options_set_regions(options, VR_REGIONS_BACKGROUND, &failure));
  CHECK_OK(vr_options_set_region_limits(options, 2, 1 << 20, &failure));
  CHECK_FAILS(vr_options_set_regions(options, 3, &failure), VR_USAGE, "VR_REGIONS");
  CHECK_FAILS(vr_options_set_region_limits(options, 0, 1, &failure), VR_USAGE, "none");
  CHECK_OK(vr_options_set_lazy(options, 1, &failure));
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  vr_module* m = NULL;
  CHECK_OK(vr_module_load_text(engine, pick_text, strlen(pick_text), NULL, &m, &failure));
  CHECK(vr_module_compile_info(m)->codegen_ms == 0);
  vr_function* f = NULL;
  CHECK_OK(vr_module_function(m, "pick", &f, &failure));
  double values[] = {1, 4};
  const int64_t extent = 2;
  vr_ndarray* a = NULL;
  CHECK_OK(vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
  for (int round = 0; round < 2; ++round) {
    vr_datum result;
    const vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(1)};
    CHECK_OK(vr_function_call(f, 2, arguments, 1, &result, &failure));
    CHECK(result.as.scalar.f64 == 4);
    CHECK_OK(vr_module_wait(m, &failure));
    CHECK(vr_module_optimised(m));
  }
  CHECK(vr_module_compile_info(m)->codegen_ms > 0);
  CHECK(vr_module_compile_info(m)->background_ms > 0);
  vr_ndarray_release(a);
  vr_function_free(f);
  vr_module_free(m);
  vr_engine_free(engine);
  vr_options_free(options);
}

void test_native_entry(void);
void test_native_entry(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU_PARALLEL);
  vr_function *pick = function_of(engine, pick_text, "pick"), *scale = function_of(engine, scale_text, "scale");
  vr_context* context = NULL;
  vr_entry entry = vr_function_entry(pick);
  CHECK(entry != NULL);
  CHECK_OK(vr_context_create(pick, &context, &failure));
  double values[] = {1, 2, 3, 4, 5, 6};
  vr_array a;
  memset(&a, 0, sizeof a);
  a.data = values;
  a.elem = VR_FLOAT64;
  a.rank = 1;
  a.extent[0] = 6;
  a.stride[0] = sizeof(double);
  vr_value args[2], result;
  args[0].array = &a;
  args[1].i64 = 4;
  CHECK_INT(entry(context, args, &result), VR_OK);
  CHECK(result.f64 == 5);
  CHECK(vr_context_error(context) == NULL);
  args[1].i64 = -7;
  CHECK_INT(entry(context, args, &result), VR_OUT_OF_BOUNDS);
  const vr_error* error = vr_context_error(context);
  CHECK(error && error->index == -7 && error->extent == 6 && strcmp(error->array, "prices") == 0);
  vr_context_reset(context);
  CHECK(vr_context_error(context) == NULL);
  args[1].i64 = 0;
  CHECK_INT(entry(context, args, &result), VR_OK);
  CHECK(result.f64 == 1);
  vr_context_free(context);

  /* An array result: the caller owns its descriptor, and releases its storage. */
  CHECK_OK(vr_context_create(scale, &context, &failure));
  a.rank = 2;
  a.extent[0] = 2, a.extent[1] = 3;
  a.stride[0] = 3 * sizeof(double), a.stride[1] = sizeof(double);
  args[1].f64 = 10;
  vr_array b;
  memset(&b, 0, sizeof b);
  result.array = &b;
  CHECK_INT(vr_function_entry(scale)(context, args, &result), VR_OK);
  CHECK_INT(b.extent[1], 3);
  CHECK(b.data && ((double*)b.data)[5] == 60);
  vr_array_drop(&b);
  CHECK(b.data == NULL && b.owner == NULL);
  vr_context_free(context);
  vr_function_free(scale);
  vr_function_free(pick);
  vr_engine_free(engine);

  engine = engine_on(VR_TARGET_INTERP);
  pick = function_of(engine, pick_text, "pick");
  CHECK(vr_function_entry(pick) == NULL);
  CHECK_FAILS(vr_context_create(pick, &context, &failure), VR_UNSUPPORTED, "interpreter");
  vr_function_free(pick);
  vr_engine_free(engine);
}

void test_objects_in_any_order(void);
void test_objects_in_any_order(void) {
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  vr_module* module = loaded(engine, pick_text);
  vr_engine_free(engine);
  vr_function* pick = NULL;
  CHECK_OK(vr_module_function(module, "pick", &pick, &failure));
  vr_module_free(module);
  vr_context* context = NULL;
  CHECK_OK(vr_context_create(pick, &context, &failure));
  vr_entry entry = vr_function_entry(pick);
  double value = 8;
  const int64_t extent = 1;
  vr_ndarray* a = NULL;
  CHECK_OK(vr_ndarray_borrow(&value, VR_FLOAT64, 1, &extent, NULL, &a, &failure));
  const vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(0)};
  vr_datum result;
  CHECK_OK(vr_function_call(pick, 2, arguments, 1, &result, &failure));
  CHECK(result.as.scalar.f64 == 8);
  vr_function_free(pick);
  /* The context still has the function. */
  vr_array d;
  CHECK_OK(vr_ndarray_describe(a, &d, &failure));
  vr_value in[2], out;
  in[0].array = &d;
  in[1].i64 = 0;
  CHECK_INT(entry(context, in, &out), VR_OK);
  CHECK(out.f64 == 8);
  vr_context_free(context);
  vr_ndarray_release(a);
}

void test_parse_print_walk(void);
void test_parse_print_walk(void) {
  vr_tree *tree = NULL, *again = NULL, *other = NULL;
  char* text = NULL;
  CHECK_OK(vr_tree_parse(NULL, scale_text, VR_TO_NUL, NULL, &tree, &failure));
  CHECK_OK(vr_tree_print(tree, &text, &failure));
  CHECK_OK(vr_tree_parse(NULL, text, strlen(text), NULL, &again, &failure));
  CHECK_OK(vr_tree_parse(NULL, pick_text, VR_TO_NUL, NULL, &other, &failure));
  CHECK_INT(vr_tree_equal(tree, again), 1);
  CHECK_INT(vr_tree_equal(tree, other), 0);
  CHECK_INT(vr_tree_equal(tree, NULL), 0);
  vr_string_free(text);

  CHECK_TEXT(vr_tree_name(tree), "scale");
  CHECK_INT(vr_tree_function_count(tree), 1);
  CHECK_TEXT(vr_tree_function_name(tree, 0), "scale");
  CHECK_TEXT(vr_tree_function_name(tree, 1), "");
  CHECK_INT(vr_type_kind(vr_tree_function_type(tree, 0)), VR_TYPE_FUNCTION);
  CHECK_INT(vr_tree_statement_count(tree, 0), 2);
  CHECK_INT(vr_tree_statement_count(tree, 1), 0);
  const vr_node* assign = vr_tree_statement(tree, 0, 0);
  CHECK_INT(vr_node_kind(assign), VR_KIND_ASSIGN);
  CHECK(vr_node_type(assign) == NULL);
  CHECK_INT(vr_node_line(assign), 3);
  CHECK_INT(vr_node_column(assign), 5);
  CHECK_INT(vr_node_child_count(assign), 2);
  const vr_node* product = vr_node_child(assign, 1);
  CHECK_INT(vr_node_kind(product), VR_KIND_MULT);
  CHECK_INT(vr_type_kind(vr_node_type(product)), VR_TYPE_ARRAY);
  CHECK_OK(vr_node_print(vr_node_child(product, 1), &text, &failure));
  CHECK_TEXT(text, "(name :id 1 (float64))");
  vr_string_free(text);
  CHECK_OK(vr_node_print(vr_tree_statement(tree, 0, 1), &text, &failure));
  CHECK_HAS(text, "(returnstmt");
  vr_string_free(text);
  CHECK(vr_node_child(product, 2) == NULL);
  CHECK(vr_tree_statement(tree, 0, 2) == NULL);
  CHECK_TEXT(vr_kind_name(VR_KIND_PFOR), "PFor");
  CHECK_TEXT(vr_kind_word(VR_KIND_PFOR), "pforstmt");
  CHECK_TEXT(vr_kind_name(0), "");
  CHECK_TEXT(vr_kind_word(1000), "");
  vr_tree_free(tree);
  vr_tree_free(again);
  vr_tree_free(other);
}
