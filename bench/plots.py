"""The plots of a result, as SVG: bars of ratios, and a roofline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

from environments import OURS
from results import Result, Row

COLOURS = {1: "#4F46E5", 2: "#F59E0B"}
STYLE = (
    "<style>text{font:12px system-ui,sans-serif;fill:#1E293B}.title{font-size:15px;font-weight:600}"
    ".small{font-size:10px;fill:#475569}</style>"
)


def page(width: float, height: float, body: Iterable[str]) -> str:
    """An SVG image on white."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    paper = f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', STYLE, paper, *body, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start", name: str = "") -> str:
    """A line of text."""
    kind = f' class="{name}"' if name else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    """A line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {place} stroke="{colour}" stroke-width="{width}"{dashes}/>'


def ratio_bars(result: Result) -> str:
    """The best peer's time over ours, as a bar for each row and number of threads; the axis is logarithmic."""
    rows = [row for row in result.rows if row.section == "calls" and row.ratio is not None]
    names = list(dict.fromkeys(row.name for row in rows))
    counts = sorted({row.threads for row in rows})
    left, top, width, step = 190.0, 56.0, 520.0, 14.0 * max(1, len(counts)) + 8
    height = top + step * len(names) + 34
    ratios = [row.ratio or 1 for row in rows]
    low, high = min([0.5, *ratios]) / 1.1, max([2.0, *ratios]) * 1.1

    def place(ratio: float) -> float:
        return left + width * math.log(ratio / low) / math.log(high / low)

    body = [text(12, 24, "Ours against the best peer: its time over ours (above 1: ours is faster)", name="title")]
    body += legend([(f"{n} thread{'s' * (n > 1)}", colour(n)) for n in counts], 12, 44)
    for tick in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50):
        if low <= tick <= high:
            body.append(line(place(tick), top - 4, place(tick), height - 26, "#CBD5E1", 2 if tick == 1 else 1))
            body.append(text(place(tick), height - 10, f"{tick:g}", "middle", "small"))
    for i, name in enumerate(names):
        same = {row.threads: row for row in rows if row.name == name}
        y = top + step * i
        body.append(text(left - 8, y + step / 2, next(iter(same.values())).title, "end"))
        for j, count in enumerate(counts):
            if count in same:
                body += bar(same[count], place, y + 14 * j, left + width)
    return page(left + width + 170, height, body)


def bar(row: Row, place: Callable[[float], float], y: float, right: float) -> list[str]:
    """One bar from 1 to the ratio, and whom it was measured against."""
    ratio = row.ratio or 1
    start, end = sorted((place(1), place(ratio)))
    box = f'x="{start:.1f}" y="{y:.1f}" width="{max(1, end - start):.1f}" height="12"'
    words = f"{ratio:.2f} ({row.best})"
    return [f'<rect {box} fill="{colour(row.threads)}"/>', text(right + 8, y + 10, words, name="small")]


def colour(threads: int) -> str:
    """The colour of a number of threads."""
    return COLOURS.get(threads, "#10B981")


def legend(entries: Sequence[tuple[str, str]], x: float, y: float) -> list[str]:
    """Coloured squares with words."""
    body: list[str] = []
    for words, fill in entries:
        body.append(f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="10" height="10" fill="{fill}"/>')
        body.append(text(x + 15, y, words))
        x += 30 + 7 * len(words)
    return body


def roofline(result: Result) -> str:
    """Operations a second over operations a byte; what the machine allows is the line above."""
    left, top, width, height = 70.0, 56.0, 620.0, 400.0
    rows = [
        r for r in result.rows if r.section == "calls" and r.operations and r.bytes and r.ours and r.bound != "call"
    ]
    roofs = {int(n): (roof(v, "triad,"), roof(v, "fused")) for n, v in result.limits.items() if v}
    rates = [row.operations / (row.ours or 1) / 1e9 for row in rows] + [peak for _, peak in roofs.values()]
    xs = (
        min([0.05, *(r.operations / r.bytes / 1.5 for r in rows)]),
        max([100.0, *(r.operations / r.bytes for r in rows)]) * 1.5,
    )
    ys = (min([1.0, *rates]) / 1.5, max([10.0, *rates]) * 1.6)

    def place(intensity: float, rate: float) -> tuple[float, float]:
        x = left + width * math.log(intensity / xs[0]) / math.log(xs[1] / xs[0])
        return x, top + height * (1 - math.log(rate / ys[0]) / math.log(ys[1] / ys[0]))

    body = [text(12, 24, "Roofline: filled ours, hollow the best peer", name="title")]
    body += legend([(f"{n} thread{'s' * (n > 1)}", colour(n)) for n in sorted(roofs)], 12, 44)
    body += grid(xs, ys, place, (left, top, width, height))
    for count, (stream, peak) in roofs.items():
        bend = min(max(peak / stream, xs[0]), xs[1])
        start = (xs[0], max(ys[0], xs[0] * stream))
        corners = [place(*start), place(bend, peak), place(xs[1], peak)]
        body += [line(*a, *b, colour(count), 2) for a, b in zip(corners, corners[1:], strict=False)]
    for row in rows:
        body += points(row, place)
    return page(left + width + 40, top + height + 60, body)


def roof(limits: dict[str, float], name: str) -> float:
    """The best rate of the limits that begin so."""
    return max(rate for limit, rate in limits.items() if limit.startswith(name))


def grid(
    xs: tuple[float, float],
    ys: tuple[float, float],
    place: Callable[[float, float], tuple[float, float]],
    box: tuple[float, float, float, float],
) -> list[str]:
    """Lines at the powers of ten, and the names of the axes."""
    left, top, width, height = box
    body: list[str] = []
    for power in range(-3, 5):
        value = 10.0**power
        if xs[0] <= value <= xs[1]:
            x = place(value, ys[0])[0]
            body += [
                line(x, top, x, top + height, "#E2E8F0"),
                text(x, top + height + 18, f"{value:g}", "middle", "small"),
            ]
        if ys[0] <= value <= ys[1]:
            y = place(xs[0], value)[1]
            body += [line(left, y, left + width, y, "#E2E8F0"), text(left - 6, y + 4, f"{value:g}", "end", "small")]
    body.append(text(left + width / 2, top + height + 42, "operations a byte", "middle"))
    middle = top + height / 2
    body.append(f'<g transform="rotate(-90 20 {middle:.0f})">{text(20, middle, "GFLOP/s", "middle")}</g>')
    return body


def points(row: Row, place: Callable[[float, float], tuple[float, float]]) -> list[str]:
    """Ours and the best peer's, with a name that shows under the pointer."""
    made: list[str] = []
    for name, fill in ((row.best, "white"), (OURS, colour(row.threads))):
        seconds = row.outcomes[name].seconds if name else None
        if seconds is None:
            continue
        x, y = place(row.operations / row.bytes, row.operations / seconds / 1e9)
        words = escape(f"{row.title}, {row.threads}T, {name}: {row.operations / seconds / 1e9:.1f} GFLOP/s")
        shape = f'cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour(row.threads)}"'
        made.append(f"<circle {shape}><title>{words}</title></circle>")
    return made
