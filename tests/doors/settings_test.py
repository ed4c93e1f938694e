#!/usr/bin/env python3
"""Settings from the environment: they are in one table, and unknown names and invalid values are reported.

  settings_test.py VRIR PROGRAM SOURCE_FOLDER
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

failed = []


def expect(good, what, about=""):
    if not good:
        failed.append(f"{what}\n    {about}")


def vrir(tool, *args, **env):
    base = {k: v for k, v in os.environ.items() if not k.startswith("VR_")}
    base.update({"VR_CACHE_DIR": "", **env})
    done = subprocess.run([tool, *args], env=base, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def bad_values(tool, program):
    with tempfile.TemporaryDirectory() as t:
        pathlib.Path(t, "file").write_text("")
        for name, value, says in [
                ("VR_NUM_THREADS", "abc", "0 to 4096"), ("VR_NUM_THREADS", "99999999999999", "0 to 4096"), ("VR_NUM_THREADS", "-1", "0 to 4096"),
                ("VR_NUM_THREADS", "4097", "0 to 4096"), ("VR_NUM_THREADS", "2 ", "0 to 4096"), ("VR_CACHE_BYTES", "1e3", "whole number"),
                ("VR_CACHE_BYTES", "99999999999999999999", "whole number"), ("VR_POOL_BYTES", "1M", "whole number"), ("VR_SKIP", "nosuch", "no pass 'nosuch'"),
                ("VR_DUMP", "simplify,nosuch", "no pass 'nosuch'"), ("VR_QUEUES", "33", "1 to 32"), ("VR_DEVICE_MEMORY", "0", "from 1 on"),
                ("VR_ZERO_COPY", "no", "0 or 1"), ("VR_GDB", "yes", "0 or 1"), ("VR_STAGING", "-1", "whole number"), ("VR_CACHE_DIR", "x/y", "absolute"),
                ("VR_CACHE_DIR", t + "/file/x", "Not a directory"), ("VR_CACHE_DIR", "/proc/x/y", "cannot be created"),
                ("VR_NUM_THREAD", "2", "no such setting"), ("VR_", "", "no such setting")]:
            for command in (["run", program, "--args", "1"], ["cat", program], ["device"]):
                code, out, err = vrir(tool, *command, **{name: value})
                expect(code == 2 and out == "" and err.count("\n") == 1 and name in err and says in err, f"{name}={value} vrir {command[0]}", (code, out, err))
            for command in (["--version"], ["--help"], ["settings"]):
                code, out, err = vrir(tool, *command, **{name: value})
                expect(code == 0 and out and not err, f"{name}={value} vrir {command[0]}", (code, out, err))
        code, out, err = vrir(tool, "run", program, "--args", "1", VR_SKIP="nosuch", VR_QUEUES="x", VR_OTHER="1")
        expect(code == 2 and err.count("\n") == 1 and all(n in err for n in ("VR_SKIP", "VR_QUEUES", "VR_OTHER")), "several at once", (code, err))
        for name, value in [("VR_NUM_THREADS", "0"), ("VR_NUM_THREADS", ""), ("VR_NUM_THREADS", "4096"), ("VR_CACHE_DIR", t + "/new/cache"), ("VR_SKIP", "simplify,"),
                            ("VR_QUEUES", ""), ("VR_DEVICE", "anything at all"), ("VR_OVERRIDE", "/opt/openvr"), ("VR_PERF", "0"), ("VRX", "y")]:
            code, out, err = vrir(tool, "run", program, "--on", "cpu", "--args", "1", **{name: value})
            expect(code == 0 and "1235.5" in out and err == "", f"{name}={value} is fine", (code, out, err))
    code, out, err = vrir(tool, "settings", VR_NUM_THREADS="7", VR_SKIP="nosuch", VR_OTHER="1")
    expect(re.search(r"VR_NUM_THREADS *= '7'\n", out), "a value is shown", out)
    expect(re.search(r"VR_SKIP *= 'nosuch' .*not used", out), "a bad value is shown as one", out)
    expect("VR_OTHER: there is no such setting" in out, "an unknown name is shown", out)


def table(tool, source):
    code, markdown, err = vrir(tool, "settings", "--markdown")
    page = (source / "docs" / "settings.md").read_text()
    expect(code == 0 and markdown in page, "docs/settings.md has the table that `vrir settings --markdown` prints", markdown)
    names = re.findall(r"^VR_SETTING\((\w+)", (source / "src/support/settings.def").read_text(), re.M)
    expect(len(names) == len(set(names)) >= 18, "names are there once", names)
    shown = vrir(tool, "settings")[1]
    for n in names:
        expect(re.search(rf"^{n}\b", shown, re.M), f"`vrir settings` lists {n}")
    used = "".join(p.read_text() for folder in ("src", "runtime") for p in (source / folder).rglob("*.cpp"))
    for n in names:
        expect(f"Name::{n}" in used, f"{n} is read somewhere")


def only_here(source):
    """No code that a host loads may read the environment by itself; getenv also works in a set-uid process."""
    asks = re.compile(r"\b(getenv|environ)\b|os\.environ")
    for folder in ("src", "runtime", "raijincl", "hosts", "include"):
        for p in (source / folder).rglob("*"):
            if p.suffix in {".c", ".cpp", ".h", ".hpp", ".py", ".in"} and p.name != "settings.cpp":
                for number, line in enumerate(p.read_text().splitlines(), 1):
                    # The C compiler that `vrir build` starts gets the environment unchanged; `aot.extension` reads CC, as build tools do.
                    if asks.search(line) and str(p.relative_to(source)) not in ("src/aot/output.cpp", "hosts/python/pyraptor/aot.py"):
                        failed.append(f"{p.relative_to(source)}:{number}: reads the environment past the table (src/support/settings.def)")
    text = (source / "src/support/settings.cpp").read_text()
    expect(not re.search(r"\bgetenv\(", text.replace("secure_getenv(", "")), "settings.cpp uses secure_getenv")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__)
        sys.exit(2)
    tool, program, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    bad_values(tool, program)
    table(tool, source)
    only_here(source)
    print("\n".join(failed) or "the table is whole, and no bad value passes in silence")
    sys.exit(1 if failed else 0)
