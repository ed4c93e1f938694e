// Running out of memory while programs are parsed and compiled, and files that cannot be read completely.
#include <velociraptor/velociraptor.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

namespace vr {
namespace {

Engine make_engine(Target target) {
  Options o;
  o.target = target;
  o.threads = 2;
  o.disk_cache = false;
  return *Engine::create(o);
}

TEST(LoadFile, UnreadableFileIsAnError) {
  const Engine engine = make_engine(Target::Interp);
  for (const char* path : {"/no/such/file", "/", "/proc/self/mem"}) {
    auto m = engine.load_file(path);
    ASSERT_FALSE(m) << path;
    EXPECT_EQ(m.error().code, Code::NotFound) << m.error().text();
    EXPECT_NE(m.error().text().find(path), std::string::npos);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers reserve address space themselves

size_t address_space() {
  size_t pages = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu", &pages) != 1) pages = 0;
    std::fclose(f);
  }
  return pages * 4096;
}

/// `functions` nests of loops over arrays; the last of them is called.
std::string no_memory_program(int functions) {
  std::string fns;
  for (int k = 0; k < functions; ++k) {
    const std::string f = "f" + std::to_string(k);
    fns += "(function :name " + f +
           " (functype (intypes (arraytype :layout strided :ndims 2 (float64))) (outtypes (arraytype :layout rowmajor :ndims 2 "
           "(float64)))) (arglist 0) (body (assignstmt (lhs (name :id 1 (arraytype :layout rowmajor :ndims 2 (float64)))) (rhs "
           "(plus (arraytype :layout rowmajor :ndims 2 (float64)) (lhs (name :id 0 (arraytype :layout strided :ndims 2 "
           "(float64)))) (rhs (realconst :dval " + std::to_string(k) + ".5 (float64)))))) (returnstmt (exprs (name :id 1 "
           "(arraytype :layout rowmajor :ndims 2 (float64)))))) (symtable (sym :id 0 :name a (arraytype :layout strided "
           ":ndims 2 (float64))) (sym :id 1 :name b (arraytype :layout rowmajor :ndims 2 (float64)))))\n";
  }
  return "(module :name m (fns " + fns + "))";
}

bool answers(const Engine& engine, int functions) {
  auto m = engine.load(no_memory_program(functions));
  if (!m) {
    std::fprintf(stderr, "%s\n", m.error().text().c_str());
    return false;
  }
  const int64_t n[] = {2, 3};
  auto r = (*m->function("f" + std::to_string(functions - 1)))(*Array::zeros(Elem::Float64, n));
  return r && (*r)[0].array().data_as<double>()[5] == functions - 0.5;
}

[[noreturn]] void in_child(size_t more, Target target, const std::string& text) {
  const Engine engine = make_engine(target);
  if (!answers(engine, 1)) _exit(10);
  rlimit limit{address_space() + more, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  auto m = engine.load(text);
  limit.rlim_cur = RLIM_INFINITY;
  setrlimit(RLIMIT_AS, &limit);
  if (!m && m.error().code != Code::OutOfMemory) {
    std::fprintf(stderr, "%s\n", m.error().text().c_str());
    _exit(11);
  }
  const bool enough = m.ok();
  // The engine still works, and what the failed load left can be unloaded.
  if (!answers(engine, 2) || !answers(make_engine(target), 3)) _exit(12);
  _exit(enough ? 1 : 0);
}

/// Runs in a child process, because its memory stays limited. 0: an error OUT_OF_MEMORY; 1: there was enough memory.
int load_with(size_t more, Target target, int functions) {
  const std::string text = no_memory_program(functions);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    // An exception must not leave the child, which would continue with the parent's tests.
    std::set_terminate([] { _exit(13); });
    const auto end = [&]() noexcept { in_child(more, target, text); };
    end();
    _exit(14);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(NoMemory, EachFailedAllocationIsReported) {
  int refused = 0, enough = 0;
  for (size_t mib : {0, 1, 8, 17, 18, 20, 22, 24, 28, 32, 40, 60, 1000}) {
    const int end = load_with(mib << 20, mib % 2 ? Target::CpuParallel : Target::Cpu, 120);
    EXPECT_LE(end, 1) << "with " << mib << " MiB";
    refused += end == 0;
    enough += end == 1;
  }
  EXPECT_GE(refused, 3);
  EXPECT_GE(enough, 1);
}

TEST(NoMemory, FailedAllocationInTheInterpreterIsReported) {
  EXPECT_LE(load_with(0, Target::Interp, 200), 1);
  EXPECT_LE(load_with(18 << 20, Target::Interp, 200), 1);
}
#endif

}  // namespace
}  // namespace vr
