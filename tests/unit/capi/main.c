/* unit_capi NAME runs one test, unit_capi all of them. The tests are in the other files; CMakeLists.txt lists their
 * names. */
#include "check.h"

int failed_checks = 0;

#define TEST(name) void test_##name(void);
#include "tests.def"
#undef TEST

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {
#define TEST(name) {#name, test_##name},
#include "tests.def"
#undef TEST
};

vr_engine* engine_on(int32_t target) {
  vr_options* options = NULL;
  vr_engine* engine = NULL;
  CHECK_OK(vr_options_create(&options, &failure));
  CHECK_OK(vr_options_set_target(options, target, &failure));
  CHECK_OK(vr_engine_create(options, NULL, &engine, &failure));
  vr_options_free(options);
  if (!engine) exit(1);
  return engine;
}

vr_module* loaded(const vr_engine* engine, const char* text) {
  vr_module* module = NULL;
  CHECK_OK(vr_module_load_text(engine, text, VR_TO_NUL, NULL, &module, &failure));
  if (!module) exit(1);
  return module;
}

vr_function* function_of(const vr_engine* engine, const char* text, const char* name) {
  vr_module* module = loaded(engine, text);
  vr_function* function = NULL;
  CHECK_OK(vr_module_function(module, name, &function, &failure));
  vr_module_free(module);
  if (!function) exit(1);
  return function;
}

#define F64 "(float64)"
#define I64 "(int64)"
#define VECTOR "(arraytype :layout strided :ndims 1 (float64))"
#define MATRIX "(arraytype :layout rowmajor :ndims 2 (float64))"
#define NAME(id, type) "(name :id " #id " " type ")"

const char scale_text[] =
    "(module :name scale (fns (function :name scale (functype (intypes " MATRIX F64 ") (outtypes " MATRIX ")) (arglist 0 1)\n"
    "  (body\n"
    "    (assignstmt (lhs " NAME(2, MATRIX) ") (rhs (mult " MATRIX " (lhs " NAME(0, MATRIX) ") (rhs " NAME(1, F64) "))))\n"
    "    (returnstmt (exprs " NAME(2, MATRIX) ")))\n"
    "  (symtable (sym :id 0 :name a " MATRIX ") (sym :id 1 :name x " F64 ") (sym :id 2 :name b " MATRIX ")))))\n";

const char pick_text[] =
    "(module :name pick (fns (function :name pick (functype (intypes " VECTOR I64 ") (outtypes " F64 ")) (arglist 0 1)\n"
    "  (body\n"
    "    (returnstmt (exprs (index :arrayid 0 " F64 " (indices (index " NAME(1, I64) "))))))\n"
    "  (symtable (sym :id 0 :name prices " VECTOR ") (sym :id 1 :name k " I64 ")))))\n";

const char swap_text[] =
    "(module :name swap (fns (function :name swap (functype (intypes " I64 VECTOR ") (outtypes " VECTOR I64 ")) (arglist 0 1)\n"
    "  (body (returnstmt (exprs " NAME(1, VECTOR) NAME(0, I64) ")))\n"
    "  (symtable (sym :id 0 :name x " I64 ") (sym :id 1 :name a " VECTOR ")))))\n";

int main(int argc, char** argv) {
  const size_t count = sizeof tests / sizeof *tests;
  size_t ran = 0;
  for (size_t k = 0; k < count; ++k) {
    if (argc > 1 && strcmp(argv[1], tests[k].name) != 0) continue;
    const int before = failed_checks;
    tests[k].run();
    printf("%s: %s\n", tests[k].name, failed_checks == before ? "passed" : "failed");
    ++ran;
  }
  if (ran == 0) printf("no such test\n");
  return ran > 0 && failed_checks == 0 ? 0 : 1;
}
