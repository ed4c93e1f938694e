// Lines of a C-like language, indented by block depth.
#pragma once
#include <string>
#include <utility>

namespace vr::codegen::c_family {

class Lines {
 public:
  void line(const std::string& s) {
    text_.append(size_t(depth_) * 2, ' ');
    text_ += s;
    text_ += '\n';
  }
  /// Text as it is, without indentation or line end.
  void raw(const std::string& s) { text_ += s; }

  void indent() { ++depth_; }
  void unindent() { --depth_; }
  /// Sets the depth of functions (0) or of their statements (1).
  void set_depth(int depth) { depth_ = depth; }

  /// A line that begins a block; close() ends it, or otherwise() begins the `else` branch.
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

  /// Returns and clears the text so far.
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  int depth_ = 0;
};

}  // namespace vr::codegen::c_family
