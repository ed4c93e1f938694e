"""Hooks of mkdocs.yml, which adapt pages that are written for a repository browser to a site.

- CONTRIBUTING.md, SECURITY.md and CHANGELOG.md, which lie beside docs/, become pages.
- The reference pages of the C++ and C API are generated from the headers (api_reference.py).
- A link to another file outside of docs/ is replaced by its text, because the site has no source files. A missing file is an error.
- ```vrir blocks with a further word (```vrir module) are highlighted like plain ```vrir blocks.
- The theme loads a script from unpkg.com, for searching pages that are opened as files; site_worker.js replaces it.
- A list directly after a line of text is a list for repository browsers only; the blank line that MkDocs needs is added.
"""
import logging
import os
import pathlib
import posixpath
import re
import sys

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
import api_reference  # noqa: E402

BESIDE = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
log = logging.getLogger("mkdocs.hooks.site")


def on_files(files, config):
    for name in BESIDE:
        files.append(File.generated(config, name, content=(ROOT / name).read_text()))
    for name, (title, headers) in api_reference.PAGES.items():
        files.append(File.generated(config, name, content=api_reference.page(title, headers)))
    return files


def outside(page, target):
    """The path of a link that leaves docs/, relative to the repository's root; None for a link within docs/."""
    folder = "" if page in BESIDE else posixpath.join("docs", posixpath.dirname(page))
    path = posixpath.normpath(posixpath.join(folder, target))
    return None if path.startswith("docs/") else path


def on_page_markdown(markdown, page, config, files):
    name = page.file.src_uri

    def link(match):
        text, target = match[1], match[2]
        if "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        file, _, anchor = target.partition("#")
        path = outside(name, file)
        anchor = "#" + anchor if anchor else ""
        if path is None:
            if name in BESIDE:
                return f"[{text}]({posixpath.relpath(posixpath.join(posixpath.dirname(name), file), 'docs')}{anchor})"
            return match[0]
        if path in BESIDE:
            return f"[{text}]({posixpath.relpath(path, posixpath.dirname(name) or '.')}{anchor})"
        if not (ROOT / path).exists():
            log.warning(f"{name}: the link to {target} leads nowhere")
        return text

    out, code, before = [], False, ""
    for line in markdown.split("\n"):
        if line.startswith("```"):
            code = not code
            line = re.sub(r"^```vrir\b.*$", "```lisp", line)
        elif not code:
            line = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, line)
            starts = re.match(r"(?:[-*]|\d+\.) ", line)
            if starts and before.strip() and not re.match(r"(?:[-*]|\d+\.) |\s", before):
                out.append("")
        out.append(line)
        before = line
    return "\n".join(out)


def own_worker(output, name):
    theirs = '<script src="https://unpkg.com/iframe-worker/shim"></script>'
    if theirs not in output:
        log.warning(f"{name}: the theme has no {theirs}")
    return output.replace(theirs, "<script>" + (ROOT / "scripts/site_worker.js").read_text() + "</script>")


def on_post_page(output, page, config):
    return own_worker(output, page.file.src_uri)


def on_post_template(output_content, template_name, config):
    return own_worker(output_content, template_name) if template_name.endswith(".html") else output_content
