#include "engine/object_cache.hpp"

#include <fmt/format.h>

#include <elf.h>
#include <link.h>
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

namespace vr::engine {

namespace fs = std::filesystem;

namespace {

constexpr char magic[8] = {'V', 'R', 'C', 'O', 'D', 'E', '0', '2'};
constexpr uint64_t default_bytes = 256u << 20;
constexpr uint64_t most_file_bytes = 64u << 20;

uint64_t fnv1a(std::string_view s, uint64_t h = 0xcbf29ce484222325ull) {
  for (unsigned char c : s) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

void put(std::string& to, uint64_t v) { to.append(reinterpret_cast<const char*>(&v), sizeof v); }
void put(std::string& to, std::string_view s) {
  put(to, s.size());
  to.append(s);
}
void put(std::string& to, const std::vector<std::string>& list) {
  put(to, list.size());
  for (const std::string& s : list) put(to, s);
}

/// Takes a file apart; never looks past its end.
class Reader {
 public:
  explicit Reader(std::string_view s) : rest_(s) {}
  bool number(uint64_t& v) {
    if (rest_.size() < sizeof v) return false;
    std::memcpy(&v, rest_.data(), sizeof v);
    rest_.remove_prefix(sizeof v);
    return true;
  }
  bool text(std::string& s) {
    std::string_view v;
    if (!view(v)) return false;
    s = v;
    return true;
  }
  bool view(std::string_view& s) {
    uint64_t n = 0;
    if (!number(n) || n > rest_.size()) return false;
    s = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return true;
  }
  bool list(std::vector<std::string>& l) {
    uint64_t n = 0;
    if (!number(n) || n > rest_.size()) return false;
    l.resize(n);
    for (std::string& s : l)
      if (!text(s)) return false;
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

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

ObjectCache::ObjectCache(std::string directory, uint64_t max_bytes)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {
  if (directory_.empty()) return;
  std::error_code e;
  fs::create_directories(directory_, e);
  if (e || access(directory_.c_str(), R_OK | W_OK | X_OK) != 0) directory_.clear();
}

ObjectCache ObjectCache::from_environment() {
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

std::string ObjectCache::path_of(std::string_view key) const {
  return fmt::format("{}/{:016x}{:016x}.vro", directory_, fnv1a(key), fnv1a(key, 0x9e3779b97f4a7c15ull));
}

std::optional<CachedCode> ObjectCache::find(std::string_view key) const {
  if (!enabled()) return {};
  const std::string path = path_of(key);
  std::optional<std::string> file = read_file(path);
  if (!file || file->size() < sizeof magic + 8 || std::memcmp(file->data(), magic, sizeof magic) != 0) return {};
  const std::string_view body(file->data(), file->size() - 8);
  uint64_t sum = 0;
  std::memcpy(&sum, file->data() + body.size(), 8);
  if (sum != fnv1a(body)) return {};
  Reader r(body.substr(sizeof magic));
  std::string_view stored_key;
  CachedCode c;
  if (!r.view(stored_key) || stored_key != key || !r.text(c.object) || !r.list(c.entries) || !r.list(c.regions) ||
      !r.list(c.report) || !r.text(c.opencl_source) || !r.text(c.opencl_options) || !r.done())
    return {};
  // Used now: what is trimmed first is what was not used for longest.
  std::error_code e;
  fs::last_write_time(path, fs::file_time_type::clock::now(), e);
  return c;
}

void ObjectCache::store(std::string_view key, const CachedCode& code) const {
  if (!enabled()) return;
  std::string body(magic, sizeof magic);
  put(body, key);
  put(body, code.object);
  put(body, code.entries);
  put(body, code.regions);
  put(body, code.report);
  put(body, code.opencl_source);
  put(body, code.opencl_options);
  put(body, fnv1a(body));
  if (body.size() > most_file_bytes || body.size() > max_bytes_) return;
  static std::atomic<uint64_t> counter{0};
  const std::string path = path_of(key);
  const std::string draft = fmt::format("{}.{}.{}.tmp", path, getpid(), counter++);
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

void ObjectCache::trim() const {
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

const std::string& build_identity() {
  static const std::string identity = [] {
    struct Search {
      uintptr_t here;
      std::string id, path;
    } search{reinterpret_cast<uintptr_t>(&build_identity), "", ""};
    // The linker's build id of the library or program that holds this code.
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          auto& s = *static_cast<Search*>(data);
          bool holds = false;
          for (int k = 0; k < info->dlpi_phnum; ++k) {
            const auto& p = info->dlpi_phdr[k];
            const uintptr_t begin = info->dlpi_addr + p.p_vaddr;
            holds = holds || (p.p_type == PT_LOAD && s.here >= begin && s.here < begin + p.p_memsz);
          }
          if (!holds) return 0;
          s.path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
          for (int k = 0; k < info->dlpi_phnum; ++k) {
            const auto& p = info->dlpi_phdr[k];
            if (p.p_type != PT_NOTE) continue;
            const char* at = reinterpret_cast<const char*>(info->dlpi_addr + p.p_vaddr);
            const char* end = at + p.p_memsz;
            while (at + sizeof(ElfW(Nhdr)) <= end) {
              ElfW(Nhdr) note;
              std::memcpy(&note, at, sizeof note);
              const char* name = at + sizeof note;
              const char* text = name + (note.n_namesz + 3) / 4 * 4;
              if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
                for (uint32_t b = 0; b < note.n_descsz; ++b)
                  s.id += fmt::format("{:02x}", static_cast<unsigned char>(text[b]));
              at = text + (note.n_descsz + 3) / 4 * 4;
            }
          }
          return 1;
        },
        &search);
    if (!search.id.empty()) return search.id;
    struct stat info = {};
    if (stat(search.path.c_str(), &info) != 0) return std::string();
    return fmt::format("{} {} {}.{}", search.path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  }();
  return identity;
}

}  // namespace vr::engine
