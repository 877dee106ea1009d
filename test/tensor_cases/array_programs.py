"""Random programs of `atlas.map` and `atlas.reduce` on tensors: any indexing maps, several results, traps, finishes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZES = (1, 2, 3, 4, 2, 3, 0)
UNARY = ("neg", "abs", "exp", "relu")
BINARY = ("add", "sub", "mul", "max.nan", "min", "div")


@dataclass(frozen=True)
class Value:
    """A tensor or, of rank None, a scalar."""

    name: str
    element: str
    shape: tuple[int, ...] | None
    dynamic: bool = False

    @property
    def type(self) -> str:
        if self.shape is None:
            return self.element
        return "tensor<" + "x".join([*("?" if self.dynamic else str(n) for n in self.shape), self.element]) + ">"

    @property
    def rank(self) -> int:
        return len(self.shape or ())


@dataclass
class Builder:
    """A program under construction."""

    rng: random.Random
    lines: list[str] = field(default_factory=list[str])
    values: list[Value] = field(default_factory=list[Value])
    inputs: list[Any] = field(default_factory=list[Any])
    counter: int = 0

    def fresh(self) -> str:
        self.counter += 1
        return f"%v{self.counter}"

    def argument(self) -> None:
        rank = self.rng.choice((None, 0, 1, 1, 2, 2, 3))
        shape = None if rank is None else tuple(self.rng.choice(SIZES) for _ in range(rank))
        element = self.rng.choice(("f32", "f32", "i64"))
        value = Value(self.fresh(), element, shape, self.rng.random() < 0.4)
        self.values.append(value)
        numbers = [self.rng.randint(-6, 6) for _ in range(int(np.prod(shape or ())))]
        array = np.array(numbers, np.float32 if element == "f32" else np.int64).reshape(shape or ())
        self.inputs.append(array if shape is not None else array[()])

    def empty(self, shape: Sequence[int], element: str) -> Value:
        """A tensor that gives a shape; of a dynamic type at times, with sizes that only the run knows."""
        value = Value(self.fresh(), element, tuple(shape), self.rng.random() < 0.4)
        sizes = [self.size(n) for n in shape] if value.dynamic else []
        self.lines.append(f"{value.name} = tensor.empty({', '.join(sizes)}) : {value.type}")
        return value

    def size(self, number: int) -> str:
        source = next(
            ((v, a) for v in self.values if v.dynamic for a, n in enumerate(v.shape or ()) if n == number), None
        )
        axis, name = self.fresh(), self.fresh()
        if source is None or self.rng.random() < 0.3:
            self.lines.append(f"{name} = arith.constant {number} : index")
            return name
        self.lines.append(f"{axis} = arith.constant {source[1]} : index")
        self.lines.append(f"{name} = tensor.dim {source[0].name}, {axis} : {source[0].type}")
        return name

    def index(self, size: int, extents: Sequence[int], bare: bool) -> str | None:
        """An expression over the loops that stays inside an axis; None if there is none."""
        options: list[str] = []
        for d, extent in enumerate(extents):
            if extent < 0:
                continue
            if extent == size and bare:
                options += [f"d{d}"] * 3
            if extent and extent <= size:
                options += [f"d{d} floordiv 1", f"d{d} * -1 + {extent - 1}"]
            if extent and extent < size:
                options += [f"d{d} + {size - extent}"]
            if extent and size >= 2 * extent - 1 and extent > 1:
                options += [f"d{d} * 2"]
            if extent and size >= (extent + 1) // 2:
                options += [f"d{d} floordiv 2"]
            options += [f"d{d} + d{e}" for e, n in enumerate(extents) if n > 0 and extent and n + extent - 1 <= size]
        if size and 0 not in extents:
            options.append(str(self.rng.randrange(size)))
        return self.rng.choice(options) if options else None

    def reading(self, value: Value, extents: Sequence[int], allowed: Sequence[int]) -> str | None:
        """An indexing map for an operand that uses only the `allowed` loops, or None if none fits."""
        usable = [n if d in allowed else -1 for d, n in enumerate(extents)]
        parts = [self.index(n, usable, True) for n in value.shape or ()]
        if 0 in extents and any(p is None or not p.startswith("d") or " " in p for p in parts):
            return None
        return None if None in parts else self.map(extents, [p for p in parts if p is not None])

    def map(self, extents: Sequence[int], parts: Sequence[str]) -> str:
        dims = ", ".join(f"d{d}" for d in range(len(extents)))
        return f"affine_map<({dims}) -> ({', '.join(parts)})>"

    def operands(self, extents: Sequence[int], allowed: Sequence[int], count: int) -> tuple[list[Value], list[str]]:
        values: list[Value] = []
        maps: list[str] = []
        for _ in range(count):
            value = self.rng.choice(self.values[-4:] + self.values)
            map = self.reading(value, extents, allowed)
            if map is not None:
                values.append(value)
                maps.append(map)
        return values, maps

    def body(self, arguments: Sequence[tuple[str, str]], results: Sequence[str]) -> list[str]:
        """The operations of a region from named elements to elements of the given types."""
        lines: list[str] = []
        known = list(arguments)

        def add(text: str, element: str) -> str:
            name = self.fresh()
            lines.append(f"  {name} = {text}")
            known.append((name, element))
            return name

        if not known or self.rng.random() < 0.1:
            add("atlas.mov_imm 2.5 : f32", "f32")
        for _ in range(self.rng.randint(0, 3)):
            name, element = self.rng.choice(known)
            other = self.rng.choice([n for n, e in known if e == element])
            unary = [n for n in UNARY if element == "f32" or n != "exp"]
            if self.rng.random() < 0.4:
                add(f"atlas.{self.rng.choice(unary)} {element} {name}", element)
            else:
                add(f"atlas.{self.rng.choice(BINARY)} {element} {name}, {other}", element)
        yields: list[str] = []
        for wanted in results:
            name, element = known[-1] if self.rng.random() < 0.7 else self.rng.choice(known)
            yields.append(name if element == wanted else add(f"atlas.cvt {element} to {wanted} {name}", wanted))
        lines.append(f"  atlas.yield {', '.join(yields)} : {', '.join(results)}")
        return lines

    def permuted(self, dims: Sequence[int]) -> list[int]:
        order = list(dims)
        self.rng.shuffle(order)
        return order


def group(keyword: str, values: Sequence[Value]) -> str:
    if not values:
        return ""
    return f" {keyword}({', '.join(v.name for v in values)} : {', '.join(v.type for v in values)})"


def header(values: Sequence[str], types: Sequence[str]) -> str:
    return "  ^bb0(" + ", ".join(f"{v}: {t}" for v, t in zip(values, types, strict=True)) + "):"


def add_map(b: Builder) -> None:
    """A map of one or two results."""
    extents = [b.rng.choice(SIZES) for _ in range(b.rng.choice((0, 1, 1, 2, 2, 3)))]
    if b.values and b.rng.random() < 0.6:
        extents = list(b.rng.choice(b.values).shape or ())
    ins, maps = b.operands(extents, range(len(extents)), b.rng.randint(0, 3))
    outs: list[Value] = []
    for _ in range(b.rng.choice((1, 1, 1, 2))):
        order = b.permuted(range(len(extents))) if b.rng.random() < 0.4 else list(range(len(extents)))
        outs.append(b.empty([extents[d] for d in order], b.rng.choice(("f32", "f32", "i64"))))
        maps.append(b.map(extents, [f"d{d}" for d in order]))
    arguments = [(b.fresh(), v.element) for v in ins]
    emit(b, "atlas.map", group("ins", ins), outs, maps, [arguments], [[o.element for o in outs]])


def add_reduce(b: Builder) -> None:
    """A reduction of one or two values, finished at times."""
    shaped = [v for v in b.values if v.shape]
    if not shaped:
        return
    first = b.rng.choice(shaped)
    assert first.shape is not None
    order = b.permuted(range(first.rank))
    extents = [first.shape[order.index(d)] for d in range(first.rank)]
    parallel = [d for d in range(first.rank) if b.rng.random() < 0.5]
    ins, maps = [first], [b.map(extents, [f"d{d}" for d in order])]
    more, more_maps = b.operands(extents, range(first.rank), b.rng.randint(0, 2))
    ins, maps = ins + more, maps + more_maps
    element = b.rng.choice(("f32", "i64"))
    kinds = [b.rng.choice(("add", "max.nan", "min", "mul")) for _ in range(b.rng.choice((1, 1, 2)))]
    finish_ins, finish_maps = b.operands(extents, parallel, b.rng.randint(0, 2))
    finish = bool(finish_ins) or b.rng.random() < 0.3
    results = 1 if finish and b.rng.random() < 0.8 else len(kinds)
    outs: list[Value] = []
    maps += finish_maps
    for _ in range(results):
        kept = b.permuted(parallel)
        outs.append(b.empty([extents[d] for d in kept], element))
        maps.append(b.map(extents, [f"d{d}" for d in kept]))
    bodies = [[(b.fresh(), v.element) for v in ins]]
    yields = [[element] * len(kinds)]
    if finish:
        bodies.append([*((b.fresh(), element) for _ in kinds), *((b.fresh(), v.element) for v in finish_ins)])
        yields.append([element] * results)
    head = "atlas.reduce [" + ", ".join(f"{k} {element}" for k in kinds) + "]"
    emit(b, head, group("ins", ins) + group("finish_ins", finish_ins), outs, maps, bodies, yields)


def emit(
    b: Builder, head: str, groups: str, outs: Sequence[Value], maps: Sequence[str],
    bodies: Sequence[Sequence[tuple[str, str]]], yields: Sequence[Sequence[str]],
) -> None:  # fmt: skip
    results = [Value(b.fresh(), o.element, o.shape, o.dynamic) for o in outs]
    names = ", ".join(r.name for r in results)
    b.lines.append(f"{names} = {head}{groups}{group('outs', outs)} maps [{', '.join(maps)}] {{")
    for number, (arguments, wanted) in enumerate(zip(bodies, yields, strict=True)):
        if number:
            b.lines.append("} finish {")
        b.lines.append(header([n for n, _ in arguments], [t for _, t in arguments]))
        b.lines += b.body(arguments, wanted)
    b.lines.append("}")
    b.values += results


def build(seed: int) -> tuple[str, list[Any]]:
    """The text of a program and its arguments."""
    b = Builder(random.Random(seed))
    for _ in range(b.rng.randint(1, 4)):
        b.argument()
    arguments = list(b.values)
    add_map(b)
    for _ in range(b.rng.randint(1, 6)):
        add_reduce(b) if b.rng.random() < 0.3 else add_map(b)
    made = [v for v in b.values if v not in arguments]
    results = [made[-1], *(v for v in made[:-1] if b.rng.random() < 0.15)]
    signature = ", ".join(f"{v.name}: {v.type}" for v in arguments)
    types = ", ".join(v.type for v in results)
    shapes = ", ".join('"(' + "".join(f"{n}, " for n in v.shape or ()) + ')"' for v in results)
    body = "\n".join(f"  {line}" for line in b.lines)
    names = ", ".join(v.name for v in results)
    head = f"func.func @f({signature}) -> ({types}) attributes {{hologram.results = [{shapes}]}}"
    return f"{head} {{\n{body}\n  func.return {names} : {types}\n}}\n", b.inputs
