// The array with which the tests fill in the binding template unchanged (include/velociraptor/vrbinding.hpp.in).
#pragma once
#include <cstdint>

struct TemplateArray {
  int64_t refs;
  double* data;
  int32_t type;
  int32_t rank;
  int64_t shape[16];
  int64_t strides[16];  // bytes
  TemplateArray* base;
  bool frozen;
};
