#include "engine/object_cache.hpp"

#include <fmt/format.h>

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>

namespace vr::engine {

std::optional<CachedCode> ObjectCache::find(std::string_view key) const {
  const std::optional<std::string> value = files_.find(key);
  if (!value) return {};
  Unpacked r(*value);
  CachedCode c;
  if (!r.text(c.object) || !r.list(c.entries) || !r.list(c.regions) || !r.list(c.report) || !r.done())
    return {};
  return c;
}

void ObjectCache::store(std::string_view key, const CachedCode& code) const {
  if (!enabled()) return;
  Packed p;
  p.put(code.object);
  p.put(code.entries);
  p.put(code.regions);
  p.put(code.report);
  files_.store(key, p.text);
}

const std::string& build_identity() {
  static const std::string identity = [] {
    struct Search {
      uintptr_t here;
      std::string id, path;
    } search{reinterpret_cast<uintptr_t>(&build_identity), "", ""};
    // The build id that the linker gave to the library or program that contains this code.
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
