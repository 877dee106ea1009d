"""Batches of `reduce.*` over a window of registers, and over elements of memory: none, one, a few, more than there are
accumulators, and for some types more than a chunk."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import reduce
from typing import Any

from conformance import bounds
from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly, Judge, converted, g, greatest, least, number, one_of, rounder, unknown, winning
from conformance.memory import ALIGNMENT, RANGE
from conformance.scalars import registers
from conformance.sections import OFFSET, Sections
from conformance.values import Array, blank, decode, edges, encode, some
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.machine.instruction import FORMS
from interpreter.running import wrap

BLOCK, LANES = 16, 4
ACCUMULATORS, CHUNK = 128, 4096


def windows(t: DType) -> Iterator[Batch]:
    """All reductions of a type over the values from each lane's number on."""
    names = [n for n, f in FORMS.items() if any(x.times for x in f.fields) and t.name in f.types["type"]]
    if names:
        yield _windows(t, names)


def _windows(t: DType, names: Sequence[str]) -> Batch:
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
            judges = [reduction(name.partition(".")[2], t, row) for row in rows]
            checks.append(Check(Cell(name, types=(t.name,)), out, each(judges, lambda array: decode(array, t))))
            arguments.append(blank(BLOCK, t))
    buffers = ", ".join(f"buf{n}: {t.name}[?]" for n in range(len(arguments)))
    program = f".program batch({buffers}) {{\n  .launch block({BLOCK}, 1, 1)\n{text}  exit\n}}\n"

    def part(cells: Collection[Cell]) -> Batch:
        return _windows(t, [name for name in names if Cell(name, types=(t.name,)) in cells])

    return Batch(program, [Launch(arguments, checks)], part)


def spans(t: DType) -> Iterator[Batch]:
    """All reductions of a type over elements of memory, from each lane's number on."""
    names = [n for n in span_names() if t.name in FORMS[n].types["type"]]
    if not names:
        return
    head = f"mov.u64 r0, %gid\nmov_imm.u64 r2, {t.bytes}\nmul.u64 r1, r0, r2\n"
    program = Sections([t.name, t.name], LANES, prologue=head)
    cells = [Cell(name, types=(t.name,)) for name in names]
    sections = [(cell, program.add(cell, _span(t, cell, 0)), program.add(cell, _span(t, cell, 1))) for cell in cells]
    batch = program.batch()
    for cell, section, misaligned in sections:
        batch.launches += _span_launches(t, cell, section)
        if t.bytes > 1:
            arguments = [encode(_values(t, LANES + 1), t), blank(LANES, t), misaligned, 1]
            batch.launches.append(Launch(arguments, [], 1, cell, ALIGNMENT))
    yield batch


def span_names() -> list[str]:
    """The reductions over memory."""
    return [n for n in FORMS if n.startswith("reduce.") and n.endswith(".span")]


def _span(t: DType, cell: Cell, shift: int) -> str:
    line = f"{_mnemonic(cell.instruction)}.{t.name} r4, [buf0 + r1 + {shift}], {OFFSET}\n"
    return f"{line}stg.{t.name} [buf1 + r1], r4\n"


def _span_launches(t: DType, cell: Cell, section: int) -> Iterator[Launch]:
    """Few elements are edge values; sums of many would all be NaN with them."""
    longest = CHUNK + 5 if t.name in ("f32", "i64") else ACCUMULATORS + 3
    kind = cell.instruction.split(".")[1]
    for values, sizes in ((_values(t, LANES + 7), (0, 1, 7)), (some(t, LANES + longest, "span"), (longest,))):
        arguments = [encode(values, t), blank(LANES, t), section]
        for size in sizes:
            judges = [reduction(kind, t, values[lane : lane + size]) for lane in range(LANES)]
            check = Check(cell, 1, each(judges, lambda array: decode(array, t)))
            yield Launch([*arguments, size], [check])
        yield Launch([*arguments, len(values)], [], 1, cell, RANGE)


def _mnemonic(name: str) -> str:
    return FORMS[name].spelling or name


def _values(t: DType, count: int) -> list[Any]:
    """Edge values, NaN first, and others; as the type rounds them."""
    found = [v for v in reversed(edges(t)) if not t.is_float or not math.isinf(v)]
    return decode(encode([*found, *some(t, count, "window")][:count], t), t)


def reduction(kind: str, t: DType, values: Sequence[Any]) -> Judge:
    """The judge of a reduction of values."""
    if t.is_float:
        wide = t if t.bits >= 32 else DTYPES["f32"]

        def value(flush: tuple[bool, bool]) -> float:
            found = converted(wide, t, folded(kind, wide, values, flush))
            return bounds.flushed(t, found)[-1] if flush[1] else found

        either = (False, True)
        return one_of(value((False, False)), lambda: [value((a, b)) for a in either for b in either])
    kind = kind.removesuffix(".nan")
    combine = _INTEGERS.get(kind)
    if combine is None:
        return unknown(f"reduce.{kind}")
    ends = {"add": 0, "mul": 1, "min": int(t.greatest), "max": int(t.least)}
    return Exactly(wrap(reduce(combine, values, ends[kind]), t))


_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "min": min, "max": max,
}  # fmt: skip
CHOICES: dict[str, Callable[[float, float], float]] = {
    "min": number(least), "max": number(greatest), "min.nan": winning(least), "max.nan": winning(greatest),
}  # fmt: skip
_IDENTITIES = {"add": -0.0, "mul": 1.0, "min": math.inf, "max": -math.inf, "min.nan": math.inf, "max.nan": -math.inf}


def in_order(kind: str, t: DType, values: Sequence[Any]) -> Judge:
    """The judge of values that are combined one after the other, each step rounded to the type."""
    if not t.is_float:
        return Exactly(wrap(reduce(_INTEGERS[kind.removesuffix(".nan")], values), t))
    either = (False, True)

    def value(flush: tuple[bool, bool]) -> float:
        return reduce(_steps(kind, t, flush), values)

    return one_of(value((False, False)), lambda: [value((a, b)) for a in either for b in either])


def _steps(kind: str, t: DType, flush: tuple[bool, bool]) -> Callable[[float, float], float]:
    """How two floats are combined. `flush` is as in `folded`."""
    step = _combine(kind, t)

    def combine(a: float, b: float) -> float:
        given = [bounds.flushed(t, v)[-1] for v in (a, b)] if flush[0] else [a, b]
        found = step(*given)
        return bounds.flushed(t, found)[-1] if flush[1] else found

    return combine


def folded(kind: str, t: DType, values: Sequence[float], flush: tuple[bool, bool] = (False, False)) -> float:
    """The combination of floats, each step rounded to a type, in the fixed association of isa.md section 3.

    `flush` says whether subnormal operands, and subnormal results, of a step are zeros of their signs.
    """
    combine = _steps(kind, t, flush)
    chunks = [_chunk(combine, _IDENTITIES[kind], values[at : at + CHUNK]) for at in range(0, len(values), CHUNK)]
    while len(chunks) > 1:
        chunks += [_IDENTITIES[kind]] * ((1 << (len(chunks) - 1).bit_length()) - len(chunks))
        chunks = [combine(a, b) for a, b in zip(chunks[::2], chunks[1::2], strict=True)]
    return chunks[0] if chunks else 0.0 if kind == "add" else _IDENTITIES[kind]


def _chunk(combine: Callable[[float, float], float], identity: float, values: Sequence[float]) -> float:
    lanes = [identity] * ACCUMULATORS
    for i, value in enumerate(values):
        lanes[i % ACCUMULATORS] = combine(lanes[i % ACCUMULATORS], value)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [combine(a, b) for a, b in zip(lanes[:half], lanes[half:], strict=True)]
    return lanes[0]


def _combine(kind: str, t: DType) -> Callable[[float, float], float]:
    if kind in CHOICES:
        return CHOICES[kind]
    return rounder(t, g.add if kind == "add" else g.mul)


__all__ = ["folded", "reduction", "spans", "windows"]
