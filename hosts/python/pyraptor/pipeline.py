"""Pipelines: functions, compiled or not, as stages that work on several items at a time."""
from __future__ import annotations

import atexit
import collections
import itertools
import os
import threading
import weakref

import numpy as np

from . import _native

_groups = itertools.count(1)  # of resident arrays: one for each item of all pipelines
_running = weakref.WeakSet()  # the states of runs that may have threads

Failure = collections.namedtuple("Failure", "stage name item exception")
Failure.__doc__ = """What ended a run: the number of the stage, from 1 (0: the source), its name, the number of the item, from 0, and the exception."""


def pipeline(source, in_flight=3):
    """The beginning of a pipeline, to which `>>` adds stages: `pipeline(source) >> f >> g`. `source` is an iterable of the items.

    While stage k works on item n, stage k-1 works on item n+1, each in a thread of its own. Compiled functions run without the GIL. A stage gets
    what the one before it returned; a tuple is passed as that many arguments. Iterating over the pipeline yields the results of the last stage in
    the order of the items; `run(sink)` calls `sink` with each. At most `in_flight` items exist at a time, from the moment at which the source is
    asked for one until the next result is asked for, so a slow consumer stops the source.

    Arrays that a compiled function makes in an accelerated section stay on the device if the next stage is a compiled function.

    An exception in a stage ends the run: it is raised where the results are consumed, after those of the items before it, with a note
    that names stage and item.
    """
    return Pipeline(source, (), in_flight)


class Pipeline:
    """A source and stages. It can be run as often as its source can be iterated over."""

    def __init__(self, source, stages=(), in_flight=3):
        if not hasattr(source, "__iter__") and not hasattr(source, "__getitem__"):
            raise TypeError(f"the source of a pipeline is an iterable, not {source!r}")
        if isinstance(in_flight, bool) or not isinstance(in_flight, (int, np.integer)):
            raise TypeError(f"in_flight is a number of items, not {in_flight!r}")
        if in_flight < 1:
            raise ValueError(f"{in_flight} items in flight are none")
        self.source, self.stages, self.in_flight = source, tuple(stages), int(in_flight)

    def __rshift__(self, stage):
        if not callable(stage):
            raise TypeError(f"a stage of a pipeline is a function, not {stage!r}")
        if self.stages:
            _check_signatures(len(self.stages), self.stages[-1], stage)
        return Pipeline(self.source, (*self.stages, stage), self.in_flight)

    def __repr__(self):
        return " >> ".join(["<pyraptor.pipeline", *map(_name, self.stages)]) + ">"

    def __iter__(self):
        return Run(self)

    def run(self, sink=None):
        """Runs until the source ends. `sink` is called with each result, in the calling thread; without one, results are dropped."""
        with Run(self) as results:
            for r in results:
                if sink is not None:
                    sink(r)
                del r  # not kept while the next one is awaited


class Run:
    """A pipeline that runs: an iterator over its results, for one thread at a time. `close()`, leaving a `with` block and the
    end of the object's life stop it: compiled functions end soon, plain Python functions when they return."""

    def __init__(self, p):
        if not p.stages:
            raise ValueError("a pipeline without stages: write pipeline(source) >> function")
        self._state = _State(p)
        self._holds_item = self._ended = False
        self.failure = None
        self._state.start()

    def __iter__(self):
        return self

    def __next__(self):
        s = self._state
        s.check_process()
        if self._ended:
            raise StopIteration
        if self._holds_item:
            self._holds_item = False
            s.free_place()
        try:
            item = s.take(len(s.stages))
        except BaseException:  # Ctrl-C
            self._ended = True
            s.stop()
            raise
        if item is None:
            self._ended = True
            raise StopIteration
        if not item.last:
            self._holds_item = True
            return item.value
        self._ended = True
        self.failure = item.failure
        self.close()
        if self.failure is None:
            raise StopIteration
        e = self.failure.exception
        if isinstance(e, StopIteration):  # which would look like the end
            raise RuntimeError(f"{_where(s.stages, self.failure.stage, self.failure.item)} raised StopIteration") from e
        raise e

    def close(self):
        """Stops the run and waits until the stages have ended."""
        self._ended = True
        if self._state.pid == os.getpid():
            self._state.stop()
            self._state.join()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self._ended = True
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self._state.stop()
        else:
            self.close()

    def __del__(self):
        state = getattr(self, "_state", None)
        if state is not None and state.pid == os.getpid():
            state.stop()


@atexit.register
def _stop_all():
    """Threads that came back from compiled code while the interpreter ends would end the process."""
    for state in list(_running):
        if state.pid == os.getpid():
            state.stop()
            state.join()


class _Item:
    """What goes through the queues: a value, or why none comes any more."""
    __slots__ = ("number", "group", "value", "resident", "last", "failure")

    def __init__(self, number):
        self.number, self.group = number, next(_groups)
        self.value = self.resident = self.failure = None
        self.last = False


class _State:
    """What the threads of a run share. It does not refer to the Run, whose end stops the threads."""

    def __init__(self, p):
        self.source, self.stages, self.pid = p.source, p.stages, os.getpid()
        self.lock = threading.Lock()
        self.may_begin = threading.Condition(self.lock)
        self.may_go_on = [threading.Condition(self.lock) for _ in range(len(p.stages) + 1)]  # by stage; the last: the consumer
        self.waiting = [collections.deque() for _ in self.may_go_on]
        self.places, self.stopped, self.threads = p.in_flight, False, []
        self.stopper, self.active = _native.stopper(), 0  # of the threads that have not ended

    def start(self):
        items = iter(self.source)
        _running.add(self)
        works = [(self.run_stage, k) for k in range(len(self.stages))] + [(self.run_source, items)]
        for work, argument in works:
            t = threading.Thread(target=self.run_thread, args=(work, argument), name="pyraptor.pipeline", daemon=True)
            self.active += 1
            try:
                t.start()
            except BaseException:
                self.ended()
                self.stop()
                self.join()
                raise
            self.threads.append(t)

    def run_thread(self, work, argument):
        self.stopper.guard()
        try:
            work(argument)
        finally:
            self.ended()

    def ended(self):
        with self.lock:
            self.active -= 1
            if self.active == 0:
                self.stopper = None

    def check_process(self):
        if self.pid != os.getpid():
            raise RuntimeError("the threads of a pipeline do not exist in a forked process; make the pipeline there")

    def stop(self):
        with self.lock:
            self.stopped = True
            if self.stopper is not None:
                self.stopper.stop()  # compiled calls
            self.may_begin.notify_all()
            for c in self.may_go_on:
                c.notify_all()

    def join(self):
        here = threading.current_thread()
        for t in self.threads:
            if t is not here:
                t.join()
        for queue in self.waiting:
            queue.clear()

    def free_place(self):
        with self.lock:
            self.places += 1
            self.may_begin.notify()

    def take(self, k):
        """Waits for an item for stage k, or for the consumer; None: the run was stopped."""
        with self.lock:
            while not self.stopped and not self.waiting[k]:
                self.may_go_on[k].wait()
            return None if self.stopped else self.waiting[k].popleft()

    def give(self, k, item):
        """False: the run was stopped. The places limit how many items wait."""
        with self.lock:
            if self.stopped:
                return False
            self.waiting[k].append(item)
            self.may_go_on[k].notify()
            return True

    def run_source(self, items):
        for number in itertools.count():
            with self.lock:
                while not self.stopped and self.places == 0:
                    self.may_begin.wait()
                if self.stopped:
                    return
                self.places -= 1
            item = _Item(number)
            try:
                item.value = next(items)
            except StopIteration:
                item.last = True
            except BaseException as e:
                self.fail(item, 0, e)
            last = item.last
            if not self.give(0, item) or last:
                return
            del item

    def run_stage(self, k):
        while True:
            item = self.take(k)
            if item is None:
                return
            if not item.last:
                self.work(k, item)
            last = item.last
            if not self.give(k + 1, item) or last:
                return
            del item

    def work(self, k, item):
        before = item.resident
        types = None
        try:
            args = item.value if type(item.value) is tuple else (item.value, )
            types = tuple(map(_type, args))
            item.value = item.resident = None
            item.value, item.resident = self.call(k, args, before, item.group)
            del args
            if before is not None:
                before.let_go(item.resident)
        except BaseException as e:
            self.fail(item, k + 1, e, types)

    def call(self, k, args, resident, group):
        """(result, what of it is resident on the device)"""
        f, following = self.stages[k], self.stages[k + 1] if k + 1 < len(self.stages) else None
        if isinstance(f, _native.Dispatcher):
            version = f._find(*args)
            if version is None and f._impl.takes_plainly(args):
                f._impl.version_for(args)
                version = f._find(*args)
            if version is not None:
                made = _native.call_resident(version, args, resident, group, isinstance(following, _native.Dispatcher))
                if made is not NotImplemented:
                    return made
        if resident is not None:
            resident.bring()
        return f(*args), None

    def fail(self, item, stage, exception, types=None):
        where = _where(self.stages, stage, item.number)
        if types is not None and isinstance(exception, (TypeError, ValueError)):
            where += f", with {', '.join(types) or 'nothing'} from {_stage(self.stages, stage - 1)}"
        try:
            if hasattr(exception, "add_note"):
                exception.add_note(f"pipeline: {where}")
            else:  # Python 3.9 and 3.10: nothing shows notes, but programs can read them
                exception.__notes__ = [*getattr(exception, "__notes__", ()), f"pipeline: {where}"]
        except (AttributeError, TypeError):
            pass  # an exception without room for notes; Run.failure has stage and item
        item.value, item.last = None, True
        item.failure = Failure(stage, _name(self.stages[stage - 1]) if stage else "source", item.number, exception)


def _name(f):
    return getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or repr(f)


def _stage(stages, k):
    return "the source" if k == 0 else f"stage {k} ('{_name(stages[k - 1])}')"


def _where(stages, k, item):
    return f"{_stage(stages, k)}, item {item}"


def _type(value):
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{', '.join([':'] * value.ndim)}]"
    return type(value).__name__


def _check_signatures(k, f, g):
    """Where both functions state their types: no signature of g takes what f gives."""
    given, taken = _signatures(f), _signatures(g)
    if not given or not taken or any(s.result is None and not s.is_void for s in given):
        return

    def takes(s, t):
        results = t.result if isinstance(t.result, tuple) else () if t.is_void else (t.result, )
        return len(results) == len(s.arguments) and all(map(_may_take, s.arguments, results))

    if not any(takes(s, t) for s in taken for t in given):
        raise TypeError(f"stage {k} ('{_name(f)}') has {', '.join(map(repr, given))}, but stage {k + 1} ('{_name(g)}') has {', '.join(map(repr, taken))}: "
                        "the one does not give what the other takes")


def _signatures(f):
    return f._impl.signatures if isinstance(f, _native.Dispatcher) else ()


def _may_take(parameter, given):
    """Whether some value of the type `given` suits the parameter; only what is certain is refused."""
    from ._annotations import ArrayType, ScalarType
    if isinstance(parameter, ArrayType) and isinstance(given, ArrayType):
        return parameter.dtype == given.dtype and (parameter.ndim is None or given.ndim in (None, parameter.ndim))
    return not (isinstance(parameter, ArrayType) and isinstance(given, ScalarType) or isinstance(parameter, ScalarType) and isinstance(given, ArrayType))
