"""A bar plot of bench/python/run.py's figures as SVG: speed relative to C, a group of bars for each program.

  plot.py FIGURES.json FILE.svg
"""
from __future__ import annotations

import json
import math
import pathlib
import sys

NAMES = {"pyraptor": "PyRaptor", "numba": "Numba", "cython": "Cython", "pythran": "Pythran", "numpy": "NumPy", "jax": "JAX"}
COLOURS = {"pyraptor": "#1b6ca8", "numba": "#e08a1e", "cython": "#8e9aaf", "pythran": "#5f9e6e", "numpy": "#b55d60",
           "jax": "#857aab"}
LOW, HIGH = 1 / 32, 4  # range of the logarithmic axis; longer bars are cut off


def bars(rows, peers):
    """Returns the SVG source."""
    left, top, height, bar, gap = 48, 34, 220, 7, 10
    group = bar * len(peers) + gap
    width = left + group * len(rows) + 10

    def y(value):
        share = math.log(min(max(value, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
        return round(top + height * (1 - share), 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + height + 62}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{top + height + 62}" fill="#ffffff"/>']
    x = left
    for p in peers:
        out.append(f'<rect x="{x}" y="10" width="10" height="10" fill="{COLOURS[p]}"/><text x="{x + 14}" y="19">{NAMES[p]}</text>')
        x += 28 + 7 * len(NAMES[p])
    value = LOW
    while value <= HIGH:
        label = f"{value:g}" if value >= 1 else f"1/{round(1 / value)}"
        out.append(f'<line x1="{left}" x2="{width - 6}" y1="{y(value)}" y2="{y(value)}" stroke="#{"555555" if value == 1 else "dddddd"}"/>'
                   f'<text x="{left - 6}" y="{y(value) + 4}" text-anchor="end">{label}</text>')
        value *= 2
    out.append(f'<text transform="translate(12 {top + height / 2}) rotate(-90)" text-anchor="middle">speed, C = 1</text>')
    for k, row in enumerate(rows):
        x = left + gap / 2 + k * group
        for q, p in enumerate(peers):
            if f"{p}_ratio" not in row:
                continue
            speed = row["c_ratio"] / row[f"{p}_ratio"]
            out.append(f'<rect x="{x + q * bar}" y="{y(speed)}" width="{bar - 1}" height="{round(top + height - y(speed), 1)}" '
                       f'fill="{COLOURS[p]}"><title>{row["name"]}, {NAMES[p]}: {speed:.2f}</title></rect>')
        middle = x + bar * len(peers) / 2
        out.append(f'<text transform="translate({middle + 3} {top + height + 10}) rotate(-45)" text-anchor="end">{row["name"]}</text>')
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    pathlib.Path(sys.argv[2]).write_text(bars(figures, [p for p in NAMES if any(f"{p}_ratio" in r for r in figures)]))
