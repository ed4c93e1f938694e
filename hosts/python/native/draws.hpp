// Draws single random numbers of NumPy's generators through NumPy's public interface for bit generators (bitgen_t). The
// algorithms are those of NumPy's methods, so the numbers and the generator's state afterwards are the same. All
// functions require the GIL.
#pragma once
#include <velociraptor/descriptor.h>

#include <numpy/random/bitgen.h>

#include <cstdint>

#include "python.hpp"

namespace pyraptor {

/// The object with this address (id() in Python); the caller ensures that it is alive. Borrowed.
inline PyObject* object_at(int64_t address) { return reinterpret_cast<PyObject*>(static_cast<intptr_t>(address)); }

/// How a number is computed from the generator's bits.
enum class Drawn {
  Nothing,   ///< not supported here: the Python method is called
  Double,    ///< random(): [0, 1)
  Masked,    ///< RandomState.randint: masked bits, redrawn while they are too large
  Products,  ///< Generator.integers: products (Lemire's method)
};

/// The generator that draws: a given object, or the one whose address is the first argument. Caches its bit generator.
class Generator {
 public:
  Generator(Drawn drawn, PyObject* owner) : drawn_(drawn), owner_(Ref::share(owner)) {}
  /// Draws a number into `result`, an int64 or float64. Arguments: [address,] [low,] high (int64) for integers. Returns
  /// false, perhaps with a Python exception, if nothing was drawn; then the Python method must be called.
  bool draw(const vr_value* args, size_t count, vr_value* result);

 private:
  bool find(PyObject* owner);

  Drawn drawn_;
  Ref owner_;  ///< empty: the generator is the first argument
  Ref bit_generator_, acquire_, release_;
  bitgen_t* bits_ = nullptr;  ///< the interface of bit_generator_
};

}  // namespace pyraptor
