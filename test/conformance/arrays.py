"""Batches of named array-level operations: a function for each type runs them one after another, on several sizes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from conformance.batch import Batch, Launch, each
from conformance.exact import Exactly, Judge
from conformance.functions import OPERATIONS, Function, Operand
from conformance.memory import same_bytes
from conformance.scalars import DECLARED, judge
from conformance.sums import Near, draw, flat, room, stored, tiny, unit
from conformance.values import Array, blank, decode, encode, rows, some
from conformance.windows import CHOICES, folded, in_order, reduction
from hologram.dialects.atlas.arrays.base import KIND_NAMES
from hologram.dialects.atlas.instructions.types import BOOL, DTYPES, INTEGERS, NUMBERS, DType

I64, I32 = DTYPES["i64"], DTYPES["i32"]
PARTS = {
    **dict.fromkeys(("fill", "copy", "transpose", "gather", "scatter"), "moves"),
    **dict.fromkeys(("parallel_map", "parallel_map_binary"), "maps"),
    **dict.fromkeys(("parallel_reduce", "scan"), "folds"),
    **dict.fromkeys(("argmin", "argmax"), "choices"),
    **dict.fromkeys(("sort", "argsort", "searchsorted"), "orders"),
    "scatter_reduce": "runs",
}
"""The operations, and which run together."""
NAMES = tuple(PARTS)
COUNTS = (128, 37, 1, 0)
"""Elements: many, an odd number, one, none."""
DIVISION = "division by zero"


def arrays(t: DType, wanted: Collection[str] = NAMES) -> Iterator[Batch]:
    """The batch of a type, and its traps: a division by zero, indices past the ends, the least of nothing. Parts that
    have none of the operations that are wanted are left out."""
    first, *others = (_function(t, count, wanted) for count in COUNTS)
    assert all((f.parameters, f.lines) == (first.parameters, first.lines) for f in others)
    if first.checks:
        yield first.batch([Launch(f.arguments, f.checks) for f in others])


def _function(t: DType, count: int, wanted: Collection[str]) -> Function:
    given = rows(t, 512)[:: 4 if t.is_float else 2] if t.name in NUMBERS | BOOL else [(v, v) for v in some(t, 256, "x")]
    a, b = ([row[n] for row in given[:count]] for n in (0, 1))
    b = [v or 1 for v in b] if t.is_integer else b
    a, b = (decode(encode(v, t), t) for v in (a, b))
    f = Function(t)
    x, y = f.array(encode(a, t), t), f.array(encode(b, t), t)
    parts = [PARTS[name] for name in NAMES if name in wanted]
    if "moves" in parts:
        _moves(f, x, a)
    if "maps" in parts and t.name in NUMBERS:
        _maps(f, (x, y), (a, b))
        if t.name in INTEGERS and count:
            f.trap(f.cell("parallel_map_binary", "div"), DIVISION, y, encode([0, *b[1:]], t))
    if "choices" in parts and t.name in NUMBERS:
        _choices(f, count)
    if "orders" in parts and t.name in NUMBERS | BOOL:
        _orders(f, count)
    if "runs" in parts and t.name in NUMBERS:
        _runs(f, count)
    if "folds" in parts:
        _folds(f, x, a)
    return f


def _maps(f: Function, ins: tuple[Operand, Operand], columns: tuple[list[Any], list[Any]]) -> None:
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
        f.wants(f.cell(head, name), each([judge(name, t, row) for row in operands], flat(t), operands))


# Reductions, scans and the places of the least and the greatest


def _folds(f: Function, x: Operand, a: list[Any]) -> None:
    t = f.type
    z, ordinary = x, a
    if t.is_float:
        ordinary = some(t, len(a), "scan")
        z = f.array(encode(ordinary, t), t)
    for kind in KIND_NAMES:
        if not takes("parallel_reduce", kind, t):
            continue
        said = f"kind = #atlas.kind<{kind}>, type = #atlas.dtype<{t.name}>"
        for source, values, variant in ((x, a, kind), (z, ordinary, f"{kind} ordinary"))[: 1 + (z is not x)]:
            out = f.array(blank(1, t).reshape(blank(1, t).shape[1:]), t, "")
            f.operation("parallel_reduce", [source], out, f"{{{said}}}")
            f.wants(f.cell("parallel_reduce", variant), each([reduction(kind, t, values)], flat(t)))
        is_sum = kind in ("add", "mul")
        source, values = (z, ordinary) if is_sum else (x, a)
        for exclusive in (0, 1) if kind in ("add", "min") else (0,):
            out = f.array(blank(len(a), t), t)
            f.operation("scan", [source], out, f"{{axis = 0 : i64, {said}, exclusive = {exclusive} : i64}}")
            variant = f"{kind} exclusive" if exclusive else kind
            f.wants(f.cell("scan", variant), each(_scanned(kind, t, values, exclusive), flat(t)))


def takes(name: str, kind: str, t: DType) -> bool:
    """Return whether a reduction by a kind is defined for a type."""
    return t.name in OPERATIONS[name].TYPES and (kind in ("add", "mul") or t.name in NUMBERS)


def _scanned(kind: str, t: DType, values: list[Any], exclusive: int) -> list[Judge]:
    """Float sums and products are judged within a tolerance, all else to the bit."""
    parts = range(1 - exclusive, len(values) + 1 - exclusive)
    if not t.is_float:
        return [reduction(kind, t, values[:n]) for n in parts]
    if kind in CHOICES:
        return [Exactly(folded(kind, t, values[:n])) for n in parts]
    exact = [Fraction(v) for v in values]
    start = Fraction(kind == "mul")
    totals = list(accumulate(exact, (lambda p, q: p * q) if kind == "mul" else (lambda p, q: p + q), initial=start))
    sizes = list(accumulate(map(abs, exact), initial=start)) if kind == "add" else list(map(abs, totals))
    found: list[Judge] = []
    for n in parts:
        slack = (n + 1) * (unit(t) * sizes[n] + tiny(t)) * Fraction(101, 100)
        found.append(Near(t, totals[n], slack) if n else Exactly(0.0 if kind == "add" else 1.0))
    return found


def _choices(f: Function, count: int) -> None:
    """argmin and argmax along the second of two axes; along an empty one they trap."""
    t = f.type
    length = max(1, count)
    values = draw(t, (3, length), "choices", True)
    values[1, :] = values[1, 0]
    if t.is_float:
        values[2, :] = math.nan
    x = f.array(stored(values, t), t, "3x?")
    for name, choose, index in (("argmin", min, I64), ("argmax", max, I32)):
        places: list[Judge] = []
        for row in values:
            numbers = [v for v in row if v == v]
            places.append(Exactly(list(row).index(choose(numbers)) if numbers else 0))
        out = f.array(blank(3, index), index)
        f.operation(name, [x], out, f"{{axis = 1 : i64, type = #atlas.dtype<{t.name}>}}")
        f.wants(f.cell(name), each(places, flat(index)))
        f.trap(f.cell(name), "no elements", x, stored(np.empty((3, 0), object), t))


def _orders(f: Function, count: int) -> None:
    """sort and argsort along the second of two axes, in both directions, with ties and every special value."""
    t = f.type
    values = draw(t, (3, count), "orders", True)
    values[1, :] = values[1, :1] if count else values[1, :]
    x = f.array(stored(values, t), t, "3x?")
    for variant in ("", "descending"):
        places = [_order(list(row), is_descending=bool(variant)) for row in values]
        wanted = stored(np.array([row[at] for row, at in zip(values, places, strict=True)], object), t)
        tail = f"{{axis = 1 : i64, type = #atlas.dtype<{t.name}>, descending = {int(bool(variant))} : i64}}"
        f.operation("sort", [x], f.array(blank(3 * count, t).reshape(wanted.shape), t, "3x?"), tail)
        f.wants(f.cell("sort", variant), same_bytes(wanted))
        f.operation("argsort", [x], f.array(blank(3 * count, I64).reshape(3, count), I64, "3x?"), tail)
        f.wants(f.cell("argsort", variant), same_bytes(np.array(places, np.int64).reshape(3, count)))
    ordered = values[0][_order(list(values[0]), is_descending=False)]
    among = f.array(stored(ordered, t), t)
    for variant in ("", "right"):
        wanted = [_rank(v, ordered, is_right=bool(variant)) for v in values.ravel()]
        tail = f"{{type = #atlas.dtype<{t.name}>, right = {int(bool(variant))} : i64}}"
        f.operation("searchsorted", [among, x], f.array(blank(3 * count, I64).reshape(3, count), I64, "3x?"), tail)
        f.wants(f.cell("searchsorted", variant), same_bytes(np.array(wanted, np.int64).reshape(3, count)))


def _rank(value: Any, ordered: Any, *, is_right: bool) -> int:
    """How many elements are less than a value, or not greater."""
    if value != value:
        return sum(bool(is_right or v == v) for v in ordered)
    return sum(bool(v < value or is_right and v == value) for v in ordered)


def _order(row: list[Any], *, is_descending: bool) -> list[int]:
    """The places of a row's elements in order by Python's stable sort, NaN as the greatest."""
    keys = [(v != v, v if v == v else 0) for v in row]
    return sorted(range(len(row)), key=keys.__getitem__, reverse=is_descending)


def _runs(f: Function, count: int) -> None:
    """Slices of a few places, which are combined in their order, each time rounded."""
    t = f.type
    values, updates = draw(t, (3, 2), "runs", True), draw(t, (count, 2), "updates", True)
    x, new = f.array(stored(values, t), t, "3x2"), f.array(stored(updates, t), t, "?x2")
    places = [n * n % 3 for n in range(count)]
    at = f.array(encode(places, I64), I64)
    for kind in KIND_NAMES:
        judges: list[Judge] = []
        for row, column in np.ndindex(3, 2):
            coming = [updates[n, column] for n in range(count) if places[n] == row]
            judges.append(in_order(kind, t, [values[row, column], *coming]))
        tail = f"{{axis = 0 : i64, kind = #atlas.kind<{kind}>, type = #atlas.dtype<{t.name}>}}"
        f.operation("scatter_reduce", [x, at, new], f.array(room((3, 2), t), t, "3x2"), tail)
        f.wants(f.cell("scatter_reduce", kind), each(judges, flat(t)))
    if count:
        for bad in (3, -1):
            f.trap(f.cell("scatter_reduce", "add"), "out of range", at, encode([*places[:-1], bad], I64))


# Moves


def _moves(f: Function, x: Operand, a: list[Any]) -> None:
    t, count = f.type, len(a)
    data: Array = f.arguments[0]
    constant = {"bool": "true", "float": "1.5"}.get(t.kind, "3")
    f.lines.append(f"  %c = atlas.mov_imm {constant}{'' if t.kind == 'bool' else f' : {t.ir}'}")
    f.operation("fill", [("%c", str(t.ir))], f.array(blank(count, t), t))
    value = {"bool": True, "float": 1.5}.get(t.kind, 3)
    f.wants(f.cell("fill"), each([Exactly(value)] * count, flat(t)))
    f.operation("copy", [x], f.array(blank(count, t), t))
    f.wants(f.cell("copy"), same_bytes(data))
    square = data[: count // 4 * 4].reshape(4, count // 4, *data.shape[1:])
    turned = np.ascontiguousarray(square.swapaxes(0, 1))
    out = f.array(np.zeros_like(turned), t, "?x4")
    f.wants(f.cell("transpose"), same_bytes(turned))
    f.operation("transpose", [f.array(square.copy(), t, "4x?")], out, "{permutation = [1 : i64, 0 : i64]}")
    places = [n * 37 % count for n in range(0, count, 2)]
    _gather(f, x, data, places)
    _scatter(f, x, data, places)


def _gather(f: Function, x: Operand, data: Array, places: list[int]) -> None:
    t, cell = f.type, f.cell("gather")
    picked = f.array(encode(places, I64), I64)
    f.operation("gather", [x, picked], f.array(blank(len(places), t), t), "{axis = 0 : i64}")
    f.wants(cell, same_bytes(data[places]))
    for bad in (len(data), -1):
        f.trap(cell, "out of range", picked, encode([*places[:-1], bad], I64))


def _scatter(f: Function, x: Operand, data: Array, places: list[int]) -> None:
    """Every place twice: the last element wins."""
    t, cell = f.type, f.cell("scatter")
    values = data[places]
    twice = f.array(encode([n // 2 for n in places], I64), I64)
    f.operation("scatter", [x, twice, f.array(values, t)], f.array(blank(len(data), t), t), "{axis = 0 : i64}")
    wanted = data.copy()
    for place, value in zip(places, values, strict=True):
        wanted[place // 2] = value
    f.wants(cell, same_bytes(wanted))
    for bad in (len(data), -1):
        f.trap(cell, "out of range", twice, encode([*(n // 2 for n in places[:-1]), bad], I64))


__all__ = ["NAMES", "arrays"]
