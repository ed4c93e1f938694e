"""NumPy's random numbers in compiled code: the same numbers and the same generator state as in plain Python."""
import threading

import numpy as np
import pytest

import pyraptor
from conftest import function, same

#: Method -> arguments for drawing one number.
DISTRIBUTIONS = {
    "beta": "2.0, 3.5", "binomial": "10, 0.3", "chisquare": "2.5", "exponential": "1.5", "f": "3.0, 4.0", "gamma": "0.7, 2.0", "geometric": "0.2",
    "gumbel": "1.0, 2.0", "hypergeometric": "7, 9, 5", "laplace": "0.5, 2.0", "logistic": "0.5, 2.0", "lognormal": "0.5, 0.25", "logseries": "0.6",
    "negative_binomial": "3, 0.4", "noncentral_chisquare": "2.0, 1.0", "noncentral_f": "2.0, 3.0, 1.0", "normal": "1.0, 2.0", "pareto": "3.0", "poisson": "4.5",
    "power": "3.0", "rayleigh": "1.5", "standard_cauchy": "", "standard_exponential": "", "standard_gamma": "1.7", "standard_normal": "",
    "standard_t": "5.0", "triangular": "0.0, 0.3, 1.0", "uniform": "2.0, 5.0", "vonmises": "0.5, 2.0", "wald": "1.0, 2.0", "weibull": "1.5", "zipf": "2.5",
}
SIZES = {"number": "", "vector": "size=n", "matrix": "size=(n, 2)"}


def both(f, make, *args):
    """Runs f(generator, *args) plain and compiled, each with its own generator. The numbers drawn afterwards must be equal, too."""
    one, two = make(), make()
    jitted = pyraptor.jit(f)
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    wanted, got = f(one, *args), jitted(two, *copies)
    same(wanted, got, rtol=0)
    for a, b in zip(args, copies):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(one.standard_normal(3), two.standard_normal(3))
    np.testing.assert_array_equal(one.random(3) if hasattr(one, "random") else 0, two.random(3) if hasattr(two, "random") else 0)
    return got


def legacy(f, *args, seed=12):
    """Runs f(*args) plain and compiled, each after np.random.seed(seed)."""
    jitted = pyraptor.jit(f)
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    np.random.seed(seed)
    wanted, after = f(*args), np.random.random(2), 
    wanted_state = np.random.get_state()
    np.random.seed(seed)
    got, then = jitted(*copies), np.random.random(2)
    state = np.random.get_state()
    same(wanted, got, rtol=0)
    np.testing.assert_array_equal(after, then)
    np.testing.assert_array_equal(wanted_state[1], state[1])
    assert wanted_state[2:] == state[2:]
    for a, b in zip(args, copies):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
    return got


def joined(*parts):
    return ", ".join(p for p in parts if p)


@pytest.mark.parametrize("size", SIZES)
def test_distributions_of_np_random(size):
    body = "\n".join(["x = ("] + [f"    np.random.{name}({joined(args, SIZES[size])})," for name, args in DISTRIBUTIONS.items()] + [")", "return x"])
    legacy(function("n", body), 3)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cls", [np.random.default_rng, np.random.RandomState])
def test_distributions_of_generators(cls, size):
    body = "\n".join(["x = ("] + [f"    rng.{name}({joined(args, SIZES[size])})," for name, args in DISTRIBUTIONS.items()] + [")", "return x"])
    both(function("rng, n", body), lambda: cls(5), 3)


@pytest.mark.parametrize("call", [
    "rand()", "rand(n)", "rand(n, 2)", "randn()", "randn(2, n)", "random()", "random(n)", "random((2, n))", "random_sample()", "random_sample(n)", "ranf()",
    "sample(n)", "randint(5)", "randint(5, 9)", "randint(-3, n, size=n)", "randint(0, 2**40, (2, 2))", "randint(0, 10, n, dtype=np.int32)",
    "randint(0, 200, n, np.uint8)", "randint(2, size=n, dtype=bool)", "permutation(n)", "permutation(x)", "permutation(m)", "choice(n)", "choice(x)", "choice(n, 5)",
    "choice(x, (2, 3))", "choice(x, 2, replace=False)", "choice(n, 2, False, p)", "choice(3, 4, p=p)", "uniform()", "uniform(-1.0, high=x)", "normal(x, 2.0)",
    "normal(size=n)", "normal(loc=3.0)", "normal(x, x + 1.0)", "exponential(x)", "poisson(x, (2, 3))", "multinomial(5, p)", "multinomial(5, p, size=n)", "dirichlet(p)",
    "dirichlet(p, 4)", "multivariate_normal(x, m)", "multivariate_normal(x, m, 2)",
])
def test_calls_of_np_random(call):
    legacy(function("n, x, m, p", f"return np.random.{call}"), 3, np.array([1.5, 2.5, 4.0]), np.eye(3) * 2, np.array([0.2, 0.3, 0.5]))


@pytest.mark.parametrize("call", [
    "random()", "random(n)", "random((2, n))", "random(n, dtype=np.float32)", "random(dtype=np.float32)", "integers(5)", "integers(5, 9)", "integers(-3, n)",
    "integers(0, 2**40)", "integers(0, 2**32)", "integers(-9223372036854775807 - 1, 9223372036854775807)", "integers(0, 10, n)", "integers(0, 10, size=(2, n), endpoint=True)", "integers(6, dtype=np.int32)",
    "integers(0, 99, n, dtype=np.uint8)", "standard_normal()", "standard_normal(n)", "standard_normal(n, dtype=np.float32)", "standard_exponential(n, method='inv')",
    "permutation(n)", "permutation(x)", "permutation(m, axis=1)", "permuted(m)", "permuted(m, axis=1)", "choice(n)", "choice(x)", "choice(m)", "choice(m, 2, axis=1)",
    "choice(n, 2, replace=False, shuffle=False)", "choice(x, 4, p=p)", "normal(x)", "uniform(0.0, x)", "uniform()", "dirichlet(p, 2)", "multivariate_normal(x, m)",
])
def test_calls_of_generators(call):
    both(function("rng, n, x, m, p", f"return rng.{call}"), lambda: np.random.default_rng(3), 3, np.array([1.5, 2.5, 4.0]), np.eye(3) * 2,
         np.array([0.2, 0.3, 0.5]))


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_single_numbers_of_all_bit_generators(bits):
    """The native side draws these. After an odd number of 32-bit draws, half a word is buffered."""
    body = """
s, k = 0.0, 0
for i in range(n):
    s += rng.random()
    k ^= rng.integers(0, 3 + i % 1000)
    if i % 7 == 0:
        k ^= rng.integers(-5, 2**33 + i)
    if i % 11 == 0:
        s += rng.standard_normal() + rng.random(3)[1]
return s, k, rng.integers(1), rng.integers(4, 4 + 2**32), rng.integers(-9223372036854775807 - 1, 9223372036854775807)"""
    both(function("rng, n", body), lambda: np.random.Generator(bits(9)), 20000)


def test_single_numbers_of_the_legacy_generator():
    legacy(function("n", """
s, k = 0.0, 0
for i in range(n):
    s += np.random.rand() - np.random.random()
    k ^= np.random.randint(3 + i % 1000)
    if i % 7 == 0:
        k ^= np.random.randint(-5, 2**33 + i)
    if i % 11 == 0:
        s += np.random.randn()
return s, k, np.random.randint(1), np.random.randint(-9223372036854775807 - 1, 9223372036854775807), np.random.randint(0, 2**32)"""), 20000)


def test_shuffle():
    legacy(function("x, m", "np.random.shuffle(x)\nnp.random.shuffle(m)\nnp.random.shuffle(m[::2, 1])\nreturn x.sum()"), np.arange(10.0), np.arange(12).reshape(4, 3))
    both(function("rng, x, m", "rng.shuffle(x)\nrng.shuffle(m, axis=1)\nreturn x[0]"), lambda: np.random.default_rng(1), np.arange(10), np.arange(12.0).reshape(3, 4))
    with pytest.raises(pyraptor.UnsupportedError, match="shuffle"):
        pyraptor.jit(function("m", "np.random.shuffle(m.T)"))(np.eye(2))


def test_seed_inside():
    f = function("n", "np.random.seed(n)\nx = np.random.rand(3)\nnp.random.seed(n)\nreturn x, np.random.rand(3)")
    x, y = pyraptor.jit(f)(4)
    np.testing.assert_array_equal(x, y)
    np.random.seed(4)
    np.testing.assert_array_equal(x, np.random.rand(3))


def test_generators_made_inside():
    f = function("seed, n", """
rng = np.random.default_rng(seed)
old = np.random.RandomState(seed)
total = 0.0
for i in range(n):
    rng2 = np.random.default_rng(i)
    total += rng2.random() + rng.normal()
return total, old.rand(2), rng.integers(0, 9, 4)""")
    same(f(3, 50), pyraptor.jit(f)(3, 50), rtol=0)
    g = function("rng, again", "if again:\n    rng = np.random.default_rng(8)\nreturn rng.random(2)")
    for again in (False, True):
        same(g(np.random.default_rng(2), again), pyraptor.jit(g)(np.random.default_rng(2), again), rtol=0)


def test_generator_is_returned():
    f = pyraptor.jit(function("rng, seed", "mine = np.random.default_rng(seed)\nmine.random()\nreturn rng, mine"))
    given = np.random.default_rng(1)
    back, made = f(given, 5)
    assert back is given
    wanted = np.random.default_rng(5)
    wanted.random()
    assert made.bit_generator.state == wanted.bit_generator.state


def test_generator_of_the_program_and_helpers():
    rng = np.random.default_rng(6)
    helper = function("g, n", "return g.normal(size=n).sum() + g.random()")
    f = function("n", "return helper(rng, n) + rng.random(), helper(np.random.default_rng(n), n)", rng=rng, helper=helper)
    state = rng.bit_generator.state
    wanted = f(4)
    after = rng.bit_generator.state
    rng.bit_generator.state = state
    same(wanted, pyraptor.jit(f)(4), rtol=0)
    assert rng.bit_generator.state == after


def test_many_generators_one_version():
    f = pyraptor.jit(function("rng", "return rng.random() + rng.random(2)[1]"))
    for seed in range(50):
        a, b = np.random.default_rng(seed), np.random.default_rng(seed)
        assert f(a) == f.__wrapped__(b)
    assert len(f.report()) == 1
    assert f(np.random.RandomState(3)) == f.__wrapped__(np.random.RandomState(3))
    assert len(f.report()) == 2


def test_generators_in_tuples():
    f = function("pair", "rng, k = pair\nreturn rng.random(k)")
    same(f((np.random.default_rng(4), 3)), pyraptor.jit(f)((np.random.default_rng(4), 3)), rtol=0)


@pytest.mark.parametrize("call", ["np.random.randint(n, n)", "np.random.randint(0)", "np.random.normal(0.0, -1.0 * n)", "np.random.choice(0)", "np.random.seed(-1)",
                                  "np.random.rand(-n)", "np.random.default_rng(-n).random()", "np.random.multinomial(3, np.ones(3))",
                                  "np.random.default_rng(n).integers(n, 1)", "np.random.binomial(3, 1.0 + n)", "np.random.choice(n, 9, replace=False)"])
def test_errors_are_numpys(call):
    f = function("n", f"return {call}")
    with pytest.raises(Exception) as wanted:
        f(3)
    with pytest.raises(type(wanted.value)) as got:
        pyraptor.jit(f)(3)
    assert str(got.value) == str(wanted.value)


@pytest.mark.parametrize("body, text", [
    ("return np.random.bytes(3)", "bytes"), ("rng = np.random.default_rng(1)\nreturn rng.bytes(3)", "bytes"), ("return np.random.get_state()", "get_state"),
    ("x = np.zeros(n)\nrng = np.random.default_rng(1)\nrng.random(out=x)\nreturn x", "out"),
    ("x = np.zeros(n)\nfor i in prange(n):\n    x[i] = np.random.rand()\nreturn x", "pyraptor.random"),
    ("x = np.zeros(n)\nrng = np.random.default_rng(1)\nfor i in prange(n):\n    x[i] = rng.random()\nreturn x", "pyraptor.random"),
    ("rng = np.random.default_rng(1)\nreturn rng.nonsense(3)", "nonsense"),
])
def test_refusals(body, text):
    with pytest.raises(pyraptor.UnsupportedError, match=text):
        pyraptor.jit(function("n", body))(3)


def test_threads_share_a_generator():
    """Each number is drawn by exactly one thread: together the threads draw what a single thread would."""
    f = pyraptor.jit(function("rng, x", "for i in range(x.shape[0]):\n    x[i] = rng.random()"))
    rng, parts = np.random.default_rng(7), [np.zeros(20000) for _ in range(4)]
    f(np.random.default_rng(0), np.zeros(1))
    threads = [threading.Thread(target=f, args=(rng, p)) for p in parts]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.sort(np.random.default_rng(7).random(80000)))


def test_another_bit_generator_is_noticed():
    if not hasattr(np.random, "set_bit_generator"):
        pytest.skip("not in this version of NumPy")
    f = pyraptor.jit(function("", "return np.random.random()"))
    before = np.random.get_bit_generator()
    try:
        for bits in (np.random.PCG64, np.random.Philox, np.random.MT19937):
            np.random.set_bit_generator(bits(3))
            assert f() == np.random.RandomState(bits(3)).random_sample()
    finally:
        np.random.set_bit_generator(before)


@pytest.mark.parametrize("call", ["random()", "uniform(1.0, 3)", "triangular(0.0, 2.0, 0.5)", "betavariate(2.0, 3.0)", "expovariate(1.5)", "gammavariate(0.5, 2.0)", "gauss(1.0, 2.0)",
                                  "lognormvariate(0.0, 1.0)", "normalvariate(0.0, 1.0)", "vonmisesvariate(0.0, 4.0)", "paretovariate(3.0)", "weibullvariate(1.0, 1.5)",
                                  "randint(1, n)", "randrange(n)", "randrange(1, n, 2)", "getrandbits(40)", "randint(a=1, b=n)"])
def test_python_s_own_generator(call):
    import random
    f = function("n", f"import random\ns = random.{call}\nfor i in range(n):\n    s += random.{call}\nreturn s")
    jitted = pyraptor.jit(f)
    random.seed(8)
    wanted, after = f(9), random.random()
    random.seed(8)
    got = jitted(9)
    assert type(got) is type(wanted) and got == wanted and random.random() == after


def test_seed_and_errors_of_python_s_own_generator():
    import random
    g = pyraptor.jit(function("n", "import random\nrandom.seed(n)\nreturn random.random()"))
    assert g(3) == random.Random(3).random()
    for bad in ("choice(n)", "randint(n, 1.5 * n)", "randint(5, 1)"):
        with pytest.raises((TypeError, ValueError)):
            pyraptor.jit(function("n", f"import random\nreturn random.{bad}"))(3)
    with pytest.raises(OverflowError):
        pyraptor.jit(function("n", "import random\nreturn random.getrandbits(n)"))(200)


def test_supported_names_them():
    assert {"numpy.random.rand", "numpy.random.default_rng", "numpy.random.Generator.integers", "pyraptor.random.uniform"} <= set(pyraptor.supported())
