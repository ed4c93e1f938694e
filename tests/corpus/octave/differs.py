"""Intended differences between the `mclab` dialect and GNU Octave, as rules with reasons. A difference without a rule is a mistake."""
import numpy as np


def explained(name, args, octave, ours):
    """Whether a rule below allows the dialect's result `ours` where Octave's is `octave`, for these arguments."""
    with np.errstate(all="ignore"):
        return any(name in names.split() and holds(args, octave, ours) for names, holds, _ in RULES)


def is_complex(x):
    return np.asarray(x).dtype.kind == "c"


def finite(*args):
    return all(np.all(np.isfinite(x)) for x in args)


def integer(x):
    return np.asarray(x).dtype.kind == "i"


def remainder_of_infinite(args, octave, ours):
    x, y = (np.float32(v) for v in args) if np.float32 in (args[0].dtype, args[1].dtype) else args
    return np.isfinite(x) and np.isinf(y) and np.isnan(octave) and ours in (x, y)


def rounded_power(args, octave, ours):
    """The power computed in double, rounded and saturated."""
    x, y = map(float, args)
    wanted = np.power(np.float64(x), np.float64(y))
    limits = np.iinfo(np.int32)
    return ours == np.clip(np.sign(wanted) * np.floor(np.abs(wanted) + 0.5), limits.min, limits.max)


#: (functions, on which arguments and results, reason)
RULES = [
    ("arg", lambda args, octave, ours: np.isnan(args[0]) and np.isnan(ours),
     "The angle of NaN is atan2 (0, NaN), NaN, as MATLAB's. Octave's C++ library looks at the sign bit of real numbers alone."),
    ("mod rem", remainder_of_infinite,
     "Of an infinite divisor MATLAB leaves x as it is (mod of the other sign: the divisor). Octave computes x - y .* floor (x ./ y)."),
    ("lt le gt ge", lambda args, octave, ours: any(map(is_complex, args)),
     "MATLAB orders complex numbers by their real parts, Octave by magnitude and angle."),
    ("times rdivide ldivide prod cumprod", lambda args, octave, ours: all(map(is_complex, args)) and not finite(*args),
     "Products and quotients of two complex numbers with infinite or NaN parts are what the formula gives. Octave's C library recovers "
     "infinities from NaN."),
    ("rdivide", lambda args, octave, ours: is_complex(args[1]) and not finite(args[1]),
     "The same of a real number divided by a complex one."),
    ("ldivide", lambda args, octave, ours: is_complex(args[0]) and not finite(args[0]), "The same."),
    ("power", lambda args, octave, ours: any(map(is_complex, args)) and (args[1] == 0 and ours == 1),
     "x .^ 0 is 1 for complex x too, as MATLAB's. Octave's is NaN where log (x) is infinite."),
    ("power", lambda args, octave, ours: any(map(is_complex, args)) and not finite(*args),
     "Powers of complex numbers with infinite or NaN parts are exp (y * log (x)) as written. Octave's C library recovers infinities."),
    ("power", lambda args, octave, ours: any(map(is_complex, args)) and args[0].dtype == np.complex64 and np.abs(args[1]) > 1e7,
     "The angle of such a power has no digits in single."),
    ("power", lambda args, octave, ours: any(map(integer, args)) and rounded_power(args, octave, ours),
     "Powers of integers are MATLAB's: computed in double, rounded and saturated. Octave drops fractions where both are integers, and rounds "
     "an exponent to single beside a single."),
]
