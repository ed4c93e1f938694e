// What static libraries call and a wheel cannot bring along; linked with VR_STATIC_DEPENDENCIES only.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

/// The Fortran operator `//` under gfortran's name for it: the one function of libgfortran that the LAPACK in OpenBLAS calls,
/// to join option letters. libgfortran.a is no position-independent code, and the shared one brings libquadmath along.
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

/// LLVM takes the numbers in names of temporary files from here. The C library has it from glibc 2.36 on, and nothing else
/// in a wheel needs one younger than 2.35.
uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) < 0 && errno == EINTR) {}
  return number;
}
