"""Random lane programs: arithmetic of all types, divergent ifs, loops, shared and local memory by index and by pointer,
vector forms, atomics whose outcome no order changes, barriers. Free of races by shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hologram.dialects.atlas.types import DTYPES

from .counts import FUZZING
from .tensor_programs import Array, Choices, data

ELEMENTS = ("f32", "i32", "i64", "f64", "f16", "bf16", "i8", "i16")
BITS = {e: int(e.lstrip("bfi")) for e in ELEMENTS}
INTEGERS = ("i32", "i64", "i8", "i16")
COUNTERS = ("i32", "i64")
"""The element types of arrays that lanes update by atomics, a place for each operation that commutes with itself."""
UPDATES = ("add", "min", "max", "and", "or", "xor")
MAX_STEPS = 16 if FUZZING else 8


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
    elements: tuple[str, ...] = ()
    """The types of its arrays: a few, so that it compiles fast."""
    shared: list[str] = field(default_factory=list[str])
    """The types of its arrays in shared memory."""
    sums: list[str] = field(default_factory=list[str])
    """The types of the arrays that its atomics update."""

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
    a, amount = p.some(scope, *INTEGERS), p.some(scope, "i32")
    if a is not None and amount is not None:
        scope.append(p.op(f"{p.pick(('shl', 'shr'))} {sign(p, a.type)} {a.name}, {amount.name}", a.type))


def _divide(p: LaneProgram, scope: list[Lane]) -> None:
    """By an odd number nearly always: zero traps."""
    if (a := p.some(scope, *INTEGERS)) is None:
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
    p.shared += [] if a.type in p.shared else [a.type]
    memref = f"memref<{p.block}x{a.type}, #atlas.space<shared>>"
    p.line(f"atlas.sts {a.type} {a.name}, %shared_{a.type}[%lane : i64] : {memref}")
    p.line("atlas.bar.sync 0")
    shift = p.op(f"mov_imm {p.choices.integer(0, p.block - 1)} : i64", "i64")
    size = p.op(f"mov_imm {p.block} : i64", "i64")
    moved = p.op(f"add u64 %lane, {shift.name}", "i64")
    other = p.op(f"rem u64 {moved.name}, {size.name}", "i64")
    scope.append(p.op(f"lds {a.type} %shared_{a.type}[{other.name} : i64] : {memref}", a.type))
    p.line("atlas.bar.sync 0")


LOCAL = "memref<4xf32, #atlas.space<local>>"


def _offset(p: LaneProgram, i: Lane, mask: int) -> Lane:
    bits = p.op(f"mov_imm {mask} : i64", "i64")
    return p.op(f"and u64 {i.name}, {bits.name}", "i64")


def _local(p: LaneProgram, scope: list[Lane]) -> None:
    """Stores to and loads from local memory at a masked index."""
    a, i = p.some(scope, "f32"), p.some(scope, "i64")
    if a is None or i is None:
        return
    index = _offset(p, i, 3)
    p.line(f"atlas.stl f32 {a.name}, %local[{index.name} : i64] : {LOCAL}")
    scope.append(p.op(f"ldl f32 %local[{index.name} : i64] : {LOCAL}", "f32"))


def _pointer(p: LaneProgram, scope: list[Lane]) -> None:
    """A value goes through local memory of another type by a pointer, at a masked offset; a part of it comes back.

    It is an integer, since nobody promises the bits of a NaN; and it comes back as no bf16, which LLVM carries from
    block to block by an instruction that flushes subnormals.
    """
    a, i = p.some(scope, *INTEGERS), p.some(scope, "i64")
    if a is None or i is None:
        return
    size = BITS[a.type] // 8
    offset = _offset(p, i, 16 - size)
    pointer = f"!atlas.ptr<{a.type}, local>"
    place = p.op(f"lea {a.type} %local[{offset.name} : i64] : {LOCAL}", "pointer")
    p.line(f"atlas.stl {a.type} {a.name}, {place.name}[] : {pointer}")
    part = p.pick([e for e in ELEMENTS if e != "bf16" and BITS[e] <= BITS[a.type]])
    within = _offset(p, i, size - BITS[part] // 8)
    other = p.op(f"lea {part} {place.name}[{within.name} : i64] : {pointer}", "pointer")
    scope.append(p.op(f"ldl {part} {other.name}[] : !atlas.ptr<{part}, local>", part))


def _vector(p: LaneProgram, scope: list[Lane]) -> None:
    """Four values are stored as two pairs, or the other way round."""
    a = p.some(scope, "f32")
    if a is None:
        return
    values = [p.same(scope, a).name for _ in range(4)]
    zero, two = p.op("mov_imm 0 : i64", "i64"), p.op("mov_imm 2 : i64", "i64")
    whole, halves = f"%local[{zero.name} : i64] : {LOCAL}", (zero.name, two.name)
    names = [f"%w{len(p.lines)}_{n}" for n in range(4)]
    if p.choices.integer(0, 1):
        for n, half in enumerate(halves):
            p.line(f"atlas.stl v2 f32 {values[2 * n]}, {values[2 * n + 1]}, %local[{half} : i64] : {LOCAL}")
        p.line(f"{', '.join(names)} = atlas.ldl v4 f32 {whole}")
    else:
        p.line(f"atlas.stl v4 f32 {', '.join(values)}, {whole}")
        for n, half in enumerate(halves):
            p.line(f"{', '.join(names[2 * n : 2 * n + 2])} = atlas.ldl v2 f32 %local[{half} : i64] : {LOCAL}")
    scope.append(Lane(p.pick(names), "f32"))


def _atomic(p: LaneProgram, scope: list[Lane]) -> None:
    """An update of a place that only updates of its kind reach, whose old value nobody looks at."""
    if (a := p.some(scope, *COUNTERS)) is None:
        return
    p.sums += [] if a.type in p.sums else [a.type]
    kind, signed = p.choices.integer(0, len(UPDATES) - 1), p.choices.integer(0, 1)
    type = a.type if signed or UPDATES[kind] in ("min", "max") else f"u{a.type[1:]}"
    place = p.op(f"mov_imm {kind} : i64", "i64")
    memref = f"memref<?x{a.type}>"
    if p.choices.integer(0, 1):
        p.op(f"atom.{UPDATES[kind]} {type} {a.name}, %sum_{a.type}[{place.name} : i64] : {memref}", "old")
        return
    size = p.op(f"mov_imm {BITS[a.type] // 8} : i64", "i64")
    offset = p.op(f"mul i64 {place.name}, {size.name}", "i64")
    pointer = p.op(f"lea {type} %sum_{a.type}[{offset.name} : i64] : {memref}", "pointer")
    p.op(f"atom.{UPDATES[kind]} {type} {a.name}, {pointer.name}[] : !atlas.ptr<{a.type}, global>", "old")


def _bits(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *INTEGERS)) is not None:
        target = p.pick([e for e in ELEMENTS if e != "bf16" and BITS[e] == BITS[a.type]])
        scope.append(p.op(f"cvt.bits {a.type} to {target} {a.name}", target))


def _logic(p: LaneProgram, scope: list[Lane]) -> None:
    """Predicates as values: conditions, their combinations, and integers made of them."""
    a, b = (_condition(p, scope, p.pick([v for v in scope if v.type in ELEMENTS])) for _ in range(2))
    both = p.op(f"{p.pick(('and', 'or', 'xor'))} bool {a.name}, {b.name}", "i1")
    target = p.pick(ELEMENTS)
    scope.append(p.op(f"cvt bool to {sign(p, target)} {p.op(f'not bool {both.name}', 'i1').name}", target))


def _state(p: LaneProgram, scope: list[Lane]) -> None:
    """The Atlas state of the lane: classes and their neighbours, phases, sums."""
    if (a := p.some(scope, "i32")) is None:
        return
    c = p.op("cls.get", "i32")
    match p.choices.integer(0, 3):
        case 0:
            p.line(f"atlas.phase.adv {a.name}")
            scope.append(p.op("phase.get", "i32"))
        case 1:
            p.line(f"atlas.phase.write {c.name}, {a.name}")
            scope.append(p.op(f"phase.read {p.op(f'mirror u32 {c.name}', 'i32').name}", "i32"))
        case 2:
            scope.append(p.op(f"nbr.get u32 {c.name}, {p.op(f'nbr.count u32 {c.name}', 'i32').name}", "i32"))
        case _:
            p.line(f"atlas.res.accum i32 {c.name}, {a.name}")
            unity = p.op(f"unity.test f64 {p.op('mov_imm 64.0 : f64', 'f64').name}", "i1")
            scope.append(p.op(f"cvt bool to u32 {unity.name}", "i32"))


def _window(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *ELEMENTS)) is not None:
        values = [p.same(scope, a).name for _ in range(p.choices.integer(1, 6))]
        kind = p.pick(("add", "min", "max", "mul"))
        scope.append(p.op(f"reduce.{kind} {sign(p, a.type)} {', '.join(values)}", a.type))


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
    _local, _if, _loop, _pointer, _pointer, _vector, _atomic, _atomic, _bits, _window,
    _logic, _state,
)  # fmt: skip


def _body(p: LaneProgram, scope: list[Lane], count: int) -> None:
    for _ in range(count):
        p.steps += 1
        if p.steps > MAX_STEPS:
            return
        p.pick(STEPS)(p, scope)


def build(choices: Choices) -> LaneProgram:
    """A random program: an array of each of its element types, an element a lane, which it reads and writes."""
    block, grid = (1, 2, 7, 32, 64)[choices.integer(0, 4)], choices.integer(1, 3)
    p = LaneProgram(choices, block, grid)
    p.elements = tuple(dict.fromkeys(p.pick(ELEMENTS) for _ in range(p.choices.integer(1, 3))))
    p.line("%local = atlas.alloca : memref<4xf32, #atlas.space<local>>")
    p.line("%gid = atlas.special gid : i64")
    p.line("%lane32 = atlas.special lane.x : i32")
    p.line("%lane = atlas.cvt u32 to u64 %lane32")
    scope = [Lane("%gid", "i64"), Lane("%lane32", "i32")]
    scope += [p.op(f"ldg {e} %x_{e}[%gid : i64] : memref<?x{e}>", e) for e in p.elements]
    _body(p, scope, choices.integer(1, MAX_STEPS))
    others = [v for v in scope if v.type not in p.elements]
    if others and choices.integer(0, 1):
        other = p.pick(others)
        scope.append(p.op(f"cvt {sign(p, other.type)} to {p.elements[0]} {other.name}", p.elements[0]))
    for e in p.elements:
        last = [v for v in scope if v.type == e][-1]
        p.line(f"atlas.stg {e} {last.name}, %x_{e}[%gid : i64] : memref<?x{e}>")
    p.text = _module(p)
    rng = np.random.default_rng(choices.integer(0, 2**16))
    special = choices.integer(0, 3) == 0
    p.arguments = [_input(rng, e, block * grid, special) for e in p.elements]
    p.arguments += [np.zeros(len(UPDATES), e.replace("i", "int")) for e in p.sums]
    return p


def _input(rng: np.random.Generator, element: str, count: int, special: bool) -> Array:
    """Random elements; the narrow types' from wider ones, cut or rounded."""
    wide = element if BITS[element] >= 32 else "i64" if element in INTEGERS else "f32"
    with np.errstate(all="ignore"):
        return data(rng, wide, (count,), special=special).astype(DTYPES[element].numpy)


def _module(p: LaneProgram) -> str:
    arrays = [f"%x_{e}" for e in p.elements] + [f"%sum_{e}" for e in p.sums]
    types = [f"memref<?x{e}>" for e in (*p.elements, *p.sums)]
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
            *(f"  %shared_{e} = atlas.alloca : memref<{p.block}x{e}, #atlas.space<shared>>" for e in p.shared),
            *p.lines,
            "}",
            "",
        ]
    )
