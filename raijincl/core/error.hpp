// The message of the last failed call, one per thread.
#pragma once
#include <CL/cl.h>

#include <string>

#include "raijincl/status.hpp"

namespace raijincl {

// Sets last_error() and returns `status`.
Status fail(Status status, std::string text);
// For a failed OpenCL call: the message names the call and its code. Returns OutOfMemory if the code means that, else
// `otherwise`.
Status fail_cl(const char* call, cl_int code, Status otherwise = Status::LaunchFailed);

}  // namespace raijincl

// Returns from the enclosing function when `expr` is not Ok.
#define RAIJINCL_TRY(expr)                                                              \
  do {                                                                                  \
    if (::raijincl::Status raijincl_s = (expr); raijincl_s != ::raijincl::Status::Ok) { \
      return raijincl_s;                                                                \
    }                                                                                   \
  } while (false)
