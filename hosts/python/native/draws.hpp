// Single random numbers of NumPy's generators, drawn through NumPy's public interface for bit generators (bitgen_t) as NumPy's
// own methods draw them: the same numbers, and the generator is afterwards in the same state. All under the GIL.
#pragma once
#include <velociraptor/descriptor.h>

#include <numpy/random/bitgen.h>

#include <cstdint>

#include "python.hpp"

namespace pyraptor {

/// The object with this address (id() in Python); the caller ensures that it is alive. Borrowed.
inline PyObject* object_at(int64_t address) { return reinterpret_cast<PyObject*>(static_cast<intptr_t>(address)); }

/// How a number is made of the generator's bits.
enum class Drawn {
  Nothing,   ///< not here: Python's method does it
  Double,    ///< random(): [0, 1)
  Masked,    ///< RandomState.randint: bits that are too great are drawn again
  Products,  ///< Generator.integers: by products (Lemire)
};

/// Which generator draws: an object, or the one whose address is the first argument; and what was found out about it.
class Generator {
 public:
  Generator(Drawn drawn, PyObject* owner) : drawn_(drawn), owner_(Ref::share(owner)) {}
  /// Draws a number into `result`, an int64 or float64. Arguments: [address,] [low,] high (int64) for whole numbers. False, perhaps
  /// with a Python exception: it was not drawn, and Python's method must be called.
  bool draw(const vr_value* args, size_t count, vr_value* result);

 private:
  bool find(PyObject* owner);

  Drawn drawn_;
  Ref owner_;  ///< empty: the first argument
  Ref bit_generator_, acquire_, release_;
  bitgen_t* bits_ = nullptr;  ///< of bit_generator_
};

}  // namespace pyraptor
