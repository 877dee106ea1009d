"""Batches of the Atlas state, class memory, special registers, control and barriers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly
from conformance.memory import same_bytes
from conformance.sections import Sections
from conformance.values import BOOL, U32, Array, blank, decode, edges, encode, some
from hologram import classes
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.atlas.lanes.atomics import SCOPES
from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
from hologram.dialects.atlas.lanes.state import NO_CLASS, NO_RESONANCE
from hologram.dialects.machine.instruction import FORMS, SPECIAL_TYPES

BLOCK = 16
PLACE, NEIGHBOUR = "class", "degree"
"""The texts of traps on every backend for a place out of class memory, and for a neighbour that does not exist."""


def exactly(cell: Cell, argument: int, values: Sequence[Any], t: DType) -> Check:
    """Wants these values at the start of an argument."""
    count = len(values)
    return Check(cell, argument, each([Exactly(v) for v in values], lambda array: decode(array[:count], t)))


# Class memory


def class_memory(t: DType) -> Iterator[Batch]:
    """Pointers by class, page and byte, and the same place in neighbouring classes: a page for each lane."""
    wanted = [n for n in ("bound.map", "cls.of", "nbr.load", "nbr.store") if t.name in FORMS[n].types["type"]]
    head = (
        f"mov.u64 r0, %gid\nmov_imm.u64 r2, {t.bytes}\nmul.u64 r1, r0, r2\nmov_imm.u64 r2, 4\nmul.u64 r2, r0, r2\n"
        "ldg.u32 r3, [buf1 + r2]\nldg.u32 r4, [buf2 + r2]\nldg.u32 r5, [buf3 + r2]\nldg.u32 r6, [buf4 + r2]\n"
        "mov_imm.u32 r7, 0\n"
    )
    value, type = "p0" if t.kind == "bool" else "r16", t.name
    program = Sections([type, "u32", "u32", "u32", "u32", type, "u32"], BLOCK, prologue=head)
    own = f"bound.map.{type} r8, r3, r6, r7\n"
    near = f"bound.map.{type} r9, r5, r6, r7\n"
    load, store = f"ldg.{type} {value}, [buf0 + r1]\n", f"stg.{type} [buf5 + r1], {value}\n"
    bodies = {
        "bound.map": own + load + f"stg.{type} [r8], {value}\nldg.{type} {value}, [r8]\n" + store,
        "cls.of": own + f"cls.get.{type} r10, [r8]\nstg.u32 [buf6 + r2], r10\n",
        "nbr.load": near + load + f"stg.{type} [r9], {value}\n" + own + f"nbr.load.{type} {value}, [r8], r4\n" + store,
        "nbr.store": own + near + load + f"nbr.store.{type} [r8], r4, {value}\nldg.{type} {value}, [r9]\n" + store,
    }
    numbers = {name: program.add(Cell(name, types=(type,)), bodies[name]) for name in wanted}
    batch = program.batch()
    for name, number in numbers.items():
        batch.launches += _class_launches(t, Cell(name, types=(type,)), number)
    yield batch


def _class_launches(t: DType, cell: Cell, number: int) -> Iterator[Launch]:
    own = [(n * 37 + 5) % classes.CLASS_COUNT for n in range(BLOCK)]
    which = [n % len(classes.neighbours(c)) for n, c in enumerate(own)]
    near = [classes.neighbours(c)[i] for c, i in zip(own, which, strict=True)]
    pages = [2 * n for n in range(BLOCK)]
    given = encode([*edges(t), *some(t, BLOCK, "classes")][:BLOCK], t)
    outs = [blank(BLOCK, t), blank(BLOCK, U32)]

    def arguments(own: Sequence[int], which: Sequence[int], pages: Sequence[int]) -> list[Any]:
        return [given, *(encode(v, U32) for v in (own, which, near, pages)), *outs, number, 0]

    check = exactly(cell, 6, own, U32) if cell.instruction == "cls.of" else Check(cell, 5, same_bytes(given))
    yield Launch(arguments(own, which, pages), [check])
    yield Launch(arguments([*own[:-1], 96], which, pages), [], 1, cell, PLACE)
    yield Launch(arguments(own, which, [*pages[:-1], 48]), [], 1, cell, PLACE)
    if cell.instruction.startswith("nbr."):
        yield Launch(arguments(own, [*which[:-1], 6], pages), [], 1, cell, NEIGHBOUR)


# The state of a lane


def lane_state() -> Iterator[Batch]:
    """The current class and the phases."""
    head = "mov.u64 r0, %gid\nmov_imm.u64 r2, 4\nmul.u64 r1, r0, r2\nldg.u32 r3, [buf0 + r1]\nldg.u32 r4, [buf1 + r1]\n"
    program = Sections(["u32", "u32", "u32"], BLOCK, prologue=head)
    out = "stg.u32 [buf2 + r1], r5\n"
    bodies = {
        "cls.get": "cls.get r5\n", "phase.get": "phase.get r5\n",
        "phase.adv": "phase.adv r4\nphase.adv r4\nphase.get r5\n",
        "phase.read": "phase.read r5, r3\n", "phase.write": "phase.write r3, r4\nphase.read r5, r3\n",
    }  # fmt: skip
    numbers = {name: program.add(Cell(name), body + out) for name, body in bodies.items()}
    batch = program.batch()
    lanes = 7 * BLOCK
    own, amounts = (
        [n % 96 for n in range(lanes)],
        decode(encode([n * 0x9E3779B1 % (1 << 32) for n in range(lanes)], U32), U32),
    )
    wanted = {
        "cls.get": [n // BLOCK % 96 for n in range(lanes)], "phase.get": [0] * lanes,
        "phase.adv": [2 * n % 768 for n in amounts], "phase.read": [0] * lanes, "phase.write": amounts,
    }  # fmt: skip
    for name, number in numbers.items():
        arguments = [encode(own, U32), encode(amounts, U32), blank(lanes, U32), number, 0]
        batch.launches.append(Launch(arguments, [exactly(Cell(name), 2, wanted[name], U32)], lanes // BLOCK))
        if name in ("phase.read", "phase.write"):
            bad = [encode([96, *own[1:]], U32), *arguments[1:]]
            batch.launches.append(Launch(bad, [], lanes // BLOCK, Cell(name), NO_CLASS))
    yield batch


def fixed(value: Any) -> int | None:
    """A value as a multiple of 2^-64, half to even; None where it has no place in R."""
    if isinstance(value, float) and not np.isfinite(value) or abs(Fraction(value)) >= 1 << 63:
        return None
    return round(Fraction(value) * (1 << 64))


def resonance(t: DType) -> Iterator[Batch]:
    """`res.accum`, whose sums a launch gives back, and `unity.test` after it."""
    wanted = [n for n in ("res.accum", "unity.test") if t.name in FORMS[n].types["type"]]
    if not wanted:
        return
    head = (
        f"mov.u64 r0, %gid\nmov_imm.u64 r2, 4\nmul.u64 r3, r0, r2\nmov_imm.u64 r2, {t.bytes}\nmul.u64 r1, r0, r2\n"
        f"ldg.u32 r4, [buf0 + r3]\nldg.{t.name} r5, [buf1 + r1]\nldg.{t.name} r6, [buf2 + r1]\n"
    )
    program = Sections(["u32", t.name, t.name, "bool"], BLOCK, prologue=head)
    sums = f"res.accum.{t.name} r4, r5\nres.accum.{t.name} r4, r5\n"
    bodies = {"res.accum": sums, "unity.test": sums + f"unity.test.{t.name} p0, r6\nstg.bool [buf3 + r0], p0\n"}
    numbers = {name: program.add(Cell(name, types=(t.name,)), bodies[name]) for name in wanted}
    values = [v for v in [*edges(t), *some(t, 4 * BLOCK, "resonance")] if fixed(v) is not None]
    values = values[: len(values) // BLOCK * BLOCK]
    others = [*values[3:], *values[:3]]
    batch = program.batch()
    for name, number in numbers.items():
        batch.launches += _resonance_launches(t, Cell(name, types=(t.name,)), number, values, others)
    yield batch


def _resonance_launches(
    t: DType, cell: Cell, number: int, values: list[Any], others: list[Any]
) -> Iterator[Launch]:  # fmt: skip
    lanes = len(values)
    own = [n % 5 for n in range(lanes)]
    sums = [0] * classes.CLASS_COUNT
    for c, value in zip(own, values, strict=True):
        sums[c] += 2 * (fixed(value) or 0)
    tests = [abs(_wrapped(2 * (fixed(v) or 0))) < (fixed(e) or 0) for v, e in zip(values, others, strict=True)]

    def arguments(own: Sequence[int], values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
        return [encode(own, U32), encode(values, t), encode(others, t), blank(lanes, BOOL), number, 0]

    is_test = cell.instruction == "unity.test"
    checks = [exactly(cell, 3, tests, BOOL)] if is_test else []
    yield Launch(arguments(own, values, others), checks, lanes // BLOCK, sums=(cell, [_wrapped(s) for s in sums]))
    # A class there is not, and values beyond R's range: of the epsilon for unity.test.
    if not is_test:
        yield Launch(arguments([96, *own[1:]], values, others), [], lanes // BLOCK, cell, NO_CLASS)
    for bad in [v for v in (*edges(t), -(2.0**63) if t.is_float else 0) if fixed(v) is None][:4]:
        changed = [bad, *(others if is_test else values)[1:]]
        given = arguments(own, values, changed) if is_test else arguments(own, changed, others)
        yield Launch(given, [], lanes // BLOCK, cell, NO_RESONANCE)


def _wrapped(total: int) -> int:
    return (total + (1 << 127)) % (1 << 128) - (1 << 127)


# Special registers


def specials() -> Iterator[Batch]:
    """Every special register in a grid and blocks of three dimensions."""
    block, grid = (4, 2, 3), (3, 2, 2)
    text, arguments, checks = "", list[Array](), list[Check]()
    lanes = [
        {
            **{f"lane.{a}": n for a, n in zip("xyz", lane, strict=True)},
            **{f"block.{a}": n for a, n in zip("xyz", at, strict=True)},
            **{f"lanes.{a}": n for a, n in zip("xyz", block, strict=True)},
            **{f"grid.{a}": n for a, n in zip("xyz", grid, strict=True)},
            "gid": number,
        }
        for number, (at, lane) in enumerate(product(_places(grid), _places(block)))
    ]
    for name in SPECIAL_REGISTERS:
        t = DTYPES[SPECIAL_TYPES[name]]
        text += f"  mov.{t.name} r1, %{name}\n  mov_imm.u64 r2, {t.bytes}\n  mul.u64 r2, r2, r0\n"
        text += f"  stg.{t.name} [buf{len(arguments)} + r2], r1\n"
        checks.append(exactly(Cell("special", name, (t.name,)), len(arguments), [lane[name] for lane in lanes], t))
        arguments.append(blank(len(lanes), t))
    buffers = ", ".join(f"buf{n}: {SPECIAL_TYPES[name]}[?]" for n, name in enumerate(SPECIAL_REGISTERS))
    launch = f"  .launch block({', '.join(map(str, block))})\n"
    program = f".program batch({buffers}) {{\n{launch}  mov.u64 r0, %gid\n{text}  exit\n}}\n"
    yield Batch(program, [Launch(arguments, checks, grid)])


def _places(sizes: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """All places, x fastest."""
    x, y, z = sizes
    return [(i, j, k) for k in range(z) for j in range(y) for i in range(x)]


# Control


CONTROL = """
.func steps(r1: u32, p0: bool) -> (r2: u32) {
  mov_imm.u32 r2, 0
  mov_imm.u32 r3, 3
  @!p0 bra done
again:
  add.u32 r2, r2, r3
  loop r1, again
  ret
done:
  mov.u32 r2, r1
  ret
}

.program batch(buf0: u32[?], buf1: u32[?]) {
  .launch block(16, 1, 1)
  .shared shared0: u32[16]
  mov.u64 r0, %gid
  mov_imm.u64 r1, 4
  mul.u64 r0, r0, r1
  ldg.u32 r1, [buf0 + r0]
  mov_imm.u32 r4, 2
  rem.u32 r5, r1, r4
  cvt.bool.u32 p0, r5
  call steps
  stg.u32 [buf1 + r0], r2
  loop.u32 r1, p1 { add.u32 r2, r2, r4 }
  stg.u32 [buf1 + r0], r2
  @p0 bra odd
  exit
odd:
  add.u32 r2, r2, r4
  stg.u32 [buf1 + r0], r2
}
"""
BARRIERS = """
.program batch(buf0: u32[?], buf1: u32[?]) {{
  .launch block(16, 1, 1)
  .shared shared0: u32[16]
  mov.u64 r0, %gid
  mov_imm.u64 r1, 4
  mul.u64 r0, r0, r1
  mov.u32 r2, %lane.x
  cvt.u64.u32 r3, r2
  mul.u64 r3, r3, r1
  ldg.u32 r4, [buf0 + r0]
  sts.u32 [shared0 + r3], r4
  {fence}
  bar.sync 1
  mov_imm.u64 r5, 60
  sub.u64 r5, r5, r3
  lds.u32 r6, [shared0 + r5]
  stg.u32 [buf1 + r0], r6
}}
"""


ASSERTION = """
.program batch(buf0: u32[?], buf1: u32[?]) {
  .launch block(16, 1, 1)
  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  ldg.u32 r2, [buf0 + r1]
  cvt.bool.u32 p0, r2
  assert p0, "a zero among the inputs"
  stg.u32 [buf1 + r1], r2
}
"""


def assertions() -> Iterator[Batch]:
    """`assert` where it holds, and where one lane's does not."""
    given = [n + 1 for n in range(BLOCK)]
    arguments = [encode(given, U32), blank(BLOCK, U32)]
    bad = [encode([*given[:-1], 0], U32), blank(BLOCK, U32)]
    cell = Cell("assert")
    good = Launch(arguments, [exactly(cell, 1, given, U32)])
    yield Batch(ASSERTION, [good, Launch(bad, [], 1, cell, "a zero among the inputs")])


def control() -> Iterator[Batch]:
    """Branches, loops, calls and ends of lanes; barriers, maybe with a fence before one."""
    given = [n % 7 for n in range(2 * BLOCK)]
    called = [3 * n if n % 2 else n for n in given]
    wanted = [c + 2 * n + 2 * (n % 2) for n, c in zip(given, called, strict=True)]
    cells = [Cell(name) for name in ("bra", "loop", "call", "ret", "exit")]
    arguments = [encode(given, U32), blank(len(given), U32)]
    checks = [exactly(cell, 1, wanted, U32) for cell in cells]
    yield Batch(CONTROL, [Launch(arguments, checks, 2)])
    numbers = [n * n for n in range(2 * BLOCK)]
    turned = [numbers[n // BLOCK * BLOCK + BLOCK - 1 - n % BLOCK] for n in range(2 * BLOCK)]
    arguments = [encode(numbers, U32), blank(len(numbers), U32)]
    # A program each, for devices refuse some of the scopes.
    fences = {"": Cell("bar.sync")} | {f"memfence.{scope}": Cell("memfence", scope) for scope in SCOPES}
    for fence, cell in fences.items():
        yield Batch(BARRIERS.format(fence=fence), [Launch(arguments, [exactly(cell, 1, turned, U32)], 2)])


__all__ = ["assertions", "class_memory", "control", "lane_state", "resonance", "specials"]
