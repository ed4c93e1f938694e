// Functions that static libraries call and that a wheel cannot contain; linked only with VR_STATIC_DEPENDENCIES.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

/// The Fortran operator `//` under gfortran's name for it: the only function of libgfortran that the LAPACK in OpenBLAS
/// calls, to concatenate option letters. libgfortran.a is not position-independent code, and the shared library
/// requires libquadmath.
void _gfortran_concat_string(size_t size, char* to, size_t first_size, const char* first, size_t second_size,
                             const char* second);
void _gfortran_concat_string(size_t size, char* to, size_t first_size, const char* first, size_t second_size,
                             const char* second) {
  const size_t a = first_size < size ? first_size : size;
  const size_t b = second_size < size - a ? second_size : size - a;
  memcpy(to, first, a);
  memcpy(to + a, second, b);
  memset(to + a + b, ' ', size - a - b);
}

/// LLVM uses this function for the numbers in names of temporary files. The C library has it since glibc 2.36;
/// everything else in a wheel works with glibc 2.35.
uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) < 0 && errno == EINTR) {}
  return number;
}
