"""The Python blocks of docs/python.md, docs/pipelines.md, docs/start/python.md and README.md, each page as one program."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ["docs/python.md", "docs/pipelines.md", "docs/start/python.md", "README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path, monkeypatch):
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    if page == "docs/python.md":
        assert len(blocks) > 10
    # One file, so that functions have a source; blocks at their lines, so that errors name them.
    lines = ["\n"] * text.count("\n")
    for m in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        first = text.count("\n", 0, m.start(1))
        block = m[1].splitlines(True)
        lines[first:first + len(block)] = block
    file = tmp_path / (page.replace("/", "_").removesuffix(".md") + "_blocks.py")
    file.write_text("".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    __import__(file.stem)
