// Reductions in one or two passes of kernels/reduce.cl.
#pragma once
#include "routines/arguments.hpp"

namespace raijincl {

struct ReducePass {
  enum Op { Sum, Product, Min, Max, Dot, DotConjugate };
  Precision precision = Precision::S;
  Op op = Sum;
  bool places = false;  // the places of min or max instead of the values; out then holds cl_ulong
  std::size_t outer = 1, length = 0, inner = 1;
  Vector in, other;
  cl_mem out = nullptr;
  std::size_t out_offset = 0;
};

// length > 0. Arguments are checked already.
Status run_reduction(Context::Impl&, const Launch&, const ReducePass&);

}  // namespace raijincl
