// Recursion ends with error STACK on every stack: of threads with small stacks and of coroutines. Programs can be
// compiled there.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <functional>
#include <string>

namespace vr {
namespace {

/// rec(n) = n < 1 ? 0 : 1 + rec(n - 1)
const char* const recursive = R"((module :name m (fns
  (function :name rec (functype (intypes (int64)) (outtypes (int64))) (arglist 0)
    (body
      (ifstmt (test (lt (bool) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64)))))
        (if (stmtlist (stmts (returnstmt (exprs (realconst :ival 0 (int64))))))))
      (returnstmt (exprs (plus (int64) (lhs (realconst :ival 1 (int64)))
        (rhs (fncall :fnname rec (int64) (args (minus (int64) (lhs (name :id 0 (int64))) (rhs (realconst :ival 1 (int64)))))))))))
    (symtable (sym :id 0 :name n (int64)))))))";

Engine stack_engine(Target target, bool tiered = false) {
  Options o;
  o.target = target;
  o.tiered = tiered;
  o.threads = 2;
  o.disk_cache = false;
  return *Engine::create(o);
}

void on_thread(size_t stack, const std::function<void()>& work) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  ASSERT_EQ(pthread_attr_setstacksize(&attr, stack), 0);
  pthread_t thread;
  auto run = [](void* p) -> void* {
    (*static_cast<const std::function<void()>*>(p))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attr, run, const_cast<std::function<void()>*>(&work)), 0);
  pthread_attr_destroy(&attr);
  pthread_join(thread, nullptr);
}

void recurses(const Function& f, const std::string& where) {
  auto few = f(int64_t{10});
  ASSERT_TRUE(few) << where << ": " << few.error().text();
  EXPECT_EQ((*few)[0].as_double(), 10) << where;
  auto many = f(int64_t{1000000000});
  ASSERT_FALSE(many) << where;
  EXPECT_EQ(many.error().code, Code::Stack) << where << ": " << many.error().text();
  EXPECT_TRUE(f(int64_t{10})) << where;
}

#if defined(__SANITIZE_THREAD__)
constexpr int kib_of_threads[] = {2048, 8192};  // TSan keeps half a mebibyte of its own data there
#elif defined(__SANITIZE_ADDRESS__)
constexpr int kib_of_threads[] = {512, 1024};
#else
// Thread-local storage of all libraries is part of the stack as well: about 60 KiB.
constexpr int kib_of_threads[] = {160, 256, 512, 1024, 8192};
#endif

TEST(Stack, RecursionEndsOnThreadsOfAnySize) {
  for (Target target : {Target::Cpu, Target::CpuParallel, Target::Interp}) {
    const Engine engine = stack_engine(target);
    auto module = engine.load(recursive);
    ASSERT_TRUE(module) << module.error().text();
    const Function f = *module->function("rec");
    recurses(f, "main thread");
    for (int kib : kib_of_threads)
      on_thread(static_cast<size_t>(kib) << 10,
                [&] { recurses(f, std::string(target_name(target)) + " " + std::to_string(kib) + " KiB"); });
  }
}

TEST(Stack, ProgramsCompileOnThreadsOfAnySize) {
  // As deep as the verifier allows.
  std::string deep = "(name :id 0 (float64))";
  for (int k = 0; k < 150; ++k) deep = "(plus (float64) (lhs " + deep + ") (rhs (name :id 0 (float64))))";
  const std::string text = "(module :name m (fns (function :name f (functype (intypes (float64)) (outtypes (float64))) "
                           "(arglist 0) (body (returnstmt (exprs " + deep + "))) (symtable (sym :id 0 :name x (float64))))))";
  for (bool tiered : {false, true}) {
    const Engine engine = stack_engine(Target::CpuParallel, tiered);
    for (int kib : kib_of_threads)
      on_thread(static_cast<size_t>(kib) << 10, [&] {
        auto module = engine.load(text);
        ASSERT_TRUE(module) << kib << ": " << module.error().text();
        module->wait();
        auto r = (*module->function("f"))(2.0);
        ASSERT_TRUE(r);
        EXPECT_EQ((*r)[0].as_double(), 302) << kib;
        EXPECT_TRUE(module->dump(Module::Dump::LlvmIr)) << kib;
      });
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers must be told of other stacks
const std::function<void()>* coroutine_work = nullptr;

/// On a stack with a guard page below it.
void on_coroutine(size_t size, bool told, const std::function<void()>& work) {
  constexpr size_t page = 4096;
  auto* memory = static_cast<char*>(
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory, page, PROT_NONE), 0);
  ucontext_t here, there;
  getcontext(&there);
  there.uc_stack.ss_sp = memory + page;
  there.uc_stack.ss_size = size;
  there.uc_link = &here;
  coroutine_work = &work;
  if (told) set_stack_bounds(memory + page, size);
  makecontext(&there, [] { (*coroutine_work)(); }, 0);
  swapcontext(&here, &there);
  set_stack_bounds(nullptr, 0);
  munmap(memory, size + page);
}

TEST(Stack, RecursionEndsOnCoroutines) {
  for (Target target : {Target::Cpu, Target::Interp}) {
    const Engine engine = stack_engine(target);
    const Function f = *engine.load(recursive)->function("rec");
    for (size_t kib : {96, 256, 1024})
      for (bool told : {false, true})
        on_coroutine(kib << 10, told, [&] {
          recurses(f, std::string(target_name(target)) + " coroutine of " + std::to_string(kib) + " KiB");
          if (target == Target::Cpu) {
            EXPECT_EQ(told && kib == 1024, f(int64_t{5000}).ok());
          }
        });
    recurses(f, "afterwards");
  }
}

TEST(Stack, ProgramsCompileOnCoroutines) {
  const Engine engine = stack_engine(Target::CpuParallel);
  on_coroutine(128 << 10, false, [&] {
    auto module = engine.load(recursive);
    ASSERT_TRUE(module) << module.error().text();
    recurses(*module->function("rec"), "compiled on a coroutine");
  });
}
#endif

}  // namespace
}  // namespace vr
