"""Layers of neural networks: normalisations, convolution, attention, positions, Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.ops.memory import index_tensor
from hologram.frontend.tensors.trace.literals import integers, real
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    axis_of,
    brought,
    must_equal,
    need_rank,
    numbers_of,
    operation,
    settled,
    tensor,
    trace,
    whole,
)
from hologram.frontend.tensors.trace.trace import Traced


@operation
def layer_norm(x: Any, gamma: Any, beta: Any, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta over the last axes of x, those that gamma and beta have."""
    value, scale, shift = brought(x, gamma, beta, kind="float")
    need_rank(scale, "gamma", *range(1, value.ndim + 1))
    need_rank(shift, "beta", scale.ndim)
    for axis in range(1, scale.ndim + 1):
        for other, name in ((scale, "gamma"), (shift, "beta")):
            must_equal(value.along(value.ndim - axis), other.along(other.ndim - axis), f"x and {name} differ in size")
    return _like("atlas.layer_norm", [value, scale, shift], f"eps = {real(eps)}")


@operation
def rms_norm(x: Any, gamma: Any, eps: float = 1e-5) -> Any:
    """x / sqrt(mean(x^2) + eps) gamma over the last axis."""
    value, scale = brought(x, gamma, kind="float")
    mean = reduce.mean(math.mul(value, value), -1, True)
    return math.mul(math.div(value, math.sqrt(math.add(mean, float(eps)))), scale)


@operation
def batch_norm(x: Any, gamma: Any, beta: Any, mean: Any = None, var: Any = None, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta for each channel, axis 1 of x; mu and v are given, or those of x."""
    given = [v for v in (mean, var) if v is not None]
    if len(given) == 1:
        fault("jit-batch-norm", "batch_norm takes both mean and var, or none of them")
    value, *rest = brought(x, gamma, beta, *given, kind="float")
    _channels(value, rest)
    return _like("atlas.batch_norm", [value, *rest], f"eps = {real(eps)}")


@operation
def group_norm(x: Any, gamma: Any, beta: Any, groups: int, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta, mu and v over groups of channels, axis 1 of x, and the axes behind."""
    value, *rest = brought(x, gamma, beta, kind="float")
    _channels(value, rest)
    parts = whole(groups, "the number of groups")
    channels = trace().facts.number(value.along(1))
    if parts < 1 or channels % parts:
        fault("jit-groups", f"{channels} channels do not make {parts} equal groups")
    return _like("atlas.group_norm", [value, *rest], f"groups = {parts} : i64, eps = {real(eps)}")


def _channels(value: Traced, rest: Sequence[Traced]) -> None:
    need_rank(value, "x", *range(2, 9))
    for other in rest:
        need_rank(other, "what belongs to channels", 1)
        must_equal(value.along(1), other.along(0), "there is one number for each channel")


def _like(name: str, operands: Sequence[Traced], attributes: str) -> Any:
    """An array-level instruction whose result is like its first operand."""
    first = operands[0]
    return trace().add(name, operands, first.dtype, settled(first), attributes=attributes)


@operation
def layer_scale(x: Any, scale: Any) -> Any:
    """x times a factor for each place of its last axis."""
    value, factors = brought(x, scale, kind="number")
    need_rank(factors, "the scale", 1)
    must_equal(
        value.along(axis_of(-1, value.ndim)), factors.along(0), "there is one factor for each place of the last axis"
    )
    return _like("atlas.layer_scale", [value, factors], "")


@operation
def conv2d(
    x: Any, weights: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Images (batch, channels, height, width) convolved by weights (filters, channels / groups, height, width).

    `stride`, `dilation` and `padding` are one number or two; padding may be four: top, left, bottom, right.
    """
    given = [] if bias is None else [bias]
    value, kernel, *rest = brought(x, weights, *given, kind="number")
    need_rank(value, "the images", 4)
    need_rank(kernel, "the weights", 4)
    for shift in rest:
        need_rank(shift, "the bias", 1)
        must_equal(shift.along(0), kernel.along(0), "there is one bias for each filter")
    steps, spread = numbers_of(stride, "a stride", 2, least=1), numbers_of(dilation, "a dilation", 2, least=1)
    pads = numbers_of(padding, "a padding", 2, most=4)
    pads = pads * 2 if len(pads) == 2 else pads
    if (parts := whole(groups, "the number of groups")) < 1:
        fault("jit-conv-groups", f"there is one group at least, and not {parts}", "leave it out for one group")
    facts = trace().facts
    must_equal(value.along(1), kernel.along(1) * Size.of(parts), "images and weights have other numbers of channels")
    sizes = [value.along(0), kernel.along(0)]
    for n in (0, 1):
        reach = Size.of(spread[n] * (facts.number(kernel.along(2 + n)) - 1) + 1)
        free = value.along(2 + n) + Size.of(pads[n] + pads[n + 2]) - reach
        if not facts.holds(free, ">=", Size.of(0)):
            fault("jit-conv-size", "the weights do not fit into the images with their padding")
        sizes.append(free // Size.of(steps[n]) + Size.of(1))
    lists = (("stride", steps), ("padding", pads), ("dilation", spread))
    attributes = ", ".join(f"{name} = {integers(numbers)}" for name, numbers in lists) + f", groups = {parts} : i64"
    return trace().add("atlas.conv2d", [value, kernel, *rest], value.dtype, sizes, attributes=attributes)


@operation
def attention(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False, scale: float | None = None) -> Any:
    """softmax(scale q k^T + mask) v over the last two axes; `scale` is 1 / sqrt(d) by default."""
    return _attend("attention", q, k, v, mask, causal, scale, "")


@operation
def flash_attention(
    q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False, scale: float | None = None, block_size: int = 512
) -> Any:
    """`attention` in memory that does not grow with the scores: so many keys at a time."""
    return _attend(
        "flash_attention", q, k, v, mask, causal, scale, f"block_size = {whole(block_size, 'a block')} : i64"
    )


def _attend(name: str, q: Any, k: Any, v: Any, mask: Any, causal: bool, scale: float | None, more: str) -> Any:
    operands = brought(q, k, v, *([] if mask is None else [mask]), kind="float")
    queries, keys, values = operands[:3]
    rank = queries.ndim
    need_rank(queries, "the queries", *range(2, 9))
    for other, what in ((keys, "the keys"), (values, "the values")):
        need_rank(other, what, rank)
        for axis in range(rank - 2):
            must_equal(queries.along(axis), other.along(axis), f"queries and {what} have other batches")
    must_equal(queries.along(rank - 1), keys.along(rank - 1), "queries and keys have other lengths")
    must_equal(keys.along(rank - 2), values.along(rank - 2), "there are not as many keys as values")
    for added in operands[3:]:
        need_rank(added, "the mask", 2, rank)
        must_equal(added.along(added.ndim - 2), queries.along(rank - 2), "the mask has a row for each query")
        must_equal(added.along(added.ndim - 1), keys.along(rank - 2), "the mask has a column for each key")
    attributes = [more] * bool(more) + ["causal = 1 : i64"] * bool(causal)
    attributes += [] if scale is None else [f"scale = {real(scale)}"]
    sizes = [*settled(queries)[:-1], values.along(rank - 1)]
    return trace().add(f"atlas.{name}", operands, queries.dtype, sizes, attributes=", ".join(attributes))


@operation
def rope(x: Any, freqs: Any, halves: bool = False) -> Any:
    """Rotary positions: pairs of the vectors of x (batch, s, heads, d) turned by the angles freqs (s, d / 2)."""
    value, angles = brought(x, freqs, kind="float")
    need_rank(value, "x", 4)
    need_rank(angles, "freqs", 2)
    must_equal(value.along(1), angles.along(0), "there is a row of angles for each place")
    must_equal(value.along(3), angles.along(1) * Size.of(2), "there is an angle for each pair")
    return _like("atlas.rope", [value, angles], "halves = 1 : i64" if halves else "")


@operation
def kv_cache_update(cache: Any, new: Any, position: Any) -> Any:
    """The cache (..., t, d) with its rows from a position on replaced by new ones (..., s, d)."""
    value, rows = brought(cache, new, kind="number")
    place = index_tensor(position)
    need_rank(value, "the cache", *range(2, 9))
    need_rank(rows, "the new rows", value.ndim)
    need_rank(place, "the position", 0)
    for axis in range(value.ndim):
        if axis != value.ndim - 2:
            must_equal(value.along(axis), rows.along(axis), f"cache and new rows have other sizes along axis {axis}")
    return _like("atlas.kv_cache_update", [value, rows, place], "")


@operation
def fft(x: Any, axis: Any = -2) -> Any:
    """The Fourier transform along the axis before the last, which holds real and imaginary part."""
    return _fft(x, axis, "")


@operation
def ifft(x: Any, axis: Any = -2) -> Any:
    """The inverse Fourier transform: the sum divided by the length."""
    return _fft(x, axis, "inverse = 1 : i64")


def _fft(x: Any, axis: Any, attributes: str) -> Any:
    value = tensor(x)
    need_rank(value, "x", *range(2, 9))
    facts = trace().facts
    last = value.ndim - 1
    if axis_of(axis, value.ndim) != last - 1:
        fault(
            "jit-fft-axis",
            "the transform is along the axis before the last",
            "hologram.ops.swapaxes moves another there",
        )
    if not facts.holds(value.along(last), "==", Size.of(2)):
        fault("jit-fft-complex", "the last axis has size 2: the real and the imaginary part")
    if facts.number(value.along(last - 1)) == 0:
        fault("jit-fft-empty", "a transform has a length of 1 at least")
    return _like("atlas.fft", [value], attributes)
