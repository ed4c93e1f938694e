"""Strings as keys of dictionaries and items of sets: constants, and one of several constants. Plain Python is the oracle."""
import numpy as np
import pytest

from tables import cases, refusal, run
from test_lists import both

WORDS = ["pear", "fig", "pear", "apple", "fig", "pear"]


@cases(
    ("words", "d = {}\nfor w in words:\n    d[w] = d.get(w, 0) + 1\nreturn d, len(d), 'fig' in d, 'kiwi' in d, 'kiwi' not in d", (WORDS, ), (["a"], )),
    ("words", "d = {}\nfor w in words:\n    d.setdefault(w, 0)\nfor w in words:\n    d[w] += 2\nreturn d, sorted(d), sorted(d, reverse=True), max(d, key=d.get), min(d), "
     "list(d), [k for k in d], list(d.values()), list(d.items()), ','.join(d), ','.join(sorted(d))", (WORDS, )),
    ("n", "d = {}\nfor i in range(n):\n    k = 'even' if i % 2 == 0 else 'odd'\n    if k in d:\n        d[k] += i\n    else:\n        d[k] = i\nreturn d, sum(d.values())", 10, 1, 0),
    ("s, n", "d = {}\nfor i in range(n):\n    if s[i] not in d:\n        d[s[i]] = []\n    d[s[i]].append(i)\nreturn d", ("hello world", 8)),
    ("s", "v = {'M': 1000, 'C': 100, 'X': 10, 'I': 1}\nr = 0\nfor i in range(len(s)):\n    x = v[s[i]]\n    if i + 1 < len(s) and v[s[i + 1]] > x:\n        r -= x\n    else:\n"
     "        r += x\nreturn r", "MCMXCIX"),
    ("n", "d = {}\nfor i in range(n):\n    k = ('b' if i % 2 else 'a', i % 3)\n    d[k] = d.get(k, 0.0) + 1.5 * i\nt = 0.0\nfor (s, i), v in d.items():\n    if s == 'a':\n"
     "        t += v * (i + 1)\nreturn d, t, d[('a', 0)], ('b', 9) in d, ('c', 0) in d, sorted(d)", 7),
    ("n", "d = {w: len(w) * n for w in ('bb', 'a', 'ccc')}\ne = {k: v + 1 for k, v in d.items()}\ne.update({'zz': 4})\ne.update(d)\nd.pop('a')\ndel e['bb']\n"
     "return d, e, d == {'bb': 2 * n, 'ccc': 3 * n}, d == e, {v: k == 'a' for k, v in e.items()}", 3),
    ("n", "d = dict(zip(['u', 'v'], [n, 2 * n]))\nd['w'] = 5\ne = dict([('q', 1.5), ('p', 2.5)])\nf = dict.fromkeys(['r', 's'], 0)\nf['t'] = 1\n"
     "return d, e, f, d.get('q', -1), d.popitem(), d", 3),
    ("n", "d = {}\nd['u'] = n\nreturn d['v']", 3),
    ("n", "d = {'u': n}\nk = 'v' if n > 2 else 'u'\ne = {}\ne['u'] = 5\nreturn d[k] + e[k]", 1),
    ("n", "d = {}\nfor w in ['b', 'a', 'c', 'a', 'b', 'a']:\n    d[w] = d.get(w, 0) + n\nreturn sorted(d.items(), key=lambda p: -p[1]), sorted(d.items()), "
     "sorted(d.items(), key=lambda p: (-p[1], p[0]))[:2], max(d.items(), key=lambda p: (p[1], p[0]))[0], sorted(d, key=lambda k: (d[k], k))", 2),
    ("n", "if n > 2:\n    d = {k: 1 for k in ('b', 'c')}\nelse:\n    d = {k: 2 for k in ('a', 'c')}\nd['aa'] = 4\nd['b'] = 3\nreturn d, sorted(d)", 3, 2),
    ("n", "d = {'even': 0, 'odd': 0}\nfor i in range(n):\n    d['even' if i % 2 == 0 else 'odd'] += i\nd['new'] = 7\ne = d\ne['odd'] = -1\nreturn d, e", 5),
    ("n", "d = {}\nd['x'] = 1\nd['y'] = n\nreturn inner(d)", 4),
    ("n", "d = {}\nd['a'] = 1\nreturn 3 in d, n not in d", 4),
    ("n", "d = {}\nfor w in ('q', 'r'):\n    d[w] = n\ns = ''\nfor k, v in d.items():\n    s += f'{k}={v};'\nreturn s, [k + '!' for k in d], ','.join([k for k in d])", 4),
    ("x", "d = {}\nfor i in range(len(x)):\n    k = ['low', 'mid', 'high'][int(x[i]) // 2]\n    d[k] = max(d.get(k, 0.0), x[i])\nreturn d, d['high']", np.arange(6.0)),
)
def test_dictionaries(arguments, text, call):
    run(arguments, text, call, inner=inner)


def inner(d):
    s = 0
    for k in d:
        if k != "x":
            s += d[k]
    return s


@cases(
    ("a, b", "s, u = set(a), set(b)\ns.add('z')\nw = s | u\nreturn w, s & u, s - u, s ^ u, s == u, s == {'x', 'y', 'z'}, u <= w, w > u, len(w), sorted(w), min(w), 'x' in w, "
     "'k' in w, 5 in w", (["x", "y", "x"], ["p", "y"]), (["x"], ["x", "z"])),
    ("n", "s = {('e' if i % 2 == 0 else 'o') for i in range(n)}\ns.discard('q')\nt = s.copy()\nt.update(['e', 'w'])\ns.remove('e')\nreturn s, t, sorted(t), s.issubset(t), "
     "s.isdisjoint(t), len({('a', i % 2) for i in range(n)})", 5),
    ("n", "if n > 2:\n    d = {'b', 'c'}\nelse:\n    d = {'a', 'd'}\nd.add('aa')\nreturn d, sorted(d)", 3, 2),
    ("s", "seen = set()\nk = 0\nwhile s[k] not in seen:\n    seen.add(s[k])\n    k += 1\nreturn k, len(set(s)), sorted(set(s))", "abcdeabc"),
    ("n", "s = {'a', 'b'}\ns.remove('c')\nreturn len(s)", 1),
)
def test_sets(arguments, text, call):
    run(arguments, text, call)


@pytest.mark.parametrize("seed", range(3))
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    steps = ["{a}['{k}'] = n", "{a}['{k}'] = {a}.get('{l}', 3) + 1", "{a}.pop('{k}', 0)", "{a} = {b}", "if '{k}' in {a}:\n    del {a}['{k}']", "n += {b}.setdefault('{k}', 4)",
             "{a}.update({b})", "{a} = {{k: v + 1 for k, v in {b}.items() if k != '{k}'}}", "for k, v in {b}.items():\n    n += (k > '{k}') * v % 3", "{a} = {b}.copy()",
             "{a}['{k}' if n % 2 else '{l}'] = n"]
    for _ in range(6):
        lines = ["x = {}", "x['m'] = 2", "y = {}", "y['c'] = n", "z = x"]
        for _ in range(8):
            a, b = rng.choice(["x", "y", "z"], 2, replace=False)
            k, l = rng.choice(list("abcdmz"), 2)
            lines += steps[rng.integers(len(steps))].format(a=a, b=b, k=k, l=l).split("\n")
        both("n", "\n".join([*lines, "return x, y, z, n, sorted(x)"]), int(rng.integers(4)))


@pytest.mark.parametrize("text, match", [
    ("d = {}\nd[str(n)] = 1\nreturn d", "a string made at run time as a key"),
    ("d = {}\nd['a'] = 1\nd[3] = 1\nreturn d", "would have to hold"),
    ("d = {}\nd['a'] = 1\nreturn d[3]", "among keys of type"),
    ("d = {}\nfor k in range(100):\n    pass\nreturn {f'{n}': 1}", "a string made at run time as a key"),
])
def test_refused(text, match):
    assert match in refusal("n", text, 3)
