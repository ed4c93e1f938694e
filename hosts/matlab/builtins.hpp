// The table of builtins that are one library function: the rows of velociraptor/ir/matlab.def.
#pragma once
#include <cstdint>
#include <string>

namespace vr::matlab {

enum class Form : uint8_t { Map, Map2, Reduce, Scan };
enum class ResultClass : uint8_t { Float, Same, Logical, Double };
enum class OfComplex : uint8_t { Kept, Dropped, Refused };
enum class Domain : uint8_t { All, NotNegative, WithinOne, FromMinusOne };

struct Builtin {
  const char* name;
  Form form;
  const char* library;
  ResultClass result;
  OfComplex complex;
  Domain domain;
};

/// Null when there is no such row.
const Builtin* find_builtin(const std::string& name);

}  // namespace vr::matlab
