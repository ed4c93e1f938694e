"""Pipelines: order, items in flight, exceptions, ends, and what is copied between stages that a device runs."""
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import pyraptor
from pyraptor import f64, jit, pipeline


@jit
def twice(x):
    return x * 2.0


@jit
def plus_one(x):
    y = np.empty_like(x)
    for i in range(len(x)):
        y[i] = x[i] + 1.0
    return y


@jit
def split(x):
    return x[:2], x[2:]


@jit
def joined(x, y):
    return x.sum() - y.sum()


@jit
def element(x, k):
    return x[k]


def arrays(n):
    return [np.arange(k, k + 4.0) for k in range(n)]


@pytest.mark.parametrize("in_flight", [1, 2, 5])
def test_results_come_in_the_order_of_the_source(in_flight):
    p = pipeline(arrays(20), in_flight=in_flight) >> twice >> (lambda x: x + 1.0) >> plus_one
    for _ in range(2):  # a list can be run again
        got = list(p)
        assert len(got) == 20
        for k, x in enumerate(got):
            np.testing.assert_array_equal(x, np.arange(k, k + 4.0) * 2 + 2)
    assert repr(p) == "<pyraptor.pipeline >> twice >> test_results_come_in_the_order_of_the_source.<locals>.<lambda> >> plus_one>"


def test_no_items_one_stage_tuples_and_a_sink():
    assert list(pipeline([]) >> twice) == []
    assert list(pipeline(arrays(3)) >> split >> joined) == [-4.0] * 3
    assert list(pipeline([(np.arange(3.0), 2), (np.ones(2), 0)]) >> element) == [2.0, 1.0]
    seen = []
    (pipeline(range(5)) >> str).run(seen.append)
    assert seen == ["0", "1", "2", "3", "4"]
    seen.clear()
    (pipeline(range(5)) >> seen.append).run()
    assert seen == [0, 1, 2, 3, 4]
    assert list(pipeline({"a": 1}) >> str.upper) == ["A"]


def test_stages_work_on_several_items_at_a_time():
    meet = threading.Barrier(2, timeout=60)

    def first(k):
        if k > 0:
            meet.wait()
        return k

    def second(k):
        if k < 9:
            meet.wait()  # while stage 1 works on item k + 1
        return k

    assert list(pipeline(range(10), in_flight=2) >> first >> second) == list(range(10))


@pytest.mark.parametrize("in_flight", [1, 3])
def test_a_slow_sink_stops_the_source(in_flight):
    live, most, changed = 0, 0, threading.Condition()

    def source():
        nonlocal live, most
        for k in range(30):
            with changed:
                live += 1
                most = max(most, live)
                changed.notify_all()
            yield k

    def sink(k):
        nonlocal live
        with changed:
            if k < 30 - in_flight:
                assert changed.wait_for(lambda: live == in_flight, timeout=60)
            live -= 1

    (pipeline(source(), in_flight=in_flight) >> (lambda k: k) >> (lambda k: k)).run(sink)
    assert live == 0 and most == in_flight


class Fault(Exception):
    pass


def test_an_exception_of_a_stage_comes_with_its_place():
    def bad(k):
        if k == 5:
            raise Fault("five")
        return k

    run = iter(pipeline(range(1000)) >> abs >> bad)
    assert [next(run) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Fault, match="five") as e:
        next(run)
    assert e.value.__notes__ == [f"pipeline: stage 2 ('{bad.__qualname__}'), item 5"]
    assert run.failure[:3] == (2, bad.__qualname__, 5) and run.failure.exception is e.value
    assert list(run) == []
    # A fault of a compiled function.
    with pytest.raises(IndexError) as e:
        list(pipeline([(np.ones(3), 1), (np.ones(3), 7)]) >> element)
    assert e.value.__notes__ == ["pipeline: stage 1 ('element'), item 1"]


def test_a_source_that_raises_and_one_that_ends_early():
    def source():
        yield np.ones(2)
        raise Fault("the file ends")

    seen = []
    with pytest.raises(Fault, match="the file ends") as e:
        (pipeline(source()) >> twice).run(seen.append)
    assert len(seen) == 1 and e.value.__notes__ == ["pipeline: the source, item 1"]
    started = iter(arrays(3))
    next(started)
    assert len(list(pipeline(started) >> twice)) == 2

    def ends(k):
        raise StopIteration

    with pytest.raises(RuntimeError, match=r"stage 1 \('.*ends'\), item 0 raised StopIteration"):
        list(pipeline(range(3)) >> ends)
    with pytest.raises(Fault):
        (pipeline(range(100)) >> abs).run(lambda k: (_ for _ in ()).throw(Fault()))


def test_types_that_do_not_fit():
    @jit(f64[:](f64))
    def vector(x):
        return np.full(3, x)

    @jit(f64(f64[:, :]))
    def of_matrix(x):
        return x[0, 0]

    @jit([f64(f64[:, :]), f64(f64[:])])
    def of_any(x):
        return x.sum()

    with pytest.raises(TypeError, match=r"stage 1 \('.*vector'\) has .*, but stage 2 \('.*of_matrix'\) has .*: the one does not give"):
        pipeline([1.0]) >> vector >> of_matrix
    assert list(pipeline([1.0]) >> vector >> of_any) == [3.0]
    # Without signatures: when the item arrives.
    with pytest.raises(TypeError) as e:
        list(pipeline([1.0]) >> (lambda x: "text") >> of_any)
    assert e.value.__notes__[0].endswith("of_any'), item 0, with str from stage 1 ('test_types_that_do_not_fit.<locals>.<lambda>')")
    for wrong in (lambda: pipeline(3), lambda: pipeline([]) >> 3, lambda: pipeline([], in_flight=1.5), lambda: pipeline([], in_flight=True)):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: pipeline([], in_flight=0), lambda: list(pipeline([]))):
        with pytest.raises(ValueError):
            wrong()


def threads():
    return [t for t in threading.enumerate() if t.name == "pyraptor.pipeline"]


def test_a_run_that_is_dropped_ends():
    closed = threading.Event()

    def endless():
        try:
            while True:
                yield np.ones(10)
        finally:
            closed.set()

    run = iter(pipeline(endless(), in_flight=4) >> twice >> plus_one)
    next(run)
    left = threads()
    del run
    for t in left:
        t.join(60)
    gc.collect()
    assert not threads() and closed.wait(60)
    with iter(pipeline(endless()) >> twice) as run:
        next(run)
    assert not threads()
    assert list(run) == []


def test_items_that_have_left_are_freed():
    class Thing:
        alive = 0

        def __init__(self):
            Thing.alive += 1

        def __del__(self):
            Thing.alive -= 1

    most = 0
    for _ in pipeline((Thing() for _ in range(50)), in_flight=3) >> (lambda t: t) >> (lambda t: t):
        most = max(most, Thing.alive)
    del _
    gc.collect()
    assert Thing.alive == 0 and most <= 3 + 1  # the loop's variable keeps the last one


def test_compiled_stages_release_the_gil():
    @jit
    def long(n):
        s = 0.0
        for i in range(n):
            s += np.sin(float(i))
        return s

    long(1)
    during, stop = 0, threading.Event()

    def count():
        nonlocal during
        while not stop.is_set():
            during += 1
            time.sleep(0)

    def begin(n):
        threading.Thread(target=count, daemon=True).start()
        return n

    list(pipeline([20_000_000]) >> begin >> long)
    stop.set()
    assert during > 2


def script(tmp_path, text, **environment):
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(text))
    return subprocess.run([sys.executable, str(file)], check=True, capture_output=True, text=True, timeout=250,
                          env={**os.environ, **environment}).stdout.split()


def test_ctrl_c_ends_the_wait(tmp_path):
    assert script(tmp_path, """
        import os, signal, threading
        import numpy as np
        from pyraptor import jit, pipeline
        @jit
        def endless(x):
            while x[0] > 0:
                x[1] += 1
            return x
        x = np.ones(2)
        def soon(x):
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            return x
        endless(np.zeros(2))
        try:
            list(pipeline([x]) >> soon >> endless)
        except KeyboardInterrupt:
            print("interrupted")
        threads = [t for t in threading.enumerate() if t.name == "pyraptor.pipeline"]
        for t in threads:
            t.join(60)
        print("alive" if any(t.is_alive() for t in threads) else "ended")
    """) == ["interrupted", "ended"]


def test_stopping_ends_compiled_stages():
    @jit
    def count(x):
        while x[0] > 0:
            x[1] += 1
        return x

    count(np.zeros(2))
    begun = threading.Event()
    with iter(pipeline([np.ones(2), np.zeros(2)]) >> (lambda x: begun.set() or x) >> count):
        assert begun.wait(60)
    assert not threads()

    @jit
    def total(x):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s

    assert total(np.ones(10)) == 10  # other calls go on
    assert list(pipeline([np.ones(10)]) >> total) == [10]


def test_a_program_may_end_while_a_pipeline_runs(tmp_path):
    assert script(tmp_path, """
        import itertools
        from pyraptor import jit, pipeline
        @jit
        def add(x):
            return x + 1
        run = iter(pipeline(itertools.count()) >> add >> add)
        print(next(run))
    """) == ["2"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    run = iter(pipeline(range(100)) >> abs)
    assert next(run) == 0
    child = os.fork()
    if child == 0:
        code = 1
        try:
            next(run)
        except RuntimeError as e:
            code = 0 if "forked process" in str(e) else 2
        if code == 0 and [int(x) for x in pipeline(range(3)) >> abs] != [0, 1, 2]:
            code = 3
        run.close()
        os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert next(run) == 1


DEVICE = """
    import numpy as np
    from pyraptor import device_use, f64, gpu, jit, pipeline, prange
    N, ITEMS = 1000, 6
    @jit(gpu=True)
    def twice(x):
        y = np.empty(len(x))
        for i in prange(len(x)):
            y[i] = x[i] * 2.0
        return y
    @jit(gpu=True)
    def plus_one(x):
        y = np.empty(len(x))
        for i in prange(len(x)):
            y[i] = x[i] + 1.0
        return y
    @jit(gpu=True)
    def in_place(x):
        for i in prange(len(x)):
            x[i] = x[i] + 0.5
        return x
    @jit(gpu=True)
    def two(x):
        y, z = np.empty(len(x)), np.empty(len(x))
        for i in prange(len(x)):
            y[i] = x[i] + 1.0
            z[i] = x[i] - 1.0
        return y, z
    @jit(gpu=True)
    def join(x, y):
        z = np.empty(len(x))
        for i in prange(len(x)):
            z[i] = x[i] + y[i]
        return z
    @jit(gpu=True)
    def head(x):
        y = np.empty(len(x))
        for i in prange(len(x)):
            y[i] = x[i] + 1.0
        return y[:10]
    @jit
    def on_the_cpu(x):
        return x - 1.0
    @jit(f64[:](f64[:]))
    def stated(x):
        return x - 1.0
    TABLE = np.ones(N)
    @jit
    def with_table(x):
        return x - TABLE
    def plain(x):
        x += 100.0
        return x
    def vectors():
        return [np.arange(N) + float(k) for k in range(ITEMS)]
    device = False
    def moved(expected_up, expected_down, in_flight, *stages):
        global device
        p = pipeline(vectors(), in_flight=in_flight)
        for s in stages:
            p = p >> s
        wanted = []
        for x in vectors():
            values = (x, )
            for s in stages:
                r = getattr(s, "__wrapped__", s)(*values)
                values = r if isinstance(r, tuple) else (r, )
            wanted.append(values[0])
        before = device_use()
        got = list(p)
        after = device_use()
        assert len(got) == ITEMS
        for g, w in zip(got, wanted):
            np.testing.assert_array_equal(g, w)
        device = bool(stages[0].report()[0]["device"])
        if device and expected_up is not None:
            up, down = ((after[b] - before[b]) / (8 * N * ITEMS) for b in ("bytes_up", "bytes_down"))
            assert (up, down) == (expected_up, expected_down), (stages, up, down)
            assert after["on_host"] == before["on_host"]
    for in_flight in (1, 2, 5):
        moved(1, 1, in_flight, twice, plus_one, twice, plus_one)
    moved(1, 1, 3, two, join, plus_one)
    moved(1, 1, 3, twice, in_place, in_place, plus_one)
    moved(1, 1, 3, twice, in_place, in_place)
    moved(2, 2, 3, twice, plus_one, plain, plus_one, twice)
    moved(1, 1, 3, twice, plus_one, on_the_cpu)
    moved(1, 1, 3, twice, plus_one, stated)
    moved(1, 1, 3, twice, plus_one, with_table)
    moved(None, None, 3, head, twice)
    moved(None, None, 3, twice, on_the_cpu, plus_one)
    # A run that is dropped leaves nothing on the device.
    run = iter(pipeline(vectors(), in_flight=4) >> twice >> plus_one >> twice)
    next(run)
    run.close()
    del run
    moved(1, 1, 3, twice, plus_one)
    print("device" if device else "none")
"""


def test_neighbours_on_a_device_hand_over_without_a_copy(tmp_path):
    out = script(tmp_path, DEVICE, VR_ZERO_COPY="0")
    assert out == ["device" if pyraptor._jit.has_device() else "none"]


def test_on_a_device_that_works_in_place(tmp_path):
    assert script(tmp_path, DEVICE.replace("moved(1, 1", "moved(0, 0").replace("moved(2, 2", "moved(0, 0"), VR_ZERO_COPY="1") in (["device"], ["none"])
