/* What tcc lacks of GCC's atomic operations, which emitted C uses (batch.cpp). Only for x86-64. */
#ifndef AHEAD_OF_TIME_TCC_H
#define AHEAD_OF_TIME_TCC_H
#include <stddef.h>
#include <stdint.h>

#define __ATOMIC_RELAXED 0
#define __atomic_load_n(p, order) (*(p)) /* aligned loads are atomic */
#define __atomic_compare_exchange_n(p, seen, next, weak, success, failure) \
  tcc_compare_exchange((p), (seen), sizeof *(p), (uint64_t)(next))

static int tcc_compare_exchange(void* p, void* seen, size_t bytes, uint64_t next) {
  unsigned char equal;
  if (bytes == 8) {
    uint64_t old = *(uint64_t*)seen;
    __asm__ __volatile__("lock; cmpxchgq %3, %1; sete %0"
                         : "=q"(equal), "+m"(*(uint64_t*)p), "+a"(old)
                         : "r"(next)
                         : "memory");
    *(uint64_t*)seen = old;
  } else {
    uint32_t old = *(uint32_t*)seen, value = (uint32_t)next;
    __asm__ __volatile__("lock; cmpxchgl %3, %1; sete %0"
                         : "=q"(equal), "+m"(*(uint32_t*)p), "+a"(old)
                         : "r"(value)
                         : "memory");
    *(uint32_t*)seen = old;
  }
  return equal;
}
#endif
