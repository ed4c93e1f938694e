#include "support/trace.hpp"

#include "support/settings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace vr::trace {

std::atomic<bool> detail::on{false};

namespace {

/// Never destroyed: threads may trace while the process ends.
struct File {
  std::mutex mutex;  ///< of all below
  int fd = -1;
  bool first = true;
  std::string path;
  std::map<std::string, int> rows;  ///< of devices; their "thread" ids are above those of threads
};
File& file() {
  static File* f = new File;
  return *f;
}

void warn(const std::string& path, int error) {
  fmt::print(stderr, "warning: VR_TRACE: {} cannot be written: {}; there is no trace\n", path, std::strerror(error));
}

/// Writes all of `text`, or stops tracing. Requires `mutex`.
void put(File& f, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(f.fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      warn(f.path, errno);
      detail::on = false;
      close(f.fd);
      f.fd = -1;
      return;
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
}
void put_event(const std::string& json) {
  File& f = file();
  std::lock_guard lock(f.mutex);
  if (f.fd < 0) return;
  const std::string line = (f.first ? "" : ",\n") + json;
  f.first = false;
  put(f, line);
}

/// As a JSON string. Names come from programs and may contain any bytes.
std::string quoted(std::string_view s) {
  return nlohmann::json(std::string(s)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string event_text(const char* category, std::string_view name, int64_t begin, int64_t end, int64_t thread,
                       std::string_view args) {
  return fmt::format(R"({{"ph":"X","cat":{},"name":{},"ts":{:.3f},"dur":{:.3f},"pid":{},"tid":{}{}}})",
                     quoted(category), quoted(name), static_cast<double>(begin) * 1e-3,
                     static_cast<double>(end - begin) * 1e-3, getpid(), thread,
                     args.empty() ? "" : fmt::format(R"(,"args":{{{}}})", args));
}

int64_t thread_id() {
  static thread_local const int64_t id = syscall(SYS_gettid);
  return id;
}

void finish() {
  detail::on = false;
  File& f = file();
  std::lock_guard lock(f.mutex);
  if (f.fd < 0) return;
  put(f, "\n]\n");
  if (f.fd >= 0) close(f.fd);
  f.fd = -1;
}

void open_file(std::string path) {
  if (const size_t at = path.find("%p"); at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
  File& f = file();
  std::lock_guard lock(f.mutex);
  f.path = path;
  f.fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (f.fd < 0) return warn(path, errno);
  put(f, fmt::format("[\n{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"velociraptor\"}}}}",
                     getpid()));
  if (f.fd < 0) return;
  f.first = false;
  detail::on = true;
  std::atexit(finish);
  // If parent and child both traced, they would both write to the file's JSON array, and both would close it. The lock
  // is held across the fork, so that it is free in the child.
  pthread_atfork([] { file().mutex.lock(); }, [] { file().mutex.unlock(); },
                 [] {
                   detail::on = false;
                   if (file().fd >= 0) close(file().fd);
                   file().fd = -1;
                   file().mutex.unlock();
                 });
}

}  // namespace

void start() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (auto path = settings::text(settings::Name::VR_TRACE)) open_file(std::move(*path));
  });
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Span::begin(const char* category, const char* name) {
  category_ = category;
  name_ = name;
  start_ = now();
}

// If memory runs out, the trace has gaps, but the program continues.
void Span::end() {
  const int64_t end = now();
  try {
    if (enabled()) put_event(event_text(category_, name_, start_, end, thread_id(), notes_ ? *notes_ : std::string()));
  } catch (...) {}
  delete notes_;
}

void Span::note(const char* key, std::string_view value) {
  if (!category_) return;
  try {
    if (!notes_) notes_ = new std::string;
    *notes_ += fmt::format("{}{}:{}", notes_->empty() ? "" : ",", quoted(key), quoted(value));
  } catch (...) {}
}

void Span::note(const char* key, int64_t value) {
  if (!category_) return;
  try {
    if (!notes_) notes_ = new std::string;
    *notes_ += fmt::format("{}{}:{}", notes_->empty() ? "" : ",", quoted(key), value);
  } catch (...) {}
}

void span_on(const char* row, const char* category, std::string_view name, int64_t begin_ns, int64_t end_ns) {
  if (!enabled()) return;
  try {
    int id = 0;
    bool fresh = false;
    {
      File& f = file();
      std::lock_guard lock(f.mutex);
      auto [it, added] = f.rows.emplace(row, 1000000000 + static_cast<int>(f.rows.size()));
      id = it->second;
      fresh = added;
    }
    if (fresh)
      put_event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", getpid(), id,
                            quoted(row)));
    put_event(event_text(category, name, begin_ns, end_ns, id, {}));
  } catch (...) {}
}

}  // namespace vr::trace
