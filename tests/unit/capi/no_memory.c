/* Each allocation of a piece of work fails once, one after the other: the library must return VR_OUT_OF_MEMORY and stay
   usable. This is a program of its own, because it replaces malloc. (Not covered: parsing and LLVM.) */
#include <stdio.h>
#include <stdlib.h>
#include <velociraptor/velociraptor.h>

extern void* __libc_malloc(size_t bytes);
static long left = -1; /* allocations until the one that fails; -1: none does */

void* malloc(size_t bytes) {
  if (left >= 0 && left-- == 0) return NULL;
  return __libc_malloc(bytes);
}

static const char text[] =
    "(module :name m (fns (function :name pick (functype (intypes (arraytype :layout strided :ndims 1 (float64)) "
    "(int64))"
    " (outtypes (float64))) (arglist 0 1) (body (returnstmt (exprs (index :arrayid 0 (float64) (indices (index"
    " (name :id 1 (int64)))))))) (symtable (sym :id 0 :name a (arraytype :layout strided :ndims 1 (float64)))"
    " (sym :id 1 :name k (int64))))))";
static vr_tree* tree;

static vr_status build(vr_failure** failure) {
  vr_builder* b = NULL;
  vr_tree* built = NULL;
  char* printed = NULL;
  vr_status s = vr_builder_create("a name that is too long to be stored in place", 0, NULL, NULL, &b, failure);
  if (s != VR_OK) return s;
  const vr_type *f64 = vr_type_scalar(VR_FLOAT64), *vector = vr_type_array(VR_FLOAT64, 1, VR_LAYOUT_STRIDED);
  const vr_type* pair = vr_type_tuple(b, 1, &vector);
  vr_fn* f = vr_builder_function(b, "double each element of a vector", 1, &vector);
  vr_expr *a = vr_fn_parameter(f, "a", vector), *i = vr_fn_variable(f, "i", vr_type_scalar(VR_INT64));
  vr_fn_variable(f, "t", pair);
  vr_stmt_location(f, "a place whose name is long: 1:1");
  vr_stmt_for_begin(f, VR_LIST(i), vr_expr_range(f, VR_YES, vr_expr_int_const(f, 0, NULL), NULL, vr_expr_dim(f, a, 0)));
  vr_stmt_assign(f, vr_expr_index(f, a, VR_LIST(i)),
                 vr_expr_mult(f, vr_expr_float_const(f, 2, f64), vr_expr_index(f, a, VR_LIST(i))));
  vr_stmt_end(f);
  vr_stmt_return(f, VR_LIST(a));
  s = vr_builder_finish(b, &built, failure);
  vr_builder_free(b);
  if (s == VR_OK) s = vr_tree_print(built, &printed, failure);
  vr_string_free(printed);
  vr_tree_free(built);
  return s;
}

/* Ends with VR_OUT_OF_BOUNDS if there is memory, so that failures with records are created, too. */
static vr_status call(vr_failure** failure) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  vr_module* module = NULL;
  vr_function* pick = NULL;
  vr_ndarray* a = NULL;
  double values[] = {1, 2};
  const int64_t extent = 2;
  vr_status s = vr_options_create(&options, failure);
  if (s == VR_OK) s = vr_options_set_target(options, VR_TARGET_INTERP, failure);
  if (s == VR_OK) s = vr_engine_create(options, NULL, &engine, failure);
  if (s == VR_OK) s = vr_tree_verify(engine, tree, NULL, failure);
  if (s == VR_OK) s = vr_module_load_tree(engine, tree, &module, failure);
  if (s == VR_OK) s = vr_module_function(module, "pick", &pick, failure);
  if (s == VR_OK) s = vr_ndarray_borrow(values, VR_FLOAT64, 1, &extent, NULL, &a, failure);
  if (s == VR_OK) {
    const vr_datum arguments[] = {vr_datum_array(a), vr_datum_i64(2)};
    vr_datum result;
    s = vr_function_call(pick, 2, arguments, 1, &result, failure);
    vr_datum_release(&result, 1);
  }
  vr_ndarray_release(a);
  vr_function_free(pick);
  vr_module_free(module);
  vr_engine_free(engine);
  vr_options_free(options);
  return s;
}

/* The number of allocations that failed; -1 if something else happened. `done`: the status of the work if no allocation
   fails. */
static long exhaust(vr_status (*work)(vr_failure**), vr_status done) {
  long refused = 0;
  for (long k = 0; k < 100000; ++k) {
    vr_failure* failure = NULL;
    left = k;
    const vr_status s = work(&failure);
    const int all = left >= 0; /* the work needs no more than k allocations */
    left = -1;
    const int agree = vr_failure_code(failure) == s;
    if (!agree || (s != done && s != VR_OUT_OF_MEMORY)) {
      printf("allocation %ld: status %d, failure %s\n", k, s, vr_failure_text(failure));
      return -1;
    }
    refused += s == VR_OUT_OF_MEMORY;
    vr_failure_free(failure);
    if (all) return s == done ? refused : -1;
  }
  return -1;
}

int main(void) {
  if (vr_tree_parse(NULL, text, VR_TO_NUL, NULL, &tree, NULL) != VR_OK) return 1;
  if (build(NULL) != VR_OK || call(NULL) != VR_OUT_OF_BOUNDS) return 1; /* objects that are made once are made now */
  const long building = exhaust(build, VR_OK), calling = exhaust(call, VR_OUT_OF_BOUNDS);
  printf("memory ran out %ld times while building, %ld times while loading and calling\n", building, calling);
  vr_tree_free(tree);
  return building > 50 && calling > 20 ? 0 : 1;
}
