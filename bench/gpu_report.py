"""The page and the plot of the GPU benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import plots

COLOURS = {"cuda": "#4F46E5", "vulkan": "#F59E0B", "webgpu": "#10B981", "opencl": "#EF4444"}


def write(result: Mapping[str, Any], folder: Path) -> None:
    """Writes `gpu.md` and `gpu.svg` from all parts that were run."""
    (folder / "gpu.md").write_text(markdown(result), encoding="utf-8")
    (folder / "gpu.svg").write_text(bars(result), encoding="utf-8")


def markdown(result: Mapping[str, Any]) -> str:
    """A section for each part."""
    lines = ["# On a GPU", "", "`python bench/gpu.py`, whose first lines say what is measured and how.", ""]
    for name, entry in result["parts"].items():
        where = ", ".join(f"{key} {value}" for key, value in entry["machine"].items())
        lines += [f"## {name.capitalize()}", "", f"{entry['date']}: {where}", ""]
        lines += _cells(entry) if name == "correctness" else _rows(entry)
        lines += [f"- failed: {failure}" for failure in entry["failures"]] + [""] * bool(entry["failures"])
    return "\n".join(lines).rstrip() + "\n"


def _cells(entry: Mapping[str, Any]) -> list[str]:
    lines = ["| device | passed | refused | failed |", "|---|---:|---:|---:|"]
    for device, counts in entry["counts"].items():
        lines.append(f"| {device} | {counts['passed']} | {counts['refused']} | {counts['failed']} |")
    return [*lines, ""]


def _rows(entry: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if speed := entry.get("copy_bytes_per_second"):
        lines += [f"A copy within the device moves {speed / 1e9:.0f} GB/s, reads and writes counted.", ""]
    lines += ["| row | device | time | of the copy limit | TFLOP/s | torch | compiled | asked: found | |"]
    lines += ["|---|---|---:|---:|---:|---:|---:|---|---|"]
    for row in entry["rows"]:
        if row["error"]:
            lines.append(f"| {row['row']} | {row['device']} | failed |  |  |  |  |  | **failed** |")
            continue
        peers = [_time(row["peers"].get(name)) for name in ("torch", "compiled")]
        share = "" if row["share"] is None else f"{row['share']:.3f}"
        rate = "" if row["teraflops"] is None else f"{row['teraflops']:.1f}"
        verdict = "" if not row["asked"] else "**missed**" if row["missed"] else "holds"
        lines.append(
            f"| {row['row']} | {row['device']} | {_time(row['seconds'])} | {share} | {rate} | {' | '.join(peers)} "
            f"| {'; '.join(row['asked'])} | {verdict} |"
        )
    return [*lines, ""]


def _time(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e6:.1f} us"


def bars(result: Mapping[str, Any]) -> str:
    """Bars of how fast we are as a part of torch, or of what it compiles where that is faster."""
    rows = [row for entry in result["parts"].values() for row in entry.get("rows", ()) if row.get("peers")]
    names = list(dict.fromkeys(row["row"] for row in rows))
    devices = [d for d in COLOURS if any(row["device"] == d for row in rows)]
    left, top, width, bar = 150.0, 56.0, 520.0, 12.0
    step = bar * max(1, len(devices)) + 10
    height = top + step * len(names) + 30
    most = max([1.2, *(_ratio(row) for row in rows)]) * 1.05
    body = [
        plots.text(12, 24, "The time of torch, eager or compiled, over ours (above 1: ours is faster)", name="title")
    ]
    body += plots.legend([(device, COLOURS[device]) for device in devices], 12, 44)
    for tick in [n / 2 for n in range(1, int(most * 2) + 1)]:
        x = left + width * tick / most
        body.append(plots.line(x, top - 4, x, height - 24, "#CBD5E1", 2 if tick == 1 else 1))
        body.append(plots.text(x, height - 8, f"{tick:g}", "middle", "small"))
    for i, name in enumerate(names):
        y = top + step * i
        body.append(plots.text(left - 8, y + step / 2, name, "end"))
        body += _group([row for row in rows if row["row"] == name], devices, (left, y, bar), width / most)
    return plots.page(left + width + 80, height, body)


def _group(
    rows: Sequence[Mapping[str, Any]], devices: Sequence[str], place: tuple[float, float, float], unit: float
) -> list[str]:
    """The bars of one row."""
    left, y, size = place
    body: list[str] = []
    for row in rows:
        top, long = y + size * devices.index(row["device"]), _ratio(row) * unit
        body.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{long:.1f}" height="{size - 1:.1f}" '
                    f'fill="{COLOURS[row["device"]]}"/>')  # fmt: skip
        body.append(plots.text(left + long + 4, top + size - 3, f"{_ratio(row):.2f}", name="small"))
    return body


def _ratio(row: Mapping[str, Any]) -> float:
    return min(row["peers"].values()) / row["seconds"]
