// The parameter space that the tuner searches: for each family, the parameters with their possible values (those of
// thesis 8.4.2, and others for newer devices). To search another space, change the lists in space.cpp.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "core/config.hpp"

namespace raijincl {

struct Axis {
  const char* name;
  std::vector<int> values;
};

class Space {
 public:
  // compensated: only kernels for Product::Compensated.
  Space(const DeviceInfo&, Precision, bool compensated, bool native);

  using Point = std::vector<int>;  // the family, then an index into the values of each parameter
  std::size_t families() const { return families_.size(); }
  // False if no kernel can be generated for the point, or it needs too many registers.
  bool config(const Point&, GemmConfig&) const;
  bool point(const GemmConfig&, Point&) const;  // the inverse; false if the space does not contain the parameters
  Point random(std::size_t family, std::mt19937&) const;
  std::vector<Point> neighbours(const Point&) const;  // points that differ by one step in one parameter
  // Enumerates all points, starting from an empty one; false at the end.
  bool next(Point&) const;
  double size() const;

 private:
  struct FamilyAxes {
    const char* name;
    std::vector<Axis> axes;
  };
  void add(const char* name, std::vector<Axis> axes) { families_.push_back({name, std::move(axes)}); }
  DeviceInfo device_;
  Precision precision_;
  std::vector<FamilyAxes> families_;
};

}  // namespace raijincl
