// The space of parameters that the tuner walks: for each family a list of axes with their possible values (thesis 8.4.2
// and what today's machines ask for). Change the lists in space.cpp to search elsewhere.
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

  using Point = std::vector<int>;  // family, then an index into each of its axes
  std::size_t families() const { return families_.size(); }
  // False if no kernel can be generated for the point, or it needs too many registers.
  bool config(const Point&, GemmConfig&) const;
  bool point(const GemmConfig&, Point&) const;  // the other way, if the space has it
  Point random(std::size_t family, std::mt19937&) const;
  std::vector<Point> neighbours(const Point&) const;  // one axis one step further, or back
  // All points, one after another; false at the end. Starts at an empty point.
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
