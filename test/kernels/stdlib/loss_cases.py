"""The rows of kernels/stdlib/loss."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.stdlib.cases import FLOATS, LINES, Array, Draw, Row

CHUNK = 4096
LONG = (*LINES, (3 * CHUNK + 129,))


def wide(dtype: str) -> str:
    """The type that sums are taken in."""
    return "f64" if dtype == "f64" else "f32"


def numbers(on: Draw, n: int) -> list[Any]:
    """Predictions and targets of any sign."""
    return [on.array(n), on.array(n), on.blank(1)]


def special(on: Draw, n: int) -> list[Any]:
    """Edge values among them."""
    return [on.spread(n), on.array(n), on.blank(1)]


def distributions(on: Draw, n: int) -> list[Any]:
    """Probabilities; some targets are 0 where the prediction is 0."""
    pred, target = on.uniform(0.01, 1, n), on.uniform(0, 1, n)
    target[::5] = 0
    pred[::10] = 0
    return [pred, target, on.blank(1)]


def certain(on: Draw, n: int) -> list[Any]:
    """Probabilities, and targets that are 0 or 1; some predictions are as certain, and right."""
    pred, target = on.uniform(0.01, 0.99, n), on.array(n)
    target[:] = target > 0
    pred[::3] = target[::3]
    return [pred, target, on.blank(1)]


def wrong(on: Draw, n: int) -> list[Any]:
    """A prediction that is certain, and wrong."""
    pred, target = on.uniform(0.01, 0.99, n), on.uniform(0, 1, n)
    pred[-1:], target[-1:] = 0, 1
    return [pred, target, on.blank(1)]


def logits(on: Draw, n: int) -> list[Any]:
    """Logits, also large ones."""
    pred = on.array(n)
    pred[::7] = 80
    pred[1::7] = -80
    return [pred, on.uniform(0, 1, n), on.blank(1)]


def squares(pred: Array, target: Array) -> Array:
    return (pred - target) ** 2


def weighted(weight: Array, logarithm: Array) -> Array:
    return np.where(weight == 0, weight, weight * logarithm)


def distribution(pred: Array, target: Array) -> Array:
    return -weighted(target, np.log(pred))


def probability(pred: Array, target: Array) -> Array:
    return -(weighted(target, np.log(pred)) + weighted(1 - target, np.log1p(-pred)))


def logit(pred: Array, target: Array) -> Array:
    return np.logaddexp(0, pred) - pred * target


def mean(terms: Callable[..., Array]) -> Callable[..., Array]:
    """The mean of the terms; NaN if there are none."""
    return lambda p, t, *_: np.array([np.sum(terms(p, t)) / np.float64(len(p))])


def total(terms: Callable[..., Array]) -> Callable[..., Array]:
    """The sum of the terms; -0 if there are none."""
    return lambda p, t, *_: np.array([np.sum(terms(p, t)) if len(p) else -0.0])


def by_chunk(terms: Callable[..., Array]) -> Callable[..., Array]:
    """The sums of chunks."""
    return lambda p, t, *_: np.array([np.sum(terms(p, t)[k : k + CHUNK]) for k in range(0, len(p), CHUNK)])


def chunked(arguments: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """The arguments, and an array for the sums of chunks."""
    return lambda on, n: [*arguments(on, n)[:2], on.blank((n + CHUNK - 1) // CHUNK, dtype=wide(on.dtype))]


def pair(name: str, arguments: Callable[..., list[Any]], terms: Callable[..., Array], ulps: Any, **more: Any):
    """A loss, and its chunks."""
    file = f"loss/{name}"
    whole = total(terms) if name == "cross_entropy" else mean(terms)
    yield Row(file, arguments, whole, LONG, FLOATS, ulps=ulps, **more)
    yield Row(file, chunked(arguments), by_chunk(terms), LONG, FLOATS, name=f"{name}_chunks", ulps=ulps, **more)


def some_sums(on: Draw, count: int, n: int) -> list[Any]:
    """Sums of chunks, and of how many elements they are."""
    return [on.uniform(0.5, 2, count, dtype=wide(on.dtype)), n, on.blank(1)]


def labelled(on: Draw, rows: int, columns: int) -> list[Any]:
    """Logits and labels."""
    found = on.array(rows, columns)
    found[1::3] = -np.inf
    found[1::3, :1] = 2
    labels = on.random.integers(0, max(columns, 1), rows).astype(np.int32)
    labels[1::3] = 0
    return [found, labels, on.blank(rows)]


def labelled_right(logits: Array, labels: Array, _: Array) -> Array:
    if not logits.shape[0]:
        return np.zeros(0)
    most = logits.max(axis=1, keepdims=True)
    sums = np.log(np.exp(logits - most).sum(axis=1))
    return sums - (np.take_along_axis(logits - most, labels[:, None].astype(np.int64), 1)[:, 0])


SUMS = {"f32": 24.0, "f64": 24.0, "f16": 1.0, "bf16": 1.0}
ROWS = [
    *pair("mse", numbers, squares, SUMS),
    Row("loss/mse", special, mean(squares), ((7,), (257,)), FLOATS, label="special", ulps=SUMS),
    *pair("cross_entropy", distributions, distribution, SUMS),
    *pair("binary_cross_entropy", certain, probability, SUMS),
    Row("loss/binary_cross_entropy", wrong, mean(probability), ((1,), (257,)), label="wrong", ulps=SUMS),
    *pair("binary_cross_entropy_logits", logits, logit, SUMS),
    Row(
        "loss/mean_of_chunks", some_sums, lambda sums, n, out: np.array([np.sum(sums) / n]),
        ((1, 5), (3, 12000), (127, 1), (128, 600000), (129, 9), (1000, 7)), FLOATS, ulps=SUMS,
    ),
    Row(
        "loss/cross_entropy_logits", labelled, labelled_right,
        ((0, 5), (1, 1), (3, 7), (4, 128), (2, 257), (2, 4099)), FLOATS, ulps=SUMS, tiny=2e-6,
    ),
]  # fmt: skip
