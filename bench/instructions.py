"""Measures how many instructions of each class a device executes in a second.

    python bench/instructions.py [--quick] [--json] [--output FOLDER] [--only NAME] [--device cuda] [--threads N]

Each row is a lane program in assembly: every lane repeats a few chains of one instruction, so that nothing but this
instruction, and a loop around 16 of them, is executed. No chain can be computed ahead, and its end is stored. A small
launch is compared with the reference interpreter before any time counts. On the processor, on one thread unless
`--threads` says more, the limit is the rate of vector fused multiply-adds of the same machine (`bench/limits.py`), in
lanes: a share of it says how well the lanes became vectors. The first specification asked for 10 ns an instruction.

`instructions.json` and `instructions.md` (with the device's name on others) hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import turns
from turns import Time

ASKED = 10.0
"""Nanoseconds an instruction."""
CHAINS, REPEATED = 8, 2
TABLE = 1024
"""The elements of the array that loads go around in."""


@dataclass(frozen=True)
class Kind:
    """A class of instructions: the type of its chains and its lines. `{r}` is a chain, `{s}` the next one; r20 to r22
    are `first`, `second` and `third`."""

    name: str
    dtype: str
    lines: tuple[str, ...]
    first: float = 0
    second: float = 0
    third: float = 0


KINDS = (
    Kind("float add", "f32", ("add.f32 {r}, {r}, r20",), 0.5),
    Kind("float mul", "f32", ("mul.f32 {r}, {r}, r20",), 0.999),
    Kind("fma", "f32", ("fma.f32 {r}, {r}, r20, r21",), 0.5, 1.0),
    Kind("fma of f64", "f64", ("fma.f64 {r}, {r}, r20, r21",), 0.5, 1.0),
    Kind("float div", "f32", ("div.f32 {r}, r20, {r}",), 7.0),
    Kind("sqrt", "f32", ("sqrt.f32 {r}, {r}",)),
    Kind("sin", "f32", ("sin.f32 {r}, {r}",)),
    Kind("exp", "f32", ("exp.f32 {r}, {r}", "neg.f32 {r}, {r}")),
    # Sums of sums alone would be one expression, which LLVM takes minutes to arrange anew.
    Kind("integer add", "u32", ("add.u32 {r}, {r}, {s}", "xor.u32 {r}, {r}, r20"), 0x5555),
    Kind("integer mul", "u32", ("mul.u32 {r}, {r}, r20", "xor.u32 {r}, {r}, {s}"), 5),
    Kind("integer div", "u32", ("div.u32 {r}, r20, {r}",), 1_000_003),
    Kind("logic", "u32", ("shr.u32 r23, {r}, r20", "xor.u32 {r}, r23, {s}"), 3),
    Kind("compare and select", "u32", ("setlt.u32 p1, {r}, {s}", "sel.u32 {r}, p1, {s}, r20"), 3),
    Kind("conversion", "u32", ("cvt.f32.u32 r23, {r}", "cvt.u32.f32 {r}, r23")),
    Kind("load", "u32", ("ldg.u32 {r}, [buf0 + {r}]",)),
    Kind("atomic add", "u32", ("atom.add.u32 {r}, [buf1 + r30], r20",), 1),
)
"""The rows."""


def text_of(kind: Kind, blocks: int, lanes: int, iterations: int) -> str:
    """The program of a row. Buffer 0 is a table of byte offsets, buffer 1 takes a number of each lane. What chains are
    combined with are arguments, so that a compiler does not know them."""
    dtype, size = kind.dtype, 8 if kind.dtype == "f64" else 4
    lines = ["mov.u64 r30, %gid", f"mov_imm.u64 r31, {size}", "mul.u64 r30, r30, r31"]
    lines += ["mov.u32 r32, %lane.x", "mov_imm.u32 r33, 2", "shl.u32 r32, r32, r33"]
    for n in range(CHAINS):
        lines += [f"mov_imm.u32 r33, {4 * n + 4}", "add.u32 r33, r32, r33"]
        lines.append(f"mov.u32 r{10 + n}, r33" if dtype == "u32" else f"cvt.{dtype}.u32 r{10 + n}, r33")
    lines.append(f"loop {iterations}, r40 {{")
    for _ in range(REPEATED):
        for n in range(CHAINS):
            chains = {"r": f"r{10 + n}", "s": f"r{10 + (n + 1) % CHAINS}"}
            lines += [line.format(**chains) for line in kind.lines]
    lines.append("}")
    lines += [f"add.{dtype} r10, r10, r{10 + n}" for n in range(1, CHAINS)]
    lines += [f"stg.{dtype} [buf1 + r30], r10", "exit"]
    scalars = ", ".join(f"r{20 + n}: {dtype}" for n in range(3))
    head = f".program p({scalars}, buf0: u32[{TABLE}], buf1: {dtype}[?]) {{\n"
    head += f"  .launch block({lanes}, 1, 1) grid({blocks}, 1, 1)\n"
    return head + "\n".join(f"  {line}" for line in lines) + "\n}\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all rows."""

    def more(made: argparse.ArgumentParser) -> None:
        made.add_argument("--device", default="cpu", help="where they run (default cpu)")
        made.add_argument("--threads", type=int, default=1, help="of the processor (default 1)")

    options = turns.parse_rows("Measures instructions a second.", arguments, [k.name for k in KINDS], 2.0, more)
    # Before the runtime looks.
    os.environ["HOLOGRAM_NUM_THREADS"] = str(options.threads)
    rows = [measure(kind, options) for kind in KINDS if kind.name in options.names]
    limit = fma_rate(options) if options.device == "cpu" else None
    result = {
        **turns.about_run(), "device": rows[0]["device"], "threads": options.threads, "fma_limit": limit,
        "asked_ns": ASKED, "rows": rows,
    }  # fmt: skip
    name = "instructions" if options.device == "cpu" else f"instructions-{options.device.partition(':')[0]}"
    turns.write(options, name, result, markdown(result))


def fma_rate(options: argparse.Namespace) -> float:
    """The multiply-adds of lanes in a second, in billions, of as many threads as are measured."""
    import limits

    limits.start(1)
    return limits.limit("fused multiply-add", time.monotonic(), options.seconds / 4 + 0.01) / 2 * options.threads


def measure(kind: Kind, options: argparse.Namespace) -> dict[str, Any]:
    """One row: checked first on few lanes, then timed."""
    import numpy as np

    import hologram
    from hologram import isa

    blocks = 1 if options.tiny else 64 * options.threads if options.device == "cpu" else 2048
    iterations = 10 if options.tiny else 1000
    table = np.roll(np.arange(TABLE, dtype=np.uint32) * 4, 7)
    check(kind, table, options.device)
    kernel: Any = hologram.compile(isa.assemble(text_of(kind, blocks, 256, iterations)), device=options.device)
    out = np.zeros(blocks * 256, numpy_type(kind))
    numbers = scalars_of(kind)
    arrays: list[Any] = [table, out]
    launch: Callable[[], object] = lambda: kernel(*numbers, *arrays)  # noqa: E731
    if kernel.device != "cpu":
        arrays = [hologram.array(x, device=kernel.device) for x in arrays]
        launch = kernel.prepare(*numbers, *arrays)

    def call() -> None:
        launch()
        if kernel.device != "cpu":
            arrays[1].numpy()

    call()
    found, share = turns.in_turns({"ours": call}, options.seconds)
    count = blocks * 256 * iterations * CHAINS * REPEATED * len(kind.lines)
    ours = Time.of(found["ours"], 1e9 / count)
    return {
        "name": kind.name, "instructions": kind.lines, "device": kernel.device, "count": count, "ns": ours.median,
        "least_ns": ours.least, "rate": 1 / ours.median, "foreign": share,
    }  # fmt: skip


def numpy_type(kind: Kind) -> Any:
    """The type of the stored numbers."""
    import hologram

    return hologram.dtype(kind.dtype).numpy


def scalars_of(kind: Kind) -> list[Any]:
    """The arguments of a row beside its arrays."""
    return [numpy_type(kind).type(v) for v in (kind.first, kind.second, kind.third)]


def check(kind: Kind, table: Any, device: str) -> None:
    """Compares a small launch with the interpreter."""
    import numpy as np

    import hologram
    from hologram import isa
    from hologram.dialects import make_context
    from hologram.interpreter import interpret_program
    from hologram.lowering.machine.lift_machine import LiftMachinePass

    module = isa.assemble(text_of(kind, 1, 32, 2))
    ours, expected = (np.zeros(32, numpy_type(kind)) for _ in range(2))
    numbers = scalars_of(kind)
    hologram.compile(module, device=device)(*numbers, table, ours)
    lifted = module.clone()
    LiftMachinePass().apply(make_context(), lifted)
    interpret_program(lifted, "p", [*numbers, table, expected], grid=(1, 1, 1))
    if not np.allclose(ours, expected, 1e-5):
        sys.exit(f"error: {kind.name}: the result differs from the interpreter's")


def markdown(result: dict[str, Any]) -> str:
    """The table."""
    lines = [
        "| class | instructions | billions a second | ns | of the fma limit | asked | others' load |",
        "|---" * 7 + "|",
    ]
    for row in result["rows"]:
        share = "" if result["fma_limit"] is None else f"{row['rate'] / result['fma_limit']:.2f}"
        words = " ".join(dict.fromkeys(line.split()[0] for line in row["instructions"]))
        lines.append(
            f"| {row['name']} | `{words}` | {row['rate']:.2f} | {row['ns']:.4f} ({row['least_ns']:.4f}) | {share} "
            f"| {result['asked_ns']:g} | {turns.share(row['foreign'])} |"
        )
    about = f"On {result['device']}" + (f", threads: {result['threads']}" if result["device"] == "cpu" else "")
    about += (
        "; nanoseconds are medians (least) of the whole device. `python bench/instructions.py`, whose first lines say"
    )
    return turns.page("Instruction throughput", f"{about} what is measured.", result, lines)


if __name__ == "__main__":
    main()
