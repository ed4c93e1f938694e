// One stage of a compile: its time, and its span in the trace (private to src/engine).
#pragma once
#include "support/trace.hpp"

#include <chrono>

namespace vr::engine {

/// Adds the milliseconds between construction and destruction to `ms`.
class Stage {
 public:
  Stage(const char* name, double& ms) : span("compile", name), ms_(ms), begin_(std::chrono::steady_clock::now()) {}
  ~Stage() { ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count(); }
  trace::Span span;

 private:
  double& ms_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace vr::engine
