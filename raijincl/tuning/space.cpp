#include "tuning/space.hpp"

#include <algorithm>
#include <cstring>

namespace raijincl {

Space::Space(const DeviceInfo& d, Precision p, bool compensated, bool native) : device_(d), precision_(p) {
  const bool cpu = d.is_cpu, nv = native && d.nvidia_capability >= 80;
  const bool mma = nv && (is_double(p) ? d.nvidia_capability >= 90 : compensated);
  if (mma) {
    add("mma", {{"bm", {32, 64, 128, 256}},
                {"bn", {32, 64, 128, 256}},
                {"warps_m", {1, 2, 4}},
                {"warps_n", {1, 2, 4}},
                {"warps_k", {1, 2, 4}},
                {"deep", {1, 2, 4, 8}},
                {"fold", is_double(p) ? std::vector<int>{1, 2} : std::vector<int>{1}},
                {"stages", {2, 3, 4, 6}},
                {"skip", {0, 1}},
                {"fill", {0, 1}},
                {"raster", {0, 4, 8, 16}},
                {"split", is_double(p) ? std::vector<int>{0} : std::vector<int>{1, 2}},
                {"ahead", {0, 1}},
                {"early", {0, 1}},
                {"turn", {0, 1}}});
  }
  if (nv && compensated && p == Precision::S && d.nvidia_capability == 90) {
    add("wgmma", {{"bm", {64, 128}}, {"bn", {64, 128}}, {"stages", {3, 4, 5, 6}}, {"raster", {0, 4, 8, 16}}});
  }
  if (compensated) return;
  if (cpu) {
    add("panels", {{"tm", {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16}},
                   {"vectors", {1, 2, 3, 4, 6, 8}},
                   {"vector", {4, 8, 16}},
                   {"bk", {1, 2, 4, 8, 16}},
                   {"mad", {0, 1, 2}},
                   {"raster", {0, 8, 32}}});
  }
  if (nv) {
    add("async", {{"gm", {4, 8, 16, 32}},
                  {"gn", {4, 8, 16, 32}},
                  {"tm", {2, 4, 8, 16}},
                  {"tn", {2, 4, 8, 16}},
                  {"bk", {4, 8, 16, 32}},
                  {"vector", {1, 2, 4}},
                  {"av", {1, 2, 4}},
                  {"stages", {2, 3, 4, 6}},
                  {"lanes", {0, 2, 4, 8}},
                  {"load", {1, 2, 4}},
                  {"pad", {0, 2, 4, 8}},
                  {"raster", {0, 4, 8, 16}},
                  {"skip", {0, 1}},
                  {"fill", {0, 1}},
                  {"mad", {2}},
                  {"turn", {0, 1}}});
  }
  add("block", {{"gm", {2, 4, 8, 16, 32}},
                {"gn", {2, 4, 8, 16, 32}},
                {"tm", {2, 4, 8}},
                {"tn", {2, 4, 8}},
                {"bk", {4, 8, 16, 32}},
                {"vector", {1, 2, 4, 8}},
                {"av", {1, 2, 4}},
                {"load", {1, 2, 4}},
                {"pad", {0, 4, 8}},
                {"raster", {0, 8}},
                {"mad", {0, 1, 2}}});
  // Thesis 8.4.2: layouts x consecutive or offset are the six codelets.
  add("codelet", {{"layout", {0, 1, 2}},
                  {"consecutive", {0, 1}},
                  {"local_a", {0, 1}},
                  {"local_b", {0, 1}},
                  {"image_a", d.has_images ? std::vector<int>{0, 1} : std::vector<int>{0}},
                  {"image_b", d.has_images ? std::vector<int>{0, 1} : std::vector<int>{0}},
                  {"tm", {2, 4, 8}},
                  {"tn", {2, 4, 8}},
                  {"bk", {1, 2, 4, 8, 16}},
                  {"vector", {1, 2, 4}},
                  {"gm", {1, 2, 4, 8, 16, 32}},
                  {"group", {32, 64, 128, 256}},
                  {"mad", {0, 1, 2}}});
}

bool Space::config(const Point& p, GemmConfig& c) const {
  c = GemmConfig{};
  const FamilyAxes& f = families_[static_cast<std::size_t>(p[0])];
  const auto is = [&](const char* name) { return !std::strcmp(f.name, name); };
  int gm = 1, gn = 1, vectors = 1, layout = 0, group = 0;
  for (std::size_t i = 0; i < f.axes.size(); ++i) {
    const char* name = f.axes[i].name;
    const int v = f.axes[i].values[static_cast<std::size_t>(p[i + 1])];
    bool known = false;
    for (const auto& [extra, to] :
         {std::pair{"gm", &gm}, {"gn", &gn}, {"vectors", &vectors}, {"layout", &layout}, {"group", &group}}) {
      if (!std::strcmp(name, extra)) *to = v, known = true;
    }
    for (const ConfigField& field : config_fields()) {
      if (!known && !std::strcmp(name, field.name)) c.*field.member = v;
    }
  }
  const int cpx = is_complex(precision_) ? 2 : 1, words = is_double(precision_) ? 2 : 1;
  if (is("mma")) {
    c.family = Family::Mma;
    if (c.bm / c.warps_m * (c.bn / c.warps_n) * cpx * words > 32 * 160)
      return false;  // the sums alone would need all registers
  } else if (is("wgmma")) {
    c.family = Family::Wgmma;
  } else if (is("codelet")) {
    c.family = Family::Codelet;
    c.a_k = layout != 0;
    c.b_k = layout == 1;
    if (group % gm) return false;
    gn = group / gm;
  } else {
    c.family = Family::Block;
    c.async = is("async");
    c.local = !is("panels");
    if (is("panels")) {
      if (vectors * c.vector % cpx) return false;
      c.tn = vectors * c.vector / cpx;
    }
  }
  if (c.family != Family::Mma && c.family != Family::Wgmma) {
    c.bm = gm * c.tm;
    c.bn = gn * c.tn;
    // Number of 32-bit registers for sums, a column and a row (thesis: at most 128; CPUs have wider ones).
    const int registers = (c.tm * c.tn + c.tm + c.tn) * cpx * words;
    if (!device_.is_cpu && registers > (c.async ? 330 : 128)) return false;
    if (is("panels") && c.tm * vectors > 64) return false;
  }
  return check_config(c, precision_, device_) == Status::Ok;
}

bool Space::point(const GemmConfig& c, Point& out) const {
  const int cpx = is_complex(precision_) ? 2 : 1;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    Point p{static_cast<int>(f)};
    for (const Axis& a : families_[f].axes) {
      const auto is = [&](const char* name) { return !std::strcmp(a.name, name); };
      int value = -1;
      for (const ConfigField& field : config_fields()) {
        if (is(field.name)) value = c.*field.member;
      }
      if (is("gm")) value = c.bm / c.tm;
      if (is("gn")) value = c.bn / c.tn;
      if (is("vectors")) value = c.tn * cpx / std::max(1, c.vector);
      if (is("layout")) value = c.b_k ? 1 : c.a_k ? 2 : 0;
      if (is("group")) value = threads_of(c);
      const auto found = std::find(a.values.begin(), a.values.end(), value);
      if (found == a.values.end()) break;
      p.push_back(static_cast<int>(found - a.values.begin()));
    }
    GemmConfig back;
    if (p.size() == families_[f].axes.size() + 1 && config(p, back) && back == c) {
      out = std::move(p);
      return true;
    }
  }
  return false;
}

Space::Point Space::random(std::size_t family, std::mt19937& r) const {
  Point p{static_cast<int>(family)};
  for (const Axis& a : families_[family].axes) p.push_back(static_cast<int>(r() % a.values.size()));
  return p;
}

std::vector<Space::Point> Space::neighbours(const Point& p) const {
  std::vector<Point> out;
  const auto& axes = families_[static_cast<std::size_t>(p[0])].axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (int step : {-1, 1}) {
      Point q = p;
      q[i + 1] += step;
      if (q[i + 1] >= 0 && q[i + 1] < static_cast<int>(axes[i].values.size())) out.push_back(std::move(q));
    }
  }
  return out;
}

bool Space::next(Point& p) const {
  if (p.empty()) {
    p.assign(families_[0].axes.size() + 1, 0);
    return true;
  }
  const auto& axes = families_[static_cast<std::size_t>(p[0])].axes;
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (++p[i + 1] < static_cast<int>(axes[i].values.size())) return true;
    p[i + 1] = 0;
  }
  const std::size_t family = static_cast<std::size_t>(p[0]) + 1;
  if (family == families_.size()) return false;
  p.assign(families_[family].axes.size() + 1, 0);
  p[0] = static_cast<int>(family);
  return true;
}

double Space::size() const {
  double all = 0;
  for (const FamilyAxes& f : families_) {
    double n = 1;
    for (const Axis& a : f.axes) n *= static_cast<double>(a.values.size());
    all += n;
  }
  return all;
}

}  // namespace raijincl
