// Built libraries store nothing on disk: a program's kernels are in the library as binaries (`--kernel-binaries`), or
// in the driver's own cache. This replaces support/file_cache.cpp, which the session of the part `opencl` uses.
#include "support/file_cache.hpp"

namespace vr {

FileCache FileCache::from_environment() { return {}; }
std::optional<std::string> FileCache::find(std::string_view) const { return std::nullopt; }
bool FileCache::store(std::string_view, std::string_view) const { return false; }

}  // namespace vr
