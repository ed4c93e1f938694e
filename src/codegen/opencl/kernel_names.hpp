// The identifiers of one kernel's OpenCL C functions (private to codegen/opencl).
#pragma once
#include "codegen/opencl/names.hpp"
#include "loop/form.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vr::codegen::opencl {

/// Used by kernels with rows (row_writer.cpp).
struct RowNames {
  struct One {
    std::string base, start, step, pending;
  };
  std::string member, lane, stores, inside, memory, first, from, count, turn, end;
  std::vector<One> of;  ///< for each of Function::rows
  std::vector<std::string> before;  ///< the state in front of the current loop, for each variable of its reduction
};

struct KernelNames {
  std::string body, join;                                                 ///< functions; join: for reduction kernels
  std::string error;                                                      ///< the parameter for faults
  std::vector<std::string> variables;                                     ///< of the lowered form
  std::vector<std::string> reads;                                         ///< their values in expressions
  std::map<lower::ArrayId, std::pair<std::string, std::string>> buffers;  ///< buffer and offset parameters
  RowNames rows;
  std::vector<std::string> copies;  ///< the memory of Function::rows, without a team
  std::vector<std::string> shared;  ///< of Function::shared
  std::vector<std::string> counts;                                        ///< parameters: iterations of each dimension
  std::map<lower::VarId, std::string> joined;                             ///< of reductions: a work-item's partial result
  std::map<const lower::Lane*, std::pair<std::string, std::string>> lanes;  ///< an iteration's old element and its new one
  Names taken;                                                              ///< all of these
};

/// globals: names of the program's functions, this kernel's among them.
KernelNames name_kernel(const lower::Function& f, Names& globals);

}  // namespace vr::codegen::opencl
