// Random numbers of counter-based streams (docs/vrir-library.md, "Random numbers"): the one definition for the interpreter,
// native code and kernels. A number is a function of a key and a counter; there is no state.
//
// The code is generic over an arithmetic A, which either computes with numbers (Numbers, below) or emits code that does
// (lower/random.cpp). It uses only operations that IEEE 754 rounds exactly (+ - * / sqrt, floor), so that all targets give the
// same bits: libraries differ in the last digits of log and cos.
//
// A has types U (uint64), F (float64) and B (truth value) with their operators; u(n), f(x): constants; keep(v): v, to be used
// several times; select(b, v, w), both(b, c), either(b, c), not_(b); to_float(U); sqrt(F), floor(F); variable(v) with get() and
// set(v); when(b, body); until(body): runs body until the B that it returns is true.
#pragma once
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace vr::random {

/// Each function has streams of its own: word 3 of the counter. The numbers are part of the definition.
enum class Stream : uint32_t { Bits, Uniform, Integer, Normal, Exponential, Gamma, Permutation };

/// 128 bits as two words.
template <class A>
struct Block {
  typename A::U first, second;
};

template <class A>
class Draws {
 public:
  using U = typename A::U;
  using F = typename A::F;
  using B = typename A::B;
  explicit Draws(A& a) : a_(a) {}

  /// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011): the counter consists of the 32-bit words c0 (the
  /// least significant) to c3.
  Block<A> philox(U key, U c0, U c1, U c2, U c3) const {
    U k0 = a_.keep(low(key)), k1 = a_.keep(high(key));
    for (int round = 0; round < 10; ++round) {
      const U p = a_.keep(a_.u(0xD2511F53) * c0), q = a_.keep(a_.u(0xCD9E8D57) * c2);
      c0 = a_.keep(high(q) ^ c1 ^ k0);
      c1 = a_.keep(low(q));
      c2 = a_.keep(high(p) ^ c3 ^ k1);
      c3 = a_.keep(low(p));
      if (round == 9) break;
      k0 = a_.keep(low(k0 + a_.u(0x9E3779B9)));
      k1 = a_.keep(low(k1 + a_.u(0xBB67AE85)));
    }
    return {a_.keep(c1 * a_.u(two32) + c0), a_.keep(c3 * a_.u(two32) + c2)};
  }
  /// The 128 bits of a stream at counter n; attempt (< 2^32): functions that reject numbers need more of them.
  Block<A> block(U key, U n, U attempt, Stream stream) const {
    return philox(key, a_.keep(low(n)), a_.keep(high(n)), attempt, a_.u(static_cast<uint32_t>(stream)));
  }

  U bits(U key, U n) const { return block(key, n, a_.u(0), Stream::Bits).first; }
  /// A multiple of 2^-53 in [0, 1).
  F uniform(U key, U n) const { return from_zero(block(key, n, a_.u(0), Stream::Uniform).first); }

  /// In [0, count), each number equally likely (Lemire 2019 rejects the few products that would make some numbers
  /// likelier). count must not be 0.
  U integer(U key, U n, U count, Stream stream = Stream::Integer) const {
    auto result = a_.variable(a_.u(0)), attempt = a_.variable(a_.u(0));
    auto done = a_.variable(a_.truth(true));
    a_.until([&] {
      const U x = block(key, n, attempt.get(), stream).first, rest = a_.keep(x * count);
      result.set(product_high(x, count));
      done.set(a_.truth(true));
      a_.when(rest < count, [&] { done.set(rest >= (a_.u(0) - count) % count); });
      attempt.set(attempt.get() + a_.u(1));
      return done.get();
    });
    return result.get();
  }

  /// Box and Muller: the first word gives the radius, the second one the angle.
  F normal(U key, U n) const { return normal_of(block(key, n, a_.u(0), Stream::Normal)); }
  F exponential(U key, U n) const { return a_.f(0) - log(from_one(block(key, n, a_.u(0), Stream::Exponential).first), 32); }

  /// A gamma distribution of shape `shape` and scale 1 (Marsaglia and Tsang 2000). 0 for shape 0, infinite for an
  /// infinite one, NaN for others that are not positive.
  F gamma(U key, U n, F shape) const {
    const B valid = a_.keep(a_.both(shape > a_.f(0), shape < a_.f(infinity)));
    const B small = a_.keep(shape < a_.f(1));
    const F d = a_.keep(a_.select(small, shape + a_.f(1), shape) - a_.f(1.0 / 3));
    const F c = a_.keep(a_.f(1) / a_.sqrt(a_.f(9) * d));
    auto result = a_.variable(a_.f(0));
    auto attempt = a_.variable(a_.u(0));
    auto accepted = a_.variable(a_.truth(false));
    a_.until([&] {
      const F x = a_.keep(normal_of(block(key, n, attempt.get(), Stream::Gamma)));
      const F u = a_.keep(from_one(block(key, n, a_.keep(attempt.get() + a_.u(1)), Stream::Gamma).first));
      attempt.set(attempt.get() + a_.u(2));
      const F t = a_.keep(a_.f(1) + c * x), v = a_.keep(t * t * t), square = a_.keep(x * x);
      result.set(d * v);
      const B positive = a_.keep(t > a_.f(0)), quick = a_.keep(u < a_.f(1) - a_.f(0.0331) * square * square);
      accepted.set(a_.either(a_.not_(valid), a_.both(positive, quick)));
      a_.when(a_.both(valid, a_.both(positive, a_.not_(quick))), [&] {
        accepted.set(log(u, 32) < a_.f(0.5) * square + d * (a_.f(1) - v + log(v, 128)));
      });
      return accepted.get();
    });
    // For a shape below 1: a number of shape + 1, times a power of a uniform number.
    a_.when(a_.both(valid, small), [&] {
      const F u = from_one(block(key, n, a_.u(0xFFFFFFFF), Stream::Gamma).first);
      result.set(result.get() * exp(log(u, 32) / shape));
    });
    const F other = a_.select(a_.either(a_.eq(shape, a_.f(0)), a_.eq(shape, a_.f(infinity))), shape, a_.f(not_a_number));
    return a_.select(valid, result.get(), other);
  }

 private:
  static constexpr uint64_t two32 = uint64_t{1} << 32;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  // log 2 in two parts: products of the first part with whole numbers below 2^12 are exact.
  static constexpr double log2_high = 0x1.62e42fefa3p-1, log2_low = 0x1.3de6af278ece6p-42;

  U low(U x) const { return x & a_.u(0xFFFFFFFF); }
  U high(U x) const { return x / a_.u(two32); }
  /// The upper 64 bits of the product.
  U product_high(U x, U y) const {
    const U x0 = a_.keep(low(x)), x1 = a_.keep(high(x)), y0 = a_.keep(low(y)), y1 = a_.keep(high(y));
    const U cross = a_.keep(x0 * y1), other = a_.keep(x1 * y0);
    const U middle = high(x0 * y0) + low(cross) + low(other);
    return x1 * y1 + high(cross) + high(other) + high(middle);
  }
  F from_zero(U word) const { return a_.to_float(word / a_.u(2048)) * a_.f(0x1p-53); }              // [0, 1)
  F from_one(U word) const { return (a_.to_float(word / a_.u(2048)) + a_.f(1)) * a_.f(0x1p-53); }  // (0, 1]
  F normal_of(const Block<A>& b) const {
    return a_.sqrt(log(from_one(b.first), 32) * a_.f(-2)) * cosine_of_turns(a_.keep(from_zero(b.second)));
  }

  F polynomial(F x, std::initializer_list<double> highest_first) const {
    F sum = a_.f(*highest_first.begin());
    for (const double* c = highest_first.begin() + 1; c != highest_first.end(); ++c) sum = sum * x + a_.f(*c);
    return sum;
  }
  /// The natural logarithm of x in (2^(1 - 2 least), 256); least is a power of two.
  F log(F x, int least) const {
    F m = a_.keep(x), e = a_.f(0);
    for (int s = least; s > 0; s /= 2) {
      const B below = a_.keep(m < a_.f(std::ldexp(1, -s)));
      m = a_.keep(a_.select(below, m * a_.f(std::ldexp(1, s)), m));
      e = a_.keep(a_.select(below, e - a_.f(s), e));
    }
    for (int s = 4; s > 0 && least > 32; s /= 2) {
      const B above = a_.keep(m >= a_.f(std::ldexp(1, s)));
      m = a_.keep(a_.select(above, m * a_.f(std::ldexp(1, -s)), m));
      e = a_.keep(a_.select(above, e + a_.f(s), e));
    }
    // Here 1/2 <= m < 2; afterwards m is between the square roots of 1/2 and 2.
    const B below = a_.keep(m < a_.f(0x1.6a09e667f3bcdp-1)), above = a_.keep(m >= a_.f(0x1.6a09e667f3bcdp+0));
    m = a_.keep(a_.select(below, m * a_.f(2), a_.select(above, m * a_.f(0.5), m)));
    e = a_.keep(a_.select(below, e - a_.f(1), a_.select(above, e + a_.f(1), e)));
    // log m = 2 artanh s
    const F s = a_.keep((m - a_.f(1)) / (m + a_.f(1))), z = a_.keep(s * s);
    const F series = polynomial(z, {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3, 0});
    return a_.keep(e * a_.f(log2_high) + (a_.f(2) * s + (s * series + e * a_.f(log2_low))));
  }
  /// e to the power of y <= 0.
  F exp(F given) const {
    const F y = a_.keep(a_.select(given > a_.f(-800), given, a_.f(-800)));
    F n = a_.keep(a_.f(0) - a_.floor(y * a_.f(0x1.71547652b82fep+0) + a_.f(0.5)));
    const F r = a_.keep((y + n * a_.f(log2_high)) + n * a_.f(log2_low));
    F v = a_.keep(polynomial(r, {1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1}));
    for (int s : {512, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1}) {
      const B more = a_.keep(n >= a_.f(s));
      v = a_.keep(a_.select(more, v * a_.f(std::ldexp(1, -s)), v));
      n = a_.keep(a_.select(more, n - a_.f(s), n));
    }
    return v;
  }
  /// The cosine of 2 pi u, u in [0, 1).
  F cosine_of_turns(F u) const {
    const F quarters = a_.keep(u * a_.f(4)), nearest = a_.keep(a_.floor(quarters + a_.f(0.5)));
    const F x = a_.keep((quarters - nearest) * a_.f(0x1.921fb54442d18p+0)), z = a_.keep(x * x);
    const F cosine = polynomial(z, {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320,
                                    -1.0 / 720, 1.0 / 24, -0.5, 1});
    const F sine = x * polynomial(z, {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
                                      1.0 / 120, -1.0 / 6, 1});
    const B odd = a_.either(a_.eq(nearest, a_.f(1)), a_.eq(nearest, a_.f(3)));
    const F v = a_.keep(a_.select(odd, sine, cosine));
    const B negative = a_.either(a_.eq(nearest, a_.f(1)), a_.eq(nearest, a_.f(2)));
    return a_.select(negative, a_.f(0) - v, v);
  }

  A& a_;
};

/// Computes with numbers. Compile with -ffp-contract=off.
struct Numbers {
  using U = uint64_t;
  using F = double;
  using B = bool;
  template <class T>
  struct Variable {
    T value;
    T get() const { return value; }
    void set(T v) { value = v; }
  };
  static U u(uint64_t n) { return n; }
  static F f(double x) { return x; }
  static B truth(bool b) { return b; }
  template <class T>
  static T keep(T v) {
    return v;
  }
  template <class T>
  static T select(B b, T v, T w) {
    return b ? v : w;
  }
  static B both(B b, B c) { return b && c; }
  static B either(B b, B c) { return b || c; }
  static B not_(B b) { return !b; }
  static B eq(F x, F y) { return x == y; }
  static F to_float(U n) { return static_cast<F>(n); }
  static F sqrt(F x) { return std::sqrt(x); }
  static F floor(F x) { return std::floor(x); }
  template <class T>
  static Variable<T> variable(T v) {
    return {v};
  }
  template <class Body>
  static void when(B b, Body&& body) {
    if (b) body();
  }
  template <class Body>
  static void until(Body&& body) {
    while (!body()) {
    }
  }
};

}  // namespace vr::random
