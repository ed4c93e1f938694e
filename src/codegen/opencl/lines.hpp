// Lines of OpenCL C, indented as their blocks are deep (private to codegen/opencl).
#pragma once
#include <string>
#include <utility>

namespace vr::codegen::opencl {

class Lines {
 public:
  void line(const std::string& s) {
    text_.append(size_t(depth_) * 2, ' ');
    text_ += s;
    text_ += '\n';
  }
  /// As it is.
  void raw(const std::string& s) { text_ += s; }

  void indent() { ++depth_; }
  void unindent() { --depth_; }
  /// Back to the depth of functions (0) or of their statements (1).
  void set_depth(int depth) { depth_ = depth; }

  /// A line that begins a block; close() ends it, or otherwise() goes on with the other way.
  void open(const std::string& s) {
    line(s);
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  void otherwise() {
    --depth_;
    open("} else {");
  }

  /// All so far, which is forgotten.
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  int depth_ = 0;
};

}  // namespace vr::codegen::opencl
