#include "codegen/llvm/fatal.hpp"

#include "support/memory_reserve.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/PrettyStackTrace.h>

#include <csetjmp>
#include <cstdlib>
#include <mutex>
#include <new>

namespace vr::codegen::llvm_backend {
namespace {

struct Catcher {
  std::jmp_buf back;
  char text[512];
};
thread_local Catcher* current = nullptr;

// LLVM is built without exceptions and its handlers must not return, so they leave by longjmp. On a thread that is not in
// catch_fatal_errors the handler returns, and LLVM does what it would have done without the handler.
void on_fatal_error(void*, const char* reason, bool) {
  Catcher* c = current;
  if (!c) return;
  size_t n = 0;
  for (; reason && reason[n] && n + 1 < sizeof c->text; ++n) c->text[n] = reason[n];
  c->text[n] = 0;
  std::longjmp(c->back, static_cast<int>(Ending::Kind::Fatal));
}

void on_no_memory() {
  if (current) std::longjmp(current->back, static_cast<int>(Ending::Kind::NoMemory));
}

// LLVM's own reaction to a failed allocation is abort(); it remains so on threads that are not in catch_fatal_errors.
void on_bad_alloc(void*, const char*, bool) {
  on_no_memory();
  std::abort();
}

void install_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
  });
}

// A function of its own, so that no object with a destructor lives in the frame that is the target of the jump.
Ending::Kind run(Catcher& catcher, const std::function<void()>& work) {
  const int how = setjmp(catcher.back);
  if (how != 0) return static_cast<Ending::Kind>(how);
  work();
  return Ending::Kind::Done;
}

}  // namespace

Ending catch_fatal_errors(const std::function<void()>& work) {
  install_once();
  LastResort last_resort(on_no_memory);
  Catcher catcher;
  catcher.text[0] = 0;
  // The head of LLVM's list of current activities, whose entries are on the stack that the jump unwinds.
  struct Restore {
    Catcher* outer = current;
    const void* doing = llvm::SavePrettyStackState();
    ~Restore() {
      current = outer;
      llvm::RestorePrettyStackState(doing);
    }
  } restore;
  current = &catcher;
  Ending ending;
  try {
    ending.kind = run(catcher, work);
  } catch (const std::bad_alloc&) {
    // An exception that the new handler did not see (from a program's own operator new). It has unwound frames of LLVM,
    // with the same effect as a jump.
    ending.kind = Ending::Kind::NoMemory;
  }
  if (ending.kind == Ending::Kind::Fatal) ending.text = catcher.text[0] ? catcher.text : "unknown fatal error of LLVM";
  return ending;
}

}  // namespace vr::codegen::llvm_backend
