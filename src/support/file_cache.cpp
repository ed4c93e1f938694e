#include "support/file_cache.hpp"

#include "support/settings.hpp"
#include "support/trusted_file.hpp"
#include "support/warning.hpp"

#include <fmt/format.h>
#include <sha2.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <memory>

namespace vr {

namespace {

constexpr char magic[8] = {'V', 'R', 'F', 'I', 'L', 'E', '0', '2'};
constexpr int64_t default_bytes = 256 << 20;
constexpr uint64_t most_file_bytes = 64u << 20;

constexpr size_t digest_bytes = 32;
constexpr std::string_view ending = ".vro";

/// The first half of the text's SHA-512, which is faster here than SHA-256: it detects any damage, and two texts with the
/// same digest cannot be constructed. It does not authenticate the writer of a file: owner and mode do (trusted_file.hpp).
std::string digest(std::string_view text) {
  SHA2_CTX context;
  SHA512Init(&context);
  SHA512Update(&context, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  uint8_t whole[SHA512_DIGEST_LENGTH];
  SHA512Final(whole, &context);
  return {reinterpret_cast<const char*>(whole), digest_bytes};
}

std::string name_of(std::string_view key) {
  std::string name;
  for (unsigned char c : digest(key).substr(0, 16)) name += fmt::format("{:02x}", c);
  return name.append(ending);
}

struct CloseDirectory {
  void operator()(DIR* d) const { closedir(d); }
};
using Listing = std::unique_ptr<DIR, CloseDirectory>;

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

FileCache::FileCache(std::string directory, uint64_t max_bytes, bool wanted)
    : directory_(std::move(directory)), max_bytes_(max_bytes) {
  if (directory_.empty()) return;
  auto opened = open_trusted_directory(directory_, true);
  if (opened) {
    writable_ = faccessat(opened->get(), ".", W_OK | X_OK, AT_EACCESS) == 0;
    if (!writable_) remark(directory_ + " cannot be written: existing entries are used, and none are added");
    return;
  }
  const std::string text = opened.error().message + "; no code is stored on disk";
  // A service without a home directory gets no warning.
  if (wanted || opened.error().code != Code::NotFound)
    warn_once(Warning::CacheDirectory, text);
  else
    remark(text);
  directory_.clear();
}

std::string FileCache::directory_from_environment() {
  if (const auto named = settings::text(settings::Name::VR_CACHE_DIR)) return *named;
  if (const std::string xdg = settings::variable("XDG_CACHE_HOME"); xdg.starts_with('/')) return xdg + "/velociraptor";
  if (const std::string home = settings::variable("HOME"); home.starts_with('/')) return home + "/.cache/velociraptor";
  return "";
}

FileCache FileCache::from_environment() {
  const auto bytes = static_cast<uint64_t>(settings::number(settings::Name::VR_CACHE_BYTES).value_or(default_bytes));
  const bool wanted = settings::text(settings::Name::VR_CACHE_DIR).has_value();
  return {directory_from_environment(), bytes, wanted};
}

std::string FileCache::why_unusable() {
  const auto named = settings::text(settings::Name::VR_CACHE_DIR);
  if (!named || named->empty()) return "";
  auto opened = open_trusted_directory(*named, true);
  return opened ? "" : "VR_CACHE_DIR='" + *named + "': " + opened.error().message;
}

std::optional<std::string> FileCache::find(std::string_view key) const {
  if (!enabled()) return {};
  const std::string name = name_of(key);
  // Opened again each time: the directory may have been replaced, and a host that closes all file descriptors would
  // also close one that is kept open.
  auto directory = open_trusted_directory(directory_, false);
  auto file = directory ? read_trusted_file(*directory, name, most_file_bytes) : directory.error();
  if (!file) {
    if (file.error().code != Code::NotFound)
      warn_once(Warning::CacheEntry, directory_ + "/" + file.error().message + "; it is not used");
    return {};
  }
  if (file->size() < sizeof magic || std::memcmp(file->data(), magic, sizeof magic) != 0) {
    remark(directory_ + "/" + name + " is of another version or damaged; it is not used");
    return {};
  }
  const std::string_view body(file->data(), file->size() - std::min(file->size(), digest_bytes));
  Unpacked r(body.substr(std::min(body.size(), sizeof magic)));
  std::string_view stored_key, value;
  if (digest(body) != std::string_view(*file).substr(body.size()) || !r.view(stored_key) || !r.view(value) ||
      !r.done()) {
    warn_once(Warning::CacheEntry, directory_ + "/" + name + ": is damaged; it is not used");
    return {};
  }
  if (stored_key != key) return {};
  // Marks the entry as used: trimming deletes the least recently used ones.
  if (writable_) utimensat(directory->get(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return std::string(value);
}

bool FileCache::store(std::string_view key, std::string_view value) const {
  if (!enabled() || !writable_) return false;
  Packed packed;
  packed.text.assign(magic, sizeof magic);
  packed.put(key);
  packed.put(value);
  packed.text += digest(packed.text);
  const std::string& body = packed.text;
  if (body.size() > most_file_bytes || body.size() > max_bytes_) return false;
  auto directory = open_trusted_directory(directory_, false);
  Status stored = directory ? write_trusted_file(*directory, name_of(key), body) : Status(directory.error());
  if (!stored) {
    remark(stored.error().message + "; not stored on disk");
    return false;
  }
  // The whole directory is checked only after some of the stores, which keeps it close enough to the limit.
  static std::atomic<uint64_t> stores{0};
  if (stores++ % 16 == 0) trim(*directory);
  return true;
}

void FileCache::trim(const OpenFile& directory) const {
  struct File {
    std::string name;
    uint64_t bytes;
    int64_t used;  ///< nanoseconds
  };
  std::vector<File> files;
  uint64_t total = 0;
  OpenFile again(openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Listing listing(again ? fdopendir(again.get()) : nullptr);
  if (!listing) return;
  again.release();  // closed together with the listing
  constexpr time_t hour = 3600;
  const time_t now = time(nullptr);
  while (const dirent* entry = readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    struct stat info = {};
    if (fstatat(directory.get(), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) continue;
    if (name.ends_with(".tmp")) {  // a file of a writer that died
      if (now - info.st_mtime > hour) unlinkat(directory.get(), entry->d_name, 0);
    } else if (name.ends_with(ending)) {
      total += static_cast<uint64_t>(info.st_size);
      files.push_back({std::string(name), static_cast<uint64_t>(info.st_size),
                       info.st_mtim.tv_sec * int64_t{1000000000} + info.st_mtim.tv_nsec});
    }
  }
  if (total <= max_bytes_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& f : files) {
    if (total <= max_bytes_ - max_bytes_ / 8) break;
    if (unlinkat(directory.get(), f.name.c_str(), 0) == 0) total -= f.bytes;
  }
}

}  // namespace vr
