// A library to preload (LD_PRELOAD). It makes the Nth call that can fail for lack of memory, threads or files fail,
// either once or from there on. Counted are malloc and similar functions, mmap, pthread_create, and functions that
// open, read, write or rename files; only while armed. Nothing here allocates.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

std::atomic<long> calls{0}, fails_at{0}, failed{0};
std::atomic<bool> armed{false}, for_ever{false};

// Calls from these libraries are not counted: they are third-party libraries that crash after a failure.
struct Range {
  uintptr_t low, high;
};
Range spared[64];
std::atomic<int> spared_count{0};

bool is_spared(const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(caller);
  for (int k = 0; k < spared_count.load(std::memory_order_acquire); ++k)
    if (spared[k].low <= at && at < spared[k].high) return true;
  return false;
}

bool fails(const void* caller) {
  if (!armed.load(std::memory_order_relaxed) || is_spared(caller)) return false;
  const long at = fails_at.load(), call = ++calls;
  const bool now = at > 0 && (for_ever.load() ? call >= at : call == at);
  if (now) ++failed;
  return now;
}
#define FAILS fails(__builtin_return_address(0))

/// The replaced function; looked up at the first call, which may precede the initialisation of this library.
template <class F>
F* next(F*& known, const char* name) {
  if (!known) known = reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
  return known;
}
decltype(pthread_create)* real_pthread_create = nullptr;
FILE* (*real_fopen)(const char*, const char*) = nullptr;

template <class R>
R no_memory(R value) {
  errno = ENOMEM;
  return value;
}

bool contains_one(const char* path, const char* parts) {
  char part[64];
  while (*parts) {
    const char* end = strchrnul(parts, ',');
    const size_t n = static_cast<size_t>(end - parts);
    if (n > 0 && n < sizeof part) {
      std::memcpy(part, parts, n);
      part[n] = 0;
      if (std::strstr(path, part)) return true;
    }
    parts = *end ? end + 1 : end;
  }
  return false;
}

int add_if_named(dl_phdr_info* info, size_t, void* names) {
  char program[512] = "";
  const char* path = info->dlpi_name;
  if (!*path) {  // the program itself
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0) program[n] = 0;
    path = program;
  }
  if (!contains_one(path, static_cast<const char*>(names))) return 0;
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto& segment = info->dlpi_phdr[k];
    const int n = spared_count.load();
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || n == 64) continue;
    spared[n] = {info->dlpi_addr + segment.p_vaddr, info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
    spared_count.store(n + 1, std::memory_order_release);
  }
  return 0;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// ---- functions that the test calls
/// Arms the library: call number `at`, counted from now on, fails (0: none); with `ever` all later calls fail, too.
void vr_faults_arm(long at, int ever) {
  calls = 0;
  failed = 0;
  for_ever = ever != 0;
  fails_at = at;
  armed = true;
}
/// Disarms the library; returns the number of calls since vr_faults_arm.
long vr_faults_disarm() {
  armed = false;
  return calls;
}
long vr_faults_failed() { return failed; }
/// Calls from libraries with one of these in their path ("libopenblas,libtbb") are not counted.
void vr_faults_spare(const char* names) { dl_iterate_phdr(add_if_named, const_cast<char*>(names)); }

// ---- memory
void* malloc(size_t n) { return FAILS ? no_memory<void*>(nullptr) : __libc_malloc(n); }
void* calloc(size_t n, size_t size) { return FAILS ? no_memory<void*>(nullptr) : __libc_calloc(n, size); }
void* realloc(void* p, size_t n) { return FAILS ? no_memory<void*>(nullptr) : __libc_realloc(p, n); }
void* memalign(size_t a, size_t n) { return FAILS ? no_memory<void*>(nullptr) : __libc_memalign(a, n); }
void* aligned_alloc(size_t a, size_t n) { return FAILS ? no_memory<void*>(nullptr) : __libc_memalign(a, n); }
int posix_memalign(void** out, size_t a, size_t n) {
  void* p = FAILS ? nullptr : __libc_memalign(a, n);
  if (!p) return ENOMEM;
  *out = p;
  return 0;
}
void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) {
  if (FAILS) return no_memory<void*>(MAP_FAILED);
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, fd, offset));
}
void* mmap64(void* at, size_t n, int protection, int flags, int fd, off_t offset) {
  if (FAILS) return no_memory<void*>(MAP_FAILED);
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, fd, offset));
}
int mprotect(void* at, size_t n, int protection) noexcept {
  return FAILS ? no_memory(-1) : static_cast<int>(syscall(SYS_mprotect, at, n, protection));
}

// ---- threads
int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*run)(void*), void* arg) {
  return FAILS ? EAGAIN : next(real_pthread_create, "pthread_create")(thread, attr, run, arg);
}

// ---- files
int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, int) : 0;
  va_end(list);
  if (FAILS) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat(int dir, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, int) : 0;
  va_end(list);
  if (FAILS) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(syscall(SYS_openat, dir, path, flags, mode));
}
FILE* fopen(const char* path, const char* mode) {
  if (FAILS) {
    errno = EMFILE;
    return nullptr;
  }
  return next(real_fopen, "fopen")(path, mode);
}
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));
ssize_t read(int fd, void* to, size_t n) {
  if (FAILS) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_read, fd, to, n);
}
ssize_t write(int fd, const void* from, size_t n) {
  if (FAILS) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, fd, from, n);
}
int rename(const char* from, const char* to) noexcept {
  if (FAILS) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(syscall(SYS_rename, from, to));
}
int ftruncate(int fd, off_t n) noexcept {
  if (FAILS) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(syscall(SYS_ftruncate, fd, n));
}

}  // extern "C"
#pragma GCC visibility pop
