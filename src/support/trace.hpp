// A trace of where time goes, for chrome://tracing and ui.perfetto.dev: VR_TRACE=FILE.json (`%p` in the name becomes
// the process id). Off, a span costs one predictable branch at each end.
//
// The file is a JSON array of "complete" events, one line each and written at once, so that it is whole up to the last
// event whatever becomes of the process; the closing bracket comes at exit, and the format lets it be missing. A file
// that cannot be written is one warning, and the program goes on. A forked child does not trace.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace vr::trace {

namespace detail {
extern std::atomic<bool> on;
}  // namespace detail

/// Reads VR_TRACE, the first time. Thread-safe; every door of the library calls it.
void start();
inline bool enabled() { return detail::on.load(std::memory_order_relaxed); }
/// Nanoseconds on the trace's clock.
int64_t now();

/// From its construction to its end something goes on in this thread. `category` and `name` must live as long.
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
  /// Shown beside the span; only worth computing when `active`.
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

/// Something that went on elsewhere, on a device: shown in a row of its own with this name.
void span_on(const char* row, const char* category, std::string_view name, int64_t begin_ns, int64_t end_ns);

}  // namespace vr::trace
