"""The decomposition by Householder's reflections: orthogonal columns times an upper triangle."""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import control, math, matrices, memory, reduce
from hologram.frontend.tensors.ops.arrange import number
from hologram.frontend.tensors.ops.linalg.stacks import column, line, row, scaled, stacked, unit
from hologram.frontend.tensors.ops.memory import sliced
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import broadcast, operation, settled, trace, typed

MODES = ("reduced", "complete", "r")


@operation
def qr(a: Any, mode: str = "reduced") -> Any:
    """q with orthogonal columns of length 1, and r, an upper triangle, with q r = a.

    Of m rows and n columns q has min(m, n) columns and r as many rows; with the mode "complete" both have m. With the
    mode "r" it is r alone, of min(m, n) rows. As in LAPACK, the diagonal of r may be negative. Of a matrix that holds a
    NaN or an infinity all results are NaN.
    """
    if mode not in MODES:
        fault("jit-qr-mode", f"there is no mode {mode!r} of qr", f"the modes are {', '.join(MODES)}")
    stack = stacked(a)
    kept = stack.rows if mode == "complete" else least(stack.rows, stack.columns)
    value, power = scaled(memory.swapaxes(stack.value, 1, 2))
    made, scales = reflected(value)
    short = made if mode == "complete" else sliced(made, 2, 0, 1, kept)
    r = matrices.triu(memory.swapaxes(short, 1, 2)) * power
    return (
        stack.given(r)
        if mode == "r"
        else (stack.given(memory.swapaxes(directions(made, scales, kept), 1, 2)), stack.given(r))
    )


def least(a: Size, b: Size) -> Size:
    """The less of two sizes."""
    facts = trace().facts
    return facts.settled(a if facts.holds(a, "<=", b) else b)


def reflected(a: Any) -> tuple[Any, Any]:
    """What reflections make of a stack of transposed matrices, whose rows are columns here.

    It is r, transposed, and right of its diagonal the vectors that the reflections are made by, whose first elements
    are 1; and the scales of the reflections. Sums go along rows, which is where their elements are together.
    """
    count, columns, rows = settled(a)
    steps = least(rows, columns)
    down, across, each = line(rows), line(columns), line(steps)

    def step(k: Any, carried: Any) -> Any:
        a, scales = carried
        below, top = math.where(down > k, a[:, k], 0), a[:, :, k]
        products = reduce.sum(row(below) * a, 2)
        head, rest = top[:, k], products[:, k]
        is_done = math.equal(rest, 0)
        length = math.sqrt(head * head + rest)
        end = math.where(is_done, head, math.where(head > 0, -length, length))
        factor = math.where(is_done, 0, 1 / (head - end))
        scale = math.where(is_done, 0, (end - head) / end)
        vector = math.where(math.equal(down, k), 1, below * column(factor))
        less = column(scale) * (top + products * column(factor))
        changed = a - column(less) * row(vector)
        own = math.where(down > k, vector, math.where(math.equal(down, k), column(end), a[:, k]))
        a = math.where(column(math.equal(across, k)), row(own), math.where(column(across > k), changed, a))
        return a, math.where(math.equal(each, k), column(scale), scales)

    return control.fori_loop(0, number(steps), step, (a, broadcast(typed(0, a.dtype), (count, steps))))


def directions(made: Any, scales: Any, kept: Size) -> Any:
    """The first columns, as rows, of the matrices that the reflections make together, applied from the last to the
    first."""
    count, _, rows = settled(made)
    steps, down = scales.along(1), line(rows)
    last = number(steps) - 1

    def step(n: Any, q: Any) -> Any:
        k = last - n
        vector = math.where(down > k, made[:, k], math.equal(down, k))
        less = column(scales[:, k]) * reduce.sum(row(vector) * q, 2)
        return q - column(less) * row(vector)

    return control.fori_loop(0, number(steps), step, broadcast(unit(kept, rows, made.dtype), (count, kept, rows)))
