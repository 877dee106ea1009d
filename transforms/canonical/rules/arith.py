"""Arithmetic: constants, and the laws of upstream's operations.

Integers fold in all widths, floats to what the operation's instruction computes
(`dialects/atlas/instructions/upstream.py`); nothing that upstream leaves undefined folds, and no result that is NaN.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from math import fmod, isfinite
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, i1, i64
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects.arith import Arith, scalar_of
from hologram.dialects.shapes import with_element
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Fold, Folds, Pattern, Patterns
from hologram.transforms.canonical.rules.constants import Constant, constant, elementwise, read, width_of, written
from hologram.transforms.canonical.rules.integers import BINARY, PREDICATES, binary, cast_integer, compared
from hologram.transforms.canonical.rules.laws import COMMUTATIVE, TABLES, Law, law, pattern_of

Found: TypeAlias = "Attribute | SSAValue | None"
"""A constant's attribute, a value, or nothing."""
_MANTISSA = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
"""The bits of a float's significand."""


# Constants


def fold_integers(op: Any) -> Found:
    """All operands are constant integers, or one is poison; (x & y) & x = x & y."""
    if (poison := _poison(op)) is not None:
        return poison
    for x, y in ((op.lhs, op.rhs), (op.rhs, op.lhs)) if isinstance(op, arith.AndIOp) else ():
        if isinstance(x.owner, arith.AndIOp) and y in x.owner.operands:
            return x
    a, b = read(op.lhs), read(op.rhs)
    return None if a is None or b is None else binary(op.name.partition(".")[2], a, b, op.result.type)


def _poison(op: Operation) -> SSAValue | None:
    """The operand that is poison, and has the type of the result."""
    type = op.results[0].type
    return next((o for o in op.operands if isinstance(o.owner, PoisonOp) and o.type == type), None)


def fold_comparison(op: arith.CmpiOp) -> Found:
    """Constants, and values with themselves"""
    predicate = op.predicate.value.data
    if op.lhs is op.rhs:
        return written([int(predicate in (0, 3, 5, 7, 9))], op.result.type)
    a, b = read(op.lhs), read(op.rhs)
    return None if a is None or b is None else compared(predicate, a, b, op.result.type)


def fold_integer_cast(op: Any) -> Found:
    """A constant integer."""
    x = read(op.operands[0])
    return None if x is None else cast_integer(op, x)


def fold_floats(op: Operation) -> Found:
    """All operands are constant, and one or the result is a float."""
    if (poison := _poison(op)) is not None:
        return poison
    constants = [read(o) for o in op.operands]
    return None if None in constants else _computed(op, cast("list[Constant]", constants))


def _computed(op: Operation, constants: list[Constant]) -> Attribute | None:
    """What the instruction that an operation is computes of constants, unless some of it is NaN or a trap."""
    from hologram.dialects.atlas.instructions.storage import Trap, view
    from hologram.dialects.atlas.instructions.types import dtype_of
    from hologram.dialects.atlas.instructions.upstream import MEANINGS, isa_type
    from hologram.dialects.lazy import np

    type = op.results[0].type
    meaning = next((MEANINGS[kind] for kind in op.__class__.__mro__ if kind in MEANINGS), None)
    if meaning is None or any(dtype_of(scalar_of(t)) is None for t in (*op.operand_types, type)):
        return None
    lanes: list[Any] = []
    for each in constants:
        numbers = each.numbers() if each.width else each.values
        lanes.append(np.array(numbers).astype(isa_type(each.type).numpy))
    try:
        values = view(meaning.compute(op, lanes), isa_type(type))
    except Trap:
        return None
    if isinstance(scalar_of(type), AnyFloat):
        return None if np.isnan(values).any() else written([float(v) for v in values], type)
    return written([int(v) for v in values], type)


def fold_to_integer(op: Any) -> Found:
    """A constant float, where the number without its fraction is in range: others are poison"""
    x, width = read(op.operands[0]), width_of(scalar_of(op.result.type))
    if x is None or width is None:
        return None
    unsigned = isinstance(op, arith.FPToUIOp)
    least, most = (0, (1 << width) - 1) if unsigned else (-(1 << (width - 1)), (1 << (width - 1)) - 1)

    def whole(number: float) -> int | None:
        return int(number) if number == number and abs(number) < 1e38 and least <= int(number) <= most else None

    return elementwise(whole, op.result.type, x.values)


def fold_to_float(op: Any) -> Found:
    """A constant integer, rounded once"""
    x = read(op.operands[0])
    return None if x is None or x.width > 64 else _computed(op, [x])


def fold_truncf(op: arith.TruncFOp) -> Found:
    """A constant; rounded in another way than to the nearest only where it is exact"""
    folded = fold_floats(op)
    if "roundingmode" not in op.properties or not isinstance(folded, Attribute):
        return folded
    x, rounded = read(op.operands[0]), constant(folded)
    return folded if x is not None and rounded is not None and [*x.values] == [*rounded.values] else None


def fold_remf(op: Any) -> Found:
    """Constants, by the remainder of C's `fmod`"""
    a, b = read(op.lhs), read(op.rhs)
    if a is None or b is None:
        return None
    return elementwise(lambda x, y: fmod(x, y) if isfinite(x) and y else None, op.result.type, a.values, b.values)


def fold_float_comparison(op: arith.CmpfOp) -> Found:
    """Constants, a NaN with anything, and the comparisons that are always false or true"""
    predicate = op.predicate.value.data
    nan = any((c := read(o)) is not None and c.only != c.only for o in op.operands)
    if nan or predicate in (0, 15):
        return written([int(predicate >= 8)], op.result.type)
    return fold_floats(op)


def fold_bitcast(op: arith.BitcastOp) -> Found:
    """A constant, or bitcast(bitcast(x)) = x"""
    if op.input.type == op.result.type:
        return op.input
    inner = op.input.owner
    if isinstance(inner, arith.BitcastOp) and inner.input.type == op.result.type:
        return inner.input
    x = read(op.input)
    return None if x is None else _computed(op, [x])


def fold_select(op: Any) -> Found:
    """A constant condition; of vectors of constants, element by element"""
    condition, a, b = (read(o) for o in op.operands)
    if condition is not None and condition.only is not None:
        return op.lhs if condition.only else op.rhs
    for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        if isinstance(value.owner, PoisonOp):
            return other
    if condition is None or a is None or b is None:
        return None
    return elementwise(lambda c, x, y: x if c else y, op.result.type, condition.values, a.values, b.values)


# Conditions of laws: of what the names stand for, and of the operation


def _type(value: SSAValue) -> Attribute:
    return scalar_of(value.type)


def _width(value: SSAValue) -> int:
    kind = _type(value)
    return width_of(kind) or getattr(kind, "bitwidth", 0)


def _is_bit(found: Mapping[str, Any], op: Any) -> bool:
    return _type(op.results[0]) == i1


def _same_source(found: Mapping[str, Any], op: Any) -> bool:
    return found["x"].type == found["y"].type


def _returns(found: Mapping[str, Any], op: Any) -> bool:
    """Return whether casts there and back have the type that they began with, and cut nothing off between."""
    return found["x"].type == op.result.type and _width(op.operands[0]) >= _width(found["x"])


def _narrower(found: Mapping[str, Any], op: Any) -> bool:
    return _width(op.results[0]) < _width(found["x"])


def _wider(found: Mapping[str, Any], op: Any) -> bool:
    return _width(op.results[0]) > _width(found["x"])


def _same(found: Mapping[str, Any], op: Any) -> bool:
    return found["x"].type == op.results[0].type


def _exact_between(signed: bool) -> Callable[[Mapping[str, Any], Any], bool]:
    """Whether the float between two conversions has all bits of the integer, so that there is one rounding."""

    def holds(found: Mapping[str, Any], op: Any) -> bool:
        bits = _width(found["x"]) - signed
        return 0 < bits <= _MANTISSA.get(str(_type(op.operands[0])), 0)

    return holds


def _widened(found: Mapping[str, Any], op: Any) -> bool:
    """Return whether a float was widened and is narrowed to less than it was: both conversions round once."""
    order = ("f16", "bf16", "f32", "f64")
    before, after = str(_type(found["x"])), str(_type(op.results[0]))
    known = before in order and after in order
    return known and _width(found["x"]) > _width(op.results[0])


def _may_contract(found: Mapping[str, Any], op: Any) -> bool:
    """Return whether the flags of both conversions say that the rounding between them may be left out."""
    flags = [{**each.properties, **each.attributes}.get("fastmath") for each in (op, op.operands[0].owner)]
    return _same(found, op) and all(f is not None and any(x.value == "contract" for x in f.data) for f in flags)


def _promised(flag: str) -> Callable[[Mapping[str, Any], Any], bool]:
    """Whether the product that is divided does not overflow."""

    def holds(found: Mapping[str, Any], op: Any) -> bool:
        flags = op.lhs.owner.properties.get("overflowFlags")
        return flags is not None and any(f.value == flag for f in flags.data)

    return holds


def _without_zeros(found: Mapping[str, Any], op: Any) -> bool:
    """Return whether neither NaN nor the sign of zero matters."""
    flags = {f.value for f in op.fastmath.data}
    return {"nnan", "nsz"} <= flags


def _shift_hides_sign(found: Mapping[str, Any], op: Any) -> bool:
    """Return whether the bits that a shift brings in are cut off."""
    amount = found["N"].only
    return amount is not None and 0 <= amount <= _width(op.operands[0]) - _width(op.result)


def _extreme(name: str, *, strongest: bool) -> Callable[[Mapping[str, Any], Any], bool]:
    """Whether the constant is the number that decides a minimum or maximum, or the one that never does."""
    signed, most = name.endswith("si"), name.startswith("max") == strongest

    def holds(found: Mapping[str, Any], op: Any) -> bool:
        number: Constant = found["A"]
        top = 1 << (number.width - signed)
        wanted = top - 1 if most else -top if signed else 0
        bits = (1 << number.width) - 1
        return number.only is not None and number.numbers(unsigned=True)[0] == wanted & bits

    return holds


_EXTREMES = ("maxsi", "minsi", "maxui", "minui")
LAWS = (
    # Sums and differences
    law("addi(x, 0) -> x"),
    law("addi(subi(a, b), b) -> a"),
    law("addi(addi(x, A), B) -> addi(x, A + B)", exact=True),
    law("addi(subi(x, A), B) -> addi(x, B - A)", exact=True),
    law("addi(subi(A, x), B) -> subi(A + B, x)", exact=True),
    law("addi(x, muli(y, -1)) -> subi(x, y)"),
    law("subi(x, x) -> 0"),
    law("subi(x, 0) -> x"),
    law("subi(addi(a, b), b) -> a"),
    law("subi(addi(x, A), B) -> addi(x, A - B)", exact=True),
    law("subi(subi(x, A), B) -> subi(x, A + B)", exact=True),
    law("subi(subi(A, x), B) -> subi(A - B, x)", exact=True),
    law("subi(A, addi(x, B)) -> subi(A - B, x)", exact=True),
    law("subi(A, subi(x, B)) -> subi(A + B, x)", exact=True),
    law("subi(A, subi(B, x)) -> addi(x, A - B)", exact=True),
    law("subi(subi(a, b), a) -> subi(0, b)", exact=True),
    # Products and quotients
    law("muli(x, 0) -> 0"),
    law("muli(x, 1) -> x"),
    law("muli(muli(x, A), B) -> muli(x, A * B)", exact=True),
    *(law(f"{name}(x, 1) -> x") for name in ("divsi", "divui", "ceildivsi", "ceildivui", "floordivsi")),
    law("divui(muli(a, b), b) -> a", _promised("nuw")),
    law("divsi(muli(a, b), b) -> a", _promised("nsw")),
    *(law(f"{name}(x, 1) -> 0") for name in ("remsi", "remui")),
    # Bits
    law("andi(x, x) -> x"),
    law("andi(x, 0) -> 0"),
    law("andi(x, -1) -> x"),
    law("andi(x, xori(x, -1)) -> 0"),
    law("ori(x, x) -> x"),
    law("ori(x, 0) -> x"),
    law("ori(x, -1) -> -1"),
    law("ori(x, xori(x, -1)) -> -1"),
    law("xori(x, x) -> 0"),
    law("xori(x, 0) -> x"),
    law("xori(xori(a, b), b) -> a"),
    law("xori(cmpi[p](a, b), -1) -> cmpi[opposite(p)](a, b)"),
    *(
        law(f"{join}({cast}(x), {cast}(y)) -> {cast}({join}(x, y))", _same_source)
        for join in ("andi", "ori", "xori")
        for cast in ("extsi", "extui")
    ),
    *(law(f"{name}(x, 0) -> x") for name in ("shli", "shrsi", "shrui")),
    # Extremes
    *(law(f"{name}(x, x) -> x") for name in _EXTREMES),
    *(law(f"{name}(x, A) -> x", _extreme(name, strongest=False)) for name in _EXTREMES),
    *(law(f"{name}(x, A) -> A", _extreme(name, strongest=True)) for name in _EXTREMES),
    # Comparisons
    law("cmpi[0](x, 1) -> x", lambda found, op: _type(found["x"]) == i1),
    law("cmpi[1](x, 0) -> x", lambda found, op: _type(found["x"]) == i1),
    *(law(f"cmpi[1]({cast}(x), 0) -> x", lambda found, op: _type(found["x"]) == i1) for cast in ("extsi", "extui")),
    *(
        law(f"cmpi[{p}]({cast}(x), {cast}(y)) -> cmpi[{p}](x, y)", _same_source)
        for cast, predicates in (("extsi", (0, 1, 2, 3, 4, 5)), ("extui", (0, 1, 6, 7, 8, 9)))
        for p in predicates
    ),
    # Choices
    law("select(c, x, x) -> x"),
    law("select(c, 1, 0) -> c", _is_bit),
    law("select(c, 0, 1) -> xori(c, 1)", _is_bit),
    law("select(c, 1, 0) -> extui(c)", lambda found, op: found["c"].type == _bits_like(op.result.type)),
    law("select(c, 0, 1) -> extui(xori(c, 1))", lambda found, op: found["c"].type == _bits_like(op.result.type)),
    law("select(xori(c, 1), x, y) -> select(c, y, x)"),
    law("select(c, select(c, x, y), z) -> select(c, x, z)"),
    law("select(c, x, select(c, y, z)) -> select(c, x, z)"),
    law("select(cmpi[0](x, y), x, y) -> y"),
    law("select(cmpi[0](x, y), y, x) -> x"),
    law("select(cmpi[1](x, y), x, y) -> x"),
    law("select(cmpi[1](x, y), y, x) -> y"),
    # Conversions
    law("extsi(extui(x)) -> extui(x)"),
    law("extsi(extsi(x)) -> extsi(x)"),
    law("extui(extui(x)) -> extui(x)"),
    law("trunci(trunci(x)) -> trunci(x)"),
    law("trunci(shrsi(x, N)) -> trunci(shrui(x, N))", _shift_hides_sign),
    *(
        each
        for cast in ("extsi", "extui")
        for each in (
            law(f"trunci({cast}(x)) -> x", _same),
            law(f"trunci({cast}(x)) -> trunci(x)", _narrower),
            law(f"trunci({cast}(x)) -> {cast}(x)", _wider),
        )
    ),
    law("index_cast(index_cast(x)) -> x", _returns),
    law("index_castui(index_castui(x)) -> x", _returns),
    law("index_cast(extsi(x)) -> index_cast(x)"),
    law("index_castui(extui(x)) -> index_castui(x)"),
    law("bitcast(bitcast(x)) -> bitcast(x)"),
    law("truncf(extf(x)) -> x", _same),
    law("extf(truncf(x)) -> x", _may_contract),
    law("truncf(extf(x)) -> truncf(x)", _widened),
    law("truncf(sitofp(x)) -> sitofp(x)", _exact_between(True)),
    law("truncf(uitofp(x)) -> uitofp(x)", _exact_between(False)),
    # Floats
    law("negf(negf(x)) -> x"),
    law("addf(x, -0.0) -> x"),
    law("subf(x, 0.0) -> x"),
    law("mulf(x, 1.0) -> x"),
    law("mulf(x, 0.0) -> 0.0", _without_zeros),
    law("mulf(x, -0.0) -> -0.0", _without_zeros),
    law("mulf(negf(x), negf(y)) -> mulf(x, y)"),
    law("divf(x, 1.0) -> x"),
    law("divf(negf(x), negf(y)) -> divf(x, y)"),
    *(law(f"{name}(x, x) -> x") for name in ("maximumf", "minimumf", "maxnumf", "minnumf")),
    law("maximumf(x, -inf) -> x"),
    law("minimumf(x, inf) -> x"),
    law("maxnumf(x, nan) -> x"),
    law("minnumf(x, nan) -> x"),
)


def _bits_like(type: Attribute) -> Attribute | None:
    """The type of a condition for each element of a type of integers, which are wider than a bit."""
    width = width_of(scalar_of(type))
    is_integer = width is not None and width > 1 and not isinstance(scalar_of(type), IndexType)
    return with_element(type, i1) if is_integer else None


# Patterns


def put_constant_right(op: Any, rewriter: PatternRewriter) -> None:
    """c + x = x + c for all that commute"""
    a, b = op.operands
    if isinstance(a.owner, arith.ConstantOp) and not isinstance(b.owner, arith.ConstantOp):
        _replace_like(op, rewriter, [b, a])


def put_compared_constant_right(op: arith.CmpiOp, rewriter: PatternRewriter) -> None:
    """(c < x) = (x > c)"""
    if isinstance(op.lhs.owner, arith.ConstantOp) and not isinstance(op.rhs.owner, arith.ConstantOp):
        predicate = TABLES["swapped"][op.predicate.value.data]
        _replace_like(op, rewriter, [op.rhs, op.lhs], predicate=IntegerAttr(predicate, 64))


def _replace_like(op: Operation, rewriter: PatternRewriter, operands: list[SSAValue], **properties: Attribute) -> None:
    types = [r.type for r in op.results]
    new = type(op).create(
        operands=operands, result_types=types, properties={**op.properties, **properties}, attributes=op.attributes
    )
    rewriter.replace(op, new)


def fold_extended(op: Any, rewriter: PatternRewriter) -> None:
    """Sums and products of twice the width: by zero and one, of constants, and without their upper half"""
    name, high = op.name.partition(".")[2], op.results[1]
    a, b = read(op.operands[0]), read(op.operands[1])
    if a is not None and b is None:
        _replace_like(op, rewriter, [op.operands[1], op.operands[0]])
    elif a is not None and b is not None:
        _extended_constants(op, name, a, b, rewriter)
    elif b is not None and b.only in (0, 1) and not (b.only and name == "addui_extended"):
        _extended_by(op, int(b.only), name, rewriter)
    elif high.first_use is None:
        kind = arith.AddiOp if name == "addui_extended" else arith.MuliOp
        new = kind(op.operands[0], op.operands[1])
        rewriter.replace(op, [new], [new.result, None])


def _extended_by(op: Any, factor: int, name: str, rewriter: PatternRewriter) -> None:
    """x + 0 = x * 1 = x and x * 0 = 0; the upper half is 0, or the sign where the product is signed."""
    x, high = op.operands[0], op.results[1]
    attribute = written([0], high.type)
    if attribute is None:
        return
    zero = arith.ConstantOp.create(result_types=[high.type], properties={"value": attribute})
    low = op.operands[1] if name != "addui_extended" and not factor else x
    if not factor or name == "mului_extended":
        return rewriter.replace(op, [zero], [low, zero.result])
    negative = _KINDS["cmpi"].create(
        operands=[x, zero.result], result_types=[with_element(high.type, i1)],
        properties={"predicate": IntegerAttr(PREDICATES.index("slt"), i64)},
    )  # fmt: skip
    sign = _KINDS["extsi"].create(operands=negative.results, result_types=[high.type])
    rewriter.replace(op, [zero, negative, sign], [low, sign.results[0]])


def _extended_constants(op: Any, name: str, a: Constant, b: Constant, rewriter: PatternRewriter) -> None:
    width, unsigned = a.width, name != "mulsi_extended"
    left, right = a.numbers(unsigned=unsigned), b.numbers(unsigned=unsigned)

    def half(number: int, x: int, y: int) -> int:
        return (x + y if name == "addui_extended" else x * y) >> width * number

    values = [elementwise(partial(half, n), r.type, left, right) for n, r in enumerate(op.results)]
    if None not in values:
        new = [
            arith.ConstantOp.create(result_types=[r.type], properties={"value": cast("Attribute", v)})
            for r, v in zip(op.results, values, strict=True)
        ]
        rewriter.replace(op, new, [n.results[0] for n in new])


def compare_before_conversion(op: arith.CmpfOp, rewriter: PatternRewriter) -> None:
    """A comparison of an integer, converted exactly, with a constant compares the integer"""
    cast_op, c = op.lhs.owner, read(op.rhs)
    number = None if c is None else c.only
    if not isinstance(cast_op, arith.SIToFPOp | arith.UIToFPOp) or number is None or number != number:
        return
    x, is_signed = cast_op.input, isinstance(cast_op, arith.SIToFPOp)
    width = _width(x)
    if not 0 < width - is_signed <= _MANTISSA.get(str(_type(op.lhs)), 0) or op.predicate.value.data in (0, 15):
        return
    bounds = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    found = _as_integers(_RELATIONS[op.predicate.value.data % 7], float(number), bounds)
    if isinstance(found, bool):
        attribute = written([int(found)], op.result.type)
        assert attribute is not None
        return rewriter.replace(
            op, arith.ConstantOp.create(result_types=[op.result.type], properties={"value": attribute})
        )
    relation, limit = found
    attribute = written([limit], x.type)
    assert attribute is not None
    constant = arith.ConstantOp.create(result_types=[x.type], properties={"value": attribute})
    prefix = "" if relation in ("eq", "ne") else "s" if is_signed else "u"
    predicate = IntegerAttr(PREDICATES.index(prefix + relation), i64)
    compare = _KINDS["cmpi"].create(
        operands=[x, constant.result], result_types=[op.result.type], properties={"predicate": predicate}
    )
    rewriter.replace(op, [constant, compare])


_RELATIONS = ("ord", "eq", "gt", "ge", "lt", "le", "ne")
"""The relations of comparisons of floats: the ordered ones are 1 to 7, the unordered ones 8 to 14."""


def _as_integers(relation: str, number: float, bounds: tuple[int, int]) -> bool | tuple[str, int]:
    """What a relation between an integer and a number is between integers; a truth value where it always holds or never
    does."""
    if relation == "ord":
        return True
    above, below = number > bounds[1], number < bounds[0]
    if above or below:
        return relation == "ne" or relation[0] == ("l" if above else "g")
    whole = int(number)
    if number == whole:
        return relation, whole
    if relation in ("eq", "ne"):
        return relation == "ne"
    # The fraction is cut off towards zero: what was beyond it on that side is equal now.
    if number > 0:
        return {"lt": "le", "le": "le", "gt": "gt", "ge": "gt"}[relation], whole
    return {"lt": "lt", "le": "lt", "gt": "ge", "ge": "ge"}[relation], whole


def cast_poison(op: Operation, rewriter: PatternRewriter) -> None:
    """A conversion of poison is poison"""
    if isinstance(op.operands[0].owner, PoisonOp):
        rewriter.replace(op, type(op.operands[0].owner).create(
            properties=op.operands[0].owner.properties, result_types=[op.results[0].type],
        ))  # fmt: skip


_CASTS = ("extsi", "extui", "trunci", "index_cast", "index_castui")
_NAMED_FOLDS: Mapping[str, Fold] = {
    **dict.fromkeys(BINARY, fold_integers),
    **dict.fromkeys(_CASTS, fold_integer_cast),
    **dict.fromkeys("addf subf mulf divf negf maximumf minimumf maxnumf minnumf".split(), fold_floats),
    **dict.fromkeys(("sitofp", "uitofp"), fold_to_float),
    **dict.fromkeys(("fptosi", "fptoui"), fold_to_integer),
    "extf": fold_floats, "truncf": fold_truncf, "remf": fold_remf, "bitcast": fold_bitcast,
    "cmpi": fold_comparison, "cmpf": fold_float_comparison, "select": fold_select,
}  # fmt: skip


def _patterns() -> Mapping[str, tuple[Pattern, ...]]:
    """The patterns of each operation: its operands in order, then its laws."""
    laws: dict[str, list[Law]] = defaultdict(list)
    for each in LAWS:
        laws[each.name].append(each)
    table: dict[str, tuple[Pattern, ...]] = {name: (pattern_of(found),) for name, found in laws.items()}
    for name in COMMUTATIVE:
        table[name] = (put_constant_right, *table.get(name, ()))
    table["cmpi"] = (put_compared_constant_right, *table["cmpi"])
    for name in (*_CASTS, "bitcast", "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui"):
        table[name] = (*table.get(name, ()), cast_poison)
    table["cmpf"] = (compare_before_conversion,)
    table |= dict.fromkeys(("addui_extended", "mulsi_extended", "mului_extended"), (fold_extended,))
    return table


_KINDS = {op.name.partition(".")[2]: op for op in Arith.operations}
FOLDS: Folds = Registry({_KINDS[name]: fold for name, fold in _NAMED_FOLDS.items()})
PATTERNS: Patterns = Registry({_KINDS[name]: found for name, found in _patterns().items()})
