"""Operations of random tensor programs that put elements elsewhere, count, combine or repeat: by numpy's functions, or
loops over its arrays."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hologram import ops

from .numpy_operations import Proposal, operation
from .numpy_programs import TYPES, is_exact, is_float

if TYPE_CHECKING:
    from .numpy_programs import Maker


def _constant(array: Any) -> Any:
    return ops.constant(array.tolist(), array.dtype.name)


def _is_finite(x: Any) -> bool:
    return not is_float(x) or bool(np.all(np.isfinite(x)))


# Made of nothing


@operation("zeros", "ones", "full", "arange", "eye", "linspace", "constant")
def made(m: Maker, name: str) -> Proposal:
    dtype, rng = m.rng.choice(TYPES), m.rng
    shape = tuple(rng.randint(0, 3) for _ in range(rng.randint(0, 3)))
    match name:
        case "zeros" | "ones":
            return [], {"shape": shape, "dtype": dtype}, getattr(np, name), True
        case "full":
            return [], {"shape": shape, "value": 1, "dtype": dtype}, lambda shape, value, dtype: np.full(
                shape, value, dtype), True  # fmt: skip
        case "arange":
            count = rng.randint(0, 9)
            if dtype == "bool":
                return None
            return [], {"count": count, "dtype": dtype}, lambda count, dtype: np.arange(count, dtype=dtype), True
        case "eye":
            options = {"n": rng.randint(0, 4), "m": rng.randint(0, 4), "k": rng.randint(-3, 3), "dtype": dtype}
            return [], options, lambda n, m, k, dtype: np.eye(n, m, k, dtype), True
        case "linspace":
            options = {"start": 0, "stop": rng.randint(-3, 8), "num": rng.randint(0, 9), "endpoint": rng.random() < 0.5}
            return [], options | {"dtype": "float64"}, lambda **o: np.linspace(**o), False
        case _:
            array = np.ones(shape, dtype)
            # Lists without elements say nothing of the axes behind.
            return ([], {}, lambda: array, True, lambda: _constant(array)) if array.size else None


# Parts


@operation("moveaxis", "diagonal", "trace", "diag", "split", "meshgrid", "one_hot", "permute")
def moved(m: Maker, name: str) -> Proposal:
    rng = m.rng
    n = m.any("iu" if name == "one_hot" else "biuf", least_rank=2 if name in ("diagonal", "trace") else 0)
    if n is None:
        return None
    x = m.array(n)
    match name:
        case "moveaxis":
            if not x.ndim:
                return None
            options = {"source": rng.randrange(-x.ndim, x.ndim), "destination": rng.randrange(-x.ndim, x.ndim)}
            return [n], options, np.moveaxis, True
        case "permute":
            return [n], {"axes": tuple(rng.sample(range(x.ndim), x.ndim))}, lambda x, axes: x.transpose(axes), True
        case "diagonal":
            a, b = rng.sample(range(x.ndim), 2)
            return [n], {"offset": rng.randint(-3, 3), "axis1": a, "axis2": b}, np.diagonal, True
        case "trace":
            if not _is_finite(x) or x.dtype == bool:
                return None
            exact = is_exact(x, max(1, *x.shape))
            return [n], {"offset": rng.randint(-1, 1)}, lambda x, offset: np.trace(x, offset), exact
        case "diag":
            return ([n], {"k": rng.randint(-2, 2)}, lambda x, k: np.diag(x, k), True) if x.ndim in (1, 2) else None
        case "one_hot":

            def wanted(x: Any, n: int) -> Any:
                # Not as a comparison of i64 and u64, which some versions of numpy make by floats.
                return (x[..., None].astype(object) == np.arange(n)).astype(np.float32)

            return [n], {"n": rng.randint(0, 5)}, wanted, True
        case "meshgrid":
            k = m.any("biuf")
            if k is None or x.ndim > 1 or m.array(k).ndim > 1:
                return None
            index, kind = rng.randrange(2), rng.choice(("xy", "ij"))
            return (
                [n, k], {}, lambda a, b: np.meshgrid(a, b, indexing=kind)[index], True,
                lambda a, b: ops.meshgrid(a, b, indexing=kind)[index],
            )  # fmt: skip
        case _:
            axes = [a for a in range(x.ndim) if x.shape[a]]
            if not axes:
                return None
            axis = rng.choice(axes)
            parts = rng.choice([d for d in range(1, x.shape[axis] + 1) if x.shape[axis] % d == 0])
            index = rng.randrange(parts)
            return (
                [n], {}, lambda x: np.split(x, parts, axis)[index], True,
                lambda x: ops.split(x, parts, axis)[index],
            )  # fmt: skip


@operation("pad", often=2)
def padded(m: Maker) -> Proposal:
    n = m.any(least_rank=1)
    if n is None or 0 in m.array(n).shape:
        return None
    mode = m.rng.choice(("edge", "reflect", "symmetric", "wrap"))
    widths = [(m.rng.randint(0, 4), m.rng.randint(0, 4)) for _ in m.array(n).shape]
    return [n], {"widths": widths, "mode": mode}, lambda x, widths, mode: np.pad(x, widths, mode), True


@operation("bitcast")
def bits(m: Maker) -> Proposal:
    n = m.any("iuf", exact=True)
    if n is None or np.any(np.isnan(m.array(n))):
        return None
    dtype = f"{m.rng.choice(('int', 'uint'))}{8 * m.array(n).itemsize}"
    return [n], {"dtype": dtype}, lambda x, dtype: np.ascontiguousarray(x).view(dtype).reshape(x.shape), True


# Windows


@operation("max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d")
def pooled(m: Maker, name: str) -> Proposal:
    count = int(name[-2])
    n = m.any("f" if name.startswith("avg") else "iuf", least_rank=count)
    if n is None:
        return None
    x = m.array(n)
    window = [m.rng.randint(1, 3) for _ in range(count)]
    step, pads = m.rng.randint(1, 3), m.rng.randint(0, min(window) // 2)
    if any(s + 2 * pads < w for s, w in zip(x.shape[-count:], window, strict=True)):
        return None
    if name.startswith("avg") and not _is_finite(x):
        return None
    least = 0 if name.startswith("avg") else -np.inf if is_float(x) else np.iinfo(x.dtype).min
    around = [(0, 0)] * (x.ndim - count) + [(pads, pads)] * count
    axes = tuple(range(-count, 0))

    def wanted(x: Any, **_: Any) -> Any:
        wide = np.pad(x, around, constant_values=least)
        windows = np.lib.stride_tricks.sliding_window_view(wide, window, axes)
        steps = (..., *[slice(None, None, step)] * count, *[slice(None)] * count)
        if name.startswith("max"):
            return windows[steps].max(axes)
        return windows[steps].mean(axes).astype(x.dtype)

    options = {"window": window if count > 1 else window[0], "stride": step, "padding": pads}
    return [n], options, wanted, name.startswith("max")


# Elements at indices


def _indices(m: Maker, size: int, distinct: bool) -> Any:
    count = m.rng.randint(1, 5)
    if distinct:
        return np.array(m.rng.sample(range(size), min(size, count)))
    return np.array([m.rng.randrange(size) for _ in range(count)])


COMBINED = {"scatter_add": np.add, "scatter_min": np.minimum, "scatter_max": np.maximum}


@operation("scatter", *COMBINED)
def scattered(m: Maker, name: str) -> Proposal:
    """Slices of a value, combined with others of its own."""
    n = m.any("iuf", least_rank=1)
    if n is None:
        return None
    x = m.array(n)
    axis = m.rng.randrange(x.ndim)
    if not x.shape[axis]:
        return None
    at = _indices(m, x.shape[axis], name == "scatter")
    taken = _indices(m, x.shape[axis], False)
    taken = np.resize(taken, at.shape)
    function = getattr(ops, name)

    def wanted(x: Any) -> Any:
        new = np.take(x, taken, axis)
        moved, given = np.moveaxis(x.copy(), axis, 0), np.moveaxis(new, axis, 0)
        if name == "scatter":
            moved[at] = given
        else:
            COMBINED[name].at(moved, at, given)
        return np.moveaxis(moved, 0, axis)

    def ours(x: Any) -> Any:
        return function(x, _constant(at), ops.gather(x, _constant(taken), axis), axis)

    return [n], {}, wanted, name != "scatter_add" or is_exact(x, len(at) + 1), ours


SEGMENTS = {
    "segment_sum": (np.add, lambda _: 0), "segment_prod": (np.multiply, lambda _: 1),
    "segment_min": (np.minimum, lambda d: np.inf if d.kind == "f" else np.iinfo(d).max),
    "segment_max": (np.maximum, lambda d: -np.inf if d.kind == "f" else np.iinfo(d).min),
}  # fmt: skip


@operation(*SEGMENTS)
def segments(m: Maker, name: str) -> Proposal:
    n = m.any("iuf", least_rank=1)
    if n is None or not m.array(n).shape[0]:
        return None
    x = m.array(n)
    combine, identity = SEGMENTS[name]
    count = m.rng.randint(1, 4)
    ids = np.array([m.rng.randrange(count) for _ in range(x.shape[0])])
    function = getattr(ops, name)

    def wanted(x: Any) -> Any:
        found = np.full((count, *x.shape[1:]), identity(x.dtype), x.dtype)
        combine.at(found, ids, x)
        return found

    if is_float(x) and name == "segment_prod" and not np.all(np.isfinite(x)):
        return None
    exact = (
        name in ("segment_min", "segment_max") or (name == "segment_sum" or not is_float(x)) and is_exact(x, x.shape[0])
    )
    return [n], {}, wanted, exact, lambda x: function(x, _constant(ids), count)


# Counted


@operation("count_nonzero", "bincount", "unique", "nonzero", "histogram")
def counted(m: Maker, name: str) -> Proposal:
    n = m.any("iu" if name == "bincount" else "iuf" if name == "histogram" else "biuf", exact=True)
    if n is None:
        return None
    x, rng = m.array(n), m.rng
    match name:
        case "count_nonzero":
            return [n], {}, np.count_nonzero, True
        case "bincount":
            if not x.size or x.min() < 0 or x.max() > 50:
                return None
            length = int(x.max()) + rng.randint(1, 3)
            return (
                [n],
                {"length": length},
                lambda x, length: np.bincount(x.reshape(-1).astype(int), minlength=length),
                True,
            )
        case "unique":
            size = rng.randint(0, 6)

            def distinct(x: Any, size: int) -> Any:
                found = np.unique(x)
                filler = found[:1] if found.size else np.zeros(1, x.dtype)
                return np.concatenate([found[:size], np.repeat(filler, max(0, size - found.size))])

            return [n], {"size": size}, distinct, True
        case "nonzero":
            if not x.ndim:
                return None
            size, axis = rng.randint(0, 6), rng.randrange(x.ndim)

            def places(x: Any) -> Any:
                found = np.nonzero(x)[axis][:size]
                return np.concatenate([found, np.full(size - found.size, -1)])

            return [n], {}, places, True, lambda x: ops.nonzero(x, size=size, fill_value=-1)[axis]
        case _:
            if np.any(np.isnan(x.astype(float))) or (is_float(x) and x.itemsize == 2):
                return None
            bins, part = rng.choice((1, 2, 4, 8)), rng.randrange(2)
            return (
                [n], {}, lambda x: _bins(x, bins)[part], True,
                lambda x: ops.histogram(x, bins, (-4.0, 4.0))[part],
            )  # fmt: skip


def _bins(x: Any, bins: int) -> Any:
    """Counts, and edges in the type in which the elements are counted."""
    counts, edges = np.histogram(x, bins, (-4.0, 4.0))
    return counts, edges.astype(x.dtype if is_float(x) else np.float64)


# In order


@operation("median", "quantile", "topk")
def ordered(m: Maker, name: str) -> Proposal:
    n = m.any("iuf", exact=name == "topk", least_rank=1)
    if n is None:
        return None
    x, rng = m.array(n), m.rng
    axis = rng.randrange(-x.ndim, x.ndim)
    if name == "topk":
        count, largest, part = rng.randint(0, x.shape[axis]), rng.random() < 0.5, rng.randrange(2)
        return (
            [n], {}, lambda x: _greatest(x, count, axis, largest)[part], True,
            lambda x: ops.topk(x, count, axis, largest)[part],
        )  # fmt: skip
    if not x.size or not _is_finite(x) or x.dtype.kind in "iu" and np.any(np.abs(x.astype(float)) > 2**20):
        return None
    if name == "median":
        return [n], {"axis": axis}, lambda x, axis: np.median(x, axis), False
    return [n], {"q": rng.choice((0.0, 0.25, 0.3, 0.5, 1.0)), "axis": axis}, _quantile, False


def _quantile(x: Any, q: float, axis: int) -> Any:
    """numpy's, of integers as f64: it subtracts those of 16 bits in 16 bits, which wraps."""
    return np.quantile(x if x.dtype.kind == "f" else x.astype(np.float64), q, axis)


def _greatest(x: Any, count: int, axis: int, largest: bool) -> tuple[Any, Any]:
    ranks = np.searchsorted(np.unique(x), x)
    order = np.argsort(-ranks if largest else ranks, axis, kind="stable")
    order = np.take(order, range(count), axis)
    return np.take_along_axis(x, order, axis), order


# Loops and choices


@operation("fori_loop", "while_loop", "cond", "switch", "scan", often=2)
def repeated(m: Maker, name: str) -> Proposal:
    rng = m.rng
    n = m.any("iuf", least_rank=1 if name == "scan" else 0)
    if n is None:
        return None
    x, count = m.array(n), rng.randint(0, 4)
    if name in ("fori_loop", "while_loop"):
        return [n], {}, lambda x: _added(x, count), is_exact(x, 8), _loop(name, count)
    if name == "scan":
        exact = is_exact(x, max(1, x.shape[0]))
        if is_float(x) and not exact:
            return None
        back = rng.random() < 0.5
        return [n], {}, lambda x: _running(x, back), exact, lambda x: _scan(x, back)
    p = m.any("b")
    if p is None:
        return None
    if name == "cond":
        return (
            [p, n], {}, lambda p, x: x + x if p.any() else np.maximum(x, np.asarray(2, x.dtype)), is_exact(x, 2),
            lambda p, x: ops.cond(ops.any(p), lambda v: v + v, lambda v: ops.maximum(v, 2), x),
        )  # fmt: skip
    return (
        [p, n], {}, lambda p, x: [x, x * np.asarray(2, x.dtype), -x][min(np.count_nonzero(p), 2)], is_exact(x, 2),
        lambda p, x: ops.switch(ops.count_nonzero(p), [lambda v: v, lambda v: v * 2, lambda v: -v], x),
    )  # fmt: skip


def _added(x: Any, count: int) -> Any:
    """The least of 5 and the sum so far, a number of times."""
    found = x
    for _ in range(count):
        found = np.minimum(found + x, np.asarray(5, x.dtype))
    return found


def _loop(name: str, count: int) -> Any:
    if name == "fori_loop":
        return lambda x: ops.fori_loop(0, count, lambda _, c: ops.minimum(c + x, 5), x)
    return lambda x: ops.while_loop(
        lambda c: ops.less(c[0], count), lambda c: (c[0] + 1, ops.minimum(c[1] + x, 5)), (ops.constant(0, "i64"), x)
    )[1]


def _running(x: Any, back: bool) -> Any:
    rows = x[::-1] if back else x
    found = np.cumsum(rows, 0, dtype=x.dtype)
    return found[::-1] if back else found


def _scan(x: Any, back: bool) -> Any:
    first = ops.zeros(x.shape[1:], x.dtype)
    return ops.scan(lambda c, row: (c + row, c + row), first, x, reverse=back)[1]
