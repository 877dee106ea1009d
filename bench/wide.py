"""Compares arithmetic on arrays of integers of 128 to 4096 bits with gmpy2, in one process and in turns.

    python bench/wide.py [--quick] [--only NAME]... [--json] [--output FOLDER]

Three arrays (two inputs and the result) take 512 KiB together, so they fit in the second-level cache. What is compared,
a row an operation and width, as nanoseconds an element on one thread:

- ours: `kernel(a, b, out)`, an `atlas.map` over arrays of limbs. Results wrap at the width.
- gmpy2: `list(map(operator.add, xs, ys))` over as many `mpz`, the fastest loop that Python has. Nothing wraps there, so
  a product has all of its digits and ours the lower half; `gmpy2.t_div` and `t_mod` truncate as ours do.
- wrapped: the same loop with a result that wraps too (`gmpy2.t_mod_2exp`), for information.
- mpn: GMP's functions on limbs (`mpn_add_n`, `mpn_mul_n`, `mpn_tdiv_qr`) in a compiled loop, without any Python object;
  for information. Its product too has all digits.

All numbers have their highest bit set; divisors have half the width, but in the rows `div-full`, where they have all of
it. Times are medians with the least beside them, and so are ratios; a compile is that of a fresh program in a warm
process, from text to the end of its first call, by the clock and in the processor's time. `wide.json` and `wide.md`
hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import operator
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

# Before the runtime looks: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import numpy as np
import turns
from numpy.typing import NDArray
from turns import Time

import hologram

gmpy2: Any = import_module("gmpy2")  # It has no types.
Limbs = NDArray[np.uint64]
BYTES = 512 << 10
"""The bytes of the three arrays together."""
WIDTHS = (128, 256, 512, 1024, 2048, 4096)
TEXT = """
func.func @main(%xs: memref<?xiBITS>, %ys: memref<?xiBITS>, %rs: memref<?xiBITS>) {
  atlas.map ins(%xs, %ys : memref<?xiBITS>, memref<?xiBITS>) outs(%rs : memref<?xiBITS>)
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: iBITS, %y: iBITS):
    %r = atlas.OP uBITS %x, %y
    atlas.yield %r : iBITS
  }
  func.return
}
"""
LOOP = """
define void @NAME(ptr %f, ptr %r, i64 %step, ptr %x, ptr %y, i64 %limbs, i64 %count, ptr %rest, i64 %divisor) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = mul i64 %i, %limbs
  %xi = getelementptr i64, ptr %x, i64 %at
  %yi = getelementptr i64, ptr %y, i64 %at
  %rat = mul i64 %i, %step
  %ri = getelementptr i64, ptr %r, i64 %rat
  %si = getelementptr i64, ptr %rest, i64 %at
  CALL
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""
MPN = "".join(
    LOOP.replace("NAME", name).replace("CALL", call)
    for name, call in {
        "pairs": "%carry = call i64 %f(ptr %ri, ptr %xi, ptr %yi, i64 %limbs)",
        "quotients": "call void %f(ptr %ri, ptr %si, i64 0, ptr %xi, i64 %limbs, ptr %yi, i64 %divisor)",
    }.items()
)


@dataclass(frozen=True)
class Operation:
    """The computation of a kind of row."""

    op: str
    peer: Callable[[Any, Any], Any]
    mpn: str
    loop: str = "pairs"
    half: bool = False
    """True if the second number has half the width."""
    asked: dict[int, float] = field(default_factory=dict[int, float])
    """The peer's time over ours that must be reached up to a width."""


DIVISION = {1024: 0.5}
OPERATIONS = {
    "add": Operation("add", operator.add, "add_n", asked={1024: 5, 4096: 3}),
    "sub": Operation("sub", operator.sub, "sub_n"),
    "mul": Operation("mul", operator.mul, "mul_n", asked={1024: 1.5, 2048: 1.2}),
    "div": Operation("div", gmpy2.t_div, "tdiv_qr", "quotients", half=True, asked=DIVISION),
    "div-full": Operation("div", gmpy2.t_div, "tdiv_qr", "quotients", asked=DIVISION),
    "rem": Operation("rem", gmpy2.t_mod, "tdiv_qr", "quotients", half=True, asked=DIVISION),
}


@dataclass
class Row:
    """One line of the table."""

    name: str
    bits: int
    elements: int
    ours: Time
    gmpy2: Time
    wrapped: Time
    mpn: Time | None
    """None where GMP's functions are not found."""
    compile_seconds: float
    compile_processor_seconds: float
    asked: float | None
    foreign: float | None
    """The share of the processors that other programs had meanwhile."""

    @property
    def ratio(self) -> float:
        """gmpy2's median time over ours."""
        return self.gmpy2.median / self.ours.median

    @property
    def least_ratio(self) -> float:
        """The same of the least times, which other programs disturb less."""
        return self.gmpy2.least / self.ours.least


class Wrong(Exception):
    """A result of ours that is not gmpy2's."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the rows that are asked for."""
    names = [f"{name}-{bits}" for bits in WIDTHS for name in OPERATIONS]
    options = turns.parse_rows("Compares wide integers with gmpy2.", arguments, names, 0.5)
    mpn = Mpn.found()
    rows: list[Row] = []
    hologram.compile(text_of("xor", 128), cache=False)  # What is imported at first counts for no row.
    for name in options.names:
        sys.stderr.write(f"{name}\n")
        try:
            rows.append(measure(name, options.seconds, BYTES >> 8 if options.tiny else BYTES, mpn))
        except Wrong as error:
            sys.exit(f"error: {name}: {error}")
    result = describe(rows)
    turns.write(options, "wide", result, markdown(result, rows))


def text_of(op: str, bits: int) -> str:
    """The program of a row."""
    return TEXT.replace("BITS", str(bits)).replace("OP", op)


def numbers(count: int, bits: int, seed: int) -> list[int]:
    """Random numbers with their highest bit set."""
    source = random.Random(seed)
    return [source.getrandbits(bits) | 1 << (bits - 1) for _ in range(count)]


def to_limbs(values: Sequence[int], bits: int) -> Limbs:
    """An array of limbs, the lowest first."""
    raw = b"".join((int(v) % (1 << bits)).to_bytes(bits // 8, "little") for v in values)
    return np.frombuffer(raw, "<u8").astype(np.uint64).reshape(len(values), bits // 64)


def measure(name: str, seconds: float, size: int, mpn: Mpn | None) -> Row:
    """One row: checked first, then all take turns."""
    kind, _, width = name.rpartition("-")
    operation, bits = OPERATIONS[kind], int(width)
    count = max(3, size // (3 * bits // 8))
    divisor_bits = bits // 2 if operation.half else bits
    x, y = numbers(count, bits, 1), numbers(count, divisor_bits, 2)
    xs: list[Any] = list(map(gmpy2.mpz, x))
    ys: list[Any] = list(map(gmpy2.mpz, y))
    a, b = to_limbs(x, bits), to_limbs(y, bits)
    out = np.zeros_like(a)
    start = perf_counter(), process_time()
    kernel = hologram.compile(text_of(operation.op, bits), cache=False)
    kernel(a, b, out)
    compiled = perf_counter() - start[0], process_time() - start[1]
    peer, modulo = operation.peer, gmpy2.t_mod_2exp
    if not np.array_equal(out, to_limbs(list(map(peer, xs, ys)), bits)):
        raise Wrong("the result is not gmpy2's")
    calls: dict[str, Callable[[], object]] = {
        "ours": lambda: kernel(a, b, out),
        "gmpy2": lambda: list(map(peer, xs, ys)),
        "wrapped": lambda: [modulo(peer(p, q), bits) for p, q in zip(xs, ys, strict=True)],
    }
    if mpn is not None:
        calls["mpn"] = mpn.call(operation, a, b, divisor_bits // 64)
    found, share = turns.in_turns(
        calls, seconds, repeats={name: about_a_millisecond(call) for name, call in calls.items()}
    )
    times = {name: Time.of(all, 1e9 / count) for name, all in found.items()}
    asked = next((ratio for most, ratio in operation.asked.items() if bits <= most), None)
    return Row(
        name, bits, count, times["ours"], times["gmpy2"], times["wrapped"], times.get("mpn"), *compiled, asked, share
    )


def about_a_millisecond(call: Callable[[], object]) -> int:
    """The number of calls that take about a millisecond, at most 100."""
    start = perf_counter()
    call()
    return max(1, min(100, round(1e-3 / (perf_counter() - start))))


class Mpn:
    """GMP's functions on limbs, in compiled loops."""

    def __init__(self, library: ctypes.CDLL):
        llvm: Any = import_module("llvmlite.binding")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(MPN)
        target = llvm.Target.from_default_triple().create_target_machine(opt=2)
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._library = library
        signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64] * 3)
        self._loops = {name: signature(self._engine.get_function_address(name)) for name in ("pairs", "quotients")}

    @staticmethod
    def found() -> Mpn | None:
        """The functions of the GMP that gmpy2 brings, or of the system's; None if there is neither."""
        beside = Path(str(gmpy2.__file__)).parents[1].glob("gmpy2.libs/libgmp-*")
        names = [*map(str, beside), *filter(None, [ctypes.util.find_library("gmp")])]
        for name in names:
            try:
                return Mpn(ctypes.CDLL(name))
            except OSError:
                continue
        return None

    def call(self, operation: Operation, a: Limbs, b: Limbs, divisor: int) -> Callable[[], object]:
        """The loop over two arrays."""
        count, limbs = a.shape
        out, rest = np.zeros((count, 2 * limbs), np.uint64), np.zeros_like(a)
        function = ctypes.cast(self._library[f"__gmpn_{operation.mpn}"], ctypes.c_void_p).value
        pointers = [array.ctypes.data for array in (out, a, b, rest)]
        loop = self._loops[operation.loop]
        # The order of the loop's parameters; the arrays are kept by the default values.
        step = 2 * limbs if operation.mpn == "mul_n" else limbs
        arguments = (function, pointers[0], step, pointers[1], pointers[2], limbs, count, pointers[3], divisor)
        return lambda kept=(out, rest): loop(*arguments)


def describe(rows: Sequence[Row]) -> dict[str, Any]:
    """The result as JSON data."""
    about = turns.about_run("gmpy2")
    about["versions"]["GMP"] = gmpy2.mp_version().removeprefix("GMP ")
    return {
        **about,
        "unit": "nanoseconds an element",
        "rows": [{**asdict(row), "ratio": row.ratio, "least_ratio": row.least_ratio} for row in rows],
    }


def markdown(result: dict[str, Any], rows: Sequence[Row]) -> str:
    """The table."""
    head = "| row | ours | gmpy2 | ratio | asked | gmpy2 wrapped | mpn | compile | others' load |"
    lines = [head, "|" + "---|" * head.count(" | ") + "---|"]
    for row in rows:
        mpn = "-" if row.mpn is None else _time(row.mpn)
        asked = "-" if row.asked is None else f"{row.asked:g}"
        lines.append(
            f"| {row.name} | {_time(row.ours)} | {_time(row.gmpy2)} "
            f"| {row.ratio:.2f} ({row.least_ratio:.2f}) | {asked} "
            f"| {_time(row.wrapped)} | {mpn} | {row.compile_seconds:.2f} ({row.compile_processor_seconds:.2f}) s "
            f"| {turns.share(row.foreign)} |"
        )
    about = "Nanoseconds an element, median (least), one thread; ratio: gmpy2's time over ours; compile: by the"
    about += " clock (processor). `python bench/wide.py`, whose first lines say what is compared."
    return turns.page("Wide integers", about, result, lines)


def _time(found: Time) -> str:
    return f"{found.median:.1f} ({found.least:.1f})"


if __name__ == "__main__":
    main()
