#include "tool/answers.hpp"

#include "tool/compare.hpp"
#include "tool/values.hpp"

#include <fmt/format.h>

namespace vr::tool {

Answer call_once(const Loaded& loaded, const Function& f, const std::vector<Value>& args, double* ms) {
  auto fresh = copy_values(args);
  if (!fresh) return {{}, fresh.error()};
  const auto start = Clock::now();
  auto results = call(loaded, f, *fresh);
  if (ms) *ms = ms_since(start);
  if (!results) return {{}, results.error()};
  return {std::move(*results), {}};
}

namespace {
/// Whether two targets report the same fault. Axis, index and extent are compared for subscripts only. Where the stack
/// overflows depends on the target, and messages may be worded differently.
bool same_fault(const Error& a, const Error& b) {
  if (!a.record || !b.record) return a.code == b.code && bool(a.record) == bool(b.record);
  const ErrorRecord &x = *a.record, &y = *b.record;
  if (x.code != y.code || x.function != y.function) return false;
  if (x.code == Code::Stack) return true;
  if (x.loc != y.loc) return false;
  if (x.code == Code::ReadOnly) return x.array == y.array;
  if (x.code == Code::Raised) return x.raised == y.raised && x.message == y.message;
  if (x.code != Code::OutOfBounds) return true;
  return x.array == y.array && x.axis == y.axis && x.index == y.index && x.extent == y.extent;
}
}  // namespace

std::string disagreement(const Answer& a, const Answer& b, double rtol) {
  if (!a.error && !b.error) {
    Tolerance t;
    if (rtol > 0) t = {rtol, rtol};
    return difference(b.results, a.results, t);
  }
  if (a.error && b.error && same_fault(*a.error, *b.error)) return "";
  auto outcome = [](const Answer& x) -> std::string {
    return !x.error ? "results" : x.error->record ? fault_line(*x.error->record) : x.error->text();
  };
  return fmt::format("'{}' against '{}'", outcome(b), outcome(a));
}

}  // namespace vr::tool
