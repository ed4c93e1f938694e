// Status codes: every call returns one, nothing throws, and a call that returns anything but Ok has enqueued nothing
// that writes to the caller's buffers.
#pragma once
#include <string>

namespace raijincl {

enum class Status : int {
  Ok = 0,
  InvalidContext,           // not an OpenCL context, or the device is not one of its devices
  InvalidQueue,             // null, or a queue of another context or device
  InvalidWaitList,          // a null event in the wait list
  InvalidDimension,         // an extent that 32-bit kernels cannot count (2^31 and more)
  InvalidLeadingDimension,  // shorter than a row (row-major) or a column (column-major)
  InvalidBuffer,            // null, or not a buffer of this context
  BufferTooSmall,           // offset, extents and strides reach past the end of a buffer
  InvalidStride,            // matrices of the result overlap, or a vector stride of 0
  InvalidPlan,              // a plan that was not made, was released, or has another shape
  UnsupportedPrecision,     // the device has no double precision
  UnsupportedProduct,       // compensated products: no kernel for them was accepted on this device
  Unsupported,              // another feature that this build or device lacks; last_error() says which
  OutOfMemory,
  BuildFailed,     // an OpenCL program did not build: last_error() has the build log
  LaunchFailed,    // an OpenCL call failed: last_error() names it and its code
  InvalidProfile,  // text that is not a device profile: last_error() says where
};

// The name, as written above. Static storage.
const char* to_string(Status);

// The message of the last call on this thread that did not return Ok; "" if there was none.
const std::string& last_error();

}  // namespace raijincl
