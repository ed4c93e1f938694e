// The programs of bench_cpu. Each has a VRIR file, inputs, a C version (its peer), and a bound on the difference of
// results.
#pragma once
#include <velociraptor/velociraptor.hpp>

#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace bench {

constexpr vr::Elem F64 = vr::Elem::Float64, F32 = vr::Elem::Float32, I64 = vr::Elem::Int64, I32 = vr::Elem::Int32;

inline double* f64(const vr::Array& a) { return a.data_as<double>(); }
inline int64_t* i64(const vr::Array& a) { return a.data_as<int64_t>(); }

/// A shared library with the C versions; functions are looked up by name.
class Peers {
 public:
  explicit Peers(const std::string& path);  ///< ends the program when it cannot be opened
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(address(name));
  }

 private:
  void* address(const char* name) const;  ///< ends the program when the library has no such function
  void* handle_;
};

/// An array that the program and its peer both write. Each has its own storage; `reset` restores the initial values of
/// both.
struct Both {
  vr::Array ours, c, start;
  void reset() const {
    const size_t bytes = static_cast<size_t>(start.size()) * static_cast<size_t>(start.element_bytes());
    std::memcpy(ours.data(), start.data(), bytes);
    std::memcpy(c.data(), start.data(), bytes);
  }
};

/// A result of the program and the same result of its peer.
struct Output {
  std::function<vr::Array(const std::vector<vr::Value>& results)> ours;
  std::function<vr::Array()> c;
};

struct Program {
  std::string name;
  std::string file;  ///< in bench/programs, without .vrir; or examples/NAME.vrir for the mclab programs
  std::string fn;
  bool parallel = true;  ///< the file also has a parallel function, fn + "_par"
  bool mclab = false;
  std::vector<vr::Value> args = {};
  std::vector<Both> written = {};               ///< reset before each run, outside the timed interval
  std::function<void(const Peers&)> peer = {};  ///< runs the C peer
  std::vector<Output> outputs = {};
  /// The largest difference relative to the largest magnitude (arrays of integers: the fraction of elements that
  /// differ).
  double bound = 1e-12;
};

/// Makes inputs from a fixed seed, and fills in a Program.
class Maker {
 public:
  explicit Maker(bool quick) : quick_(quick) {}
  /// A size for the full run and one for --quick.
  int64_t size(int64_t full, int64_t quick) const { return quick_ ? quick : full; }
  vr::Array make(vr::Elem elem, std::vector<int64_t> extents, const std::function<double(int64_t)>& value) const;
  vr::Array zeros(vr::Elem elem, std::vector<int64_t> extents, bool complex = false) const;
  vr::Array uniform(vr::Elem elem, std::vector<int64_t> extents, double low = 0, double high = 1);
  Both both(vr::Array start) const;
  std::mt19937_64& random() { return random_; }

 private:
  bool quick_;
  std::mt19937_64 random_{20261121};
};

/// Compares an argument that is written in place, or result k, with an array or a number of the peer's.
Output written(const Both& b);
Output result(size_t k, vr::Array c);
Output number(size_t k, const double* c);

/// A program's name and the function that makes it. Inputs are made only for the programs that run.
struct Factory {
  const char* name;
  std::function<Program(Maker&)> make;
};
std::span<const Factory> loop_programs();   ///< matrices, reductions, stencils, sums over pairs of bodies
std::span<const Factory> array_programs();  ///< array operators, library calls, recursion, output of a MATLAB compiler

}  // namespace bench
