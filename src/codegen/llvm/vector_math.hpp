// glibc's vector maths (libmvec): which functions are available in this process (private to codegen/llvm).
#pragma once
#include <string>
#include <vector>

namespace vr::codegen::llvm_backend {

struct VectorVariant {
  std::string symbol;  ///< "_ZGVdN4v_exp"
  int lanes;
};

/// The versions of C function `scalar` on elements of `bits` bits for vectors up to `vector_bits`; empty without libmvec or if
/// it does not have the function. Results are within 4 ulp. Thread-safe.
std::vector<VectorVariant> vector_variants(const std::string& scalar, int bits, size_t arity, int vector_bits);

/// Address of a libmvec function; null if there is none.
void* vector_math_address(const std::string& symbol);

}  // namespace vr::codegen::llvm_backend
