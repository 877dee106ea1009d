"""Compares `torus.project` of int64 arrays with numpy's `n % 96` and with the memory, in one process and in turns.

    python bench/torus.py [--quick] [--json] [--output FOLDER]

What is compared, a row a number of integers, on one thread:

- ours: `kernel(n, out)`, 64-bit integers to packed coordinates: both components, 10 bytes of traffic an element.
- numpy: `n % 96`, the resonance alone, as 64-bit integers.
- memory: loops of ours from LLVM IR with the same traffic, which load 64-bit integers and store their low 16 bits, with
  plain and with streaming stores; the faster one counts.

Times are medians with the least beside them; the share of the memory limit is its time over ours, of medians and
of the least. `torus.json` and `torus.md` hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

# Before the runtime looks: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import numpy as np
import turns
from numpy.typing import NDArray
from turns import Time

import hologram
from hologram import torus

TEXT = """
func.func @main(%n: tensor<?xi64>) -> tensor<?x!torus.coord> {
  %c = torus.project %n : tensor<?xi64> to tensor<?x!torus.coord>
  func.return %c : tensor<?x!torus.coord>
}
"""
COUNTS = {"16M": 1 << 24, "1M": 1 << 20, "16K": 1 << 14}
BYTES = 10
"""The bytes of an element, in and out."""
ASKED = {"memory": 0.85, "numpy": 3.0}
LANES, UNROLLED = 8, 4


@dataclass
class Row:
    """One line of the table."""

    name: str
    elements: int
    ours: Time
    numpy: Time
    plain: Time
    streaming: Time
    foreign: float | None
    """The share of the processors that other programs had meanwhile."""

    @property
    def limit(self) -> Time:
        """The faster of the two loops."""
        return Time(min(self.plain.median, self.streaming.median), min(self.plain.least, self.streaming.least))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all rows."""
    about = "Compares projections to the torus with numpy and with memory."
    options = turns.parse(turns.parser(about), arguments, 5.0)
    kernel: Any = hologram.compile(TEXT, cache=False)
    loops = Loops()
    names = ["16K"] if options.tiny else [*COUNTS]
    rows = [measure(name, kernel, loops, options.seconds) for name in names]
    result = describe(rows)
    turns.write(options, "torus", result, markdown(result, rows))


def aligned(count: int, dtype: str) -> NDArray[Any]:
    """An array that starts at a line of the cache, and whose pages are there."""
    size = count * np.dtype(dtype).itemsize
    raw = np.ones(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype)


def measure(name: str, kernel: Any, loops: Loops, seconds: float) -> Row:
    """One row: checked first, then all take turns; numpy, which is slow, every eighth turn."""
    count = COUNTS[name]
    n, out, rest = aligned(count, "i8"), aligned(count, "u2"), aligned(count, "i8")
    n[:] = np.random.default_rng(0).integers(-(1 << 63), (1 << 63) - 1, count, np.int64, endpoint=True)
    n[:4] = [-1, 0, (1 << 63) - 1, -(1 << 63)]
    kernel(n, out)
    if not np.array_equal(out, torus.project(n)):
        sys.exit("error: ours differs from the reference")
    pointers = n.ctypes.data, out.ctypes.data, count
    calls: dict[str, Callable[[], object]] = {
        "ours": lambda: kernel(n, out),
        "plain": lambda: loops.plain(*pointers),
        "streaming": lambda: loops.streaming(*pointers),
        "numpy": lambda: np.remainder(n, 96, out=rest),
    }
    found, share = turns.in_turns(calls, seconds, rare={"numpy": 8})
    times = {kind: Time.of(all, 1e9 / count) for kind, all in found.items()}
    return Row(name, count, times["ours"], times["numpy"], times["plain"], times["streaming"], share)


class Loops:
    """Loads of 64-bit integers and stores of their low 16 bits, compiled."""

    def __init__(self) -> None:
        llvm: Any = import_module("llvmlite.binding")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
        )
        module = llvm.parse_assembly(loop("plain", "") + loop("streaming", ", !nontemporal !0") + "!0 = !{i32 1}\n")
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()
        signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        self.plain = signature(self._engine.get_function_address("plain"))
        self.streaming = signature(self._engine.get_function_address("streaming"))


def loop(name: str, mark: str) -> str:
    """One loop as LLVM IR; counts divide by the step."""
    step = LANES * UNROLLED
    return f"""
define void @{name}(ptr %n, ptr %out, i64 %count) "prefer-vector-width"="512" "min-legal-vector-width"="512" {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %from = getelementptr i64, ptr %n, i64 %i
  %to = getelementptr i16, ptr %out, i64 %i
  %wide = load <{step} x i64>, ptr %from, align 64
  %narrow = trunc <{step} x i64> %wide to <{step} x i16>
  store <{step} x i16> %narrow, ptr %to, align 64{mark}
  %next = add i64 %i, {step}
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


def describe(rows: Sequence[Row]) -> dict[str, Any]:
    """The result as JSON data."""
    return {
        **turns.about_run(),
        "unit": "nanoseconds an element",
        "asked": ASKED,
        "rows": [{**asdict(row), "of_memory": of_memory(row), "numpy_ratio": numpy_ratio(row)} for row in rows],
    }


def of_memory(row: Row) -> float:
    """The limit's median time over ours."""
    return row.limit.median / row.ours.median


def numpy_ratio(row: Row) -> float:
    """numpy's median time over ours."""
    return row.numpy.median / row.ours.median


def markdown(result: dict[str, Any], rows: Sequence[Row]) -> str:
    """The table."""
    head = "| integers | ours | numpy | ratio | plain stores | streaming stores | of the limit | others' load |"
    lines = [head, "|" + "---|" * head.count(" | ") + "---|"]
    for row in rows:
        least = row.limit.least / row.ours.least
        lines.append(
            f"| {row.name} | {_time(row.ours)} | {_time(row.numpy)} | {numpy_ratio(row):.1f} "
            f"| {_time(row.plain)} | {_time(row.streaming)} | {of_memory(row):.2f} ({least:.2f}) "
            f"| {turns.share(row.foreign)} |"
        )
    about = f"Nanoseconds an element, median (least), one thread; {BYTES} bytes an element. Asked at 16M are "
    about += f"{ASKED['memory']:g} of the memory limit and {ASKED['numpy']:g} times numpy's speed. "
    about += "`python bench/torus.py`, whose first lines say what is compared."
    return turns.page("Projections to the torus", about, result, lines)


def _time(found: Time) -> str:
    return f"{found.median:.3f} ({found.least:.3f})"


if __name__ == "__main__":
    main()
