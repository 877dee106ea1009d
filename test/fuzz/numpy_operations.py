"""The operations of random tensor programs: for each, what it may be applied to, and what numpy computes.

A proposal is the numbers of the operands, the options, numpy's function, whether exact operands give exact results, and
what to call with the operands alone where it is not the operation with these options.
"""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .numpy_programs import is_exact, is_float

if TYPE_CHECKING:
    from .numpy_programs import Maker

Proposal = (
    tuple[list[int], dict[str, Any], Callable[..., Any], bool]
    | tuple[list[int], dict[str, Any], Callable[..., Any], bool, Callable[..., Any]]
    | None
)
OPERATIONS: list[tuple[str, Callable[[Maker], Proposal]]] = []


def operation(*names: str, often: int = 1) -> Callable[[Any], Any]:
    """Add operations; a proposal of several is told which one it makes."""

    def added(propose: Callable[..., Proposal]) -> Callable[..., Proposal]:
        for name in names:
            single = len(names) == 1
            OPERATIONS.extend([(name, propose if single else lambda m, name=name: propose(m, name))] * often)
        return propose

    return added


# Element by element

EXACT = {
    "neg": np.negative, "abs": np.abs, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.round,
    "trunc": np.trunc, "isnan": np.isnan, "isfinite": np.isfinite, "isinf": np.isinf,
}  # fmt: skip
SMOOTH = {"exp": np.exp, "expm1": np.expm1, "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "atan": np.arctan}


@operation(*EXACT)
def exact_function(m: Maker, name: str) -> Proposal:
    kinds = "f" if name in ("isnan", "isfinite", "isinf") else "iuf"
    n = m.any(kinds, exact=name not in ("neg", "abs"))
    return None if n is None else ([n], {}, EXACT[name], True)


@operation(*SMOOTH)
def smooth_function(m: Maker, name: str) -> Proposal:
    n = m.any("f")
    if n is None or np.any(np.abs(m.array(n)) > 8):
        return None
    return [n], {}, SMOOTH[name], False


@operation("invert")
def invert(m: Maker) -> Proposal:
    n = m.any("biu")
    return None if n is None else ([n], {}, np.invert, True)


OF_TWO = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "minimum": np.minimum, "maximum": np.maximum}
COMPARED = {
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal,
}  # fmt: skip
BITS = {
    "bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor, "shift_left": np.left_shift,
    "shift_right": np.right_shift,
}  # fmt: skip


def two(m: Maker, kinds: str = "biuf", exact: bool = False) -> list[int] | None:
    """Two values that broadcast; mostly there are some, of one value both."""
    a, b = m.any(kinds, exact), m.any(kinds, exact)
    if a is None or b is None:
        return None
    try:
        np.broadcast_shapes(m.array(a).shape, m.array(b).shape)
    except ValueError:
        return [a, a]
    return [a, b]


@operation(*OF_TWO, often=2)
def of_two(m: Maker, name: str) -> Proposal:
    pair = two(m)
    if pair is None or name == "sub" and all(m.array(n).dtype == bool for n in pair):
        return None
    return pair, {}, OF_TWO[name], True


@operation(*COMPARED)
def compared(m: Maker, name: str) -> Proposal:
    pair = two(m, exact=True)
    return None if pair is None else (pair, {}, COMPARED[name], True)


@operation(*BITS)
def bits(m: Maker, name: str) -> Proposal:
    pair = two(m, "iu")
    if pair is None or np.result_type(*(m.array(n) for n in pair)).kind == "f":
        return None
    return pair, {}, BITS[name], True


@operation("div", "atan2")
def quotient(m: Maker, name: str) -> Proposal:
    pair = two(m, "f")
    if pair is None or np.any(m.array(pair[1]) == 0) and name == "div":
        return None
    return pair, {}, np.true_divide if name == "div" else np.arctan2, False


@operation("floor_div", "mod")
def divided(m: Maker, name: str) -> Proposal:
    pair = two(m, "iuf", exact=True)
    if pair is None or np.any(m.array(pair[1]) == 0):
        return None
    return pair, {}, np.floor_divide if name == "floor_div" else np.mod, True


@operation("add", "mul", "sub", "equal", "less", "maximum")
def with_literal(m: Maker, name: str) -> Proposal:
    n = m.any("iuf", exact=name in COMPARED)
    if n is None:
        return None
    number = (
        m.rng.choice((0, 1, 2, 3, 0.5, 2.5)) if is_float(m.array(n)) or m.rng.random() < 0.2 else m.rng.randint(0, 9)
    )
    function = (OF_TWO | COMPARED)[name]
    return [n], {"b": number}, lambda a, b: function(a, b), True


@operation("pow")
def power(m: Maker) -> Proposal:
    n = m.any("iuf")
    return None if n is None else ([n], {"b": m.rng.randint(0, 4)}, lambda a, b: a**b, True)


@operation("where", often=3)
def where(m: Maker) -> Proposal:
    condition, pair = m.any("b"), two(m)
    if condition is None or pair is None:
        return None
    try:
        np.broadcast_shapes(*(m.array(n).shape for n in (condition, *pair)))
    except ValueError:
        return None
    return [condition, *pair], {}, np.where, True


@operation("clamp")
def clamp(m: Maker) -> Proposal:
    n = m.any("iuf")
    return None if n is None else ([n], {"low": 1, "high": 5}, lambda x, low, high: np.clip(x, low, high), True)


@operation("cast", often=3)
def cast(m: Maker) -> Proposal:
    from .numpy_programs import TYPES

    n = m.any()
    if n is None:
        return None
    x, dtype = m.array(n), m.rng.choice(TYPES)
    if is_float(x) and not dtype.startswith("float"):
        ends = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        wide = x.astype(np.float64)
        is_inside = np.all(np.isfinite(x)) and np.all((wide >= ends[0]) & (wide <= min(ends[1], 2**31)))
        if not m.program.values[n].exact or not (is_inside or dtype == "bool"):
            return None
    return [n], {"dtype": dtype}, lambda x, dtype: x.astype(dtype), is_float(x) or is_exact(x.astype(dtype))


# Over axes


def _axes(m: Maker, rank: int) -> Any:
    """None, one axis or several."""
    kind = m.rng.randrange(3)
    if kind == 0 or rank == 0:
        return None
    if kind == 1:
        return m.rng.randrange(-rank, rank)
    return tuple(m.rng.sample(range(rank), m.rng.randint(1, rank)))


@operation("sum", "prod", "min", "max", "mean", "var", "std", "any", "all", often=2)
def reduced(m: Maker, name: str) -> Proposal:
    n = m.any(exact=name in ("any", "all"))
    if n is None:
        return None
    x = m.array(n)
    axis = _axes(m, x.ndim)
    count = x.size if axis is None else int(np.prod([x.shape[a] for a in np.atleast_1d(axis)]))
    if count == 0 and name not in ("sum", "prod", "any", "all"):
        return None
    means = name in ("mean", "var", "std")
    if is_float(x) and (name in ("prod",) or means) and not np.all(np.isfinite(x)):
        return None
    if x.dtype.kind in "iu" and means and np.any(np.abs(x.astype(float)) > 2**20):
        return None
    exact = not means and (name != "prod" or not is_float(x)) and (name != "sum" or is_exact(x, max(1, count)))
    options = {"axis": axis} | ({"keepdims": True} if m.rng.random() < 0.3 else {})
    return [n], options, lambda x, **o: getattr(np, name)(x, **o), exact


@operation("argmin", "argmax")
def place(m: Maker, name: str) -> Proposal:
    n = m.any(exact=True)
    if n is None:
        return None
    x = m.array(n)
    axis = m.rng.randrange(-x.ndim, x.ndim) if x.ndim and m.rng.random() < 0.7 else None
    if (x.size if axis is None else x.shape[axis]) == 0:
        return None
    return [n], {"axis": axis}, lambda x, axis: getattr(np, name)(x, axis=axis), True


@operation("cumsum", "cumprod")
def running(m: Maker, name: str) -> Proposal:
    n = m.any()
    if n is None:
        return None
    x = m.array(n)
    if is_float(x) and not (np.all(np.isfinite(x)) and (x.dtype.itemsize > 2)):
        return None
    axis = m.rng.randrange(-x.ndim, x.ndim) if x.ndim else None
    return [n], {"axis": axis}, lambda x, axis: getattr(np, name)(x, axis=axis), not is_float(x)


@operation("sort", "argsort")
def ordered(m: Maker, name: str) -> Proposal:
    n = m.any(exact=True, least_rank=1)
    if n is None:
        return None
    axis = m.rng.randrange(-m.array(n).ndim, m.array(n).ndim)
    return [n], {"axis": axis}, lambda x, axis: getattr(np, name)(x, axis=axis, kind="stable"), True


@operation("searchsorted")
def searched(m: Maker) -> Proposal:
    """Of values in the order that they are in: sorted by the step itself."""
    n = m.any("iuf", exact=True, least_rank=1)
    if n is None or m.array(n).ndim != 1 or np.any(m.array(n)[1:] < m.array(n)[:-1]) or np.any(np.isnan(m.array(n))):
        return None
    k = m.any("iuf", exact=True)
    if k is None or m.array(k).dtype != m.array(n).dtype or np.any(np.isnan(m.array(k))):
        return None
    return [n, k], {"side": m.rng.choice(("left", "right"))}, np.searchsorted, True


# Shapes


@operation("reshape", often=2)
def reshape(m: Maker) -> Proposal:
    n = m.any()
    if n is None:
        return None
    shape: list[int] = []
    rest = m.array(n).size
    while rest > 1 and len(shape) < 4:
        factor = m.rng.choice([d for d in range(1, rest + 1) if rest % d == 0])
        shape.append(factor)
        rest //= factor
    shape = [*shape, rest] if rest != 1 or m.rng.random() < 0.3 else shape
    return [n], {"shape": tuple(shape)}, lambda x, shape: x.reshape(shape), True


@operation("transpose", "expand_dims", "squeeze", "broadcast_to", "flip", "roll", "tile", "repeat", "swapaxes", "copy")
def moved(m: Maker, name: str) -> Proposal:
    n = m.any()
    if n is None:
        return None
    x, rng = m.array(n), m.rng
    axis = rng.randrange(-x.ndim, x.ndim) if x.ndim else None
    match name:
        case "transpose":
            return [n], {"axes": tuple(rng.sample(range(x.ndim), x.ndim))}, lambda x, axes: x.transpose(axes), True
        case "expand_dims":
            return [n], {"axis": rng.randint(-x.ndim - 1, x.ndim)}, np.expand_dims, True
        case "squeeze":
            return [n], {}, np.squeeze, True
        case "broadcast_to":
            own = [rng.choice((0, 2, 3)) if s == 1 and rng.random() < 0.6 else s for s in x.shape]
            shape = (*[rng.choice((1, 2)) for _ in range(rng.randrange(2))], *own)
            return [n], {"shape": shape}, np.broadcast_to, True
        case "flip":
            return [n], {"axis": axis}, lambda x, axis: np.flip(x, axis), True
        case "roll":
            return [n], {"shift": rng.randint(-5, 5), "axis": axis}, np.roll, True
        case "tile":
            return (
                [n],
                {"reps": tuple(rng.randint(0, 2) for _ in range(rng.randint(1, 3)))},
                lambda x, reps: np.tile(x, reps),
                True,
            )
        case "repeat":
            return [n], {"repeats": rng.randint(0, 3), "axis": axis}, np.repeat, True
        case "swapaxes":
            if axis is None:
                return None
            return [n], {"a": axis, "b": rng.randrange(x.ndim)}, lambda x, a, b: np.swapaxes(x, a, b), True
        case _:
            return [n], {}, np.copy, True


@operation("narrow", "select", "tril", "triu", "diff", "pad")
def part(m: Maker, name: str) -> Proposal:
    n = m.any(least_rank=2 if name in ("tril", "triu") else 1)
    if n is None:
        return None
    x, rng = m.array(n), m.rng
    axis = rng.randrange(x.ndim)
    size = x.shape[axis]
    match name:
        case "narrow":
            start = rng.randint(0, size)
            options = {"axis": axis, "start": start, "length": rng.randint(0, size - start)}
            return [n], options, lambda x, axis, start, length: np.take(x, range(start, start + length), axis), True
        case "select":
            if not size:
                return None
            return (
                [n],
                {"axis": axis, "index": rng.randrange(-size, size)},
                lambda x, axis, index: np.take(x, index, axis),
                True,
            )
        case "tril" | "triu":
            return [n], {"k": rng.randint(-2, 2)}, lambda x, k: getattr(np, name)(x, k), True
        case "diff":
            return [n], {"axis": axis}, lambda x, axis: np.diff(x, axis=axis), True
        case _:
            widths = [(rng.randint(0, 2), rng.randint(0, 2)) for _ in x.shape]
            return (
                [n],
                {"widths": widths, "value": 1},
                _padded,
                True,
            )


def _padded(x: Any, widths: Any, value: Any) -> Any:
    return np.pad(x, widths, constant_values=value)


@operation("concat", "stack")
def joined(m: Maker, name: str) -> Proposal:
    pair = two(m)
    if pair is None:
        return None
    a, b = pair if m.array(pair[0]).shape == m.array(pair[1]).shape else (pair[0], pair[0])
    rank = m.array(a).ndim
    if name == "concat" and not rank:
        return None
    numpy = np.concatenate if name == "concat" else np.stack
    axis = m.rng.randrange(rank + (name == "stack"))
    return [a, b], {"axis": axis}, lambda x, y, axis: numpy([x, y], axis), True


@operation("gather")
def gather(m: Maker) -> Proposal:
    n = m.any(least_rank=1)
    if n is None:
        return None
    axis = m.rng.randrange(m.array(n).ndim)
    size = m.array(n).shape[axis]
    places = [
        k for k, v in enumerate(m.program.values)
        if v.array.dtype.kind in "iu" and v.array.size and v.array.min() >= 0 and v.array.max() < size
    ]  # fmt: skip
    if not places:
        return None
    return [n, m.rng.choice(places)], {"axis": axis}, lambda x, i, axis: np.take(x, i, axis), True


# Products


def _is_finite(x: Any) -> bool:
    return not is_float(x) or bool(np.all(np.isfinite(x)))


def is_exact_product(sizes: Any, dtype: Any) -> bool:
    """Return whether sums of products of multiples of 1/8 are exact, whose terms' magnitudes come to `sizes`."""
    return dtype.kind != "f" or bool(np.all(sizes * 64 <= {2: 2**10, 4: 2**23, 8: 2**50}[dtype.itemsize]))


@operation("einsum")
def contracted(m: Maker) -> Proposal:
    a, b = m.any("iuf", least_rank=1), m.any("iuf", least_rank=1)
    if a is None or b is None:
        return None
    x, y = m.array(a), m.array(b)
    if not (_is_finite(x) and _is_finite(y)):
        return None
    letters = "abcdefgh"[: x.ndim]
    second = "".join(m.rng.choice(letters) if m.rng.random() < 0.5 else "pqrstuvw"[n] for n in range(y.ndim))
    known = sorted({*letters, *second})
    kept = m.rng.sample(known, min(len(known), m.rng.randint(0, 3)))
    spec = f"{letters},{second}->{''.join(kept)}"
    try:
        np.einsum(spec, x, y)
    except ValueError:
        return None
    wide = np.einsum(spec, *(np.abs(v.astype(np.float64)) for v in (x, y)))
    exact = is_exact_product(wide, np.result_type(x, y))
    return [a, b], {"spec": spec}, lambda x, y, spec: np.einsum(spec, x, y), exact


@operation("matmul", "outer", "dot", often=2)
def product(m: Maker, name: str) -> Proposal:
    a, b = m.any("iuf", least_rank=1), m.any("iuf", least_rank=1)
    if a is None or b is None:
        return None
    x, y = m.array(a), m.array(b)
    function = {"matmul": np.matmul, "outer": np.outer, "dot": np.dot}[name]
    if (
        name != "matmul"
        and (x.ndim, y.ndim) != (1, 1)
        or any(is_float(v) and not np.all(np.isfinite(v)) for v in (x, y))
    ):
        return None
    try:
        result = function(x, y)
    except ValueError:
        return None
    wide = [np.abs(v.astype(np.float64)) for v in (x, y)]
    exact = is_exact_product(function(*wide), result.dtype)
    return [a, b], {}, function, exact
