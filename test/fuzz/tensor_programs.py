"""Random tensor programs for the comparison of the interpreter with compiled code.

Values carry how exactly they are known: `exact` ones must agree to the bit (NaN with NaN), others to a relative error;
an inexact value goes only into operations that keep its error small, so that a disagreement is never mere luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
MAX_OPS = 20
MAX_ELEMENTS = 4000
_CODES = {"f32": "f4", "f64": "f8", "i32": "i4", "i64": "i8", "i1": "?"}
DTYPES: dict[str, np.dtype[Any]] = {name: np.dtype(code) for name, code in _CODES.items()}
FLOATS = ("f32", "f64")
INTEGERS = ("i32", "i64")


class Choices(Protocol):
    """A source of decisions: hypothesis, or a seeded generator."""

    def integer(self, low: int, high: int) -> int: ...


@dataclass(frozen=True)
class Value:
    """A tensor of the program under construction."""

    name: str
    element: str
    shape: tuple[int, ...]
    dynamic: tuple[bool, ...]
    exact: bool = True
    small: bool = False
    """An argument, or moved elements of one: at most 8 in size, so that sums of products lose little."""

    @property
    def type(self) -> str:
        sizes = ["?" if d else str(n) for n, d in zip(self.shape, self.dynamic, strict=True)]
        return "tensor<" + "x".join([*sizes, self.element]) + ">"


@dataclass
class Program:
    """A program under construction; `text` is what was built."""

    choices: Choices
    values: list[Value] = field(default_factory=list[Value])
    lines: list[str] = field(default_factory=list[str])
    arguments: list[Array] = field(default_factory=list[Array])
    results: list[Value] = field(default_factory=list[Value])
    text: str = ""

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.choices.integer(0, len(options) - 1)]

    def some(self, *elements: str, exact: bool = False, rank: int = 0) -> Value | None:
        """A random value of one of the element types, if there is one."""
        fit = [v for v in self.values if v.element in elements and (v.exact or not exact) and len(v.shape) >= rank]
        return self.pick(fit) if fit else None

    def like(self, value: Value, element: str | None = None, *, exact: bool = False) -> Value:
        """Another value of the same shape: the value itself always serves."""
        element = value.element if element is None else element
        fit = [v for v in self.values if v.shape == value.shape and v.element == element and (v.exact or not exact)]
        return self.pick(fit) if fit else value

    def emit(
        self, name: str, operands: Sequence[Value], element: str, shape: Sequence[int], *,
        attributes: str = "", exact: bool = True, small: bool = False, sized: bool = False,
    ) -> Value:  # fmt: skip
        """Appends an operation; `sized` operations take the dynamic sizes of their result as operands."""
        result = f"%v{len(self.values)}_{len(self.lines)}"
        dynamic, sizes = self._sizes(operands, shape, sized)
        value = Value(result, element, tuple(shape), dynamic, exact and all(o.exact for o in operands), small)
        given = f" sizes({', '.join(sizes)})" if sizes else ""
        names = ", ".join(o.name for o in operands)
        types = ", ".join(o.type for o in operands)
        self.lines.append(f"  {result} = hologram.{name} {names}{given}{attributes} : ({types}) -> {value.type}")
        self.values.append(value)
        return value

    def _sizes(
        self, operands: Sequence[Value], shape: Sequence[int], sized: bool
    ) -> tuple[tuple[bool, ...], list[str]]:
        dynamic: list[bool] = []
        sizes: list[str] = []
        for axis, size in enumerate(shape):
            if not sized:
                follows = [o.dynamic[axis] for o in operands if o.shape == tuple(shape)]
                dynamic.append(bool(follows) and all(follows) or self.choices.integer(0, 3) == 0)
                continue
            axes = ((v, i) for v in self.values for i, n in enumerate(v.shape) if n == size and v.dynamic[i])
            source = next(axes, None)
            use = source is not None and self.choices.integer(0, 1) == 1
            dynamic.append(use)
            if use and source is not None:
                index = f"%n{len(self.lines)}_{axis}"
                v, i = source
                self.lines.append(f"  {index} = hologram.dim {v.name} {{axis = {i} : i64}} : {v.type} to index")
                sizes.append(index)
        return tuple(dynamic), sizes


# Operations: each takes the program and appends one, or gives up.

UNARY = ("abs", "neg", "sign", "relu")
UNARY_FLOAT = ("floor", "ceil", "round", "trunc", "sqrt", "reciprocal")
BINARY = ("add", "sub", "mul", "min", "max")


def _unary(p: Program) -> None:
    if (x := p.some(*FLOATS, *INTEGERS, exact=True)) is not None:
        names = UNARY + (UNARY_FLOAT if x.element in FLOATS else ("not",))
        p.emit(p.pick(names), [x], x.element, x.shape)


def _smooth(p: Program) -> None:
    if (x := p.some(*FLOATS)) is not None:
        p.emit("neg", [x], x.element, x.shape)


def _exp(p: Program) -> None:
    if (x := p.some(*FLOATS, exact=True)) is not None:
        p.emit("exp", [x], x.element, x.shape, exact=False)


def _binary(p: Program) -> None:
    if (x := p.some(*FLOATS, *INTEGERS, exact=True)) is not None:
        names = (*BINARY, "div", "rem") if x.element in FLOATS else (*BINARY, "and", "or", "xor", "shl", "shr")
        p.emit(p.pick(names), [x, p.like(x, exact=True)], x.element, x.shape)


def _divide(p: Program) -> None:
    """Integer division, mostly by something that is not zero."""
    if (x := p.some(*INTEGERS)) is None:
        return
    divisor = p.like(x)
    if p.choices.integer(0, 9):
        one = p.emit("sign", [divisor], x.element, x.shape)
        squared = p.emit("mul", [one, one], x.element, x.shape)
        two = p.emit("add", [squared, squared], x.element, x.shape)
        divisor = p.emit("sub", [two, p.emit("not", [two], x.element, x.shape)], x.element, x.shape)
    flag = p.pick(("", "unsigned "))
    p.emit(p.pick(("div", "rem")) + (" unsigned" if flag else ""), [x, divisor], x.element, x.shape)


def _ternary(p: Program) -> None:
    if (x := p.some(*FLOATS, exact=True)) is not None:
        name = p.pick(("fma", "mad", "fms", "clamp", "lerp"))
        p.emit(name, [x, p.like(x, exact=True), p.like(x, exact=True)], x.element, x.shape)


def _compare(p: Program) -> None:
    if (x := p.some(*FLOATS, *INTEGERS, exact=True)) is not None:
        conditions = ("eq", "ne", "lt", "le", "gt", "ge")
        unsigned = ("ltu", "leu", "gtu", "geu") if x.element in INTEGERS else ()
        p.emit(f"compare {p.pick((*conditions, *unsigned))}", [x, p.like(x, exact=True)], "i1", x.shape)


def _logic(p: Program) -> None:
    if (x := p.some("i1")) is not None:
        p.emit(p.pick(("and", "or", "xor")), [x, p.like(x)], "i1", x.shape)


def _select(p: Program) -> None:
    if (c := p.some("i1")) is None:
        return
    fit = [v for v in p.values if v.shape == c.shape]
    if fit:
        a = p.pick(fit)
        p.emit("select", [c, a, p.like(a)], a.element, a.shape)


def _cast(p: Program) -> None:
    if (x := p.some(*DTYPES, exact=True)) is not None:
        p.emit("cast", [x], p.pick(tuple(DTYPES)), x.shape)


def _broadcast(p: Program) -> None:
    x = p.some(*DTYPES)
    if x is None or len(x.shape) >= 5:
        return
    axes = sorted({p.choices.integer(0, len(x.shape)) for _ in range(p.choices.integer(1, 2))})
    shape = list(x.shape)
    for axis in axes:
        shape.insert(axis, p.choices.integer(0, 4))
    kept = [i for i in range(len(shape))]
    for axis in axes:
        kept.remove(axis)
    if len(shape) > 5 or np.prod(shape) > MAX_ELEMENTS:
        return
    placed = _inserted_axes(len(x.shape), axes)
    text = f" {{axes = [{', '.join(f'{a} : i64' for a in placed)}]}}"
    p.emit("broadcast", [x], x.element, shape, attributes=text, small=x.small, sized=True)


def _inserted_axes(rank: int, inserted: Sequence[int]) -> list[int]:
    """The places of the old axes after inserting new ones one after the other."""
    places: list[int | None] = list(range(rank))
    for axis in inserted:
        places.insert(axis, None)
    return [places.index(i) for i in range(rank)]


def _reshape(p: Program) -> None:
    if (x := p.some(*DTYPES)) is None:
        return
    count = int(np.prod(x.shape))
    shape = p.pick(([count], [1, count], [count, 1], [*x.shape, 1], _split(count)))
    if len(shape) <= 5:
        p.emit("reshape", [x], x.element, shape, small=x.small, sized=True)


def _split(count: int) -> list[int]:
    factor = next((f for f in (2, 3, 5) if count and count % f == 0), 1)
    return [count // factor, factor]


def _transpose(p: Program) -> None:
    if (x := p.some(*DTYPES)) is not None:
        order = list(range(len(x.shape)))
        for i in range(len(order) - 1, 0, -1):
            j = p.choices.integer(0, i)
            order[i], order[j] = order[j], order[i]
        text = f" {{permutation = [{', '.join(f'{a} : i64' for a in order)}]}}"
        p.emit("transpose", [x], x.element, [x.shape[a] for a in order], attributes=text, small=x.small)


def _slice(p: Program) -> None:
    if (x := p.some(*DTYPES)) is None:
        return
    starts: list[int] = []
    strides: list[int] = []
    shape: list[int] = []
    for size in x.shape:
        stride = p.pick((1, 2, -1))
        start = p.choices.integer(0, max(size - 1, 0))
        room = 0 if size == 0 else (start // -stride + 1 if stride < 0 else (size - 1 - start) // stride + 1)
        starts.append(start)
        strides.append(stride)
        shape.append(p.choices.integer(0, room))
    texts = [", ".join(f"{v} : i64" for v in group) for group in (starts, strides)]
    text = f" {{starts = [{texts[0]}], strides = [{texts[1]}]}}"
    p.emit("slice", [x], x.element, shape, attributes=text, small=x.small, sized=True)


def _concat(p: Program) -> None:
    if (x := p.some(*DTYPES, rank=1)) is None:
        return
    axis = p.choices.integer(0, len(x.shape) - 1)

    def rest(v: Value) -> tuple[int, ...]:
        return v.shape[:axis] + v.shape[axis + 1 :]

    fit = [v for v in p.values if v.element == x.element and len(v.shape) == len(x.shape) and rest(v) == rest(x)]
    parts = [x, *(p.pick(fit) for _ in range(p.choices.integer(0, 2)))]
    shape = list(x.shape)
    shape[axis] = sum(v.shape[axis] for v in parts)
    if np.prod(shape) <= MAX_ELEMENTS:
        small = all(v.small for v in parts)
        p.emit("concat", parts, x.element, shape, attributes=f" {{axis = {axis} : i64}}", small=small)


def _gather(p: Program) -> None:
    """Indices brought into range by an unsigned remainder, unless there is nothing to take from."""
    x = p.some(*DTYPES, rank=1)
    i = p.some(*INTEGERS)
    if x is None or i is None or 0 in x.shape or len(x.shape) + len(i.shape) > 6:
        return
    axis = p.choices.integer(0, len(x.shape) - 1)
    shape = [*x.shape[:axis], *i.shape, *x.shape[axis + 1 :]]
    if len(shape) > 5 or np.prod(shape) > MAX_ELEMENTS:
        return
    constant = f"%c{len(p.lines)}"
    limit = Value(constant, i.element, i.shape, (False,) * len(i.shape))
    p.lines.append(f"  {constant} = hologram.constant dense<{x.shape[axis]}> : {limit.type}")
    index = p.emit("rem unsigned", [i, limit], i.element, i.shape) if p.choices.integer(0, 19) else i
    p.emit("gather", [x, index], x.element, shape, attributes=f" {{axis = {axis} : i64}}", small=x.small)


def _reduce(p: Program) -> None:
    if (x := p.some(*FLOATS, *INTEGERS, exact=True)) is None:
        return
    axes = [a for a in range(len(x.shape)) if p.choices.integer(0, 1)]
    shape = [n for a, n in enumerate(x.shape) if a not in axes]
    text = f" {{axes = [{', '.join(f'{a} : i64' for a in axes)}]}}"
    kind = p.pick(("sum", "product", "min", "max"))
    flag = " unsigned" if x.element in INTEGERS and p.choices.integer(0, 1) else ""
    p.emit(f"reduce {kind}{flag}", [x], x.element, shape, attributes=text)


def _softmax(p: Program) -> None:
    if (x := p.some(*FLOATS, exact=True, rank=1)) is not None:
        axis = p.choices.integer(0, len(x.shape) - 1)
        p.emit("softmax", [x], x.element, x.shape, attributes=f" {{axis = {axis} : i64}}", exact=False)


def _matmul(p: Program) -> None:
    fit = [v for v in p.values if len(v.shape) >= 2 and v.element != "i1" and (v.small or v.element in INTEGERS)]
    if not fit:
        return
    a = p.pick(fit)
    partners = [
        v for v in fit if v.element == a.element and v.shape[:-2] == a.shape[:-2] and len(v.shape) == len(a.shape)
        and v.shape[-2] == a.shape[-1]
    ]  # fmt: skip
    if partners:
        b = p.pick(partners)
        p.emit("matmul", [a, b], a.element, [*a.shape[:-1], b.shape[-1]], exact=a.element in INTEGERS)


STEPS = (
    _unary, _unary, _binary, _binary, _binary, _ternary, _compare, _logic, _select, _cast, _divide, _smooth, _exp,
    _broadcast, _reshape, _transpose, _slice, _concat, _gather, _reduce, _reduce, _softmax, _matmul,
)  # fmt: skip


def build(choices: Choices) -> Program:
    """A random program with its arguments."""
    p = Program(choices)
    shape_pool: list[tuple[int, ...]] = []
    for _ in range(choices.integer(1, 4)):
        reuse = shape_pool and choices.integer(0, 2)
        shape = p.pick(shape_pool) if reuse else _shape(choices)
        shape_pool.append(shape)
        _argument(p, shape)
    for _ in range(choices.integer(1, MAX_OPS)):
        if len(p.lines) >= MAX_OPS:
            break
        p.pick(STEPS)(p)
    made = p.values[len(p.arguments) :] or p.values
    p.results = [made[-1]]
    if len(made) > 1 and choices.integer(0, 2) == 0:
        p.results.append(p.pick(made[:-1]))
    heads = ", ".join(f"{v.name}: {v.type}" for v in p.values[: len(p.arguments)])
    outs = ", ".join(v.type for v in p.results)
    names = ", ".join(v.name for v in p.results)
    first, last = f"func.func @main({heads}) -> ({outs}) {{", f"  func.return {names} : {outs}"
    p.text = "\n".join([first, *p.lines, last, "}", ""])
    return p


def _shape(choices: Choices) -> tuple[int, ...]:
    rank = choices.integer(0, 5)
    large = (0, 1, 2, 3, 7, 33, 130) if rank <= 2 else (0, 1, 2, 3, 5)
    shape = tuple(large[min(choices.integer(0, 2 * len(large)), len(large) - 1)] for _ in range(rank))
    return shape if np.prod(shape) <= MAX_ELEMENTS else (large[-1],) * min(rank, 1)


def _argument(p: Program, shape: tuple[int, ...]) -> None:
    element = p.pick(tuple(DTYPES))
    dynamic = tuple(bool(p.choices.integer(0, 1)) for _ in shape)
    rng = np.random.default_rng(p.choices.integer(0, 2**16))
    p.arguments.append(data(rng, element, shape, special=p.choices.integer(0, 3) == 0))
    p.values.append(Value(f"%a{len(p.values)}", element, shape, dynamic, small=element in FLOATS))


def data(rng: np.random.Generator, element: str, shape: tuple[int, ...], *, special: bool) -> Array:
    """Random elements; `special` mixes in extremes, infinities and NaN."""
    if element == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if element in INTEGERS:
        info = np.iinfo(DTYPES[element])
        values = rng.integers(-20, 20, shape).astype(DTYPES[element])
        edges = [0, 1, -1, info.min, info.max]
    else:
        values = (rng.integers(-64, 64, shape) / 8).astype(DTYPES[element])
        edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]
    values = np.asarray(values)
    if special and values.size:
        mask = rng.random(shape) < 0.3
        values = np.where(mask, np.asarray(rng.choice(edges, shape)).astype(DTYPES[element]), values)
    return np.ascontiguousarray(values).reshape(shape)


def agree(value: Value, ours: Array, expected: Array) -> bool:
    """Return whether a compiled result is as exact as its value promises."""
    if ours.shape != expected.shape or ours.dtype != expected.dtype:
        return False
    if value.element not in FLOATS:
        return bool(np.array_equal(ours, expected))
    nan = np.isnan(ours) & np.isnan(expected)
    if value.exact:
        bits = np.dtype(f"i{ours.dtype.itemsize}")
        same = np.ascontiguousarray(ours).view(bits) == np.ascontiguousarray(expected).view(bits)
        return bool(np.all(same | nan))
    with np.errstate(all="ignore"):
        scale = 1e-4 if value.element == "f32" else 1e-10
        close = np.isclose(ours, expected, rtol=scale, atol=scale * 64)
    return bool(np.all(close | nan))
