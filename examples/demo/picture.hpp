// Fields as PNG pictures.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace demo {

/// Writes value(row, column) for all pixels, coloured from `low` (dark) to `high` (bright) with the viridis colour map.
/// Writes to a temporary file and renames it. False, with a message on stderr, when that fails.
bool write_png(const std::string& path, int64_t rows, int64_t columns, double low, double high,
               const std::function<double(int64_t, int64_t)>& value);

}  // namespace demo
