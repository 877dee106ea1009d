"""Functions of array-level operations: each operation with its arguments, what it must give, and what must trap."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Judge
from conformance.sums import flat, room, stored
from conformance.values import Array
from hologram.dialects.atlas.arrays.base import ArrayOp
from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.atlas.instructions.types import DType

OPERATIONS: dict[str, type[ArrayOp]] = {
    op.name.removeprefix("atlas."): op for op in Atlas.operations if issubclass(op, ArrayOp)
}
"""The array-level operations that are declared."""

Operand = tuple[str, str]
"""A name and a type."""


@dataclass(frozen=True)
class Case:
    """Ins as arrays of Python's numbers, the shape of the out, and what judges its elements."""

    ins: Sequence[Any]
    shape: Sequence[int]
    judges: Sequence[Judge]


class Function:
    """Collects operations over memrefs and what they must give."""

    def __init__(self, t: DType):
        self.type = t
        self.parameters: list[str] = []
        self.arguments: list[Any] = []
        self.lines: list[str] = []
        self.checks: list[Check] = []
        self.more: list[tuple[dict[int, Any], list[Check]]] = []
        """Further launches: the arguments that differ, and what is wanted then."""
        self.traps: list[tuple[Cell, str, dict[int, Any]]] = []
        """The cells that must trap, the reasons, and the arguments that cause the traps."""

    def cell(self, name: str, variant: str = "", *types: DType) -> Cell:
        """A cell under the function's type, and others after it."""
        return Cell(name, variant, (self.type.name, *(t.name for t in types)))

    def array(self, value: Array, element: DType, shape: str = "?") -> Operand:
        """A parameter; gives its name and type."""
        name, type = f"%a{len(self.arguments)}", f"memref<{shape}{'x' if shape else ''}{element.ir}>"
        sign = f' {{hologram.type = "{element.name}"}}' if element.kind == "unsigned" else ""
        self.parameters.append(f"{name}: {type}{sign}")
        self.arguments.append(value)
        return name, type

    def put(self, values: Any, t: DType | None = None) -> Operand:
        """A parameter that holds Python's numbers, of their shape."""
        t = t or self.type
        return self.array(stored(values, t), t, "x".join(map(str, values.shape)))

    def operation(self, head: str, ins: Sequence[Operand], out: Operand, tail: str = "") -> None:
        """`atlas.HEAD ins(...) outs(...) TAIL`."""
        names, types = ", ".join(n for n, _ in ins), ", ".join(t for _, t in ins)
        self.lines.append(f"  atlas.{head} ins({names} : {types}) outs({out[0]} : {out[1]}) {tail}")

    def wants(self, cell: Cell, verify: Any) -> None:
        """Add a check of the content of the last argument."""
        self.checks.append(Check(cell, len(self.arguments) - 1, verify))

    def judged(
        self, cell: Cell, ins: Sequence[Operand], shape: Sequence[int], judges: Sequence[Judge],
        tail: str = "", t: DType | None = None,
    ) -> None:  # fmt: skip
        """An operation by the cell's name, with an out of a shape and a type, and what judges its elements."""
        t = t or self.type
        self.operation(cell.instruction, ins, self.array(room(shape, t), t, "x".join(map(str, shape))), tail)
        self.wants(cell, each(judges, flat(t)))

    def cases(self, cell: Cell, found: Sequence[Case], tail: str = "", element: Sequence[DType] = ()) -> list[Operand]:
        """An operation on arrays of any sizes, one launch a case; gives its ins. `element` has their types."""
        first, *others = found
        types = element or [self.type] * len(first.ins)
        ins = [
            self.array(stored(v, t), t, "x".join("?" * v.ndim)) for v, t in zip(first.ins, types, strict=True)
        ]  # fmt: skip
        out = len(self.arguments)
        target = self.array(room(first.shape, self.type), self.type, "x".join("?" * len(first.shape)))
        self.operation(cell.instruction, ins, target, tail)
        self.wants(cell, each(first.judges, flat(self.type)))
        for number, case in enumerate(others):
            if number == len(self.more):
                self.more.append(({}, []))
            changed, checks = self.more[number]
            places = (int(name.removeprefix("%a")) for name, _ in ins)
            changed |= {at: stored(v, t) for at, v, t in zip(places, case.ins, types, strict=True)}
            changed[out] = room(case.shape, self.type)
            checks.append(Check(cell, out, each(case.judges, flat(self.type))))
        return ins

    def fixed(self, cell: Cell, found: Sequence[Case], tail: str = "") -> None:
        """An operation for each case, on arrays of its sizes: where the form for any sizes takes long to compile."""
        for case in found:
            self.judged(cell, [self.put(v) for v in case.ins], case.shape, case.judges, tail)

    def trap(self, cell: Cell, reason: str, operand: Operand, value: Any) -> None:
        """A launch with another value of a parameter must trap."""
        self.traps.append((cell, reason, {int(operand[0].removeprefix("%a")): value}))

    def launches(self) -> list[Launch]:
        """The launches that are judged, and those that trap."""

        def arguments(changed: dict[int, Any]) -> list[Any]:
            return [changed.get(n, a) for n, a in enumerate(self.arguments)]

        found = [Launch(arguments(changed), checks) for changed, checks in [({}, self.checks), *self.more]]
        return found + [Launch(arguments(c), trap=cell, reason=reason) for cell, reason, c in self.traps]

    def batch(self, others: Sequence[Launch] = ()) -> Batch:
        """The function as a batch, with launches of it on more sizes."""
        return assembled(self.parameters, self.lines, [*self.launches(), *others])


OUTS, NAMED = re.compile(r"\bouts\(([^:]*):"), re.compile(r"%a\d+\b")


def assembled(parameters: Sequence[str], lines: Sequence[str], launches: Sequence[Launch]) -> Batch:
    """A function of operations, and its launches. A part of it has the operations that write what its cells judge."""
    names = [parameter.partition(":")[0] for parameter in parameters]

    def part(cells: Collection[Cell]) -> Batch:
        judged = {names[check.argument] for launch in launches for check in launch.checks if check.cell in cells}
        outs = [{*NAMED.findall("".join(OUTS.findall(line)))} for line in lines]
        kept = [line for line, written in zip(lines, outs, strict=True) if not written or written & judged]
        named = set(NAMED.findall("\n".join(kept)))
        used = [n for n, name in enumerate(names) if name in named]
        fewer = [_with(launch, cells, used) for launch in launches if not set(launch.cells).isdisjoint(cells)]
        return assembled([parameters[n] for n in used], kept, fewer)

    text = "\n".join([f"func.func @main({', '.join(parameters)}) {{", *lines, "  func.return\n}\n"])
    return Batch(text, [*launches], part)


def _with(launch: Launch, cells: Collection[Cell], used: Sequence[int]) -> Launch:
    """A launch with these arguments alone, for the sake of these cells."""
    checks = [replace(c, argument=used.index(c.argument)) for c in launch.checks if c.cell in cells]
    return replace(launch, arguments=[launch.arguments[n] for n in used], checks=checks)


def together(
    t: DType, added: Mapping[str, Callable[[Function], None]], wanted: Collection[str] | None
) -> Iterator[Batch]:  # fmt: skip
    """One batch of the operations that take a type, of those that are wanted (else of all)."""
    f = Function(t)
    for name, add in added.items():
        if t.name in OPERATIONS[name].TYPES and (wanted is None or name in wanted):
            add(f)
    if f.checks:
        yield f.batch()


__all__ = ["OPERATIONS", "Case", "Function", "Operand", "together"]
