"""How the suites compile functions with PyRaptor, and the settings of a run."""
import linecache
import types

import pyraptor

REFUSAL = (pyraptor.UnsupportedError,)


_options = {}


def configure(opt=2, regions="sync", gpu=False):
    """Disables the code cache, and the replacement of code while a call is compared; `gpu`: functions are accelerated sections."""
    c = pyraptor.config
    _options.update({"gpu": True} if gpu else {})
    c.tiered, c.disk_cache, c.opt_level, c.regions = False, False, opt, regions


def compiled(function, **options):
    """jit(function), or a function that raises the UnsupportedError that jit raised."""
    try:
        return pyraptor.jit(function, **_options, **options)
    except (pyraptor.UnsupportedError, TypeError) as e:
        error = e if isinstance(e, pyraptor.UnsupportedError) else pyraptor.UnsupportedError(str(e))

        def refused(*args, **kwargs):
            raise error
        return refused


_count = 0


def module_of(text, name="case"):
    """The names that the source of a module defines. The functions' source is available to `inspect`, as for a file."""
    global _count
    _count += 1
    filename = f"<{name} {_count}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"__name__": name, "__builtins__": __builtins__}
    exec(compile(text, filename, "exec"), scope)
    return scope


def plain_functions(scope):
    return {k: f for k, f in scope.items() if isinstance(f, types.FunctionType)}
