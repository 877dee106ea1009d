"""Batches of `reduce.*` over a window of registers: one value, a few, and more than there are accumulators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly, Judge, g, greatest, least, number, rounder, unknown
from conformance.scalars import registers
from conformance.values import Array, blank, decode, edges, encode, some
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.dialects.machine.table import FORMS
from interpreter.running import wrap

BLOCK = 16
ACCUMULATORS = 128


def windows(t: DType) -> Iterator[Batch]:
    """All reductions of a type over the values from each lane's number on."""
    names = [n for n, f in FORMS.items() if any(x.times for x in f.fields) and t.name in f.types["type"]]
    if not names:
        return
    loaded = 2 if registers(t) > 32 else 3 if registers(t) > 1 else 7
    sizes = [1, loaded, *([ACCUMULATORS + 3] if registers(t) == 1 else [])]
    values = decode(encode(_values(t, BLOCK + loaded), t), t)
    text = f"  mov.u64 r0, %gid\n  mov_imm.u64 r2, {t.bytes}\n  mul.u64 r1, r0, r2\n"
    for i in range(max(sizes)):
        register = f"r{4 + i * registers(t)}"
        # The long window repeats what is loaded: a load has its guards, which take time to compile.
        copied = f"  mov.{t.name} {register}, r{4 + i % loaded}\n"
        text += f"  ldg.{t.name} {register}, [buf0 + r1 + {i * t.bytes}]\n" if i < loaded else copied
    arguments: list[Array] = [encode(values, t)]
    checks: list[Check] = []
    for size in sizes:
        for name in names:
            out = len(arguments)
            result = f"r{4 + max(sizes) * registers(t)}"
            text += f"  {name}.{t.name} {result}, r4, {size}\n  stg.{t.name} [buf{out} + r1], {result}\n"
            rows = ([values[lane + i % loaded] for i in range(size)] for lane in range(BLOCK))
            judges = [_judge(name, t, row) for row in rows]
            checks.append(Check(Cell(name, types=(t.name,)), out, each(judges, lambda array: decode(array, t))))
            arguments.append(blank(BLOCK, t))
    buffers = ", ".join(f"buf{n}: {t.name}[?]" for n in range(len(arguments)))
    program = f".program batch({buffers}) {{\n  .launch block({BLOCK}, 1, 1)\n{text}  exit\n}}\n"
    yield Batch(program, [Launch(arguments, checks)])


def _values(t: DType, count: int) -> list[Any]:
    found = [v for v in edges(t) if not t.is_float or not math.isinf(v)]
    near = some(t, count, "window")
    return [*found, *near, *found, *near][: max(count, 0)] if t.is_float else [*found, *near, *near][:count]


def _judge(name: str, t: DType, values: Sequence[Any]) -> Judge:
    kind = name.partition(".")[2]
    if t.is_float:
        return Exactly(_float(kind, t, values))
    combine = _INTEGERS.get(kind)
    if combine is None:
        return unknown(name)
    total = values[0]
    for value in values[1:]:
        total = combine(total, value)
    return Exactly(wrap(total, t))


_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "min": min, "max": max,
}  # fmt: skip
_IDENTITIES = {"add": -0.0, "mul": 1.0, "min": math.inf, "max": -math.inf}


def _float(kind: str, t: DType, values: Sequence[float]) -> float:
    """The fixed association of isa.md section 3; 16-bit floats are combined in f32, and the result is rounded."""
    wide = t if t.bits >= 32 else DTYPES["f32"]
    combine = _combine(kind, wide)
    lanes = [_IDENTITIES[kind]] * ACCUMULATORS
    for i, value in enumerate(values):
        lanes[i % ACCUMULATORS] = combine(lanes[i % ACCUMULATORS], value)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [combine(a, b) for a, b in zip(lanes[:half], lanes[half:], strict=True)]
    return rounder(t)(lanes[0])


def _combine(kind: str, t: DType) -> Callable[[float, float], float]:
    if kind in ("min", "max"):
        return number(least if kind == "min" else greatest)
    return rounder(t, g.add if kind == "add" else g.mul)


__all__ = ["windows"]
