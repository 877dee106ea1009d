"""Random lane programs: arithmetic of all types, divergent ifs, loops, calls and recursion, memory of every space by
index and by pointer, vector forms, atomics whose outcome no order changes, barriers. Free of races by shape."""

from __future__ import annotations

import numpy as np

from hologram.dialects.atlas.instructions.types import DTYPES

from . import lane_places
from .counts import FUZZING
from .lane_places import SPAN, UPDATES, memref
from .lane_values import (
    BITS,
    ELEMENTS,
    HELD,
    INTEGERS,
    MAX_STEPS,
    NUMBERS,
    STORED,
    WIDE,
    Lane,
    LaneProgram,
    isa,
    sign,
)
from .tensor_programs import Array, Choices, data


def _arithmetic(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *NUMBERS)) is None:
        return
    integer = a.type[0] == "i"
    names = ("add", "sub", "mul", "min", "max", "min.nan", "max.nan", *(("and", "or", "xor") if integer else ("div",)))
    scope.append(p.op(f"{p.pick(names)} {sign(p, a.type)} {a.name}, {p.same(scope, a).name}", a.type))


def _unary(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *NUMBERS)) is not None:
        floats = ("abs", "neg", "sign", "relu", "floor", "ceil", "round", "trunc", "sqrt", "rcp")
        name = p.pick(("abs", "neg", "sign", "not") if a.type[0] == "i" else floats)
        scope.append(p.op(f"{name} {sign(p, a.type)} {a.name}", a.type))


def _ternary(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *NUMBERS)) is not None:
        operands = ", ".join([a.name, p.same(scope, a).name, p.same(scope, a).name])
        scope.append(p.op(f"{p.pick(('fma', 'mad', 'fms', 'clamp'))} {sign(p, a.type)} {operands}", a.type))


def _shift(p: LaneProgram, scope: list[Lane]) -> None:
    a, amount = p.some(scope, *INTEGERS, *WIDE), p.some(scope, "i32")
    if a is not None and amount is not None:
        scope.append(p.op(f"{p.pick(('shl', 'shr'))} {sign(p, a.type)} {a.name}, {amount.name}", a.type))


def _divide(p: LaneProgram, scope: list[Lane]) -> None:
    """A division, nearly always by an odd number, since zero traps."""
    if (a := p.some(scope, *INTEGERS, *WIDE)) is None:
        return
    divisor = p.same(scope, a)
    if p.choices.integer(0, 29):
        one = p.op(f"mov_imm 1 : {a.type}", a.type)
        divisor = p.op(f"or {a.type} {divisor.name}, {one.name}", a.type)
    scope.append(p.op(f"{p.pick(('div', 'rem'))} {sign(p, a.type)} {a.name}, {divisor.name}", a.type))


def _convert(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *HELD)) is not None:
        target = p.pick((*ELEMENTS, *STORED, "i1", p.pick(p.elements)))
        finite = target in (*STORED, "f16", "f32") and not p.choices.integer(0, 3)
        name = "cvt.satfinite" if finite else "cvt"
        scope.append(p.op(f"{name} {sign(p, a.type)} to {sign(p, target)} {a.name}", target))


def _select(p: LaneProgram, scope: list[Lane]) -> None:
    if (a := p.some(scope, *HELD)) is not None:
        c = p.some(scope, "i1") or _condition(p, scope, p.some(scope, *NUMBERS) or a)
        scope.append(p.op(f"sel {isa(a.type)} {c.name}, {a.name}, {p.same(scope, a).name}", a.type))


def _condition(p: LaneProgram, scope: list[Lane], a: Lane) -> Lane:
    condition = p.pick(("eq", "ne", "lt", "le", "gt", "ge"))
    return p.op(f"setcc {condition} {sign(p, a.type)} {a.name}, {p.same(scope, a).name}", "i1")


def _logic(p: LaneProgram, scope: list[Lane]) -> None:
    """Predicates as values: conditions, their combinations, and integers made of them."""
    a, b = (_condition(p, scope, p.pick([v for v in scope if v.type in (*NUMBERS, "i1")])) for _ in range(2))
    both = p.op(f"{p.pick(('and', 'or', 'xor'))} bool {a.name}, {b.name}", "i1")
    target = p.pick(ELEMENTS)
    scope.append(p.op(f"not bool {both.name}", "i1"))
    scope.append(p.op(f"cvt bool to {sign(p, target)} {scope[-1].name}", target))


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
    if (a := p.some(scope, *NUMBERS)) is not None:
        values = [p.same(scope, a).name for _ in range(p.choices.integer(1, 6))]
        kind = p.pick(("add", "min", "max", "mul"))
        scope.append(p.op(f"reduce.{kind} {sign(p, a.type)} {', '.join(values)}", a.type))


def _if(p: LaneProgram, scope: list[Lane]) -> None:
    a, tested = p.some(scope, *HELD), p.some(scope, *NUMBERS)
    if a is None or tested is None or p.depth > 3:
        return
    condition = _condition(p, scope, tested)
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
    a = p.some(scope, *HELD)
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


def _call(p: LaneProgram, scope: list[Lane]) -> None:
    """A function of a count and a value, which may call itself as often as the count says."""
    a, own = p.some(scope, *HELD), p.some(scope, "i32")
    if a is None or own is None or p.depth > 3:
        return
    known = [name for name, type, _ in p.functions if type == a.type]
    name = p.pick(known) if known and p.choices.integer(0, 1) else _function(p, a.type)
    mask = p.op(f"mov_imm {p.pick((1, 3, 7))} : i32", "i32")
    count = p.op(f"and u32 {own.name}, {mask.name}", "i32")
    scope.append(p.op(f"call @{name}({count.name}, {a.name}) : (i32, {a.type}) -> ({a.type})", a.type))


def _function(p: LaneProgram, type: str) -> str:
    """Writes a function, before all that call it."""
    outer = p.lines, p.depth, p.uniform, p.steps_of
    p.lines, p.depth, p.uniform, p.steps_of = [], 1, False, PURE
    scope = [Lane("%n", "i32"), Lane("%x", type)]
    name = f"f{p.named}"
    p.named += 1
    _body(p, scope, p.choices.integer(1, 3))
    last = [v for v in scope if v.type == type][-1]
    if p.choices.integer(0, 1):
        zero, one = (p.op(f"mov_imm {n} : i32", "i32") for n in (0, 1))
        more = p.op(f"setcc gt i32 %n, {zero.name}", "i1")
        less = p.op(f"sub i32 %n, {one.name}", "i32")
        deeper = f"%d = atlas.call @{name}({less.name}, {last.name}) : (i32, {type}) -> ({type})"
        p.line(f"%r = atlas.if {more.name} -> ({type}) {{\n    {deeper}\n    atlas.yield %d : {type}")
        p.line(f"}} else {{\n    atlas.yield {last.name} : {type}\n  }}")
        last = Lane("%r", type)
    p.line(f"atlas.ret {p.pick((last, p.same(scope, last))).name} : {type}")
    text = "\n".join([f"atlas.func @{name}(%n: i32, %x: {type}) -> ({type}) {{", *p.lines, "}"])
    p.lines, p.depth, p.uniform, p.steps_of = outer
    p.functions.append((name, type, text))
    return name


PURE = (
    _arithmetic, _arithmetic, _arithmetic, _unary, _ternary, _shift, _divide, _convert, _select, _if, _loop,
    lane_places.bits, _window, _logic, _call,
)  # fmt: skip
STEPS = (
    *PURE, _state, lane_places.exchange, lane_places.exchange, lane_places.exchange, lane_places.slots,
    lane_places.slots, lane_places.slots, lane_places.spans, lane_places.neighbours,
    lane_places.local, lane_places.pointer, lane_places.pointer, lane_places.atomic, lane_places.atomic,
)  # fmt: skip


def _body(p: LaneProgram, scope: list[Lane], count: int) -> None:
    for _ in range(count):
        p.steps += 1
        if p.steps > MAX_STEPS:
            return
        p.pick(p.steps_of or STEPS)(p, scope)


def _element(p: LaneProgram) -> str:
    """A type for an array: mostly one that compiles fast."""
    match p.choices.integer(0, 11):
        case 0:
            return p.pick(WIDE[: p.choices.integer(1, len(WIDE))])
        case 1:
            return p.pick((*STORED, "i1"))
        case _:
            return p.pick(ELEMENTS)


def build(choices: Choices) -> LaneProgram:
    """A random program: an array of each of its element types, an element a lane, which it reads and writes."""
    block, grid = (1, 2, 7, 32, 64)[choices.integer(0, 4)], choices.integer(1, 3)
    p = LaneProgram(choices, block, grid)
    p.elements = tuple(dict.fromkeys(_element(p) for _ in range(p.choices.integer(1, 3 if FUZZING else 2))))
    p.line("%local = atlas.alloca : memref<4xf32, #atlas.space<local>>")
    p.line("%gid = atlas.special gid : i64")
    p.line("%lane32 = atlas.special lane.x : i32")
    p.line("%lane = atlas.cvt u32 to u64 %lane32")
    for name in ("gid", "lane"):
        p.line(f"%{name}4 = atlas.mul i64 %{name}, {p.number(4).name}")
    scope = [Lane("%gid", "i64"), Lane("%lane32", "i32")]
    scope += [p.op(f"ldg {isa(e)} %x_{e}[%gid : i64] : memref<?x{e}>", e) for e in p.elements]
    _body(p, scope, choices.integer(1, MAX_STEPS))
    others = [v for v in scope if v.type not in p.elements]
    if others and choices.integer(0, 1):
        other, first = p.pick(others), p.elements[0]
        scope.append(p.op(f"cvt {sign(p, other.type)} to {sign(p, first)} {other.name}", first))
    for e in p.elements:
        last = [v for v in scope if v.type == e][-1]
        p.line(f"atlas.stg {isa(e)} {last.name}, %x_{e}[%gid : i64] : memref<?x{e}>")
    p.text = _module(p)
    rng = np.random.default_rng(choices.integer(0, 2**16))
    special = choices.integer(0, 3) == 0
    p.arguments = [_input(rng, e, count * block * grid, special) for e, count in _arrays(p)]
    p.arguments += [_input(rng, e, SPAN, special) for e in p.types_of("read")]
    p.arguments += [np.zeros(len(UPDATES), e.replace("i", "int")) for e in p.types_of("sum")]
    return p


def _input(rng: np.random.Generator, element: str, count: int, special: bool) -> Array:
    """Random elements; the narrow types' from wider ones, cut or rounded; wide ones with all bits, or few."""
    if element in WIDE:
        limbs = rng.integers(0, 1 << 64, (count, BITS[element] // 64), np.uint64)
        limbs[rng.random(count) < 0.3, 1:] = 0
        limbs[rng.random(limbs.shape) < (0.3 if special else 0.05)] = (1 << 64) - 1
        limbs[rng.random(limbs.shape) < (0.3 if special else 0.05)] = 0
        return limbs
    wide = element if BITS[element] >= 32 or element == "i1" else "i64" if element in INTEGERS else "f32"
    with np.errstate(all="ignore"):
        return data(rng, wide, (count,), special=special).astype(DTYPES[isa(element)].numpy)


def _arrays(p: LaneProgram) -> list[tuple[str, int]]:
    """The types of the arrays that lanes load from and store to, and their elements a lane."""
    return [(e, 1) for e in p.elements] + [(e, 4) for e in p.types_of("scratch")]


def _module(p: LaneProgram) -> str:
    kinds = ("scratch", "read", "sum")
    arrays = [("x", e) for e in p.elements] + [(kind, e) for kind in kinds for e in p.types_of(kind)]
    names, types = [f"%{kind}_{e}" for kind, e in arrays], [f"memref<?x{e}>" for _, e in arrays]
    heads = ", ".join(f"{a}: {t}" for a, t in zip(names, types, strict=True))
    declared = [(space, e, memref(p, space, e)) for space in ("local", "shared", "pool") for e in p.types_of(space)]
    return "\n".join(
        [
            f"func.func @main({heads}) {{",
            f"  %grid = arith.constant {p.grid} : index",
            "  %one = arith.constant 1 : index",
            f"  atlas.launch @lanes grid(%grid, %one, %one) args({', '.join(names)} : {', '.join(types)})",
            "  func.return",
            "}",
            f"atlas.program @lanes({heads}) block [{p.block}, 1, 1] {{",
            *(f"  %{space}_{e} = atlas.{_made(space, e)} : {of}" for space, e, of in declared),
            *(f"  %k{n} = atlas.mov_imm {n} : i64" for n in p.constants),
            *p.lines,
            "}",
            *(text for *_, text in p.functions),
            *(f"atlas.pool @ring_{e} : {of}" for space, e, of in declared if space == "pool"),
            "",
        ]
    )


def _made(space: str, type: str) -> str:
    return f"pool.alloc @ring_{type}" if space == "pool" else "alloca"
