// The .cases.json files next to the examples: arguments, and the results that GNU Octave returned for them.
#pragma once
#include <velociraptor/engine.hpp>

#include <string>

namespace demo {

/// Runs every case of the file. Returns "" when all results agree to rtol (relative to the largest element), else the
/// differences.
std::string check_cases(const vr::Module& module, const std::string& path, double rtol);

/// Largest |got - wanted| over largest |wanted|; infinite when a NaN or the shapes differ. Arrays of float64, any
/// layout.
double relative_error(const vr::Array& got, const double* wanted, int64_t rows, int64_t columns, bool row_major);

}  // namespace demo
