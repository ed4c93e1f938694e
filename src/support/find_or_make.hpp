// Entries of maps that are made when first asked for.
#pragma once

namespace vr {

/// The value for the key, made by `make()` and entered where there is none. When making or entering it throws, the map is as before:
/// `map[key]` would leave an empty entry.
template <class Map, class Make>
typename Map::mapped_type& find_or_make(Map& map, const typename Map::key_type& key, Make&& make) {
  auto it = map.find(key);
  if (it == map.end()) it = map.emplace(key, make()).first;
  return it->second;
}

}  // namespace vr
