/* Doubles a vector: load a program, call it on memory of ours, look at what goes wrong. */
#include <stdio.h>
#include <velociraptor/velociraptor.h>

static const char text[] =
    "(module :name m (fns (function :name times"
    "  (functype (intypes (arraytype :layout strided :ndims 1 (float64)) (float64))"
    "            (outtypes (arraytype :layout rowmajor :ndims 1 (float64))))"
    "  (arglist 0 1)"
    "  (body (returnstmt (exprs (mult (arraytype :layout rowmajor :ndims 1 (float64))"
    "    (lhs (name :id 0 (arraytype :layout strided :ndims 1 (float64)))) (rhs (name :id 1 (float64)))))))"
    "  (symtable (sym :id 0 :name a (arraytype :layout strided :ndims 1 (float64))) (sym :id 1 :name x (float64))))))";

int main(void) {
  vr_failure* failure = NULL;
  vr_engine* engine = NULL;
  vr_module* module = NULL;
  vr_function* times = NULL;
  vr_ndarray* a = NULL;
  vr_datum result = vr_datum_none();
  double memory[] = {1, 2, 3};
  const int64_t extent = 3;

  vr_status s = vr_engine_create(NULL, NULL, &engine, &failure);
  if (s == VR_OK) s = vr_module_load_text(engine, text, VR_TO_NUL, "example", &module, &failure);
  if (s == VR_OK) s = vr_module_function(module, "times", &times, &failure);
  if (s == VR_OK) s = vr_ndarray_borrow(memory, VR_FLOAT64, 1, &extent, NULL, &a, &failure);
  if (s == VR_OK) {
    const vr_datum arguments[] = {vr_datum_array(a), vr_datum_f64(2)};
    s = vr_function_call(times, 2, arguments, 1, &result, &failure);
  }
  if (s == VR_OK) {
    const double* out = vr_ndarray_data(result.as.array);
    printf("%g %g %g\n", out[0], out[1], out[2]);
  } else {
    printf("%s\n", vr_failure_text(failure));
  }

  vr_datum_release(&result, 1);
  vr_ndarray_release(a);
  vr_function_free(times);
  vr_module_free(module);
  vr_engine_free(engine);
  vr_failure_free(failure);
  return s == VR_OK ? 0 : 1;
}
