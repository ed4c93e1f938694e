#include "codegen/llvm/fatal.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <csetjmp>
#include <cstdlib>
#include <mutex>

namespace vr::codegen::llvm_backend {
namespace {

struct Catcher {
  std::jmp_buf back;
  char text[512];
};
thread_local Catcher* current = nullptr;

// LLVM is built without exceptions and its handlers must not return, so the way back is a jump. On a thread that is not
// compiling for us the handler returns, and LLVM does what it would have done without it.
void on_fatal_error(void*, const char* reason, bool) {
  Catcher* c = current;
  if (!c) return;
  size_t n = 0;
  for (; reason && reason[n] && n + 1 < sizeof c->text; ++n) c->text[n] = reason[n];
  c->text[n] = 0;
  std::longjmp(c->back, 1);
}

// LLVM's own end for an allocation that failed is abort(); it stays so on threads that are not compiling for us.
void on_bad_alloc(void* self, const char* reason, bool diagnostics) {
  on_fatal_error(self, reason && *reason ? reason : "out of memory", diagnostics);
  std::abort();
}

void install_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
  });
}

// Apart from catch_fatal_errors, so that no object with a destructor lives in the frame that is jumped to.
bool run(Catcher& catcher, const std::function<void()>& work) {
  if (setjmp(catcher.back) != 0) return false;
  work();
  return true;
}

}  // namespace

std::string catch_fatal_errors(const std::function<void()>& work) {
  install_once();
  Catcher catcher;
  Catcher* outer = current;
  current = &catcher;
  const bool ok = run(catcher, work);
  current = outer;
  if (ok) return {};
  return catcher.text[0] ? std::string(catcher.text) : std::string("unknown fatal error of LLVM");
}

}  // namespace vr::codegen::llvm_backend
