// A trace of where time is spent, for chrome://tracing and ui.perfetto.dev: VR_TRACE=FILE.json (`%p` in the name
// becomes the process id). When tracing is off, a span costs one predictable branch at each end.
//
// The file is a JSON array of "complete" events, one per line and each written at once, so that it is readable up to
// the last event even if the process crashes; the closing bracket is written at exit, and the format allows its
// absence. If the file cannot be written, there is one warning, and the program goes on. A forked child does not trace.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace vr::trace {

#ifdef VR_NO_TRACE
/// The runtime of programs compiled ahead of time (runtime/aot) does not trace.
class Span {
 public:
  Span(const char*, const char*) {}
  void note(const char*, std::string_view) {}
  void note(const char*, int64_t) {}
};
inline void start() {}
inline bool enabled() { return false; }
inline int64_t now() { return 0; }
inline void span_on(const char*, const char*, std::string_view, int64_t, int64_t) {}
#else
namespace detail {
extern std::atomic<bool> on;
}  // namespace detail

/// Reads VR_TRACE, the first time. Thread-safe; every public entry point of the library calls it.
void start();
inline bool enabled() { return detail::on.load(std::memory_order_relaxed); }
/// Nanoseconds on the trace's clock.
int64_t now();

/// An activity of this thread, from construction to destruction of the object. `category` and `name` must live as long.
class Span {
 public:
  Span(const char* category, const char* name) {
    if (enabled()) [[unlikely]]
      begin(category, name);
  }
  ~Span() {
    if (category_) [[unlikely]]
      end();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  /// Text shown with the span; worth computing only if `active`.
  void note(const char* key, std::string_view value);
  void note(const char* key, int64_t value);
  bool active() const { return category_ != nullptr; }

 private:
  void begin(const char* category, const char* name);
  void end();

  const char* category_ = nullptr;
  const char* name_ = nullptr;
  int64_t start_ = 0;
  std::string* notes_ = nullptr;  ///< JSON members; made by the first note
};

/// An activity elsewhere, such as on a device: shown in a separate row with this name.
void span_on(const char* row, const char* category, std::string_view name, int64_t begin_ns, int64_t end_ns);
#endif

}  // namespace vr::trace
