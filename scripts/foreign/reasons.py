"""Counts outcomes and groups the reasons of refusals, so that the most frequent missing features can be seen."""
import collections
import re

ORDER = ("right", "refused", "wrong", "crashed", "hung", "not applicable")
FAULTS = ("wrong", "crashed", "hung")

# The first pattern that matches is used; \1 is its group.
CLASSES = [(re.compile(p), to) for p, to in (
    (r"^function '(\w+)'$", r"function \1"),
    (r"argument '.*' is a (list|dict|set|frozenset|generator|slice|ellipsis|range|str|bytes|bytearray)\b", r"arguments: \1"),
    (r"argument '.*' (?:is a|holds) (u?int(?:8|16)|uint32|uint64)", "8-bit, 16-bit and unsigned integers"),
    (r"argument '.*' (?:is a|holds) (float16|longdouble|float128|clongdouble|complex256)", r"elements: \1"),
    (r"argument '.*' (?:is a|holds) (datetime|timedelta|\[|<U|\|S|object|void|str|bytes|>)", "elements: dates, text, records, objects"),
    (r"no dimensions|without dimensions", "arrays without dimensions"),
    (r"argument '.*' is a (\w+)", r"arguments: other objects"),
    (r"'(?:np\.)?(?:fft\.)?(i?r?fft[2n]?|i?r?fftn|i?hfft|i?fftshift|r?fftfreq)'", "FFT"),
    (r"\brandom\b|'(?:rand|randn|randint|seed|normal|uniform|choice|shuffle|permutation)'", "random numbers"),
    (r"'(?:np\.|linalg\.)*(qr|svd\w*|pinv|eig\w*|slogdet|matrix_power|matrix_norm|matrix_rank|vector_norm|lstsq|cond|cholesky|trace|cross|"
     r"vecdot|tensordot|kron|matrix_transpose|multi_dot|tensorinv|tensorsolve)'", r"linear algebra: \1"),
    (r"too many positional|unexpected keyword|missing .* argument|multiple values", "argument forms of NumPy functions"),
    (r"(axis|axes|decimals|dtype|shape|rank|k|order|mode|side|keepdims|the [\w ]+) must be known when the function is compiled",
     "arguments that must be constant"),
    (r"\*args|\*\*kwargs", "functions with *args or **kwargs"),
    (r"imports inside", "imports inside of functions"),
    (r"lambda", "lambda"),
    (r"functions? (?:defined )?inside|inner function|nested function|'FunctionDef'|closures?", "functions inside of functions"),
    (r"comprehension|ListComp|GeneratorExp|generator|SetComp|DictComp", "comprehensions and generators"),
    (r"\bTry\b|'try'|\btry\b|except", "try"),
    (r"\byield\b|Yield", "comprehensions and generators"),
    (r"\bwith\b", "with"),
    (r"\b[Dd]ict", "dicts"), (r"\b[Ss]ets?\b", "sets"),
    (r"\blists?\b|\.append|'list'", "lists"),
    (r"f-string|JoinedStr|\bstr(ing)?s?\b|constant '", "strings"),
    (r"'print'", "print"),
    (r"'(?:np\.)?(\w+(?:\.\w+)*)' is not compiled", r"function \1"),
    (r"'\.(\w+)' of .* is not compiled", r"attribute .\1"),
    (r"an array is needed|a matrix is needed|number is needed", "another kind of argument is needed (lists, strings, numbers for arrays)"),
)]


def counts(records):
    return collections.Counter(r["outcome"] for r in records)


def reason_class(text):
    for pattern, to in CLASSES:
        m = pattern.search(text)
        if m:
            return m.expand(to)
    text = re.sub(r"'[^']*'", "'...'", text.split("\n")[0])
    return re.sub(r"\b(?:int|float|complex)(?:32|64|128)?(?:\[[^\]]*\])?|\bbool(?:\[[^\]]*\])?", "T", text)[:100]


def by_reason(records, outcome="refused"):
    return collections.Counter(r.get("reason") or reason_class(r["detail"]) for r in records if r["outcome"] == outcome).most_common()
