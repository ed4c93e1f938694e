#include "core/error.hpp"

namespace raijincl {
namespace {
std::string& slot() {
  thread_local std::string text;
  return text;
}
}  // namespace

const char* to_string(Status s) {
  switch (s) {
    case Status::Ok:
      return "Ok";
    case Status::InvalidContext:
      return "InvalidContext";
    case Status::InvalidQueue:
      return "InvalidQueue";
    case Status::InvalidWaitList:
      return "InvalidWaitList";
    case Status::InvalidDimension:
      return "InvalidDimension";
    case Status::InvalidLeadingDimension:
      return "InvalidLeadingDimension";
    case Status::InvalidBuffer:
      return "InvalidBuffer";
    case Status::BufferTooSmall:
      return "BufferTooSmall";
    case Status::InvalidStride:
      return "InvalidStride";
    case Status::InvalidPlan:
      return "InvalidPlan";
    case Status::UnsupportedPrecision:
      return "UnsupportedPrecision";
    case Status::UnsupportedProduct:
      return "UnsupportedProduct";
    case Status::Unsupported:
      return "Unsupported";
    case Status::OutOfMemory:
      return "OutOfMemory";
    case Status::BuildFailed:
      return "BuildFailed";
    case Status::LaunchFailed:
      return "LaunchFailed";
    case Status::InvalidProfile:
      return "InvalidProfile";
  }
  return "?";
}

const std::string& last_error() { return slot(); }

Status fail(Status status, std::string text) {
  slot() = std::move(text);
  return status;
}

Status fail_cl(const char* call, cl_int code, Status otherwise) {
  const bool memory =
      code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
  return fail(memory ? Status::OutOfMemory : otherwise, std::string(call) + " returned " + std::to_string(code));
}

}  // namespace raijincl
