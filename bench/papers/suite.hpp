// The papers' programs as a table: what a program is called with, the kernels by hand that do the same, what one
// repetition is worth, and how far results may differ.
#pragma once
#include "opencl_peers.hpp"

#include <velociraptor/velociraptor.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace papers {

using vr::Elem;
constexpr Elem f32 = Elem::Float32, f64 = Elem::Float64, i32 = Elem::Int32, u8 = Elem::UInt8, u32 = Elem::UInt32;

/// An array of a Setup: an argument of the program with a buffer of the peer, or the peer's alone.
struct Buf {
  int id = -1;
};
/// An argument of a kernel by hand.
using Arg = std::variant<Buf, int, unsigned, float, double>;

/// What both sides may do: the rules of the language (`:fastmath afn`, no contraction, float32 quotients and square
/// roots rounded correctly), or `:fastmath` and -cl-fast-relaxed-math.
enum class Grant : uint8_t { Strict, Fast };

/// One program with its data, in one size. The buffers live until it ends.
class Setup {
 public:
  Setup(bench::Peers& peers, bool quick) : peers_(peers), quick_(quick) {}
  ~Setup();
  Setup(const Setup&) = delete;

  // ---- for the table
  bool quick() const { return quick_; }
  int64_t pick(int64_t full, int64_t quick) const { return quick_ ? quick : full; }
  /// The program's next argument: numbers from [lo, hi), the same in every run. Of a complex one both parts.
  Buf array(Elem e, const std::vector<int64_t>& extents, double lo, double hi, bool complex = false);
  /// Likewise; the two sides' elements are compared after one repetition.
  Buf result(Elem e, const std::vector<int64_t>& extents, double lo = 0, double hi = 0, bool complex = false);
  /// The program's result, which is compared with this buffer of the peer.
  Buf returned(Elem e, const std::vector<int64_t>& extents);
  /// For the peer alone.
  Buf scratch(Elem e, const std::vector<int64_t>& extents);
  void number(vr::Value v) { args_.push_back(std::move(v)); }
  /// The host's elements, to be filled before the first launch is described.
  template <class T>
  T* host(Buf b) {
    return arrays_[size_t(b.id)].host.data_as<T>();
  }
  /// One launch of a repetition, in order; global sizes are rounded up to whole groups.
  void launch(const std::string& kernel, std::vector<int64_t> global, std::vector<size_t> local, std::vector<Arg> args);
  /// What the peer's program is built with: "-DT=float".
  void define(const std::string& option) { defines_ += " " + option; }
  /// Units of work of a repetition: bytes for "TB/s", operations for "TFLOP/s", 1e-12 units otherwise.
  void work(double units, const char* unit) { work_ = units, unit_ = unit; }
  /// Largest difference, of the largest magnitude (without a call: 0 for integers, 1e-5 of float32, 1e-12 of float64);
  /// `share` of the elements may differ by more.
  void bound(double difference, double share = 0) { bound_ = difference, share_ = share; }

  // ---- for the runner
  /// Builds the peer's kernels from this text and copies its buffers.
  void begin(const std::string& source, Grant grant);
  const std::vector<vr::Value>& args() const { return args_; }
  std::vector<vr::Array> kept() const;  ///< the arrays among the arguments
  void hand(int times);                 ///< enqueues that many repetitions and waits
  /// Empty where the sides agree, else where they do not. `r`: what one repetition returned.
  std::string differs(const std::vector<vr::Value>& r);
  double work() const { return work_; }
  const std::string& unit() const { return unit_; }

 private:
  struct Kept {
    vr::Array host;
    bool compared = false, returned = false;
    cl_mem device = nullptr;
  };
  struct Launch {
    std::string name;
    std::vector<size_t> global, local;
    std::vector<Arg> args;
    cl_kernel kernel = nullptr;
  };
  Buf add(Elem e, const std::vector<int64_t>& extents, double lo, double hi, bool complex);
  bench::Peers& peers_;
  bool quick_;
  std::vector<Kept> arrays_;
  std::vector<vr::Value> args_;
  std::vector<Launch> launches_;
  cl_program program_ = nullptr;
  double work_ = 0, bound_ = -1, share_ = 0;
  std::string unit_, defines_;
};

struct Case {
  std::string group;    ///< "more": the folder of the program
  std::string peers;    ///< "more/rows": the file of the peers, without .cl
  std::string section;  ///< of that file
  std::string name;     ///< "matmul@512": of the program, before the @, and its function
  Grant grant = Grant::Strict;
  std::function<void(Setup&)> make;
};

/// Where the files of the table add their programs. The peers of a program are the section of its name in the file of
/// peers, or another section that is named: "unpython/programs:matmul".
class Table {
 public:
  using Make = std::function<void(Setup&)>;
  void file(const std::string& group, const std::string& peers) { group_ = group, peers_ = peers; }
  void strict(const std::string& name, const Make& make, const std::string& section = {});
  void fast(const std::string& name, const Make& make, const std::string& section = {});
  /// Two programs: by the rules, and with all licences ("NAME+fast").
  void both(const std::string& name, const Make& make, const std::string& section = {});
  const std::vector<Case>& cases() const { return cases_; }

 private:
  void add(const std::string& name, Grant grant, const Make& make, const std::string& section);
  std::string group_, peers_;
  std::vector<Case> cases_;
};

/// c = a b, of n x n float32 or float64 (of 128 x 128 and more in a quick run); `transposed`: c = a b^T. Peer:
/// unpython/programs.
void product(Setup& s, Elem e, int64_t n, bool transposed);
/// Matrix times vector, and the transposed matrix; peers: more/rows.
void transposition(Setup& s, int64_t n, int64_t m);
void rows_to_numbers(Setup& s, const char* kernel, int64_t n, int64_t m, bool vector);

void add_unpython(Table&);
void add_jit4opencl(Table&);
void add_tornado(Table&);
void add_lime(Table&);
void add_thesis(Table&);
void add_dense(Table&);
void add_rows(Table&);
void add_vectors(Table&);
void add_images(Table&);
void add_stencils(Table&);
void add_nets(Table&);
void add_mixed(Table&);
void add_batches(Table&);
void add_polybench(Table&);
void add_rodinia(Table&);
void add_hecbench(Table&);
void add_blind(Table&);
void add_common(Table&);
void add_groups(Table&);
void add_samples(Table&);

}  // namespace papers
