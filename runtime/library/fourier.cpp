// Fourier transforms along an axis, by pocketfft: fft, fftn, rfft, irfft.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

// pocketfft caches the plans of recently used lengths; the threads are those of the context (below).
#define POCKETFFT_CACHE_SIZE 16
#define POCKETFFT_NO_MULTITHREADING
#include <pocketfft_hdronly.h>

#include "runtime/cpu/copy.hpp"
#include "runtime/cpu/parallel_for.hpp"
#include "runtime/library/call.hpp"

namespace vr::runtime::library {

namespace {

template <class T>
constexpr bool is_complex_element = false;
template <class T>
constexpr bool is_complex_element<std::complex<T>> = true;

/// Elements that a transform reads or writes.
struct Lot {
  char* data;
  std::vector<size_t> shape;
  std::vector<ptrdiff_t> stride;
  explicit Lot(const vr_array& a)
      : data(static_cast<char*>(a.data)), shape(a.extent, a.extent + a.rank), stride(a.stride, a.stride + a.rank) {}
};

/// The decoded arguments: the axis, the transform's length, the factor for its results.
struct Job {
  int32_t axis;
  int64_t length;
  double factor;
};

/// The factor for the results of a transform of n elements.
double scale_factor(const LibraryCall& c, int64_t scaling, int64_t n) {
  switch (scaling) {
    case 0:
      return 1;
    case 1:
      return 1 / std::sqrt(static_cast<double>(n));
    case 2:
      return 1 / static_cast<double>(n);
    default:
      c.fail(VR_SIZE, "results are scaled by 1 (0), 1 / sqrt(n) (1) or 1 / n (2)");
  }
}

/// `first`: the number of the argument for the axis; length and scaling follow. `otherwise`: the length if none is
/// given.
Job job_of(const LibraryCall& c, size_t scaling, bool inverse, int64_t (*otherwise)(int64_t)) {
  const vr_array& a = c.in(0);
  Job job{c.axis(1), 0, 1};
  if (job.axis < 0) {  // NumPy: the last axis, MATLAB: the first one longer than 1
    job.axis = c.matlab() ? 0 : a.rank - 1;
    while (c.matlab() && job.axis + 1 < a.rank && a.extent[job.axis] == 1) ++job.axis;
    if (a.extent[job.axis] == 1 && c.matlab()) job.axis = 0;
  }
  if (job.axis >= a.rank)
    c.fail(VR_OUT_OF_BOUNDS, "an array of rank " + std::to_string(a.rank) + " has no such dimension");
  job.length = c.whole(2, otherwise(a.extent[job.axis]));
  if (job.length < 1)
    c.fail(VR_SIZE, "invalid number of FFT data points (" + std::to_string(job.length) + ") specified");
  job.factor = scale_factor(c, c.whole(scaling, inverse ? 2 : 0), job.length);
  return job;
}

/// Argument 0 with `length` elements along an axis: its own storage, or a copy if its type differs or zeros have to
/// follow.
template <class E>
class Input {
 public:
  Input(const LibraryCall& c, int32_t axis, int64_t length) : lot_(c.in(0)) {
    using R = decltype(std::abs(E()));
    const vr_array& a = c.in(0);
    vr_array source = a;
    constexpr int32_t code =
        (std::is_same_v<R, float> ? VR_FLOAT32 : VR_FLOAT64) | (is_complex_element<E> ? VR_COMPLEX : 0);
    if (a.elem != code) {
      converted_ = c.values<E>(0, Order::Row);
      source.data = converted_.data();
      contiguous_strides(a.rank, a.extent, sizeof(E), false, source.stride);
    }
    if (length > a.extent[axis]) {
      vr_array longer = source;
      longer.extent[axis] = length;
      padded_ = Buffer<E>(element_count(longer));
      std::fill(padded_.begin(), padded_.end(), E(0));
      longer.data = padded_.data();
      contiguous_strides(a.rank, longer.extent, sizeof(E), false, longer.stride);
      for_each_pair(part(longer, a), source, [](char* to, const char* from) { std::memcpy(to, from, sizeof(E)); });
      source = longer;
    }
    lot_ = Lot(source);
    lot_.shape[static_cast<size_t>(axis)] = static_cast<size_t>(length);
  }
  const Lot& lot() const { return lot_; }

 private:
  static vr_array part(vr_array a, const vr_array& like) {
    std::copy(like.extent, like.extent + like.rank, a.extent);
    return a;
  }
  Lot lot_;
  Buffer<E> converted_, padded_;
};

/// Calls f(shape, in, out) for parts of a transform along `axis`, on the context's threads if there is enough work.
/// `shape` is that of the transform; `in` and `out` are where its parts begin.
template <class F>
void in_parts(const LibraryCall& c, std::vector<size_t> shape, int32_t axis, const Lot& in, const Lot& out, F f) {
  struct Parts {
    F& f;
    const std::vector<size_t>& shape;
    const Lot &in, &out;
    size_t split;
    int64_t count;
    std::atomic<bool> failed{false};
  };
  size_t split = static_cast<size_t>(axis), elements = 1;
  for (size_t k = 0; k < shape.size(); ++k) {
    elements *= shape[k];
    if (k != static_cast<size_t>(axis) && (split == static_cast<size_t>(axis) || shape[k] > shape[split])) split = k;
  }
  const int64_t threads = c.context()->threads;
  Parts parts{f, shape, in, out, split, 1};
  if (split != static_cast<size_t>(axis) && threads > 1 && !inside_task() && elements >= size_t{1} << 15)
    parts.count = std::min<int64_t>(2 * threads, static_cast<int64_t>(shape[split]));
  if (parts.count < 2) return f(shape, in.data, out.data);
  vr_rt_parallel_for(
      c.context(), nullptr,
      [](vr_context*, void* env, int64_t lo, int64_t hi) -> int32_t {
        auto& p = *static_cast<Parts*>(env);
        const auto extent = static_cast<int64_t>(p.shape[p.split]);
        for (int64_t k = lo; k < hi; ++k) {
          const int64_t from = extent * k / p.count, to = extent * (k + 1) / p.count;
          try {
            std::vector<size_t> shape = p.shape;
            shape[p.split] = static_cast<size_t>(to - from);
            p.f(shape, p.in.data + from * p.in.stride[p.split], p.out.data + from * p.out.stride[p.split]);
          } catch (...) {  // memory: nothing else
            p.failed = true;
          }
        }
        return VR_OK;
      },
      &parts, 0, parts.count);
  if (parts.failed) throw std::bad_alloc();
}

/// The second half of transforms of real numbers consists of the conjugates of the first half.
template <class R>
void mirror(const vr_array& a, int32_t axis) {
  using Z = std::complex<R>;
  const int64_t n = a.extent[axis], stride = a.stride[axis];
  vr_array slab = a, other = a;
  auto conjugated = [](char* to, const char* from) {
    Z v;
    std::memcpy(&v, from, sizeof v);
    v = std::conj(v);
    std::memcpy(to, &v, sizeof v);
  };
  slab.extent[axis] = other.extent[axis] = 1;
  if (stride == static_cast<int64_t>(sizeof(Z))) {  // lines are contiguous
    for_each_pair(slab, slab, [&](char* line, char*) {
      for (int64_t k = n / 2 + 1; k < n; ++k) conjugated(line + k * stride, line + (n - k) * stride);
    });
    return;
  }
  for (int64_t k = n / 2 + 1; k < n; ++k) {
    slab.data = static_cast<char*>(a.data) + k * stride;
    other.data = static_cast<char*>(a.data) + (n - k) * stride;
    for_each_pair(slab, other, conjugated);
  }
}

/// Result 0: it has argument 0's extents except along the axis.
const vr_array& result(const LibraryCall& c, int32_t axis, int64_t extent) {
  const vr_array& a = c.in(0);
  std::vector<int64_t> extents(a.extent, a.extent + a.rank);
  extents[static_cast<size_t>(axis)] = extent;
  return c.make(0, extents);
}

template <class R>
void of_real(const LibraryCall& c, const Job& job, const vr_array& made, bool forward) {
  const Input<R> x(c, job.axis, job.length);
  const Lot out(made);
  in_parts(c, x.lot().shape, job.axis, x.lot(), out, [&](const std::vector<size_t>& shape, char* from, char* to) {
    pocketfft::r2c(shape, x.lot().stride, out.stride, static_cast<size_t>(job.axis), forward,
                   reinterpret_cast<const R*>(from), reinterpret_cast<std::complex<R>*>(to),
                   static_cast<R>(job.factor));
  });
}

/// MATLAB: if a line is conjugate symmetric, its inverse transform is real, and is rounded to real numbers, line by
/// line.
template <class R>
void real_of_symmetric(const Lot& in, const vr_array& out, int32_t axis) {
  using Z = std::complex<R>;
  const int64_t n = out.extent[axis], step = in.stride[static_cast<size_t>(axis)];
  vr_array from = out, to = out;
  from.data = in.data;
  std::copy(in.stride.begin(), in.stride.end(), from.stride);
  from.extent[axis] = to.extent[axis] = 1;
  for_each_pair(from, to, [&](const char* x, char* y) {
    for (int64_t k = 0; k <= n / 2; ++k) {
      Z a, b;
      std::memcpy(&a, x + k * step, sizeof a);
      std::memcpy(&b, x + (n - k) % n * step, sizeof b);
      if (a != std::conj(b)) return;
    }
    for (int64_t k = 0; k < n; ++k) std::memset(y + k * out.stride[axis] + sizeof(R), 0, sizeof(R));
  });
}

int64_t same_length(int64_t n) { return n; }
/// The (even) length of the real signal whose transform has n elements.
int64_t even_length(int64_t n) { return 2 * (n - 1); }

template <class R>
void fft(const LibraryCall& c) {
  using Z = std::complex<R>;
  const bool inverse = c.truth(3, false);
  const Job job = job_of(c, 4, inverse, same_length);
  const vr_array& made = result(c, job.axis, job.length);
  if (element_count(made) == 0) return;
  if (!(c.in(0).elem & VR_COMPLEX)) {
    of_real<R>(c, job, made, !inverse);
    return mirror<R>(made, job.axis);
  }
  const Input<Z> x(c, job.axis, job.length);
  const Lot out(made);
  in_parts(c, x.lot().shape, job.axis, x.lot(), out, [&](const std::vector<size_t>& shape, char* from, char* to) {
    pocketfft::c2c(shape, x.lot().stride, out.stride, {static_cast<size_t>(job.axis)}, !inverse,
                   reinterpret_cast<const Z*>(from), reinterpret_cast<Z*>(to), static_cast<R>(job.factor));
  });
  if (inverse && c.matlab()) real_of_symmetric<R>(x.lot(), made, job.axis);
}

/// Along the first axis as fft, then in place.
template <class R>
void fft_of_axes(const LibraryCall& c) {
  using Z = std::complex<R>;
  const vr_array& a = c.in(0);
  const int32_t first = std::max(c.axis(1), 0);
  if (first >= a.rank)
    c.fail(VR_OUT_OF_BOUNDS, "an array of rank " + std::to_string(a.rank) + " has no such dimension");
  const bool inverse = c.truth(2, false);
  for (int32_t k = first; k < a.rank; ++k)
    if (a.extent[k] < 1)
      c.fail(VR_SIZE, "invalid number of FFT data points (" + std::to_string(a.extent[k]) + ") specified");
  const int64_t scaling = c.whole(3, inverse ? 2 : 0);
  const auto factor = [&](int64_t n) { return scale_factor(c, scaling, n); };
  factor(1);  // its fault
  const vr_array& made = result(c, first, a.extent[first]);
  if (element_count(made) == 0) return;
  const Lot out(made);
  const int32_t last = a.rank - 1;
  const auto along = [&](int32_t axis, const Lot& from) {
    in_parts(c, out.shape, axis, from, out, [&](const std::vector<size_t>& shape, char* x, char* y) {
      pocketfft::c2c(shape, from.stride, out.stride, {static_cast<size_t>(axis)}, !inverse,
                     reinterpret_cast<const Z*>(x), reinterpret_cast<Z*>(y), static_cast<R>(factor(made.extent[axis])));
    });
  };
  if (!(a.elem & VR_COMPLEX)) {
    of_real<R>(c, {last, a.extent[last], factor(a.extent[last])}, made, !inverse);
    mirror<R>(made, last);
  } else {
    const Input<Z> x(c, last, a.extent[last]);
    along(last, x.lot());
  }
  for (int32_t axis = last - 1; axis >= first; --axis) along(axis, out);
}

template <class R>
void rfft(const LibraryCall& c) {
  const Job job = job_of(c, 3, false, same_length);
  const vr_array& made = result(c, job.axis, job.length / 2 + 1);
  if (element_count(made) > 0) of_real<R>(c, job, made, true);
}

template <class R>
void irfft(const LibraryCall& c) {
  using Z = std::complex<R>;
  const Job job = job_of(c, 3, true, even_length);
  const vr_array& made = result(c, job.axis, job.length);
  if (element_count(made) == 0) return;
  const Input<Z> x(c, job.axis, job.length / 2 + 1);
  const Lot out(made);
  in_parts(c, out.shape, job.axis, x.lot(), out, [&](const std::vector<size_t>& shape, char* from, char* to) {
    pocketfft::c2r(shape, x.lot().stride, out.stride, static_cast<size_t>(job.axis), false,
                   reinterpret_cast<const Z*>(from), reinterpret_cast<R*>(to), static_cast<R>(job.factor));
  });
}

bool is_single(const LibraryCall& c) { return real_part(c.in(0).elem) == ir::Elem::Float32; }

}  // namespace

void Fft(const LibraryCall& c) { is_single(c) ? fft<float>(c) : fft<double>(c); }
void FftOfAxes(const LibraryCall& c) { is_single(c) ? fft_of_axes<float>(c) : fft_of_axes<double>(c); }
void RealFft(const LibraryCall& c) { is_single(c) ? rfft<float>(c) : rfft<double>(c); }
void InverseRealFft(const LibraryCall& c) { is_single(c) ? irfft<float>(c) : irfft<double>(c); }

}  // namespace vr::runtime::library
