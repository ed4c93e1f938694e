// The host device's objects, and its queues: commands run when a caller waits for them.
#pragma once
#include "loop/form.hpp"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// What OpenCL's handles point to. Every object counts its references and starts with one.
struct HostObject {
  int refs = 1;
  HostObject();
  virtual ~HostObject();
};
struct _cl_context : HostObject {};
struct _cl_event : HostObject {
  cl_command_queue queue = nullptr;  ///< null once it has ended
  bool sent_off = false, ended = false;
};
struct _cl_mem : HostObject {
  _cl_mem();
  ~_cl_mem() override;
  // The handle of a buffer that is gone is the next buffer's.
  static void* operator new(size_t bytes);
  static void operator delete(void* place);
  std::vector<char> own;
  char* memory = nullptr;
  size_t bytes = 0;
  int maps = 0;
};
struct _cl_program : HostObject {
  std::string source;
  std::shared_ptr<const vr::lower::Module> module;  ///< null until built
};
struct _cl_kernel : HostObject {
  cl_program program = nullptr;
  const vr::lower::Function* function = nullptr;
  std::vector<std::string> args;  ///< bytes of each
  std::vector<long> buffers;      ///< buffer_number() of each when it was set
};

namespace vr::test::host {

/// Held by every OpenCL function: the device is one thread at a time.
std::recursive_mutex& device();

struct Command {
  std::function<void()> run;
  std::vector<cl_event> waits;  ///< a reference each
  cl_event event = nullptr;     ///< a reference; may be null
};

/// Says what the program under test did wrong: the running test fails.
void violation(const std::string& what);
long live_objects();
/// Of the buffer that has this handle now: no two buffers have the same. 0: none has it.
long buffer_number(cl_mem handle);

void retain(HostObject* o);
void release(HostObject* o);

/// Modules by the text that was emitted of them; what clBuildProgram looks for.
void know_program(const std::string& source, std::shared_ptr<const lower::Module> module);
std::shared_ptr<const lower::Module> find_program(const std::string& source);

/// Appends the command; `waits` and `event` are the API's parameters of those names.
cl_int enqueue(cl_command_queue queue, std::function<void()> run, cl_uint wait_count, const cl_event* waits,
               cl_event* event, bool blocking);
void send_off(cl_command_queue queue);
/// Runs what has to run, and perhaps more, until the queue is empty or the event has ended.
void finish(cl_command_queue queue);
void finish(cl_event event);

/// Runs the kernel over its domain, whose counts are among the arguments.
void run_kernel(const lower::Function& f, const std::vector<std::string>& args);

}  // namespace vr::test::host

struct _cl_command_queue : HostObject {
  std::deque<vr::test::host::Command> commands;
  size_t sent_off = 0;  ///< commands from the front that may run
  bool busy = false;    ///< its first command waits for others
};
