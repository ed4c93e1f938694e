#include "support/file_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace vr {

namespace fs = std::filesystem;

namespace {

constexpr char magic[8] = {'V', 'R', 'F', 'I', 'L', 'E', '0', '1'};
constexpr uint64_t default_bytes = 256u << 20;
constexpr uint64_t most_file_bytes = 64u << 20;

uint64_t fnv1a(std::string_view s, uint64_t h = 0xcbf29ce484222325ull) {
  for (unsigned char c : s) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

std::optional<std::string> read_file(const std::string& path) {
  FILE* f = std::fopen(path.c_str(), "rbe");
  if (!f) return {};
  struct stat info = {};
  std::string s;
  bool ok =
      fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) <= most_file_bytes;
  if (ok) {
    s.resize(static_cast<size_t>(info.st_size));
    ok = std::fread(s.data(), 1, s.size(), f) == s.size();
  }
  std::fclose(f);
  if (!ok) return {};
  return s;
}

}  // namespace

void Packed::put(uint64_t v) { text.append(reinterpret_cast<const char*>(&v), sizeof v); }
void Packed::put(std::string_view s) {
  put(uint64_t{s.size()});
  text.append(s);
}
void Packed::put(const std::vector<std::string>& list) {
  put(uint64_t{list.size()});
  for (const std::string& s : list) put(std::string_view(s));
}

bool Unpacked::number(uint64_t& v) {
  if (rest_.size() < sizeof v) return false;
  std::memcpy(&v, rest_.data(), sizeof v);
  rest_.remove_prefix(sizeof v);
  return true;
}
bool Unpacked::view(std::string_view& s) {
  uint64_t n = 0;
  if (!number(n) || n > rest_.size()) return false;
  s = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return true;
}
bool Unpacked::text(std::string& s) {
  std::string_view v;
  if (!view(v)) return false;
  s = v;
  return true;
}
bool Unpacked::list(std::vector<std::string>& l) {
  uint64_t n = 0;
  if (!number(n) || n > rest_.size()) return false;
  l.resize(n);
  for (std::string& s : l)
    if (!text(s)) return false;
  return true;
}

FileCache::FileCache(std::string directory, uint64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {
  if (directory_.empty()) return;
  std::error_code e;
  fs::create_directories(directory_, e);
  if (e || access(directory_.c_str(), R_OK | W_OK | X_OK) != 0) directory_.clear();
}

FileCache FileCache::from_environment() {
  auto variable = [](const char* name) {
    const char* v = std::getenv(name);
    return std::string(v ? v : "");
  };
  std::string directory = variable("VR_CACHE_DIR");
  if (!std::getenv("VR_CACHE_DIR")) {
    if (std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/')
      directory = xdg + "/velociraptor";
    else if (std::string home = variable("HOME"); !home.empty() && home[0] == '/')
      directory = home + "/.cache/velociraptor";
  }
  uint64_t bytes = default_bytes;
  if (const std::string n = variable("VR_CACHE_BYTES"); !n.empty()) bytes = std::strtoull(n.c_str(), nullptr, 10);
  return {directory, bytes};
}

std::string FileCache::path_of(std::string_view key) const {
  char name[48];
  std::snprintf(name, sizeof name, "/%016llx%016llx.vro", static_cast<unsigned long long>(fnv1a(key)),
                static_cast<unsigned long long>(fnv1a(key, 0x9e3779b97f4a7c15ull)));
  return directory_ + name;
}

std::optional<std::string> FileCache::find(std::string_view key) const {
  if (!enabled()) return {};
  const std::string path = path_of(key);
  std::optional<std::string> file = read_file(path);
  if (!file || file->size() < sizeof magic + 8 || std::memcmp(file->data(), magic, sizeof magic) != 0) return {};
  const std::string_view body(file->data(), file->size() - 8);
  uint64_t sum = 0;
  std::memcpy(&sum, file->data() + body.size(), 8);
  if (sum != fnv1a(body)) return {};
  Unpacked r(body.substr(sizeof magic));
  std::string_view stored_key, value;
  if (!r.view(stored_key) || stored_key != key || !r.view(value) || !r.done()) return {};
  // Used now: what is trimmed first is what was not used for longest.
  std::error_code e;
  fs::last_write_time(path, fs::file_time_type::clock::now(), e);
  return std::string(value);
}

void FileCache::store(std::string_view key, std::string_view value) const {
  if (!enabled()) return;
  Packed packed;
  packed.text.assign(magic, sizeof magic);
  packed.put(key);
  packed.put(value);
  packed.put(fnv1a(packed.text));
  const std::string& body = packed.text;
  if (body.size() > most_file_bytes || body.size() > max_bytes_) return;
  static std::atomic<uint64_t> counter{0};
  const std::string path = path_of(key);
  const std::string draft = path + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + ".tmp";
  FILE* f = std::fopen(draft.c_str(), "wbxe");
  if (!f) return;
  const bool written = std::fwrite(body.data(), 1, body.size(), f) == body.size();
  const bool closed = std::fclose(f) == 0;
  if (!written || !closed || std::rename(draft.c_str(), path.c_str()) != 0) {
    std::remove(draft.c_str());
    return;
  }
  // Looking at the whole directory now and then is enough to stay near the limit.
  static std::atomic<uint64_t> stores{0};
  if (stores++ % 16 == 0) trim();
}

void FileCache::trim() const {
  struct File {
    fs::path path;
    uint64_t bytes;
    fs::file_time_type used;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code e;
  const auto now = fs::file_time_type::clock::now();
  for (auto it = fs::directory_iterator(directory_, e); !e && it != fs::directory_iterator(); it.increment(e)) {
    std::error_code mine;
    const fs::path& path = it->path();
    const auto used = fs::last_write_time(path, mine);
    if (mine) continue;
    if (path.extension() == ".tmp") {  // of a writer that died
      if (now - used > std::chrono::hours(1)) fs::remove(path, mine);
      continue;
    }
    if (path.extension() != ".vro") continue;
    const uint64_t bytes = fs::file_size(path, mine);
    if (mine) continue;
    total += bytes;
    files.push_back({path, bytes, used});
  }
  if (total <= max_bytes_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& f : files) {
    if (total <= max_bytes_ - max_bytes_ / 8) break;
    std::error_code mine;
    if (fs::remove(f.path, mine)) total -= f.bytes;
  }
}

}  // namespace vr
