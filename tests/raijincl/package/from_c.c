#include <raijincl/raijincl.h>

int from_c(void) {
  raijincl_context context = NULL;
  return raijincl_create(NULL, NULL, NULL, &context) == 0 || context != NULL;
}
