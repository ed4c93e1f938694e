// What a kernel accesses: constant-stride descriptors (CSLMADs, jit4GPU 5.2) whose coefficients are known at the
// launch. Made by src/loop/analysis/footprint, carried by vr_kernel::accesses, read by runtime/gpu/regions.
#pragma once
#include "runtime/abi.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace vr {

/// A number that is known at a launch.
struct AccessValue {
  enum class Kind : int64_t {
    Scalar,     ///< scalar parameter a, an integer
    Extent,     ///< extent b of array parameter a
    Stride,     ///< stride b, in bytes, of array parameter a
    Count,      ///< of the launch's domain along dimension a
    Sum,        ///< `form`, of values before this one
    Quotient,   ///< of values a and b, toward zero; the table does not hold if b is 0 or -1
    Remainder,  ///< the same
    Least,      ///< of values a and b
    Greatest,   ///< the same
  };
  Kind kind = Kind::Scalar;
  int64_t a = 0, b = 0;
  std::vector<struct AccessTerm> form;
};
/// factor * counter of loop `loop` (none: -1) * values. All arithmetic is exact: if a number of a launch needs more
/// than 62 bits, nothing is known about the launch's accesses.
struct AccessTerm {
  int64_t factor = 0;
  int64_t loop = -1;
  std::vector<int64_t> values;
};
using AccessForm = std::vector<AccessTerm>;  ///< a sum

/// A dimension of the domain, or a serial loop: from `lo` to below `hi`, which are affine forms of outer loops.
struct AccessLoop {
  AccessForm lo, hi;
  /// For a dimension: one iteration of the launch stands for `tile` iterations of the kernel; those of `apart` launch
  /// iterations, from a multiple of `apart` on, together are contiguous. Each of these stands for `members` iterations
  /// of the launch, of which `apart` is a multiple.
  int64_t tile = 1, apart = 1, members = 1;
};
/// In each iteration of `loops` (outermost first) in which all forms of `where` are 0 or more, `bytes` bytes of array
/// parameter `param`, `offset` bytes behind its element (0, ..., 0).
struct ArrayAccess {
  int64_t param = 0, bytes = 0;
  bool written = false;
  bool always = true;  ///< false: `loops` and `where` allow iterations that do not make the access
  std::vector<int64_t> loops;
  std::vector<AccessForm> where;
  AccessForm offset;
  std::vector<int64_t> limits;  ///< in AccessTable::limits; where one does not hold, any element may be accessed
};
/// In every such iteration, lo <= form <= hi.
struct AccessLimit {
  AccessForm form;
  int64_t lo = 0, hi = 0;
  std::vector<int64_t> loops;
  std::vector<AccessForm> where;
};
/// If set, any of the array's elements may be accessed.
struct WholeAccess {
  int64_t param = 0;
  bool written = false;
  std::string reason;  ///< why no more is known
};

struct AccessTable {
  std::vector<AccessValue> values;
  std::vector<AccessLoop> loops;  ///< first the dimensions of the domain
  std::vector<ArrayAccess> accesses;
  std::vector<AccessLimit> limits;
  std::vector<AccessLimit>
      checks;  ///< where one does not hold, the kernel may end with a fault, and no access is sure to be made
  std::vector<WholeAccess> whole;

  /// As a list of numbers, the first of which is the number of those that follow.
  std::vector<int64_t> words() const;
  static AccessTable from(const int64_t* words);
};

namespace access_words {
struct Writer {
  std::vector<int64_t> out;
  void operator()(int64_t v) { out.push_back(v); }
  void operator()(bool v) { out.push_back(v); }
  void operator()(AccessValue::Kind v) { out.push_back(int64_t(v)); }
  void operator()(const std::string& s) {
    (*this)(int64_t(s.size()));
    for (char c : s) out.push_back(static_cast<unsigned char>(c));
  }
  template <class T>
  void operator()(const std::vector<T>& all) {
    (*this)(int64_t(all.size()));
    for (const T& v : all) (*this)(v);
  }
  template <class T>
  void operator()(const T& record) {
    fields(*this, record);
  }
};
struct Reader {
  const int64_t* at;
  void operator()(int64_t& v) { v = *at++; }
  void operator()(bool& v) { v = *at++ != 0; }
  void operator()(AccessValue::Kind& v) { v = AccessValue::Kind(*at++); }
  void operator()(std::string& s) {
    s.resize(size_t(*at++));
    for (char& c : s) c = char(*at++);
  }
  template <class T>
  void operator()(std::vector<T>& all) {
    all.resize(size_t(*at++));
    for (T& v : all) (*this)(v);
  }
  template <class T>
  void operator()(T& record) {
    fields(*this, record);
  }
};
template <class To, class T>
void fields(To& to, T& r) {
  using R = std::remove_const_t<T>;
  if constexpr (std::is_same_v<R, AccessValue>) to(r.kind), to(r.a), to(r.b), to(r.form);
  if constexpr (std::is_same_v<R, AccessTerm>) to(r.factor), to(r.loop), to(r.values);
  if constexpr (std::is_same_v<R, AccessLoop>) to(r.lo), to(r.hi), to(r.tile), to(r.apart), to(r.members);
  if constexpr (std::is_same_v<R, ArrayAccess>)
    to(r.param), to(r.bytes), to(r.written), to(r.always), to(r.loops), to(r.where), to(r.offset), to(r.limits);
  if constexpr (std::is_same_v<R, AccessLimit>) to(r.form), to(r.lo), to(r.hi), to(r.loops), to(r.where);
  if constexpr (std::is_same_v<R, WholeAccess>) to(r.param), to(r.written), to(r.reason);
  if constexpr (std::is_same_v<R, AccessTable>)
    to(r.values), to(r.loops), to(r.accesses), to(r.limits), to(r.checks), to(r.whole);
}
}  // namespace access_words

inline std::vector<int64_t> AccessTable::words() const {
  access_words::Writer w;
  w(int64_t{0});
  w(*this);
  w.out[0] = int64_t(w.out.size()) - 1;
  return std::move(w.out);
}
inline AccessTable AccessTable::from(const int64_t* words) {
  access_words::Reader r{words + 1};
  AccessTable t;
  r(t);
  return t;
}

}  // namespace vr
