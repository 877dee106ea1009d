"""Sums of products of tensors by the names of their axes: einsum, and what is a case of it.

Operands are contracted two at a time, by a matrix product where an axis of both is summed over, else by a product of
elements. The next pair is the one whose result is least in comparison with its operands; of equal ones, the one that
takes the fewest products.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, matrices, memory, products, reduce
from hologram.frontend.tensors.ops.memory import reshaped, total
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    brought,
    converted,
    joined,
    listed,
    must_equal,
    named_axes,
    operation,
    settled,
    trace,
    whole,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced

DOTS = "..."


class Named(NamedTuple):
    """A tensor with a name for each of its axes."""

    value: Traced
    names: tuple[str, ...]


# einsum


@operation
def einsum(spec: str, *operands: Any) -> Any:
    """The sum of products that a text says by a letter for each axis: "ij,jk->ik" is the product of two matrices.

    A letter that is not in the result is summed over; one that stands twice in an operand means its diagonal; "..."
    stands for the axes that have no letter. Without an arrow the result has the letters that stand once, in order.
    """
    inputs, result = _read(spec)
    if len(inputs) != len(operands):
        fault("jit-einsum-count", f"'{spec}' takes {len(inputs)} tensors, and is given {len(operands)}")
    values = brought(*operands)
    is_truth = values[0].dtype == "bool"
    values = [trace().tensor(converted(v, "i64") if is_truth else v) for v in values]
    parts = [Named(v, _expanded(names, v)) for names, v in zip(inputs, values, strict=True)]
    wanted = _result(spec, inputs, parts, result)
    parts = _of_equal_sizes([_diagonal(part) for part in parts])
    found = _ordered(_contracted(parts, wanted), wanted)
    return converted(found, "bool") if is_truth else found


def _read(spec: str) -> tuple[list[list[str]], list[str] | None]:
    """The letters and dots of each operand, and of the result if the text says it."""
    text = "".join(spec.split())
    given, arrow, result = text.partition("->")
    parts = [_letters(spec, part) for part in given.split(",")]
    return parts, _letters(spec, result) if arrow else None


def _letters(spec: str, part: str) -> list[str]:
    before, dots, behind = part.partition(DOTS)
    letters = before + behind
    if not (letters == "" or letters.isascii() and letters.isalpha()):
        fault(
            "jit-einsum-text", f"'{spec}' does not name axes: '{part}' is not made of letters and '...'",
            'as in "ij,jk->ik" or "...ij->...ji"',
        )  # fmt: skip
    return [*before, *[DOTS] * bool(dots), *behind]


def _expanded(names: Sequence[str], value: Traced) -> tuple[str, ...]:
    """A name for each axis; those that dots stand for are numbered from the last."""
    unnamed = value.ndim - sum(name != DOTS for name in names)
    if unnamed < 0 or (unnamed and DOTS not in names):
        text = "".join(names)
        fault("jit-einsum-rank", f"'{text}' names {value.ndim - unnamed} axes, and the tensor has {value.ndim}")
    numbers = [str(n) for n in reversed(range(unnamed))]
    return tuple(name for given in names for name in (numbers if given == DOTS else [given]))


def _result(
    spec: str, inputs: Sequence[Sequence[str]], parts: Sequence[Named], result: Sequence[str] | None
) -> tuple[str, ...]:
    """The names of the axes of the result."""
    numbers = sorted({n for part in parts for n in part.names if n.isdigit()}, key=int, reverse=True)
    letters = [name for names in inputs for name in names if name != DOTS]
    if result is None:
        return (*numbers, *sorted(name for name in letters if letters.count(name) == 1))
    wanted = [name for given in result for name in (numbers if given == DOTS else [given])]
    unknown = [name for name in wanted if not name.isdigit() and name not in letters]
    twice = [name for name in wanted if wanted.count(name) > 1]
    lost = bool(numbers) and DOTS not in result
    if unknown or twice or lost:
        why = f"'{unknown[0]}' is in no operand" if unknown else f"'{twice[0]}' is there twice" if twice else "no '...'"
        fault(
            "jit-einsum-result", f"the result of '{spec}' can't be: {why}", "it has letters of the operands, each once"
        )
    return tuple(wanted)


def _diagonal(part: Named) -> Named:
    """A tensor whose axes have names that differ: of equal ones the diagonal."""
    value, names = part
    while twice := [name for name in names if names.count(name) > 1]:
        first, second = [n for n, name in enumerate(names) if name == twice[0]][:2]
        must_equal(value.along(first), value.along(second), f"the axes that '{twice[0]}' names differ in size")
        value = matrices.diagonal(value, 0, first, second)
        names = (*(name for n, name in enumerate(names) if n not in (first, second)), twice[0])
    return Named(value, names)


def _of_equal_sizes(parts: Sequence[Named]) -> list[Named]:
    """The operands without axes of size 1 that go with greater ones."""
    sizes: dict[str, Size] = {}
    for part in parts:
        for n, name in enumerate(part.names):
            size = joined(sizes.get(name, ONE), part.value.along(n))
            if size is None:
                pair = [trace().facts.value(s) for s in (sizes[name], part.value.along(n))]
                axis = f"'{name}'" if name.isalpha() else "'...'"
                fault("jit-einsum-sizes", f"the axes that {axis} names have sizes {pair[0]} and {pair[1]}")
            sizes[name] = size
    full = {name: trace().facts.settled(size) for name, size in sizes.items()}
    return [_without(part, [n for n, s in zip(part.names, settled(part.value), strict=True) if s != full[n]])
            for part in parts]  # fmt: skip


def _without(part: Named, names: Sequence[str]) -> Named:
    kept = [(name, size) for name, size in zip(part.names, settled(part.value), strict=True) if name not in names]
    return Named(reshaped(part.value, tuple(s for _, s in kept)), tuple(n for n, _ in kept))


# Contraction


def _contracted(parts: Sequence[Named], wanted: Sequence[str]) -> Named:
    """The sum of the products of all parts, over the names that are not wanted."""
    left = list(parts)
    while True:
        left = [_summed(p, {*wanted, *(n for q in left if q is not p for n in q.names)}) for p in left]
        if len(left) == 1:
            return left[0]
        one, other = min(combinations(left, 2), key=lambda pair: _growth(*pair, left, wanted))
        rest = [part for part in left if part is not one and part is not other]
        left = [*rest, _product(one, other, _needed(rest, wanted))]


def _needed(parts: Iterable[Named], wanted: Iterable[str]) -> set[str]:
    """The names that are left after a contraction."""
    return {*wanted, *(name for part in parts for name in part.names)}


def _growth(one: Named, other: Named, parts: Sequence[Named], wanted: Sequence[str]) -> tuple[int, int]:
    """By how many elements a contraction's result is greater than its operands, and how many products it takes, in the
    call that is traced."""
    value = trace().facts.value
    sizes = {n: value(s) for p in (one, other) for n, s in zip(p.names, settled(p.value), strict=True)}
    rest = [part for part in parts if part is not one and part is not other]
    result = prod(sizes[name] for name in sizes.keys() & _needed(rest, wanted))
    growth = result - sum(prod(sizes[name] for name in p.names) for p in (one, other))
    return growth, prod(sizes.values())


def _summed(part: Named, needed: set[str]) -> Named:
    """A tensor summed over what nothing else needs, in its own type."""
    axes = [n for n, name in enumerate(part.names) if name not in needed]
    if not axes:
        return part
    value = reduce.sum(part.value, axes, dtype=part.value.dtype)
    return Named(value, tuple(name for name in part.names if name in needed))


def _product(one: Named, other: Named, needed: set[str]) -> Named:
    """The product of two tensors, summed over the names that both have and nothing else needs."""
    both = [name for name in one.names if name in other.names]
    batch, inner = [n for n in both if n in needed], [n for n in both if n not in needed]
    left, right = ([n for n in p.names if n not in both] for p in (one, other))
    names = (*batch, *left, *right)
    if not inner or not (left or right):
        return _summed(_elements(one, other, (*names, *inner)), needed)
    x, y = _ordered(one, (*batch, *left, *inner)), _ordered(other, (*batch, *inner, *right))
    own, its = settled(x), settled(y)
    shared, rows = own[: len(batch)], own[len(batch) : len(batch) + len(left)]
    summed, columns = own[len(batch) + len(left) :], its[len(batch) + len(inner) :]
    product = products.matmul(
        reshaped(x, (*shared, total(rows), total(summed))), reshaped(y, (*shared, total(summed), total(columns)))
    )
    return Named(reshaped(product, (*shared, *rows, *columns)), names)


def _elements(one: Named, other: Named, names: Sequence[str]) -> Named:
    """The products of elements, with axes of these names."""
    values = [reshaped(_ordered(part, [n for n in names if n in part.names]), _spaced(part, names))
              for part in (one, other)]  # fmt: skip
    return Named(math.mul(*values), tuple(names))


def _spaced(part: Named, names: Sequence[str]) -> Sizes:
    """A size for each name: that of the tensor's axis, and 1 where it has none."""
    sizes = dict(zip(part.names, settled(part.value), strict=True))
    return tuple(sizes.get(name, ONE) for name in names)


def _ordered(part: Named, names: Sequence[str]) -> Any:
    """A tensor with its axes in the order of names."""
    return memory.transpose(part.value, [part.names.index(name) for name in names])


# Cases of it


@operation
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum over pairs of axes: the last `axes` of a and as many first ones of b, or those that two lists name. The
    other axes of a come first, then those of b."""
    x, y = (trace().tensor(v) for v in brought(a, b, kind="number"))
    first, second = _pairs(axes, x, y)
    if len(first) != len(second):
        fault("jit-tensordot", f"axes are summed over in pairs, found {len(first)} and {len(second)}")
    own, its = [f"a{n}" for n in range(x.ndim)], [f"b{n}" for n in range(y.ndim)]
    for i, j in zip(first, second, strict=True):
        must_equal(x.along(i), y.along(j), products.INNER)
        its[j] = own[i]
    wanted = [name for name in (*own, *its) if not (name in own and name in its)]
    return _ordered(_contracted([Named(x, tuple(own)), Named(y, tuple(its))], wanted), wanted)


def _pairs(axes: Any, x: Traced, y: Traced) -> tuple[list[int], list[int]]:
    """The axes of two tensors that are summed over."""
    given = listed(axes)
    if given is axes and len(given) == 2:
        return named_axes(given[0], x.ndim), named_axes(given[1], y.ndim)
    count = whole(axes, "the number of axes")
    if not 0 <= count <= min(x.ndim, y.ndim):
        fault("jit-tensordot-count", f"tensors with {x.ndim} and {y.ndim} axes are not summed over {count} of them")
    return list(range(x.ndim - count, x.ndim)), list(range(count))


@operation
def inner(a: Any, b: Any) -> Any:
    """The sums over the last axes of both; the product, where one has no axes."""
    x, y = brought(a, b, kind="number")
    if not x.ndim or not y.ndim:
        return math.mul(x, y)
    return tensordot(x, y, ([-1], [-1]))


@operation
def vdot(a: Any, b: Any) -> Any:
    """The sum of the products of the elements of two tensors of one size, in row-major order."""
    x, y = (memory.reshape(v, -1) for v in brought(a, b, kind="number"))
    return tensordot(x, y, 1)
