#include <velociraptor/status.hpp>

#include <fmt/format.h>

namespace vr {

const char* code_name(Code code) {
  switch (code) {
    case Code::Ok: return "OK";
    case Code::OutOfBounds: return "OUT_OF_BOUNDS";
    case Code::ShapeMismatch: return "SHAPE_MISMATCH";
    case Code::Size: return "SIZE";
    case Code::DivByZero: return "DIV_BY_ZERO";
    case Code::OutOfMemory: return "OUT_OF_MEMORY";
    case Code::Stack: return "STACK";
    case Code::Type: return "TYPE";
    case Code::Device: return "DEVICE";
    case Code::Host: return "HOST";
    case Code::Forked: return "FORKED";
    case Code::Interrupted: return "INTERRUPTED";
    case Code::ReadOnly: return "READ_ONLY";
    case Code::Raised:
      return "RAISED";
    case Code::Overflow: return "OVERFLOW";
    case Code::Syntax: return "SYNTAX";
    case Code::Verify: return "VERIFY";
    case Code::Unsupported: return "UNSUPPORTED";
    case Code::NotFound: return "NOT_FOUND";
    case Code::Usage: return "USAGE";
    case Code::Internal: return "INTERNAL";
  }
  return "UNKNOWN";
}

std::string Place::text() const {
  std::string s = file;
  if (line > 0) s += fmt::format("{}{}:{}", s.empty() ? "" : ":", line, column);
  return s;
}

std::string Diagnostic::text() const {
  std::string where = place.text();
  if (!path.empty() && place.line == 0) where += (where.empty() ? "" : ": ") + path;
  std::string s = fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ",
                              severity == Severity::Error ? "error" : "remark", message);
  if (!rule.empty()) s += fmt::format(" [{}]", rule);
  if (!hint.empty()) s += fmt::format("\n    {}", hint);
  return s;
}

ErrorRecord ErrorRecord::from(const vr_error& e) {
  return {static_cast<Code>(e.code), e.function, e.loc, e.array, e.axis, e.index, e.extent, e.message, e.raised};
}

std::string ErrorRecord::text() const {
  std::string s = loc.empty() ? "" : loc + ": ";
  s += code_name(code);
  if (code == Code::Raised) s += fmt::format(" {}", raised);
  if (!message.empty()) s += ": " + message;
  // Messages of the runtime already name array, subscript and extent.
  if (axis >= 0 && message.empty()) {
    s += fmt::format(": index {} of '{}' along axis {} with extent {}", index, array, axis, extent);
  } else if (axis >= 0) {
    s += fmt::format(" (axis {})", axis);
  } else if (!array.empty() && message.find('\'' + array + '\'') == std::string::npos) {
    s += fmt::format(" ('{}')", array);
  }
  if (!function.empty()) s += fmt::format(" in function '{}'", function);
  return s;
}

std::string Error::text() const {
  std::string s;
  for (const Diagnostic& d : diagnostics) s += (s.empty() ? "" : "\n") + d.text();
  if (record) s += (s.empty() ? "" : "\n") + record->text();
  if (!message.empty()) s += (s.empty() ? "" : "\n") + message;
  return s;
}

}  // namespace vr
