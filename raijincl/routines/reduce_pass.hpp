// Reductions in one or two passes of kernels/reduce.cl.
#pragma once
#include <vector>

#include "routines/arguments.hpp"

namespace raijincl {

struct ReducePass {
  enum Op { Sum, Product, Min, Max, Dot, DotConjugate };
  struct Axis {
    std::size_t extent, stride;
  };
  static constexpr std::size_t kAxes = 8;
  Precision precision = Precision::S;
  Op op = Sum;
  bool places = false;  // the indices of min or max instead of the values; the elements of out are cl_ulong then
  bool all = false;     // one result for the whole array
  Vector in, other;     // along the axis: stride, and offset of the first element
  std::size_t length = 0;
  std::vector<Axis> kept;  // the other axes, the last one first; at most kAxes
  cl_mem out = nullptr;
  std::size_t out_offset = 0;
  std::size_t results() const {
    std::size_t n = 1;
    for (const Axis& a : kept) n *= a.extent;
    return n;
  }
};

// length must be > 0. Arguments are already checked.
Status run_reduction(Context::Impl&, const Launch&, const ReducePass&);

}  // namespace raijincl
