// Curves of GFLOP/s against size as SVG.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "tuning/tune.hpp"

namespace raijincl {

int plot(const std::string& svg, const std::string& precision,
         const std::vector<std::pair<std::string, std::string>>& curves, const std::string& title) {
  struct Curve {
    std::string name;
    std::map<double, double> points;
  };
  std::vector<Curve> all;
  double least = 1e300, most = 0, top = 0;
  for (const auto& [name, file] : curves) {
    std::ifstream in(file);
    if (!in) return std::fprintf(stderr, "raijincl-tune: cannot read %s\n", file.c_str()), 1;
    std::map<std::string, Curve> kinds;  // plain and compensated
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string p;
      double n = 0, g = 0;
      if (!(words >> p >> n >> g) || n <= 0 || (p != precision && p != precision + "c")) continue;
      kinds[p].name = name + (p == precision ? "" : ", compensated");
      kinds[p].points[n] = g;
      least = std::min(least, n), most = std::max(most, n), top = std::max(top, g);
    }
    for (auto& [p, c] : kinds) all.push_back(std::move(c));
  }
  if (all.empty()) return std::fprintf(stderr, "raijincl-tune: no line for %s in these files\n", precision.c_str()), 1;
  const double step =
      std::pow(10, std::floor(std::log10(top))) * (top / std::pow(10, std::floor(std::log10(top))) > 5 ? 1 : 0.5);
  top = std::ceil(top / step) * step;
  const double w = 640, h = 400, left = 70, right = 20, up = 40, down = 50;
  const auto x = [&](double n) {
    return left + (most > least ? std::log(n / least) / std::log(most / least) : 0.5) * (w - left - right);
  };
  const auto y = [&](double g) { return h - down - g / top * (h - up - down); };
  std::ofstream out(svg);
  if (!out) return std::fprintf(stderr, "raijincl-tune: cannot write %s\n", svg.c_str()), 1;
  const auto escape = [](const std::string& s) {
    std::string r;
    for (char ch : s) r += ch == '<' ? "&lt;" : ch == '&' ? "&amp;" : std::string(1, ch);
    return r;
  };
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << w << " " << h
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" << w / 2
      << "\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">" << escape(title) << "</text>\n";
  for (double g = 0; g <= top * 1.001; g += step) {
    out << "<path d=\"M" << left << " " << y(g) << "H" << w - right << "\" stroke=\"#ddd\"/><text x=\"" << left - 6
        << "\" y=\"" << y(g) + 4 << "\" text-anchor=\"end\">" << g << "</text>\n";
  }
  for (double n = least; n <= most * 1.001; n *= 2) {
    out << "<path d=\"M" << x(n) << " " << h - down << "v5\" stroke=\"black\"/><text x=\"" << x(n) << "\" y=\""
        << h - down + 18 << "\" text-anchor=\"middle\">" << n << "</text>\n";
  }
  out << "<text x=\"" << w / 2 << "\" y=\"" << h - 12
      << "\" text-anchor=\"middle\">m = n = k</text>\n<text x=\"16\" y=\"" << h / 2
      << "\" text-anchor=\"middle\" transform=\"rotate(-90 16 " << h / 2 << ")\">GFLOP/s</text>\n";
  static const char* const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char* colour = colours[i % 6];
    out << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << colour << "\" points=\"";
    for (const auto& [n, g] : all[i].points) out << x(n) << "," << y(g) << " ";
    out << "\"/>\n";
    for (const auto& [n, g] : all[i].points)
      out << "<circle cx=\"" << x(n) << "\" cy=\"" << y(g) << "\" r=\"3\" fill=\"" << colour << "\"/>\n";
    out << "<text x=\"" << left + 12 << "\" y=\"" << up + 16 + 16 * static_cast<double>(i) << "\" fill=\"" << colour
        << "\">" << escape(all[i].name) << "</text>\n";
  }
  out << "</svg>\n";
  return 0;
}

}  // namespace raijincl
