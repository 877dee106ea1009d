"""The rows of kernels/stdlib/shape."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.stdlib.cases import LINES, NUMBERS, Array, Draw, Row

ANY = (*NUMBERS, "bool")
ORDERS = ((0, 2, 1, 3), (3, 1, 0, 2), (0, 1, 2, 3))
NAMES = ("FIRST", "SECOND", "THIRD", "FOURTH")
FOUR = ((1, 1, 1, 1), (0, 2, 3, 4), (2, 3, 0, 2), (2, 3, 4, 5), (3, 1, 70, 9))


def part(on: Draw, outer: int, axis: int, inner: int, length: int, start: int) -> list[Any]:
    return [on.array(outer, axis, inner), on.blank(outer, length, inner), start]


def sliced(on: Draw, outer: int, axis: int, inner: int, length: int, start: int, step: int) -> list[Any]:
    return [*part(on, outer, axis, inner, length, start), step]


def padded(on: Draw, outer: int, axis: int, inner: int, before: int, after: int) -> list[Any]:
    value = {"bool": True}.get(on.dtype, 5)
    return [on.array(outer, axis, inner), on.blank(outer, before + axis + after, inner), before, value]


def in_pads(x: Array, out: Array, before: int, value: Any) -> Array:
    after = out.shape[1] - before - x.shape[1]
    return np.pad(x, ((0, 0), (before, after), (0, 0)), constant_values=value)


def joined(on: Draw, outer: int, m: int, n: int, inner: int) -> list[Any]:
    return [on.array(outer, m, inner), on.array(outer, n, inner), on.blank(outer, m + n, inner)]


def ordered(order: tuple[int, ...]) -> Callable[..., list[Any]]:
    return lambda on, *shape: [on.array(*shape), on.blank(*(shape[a] for a in order))]


def view(on: Draw, *shape: int) -> list[Any]:
    """A view that is transposed, narrowed, and goes backwards."""
    a, b, c, d = shape
    return [on.array(d, b + 2, a, c).transpose(2, 1, 3, 0)[:, 1 : b + 1, ::-1], on.blank(*shape)]


def repeated(on: Draw, *shape: int) -> list[Any]:
    """A view whose first and third axis repeat an element."""
    return [np.broadcast_to(on.array(1, shape[1], 1, shape[3]), shape), on.blank(*shape)]


ROWS = [
    Row("shape/reshape", lambda on, n: [on.array(n), on.blank(n)], lambda x, out: x, LINES, ANY),
    Row("shape/select", lambda on, o, a, i, index: [on.array(o, a, i), on.blank(o, i), index],
        lambda x, out, index: x[:, index], ((0, 1, 3, 0), (1, 1, 1, 0), (3, 5, 7, 4), (70, 3, 9, 1), (9, 2, 1, 1)), ANY,
        (1,)),
    Row("shape/narrow", part, lambda x, out, start: x[:, start : start + out.shape[1]],
        ((1, 1, 1, 1, 0), (2, 5, 3, 0, 5), (3, 5, 7, 4, 1), (9, 40, 1, 33, 7), (1, 3, 300, 2, 1)), ANY, (1,)),
    Row("shape/slice", sliced, lambda x, out, start, step: x[:, start + step * np.arange(out.shape[1])],
        ((1, 1, 1, 1, 0, 1), (2, 5, 3, 0, 5, 2), (3, 9, 7, 4, 1, 2), (9, 40, 1, 14, 39, -3), (1, 3, 300, 3, 2, 0)), ANY,
        (1,)),
    Row("shape/pad", padded, in_pads,
        ((0, 1, 2, 1, 1), (1, 1, 1, 0, 0), (2, 0, 3, 1, 2), (3, 5, 7, 2, 0), (9, 4, 1, 0, 30)),
        ANY, (1,)),
    Row("shape/concat", joined, lambda a, b, out: np.concatenate((a, b), 1),
        ((1, 1, 1, 1), (2, 0, 3, 4), (2, 3, 0, 1), (3, 5, 7, 9), (40, 1, 2, 3)), ANY),
    Row("shape/broadcast", lambda on, o, a, i: [on.array(o, i), on.blank(o, a, i)],
        lambda x, out: np.broadcast_to(x[:, None], out.shape), ((1, 1, 1), (2, 0, 3), (3, 5, 7), (1, 300, 1)), ANY),
    *(
        Row("shape/permute", ordered(order), lambda x, out, order=order: x.transpose(order), FOUR, ANY if n == 1 else
            ("f32",), constants=dict(zip(NAMES, order, strict=True)), label="".join(map(str, order)))
        for n, order in enumerate(ORDERS)
    ),
    Row("shape/contiguous", view, lambda x, out: x, FOUR, ANY),
    Row("shape/contiguous", repeated, lambda x, out: x, FOUR, ("f32",), label="repeated"),
]  # fmt: skip
