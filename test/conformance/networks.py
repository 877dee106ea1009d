"""Batches of the array-level operations of networks: softmax and norms, attention, rotary positions, the cache."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from conformance.batch import Batch
from conformance.exact import NAN, Exactly, Judge, bound_of, converted, exact_of, g, rounder
from conformance.functions import Case, Function, together
from conformance.memory import same_bytes
from conformance.sums import Near, draw, room, stored, tiny, unit, wide
from conformance.windows import folded
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from interpreter.running import wrap

INF = math.inf


def networks(t: DType, wanted: Collection[str] | None = None) -> Iterator[Batch]:
    """The batch of a type, of these operations (else of all)."""
    return together(t, ADDED, wanted)


def _lines(values: Any, axes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], list[float]]]:
    """The elements over some axes, row-major, for each place of the others."""
    kept = [n for n in range(values.ndim) if n not in axes]
    count = math.prod(values.shape[n] for n in axes)
    moved = values.transpose(*kept, *axes).reshape([values.shape[n] for n in kept] + [count])
    for at in np.ndindex(*moved.shape[:-1]):
        yield at, list(moved[at])


def _written(t: DType, shape: Sequence[int], rows: Sequence[Sequence[float]]) -> Any:
    """An array of a type's numbers: rows of given ones, the rest drawn."""
    values = draw(t, shape, f"{shape}")
    for row, given in zip(values.reshape(math.prod(shape[:-1]), shape[-1]), rows, strict=False):
        row[: len(given)] = given
    return values


SPECIAL = ((NAN, 1.0), (INF, 2.0), (-INF, -0.0, 0.0), (-INF,) * 5, (8192.0, -8192.0), (-0.0,) * 5)
"""Rows of edge values, those of five whole."""


def _given(t: DType, shape: Sequence[int], *, edge: bool) -> Any:
    """Numbers that the type has: f8E4M3FN ends at 448."""
    rows = [[v for v in row if t.name != "f8E4M3FN" or not abs(v) > 448] for row in SPECIAL]
    return _written(t, shape, rows if edge else ())


# Softmax


def _softmax(f: Function) -> None:
    for *shapes, axis in (((7, 5), (3, 1), (2, 0), (2, 131), 1), ((2, 3, 3), (1, 5, 0), 1)):
        cases = [_softmax_case(f.type, shape, axis, edge=shape == (7, 5)) for shape in shapes]
        f.fixed(f.cell("softmax"), cases, f"{{axis = {axis} : i64}}")


def _softmax_case(t: DType, shape: tuple[int, ...], axis: int, *, edge: bool) -> Case:
    x = _given(t, shape, edge=edge)
    found = np.empty(shape, object)
    moved = np.moveaxis(found, axis, -1)
    for at, row in _lines(x, [axis]):
        moved[at] = weights(t, row)
    return Case([x], shape, list(found.reshape(-1)))


def weights(t: DType, row: Sequence[float]) -> list[Judge]:
    """The judges of the softmax of a row: exp within its bound, the sum and the quotient within a rounding a step."""
    work = wide(t)
    top = max(row, default=0.0) if not any(map(math.isnan, row)) else NAN
    less = rounder(work, g.sub)
    moved = [less(v, top) for v in row]
    if any(map(math.isnan, moved)):
        return [Exactly(NAN)] * len(row)
    powers = [exact_fraction("exp", v) for v in moved]
    total = sum(powers, Fraction(0))
    bound = Fraction(bound_of("exp", work))
    # A unit in the last place is two units of roundoff at most. The sum has so many steps on its way.
    steps = 2 * 2 * bound + -(-len(row) // 128) + 8 + 1
    return [Near(t, p / total, p / total * steps * unit(t) * Fraction(101, 100) + 4 * tiny(t)) for p in powers]


def exact_fraction(name: str, *operands: float) -> Fraction:
    """A function's value to many digits, as a fraction."""
    found = exact_of(name, operands)
    numerator, denominator = found.as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


# Normalisations


EPS = 1e-3


def _statistics(work: DType, row: Sequence[float]) -> tuple[float, float]:
    """mu and v, each operation rounded."""
    sub, mul, div = (rounder(work, op) for op in (g.sub, g.mul, g.div))
    count = rounder(work)(float(len(row)))
    mean = div(folded("add", work, row), count)
    squares = [mul(d, d) for d in (sub(v, mean) for v in row)]
    return mean, div(folded("add", work, squares), count)


def _normal(t: DType, x: float, statistics: tuple[float, float], gamma: float, beta: float) -> Judge:
    work = wide(t)
    sub, mul, div, add = (rounder(work, op) for op in (g.sub, g.mul, g.div, g.add))
    root = rounder(work, g.sqrt)(add(statistics[1], rounder(work)(EPS)))
    value = add(mul(div(sub(x, statistics[0]), root), gamma), beta)
    return Exactly(converted(work, t, value))


EPSILON = f"{{eps = {EPS} : f64}}"


def _layer_norm(f: Function) -> None:
    for *shapes, inner in (((7, 5), (3, 1), (0, 4), (2, 131), 1), ((2, 3, 43), 2)):
        f.cases(f.cell("layer_norm"), [_layer_case(f.type, s, inner, edge=s == (7, 5)) for s in shapes], EPSILON)


def _layer_case(t: DType, shape: tuple[int, ...], inner: int, *, edge: bool) -> Case:
    x = _given(t, shape, edge=edge)
    gamma, beta = (draw(t, shape[-inner:], name) for name in ("gamma", "beta"))
    judges: list[Judge] = []
    for _, row in _lines(x, range(len(shape) - inner, len(shape))):
        statistics = _statistics(wide(t), row)
        columns = zip(row, gamma.reshape(-1), beta.reshape(-1), strict=True)
        judges += [_normal(t, v, statistics, a, b) for v, a, b in columns]
    return Case([x, gamma, beta], shape, judges)


def _batch_norm(f: Function) -> None:
    for variant in ("", "inference"):
        shapes = ((3, 2, 5), (4, 3, 1), (1, 1, 1), (0, 2, 3))
        cases = [_batch_case(f.type, s, given=bool(variant), edge=s == (3, 2, 5)) for s in shapes]
        f.cases(f.cell("batch_norm", variant), cases, EPSILON)


def _batch_case(t: DType, shape: tuple[int, ...], *, given: bool, edge: bool) -> Case:
    x = _given(t, shape, edge=edge)
    gamma, beta, mean, variance = (draw(t, shape[1:2], name) for name in ("gamma", "beta", "mean", "v"))
    variance = np.array([abs(v) for v in variance], object)
    axes = [n for n in range(len(shape)) if n != 1]
    found: list[tuple[float, float]] = [(float(mean[n]), float(variance[n])) for n in range(shape[1])]
    if not given:
        found = [_statistics(wide(t), row) for _, row in _lines(x, axes)]
    judges = [_normal(t, x[at], found[int(at[1])], gamma[at[1]], beta[at[1]]) for at in np.ndindex(*shape)]
    return Case([x, gamma, beta, mean, variance] if given else [x, gamma, beta], shape, judges)


def _group_norm(f: Function) -> None:
    """A group norm; a number of channels that is no multiple of the groups traps."""
    cell = f.cell("group_norm")
    shapes = ((2, 6, 5), (3, 2, 1), (0, 4, 3))
    cases = [_group_case(f.type, shape, 2, edge=shape == (2, 6, 5)) for shape in shapes]
    ins = f.cases(cell, cases, f"{{groups = 2 : i64, eps = {EPS} : f64}}")
    first, uneven = int(ins[0][0].removeprefix("%a")), draw(f.type, (1, 3, 2), "traps")
    values = [stored(v, f.type) for v in (uneven, *[uneven[0, :, 0]] * 2)]
    changed: dict[int, Any] = dict(enumerate([*values, room(uneven.shape, f.type)], first))
    f.traps.append((cell, "equal groups", changed))
    f.cases(cell, [_group_case(f.type, (3, 4), 1, edge=False)], f"{{groups = 1 : i64, eps = {EPS} : f64}}")


def _group_case(t: DType, shape: tuple[int, ...], groups: int, *, edge: bool) -> Case:
    x = _given(t, shape, edge=edge)
    gamma, beta = (draw(t, shape[1:2], name) for name in ("gamma", "beta"))
    part = shape[1] // groups
    found = {
        (n, group): _statistics(wide(t), list(x[n, group * part : (group + 1) * part].reshape(-1)))
        for n, group in np.ndindex(shape[0], groups)
    }
    judges = [_normal(t, x[at], found[at[0], at[1] // part], gamma[at[1]], beta[at[1]]) for at in np.ndindex(*shape)]
    return Case([x, gamma, beta], shape, judges)


def _layer_scale(f: Function) -> None:
    shapes = ((3, 5), (2, 3), (1, 1), (4, 0))
    f.cases(f.cell("layer_scale"), [_scale_case(f.type, shape, edge=shape == (3, 5)) for shape in shapes])


def _scale_case(t: DType, shape: tuple[int, ...], *, edge: bool) -> Case:
    x, scale = draw(t, shape, "x", edge), draw(t, shape[-1:], "scale", edge)
    pairs = [(x[at], scale[at[-1]]) for at in np.ndindex(*shape)]
    times = rounder(t, g.mul) if t.is_float else None
    return Case([x, scale], shape, [Exactly(times(a, b) if times else wrap(a * b, t)) for a, b in pairs])


# Attention


def _attention(f: Function) -> None:
    _attend(f, "attention", "")


def _flash_attention(f: Function) -> None:
    _attend(f, "flash_attention", "block_size = 2 : i64")


def _attend(f: Function, name: str, more: str) -> None:
    for variant, cases in ATTENTIONS.items():
        tail = ", ".join(p for p in (more, "causal = 1 : i64" if variant == "causal" else "") if p)
        found = [_attention_case(f.type, sizes, variant) for sizes in cases]
        f.fixed(f.cell(name, variant), found, f"{{{tail}}}")


ATTENTIONS = {
    "": ((2, 3, 5, 4, 3), (1, 1, 1, 1, 1), (1, 2, 0, 2, 3)),
    "causal": ((1, 3, 2, 2, 2),),
    "mask": ((1, 3, 5, 4, 2),),
}
"""Batch, queries, keys, their depth, and that of the values."""


def _attention_case(t: DType, sizes: tuple[int, ...], variant: str) -> Case:
    """A query sees no key where all are masked, or come later."""
    batch, s, keys, d, e = sizes
    q, k, v = (draw(t, (batch, *shape), name) for name, shape in (("q", (s, d)), ("k", (keys, d)), ("v", (keys, e))))
    mask = None
    if variant == "mask":
        mask = draw(t, (s, keys), "mask")
        mask[0, 1], mask[1, :] = -INF, -INF
    judges = [
        judge
        for n, query in np.ndindex(batch, s)
        for judge in _query(t, q[n, query], k[n], v[n], _seen(mask, query, s, keys, variant))
    ]
    return Case([q, k, v] if mask is None else [q, k, v, mask], (batch, s, e), judges)


def _seen(mask: Any, query: int, queries: int, keys: int, variant: str) -> list[float]:
    """The numbers that are added to the scores of a query."""
    if mask is not None:
        return list(mask[query])
    last = query + keys - queries if variant == "causal" else keys
    return [0.0 if key <= last else -INF for key in range(keys)]


def _query(t: DType, q: Any, k: Any, v: Any, mask: Sequence[float]) -> list[Judge]:
    """The judges of the value of a query: the errors of the scores count as they do in their powers."""
    if not len(k):
        return [Exactly(0.0)] * v.shape[-1]
    keys = [n for n, m in enumerate(mask) if m != -INF]
    if not keys:
        return [Exactly(NAN)] * v.shape[-1]
    with g.context(precision=200):
        root = 1 / g.sqrt(g.mpfr(len(q)))
        scale = Fraction(*map(int, root.as_integer_ratio()))
        products = [[Fraction(a) * Fraction(b) for a, b in zip(q, k[n], strict=True)] for n in keys]
        added = [Fraction(mask[n]) for n in keys]
        scores = [scale * sum(p) + m for p, m in zip(products, added, strict=True)]
        sizes = [scale * sum(map(abs, p)) + abs(m) for p, m in zip(products, added, strict=True)]
        top = max(scores)
        powers = [Fraction(*map(int, g.exp(g.mpfr(g.mpq(x - top))).as_integer_ratio())) for x in scores]
    total = sum(powers)
    error = 2 * (len(q) + 4) * unit(t) * max(sizes)
    error += (4 * Fraction(bound_of("exp", wide(t))) + 4 * len(keys) + 8) * unit(t)
    judges: list[Judge] = []
    for column in range(v.shape[-1]):
        terms = [p / total * Fraction(v[n, column]) for p, n in zip(powers, keys, strict=True)]
        judges.append(Near(t, sum(terms, Fraction(0)), 2 * error * sum(map(abs, terms)) + 4 * tiny(t)))
    return judges


# Sequences


def _rope(f: Function) -> None:
    for halves in (0, 1):
        cases = [_rope_case(f.type, shape, halves) for shape in ((2, 3, 2, 6), (1, 1, 1, 2), (1, 0, 2, 4))]
        f.cases(f.cell("rope", "halves" if halves else ""), cases, f"{{halves = {halves} : i64}}")


def _rope_case(t: DType, shape: tuple[int, ...], halves: int) -> Case:
    x, freqs = draw(t, shape, "x"), draw(t, (shape[1], shape[3] // 2), "freqs")
    return Case([x, freqs], shape, [_turned(t, x[at[:-1]], freqs[at[1]], at[-1], halves) for at in np.ndindex(*shape)])


def _turned(t: DType, vector: Any, angles: Any, place: int, halves: int) -> Judge:
    half = len(vector) // 2
    pair, second = (place % half, place >= half) if halves else (place // 2, bool(place % 2))
    a, b = (Fraction(vector[n]) for n in ((pair, pair + half) if halves else (2 * pair, 2 * pair + 1)))
    cos, sin = (exact_fraction(name, float(angles[pair])) for name in ("cos", "sin"))
    terms = (a * sin, b * cos) if second else (a * cos, -b * sin)
    bound = max(Fraction(bound_of(name, wide(t))) for name in ("cos", "sin"))
    slack = sum(map(abs, terms)) * (2 * bound + 2) * unit(t) * Fraction(101, 100) + 4 * tiny(t)
    return Near(t, sum(terms, Fraction(0)), slack)


def _kv_cache_update(f: Function) -> None:
    cell = f.cell("kv_cache_update")
    for shape, count, position in (((2, 7, 3), 2, 4), ((5, 1), 5, 0), ((2, 3, 1), 0, 3)):
        cache, new = draw(f.type, shape, "cache", True), draw(f.type, (*shape[:-2], count, shape[-1]), "new")
        index = DTYPES["i64" if count == 2 else "i32"]
        at = f.put(np.array(position, object), index)
        ins = [f.put(cache), f.put(new), at]
        wanted = stored(cache, f.type)
        wanted[..., position : position + count, :, *[slice(None)] * (wanted.ndim - len(shape))] = stored(new, f.type)
        out = f.array(room(shape, f.type), f.type, "x".join(map(str, shape)))
        f.operation("kv_cache_update", ins, out)
        f.wants(cell, same_bytes(wanted))
        for bad in (-1, shape[-2] - count + 1):
            f.trap(cell, "inside of the cache", at, np.array(bad, index.numpy))


ADDED: dict[str, Callable[[Function], None]] = {
    "softmax": _softmax, "layer_norm": _layer_norm, "batch_norm": _batch_norm, "group_norm": _group_norm,
    "layer_scale": _layer_scale, "attention": _attention, "flash_attention": _flash_attention, "rope": _rope,
    "kv_cache_update": _kv_cache_update,
}  # fmt: skip
"""The functions that add an operation's cells under its types to a function of MLIR."""

__all__ = ["ADDED", "networks"]
