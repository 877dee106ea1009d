"""Rules of vectors keep the meaning: random programs give the same elements before and after."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation

from hologram.dialects import make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.transforms.canonical.canonicalize import canonicalize

Array = np.ndarray[Any, Any]


def numbers(attribute: Any) -> list[int]:
    values = attribute.get_values() if hasattr(attribute, "get_values") else [n.value.data for n in attribute]
    return list(values)


def shape_of(type: Attribute) -> tuple[int, ...]:
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()


def constant(op: Any) -> Array:
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr):
        return np.array(list(value.get_values())).reshape(shape_of(op.result.type))
    return np.array(value.value.data)


def position(op: Any, dynamic: Iterable[Array]) -> tuple[int, ...]:
    values = iter(dynamic)
    return tuple(n if n >= 0 else int(next(values)) for n in numbers(op.static_position))


def insert(op: Any, value: Array, whole: Array, *dynamic: Array) -> Array:
    whole = whole.copy()
    whole[position(op, dynamic)] = value
    return whole


def spans(op: Any, sizes: list[int]) -> tuple[slice, ...]:
    return tuple(slice(o, o + n) for o, n in zip(numbers(op.properties["offsets"]), sizes, strict=True))


def insert_slice(op: Any, value: Array, whole: Array) -> Array:
    whole = whole.copy()
    whole[spans(op, [1] * (whole.ndim - value.ndim) + list(value.shape))] = value
    return whole


def mask(counts: list[int], shape: tuple[int, ...]) -> Array:
    return -np.all([index < n for index, n in zip(np.indices(shape), counts, strict=True)], axis=0).astype(int)


def reduce(op: Any, source: Array, acc: Array) -> Array:
    return source.sum(axis=tuple(numbers(op.properties["reduction_dims"]))) + acc


MEANINGS: Mapping[str, Callable[[Any, Any], Any]] = {
    "arith.constant": lambda op, xs: constant(op),
    "arith.addi": lambda op, xs: xs[0] + xs[1],
    "arith.subi": lambda op, xs: xs[0] - xs[1],
    "vector.broadcast": lambda op, xs: np.broadcast_to(xs[0], shape_of(op.results[0].type)),
    "vector.shape_cast": lambda op, xs: xs[0].reshape(shape_of(op.results[0].type)),
    "vector.transpose": lambda op, xs: xs[0].transpose(numbers(op.properties["permutation"])),
    "vector.extract": lambda op, xs: xs[0][position(op, xs[1:])],
    "vector.insert": lambda op, xs: insert(op, *xs),
    "vector.extract_strided_slice": lambda op, xs: xs[0][spans(op, numbers(op.properties["sizes"]))],
    "vector.insert_strided_slice": lambda op, xs: insert_slice(op, *xs),
    "vector.shuffle": lambda op, xs: np.concatenate([np.atleast_1d(x) for x in xs])[numbers(op.mask)],
    "vector.interleave": lambda op, xs: np.stack(xs, -1).reshape(shape_of(op.results[0].type)),
    "vector.from_elements": lambda op, xs: np.array(xs).reshape(shape_of(op.results[0].type)),
    "vector.to_elements": lambda op, xs: list(xs[0].reshape(-1)),
    "vector.constant_mask": lambda op, xs: mask(numbers(op.properties["mask_dim_sizes"]), shape_of(op.results[0].type)),
    "vector.create_mask": lambda op, xs: mask([int(n) for n in xs], shape_of(op.results[0].type)),
    "vector.multi_reduction": lambda op, xs: reduce(op, *xs),
}


def run(module: ModuleOp, inputs: list[Array]) -> list[Array]:
    """What the only function of a module returns."""
    function: Any = module.body.block.first_op
    block = function.body.block
    values: dict[Any, Any] = dict(zip(block.args, inputs, strict=True))
    for op in block.ops:
        operands = [values[o] for o in op.operands]
        if op.name == "func.return":
            return operands
        found = MEANINGS[op.name](op, operands)
        values |= dict(zip(op.results, found if len(op.results) != 1 else [found], strict=True))
    raise AssertionError("a function returns")


class Program:
    """A random program on vectors of two element types."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.values: list[tuple[str, str, tuple[int, ...]]] = []
        self.arguments = [("%s", "i32", ()), ("%t", "i32", ()), ("%v", "i32", (4,)), ("%w", "i32", (2, 3))]
        self.arguments += [("%u", "i32", (1, 4)), ("%n", "index", ())]
        self.values += self.arguments[:-1]
        self.constants = [("%c0", 0), ("%c1", 1), ("%c2", 2), ("%c3", 3)]
        for name, number in self.constants:
            self.lines.append(f"{name} = arith.constant {number} : index")
        self.add("arith.constant dense<7> : vector<2x2xi32>", "i32", (2, 2))
        self.add("arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>", "i32", (4,))
        self.add("arith.constant 9 : i32", "i32", ())

    def add(self, text: str, element: str, shape: tuple[int, ...]) -> None:
        name = f"%x{len(self.values)}"
        self.lines.append(f"{name} = {text}")
        self.values.append((name, element, shape))

    def pick(self, *, vector: bool = True, element: str = "") -> tuple[str, str, tuple[int, ...]]:
        fits = [v for v in self.values if (not vector or v[2]) and element in ("", v[1])]
        return self.rng.choice(fits[-12:] if self.rng.random() < 0.8 else fits)

    def position(self, shape: tuple[int, ...], *, whole: bool = False) -> list[int]:
        count = len(shape) if whole else self.rng.randint(1, len(shape))
        return [self.rng.randrange(n) for n in shape[:count]]

    def index(self, n: int) -> str:
        """A number, which may be a constant's value."""
        return f"%c{n}" if n < 4 and self.rng.random() < 0.2 else str(n)

    def step(self) -> None:
        """Add an operation."""
        kinds = [self.broadcast, self.cast, self.transpose, self.extract, self.insert, self.slice, self.insert_slice]
        kinds += [self.shuffle, self.elements, self.mask, self.reduce, self.insert_each]
        self.rng.choice(kinds)()

    def broadcast(self) -> None:
        name, element, shape = self.pick(vector=False)
        wide = [n if n > 1 or self.rng.random() < 0.5 else self.rng.randint(1, 3) for n in shape]
        lead = [self.rng.randint(1, 3) for _ in range(self.rng.randint(0 if shape else 1, 2))]
        self.to("broadcast", name, element, shape, (*lead, *wide))

    def to(self, op: str, name: str, element: str, shape: tuple[int, ...], result: tuple[int, ...]) -> None:
        if math.prod(result) <= 96 and len(result) <= 5:
            self.add(f"vector.{op} {name} : {typed(element, shape)} to {typed(element, result)}", element, result)

    def cast(self) -> None:
        name, element, shape = self.pick()
        result = [n for n in shape if n > 1 or self.rng.random() < 0.5]
        if self.rng.random() < 0.4:
            result = [math.prod(shape)]
        for _ in range(self.rng.randint(0, 2)):
            result.insert(self.rng.randint(0, len(result)), 1)
        result = [part for n in result for part in ((2, n // 2) if n % 2 == 0 and self.rng.random() < 0.3 else (n,))]
        if result:
            self.to("shape_cast", name, element, shape, tuple(result))

    def transpose(self) -> None:
        name, element, shape = self.pick()
        order = self.rng.sample(range(len(shape)), len(shape))
        result = tuple(shape[n] for n in order)
        text = f"vector.transpose {name}, {order} : {typed(element, shape)} to {typed(element, result)}"
        self.add(text, element, result)

    def extract(self) -> None:
        name, element, shape = self.pick()
        at = self.position(shape)
        result = shape[len(at) :]
        where = ", ".join(self.index(n) for n in at)
        self.add(
            f"vector.extract {name}[{where}] : {typed(element, result)} from {typed(element, shape)}", element, result
        )

    def insert(self) -> None:
        name, element, shape = self.pick()
        fits = [
            v
            for v in self.values
            if v[1] == element and len(v[2]) < len(shape) and v[2] == shape[len(shape) - len(v[2]) :]
        ]
        if fits:
            part = self.rng.choice(fits)
            where = ", ".join(self.index(self.rng.randrange(n)) for n in shape[: len(shape) - len(part[2])])
            kinds = f"{typed(element, part[2])} into {typed(element, shape)}"
            self.add(f"vector.insert {part[0]}, {name}[{where}] : {kinds}", element, shape)

    def insert_each(self) -> None:
        """A chain of insertions, which may write each element."""
        name, element, shape = self.pick()
        if math.prod(shape) > 4:
            return
        for at in np.ndindex(*shape):
            scalars = [v for v in self.values if v[1:] == (element, ())]
            if not scalars:
                return
            where = ", ".join(map(str, at))
            value = self.rng.choice(scalars)[0]
            self.add(f"vector.insert {value}, {name}[{where}] : {element} into {typed(element, shape)}", element, shape)
            name = self.values[-1][0]

    def slice(self) -> None:
        name, element, shape = self.pick()
        count = self.rng.randint(1, len(shape))
        sizes = [n if self.rng.random() < 0.4 else self.rng.randint(1, n) for n in shape[:count]]
        offsets = [self.rng.randint(0, n - size) for n, size in zip(shape, sizes, strict=False)]
        result = (*sizes, *shape[count:])
        given = f"{{offsets = {offsets}, sizes = {sizes}, strides = {[1] * count}}}"
        kinds = f"{typed(element, shape)} to {typed(element, result)}"
        self.add(f"vector.extract_strided_slice {name} {given} : {kinds}", element, result)

    def insert_slice(self) -> None:
        name, element, shape = self.pick()
        fits = [v for v in self.values if v[1] == element and v[2] and len(v[2]) <= len(shape)]
        fits = [v for v in fits if all(a <= b for a, b in zip(v[2], shape[len(shape) - len(v[2]) :], strict=True))]
        part = self.rng.choice(fits)
        sizes = [1] * (len(shape) - len(part[2])) + [*part[2]]
        offsets = [self.rng.randint(0, n - size) for n, size in zip(shape, sizes, strict=True)]
        given = f"{{offsets = {offsets}, strides = {[1] * len(part[2])}}}"
        kinds = f"{typed(element, part[2])} into {typed(element, shape)}"
        self.add(f"vector.insert_strided_slice {part[0]}, {name} {given} : {kinds}", element, shape)

    def shuffle(self) -> None:
        fits = [v for v in self.values if len(v[2]) == 1 and v[1] == "i32"]
        a, b = self.rng.choice(fits), self.rng.choice(fits)
        count = a[2][0] + b[2][0]
        order = self.rng.choice([[*range(a[2][0])], [*range(a[2][0], count)], [self.rng.randrange(count)] * 2, None])
        if order is None:
            order = [n for pair in zip(range(a[2][0]), range(a[2][0], count), strict=False) for n in pair]
        text = f"vector.shuffle {a[0]}, {b[0]} {order} : {typed('i32', a[2])}, {typed('i32', b[2])}"
        self.add(text, "i32", (len(order),))

    def elements(self) -> None:
        name, element, shape = self.pick()
        count = math.prod(shape)
        if count > 8:
            return
        names = [f"%e{len(self.lines)}_{n}" for n in range(count)]
        self.lines.append(f"{', '.join(names)} = vector.to_elements {name} : {typed(element, shape)}")
        result = self.rng.choice([(count,), (1, count), shape])
        if self.rng.random() < 0.3:
            self.rng.shuffle(names)
        self.add(f"vector.from_elements {', '.join(names)} : {typed(element, result)}", element, result)

    def mask(self) -> None:
        shape = self.rng.choice([(4,), (2, 3), (1, 4), (3, 1), (2, 2, 2)])
        if self.rng.random() < 0.5:
            counts = [self.rng.randint(1, n) for n in shape]
            self.add(f"vector.constant_mask {counts} : {typed('i1', shape)}", "i1", shape)
            return
        names = ["%n", *(name for name, _ in self.constants)]
        counts = ", ".join(self.rng.choice(names) for _ in shape)
        self.add(f"vector.create_mask {counts} : {typed('i1', shape)}", "i1", shape)

    def reduce(self) -> None:
        name, element, shape = self.pick(element="i32")
        axes = [n for n in range(len(shape)) if self.rng.random() < 0.5]
        result = tuple(n for axis, n in enumerate(shape) if axis not in axes)
        fits = [v[0] for v in self.values if v[1:] == (element, result)]
        if fits:
            kinds = f"{typed(element, shape)} to {typed(element, result)}"
            acc = self.rng.choice(fits)
            self.add(f"vector.multi_reduction <add>, {name}, {acc} {axes} : {kinds}", element, result)

    def text(self) -> str:
        for _ in range(18):
            self.step()
        returned = self.values[-8:]
        kinds = ", ".join(typed(e, s) for _, e, s in returned)
        arguments = ", ".join(f"{n}: {typed(e, s)}" for n, e, s in self.arguments)
        body = "\n".join(f"  {line}" for line in self.lines)
        names = ", ".join(n for n, _, _ in returned)
        return f"func.func @f({arguments}) -> ({kinds}) {{\n{body}\n  func.return {names} : {kinds}\n}}"

    def inputs(self) -> list[Array]:
        values = np.random.default_rng(3)
        return [np.array(2) if e == "index" else values.integers(-99, 99, s) for _, e, s in self.arguments]


def typed(element: str, shape: tuple[int, ...]) -> str:
    return f"vector<{'x'.join(map(str, shape))}x{element}>" if shape else element


def check(seed: int) -> int:
    """Compare what a program gives before and after; how many operations went."""
    program = Program(seed)
    text = program.text()
    before, after = (parse_module(text, "f", make_context()) for _ in range(2))
    canonicalize(make_context(), after)
    after.verify()
    for a, b in zip(run(before, program.inputs()), run(after, program.inputs()), strict=True):
        np.testing.assert_array_equal(a, b, f"{text}\n{after}")
    return count(before) - count(after)


def count(op: Operation) -> int:
    return sum(1 for _ in op.walk())


def test_random_vectors_keep_their_elements():
    assert sum(check(seed) for seed in range(25)) > 100


@pytest.mark.slow
def test_more_random_vectors_keep_their_elements():
    assert sum(check(seed) for seed in range(25, 300)) > 1000
