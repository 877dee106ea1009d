"""Batches of the general forms `map` and `reduce`, of the collectives, and of the Fourier transform."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from conformance.batch import Batch, each
from conformance.exact import Exactly, Judge, g
from conformance.functions import OPERATIONS, Function, Operand, together
from conformance.memory import same_bytes
from conformance.scalars import DECLARED, judge
from conformance.sums import Near, draw, flat, room, stored, tiny, unit
from conformance.values import Array
from conformance.windows import reduction
from hologram.dialects.atlas.instructions.types import DType


def general(t: DType, wanted: Collection[str] | None = None) -> Iterator[Batch]:
    """The batch of a type, of these operations (else of all)."""
    return together(t, ADDED, wanted)


def _shape(*sizes: int) -> str:
    return "x".join(map(str, sizes))


def _map(f: Function) -> None:
    """Operands transposed and broadcast, two outs of which one is transposed; elements of rank 0; none at all."""
    t = f.type
    name = "add" if t.name in DECLARED["add"].types else "xor" if t.name in DECLARED["xor"].types else ""
    for number, (rows, columns) in enumerate(((5, 3), (1, 1), (0, 2), (33, 17))):
        a, b = draw(t, (columns, rows), "a", number == 0), draw(t, (rows,), "b", number == 0)
        places = list(np.ndindex(rows, columns))
        judges = [judge(name, t, (a[j, i], b[i])) if name else Exactly(a[j, i]) for i, j in places]
        x, y = f.put(a), f.put(b)
        out = f.array(room((rows, columns), t), t, _shape(rows, columns))
        f.wants(f.cell("map"), each(judges, flat(t)))
        turned = f.array(room((columns, rows), t), t, _shape(columns, rows))
        f.wants(f.cell("map"), each([Exactly(b[i]) for _, i in np.ndindex(columns, rows)], flat(t)))
        f.lines.append(
            f"  atlas.map ins({x[0]}, {y[0]} : {x[1]}, {y[1]}) outs({out[0]}, {turned[0]} : {out[1]}, {turned[1]}) "
            "maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, "
            f"affine_map<(d0, d1) -> (d1, d0)>] {{\n  ^bb{len(f.lines)}(%x: {t.ir}, %y: {t.ir}):\n"
            + (f"    %r = atlas.{name} {t.name} %x, %y\n" if name else "")
            + f"    atlas.yield {'%r' if name else '%x'}, %y : {t.ir}, {t.ir}\n  }}"
        )


def _reduce(f: Function) -> None:
    """Two values at once, over two axes of three; one has the other half of the kinds."""
    for number, (sizes, kinds) in enumerate(
        (((5, 3, 7), ("add", "max")), ((2, 1, 1), ("mul", "min")), ((2, 0, 3), ("min.nan", "mul")),
         ((3, 2, 101), ("max.nan", "add")))
    ):  # fmt: skip
        if all(_is_reduced(kind, f.type) for kind in kinds):
            _one_reduce(f, sizes, kinds, edge=number == 0)
    for kind in ("add", "mul"):
        if not _is_reduced("min", f.type):
            _one_reduce(f, (3, 2, 101), (kind, kind), edge=kind == "add")


def _is_reduced(kind: str, t: DType) -> bool:
    return t.name in (OPERATIONS["reduce"].TYPES if kind in ("add", "mul") else DECLARED[kind].types)


def _one_reduce(f: Function, sizes: tuple[int, int, int], kinds: tuple[str, str], *, edge: bool) -> None:
    t = f.type
    values = draw(t, sizes, "reduce", edge)
    x = f.put(values)
    rows = [list(values[:, n, :].reshape(-1)) for n in range(sizes[1])]
    outs: list[Operand] = []
    for kind in kinds:
        outs.append(f.array(room((sizes[1],), t), t, str(sizes[1])))
        f.wants(f.cell("reduce", kind), each([reduction(kind, t, row) for row in rows], flat(t)))
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> ({to})>" for to in ("d0, d1, d2", "d1", "d1"))
    f.lines.append(
        f"  atlas.reduce [{', '.join(f'{kind} {t.name}' for kind in kinds)}] ins({x[0]} : {x[1]}) "
        f"outs({outs[0][0]}, {outs[1][0]} : {outs[0][1]}, {outs[1][1]}) maps [{maps}] {{\n"
        f"  ^bb{len(f.lines)}(%x: {t.ir}):\n    atlas.yield %x, %x : {t.ir}, {t.ir}\n  }}"
    )


# Collectives


def _all_reduce(f: Function) -> None:
    """An all-reduce over the one device of a launch."""
    for kind in ("add", "mul", "min", "max", "min.nan", "max.nan"):
        if _is_reduced(kind, f.type):
            _moved(f, "all_reduce", kind, f"{{kind = #atlas.kind<{kind}>, type = #atlas.dtype<{f.type.name}>}}")


def _all_gather(f: Function) -> None:
    _moved(f, "all_gather", "", "", 1)


def _moved(f: Function, name: str, variant: str, tail: str, *lead: int) -> None:
    for shape in ((7, 3), (1,), (0,)):
        given = stored(draw(f.type, shape, name, True), f.type)
        out = f.array(room((*lead, *shape), f.type), f.type, _shape(*lead, *shape))
        f.wants(f.cell(name, variant), same_bytes(given.reshape(f.arguments[-1].shape)))
        f.operation(name, [f.array(given, f.type, _shape(*shape))], out, tail)


# The Fourier transform


LENGTHS = (1, 2, 3, 8, 12, 17, 30)
"""One; powers; a product; a prime that no radix divides."""


def _fft(f: Function) -> None:
    for number, n in enumerate(LENGTHS):
        for inverse in (0, 1) if n in (3, 8, 17) else (number % 2,):
            x = draw(f.type, (2, n, 2), "fft")
            judges = [judge for row in x for judge in transformed(f.type, row, inverse)]
            cell = f.cell("fft", "inverse" if inverse else "")
            f.judged(cell, [f.put(x)], x.shape, judges, f"{{inverse = {inverse} : i64}}")
    x = draw(f.type, (3, 12, 2), "fft")
    x[0, 3, 0], x[1, 5, 1], x[2, 0, 0] = float("nan"), float("inf"), -float("inf")
    x, kind = f.put(x), f.type
    f.operation("fft", [x], f.array(room((3, 12, 2), kind), kind, _shape(3, 12, 2)))
    f.wants(f.cell("fft"), _never_finite)


def _never_finite(array: Array) -> str | None:
    """Check that a transform of values that are not finite has no finite number, by real and imaginary part."""
    finite = np.isfinite(array.astype(np.float64)).all(axis=-1)
    return f"{finite.sum()} numbers are finite" if finite.any() else None


def transformed(t: DType, row: Any, inverse: int) -> list[Judge]:
    """The judges of a transform, which allow some roundings of the sum of magnitudes, by the number of stages."""
    n = len(row)
    values = [(Fraction(a), Fraction(b)) for a, b in row]
    with g.context(precision=160):
        turns = [(2 if inverse else -2) * g.const_pi() * k / n for k in range(n)]
        roots = [tuple(Fraction(*map(int, v.as_integer_ratio())) for v in (g.cos(w), g.sin(w))) for w in turns]
    scale = Fraction(1, n if inverse else 1)
    size = scale * sum(abs(a) + abs(b) for a, b in values)
    slack = (8 + 4 * n.bit_length()) * unit(t) * size + 4 * tiny(t)
    judges: list[Judge] = []
    for k in range(n):
        terms = [(v, roots[j * k % n]) for j, v in enumerate(values)]
        real = scale * sum((a * c - b * s for (a, b), (c, s) in terms), Fraction(0))
        imaginary = scale * sum((a * s + b * c for (a, b), (c, s) in terms), Fraction(0))
        judges += [Near(t, real, slack), Near(t, imaginary, slack)]
    return judges


ADDED: dict[str, Callable[[Function], None]] = {
    "map": _map, "reduce": _reduce, "all_reduce": _all_reduce, "all_gather": _all_gather, "fft": _fft,
}  # fmt: skip
"""The functions that add an operation's cells under its types to a function of MLIR."""

__all__ = ["ADDED", "general"]
