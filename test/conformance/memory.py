"""Batches of loads, stores, pointers and atomics, on every type: what is moved, and the traps of each access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly, Judge, scalar, unknown
from conformance.scalars import registers
from conformance.sections import OFFSET, Sections
from conformance.values import U32, Array, blank, decode, edges, encode, some
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.atlas.lanes.memory import VECTORS
from hologram.dialects.machine.instruction import FORMS

BLOCK = 16
SPARE = 4
"""The elements that arrays have beyond the used ones: a misaligned access lies inside."""
RANGE, ALIGNMENT = "out of range", "align"
"""The texts of traps on every backend."""


def same_bytes(wanted: Array) -> Callable[[Array], str | None]:
    """Return whether an array begins with the bytes of another."""
    expected = wanted.tobytes()

    def verify(array: Array) -> str | None:
        return None if array.tobytes().startswith(expected) else "the bytes are not those that were stored"

    return verify


def _values(t: DType, count: int) -> Array:
    found = [*edges(t), *some(t, count, "memory")]
    return encode(found[:count], t)


def _first(t: DType, space: int = 4) -> str:
    """The registers (or predicates) that hold values."""
    return "p0" if t.kind == "bool" else f"r{space}"


# Loads and stores


PAIRS = {"ldg": "stg", "lds": "sts", "ldl": "stl", "pool.load": "pool.store"}
OBJECTS = {"lds": "shared0", "ldl": "local0", "pool.load": "pool0"}


def accesses(t: DType) -> Iterator[Batch]:
    """Loads and stores of a type, alone and as vectors."""
    block = BLOCK if registers(t) <= 16 else 4
    wide = registers(t) * 4 > 240
    arrays = [f".shared shared0: {t.name}[{4 * block + SPARE}]", f".local local0: {t.name}[{4 + SPARE}]"]
    pool = f".pool pool0: {t.name}[{4 * block + SPARE}]"
    program = Sections(
        [t.name, t.name], block, arrays, pool, "mov.u64 r0, %gid\nmov.u32 r1, %lane.x\ncvt.u64.u32 r1, r1"
    )
    numbers: list[tuple[int, Cell, int]] = []
    for load in PAIRS:
        for vector in ("", *VECTORS):
            if vector == "v4" and wide:
                continue
            for cell, lines in _round_trip(t, load, vector):
                numbers.append((program.add(cell, lines), cell, VECTORS.get(vector, 1)))
    numbers += [(program.add(Cell("lea", types=(t.name,)), _pointer(t)), Cell("lea", types=(t.name,)), 1)]
    yield _launches(t, program, numbers, block)
    if wide:
        yield _without_index(t)


def _round_trip(t: DType, load: str, vector: str) -> Iterator[tuple[Cell, str]]:
    """A load and a store, each with the offset that may trap; memory of blocks and lanes is filled from the array."""
    count, suffix = VECTORS.get(vector, 1), f".{vector}" if vector else ""
    store, type = PAIRS[load], t.name
    source, target = ("buf0", "buf1") if load == "ldg" else (OBJECTS[load],) * 2
    values = _first(t)
    own = f"mov_imm.u64 r2, {t.bytes * count}\nmul.u64 r2, r2, r0\n"
    local = f"mov_imm.u64 r2, {t.bytes * count}\nmul.u64 r2, r2, r1\n" if load != "ldl" else "mov_imm.u64 r2, 0\n"
    copy = f"ldg{suffix}.{type} {values}, [buf0 + r2]\n"
    back = f"stg{suffix}.{type} [buf1 + r2], {values}\n"
    shift = f"add.u64 r3, r2, {OFFSET}\n"
    for name, checked in ((load, True), (store, False)):
        cell = Cell(name, vector, (type,))
        at = {True: "r3", False: "r2"}
        if load == "ldg":
            lines = own + shift + f"ldg{suffix}.{type} {values}, [{source} + {at[checked]}]\n"
            lines += f"stg{suffix}.{type} [{target} + {at[not checked]}], {values}\n"
        else:
            lines = own + copy + local + shift + f"{store}{suffix}.{type} [{target} + {at[not checked]}], {values}\n"
            lines += f"{load}{suffix}.{type} {values}, [{source} + {at[checked]}]\n" + own + back
        yield cell, lines


def _pointer(t: DType) -> str:
    """A value by pointers: one into each array, and one made from another."""
    values = _first(t, 8)
    return (
        f"mov_imm.u64 r2, {t.bytes}\nmul.u64 r2, r2, r0\nadd.u64 r3, r2, {OFFSET}\n"
        f"lea.{t.name} r4, [buf0 + r3]\nlea.{t.name} r5, [buf1 + r2]\nlea.{t.name} r5, [r5 + 0]\n"
        f"ldg.{t.name} {values}, [r4]\nstg.{t.name} [r5], {values}\n"
    )


def _launches(t: DType, program: Sections, numbers: Sequence[tuple[int, Cell, int]], block: int) -> Batch:
    batch = program.batch()
    for number, cell, count in numbers:
        given = _values(t, count * block)
        arguments = [with_spare(given), blank(len(given) + SPARE, t), number]
        batch.launches.append(Launch([*arguments, 0], [Check(cell, 1, same_bytes(given))]))
        lengths = {"ldg": count * block, "stg": count * block, "ldl": 4, "stl": 4, "lea": block}
        size = t.bytes * (lengths.get(cell.instruction, 4 * block) + SPARE)
        for offset in (size, (1 << 64) - max(t.alignment, 16)):
            batch.launches.append(Launch([*arguments, offset], [], 1, cell, RANGE))
        alignment = t.alignment if count == 1 else min(t.bytes * count, 16)
        if alignment > 1:
            batch.launches.append(Launch([*arguments, alignment // 2], [], 1, cell, ALIGNMENT))
    return batch


def with_spare(array: Array) -> Array:
    """The array with SPARE more elements."""
    return np.concatenate([array, array[:SPARE]])


def _without_index(t: DType) -> Batch:
    """Four values that take all registers, so that none is left for an address."""
    cells = [Cell(name, "v4", (t.name,)) for pair in PAIRS.items() for name in pair]
    lines = "".join(
        f"  {op}.v4.{t.name} {operands}\n"
        for op, operands in (
            ("ldg", "r0, [buf0]"), ("sts", "[shared0], r0"), ("lds", "r0, [shared0]"), ("stl", "[local0], r0"),
            ("ldl", "r0, [local0]"), ("pool.store", "[pool0], r0"), ("pool.load", "r0, [pool0]"),
            ("stg", "[buf1], r0"),
        )
    )  # fmt: skip
    arrays = f"  .shared shared0: {t.name}[4]\n  .local local0: {t.name}[4]\n"
    text = f".pool pool0: {t.name}[4]\n.program batch(buf0: {t.name}[?], buf1: {t.name}[?]) {{\n"
    text += f"  .launch block(1, 1, 1)\n{arrays}{lines}  exit\n}}\n"
    given = _values(t, 4)
    return Batch(text, [Launch([given, blank(4, t)], [Check(cell, 1, same_bytes(given)) for cell in cells])])


POOLS = """
.pool pool0: u32[16]
.program batch(buf0: u32[?], buf1: u32[?]) {
  .launch block(16, 1, 1)
  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  ldg.u32 r2, [buf0 + r1]
  pool.alloc pool0
  pool.store.u32 [pool0 + r1], r2
  pool.load.u32 r3, [pool0 + r1]
  pool.free pool0
  add.u32 r3, r3, r2
  pool.store.u32 [pool0 + r1], r3
  pool.load.u32 r4, [pool0 + r1]
  stg.u32 [buf1 + r1], r4
}
"""


def pools() -> Iterator[Batch]:
    """A pool that is asked for and given up between two stores."""
    values = [3 * n for n in range(BLOCK)]
    wanted = each([Exactly(2 * v) for v in values], lambda array: decode(array, U32))
    checks = [Check(Cell(name), 1, wanted) for name in ("pool.alloc", "pool.free")]
    yield Batch(POOLS, [Launch([encode(values, U32), blank(BLOCK, U32)], checks)])


# Atomics


def atomics(t: DType) -> Iterator[Batch]:
    """Atomic instructions of a type on global and shared memory."""
    names = [n for n, form in FORMS.items() if n.startswith("atom.") and t.name in form.types["type"]]
    if not names:
        return
    head = f"mov.u64 r0, %gid\nmov_imm.u64 r2, {t.bytes}\nmul.u64 r1, r0, r2\nadd.u64 r3, r1, {OFFSET}\n"
    program = Sections([t.name] * 5, BLOCK, [f".shared shared0: {t.name}[{BLOCK + SPARE}]"], prologue=head)
    cells: list[tuple[int, Cell]] = []
    for name in names:
        for space in ("global", "shared"):
            cell = Cell(name, space, (t.name,))
            cells.append((program.add(cell, _atomic(t, name, space)), cell))
    contended = Cell("atom.add", "contended", (t.name,))
    if t.is_integer:
        lines = f"mov_imm.u64 r3, 0\nldg.{t.name} r4, [buf1 + r1]\natom.add.{t.name} r5, [buf0 + r3], r4\n"
        program.add(contended, lines)
    batch = program.batch()
    for number, cell in cells:
        batch.launches += _atomic_launches(t, cell, number)
    if t.is_integer:
        number = len(program.sections) - 1
        batch.launches.append(_contended(t, contended, number))
    yield batch


def _atomic(t: DType, name: str, space: str) -> str:
    """Memory is buf0, operands are buf1 and buf2; old values go to buf3, for shared memory new ones to buf4."""
    operands = "r6, r4" if name == "atom.cas" else "r4"
    lines = f"ldg.{t.name} r4, [buf1 + r1]\nldg.{t.name} r6, [buf2 + r1]\n"
    if space == "global":
        return lines + f"{name}.{t.name} r5, [buf0 + r3], {operands}\nstg.{t.name} [buf3 + r1], r5\n"
    lines += f"ldg.{t.name} r7, [buf0 + r1]\nsts.{t.name} [shared0 + r1], r7\n"
    lines += f"{name}.{t.name} r5, [shared0 + r3], {operands}\nstg.{t.name} [buf3 + r1], r5\n"
    return lines + f"lds.{t.name} r7, [shared0 + r1]\nstg.{t.name} [buf4 + r1], r7\n"


def _atomic_launches(t: DType, cell: Cell, number: int) -> Iterator[Launch]:
    old, operand = ([*edges(t)[k::2], *some(t, BLOCK, f"atomic {k}")][:BLOCK] for k in range(2))
    compare = [v if n % 2 else w for n, (v, w) in enumerate(zip(old, operand, strict=True))]
    kind = cell.instruction.partition(".")[2]
    arrays = [encode(v, t) for v in (old, operand, compare)]
    judges = [_new(kind, t, row) for row in zip(*(decode(a, t) for a in arrays), strict=True)]
    checks = [Check(cell, 3, same_bytes(arrays[0]))]
    checks.append(Check(cell, 4 if cell.variant == "shared" else 0, each(judges, lambda a: decode(a[:BLOCK], t))))
    arguments = [*map(with_spare, arrays), blank(BLOCK, t), blank(BLOCK, t), number]
    yield Launch([*arguments, 0], checks)
    yield Launch([*arguments, t.bytes * (BLOCK + SPARE)], [], 1, cell, RANGE)
    yield Launch([*arguments, t.bytes // 2], [], 1, cell, ALIGNMENT)


def _new(kind: str, t: DType, row: tuple[Any, Any, Any]) -> Judge:
    """The judge of memory after an atomic; a comparison is of bits."""
    old, operand, compare = row
    if kind == "cas":
        return Exactly(operand if encode([old], t).tobytes() == encode([compare], t).tobytes() else old)
    if kind == "exch":
        return Exactly(operand)
    return scalar(kind, t, (old, operand)) or unknown(f"atom.{kind}")


def _contended(t: DType, cell: Cell, number: int) -> Launch:
    """All lanes of several blocks add to one place."""
    operands = some(t, 4 * BLOCK, "contended")
    places = [blank(4 * BLOCK, t) for _ in range(3)]
    start = np.zeros(4 * BLOCK, t.numpy)
    with np.errstate(over="ignore"):
        total = int(encode(operands, t).sum(dtype=t.numpy))
    check = Check(cell, 0, lambda array: Exactly(total)(array[0].item()))
    return Launch([start, encode(operands, t), *places, number, 0], [check], 4)


__all__ = ["accesses", "atomics", "pools", "same_bytes"]
