"""Batches of the instructions that compute a register from registers: each lane has a row of operands.

Programs are made from the declared forms. An instruction that may trap has batches of its own, in which a number says
which instruction runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly, Judge, scalar, unknown
from conformance.values import BOOL, LANES, U32, amounts, blank, decode, encode, rows
from hologram import classes
from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.instruction import Instruction, ScalarOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.atlas.lanes.state import NO_CLASS
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.spelling import spell

KINDS = ("T", "u32", "bool")
DECLARED: dict[str, Instruction] = {
    op.INSTRUCTION.name: op.INSTRUCTION for op in Atlas.operations if issubclass(op, ScalarOp)
}
"""The instructions that have a reference function over lanes."""
DIVISION = "integer division by zero"


def is_scalar(form: Form) -> bool:
    """Return whether all operands and results of an instruction are registers of its type, of u32, or predicates."""
    registers = all(f.kind == "register" and f.value in KINDS and not f.times for f in form.fields)
    return registers and (form.name in DECLARED or form.name == "mov")


def traps_of(name: str, t: DType) -> str | None:
    """The reason for which an instruction may trap; floats never do."""
    declared = DECLARED.get(name)
    return declared.traps if declared is not None and not t.is_float else None


@dataclass(frozen=True)
class Written:
    """A cell as a line of assembly."""

    cell: Cell
    form: Form
    mnemonic: str

    @property
    def sources(self) -> list[str]:
        """The kinds of the operands."""
        return [f.value for f in self.form.fields if not f.is_result]

    @property
    def result(self) -> str:
        """The kind of the result."""
        return self.form.fields[0].value


def written(t: DType) -> Iterator[Written]:
    """The scalar instructions of a type, in the order of their declaration."""
    for name, form in FORMS.items():
        if not is_scalar(form) or t.name not in form.types["type"]:
            continue
        for choices in product(*(m.choices for m in form.modifiers)):
            if name == "setcc" and choices[0].endswith("u") and not t.is_integer:
                continue
            yield Written(Cell(name, ".".join(choices), (t.name,)), form, spell(form, choices, [t.name]))


def batches(t: DType, most: int = 4096) -> Iterator[Batch]:
    """The batches of a type, with so many lanes at most."""
    groups: dict[str | None, list[Written]] = {}
    for line in written(t):
        groups.setdefault(traps_of(line.cell.instruction, t), []).append(line)
    for reason, lines in groups.items():
        given = rows(t, most)
        if reason is None:
            yield _plain(t, lines, given)
        elif reason == DIVISION:
            yield _trapping(t, lines, [(a, b or 1, c) for a, b, c in given], _division_traps(given))
        elif reason == NO_CLASS:
            yield _trapping(t, lines, _class_rows(), _class_traps())


# Programs


def registers(t: DType) -> int:
    """The registers that a value takes; predicates are counted apart."""
    return max(1, t.bits // 64)


def _head(t: DType, outs: Sequence[str], scalars: str = "") -> str:
    """The start of a program: the operands' arrays and those of results, the lane's offsets in r0 to r2, the operands
    but the third, which has its registers with the results: so three of 4096 bits fit."""
    parts = [f"buf{n}: {name}[?]" for n, name in enumerate([*[t.name] * 3, "u32", "bool", *outs])]
    return (
        f".program batch({', '.join(parts)}{scalars}) {{\n  .launch block({LANES}, 1, 1)\n"
        "  mov.u64 r0, %gid\n  mov_imm.u64 r2, 4\n  mul.u64 r1, r0, r2\n"
        f"  mov_imm.u64 r2, {t.bytes}\n  mul.u64 r2, r0, r2\n"
        f"  ldg.u32 r3, [buf3 + r1]\n  ldg.bool p0, [buf4 + r0]\n"
        + "".join(f"  ldg.{t.name} {_place(t, n)}, [buf{n} + r2]\n" for n in range(2))
    )


def _place(t: DType, number: int) -> str:
    """The register of an operand of the type."""
    return f"p{1 + number}" if t.kind == "bool" else f"r{4 + number * registers(t)}"


def _lines(t: DType, line: Written, out: int) -> str:
    """Runs an instruction on the operands, and stores the result into an array."""
    text = ""
    if line.sources.count("T") == 3:
        text = f"  ldg.{t.name} {_place(t, 2)}, [buf2 + r2]\n"
    taken = iter(_place(t, n) for n in range(3))
    names = [{"u32": "r3", "bool": "p0"}.get(kind) or next(taken) for kind in line.sources]
    is_bool = line.result == "bool" or t.kind == "bool"
    kind, result, index = ("bool", "p4", "r0") if is_bool else (t.name, _place(t, 2), "r2")
    return f"{text}  {line.mnemonic} {', '.join([result, *names])}\n  stg.{kind} [buf{out} + {index}], {result}\n"


def _columns(t: DType, given: Sequence[tuple[Any, Any, Any]]) -> list[Any]:
    """The operands' arrays."""
    shifts, flags = amounts(len(given), t), [n % 3 == 0 for n in range(len(given))]
    return [*(encode([r[k] for r in given], t) for k in range(3)), encode(shifts, U32), encode(flags, BOOL)]


def _operands(t: DType, line: Written, columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The operands of each lane."""
    taken = iter(decode(columns[n], t) for n in range(3))
    kept = {"u32": decode(columns[3], U32), "bool": decode(columns[4], BOOL)}
    return list(zip(*(kept.get(kind) or next(taken) for kind in line.sources), strict=True))


def _result_type(t: DType, line: Written) -> DType:
    return BOOL if line.result == "bool" else t


def _check(t: DType, line: Written, columns: Sequence[Any], argument: int) -> Check:
    operands = _operands(t, line, columns)
    name = line.mnemonic.partition(".")[0] if line.cell.instruction == "setcc" else line.cell.instruction
    judges = [judge(name, t, row) for row in operands]
    dtype = _result_type(t, line)
    return Check(line.cell, argument, each(judges, lambda array: decode(array, dtype), operands))


def judge(name: str, t: DType, row: tuple[Any, ...]) -> Judge:
    """The judge of a result; a result of an instruction that no table has is never right."""
    found = scalar(name, t, row) or _class_judge(name, row)
    return found or unknown(name)


def _plain(t: DType, lines: Sequence[Written], given: Sequence[tuple[Any, Any, Any]]) -> Batch:
    """All instructions on all rows."""
    outs = [_result_type(t, line) for line in lines]
    text = _head(t, [o.name for o in outs])
    text += "".join(_lines(t, line, 5 + n) for n, line in enumerate(lines)) + "  exit\n}\n"
    columns = _columns(t, given)
    arguments = [*columns, *(blank(len(given), o) for o in outs)]
    checks = [_check(t, line, columns, 5 + n) for n, line in enumerate(lines)]

    def part(cells: Collection[Cell]) -> Batch:
        return _plain(t, [line for line in lines if line.cell in cells], given)

    return Batch(text, [Launch(arguments, checks, len(given) // LANES)], part)


# What traps


Trapping = list[tuple[str, tuple[Any, Any, Any]]]
"""Rows that trap, with what a backend must say of each."""


def _trapping(
    t: DType, lines: Sequence[Written], safe: Sequence[tuple[Any, Any, Any]], bad: Trapping
) -> Batch:  # fmt: skip
    """Instructions of which a scalar chooses one: on rows that do not trap, and on each row that does."""
    outs = [_result_type(t, line) for line in lines]
    text = _head(t, [o.name for o in outs], ", r250: u32")
    for number, line in enumerate(lines):
        text += f"  mov_imm.u32 r251, {number}\n  setne.u32 p5, r250, r251\n  @p5 bra next{number}\n"
        text += _lines(t, line, 5 + number) + f"next{number}:\n"

    def part(cells: Collection[Cell]) -> Batch:
        return _trapping(t, [line for line in lines if line.cell in cells], safe, bad)

    batch = Batch(text + "  exit\n}\n", part=part)
    columns = _columns(t, safe)
    arguments = [*columns, *(blank(len(safe), o) for o in outs)]
    for number, line in enumerate(lines):
        check = _check(t, line, columns, 5 + number)
        batch.launches.append(Launch([*arguments, number], [check], len(safe) // LANES))
    for number, line in enumerate(lines):
        for reason, row in bad:
            at = LANES // 3
            columns = _columns(t, [*safe[:at], row, *safe[at + 1 : LANES]])
            arguments = [*columns, *(blank(LANES, o) for o in outs)]
            batch.launches.append(Launch([*arguments, number], [], 1, line.cell, reason))
    return batch


def _division_traps(given: Sequence[tuple[Any, Any, Any]]) -> Trapping:
    return [("division by zero", (a, 0, c)) for a, _, c in (given[0], given[-1])]


# Classes


def _class_rows() -> list[tuple[int, int, int]]:
    """Every class with neighbours' numbers in and out of range."""
    return [(n % 96, (n * 7 + n // 96) % 9, 0) for n in range(192)]


def _class_traps() -> Trapping:
    return [(NO_CLASS, (c, 0, 0)) for c in (96, (1 << 32) - 1)]


def _class_judge(name: str, row: tuple[Any, ...]) -> Judge | None:
    """The judge by `hologram.classes`, whose graph has tests of its own."""
    c = row[0]
    match name:
        case "mirror":
            return Exactly(classes.mirror(c))
        case "is_unity":
            return Exactly(c in (1, 4))
        case "nbr.count":
            return Exactly(len(classes.neighbours(c)))
        case "nbr.get":
            near = classes.neighbours(c)
            return Exactly(near[row[1]] if row[1] < len(near) else 0)
        case _:
            return None


__all__ = ["DTYPES", "batches", "is_scalar", "written"]
