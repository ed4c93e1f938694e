// Faults of the interpreted program are exceptions inside the interpreter; run() converts them to an Error.
#pragma once
#include <velociraptor/status.hpp>

#include <string>

namespace vr::interp {

/// Thrown by every part of the interpreter; never leaves run(), which adds function and source location if they are empty.
struct Fault {
  ErrorRecord record;
};

[[noreturn]] inline void fail(Code code, std::string message) {
  ErrorRecord r;
  r.code = code;
  r.message = std::move(message);
  throw Fault{std::move(r)};
}

/// Fault of a subscript: `axis` counts from 0, `index` is in the module's base, `extent` is that of the axis.
[[noreturn]] inline void fail_subscript(Code code, const std::string& array, int axis, int64_t index, int64_t extent,
                                        std::string message) {
  ErrorRecord r;
  r.code = code;
  r.array = array;
  r.axis = axis;
  r.index = index;
  r.extent = extent;
  r.message = std::move(message);
  throw Fault{std::move(r)};
}

}  // namespace vr::interp
