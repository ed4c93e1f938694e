"""Runs cases in child processes: a crash or an endless loop becomes a record, and the next case runs in a new process."""
import faulthandler
import json
import os
import resource
import select
import signal
import sys
import time
import traceback


class Record:
    """Writes the calls of a case to a pipe, one JSON object per line."""

    def __init__(self, fd, case, limit):
        self.fd, self.case, self.count, self.limit = fd, case, 0, limit

    def _write(self, **what):
        os.write(self.fd, json.dumps(what).encode("utf-8", "replace") + b"\n")

    def begin(self, name=""):
        self.count += 1
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + self.limit + 1, resource.RLIM_INFINITY))
        self._write(begin=name or f"call {self.count}")

    def phase(self, name):
        self._write(phase=name)

    def end(self, outcome, detail="", **more):
        self._write(outcome=outcome, detail=detail, **more)


#: A call is limited in processor time, so that it does not count as hung on a busy machine. The elapsed time is limited to this multiple.
IDLE = 10


class Child:
    def __init__(self, case, limit):
        self.case, self.name, self.limit, self.deadline = case, "", int(limit), time.monotonic() + IDLE * limit
        self.phase, self.open, self.buffer, self.said = "", False, b"", 0
        read, write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._run(read, write)
        os.close(write)
        self.fd = read

    def _run(self, read, write):
        status = 1
        try:
            faulthandler.disable()  # the parent reports a crash
            os.setpgid(0, 0)
            os.close(read)
            resource.setrlimit(resource.RLIMIT_CPU, (self.limit + 1, resource.RLIM_INFINITY))
            quiet = os.open(os.devnull, os.O_RDWR)
            for k in (0, 1, 2):
                os.dup2(quiet, k)
            record = Record(write, self.case, self.limit)
            try:
                self.case.run(record)
                status = 0
            except BaseException as e:
                record._write(failed=f"{type(e).__name__}: {e}"[:300], trace=traceback.format_exc()[-1500:])
        finally:
            os._exit(status)

    def lines(self):
        """The lines that have arrived since the last call; None at the end."""
        data = os.read(self.fd, 1 << 16)
        if not data:
            return None
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        return [json.loads(line) for line in lines if line]


def run(cases, jobs=2, limit=60, told=lambda done, total, counts: None):
    """Runs all cases and yields a dict {case, call, outcome, detail} for each of their calls."""
    waiting, running, counts, done, total = list(reversed(cases)), {}, {}, 0, len(cases)

    def made(child, outcome, detail, **more):
        counts[outcome] = counts.get(outcome, 0) + 1
        child.open = False
        child.said += 1
        return {"case": child.case.name, "call": child.name, "outcome": outcome, "detail": detail, **more}

    def over(child):
        if child.open and child.phase == "compiled":
            yield made(child, "hung", f"no end after {limit:g} s")
        elif child.open or not child.said:
            yield made(child, "not applicable", f"plain Python takes longer than {limit:g} s")

    while waiting or running:
        while waiting and len(running) < jobs:
            child = Child(waiting.pop(), limit)
            running[child.fd] = child
        ready, _, _ = select.select(list(running), [], [], 0.5)
        for fd in ready:
            child = running[fd]
            lines = child.lines()
            for line in lines or ():
                if "begin" in line:
                    child.name, child.open, child.phase = line["begin"], True, ""
                    child.deadline = time.monotonic() + IDLE * limit
                elif "phase" in line:
                    child.phase = line["phase"]
                elif "outcome" in line:
                    yield made(child, **line)
                elif "failed" in line and (child.open or not child.said):
                    yield made(child, "not applicable", "the suite's own test failed: " + line["failed"])
            if lines is None:
                _, status = os.waitpid(child.pid, 0)
                if os.WIFSIGNALED(status) and not getattr(child, "killed", False):
                    number = signal.Signals(os.WTERMSIG(status)).name
                    if number == "SIGXCPU":
                        yield from over(child)
                    elif child.open and child.phase != "plain":
                        yield made(child, "crashed", number)
                    elif child.open or not child.said:
                        yield made(child, "not applicable", f"plain Python died of {number}")
                    else:
                        yield made(child, "crashed", f"{number} after the last call")
                os.close(fd)
                del running[fd]
                done += 1
                told(done, total, counts)
        for child in list(running.values()):
            if time.monotonic() > child.deadline and not getattr(child, "killed", False):
                child.killed = True
                yield from over(child)
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    os.kill(child.pid, signal.SIGKILL)
