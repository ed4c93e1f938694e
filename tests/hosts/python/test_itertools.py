"""itertools, heapq, bisect, np.ndindex, np.ndenumerate, .flat; ranges with computed steps."""
import numpy as np
import pytest

from tables import cases, refusal, run

I = np.arange(12).reshape(3, 4)
STEPS = [(0, 7, 1), (0, 7, 2), (7, 0, -1), (7, 0, -3), (2, 2, 5), (0, 6, 3), (5, -5, -4)]


@cases(("a, b, s", "[i for i in range(a, b, s)], len(range(a, b, s)), list(reversed(range(a, b, s)))", *STEPS, (0, 3, 0)),
       ("a, k", "range(a)[k], range(1, a, 2)[k]", (5, -1), (5, 1), (5, 7), (5, -9)), ("a", "list(reversed(range(0, 10, a)))", 3, 4),
       ("a", "sum(a), len(a), list(a)", range(3, 9, 2), range(5, 0, -2)), ("a", "range(a, 9)", 3), ("a", "x, y = range(a)\nreturn x, y", 2, 3),
       ("a", "s = 0\nfor k, v in enumerate(range(10, 0, a)):\n    s += k * v\nreturn s", -1, -3))
def test_ranges(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "[(i, j) for i, j in itertools.product(range(a), [1, 2])]", 3, 0), ("a", "list(itertools.product(a, a))", [1, 2, 3], []),
       ("a", "s = 0\nfor x, y, z in itertools.product(a, repeat=3):\n    s = s * 3 + x * y + z\nreturn s", [1, 2, 3]),
       ("a", "list(itertools.combinations(a, 2)), list(itertools.permutations(a, 2))", [3, 1, 2, 5], [1], []),
       ("a", "list(itertools.combinations_with_replacement(a, 2))", [3, 1, 2], [1]), ("a", "list(itertools.combinations(range(a), 3))", 6, 3, 2),
       ("a", "list(itertools.permutations(range(a), 3))", 5, 2), ("a", "list(itertools.permutations((a, 2, 3)))", 1), ("a", "list(itertools.combinations(a, 1))", [2, 3]),
       ("a, r", "len(list(itertools.combinations(a, r)))", ([1, 2, 3, 4], 3), ([1, 2, 3, 4], 2), ([1, 2], 3)),
       ("a", "list(itertools.chain(a, [4, 5], range(2)))", [1, 2], []), ("a", "list(itertools.islice(a, 1, 3)), list(itertools.islice(a, 0, None, 2))", [1, 2, 3, 4], [1]),
       ("a", "list(itertools.islice(range(a), 2))", 5, 1), ("a, k", "list(itertools.islice(a, k))", ([1, 2, 3], 2), ([1, 2, 3], -1)),
       ("a", "list(itertools.repeat(a, 3))", 5, 2.5), ("a", "list(itertools.starmap(pow, zip(a, a)))", [1, 2, 3]),
       ("a", "for p in itertools.product(range(3), range(a)):\n    if p[0] + p[1] == 3:\n        return p\nreturn 0, 0", 3, 2))
def test_itertools(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "s = 0\nfor i, j in np.ndindex(a.shape):\n    s += i * 10 + j + a[i, j]\nreturn s", I), ("n, m", "[i * j for i, j in np.ndindex(n, m)]", (2, 3), (0, 3)),
       ("a", "s = 0.0\nfor (i, j), x in np.ndenumerate(a):\n    s = s * 2 + i * 10 + j + x\nreturn s", I * 1.0, I.T * 1.0, I[:, ::2] * 1.0),
       ("a", "s = 0.0\nfor i, x in np.ndenumerate(a):\n    s += i[0] * x\nreturn s", np.arange(6.0)), ("a", "s = 0\nfor x in a.flat:\n    s = s * 2 + x\nreturn s", I, I.T),
       ("a, k", "a.flat[k]", (I, 1), (I, -1), (I.T, 5), (I, 50)), ("a", "a.flat[3] = 7\na.flat[-1] += 2\nreturn a", I, I.T), ("a", "list(a.flat)", I, I.T))
def test_arrays_element_by_element(arguments, text, call):
    run(arguments, text, call)


@cases(("a, x", "bisect.bisect(a, x), bisect.bisect_left(a, x), bisect.bisect_right(a, x, 1)", ([1, 2, 2, 3], 2), (np.array([1.0, 2]), 1), ([], 1)),
       ("a, x", "bisect.bisect_left(a, x, 1, 3)", ([1, 2, 2, 3], 3)), ("a, x", "bisect.bisect(a, x, -1)", ([1, 2], 2)),
       ("a, x", "bisect.insort(a, x)\nbisect.insort_left(a, x + 1)\nreturn a", ([1, 2, 2, 3], 2)))
def test_bisect(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "heapq.heapify(a)\nreturn a", [5, 3, 8, 1, 9, 2], [], [1.5, 0.5], list(range(40, 0, -1))), ("a, x", "heapq.heappush(a, x)\nreturn a", ([1, 3, 5], 2), ([], 2)),
       ("a", "x = heapq.heappop(a)\nreturn x, a", [1, 3, 5, 4], [1], []), ("a, x", "y = heapq.heappushpop(a, x)\nreturn y, a", ([1, 3, 5], 2), ([1, 3, 5], 0)),
       ("a, x", "y = heapq.heapreplace(a, x)\nreturn y, a", ([1, 3, 5], 4), ([1, 3, 5], 0)),
       ("a", "heapq.nlargest(2, a), heapq.nsmallest(2, a), heapq.nsmallest(9, a), heapq.nsmallest(-1, a)", [5, 3, 8, 1]),
       ("a", "h = []\nfor i, v in enumerate(a):\n    heapq.heappush(h, (v, i))\nx = heapq.heappop(h)\ny = heapq.heappushpop(h, (2.5, 100))\nz = heapq.heapreplace(h, (0.5, 101))\nreturn x, y, z, h", [3.5, 1.5, 2.5, 0.25, 9.0]),
       ("a", "h = [(v % 3, v) for v in a]\nheapq.heapify(h)\nout = []\nwhile h:\n    out.append(heapq.heappop(h))\nreturn out, heapq.nsmallest(2, out), heapq.nlargest(2, out)", [5, 3, 8, 1, 9, 2, 7, 8]),
       ("a", "h = []\nfor x in a:\n    heapq.heappush(h, x)\nreturn [heapq.heappop(h) for _ in range(len(h))]", [5, 3, 8, 1, 3, 9, 0], [2.5, 1.5]))
def test_heapq(arguments, text, call):
    run(arguments, text, call)


@pytest.mark.parametrize("seed", range(3))
def test_heaps_of_many(seed):
    numbers = np.random.default_rng(seed).integers(0, 30, 60).tolist()
    run("a, k", "heapq.heapify(a)\nout = [0] * 0\nfor x in range(k):\n    out.append(heapq.heappop(a))\n    if x % 3 == 0:\n        heapq.heappush(a, x)\nreturn out, a", (numbers, 25))


def test_refusals():
    assert "does not end" in refusal("a", "for x in itertools.repeat(a):\n    break\nreturn x", 3)
    assert "number is not known" in refusal("a", "list(itertools.permutations(a))", [1, 2])
    assert "a key" in refusal("a", "bisect.bisect(a, 1, key=abs)", [1, 2])


@cases(
    ("x", "s = 0.0\nfor i, v in zip(itertools.count(), x):\n    s += i * v\nfor i, v in zip(itertools.count(10, -2), x):\n    s += i * v\nreturn s", np.arange(4.0)),
    ("n", "for i in itertools.count(n):\n    if i % 5 == 0:\n        break\nreturn i, list(itertools.islice(itertools.count(n, 3), 4)), "
     "[k for k in itertools.islice(itertools.count(), 1, n, 2)]", 7, -3),
    ("n", "dict(zip([3, 4], itertools.count(n))), list(zip(itertools.count(1), [4, 5])), [a * b for a, b in zip([1, 2, 3], itertools.count(n))]", 7),
)
def test_count(arguments, text, call):
    run(arguments, text, call)


def test_count_refused():
    assert "do not end" in refusal("n", "sorted(itertools.count(n))", 1)
    assert "itertools.count of float" in refusal("n", "for k in itertools.count(n):\n    break\nreturn k", 1.5)
