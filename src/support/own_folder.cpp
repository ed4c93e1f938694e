#include "support/own_folder.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace vr {

std::string own_folder() {
  const auto here = reinterpret_cast<uintptr_t>(&own_folder);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2 || here < begin || here >= end) continue;
    const size_t path = line.find('/'), slash = line.rfind('/');
    if (path == std::string::npos || line.ends_with(" (deleted)")) return "";
    return line.substr(path, slash - path);
  }
  return "";
}

}  // namespace vr
