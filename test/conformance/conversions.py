"""Batches of `cvt`, `cvt.bits` and `mov_imm`: a program for each source type converts to all others."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.bounds import operands, results
from conformance.exact import Exactly, Judge, converted, one_of
from conformance.scalars import registers
from conformance.values import LANES, blank, conversion_values, decode, edges, encode, padded
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.machine.constants import constant_text
from hologram.dialects.machine.instruction import FORMS


def _register(t: DType, place: int) -> str:
    return f"p{place // 64}" if t.kind == "bool" else f"r{4 + place}"


def _head(source: DType) -> str:
    return (
        "  mov.u64 r0, %gid\n"
        f"  mov_imm.u64 r2, {source.bytes}\n  mul.u64 r1, r0, r2\n"
        f"  ldg.{source.name} {_register(source, 0)}, [buf0 + r1]\n"
    )


def _store(t: DType, out: int) -> str:
    return f"  mov_imm.u64 r2, {t.bytes}\n  mul.u64 r1, r0, r2\n  stg.{t.name} [buf{out} + r1], {_register(t, 64)}\n"


def conversions(source: DType) -> Iterator[Batch]:
    """All conversions from a type: to those of up to 64 bits, and to wider ones, which some devices refuse."""
    for wide in (False, True):
        cells = [c for c in _conversions_of(source) if (DTYPES[c.types[0]].bits > 64) == wide]
        if cells:
            yield _conversions(source, cells)


def _conversions_of(source: DType) -> Iterator[Cell]:
    for name in ("cvt", "cvt.satfinite", "cvt.bits"):
        types = FORMS[name].types
        for target in DTYPES.values() if source.name in types["source_type"] else ():
            if target.name in types["type"] and (name != "cvt.bits" or target.bits == source.bits):
                yield Cell(name, types=(target.name, source.name))


def _conversions(source: DType, cells: Sequence[Cell]) -> Batch:
    """Some conversions from a type."""
    values = decode(encode(padded(conversion_values(source)), source), source)
    given = encode(values, source)
    text, arguments, checks = _head(source), [given], list[Check]()
    for cell in cells:
        name, target, out = cell.instruction, DTYPES[cell.types[0]], len(arguments)
        text += f"  {name}.{target.name}.{source.name} {_register(target, 64)}, {_register(source, 0)}\n"
        text += _store(target, out)
        arguments.append(blank(len(values), target))
        checks.append(_bits(cell, out, given) if name == "cvt.bits" else _check(cell, out, values, source, target))
    outs = [check.cell.types[0] for check in checks]
    buffers = ", ".join(f"buf{n}: {name}[?]" for n, name in enumerate([source.name, *outs]))
    program = f".program batch({buffers}) {{\n  .launch block({LANES}, 1, 1)\n{text}  exit\n}}\n"

    def part(wanted: Collection[Cell]) -> Batch:
        return _conversions(source, [cell for cell in cells if cell in wanted])

    return Batch(program, [Launch(arguments, checks, len(values) // LANES)], part)


def _check(cell: Cell, out: int, values: list[object], source: DType, target: DType) -> Check:
    finite = cell.instruction == "cvt.satfinite"
    judges = [conversion(source, target, v, finite) for v in values]
    return Check(cell, out, each(judges, lambda array: decode(array, target), values))


def conversion(source: DType, target: DType, value: object, finite: bool = False) -> Judge:
    """The judge of a conversion of a value."""
    convert = partial(converted, source, target, finite=finite)
    return one_of(convert(value), lambda: results(target, convert, [v for (v,) in operands(source, [value])]))


def _bits(cell: Cell, out: int, given: object) -> Check:
    wanted = given.tobytes()  # pyright: ignore

    def verify(array: object) -> str | None:
        return None if array.tobytes() == wanted else "the bits are not those of the source"  # pyright: ignore

    return Check(cell, out, verify)


def constants(t: DType) -> Iterator[Batch]:
    """`mov_imm` of each edge value, one a lane and an array."""
    values = [v for v in edges(t) if not (isinstance(v, float) and math.isnan(v))][
        :: 1 if registers(t) < 8 and not t.is_float else 4
    ]
    text, arguments, checks = "  mov.u64 r0, %gid\n", list[object](), list[Check]()
    for value in values:
        shown = constant_text(_bits_of(value, t), t)
        text += f"  mov_imm.{t.name} {_register(t, 64)}, {shown}\n" + _store(t, len(arguments))
        check = each([Exactly(value)] * LANES, lambda array: decode(array, t))
        checks.append(Check(Cell("mov_imm", types=(t.name,)), len(arguments), check))
        arguments.append(blank(LANES, t))
    buffers = ", ".join(f"buf{n}: {t.name}[?]" for n in range(len(arguments)))
    program = f".program batch({buffers}) {{\n  .launch block({LANES}, 1, 1)\n{text}  exit\n}}\n"
    yield Batch(program, [Launch(arguments, checks)])


def _bits_of(value: object, t: DType) -> int:
    return int.from_bytes(encode([value], t).tobytes(), "little")


__all__ = ["conversions", "constants"]
