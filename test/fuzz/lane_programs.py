"""Random lane programs: arithmetic, divergent ifs, loops, shared and local memory, barriers. Free of races by shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .tensor_programs import Array, Choices, data

ELEMENTS = ("f32", "i32", "i64", "f64")
MAX_STEPS = 14


@dataclass(frozen=True)
class Lane:
    """A scalar value a lane holds: `type` is its ISA type without a sign."""

    name: str
    type: str


@dataclass
class LaneProgram:
    """A program under construction, with its launch and its arguments."""

    choices: Choices
    block: int
    grid: int
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    uniform: bool = True
    """Whether all lanes of the block are here together, so that barriers are allowed."""
    steps: int = 0
    text: str = ""
    arguments: list[Array] = field(default_factory=list[Array])

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.choices.integer(0, len(options) - 1)]

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def op(self, text: str, type: str) -> Lane:
        name = f"%v{len(self.lines)}"
        self.line(f"{name} = atlas.{text}")
        return Lane(name, type)

    def some(self, scope: list[Lane], *types: str) -> Lane | None:
        fit = [v for v in scope if v.type in types]
        return self.pick(fit) if fit else None

    def same(self, scope: list[Lane], value: Lane) -> Lane:
        return self.pick([v for v in scope if v.type == value.type])


def sign(p: LaneProgram, type: str) -> str:
    """The ISA type to read a value as: integers also unsigned."""
    return type.replace("i", "u") if type[0] == "i" and p.choices.integer(0, 1) else type


def _arithmetic(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is None:
        return
    integer = a.type[0] == "i"
    names = ("add", "sub", "mul", "min", "max", "min.nan", "max.nan", *(("and", "or", "xor") if integer else ("div",)))
    scope.append(p.op(f"{p.pick(names)} {sign(p, a.type)} {a.name}, {p.same(scope, a).name}", a.type))


def _unary(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is not None:
        floats = ("abs", "neg", "sign", "relu", "floor", "ceil", "round", "trunc", "sqrt", "rcp")
        name = p.pick(("abs", "neg", "sign", "not") if a.type[0] == "i" else floats)
        scope.append(p.op(f"{name} {sign(p, a.type)} {a.name}", a.type))


def _ternary(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is not None:
        operands = ", ".join([a.name, p.same(scope, a).name, p.same(scope, a).name])
        scope.append(p.op(f"{p.pick(('fma', 'mad', 'fms', 'clamp'))} {sign(p, a.type)} {operands}", a.type))


def _shift(p: LaneProgram, scope: list[Lane]) -> None:
    a, amount = p.some(scope, "i32", "i64"), p.some(scope, "i32")
    if a is not None and amount is not None:
        scope.append(p.op(f"{p.pick(('shl', 'shr'))} {sign(p, a.type)} {a.name}, {amount.name}", a.type))


def _divide(p: LaneProgram, scope: list[Lane]) -> None:
    """By an odd number nearly always: zero traps."""
    if (a := p.some(scope, "i32", "i64")) is None:
        return
    divisor = p.same(scope, a)
    if p.choices.integer(0, 29):
        one = p.op(f"mov_imm 1 : {a.type}", a.type)
        divisor = p.op(f"or {a.type} {divisor.name}, {one.name}", a.type)
    scope.append(p.op(f"{p.pick(('div', 'rem'))} {sign(p, a.type)} {a.name}, {divisor.name}", a.type))


def _convert(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is not None:
        target = p.pick(ELEMENTS)
        scope.append(p.op(f"cvt {sign(p, a.type)} to {sign(p, target)} {a.name}", target))


def _select(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is not None:
        c = _condition(p, scope, a)
        scope.append(p.op(f"sel {a.type} {c.name}, {a.name}, {p.same(scope, a).name}", a.type))


def _condition(p: LaneProgram, scope: list[Lane], a: Lane) -> Lane:
    condition = p.pick(("eq", "ne", "lt", "le", "gt", "ge"))
    return p.op(f"setcc {condition} {sign(p, a.type)} {a.name}, {p.same(scope, a).name}", "i1")


def _exchange(p: LaneProgram, scope: list[Lane]) -> None:
    """Each lane stores its value to shared memory and takes another lane's."""
    a = p.some(scope, *ELEMENTS)
    if a is None or not p.uniform:
        return
    memref = f"memref<{p.block}x{a.type}, #atlas.space<shared>>"
    p.line(f"atlas.sts {a.type} {a.name}, %shared_{a.type}[%lane : i64] : {memref}")
    p.line("atlas.bar.sync 0")
    shift = p.op(f"mov_imm {p.choices.integer(0, p.block - 1)} : i64", "i64")
    size = p.op(f"mov_imm {p.block} : i64", "i64")
    moved = p.op(f"add u64 %lane, {shift.name}", "i64")
    other = p.op(f"rem u64 {moved.name}, {size.name}", "i64")
    scope.append(p.op(f"lds {a.type} %shared_{a.type}[{other.name} : i64] : {memref}", a.type))
    p.line("atlas.bar.sync 0")


def _local(p: LaneProgram, scope: list[Lane]) -> None:
    """Stores to and loads from local memory at a masked index."""
    a, i = p.some(scope, "f32"), p.some(scope, "i64")
    if a is None or i is None:
        return
    memref = "memref<4xf32, #atlas.space<local>>"
    mask = p.op("mov_imm 3 : i64", "i64")
    index = p.op(f"and u64 {i.name}, {mask.name}", "i64")
    p.line(f"atlas.stl f32 {a.name}, %local[{index.name} : i64] : {memref}")
    scope.append(p.op(f"ldl f32 %local[{index.name} : i64] : {memref}", "f32"))


def _if(p: LaneProgram, scope: list[Lane]) -> None:
    a = p.some(scope, *ELEMENTS)
    if a is None or p.depth > 3:
        return
    condition = _condition(p, scope, a)
    result = f"%v{len(p.lines)}"
    p.line(f"{result} = atlas.if {condition.name} -> ({a.type}) {{")
    outer, p.uniform = p.uniform, False
    for last in (False, True):
        inner = list(scope)
        p.depth += 1
        _body(p, inner, p.choices.integer(0, 3))
        p.line(f"atlas.yield {p.same(inner, a).name} : {a.type}")
        p.depth -= 1
        p.line("}" if last else "} else {")
    p.uniform = outer
    scope.append(Lane(result, a.type))


def _loop(p: LaneProgram, scope: list[Lane]) -> None:
    """A constant count, or (without barriers inside) one that depends on the lane."""
    a = p.some(scope, *ELEMENTS)
    if a is None or p.depth > 2:
        return
    count, outer = p.op(f"mov_imm {p.choices.integer(0, 4)} : i32", "i32"), p.uniform
    own = p.some(scope, "i32")
    if own is not None and p.choices.integer(0, 1):
        mask = p.op("mov_imm 3 : i32", "i32")
        count, p.uniform = p.op(f"and u32 {own.name}, {mask.name}", "i32"), False
    number = len(p.lines)
    p.line(f"%v{number} = atlas.loop {count.name} : i32 iter({a.name} : {a.type}) {{")
    p.line(f"^bb0(%i{number}: i32, %c{number}: {a.type}):")
    inner = [*scope, Lane(f"%i{number}", "i32"), Lane(f"%c{number}", a.type)]
    p.depth += 1
    _body(p, inner, p.choices.integer(1, 4))
    p.line(f"atlas.yield {p.same(inner, a).name} : {a.type}")
    p.depth -= 1
    p.line("}")
    p.uniform = outer
    scope.append(Lane(f"%v{number}", a.type))


STEPS = (
    _arithmetic, _arithmetic, _arithmetic, _unary, _ternary, _shift, _divide, _convert, _select, _exchange, _exchange,
    _local, _if, _loop,
)  # fmt: skip


def _body(p: LaneProgram, scope: list[Lane], count: int) -> None:
    for _ in range(count):
        p.steps += 1
        if p.steps > MAX_STEPS:
            return
        p.pick(STEPS)(p, scope)


def build(choices: Choices) -> LaneProgram:
    """A random program: one input and one output array of each element type, an element a lane."""
    block, grid = (1, 2, 7, 32, 64)[choices.integer(0, 4)], choices.integer(1, 3)
    p = LaneProgram(choices, block, grid)
    for element in ELEMENTS:
        p.line(f"%shared_{element} = atlas.alloca : memref<{block}x{element}, #atlas.space<shared>>")
    p.line("%local = atlas.alloca : memref<4xf32, #atlas.space<local>>")
    p.line("%gid = atlas.special gid : i64")
    p.line("%lane32 = atlas.special lane.x : i32")
    p.line("%lane = atlas.cvt u32 to u64 %lane32")
    scope = [Lane("%gid", "i64"), Lane("%lane32", "i32")]
    scope += [p.op(f"ldg {e} %in_{e}[%gid : i64] : memref<?x{e}>", e) for e in ELEMENTS]
    _body(p, scope, choices.integer(1, MAX_STEPS))
    for e in ELEMENTS:
        last = [v for v in scope if v.type == e][-1]
        p.line(f"atlas.stg {e} {last.name}, %out_{e}[%gid : i64] : memref<?x{e}>")
    p.text = _module(p)
    rng = np.random.default_rng(choices.integer(0, 2**16))
    special = choices.integer(0, 3) == 0
    inputs = [data(rng, e, (block * grid,), special=special) for e in ELEMENTS]
    p.arguments = [*inputs, *(np.zeros_like(a) for a in inputs)]
    return p


def _module(p: LaneProgram) -> str:
    arrays = [f"%{way}_{e}" for way in ("in", "out") for e in ELEMENTS]
    types = [f"memref<?x{e}>" for _ in ("in", "out") for e in ELEMENTS]
    heads = ", ".join(f"{a}: {t}" for a, t in zip(arrays, types, strict=True))
    return "\n".join(
        [
            f"func.func @main({heads}) {{",
            f"  %grid = arith.constant {p.grid} : index",
            "  %one = arith.constant 1 : index",
            f"  atlas.launch @lanes grid(%grid, %one, %one) args({', '.join(arrays)} : {', '.join(types)})",
            "  func.return",
            "}",
            f"atlas.program @lanes({heads}) block [{p.block}, 1, 1] {{",
            *p.lines,
            "}",
            "",
        ]
    )
