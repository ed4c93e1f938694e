#!/usr/bin/env python3
"""The diagrams of docs/: boxes and arrows, as SVG, from the descriptions below.

    pictures.py write   writes docs/pictures/*.svg
    pictures.py check   exit status 1 when a file differs from the output of the script
"""
import sys
from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs/pictures"
ROW, HEIGHT = 76, 40


def text_width(text):
    return 7.4 * max(len(line) for line in text.split("\n")) + 24


def picture(title, boxes, arrows):
    """Returns an SVG. boxes: name -> (column x, row y, text, class); arrows: (from, to, label). An arrow is horizontal or points down."""
    place = {n: (x, y * ROW + 16, text_width(t), HEIGHT) for n, (x, y, t, _) in boxes.items()}
    width = max(x + w for x, _, w, _ in place.values()) + 16
    height = max(y + h for _, y, _, h in place.values()) + 16
    fill = {"code": "#e6f4e6", "data": "#fdf3dc"}

    def text(x, y, line, size, colour):
        return (f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" fill="{colour}" '
                f'text-anchor="middle">{escape(line)}</text>')

    # Attributes are used instead of a style sheet, because more programs support them.
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
           f'height="{height:.0f}" role="img">', f"<title>{escape(title)}</title>",
           f'<rect x="0" y="0" width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>']
    for a, b, label in arrows:
        (x, y, w, h), (u, v, o, g) = place[a], place[b]
        if y == v:
            begin, end = (x + w, y + h / 2), (u, v + g / 2)
        elif x + w < u:
            begin, end = (x + w, y + h / 2), (u, v + g / 2)
        else:
            begin, end = (x + w / 2, y + h), (u + o / 2, v)
        dx, dy = end[0] - begin[0], end[1] - begin[1]
        n = (dx * dx + dy * dy) ** 0.5
        dx, dy = 8 * dx / n, 8 * dy / n
        left, right = (end[0] - dx - dy / 2, end[1] - dy + dx / 2), (end[0] - dx + dy / 2, end[1] - dy - dx / 2)
        out.append(f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0] - dx:.1f}" y2="{end[1] - dy:.1f}" stroke="#445566"/>')
        out.append(f'<path d="M{end[0]:.1f},{end[1]:.1f} L{left[0]:.1f},{left[1]:.1f} L{right[0]:.1f},{right[1]:.1f} z" fill="#445566"/>')
        if label:
            down = begin[1] != end[1] and abs(begin[0] - end[0]) < 60
            shift = 4.0 * len(label) if down else 0
            out.append(text((begin[0] + end[0]) / 2 + shift, (begin[1] + end[1]) / 2 + (4 if down else -5), label, 11, "#445566"))
    for n, (_, _, words, kind) in boxes.items():
        x, y, w, h = place[n]
        out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h}" rx="5" stroke="#445566" fill="{fill[kind]}"/>')
        lines = words.split("\n")
        for k, line in enumerate(lines):
            out.append(text(x + w / 2, y + h / 2 + 5 + 15 * (k - (len(lines) - 1) / 2), line, 13, "#112233"))
    return "\n".join(out) + "\n</svg>\n"


def pipeline():
    boxes = {
        "text": (16, 0, "VRIR text", "data"), "tree": (166, 0, "tree", "data"), "verified": (280, 0, "verified tree", "data"),
        "passes": (460, 0, "tree after passes", "data"), "interp": (282, 1, "interpreter", "code"),
        "loops": (480, 1, "loop form", "data"), "lowered": (470, 2, "lowered form", "data"),
        "llvm": (420, 3, "LLVM IR", "code"), "opencl": (530, 3, "OpenCL C", "code"), "c": (660, 3, "C99 (vrir build --c)", "code"),
        "machine": (390, 4, "machine code", "code"), "kernels": (536, 4, "kernels", "code")}
    arrows = [("text", "tree", "parse"), ("tree", "verified", "verify"), ("verified", "passes", "passes"), ("verified", "interp", ""),
              ("passes", "loops", "lower"), ("loops", "lowered", "loop transformations"), ("lowered", "llvm", ""), ("lowered", "opencl", ""),
              ("lowered", "c", ""), ("llvm", "machine", ""), ("opencl", "kernels", "driver")]
    return picture("The compilation pipeline", boxes, arrows)


def section():
    boxes = {
        "before": (16, 0, "host code", "code"), "begin": (180, 0, "section begins", "code"), "launch": (386, 0, "launches", "code"),
        "end": (560, 0, "section ends", "code"), "after": (740, 0, "host code", "code"),
        "host": (16, 2, "arrays in\nthe host's memory", "data"), "device": (346, 2, "arrays in\nthe device's memory", "data"),
        "host2": (690, 2, "arrays in\nthe host's memory", "data")}
    arrows = [("before", "begin", ""), ("begin", "launch", ""), ("launch", "end", ""), ("end", "after", ""),
              ("host", "device", "first use: copy to the device"), ("device", "host2", "end, or access: copy back"),
              ("launch", "device", "kernels")]
    return picture("An accelerated section and its transfers", boxes, arrows)


def regions():
    boxes = {
        "call": (16, 1, "call with arguments", "code"), "look": (230, 1, "version for these\nshapes and values?", "data"),
        "version": (470, 0, "version: known extents,\nfewer checks", "code"), "general": (470, 1, "code for\nall arguments", "code"),
        "make": (440, 2, "background thread\ncompiles a version", "code")}
    arrows = [("call", "look", ""), ("look", "version", "yes"), ("look", "general", "not yet"), ("general", "make", "")]
    return picture("How a region chooses a version", boxes, arrows)


PICTURES = {"pipeline.svg": pipeline, "section.svg": section, "regions.svg": regions}

if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        FOLDER.mkdir(exist_ok=True)
        for name, make in PICTURES.items():
            (FOLDER / name).write_text(make())
    elif sys.argv[1:] == ["check"]:
        wrong = [n for n, make in PICTURES.items() if not (FOLDER / n).is_file() or (FOLDER / n).read_text() != make()]
        print("\n".join(f"docs/pictures/{n}: run scripts/pictures.py write" for n in wrong))
        sys.exit(1 if wrong else 0)
    else:
        print(__doc__)
        sys.exit(2)
