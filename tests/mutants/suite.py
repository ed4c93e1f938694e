"""The tests of a built tree as run.py runs them: ctest's tests, with collections of many tests split where that is cheap."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

# Tests that read the sources or the build instead of running the code; fuzz.text compiles the parser itself.
WITHOUT = r"^(rules|package|docs\.tables|mutants|fuzz\.text|debugger|raijincl_package)"
# A fault is found by the first test that fails, so each test stops at its first failure.
STOP = {"GTEST_FAIL_FAST": "1", "PYTEST_ADDOPTS": "-x"}


class Test:
    def __init__(self, name, command, properties):
        self.name = name
        self.command = command
        self.where = properties.get("WORKING_DIRECTORY")
        self.skip = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
        self.limit = float(properties.get("TIMEOUT", 300))
        self.judged_by_text = "PASS_REGULAR_EXPRESSION" in properties or "WILL_FAIL" in properties
        self.properties = properties

    def run(self, limit, **extra):
        """(passed or skipped, seconds). A test that takes longer than `limit` has failed."""
        environment = {**os.environ, "VR_CACHE_DIR": "", **STOP, **self.environment, **extra}
        start = time.monotonic()
        process = subprocess.Popen(self.command, cwd=self.where, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        return status is not None and status in (0, self.skip), time.monotonic() - start

    def parts(self):
        """The test itself, or its parts: the files of a folder of file tests, or the cases of a program that is one test in ctest. Only for the plain
        variants: others (-O0, several queues) run the same tests again."""
        if self.environment or len(self.command) > 3:
            return [self]
        if len(self.command) == 3 and self.command[1] == "test":
            folder = pathlib.Path(self.command[2])
            return [Test(f"{self.name}/{path.relative_to(folder)}", [*self.command[:2], str(path)], self.properties)
                    for path in sorted(folder.rglob("*")) if path.suffix in (".vrir", ".loops", ".m")]
        program = os.path.basename(self.command[0])
        if program.startswith("unit_") and len(self.command) == 1:
            return [Test(f"{self.name}.{case}", [*self.command, f"--gtest_filter={case}"], self.properties)
                    for case in cases(self.command[0])]
        if program == "raijincl_tests":
            return [Test(f"{self.name}/{case}", [*self.command, f"--gtest_filter={case}"], self.properties)
                    for case in cases(self.command[0])]
        return [self]


def cases(program):
    """Names of a GoogleTest program's cases."""
    listed = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    suite, names = "", []
    for line in listed.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + line.strip())
        elif line.endswith("."):
            suite = line
    return names


def all_tests(tree, wanted, without):
    # A test that is not built has no command.
    listed = subprocess.run(["ctest", "--test-dir", str(tree / "build/release"), "--show-only=json-v1"], check=True,
                            capture_output=True, text=True).stdout
    tests = []
    for entry in json.loads(listed)["tests"]:
        if not entry.get("command"):
            continue
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        whole = Test(entry["name"], entry["command"], {"WORKING_DIRECTORY": str(tree), **properties})
        if whole.judged_by_text or re.search(without, whole.name):
            continue
        tests += [t for t in whole.parts() if re.search(wanted, t.name) and not re.search(without, t.name)]
    return tests
