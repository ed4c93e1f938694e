// The inverse error functions, once for the interpreter, native code and kernels: rational approximations of the normal
// distribution's quantiles (M. J. Wichura, "Algorithm AS 241", Applied Statistics 37, 1988), which are good to 16
// digits.
//
// The code is generic over an arithmetic A, as random_streams.hpp is: a type F with + - * / and comparisons, whose
// results are of a type for select(b, F, F); f(x): a constant; keep(v): v, to be used several times; abs, log, sqrt,
// copysign(size, sign).
#pragma once
#include <initializer_list>
#include <limits>

namespace vr {

template <class A>
class InverseErf {
 public:
  using F = typename A::F;
  explicit InverseErf(A& a) : a_(a) {}

  /// The x with erf(x) = y. Infinite for -1 and 1, NaN outside of them.
  F of_erf(F y) const {
    const F size = a_.keep(a_.abs(y));
    return of(a_.keep(y * a_.f(0.5)), a_.keep((a_.f(1) - size) * a_.f(0.5)));
  }
  /// The x with erfc(x) = y. Infinite for 0 and 2, NaN outside of them.
  F of_erfc(F y) const {
    const F below = a_.keep(a_.select(y < a_.f(1), y, a_.f(2) - y));
    return of(a_.keep((a_.f(1) - y) * a_.f(0.5)), a_.keep(below * a_.f(0.5)));
  }

 private:
  /// centre: the probability minus 1/2; tail: that of the nearer end.
  F of(F centre, F tail) const {
    const F near = a_.keep(a_.f(0.180625) - centre * centre);
    const F middle = a_.keep(
        centre *
        ratio(near,
              {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
               1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080},
              {5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
               5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1}));
    const F far = a_.keep(a_.sqrt(a_.f(0) - a_.log(tail)));
    const F outer = a_.keep(ratio(
        a_.keep(far - a_.f(1.6)),
        {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
         3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734},
        {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
         6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1}));
    const F outermost = a_.keep(ratio(
        a_.keep(far - a_.f(5)),
        {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
         2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720},
        {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
         1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1}));
    const F end = a_.select(far <= a_.f(5), outer, a_.select(far < a_.f(infinity), outermost, far));
    const F quantile = a_.select(a_.abs(centre) <= a_.f(0.425), middle, a_.copysign(a_.keep(end), centre));
    return quantile * a_.f(0.70710678118654752440);
  }
  F ratio(F x, std::initializer_list<double> above, std::initializer_list<double> below) const {
    return polynomial(x, above) / polynomial(x, below);
  }
  F polynomial(F x, std::initializer_list<double> highest_first) const {
    F sum = a_.f(*highest_first.begin());
    for (const double* c = highest_first.begin() + 1; c != highest_first.end(); ++c) sum = sum * x + a_.f(*c);
    return sum;
  }
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  A& a_;
};

}  // namespace vr
