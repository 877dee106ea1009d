"""Batches of named array-level operations: a function for each type runs them one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from conformance.batch import Batch, Cell, Check, Launch, each
from conformance.exact import Exactly, greatest, number
from conformance.memory import same_bytes
from conformance.scalars import DECLARED, judge
from conformance.values import Array, blank, decode, encode, rows
from conformance.windows import reduction
from hologram.dialects.atlas.types import BOOL, DTYPES, NUMBERS, DType
from interpreter.running import wrap

I64 = DTYPES["i64"]
NAMES: dict[str, frozenset[str]] = {
    "parallel_map": NUMBERS, "parallel_map_binary": NUMBERS, "parallel_reduce": NUMBERS, "scan": NUMBERS,
    "argmin": NUMBERS, "argmax": NUMBERS,
    **dict.fromkeys(("fill", "copy", "transpose", "gather", "scatter"), NUMBERS | BOOL),
}  # fmt: skip
"""The operations and the types that they are run on."""
COUNT = 128


class Function:
    """Collects operations over memrefs and what they must give."""

    def __init__(self, t: DType):
        self.type = t
        self.parameters: list[str] = []
        self.arguments: list[Any] = []
        self.lines: list[str] = []
        self.checks: list[Check] = []
        self.indices: dict[str, int] = {}
        """The arguments that hold indices, by operation."""

    def array(self, value: Array, element: DType, shape: str = "?") -> tuple[str, str]:
        """A parameter; gives its name and type."""
        name, type = f"%a{len(self.arguments)}", f"memref<{shape}{'x' if shape else ''}{element.ir}>"
        sign = f' {{hologram.type = "{element.name}"}}' if element.kind == "unsigned" else ""
        self.parameters.append(f"{name}: {type}{sign}")
        self.arguments.append(value)
        return name, type

    def operation(
        self, head: str, ins: Sequence[tuple[str, str]], out: tuple[str, str], tail: str = ""
    ) -> None:  # fmt: skip
        """`atlas.HEAD ins(...) outs(...) TAIL`."""
        names, types = ", ".join(n for n, _ in ins), ", ".join(t for _, t in ins)
        self.lines.append(f"  atlas.{head} ins({names} : {types}) outs({out[0]} : {out[1]}) {tail}")

    def wants(self, name: str, variant: str, verify: Any) -> None:
        """What the last argument must hold."""
        self.checks.append(Check(Cell(name, variant, (self.type.name,)), len(self.arguments) - 1, verify))

    def text(self) -> str:
        """The module."""
        return f"func.func @main({', '.join(self.parameters)}) {{\n" + "\n".join(self.lines) + "\n  func.return\n}\n"


def arrays(t: DType) -> Iterator[Batch]:
    """The batch of a type, and its traps: a division by zero, and an index past the end."""
    if t.name not in NUMBERS | BOOL:
        return
    given = rows(t, 512)[:: 4 if t.is_float else 2][:COUNT]
    a = decode(encode([r[0] for r in given], t), t)
    b = decode(encode([(r[1] or 1) if t.is_integer else r[1] for r in given], t), t)
    f = Function(t)
    x, y = f.array(encode(a, t), t), f.array(encode(b, t), t)
    _moves(f, x, a)
    if t.name in NUMBERS:
        _maps(f, (x, y), (a, b))
        _folds(f, x, a)
    launches = [Launch(f.arguments, f.checks)]
    if t.is_integer:
        cell = Cell("parallel_map_binary", "div", (t.name,))
        bad = [f.arguments[0], encode([0, *b[1:]], t), *f.arguments[2:]]
        launches.append(Launch(bad, trap=cell, reason="division by zero"))
    for name in ("gather", "scatter"):
        at, bad = f.indices[name], list(f.arguments)
        bad[at] = bad[at].copy()
        bad[at][-1] = len(a)
        launches.append(Launch(bad, trap=Cell(name, types=(t.name,)), reason="out of range"))
    yield Batch(f.text(), launches)


def _maps(f: Function, ins: tuple[tuple[str, str], tuple[str, str]], columns: tuple[list[Any], list[Any]]) -> None:
    t = f.type
    for name, declared in DECLARED.items():
        kinds = list(declared.operands.values())
        if t.name not in declared.types or declared.result != "T" or kinds not in (["T"], ["T", "T"]):
            continue
        if declared.traps is not None and "class" in declared.traps:
            continue
        head = "parallel_map" if len(kinds) == 1 else "parallel_map_binary"
        operands = list(zip(*columns[: len(kinds)], strict=True))
        out = f.array(blank(len(columns[0]), t), t)
        f.operation(f"{head} {name} {t.name}", ins[: len(kinds)], out)
        judges = [judge(name, t, row) for row in operands]
        f.wants(head, name, each(judges, lambda array: decode(array, t), operands))


def _folds(f: Function, x: tuple[str, str], a: list[Any]) -> None:
    t = f.type
    for kind in ("add", "mul", "min", "max"):
        out = f.array(blank(1, t).reshape(blank(1, t).shape[1:]), t, "")
        f.operation("parallel_reduce", [x], out, f"{{kind = #atlas.kind<{kind}>, type = #atlas.dtype<{t.name}>}}")
        f.wants("parallel_reduce", kind, each([reduction(kind, t, a)], lambda array: decode(array[None], t)))
    kind = "max" if t.is_float else "add"
    sums = list(accumulate(a, number(greatest) if t.is_float else lambda p, q: wrap(p + q, t)))
    out = f.array(blank(len(a), t), t)
    tail = f"{{axis = 0 : i64, kind = #atlas.kind<{kind}>, type = #atlas.dtype<{t.name}>}}"
    f.operation("scan", [x], out, tail)
    # What stands before the first number of a scan by max is the identity.
    wanted = [-np.inf if v != v else v for v in sums] if t.is_float else sums
    f.wants("scan", kind, each([Exactly(v) for v in wanted], lambda array: decode(array, t)))
    for name, choose in (("argmin", min), ("argmax", max)):
        numbers = [v for v in a if v == v]
        out = f.array(blank(1, I64).reshape(()), I64, "")
        f.operation(name, [x], out, f"{{axis = 0 : i64, type = #atlas.dtype<{t.name}>}}")
        f.wants(name, "", each([Exactly(a.index(choose(numbers)))], lambda array: decode(array[None], I64)))


def _moves(f: Function, x: tuple[str, str], a: list[Any]) -> None:
    t, count = f.type, len(a)
    data = f.arguments[0]
    constant = {"bool": "true", "float": "1.5"}.get(t.kind, "3")
    f.lines.append(f"  %c = arith.constant {constant}{'' if t.kind == 'bool' else f' : {t.ir}'}")
    f.operation("fill", [("%c", str(t.ir))], f.array(blank(count, t), t))
    value = {"bool": True, "float": 1.5}.get(t.kind, 3)
    f.wants("fill", "", each([Exactly(value)] * count, lambda array: decode(array, t)))
    f.operation("copy", [x], f.array(blank(count, t), t))
    f.wants("copy", "", same_bytes(data))
    limbs = data.shape[1:]
    square = f.array(data.reshape(4, count // 4, *limbs), t, "4x?")
    f.operation(
        "transpose", [square], f.array(blank(count, t).reshape(count // 4, 4, *limbs), t, "?x4"),
        "{permutation = [1 : i64, 0 : i64]}",
    )  # fmt: skip
    f.wants("transpose", "", same_bytes(np.ascontiguousarray(data.reshape(4, count // 4, *limbs).swapaxes(0, 1))))
    places = [n * 37 % count for n in range(0, count, 2)]
    f.indices = {name: len(f.arguments) + n * 2 for n, name in enumerate(("gather", "scatter"))}
    picked = f.array(encode(places, I64), I64)
    f.operation("gather", [x, picked], f.array(blank(len(places), t), t), "{axis = 0 : i64}")
    f.wants("gather", "", same_bytes(data[places]))
    twice = f.array(encode([n // 2 for n in places], I64), I64)
    values = f.array(data[places], t)
    f.operation("scatter", [x, twice, values], f.array(blank(count, t), t), "{axis = 0 : i64}")
    scattered = data.copy()
    for n, place in enumerate(places):
        scattered[place // 2] = data[places][n]
    f.wants("scatter", "", same_bytes(scattered))


__all__ = ["NAMES", "arrays"]
