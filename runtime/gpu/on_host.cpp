#include "runtime/gpu/on_host.hpp"

#include <algorithm>
#include <new>

namespace vr::gpu {

void OnHost::add(const vr_site* site, const std::string& what, const std::string& why, const char* where) noexcept {
  try {
    std::string line = site && *site->loc ? std::string(site->loc) + ": " : std::string();
    line += what;
    if (site && *site->function) line += " of '" + std::string(site->function) + "'";
    line += std::string(" ran on ") + where;
    line += '\0';
    line += why;
    std::lock_guard lock(mutex_);
    const auto known = std::find_if(times_.begin(), times_.end(), [&](const auto& t) { return t.first == line; });
    if (known != times_.end())
      ++known->second;
    else if (times_.size() < most)
      times_.emplace_back(std::move(line), 1);
    else
      ++others_;
  } catch (const std::bad_alloc&) {}
}

std::vector<std::string> OnHost::lines() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [line, times] : times_) {
    const size_t middle = line.find('\0');
    all.push_back(line.substr(0, middle) + (times > 1 ? " (" + std::to_string(times) + " times)" : "") + ": " +
                  line.substr(middle + 1));
  }
  if (others_ > 0) all.push_back("and " + std::to_string(others_) + " times more for other reasons or at other places");
  return all;
}

}  // namespace vr::gpu
