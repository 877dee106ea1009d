"""Laws of arithmetic as text: `addi(addi(x, A), B)` is `addi(x, A + B)`.

A name in small letters is a value, the same one wherever it stands; one in capital letters is a constant of numbers,
and so is a number, which stands for a vector or tensor of it too. `cmpi[p](x, y)` names the predicate of a comparison.
Of an operation that commutes either order matches. The right side is a value, a constant computed from constants, or
an operation, which has the type of what the law is about; one inside it has the type of its first operand. The
operations are those of arith.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.dialects import arith as ours
from hologram.dialects.arith import scalar_of
from hologram.transforms.canonical.rules.constants import Constant, elementwise, read, width_of, written

Found: TypeAlias = "dict[str, Any]"
"""What the names of a law stand for: values, constants, predicates."""
Condition: TypeAlias = Callable[[Mapping[str, Any], Any], bool]
"""Says of what the names stand for, and of the operation, whether a law holds."""

COMMUTATIVE = frozenset(
    "addi muli andi ori xori addf mulf minsi maxsi minui maxui minimumf maximumf minnumf maxnumf".split()
)
_NUMBERS = {"inf": math.inf, "nan": math.nan}
"""The numbers that have names."""
_FLAGGED = ("addi", "subi", "muli", "shli")
_KINDS = {op.name.partition(".")[2]: op for op in ours.Arith.operations}


@dataclass(frozen=True)
class Part:
    """What a value has to be: any value, a constant, a number, or what an operation on parts gives."""

    kind: Literal["value", "constant", "number", "operation"]
    name: str
    """What the value is called, or the full name of the operation."""
    number: int | float = 0
    parts: tuple[Part, ...] = ()
    predicate: int | str | None = None
    """The predicate of a comparison, or what it is called."""
    commutes: bool = False

    @property
    def made_by(self) -> str:
        """The operation that gives the value; empty where any does."""
        return {"operation": self.name, "value": ""}.get(self.kind, "arith.constant")


def part_of(node: ast.expr) -> Part:
    """A part of a law from its text."""
    match node:
        case ast.Call():
            name, subscript = _name(node), node.func.slice if isinstance(node.func, ast.Subscript) else None
            predicate: int | str | None = None
            if subscript is not None:
                predicate = subscript.id if isinstance(subscript, ast.Name) else int(_number(subscript))
            parts = tuple(part_of(a) for a in node.args)
            return Part("operation", f"arith.{name}", 0, parts, predicate, name in COMMUTATIVE)
        case ast.Name(id=name) if name not in _NUMBERS:
            return Part("constant" if name[0].isupper() else "value", name)
        case _:
            return Part("number", ast.unparse(node), _number(node))


@dataclass(frozen=True)
class Law:
    """A law: what it is about, what that is, and under which condition."""

    text: str
    condition: Condition | None
    exact: bool
    """Whether both sides are the same number before it is wrapped, so that promises not to overflow stay."""

    @property
    def name(self) -> str:
        """The operation that it is about."""
        return re.split(r"[\[(]", self.text, maxsplit=1)[0]

    @cached_property
    def left(self) -> Part:
        """What it is about; read when an operation of its name is met first."""
        return part_of(self._side(0))

    @cached_property
    def right(self) -> ast.expr:
        """What that is."""
        return self._side(1)

    def _side(self, number: int) -> ast.expr:
        return ast.parse(self.text.split("->")[number].strip(), mode="eval").body

    def may_match(self, made_by: Sequence[str]) -> bool:
        """Return whether operands that these operations give may be those of the law."""
        orders = (made_by, made_by[::-1]) if self.left.commutes else (made_by,)
        wanted = [part.made_by for part in self.left.parts]
        return any(all(w in ("", m) for w, m in zip(wanted, order, strict=True)) for order in orders)


def law(text: str, condition: Condition | None = None, *, exact: bool = False) -> Law:
    """A law from its text, `left -> right`."""
    return Law(text, condition, exact)


def _name(call: ast.Call) -> str:
    function = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    return cast("ast.Name", function).id


def pattern_of(laws: Sequence[Law]) -> Callable[[Any, PatternRewriter], None]:
    """The pattern that applies the first of some laws about an operation that matches."""
    candidates: dict[tuple[str, ...], Sequence[Law]] = {}

    def apply(op: Operation, rewriter: PatternRewriter) -> None:
        made_by = tuple(o.owner.name if isinstance(o, OpResult) else "" for o in op.operands)
        if made_by not in candidates:
            candidates[made_by] = [each for each in laws if each.may_match(made_by)]
        for each in candidates[made_by]:
            if (match := _matched(each, op)) is not None:
                new = _Builder(each, op, match).result()
                if new is not None:
                    rewriter.replace(op, *new)
                    return

    apply.__name__ = f"laws of {laws[0].name}"
    return apply


@dataclass
class _Match:
    """What the names of a law stand for, and the operations that it matches."""

    found: Found = field(default_factory=dict[str, Any])
    operations: list[Operation] = field(default_factory=list[Operation])


def _matched(each: Law, op: Operation) -> _Match | None:
    for match in _operation_matches(each.left, op, _Match()):
        if each.condition is None or each.condition(match.found, op):
            return match
    return None


def _matches(part: Part, value: SSAValue, match: _Match) -> Iterator[_Match]:
    """The ways in which a part of a law matches a value."""
    if part.kind == "value":
        if match.found.get(part.name, value) is value:
            yield _Match({**match.found, part.name: value}, match.operations)
    elif part.kind == "operation":
        if isinstance(value, OpResult) and value.op.name == part.name:
            yield from _operation_matches(part, value.op, match)
    elif (constant := read(value)) is not None:
        if part.kind == "number":
            if constant.only is not None and _is_number(constant, part.number):
                yield _Match({**match.found, f"%{part.name}": value}, match.operations)
        elif match.found.get(part.name, constant) == constant:
            yield _Match({**match.found, part.name: constant, f"%{part.name}": value}, match.operations)


def _operation_matches(part: Part, op: Operation, match: _Match) -> Iterator[_Match]:
    """The ways in which a part that is an operation matches one of its name."""
    found = match.found
    if part.predicate is not None:
        predicate = cast("Any", op).predicate.value.data
        if isinstance(part.predicate, str):
            found = {**found, part.predicate: predicate}
        elif part.predicate != predicate:
            return
    operands = tuple(op.operands)
    for values in (operands, operands[::-1]) if part.commutes else (operands,):
        yield from _all_match(part.parts, values, _Match(found, [*match.operations, op]))


def _all_match(parts: Sequence[Part], values: Sequence[SSAValue], match: _Match) -> Iterator[_Match]:
    if not parts:
        yield match
        return
    for first in _matches(parts[0], values[0], match):
        yield from _all_match(parts[1:], values[1:], first)


def _number(node: ast.expr) -> int | float:
    """The number that a part of a law is: -1, 0.5, -inf."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return _NUMBERS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case _:
            raise AssertionError(ast.dump(node))


def _is_number(constant: Constant, number: int | float) -> bool:
    """Return whether all elements of a constant are a number, zeros with their sign."""
    width = width_of(scalar_of(constant.type))
    only = constant.only
    assert only is not None
    if width is not None:
        return isinstance(number, int) and not (int(only) - number) & ((1 << width) - 1)
    if not isinstance(number, float) or math.isnan(number):
        return isinstance(number, float) and math.isnan(only)
    return only == number and math.copysign(1, only) == math.copysign(1, number)


class _Builder:
    """Builds the right side of a law."""

    def __init__(self, each: Law, op: Operation, match: _Match):
        self.law, self.op, self.match = each, op, match
        self.made: list[Operation] = []
        self.flags = self._common_flags()

    def result(self) -> tuple[list[Operation], list[SSAValue]] | None:
        """The operations of the right side and the value that stands for the left one; None where it has none."""
        value = self._value(self.law.right, self.op.results[0].type)
        return None if value is None else (self.made, [value])

    def _value(self, node: ast.expr, type: Attribute) -> SSAValue | None:
        match node:
            case ast.Call():
                return self._operation(node, type)
            case ast.Name(id=name) if name in self.match.found and not name[0].isupper():
                value: SSAValue = self.match.found[name]
                return value
            case _ if (there := self.match.found.get(f"%{ast.unparse(node)}")) is not None and there.type == type:
                return there
            case _:
                attribute = self._constant(node, type)
        if attribute is None:
            return None
        made = arith.ConstantOp.create(result_types=[type], properties={"value": attribute})
        self.made.append(made)
        return made.results[0]

    def _operation(self, node: ast.Call, type: Attribute) -> SSAValue | None:
        name = _name(node)
        inner = self._type_of(node, type)
        operands = [self._value(a, inner) for a in node.args]
        if None in operands:
            return None
        values = cast("list[SSAValue]", operands)
        kind = _KINDS[name]
        properties: dict[str, Attribute] = {}
        if isinstance(node.func, ast.Subscript):
            same = next(o for o in self.match.operations if o.name == f"arith.{name}")
            wanted = self._predicate(node.func.slice)
            properties = {**same.properties, "predicate": IntegerAttr(wanted, i64)}
        elif name in _FLAGGED and self.flags:
            properties = {"overflowFlags": IntegerOverflowAttr([*self.flags])}
        elif "fastmath" in self.op.properties:
            properties = {"fastmath": self.op.properties["fastmath"]}
        made = kind.create(operands=values, result_types=[type], properties=properties)
        self.made.append(made)
        return made.results[0]

    def _predicate(self, node: ast.expr) -> int:
        if isinstance(node, ast.Constant):
            return cast("int", node.value)
        table, name = cast("ast.Call", node).func, cast("ast.Call", node).args[0]
        predicate: int = self.match.found[cast("ast.Name", name).id]
        return TABLES[cast("ast.Name", table).id][predicate]

    def _type_of(self, node: ast.Call, type: Attribute) -> Attribute:
        """The type of what is in an operation: that of a value there, or that of the operation itself."""
        names = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in self.match.found)
        values = (self.match.found[n] for n in names)
        types = [cast("SSAValue", v).type for v in values if isinstance(v, SSAValue)]
        return types[0] if types and _name(node) != "select" else type

    def _constant(self, node: ast.expr, type: Attribute) -> Attribute | None:
        """A constant that is computed from others, in numbers that do not wrap before the end."""
        match node:
            case ast.Name(id=name) if name not in _NUMBERS:
                return written(self.match.found[name].values, type)
            case ast.BinOp(left=ast.Name(id=a), op=operator, right=ast.Name(id=b)):
                compute = _OPERATORS[operator.__class__]
                left, right = self.match.found[a], self.match.found[b]
                self._keep_flags(compute, left, right)
                return elementwise(compute, type, left.numbers(), right.numbers())
            case _:
                return written([_number(node)], type)

    # Promises not to overflow

    def _common_flags(self) -> set[IntegerOverflowFlag]:
        if not self.law.exact:
            return set()
        promised = {*IntegerOverflowFlag}
        for op in self.match.operations:
            flags = op.properties.get("overflowFlags")
            promised &= {*flags.data} if isinstance(flags, IntegerOverflowAttr) else set[IntegerOverflowFlag]()
        return promised

    def _keep_flags(self, compute: Callable[[int, int], int], a: Constant, b: Constant) -> None:
        """Drop the promises for which the computed constant would have to wrap: they need not hold any more."""
        for flag in [*self.flags]:
            unsigned = flag is IntegerOverflowFlag.NUW
            least, most = (0, (1 << a.width) - 1) if unsigned else (-(1 << (a.width - 1)), (1 << (a.width - 1)) - 1)
            left, right = a.numbers(unsigned=unsigned), b.numbers(unsigned=unsigned)
            exact = [compute(x, y) for x in left for y in right] if len(left) * len(right) < 64 else [least - 1]
            if not all(least <= n <= most for n in exact):
                self.flags.discard(flag)


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
}
TABLES: dict[str, Sequence[int]] = {
    "opposite": (1, 0, 5, 4, 3, 2, 9, 8, 7, 6),
    "swapped": (0, 1, 4, 5, 2, 3, 8, 9, 6, 7),
}
"""For each predicate of integers the one that holds where it does not, and that of the operands the other way round."""
