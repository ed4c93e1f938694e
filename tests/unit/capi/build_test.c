/* Trees built in C: as text, compiled and run; every kind of node; faults. */
#include "check.h"

static vr_expr* integer(vr_fn* f, int64_t v) { return vr_expr_int_const(f, v, NULL); }

static vr_builder* builder(const char* name) {
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create(name, 0, NULL, NULL, &b, &failure));
  if (!b) exit(1);
  return b;
}

/* y = a * x + y, in place */
static void build_axpy(vr_builder* b) {
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *i64 = vr_type_scalar(VR_INT64);
  const vr_type* vector = vr_type_array(VR_FLOAT64, 1, VR_LAYOUT_STRIDED);
  vr_fn* f = vr_builder_function(b, "axpy", 1, &vector);
  vr_expr* a = vr_fn_parameter(f, "a", f64);
  vr_expr* x = vr_fn_parameter(f, "x", vector);
  vr_expr* y = vr_fn_parameter(f, "y", vector);
  vr_expr* i = vr_fn_variable(f, "i", i64);
  vr_stmt_for_begin(f, VR_LIST(i), vr_expr_range(f, VR_YES, integer(f, 0), NULL, vr_expr_dim(f, x, 0)));
  vr_stmt_assign(f, vr_expr_index(f, y, VR_LIST(i)),
                 vr_expr_plus(f, vr_expr_mult(f, a, vr_expr_index(f, x, VR_LIST(i))), vr_expr_index(f, y, VR_LIST(i))));
  vr_stmt_end(f);
  vr_stmt_return(f, VR_LIST(y));
}

static const char axpy_text[] =
    "(module :name built\n"
    "  (fns\n"
    "    (function axpy\n"
    "      (functype\n"
    "        (intypes\n"
    "          (float64)\n"
    "          (arraytype :layout strided :ndims 1 (float64))\n"
    "          (arraytype :layout strided :ndims 1 (float64)))\n"
    "        (outtypes (arraytype :layout strided :ndims 1 (float64))))\n"
    "      (arglist 0 1 2)\n"
    "      (body\n"
    "        (forstmt (itervars 3)\n"
    "          (loopdomain (domain (domaintype :ndims 1 (int64)) (range :exclude %1 (start (realconst :ival 0 "
    "(int64)))\n"
    "            (stop (dim :arrayid 1 :dimid 0 (int64))))))\n"
    "          (body\n"
    "            (assignstmt (lhs (index :arrayid 2 (float64) (indices (index (name :id 3 (int64))))))\n"
    "              (rhs (plus (float64)\n"
    "                (lhs (mult (float64) (lhs (name :id 0 (float64)))\n"
    "                  (rhs (index :arrayid 1 (float64) (indices (index (name :id 3 (int64))))))))\n"
    "                (rhs (index :arrayid 2 (float64) (indices (index (name :id 3 (int64)))))))))))\n"
    "        (returnstmt (exprs (name :id 2 (arraytype :layout strided :ndims 1 (float64))))))\n"
    "      (symtable\n"
    "        (sym :id 0 :name a (float64))\n"
    "        (sym :id 1 :name x (arraytype :layout strided :ndims 1 (float64)))\n"
    "        (sym :id 2 :name y (arraytype :layout strided :ndims 1 (float64)))\n"
    "        (sym :id 3 :name i (int64))))))\n";

void test_build_axpy(void);
void test_build_axpy(void) {
  vr_builder* b = builder("built");
  build_axpy(b);
  CHECK_INT(vr_builder_status(b), VR_OK);
  vr_tree *built = NULL, *written = NULL;
  CHECK_OK(vr_builder_finish(b, &built, &failure));
  CHECK_FAILS(vr_builder_finish(b, &written, &failure), VR_USAGE, "already");
  vr_builder_free(b);
  /* The tree equals that of the text, and prints as the text does. */
  char *from_tree = NULL, *from_text = NULL;
  CHECK_OK(vr_tree_parse(NULL, axpy_text, VR_TO_NUL, NULL, &written, &failure));
  CHECK_INT(vr_tree_equal(built, written), 1);
  CHECK_OK(vr_tree_print(built, &from_tree, &failure));
  CHECK_OK(vr_tree_print(written, &from_text, &failure));
  CHECK_TEXT(from_tree, from_text);
  vr_string_free(from_tree);
  vr_string_free(from_text);
  vr_tree_free(written);

  static const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU, VR_TARGET_CPU_PARALLEL};
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_module* module = NULL;
    vr_function* axpy = NULL;
    CHECK_OK(vr_module_load_tree(engine, built, &module, &failure));
    CHECK_OK(vr_module_function(module, "axpy", &axpy, &failure));
    double x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
    const int64_t extent = 4;
    vr_ndarray *ax = NULL, *ay = NULL;
    CHECK_OK(vr_ndarray_borrow(x, VR_FLOAT64, 1, &extent, NULL, &ax, &failure));
    CHECK_OK(vr_ndarray_borrow(y, VR_FLOAT64, 1, &extent, NULL, &ay, &failure));
    const vr_datum arguments[] = {vr_datum_f64(0.5), vr_datum_array(ax), vr_datum_array(ay)};
    vr_datum result;
    CHECK_OK(vr_function_call(axpy, 3, arguments, 1, &result, &failure));
    CHECK(y[0] == 10.5 && y[1] == 21 && y[2] == 31.5 && y[3] == 42);
    vr_datum_release(&result, 1);
    vr_ndarray_release(ax);
    vr_ndarray_release(ay);
    vr_function_free(axpy);
    vr_module_free(module);
    vr_engine_free(engine);
  }
  vr_tree_free(built);
}

static vr_expr* at(vr_fn* f, vr_expr* array, vr_expr* i, vr_expr* j) { return vr_expr_index(f, array, VR_LIST(i, j)); }

/* `steps` steps of the heat equation, as a parallel loop in an accelerated section; the two arrays swap. */
static vr_tree* build_heat(void) {
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *i64 = vr_type_scalar(VR_INT64);
  const vr_type* matrix = vr_type_array(VR_FLOAT64, 2, VR_LAYOUT_ROW_MAJOR);
  vr_builder* b = builder("heat");
  vr_fn* f = vr_builder_function(b, "heat", 1, &matrix);
  vr_expr *u = vr_fn_parameter(f, "u", matrix), *steps = vr_fn_parameter(f, "steps", i64);
  vr_expr *k = vr_fn_parameter(f, "k", f64), *v = vr_fn_variable(f, "v", matrix), *w = vr_fn_variable(f, "w", matrix);
  vr_expr *t = vr_fn_variable(f, "t", i64), *i = vr_fn_variable(f, "i", i64), *j = vr_fn_variable(f, "j", i64);
  vr_expr* one = integer(f, 1);

  vr_stmt_location(f, "heat.c:1:1");
  vr_stmt_assign(f, v, vr_expr_libcall(f, "copy", VR_LIST(u), NULL));
  vr_stmt_assign(f, w, vr_expr_libcall(f, "copy", VR_LIST(u), NULL));
  vr_stmt_location(f, NULL);
  vr_stmt_for_begin(f, VR_LIST(t), vr_expr_range(f, VR_YES, integer(f, 0), NULL, steps));
  vr_stmt_list_begin(f, 1);
  vr_expr* rows = vr_expr_range(f, VR_YES, one, NULL, vr_expr_minus(f, vr_expr_dim(f, v, 0), one));
  vr_expr* columns = vr_expr_range(f, VR_YES, one, NULL, vr_expr_minus(f, vr_expr_dim(f, v, 1), one));
  vr_stmt_pfor_begin(f, VR_LIST(i, j), vr_expr_domain(f, VR_LIST(rows, columns)), 0, NULL);
  vr_expr* around =
      vr_expr_plus(f, vr_expr_plus(f, at(f, v, vr_expr_minus(f, i, one), j), at(f, v, vr_expr_plus(f, i, one), j)),
                   vr_expr_plus(f, at(f, v, i, vr_expr_minus(f, j, one)), at(f, v, i, vr_expr_plus(f, j, one))));
  vr_expr* change = vr_expr_minus(f, around, vr_expr_mult(f, vr_expr_float_const(f, 4, NULL), at(f, v, i, j)));
  vr_stmt_assign(f, at(f, w, i, j), vr_expr_plus(f, at(f, v, i, j), vr_expr_mult(f, k, change)));
  vr_stmt_end(f);
  vr_stmt_end(f);
  vr_stmt_assign(f, v, vr_expr_libcall(f, "copy", VR_LIST(w), NULL));
  vr_stmt_end(f);
  vr_stmt_return(f, VR_LIST(v));

  vr_tree* tree = NULL;
  CHECK_OK(vr_builder_finish(b, &tree, &failure));
  vr_builder_free(b);
  return tree;
}

void test_build_heat(void);
void test_build_heat(void) {
  enum { N = 20, STEPS = 7 };
  static double u[N][N], v[N][N], w[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) u[i][j] = v[i][j] = w[i][j] = (i * 7 + j * 3) % 11;
  for (int s = 0; s < STEPS; ++s) {
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        w[i][j] = v[i][j] + 0.1 * (((v[i - 1][j] + v[i + 1][j]) + (v[i][j - 1] + v[i][j + 1])) - 4 * v[i][j]);
    memcpy(v, w, sizeof v);
  }
  vr_tree *tree = build_heat(), *again = NULL;
  char* text = NULL;
  CHECK_OK(vr_tree_print(tree, &text, &failure));
  CHECK_HAS(text, "(stmtlist :onGpu %1");
  CHECK_HAS(text, ":loc \"heat.c:1:1\"");
  CHECK_OK(vr_tree_parse(NULL, text, VR_TO_NUL, NULL, &again, &failure));
  CHECK_INT(vr_tree_equal(tree, again), 1);
  vr_tree_free(again);
  vr_string_free(text);
  static const int32_t targets[] = {VR_TARGET_INTERP, VR_TARGET_CPU, VR_TARGET_CPU_PARALLEL};
  for (size_t t = 0; t < 3; ++t) {
    vr_engine* engine = engine_on(targets[t]);
    vr_module* module = NULL;
    vr_function* heat = NULL;
    CHECK_OK(vr_module_load_tree(engine, tree, &module, &failure));
    CHECK_OK(vr_module_function(module, "heat", &heat, &failure));
    const int64_t extents[] = {N, N};
    vr_ndarray* a = NULL;
    CHECK_OK(vr_ndarray_borrow(u, VR_FLOAT64, 2, extents, NULL, &a, &failure));
    const vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(STEPS), vr_datum_f64(0.1)};
    vr_datum result;
    CHECK_OK(vr_function_call(heat, 3, arguments, 1, &result, &failure));
    const double* out = result.kind == VR_DATUM_ARRAY ? vr_ndarray_data(result.as.array) : NULL;
    CHECK(out && memcmp(out, v, sizeof v) == 0);
    vr_datum_release(&result, 1);
    vr_ndarray_release(a);
    vr_function_free(heat);
    vr_module_free(module);
    vr_engine_free(engine);
  }
  vr_tree_free(tree);
}

/* ---- every kind */
static const struct {
  const char* name;
  const char* word;
} all_kinds[] = {
#define VR_EXPR(Name, word) {#Name, word},
#define VR_STMT(Name, word) {#Name, word},
#include <velociraptor/ir/nodes.def>
};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

static void collect(const vr_node* node, char* seen) {
  seen[vr_node_kind(node)] = 1;
  for (size_t k = 0; k < vr_node_child_count(node); ++k) collect(vr_node_child(node, k), seen);
}

/* A function that uses each constructor at least once, without any VRIR text. */
static vr_tree* build_all(void) {
  vr_builder* b = builder("all");
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *i64 = vr_type_scalar(VR_INT64), *boolean = vr_type_scalar(VR_BOOL);
  const vr_type *c64 = vr_type_scalar(VR_FLOAT64 | VR_COMPLEX), *i32 = vr_type_scalar(VR_INT32);
  const vr_type* matrix = vr_type_array(VR_FLOAT64, 2, VR_LAYOUT_ROW_MAJOR);
  const vr_type* ints = vr_type_array(VR_INT64, 1, VR_LAYOUT_ROW_MAJOR);
  const vr_type* const two[] = {f64, i64};
  const vr_type* const square[] = {i64, i64};
  const vr_type *pair = vr_type_tuple(b, 2, two), *plane = vr_type_domain(b, 2, square);
  const vr_type* unary = vr_type_function(b, 1, &f64, 1, &f64);

  vr_fn* one = vr_builder_function(b, "one", 1, &f64);
  vr_fn_set_location(one, "all.c:1:1");
  vr_expr* p = vr_fn_parameter(one, "p", f64);
  vr_stmt_return(one, VR_LIST(vr_expr_mult(one, p, integer(one, 2))));
  vr_fn* both = vr_builder_function(b, "both", 2, two);
  vr_stmt_return(both, VR_LIST(vr_expr_float_const(both, 1.5, NULL), integer(both, 7)));

  vr_fn* f = vr_builder_function(b, "f", 0, NULL);
  vr_expr *a = vr_fn_parameter(f, "a", matrix), *z = vr_fn_variable(f, "z", c64), *t = vr_fn_variable(f, "t", pair);
  vr_expr *h = vr_fn_variable(f, "h", unary), *s = vr_fn_variable(f, "s", f64), *k = vr_fn_variable(f, "k", i64);
  vr_expr *m = vr_fn_variable(f, "m", matrix), *d = vr_fn_variable(f, "d", plane), *v = vr_fn_variable(f, "v", ints);
  vr_expr *q = vr_fn_variable(f, "q", boolean), *n = vr_fn_variable(f, "n", i32), *l = vr_fn_variable(f, "l", i64);
  vr_expr* whole = vr_expr_range(f, VR_UNSTATED, NULL, NULL, NULL);
  CHECK_INT(vr_expr_symbol(k), 5);
  CHECK_INT(vr_expr_symbol(vr_expr_name(f, 5)), 5);
  CHECK_INT(vr_expr_symbol(whole), -1);
  CHECK_INT(vr_node_kind(vr_expr_node(whole)), VR_KIND_RANGE);

  vr_stmt_assign(f, m, vr_expr_alloc(f, VR_ALLOC_ZEROS, f64, VR_LIST(integer(f, 3), integer(f, 4))));
  vr_stmt_assign(f, m, vr_expr_alloc(f, VR_ALLOC_ONES, matrix, VR_LIST(vr_expr_dimvec(f, a))));
  vr_stmt_assign(f, m, vr_expr_alloc(f, VR_ALLOC_EMPTY, f64, VR_LIST(integer(f, 3), integer(f, 4))));
  vr_stmt_assign(f, v, vr_expr_dimvec(f, a));
  vr_stmt_assign_all(f, VR_LIST(s, k), vr_expr_fncall(f, "both", 0, NULL));
  vr_stmt_assign(f, t, vr_expr_tuple(f, VR_LIST(s, k)));
  vr_stmt_assign(f, s, vr_expr_tuple_index(f, t, 0));
  vr_stmt_assign(f, h, vr_expr_fnhandle(f, "one", NULL));
  vr_stmt_assign(f, h, vr_expr_fnhandle(f, "sqrt", unary));
  vr_stmt_assign(f, s, vr_expr_fncall(f, "h", VR_LIST(s)));
  vr_stmt_assign(f, z, vr_expr_complex(f, s, vr_expr_float_const(f, 1, NULL)));
  vr_stmt_assign(f, z, vr_expr_complex_const(f, 1, -2, NULL));
  vr_stmt_assign(f, s, vr_expr_minus(f, vr_expr_real(f, z), vr_expr_imag(f, z)));
  vr_stmt_assign(f, n, vr_expr_cast(f, s, i32));
  vr_stmt_assign(f, s, vr_expr_as(f, vr_expr_div(f, k, integer(f, 2)), f64));
  vr_stmt_assign(f, s, vr_expr_negate(f, vr_expr_int_const(f, 3, f64)));
  vr_stmt_assign(f, k, vr_expr_dim(f, a, 1));
  vr_stmt_assign(f, d,
                 vr_expr_domain(f, VR_LIST(vr_expr_range(f, VR_YES, integer(f, 0), NULL, k),
                                           vr_expr_range(f, VR_NO, integer(f, 1), integer(f, 2), integer(f, 9)))));
  vr_stmt_assign(f, vr_expr_index(f, m, VR_LIST(whole, integer(f, 0))),
                 vr_expr_index(f, a, VR_LIST(whole, integer(f, 1))));
  const vr_subscript first = {integer(f, 0), 0, 0};
  vr_stmt_assign(f, k, vr_expr_xchange(f, VR_ATOMIC_ADD, v, 1, &first, VR_LIST(k)));
  static const int32_t operators[] = {VR_KIND_LT, VR_KIND_LEQ, VR_KIND_GT, VR_KIND_GEQ, VR_KIND_EQ, VR_KIND_NEQ};
  for (size_t o = 0; o < sizeof operators / sizeof *operators; ++o)
    vr_stmt_assign(f, q, vr_expr_binary(f, operators[o], k, l));
  vr_stmt_assign(f, q, vr_expr_or(f, vr_expr_and(f, q, vr_expr_not(f, q)), q));
  vr_stmt_for_begin(f, VR_LIST(k, l), d);
  vr_stmt_if_begin(f, vr_expr_gt(f, k, l));
  vr_stmt_break(f);
  vr_stmt_else(f);
  vr_stmt_continue(f);
  vr_stmt_end(f);
  vr_stmt_end(f);
  vr_stmt_pfor_begin(f, VR_LIST(k), vr_expr_range(f, VR_UNSTATED, integer(f, 0), NULL, integer(f, 4)), VR_LIST(v));
  vr_stmt_assign(f, vr_expr_index(f, v, VR_LIST(integer(f, 0))), integer(f, 1));
  vr_stmt_end(f);
  vr_stmt_while_begin(f, q);
  vr_stmt_list_begin(f, 0);
  vr_stmt_expr(f, vr_expr_libcall(f, "sum", VR_LIST(a), NULL));
  vr_stmt_if_begin(f, q);
  vr_stmt_raise(f, -4, "{} of {}", VR_LIST(k, l));
  vr_stmt_end(f);
  vr_stmt_assign(f, m, vr_expr_libcall(f, "eye", VR_LIST(integer(f, 3)), f64));
  vr_stmt_end(f);
  vr_stmt_assign(f, q, vr_expr_eq(f, k, vr_expr_plus(f, l, k)));
  vr_stmt_end(f);
  CHECK_INT(vr_stmt_return(f, 0, NULL), VR_OK);

  vr_tree* tree = NULL;
  CHECK_OK(vr_builder_finish(b, &tree, &failure));
  vr_builder_free(b);
  return tree;
}

void test_build_every_kind(void);
void test_build_every_kind(void) {
  vr_tree *tree = build_all(), *again = NULL;
  char seen[256] = {0};
  char* text = NULL;
  for (size_t f = 0; f < vr_tree_function_count(tree); ++f)
    for (size_t k = 0; k < vr_tree_statement_count(tree, f); ++k) collect(vr_tree_statement(tree, f, k), seen);
  for (int k = 0; k < KINDS; ++k) {
    int32_t number = 1;
    while (number < 256 && strcmp(vr_kind_name(number), all_kinds[k].name) != 0) ++number;
    if (number == 256) printf("no VR_KIND_ is called %s\n", all_kinds[k].name);
    CHECK(number < 256);
    if (number < 256 && !seen[number]) printf("no constructor of the C API made a %s\n", all_kinds[k].name);
    CHECK(number < 256 && seen[number]);
    CHECK_TEXT(vr_kind_word(number), all_kinds[k].word);
  }
  CHECK_OK(vr_tree_print(tree, &text, &failure));
  CHECK_OK(vr_tree_parse(NULL, text, VR_TO_NUL, NULL, &again, &failure));
  CHECK_INT(vr_tree_equal(tree, again), 1);
  CHECK_OK(vr_tree_verify(NULL, again, NULL, &failure));
  CHECK_HAS(text, ":loc \"all.c:1:1\"");
  vr_string_free(text);
  vr_tree_free(again);
  vr_tree_free(tree);
}

void test_build_attributes(void);
void test_build_attributes(void) {
  const vr_attr attrs[] = {{VR_ATTR_INDEXING, 1}, {VR_ATTR_EXCLUDE, 0},  {VR_ATTR_FLATTEN, 1},   {VR_ATTR_GROW, 1},
                           {VR_ATTR_ASSIGN, 1},   {VR_ATTR_SLICES, 1},   {VR_ATTR_NAN, 1},       {VR_ATTR_MEMORY, 0},
                           {VR_ATTR_MINDIMS, 1},  {VR_ATTR_FASTMATH, 3}, {VR_ATTR_BROADCAST, 1}, {VR_ATTR_VERSION, 1}};
  vr_builder* b = NULL;
  CHECK_OK(vr_builder_create("attrs", sizeof attrs / sizeof *attrs, attrs, NULL, &b, &failure));
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *vector = vr_type_array(VR_FLOAT64, 1, VR_LAYOUT_COL_MAJOR);
  vr_fn* f = vr_builder_function(b, "last", 1, &f64);
  vr_expr* a = vr_fn_parameter(f, "a", vector);
  const vr_subscript s = {integer(f, 0),
                          VR_SUBSCRIPT_NEGATIVE | VR_SUBSCRIPT_NO_UPPER_CHECK | VR_SUBSCRIPT_NO_LOWER_CHECK, 0};
  const vr_subscript grown = {integer(f, 9), VR_SUBSCRIPT_GROW, 0}, fixed = {integer(f, 1), VR_SUBSCRIPT_NO_GROW, 0};
  vr_stmt_assign(f, vr_expr_index_with(f, a, 1, &grown, VR_UNSTATED, VR_UNSTATED), vr_expr_float_const(f, 5, NULL));
  vr_stmt_assign(f, vr_expr_index_with(f, a, 1, &fixed, VR_YES, VR_NO), vr_expr_float_const(f, 5, NULL));
  vr_stmt_return(f, VR_LIST(vr_expr_index_with(f, a, 1, &s, VR_NO, VR_YES)));
  vr_tree *tree = NULL, *again = NULL;
  char* text = NULL;
  CHECK_OK(vr_builder_finish(b, &tree, &failure));
  vr_builder_free(b);
  CHECK_OK(vr_tree_print(tree, &text, &failure));
  static const char* const parts[] = {":vrir 1",
                                      ":indexing 1",
                                      ":exclude %0",
                                      ":flatten %1",
                                      ":grow %1",
                                      ":assign copy",
                                      ":slices copy",
                                      ":nan omit",
                                      ":memory refcount",
                                      ":mindims 1",
                                      ":fastmath reassoc contract",
                                      ":broadcast leading",
                                      ":copyslice %0",
                                      ":negative %1",
                                      ":grow %0",
                                      ":copyslice %1"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) CHECK_HAS(text, parts[k]);
  CHECK_OK(vr_tree_parse(NULL, text, VR_TO_NUL, NULL, &again, &failure));
  CHECK_INT(vr_tree_equal(tree, again), 1);
  vr_string_free(text);
  vr_tree_free(tree);
  vr_tree_free(again);

  const vr_attr wrong_value = {VR_ATTR_MINDIMS, 3}, wrong_attr = {99, 0};
  CHECK_FAILS(vr_builder_create("m", 1, &wrong_value, NULL, &b, &failure), VR_USAGE, "3");
  CHECK_FAILS(vr_builder_create("m", 1, &wrong_attr, NULL, &b, &failure), VR_USAGE, "99");
  CHECK_FAILS(vr_builder_create("m", 1, NULL, NULL, &b, &failure), VR_USAGE, "'attrs' is NULL");
}

void test_build_faults(void);
void test_build_faults(void) {
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *c64 = vr_type_scalar(VR_FLOAT64 | VR_COMPLEX);
  const vr_type* matrix = vr_type_array(VR_FLOAT64, 2, VR_LAYOUT_ROW_MAJOR);
  vr_builder* b = builder("m");
  vr_fn *f = vr_builder_function(b, "f", 1, &f64), *g = vr_builder_function(b, "g", 0, NULL);
  vr_expr *x = vr_fn_parameter(f, "x", f64), *a = vr_fn_parameter(f, "a", matrix), *z = vr_fn_parameter(f, "z", c64);
  CHECK(vr_expr_lt(f, z, x) == NULL); /* complex numbers have no order */
  CHECK_INT(vr_builder_status(b), VR_VERIFY);
  CHECK_INT(vr_stmt_assign(f, x, vr_expr_plus(f, vr_expr_libcall(f, "sqroot", VR_LIST(x), NULL), x)), VR_VERIFY);
  vr_stmt_assign(f, x, x);
  CHECK(vr_expr_index(f, vr_expr_plus(f, a, x), VR_LIST(x)) == NULL); /* not a variable */
  CHECK(vr_expr_index(f, a, VR_LIST(integer(f, 0), integer(f, 0), integer(f, 0))) == NULL);
  CHECK(vr_expr_negate(g, x) == NULL); /* of another function */
  CHECK(vr_expr_int_const(f, 1, matrix) == NULL);
  CHECK(vr_expr_as(f, z, f64) == NULL);
  CHECK(vr_expr_name(f, 77) == NULL);
  CHECK(vr_expr_binary(f, VR_KIND_PFOR, x, x) == NULL);
  CHECK(vr_expr_alloc(f, 5, f64, VR_LIST(integer(f, 1))) == NULL);
  CHECK(vr_expr_range(f, 7, NULL, NULL, NULL) == NULL);
  const vr_subscript odd = {integer(f, 0), VR_SUBSCRIPT_GROW | VR_SUBSCRIPT_NO_GROW, 0};
  CHECK(vr_expr_index_with(f, a, 1, &odd, VR_UNSTATED, VR_UNSTATED) == NULL);
  CHECK(vr_expr_xchange(f, 12, a, 1, &odd, VR_LIST(x)) == NULL);
  vr_stmt_return(f, VR_LIST(x));
  static const char* const rules[] = {"type-mismatch",  "unknown-function", "not-a-variable",  "subscript-count",
                                      "wrong-function", "stated-type",      "stated-type",     "unknown-id",
                                      "type-mismatch",  "attribute-value",  "attribute-value", "attribute-value",
                                      "attribute-value"};
  const size_t count = sizeof rules / sizeof *rules;
  vr_failure* failure = NULL;
  vr_tree* tree = NULL;
  CHECK_INT(vr_builder_finish(b, &tree, &failure), VR_VERIFY);
  const vr_diagnostics* list = vr_failure_diagnostics(failure);
  CHECK_INT(vr_diagnostics_count(list), count);
  for (size_t k = 0; k < count && k < vr_diagnostics_count(list); ++k)
    CHECK_TEXT(vr_diagnostics_at(list, k)->rule, rules[k]);
  if (vr_diagnostics_count(list) == count) {
    CHECK_TEXT(vr_diagnostics_at(list, 1)->hint, "did you mean 'sqrt'?");
    CHECK_TEXT(vr_diagnostics_at(list, 3)->path, "function f/1");
    CHECK_TEXT(vr_diagnostics_at(list, 4)->path, "function g/0");
  }
  vr_failure_free(failure);
  vr_builder_free(b);

  /* Errors that are visible only at the end are found by the verifier. */
  b = builder("m");
  f = vr_builder_function(b, "f", 1, &f64);
  CHECK_INT(vr_stmt_break(f), VR_OK);
  CHECK_FAILS(vr_builder_finish(b, &tree, &failure), VR_VERIFY, "missing-return");
  /* The builder is finished: nothing can be added. */
  CHECK_INT(vr_stmt_break(f), VR_USAGE);
  CHECK(vr_expr_int_const(f, 1, NULL) == NULL);
  CHECK(vr_builder_function(b, "g", 0, NULL) == NULL);
  vr_builder_free(b);

  /* NULL as an operand is an error of its own if there was no other error. */
  b = builder("m");
  f = vr_builder_function(b, "f", 0, NULL);
  CHECK(vr_expr_negate(f, NULL) == NULL);
  CHECK_FAILS(vr_builder_finish(b, &tree, &failure), VR_VERIFY, "an operand of 'negate' is NULL");
  vr_builder_free(b);
}

void test_build_blocks(void);
void test_build_blocks(void) {
  vr_builder* b = builder("m");
  vr_fn* f = vr_builder_function(b, "f", 0, NULL);
  vr_tree* tree = NULL;
  CHECK_INT(vr_stmt_end(f), VR_VERIFY);
  CHECK_INT(vr_stmt_else(f), VR_VERIFY);
  vr_stmt_list_begin(f, 0);
  CHECK_INT(vr_stmt_else(f), VR_VERIFY);
  vr_failure* failure = NULL;
  CHECK_INT(vr_builder_finish(b, &tree, &failure), VR_VERIFY);
  const vr_diagnostics* list = vr_failure_diagnostics(failure);
  CHECK_INT(vr_diagnostics_count(list), 4);
  for (size_t k = 0; k < 3 && k < vr_diagnostics_count(list); ++k)
    CHECK_TEXT(vr_diagnostics_at(list, k)->rule, "no-open-block");
  CHECK_HAS(vr_failure_text(failure), "1 block of 'f' is not closed");
  vr_failure_free(failure);
  vr_builder_free(b);

  /* A block with an error in its head must still be closed. */
  b = builder("m");
  f = vr_builder_function(b, "f", 0, NULL);
  vr_stmt_while_begin(f, vr_expr_name(f, 3));
  vr_stmt_if_begin(f, NULL);
  vr_stmt_else(f);
  vr_stmt_end(f);
  vr_stmt_end(f);
  CHECK_INT(vr_builder_finish(b, &tree, &failure), VR_VERIFY);
  CHECK_INT(vr_diagnostics_count(vr_failure_diagnostics(failure)), 1);
  vr_failure_free(failure);
  vr_builder_free(b);
}

/* Calls that would make the library recurse or grow without limit are errors. */
void test_build_limits(void);
void test_build_limits(void) {
  vr_builder* b = builder("m");
  vr_fn* f = vr_builder_function(b, "f", 0, NULL);
  vr_expr* e = integer(f, 1);
  int depth = 0;
  while (e && depth < 100000) e = vr_expr_negate(f, e), ++depth;
  CHECK(e == NULL && depth <= 1000);
  vr_builder_free(b);

  b = builder("m");
  f = vr_builder_function(b, "f", 0, NULL);
  e = integer(f, 1);
  int doublings = 0;
  while (e && doublings < 100) e = vr_expr_plus(f, e, e), ++doublings;
  CHECK(e == NULL && doublings <= 20);
  vr_builder_free(b);

  b = builder("m");
  f = vr_builder_function(b, "f", 0, NULL);
  for (int k = 0; k < 5000; ++k) vr_stmt_list_begin(f, 0);
  for (int k = 0; k < 5000; ++k) vr_stmt_end(f);
  vr_tree* tree = NULL;
  CHECK_FAILS(vr_builder_finish(b, &tree, &failure), VR_VERIFY, "too-deep");
  vr_builder_free(b);

  b = builder("m");
  f = vr_builder_function(b, "f", 0, NULL);
  e = integer(f, 1);
  for (int k = 0; k < 16; ++k) e = vr_expr_plus(f, e, e);
  for (int k = 0; k < 16 && vr_stmt_expr(f, e) == VR_OK; ++k) {}
  CHECK_FAILS(vr_builder_finish(b, &tree, &failure), VR_VERIFY, "too-large");
  vr_builder_free(b);
}
