#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace demo {

namespace {

using Colour = std::array<double, 3>;
/// Nine equidistant samples of viridis; colours between them are interpolated.
constexpr Colour viridis[] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                              {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
constexpr int segments = int(std::size(viridis)) - 1;

void colour(double t, png_byte* out) {
  t = std::isnan(t) ? 0 : std::clamp(t, 0.0, 1.0) * segments;
  const int k = std::min(int(t), segments - 1);
  for (size_t c = 0; c < 3; ++c) {
    out[c] = png_byte(std::lround(viridis[k][c] + (t - k) * (viridis[k + 1][c] - viridis[k][c])));
  }
}

}  // namespace

bool write_png(const std::string& path, int64_t rows, int64_t columns, double low, double high,
               const std::function<double(int64_t, int64_t)>& value) {
  std::vector<png_byte> pixels(size_t(rows) * size_t(columns) * 3);
  const double span = high > low ? high - low : 1;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      colour((value(i, j) - low) / span, &pixels[size_t(i * columns + j) * 3]);
    }
  }
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(columns);
  image.height = png_uint_32(rows);
  image.format = PNG_FORMAT_RGB;
  const std::string temp = path + ".tmp";
  if (!png_image_write_to_file(&image, temp.c_str(), 0, pixels.data(), 0, nullptr) ||
      std::rename(temp.c_str(), path.c_str()) != 0) {
    std::fprintf(stderr, "%s: error: cannot write: %s\n", path.c_str(), image.message);
    std::remove(temp.c_str());
    return false;
  }
  return true;
}

}  // namespace demo
