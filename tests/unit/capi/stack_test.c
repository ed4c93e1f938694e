/* Recursion on a stack that is not the thread's own (vr_thread_stack). */
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <ucontext.h>

static const char* const depth_text =
    "(module :name depth (fns (function :name f (functype (intypes (int64)) (outtypes (int64))) (arglist 0)"
    " (body"
    "  (ifstmt (test (leq (bool) (lhs (name :id 0 (int64))) (rhs (realconst :ival 0 (int64)))))"
    "   (if (returnstmt (exprs (realconst :ival 0 (int64))))))"
    "  (returnstmt (exprs (plus (int64) (lhs (realconst :ival 1 (int64)))"
    "   (rhs (fncall :fnname f (int64) (args (minus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64))))))))))) "
    " (symtable (sym :id 0 :name n (int64))))))";

static vr_function* f;
static ucontext_t before, inside;
static vr_status shallow, deep;
static vr_datum shallow_result, deep_result;

static void coroutine(void) {
  vr_failure* failure = NULL;
  vr_datum n = vr_datum_i64(200);
  shallow = vr_function_call(f, 1, &n, 1, &shallow_result, &failure);
  vr_failure_free(failure);
  failure = NULL;
  n = vr_datum_i64(10000000);
  deep = vr_function_call(f, 1, &n, 1, &deep_result, &failure);
  vr_failure_free(failure);
}

void test_stacks(void);
void test_stacks(void) {
  const size_t size = (size_t)1 << 20;
  vr_engine* engine = engine_on(VR_TARGET_CPU);
  f = function_of(engine, depth_text, "f");
  char* stack = malloc(size);
  CHECK(stack != NULL);
  vr_thread_stack(stack, size);
  CHECK(getcontext(&inside) == 0);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = size;
  inside.uc_link = &before;
  makecontext(&inside, coroutine, 0);
  CHECK(swapcontext(&before, &inside) == 0);
  vr_thread_stack(NULL, 0);
  CHECK_INT(shallow, VR_OK);
  CHECK_INT(shallow_result.as.scalar.i64, 200);
  CHECK_INT(deep, VR_STACK);
  CHECK_INT(deep_result.kind, VR_DATUM_NONE);
  free(stack);
  vr_function_free(f);
  vr_engine_free(engine);
}
