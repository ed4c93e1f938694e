#include "tool/guard_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace vr::tool {

namespace {

constexpr unsigned char pattern = 0x5a, garbage = 0xff;
constexpr size_t kept_forbidden = 256;
constexpr int64_t most_garbage = 1 << 20;  // larger arrays are not filled: some tests request terabytes

size_t page() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

struct Mapping {
  size_t length;
  const char* data;
  int64_t bytes;
  bool gone;
};
/// Every existing mapping, by its first address; for messages, and for the pages that stay protected.
struct Registry {
  std::mutex mutex;
  std::map<char*, Mapping> mappings;
  std::deque<char*> gone;
};
Registry& registry() {
  static Registry* r = new Registry;
  return *r;
}

struct sigaction previous_handler;

/// Not async-signal-safe (it takes a lock and formats), but the process is about to end and this is only an attempt.
void explain(int signal, siginfo_t* info, void* context) {
  Registry& r = registry();
  if (r.mutex.try_lock()) {
    auto* at = static_cast<char*>(info->si_addr);
    auto it = r.mappings.upper_bound(at);
    if (it != r.mappings.begin() && at < (--it)->first + it->second.length) {
      const Mapping& m = it->second;
      char text[160];
      const long past = at - (m.data + m.bytes), front = m.data - at;
      const int n =
          m.gone ? std::snprintf(text, sizeof text, "guard: access to an array of the host that was released\n")
          : past < 0 && front <= 0
              ? std::snprintf(text, sizeof text, "guard: store to a read-only array of the host\n")
          : past >= 0
              ? std::snprintf(text, sizeof text, "guard: access %ld bytes past the end of %lld bytes of elements\n",
                              past, static_cast<long long>(m.bytes))
              : std::snprintf(text, sizeof text, "guard: access %ld bytes before %lld bytes of elements\n", front,
                              static_cast<long long>(m.bytes));
      [[maybe_unused]] ssize_t written = write(2, text, static_cast<size_t>(n));
    }
    r.mutex.unlock();
  }
  if (previous_handler.sa_flags & SA_SIGINFO) return previous_handler.sa_sigaction(signal, info, context);
  sigaction(signal, &previous_handler, nullptr);  // the access is repeated, and handled by the previous handler
}

}  // namespace

void explain_forbidden_accesses() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = explain;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &previous_handler);
  });
}

GuardedBlock::GuardedBlock(int64_t bytes, Side side) : bytes_(bytes) {
  if (bytes < 0 || bytes > INT64_MAX / 2) return;
  inner_ = (static_cast<size_t>(std::max<int64_t>(bytes, 1)) + page() - 1) / page() * page();
  void* memory = mmap(nullptr, inner_ + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  char* inner = static_cast<char*>(memory) + page();
  if (mprotect(inner, inner_, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, inner_ + 2 * page());
    return;
  }
  pages_ = static_cast<char*>(memory);
  data_ = side == Side::End ? inner + inner_ - bytes : inner;
  const size_t beside = inner_ - static_cast<size_t>(bytes);
  std::memset(side == Side::End ? inner : data_ + bytes, pattern, beside);
  std::memset(data_, garbage, static_cast<size_t>(std::min(bytes, most_garbage)));
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  r.mappings[pages_] = {inner_ + 2 * page(), data_, bytes_, false};
}

void GuardedBlock::make_read_only() {
  if (pages_) mprotect(pages_ + page(), inner_, PROT_READ);
}

bool GuardedBlock::intact() const {
  auto all = [](const char* from, const char* to) {
    return std::all_of(from, to, [](char c) { return static_cast<unsigned char>(c) == pattern; });
  };
  const char* inner = pages_ + page();
  return !pages_ || (all(inner, data_) && all(data_ + bytes_, inner + inner_));
}

GuardedBlock::~GuardedBlock() {
  if (!pages_) return;
  // Replacing it by a new protected mapping also frees the memory.
  mmap(pages_, inner_ + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  r.mappings[pages_].gone = true;
  r.gone.push_back(pages_);
  if (r.gone.size() <= kept_forbidden) return;
  auto oldest = r.mappings.find(r.gone.front());
  munmap(oldest->first, oldest->second.length);
  r.mappings.erase(oldest);
  r.gone.pop_front();
}

}  // namespace vr::tool
