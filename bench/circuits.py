"""Measures circuits: code on class memory against the same program on arrays, and how long texts take to read.

    python bench/circuits.py [--quick] [--json] [--output FOLDER]

Rows of two kinds, all on one thread:

- `add` and the like: a circuit on tiles of 3,072 f32 beside `hologram` operations on arrays of as many, both called
  from Python, in turns. The ratio is the arrays' time over the circuit's; 0.9 is asked.
- `parse`, `read`, `words`, `tiles`: seconds of processor time for a circuit of 100,000 operations, to IR, to the plain
  tree, and by each of the two canonicalisers from IR to IR; least of three.

`circuits.json` and `circuits.md` hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

# Before the runtime looks: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import machine
import numpy as np
import turns
from turns import Time

import hologram
from hologram import sigil
from hologram.dialects import make_context
from hologram.transforms.numbers.canonicalize_sigil_tiles import CanonicalizeSigilTilesPass
from hologram.transforms.numbers.canonicalize_sigil_words import CanonicalizeSigilWordsPass

ARRAYS = """
func.func @main(%a: tensor<3072xf32>, %b: tensor<3072xf32>) -> tensor<3072xf32> {
BODY
  func.return %r : tensor<3072xf32>
}
"""
T = "tensor<3072xf32>"
PROGRAMS = {
    "add": ("merge@c00[c01,c02]", f"  %r = hologram.add %a, %b : {T}"),
    "exp": ("merge.exp@c00[c01,c02]", f"  %r = hologram.exp %a : {T}"),
    "glu": (
        "merge.sigmoid@c01[c01,c80] . merge.mul@c00[c80,c02]",
        f"  %s = hologram.sigmoid %b : {T}\n  %r = hologram.mul %a, %s : {T}",
    ),
}
"""A circuit that takes classes 0 and 1 to class 2, and the body of the same on arrays."""
OPERATIONS = 100_000
CALLS = 200
"""The calls of one turn."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all rows."""
    options = turns.parse(turns.parser("Measures circuits."), arguments, 2.0)
    before = machine.look([])
    part = 1000 if options.tiny else 10 if options.quick else 1
    tiles = [measure_tiles(name, options.seconds) for name in ([*PROGRAMS][:1] if options.tiny else PROGRAMS)]
    texts = measure_texts(OPERATIONS // part)
    foreign = machine.foreign(before, machine.look([]))
    result = {**turns.about_run(), "foreign": foreign, "tiles": tiles, "texts": texts}
    turns.write(options, "circuits", result, markdown(result))


def measure_tiles(name: str, seconds: float) -> dict[str, Any]:
    """A circuit and the same on arrays: checked first, then in turns."""
    text, body = PROGRAMS[name]
    executor = hologram.Executor()
    memory = executor.classes.bytes.view(np.float32).reshape(96, -1)
    memory[:2] = np.random.default_rng(1).uniform(-4, 4, (2, memory.shape[1]))
    a, b, out = memory[0].copy(), memory[1].copy(), np.zeros_like(memory[0])
    circuit = executor.compile(sigil.parse(text), cache=False)
    arrays = hologram.compile(ARRAYS.replace("BODY", body), cache=False)
    circuit()
    arrays(a, b, out)
    if not np.array_equal(memory[2], out):
        sys.exit(f"error: {name}: the circuit's result differs")
    calls: dict[str, Callable[[], object]] = {"circuit": circuit, "arrays": lambda: arrays(a, b, out)}
    found, _ = turns.in_turns(calls, seconds, repeats=dict.fromkeys(calls, CALLS))
    row: dict[str, Any] = {"name": name, "circuit": text}
    for who, all in found.items():
        time = Time.of(all, 1e9)
        row |= {f"{who}_ns": time.median, f"{who}_least_ns": time.least}
    row["ratio"] = row["arrays_ns"] / row["circuit_ns"]
    row["least_ratio"] = row["arrays_least_ns"] / row["circuit_least_ns"]
    return row


def measure_texts(count: int) -> dict[str, Any]:
    """Seconds of processor time for circuits of many operations."""
    source = random.Random(1)
    letters = ["copy@c05->c06", "mark@c21", "mark@c42", "mark@c07", "mark@c00"]
    words = " . ".join(source.choice(letters) for _ in range(count))
    numbers = range(8)
    makers = [
        lambda: "copy@c{:02}->c{:02}".format(*source.choices(numbers, k=2)),
        lambda: "swap@c{:02}<->c{:02}".format(*source.choices(numbers, k=2)),
        lambda: "merge@c{:02}[c{:02},c{:02}]".format(*source.choices(numbers, k=3)),
    ]
    tiles = " . ".join(source.choice(makers)() for _ in range(count))
    jobs: dict[str, Callable[[], object]] = {
        "read": lambda: sigil.read(tiles),
        "parse": lambda: sigil.parse(tiles),
        "words": on(CanonicalizeSigilWordsPass(), words),
        "tiles": on(CanonicalizeSigilTilesPass(), tiles),
    }
    return {"operations": count, **{name: least(job) for name, job in jobs.items()}}


def on(pass_: Any, text: str) -> Callable[[], object]:
    """Time a pass on fresh modules of a text, which are parsed before the time starts."""
    modules = [sigil.parse(text) for _ in range(3)]
    return lambda: pass_.apply(make_context(), modules.pop())


def least(job: Callable[[], object]) -> float:
    """The least processor time of three runs."""
    times: list[float] = []
    for _ in range(3):
        start = process_time()
        job()
        times.append(process_time() - start)
    return min(times)


def markdown(result: dict[str, Any]) -> str:
    """The tables."""
    lines = ["| tiles of 3,072 f32 | circuit | arrays | ratio | asked |", "|---|---|---|---|---|"]
    for row in result["tiles"]:
        pair = [f"{row[f'{who}_ns']:.0f} ({row[f'{who}_least_ns']:.0f}) ns" for who in ("circuit", "arrays")]
        lines.append(f"| {row['name']} | {' | '.join(pair)} | {row['ratio']:.2f} ({row['least_ratio']:.2f}) | 0.9 |")
    texts = result["texts"]
    lines += ["", f"| {texts['operations']:,} operations | seconds | asked |", "|---|---|---|"]
    asked = {"read": "", "parse": "5", "words": "12", "tiles": "12"}
    lines += [f"| {name} | {texts[name]:.2f} | {asked[name]} |" for name in asked]
    about = "`python bench/circuits.py`, whose first lines say what is measured; medians with the least beside them."
    return turns.page("Circuits", about, result, lines)


if __name__ == "__main__":
    main()
