// runtime/stand_ins: strings are joined as Fortran joins them, and random numbers differ.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void _gfortran_concat_string(size_t size, char* to, size_t first_size, const char* first, size_t second_size,
                             const char* second);
uint32_t arc4random(void);

static int wrong(size_t size, const char* first, const char* second, const char* wanted) {
  char to[9] = "????????";
  _gfortran_concat_string(size, to, strlen(first), first, strlen(second), second);
  if (memcmp(to, wanted, size) == 0 && to[size] == '?') return 0;
  printf("'%s' // '%s' in %zu characters is '%.*s', not '%s'\n", first, second, size, (int)size, to, wanted);
  return 1;
}

int main(void) {
  int faults = wrong(2, "N", "T", "NT") + wrong(5, "N", "T", "NT   ") + wrong(1, "N", "T", "N") + wrong(3, "abcd", "x", "abc") +
               wrong(3, "", "xy", "xy ") + wrong(4, "ab", "cdef", "abcd") + wrong(0, "a", "b", "");
  int different = 0;
  for (int k = 0; k < 8; ++k) different += arc4random() != arc4random();
  if (different == 0) faults += puts("the same random number sixteen times") > 0;
  return faults != 0;
}
