"""Losses say how far predictions are from what they should be, by the names and formulas of the library's kernels."""

from __future__ import annotations

from typing import Any

from hologram.frontend.tensors.ops import math, memory, reduce
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import extent
from hologram.frontend.tensors.trace.support import brought, must_equal, operation, trace
from hologram.frontend.tensors.trace.trace import Traced


@operation
def mse(pred: Any, target: Any) -> Any:
    """The mean of (pred - target)^2."""
    x, y = _alike(pred, target)
    apart = math.sub(x, y)
    return reduce.mean(math.mul(apart, apart))


@operation
def cross_entropy(pred: Any, target: Any) -> Any:
    """-sum(target ln(pred)) of two distributions; where target is 0 nothing is added, whatever pred is."""
    p, y = _alike(pred, target)
    return reduce.sum(math.neg(_times(y, math.log(p))))


@operation
def binary_cross_entropy(pred: Any, target: Any) -> Any:
    """The mean of -(target ln(pred) + (1 - target) ln(1 - pred)), of probabilities."""
    p, y = _alike(pred, target)
    wrong = _times(math.sub(1.0, y), math.log1p(math.neg(p)))
    return reduce.mean(math.neg(math.add(_times(y, math.log(p)), wrong)))


@operation
def binary_cross_entropy_logits(pred: Any, target: Any) -> Any:
    """The mean of max(pred, 0) - pred target + ln(1 + e^-|pred|): `binary_cross_entropy` of sigmoid(pred)."""
    x, y = _alike(pred, target)
    linear = math.sub(math.maximum(x, 0.0), math.mul(x, y))
    return reduce.mean(math.add(linear, math.log1p(math.exp(math.neg(math.abs(x))))))


@operation
def cross_entropy_logits(logits: Any, labels: Any) -> Any:
    """ln(sum(e^(x - m))) - (x[label] - m) for each row x of logits, m its greatest element; a label that is no column
    traps."""
    (x,) = brought(logits, kind="float")
    places = memory.index_tensor(labels)
    if (x.ndim, places.ndim) != (2, 1):
        fault("jit-labels", f"this takes a matrix and a vector of labels, found {x.ndim} and {places.ndim} axes")
    must_equal(x.along(0), places.along(0), "there are not as many rows as labels")
    rows, columns = (extent(trace(), x.along(n)) for n in (0, 1))
    shifted = math.sub(x, reduce.max(x, 1, True))
    # The first gather traps where a label is no column, which the second one would take for one of another row.
    known = memory.gather(memory.arange(columns), math.cast(places, "i64"))
    flat = math.add(math.mul(memory.arange(rows), columns), known)
    wanted = memory.gather(memory.reshape(shifted, -1), flat)
    return math.sub(math.log(reduce.sum(math.exp(shifted), 1)), wanted)


def _alike(pred: Any, target: Any) -> list[Traced]:
    """Predictions and targets of one shape."""
    x, y = brought(pred, target, kind="float")
    if x.ndim != y.ndim:
        fault("jit-targets", f"predictions have {x.ndim} axes, targets {y.ndim}")
    for axis in range(x.ndim):
        must_equal(x.along(axis), y.along(axis), f"predictions and targets have other sizes along axis {axis}")
    return [x, y]


def _times(weight: Any, logarithm: Any) -> Any:
    """weight * logarithm; a weight of 0 leaves nothing of an infinity."""
    return math.where(math.not_equal(weight, 0.0), math.mul(weight, logarithm), weight)
