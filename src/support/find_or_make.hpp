// Entries of maps that are made when they are first needed.
#pragma once

namespace vr {

/// The value for the key; if there is none, `make()` makes it and it is inserted. If making or inserting throws, the map is unchanged,
/// whereas `map[key]` would leave an empty entry.
template <class Map, class Make>
typename Map::mapped_type& find_or_make(Map& map, const typename Map::key_type& key, Make&& make) {
  auto it = map.find(key);
  if (it == map.end()) it = map.emplace(key, make()).first;
  return it->second;
}

}  // namespace vr
