// Error reporting: Code, Place, Diagnostic (findings about programs), ErrorRecord (faults of running code), Result<T>, Status.
#pragma once
#include <velociraptor/descriptor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace vr {

/// Same values as the VR_... codes of descriptor.h.
enum class Code : int32_t {
  Ok = VR_OK,
  OutOfBounds = VR_OUT_OF_BOUNDS,
  ShapeMismatch = VR_SHAPE_MISMATCH,
  Size = VR_SIZE,
  DivByZero = VR_DIV_BY_ZERO,
  OutOfMemory = VR_OUT_OF_MEMORY,
  Stack = VR_STACK,
  Type = VR_TYPE,
  Device = VR_DEVICE,
  Host = VR_HOST,
  Forked = VR_FORKED,
  Interrupted = VR_INTERRUPTED,
  ReadOnly = VR_READ_ONLY,
  Raised = VR_RAISED,
  Overflow = VR_OVERFLOW,
  Syntax = VR_SYNTAX,
  Verify = VR_VERIFY,
  Unsupported = VR_UNSUPPORTED,
  NotFound = VR_NOT_FOUND,
  Usage = VR_USAGE,
  Internal = VR_INTERNAL,
};

/// The spelling used in messages and tests: "OUT_OF_BOUNDS", "SHAPE_MISMATCH", ...
const char* code_name(Code code);

/// A source location. line and column count from 1; 0 means unknown (a tree built through the C++ API).
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  /// "file:line:col", leaving out what is unknown.
  std::string text() const;
};

enum class Severity : uint8_t { Error, Remark };

/// One finding about a program.
struct Diagnostic {
  Severity severity = Severity::Error;
  Place place;
  std::string path;     ///< tree path such as "function f/body/2/rhs" when there is no text
  std::string rule;     ///< short stable name of the broken rule, e.g. "type-mismatch"
  std::string message;  ///< what is wrong, one sentence
  std::string hint;     ///< what to write instead; may be empty
  /// "FILE:LINE:COL: error: message [rule]" and, on a second line, the hint.
  std::string text() const;
};

/// A fault of running code (docs/vrir.md, "Faults and errors"); the C++ form of vr_error.
struct ErrorRecord {
  Code code = Code::Internal;
  std::string function;
  std::string loc;
  std::string array;
  int axis = -1;
  int64_t index = 0;
  int64_t extent = 0;
  std::string message;
  int32_t raised = 0;  ///< Code::Raised: the raise statement's own code; index and extent are its numbers (vr_error)
  std::string text() const;
  static ErrorRecord from(const vr_error& e);
};

/// Why an operation failed: diagnostics (an invalid program), a record (a fault of running code), or only a message.
struct Error {
  Code code = Code::Internal;
  std::string message;
  std::vector<Diagnostic> diagnostics;
  std::optional<ErrorRecord> record;
  /// All of it, a line each.
  std::string text() const;
};

inline Error make_error(Code code, std::string message) { return Error{code, std::move(message), {}, {}}; }

/// A value, or the Error why there is none. Test ok() before reading the value: that throws std::bad_variant_access otherwise.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace vr
#pragma GCC visibility pop
