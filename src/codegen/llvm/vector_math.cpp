#include "codegen/llvm/vector_math.hpp"

#include <dlfcn.h>

namespace vr::codegen::llvm_backend {
namespace {

void* libmvec() {
#if defined(__x86_64__) && defined(__linux__)
  static void* library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  return library;
#else
  return nullptr;
#endif
}

// libmvec names its functions by the instruction set they need: SSE2, AVX2 (c is AVX), AVX-512.
struct InstructionSet {
  char letter;
  int bits;
};
constexpr InstructionSet instruction_sets[] = {{'b', 128}, {'d', 256}, {'e', 512}};

}  // namespace

void* vector_math_address(const std::string& symbol) { return libmvec() ? dlsym(libmvec(), symbol.c_str()) : nullptr; }

std::vector<VectorVariant> vector_variants(const std::string& scalar, int bits, size_t arity, int vector_bits) {
  std::vector<VectorVariant> found;
  for (const InstructionSet& set : instruction_sets) {
    if (set.bits > vector_bits) continue;
    int lanes = set.bits / bits;
    std::string symbol =
        std::string("_ZGV") + set.letter + "N" + std::to_string(lanes) + std::string(arity, 'v') + "_" + scalar;
    // Older C libraries have fewer functions, so look the symbol up.
    if (vector_math_address(symbol)) found.push_back({symbol, lanes});
  }
  return found;
}

}  // namespace vr::codegen::llvm_backend
